/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: find accesses of memory that is not valid, to the byte (EVENT_PROBE_BOUNDS). Method: emitted code
 * compares addresses with what it knows to be valid, one variable or one space (jit_emit_window.c), or with
 * what was valid at the same access last (jit_emit_bounds.c), and asks here about anything else; helpers that
 * access memory themselves ask for each run of bytes. Each lane is looked at by itself, each that is wrong is
 * kept (engine_findings.c), and its block ends. A write between the rows of pitched memory is kept, too, and
 * the block goes on, since the memory is there; what is read there is initcheck's, which knows which bytes
 * are used. Addresses outside of device memory, a block's shared memory
 * and a lane's local memory are valid as in any launch (engine_host.c). Limits: the block ends at its first
 * wrong warp access; local variables of functions that stay ones are not told apart; a write that begins in
 * a row may end in the padding, and asynchronous copies and matrices may write there. */
#include "engine_bounds.h"

#include "engine_fault.h"
#include "engine_permissions.h"
#include "engine_space.h"
#include "engine_where.h"

#include <stdio.h>
#include <string.h>

enum { KNOWN_ALIGN = 16 }; /* of dynamic shared memory (jit_layout.c) */

static uint64_t address_of(const void *at)
{
    return (uint64_t)(uintptr_t)at;
}

/* Bytes of the block's shared memory that the running kernel may use. */
static uint64_t shared_bytes(const struct jit_ctx *ctx)
{
    const struct engine_worker *worker = ctx->host;
    const struct jit_info *info = &worker->job->variant->info;
    if (info->reads_reserved) return ctx->shared_bytes;
    if (!ctx->dynamic_shared_bytes) return info->shared_end;
    return sw_align_up(info->shared_end, KNOWN_ALIGN) + ctx->dynamic_shared_bytes;
}

bool engine_bounds_on(const struct jit_ctx *ctx)
{
    const struct engine_worker *worker = ctx->host;
    return worker->job->variant->options.probes & EVENT_PROBE_BOUNDS;
}

static uint64_t local_of_lane(const struct jit_ctx *ctx, uint32_t lane)
{
    const struct engine_worker *worker = ctx->host;
    uint64_t thread = (uint64_t)ctx->warp * SW_WARP_LANES + lane;
    return address_of(ctx->local) + thread * worker->job->variant->info.local_bytes;
}

/* ---- which memory an address is in */

struct place {
    enum isa_space space;
    uint64_t base, bytes; /* of the block's shared memory, or the lane's local memory */
};

static struct place place_of(const struct jit_ctx *ctx, uint32_t lane, uint64_t address)
{
    const struct engine_worker *worker = ctx->host;
    enum isa_space space = engine_space_at(ctx, address);
    if (space == ISA_SPACE_SHARED) return (struct place){space, address_of(ctx->shared), shared_bytes(ctx)};
    if (space == ISA_SPACE_LOCAL)
        return (struct place){space, local_of_lane(ctx, lane), worker->job->variant->info.local_bytes};
    return (struct place){.space = ISA_SPACE_GLOBAL};
}

/* Of device malloc? Then which block. */
static bool is_of_heap(struct engine_worker *worker, const struct vmem_block *block, uint64_t address,
                       struct engine_heap_block *out)
{
    return block->tag == ENGINE_HEAP_TAG &&
           engine_heap_find(&worker->engine->heaps[block->device], address, out);
}

/* ---- what is valid around an address
 *
 * stays: it is the same for all lanes, as long as the kernel runs. */

struct bounds {
    uint64_t first, bytes; /* bytes 0: nothing */
    bool stays;
    uint64_t row_bytes, pitch; /* as of struct vmem_block */
};

static struct bounds bounds_new(uint64_t first, uint64_t bytes, bool stays)
{
    return (struct bounds){.first = first, .bytes = bytes, .stays = stays};
}

static struct bounds bounds_of_host(struct engine_worker *worker, uint64_t address)
{
    struct bounds out = {.stays = true};
    if (!engine_host_bounds(worker, address, &out.first, &out.bytes)) out.bytes = 0;
    return out;
}

static struct bounds bounds_at(struct jit_ctx *ctx, uint32_t lane, uint64_t address)
{
    struct engine_worker *worker = ctx->host;
    struct vmem *vmem = worker->engine->config.vmem;
    struct vmem_block block;
    if (!vmem_in_reservation(vmem, address)) {
        struct place place = place_of(ctx, lane, address);
        if (place.space == ISA_SPACE_GLOBAL) return bounds_of_host(worker, address);
        bool inside = address - place.base < place.bytes;
        return bounds_new(place.base, inside ? place.bytes : 0, place.space == ISA_SPACE_SHARED);
    }
    if (!vmem_find(vmem, address, &block)) return (struct bounds){0};
    struct engine_heap_block one;
    if (is_of_heap(worker, &block, address, &one))
        return bounds_new(one.base, one.freed ? 0 : one.bytes, false);
    return (struct bounds){block.base, block.bytes, true, block.row_bytes, block.pitch};
}

