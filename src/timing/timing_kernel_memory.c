/* SPDX-License-Identifier: Apache-2.0 */
/* What accesses cost: how long a warp waits for each, and how long memory's units are busy with all of them.
 *
 * Models: the latency of a load by where the cache model found its sectors (a request is as slow as its
 * slowest one); passes of shared memory; lines and sectors of L1; sectors between L1 and L2; L2's sectors,
 * also between its parts; atomics, which one slice of L2 serves one after the other, so that few lines are
 * slow; DRAM's sectors. Does not model: queues that fill and drain, which slices of L2 and which channels are
 * asked, sectors that several warps wait for at the same time. Sources: latencies and rates: gpus/NAME.ini,
 * sections [cache] and [kernels]. */
#include "timing_kernel_priv.h"

#include "event/event_request.h"

#include <math.h>
#include <string.h>

static double share(uint64_t part, uint64_t all)
{
    double ratio = all ? (double)part / (double)all : 0;
    return ratio > 1 ? 1 : ratio;
}

struct seen { /* what an instruction's accesses of one kind were */
    uint64_t requests, units, ideal, more;
};
static struct seen seen_of(const struct timing_model *m, const struct event_instr *i,
                           enum event_access access)
{
    const struct event_access_slots *s = &i->slots.access[access];
    return (struct seen){sass_count(&m->sass, s->requests), sass_count(&m->sass, s->units),
                         sass_count(&m->sass, s->ideal), sass_count(&m->sass, s->more)};
}

/* Tags that L1 looks up: contiguous sectors go four to a line, scattered ones each alone in the worst case.
 */
static double lines_of(const struct timing_model *m, const struct seen *s)
{
    double lines = (double)s->units / EVENT_LINE_SECTORS;
    double more = s->units > s->ideal ? (double)(s->units - s->ideal) : 0;
    return lines + more * (double)m->sass.p->l1_scatter_percent / 100;
}

double timing_l2_latency(const struct timing_model *m)
{
    const struct arch_cache *c = &m->sass.gpu->cache;
    return (double)c->l2_cycles + (c->l2_partitions > 1 ? 0.5 * (double)c->l2_far_cycles : 0);
}

static double cached_latency(const struct timing_model *m, uint32_t number, uint32_t space,
                             const struct seen *s)
{
    const struct arch_cache *c = &m->sass.gpu->cache;
    const struct event_memory_sums *sums = &m->launch->memory->instrs[number][space];
    /* those that find a line on its way to L1 wait for it, too */
    double others = (double)m->sass.p->l1_pending_percent / 100;
    double beyond = share(sums->l2_reads, s->requests),
           far = share(sums->l2_reads - sums->l2_read_hits, s->requests);
    beyond = beyond * others < 1 ? beyond * others : 1;
    far = far * others < beyond ? far * others : beyond;
    double host = share(sums->host_read_requests, s->requests) * TIMING_HOST_LATENCY_NS *
                  (double)timing_clock_khz(m) / 1e6;
    host += share(sums->peer_read_requests, s->requests) * TIMING_PEER_LATENCY_NS *
            (double)timing_clock_khz(m) / 1e6;
    double lines = s->requests ? lines_of(m, s) / (double)s->requests : 1;
    return (double)c->l1_cycles + (double)m->sass.p->sm_memory_extra_cycles +
           beyond * (timing_l2_latency(m) - (double)c->l1_cycles) +
           far * (double)(c->dram_cycles + m->sass.p->sm_dram_extra_cycles) + host +
           (lines > 1 ? (lines - 1) * (double)m->sass.p->l1_line_centicycles / 100 : 0);
}

static double shared_latency(const struct timing_model *m, const struct seen *s)
{
    double passes = s->requests ? (double)s->units / (double)s->requests : 1;
    return (double)m->sass.p->sm_shared_cycles + (passes > 1 ? passes - 1 : 0);
}

static double atomic_latency(const struct timing_model *m, const struct event_instr *i)
{
    struct seen s = seen_of(m, i, EVENT_ACCESS_SHARED);
    double iterations = timing_spin_iterations(m, i);
    if (iterations > 0) return iterations * TIMING_SPIN_CYCLES + TIMING_SPIN_MORE;
    if (s.requests) return shared_latency(m, &s) * 2;
    return i->returns ? timing_l2_latency(m) + (double)m->sass.p->sm_atomic_cycles : 0;
}

