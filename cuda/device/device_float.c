/* SPDX-License-Identifier: Apache-2.0 */
/* Elementary functions in float, without double arithmetic, which GPUs have little of.
 * Method: as in device_exp.c and device_trig.c with polynomials of fewer terms (coefficients.sollya); powf
 * alone keeps its logarithm as a pair of floats. Limits: round to nearest; arguments of sinf, cosf and tanf
 * beyond 48,000 take a slow path in 64-bit integers. */
#include "device.h"

#pragma clang diagnostic ignored "-Wmissing-prototypes"

static const float exp_c[] = {0x1p-1f,        0x1.555556p-3f,  0x1.5555p-5f,
                              0x1.110fc4p-7f, 0x1.6d30d8p-10f, 0x1.a2d438p-13f};
static const float exp2_c[] = {0x1.62e43p-1f,   0x1.ebfbep-3f,   0x1.c6b06ep-5f, 0x1.3b2a52p-7f,
                               0x1.5da68cp-10f, 0x1.4419cep-13f, 0x1.de676ap-17f};
static const float log_c[] = {0x1.55554cp-2f, -0x1.ffff74p-3f, 0x1.99addep-3f, -0x1.558a74p-3f,
                              0x1.211abap-3f, -0x1.f4c812p-4f, 0x1.132ebp-3f,  -0x1.04ff46p-3f};
static const float log_pair_c[] = {0x1.99999ap-2f, 0x1.249282p-2f, 0x1.c69e36p-3f, 0x1.8c5792p-3f};
static const float sin_c[] = {-0x1.555552p-3f, 0x1.110be4p-7f, -0x1.9ab2b6p-13f};
static const float cos_c[] = {0x1.555554p-5f, -0x1.6c129cp-10f, 0x1.9bc62cp-16f};
static const float sinpi_c[] = {-0x1.4abbcep2f, 0x1.466b62p1f, -0x1.329de8p-1f, 0x1.3ef73ep-4f};
static const float cospi_c[] = {-0x1.3bd3ccp2f, 0x1.03c19ep2f, -0x1.55a5bp0f, 0x1.d09344p-3f};
static const float asin_c[] = {0x1.555554p-3f, 0x1.3334cep-4f, 0x1.6d3e74p-5f,
                               0x1.ffbd92p-6f, 0x1.0fec3ap-6f, 0x1.1ac0e4p-5f};
static const float atan_c[] = {-0x1.555556p-2f, 0x1.9999c4p-3f, -0x1.24917p-3f, 0x1.c6b586p-4f,
                               -0x1.704154p-4f, 0x1.265b42p-4f, -0x1.a516p-5f,  0x1.d462d8p-6f,
                               -0x1.51c7dap-7f, 0x1.c78b04p-10f};
static const float tanh_c[] = {-0x1.555554p-2f, 0x1.110f2p-3f, -0x1.b9613cp-5f, 0x1.5a3d52p-6f,
                               -0x1.9cb942p-8f};
static const float erf_c[] = {-0x1.812746p-2f, 0x1.ce2ed2p-4f, -0x1.b82278p-6f, 0x1.55c30cp-8f,
                              -0x1.b7559p-11f, 0x1.b514ep-14f, -0x1.d8d37cp-18f};
#define TWO_OVER_SQRT_PI   0x1.20dd76p+0f
#define TWO_OVER_SQRT_PI_L (-0x1.f7ac92p-25f)
/* erfc(x) exp(x x) (1 + 2 x) in t = (x - 4) / (x + 4), 1 <= x <= 4.2 */
static const float erfcx_c[] = {0x1.3ba592p0f,   -0x1.1df1dp-3f,  0x1.f6b96ep-7f,
                                0x1.147746p-4f,  -0x1.af193ap-4f, 0x1.3efb26p-4f,
                                -0x1.9af1e2p-4f, -0x1.e4856cp-9f, -0x1.4f724cp-5f};

