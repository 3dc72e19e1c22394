/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: matrix multiplication of f64, and mma.m8n8k4 of f16.
 * Method: f64 is fma in the order of k. mma.m8n8k4 is four products, each of a quad of lanes and the one 16
 * lanes on; since cc 8.0 it is made of f32 instructions, whose order was measured: products in the order of k
 * and c last; with an f16 result the first two products, c, and the other two. On cc 7.0 it is a sum of the
 * tensor cores, on 7.5 it is not known: both are computed as on 8.0. Limits: none of its own. */
#include "engine_matrix_priv.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

/* ---- f64 */

static bool is_nan(uint64_t bits)
{
    return (bits & INT64_MAX) > UINT64_C(0x7ff0000000000000);
}

/* A NaN operand passes, made quiet: b before c before a. */
static double fused(double a, double b, double c)
{
    uint64_t words[3];
    memcpy(&words[0], &b, 8);
    memcpy(&words[1], &c, 8);
    memcpy(&words[2], &a, 8);
    for (unsigned i = 0; i < 3; i++) {
        if (!is_nan(words[i])) continue;
        words[i] |= UINT64_C(1) << 51;
        memcpy(&c, &words[i], 8);
        return c;
    }
    double sum = fma(a, b, c);
    if (!isnan(sum)) return sum;
    words[0] = UINT64_C(0xfff8000000000000);
    memcpy(&sum, &words[0], 8);
    return sum;
}

static double double_at(const uint8_t *from, unsigned reg, unsigned lane)
{
    double value;
    memcpy(&value, from + (size_t)(reg * 32 + lane) * 8, 8);
    return value;
}

static void multiply_doubles(const struct matrix_form *form, uint8_t *to)
{
    for (unsigned reg = 0; reg < form->xs / 4; reg++)
        for (unsigned lane = 0; lane < 32; lane++) {
            double sum = double_at(form->c_from, reg, lane);
            unsigned row = lane / 4, column = lane % 4 * 2 + reg % 2, blocks = form->x_blocks;
            for (unsigned k = 0; k < form->k; k++)
                sum = fused(double_at(form->x, k / 4 * blocks + reg / 2, row * 4 + k % 4),
                            double_at(form->y, k / 4, column * 4 + k % 4), sum);
            memcpy(to + (size_t)(reg * 32 + lane) * 8, &sum, 8);
        }
}

void matrix_multiply_doubles(const struct matrix_form *form, enum jit_isa isa, uint8_t *to)
{
    static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    if (!form->selector) {
        bool wide = isa == JIT_ISA_AVX2 || isa == JIT_ISA_AVX512;
        if (!wide || !matrix_doubles_avx2(form, to)) multiply_doubles(form, to);
        return;
    }
    fesetround(modes[form->selector & 3]);
    multiply_doubles(form, to);
    fesetround(FE_TONEAREST);
}

/* ---- four products of 8 x 8 x 4 in f16 */

struct quads { /* elements of each lane's registers */
    float a[32][4], b[32][4], c[32][8];
};

static void load_quads(const struct matrix_form *form, const uint32_t *from, struct quads *q)
{
    const uint32_t *c = (const uint32_t *)(const void *)form->c_from;
    for (unsigned lane = 0; lane < 32; lane++) {
        for (unsigned i = 0; i < 4; i++) {
            q->a[lane][i] = matrix_from_half((uint16_t)(from[i / 2 * 32 + lane] >> i % 2 * 16));
            q->b[lane][i] = matrix_from_half((uint16_t)(from[64 + i / 2 * 32 + lane] >> i % 2 * 16));
        }
        for (unsigned i = 0; i < 8; i++) {
            if (form->c == JIT_MATRIX_F16)
                q->c[lane][i] = matrix_from_half((uint16_t)(c[i / 2 * 32 + lane] >> i % 2 * 16));
            else
                memcpy(&q->c[lane][i], &c[i * 32 + lane], 4);
        }
    }
}

/* Element `inner` of row `outer` of a, or of column `outer` of b; turned: the layout in which a lane has one
 * of four k. */
static float factor(float (*lanes)[4], unsigned quad, bool turned, unsigned outer, unsigned inner)
{
    unsigned base = quad + (outer < 4 ? 0 : 16);
    return turned ? lanes[base + inner][outer % 4] : lanes[base + outer % 4][inner];
}

/* Lane and element of an accumulator. */
static void position(enum jit_matrix_type type, unsigned quad, unsigned row, unsigned column, unsigned *lane,
                     unsigned *at)
{
    unsigned base = quad + (row < 4 ? 0 : 16);
    *lane = type == JIT_MATRIX_F16 ? base + row % 4 : base + (row & 1) + (column & 2);
    *at = type == JIT_MATRIX_F16 ? column : (row & 2) + (column & 4) + (column & 1);
}

static float quad_sum(const struct matrix_form *form, struct quads *q, unsigned quad, unsigned row,
                      unsigned column)
{
    float product[4];
    unsigned lane, at;
    position(form->c, quad, row, column, &lane, &at);
    for (unsigned k = 0; k < 4; k++)
        product[k] = factor(q->a, quad, form->flags & JIT_MATRIX_A_COLUMNS, row, k) *
                     factor(q->b, quad, !(form->flags & JIT_MATRIX_B_COLUMNS), column, k);
    float two = product[0] + product[1], c = q->c[lane][at];
    if (form->d == JIT_MATRIX_F16) return two + c + (product[2] + product[3]);
    return two + product[2] + product[3] + c;
}

static void store(const struct matrix_form *form, unsigned quad, unsigned row, unsigned column, float sum,
                  uint32_t *to)
{
    unsigned lane, at, nan = 0x7fffffff;
    position(form->d, quad, row, column, &lane, &at);
    if (form->d == JIT_MATRIX_F16) {
        uint32_t *word = &to[at / 2 * 32 + lane], code = matrix_to_half(sum, false);
        *word = at % 2 ? *word | code << 16 : code;
        return;
    }
    memcpy(&to[at * 32 + lane], isnan(sum) ? (void *)&nan : (void *)&sum, 4);
}

void matrix_multiply_quads(const struct matrix_form *form, const uint32_t *from, uint8_t *to)
{
    struct quads q;
    load_quads(form, from, &q);
    for (unsigned quad = 0; quad < 16; quad += 4)
        for (unsigned row = 0; row < 8; row++)
            for (unsigned column = 0; column < 8; column++) {
                float sum = quad_sum(form, &q, quad, row, column);
                store(form, quad, row, column, sum, (uint32_t *)(void *)to);
            }
}
