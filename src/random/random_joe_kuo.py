#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 AND BSD-3-Clause
"""Packs direction numbers of Sobol sequences for random_directions.c. usage: random_joe_kuo.py TABLE OUT

TABLE: new-joe-kuo-6.21201 as S. Joe and F. Y. Kuo publish it: a heading, then a line a dimension from the second: its number, the
degree s of its polynomial, the polynomial's inner coefficients a, and s initial numbers m_i, odd and below 2^i. OUT: for dimensions
2 to 20,000, one after the other without gaps, lowest bits first: a in s - 1 bits, each (m_i - 1) / 2 in i - 1 bits. Degrees need no
place: there are phi(2^s - 1) / s primitive polynomials of degree s, and the table has all of each.

The numbers' notice: Copyright (c) 2008, Frances Y. Kuo and Stephen Joe. All rights reserved. Redistribution and use in source and
binary forms, with or without modification, are permitted provided that the following conditions are met: redistributions of source
code must retain the above copyright notice, this list of conditions and the following disclaimer; redistributions in binary form
must reproduce the above copyright notice, this list of conditions and the following disclaimer in the documentation and/or other
materials provided with the distribution; neither the names of the copyright holders nor the names of the University of New South
Wales and the University of Waikato and its contributors may be used to endorse or promote products derived from this software
without specific prior written permission. THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS "AS IS" AND ANY EXPRESS OR IMPLIED
WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDERS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR
BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING
NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE."""
import sys

text = []  # bits, lowest first
for line in list(open(sys.argv[1]))[1:20000]:
    _, degree, a, *initial = map(int, line.split())
    for value, width in [(a, degree - 1)] + [(m >> 1, i) for i, m in enumerate(initial)]:
        text.append(format(value, "0%db" % width)[::-1] if width else "")
bits = "".join(text)
open(sys.argv[2], "wb").write(int(bits[::-1], 2).to_bytes((len(bits) + 7) // 8, "little"))
