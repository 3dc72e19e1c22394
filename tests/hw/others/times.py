#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: tests/hw/others/times.py BUILD TSV [all]   Predicted times of other people's kernels beside recorded ones.

HECBENCH: the folder src of HeCBench, whose programs were built for the recorded GPU (make ARCH=sm_90
EXTRA_CFLAGS="-cudart shared" in NAME-cuda). TSV: h100.tsv beside this file. Without HECBENCH it says so and
leaves with 77. Launches of a kernel with one grid and block are taken together. Prints the errors of all and
the worst ones; with `all` each."""
import csv
import io
import os
import re
import statistics
import subprocess
import sys

UNITS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def plain(kernel):
    """Without return type, arguments, namespaces and template parameters."""
    return re.sub(r"\(.*", "", re.sub(r"^void ", "", kernel)).split("<")[0].strip().split("::")[-1]


def predicted(build, program, arguments, device):
    """{(kernel, grid, block): [ns of each launch]}"""
    folder = os.path.join(os.environ["HECBENCH"], program + "-cuda")
    command = [os.path.abspath(build) + "/bin/softwarp", "profile", "--device", device, "-c", "200", "--csv"]
    command += ["--metrics", "gpu__time_duration.sum", "-o", "/dev/stderr", "./main"] + arguments.split()
    text = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          errors="replace").stderr
    times = {}
    for row in csv.DictReader(io.StringIO(text[max(text.find('"ID"'), 0):])):
        unit = UNITS.get(row.get("Metric Unit") or "")
        if not unit:
            continue
        key = (plain(row["Kernel Name"]), row["Grid Size"].replace(" ", ""), row["Block Size"].replace(" ", ""))
        times.setdefault(key, []).append(float(row["Metric Value"].replace(",", "")) * unit)
    return times


def main():
    build, table = sys.argv[1:3]
    if "HECBENCH" not in os.environ:
        print("set HECBENCH to the folder of the programs")
        return 77
    device = os.path.basename(table).split(".")[0]
    recorded = [line.rstrip("\n").split("\t") for line in open(table) if not line.startswith("#")]
    made, rows = {}, []
    for program, arguments, kernel, grid, block, launches, ns in recorded:
        if program not in made:
            made[program] = predicted(build, program, arguments, device)
        found = made[program].get((kernel, grid, block))
        if not found:
            print("no prediction: %s %s %s %s" % (program, kernel, grid, block))
            continue
        rows.append((statistics.mean(found) / float(ns), program, kernel, grid, block, float(ns)))
    errors = [abs(row[0] - 1) for row in rows]
    print("%d kernels of %d programs: error median %.1f %%, mean %.1f %%; %d within 10 %%, %d within 25 %%" %
          (len(rows), len(made), 100 * statistics.median(errors), 100 * statistics.mean(errors),
           sum(e <= 0.1 for e in errors), sum(e <= 0.25 for e in errors)))
    rows.sort(key=lambda row: -abs(row[0] - 1))
    for row in rows if sys.argv[3:] else rows[:12]:
        print("%5.2f of %9.1f us: %s %s %s x %s" % (row[0], row[5] / 1e3, *row[1:5]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
