/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA's 8-bit floating point: e4m3 (four bits of exponent, no infinity, largest 448) and e5m2 (largest 57344), of one, two and
 * four, and e8m0 of powers of two; conversions alone, as there is no arithmetic. "FP8 formats for deep learning", Micikevicius and others, 2022.
 * Method: integers, to nearest with ties to even; equal to PTX's cvt.rn.satfinite for every float (tests/cc/run_fp8.cu).
 * Limits: C++ only. */
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__
#ifdef __cplusplus
#if defined(__clang__)
#pragma clang system_header
#endif

#include "cuda_bf16.h"
#include "cuda_fp16.h"

/* clang-format off: tables, one line a function */
#if defined(__CUDA__)
#define SW_HD_ static __host__ __device__ __inline__ __attribute__((always_inline, nodebug))
#define SW_M_  __host__ __device__ __attribute__((always_inline, nodebug))
#else
#define SW_HD_ static __inline__ __attribute__((always_inline))
#define SW_M_  __attribute__((always_inline))
#endif

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

SW_HD_ __nv_fp8_storage_t __nv_cvt_float_to_fp8(float v, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
    bool e4m3 = kind == __NV_E4M3;
    int digits = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15;
    unsigned int bits = __builtin_bit_cast(unsigned int, v), sign = bits >> 24 & 0x80u, size = bits & 0x7fffffffu;
    unsigned int largest = e4m3 ? 0x7eu : 0x7bu, beyond = e4m3 ? 0x7fu : 0x7cu;
    if (size > 0x7f800000u) return 0x7f; /* NaN has no sign */
    int exponent = (int)(size >> 23) - 127, shift = 23 - digits, least = 1 - bias;
    unsigned int digit = (size & 0x7fffffu) | 0x800000u, code = 0;
    if (exponent < least) shift += least - exponent;
    if (shift <= 24) {
        unsigned int kept = digit >> shift, rest = digit & ((1u << shift) - 1u), half = 1u << (shift - 1);
        kept += rest > half || (rest == half && (kept & 1u));
        code = exponent < least ? kept : ((unsigned int)(exponent + bias) << digits) + kept - (1u << digits);
    }
    if (code > largest || size == 0x7f800000u) code = saturate == __NV_SATFINITE ? largest : beyond;
    return (__nv_fp8_storage_t)(sign | code);
}
/* A double first goes to float rounded to odd, so that the second rounding sees what the first dropped. */
SW_HD_ __nv_fp8_storage_t __nv_cvt_double_to_fp8(double v, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
    float f = (float)v;
    unsigned int b = __builtin_bit_cast(unsigned int, f);
    bool inexact = (double)f != v && v == v, away = __builtin_fabs((double)f) > __builtin_fabs(v);
    if (inexact) b = (away ? b - 1 : b) | 1u;
    return __nv_cvt_float_to_fp8(__builtin_bit_cast(float, b), saturate, kind);
}
SW_HD_ __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw v, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8((float)__half(v), saturate, kind);
}
SW_HD_ __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw v, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8((float)__nv_bfloat16(v), saturate, kind);
}
/* Every 8-bit number is a half. */
SW_HD_ __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind)
{
    unsigned int sign = (x & 0x80u) << 8, size = x & 0x7fu;
    if (kind == __NV_E5M2) return __half_raw{(unsigned short)(size > 0x7cu ? 0x7fffu : x << 8)};
    if (size == 0x7fu) return __half_raw{0x7fff};
    if (size >= 8u) return __half_raw{(unsigned short)(sign | ((size << 7) + (8u << 10)))};
    _Float16 small = (_Float16)((float)size * 0x1p-9f);
    return __half_raw{(unsigned short)(sign | __builtin_bit_cast(unsigned short, small))};
}
SW_HD_ float softwarp_float_of_fp8(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind)
{
    return (float)__half(__nv_cvt_fp8_to_halfraw(x, kind));
}

