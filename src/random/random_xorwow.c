/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: XORWOW in lanes, as cuRAND has it: lane number i is 2^67 numbers ahead of lane i - 1, or has a
 * seed of its own. Method: a step is a linear map of 160 bits over GF(2), and a counter; its powers are
 * matrices that are made by squaring. Limits: powers up to 2^(67 + 31). */
#include "random_priv.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 5, BITS = 32 * WORDS, SPACING = 67, POWERS = SPACING + 32, COUNTER = 362437 };
enum { SEEDS = 3133713 }; /* observed: from a lane's seed to the next one's */

struct state {
    uint32_t v[WORDS];
};
struct matrix {
    struct state column[BITS]; /* what each bit of a state becomes */
};
static struct matrix *powers; /* number i: 2^i steps */

static void step(struct state *s)
{
    uint32_t t = s->v[0] ^ s->v[0] >> 2, last = s->v[4];
    memmove(s->v, s->v + 1, sizeof s->v - sizeof *s->v);
    s->v[4] = last ^ last << 4 ^ t ^ t << 1;
}

static struct state apply(const struct matrix *m, struct state s)
{
    struct state result = {{0}};
    for (unsigned bit = 0; bit < BITS; bit++) {
        uint32_t mask = 0u - (s.v[bit / 32] >> bit % 32 & 1);
        for (unsigned i = 0; i < WORDS; i++)
            result.v[i] ^= m->column[bit].v[i] & mask;
    }
    return result;
}

static void powers_make(void)
{
    powers = sw_xcalloc(POWERS, sizeof *powers);
    for (unsigned bit = 0; bit < BITS; bit++) {
        struct state unit = {{0}};
        unit.v[bit / 32] = 1u << bit % 32;
        step(&unit);
        powers[0].column[bit] = unit;
    }
    for (unsigned i = 1; i < POWERS; i++)
        for (unsigned bit = 0; bit < BITS; bit++)
            powers[i].column[bit] = apply(&powers[i - 1], powers[i - 1].column[bit]);
}

/* The state that a seed starts with, and its counter; the constants are cuRAND's (curand_kernel.h). */
static struct state seeded(uint64_t seed, uint32_t *counter)
{
    uint32_t a = ((uint32_t)seed ^ 0xaad26b49u) * 1099087573u;
    uint32_t b = ((uint32_t)(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
    *counter = 6615241u + a + b;
    return (struct state){{123456789u + a, 362436069u ^ a, 521288629u + b, 88675123u ^ b, 5783321u + a}};
}

static void put(struct random_xorwow *x, uint32_t lane, struct state s, uint32_t counter, uint64_t steps)
{
    for (unsigned i = 0; steps >> i; i++)
        if (steps >> i & 1) s = apply(&powers[i], s);
    for (unsigned i = 0; i < WORDS; i++)
        x->v[i][lane] = s.v[i];
    x->d[lane] = counter + (uint32_t)steps * COUNTER;
}

void random_xorwow_init(struct random_xorwow *x, uint32_t lanes, uint64_t seed, uint64_t offset,
                        bool seeded_lanes)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    uint32_t counter;
    struct state s = seeded(seed, &counter);
    pthread_once(&once, powers_make);
    x->lanes = lanes;
    for (unsigned i = 0; i < WORDS; i++)
        x->v[i] = sw_xmalloc(lanes * sizeof *x->v[i]);
    x->d = sw_xmalloc(lanes * sizeof *x->d);
    for (uint32_t lane = 0; lane < lanes; lane++) {
        uint64_t steps = offset / lanes + (lane < offset % lanes);
        if (seeded_lanes) s = seeded(seed + (uint64_t)lane * SEEDS, &counter);
        put(x, lane, s, counter, steps);
        if (!seeded_lanes) s = apply(&powers[SPACING], s);
    }
}

void random_xorwow_release(struct random_xorwow *x)
{
    for (unsigned i = 0; i < WORDS; i++)
        free(x->v[i]);
    free(x->d);
}

RANDOM_WIDE void random_xorwow_draw(struct random_xorwow *x, uint32_t first, uint32_t count, uint32_t *out)
{
    uint32_t *restrict v0 = x->v[0] + first, *restrict v1 = x->v[1] + first, *restrict v2 = x->v[2] + first;
    uint32_t *restrict v3 = x->v[3] + first, *restrict v4 = x->v[4] + first, *restrict d = x->d + first;
    uint32_t *restrict to = out;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t t = v0[i] ^ v0[i] >> 2, last = v4[i];
        v0[i] = v1[i];
        v1[i] = v2[i];
        v2[i] = v3[i];
        v3[i] = last;
        last = last ^ last << 4 ^ t ^ t << 1;
        v4[i] = last;
        d[i] += COUNTER;
        to[i] = last + d[i];
    }
}
