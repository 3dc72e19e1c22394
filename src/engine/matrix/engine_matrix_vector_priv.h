/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the part of matrix multiplication that is worth vectors, compiled once for each instruction set
 * (engine_matrix_sse2.c and its sisters include this and name the functions).
 * Method: rows of x in GCC's and clang's vector types, as many at a time as a machine register holds. A term
 * p of a sum is f32's product, which is exact here; multiplied by 2^(fraction - largest exponent) and
 * truncated to an integer it is cut as the adder cuts it, and integers add up exactly: the terms of half a
 * sum stay below 2^31. Limits: operands that are not finite, or whose products come near the ends of f32, go
 * to matrix_sum_exactly. */
#ifndef ENGINE_MATRIX_VECTOR_PRIV_H
#define ENGINE_MATRIX_VECTOR_PRIV_H

#include "engine_matrix_priv.h"

#include "engine_matrix_tile_priv.h"

#ifndef MATRIX_VECTOR_BYTES /* read alone */
#define MATRIX_VECTOR_BYTES 16
#define MATRIX_LOW          0, 1
#define MATRIX_HIGH         2, 3
#endif

enum { LANES = MATRIX_VECTOR_BYTES / 4 };
typedef float vf __attribute__((vector_size(MATRIX_VECTOR_BYTES), may_alias));
typedef int32_t vi __attribute__((vector_size(MATRIX_VECTOR_BYTES), may_alias));
typedef uint32_t vu __attribute__((vector_size(MATRIX_VECTOR_BYTES), may_alias));
typedef uint16_t vh __attribute__((vector_size(MATRIX_VECTOR_BYTES / 2), may_alias)); /* as many halves */
typedef int32_t vi_half __attribute__((vector_size(MATRIX_VECTOR_BYTES / 2), may_alias));
typedef float vf_half __attribute__((vector_size(MATRIX_VECTOR_BYTES / 2), may_alias));
typedef double vd __attribute__((vector_size(MATRIX_VECTOR_BYTES), may_alias)); /* half as many */
typedef int64_t vl __attribute__((vector_size(MATRIX_VECTOR_BYTES), may_alias));

/* Factors come in tiles of 8 x 8, so their rows are never wider than 8. */
enum { FEW_BYTES = MATRIX_VECTOR_BYTES < 32 ? MATRIX_VECTOR_BYTES : 32, FEW = FEW_BYTES / 4 };
typedef float few_f __attribute__((vector_size(FEW_BYTES), may_alias));
typedef int32_t few_i __attribute__((vector_size(FEW_BYTES), may_alias));
typedef uint32_t few_u __attribute__((vector_size(FEW_BYTES), may_alias));
typedef uint16_t few_h __attribute__((vector_size(FEW_BYTES / 2), may_alias));
typedef uint8_t few_b __attribute__((vector_size(FEW_BYTES / 4), may_alias));

#define INLINE              inline __attribute__((always_inline)) /* state stays in registers */
#define PICK(mask, yes, no) (((yes) & (mask)) | ((no) & ~(mask)))

/* As a loop, which compilers know to be one instruction. */
static INLINE vi larger(vi a, vi b)
{
    vi out;
    for (unsigned i = 0; i < LANES; i++)
        out[i] = a[i] > b[i] ? a[i] : b[i];
    return out;
}

static INLINE few_i few_larger(few_i a, few_i b)
{
    few_i out;
    for (unsigned i = 0; i < FEW; i++)
        out[i] = a[i] > b[i] ? a[i] : b[i];
    return out;
}

static INLINE few_i few_smaller(few_i a, few_i b)
{
    few_i out;
    for (unsigned i = 0; i < FEW; i++)
        out[i] = a[i] < b[i] ? a[i] : b[i];
    return out;
}

/* ---- codes of 16 bits and less: how one becomes an f32 */

