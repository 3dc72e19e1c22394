/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: texture reads, 32 lanes at a time, compiled once for each instruction set (engine_texture_sse2.c
 * and its sisters include this).
 * Method: loops over the lanes that compilers turn into vectors, the lane-by-lane code's arithmetic
 * (engine_texture_coordinate.c, engine_texture_texel.c) in narrower types that hold it exactly: positions in
 * 256ths fit 32 bits, a group's weighted floats are multiples of 2^(largest exponent - 35) and add up in 37
 * bits of a double. Texels that have no weight in any lane are not read: of positions on texel centres one of
 * four is left. Limits: lanes with operands that are not finite, results below the least normal number or
 * slices whose sum a double does not hold are left to the caller. */
#ifndef ENGINE_TEXTURE_VECTOR_PRIV_H
#define ENGINE_TEXTURE_VECTOR_PRIV_H

#include "engine_texture_warp_priv.h"

#include <string.h>

#define INLINE    static inline __attribute__((always_inline))
#define EACH_LANE for (unsigned i = 0; i < TEXTURE_LANES; i++)

enum { MOST_WORDS = 4 };
typedef uint32_t lane_words[TEXTURE_LANES] __attribute__((aligned(64)));
typedef int32_t lane_ints[TEXTURE_LANES] __attribute__((aligned(64)));
typedef double lane_doubles[TEXTURE_LANES] __attribute__((aligned(64)));

struct vector_axis {
    lane_ints at[2], weight; /* the weight of the second */
    bool two;                /* in some lane it has one */
};

struct vector_tap {
    const int32_t *x, *y, *z;
    lane_words word[MOST_WORDS], inside; /* inside: all ones, or 0 for the border */
    lane_ints weight;
};

struct vector_read {
    const struct texture_plan *plan;
    lane_words on, odd; /* all ones: an active lane; anything: one that is left to the caller */
    struct vector_axis axes[3];
    struct vector_tap taps[TEXTURE_WARP_TAPS];
    unsigned group[2], groups, count; /* taps of each slice */
};

INLINE float vector_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

INLINE uint32_t vector_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

INLINE bool any_lane(const struct vector_read *read, const uint32_t *words)
{
    uint32_t any = 0;
    EACH_LANE any |= words[i] & read->on[i];
    return any != 0;
}

/* ---- positions */

/* Denormals and NaN are zero. */
INLINE float coordinate_of(uint32_t bits)
{
    uint32_t above = (bits & 0x7fffffffu) - 0x00800000u; /* the least normal number */
    return vector_float(above <= 0x7f000000u ? bits : 0);
}

INLINE int32_t floor_of(double value)
{
    int32_t cut = (int32_t)value;
    return cut - (value < cut);
}

/* In texels, or in 256ths of them, rounded half up. Beyond 2^22 texels the position does not matter. */
INLINE void texel_positions(const uint32_t *row, bool fine, int32_t *out)
{
    const uint32_t most = vector_bits(0x1p22f);
    float scale = fine ? 256 : 1, up = fine ? 0.5f : 1, down = fine ? -0.5f : 0;
    EACH_LANE
    {
        uint32_t bits = vector_bits(coordinate_of(row[i])), size = bits & 0x7fffffffu;
        size = size < most ? size : most;
        float x = vector_float((bits & 0x80000000u) | size) * scale;
        int32_t cut = (int32_t)x;
        float rest = x - (float)cut;
        out[i] = cut + (rest >= up) - (rest < down);
    }
}

INLINE double power(unsigned exponent)
{
    return (double)((uint64_t)1 << exponent);
}

/* Coordinates of 4 and more are left to the caller: what remains fits 32 bits before and after. */
INLINE void normalized_positions(struct vector_read *read, const uint32_t *row, uint32_t extent, bool fine,
                                 int32_t *out)
{
    unsigned bits = texture_fraction_bits(extent);
    double steps = power(bits), texels = (double)extent / steps * (fine ? 256 : 1);
    EACH_LANE
    {
        float x = coordinate_of(row[i]);
        bool far = !(x > -4 && x < 4);
        read->odd[i] |= far ? UINT32_MAX : 0;
        out[i] = floor_of((double)(far ? 0 : x) * steps);
    }
    EACH_LANE out[i] = floor_of((double)out[i] * texels + (fine ? 0.5 : 0));
}

