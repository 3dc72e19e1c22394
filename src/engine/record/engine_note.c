/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what helpers do for emitted code (requests of memory by fragments of matrices, bulk copies,
 * textures and surfaces; what happens to mbarriers), noted between its own. Method: records as emitted code
 * would write them, between jit_record_helper_begin and _end. Limits: none known. */
#include "engine_note.h"

#include "engine_stream.h"

#include <string.h>

void engine_note_access(struct jit_ctx *ctx, const uint64_t addr[32], lane_mask mask, uint32_t bytes,
                        bool more)
{
    if (!ctx->record_site || !mask) return;
    struct jit_record *record = (struct jit_record *)(void *)ctx->record_end;
    *record = (struct jit_record){.site = ctx->record_site,
                                  .base = bytes,
                                  .mask = mask,
                                  .warp = (uint16_t)ctx->warp,
                                  .limit = (uint8_t)(SW_WARP_LANES + more),
                                  .is_vector = true,
                                  .when = ctx->record_when};
    memcpy(record + 1, addr, JIT_RECORD_ADDRESSES);
    ctx->record_end += sizeof *record + JIT_RECORD_ADDRESSES;
    if (ctx->record_end < ctx->records + JIT_RECORD_BYTES) return;
    engine_help_drain(ctx, ctx->record_end);
    ctx->record_end = ctx->records;
}

/* As lanes that take a line's bytes each. */
void engine_note_span(struct jit_ctx *ctx, uint64_t first, uint32_t bytes)
{
    enum { PIECE = 1 << EVENT_LINE_SHIFT };
    uint64_t addr[SW_WARP_LANES];
    while (bytes) {
        uint32_t lanes = bytes / PIECE < SW_WARP_LANES ? bytes / PIECE : SW_WARP_LANES;
        uint32_t each = lanes ? PIECE : bytes;
        if (!lanes) lanes = 1;
        for (uint32_t lane = 0; lane < SW_WARP_LANES; lane++)
            addr[lane] = first + (uint64_t)lane * PIECE;
        engine_note_access(ctx, addr, UINT32_MAX >> (SW_WARP_LANES - lanes), each, false);
        first += (uint64_t)lanes * each;
        bytes -= lanes * each;
    }
}

void engine_help_phase(struct jit_ctx *ctx, const struct jit_record_site *site, uint64_t address,
                       uint32_t how)
{
    if (how == JIT_PHASE_NOTHING) return;
    struct jit_record *record = (struct jit_record *)(void *)ctx->record_end;
    uint32_t object = (uint32_t)(address - (uint64_t)(uintptr_t)ctx->shared);
    *record = (struct jit_record){.site = site,
                                  .base = object | (uint64_t)how << 32,
                                  .mask = 1,
                                  .warp = (uint16_t)ctx->warp,
                                  .limit = SW_WARP_LANES};
    ctx->record_end += sizeof *record;
    if (ctx->record_end < ctx->records + JIT_RECORD_BYTES) return;
    engine_help_drain(ctx, ctx->record_end);
    ctx->record_end = ctx->records;
}
