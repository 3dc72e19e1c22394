#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every number that a model rests on says where it comes from.

usage: check_constants.py [FILE...]   without files: the models of memory and time, and advice

A constant is a number given to an enumerator, to a const object or to a macro, but for 0, 1 and patterns of bits (hexadecimal).
A comment on its line, or one that ends on the line above it or above its enum, has one of WORDS. What is a property of a GPU
belongs into gpus/*.ini (src/arch/arch_*.def), which have a source for each value."""
import glob
import os
import re
import sys
import tempfile

WORDS = {
    "measured": "read off a recording (tests/hw)",
    "fitted": "chosen so that predictions agree with recordings",
    "inferred": "follows from recordings or machine code, but was not seen by itself",
    "documented": "by the vendor, or in a standard",
    "published": "by others",
    "assumed": "nobody knows, or a threshold by taste",
    "definition": "of a unit or a format",
    "implementation": "how much a table of the program holds: no quantity of a GPU",
}
WORD = re.compile(r"\b(%s)\b" % "|".join(WORDS), re.I)
SCOPE = ("src/model/*.[ch]", "src/timing/*.[ch]", "src/prof/advice/prof_advice*.[ch]")
NUMBER = re.compile(r"(?<![\w.])(?!0[xX])\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.])")
ENUM = re.compile(r"\benum\b[^;{()]*\{([^}]*)\}")
ENUMERATOR = re.compile(r"\b[A-Za-z_]\w*\s*=[^,]*")
MACRO = re.compile(r"^[ \t]*#define[ \t]+\w+[ \t]+(\S.*)", re.M)
OBJECT = re.compile(r"\bconst\s+[\w ]+\b\w+\s*(?:\[[^\]]*\]\s*)*=\s*([^;]*);")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def is_quantity(text):
    return any(float(n) not in (0, 1) for n in NUMBER.findall(text))


def constants(code):
    """(line of the constant, line where its comment may end) of each"""
    def line(at):
        return code.count("\n", 0, at)
    for m in ENUM.finditer(code):
        for e in ENUMERATOR.finditer(m.group(1)):
            if is_quantity(e.group().split("=", 1)[1]):
                yield line(m.start(1) + e.start()), line(m.start())
    for m in MACRO.finditer(code):
        if is_quantity(m.group(1)):
            yield line(m.start()), line(m.start())
    for m in OBJECT.finditer(code):
        if is_quantity(m.group(1)):
            yield line(m.start()), line(m.start())


def faults(path):
    with open(path) as f:
        text = f.read()
    code = re.sub(r"/\*.*?\*/|//[^\n]*", blank, text, flags=re.S)
    code = re.sub(r'"(?:\\.|[^"\\\n])*"', blank, code)
    begins, ends = {}, {}  # comments by the lines on which they begin and end
    for m in re.finditer(r"/\*.*?\*/|//[^\n]*", text, flags=re.S):
        begins.setdefault(text.count("\n", 0, m.start()), []).append(m.group())
        ends.setdefault(text.count("\n", 0, m.end()), []).append(m.group())
    lines = text.split("\n")
    for at, head in sorted(set(constants(code))):
        near = begins.get(at, []) + ends.get(at, []) + ends.get(at - 1, []) * (not code.split("\n")[at - 1].strip())
        near += begins.get(head, []) + ends.get(head - 1, []) * (not code.split("\n")[head - 1].strip())
        if not any(WORD.search(comment) for comment in near):
            yield at + 1, lines[at].strip()


def check_itself():
    """It finds what it is there for."""
    bad = "enum {\n    GOOD = 3, /* measured */\n    BAD = 4\n};\nenum { ALSO = 1 << 5 };\n#define M 0.5\nstatic const double X[] = {1, 2.5};\n"
    good = "/* assumed */\nenum { A = 4, B = 0, C = 0x7f };\n#define M 0.5 /* fitted */\n/* measured: a,\n * b */\nstatic const double X[] = {1,\n 2.5};\n"
    with tempfile.TemporaryDirectory() as folder:
        found = []
        for text in (bad, good):
            path = os.path.join(folder, "a.c")
            with open(path, "w") as f:
                f.write(text)
            found.append([line for line, _ in faults(path)])
    if found != [[3, 5, 6, 7], []]:
        raise SystemExit("check_constants.py is broken: %s" % found)


def main():
    check_itself()
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    paths = sys.argv[1:] or [p for scope in SCOPE for p in sorted(glob.glob(os.path.join(root, scope)))]
    count = 0
    for path in paths:
        for line, text in faults(path):
            print("%s:%d: no source in a comment (%s): %s" % (os.path.relpath(path), line, ", ".join(WORDS), text))
            count += 1
    print("%d files, %d constants without a source" % (len(paths), count))
    return count > 0 or not paths


if __name__ == "__main__":
    sys.exit(main())
