/* SPDX-License-Identifier: Apache-2.0 */
/* Error function and its inverse, normal distribution, gamma function, cube root, norms.
 * Methods: erf by a polynomial up to 1/2, erfc by exp(-x x) times a polynomial in (x - 4) / (x + 4) beyond;
 * the inverses by Halley steps on erfc; gamma by a polynomial on [1, 2] and recurrence, beyond 12 by
 * Stirling's series in pairs of doubles; lgamma near its zeros 1 and 2 by (x - 1)(x - 2) times a polynomial;
 * cube root by Halley steps from an exponent divided by 3. The float functions round the double result,
 * except the cheap ones. Coefficients: coefficients.sollya, those of gamma and lgamma Chebyshev interpolation
 * with 300 bits. Limits: round to nearest; lgamma of negative arguments loses digits where it is near 0. */
#include "device.h"

#pragma clang diagnostic ignored "-Wmissing-prototypes"

double __nv_log(double x);
double __nv_log1p(double x);

static const double erf_c[] = {0x1.20dd750429b6dp0,    -0x1.812746b0379c9p-2,  0x1.ce2f21a041d26p-4,
                               -0x1.b82ce312528bdp-6,  0x1.565bcd076c355p-8,   -0x1.c02db2e0d9ec8p-11,
                               0x1.f9a30892abfe3p-14,  -0x1.f4d02bdd7fb56p-17, 0x1.b9caef49ec6ep-20,
                               -0x1.5e7ff28111901p-23, 0x1.f176792a8ad6p-27,   -0x1.26720b4dd85f6p-30,
                               0x1.aef1b68a5f1b2p-35};
static const double erfcx_c[] = {
    0x1.3ba5916e9fd7fp0,    -0x1.1df1ad154a28dp-3,  0x1.f7f5df66fc7b5p-7,   0x1.16ecefcfa51f1p-4,
    -0x1.9ddb23c3e35a4p-4,  0x1.7fee004e17356p-4,   -0x1.0fb06dfec12ap-4,   0x1.3079edf5ae0a2p-5,
    -0x1.0962386f2b8edp-6,  0x1.49c672d64a38cp-8,   -0x1.8d4aad75ad569p-11, -0x1.a1df6efa0c71fp-13,
    0x1.3be1a3dc7d412p-13,  -0x1.994e74f83fe1ep-16, -0x1.78c7f2562f8b6p-17, 0x1.7ea3bf7cd215p-18,
    0x1.49ffb3f869eadp-22,  -0x1.b2c348a225215p-21, 0x1.f21e47e4ccd9ep-25,  0x1.85ee3c70ef623p-24,
    -0x1.ab8d7bbba3f31p-28, -0x1.2b923ea805eddp-31, -0x1.ddd41996568e7p-30, -0x1.8c6ab9e3cd61ep-29};
static const double gamma_c[] = {
    0x1.c5bf891b4ef6bp-1,  0x1.08ea88ee561b2p-5,   0x1.a8c4dba620d57p-2,  -0x1.b77ac1ca2ec36p-4,
    0x1.283bd374eb2dap-3,  -0x1.3d88cfe501ad0p-4,  0x1.e022b74349385p-5,  -0x1.374fd5ce815dep-5,
    0x1.a752c6b194816p-6,  -0x1.1a2c29007308cp-6,  0x1.7991dcbf878d0p-7,  -0x1.f7fc7c04512dbp-8,
    0x1.504eca2779ba9p-8,  -0x1.c09e6e65d05f1p-9,  0x1.2b2c7ea75c4c2p-9,  -0x1.8f3ca7c3f1052p-10,
    0x1.0a301c8ff5f16p-10, -0x1.5fd54421cbad4p-11, 0x1.d52144292085bp-12, -0x1.513093cab3125p-12,
    0x1.c197ade68f084p-13, -0x1.61c720aac13b9p-14, 0x1.d7b524c422ef9p-15, -0x1.014c228143cdfp-13,
    0x1.571048987b3f4p-14};