struct coding {
    unsigned shift;                    /* of its magnitude, to f32's place */
    uint32_t magnitude, sign, special; /* special: from this magnitude on it is not finite */
    float scale;                       /* for another bias */
    bool is_signed, is_float;
};

static INLINE struct coding coding_of(enum jit_matrix_type type)
{
    switch ((unsigned)type) {
    case JIT_MATRIX_F16: return (struct coding){13, 0x7fff, 0x8000, 0x7c00, 0x1p112f, false, true};
    case JIT_MATRIX_BF16: return (struct coding){16, 0x7fff, 0x8000, 0x7f80, 1, false, true};
    case JIT_MATRIX_E4M3: return (struct coding){20, 0x7f, 0x80, 0x7f, 0x1p120f, false, true};
    case JIT_MATRIX_E5M2: return (struct coding){21, 0x7f, 0x80, 0x7c, 0x1p112f, false, true};
    case JIT_MATRIX_S8: return (struct coding){.sign = 0x80, .is_signed = true};
    case JIT_MATRIX_S4: return (struct coding){.sign = 0x8, .is_signed = true};
    default: return (struct coding){0};
    }
}

static INLINE few_u widened(const uint16_t *codes)
{
    few_h raw;
    memcpy(&raw, codes, sizeof raw);
    return __builtin_convertvector(raw, few_u);
}

/* Infinities and NaNs stay what they are. */
static INLINE few_u decoded(const uint16_t *codes, const struct coding *coding)
{
    few_u wide = widened(codes), magnitude = wide & coding->magnitude;
    few_f scaled = (few_f)(magnitude << coding->shift) * coding->scale;
    few_u special = (few_u)(magnitude >= coding->special) & 0x7f800000;
    unsigned up = coding->sign == 0x80 ? 24 : 16;
    return (few_u)scaled | special | (wide & coding->sign) << up;
}

/* f32, finite or infinite, to f16's code; to nearest even. */
static INLINE void encode_half(const float *from, uint16_t *to)
{
    vu bits;
    memcpy(&bits, from, sizeof bits);
    vu magnitude = bits & 0x7fffffff, sign = bits >> 16 & 0x8000;
    vu normal = ((magnitude + 0xfff + (magnitude >> 13 & 1)) >> 13) - (112 << 10);
    vu small = (vu)((vf)magnitude + 0.5f) - 0x3f000000;
    vu code = PICK((vu)(magnitude < 0x38800000), small, normal);
    code = PICK((vu)(magnitude >= 0x477ff000), (vu){0} + 0x7c00, code);
    code = PICK((vu)(magnitude > 0x7f800000), (vu){0} + 0x7fff, code | sign);
    vh out = __builtin_convertvector(code, vh);
    memcpy(to, &out, sizeof out);
}

/* ---- registers to codes */

/* Sums of e4m3 and e5m2 that are made of two have every other pair of k (sparse: of four) in each. */
static INLINE unsigned position_of_k(const struct matrix_floats *sums, unsigned k)
{
    if (!sums->start_at_zero) return k;
    unsigned run = sums->sparse ? 4 : 2;
    return k / run % 2 * sums->step + k / (2 * run) * run + k % run;
}

static INLINE uint32_t code_at(const uint8_t *row, unsigned bits, unsigned i)
{
    uint16_t half;
    uint32_t word;
    switch (bits) {
    case 4: return row[i / 2] >> i % 2 * 4 & 15;
    case 8: return row[i];
    case 16: memcpy(&half, row + 2 * (size_t)i, 2); return half;
    default: memcpy(&word, row + 4 * (size_t)i, 4); return word;
    }
}

/* Eight rows of a register, to columns: 8 of 16 bits, 16 of 8, 32 of 4. */
static INLINE void transpose_register(const uint8_t *from, unsigned bits, uint16_t columns[][8])
{
    matrix_row8 tile[8], part;
    matrix_transpose_tile(from, tile);
    for (unsigned i = 0; i < 8; i++)
        for (unsigned piece = 0; piece < 16 / bits; piece++) {
            part = tile[i] >> (uint16_t)(piece * bits) & (uint16_t)((1u << bits) - 1);
            memcpy(columns[i * (16 / bits) + piece], &part, sizeof part);
        }
}