static bool is_within(const struct bounds *bounds, uint64_t address, uint64_t bytes)
{
    uint64_t at = address - bounds->first;
    return at < bounds->bytes && bytes <= bounds->bytes - at;
}

/* ---- rows of pitched memory */

/* What is valid for writes around an address: its row, if it has one; bytes 0: it is padding. `row` is that
 * of another address. */
static struct bounds row_of(const struct bounds *bounds, const struct bounds *row, uint64_t address)
{
    if (!bounds->pitch || bounds->row_bytes == bounds->pitch) return *bounds;
    if (address - row->first < row->bytes) return *row;
    uint64_t column = (address - bounds->first) % bounds->pitch;
    return bounds_new(address - column, column < bounds->row_bytes ? bounds->row_bytes : 0, bounds->stays);
}

static void padding_tell(struct jit_ctx *ctx, const struct bounds *bounds, uint64_t address, uint32_t bytes,
                         uint32_t lane, uint32_t line)
{
    struct engine_worker *worker = ctx->host;
    uint64_t at = address - bounds->first, past = at % bounds->pitch - bounds->row_bytes;
    char text[128];
    snprintf(text, sizeof text, "%llu bytes after row %llu, which has %llu bytes of a pitch of %llu",
             (unsigned long long)past + 1, (unsigned long long)(at / bounds->pitch),
             (unsigned long long)bounds->row_bytes, (unsigned long long)bounds->pitch);
    struct event_finding finding = {
        .kind = EVENT_FINDING_PADDING, .space = ISA_SPACE_GLOBAL, .address = address, .message = text};
    engine_place_set(ctx, lane, line, &finding.place);
    finding.place.bytes = bytes;
    finding.place.writes = true;
    worker->armed = 0;
    engine_finding_describe(worker->engine, address, &finding);
    engine_finding_keep(ctx, &finding, 0);
    worker->armed = 1;
}

/* ---- what is told */

static void set_heap_block(struct engine_worker *worker, uint64_t address, struct event_finding *finding)
{
    struct vmem_block block;
    struct engine_heap_block one;
    if (!vmem_find(worker->engine->config.vmem, address, &block)) return;
    if (!is_of_heap(worker, &block, address, &one)) return;
    finding->base = one.base;
    finding->size = one.bytes;
    finding->freed = one.freed;
}

void engine_bounds_place(const struct jit_ctx *ctx, uint32_t lane, uint64_t address,
                         struct event_finding *finding)
{
    struct place place = place_of(ctx, lane, address);
    finding->space = place.space;
    finding->address = address - place.base;
    finding->base = 0;
    finding->size = place.bytes;
    finding->freed = false;
    if (place.space == ISA_SPACE_GLOBAL) set_heap_block(ctx->host, address, finding);
}

_Noreturn static void bounds_end(struct jit_ctx *ctx, const struct event_finding *finding, uint64_t address,
                                 uint32_t lane, uint32_t line)
{
    static const char *const spaces[ISA_SPACE_COUNT] = {[ISA_SPACE_GLOBAL] = "that no allocation has",
                                                        [ISA_SPACE_SHARED] = "outside of shared memory",
                                                        [ISA_SPACE_LOCAL] = "outside of local memory"};
    struct engine_worker *worker = ctx->host;
    const char *what = spaces[finding->space];
    char outside[160] = "outside of a variable", where[ENGINE_WHERE_BYTES];
    if (finding->variable)
        snprintf(outside, sizeof outside, "outside of variable '%.100s'", finding->variable);
    engine_where(ctx, (int)lane, line, where);
    sw_fail(&worker->error, SW_ILLEGAL_ADDRESS,
            "illegal address 0x%llx in block (%u,%u,%u), warp %u%s %s %u bytes %s",
            (unsigned long long)address, ctx->ctaid[0], ctx->ctaid[1], ctx->ctaid[2], ctx->warp, where,
            finding->place.writes ? "writes" : "reads", finding->place.bytes,
            finding->variable || !what ? outside : what);
    engine_fault_unwind(worker);
}

/* ---- accesses of lanes */

const void *engine_bounds_stored(struct jit_ctx *ctx)
{
    const void *stored = ctx->stored;
    ctx->stored = NULL;
    return stored;
}

void engine_bounds_value(const void *stored, uint32_t lane, struct event_place *place)
{
    place->has_value = stored && place->bytes <= sizeof place->value;
    place->value = 0;
    if (place->has_value) memcpy(&place->value, (const uint8_t *)stored + lane * place->bytes, place->bytes);
}

