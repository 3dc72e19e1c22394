/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: which texels a coordinate means, and with what weight.
 * Method: as an H200 answers (tests/textures): denormals and NaN are zero; a normalised coordinate is cut to
 * 21 bits of fraction, more for extents over 8,192, before it is multiplied by the extent; linear filtering
 * rounds the position to 256ths of a texel, half up. Clamping clamps the position, so that the weight beyond
 * the last centre is 0. Limits: coordinates beyond 2^40 texels are taken to be that far. */
#include "engine_texture_priv.h"

#include <math.h>
#include <string.h>

int64_t texture_coordinate_index(int64_t i, uint32_t extent, uint8_t addressing)
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

__extension__ typedef __int128 wide_int;

static float coordinate(uint32_t bits)
{
    float x;
    if ((bits & 0x7f800000u) == 0) bits &= 0x80000000u; /* denormals are zero, and so is NaN */
    memcpy(&x, &bits, sizeof x);
    return x == x ? x : 0.0f;
}

static double limited(double x)
{
    return x < -0x1p40 ? -0x1p40 : x > 0x1p40 ? 0x1p40 : x;
}

unsigned texture_fraction_bits(uint32_t extent)
{
    unsigned bits = extent > 1 ? 32u - (unsigned)__builtin_clz(extent - 1) : 0;
    return bits + 8 > 21 ? bits + 8 : 21;
}

/* What position_of computes fits 64 bits: all but always so, and in half the time of 128. */
static bool is_near(double x, uint32_t extent)
{
    return x > -4 && x < 4 && extent <= 1u << 20;
}

/* The position in 256ths of a texel (after rounding), or in whole texels. */
static int64_t position_of(const struct jit_texture *t, uint32_t extent, double x, bool fine)
{
    if (!t->normalized_coords) return (int64_t)floor(limited(x) * (fine ? 256 : 1) + (fine ? 0.5 : 0));
    unsigned bits = texture_fraction_bits(extent);
    if (is_near(x, extent)) {
        int64_t whole = 1ll << bits, at = (int64_t)floor(x * (double)whole) * extent;
        return fine ? (at * 512 + whole) >> (bits + 1) : at >> bits;
    }
    wide_int steps = (wide_int)floor(ldexp(limited(x), (int)bits)) * extent;
    if (!fine) return (int64_t)(steps >> bits);
    return (int64_t)((steps * 512 + ((wide_int)1 << bits)) >> (bits + 1));
}

uint8_t texture_addressing(const struct jit_texture *t, unsigned d)
{
    bool periodic = t->address[d] == JIT_ADDRESS_WRAP || t->address[d] == JIT_ADDRESS_MIRROR;
    return periodic && !t->normalized_coords ? JIT_ADDRESS_CLAMP : t->address[d];
}

struct texture_axis texture_axis_at(const struct jit_texture *t, unsigned d, uint32_t extent, double x,
                                    int32_t offset, enum texture_filter filter)
{
    uint32_t n = extent ? extent : 1;
    uint8_t addressing = texture_addressing(t, d);
    if (filter == TEXTURE_NEAREST) {
        int64_t i = texture_coordinate_index(position_of(t, n, x, false) + offset, n, addressing);
        return (struct texture_axis){i, i, 0};
    }
    int64_t position = position_of(t, n, x, true) - 128 + (int64_t)offset * 256,
            last = ((int64_t)n - 1) * 256;
    if (addressing == JIT_ADDRESS_CLAMP && filter == TEXTURE_LINEAR)
        position = position < 0 ? 0 : position > last ? last : position;
    return (struct texture_axis){texture_coordinate_index(position >> 8, n, addressing),
                                 texture_coordinate_index((position >> 8) + 1, n, addressing),
                                 (uint32_t)(position & 255)};
}

struct texture_axis texture_axis(const struct jit_texture *t, unsigned d, uint32_t extent, uint32_t bits,
                                 int32_t offset, enum texture_filter filter)
{
    return texture_axis_at(t, d, extent, (double)coordinate(bits), offset, filter);
}

struct texture_axis texture_axis_integer(uint32_t extent, uint32_t bits, int32_t offset, bool clamped)
{
    int64_t i = texture_coordinate_index((int64_t)(int32_t)bits + offset, extent,
                                         clamped ? JIT_ADDRESS_CLAMP : JIT_ADDRESS_BORDER);
    return (struct texture_axis){i, i, 0};
}

/* ---- of an instruction */

/* What is read as integers is not mixed. */
enum texture_filter texture_filter_of(const struct jit_texture_op *op, const struct jit_texture *t)
{
    bool element =
        (op->flags & JIT_TEXTURE_INTEGER_RESULT || t->texel < JIT_TEXEL_U32) && !t->read_normalized;
    return t->linear && !element ? TEXTURE_LINEAR : TEXTURE_NEAREST;
}

int32_t texture_signed_bits(uint32_t value, unsigned bits)
{
    return (int32_t)(value << (32 - bits)) >> (32 - bits);
}

int32_t texture_offset(uint32_t operand)
{
    return texture_signed_bits(operand, 4);
}

/* That y = 0 gives, which a negative offset leaves too. */
struct texture_axis texture_row(const struct jit_texture_op *op, const struct jit_texture *t, int32_t offset)
{
    return texture_axis(t, 1, 1, 0, offset < 0 ? -1 : 0, texture_filter_of(op, t));
}