/* ---- sums of floats: factors */

static INLINE void place_sparse(const struct matrix_form *form, struct matrix_floats *sums)
{
    unsigned bits = matrix_bits(form->a), inner = matrix_inner(form->a), first, column;
    memset(sums->x_code, 0, form->k * sizeof sums->x_code[0]);
    memset(sums->x, 0, form->k * sizeof sums->x[0]);
    memset(sums->present, 0, sizeof sums->present);
    for (unsigned r = 0; r < form->xs * form->k / 2 / (8 * inner); r++) {
        matrix_position_x(form, r, inner, &first, &column);
        for (unsigned g = 0; g < 8; g++) {
            uint64_t metadata = matrix_metadata(form, first + g);
            for (unsigned i = 0; i < inner; i++) {
                unsigned k = position_of_k(sums, matrix_sparse_column(form->a, metadata, column + i));
                uint32_t code = code_at(form->x + r * 128 + g * 16, bits, i);
                if (bits < 32)
                    sums->x_code[k][first + g] = (uint16_t)code;
                else
                    memcpy(&sums->x[k][first + g], &code, 4);
                sums->present[first + g] |= UINT64_C(1) << k;
            }
        }
    }
}

struct range { /* of exponents */
    few_i least, most;
    few_i none_below; /* what exponents of subnormals are */
};

static INLINE void few_factors(few_u bits, struct range *range, float *to, int32_t *exponent_to)
{
    few_i word = (few_i)bits, field = (word >> 23 & 255) - 127, none = (word & 0x7fffffff) == 0;
    few_i exponent = few_larger(field, range->none_below), far = (few_i){0} + MATRIX_NOT_FINITE;
    exponent = PICK(field == 128, far, exponent);
    range->least = few_smaller(range->least, PICK(none, far, exponent));
    exponent = PICK(none, (few_i){0} + MATRIX_ZERO, exponent);
    range->most = few_larger(range->most, exponent);
    memcpy(to, &bits, sizeof bits);
    memcpy(exponent_to, &exponent, sizeof exponent);
}

static INLINE void eight_factors(const uint16_t *codes, const struct coding *coding, struct range *range,
                                 float *to, int32_t *exponent_to)
{
    for (unsigned i = 0; i < 8; i += FEW)
        few_factors(decoded(codes + i, coding), range, to + i, exponent_to + i);
}

/* Words of tf32, whose low bits do not count, in place; rows end with whole vectors, zeros behind what they
 * have. */
static INLINE void words_in_place(float *words, struct range *range, int32_t *exponent_to)
{
    few_u bits;
    memcpy(&bits, words, sizeof bits);
    few_factors(bits & 0xffffe000, range, words, exponent_to);
}

static INLINE void load_words(const struct matrix_form *form, struct matrix_floats *sums, struct range *x,
                              struct range *y)
{
    unsigned first, column;
    for (unsigned r = 0; !form->sparse && r < form->xs * form->k / 32; r++) {
        matrix_position_x(form, r, 4, &first, &column);
        for (unsigned half = 0; half < 8; half += 4)
            matrix_transpose_words((const uint32_t *)(const void *)(form->x + r * 128 + half * 16), 4,
                                   (uint32_t *)(void *)&sums->x[column][first + half], MATRIX_X);
    }
    if (form->k < FEW) memset(sums->y, 0, form->ys * sizeof sums->y[0]);
    for (unsigned r = 0; r < form->ys * form->k / 32; r++) {
        matrix_position_y(form, r, 4, &first, &column);
        for (unsigned g = 0; g < 8; g++)
            memcpy(&sums->y[first + g][column], form->y + r * 128 + g * 16, 16);
    }
    for (unsigned k = 0; k < sums->k; k++)
        for (unsigned v = 0; v < sums->xs; v += FEW)
            words_in_place(&sums->x[k][v], x, &sums->x_exponent[k][v]);
    for (unsigned j = 0; j < sums->ys; j++)
        for (unsigned k = 0; k < sums->k; k += FEW)
            words_in_place(&sums->y[j][k], y, &sums->y_exponent[j][k]);
}

