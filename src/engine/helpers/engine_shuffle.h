/* SPDX-License-Identifier: Apache-2.0 */
/* Where shuffles read from (PTX ISA 9.7.9.6). */
#ifndef ENGINE_SHUFFLE_H
#define ENGINE_SHUFFLE_H

#include "jit/jit_abi.h"

/* The lane that a lane's shuffle reads from, by its operands b and c; false: it is outside of the lane's
 * segment, and the lane gets its own value. kind: enum jit_collective_variant. */
static inline bool engine_shuffle_source(uint32_t kind, uint32_t lane, uint32_t b, uint32_t c,
                                         uint32_t *source)
{
    uint32_t by = b & 31, clamp = c & 31, segment = c >> 8 & 31;
    uint32_t least = lane & segment, most = least | (clamp & ~segment);
    switch (kind) {
    case JIT_COLLECTIVE_UP: *source = lane - by; return (int32_t)*source >= (int32_t)most;
    case JIT_COLLECTIVE_DOWN: *source = lane + by; break;
    case JIT_COLLECTIVE_BFLY: *source = lane ^ by; break;
    default: *source = least | (by & ~segment); break;
    }
    return *source <= most;
}
#endif
