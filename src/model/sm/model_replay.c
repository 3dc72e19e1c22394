/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which multiprocessors and L2 see a launch's requests.
 *
 * Models: every resident warp issues its requests one after the other, when it has done what lies between
 * them and the data that it needs is there (model_clock.c). Among a multiprocessor's warps the one that has
 * been ready longest goes first. Multiprocessors advance together in steps of MODEL_STEP cycles, in the order
 * of their numbers; in a step the requests of each go through its L1 and, when they miss, to L2. Barriers
 * hold a block's warps together, phases of mbarriers those that wait for them (model_phase.c), and a block
 * begins in the CTA slot of one that ended. Work between requests that takes long is done in pieces, at most
 * WORK_PIECES of them, so that warps share units. Without costs (struct model_costs), only the order is kept:
 * an instruction takes a few cycles, loads that follow each other do not wait for one another, but a store,
 * an atomic, a barrier and the way back of a loop wait for the loads before them.
 *
 * Does not model: that warps share units in finer pieces. Order matters where data is nearly thrown out or
 * asked for at the same time by several; counts of everything else do not depend on it.
 *
 * Sources: latencies of an H200 from tests/hw/memory (probe.txt); 64 bytes a cycle from L2 to a
 * multiprocessor: NVIDIA's A100 and H100 white papers. */
#include "model_memory_priv.h"

#include "base/base_reserve.h"

#include <stdlib.h>
#include <string.h>

enum {
    MODEL_STEP = 64 * MODEL_TICK,     /* assumed: finer than any latency of L2 */
    NUMBER_BITS = 12,                 /* implementation: of a stream among those of its multiprocessor */
    LAUNCH_INTERVAL = 2 * MODEL_TICK, /* assumed; this and the next two only where no time is kept */
    RESTART = 400 * MODEL_TICK,       /* assumed */
    BARRIER_CYCLES = 4,               /* assumed */
    WORK_PIECE = 256 * MODEL_TICK, /* assumed: units of EVENT_KIND_WORK, about a sixteenth of a cycle each */
    WORK_PIECES = 64               /* assumed */
};
#define NEVER UINT64_MAX

/* A warp's stream in this round, with the warp's state: what playing a request reads lies in one line of the
 * host's cache. */
struct cursor {
    _Alignas(MODEL_HOST_LINE) const struct event_request *requests; /* the next one */
    const uint64_t *lines;                                          /* of it */
    struct model_warp warp;
    uint32_t left;                   /* requests */
    uint16_t slot : 15;              /* of the multiprocessor */
    bool awaits : 1;                 /* a phase of an mbarrier */
    uint16_t position : NUMBER_BITS; /* in the order */
    uint16_t scheduler : 2;          /* that issues it */
    bool ends : 1;                   /* with its last request */
    bool timed : 1;
};
_Static_assert(sizeof(struct cursor) == MODEL_HOST_LINE, "a warp's state must not spread");
/* The streams of one multiprocessor, and in which order their next requests can issue: a tournament, in which
 * a warp that goes on is compared only with those on its way up. A key is a time and below it the stream's
 * number, so that the first of several goes first. */
struct run {
    struct model_sm *sm;
    struct model_clock *clock;
    struct cursor *cursors;
    struct model_slot *slots; /* of the multiprocessor */
    struct model_warp *warps; /* of these */
    uint32_t warps_per_block;
    size_t first_slot; /* the number of slots[0] in the device */
    struct model_cta_slots *cta_slots;
    struct model_phases *phases;
    struct model_seen *seen; /* of the multiprocessor */
    const struct model_sampling *sampling;
    uint32_t count, leaves; /* streams; as many as a power of two */
    uint64_t *keys;         /* [2 * leaves], the root at 1 */
    uint32_t *rest;         /* by stream: of the work that it is at; 0: it has not begun it */
};

/* ---- which warp is next */

/* When a warp's next request can issue, as far as is known before it does; with its number. */
static uint64_t replay_key_of(const struct cursor *c)
{
    const struct model_warp *w = &c->warp;
    if (!c->left || w->waiting || c->awaits) return NEVER;
    const struct event_request *r = c->requests;
    if (r->kind == EVENT_KIND_WORK) return w->ready << NUMBER_BITS | c->position;
    bool waits = (r->kind != EVENT_KIND_LOAD && r->kind != EVENT_KIND_LOAD_L2) || r->instr <= w->last_instr;
    model_time time = !c->timed && waits && w->data > w->ready ? w->data : w->ready;
    return time << NUMBER_BITS | c->position;
}

