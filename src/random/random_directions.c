/* SPDX-License-Identifier: Apache-2.0 AND BSD-3-Clause */
/* Purpose: direction numbers of Sobol sequences for 20,000 dimensions, and their scrambled forms.
 * Method: random_joe_kuo.bin has what S. Joe and F. Y. Kuo publish ("Constructing Sobol sequences with better
 * two-dimensional projections", SIAM J. Sci. Comput. 30, 2008), packed by random_joe_kuo.py; the rest follows
 * by their recurrence. cuRAND scrambles with matrices of ones on the diagonal and random bits left of it
 * (Matousek, "On the L2-discrepancy for anchored boxes", Journal of Complexity 14, 1998), and adds a
 * constant. Found from curandGetDirectionVectors64: the bits are words of XORWOW in its default order from an
 * offset of 1: 128 for each dimension, then 2 for each constant. Limits: each table is made as a whole at its
 * first use, in milliseconds; those of 64 bits take 10 MB.
 *
 * The direction numbers are Copyright (c) 2008, Frances Y. Kuo and Stephen Joe. All rights reserved.
 * Redistribution and use in source and binary forms, with or without modification, are permitted provided
 * that the following conditions are met: redistributions of source code must retain the above copyright
 * notice, this list of conditions and the following disclaimer; redistributions in binary form must reproduce
 * the above copyright notice, this list of conditions and the following disclaimer in the documentation
 * and/or other materials provided with the distribution; neither the names of the copyright holders nor the
 * names of the University of New South Wales and the University of Waikato and its contributors may be used
 * to endorse or promote products derived from this software without specific prior written permission. THIS
 * SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT
 * NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
 * DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDERS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL,
 * SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE
 * GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY
 * THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
 * ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE. */
#include "random_priv.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 64, MOST_DEGREE = 18 };

__asm__(".pushsection .rodata\n"
        ".globl random_joe_kuo\n"
        ".hidden random_joe_kuo\n"
        "random_joe_kuo:\n"
        ".incbin \"" RANDOM_JOE_KUO "\"\n"
        ".popsection\n");
extern const uint8_t random_joe_kuo[];

static uint64_t (*plain)[SIZE], (*scrambled)[SIZE], *constants;
static uint32_t (*plain32)[32], (*scrambled32)[32], *constants32;

/* ---- as published */

/* The next bits of the table, lowest first. */
static uint32_t take(uint64_t *at, unsigned width)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < width; i++, ++*at)
        value |= (uint32_t)(random_joe_kuo[*at / 8] >> *at % 8 & 1) << i;
    return value;
}

static unsigned primitive_count(unsigned degree) /* phi(2^s - 1) / s */
{
    unsigned order = (1u << degree) - 1, count = order;
    for (unsigned p = 2, left = order; left > 1; p++) {
        if (left % p) continue;
        count -= count / p;
        while (left % p == 0)
            left /= p;
    }
    return count / degree;
}

/* v_i = a_1 v_(i-1) + ... + a_(s-1) v_(i-s+1) + v_(i-s) + v_(i-s) >> s, sums over GF(2) */
static void dimension_make(uint64_t v[SIZE], unsigned degree, uint64_t *at)
{
    uint32_t a = take(at, degree - 1);
    for (unsigned i = 0; i < degree; i++)
        v[i] = (uint64_t)(take(at, i) << 1 | 1) << (SIZE - 1 - i);
    for (unsigned i = degree; i < SIZE; i++) {
        v[i] = v[i - degree] ^ v[i - degree] >> degree;
        for (unsigned k = 1; k < degree; k++)
            if (a >> (degree - 1 - k) & 1) v[i] ^= v[i - k];
    }
}

