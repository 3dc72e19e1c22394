#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps the output in documentation true: runs the commands that a page shows and compares what they print with what stands there.

usage: walkthrough.py BUILD [--update] PAGE.md...
A block of output follows a comment "<!-- run: COMMAND -->", or "<!-- run 1-20: COMMAND -->" for these lines of it alone, or
"<!-- run 12-: COMMAND -->" for those from there on. Commands run in order in a folder of their own that has examples/'s
programs, with softwarp in PATH; what they write to standard error is not shown. --update writes what they print into the page."""
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"(<!-- run(?: (\d*)-(\d*))?: (.*?) -->\n```[a-z]*\n)(.*?)(```\n)", re.S)
root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def run(command, first, last, folder, build):
    environment = dict(os.environ, PATH=os.path.join(build, "bin") + ":" + os.environ["PATH"], NO_COLOR="1", LC_ALL="C.UTF-8", LANGUAGE="en",
                       CUDA_CACHE_PATH=os.path.join(folder, "cache"))
    environment.pop("COLUMNS", None)  # reports are as wide as it says
    done = subprocess.run(command, shell=True, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
    if done.returncode not in (0, 1):
        sys.exit("%s: exit status %d\n%s" % (command, done.returncode, done.stderr))
    lines = done.stdout.replace(os.path.realpath(folder) + "/", "").splitlines()
    return "".join(line.rstrip() + "\n" for line in lines[int(first or 1) - 1:int(last or len(lines))])


def shown(command):
    """What a reader would type: without the pipe that cuts the output, and without what hides it."""
    command = re.sub(r" \| sed .*| > /dev/null", "", command)
    return "".join("$ %s\n" % part for part in command.split("; "))


def main():
    build, update = os.path.abspath(sys.argv[1]), "--update" in sys.argv
    bad = blocks = 0
    for page in [a for a in sys.argv[2:] if a != "--update"]:
        with tempfile.TemporaryDirectory() as folder:
            for name in os.listdir(os.path.join(root, "examples")):
                if name.endswith((".cu", ".h")):
                    shutil.copy(os.path.join(root, "examples", name), folder)
            text = open(page).read()

            def replace(match):
                nonlocal bad, blocks
                blocks += 1
                head, first, last, command, old, end = match.groups()
                new = shown(command) + run(command, first, last, folder, build)
                if new != old:
                    bad += 1
                    if not update:
                        print("%s: %s prints something else:" % (page, command))
                        print("".join(difflib.unified_diff(old.splitlines(True), new.splitlines(True), "page", "now")))
                return head + new + end

            fresh = BLOCK.sub(replace, text)
            if update and fresh != text:
                open(page, "w").write(fresh)
    print("%d blocks, %d %s" % (blocks, bad, "written anew" if update else "differ: scripts/walkthrough.py %s --update PAGE" % sys.argv[1]))
    sys.exit(bad > 0 and not update or blocks == 0)


main()
