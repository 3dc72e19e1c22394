/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel is on a GPU, whatever its launches do.
 *
 * Models: the instructions that PTX becomes (sass_lower.c), how much longer its blocks take because
 * a warp issues one instruction at a time and has few registers (sass_schedule.c), and what a warp takes for
 * each block that makes no requests, as far as that is known without counters. Does not model: anything of
 * its own. Sources: those of the files named. */
#include "timing_intervals_priv.h"

#include <stdlib.h>
#include <string.h>

static bool goes_round(const struct event_block *block, uint32_t b)
{
    bool round = false;
    for (uint32_t i = 0; i < EVENT_BLOCK_BEFORE; i++)
        round |= block->before[i] == b;
    return round;
}

static bool plan_reads_clock(const struct event_kernel *kernel, const struct event_block *block)
{
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        if (event_reads_clock(&kernel->instrs[i])) return true;
    return false;
}

/* What blocks that wait for a time take: what the warp's clock goes on by. */
static void set_waits(struct timing_intervals *p, const struct timing_plan *plan)
{
    const struct event_kernel *kernel = p->m.sass.kernel;
    uint64_t *path = sw_xcalloc(kernel->instr_count + 1, sizeof *path);
    timing_clock_path(p->m.sass.gpu, plan, &p->launch, 0, path);
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const struct event_block *block = &kernel->blocks[b];
        if (p->waits[b])
            p->work[block->first] = (uint32_t)(path[block->first + block->count] - path[block->first]);
    }
    free(path);
}

/* Without counters. */
static void set_table(struct timing_intervals *p, const struct timing_plan *plan)
{
    bool any = false;
    for (uint32_t b = 0; b < p->m.sass.kernel->block_count; b++) {
        const struct event_block *block = &p->m.sass.kernel->blocks[b];
        struct model_interval interval;
        bool asks = false;
        for (uint32_t i = block->first; i < block->first + block->count; i++)
            asks |= timing_intervals_may_request(p, i);
        if (asks || !block->count) continue;
        timing_intervals_block(p, b, &interval);
        p->work[block->first] = interval.path;
        p->waits[b] = goes_round(block, b) && plan_reads_clock(p->m.sass.kernel, block);
        any |= p->waits[b];
    }
    if (any) set_waits(p, plan);
}

struct timing_plan *timing_plan_new(const struct arch_gpu *gpu, const struct event_kernel *kernel)
{
    struct timing_plan *plan = sw_xcalloc(1, sizeof *plan);
    sass_merge_blocks(kernel, &plan->kernel);
    struct event_launch launch = {.kernel = kernel = &plan->kernel};
    struct timing_intervals *p = timing_intervals_open(gpu, &launch);
    if (!p) {
        timing_plan_delete(plan);
        return NULL;
    }
    uint32_t instrs = kernel->instr_count + 1, blocks = kernel->block_count + 1;
    plan->lower = sw_xcalloc(instrs, sizeof *plan->lower);
    plan->work = sw_xcalloc(instrs, sizeof *plan->work);
    plan->waits = sw_xcalloc(blocks, sizeof *plan->waits);
    plan->delays = sw_xcalloc(blocks, sizeof *plan->delays);
    sass_lower_kernel(gpu, kernel, plan->lower);
    sass_merge_branches(kernel, plan->lower);
    memcpy(p->m.sass.lower, plan->lower, kernel->instr_count * sizeof *plan->lower);
    sass_unroll_loops(&p->m.sass);
    timing_memory_latencies(&p->m);
    sass_schedule_delays(&p->m.sass, p->delays);
    set_table(p, plan);
    memcpy(plan->work, p->work, instrs * sizeof *plan->work);
    memcpy(plan->waits, p->waits, blocks * sizeof *plan->waits);
    memcpy(plan->delays, p->delays, blocks * sizeof *plan->delays);
    timing_intervals_delete(p);
    return plan;
}

void timing_plan_delete(struct timing_plan *plan)
{
    if (!plan) return;
    free(plan->lower);
    free(plan->work);
    free(plan->waits);
    free(plan->delays);
    sass_merge_release(&plan->kernel);
    free(plan);
}
