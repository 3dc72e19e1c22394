#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Curves of section [time] of gpus/NAME.ini from what copies.cu printed on a GPU (record_copies.sh).

Used are the sizes of even place in each kind's list, in the median of the recordings; those of odd place are left to
report the error (time.py). From the time between two events goes what the host takes between the copy's begin and the
second event. Points are added where the line is worst, until it is within 2 % or there are eight.

usage: fit_copies.py copies-1.csv copies-2.csv copies-3.csv, or peer-1.csv peer-2.csv
"""
import csv
import statistics
import sys

COPY, FILL, LAUNCH, RECORD, SUBMIT = 1200, 770, 3200, 900, 1900  # arch_time.def
KERNEL = 1600 + 600  # a short kernel and what it waits for
PEER_COPY = 1500  # call_copy_ns of gpus/h100.ini
PEER_WAIT = 7300  # from_peer_enabled less to_peer_enabled, sizes of even place
SHARED = 2 << 20  # driver_managed.c
FAULTS = {65536: 1, 1048576: 5}  # of the host, going up: driver_managed_host.c
STAGED = 65536  # above, the host waits for a copy from or to pageable memory: timing/
KINDS = {"h2d_pinned": ("copy", "h2d_pinned"), "d2h_pinned": ("copy", "d2h_pinned"), "d2d": ("copy", "d2d"),
         "h2d_pageable": ("copy", "h2d_pageable"), "d2h_pageable": ("copy", "d2h_pageable"),
         "d2d_rows": ("copy2d", "d2d"), "fill": ("memset", "memset8"), "fault": ("managed", "fault_read"), "fault_write": ("managed", "fault_write"), "prefetch_in": ("managed", "prefetch_in"),
         "prefetch_out": ("managed", "prefetch_out"), "fault_first": ("managed", "first_touch"), "peer": ("peer", "to_peer_enabled"),
         "peer_staged": ("peer", "from_peer_staged")}


def host_ns(name, size):
    if name.endswith("pageable"):
        waits = name.startswith("d2h") or size > STAGED
        return COPY + (RECORD + SUBMIT if waits else 0)
    return {"peer": PEER_COPY, "peer_staged": PEER_COPY + PEER_WAIT, "fill": FILL, "fault": LAUNCH + KERNEL, "fault_write": LAUNCH + KERNEL, "fault_first": LAUNCH + KERNEL}.get(name, COPY)


def points_of(files, group, case):
    """[(bytes, ns between the events)], the median of the recordings; of copies by rows, of those of even place alone."""
    found = {}
    for path in files:
        for row in csv.DictReader(open(path)):
            if (row["group"], row["case"]) == (group, case):
                us = float(row["event_us"])
                found.setdefault((int(row["bytes"]), int(row["n"])), []).append(1000 * us)
    cases = sorted((size, n, statistics.median(times)) for (size, n), times in found.items())
    if group == "copy2d":
        cases = cases[0::2]
    if case == "first_touch":  # smaller blocks share pages that the device has
        cases = [case for case in cases if case[0] > SHARED][0::2]
    by_size = {}
    for size, _, ns in cases:
        by_size.setdefault(size, []).append(ns)
    return [(size, statistics.mean(times)) for size, times in by_size.items()]


def at(knots, size):
    low = max([i for i in range(len(knots) - 1) if knots[i][0] <= size], default=0)
    (x0, y0), (x1, y1) = knots[low], knots[low + 1]
    return y0 + (y1 - y0) * (size - x0) / (x1 - x0)


def curve(points):
    knots = [points[0], points[-1]]
    while len(knots) < 8:
        worst = max(points, key=lambda p: abs(at(knots, p[0]) / p[1] - 1))
        if abs(at(knots, worst[0]) / worst[1] - 1) < 0.02:
            break
        knots = sorted(knots + [worst])
    return knots


def host_fault(files):
    """What a fault of the host takes, by what it brings: of 64 KiB and 1 MiB, every fourth size that was recorded from the first on."""
    found = {}
    for path in files:
        for row in csv.DictReader(open(path)):
            if row["case"] == "host_read" and int(row["bytes"]) in FAULTS:
                found.setdefault(int(row["bytes"]), []).append(1000 * float(row["host_us"]))
    if not found:
        return
    (n, a), (m, b) = [(size, statistics.median(times)) for size, times in sorted(found.items())]
    ns_byte = (b / FAULTS[m] - a / FAULTS[n]) / (m / FAULTS[m] - n / FAULTS[n])
    each = a / FAULTS[n] - ns_byte * n / FAULTS[n]
    print("host_fault =", " ".join(f"{size}:{round(each + ns_byte * size)}" for size in (n, m)))


def main():
    host_fault(sys.argv[1:])
    for name, (group, case) in KINDS.items():
        points = [(size, max(ns - host_ns(name, size), 100)) for size, ns in points_of(sys.argv[1:], group, case)]
        if not points:
            continue
        used = points if len(points) < 12 else points[0::2]
        print(name, "=", " ".join(f"{size}:{round(ns)}" for size, ns in curve(used)))


main()
