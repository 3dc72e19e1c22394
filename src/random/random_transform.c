/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: words of generators to numbers of distributions, with the formulas that cuRAND documents and that
 * curand_kernel.h of NVIDIA's has: uniform numbers are x 2^-32 + 2^-33 in floats; normal ones of XORWOW,
 * MRG32k3a and Philox are Box and Muller's, two at once; those of others invert the distribution.
 * Logarithms, sines and the like are the C library's, as those of NVIDIA's generators of the host are; a
 * GPU's are in random_device.c. */
#include "random_priv.h"

#include <math.h>
#include <string.h>

#define INVERSE32 0x1p-32
#define INVERSE53 0x1p-53
/* documented in curand_globals.h: floats that are not exact powers of two */
#define MRG_BITS 1.000000048662
static const float TWO_PI = 6.2831855f;
static const double PI = 3.14159265358979323846;

size_t random_bytes(enum random_kind kind, enum random_distribution distribution)
{
    switch ((int)distribution) {
    case RANDOM_UNIFORM_DOUBLE:
    case RANDOM_NORMAL_DOUBLE:
    case RANDOM_LOG_NORMAL_DOUBLE: return sizeof(double);
    case RANDOM_BITS: return random_is_wide(kind) ? 8 : 4;
    default: return sizeof(float);
    }
}

unsigned random_words(enum random_kind kind, enum random_distribution distribution)
{
    bool pairs = kind == RANDOM_XORWOW || kind == RANDOM_PHILOX;
    return pairs && random_bytes(kind, distribution) == sizeof(double) ? 2 : 1;
}

static inline double two_words(uint32_t x, uint32_t y)
{
    return (double)(int64_t)(x ^ (uint64_t)y << 21) * INVERSE53 + INVERSE53 / 2;
}

/* ---- uniform numbers */

static RANDOM_WIDE void uniform_float(const uint32_t *restrict w, size_t count, float *restrict out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (float)w[i] * (float)INVERSE32 + (float)(INVERSE32 / 2);
}
/* MT19937 rounds once, from a double. */
static RANDOM_WIDE void uniform_once(const uint32_t *restrict w, size_t count, float *restrict out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (float)(w[i] * INVERSE32 + INVERSE32 / 2);
}
static RANDOM_WIDE void uniform_mrg(const uint32_t *restrict w, size_t count, float *restrict out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (float)(w[i] * RANDOM_MRG_NORM);
}
static void uniform_wide(const uint64_t *w, size_t count, float *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (float)(uint32_t)(w[i] >> 32) * (float)INVERSE32 + (float)(INVERSE32 / 2);
}
static RANDOM_WIDE void double_pairs(const uint32_t *restrict w, size_t count, double *restrict out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = two_words(w[2 * i], w[2 * i + 1]);
}
static RANDOM_WIDE void double_mrg(const uint32_t *restrict w, size_t count, double *restrict out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = w[i] * RANDOM_MRG_NORM;
}
static RANDOM_WIDE void double_single(const uint32_t *restrict w, size_t count, double add,
                                      double *restrict out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = w[i] * INVERSE32 + add;
}
static void double_wide(const uint64_t *w, size_t count, double *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (double)(w[i] >> 11) * INVERSE53 + INVERSE53 / 2;
}

static void uniforms(enum random_kind kind, const void *words, size_t count, float *out)
{
    if (random_is_wide(kind))
        uniform_wide(words, count, out);
    else if (kind == RANDOM_MRG32K3A)
        uniform_mrg(words, count, out);
    else if (kind == RANDOM_MT19937)
        uniform_once(words, count, out);
    else
        uniform_float(words, count, out);
}

static void doubles(enum random_kind kind, const void *words, size_t count, double *out)
{
    if (random_is_wide(kind))
        double_wide(words, count, out);
    else if (kind == RANDOM_MRG32K3A)
        double_mrg(words, count, out);
    else if (random_words(kind, RANDOM_UNIFORM_DOUBLE) == 2)
        double_pairs(words, count, out);
    else
        double_single(words, count, kind == RANDOM_MT19937 ? INVERSE32 / 2 : INVERSE32, out);
}

void random_single(enum random_kind kind, const void *words, size_t count, double *out)
{
    if (random_is_wide(kind))
        double_wide(words, count, out);
    else if (kind == RANDOM_MRG32K3A)
        double_mrg(words, count, out);
    else
        double_single(words, count, INVERSE32, out);
}

