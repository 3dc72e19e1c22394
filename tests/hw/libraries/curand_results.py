#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Softwarp's cuRAND generates against what a GPU's did.

usage: curand_results.py compact OUTPUT           what curand_results.cu printed: a recording, without most elements
       curand_results.py ALLOWED RECORDED OUTPUT [--table]

A recording has a line "= SETTINGS" for the calls under it: "FUNCTION COUNT STATUS HASH ELEMENT...", and lines of other results as they
are. Integers and uniform numbers have the hash of all their bits, which must be equal, normal and log-normal ones three elements as
well: each may differ by as much as ALLOWED says of what is above 1 (curand.allowed). Statuses are equal. --table: what was found."""
import sys

NORMAL = ("normal", "normal-double", "log-normal", "log-normal-double")
FUNCTIONS = NORMAL + ("bits", "uniform", "uniform-double", "poisson", "long-long")


def calls(path):
    """(settings, function and count, status, hash, elements) of each line; function None: a line of another form."""
    for line in open(path, errors="replace"):
        head, found, rest = line.rstrip("\n").partition(": ")
        words = head.split()
        if not found:
            continue
        if len(words) < 3 or words[-2] not in FUNCTIONS:
            yield head, None, rest, "", []
            continue
        status, mark, *elements = rest.split()
        elements = elements if words[-2] in NORMAL else []
        yield " ".join(words[:-2]), " ".join(words[-2:]), status, mark[:8], elements[:2] + elements[2:][-1:]


def compact(path):
    before = None
    for settings, function, status, mark, elements in calls(path):
        if function is None:
            print("%s: %s" % (settings, status))
            continue
        if settings != before:
            print("= " + settings)
        print(" ".join([function, status, mark] + elements))
        before = settings


def recorded(path):
    settings = ""
    for line in open(path):
        line = line.rstrip("\n")
        if line.startswith("= "):
            settings = line[2:]
        elif ": " in line:
            head, _, rest = line.partition(": ")
            yield head, None, rest, "", []
        else:
            name, count, status, mark, *elements = line.split()
            yield settings, name + " " + count, status, mark, elements


def limits(path):
    lines = [line.rstrip("\n").split("\t") for line in open(path) if not line.startswith("#")]
    return [(settings.split(), function, limit) for settings, function, limit in lines]


def allowed(table, settings, function):
    """The limit of the first line whose words begin the settings and whose function this is; *: any."""
    words, name = settings.split(), (function or "-").split()[0]
    for pattern, wanted, limit in table:
        if wanted in ("*", name) and len(words) >= len(pattern) and all(p in ("*", w) for p, w in zip(pattern, words)):
            return limit
    return "0"


def distance(theirs, ours):
    if len(theirs) != len(ours):
        return float("inf")
    return max((abs(float(a) - float(b)) / max(1, abs(float(a))) for a, b in zip(theirs, ours)), default=0.0)


def compare(table, recording, output, show):
    failed, count, found = 0, 0, {}
    ours = list(calls(output))
    theirs = list(recorded(recording))
    if [c[:2] for c in ours] != [c[:2] for c in theirs]:
        sys.exit("not the same calls: the recording and this program differ")
    for (settings, function, status, mark, elements), (_, _, our_status, our_mark, our_elements) in zip(theirs, ours):
        limit, near = allowed(table, settings, function), distance(elements, our_elements)
        equal = status == our_status and mark == our_mark
        good = equal or limit == "differs" or (status == our_status and bool(elements) and near <= float(limit))
        entry = found.setdefault((settings.split()[0], (function or "other").split()[0]), [0, 0, 0.0])
        entry[0] += 1
        entry[1] += equal
        if limit != "differs":
            entry[2] = max(entry[2], near)
        count += 1
        if not good:
            print("%s, %s: %s %s %s, recorded %s %s %s" % (settings, function, our_status, our_mark, our_elements, status, mark, elements))
            failed += 1
    for (generator, function), (calls_, equal, near) in found.items() if show else ():
        print("%-12s %-18s %4d calls, %4d equal in every bit, others within %.1e" % (generator, function, calls_, equal, near))
    print("%d calls, %d differ" % (count, failed))
    return failed > 0 or count == 0


if __name__ == "__main__":
    if sys.argv[1] == "compact":
        compact(sys.argv[2])
    else:
        sys.exit(compare(limits(sys.argv[1]), sys.argv[2], sys.argv[3], "--table" in sys.argv))
