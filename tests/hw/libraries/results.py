#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Softwarp's libcublas computes against what a GPU's did. usage: results.py RECORDED OURS [--table]

Both are outputs of cublas_results.cu: one line a call, with its status, the norm of the result and some elements. Status must
be equal, numbers as near as ALLOWED says, as a part of the norm: rounding of sums in another order. --table: the largest
difference of each function, for docs/libraries.md."""
import sys

# By what the call begins with, first match; the norm's share. Operands are multiples of 1/128, so that most sums are exact.
ALLOWED = [("GemmEx [2 2 64", 2e-4),  # sums of halves are rounded to halves by the GPU
           ("GemmStridedBatchedEx [2 2 64", 2e-4), ("Sge", 1e-5), ("Cge", 1e-5), ("SmatinvBatched", 1e-5), ("CmatinvBatched", 1e-5),
           ("Dot", 1e-6), ("D", 1e-12), ("Z", 1e-12), ("I", 0), ("", 1e-6)]


def read(path):
    calls = []
    for line in open(path):
        head, rest = line.rstrip("\n").split("] ", 1)
        words = rest.split()
        calls.append((head + "]", int(words[0]), [float(w) for w in words[1:]]))
    return calls


recorded, ours = read(sys.argv[1]), read(sys.argv[2])
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
