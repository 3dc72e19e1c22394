/* SPDX-License-Identifier: Apache-2.0 */
/* Bessel functions: j0 j1 jn, y0 y1 yn, and the modified i0 i1.
 * Method: up to 25 the power series (Abramowitz and Stegun 9.1.10, 9.1.13, 9.1.88 and 9.6.10), whose terms
 * cancel, summed in pairs of doubles; beyond, Hankel's asymptotic expansion (9.2.5 to 9.2.10, 9.7.1). Orders
 * above 1 by recurrence, forward where that is stable and backward (J. C. P. Miller) where it is not. Limits:
 * slow, some 60 pair operations; near a zero beyond 8 the error is small against 1, not against the result.
 */
#include "device.h"

#pragma clang diagnostic ignored "-Wmissing-prototypes"

double __nv_exp(double x);
double __nv_sin(double x);
double __nv_cos(double x);

#define SERIES_END    25.0
#define TWO_OVER_PI_H 0x1.45f306dc9c883p-1
#define TWO_OVER_PI_L (-0x1.6b01ec5417056p-55)
#define EULER_H       0x1.2788cfc6fb619p-1
#define EULER_L       (-0x1.6cb90701fbfabp-58)
#define LN2_H         0x1.62e42fefa39efp-1
#define LN2_L         0x1.abc9e3b39803fp-56
#define TWO_OVER_PI   0x1.45f306dc9c883p-1

DEVICE_INLINE struct pair over(struct pair a, double b)
{
    return pair_quotient(a, (struct pair){b, 0.0});
}
DEVICE_INLINE struct pair negative(struct pair a)
{
    return (struct pair){-a.h, -a.l};
}

/* Sum of s^k (x^2/4)^k / (k! (k + order)!) weighted by 1 and by the harmonic numbers that y needs; s = -1. */
struct series {
    struct pair plain, weighted;
};
static struct series sum_series(double x, int order)
{
    struct pair z = two_product(0.5 * x, 0.5 * x), term = {1.0, 0.0}, harmonic = {order, 0.0};
    struct series s = {term, harmonic}; /* weights: H(k) + H(k + order) */
    for (int k = 1; k < 90; k++) {
        term = negative(over(pair_product(term, z), (double)k * (k + order)));
        struct pair one = {1.0, 0.0};
        harmonic = pair_sum(harmonic, pair_sum(over(one, k), over(one, k + order)));
        s.plain = pair_sum(s.plain, term);
        s.weighted = pair_sum(s.weighted, pair_product(term, harmonic));
        if (__builtin_fabs(term.h) < 0x1p-120) break;
    }
    return s;
}

/* Hankel's P and Q for x >= 25: amplitude sqrt(2 / (pi x)), phase x - (2 order + 1) pi / 4. */
static void hankel(double x, int order, double *p, double *q)
{
    double mu = 4.0 * order * order, term = 1.0, sums[2] = {1.0, 0.0};
    for (int k = 1; k < 40; k++) {
        double odd = 2.0 * k - 1.0;
        term *= (mu - odd * odd) / (8.0 * k * x);
        sums[k & 1] += k & 2 ? -term : term;
        if (__builtin_fabs(term) < 0x1p-60) break;
    }
    *p = sums[0];
    *q = sums[1];
}

/* J (part 0) or Y (part 1) of order 0 or 1. sin and cos of x - pi/4 are sums of sin x and cos x, without
 * rounding x. */
static double asymptotic(double x, int order, int part)
{
    double p, q, s = __nv_sin(x), c = __nv_cos(x), root = 0x1.6a09e667f3bcdp-1;
    hankel(x, order, &p, &q);
    double cosine = (c + s) * root, sine = (s - c) * root; /* of x - pi/4 */
    if (order) {                                           /* of x - 3 pi/4 */
        double old = cosine;
        cosine = sine;
        sine = -old;
    }
    double value = part ? p * sine + q * cosine : p * cosine - q * sine;
    return __builtin_sqrt(TWO_OVER_PI / x) * value;
}

static double j_of(double x, int order)
{
    double size = __builtin_fabs(x), value;
    if (x != x) return x;
    if (size == DEVICE_INF) return 0.0;
    if (size > SERIES_END)
        value = asymptotic(size, order, 0);
    else
        value = order ? pair_product(sum_series(size, 1).plain, (struct pair){0.5 * size, 0.0}).h
                      : sum_series(size, 0).plain.h;
    return order && x < 0.0 ? -value : value;
}

