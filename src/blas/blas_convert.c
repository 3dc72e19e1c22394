/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: products of matrices of small elements. Method: operands become floats, in panels that stay in
 * the caches, and the host's library multiplies these: products of halves and of 8-bit numbers are exact in
 * floats, and sums are rounded as floats, in another order than a tensor core's. Integers are exact: sums of
 * 1,024 products of 8-bit numbers stay below 2^24, and such sums are added as integers.
 * oneDNN multiplies bytes, bf16 and 8-bit floats where it can (blas_dnn.c).
 * Limits: COMPUTE_16F's sums are floats, too, which are more exact than a GPU's; TF32 is not rounded to. */
#include "blas_priv.h"

#include "base/base_bits.h"
#include "base/base_cpu.h"

#include <stdlib.h>
#include <string.h>

uint32_t blas_element_bytes(enum blas_element element)
{
    static const uint8_t BYTES[BLAS_ELEMENTS] = {
        [BLAS_F32] = 4,  [BLAS_F64] = 8, [BLAS_F16] = 2, [BLAS_BF16] = 2, [BLAS_E4M3] = 1,
        [BLAS_E5M2] = 1, [BLAS_I8] = 1,  [BLAS_U8] = 1,  [BLAS_I32] = 4};
    return BYTES[element];
}

/* ---- bits */

/* An IEEE number of 1 sign bit, some exponent bits, some fraction bits: its bits below the sign, moved to a
 * float's place, are the number times 2^(bias - 127); a product with a power of two mends that, denormal
 * numbers included. */
static inline float small_to_float(uint32_t magnitude, uint32_t sign, unsigned fraction, unsigned bias,
                                   uint32_t infinity)
{
    float scale = sw_float_of((127u + 127u - bias) << 23);
    float value = sw_float_of(magnitude << (23 - fraction)) * scale;
    uint32_t bits = sw_float_bits(value);
    bits = magnitude >= infinity ? 0x7f800000u | (magnitude - infinity) << (23 - fraction) : bits;
    return sw_float_of(bits | sign);
}

static inline float f16_to_float(uint16_t h)
{
    return small_to_float(h & 0x7fffu, (uint32_t)(h & 0x8000u) << 16, 10, 15, 0x7c00);
}

/* Round to nearest even: a sum with a power of two of the right size rounds off what is too much. */
static inline uint16_t float_to_f16(float value)
{
    uint32_t bits = sw_float_bits(value), magnitude = bits & 0x7fffffffu, odd = magnitude >> 13 & 1;
    uint32_t small = sw_float_bits(sw_float_of(magnitude) + 0.5f) - 0x3f000000u; /* multiples of 2^-24 */
    uint32_t large = (magnitude + 0xfffu + odd - 0x38000000u) >> 13;
    uint32_t result = magnitude < 0x38800000u ? small : large; /* below 2^-14 */
    result = magnitude >= 0x477ff000u ? 0x7c00u : result;      /* 65520 and more */
    result = magnitude > 0x7f800000u ? 0x7e00u : result;
    return (uint16_t)(result | (bits >> 16 & 0x8000u));
}

static inline uint16_t float_to_bf16(float value)
{
    uint32_t bits = sw_float_bits(value), rounded = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
    return (uint16_t)((bits & 0x7fffffffu) > 0x7f800000u ? bits >> 16 | 0x40u : rounded);
}

static inline float e4m3_to_float(uint8_t b)
{
    float value = small_to_float(b & 0x7fu, (uint32_t)(b & 0x80u) << 24, 3, 7, 0x100);
    return (b & 0x7f) == 0x7f ? sw_float_of(0x7fc00000u) : value;
}

static inline float e5m2_to_float(uint8_t b)
{
    return small_to_float(b & 0x7fu, (uint32_t)(b & 0x80u) << 24, 2, 15, 0x7c);
}

/* The same for 8 bits, saturating: what is below the first normal number has the format's smallest one as its
 * unit, which is the last bit of `unit`. */
static inline uint8_t float_to_8(float value, unsigned fraction, unsigned bias, uint32_t most)
{
    uint32_t bits = sw_float_bits(value), magnitude = bits & 0x7fffffffu, drop = 23 - fraction;
    uint32_t unit = (127u + 24u - bias - fraction) << 23, normal = (128u - bias) << 23;
    uint32_t odd = magnitude >> drop & 1;
    uint32_t small = sw_float_bits(sw_float_of(magnitude) + sw_float_of(unit)) - unit;
    uint32_t large = (magnitude + (1u << (drop - 1)) - 1 + odd - ((127u - bias) << 23)) >> drop;
    uint32_t result = magnitude < normal ? small : large < most ? large : most;
    result = magnitude > 0x7f800000u ? 0x7f : result;
    return (uint8_t)(result | (bits >> 24 & 0x80u));
}

