/* SPDX-License-Identifier: Apache-2.0 */
/* Math functions that CUDA has beyond clang's headers: the device overloads of min and max, float overloads
 * of CUDA's own functions, and host versions of the functions that C's library lacks. */
#ifndef SOFTWARP_DEVICE_MATH_H
#define SOFTWARP_DEVICE_MATH_H
#pragma clang system_header

#define SW_D_  static __device__ __forceinline__
#define SW_H_  static __host__ __inline__
// Newer C libraries have some of these functions, and declare them: theirs are the host's then.
#ifdef __GLIBC_PREREQ
#define SW_GLIBC_HAS(major, minor) __GLIBC_PREREQ(major, minor)
#else
#define SW_GLIBC_HAS(major, minor) 0
#endif
#define SW_HD_ static __host__ __device__ __forceinline__

/* min and max of every pair of arithmetic types, unqualified, on both sides. Mixed signedness goes unsigned,
 * as in CUDA; int is clang's on the device. */
SW_H_ int min(int a, int b)
{
    return b < a ? b : a;
}
SW_H_ int max(int a, int b)
{
    return a < b ? b : a;
}
#define SW_MIN_MAX_(type, a_type, b_type)                                                                    \
    SW_HD_ type min(a_type a, b_type b)                                                                      \
    {                                                                                                        \
        return (type)b < (type)a ? (type)b : (type)a;                                                        \
    }                                                                                                        \
    SW_HD_ type max(a_type a, b_type b)                                                                      \
    {                                                                                                        \
        return (type)a < (type)b ? (type)b : (type)a;                                                        \
    }
SW_MIN_MAX_(unsigned int, unsigned int, unsigned int)
SW_MIN_MAX_(unsigned int, int, unsigned int)
SW_MIN_MAX_(unsigned int, unsigned int, int)
SW_MIN_MAX_(long, long, long)
SW_MIN_MAX_(unsigned long, unsigned long, unsigned long)
SW_MIN_MAX_(unsigned long, long, unsigned long)
SW_MIN_MAX_(unsigned long, unsigned long, long)
SW_MIN_MAX_(long long, long long, long long)
SW_MIN_MAX_(unsigned long long, unsigned long long, unsigned long long)
SW_MIN_MAX_(unsigned long long, long long, unsigned long long)
SW_MIN_MAX_(unsigned long long, unsigned long long, long long)
#undef SW_MIN_MAX_
#define SW_MIN_MAX_(type, suffix, a_type, b_type)                                                            \
    SW_HD_ type min(a_type a, b_type b)                                                                      \
    {                                                                                                        \
        return __builtin_fmin##suffix((type)a, (type)b);                                                     \
    }                                                                                                        \
    SW_HD_ type max(a_type a, b_type b)                                                                      \
    {                                                                                                        \
        return __builtin_fmax##suffix((type)a, (type)b);                                                     \
    }
SW_MIN_MAX_(float, f, float, float)
SW_MIN_MAX_(double, , double, double)
SW_MIN_MAX_(double, , float, double)
SW_MIN_MAX_(double, , double, float)
#undef SW_MIN_MAX_

/* Functions of CUDA alone, on the host (device versions: clang's __clang_cuda_math.h). */
#if !SW_GLIBC_HAS(2, 42)
SW_H_ float rsqrtf(float x)
{
    return (float)(1.0 / __builtin_sqrt((double)x));
}
SW_H_ double rsqrt(double x)
{
    return 1.0 / __builtin_sqrt(x);
}
#endif
SW_H_ float rcbrtf(float x)
{
    return (float)(1.0 / __builtin_cbrt((double)x));
}
SW_H_ double rcbrt(double x)
{
    return 1.0 / __builtin_cbrt(x);
}
SW_H_ double softwarp_reduce_pi(double x)
{
    return x - 2.0 * __builtin_rint(x / 2.0);
}
#if !SW_GLIBC_HAS(2, 41)
SW_H_ double sinpi(double x)
{
    return __builtin_sin(softwarp_reduce_pi(x) * 3.14159265358979323846);
}
SW_H_ double cospi(double x)
{
    return __builtin_cos(softwarp_reduce_pi(x) * 3.14159265358979323846);
}
SW_H_ float sinpif(float x)
{
    return (float)sinpi((double)x);
}
SW_H_ float cospif(float x)
{
    return (float)cospi((double)x);
}
#endif
SW_H_ void sincospi(double x, double *s, double *c)
{
    *s = sinpi(x);
    *c = cospi(x);
}
SW_H_ void sincospif(float x, float *s, float *c)
{
    *s = sinpif(x);
    *c = cospif(x);
}
SW_H_ double normcdf(double x)
{
    return 0.5 * __builtin_erfc(-x * 0.70710678118654752440);
}
SW_H_ float normcdff(float x)
{
    return (float)normcdf((double)x);
}
SW_H_ float fdividef(float a, float b)
{
    return a / b;
}
SW_H_ double fdivide(double a, double b)
{
    return a / b;
}
SW_H_ double rhypot(double a, double b)
{
    return 1.0 / __builtin_hypot(a, b);
}
SW_H_ float rhypotf(float a, float b)
{
    return (float)rhypot((double)a, (double)b);
}
SW_H_ double norm3d(double a, double b, double c)
{
    return __builtin_hypot(__builtin_hypot(a, b), c);
}
SW_H_ float norm3df(float a, float b, float c)
{
    return (float)norm3d((double)a, (double)b, (double)c);
}
SW_H_ double norm4d(double a, double b, double c, double d)
{
    return __builtin_hypot(norm3d(a, b, c), d);
}
SW_H_ float norm4df(float a, float b, float c, float d)
{
    return (float)norm4d((double)a, (double)b, (double)c, (double)d);
}

