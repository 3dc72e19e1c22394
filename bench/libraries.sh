#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: bench/libraries.sh BUILD [THREADS [options of libraries]]   calls of Softwarp's libraries beside OpenBLAS called
# directly and beside loops (libraries.cu). Fails when a result is wrong.
set -eu
build=$1 threads=${2:-1}
shift
[ $# -eq 0 ] || shift
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$build/bench"
"$build/bin/softwarp" cc -std=c++17 -O3 -Xcompiler -march=native "$here/libraries.cu" -o "$build/bench/libraries" -lcublas -lcusolver \
    -lcusparse
SOFTWARP_THREADS=$threads "$build/bin/softwarp" run "$build/bench/libraries" "$@"
