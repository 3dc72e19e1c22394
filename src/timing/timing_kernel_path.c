/* SPDX-License-Identifier: Apache-2.0 */
/* How long a warp takes that never waits for another.
 *
 * Models: each basic block as the scheduler in ptxas would place it: an instruction begins when its operands
 * are there and everything that keeps it in order (stores before loads of the same memory, barriers,
 * branches) has begun; the block ends when all have begun, and not before its issue slots and its busiest
 * pipe allow. What is still on its way goes on into the next block, so that loops overlap as far as their
 * registers let them. A block is measured after the block it is most often entered from; the path of a warp
 * is the sum over blocks, each as often as warps executed it. Does not model: the order in which a warp takes
 * blocks, warps that take other ways than the average, instruction fetch, ptxas moving code between blocks.
 * Sources: the method is the usual one of static schedulers; latencies: sass_lower.def and the
 * caches' model. */
#include "timing_kernel_priv.h"

#include <stdlib.h>
#include <string.h>

enum {
    FAR_CYCLES = 20,       /* what takes longer has no known latency: inferred from votes and reductions */
    SCOREBOARD_CYCLES = 12 /* inferred: stalls of divide_4, exp2_1 (tests/hw/timing) */
};

struct front {
    double *ready;  /* when a register's value is there */
    uint8_t *cause; /* enum event_stall: what those who wait for it wait for */
    double *fixed;  /* part of that which is a wait for instructions of known latency */
    double now;     /* when the next block can begin */
};

struct placing { /* of one block */
    double base, latest, fence, wall, slots, pipes[SASS_PIPES];
    double stores[ISA_SPACE_COUNT]; /* loads of this space begin after */
    struct timing_wait *wait;
    struct timing_wait *each; /* the same, of each instruction; NULL: nobody asks */
    double *rows;             /* when each instruction issues, from the block's begin; NULL: nobody asks */
};

static enum event_stall path_cause_of(const struct sass_lower *l, const struct event_instr *i)
{
    if (l->kind == SASS_MEMORY)
        return i->space == ISA_SPACE_SHARED ? EVENT_STALL_SHORT_SCOREBOARD : EVENT_STALL_LONG_SCOREBOARD;
    if (l->kind == SASS_BARRIER) return EVENT_STALL_BARRIER;
    if (l->kind == SASS_FENCE) return EVENT_STALL_MEMBAR;
    bool exchanges = i->cls == ISA_CLASS_WARP && l->latency >= FAR_CYCLES;
    return l->xu > 0 || exchanges || l->kind == SASS_SHUFFLE || l->kind == SASS_CONSTANT
               ? EVENT_STALL_SHORT_SCOREBOARD
               : EVENT_STALL_WAIT;
}

/* Of what several instructions make, only special functions and conversions are waited for with a scoreboard.
 */
static double fixed_of(const struct sass_lower *l, double latency)
{
    double scoreboard = l->xu * SCOREBOARD_CYCLES;
    return l->xu > 0 && latency > scoreboard ? 1 - scoreboard / latency : 0;
}

static void add_wait(struct timing_wait *wait, enum event_stall cause, double fixed, double cycles)
{
    if (!wait) return;
    wait->stalls[cause] += cycles * (1 - fixed);
    wait->stalls[EVENT_STALL_WAIT] += cycles * fixed;
}

/* A value that an instruction has to have. */
static double path_join(const struct front *f, uint32_t value, double soon, double start, uint8_t *cause,
                        double *fixed)
{
    double ready = f->ready[value] - soon;
    if (ready <= start) return start;
    *cause = f->cause[value];
    *fixed = f->fixed[value];
    return ready;
}

static void path_keep(struct front *f, uint32_t value, double ready, uint8_t cause, double fixed)
{
    f->ready[value] = ready;
    f->cause[value] = cause;
    f->fixed[value] = fixed;
}

/* What a copy brings goes to the open group; a group that is closed makes room for the next. */
static void keep_group(const struct timing_model *m, struct front *f, enum timing_async_kind kind,
                       double ready)
{
    uint32_t open = m->sass.kernel->reg_count, last = open + TIMING_GROUPS - 1;
    if (kind == TIMING_ASYNC_COPY && ready > f->ready[open])
        path_keep(f, open, ready, EVENT_STALL_LONG_SCOREBOARD, 0);
    if (kind != TIMING_ASYNC_COMMIT) return;
    if (f->ready[last - 1] > f->ready[last]) f->ready[last] = f->ready[last - 1];
    f->cause[last] = EVENT_STALL_LONG_SCOREBOARD;
    for (uint32_t g = last - 1; g > open; g--)
        path_keep(f, g, f->ready[g - 1], f->cause[g - 1], f->fixed[g - 1]);
    f->ready[open] = 0;
}

