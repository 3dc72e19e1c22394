/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: engine_texture_vector_priv.h for AVX-512. Method: the build gives this file its own instruction
 * set (cmake/Rooms.cmake). Limits: called only where emitted code of that set runs. */
#include "engine_texture_vector_priv.h"

lane_mask texture_warp_avx512(const struct texture_plan *plan, uint32_t *out)
{
    return read_warp(plan, out);
}
