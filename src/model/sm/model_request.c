/* SPDX-License-Identifier: Apache-2.0 */
/* One request of a warp: its lines go through L1, the store queue, the constant caches.
 *
 * Models: a multiprocessor takes a line of 128 bytes a cycle, or as the costs say; without costs also one
 * sector from L2 every half cycle. A request's data is there when that of its last line is; nothing waits for
 * stores and for atomics without a result.
 *
 * Does not model: what the parts do not (model_l1.c, model_l2.c, model_constant.c, model_clock.c).
 *
 * Sources: latencies of an H200 from tests/hw/memory (probe.txt); 64 bytes a cycle from L2 to a
 * multiprocessor: NVIDIA's A100 and H100 white papers. */
#include "model_memory_priv.h"

/* implementation: lines for which the host fetches what it will want of them; a ring of more */
enum { AHEAD = 6, SETS = 8 };

/* A request that is being played: what its lines have in common, and their sets, a few lines ahead. */
struct play {
    struct model_sm *sm;
    const struct event_request *request;
    const uint64_t *lines;
    struct event_memory_sums *sums;
    bool beyond;
    uint32_t ahead, sets[SETS];
};

static uint32_t request_set_of(struct play *p, uint32_t i)
{
    return p->sets[i % SETS] = model_l1_set(&p->sm->l1, event_line_number(p->lines[i]));
}

/* The host fetches what it will want of the next line that it was not told of. */
static void look_ahead(struct play *p)
{
    if (p->ahead >= p->request->lines) return;
    uint32_t i = p->ahead++;
    model_l1_prefetch(&p->sm->l1, p->lines[i], request_set_of(p, i), p->request->kind, p->beyond);
}

/* Of a multiprocessor's way to L1, for a line: where time is kept; else, of one that goes beyond. */
static model_time line_ticks(const struct model_clock *clock)
{
    return clock->costs.rates.line * MODEL_TICK / 1000;
}

static model_time beyond_ticks(uint32_t mask)
{
    return MODEL_TICK / 2 + model_sectors(mask) * (MODEL_TICK / 2);
}

/* The warp did not leave the basic block in which it stored last. */
static bool is_same_block(const struct model_clock *clock, const struct model_writer *last, uint32_t instr)
{
    if (!last->lines || instr <= last->instr) return false;
    const struct model_step *steps = clock->costs.steps;
    return !model_is_timed(clock) || steps[instr].block == steps[last->instr].block;
}

static void play_stores(struct play *p, struct model_writer *writer)
{
    struct model_stores *stores = &p->sm->l1.stores;
    uint32_t instr = p->request->instr, lines = p->request->lines;
    model_stores_ask(stores, writer, is_same_block(p->sm->clock, writer, instr), lines,
                     lines * p->sm->instrs->places[instr], p->sm->port);
    model_time at = p->sm->port, each = line_ticks(p->sm->clock);
    bool timed = model_is_timed(p->sm->clock);
    for (uint32_t i = 0; i < p->request->lines; i++) {
        look_ahead(p);
        uint64_t line = p->lines[i];
        struct model_line asked = {event_line_number(line), p->sets[i % SETS], line & MODEL_ALL_SECTORS};
        model_l1_store(&p->sm->l1, &asked, model_part(line), writer, at, p->sums);
        at = timed ? model_l1_held(&p->sm->l1, at + each) : at + beyond_ticks(line & MODEL_ALL_SECTORS);
    }
    p->sm->port = at;
    writer->end = stores->count;
    writer->instr = instr & MODEL_WRITER_INSTRS;
    writer->lines = lines < MODEL_WRITER_LINES ? lines : MODEL_WRITER_LINES;
}

/* Of loads and atomics; returns when the last data is there. */
static model_time play_others(struct play *p, enum model_policy policy)
{
    const struct model_rates *rates = &p->sm->clock->costs.rates;
    struct model_l1 *l1 = &p->sm->l1;
    bool timed = model_is_timed(p->sm->clock), load = p->request->kind == EVENT_KIND_LOAD;
    bool atomic = p->request->kind == EVENT_KIND_ATOM || p->request->kind == EVENT_KIND_RED;
    model_time longest = 0, at = p->sm->port, each = line_ticks(p->sm->clock);
    for (uint32_t i = 0; i < p->request->lines; i++) {
        look_ahead(p);
        uint64_t reads = p->sums->l2_reads;
        uint64_t hosts = p->sums->host_read_requests, peers = p->sums->peer_read_requests;
        uint32_t mask = p->lines[i] & MODEL_ALL_SECTORS;
        struct model_line asked = {event_line_number(p->lines[i]), p->sets[i % SETS], mask};
        model_time latency = atomic ? model_l1_atomic(l1, &asked, at, p->sums)
                                    : model_l1_load(l1, &asked, policy, at, p->sums);
        bool missed = p->sums->l2_reads != reads || !load;
        if (timed && p->sums->host_read_requests != hosts) latency += (model_time)rates->host * MODEL_TICK;
        if (timed && p->sums->peer_read_requests != peers) latency += (model_time)rates->peer * MODEL_TICK;
        at += timed ? each : missed ? beyond_ticks(mask) : MODEL_TICK;
        if (at + latency > longest) longest = at + latency;
    }
    p->sm->port = at;
    return longest;
}

static model_time play_constants(struct play *p, const struct model_warp *warp, uint32_t scheduler,
                                 model_time now)
{
    const struct model_clock *clock = p->sm->clock;
    struct model_constant_load how = {.scheduler = scheduler,
                                      .uniform = model_is_timed(clock) &&
                                                 clock->costs.steps[p->request->instr].uniform,
                                      .waits = warp->data};
    return now + model_constant_load(&p->sm->constants, p->lines, p->request->lines, &how, now, p->sums);
}

model_time model_request_play(struct model_sm *sm, const struct event_request *r, const uint64_t *lines,
                              struct model_warp *warp, uint32_t scheduler)
{
    struct model_clock *clock = sm->clock;
    bool timed = model_is_timed(clock), local = r->space == ISA_SPACE_LOCAL;
    model_time now = timed ? model_clock_goes(clock, warp, r) : warp->ready;
    struct play p = {
        .sm = sm, .request = r, .lines = lines, .sums = model_instrs_sums(sm->instrs, r), .ahead = 1};
    if (r->space == ISA_SPACE_CONST) return play_constants(&p, warp, scheduler, now);
    bool cached = r->kind == EVENT_KIND_LOAD && (local || sm->l1.gpu->l1_loads);
    enum model_policy policy = cached ? (enum model_policy)sm->instrs->policies[r->instr] : MODEL_BYPASS;
    model_policy_instr(clock->slices->l2, r->instr);
    if (timed) sm->port = model_clock_port(clock, &sm->l1, r, lines, now);
    p.beyond = !cached || !model_l1_mostly_finds(p.sums);
    if (r->lines) request_set_of(&p, 0); /* of which the host was told before */
    while (p.ahead < AHEAD && p.ahead < r->lines)
        look_ahead(&p);
    if (r->kind == EVENT_KIND_STORE) {
        play_stores(&p, &warp->stored);
        return now;
    }
    const struct model_rates *rates = &clock->costs.rates;
    model_time longest = play_others(&p, policy);
    if (timed) longest += (r->kind == EVENT_KIND_ATOM ? rates->atomic : rates->load) * MODEL_TICK;
    return r->kind == EVENT_KIND_RED || longest < now ? now : longest;
}