/* Two at once: .x is the low byte. */
SW_HD_ __nv_fp8x2_storage_t softwarp_fp8_pair(__nv_fp8_storage_t x, __nv_fp8_storage_t y) { return (__nv_fp8x2_storage_t)(x | y << 8); }
SW_HD_ __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 v, __nv_saturation_t s, __nv_fp8_interpretation_t k)
{
    return softwarp_fp8_pair(__nv_cvt_float_to_fp8(v.x, s, k), __nv_cvt_float_to_fp8(v.y, s, k));
}
SW_HD_ __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 v, __nv_saturation_t s, __nv_fp8_interpretation_t k)
{
    return softwarp_fp8_pair(__nv_cvt_double_to_fp8(v.x, s, k), __nv_cvt_double_to_fp8(v.y, s, k));
}
SW_HD_ __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw v, __nv_saturation_t s, __nv_fp8_interpretation_t k)
{
    return softwarp_fp8_pair(__nv_cvt_halfraw_to_fp8(__half_raw{v.x}, s, k), __nv_cvt_halfraw_to_fp8(__half_raw{v.y}, s, k));
}
SW_HD_ __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t k)
{
    return __half2_raw{__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, k).x, __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), k).x};
}

#define SW_FP8_(name, kind)                                                                                  \
    struct name {                                                                                            \
        __nv_fp8_storage_t __x;                                                                              \
        name() = default;                                                                                    \
        SW_M_ explicit name(float v) : __x(__nv_cvt_float_to_fp8(v, __NV_SATFINITE, kind)) {}                \
        SW_M_ explicit name(double v) : __x(__nv_cvt_double_to_fp8(v, __NV_SATFINITE, kind)) {}              \
        SW_M_ explicit name(__half v) : __x(__nv_cvt_float_to_fp8((float)v, __NV_SATFINITE, kind)) {}        \
        SW_M_ explicit name(__nv_bfloat16 v) : __x(__nv_cvt_float_to_fp8((float)v, __NV_SATFINITE, kind)) {} \
        SW_M_ explicit name(int v) : __x(__nv_cvt_double_to_fp8(v, __NV_SATFINITE, kind)) {}                 \
        SW_M_ explicit name(unsigned int v) : __x(__nv_cvt_double_to_fp8(v, __NV_SATFINITE, kind)) {}        \
        SW_M_ explicit name(long v) : __x(__nv_cvt_double_to_fp8((double)v, __NV_SATFINITE, kind)) {}        \
        SW_M_ explicit name(unsigned long v) : __x(__nv_cvt_double_to_fp8((double)v, __NV_SATFINITE, kind)) {} \
        SW_M_ explicit operator __half() const { return __half(__nv_cvt_fp8_to_halfraw(__x, kind)); }        \
        SW_M_ explicit operator __nv_bfloat16() const { return __nv_bfloat16(softwarp_float_of_fp8(__x, kind)); } \
        SW_M_ explicit operator float() const { return softwarp_float_of_fp8(__x, kind); }                   \
        SW_M_ explicit operator double() const { return softwarp_float_of_fp8(__x, kind); }                  \
        SW_M_ explicit operator bool() const { return (__x & 0x7fu) != 0; }                                  \
        SW_M_ explicit operator int() const { return (int)softwarp_float_of_fp8(__x, kind); }                \
        SW_M_ explicit operator unsigned int() const { return (unsigned int)softwarp_float_of_fp8(__x, kind); } \
    };
SW_FP8_(__nv_fp8_e4m3, __NV_E4M3)
SW_FP8_(__nv_fp8_e5m2, __NV_E5M2)
#undef SW_FP8_

