/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: requests of memory that helpers make for emitted code (fragments of matrices, bulk copies,
 * textures and surfaces), noted between its own. Method: records as emitted code would write them, where it
 * lends its place (jit_record_lend). Limits: none known. */
#include "engine_detail_priv.h"

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
