#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Record times of copies, launches and their overlap on a machine with a GPU and nvcc. usage: tests/hw/record_copies.sh OUTDIR
# Writes OUTDIR/copies-1.csv to copies-3.csv (three runs of the program: how much they differ is how exact a model can be) and
# OUTDIR/copies-machine.txt.
set -eu
out=$1
. "$(dirname "$0")/../support/script.sh"
mkdir -p "$out"
nvcc -O2 -std=c++17 -arch=native "$here/copies.cu" -o "$work/copies"
describe_machine ,pcie.link.gen.current,pcie.link.width.current,clocks.max.sm,clocks.max.mem > "$out/copies-machine.txt"
for run in 1 2 3; do
    timeout 150 "$work/copies" > "$out/copies-$run.csv" || { echo "run $run ended early: $(tail -1 "$out/copies-$run.csv")" >&2; }
done
wc -l "$out"/copies-*.csv
