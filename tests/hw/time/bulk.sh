#!/bin/sh
# Who waits for copies that mbarriers tell of: bulk.cu under softwarp profile. One tile at a time takes as long as with
# cp.async (within 10 %), two at a time less than two thirds of it for one block, four less still; a warp of its own that brings them is
# no slower than 20 % more. Not recorded on a GPU yet: record_bulk.sh.
#   bulk.sh BUILD SOURCE-TREE
set -u
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export CUDA_CACHE_PATH=$work/cache
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2> /dev/null)
if [ -z "$nvcc" ] || ! "$nvcc" -O3 -cudart shared -gencode arch=compute_90,code=compute_90 -o bulk "$source/tests/hw/bulk.cu" > log 2>&1; then
    "$build/bin/softwarp" cc -O3 -arch=sm_90 -o bulk "$source/tests/hw/bulk.cu" > log 2>&1 || { cat log; exit 1; }
fi
"$build/bin/softwarp" profile --device h200 -o report -- ./bulk 1 32 > bulk.csv 2> log || { cat log; exit 1; }
awk -F, 'NR > 1 { us[$1 "," $2] = $4 } END {
    for (i = 1; i <= 2; i++) {
        n = i == 1 ? 1 : 132
        groups = us["groups," n]; one = us["one," n]; two = us["two," n]; four = us["four," n]; own = us["producer," n]
        print n " blocks: " groups, one, two, four, own
        if (!(one > 0.9 * groups && one < 1.1 * groups)) bad = 1
        if (!(two < 0.67 * one && four < 0.8 * two && own < 1.2 * four)) bad = 1
    }
    exit bad }' bulk.csv
