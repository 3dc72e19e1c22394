#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: bench/alone.sh BUILD   Build BUILD/bench/alone, the program of bench.c for --softwarp-only, where it is not there. Needs the
# headers of OpenCL (Debian: opencl-c-headers), but neither PoCL nor an OpenCL library.
set -eu
build=$1
here=$(cd "$(dirname "$0")" && pwd)
alone=$build/bench/alone
[ ! -x "$alone" ] || [ "$here/bench.c" -nt "$alone" ] || exit 0
mkdir -p "$build/bench"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clang-19 -std=gnu17 -O3 -march=x86-64-v3 -ffp-contract=fast -fno-math-errno -c "$here/bench_native.c" -o "$work/native.o"
clang-19 -std=gnu17 -O2 -I"$here/../cuda/include" -c "$here/bench.c" -o "$work/bench.o"
# OpenCL's functions, which --softwarp-only never calls.
nm -u "$work/bench.o" | sed -n 's/^ *U \(cl[A-Z].*\)/void \1(void) { __builtin_trap(); }/p' > "$work/opencl.c"
clang-19 -w -c "$work/opencl.c" -o "$work/opencl.o"
clang-19 "$work/bench.o" "$work/native.o" "$work/opencl.o" -o "$alone" -L"$build/lib" -l:libcuda.so.1 -lm
