#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: bench/suite/run.sh BUILD [options of suite]   Build the suite and run it: Softwarp against native C and PoCL, one thread
# each, on one CPU. Needs no nvcc; without PoCL (Debian: pocl-opencl-icd ocl-icd-opencl-dev opencl-headers) its column is empty.
set -eu
build=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
out=$build/bench/suite
mkdir -p "$out"
objects=
for f in "$here"/suite_native_*.c; do
    object=$out/$(basename "$f" .c).o
    clang-19 -std=gnu17 -O3 -march=native -mprefer-vector-width=512 -ffp-contract=fast -fopenmp-simd -fno-math-errno -Wall -Wextra \
        -Werror -c "$f" -o "$object"
    objects="$objects $object"
done
pocl="$here/suite_no_pocl.c"
printf '#include <CL/cl.h>\nint main(void) { return clGetPlatformIDs(0, 0, 0); }\n' > "$out/probe.c"
if clang-19 -w "$out/probe.c" -o "$out/probe" -lOpenCL 2> /dev/null; then pocl="$here/suite_pocl.c -lOpenCL"; fi
# shellcheck disable=SC2086
clang-19 -std=gnu17 -O2 -Wall -Wextra -Werror -I"$root/cuda/include" "$here/suite.c" "$here/suite_inputs.c" "$here/suite_softwarp.c" \
    $pocl $objects -o "$out/suite" "$build/lib/libcuda.so.1" -lm -Wl,-rpath,"$(readlink -f "$build/lib")"
"$build/bin/softwarp" cc -O3 -arch=sm_80 -ptx "$here/kernels/all.cu" -o "$out/suite.ptx"
cpu=$(taskset -cp $$ | sed 's/.*[ ,-]//')
grep -m1 'model name' /proc/cpuinfo | cut -d: -f2
SOFTWARP_THREADS=1 POCL_MAX_PTHREAD_COUNT=1 taskset -c "$cpu" "$out/suite" "$out/suite.ptx" "$here/kernels" "$@"
