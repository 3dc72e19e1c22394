/* SPDX-License-Identifier: Apache-2.0 */
/* Growth of VEC arrays: doubling. */
#include "base/base_vec.h"

#include "base/base_arena.h"
#include "base/base_error.h"

#include <stdint.h>

void *vec_grow(void *at, size_t *capacity, size_t needed, size_t bytes)
{
    size_t size = *capacity ? *capacity * 2 : 8;
    if (size < needed) size = needed;
    if (size > SIZE_MAX / bytes) BUG("array of %zu x %zu bytes", size, bytes);
    *capacity = size;
    return sw_xrealloc(at, size * bytes);
}
