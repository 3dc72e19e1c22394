/* SPDX-License-Identifier: Apache-2.0 */
/* The approximate instructions of PTX, bit by bit as an H200 computes them: MUFU, the multi-function unit,
 * one operand at a time in 64-bit integers, and around it the few instructions that ptxas (CUDA 13.0, sm_90)
 * puts there for denormals. No library function but fma; products and sums here must be rounded to nearest
 * even, uncontracted. A header of small functions, so that the recorder (tests/hw/approx) can compile the
 * same text for the GPU and compare every operand. Limits: a NaN result is 0x7fffffff, in f64 what the GPU
 * gave. */
#ifndef ORACLE_MUFU_H
#define ORACLE_MUFU_H

#include "arch/arch_mufu.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifndef MUFU_FMA
#define MUFU_FMA fma
#endif
#ifndef MUFU_FN
#define MUFU_FN static inline
#endif
#define MUFU_NAN 0x7fffffffu
#define MUFU_INF 0x7f800000u

MUFU_FN float mufu_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

MUFU_FN uint32_t mufu_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value != value ? MUFU_NAN : bits;
}

MUFU_FN uint32_t mufu_times(uint32_t a, uint32_t b)
{
    return mufu_bits(mufu_float(a) * mufu_float(b));
}

MUFU_FN uint32_t mufu_flush(uint32_t a)
{
    return a & MUFU_INF ? a : a & 0x80000000u;
}

/* ---- the unit: operands and results that are denormal count as zeros of their sign */

MUFU_FN int64_t mufu_square(uint32_t x)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < 17; i++)
        sum += x >> i & 1 ? x >> (18 - i) : 0;
    return sum >> 1;
}

MUFU_FN int64_t mufu_row(const struct arch_mufu_row *row, unsigned scale, unsigned bias, uint32_t x)
{
    return ((int64_t)row->c0 << scale) + (int64_t)row->c1 * x + row->c2 * mufu_square(x) + bias;
}

/* fraction: 24 bits, or 2^24; exponent: of the result, biased */
MUFU_FN uint32_t mufu_pack(int exponent, uint32_t fraction)
{
    if (fraction >> 24) {
        fraction >>= 1;
        exponent++;
    }
    return exponent <= 0 ? 0 : (uint32_t)exponent << 23 | (fraction & 0x7fffff);
}

/* value * 2^-point as a float, lower bits cut off; value > 0 */
MUFU_FN uint32_t mufu_normalize(int64_t value, int point)
{
    int top = 0;
    while (value >> (top + 1))
        top++;
    uint64_t fraction = top >= 23 ? (uint64_t)value >> (top - 23) : (uint64_t)value << (23 - top);
    return (uint32_t)(top - point + 127) << 23 | ((uint32_t)fraction & 0x7fffff);
}

MUFU_FN int64_t mufu_rcp_fixed(uint32_t fraction) /* 23 bits; result * 2^-40 */
{
    return mufu_row(&arch_mufu_rcp[fraction >> 16], ARCH_MUFU_RCP_SCALE, ARCH_MUFU_RCP_BIAS,
                    fraction << 1 & 0x1ffff);
}

MUFU_FN int64_t mufu_rsqrt_fixed(uint32_t fraction) /* with the exponent's last bit above; not 0 */
{
    return mufu_row(&arch_mufu_rsqrt[fraction >> 17], ARCH_MUFU_RSQRT_SCALE, ARCH_MUFU_RSQRT_BIAS,
                    fraction & 0x1ffff);
}

MUFU_FN uint32_t mufu_rcp(uint32_t a)
{
    uint32_t exponent = a >> 23 & 255, fraction = a & 0x7fffff, sign = a & 0x80000000u;
    if (exponent == 255) return fraction ? MUFU_NAN : sign;
    if (exponent == 0) return sign | MUFU_INF;
    return sign | mufu_pack(253 - (int)exponent, (uint32_t)(mufu_rcp_fixed(fraction) >> 16));
}

/* Is sqrt or rsqrt of a decided without the tables? zero: what a zero gives, less its sign */
MUFU_FN bool mufu_root_special(uint32_t a, uint32_t zero, uint32_t infinity, uint32_t *result)
{
    uint32_t sign = a & 0x80000000u, magnitude = a & 0x7fffffff;
    if (magnitude > MUFU_INF)
        *result = MUFU_NAN;
    else if (magnitude < 0x00800000)
        *result = sign | zero;
    else if (sign)
        *result = MUFU_NAN;
    else if (magnitude == MUFU_INF)
        *result = infinity;
    else
        return false;
    return true;
}

