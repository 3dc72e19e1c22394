/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what a resident warp asked of memory in a round, from the records that emitted code made; and what
 * is counted of it.
 * Method: records come in program order within a warp (struct jit_record); each becomes a request on the
 * thread's tape, with its lines. A generic access is split by where its lanes' addresses lie; what is shared
 * memory makes no request. Units are counted here, from the lines, as struct event_counters_fns would: code
 * with ACCESS probes leaves that to us. Limits: none known. */
#include "engine_stream.h"

#include "engine/core/engine_job.h"
#include "engine_resident.h"

#include <string.h>

struct access { /* records, one after the other */
    const struct jit_record *record;
    const struct jit_record_site *site;
    const struct jit_ctx *ctx;
    struct engine_resident *resident;
    const struct event_tool *tool;
    struct engine_tape *tape;
    uint32_t local_bytes; /* of a lane */
    uint32_t bytes;       /* of a lane */
    bool expanded;        /* addr is the record's */
    uint64_t addr[SW_WARP_LANES];
};
struct units { /* as they are counted */
    uint64_t units, ideal, more;
};

/* ---- addresses */

static void access_expand(struct access *a)
{
    const struct jit_record *r = a->record;
    if (a->expanded) return;
    a->expanded = true;
    if (r->is_vector) {
        memcpy(a->addr, r + 1, sizeof a->addr);
        return;
    }
    for (uint32_t lane = 0; lane < SW_WARP_LANES; lane++)
        a->addr[lane] =
            r->base + (uint64_t)a->site->stride * lane - (lane >= r->limit ? (uint64_t)a->site->wrap : 0);
}

static bool is_atomic(const struct jit_record_site *site)
{
    return site->kind == EVENT_KIND_ATOM || site->kind == EVENT_KIND_RED;
}

static bool is_progression(const struct jit_record *record)
{
    return !record->is_vector && record->limit >= SW_WARP_LANES;
}

/* Atomics: lanes do not share addresses. */
static bool is_apart(const struct access *a)
{
    int64_t stride = a->site->stride;
    return (uint64_t)(stride < 0 ? -stride : stride) >= a->bytes;
}

/* ---- lines of an access, and its units */

static uint32_t lane_count(lane_mask mask)
{
    return mask == UINT32_MAX ? SW_WARP_LANES : (uint32_t)__builtin_popcount(mask);
}

static struct units ruled_units(struct access *a, lane_mask mask)
{
    access_expand(a);
    uint64_t packed = a->tool->count.global(&a->tool->rules, a->addr, mask, a->bytes, a->site->kind);
    return (struct units){(uint32_t)packed, packed >> 32 & UINT16_MAX, packed >> 48};
}

/* Units of 32 bytes, or of 128; ideal: as few as its bytes fill. */
static struct units global_units(struct access *a, struct engine_line_set accessed, uint32_t distinct,
                                 lane_mask mask)
{
    const struct event_rules *rules = &a->tool->rules;
    uint32_t shift = a->site->kind == EVENT_KIND_LOAD ? rules->load_shift : rules->store_shift;
    bool by_line = shift == EVENT_LINE_SHIFT;
    uint64_t ideal = ((uint64_t)lane_count(mask) * a->bytes + (1u << shift) - 1) >> shift;
    uint64_t most = by_line ? accessed.lines : distinct;
    if (rules->global_rule != EVENT_GLOBAL_UNITS) return ruled_units(a, mask);
    return (struct units){by_line ? accessed.lines : accessed.sectors, ideal < most ? ideal : most,
                          is_atomic(a->site) ? most : 0};
}

