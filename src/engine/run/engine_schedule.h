/* SPDX-License-Identifier: Apache-2.0 */
/* The order of blocks and warps that a tool chose (event_schedule.h). */
#ifndef ENGINE_SCHEDULE_H
#define ENGINE_SCHEDULE_H

#include "engine/core/engine_job.h"

struct event_order engine_schedule_of(const struct engine *engine); /* no tool: not on */
uint32_t engine_schedule_number(const struct engine_job *job);      /* launches that are not checked: 0 */
/* Which block comes at a position of the launch's order. Each block has one. */
uint64_t engine_schedule_block(const struct engine_job *job, uint64_t position);
/* jit_ctx.warp_order of the launch. */
void engine_schedule_warps(const struct engine_job *job, uint8_t order[SW_WARP_LANES]);
#endif
