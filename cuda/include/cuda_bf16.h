/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA's bfloat16: __nv_bfloat16, __nv_bfloat162, arithmetic, comparisons, conversions, shuffles.
 * Method: the upper half of a float; sums, products and quotients are computed in float and rounded once more, which
 * gives the correctly rounded result, because float has more than twice the digits (Figueroa 1995). fma goes through
 * double for the same reason.
 * Limits: C has the types alone; no atomics. */
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__
#ifdef __cplusplus
#if defined(__clang__)
#pragma clang system_header
#endif

#include "host_defines.h"
#include "vector_types.h"

/* clang-format off: tables, one line a function */
#if defined(__CUDA__)
#define SW_HD_ static __host__ __device__ __inline__ __attribute__((always_inline, nodebug))
#define SW_D_  static __device__ __inline__ __attribute__((always_inline, nodebug))
#define SW_M_  __host__ __device__ __attribute__((always_inline, nodebug))
#else
#define SW_HD_ static __inline__ __attribute__((always_inline))
#define SW_M_  __attribute__((always_inline))
#endif

/* To nearest, ties to even; NaN stays NaN. */
SW_HD_ unsigned short softwarp_bf16_of(float v)
{
    unsigned int b = __builtin_bit_cast(unsigned int, v);
    return v != v ? (unsigned short)0x7fff : (unsigned short)((b + 0x7fffu + (b >> 16 & 1u)) >> 16);
}
/* A double first goes to float rounded to odd, so that the second rounding sees what the first dropped. */
SW_HD_ unsigned short softwarp_bf16_of(double v)
{
    float f = (float)v;
    unsigned int b = __builtin_bit_cast(unsigned int, f);
    bool inexact = (double)f != v && v == v, away = __builtin_fabs((double)f) > __builtin_fabs(v);
    if (inexact) b = (away ? b - 1 : b) | 1u;
    return softwarp_bf16_of(__builtin_bit_cast(float, b));
}
SW_HD_ float softwarp_float_of_bf16(unsigned short b) { return __builtin_bit_cast(float, (unsigned int)b << 16); }

struct __nv_bfloat16_raw {
    unsigned short x;
};
struct __attribute__((aligned(2))) __nv_bfloat16 {
    unsigned short __x; /* the name that CCCL's headers know */
    __nv_bfloat16() = default;
    SW_M_ constexpr __nv_bfloat16(const __nv_bfloat16_raw &raw) : __x(raw.x) {}
    SW_M_ __nv_bfloat16(float v) : __x(softwarp_bf16_of(v)) {}
    SW_M_ __nv_bfloat16(double v) : __x(softwarp_bf16_of(v)) {}
    SW_M_ __nv_bfloat16(int v) : __x(softwarp_bf16_of((double)v)) {}
    SW_M_ __nv_bfloat16(unsigned int v) : __x(softwarp_bf16_of((double)v)) {}
    SW_M_ constexpr operator __nv_bfloat16_raw() const { return {__x}; }
    SW_M_ operator float() const { return softwarp_float_of_bf16(__x); }
    SW_M_ explicit operator double() const { return (double)(float)*this; }
    SW_M_ explicit operator int() const { return (int)(float)*this; }
    SW_M_ explicit operator unsigned int() const { return (unsigned int)(float)*this; }
    SW_M_ explicit operator bool() const { return (float)*this != 0.0f; }
};
typedef __nv_bfloat16 nv_bfloat16;
struct __attribute__((aligned(4))) __nv_bfloat162 {
    __nv_bfloat16 x, y;
    __nv_bfloat162() = default;
    SW_M_ __nv_bfloat162(const __nv_bfloat16 &a, const __nv_bfloat16 &b) : x(a), y(b) {}
};
typedef __nv_bfloat162 nv_bfloat162;