static const double lgamma_1_c[] = {0x1.eeb95b094c191p-2,   -0x1.2aed059bd6085p-3,  0x1.01af62a2929e1p-4,
                                    -0x1.007aa83cef9abp-5,  0x1.133423527ae27p-6,   -0x1.34dbda128eee5p-7,
                                    0x1.64f0664fb6518p-8,   -0x1.a5035375acabep-9,  0x1.f814b951d538bp-10,
                                    -0x1.313e5323120b7p-10, 0x1.750aa27fe4301p-11,  -0x1.cb502b140a127p-12,
                                    0x1.1c7b46046a59cp-12,  -0x1.61854b057e6e9p-13, 0x1.ba26ce28a34b0p-14,
                                    -0x1.1cf3272629995p-14, 0x1.672b94917149fp-15,  -0x1.6880fac68f031p-16,
                                    0x1.c7d009a4fae3ap-17,  -0x1.36d84fee907ffp-16, 0x1.8ca55ab6b8718p-17};
static const double lgamma_2_c[] = {
    0x1.84afe00cddfdfp-2,  -0x1.31d26e9323010p-4,  0x1.462044b0af9dcp-6,  -0x1.8a722dfc5dd32p-8,
    0x1.feef08b013722p-10, -0x1.595120000a053p-11, 0x1.e05c3d59c366dp-13, -0x1.5501abd8a8808p-14,
    0x1.eb8ee8a05e504p-16, -0x1.667015ab27ae6p-17, 0x1.07d9e2af53b04p-18, -0x1.873aeb522d5b2p-20,
    0x1.210c79bba49bbp-21, -0x1.b15b9a85d7940p-23, 0x1.7cf41d9a811e3p-24, -0x1.2030cbd99fa28p-25};
/* Stirling's series: B(2k) / (2k (2k - 1)). */
static const double stirling_c[] = {0x1.5555555555555p-4,   -0x1.6c16c16c16c17p-9, 0x1.a01a01a01a01ap-11,
                                    -0x1.3813813813814p-11, 0x1.b951e2b18ff23p-11, -0x1.f6ab0d9993c7dp-10,
                                    0x1.a41a41a41a41ap-8,   -0x1.e4286cb0f5398p-6};
#define HALF_LOG_2PI     0x1.d67f1c864beb5p-1
#define HALF_LOG_2PI_L   (-0x1.65b5a1b7ff5dfp-55)
#define TWO_OVER_SQRT_PI 0x1.20dd750429b6dp+0
#define ONE_OVER_SQRT_PI 0x1.20dd750429b6dp-1
#define SQRT_HALF        0x1.6a09e667f3bcdp-1
#define SQRT_HALF_L      (-0x1.bdd3413b26456p-55)
#define SQRT_2           0x1.6a09e667f3bcdp+0
#define PI_H             0x1.921fb54442d18p+1

/* erfc(x) exp(x x) for 0.45 <= x. */
static double erfcx_of(double x)
{
    if (x > 28.0) {
        double r = 0.5 / (x * x), sum = 1.0; /* asymptotic series */
        for (int i = 13; i > 0; i -= 2)
            sum = 1.0 - i * r * sum;
        return ONE_OVER_SQRT_PI / x * sum;
    }
    double t = (x - 4.0) / (x + 4.0);
    return HORNER(t, erfcx_c) / __builtin_fma(2.0, x, 1.0);
}

/* exp(-(x.h + x.l)^2) times a factor. */
static double gaussian(struct pair x, double factor)
{
    int k;
    struct pair z = two_product(x.h, x.h);
    z.l = __builtin_fma(2.0 * x.h, x.l, z.l);
    struct pair e = device_exp_pair(-z.h, -z.l, &k);
    return scaled(__builtin_fma(e.l, factor, e.h * factor), k);
}

static double erfc_of(struct pair x) /* x.h >= 0.45 */
{
    if (x.h > 28.0) return 0.0;
    double slope = erfcx_of(x.h); /* its derivative is 2 x erfcx - 2/sqrt(pi) */
    slope += x.l * (2.0 * x.h * slope - TWO_OVER_SQRT_PI);
    return gaussian(x, slope);
}

