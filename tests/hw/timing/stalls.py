#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Why warps wait: stall reasons predicted for recorded launches beside those that ncu counted on an H200.
usage: stalls.py BUILD show [FIRST STEP]               launch by launch (of odd number, unless others are named)
       stalls.py BUILD check FIRST STEP LEAST          status 1 when the largest reason agrees for fewer than LEAST: "17-1", measured less a margin
       stalls.py BUILD update                          writes the section "stalls" of docs/accuracy.md, from all launches of odd number
No parameter was fitted to stalls; launches of odd number gave no parameter at all. 'selected' is no reason to wait and left out."""
import csv
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../../support"))
import docs_section  # noqa: E402

SETS = [("memory", os.path.join(HERE, "../memory/memory.ptx"), "cases", os.path.join(HERE, "../memory/h200/cases.csv")),
        ("timing", os.path.join(HERE, "timing.ptx"), "timing", os.path.join(HERE, "h200/timing.csv"))]
PREDICTED = "long_scoreboard short_scoreboard wait barrier not_selected math_pipe_throttle mio_throttle lg_throttle drain membar".split()
OCCUPANCY = "sm__warps_active.avg.pct_of_peak_sustained_active"


def metric(reason):
    return "smsp__average_warps_issue_stalled_%s_per_issue_active.ratio" % reason


def number(text):
    return float(text.replace(",", "")) if text else 0.0


def rows(path):
    with open(path, newline="") as f:
        return [r for r in csv.DictReader(f) if r["ID"]]


def launches(build, first, step, which=SETS):
    """[(name of the launch, recorded reasons, predicted ones, recorded and predicted occupancy)]"""
    out = []
    for name, ptx, mode, golden in which:
        recorded = rows(golden)
        reasons = sorted({c.split("stalled_")[1].split("_per_issue")[0] for c in recorded[0] if "issue_stalled_" in c} - {"selected"})
        with tempfile.TemporaryDirectory() as folder:
            ours = os.path.join(folder, "ours.csv")
            subprocess.run([build + "/bin/softwarp", "profile", "--device", "h200", "--metrics", ",".join([metric(r) for r in PREDICTED] + [OCCUPANCY]), "--csv", "--page", "raw",
                            "-o", ours, build + "/tests/hw_memory", ptx, mode, str(first), "100000", str(step)], check=True, stdout=subprocess.DEVNULL)
            for i, row in enumerate(rows(ours)):
                index = first + i * step
                real = recorded[index]
                if row["Kernel Name"].split("(")[0] != real["Kernel Name"].split("(")[0]:
                    raise SystemExit("%s %d: recorded %s, ours %s" % (name, index, real["Kernel Name"], row["Kernel Name"]))
                if not row.get(metric("wait")):
                    continue # not predicted
                out.append(("%s %d: %s" % (name, index, real["Kernel Name"].split("(")[0]), {r: number(real[metric(r)]) for r in reasons},
                            {r: number(row.get(metric(r), "")) for r in PREDICTED}, number(real.get(OCCUPANCY, "")), number(row.get(OCCUPANCY, ""))))
    return out


def largest(reasons):
    return max(sorted(reasons), key=lambda r: reasons[r])


def ranks(values):
    """Places from the smallest on; equal ones share theirs."""
    order = sorted(values)
    return [order.index(v) + (order.count(v) - 1) / 2 for v in values]


def correlation(xs, ys):
    a, b = ranks(xs), ranks(ys)
    ma, mb = sum(a) / len(a), sum(b) / len(b)
    top = sum((x - ma) * (y - mb) for x, y in zip(a, b))
    bottom = (sum((x - ma) ** 2 for x in a) * sum((y - mb) ** 2 for y in b)) ** 0.5
    return top / bottom if bottom else float("nan")


def agreement(all_launches):
    same = sum(largest(r) == largest(p) for _, r, p, _, _ in all_launches)
    two = sum(largest(r) in sorted(p, key=lambda x: -p[x])[:2] for _, r, p, _, _ in all_launches)
    return same, two


def section(all_launches):
    count = len(all_launches)
    same, two = agreement(all_launches)
    within = [correlation([r[x] for x in PREDICTED], [p[x] for x in PREDICTED]) for _, r, p, _, _ in all_launches]
    within = [w for w in within if w == w]
    total = sum(sum(r.values()) for _, r, _, _, _ in all_launches)
    missing = sum(sum(v for x, v in r.items() if x not in PREDICTED) for _, r, _, _, _ in all_launches)
    active = [abs(a - b) for _, _, _, a, b in all_launches if a]
    lines = docs_section.wrap(
        "ncu counted the stall reasons of %d launches of odd number (tests/hw/memory, tests/hw/timing). No parameter was fitted to stalls. The largest "
        "predicted reason is the largest counted one for %d launches (%.0f %%). The largest counted reason is among the two largest predicted ones for %d "
        "(%.0f %%). Within a launch the ten predicted reasons have a mean rank correlation of %.2f with the counted ones. Reasons without a prediction "
        "(no_instruction, imc_miss, branch_resolve, dispatch and others) make %.0f %% of the counted stalls. Achieved occupancy is %.1f points off on average."
        % (count, same, 100 * same / count, two, 100 * two / count, sum(within) / len(within), 100 * missing / total, sum(active) / len(active)))
    lines += ["", "| reason | largest on the H200 | of these predicted as largest | otherwise predicted | rank correlation over launches |", "|---|---|---|---|---|"]
    reasons = sorted(all_launches[0][1], key=lambda x: (-sum(largest(r) == x for _, r, _, _, _ in all_launches), x))
    for reason in reasons:
        mine = [(r, p) for _, r, p, _, _ in all_launches if largest(r) == reason]
        if not mine and reason not in PREDICTED:
            continue
        others = {}
        for _, p in mine:
            others[largest(p)] = others.get(largest(p), 0) + (largest(p) != reason)
        said = ", ".join("%s %d" % (x, n) for x, n in sorted(others.items(), key=lambda o: (-o[1], o[0])) if n) or "-"
        over = "%.2f" % correlation([r[reason] for _, r, _, _, _ in all_launches], [p[reason] for _, _, p, _, _ in all_launches]) if reason in PREDICTED else "not predicted"
        lines.append("| %s | %d | %d | %s | %s |" % (reason, len(mine), sum(largest(p) == reason for _, p in mine), said, over))
    return lines


def main():
    build, what = os.path.abspath(sys.argv[1]), sys.argv[2]
    if what == "check":
        found = launches(build, int(sys.argv[3]), int(sys.argv[4]), SETS[1:])
        same, two = agreement(found)
        print("largest stall reason as on the GPU: %d of %d launches (%.0f %%), among the two largest: %d" % (same, len(found), 100 * same / len(found), two))
        measured, margin = map(int, sys.argv[5].split("-"))
        raise SystemExit(same < measured - margin)
    first, step = (int(sys.argv[3]), int(sys.argv[4])) if what == "show" and len(sys.argv) > 4 else (1, 2)
    found = launches(build, first, step)
    if what == "show":
        for name, r, p, a, b in found:
            top = " ".join("%s %.2f" % (x, r[x]) for x in sorted(r, key=lambda x: -r[x])[:3])
            ours = " ".join("%s %.2f" % (x, p[x]) for x in sorted(p, key=lambda x: -p[x])[:3])
            print("%s %-36s %-72s | %-72s | occupancy %.0f %.0f" % ("=" if largest(r) == largest(p) else "#", name, top, ours, a, b))
        print("\n".join(section(found)))
        return
    docs_section.replace("stalls", section(found))


if __name__ == "__main__":
    main()
