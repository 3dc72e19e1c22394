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

/* One sum after the other in the order of k, eight rows of x at a time. */
void matrix_doubles_avx2(const struct matrix_form *form, uint8_t *to)
{
    const double *x = (const double *)(const void *)form->x, *y = (const double *)(const void *)form->y;
    const double *c = (const double *)(const void *)form->c_from;
    double *d = (double *)(void *)to;
    for (unsigned block = 0; block < form->x_blocks; block++) {
        double sums[8][8];
        for (unsigned j = 0; j < 8; j++)
            for (unsigned i = 0; i < 8; i++)
                sums[j][i] = c[(2 * block + j % 2) * 32 + i * 4 + j / 2];
        for (unsigned k = 0; k < form->k; k++) {
            double column[8];
            for (unsigned i = 0; i < 8; i++)
                column[i] = x[(k / 4 * form->x_blocks + block) * 32 + i * 4 + k % 4];
            for (unsigned j = 0; j < 8; j++)
                for (unsigned i = 0; i < 8; i++)
                    sums[j][i] = __builtin_fma(column[i], y[k / 4 * 32 + j * 4 + k % 4], sums[j][i]);
        }
        for (unsigned j = 0; j < 8; j++)
            for (unsigned i = 0; i < 8; i++)
                d[(2 * block + j % 2) * 32 + i * 4 + j / 2] = sums[j][i];
    }
}
