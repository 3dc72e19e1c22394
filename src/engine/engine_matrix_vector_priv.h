/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the part of matrix multiplication that is worth vectors, compiled once for each instruction set
 * (engine_matrix_sse2.c and its sisters include this and name the two functions).
 * Method: 16 rows of x at a time, in GCC's and clang's vector types. A term p of a sum is f32's product,
 * which is exact here; multiplied by 2^(fraction - largest exponent) and truncated to an integer it is cut as
 * the adder cuts it, and integers add up exactly: the terms of half a sum stay below 2^31. Limits: operands
 * that are not finite, or whose products come near the ends of f32, go to matrix_sum_exactly. */
#ifndef ENGINE_MATRIX_VECTOR_PRIV_H
#define ENGINE_MATRIX_VECTOR_PRIV_H

#include "engine_matrix_priv.h"

#include <string.h>

enum { LANES = 16 };
typedef float vf __attribute__((vector_size(64), may_alias));
typedef int32_t vi __attribute__((vector_size(64), may_alias));
typedef uint32_t vu __attribute__((vector_size(64), may_alias));
typedef uint16_t vh __attribute__((vector_size(32), may_alias));
typedef int32_t vi8 __attribute__((vector_size(32), may_alias));
typedef float vf8 __attribute__((vector_size(32), may_alias));
typedef double vd8 __attribute__((vector_size(64), may_alias));
typedef int64_t vl8 __attribute__((vector_size(64), may_alias));
typedef uint16_t rows8 __attribute__((vector_size(16), may_alias));

#define PICK(mask, yes, no) (((yes) & (mask)) | ((no) & ~(mask)))
#define LARGER(a, b)        PICK((a) > (b), a, b)
#define SMALLER(a, b)       PICK((a) < (b), a, b)

/* ---- registers to numbers */

/* Two 8 x 8 tiles of 16 bits, transposed by three rounds of interleaving. */
static void transpose_tile(const uint8_t *from, uint16_t (*to)[MATRIX_X])
{
    rows8 a[8], b[8];
    memcpy(a, from, sizeof a);
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < 4; i++) {
            b[2 * i] = __builtin_shufflevector(a[i], a[i + 4], 0, 8, 1, 9, 2, 10, 3, 11);
            b[2 * i + 1] = __builtin_shufflevector(a[i], a[i + 4], 4, 12, 5, 13, 6, 14, 7, 15);
        }
        memcpy(a, b, sizeof a);
    }
    for (unsigned k = 0; k < 8; k++)
        memcpy(to[k], &a[k], sizeof a[k]);
}

/* Sums of e4m3 and e5m2 that are made of two have every other pair of k (sparse: of four) in each. */
static unsigned place_of_k(const struct matrix_floats *sums, unsigned k)
{
    if (!sums->start_at_zero) return k;
    unsigned run = sums->sparse ? 4 : 2;
    return k / run % 2 * sums->step + k / (2 * run) * run + k % run;
}

static unsigned code_at(const uint8_t *row, enum jit_matrix_type type, unsigned i)
{
    uint16_t wide;
    if (matrix_bits(type) == 8) return matrix_eight_codes(type)[row[i]];
    memcpy(&wide, row + 2 * i, 2);
    return wide;
}

static void place_word(struct matrix_floats *sums, enum jit_matrix_type type, const uint8_t *row, unsigned i,
                       unsigned x, unsigned k)
{
    if (type != JIT_MATRIX_TF32) {
        sums->x_code[place_of_k(sums, k)][x] = (uint16_t)code_at(row, type, i);
        return;
    }
    uint32_t word;
    memcpy(&word, row + 4 * i, 4);
    word &= 0xffffe000;
    memcpy(&sums->x[k][x], &word, 4);
}

static void load_sparse(const struct matrix_form *form, struct matrix_floats *sums)
{
    unsigned inner = matrix_inner(form->a), count = form->xs * form->k / 2 / (8 * inner), first, column;
    memset(sums->x_code, 0, form->k * sizeof sums->x_code[0]);
    memset(sums->x, 0, form->k * sizeof sums->x[0]);
    memset(sums->present, 0, sizeof sums->present);
    for (unsigned r = 0; r < count; r++) {
        matrix_place_x(form, r, inner, &first, &column);
        for (unsigned g = 0; g < 8; g++) {
            uint64_t metadata = matrix_metadata(form, first + g);
            for (unsigned i = 0; i < inner; i++) {
                unsigned k = matrix_sparse_column(form->a, metadata, column + i);
                place_word(sums, form->a, form->x + r * 128 + g * 16, i, first + g, k);
                sums->present[first + g] |= UINT64_C(1) << place_of_k(sums, k);
            }
        }
    }
}

