/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what a resident warp asked of memory in a turn, from the records that emitted code made.
 * Method: records come in program order within a warp (struct jit_record); each becomes a request of its
 * warp's stream, with its lines. Arithmetic progressions of up to a sector a step are a span; everything else
 * is a list of addresses. A generic access is split by where its lanes' addresses lie; what is shared memory
 * makes no request. Limits: none known. */
#include "engine_watch_priv.h"

#include <string.h>

struct access { /* one record, while it is read */
    const struct jit_record *record;
    const struct jit_record_site *site;
    const struct jit_ctx *ctx;
    const struct engine_resident *resident;
    uint32_t local_bytes; /* of a lane */
    bool expanded;
    uint64_t addr[SW_WARP_LANES];
};

void engine_stream_release(struct engine_stream *stream)
{
    free(stream->requests);
    free(stream->lines);
    *stream = (struct engine_stream){0};
}

/* ---- growing */

static uint64_t *lines_room(struct engine_stream *stream, size_t more)
{
    if (stream->line_count + more > stream->line_room) {
        stream->line_room = 2 * stream->line_room + more;
        stream->lines = sw_xrealloc(stream->lines, stream->line_room * sizeof *stream->lines);
    }
    return stream->lines + stream->line_count;
}

static void push(struct engine_stream *stream, struct event_request request)
{
    if (stream->request_count == stream->request_room) {
        stream->request_room = 2 * stream->request_room + 32;
        stream->requests = sw_xrealloc(stream->requests, stream->request_room * sizeof *stream->requests);
    }
    stream->requests[stream->request_count++] = request;
    stream->line_count += request.lines;
}

/* ---- addresses */

static void expand(struct access *a)
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

static uint64_t reach_of(const struct jit_record_site *site)
{
    return (uint64_t)(site->stride < 0 ? -site->stride : site->stride);
}

/* Are the lanes of mask an unbroken run (and some)? */
static bool is_gapless(lane_mask mask)
{
    return mask && !(mask & (mask + (mask & -mask)));
}

/* Every sector from the first byte to the last is touched, once. */
static bool is_span(const struct access *a, lane_mask mask)
{
    enum { SECTOR_BYTES = 32 };
    uint64_t reach = reach_of(a->site);
    if (a->record->is_vector || (a->site->wrap && a->record->limit < SW_WARP_LANES)) return false;
    if (is_atomic(a->site) && reach < a->site->bytes) return false; /* lanes share an address */
    return reach <= SECTOR_BYTES && is_gapless(mask);
}

static uint32_t global_lines(struct access *a, lane_mask mask, uint64_t *out)
{
    const struct jit_record_site *site = a->site;
    if (is_span(a, mask)) {
        uint64_t first = a->record->base + (uint64_t)site->stride * (uint32_t)__builtin_ctz(mask);
        uint64_t last = a->record->base + (uint64_t)site->stride * (31 - (uint32_t)__builtin_clz(mask));
        return engine_span_lines(first < last ? first : last, (first < last ? last : first) + site->bytes - 1,
                                 out);
    }
    expand(a);
    if (is_atomic(site)) return engine_atomic_lines(a->addr, mask, site->bytes, out);
    return engine_lines(a->addr, mask, site->bytes, out);
}

static uint32_t local_lines(struct access *a, lane_mask mask, uint64_t *out)
{
    const struct jit_record *r = a->record;
    uint64_t start = (uint64_t)(uintptr_t)a->ctx->local + (uint64_t)r->warp * SW_WARP_LANES * a->local_bytes;
    uint64_t row = a->resident->first_row + r->warp * a->resident->rows_per_warp;
    uint32_t bytes = a->site->bytes;
    if (!r->is_vector && a->site->stride == (int64_t)a->local_bytes && r->limit == SW_WARP_LANES) {
        uint64_t offset = r->base - start;
        return engine_row_lines(row + offset / 4, (uint32_t)((offset + bytes - 1) / 4 - offset / 4 + 1), mask,
                                out);
    }
    expand(a);
    uint64_t offset[SW_WARP_LANES];
    for (uint32_t lane = 0; lane < SW_WARP_LANES; lane++)
        offset[lane] = a->addr[lane] - start - (uint64_t)lane * a->local_bytes;
    return engine_local_lines(offset, mask, bytes, row, out);
}

