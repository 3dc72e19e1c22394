#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sums and products of addresses, sizes, pitches, counts and offsets in the driver and the runtime that are not made by
sw_sum or sw_product (base.h), which do not wrap. A file whose numbers were checked before is in CHECKED, with the reason."""
import glob
import re
import sys

WORD = r"(?:\w+(?:->|\.))*\w*(?:width|height|depth|pitch|bytes|size|count|rows|address|offset|length)\b"
FOUND = re.compile(rf"(?<!\w)(?:{WORD}\s*(?:\*|\+)\s*{WORD})")
CHECKED = {
    "src/driver/alloc/driver_external.c": "a range inside of pages that a file has",
    "src/driver/alloc/driver_pool_alloc.c": "offsets of the pool's own blocks",
    "src/driver/alloc/driver_vmm.c": "a range inside of a reservation, checked before",
    "src/driver/clock/driver_managed_host.c": "pieces of a managed block",
    "src/driver/copy/driver_copy.c": "driver_side_check: its sum is checked in its first line",
    "src/driver/graph/driver_graph_memory.c": "memory that a node of the graph made",
    "src/driver/launch/driver_legacy.c": "an int that is not negative and an unsigned int, in 64 bits",
    "src/driver/memory/driver_guard.c": "ranges of allocations",
    "src/driver/memory/driver_memory.c": "driver_memory_is_mapped compares the sum with its address",
    "src/driver/memory/driver_pool.c": "offsets of the pool's own blocks",
    "src/driver/stream/driver_known.c": "fills, whose span was checked when they were queued",
    "src/driver/stream/driver_work.c": "copies and fills, whose span was checked when they were queued",
    "src/driver/texture/driver_texture_record.c": "a width below PITCHED_WIDTHS and a texel's bytes",
    "src/runtime/runtime_array.c": "rows that were copied",
    "src/runtime/runtime_copy.c": "an offset inside of a symbol, compared with its size before",
    "src/runtime/runtime_symbols.c": "the program's own file, which the loader has mapped",
}


def main():
    found, used = 0, set()
    for path in sorted(glob.glob("src/driver/*/*.c") + glob.glob("src/runtime/*.c")):
        text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), open(path).read(), flags=re.S)
        for number, line in enumerate(text.split("\n"), 1):
            if not FOUND.search(re.sub(r'"(?:[^"\\]|\\.)*"', "", line)):
                continue
            used.add(path)
            if path not in CHECKED:
                print(f"{path}:{number}: sw_sum or sw_product: {line.strip()}")
                found += 1
    for path in sorted(set(CHECKED) - used):
        print(f"scripts/check_arithmetic.py: {path} has no such sum or product any more")
        found += 1
    return found != 0


sys.exit(main())
