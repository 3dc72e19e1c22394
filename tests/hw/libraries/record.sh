#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Record what NVIDIA's libraries compute and how long their kernels take, on a machine with a GPU, nvcc and ncu.
# usage: record.sh OUTDIR [LIBRARY...]       all libraries that have programs here, or those named: cublas cufft
# OUTDIR/LIBRARY-results.txt: one line a call (LIBRARY_results.cu). OUTDIR/LIBRARY-times.tsv: one line a call (LIBRARY_times.cu): name,
# shape, ns of all its kernels at ncu's locked clock with cold caches, and the kernels. OUTDIR/machine.txt: GPU, driver, toolkit.
set -eu
out=$1
shift
. "$(dirname "$0")/../../support/script.sh"
mkdir -p "$out"
describe_machine ,clocks.max.sm,clocks.max.mem > "$out/machine.txt"
date -u +%F >> "$out/machine.txt"
[ $# -gt 0 ] || set -- $(cd "$here" && ls ./*_results.cu | sed 's,^./,,; s,_results.cu$,,')
for library; do
    for kind in results times; do
        source=$here/${library}_$kind.cu
        # shellcheck disable=SC2046
        [ ! -f "$source" ] || nvcc -O1 -std=c++17 -arch=native -cudart shared -o "$work/$library-$kind" "$source" $("$here/link.sh" "$library") &
    done
done
wait
for library; do
    [ ! -x "$work/$library-results" ] || "$work/$library-results" > "$out/$library-results.txt" || echo "$library: not all results: $?"
    if [ -x "$here/${library%%-*}_results.py" ]; then # recordings of its own form
        mv "$out/$library-results.txt" "$work/results"
        "$here/${library%%-*}_results.py" compact "$work/results" > "$out/$library-results.txt"
    fi
    [ -x "$work/$library-times" ] || continue
    if grep -q cudaEventElapsedTime "$here/${library}_times.cu"; then # it times itself
        NCCL_NVLS_ENABLE=0 "$work/$library-times" events > "$out/$library-times.tsv"
        continue
    fi
    ncu --csv --page raw --print-units base --metrics gpu__time_duration.sum "$work/$library-times" > "$work/out" 2> "$work/err" || tail -3 "$work/err"
    python3 "$here/times.py" gather "$work/out" > "$out/$library-times.tsv"
done