/* ---- requests */

/* Only lines of the sample stay. */
static uint32_t sample(const struct engine_resident *resident, uint64_t *lines, uint32_t count)
{
    uint32_t kept = 0;
    if (!resident->sample_shift) return count;
    for (uint32_t i = 0; i < count; i++)
        if (event_is_sampled(lines[i] >> EVENT_LINE_SECTORS, resident->sample_shift))
            lines[kept++] = lines[i];
    return kept;
}

static void request(struct access *a, struct engine_stream *stream, uint32_t space, lane_mask mask)
{
    if (!mask) return;
    bool atomic = is_atomic(a->site);
    uint64_t *out = lines_room(stream, atomic ? SW_WARP_LANES * ENGINE_LANE_LINES : ENGINE_ACCESS_LINES);
    uint32_t count = space == EVENT_SPACE_LOCAL ? local_lines(a, mask, out) : global_lines(a, mask, out);
    push(stream, (struct event_request){.instr = a->site->instr,
                                        .lines = (uint16_t)sample(a->resident, out, count),
                                        .kind = a->site->kind,
                                        .space = (uint8_t)space});
}

static lane_mask lanes_in(const struct access *a, lane_mask mask, const uint8_t *base, uint64_t bytes)
{
    lane_mask inside = 0;
    for (uint32_t lane = 0; lane < SW_WARP_LANES; lane++)
        inside |= (lane_mask)(a->addr[lane] - (uint64_t)(uintptr_t)base < bytes) << lane;
    return inside & mask;
}

/* No lane of an unwrapped progression is in shared or local memory. */
static bool stays_outside(const struct access *a, uint64_t local_bytes)
{
    const struct jit_record *r = a->record;
    if (r->is_vector || r->limit < SW_WARP_LANES) return false;
    uint64_t last = r->base + (uint64_t)a->site->stride * (SW_WARP_LANES - 1);
    uint64_t low = last < r->base ? last : r->base, high = last < r->base ? r->base : last;
    uint64_t shared = (uint64_t)(uintptr_t)a->ctx->shared, local = (uint64_t)(uintptr_t)a->ctx->local;
    return (high < shared || low >= shared + a->ctx->shared_bytes) &&
           (high < local || low >= local + local_bytes);
}

static void generic_request(struct access *a, struct engine_stream *stream)
{
    lane_mask mask = a->record->mask;
    uint64_t local_bytes = (uint64_t)engine_block_warps(a->ctx) * SW_WARP_LANES * a->local_bytes;
    if (stays_outside(a, local_bytes)) {
        request(a, stream, EVENT_SPACE_GLOBAL, mask);
        return;
    }
    expand(a);
    lane_mask shared = lanes_in(a, mask, a->ctx->shared, a->ctx->shared_bytes);
    lane_mask local = lanes_in(a, mask & ~shared, a->ctx->local, local_bytes);
    request(a, stream, EVENT_SPACE_LOCAL, local);
    request(a, stream, EVENT_SPACE_GLOBAL, mask & ~shared & ~local);
}

static void take(struct access *a, struct engine_stream *stream)
{
    const struct jit_record_site *site = a->site;
    if (site->kind == JIT_KIND_END)
        stream->ended = true;
    else if (site->kind == EVENT_KIND_BARRIER)
        push(stream, (struct event_request){.instr = site->instr, .kind = site->kind});
    else if (site->space == EVENT_SPACE_GENERIC)
        generic_request(a, stream);
    else
        request(a, stream, site->space, a->record->mask);
}

/* From emitted code: ctx->records up to `end` are full. */
void engine_help_drain(struct jit_ctx *ctx, const uint8_t *end)
{
    struct engine_worker *worker = ctx->host;
    struct engine_resident *resident = worker->resident;
    worker->armed = 0;
    for (const uint8_t *at = ctx->records; at < end;) {
        const struct jit_record *record = (const struct jit_record *)(const void *)at;
        struct access access;
        access.record = record;
        access.site = record->site;
        access.ctx = ctx;
        access.resident = resident;
        access.local_bytes = worker->job->variant->info.local_bytes;
        access.expanded = false;
        take(&access, &resident->streams[record->warp]);
        at += sizeof *record + (record->is_vector ? JIT_RECORD_ADDRESSES : 0);
    }
    worker->armed = 1;
}
