#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: record.sh CUDA_H_FOLDER OUT [JOBS]      On a machine with two GPUs and a C compiler, in a copy of the repository: what
# the driver library there answers. CUDA_H_FOLDER: of cuda.h, ours (cuda/include) or NVIDIA's.
set -eu
here=$(cd "$(dirname "$0")" && pwd) headers=$1 out=$2 jobs=${3:-6}
library=$(ldconfig -p | awk '/libcuda\.so\.1 /{ print $NF; exit }')
[ -n "$library" ] || library=$(find /usr -name libcuda.so.1 2> /dev/null | head -n 1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -std=c17 -O1 -I"$headers" -I"$here/../../src" -o "$work/conform" "$here"/conform_*.c "$library" -lpthread -ldl \
    -Wl,--allow-shlib-undefined
"$work/conform" > "$work/parts"
export work
# shellcheck disable=SC2016 # the inner shell expands it
xargs -d '\n' -P "$jobs" -I '{}' sh -c 'mkdir -p "$work/in/$1" && cd "$work/in/$1" && "$work/conform" "$1" > answers 2> errors ||
    echo "!! exit status $?" >> answers' sh '{}' < "$work/parts"
{
    echo "# $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1), $(date +%F); made by record.sh"
    while read -r part; do
        cat "$work/in/$part/answers"
    done < "$work/parts"
} > "$out"