#define SW_FP8_(one, two, four, kind)                                                                        \
    struct two {                                                                                             \
        __nv_fp8x2_storage_t __x;                                                                            \
        two() = default;                                                                                     \
        SW_M_ explicit two(float2 v) : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, kind)) {}             \
        SW_M_ explicit two(double2 v) : __x(__nv_cvt_double2_to_fp8x2(v, __NV_SATFINITE, kind)) {}           \
        SW_M_ explicit two(__half2 v) : __x(__nv_cvt_halfraw2_to_fp8x2(v, __NV_SATFINITE, kind)) {}          \
        SW_M_ explicit operator __half2() const { return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, kind)); }   \
        SW_M_ explicit operator float2() const { return __half22float2((__half2) * this); }                  \
    };                                                                                                       \
    struct four {                                                                                            \
        __nv_fp8x4_storage_t __x;                                                                            \
        four() = default;                                                                                    \
        SW_M_ explicit four(float4 v)                                                                        \
            : __x(two(float2{v.x, v.y}).__x | (unsigned int)two(float2{v.z, v.w}).__x << 16) {}              \
        SW_M_ explicit four(__half2 low, __half2 high) : __x(two(low).__x | (unsigned int)two(high).__x << 16) {} \
        SW_M_ explicit operator float4() const                                                               \
        {                                                                                                    \
            return float4{softwarp_float_of_fp8((__nv_fp8_storage_t)__x, kind), softwarp_float_of_fp8((__nv_fp8_storage_t)(__x >> 8), kind), \
                          softwarp_float_of_fp8((__nv_fp8_storage_t)(__x >> 16), kind),                      \
                          softwarp_float_of_fp8((__nv_fp8_storage_t)(__x >> 24), kind)};                     \
        }                                                                                                    \
    };
SW_FP8_(__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3)
SW_FP8_(__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2)
#undef SW_FP8_

/* e8m0: a power of two from 2^-127 to 2^127, 0xff is NaN; of a number its size counts. */
SW_HD_ __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double v, __nv_saturation_t saturate, enum cudaRoundMode round)
{
    unsigned long long size = __builtin_bit_cast(unsigned long long, v) & 0x7fffffffffffffffull;
    if (size > 0x7ff0000000000000ull) return 0xff;
    int code = (int)(size >> 52) - 1023 + 127;
    unsigned long long rest = size & 0xfffffffffffffull, half = 0x8000000000000ull;
    bool up = round == cudaRoundPosInf ? rest != 0 : round == cudaRoundNearest ? rest > half || (rest == half && (code & 1)) : false;
    if (code < 0) return 0;
    code += up;
    return (__nv_fp8_storage_t)(code < 255 ? code : saturate == __NV_SATFINITE ? 254 : 255);
}
SW_HD_ __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float v, __nv_saturation_t saturate, enum cudaRoundMode round)
{
    return __nv_cvt_double_to_e8m0((double)v, saturate, round);
}
SW_HD_ __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw v, __nv_saturation_t saturate, enum cudaRoundMode round)
{
    return __nv_cvt_double_to_e8m0((double)__nv_bfloat16(v), saturate, round);
}
SW_HD_ __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x)
{
    return __nv_bfloat16_raw{(unsigned short)(x == 0xff ? 0x7fff : x == 0 ? 0x0040 : x << 7)};
}
struct __nv_fp8_e8m0 {
    __nv_fp8_storage_t __x;
    __nv_fp8_e8m0() = default;
    SW_M_ explicit __nv_fp8_e8m0(float v) : __x(__nv_cvt_float_to_e8m0(v, __NV_SATFINITE, cudaRoundPosInf)) {}
    SW_M_ explicit __nv_fp8_e8m0(double v) : __x(__nv_cvt_double_to_e8m0(v, __NV_SATFINITE, cudaRoundPosInf)) {}
    SW_M_ explicit operator __nv_bfloat16() const { return __nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(__x)); }
    SW_M_ explicit operator float() const { return (float)__nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(__x)); }
    SW_M_ explicit operator double() const { return (double)(float)*this; }
};
#undef SW_HD_
#undef SW_M_
/* clang-format on */
#endif
#endif
