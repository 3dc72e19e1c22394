/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: MRG32k3a in lanes, as cuRAND has it: lane number i is 2^76 numbers ahead of lane i - 1. Method: a
 * step is two maps of 3 numbers modulo primes; their powers are matrices that are made by squaring. */
#include "random_priv.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* published: the moduli and the multipliers */
#define M1 4294967087u
#define M2 4294944443u
enum { A12 = 1403580, A13 = 810728, A21 = 527612, A23 = 1370589, SPACING = 76, POWERS = 80 };

struct matrix {
    uint32_t at[3][3];
};
static struct matrix powers[2][POWERS]; /* number i: 2^i steps, modulo each prime */

static uint64_t modulus(unsigned which)
{
    return which ? M2 : M1;
}

static void apply(unsigned which, const struct matrix *m, uint32_t s[3])
{
    uint64_t p = modulus(which);
    uint32_t result[3];
    for (unsigned i = 0; i < 3; i++) {
        uint64_t sum = 0;
        for (unsigned j = 0; j < 3; j++)
            sum += (uint64_t)m->at[i][j] * s[j] % p;
        result[i] = (uint32_t)(sum % p);
    }
    memcpy(s, result, sizeof result);
}

static void powers_make(void)
{
    static const struct matrix STEP[2] = {{{{0, 1, 0}, {0, 0, 1}, {M1 - A13, A12, 0}}},
                                          {{{0, 1, 0}, {0, 0, 1}, {M2 - A23, 0, A21}}}};
    for (unsigned which = 0; which < 2; which++) {
        powers[which][0] = STEP[which];
        for (unsigned i = 1; i < POWERS; i++)
            for (unsigned column = 0; column < 3; column++) {
                const struct matrix *last = &powers[which][i - 1];
                uint32_t s[3] = {last->at[0][column], last->at[1][column], last->at[2][column]};
                apply(which, last, s);
                for (unsigned row = 0; row < 3; row++)
                    powers[which][i].at[row][column] = s[row];
            }
    }
}

/* cuRAND's way from a seed to a state (curand_kernel.h): each number is 12345, times a half of the seed. */
static void seeded(uint64_t seed, uint32_t s[6])
{
    uint32_t low = (uint32_t)seed ^ 0x55555555u, high = (uint32_t)(seed >> 32) ^ 0xaaaaaaaau;
    for (unsigned i = 0; i < 6; i++) {
        uint64_t half = i % 2 ? high : low;
        s[i] = seed ? (uint32_t)(12345 * half % modulus(i >= 3)) : 12345;
    }
}

static void ahead(uint32_t s[6], uint64_t steps)
{
    for (unsigned i = 0; steps >> i; i++)
        for (unsigned which = 0; which < 2 && steps >> i & 1; which++)
            apply(which, &powers[which][i], s + 3 * which);
}

void random_mrg_init(struct random_mrg *x, uint32_t lanes, uint64_t seed, uint64_t offset)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    uint32_t s[6];
    pthread_once(&once, powers_make);
    x->lanes = lanes;
    for (unsigned i = 0; i < 6; i++)
        x->s[i] = sw_xmalloc(lanes * sizeof *x->s[i]);
    seeded(seed, s);
    for (uint32_t lane = 0; lane < lanes; lane++) {
        uint32_t moved[6];
        memcpy(moved, s, sizeof s);
        ahead(moved, offset / lanes + (lane < offset % lanes));
        for (unsigned i = 0; i < 6; i++)
            x->s[i][lane] = moved[i];
        for (unsigned which = 0; which < 2; which++)
            apply(which, &powers[which][SPACING], s + 3 * which);
    }
}

void random_mrg_release(struct random_mrg *x)
{
    for (unsigned i = 0; i < 6; i++)
        free(x->s[i]);
}

/* x mod p for p = 2^32 - c and x below 2^57: what is above 32 bits is worth c each. */
static inline uint64_t reduce(uint64_t x, uint64_t c)
{
    x = (x >> 32) * c + (uint32_t)x;
    x = (x >> 32) * c + (uint32_t)x;
    uint64_t p = ((uint64_t)1 << 32) - c;
    return x >= p ? x - p : x;
}

RANDOM_WIDE void random_mrg_draw(struct random_mrg *x, uint32_t first, uint32_t count, uint32_t *out)
{
    uint32_t *restrict a0 = x->s[0] + first, *restrict a1 = x->s[1] + first, *restrict a2 = x->s[2] + first;
    uint32_t *restrict b0 = x->s[3] + first, *restrict b1 = x->s[4] + first, *restrict b2 = x->s[5] + first;
    uint32_t *restrict to = out;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t a = reduce((uint64_t)A12 * a1[i] + (uint64_t)A13 * (M1 - a0[i]), 209);   /* 2^32 - M1 */
        uint64_t b = reduce((uint64_t)A21 * b2[i] + (uint64_t)A23 * (M2 - b0[i]), 22853); /* 2^32 - M2 */
        a0[i] = a1[i];
        a1[i] = a2[i];
        a2[i] = (uint32_t)a;
        b0[i] = b1[i];
        b1[i] = b2[i];
        b2[i] = (uint32_t)b;
        to[i] = (uint32_t)(a <= b ? a + M1 - b : a - b);
    }
}
