#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cliff finder: generated CUDA kernels against their twins in plain C, side by side in one process of one thread.

usage: cliffs.py BUILD [--count N] [--seed N] [--only AXIS=VALUE[,VALUE]]... [-k TEXT] [--reps N] [--worst N] [--all] [--keep FOLDER]
       cliffs.py BUILD --compile FOLDER    the program `cliffs` and the names of its samples, `names.txt`, without running it

Draws a sample of kernels (cliffs_kernels.py) that is the same for the same seed, compiles them with `softwarp cc` and the twins
with clang -O3 -march=native, compares the outputs, and prints the worst ratios (native / Softwarp: under 1 Softwarp is slower),
the geometric mean, and the geometric mean by each value of each axis. Exit status 1: an output is wrong. The values of an axis
are drawn from shuffled decks, so that a sample has each about as often. Times are medians of CPU time; a sample's launches are
repeated until its twin takes about a millisecond.
--only leaves values out before drawing, for blocks by `32x8`; -k keeps those drawn samples whose line has the text."""
import argparse
import math
import os
import random
import subprocess
import sys
import tempfile

from cliffs_kernels import BLOCKS, ACCESS_OF, C_NAMES, FAMILIES, INDICES, TYPES

HERE = os.path.dirname(os.path.abspath(__file__))
NATIVE_FLAGS = "-std=gnu17 -O3 -march=native -mprefer-vector-width=512 -ffp-contract=fast -fopenmp-simd -fno-math-errno -fwrapv -w".split()


class Decks:
    """Values of axes, each from a shuffled deck that is used up before it is shuffled again."""

    def __init__(self, rng, only):
        self.rng, self.only, self.decks = rng, only, {}

    def draw(self, axis, values, key):
        allowed = [v for v in values if axis not in self.only or text_of(v) in self.only[axis]] or None
        if allowed is None:
            return None
        deck = self.decks.setdefault((axis, key), [])
        if not deck:
            deck.extend(allowed)
            self.rng.shuffle(deck)
        return deck.pop()


def text_of(value):
    return "x".join(map(str, value)) if isinstance(value, tuple) else str(value)


def valid(family, axes):
    """Whether the values go together."""
    if family != "elementwise":
        return True
    of, form, space = TYPES[axes["type"]], axes["loop"], axes["space"]
    if axes["op"] == "copy" and (form not in ("none", "grid stride") or space in ("local", "constant")):
        return False
    if form == "grid stride" and (len(axes["block"]) > 1 or "tile" in space or axes["guard"] == "none"):
        return False
    if "tile" in space and (axes["guard"] == "return" or axes["access"] in ("row value", "column value")):
        return False
    if space == "local" and form != "none":
        return False
    return not (space == "constant" and (of.components or of.kind == "f16"))


def draw(decks, family):
    """One sample's axes, or None where the values drawn do not go together."""
    axes = {}
    spec = FAMILIES[family][2]
    for axis, values in spec.items():
        if axis == "dims":
            dims = 2 if axes.get("op") == "filter" else decks.draw("dims", values, family)
            axes["block"] = decks.draw("block", BLOCKS[dims], (family, dims)) if dims else None
        elif axis == "shapes":
            axes["block"] = decks.draw("block", values, family)
        elif axis == "access" and values is None:
            axes["access"] = decks.draw("access", ACCESS_OF[len(axes["block"])], (family, len(axes["block"])))
        else:
            axes[axis] = decks.draw(axis, values, family)
        if axes.get("block", 0) is None or None in axes.values():
            return None
    return axes if valid(family, axes) else None


def sample(count, seed, only):
    """Kernels: of each family its share."""
    decks, kernels = Decks(random.Random(seed), only), []
    total = sum(f[0] for f in FAMILIES.values())
    for family, (share, make, _) in FAMILIES.items():
        if "family" in only and family not in only["family"]:
            continue
        for _ in range(max(1, round(share * count / total))):
            for _ in range(200):
                axes = draw(decks, family)
                if axes:
                    kernels.append(make(dict(axes, family=family)))
                    break
    return kernels


