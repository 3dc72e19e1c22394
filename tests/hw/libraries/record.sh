#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Record what cuBLAS computes and how long its kernels take, on a machine with a GPU, nvcc and ncu. usage: record.sh OUTDIR
# OUTDIR/cublas-results.txt: one line a call (cublas_results.cu). OUTDIR/cublas-times.tsv: one line a call (cublas_times.cu): name,
# shape, ns of all its kernels at ncu's locked clock with cold caches, and the kernels. OUTDIR/machine.txt: GPU, driver, toolkit.
set -eu
out=$1
. "$(dirname "$0")/../../support/script.sh"
mkdir -p "$out"
describe_machine ,clocks.max.sm,clocks.max.mem > "$out/machine.txt"
date -u +%F >> "$out/machine.txt"
nvcc -O1 -arch=native -cudart shared -o "$work/results" "$here/cublas_results.cu" -lcublas &
nvcc -O1 -arch=native -cudart shared -o "$work/times" "$here/cublas_times.cu" -lcublas
wait
"$work/results" > "$out/cublas-results.txt"
ncu --csv --page raw --print-units base --metrics gpu__time_duration.sum "$work/times" > "$work/out" 2> "$work/err" || tail -3 "$work/err"
python3 "$here/times.py" gather "$work/out" > "$out/cublas-times.tsv"