/* When instruction i can begin, and what it waits for. */
static double path_start_of(const struct timing_model *m, const struct front *f, const struct placing *at,
                            uint32_t number, uint8_t *cause, double *fixed)
{
    const struct event_instr *i = &m->sass.kernel->instrs[number];
    const struct sass_lower *l = &m->sass.lower[number];
    struct timing_async async = timing_async_of(i);
    bool waits =
        l->kind == SASS_BARRIER || l->kind == SASS_BRANCH || l->kind == SASS_FENCE || l->kind == SASS_SLOW;
    double start = waits || l->kind == SASS_MEMORY || l->kind == SASS_SHUFFLE ? at->wall : at->fence;
    for (uint32_t u = 0; u < i->use_count; u++) {
        uint32_t reg = i->regs[i->def_count + u];
        bool soon = l->kind == SASS_SELECT && u + 1 == i->use_count;
        start = path_join(f, reg, soon ? SASS_SELECT_CYCLES : 0, start, cause, fixed);
    }
    for (uint32_t g = async.first; async.kind == TIMING_ASYNC_WAIT && g < TIMING_GROUPS; g++)
        start = path_join(f, m->sass.kernel->reg_count + g, 0, start, cause, fixed);
    if (l->kind == SASS_MEMORY && at->stores[i->space] > start && !event_has(i, ISA_MOD_NC))
        start = at->stores[i->space];
    return waits && at->latest > start ? at->latest : start;
}

/* No earlier than its issue slots and its busiest pipe allow. */
static double path_end_of(const struct placing *at)
{
    double least = at->base + at->slots;
    for (uint32_t p = 0; p < SW_COUNT_OF(at->pipes); p++)
        least = at->base + at->pipes[p] > least ? at->base + at->pipes[p] : least;
    return at->latest > least ? at->latest : least;
}

static void path_schedule(const struct timing_model *m, struct front *f, struct placing *at, uint32_t number)
{
    const struct event_instr *i = &m->sass.kernel->instrs[number];
    const struct sass_lower *l = &m->sass.lower[number];
    uint8_t cause = EVENT_STALL_WAIT;
    double fixed = 0, start = path_start_of(m, f, at, number, &cause, &fixed),
           latency = m->sass.latency[number];
    enum timing_async_kind async = timing_async_of(i).kind;
    bool issued = sass_slots(l) > 0;
    if (issued && start > at->latest) {
        add_wait(at->wait, cause, fixed, start - at->latest);
        add_wait(at->each ? &at->each[number] : NULL, cause, fixed, start - at->latest);
        at->latest = start;
    }
    if (at->rows) at->rows[number] = path_end_of(at) - at->base;
    struct sass_lower slow = sass_slow_path(&m->sass, i);
    at->slots += sass_slots(l) + sass_held(&m->sass, l) + sass_slots(&slow);
    sass_add_pipes(&m->sass, l, at->pipes);
    sass_add_pipes(&m->sass, &slow, at->pipes);
    if (l->kind == SASS_MEMORY && i->is_write) at->stores[i->space] = start + 1;
    if (l->kind == SASS_BARRIER || l->kind == SASS_FENCE || l->kind == SASS_SLOW) {
        add_wait(at->wait, path_cause_of(l, i), fixed_of(l, latency), latency);
        add_wait(at->each ? &at->each[number] : NULL, path_cause_of(l, i), fixed_of(l, latency), latency);
        at->latest = at->wall = start + latency; /* arithmetic moves over barriers */
        if (l->kind == SASS_SLOW) at->fence = at->wall;
    }
    if (async == TIMING_ASYNC_WAIT && start > at->wall) at->wall = start;
    keep_group(m, f, async, start + latency);
    for (uint32_t d = 0; d < i->def_count; d++)
        path_keep(f, i->regs[d], start + latency, issued ? (uint8_t)path_cause_of(l, i) : cause,
                  issued ? fixed_of(l, latency) : fixed);
}

/* Runs block b at the end of what f has seen. */
static void run_block(const struct timing_model *m, struct front *f, uint32_t b, struct timing_wait *wait,
                      struct timing_wait *each, double *rows)
{
    const struct event_block *block = &m->sass.kernel->blocks[b];
    struct placing at = {.base = f->now,
                         .latest = f->now,
                         .fence = f->now,
                         .wall = f->now,
                         .wait = wait,
                         .each = each,
                         .rows = rows};
    for (uint32_t s = 0; s < ISA_SPACE_COUNT; s++)
        at.stores[s] = f->now;
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        path_schedule(m, f, &at, i);
    double end = at.latest + (at.slots > 0), least = at.base + at.slots;
    at.pipes[0] = sass_fma_cycles(&m->sass, at.pipes[0], at.pipes[SASS_MULTIPLIER]);
    for (uint32_t p = 0; p < SW_COUNT_OF(at.pipes); p++)
        least = at.base + at.pipes[p] > least ? at.base + at.pipes[p] : least;
    f->now = end > least ? end : least;
    f->now += timing_branch_cycles(m, b);
}