static INLINE void load_x(const struct matrix_form *form, struct matrix_floats *sums, struct range *range)
{
    unsigned bits = matrix_bits(form->a), inner = matrix_inner(form->a), first, column;
    unsigned count = form->xs * form->k / (8 * inner);
    struct coding coding = coding_of(form->a);
    uint16_t columns[16][8];
    for (unsigned r = 0; r < count; r++) {
        matrix_position_x(form, r, inner, &first, &column);
        transpose_register(form->x + r * 128, bits, columns);
        for (unsigned i = 0; i < inner; i++) {
            unsigned k = position_of_k(sums, column + i);
            eight_factors(columns[i], &coding, range, &sums->x[k][first], &sums->x_exponent[k][first]);
        }
    }
}

static INLINE void load_y(const struct matrix_form *form, struct matrix_floats *sums, struct range *range)
{
    unsigned bits = matrix_bits(form->b), inner = matrix_inner(form->b), first, column;
    unsigned count = form->ys * form->k / (8 * inner);
    struct coding coding = coding_of(form->b);
    uint16_t codes[16];
    for (unsigned r = 0; r < count; r++) {
        matrix_position_y(form, r, inner, &first, &column);
        for (unsigned g = 0; g < 8; g++) {
            const uint8_t *row = form->y + r * 128 + g * 16;
            float *to = sums->y[first + g];
            int32_t *exponents = sums->y_exponent[first + g];
            if (bits == 16) {
                eight_factors((const uint16_t *)(const void *)row, &coding, range, to + column,
                              exponents + column);
                continue;
            }
            for (unsigned i = 0; i < inner; i++)
                codes[i] = row[i];
            float values[16];
            int32_t own[16];
            eight_factors(codes, &coding, range, values, own);
            eight_factors(codes + 8, &coding, range, values + 8, own + 8);
            for (unsigned i = 0; i < inner; i++) {
                unsigned k = position_of_k(sums, column + i);
                to[k] = values[i];
                exponents[k] = own[i];
            }
        }
    }
}

static INLINE void load_sparse(const struct matrix_form *form, struct matrix_floats *sums,
                               struct range *range)
{
    struct coding coding = coding_of(form->a);
    for (unsigned k = 0; k < sums->k; k++)
        for (unsigned x = 0; x < sums->xs; x += 8)
            eight_factors(&sums->x_code[k][x], &coding, range, &sums->x[k][x], &sums->x_exponent[k][x]);
}

static INLINE void bounds(const struct range *range, int *least, int *most)
{
    *least = MATRIX_NOT_FINITE;
    *most = MATRIX_ZERO;
    for (unsigned i = 0; i < FEW; i++) {
        *least = range->least[i] < *least ? range->least[i] : *least;
        *most = range->most[i] > *most ? range->most[i] : *most;
    }
}

