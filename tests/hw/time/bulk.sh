#!/bin/sh
# Who waits for copies that mbarriers tell of: bulk.cu under softwarp profile with caches that stay warm, beside what an H200 took
# (tests/hw/h200/bulk-1.csv, -2.csv): each case within 20 %, 10 % in the mean. Nothing of the model was chosen by them.
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
"$build/bin/softwarp" profile --device h200 --cache-control none -o report -- ./bulk 1 > bulk.csv 2> log || { cat log; exit 1; }
awk -F, 'FNR == 1 { next }
    FILENAME != "bulk.csv" { recorded[$1 "," $2] += $4 / 2; next }
    { key = $1 "," $2; off = 100 * ($4 / recorded[key] - 1); sum += off < 0 ? -off : off; count++
      printf "%-14s %7.2f us, recorded %7.2f, %+.0f %%\n", key, $4, recorded[key], off
      if (off > 20 || off < -20) bad = 1 }
    END { printf "mean %.1f %% of %d\n", sum / count, count
          exit bad || count != 20 || sum / count > 10 }' "$source/tests/hw/h200/bulk-1.csv" "$source/tests/hw/h200/bulk-2.csv" bulk.csv