double __nv_erf(double x)
{
    double size = __builtin_fabs(x);
    if (x != x) return x;
    if (size < 0.5) return x * HORNER(x * x, erf_c);
    return __builtin_copysign(size > 6.0 ? 1.0 : 1.0 - erfc_of((struct pair){size, 0.0}), x);
}

double __nv_erfc(double x)
{
    if (x != x) return x;
    if (x < -0.5) return x < -6.0 ? 2.0 : 2.0 - erfc_of((struct pair){-x, 0.0});
    if (x < 0.5) return 1.0 - x * HORNER(x * x, erf_c);
    return erfc_of((struct pair){x, 0.0});
}

double __nv_erfcx(double x)
{
    int k;
    if (x != x) return x;
    if (x >= 0.5) return erfcx_of(x);
    if (x < -27.0) return DEVICE_INF;
    struct pair z = two_product(x, x), e = device_exp_pair(z.h, z.l, &k);
    double factor = __nv_erfc(x);
    return scaled(__builtin_fma(e.l, factor, e.h * factor), k);
}

double __nv_normcdf(double x)
{
    if (x != x) return x;
    struct pair a = pair_product((struct pair){-x, 0.0}, (struct pair){SQRT_HALF, SQRT_HALF_L});
    if (a.h >= 0.5) return a.h > 28.0 ? 0.0 : 0.5 * erfc_of(a);
    return 0.5 * __nv_erfc(a.h);
}

/* One Halley step for erfc(x) = y. */
DEVICE_INLINE double erfc_step(double x, double y)
{
    double error = (__nv_erfc(x) - y) / gaussian((struct pair){x, 0.0}, TWO_OVER_SQRT_PI);
    return x + error / (1.0 - x * error);
}

/* erfc's inverse for 0 < y <= 1/2. */
static double erfcinv_small(double y)
{
    double w = -__nv_log(y * 1.7724538509055160), x = __builtin_sqrt(w > 0.3 ? w : 0.3);
    x = __builtin_sqrt(w - __nv_log(x) > 0.2 ? w - __nv_log(x)
                                             : 0.2); /* erfc(x) ~ exp(-x x) / (x sqrt(pi)) */
    for (int i = 0; i < 4; i++)
        x = erfc_step(x, y);
    return x;
}

/* erf's inverse for |y| < 1/2: Halley steps on erf itself, which keeps the digits of small arguments. */
static double erfinv_small(double y)
{
    double x = y * (0.886226925452758 + 0.231937 * y * y);
    for (int i = 0; i < 3; i++) {
        double error = (x * HORNER(x * x, erf_c) - y) / gaussian((struct pair){x, 0.0}, TWO_OVER_SQRT_PI);
        x -= error / (1.0 + x * error);
    }
    return x;
}

double __nv_erfinv(double y)
{
    double size = __builtin_fabs(y);
    if (!(size < 1.0)) return size == 1.0 ? __builtin_copysign(DEVICE_INF, y) : DEVICE_NAN;
    if (size < 0x1p-30) return y * 0x1.c5bf891b4ef6bp-1;
    return size < 0.5 ? erfinv_small(y) : __builtin_copysign(erfcinv_small(1.0 - size), y);
}

double __nv_erfcinv(double y)
{
    if (!(y >= 0.0 && y <= 2.0)) return DEVICE_NAN;
    if (y == 0.0 || y == 2.0) return y == 0.0 ? DEVICE_INF : -DEVICE_INF;
    if (y <= 0.5) return erfcinv_small(y);
    if (y >= 1.5) return -erfcinv_small(2.0 - y);
    return y == 1.0 ? 0.0 : __nv_erfinv(1.0 - y);
}