static void load_x(const struct matrix_form *form, struct matrix_floats *sums)
{
    unsigned inner = matrix_inner(form->a), count = form->xs * form->k / (8 * inner), first, column;
    for (unsigned r = 0; r < count; r++) {
        matrix_place_x(form, r, inner, &first, &column);
        if (inner == 8) {
            transpose_tile(form->x + r * 128, (uint16_t(*)[MATRIX_X])(void *)&sums->x_code[column][first]);
            continue;
        }
        for (unsigned g = 0; g < 8; g++)
            for (unsigned i = 0; i < inner; i++)
                place_word(sums, form->a, form->x + r * 128 + g * 16, i, first + g, column + i);
    }
}

static void load_y(const struct matrix_form *form, struct matrix_floats *sums)
{
    unsigned inner = matrix_inner(form->b), count = form->ys * form->k / (8 * inner), first, column;
    if (form->k % LANES) memset(sums->y_code, 0, sizeof sums->y_code);
    for (unsigned r = 0; r < count; r++) {
        matrix_place_y(form, r, inner, &first, &column);
        for (unsigned g = 0; g < 8; g++) {
            const uint8_t *row = form->y + r * 128 + g * 16;
            if (inner == 8)
                memcpy(&sums->y_code[first + g][column], row, 16);
            else if (inner == 4)
                memcpy(&sums->y[first + g][column], row, 16);
            else
                for (unsigned i = 0; i < inner; i++)
                    sums->y_code[first + g][place_of_k(sums, column + i)] =
                        (uint16_t)code_at(row, form->b, i);
        }
    }
}

/* Bits of f32 from f16 or bf16; infinities and NaNs stay what they are. */
static inline void decode(const uint16_t *codes, bool brain, float *to)
{
    vh raw;
    memcpy(&raw, codes, sizeof raw);
    vu wide = __builtin_convertvector(raw, vu), bits = wide << 16;
    if (!brain) {
        vu magnitude = (wide & 0x7fff) << 13;
        vf scaled = (vf)magnitude * 0x1p112f;
        vu special = (vu)((wide & 0x7c00) == 0x7c00) & 0x7f800000;
        bits = (vu)scaled | special | (wide & 0x8000) << 16;
    }
    memcpy(to, &bits, sizeof bits);
}

struct range {
    vi least, most;
};

/* The exponent of each of 16 numbers. */
static inline void exponents(const float *from, int least, int32_t *to, struct range *range)
{
    vi bits;
    memcpy(&bits, from, sizeof bits);
    vi field = (bits >> 23 & 255) - 127, none = (bits & 0x7fffffff) == 0, floor = (vi){0} + least;
    vi exponent = LARGER(field, floor);
    exponent = PICK(field == 128, (vi){0} + MATRIX_NOT_FINITE, exponent);
    vi low = PICK(none, (vi){0} + MATRIX_NOT_FINITE, exponent);
    exponent = PICK(none, (vi){0} + MATRIX_ZERO, exponent);
    range->least = SMALLER(range->least, low);
    range->most = LARGER(range->most, exponent);
    memcpy(to, &exponent, sizeof exponent);
}

static void bounds(const struct range *range, int *least, int *most)
{
    *least = MATRIX_NOT_FINITE;
    *most = MATRIX_ZERO;
    for (unsigned i = 0; i < LANES; i++) {
        *least = range->least[i] < *least ? range->least[i] : *least;
        *most = range->most[i] > *most ? range->most[i] : *most;
    }
}

