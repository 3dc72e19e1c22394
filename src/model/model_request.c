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
#include "model_cache_priv.h"

/* implementation: lines for which the host fetches what it will want of them; a ring of more */
enum { AHEAD = 6, SETS = 8 };

static struct event_memory_sums *sums_of(struct model_memory *m, const struct event_request *r)
{
    return &m->sums[r->instr][r->space == ISA_SPACE_LOCAL ? EVENT_ACCESS_LOCAL : EVENT_ACCESS_GLOBAL];
}

/* A request that is being played: what its lines have in common, and their sets, a few lines ahead. */
struct play {
    struct model_memory *m;
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
    model_l1_prefetch(p->m, p->sm, p->lines[i], request_set_of(p, i), p->request->kind, p->beyond);
}

/* Of a multiprocessor's way to L1, for a line: where time is kept; else, of one that goes beyond. */
static model_time line_ticks(const struct model_memory *m)
{
    return m->costs.rates.line * MODEL_TICK / 1000;
}

static model_time beyond_ticks(uint32_t mask)
{
    return MODEL_TICK / 2 + model_sectors(mask) * (MODEL_TICK / 2);
}

static void play_stores(struct play *p, const struct model_writer *writer)
{
    model_time at = p->sm->port, each = line_ticks(p->m);
    bool timed = model_is_timed(p->m);
    for (uint32_t i = 0; i < p->request->lines; i++) {
        look_ahead(p);
        uint64_t line = p->lines[i];
        model_l1_store(p->m, p->sm, event_line_number(line), p->sets[i % SETS], line & MODEL_ALL_SECTORS,
                       model_part(line), writer, at, p->sums);
        at = timed ? model_clock_held(&p->m->clock, p->sm->l1.number, at + each)
                   : at + beyond_ticks(line & MODEL_ALL_SECTORS);
    }
    p->sm->port = at;
}

/* Of loads and atomics; returns when the last data is there. */
static model_time play_others(struct play *p, enum model_policy policy)
{
    struct model_memory *m = p->m;
    bool timed = model_is_timed(m), load = p->request->kind == EVENT_KIND_LOAD;
    bool atomic = p->request->kind == EVENT_KIND_ATOM || p->request->kind == EVENT_KIND_RED;
    model_time longest = 0, at = p->sm->port, each = line_ticks(m);
    for (uint32_t i = 0; i < p->request->lines; i++) {
        look_ahead(p);
        uint64_t line = event_line_number(p->lines[i]), reads = p->sums->l2_reads;
        uint64_t hosts = p->sums->host_read_requests, peers = p->sums->peer_read_requests;
        uint32_t mask = p->lines[i] & MODEL_ALL_SECTORS, set = p->sets[i % SETS];
        model_time latency = atomic ? model_l1_atomic(m, p->sm, line, set, mask, at, p->sums)
                                    : model_l1_load(m, p->sm, line, set, mask, policy, at, p->sums);
        bool missed = p->sums->l2_reads != reads || !load;
        if (timed && p->sums->host_read_requests != hosts)
            latency += (model_time)m->costs.rates.host * MODEL_TICK;
        if (timed && p->sums->peer_read_requests != peers)
            latency += (model_time)m->costs.rates.peer * MODEL_TICK;
        at += timed ? each : missed ? beyond_ticks(mask) : MODEL_TICK;
        if (at + latency > longest) longest = at + latency;
    }
    p->sm->port = at;
    return longest;
}

/* The lines of one request; returns when its data is there. */
model_time model_request_play(struct model_memory *m, struct model_sm *sm, const struct event_request *r,
                              const uint64_t *lines, struct model_warp *warp, uint32_t scheduler)
{
    bool timed = model_is_timed(m), local = r->space == ISA_SPACE_LOCAL;
    model_time now = timed ? model_clock_goes(m, warp, r) : warp->ready;
    struct play p = {.m = m, .sm = sm, .request = r, .lines = lines, .sums = sums_of(m, r), .ahead = 1};
    if (r->space == ISA_SPACE_CONST)
        return now + model_constant_load(m, sm, lines, r->lines, scheduler,
                                         timed && m->costs.steps[r->instr].uniform, warp->data, now, p.sums);
    bool cached = r->kind == EVENT_KIND_LOAD && (local || m->params.gpu.l1_loads);
    enum model_policy policy = cached ? (enum model_policy)m->policies[r->instr] : MODEL_BYPASS;
    model_policy_instr(&m->l2, r->instr);
    if (timed) sm->port = model_clock_port(m, sm->l1.number, r, lines, now);
    p.beyond = !cached || !model_l1_mostly_finds(p.sums);
    if (r->lines) request_set_of(&p, 0); /* of which the host was told before */
    while (p.ahead < AHEAD && p.ahead < r->lines)
        look_ahead(&p);
    if (r->kind == EVENT_KIND_STORE) {
        uint32_t first = sm->l1.stores.count;
        play_stores(&p, &warp->stored);
        warp->stored = (struct model_writer){first, sm->l1.stores.count};
        return now;
    }
    model_time longest = play_others(&p, policy);
    if (timed)
        longest += (r->kind == EVENT_KIND_ATOM ? m->costs.rates.atomic : m->costs.rates.load) * MODEL_TICK;
    return r->kind == EVENT_KIND_RED || longest < now ? now : longest;
}
