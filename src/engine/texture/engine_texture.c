/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: textures and surfaces: the instructions, lane by lane, from struct jit_texture in memory.
 * Method: a read becomes up to sixteen weighted texels. Weights are shared out as an H200 does
 * (tests/textures): 256 is split between levels, then slices, then columns, then rows, each time with one
 * product rounded to a whole; of the rows below the first column's, halves go down. Most reads are
 * done 32 lanes at a time instead (engine_texture_warp.c), with the same bits. Limits: slow and
 * plain. Reads device memory and so may fault: no lock is held there. */
#include "engine_texture_warp_priv.h"

#include "engine/core/engine_permissions.h"

#include <string.h>

struct lane { /* of an instruction */
    struct jit_ctx *ctx;
    const struct jit_texture_op *op;
    const struct jit_texture *t;
    const uint32_t *rows;
    uint32_t layer; /* or, of cubes, its first face */
    struct texture_face face;
    struct texture_seen *seen; /* NULL: nobody wants to know */
};

static uint32_t texture_row_of(const struct lane *lane, unsigned row)
{
    return lane->rows[row * 32];
}

static bool texture_has(const struct lane *lane, enum jit_texture_flag flag)
{
    return (lane->op->flags & flag) != 0;
}

/* Offsets of tex have 4 bits, those of tld4 have 6. */
static int32_t texture_offset_of(const struct lane *lane, unsigned d, unsigned bits)
{
    return lane->op->offset ? texture_signed_bits(texture_row_of(lane, JIT_ROW_OFFSET + d), bits) : 0;
}

/* ---- weighted texels */

static void add_tap(struct texture_taps *taps, const struct jit_texture_level *level, int64_t x, int64_t y,
                    int64_t z, uint32_t weight, uint32_t group)
{
    if (weight) taps->at[taps->count++] = (struct texture_tap){level, x, y, z, weight, group};
}

/* Four texels of a slice, with `weight` in all. */
static void add_square(struct texture_taps *taps, const struct jit_texture_level *level,
                       const struct texture_axis a[2], int64_t z, uint32_t weight)
{
    uint32_t group = taps->count, right = (weight * a[0].weight + 128) >> 8, left = weight - right,
             right_below = (right * a[1].weight + 128) >> 8, left_below = (left * a[1].weight + 127) >> 8;
    add_tap(taps, level, a[0].first, a[1].first, z, left - left_below, group);
    add_tap(taps, level, a[0].second, a[1].first, z, right - right_below, group);
    add_tap(taps, level, a[0].first, a[1].second, z, left_below, group);
    add_tap(taps, level, a[0].second, a[1].second, z, right_below, group);
}

static void axes_of(const struct lane *lane, const struct jit_texture_level *level,
                    struct texture_axis axes[3])
{
    const uint32_t extent[3] = {level->width, level->height, level->depth};
    unsigned first = texture_has(lane, JIT_TEXTURE_LAYERED);
    axes[1] = texture_row(lane->op, lane->t, texture_offset_of(lane, 0, 4));
    axes[2] = (struct texture_axis){lane->layer, lane->layer, 0};
    for (unsigned d = 0; d < lane->op->dimensions; d++) {
        int32_t offset = texture_offset_of(lane, d, 4);
        uint32_t coordinate = texture_row_of(lane, first + d);
        axes[d] =
            texture_has(lane, JIT_TEXTURE_INTEGER_COORDS)
                ? texture_axis_integer(extent[d], coordinate, offset, lane->op->level == JIT_LEVEL_GIVEN)
                : texture_axis(lane->t, d, extent[d], coordinate, offset,
                               texture_filter_of(lane->op, lane->t));
    }
    if (lane->op->flags & (JIT_TEXTURE_INTEGER_COORDS | JIT_TEXTURE_LAYERED) && lane->op->dimensions < 2)
        axes[1] = (struct texture_axis){0, 0, 0};
}

static void texture_add_level(const struct lane *lane, unsigned index, uint32_t weight,
                              struct texture_taps *taps)
{
    const struct jit_texture_level *level = &lane->t->levels[index];
    struct texture_axis axes[3];
    axes_of(lane, level, axes);
    uint32_t behind = (weight * axes[2].weight + 127) >> 8;
    add_square(taps, level, axes, axes[2].first, weight - behind);
    add_square(taps, level, axes, axes[2].second, behind);
}

/* ---- cubes */

/* A texel across an edge lies on another face, of seamless cubes. */
static void add_cube_tap(const struct lane *lane, struct texture_taps *taps,
                         const struct jit_texture_level *level, int64_t x, int64_t y, uint32_t weight,
                         uint32_t group)
{
    uint32_t face = lane->face.face;
    if (lane->t->seamless) texture_cube_fold(level->width, &face, &x, &y);
    add_tap(taps, level, x, y, lane->layer + face, weight, group);
}

