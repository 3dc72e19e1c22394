/* SPDX-License-Identifier: Apache-2.0 */
/* How a warp issues the instructions of a basic block, in order.
 *
 * Models: an instruction begins when its operands are there and everything that keeps it in order (stores
 * before loads of the same memory, barriers, branches) has begun; arithmetic moves over barriers, nothing
 * over what has a branch or a loop inside. Does not model: slots and pipes (whoever uses it adds them up),
 * the order in which ptxas places instructions (sass_schedule.c). Sources: the method is the usual one of
 * scoreboards. */
#include "timing_issue_priv.h"

#include <string.h>

static double larger(double a, double b)
{
    return a > b ? a : b;
}

void timing_ready_deepen(const struct timing_issue *s, struct timing_ready *a, uint32_t level)
{
    while (a->level < level) {
        a->level++;
        if (a->fresh >= 0 && a->level < TIMING_LEVELS) a->fresh = larger(a->fresh - s->waited[a->level], 0);
    }
}

void timing_ready_join(const struct timing_issue *s, struct timing_ready *a, const struct timing_ready *other)
{
    struct timing_ready b = *other;
    timing_ready_deepen(s, a, b.level);
    timing_ready_deepen(s, &b, a->level);
    a->time = larger(a->time, b.time);
    a->old = larger(a->old, b.old);
    a->fresh = larger(a->fresh, b.fresh);
}

struct timing_ready timing_ready_later(struct timing_ready a, double cycles)
{
    a.time = larger(a.time + cycles, 0);
    if (a.old >= 0) a.old = larger(a.old + cycles, 0);
    if (a.fresh >= 0) a.fresh = larger(a.fresh + cycles, 0);
    return a;
}

void timing_issue_begin(struct timing_issue *s, const struct timing_model *m, struct timing_ready *values,
                        double now)
{
    *s = (struct timing_issue){.m = m, .values = values};
    s->latest = s->wall = s->fence = timing_ready_at(now);
    for (uint32_t space = 0; space < ISA_SPACE_COUNT; space++)
        s->stores[space] = timing_ready_at(now);
}

/* A value that an instruction has to have, and may be what it waits for. */
static void need(const struct timing_issue *s, struct timing_ready *start, const struct timing_ready *value)
{
    if (value->time > start->time) {
        start->cause = value->cause;
        start->fixed = value->fixed;
    }
    timing_ready_join(s, start, value);
}

static bool ends_order(const struct sass_lower *l)
{
    return l->kind == SASS_BARRIER || l->kind == SASS_BRANCH || l->kind == SASS_FENCE || l->kind == SASS_SLOW;
}

struct timing_ready timing_issue_start(const struct timing_issue *s, uint32_t number)
{
    const struct event_instr *i = &s->m->sass.kernel->instrs[number];
    const struct sass_lower *l = &s->m->sass.lower[number];
    bool exchanges = l->kind == SASS_MEMORY || l->kind == SASS_SHUFFLE;
    struct timing_ready start = ends_order(l) || exchanges ? s->wall : s->fence;
    start.cause = EVENT_STALL_WAIT;
    start.fixed = 0;
    for (uint32_t u = 0; u < i->use_count; u++) {
        struct timing_ready value = s->values[i->regs[i->def_count + u]];
        bool soon = l->kind == SASS_SELECT && u + 1 == i->use_count;
        if (soon) value = timing_ready_later(value, -SASS_SELECT_CYCLES);
        need(s, &start, &value);
    }
    struct timing_async async = timing_async_of(i);
    for (uint32_t g = async.first; async.kind == TIMING_ASYNC_WAIT && g < TIMING_GROUPS; g++)
        need(s, &start, &s->values[s->m->sass.kernel->reg_count + g]);
    if (l->kind == SASS_MEMORY && !event_has(i, ISA_MOD_NC))
        timing_ready_join(s, &start, &s->stores[i->space]);
    if (ends_order(l)) timing_ready_join(s, &start, &s->latest);
    return start;
}

/* What a copy brings goes to the open group; a group that is closed makes room for the next. */
static void keep_group(struct timing_issue *s, enum timing_async_kind kind, const struct timing_ready *done)
{
    struct timing_ready *groups = s->values + s->m->sass.kernel->reg_count;
    if (kind == TIMING_ASYNC_COPY) timing_ready_join(s, &groups[0], done);
    if (kind == TIMING_ASYNC_COPY) groups[0].cause = EVENT_STALL_LONG_SCOREBOARD;
    if (kind != TIMING_ASYNC_COMMIT) return;
    timing_ready_join(s, &groups[TIMING_GROUPS - 1], &groups[TIMING_GROUPS - 2]);
    groups[TIMING_GROUPS - 1].cause = EVENT_STALL_LONG_SCOREBOARD;
    memmove(groups + 1, groups, (TIMING_GROUPS - 2) * sizeof *groups);
    groups[0] = timing_ready_at(0);
}

bool timing_issue_end(struct timing_issue *s, uint32_t number, const struct timing_ready *start,
                      const struct timing_ready *done)
{
    const struct event_instr *i = &s->m->sass.kernel->instrs[number];
    const struct sass_lower *l = &s->m->sass.lower[number];
    enum timing_async_kind async = timing_async_of(i).kind;
    bool slow = l->kind == SASS_SLOW || timing_spin_iterations(s->m, i) > 0; /* a loop, too */
    bool stops =
        l->kind == SASS_BARRIER || l->kind == SASS_FENCE || slow || timing_phase_of(i) == TIMING_PHASE_WAIT;
    if (sass_slots(l) > 0) timing_ready_join(s, &s->latest, start);
    if (l->kind == SASS_MEMORY && i->is_write) s->stores[i->space] = timing_ready_later(*start, 1);
    if (stops) s->wall = s->latest = *done;
    if (slow) s->fence = *done;
    if (async == TIMING_ASYNC_WAIT) timing_ready_join(s, &s->wall, start);
    keep_group(s, async, done);
    for (uint32_t d = 0; d < i->def_count; d++)
        s->values[i->regs[d]] = *done;
    return stops;
}
