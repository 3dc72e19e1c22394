/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the level of detail of a read, in 256ths.
 * Method: as an H200 answers (tests/textures): a level that is asked for is cut to 8 bits of fraction towards
 * zero, the sampler's bias is added, then the sampler's clamps hold, the lower one last; reads that ask for
 * no level have 0 and no bias. Of gradients the larger of both derivatives counts, or 11/16 of their sum or
 * difference if that is more; a vector is as long as its largest component, 11/32 of the next and 1/4 of the
 * least; the logarithm is a table of 256. Limits: levels of gradients differ from the hardware's by a few
 * 256ths at times (docs/numerics.md), those of cubes by more; anisotropy is left out. */
#include "engine_texture_priv.h"

#include <math.h>
#include <string.h>

static float texture_level_load(const uint32_t *rows, unsigned row)
{
    float value;
    memcpy(&value, &rows[row * 32], sizeof value);
    return value;
}

static int32_t fixed(double level)
{
    if (level != level) return 0;
    return (int32_t)(fmin(fmax(level, -4096), 4096) * 256);
}

/* ---- gradients */

static const uint16_t logarithms[256] = {
    /* what an H200 has for log2(1 + i / 256) */
    0,   2,   4,   5,   6,   8,   9,   11,  12,  13,  15,  16,  18,  19,  20,  22,  23,  24,  26,  27,
    28,  30,  31,  32,  34,  35,  36,  38,  39,  40,  42,  43,  44,  45,  47,  48,  49,  50,  52,  53,
    54,  55,  57,  58,  59,  60,  62,  63,  64,  65,  66,  68,  69,  70,  71,  72,  74,  75,  76,  77,
    78,  79,  81,  82,  83,  84,  85,  86,  88,  89,  90,  91,  92,  93,  94,  95,  97,  98,  99,  100,
    101, 102, 103, 104, 105, 106, 107, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121,
    122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 135, 136, 137, 137, 138, 139, 140, 141,
    142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161,
    162, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 173, 174, 175, 176, 177, 178, 179,
    180, 181, 181, 182, 183, 184, 185, 186, 187, 188, 188, 189, 190, 191, 192, 193, 194, 195, 195, 196,
    197, 198, 199, 200, 200, 201, 202, 203, 204, 205, 205, 206, 207, 208, 209, 210, 210, 211, 212, 213,
    214, 214, 215, 216, 217, 218, 218, 219, 220, 221, 222, 222, 223, 224, 225, 226, 226, 227, 228, 229,
    229, 230, 231, 232, 233, 233, 234, 235, 236, 236, 237, 238, 239, 239, 240, 241, 242, 242, 243, 244,
    245, 245, 246, 247, 248, 248, 249, 250, 251, 251, 252, 253, 253, 254, 255, 255,
};

static int32_t logarithm(double value)
{
    int exponent;
    if (!(value > 0)) return -4096 * 256;
    if (value > 1e30) return 4096 * 256;
    double mantissa = frexp(value, &exponent) * 2;
    return (exponent - 1) * 256 + logarithms[(int)((mantissa - 1) * 256) & 255];
}

static double texture_level_cut(double value, int bits) /* towards zero, to so many bits of fraction */
{
    int exponent;
    double mantissa = frexp(value, &exponent);
    return ldexp(trunc(ldexp(mantissa, bits + 1)), exponent - bits - 1);
}

static double length_of(const double v[3])
{
    double a = fabs(v[0]), b = fabs(v[1]), c = fabs(v[2]), most = fmax(fmax(a, b), c),
           least = fmin(fmin(a, b), c), middle = a + b + c - most - least;
    return texture_level_cut(
        most + texture_level_cut(middle * 11 / 32, 10) + texture_level_cut(least / 4, 10), 10);
}

static double level_longest(const double x[3], const double y[3])
{
    double sum[3], difference[3];
    for (unsigned d = 0; d < 3; d++) {
        sum[d] = texture_level_cut(x[d] + y[d], 10);
        difference[d] = texture_level_cut(x[d] - y[d], 10);
    }
    double across = texture_level_cut(fmax(length_of(sum), length_of(difference)) * 11 / 16, 10);
    return fmax(fmax(length_of(x), length_of(y)), across);
}

/* Of a direction: how far apart its position in its face and that of the next direction are, in texels. */
static void face_slope(const float at[3], const float along[3], double extent, double out[3])
{
    unsigned axis = fabsf(at[1]) >= fabsf(at[0]) ? 1 : 0;
    if (fabsf(at[2]) >= fabsf(at[0]) && fabsf(at[2]) >= fabsf(at[1])) axis = 2;
    double here = (double)at[axis], there = here + (double)along[axis];
    for (unsigned d = 0, n = 0; d < 3; d++)
        if (d != axis)
            out[n++] = (((double)at[d] + (double)along[d]) / there - (double)at[d] / here) * extent / 2;
    out[2] = 0;
}

static void slopes_of(const struct jit_texture_op *op, const struct jit_texture *t, const uint32_t *rows,
                      unsigned first, double out[3])
{
    const uint32_t extents[3] = {t->levels[0].width, t->levels[0].height, t->levels[0].depth};
    unsigned layered = op->flags & JIT_TEXTURE_LAYERED ? 1 : 0;
    float at[3], along[3];
    for (unsigned d = 0; d < 3; d++) {
        at[d] = texture_level_load(rows, JIT_ROW_COORDINATES + layered + d);
        along[d] = d < op->dimensions ? texture_level_load(rows, first + d) : 0;
        out[d] = (double)along[d] * (t->normalized_coords ? extents[d] : 1);
    }
    if (t->cube) face_slope(at, along, extents[0], out);
    for (unsigned d = 0; d < 3; d++)
        out[d] = out[d] == out[d] ? texture_level_cut(fmin(fmax(out[d], -1e30), 1e30), 9) : 0;
}

static int32_t gradient_level(const struct jit_texture_op *op, const struct jit_texture *t,
                              const uint32_t *rows)
{
    double x[3], y[3];
    slopes_of(op, t, rows, JIT_ROW_ALONG_X, x);
    slopes_of(op, t, rows, JIT_ROW_ALONG_Y, y);
    return logarithm(level_longest(x, y));
}

int32_t texture_level(const struct jit_texture_op *op, const struct jit_texture *t, const uint32_t *rows)
{
    int32_t level = 0, last = ((int32_t)t->level_count - 1) * 256;
    if (op->level == JIT_LEVEL_GIVEN && op->flags & JIT_TEXTURE_INTEGER_COORDS) {
        int32_t whole = (int32_t)rows[JIT_ROW_LEVEL * 32];
        return (whole < 0 ? 0 : whole >= (int32_t)t->level_count ? (int32_t)t->level_count - 1 : whole) * 256;
    }
    if (op->level == JIT_LEVEL_GIVEN)
        level = fixed((double)texture_level_load(rows, JIT_ROW_LEVEL)) + t->bias;
    if (op->level == JIT_LEVEL_GRADIENT) level = gradient_level(op, t, rows) + t->bias;
    level = level > t->highest ? t->highest : level;
    level = level < t->lowest ? t->lowest : level;
    return level < 0 ? 0 : level > last ? last : level;
}
