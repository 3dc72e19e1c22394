#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare what the memory model says with what ncu counted on a GPU, launch by launch.

usage: compare.py GOLDEN.csv OURS.csv [--first N --step N] [--least L1,L2,DRAM] [--report --sampled SAMPLED.csv]
Both are `--csv --page raw` tables; launch i of OURS is launch N + i * STEP of GOLDEN. A launch agrees when its L1 hit rate of
global loads is within 2 points, its sectors asked of L2 within 5 % and its sectors of DRAM (read and written) within 5 % or
256 sectors. --least: exit 1 when fewer launches of odd number (those that no parameter was chosen by) agree in one of the
three than when last measured, less a margin ("26-1,25-1,25-1"), or when with --sampled more than 5 % of the launches are large and differ from OURS by as much. --report: write the section "memory" of docs/accuracy.md, and a scatter plot beside the page for each of the three."""
import argparse
import csv
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
import docs_section  # noqa: E402

TEX = "lts__t_sectors_srcunit_tex_op_"
LD = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld"
LOADS = [LD + "_lookup_hit.sum", LD + "_lookup_miss.sum"]
TEXTURE = "l1tex__t_sectors_pipe_tex_mem_texture"
FETCHES = [TEXTURE + "_lookup_hit.sum", TEXTURE + ".sum"]
L2 = [TEX + op + ".sum" for op in ("read", "write", "atom", "red")]
DRAM = ["dram__sectors_read.sum", "dram__sectors_write.sum"]
# Why launches differ, by the numbers of memory.def and by what differs.
STORES = ("fill", "write_stride", "scatter", "radix_scatter", "aos8_field", "bit_reverse", "copy_columns", "transpose", "merge_path", "copy_f32",
          "rotate_image", "write_twice")
READS = ("matmul", "nbody", "chase", "binary", "stencil", "page_rank", "spmv", "hash", "gather", "floyd")
NEARLY_FULL = "replacement in caches that are nearly full, and the number of blocks on each multiprocessor"
MEET = "timing: which reads of several multiprocessors merge before L2, and which lines arrive before the next request"
REASONS = [
    (lambda c: c["setting"] in (5, 6), {"": "access-policy windows: which lines stay when they do not all fit"}),
    (lambda c: c["kernel"] == "bfs_step", {"": "the kernel races: the number of its stores depends on timing"}),
    (lambda c: c["kernel"] == "local_array", {"": "addresses of local memory"}),
    (lambda c: c["kernel"].startswith(STORES), {
        "l2": "write combining: how long a store waits on its way to L2 for others of its line",
        "dram": "partly written lines in L2: the model counts written words, not which; the choice of the dirty line to evict; when partly written "
                "sectors are filled and written back"}),
    (lambda c: c["kernel"] in ("reread", "reread_block", "reread_random"), {"": NEARLY_FULL}),
    (lambda c: c["kernel"].startswith(READS), {"": MEET}),
]


def rows(path):
    with open(path, newline="") as f:
        return [row for row in csv.DictReader(f) if row["ID"] != ""]


def number(row, name):
    text = row.get(name, "")
    return float(text.replace(",", "")) if text else 0.0


def cases(path):
    out = []
    for line in open(path):
        if line.startswith("CASE("):
            w = [x.strip() for x in line[5:line.rindex(")")].split(",")]
            out.append({"kernel": w[0], "shape": "%sx%s, %sx%s" % tuple(w[1:5]), "args": " ".join(w[6:9]), "setting": int(w[9])})
    return out


def rate(row):
    hit, miss = (number(row, name) for name in LOADS)
    found, fetched = (number(row, name) for name in FETCHES)
    return 100 * (hit + found) / (hit + miss + fetched) if hit + miss + fetched else 0.0


def total(row, names):
    return sum(number(row, name) for name in names)


def compare(case, index, want, got):
    r = {"index": index, "case": case, "l1": (rate(want), rate(got))}
    for key, names in (("l2", L2), ("dram", DRAM)):
        r[key] = (total(want, names), total(got, names))
    r["off"] = {"l1": r["l1"][1] - r["l1"][0]}
    for key in ("l2", "dram"):
        w, g = r[key]
        r["off"][key] = 100 * (g - w) / w if w else (0.0 if g == 0 else 100.0)
    r["fine"] = {"l1": abs(r["off"]["l1"]) <= 2, "l2": abs(r["off"]["l2"]) <= 5,
                 "dram": abs(r["off"]["dram"]) <= 5 or abs(r["dram"][0] - r["dram"][1]) <= 256}
    return r


NAMES = {"l1": "L1 hit rate of global loads", "l2": "sectors asked of L2", "dram": "sectors of DRAM"}


def share(results, key):
    return 100.0 * sum(r["fine"][key] for r in results) / len(results) if results else 100.0


def least_of(text):
    """By metric, of "26-1,25-1,25-1": the launches that agreed when last measured, less a margin."""
    pairs = [part.split("-") for part in text.split(",")]
    if len(pairs) != len(NAMES):
        raise SystemExit("--least %s: name MEASURED-MARGIN for each of %s" % (text, ", ".join(NAMES)))
    return {key: int(measured) - int(margin) for key, (measured, margin) in zip(NAMES, pairs)}


def disagreeing(results, least):
    """What to say of the metrics in which fewer launches agree than must."""
    agree = {key: sum(r["fine"][key] for r in results) for key in least}
    return ["%s: %d of %d launches agree, %d must" % (NAMES[key], agree[key], len(results), least[key]) for key in least if agree[key] < least[key]]


def why(r, key):
    for test, reasons in REASONS:
        if test(r["case"]) and (key in reasons or "" in reasons):
            return reasons.get(key, reasons.get(""))
    return "not explained"


def scatter(results, key, path):
    import math
    def place(v):
        return v if key == "l1" else math.log10(max(v, 100.0))
    low, high = (0.0, 100.0) if key == "l1" else (2.0, 7.5)
    size, edge = 420, 40
    def at(v):
        return edge + (place(v) - low) / (high - low) * (size - 2 * edge)
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">' % (size, size),
           '<rect width="100%" height="100%" fill="white"/>',
           '<path d="M%d %d L%d %d" stroke="#bbb" fill="none"/>' % (edge, size - edge, size - edge, edge),
           '<path d="M%d %d V%d H%d" stroke="black" fill="none"/>' % (edge, edge, size - edge, size - edge),
           '<text x="%d" y="%d" text-anchor="middle">%s, H200%s</text>' % (size / 2, size - 8, NAMES[key], "" if key == "l1" else " (powers of ten)"),
           '<text x="12" y="%d" transform="rotate(-90 12 %d)" text-anchor="middle">Softwarp</text>' % (size / 2, size / 2)]
    for tick in ([0, 25, 50, 75, 100] if key == "l1" else [2, 3, 4, 5, 6, 7]):
        x = edge + (tick - low) / (high - low) * (size - 2 * edge)
        out.append('<text x="%.0f" y="%d" text-anchor="middle">%d</text><text x="%d" y="%.0f" text-anchor="end">%d</text>' % (x, size - edge + 14, tick, edge - 4, size - x + 4, tick))
    for r in results:
        colour = "#1f6fb4" if r["index"] % 2 else "#d08a1d"
        out.append('<circle cx="%.1f" cy="%.1f" r="2.4" fill="%s" fill-opacity="0.6"/>' % (at(r[key][0]), size - at(r[key][1]), colour))
    out.append("</svg>")
    with open(path, "w") as f:
        f.write("\n".join(out) + "\n")


def table(results, key):
    unit = "points" if key == "l1" else "%"
    lines = ["| launch | kernel | grid, block | n p q | H200 | Softwarp | off, %s | cause |" % unit, "|---|---|---|---|---|---|---|---|"]
    for r in results:
        c = r["case"]
        fmt = "%.1f" if key == "l1" else "%.0f"
        lines.append("| %d | %s | %s | %s | %s | %s | %+.1f | %s |" % (r["index"], c["kernel"], c["shape"], c["args"], fmt % r[key][0], fmt % r[key][1], r["off"][key], why(r, key)))
    return lines


def threads(case):
    product = 1
    for word in case["shape"].replace(",", "").replace("x", " ").split():
        product *= int(word)
    return product


def middle(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0


def sampling(pairs, results):
    """pairs: (full model against sample, H200 against sample), as `results`, of the same launches."""
    if not pairs:
        return []
    large = [i for i, r in enumerate(results) if threads(r["case"]) >= 1 << 20]
    out = ["### Error that sampling adds", ""] + docs_section.wrap(
        "Each launch above also ran with `--sample 8`, however small. The limits above judge the agreement of the sampled with the full model, and of both "
        "with the H200.") + ["", "| | sample and full model agree | median and 90th percentile of the difference | full model agrees with the H200 | sample does |",
                             "|---|---|---|---|---|"]
    for key in NAMES:
        unit = "points" if key == "l1" else "%"
        for name, chosen in (("all", range(len(results))), ("2^20 threads or more", large)):
            off = [abs(pairs[i][0]["off"][key]) for i in chosen]
            out.append("| %s, %s | %d of %d | %.1f, %.1f %s | %d | %d |" % (
                NAMES[key], name, sum(pairs[i][0]["fine"][key] for i in chosen), len(off), middle(off, 0.5), middle(off, 0.9), unit,
                sum(results[i]["fine"][key] for i in chosen), sum(pairs[i][1]["fine"][key] for i in chosen)))
    for key in NAMES:
        bad = ["%d %s %+.1f" % (results[i]["index"], results[i]["case"]["kernel"], pairs[i][0]["off"][key]) for i in large if not pairs[i][0]["fine"][key]]
        out += [""] + docs_section.wrap("Launches of 2^20 threads or more whose sample is outside the limits of the full model, %s: %s." % (NAMES[key], "; ".join(bad) if bad else "none"))
    return out


def lists(sets):
    """Lines of a table: agreement of launches by which no parameter was chosen. sets: (name, results, errors of times in per cent)."""
    out = []
    for name, results, times in sets:
        agree = " | ".join("%d" % sum(r["fine"][key] for r in results) for key in NAMES)
        out.append("| %s | %d | %s | %s |" % (name, len(results), agree, "%.1f %%, %.0f %%" % (sum(times) / len(times), max(times)) if times else ""))
    return out


def report(results, sampled, others=()):
    even, odd = [r for r in results if r["index"] % 2 == 0], [r for r in results if r["index"] % 2]
    machine = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "h200", "machine.txt")).read().split("\n")
    out = docs_section.wrap(
        "ncu counted the %d launches of `tests/hw/memory/memory.def` on an H200 (%s; %s) with its default cache flush. The same program ran here under "
        "`softwarp profile --sample 1`. Launches of even number were used to choose parameters (section `[cache]` of gpus/h200.ini), and so were "
        "those of stores.def (stores of less than a sector) and four lists of their own: walks.def, lines.c (what L1 holds after sequences of accesses), "
        "meetings.def (which reads merge before L2) and contention.def. "
        "Launches of odd number report the error." % (len(results), machine[1].strip(), machine[5].strip() if len(machine) > 5 else "")) + [""]
    out += docs_section.wrap("A launch agrees when the L1 hit rate of global loads is within 2 points, the sectors asked of L2 (reads, writes, atomics) within 5 %, and "
                             "the sectors of DRAM (read and written) within 5 % or 256 sectors.") + [""]
    out += ["| | odd: reported | even: used | all |", "|---|---|---|---|"]
    for key in NAMES:
        out.append("| %s | %.1f %% of %d agree | %.1f %% of %d | %.1f %% |" % (NAMES[key], share(odd, key), len(odd), share(even, key), len(even), share(results, key)))
    if others:
        out += ["", "Lists of launches that gave no parameter of the model:", "", "| list | launches | L1 hit rate agrees | sectors of L2 agree | sectors of DRAM agree | time off: mean, largest |",
                "|---|---|---|---|---|---|"] + lists(others)
    out += ["", "Predicted against counted (blue: odd, orange: even):", ""]
    for key in NAMES:
        image = "accuracy-%s.svg" % key
        scatter(results, key, os.path.join(os.path.dirname(docs_section.PAGE), image))
        out.append("![%s](%s)" % (NAMES[key], image))
    for key in NAMES:
        bad = sorted((r for r in results if not r["fine"][key]), key=lambda r: -abs(r["off"][key]))
        out += ["", "### %s: the ten largest errors" % NAMES[key][0].upper().__add__(NAMES[key][1:]), ""] + table(bad[:10], key)
        rest = bad[10:]
        if rest:
            out += [""] + docs_section.wrap("The other %d outside the limits: %s." % (len(rest), "; ".join("%d %s %+.1f" % (r["index"], r["case"]["kernel"], r["off"][key]) for r in rest)))
    out += ["", "### Causes of the differences", "", "| cause | launches |", "|---|---|"]
    seen = {}
    for r in results:
        for key in NAMES:
            if not r["fine"][key]:
                seen.setdefault(why(r, key), set()).add(r["index"])
    out += ["| %s | %d |" % (reason, len(indices)) for reason, indices in sorted(seen.items(), key=lambda item: -len(item[1]))]
    docs_section.replace("memory", out + [""] + sampling(sampled, results))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("golden")
    p.add_argument("ours")
    p.add_argument("--first", type=int, default=0)
    p.add_argument("--step", type=int, default=1)
    p.add_argument("--least", type=least_of, default={})
    p.add_argument("--report", action="store_true")
    p.add_argument("--sampled", help="the same launches as OURS, sampled")
    a = p.parse_args()
    golden, ours = rows(a.golden), rows(a.ours)
    names = cases(os.path.join(os.path.dirname(os.path.abspath(__file__)), "memory.def"))
    results = []
    for i, got in enumerate(ours):
        index = a.first + i * a.step
        want = golden[index]
        if got["Kernel Name"].split("(")[0] != want["Kernel Name"].split("(")[0] or want["Kernel Name"].split("(")[0] != names[index]["kernel"]:
            raise SystemExit("launch %d: recorded %s, ours %s" % (index, want["Kernel Name"], got["Kernel Name"]))
        if not got.get("dram__sectors_read.sum"):
            raise SystemExit("launch %d: the model did not see it" % index)
        results.append(compare(names[index], index, want, got))
    for r in results:
        for key in NAMES:
            if not r["fine"][key]:
                print("launch %d %s %s: %s is %.6g, the GPU counts %.6g (%+.1f)" % (r["index"], r["case"]["kernel"], r["case"]["args"], NAMES[key], r[key][1], r[key][0], r["off"][key]))
    odd = [r for r in results if r["index"] % 2]
    for key in NAMES:
        print("%s: %.1f %% of %d odd launches agree, %.1f %% of all %d" % (NAMES[key], share(odd, key), len(odd), share(results, key), len(results)))
    wrong = disagreeing(odd, a.least)
    if wrong:
        print("\n".join(wrong))
    failed = bool(wrong)
    pairs = []
    for r, full, some in zip(results, ours, rows(a.sampled) if a.sampled else []):
        pairs.append((compare(r["case"], r["index"], full, some), compare(r["case"], r["index"], golden[r["index"]], some)))
    for key in NAMES:
        off = [p for p, _ in pairs if threads(p["case"]) >= 1 << 20 and not p["fine"][key]]
        for p in off:
            print("launch %d %s: a sample says %.6g, the full model %.6g: %s" % (p["index"], p["case"]["kernel"], p[key][1], p[key][0], NAMES[key]))
        failed |= 20 * len(off) > len(pairs)
    if a.report:
        report(results, pairs)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
