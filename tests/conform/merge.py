#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: merge.py RECORDED NEW > OUT
A recording with the parts of a newer one put in: a part of NEW takes the place of the old one when it has at least as many
answers; else what only NEW has is added."""
import sys

import compare


def lines_of(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read().splitlines()


def sections(lines):
    """Header lines, and the lines of each part by its name."""
    header, parts, now = [], {}, None
    for line in lines:
        if line.startswith("== "):
            now = parts.setdefault(line[3:], [])
        elif line.startswith("#"):
            header.append(line)
        elif now is not None and not line.startswith("!! "):
            now.append(line)
    return header, parts


def merged(old, new):
    if len(new) >= len(old):
        return new
    known = compare.parts_of(["== x"] + new)["x"]
    seen = compare.parts_of(["== x"] + old)["x"]
    return old + [f"{question}: {answer}" for (question, count), answer in known.items() if (question, count) not in seen]


def main(recorded, newer):
    header, parts = sections(lines_of(recorded))
    added, new = sections(lines_of(newer))
    for name, lines in new.items():
        parts[name] = merged(parts.get(name, []), lines)
    print("\n".join(header + [f"{line}; parts put in: {', '.join(new)}" for line in added]))
    for name, lines in parts.items():
        print("\n".join([f"== {name}"] + lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