/* Are all factors finite, and their products below the end of f32? narrow: and far from its other end. */
static INLINE bool load_factors(const struct matrix_form *form, struct matrix_floats *sums, bool *narrow)
{
    few_i far = (few_i){0} + MATRIX_NOT_FINITE, zero = (few_i){0} + MATRIX_ZERO;
    struct range x = {far, zero, (few_i){0} + sums->least_x}, y = {far, zero, (few_i){0} + sums->least_y};
    int least_x, least_y, most_x, most_y;
    if (form->sparse) place_sparse(form, sums);
    if (form->a == JIT_MATRIX_TF32) {
        load_words(form, sums, &x, &y);
    } else {
        if (form->sparse)
            load_sparse(form, sums, &x);
        else
            load_x(form, sums, &x);
        load_y(form, sums, &y);
    }
    bounds(&x, &least_x, &most_x);
    bounds(&y, &least_y, &most_y);
    *narrow = least_x + least_y >= -100;
    /* a factor that is not finite counts also where all others are zero */
    return most_x != MATRIX_NOT_FINITE && most_y != MATRIX_NOT_FINITE && most_x + most_y <= 125;
}

/* ---- addends and results: blocks of 8 rows of x and 8 of y, as pairs of columns of y */

/* Returns whether they are all finite. */
static INLINE bool load_c(const struct matrix_form *form, float (*to)[MATRIX_X])
{
    struct coding coding = coding_of(JIT_MATRIX_F16);
    bool half = form->c == JIT_MATRIX_F16;
    uint16_t columns[8][8];
    few_u special = {0};
    for (unsigned p = 0; p < form->xs * form->ys / 64; p++) {
        unsigned x = p % form->x_blocks * 8, y = p / form->x_blocks * 8;
        const uint8_t *from = form->c_from + (size_t)p * (half ? 128 : 256);
        if (half) transpose_register(from, 16, columns);
        for (unsigned i = 0; half && i < 64; i += FEW) {
            few_u bits = decoded(&columns[i / 8][i % 8], &coding);
            special |= (few_u)((bits & 0x7f800000) == 0x7f800000);
            memcpy(&to[y + i / 8][x + i % 8], &bits, sizeof bits);
        }
        for (unsigned i = 0; !half && i < 256; i += FEW_BYTES) {
            few_u bits;
            memcpy(&bits, from + i, sizeof bits);
            special |= (few_u)((bits & 0x7f800000) == 0x7f800000);
        }
        for (unsigned i = 0; !half && i < 4; i++) /* e and four rows of x */
            matrix_transpose_words((const uint32_t *)(const void *)(from + i % 2 * 128 + i / 2 * 64), 4,
                                   (uint32_t *)(void *)&to[y + i % 2][x + i / 2 * 4], 2 * MATRIX_X);
    }
    uint32_t any = 0;
    for (unsigned i = 0; i < FEW; i++)
        any |= special[i];
    return !any;
}

static INLINE void canonical_nans(float *d)
{
    vu bits;
    memcpy(&bits, d, sizeof bits);
    bits = PICK((vu)((bits & 0x7fffffff) > 0x7f800000), (vu){0} + 0x7fffffff, bits);
    memcpy(d, &bits, sizeof bits);
}

static INLINE void store_halves(const struct matrix_form *form, float (*from)[MATRIX_X], uint8_t *to)
{
    bool cut = form->flags & JIT_MATRIX_SATFINITE && form->c == JIT_MATRIX_F32;
    uint16_t codes[MATRIX_Y][MATRIX_X], tile[8][8];
    for (unsigned j = 0; j < form->ys; j++)
        for (unsigned v = 0; v < form->xs; v += LANES)
            encode_half(&from[j][v], &codes[j][v]);
    for (unsigned j = 0; cut && j < form->ys; j++)
        for (unsigned i = 0; i < form->xs; i++)
            codes[j][i] = matrix_to_half(from[j][i], true);
    for (unsigned p = 0; p < form->xs * form->ys / 64; p++) {
        unsigned x = p % form->x_blocks * 8, y = p / form->x_blocks * 8;
        matrix_row8 rows[8];
        for (unsigned j = 0; j < 8; j++)
            memcpy(tile[j], &codes[y + j][x], sizeof tile[j]);
        matrix_transpose_tile(tile, rows);
        memcpy(to + (size_t)p * 128, rows, sizeof rows);
    }
}

