/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: which texture reads a warp does in vectors.
 * Method: what all lanes share (formats, levels, address modes, offsets) is decided here, once a read; the
 * lanes are done by the code for the engine's instruction set (engine_texture_vector_priv.h), and by
 * texture_read_lane those that it leaves. Limits: not supported are cubes, gathers, sRGB, mixtures of two
 * levels, levels or offsets that differ between lanes, whole coordinates with layers or levels, extents over
 * 2^20 (whole coordinates: 2^29), levels of 4 GiB, and memory that is not all the device's. */
#include "engine_texture_warp_priv.h"

#include "engine/core/engine_job.h"

#include <string.h>

enum { MOST_TEXELS = 1 << 20, MOST_WHOLE_TEXELS = 1 << 29 };

static bool texture_warp_has(const struct jit_texture_op *op, enum jit_texture_flag flag)
{
    return (op->flags & flag) != 0;
}

static bool texture_warp_is_same(const uint32_t *row, lane_mask mask)
{
    uint32_t first = row[__builtin_ctz(mask)], differs = 0;
    for (lane_mask left = mask; left; left &= left - 1)
        differs |= row[__builtin_ctz(left)] ^ first;
    return !differs;
}

static enum texture_result result_of(const struct jit_texture_op *op, const struct jit_texture *t)
{
    bool integers = texture_warp_has(op, JIT_TEXTURE_INTEGER_RESULT) && !t->read_normalized,
         element = integers || (t->texel < JIT_TEXEL_U32 ? !t->read_normalized : !t->linear);
    switch ((enum jit_texel)t->texel) {
    case JIT_TEXEL_U8:
    case JIT_TEXEL_U16: return element ? TEXTURE_RAW : TEXTURE_UNSIGNED_SUM;
    case JIT_TEXEL_S8: return element ? TEXTURE_SIGNED_8 : TEXTURE_SIGNED_SUM;
    case JIT_TEXEL_S16: return element ? TEXTURE_SIGNED_16 : TEXTURE_SIGNED_SUM;
    case JIT_TEXEL_F16: return element ? TEXTURE_HALF : TEXTURE_HALF_SUM;
    case JIT_TEXEL_U32:
    case JIT_TEXEL_S32:
    case JIT_TEXEL_F32: break;
    }
    return element ? TEXTURE_RAW : TEXTURE_FLOAT_SUM;
}

static bool is_simple(const struct jit_ctx *ctx, const struct jit_texture_op *op, const struct jit_texture *t)
{
    bool whole = texture_warp_has(op, JIT_TEXTURE_INTEGER_COORDS), row = op->dimensions == 1;
    if (op->kind != JIT_TEXTURE_READ || texture_warp_has(op, JIT_TEXTURE_CUBE) || !t->level_count || t->srgb)
        return false;
    if (t->plain && (ctx->denied || (t->rank == 1 && !whole))) return false;
    return !whole ||
           (!texture_warp_has(op, JIT_TEXTURE_LAYERED) && op->level != JIT_LEVEL_GIVEN && (!row || t->plain));
}

/* The one level that all lanes read; NULL: there is none. */
static const struct jit_texture_level *
find_level(const struct jit_texture_op *op, const struct jit_texture *t, lane_mask mask, const uint32_t *rows)
{
    if (t->level_count == 1) return &t->levels[0];
    bool same =
        op->level <= JIT_LEVEL_BASE ||
        (op->level == JIT_LEVEL_GIVEN && texture_warp_is_same(rows + JIT_ROW_LEVEL * SW_WARP_LANES, mask));
    if (!same) return NULL;
    int32_t level = texture_level(op, t, rows + __builtin_ctz(mask));
    if (!t->level_linear) level = (level + 128) & ~255;
    return level & 255 ? NULL : &t->levels[level >> 8];
}

static bool plan_extents(struct texture_plan *plan)
{
    const struct jit_texture_level *level = plan->level;
    const uint32_t extents[3] = {level->width, level->height, level->depth};
    uint32_t most = plan->coordinate == TEXTURE_INTEGER ? MOST_WHOLE_TEXELS : MOST_TEXELS;
    uint64_t bytes = (uint64_t)level->width * plan->texel_bytes;
    if (level->height > 1) bytes += (level->height - 1) * level->pitch;
    if (level->depth > 1) bytes += (level->depth - 1) * level->slice;
    for (unsigned d = 0; d < plan->dimensions; d++) {
        plan->extent[d] = extents[d] ? extents[d] : 1;
        if (plan->extent[d] > most) return false;
        plan->address[d] =
            plan->coordinate == TEXTURE_INTEGER ? JIT_ADDRESS_BORDER : texture_addressing(plan->t, d);
    }
    return bytes <= UINT32_MAX;
}

