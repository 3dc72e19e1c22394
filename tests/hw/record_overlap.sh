#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Record what waits for what, and for how long (overlap.cu), on a machine with a GPU and nvcc; several GPUs of one host also
# tell what waits between them. usage: tests/hw/record_overlap.sh OUTDIR
# Writes OUTDIR/overlap-1.csv, -2.csv and OUTDIR/overlap-machine.txt. About a minute.
set -eu
out=$1
. "$(dirname "$0")/../support/script.sh"
mkdir -p "$out"
nvcc -O2 -std=c++17 -rdc=true -arch=native "$here/overlap.cu" -o "$work/overlap" -lcudadevrt
describe_machine ,pcie.link.gen.current,pcie.link.width.current,clocks.max.sm > "$out/overlap-machine.txt"
for run in 1 2; do
    for part in streams queues priorities launches graphs devices; do # one that fails leaves the others
        timeout 60 "$work/overlap" $part > "$work/part" || echo "run $run: $part ended early: $(tail -1 "$work/part")" >&2
        [ $part = streams ] && head -1 "$work/part" > "$out/overlap-$run.csv"
        tail -n +2 "$work/part" | { [ $part = streams ] && cat || grep -v '^single,\(one\|two\|launch,\|wait\|gap\)' || true; } >> "$out/overlap-$run.csv"
    done
done
wc -l "$out"/overlap-*.csv