static struct units access_global_lines(struct access *a, lane_mask mask, uint64_t *out, uint32_t *lines)
{
    const struct jit_record_site *site = a->site;
    struct engine_line_set accessed;
    uint32_t distinct = UINT32_MAX;
    bool atomic = is_atomic(site), store = site->kind == EVENT_KIND_STORE;
    if (is_progression(a->record) && (!atomic || is_apart(a))) {
        accessed = engine_progression_lines(a->record->base, site->stride, mask, a->bytes, out);
        if (store) engine_progression_partial(a->record->base, site->stride, mask, a->bytes, out, accessed);
    } else {
        access_expand(a);
        accessed = atomic ? engine_atomic_lines(a->addr, mask, a->bytes, out, &distinct)
                          : engine_lines(a->addr, mask, a->bytes, out);
        if (store) engine_partial(a->addr, mask, a->bytes, out, accessed);
    }
    *lines = accessed.lines;
    return global_units(a, accessed, distinct < accessed.sectors ? distinct : accessed.sectors, mask);
}

/* Where the local variables of the record's warp are: those of the kernel, or a stack of calls. */
struct frame {
    uint64_t start, row, within; /* address of lane 0's; line of their first word; offsets are cut to that */
    uint32_t lane_bytes;
};

static struct frame access_frame_of(const struct access *a)
{
    const struct jit_record *r = a->record;
    const struct engine_resident *resident = a->resident;
    if (a->site->space == ISA_SPACE_LOCAL && a->site->lane_bytes)
        return (struct frame){.row = resident->first_call_row + r->warp * ENGINE_CALL_ROWS,
                              .within = ENGINE_CALL_ROWS * 4 - 1,
                              .lane_bytes = a->site->lane_bytes};
    return (struct frame){.start = (uint64_t)(uintptr_t)a->ctx->local +
                                   (uint64_t)r->warp * SW_WARP_LANES * a->local_bytes,
                          .row = resident->first_row + r->warp * resident->rows_per_warp,
                          .within = UINT64_MAX,
                          .lane_bytes = a->local_bytes};
}

static struct units access_local_lines(struct access *a, lane_mask mask, uint64_t *out, uint32_t *lines)
{
    static const uint8_t count_of[] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    const struct jit_record *r = a->record;
    struct frame frame = access_frame_of(a);
    uint64_t row = frame.row;
    uint32_t bytes = a->bytes;
    struct engine_line_set accessed;
    if (is_progression(r) && a->site->stride == (int64_t)frame.lane_bytes) {
        uint64_t offset = (r->base - frame.start) & frame.within;
        accessed = engine_row_lines(row + offset / 4, (uint32_t)((offset + bytes - 1) / 4 - offset / 4 + 1),
                                    mask, out);
    } else {
        access_expand(a);
        uint64_t offset[SW_WARP_LANES];
        for (uint32_t lane = 0; lane < SW_WARP_LANES; lane++)
            offset[lane] = (a->addr[lane] - frame.start - (uint64_t)lane * frame.lane_bytes) & frame.within;
        accessed = engine_local_lines(offset, mask, bytes, row, out);
    }
    *lines = accessed.lines;
    if (a->site->kind == EVENT_KIND_STORE) engine_local_partial(mask, bytes, out, accessed.lines);
    uint64_t ideal = (uint64_t)count_of[engine_lane_groups(mask)] * ((bytes + 3) / 4);
    return (struct units){accessed.sectors, ideal < accessed.sectors ? ideal : accessed.sectors, 0};
}

/* ---- requests */

static void stream_push(struct engine_tape *tape, const struct jit_record_site *site, uint32_t space,
                        uint32_t lines)
{
    tape->requests[tape->request_count++] = (struct event_request){.instr = site->instr,
                                                                   .lines = (uint16_t)lines,
                                                                   .kind = site->kind,
                                                                   .space = (uint8_t)(space & INT8_MAX)};
    tape->line_count += lines;
}

/* Addresses of a load of constants, as event_stream has them: most often it is one. */
static uint64_t addresses_in_line(struct access *a, lane_mask mask)
{
    enum { MOST = 1u << (64 - EVENT_LINE_WORDS) };
    if (is_progression(a->record) && a->site->stride == 0) return 0;
    access_expand(a);
    uint32_t count = (uint32_t)a->tool->count.constant(&a->tool->rules, a->addr, mask, a->bytes);
    return (uint64_t)((count < MOST ? count : MOST) - 1) << EVENT_LINE_WORDS;
}