SW_HD_ __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
SW_HD_ __nv_bfloat16 __float2bfloat16(float v) { return __nv_bfloat16(v); }
SW_HD_ __nv_bfloat16 __float2bfloat16_rn(float v) { return __nv_bfloat16(v); }
SW_HD_ __nv_bfloat16 __double2bfloat16(double v) { return __nv_bfloat16(v); }
SW_HD_ __nv_bfloat16 __int2bfloat16_rn(int v) { return __nv_bfloat16(v); }
SW_HD_ float __bfloat162float(__nv_bfloat16 v) { return (float)v; }
#define SW_INTEGER_(name, type)                                                                              \
    SW_HD_ type __bfloat162##name##_rz(__nv_bfloat16 v) { return (type)(float)v; }                           \
    SW_HD_ type __bfloat162##name##_rn(__nv_bfloat16 v) { return (type)__builtin_rintf((float)v); }          \
    SW_HD_ type __bfloat162##name##_rd(__nv_bfloat16 v) { return (type)__builtin_floorf((float)v); }         \
    SW_HD_ type __bfloat162##name##_ru(__nv_bfloat16 v) { return (type)__builtin_ceilf((float)v); }
SW_INTEGER_(int, int)
SW_INTEGER_(uint, unsigned int)
SW_INTEGER_(short, short)
SW_INTEGER_(ushort, unsigned short)
SW_INTEGER_(ll, long long)
SW_INTEGER_(ull, unsigned long long)
#undef SW_INTEGER_
SW_HD_ __nv_bfloat16 __uint2bfloat16_rn(unsigned int v) { return __nv_bfloat16(v); }
SW_HD_ __nv_bfloat162 __float2bfloat162_rn(float v) { return __nv_bfloat162(v, v); }
SW_HD_ __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return __nv_bfloat162(a, b); }
SW_HD_ __nv_bfloat162 __float22bfloat162_rn(float2 v) { return __nv_bfloat162(v.x, v.y); }
SW_HD_ float2 __bfloat1622float2(__nv_bfloat162 v) { return float2{(float)v.x, (float)v.y}; }
SW_HD_ __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 v) { return __nv_bfloat162(v, v); }
SW_HD_ __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
SW_HD_ __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
SW_HD_ __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
SW_HD_ float __low2float(__nv_bfloat162 v) { return (float)v.x; }
SW_HD_ float __high2float(__nv_bfloat162 v) { return (float)v.y; }
SW_HD_ unsigned short __bfloat16_as_ushort(__nv_bfloat16 v) { return v.__x; }
SW_HD_ short __bfloat16_as_short(__nv_bfloat16 v) { return (short)v.__x; }
SW_HD_ __nv_bfloat16 __ushort_as_bfloat16(unsigned short v) { return __nv_bfloat16(__nv_bfloat16_raw{v}); }
SW_HD_ __nv_bfloat16 __short_as_bfloat16(short v) { return __nv_bfloat16(__nv_bfloat16_raw{(unsigned short)v}); }

#define SW_BINARY_(name, op)                                                                                 \
    SW_HD_ __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16((float)a op (float)b); } \
    SW_HD_ __nv_bfloat162 name##2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(name(a.x, b.x), name(a.y, b.y)); }
SW_BINARY_(__hadd, +)
SW_BINARY_(__hsub, -)
SW_BINARY_(__hmul, *)
#undef SW_BINARY_
SW_HD_ __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16((float)a / (float)b); }
SW_HD_ __nv_bfloat162 __h2div(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }
SW_HD_ __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{
    return __nv_bfloat16((double)(float)a * (double)(float)b + (double)(float)c);
}
SW_HD_ __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c)
{
    return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
SW_HD_ __nv_bfloat16 __hneg(__nv_bfloat16 v) { return __ushort_as_bfloat16((unsigned short)(v.__x ^ 0x8000)); }
SW_HD_ __nv_bfloat16 __habs(__nv_bfloat16 v) { return __ushort_as_bfloat16((unsigned short)(v.__x & 0x7fff)); }
SW_HD_ bool __hisnan(__nv_bfloat16 v) { return (float)v != (float)v; }
SW_HD_ int __hisinf(__nv_bfloat16 v) { return v.__x == 0x7f80 ? 1 : v.__x == 0xff80 ? -1 : 0; }
SW_HD_ __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(__builtin_fmaxf((float)a, (float)b)); }
SW_HD_ __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(__builtin_fminf((float)a, (float)b)); }
SW_HD_ __nv_bfloat162 __hmax2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(__hmax(a.x, b.x), __hmax(a.y, b.y)); }
SW_HD_ __nv_bfloat162 __hmin2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(__hmin(a.x, b.x), __hmin(a.y, b.y)); }
#define SW_COMPARE_(name, op)                                                                                \
    SW_HD_ bool __h##name(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a op (float)b; }
