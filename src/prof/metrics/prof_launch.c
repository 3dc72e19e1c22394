/* SPDX-License-Identifier: Apache-2.0 */
/* From a launch's counters to sums: which instruction's slots count as which stream of accesses, and what a
 * launch uses of a multiprocessor.
 *
 * Instructions of one basic block share slots, so everything is summed by instruction, not by slot. A generic
 * access has slots for every space it may touch; the bytes that its lanes asked for are then known only when
 * it touched one. Limits: bytes of bulk copies and matrix loads are not known. */
#include "prof_metrics.h"

#include <string.h>

static uint64_t at(const uint64_t *counters, uint32_t slot)
{
    return slot == EVENT_NO_SLOT ? 0 : counters[slot];
}

static enum prof_stream global_stream(const struct event_instr *i, bool writes)
{
    if (i->cls == ISA_CLASS_ATOMIC) return i->returns ? PROF_GLOBAL_ATOM : PROF_GLOBAL_RED;
    if (i->cls == ISA_CLASS_COPY) return PROF_GLOBAL_COPY;
    return writes ? PROF_GLOBAL_STORE : PROF_GLOBAL_LOAD;
}

static enum prof_stream shared_stream(const struct event_instr *i, bool writes)
{
    if (i->cls == ISA_CLASS_ATOMIC) return PROF_SHARED_ATOM;
    if (i->cls == ISA_CLASS_COPY) return PROF_SHARED_COPY;
    return writes ? PROF_SHARED_STORE : PROF_SHARED_LOAD;
}

/* cp.async.bulk.TO.FROM, cp.reduce.async.bulk.TO.FROM */
static enum prof_stream bulk_stream(const struct event_instr *i)
{
    if (event_has(i, ISA_MOD_REDUCE)) return PROF_BULK_REDUCE;
    return isa_written_space(&i->isa, 0) == ISA_SPACE_SHARED ? PROF_BULK_LOAD : PROF_BULK_STORE;
}

static enum prof_stream texture_stream(const struct event_instr *i)
{
    if (i->isa.op == ISA_OP_SULD) return PROF_SURFACE_LOAD;
    bool stores = i->isa.op == ISA_OP_SUST || i->isa.op == ISA_OP_SURED;
    return stores ? PROF_SURFACE_STORE : PROF_TEXTURE_LOAD;
}

static enum prof_stream stream_of(const struct event_instr *i, enum event_access access)
{
    bool writes = i->is_write && !i->is_read;
    switch (access) {
    case EVENT_ACCESS_LOCAL: return writes ? PROF_LOCAL_STORE : PROF_LOCAL_LOAD;
    case EVENT_ACCESS_SHARED: return shared_stream(i, writes);
    case EVENT_ACCESS_CONST: return i->space == ISA_SPACE_PARAM ? PROF_PARAMETER_LOAD : PROF_CONSTANT_LOAD;
    case EVENT_ACCESS_TEXTURE: return texture_stream(i);
    case EVENT_ACCESS_BULK: return bulk_stream(i);
    case EVENT_ACCESS_GLOBAL:
    case EVENT_ACCESS_COUNT: break;
    }
    return global_stream(i, writes);
}

enum { SECTOR = 32, WORD = 4 };

/* Bytes of one unit. Loads that pass the L1 by (.cg, .cv) move sectors where others move cc 2.x's lines. */
static uint64_t unit_bytes(const struct event_instr *i, enum prof_stream stream, const struct arch_cc *cc)
{
    if (stream >= PROF_SHARED_LOAD && stream <= PROF_SHARED_COPY) return (uint64_t)WORD * cc->shared_banks;
    bool past_l1 = event_has(i, ISA_MOD_CG) || event_has(i, ISA_MOD_CV);
    return stream == PROF_GLOBAL_LOAD && !past_l1 ? cc->load_segment : SECTOR;
}

static void add_moved(struct prof_access *access, const struct event_instr *i, enum prof_stream stream,
                      uint64_t units, uint64_t more, const struct arch_cc *cc)
{
    bool global = stream <= PROF_GLOBAL_COPY,
         atomic = stream == PROF_GLOBAL_ATOM || stream == PROF_GLOBAL_RED;
    bool segments =
        global && (cc->global_rule == EVENT_GLOBAL_STRICT || cc->global_rule == EVENT_GLOBAL_SEGMENTS);
    access->moved += segments ? more * SECTOR : units * unit_bytes(i, stream, cc);
    access->distinct += atomic && !segments ? more : units;
}

/* Requests as hardware counts them. */
static uint64_t launch_requests_of(const struct event_instr *i, enum event_access access, uint64_t instrs,
                                   uint64_t more)
{
    if (access == EVENT_ACCESS_LOCAL && i->bytes > WORD) return instrs * (i->bytes / WORD);
    return access == EVENT_ACCESS_TEXTURE ? more : instrs;
}

static struct prof_access *launch_add_access(struct prof_sums *sums, const struct event_instr *i,
                                             enum event_access a, const uint64_t *counters,
                                             const struct arch_cc *cc)
{
    const struct event_access_slots *slots = &i->slots.access[a];
    uint64_t instrs = at(counters, slots->requests), units = at(counters, slots->units);
    uint64_t ideal = at(counters, slots->ideal), more = at(counters, slots->more);
    if (!instrs) return NULL;
    enum prof_stream stream = stream_of(i, a);
    struct prof_access *access = &sums->access[stream];
    access->instrs += instrs;
    access->requests += launch_requests_of(i, a, instrs, more);
    access->units += units;
    access->ideal += ideal;
    add_moved(access, i, stream, units, more, cc);
    if (stream == PROF_GLOBAL_COPY && event_has(i, ISA_MOD_CG)) sums->bypass_sectors += units;
    if (a != EVENT_ACCESS_SHARED || !more) return access;
    sums->access[PROF_SHARED_LOAD].units += more; /* the loads of an atomic's loop */
    sums->access[PROF_SHARED_LOAD].ideal += more;
    return access;
}

