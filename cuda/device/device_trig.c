/* SPDX-License-Identifier: Apache-2.0 */
/* Trigonometric functions and their inverses in double.
 * Method: up to 2^30 the multiple of pi/2 is subtracted in three parts (Cody and Waite); beyond, the product
 * with the needed bits of 2/pi is taken in integers (M. Payne and R. Hanek, "Radian reduction for
 * trigonometric functions", 1983). The reduced argument is a pair of doubles, and so are sine and cosine of
 * it, which makes tan good as well. Limits: round to nearest. */
#include "device.h"

#pragma clang diagnostic ignored "-Wmissing-prototypes"

static const double sin_c[] = {-0x1.5555555555555p-3, 0x1.111111111101fp-7,   -0x1.a01a019fe8d96p-13,
                               0x1.71de3a10ccfeap-19, -0x1.ae63f8f210557p-26, 0x1.60e68185993e9p-33,
                               -0x1.8db7a7d70f375p-41};
static const double cos_c[] = {0x1.5555555555555p-5,   -0x1.6c16c16c16a33p-10, 0x1.a01a019fb809p-16,
                               -0x1.27e4faef6acd5p-22, 0x1.1eecd6f17b9eap-29,  -0x1.92a7cb72f8ab7p-37,
                               0x1.3578a9c27b009p-45};
static const double asin_c[] = {0x1.5555555555556p-3, 0x1.3333333332da2p-4, 0x1.6db6db6e48603p-5,
                                0x1.f1c71c11deeap-6,  0x1.6e8bb37521acap-6, 0x1.1c4d112ced71bp-6,
                                0x1.c9d30ac3ce817p-7, 0x1.78010220106fp-7,  0x1.532a91490f8afp-7,
                                0x1.5e2915df0d638p-8, 0x1.220541f4ab3acp-6, -0x1.f58c57c572f98p-7,
                                0x1.dc181d65cb50ap-6};
static const double atan_c[] = {-0x1.5555555555555p-2, 0x1.9999999999814p-3,  -0x1.2492492481b9ep-3,
                                0x1.c71c71bc9a8fbp-4,  -0x1.745d15652ba27p-4, 0x1.3b137bd01a629p-4,
                                -0x1.110d29255aa03p-4, 0x1.e17eb2beaf23ep-5,  -0x1.abc83e812c931p-5,
                                0x1.72044a3ed2832p-5,  -0x1.148e2b33c4fdfp-5, 0x1.faaf659b1aebbp-7};
#define TWO_OVER_PI 0x1.45f306dc9c883p-1
#define PIO2_H      0x1.921fb54442d18p+0
#define PIO2_L      0x1.1a62633145c07p-54
#define PIO2_M      (-0x1.f1976b7ed8fbcp-110)
#define PI_H        0x1.921fb54442d18p+1
#define PI_L        0x1.1a62633145c07p-53
#define TAN_PI_8    0x1.a827999fcef32p-2

/* The fraction bits of 2/pi, after 64 zero bits. */
static const device_u64 two_over_pi[] = {
    0x0000000000000000ull, 0xa2f9836e4e441529ull, 0xfc2757d1f534ddc0ull, 0xdb6295993c439041ull,
    0xfe5163abdebbc561ull, 0xb7246e3a424dd2e0ull, 0x06492eea09d1921cull, 0xfe1deb1cb129a73eull,
    0xe88235f52ebb4484ull, 0xe99c7026b45f7e41ull, 0x3991d639835339f4ull, 0x9c845f8bbdf9283bull,
    0x1ff897ffde05980full, 0xef2f118b5a0a6d1full, 0x6d367ecf27cb09b7ull, 0x4f463f669e5fea2dull,
    0x7527bac7ebe5f17bull, 0x3d0739f78a5292eaull, 0x6bfb5fb11f8d5d08ull, 0x56033046fc7b6babull,
    0xf0cfbc209af4361dull, 0xa9e391615ee61b08ull};

DEVICE_INLINE device_u64 bits_at(int position) /* 64 bits from this one on, the first being the highest */
{
    int word = position >> 6, shift = position & 63;
    device_u64 high = two_over_pi[word] << shift;
    return shift ? high | two_over_pi[word + 1] >> (64 - shift) : high;
}

DEVICE_INLINE device_u64 high_product(device_u64 a, device_u64 b)
{
    return (device_u64)((unsigned __int128)a * b >> 64);
}

/* x 2/pi modulo 4 for |x| = mantissa 2^exponent: quadrant, and the signed rest in 128 fraction bits. Bits of
 * 2/pi that make multiples of 4 are left out; 192 bits follow. */
static int payne_hanek(device_u64 mantissa, int exponent, device_u64 *high, device_u64 *low, int *negative)
{
    int first = exponent - 2 + 64;
    device_u64 t2 = bits_at(first), t1 = bits_at(first + 64), t0 = bits_at(first + 128);
    device_u64 p1 = mantissa * t1, p2 = mantissa * t2 + high_product(mantissa, t1);
    device_u64 carry = high_product(mantissa, t0);
    p1 += carry;
    p2 += p1 < carry;
    int quadrant = (int)(p2 >> 62);
    device_u64 h = p2 << 2 | p1 >> 62, l = p1 << 2;
    *negative = (int)(h >> 63);
    if (*negative) {
        quadrant++;
        l = ~l + 1;
        h = ~h + (l == 0);
    }
    *high = h;
    *low = l;
    return quadrant & 3;
}

