#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: record.sh CUDA_H_FOLDER OUT [JOBS [KNOWN [PART...]]]      On a machine with two GPUs and a C compiler, in a copy of the
# repository: what the driver library there answers. CUDA_H_FOLDER: of cuda.h, ours (cuda/include) or NVIDIA's. OUT gets each
# part when it is done, and when the time is up what the unfinished ones have answered. KNOWN: a recording made before; calls that
# crashed in it are not made again (/dev/null: none). PART...: these alone; merge.py puts them into a recording.
set -eu
here=$(cd "$(dirname "$0")" && pwd) headers=$1 out=$2 jobs=${3:-6} known=${4:-/dev/null}
shift $(($# < 4 ? $# : 4))
library=$(ldconfig -p | awk '/libcuda\.so\.1 /{ print $NF; exit }')
[ -n "$library" ] || library=$(find /usr -name libcuda.so.1 2> /dev/null | head -n 1)
work=$(mktemp -d)
cc -std=c17 -O1 -I"$headers" -I"$here/../../src" -o "$work/conform" "$here"/conform_*.c "$library" -lpthread -ldl \
    -Wl,--allow-shlib-undefined
if [ $# -gt 0 ]; then printf '%s\n' "$@"; else "$work/conform"; fi > "$work/parts"
echo "# $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1), $(date +%F); made by record.sh" > "$out"
"$work/conform" --hold &
holder=$!
finish()
{
    kill "$holder" 2> /dev/null || true
    while read -r part; do # those that are not done
        [ ! -f "$work/in/$part/answers" ] || cat "$work/in/$part/answers" >> "$out"
    done < "$work/parts"
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM
CONFORM_KNOWN=$(realpath "$known") CONFORM_HANG_SECONDS=${CONFORM_HANG_SECONDS:-10}
export work out CONFORM_KNOWN CONFORM_HANG_SECONDS
out=$(realpath "$out")
ulimit -c 0
# shellcheck disable=SC2016 # the inner shell expands it
xargs -d '\n' -P "$jobs" -I '{}' sh -c 'mkdir -p "$work/in/$1" && cd "$work/in/$1" && "$work/conform" "$1" > answers 2> errors ||
    echo "!! exit status $?" >> answers
    flock "$work/lock" sh -c "cat answers >> \"\$out\" && rm answers"' sh '{}' < "$work/parts"