/* Modulo n, of positions that are few times n away */
INLINE void wrap(int32_t *at, int32_t n)
{
    float inverse = 1 / (float)n;
    EACH_LANE
    {
        int32_t m = at[i] - n * (int32_t)((float)at[i] * inverse);
        m += m < 0 ? n : 0;
        at[i] = m - (m >= n ? n : 0);
    }
}

INLINE void address(int32_t *at, uint32_t extent, uint8_t addressing)
{
    int32_t n = (int32_t)extent, last = n - 1;
    if (addressing == JIT_ADDRESS_BORDER) {
        EACH_LANE at[i] = at[i] < 0 || at[i] >= n ? -1 : at[i];
    } else if (addressing == JIT_ADDRESS_WRAP) {
        wrap(at, n);
    } else if (addressing == JIT_ADDRESS_MIRROR) {
        wrap(at, 2 * n);
        EACH_LANE at[i] = at[i] < n ? at[i] : 2 * n - 1 - at[i];
    } else {
        EACH_LANE at[i] = at[i] < 0 ? 0 : at[i] > last ? last : at[i];
    }
}

INLINE void split_positions(struct vector_read *read, unsigned d)
{
    const struct texture_plan *plan = read->plan;
    struct vector_axis *axis = &read->axes[d];
    int32_t shift = plan->offset[d] * 256 - 128, last = ((int32_t)plan->extent[d] - 1) * 256;
    bool clamps = plan->address[d] == JIT_ADDRESS_CLAMP;
    uint32_t any = 0;
    EACH_LANE
    {
        int32_t position = axis->at[0][i] + shift;
        if (clamps) position = position < 0 ? 0 : position > last ? last : position;
        axis->weight[i] = position & 255;
        axis->at[0][i] = position >> 8;
        axis->at[1][i] = (position >> 8) + 1;
        any |= (uint32_t)axis->weight[i] & read->on[i];
    }
    axis->two = any != 0;
    address(axis->at[0], plan->extent[d], plan->address[d]);
    if (axis->two) address(axis->at[1], plan->extent[d], plan->address[d]);
}

INLINE void find_axis(struct vector_read *read, unsigned d)
{
    const struct texture_plan *plan = read->plan;
    struct vector_axis *axis = &read->axes[d];
    const uint32_t *row = plan->rows + (d + plan->layered) * TEXTURE_LANES;
    bool fine = plan->filter != TEXTURE_NEAREST;
    axis->two = false;
    if (plan->coordinate == TEXTURE_INTEGER)
        EACH_LANE axis->at[0][i] = (int32_t)(row[i] + (uint32_t)plan->offset[d]);
    else if (plan->coordinate == TEXTURE_TEXELS)
        texel_positions(row, fine, axis->at[0]);
    else
        normalized_positions(read, row, plan->extent[d], fine, axis->at[0]);
    if (fine && plan->coordinate != TEXTURE_INTEGER) {
        split_positions(read, d);
        return;
    }
    if (plan->coordinate != TEXTURE_INTEGER) EACH_LANE axis->at[0][i] += plan->offset[d];
    address(axis->at[0], plan->extent[d], plan->address[d]);
}

/* The same position in all lanes */
INLINE void fill_axis(struct vector_axis *axis, const struct texture_axis *position)
{
    EACH_LANE
    {
        axis->at[0][i] = (int32_t)position->first;
        axis->weight[i] = (int32_t)position->weight;
    }
    axis->two = position->weight != 0;
    if (axis->two) EACH_LANE axis->at[1][i] = (int32_t)position->second;
}

