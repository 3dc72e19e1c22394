#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: compare.py RECORDED OURS   Digests of matrix_record: every line of OURS against the same form in RECORDED.

A digest is FIRST64 or FIRST64:ALL; ALL is compared when both lines have as many warps."""
import sys


def read(path):
    forms = {}
    for line in open(path):
        words = line.split()
        is_move = words[0].endswith("b16") and "matrix" in words[0]
        key = " ".join(words[: 2 if is_move else 1])
        rest = words[2 if is_move else 1:]
        forms[key] = rest if len(rest) == 1 else rest[1:], None if len(rest) == 1 else rest[0]
    return forms


def differing(ours, recorded):
    digests, warps = ours
    theirs, their_warps = recorded
    same_number = warps == their_warps
    pairs = [(a, b) if same_number else (a.split(":")[0], b.split(":")[0]) for a, b in zip(digests, theirs)]
    return [i for i, (a, b) in enumerate(pairs) if a != b] if len(digests) == len(theirs) else ["number of classes"]


def main():
    recorded, ours = read(sys.argv[1]), read(sys.argv[2])
    failed = 0
    for form, digests in ours.items():
        wrong = differing(digests, recorded[form]) if form in recorded else ["not recorded"]
        if wrong:
            failed += 1
            print(f"FAIL {form}: classes of inputs {wrong}")
    print(f"{len(ours)} of {len(recorded)} recorded forms, {failed} differ")
    return failed != 0 or not ours


sys.exit(main())
