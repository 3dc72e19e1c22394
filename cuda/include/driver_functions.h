/* SPDX-License-Identifier: Apache-2.0 */
/* Builders of the runtime API's small structures. */
#ifndef __DRIVER_FUNCTIONS_H__
#define __DRIVER_FUNCTIONS_H__

#include "driver_types.h"

static __inline__ struct cudaPitchedPtr make_cudaPitchedPtr(void *pointer, size_t pitch, size_t width,
                                                            size_t height)
{
    struct cudaPitchedPtr made;
    made.ptr = pointer;
    made.pitch = pitch;
    made.xsize = width;
    made.ysize = height;
    return made;
}

static __inline__ struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    struct cudaPos made;
    made.x = x;
    made.y = y;
    made.z = z;
    return made;
}

static __inline__ struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    struct cudaExtent made;
    made.width = width;
    made.height = height;
    made.depth = depth;
    return made;
}
#endif
