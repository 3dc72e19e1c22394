/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which multiprocessors and L2 see a launch's requests.
 *
 * Models: every resident warp issues its requests one after the other; loads that follow each other do not
 * wait for one another, but a store, an atomic, a barrier and the way back of a loop wait for the loads
 * before them. A multiprocessor takes a line of 128 bytes a cycle and one sector from L2 every half cycle,
 * and among its warps the one that has been ready longest goes first. Multiprocessors advance together in
 * steps of MODEL_STEP cycles, in the order of their numbers; in a step the requests of each go through its L1
 * and, when they miss, to L2. Barriers hold a block's warps together.
 *
 * Does not model: arithmetic between requests beyond a few cycles an instruction, shared memory's time, and
 * which register a load is for. Order matters where data is nearly thrown out or asked for at the same time
 * by several; counts of everything else do not depend on it.
 *
 * Sources: latencies of an H200 from tests/hw/memory (probe.txt); 64 bytes a cycle from L2 to a
 * multiprocessor: NVIDIA's A100 and H100 white papers. */
#include "model_cache_priv.h"

#include <string.h>

enum {
    MODEL_STEP = 64 * MODEL_TICK,
    NEVER_SHIFT = 62,
    LAUNCH_GAP = 2 * MODEL_TICK,
    RESTART = 400 * MODEL_TICK
};
#define NEVER (1ull << NEVER_SHIFT)

struct cursor { /* a warp's stream in this turn */
    const struct event_stream *stream;
    struct model_warp *warp;
    struct model_slot *slot;
    uint32_t next;
    uint64_t line;
};
struct run { /* the streams of one multiprocessor */
    uint32_t first, count;
    uint32_t sm;
};

static struct event_memory_sums *sums_of(struct model_memory *m, const struct event_request *r)
{
    return &m->sums[r->instr][r->space == EVENT_SPACE_LOCAL ? EVENT_ACCESS_LOCAL : EVENT_ACCESS_GLOBAL];
}

/* Which sectors a store can have written in part: all, when even 32 lanes write less than half of them; the
 * first and the last, when they write less than all; none otherwise. */
struct extent {
    uint64_t first, last; /* line << EVENT_LINE_SECTORS | sector */
    bool ends, all;
};

static struct extent extent_of(const struct model_memory *m, const struct event_request *r,
                               const uint64_t *lines)
{
    struct extent e = {.first = UINT64_MAX};
    uint32_t sectors = 0;
    for (uint32_t i = 0; i < r->lines; i++) {
        uint32_t mask = lines[i] & MODEL_ALL_SECTORS;
        uint64_t base = lines[i] & ~(uint64_t)MODEL_ALL_SECTORS;
        uint64_t low = base | (uint32_t)__builtin_ctz(mask | 16),
                 high = base | (31 - (uint32_t)__builtin_clz(mask | 1));
        sectors += model_sectors(mask);
        if (low < e.first) e.first = low;
        if (high > e.last) e.last = high;
    }
    e.ends = sectors > m->bytes[r->instr];
    e.all = sectors > m->bytes[r->instr] + 2u;
    return e;
}

static uint32_t partial_of(const struct extent *e, uint64_t line, uint32_t mask)
{
    uint32_t partial = 0;
    if (e->all) return mask;
    if (!e->ends) return 0;
    if (e->first >> EVENT_LINE_SECTORS == line) partial |= 1u << (e->first & 3);
    if (e->last >> EVENT_LINE_SECTORS == line) partial |= 1u << (e->last & 3);
    return partial & mask;
}