static int32_t to_integer(float value, float least, float most)
{
    if (!(value > least)) return (int32_t)least;
    return (int32_t)(value < most ? __builtin_rintf(value) : most);
}

/* ---- vectors of them */

#define LOOP(expression)                                                                                     \
    do {                                                                                                     \
        for (uint64_t i = 0; i < count; i++)                                                                 \
            to[i] = (expression);                                                                            \
    } while (0)

SW_FOR_EACH_CPU static void halves_to_floats(const uint16_t *from, float *to, uint64_t count)
{
    LOOP(f16_to_float(from[i]));
}

SW_FOR_EACH_CPU static void brains_to_floats(const uint16_t *from, float *to, uint64_t count)
{
    LOOP(sw_float_of((uint32_t)from[i] << 16));
}

SW_FOR_EACH_CPU static void bytes_to_floats(const int8_t *from, float *to, uint64_t count)
{
    LOOP(from[i]);
}

SW_FOR_EACH_CPU static void floats_to_halves(const float *from, uint16_t *to, uint64_t count)
{
    LOOP(float_to_f16(from[i]));
}

SW_FOR_EACH_CPU static void floats_to_brains(const float *from, uint16_t *to, uint64_t count)
{
    LOOP(float_to_bf16(from[i]));
}

SW_FOR_EACH_CPU static void e4m3s_to_floats(const uint8_t *from, float *to, uint64_t count)
{
    LOOP(e4m3_to_float(from[i]));
}

SW_FOR_EACH_CPU static void e5m2s_to_floats(const uint8_t *from, float *to, uint64_t count)
{
    LOOP(e5m2_to_float(from[i]));
}

void blas_to_floats(enum blas_element element, const void *from, float *to, uint64_t count)
{
    const uint8_t *bytes = from;
    const int32_t *words = from;
    switch ((int)element) {
    case BLAS_F16: halves_to_floats(from, to, count); return;
    case BLAS_BF16: brains_to_floats(from, to, count); return;
    case BLAS_I8: bytes_to_floats(from, to, count); return;
    case BLAS_E4M3: e4m3s_to_floats(from, to, count); return;
    case BLAS_E5M2: e5m2s_to_floats(from, to, count); return;
    case BLAS_U8: LOOP(bytes[i]); return;
    case BLAS_I32: LOOP((float)words[i]); return;
    default: memcpy(to, from, count * sizeof *to); return;
    }
}

SW_FOR_EACH_CPU static void floats_to_e4m3(const float *from, uint8_t *to, uint64_t count)
{
    LOOP(float_to_8(from[i], 3, 7, 0x7e));
}

SW_FOR_EACH_CPU static void floats_to_e5m2(const float *from, uint8_t *to, uint64_t count)
{
    LOOP(float_to_8(from[i], 2, 15, 0x7b));
}

static void floats_to_bytes(enum blas_element element, const float *from, uint8_t *to, uint64_t count)
{
    if (element == BLAS_E4M3) floats_to_e4m3(from, to, count);
    if (element == BLAS_E5M2) floats_to_e5m2(from, to, count);
    if (element == BLAS_I8) LOOP((uint8_t)to_integer(from[i], -128, 127));
    if (element == BLAS_U8) LOOP((uint8_t)to_integer(from[i], 0, 255));
}

void blas_from_floats(enum blas_element element, const float *from, void *out, uint64_t count)
{
    if (element == BLAS_F16)
        floats_to_halves(from, out, count);
    else if (element == BLAS_BF16)
        floats_to_brains(from, out, count);
    else if (element == BLAS_F32)
        memcpy(out, from, count * sizeof *from);
    else
        floats_to_bytes(element, from, out, count);
}

/* ---- products */

enum {
    PANEL_COLUMNS =
        512,       /* implementation: columns of c at a time, so that floats of b and c stay in caches */
    EXACT_K = 1024 /* definition: 1024 * 128 * 128 is 2^24 */
};

/* Columns [first, first + count) of a matrix as floats, without gaps. */
static void columns_to_floats(enum blas_element element, const void *from, int64_t ld, int64_t rows,
                              int64_t first, int64_t count, float *to)
{
    uint64_t bytes = blas_element_bytes(element);
    const uint8_t *at = (const uint8_t *)from + (uint64_t)(first * ld) * bytes;
    if (ld == rows) blas_to_floats(element, at, to, (uint64_t)(rows * count));
    for (int64_t j = 0; j < count && ld != rows; j++)
        blas_to_floats(element, at + (uint64_t)(j * ld) * bytes, to + j * rows, (uint64_t)rows);
}

