#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Accesses of one warp with chosen addresses, whose counters are recorded on a GPU one request at a time (record_patterns.sh).

usage: patterns.py ptx            PTX with one kernel an operation; each makes one access, lane by lane where told
       patterns.py list GROUP     the patterns: operation, then the byte offset of each lane, - where it takes no part
       patterns.py join LIST CSV METRIC...   LIST's lines with the metrics of CSV (ncu --csv --page raw) before the offsets

Both lists are the same at each call: the numbers come from a generator of our own."""
import csv
import sys

LANES = 32
# name: (group, bytes a lane, instruction with R its result, V its value, A its address)
OPS = {}


def op(name, group, size, text):
    OPS[name] = (group, size, text)


for suffix, size, kind, vector in (("1", 1, "u8", ""), ("2", 2, "u16", ""), ("4", 4, "u32", ""), ("8", 8, "u64", ""), ("16", 16, "u32", ".v4"),
                                   ("16b", 16, "u64", ".v2")):
    result = {"1": "%h0", "2": "%h0", "4": "%r8", "8": "%d0", "16": "{%r8, %r9, %r10, %r11}", "16b": "{%d0, %d1}"}[suffix]
    for space, letter in (("shared", "s"), ("global", "g"), ("const", "c")):
        if suffix == "16b" and letter != "s":
            continue
        op("ld" + letter + suffix, "ld" + letter, size, "ld.%s%s.%s %s, [A];" % (space, vector, kind, result))
        if letter != "c":
            op("st" + letter + suffix, "ld" + letter, size, "st.%s%s.%s [A], %s;" % (space, vector, kind, result))
op("ldg2x8", "ldg", 8, "ld.global.v2.f32 {%f0, %f1}, [A];")
op("ldgnc4", "ldg", 4, "ld.global.nc.u32 %r8, [A];")
op("ldgcg4", "ldg", 4, "ld.global.cg.u32 %r8, [A];")
op("ldgsts4", "ldg", 4, "cp.async.ca.shared.global [S], [A], 4;")
op("ldgsts8", "ldg", 8, "cp.async.ca.shared.global [S], [A], 8;")
op("ldgsts16", "ldg", 16, "cp.async.cg.shared.global [S], [A], 16;")
for space, letter in (("shared", "s"), ("global", "g")):
    group = "atom" + letter
    for name, size, text in (("add_u32", 4, "atom.SP.add.u32 %r8, [A], %r1;"), ("red_add_u32", 4, "red.SP.add.u32 [A], %r1;"),
                             ("max_s32", 4, "atom.SP.max.s32 %r8, [A], %r1;"), ("and_b32", 4, "red.SP.and.b32 [A], %r1;"),
                             ("exch_b32", 4, "atom.SP.exch.b32 %r8, [A], %r1;"), ("cas_b32", 4, "atom.SP.cas.b32 %r8, [A], %r1, %r2;"),
                             ("inc_u32", 4, "red.SP.inc.u32 [A], %r1;"), ("add_u64", 8, "atom.SP.add.u64 %d0, [A], %d2;"),
                             ("red_add_u64", 8, "red.SP.add.u64 [A], %d2;"), ("max_u64", 8, "red.SP.max.u64 [A], %d2;"),
                             ("cas_b64", 8, "atom.SP.cas.b64 %d0, [A], %d2, %d3;"), ("exch_b64", 8, "atom.SP.exch.b64 %d0, [A], %d2;"),
                             ("add_f32", 4, "red.SP.add.f32 [A], %f1;"), ("atom_add_f32", 4, "atom.SP.add.f32 %f0, [A], %f1;"),
                             ("add_f64", 8, "red.SP.add.f64 [A], %e1;"), ("add_f16x2", 4, "red.SP.add.noftz.f16x2 [A], %r1;"),
                             ("add_f16", 2, "red.SP.add.noftz.f16 [A], %h1;"), ("cas_b16", 2, "atom.SP.cas.b16 %h0, [A], %h1, %h2;"),
                             ("cas_b128", 16, "atom.SP.cas.b128 %q0, [A], %q1, %q1;"), ("red_v4_f32", 16, "red.SP.v4.f32.add [A], {%f1, %f1, %f1, %f1};"),
                             ("red_v2_f32", 8, "red.SP.v2.f32.add [A], {%f1, %f1};")):
        if letter == "s" and name in ("red_v4_f32", "red_v2_f32"):
            continue
        op(name + "_" + letter, group, size, text.replace("SP", space))

KERNEL = """.visible .entry NAME(.param .u64 offsets, .param .u64 memory)
{
 .reg .pred %p<2>; .reg .b16 %h<4>; .reg .b32 %r<16>; .reg .b64 %d<8>; .reg .b64 %a<8>; .reg .f32 %f<4>; .reg .f64 %e<4>; .reg .b128 %q<2>;
 ld.param.u64 %a0, [offsets];
 ld.param.u64 %a1, [memory];
 cvta.to.global.u64 %a0, %a0;
 cvta.to.global.u64 %a1, %a1;
 mov.u32 %r0, %tid.x;
 mul.wide.u32 %a2, %r0, 4;
 add.u64 %a2, %a0, %a2;
 ld.global.u32 %r3, [%a2];
 add.u32 %r1, %r0, 1;
 mov.u32 %r2, 5;
 cvt.u16.u32 %h0, %r1; cvt.u16.u32 %h1, %r1; cvt.u16.u32 %h2, %r2;
 cvt.u64.u32 %d0, %r1; cvt.u64.u32 %d1, %r1; cvt.u64.u32 %d2, %r1; cvt.u64.u32 %d3, %r2;
 cvt.rn.f32.u32 %f0, %r1; mov.f32 %f1, %f0;
 cvt.rn.f64.u32 %e1, %r1; mov.b128 %q1, {%d2, %d3}; mov.b128 %q0, %q1;
 mov.u32 %r8, %r1; mov.u32 %r9, %r1; mov.u32 %r10, %r1; mov.u32 %r11, %r1;
 setp.ge.s32 %p0, %r3, 0;
 ADDRESS
 @%p0 TEXT
 TAIL
 ret;
}
"""
SHARED = " mov.u32 %r4, sbuf; add.u32 %r3, %r4, %r3;"
GLOBAL = " cvt.u64.u32 %a3, %r3; add.u64 %a3, %a1, %a3; add.u64 %a3, %a3, 4096; mov.u32 %r4, sbuf; shl.b32 %r5, %r0, 4; add.u32 %r4, %r4, %r5;"
CONST = " mov.u64 %a3, cbuf; cvt.u64.u32 %a4, %r3; add.u64 %a3, %a3, %a4;"
# What was loaded is used: stored where the offsets' buffer ends, 16 bytes a lane.
TAIL = """mul.wide.u32 %a5, %r0, 16; add.u64 %a5, %a0, %a5;
 cvt.u32.u16 %r5, %h0; xor.b32 %r8, %r8, %r9; xor.b32 %r10, %r10, %r11; xor.b32 %r8, %r8, %r10; xor.b32 %r8, %r8, %r5;
 mov.b32 %r6, %f0; xor.b32 %r8, %r8, %r6; mov.b128 {%d4, %d5}, %q0; xor.b64 %d0, %d0, %d1; xor.b64 %d0, %d0, %d4; xor.b64 %d0, %d0, %d5;
 cvt.u32.u64 %r7, %d0; xor.b32 %r8, %r8, %r7; shr.u64 %d0, %d0, 32; cvt.u32.u64 %r7, %d0; xor.b32 %r8, %r8, %r7;
 st.global.u32 [%a5+128], %r8;"""


def ptx():
    print(".version 9.0\n.target sm_90\n.address_size 64\n.const .align 16 .b8 cbuf[16384] = {1};")
    for name, (group, size, text) in OPS.items():
        space = group[-1]
        body = KERNEL.replace("NAME", "p_" + name).replace("ADDRESS", {"s": SHARED, "g": GLOBAL, "c": CONST}[space])
        if space == "s" or "sts" in name:
            body = body.replace("{\n .reg", "{\n .shared .align 16 .b8 sbuf[32768];\n .reg", 1)
        else:
            body = body.replace(" mov.u32 %r4, sbuf;", " mov.u32 %r4, 0;")
        text = text.replace("[A]", "[%r3]" if space == "s" else "[%a3]").replace("[S]", "[%r4]")
        print(body.replace("TEXT", text + (" cp.async.wait_all;" if "sts" in name else "")).replace("TAIL", TAIL))


class Numbers:
    """A linear congruential generator: the same numbers everywhere."""

    def __init__(self, seed):
        self.state = (seed * 2654435761 + 12345) & 0xffffffffffffffff

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & 0xffffffffffffffff
        return (self.state >> 33) % n


def off(elements, lanes):
    return [e if lanes >> i & 1 else None for i, e in enumerate(elements)]


def masks(r):
    return [0xffffffff, 0xffffffff, 0x0000ffff, 0xffff0000, 0x55555555, 0x33333333, 0x00ff00ff, 0x0f0f0f0f, 0x000000ff, 1 << r.below(32),
            r.below(1 << 31) * 2 + r.below(2), r.below(1 << 31) | 1][r.below(12)]


def structured(size):
    """Patterns that tell rules apart: halves, quarters and pairs of lanes in rows of their own, broadcasts, multicasts."""
    row = max(128 // size, 1)
    lanes = range(LANES)
    yield [0 for i in lanes]
    for stride in (1, 2, 3, 4, 5, 8, 16, 17, 32, 33):
        yield [i * stride for i in lanes]
    yield [31 - i for i in lanes]
    for group in (2, 4, 8, 16):
        yield [i // group for i in lanes]              # neighbours share
        yield [i % group for i in lanes]               # lanes apart share
        yield [i // group * row for i in lanes]        # shared, one bank
        yield [i % group * row for i in lanes]
        yield [i // group * row * 3 + i % group for i in lanes]   # groups in rows of their own, same banks
        yield [i // group * (row + group) + i % group for i in lanes]  # and in different banks
        yield [(i % group) * (row + 1) for i in lanes]
        yield [i ^ group for i in lanes]
        yield [i % 16 + i // 16 * row * group for i in lanes]
        yield [i % 8 + i // 8 * row * group for i in lanes]
        yield [(i & ~1) * group for i in lanes]
        yield [(i & ~2) * group for i in lanes]
        yield [(i >> 1) * row if i & 1 else i for i in lanes]
        yield [i // 2 % group * row + i % 2 for i in lanes]
    yield [i % 16 * 2 + i // 16 for i in lanes]
    yield [(i % 4) * 8 + i // 4 for i in lanes]
    yield [i // 2 * row for i in lanes]
    yield [i // 2 * row + i % 2 for i in lanes]
    yield [i % 2 * row + i // 2 for i in lanes]
    yield [i % 2 * row * 2 + i // 2 * 2 for i in lanes]


def random_patterns(size, seed, count, room):
    r = Numbers(seed)
    row = max(128 // size, 1)
    for n in range(count):
        kind = n % 6
        span = [4, 8, 16, 32, 64, 128, 256, 1024, room][r.below(9)]
        span = min(span, room)
        if kind == 0:
            elements = [r.below(span) for i in range(LANES)]
        elif kind == 1:                                # halves, quarters or eighths that each have a base, together inside
            group = [2, 4, 8, 16][r.below(4)]
            base = [r.below(max(room - group, 1)) for i in range(LANES // group)]
            elements = [base[i // group] + i % group for i in range(LANES)]
        elif kind == 2:                                # rows: aligned bases
            group = [4, 8, 16][r.below(3)]
            base = [r.below(max(room // row, 1)) * row for i in range(LANES // group)]
            elements = [(base[i // group] + i % group) % room for i in range(LANES)]
        elif kind == 3:                                # pairs share
            some = [r.below(span) for i in range(LANES)]
            bit = 1 << r.below(5)
            elements = [some[i & ~bit] for i in range(LANES)]
        elif kind == 4:                                # a permutation of neighbours
            elements = list(range(LANES))
            for i in range(LANES - 1, 0, -1):
                j = r.below(i + 1)
                elements[i], elements[j] = elements[j], elements[i]
            base = r.below(max(room - LANES, 1))
            elements = [e + base for e in elements]
        else:                                          # few distinct rows, any bank
            rows = 1 + r.below(4)
            elements = [(r.below(rows) * row * 2 + r.below(row)) % room for i in range(LANES)]
        yield off(elements, masks(r))


COUNTS = {"lds": 96, "ldg": 18, "ldc": 40, "atoms": 24, "atomg": 24}


def patterns(group):
    for number, (name, (of, size, text)) in enumerate(OPS.items()):
        if of != group:
            continue
        room = {"s": 32768, "g": 65536, "c": 16384}[group[-1]] // size
        if group == "ldc":
            room = min(room, 2048)
        some = list(structured(size)) if group == "lds" and name.startswith("ld") and size > 2 else []
        if group != "lds":
            some = list(structured(size))[:14 if group[0] == "l" else 8]
        count = COUNTS[group] // (2 if name.startswith("st") or name == "lds16b" else 1)
        some += random_patterns(size, number + 1, count, room)
        if group == "atomg":                           # over many lines, all lanes on or nearly
            r = Numbers(number + 1000)
            some += [off([r.below(room >> r.below(7)) for i in range(LANES)], masks(r) | 0xffffff) for n in range(24)]
        for p in some:
            yield name, [None if e is None else e % room * size for e in p]


def main():
    if sys.argv[1] == "ptx":
        ptx()
    elif sys.argv[1] == "list":
        for name, p in patterns(sys.argv[2]):
            print(name, " ".join("-" if e is None else str(e) for e in p))
    else:
        lines = open(sys.argv[2]).read().splitlines()
        rows = [r for r in csv.DictReader(open(sys.argv[3], newline="")) if r["ID"] != ""]
        if len(rows) != len(lines):
            sys.exit("%d patterns, %d launches" % (len(lines), len(rows)))
        for line, row in zip(lines, rows):
            name, rest = line.split(" ", 1)
            print(name, " ".join(row.get(m, "-").replace(",", "") or "-" for m in sys.argv[4:]), "|", rest)


if __name__ == "__main__":
    main()
