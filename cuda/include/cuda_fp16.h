/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA's half precision: __half, __half2, their arithmetic, comparisons, conversions, mathematics, shuffles and atomics.
 * Method: the compiler's own _Float16, which becomes f16 and f16x2 instructions where the target has them and float
 * arithmetic where it has not (before sm_53, and on the host). Transcendental functions go through float.
 * Limits: in C the types alone; the _rd, _ru and _rz conversions to half are device functions. */
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__
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

struct __half_raw {
    unsigned short x;
};
struct __half2_raw {
    unsigned short x, y;
};

struct __attribute__((aligned(2))) __half {
    unsigned short __x; /* the name that CCCL's headers know */
    __half() = default;
    SW_M_ constexpr __half(_Float16 v, int) : __x(__builtin_bit_cast(unsigned short, v)) {}
    SW_M_ constexpr __half(const __half_raw &raw) : __x(raw.x) {}
    SW_M_ constexpr __half(float v) : __half((_Float16)v, 0) {}
    SW_M_ constexpr __half(double v) : __half((_Float16)v, 0) {}
    SW_M_ constexpr __half(short v) : __half((_Float16)v, 0) {}
    SW_M_ constexpr __half(unsigned short v) : __half((_Float16)v, 0) {}
    SW_M_ constexpr __half(int v) : __half((_Float16)v, 0) {}
    SW_M_ constexpr __half(unsigned int v) : __half((_Float16)v, 0) {}
    SW_M_ constexpr __half(long v) : __half((_Float16)v, 0) {}
    SW_M_ constexpr __half(unsigned long v) : __half((_Float16)v, 0) {}
    SW_M_ constexpr __half(long long v) : __half((_Float16)v, 0) {}
    SW_M_ constexpr __half(unsigned long long v) : __half((_Float16)v, 0) {}
    SW_M_ constexpr _Float16 softwarp_value() const { return __builtin_bit_cast(_Float16, __x); }
    SW_M_ constexpr operator __half_raw() const { return {__x}; }
    SW_M_ constexpr operator float() const { return (float)softwarp_value(); }
    SW_M_ explicit constexpr operator double() const { return (double)softwarp_value(); }
    SW_M_ explicit constexpr operator bool() const { return softwarp_value() != (_Float16)0; }
    SW_M_ explicit constexpr operator signed char() const { return (signed char)softwarp_value(); }
    SW_M_ explicit constexpr operator unsigned char() const { return (unsigned char)softwarp_value(); }
    SW_M_ explicit constexpr operator short() const { return (short)softwarp_value(); }
    SW_M_ explicit constexpr operator unsigned short() const { return (unsigned short)softwarp_value(); }
    SW_M_ explicit constexpr operator int() const { return (int)softwarp_value(); }
    SW_M_ explicit constexpr operator unsigned int() const { return (unsigned int)softwarp_value(); }
    SW_M_ explicit constexpr operator long() const { return (long)softwarp_value(); }
    SW_M_ explicit constexpr operator unsigned long() const { return (unsigned long)softwarp_value(); }
    SW_M_ explicit constexpr operator long long() const { return (long long)softwarp_value(); }
    SW_M_ explicit constexpr operator unsigned long long() const { return (unsigned long long)softwarp_value(); }
};
typedef __half half;
typedef __half __nv_half;
typedef __half nv_half;

