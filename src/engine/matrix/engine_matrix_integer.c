/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: matrix multiplication of integers and bits.
 * Method: elements become words, 16 rows are multiplied at a time; sums of products fit into 32 bits, and
 * with .satfinite the addend comes last. Bits: 32 columns of k are one word. Limits: none. */
#include "engine_matrix_priv.h"

#include <string.h>

static int32_t matrix_integer_element(const uint8_t *row, enum jit_matrix_type type, unsigned i)
{
    uint32_t word;
    switch ((unsigned)type) {
    case JIT_MATRIX_S8: return (int8_t)row[i];
    case JIT_MATRIX_U8: return row[i];
    case JIT_MATRIX_S4: return ((row[i / 2] >> i % 2 * 4 & 15) ^ 8) - 8;
    case JIT_MATRIX_U4: return row[i / 2] >> i % 2 * 4 & 15;
    default: memcpy(&word, row + 4 * (size_t)i, 4); return (int32_t)word;
    }
}

/* Elements of a row in a register as words. */
static unsigned inner_of(enum jit_matrix_type type)
{
    return type == JIT_MATRIX_B1 ? 4 : matrix_inner(type);
}

static void load_x(const struct matrix_form *form, struct matrix_integers *sums)
{
    unsigned inner = inner_of(form->a), stored = sums->k / (form->sparse ? 2 : 1), first, column;
    unsigned count = form->xs * stored / (8 * inner);
    memset(sums->x, 0, sums->k * sizeof sums->x[0]);
    for (unsigned r = 0; r < count; r++) {
        matrix_position_x(form, r, inner, &first, &column);
        for (unsigned g = 0; g < 8; g++) {
            uint64_t metadata = form->sparse ? matrix_metadata(form, first + g) : 0;
            for (unsigned i = 0; i < inner; i++) {
                unsigned at = column + i, k = form->sparse ? matrix_sparse_column(form->a, metadata, at) : at;
                sums->x[k][first + g] = matrix_integer_element(form->x + r * 128 + g * 16, form->a, i);
            }
        }
    }
}

static void load_y(const struct matrix_form *form, struct matrix_integers *sums)
{
    unsigned inner = inner_of(form->b), count = form->ys * sums->k / (8 * inner), first, column;
    for (unsigned r = 0; r < count; r++) {
        matrix_position_y(form, r, inner, &first, &column);
        for (unsigned g = 0; g < 8; g++)
            for (unsigned i = 0; i < inner; i++)
                sums->y[first + g][column + i] =
                    matrix_integer_element(form->y + r * 128 + g * 16, form->b, i);
    }
}

void matrix_multiply_integers(const struct matrix_form *given, matrix_integers_fn *sum, uint8_t *to)
{
    struct matrix_form form = *given;
    struct matrix_integers sums;
    if (form.a == JIT_MATRIX_B1) form.k /= 32;
    sums.xs = form.xs;
    sums.ys = form.ys;
    sums.k = form.k;
    if (form.sparse || form.a == JIT_MATRIX_B1) { /* others: fast, in there */
        load_x(&form, &sums);
        load_y(&form, &sums);
    }
    sum(&form, &sums, to);
}
