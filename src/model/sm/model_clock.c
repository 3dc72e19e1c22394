/* SPDX-License-Identifier: Apache-2.0 */
/* The time that a launch's replay takes: what units are busy with, and when.
 *
 * Models: each unit of a multiprocessor (issue, arithmetic, load and store, the way to L2), each slice of L2
 * and DRAM (model_slices.c) is a server with a reservation table (model_reservation.c). A block begins when
 * the device has dispatched those before it, or some time after the end of the one whose CTA slot it takes.
 * Warps that come to barriers are taken one after the other, of all blocks of a multiprocessor together. A
 * scheduler's warps come at the same time now and then though it has cycles left: a closed queue, by how busy
 * schedulers were lately. What warps wait for is summed up on the way, by the request before or behind which
 * they do. A request is in L1 as long as the slowest of its parts: tags, which take a line at a time,
 * sectors, and banks, which give each word once.
 *
 * Does not model: that a warp belongs to one scheduler; that queues are full and hold those who ask, but for
 * stores to channels of DRAM that addresses name (model_channels.c).
 *
 * Sources: rates: section [kernels] of gpus/NAME.ini, by timing_intervals.c. */
#include "model_clock_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEVEL = 63, MOST_VISITS = 31 }; /* implementation: of struct model_warp */

/* Only what the last launch used: a device's reservation tables are megabytes. */
static void clock_empty(struct model_clock *c)
{
    model_reservations_empty(&c->used);
    for (uint32_t i = 0; i < c->sm_capacity; i++) {
        struct model_clock_sm *s = &c->sms[i];
        s->begin = s->end = s->seen = 0;
        s->issued = 0;
        s->warps = 0;
    }
}

/* Pieces of the units that most requests ask lie in one line of the host's cache. */
static void make_sms(struct model_clock *c, uint32_t count)
{
    enum { TOGETHER = MODEL_FILL + 1, OTHERS = MODEL_UNITS - TOGETHER };
    enum { LINE_PIECES = MODEL_HOST_LINE / sizeof(struct model_piece) };
    free(c->sms);
    model_reservations_release(&c->of_sms);
    c->sm_capacity = count;
    c->sms = sw_xcalloc(count, sizeof *c->sms);
    model_reservations_init(&c->of_sms, (uint32_t)sw_align_up(count * MODEL_UNITS, LINE_PIECES));
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t unit = 0; unit < MODEL_UNITS; unit++)
            model_reservation_init(&c->sms[i].units[unit], &c->of_sms,
                                   unit < TOGETHER ? i * TOGETHER + unit
                                                   : count * TOGETHER + i * OTHERS + unit - TOGETHER);
}

void model_clock_begin(struct model_clock *c, uint32_t sm_count, uint32_t instr_count)
{
    clock_empty(c);
    if (c->sm_capacity != sm_count) make_sms(c, sm_count);
    c->costs = (struct model_costs){0};
    c->end = c->port = 0;
    c->waits = (struct event_waits){0};
    free(c->intervals);
    c->intervals = sw_xcalloc(instr_count + 1ull, sizeof *c->intervals);
    c->interval_count = instr_count;
    model_clock_at(c, MODEL_NO_INSTR, EVENT_INTERVAL_BEFORE);
    c->shared = false;
}

void model_clock_release(struct model_clock *c)
{
    free(c->sms);
    free(c->intervals);
    model_reservations_release(&c->of_sms);
}

size_t model_clock_bytes(const struct model_clock *c)
{
    return c->sm_capacity * sizeof *c->sms + model_reservations_bytes(&c->of_sms);
}

/* How busy a multiprocessor's schedulers were lately; what issues now counts from now on. */
static double issue_load(struct model_clock_sm *s, uint64_t issue, model_time at)
{
    const double span = 1024 * MODEL_TICK; /* assumed: cycles that count as lately */
    double since = at > s->seen ? (double)(at - s->seen) : 0, load = s->issued / (1 + since / span);
    if (at > s->seen) s->seen = at;
    s->issued = load + (double)issue * MODEL_TICK / 1000;
    return load / span;
}

/* How many times as long a warp takes for its instructions because its scheduler takes those of its other
 * warps first. With `load` of the scheduler's cycles taken, `own` of them by this warp, an instruction waits
 * for (load - own) / (1 - load + own) others; own follows, since the warp is slower for it. */
