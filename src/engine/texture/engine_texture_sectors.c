/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: which sectors of 32 bytes a texture or surface instruction touches, and how many requests its warp
 * makes of them.
 * Method: a quad of lanes makes a request, of one-dimensional textures and of surfaces eight lanes do; a
 * request's sectors are the distinct ones of its texels. In linear memory a sector is 32 bytes of a row. In
 * an array it is 16 bytes of two rows: arrays lie in blocks of 64 bytes by 8 rows, in which the positions of
 * sectors are those of NVIDIA's block-linear layout; what an array asks of the caches has addresses in a
 * window of its own, where each slice has as much room as its blocks take. Sources: "Block linear" of Linux'
 * drm_fourcc.h and the Tegra X1 manual (blocks); the 10 launches recorded on an H200 (tests/hw/h200,
 * texture_row to surface_write), whose requests and sectors are those of these rules. Limits: one-dimensional
 * arrays are taken as linear; how many blocks stand above each other is a guess. */
#include "engine_texture_priv.h"

#include "engine/record/engine_note.h"

#include <string.h>

enum { SECTOR_BYTES = 32, QUAD = 4, EIGHT = 8 };

/* Room for the blocks of even the smallest level: one texel of a byte has 512. */
#define ARRAY_WINDOW (EVENT_LOCAL_WINDOW >> 1)
enum { ARRAY_SPREAD = 512, BLOCK_BYTES = 512, BLOCK_WIDTH = 64, BLOCK_ROWS = 8, MOST_BLOCKS = 16 };

void texture_seen_begin(struct texture_seen *seen, const struct jit_texture_op *op)
{
    bool surface =
        op->kind == JIT_SURFACE_LOAD || op->kind == JIT_SURFACE_STORE || op->kind == JIT_SURFACE_REDUCE;
    seen->lanes = surface || (op->dimensions == 1) ? EIGHT : QUAD;
    seen->count = seen->bytes = 0;
    seen->sectors = seen->requests = 0;
}

static uint64_t block_linear(const struct jit_texture *t, const struct jit_texture_level *level, uint64_t x,
                             uint64_t y)
{
    uint64_t row_bytes = (uint64_t)level->width * texture_texel_bytes(t) * t->channels, above = 1;
    uint64_t across = (row_bytes + BLOCK_WIDTH - 1) / BLOCK_WIDTH;
    while (above < MOST_BLOCKS && above * BLOCK_ROWS < level->height)
        above *= 2;
    uint64_t block = (y / BLOCK_ROWS / above * across + x / BLOCK_WIDTH) * above + y / BLOCK_ROWS % above;
    uint64_t within = x % 64 / 32 * 256 + y % 8 / 2 * 64 + x % 32 / 16 * 32 + y % 2 * 16 + x % 16;
    return block * BLOCK_BYTES + within;
}

/* x in bytes */
void texture_seen_texel(struct texture_seen *seen, const struct jit_texture *t,
                        const struct jit_texture_level *level, int64_t x, int64_t y, int64_t z,
                        uint32_t bytes)
{
    uint64_t slice = level->base + (uint64_t)z * level->slice, at;
    if (t->plain || level->height <= 1)
        at = slice + (uint64_t)y * level->pitch + (uint64_t)x;
    else
        at = ARRAY_WINDOW + slice * ARRAY_SPREAD + block_linear(t, level, (uint64_t)x, (uint64_t)y);
    at &= ~(uint64_t)(SECTOR_BYTES - 1);
    seen->bytes += bytes;
    for (uint32_t i = seen->count; i > 0; i--)
        if (seen->at[i - 1] == at) return;
    if (seen->count < TEXTURE_MOST_SECTORS) seen->at[seen->count++] = at;
}

void texture_seen_taps(struct texture_seen *seen, const struct jit_texture *t,
                       const struct texture_taps *taps)
{
    uint32_t bytes = texture_texel_bytes(t) * t->channels;
    for (unsigned i = 0; i < taps->count; i++) {
        const struct texture_tap *tap = &taps->at[i];
        if (tap->x < 0 || tap->y < 0 || tap->z < 0) continue;
        texture_seen_texel(seen, t, tap->level, tap->x * bytes, tap->y, tap->z, bytes);
    }
}

/* A request's sectors, 32 at a time; of a store, how many bytes of each, on average, in words. */
static void texture_sectors_note(struct jit_ctx *ctx, const struct texture_seen *seen)
{
    uint32_t each = seen->bytes / seen->count & ~3u;
    each = each < 4 ? 4 : each > SECTOR_BYTES ? SECTOR_BYTES : each;
    for (uint32_t first = 0; first < seen->count; first += SW_WARP_LANES) {
        uint64_t addr[SW_WARP_LANES] = {0};
        uint32_t count = seen->count - first < SW_WARP_LANES ? seen->count - first : SW_WARP_LANES;
        memcpy(addr, seen->at + first, count * sizeof *addr);
        engine_note_access(ctx, addr, UINT32_MAX >> (SW_WARP_LANES - count), each,
                           seen->requests > 1 || first);
    }
}

/* A lane was done; after the last of its group the request is made. active: lanes with and after this one */
void texture_seen_lane(struct jit_ctx *ctx, struct texture_seen *seen, uint32_t lane, lane_mask left)
{
    uint32_t group = lane / seen->lanes;
    lane_mask same = (lane_mask)((1u << seen->lanes) - 1) << group * seen->lanes;
    if (left & same) return;
    seen->requests++;
    seen->sectors += seen->count;
    if (seen->count) texture_sectors_note(ctx, seen);
    seen->count = seen->bytes = 0;
}
