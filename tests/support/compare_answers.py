#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: compare_answers.py PROGRAM RECORDED DIFFERENCES [DEVICES]     What PROGRAM prints equals what was recorded on a GPU, line
by line, but for words after ~ and the lines that DIFFERENCES (part TAB line's beginning TAB reason) names. A difference that
is listed and does not occur fails too."""
import difflib
import os
import re
import subprocess
import sys
import tempfile

program, recorded, differences = sys.argv[1:4]
known = {}
for line in open(differences):
    if line.strip() and not line.startswith("#"):
        part, start, reason = line.rstrip("\n").split("\t")
        known[part, start] = 0


def parts(text):
    out, name = {}, "-"
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        if line.startswith("== "):
            name = line[3:]
            continue
        out.setdefault(name, []).append(re.sub(r"~\S+", "~", line).rstrip())
    return out


with tempfile.TemporaryDirectory() as runtime:
    os.chmod(runtime, 0o700)
    env = dict(os.environ, SOFTWARP_DEVICE=sys.argv[4] if len(sys.argv) > 4 else "h200:2", SOFTWARP_RUNTIME_DIR=runtime)
    ours = subprocess.run([program], env=env, stdout=subprocess.PIPE, text=True, timeout=110)
if ours.returncode == 77:
    sys.exit(77)
theirs, mine = parts(open(recorded).read()), parts(ours.stdout)
bad = 0
for part in theirs:
    a, b = theirs[part], mine.get(part, [])
    for tag, i, j, k, l in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        for line, whose in [(x, "recorded") for x in a[i:j]] + [(x, "ours") for x in b[k:l]]:
            hit = [key for key in known if key[0] == part and line.startswith(key[1])]
            for key in hit:
                known[key] += 1
            if not hit:
                print(f"{part}: {whose}: {line}")
                bad = 1
for key, count in known.items():
    if not count:
        print(f"listed as different, but equal: {key[0]}: {key[1]}")
        bad = 1
sys.exit(bad)
