/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel whose time is predicted on the frozen H200: a grid of one block. */
#ifndef TIMED_KERNEL_H
#define TIMED_KERNEL_H

#include "event_code.h"
#include "frozen_gpu.h"

#include "timing/timing_intervals.h"

struct timed_kernel {
    struct arch_gpu gpu;
    struct event_launch launch;
    struct timing_plan *plan;
    struct timing_intervals *intervals;
};

static inline void timed_kernel_open(struct timed_kernel *timed, const struct event_kernel *kernel,
                                     uint32_t warps)
{
    timed->launch = (struct event_launch){
        .kernel = kernel, .grid = {1, 1, 1}, .block = {32 * warps, 1, 1}, .gpu = TEST90};
    assert_int_equal(arch_gpu_load(TEST90, &timed->gpu, NULL), SW_OK);
    timed->plan = timing_plan_new(&timed->gpu, kernel);
    timed->intervals = timing_intervals_new(&timed->gpu, timed->plan, &timed->launch);
    assert_non_null(timed->intervals);
}

static inline void timed_kernel_close(struct timed_kernel *timed)
{
    timing_intervals_delete(timed->intervals);
    timing_plan_delete(timed->plan);
}

/* What warps do before and after the request of an instruction, by the counters of a round. */
static inline struct model_step timed_kernel_step(const struct event_kernel *kernel, uint32_t warps,
                                                  const uint64_t *counters, uint32_t instr)
{
    struct timed_kernel timed;
    timed_kernel_open(&timed, kernel, warps);
    struct model_step step = timing_intervals_round(timed.intervals, counters)->steps[instr];
    timed_kernel_close(&timed);
    return step;
}
#endif
