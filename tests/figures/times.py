#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The guides' times, predicted beside published (times.tsv): builds the programs with `softwarp cc`, profiles each on the GPU that the
guide used, and checks that a group's values stand in the published order (where published values differ by more than SAME) and lie no
farther off than times.tsv allows; and that examples/staged.cu, which reads events, keeps to the guide's formula for copies that overlap
kernels.
usage: times.py BUILD            check
       times.py BUILD --update   write the section "guides" of docs/accuracy.md too"""
import csv
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(os.path.dirname(HERE))
sys.path.append(os.path.join(TREE, "tests/support"))
import docs_section  # noqa: E402

# rounds of the kernel, GPU, elements: copies longer than the kernel, about as long, shorter
STAGED = (("64", "h200", 1 << 22), ("2000", "h200", 1 << 20), ("8000", "h200", 1 << 20), ("64", "m2090", 1 << 20))
SAME = 0.02  # of published values: assumed, what a measurement repeats to (16.5 and 16.6 GB/s are no order)
STAGED_MOST = 0.06  # of the time, beside the formula, which the guide calls rough


class Runner:
    def __init__(self, build, work):
        self.softwarp, self.work, self.built = os.path.join(build, "bin/softwarp"), work, {}

    def program(self, name):
        if name not in self.built:
            folder = HERE if os.path.exists(os.path.join(HERE, name + ".cu")) else os.path.join(TREE, "examples")
            self.built[name] = os.path.join(self.work, name)
            subprocess.run([self.softwarp, "cc", os.path.join(folder, name + ".cu"), "-o", self.built[name]], check=True)
        return self.built[name]

    def run(self, command, gpu):
        """What the program printed, and its kernel's nanoseconds."""
        words = command.split()
        words = words[words[0] == "kernel":]
        report = os.path.join(self.work, "report.csv")
        if gpu.endswith(".ini"):
            gpu = os.path.join(HERE, gpu)
        done = subprocess.run([self.softwarp, "profile", "--device", gpu, "--csv", "--page", "raw", "--metrics", "gpu__time_duration.sum",
                               "-o", report, self.program(words[0])] + words[1:], check=True, capture_output=True, text=True)
        rows = [row for row in csv.DictReader(open(report, newline="")) if row.get("ID")] if os.path.getsize(report) else []
        return done.stdout, [float(row["gpu__time_duration.sum"].replace(",", "")) for row in rows]


def read_table():
    groups, rows = {}, []
    for line in open(os.path.join(HERE, "times.tsv"), encoding="utf-8"):
        if line[0] == "#" or not line.strip():
            continue
        fields = line.rstrip("\n").split("\t")
        if fields[0] == "group":
            groups[fields[1]] = {"title": fields[2], "bytes": int(fields[3]), "rows": []}
        else:
            group, what, command, gpu, published, unit, most = fields
            groups[group]["rows"].append({"what": what, "command": command, "gpu": gpu, "unit": unit, "most": float(most),
                                          "published": None if published == "-" else float(published)})
    return groups


def predict(runner, group):
    first = None
    for row in group["rows"]:
        printed, kernels = runner.run(row["command"], row["gpu"])
        reads_events = row["command"].startswith("host ")
        us = float(re.search(r"([\d.]+) us", printed).group(1)) if reads_events else kernels[0] / 1000
        if row["unit"] == "x" and row["published"] == 1:
            first = us
        row["us"] = us
        row["predicted"] = group["bytes"] / us / 1000 if row["unit"] == "GB/s" else us / first if row["unit"] == "x" else us


def wrong(group):
    found, before = [], None
    for row in group["rows"]:
        published = row["published"]
        if before:
            known = published is not None and before["published"] is not None
            same = known and abs(published / before["published"] - 1) < SAME
            if not same and (row["predicted"] > before["predicted"]) != (known and published > before["published"]):
                found.append("%s: '%s' is %.3g after %.3g of '%s': not in the published order"
                             % (group["title"], row["what"], row["predicted"], before["predicted"], before["what"]))
        if published and abs(row["predicted"] / published - 1) * 100 > row["most"]:
            found.append("%s: '%s' is %.3g %s, published %g: more than %g %% off"
                         % (group["title"], row["what"], row["predicted"], row["unit"], published, row["most"]))
        before = row
    return found


def number(value):
    return "%.0f" % value if value >= 100 else "%.3g" % value


def lines_of(groups):
    lines = ["| case | GPU | published | predicted | off | time, us |", "|---|---|---|---|---|---|"]
    for group in groups.values():
        lines.append("| **%s** | | | | | |" % group["title"])
        for row in group["rows"]:
            published = row["published"]
            off = "%+.0f %%" % (100 * (row["predicted"] / published - 1)) if published and published != 1 else ""
            lines.append("| %s | %s | %s | %s | %s | %s |" % (row["what"], row["gpu"].replace(".ini", ""), "%g %s" % (published, row["unit"]) if published else "less",
                                                              "%s %s" % (number(row["predicted"]), row["unit"]), off, number(row["us"])))
    return lines


def staged(runner):
    lines = ["", "| `staged`, rounds, GPU | copy tT, kernel tE, ms | one after the other | tE + tT | in 4 streams | the guide's formula |", "|---|---|---|---|---|---|"]
    found = []
    for rounds, gpu, n in STAGED:
        printed, _ = runner.run("staged -rounds %s -n %d" % (rounds, n), gpu)
        copy, execute = map(float, re.search(r"copy tT ([\d.]+) ms, execute tE ([\d.]+) ms", printed).groups())
        sequential = float(re.search(r"sequential ([\d.]+) ms", printed).group(1))
        overlapped = float(re.search(r"streams ([\d.]+) ms", printed).group(1))
        formula = max(copy, execute) + min(copy, execute) / 4
        name = "tE + tT/4" if execute > copy else "tT + tE/4"
        if abs(sequential - copy - execute) > 0.0005 * sequential + 0.0002:
            found.append("staged, %s rounds on %s: %.4f ms one after the other, tE + tT is %.4f" % (rounds, gpu, sequential, copy + execute))
        if abs(overlapped / formula - 1) > STAGED_MOST or overlapped >= sequential:
            found.append("staged, %s rounds on %s: %.4f ms, %s is %.4f" % (rounds, gpu, overlapped, name, formula))
        lines.append("| %s, %s | %.3f, %.3f | %.3f | %.3f | %.3f | %s = %.3f |" % (rounds, gpu, copy, execute, sequential, copy + execute, overlapped, name, formula))
    return lines, found


def main():
    groups = read_table()
    with tempfile.TemporaryDirectory() as work:
        runner = Runner(os.path.abspath(sys.argv[1]), work)
        for group in groups.values():
            predict(runner, group)
        lines, found = staged(runner)
    text = "\n".join(lines_of(groups) + lines)
    for group in groups.values():
        found += wrong(group)
    print(text)
    print("\n".join(["FAILED: " + line for line in found] + ["%d groups" % len(groups)]))
    if "--update" in sys.argv:
        docs_section.replace("guides", text.split("\n"))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
