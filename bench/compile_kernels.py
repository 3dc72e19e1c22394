#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: compile_kernels.py FOLDER [SIZE...]   PTX files of one kernel each, of about SIZE instructions (default: 500 to
20,000), for bench/compile.sh. A kernel is a row of sections, as unrolled code has them: loads, integer and float
arithmetic, a branch on data or a loop, stores to shared memory, and a barrier in every fourth. The same SIZE gives the
same file."""
import os, random, sys

SIZES = [500, 1000, 2000, 5000, 10000, 20000]
HEAD = """.version 8.0
.target sm_80
.address_size 64

.visible .entry synthetic_{size}(.param .u64 data, .param .u32 count)
.maxntid 256, 1, 1
{{
    .shared .align 16 .b8 tile[4096];
    .reg .pred %p<{regs}>;
    .reg .b32 %r<{regs}>;
    .reg .f32 %f<{regs}>;
    .reg .b64 %d<8>;
    ld.param.u64 %d0, [data];
    ld.param.u32 %r0, [count];
    cvta.to.global.u64 %d0, %d0;
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, tile;
    mul.wide.u32 %d1, %r1, 4;
    add.s64 %d0, %d0, %d1;
    shl.b32 %r3, %r1, 2;
    add.s32 %r2, %r2, %r3;
    ld.global.f32 %f0, [%d0];
    ld.global.u32 %r4, [%d0+1024];
"""
INTEGER = ["add.s32 {d}, {a}, {b};", "mad.lo.s32 {d}, {a}, {b}, {a};", "xor.b32 {d}, {a}, {b};", "shr.u32 {d}, {a}, 3;",
           "min.u32 {d}, {a}, {b};", "and.b32 {d}, {a}, 65535;", "prmt.b32 {d}, {a}, {b}, 12816;", "popc.b32 {d}, {a};"]
FLOAT = ["add.f32 {d}, {a}, {b};", "fma.rn.f32 {d}, {a}, {b}, {a};", "mul.ftz.f32 {d}, {a}, {b};", "max.f32 {d}, {a}, {b};",
         "ex2.approx.ftz.f32 {d}, {a};", "sub.f32 {d}, {a}, {b};"]


class Kernel:
    def __init__(self, size):
        self.random = random.Random(size)
        self.lines, self.count, self.register, self.labels = [], 0, 8, 0
        self.integers, self.floats = ["%r4"], ["%f0"]

    def add(self, text):
        self.lines.append("    " + text)
        self.count += 1

    def new(self):
        self.register += 1
        return self.register

    def arithmetic(self, count):
        for _ in range(count):
            forms, values, kind = self.random.choice([(INTEGER, self.integers, "r"), (FLOAT, self.floats, "f")])
            a, b = (self.random.choice(values[-12:]) for _ in range(2))
            values.append(f"%{kind}{self.new()}")
            self.add(self.random.choice(forms).format(d=values[-1], a=a, b=b))

    def section(self, number):
        self.add(f"ld.global.f32 %f{self.new()}, [%d0+{4096 + 1024 * number}];")
        self.floats.append(f"%f{self.register}")
        self.arithmetic(24)
        self.labels += 1
        label, p = f"L{self.labels}", self.new()
        if number % 3 == 0:  # a loop of %r0 rounds
            counter = self.new()
            self.add(f"mov.u32 %r{counter}, 0;")
            self.lines.append(f"{label}:")
            self.arithmetic(8)
            self.add(f"add.s32 %r{counter}, %r{counter}, 1;")
            self.add(f"setp.lt.u32 %p{p}, %r{counter}, %r0;")
            self.add(f"@%p{p} bra {label};")
        else:
            self.add(f"setp.lt.s32 %p{p}, {self.integers[-1]}, %r1;")
            self.add(f"@%p{p} bra {label};")
            self.add(f"st.global.f32 [%d0+{4096 + 1024 * number}], {self.floats[-1]};")
            self.lines.append(f"{label}:")
        self.add(f"st.shared.f32 [%r2], {self.floats[-1]};")
        if number % 4 == 0: self.add("bar.sync 0;")
        self.add(f"ld.shared.f32 %f{self.new()}, [%r2+1024];")
        self.floats.append(f"%f{self.register}")

    def text(self, size):
        number = 0
        while self.count < size - 14:
            self.section(number)
            number += 1
        self.add(f"st.global.f32 [%d0], {self.floats[-1]};")
        self.add(f"st.global.u32 [%d0+1024], {self.integers[-1]};")
        self.add("ret;")
        return HEAD.format(size=size, regs=self.register + 1) + "\n".join(self.lines) + "\n}\n"


def main(folder, *sizes):
    for size in map(int, sizes or SIZES):
        with open(os.path.join(folder, f"synthetic_{size}.ptx"), "w") as out:
            out.write(Kernel(size).text(size))


main(*sys.argv[1:])
