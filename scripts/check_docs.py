#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""README.md, CONTRIBUTING.md and docs/*.md: lines of at most 100 characters, and none of the words below (docs/glossary.md has the
terms to use); and links to files that exist. Code blocks, and rows of tables and lines with a URL as to their length, are left out; so is `code` as to its words.

usage: check_docs.py [PAGE.md...]"""
import glob
import os
import re
import sys

WIDTH = 100
WORDS = {  # word: what to write
    r"rooms?": "module", r"furnish\w*": "implemented", r"beacons?": "what it signals", r"pace[sd]?": "cycles between requests",
    r"calendars?": "reservation table", r"recall(s|ed|ing)?": "back-invalidation", r"crowd(s|ed|ing)?": "register pressure",
    r"slow ways?": "slow path", r"watch(ed|es|ing)?": "detailed simulation", r"rights": "access",
}


def faults(name, text):
    fence = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            fence = not fence
            continue
        if fence or line.startswith("<!--"):
            continue
        if len(line) > WIDTH and not line.startswith("|") and "://" not in line:
            yield "%s:%d: %d characters, %d are allowed" % (name, number, len(line), WIDTH)
        for link in re.findall(r"\]\(([^)#:]+)[^):]*\)", line):
            if not os.path.exists(os.path.join(os.path.dirname(name), link)):
                yield "%s:%d: no %s" % (name, number, link)
        prose = re.sub(r"`[^`]*`|\]\([^)]*\)", " ", line)
        for word, better in WORDS.items():
            for found in re.findall(r"\b%s\b" % word.replace("(", "(?:"), prose, re.I):
                yield "%s:%d: '%s': write '%s'" % (name, number, found, better)


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    assert list(faults("x", "a room\n" + "y" * (WIDTH + 1))) and not list(faults("x", "`room` in a code span\n```\nroom\n```"))
    pages = sys.argv[1:] or ["README.md", "CONTRIBUTING.md"] + sorted(glob.glob("docs/*.md"))
    found = [fault for page in pages for fault in faults(page, open(page, encoding="utf-8").read())]
    print("\n".join(found + ["%d pages, %d faults" % (len(pages), len(found))]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
