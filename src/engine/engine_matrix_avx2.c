/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: engine_matrix_vector_priv.h for AVX2. Method: the build gives this file its own instruction set
 * (cmake/Rooms.cmake). Limits: called only where emitted code of that set runs. */
#include "engine_matrix_vector_priv.h"

void matrix_floats_avx2(const struct matrix_form *form, struct matrix_floats *sums, uint8_t *to)
{
    multiply_floats(form, sums, to);
}

void matrix_integers_avx2(const struct matrix_form *form, struct matrix_integers *sums)
{
    sum_integers(form, sums);
}