/* Places in a face, in texels; of seamless cubes -1 and the extent: across the edge. */
static struct texture_axis face_axis(const struct lane *lane, const struct jit_texture_level *level,
                                     unsigned d, enum texture_filter filter)
{
    struct jit_texture sampler = {.normalized_coords = true, .address = {lane->t->address[d]}};
    bool across = filter != TEXTURE_NEAREST && lane->t->seamless;
    if (across) sampler.address[0] = JIT_ADDRESS_BORDER;
    struct texture_axis axis = texture_axis_at(
        &sampler, 0, level->width, ((double)(d ? lane->face.t : lane->face.s) + 1) / 2, 0, filter);
    if (across && axis.second < 0) axis.second = axis.first < 0 ? 0 : level->width;
    return axis;
}

/* Beyond a corner there is no texel: a third of its weight goes to each of the others, the rest to the one
 * inside. */
static void share_corner(const struct texture_axis *x, const struct texture_axis *y, uint32_t extent,
                         uint32_t weights[4])
{
    for (unsigned i = 0; i < 4; i++) {
        int64_t column = i & 1 ? x->second : x->first, row = i & 2 ? y->second : y->first;
        bool beside = column < 0 || column >= (int64_t)extent, above = row < 0 || row >= (int64_t)extent;
        if (!beside || !above) continue;
        uint32_t third = (weights[i] * 85 + 128) >> 8;
        weights[i ^ 1] += third;
        weights[i ^ 2] += third;
        weights[i ^ 3] += weights[i] - 2 * third;
        weights[i] = 0;
    }
}

static void add_cube_level(const struct lane *lane, unsigned index, uint32_t weight,
                           struct texture_taps *taps)
{
    const struct jit_texture_level *level = &lane->t->levels[index];
    struct texture_axis x = face_axis(lane, level, 0, texture_filter_of(lane->op, lane->t)),
                        y = face_axis(lane, level, 1, texture_filter_of(lane->op, lane->t));
    uint32_t group = taps->count, right = (weight * x.weight + 128) >> 8, left = weight - right,
             right_below = (right * y.weight + 128) >> 8, left_below = (left * y.weight + 127) >> 8;
    uint32_t weights[4] = {left - left_below, right - right_below, left_below, right_below};
    if (lane->t->seamless) share_corner(&x, &y, level->width, weights);
    for (unsigned i = 0; i < 4; i++)
        add_cube_tap(lane, taps, level, i & 1 ? x.second : x.first, i & 2 ? y.second : y.first, weights[i],
                     group);
}

/* ---- reads: a layer is unsigned, and clamped */

static void texture_start(struct lane *lane)
{
    const struct jit_texture_level *level = &lane->t->levels[0];
    uint32_t each = texture_has(lane, JIT_TEXTURE_CUBE) ? 6 : 1, count = level->depth / each;
    if (texture_has(lane, JIT_TEXTURE_LAYERED))
        lane->layer = each * (texture_row_of(lane, 0) < count ? texture_row_of(lane, 0) : count - 1);
    if (texture_has(lane, JIT_TEXTURE_CUBE))
        lane->face = texture_cube_face(lane->rows + texture_has(lane, JIT_TEXTURE_LAYERED) * 32);
}

static void add_any_level(const struct lane *lane, unsigned index, uint32_t weight, struct texture_taps *taps)
{
    if (!weight) return;
    if (texture_has(lane, JIT_TEXTURE_CUBE))
        add_cube_level(lane, index, weight, taps);
    else
        texture_add_level(lane, index, weight, taps);
}

/* What lies outside of whole coordinates (with a level they are clamped) or layers is 0, whatever the border
 * is; and so is all of an array of one dimension, which whole coordinates do not reach. Nothing but those
 * reaches linear memory. */
static bool is_outside(const struct lane *lane, const struct texture_taps *taps)
{
    const struct texture_tap *tap = &taps->at[0];
    bool buffer = lane->t->plain && lane->t->rank == 1;
    if (buffer && !texture_has(lane, JIT_TEXTURE_INTEGER_COORDS)) return true;
    if (!texture_has(lane, JIT_TEXTURE_INTEGER_COORDS)) return false;
    if (texture_has(lane, JIT_TEXTURE_LAYERED) && texture_row_of(lane, 0) >= tap->level->depth) return true;
    if (lane->op->level == JIT_LEVEL_GIVEN && texture_row_of(lane, JIT_ROW_LEVEL) >= lane->t->level_count)
        return true;
    bool array = lane->op->dimensions == 1 && !texture_has(lane, JIT_TEXTURE_LAYERED) && !lane->t->plain;
    return array || tap->x < 0 || tap->y < 0 || tap->z < 0;
}

