#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: check.py RECORDED OURS DIFFERENCES    Compares what forms.sh printed on a GPU and here. Cases that DIFFERENCES names must
differ. The exit status is 1 when another differs, one of those does not, or one is missing."""
import sys


def cases(path):
    """{"form kernel": [(threads, result), ...]}"""
    read = {}
    for line in open(path, encoding="utf-8"):
        case, result = line.rstrip("\n").split(": ", 1)
        name, threads = case.rsplit(" ", 1)
        read.setdefault(name, []).append((threads, result))
    return read


recorded, ours = cases(sys.argv[1]), cases(sys.argv[2])
listed = {line.strip() for line in open(sys.argv[3], encoding="utf-8") if line[0] != "#"}
faults = 0
for name in sorted(recorded.keys() | ours.keys() | listed):
    gpu, here = recorded.get(name), ours.get(name)
    if (gpu == here) != (name in listed) and gpu and here:
        continue
    faults += 1
    print("%s: the GPU gave %s\n    here %s%s" % (name, gpu, here, " (listed as different)" if name in listed else ""))
print("%d of %d cases as on the GPU, %d listed as different, %d faults" % (
    len(recorded) - len(listed) - faults, len(recorded), len(listed), faults))
sys.exit(faults != 0 or not recorded)
