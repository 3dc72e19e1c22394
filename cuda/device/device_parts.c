/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that take numbers apart or round them: remainders, scaling, exponents, neighbours, rounding to
 * integers. Method: integers and exact operations, so every result is exact; remainders divide mantissas,
 * some bits of quotient at a time. Limits: none beyond round to nearest. */
#include "device.h"

#pragma clang diagnostic ignored "-Wmissing-prototypes"

/* A positive finite number as mantissa 2^exponent. */
struct parts {
    device_u64 mantissa;
    int exponent;
};
DEVICE_INLINE struct parts parts_of(device_u64 bits, int digits)
{
    int exponent = (int)(bits >> digits);
    device_u64 mantissa = bits & ((1ull << digits) - 1);
    if (exponent)
        mantissa |= 1ull << digits;
    else
        exponent = 1;
    return (struct parts){mantissa, exponent};
}

/* a modulo b; *quotient: the low bits of the quotient. step: bits by which a mantissa below b's can be
 * shifted. */
DEVICE_INLINE struct parts remainder_of(struct parts a, struct parts b, int step, device_u32 *quotient)
{
    device_u32 q = 0;
    int difference = a.exponent - b.exponent;
    if (difference < 0) {
        *quotient = 0;
        return a;
    }
    device_u64 rest = a.mantissa;
    q = (device_u32)(rest / b.mantissa);
    rest %= b.mantissa;
    while (difference > 0 && rest) {
        int shift = difference < step ? difference : step;
        rest <<= shift;
        q = (shift < 32 ? q << shift : 0) | (device_u32)(rest / b.mantissa);
        rest %= b.mantissa;
        difference -= shift;
    }
    *quotient = difference == 0 ? q : difference < 32 ? q << difference : 0;
    return (struct parts){rest, b.exponent};
}

DEVICE_INLINE device_u64 bits_of_parts(struct parts v, int digits)
{
    if (!v.mantissa) return 0;
    int shift = __builtin_clzll(v.mantissa) - (63 - digits);
    if (shift >= v.exponent) return v.mantissa << (v.exponent - 1); /* denormal */
    return ((v.mantissa << shift) & ((1ull << digits) - 1)) | (device_u64)(v.exponent - shift) << digits;
}

/* The remainder of |x| by |y| as a magnitude; x, y finite, y not 0. */
DEVICE_INLINE double modulo(double x, double y, device_u32 *q)
{
    struct parts a = parts_of(bits_d(x) & ~(1ull << 63), 52), b = parts_of(bits_d(y) & ~(1ull << 63), 52);
    return double_of(bits_of_parts(remainder_of(a, b, 11, q), 52));
}
DEVICE_INLINE float modulo_f(float x, float y, device_u32 *q)
{
    struct parts a = parts_of(bits_f(x) & 0x7fffffffu, 23), b = parts_of(bits_f(y) & 0x7fffffffu, 23);
    return float_of((device_u32)bits_of_parts(remainder_of(a, b, 40, q), 23));
}

#define REMAINDERS(type, suffix, modulo, fabs, copysign, inf, nan)                                           \
    type __nv_fmod##suffix(type x, type y)                                                                   \
    {                                                                                                        \
        device_u32 q;                                                                                        \
        if (x != x || y != y) return x + y;                                                                  \
        if (!(fabs(x) < inf) || y == 0) return nan;                                                          \
        return fabs(x) < fabs(y) ? x : copysign(modulo(x, y, &q), x);                                        \
    }                                                                                                        \
    type __nv_remquo##suffix(type x, type y, int *quotient)                                                  \
    {                                                                                                        \
        device_u32 q = 0;                                                                                    \
        *quotient = 0;                                                                                       \
        if (x != x || y != y) return x + y;                                                                  \
        if (!(fabs(x) < inf) || y == 0) return nan;                                                          \
        type size = fabs(y), rest = fabs(x) < size ? fabs(x) : modulo(x, y, &q);                             \
        int negative = copysign((type)1, x) < 0;                                                             \
        if (size < inf &&                                                                                    \
            (rest > size - rest || (rest == size - rest && (q & 1)))) { /* nearest, ties even */             \
            rest -= size;                                                                                    \
            q++;                                                                                             \
        }                                                                                                    \
        *quotient = (negative != (y < 0) ? -1 : 1) * (int)(q & 0x7fffffffu);                                 \
        return rest == 0 ? copysign(rest, x) : negative ? -rest : rest;                                      \
    }                                                                                                        \
    type __nv_remainder##suffix(type x, type y)                                                              \
    {                                                                                                        \
        int quotient;                                                                                        \
        return __nv_remquo##suffix(x, y, &quotient);                                                         \
    }
REMAINDERS(double, , modulo, __builtin_fabs, __builtin_copysign, DEVICE_INF, DEVICE_NAN)
REMAINDERS(float, f, modulo_f, __builtin_fabsf, __builtin_copysignf, DEVICE_INFF, DEVICE_NANF)

