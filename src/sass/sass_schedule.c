/* SPDX-License-Identifier: Apache-2.0 */
/* How much longer than its longest chain a basic block takes because a warp issues one instruction at a time.
 *
 * Models: a list schedule, as ptxas makes one: instructions by the length of the chain behind them, each in
 * the first cycle in which its operands are there and a slot and its pipe are free. What that takes more than
 * the chain, the slots or the busiest pipe alone is the block's delay. Data of loads is there at once here.
 * Nothing moves over what has a branch inside (SASS_SLOW). Does not model: registers that run out
 * (sass_pressure.c), values of the block before, slots of predicates' and scoreboards' waits.
 * Sources: the method is the usual one of static schedulers; machine code of tests/hw (ptxas 13.0, 9.0). */
#include "sass/sass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* implementation: cycles of a block at most */
enum { HORIZON = 4096, ISSUE = SASS_PIPES, UNITS = SASS_PIPES + 1 };

struct list {
    const struct sass *m;
    double *heights; /* [instr]: cycles of the chain that begins with it */
    double *needs;   /* [register]: of those who read it */
    double *values;  /* [register]: when it is there */
    double *plain;   /* [register]: the same, were there slots for all */
    uint32_t *order; /* [2 * instr]: the schedule, and room to sort it */
    uint8_t taken[UNITS][HORIZON];
    double carry[UNITS]; /* of cycles that are not whole */
    double begin, plain_begin, end, plain_end;
    bool overflows;
};

static double intervals_issue_latency_of(const struct list *l, uint32_t number)
{
    const struct event_instr *i = &l->m->kernel->instrs[number];
    bool waits = l->m->lower[number].kind == SASS_MEMORY && i->space != ISA_SPACE_SHARED;
    return waits || l->m->lower[number].kind == SASS_CONSTANT ? 0 : l->m->latency[number];
}

static void set_heights(struct list *l, uint32_t first, uint32_t end)
{
    for (uint32_t n = end; n-- > first;) {
        const struct event_instr *i = &l->m->kernel->instrs[n];
        double height = 0;
        for (uint32_t d = 0; d < i->def_count; d++) {
            if (l->needs[i->regs[d]] > height) height = l->needs[i->regs[d]];
            l->needs[i->regs[d]] = 0;
        }
        l->heights[n] = height += intervals_issue_latency_of(l, n);
        for (uint32_t u = 0; u < i->use_count; u++) {
            double *value = &l->needs[i->regs[i->def_count + u]];
            if (*value < height) *value = height;
        }
    }
}

static void forget_values(struct list *l, uint32_t first, uint32_t end)
{
    for (uint32_t n = first; n < end; n++) {
        const struct event_instr *i = &l->m->kernel->instrs[n];
        for (uint32_t r = 0; r < (uint32_t)i->def_count + i->use_count; r++)
            l->needs[i->regs[r]] = l->values[i->regs[r]] = l->plain[i->regs[r]] = 0;
    }
}

static void sort_by_height(struct list *l, uint32_t first, uint32_t end)
{
    uint32_t count = end - first, *from = l->order, *to = l->order + count;
    for (uint32_t k = 0; k < count; k++)
        from[k] = first + k;
    for (uint32_t width = 1; width < count; width *= 2) { /* stable: of equals the first goes first */
        for (uint32_t low = 0; low < count; low += 2 * width) {
            uint32_t middle = low + width < count ? low + width : count,
                     high = low + 2 * width < count ? low + 2 * width : count, a = low, b = middle;
            for (uint32_t k = low; k < high; k++) {
                bool left = a < middle && (b >= high || l->heights[from[a]] >= l->heights[from[b]]);
                to[k] = left ? from[a++] : from[b++];
            }
        }
        uint32_t *other = from;
        from = to;
        to = other;
    }
    if (from != l->order) memcpy(l->order, from, count * sizeof *from);
}

static bool is_free(const struct list *l, uint32_t unit, uint32_t at, uint32_t cycles)
{
    for (uint32_t c = at; c < at + cycles; c++)
        if (c >= HORIZON || l->taken[unit][c]) return false;
    return true;
}

static void intervals_issue_take(struct list *l, uint32_t unit, uint32_t at, uint32_t cycles)
{
    for (; cycles && at < HORIZON; at++)
        if (!l->taken[unit][at]) l->taken[unit][at] = 1, cycles--;
    if (cycles) l->overflows = true;
}

