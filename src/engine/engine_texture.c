/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: textures and surfaces.
 * Method: lane by lane, from struct jit_texture in memory. Filtering as the CUDA C++ Programming Guide's
 * appendix "Texture Fetching" has it: texel centres at half integers, fractions of linear filtering with 8
 * bits. Limits: slow and plain; no mipmaps. Reads device memory and so may fault: no lock is held there.
 * Queries answer as PTX ISA 5.3 and 9.7.10 say, with OpenCL's numbers of channel types and orders; istypep,
 * which may ask about any 64 bits, looks them up among the objects that there are. */
#include "engine_priv.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct axis { /* along one dimension: one or two texels and the weight of the second */
    int64_t first, second;
    float weight;
};

static uint32_t texel_bytes(const struct jit_texture *t)
{
    static const uint8_t bytes[] = {1, 1, 2, 2, 4, 4, 2, 4};
    return bytes[t->texel & 7];
}

/* The texel an index means; -1: the border. */
static int64_t place(int64_t i, uint32_t extent, uint8_t addressing)
{
    int64_t n = extent ? extent : 1, m;
    switch (addressing) {
    case JIT_ADDRESS_WRAP: m = i % n; return m < 0 ? m + n : m;
    case JIT_ADDRESS_MIRROR:
        m = i % (2 * n);
        if (m < 0) m += 2 * n;
        return m < n ? m : 2 * n - 1 - m;
    case JIT_ADDRESS_BORDER: return i < 0 || i >= n ? -1 : i;
    default: return i < 0 ? 0 : i >= n ? n - 1 : i;
    }
}

/* Two texels of linear filtering, moved by a gather's offset. */
static struct axis neighbours(float x, int32_t offset, uint32_t extent, uint8_t addressing)
{
    float centred = x - 0.5f, low = floorf(centred);
    int64_t first = (int64_t)low + offset;
    struct axis axis = {place(first, extent, addressing), place(first + 1, extent, addressing), 0};
    axis.weight = floorf((centred - low) * 256.0f + 0.5f) / 256.0f;
    return axis;
}

/* Where a coordinate is, in texels, and how what lies outside is addressed. */
static float texel_coordinate(const struct jit_texture *t, unsigned d, uint32_t extent, uint32_t bits,
                              uint8_t *addressing)
{
    float x;
    *addressing = t->address[d];
    bool periodic = *addressing == JIT_ADDRESS_WRAP || *addressing == JIT_ADDRESS_MIRROR;
    memcpy(&x, &bits, sizeof x);
    if (periodic && !t->normalized_coords)
        *addressing = JIT_ADDRESS_CLAMP; /* the guide: only with normalised ones */
    if (t->normalized_coords) x *= (float)extent;
    if (!(x > -1e9f)) x = -1e9f; /* also for NaN */
    return x > 1e9f ? 1e9f : x;
}

static struct axis axis_of(const struct jit_texture *t, unsigned d, uint32_t extent, uint32_t bits,
                           bool integer)
{
    uint8_t addressing;
    if (integer) {
        int64_t i = place((int32_t)bits, extent, JIT_ADDRESS_BORDER);
        return (struct axis){i, i, 0};
    }
    float x = texel_coordinate(t, d, extent, bits, &addressing);
    if (!t->linear) {
        int64_t i = place((int64_t)floorf(x), extent, addressing);
        return (struct axis){i, i, 0};
    }
    return neighbours(x, 0, extent, addressing);
}

static float half_value(uint16_t h)
{
    uint32_t exponent = h >> 10 & 31u, fraction = h & 0x3ffu, bits = fraction << 13;
    float value = (float)fraction * 0x1p-24f; /* subnormal */
    if (exponent == 31)
        bits |= 0x7f800000u;
    else
        bits |= (exponent + 127 - 15) << 23;
    if (exponent) memcpy(&value, &bits, sizeof value);
    return h & 0x8000u ? -value : value;
}