/* x 2^n with one rounding: all steps but the last stay clear of the denormals. */
double __nv_ldexp(double x, int n)
{
    if (n > 2200) n = 2200;
    if (n < -2200) n = -2200;
    for (; n > 1023; n -= 1023)
        x *= 0x1p1023;
    for (; n < -1022; n += 969)
        x *= 0x1p-969;
    return x * power_of_two(n);
}
float __nv_ldexpf(float x, int n)
{
    if (n > 300) n = 300;
    if (n < -300) n = -300;
    for (; n > 127; n -= 127)
        x *= 0x1p127f;
    for (; n < -126; n += 102)
        x *= 0x1p-102f;
    return x * power_of_two_f(n);
}
double __nv_scalbn(double x, int n)
{
    return __nv_ldexp(x, n);
}
float __nv_scalbnf(float x, int n)
{
    return __nv_ldexpf(x, n);
}

double __nv_frexp(double x, int *exponent)
{
    *exponent = 0;
    if (x == 0 || !(__builtin_fabs(x) < DEVICE_INF)) return x;
    int shift = __builtin_fabs(x) < 0x1p-1022 ? 54 : 0;
    device_u64 bits = bits_d(shift ? x * 0x1p54 : x);
    *exponent = (int)(bits >> 52 & 0x7ff) - 1022 - shift;
    return double_of((bits & ~(0x7ffull << 52)) | 1022ull << 52);
}
float __nv_frexpf(float x, int *exponent)
{
    *exponent = 0;
    if (x == 0 || !(__builtin_fabsf(x) < DEVICE_INFF)) return x;
    int shift = __builtin_fabsf(x) < 0x1p-126f ? 24 : 0;
    device_u32 bits = bits_f(shift ? x * 0x1p24f : x);
    *exponent = (int)(bits >> 23 & 0xff) - 126 - shift;
    return float_of((bits & ~(0xffu << 23)) | 126u << 23);
}

#define FP_ILOGB0   (-2147483647 - 1)
#define INT_LARGEST 2147483647
int __nv_ilogb(double x)
{
    int exponent;
    if (x == 0 || x != x) return FP_ILOGB0;
    if (__builtin_fabs(x) == DEVICE_INF) return INT_LARGEST;
    __nv_frexp(x, &exponent);
    return exponent - 1;
}
int __nv_ilogbf(float x)
{
    int exponent;
    if (x == 0 || x != x) return FP_ILOGB0;
    if (__builtin_fabsf(x) == DEVICE_INFF) return INT_LARGEST;
    __nv_frexpf(x, &exponent);
    return exponent - 1;
}

double __nv_modf(double x, double *whole)
{
    *whole = __builtin_trunc(x);
    return __builtin_copysign(__builtin_fabs(x) == DEVICE_INF ? 0.0 : x - *whole, x);
}
float __nv_modff(float x, float *whole)
{
    *whole = __builtin_truncf(x);
    return __builtin_copysignf(__builtin_fabsf(x) == DEVICE_INFF ? 0.0f : x - *whole, x);
}

/* Halves away from zero. */
double __nv_round(double x)
{
    double size = __builtin_fabs(x), whole = __builtin_trunc(size);
    return __builtin_copysign(size - whole >= 0.5 ? whole + 1.0 : whole, x);
}
float __nv_roundf(float x)
{
    float size = __builtin_fabsf(x), whole = __builtin_truncf(size);
    return __builtin_copysignf(size - whole >= 0.5f ? whole + 1.0f : whole, x);
}
device_i64 __nv_llround(double x)
{
    return (device_i64)__nv_round(x);
}
device_i64 __nv_llroundf(float x)
{
    return (device_i64)__nv_roundf(x);
}

double __nv_fdim(double x, double y)
{
    return x != x || y != y ? x + y : x > y ? x - y : 0.0;
}
float __nv_fdimf(float x, float y)
{
    return x != x || y != y ? x + y : x > y ? x - y : 0.0f;
}

double __nv_nextafter(double x, double y)
{
    if (x != x || y != y) return x + y;
    if (x == y) return y;
    if (x == 0) return __builtin_copysign(0x1p-1074, y);
    return double_of(bits_d(x) + ((x < y) == (x > 0) ? 1ull : -1ull));
}
float __nv_nextafterf(float x, float y)
{
    if (x != x || y != y) return x + y;
    if (x == y) return y;
    if (x == 0) return __builtin_copysignf(0x1p-149f, y);
    return float_of(bits_f(x) + ((x < y) == (x > 0) ? 1u : -1u));
}

double __nv_nan(const signed char *tag)
{
    (void)tag;
    return DEVICE_NAN;
}
float __nv_nanf(const signed char *tag)
{
    (void)tag;
    return DEVICE_NANF;
}