INLINE void find_positions(struct vector_read *read)
{
    const struct texture_plan *plan = read->plan;
    static const struct texture_axis zero;
    for (unsigned d = 0; d < plan->dimensions; d++)
        find_axis(read, d);
    if (plan->dimensions < 2) fill_axis(&read->axes[1], &plan->row);
    if (plan->dimensions < 3) fill_axis(&read->axes[2], &zero);
    if (!plan->layered) return;
    uint32_t layers = plan->t->levels[0].depth;
    EACH_LANE read->axes[2].at[0][i] = (int32_t)(plan->rows[i] < layers ? plan->rows[i] : layers - 1);
}

/* ---- texels */

INLINE void add_vector_tap(struct vector_read *read, unsigned column, unsigned row, unsigned slice)
{
    struct vector_tap *tap = &read->taps[read->count++];
    tap->x = read->axes[0].at[column];
    tap->y = read->axes[1].at[row];
    tap->z = read->axes[2].at[slice];
}

/* Slices share 256, their columns what they have, their rows what those have (add_square). */
INLINE void weigh(struct vector_read *read, struct vector_tap *tap, unsigned column, unsigned row,
                  unsigned slice)
{
    const struct vector_axis *axes = read->axes;
    int32_t wide = axes[0].two ? -1 : 0, high = axes[1].two ? -1 : 0, deep = axes[2].two ? -1 : 0,
            half = column ? 128 : 127;
    EACH_LANE
    {
        int32_t behind = (256 * axes[2].weight[i] + 127) >> 8 & deep, weight = slice ? behind : 256 - behind,
                right = (weight * axes[0].weight[i] + 128) >> 8 & wide,
                mine = column ? right : weight - right, below = (mine * axes[1].weight[i] + half) >> 8 & high;
        tap->weight[i] = row ? below : mine - below;
    }
}

INLINE void list_taps(struct vector_read *read)
{
    const struct vector_axis *axes = read->axes;
    read->count = read->groups = 0;
    if (!axes[0].two && !axes[1].two && !axes[2].two) {
        add_vector_tap(read, 0, 0, 0);
        EACH_LANE read->taps[0].weight[i] = 256;
        return;
    }
    for (unsigned slice = 0; slice <= axes[2].two; slice++) {
        unsigned before = read->count;
        for (unsigned row = 0; row <= axes[1].two; row++)
            for (unsigned column = 0; column <= axes[0].two; column++) {
                add_vector_tap(read, column, row, slice);
                weigh(read, &read->taps[read->count - 1], column, row, slice);
            }
        read->group[read->groups++] = read->count - before;
    }
}

INLINE uint32_t load_word(const uint8_t *at, uint32_t bytes)
{
    uint32_t word = 0;
    uint16_t half;
    if (bytes == 1) return *at;
    if (bytes == 4) {
        memcpy(&word, at, 4);
        return word;
    }
    memcpy(&half, at, 2);
    return half;
}

/* Of 16 lanes that read one texel after the other, as a vector. */
INLINE void load_lanes(const uint8_t *base, const uint32_t *offset, uint32_t stride, uint32_t bytes,
                       uint32_t *out)
{
    uint32_t apart = 0;
    for (unsigned i = 0; i < 16; i++)
        apart |= offset[i] ^ (offset[0] + i * stride);
    if (!apart && stride == bytes)
        for (unsigned i = 0; i < 16; i++)
            out[i] = load_word(base + offset[0] + i * bytes, bytes);
    else
        for (unsigned i = 0; i < 16; i++)
            out[i] = load_word(base + offset[i], bytes);
}

INLINE void load_words(const struct vector_read *read, const uint32_t *offset, lane_mask inside,
                       uint32_t bytes, unsigned words, struct vector_tap *tap)
{
    const uint8_t *base = (const uint8_t *)(uintptr_t)read->plan->level->base;
    uint32_t stride = read->plan->texel_bytes;
    for (unsigned w = 0; w < words; w++)
        for (unsigned first = 0; first < TEXTURE_LANES; first += 16) {
            lane_mask these = inside >> first & 0xffffu;
            if (these == 0xffffu) {
                load_lanes(base + w * 4, offset + first, stride, bytes, tap->word[w] + first);
                continue;
            }
            for (; these; these &= these - 1) {
                unsigned lane = first + (unsigned)__builtin_ctz(these);
                tap->word[w][lane] = load_word(base + w * 4 + offset[lane], bytes);
            }
        }
}

