/* SPDX-License-Identifier: Apache-2.0 */
/* What the matrix products of AVX-512 share: registers of fragments as vectors of 16 rows.
 * Limits: included where the build gives a file that instruction set. */
#ifndef ENGINE_MATRIX_AVX512_PRIV_H
#define ENGINE_MATRIX_AVX512_PRIV_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#define INLINE512 inline __attribute__((always_inline))
enum { ROWS = 16, COLUMNS = 8, REGISTER = 128, TILE = ROWS * COLUMNS * 4 };

static INLINE512 __m256i upper(__m512i v)
{
    return _mm512_extracti64x4_epi64(v, 1);
}

/* ---- factors */

#define FOUR_WORDS(f, at) f(at), f((at) + 1), f((at) + 2), f((at) + 3)
#define WORDS_OF(f, at)   FOUR_WORDS(f, at), FOUR_WORDS(f, (at) + 4)
#define ALL_WORDS_OF(f)   {WORDS_OF(f, 0), WORDS_OF(f, 8), WORDS_OF(f, 16), WORDS_OF(f, 24)}

/* Eight rows of eight k, four of them in each of two vectors: word w is k = w / 8 of the first four, row
 * w % 8. */
#define FOUR_K(w) (uint16_t)((w) % 8 % 4 * 8 + (w) / 8 + ((w) % 8 < 4 ? 0 : 32))
/* Two of those, each of eight rows: word w is k = w / 16 of the first two, row w % 16. */
#define TWO_K(w) (uint16_t)((w) / 16 * 8 + (w) % 8 + ((w) % 16 < 8 ? 0 : 32))
static const _Alignas(64) uint16_t four_k[32] = ALL_WORDS_OF(FOUR_K), two_k[32] = ALL_WORDS_OF(TWO_K);

static INLINE512 __m512i choose(__m512i a, __m512i b, const uint16_t *of, int add)
{
    __m512i index = _mm512_add_epi16(_mm512_load_si512(of), _mm512_set1_epi16((short)add));
    return _mm512_permutex2var_epi16(a, index, b);
}

/* from: two registers, rows [0, 8) and [8, 16) of eight words each; to: two words of all rows in each. */
static INLINE512 void turn_factor(const uint8_t *from, __m512i to[4])
{
    __m512i rows[4];
    memcpy(rows, from, sizeof rows);
    for (int quad = 0; quad < 2; quad++) {
        __m512i first = choose(rows[0], rows[1], four_k, quad * 4);
        __m512i second = choose(rows[2], rows[3], four_k, quad * 4);
        for (int pair = 0; pair < 2; pair++)
            to[2 * quad + pair] = choose(first, second, two_k, pair * 16);
    }
}

/* Rows [4 q, 4 q + 4) of four columns, two of them in each of two vectors: word w is row w / 8 of those,
 * column w % 4. */
#define FROM_TWO(w) (uint16_t)((w) / 8 + (w) % 2 * 16 + ((w) % 4 < 2 ? 0 : 32))
static const _Alignas(64) uint16_t from_two[32] = ALL_WORDS_OF(FROM_TWO);

static INLINE512 void turn_factor_back(const __m512i from[4], uint8_t *to)
{
    for (int q = 0; q < 4; q++) {
        __m512i low = choose(from[0], from[1], from_two, 4 * q),
                high = choose(from[2], from[3], from_two, 4 * q);
        __m512i rows = _mm512_mask_blend_epi16(0xf0f0f0f0, low, high);
        _mm512_storeu_si512(to + (size_t)q * 64, rows);
    }
}

/* ---- sums */

/* 16 rows of 4 columns: quarter L of vector i is row 4 L + i, and the other way round. */
static INLINE512 void turn_quarters(__m512i v[4])
{
    __m512i a = _mm512_shuffle_i32x4(v[0], v[1], 0x44), b = _mm512_shuffle_i32x4(v[0], v[1], 0xee);
    __m512i c = _mm512_shuffle_i32x4(v[2], v[3], 0x44), d = _mm512_shuffle_i32x4(v[2], v[3], 0xee);
    v[0] = _mm512_shuffle_i32x4(a, c, 0x88);
    v[1] = _mm512_shuffle_i32x4(a, c, 0xdd);
    v[2] = _mm512_shuffle_i32x4(b, d, 0x88);
    v[3] = _mm512_shuffle_i32x4(b, d, 0xdd);
}

static INLINE512 void turn_words(__m512i v[4])
{
    __m512i a = _mm512_unpacklo_epi32(v[0], v[1]), b = _mm512_unpackhi_epi32(v[0], v[1]);
    __m512i c = _mm512_unpacklo_epi32(v[2], v[3]), d = _mm512_unpackhi_epi32(v[2], v[3]);
    v[0] = _mm512_unpacklo_epi64(a, c);
    v[1] = _mm512_unpackhi_epi64(a, c);
    v[2] = _mm512_unpacklo_epi64(b, d);
    v[3] = _mm512_unpackhi_epi64(b, d);
}

/* Of the registers of 16 rows and 8 columns, those of four rows: column 2 t + e in every fourth word from t
 * on. */
static INLINE512 size_t quarter_at(unsigned e, unsigned q)
{
    return (q / 2 * 64 + e * 32 + q % 2 * 16) * 4;
}

/* The registers of c to columns, and columns to those of d. */
static INLINE512 void load_tile(const uint8_t *from, __m512i columns[COLUMNS])
{
    for (unsigned e = 0; e < 2; e++) {
        __m512i own[4];
        for (unsigned q = 0; q < 4; q++)
            own[q] = _mm512_loadu_si512(from + quarter_at(e, q));
        turn_quarters(own);
        turn_words(own);
        for (unsigned t = 0; t < 4; t++)
            columns[2 * t + e] = own[t];
    }
}

static INLINE512 void store_tile(const __m512i columns[COLUMNS], uint8_t *to)
{
    for (unsigned e = 0; e < 2; e++) {
        __m512i own[4];
        for (unsigned t = 0; t < 4; t++)
            own[t] = columns[2 * t + e];
        turn_words(own);
        turn_quarters(own);
        for (unsigned q = 0; q < 4; q++)
            _mm512_storeu_si512(to + quarter_at(e, q), own[q]);
    }
}
#endif