/* One channel as it is stored: raw bits, sign-extended for signed integers. */
static uint32_t texel_raw(const struct jit_texture *t, int64_t x, int64_t y, int64_t z, unsigned c)
{
    const uint8_t *at =
        (const uint8_t *)(uintptr_t)(t->base + (uint64_t)z * t->slice + (uint64_t)y * t->pitch);
    uint32_t bytes = texel_bytes(t), raw = 0;
    memcpy(&raw, at + ((uint64_t)x * t->channels + c) * bytes, bytes);
    if (t->texel == JIT_TEXEL_S8) return (uint32_t)(int32_t)(int8_t)raw;
    if (t->texel == JIT_TEXEL_S16) return (uint32_t)(int32_t)(int16_t)raw;
    return raw;
}

static float texel_float(const struct jit_texture *t, uint32_t raw)
{
    float value, low;
    switch (t->texel) {
    case JIT_TEXEL_U8: return (float)raw / 255.0f;
    case JIT_TEXEL_U16: return (float)raw / 65535.0f;
    case JIT_TEXEL_S8: low = (float)(int32_t)raw / 127.0f; return low < -1.0f ? -1.0f : low;
    case JIT_TEXEL_S16: low = (float)(int32_t)raw / 32767.0f; return low < -1.0f ? -1.0f : low;
    case JIT_TEXEL_F16: return half_value((uint16_t)raw);
    default: memcpy(&value, &raw, sizeof value); return value;
    }
}

/* Absent channels are 0, 0, 1 (PTX ISA, "Channel Data Type and Channel Order Fields"). */
static float fetch(const struct jit_texture *t, int64_t x, int64_t y, int64_t z, unsigned c)
{
    if (x < 0 || y < 0 || z < 0) return t->border[c];
    if (c >= t->channels) return c == 3 ? 1.0f : 0.0f;
    return texel_float(t, texel_raw(t, x, y, z, c));
}

static uint32_t fetch_integer(const struct jit_texture *t, int64_t x, int64_t y, int64_t z, unsigned c)
{
    if (c >= t->channels) return c == 3;
    return x < 0 || y < 0 || z < 0 ? 0 : texel_raw(t, x, y, z, c);
}

static float mix(float a, float b, float weight)
{
    return weight == 0 ? a : (1.0f - weight) * a + weight * b;
}

static float sample(const struct jit_texture *t, const struct axis a[3], unsigned c)
{
    float slices[2];
    for (int z = 0; z < 2; z++) {
        int64_t k = z ? a[2].second : a[2].first;
        float rows[2];
        for (int y = 0; y < 2; y++) {
            int64_t j = y ? a[1].second : a[1].first;
            rows[y] = mix(fetch(t, a[0].first, j, k, c), fetch(t, a[0].second, j, k, c), a[0].weight);
        }
        slices[z] = mix(rows[0], rows[1], a[1].weight);
    }
    return mix(slices[0], slices[1], a[2].weight);
}

