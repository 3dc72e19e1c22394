/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the matrix helper of engine/: engine_matrix.c (which form, how its sums round),
 * engine_matrix_vector_priv.h (sums of floats, many at a time: compiled for each instruction set by
 * engine_matrix_sse2.c and its sisters), engine_matrix_exact.c (the same with infinities, NaNs and extreme
 * exponents), engine_matrix_integer.c, engine_matrix_other.c (f64, and mma.m8n8k4 of f16).
 *
 * Every form but the last is brought into one shape: x is the operand with 16 or 32 rows (b in m8n32k16, a
 * elsewhere), y the other one; d[y][x] = c[y][x] + sum over k of x[k][x] y[y][k]. A register of 32 lanes
 * holds 8 rows of a fragment, one after the other, so many elements of each as 4 lanes have. */
#ifndef ENGINE_MATRIX_PRIV_H
#define ENGINE_MATRIX_PRIV_H

#include "engine_matrix.h"

#include "engine/core/engine_job.h"

enum { MATRIX_X = 32, MATRIX_Y = 16, MATRIX_K = 128, MATRIX_FLOAT_K = 64 };

/* How sums of floats round on a device (engine_matrix.c has the table). */
struct matrix_rules {
    uint32_t cc;            /* from this compute capability on */
    uint8_t fraction;       /* bits kept below the largest exponent of a sum's terms */
    uint8_t half_k, tf32_k; /* products in one sum, before it is rounded to the accumulator's type */
    uint8_t eight_k;        /* of e4m3 and e5m2; 0: in two sums of f16, c added last */
    uint8_t eight_fraction;
};

struct matrix_form {
    unsigned xs, ys, k, x_blocks;
    enum jit_matrix_type a, b, d, c;
    unsigned flags, selector;
    bool sparse, transposed; /* transposed: x is b */
    const struct matrix_rules *rules;
    const uint8_t *x, *y, *c_from; /* their registers */
    const uint32_t *metadata;
};

/* Exponents as the adder sees them: those of subnormals are not normalised. */
enum { MATRIX_ZERO = -1000, MATRIX_NOT_FINITE = 1000 };

struct matrix_floats {
    unsigned xs, ys, k, step; /* sums of `step` products follow each other */
    unsigned fraction;
    bool start_at_zero; /* c is added after them, in its own type */
    bool half;          /* sums are rounded to f16, not cut to f32 */
    bool sparse;
    int least_x, least_y, least_c; /* least exponents of the types */
    uint64_t present[MATRIX_X];    /* sparse: columns k that a row of x has, by bit */
    _Alignas(64) uint16_t x_code[MATRIX_FLOAT_K][MATRIX_X]; /* sparse */
    _Alignas(64) float x[MATRIX_FLOAT_K][MATRIX_X], y[MATRIX_Y][MATRIX_FLOAT_K];
    _Alignas(64) int32_t x_exponent[MATRIX_FLOAT_K][MATRIX_X], y_exponent[MATRIX_Y][MATRIX_FLOAT_K];
    _Alignas(64) float d[MATRIX_Y][MATRIX_X];    /* c, then the sums */
    _Alignas(64) float last[MATRIX_Y][MATRIX_X]; /* c when it comes last */
};

struct matrix_integers {
    unsigned xs, ys, k;
    _Alignas(64) int32_t x[MATRIX_K][MATRIX_X], y[MATRIX_Y][MATRIX_K], d[MATRIX_Y][MATRIX_X];
};

/* ---- engine_matrix_layout.c */
unsigned matrix_bits(enum jit_matrix_type type);
/* Which rows and columns of x or y register r has: the first of each. inner: columns in a register. */
void matrix_position_x(const struct matrix_form *form, unsigned r, unsigned inner, unsigned *row,
                       unsigned *column);
void matrix_position_y(const struct matrix_form *form, unsigned r, unsigned inner, unsigned *row,
                       unsigned *column);
unsigned matrix_inner(enum jit_matrix_type type);
uint64_t matrix_metadata(const struct matrix_form *form, unsigned row);
/* Column of the dense matrix that element `at` of a sparse row stands for. */
unsigned matrix_sparse_column(enum jit_matrix_type type, uint64_t metadata, unsigned at);

/* ---- sums of floats: one function for each instruction set */
typedef void matrix_floats_fn(const struct matrix_form *form, struct matrix_floats *sums, uint8_t *to);
matrix_floats_fn matrix_floats_sse2, matrix_floats_avx2, matrix_floats_avx512;
void matrix_sum_exactly(struct matrix_floats *sums, unsigned from); /* from: the first k */
float matrix_from_half(uint16_t half);
uint16_t matrix_to_half(float value, bool toward_zero);

typedef void matrix_integers_fn(const struct matrix_form *form, struct matrix_integers *sums, uint8_t *to);
matrix_integers_fn matrix_integers_sse2, matrix_integers_avx2, matrix_integers_avx512;
void matrix_multiply_integers(const struct matrix_form *form, matrix_integers_fn *sum, uint8_t *to);
void matrix_multiply_doubles(const struct matrix_form *form, enum jit_isa isa, uint8_t *to);
bool matrix_doubles_avx2(const struct matrix_form *form, uint8_t *to); /* false: some operand is a NaN */
void matrix_multiply_quads(const struct matrix_form *form, const uint32_t *from, uint8_t *to);
#endif