/* op(b)'s columns [first, first + count), for all k or some of them. */
static const float *b_panel(const struct blas_mixed *x, int64_t first, int64_t count, int64_t k_first,
                            int64_t k_count, float *room, int *ld)
{
    uint64_t bytes = blas_element_bytes(x->b_element);
    bool plain = x->trans_b == BLAS_N;
    int64_t row = plain ? k_first : first, column = plain ? first : k_first;
    int64_t rows = plain ? k_count : count, columns = plain ? count : k_count;
    const uint8_t *at = (const uint8_t *)x->b + (uint64_t)(column * x->ldb + row) * bytes;
    if (x->b_element == BLAS_F32) {
        *ld = x->ldb;
        return (const float *)(const void *)at;
    }
    columns_to_floats(x->b_element, at, x->ldb, rows, 0, columns, room);
    *ld = (int)(rows > 0 ? rows : 1);
    return room;
}

static bool product(const struct blas_mixed *x, const float *a, int lda, const float *b, int ldb, int n,
                    int k, float alpha, float beta, float *c, int ldc)
{
    return blas_gemm(&(struct blas_args){.type = BLAS_S,
                                         .trans_a = x->trans_a,
                                         .trans_b = x->trans_b,
                                         .m = x->m,
                                         .n = n,
                                         .k = k,
                                         .alpha = &alpha,
                                         .a = a,
                                         .lda = lda,
                                         .b = b,
                                         .ldb = ldb,
                                         .beta = &beta,
                                         .c = c,
                                         .ldc = ldc});
}

/* All of op(a) as floats. */
static const float *a_floats(const struct blas_mixed *x, float **room, int *ld)
{
    int64_t rows = x->trans_a == BLAS_N ? x->m : x->k, columns = x->trans_a == BLAS_N ? x->k : x->m;
    *room = NULL;
    *ld = x->lda;
    if (x->a_element == BLAS_F32) return x->a;
    *room = blas_room_take((uint64_t)(rows * columns) * sizeof **room + 1);
    columns_to_floats(x->a_element, x->a, x->lda, rows, 0, columns, *room);
    *ld = (int)(rows > 0 ? rows : 1);
    return *room;
}

static bool float_panel(const struct blas_mixed *x, const float *a, int lda, int first, int count,
                        float *b_room, float *c_room)
{
    float alpha = *(const float *)x->alpha, beta = *(const float *)x->beta;
    uint64_t bytes = blas_element_bytes(x->c_element);
    uint8_t *out = (uint8_t *)x->c + (uint64_t)first * (uint64_t)x->ldc * bytes;
    int ldb;
    const float *b = b_panel(x, first, count, 0, x->k, b_room, &ldb);
    if (x->c_element == BLAS_F32)
        return product(x, a, lda, b, ldb, count, x->k, alpha, beta, (float *)(void *)out, x->ldc);
    if (beta != 0) columns_to_floats(x->c_element, out, x->ldc, x->m, 0, count, c_room);
    int ldc = x->m > 0 ? x->m : 1;
    if (!product(x, a, lda, b, ldb, count, x->k, alpha, beta, c_room, ldc)) return false;
    for (int64_t j = 0; j < count; j++)
        blas_from_floats(x->c_element, c_room + j * x->m, out + (uint64_t)(j * x->ldc) * bytes,
                         (uint64_t)x->m);
    return true;
}

/* Exact sums of int8 products: floats for EXACT_K of them, added up as integers. */
static bool integer_panel(const struct blas_mixed *x, const float *a, int lda, int first, int count,
                          float *b_room, float *c_room)
{
    uint32_t alpha = *(const uint32_t *)x->alpha, beta = *(const uint32_t *)x->beta;
    uint32_t *out = (uint32_t *)x->c + (uint64_t)first * (uint64_t)x->ldc;
    for (int64_t j = 0; j < count; j++)
        for (int64_t i = 0; i < x->m; i++)
            out[j * x->ldc + i] = beta ? beta * out[j * x->ldc + i] : 0;
    for (int k = 0; k < x->k; k += EXACT_K) {
        int some = x->k - k < EXACT_K ? x->k - k : EXACT_K, ldb;
        const float *b = b_panel(x, first, count, k, some, b_room, &ldb);
        const float *part = a + (x->trans_a == BLAS_N ? (int64_t)k * lda : k);
        if (!product(x, part, lda, b, ldb, count, some, 1, 0, c_room, x->m > 0 ? x->m : 1)) return false;
        for (int64_t j = 0; j < count; j++)
            for (int64_t i = 0; i < x->m; i++)
                out[j * x->ldc + i] += alpha * (uint32_t)(int32_t)c_room[j * x->m + i];
    }
    return true;
}