/* slot: of units, then of ideal units, then of more */
static void access_request(struct access *a, uint32_t space, lane_mask mask, uint32_t slot)
{
    uint64_t *out = engine_tape_lines(a->tape);
    uint32_t lines;
    struct units units = space == ISA_SPACE_LOCAL ? access_local_lines(a, mask, out, &lines)
                                                  : access_global_lines(a, mask, out, &lines);
    if (space == ISA_SPACE_CONST && lines && mask) out[0] |= addresses_in_line(a, mask);
    stream_push(a->tape, a->site, space, lines);
    bool more = a->record->is_vector && a->record->limit > SW_WARP_LANES;
    a->tape->requests[a->tape->request_count - 1].more = more;
    if (slot == EVENT_NO_SLOT) return;
    a->ctx->counters[slot] += units.units;
    a->ctx->counters[slot + 1] += units.ideal;
    a->ctx->counters[slot + 2] += units.more;
}

/* The most frequent access, which the general way would cost four times as much: all lanes beside each other
 * from a sector's start on, or one element for all, on a GPU that counts sectors. false: it is none. */
static bool stream_take_packed(struct access *a)
{
    const struct jit_record *r = a->record;
    const struct jit_record_site *site = a->site;
    uint32_t bytes = a->bytes;
    bool one = site->stride == 0, packed = site->stride == bytes && !(r->base & 31);
    if (r->mask != UINT32_MAX || !is_progression(r) || is_atomic(site) || site->space != ISA_SPACE_GLOBAL)
        return false;
    if (!one && !packed) return false;
    if (bytes > 16 || bytes & (bytes - 1) || r->base & (bytes - 1)) return false;
    uint64_t *out = engine_tape_lines(a->tape);
    uint32_t sectors = one ? 1 : bytes; /* of 32 lanes: as many sectors as one has bytes */
    uint32_t lines =
        engine_span_lines(r->base, r->base + 32ull * sectors - 1 - (one ? r->base & 31 : 0), out).lines;
    if (one && site->kind == EVENT_KIND_STORE)
        out[0] |= out[0] << EVENT_LINE_PARTIAL | (uint64_t)(bytes > 4 ? bytes / 4 - 1 : 0)
                                                     << EVENT_LINE_WORDS;
    stream_push(a->tape, site, site->space, lines);
    if (site->slots == EVENT_NO_SLOT) return true;
    a->ctx->counters[site->slots] += sectors;
    a->ctx->counters[site->slots + 1] += sectors;
    return true;
}

/* ---- generic accesses */

static lane_mask lanes_in(const struct access *a, lane_mask mask, const uint8_t *base, uint64_t bytes)
{
    lane_mask inside = 0;
    for (uint32_t lane = 0; lane < SW_WARP_LANES; lane++)
        inside |= (lane_mask)(a->addr[lane] - (uint64_t)(uintptr_t)base < bytes) << lane;
    return inside & mask;
}

/* No lane of a progression is in shared or local memory, or on the stack. */
static bool stays_outside(const struct access *a, uint64_t local_bytes)
{
    const struct jit_record *r = a->record;
    if (!is_progression(r)) return false;
    uint64_t last = r->base + (uint64_t)a->site->stride * (SW_WARP_LANES - 1);
    uint64_t low = last < r->base ? last : r->base, high = last < r->base ? r->base : last;
    uint64_t shared = (uint64_t)(uintptr_t)a->ctx->shared, local = (uint64_t)(uintptr_t)a->ctx->local;
    const struct engine_worker *worker = a->ctx->host;
    uint64_t stack = (uint64_t)(uintptr_t)worker->stack;
    return (high < shared || low >= shared + a->ctx->shared_bytes) &&
           (high < local || low >= local + local_bytes) &&
           (high < stack || low >= stack + worker->stack_bytes);
}

