#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: bench/run.sh BUILD [bench options]   Build the benchmark and run it: Softwarp against native C and PoCL, then what
# counting costs. PoCL is Debian's package (pocl-opencl-icd); without it that column is empty.
set -eu
build=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
for p in pocl-opencl-icd ocl-icd-opencl-dev opencl-headers; do
    dpkg-query -W -f '${Status}\n' "$p" 2> /dev/null | grep -q '^install ok installed$' && continue
    if [ "$(id -u)" = 0 ]; then apt-get install -y -qq "$p" > /dev/null 2>&1 || true; else
        echo "to compare with PoCL: sudo apt-get install pocl-opencl-icd ocl-icd-opencl-dev opencl-headers" >&2
        exit 1
    fi
done
mkdir -p "$build/bench"
clang-19 -std=gnu17 -O3 -march=native -mprefer-vector-width=512 -ffp-contract=fast -fopenmp-simd -fno-math-errno -c "$here/bench_native.c" -o "$build/bench/native.o"
clang-19 -std=gnu17 -O2 -I"$root/cuda/include" "$here/bench.c" "$build/bench/native.o" -o "$build/bench/bench" \
    "$build/lib/libcuda.so.1" -lOpenCL -lm -Wl,-rpath,"$(readlink -f "$build/lib")"
export SOFTWARP_THREADS=1 POCL_MAX_PTHREAD_COUNT=1
# One CPU for all, the last that we may use: threads that the kernel moves lose their caches (a vector add in cache then took
# anything from 1.1 to 5.9 ms).
cpu=$(taskset -cp $$ | sed 's/.*[ ,-]//')
pin="taskset -c $cpu"
grep -m1 'model name' /proc/cpuinfo | cut -d: -f2
$pin "$build/bench/bench" "$here/kernels.ptx" "$here/kernels.cl" "$@"
case " $* " in *" -k "*) ;; *)
    echo
    echo "with SOFTWARP_APPROX=fast: approximate functions within PTX's bounds, not with an H200's bits"
    SOFTWARP_APPROX=fast $pin "$build/bench/bench" "$here/kernels.ptx" "$here/kernels.cl" -k nbody "$@"
esac
echo
echo "start-up: softwarp run of a vector add of 1024 elements, warm object cache, whole process"
"$build/bin/softwarp" cc "$root/examples/vectoradd.cu" -o "$build/bench/vectoradd"
"$build/bin/softwarp" run "$build/bench/vectoradd" -n 1024 > /dev/null
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21; do
    t0=$(date +%s%N)
    "$build/bin/softwarp" run "$build/bench/vectoradd" -n 1024 > /dev/null
    t1=$(date +%s%N)
    echo $(((t1 - t0) / 1000))
done | sort -n | awk '{ a[NR] = $1 } END { printf "median %.1f ms (fastest %.1f, slowest %.1f)\n", a[11] / 1000, a[1] / 1000, a[NR] / 1000 }'

echo
echo "a launch of an empty kernel of one block: 10,000 queued and one wait, divided; and each waited for"
clang-19 -std=gnu17 -O2 -I"$root/cuda/include" "$here/bench_launch.c" -o "$build/bench/bench_launch" \
    "$build/lib/libcuda.so.1" -lOpenCL -Wl,-rpath,"$(readlink -f "$build/lib")"
"$build/bin/softwarp" cc "$here/launch.cu" -o "$build/bench/launch"
"$build/bench/bench_launch"
"$build/bin/softwarp" run "$build/bench/launch"

echo
# The same kernels alone: under run; counted; with accesses recorded and added up by a tool without a model (its library
# stands beside links to ours, from where the driver loads it); with caches modelled.
echo "what counting, recording accesses (ACCESS probes alone) and modelling caches cost: ms under run, then times as long"
record=$build/bench/record
mkdir -p "$record"
ln -sf "$(readlink -f "$build/lib/libcuda.so.1")" "$record/libcuda.so.1"
ln -sf "$(readlink -f "$build/lib/libsoftwarp-jit.so")" "$record/libsoftwarp-jit.so"
cc -O2 -fPIC -shared -I"$build/stage/event" -I"$build/stage/base" -I"$build/stage/model/access" -I"$build/stage/arch" "$here/bench_recorder.c" \
    -o "$record/libsoftwarp-tools.so" "$build/libsw_model_access.a" "$build/libsw_base.a"
alone="$build/bench/bench $here/kernels.ptx $here/kernels.cl --softwarp-only"
$pin "$build/bin/softwarp" run $alone "$@" > "$build/bench/run.txt"
$pin "$build/bin/softwarp" profile --set basic -o "$build/bench/report.txt" $alone "$@" > "$build/bench/count.txt"
SOFTWARP_SESSION=$record LD_LIBRARY_PATH=$record $pin $alone "$@" > "$build/bench/record.txt"
$pin "$build/bin/softwarp" profile -o "$build/bench/report.txt" $alone "$@" > "$build/bench/caches.txt"
paste "$build/bench/run.txt" "$build/bench/count.txt" "$build/bench/record.txt" "$build/bench/caches.txt" | awk -F'\t' '
    function last(text, parts) { return parts[split(text, parts, / +/)] }
    NR == 1 { printf "%-18s %9s %9s %9s %9s\n", "", "run", "counting", "recording", "caches"; next }
    { a = last($1); printf "%-18s %9.2f", substr($1, 1, 18), a
      for (i = 2; i <= 4; i++) { r = last($i) / a; sum[i] += log(r); printf " %9.2f", r }
      k++; print "" }
    END { printf "geometric mean     %9s %9.2f %9.2f %9.2f\n", "", exp(sum[2] / k), exp(sum[3] / k), exp(sum[4] / k) }'