/* A load from constant memory: what the multiprocessor's cache does not have comes from the group's, or L2.
 */
static double constant_latency(const struct timing_model *m, uint32_t number)
{
    const struct event_instr *i = &m->sass.kernel->instrs[number];
    const struct arch_cache *c = &m->sass.gpu->cache;
    const struct event_memory *memory = m->launch->memory;
    struct seen s = seen_of(m, i, EVENT_ACCESS_CONST);
    uint64_t misses = memory->constant_requests - memory->constant_hits;
    double addresses = s.requests ? (double)s.units / (double)s.requests : 1;
    double beyond = share(misses, memory->constant_requests);
    double far = misses ? beyond * share(misses - memory->constant_group_hits, misses) : 0;
    bool near = m->sass.lower[number].uniform && c->constant_near_pieces;
    double once = (double)(near ? c->constant_near_cycles : c->constant_cycles) +
                  beyond * (double)c->constant_group_cycles + far * timing_l2_latency(m);
    return once + (addresses > 1 ? (addresses - 1) * once / 2 : 0);
}

static double memory_latency(const struct timing_model *m, uint32_t number)
{
    const struct event_instr *i = &m->sass.kernel->instrs[number];
    if (i->cls == ISA_CLASS_ATOMIC) return atomic_latency(m, i);
    if (!i->is_read && i->cls != ISA_CLASS_TEXTURE) return 0;
    struct seen s = seen_of(m, i, EVENT_ACCESS_SHARED);
    if (s.requests) return shared_latency(m, &s);
    s = seen_of(m, i, EVENT_ACCESS_LOCAL);
    if (s.requests) return cached_latency(m, number, 1, &s);
    s = seen_of(m, i, EVENT_ACCESS_TEXTURE);
    if (!s.requests) s = seen_of(m, i, EVENT_ACCESS_GLOBAL);
    return cached_latency(m, number, 0, &s);
}

/* Warps arrive at a barrier one after the other. */
static double barrier_warp_cycles(const struct timing_model *m)
{
    return (double)m->sass.p->sm_barrier_warp_centicycles / 100;
}

/* Arithmetic's latencies are those of 9.0, scaled; memory's are the GPU's own. */
void timing_memory_latencies(struct timing_model *m)
{
    for (uint32_t i = 0; i < m->sass.kernel->instr_count; i++) {
        const struct sass_lower *l = &m->sass.lower[i];
        if (l->kind == SASS_MEMORY)
            m->sass.latency[i] = memory_latency(m, i);
        else if (l->kind == SASS_CONSTANT)
            m->sass.latency[i] = constant_latency(m, i);
        else if (l->kind == SASS_BARRIER)
            m->sass.latency[i] =
                (double)m->sass.p->sm_barrier_cycles + barrier_warp_cycles(m) * (m->block_warps - 1);
        else
            m->sass.latency[i] = (l->latency + sass_slow_path(&m->sass, &m->sass.kernel->instrs[i]).latency) *
                                 (double)m->sass.p->sm_latency_percent / 100;
    }
}

static void add_shared(const struct timing_model *m, const struct event_instr *i, const struct sass_lower *l,
                       struct timing_work *w)
{
    struct seen s = seen_of(m, i, EVENT_ACCESS_SHARED);
    double passes = (double)s.units; /* of merged loads two for 16 bytes, as recorded */
    if (l->merged) passes = l->merged == SASS_MERGED ? 0 : (double)s.requests * (l->merged > 8 ? 2 : 1);
    w->busy[EVENT_LIMIT_SHARED] += passes * timing_pass_cycles(m);
    s = seen_of(m, i, EVENT_ACCESS_GLOBAL); /* L1 and shared memory have the same way to the registers */
    w->busy[EVENT_LIMIT_SHARED] += (double)s.units / EVENT_LINE_SECTORS * 128 / m->sass.pipes->shared;
}

