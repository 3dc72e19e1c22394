#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check.sh BUILD FIRST STEP MOST INSTRUCTIONS TENTH   Predict every STEP-th launch of timing.def from FIRST on, and compare with what an
# H200 took: fails when the mean error of the time is above MOST per cent, or that of the executed instructions above INSTRUCTIONS, or one launch
# in ten is further off than TENTH. Each limit is the error last measured and a margin: 8.8+0.5.
set -eu
build=$(cd "$1" && pwd)
. "$(dirname "$0")/../../support/script.sh"
"$build/tests/hw_time" options "$work"
LD_LIBRARY_PATH="$build/lib" SOFTWARP_SESSION="$work" SOFTWARP_DEVICE="$here/../../../gpus/h200.ini" \
    "$build/tests/hw_memory" "$here/timing.ptx" timing "$2" 100000 "$3"
"$build/tests/hw_time" predict "$work" "$here/../../../gpus/h200.ini" > "$work/ours"
python3 - "$here/h200/timing.csv" "$work/ours" "$2" "$3" "$4" "$5" "$6" << 'END'
import csv
import sys

want = [r for r in csv.DictReader(open(sys.argv[1])) if r["ID"]]
ours = [line.split() for line in open(sys.argv[2])]
first, step = int(sys.argv[3]), int(sys.argv[4])
most, most_instructions, most_tenth = (sum(map(float, x.split("+"))) for x in sys.argv[5:8])
times, counts = [], []
for i, row in enumerate(ours):
    real = want[first + i * step]
    if row[0] != real["Kernel Name"].split("(")[0]:
        raise SystemExit("launch %d: recorded %s, ours %s" % (first + i * step, real["Kernel Name"], row[0]))
    pairs = ((float(row[1]), float(real["gpu__time_duration.sum"])), (float(row[4]), float(real["smsp__inst_executed.sum"])))
    off = [100 * (a - b) / b for a, b in pairs]
    times.append(abs(off[0]))
    counts.append(abs(off[1]))
    print("launch %d %s: %.0f ns, the GPU took %.0f (%+.1f %%); %.0f instructions, it executed %.0f (%+.1f %%)" % (
        (first + i * step, row[0]) + pairs[0] + (off[0],) + pairs[1] + (off[1],)))
mean, mean_counts, tenth = sum(times) / len(times), sum(counts) / len(counts), sorted(counts)[len(counts) * 9 // 10]
print("time: mean error %.1f %% of %d launches; %.1f allowed" % (mean, len(times), most))
print("instructions: mean error %.1f %%; %.1f allowed; 90th percentile %.1f %%; %.1f allowed" % (mean_counts, most_instructions, tenth, most_tenth))
if len(times) < 10 or mean > most or mean_counts > most_instructions or tenth > most_tenth:
    raise SystemExit(1)
END
