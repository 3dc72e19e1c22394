/* SPDX-License-Identifier: Apache-2.0 */
/* References in long double, sample points, and errors in units of the last place: for tests of mathematics.
 */
#ifndef DEVICE_REFERENCE_H
#define DEVICE_REFERENCE_H

#include <math.h>
#include <stdint.h>

enum spread { EVEN, EXPONENTS };

static uint64_t state = 88172645463325252ull;
static inline double uniform(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-53;
}

static inline double sample(double low, double high, enum spread spread)
{
    if (spread == EVEN) return low + (high - low) * uniform();
    if (low < 0) return uniform() < 0.5 ? -sample(0x1p-60, -low, spread) : sample(0x1p-60, high, spread);
    return exp2(log2(low) + (log2(high) - log2(low)) * uniform());
}

/* Error of got in units of the last place of a number of `digits` bits, lowest exponent `lowest`. */
static inline double ulps(long double got, long double expected, int digits, int lowest)
{
    if (isnan(expected) || isnan(got)) return isnan(expected) && isnan(got) ? 0 : INFINITY;
    long double limit = ldexpl(1.0L - ldexpl(1.0L, -digits - 1), digits == 24 ? 128 : 1024);
    if (isinf(got) || fabsl(expected) >= limit)
        return isinf(got) && signbit(got) == signbit(expected) && fabsl(expected) >= limit * 0.99999L
                   ? 0
                   : INFINITY;
    int exponent;
    frexpl(expected, &exponent);
    if (exponent < lowest) exponent = lowest;
    return (double)(fabsl(got - expected) / ldexpl(1.0L, exponent - digits));
}

static inline long double ref_exp10(long double x)
{
    return powl(10.0L, x);
}
static inline long double quarter_sinpi(long double x, int shift)
{
    long double n = rintl(2 * x), r = (x - n / 2) * M_PIl;
    int quadrant = ((int)fmodl(n, 4) + shift) & 3;
    return (quadrant & 2 ? -1 : 1) * (quadrant & 1 ? cosl(r) : sinl(r));
}
static inline long double ref_sinpi(long double x)
{
    return quarter_sinpi(x, 0);
}
static inline long double ref_cospi(long double x)
{
    return quarter_sinpi(x, 1);
}
static inline long double ref_rsqrt(long double x)
{
    return 1 / sqrtl(x);
}
static inline long double ref_rcbrt(long double x)
{
    return 1 / cbrtl(x);
}
static inline long double ref_normcdf(long double x)
{
    return erfcl(-x * M_SQRT1_2l) / 2;
}

/* Inverses: Newton steps in the wider type from the C library's own inverse direction. */
static inline long double ref_erfinv(long double y);
static inline long double ref_erfcinv(long double y)
{
    if (y > 0.5L && y < 1.5L) return ref_erfinv(1 - y);
    if (y > 1) return -ref_erfcinv(2 - y);
    long double x = y < 0.5L ? sqrtl(-logl(y)) : (1 - y) * 0.886L;
    for (int i = 0; i < 60; i++) {
        long double step = (erfcl(x) - y) / (2 / sqrtl(M_PIl) * expl(-x * x));
        x += step / (1 - x * step);
        if (fabsl(step) < 1e-21L * x) break;
    }
    return x;
}
static inline long double ref_erfinv(long double y)
{
    if (fabsl(y) > 0.5L) return copysignl(ref_erfcinv(1 - fabsl(y)), y);
    long double x = 0.886L * y;
    for (int i = 0; i < 60; i++)
        x -= (erfl(x) - y) / (2 / sqrtl(M_PIl) * expl(-x * x));
    return x;
}
static inline long double ref_normcdfinv(long double y)
{
    return -M_SQRT2l * ref_erfcinv(2 * y);
}
static inline long double ref_erfcx(long double x)
{
    long double square = x * x;
    return expl(square) * (1 + fmal(x, x, -square)) * erfcl(x);
}

#endif
