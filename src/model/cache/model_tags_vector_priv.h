/* SPDX-License-Identifier: Apache-2.0 */
/* Searches of keys and ranks, 16 bytes and more at a time, with what all x86-64 processors have (a choice of
 * clones at each call cost as much as they do), or as plain loops, which compilers make vectors of. */
#ifndef MODEL_TAGS_VECTOR_PRIV_H
#define MODEL_TAGS_VECTOR_PRIV_H

#include <stdint.h>

#ifdef __SSE2__

#include <emmintrin.h>

static inline __m128i model_keys_equal(const uint32_t *keys, __m128i key)
{
    return _mm_cmpeq_epi32(_mm_loadu_si128((const __m128i *)(const void *)keys), key);
}

/* The bits of those of 4 keys that are the wanted one. */
static inline uint32_t model_keys_four(const uint32_t *keys, uint32_t key)
{
    __m128i wanted = _mm_set1_epi32((int)key);
    return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(model_keys_equal(keys, wanted)));
}

/* The same of 8, two bits each. */
static inline uint32_t model_keys_eight(const uint32_t *keys, uint32_t key)
{
    __m128i wanted = _mm_set1_epi32((int)key);
    return (uint32_t)_mm_movemask_epi8(
        _mm_packs_epi32(model_keys_equal(keys, wanted), model_keys_equal(keys + 4, wanted)));
}

/* The same of 16, a bit each. */
static inline uint32_t model_keys_sixteen(const uint32_t *keys, uint32_t key)
{
    __m128i wanted = _mm_set1_epi32((int)key);
    __m128i low = _mm_packs_epi32(model_keys_equal(keys, wanted), model_keys_equal(keys + 4, wanted));
    __m128i high = _mm_packs_epi32(model_keys_equal(keys + 8, wanted), model_keys_equal(keys + 12, wanted));
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high));
}

/* The bits of those of 16 ranks that are the wanted one. */
static inline uint32_t model_ranks_equal(const uint8_t *ranks, uint8_t rank)
{
    __m128i here = _mm_loadu_si128((const __m128i *)(const void *)ranks);
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(here, _mm_set1_epi8((char)rank)));
}

/* Of 16 ranks, those from `least` on fall by one. */
static inline void model_ranks_fall(uint8_t *ranks, uint8_t least)
{
    __m128i *at = (__m128i *)(void *)ranks, here = _mm_loadu_si128(at);
    __m128i falls = _mm_cmpeq_epi8(_mm_max_epu8(here, _mm_set1_epi8((char)least)), here);
    _mm_storeu_si128(at, _mm_sub_epi8(here, _mm_and_si128(falls, _mm_set1_epi8(1))));
}

/* Of 16 ranks, those from `least` on and below `end` rise by one. */
static inline void model_ranks_rise(uint8_t *ranks, uint8_t least, uint8_t end)
{
    __m128i *at = (__m128i *)(void *)ranks, here = _mm_loadu_si128(at);
    __m128i rises = _mm_cmpeq_epi8(_mm_max_epu8(here, _mm_set1_epi8((char)least)), here);
    rises = _mm_andnot_si128(_mm_cmpeq_epi8(_mm_max_epu8(here, _mm_set1_epi8((char)end)), here), rises);
    _mm_storeu_si128(at, _mm_add_epi8(here, _mm_and_si128(rises, _mm_set1_epi8(1))));
}

#else

static inline uint32_t model_keys_found(const uint32_t *keys, uint32_t count, uint32_t key, uint32_t step)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found |= (uint32_t)(keys[i] == key) << i * step;
    return found;
}

static inline uint32_t model_keys_four(const uint32_t *keys, uint32_t key)
{
    return model_keys_found(keys, 4, key, 1);
}

static inline uint32_t model_keys_eight(const uint32_t *keys, uint32_t key)
{
    return model_keys_found(keys, 8, key, 2);
}

static inline uint32_t model_keys_sixteen(const uint32_t *keys, uint32_t key)
{
    return model_keys_found(keys, 16, key, 1);
}

static inline uint32_t model_ranks_equal(const uint8_t *ranks, uint8_t rank)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < 16; i++)
        found |= (uint32_t)(ranks[i] == rank) << i;
    return found;
}

static inline void model_ranks_fall(uint8_t *ranks, uint8_t least)
{
    for (uint32_t i = 0; i < 16; i++)
        ranks[i] = (uint8_t)(ranks[i] - (ranks[i] >= least));
}

static inline void model_ranks_rise(uint8_t *ranks, uint8_t least, uint8_t end)
{
    for (uint32_t i = 0; i < 16; i++)
        ranks[i] = (uint8_t)(ranks[i] + (ranks[i] >= least && ranks[i] < end));
}

#endif
#endif