#define LOG2_E   0x1.715476p+0f
#define LOG2_E_L 0x1.4ae0c0p-26f
#define LN2_H    0x1.62e400p-1f /* 16 bits: exact times any exponent */
#define LN2_L    0x1.7f7d1cp-20f
#define LN2      0x1.62e430p-1f
#define LN2_LOW  (-0x1.05c610p-29f)
#define LOG10_E  0x1.bcb7b2p-2f
#define LOG10_EL (-0x1.5b235ep-27f)
#define LOG10_2H 0x1.344000p-2f /* 14 bits */
#define LOG10_2L 0x1.3509f8p-18f
#define LOG2_10  0x1.a934f0p+1f
#define LN10     0x1.26bb1cp+1f
#define LN10_L   (-0x1.12aabap-25f)
#define PIO2_H   0x1.921fb6p+0f
#define PIO2_L   (-0x1.777a5cp-25f)
#define PIO2_M   (-0x1.ee59dap-50f)
#define PI_H     0x1.921fb6p+1f
#define PI_L     (-0x1.777a5cp-24f)

#define FMA __builtin_fmaf

DEVICE_INLINE float clamped(float x, float limit)
{
    return x > limit ? limit : x < -limit ? -limit : x;
}

/* e^r - 1 for |r| <= 0.36. */
DEVICE_INLINE float expm1_of(float r)
{
    return FMA(r * r, HORNER_F(r, exp_c), r);
}

DEVICE_INLINE float reduce_ln2(float x, float *n)
{
    *n = __builtin_rintf(x * LOG2_E);
    return FMA(*n, -LN2_L, FMA(*n, -LN2_H, x));
}

DEVICE_INLINE float exp_scaled(float x, int shift)
{
    float n, r = reduce_ln2(clamped(x, 200.0f), &n);
    return scaled_f(1.0f + expm1_of(r), (int)n + shift);
}

float __nv_expf(float x)
{
    return x != x ? x : exp_scaled(x, 0);
}

float __nv_exp2f(float x)
{
    if (x != x) return x;
    x = clamped(x, 200.0f);
    float n = __builtin_rintf(x), f = x - n;
    return scaled_f(FMA(f, HORNER_F(f, exp2_c), 1.0f), (int)n);
}

float __nv_exp10f(float x)
{
    if (x != x) return x;
    x = clamped(x, 80.0f);
    float n = __builtin_rintf(x * LOG2_10), f = FMA(n, -LOG10_2L, FMA(n, -LOG10_2H, x));
    return scaled_f(1.0f + expm1_of(FMA(f, LN10, f * LN10_L)), (int)n);
}

float __nv_expm1f(float x)
{
    if (x != x || __builtin_fabsf(x) < 0x1p-25f) return x;
    float n, r = reduce_ln2(clamped(x, 90.0f), &n), tail = r * r * HORNER_F(r, exp_c);
    if (n == 0.0f) return r + tail;
    if (n < -30.0f) return -1.0f;
    float e = r + tail, e_low = tail - (e - r), small = power_of_two_f(-(int)(n > 126.0f ? 126.0f : n));
    float c = 1.0f - small, c_low = (1.0f - c) - small; /* 2^n (1 - 2^-n + e), |1 - 2^-n| >= |e| */
    float sum = c + e, low = e - (sum - c);
    return scaled_f(sum + (low + (e_low + c_low)), (int)n);
}

/* x = 2^k (1 + f) with 1 + f in [2/3, 4/3). */
DEVICE_INLINE float mantissa_of(float x, float *k)
{
    float exponent = 0.0f;
    if (x < 0x1p-126f) {
        x *= 0x1p24f;
        exponent = -24.0f;
    }
    device_u32 bits = bits_f(x), offset = bits - 0x3f2aaaabu;
    *k = exponent + (float)((device_i32)offset >> 23);
    return float_of(bits - (offset & 0xff800000u));
}

