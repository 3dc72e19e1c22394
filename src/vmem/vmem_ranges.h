/* SPDX-License-Identifier: Apache-2.0 */
/* Free ranges of an address interval: deterministic best fit, lowest address first among equals, neighbours
 * merged. Also used for the device heap. Not thread-safe. */
#ifndef VMEM_RANGES_H
#define VMEM_RANGES_H

#include "base/base.h"

#include <stdbool.h>

struct vmem_range {
    uint64_t first, end; /* [first, end) */
};
struct vmem_ranges {
    VEC(struct vmem_range) free; /* by address, never touching each other */
};

void vmem_ranges_init(struct vmem_ranges *ranges, uint64_t first, uint64_t end);
void vmem_ranges_release(struct vmem_ranges *ranges);
/* bytes > 0 at a multiple of align (a power of two); false: no range is large enough. */
bool vmem_ranges_take(struct vmem_ranges *ranges, uint64_t bytes, uint64_t align, uint64_t *out);
void vmem_ranges_give(struct vmem_ranges *ranges, uint64_t first, uint64_t bytes); /* what take gave */
#endif
