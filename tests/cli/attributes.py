#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The device__attribute_ columns of a raw page against those that ncu printed on the same GPU.
usage: attributes.py RAW.csv ATTRIBUTES.tsv DIFFERENCES.txt    DIFFERENCES: lines "name reason"
Every column of ncu's must be there; a cell is equal, empty (not known), or named with a reason."""
import csv
import sys

rows = list(csv.reader(open(sys.argv[1], newline="")))
ours = dict(zip(rows[0], rows[2]))
known = dict(line.strip().split(" ", 1) for line in open(sys.argv[3]) if line.strip() and line[0] != "#")
bad = equal = 0
for line in open(sys.argv[2]):
    if line.startswith("#"):
        continue
    name, want = line.rstrip("\n").split("\t")
    if name not in ours:
        bad += 1
        print("no column", name)
        continue
    got = ours[name]
    differs = got not in ("", want)
    if differs != (name in known):
        bad += 1
        print("%s is '%s', ncu has '%s'%s" % (name, got, want, "" if differs else ": no longer a difference"))
    equal += got == want
print("%d attributes equal, %d empty or named" % (equal, len(list(open(sys.argv[2]))) - 2 - equal))
sys.exit(bad > 0)
