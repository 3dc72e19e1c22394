#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Accesses of matrix loads and stores, as ncu counts them: tables of `--csv --page raw`, from ncu or from softwarp profile.

usage: counters.py reduce TABLE... > COUNTERS        kernel and metrics of each launch, without the rest of the table
       counters.py compare COUNTERS TABLE...         every launch of the tables equals the recorded one of that kernel"""
import collections
import csv
import sys

METRICS = (
    ["l1tex__t_%s_pipe_lsu_mem_global_op_%s.sum" % (what, op) for op in ("ld", "st") for what in ("requests", "sectors")]
    + ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_%s.sum" % op for op in ("ld", "st")]
    + ["memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal"]
    + ["memory_l2_theoretical_sectors_global", "memory_l2_theoretical_sectors_global_ideal"]
)


def launches(path):
    with open(path, newline="") as file:
        lines = [line for line in file if line.startswith('"')]
    for row in csv.DictReader(lines):
        if row["ID"] == "" or row["Kernel Name"].startswith("movmatrix"):  # units; its only load is dead on a GPU
            continue
        yield row["Kernel Name"].split("(")[0], [int(float(row[m].replace(",", ""))) for m in METRICS]


def read(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return [(row[0], [int(x) for x in row[1:]]) for row in rows[1:]]


def main():
    if sys.argv[1] == "reduce":
        print(",".join(["kernel"] + METRICS))
        for path in sys.argv[2:]:
            for kernel, values in launches(path):
                print(",".join([kernel] + [str(v) for v in values]))
        return 0
    recorded = collections.defaultdict(list)
    for kernel, values in read(sys.argv[2]):
        recorded[kernel].append(values)
    seen, failed = collections.Counter(), 0
    for path in sys.argv[3:]:
        for kernel, values in launches(path):
            want = recorded[kernel][seen[kernel]]
            seen[kernel] += 1
            for metric, w, g in zip(METRICS, want, values):
                if w != g:
                    failed += 1
                    print(f"FAIL {kernel}, {metric}: {g}, the GPU has {w}")
    total = sum(seen.values())
    print(f"{total} of {sum(map(len, recorded.values()))} recorded launches, {len(METRICS)} metrics each, {failed} differ")
    return failed != 0 or total == 0


sys.exit(main())