/* log(1 + f) - f for 1 + f in [2/3, 4/3]. */
DEVICE_INLINE float log1p_tail(float f)
{
    return f * f * FMA(f, HORNER_F(f, log_c), -0.5f);
}

DEVICE_INLINE int log_special(float x, float *result)
{
    *result = x == 0.0f ? -DEVICE_INFF : x < 0.0f ? DEVICE_NANF : x;
    return !(x > 0.0f && x < DEVICE_INFF);
}

float __nv_logf(float x)
{
    float special, k;
    if (log_special(x, &special)) return special;
    float f = mantissa_of(x, &k) - 1.0f;
    return FMA(k, LN2, f + log1p_tail(f));
}

/* k times `unit` plus log(1 + f) times the constant h + l; the leading part f - f f / 2 is a pair. */
DEVICE_INLINE float log_base(float f, float k, float unit, float unit_low, float h, float l)
{
    float z = f * f, z_low = FMA(f, f, -z), top = f - 0.5f * z;
    float low = ((f - top) - 0.5f * z) + FMA(-0.5f, z_low, f * z * HORNER_F(f, log_c));
    float s = top * h, rest = FMA(top, h, -s) + FMA(top, l, FMA(low, h, k * unit_low));
    float base = k * unit, sum = base + s; /* |base| >= |s| or base is 0 */
    return sum + (rest + (base == 0.0f ? 0.0f : s - (sum - base)));
}

float __nv_log2f(float x)
{
    float special, k;
    if (log_special(x, &special)) return special;
    float f = mantissa_of(x, &k) - 1.0f;
    return log_base(f, k, 1.0f, 0.0f, LOG2_E, LOG2_E_L);
}

float __nv_log10f(float x)
{
    float special, k;
    if (log_special(x, &special)) return special;
    float f = mantissa_of(x, &k) - 1.0f;
    return log_base(f, k, LOG10_2H, LOG10_2L, LOG10_E, LOG10_EL);
}

float __nv_log1pf(float x)
{
    float special, k;
    if (__builtin_fabsf(x) < 0x1p-25f) return x;
    if (x > 0x1p30f) return __nv_logf(x);
    if (log_special(1.0f + x, &special)) return special;
    mantissa_of(1.0f + x, &k);
    float scale = power_of_two_f(-(int)k), a = scale - 1.0f, b = x * scale;
    float f = a + b, t = f - a, low = (a - (f - t)) + (b - t);
    return FMA(k, LN2, f + (log1p_tail(f) + FMA(k, LN2_LOW, low - f * low)));
}

float __nv_logbf(float x)
{
    float size = __builtin_fabsf(x);
    if (x == 0.0f) return -DEVICE_INFF;
    if (!(size < DEVICE_INFF)) return x * x;
    int shift = size < 0x1p-126f ? 24 : 0;
    return (float)((int)(bits_f(shift ? size * 0x1p24f : size) >> 23) - 127 - shift);
}

/* Pairs of floats, for powf. */
struct pair_f {
    float h, l;
};
DEVICE_INLINE struct pair_f fast_two_sum_f(float a, float b)
{
    float s = a + b;
    return (struct pair_f){s, b - (s - a)};
}
DEVICE_INLINE struct pair_f product_f(struct pair_f a, struct pair_f b)
{
    float p = a.h * b.h;
    return fast_two_sum_f(p, FMA(a.h, b.h, -p) + FMA(a.h, b.l, a.l * b.h));
}

/* log(x) for finite x > 0. */
static struct pair_f log_pair_f(float x)
{
    float k, f = mantissa_of(x, &k) - 1.0f;
    struct pair_f d = fast_two_sum_f(2.0f, f);
    float q = f / d.h;
    struct pair_f s = {q, (FMA(-q, d.h, f) - q * d.l) / d.h};
    float z = q * q, z_low = FMA(q, q, -z) + 2.0f * q * s.l;
    struct pair_f p = fast_two_sum_f(0x1.555556p-1f, z * HORNER_F(z, log_pair_c));
    p.l -= 0x1.555556p-26f;
    struct pair_f tail = product_f(s, product_f((struct pair_f){z, z_low}, p));
    struct pair_f sum = fast_two_sum_f(2.0f * s.h, tail.h);
    float low = sum.l + (2.0f * s.l + tail.l);
    struct pair_f log = fast_two_sum_f(k * LN2_H, sum.h);
    if (k == 0.0f) log = (struct pair_f){sum.h, 0.0f};
    return fast_two_sum_f(log.h, log.l + FMA(k, LN2_L, low));
}

