#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Record times of managed memory on a machine with a GPU and nvcc: a minute or so. usage: tests/hw/record_managed.sh OUTDIR
# Writes OUTDIR/pages-1.csv (up to 1 GiB), pages-2.csv and pages-3.csv (up to 64 MiB), and OUTDIR/pages-machine.txt.
# Not recorded yet: h200/managed-?.csv are the lines of managed memory of a second day's copies.cu (record_copies.sh).
set -eu
out=$1
. "$(dirname "$0")/../support/script.sh"
mkdir -p "$out"
nvcc -O2 -std=c++17 -arch=native "$here/managed.cu" -o "$work/managed"
{ describe_machine ,pcie.link.gen.current,pcie.link.width.current,clocks.max.sm,clocks.max.mem; uname -r; } > "$out/pages-machine.txt"
most=64
for run in 2 3 1; do
    [ "$run" = 1 ] && most=1024
    timeout 50 "$work/managed" "$most" > "$out/pages-$run.csv" || { echo "run $run ended early: $(tail -1 "$out/pages-$run.csv")" >&2; }
done
wc -l "$out"/pages-*.csv