static INLINE void store_d(const struct matrix_form *form, float (*from)[MATRIX_X], uint8_t *to)
{
    if (form->d == JIT_MATRIX_F16) {
        store_halves(form, from, to);
        return;
    }
    for (unsigned p = 0; p < form->xs * form->ys / 64; p++) {
        unsigned x = p % form->x_blocks * 8, y = p / form->x_blocks * 8;
        for (unsigned i = 0; i < 4; i++)
            matrix_transpose_words((const uint32_t *)(const void *)&from[y + i % 2][x + i / 2 * 4],
                                   2 * MATRIX_X,
                                   (uint32_t *)(void *)(to + (size_t)(2 * p + i % 2) * 128 + i / 2 * 64), 4);
    }
}

/* ---- sums */

/* (a + b) 2^power of half the lanes, cut to f32; odd: the lowest bit then says that something was lost below
 * it. upper: the upper halves of the doubles 2^power. */
static INLINE vf_half finish(vi_half a, vi_half b, vi_half upper, bool odd)
{
    vl factor = __builtin_convertvector(upper, vl) << 32;
    vd whole = (__builtin_convertvector(a, vd) + __builtin_convertvector(b, vd)) * (vd)factor;
    vl raw = (vl)whole, kept = raw & ~INT64_C(0x1fffffff);
    if (odd) kept |= (vl)((raw & 0x1fffffff) != 0) & 0x20000000;
    return __builtin_convertvector((vd)kept, vf_half);
}

static INLINE vi finish_both(const vi part[2], vi power, bool odd)
{
    vi upper = (power + 1023) << 20;
    vf_half low = finish(__builtin_shufflevector(part[0], part[0], MATRIX_LOW),
                         __builtin_shufflevector(part[1], part[1], MATRIX_LOW),
                         __builtin_shufflevector(upper, upper, MATRIX_LOW), odd);
    vf_half high = finish(__builtin_shufflevector(part[0], part[0], MATRIX_HIGH),
                          __builtin_shufflevector(part[1], part[1], MATRIX_HIGH),
                          __builtin_shufflevector(upper, upper, MATRIX_HIGH), odd);
    return (vi)__builtin_shufflevector(low, high, MATRIX_LOW, MATRIX_HIGH);
}

/* Sums of some rows of x with one of y: products [first, first + step) and what *d holds, into *d. Returns
 * those whose products are all near the lower end of f32, so that they may have lost bits. */
static INLINE vi add_up(const struct matrix_floats *s, unsigned first, unsigned v, const float *y,
                        const int32_t *y_exponent, float *d)
{
    vi bits, largest = (vi){0} + MATRIX_ZERO, part[2];
    unsigned middle = first + s->step / 2, end = first + s->step;
    memcpy(&bits, d, sizeof bits);
    for (unsigned k = first; k < end; k++) {
        vi exponent = *(const vi *)(const void *)&s->x_exponent[k][v] + y_exponent[k];
        largest = larger(largest, exponent);
    }
    vi own = (bits >> 23 & 255) - 127, floor = (vi){0} + s->least_c, some = largest > MATRIX_ZERO / 2;
    own = larger(own, floor);
    own = PICK((bits & 0x7fffffff) == 0, (vi){0} + MATRIX_ZERO, own);
    largest = larger(largest, own);
    largest = larger(largest, (vi){0} - 101);
    vf scale = (vf)((127 + (int)s->fraction - largest) << 23);
    part[0] = __builtin_convertvector((vf)bits * scale, vi);
    part[1] = (vi){0};
    for (unsigned k = first; k < middle; k++)
        part[0] += __builtin_convertvector(*(const vf *)(const void *)&s->x[k][v] * y[k] * scale, vi);
    for (unsigned k = middle; k < end; k++)
        part[1] += __builtin_convertvector(*(const vf *)(const void *)&s->x[k][v] * y[k] * scale, vi);
    vi out = finish_both(part, largest - (int)s->fraction, s->half);
    out = PICK(some, out, PICK((bits & 0x7fffffff) == 0, (vi){0}, bits));
    memcpy(d, &out, sizeof out);
    return some & (largest < -74);
}

