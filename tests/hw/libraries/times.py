#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times of calls of libraries (LIBRARY_times.cu), on a GPU and by Softwarp's model.

usage: times.py gather OUTPUT           what ncu printed of the program: a line a call: name, shape, ns, kernels
       times.py compare TSV PROFILE     TSV against what softwarp profile --csv --page raw printed of the same program
       times.py routines TSV            standard input, what a program printed with routines.c: a line a call, as test_timing_recorded.c reads it

Calls of the program that TSV has not are left out. A call's time is the sum of the kernels between two kernels `mark`, without the program's own (`setup...`). compare: error of each call, and of halves: one chose
parameters of the models in src/timing, the other did not. Of BY_CHECKSUM's the calls of each name, sorted by the CRC-32 of name and shape, are of
one half and the other in turn; of the others those of even place are the fitted half."""
import csv
import os
import statistics
import sys
import zlib

BY_CHECKSUM = ("cublas", "cublaslt", "cusolver", "cusparse")


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


def halves(recorded):
    """Of each line: 0 where it is of the half that was fitted, else 1."""
    lines = [line.split("\t")[:2] for line in open(recorded)]
    if os.path.basename(recorded).split("-")[0] not in BY_CHECKSUM:
        return [i % 2 for i in range(len(lines))]
    groups = {}
    for i, line in enumerate(lines):
        groups.setdefault(line[0], []).append((zlib.crc32("\t".join(line).encode()), i))
    return [half for _, half in sorted((i, k % 2) for group in groups.values() for k, (_, i) in enumerate(sorted(group)))]


def routines(recorded):
    """A line a call: its half, the recorded ns, and the numbers of the last routine that the library queued for it."""
    found, last = {}, ""
    for line in sys.stdin:
        if line.startswith("R "):
            last = line[2:].rstrip()
        elif line.count("\t") == 2:
            found[tuple(line.split("\t")[:2])], last = last, ""
    for half, line in zip(halves(recorded), open(recorded)):
        fields = line.split("\t")
        print(half, fields[3], found.get((fields[0], fields[1]), ""))


def compare(recorded, profile):
    own, launches = read(profile)
    times = {(name, shape): sum(ns for _, ns in k) for (name, shape, _), k in zip(own, calls(launches))}
    half = halves(recorded)
    even, odd = [], []
    for i, line in enumerate(open(recorded)):
        name, shape, status, ns, kernels = line.rstrip("\n").split("\t")
        ours = times.get((name, shape), 0)
        if not float(ns) or not ours:
            continue
        error = ours / float(ns) - 1
        (odd if half[i] else even).append(error)
        print("%-6s %-26s %10.1f us %10.1f us %7.2f" % (name, shape, float(ns) / 1e3, ours / 1e3, 1 + error))
    summary("fitted", even)
    summary("not fitted", odd)


if __name__ == "__main__":
    if sys.argv[1] == "gather":
        gather(sys.argv[2])
    elif sys.argv[1] == "routines":
        routines(sys.argv[2])
    else:
        compare(sys.argv[2], sys.argv[3])