/* a = fraction * 2^(2 half), fraction in [1, 4) */
MUFU_FN uint32_t mufu_root_fraction(uint32_t a, int *half)
{
    int exponent = (int)(a >> 23) - 127;
    *half = exponent >> 1;
    return (a & 0x7fffff) | (uint32_t)(exponent & 1) << 23;
}

MUFU_FN uint32_t mufu_rsqrt(uint32_t a)
{
    uint32_t result;
    int half;
    if (mufu_root_special(a, MUFU_INF, 0, &result)) return result;
    uint32_t fraction = mufu_root_fraction(a, &half);
    if (fraction == 0) return mufu_pack(127 - half, 1u << 23);
    return mufu_pack(126 - half, (uint32_t)(mufu_rsqrt_fixed(fraction) >> 16));
}

MUFU_FN uint32_t mufu_sqrt(uint32_t a)
{
    uint32_t result;
    int half;
    if (mufu_root_special(a, 0, MUFU_INF, &result)) return result;
    uint32_t fraction = mufu_root_fraction(a, &half);
    int64_t fixed = mufu_row(&arch_mufu_sqrt[fraction >> 17], ARCH_MUFU_SQRT_SCALE, ARCH_MUFU_SQRT_BIAS,
                             fraction & 0x1ffff);
    return mufu_pack(127 + half, (uint32_t)(fixed >> 17));
}

/* 2^a: the magnitude is cut off to 23 bits behind the point; the complement of a negative one is exact but
 * for its last place */
MUFU_FN uint32_t mufu_ex2(uint32_t a)
{
    int exponent = (int)(a >> 23 & 255) - 127;
    uint32_t mantissa = (a & 0x7fffff) | 0x800000;
    bool negative = a >> 31;
    if (exponent == 128 && (a & 0x7fffff)) return MUFU_NAN;
    if (exponent >= 7) return negative ? 0 : MUFU_INF;
    uint32_t fixed = exponent < -23 ? 0 : exponent < 0 ? mantissa >> -exponent : mantissa << exponent;
    if (negative) fixed = fixed & 0x7fffff ? ~fixed : -fixed;
    uint32_t fraction = fixed & 0x7fffff;
    int64_t value =
        mufu_row(&arch_mufu_ex2[fraction >> 17], ARCH_MUFU_EX2_SCALE, ARCH_MUFU_EX2_BIAS, fraction & 0x1ffff);
    return mufu_pack(127 + ((int32_t)fixed >> 23), (uint32_t)(value >> 16));
}

MUFU_FN uint32_t mufu_lg2(uint32_t a)
{
    uint32_t magnitude = a & 0x7fffffff, fraction = a & 0x7fffff;
    if (magnitude > MUFU_INF) return MUFU_NAN;
    if (magnitude < 0x00800000) return 0x80000000u | MUFU_INF;
    if (a >> 31) return MUFU_NAN;
    if (a == MUFU_INF || a == 0x3f800000) return a == MUFU_INF ? a : 0;
    int64_t value = mufu_row(&arch_mufu_lg2[fraction >> 17], ARCH_MUFU_LG2_SCALE, ARCH_MUFU_LG2_BIAS,
                             fraction & 0x1ffff) >>
                    2;
    value += ((int64_t)(a >> 23) - 127) * ((int64_t)1 << 36);
    return value < 0 ? 0x80000000u | mufu_normalize(~value, 36) : mufu_normalize(value, 36);
}

/* sin(2 pi a) or, from the next quarter, cos */
MUFU_FN uint32_t mufu_sine(uint32_t a, bool cosine)
{
    int exponent = (int)(a >> 23 & 255) - 125; /* in quarters */
    uint64_t mantissa = (a & 0x7fffff) | 0x800000;
    if (exponent == 130) return MUFU_NAN;
    uint32_t fixed = exponent == -125 || exponent < -23 || exponent > 24 ? 0
                     : exponent < 0                                      ? (uint32_t)(mantissa >> -exponent)
                                                                         : (uint32_t)(mantissa << exponent);
    uint32_t quarter = (fixed >> 23 & 3) + cosine, sign = cosine ? 0 : a >> 31;
    uint32_t fraction = quarter & 1 ? ~fixed & 0x7fffff : fixed & 0x7fffff;
    sign = (sign ^ (quarter >> 1 & 1)) << 31;
    int64_t value = mufu_row(&arch_mufu_sine[fraction >> 17], ARCH_MUFU_SINE_SCALE, ARCH_MUFU_SINE_BIAS,
                             fraction & 0x1ffff);
    return value <= 0 ? sign : sign | mufu_normalize(value, 37);
}