static void access_shared_units(const struct access *a, lane_mask mask, uint32_t slot)
{
    uint64_t offset[SW_WARP_LANES], shared = (uint64_t)(uintptr_t)a->ctx->shared;
    for (uint32_t lane = 0; lane < SW_WARP_LANES; lane++)
        offset[lane] = a->addr[lane] - shared;
    const struct engine_worker *worker = a->ctx->host;
    uint64_t packed =
        a->tool->count.shared(&worker->job->rules, offset, mask, a->bytes, a->site->shared_kind);
    a->ctx->counters[slot] += (uint32_t)packed;
    a->ctx->counters[slot + 1] += packed >> 32 & UINT16_MAX;
    a->ctx->counters[slot + 2] += packed >> 48;
}

/* Four slots a space: requests, units, ideal units, more. */
static uint32_t part_slot(const struct access *a, enum event_access space)
{
    uint32_t slot = a->site->slots + 4 * (uint32_t)space;
    a->ctx->counters[slot]++;
    return slot + 1;
}

/* Local variables of functions that stay functions lie on the host's stack, at places that say nothing: as if
 * all lanes were at the beginning of the stack of calls. */
static void access_stack_request(struct access *a, lane_mask mask, uint32_t slot)
{
    uint64_t *out = engine_tape_lines(a->tape),
             row = a->resident->first_call_row + a->record->warp * ENGINE_CALL_ROWS;
    struct engine_line_set accessed = engine_row_lines(row, (a->bytes + 3) / 4, mask, out);
    if (a->site->kind == EVENT_KIND_STORE) engine_local_partial(mask, a->bytes, out, accessed.lines);
    stream_push(a->tape, a->site, ISA_SPACE_LOCAL, accessed.lines);
    a->ctx->counters[slot] += accessed.sectors;
    a->ctx->counters[slot + 1] += accessed.sectors;
}

struct split { /* lanes of a generic access */
    lane_mask global, shared, local, stack;
};

static struct split access_split(struct access *a)
{
    struct split lanes = {.global = a->record->mask};
    const struct engine_worker *worker = a->ctx->host;
    uint64_t local_bytes = (uint64_t)engine_block_warps(a->ctx) * SW_WARP_LANES * a->local_bytes;
    if (stays_outside(a, local_bytes)) return lanes;
    access_expand(a);
    lanes.shared = lanes_in(a, lanes.global, a->ctx->shared, a->ctx->shared_bytes);
    lanes.local = lanes_in(a, lanes.global & ~lanes.shared, a->ctx->local, local_bytes);
    lanes.global &= ~lanes.shared & ~lanes.local;
    lanes.stack = lanes_in(a, lanes.global, worker->stack, worker->stack_bytes);
    lanes.global &= ~lanes.stack;
    return lanes;
}

static void access_generic_request(struct access *a)
{
    struct split lanes = access_split(a);
    if (lanes.shared) access_shared_units(a, lanes.shared, part_slot(a, EVENT_ACCESS_SHARED));
    if (lanes.local) access_request(a, ISA_SPACE_LOCAL, lanes.local, part_slot(a, EVENT_ACCESS_LOCAL));
    if (lanes.stack) access_stack_request(a, lanes.stack, part_slot(a, EVENT_ACCESS_LOCAL));
    if (lanes.global) access_request(a, ISA_SPACE_GLOBAL, lanes.global, part_slot(a, EVENT_ACCESS_GLOBAL));
}

static void stream_push_work(struct engine_tape *tape, uint64_t work)
{
    while (work) {
        uint32_t part = work < UINT32_MAX ? (uint32_t)work : UINT32_MAX;
        struct jit_record_site site = {.instr = part, .kind = EVENT_KIND_WORK};
        engine_tape_lines(tape);
        stream_push(tape, &site, ISA_SPACE_NONE, 0);
        work -= part;
    }
}

static void stream_take_phase(struct access *a)
{
    struct engine_phase_note note = engine_phase_take(&a->resident->phases, a->record);
    struct jit_record_site site = {.instr = a->site->instr, .kind = note.kind};
    if (!note.count) return;
    memcpy(engine_tape_lines(a->tape), note.lines, note.count * sizeof *note.lines);
    stream_push(a->tape, &site, ISA_SPACE_NONE, note.count);
}