static double contention(double slots, double path, double load, double warps)
{
    const double least = 0.01, apart = 0.02; /* assumed: they keep what is divided by from 0 */
    double idle = 1 - load > least ? 1 - load : least, more = path / slots - 1;
    if (more < apart) more = apart;
    double own = (sqrt(idle * idle + 4 * idle / more) - idle) / 2;
    double others = load - own, most = (load < 1 ? load : 1) * (warps - 1) / warps;
    if (others > most) others = most;
    if (others <= 0) return 1;
    return 1 + slots / path * others / (1 - others);
}

static double slowed(struct model_clock *c, uint32_t sm, uint64_t issue, uint64_t path, model_time at)
{
    struct model_clock_sm *s = &c->sms[sm];
    double load = issue_load(s, issue, at), schedulers = c->costs.rates.schedulers;
    if (!issue || !path || schedulers < 1 || s->warps <= schedulers) return 1;
    double warps = s->warps / schedulers;
    return contention((double)issue * schedulers / 1000, (double)path / MODEL_TICK, load, warps);
}

struct claims { /* of units, as struct model_interval has them */
    uint64_t issue, math, shared, banks;
};

static struct claims claims_of(const struct model_interval *interval)
{
    return (struct claims){interval->issue, interval->math, interval->shared, interval->banks};
}

/* What units do for a warp from `at` on; it waits for the one that is done last if it is ready for more at
 * `ready`. While registers are read, none of the scheduler's warps is selected. Returns when it goes on. */
static model_time work(struct model_clock *c, uint32_t sm, struct claims of, model_time at, model_time ready)
{
    enum { SMALL = 16 }; /* assumed: part of what the pipes take, below which banks are not the reason */
    model_time end = model_clock_claim(c, sm, MODEL_ISSUE, at, of.issue), other;
    enum event_stall why = EVENT_STALL_NOT_SELECTED;
    if (of.math && (other = model_clock_claim(c, sm, MODEL_MATH, at, of.math)) > end)
        end = other,
        why = of.banks * SMALL > of.math ? EVENT_STALL_NOT_SELECTED : EVENT_STALL_MATH_PIPE_THROTTLE;
    c->shared |= of.shared > 0;
    if (of.shared && (other = model_clock_claim(c, sm, MODEL_LSU, at, of.shared)) > end)
        end = other, why = EVENT_STALL_MIO_THROTTLE;
    return model_clock_waits(c, why, ready, end);
}

static model_time model_clock_pass(struct model_clock *c, uint32_t sm, const struct model_interval *interval,
                                   model_time at, const struct model_warp *w)
{
    const enum event_stall data = EVENT_STALL_LONG_SCOREBOARD;
    double slow = slowed(c, sm, interval->issue, interval->path, at);
    model_time ready = model_clock_waits(c, EVENT_STALL_NOT_SELECTED, at + interval->path,
                                         at + (model_time)(interval->path * slow));
    if (interval->chain != MODEL_NO_CHAIN)
        ready = model_clock_waits(c, data, ready, w->data + (model_time)(interval->chain * slow));
    if (interval->fresh != MODEL_NO_CHAIN)
        ready = model_clock_waits(c, data, ready, w->fresh + (model_time)(interval->fresh * slow));
    return work(c, sm, claims_of(interval), at, ready);
}

static void clock_settle(struct model_warp *w)
{
    if (w->fresh > w->data) w->data = w->fresh;
    w->fresh = 0;
}

/* What it wrote last may still be on its way: it keeps its CTA slot until then. */
void model_clock_ends(struct model_clock *c, uint32_t sm, const struct model_warp *w, model_time begin)
{
    struct model_clock_sm *s = &c->sms[sm];
    enum event_stall queue = c->shared ? EVENT_STALL_MIO_THROTTLE : EVENT_STALL_LG_THROTTLE;
    model_time end = w->ready;
    if (s->warps) s->warps--;
    model_clock_at(c, w->last_instr, EVENT_INTERVAL_AFTER);
    if (c->slices->stored) end = model_clock_waits(c, queue, end, c->port);
    if (c->slices->stored) end = model_clock_waits(c, EVENT_STALL_DRAIN, end, c->slices->stored);
    c->waits.warps++;
    c->waits.resident += end - begin;
    if (!s->end || begin < s->begin) s->begin = begin;
    if (end > s->end) s->end = end;
}

