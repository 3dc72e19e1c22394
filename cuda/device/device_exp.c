/* SPDX-License-Identifier: Apache-2.0 */
/* Exponentials, logarithms, powers and hyperbolic functions in double.
 * Method: reduction to |r| <= ln2/2 or to a mantissa around 1, near-best polynomials (coefficients.sollya),
 * and where the plain form would lose digits pairs of doubles (device.h). log(1 + f) goes through s = f / (2
 * + f), as in W. J. Cody and W. Waite, "Software Manual for the Elementary Functions", 1980. Limits: round to
 * nearest; no exception flags, which PTX has not. */
#include "device.h"

#pragma clang diagnostic ignored "-Wmissing-prototypes"

static const double exp_c[] = {0x1p-1,
                               0x1.5555555555555p-3,
                               0x1.5555555555556p-5,
                               0x1.111111111137fp-7,
                               0x1.6c16c16c15ffap-10,
                               0x1.a01a019ea7c2bp-13,
                               0x1.a01a01a818b64p-16,
                               0x1.71de405da2f3ep-19,
                               0x1.27e4d81786b2bp-22,
                               0x1.ae4d6bcd3f0c3p-26,
                               0x1.1f78e2a7c6cfdp-29,
                               0x1.81cf31b7cd5a9p-33};
/* (log((1 + s) / (1 - s)) / s - 2) / z, z = s s, without its constant 2/3, which is a pair. */
static const double log_c[] = {0x1.999999999999ap-2, 0x1.24924924922fdp-2, 0x1.c71c71c74cc62p-3,
                               0x1.745d173ca0b0fp-3, 0x1.3b13a9e6f36f3p-3, 0x1.11154b7644174p-3,
                               0x1.e01a97a2c20fbp-4, 0x1.da99960e53d52p-4};
#define TWO_THIRDS_H 0x1.5555555555555p-1
#define TWO_THIRDS_L 0x1.5555555555555p-55

#define LOG2_E   0x1.71547652b82fep+0
#define LOG2_E_L 0x1.777d0ffda0d24p-56
#define LN2_H    0x1.62e42ff000000p-1 /* 33 bits: exact times any exponent */
#define LN2_L    (-0x1.718432a1b0e26p-35)
#define LN2      0x1.62e42fefa39efp-1
#define LN2_LOW  0x1.abc9e3b39803fp-56
#define LOG10_E  0x1.bcb7b1526e50ep-2
#define LOG10_EL 0x1.95355baaafad3p-57
#define LOG10_2H 0x1.34413509f8000p-2 /* 40 bits */
#define LOG10_2L (-0x1.80433b83b532ap-44)
#define LOG2_10  0x1.a934f0979a371p+1
#define LN10     0x1.26bb1bbb55516p+1
#define LN10_L   (-0x1.f48ad494ea3e9p-53)

/* e^(r.h + r.l) - 1 for |r| <= 0.36. */
DEVICE_INLINE struct pair expm1_of(struct pair r)
{
    double tail = r.h * r.h * HORNER(r.h, exp_c);
    return fast_two_sum(r.h, tail + __builtin_fma(r.l, r.h, r.l));
}

DEVICE_INLINE struct pair one_plus(struct pair a) /* |a| <= 1 */
{
    struct pair s = fast_two_sum(1.0, a.h);
    return fast_two_sum(s.h, s.l + a.l);
}

/* h + l minus the nearest multiple of ln 2; *n is the multiple. */
DEVICE_INLINE struct pair reduce_ln2(double h, double l, double *n)
{
    *n = __builtin_rint(h * LOG2_E);
    return two_sum(__builtin_fma(*n, -LN2_H, h), __builtin_fma(*n, -LN2_L, l));
}

struct pair device_exp_pair(double h, double l, int *exponent)
{
    double n;
    struct pair r = reduce_ln2(h, l, &n);
    *exponent = (int)n;
    return one_plus(expm1_of(r));
}

DEVICE_INLINE double clamped(double x, double limit)
{
    return x > limit ? limit : x < -limit ? -limit : x;
}

double __nv_exp(double x)
{
    double n;
    if (x != x) return x;
    struct pair r = reduce_ln2(clamped(x, 1000.0), 0.0, &n);
    double tail = __builtin_fma(r.h * r.h, HORNER(r.h, exp_c), r.l);
    return scaled(1.0 + (r.h + tail), (int)n);
}

double __nv_exp2(double x)
{
    if (x != x) return x;
    x = clamped(x, 1200.0);
    double n = __builtin_rint(x);
    struct pair r = two_product(x - n, LN2);
    r.l = __builtin_fma(x - n, LN2_LOW, r.l);
    struct pair e = one_plus(expm1_of(r));
    return scaled(e.h, (int)n);
}

