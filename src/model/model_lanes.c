/* SPDX-License-Identifier: Apache-2.0 */
/* The vector loops that coalescing and bank rules share; they model nothing by themselves. See model_priv.h.
 */
#include "model_priv.h"

#include <immintrin.h>

SW_CLONES struct model_window model_window(const uint64_t value[32], lane_mask mask, uint32_t shift,
                                           uint64_t first)
{
    model_lanes any = {0}, inside = {0}, outside = {0}, one = {1, 1, 1, 1, 1, 1, 1, 1};
    for (int k = 0; k < MODEL_STEPS; k++) {
        model_lanes v = *(const model_lanes *)(value + k * MODEL_LANES), on = MODEL_ON(mask, k);
        model_lanes unit = (v >> shift) - first;
        any |= v & on;
        outside |= unit & on;
        inside |= (one << (unit & 63)) & on;
    }
    return (struct model_window){MODEL_OR(any), MODEL_OR(inside), MODEL_OR(outside) & ~63ull};
}

SW_CLONES bool model_all_equal(const uint64_t value[32], lane_mask mask)
{
    uint64_t first = value[__builtin_ctz(mask)];
    model_lanes differ = {0};
    for (int k = 0; k < MODEL_STEPS; k++)
        differ |= (*(const model_lanes *)(value + k * MODEL_LANES) ^ first) & MODEL_ON(mask, k);
    return !MODEL_OR(differ);
}

/* Do value >> shift rise, or fall, from each active lane to the next? Only asked of whole warps quickly; with
 * a partial mask lane by lane. */
bool model_strictly_monotone(const uint64_t value[32], lane_mask mask, uint32_t shift)
{
    uint64_t up = 1, down = 1;
    if (mask == ~0u) {
        for (int lane = 1; lane < 32; lane++) {
            up &= value[lane] >> shift > value[lane - 1] >> shift;
            down &= value[lane] >> shift < value[lane - 1] >> shift;
        }
        return up | down;
    }
    uint64_t before = value[__builtin_ctz(mask)] >> shift;
    for (mask &= mask - 1; mask; mask &= mask - 1) {
        uint64_t v = value[__builtin_ctz(mask)] >> shift;
        up &= v > before;
        down &= v < before;
        before = v;
    }
    return up | down;
}

/* A lane is a repetition when an earlier lane has its key; inactive lanes repeat the first active one. Each
 * lane's key against all at once: 32 steps of two vectors, which is a third of the time of a hash table. */
SW_CLONES uint32_t model_distinct(const uint64_t value[32], lane_mask mask, uint32_t shift, uint64_t first)
{
    typedef uint32_t keys __attribute__((vector_size(64), aligned(4)));
    uint32_t key[32], other = (uint32_t)((value[__builtin_ctz(mask)] >> shift) - first), count = 0;
    for (int lane = 0; lane < 32; lane++)
        key[lane] = mask >> lane & 1 ? (uint32_t)((value[lane] >> shift) - first) : other;
    keys low = *(const keys *)key, high = *(const keys *)(key + 16), again_low = {0}, again_high = {0};
    keys lanes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    for (uint32_t lane = 0; lane < 16; lane++) {
        again_low |= (keys)(low == key[lane]) & (keys)(lanes > lane);
        again_high |= (keys)(high == key[lane]);
    }
    for (uint32_t lane = 0; lane < 16; lane++)
        again_high |= (keys)(high == key[lane + 16]) & (keys)(lanes > lane);
    for (int lane = 0; lane < 16; lane++)
        count += !again_low[lane] + !again_high[lane];
    return count;
}

/* ---- the same in one pass, with AVX-512's search for conflicts: 10 ns where windows and all pairs take 45
 */

#define MODEL_CONFLICTS __attribute__((target("avx512f,avx512cd,avx512dq,avx512bw,avx512vl")))

bool model_has_conflicts(void)
{
    return __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}

/* Lanes of `key` that `other` holds anywhere: turned by 0 to 15 lanes, some difference is 0. */
MODEL_CONFLICTS static inline __mmask16 held_by(__m512i key, __m512i other)
{
    __m512i least = _mm512_set1_epi32(-1), one = _mm512_set1_epi32(1);
    __m512i turn = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#pragma GCC unroll 16
    for (int n = 0; n < 16; n++) {
        __m512i turned = _mm512_permutexvar_epi32(turn, other); /* takes each number modulo 16 */
        least = _mm512_min_epu32(least, _mm512_xor_si512(key, turned));
        turn = _mm512_add_epi32(turn, one);
    }
    return _mm512_testn_epi32_mask(least, least);
}

MODEL_CONFLICTS struct model_spread model_spread(const uint64_t value[32], lane_mask mask, uint32_t shift)
{
    __m512i first = _mm512_set1_epi64((long long)(value[__builtin_ctz(mask)] >> shift));
    __m512i any = _mm512_setzero_si512(), far = any;
    __m256i key[MODEL_STEPS];
#pragma GCC unroll 4
    for (int k = 0; k < MODEL_STEPS; k++) {
        __mmask8 on = (__mmask8)(mask >> (k * MODEL_LANES));
        __m512i v = _mm512_maskz_loadu_epi64(on, value + k * MODEL_LANES);
        __m512i unit = _mm512_mask_srl_epi64(first, on, v, _mm_cvtsi32_si128((int)shift));
        any = _mm512_or_si512(any, v);
        far = _mm512_or_si512(far, _mm512_xor_si512(unit, first));
        key[k] = _mm512_cvtepi64_epi32(unit);
    }
    __m512i low = _mm512_inserti64x4(_mm512_castsi256_si512(key[0]), key[1], 1);
    __m512i high = _mm512_inserti64x4(_mm512_castsi256_si512(key[2]), key[3], 1);
    __m512i twice_low = _mm512_conflict_epi32(low), twice_high = _mm512_conflict_epi32(high);
    uint32_t again = _mm512_test_epi32_mask(twice_low, twice_low);
    again |= (uint32_t)(_mm512_test_epi32_mask(twice_high, twice_high) | held_by(high, low)) << 16;
    return (struct model_spread){.any = (uint64_t)_mm512_reduce_or_epi64(any),
                                 .far = (uint64_t)_mm512_reduce_or_epi64(far) >> 32,
                                 .distinct = 32 - (uint32_t)__builtin_popcount(again)};
}
