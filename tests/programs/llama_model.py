#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a small language model in GGUF, as llama.cpp reads it. usage: llama_model.py TYPE FILE     TYPE: f16, q8_0 or q4_K

A Llama of two layers with random weights of that type, the same at every call. Its output layer prefers one token after each
other by much more than what rounding and 8-bit activations change, so that two backends must agree on every token."""
import random
import struct
import sys

EMBEDDING, LAYERS, HEADS, KV_HEADS, FORWARD = 256, 2, 4, 2, 512
GGML_TYPES = {"f32": 0, "f16": 1, "q8_0": 8, "q4_K": 12}  # definition: ggml's numbers
SPREAD = {"attn_q": 0.1, "attn_k": 0.1, "attn_v": 0.03, "attn_output": 0.06, "ffn_gate": 0.05, "ffn_up": 0.05, "ffn_down": 0.05}
rng = random.Random(7)


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def entry(key, kind, value):
    """A pair of the header: kinds u32, f32, str, and lists of f32, i32 and str."""
    numbers = {"u32": 4, "i32": 5, "f32": 6, "str": 8}
    packed = {"u32": lambda v: struct.pack("<I", v), "i32": lambda v: struct.pack("<i", v), "f32": lambda v: struct.pack("<f", v),
              "str": text}
    if isinstance(value, list):
        head = struct.pack("<IIQ", 9, numbers[kind], len(value))
        return text(key) + head + b"".join(packed[kind](v) for v in value)
    return text(key) + struct.pack("<I", numbers[kind]) + packed[kind](value)


def halves(values):
    return struct.pack("<%de" % len(values), *values)


def weights(kind, count, spread):
    """Blocks as ggml has them: q8_0: a scale and 32 bytes; q4_K: two scales, 12 bytes of 6-bit scales, 256 values of 4 bits."""
    if kind == "f16":
        return halves([rng.gauss(0, spread) for _ in range(count)])
    if kind == "q8_0":
        return b"".join(halves([spread * 3 / 127]) + struct.pack("<32b", *[max(-127, min(127, int(rng.gauss(0, 42)))) for _ in range(32)])
                        for _ in range(count // 32))
    return b"".join(halves([spread / 8 / 63 * 2, spread / 63 * 2]) + bytes(rng.randrange(256) for _ in range(140)) for _ in range(count // 256))


def vocabulary():
    """SentencePiece's: three special tokens, 256 bytes, letters alone and after a space."""
    tokens = ["<unk>", "<s>", "</s>"] + ["<0x%02X>" % i for i in range(256)]
    kinds = [2, 3, 3] + [6] * 256
    letters = [chr(c) for c in range(ord("a"), ord("z") + 1)]
    for token in ["\u2581"] + letters + ["\u2581" + c for c in letters]:
        tokens.append(token)
        kinds.append(1)
    while len(tokens) % 32:
        tokens.append("<x%d>" % len(tokens))
        kinds.append(1)
    return tokens, [-float(i) for i in range(len(tokens))], kinds


def main(kind, path):
    tokens, scores, kinds = vocabulary()
    count = len(tokens)
    embedding = [[rng.gauss(0, 1) for _ in range(EMBEDDING)] for _ in range(count)]
    follows = list(range(count))
    rng.shuffle(follows)
    tensors = [("token_embd", [EMBEDDING, count], "f16", b"".join(halves(row) for row in embedding)),
               ("output", [EMBEDDING, count], "f16",
                b"".join(halves([0.1 * x + rng.gauss(0, 0.05) for x in embedding[follows[t]]]) for t in range(count)))]
    ones = struct.pack("<%df" % EMBEDDING, *[1.0] * EMBEDDING)
    tensors.append(("output_norm", [EMBEDDING], "f32", ones))
    kv = EMBEDDING // HEADS * KV_HEADS
    shapes = {"attn_q": (EMBEDDING, EMBEDDING), "attn_k": (EMBEDDING, kv), "attn_v": (EMBEDDING, kv), "attn_output": (EMBEDDING, EMBEDDING),
              "ffn_gate": (EMBEDDING, FORWARD), "ffn_up": (EMBEDDING, FORWARD), "ffn_down": (FORWARD, EMBEDDING)}
    for layer in range(LAYERS):
        for norm in ("attn_norm", "ffn_norm"):
            tensors.append(("blk.%d.%s" % (layer, norm), [EMBEDDING], "f32", ones))
        for name, shape in shapes.items():
            tensors.append(("blk.%d.%s" % (layer, name), list(shape), kind, weights(kind, shape[0] * shape[1], SPREAD[name])))
    header = [entry("general.architecture", "str", "llama"), entry("llama.context_length", "u32", 512),
              entry("llama.embedding_length", "u32", EMBEDDING), entry("llama.block_count", "u32", LAYERS),
              entry("llama.feed_forward_length", "u32", FORWARD), entry("llama.attention.head_count", "u32", HEADS),
              entry("llama.attention.head_count_kv", "u32", KV_HEADS), entry("llama.attention.layer_norm_rms_epsilon", "f32", 1e-5),
              entry("llama.rope.dimension_count", "u32", EMBEDDING // HEADS), entry("llama.vocab_size", "u32", count),
              entry("tokenizer.ggml.model", "str", "llama"), entry("tokenizer.ggml.tokens", "str", tokens),
              entry("tokenizer.ggml.scores", "f32", scores), entry("tokenizer.ggml.token_type", "i32", kinds),
              entry("tokenizer.ggml.bos_token_id", "u32", 1), entry("tokenizer.ggml.eos_token_id", "u32", 2)]
    out = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(header)) + b"".join(header)
    at = 0
    for name, shape, form, data in tensors:
        out += text(name + ".weight") + struct.pack("<I", len(shape)) + struct.pack("<%dQ" % len(shape), *shape)
        out += struct.pack("<IQ", GGML_TYPES[form], at)
        at += (len(data) + 31) // 32 * 32
    out += bytes(-len(out) % 32)
    for _, _, _, data in tensors:
        out += data + bytes(-len(data) % 32)
    open(path, "wb").write(out)


main(sys.argv[1], sys.argv[2])
