#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: bench/threads.sh BUILD [THREADS...]   The kernels of bench.c with 1, 2, 4, ... host threads (as many as there are
# processors): milliseconds that pass, and what part of one thread's speed each thread has; the same under `softwarp profile`; and
# what the machine does itself (machine.c). Every number of threads is measured in each of ROUNDS (3) rounds; the fastest counts.
# It compiles what it runs only where that is missing, so BUILD/bench can be taken to a machine without a compiler.
set -eu
build=$(cd "$1" && pwd)
shift
here=$(cd "$(dirname "$0")" && pwd)
if [ $# = 0 ]; then
    n=1
    while [ "$n" -lt "$(nproc)" ]; do set -- "$@" $n && n=$((2 * n)); done
    set -- "$@" "$(nproc)"
fi
"$here/alone.sh" "$build"
[ -x "$build/bench/machine" ] || clang-19 -std=gnu17 -O2 -mavx2 -mfma -pthread "$here/machine.c" -o "$build/bench/machine"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
alone="$build/bench/alone $here/kernels.ptx $here/kernels.cl --softwarp-only --wall -r 5"
grep -m1 'model name' /proc/cpuinfo | cut -d: -f2
"$build/bin/softwarp" run $alone > /dev/null # compiled before it is measured
"$build/bin/softwarp" profile -o "$work/report" $alone > /dev/null
for round in $(seq "${ROUNDS:-3}"); do
    for threads; do
        export SOFTWARP_THREADS=$threads
        "$build/bin/softwarp" run $alone | sed "s/^/run\t$threads\t/"
        "$build/bin/softwarp" profile -o "$work/report" $alone | sed "s/^/profile\t$threads\t/"
        "$build/bench/machine" "$threads" | sed "s/^/machine\t/"
    done
done | grep -v 'median ms' > "$work/times"
python3 - "$work/times" << 'EOF'
import collections, math, sys
ms, order, rate = {}, [], collections.defaultdict(lambda: [0, 0, 0])
for line in open(sys.argv[1]):
    mode, threads, rest = line.rstrip("\n").split("\t", 2)
    threads = int(threads)
    if mode == "machine":
        rate[threads] = [max(a, float(b)) for a, b in zip(rate[threads], rest.split("\t"))]
        continue
    name, value = rest[:18].strip(), float(rest[18:])
    if name not in order: order.append(name)
    ms[mode, name, threads] = min(value, ms.get((mode, name, threads), 1e9))
counts = sorted(rate)
print("vector add in C, GB/s by threads, plain and streaming stores: " + ", ".join("%d: %.0f, %.0f" % (n, *rate[n][:2]) for n in counts))
print("arithmetic in C, speed a thread: " + ", ".join("%d: %.2f" % (n, rate[n][2] / n / rate[counts[0]][2] * counts[0]) for n in counts))
if ("run", "vadd, 64 MiB", 1) in ms:
    print("vadd, 64 MiB, GB/s by threads: " + ", ".join("%d: %.0f" % (n, 12 * (16 << 20) / ms["run", "vadd, 64 MiB", n] / 1e6) for n in counts))
for mode in "run", "profile":
    print("\n%-18s" % mode + "".join("%9d" % n for n in counts) + "   speed a thread" + "".join("%6d" % n for n in counts[1:]))
    logs = collections.defaultdict(list)
    for name in order:
        one = ms[mode, name, counts[0]]
        parts = [one * counts[0] / ms[mode, name, n] / n for n in counts[1:]]
        for n, part in zip(counts[1:], parts): logs[n].append(math.log(part))
        print("%-18s" % name + "".join("%9.2f" % ms[mode, name, n] for n in counts) + " " * 17 + "".join("%6.2f" % p for p in parts))
    print("%-18s" % "geometric mean" + " " * (9 * len(counts) + 17) + "".join("%6.2f" % math.exp(sum(logs[n]) / len(logs[n])) for n in counts[1:]))
EOF
