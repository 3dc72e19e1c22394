/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: Philox4x32-10 in lanes: the upper half of the counter is the lane's number, the key the seed. */
#include "random_priv.h"

enum { CHUNK = 64, ROUNDS = 10 };

/* published: multipliers and what is added to the key in a round */
#define MULTIPLY0 0xd2511f53u
#define MULTIPLY1 0xcd9e8d57u
#define WEYL0     0x9e3779b9u
#define WEYL1     0xbb67ae85u

struct block {
    uint32_t word[4][CHUNK];
};

static inline __attribute__((always_inline)) void rounds(struct block *b, uint32_t key0, uint32_t key1)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < CHUNK; i++) {
            uint64_t p = (uint64_t)MULTIPLY0 * b->word[0][i], q = (uint64_t)MULTIPLY1 * b->word[2][i];
            b->word[0][i] = (uint32_t)(q >> 32) ^ b->word[1][i] ^ key0;
            b->word[1][i] = (uint32_t)q;
            b->word[2][i] = (uint32_t)(p >> 32) ^ b->word[3][i] ^ key1;
            b->word[3][i] = (uint32_t)p;
        }
        key0 += WEYL0;
        key1 += WEYL1;
    }
}

static RANDOM_WIDE void chunk(uint64_t seed, const uint64_t *counters, uint64_t add, uint32_t first,
                              uint32_t *out)
{
    struct block b;
    for (unsigned i = 0; i < CHUNK; i++) {
        uint64_t counter = counters[i] + add;
        b.word[0][i] = (uint32_t)counter;
        b.word[1][i] = (uint32_t)(counter >> 32);
        b.word[2][i] = first + i;
        b.word[3][i] = 0;
    }
    rounds(&b, (uint32_t)seed, (uint32_t)(seed >> 32));
    for (unsigned i = 0; i < CHUNK; i++)
        for (unsigned j = 0; j < 4; j++)
            out[4 * i + j] = b.word[j][i];
}

void random_philox_draw(uint64_t seed, const uint64_t *counters, uint64_t add, uint32_t first, uint32_t count,
                        uint32_t *out)
{
    for (; count >= CHUNK; count -= CHUNK, first += CHUNK, out += 4 * CHUNK)
        chunk(seed, counters + first, add, first, out);
    if (!count) return;
    uint64_t some[CHUNK] = {0};
    uint32_t words[4 * CHUNK];
    for (uint32_t i = 0; i < count; i++)
        some[i] = counters[first + i];
    chunk(seed, some, add, first, words);
    for (uint32_t i = 0; i < 4 * count; i++)
        out[i] = words[i];
}
