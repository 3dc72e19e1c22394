#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times of copies, predicted beside recorded: run by copies.sh.

usage: copies.py check|write|show|peers GPU SOURCE-TREE PREDICTED.csv ...     peers: of peer.cu (peer.sh), beside GPU/peer-?.csv

Every second size of a kind's list was fitted to (fit_copies.py), the others report the error. Groups without
a list of sizes gave one parameter each, named in the table.
"""
import csv
import pathlib
import statistics
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import docs_section  # noqa: E402

TITLES = {
    ("copy", "h2d_pinned"): "pinned to device", ("copy", "d2h_pinned"): "device to pinned",
    ("copy", "h2d_registered"): "registered to device", ("copy", "d2h_registered"): "device to registered",
    ("copy", "h2d_combining"): "write-combining to device", ("copy", "h2d_pageable"): "pageable to device",
    ("copy", "d2h_pageable"): "device to pageable", ("copy", "d2d"): "inside the device",
    ("copy_sync", "h2d_pinned"): "cudaMemcpy, pinned to device", ("copy_sync", "h2d_pageable"): "cudaMemcpy, pageable to device",
    ("copy_sync", "d2h_pageable"): "cudaMemcpy, device to pageable", ("memset", "memset8"): "cudaMemsetAsync",
    ("copy2d", "h2d_pinned"): "strided, pinned to device", ("copy2d", "d2d"): "strided, inside the device",
    ("copy_many", "h2d_pinned_4k"): "1 to 256 copies of 4 KiB in a stream",
    ("both_ways", "h2d_and_d2h"): "to the device and back at the same time", ("both_ways", "h2d_twice"): "to the device twice at the same time",
    ("mapped", "read_mapped"): "kernel reads mapped host memory", ("mapped", "write_mapped"): "kernel writes mapped host memory",
    ("mapped", "add_mapped"): "kernel reads twice as much as it writes, mapped",
    ("managed", "fault_write"): "kernel faults on managed pages that it writes",
    ("managed", "fault_read"): "kernel faults on managed pages that it reads",
    ("managed", "fault_both"): "kernel faults on managed pages that it reads and writes",
    ("managed", "first_touch"): "kernel writes managed pages that nobody has accessed",
    ("managed", "host_read"): "the host reads managed pages that are on the device",
    ("managed", "prefetch_in"): "prefetch to the device", ("managed", "prefetch_out"): "prefetch to the host",
}
PEERS = {
    ("peer", "to_peer_staged"): "to the other device, through the host", ("peer", "from_peer_staged"): "from the other device, through the host",
    ("peer", "to_peer_enabled"): "to the other device", ("peer", "from_peer_enabled"): "from the other device",
    ("peer_both", "both_ways"): "both at once", ("peer_both", "h2d_beside_peer"): "a copy beside one from the host to the other device",
    ("peer_both", "h2d_on_both"): "copies from the host to both", ("peer_both", "kernels_on_both"): "kernels on both, one stream waits for the other",
}
PEERS_FITTED = {("peer", "to_peer_enabled"), ("peer", "from_peer_staged")}
FITTED = {("copy", "h2d_pinned"), ("copy", "d2h_pinned"), ("copy", "h2d_pageable"), ("copy", "d2h_pageable"), ("copy", "d2d"),
          ("memset", "memset8"), ("copy2d", "d2d")}
PARAMETERS = {("copy", "h2d_registered"): "registered_ns", ("copy2d", "h2d_pinned"): "row_ps", ("both_ways", "h2d_and_d2h"): "both_ways_permille",
              ("managed", "fault_read"): "fault (all sizes)", ("managed", "fault_write"): "fault_write (all sizes)", ("managed", "prefetch_in"): "prefetch_in (all sizes)",
              ("managed", "prefetch_out"): "prefetch_out (all sizes)", ("copy_sync", "h2d_pinned"): "submit_ns, notice_ns",
              ("mapped", "read_mapped"): "the latency"}
CHOSEN = {("managed", "first_touch"): (4 << 20, 64 << 20), ("managed", "host_read"): (64 << 10, 1 << 20)}  # these sizes alone
# Mean errors of the sizes that copies.sh runs, per cent, when last measured; a test allows MARGIN more.
MARGIN = 0.5
CHECKED = {("copy", "d2d"): 3.3, ("copy", "d2h_pageable"): 3.0, ("copy", "d2h_pinned"): 0.8, ("copy", "d2h_registered"): 0.9,
           ("copy", "h2d_combining"): 2.8, ("copy", "h2d_pageable"): 4.9, ("copy", "h2d_pinned"): 1.1, ("copy", "h2d_registered"): 1.6,
           ("copy2d", "d2d"): 7.7, ("copy_many", "h2d_pinned_4k"): 6.1, ("memset", "memset8"): 6.5}
# Of copies between devices; what the host's memory does with copies to both (h2d_on_both) is not modelled.
PEERS_CHECKED = {("peer", "to_peer_staged"): 4.3, ("peer", "from_peer_staged"): 3.0, ("peer", "to_peer_enabled"): 1.0,
                 ("peer", "from_peer_enabled"): 3.2, ("peer_both", "both_ways"): 1.1, ("peer_both", "h2d_beside_peer"): 1.9,
                 ("peer_both", "kernels_on_both"): 5.0}


def read(paths):
    found = {}
    for path in paths:
        for row in csv.DictReader(open(path)):
            key = (row["group"], row["case"]), int(row["bytes"]), int(row["n"])
            found.setdefault(key, []).append(float(row["event_us"]) or float(row["host_us"]))  # host_read had no events
    return found


def apart(times):
    """How far each recording is from the median of the others, on average; None: there is one alone."""
    others = [times[:i] + times[i + 1:] for i in range(len(times))]
    return statistics.mean(abs(t / statistics.median(o) - 1) for t, o in zip(times, others)) if len(times) > 1 and min(times) > 0 else None


def errors_of(predicted, recorded, titles, fitted):
    """By kind: [(reported, error, bytes, n, predicted, recorded, how far recordings are apart)]."""
    kinds = {}
    for (kind, size, n), times in sorted(recorded.items()):
        us = statistics.median(times)
        if kind not in titles or not us:
            continue
        place = len(kinds.setdefault(kind, []))
        ours = statistics.median(predicted.get((kind, size, n), [0]))
        reported = size not in CHOSEN[kind] if kind in CHOSEN else kind not in fitted or place % 2 == 1
        kinds[kind].append((reported, ours / us - 1 if ours else None, size, n, ours, us, apart(times)))
    return {kind: [case for case in cases if case[1] is not None] for kind, cases in kinds.items()}


def mean(cases):
    return 100 * statistics.mean(abs(case[1]) for case in cases)


def size_text(size):
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit:
            return f"{size / unit:g} {name}"
    return f"{size} B"


def table(kinds):
    lines = ["| operation | cases | fitted to | mean error | spread of recordings | within 10 % | largest error: predicted, recorded (us) |", "|---|---|---|---|---|---|---|"]
    for kind, cases in kinds.items():
        reported = [case for case in cases if case[0]]
        if not reported:
            continue
        worst = max(reported, key=lambda case: abs(case[1]))
        chosen = "every second size" if kind in FITTED else PARAMETERS.get(kind, "nothing")
        if kind in CHOSEN:
            chosen = " and ".join(map(size_text, CHOSEN[kind]))
        within = sum(abs(case[1]) <= 0.1 for case in reported)
        between = 100 * statistics.mean(case[6] for case in reported if case[6] is not None)
        what = size_text(worst[2]) + (f", {worst[3]}" if worst[3] > 1 else "")
        lines.append(f"| {TITLES[kind]} | {len(reported)} | {chosen} | {mean(reported):.1f} % | {between:.1f} % | {within} | "
                     f"{what}: {worst[4]:.1f}, {worst[5]:.1f} ({100 * worst[1]:+.0f} %) |")
    return lines


def ladder(kinds):
    shown = sorted(kind for kind in FITTED if kind[0] != "copy2d")
    lines = ["| us | " + " | ".join(TITLES[k] for k in shown) + " |", "|---" * (len(shown) + 1) + "|"]
    for size in (1 << 10, 24 << 10, 96 << 10, 384 << 10, 1536 << 10, 6 << 20, 24 << 20, 96 << 20):
        row = []
        for kind in shown:
            case = [c for c in kinds.get(kind, []) if c[2] == size]
            row.append(f"{case[0][4]:.1f} / {case[0][5]:.1f}" if case else "")
        lines.append(f"| {size_text(size)} | " + " | ".join(row) + " |")
    return lines


def write(kinds):
    reported = [case for kind in kinds if kind[0] in ("copy", "memset", "both_ways", "copy_many") for case in kinds[kind] if case[0]]
    within = sum(abs(case[1]) <= 0.1 for case in reported)
    text = docs_section.wrap(
        "`tests/hw/copies.cu` copies and fills 1 KiB to 1 GiB between two events. It ran on an H200 (tests/hw/h200/copies-machine.txt; median of three "
        "recordings, of managed memory six) and here under `softwarp profile`. Where times by size were fitted, every second size was used, and the table "
        "reports the others. Other operations gave the named parameter, or none.") + [""]
    text += docs_section.wrap(f"Of copies, fills and overlap, {len(reported)} cases were not fitted: their mean error is {mean(reported):.1f} %, and "
                              f"{100 * within / len(reported):.0f} % of them are within 10 %.") + ["", *table(kinds), ""]
    text += docs_section.wrap("Spread of recordings: the mean distance of each recording from the median of the others.")
    docs_section.replace("copies", text + ["", "Predicted / recorded:", "", *ladder(kinds)])


def main():
    source = pathlib.Path(sys.argv[3])
    peers = sys.argv[1] == "peers"
    folder = source / "tests/hw" / sys.argv[2]
    recorded = read(path for name in (("peer",) if peers else ("copies", "managed")) for path in sorted(folder.glob(name + "-?.csv")))
    titles, fitted, checked = (PEERS, PEERS_FITTED, PEERS_CHECKED) if peers else (TITLES, FITTED, CHECKED)
    kinds = errors_of(read(sys.argv[4:]), recorded, titles, fitted)
    if sys.argv[1] == "show":
        every = [case for kind in kinds if kind[0] in ("copy", "memset", "copy_many") for case in kinds[kind]]
        print(f"{len(every)} copies and fills: {mean(every):.1f} %, {sum(abs(c[1]) <= 0.1 for c in every)} within 10 %")
        for kind, cases in kinds.items():
            if cases:
                print(f"{TITLES[kind]}: {len(cases)} cases, {mean(cases):.1f} %")
        return 0
    if sys.argv[1] == "write":
        write(kinds)
        return 0
    bad = 0
    for kind in sorted(checked):
        reported = [case for case in kinds.get(kind, []) if case[0]]
        error = mean(reported) if reported else 100
        print(f"{titles[kind]}: {len(reported)} cases, {error:.1f} %; {checked[kind]:.1f} was measured, {checked[kind] + MARGIN:.1f} allowed")
        bad += error > checked[kind] + MARGIN
    return 1 if bad else 0


sys.exit(main())
