#!/bin/sh
# What peer.cu prints under softwarp profile beside what it printed on two H100: the mean error of each kind, of sizes that
# nothing was fitted to, is what copies.py says was measured, and a margin.
#   peer.sh BUILD SOURCE-TREE
set -u
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export CUDA_CACHE_PATH=$work/cache SOFTWARP_DEVICE=h100:2
"$source/tests/support/recorded_program.sh" "$build" "$source/tests/hw/peer.cu" peer -O2 > log 2>&1 || { cat log; exit 1; }
"$build/bin/softwarp" profile --set basic -o report -- ./peer 256 > peer.csv 2> log || { cat log; exit 1; }
exec "$source/tests/hw/time/copies.py" peers h100 "$source" peer.csv
