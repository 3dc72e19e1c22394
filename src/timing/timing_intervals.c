/* SPDX-License-Identifier: Apache-2.0 */
/* Intervals: what a warp does between two memory requests.
 *
 * Models: blocks that make requests, as timing_intervals_block.c has them. Blocks that make none, by what
 * each warp tells of its own way through them (EVENT_KIND_WORK): cycles of a warp alone, by a table that is
 * made before the launch; what the counters say of those blocks since corrects the table on average, and says
 * how much of each unit goes with a cycle of them. What is rarely a request (a guard that is nearly always
 * false) counts to the block with requests before it, as often as warps took it in this round; what stands
 * before the first request, to that one. A block that goes round until a clock has gone on takes what the
 * clock says.
 *
 * Does not model: what timing_kernel_path.c does not; that blocks without requests take units in different
 * shares, and which of them a warp went through; loops of several blocks that wait for a time.
 *
 * Sources: those of timing_kernel_path.c. */
#include "timing_intervals_priv.h"

#include <stdlib.h>
#include <string.h>

struct block_cost { /* of one that makes no requests */
    struct model_interval interval;
    double times;
};

/* ---- all blocks */

static void add_interval(struct model_interval *to, const struct model_interval *interval, double times)
{
    double path = interval->path * times;
    to->path = timing_intervals_rounded(to->path + path);
    if (to->chain != MODEL_NO_CHAIN) to->chain = timing_intervals_rounded(to->chain + path);
    if (to->fresh != MODEL_NO_CHAIN) to->fresh = timing_intervals_rounded(to->fresh + path);
    uint32_t waits = interval->chain != MODEL_NO_CHAIN ? timing_intervals_rounded(path) : MODEL_NO_CHAIN;
    if (waits != MODEL_NO_CHAIN) {
        if (to->chain == MODEL_NO_CHAIN || to->chain < waits) to->chain = waits;
        if (to->fresh == MODEL_NO_CHAIN || to->fresh < waits) to->fresh = waits;
    }
    to->issue = timing_intervals_rounded(to->issue + interval->issue * times);
    to->math = timing_intervals_rounded(to->math + interval->math * times);
    to->banks = timing_intervals_rounded(to->banks + interval->banks * times);
    to->shared = timing_intervals_rounded(to->shared + interval->shared * times);
}

/* Behind every request of the block, since any can be a run's last. */
static void set_after(struct timing_intervals *p, uint32_t b, const struct model_interval *after)
{
    const struct event_block *block = &p->m.sass.kernel->blocks[b];
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        p->steps[i].after = *after;
}

static void add_before(struct timing_intervals *p, uint32_t b, const struct model_interval *interval,
                       double times)
{
    const struct event_block *block = &p->m.sass.kernel->blocks[b];
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        if (p->more[i] <= 0) continue;
        struct model_interval *to = &p->steps[i].before;
        uint32_t chain = to->chain;
        add_interval(to, interval, times);
        to->fresh = MODEL_NO_CHAIN;
        if (chain == MODEL_NO_CHAIN) to->chain = chain;
        return;
    }
}

/* Work that a warp tells takes what such blocks take on average. */
static void add_work(struct timing_intervals *p, uint32_t b, uint32_t last,
                     const struct model_interval *interval, double times)
{
    struct timing_work_sum *sum = &p->sum;
    sum->units += times * p->work[p->m.sass.kernel->blocks[b].first];
    sum->path += times * interval->path;
    sum->issue += times * interval->issue;
    sum->math += times * interval->math;
    sum->banks += times * interval->banks;
    sum->shared += times * interval->shared;
    if (last == EVENT_NO_BLOCK || (interval->chain == MODEL_NO_CHAIN && !timing_intervals_waits(p, b)))
        return;
    const struct event_block *block = &p->m.sass.kernel->blocks[last];
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        p->steps[i].waits = true;
}

/* A loop that only waits for a time goes round as often as its warp's clock says (timing_kernel_clock.c), as
 * if nothing else took the units: elsewhere it would go round less often and end at the same time. */
static void add_wait(struct timing_intervals *p, uint32_t b, double times)
{
    double units = times * p->work[p->m.sass.kernel->blocks[b].first];
    p->sum.units += units;
    p->sum.path += units;
}

static void set_shares(struct timing_intervals *p)
{
    const struct timing_work_sum *sum = &p->sum;
    double each = sum->units > 0 ? (1 << MODEL_WORK_SHIFT) / sum->units : 0;
    p->costs.work = (struct model_work){(uint64_t)(sum->path * each), (uint64_t)(sum->issue * each),
                                        (uint64_t)(sum->math * each), (uint64_t)(sum->shared * each),
                                        (uint64_t)(sum->banks * each)};
}