/* The first cycle from `ready` on in which it can issue. */
static double issue(struct list *l, const struct sass_lower *lower, double ready)
{
    double work[UNITS] = {0};
    uint32_t cycles[UNITS], at = (uint32_t)ceil(ready);
    bool one = sass_slots(lower) <= 1;
    sass_add_pipes(l->m, lower, work);
    work[SASS_PORT] = 0; /* others fill the cycles between */
    work[ISSUE] = sass_slots(lower);
    for (uint32_t u = 0; u < UNITS; u++) {
        l->carry[u] += work[u];
        cycles[u] = l->carry[u] > 0 ? (uint32_t)l->carry[u] : 0;
        l->carry[u] -= cycles[u];
    }
    for (bool fits = false; !fits && at < HORIZON; at += !fits) {
        fits = !cycles[ISSUE] || !l->taken[ISSUE][at];
        for (uint32_t u = 0; fits && one && u < SASS_PIPES; u++)
            fits = !cycles[u] || is_free(l, u, at, cycles[u]);
    }
    for (uint32_t u = 0; u < UNITS; u++)
        intervals_issue_take(l, u, at, cycles[u]);
    return at;
}

static void issue_schedule(struct list *l, uint32_t number)
{
    const struct event_instr *i = &l->m->kernel->instrs[number];
    const struct sass_lower *lower = &l->m->lower[number];
    double start = l->begin, plain = l->plain_begin, latency = intervals_issue_latency_of(l, number);
    for (uint32_t u = 0; u < i->use_count; u++) {
        uint32_t reg = i->regs[i->def_count + u];
        double soon = lower->kind == SASS_SELECT && u + 1 == i->use_count ? SASS_SELECT_CYCLES : 0;
        if (l->values[reg] - soon > start) start = l->values[reg] - soon;
        if (l->plain[reg] - soon > plain) plain = l->plain[reg] - soon;
    }
    if (sass_slots(lower) > 0) {
        start = issue(l, lower, start);
        if (start + 1 > l->end) l->end = start + 1;
        if (plain + 1 > l->plain_end) l->plain_end = plain + 1;
    }
    for (uint32_t d = 0; d < i->def_count; d++)
        l->values[i->regs[d]] = start + latency, l->plain[i->regs[d]] = plain + latency;
    if (lower->kind != SASS_SLOW) return;
    l->begin = start + latency;
    l->plain_begin = plain + latency;
}

/* What is executed between two instructions that nothing moves over. */
static void issue_schedule_part(struct list *l, uint32_t first, uint32_t end)
{
    set_heights(l, first, end);
    sort_by_height(l, first, end);
    for (uint32_t k = 0; k < end - first; k++)
        issue_schedule(l, l->order[k]);
}

static double block_delay(struct list *l, uint32_t b)
{
    const struct event_block *block = &l->m->kernel->blocks[b];
    uint32_t last = block->first + block->count;
    double work[UNITS] = {0}, least;
    memset(l->taken, 0, sizeof l->taken);
    memset(l->carry, 0, sizeof l->carry);
    l->begin = l->plain_begin = l->end = l->plain_end = 0;
    l->overflows = false;
    for (uint32_t first = block->first, end; first < last; first = end) {
        for (end = first + 1; end < last && l->m->lower[end - 1].kind != SASS_SLOW;)
            end++;
        issue_schedule_part(l, first, end);
    }
    for (uint32_t n = block->first; n < last; n++) {
        sass_add_pipes(l->m, &l->m->lower[n], work);
        work[ISSUE] += sass_slots(&l->m->lower[n]);
    }
    work[SASS_PORT] = 0;
    least = l->plain_end;
    for (uint32_t u = 0; u < UNITS; u++)
        if (work[u] > least) least = work[u];
    forget_values(l, block->first, last);
    return !l->overflows && l->end > least ? l->end - least : 0;
}

void sass_schedule_delays(const struct sass *m, double *delays)
{
    const struct event_kernel *k = m->kernel;
    struct list *l = sw_xcalloc(1, sizeof *l);
    l->m = m;
    l->heights = sw_xcalloc(k->instr_count + 1, sizeof *l->heights);
    l->order = sw_xcalloc(2 * (size_t)k->instr_count + 1, sizeof *l->order);
    l->needs = sw_xcalloc(k->reg_count + 1, sizeof *l->needs);
    l->values = sw_xcalloc(k->reg_count + 1, sizeof *l->values);
    l->plain = sw_xcalloc(k->reg_count + 1, sizeof *l->plain);
    for (uint32_t b = 0; b < k->block_count; b++)
        delays[b] = k->blocks[b].count ? block_delay(l, b) : 0;
    free(l->heights);
    free(l->order);
    free(l->needs);
    free(l->values);
    free(l->plain);
    free(l);
}
