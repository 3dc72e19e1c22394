#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What waits for what, predicted beside recorded: the section "overlap" of docs/accuracy.md. Run by overlap.sh.

usage: overlap.py SOURCE-TREE PREDICTED.csv ...
"""
import csv
import pathlib
import statistics
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import docs_section  # noqa: E402

# the case that a parameter was chosen by: not an error to report
CHOSEN = {("single", "one", 1): "kernel_least_ns", ("single", "two in a stream", 2): "", ("single", "launch", 1): "call_launch_ns",
          ("single", "wait for event", 1): "call_wait_ns", ("single", "host function", 1): "host_function_ns",
          ("host", "between kernels", 1): "host_wake_ns", ("nested", "children in a row", 1): "cdp_launch_ns",
          ("nested", "children in a row", 2): "cdp_next_ns", ("nested", "children in a row", 4): "cdp_next_ns",
          ("nested", "children beside each other", 4): "cdp_call_ns", ("graph", "short kernels in a row", 1): "call_graph_ns",
          ("graph", "short kernels in a row", 64): "kernel_graph_ns", ("graph", "a loop", 4): "condition_ns", ("graph", "a loop", 6): "condition_ns",
          ("launches", "dependent: never triggered", 2): "kernel_early_ns"}
# seen at costs too small for one event beside another, or about the host's threads
LEFT_OUT = {("single", "gap"), ("single", "graph launch"), ("single", "first child"), ("default", "per thread")}


def read(paths):
    found = {}
    for path in paths:
        for row in csv.DictReader(open(path)):
            found.setdefault((row["group"], row["case"], int(row["n"])), []).append(float(row["event_us"]))
    return {key: statistics.median(times) for key, times in found.items()}


def main():
    source = pathlib.Path(sys.argv[1])
    recorded, predicted = read(sorted((source / "tests/hw/h200").glob("overlap-?.csv"))), read(sys.argv[2:])
    lines, errors = [], []
    for key, us in recorded.items():
        if key not in predicted or key[:2] in LEFT_OUT:
            continue
        error = predicted[key] / us - 1
        if CHOSEN.get(key) is None:
            errors.append(error)
        lines.append(f"| {key[0]}: {key[1]} | {key[2]} | {CHOSEN.get(key, '')} | {predicted[key]:.1f} | {us:.1f} | {100 * error:+.0f} % |")
    text = docs_section.wrap(
        "`tests/hw/overlap.cu` runs kernels that are busy for 20, 100 or 600 us. It ran on an H200 (tests/hw/h200/overlap-1.csv, -2.csv; median) and here. "
        f"Of {len(errors)} cases that gave no parameter the mean error is {100 * statistics.mean(map(abs, errors)):.1f} %, the largest {100 * max(errors, key=abs):+.0f} %. "
        "The times of host threads differ from run to run.")
    docs_section.replace("overlap", text + ["", "| case | n | parameter fitted to it | predicted, us | H200, us | off |", "|---|---|---|---|---|---|", *lines])


main()