/* some: bytes of each lane; NULL: all have those of `what`. */
static void look_at_lanes(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask, uint32_t what,
                          uint32_t line, const uint32_t *some)
{
    struct engine_worker *worker = ctx->host;
    struct event_finding finding = {
        .kind = EVENT_FINDING_BOUNDS,
        .place = {.bytes = what & (JIT_BOUNDS_WRITE - 1), .writes = what & JIT_BOUNDS_WRITE}};
    const void *stored = engine_bounds_stored(ctx);
    struct bounds bounds = {0}; /* memory comes and goes between two of these calls */
    lane_mask wrong = 0;
    struct bounds row = {0};
    for (lane_mask left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint32_t bytes = some ? some[lane] : finding.place.bytes;
        if (!bounds.stays || !is_within(&bounds, address[lane], bytes))
            bounds = bounds_at(ctx, lane, address[lane]);
        if (!is_within(&bounds, address[lane], bytes)) wrong |= UINT32_C(1) << lane;
        row = finding.place.writes ? row_of(&bounds, &row, address[lane]) : bounds;
        if (!row.bytes && bounds.bytes && is_within(&bounds, address[lane], bytes))
            padding_tell(ctx, &bounds, address[lane], bytes, lane, line);
    }
    ctx->bounds_first = row.first;
    ctx->bounds_bytes = row.stays ? row.bytes : 0;
    if (!wrong) return;
    worker->armed = 0;
    uint32_t first = (uint32_t)__builtin_ctz(wrong);
    for (lane_mask left = wrong; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        engine_bounds_place(ctx, lane, address[lane], &finding);
        engine_bounds_value(stored, lane, &finding.place);
        engine_finding_add(ctx, &finding, finding.address, lane, line);
    }
    engine_bounds_place(ctx, first, address[first], &finding);
    bounds_end(ctx, &finding, address[first], first, line);
}

void engine_help_bounds(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask, uint32_t what,
                        uint32_t line)
{
    look_at_lanes(ctx, address, mask, what, line, NULL);
}

void engine_help_bounds_some(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask, uint32_t what,
                             uint32_t line, const uint32_t *bytes)
{
    look_at_lanes(ctx, address, mask, what, line, bytes);
}

/* alloca gave the lane so many bytes behind the word that counts them (jit_emit_stack.c). */
static bool is_on_stack(const struct jit_window_site *site, uint64_t lane_base, uint64_t address)
{
    enum { WORD = 16 }; /* jit_layout.h: JIT_STACK_WORD */
    uint64_t used, word = lane_base + site->stack - 1, at = address - word - WORD;
    if (!site->stack) return false;
    memcpy(&used, (const void *)(uintptr_t)word, sizeof used);
    return at < used && site->bytes <= used - at;
}

void engine_help_window(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask,
                        const struct jit_window_site *site, uint64_t base, uint64_t bytes)
{
    struct engine_worker *worker = ctx->host;
    bool own = site->space != ISA_SPACE_GLOBAL && site->space != ISA_SPACE_CONST;
    struct event_finding finding = {.kind = EVENT_FINDING_BOUNDS,
                                    .space = (enum isa_space)site->space,
                                    .size = bytes,
                                    .variable = site->name[0] ? site->name : NULL,
                                    .place = {.bytes = site->bytes, .writes = site->writes}};
    const void *stored = engine_bounds_stored(ctx);
    int first = -1;
    for (lane_mask left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        struct bounds bounds = bounds_new(base + lane * site->step, bytes, true);
        if (is_within(&bounds, address[lane], site->bytes) || is_on_stack(site, bounds.first, address[lane]))
            continue;
        worker->armed = 0;
        if (first < 0) first = (int)lane;
        finding.base = own ? site->at : bounds.first;
        engine_bounds_value(stored, lane, &finding.place);
        engine_finding_add(ctx, &finding, own ? address[lane] - bounds.first + site->at : address[lane], lane,
                           site->line);
    }
    if (first >= 0) bounds_end(ctx, &finding, address[first], (uint32_t)first, site->line);
}

/* ---- runs of bytes */

void engine_bounds_span(struct jit_ctx *ctx, enum isa_space space, uint64_t first, uint64_t bytes,
                        bool writes)
{
    struct engine_worker *worker = ctx->host;
    uint64_t at = first, end = first + bytes;
    if (!engine_bounds_on(ctx)) return;
    bool shared = space == ISA_SPACE_SHARED;
    while (at != end) {
        struct bounds bounds = bounds_new(address_of(ctx->shared), shared_bytes(ctx), true);
        if (!shared) bounds = bounds_at(ctx, ctx->lane, at);
        if (!is_within(&bounds, at, 1)) break;
        uint64_t left = bounds.first + bounds.bytes - at;
        at += left < end - at ? left : end - at;
    }
    if (at == end) return;
    worker->armed = 0;
    struct event_finding finding = {.kind = EVENT_FINDING_BOUNDS,
                                    .place = {.bytes = (uint32_t)bytes, .writes = writes}};
    engine_bounds_place(ctx, ctx->lane, at, &finding);
    if (shared) {
        finding.space = ISA_SPACE_SHARED;
        finding.address = at - address_of(ctx->shared);
        finding.size = shared_bytes(ctx);
    }
    engine_finding_add(ctx, &finding, finding.address, ctx->lane, ctx->line);
    bounds_end(ctx, &finding, at, ctx->lane, ctx->line);
}
