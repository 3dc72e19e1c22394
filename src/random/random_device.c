/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: normal numbers as a GPU's float and double functions give them, where they are not the C
 * library's. Method: the formulas that curand_kernel.h documents, with what nvcc makes of them: products and
 * sums are fused; sines, cosines and powers of 2 of floats are the multi-function unit's, exact here
 * (arch/arch_mufu.h); the angle of doubles is sincospi's. Other functions are rounded once from more digits
 * than they have. Limits: NVIDIA's logf, log, exp, sincospi, erfcinvf and erfcinv round otherwise now and
 * then, by one or two units of the last place (docs/libraries/curand.md has how often). */
#include "random_priv.h"

#include "arch/arch_mufu.h"

#include <math.h>

static const double PI = 3.14159265358979323846, PI_LOW = 1.2246467991473532e-16;

/* ---- sines of the multi-function unit */

static int64_t square(uint32_t x)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < 17; i++)
        sum += x >> i & 1 ? x >> (18 - i) : 0;
    return sum >> 1;
}

/* Of a fraction of a turn in units of 2^-25, whose first two bits are the quarter. */
static float unit_sine(uint32_t turn)
{
    uint32_t quarter = turn >> 23 & 3, fraction = (quarter & 1 ? ~turn : turn) & 0x7fffff,
             x = fraction & 0x1ffff;
    const struct arch_mufu_row *row = &arch_mufu_sine[fraction >> 17];
    int64_t value = ((int64_t)row->c0 << ARCH_MUFU_SINE_SCALE) + (int64_t)row->c1 * x + row->c2 * square(x) +
                    ARCH_MUFU_SINE_BIAS;
    unsigned top;
    if (value <= 0) return quarter & 2 ? -0.0f : 0.0f;
    top = 63 - (unsigned)__builtin_clzll((unsigned long long)value);
    if (top > 23) value = value >> (top - 23) << (top - 23); /* lower bits are cut off */
    return (float)value * (quarter & 2 ? -0x1p-37f : 0x1p-37f);
}

/* angle in [0, 2 pi] */
static uint32_t turn_of(float angle)
{
    double exact = (double)angle * 0x1.45f306p-3; /* 1 / (2 pi), as a float */
    float turn = (float)exact;
    if (turn > exact) turn = nextafterf(turn, 0); /* rounded to zero */
    return (uint32_t)((double)turn * 0x1p25);
}

/* expf: 2^f of the unit, f the fraction of x log2(e), in two steps so that no bits of it are lost. */
static float unit_exp(float x)
{
    const float log2_e = 0x1.715476p+0f, log2_e_low = 0x1.4ae0cp-26f;
    float whole = floorf(x * log2_e), f = fmaf(x, log2_e_low, fmaf(x, log2_e, -whole));
    int64_t fixed = (int64_t)floor((double)f * 0x1p23); /* a negative one, too, is rounded down */
    uint32_t fraction = (uint32_t)fixed & 0x7fffff, low = fraction & 0x1ffff;
    const struct arch_mufu_row *row = &arch_mufu_ex2[fraction >> 17];
    int64_t value = ((int64_t)row->c0 << ARCH_MUFU_EX2_SCALE) + (int64_t)row->c1 * low +
                    row->c2 * square(low) + ARCH_MUFU_EX2_BIAS;
    return ldexpf((float)(value >> 16), (int)whole + (int)(fixed >> 23) - 23);
}

static void polar(float u, float angle, float *out)
{
    enum { QUARTER = 1 << 23 };
    float radius = sqrtf(-2.0f * (float)log((double)u));
    uint32_t turn = turn_of(angle);
    out[0] = unit_sine(turn) * radius;
    out[1] = unit_sine(turn + QUARTER) * radius;
}

/* ---- normal numbers, of mean 0 and deviation 1 */

void random_device_polar(bool is_mrg, const uint32_t *w, size_t count, float *out)
{
    const float two_pi = 6.2831855f, turn = 0x1p-32f * two_pi;
    for (size_t i = 0; i + 1 < count; i += 2) {
        if (is_mrg)
            polar((float)random_mrg_uniform(w[i]), (float)random_mrg_uniform(w[i + 1]) * two_pi, out + i);
        else
            polar((float)w[i] * 0x1p-32f + 0x1p-33f, fmaf((float)w[i + 1], turn, turn / 2), out + i);
    }
}

/* Sine and cosine of pi x, x in [0, 2]. */
static void sine_cosine_pi(double x, double *sine, double *cosine)
{
    double halves = rint(2 * x), r = x - halves / 2, high = PI * r, low = fma(PI, r, -high) + PI_LOW * r;
    double s = sin(high), c = cos(high), sines[4], cosines[4];
    unsigned quarter = (unsigned)halves & 3;
    double s1 = s + c * low, c1 = c - s * low;
    sines[0] = s1, sines[1] = c1, sines[2] = -s1, sines[3] = -c1;
    cosines[0] = c1, cosines[1] = -s1, cosines[2] = -c1, cosines[3] = s1;
    *sine = sines[quarter];
    *cosine = cosines[quarter];
}

void random_device_polar_double(const double *u, const double *v, size_t pairs, double *out)
{
    for (size_t i = 0; i < pairs; i++) {
        double radius = sqrt(-2 * log(u[i]));
        sine_cosine_pi(v[i], &out[2 * i], &out[2 * i + 1]);
        out[2 * i] *= radius;
        out[2 * i + 1] *= radius;
    }
}

/* From quantiles, which are the square root of 2 times the inverse of erfc. */
float random_device_inverted(double quantile)
{
    return (float)(quantile / 1.41421356237309504880) * 1.4142135f;
}

void random_device_scale(float mean, float deviation, bool exponential, size_t count, float *out)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = fmaf(deviation, out[i], mean);
        if (exponential) out[i] = unit_exp(out[i]);
    }
}

void random_device_scale_double(double mean, double deviation, bool exponential, size_t count, double *out)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = fma(deviation, out[i], mean);
        if (exponential) out[i] = exp(out[i]);
    }
}