static void replay_key_update(struct run *run, const struct cursor *c)
{
    uint64_t *keys = run->keys, key = replay_key_of(c);
    uint32_t i = run->leaves + c->position;
    for (keys[i] = key; i > 1; i /= 2) {
        uint64_t other = keys[i ^ 1];
        key = key < other ? key : other;
        keys[i / 2] = key;
    }
}

static void replay_keys_build(struct run *run)
{
    for (uint32_t i = 0; i < run->leaves; i++)
        run->keys[run->leaves + i] = i < run->count ? replay_key_of(&run->cursors[i]) : NEVER;
    for (uint32_t i = run->leaves - 1; i > 0; i--) {
        uint64_t left = run->keys[2 * i], right = run->keys[2 * i + 1];
        run->keys[i] = left < right ? left : right;
    }
}

/* Short work is done at once, but for the last, with which the warp may end. */
static bool is_short(const struct cursor *c)
{
    return c->left > 1 && c->requests->kind == EVENT_KIND_WORK && c->requests->instr <= WORK_PIECE;
}

/* Where time is kept, when the warp's next request can issue. */
static void go_on(const struct run *run, struct cursor *c)
{
    uint32_t sm = run->sm->number;
    if (!c->timed || !c->left || c->warp.waiting || c->awaits) return;
    for (; is_short(c); c->requests++, c->left--)
        model_clock_work(run->clock, sm, &c->warp, c->requests->instr);
    bool more = c->requests->more && c->requests->instr == c->warp.last_instr;
    if (c->requests->kind != EVENT_KIND_WORK && !more)
        model_clock_next(run->clock, sm, &c->warp, c->requests);
}

/* ---- barriers and ends */

static void replay_wake(struct model_clock *clock, struct model_warp *w, model_time ready)
{
    model_clock_at(clock, w->last_instr, EVENT_INTERVAL_BEFORE);
    model_clock_waits(clock, EVENT_STALL_BARRIER, w->ready, ready);
    if (model_is_timed(clock) && w->last_instr != MODEL_NO_INSTR && clock->costs.steps[w->last_instr].fences)
        w->early = 0;
    w->waiting = false;
    w->ready = ready;
}

/* Warps that did nothing in this round are not among the cursors; their states lie with the others'. */
static void leave_barrier(struct run *run, struct model_slot *slot)
{
    struct model_clock *clock = run->clock;
    struct model_warp *warps = run->warps + (slot - run->slots) * run->warps_per_block;
    model_time ready =
        slot->barrier + MODEL_TICK * (model_is_timed(clock) ? clock->costs.rates.barrier : BARRIER_CYCLES);
    for (uint32_t w = 0; w < run->warps_per_block; w++)
        if (warps[w].waiting) replay_wake(clock, &warps[w], ready);
    for (uint32_t i = slot->first; i < slot->first + slot->streams; i++) {
        struct model_warp *w = &run->cursors[i].warp;
        if (w->waiting) {
            replay_wake(clock, w, ready);
            go_on(run, &run->cursors[i]);
        }
        replay_key_update(run, &run->cursors[i]);
    }
    slot->waiting = 0;
    slot->barrier = 0;
}

static void arrive(struct run *run, struct cursor *c)
{
    struct model_slot *slot = &run->slots[c->slot];
    c->warp.waiting = true;
    slot->waiting++;
    if (c->timed)
        slot->barrier = model_clock_barrier(run->clock, run->sm->number, slot->barrier, c->warp.ready);
    else if (c->warp.ready > slot->barrier)
        slot->barrier = c->warp.ready;
    if (slot->waiting + slot->ended >= run->warps_per_block) leave_barrier(run, slot);
}

static void replay_finish(struct run *run, struct cursor *c);

/* ---- phases of mbarriers */

static void pass_request(struct cursor *c)
{
    c->lines += c->requests->lines;
    c->requests++;
    c->left--;
}

static struct model_phase_of phase_of(const struct run *run, const struct model_slot *slot)
{
    return (struct model_phase_of){run->first_slot + (size_t)(slot - run->slots), slot->block};
}

