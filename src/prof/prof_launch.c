/* SPDX-License-Identifier: Apache-2.0 */
/* From a launch's counters to sums: which instruction's slots count as which stream of accesses, and what a
 * launch uses of a multiprocessor.
 *
 * Instructions of one basic block share slots, so everything is summed by instruction, not by slot. A generic
 * access has slots for every space it may touch; the bytes that its lanes asked for are then known only when
 * it touched one. Limits: bulk copies and matrix loads count where their slots say. */
#include "prof_priv.h"

#include <string.h>

static uint64_t at(const uint64_t *counters, uint32_t slot)
{
    return slot == EVENT_NO_SLOT ? 0 : counters[slot];
}

static enum prof_stream stream_of(const struct event_instr *i, enum event_access access)
{
    bool writes = i->is_write && !i->is_read;
    switch (access) {
    case EVENT_ACCESS_LOCAL: return writes ? PROF_LOCAL_STORE : PROF_LOCAL_LOAD;
    case EVENT_ACCESS_SHARED:
        if (i->cls == EVENT_ATOMIC) return PROF_SHARED_ATOM;
        return writes || i->cls == EVENT_COPY ? PROF_SHARED_STORE : PROF_SHARED_LOAD;
    case EVENT_ACCESS_GLOBAL: break;
    }
    if (i->cls == EVENT_ATOMIC) return i->returns ? PROF_GLOBAL_ATOM : PROF_GLOBAL_RED;
    if (i->cls == EVENT_COPY) return PROF_GLOBAL_COPY;
    return writes ? PROF_GLOBAL_STORE : PROF_GLOBAL_LOAD;
}

/* Bytes of one unit. Loads that pass the L1 by (.cg, .cv) move sectors where others move cc 2.x's lines. */
static uint64_t unit_bytes(const struct event_instr *i, enum prof_stream stream, const struct arch_cc *cc)
{
    if (stream >= PROF_SHARED_LOAD) return 4ull * cc->shared_banks;
    bool past_l1 = i->op && (strstr(i->op, ".cg") || strstr(i->op, ".cv"));
    return stream == PROF_GLOBAL_LOAD && !past_l1 ? cc->load_segment : 32;
}

static void add_accesses(struct prof_sums *sums, const struct event_instr *i, const uint64_t *counters,
                         const struct arch_cc *cc)
{
    uint32_t touched = 0;
    struct prof_access *last = NULL;
    for (uint32_t a = 0; a < 3; a++) {
        uint64_t requests = at(counters, i->slots.access[a].requests);
        if (!requests) continue;
        enum prof_stream stream = stream_of(i, (enum event_access)a);
        uint64_t units = at(counters, i->slots.access[a].units);
        last = &sums->access[stream];
        last->requests += requests;
        last->units += units;
        last->moved += units * unit_bytes(i, stream, cc);
        last->ideal += at(counters, i->slots.access[a].ideal);
        touched++;
    }
    if (touched == 1) last->bytes += at(counters, i->slots.on_lanes) * i->bytes;
    if (touched > 1 && i->cls != EVENT_COPY) sums->bytes_unclear = true;
}

void prof_sums_add(struct prof_sums *sums, const struct event_instr *i, const uint64_t *counters,
                   const struct arch_cc *cc)
{
    uint64_t on_lanes = at(counters, i->slots.on_lanes);
    sums->warps += at(counters, i->slots.warps);
    sums->lanes += at(counters, i->slots.lanes);
    sums->on_warps += at(counters, i->slots.on_warps);
    sums->on_lanes += on_lanes;
    sums->unit_lanes[i->unit] += on_lanes;
    if (i->flop <= EVENT_FLOP_FMA) sums->flop_lanes[i->unit][i->flop] += on_lanes;
    if (i->cls == EVENT_BRANCH) {
        sums->branches += at(counters, i->slots.warps);
        sums->divergent += at(counters, i->slots.divergent);
    }
    add_accesses(sums, i, counters, cc);
}

static struct prof_access total(const struct prof_sums *sums, enum prof_stream first, enum prof_stream last)
{
    struct prof_access sum = {0};
    for (int s = first; s <= (int)last; s++) {
        sum.requests += sums->access[s].requests;
        sum.units += sums->access[s].units;
        sum.ideal += sums->access[s].ideal;
        sum.bytes += sums->access[s].bytes;
        sum.moved += sums->access[s].moved;
    }
    return sum;
}

struct prof_access prof_global_total(const struct prof_sums *sums)
{
    return total(sums, PROF_GLOBAL_LOAD, PROF_GLOBAL_COPY);
}

struct prof_access prof_shared_total(const struct prof_sums *sums)
{
    return total(sums, PROF_SHARED_LOAD, PROF_SHARED_ATOM);
}

/* An H200 reports at least 16 registers a thread for every kernel (tests/hw). */
static uint32_t reported_registers(const struct arch_cc *cc, uint32_t registers)
{
    return registers && cc->major == 9 && registers < 16 ? 16 : registers;
}

uint64_t prof_traffic_bytes(const struct prof_sums *sums)
{
    return total(sums, PROF_GLOBAL_LOAD, PROF_LOCAL_STORE).moved;
}

void prof_launch_count(struct prof_launch *p)
{
    const struct event_launch *l = p->launch;
    memset(&p->sums, 0, sizeof p->sums);
    for (uint32_t i = 0; p->counted && i < l->kernel->instr_count; i++)
        prof_sums_add(&p->sums, &l->kernel->instrs[i], l->counters, p->cc);
}

void prof_launch_init(struct prof_launch *out, const struct event_launch *l, const char *process,
                      const char *kernel, const struct arch_gpu *gpu, const struct arch_cc *cc)
{
    memset(out, 0, sizeof *out);
    out->launch = l;
    out->process = process;
    out->kernel = kernel;
    out->gpu = gpu;
    out->cc = cc;
    out->counted = l->counters != NULL;
    prof_launch_count(out);
    out->threads = l->block[0] * l->block[1] * l->block[2];
    out->registers = reported_registers(cc, l->kernel->registers);
    uint32_t shared = l->kernel->static_shared_bytes + l->dynamic_shared_bytes;
    uint32_t allocated =
        (shared + cc->shared_reserved + cc->shared_unit - 1) / cc->shared_unit * cc->shared_unit;
    out->shared_config = arch_shared_carveout(cc, out->threads, allocated);
    struct arch_occupancy_request request = {out->threads, out->registers, shared, out->shared_config};
    out->has_occupancy = arch_occupancy_compute(cc, &request, &out->occupancy, NULL) == SW_OK;
}
