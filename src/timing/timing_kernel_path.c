/* SPDX-License-Identifier: Apache-2.0 */
/* How long a warp takes that never waits for another.
 *
 * Models: each basic block as timing_issue.c issues it, with what memory's latencies are; the block ends
 * when all have begun, and not before its issue slots and its busiest pipe allow. What is still on its way
 * goes on into the next block, so that loops overlap as far as their registers let them. A block is measured
 * after the block it is most often entered from; the path of a warp is the sum over blocks, each as often as
 * warps executed it. Does not model: the order in which a warp takes blocks, warps that take other ways than
 * the average, instruction fetch, ptxas moving code between blocks. Sources: the method is the usual one of
 * static schedulers; latencies: sass_lower.def and the caches' model. */
#include "timing_issue_priv.h"

#include <stdlib.h>

enum {
    FAR_CYCLES = 20,       /* what takes longer has no known latency: inferred from votes and reductions */
    SCOREBOARD_CYCLES = 12 /* inferred: stalls of divide_4, exp2_1 (tests/hw/timing) */
};

struct front { /* what a warp has behind it */
    struct timing_ready *values;
    double now; /* when the next block can begin */
};

struct placing { /* of one block */
    struct timing_issue issue;
    double base;
    struct sass_units units;
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

/* The warp waits so many cycles at an instruction, for what `value` says. */
static void add_wait(struct placing *at, uint32_t number, const struct timing_ready *value, double cycles)
{
    struct timing_wait *waits[] = {at->wait, at->each ? &at->each[number] : NULL};
    for (uint32_t w = 0; w < SW_COUNT_OF(waits); w++) {
        if (!waits[w]) continue;
        waits[w]->stalls[value->cause] += cycles * (1 - value->fixed);
        waits[w]->stalls[EVENT_STALL_WAIT] += cycles * value->fixed;
    }
}

static void path_issue(const struct timing_model *m, struct placing *at, uint32_t number)
{
    const struct sass_lower *l = &m->sass.lower[number];
    struct timing_ready start = timing_issue_start(&at->issue, number),
                        done = timing_ready_later(start, m->sass.latency[number]);
    double latest = at->issue.latest.time;
    if (sass_slots(l) > 0) {
        if (start.time > latest) add_wait(at, number, &start, start.time - latest);
        done.cause = (uint8_t)path_cause_of(l, &m->sass.kernel->instrs[number]);
        done.fixed = fixed_of(l, m->sass.latency[number]);
        latest = start.time > latest ? start.time : latest;
    }
    if (at->rows) {
        double least = sass_units_cycles(&m->sass, &at->units);
        at->rows[number] = latest - at->base > least ? latest - at->base : least;
    }
    sass_units_add(&m->sass, number, &at->units);
    if (timing_issue_end(&at->issue, number, &start, &done))
        add_wait(at, number, &done, m->sass.latency[number]);
}

/* Runs block b at the end of what f has seen. No earlier than its issue slots and its busiest pipe allow. */
static void run_block(const struct timing_model *m, struct front *f, uint32_t b, struct timing_wait *wait,
                      struct timing_wait *each, double *rows)
{
    const struct event_block *block = &m->sass.kernel->blocks[b];
    struct placing at = {.base = f->now, .wait = wait, .each = each, .rows = rows};
    timing_issue_begin(&at.issue, m, f->values, f->now);
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        path_issue(m, &at, i);
    double end = at.issue.latest.time + (at.units.slots > 0),
           least = at.base + sass_units_cycles(&m->sass, &at.units);
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
    for (uint32_t v = 0; v < timing_values(m->sass.kernel); v++)
        f->values[v] = timing_ready_at(0);
    f->now = 0;
    if (two != EVENT_NO_BLOCK) run_block(m, f, two, NULL, NULL, NULL);
    if (one != EVENT_NO_BLOCK) run_block(m, f, one, NULL, NULL, NULL);
    double before = f->now;
    run_block(m, f, b, wait, each, rows);
    return rows ? f->now - before : unrolled_cycles(m, b, f->now - before, wait, each);
}

double timing_path(const struct timing_model *m, struct timing_wait *wait, struct timing_wait *each)
{
    struct front f = {.values = sw_xcalloc(timing_values(m->sass.kernel), sizeof *f.values)};
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
    free(f.values);
    return path;
}

void timing_path_rows(const struct timing_model *m, double *rows)
{
    uint32_t count = m->sass.kernel->instr_count, next = 0;
    struct front f = {.values = sw_xcalloc(timing_values(m->sass.kernel), sizeof *f.values)};
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
    free(f.values);
}
