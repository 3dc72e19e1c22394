#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fit parameters of the model of time to recorded launches of even number. usage:
  fit.py HW_TIME GPU.ini SESSION_CASES SESSION_TIMING show [odd|even|all]     errors as they are
  fit.py HW_TIME GPU.ini SESSION_CASES SESSION_TIMING fit NAME=STEP...        coordinate descent over these keys of [kernels]
SESSION_*: folders that `hw_time options FOLDER` made and a run of hw_memory with SOFTWARP_SESSION filled (fit.sh)."""
import csv
import math
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
GOLDEN = [os.path.join(HERE, "../memory/h200/cases.csv"), os.path.join(HERE, "h200/timing.csv")]
DEFS = [os.path.join(HERE, "../memory/memory.def"), os.path.join(HERE, "timing.def")]
LIMITS = "launch latency issue FMA ALU FP64 XU tensor LSU shared L1 L2 atomics DRAM".split()


def rows(path):
    with open(path, newline="") as f:
        return [r for r in csv.DictReader(f) if r["ID"] != ""]


def cases(path):
    return [line[5:line.rindex(")")] for line in open(path) if line.startswith("CASE(")]


def predict(tool, ini, sessions):
    out = []
    for which, folder in enumerate(sessions):
        lines = subprocess.run([tool, "predict", folder, ini], capture_output=True, text=True, check=True).stdout.split("\n")
        golden, names = rows(GOLDEN[which]), cases(DEFS[which])
        for i, line in enumerate(x for x in lines if x):
            w = line.split()
            if i >= len(golden) or w[1] == "0":
                continue
            g = golden[i]
            out.append({"set": which, "index": i, "case": names[i], "ns": float(w[1]), "want": float(g["gpu__time_duration.sum"]),
                        "limit": LIMITS[int(w[2])], "instructions": float(w[4]), "sass": float(g["smsp__inst_executed.sum"]),
                        "active": float(g.get("sm__cycles_active.max") or g["sm__cycles_active.avg"]), "bounds": [float(x) for x in w[5:]]})
    return out


def error(r):
    return 100 * (r["ns"] - r["want"]) / r["want"]


def score(results, parity=0):
    """Mean absolute error in per cent, short launches half as heavy."""
    total = weight = 0.0
    for r in results:
        if parity is not None and r["index"] % 2 != parity:
            continue
        w = 1.0 if r["want"] >= 10000 else 0.5
        total += w * min(abs(math.log(r["ns"] / r["want"])), 0.7) * 100
        weight += w
    return total / weight


def summary(results):
    for name, keep in (("long", lambda r: r["want"] >= 10000), ("short", lambda r: r["want"] < 10000)):
        for parity in (0, 1):
            e = [abs(error(r)) for r in results if keep(r) and r["index"] % 2 == parity]
            if e:
                print("%s %s: mean |error| %.1f %% of %d, median %.1f" % (name, "odd" if parity else "even", sum(e) / len(e), len(e), sorted(e)[len(e) // 2]))


def ini_with(path, values, out):
    text, section, done = [], "", set()
    for line in open(path):
        m = re.match(r"\[(.*)\]", line)
        if m:
            if section == "kernels":
                text += ["%s = %d\n" % (k, v) for k, v in values.items() if k not in done]
            section = m.group(1)
        m = re.match(r"(\w+) *=", line)
        if section == "kernels" and m and m.group(1) in values:
            line = "%s = %d\n" % (m.group(1), values[m.group(1)])
            done.add(m.group(1))
        if section == "kernels" and not line.strip():
            text += ["%s = %d\n" % (k, v) for k, v in values.items() if k not in done]
            done |= set(values)
        text.append(line)
    with open(out, "w") as f:
        f.write("".join(text))


def value_of(ini, key):
    section = ""
    for line in open(ini):
        m = re.match(r"\[(.*)\]", line)
        section = m.group(1) if m else section
        if section == "kernels" and re.match(key + r" *=", line):
            return int(line.split("=")[1])
    for line in open(os.path.join(HERE, "../../../src/arch/arch_kernels.def")):
        m = re.match(r"KERNEL\(%s, (\d+)" % key, line)
        if m:
            return int(m.group(1))
    raise SystemExit("no parameter " + key)


def fit(tool, ini, sessions, steps):
    values = {k: value_of(ini, k) for k in steps}
    with tempfile.TemporaryDirectory() as folder:
        trial = os.path.join(folder, "h200.ini")

        def run(v):
            ini_with(ini, v, trial)
            return score(predict(tool, trial, sessions))
        best = run(values)
        print("start %.3f" % best, values)
        while True:
            moved = False
            for k in steps:
                for sign in (1, -1):
                    while True:
                        v = dict(values)
                        v[k] = max(0, v[k] + sign * steps[k])
                        s = run(v)
                        if s < best - 0.002:
                            best, values, moved = s, v, True
                        else:
                            break
            print("%.3f" % best, values, flush=True)
            if not moved and all(s == 1 for s in steps.values()):
                break
            if not moved:
                steps = {k: max(1, s // 2) for k, s in steps.items()}
    ini_with(ini, values, ini)


def main():
    tool, ini, sessions, what = sys.argv[1], sys.argv[2], sys.argv[3:5], sys.argv[5]
    if what == "fit":
        fit(tool, ini, sessions, {a.split("=")[0]: int(a.split("=")[1]) for a in sys.argv[6:]})
    results = predict(tool, ini, sessions)
    if what == "show":
        which = sys.argv[6] if len(sys.argv) > 6 else "even"
        for r in sorted(results, key=error):
            if which == "all" or r["index"] % 2 == (which == "odd"):
                b = sorted(zip(r["bounds"], LIMITS), reverse=True)[:4]
                print("%+6.1f %% %d.%-3d %-58s want %8.0f got %8.0f inst %.2f act %7.0f | %s" % (
                    error(r), r["set"], r["index"], re.sub(r"\s+", "", r["case"]), r["want"], r["ns"], r["instructions"] / max(r["sass"], 1), r["active"],
                    " ".join("%s %.0f" % (n, v) for v, n in b)))
    summary(results)
    print("score even %.3f odd %.3f" % (score(results, 0), score(results, 1)))


if __name__ == "__main__":
    main()
