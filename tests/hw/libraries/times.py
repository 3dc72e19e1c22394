#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times of calls of libraries (LIBRARY_times.cu), on a GPU and by Softwarp's model.

usage: times.py gather OUTPUT           what ncu printed of the program: a line a call: name, shape, ns, kernels
       times.py compare TSV PROFILE     TSV against what softwarp profile --csv --page raw printed of the same program

A call's time is the sum of the kernels between two kernels `mark`, without the program's own (`setup...`). compare: error of each call, and of halves: calls of even
place chose parameters of timing_routine.c, those of odd place did not."""
import csv
import statistics
import sys


def read(path):
    """The program's own lines, and (kernel, ns) of each launch."""
    own, table = [], []
    for line in open(path, errors="replace"):
        line = line.rstrip("\n")
        if line.startswith('"'):
            table.append(line)
        elif line.count("\t") == 2:
            own.append(line.split("\t"))
    rows = list(csv.reader(table))
    name, time = rows[0].index("Kernel Name"), rows[0].index("gpu__time_duration.sum")
    return own, [(r[name].split("(")[0], float(r[time].replace(",", "") or 0)) for r in rows[2:]]


def calls(launches):
    """Of each mark: the kernels up to the next one."""
    out = []
    for name, ns in launches:
        if name.split("::")[-1].startswith("mark"):
            out.append([])
        elif out and not name.startswith("setup"):
            out[-1].append((name, ns))
    return out


def gather(path):
    own, launches = read(path)
    for (name, shape, status), kernels in zip(own, calls(launches)):
        total = sum(ns for _, ns in kernels)
        print("\t".join([name, shape, status, "%.0f" % total, " ".join(n.replace(" ", "") for n, _ in kernels)]))


def summary(title, errors):
    size = sorted(abs(e) for e in errors)
    print("%-14s %4d calls: mean %.1f %%, median %.1f %%, 90th percentile %.1f %%" %
          (title, len(size), 100 * statistics.mean(size), 100 * statistics.median(size), 100 * size[int(0.9 * (len(size) - 1))]))


def compare(recorded, profile):
    _, launches = read(profile)
    ours = [sum(ns for _, ns in k) for k in calls(launches)]
    even, odd = [], []
    for i, line in enumerate(open(recorded)):
        name, shape, status, ns, kernels = line.rstrip("\n").split("\t")
        if not float(ns) or not ours[i]:
            continue
        error = ours[i] / float(ns) - 1
        (odd if i % 2 else even).append(error)
        print("%-6s %-26s %10.1f us %10.1f us %7.2f" % (name, shape, float(ns) / 1e3, ours[i] / 1e3, 1 + error))
    summary("fitted", even)
    summary("not fitted", odd)


if __name__ == "__main__":
    if sys.argv[1] == "gather":
        gather(sys.argv[2])
    else:
        compare(sys.argv[2], sys.argv[3])