/* Arrays are the device's own, or their owner let it have them when the object was made. */
static void texture_note_taps(const struct lane *lane, const struct texture_taps *taps)
{
    if (lane->seen) texture_seen_taps(lane->seen, lane->t, taps);
    if (!lane->ctx->denied || !lane->t->plain) return;
    for (unsigned i = 0; i < taps->count; i++)
        if (taps->at[i].x >= 0 && taps->at[i].y >= 0 && taps->at[i].z >= 0)
            engine_permissions_span(lane->ctx, texture_texel_address(lane->t, &taps->at[i]),
                                    texture_texel_bytes(lane->t) * lane->t->channels, JIT_DENIED_READ);
}

static void texture_put_result(const struct lane *lane, uint32_t *values, unsigned c, uint32_t value)
{
    float real;
    memcpy(&real, &value, sizeof real);
    if (!texture_has(lane, JIT_TEXTURE_HALF_RESULT))
        values[c * 32] = value;
    else
        values[c / 2 * 32] = (c & 1 ? values[c / 2 * 32] : 0) | texture_half_bits(real) << (c & 1 ? 16 : 0);
}

static void texture_read_lane(struct lane *lane, uint32_t *values)
{
    const struct jit_texture *t = lane->t;
    struct texture_taps taps = {.count = 0};
    texture_start(lane);
    int32_t level = texture_level(lane->op, t, lane->rows);
    if (!t->level_linear) level = (level + 128) & ~255;
    add_any_level(lane, (uint32_t)level >> 8, 256 - ((uint32_t)level & 255), &taps);
    add_any_level(lane, ((uint32_t)level >> 8) + 1, (uint32_t)level & 255, &taps);
    bool element = texture_has(lane, JIT_TEXTURE_INTEGER_RESULT) && !t->read_normalized;
    if (!is_outside(lane, &taps)) texture_note_taps(lane, &taps);
    for (unsigned c = 0; c < 4; c++) {
        uint32_t value = is_outside(lane, &taps) ? 0
                         : element               ? texture_element(t, &taps.at[0], c)
                                                 : texture_mix(t, &taps, c);
        texture_put_result(lane, values, c, value);
    }
}

/* tld4: the texels that linear filtering would mix, whatever the filter is: below left, below right, above
 * right, above left (y grows downwards), as OpenGL's textureGather has them. */
static void texture_gather_lane(struct lane *lane, uint32_t *values)
{
    const struct jit_texture *t = lane->t;
    const struct jit_texture_level *level = &t->levels[0];
    const uint32_t extent[2] = {level->width, level->height};
    bool element = texture_has(lane, JIT_TEXTURE_INTEGER_RESULT) && !t->read_normalized,
         cube = texture_has(lane, JIT_TEXTURE_CUBE);
    struct texture_axis axes[2];
    texture_start(lane);
    for (unsigned d = 0; d < 2; d++) {
        uint32_t coordinate = texture_row_of(lane, d + texture_has(lane, JIT_TEXTURE_LAYERED));
        int32_t offset = texture_offset_of(lane, d, 6);
        axes[d] = cube ? face_axis(lane, level, d, TEXTURE_GATHERED)
                       : texture_axis(t, d, extent[d], coordinate, offset, TEXTURE_GATHERED);
    }
    for (unsigned i = 0; i < 4; i++) {
        struct texture_taps taps = {.count = 0};
        int64_t x = i == 1 || i == 2 ? axes[0].second : axes[0].first,
                y = i < 2 ? axes[1].second : axes[1].first;
        if (cube)
            add_cube_tap(lane, &taps, level, x, y, 256, 0);
        else
            add_tap(&taps, level, x, y, lane->layer, 256, 0);
        texture_note_taps(lane, &taps);
        values[i * 32] = element ? texture_element(t, &taps.at[0], lane->op->component)
                                 : texture_mix(t, &taps, lane->op->component);
    }
}

/* A reference that nothing is bound to gives 0. */
static void texture_unbound_lane(const struct jit_texture_op *op, uint32_t *values)
{
    unsigned rows = op->kind == JIT_TEXTURE_QUERY ? 1 : 4;
    for (unsigned i = 0; i < rows; i++)
        values[i * 32] = 0;
}

static void texture_help_lane(struct jit_ctx *ctx, struct lane *lane, uint64_t object, uint32_t *values)
{
    const struct jit_texture_op *op = lane->op;
    bool unbound = op->kind != JIT_TEXTURE_TYPE && op->kind < JIT_TEXTURE_TYPE && lane->t->level_count == 0;
    if (unbound && (op->kind == JIT_TEXTURE_READ || op->kind >= JIT_TEXTURE_GATHER)) {
        texture_unbound_lane(op, values);
        return;
    }
    switch ((enum jit_texture_kind)op->kind) {
    case JIT_TEXTURE_READ: texture_read_lane(lane, values); return;
    case JIT_SURFACE_LOAD:
    case JIT_SURFACE_STORE:
    case JIT_SURFACE_REDUCE: surface_access(ctx, op, lane->t, lane->rows, values, lane->seen); return;
    case JIT_TEXTURE_GATHER: texture_gather_lane(lane, values); return;
    case JIT_TEXTURE_QUERY: values[0] = texture_query(op, lane->t, lane->rows[0]); return;
    case JIT_TEXTURE_TYPE: values[0] = texture_type(object, op->opaque); return;
    }
}

