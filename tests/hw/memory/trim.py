#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keep of an `ncu --csv --page raw` table what was asked for: usage: trim.py METRICS < TABLE > TABLE
METRICS: names with commas. The row of units stays; ids count on from 0."""
import csv
import sys

rows = list(csv.reader(sys.stdin))
header = rows[0]
keep = [i for i, name in enumerate(header) if name in ("ID", "Kernel Name", "Block Size", "Grid Size") or name in sys.argv[1].split(",")]
out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow([header[i] for i in keep])
out.writerow([rows[1][i] for i in keep])
for number, row in enumerate(rows[2:]):
    row[0] = str(number)
    out.writerow([row[i].replace(",", "") if header[i] not in ("Block Size", "Grid Size", "Kernel Name") else row[i] for i in keep])
