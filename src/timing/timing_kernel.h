/* SPDX-License-Identifier: Apache-2.0 */
/* timing: how long a kernel takes on a GPU, from what it really did. */
#ifndef TIMING_KERNEL_H
#define TIMING_KERNEL_H

#include "arch/arch.h"
#include "event/event.h"

/* Predict the time of a launch that was counted and whose accesses were modelled (launch->counters and
 * ->memory). false: it was not, or its block does not fit on the GPU. A pure function. */
bool timing_kernel(const struct arch_gpu *gpu, const struct event_launch *launch, struct event_time *out);

const char *timing_limit_name(enum event_limit limit); /* "DRAM", "latency" */
const char *timing_stall_name(enum event_stall stall); /* ncu's: "long_scoreboard" */
#endif
