// SPDX-License-Identifier: Apache-2.0
// Greedy tokens of a model by llama.cpp's package for JavaScript. usage: node llama_generate.mjs cpu|cuda MODEL fa|no COUNT
import {createRequire} from "node:module";
import {pathToFileURL} from "node:url";
const require = createRequire(process.cwd() + "/");
const {getLlama, LlamaLogLevel} = await import(pathToFileURL(require.resolve("node-llama-cpp")));
const [backend, modelPath, attention, count] = process.argv.slice(2);
const llama = await getLlama({gpu: backend === "cuda" ? "cuda" : false, build: "never", skipDownload: true, logLevel: LlamaLogLevel.warn});
if ((llama.gpu || "cpu") !== backend) throw new Error(`the backend is ${llama.gpu}`);
const model = await llama.loadModel({modelPath, gpuLayers: backend === "cuda" ? "max" : 0});
const context = await model.createContext({contextSize: 256, flashAttention: attention === "fa", threads: 1});
const tokens = [], begin = performance.now();
for await (const token of context.getSequence().evaluate(model.tokenize("the quick brown fox"), {temperature: 0})) {
    tokens.push(token);
    if (tokens.length >= Number(count)) break;
}
console.error(`${(1000 * tokens.length / (performance.now() - begin)).toFixed(1)} tokens a second`);
console.log(tokens.join(" "));
process.exit(0);