static void add_accesses(struct prof_sums *sums, const struct event_instr *i, const uint64_t *counters,
                         const struct arch_cc *cc)
{
    uint32_t touched = 0;
    uint64_t bytes = at(counters, i->slots.on_lanes) * i->bytes;
    struct prof_access *last = NULL;
    for (uint32_t a = 0; a < EVENT_ACCESS_COUNT; a++) {
        struct prof_access *access = launch_add_access(sums, i, (enum event_access)a, counters, cc);
        if (!access) continue;
        if (i->cls == ISA_CLASS_COPY) access->bytes += bytes;
        last = access;
        touched++;
    }
    if (i->cls == ISA_CLASS_COPY) return;
    if (touched == 1) last->bytes += bytes;
    if (touched > 1) sums->bytes_unclear = true;
}

/* Which barrier an instruction names; UINT32_MAX: a register does. */
static uint32_t barrier_of(const struct event_instr *i)
{
    const struct event_operand *barrier = event_operand_at(i, event_has(i, ISA_MOD_RED) ? 1 : 0);
    return barrier->kind == ISA_OPD_INT ? (uint32_t)barrier->bits : UINT32_MAX;
}

uint32_t prof_barrier_count(const struct event_kernel *kernel)
{
    enum { BARRIERS = 16 };
    uint32_t seen = 0;
    for (uint32_t i = 0; i < kernel->instr_count; i++) {
        const struct event_instr *instr = &kernel->instrs[i];
        if (!event_is_wide_barrier(instr) || event_has(instr, ISA_MOD_CLUSTER)) continue;
        uint32_t barrier = barrier_of(instr);
        if (barrier >= BARRIERS) return UINT32_MAX;
        seen |= 1u << barrier;
    }
    return (uint32_t)__builtin_popcount(seen);
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
    if (i->flop <= ISA_FLOP_FMA) sums->flop_lanes[i->unit][i->flop] += on_lanes;
    prof_flop_add(sums, i, at(counters, i->slots.on_warps), on_lanes);
    if (i->cls == ISA_CLASS_BRANCH) {
        sums->branches += at(counters, i->slots.warps);
        sums->divergent += at(counters, i->slots.divergent);
    }
    add_accesses(sums, i, counters, cc);
}

static struct prof_access total(const struct prof_sums *sums, enum prof_stream first, enum prof_stream last)
{
    struct prof_access sum = {0};
    for (int s = first; s <= (int)last; s++) {
        sum.instrs += sums->access[s].instrs;
        sum.requests += sums->access[s].requests;
        sum.units += sums->access[s].units;
        sum.ideal += sums->access[s].ideal;
        sum.distinct += sums->access[s].distinct;
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
    return total(sums, PROF_SHARED_LOAD, PROF_SHARED_COPY);
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

/* Whose sectors caches count: asynchronous copies are loads (recorded on an H200, copy_async of
 * tests/hw/memory). */
static enum prof_stream cache_stream(const struct event_instr *i, enum event_access access)
{
    enum prof_stream stream = stream_of(i, access);
    if (i->cls == ISA_CLASS_COPY && event_has(i, ISA_MOD_BULK)) return bulk_stream(i);
    if (i->cls == ISA_CLASS_TEXTURE) return texture_stream(i);
    return stream == PROF_GLOBAL_COPY ? PROF_GLOBAL_LOAD : stream;
}

static void launch_add_instr(struct prof_launch *p, uint32_t i)
{
    const struct event_instr *instr = &p->launch->kernel->instrs[i];
    const struct event_memory *memory = p->launch->memory;
    prof_sums_add(&p->sums, instr, p->launch->counters, p->cc);
    for (uint32_t a = 0; memory && i < memory->instr_count && a < EVENT_MEMORY_SPACES; a++)
        event_memory_add(&p->sums.caches[cache_stream(instr, (enum event_access)a)], &memory->instrs[i][a]);
}

void prof_launch_count(struct prof_launch *p)
{
    const struct event_launch *l = p->launch;
    memset(&p->sums, 0, sizeof p->sums);
    for (uint32_t i = 0; p->counted && i < l->kernel->instr_count; i++)
        launch_add_instr(p, i);
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
    out->predicted_ns = l->time ? (double)l->time->duration_ns : 0;
    prof_launch_count(out);
    if (l->routine) return;
    out->threads = l->block[0] * l->block[1] * l->block[2];
    out->registers = reported_registers(cc, l->kernel->registers);
    uint32_t shared = l->kernel->static_shared_bytes + l->dynamic_shared_bytes;
    uint32_t allocated =
        (shared + cc->shared_reserved + cc->shared_unit - 1) / cc->shared_unit * cc->shared_unit;
    out->shared_config = arch_shared_carveout(cc, out->threads, out->registers, allocated);
    struct arch_occupancy_request request = {out->threads, out->registers, shared, out->shared_config};
    out->has_occupancy = arch_occupancy_compute(cc, &request, &out->occupancy, NULL) == SW_OK;
}

double prof_start_ns(const struct arch_gpu *gpu, const struct event_time *t)
{
    double cycles = (double)gpu->kernels.sm_cold_cycles;
    return (double)gpu->kernels.sm_start_ns + (t->clock_khz ? cycles * 1e6 / (double)t->clock_khz : 0);
}
