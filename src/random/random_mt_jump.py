#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the polynomial by which random_mt.c jumps: t^(2^2048) modulo MT19937's characteristic polynomial over GF(2).

usage: random_mt_jump.py OUT. OUT: its coefficients, eight a byte, lowest first. The characteristic polynomial is Matsumoto's and
Nishimura's ("Mersenne Twister", 1998): (t^n + t^m) (t^(n-1) + t^(m-1))^31 + sum of a_i (t^n + t^m) (t^(n-1) + t^(m-1))^(30-i) + a_31,
a_i the bits of the matrix's last row. A polynomial is an integer here, whose bits are its coefficients."""
import sys

N, M, DEGREE, MATRIX, POWER = 624, 397, 19937, 0x9908B0DF, 2048


def times(a, exponents):
    """Product over GF(2) of a and the sum of t^e."""
    product = 0
    for e in exponents:
        product ^= a << e
    return product


def characteristic():
    base, factor, power, total = (N, M), (N - 1, M - 1), 1, MATRIX >> 31 & 1
    for i in range(31):
        if MATRIX >> (30 - i) & 1:
            total ^= times(power, base)
        power = times(power, factor)
    return total ^ times(power, base)


def square(p):
    return int("0".join(bin(p)[2:]), 2)  # a zero after each bit


whole = characteristic()
assert whole.bit_length() == DEGREE + 1
below, p = [e for e in range(DEGREE) if whole >> e & 1], 2
for _ in range(POWER):
    p = square(p)
    while p >> DEGREE:  # what is above the degree is folded down
        p = (p & ((1 << DEGREE) - 1)) ^ times(p >> DEGREE, below)
open(sys.argv[1], "wb").write(p.to_bytes((DEGREE + 7) // 8, "little"))