/* Are all factors finite and their products far from the ends of f32? */
static bool decode_factors(const struct matrix_form *form, struct matrix_floats *sums)
{
    struct range x = {(vi){0} + MATRIX_NOT_FINITE, (vi){0} + MATRIX_ZERO}, y = x;
    bool brain = form->a == JIT_MATRIX_BF16, coded = form->a != JIT_MATRIX_TF32;
    for (unsigned k = 0; k < sums->k; k++)
        for (unsigned v = 0; v < sums->xs; v += LANES) {
            if (coded) decode(&sums->x_code[k][v], brain, &sums->x[k][v]);
            exponents(&sums->x[k][v], sums->least_x, &sums->x_exponent[k][v], &x);
        }
    for (unsigned j = 0; j < sums->ys; j++)
        for (unsigned k = 0; k < sums->k; k += LANES) {
            if (coded) decode(&sums->y_code[j][k], brain, &sums->y[j][k]);
            if (!coded) {
                vu bits;
                memcpy(&bits, &sums->y[j][k], sizeof bits);
                bits &= 0xffffe000;
                if (sums->k - k < LANES)
                    bits &= (vu)((vu){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15} < sums->k - k);
                memcpy(&sums->y[j][k], &bits, sizeof bits);
            }
            exponents(&sums->y[j][k], sums->least_y, &sums->y_exponent[j][k], &y);
        }
    int least_x, least_y, most_x, most_y;
    bounds(&x, &least_x, &most_x);
    bounds(&y, &least_y, &most_y);
    return most_x + most_y <= 125 && least_x + least_y >= -100;
}

/* ---- addends and results: pairs of columns of y */

static void load_c(const struct matrix_form *form, float (*to)[MATRIX_X])
{
    bool half = form->c == JIT_MATRIX_F16;
    for (unsigned p = 0; p < form->xs * form->ys / 64; p++) {
        unsigned x = p % form->x_blocks * 8, y = p / form->x_blocks * 8;
        for (unsigned lane = 0; lane < 32; lane++)
            for (unsigned e = 0; e < 2; e++) {
                float *place = &to[y + lane % 4 * 2 + e][x + lane / 4];
                uint16_t code;
                if (half) {
                    memcpy(&code, form->c_from + (size_t)(p * 32 + lane) * 4 + 2 * e, 2);
                    *place = matrix_from_half(code);
                } else {
                    memcpy(place, form->c_from + (size_t)((2 * p + e) * 32 + lane) * 4, 4);
                }
            }
    }
}

static void store_d(const struct matrix_form *form, float (*from)[MATRIX_X], uint8_t *to)
{
    bool toward_zero = form->flags & JIT_MATRIX_SATFINITE && form->c == JIT_MATRIX_F32;
    for (unsigned p = 0; p < form->xs * form->ys / 64; p++) {
        unsigned x = p % form->x_blocks * 8, y = p / form->x_blocks * 8;
        for (unsigned lane = 0; lane < 32; lane++)
            for (unsigned e = 0; e < 2; e++) {
                float value = from[y + lane % 4 * 2 + e][x + lane / 4];
                if (form->d == JIT_MATRIX_F16) {
                    uint16_t code = matrix_to_half(value, toward_zero);
                    memcpy(to + (size_t)(p * 32 + lane) * 4 + 2 * e, &code, 2);
                } else {
                    uint32_t nan = 0x7fffffff;
                    memcpy(to + (size_t)((2 * p + e) * 32 + lane) * 4,
                           value == value ? (void *)&value : (void *)&nan, 4);
                }
            }
    }
}

/* ---- sums */

/* One sum of 16 rows with one column: products [first, first + step) and what *d holds, into *d. When half,
 * the lowest bit says that something was cut off below it, so that the rounding to f16 that follows is right.
 */
static inline void add_up(const struct matrix_floats *s, unsigned first, unsigned v, const float *y,
                          const int32_t *y_exponent, float *d)
{
    vi bits, largest = (vi){0} + MATRIX_ZERO, part[2];
    memcpy(&bits, d, sizeof bits);
    for (unsigned k = first; k < first + s->step; k++) {
        vi exponent = *(const vi *)(const void *)&s->x_exponent[k][v] + y_exponent[k];
        largest = LARGER(largest, exponent);
    }
    vi own = (bits >> 23 & 255) - 127, floor = (vi){0} + s->least_c, some = largest > MATRIX_ZERO / 2;
    own = LARGER(own, floor);
    own = PICK((bits & 0x7fffffff) == 0, (vi){0} + MATRIX_ZERO, own);
    largest = LARGER(largest, own);
    largest = LARGER(largest, (vi){0} - 101);
    vf scale = (vf)((127 + (int)s->fraction - largest) << 23);
    vi sum = __builtin_convertvector((vf)bits * scale, vi);
    for (unsigned h = 0; h < 2; h++, sum = (vi){0}) {
        for (unsigned k = first + h * s->step / 2; k < first + (h + 1) * s->step / 2; k++)
            sum += __builtin_convertvector(*(const vf *)(const void *)&s->x[k][v] * y[k] * scale, vi);
        part[h] = sum;
    }
    vi power = (largest - (int)s->fraction + 1023) << 20; /* the upper half of 2^(largest - fraction) */
    vf8 result[2];
    for (unsigned h = 0; h < 2; h++) {
        vi8 a, b, c;
        memcpy(&a, (const char *)&part[0] + 32 * h, sizeof a);
        memcpy(&b, (const char *)&part[1] + 32 * h, sizeof b);
        memcpy(&c, (const char *)&power + 32 * h, sizeof c);
        vl8 factor = __builtin_convertvector(c, vl8) << 32;
        vd8 whole = (__builtin_convertvector(a, vd8) + __builtin_convertvector(b, vd8)) * (vd8)factor;
        vl8 raw = (vl8)whole, low = raw & 0x1fffffff;
        raw &= ~INT64_C(0x1fffffff);
        if (s->half) raw |= (vl8)(low != 0) & 0x20000000;
        result[h] = __builtin_convertvector((vd8)raw, vf8);
    }
    vi out;
    memcpy(&out, result, sizeof out);
    bits = PICK((bits & 0x7fffffff) == 0, (vi){0}, bits);
    out = PICK(some, out, bits);
    memcpy(d, &out, sizeof out);
}