/* Float overloads. */
#define SW_FLOAT_1_(name)                                                                                    \
    SW_H_ float name(float x)                                                                                \
    {                                                                                                        \
        return name##f(x);                                                                                   \
    }                                                                                                        \
    SW_D_ float name(float x)                                                                                \
    {                                                                                                        \
        return name##f(x);                                                                                   \
    }
SW_FLOAT_1_(rsqrt)
SW_FLOAT_1_(rcbrt)
SW_FLOAT_1_(sinpi)
SW_FLOAT_1_(cospi)
SW_FLOAT_1_(normcdf)
#undef SW_FLOAT_1_
#define SW_FLOAT_1_(name)                                                                                    \
    SW_D_ float name(float x)                                                                                \
    {                                                                                                        \
        return name##f(x);                                                                                   \
    }
SW_FLOAT_1_(erfinv)
SW_FLOAT_1_(erfcinv)
SW_FLOAT_1_(erfcx)
SW_FLOAT_1_(normcdfinv)
SW_FLOAT_1_(cyl_bessel_i0)
SW_FLOAT_1_(cyl_bessel_i1)
#undef SW_FLOAT_1_
SW_D_ void sincos(float x, float *s, float *c)
{
    sincosf(x, s, c);
}
SW_D_ void sincospi(float x, float *s, float *c)
{
    sincospif(x, s, c);
}
SW_H_ void sincospi(float x, float *s, float *c)
{
    sincospif(x, s, c);
}

/* Float overloads that clang declares and leaves to CUDA's headers. */
#define SW_FLOAT_1_(type, name) SW_D_ type name(float x) { return name##f(x); }
SW_FLOAT_1_(float, acosh)
SW_FLOAT_1_(float, asinh)
SW_FLOAT_1_(float, atanh)
SW_FLOAT_1_(float, cbrt)
SW_FLOAT_1_(float, erf)
SW_FLOAT_1_(float, erfc)
SW_FLOAT_1_(float, exp2)
SW_FLOAT_1_(float, expm1)
SW_FLOAT_1_(int, ilogb)
SW_FLOAT_1_(float, lgamma)
SW_FLOAT_1_(long long, llrint)
SW_FLOAT_1_(long long, llround)
SW_FLOAT_1_(float, log1p)
SW_FLOAT_1_(float, log2)
SW_FLOAT_1_(float, logb)
SW_FLOAT_1_(long, lrint)
SW_FLOAT_1_(long, lround)
SW_FLOAT_1_(float, nearbyint)
SW_FLOAT_1_(float, rint)
SW_FLOAT_1_(float, round)
SW_FLOAT_1_(float, tgamma)
SW_FLOAT_1_(float, trunc)
#undef SW_FLOAT_1_
#define SW_FLOAT_2_(name, second) SW_D_ float name(float x, second y) { return name##f(x, y); }
SW_FLOAT_2_(copysign, float)
SW_FLOAT_2_(fdim, float)
SW_FLOAT_2_(fmax, float)
SW_FLOAT_2_(fmin, float)
SW_FLOAT_2_(hypot, float)
SW_FLOAT_2_(nextafter, float)
SW_FLOAT_2_(remainder, float)
SW_FLOAT_2_(scalbn, int)
SW_FLOAT_2_(scalbln, long)
#undef SW_FLOAT_2_
SW_D_ float fma(float x, float y, float z) { return fmaf(x, y, z); }
SW_D_ float remquo(float x, float y, int *quotient) { return remquof(x, y, quotient); }
SW_D_ double nan(const char *) { return __builtin_nan(""); }
SW_D_ float nanf(const char *) { return __builtin_nanf(""); }

/* Integer functions on the device that clang's headers leave out. */
SW_D_ unsigned int umulhi(unsigned int a, unsigned int b)
{
    return __nv_umulhi(a, b);
}
SW_D_ int mulhi(int a, int b)
{
    return __nv_mulhi(a, b);
}
SW_D_ unsigned int umul24(unsigned int a, unsigned int b)
{
    return __nv_umul24(a, b);
}
SW_D_ int mul24(int a, int b)
{
    return __nv_mul24(a, b);
}
SW_D_ float saturate(float x)
{
    return __nv_saturatef(x);
}

#undef SW_D_
#undef SW_GLIBC_HAS
#undef SW_H_
#undef SW_HD_
#endif