/* |a| < 2^-8: a itself, denormals too; from 8: 1 */
MUFU_FN uint32_t mufu_tanh(uint32_t a)
{
    static const unsigned char row_bits[] = {0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3},
                               first[] = {0, 1, 2, 3, 5, 7, 11, 15, 19, 27, 43};
    uint32_t magnitude = a & 0x7fffffff, sign = a & 0x80000000u;
    if (magnitude > MUFU_INF) return MUFU_NAN;
    if (magnitude < 0x3b800000) return a;
    if (magnitude >= 0x41000000) return sign | 0x3f800000;
    unsigned binade = (magnitude >> 23) - 119, bits = row_bits[binade];
    uint32_t fraction = (a & 0x7fffff) << bits;
    return sign | mufu_normalize(mufu_row(&arch_mufu_tanh[first[binade] + (fraction >> 23)],
                                          ARCH_MUFU_TANH_SCALE, ARCH_MUFU_TANH_BIAS, fraction >> 6 & 0x1ffff),
                                 40);
}

/* ---- f64: the upper 32 bits alone */

MUFU_FN uint32_t mufu_pack64(int exponent, uint32_t fraction) /* 21 bits, or 2^21 */
{
    if (fraction >> 21) {
        fraction >>= 1;
        exponent++;
    }
    return exponent <= 0 ? 0 : (uint32_t)exponent << 20 | (fraction & 0xfffff);
}

MUFU_FN uint32_t mufu_rcp64h(uint32_t a)
{
    uint32_t exponent = a >> 20 & 2047, fraction = a & 0xfffff, sign = a & 0x80000000u;
    if (exponent == 2047) return fraction ? MUFU_NAN : sign;
    if (exponent == 0) return sign | 0x7ff00000;
    return sign | mufu_pack64(2045 - (int)exponent, (uint32_t)(mufu_rcp_fixed(fraction << 3) >> 19));
}

MUFU_FN uint32_t mufu_rsqrt64h(uint32_t a)
{
    uint32_t magnitude = a & 0x7fffffff, sign = a & 0x80000000u;
    if (magnitude > 0x7ff00000) return MUFU_NAN;
    if (magnitude < 0x00100000) return sign | 0x7ff00000;
    if (sign) return MUFU_NAN;
    if (magnitude == 0x7ff00000) return 0;
    int exponent = (int)(a >> 20) - 1023, half = exponent >> 1;
    uint32_t fraction = (a & 0xfffff) << 3 | (uint32_t)(exponent & 1) << 23;
    if (fraction == 0) return mufu_pack64(1023 - half, 1u << 20);
    return mufu_pack64(1022 - half, (uint32_t)(mufu_rsqrt_fixed(fraction) >> 19));
}

/* ---- the instructions */

MUFU_FN bool mufu_is_tiny(uint32_t a) /* denormal or zero */
{
    return (a & 0x7fffffff) < 0x00800000;
}

MUFU_FN bool mufu_is_huge(uint32_t a) /* |a| > 2^126, infinite too, not NaN */
{
    return (a & 0x7fffffff) > 0x7e800000 && (a & 0x7fffffff) <= MUFU_INF;
}

#define MUFU_2P24    0x4b800000u
#define MUFU_QUARTER 0x3e800000u

MUFU_FN uint32_t oracle_rcp(uint32_t a)
{
    uint32_t scale = mufu_is_huge(a) ? MUFU_QUARTER : mufu_is_tiny(a) ? MUFU_2P24 : 0x3f800000;
    return mufu_times(mufu_rcp(mufu_times(a, scale)), scale);
}

MUFU_FN uint32_t oracle_sqrt(uint32_t a)
{
    if (!mufu_is_tiny(a)) return mufu_sqrt(a);
    return mufu_times(mufu_sqrt(mufu_times(a, MUFU_2P24)), 0x39800000); /* 2^-12 */
}

MUFU_FN uint32_t oracle_rsqrt(uint32_t a)
{
    if (!mufu_is_tiny(a)) return mufu_rsqrt(a);
    return mufu_times(mufu_rsqrt(mufu_times(a, MUFU_2P24)), 0x45800000); /* 2^12 */
}

MUFU_FN uint32_t oracle_ex2(uint32_t a)
{
    if (!(mufu_float(a) < -126)) return mufu_ex2(a);
    uint32_t root = mufu_ex2(mufu_times(a, 0x3f000000));
    return mufu_times(root, root);
}

MUFU_FN uint32_t oracle_lg2(uint32_t a)
{
    if (!mufu_is_tiny(a)) return mufu_lg2(a);
    return mufu_bits(mufu_float(mufu_lg2(mufu_times(a, MUFU_2P24))) - 24);
}

