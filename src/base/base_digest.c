/* SPDX-License-Identifier: Apache-2.0 */
/* BLAKE2b-256 as RFC 7693 defines it.
 *
 * Code of our own, since it is part of libcuda.so.1, which every program loads: Debian's libb2 brings OpenMP,
 * libcrypto another version than the one that a program may have loaded, and LLVM's BLAKE3 all of LLVM, which
 * programs whose kernels are in the cache do without. Of the hashes with a standard it is the fastest without
 * instructions of its own: some 3 cycles a byte. Limits: little-endian CPUs; messages of less than 2^64
 * bytes. */
#include "base/base_digest.h"

#include <string.h>

enum { ROUNDS = 12, WORDS = 16 };

/* RFC 7693, 2.6: fractions of the square roots of the first eight primes, as in SHA-512. */
static const uint64_t START[8] = {UINT64_C(0x6a09e667f3bcc908), UINT64_C(0xbb67ae8584caa73b),
                                  UINT64_C(0x3c6ef372fe94f82b), UINT64_C(0xa54ff53a5f1d36f1),
                                  UINT64_C(0x510e527fade682d1), UINT64_C(0x9b05688c2b3e6c1f),
                                  UINT64_C(0x1f83d9abfb41bd6b), UINT64_C(0x5be0cd19137e2179)};

/* RFC 7693, 2.7: the order of the message's words in each round; rounds 10 and 11 have those of 0 and 1. */
static const uint8_t ORDER[ROUNDS][WORDS] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                             {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
                                             {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
                                             {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
                                             {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
                                             {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
                                             {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
                                             {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
                                             {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
                                             {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
                                             {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                             {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3}};

static inline uint64_t turned(uint64_t word, unsigned right)
{
    return word >> right | word << (64 - right);
}

/* RFC 7693, 3.1: G. */
static inline void mix(uint64_t v[WORDS], unsigned a, unsigned b, unsigned c, unsigned d, uint64_t x,
                       uint64_t y)
{
    v[a] += v[b] + x;
    v[d] = turned(v[d] ^ v[a], 32);
    v[c] += v[d];
    v[b] = turned(v[b] ^ v[c], 24);
    v[a] += v[b] + y;
    v[d] = turned(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = turned(v[b] ^ v[c], 63);
}

static inline void mix_round(uint64_t v[WORDS], const uint64_t m[WORDS], const uint8_t s[WORDS])
{
    for (unsigned i = 0; i < 4; i++)
        mix(v, i, i + 4, i + 8, i + 12, m[s[2 * i]], m[s[2 * i + 1]]);
    for (unsigned i = 0; i < 4; i++)
        mix(v, i, (i + 1) % 4 + 4, (i + 2) % 4 + 8, (i + 3) % 4 + 12, m[s[8 + 2 * i]], m[s[9 + 2 * i]]);
}

/* RFC 7693, 3.2: F. bytes: up to the end of this block. */
static void compress(uint64_t state[8], const uint8_t block[SW_DIGEST_BLOCK], uint64_t bytes, uint64_t last)
{
    uint64_t v[WORDS], m[WORDS];
    memcpy(m, block, sizeof m);
    memcpy(v, state, 8 * sizeof *v);
    memcpy(v + 8, START, sizeof START);
    v[12] ^= bytes;
    v[14] ^= last;
#pragma GCC unroll 12
    for (unsigned round = 0; round < ROUNDS; round++)
        mix_round(v, m, ORDER[round]);
    for (unsigned i = 0; i < 8; i++)
        state[i] ^= v[i] ^ v[i + 8];
}

void sw_digest_init(struct sw_digest *digest)
{
    static const uint64_t SHAPE = 0x01010000; /* RFC 7693, 2.5: one message, no tree; | key's bytes << 8 */
    *digest = (struct sw_digest){0};
    memcpy(digest->state, START, sizeof START);
    digest->state[0] ^= SHAPE | SW_DIGEST_BYTES;
}

void sw_digest_add(struct sw_digest *digest, const void *data, size_t bytes)
{
    const uint8_t *at = data;
    while (bytes) {
        if (digest->filled == SW_DIGEST_BLOCK) { /* not before: the last block is marked */
            digest->bytes += SW_DIGEST_BLOCK;
            compress(digest->state, digest->block, digest->bytes, 0);
            digest->filled = 0;
        }
        for (; digest->filled == 0 && bytes > SW_DIGEST_BLOCK;
             at += SW_DIGEST_BLOCK, bytes -= SW_DIGEST_BLOCK) {
            digest->bytes += SW_DIGEST_BLOCK;
            compress(digest->state, at, digest->bytes, 0);
        }
        size_t room = SW_DIGEST_BLOCK - digest->filled, part = bytes < room ? bytes : room;
        memcpy(digest->block + digest->filled, at, part);
        digest->filled += part;
        at += part;
        bytes -= part;
    }
}

void sw_digest_end(struct sw_digest *digest, uint8_t out[SW_DIGEST_BYTES])
{
    memset(digest->block + digest->filled, 0, SW_DIGEST_BLOCK - digest->filled);
    compress(digest->state, digest->block, digest->bytes + digest->filled, UINT64_MAX);
    memcpy(out, digest->state, SW_DIGEST_BYTES);
}