static float power_f(float x, float y)
{
    struct pair_f log = log_pair_f(x);
    float n, h = y * log.h;
    if (h > 100.0f) return DEVICE_INFF;
    if (h < -110.0f) return 0.0f;
    float l = FMA(y, log.h, -h) + y * log.l, e = expm1_of(reduce_ln2(h, &n));
    return scaled_f(1.0f + (e + FMA(e, l, l)), (int)n);
}

DEVICE_INLINE int integer_kind(float y) /* 0: no integer, 1: odd, 2: even */
{
    if (__builtin_fabsf(y) >= 0x1p24f) return 2;
    if (__builtin_truncf(y) != y) return 0;
    return (int)y & 1 ? 1 : 2;
}

float __nv_powf(float x, float y)
{
    if (x == 1.0f || y == 0.0f) return 1.0f;
    if (x != x || y != y) return x + y;
    float size = __builtin_fabsf(x), result;
    if (__builtin_fabsf(y) == DEVICE_INFF)
        return size == 1.0f ? 1.0f : (size > 1.0f) == (y > 0.0f) ? DEVICE_INFF : 0.0f;
    int kind = integer_kind(y);
    if (size == 0.0f || size == DEVICE_INFF)
        result = (size == 0.0f) == (y > 0.0f) ? 0.0f : DEVICE_INFF;
    else if (x < 0.0f && kind == 0)
        return DEVICE_NANF;
    else
        result = power_f(size, y);
    return kind == 1 ? __builtin_copysignf(result, x) : result;
}

float __nv_powif(float x, int n)
{
    return __nv_powf(x, (float)n);
}

float __nv_sinhf(float x)
{
    float size = __builtin_fabsf(x), result;
    if (!(size < 100.0f) || size < 0x1p-13f) return size < 100.0f ? x : x * DEVICE_INFF;
    if (size < 1.0f) {
        float e = __nv_expm1f(size);
        result = 0.5f * (e + e / (e + 1.0f));
    } else {
        float e = exp_scaled(size, -1);
        result = e - 0.25f / e;
    }
    return __builtin_copysignf(result, x);
}

float __nv_coshf(float x)
{
    if (x != x) return x;
    float e = exp_scaled(__builtin_fabsf(x), -1);
    return e + 0.25f / e;
}

float __nv_tanhf(float x)
{
    float size = __builtin_fabsf(x), z = x * x;
    if (size < 0.6f) return FMA(x * z, HORNER_F(z, tanh_c), x);
    if (x != x) return x;
    float e = exp_scaled(size < 20.0f ? 2.0f * size : 40.0f, 0);
    return __builtin_copysignf(1.0f - 2.0f / (e + 1.0f), x);
}

float __nv_asinhf(float x)
{
    float size = __builtin_fabsf(x), result;
    if (!(size < DEVICE_INFF) || size < 0x1p-13f) return x;
    if (size > 0x1p13f)
        result = __nv_logf(size) + LN2;
    else
        result = __nv_log1pf(size + size * size / (1.0f + __builtin_sqrtf(FMA(size, size, 1.0f))));
    return __builtin_copysignf(result, x);
}

float __nv_acoshf(float x)
{
    if (x > 0x1p13f) return __nv_logf(x) + LN2;
    float t = x - 1.0f;
    return __nv_log1pf(t + __builtin_sqrtf(FMA(t, t, 2.0f * t)));
}

