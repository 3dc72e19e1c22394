/* SPDX-License-Identifier: Apache-2.0 */
/* How many units of 1 << shift bytes a warp's addresses fall in, at three levels of x86-64; it models nothing
 * by itself (model_coalesce.c does).
 *
 * Method: AVX-512 searches all lanes for equal units at once (10 ns, Zen 5). AVX2 first asks whether units
 * only rise or only fall from lane to lane, where their changes are the answer (coalesced and strided
 * accesses: 30 ns, Zen 3); else it compares all pairs of lanes as numbers of 15 bits, 46 compares of 16 lanes
 * (55 ns): the low bits where no others differ, else a hash, and then lanes that have a twin are looked at
 * again. Older processors take model_spread_plain. (GCC 12 makes vectors of 64 bytes element by
 * element without AVX-512, which took 1,000 ns: vectors here have 32.) Limits: units must agree in all but
 * their low 32 bits, on old processors be 64 neighbours; `far` says when they do not. */
#include "model_lanes_priv.h"

#include <immintrin.h>

enum model_level model_level(void)
{
    if (__builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
        return MODEL_AVX512;
    return __builtin_cpu_supports("avx2") ? MODEL_AVX2 : MODEL_PLAIN;
}

/* ---- AVX-512 */

#define WITH_AVX512 __attribute__((target("avx512f,avx512cd,avx512dq,avx512bw,avx512vl")))

/* Lanes of `key` that `other` holds anywhere: turned by 0 to 15 lanes, some difference is 0. */
WITH_AVX512 static inline __mmask16 held_by(__m512i key, __m512i other)
{
    __m512i least = _mm512_set1_epi32(-1), one = _mm512_set1_epi32(1);
    __m512i round = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#pragma GCC unroll 16
    for (int n = 0; n < 16; n++) {
        __m512i turned = _mm512_permutexvar_epi32(round, other); /* takes each number modulo 16 */
        least = _mm512_min_epu32(least, _mm512_xor_si512(key, turned));
        round = _mm512_add_epi32(round, one);
    }
    return _mm512_testn_epi32_mask(least, least);
}

WITH_AVX512 static struct model_spread spread_avx512(const uint64_t value[32], lane_mask mask, uint32_t shift)
{
    enum { LANES = 8, STEPS = 32 / LANES }; /* implementation: of a vector */
    __m512i first = _mm512_set1_epi64((long long)(value[__builtin_ctz(mask)] >> shift));
    __m512i any = _mm512_setzero_si512(), far = any;
    __m256i key[STEPS];
#pragma GCC unroll 4
    for (int k = 0; k < STEPS; k++) {
        __mmask8 on = (__mmask8)(mask >> (k * LANES));
        __m512i v = _mm512_maskz_loadu_epi64(on, value + k * LANES);
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
                                 .far = (uint64_t)_mm512_reduce_or_epi64(far) >> 32 != 0,
                                 .distinct = 32 - (uint32_t)__builtin_popcount(again)};
}

/* ---- AVX2 */

#define WITH_AVX2 __attribute__((target("avx2,popcnt")))
#define INTO_AVX2 WITH_AVX2 __attribute__((always_inline)) static inline

enum { QUAD_LANES = 4, QUADS = 8, KEY_LANES = 8, KEYS = 4 }; /* implementation: of vectors */

struct keys {                   /* the low halves of 32 units, lane after lane */
    __m256i of[KEYS], any, far; /* far: units that differ from the first, as bits of 64 */
};

/* `whole`: all lanes are on. A lane that is off gets the first active lane's unit. */
INTO_AVX2 struct keys read_keys(const uint64_t value[32], lane_mask mask, uint32_t shift, bool whole)
{
    __m256i first = _mm256_set1_epi64x((long long)(value[__builtin_ctz(mask)] >> shift));
    __m256i bit = _mm256_setr_epi64x(1, 2, 4, 8), lanes = _mm256_set1_epi64x(mask);
    __m128i by = _mm_cvtsi32_si128((int)shift);
    struct keys keys = {.any = _mm256_setzero_si256(), .far = _mm256_setzero_si256()};
    __m256i unit[QUADS];
#pragma GCC unroll 8
    for (int k = 0; k < QUADS; k++) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(value + k * QUAD_LANES));
        unit[k] = _mm256_srl_epi64(v, by);
        if (!whole) {
            __m256i on = _mm256_cmpeq_epi64(_mm256_and_si256(lanes, bit), bit);
            v = _mm256_and_si256(v, on);
            unit[k] = _mm256_blendv_epi8(first, unit[k], on);
            bit = _mm256_slli_epi64(bit, QUAD_LANES);
        }
        keys.any = _mm256_or_si256(keys.any, v);
        keys.far = _mm256_or_si256(keys.far, _mm256_xor_si256(unit[k], first));
    }
#pragma GCC unroll 4
    for (int k = 0; k < KEYS; k++) {
        __m256 low = _mm256_castsi256_ps(unit[2 * k]), high = _mm256_castsi256_ps(unit[2 * k + 1]);
        __m256i halves = _mm256_castps_si256(_mm256_shuffle_ps(low, high, _MM_SHUFFLE(2, 0, 2, 0)));
        keys.of[k] = _mm256_permute4x64_epi64(halves, _MM_SHUFFLE(3, 1, 2, 0));
    }
    return keys;
}

INTO_AVX2 uint64_t any_bits(__m256i v)
{
    __m128i half = _mm_or_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    return (uint64_t)(_mm_extract_epi64(half, 0) | _mm_extract_epi64(half, 1));
}

