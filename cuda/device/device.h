/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the sources of the device library. Each is plain C that is compiled twice: by clang for NVPTX
 * into libdevice.10.bc, which `softwarp cc` links into kernels, and (the math) for the host by the accuracy
 * test. Names are those that clang's CUDA headers call. No library function may be called: everything is
 * arithmetic and compiler builtins that become instructions. */
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

typedef signed char device_i8;
typedef int device_i32;
typedef unsigned int device_u32;
typedef long long device_i64;
typedef unsigned long long device_u64;

#define DEVICE_INLINE static inline __attribute__((always_inline))
#define DEVICE_SMALL  __attribute__((always_inline)) /* part of every caller, even at -O0 */
#define DEVICE_NAN    __builtin_nan("")
#define DEVICE_NANF   __builtin_nanf("")
#define DEVICE_INF    __builtin_inf()
#define DEVICE_INFF   __builtin_inff()

union device_f32 {
    float f;
    device_u32 u;
};
union device_f64 {
    double f;
    device_u64 u;
};
DEVICE_INLINE device_u32 bits_f(float x)
{
    return (union device_f32){.f = x}.u;
}
DEVICE_INLINE float float_of(device_u32 b)
{
    return (union device_f32){.u = b}.f;
}
DEVICE_INLINE device_u64 bits_d(double x)
{
    return (union device_f64){.f = x}.u;
}
DEVICE_INLINE double double_of(device_u64 b)
{
    return (union device_f64){.u = b}.f;
}

/* The double of a bit pattern's exponent: 2^k for k in [-1022, 1023]. */
DEVICE_INLINE double power_of_two(int k)
{
    return double_of((device_u64)(k + 1023) << 52);
}
DEVICE_INLINE float power_of_two_f(int k)
{
    return float_of((device_u32)(k + 127) << 23);
}
/* v 2^k for any k that is reached from a normal v: two steps, so that neither factor overflows. */
DEVICE_INLINE double scaled(double v, int k)
{
    return v * power_of_two(k / 2) * power_of_two(k - k / 2);
}
DEVICE_INLINE float scaled_f(float v, int k)
{
    return v * power_of_two_f(k / 2) * power_of_two_f(k - k / 2);
}

/* An unevaluated sum h + l with |l| at most half a unit of h's last place: twice the digits.
 * Source: T. J. Dekker, "A floating-point technique for extending the available precision", 1971; Knuth,
 * TAOCP 2. */
struct pair {
    double h, l;
};
DEVICE_INLINE struct pair fast_two_sum(double a, double b) /* |a| >= |b|, or a is 0 */
{
    double s = a + b;
    return (struct pair){s, b - (s - a)};
}
DEVICE_INLINE struct pair two_sum(double a, double b)
{
    double s = a + b, t = s - a;
    return (struct pair){s, (a - (s - t)) + (b - t)};
}
DEVICE_INLINE struct pair two_product(double a, double b)
{
    double p = a * b;
    return (struct pair){p, __builtin_fma(a, b, -p)};
}
DEVICE_INLINE struct pair pair_product(struct pair a, struct pair b)
{
    struct pair p = two_product(a.h, b.h);
    p.l += a.h * b.l + a.l * b.h;
    return fast_two_sum(p.h, p.l);
}
DEVICE_INLINE struct pair pair_sum(struct pair a, struct pair b)
{
    struct pair s = two_sum(a.h, b.h);
    return fast_two_sum(s.h, s.l + (a.l + b.l));
}
DEVICE_INLINE struct pair pair_quotient(struct pair a, struct pair b)
{
    double q = a.h / b.h, rest = __builtin_fma(-q, b.h, a.h);
    return fast_two_sum(q, (rest + (a.l - q * b.l)) / b.h);
}

/* Shared between the sources; device_exp.c, device_trig.c. */
struct pair device_log_pair(double x);                          /* x > 0, finite */
struct pair device_exp_pair(double h, double l, int *exponent); /* |h| < 2000; value 2^exponent */
struct pair device_expm1_pair(double h, double l);              /* |h| < 700 */
struct pair device_sinpi_pair(double x);                        /* |x| <= 1/4 */

/* Evaluate a polynomial, coefficients from the constant on. */
#define HORNER(x, table) horner((x), (table), (int)(sizeof(table) / sizeof((table)[0])))
DEVICE_INLINE double horner(double x, const double *c, int n)
{
    double sum = c[n - 1];
#pragma clang loop unroll(full)
    for (int i = n - 2; i >= 0; i--)
        sum = __builtin_fma(sum, x, c[i]);
    return sum;
}
DEVICE_INLINE float horner_f(float x, const float *c, int n)
{
    float sum = c[n - 1];
#pragma clang loop unroll(full)
    for (int i = n - 2; i >= 0; i--)
        sum = __builtin_fmaf(sum, x, c[i]);
    return sum;
}
#define HORNER_F(x, table) horner_f((x), (table), (int)(sizeof(table) / sizeof((table)[0])))
#endif
