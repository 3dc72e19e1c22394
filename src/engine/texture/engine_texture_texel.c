/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: texels as they are stored, and their weighted sums.
 * Method: as an H200 answers for every format (tests/textures). Fractions of 8 and 16 bits are summed as
 * integers of 16 bits, signed ones of 8 bits with 3 bits more; floats are cut to 27 bits (halves to 14) below
 * the largest of their group of four or fewer, groups are added exactly, and the sum is rounded, halves away
 * from zero. The border has the texels' format. Channels that a format lacks are 0. */
#include "engine_texture_priv.h"

#include "base/base_bits.h"

#include <math.h>
#include <string.h>

__extension__ typedef __int128 wide_int;
__extension__ typedef unsigned __int128 wide_unsigned;
__extension__ typedef _Float16 half_float;

uint32_t texture_texel_bytes(const struct jit_texture *t)
{
    static const uint8_t bytes[] = {1, 1, 2, 2, 4, 4, 2, 4};
    return bytes[t->texel & 7];
}

uint32_t texture_half_bits(float value)
{
    half_float half = (half_float)value;
    uint16_t bits;
    memcpy(&bits, &half, sizeof bits);
    return bits;
}

uint32_t texture_half_cut(float value)
{
    uint32_t bits = sw_float_bits(value);
    if ((bits & 0x7f800000u) == 0x7f800000u) return texture_half_bits(value);
    if ((bits & 0x7fffffffu) >= 0x477fe000u) return (bits >> 16 & 0x8000u) | 0x7bffu; /* 65,504 */
    if ((bits & 0x7fffffffu) < 0x38800000u)
        return (bits >> 16 & 0x8000u) | (uint32_t)(fabsf(value) * 0x1p24f);
    return texture_half_bits(sw_float_of(bits & ~0x1fffu));
}

/* NaN as it is, which a conversion would make quiet. */
static uint32_t half_widened(uint32_t bits)
{
    uint32_t sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31u, fraction = bits & 0x3ffu;
    if (exponent == 31) return sign | 0x7f800000u | fraction << 13;
    if (exponent) return sign | (exponent + 112) << 23 | fraction << 13;
    if (!fraction) return sign;
    unsigned shift = (unsigned)__builtin_clz(fraction) - 21; /* to the hidden bit */
    return sign | (113 - shift) << 23 | (fraction << shift & 0x3ffu) << 13;
}

static bool is_srgb(const struct jit_texture *t, unsigned c)
{
    return t->srgb && (t->channels == 2 ? c == 0 : c < 3);
}

/* Unsigned ones are rounded up from somewhere between 1/4 and 15/32 short of the next. */
static uint32_t fraction_of(float value, float low, float scale, uint32_t mask)
{
    float clamped = !(value > low) ? low : value > 1.0f ? 1.0f : value;
    return (uint32_t)(int32_t)floorf(clamped * scale + (low < 0 ? 0.5f : 0.375f)) & mask;
}

/* The standard's curve backwards. */
static float encoded(float value) /* to the nearest of 255 */
{
    float clamped = !(value > 0) ? 0 : value > 1 ? 1 : value;
    float code = clamped <= 0.0031308f ? clamped * 12.92f : 1.055f * powf(clamped, 1 / 2.4f) - 0.055f;
    return floorf(code * 255 + 0.5f) / 255;
}

/* The border as a texel. */
static uint32_t border_raw(const struct jit_texture *t, unsigned c)
{
    float value = is_srgb(t, c) ? encoded(t->border[c]) : t->border[c];
    bool fraction = t->read_normalized;
    switch (t->texel) {
    case JIT_TEXEL_U8: return fraction ? fraction_of(value, 0, 255, 0xff) : sw_float_bits(value) & 0xff;
    case JIT_TEXEL_S8: return fraction ? fraction_of(value, -1, 127, 0xff) : sw_float_bits(value) & 0xff;
    case JIT_TEXEL_U16:
        return fraction ? fraction_of(value, 0, 65535, 0xffff) : sw_float_bits(value) & 0xffff;
    case JIT_TEXEL_S16:
        return fraction ? fraction_of(value, -1, 32767, 0xffff) : sw_float_bits(value) & 0xffff;
    case JIT_TEXEL_F16: return texture_half_cut(value);
    default: return t->linear && fabsf(value) < 0x1p-126f ? 0 : sw_float_bits(value);
    }
}

uint64_t texture_texel_address(const struct jit_texture *t, const struct texture_tap *tap)
{
    const struct jit_texture_level *level = tap->level;
    return level->base + (uint64_t)tap->z * level->slice + (uint64_t)tap->y * level->pitch +
           (uint64_t)tap->x * t->channels * texture_texel_bytes(t);
}

/* The bits of a channel, as they are stored. */
uint32_t texture_texel_raw(const struct jit_texture *t, const struct texture_tap *tap, unsigned c)
{
    if (c >= t->channels) return 0;
    if (tap->x < 0 || tap->y < 0 || tap->z < 0) return border_raw(t, c);
    uint32_t bytes = texture_texel_bytes(t), raw = 0;
    memcpy(&raw, (const uint8_t *)(uintptr_t)texture_texel_address(t, tap) + c * bytes, bytes);
    return raw;
}

