/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of memory that is not valid (EVENT_PROBE_BOUNDS). */
#ifndef ENGINE_BOUNDS_H
#define ENGINE_BOUNDS_H

#include "engine_job.h"

/* jit_helpers.bounds, jit_helpers.window */
void engine_help_bounds(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask, uint32_t what,
                        uint32_t line);
void engine_help_window(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask,
                        const struct jit_window_site *site, uint64_t base, uint64_t bytes);
/* For helpers that access memory themselves: a run of bytes that lane ctx->lane accesses at PTX line
 * ctx->line. space: SHARED, where the instruction says so; else as the address turns out. Ends the block
 * where a byte is not valid; nothing without the probe. */
void engine_bounds_span(struct jit_ctx *ctx, enum isa_space space, uint64_t first, uint64_t bytes,
                        bool writes);
/* The same for lanes that each access so many bytes: jit_helpers.bounds_some. */
void engine_help_bounds_some(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask, uint32_t what,
                             uint32_t line, const uint32_t *bytes);
/* What the lanes store by the access that emitted code asks about (jit_ctx.stored), which is taken away;
 * NULL: nothing, or it is not known. Then of one lane, if so. */
const void *engine_bounds_stored(struct jit_ctx *ctx);
void engine_bounds_value(const void *stored, uint32_t lane, struct event_place *place);
bool engine_bounds_on(const struct jit_ctx *ctx); /* the running code has the probe */
/* Space, address, base and size of a finding about an address: offsets in shared and local memory. */
void engine_bounds_place(const struct jit_ctx *ctx, uint32_t lane, uint64_t address,
                         struct event_finding *finding);
#endif
