/* SPDX-License-Identifier: Apache-2.0 */
/* timing: what warps of a kernel do in the intervals between their memory requests, for the replay that keeps
 * time (model_clock.c). */
#ifndef TIMING_INTERVALS_H
#define TIMING_INTERVALS_H

#include "arch/arch.h"
#include "event/event_launch.h"
#include "model/model_time.h"
#include "timing/timing_plan.h"

struct model_rates timing_rates(const struct arch_gpu *gpu);

struct timing_intervals;
/* gpu: kept. plan: of the launch's kernel on it, not kept. NULL: nothing is known of the GPU. */
struct timing_intervals *timing_intervals_new(const struct arch_gpu *gpu, const struct timing_plan *plan,
                                              const struct event_launch *launch);
void timing_intervals_delete(struct timing_intervals *intervals);
/* How many sixteenths of a cycle a warp takes for each basic block that makes no requests, as far as is known
 * before the launch: for event_tool.detail_work. Valid as long as the intervals. */
const uint32_t *timing_intervals_work(const struct timing_intervals *intervals);
/* counters: of the launch, with the round that is to be played; those since the last call say how often its
 * warps went which way. Valid until the next call. */
const struct model_costs *timing_intervals_round(struct timing_intervals *intervals,
                                                 const uint64_t *counters);
#endif