typedef _Float16 softwarp_half_pair __attribute__((ext_vector_type(2)));
struct __attribute__((aligned(4))) __half2 {
    __half x, y;
    __half2() = default;
    SW_M_ constexpr __half2(const __half &a, const __half &b) : x(a), y(b) {}
    SW_M_ constexpr __half2(const __half2_raw &raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
    SW_M_ __half2(softwarp_half_pair v) : x(v.x, 0), y(v.y, 0) {}
    SW_M_ constexpr operator __half2_raw() const { return {x.__x, y.__x}; }
    SW_M_ softwarp_half_pair softwarp_pair() const { return __builtin_bit_cast(softwarp_half_pair, *this); }
};
typedef __half2 half2;
typedef __half2 __nv_half2;
typedef __half2 nv_half2;

SW_HD_ __half softwarp_half(_Float16 v) { return __half(v, 0); }
SW_HD_ _Float16 softwarp_f16(__half v) { return v.softwarp_value(); }
SW_HD_ __half2 make_half2(__half a, __half b) { return __half2(a, b); }

/* Conversions. */
SW_HD_ __half __float2half(float v) { return __half(v); }
SW_HD_ __half __float2half_rn(float v) { return __half(v); }
SW_HD_ __half __double2half(double v) { return __half(v); }
SW_HD_ float __half2float(__half v) { return (float)v; }
SW_HD_ __half2 __float2half2_rn(float v) { return __half2(__half(v), __half(v)); }
SW_HD_ __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
SW_HD_ __half2 __float22half2_rn(float2 v) { return __half2(__half(v.x), __half(v.y)); }
SW_HD_ float2 __half22float2(__half2 v) { return float2{(float)v.x, (float)v.y}; }
SW_HD_ __half __low2half(__half2 v) { return v.x; }
SW_HD_ __half __high2half(__half2 v) { return v.y; }
SW_HD_ float __low2float(__half2 v) { return (float)v.x; }
SW_HD_ float __high2float(__half2 v) { return (float)v.y; }
SW_HD_ __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
SW_HD_ __half2 __half2half2(__half v) { return __half2(v, v); }
SW_HD_ __half2 __low2half2(__half2 v) { return __half2(v.x, v.x); }
SW_HD_ __half2 __high2half2(__half2 v) { return __half2(v.y, v.y); }
SW_HD_ __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
SW_HD_ __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
SW_HD_ __half2 __lowhigh2highlow(__half2 v) { return __half2(v.y, v.x); }
SW_HD_ unsigned short __half_as_ushort(__half v) { return ((__half_raw)v).x; }
SW_HD_ short __half_as_short(__half v) { return (short)((__half_raw)v).x; }
SW_HD_ __half __ushort_as_half(unsigned short v) { return __half(__half_raw{v}); }
SW_HD_ __half __short_as_half(short v) { return __half(__half_raw{(unsigned short)v}); }
#define SW_INTEGER_(name, type)                                                                              \
    SW_HD_ __half __##name##2half_rn(type v) { return __half(v); }                                           \
    SW_HD_ type __half2##name##_rz(__half v) { return (type)softwarp_f16(v); }                               \
    SW_HD_ type __half2##name##_rn(__half v) { return (type)__builtin_rintf((float)v); }                     \
    SW_HD_ type __half2##name##_rd(__half v) { return (type)__builtin_floorf((float)v); }                    \
    SW_HD_ type __half2##name##_ru(__half v) { return (type)__builtin_ceilf((float)v); }
SW_INTEGER_(int, int)
SW_INTEGER_(uint, unsigned int)
SW_INTEGER_(short, short)
SW_INTEGER_(ushort, unsigned short)
SW_INTEGER_(ll, long long)
SW_INTEGER_(ull, unsigned long long)
#undef SW_INTEGER_
#if defined(__CUDA__)
#define SW_ROUNDED_(mode)                                                                                    \
    SW_D_ __half __float2half_##mode(float v)                                                                \
    {                                                                                                        \
        unsigned short bits;                                                                                 \
        __asm__("cvt." SW_MODE_ ".f16.f32 %0, %1;" : "=h"(bits) : "f"(v));                                   \
        return __ushort_as_half(bits);                                                                       \
    }
#define SW_MODE_ "rz"
SW_ROUNDED_(rz)
#undef SW_MODE_
#define SW_MODE_ "rm"
SW_ROUNDED_(rd)
#undef SW_MODE_
#define SW_MODE_ "rp"
SW_ROUNDED_(ru)
#undef SW_MODE_
#undef SW_ROUNDED_
#endif

/* Arithmetic of one, and of two at once. */
#define SW_BINARY_(name, op)                                                                                 \
    SW_HD_ __half name(__half a, __half b) { return softwarp_half(softwarp_f16(a) op softwarp_f16(b)); }     \
    SW_HD_ __half2 name##2(__half2 a, __half2 b) { return __half2(a.softwarp_pair() op b.softwarp_pair()); }
SW_BINARY_(__hadd, +)
SW_BINARY_(__hsub, -)
SW_BINARY_(__hmul, *)
#undef SW_BINARY_
SW_HD_ __half __hadd_rn(__half a, __half b) { return __hadd(a, b); }
SW_HD_ __half __hsub_rn(__half a, __half b) { return __hsub(a, b); }
SW_HD_ __half __hmul_rn(__half a, __half b) { return __hmul(a, b); }
SW_HD_ __half __hdiv(__half a, __half b) { return __half((float)a / (float)b); }
SW_HD_ __half2 __h2div(__half2 a, __half2 b) { return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }
SW_HD_ __half __hfma(__half a, __half b, __half c)
{
    return softwarp_half(__builtin_fmaf16(softwarp_f16(a), softwarp_f16(b), softwarp_f16(c)));
}
SW_HD_ __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    return __half2(__builtin_elementwise_fma(a.softwarp_pair(), b.softwarp_pair(), c.softwarp_pair()));
}
SW_HD_ __half __hneg(__half v) { return softwarp_half(-softwarp_f16(v)); }
SW_HD_ __half2 __hneg2(__half2 v) { return __half2(-v.softwarp_pair()); }
SW_HD_ __half __habs(__half v) { return __ushort_as_half((unsigned short)(__half_as_ushort(v) & 0x7fff)); }
SW_HD_ __half2 __habs2(__half2 v) { return __half2(__habs(v.x), __habs(v.y)); }
SW_HD_ bool __hisnan(__half v) { return softwarp_f16(v) != softwarp_f16(v); }
SW_HD_ int __hisinf(__half v) { return __half_as_ushort(v) == 0x7c00 ? 1 : __half_as_ushort(v) == 0xfc00 ? -1 : 0; }
SW_HD_ __half __hmax(__half a, __half b) { return __half(__builtin_fmaxf((float)a, (float)b)); }
SW_HD_ __half __hmin(__half a, __half b) { return __half(__builtin_fminf((float)a, (float)b)); }
SW_HD_ __half __hmax_nan(__half a, __half b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b); }
SW_HD_ __half __hmin_nan(__half a, __half b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b); }
SW_HD_ __half2 __hmax2(__half2 a, __half2 b) { return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }
SW_HD_ __half2 __hmin2(__half2 a, __half2 b) { return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }
/* The _sat forms: NaN becomes 0. */
SW_HD_ __half softwarp_saturate(__half v) { return __half(__builtin_fminf(__builtin_fmaxf((float)v, 0.0f), 1.0f)); }
#define SW_SATURATE_(name)                                                                                   \
    SW_HD_ __half name##_sat(__half a, __half b) { return softwarp_saturate(name(a, b)); }                   \
    SW_HD_ __half2 name##2_sat(__half2 a, __half2 b) { return __half2(name##_sat(a.x, b.x), name##_sat(a.y, b.y)); }
