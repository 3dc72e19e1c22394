#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What programs print and read back from the device, on a GPU and here.

usage: results.py record FOLDER FOLDER...          three or more runs' logs -> the golden text, on standard output
       results.py compare GOLDEN DIFFERENCES FOLDER   one run's logs against it; exit status 1 for a difference not listed

A folder is what run.sh leaves in SOFTWARP_LOGS with SOFTWARP_INTERPOSE set: NAME.out (printed) and NAME.results (interpose.c).
Differences: NAME, what differs as it is printed here (* for anything), the reason.
Golden: one line a program: NAME, then the digests of lines printed in every run, then of results; a result that was not the
same in every run is *. Only digests are kept. A line counts as printed wherever it stands, so the order of threads is free.
"""
import collections
import hashlib
import pathlib
import sys

RESULTS_MAX = 256  # the rest of a program's results is one digest


def digest(data):
    return hashlib.sha256(data).hexdigest()[:10]


def lines_of(path):
    return collections.Counter(digest(line) for line in path.read_bytes().split(b"\n") if line.strip())


def results_of(path):
    rows = [line.replace(" ", ":") for line in path.read_text().splitlines()] if path.exists() else []
    rest = rows[RESULTS_MAX:]
    return rows[:RESULTS_MAX] + ([f"rest:{len(rest)}:{digest(' '.join(rest).encode())}"] if rest else [])


def record(folders):
    for path in sorted(folders[0].glob("*.out")):
        name = path.stem
        lines, results = lines_of(path), results_of(path.with_suffix(".results"))
        for other in folders[1:]:
            lines &= lines_of(other / path.name)
            theirs = results_of(other / f"{name}.results")
            same = len(theirs) == len(results)
            results = [a if same and a == b else "*" for a, b in zip(results, theirs)] if same else ["*"]
        print(name, ",".join(sorted(lines.elements())) or "-", ",".join(results) or "-", sep="\t")


def read_rows(path):
    rows = (line.split("\t") for line in path.read_text().splitlines() if line and line[0] != "#")
    return {row[0]: row[1:] for row in rows}


def split(text):
    return [] if text == "-" else text.split(",")


def compare_one(golden, folder, name):
    """What differs, as text, and how many lines and results were compared."""
    said, compared = [], collections.Counter()
    wanted = collections.Counter(split(golden[0]))
    missing = wanted - lines_of(folder / f"{name}.out")
    compared["lines"] = sum(wanted.values())
    if missing:
        said.append(f"{sum(missing.values())} of {compared['lines']} lines")
    theirs, ours = split(golden[1]), results_of(folder / f"{name}.results")
    if theirs != ["*"] and len(theirs) != len(ours):
        said.append(f"{len(ours)} results instead of {len(theirs)}")
    elif theirs != ["*"]:
        known = [(a, b) for a, b in zip(theirs, ours) if a != "*"]
        compared["results"] = len(known)
        wrong = [i for i, (a, b) in enumerate(zip(theirs, ours)) if a not in ("*", b)]
        if wrong:
            said.append(f"{len(wrong)} of {len(known)} results, the first is number {wrong[0] + 1}")
    return said, compared


def compare(golden_path, differences_path, folder):
    golden, reasons = read_rows(golden_path), read_rows(differences_path)
    total, failed, equal = collections.Counter(), 0, 0
    for name in sorted(golden):
        if not (folder / f"{name}.out").exists():
            print(f"NOT RUN {name}")
            continue
        said, compared = compare_one(golden[name], folder, name)
        total += compared
        if not said:
            equal += 1
            if reasons.get(name, ["*"])[0] != "*":
                print(f"NOW EQUAL {name}: its row of the differences can go")
        elif reasons.get(name, [""])[0] in ("*", "; ".join(said)):
            print(f"LISTED {name}: {'; '.join(said)}: {reasons[name][1]}")
        else:
            print(f"DIFFERS {name}: {'; '.join(said)}")
            failed += 1
    print(f"{equal} of {len(golden)} programs equal; {total['lines']} lines and {total['results']} results compared; {failed} not listed")
    return failed != 0


def main(arguments):
    if len(arguments) >= 3 and arguments[0] == "record":
        return record([pathlib.Path(a) for a in arguments[1:]])
    if len(arguments) == 4 and arguments[0] == "compare":
        return compare(*(pathlib.Path(a) for a in arguments[1:]))
    print(__doc__, file=sys.stderr)
    return 2


sys.exit(main(sys.argv[1:]))