/* ---- normal numbers, of mean 0 and deviation 1 */

static bool is_inverted(enum random_kind kind)
{
    return kind != RANDOM_XORWOW && kind != RANDOM_MRG32K3A && kind != RANDOM_PHILOX;
}

/* The angle is rounded as a float: y * (2^-32 * 2 pi) + half of it. */
static void polar_float(bool is_mrg, const uint32_t *w, size_t count, float *out)
{
    const float turn = (float)INVERSE32 * TWO_PI;
    for (size_t i = 0; i + 1 < count; i += 2) {
        float u, v, radius;
        if (is_mrg) {
            u = (float)(w[i] * RANDOM_MRG_NORM);
            v = (float)(w[i + 1] * RANDOM_MRG_NORM) * TWO_PI;
        } else {
            u = (float)w[i] * (float)INVERSE32 + (float)(INVERSE32 / 2);
            v = (float)w[i + 1] * turn + turn / 2;
        }
        radius = sqrtf(-2.0f * logf(u));
        out[i] = sinf(v) * radius;
        out[i + 1] = cosf(v) * radius;
    }
}

static void polar_double(bool is_mrg, const uint32_t *w, size_t count, double *out)
{
    for (size_t i = 0; i + 1 < count; i += 2) {
        double u, v, radius;
        if (is_mrg) {
            u = w[i] * RANDOM_MRG_NORM;
            v = w[i + 1] * RANDOM_MRG_NORM * 2;
        } else {
            u = two_words(w[2 * i], w[2 * i + 1]);
            v = 2 * two_words(w[2 * i + 2], w[2 * i + 3]);
        }
        radius = sqrt(-2 * log(u));
        out[i] = sin(v * PI) * radius;
        out[i + 1] = cos(v * PI) * radius;
    }
}

static void polar_device(bool is_mrg, const uint32_t *w, size_t count, double *out)
{
    enum { PIECE = 64 };
    double u[PIECE], v[PIECE];
    for (size_t pairs = count / 2, done = 0, some; done < pairs; done += some) {
        some = pairs - done < PIECE ? pairs - done : PIECE;
        for (size_t i = 0; i < some; i++) {
            const uint32_t *at = w + (done + i) * (is_mrg ? 2 : 4);
            u[i] = is_mrg ? random_mrg_uniform(at[0]) : two_words(at[0], at[1]);
            v[i] = 2 * (is_mrg ? random_mrg_uniform(at[1]) : two_words(at[2], at[3]));
        }
        random_device_polar_double(u, v, some, out + 2 * done);
    }
}

/* Wichura, "Algorithm AS 241: the percentage points of the normal distribution", Applied Statistics 37, 1988:
 * the value below which a share p in (0, 1/2] of the distribution lies, to 16 digits. */
static double quantile(double p)
{
    static const double A[] = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                               1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                               3.3430575583588128105e+4, 2.5090809287301226727e+3};
    static const double B[] = {1.0,
                               4.2313330701600911252e+1,
                               6.8718700749205790830e+2,
                               5.3941960214247511077e+3,
                               2.1213794301586595867e+4,
                               3.9307895800092710610e+4,
                               2.8729085735721942674e+4,
                               5.2264952788528545610e+3};
    static const double C[] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                               3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                               2.27238449892691845833e-2, 7.74545014278341407640e-4};
    static const double D[] = {1.0,
                               2.05319162663775882187e0,
                               1.67638483018380384940e0,
                               6.89767334985100004550e-1,
                               1.48103976427480074590e-1,
                               1.51986665636164571966e-2,
                               5.47593808499534494600e-4,
                               1.05075007164441684324e-9};
    static const double E[] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                               1.78482653991729133580e0,  2.96560571828504891230e-1,
                               2.65321895265761230930e-2, 1.24266094738807843860e-3,
                               2.71155556874348757815e-5, 2.01033439929228813265e-7};
    static const double F[] = {1.0,
                               5.99832206555887937690e-1,
                               1.36929880922735805310e-1,
                               1.48753612908506148525e-2,
                               7.86869131145613259100e-4,
                               1.84631831751005468180e-5,
                               1.42151175831644588870e-7,
                               2.04426310338993978564e-15};
    double q = 0.5 - p, r, over = 0, under = 0;
    const double *top = A, *bottom = B;
    if (q <= 0.425) {
        r = 0.180625 - q * q;
    } else {
        r = sqrt(-log(p));
        top = r <= 5 ? C : E;
        bottom = r <= 5 ? D : F;
        r -= r <= 5 ? 1.6 : 5;
    }
    for (int i = 7; i >= 0; i--) {
        over = over * r + top[i];
        under = under * r + bottom[i];
    }
    return -(q <= 0.425 ? q : 1) * over / under;
}