double __nv_normcdfinv(double y)
{
    if (!(y >= 0.0 && y <= 1.0)) return DEVICE_NAN;
    if (y > 0.25 && y < 0.75) return SQRT_2 * erfinv_small(2.0 * y - 1.0);
    return y < 0.5 ? -SQRT_2 * __nv_erfcinv(2.0 * y) : SQRT_2 * __nv_erfcinv(2.0 * (1.0 - y));
}

/* Stirling: (x - 1/2) log x - x + log(2 pi) / 2 + 1 / (12 x) - ..., x >= 12. */
static struct pair stirling(double x)
{
    struct pair log = device_log_pair(x);
    double r = 1.0 / x, series = r * HORNER(r * r, stirling_c);
    struct pair main = pair_product((struct pair){x - 0.5, 0.0}, log);
    struct pair sum = pair_sum(main, two_sum(-x, HALF_LOG_2PI));
    return fast_two_sum(sum.h, sum.l + (HALF_LOG_2PI_L + series));
}

double __nv_tgamma(double x)
{
    if (x != x || x == 0.0) return x == 0.0 ? __builtin_copysign(DEVICE_INF, x) : x;
    if (x > 172.0) return DEVICE_INF;
    if (x < 0.0) {
        if (__builtin_trunc(x) == x) return DEVICE_NAN;
        if (x < -185.0) return (device_i64)__builtin_floor(x) & 1 ? -0.0 : 0.0;
    }
    double product = 1.0, y = x;
    if (x < 0.5 && x > -12.0) {
        while (y < 1.0)
            product *= y, y += 1.0;
        return HORNER(y - 1.5, gamma_c) / product;
    }
    if (x <= 0.0) { /* reflection: pi / (sin(pi x) gamma(1 - x)), the halves of gamma apart so that neither
                       overflows */
        int k;
        double n = __builtin_rint(x);
        struct pair s = device_sinpi_pair(x - n), g = stirling(-x), e = device_exp_pair(-g.h, -g.l, &k);
        double sine = ((device_i64)n & 1) ? -s.h : s.h;
        return scaled(-PI_H * e.h / (x * sine), k);
    }
    if (x > 12.0) {
        int k;
        struct pair g = stirling(x), e = device_exp_pair(g.h, g.l, &k);
        return scaled(e.h, k);
    }
    while (y > 2.0)
        y -= 1.0, product *= y;
    while (y < 1.0)
        product /= y, y += 1.0;
    return product * HORNER(y - 1.5, gamma_c);
}

static double lgamma_from_1(double x)
{
    if (x <= 2.0) return (x - 1.0) * (x - 2.0) * HORNER(x - 1.5, lgamma_1_c);
    if (x > 0x1p60) return x * (__nv_log(x) - 1.0);
    if (x >= 12.0) return stirling(x).h;
    double product = 1.0, y = x;
    while (y > 3.0)
        y -= 1.0, product *= y;
    double own = (y - 1.0) * (y - 2.0) * HORNER(y - 2.5, lgamma_2_c);
    return x > 3.0 ? own + __nv_log(product) : own;
}

static double lgamma_positive(double x)
{
    if (x < 0x1p-60) return -__nv_log(x);
    if (x < 0.5) return lgamma_from_1(x + 1.0) - __nv_log(x);
    if (x < 1.0) return x * (x - 1.0) * HORNER(x - 0.5, lgamma_1_c) - __nv_log(x);
    return lgamma_from_1(x);
}

double __nv_lgamma(double x)
{
    if (x != x) return x;
    if (__builtin_fabs(x) == DEVICE_INF) return DEVICE_INF;
    if (x > 0.0) return lgamma_positive(x);
    if (__builtin_trunc(x) == x) return DEVICE_INF;
    if (x > -0x1p-60) return -__nv_log(-x);
    struct pair s = device_sinpi_pair(x - __builtin_rint(x)); /* log(pi / |x sin(pi x)|) - lgamma(-x) */
    return __nv_log(PI_H / __builtin_fabs(x * s.h)) - lgamma_positive(-x);
}