float __nv_atanhf(float x)
{
    float size = __builtin_fabsf(x);
    if (size >= 1.0f) return size == 1.0f ? __builtin_copysignf(DEVICE_INFF, x) : DEVICE_NANF;
    return __builtin_copysignf(0.5f * __nv_log1pf(2.0f * size / (1.0f - size)), x);
}

/* Fraction bits of 2/pi. */
static const device_u32 two_over_pi[] = {0x00000000u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u,
                                         0xdb629599u, 0x3c439041u, 0xfe5163abu, 0xdebbc561u};

/* x 2/pi modulo 4 for |x| >= 2: mantissa times 96 bits of 2/pi, from the first that makes no multiple of 4.
 */
static int reduce_large(float x, float *r)
{
    device_u32 bits = bits_f(x);
    device_u64 mantissa = (bits & 0x7fffffu) | 0x800000u;
    int first = (int)(bits >> 23 & 0xff) - 150 - 2 + 32, word = first >> 5, shift = first & 31;
    device_u64 w[3];
    for (int i = 0; i < 3; i++) {
        device_u64 two = (device_u64)two_over_pi[word + i] << 32 | two_over_pi[word + i + 1];
        w[i] = two >> (32 - shift) & 0xffffffffu;
    }
    device_u64 low = mantissa * w[2], sum = mantissa * w[1] + (low >> 32);
    device_u64 product =
        (mantissa * w[0] << 32) + sum; /* modulo 2^64, of which the top two bits are the quadrant */
    int quadrant = (int)(product >> 62);
    device_i64 fraction = (device_i64)(product << 2);
    quadrant += fraction < 0;
    *r = (float)((double)fraction * 0x1.921fb54442d18p-64);
    if (x >= 0.0f) return quadrant & 3;
    *r = -*r;
    return -quadrant & 3;
}

DEVICE_INLINE int reduce(float x, float *r)
{
    if (__builtin_fabsf(x) > 48000.0f) return reduce_large(x, r);
    float n = __builtin_rintf(x * 0x1.45f306p-1f);
    *r = FMA(n, -PIO2_M, FMA(n, -PIO2_L, FMA(n, -PIO2_H, x)));
    return (int)n & 3;
}

DEVICE_INLINE float sin_of(float r)
{
    float z = r * r;
    return FMA(r * z, HORNER_F(z, sin_c), r);
}

DEVICE_INLINE float cos_of(float r)
{
    float z = r * r;
    return FMA(z * z, HORNER_F(z, cos_c), FMA(z, -0.5f, 1.0f));
}

DEVICE_INLINE float quadrant_sin(float r, int quadrant)
{
    float v = quadrant & 1 ? cos_of(r) : sin_of(r);
    return quadrant & 2 ? -v : v;
}

float __nv_sinf(float x)
{
    float r;
    if (!(__builtin_fabsf(x) < DEVICE_INFF)) return DEVICE_NANF;
    int quadrant = reduce(x, &r);
    return x == 0.0f ? x : quadrant_sin(r, quadrant);
}

float __nv_cosf(float x)
{
    float r;
    if (!(__builtin_fabsf(x) < DEVICE_INFF)) return DEVICE_NANF;
    int quadrant = reduce(x, &r);
    return quadrant_sin(r, quadrant + 1);
}

void __nv_sincosf(float x, float *s, float *c)
{
    *s = __nv_sinf(x);
    *c = __nv_cosf(x);
}

float __nv_tanf(float x)
{
    float r;
    if (!(__builtin_fabsf(x) < DEVICE_INFF)) return DEVICE_NANF;
    int quadrant = reduce(x, &r);
    float s = sin_of(r), c = cos_of(r);
    return x == 0.0f ? x : quadrant & 1 ? -c / s : s / c;
}

