#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the polynomials by which curand_kernel.h goes ahead in XORWOW sequences: t^(2^i) modulo the characteristic polynomial of the
generator's step, a linear map of 160 bits over GF(2) (Marsaglia, "Xorshift RNGs", 2003).

usage: random_xorwow_jump.py OUT. The characteristic polynomial is found from a sequence of one bit (Berlekamp and Massey). A
polynomial is an integer here, whose bits are its coefficients; in OUT it is five words, lowest first."""
import sys

DEGREE, WORD = 160, 0xFFFFFFFF
OFFSETS, SUBSEQUENCES, SPACING = 64, 64, 67


def bits(count):
    v = [1, 0, 0, 0, 0]
    for _ in range(count):
        yield v[4] & 1
        t = v[0] ^ v[0] >> 2
        v = v[1:] + [(v[4] ^ v[4] << 4 ^ t ^ t << 1) & WORD]


def characteristic(sequence):
    """Bit i of the connection polynomial is the coefficient of the bit i before; the characteristic one is its mirror."""
    connection, last, length, gap, seen = 1, 1, 0, 1, 0
    for n, bit in enumerate(sequence):
        seen = seen << 1 | bit  # bit i: what was i before
        if bin(connection & seen).count("1") & 1:
            connection, before = connection ^ last << gap, connection
            if 2 * length <= n:
                length, last, gap = n + 1 - length, before, 0
        gap += 1
    assert length == DEGREE
    return int(bin(connection | 1 << (DEGREE + 1))[3:][::-1], 2)


def square(p, whole):
    p = int("0".join(bin(p)[2:]), 2)  # a zero after each bit
    while p.bit_length() > DEGREE:
        p ^= whole << (p.bit_length() - 1 - DEGREE)
    return p


whole, p, lines = characteristic(bits(4 * DEGREE)), 2, []
for i in range(SPACING + SUBSEQUENCES):
    words = ", ".join(f"0x{p >> 32 * k & WORD:08x}u" for k in range(5))
    lines.append(f"    {{{words}}}, /* 2^{i} */\n")
    p = square(p, whole)
with open(sys.argv[1], "w") as out:
    out.write("/* SPDX-License-Identifier: Apache-2.0 */\n")
    out.write("/* Made by random_xorwow_jump.py: row i is t^(2^i) modulo the characteristic polynomial of XORWOW's step, coefficients\n")
    out.write(" * lowest first. */\n")
    out.writelines(lines)