/* Cube root of a normal positive number. The start, exponent and mantissa divided by 3, is within 5 %. */
static double cbrt_of(double x)
{
    double y = double_of(bits_d(x) / 3 + 0x2a9f7893782da1ceull);
    for (int i = 0; i < 3; i++) {
        double cube = y * y * y;
        y *= (cube + 2.0 * x) / (2.0 * cube + x);
    }
    struct pair square = two_product(y, y);
    double rest = __builtin_fma(-y, square.h, x) - y * square.l;
    return y + rest / (3.0 * square.h);
}

double __nv_cbrt(double x)
{
    double size = __builtin_fabs(x);
    if (!(size < DEVICE_INF) || x == 0.0) return x;
    double root = size < 0x1p-1000  ? cbrt_of(size * 0x1p90) * 0x1p-30
                  : size > 0x1p1000 ? cbrt_of(size * 0x1p-90) * 0x1p30
                                    : cbrt_of(size);
    return __builtin_copysign(root, x);
}

double __nv_rcbrt(double x)
{
    double scale = 1.0; /* so that y^3 neither overflows nor loses its low part */
    if (__builtin_fabs(x) < 0x1p-600) x *= 0x1p600, scale = 0x1p200;
    if (__builtin_fabs(x) > 0x1p600) x *= 0x1p-600, scale *= 0x1p-200;
    double y = 1.0 / __nv_cbrt(x), size = __builtin_fabs(y);
    if (!(size < 0x1p300 && size > 0x1p-300)) return y * scale;
    struct pair square = two_product(y, y); /* 1 - x y^3 */
    struct pair cube = pair_product(square, (struct pair){y, 0.0}),
                p = pair_product(cube, (struct pair){x, 0.0});
    return __builtin_fma(y * ((1.0 - p.h) - p.l), 1.0 / 3.0, y) * scale;
}

double __nv_rsqrt(double x)
{
    double y = 1.0 / __builtin_sqrt(x);
    if (!(x > 0x1p-1000 && x < 0x1p1000)) return y;
    struct pair square = two_product(y, y);
    double error = __builtin_fma(-x, square.h, 1.0) - x * square.l;
    return __builtin_fma(0.5 * y, error, y);
}

/* Rounded once more from 53 good bits: the root of a float is never so near the middle of two floats. */
float __nv_frsqrt_rn(float x)
{
    return (float)__nv_rsqrt(x);
}

/* sqrt of a sum of squares: scaled by a power of two so that the largest is near 1, summed in pairs. */
DEVICE_INLINE double norm_of(int n, const double *v, int reciprocal)
{
    double largest = 0.0;
    int infinite = 0, odd = 0;
    for (int i = 0; i < n; i++) {
        double size = __builtin_fabs(v[i]);
        infinite |= size == DEVICE_INF;
        odd |= size != size;
        if (size > largest) largest = size;
    }
    if (infinite) return reciprocal ? 0.0 : DEVICE_INF;
    if (odd) return DEVICE_NAN;
    if (largest == 0.0) return reciprocal ? DEVICE_INF : 0.0;
    int k = (int)(bits_d(largest) >> 52) - 1023;
    if (k < -500 || k > 500)
        k = k < 0 ? -600 : 600;
    else
        k = 0;
    struct pair sum = {0.0, 0.0};
    for (int i = 0; i < n; i++) {
        double a = v[i] * power_of_two(-k);
        sum = pair_sum(sum, two_product(a, a));
    }
    double root = __builtin_sqrt(sum.h);
    if (reciprocal) {
        double y = 1.0 / root;
        struct pair square = two_product(y, y), p = pair_product(square, sum);
        return scaled(__builtin_fma(0.5 * y, (1.0 - p.h) - p.l, y), -k);
    }
    return scaled(root + (__builtin_fma(-root, root, sum.h) + sum.l) / (2.0 * root), k);
}

