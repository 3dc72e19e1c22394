#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Record with nvcc how long kernels take that bring tiles to shared memory and wait for them. usage: tests/hw/record_bulk.sh OUTDIR
# Writes OUTDIR/bulk-1.csv and bulk-2.csv, and OUTDIR/bulk-machine.txt. From compute capability 9.0 on.
set -eu
out=$1
. "$(dirname "$0")/../support/script.sh"
mkdir -p "$out"
nvcc -O3 -std=c++17 -arch=native "$here/bulk.cu" -o "$work/bulk"
describe_machine ,clocks.max.sm > "$out/bulk-machine.txt"
for run in 1 2; do
    timeout 60 "$work/bulk" > "$out/bulk-$run.csv"
done
wc -l "$out"/bulk-*.csv
