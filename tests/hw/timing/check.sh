#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check.sh BUILD FIRST STEP MOST   Predict every STEP-th launch of timing.def from FIRST on, and compare with what an H200 took: fails when
# the mean error is above MOST per cent.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$build/bin/softwarp" profile --device h200 --metrics gpu__time_duration.sum --csv --page raw -o "$work/ours.csv" \
    "$build/tests/hw_memory" "$here/timing.ptx" timing "$2" 100000 "$3"
python3 - "$here/h200/timing.csv" "$work/ours.csv" "$2" "$3" "$4" << 'END'
import csv
import sys

TIME = "gpu__time_duration.sum"
want, ours = ([r for r in csv.DictReader(open(path)) if r["ID"]] for path in sys.argv[1:3])
first, step, most = int(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5])
errors = []
for i, row in enumerate(ours):
    real = want[first + i * step]
    if row["Kernel Name"].split("(")[0] != real["Kernel Name"].split("(")[0]:
        raise SystemExit("launch %d: recorded %s, ours %s" % (first + i * step, real["Kernel Name"], row["Kernel Name"]))
    a, b = float(row[TIME].replace(",", "")), float(real[TIME])
    errors.append(100 * abs(a - b) / b)
    print("launch %d %s: %.0f ns, the GPU took %.0f (%+.1f %%)" % (first + i * step, real["Kernel Name"], a, b, 100 * (a - b) / b))
mean = sum(errors) / len(errors)
print("mean error %.1f %% of %d launches; %.1f allowed" % (mean, len(errors), most))
if len(errors) < 10 or mean > most:
    raise SystemExit(1)
END
