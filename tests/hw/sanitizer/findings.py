#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What compute-sanitizer found, from the logs of record.sh.

usage: findings.py LOGS > findings.tsv        findings.py table findings.tsv        findings.py check findings.tsv
       findings.py files
A row a run: file, case, kind, variant, tool, found (yes; no; limit: killed at the time limit; failed: the tool or the program did
not work), line (of an error: yes if a place of one of its accesses is a line marked FAULT or OTHER), errors (the tool's own count),
message (first line of the first error) and places (file:line of the first error's accesses). LOGS may be several folders.
table: by kind, what the case's own tool found, what more memcheck-padded found, and false alarms. check: a row for every case under its own tool.
files: the programs that are recorded.
"""
import collections
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CHECK = os.path.join(HERE, "..", "..", "check")
NOISE = ("COMPUTE-SANITIZER", "SUMMARY", "Target application", "process didn't terminate", "were not printed")


def files():
    """Programs of planted bugs that are recorded: memcheck.cu, and those of planted.h that have a table."""
    for name in sorted(os.listdir(CHECK)):
        if name.endswith(".cu") and os.path.exists(os.path.join(CHECK, name[:-3] + ".tsv")):
            with open(os.path.join(CHECK, name)) as source:
                if name == "memcheck.cu" or '#include "planted.h"' in source.read():
                    yield name[:-3]


def corpus():
    """Of each (file, case): kind and tool, from the tables beside the programs."""
    rows = {}
    for file in files():
        with open(os.path.join(CHECK, file + ".tsv")) as lines:
            for line in lines:
                if not line.startswith("#"):
                    name, tool, kind = line.rstrip("\n").split("\t")[:3]
                    rows[file, name] = ("bounds", "memcheck") if file == "memcheck" else (kind, tool.split()[0])
    return rows


def marked(file):
    """Lines of a program by the case that they are marked for."""
    lines = collections.defaultdict(set)
    with open(os.path.join(CHECK, file + ".cu")) as source:
        for number, line in enumerate(source, 1):
            for name in re.findall(r"(?:FAULT|OTHER) (\w+)", line):
                lines[name].add(f"{file}.cu:{number}")
    return lines


def first_error(lines):
    """The lines of the first error; an error of an API call only if there is no other."""
    heads = [i for i, line in enumerate(lines) if re.match(r"========= {1,2}[^ ]", line) and not any(noise in line for noise in NOISE)]
    heads.sort(key=lambda i: "Program hit" in lines[i])
    if not heads:
        return []
    end = heads[0] + 1
    while end < len(lines) and lines[end].startswith("=========  "):
        end += 1
    return lines[heads[0]:end]


def places(error):
    """file:line of the device accesses, or of the host's frames where there are none."""
    found = [[], []]
    for line in error:
        where = re.findall(r"in (\S+\.(?:cu|h|hpp)):(\d+)", line)
        found["Host Frame" in line] += [f"{os.path.basename(name)}:{number}" for name, number in where]
    return list(dict.fromkeys(found[0] or found[1]))


def row(path, kinds, marks):
    with open(path, errors="replace") as log:
        lines = log.read().splitlines()
    file, name, variant, tool = os.path.basename(path).split(".")
    status = int(lines[-1].split()[1])
    counts = [int(n) for line in lines for n in re.findall(r"(?:ERROR|RACECHECK) SUMMARY: (\d+)", line)]
    error = first_error(lines)
    if error or any(counts):
        found = "yes"
    elif counts:
        found = "no"
    else:
        found = "limit" if status == 137 else "failed"
    where = places(error)
    right = "" if found != "yes" else "yes" if marks[file][name] & set(where) else "no"
    message = re.sub(r"0x[0-9a-f]{6,}", "0x...", error[0].strip("= ")) if error else ""
    return [file, name, kinds[file, name][0], variant, tool, found, right, str(max(counts)) if counts else "", message, " ".join(where)]


def write(folders):
    kinds = corpus()
    marks = {file: marked(file) for file, _ in kinds}
    print("# file\tcase\tkind\tvariant\ttool\tfound\tline\terrors\tmessage\tplaces")
    logs = {name: os.path.join(folder, name) for folder in folders for name in os.listdir(folder)}
    for name in sorted(logs):
        if tuple(name.split(".")[:2]) in kinds:
            print("\t".join(row(logs[name], kinds, marks)))


def read(path):
    with open(path) as lines:
        return [line.rstrip("\n").split("\t") for line in lines if not line.startswith("#")]


def table(path):
    kinds, count = corpus(), collections.defaultdict(collections.Counter)
    own = {(r[0], r[1]) for r in read(path) if r[3:6] == ["fault", kinds[r[0], r[1]][1], "yes"]}
    for file, name, kind, variant, tool, found, line, *_ in read(path):
        if tool == kinds[file, name][1]:
            count[kind][variant, found] += 1
            count[kind]["line"] += variant == "fault" and line == "yes"
        elif variant == "fine" and found == "yes":
            count[kind]["others"] += 1
        elif variant == "fault" and tool == "memcheck-padded" and found == "yes" and (file, name) not in own:
            count[kind]["padded"] += 1
    print("kind\tcases\tfound\twith the line\tmore with padding\tnever ended\tfalse alarms\tof other tools")
    count["all"] = sum(count.values(), collections.Counter())
    for kind, c in count.items():
        cases = sum(n for key, n in c.items() if key[0] == "fault")
        print(kind, cases, c["fault", "yes"], c["line"], c["padded"], c["fault", "limit"], c["fine", "yes"], c["others"], sep="\t")


def check(path):
    rows = {(r[0], r[1], r[3], r[4]) for r in read(path)}
    later = os.path.join(os.path.dirname(path), "unrecorded.txt")
    known = {tuple(line.split()) for line in open(later) if not line.startswith("#")} if os.path.exists(later) else set()
    missing = [f"{file} {name} {variant}" for (file, name), (_, tool) in corpus().items() for variant in ("fault", "fine")
               if (file, name, variant, tool) not in rows and (file, name) not in known]
    print("\n".join(["not recorded: " + m for m in missing] or [f"{len(rows)} runs"]))
    return 1 if missing else 0


if sys.argv[1] == "files":
    print("\n".join(files()))
elif sys.argv[1] == "table":
    table(sys.argv[2])
elif sys.argv[1] == "check":
    sys.exit(check(sys.argv[2]))
else:
    write(sys.argv[1:])