/* Of one interval, from ticks to cycles; adds the ticks. */
static void end_wait(struct event_stalls *at, struct event_waits *waits)
{
    for (uint32_t i = 0; i < EVENT_STALL_COUNT; i++) {
        waits->cycles[i] += at->cycles[i];
        at->cycles[i] /= MODEL_TICK;
    }
}

struct event_waits model_clock_waited(struct model_clock *c)
{
    struct event_waits waits = c->waits;
    for (uint32_t i = 0; i < c->sm_capacity; i++)
        waits.active += (c->sms[i].end - c->sms[i].begin) / MODEL_TICK;
    waits.resident /= MODEL_TICK;
    for (uint32_t i = 0; i <= c->interval_count; i++)
        for (uint32_t interval = 0; interval < EVENT_INTERVALS; interval++)
            end_wait(&c->intervals[i][interval], &waits);
    for (uint32_t i = 0; i < EVENT_STALL_COUNT; i++)
        waits.cycles[i] /= MODEL_TICK;
    return waits;
}

/* A warp leaves the block of its last request. */
void model_clock_leave(struct model_clock *c, uint32_t sm, struct model_warp *w)
{
    if (w->last_instr == MODEL_NO_INSTR) return;
    model_clock_at(c, w->last_instr, EVENT_INTERVAL_AFTER);
    w->ready = model_clock_pass(c, sm, &c->costs.steps[w->last_instr].after, w->ready, w);
    clock_settle(w);
    w->level = 0;
    w->early = 0;
    w->iteration = 0;
}

void model_clock_work(struct model_clock *c, uint32_t sm, struct model_warp *w, uint32_t units)
{
    const struct model_work *each = &c->costs.work;
    bool waits = w->last_instr != MODEL_NO_INSTR && c->costs.steps[w->last_instr].waits;
    model_clock_leave(c, sm, w);
    w->last_instr = MODEL_NO_INSTR;
    model_clock_at(c, MODEL_NO_INSTR, EVENT_INTERVAL_BEFORE);
    if (waits) w->ready = model_clock_waits(c, EVENT_STALL_LONG_SCOREBOARD, w->ready, w->data);
    uint64_t path = units * each->path >> MODEL_WORK_SHIFT;
    struct claims of = {units * each->issue >> MODEL_WORK_SHIFT, units * each->math >> MODEL_WORK_SHIFT,
                        units * each->shared >> MODEL_WORK_SHIFT, units * each->banks >> MODEL_WORK_SHIFT};
    double slow = slowed(c, sm, of.issue, path, w->ready);
    model_time ready = model_clock_waits(c, EVENT_STALL_NOT_SELECTED, w->ready + path,
                                         w->ready + (model_time)((double)path * slow));
    w->ready = work(c, sm, of, w->ready, ready);
}

/* A warp goes on with a loop that ptxas unrolled, in which this iteration's loads are not waited for. */
static bool goes_on(struct model_clock *c, uint32_t sm, struct model_warp *w, const struct model_step *step)
{
    if (w->last_instr == MODEL_NO_INSTR || step->iterations < 2) return false;
    const struct model_step *last = &c->costs.steps[w->last_instr];
    if (last->block != step->block || ++w->iteration >= step->iterations) return false;
    const struct model_interval *interval = &last->after;
    model_clock_at(c, w->last_instr, EVENT_INTERVAL_AFTER);
    double slow = slowed(c, sm, interval->issue, interval->path, w->ready);
    w->ready = work(c, sm, claims_of(interval), w->ready, w->ready + (model_time)(interval->path * slow));
    return true;
}