/* The lines of one request; returns when its data is there. */
static model_time play_lines(struct model_memory *m, struct model_sm *sm, const struct event_request *r,
                             const uint64_t *lines, struct model_writer writer, model_time now)
{
    struct extent extent = r->kind == EVENT_KIND_STORE ? extent_of(m, r, lines) : (struct extent){0};
    struct event_memory_sums *sums = sums_of(m, r);
    bool local = r->space == EVENT_SPACE_LOCAL;
    if (r->space == EVENT_SPACE_CONST) return now; /* not of L1 and L2 */
    bool cached = r->kind == EVENT_KIND_LOAD && m->policies[r->instr] == MODEL_CACHED &&
                  (local || m->params.gpu.l1_loads);
    model_time longest = 0;
    for (uint32_t i = 0; i < r->lines; i++) {
        uint64_t line = lines[i] >> EVENT_LINE_SECTORS;
        uint32_t mask = lines[i] & MODEL_ALL_SECTORS;
        model_time latency = 0;
        uint64_t reads = sums->l2_reads;
        if (r->kind == EVENT_KIND_STORE)
            model_l1_store(m, sm, line, mask, partial_of(&extent, line, mask), writer, sm->port, sums);
        else if (r->kind == EVENT_KIND_ATOM || r->kind == EVENT_KIND_RED)
            latency = model_l1_atomic(m, sm, line, mask, sm->port, sums);
        else
            latency = model_l1_load(m, sm, line, mask, cached, sm->port, sums);
        bool missed = sums->l2_reads != reads || r->kind != EVENT_KIND_LOAD;
        sm->port += missed ? MODEL_TICK / 2 + model_sectors(mask) * (MODEL_TICK / 2) : MODEL_TICK;
        if (sm->port + latency > longest) longest = sm->port + latency;
    }
    return r->kind == EVENT_KIND_STORE || r->kind == EVENT_KIND_RED || longest < now ? now : longest;
}

static void leave_barrier(struct model_memory *m, struct cursor *all, uint32_t count, struct model_slot *slot)
{
    for (uint32_t i = 0; i < count; i++)
        if (all[i].slot == slot && all[i].warp->waiting) {
            all[i].warp->waiting = false;
            all[i].warp->ready = slot->barrier + MODEL_TICK * 4;
        }
    slot->waiting = 0;
    slot->barrier = 0;
    (void)m;
}

static void arrive(struct model_memory *m, struct cursor *all, uint32_t count, struct cursor *c)
{
    struct model_slot *slot = c->slot;
    c->warp->waiting = true;
    slot->waiting++;
    if (c->warp->ready > slot->barrier) slot->barrier = c->warp->ready;
    if (slot->waiting + slot->ended >= m->residency.warps_per_block) leave_barrier(m, all, count, slot);
}

static void finish(struct model_memory *m, struct cursor *all, uint32_t count, struct cursor *c)
{
    struct model_slot *slot = c->slot;
    if (!c->stream->ended || c->warp->ended) return;
    c->warp->ended = true;
    slot->ended++;
    if (c->warp->ready > slot->end) slot->end = c->warp->ready;
    if (slot->waiting && slot->waiting + slot->ended >= m->residency.warps_per_block)
        leave_barrier(m, all, count, slot);
}

/* One request of a warp, at the time when it can issue. */
static void play_request(struct model_memory *m, struct model_sm *sm, struct cursor *all, uint32_t count,
                         struct cursor *c)
{
    const struct event_request *r = &c->stream->requests[c->next++];
    struct model_warp *w = c->warp;
    bool waits = r->kind != EVENT_KIND_LOAD && r->kind != EVENT_KIND_LOAD_L2;
    uint32_t passed = r->instr > w->last_instr ? r->instr - w->last_instr : 1;
    if (waits || r->instr <= w->last_instr) w->ready = w->ready > w->data ? w->ready : w->data;
    w->last_instr = r->instr;
    sm->used = true;
    if (sm->port < w->ready) sm->port = w->ready;
    if (r->kind == EVENT_KIND_BARRIER) {
        arrive(m, all, count, c);
    } else {
        model_time data =
            play_lines(m, sm, r, c->stream->lines + c->line,
                       (struct model_writer){c->stream->warp | c->stream->slot << 8, w->stores}, w->ready);
        w->stores += r->kind == EVENT_KIND_STORE;
        if (data > w->data) w->data = data;
        w->ready = sm->port + (passed < 8 ? passed : 8) * 2 * MODEL_TICK;
    }
    c->line += r->lines;
    if (c->next == c->stream->request_count) finish(m, all, count, c);
}

static bool can_go(const struct cursor *c)
{
    return c->next < c->stream->request_count && !c->warp->waiting;
}