static void add_l1(const struct timing_model *m, const struct event_instr *i, enum event_access access,
                   struct timing_work *w)
{
    struct seen s = seen_of(m, i, access);
    w->busy[EVENT_LIMIT_L1] += lines_of(m, &s) * (double)m->sass.p->l1_line_centicycles / 100;
    if (i->is_read)
        w->busy[EVENT_LIMIT_L1] += (double)s.units * (double)m->sass.p->l1_sector_centicycles / 100;
}

static void add_atomic(const struct timing_model *m, uint32_t number, struct timing_work *w)
{
    const struct event_instr *i = &m->sass.kernel->instrs[number];
    const struct event_memory_sums *sums = &m->launch->memory->instrs[number][0];
    struct seen s = seen_of(m, i, EVENT_ACCESS_GLOBAL);
    if (!s.requests) return;
    uint64_t touched = sums->l2_atomics - sums->l2_atomic_hits;
    if (!touched) touched = m->launch->memory->total.dram_reads;
    double lines = sqrt((double)touched / EVENT_LINE_SECTORS); /* some are asked for together: inferred */
    double spread = (double)m->sass.p->l2_same_millicycles / (double)m->sass.p->l2_atomic_millicycles;
    if (lines < 1) lines = 1;
    if (lines > spread) lines = spread;
    double wide = i->bytes > 4 && lines > 1 ? 2 : 1;
    w->busy[EVENT_LIMIT_ATOMIC] +=
        (double)s.units * (double)m->sass.p->l2_same_millicycles / 1000 / lines * wide;
}

static void add_l2(const struct timing_model *m, struct timing_work *w)
{
    const struct event_memory_sums *t = &m->launch->memory->total;
    double sectors = (double)(t->l2_reads + t->l2_writes + t->l2_atomics);
    double fabric = (double)(t->l2_fabric_reads + t->l2_fabric_writes);
    w->busy[EVENT_LIMIT_L2] = (sectors * (double)m->sass.p->l2_sector_millicycles +
                               fabric * (double)m->sass.p->l2_fabric_millicycles) /
                              1000;
    double fill = (double)t->l2_reads * (double)m->sass.p->sm_fill_centicycles / 100 +
                  (double)(t->l2_writes + t->l2_atomics) * (double)m->sass.p->sm_store_centicycles / 100;
    if (fill > w->busy[EVENT_LIMIT_L1]) w->busy[EVENT_LIMIT_L1] = fill;
    double bytes = 32.0 * (double)(t->dram_reads + t->dram_writes);
    const struct event_memory *seen = m->launch->memory;
    if (seen->dram_even)
        bytes *= (double)seen->dram_uneven / (double)seen->dram_even; /* the busiest counts */
    double peak = arch_dram_bytes_per_second(m->sass.gpu) / 1000;     /* in a thousandth of a second */
    uint64_t clock = m->sass.p->sm_clock_khz ? m->sass.p->sm_clock_khz : m->sass.gpu->clock_khz;
    if (peak > 0)
        w->busy[EVENT_LIMIT_DRAM] =
            bytes / (peak * (double)m->sass.p->dram_stream_permille / 1000) * (double)clock;
}

void timing_memory_work(const struct timing_model *m, struct timing_work *w)
{
    for (uint32_t n = 0; n < m->sass.kernel->instr_count; n++) {
        const struct event_instr *i = &m->sass.kernel->instrs[n];
        if (m->sass.lower[n].kind == SASS_BARRIER)
            w->busy[EVENT_LIMIT_LSU] += (double)sass_count(&m->sass, i->slots.warps) * barrier_warp_cycles(m);
        if (m->sass.lower[n].kind != SASS_MEMORY && m->sass.lower[n].kind != SASS_SHUFFLE) continue;
        if (m->sass.lower[n].merged != SASS_MERGED)
            w->busy[EVENT_LIMIT_LSU] +=
                (double)sass_count(&m->sass, i->slots.on_warps) * SW_WARP_LANES / m->sass.pipes->load;
        add_shared(m, i, &m->sass.lower[n], w);
        add_l1(m, i, EVENT_ACCESS_GLOBAL, w);
        add_l1(m, i, EVENT_ACCESS_LOCAL, w);
        if (i->cls == ISA_CLASS_ATOMIC) add_atomic(m, n, w);
    }
    add_l2(m, w);
}