static int reduce_large(double x, struct pair *r)
{
    device_u64 bits = bits_d(x), h, l;
    int negative, exponent = (int)(bits >> 52 & 0x7ff) - 1075;
    int quadrant =
        payne_hanek((bits & 0xfffffffffffffull) | 0x10000000000000ull, exponent, &h, &l, &negative);
    if (h == 0 && l == 0) {
        *r = (struct pair){0.0, 0.0};
    } else {
        int shift = h ? __builtin_clzll(h) : 64 + __builtin_clzll(l);
        unsigned __int128 v = ((unsigned __int128)h << 64 | l) << shift;
        h = (device_u64)(v >> 64);
        l = (device_u64)v;
        double scale = power_of_two(-64 - shift);
        struct pair fraction = {(double)(h & ~0x7ffull) * scale,
                                ((double)(h & 0x7ff) + (double)l * 0x1p-64) * scale};
        *r = pair_product(fraction, (struct pair){PIO2_H, PIO2_L});
        if (negative) *r = (struct pair){-r->h, -r->l};
    }
    if (x < 0.0) {
        *r = (struct pair){-r->h, -r->l};
        quadrant = -quadrant;
    }
    return quadrant & 3;
}

/* x minus the nearest multiple of pi/2; the multiple modulo 4. */
DEVICE_INLINE int reduce(double x, struct pair *r)
{
    if (__builtin_fabs(x) >= 0x1p30) return reduce_large(x, r);
    double n = __builtin_rint(x * TWO_OVER_PI);
    struct pair second = two_product(n, PIO2_L);
    struct pair s = two_sum(__builtin_fma(n, -PIO2_H, x), -second.h);
    *r = fast_two_sum(s.h, s.l - __builtin_fma(n, PIO2_M, second.l));
    return (int)n & 3;
}

DEVICE_INLINE struct pair sin_of(struct pair r) /* |r| <= pi/4 */
{
    double z = r.h * r.h, tail = z * r.h * HORNER(z, sin_c);
    return fast_two_sum(r.h, tail + __builtin_fma(-0.5 * z, r.l, r.l));
}

DEVICE_INLINE struct pair cos_of(struct pair r)
{
    struct pair z = two_product(r.h, r.h);
    struct pair s = fast_two_sum(1.0, -0.5 * z.h);
    double tail = z.h * z.h * HORNER(z.h, cos_c) - __builtin_fma(r.h, r.l, 0.5 * z.l);
    return fast_two_sum(s.h, s.l + tail);
}

DEVICE_INLINE struct pair quadrant_sin(struct pair r, int quadrant)
{
    struct pair v = quadrant & 1 ? cos_of(r) : sin_of(r);
    return quadrant & 2 ? (struct pair){-v.h, -v.l} : v;
}

double __nv_sin(double x)
{
    struct pair r;
    if (!(__builtin_fabs(x) < DEVICE_INF)) return DEVICE_NAN;
    if (__builtin_fabs(x) < 0x1p-27) return x;
    int quadrant = reduce(x, &r);
    return quadrant_sin(r, quadrant).h;
}

double __nv_cos(double x)
{
    struct pair r;
    if (!(__builtin_fabs(x) < DEVICE_INF)) return DEVICE_NAN;
    int quadrant = reduce(x, &r);
    return quadrant_sin(r, quadrant + 1).h;
}

void __nv_sincos(double x, double *s, double *c)
{
    *s = __nv_sin(x);
    *c = __nv_cos(x);
}

double __nv_tan(double x)
{
    struct pair r;
    if (!(__builtin_fabs(x) < DEVICE_INF)) return DEVICE_NAN;
    if (__builtin_fabs(x) < 0x1p-27) return x;
    int quadrant = reduce(x, &r);
    struct pair s = sin_of(r), c = cos_of(r);
    return quadrant & 1 ? -pair_quotient(c, s).h : pair_quotient(s, c).h;
}

/* sin(pi x), cos(pi x): the multiple of 1/2 is exact. */
DEVICE_INLINE int reduce_half(double x, struct pair *r)
{
    double n = __builtin_rint(2.0 * x);
    *r = pair_product((struct pair){__builtin_fma(n, -0.5, x), 0.0}, (struct pair){PI_H, PI_L});
    return __builtin_fabs(n) >= 0x1p53 ? 0 : (int)((device_i64)n & 3);
}

struct pair device_sinpi_pair(double x)
{
    struct pair r;
    int quadrant = reduce_half(x, &r);
    return quadrant_sin(r, quadrant);
}

double __nv_sinpi(double x)
{
    if (!(__builtin_fabs(x) < DEVICE_INF)) return DEVICE_NAN;
    if (__builtin_trunc(x) == x) return x * 0.0;
    if (__builtin_fabs(x) < 0x1p-100) return x * PI_H;
    return device_sinpi_pair(x).h;
}