/* The warp goes on if the phase is over, where no time is kept in any case. */
static void replay_await(struct run *run, struct cursor *c)
{
    model_time when = 0;
    c->awaits =
        c->timed && !model_phase_is_over(run->phases, phase_of(run, &run->slots[c->slot]), c->lines, &when);
    if (c->awaits) return;
    model_clock_at(run->clock, c->requests->instr, EVENT_INTERVAL_BEFORE);
    c->warp.ready = model_clock_waits(run->clock, EVENT_STALL_LONG_SCOREBOARD, c->warp.ready, when);
    pass_request(c);
    go_on(run, c);
    if (!c->left) replay_finish(run, c);
}

/* A warp arrives, or what it asked for will; those that waited for that go on. */
static void come(struct run *run, struct cursor *c)
{
    const struct model_warp *w = &c->warp;
    const struct model_slot *slot = &run->slots[c->slot];
    model_time at = w->ready, data = w->data > w->fresh ? w->data : w->fresh;
    if (c->requests->kind == EVENT_KIND_BRING && data > at) at = data;
    bool counts = c->timed && model_phase_comes(run->phases, phase_of(run, slot), c->lines[0], at);
    pass_request(c);
    go_on(run, c);
    if (!c->left) replay_finish(run, c);
    for (uint32_t i = slot->first; i < slot->first + slot->streams && counts; i++) {
        struct cursor *other = &run->cursors[i];
        if (!other->awaits) continue;
        replay_await(run, other);
        if (!other->awaits) replay_key_update(run, other);
    }
}

static bool is_phase(const struct event_request *r)
{
    return r->kind >= EVENT_KIND_ARRIVE && r->kind <= EVENT_KIND_AWAIT;
}

static void play_phase(struct run *run, struct cursor *c)
{
    if (c->requests->kind == EVENT_KIND_AWAIT)
        replay_await(run, c);
    else
        come(run, c);
}

static void replay_finish(struct run *run, struct cursor *c)
{
    struct model_slot *slot = &run->slots[c->slot];
    if (!c->ends || c->warp.ended) return;
    c->warp.ended = true;
    slot->ended++;
    struct model_clock *clock = run->clock;
    if (c->timed) model_clock_leave(clock, run->sm->number, &c->warp);
    if (c->timed) model_clock_ends(clock, run->sm->number, &c->warp, slot->begin);
    if (clock->end < c->warp.ready) clock->end = c->warp.ready;
    if (c->warp.ready > slot->end) slot->end = c->warp.ready;
    if (c->timed && slot->ended == run->warps_per_block) model_cta_slots_end(run->cta_slots, slot);
    if (c->warp.ready > run->seen->end) run->seen->end = c->warp.ready;
    if (slot->waiting && slot->waiting + slot->ended >= run->warps_per_block) leave_barrier(run, slot);
}

/* The order alone, where no time is kept. */
static void keep_order(struct model_sm *sm, struct model_warp *w, const struct event_request *r)
{
    bool waits = r->kind != EVENT_KIND_LOAD && r->kind != EVENT_KIND_LOAD_L2;
    if (waits || r->instr <= w->last_instr) w->ready = w->ready > w->data ? w->ready : w->data;
    w->last_instr = r->instr;
    if (sm->port < w->ready) sm->port = w->ready;
}

/* A piece of the warp's work, when it has done those before. */
static void play_work(struct run *run, struct cursor *c)
{
    uint32_t all = c->requests->instr, *rest = &run->rest[c->position];
    uint32_t piece = all / WORK_PIECES > WORK_PIECE ? all / WORK_PIECES + 1 : WORK_PIECE;
    if (!*rest) *rest = all;
    if (piece > *rest) piece = *rest;
    if (c->timed) model_clock_work(run->clock, run->sm->number, &c->warp, piece);
    if (*rest -= piece) return;
    c->requests++;
    c->left--;
    go_on(run, c);
    if (!c->left) replay_finish(run, c);
}

static uint64_t l2_sectors(const struct event_memory_sums *sums)
{
    return sums->l2_reads + sums->l2_writes + sums->l2_atomics;
}

