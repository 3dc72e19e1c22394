/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of memory that no live allocation has. */
#ifndef ENGINE_BOUNDS_H
#define ENGINE_BOUNDS_H

#include "engine_job.h"

/* jit_helpers.bounds */
void engine_help_bounds(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask, uint32_t what,
                        uint32_t line);
#endif
