#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs direction numbers of Sobol sequences for random_directions.c. usage: random_joe_kuo.py TABLE OUT

TABLE: new-joe-kuo-6.21201 as S. Joe and F. Y. Kuo publish it: a heading, then a line a dimension from the second: its number, the
degree s of its polynomial, the polynomial's inner coefficients a, and s initial numbers m_i, odd and below 2^i. OUT: for dimensions
2 to 20,000, one after the other without gaps, lowest bits first: a in s - 1 bits, each (m_i - 1) / 2 in i - 1 bits. Degrees need no
place: there are phi(2^s - 1) / s primitive polynomials of degree s, and the table has all of each."""
import sys

text = []  # bits, lowest first
for line in list(open(sys.argv[1]))[1:20000]:
    _, degree, a, *initial = map(int, line.split())
    for value, width in [(a, degree - 1)] + [(m >> 1, i) for i, m in enumerate(initial)]:
        text.append(format(value, "0%db" % width)[::-1] if width else "")
bits = "".join(text)
open(sys.argv[2], "wb").write(int(bits[::-1], 2).to_bytes((len(bits) + 7) // 8, "little"))