/* To nearest even f16 and back, numbers that are finite or infinite. Zero is positive. */
static inline void round_to_half(float *d)
{
    for (unsigned i = 0; i < LANES; i++)
        d[i] = matrix_from_half(matrix_to_half(d[i], false)) + 0.0f;
}

static bool finite_sums(const struct matrix_floats *sums)
{
    vi most = {0};
    for (unsigned j = 0; j < sums->ys; j++)
        for (unsigned v = 0; v < sums->xs; v += LANES) {
            vi bits;
            memcpy(&bits, &sums->d[j][v], sizeof bits);
            bits &= 0x7fffffff;
            most = LARGER(most, bits);
        }
    for (unsigned i = 0; i < LANES; i++)
        if (most[i] >= 0x7f800000) return false;
    return true;
}

/* From infinity on, a sum is not these vectors' affair. */
static void sum_floats(struct matrix_floats *sums)
{
    for (unsigned first = 0; first < sums->k; first += sums->step) {
        if (!finite_sums(sums)) {
            matrix_sum_exactly(sums, first);
            return;
        }
        for (unsigned j = 0; j < sums->ys; j++)
            for (unsigned v = 0; v < sums->xs; v += LANES) {
                add_up(sums, first, v, sums->y[j], sums->y_exponent[j], &sums->d[j][v]);
                if (sums->half) round_to_half(&sums->d[j][v]);
            }
    }
}

static void multiply_floats(const struct matrix_form *form, struct matrix_floats *sums, uint8_t *to)
{
    if (form->sparse)
        load_sparse(form, sums);
    else
        load_x(form, sums);
    load_y(form, sums);
    if (sums->start_at_zero) memset(sums->d, 0, sizeof sums->d);
    load_c(form, sums->start_at_zero ? sums->last : sums->d);
    if (decode_factors(form, sums))
        sum_floats(sums);
    else
        matrix_sum_exactly(sums, 0);
    for (unsigned j = 0; sums->start_at_zero && j < sums->ys; j++)
        for (unsigned i = 0; i < sums->xs; i++)
            sums->d[j][i] += sums->last[j][i];
    store_d(form, sums->d, to);
}

/* ---- integers, modulo 2^32 */

static void sum_integers(const struct matrix_form *form, struct matrix_integers *sums)
{
    bool bits = form->a == JIT_MATRIX_B1, both = form->flags & JIT_MATRIX_AND;
    for (unsigned j = 0; j < sums->ys; j++)
        for (unsigned v = 0; v < sums->xs; v += LANES) {
            vi sum = *(vi *)(void *)&sums->d[j][v];
            for (unsigned k = 0; k < sums->k; k++) {
                vu x = *(const vu *)(const void *)&sums->x[k][v];
                uint32_t y = (uint32_t)sums->y[j][k];
                if (!bits) {
                    sum += (vi)(x * y);
                    continue;
                }
                vu some = both ? x & y : x ^ y;
                some -= some >> 1 & 0x55555555;
                some = (some & 0x33333333) + (some >> 2 & 0x33333333);
                some = (some + (some >> 4)) & 0x0f0f0f0f;
                sum += (vi)(some * 0x01010101 >> 24);
            }
            *(vi *)(void *)&sums->d[j][v] = sum;
        }
}
#endif
