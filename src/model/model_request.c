/* SPDX-License-Identifier: Apache-2.0 */
/* One request of a warp: its lines go through L1, the store queue, the constant caches.
 *
 * Models: a multiprocessor takes a line of 128 bytes a cycle, or as the pace says; without a pace also one
 * sector from L2 every half cycle. A request's data is there when that of its last line is; nothing waits for
 * stores and for atomics without a result.
 *
 * Does not model: what the parts do not (model_l1.c, model_l2.c, model_constant.c, model_clock.c).
 *
 * Sources: latencies of an H200 from tests/hw/memory (probe.txt); 64 bytes a cycle from L2 to a
 * multiprocessor: NVIDIA's A100 and H100 white papers. */
#include "model_cache_priv.h"

enum { AHEAD = 6, SETS = 8 }; /* lines for which the host fetches what it will want of them; a ring of more */

static struct event_memory_sums *sums_of(struct model_memory *m, const struct event_request *r)
{
    return &m->sums[r->instr][r->space == EVENT_SPACE_LOCAL ? EVENT_ACCESS_LOCAL : EVENT_ACCESS_GLOBAL];
}

/* The lines of one request; returns when its data is there. */
model_time model_request_play(struct model_memory *m, struct model_sm *sm, const struct event_request *r,
                              const uint64_t *lines, struct model_warp *warp)
{
    bool timed = model_is_timed(m);
    model_time now = timed ? model_clock_goes(m, warp, r) : warp->ready;
    uint32_t first_store = sm->l1.store_next;
    struct event_memory_sums *sums = sums_of(m, r);
    bool local = r->space == EVENT_SPACE_LOCAL;
    if (r->space == EVENT_SPACE_CONST)
        return now + model_constant_load(m, sm, lines, r->lines, warp->data, now, sums);
    bool cached = r->kind == EVENT_KIND_LOAD && (local || m->params.gpu.l1_loads);
    enum model_policy policy = cached ? (enum model_policy)m->policies[r->instr] : MODEL_BYPASS;
    model_time longest = 0;
    model_policy_instr(&m->l2, r->instr);
    if (timed) sm->port = model_clock_port(m, sm->l1.number, r, lines, now);
    bool beyond = !cached || !model_l1_mostly_finds(sums);
    uint32_t sets[SETS] = {r->lines ? model_l1_set(&sm->l1, event_line_number(lines[0])) : 0}, ahead = 1;
    for (uint32_t i = 0; i < r->lines; i++) {
        for (; ahead <= i + AHEAD && ahead < r->lines; ahead++) {
            uint64_t line = event_line_number(lines[ahead]);
            sets[ahead % SETS] = model_l1_set(&sm->l1, line);
            model_l1_prefetch(m, sm, line, sets[ahead % SETS], r->kind, beyond);
        }
        uint64_t line = event_line_number(lines[i]);
        uint32_t mask = lines[i] & MODEL_ALL_SECTORS, set = sets[i % SETS];
        model_time latency = 0;
        uint64_t reads = sums->l2_reads, hosts = sums->host_read_requests;
        if (r->kind == EVENT_KIND_STORE)
            model_l1_store(m, sm, line, set, mask, model_part(lines[i]), &warp->stored, sm->port, sums);
        else if (r->kind == EVENT_KIND_ATOM || r->kind == EVENT_KIND_RED)
            latency = model_l1_atomic(m, sm, line, set, mask, sm->port, sums);
        else
            latency = model_l1_load(m, sm, line, set, mask, policy, sm->port, sums);
        bool missed = sums->l2_reads != reads || r->kind != EVENT_KIND_LOAD;
        if (timed)
            sm->port += m->pace.rates.line * MODEL_TICK / 1000;
        else
            sm->port += missed ? MODEL_TICK / 2 + model_sectors(mask) * (MODEL_TICK / 2) : MODEL_TICK;
        if (timed && sums->host_read_requests != hosts)
            latency += (model_time)m->pace.rates.host * MODEL_TICK;
        if (sm->port + latency > longest) longest = sm->port + latency;
    }
    if (timed)
        longest += (r->kind == EVENT_KIND_ATOM ? m->pace.rates.atomic : m->pace.rates.load) * MODEL_TICK;
    if (r->kind == EVENT_KIND_STORE) warp->stored = (struct model_writer){first_store, sm->l1.store_next};
    return r->kind == EVENT_KIND_STORE || r->kind == EVENT_KIND_RED || longest < now ? now : longest;
}
