/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: MTGP32 as cuRAND orders it: sequences with parameters of their own take turns, 256 words each.
 * Method: the next words of a sequence come in one go into its ring of 1024 words. Limits: an offset is gone
 * through word by word, as the recursion of 11213 bits has no cheap way ahead. */
#include "random_mtgp.h"
#include "random_priv.h"

#include <stdlib.h>
#include <string.h>

enum { MTGP_TURN_SETS = 200 };
enum { RING = 1024, TURN = 256, AHEAD = 351 }; /* published: 11213 / 32 + 1 words of state */

static const struct random_mtgp_set SETS[RANDOM_MTGP_SETS] = {
#define SET(position, shift1, shift2, a0, a1, a2, a3, t0, t1, t2, t3)                                        \
    {position, shift1, shift2, {a0, a1, a2, a3}, {t0, t1, t2, t3}},
#include <softwarp/curand_mtgp32.def>
#undef SET
};

const struct random_mtgp_set *random_mtgp_sets(void)
{
    return SETS;
}

static void matrix_fill(const uint32_t row[4], uint32_t out[16])
{
    for (unsigned i = 0; i < 16; i++) {
        out[i] = 0;
        for (unsigned bit = 0; bit < 4; bit++)
            if (i >> bit & 1) out[i] ^= row[bit];
    }
}

struct sequence {
    uint32_t ring[RING];
    uint32_t recursion[16], tempering[16];
    uint32_t at, left;   /* next index in the ring; words of the turn that were not given */
    uint32_t turn[TURN]; /* tempered */
};
struct random_mtgp {
    uint32_t sequences, now; /* whose turn it is */
    struct sequence *sequence;
};

/* Published with MTGP (mtgp32_init_state): Knuth's generator over a state that the parameters have filled. */
static void seed_fill(uint32_t *state, const uint32_t recursion[16], uint32_t seed)
{
    uint32_t hidden = recursion[4] ^ recursion[8] << 16, fill = hidden;
    fill += fill >> 16;
    fill += fill >> 8;
    memset(state, (int)(fill & 0xff), AHEAD * sizeof *state);
    state[0] = seed;
    state[1] = hidden;
    for (uint32_t i = 1; i < AHEAD; i++)
        state[i] ^= 1812433253u * (state[i - 1] ^ state[i - 1] >> 30) + i;
}

/* The next words of a sequence: as many at once as do not depend on each other. */
static void turn_make(struct sequence *s, const struct random_mtgp_set *set)
{
    uint32_t line[AHEAD + TURN];
    for (uint32_t i = 0; i < AHEAD; i++)
        line[i] = s->ring[(s->at + i) % RING];
    for (uint32_t i = 0; i < TURN; i++) {
        uint32_t x = (line[i] & 0xfff80000u) ^ line[i + 1], y = line[i + set->position];
        x ^= x << set->shift1;
        y = x ^ y >> set->shift2;
        line[AHEAD + i] = y ^ s->recursion[y & 15];
        uint32_t t = line[i + set->position - 1];
        t ^= t >> 16;
        t ^= t >> 8;
        s->turn[i] = line[AHEAD + i] ^ s->tempering[t & 15];
    }
    for (uint32_t i = 0; i < TURN; i++)
        s->ring[(s->at + AHEAD + i) % RING] = line[AHEAD + i];
    s->at = (s->at + TURN) % RING;
    s->left = TURN;
}

struct random_mtgp *random_mtgp_new(uint32_t sequences, uint64_t seed, uint64_t offset)
{
    struct random_mtgp *x = sw_xcalloc(1, sizeof *x);
    x->sequences = sequences;
    x->sequence = sw_xcalloc(sequences, sizeof *x->sequence);
    for (uint32_t i = 0; i < sequences; i++) {
        struct sequence *s = &x->sequence[i];
        matrix_fill(SETS[i % MTGP_TURN_SETS].recursion, s->recursion);
        matrix_fill(SETS[i % MTGP_TURN_SETS].tempering, s->tempering);
        seed_fill(s->ring, s->recursion, (uint32_t)(seed ^ seed >> 32) + i + 1);
    }
    while (offset) {
        uint32_t skipped[TURN];
        size_t some = offset < TURN ? (size_t)offset : TURN;
        random_mtgp_words(x, some, skipped);
        offset -= some;
    }
    return x;
}

void random_mtgp_free(struct random_mtgp *x)
{
    if (!x) return;
    free(x->sequence);
    free(x);
}

void random_mtgp_words(struct random_mtgp *x, size_t count, uint32_t *out)
{
    while (count) {
        struct sequence *s = &x->sequence[x->now];
        if (!s->left) turn_make(s, &SETS[x->now % MTGP_TURN_SETS]);
        size_t some = count < s->left ? count : s->left;
        memcpy(out, s->turn + (TURN - s->left), some * sizeof *out);
        s->left -= (uint32_t)some;
        if (!s->left) x->now = (x->now + 1) % x->sequences;
        out += some;
        count -= some;
    }
}