double __nv_exp10(double x)
{
    if (x != x) return x;
    x = clamped(x, 400.0);
    double n = __builtin_rint(x * LOG2_10);
    struct pair rest = two_sum(__builtin_fma(n, -LOG10_2H, x), n * -LOG10_2L);
    struct pair r = pair_product(rest, (struct pair){LN10, LN10_L});
    struct pair e = one_plus(expm1_of(r));
    return scaled(e.h, (int)n);
}

struct pair device_expm1_pair(double h, double l)
{
    double n;
    struct pair e = expm1_of(reduce_ln2(h, l, &n));
    int k = (int)n;
    if (k == 0) return e;
    if (k < -60) return (struct pair){-1.0, 0.0};
    double scale = k < 1023 ? power_of_two(k) : 0x1p1023;
    struct pair s = two_sum(1.0 - 1.0 / scale, e.h); /* 2^k (1 - 2^-k + e) */
    s = fast_two_sum(s.h, s.l + e.l);
    return (struct pair){s.h * scale, s.l * scale};
}

double __nv_expm1(double x)
{
    if (x != x || __builtin_fabs(x) < 0x1p-54) return x;
    if (x > 700.0) return __nv_exp(x);
    if (x < -50.0) return -1.0;
    return device_expm1_pair(x, 0.0).h;
}

/* x = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)). */
DEVICE_INLINE double mantissa_of(double x, int *k)
{
    int exponent = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        exponent = -54;
    }
    device_u64 bits = bits_d(x), offset = bits - 0x3fe6a09e667f3bcdull;
    *k = exponent + (int)((device_i64)offset >> 52);
    return double_of(bits - (offset & 0xfff0000000000000ull));
}

/* log(1 + f.h + f.l). */
DEVICE_INLINE struct pair log1p_of(struct pair f)
{
    struct pair denominator = fast_two_sum(2.0, f.h);
    denominator.l += f.l;
    struct pair s = pair_quotient(f, denominator);
    struct pair z = two_product(s.h, s.h);
    z.l = __builtin_fma(2.0 * s.h, s.l, z.l);
    struct pair p = fast_two_sum(TWO_THIRDS_H, z.h * HORNER(z.h, log_c));
    p.l += TWO_THIRDS_L;
    struct pair tail = pair_product(s, pair_product(z, p));
    struct pair sum = fast_two_sum(2.0 * s.h, tail.h);
    return fast_two_sum(sum.h, sum.l + (2.0 * s.l + tail.l));
}

DEVICE_INLINE struct pair plus_exponent(struct pair log, int k)
{
    return pair_sum((struct pair){k * LN2_H, k * LN2_L}, log);
}

struct pair device_log_pair(double x)
{
    int k;
    double m = mantissa_of(x, &k);
    return plus_exponent(log1p_of((struct pair){m - 1.0, 0.0}), k);
}

/* Whether x is outside of (0, inf); *result is its logarithm then. */
DEVICE_INLINE int log_special(double x, double *result)
{
    *result = x == 0.0 ? -DEVICE_INF : x < 0.0 ? DEVICE_NAN : x;
    return !(x > 0.0 && x < DEVICE_INF);
}

double __nv_log(double x)
{
    double special, f, s, z, half;
    int k;
    if (log_special(x, &special)) return special;
    f = mantissa_of(x, &k) - 1.0;
    s = f / (2.0 + f);
    z = s * s;
    half = 0.5 * f * f;
    double r = z * __builtin_fma(z, HORNER(z, log_c), TWO_THIRDS_H);
    return __builtin_fma(k, LN2_H, f - (half - __builtin_fma(s, half + r, k * LN2_L)));
}

double __nv_log2(double x)
{
    double special;
    int k;
    if (log_special(x, &special)) return special;
    struct pair log = log1p_of((struct pair){mantissa_of(x, &k) - 1.0, 0.0});
    return pair_sum((struct pair){k, 0.0}, pair_product(log, (struct pair){LOG2_E, LOG2_E_L})).h;
}

double __nv_log10(double x)
{
    double special;
    int k;
    if (log_special(x, &special)) return special;
    struct pair log = log1p_of((struct pair){mantissa_of(x, &k) - 1.0, 0.0});
    struct pair own = pair_product(log, (struct pair){LOG10_E, LOG10_EL});
    return pair_sum((struct pair){k * LOG10_2H, k * LOG10_2L}, own).h;
}

/* log(1 + x.h + x.l) for 1 + x.h in (0, 2^61). */
static struct pair log1p_pair(struct pair x)
{
    int k;
    mantissa_of(1.0 + x.h, &k);
    double scale = power_of_two(-k); /* 1 + x = 2^k (1 + f) */
    struct pair f = two_sum(scale - 1.0, x.h * scale);
    return plus_exponent(log1p_of(fast_two_sum(f.h, f.l + x.l * scale)), k);
}

double __nv_log1p(double x)
{
    double special;
    if (__builtin_fabs(x) < 0x1p-54) return x;
    if (x > 0x1p60) return __nv_log(x);
    if (log_special(1.0 + x, &special)) return special;
    return log1p_pair((struct pair){x, 0.0}).h;
}

