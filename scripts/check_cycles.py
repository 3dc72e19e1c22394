#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Find the files of a module that call each other in a circle.

usage: check_cycles.py [SOURCE-TREE]
A file depends on another of its folder when it names a function that the other defines. Cycles of more than three files
are errors. Smaller ones must stand in docs/architecture.md: in a paragraph or list item with the names of all their files."""
import os
import re
import sys

MOST = 3
DEFINITION = re.compile(r"^(?!static\b)[a-z_][\w \t*]*?\b(\w+)\([^;{]*\)\s*\n\{", re.M)
NOISE = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|^#include[^\n]*', re.S | re.M)
TAG = re.compile(r"\b(struct|enum|union)\s+\w+")  # a struct may have the name of a function


def dependencies(folder, files):
    texts = {name: TAG.sub(r"\1", NOISE.sub(" ", open(os.path.join(folder, name), encoding="utf-8").read())) for name in files}
    owner = {function: name for name, text in texts.items() for function in DEFINITION.findall(text)}
    edges = {}
    for name, text in texts.items():
        own = set(DEFINITION.findall(text))
        edges[name] = {owner[word] for word in set(re.findall(r"\w+", text)) - own if word in owner and owner[word] != name}
    return edges


def reached(edges, start):
    seen, todo = set(), [start]
    while todo:
        for following in edges[todo.pop()]:
            if following not in seen:
                seen.add(following)
                todo.append(following)
    return seen


def cycles(edges):
    ahead = {name: reached(edges, name) for name in edges}
    found = {frozenset([name] + [other for other in ahead[name] if name in ahead[other]]) for name in edges if name in ahead[name]}
    return sorted(sorted(cycle) for cycle in found if len(cycle) > 1)


def named_together(document, cycle):
    blocks = re.split(r"\n\s*\n|\n(?=- )|(?<=[.;])\s", document)
    return any(all(re.search(r"(?<!\w)" + re.escape(name), block) for name in cycle) for block in blocks)


def main():
    tree = sys.argv[1] if len(sys.argv) > 1 else "."
    with open(os.path.join(tree, "docs/architecture.md"), encoding="utf-8") as file:
        document = file.read()
    failed = False
    for folder, _, names in sorted(os.walk(os.path.join(tree, "src"))):
        files = [name for name in names if name.endswith(".c")]
        for cycle in cycles(dependencies(folder, files)):
            where = f"{os.path.relpath(folder, tree)}: {' '.join(cycle)}"
            if len(cycle) > MOST:
                print(f"{where}: a cycle of {len(cycle)} files, at most {MOST}")
                failed = True
            elif not named_together(document, cycle):
                print(f"{where}: call each other; docs/architecture.md does not say why")
                failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main())
