#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Play all recorded launches and say how far the models of memory and of time are off.

usage: evaluate.py BUILD OUT [--jobs N] [--sets LIST] [--gpu FILE] [--tag TAG] [--first N --step N] [--least L1,L2,DRAM]     play them and write OUT
       evaluate.py show OUT [--tag TAG] [odd|even|all]                              errors of a folder that was written
       evaluate.py against OUT1 OUT2 [odd|even]                                     what changed by more than a point
       evaluate.py write OUT                                                        writes the sections "memory" and "kernels" of docs/accuracy.md, and plots
                                                                                    (OUT with all sets)
Sets (the first four by default): full = launches of memory.def with nothing sampled, memory = the same as `profile` samples them, timing =
those of timing.def, h100 = the same for an H100, eighth = memory.def with one multiprocessor in 8 watched, textures and hints = those lists of
memory/, by which no parameter was chosen, contention = another, of which all may be looked at, stores = one of which those of even number may.
OUT/SET.csv has the counters of each launch as ncu's raw page has them (for memory/compare.py), OUT/SET.tsv its predicted time (`hw_time predict`).
BUILD needs only lib/ and tests/, so that it can be carried to a machine with more cores."""
import argparse
import concurrent.futures
import csv
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "memory"), os.path.join(HERE, "timing")]
import compare  # noqa: E402
import fit  # noqa: E402

MEMORY, TIMING = os.path.join(HERE, "memory/memory.ptx"), os.path.join(HERE, "timing/timing.ptx")
SETS = {  # the program's text, its list, launches, GPU, what `profile --sample` would say, which golden table
    "full": (MEMORY, "cases", "h200", "1", "memory/h200/cases.csv"),
    "memory": (MEMORY, "cases", "h200", "", "memory/h200/cases.csv"),
    "timing": (TIMING, "timing", "h200", "", "timing/h200/timing.csv"),
    "h100": (TIMING, "timing", "h100", "", "timing/h100/timing.csv"),
    "eighth": (MEMORY, "cases", "h200", "8", "memory/h200/cases.csv"),
    "textures": (MEMORY.replace("memory.ptx", "textures.ptx"), "textures", "h200", "1", "memory/h200/textures.csv"),
    "hints": (MEMORY.replace("memory.ptx", "hints.ptx"), "hints", "h200", "1", "memory/h200/hints.csv"),
    "contention": (MEMORY.replace("memory.ptx", "contention.ptx"), "contention", "h200", "1", "memory/h200/contention.csv"),
    "stores": (MEMORY.replace("memory.ptx", "stores.ptx"), "stores", "h200", "1", "memory/h200/stores.csv"),
}
METRICS = compare.LOADS + compare.FETCHES + compare.L2 + compare.DRAM + ["gpu__time_duration.sum"]


def golden(which):
    return compare.rows(os.path.join(HERE, SETS[which][4]))


def names(which):
    return fit.cases(SETS[which][0].replace(".ptx", ".def"))


def play(build, which, gpu, first, step):
    """Every step-th launch: its counters and the line of its prediction, by its number."""
    text, mode, _, sample, _ = SETS[which]
    tool = os.path.join(build, "tests/hw_time")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([tool, "options", folder] + ([sample] if sample else []), check=True)
        env = dict(os.environ, LD_LIBRARY_PATH=os.path.join(build, "lib") + ":" + os.environ.get("LD_LIBRARY_PATH", ""), SOFTWARP_SESSION=folder,
                   SOFTWARP_DEVICE=gpu, SOFTWARP_THREADS="1")
        run = subprocess.run([os.path.join(build, "tests/hw_memory"), text, mode, str(first), "100000", str(step)], env=env, capture_output=True, text=True)
        if run.returncode:
            raise SystemExit("launches %d + %d i of %s: %s" % (first, step, which, run.stderr.strip()))
        asks = ([tool, "metrics", folder, gpu, ",".join(METRICS)], [tool, "predict", folder, gpu])
        lines = zip(*[subprocess.run(a, env=env, capture_output=True, text=True, check=True).stdout.strip().split("\n") for a in asks])
        return {first + i * step: pair for i, pair in enumerate(lines) if pair[0]}


def evaluate(build, out, jobs, sets, gpu, tag, begin, every):
    os.makedirs(out, exist_ok=True)
    parts = 4 * jobs // every or 1
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        work = {}
        for which in sets:
            file = os.path.abspath(gpu or os.path.join(HERE, "../../gpus/%s.ini" % SETS[which][2]))
            work[which] = [pool.submit(play, build, which, file, begin + every * k, every * parts) for k in range(parts)]
        for which in sets:
            lines = {}
            for part in work.pop(which):
                lines.update(part.result())
            with open(os.path.join(out, which + tag + ".csv"), "w") as counters, open(os.path.join(out, which + tag + ".tsv"), "w") as times:
                counters.write("ID,Kernel Name," + ",".join(METRICS) + "\n")
                for i in sorted(lines):
                    counters.write("%d,%s\n" % (i, lines[i][0]))
                    times.write("%d %s\n" % (i, lines[i][1]))


def times(out, sets=("memory", "timing"), tag=""):
    """As fit.predict gives them."""
    results = []
    for which in sets:
        path = os.path.join(out, which + tag + ".tsv")
        if not os.path.exists(path):
            continue
        want, case = golden(which), names(which)
        for line in open(path):
            i, _, rest = line.partition(" ")
            r = fit.result({"memory": 0, "contention": 2, "stores": 3}.get(which, 1), int(i), case[int(i)], want[int(i)], rest)
            if r:
                results.append(r)
    return results


def counters(out, tag="", which="full"):
    path = os.path.join(out, which + tag + ".csv")
    if not os.path.exists(path):
        return []
    cases, want = compare.cases(SETS[which][0].replace(".ptx", ".def")), golden(which)
    return [compare.compare(cases[int(g["ID"])], int(g["ID"]), want[int(g["ID"])], g) for g in compare.rows(path)]


def summary(out, tag=""):
    for which in ("full", "memory", "eighth"):
        results = counters(out, tag, which)
        for parity, name in ((1, "odd"), (0, "even")):
            some = [r for r in results if r["index"] % 2 == parity]
            if some:
                print("%-6s %-4s agree:" % (which, name), "  ".join("%s %.1f %%" % (k, compare.share(some, k)) for k in compare.NAMES))
    for which in ("textures", "hints", "contention", "stores"):
        results = counters(out, tag, which)
        if results:
            print("%-11s agree:" % which, "  ".join("%s %.1f %%" % (k, compare.share(results, k)) for k in compare.NAMES), "of %d" % len(results))
    for sets, name in ((("memory", "timing"), "H200"), (("h100",), "H100")):
        results = times(out, sets, tag)
        if results:
            print(name, end=": ")
            fit.summary(results)
            odd = [r for r in results if r["index"] % 2]
            counts = [abs(100 * (r["instructions"] / max(r["sass"], 1) - 1)) for r in odd]
            if odd:
                print("rank correlation of the odd ones %.4f; executed instructions %.2f %%" % (fit.rank_correlation(odd), sum(counts) / len(counts)))


def keep(index, parity):
    return parity == "all" or index % 2 == (parity == "odd")


def show(out, tag, parity):
    for r in counters(out, tag) + counters(out, tag, "textures") + counters(out, tag, "hints") + counters(out, tag, "contention") + counters(out, tag, "stores"):
        if keep(r["index"], parity) and not all(r["fine"].values()):
            c = r["case"]
            print("%-3d %-18s %-18s %-18s" % (r["index"], c["kernel"], c["shape"], c["args"]), "  ".join(
                "%s %s %.0f of %.0f" % (k, "" if r["fine"][k] else "(%+.1f)" % r["off"][k], r[k][1], r[k][0]) for k in compare.NAMES))
    for r in sorted(times(out, ("memory", "timing", "h100", "contention", "stores"), tag), key=fit.error):
        if keep(r["index"], parity):
            print("%+6.1f %% %d.%-3d %-58s want %8.0f got %8.0f inst %.2f %s" % (
                fit.error(r), r["set"], r["index"], re.sub(r"\s+", "", r["case"]), r["want"], r["ns"], r["instructions"] / max(r["sass"], 1), r["limit"]))
    summary(out, tag)


def hold(out, tag, sets, least):
    for which in sets:
        wrong = compare.disagreeing(counters(out, tag, which), least)
        if wrong:
            raise SystemExit("%s: %s" % (which, "; ".join(wrong)))


def against(first, second, parity):
    a = {(r["set"], r["index"]): r for r in times(first)}
    b = {(r["set"], r["index"]): r for r in times(second)}
    for key in sorted(a, key=lambda k: abs(fit.error(b[k])) - abs(fit.error(a[k])) if k in b else 0):
        if key in b and keep(key[1], parity) and abs(fit.error(a[key]) - fit.error(b[key])) > 1:
            print("%+6.1f %% -> %+6.1f %%  %d.%-3d %s want %.0f" % (fit.error(a[key]), fit.error(b[key]), key[0], key[1], re.sub(r"\s+", "", a[key]["case"]), a[key]["want"]))
    one, two = ({r["index"]: r for r in counters(f)} for f in (first, second))
    for i in sorted(set(one) & set(two)):
        for k in compare.NAMES:
            if keep(i, parity) and abs(one[i]["off"][k] - two[i]["off"][k]) > 1:
                print("%s %+6.1f -> %+6.1f %s memory %d %s %s" % (k, one[i]["off"][k], two[i]["off"][k],
                      {(0, 1): "BETTER", (1, 0): "WORSE"}.get((one[i]["fine"][k], two[i]["fine"][k]), ""), i, one[i]["case"]["kernel"], one[i]["case"]["shape"]))
    for folder in (first, second):
        print(folder)
        summary(folder)


def write(out):
    whole = {r["index"]: dict(r, set=0) for r in times(out, ("full",))}
    large = {r["index"] for r in counters(out) if compare.threads(r["case"]) >= 1 << 20}
    sampled = [(r["ns"], whole[r["index"]]["ns"]) for r in times(out, ("eighth",)) if r["index"] in large]
    fit.report(times(out), list(whole.values()) + times(out, ("timing",)), times(out, ("h100",)), sampled, times(out, ("contention",)))
    others = [("%s.def" % which, counters(out, "", which), [abs(fit.error(r)) for r in times(out, (which,))]) for which in ("textures", "hints")]
    odd = ([r for r in results if r["index"] % 2] for results in (counters(out, "", "stores"), times(out, ("stores",))))
    others.append(("stores.def, odd", next(odd), [abs(fit.error(r)) for r in next(odd)]))
    full, some = counters(out), counters(out, "", "eighth")
    golden_rows = compare.rows(os.path.join(out, "full.csv"))
    pairs = [(compare.compare(r["case"], r["index"], a, b), s) for r, s, a, b in zip(full, some, golden_rows, compare.rows(os.path.join(out, "eighth.csv")))]
    compare.report(full, pairs, others)


def main():
    if sys.argv[1:2] == ["write"]:
        return write(sys.argv[2])
    if sys.argv[1:2] == ["against"]:
        return against(sys.argv[2], sys.argv[3], (sys.argv[4:] or ["even"])[0])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("out")
    parser.add_argument("which", nargs="?", default="even")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--sets", default="full,memory,timing,h100")
    parser.add_argument("--gpu")
    parser.add_argument("--tag", default="")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--parity", type=int, help="0: --first 0 --step 2; 1: --first 1 --step 2")
    parser.add_argument("--least", type=compare.least_of)
    o = parser.parse_args()
    if o.build == "show":
        return show(o.out, o.tag, o.which)
    for tool in ("hw_memory", "hw_time"):
        if not shutil.which(os.path.join(o.build, "tests", tool)):
            raise SystemExit("no %s/tests/%s: build it first" % (o.build, tool))
    if o.parity is not None:
        o.first, o.step = o.parity, 2
    evaluate(os.path.abspath(o.build), o.out, o.jobs, o.sets.split(","), o.gpu, o.tag, o.first, o.step)
    summary(o.out, o.tag)
    if o.least:
        hold(o.out, o.tag, o.sets.split(","), o.least)


if __name__ == "__main__":
    main()
