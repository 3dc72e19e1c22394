/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the integers of engine_matrix_vector_priv.h for AVX-512. Method: the build gives this file its own
 * instruction set (cmake/Rooms.cmake). Limits: called only where emitted code of that set runs. */
#define MATRIX_VECTOR_BYTES 64
#define MATRIX_LOW          0, 1, 2, 3, 4, 5, 6, 7
#define MATRIX_HIGH         8, 9, 10, 11, 12, 13, 14, 15
#include "engine_matrix_vector_priv.h"

void matrix_integers_avx512(const struct matrix_form *form, struct matrix_integers *sums, uint8_t *to)
{
    multiply_integers(form, sums, to);
}
