#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads a raw page as scripts read ncu's: names in the first row, units in the second, a launch in each further row.
usage: read_raw.py FILE.csv METRIC...    prints one line a launch: kernel, grid, block, then the numbers"""
import csv
import sys

FIRST = ["ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream", "Block Size", "Grid Size",
         "Device", "CC"]

with open(sys.argv[1], newline="") as file:
    rows = list(csv.reader(line for line in file if not line.startswith("==")))
names, units, launches = rows[0], rows[1], rows[2:]
assert names[:len(FIRST)] == FIRST, names[:len(FIRST)]
assert len(units) == len(names) and not any(units[:len(FIRST)]), units
assert names[len(FIRST):] == sorted(names[len(FIRST):]), "metrics are not sorted by name"
for launch in launches:
    assert len(launch) == len(names)
    row = dict(zip(names, launch))
    values = [float(row[metric].replace(",", "")) for metric in sys.argv[2:]]
    print(row["Kernel Name"].split("(")[0], row["Grid Size"], row["Block Size"], *("%g" % value for value in values),
          *(units[names.index(metric)] for metric in sys.argv[2:]))
