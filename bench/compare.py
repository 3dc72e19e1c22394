#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Judges whether one build is slower than another, kernel by kernel (compare.sh: of two commits).

usage: compare.py BASE NEW [--pairs N] [--limit PERCENT]

BASE and NEW are programs; `BASE` prints a line `NAME<tab>MS` for each kernel, `BASE NAME` for this one. They run in turns, so
that slow moments of the machine hit both. A kernel's ratio in a series is the median of its ratios in pairs of neighbouring runs.
What is slower by more than the limit in the first series is measured again in a second and a third; only what is slower in all
three is a slowdown. Exit status: 0 none, 1 some, 2 a program failed or the two have no kernel in common.
Limits: what is slower by less, or only sometimes, passes; a kernel that one side alone has is named and not judged."""
import argparse
import math
import statistics
import subprocess
import sys

SERIES = 3  # a slowdown must show in each: by chance alone one of 150 kernels in 10 runs shows in the first


def times(program, name=None):
    """{kernel: ms} of one run."""
    run = subprocess.run([program] + ([name] if name else []), stdout=subprocess.PIPE, text=True, check=False)
    if run.returncode:
        sys.stderr.write("compare: '%s' failed with status %d\n" % (program, run.returncode))
        sys.exit(2)
    found = {}
    for line in run.stdout.splitlines():
        kernel, tab, value = line.rpartition("\t")
        if tab and float(value) > 0:
            found[kernel] = float(value)
    return found


def series(base, new, pairs, name=None):
    """{kernel: ratio new / base} of the kernels that both have, and the names that one has alone."""
    ratios, alone = {}, set()
    for pair in range(pairs):
        first, second = (base, new) if pair % 2 == 0 else (new, base)
        a, b = times(first, name), times(second, name)
        old, fresh = (a, b) if pair % 2 == 0 else (b, a)
        for kernel in old.keys() & fresh.keys():
            ratios.setdefault(kernel, []).append(fresh[kernel] / old[kernel])
        alone |= old.keys() ^ fresh.keys()
    return {kernel: statistics.median(values) for kernel, values in ratios.items()}, alone


def slower(ratios, limit):
    return sorted((kernel for kernel, ratio in ratios.items() if ratio > limit), key=lambda kernel: -ratios[kernel])


def confirm(base, new, pairs, limit, suspects):
    """Those that are slower in the other series, too, with their least ratio; says what each series found."""
    for number in range(2, SERIES + 1):
        still = {}
        for kernel, least in suspects.items():
            ratio = series(base, new, pairs, kernel)[0].get(kernel, 0)
            print("series %d: %-60s %.2f%s" % (number, kernel, ratio, "" if ratio > limit else "  not confirmed"))
            if ratio > limit:
                still[kernel] = min(least, ratio)
        suspects = still
    return suspects


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("base")
    parser.add_argument("new")
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--limit", type=float, default=10)
    options = parser.parse_args()
    limit = 1 + options.limit / 100
    ratios, alone = series(options.base, options.new, options.pairs)
    if not ratios:
        sys.stderr.write("compare: the two builds have no kernel in common\n")
        return 2
    for kernel in sorted(alone):
        print("not in both: %s" % kernel)
    order = sorted(ratios, key=ratios.get)
    print("time of the new build / the base's, %d kernels: geometric mean %.3f, least %.2f (%s), most %.2f (%s)" % (
        len(order), math.exp(statistics.fmean(map(math.log, ratios.values()))), ratios[order[0]], order[0], ratios[order[-1]], order[-1]))
    suspects = {kernel: ratios[kernel] for kernel in slower(ratios, limit)}
    for kernel, ratio in suspects.items():
        print("series 1: %-60s %.2f" % (kernel, ratio))
    found = confirm(options.base, options.new, options.pairs, limit, suspects)
    for kernel, least in found.items():
        print("SLOWER: %s: %.2f times the base's time at least, in %d series" % (kernel, least, SERIES))
    if not found:
        print("no kernel is slower by more than %g %% in %d series" % (options.limit, SERIES))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
