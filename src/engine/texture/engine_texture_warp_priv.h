/* SPDX-License-Identifier: Apache-2.0 */
/* Texture reads of a whole warp: what is decided once for all lanes, and the code that does them, compiled
 * for each instruction set. */
#ifndef ENGINE_TEXTURE_WARP_PRIV_H
#define ENGINE_TEXTURE_WARP_PRIV_H

#include "engine_texture_priv.h"

enum { TEXTURE_LANES = SW_WARP_LANES, TEXTURE_WARP_TAPS = 8 };

/* How the texels that a lane reads become its result. */
enum texture_result {
    TEXTURE_RAW,      /* the texel, 8 and 16 bits widened without a sign */
    TEXTURE_SIGNED_8, /* with one */
    TEXTURE_SIGNED_16,
    TEXTURE_HALF, /* as a float */
    TEXTURE_FLOAT_SUM,
    TEXTURE_HALF_SUM,
    TEXTURE_UNSIGNED_SUM, /* of fractions */
    TEXTURE_SIGNED_SUM
};

enum texture_coordinate { TEXTURE_INTEGER, TEXTURE_TEXELS, TEXTURE_NORMALIZED };

/* The texels that lanes read, for who counts them: lane i's, if they have a weight and no position is
 * negative.
 */
struct texture_warp_taps {
    const struct jit_texture_level *level;
    unsigned count;
    struct {
        int32_t x[TEXTURE_LANES], y[TEXTURE_LANES], z[TEXTURE_LANES], weight[TEXTURE_LANES];
    } at[TEXTURE_WARP_TAPS];
};

struct texture_plan {
    const struct jit_texture *t;
    const struct jit_texture_level *level;
    const uint32_t *rows; /* of the instruction */
    lane_mask mask;
    enum texture_result result;
    enum texture_coordinate coordinate;
    enum texture_filter filter;
    uint32_t texel_bytes, channel_bytes, channels;
    unsigned dimensions;
    bool layered, outside_is_zero;
    int32_t offset[3];
    uint8_t address[3];
    uint32_t extent[3];
    uint32_t border[4];             /* as raw texels */
    struct texture_axis row;        /* of one dimension */
    struct texture_warp_taps *taps; /* filled; NULL: nobody wants to know */
};

/* engine_texture_sse2.c and its sisters: fills out[channel * 32 + lane] for the plan's lanes (others may be
 * overwritten) and returns the lanes whose result it could not find, which have none. */
typedef lane_mask texture_warp_read(const struct texture_plan *plan, uint32_t *out);
texture_warp_read texture_warp_sse2, texture_warp_avx2, texture_warp_avx512;

/* engine_texture_warp.c: reads for the lanes of a mask, all of the same texture; all: no other lane's values
 * matter; taps: of the lanes that are done, or NULL. Returns the lanes that are done. */
lane_mask texture_warp(struct jit_ctx *ctx, const struct jit_texture_op *op, lane_mask mask, bool all,
                       const struct jit_texture *t, const uint32_t *rows, uint32_t *values,
                       struct texture_warp_taps *taps);

/* engine_texture.c: what a warp does, lane by lane; done: lanes whose values stand there, to be counted by
 * their taps. Returns requests and sectors as jit_helpers.texture. */
uint64_t texture_lanes(struct jit_ctx *ctx, const struct jit_texture_op *op, lane_mask mask,
                       const uint64_t *object, const uint32_t *rows, uint32_t *values, lane_mask done,
                       const struct texture_warp_taps *taps);
#endif
