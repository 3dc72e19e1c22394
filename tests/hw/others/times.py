#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: tests/hw/others/times.py BUILD TSV [all]   Predicted times of other people's kernels beside recorded ones.

HECBENCH: the folder src of HeCBench (SECONDS_EACH: a program longer than that, 600, is left), whose programs were built for the recorded GPU (make ARCH=sm_90
EXTRA_CFLAGS="-cudart shared" in NAME-cuda). TSV: h100.tsv beside this file. Without HECBENCH it says so and
leaves with 77. Launches of a kernel with one grid and block are taken together. Prints the errors of all and
the worst ones; with `all` each. Where the table says that it has halves, the errors of both, and kernels of the
half that may be looked at alone: programs whose name's SHA-256 ends with an even digit."""
import csv
import hashlib
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


def predicted(build, program, arguments, device, launches):
    """{(kernel, grid, block): [ns of each launch]}, of the launches that were recorded where the table is of a few"""
    folder = os.path.join(os.environ["HECBENCH"], program + "-cuda")
    command = [os.path.abspath(build) + "/bin/softwarp", "profile", "--device", device, "--csv"]
    command += ["--kernel-id", ":::1|4", "-c", str(launches), "--kill", "yes"] if launches else ["-c", "200"]
    command += ["--metrics", "gpu__time_duration.sum", "-o", "/dev/stderr", "./main"] + arguments.split()
    command = ["timeout", os.environ.get("SECONDS_EACH", "600")] + command
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


def may_be_looked_at(program):
    return int(hashlib.sha256(program.encode()).hexdigest()[-1], 16) % 2 == 0


def report(title, rows):
    errors = sorted(abs(row[0] - 1) for row in rows)
    if errors:
        print("%s: %d kernels of %d programs: error median %.1f %%, mean %.1f %%, 90th percentile %.1f %%; %d within 10 %%, %d within 25 %%" %
              (title, len(rows), len({row[1] for row in rows}), 100 * statistics.median(errors), 100 * statistics.mean(errors),
               100 * errors[int(0.9 * (len(errors) - 1))], sum(e <= 0.1 for e in errors), sum(e <= 0.25 for e in errors)))


def main():
    build, table = sys.argv[1:3]
    if "HECBENCH" not in os.environ:
        print("set HECBENCH to the folder of the programs")
        return 77
    device = os.path.basename(table).split(".")[0]
    recorded = [line.rstrip("\n").split("\t") for line in open(table) if not line.startswith("#")]
    made, rows = {}, []
    has_halves = any(line.startswith("# halves:") for line in open(table)) # and the first and the fourth launches
    launches = {}
    for row in recorded:
        launches[row[0]] = launches.get(row[0], 0) + (int(row[5]) if has_halves else 0)
    for program, arguments, kernel, grid, block, _, ns in recorded:
        if program not in made:
            made[program] = predicted(build, program, arguments, device, launches[program])
        found = made[program].get((kernel, grid, block))
        if not found:
            print("no prediction: %s %s %s %s" % (program, kernel, grid, block))
            continue
        rows.append((statistics.mean(found) / float(ns), program, kernel, grid, block, float(ns)))
    shown = [row for row in rows if not has_halves or may_be_looked_at(row[1])]
    report("may be looked at" if has_halves else "all", shown)
    if has_halves:
        report("only reported", [row for row in rows if not may_be_looked_at(row[1])])
    shown.sort(key=lambda row: -abs(row[0] - 1))
    for row in shown if sys.argv[3:] else shown[:12]:
        print("%5.2f of %9.1f us: %s %s %s x %s" % (row[0], row[5] / 1e3, *row[1:5]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