SW_COMPARE_(eq, ==)
SW_COMPARE_(ne, !=)
SW_COMPARE_(lt, <)
SW_COMPARE_(le, <=)
SW_COMPARE_(gt, >)
SW_COMPARE_(ge, >=)
#undef SW_COMPARE_

#define SW_OPERATOR_(op, name)                                                                               \
    SW_HD_ __nv_bfloat16 operator op(const __nv_bfloat16 &a, const __nv_bfloat16 &b) { return name(a, b); }  \
    SW_HD_ __nv_bfloat16 &operator op##=(__nv_bfloat16 &a, const __nv_bfloat16 &b) { return a = name(a, b); }
SW_OPERATOR_(+, __hadd)
SW_OPERATOR_(-, __hsub)
SW_OPERATOR_(*, __hmul)
SW_OPERATOR_(/, __hdiv)
#undef SW_OPERATOR_
#define SW_OPERATOR_(op, name)                                                                               \
    SW_HD_ __nv_bfloat162 operator op(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return name(a, b); }
SW_OPERATOR_(+, __hadd2)
SW_OPERATOR_(-, __hsub2)
SW_OPERATOR_(*, __hmul2)
SW_OPERATOR_(/, __h2div)
#undef SW_OPERATOR_
#define SW_OPERATOR_(op, name) SW_HD_ bool operator op(const __nv_bfloat16 &a, const __nv_bfloat16 &b) { return __h##name(a, b); }
SW_OPERATOR_(==, eq)
SW_OPERATOR_(!=, ne)
SW_OPERATOR_(<, lt)
SW_OPERATOR_(<=, le)
SW_OPERATOR_(>, gt)
SW_OPERATOR_(>=, ge)
#undef SW_OPERATOR_
SW_HD_ __nv_bfloat16 operator-(const __nv_bfloat16 &v) { return __hneg(v); }

#if defined(__CUDA__)
#define SW_MATH_(name, expression)                                                                           \
    SW_D_ __nv_bfloat16 h##name(__nv_bfloat16 v) { float x = (float)v; return __nv_bfloat16(expression); }
SW_MATH_(sqrt, ::sqrtf(x))
SW_MATH_(rsqrt, ::rsqrtf(x))
SW_MATH_(rcp, 1.0f / x)
SW_MATH_(exp, ::expf(x))
SW_MATH_(exp2, ::exp2f(x))
SW_MATH_(log, ::logf(x))
SW_MATH_(log2, ::log2f(x))
SW_MATH_(log10, ::log10f(x))
SW_MATH_(exp10, ::exp10f(x))
SW_MATH_(sin, ::sinf(x))
SW_MATH_(cos, ::cosf(x))
SW_MATH_(tanh, ::tanhf(x))
SW_MATH_(floor, ::floorf(x))
SW_MATH_(ceil, ::ceilf(x))
SW_MATH_(trunc, ::truncf(x))
SW_MATH_(rint, ::rintf(x))
#undef SW_MATH_
SW_D_ __nv_bfloat16 __ldg(const __nv_bfloat16 *p) { return __ushort_as_bfloat16(::__ldg((const unsigned short *)p)); }
#if __CUDA_ARCH__ >= 300 || !defined(__CUDA_ARCH__)
#define SW_SHUFFLE_(name, type)                                                                              \
    SW_D_ __nv_bfloat16 name(unsigned int mask, __nv_bfloat16 v, type lane, int width = 32)                  \
    {                                                                                                        \
        return __ushort_as_bfloat16((unsigned short)::name(mask, (unsigned int)v.__x, lane, width)); \
    }
SW_SHUFFLE_(__shfl_sync, int)
SW_SHUFFLE_(__shfl_up_sync, unsigned int)
SW_SHUFFLE_(__shfl_down_sync, unsigned int)
SW_SHUFFLE_(__shfl_xor_sync, int)
#undef SW_SHUFFLE_
#endif
#undef SW_D_
#endif

#undef SW_HD_
#undef SW_M_
/* clang-format on */
#else /* C: the types alone */
typedef struct __attribute__((aligned(2))) {
    unsigned short x;
} __nv_bfloat16_raw;
typedef struct __attribute__((aligned(4))) {
    unsigned short x, y;
} __nv_bfloat162_raw;
typedef __nv_bfloat16_raw __nv_bfloat16;
typedef __nv_bfloat162_raw __nv_bfloat162;
#endif
#endif
