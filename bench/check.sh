#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: bench/check.sh BUILD [-n ROUNDS] [bench options]   What `softwarp check` costs: each kernel of the benchmark under `run`
# and under four choices of tools, which take turns ROUNDS (default 3) times, on one CPU and one host thread. Prints medians:
# ms under `run`, then times as long; and the largest memory of the whole process as times that under `run`.
set -eu
build=$(cd "$1" && pwd)
shift
rounds=3
if [ "${1:-}" = -n ]; then rounds=$2 && shift 2; fi
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$build/bench"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clang-19 -std=gnu17 -O3 -march=native -c "$here/bench_native.c" -o "$work/native.o"
clang-19 -std=gnu17 -O2 -I"$here/../cuda/include" "$here/bench.c" "$work/native.o" -o "$build/bench/bench" \
    "$build/lib/libcuda.so.1" -lOpenCL -lm -Wl,-rpath,"$build/lib"
export SOFTWARP_THREADS=1
cpu=$(taskset -cp $$ | sed 's/.*[ ,-]//')
grep -m1 'model name' /proc/cpuinfo | cut -d: -f2
round=0
while [ $round -lt "$rounds" ]; do
    for tools in run memcheck memcheck,initcheck memcheck,initcheck,shared memcheck,initcheck,racecheck; do
        case $tools in
        run) command=run ;;
        *shared) command="check --tool memcheck,initcheck,racecheck --racecheck-memory shared -o $work/report" ;;
        *) command="check --tool $tools -o $work/report" ;;
        esac
        # shellcheck disable=SC2086 # several words
        taskset -c "$cpu" python3 - "$work/$tools" "$build/bin/softwarp" $command "$build/bench/bench" "$here/kernels.ptx" - \
            --softwarp-only -r 1 "$@" << 'END'
import resource, subprocess, sys
with open(sys.argv[1], "a") as rows:
    code = subprocess.run(sys.argv[2:], stdout=rows).returncode
    kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"memory {kilobytes / 1024:28.2f}", file=rows)
if code: sys.exit(f"{sys.argv[1]} ended with {code}")
END
    done
    round=$((round + 1))
done
python3 - "$work" << 'END'
import math, statistics, sys
TOOLS = ["run", "memcheck", "memcheck,initcheck", "memcheck,initcheck,shared", "memcheck,initcheck,racecheck"]
times = {}
for tools in TOOLS:
    for line in open(f"{sys.argv[1]}/{tools}"):
        name, value = line.rsplit(None, 1)
        if name.strip() != "median ms": times.setdefault(name.strip(), {}).setdefault(tools, []).append(float(value))
print(f"{'':18} {'run':>9} {'memcheck':>9} {'initcheck':>9} {'shared':>9} {'racecheck':>9}     each with those before it")
logs = []
for name, row in times.items():
    first, *rest = (statistics.median(row[tools]) for tools in TOOLS)
    ratios = [value / first for value in rest]
    if name != "memory": logs.append([math.log(r) for r in ratios])
    if name == "memory": continue
    print(f"{name:18} {first:9.2f}" + "".join(f" {r:9.2f}" for r in ratios))
print(f"{'geometric mean':18} {'':9}" + "".join(f" {math.exp(statistics.mean(c)):9.2f}" for c in zip(*logs)))
first, *rest = (statistics.median(times["memory"][tools]) for tools in TOOLS)
print(f"{'memory, MiB':18} {first:9.0f}" + "".join(f" {value / first:9.2f}" for value in rest))
END
