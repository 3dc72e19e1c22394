#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The wording of compute-sanitizer's messages, from the logs of record.sh: each kind of message once, with the run that gave it.

usage: messages.py LOGS > messages.txt
Two messages are of one kind when their lines are equal but for numbers, addresses, names of kernels and files, and the host's frames.
"""
import os
import re
import sys


def blocks(lines):
    """Messages: a line that begins one, with those that continue it."""
    block = []
    for line in lines:
        if not line.startswith("========="):
            continue
        begins = line.startswith("========= ") and not line.startswith("=========     ")
        if (begins or line.strip() == "=========") and block:
            yield block
            block = []
        if line.strip() != "=========":
            block.append(line)
    if block:
        yield block


def shape(block):
    text = "\n".join(line for line in block if "Host Frame" not in line)
    text = re.sub(r"0x[0-9a-f]+", "X", text)
    text = re.sub(r"(at|Device Frame:?) .*?\+X in \S+", r"\1 K", text)
    text = re.sub(r"to cu\w+", "to F", text)
    return re.sub(r"[0-9][0-9,]*", "N", text)


def main():
    folder, seen = sys.argv[1], set()
    print("# Each kind of message once; file case variant tool: exit status.")
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), errors="replace") as log:
            lines = log.read().splitlines()
        new = [block for block in blocks(lines) if not (shape(block) in seen or seen.add(shape(block)))]
        if new:
            print(f"\n{' '.join(name.split('.'))}: {lines[-1].split()[1]}")
            print("\n".join(line.rstrip() for block in new for line in block))


main()