uint32_t texture_element(const struct jit_texture *t, const struct texture_tap *tap, unsigned c)
{
    uint32_t raw = texture_texel_raw(t, tap, c);
    if (t->texel == JIT_TEXEL_S8) return (uint32_t)(int32_t)(int8_t)raw;
    if (t->texel == JIT_TEXEL_S16) return (uint32_t)(int32_t)(int16_t)raw;
    return t->texel == JIT_TEXEL_F16 ? half_widened(raw) : raw;
}

/* What an H200 makes of sRGB, in 2^-14: near the standard's curve, with 8 bits at most. */
static const uint16_t srgb[256] = {
    0,     5,     10,    15,    20,    25,    30,    35,    40,    45,    50,    55,    60,    66,    72,
    78,    85,    92,    99,    107,   115,   123,   131,   140,   150,   159,   169,   180,   190,   201,
    213,   224,   236,   250,   262,   276,   290,   304,   318,   332,   348,   364,   380,   396,   412,
    430,   448,   466,   484,   504,   524,   544,   564,   584,   604,   624,   648,   672,   692,   716,
    740,   764,   788,   816,   840,   864,   896,   920,   944,   976,   1000,  1032,  1064,  1088,  1120,
    1152,  1184,  1216,  1248,  1280,  1312,  1352,  1384,  1416,  1456,  1488,  1528,  1560,  1600,  1640,
    1672,  1712,  1752,  1792,  1832,  1872,  1920,  1952,  2000,  2048,  2080,  2128,  2176,  2224,  2272,
    2320,  2368,  2416,  2464,  2512,  2560,  2608,  2656,  2704,  2752,  2816,  2864,  2912,  2976,  3024,
    3072,  3136,  3184,  3248,  3296,  3360,  3424,  3472,  3536,  3600,  3664,  3712,  3776,  3840,  3904,
    3968,  4032,  4096,  4160,  4224,  4288,  4352,  4416,  4512,  4576,  4640,  4704,  4768,  4864,  4928,
    4992,  5056,  5152,  5216,  5280,  5376,  5440,  5536,  5600,  5696,  5760,  5824,  5920,  6016,  6080,
    6176,  6240,  6336,  6400,  6496,  6592,  6688,  6752,  6848,  6944,  7008,  7104,  7200,  7296,  7392,
    7488,  7584,  7680,  7744,  7872,  7936,  8064,  8128,  8256,  8320,  8448,  8512,  8640,  8768,  8832,
    8960,  9024,  9152,  9280,  9344,  9472,  9600,  9664,  9792,  9920,  9984,  10112, 10240, 10304, 10432,
    10560, 10688, 10816, 10880, 11008, 11136, 11264, 11392, 11456, 11584, 11712, 11840, 11968, 12096, 12224,
    12352, 12480, 12608, 12736, 12864, 12992, 13120, 13248, 13376, 13504, 13632, 13760, 13888, 14016, 14144,
    14272, 14400, 14528, 14656, 14848, 14976, 15104, 15232, 15360, 15488, 15616, 15744, 16000, 16128, 16256,
    16384,
};

/* ---- fractions */

static int64_t rounded(int64_t sum, unsigned bits) /* half up */
{
    return (sum + ((int64_t)1 << (bits - 1))) >> bits;
}

static float mix_unsigned(const struct jit_texture *t, const struct texture_taps *taps, unsigned c)
{
    int64_t sum = 0, scale = t->texel == JIT_TEXEL_U8 ? 257 : 1;
    for (unsigned i = 0; i < taps->count; i++)
        sum += taps->at[i].weight * scale * texture_texel_raw(t, &taps->at[i], c);
    return (float)rounded(sum, 8) / 65535.0f;
}

static float mix_signed(const struct jit_texture *t, const struct texture_taps *taps, unsigned c)
{
    int64_t sum = 0, value;
    for (unsigned i = 0; i < taps->count; i++) {
        uint32_t raw = texture_texel_raw(t, &taps->at[i], c);
        sum += (int64_t)taps->at[i].weight * (t->texel == JIT_TEXEL_S8 ? (int8_t)raw : (int16_t)raw);
    }
    if (t->texel == JIT_TEXEL_S8 && !t->linear) return sum < -127 * 256 ? -1.0f : (float)(sum / 256) / 127.0f;
    value = t->texel == JIT_TEXEL_S8 ? rounded(sum * 8 + (sum >> 4) + (sum >> 12), 3) : rounded(sum, 8);
    value = value < -32767 ? -32767 : value > 32767 ? 32767 : value;
    return (float)value / 32767.0f;
}

/* ---- floats: a sum is a whole number of units of two to some power */

struct sum {
    wide_int units;
    int power;
};

static bool finite_bits(uint32_t bits)
{
    return (bits & 0x7f800000u) != 0x7f800000u;
}

static int exponent_of(float value)
{
    int exponent;
    frexpf(value, &exponent);
    return exponent - 1;
}

struct real { /* a weighted texel */
    float value;
    uint32_t weight;
    int exponent;
};

