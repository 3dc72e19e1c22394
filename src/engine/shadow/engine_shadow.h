/* SPDX-License-Identifier: Apache-2.0 */
/* engine/shadow: shadow memory. What was written of memory (engine_shadow_init.c), and which accesses nothing
 * orders (engine_shadow_race.c, with race/ as the judge). One struct an engine, made when the tool asks for
 * such checks. One host thread runs blocks at a time while it is there, unless blocks are judged apart. */
#ifndef ENGINE_SHADOW_H
#define ENGINE_SHADOW_H

#include "engine/core/engine_job.h"

struct engine_shadow;

struct engine_shadow *engine_shadow_new(struct engine *engine); /* NULL: the tool asks for none */
void engine_shadow_free(struct engine_shadow *shadow);
bool engine_shadow_wanted(const struct engine *engine);
uint32_t engine_shadow_probes(const struct engine *engine); /* EVENT_PROBE_* of its launches */

/* Whether host threads may run blocks of a launch at the same time: only races in shared memory are looked
 * for, and blocks do not wait for each other (together). Then each has a detector of its own. */
bool engine_shadow_blocks_apart(const struct engine *engine, bool together);
/* Around a launch; nothing happens without a shadow. */
void engine_shadow_launch_begin(struct engine_job *job, bool together);
void engine_shadow_launch_end(struct engine_job *job);
void engine_shadow_block_end(struct engine_job *job,
                             uint64_t block);           /* of launches whose blocks take turns */
void engine_shadow_leave(struct engine_worker *worker); /* it runs no more blocks of its job */
/* Others may run blocks meanwhile. */
void engine_shadow_pause(struct engine_worker *worker);
void engine_shadow_resume(struct engine_worker *worker);

void engine_shadow_heap_new(struct jit_ctx *ctx, uint64_t address, uint64_t bytes); /* malloc in a kernel */

/* Helpers of struct jit_helpers. */
uint32_t engine_help_shadow(struct jit_ctx *ctx, const struct jit_shadow_site *site, const uint64_t *address,
                            lane_mask mask);
uint32_t engine_help_shadow_affine(struct jit_ctx *ctx, const struct jit_shadow_site *site, uint64_t first,
                                   int64_t stride, lane_mask mask);
void engine_help_shadow_values(struct jit_ctx *ctx, const void *values, uint32_t element, uint32_t bytes,
                               uint32_t end);
void engine_help_shadow_order(struct jit_ctx *ctx, uint32_t warp, lane_mask mask, uint32_t what,
                              uint64_t value);
void engine_help_shadow_warp_sync(struct jit_ctx *ctx, const uint32_t *members, lane_mask mask);
/* A helper accesses contiguous bytes for one lane; flags: enum jit_shadow_flag. */
bool engine_shadow_on(const struct jit_ctx *ctx); /* the running code tells its accesses */
void engine_shadow_range(struct jit_ctx *ctx, uint32_t lane, uint64_t address, uint64_t bytes, uint32_t flags,
                         uint32_t line);
void engine_shadow_warp_sync(struct jit_ctx *ctx, lane_mask lanes); /* of all these with each other */
#endif
