#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: record.sh FOLDER      On a machine with a GPU and nvcc: answers.txt, what every group prints there, dumps/GROUP, all words, and
# api_textures.txt, the same for tests/api/api_textures.cu.
set -eu
out=$1
. "$(dirname "$0")/../support/script.sh"
mkdir -p "$out/dumps"
nvcc -w -x c -I"$here" "$here"/textures*.c -o "$out/textures" -lcuda -lm
head=$(recorded_by tests/textures/record.sh)
{
    echo "$head"
    for group in $("$out/textures" list); do
        timeout 60 "$out/textures" "$group" "$out/dumps/$group" || echo "exit status $?"
    done
} > "$out/answers.txt"
source=$here/../api/api_textures.cu
[ -f "$source" ] || source=$here/api_textures.cu
nvcc -cudart static -arch=sm_90 -std=c++17 -w -o "$out/api_textures" "$source"
{
    echo "$head"
    "$out/api_textures" | while read -r part; do
        "$out/api_textures" "$part" || echo "exit status $?"
    done
} > "$out/api_textures.txt"