SW_SATURATE_(__hadd)
SW_SATURATE_(__hsub)
SW_SATURATE_(__hmul)
#undef SW_SATURATE_
SW_HD_ __half __hfma_sat(__half a, __half b, __half c) { return softwarp_saturate(__hfma(a, b, c)); }
SW_HD_ __half __hfma_relu(__half a, __half b, __half c) { return __hmax(__hfma(a, b, c), __half(0.0f)); }

/* Comparisons; the u forms are true for NaN. */
#define SW_COMPARE_(name, op)                                                                                \
    SW_HD_ bool __h##name(__half a, __half b) { return softwarp_f16(a) op softwarp_f16(b); }                 \
    SW_HD_ bool __h##name##u(__half a, __half b) { return __hisnan(a) || __hisnan(b) || softwarp_f16(a) op softwarp_f16(b); } \
    SW_HD_ __half2 __h##name##2(__half2 a, __half2 b)                                                        \
    {                                                                                                        \
        return __half2(__half(__h##name(a.x, b.x) ? 1.0f : 0.0f), __half(__h##name(a.y, b.y) ? 1.0f : 0.0f)); \
    }                                                                                                        \
    SW_HD_ bool __hb##name##2(__half2 a, __half2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }
SW_COMPARE_(eq, ==)
SW_COMPARE_(ne, !=)
SW_COMPARE_(lt, <)
SW_COMPARE_(le, <=)
SW_COMPARE_(gt, >)
SW_COMPARE_(ge, >=)
#undef SW_COMPARE_

#ifndef __CUDA_NO_HALF_OPERATORS__
#define SW_OPERATOR_(op, name)                                                                               \
    SW_HD_ __half operator op(const __half &a, const __half &b) { return name(a, b); }                       \
    SW_HD_ __half &operator op##=(__half &a, const __half &b) { return a = name(a, b); }
SW_OPERATOR_(+, __hadd)
SW_OPERATOR_(-, __hsub)
SW_OPERATOR_(*, __hmul)
SW_OPERATOR_(/, __hdiv)
#undef SW_OPERATOR_
#define SW_OPERATOR_(op, name)                                                                               \
    SW_HD_ __half2 operator op(const __half2 &a, const __half2 &b) { return name(a, b); }                    \
    SW_HD_ __half2 &operator op##=(__half2 &a, const __half2 &b) { return a = name(a, b); }
SW_OPERATOR_(+, __hadd2)
SW_OPERATOR_(-, __hsub2)
SW_OPERATOR_(*, __hmul2)
SW_OPERATOR_(/, __h2div)
#undef SW_OPERATOR_
#define SW_OPERATOR_(op, name)                                                                               \
    SW_HD_ bool operator op(const __half &a, const __half &b) { return __h##name(a, b); }                    \
    SW_HD_ bool operator op(const __half2 &a, const __half2 &b) { return __hb##name##2(a, b); }
SW_OPERATOR_(==, eq)
SW_OPERATOR_(!=, ne)
SW_OPERATOR_(<, lt)
SW_OPERATOR_(<=, le)
SW_OPERATOR_(>, gt)
SW_OPERATOR_(>=, ge)
#undef SW_OPERATOR_
SW_HD_ __half operator-(const __half &v) { return __hneg(v); }
SW_HD_ __half operator+(const __half &v) { return v; }
SW_HD_ __half &operator++(__half &v) { return v = __hadd(v, __half(1.0f)); }
SW_HD_ __half &operator--(__half &v) { return v = __hsub(v, __half(1.0f)); }
SW_HD_ __half2 operator-(const __half2 &v) { return __hneg2(v); }
#endif

#if defined(__CUDA__)
/* Mathematics, through float. */
#define SW_MATH_(name, expression)                                                                           \
    SW_D_ __half h##name(__half v) { float x = (float)v; return __half(expression); }                        \
    SW_D_ __half2 h2##name(__half2 v) { return __half2(h##name(v.x), h##name(v.y)); }
SW_MATH_(sqrt, ::sqrtf(x))
SW_MATH_(rsqrt, ::rsqrtf(x))
SW_MATH_(rcp, 1.0f / x)
SW_MATH_(exp, ::expf(x))
SW_MATH_(exp2, ::exp2f(x))
SW_MATH_(exp10, ::exp10f(x))
SW_MATH_(log, ::logf(x))
SW_MATH_(log2, ::log2f(x))
SW_MATH_(log10, ::log10f(x))
SW_MATH_(sin, ::sinf(x))
SW_MATH_(cos, ::cosf(x))
SW_MATH_(tanh, ::tanhf(x))
SW_MATH_(floor, ::floorf(x))
SW_MATH_(ceil, ::ceilf(x))
SW_MATH_(trunc, ::truncf(x))
SW_MATH_(rint, ::rintf(x))
#undef SW_MATH_

/* Loads. */
SW_D_ __half __ldg(const __half *p) { return __ushort_as_half(::__ldg((const unsigned short *)p)); }
SW_D_ __half2 __ldg(const __half2 *p) { return __builtin_bit_cast(__half2, ::__ldg((const unsigned int *)p)); }

/* Shuffles. */
#if __CUDA_ARCH__ >= 300 || !defined(__CUDA_ARCH__)
#define SW_SHUFFLE_(name, type)                                                                              \
    SW_D_ __half name(unsigned int mask, __half v, type lane, int width = 32)                                \
    {                                                                                                        \
        return __ushort_as_half((unsigned short)::name(mask, (unsigned int)__half_as_ushort(v), lane, width)); \
    }                                                                                                        \
    SW_D_ __half2 name(unsigned int mask, __half2 v, type lane, int width = 32)                              \
    {                                                                                                        \
        return __builtin_bit_cast(__half2, ::name(mask, __builtin_bit_cast(unsigned int, v), lane, width));  \
    }
SW_SHUFFLE_(__shfl_sync, int)
SW_SHUFFLE_(__shfl_up_sync, unsigned int)
SW_SHUFFLE_(__shfl_down_sync, unsigned int)
SW_SHUFFLE_(__shfl_xor_sync, int)
#undef SW_SHUFFLE_
#endif

/* Atomics: PTX ISA, "atom.add.noftz.f16" (sm_70), ".f16x2" (sm_60). */
#if __CUDA_ARCH__ >= 700 || !defined(__CUDA_ARCH__)
SW_D_ __half atomicAdd(__half *p, __half v)
{
    unsigned short old;
    __asm__ __volatile__("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(old) : "l"(p), "h"(__half_as_ushort(v)) : "memory");
    return __ushort_as_half(old);
}
#endif
#if __CUDA_ARCH__ >= 600 || !defined(__CUDA_ARCH__)
SW_D_ __half2 atomicAdd(__half2 *p, __half2 v)
{
    unsigned int old;
    __asm__ __volatile__("atom.add.noftz.f16x2 %0, [%1], %2;"
                         : "=r"(old)
                         : "l"(p), "r"(__builtin_bit_cast(unsigned int, v))
                         : "memory");
    return __builtin_bit_cast(__half2, old);
}
#endif
#undef SW_D_
#endif

#undef SW_HD_
#undef SW_M_
/* clang-format on */
#else /* C: the types alone */
typedef struct __attribute__((aligned(2))) {
    unsigned short x;
} __half_raw;
typedef struct __attribute__((aligned(4))) {
    unsigned short x, y;
} __half2_raw;
typedef __half_raw __half;
typedef __half2_raw __half2;
#endif
#endif