def label(kernel):
    a = kernel.axes
    words = [kernel.name, text_of(kernel.block), a["index"]]
    words += ["guard " + a["guard"]] if a.get("guard", "none") != "none" else []
    words += ["loop " + a["loop"]] if a.get("loop", "none") != "none" else []
    words += [a["space"]] if a.get("space", "global") not in ("global",) and a["family"] in ("elementwise", "stencil") else []
    return ", ".join(words)


def definitions(kernel):
    """The names that a text uses: A the element, T its scalar, I the index, F what functions compute in."""
    of = kernel.of
    double = of.kind == "f64"
    names = {"A": C_NAMES.get(of.name, of.name), "T": of.scalar, "F": "double" if double else "float"}
    names.update({f: f.lower() + ("" if double else "f") for f in ("EXP", "SIN", "LOG", "POW", "SQRT")})
    return "".join("#undef %s\n#define %s %s\n" % (k, k, v) for k, v in names.items())


def table_of(kernel):
    return "table_" + kernel.of.kind


def texts(kernels):
    """kernels.cu and native.c."""
    cu, c, rows = ['#include "cliffs_harness.h"\n'], ['#include "cliffs_common.h"\n'], []
    for n, k in enumerate(kernels):
        restrict = "__restrict__ " if k.axes.get("restrict") else ""
        cu.append("// %s\n%s#define table %s\n#define I %s\n" % (label(k), definitions(k), table_of(k), INDICES[k.index]) +
                  "__global__ void kernel_%d(const A *%sa, const A *%sb, A *%sout, const int *%sidx, const int *%sperm, I w, I h, I d, I pitch, int iters)\n"
                  "{\n    %s\n    %s\n}\n#undef I\n#undef table\n" % (n, restrict, restrict, restrict, restrict, restrict, k.shared, k.body))
        block, grid = (",".join(map(str, v)) for v in (k.block, k.grid))
        cu.append("static void launch_%d(const void *a, const void *b, void *out, const int *idx, const int *perm)\n{\n"
                  "    kernel_%d<<<dim3(%s), dim3(%s)>>>((const A *)a, (const A *)b, (A *)out, idx, perm, %s, %d);\n}\n" % (
                      n, n, grid, block, ", ".join(map(str, k.sizes)), k.iters))
        signature = "(const void *va, const void *vb, void *vout, const int *restrict idx, const int *restrict perm)"
        c.append("%s#define table %s\nvoid native_%d%s\n{\n    const A *restrict a = va, *restrict b = vb; A *restrict out = vout;\n"
                 "    long w = %s, h = %s, d = %s, pitch = %s; int iters = iterations;\n    %s\n}\n#undef table\n" % (
                     (definitions(k), table_of(k), n, signature) + tuple(k.sizes) + (k.native,)))
        cu.append('extern "C" void native_%d(const void *, const void *, void *, const int *, const int *);\n' % n)
        rows.append('    {"%s", launch_%d, native_%d, KIND_%s, %d, %d, %g},\n' % (
            label(k), n, n, k.of.kind, k.outputs * max(1, len(k.of.components)), max(1, len(k.of.components)), k.tolerance))
    cu.append("static const struct row rows[] = {\n%s};\nint main(int argc, char **argv) { return run_rows(rows, sizeof rows / sizeof rows[0], argc, argv); }\n" %
              "".join(rows))
    return "".join(cu), "".join(c)