/* To nearest even f16 and back. Zero is positive. */
static INLINE void round_to_half(float *d)
{
    struct coding half = coding_of(JIT_MATRIX_F16);
    uint16_t codes[LANES];
    encode_half(d, codes);
    for (unsigned i = 0; i < LANES; i += FEW) {
        few_f value = (few_f)decoded(codes + i, &half) + 0.0f;
        memcpy(d + i, &value, sizeof value);
    }
}

static INLINE bool any_lane(vi mask)
{
    int32_t any = 0;
    for (unsigned i = 0; i < LANES; i++)
        any |= mask[i];
    return any != 0;
}

static INLINE bool finite_sums(const struct matrix_floats *sums)
{
    vi special = {0};
    for (unsigned j = 0; j < sums->ys; j++)
        for (unsigned v = 0; v < sums->xs; v += LANES) {
            vi bits;
            memcpy(&bits, &sums->d[j][v], sizeof bits);
            special |= (bits & 0x7f800000) == 0x7f800000;
        }
    return !any_lane(special);
}

/* From infinity on, a sum is not these vectors' affair. Returns false when something may have been lost. */
static INLINE bool sum_floats(struct matrix_floats *sums, bool narrow)
{
    vi lost = {0};
    for (unsigned first = 0; first < sums->k; first += sums->step) {
        if (first && !finite_sums(sums)) {
            matrix_sum_exactly(sums, first);
            break;
        }
        for (unsigned j = 0; j < sums->ys; j++)
            for (unsigned v = 0; v < sums->xs; v += LANES) {
                lost |= add_up(sums, first, v, sums->y[j], sums->y_exponent[j], &sums->d[j][v]);
                if (sums->half) round_to_half(&sums->d[j][v]);
            }
    }
    return narrow || !any_lane(lost);
}

static INLINE void multiply_floats(const struct matrix_form *form, struct matrix_floats *sums, uint8_t *to)
{
    bool narrow, late = sums->start_at_zero;
    if (late) memset(sums->d, 0, form->ys * sizeof sums->d[0]);
    bool plain = load_c(form, late ? sums->last : sums->d) || late; /* first: it is read long after */
    plain &= load_factors(form, sums, &narrow);
    if (!plain || !sum_floats(sums, narrow)) {
        if (!late) load_c(form, sums->d);
        if (late) memset(sums->d, 0, form->ys * sizeof sums->d[0]);
        matrix_sum_exactly(sums, 0);
    }
    for (unsigned j = 0; late && j < sums->ys; j++)
        for (unsigned i = 0; i < sums->xs; i++)
            sums->d[j][i] += sums->last[j][i];
    for (unsigned j = 0; (late || !plain) && j < sums->ys; j++)
        for (unsigned v = 0; v < sums->xs; v += LANES)
            canonical_nans(&sums->d[j][v]);
    store_d(form, sums->d, to);
}

/* ---- integers, modulo 2^32 */

static INLINE void eight_integers(const uint16_t *codes, uint32_t sign, int32_t *to)
{
    for (unsigned i = 0; i < 8; i += FEW) {
        few_u words = (widened(codes + i) ^ sign) - sign;
        memcpy(to + i, &words, sizeof words);
    }
}

/* Bytes [at, at + FEW) of a row, or the two halves of each, as words. */
static INLINE void few_bytes(const uint8_t *from, unsigned bits, uint32_t sign, int32_t *to, unsigned at)
{
    few_b raw;
    memcpy(&raw, from, sizeof raw);
    few_u words = __builtin_convertvector(raw, few_u);
    if (bits == 8) {
        words = (words ^ sign) - sign;
        memcpy(to + at, &words, sizeof words);
        return;
    }
    few_u low = ((words & 15) ^ sign) - sign, high = ((words >> 4) ^ sign) - sign;
    for (unsigned i = 0; i < FEW; i++) {
        to[2 * (at + i)] = (int32_t)low[i];
        to[2 * (at + i) + 1] = (int32_t)high[i];
    }
}