INLINE lane_mask mask_of(const uint32_t *words)
{
    lane_mask mask = 0;
    EACH_LANE mask |= words[i] ? 1u << i : 0;
    return mask;
}

INLINE void load_tap(const struct vector_read *read, struct vector_tap *tap)
{
    const struct texture_plan *plan = read->plan;
    uint32_t pitch = (uint32_t)plan->level->pitch, slice = (uint32_t)plan->level->slice;
    lane_words offset, there;
    uint32_t outside = 0;
    EACH_LANE
    {
        bool inside = (tap->x[i] | tap->y[i] | tap->z[i]) >= 0;
        offset[i] = (uint32_t)tap->x[i] * plan->texel_bytes + (uint32_t)tap->y[i] * pitch +
                    (uint32_t)tap->z[i] * slice;
        tap->inside[i] = inside ? UINT32_MAX : 0;
        there[i] = tap->inside[i] & read->on[i] & (tap->weight[i] ? UINT32_MAX : 0);
        outside |= ~there[i];
    }
    lane_mask inside = outside ? mask_of(there) : UINT32_MAX;
    if (plan->texel_bytes == 1)
        load_words(read, offset, inside, 1, 1, tap);
    else if (plan->texel_bytes == 2)
        load_words(read, offset, inside, 2, 1, tap);
    else
        load_words(read, offset, inside, 4, plan->texel_bytes / 4, tap);
}

/* A channel's bits as they are stored, or the border's */
INLINE void channel_of(const struct texture_plan *plan, const struct vector_tap *tap, unsigned c,
                       uint32_t *out)
{
    uint32_t byte = c * plan->channel_bytes, shift = byte % 4 * 8, border = plan->border[c],
             keep = UINT32_MAX >> (32 - 8 * plan->channel_bytes);
    const uint32_t *words = tap->word[byte / 4];
    EACH_LANE out[i] = (words[i] >> shift & keep & tap->inside[i]) | (border & ~tap->inside[i]);
}

INLINE uint32_t half_as_float(uint32_t half)
{
    uint32_t magnitude = (half & 0x7fffu) << 13, sign = (half & 0x8000u) << 16;
    uint32_t finite = vector_bits(vector_float(magnitude) * 0x1p112f);
    return sign | ((half & 0x7c00u) == 0x7c00u ? magnitude | 0x7f800000u : finite);
}

/* ---- sums */

INLINE void sum_whole(const struct vector_read *read, unsigned c, bool is_signed, int32_t sum[TEXTURE_LANES])
{
    const struct texture_plan *plan = read->plan;
    lane_words raw;
    unsigned spare = 32 - 8 * plan->channel_bytes;
    EACH_LANE sum[i] = 0;
    for (unsigned k = 0; k < read->count; k++) {
        channel_of(plan, &read->taps[k], c, raw);
        EACH_LANE
        {
            int32_t value = is_signed ? (int32_t)(raw[i] << spare) >> spare : (int32_t)raw[i];
            sum[i] += read->taps[k].weight[i] * value;
        }
    }
}

INLINE void unsigned_fractions(const struct vector_read *read, unsigned c, uint32_t *out)
{
    int32_t scale = read->plan->channel_bytes == 1 ? 257 : 1;
    lane_ints sum;
    sum_whole(read, c, false, sum);
    EACH_LANE out[i] = vector_bits((float)((sum[i] * scale + 128) >> 8) / 65535.0f);
}

INLINE int32_t within_15_bits(int32_t value)
{
    return value < -32767 ? -32767 : value > 32767 ? 32767 : value;
}