/* Of the upper half the mirrored share is taken, so that nothing is lost near 1. */
static float inverted_float(uint32_t x, bool device)
{
    bool upper = x > 0x80000000u;
    float p;
    if (upper) x = 0xffffffffu - x;
    p = (float)x * (float)INVERSE32 + (float)(INVERSE32 / 2);
    double value = quantile(p);
    if (upper) value = -value;
    return device ? random_device_inverted(value) : (float)value;
}

static double inverted_double(uint32_t x)
{
    bool upper = x > 0x80000000u;
    if (upper) x = 0xffffffffu - x;
    double value = quantile(x * INVERSE32 + INVERSE32 / 2);
    return upper ? -value : value;
}

static double inverted_wide(uint64_t x)
{
    x >>= 11;
    bool upper = x > 0x10000000000000u;
    if (upper) x = 0x1fffffffffffffu - x;
    double value = quantile((double)x * INVERSE53 + INVERSE53 / 2);
    return upper ? -value : value;
}

static void inverted_floats(bool wide, bool device, const void *words, size_t count, float *out)
{
    const uint32_t *narrow = words;
    const uint64_t *both = words;
    for (size_t i = 0; i < count; i++)
        out[i] = inverted_float(wide ? (uint32_t)(both[i] >> 32) : narrow[i], device);
}

static void inverted_doubles(bool wide, const void *words, size_t count, double *out)
{
    const uint32_t *narrow = words;
    const uint64_t *both = words;
    for (size_t i = 0; i < count; i++)
        out[i] = wide ? inverted_wide(both[i]) : inverted_double(narrow[i]);
}

/* ---- the whole */

static void normals_float(const struct random_transform *how, const void *words, size_t count, float *out)
{
    float mean = (float)how->mean, deviation = (float)how->deviation;
    bool exponential = how->distribution == RANDOM_LOG_NORMAL;
    if (is_inverted(how->kind))
        inverted_floats(random_is_wide(how->kind), how->device, words, count, out);
    else if (how->device)
        random_device_polar(how->kind == RANDOM_MRG32K3A, words, count, out);
    else
        polar_float(how->kind == RANDOM_MRG32K3A, words, count, out);
    if (how->device) {
        random_device_scale(mean, deviation, exponential, count, out);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        out[i] = mean + deviation * out[i];
        if (exponential) out[i] = expf(out[i]);
    }
}

static void normals_double(const struct random_transform *how, const void *words, size_t count, double *out)
{
    bool exponential = how->distribution == RANDOM_LOG_NORMAL_DOUBLE;
    if (is_inverted(how->kind))
        inverted_doubles(random_is_wide(how->kind), words, count, out);
    else if (how->device)
        polar_device(how->kind == RANDOM_MRG32K3A, words, count, out);
    else
        polar_double(how->kind == RANDOM_MRG32K3A, words, count, out);
    if (how->device) {
        random_device_scale_double(how->mean, how->deviation, exponential, count, out);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        out[i] = how->mean + how->deviation * out[i];
        if (exponential) out[i] = exp(out[i]);
    }
}

static void bits(enum random_kind kind, const void *words, size_t count, void *out)
{
    const uint32_t *w = words;
    uint32_t *to = out;
    if (kind != RANDOM_MRG32K3A)
        memcpy(out, words, count * random_bytes(kind, RANDOM_BITS));
    else
        for (size_t i = 0; i < count; i++)
            to[i] = (uint32_t)(w[i] * MRG_BITS);
}

void random_transform(const struct random_transform *how, const void *words, size_t count, void *out)
{
    switch ((int)how->distribution) {
    case RANDOM_UNIFORM: uniforms(how->kind, words, count, out); return;
    case RANDOM_UNIFORM_DOUBLE: doubles(how->kind, words, count, out); return;
    case RANDOM_NORMAL:
    case RANDOM_LOG_NORMAL: normals_float(how, words, count, out); return;
    case RANDOM_NORMAL_DOUBLE:
    case RANDOM_LOG_NORMAL_DOUBLE: normals_double(how, words, count, out); return;
    default: bits(how->kind, words, count, out); return;
    }
}
