#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every value of the GPU catalogue has a source, and every source says what it is worth: measured (here, on that GPU), documented
(by NVIDIA), published (by others: micro-benchmarks, what their boards say of themselves) or inferred.
usage: gpu_sources.py SOURCE-TREE           check gpus/*.ini, and that docs/accuracy.md has their table
       gpu_sources.py SOURCE-TREE --table   print the table"""
import glob
import os
import re
import sys

MARKS = ("measured", "documented", "published", "inferred")
SOURCES = {"gpu": "source", "management": "management source", "cache": "cache source", "time": "time source",
           "kernels": "kernels source"}
WITH_DEFAULTS = ("cache", "time", "kernels")  # of which a file may leave values out
LONGEST = 199  # of a line that inih reads
OURS = ("h200", "h100")  # GPUs that something here ran on


def read(text):
    sections, name = {}, None
    for line in text.split("\n"):
        if not line.strip() or line[0] == ";":
            continue
        header = re.match(r"\[(.*)\]$", line)
        if header:
            name = header.group(1)
            sections.setdefault(name, {})
        else:
            key, value = line.split(" = ", 1)
            sections[name][key] = value
    return sections


def by_key(sources):
    return {key: text for keys, text in sources.items() for key in keys.split(", ")}


def wrong(gpu, text):
    """What is wrong with a file, as lines."""
    found = ["line %d is longer than %d" % (i + 1, LONGEST) for i, line in enumerate(text.split("\n")) if len(line) > LONGEST]
    sections = read(text)
    for section, name in SOURCES.items():
        values, sources = sections.get(section, {}), by_key(sections.get(name, {}))
        for key in values:
            if key not in sources and "all" not in sources:
                found.append("[%s] %s has no source" % (section, key))
        if section in WITH_DEFAULTS and "defaults" not in sources:
            found.append("[%s] does not say where its defaults come from" % name)
        for key, source in sources.items():
            if key not in values and key not in ("all", "defaults"):
                found.append("[%s] %s: there is no such value" % (name, key))
            mark = source.split(": ")[0]
            if mark not in MARKS or len(source) < len(mark) + 5:
                found.append("[%s] %s: '%s' is not marked %s" % (name, key, source, ", ".join(MARKS)))
            if mark == "measured" and gpu not in OURS:
                found.append("[%s] %s: nothing was measured on this GPU" % (name, key))
    return found


def cell(section, sections):
    values, sources = sections.get(section, {}), by_key(sections.get(SOURCES[section], {}))
    marks = [sources.get(key, sources.get("all", "")).split(":")[0] for key in values]
    said = [mark for mark in MARKS if mark in marks]
    rest = sources.get("defaults", "").split(":")[0]
    return ", ".join(said + (["rest " + rest] if rest else []))


def table(files):
    lines = ["| GPU | [gpu] | [cache] | [kernels] | [time] |", "|---|---|---|---|---|"]
    for gpu, text in files:
        sections = read(text)
        lines.append("| %s | %s |" % (gpu, " | ".join(cell(s, sections) for s in ("gpu", "cache", "kernels", "time"))))
    return "\n".join(lines) + "\n"


def check_itself():
    good = "[gpu]\ncc = 9.0\n[source]\ncc = documented: a paper\n" + "".join("[%s source]\ndefaults = inferred: from it\n" % s for s in WITH_DEFAULTS)
    bad = {"cc has no source": good.replace("cc = doc", "cd = doc"), "is not marked": good.replace("documented: a paper", "a paper"),
           "nothing was measured": good.replace("documented", "measured"), "where its defaults": good.replace("defaults", "all", 1),
           "is longer than": good + ";" * (LONGEST + 1), "there is no such value": good + "[cache source]\nl1_ways = inferred: from it\n"}
    assert not wrong("x", good), wrong("x", good)
    for message, text in bad.items():
        assert any(message in line for line in wrong("x", text)), message


def main():
    tree = sys.argv[1]
    files = [(os.path.basename(path)[:-4], open(path, encoding="utf-8").read()) for path in sorted(glob.glob(tree + "/gpus/*.ini"))]
    if len(sys.argv) > 2:
        print(table(files), end="")
        return 0
    check_itself()
    lines = ["gpus/%s.ini: %s" % (gpu, line) for gpu, text in files for line in wrong(gpu, text)]
    if table(files) not in open(tree + "/docs/accuracy.md", encoding="utf-8").read():
        lines.append("docs/accuracy.md: its table of sources is not what gpu_sources.py --table prints")
    print("\n".join(lines + ["%d GPUs" % len(files)]))
    return 1 if lines or not files else 0


if __name__ == "__main__":
    sys.exit(main())