double __nv_hypot(double a, double b)
{
    return norm_of(2, (const double[]){a, b}, 0);
}
double __nv_rhypot(double a, double b)
{
    return norm_of(2, (const double[]){a, b}, 1);
}
double __nv_norm3d(double a, double b, double c)
{
    return norm_of(3, (const double[]){a, b, c}, 0);
}
double __nv_rnorm3d(double a, double b, double c)
{
    return norm_of(3, (const double[]){a, b, c}, 1);
}
double __nv_norm4d(double a, double b, double c, double d)
{
    return norm_of(4, (const double[]){a, b, c, d}, 0);
}
double __nv_rnorm4d(double a, double b, double c, double d)
{
    return norm_of(4, (const double[]){a, b, c, d}, 1);
}
double __nv_norm(int n, const double *v)
{
    return norm_of(n, v, 0);
}
double __nv_rnorm(int n, const double *v)
{
    return norm_of(n, v, 1);
}

/* Floats never overflow in double, and a root of their squares needs no pairs. */
DEVICE_INLINE float norm_f(int n, const float *v, int reciprocal)
{
    double sum = 0.0;
    int infinite = 0;
    for (int i = 0; i < n; i++) {
        sum = __builtin_fma(v[i], v[i], sum);
        infinite |= __builtin_fabsf(v[i]) == DEVICE_INFF;
    }
    if (infinite) return reciprocal ? 0.0f : DEVICE_INFF;
    return (float)(reciprocal ? 1.0 / __builtin_sqrt(sum) : __builtin_sqrt(sum));
}
float __nv_hypotf(float a, float b)
{
    return norm_f(2, (const float[]){a, b}, 0);
}
float __nv_rhypotf(float a, float b)
{
    return norm_f(2, (const float[]){a, b}, 1);
}
float __nv_norm3df(float a, float b, float c)
{
    return norm_f(3, (const float[]){a, b, c}, 0);
}
float __nv_rnorm3df(float a, float b, float c)
{
    return norm_f(3, (const float[]){a, b, c}, 1);
}
float __nv_norm4df(float a, float b, float c, float d)
{
    return norm_f(4, (const float[]){a, b, c, d}, 0);
}
float __nv_rnorm4df(float a, float b, float c, float d)
{
    return norm_f(4, (const float[]){a, b, c, d}, 1);
}
float __nv_normf(int n, const float *v)
{
    return norm_f(n, v, 0);
}
float __nv_rnormf(int n, const float *v)
{
    return norm_f(n, v, 1);
}

float __nv_cbrtf(float x)
{
    float size = __builtin_fabsf(x), scale = 1.0f;
    if (!(size < DEVICE_INFF) || x == 0.0f) return x;
    if (size < 0x1p-100f) size *= 0x1p48f, scale = 0x1p-16f;
    if (size > 0x1p100f) size *= 0x1p-48f, scale = 0x1p16f;
    float y = float_of(bits_f(size) / 3 + 0x2a514067u);
    for (int i = 0; i < 2; i++) {
        float cube = y * y * y;
        y *= (cube + 2.0f * size) / (2.0f * cube + size);
    }
    float square = y * y, low = __builtin_fmaf(y, y, -square);
    float rest = __builtin_fmaf(-y, square, size) - y * low;
    return __builtin_copysignf((y + rest / (3.0f * square)) * scale, x);
}

float __nv_rcbrtf(float x)
{
    return (float)__nv_rcbrt(x);
}
float __nv_erfcf(float x)
{
    return (float)__nv_erfc(x);
}
float __nv_erfcxf(float x)
{
    return (float)__nv_erfcx(x);
}
float __nv_erfinvf(float x)
{
    return (float)__nv_erfinv(x);
}
float __nv_erfcinvf(float x)
{
    return (float)__nv_erfcinv(x);
}
float __nv_normcdff(float x)
{
    return (float)__nv_normcdf(x);
}
float __nv_normcdfinvf(float x)
{
    return (float)__nv_normcdfinv(x);
}
float __nv_tgammaf(float x)
{
    return (float)__nv_tgamma(x);
}
float __nv_lgammaf(float x)
{
    return (float)__nv_lgamma(x);
}