static INLINE void load_integers(const struct matrix_form *form, struct matrix_integers *sums)
{
    unsigned bits = matrix_bits(form->a), inner = matrix_inner(form->a), first, column;
    uint32_t x_sign = coding_of(form->a).sign, y_sign = coding_of(form->b).sign;
    uint16_t columns[32][8];
    for (unsigned r = 0; r < form->xs * form->k / (8 * inner); r++) {
        matrix_position_x(form, r, inner, &first, &column);
        transpose_register(form->x + r * 128, bits, columns);
        for (unsigned i = 0; i < inner; i++)
            eight_integers(columns[i], x_sign, &sums->x[column + i][first]);
    }
    for (unsigned r = 0; r < form->ys * form->k / (8 * inner); r++) {
        matrix_position_y(form, r, inner, &first, &column);
        for (unsigned g = 0; g < 8; g++)
            for (unsigned i = 0; i < 16; i += FEW)
                few_bytes(form->y + r * 128 + g * 16 + i, bits, y_sign, &sums->y[first + g][column], i);
    }
}

static INLINE vi count_bits(vu bits)
{
    bits -= bits >> 1 & 0x55555555;
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f;
    return (vi)(bits * 0x01010101 >> 24);
}

static INLINE void sum_rows(const struct matrix_form *form, struct matrix_integers *sums)
{
    bool bits = form->a == JIT_MATRIX_B1, both = form->flags & JIT_MATRIX_AND;
    for (unsigned j = 0; j < sums->ys; j++)
        for (unsigned v = 0; v < sums->xs; v += LANES) {
            vi sum = {0};
            for (unsigned k = 0; k < sums->k; k++) {
                vu x = *(const vu *)(const void *)&sums->x[k][v];
                uint32_t y = (uint32_t)sums->y[j][k];
                sum += bits ? count_bits(both ? x & y : x ^ y) : (vi)(x * y);
            }
            memcpy(&sums->d[j][v], &sum, sizeof sum);
        }
}

/* To registers, and c, which has the same order there. */
static INLINE void finish_integers(const struct matrix_form *form, struct matrix_integers *sums, uint8_t *to)
{
    unsigned count = form->xs * form->ys;
    uint32_t *words = (uint32_t *)(void *)to;
    const uint32_t *c = (const uint32_t *)(const void *)form->c_from;
    for (unsigned p = 0; p < count / 64; p++)
        for (unsigned i = 0; i < 4; i++) {
            const int32_t *corner =
                &sums->d[p / form->x_blocks * 8 + i % 2][p % form->x_blocks * 8 + i / 2 * 4];
            matrix_transpose_words((const uint32_t *)(const void *)corner, 2 * MATRIX_X,
                                   words + (2 * p + i % 2) * 32 + i / 2 * 16, 4);
        }
    if (form->flags & JIT_MATRIX_SATFINITE) {
        for (unsigned i = 0; i < count; i++) {
            uint32_t sum = words[i] + c[i], over = (words[i] ^ sum) & (c[i] ^ sum);
            words[i] = over >> 31 ? INT32_MAX + (words[i] >> 31) : sum;
        }
        return;
    }
    for (unsigned i = 0; i < count; i++)
        words[i] += c[i];
}

static INLINE void multiply_integers(const struct matrix_form *form, struct matrix_integers *sums,
                                     uint8_t *to)
{
    if (form->a != JIT_MATRIX_B1 && !form->sparse) load_integers(form, sums);
    sum_rows(form, sums);
    finish_integers(form, sums, to);
}
#endif
