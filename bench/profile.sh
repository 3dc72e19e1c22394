#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: bench/profile.sh BUILD [ROUNDS [bench options]]   What `softwarp profile` costs beside `run`: counting alone
# (--set basic); with caches and time, in launches that repeat the one before them; and in launches of which the model plays
# each (warm caches: --cache-control none), as it does a kernel's first; and how many warp instructions a second it simulates
# in detail (--sample 1).
# One host thread on one CPU. The four take turns, so that a slow moment hits all; CPU time, medians of ROUNDS (5).
set -eu
build=$(cd "$1" && pwd)
rounds=${2:-5}
[ $# -lt 2 ] && shift || shift 2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/alone.sh" "$build"
export SOFTWARP_THREADS=1
cpu=$(taskset -cp $$ | sed 's/.*[ ,-]//')
alone="$build/bench/alone $here/kernels.ptx $here/kernels.cl --softwarp-only"
softwarp="taskset -c $cpu $build/bin/softwarp"

grep -m1 'model name' /proc/cpuinfo | cut -d: -f2
$softwarp run $alone -r 1 "$@" > /dev/null # compiled before it is measured
for round in $(seq "$rounds"); do
    $softwarp run $alone -r 3 "$@" | sed 's/^/run\t/'
    $softwarp profile --set basic -o "$work/report" $alone -r 3 "$@" | sed 's/^/count\t/'
    $softwarp profile -o "$work/report" $alone -r 3 "$@" | sed 's/^/repeated\t/'
    $softwarp profile --cache-control none -o "$work/report" $alone -r 3 "$@" | sed 's/^/played\t/'
done | grep -v 'median ms' > "$work/times"

# DRAM's sectors are asked for so that caches are modelled. The bench launches each row's kernel twice; the report has the instructions of each launch, in the same order.
$softwarp profile --sample 1 --cache-control none --metrics smsp__inst_executed.sum,dram__sectors_read.sum --csv --page raw -o "$work/detailed.csv" \
    $alone -r 1 "$@" | grep -v 'median ms' > "$work/detailed"
python3 - "$work" << 'EOF'
import csv, math, statistics, sys
work, ms, order = sys.argv[1], {}, []
for line in open(work + "/times"):
    mode, row = line.rstrip("\n").split("\t", 1)
    name, value = row[:18].strip(), float(row[18:])
    if name not in order: order.append(name)
    ms.setdefault((mode, name), []).append(value)
table = list(csv.reader(open(work + "/detailed.csv")))
column = table[0].index("smsp__inst_executed.sum")
instrs = [float(r[column].replace(",", "")) for r in table[2:]][1::2]
detailed = [(r[:18].strip(), float(r[18:])) for r in open(work + "/detailed")]
rate = {name: n / t / 1e3 for (name, t), n in zip(detailed, instrs)}
print("%-18s %9s %9s %9s %9s %22s" % ("", "run, ms", "counting", "repeated", "played", "detailed, million/s"))
logs = {"count": [], "repeated": [], "played": []}
for name in order:
    run = statistics.median(ms["run", name])
    ratio = {m: statistics.median(ms[m, name]) / run for m in logs}
    for m in logs: logs[m].append(math.log(ratio[m]))
    print("%-18s %9.2f %9.2f %9.2f %9.2f %22.1f" % (name, run, *(ratio[m] for m in logs), rate[name]))
mean = {m: math.exp(statistics.mean(v)) for m, v in logs.items()}
least = min(rate.values())
print("%-18s %9s %9.2f %9.2f %9.2f %22.1f" % ("geometric mean", "", *mean.values(),
                                              math.exp(statistics.mean(map(math.log, rate.values())))))
print("detailed: warp instructions a second of one host thread with every multiprocessor in detail; least: %.1f million" % least)
EOF