/* sin(pi r), cos(pi r) for |r| <= 1/4. */
DEVICE_INLINE float quadrant_sinpi(float r, int quadrant)
{
    float z = r * r, v;
    if (quadrant & 1)
        v = FMA(z, HORNER_F(z, cospi_c), 1.0f);
    else
        v = FMA(r, PI_H, r * FMA(z, HORNER_F(z, sinpi_c), PI_L));
    return quadrant & 2 ? -v : v;
}

DEVICE_INLINE int reduce_half(float x, float *r)
{
    float n = __builtin_rintf(2.0f * x);
    *r = FMA(n, -0.5f, x);
    return __builtin_fabsf(n) >= 0x1p26f ? 0 : (int)n & 3;
}

float __nv_sinpif(float x)
{
    float r;
    if (!(__builtin_fabsf(x) < DEVICE_INFF)) return DEVICE_NANF;
    if (__builtin_truncf(x) == x) return x * 0.0f;
    int quadrant = reduce_half(x, &r);
    return quadrant_sinpi(r, quadrant);
}

float __nv_cospif(float x)
{
    float r;
    if (!(__builtin_fabsf(x) < DEVICE_INFF)) return DEVICE_NANF;
    int quadrant = reduce_half(x, &r);
    return r == 0.0f && (quadrant & 1) ? 0.0f : quadrant_sinpi(r, quadrant + 1);
}

void __nv_sincospif(float x, float *s, float *c)
{
    *s = __nv_sinpif(x);
    *c = __nv_cospif(x);
}

DEVICE_INLINE float asin_of(float x, float z)
{
    return FMA(x * z, HORNER_F(z, asin_c), x);
}

float __nv_asinf(float x)
{
    float size = __builtin_fabsf(x);
    if (!(size <= 1.0f)) return DEVICE_NANF;
    if (size <= 0.5f) return asin_of(x, x * x);
    float z = FMA(-0.5f, size, 0.5f), a = asin_of(__builtin_sqrtf(z), z);
    return __builtin_copysignf(FMA(-2.0f, a, PIO2_H) + PIO2_L, x);
}

float __nv_acosf(float x)
{
    float size = __builtin_fabsf(x);
    if (!(size <= 1.0f)) return DEVICE_NANF;
    if (size <= 0.5f) return PIO2_H - (asin_of(x, x * x) - PIO2_L);
    float z = FMA(-0.5f, size, 0.5f), a = 2.0f * asin_of(__builtin_sqrtf(z), z);
    return x > 0.0f ? a : PI_H - (a - PI_L);
}

DEVICE_INLINE float atan_of(float t) /* 0 <= t <= 1 */
{
    float z = t * t;
    return FMA(t * z, HORNER_F(z, atan_c), t);
}

float __nv_atanf(float x)
{
    float size = __builtin_fabsf(x);
    if (x != x) return x;
    float a = size > 1.0f ? PIO2_H - (atan_of(1.0f / size) - PIO2_L) : atan_of(size);
    return __builtin_copysignf(a, x);
}

float __nv_atan2f(float y, float x)
{
    if (x != x || y != y) return x + y;
    float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y), small = ax < ay ? ax : ay,
          large = ax < ay ? ay : ax;
    float q = large == 0.0f ? 0.0f : small == large ? 1.0f : small / large;
    float a = atan_of(q);
    if (ay > ax) a = PIO2_H - (a - PIO2_L);
    if (bits_f(x) >> 31) a = PI_H - (a - PI_L);
    return __builtin_copysignf(a, y);
}

float __nv_erff(float x)
{
    float size = __builtin_fabsf(x), z = x * x;
    if (x != x) return x;
    if (size < 1.0f) return FMA(x, TWO_OVER_SQRT_PI, x * FMA(z, HORNER_F(z, erf_c), TWO_OVER_SQRT_PI_L));
    if (size > 4.2f) return __builtin_copysignf(1.0f, x);
    float t = (size - 4.0f) / (size + 4.0f), e = exp_scaled(-z, 0);
    return __builtin_copysignf(1.0f - e * HORNER_F(t, erfcx_c) / FMA(2.0f, size, 1.0f), x);
}
