/* SPDX-License-Identifier: Apache-2.0 */
/* timing: how long a kernel takes on a GPU, from what it really did. */
#ifndef TIMING_KERNEL_H
#define TIMING_KERNEL_H

#include "arch/arch.h"
#include "event/event_launch.h"
#include "event/event_memory.h"
#include "event/event_time.h"
#include "timing/timing_plan.h"

/* Predict the time of a launch that was counted and whose accesses were modelled (launch->counters and
 * ->memory). plan: of its kernel on the GPU; NULL: none was made. stalls: for each instruction of the kernel,
 * what all warps of the launch do there, in cycles; NULL: nobody asks. false: it was not, or its block does
 * not fit on the GPU. A pure function. */
bool timing_kernel(const struct arch_gpu *gpu, const struct timing_plan *plan,
                   const struct event_launch *launch, struct event_time *out, struct event_stalls *stalls);

const char *timing_limit_name(enum event_limit limit); /* "DRAM", "latency" */
const char *timing_stall_name(enum event_stall stall); /* ncu's: "long_scoreboard" */
/* timing_kernel_clock.c: before a launch runs, what clocks of its warps read. path: instr_count + 1, when a
 * warp alone comes to each instruction if one block followed the other, in sixteenths of a cycle. bytes: of
 * all that the launch was given pointers to. Returns the clock's kHz; 0: not known. */
uint64_t timing_clock_path(const struct arch_gpu *gpu, const struct timing_plan *plan,
                           const struct event_launch *launch, uint64_t bytes, uint64_t *path);
#endif