INLINE void signed_fractions(const struct vector_read *read, unsigned c, uint32_t *out)
{
    bool bytes = read->plan->channel_bytes == 1, whole = bytes && !read->plan->t->linear;
    lane_ints sum;
    sum_whole(read, c, true, sum);
    EACH_LANE
    {
        int32_t s = sum[i], filtered = bytes ? (s * 8 + (s >> 4) + (s >> 12) + 4) >> 3 : (s + 128) >> 8;
        float one = s < -127 * 256 ? -1.0f : (float)(s / 256) / 127.0f;
        out[i] = vector_bits(whole ? one : (float)within_15_bits(filtered) / 32767.0f);
    }
}

struct vector_format { /* of sums of floats */
    bool half;
    int less;       /* bits of an f32 that the cut takes from the largest of a group; negative: it has room */
    unsigned drop;  /* bits of a double that the result lacks */
    double least;   /* normal result */
    uint32_t a_nan; /* what all of them become */
};

INLINE void float_channel(const struct vector_read *read, const struct vector_tap *tap, unsigned c,
                          const struct vector_format *format, uint32_t *out)
{
    channel_of(read->plan, tap, c, out);
    if (format->half) EACH_LANE out[i] = half_as_float(out[i]);
}

/* One texel has all the weight. */
INLINE void float_alone(const struct vector_read *read, unsigned c, const struct vector_format *format,
                        uint32_t *out)
{
    float_channel(read, &read->taps[0], c, format, out);
    EACH_LANE
    {
        uint32_t magnitude = out[i] & 0x7fffffffu;
        out[i] = magnitude == 0 ? 0 : magnitude > 0x7f800000u ? format->a_nan : out[i];
    }
}

/* The weighted texels of a group, cut below the largest. */
INLINE void cut_group(struct vector_read *read, const struct vector_tap *taps, lane_words *raw,
                      unsigned count, int less)
{
    EACH_LANE
    {
        int32_t exponent[4], most = 1;
        for (unsigned k = 0; k < count; k++) {
            raw[k][i] = taps[k].weight[i] ? raw[k][i] : 0;
            exponent[k] = (int32_t)(raw[k][i] >> 23 & 255);
            exponent[k] = exponent[k] > 1 ? exponent[k] : 1;
            most = exponent[k] > most ? exponent[k] : most;
        }
        read->odd[i] |= most == 255;
        for (unsigned k = 0; k < count; k++) {
            int32_t lost = most - exponent[k] + less;
            uint32_t keep = UINT32_MAX << ((lost < 0 ? 0 : lost) & 31);
            raw[k][i] &= lost > 23 ? 0 : keep;
        }
    }
}

/* A group's sum, exactly, in 256ths. */
INLINE void sum_group(struct vector_read *read, const struct vector_tap *taps, lane_words *raw,
                      unsigned count, int less, double *sum)
{
    cut_group(read, taps, raw, count, less);
    EACH_LANE sum[i] = (double)vector_float(raw[0][i]) * taps[0].weight[i];
    for (unsigned k = 1; k < count; k++)
        EACH_LANE sum[i] += (double)vector_float(raw[k][i]) * taps[k].weight[i];
}

INLINE void sum_floats(struct vector_read *read, const struct vector_tap *taps, unsigned count, unsigned c,
                       const struct vector_format *format, double *sum)
{
    lane_words raw[4];
    for (unsigned k = 0; k < count; k++)
        float_channel(read, &taps[k], c, format, raw[k]);
    if (count == 1)
        sum_group(read, taps, raw, 1, format->less, sum);
    else if (count == 2)
        sum_group(read, taps, raw, 2, format->less, sum);
    else
        sum_group(read, taps, raw, 4, format->less, sum);
}

/* Rounded once, halves away from zero; what is below the least normal number has fewer bits. */
INLINE void round_sums(struct vector_read *read, const double *sum, const struct vector_format *format,
                       uint32_t *out)
{
    uint64_t half = (uint64_t)1 << (format->drop - 1), keep = UINT64_MAX << format->drop;
    EACH_LANE
    {
        double value = sum[i] / 256, rounded;
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        bits = (bits + half) & keep;
        memcpy(&rounded, &bits, sizeof rounded);
        bool small = value < format->least && value > -format->least;
        out[i] = vector_bits(small ? 0 : (float)rounded);
        read->odd[i] |= small && value != 0 ? 1 : 0;
    }
}