static void stream_take_other(struct access *a, struct engine_stream *stream)
{
    const struct jit_record_site *site = a->site;
    if (site->kind == JIT_KIND_WORK) {
        stream_push_work(a->tape, a->record->base);
    } else if (site->kind == JIT_KIND_END) {
        stream_push_work(a->tape, a->record->base);
        stream->ended = true;
    } else if (site->kind == EVENT_KIND_BARRIER) {
        stream_push_work(a->tape, a->record->base);
        engine_tape_lines(a->tape);
        stream_push(a->tape, site, ISA_SPACE_NONE, 0);
    } else if (site->kind == EVENT_KIND_AWAIT) {
        stream_take_phase(a);
    } else if (a->record->mask) {
        access_generic_request(a);
    }
}

/* ---- the address set */

/* Lines of the request just made that are in the address set, instead of it. */
static void keep_in_address_set(struct access *a, struct engine_set_accesses *accessed)
{
    const struct engine_tape *tape = a->tape;
    enum { SET_ACCESSES_MOST = 1 << 13 }; /* of a block: half a million lines */
    for (size_t i = 0; i < tape->line_count && accessed->count < SET_ACCESSES_MOST; i++) {
        if (!event_in_address_set(event_line_number(tape->lines[i]) << EVENT_LINE_SHIFT)) continue;
        if (accessed->count == accessed->capacity) {
            accessed->capacity = 2 * accessed->capacity + 16;
            accessed->accesses =
                sw_xrealloc(accessed->accesses, accessed->capacity * sizeof *accessed->accesses);
        }
        accessed->accesses[accessed->count++] = (struct event_set_access){
            .line = tape->lines[i], .when = a->record->when, .instr = a->site->instr, .kind = a->site->kind};
    }
    engine_tape_begin(a->tape);
}

static void stream_keep_set_access(struct access *a, struct engine_set_accesses *accessed)
{
    lane_mask mask = a->record->mask;
    if (a->site->space == ISA_SPACE_GENERIC) mask = access_split(a).global;
    if (!mask) return;
    access_request(a, ISA_SPACE_GLOBAL, mask, EVENT_NO_SLOT);
    keep_in_address_set(a, accessed);
}

/* ---- all records of a buffer */

static void stream_next_record(struct access *a, const struct jit_record *record)
{
    const struct jit_record_site *site = record->site;
    a->record = record;
    a->site = site;
    a->bytes = site->bytes ? site->bytes : (uint32_t)record->base;
    a->expanded = false;
}

static void stream_requests(struct access *a)
{
    const struct jit_record_site *site = a->site;
    struct engine_stream *stream = &a->resident->streams[a->record->warp];
    if (stream != a->tape->current) engine_tape_switch(a->tape, stream);
    if (a->record->work) stream_push_work(a->tape, a->record->work);
    if (a->resident->counts_sectors && stream_take_packed(a)) return;
    if (site->kind >= EVENT_KIND_BARRIER || site->space == ISA_SPACE_GENERIC)
        stream_take_other(a, stream);
    else if (a->record->mask)
        access_request(a, site->space, a->record->mask, site->slots);
}

/* From emitted code: ctx->records up to `end` are full. */
void engine_help_drain(struct jit_ctx *ctx, const uint8_t *end)
{
    struct engine_worker *worker = ctx->host;
    struct engine_set_accesses *accessed = worker->set_accesses;
    struct access a;
    a.ctx = ctx;
    a.resident = worker->resident;
    a.tape = accessed ? worker->scratch : worker->tape;
    a.tool = worker->engine->config.tool;
    a.local_bytes = worker->job->variant->info.local_bytes;
    worker->armed = 0;
    for (const uint8_t *at = ctx->records; at < end;) {
        const struct jit_record *record = (const struct jit_record *)(const void *)at;
        at += sizeof *record + (record->is_vector ? JIT_RECORD_ADDRESSES : 0);
        stream_next_record(&a, record);
        if (accessed)
            stream_keep_set_access(&a, accessed);
        else
            stream_requests(&a);
    }
    worker->armed = 1;
}
