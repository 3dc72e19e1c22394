#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fit parameters of the model of time to recorded launches of even number. usage:
  fit.py HW_TIME GPU.ini SESSION_CASES SESSION_TIMING show [odd|even|all]     errors as they are
  fit.py HW_TIME GPU.ini SESSION_CASES SESSION_TIMING report                  writes the section "kernels" of docs/accuracy.md
  fit.py HW_TIME GPU.ini SESSION_CASES SESSION_TIMING fit NAME=STEP...        coordinate descent over these keys of [kernels]
SESSION_*: folders that `hw_time options FOLDER` made and a run of hw_memory with SOFTWARP_SESSION filled (LD_LIBRARY_PATH=build/lib SOFTWARP_SESSION=FOLDER SOFTWARP_DEVICE=h200 hw_memory memory.ptx cases)."""
import csv
import math
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../../support"))
import docs_section  # noqa: E402

GOLDEN = [os.path.join(HERE, "../memory/h200/cases.csv"), os.path.join(HERE, "h200/timing.csv")]
DEFS = [os.path.join(HERE, "../memory/memory.def"), os.path.join(HERE, "timing.def")]
LIMITS = "launch latency issue FMA ALU FP64 XU tensor LSU shared L1 L2 atomics DRAM".split()


def rows(path):
    with open(path, newline="") as f:
        return [r for r in csv.DictReader(f) if r["ID"] != ""]


def cases(path):
    return [line[5:line.rindex(")")] for line in open(path) if line.startswith("CASE(")]


def result(which, index, case, golden, line):
    """What a line of `hw_time predict` says of a launch beside what was recorded; None: nothing was predicted."""
    w = line.split()
    if w[1] == "0":
        return None
    return {"set": which, "index": index, "case": case, "ns": float(w[1]), "want": float(golden["gpu__time_duration.sum"]),
            "limit": LIMITS[int(w[2])], "instructions": float(w[4]), "sass": float(golden["smsp__inst_executed.sum"]),
            "active": float(golden.get("sm__cycles_active.max") or golden.get("sm__cycles_active.avg") or golden["sm__cycles_elapsed.max"]),
            "bounds": [float(x) for x in w[5:] if "=" not in x]}


def predict(tool, ini, sessions):
    out = []
    for which, folder in enumerate(sessions):
        lines = subprocess.run([tool, "predict", folder, ini], capture_output=True, text=True, check=True).stdout.split("\n")
        golden, names = rows(GOLDEN[which]), cases(DEFS[which])
        for i, line in enumerate(x for x in lines if x):
            r = result(which, i, names[i], golden[i], line) if i < len(golden) else None
            if r:
                out.append(r)
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


def mean_error(results, long):
    errors = [abs(error(r)) for r in results if (r["want"] >= 10000) == long]
    return sum(errors) / len(errors)


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


def ranks(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    out = [0.0] * len(values)
    for place, i in enumerate(order):
        out[i] = place
    return out


def rank_correlation(results):
    a, b = ranks([r["want"] for r in results]), ranks([r["ns"] for r in results])
    mean = (len(a) - 1) / 2.0
    return sum((x - mean) * (y - mean) for x, y in zip(a, b)) / sum((x - mean) ** 2 for x in a)


def scatter(results, path):
    size, edge, low, high = 420, 40, 3.0, 6.6

    def at(v):
        return edge + (math.log10(max(v, 1000.0)) - low) / (high - low) * (size - 2 * edge)
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">' % (size, size),
           '<rect width="100%" height="100%" fill="white"/>', '<path d="M%d %d L%d %d" stroke="#bbb" fill="none"/>' % (edge, size - edge, size - edge, edge),
           '<path d="M%d %d V%d H%d" stroke="black" fill="none"/>' % (edge, edge, size - edge, size - edge),
           '<text x="%d" y="%d" text-anchor="middle">ns, H200 (powers of ten)</text>' % (size / 2, size - 8),
           '<text x="12" y="%d" transform="rotate(-90 12 %d)" text-anchor="middle">ns, Softwarp</text>' % (size / 2, size / 2)]
    for tick in (3, 4, 5, 6):
        x = edge + (tick - low) / (high - low) * (size - 2 * edge)
        out.append('<text x="%.0f" y="%d" text-anchor="middle">%d</text><text x="%d" y="%.0f" text-anchor="end">%d</text>' % (x, size - edge + 14, tick, edge - 4, size - x + 4, tick))
    for r in results:
        out.append('<circle cx="%.1f" cy="%.1f" r="2.4" fill="%s" fill-opacity="0.6"/>' % (at(r["want"]), size - at(r["ns"]), "#1f6fb4" if r["index"] % 2 else "#d08a1d"))
    with open(path, "w") as f:
        f.write("\n".join(out + ["</svg>", ""]))


WHY = [("shared_atomic_float", "float atomics in shared memory: contention between warps for one address"),
       ("last_block|uneven|mandelbrot", "blocks or warps that do more than the average"),
       ("atomic|red_|histogram|atom|bfs", "contention of atomics and stores in slices of L2"),
       ("scatter|write_stride|fill|write_twice", "partly written sectors, and write combining"),
       ("constant|nearest", "misses of the constant cache: warps that drift apart evict each other's lines"),
       ("gather|aos|matmul_aat|merge_path|spmv|convolve|copy_columns|transpose|bit_reverse", "the model does not know the lines of scattered sectors"),
       ("reread|nbody_plain|softmax|attention|matmul|matvec|reduce|stencil|local", "waits for lines that another warp requested; loads that ptxas moves ahead")]


def why(r):
    for pattern, text in WHY:
        if re.search(pattern, r["case"].split(",")[0]):
            return text
    return "not explained"


def shares(results, parity, keep):
    """Mean and median of the absolute error, in per cent."""
    e = sorted(abs(error(r)) for r in results if keep(r) and r["index"] % 2 == parity)
    return "mean %.1f %%, median %.1f %% of %d" % (sum(e) / len(e), e[len(e) // 2], len(e)) if e else ""


LONG, SHORT = (lambda r: r["want"] >= 10000), (lambda r: r["want"] < 10000)


def instructions(results, parity):
    e = sorted(abs(100 * (r["instructions"] / max(r["sass"], 1) - 1)) for r in results if r["index"] % 2 == parity)
    return "| executed warp instructions (mean, median, 90th percentile) | %.1f %%, %.1f %%, %.1f %% |" % (sum(e) / len(e), e[len(e) // 2], e[len(e) * 9 // 10])


def by_kernel(results):
    """A table of launches by their kernels."""
    kernels = {}
    for r in results:
        kernels.setdefault(r["case"].split(",")[0], []).append(error(r))
    lines = ["| kernel | launches | mean error | largest |", "|---|---|---|---|"]
    return lines + ["| %s | %d | %.1f %% | %+.1f %% |" % (name, len(e), sum(map(abs, e)) / len(e), max(e, key=abs)) for name, e in kernels.items()]


def report(results, whole=None, h100=None, sampled=None, contention=None):
    """Writes the section. whole: the same launches with nothing sampled; h100: those of an H100; sampled: times of large launches,
    sampled beside not sampled; contention: those of contention.def."""
    odd = [r for r in results if r["index"] % 2]
    lines = docs_section.wrap("ncu timed %d launches on an H200 (gpu__time_duration.sum; caches flushed; clock locked at about 1.5 GHz; tests/hw/memory, "
                              "tests/hw/timing). The parameters of section `[kernels]` of gpus/h200.ini were fitted to the launches of even number. "
                              "Launches of odd number report the error of the predicted time:" % len(results))
    lines += ["", "| launches | odd: reported | even: fitted |", "|---|---|---|"]
    for name, keep in (("10 us and more", LONG), ("shorter", SHORT)):
        lines.append("| H200, %s | %s | %s |" % (name, shares(results, 1, keep), shares(results, 0, keep)))
    if whole:
        lines.append("| H200, 10 us and more, `--sample 1` | %s | %s |" % (shares(whole, 1, LONG), shares(whole, 0, LONG)))
    for name, keep in (("10 us and more", LONG), ("shorter", SHORT)) if h100 else ():
        lines.append("| H100 (SXM5, 1.6 GHz), %s; nothing fitted | %s | %s |" % (name, shares(h100, 1, keep), shares(h100, 0, keep)))
    lines += ["", "| launches of odd number on the H200 | |", "|---|---|", instructions(results, 1),
              "| rank correlation of predicted and measured time | %.3f |" % rank_correlation(odd)]
    if sampled:
        e = sorted(abs(100 * (a / b - 1)) for a, b in sampled)
        lines.append("| one multiprocessor in 8 simulated in detail, against all (%d launches of 2^20 threads or more): mean, median | %.1f %%, %.1f %% |"
                     % (len(e), sum(e) / len(e), e[len(e) // 2]))
    lines += [""] + docs_section.wrap("Published errors of other simulators, each on other programs: Accel-Sim about 15 %, a model of modern cores (2025) 13.98 %, "
                                      "FlashGPU-Sim 0.4 to 17 %.")
    lines += ["", "![predicted and measured time](time-kernels.svg)", "", "The ten largest errors of launches of odd number:", "",
              "| launch | H200, ns | Softwarp, ns | off, % | limited by | cause |", "|---|---|---|---|---|---|"]
    for r in sorted(odd, key=lambda r: -abs(math.log(r["ns"] / r["want"])))[:10]:
        lines.append("| %s %d: %s | %.0f | %.0f | %+.0f | %s | %s |" % (("memory", "timing")[r["set"]], r["index"], re.sub(r"\s+", " ", r["case"]), r["want"], r["ns"], error(r), r["limit"], why(r)))
    if contention:
        lines += ["", "Contention between warps (tests/hw/memory/contention.def, which was used to choose parameters):", ""] + by_kernel(contention)
    docs_section.replace("kernels", lines)
    scatter(results, os.path.join(os.path.dirname(docs_section.PAGE), "time-kernels.svg"))


def main():
    tool, ini, sessions, what = sys.argv[1], sys.argv[2], sys.argv[3:5], sys.argv[5]
    if what == "fit":
        fit(tool, ini, sessions, {a.split("=")[0]: int(a.split("=")[1]) for a in sys.argv[6:]})
    results = predict(tool, ini, sessions)
    if what == "report":
        report(results)
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
