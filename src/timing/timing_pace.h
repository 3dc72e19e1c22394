/* SPDX-License-Identifier: Apache-2.0 */
/* timing: how a kernel goes on between its requests to memory, for the replay that keeps time
 * (model/model_clock.c). */
#ifndef TIMING_PACE_H
#define TIMING_PACE_H

#include "arch/arch.h"
#include "event/event.h"
#include "model/model_time.h"
#include "timing/timing_plan.h"

struct model_rates timing_rates(const struct arch_gpu *gpu);

struct timing_pace;
/* gpu: kept. plan: of the launch's kernel on it, not kept. NULL: nothing is known of the GPU. */
struct timing_pace *timing_pace_new(const struct arch_gpu *gpu, const struct timing_plan *plan,
                                    const struct event_launch *launch);
void timing_pace_delete(struct timing_pace *pace);
/* How many sixteenths of a cycle a warp takes for each basic block that makes no requests, as far as is known
 * before the launch: for event_tool.watch_work. Valid as long as the pace. */
const uint32_t *timing_pace_work(const struct timing_pace *pace);
/* counters: of the launch, with the turn that is to be played; those since the last call say how often its
 * warps went which way. Valid until the next call. */
const struct model_pace *timing_pace_turn(struct timing_pace *pace, const uint64_t *counters);
#endif
