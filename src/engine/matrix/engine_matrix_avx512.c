/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: matrix products of integers with AVX-512: those of engine_matrix_vector_priv.h, and bytes by an
 * instruction for two products and their sum.
 * Method: a vector has two neighbours of k in each of 16 rows of x, as 16 bits; a pair of y is broadcast.
 * The build gives this file its own instruction set (cmake/Modules.cmake).
 * Limits: called only where emitted code of that set runs. */
#define MATRIX_VECTOR_BYTES 64
#define MATRIX_LOW          0, 1, 2, 3, 4, 5, 6, 7
#define MATRIX_HIGH         8, 9, 10, 11, 12, 13, 14, 15
#include "engine_matrix_vector_priv.h"

#ifdef __AVX512BW__
#include "engine_matrix_avx512_priv.h"

enum { BLOCK_K = 16, K_BLOCKS = 2, PAIRS = BLOCK_K * K_BLOCKS / 2 };

struct bytes {
    __m512i x[PAIRS];                       /* of 16 rows */
    _Alignas(64) int32_t y[COLUMNS][PAIRS]; /* two elements of 16 bits each */
};

static INLINE512 __m512i widened_bytes(__m256i bytes, bool is_signed)
{
    return is_signed ? _mm512_cvtepi8_epi16(bytes) : _mm512_cvtepu8_epi16(bytes);
}

static INLINE512 void load_rows(const struct matrix_form *form, unsigned row, unsigned across,
                                struct bytes *to)
{
    bool is_signed = form->a == JIT_MATRIX_S8;
    for (unsigned b = 0; b < across; b++) {
        __m512i pairs[4];
        turn_factor(form->x + (size_t)(row * across + b) * 2 * REGISTER, pairs);
        for (unsigned i = 0; i < 4; i++) {
            to->x[b * BLOCK_K / 2 + 2 * i] = widened_bytes(_mm512_castsi512_si256(pairs[i]), is_signed);
            to->x[b * BLOCK_K / 2 + 2 * i + 1] = widened_bytes(upper(pairs[i]), is_signed);
        }
    }
}

/* A register has 16 bytes of each of eight columns. */
static INLINE512 void load_columns(const struct matrix_form *form, unsigned column, unsigned across,
                                   struct bytes *to)
{
    bool is_signed = form->b == JIT_MATRIX_S8;
    for (unsigned b = 0; b < across; b++)
        for (unsigned j = 0; j < COLUMNS; j += 2) {
            __m256i two;
            memcpy(&two, form->y + (size_t)(column * across + b) * REGISTER + (size_t)j * BLOCK_K,
                   sizeof two);
            __m512i wide = widened_bytes(two, is_signed);
            _mm256_storeu_si256((__m256i *)(void *)&to->y[j][b * BLOCK_K / 2], _mm512_castsi512_si256(wide));
            _mm256_storeu_si256((__m256i *)(void *)&to->y[j + 1][b * BLOCK_K / 2], upper(wide));
        }
}

/* What does not fit in 32 bits becomes the nearest that does: .satfinite */
static INLINE512 __m512i saturated_sum(__m512i a, __m512i b)
{
    __m512i sum = _mm512_add_epi32(a, b), end = _mm512_srli_epi32(a, 31);
    __m512i over = _mm512_and_si512(_mm512_xor_si512(a, sum), _mm512_xor_si512(b, sum));
    end = _mm512_add_epi32(end, _mm512_set1_epi32(INT32_MAX));
    return _mm512_mask_mov_epi32(sum, _mm512_movepi32_mask(over), end);
}

static INLINE512 void add_bytes(const struct bytes *f, unsigned pairs, bool cut, const uint8_t *c,
                                uint8_t *to)
{
    __m512i columns[COLUMNS], sum[COLUMNS];
    load_tile(c, columns);
    for (unsigned j = 0; j < COLUMNS; j++)
        sum[j] = _mm512_setzero_si512();
    for (unsigned p = 0; p < pairs; p++)
        for (unsigned j = 0; j < COLUMNS; j++)
            sum[j] = _mm512_add_epi32(sum[j], _mm512_madd_epi16(f->x[p], _mm512_set1_epi32(f->y[j][p])));
    for (unsigned j = 0; j < COLUMNS; j++)
        columns[j] = cut ? saturated_sum(sum[j], columns[j]) : _mm512_add_epi32(sum[j], columns[j]);
    store_tile(columns, to);
}

static bool is_byte(enum jit_matrix_type type)
{
    return type == JIT_MATRIX_S8 || type == JIT_MATRIX_U8;
}

static bool multiply_bytes(const struct matrix_form *form, uint8_t *to)
{
    unsigned across = form->k / BLOCK_K, wide = form->xs / ROWS;
    if (!is_byte(form->a) || !is_byte(form->b) || form->sparse || form->xs % ROWS || across > K_BLOCKS)
        return false;
    bool cut = form->flags & JIT_MATRIX_SATFINITE;
    struct bytes f;
    for (unsigned r = 0; r < wide; r++) {
        load_rows(form, r, across, &f);
        for (unsigned j = 0; j < form->ys / COLUMNS; j++) {
            size_t at = (size_t)(j * wide + r) * TILE;
            load_columns(form, j, across, &f);
            add_bytes(&f, across * BLOCK_K / 2, cut, form->c_from + at, to + at);
        }
    }
    return true;
}
#else /* never run */
static bool multiply_bytes(const struct matrix_form *form, uint8_t *to)
{
    (void)form;
    (void)to;
    return false;
}
#endif

void matrix_integers_avx512(const struct matrix_form *form, struct matrix_integers *sums, uint8_t *to)
{
    if (!multiply_bytes(form, to)) multiply_integers(form, sums, to);
}
