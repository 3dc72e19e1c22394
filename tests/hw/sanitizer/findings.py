#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What compute-sanitizer found, from the logs of record.sh.

usage: findings.py LOGS > findings.tsv
A row a run: file, case, variant, tool, found (yes; no; limit: killed at the time limit; failed: the tool or the program did not
work), errors (the tool's own count), message (first line of the first error) and places (file:line of its accesses).
"""
import os
import re
import sys

NOISE = ("COMPUTE-SANITIZER", "SUMMARY", "Target application", "process didn't terminate", "were not printed")


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
    """file:line of the lines that name a device access, the host's frames left out."""
    device = []
    for line in error:
        if "Saved host backtrace" in line or "Host Frame" in line:
            break
        device += re.findall(r"in (\S+\.(?:cu|h)):(\d+)", line)
    return " ".join(dict.fromkeys(f"{os.path.basename(name)}:{line}" for name, line in device))


def row(folder, name):
    with open(os.path.join(folder, name), errors="replace") as log:
        lines = log.read().splitlines()
    status = int(lines[-1].split()[1])
    counts = [int(n) for line in lines for n in re.findall(r"(?:ERROR SUMMARY|RACECHECK SUMMARY): (\d+)", line)]
    error = first_error(lines)
    if error or any(counts):
        found = "yes"
    elif counts:
        found = "no"
    else:
        found = "limit" if status == 137 else "failed"
    message = re.sub(r"0x[0-9a-f]{6,}", "0x...", error[0].strip("= ")) if error else ""
    return name.split(".") + [found, str(max(counts)) if counts else "", message, places(error)]


def main():
    folder = sys.argv[1]
    print("# file\tcase\tvariant\ttool\tfound\terrors\tmessage\tplaces")
    for name in sorted(os.listdir(folder)):
        print("\t".join(row(folder, name)))


main()