double __nv_cospi(double x)
{
    struct pair r;
    if (!(__builtin_fabs(x) < DEVICE_INF)) return DEVICE_NAN;
    int quadrant = reduce_half(x, &r);
    return r.h == 0.0 && (quadrant & 1) ? 0.0 : quadrant_sin(r, quadrant + 1).h;
}

void __nv_sincospi(double x, double *s, double *c)
{
    *s = __nv_sinpi(x);
    *c = __nv_cospi(x);
}

/* asin(x) / x - 1 for z = x x <= 1/4. */
DEVICE_INLINE double asin_tail(double z)
{
    return z * HORNER(z, asin_c);
}

/* asin(sqrt(z)) as a pair, z = (1 - |x|) / 2. */
DEVICE_INLINE struct pair asin_of_root(double z)
{
    double s = __builtin_sqrt(z), low = s > 0.0 ? __builtin_fma(-s, s, z) / (2.0 * s) : 0.0;
    return fast_two_sum(s, __builtin_fma(s, asin_tail(z), low));
}

double __nv_asin(double x)
{
    double size = __builtin_fabs(x);
    if (!(size <= 1.0)) return DEVICE_NAN;
    if (size <= 0.5) return __builtin_fma(x, asin_tail(x * x), x);
    struct pair a = asin_of_root(0.5 * (1.0 - size));
    struct pair s = fast_two_sum(PIO2_H, -2.0 * a.h);
    return __builtin_copysign(s.h + (s.l + (PIO2_L - 2.0 * a.l)), x);
}

double __nv_acos(double x)
{
    double size = __builtin_fabs(x);
    if (!(size <= 1.0)) return DEVICE_NAN;
    if (size <= 0.5) {
        struct pair s = fast_two_sum(PIO2_H, -x);
        return s.h + (s.l + (PIO2_L - x * asin_tail(x * x)));
    }
    struct pair a = asin_of_root(0.5 * (1.0 - size));
    if (x > 0.0) return 2.0 * (a.h + a.l);
    struct pair s = fast_two_sum(PI_H, -2.0 * a.h);
    return s.h + (s.l + (PI_L - 2.0 * a.l));
}

/* atan(t) for a pair 0 <= t <= 1. */
DEVICE_INLINE struct pair atan_of(struct pair t)
{
    struct pair base = {0.0, 0.0};
    if (t.h > TAN_PI_8) { /* pi/4 + atan((t - 1) / (t + 1)) */
        struct pair up = fast_two_sum(1.0, t.h), down = fast_two_sum(-1.0, t.h);
        up.l += t.l;
        down.l += t.l;
        t = pair_quotient(down, up);
        base = (struct pair){0.5 * PIO2_H, 0.5 * PIO2_L};
    }
    double z = t.h * t.h, tail = t.h * z * HORNER(z, atan_c);
    struct pair s = two_sum(base.h, t.h);
    return fast_two_sum(s.h, s.l + (tail + (base.l + t.l / (1.0 + z))));
}

DEVICE_INLINE struct pair minus(double h, double l, struct pair a)
{
    return pair_sum((struct pair){h, l}, (struct pair){-a.h, -a.l});
}

double __nv_atan(double x)
{
    double size = __builtin_fabs(x);
    if (x != x || size < 0x1p-27) return x;
    if (size > 0x1p60) return __builtin_copysign(PIO2_H, x);
    struct pair t = {size, 0.0};
    struct pair a =
        size > 1.0 ? minus(PIO2_H, PIO2_L, atan_of(pair_quotient((struct pair){1.0, 0.0}, t))) : atan_of(t);
    return __builtin_copysign(a.h, x);
}

double __nv_atan2(double y, double x)
{
    if (x != x || y != y) return x + y;
    double ax = __builtin_fabs(x), ay = __builtin_fabs(y);
    int left = (int)(bits_d(x) >> 63);
    struct pair a;
    if (ay == 0.0 || (ax == DEVICE_INF && ay < DEVICE_INF)) {
        a = (struct pair){0.0, 0.0};
    } else if (ax == DEVICE_INF) {
        a = (struct pair){0.5 * PIO2_H, 0.5 * PIO2_L};
    } else if (ay == DEVICE_INF || ax == 0.0) {
        return __builtin_copysign(PIO2_H, y);
    } else {
        double small = ax < ay ? ax : ay, large = ax < ay ? ay : ax;
        if (large > 0x1p900) small *= 0x1p-200, large *= 0x1p-200;
        if (small < 0x1p-900) small *= 0x1p200, large *= large < 0x1p800 ? 0x1p200 : 1.0;
        struct pair q = pair_quotient((struct pair){small, 0.0}, (struct pair){large, 0.0});
        if (ay <= ax && !left && q.h < 0x1p-960) return y / x;
        a = atan_of(q);
        if (ay > ax) a = minus(PIO2_H, PIO2_L, a);
    }
    if (left) a = minus(PI_H, PI_L, a);
    return __builtin_copysign(a.h, y);
}