/* Where a double holds the sum of both slices, the error of its addition is 0 (Knuth's two-sum). */
INLINE void add_slices(struct vector_read *read, double *sum, const double *other)
{
    EACH_LANE
    {
        double both = sum[i] + other[i], part = both - sum[i],
               error = (sum[i] - (both - part)) + (other[i] - part);
        read->odd[i] |= error == 0 ? 0 : 1;
        sum[i] = both;
    }
}

INLINE void float_sums(struct vector_read *read, unsigned c, const struct vector_format *format,
                       uint32_t *out)
{
    lane_doubles sum, other;
    if (read->count == 1) {
        float_alone(read, c, format, out);
        return;
    }
    sum_floats(read, read->taps, read->group[0], c, format, sum);
    if (read->groups == 2) {
        sum_floats(read, read->taps + read->group[0], read->group[1], c, format, other);
        add_slices(read, sum, other);
    }
    round_sums(read, sum, format, out);
}

INLINE void element(const struct vector_read *read, unsigned c, uint32_t *out)
{
    enum texture_result result = read->plan->result;
    channel_of(read->plan, &read->taps[0], c, out);
    if (result == TEXTURE_SIGNED_8) EACH_LANE out[i] = (uint32_t)(int32_t)(int8_t)out[i];
    if (result == TEXTURE_SIGNED_16) EACH_LANE out[i] = (uint32_t)(int32_t)(int16_t)out[i];
    if (result == TEXTURE_HALF) EACH_LANE out[i] = half_as_float(out[i]);
}

INLINE void find_channel(struct vector_read *read, unsigned c, uint32_t *out)
{
    static const struct vector_format floats = {false, -4, 29, 0x1p-126, 0x7fffffffu},
                                      halves = {true, 9, 42, 0x1p-14, 0x7fffe000u};
    switch (read->plan->result) {
    case TEXTURE_FLOAT_SUM: float_sums(read, c, &floats, out); break;
    case TEXTURE_HALF_SUM: float_sums(read, c, &halves, out); break;
    case TEXTURE_UNSIGNED_SUM: unsigned_fractions(read, c, out); break;
    case TEXTURE_SIGNED_SUM: signed_fractions(read, c, out); break;
    case TEXTURE_RAW:
    case TEXTURE_SIGNED_8:
    case TEXTURE_SIGNED_16:
    case TEXTURE_HALF: element(read, c, out); break;
    }
    if (read->plan->outside_is_zero) EACH_LANE out[i] &= read->taps[0].inside[i];
}

/* Not inlined: few want it */
static void copy_taps(const struct vector_read *read, struct texture_warp_taps *out)
{
    out->level = read->plan->level;
    out->count = read->count;
    for (unsigned k = 0; k < read->count; k++)
        EACH_LANE
        {
            out->at[k].x[i] = read->taps[k].x[i];
            out->at[k].y[i] = read->taps[k].y[i];
            out->at[k].z[i] = read->taps[k].z[i];
            out->at[k].weight[i] = read->taps[k].weight[i];
        }
}

INLINE lane_mask read_warp(const struct texture_plan *plan, uint32_t *out)
{
    struct vector_read read;
    read.plan = plan;
    EACH_LANE
    {
        read.on[i] = plan->mask & 1u << i ? UINT32_MAX : 0;
        read.odd[i] = 0;
    }
    find_positions(&read);
    list_taps(&read);
    if (plan->taps) copy_taps(&read, plan->taps);
    for (unsigned k = 0; k < read.count; k++)
        load_tap(&read, &read.taps[k]);
    for (unsigned c = 0; c < 4; c++)
        if (c < plan->channels)
            find_channel(&read, c, out + c * TEXTURE_LANES);
        else
            EACH_LANE out[c * TEXTURE_LANES + i] = 0;
    return any_lane(&read, read.odd) ? mask_of(read.odd) & plan->mask : 0;
}
#endif