/* When a warp's next request can issue, as far as is known before it does. */
static model_time next_time(const struct cursor *c)
{
    const struct event_request *r = &c->stream->requests[c->next];
    const struct model_warp *w = c->warp;
    bool waits = (r->kind != EVENT_KIND_LOAD && r->kind != EVENT_KIND_LOAD_L2) || r->instr <= w->last_instr;
    return waits && w->data > w->ready ? w->data : w->ready;
}

/* Play one multiprocessor until `until`; the time of its next request, or NEVER. */
static model_time play_sm(struct model_memory *m, const struct run *run, struct cursor *all,
                          model_time *times, model_time until)
{
    struct model_sm *sm = &m->sms[run->sm];
    for (;;) {
        model_time least = NEVER;
        uint32_t which = 0;
        for (uint32_t i = 0; i < run->count; i++) {
            if (times[i] >= least) continue;
            least = times[i];
            which = i;
        }
        if (least >= until) return least;
        uint32_t kind = all[which].stream->requests[all[which].next].kind;
        play_request(m, sm, all, run->count, &all[which]);
        bool several = kind == EVENT_KIND_BARRIER || !can_go(&all[which]);
        for (uint32_t i = several ? 0 : which; i < (several ? run->count : which + 1); i++)
            times[i] = can_go(&all[i]) ? next_time(&all[i]) : NEVER;
    }
}

/* A new block takes a slot when the one before has ended. */
static void enter_slot(struct model_memory *m, const struct event_stream *s, struct model_slot *slot,
                       struct model_warp *warps)
{
    if (slot->used && slot->block == s->block) return;
    model_time begin =
        slot->used ? slot->end + RESTART : (s->slot * m->residency.sm_count + s->sm) * (model_time)LAUNCH_GAP;
    *slot = (struct model_slot){.block = s->block, .used = true};
    for (uint32_t i = 0; i < m->residency.warps_per_block; i++)
        warps[i] = (struct model_warp){.ready = begin, .data = begin};
}

static void open_cursor(struct model_memory *m, const struct event_stream *s, struct cursor *c)
{
    size_t slot = (size_t)s->sm * m->residency.blocks_per_sm + s->slot;
    struct model_warp *warps = m->warps + slot * m->residency.warps_per_block;
    if (s->sm >= m->residency.sm_count || s->slot >= m->residency.blocks_per_sm ||
        s->warp >= m->residency.warps_per_block)
        BUG("a stream lies outside the residency");
    enter_slot(m, s, &m->slots[slot], warps);
    *c = (struct cursor){.stream = s, .warp = warps + s->warp, .slot = &m->slots[slot]};
    if (!s->request_count) finish(m, c, 1, c);
}

void model_memory_turn(struct model_memory *m, const struct event_turn *turn)
{
    struct cursor *all = sw_xcalloc(turn->count + 1, sizeof *all);
    model_time *times = sw_xcalloc(turn->count + 1, sizeof *times);
    struct run *runs = sw_xcalloc(m->residency.sm_count, sizeof *runs);
    model_time *next = sw_xcalloc(m->residency.sm_count, sizeof *next);
    uint32_t run_count = 0;
    model_time now = NEVER;
    for (uint32_t i = 0; i < turn->count; i++) {
        const struct event_stream *s = &turn->streams[i];
        open_cursor(m, s, &all[i]);
        times[i] = can_go(&all[i]) ? next_time(&all[i]) : NEVER;
        if (times[i] < now) now = times[i];
        if (!run_count || runs[run_count - 1].sm != s->sm)
            runs[run_count++] = (struct run){.first = i, .sm = s->sm};
        runs[run_count - 1].count++;
    }
    while (now < NEVER) {
        model_time until = (now / MODEL_STEP + 1) * MODEL_STEP;
        now = NEVER;
        for (uint32_t i = 0; i < run_count; i++) {
            if (next[i] < until)
                next[i] = play_sm(m, &runs[i], all + runs[i].first, times + runs[i].first, until);
            if (next[i] < now) now = next[i];
        }
    }
    free(all);
    free(times);
    free(runs);
    free(next);
}
