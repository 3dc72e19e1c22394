#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does what a Containerfile says, in bare systems instead of images, and then runs its CMD, or the command given, in the last one.

usage: container.py CONTAINERFILE CONTEXT [COMMAND]    Needs root, and SW_BARE (bare.sh). FROM takes debian:SUITE-slim; known are FROM, WORKDIR,
COPY with one source (--from=STAGE, too), RUN and CMD in JSON: any other line is an error."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def instructions(path):
    """The lines, joined where they end with a backslash, as (word, rest)."""
    text = re.sub(r"\\\n", " ", open(path, encoding="utf-8").read())
    for line in text.split("\n"):
        if line.strip() and not line.lstrip().startswith("#"):
            word, _, rest = line.strip().partition(" ")
            yield word.upper(), rest.strip()


class Stage:
    """A system that is kept from line to line under a name of its own."""

    def __init__(self, suite, name):
        self.suite, self.name, self.folder = suite, name, "/"
        self.bare("true")

    def root(self):
        return os.path.join(os.environ["SW_BARE"], self.name)

    def bare(self, command):
        suite = self.name if os.path.exists(self.root()) else self.suite
        subprocess.run([os.path.join(HERE, "bare.sh"), suite, "sh", "-c", "cd %s && %s" % (self.folder, command)], check=True,
                       env=dict(os.environ, BARE_KEEP=self.name))

    def copy(self, base, source, target):
        inside = self.root() + os.path.join(self.folder, target)
        found = glob.glob(os.path.join(base, source.lstrip("/")))
        assert found, "COPY: there is no " + source
        for file in found:
            if os.path.isdir(file):
                shutil.copytree(file, inside, symlinks=True, dirs_exist_ok=True)
            else:
                os.makedirs(inside, exist_ok=True)
                shutil.copy2(file, inside)


def build(path, context):
    stages, named, command = [], {}, None
    for word, rest in instructions(path):
        if word == "FROM":
            suite, name = re.fullmatch(r"debian:(\w+)-slim(?: AS (\w+))?", rest).groups()
            stages.append(Stage(suite, "container%d" % len(stages)))
            named[name] = stages[-1]
        elif word == "WORKDIR":
            stages[-1].folder = rest
            os.makedirs(stages[-1].root() + rest, exist_ok=True)
        elif word == "COPY":
            source, target = rest.split()[-2:]
            stage = re.match(r"--from=(\w+) ", rest)
            stages[-1].copy(named[stage.group(1)].root() if stage else context, source, target)
        elif word == "RUN":
            print("RUN", rest[:70], flush=True)
            stages[-1].bare(rest)
        elif word == "CMD":
            command = " ".join(json.loads(rest))
        else:
            sys.exit("%s: %s is not known here" % (path, word))
    return stages, command


def main():
    path, context, *given = sys.argv[1:]
    with tempfile.TemporaryDirectory() as clone: # a checkout of a work tree has its repository elsewhere
        subprocess.run(["git", "clone", "-q", context, clone + "/context"], check=True)
        stages, command = build(path, clone + "/context")
    stages[-1].bare(given[0] if given else command)
    for stage in stages:
        shutil.rmtree(stage.root())
        shutil.rmtree(stage.root() + ".debs")


if __name__ == "__main__":
    main()
