/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers that have a file of their own; engine_helpers.c has the table. */
#ifndef ENGINE_HELPERS_PRIV_H
#define ENGINE_HELPERS_PRIV_H

#include "engine/core/engine_fault.h"

/* engine_timer.c */
uint64_t engine_timer_read(struct jit_ctx *ctx, uint32_t row, uint32_t end);
uint64_t engine_clock_read(struct jit_ctx *ctx, uint32_t row, uint32_t end);
void engine_clock_pass(struct jit_ctx *ctx, uint32_t first, uint32_t end);
/* engine_bulk.c */
void engine_help_bulk(struct jit_ctx *ctx, uint64_t code, uint64_t to, uint64_t from, uint32_t bytes);
/* engine_collective.c */
uint32_t engine_help_collective(struct jit_ctx *ctx, struct jit_collective_state *m, uint64_t code,
                                uint32_t line, lane_mask here, lane_mask alive);
_Noreturn void engine_help_collective_stuck(struct jit_ctx *ctx, const struct jit_collective_state *m);
/* engine_stuck.c */
_Noreturn void engine_help_misaligned(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask,
                                      uint32_t bytes, uint32_t line);
_Noreturn void engine_help_barrier_wrong(struct jit_ctx *ctx, lane_mask lanes, uint32_t line,
                                         uint32_t number);
_Noreturn void engine_help_barrier_stuck(struct jit_ctx *ctx, const struct jit_stuck *stuck);
/* engine_misuse.c */
void engine_help_barrier_look(struct jit_ctx *ctx, const struct jit_sync *sync, uint32_t id);
void engine_help_warps_look(struct jit_ctx *ctx, const struct jit_sync *sync);
void engine_help_shuffle_look(struct jit_ctx *ctx, const uint32_t *b, const uint32_t *c, lane_mask lanes,
                              uint32_t kind, uint32_t line);
void engine_help_members_look(struct jit_ctx *ctx, const uint32_t *members, lane_mask lanes, uint32_t line);
/* Findings that end the launch, where the tool wants to know: nobody can go on; a barrier that there is not.
 */
void engine_misuse_stuck(struct jit_ctx *ctx, const struct jit_stuck *stuck);
void engine_misuse_lanes_stuck(struct jit_ctx *ctx, const struct jit_collective_state *m, lane_mask set);
void engine_misuse_number(struct jit_ctx *ctx, lane_mask lanes, uint32_t line);
/* A lane came to an operation, and its own member mask does not name it, likewise. */
void engine_misuse_unnamed(struct jit_ctx *ctx, uint32_t lane, uint32_t members, uint32_t line);
/* Lanes of `set` gave up waiting for members that are `missing`, where the tool wants to know. */
void engine_misuse_no_show(struct jit_ctx *ctx, const struct jit_collective_state *m, lane_mask set,
                           lane_mask missing);
/* engine_mbarrier.c */
enum { ENGINE_RULE_MBARRIER = 32 }; /* its first number for engine_finding_keep */
void engine_help_mbarrier_look(struct jit_ctx *ctx, uint64_t address, uint64_t operand, uint32_t what,
                               uint32_t line);
/* engine_device.c */
void engine_help_device_call(struct jit_ctx *ctx, uint32_t code, const uint64_t *arguments);
#endif