static void read_lane(const struct jit_texture_op *op, const struct jit_texture *t, const uint32_t *coords,
                      uint32_t *values)
{
    const uint32_t extent[3] = {t->width, t->height, t->depth};
    struct axis axes[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    if (op->layered) {
        int64_t layer = place((int32_t)coords[0], t->depth, JIT_ADDRESS_CLAMP);
        axes[2] = (struct axis){layer, layer, 0};
    }
    for (unsigned d = 0; d < op->dimensions; d++)
        axes[d] = axis_of(t, d, extent[d], coords[(d + op->layered) * 32], op->integer_coords);
    bool as_float = !op->integer_result || t->read_normalized;
    for (unsigned c = 0; c < 4; c++) {
        float value = as_float ? sample(t, axes, c) : 0;
        uint32_t raw = as_float ? 0 : fetch_integer(t, axes[0].first, axes[1].first, axes[2].first, c);
        if (as_float) memcpy(&raw, &value, sizeof raw);
        values[c * 32] = raw;
    }
}

/* tld4: the texels that linear filtering would mix, whatever the filter is: below left, below right, above
 * right, above left (y grows downwards), as OpenGL's textureGather has them. */
static void gather_lane(const struct jit_texture_op *op, const struct jit_texture *t, const uint32_t *coords,
                        uint32_t *values)
{
    const uint32_t extent[2] = {t->width, t->height};
    struct axis axes[2];
    int64_t layer = op->layered ? place((int32_t)coords[0], t->depth, JIT_ADDRESS_CLAMP) : 0;
    for (unsigned d = 0; d < 2; d++) {
        uint8_t addressing;
        float x = texel_coordinate(t, d, extent[d], coords[(d + op->layered) * 32], &addressing);
        axes[d] = neighbours(x, (int32_t)coords[(4 + d) * 32], extent[d], addressing);
    }
    for (unsigned i = 0; i < 4; i++) {
        int64_t x = i == 1 || i == 2 ? axes[0].second : axes[0].first,
                y = i < 2 ? axes[1].second : axes[1].first;
        float value = fetch(t, x, y, layer, op->component);
        memcpy(&values[i * 32], &value, sizeof value);
        if (op->integer_result && !t->read_normalized)
            values[i * 32] = fetch_integer(t, x, y, layer, op->component);
    }
}

/* OpenCL's CL_SNORM_INT8 and what follows it, CL_R and what follows it. */
static uint32_t channel_type(const struct jit_texture *t)
{
    static const uint16_t types[] = {0x10da, 0x10d7, 0x10db, 0x10d8, 0x10dc, 0x10d9, 0x10dd, 0x10de},
                          normalized[] = {0x10d2, 0x10d0, 0x10d3, 0x10d1};
    return t->read_normalized ? normalized[t->texel & 3] : types[t->texel & 7];
}

static uint32_t channel_order(const struct jit_texture *t)
{
    return t->channels == 1 ? 0x10b0 : t->channels == 2 ? 0x10b2 : 0x10b5;
}

/* PTX ISA 5.3: wrap, mirror, clamp_ogl, clamp_to_edge, clamp_to_border */
static uint32_t address_mode(const struct jit_texture *t, unsigned d)
{
    static const uint8_t modes[] = {
        [JIT_ADDRESS_WRAP] = 0, [JIT_ADDRESS_CLAMP] = 3, [JIT_ADDRESS_MIRROR] = 1, [JIT_ADDRESS_BORDER] = 4};
    return modes[t->address[d] & 3];
}

static uint32_t answer(const struct jit_texture *t, enum jit_texture_query query)
{
    switch (query) {
    case JIT_QUERY_WIDTH: return t->width;
    case JIT_QUERY_HEIGHT: return t->height;
    case JIT_QUERY_DEPTH: return t->layers ? 1 : t->depth;
    case JIT_QUERY_CHANNEL_DATA_TYPE: return channel_type(t);
    case JIT_QUERY_CHANNEL_ORDER: return channel_order(t);
    case JIT_QUERY_NORMALIZED_COORDS: return t->normalized_coords;
    case JIT_QUERY_FILTER_MODE: return t->linear;
    case JIT_QUERY_ADDRESS_0: return address_mode(t, 0);
    case JIT_QUERY_ADDRESS_1: return address_mode(t, 1);
    case JIT_QUERY_ADDRESS_2: return address_mode(t, 2);
    case JIT_QUERY_ARRAY_SIZE: return t->layers ? t->depth : 0;
    case JIT_QUERY_MEMORY_LAYOUT: return t->plain;
    case JIT_QUERY_MIPMAP_LEVELS: /* neither mipmaps nor samples: 0 */
    case JIT_QUERY_SAMPLES:
    case JIT_QUERY_LEVEL: break;
    }
    return 0;
}

/* There is level 0 only; of others the size is 0. */
static uint32_t query_lane(const struct jit_texture_op *op, const struct jit_texture *t, uint32_t level)
{
    if (op->query & JIT_QUERY_LEVEL && level != 0) return 0;
    return answer(t, op->query & ~(unsigned)JIT_QUERY_LEVEL);
}

/* ---- the objects that there are */

static pthread_mutex_t objects_lock = PTHREAD_MUTEX_INITIALIZER;
static const struct jit_texture **objects;
static size_t object_count, object_room;

void engine_texture_add(const struct jit_texture *texture)
{
    pthread_mutex_lock(&objects_lock);
    if (object_count == object_room) {
        object_room = object_room ? 2 * object_room : 16;
        objects = sw_xrealloc(objects, object_room * sizeof *objects);
    }
    objects[object_count++] = texture;
    pthread_mutex_unlock(&objects_lock);
}

void engine_texture_remove(const struct jit_texture *texture)
{
    pthread_mutex_lock(&objects_lock);
    for (size_t i = 0; i < object_count; i++) {
        if (objects[i] != texture) continue;
        objects[i] = objects[--object_count];
        break;
    }
    if (object_count == 0) {
        free(objects);
        objects = NULL;
        object_room = 0;
    }
    pthread_mutex_unlock(&objects_lock);
}

/* Objects hold their sampler: there is none alone. */
static uint32_t type_lane(uint64_t object, uint8_t opaque)
{
    uint32_t result = 0;
    if (opaque == JIT_OPAQUE_SAMPLER) return 0;
    pthread_mutex_lock(&objects_lock);
    for (size_t i = 0; i < object_count && !result; i++)
        result = (uintptr_t)objects[i] == object && objects[i]->surface == (opaque == JIT_OPAQUE_SURFACE);
    pthread_mutex_unlock(&objects_lock);
    return result;
}

/* Where a surface access lands; NULL: outside, and to be left out. x counts bytes. */
static uint8_t *surface_at(struct jit_ctx *ctx, const struct jit_texture_op *op, const struct jit_texture *t,
                           const uint32_t *coords)
{
    int64_t bytes = (int64_t)op->bytes * op->count, row = (int64_t)t->width * t->channels * texel_bytes(t);
    int64_t layer = op->layered ? (int32_t)coords[0] : 0, x = (int32_t)coords[op->layered * 32], y = 0,
            z = layer;
    if (op->dimensions > 1) y = (int32_t)coords[(1 + op->layered) * 32];
    if (op->dimensions > 2) z = (int32_t)coords[2 * 32];
    int64_t rows = t->height ? t->height : 1, slices = t->depth ? t->depth : 1;
    bool inside = x >= 0 && x + bytes <= row && y >= 0 && y < rows && z >= 0 && z < slices;
    if (!inside && op->outside == JIT_OUTSIDE_ZERO) return NULL;
    if (!inside && op->outside == JIT_OUTSIDE_TRAP) engine_helpers.trap(ctx, SW_ILLEGAL_ADDRESS);
    x = x < 0 ? 0 : x + bytes > row ? row - bytes : x;
    y = place(y, (uint32_t)rows, JIT_ADDRESS_CLAMP);
    z = place(z, (uint32_t)slices, JIT_ADDRESS_CLAMP);
    return (uint8_t *)(uintptr_t)(t->base + (uint64_t)z * t->slice + (uint64_t)y * t->pitch + (uint64_t)x);
}

static void surface_lane(struct jit_ctx *ctx, const struct jit_texture_op *op, const struct jit_texture *t,
                         const uint32_t *coords, uint32_t *values)
{
    uint8_t *at = surface_at(ctx, op, t, coords);
    for (unsigned i = 0; i < op->count && i < 4; i++) {
        if (op->kind == JIT_SURFACE_LOAD) values[i * 32] = 0;
        if (at && op->kind == JIT_SURFACE_LOAD) memcpy(&values[i * 32], at + i * op->bytes, op->bytes);
        if (at && op->kind == JIT_SURFACE_STORE) memcpy(at + i * op->bytes, &values[i * 32], op->bytes);
    }
}

void engine_help_texture(struct jit_ctx *ctx, uint64_t code, lane_mask mask, const uint64_t *object,
                         const uint32_t *coordinates, uint32_t *values)
{
    struct jit_texture_op op;
    memcpy(&op, &code, sizeof op);
    for (uint32_t lane = 0; lane < SW_WARP_LANES; lane++) {
        if (!(mask >> lane & 1)) continue;
        const struct jit_texture *t = (const struct jit_texture *)(uintptr_t)object[lane];
        switch ((enum jit_texture_kind)op.kind) {
        case JIT_TEXTURE_READ: read_lane(&op, t, coordinates + lane, values + lane); break;
        case JIT_SURFACE_LOAD:
        case JIT_SURFACE_STORE: surface_lane(ctx, &op, t, coordinates + lane, values + lane); break;
        case JIT_TEXTURE_GATHER: gather_lane(&op, t, coordinates + lane, values + lane); break;
        case JIT_TEXTURE_QUERY: values[lane] = query_lane(&op, t, coordinates[lane]); break;
        case JIT_TEXTURE_TYPE: values[lane] = type_lane(object[lane], op.opaque); break;
        }
    }
}
