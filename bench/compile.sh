#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: bench/compile.sh BUILD [FOLDER [LEAST [MOST [COUNT]]]]   For the kernels of a folder of PTX files (default: those
# of compile_kernels.py, of 500 to 20,000 instructions): PTX instructions, CPU seconds before the first block can run, and
# CPU seconds of the full tier, which a thread makes meanwhile. LEAST, MOST, COUNT: kernels of so many instructions, so many
# of each file.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=${2:-$work}
[ $# -ge 2 ] || python3 "$here/compile_kernels.py" "$work"
mkdir -p "$build/bench"
clang-19 -std=gnu17 -O2 -I"$here/../src" "$here/bench_compile.c" -o "$build/bench/bench_compile" \
    -Wl,--start-group "$build"/libsw_engine_*.a "$build"/libsw_model_access.a \
    "$build"/libsw_ptx.a "$build"/libsw_isa.a "$build"/libsw_base.a "$build"/libsw_arch.a "$build"/libsw_cache.a \
    "$build"/libsw_race.a "$build"/libsw_vmem.a -Wl,--end-group -lpthread -lm -ldl
export CUDA_CACHE_DISABLE=1
for tier in first full; do
    SOFTWARP_TIERS=$tier "$build/bench/bench_compile" "$build/lib" "${3:-0}" "${4:-1000000}" "${5:-1000000}" \
        $(ls "$folder"/*.ptx | sort -V) > "$work/$tier"
done
grep -m1 'model name' /proc/cpuinfo | cut -d: -f2
printf '%8s %9s %9s\n' instrs first full
paste "$work/first" "$work/full" | awk '$4 != "parsed" && $2 != "parsed" { printf "%8d %9.3f %9.3f  %s\n", $1, $2, $6, substr($4, 1, 70) }'
awk '/ parsed / { sum += $1 } END { printf "parsed in %.3f\n", sum }' "$work/first"