static void plain_make(void)
{
    uint64_t at = 0;
    unsigned dimension = 1;
    plain = sw_xcalloc(RANDOM_DIMENSIONS, sizeof *plain);
    plain32 = sw_xcalloc(RANDOM_DIMENSIONS, sizeof *plain32);
    for (unsigned i = 0; i < SIZE; i++)
        plain[0][i] = (uint64_t)1 << (SIZE - 1 - i);
    for (unsigned degree = 1; degree <= MOST_DEGREE; degree++)
        for (unsigned n = primitive_count(degree); n && dimension < RANDOM_DIMENSIONS; n--)
            dimension_make(plain[dimension++], degree, &at);
    for (unsigned d = 0; d < RANDOM_DIMENSIONS; d++)
        for (unsigned i = 0; i < 32; i++)
            plain32[d][i] = (uint32_t)(plain[d][i] >> 32);
}

static pthread_once_t plain_once = PTHREAD_ONCE_INIT;

/* ---- scrambled */

/* column: where row r of the matrix has bits, in the place of row r. A vector is the sum of the columns that
 * its bits choose. */
static void scramble(uint64_t out[SIZE], const uint64_t v[SIZE], const uint32_t words[2 * SIZE])
{
    uint64_t column[SIZE] = {0};
    for (unsigned row = 0; row < SIZE; row++) {
        uint64_t bits = (uint64_t)words[2 * row + 1] << 32 | words[2 * row], one = (uint64_t)1 << (63 - row);
        for (unsigned i = 0; i <= row; i++)
            if (i == row || bits >> (63 - i) & 1) column[i] |= one;
    }
    for (unsigned i = 0; i < SIZE; i++) {
        out[i] = 0;
        for (unsigned bit = 0; bit < SIZE; bit++)
            if (v[i] >> (63 - bit) & 1) out[i] ^= column[bit];
    }
}

/* Words of XORWOW's 4096 lanes in turn, from one of them on. */
static void words_take(struct random_xorwow *x, uint32_t *lane, size_t count, uint32_t *out)
{
    while (count) {
        uint32_t some = x->lanes - *lane < count ? x->lanes - *lane : (uint32_t)count;
        random_xorwow_draw(x, *lane, some, out);
        *lane = (*lane + some) % x->lanes;
        out += some;
        count -= some;
    }
}

static void scrambled_make(void)
{
    struct random_xorwow x;
    uint32_t words[2 * SIZE], lane = 1;
    pthread_once(&plain_once, plain_make);
    scrambled = sw_xcalloc(RANDOM_DIMENSIONS, sizeof *scrambled);
    scrambled32 = sw_xcalloc(RANDOM_DIMENSIONS, sizeof *scrambled32);
    constants = sw_xcalloc(RANDOM_DIMENSIONS, sizeof *constants);
    constants32 = sw_xcalloc(RANDOM_DIMENSIONS, sizeof *constants32);
    random_xorwow_init(&x, 4096, 0, lane, false);
    for (unsigned d = 0; d < RANDOM_DIMENSIONS; d++) {
        words_take(&x, &lane, 2 * SIZE, words);
        scramble(scrambled[d], plain[d], words);
        for (unsigned i = 0; i < 32; i++)
            scrambled32[d][i] = (uint32_t)(scrambled[d][i] >> 32);
    }
    for (unsigned d = 0; d < RANDOM_DIMENSIONS; d++) {
        words_take(&x, &lane, 2, words);
        constants[d] = (uint64_t)words[1] << 32 | words[0];
        constants32[d] = words[1];
    }
    random_xorwow_release(&x);
}

static void make(bool with_scrambled)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (with_scrambled)
        pthread_once(&once, scrambled_make);
    else
        pthread_once(&plain_once, plain_make);
}

const uint32_t (*random_directions32(bool with_scrambled))[32]
{
    make(with_scrambled);
    return (const uint32_t(*)[32])(with_scrambled ? scrambled32 : plain32);
}

const uint64_t (*random_directions64(bool with_scrambled))[64]
{
    make(with_scrambled);
    return (const uint64_t(*)[64])(with_scrambled ? scrambled : plain);
}

const uint32_t *random_scramble32(void)
{
    make(true);
    return constants32;
}

const uint64_t *random_scramble64(void)
{
    make(true);
    return constants;
}
