/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: engine_matrix_vector_priv.h for SSE2. Method: the build gives this file its own instruction set
 * (cmake/Rooms.cmake). Limits: called only where emitted code of that set runs. */
#define MATRIX_VECTOR_BYTES 16
#define MATRIX_LOW          0, 1
#define MATRIX_HIGH         2, 3
#include "engine_matrix_vector_priv.h"

void matrix_floats_sse2(const struct matrix_form *form, struct matrix_floats *sums, uint8_t *to)
{
    multiply_floats(form, sums, to);
}

void matrix_integers_sse2(const struct matrix_form *form, struct matrix_integers *sums, uint8_t *to)
{
    multiply_integers(form, sums, to);
}
