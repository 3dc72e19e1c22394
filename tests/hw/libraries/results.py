#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a library of Softwarp's computes against what a GPU's did. usage: results.py ALLOWED RECORDED OURS [--table]

RECORDED and OURS are outputs of LIBRARY_results.cu: one line a call: "NAME [ARGUMENTS] STATUS NORM ELEMENT...". Status must be
equal, numbers as near as ALLOWED says (cublas.allowed). --table: the largest difference of each function."""
import sys


def limits(path):
    lines = [line.rstrip("\n") for line in open(path) if not line.startswith("#")]
    return [(line.split("\t")[0], float(line.split("\t")[1])) for line in lines]


def read(path):
    calls = []
    for line in open(path):
        head, rest = line.rstrip("\n").split("] ", 1)
        words = rest.split()
        calls.append((head + "]", int(words[0]), [float(w) for w in words[1:]]))
    return calls


ALLOWED, recorded, ours = limits(sys.argv[1]), read(sys.argv[2]), read(sys.argv[3])
failed, worst = 0, {}
if [c[0] for c in recorded] != [c[0] for c in ours]:
    sys.exit("not the same calls: record.sh and this build differ")
for (call, status, theirs), (_, our_status, numbers) in zip(recorded, ours):
    allowed = next(limit for prefix, limit in ALLOWED if call.startswith(prefix))
    norm = max(abs(theirs[0]), 1e-30)
    error = max(abs(a - b) for a, b in zip(theirs, numbers)) / norm
    if status != our_status or not error <= allowed:
        print("%s: status %d, recorded %d; differs by %.2g of the norm" % (call, our_status, status, error))
        failed += 1
    name = call.split(" ")[0]
    if error >= worst.get(name, (-1,))[0]:
        worst[name] = (error, call)
if "--table" in sys.argv:
    for name, (error, call) in sorted(worst.items(), key=lambda item: -item[1][0]):
        print("%-24s %.1e %s" % (name, error, call))
print("%d calls, %d differ" % (len(recorded), failed))
sys.exit(failed > 0)