static double power_of_two(int exponent) /* of a normal double */
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

static struct sum group_sum(const struct real *reals, unsigned count, int bits)
{
    enum { NONE = -1000 };
    struct sum sum = {0, 0};
    int most = NONE;
    for (unsigned i = 0; i < count; i++)
        if (reals[i].value != 0 && reals[i].weight && reals[i].exponent > most) most = reals[i].exponent;
    if (most == NONE) return sum;
    sum.power = most - bits - 8; /* weights are 256ths */
    double unit = power_of_two(bits - most);
    for (unsigned i = 0; i < count; i++)
        if (reals[i].weight) sum.units += (int64_t)((double)reals[i].value * unit) * (int64_t)reals[i].weight;
    return sum;
}

/* Far apart, the smaller one decides no more than which side of a half the sum is on. */
static struct sum added(struct sum a, struct sum b)
{
    if (!a.units) return b;
    if (!b.units) return a;
    struct sum *high = a.power >= b.power ? &a : &b, *low = high == &a ? &b : &a;
    int apart = high->power - low->power;
    if (apart > 76) {
        low->units = low->units < 0 ? -1 : 1;
        low->power = high->power - 76;
        apart = 76;
    }
    return (struct sum){high->units * ((wide_int)1 << apart) + low->units, low->power};
}

/* To `bits` of fraction, halves away from zero; below 2^lowest with fewer. */
static float rounded_sum(struct sum sum, int bits, int lowest)
{
    bool negative = sum.units < 0;
    wide_unsigned units = negative ? -(wide_unsigned)sum.units : (wide_unsigned)sum.units;
    if (!units) return 0;
    uint64_t high = (uint64_t)(units >> 64);
    int top = high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)units);
    int exponent = top + sum.power < lowest ? lowest : top + sum.power, drop = exponent - bits - sum.power;
    if (drop > 126) return negative ? -0.0f : 0.0f;
    if (drop > 0) units = (units + ((wide_unsigned)1 << (drop - 1))) >> drop;
    double value = ldexp((double)(uint64_t)units, drop > 0 ? exponent - bits : sum.power);
    return (float)(negative ? -value : value);
}

static uint32_t special_sum(const struct real *reals, unsigned count, bool half)
{
    float sum = 0;
    for (unsigned i = 0; i < count; i++)
        if (reals[i].weight && !finite_bits(sw_float_bits(reals[i].value))) sum += reals[i].value;
    return sum == sum ? sw_float_bits(sum) : half ? 0x7fffe000u : 0x7fffffffu;
}

/* Eight values of sRGB share the exponent of their last. */
static struct real real_of(const struct jit_texture *t, const struct texture_tap *tap, unsigned c)
{
    uint32_t raw = texture_texel_raw(t, tap, c);
    struct real real = {.weight = tap->weight};
    real.value = sw_float_of(t->texel == JIT_TEXEL_F16 ? half_widened(raw) : raw);
    if (t->texel == JIT_TEXEL_U8) real.value = (float)srgb[raw & 255] * 0x1p-14f;
    real.exponent =
        exponent_of(t->texel == JIT_TEXEL_U8 ? (float)srgb[(raw & 255) | 7] * 0x1p-14f : real.value);
    return real;
}

static uint32_t mix_floats(const struct jit_texture *t, const struct texture_taps *taps, unsigned c)
{
    bool half = t->texel == JIT_TEXEL_F16 || t->texel == JIT_TEXEL_U8, special = false;
    int cut = t->texel == JIT_TEXEL_F16 ? 14 : t->texel == JIT_TEXEL_U8 ? 7 : 27;
    struct real reals[TEXTURE_MOST_TAPS];
    struct sum sum = {0, 0};
    for (unsigned i = 0; i < taps->count; i++) {
        reals[i] = real_of(t, &taps->at[i], c);
        special = special || (reals[i].weight && !finite_bits(sw_float_bits(reals[i].value)));
    }
    if (special) return special_sum(reals, taps->count, half);
    for (unsigned i = 0, first; i < taps->count;) {
        for (first = i; i < taps->count && taps->at[i].group == taps->at[first].group;)
            i++;
        sum = added(sum, group_sum(reals + first, i - first, cut));
    }
    return sw_float_bits(half ? rounded_sum(sum, 10, -14) : rounded_sum(sum, 23, -126));
}

uint32_t texture_mix(const struct jit_texture *t, const struct texture_taps *taps, unsigned c)
{
    if (c >= t->channels) return 0;
    if (t->texel >= JIT_TEXEL_U32) /* all of 32 bits are floats when they are read as such */
        return !t->linear && taps->count == 1 ? texture_element(t, &taps->at[0], c) : mix_floats(t, taps, c);
    if (is_srgb(t, c)) return mix_floats(t, taps, c);
    if (!t->read_normalized) return texture_element(t, &taps->at[0], c);
    bool is_signed = t->texel == JIT_TEXEL_S8 || t->texel == JIT_TEXEL_S16;
    return sw_float_bits(is_signed ? mix_signed(t, taps, c) : mix_unsigned(t, taps, c));
}
