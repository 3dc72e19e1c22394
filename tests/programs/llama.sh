#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: llama.sh BUILD      llama.cpp's CUDA backend, as its npm package ships it, generates the tokens that its CPU backend does: with
# weights of three types, flash attention off and on. SOFTWARP_LLAMA: a folder in which somebody did
#   npm install node-llama-cpp@3.22.1 @node-llama-cpp/linux-x64-cuda@3.22.1 @node-llama-cpp/linux-x64@3.22.1
set -u
build=$1 softwarp=$1/bin/softwarp
. "$(dirname "$0")/../support/script.sh"
[ -n "${SOFTWARP_LLAMA:-}" ] || skip "SOFTWARP_LLAMA names no folder with llama.cpp's package"
command -v node > /dev/null || skip "node is not installed"
cd "$SOFTWARP_LLAMA" || exit 1
count=24
for type in f16 q8_0 q4_K; do
    must python3 "$here/llama_model.py" "$type" "$work/model.gguf"
    for attention in no fa; do
        node "$here/llama_generate.mjs" cpu "$work/model.gguf" "$attention" $count > "$work/cpu" 2> "$work/err" || die "the CPU backend, $type"
        rate=$(grep 'a second' "$work/err")
        "$softwarp" run node "$here/llama_generate.mjs" cuda "$work/model.gguf" "$attention" $count > "$work/cuda" 2> "$work/err" ||
            die "the CUDA backend, $type, attention $attention"
        cmp -s "$work/cpu" "$work/cuda" || fail "$type, attention $attention: $(cat "$work/cuda") and not $(cat "$work/cpu")"
        echo "$type, flash attention $attention: CUDA $(grep 'a second' "$work/err"), CPU $rate"
    done
done
"$softwarp" profile -o "$work/report" node "$here/llama_generate.mjs" cuda "$work/model.gguf" fa $count > "$work/out" 2> "$work/err" ||
    die "profile"
grep -q 'mul_mat' "$work/report" && grep -q 'flash_attn' "$work/report" || fail "the report has no mul_mat or flash_attn"
exit $failed