/* The request, and what it asked for, by which model_confidence.c tells multiprocessors apart. */
static model_time play_seen(struct run *run, struct cursor *c, const struct event_request *r,
                            const uint64_t *lines)
{
    const struct event_memory_sums *after = model_instrs_sums(run->sm->instrs, r);
    struct model_seen *seen = run->seen;
    uint64_t asked = after->l1_sectors, hits = after->l1_hits, l2 = l2_sectors(after);
    if (!run->sampling->shift) return model_request_play(run->sm, r, lines, &c->warp, c->scheduler);
    run->clock->slices->l2->brought =
        model_sampling_brought(run->sampling, run->slots[c->slot].block, c->warp.visit);
    model_time data = model_request_play(run->sm, r, lines, &c->warp, c->scheduler);
    bool load = r->kind == EVENT_KIND_LOAD || r->kind == EVENT_KIND_LOAD_L2;
    seen->asked += after->l1_sectors - asked;
    seen->loads += load ? after->l1_sectors - asked : 0;
    seen->hits += load ? after->l1_hits - hits : 0;
    seen->l2 += l2_sectors(after) - l2;
    return data;
}

/* A warp that lacks what it wants at an address that it knows when it issues does so again when that is
 * there, and nothing before. */
static void stall(const struct run *run, struct model_warp *w, const struct event_request *r, model_time data)
{
    model_time least = run->sm->l1.gpu->constant_near_cycles * MODEL_TICK;
    if (r->space != ISA_SPACE_CONST || !run->clock->costs.steps[r->instr].uniform) return;
    model_clock_at(run->clock, r->instr, EVENT_INTERVAL_BEFORE);
    w->ready = model_clock_waits(run->clock, EVENT_STALL_LONG_SCOREBOARD, w->ready, data - least);
}

/* One request of a warp, at the time when it can issue. */
static void play_request(struct run *run, struct cursor *c)
{
    const struct event_request *r = c->requests++;
    const uint64_t *lines = c->lines;
    struct model_sm *sm = run->sm;
    struct model_warp *w = &c->warp;
    uint32_t passed = r->instr > w->last_instr ? r->instr - w->last_instr : 1;
    c->lines += r->lines;
    c->left--;
    __builtin_prefetch((const uint8_t *)c->requests + MODEL_HOST_LINE); /* streams are long, and many */
    __builtin_prefetch((const uint8_t *)c->lines + MODEL_HOST_LINE);
    sm->used = true;
    if (!c->timed) keep_order(sm, w, r);
    if (r->kind == EVENT_KIND_BARRIER) {
        arrive(run, c);
    } else {
        model_time data = play_seen(run, c, r, lines);
        if (c->timed) {
            model_clock_arrives(run->clock, w, r, data);
            stall(run, w, r, data);
            go_on(run, c);
        } else {
            if (data > w->data) w->data = data;
            w->ready = sm->port + (passed < 8 ? passed : 8) * 2 * MODEL_TICK;
        }
    }
    if (!c->left) replay_finish(run, c);
}

static model_time first_time(const struct run *run)
{
    return run->keys[1] == NEVER ? NEVER : run->keys[1] >> NUMBER_BITS;
}

static struct cursor *cursor_of(const struct run *run, uint64_t key)
{
    return &run->cursors[key & ((1u << NUMBER_BITS) - 1)];
}

/* What comes after the request that is about to be played, so that the host has its sets at hand then. */
static void prepare_next(const struct run *run, const struct cursor *c)
{
    uint64_t least = NEVER;
    for (uint32_t i = run->leaves + c->position; i > 1; i /= 2)
        if (run->keys[i ^ 1] < least) least = run->keys[i ^ 1];
    if (least == NEVER) return;
    const struct cursor *next = cursor_of(run, least);
    if (!next->requests->lines || is_phase(next->requests)) return;
    const struct event_request *r = next->requests;
    bool beyond = r->kind != EVENT_KIND_LOAD ||
                  !model_l1_mostly_finds(&run->sm->instrs->sums[r->instr][EVENT_ACCESS_GLOBAL]);
    uint32_t set = model_l1_set(&run->sm->l1, event_line_number(next->lines[0]));
    model_l1_prefetch(&run->sm->l1, next->lines[0], set, r->kind, beyond);
}