void model_clock_next(struct model_clock *c, uint32_t sm, struct model_warp *w, const struct event_request *r)
{
    const struct model_step *step = &c->costs.steps[r->instr];
    bool same = w->last_instr != MODEL_NO_INSTR && r->instr > w->last_instr &&
                c->costs.steps[w->last_instr].block == step->block;
    bool leaves = !same && !goes_on(c, sm, w, step);
    if (leaves) model_clock_leave(c, sm, w);
    uint32_t level = step->level < MOST_LEVEL ? step->level : MOST_LEVEL;
    bool deeper = level > w->level;
    if (deeper) clock_settle(w), w->level = level & MOST_LEVEL;
    uint32_t visit = w->visit + (uint32_t)leaves + deeper;
    w->visit = (visit < MOST_VISITS ? visit : MOST_VISITS) & MOST_VISITS;
    model_time before = w->ready - (deeper ? 0 : (model_time)w->early * MODEL_TICK);
    model_clock_at(c, r->instr, EVENT_INTERVAL_BEFORE);
    w->ready = model_clock_pass(c, sm, &step->before, w->ready, w);
    model_time early = w->level ? (w->ready - before) / MODEL_TICK : 0;
    w->early = early < UINT16_MAX ? (uint16_t)early : UINT16_MAX;
    w->last_instr = r->instr;
}

model_time model_clock_goes(const struct model_clock *c, const struct model_warp *w,
                            const struct event_request *r)
{
    bool early = c->costs.steps[r->instr].level < w->level && r->kind != EVENT_KIND_BARRIER;
    return w->ready - (early ? (model_time)w->early * MODEL_TICK : 0);
}

void model_clock_arrives(struct model_clock *c, struct model_warp *w, const struct event_request *r,
                         model_time data)
{
    model_time *to = c->costs.steps[r->instr].level < w->level ? &w->data : &w->fresh;
    if (data > *to) *to = data;
    if (data > c->end) c->end = data;
}

/* A multiprocessor takes warps that come to barriers one after the other. */
model_time model_clock_barrier(struct model_clock *c, uint32_t sm, model_time met, model_time at)
{
    uint32_t work = c->costs.rates.arrive;
    model_time end = model_clock_claim(c, sm, MODEL_BARRIERS, at, work);
    model_time own = (met > at ? met : at) + (model_time)work * MODEL_TICK / 1000;
    return end > own ? end : own;
}

/* Cycles of a multiprocessor's L1, in thousandths: tags are looked up two lines at a time or so; data comes
 * 128 bytes at a time, of lines of which lanes want the same sectors one after the other, since these lie in
 * the same banks. */
static uint64_t l1_work(const struct model_rates *rates, const struct event_request *r, const uint64_t *lines)
{
    enum { CYCLE = 1000 }; /* definition: thousandths */
    uint32_t sectors = 0, alike = 0, first = lines[0] & MODEL_ALL_SECTORS;
    for (uint32_t i = 0; i < r->lines; i++) {
        sectors += model_sectors(lines[i] & MODEL_ALL_SECTORS);
        alike += (lines[i] & MODEL_ALL_SECTORS) == first;
    }
    bool loads = r->kind == EVENT_KIND_LOAD || r->kind == EVENT_KIND_LOAD_L2;
    uint64_t tags = (uint64_t)r->lines * rates->line, data = loads ? (uint64_t)sectors * rates->sector : 0;
    if (loads && alike == r->lines && data < (uint64_t)r->lines * CYCLE) data = (uint64_t)r->lines * CYCLE;
    uint64_t most = tags > data ? tags : data, least = rates->access > CYCLE ? rates->access : CYCLE;
    return most > least ? most : least;
}

model_time model_clock_port(struct model_clock *c, struct model_l1 *l1, const struct event_request *r,
                            const uint64_t *lines, model_time at)
{
    const struct model_rates *rates = &c->costs.rates;
    at = model_l1_held(l1, at);
    model_time done = model_clock_claim(c, l1->number, MODEL_LSU, at, l1_work(rates, r, lines));
    model_time takes = (model_time)r->lines * rates->line * MODEL_TICK / 1000;
    l1->line_wait = (model_time)r->lines * rates->found * MODEL_TICK / 1000;
    model_slices_request(c->slices, r->instr, &c->costs.steps[r->instr]);
    return c->port = done > at + takes ? done - takes : at;
}

model_time model_clock_begins(const struct model_clock *c, uint64_t order, uint64_t of_sm,
                              uint32_t warps_per_block)
{
    const struct model_rates *r = &c->costs.rates;
    uint64_t device = (order + 1) * r->block, own = (of_sm + 1) * warps_per_block * r->warp;
    return (device > own ? device : own) * MODEL_TICK / 1000;
}