static void cost_blocks(struct timing_intervals *p)
{
    uint32_t last = EVENT_NO_BLOCK, count = p->m.sass.kernel->block_count;
    struct block_cost first = {0};
    for (uint32_t b = 0; b < count; b++) {
        double times = (double)sass_block_count(&p->m.sass, b);
        struct model_interval after;
        if (times <= 0) continue;
        if (timing_intervals_block(p, b, &after)) {
            set_after(p, b, &after);
            if (first.times > 0) add_before(p, b, &first.interval, first.times / times);
            first = (struct block_cost){0};
            last = b;
        } else if (p->waits[b]) {
            add_wait(p, b, times);
        } else if (p->work[p->m.sass.kernel->blocks[b].first]) {
            add_work(p, b, last, &after, times);
        } else if (last != EVENT_NO_BLOCK) {
            const struct event_block *block = &p->m.sass.kernel->blocks[last];
            double each = times / (double)sass_block_count(&p->m.sass, last);
            struct model_interval sum = p->steps[block->first].after;
            add_interval(&sum, &after, each);
            set_after(p, last, &sum);
        } else {
            add_interval(&first.interval, &after, first.times > 0 ? times / first.times : 1);
            if (first.times <= 0) first.times = times;
        }
    }
    set_shares(p);
}

const uint32_t *timing_intervals_work(const struct timing_intervals *p)
{
    return p->work;
}

const struct model_costs *timing_intervals_round(struct timing_intervals *p, const uint64_t *counters)
{
    const struct event_kernel *k = p->m.sass.kernel;
    for (uint32_t s = 0; s < k->slot_count; s++) {
        p->counts[s] = counters[s] - p->before[s];
        p->before[s] = counters[s];
    }
    sass_unroll_loops(&p->m.sass);
    timing_memory_latencies(&p->m);
    memset(p->steps, 0, k->instr_count * sizeof *p->steps);
    for (uint32_t i = 0; i < k->instr_count; i++) {
        p->more[i] = timing_intervals_more(p, i);
        p->steps[i].block = k->instrs[i].block;
        p->steps[i].uniform = p->m.sass.lower[i].uniform;
        p->steps[i].before.chain = p->steps[i].before.fresh = MODEL_NO_CHAIN;
        if (timing_is_bulk(&k->instrs[i])) p->steps[i].after = p->steps[i].before;
    }
    cost_blocks(p);
    return &p->costs;
}

struct timing_intervals *timing_intervals_open(const struct arch_gpu *gpu, const struct event_launch *launch)
{
    const struct event_kernel *k = launch->kernel;
    const struct arch_pipes *pipes = arch_pipes_find(gpu->cc_major, gpu->cc_minor);
    if (!pipes) return NULL;
    struct timing_intervals *p = sw_xcalloc(1, sizeof *p);
    p->launch = *launch;
    p->counts = sw_xcalloc(k->slot_count + 1, sizeof *p->counts);
    p->before = sw_xcalloc(k->slot_count + 1, sizeof *p->before);
    p->ready = sw_xcalloc(timing_values(k), sizeof *p->ready);
    p->more = sw_xcalloc(k->instr_count + 1, sizeof *p->more);
    p->steps = sw_xcalloc(k->instr_count + 1, sizeof *p->steps);
    p->memory.instrs = sw_xcalloc(k->instr_count + 1, sizeof *p->memory.instrs);
    p->launch.counters = NULL;
    p->launch.memory = &p->memory;
    p->m = (struct timing_model){.sass = {.gpu = gpu, .p = &gpu->kernels, .pipes = pipes, .kernel = k},
                                 .launch = &p->launch};
    arena_init(&p->m.arena);
    p->m.sass.lower = ARENA_ARRAY(&p->m.arena, struct sass_lower, k->instr_count + 1);
    p->m.sass.latency = ARENA_ARRAY(&p->m.arena, double, k->instr_count + 1);
    p->work = ARENA_ARRAY(&p->m.arena, uint32_t, k->instr_count + 1);
    p->waits = ARENA_ARRAY(&p->m.arena, bool, k->block_count + 1);
    p->delays = ARENA_ARRAY(&p->m.arena, double, k->block_count + 1);
    memset(p->work, 0, (k->instr_count + 1) * sizeof *p->work);
    memset(p->waits, 0, (k->block_count + 1) * sizeof *p->waits);
    memset(p->delays, 0, (k->block_count + 1) * sizeof *p->delays);
    p->costs.steps = p->steps;
    return p;
}

struct timing_intervals *timing_intervals_new(const struct arch_gpu *gpu, const struct timing_plan *plan,
                                              const struct event_launch *launch)
{
    const struct event_kernel *k = &plan->kernel;
    struct event_launch own = *launch;
    own.kernel = k;
    struct timing_intervals *p = timing_intervals_open(gpu, &own);
    if (!p) return NULL;
    memcpy(p->m.sass.lower, plan->lower, k->instr_count * sizeof *plan->lower);
    memcpy(p->work, plan->work, k->instr_count * sizeof *plan->work);
    memcpy(p->waits, plan->waits, k->block_count * sizeof *plan->waits);
    memcpy(p->delays, plan->delays, k->block_count * sizeof *plan->delays);
    p->launch.counters = p->m.sass.counters = p->counts;
    p->costs.rates = timing_rates(gpu);
    return p;
}

void timing_intervals_delete(struct timing_intervals *p)
{
    if (!p) return;
    arena_release(&p->m.arena);
    free((void *)(uintptr_t)p->memory.instrs);
    free(p->counts);
    free(p->before);
    free(p->ready);
    free(p->more);
    free(p->steps);
    free(p);
}