/* Behind a store for which DRAM has no room the multiprocessor's memory requests wait, whoever makes them. */
static bool is_held(const struct run *run, struct cursor *c)
{
    model_time held = run->sm->l1.port.held;
    if (c->warp.ready >= held) return false; /* nearly always */
    if (!c->timed || !c->requests->lines || c->requests->space == ISA_SPACE_CONST) return false;
    model_clock_at(run->clock, c->requests->instr, EVENT_INTERVAL_BEFORE);
    c->warp.ready = model_clock_waits(run->clock, EVENT_STALL_LG_THROTTLE, c->warp.ready, held);
    return true;
}

/* Play one multiprocessor until `until`; the time of its next request, or NEVER. */
static model_time play_sm(struct run *run, model_time until)
{
    while (first_time(run) < until) {
        struct cursor *c = cursor_of(run, run->keys[1]);
        prepare_next(run, c);
        if (c->requests->kind == EVENT_KIND_WORK)
            play_work(run, c);
        else if (is_phase(c->requests))
            play_phase(run, c);
        else if (!is_held(run, c))
            play_request(run, c);
        replay_key_update(run, c);
    }
    return first_time(run);
}

/* ---- rounds */

/* A new block takes a slot when the one before has ended. */
static void enter_slot(const struct run *run, const struct event_stream *s, struct model_slot *slot,
                       struct model_warp *warps)
{
    const struct model_clock *clock = run->clock;
    if (slot->used && slot->block == s->block) return;
    uint64_t order = s->block; /* where it counts, of those that the device holds at first */
    bool timed = model_is_timed(clock);
    model_time begin = slot->used ? slot->end + (timed ? clock->costs.rates.restart * MODEL_TICK : RESTART)
                       : timed    ? model_clock_begins(clock, order, s->slot, run->warps_per_block)
                                  : order * LAUNCH_INTERVAL;
    *slot = (struct model_slot){.block = s->block, .used = true, .begin = begin};
    for (uint32_t i = 0; i < run->warps_per_block; i++)
        warps[i] =
            (struct model_warp){.ready = begin, .data = begin, .last_instr = timed ? MODEL_NO_INSTR : 0};
}

static void open_cursor(const struct event_stream *s, struct run *run)
{
    const struct model_clock *clock = run->clock;
    struct model_slot *slot = &run->slots[s->slot];
    if (run->count >> NUMBER_BITS) BUG("a multiprocessor has too many streams");
    struct model_warp *warps = run->warps + s->slot * run->warps_per_block;
    enter_slot(run, s, slot, warps);
    if (!run->count || run->cursors[run->count - 1].slot != s->slot)
        slot->streams = 0, slot->first = run->count;
    slot->streams++;
    struct cursor *c = &run->cursors[run->count];
    uint32_t schedulers = clock->costs.rates.schedulers ? clock->costs.rates.schedulers : 1;
    *c = (struct cursor){.requests = s->requests,
                         .lines = s->lines,
                         .warp = warps[s->warp],
                         .left = s->request_count,
                         .slot = (uint16_t)s->slot,
                         .position = run->count++ & ((1 << NUMBER_BITS) - 1),
                         .scheduler = (s->slot * run->warps_per_block + s->warp) % schedulers & 3,
                         .ends = s->ended,
                         .timed = model_is_timed(clock)};
    warps[s->warp].waiting = false; /* the cursor's copy counts */
    go_on(run, c);
}

static struct run run_of(struct model_memory *m, uint32_t sm, struct cursor *cursors)
{
    struct model_blocks *b = &m->blocks;
    size_t first_slot = (size_t)sm * b->blocks_per_sm;
    return (struct run){.sm = &m->sms[sm],
                        .clock = &m->clock,
                        .cursors = cursors,
                        .slots = b->slots + first_slot,
                        .warps = b->warps + first_slot * b->warps_per_block,
                        .warps_per_block = b->warps_per_block,
                        .first_slot = first_slot,
                        .cta_slots = &m->cta_slots,
                        .phases = &m->phases,
                        .seen = &m->sampling.seen[sm],
                        .sampling = &m->sampling};
}

static void check_stream(const struct model_blocks *b, const struct event_stream *s)
{
    if (s->sm >= b->sm_count || s->slot >= b->blocks_per_sm || s->warp >= b->warps_per_block)
        BUG("a stream lies outside the residency");
}

/* Streams of the round by multiprocessor; returns of how many. Of a sampled launch, other multiprocessors'
 * only tell what blocks share. */
