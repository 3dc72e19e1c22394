#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: compare.py PROGRAM RECORDED DIFFERENCES DRIVER_API_DEF [PART...]
What the driver library answers equals what a real H200 answered, question by question, but for what DIFFERENCES
names with the reason; and every function that the library has is asked something. Questions that were not recorded
are asked too: they must not crash or hang."""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile


def parts_of(lines):
    """Answers by part, question and how often it was asked before in that part."""
    found, part, seen = {}, None, {}
    for line in lines:
        line = line.rstrip("\n")
        if line.startswith("#"):
            continue
        if line.startswith("== "):
            part, seen = line[3:], {}
            found[part] = {}
        elif part is not None:
            question, _, answer = line.rpartition(": ")
            if question.endswith(": current"):
                question, answer = question[: -len(": current")], "current: " + answer
            seen[question] = seen.get(question, 0) + 1
            found[part][question, seen[question]] = answer
    return found


def run(program, part):
    # Two devices, as the machine had that answered; files are written to a folder of its own. On an overloaded machine a
    # case may take minutes without hanging.
    with tempfile.TemporaryDirectory() as folder:
        environment = {"CONFORM_HANG_SECONDS": "150", **os.environ, "SOFTWARP_DEVICE": "h200:2"}
        done = subprocess.run([program, part], cwd=folder, env=environment, capture_output=True, text=True,
                              errors="replace", timeout=800, check=False)
    lines = done.stdout.splitlines()
    if done.returncode != 0:
        lines.append(f"exit status: {done.returncode}")
    return lines


def pattern(text):
    return re.compile(re.escape(text).replace(r"\*", ".*"))


def read_differences(path):
    rows = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#") or not line.strip():
                continue
            fields = line.rstrip("\n").split("\t")
            if len(fields) != 4 or not fields[3]:
                sys.exit(f"{path}: part, question, our answer and a reason, not: {line}")
            rows.append([pattern(field) for field in fields[:3]] + [line.rstrip("\n"), False])
    return rows


def explained(rows, part, question, answer):
    for row in rows:
        if row[0].fullmatch(part) and row[1].fullmatch(question) and row[2].fullmatch(answer):
            row[4] = True
            return True
    return False


def agree(theirs, ours, refused):
    if ours in ("crash", "hang"):
        return False
    theirs, ours = theirs.replace(", written", ""), ours.replace(", written", "")
    return theirs == ours or theirs == "crash" or refused


def uncovered(ours, api):
    asked = {question.split(" ")[0] for part in ours if part != "entries" for question, _ in ours[part]}
    return sorted(name for name in re.findall(r"^DONE\((\w+),", api, re.M) if name not in asked)


def main(program, recorded_path, differences_path, api_path, *only):
    with open(recorded_path, encoding="utf-8") as file:
        recorded = parts_of(file)
    with open(api_path, encoding="utf-8") as file:
        api = file.read()
    refused = set(re.findall(r"^REFUSED\((\w+),", api, re.M))
    rows = read_differences(differences_path)
    chosen = list(only) or list(recorded)
    program = os.path.abspath(program)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        ours = parts_of(line for lines in pool.map(lambda part: run(program, part), chosen) for line in lines)
    failed = unknown = 0
    for part in chosen:
        for key in dict.fromkeys(list(recorded[part]) + list(ours.get(part, {}))):
            question = key[0]
            mine = ours.get(part, {}).get(key, "not asked")
            theirs = recorded[part].get(key)
            if theirs is None:
                unknown += 1
                theirs = mine if mine not in ("crash", "hang") else "nothing"
            if agree(theirs, mine, question.split(" ")[0] in refused) or explained(rows, part, question, mine):
                continue
            print(f"{part}: {question}: recorded {theirs}, ours {mine}")
            failed += 1
    if not only:
        for name in uncovered(ours, api):
            print(f"no question about {name}: add its arguments to conform_calls.def")
            failed += 1
        for row in rows:
            if not row[4]:
                print(f"note: {differences_path}: no longer a difference: {row[3]}")
    answers = sum(len(ours.get(part, {})) for part in chosen)
    print(f"{answers} answers, {unknown} of them not recorded, {failed} failures")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