double __nv_logb(double x)
{
    int k;
    if (x == 0.0) return -DEVICE_INF;
    if (!(__builtin_fabs(x) < DEVICE_INF)) return x * x;
    double m = mantissa_of(__builtin_fabs(x), &k);
    return m < 1.0 ? k - 1 : k;
}

/* 0: y is no integer, 1: odd, 2: even. */
DEVICE_INLINE int integer_kind(double y)
{
    if (__builtin_fabs(y) >= 0x1p53) return 2;
    if (__builtin_trunc(y) != y) return 0;
    return (device_i64)y & 1 ? 1 : 2;
}

/* |x|^y for 0 < |x| < inf and finite y. */
static double power(double x, double y)
{
    struct pair log = device_log_pair(x), t;
    int k;
    t = two_product(y, log.h);
    if (t.h > 800.0) return DEVICE_INF;
    if (t.h < -800.0) return 0.0;
    t = fast_two_sum(t.h, __builtin_fma(y, log.l, t.l));
    struct pair e = device_exp_pair(t.h, t.l, &k);
    return scaled(e.h, k);
}

double __nv_pow(double x, double y)
{
    if (x == 1.0 || y == 0.0) return 1.0;
    if (x != x || y != y) return x + y;
    double size = __builtin_fabs(x);
    if (__builtin_fabs(y) == DEVICE_INF)
        return size == 1.0 ? 1.0 : (size > 1.0) == (y > 0.0) ? DEVICE_INF : 0.0;
    int kind = integer_kind(y);
    double result;
    if (size == 0.0 || size == DEVICE_INF)
        result = (size == 0.0) == (y > 0.0) ? 0.0 : DEVICE_INF;
    else if (x < 0.0 && kind == 0)
        return DEVICE_NAN;
    else
        result = power(size, y);
    return kind == 1 ? __builtin_copysign(result, x) : result;
}

double __nv_powi(double x, int n)
{
    return __nv_pow(x, n);
}

double __nv_sinh(double x)
{
    double size = __builtin_fabs(x), result;
    if (x != x || size < 0x1p-28) return x;
    if (size > 40.0) {
        int k;
        struct pair e = device_exp_pair(size < 800.0 ? size : 800.0, 0.0, &k);
        result = scaled(e.h, k - 1);
    } else {
        struct pair e = device_expm1_pair(size, 0.0); /* (e + e / (1 + e)) / 2 */
        struct pair up = two_sum(1.0, e.h);
        up.l += e.l;
        result = 0.5 * pair_sum(e, pair_quotient(e, up)).h;
    }
    return __builtin_copysign(result, x);
}

double __nv_cosh(double x)
{
    double size = __builtin_fabs(x);
    int k;
    if (x != x) return x;
    if (size > 800.0) return DEVICE_INF;
    struct pair e = device_exp_pair(size, 0.0, &k);
    if (size > 40.0) return scaled(e.h, k - 1);
    double scale = power_of_two(k);
    struct pair grown = {e.h * scale, e.l * scale};
    return 0.5 * pair_sum(grown, pair_quotient((struct pair){1.0, 0.0}, grown)).h;
}

double __nv_tanh(double x)
{
    double size = __builtin_fabs(x);
    if (x != x || size < 0x1p-28) return x;
    if (size > 22.0) return __builtin_copysign(1.0, x);
    struct pair e = device_expm1_pair(2.0 * size, 0.0); /* e / (e + 2) */
    struct pair up = two_sum(2.0, e.h);
    up.l += e.l;
    return __builtin_copysign(pair_quotient(e, up).h, x);
}

double __nv_asinh(double x)
{
    double size = __builtin_fabs(x), result;
    if (!(size < DEVICE_INF) || size < 0x1p-28) return x;
    if (size > 0x1p28)
        result = __nv_log(size) + LN2;
    else
        result = __nv_log1p(size + size * size / (1.0 + __builtin_sqrt(__builtin_fma(size, size, 1.0))));
    return __builtin_copysign(result, x);
}

double __nv_acosh(double x)
{
    if (x > 0x1p28) return __nv_log(x) + LN2;
    double t = x - 1.0;
    return __nv_log1p(t + __builtin_sqrt(__builtin_fma(t, t, 2.0 * t)));
}

double __nv_atanh(double x)
{
    double size = __builtin_fabs(x);
    if (size < 0x1p-28) return x;
    if (size >= 1.0) return size == 1.0 ? __builtin_copysign(DEVICE_INF, x) : DEVICE_NAN;
    struct pair down = two_sum(1.0, -size); /* log(1 + 2x / (1 - x)) / 2 */
    struct pair f = pair_quotient((struct pair){2.0 * size, 0.0}, down);
    return __builtin_copysign(0.5 * log1p_pair(f).h, x);
}