/* a / (2 pi), cut off; denormals are as good as zeros here */
MUFU_FN uint32_t mufu_turns(uint32_t a)
{
    double exact = (double)mufu_float(a) * 0x1.45f306p-3;
    uint64_t bits;
    memcpy(&bits, &exact, sizeof bits);
    if ((a & MUFU_INF) == MUFU_INF || mufu_is_tiny(a)) return a;
    int exponent = (int)(bits >> 52 & 2047) - 1023 + 127;
    return (a & 0x80000000u) |
           (exponent <= 0 ? 0 : (uint32_t)exponent << 23 | (uint32_t)(bits >> 29 & 0x7fffff));
}

MUFU_FN uint32_t oracle_sin(uint32_t a)
{
    return mufu_sine(mufu_turns(a), false);
}

MUFU_FN uint32_t oracle_cos(uint32_t a)
{
    return mufu_sine(mufu_turns(a), true);
}

/* mul.ftz.f32 of operands that are flushed */
MUFU_FN uint32_t mufu_times_ftz(uint32_t a, uint32_t b)
{
    double exact = (double)mufu_float(a) * (double)mufu_float(b);
    bool tiny = exact < 0x1.ffffffp-127 && exact > -0x1.ffffffp-127; /* even as if exponents went on */
    return tiny ? mufu_times(a, b) & 0x80000000u : mufu_times(a, b);
}

/* full: div.full, which also scales large divisors */
MUFU_FN uint32_t oracle_div(uint32_t a, uint32_t b, bool full, bool ftz)
{
    uint32_t scale = full && mufu_is_huge(b)   ? MUFU_QUARTER
                     : !ftz && mufu_is_tiny(b) ? MUFU_2P24
                                               : 0x3f800000;
    b = mufu_times(b, scale);
    if (!ftz) return mufu_times(mufu_rcp(b), mufu_times(a, scale));
    return mufu_times_ftz(mufu_rcp(b), mufu_times_ftz(mufu_flush(a), scale));
}

/* y = 1/sqrt(x) (1 - e), e = 1 - x y^2: y + y e (1/2 + 3/8 e). Denormals are scaled by 2^54. */
MUFU_FN uint64_t oracle_rsqrt64(uint64_t a)
{
    uint64_t magnitude = a & 0x7fffffffffffffffu, infinity = 0x7ff0000000000000u;
    if (magnitude > infinity) return a | UINT64_C(1) << 51;
    if (magnitude == 0) return a | infinity;
    if (a >> 63) return 0xfff8000000000000u;
    if (a == infinity) return 0;
    double x, y, scale = magnitude >> 52 ? 1 : 0x1p27;
    memcpy(&x, &a, sizeof x);
    x *= scale * scale;
    memcpy(&a, &x, sizeof a);
    uint64_t seed = (uint64_t)mufu_rsqrt64h((uint32_t)(a >> 32)) << 32;
    memcpy(&y, &seed, sizeof y);
    double e = MUFU_FMA(x, -(y * y), 1), result = MUFU_FMA(MUFU_FMA(e, 0.375, 0.5), y * e, y) * scale;
    memcpy(&seed, &result, sizeof seed);
    return seed;
}

/* 2^a in f16: the f32 result with its lower bits cut off, above 65504 infinity */
MUFU_FN uint32_t mufu_to_f16(uint32_t a)
{
    uint32_t sign = a >> 16 & 0x8000, magnitude = a & 0x7fffffff;
    if (magnitude > MUFU_INF) return 0x7fff;
    if (magnitude >= 0x47800000) return sign | 0x7c00;
    if (magnitude >= 0x38800000) return sign | ((magnitude - 0x38000000) >> 13);
    unsigned shift = 126 - (magnitude >> 23);
    return shift > 24 ? sign : sign | ((magnitude & 0x7fffff) | 0x800000) >> shift;
}

MUFU_FN uint32_t mufu_from_f16(uint32_t a)
{
    uint32_t sign = (a & 0x8000) << 16, magnitude = a & 0x7fff;
    if (magnitude >= 0x7c00) return sign | MUFU_INF | magnitude << 13;
    if (magnitude >= 0x0400) return sign | ((magnitude << 13) + 0x38000000);
    return sign | mufu_bits((float)magnitude * 0x1p-24f);
}

MUFU_FN uint32_t oracle_half(uint32_t a, bool brain, bool tanh)
{
    uint32_t x = brain ? a << 16 : mufu_from_f16(a), y = tanh ? mufu_tanh(x) : mufu_ex2(x);
    return brain ? y >> 16 : mufu_to_f16(y);
}
#endif