static double y_of(double x, int order)
{
    if (x != x || x < 0.0) return DEVICE_NAN;
    if (x == 0.0) return -DEVICE_INF;
    if (x == DEVICE_INF) return 0.0;
    if (x > SERIES_END) return asymptotic(x, order, 1);
    struct series s = sum_series(x, order);
    /* 2 (log(x/2) + gamma) J - weighted sum */
    struct pair log = pair_sum(device_log_pair(x), (struct pair){-LN2_H, -LN2_L});
    struct pair factor = pair_sum(log, (struct pair){EULER_H, EULER_L});
    struct pair twice = {2.0 * factor.h, 2.0 * factor.l};
    struct pair total = pair_sum(pair_product(twice, s.plain), negative(s.weighted));
    if (order) {
        total = pair_product(total, (struct pair){0.5 * x, 0.0});
        total = pair_sum(total, negative(over((struct pair){2.0, 0.0}, x)));
    }
    return 0.5 * pair_product(total, (struct pair){TWO_OVER_PI_H, TWO_OVER_PI_L}).h;
}

double __nv_j0(double x)
{
    return j_of(x, 0);
}
double __nv_j1(double x)
{
    return j_of(x, 1);
}
double __nv_y0(double x)
{
    return y_of(x, 0);
}
double __nv_y1(double x)
{
    return y_of(x, 1);
}

double __nv_yn(int n, double x)
{
    double sign = n < 0 && (n & 1) ? -1.0 : 1.0, before = __nv_y0(x), now = __nv_y1(x);
    if (n < 0) n = -n;
    if (n == 0) return before;
    if (!(x > 0.0 && x < DEVICE_INF)) return sign * now;
    for (int k = 1; k < n && now > -DEVICE_INF; k++) {
        double next = 2.0 * k / x * now - before;
        before = now;
        now = next;
    }
    return sign * now;
}

/* Downwards from an order at which the function is negligible; the sum J0 + 2 J2 + 2 J4 + ... = 1 gives the
 * scale. */
static double j_backward(int n, double x)
{
    int start = 2 * ((n + (int)__builtin_sqrt(60.0 * n) + 20) / 2);
    double above = 0.0, now = 0x1p-1000, sum = 0.0, wanted = 0.0;
    for (int k = start; k > 0; k--) {
        double below = 2.0 * k / x * now - above;
        above = now;
        now = below;
        if (__builtin_fabs(now) > 0x1p500)
            now *= 0x1p-500, above *= 0x1p-500, sum *= 0x1p-500, wanted *= 0x1p-500;
        if (k - 1 == n) wanted = now;
        if (((k - 1) & 1) == 0) sum += k == 1 ? now : 2.0 * now;
    }
    return wanted / sum;
}

double __nv_jn(int n, double x)
{
    double size = __builtin_fabs(x), sign = (n & 1) && (n < 0) != (x < 0.0) ? -1.0 : 1.0;
    if (n < 0) n = -n;
    if (n == 0) return __nv_j0(x);
    if (n == 1) return sign * __nv_j1(size);
    if (x != x) return x;
    if (size == 0.0 || size == DEVICE_INF) return 0.0;
    if (size <= n) return sign * j_backward(n, size);
    double before = __nv_j0(size), now = __nv_j1(size);
    for (int k = 1; k < n; k++) {
        double next = 2.0 * k / size * now - before;
        before = now;
        now = next;
    }
    return sign * now;
}

/* All terms are positive: plain sums do. */
static double i_of(double x, int order)
{
    double size = __builtin_fabs(x), sum = 1.0, term = 1.0;
    if (x != x) return x;
    if (size > 30.0) {
        double mu = 4.0 * order * order;
        for (int k = 1; k < 40 && __builtin_fabs(term) > 0x1p-60; k++) {
            double odd = 2.0 * k - 1.0;
            term *= -(mu - odd * odd) / (8.0 * k * size);
            sum += term;
        }
        double half = __nv_exp(0.5 * size); /* e^x overflows before the function does */
        sum = half * (sum / __builtin_sqrt(0x1.921fb54442d18p+2 * size)) * half;
    } else {
        double z = 0.25 * x * x;
        for (int k = 1; k < 200 && term > 0x1p-60 * sum; k++) {
            term *= z / ((double)k * (k + order));
            sum += term;
        }
        if (order) sum *= 0.5 * size;
    }
    return order && x < 0.0 ? -sum : sum;
}
double __nv_cyl_bessel_i0(double x)
{
    return i_of(x, 0);
}
double __nv_cyl_bessel_i1(double x)
{
    return i_of(x, 1);
}

float __nv_j0f(float x)
{
    return (float)__nv_j0(x);
}
float __nv_j1f(float x)
{
    return (float)__nv_j1(x);
}
float __nv_jnf(int n, float x)
{
    return (float)__nv_jn(n, x);
}
float __nv_y0f(float x)
{
    return (float)__nv_y0(x);
}
float __nv_y1f(float x)
{
    return (float)__nv_y1(x);
}
float __nv_ynf(int n, float x)
{
    return (float)__nv_yn(n, x);
}
float __nv_cyl_bessel_i0f(float x)
{
    return (float)__nv_cyl_bessel_i0(x);
}
float __nv_cyl_bessel_i1f(float x)
{
    return (float)__nv_cyl_bessel_i1(x);
}