static void scale_waits(struct timing_wait *wait, double by)
{
    for (uint32_t s = 0; s < EVENT_STALL_COUNT; s++)
        wait->stalls[s] *= by;
}

/* Of a block that ptxas unrolls, several iterations wait at the same time. */
static double unrolled_cycles(const struct timing_model *m, uint32_t b, double cycles,
                              struct timing_wait *wait, struct timing_wait *each)
{
    const struct event_block *block = &m->sass.kernel->blocks[b];
    uint8_t iterations = block->count ? m->sass.lower[block->first].unroll : 0;
    double slots = 0;
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        slots += sass_slots(&m->sass.lower[i]);
    if (iterations < 2 || cycles <= slots) return cycles;
    scale_waits(wait, 1.0 / iterations);
    for (uint32_t i = block->first; each && i < block->first + block->count; i++)
        scale_waits(&each[i], 1.0 / iterations);
    return slots + (cycles - slots) / iterations;
}

/* Cycles of block b behind the two that come before it. */
static double block_cycles(const struct timing_model *m, struct front *f, uint32_t b,
                           struct timing_wait *wait, struct timing_wait *each, double *rows)
{
    uint32_t one = timing_block_before(m, b), two = one == EVENT_NO_BLOCK ? one : timing_block_before(m, one);
    memset(f->ready, 0, timing_values(m->sass.kernel) * sizeof *f->ready);
    f->now = 0;
    if (two != EVENT_NO_BLOCK) run_block(m, f, two, NULL, NULL, NULL);
    if (one != EVENT_NO_BLOCK) run_block(m, f, one, NULL, NULL, NULL);
    double before = f->now;
    run_block(m, f, b, wait, each, rows);
    return rows ? f->now - before : unrolled_cycles(m, b, f->now - before, wait, each);
}

double timing_path(const struct timing_model *m, struct timing_wait *wait, struct timing_wait *each)
{
    struct front f = {.ready = sw_xcalloc(timing_values(m->sass.kernel), sizeof *f.ready),
                      .cause = sw_xcalloc(timing_values(m->sass.kernel), sizeof *f.cause),
                      .fixed = sw_xcalloc(timing_values(m->sass.kernel), sizeof *f.fixed)};
    double path = 0;
    *wait = (struct timing_wait){0};
    for (uint32_t b = 0; b < m->sass.kernel->block_count; b++) {
        double times = (double)sass_block_count(&m->sass, b) / m->warps;
        if (times == 0) continue;
        struct timing_wait once = {0};
        path += times * (block_cycles(m, &f, b, &once, each, NULL) +
                         timing_split_share(m, b) * (double)m->sass.p->sm_diverge_cycles);
        for (uint32_t s = 0; s < EVENT_STALL_COUNT; s++)
            wait->stalls[s] += times * once.stalls[s];
        const struct event_block *block = &m->sass.kernel->blocks[b];
        for (uint32_t i = block->first; each && i < block->first + block->count; i++)
            scale_waits(&each[i], times);
    }
    free(f.ready);
    free(f.cause);
    free(f.fixed);
    return path;
}

void timing_path_rows(const struct timing_model *m, double *rows)
{
    uint32_t count = m->sass.kernel->instr_count, next = 0;
    struct front f = {.ready = sw_xcalloc(timing_values(m->sass.kernel), sizeof *f.ready),
                      .cause = sw_xcalloc(timing_values(m->sass.kernel), sizeof *f.cause),
                      .fixed = sw_xcalloc(timing_values(m->sass.kernel), sizeof *f.fixed)};
    double now = 0;
    for (uint32_t b = 0; b < m->sass.kernel->block_count; b++) {
        const struct event_block *block = &m->sass.kernel->blocks[b];
        if (!block->count || block->first < next) continue;
        while (next < block->first) /* not reachable */
            rows[next++] = now;
        double cycles = block_cycles(m, &f, b, NULL, NULL, rows);
        rows[block->first] = 0; /* what it waits for counts */
        for (; next < block->first + block->count; next++)
            rows[next] += now;
        now += cycles;
    }
    while (next <= count)
        rows[next++] = now;
    free(f.ready);
    free(f.cause);
    free(f.fixed);
}
