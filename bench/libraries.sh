#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: bench/libraries.sh BUILD [THREADS [options of libraries]]   calls of Softwarp's libraries beside OpenBLAS called
# directly, loops, and its own transforms (libraries.cu). Fails when a result is wrong.
set -eu
build=$1 threads=${2:-1}
shift
[ $# -eq 0 ] || shift
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$build/bench"
cc -std=gnu17 -O2 -I "$here/../src" -c "$here/libraries_fft.c" -o "$build/bench/libraries_fft.o"
"$build/bin/softwarp" cc -std=c++17 -O3 -Xcompiler -march=native "$here/libraries.cu" "$here/libraries_sparse.cu" \
    "$here/libraries_lapack.cu" "$here/libraries_fft.cu" "$build/bench/libraries_fft.o" "$build/libsw_fft.a" "$build/libsw_base.a" \
    -o "$build/bench/libraries" -lcublas -lcusolver -lcusparse -lcufft
# One thread has one processor: others may be slower at the same time, or have what it needs in their caches.
alone=
[ "$threads" != 1 ] || alone="taskset -c $(taskset -cp $$ | sed 's/.*[ ,-]//')"
SOFTWARP_THREADS=$threads $alone "$build/bin/softwarp" run "$build/bench/libraries" "$@"