static uint32_t open_runs(struct model_memory *m, const struct event_round *round, struct run *runs,
                          struct cursor *cursors)
{
    uint32_t count = 0, sm = UINT32_MAX;
    for (uint32_t i = 0; i < round->count; i++) {
        const struct event_stream *s = &round->streams[i];
        if (!model_sampling_is_detailed(&m->sampling, s->sm)) continue;
        check_stream(&m->blocks, s);
        if (s->sm != sm) runs[count++] = run_of(m, sm = s->sm, cursors + i);
        open_cursor(s, &runs[count - 1]);
        m->clock.sms[sm].warps = runs[count - 1].count;
    }
    return count;
}

/* What cursors keep of warps, until the next round. */
static void keep_warps(struct run *run, const struct event_round *round, const struct cursor *all)
{
    for (uint32_t i = 0; i < run->count; i++) {
        const struct event_stream *s = &round->streams[run->cursors + i - all];
        run->warps[s->slot * run->warps_per_block + s->warp] = run->cursors[i].warp;
        if (run->cursors[i].timed)
            model_cta_slots_reach(run->cta_slots, run->first_slot + s->slot, run->cursors[i].warp.ready);
    }
}

/* Warps that ended without a request in this round. */
static void finish_idle(struct run *run)
{
    for (uint32_t i = 0; i < run->count; i++)
        if (!run->cursors[i].left) replay_finish(run, &run->cursors[i]);
}

/* What the host will want for a multiprocessor that comes soon: the cursors that will play, or what they
 * point at. */
static void prepare_run(const struct run *run, model_time until, bool cursors)
{
    if (first_time(run) >= until) return;
    const uint64_t *keys = run->keys + run->leaves;
    for (uint32_t i = 0; i < run->count; i++) {
        if (keys[i] >> NUMBER_BITS >= until) continue;
        __builtin_prefetch(cursors ? (const void *)&run->cursors[i] : run->cursors[i].requests);
        if (!cursors) __builtin_prefetch(run->cursors[i].lines);
    }
}

static void play_all(struct run *runs, uint32_t count)
{
    model_time now = NEVER;
    for (uint32_t i = 0; i < count; i++)
        if (first_time(&runs[i]) < now) now = first_time(&runs[i]);
    while (now < NEVER) {
        model_time until = (now / MODEL_STEP + 1) * MODEL_STEP;
        now = NEVER;
        for (uint32_t i = 0; i < count; i++) {
            model_time next = first_time(&runs[i]);
            if (i + 2 < count) prepare_run(&runs[i + 2], until, true);
            if (i + 1 < count) prepare_run(&runs[i + 1], until, false);
            if (next < until) next = play_sm(&runs[i], until);
            if (next < now) now = next;
        }
    }
}

uint32_t model_memory_round(struct model_memory *m, const struct event_round *round,
                            const struct model_costs *costs)
{
    m->clock.costs = *costs;
    m->l2.timed = model_is_timed(&m->clock);
    model_sampling_round(&m->sampling, round, costs->steps, &m->l2, &m->slices);
    m->slices.stored = m->clock.port = 0;
    struct cursor *cursors = aligned_alloc(MODEL_HOST_LINE, (round->count + 1) * sizeof *cursors);
    if (!cursors) sw_out_of_memory((round->count + 1) * sizeof *cursors);
    struct run *runs = sw_xmalloc((m->blocks.sm_count + 1) * sizeof *runs);
    uint32_t count = open_runs(m, round, runs, cursors);
    uint64_t *keys = sw_xmalloc(4 * (round->count + count + 1) * sizeof *keys), *free_keys = keys;
    uint32_t *rest = sw_xcalloc(round->count + 1ull, sizeof *rest);
    for (uint32_t i = 0; i < count; i++) {
        runs[i].leaves = 1;
        while (runs[i].leaves < runs[i].count)
            runs[i].leaves *= 2;
        runs[i].keys = free_keys;
        runs[i].rest = rest + (runs[i].cursors - cursors);
        free_keys += 2 * runs[i].leaves;
        replay_keys_build(&runs[i]);
        finish_idle(&runs[i]);
    }
    play_all(runs, count);
    for (uint32_t i = 0; i < count; i++)
        keep_warps(&runs[i], round, cursors);
    free(cursors);
    free(runs);
    free(keys);
    free(rest);
    return m->sampling.shift;
}