static bool plan_offsets(const struct jit_texture_op *op, struct texture_plan *plan)
{
    for (unsigned d = 0; d < plan->dimensions; d++) {
        const uint32_t *row = plan->rows + (JIT_ROW_OFFSET + d) * SW_WARP_LANES;
        plan->offset[d] = 0;
        if (!op->offset) continue;
        if (!texture_warp_is_same(row, plan->mask)) return false;
        plan->offset[d] = texture_offset(row[__builtin_ctz(plan->mask)]);
    }
    return true;
}

static void plan_row(const struct jit_texture_op *op, struct texture_plan *plan)
{
    plan->row = (struct texture_axis){0, 0, 0};
    if (op->dimensions == 1 && !texture_warp_has(op, JIT_TEXTURE_INTEGER_COORDS) &&
        !texture_warp_has(op, JIT_TEXTURE_LAYERED))
        plan->row = texture_row(op, plan->t, plan->offset[0]);
}

static void plan_border(struct texture_plan *plan)
{
    const struct texture_tap border = {.level = plan->level, .x = -1};
    const uint8_t *address = plan->t->address;
    bool bordered = address[0] == JIT_ADDRESS_BORDER || address[1] == JIT_ADDRESS_BORDER ||
                    address[2] == JIT_ADDRESS_BORDER;
    for (unsigned c = 0; c < plan->channels; c++)
        plan->border[c] = bordered ? texture_texel_raw(plan->t, &border, c) : 0;
}

static bool make_plan(const struct jit_texture_op *op, struct texture_plan *plan)
{
    const struct jit_texture *t = plan->t;
    plan->level = find_level(op, t, plan->mask, plan->rows);
    if (!plan->level) return false;
    plan->dimensions = op->dimensions;
    plan->channels = t->channels;
    plan->channel_bytes = texture_texel_bytes(t);
    plan->texel_bytes = plan->channel_bytes * t->channels;
    plan->layered = texture_warp_has(op, JIT_TEXTURE_LAYERED);
    plan->outside_is_zero = texture_warp_has(op, JIT_TEXTURE_INTEGER_COORDS);
    plan->coordinate = plan->outside_is_zero  ? TEXTURE_INTEGER
                       : t->normalized_coords ? TEXTURE_NORMALIZED
                                              : TEXTURE_TEXELS;
    plan->filter = texture_filter_of(op, t);
    plan->result = result_of(op, t);
    if (!plan_extents(plan) || !plan_offsets(op, plan)) return false;
    plan_row(op, plan);
    plan_border(plan);
    return true;
}

static void put_halves(uint32_t *values, const uint32_t *found, uint32_t lane)
{
    for (unsigned c = 0; c < 4; c += 2) {
        float low, high;
        memcpy(&low, &found[c * SW_WARP_LANES + lane], sizeof low);
        memcpy(&high, &found[(c + 1) * SW_WARP_LANES + lane], sizeof high);
        values[c / 2 * SW_WARP_LANES + lane] = texture_half_bits(low) | texture_half_bits(high) << 16;
    }
}

static void put_lanes(const struct jit_texture_op *op, lane_mask mask, const uint32_t *found,
                      uint32_t *values)
{
    for (lane_mask left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (texture_warp_has(op, JIT_TEXTURE_HALF_RESULT)) {
            put_halves(values, found, lane);
            continue;
        }
        for (unsigned c = 0; c < 4; c++)
            values[c * SW_WARP_LANES + lane] = found[c * SW_WARP_LANES + lane];
    }
}

lane_mask texture_warp(struct jit_ctx *ctx, const struct jit_texture_op *op, lane_mask mask, bool all,
                       const struct jit_texture *t, const uint32_t *rows, uint32_t *values,
                       struct texture_warp_taps *taps)
{
    static texture_warp_read *const reads[JIT_ISA_COUNT] = {
        [JIT_ISA_SSE2] = texture_warp_sse2,
        [JIT_ISA_AVX2] = texture_warp_avx2,
        [JIT_ISA_AVX512] = texture_warp_avx512,
        [JIT_ISA_NEON] = texture_warp_sse2, /* vectors of 16 bytes, too */
    };
    const struct engine_worker *worker = ctx->host;
    struct texture_plan plan;
    uint32_t found[4 * SW_WARP_LANES];
    plan.t = t;
    plan.rows = rows;
    plan.mask = mask;
    plan.taps = taps;
    if (!is_simple(ctx, op, t) || !make_plan(op, &plan)) return 0;
    bool direct = all && !texture_warp_has(op, JIT_TEXTURE_HALF_RESULT);
    lane_mask done = mask & ~reads[worker->engine->isa](&plan, direct ? values : found);
    if (!direct) put_lanes(op, done, found, values);
    return done;
}