/* A matrix of bf16, or of 8-bit floats, which bf16 has all: itself, or in room. NULL: of other elements. */
static const uint16_t *bf16_of(enum blas_element element, const void *from, int64_t rows, int64_t columns,
                               int *ld, uint16_t **room)
{
    *room = NULL;
    if (element == BLAS_BF16) return from;
    if (element != BLAS_E4M3 && element != BLAS_E5M2) return NULL;
    float *floats = sw_xmalloc((uint64_t)rows * sizeof *floats + 1);
    uint64_t bytes = blas_element_bytes(element);
    *room = sw_xmalloc((uint64_t)(rows * columns) * sizeof **room + 1);
    for (int64_t j = 0; j < columns; j++) {
        blas_to_floats(element, (const uint8_t *)from + (uint64_t)(j * *ld) * bytes, floats, (uint64_t)rows);
        blas_from_floats(BLAS_BF16, floats, *room + j * rows, (uint64_t)rows);
    }
    free(floats);
    *ld = (int)rows;
    return *room;
}

/* Column j of c := alpha * sums + beta * c; room: a column of floats. */
static void finish_column(const struct blas_mixed *x, int64_t j, float *sums, float *room)
{
    float alpha = *(const float *)x->alpha, beta = *(const float *)x->beta;
    uint8_t *c = (uint8_t *)x->c + (uint64_t)(j * x->ldc) * blas_element_bytes(x->c_element);
    if (beta != 0) blas_to_floats(x->c_element, c, room, (uint64_t)x->m);
    for (int64_t i = 0; i < x->m; i++)
        sums[i] = beta != 0 ? alpha * sums[i] + beta * room[i] : alpha * sums[i];
    blas_from_floats(x->c_element, sums, c, (uint64_t)x->m);
}

/* By instructions for bf16; false: there are none, and nothing was changed. */
static bool bf16_product(const struct blas_mixed *x)
{
    bool plain_a = x->trans_a == BLAS_N, plain_b = x->trans_b == BLAS_N;
    int lda = x->lda, ldb = x->ldb;
    uint16_t *a_room, *b_room = NULL;
    const uint16_t *b = NULL;
    const uint16_t *a =
        bf16_of(x->a_element, x->a, plain_a ? x->m : x->k, plain_a ? x->k : x->m, &lda, &a_room);
    if (a) b = bf16_of(x->b_element, x->b, plain_b ? x->k : x->n, plain_b ? x->n : x->k, &ldb, &b_room);
    float *sums = blas_room_take((uint64_t)x->m * ((uint64_t)x->n + 1) * sizeof *sums);
    bool done = a && b && blas_dnn_bf16(x, a, lda, b, ldb, sums, x->m);
    for (int64_t j = 0; j < x->n && done; j++)
        finish_column(x, j, sums + j * x->m, sums + (int64_t)x->n * x->m);
    blas_room_give(sums);
    free(b_room);
    free(a_room);
    return done;
}

/* By oneDNN; false: it does not, and nothing was changed. */
static bool other_product(const struct blas_mixed *x)
{
    bool bytes = x->a_element == BLAS_I8 && x->b_element == BLAS_I8;
    if (x->c_element == BLAS_I32) return bytes && blas_dnn_bytes(x);
    return blas_dnn_has_bf16(x) && bf16_product(x);
}

bool blas_gemm_mixed(const struct blas_mixed *x)
{
    int lda;
    float *a_room;
    if (x->m == 0 || x->n == 0) return true;
    if (other_product(x)) return true;
    const float *a = a_floats(x, &a_room, &lda);
    uint64_t columns = x->n < PANEL_COLUMNS ? (uint64_t)x->n : PANEL_COLUMNS;
    float *b_room = blas_room_take((uint64_t)x->k * columns * sizeof *b_room + 1);
    float *c_room = blas_room_take((uint64_t)x->m * columns * sizeof *c_room + 1);
    bool done = true;
    for (int first = 0; first < x->n && done; first += PANEL_COLUMNS) {
        int count = x->n - first < PANEL_COLUMNS ? x->n - first : PANEL_COLUMNS;
        done = x->c_element == BLAS_I32 ? integer_panel(x, a, lda, first, count, b_room, c_room)
                                        : float_panel(x, a, lda, first, count, b_room, c_room);
    }
    blas_room_give(a_room);
    blas_room_give(b_room);
    blas_room_give(c_room);
    return done;
}