/* Of a mask: those that name the same object as the first. */
static lane_mask same_object(lane_mask mask, const uint64_t *object)
{
    uint64_t first = object[__builtin_ctz(mask)], differs = 0;
    lane_mask same = 0;
    for (uint32_t i = 0; i < SW_WARP_LANES; i++)
        differs |= object[i] ^ first;
    if (!differs) return mask;
    for (lane_mask left = mask; left; left &= left - 1)
        if (object[__builtin_ctz(left)] == first) same |= left & -left;
    return same;
}

/* Lanes that read the same texture together; returns those that are done. */
static lane_mask texture_read_together(struct jit_ctx *ctx, const struct jit_texture_op *op, lane_mask mask,
                                       const uint64_t *object, const uint32_t *rows, uint32_t *values)
{
    lane_mask left = mask, done = 0;
    while (left) {
        lane_mask same = same_object(left, object);
        uint64_t first = object[__builtin_ctz(left)];
        left &= ~same;
        done |= texture_warp(ctx, op, same, same == mask, (const struct jit_texture *)(uintptr_t)first, rows,
                             values, NULL);
    }
    return done;
}

static void texture_count_taps(struct texture_seen *seen, const struct jit_texture *t,
                               const struct texture_warp_taps *taps, uint32_t lane)
{
    uint32_t bytes = texture_texel_bytes(t) * t->channels;
    for (unsigned k = 0; k < taps->count; k++) {
        int32_t x = taps->at[k].x[lane], y = taps->at[k].y[lane], z = taps->at[k].z[lane];
        if (!taps->at[k].weight[lane] || (x | y | z) < 0) continue;
        texture_seen_texel(seen, t, taps->level, (int64_t)x * bytes, y, z, bytes);
    }
}

uint64_t texture_lanes(struct jit_ctx *ctx, const struct jit_texture_op *op, lane_mask mask,
                       const uint64_t *object, const uint32_t *rows, uint32_t *values, lane_mask done,
                       const struct texture_warp_taps *taps)
{
    struct texture_seen seen;
    bool counts = ctx->counters && op->kind != JIT_TEXTURE_QUERY && op->kind != JIT_TEXTURE_TYPE;
    texture_seen_begin(&seen, op);
    for (lane_mask left = mask; left;) {
        uint32_t i = (uint32_t)__builtin_ctz(left);
        left &= left - 1;
        struct lane lane = {.ctx = ctx,
                            .op = op,
                            .t = (const struct jit_texture *)(uintptr_t)object[i],
                            .rows = rows + i,
                            .seen = counts ? &seen : NULL};
        if (done >> i & 1)
            texture_count_taps(&seen, lane.t, taps, i);
        else
            texture_help_lane(ctx, &lane, object[i], values + i);
        if (counts) texture_seen_lane(ctx, &seen, i, left);
    }
    return (uint64_t)seen.requests << 32 | seen.sectors;
}

/* Requests go through the lanes in their order, whichever texture they read; vectors only do one for them. */
static uint64_t texture_count_read(struct jit_ctx *ctx, const struct jit_texture_op *op, lane_mask mask,
                                   const uint64_t *object, const uint32_t *rows, uint32_t *values)
{
    struct texture_warp_taps taps;
    lane_mask done = 0;
    if (same_object(mask, object) == mask)
        done = texture_warp(ctx, op, mask, true,
                            (const struct jit_texture *)(uintptr_t)object[__builtin_ctz(mask)], rows, values,
                            &taps);
    return texture_lanes(ctx, op, mask, object, rows, values, done, &taps);
}

uint64_t engine_help_texture(struct jit_ctx *ctx, uint64_t code, lane_mask mask, const uint64_t *object,
                             const uint32_t *rows, uint32_t *values)
{
    struct jit_texture_op op;
    memcpy(&op, &code, sizeof op);
    texture_check(ctx, &op, mask, object, rows);
    if (op.kind != JIT_TEXTURE_READ || !mask)
        return texture_lanes(ctx, &op, mask, object, rows, values, 0, NULL);
    if (ctx->counters) return texture_count_read(ctx, &op, mask, object, rows, values);
    lane_mask left = mask & ~texture_read_together(ctx, &op, mask, object, rows, values);
    return left ? texture_lanes(ctx, &op, left, object, rows, values, 0, NULL) : 0;
}
