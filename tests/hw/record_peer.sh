#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Record times of copies between two GPUs of one machine with nvcc. usage: tests/hw/record_peer.sh OUTDIR
# Writes OUTDIR/peer-1.csv and peer-2.csv, and OUTDIR/peer-machine.txt: how the GPUs are connected.
set -eu
out=$1
. "$(dirname "$0")/../support/script.sh"
mkdir -p "$out"
nvcc -O2 -std=c++17 -arch=native "$here/peer.cu" -o "$work/peer"
{
    describe_machine ,pcie.link.gen.current,pcie.link.width.current
    nvidia-smi topo -m || true
    nvidia-smi nvlink --status || true
} > "$out/peer-machine.txt"
for run in 1 2; do
    timeout 60 "$work/peer" > "$out/peer-$run.csv" || { echo "run $run ended early: $(tail -1 "$out/peer-$run.csv")" >&2; }
done
wc -l "$out"/peer-*.csv
