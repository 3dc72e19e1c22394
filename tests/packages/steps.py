#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the commands of a workflow, as they stand in its YAML, one a line: `run:` of GitHub's steps, the lists `script:` and `before_script:`
of GitLab's jobs. Each is a script for bash, in which a newline is written as \\n (printf %b).

usage: steps.py FILE.yml    It reads of YAML what workflows here have, without a library: maps, lists, plain scalars on one line, and blocks
after a `|`. A quoted or folded command is an error."""
import re
import sys


def block(lines, at, indent):
    """The lines from `at` on that are indented deeper, without what all of them are indented by; and where they end."""
    end = at
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > indent):
        end += 1
    kept = [line for line in lines[at:end] if line.strip()]
    margin = min(len(line) - len(line.lstrip()) for line in kept)
    return "\n".join(line[margin:] for line in kept), end


def scalar(text, place):
    if text[:1] in ">&*!%@`" or (text[:1] in "'\"" and text[-1] == text[0] and text.count(text[0]) == 2):
        sys.exit("%s: '%s' is not read here" % (place, text))
    return text


def commands(path):
    lines = open(path, encoding="utf-8").read().split("\n")
    at = 0
    while at < len(lines):
        place = "%s:%d" % (path, at + 1)
        run = re.match(r"^( *)((?:- )?)run: (.+)$", lines[at])
        script = re.match(r"^( *)(?:before_)?script:$", lines[at])
        at += 1
        if run and run.group(3) == "|":
            text, at = block(lines, at, len(run.group(1)) + len(run.group(2)))
            yield text
        elif run:
            yield scalar(run.group(3), place)
        elif script:
            while at < len(lines) and lines[at].startswith(script.group(1) + "  - "):
                yield scalar(lines[at].strip()[2:], place)
                at += 1


for command in commands(sys.argv[1]):
    print(command.replace("\\", "\\\\").replace("\n", "\\n"))
