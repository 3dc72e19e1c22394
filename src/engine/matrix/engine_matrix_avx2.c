/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: engine_matrix_vector_priv.h for AVX2. Method: the build gives this file its own instruction set
 * (cmake/Rooms.cmake). Limits: called only where emitted code of that set runs. */
#define MATRIX_VECTOR_BYTES 32
#define MATRIX_LOW          0, 1, 2, 3
#define MATRIX_HIGH         4, 5, 6, 7
#include "engine_matrix_vector_priv.h"

void matrix_floats_avx2(const struct matrix_form *form, struct matrix_floats *sums, uint8_t *to)
{
    multiply_floats(form, sums, to);
}

void matrix_integers_avx2(const struct matrix_form *form, struct matrix_integers *sums, uint8_t *to)
{
    multiply_integers(form, sums, to);
}

enum { QUAD = 4 };
typedef double quad __attribute__((vector_size(32), may_alias));

static inline quad fused(quad a, quad b, quad c)
{
    for (unsigned i = 0; i < QUAD; i++)
        c[i] = __builtin_fma(a[i], b[i], c[i]);
    return c;
}

static bool any_nan(const uint64_t *words, unsigned count)
{
    uint64_t any = 0;
    for (unsigned i = 0; i < count; i++)
        any |= (words[i] & INT64_MAX) > UINT64_C(0x7ff0000000000000);
    return any;
}

/* Rows e, 2 + e, 4 + e, 6 + e of y's block, turned: k by column. */
static inline void transpose_rows(const double *y, unsigned e, quad out[QUAD])
{
    quad r[QUAD];
    for (unsigned t = 0; t < QUAD; t++)
        memcpy(&r[t], y + (2 * t + e) * QUAD, sizeof r[t]);
    quad a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6),
         b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
    quad c = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6),
         d = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
    out[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    out[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    out[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    out[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

/* One sum after the other in the order of k, for the four columns that a row of a register has. */
bool matrix_doubles_avx2(const struct matrix_form *form, uint8_t *to)
{
    const double *x = (const double *)(const void *)form->x, *y = (const double *)(const void *)form->y;
    if (any_nan((const uint64_t *)(const void *)form->x, form->xs * form->k) ||
        any_nan((const uint64_t *)(const void *)form->y, form->ys * form->k) ||
        any_nan((const uint64_t *)(const void *)form->c_from, form->xs * form->ys))
        return false;
    for (unsigned reg = 0; reg < 2 * form->x_blocks; reg++)
        for (unsigned g = 0; g < 8; g++)
            memcpy(to + (reg * 8 + g) * sizeof(quad), form->c_from + (reg * 8 + g) * sizeof(quad),
                   sizeof(quad));
    for (unsigned layer = 0; layer < form->k / QUAD; layer++)
        for (unsigned e = 0; e < 2; e++) {
            quad columns[QUAD];
            transpose_rows(y + layer * 32, e, columns);
            for (unsigned row = 0; row < form->xs; row++) {
                const double *factors = x + (layer * form->x_blocks + row / 8) * 32 + row % 8 * QUAD;
                uint8_t *at = to + ((row / 8 * 2 + e) * 8 + row % 8) * sizeof(quad);
                quad sum;
                memcpy(&sum, at, sizeof sum);
                for (unsigned k = 0; k < QUAD; k++)
                    sum = fused((quad){factors[k], factors[k], factors[k], factors[k]}, columns[k], sum);
                memcpy(at, &sum, sizeof sum);
            }
        }
    return true;
}
