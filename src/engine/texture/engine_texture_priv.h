/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the texture unit. Positions, weights and levels are integers in 256ths, as the hardware has them.
 */
#ifndef ENGINE_TEXTURE_PRIV_H
#define ENGINE_TEXTURE_PRIV_H

#include "engine_texture.h"

#include "engine/engine.h"

/* One texel that a result is made of. Column -1: the border. Texels of one group are summed together. */
struct texture_tap {
    const struct jit_texture_level *level;
    int64_t x, y, z;
    uint32_t weight, group;
};
enum { TEXTURE_MOST_TAPS = 16 };
struct texture_taps {
    struct texture_tap at[TEXTURE_MOST_TAPS];
    unsigned count;
};

/* Along one dimension: one or two texels (-1: the border) and the weight of the second. */
struct texture_axis {
    int64_t first, second;
    uint32_t weight;
};

/* engine_texture_coordinate.c */
int64_t texture_coordinate_index(int64_t i, uint32_t extent, uint8_t addressing);
unsigned texture_fraction_bits(uint32_t extent); /* that a normalised coordinate is cut to */
uint8_t texture_addressing(const struct jit_texture *t, unsigned d); /* enum jit_addressing that holds */
/* As tex reads: one texel; two with clamped weights; or the two that are gathered. */
enum texture_filter { TEXTURE_NEAREST, TEXTURE_LINEAR, TEXTURE_GATHERED };
struct texture_axis texture_axis(const struct jit_texture *t, unsigned d, uint32_t extent, uint32_t bits,
                                 int32_t offset, enum texture_filter filter);
struct texture_axis texture_axis_at(const struct jit_texture *t, unsigned d, uint32_t extent, double x,
                                    int32_t offset, enum texture_filter filter);
/* Of a whole number, which no addressing mode moves; -1: outside, unless it is clamped. */
struct texture_axis texture_axis_integer(uint32_t extent, uint32_t bits, int32_t offset, bool clamped);

enum texture_filter texture_filter_of(const struct jit_texture_op *op, const struct jit_texture *t);
int32_t texture_signed_bits(uint32_t value, unsigned bits); /* of which only so many are given */
int32_t texture_offset(uint32_t operand);                   /* of tex */
/* The row that a read of one dimension and no layers takes; offset: along x. */
struct texture_axis texture_row(const struct jit_texture_op *op, const struct jit_texture *t, int32_t offset);

/* engine_texture_texel.c */
uint32_t texture_texel_bytes(const struct jit_texture *t);
uint64_t texture_texel_address(const struct jit_texture *t, const struct texture_tap *tap); /* its address */
uint32_t texture_texel_raw(const struct jit_texture *t, const struct texture_tap *tap, unsigned c);
/* The sum of weighted texels, as the bits of a float; of one texel, what integer reads give. */
uint32_t texture_mix(const struct jit_texture *t, const struct texture_taps *taps, unsigned c);
uint32_t texture_element(const struct jit_texture *t, const struct texture_tap *tap, unsigned c);
uint32_t texture_half_bits(float value); /* rounded to nearest */
uint32_t texture_half_cut(float value);  /* towards zero */

/* engine_texture_cube.c */
struct texture_face {
    uint32_t face;
    float s, t; /* -1 to 1 */
};
struct texture_face texture_cube_face(const uint32_t *direction); /* rows of 32 words */
/* The texel beside (x, y) of a face, which may lie on another; false: on a corner, there is none. */
bool texture_cube_fold(uint32_t extent, uint32_t *face, int64_t *x, int64_t *y);

/* engine_texture_level.c */
int32_t texture_level(const struct jit_texture_op *op, const struct jit_texture *t, const uint32_t *rows);

/* engine_texture_query.c */
uint32_t texture_query(const struct jit_texture_op *op, const struct jit_texture *t, uint32_t level);
uint32_t texture_type(uint64_t object, uint8_t opaque);

/* engine_texture_sectors.c: what lanes touch, until their group of lanes is complete */
enum { TEXTURE_MOST_SECTORS = 4 * TEXTURE_MOST_TAPS };
struct texture_seen {
    uint32_t lanes;                    /* that make a request together */
    uint32_t count, bytes;             /* of the group so far: sectors; bytes of all lanes */
    uint64_t at[TEXTURE_MOST_SECTORS]; /* their addresses */
    uint32_t requests, sectors;        /* of the warp */
};
void texture_seen_begin(struct texture_seen *seen, const struct jit_texture_op *op);
void texture_seen_texel(struct texture_seen *seen, const struct jit_texture *t,
                        const struct jit_texture_level *level, int64_t x, int64_t y, int64_t z,
                        uint32_t bytes);
void texture_seen_taps(struct texture_seen *seen, const struct jit_texture *t,
                       const struct texture_taps *taps);
/* The lane is done; left: active lanes after it. */
void texture_seen_lane(struct jit_ctx *ctx, struct texture_seen *seen, uint32_t lane, lane_mask left);

/* engine_surface.c; seen: NULL, nobody wants to know */
void surface_access(struct jit_ctx *ctx, const struct jit_texture_op *op, const struct jit_texture *t,
                    const uint32_t *rows, uint32_t *values, struct texture_seen *seen);
/* Is the lane's access outside of the surface? Then `what` says where. */
bool surface_is_outside(const struct jit_texture_op *op, const struct jit_texture *t, const uint32_t *rows,
                        char *what, size_t capacity);

/* engine_texture_check.c: nothing without EVENT_PROBE_BOUNDS */
void texture_check(struct jit_ctx *ctx, const struct jit_texture_op *op, lane_mask mask,
                   const uint64_t *object, const uint32_t *rows);
#endif