INTO_AVX2 uint32_t equal_keys(const struct keys *keys, const __m256i other[KEYS])
{
    uint32_t equal = 0;
#pragma GCC unroll 4
    for (int k = 0; k < KEYS; k++) {
        __m256 same = _mm256_castsi256_ps(_mm256_cmpeq_epi32(keys->of[k], other[k]));
        equal |= (uint32_t)_mm256_movemask_ps(same) << (k * KEY_LANES);
    }
    return equal;
}

/* Distinct keys where no key is less, or none is greater, than the one of the lane before; else 0. */
INTO_AVX2 uint32_t count_in_order(const struct keys *keys)
{
    __m256i next[KEYS], up = _mm256_set1_epi32(-1), down = up;
    /* definition: the lane behind each */
    const __m256i last = _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 7);
#pragma GCC unroll 4
    for (int k = 0; k < KEYS; k++) {
        __m256i here = keys->of[k];
        next[k] =
            k + 1 < KEYS
                ? _mm256_alignr_epi8(_mm256_permute2x128_si256(here, keys->of[(k + 1) % KEYS], 0x21), here, 4)
                : _mm256_permutevar8x32_epi32(here, last);
        up = _mm256_and_si256(up, _mm256_cmpeq_epi32(_mm256_min_epu32(here, next[k]), here));
        down = _mm256_and_si256(down, _mm256_cmpeq_epi32(_mm256_max_epu32(here, next[k]), here));
    }
    if (_mm256_movemask_epi8(up) != -1 && _mm256_movemask_epi8(down) != -1) return 0;
    return 33 - (uint32_t)__builtin_popcount(equal_keys(keys, next)); /* the last lane is its own next */
}

enum { NUMBER_BITS = 15, NO_NUMBER = 0xffff }; /* implementation: none has its top bit */

/* 16 keys as numbers of 15 bits: their low ones, or a hash (Fibonacci hashing: 2^32 / golden ratio). */
INTO_AVX2 __m256i narrow_keys(__m256i low, __m256i high, bool hash)
{
    const __m256i factor = _mm256_set1_epi32((int)0x9e3779b9u);
    const __m256i most = _mm256_set1_epi32((1 << NUMBER_BITS) - 1);
    low = hash ? _mm256_srli_epi32(_mm256_mullo_epi32(low, factor), 32 - NUMBER_BITS)
               : _mm256_and_si256(low, most);
    high = hash ? _mm256_srli_epi32(_mm256_mullo_epi32(high, factor), 32 - NUMBER_BITS)
                : _mm256_and_si256(high, most);
    return _mm256_permute4x64_epi64(_mm256_packus_epi32(low, high), _MM_SHUFFLE(3, 1, 2, 0));
}

/* Lanes whose number a later lane has, too: each against the one n lanes on, after the last of which come 16
 * that are no numbers. */
WITH_AVX2 static uint32_t later_twins(__m256i low, __m256i high)
{
    __m256i row[3] = {low, high, _mm256_set1_epi16((short)NO_NUMBER)};
    __m256i twin_low = _mm256_cmpeq_epi16(low, high), twin_high = _mm256_setzero_si256();
    const uint16_t *at = (const uint16_t *)row;
#pragma GCC unroll 16
    for (int n = 1; n < 16; n++) {
        __m256i near = _mm256_loadu_si256((const __m256i *)(at + n));
        __m256i far = _mm256_loadu_si256((const __m256i *)(at + 16 + n));
        twin_low = _mm256_or_si256(twin_low, _mm256_cmpeq_epi16(low, near));
        twin_low = _mm256_or_si256(twin_low, _mm256_cmpeq_epi16(low, far));
        twin_high = _mm256_or_si256(twin_high, _mm256_cmpeq_epi16(high, far));
    }
    __m256i twins = _mm256_packs_epi16(twin_low, twin_high);
    return (uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(twins, _MM_SHUFFLE(3, 1, 2, 0)));
}

/* Those of `twins` whose whole key a later lane has: equal hashes may come from keys that differ. */
WITH_AVX2 static uint32_t true_twins(const struct keys *keys, uint32_t twins)
{
    const uint32_t *key = (const uint32_t *)keys->of;
    uint32_t found = 0;
    for (uint32_t left = twins; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), later = ~1u << lane;
        __m256i same = _mm256_set1_epi32((int)key[lane]);
        if (equal_keys(keys, (__m256i[]){same, same, same, same}) & later) found |= 1u << lane;
    }
    return found;
}

INTO_AVX2 struct model_spread spread_keys(const uint64_t value[32], lane_mask mask, uint32_t shift,
                                          bool whole)
{
    struct keys keys = read_keys(value, mask, shift, whole);
    uint64_t far = any_bits(keys.far);
    struct model_spread spread = {.any = any_bits(keys.any), .far = far >> 32 != 0};
    spread.distinct = count_in_order(&keys);
    if (spread.distinct || spread.far) return spread;
    bool hash = far >> NUMBER_BITS != 0;
    uint32_t twins =
        later_twins(narrow_keys(keys.of[0], keys.of[1], hash), narrow_keys(keys.of[2], keys.of[3], hash));
    if (hash && twins) twins = true_twins(&keys, twins);
    spread.distinct = 32 - (uint32_t)__builtin_popcount(twins);
    return spread;
}

WITH_AVX2 static struct model_spread spread_avx2(const uint64_t value[32], lane_mask mask, uint32_t shift)
{
    return mask == ~0u ? spread_keys(value, mask, shift, true) : spread_keys(value, mask, shift, false);
}

struct model_spread model_spread(enum model_level level, const uint64_t value[32], lane_mask mask,
                                 uint32_t shift)
{
    switch (level) {
    case MODEL_AVX512: return spread_avx512(value, mask, shift);
    case MODEL_AVX2: return spread_avx2(value, mask, shift);
    case MODEL_PLAIN: break;
    }
    return model_spread_plain(value, mask, shift);
}
