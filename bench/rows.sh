#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: bench/rows.sh BUILD [options of rows]   Softwarp against native C, one kernel a feature that is easily slow
# (rows.cu): one thread each, on one CPU. Fails when an output is wrong.
set -eu
build=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$build/bench"
clang-19 -std=gnu17 -O3 -march=native -mprefer-vector-width=512 -ffp-contract=fast -fopenmp-simd -fno-math-errno \
    -c "$here/rows_native.c" -o "$build/bench/rows_native.o"
"$build/bin/softwarp" cc -O2 "$here/rows.cu" "$build/bench/rows_native.o" -o "$build/bench/rows"
cpu=$(taskset -cp $$ | sed 's/.*[ ,-]//')
SOFTWARP_THREADS=1 taskset -c "$cpu" "$build/bin/softwarp" run "$build/bench/rows" "$@"
