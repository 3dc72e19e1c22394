/* SPDX-License-Identifier: Apache-2.0 */
/* driver: arrays (driver_array.c) and mipmapped arrays (driver_mipmap.c). */
#ifndef DRIVER_ARRAY_H
#define DRIVER_ARRAY_H

#include "driver/core/driver_context.h"

struct driver_array;
const struct driver_context *driver_array_context(const struct driver_array *array); /* NULL: a level */
unsigned driver_array_element_bytes(const struct driver_array *array);
CUDA_ARRAY3D_DESCRIPTOR driver_array_descriptor(const struct driver_array *array);
void driver_array_layout(const struct driver_array *array, uint64_t *base, uint64_t *pitch, uint64_t *rows);
CUresult driver_array_check(const char *function,
                            const CUDA_ARRAY3D_DESCRIPTOR *d); /* CUDA_SUCCESS: one can be made */
uint64_t driver_array_bytes(const CUDA_ARRAY3D_DESCRIPTOR *d, uint64_t *pitch); /* 0: too many */
/* A level of a mipmapped array, which keeps the memory that it is in. */
struct driver_array *driver_array_of_level(const CUDA_ARRAY3D_DESCRIPTOR *d, dev_addr base);
unsigned driver_format_bytes(CUarray_format format, unsigned channels); /* of a texel; 0: not supported */

struct driver_mipmap {
    struct driver_object object;
    struct driver_context *context; /* reference */
    dev_addr base;
    uint64_t bytes;
    unsigned count;
    struct driver_array *levels[16];
};
#endif
