#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: record.sh FOLDER      On a machine with a GPU and nvcc: answers.txt, what every group prints there, and dumps/GROUP, all words.
set -eu
here=$(dirname "$0") out=$1
mkdir -p "$out/dumps"
nvcc -w -x c -I"$here" "$here"/textures*.c -o "$out/textures" -lcuda
{
    echo "# $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader), $(nvcc --version | sed -n 's/.*release/CUDA/p'), $(date +%F); how it was made: record.sh"
    for group in $("$out/textures" list); do
        timeout 60 "$out/textures" "$group" "$out/dumps/$group" || echo "exit status $?"
    done
} > "$out/answers.txt"