def build(kernels, build_folder, work):
    """The program; its path."""
    for name, text in zip(("kernels.cu", "native.c"), texts(kernels)):
        with open(os.path.join(work, name), "w", encoding="utf-8") as file:
            file.write(text)
    path = {n: os.path.join(work, n) for n in ("kernels.cu", "native.c", "native.o", "cliffs")}
    include = "-I" + HERE
    twin = subprocess.Popen(["clang-19", *NATIVE_FLAGS, include, "-c", path["native.c"], "-o", path["native.o"]])
    cuda = [os.path.join(build_folder, "bin", "softwarp"), "cc", "-arch=sm_90", "-O3", include, "-c", path["kernels.cu"], "-o", path["cliffs"] + ".o"]
    subprocess.run(cuda, check=True)
    if twin.wait():
        sys.exit("cliffs: the twins do not compile")
    subprocess.run([cuda[0], "cc", path["cliffs"] + ".o", path["native.o"], "-o", path["cliffs"], "-lm"], check=True)
    return path["cliffs"]


def measure(program, build_folder, reps, only_text):
    """(native ms, Softwarp ms, difference, tolerance) of each sample, in order."""
    cpu = max(os.sched_getaffinity(0))
    command = ["taskset", "-c", str(cpu), os.path.join(build_folder, "bin", "softwarp"), "run", program, str(reps)] + ([only_text] if only_text else [])
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=dict(os.environ, SOFTWARP_THREADS="1")).stdout
    lines = [line.split("\t") for line in out.splitlines() if line.count("\t") == 5]
    return [(int(f[0]),) + tuple(float(v) for v in f[1:]) for f in lines]


def geometric(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")


def report(kernels, results, worst, everything):
    """Prints; the number of wrong outputs."""
    ratio = {n: native / ours for n, native, ours, *_ in results}
    order = sorted(ratio, key=ratio.get)
    time = {n: (native, ours) for n, native, ours, *_ in results}
    print("%7s %10s %10s  %s" % ("ratio", "native us", "ours us", "kernel"))
    for n in order if everything else order[:worst]:
        print("%7.2f %10.1f %10.1f  %s" % (ratio[n], time[n][0] * 1e3, time[n][1] * 1e3, label(kernels[n])))
    print("\ngeometric mean of %d samples %.2f; %d under 0.4, %d under 0.8, least %.2f" % (
        len(order), geometric(list(ratio.values())), sum(r < 0.4 for r in ratio.values()), sum(r < 0.8 for r in ratio.values()), ratio[order[0]]))
    print("\ngeometric means by axis (number of samples)")
    axes = {}
    for n in order:
        for axis, value in kernels[n].axes.items():
            axes.setdefault(axis, {}).setdefault(text_of(value), []).append(ratio[n])
    for axis, values in axes.items():
        cells = sorted(values.items(), key=lambda item: geometric(item[1]))
        print("  %s: %s" % (axis, ", ".join("%s %.2f (%d)" % (v, geometric(r), len(r)) for v, r in cells)))
    wrong = [(n, d) for n, _, _, d, tolerance, _ in results if not d <= tolerance]
    for n, d in wrong:
        print("WRONG OUTPUT: %s, difference %g" % (label(kernels[n]), d))
    return len(wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build")
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("-k", dest="text", default="")
    parser.add_argument("--reps", type=int, default=9)
    parser.add_argument("--worst", type=int, default=15)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--keep")
    parser.add_argument("--compile")
    options = parser.parse_args()
    only = {axis: values.split(",") for axis, _, values in (o.partition("=") for o in options.only)}
    kernels = sample(options.count, options.seed, only)
    if options.compile:
        build(kernels, options.build, options.compile)
        with open(os.path.join(options.compile, "names.txt"), "w", encoding="utf-8") as file:
            file.writelines(label(k) + "\n" for k in kernels)
        return 0
    with tempfile.TemporaryDirectory() as temporary:
        work = options.keep or temporary
        os.makedirs(work, exist_ok=True)
        program = build(kernels, options.build, work)
        results = measure(program, options.build, options.reps, options.text)
    return 1 if report(kernels, results, options.worst, options.all) else 0


if __name__ == "__main__":
    sys.exit(main())
