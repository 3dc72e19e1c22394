/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the device library that are one PTX instruction or a few: integer arithmetic, conversions,
 * arithmetic with a rounding mode, approximate instructions, classification and rounding to integers. Method:
 * clang's NVPTX builtins by table, one line a function. Device only; the host test leaves this file out.
 * Source: PTX ISA for the instructions; CUDA's math API reference for what the functions mean. */
#include "device.h"

#pragma clang diagnostic ignored "-Wmissing-prototypes"

#define F1(type, name, a_type, expression)                                                                   \
    DEVICE_SMALL type __nv_##name(a_type a)                                                                  \
    {                                                                                                        \
        return expression;                                                                                   \
    }
#define F2(type, name, a_type, b_type, expression)                                                           \
    DEVICE_SMALL type __nv_##name(a_type a, b_type b)                                                        \
    {                                                                                                        \
        return expression;                                                                                   \
    }
#define F3(type, name, a_type, b_type, c_type, expression)                                                   \
    DEVICE_SMALL type __nv_##name(a_type a, b_type b, c_type c)                                              \
    {                                                                                                        \
        return expression;                                                                                   \
    }
typedef device_i32 i32;
typedef device_u32 u32;
typedef device_i64 i64;
typedef device_u64 u64;

/* Integers. */
F1(i32, abs, i32, a < 0 ? (i32)(0u - (u32)a) : a)
F1(i64, llabs, i64, a < 0 ? (i64)(0ull - (u64)a) : a)
F2(i32, min, i32, i32, a < b ? a : b)
F2(i32, max, i32, i32, a > b ? a : b)
F2(u32, umin, u32, u32, a < b ? a : b)
F2(u32, umax, u32, u32, a > b ? a : b)
F2(i64, llmin, i64, i64, a < b ? a : b)
F2(i64, llmax, i64, i64, a > b ? a : b)
F2(u64, ullmin, u64, u64, a < b ? a : b)
F2(u64, ullmax, u64, u64, a > b ? a : b)
F1(i32, brev, i32, (i32)__builtin_bitreverse32((u32)a))
F1(i64, brevll, i64, (i64)__builtin_bitreverse64((u64)a))
F1(i32, clz, i32, a ? __builtin_clz((u32)a) : 32)
F1(i32, clzll, i64, a ? __builtin_clzll((u64)a) : 64)
F1(i32, ffs, i32, a ? __builtin_ctz((u32)a) + 1 : 0)
F1(i32, ffsll, i64, a ? __builtin_ctzll((u64)a) + 1 : 0)
F1(i32, popc, u32, __builtin_popcount(a))
F1(i32, popcll, u64, __builtin_popcountll(a))
F3(i32, byte_perm, i32, i32, i32, __nvvm_prmt(a, b, c))
F2(i32, mulhi, i32, i32, __nvvm_mulhi_i(a, b))
F2(u32, umulhi, u32, u32, __nvvm_mulhi_ui(a, b))
F2(i64, mul64hi, i64, i64, __nvvm_mulhi_ll(a, b))
F2(u64, umul64hi, u64, u64, __nvvm_mulhi_ull(a, b))
F2(i32, mul24, i32, i32, __nvvm_mul24_i(a, b))
F2(u32, umul24, u32, u32, __nvvm_mul24_ui(a, b))
F3(i32, sad, i32, i32, i32, (i32)((u32)c + (a > b ? (u32)a - (u32)b : (u32)b - (u32)a)))
F3(u32, usad, u32, u32, u32, c + (a > b ? a - b : b - a))
F2(i32, hadd, i32, i32, (i32)(((i64)a + b) >> 1))
F2(i32, rhadd, i32, i32, (i32)(((i64)a + b + 1) >> 1))
F2(i32, uhadd, u32, u32, (i32)(((u64)a + b) >> 1))
F2(u32, urhadd, u32, u32, (u32)(((u64)a + b + 1) >> 1))

/* Bits. */
F1(i32, float_as_int, float, (i32)bits_f(a))
F1(u32, float_as_uint, float, bits_f(a))
F1(float, int_as_float, i32, float_of((u32)a))
F1(float, uint_as_float, u32, float_of(a))
F1(u64, double_as_longlong, double, bits_d(a))
F1(double, longlong_as_double, i64, double_of((u64)a))
F1(i32, double2hiint, double, (i32)(bits_d(a) >> 32))
F1(i32, double2loint, double, (i32)bits_d(a))
F2(double, hiloint2double, i32, i32, double_of((u64)(u32)a << 32 | (u32)b))
F1(i32, signbitf, float, (i32)(bits_f(a) >> 31))
F1(i32, signbitd, double, (i32)(bits_d(a) >> 63))
F1(i32, isnanf, float, a != a)
F1(i32, isnand, double, a != a)
F1(i32, isinff, float, __builtin_fabsf(a) == DEVICE_INFF)
F1(i32, isinfd, double, __builtin_fabs(a) == DEVICE_INF)
F1(i32, finitef, float, __builtin_fabsf(a) < DEVICE_INFF)
F1(i32, isfinited, double, __builtin_fabs(a) < DEVICE_INF)

/* Arithmetic with each rounding mode: rn nearest even, rz towards zero, rd down (PTX rm), ru up (PTX rp). */
#define ROUNDED_2(op, suffix, type, builtin, letter)                                                         \
    F2(type, suffix##op##_rn, type, type, builtin##_rn_##letter(a, b))                                       \
    F2(type, suffix##op##_rz, type, type, builtin##_rz_##letter(a, b))                                       \
    F2(type, suffix##op##_rd, type, type, builtin##_rm_##letter(a, b))                                       \
    F2(type, suffix##op##_ru, type, type, builtin##_rp_##letter(a, b))
#define ROUNDED_SUB(suffix, type, letter)                                                                    \
    F2(type, suffix##sub_rn, type, type, __nvvm_add_rn_##letter(a, -b))                                      \
    F2(type, suffix##sub_rz, type, type, __nvvm_add_rz_##letter(a, -b))                                      \
    F2(type, suffix##sub_rd, type, type, __nvvm_add_rm_##letter(a, -b))                                      \
    F2(type, suffix##sub_ru, type, type, __nvvm_add_rp_##letter(a, -b))
#define ROUNDED_1(op, suffix, type, builtin, letter)                                                         \
    F1(type, suffix##op##_rn, type, builtin##_rn_##letter(a))                                                \
    F1(type, suffix##op##_rz, type, builtin##_rz_##letter(a))                                                \
    F1(type, suffix##op##_rd, type, builtin##_rm_##letter(a))                                                \
    F1(type, suffix##op##_ru, type, builtin##_rp_##letter(a))
#define ROUNDED_FMA(name, type, letter, flush)                                                               \
    F3(type, name##_rn, type, type, type, __nvvm_fma_rn_##letter(a, b, c))                                   \
    F3(type, name##_rz, type, type, type, __nvvm_fma_rz_##letter(a, b, c))                                   \
    F3(type, name##_rd, type, type, type, __nvvm_fma_rm_##letter(a, b, c))                                   \
    F3(type, name##_ru, type, type, type, __nvvm_fma_rp_##letter(a, b, c))
#define ROUNDED_ALL(suffix, type, letter)                                                                    \
    ROUNDED_2(add, suffix, type, __nvvm_add, letter)                                                         \
    ROUNDED_SUB(suffix, type, letter)                                                                        \
    ROUNDED_2(mul, suffix, type, __nvvm_mul, letter)                                                         \
    ROUNDED_2(div, suffix, type, __nvvm_div, letter)                                                         \
    ROUNDED_1(rcp, suffix, type, __nvvm_rcp, letter)                                                         \
    ROUNDED_1(sqrt, suffix, type, __nvvm_sqrt, letter)
ROUNDED_ALL(f, float, f)
ROUNDED_ALL(d, double, d)
ROUNDED_FMA(fmaf, float, f, )
ROUNDED_FMA(fmaf_ieee, float, f, )
ROUNDED_FMA(fma, double, d, )
F3(float, fmaf, float, float, float, __builtin_fmaf(a, b, c))
F3(double, fma, double, double, double, __builtin_fma(a, b, c))
/* What softwarp cc makes sqrtf with -prec-sqrt=false and -use_fast_math: LLVM itself leaves sqrt.rn. */
F1(float, sqrtf_approx, float, __nvvm_sqrt_approx_f(a))
F1(float, sqrtf_approx_ftz, float, __nvvm_sqrt_approx_ftz_f(a))
F1(float, sqrtf, float, __builtin_sqrtf(a))
F1(double, sqrt, double, __builtin_sqrt(a))
F1(float, rsqrtf, float, __nvvm_rsqrt_approx_f(a))

/* Conversions. */
#define FROM_FLOATING(name, type, builtin, a_type)                                                           \
    F1(type, name##_rn, a_type, (type)builtin##_rn(a))                                                       \
    F1(type, name##_rz, a_type, (type)builtin##_rz(a))                                                       \
    F1(type, name##_rd, a_type, (type)builtin##_rm(a))                                                       \
    F1(type, name##_ru, a_type, (type)builtin##_rp(a))
FROM_FLOATING(double2float, float, __nvvm_d2f, double)
FROM_FLOATING(double2int, i32, __nvvm_d2i, double)
FROM_FLOATING(double2uint, u32, __nvvm_d2ui, double)
FROM_FLOATING(double2ll, i64, __nvvm_d2ll, double)
FROM_FLOATING(double2ull, u64, __nvvm_d2ull, double)
FROM_FLOATING(float2int, i32, __nvvm_f2i, float)
FROM_FLOATING(float2uint, u32, __nvvm_f2ui, float)
FROM_FLOATING(float2ll, i64, __nvvm_f2ll, float)
FROM_FLOATING(float2ull, u64, __nvvm_f2ull, float)
FROM_FLOATING(int2float, float, __nvvm_i2f, i32)
FROM_FLOATING(uint2float, float, __nvvm_ui2f, u32)
FROM_FLOATING(ll2float, float, __nvvm_ll2f, i64)
FROM_FLOATING(ull2float, float, __nvvm_ull2f, u64)
FROM_FLOATING(ll2double, double, __nvvm_ll2d, i64)
FROM_FLOATING(ull2double, double, __nvvm_ull2d, u64)
F1(double, int2double_rn, i32, (double)a)
F1(double, uint2double_rn, u32, (double)a)
F1(unsigned short, float2half_rn, float, __nvvm_f2h_rn(a))
DEVICE_SMALL float __nv_half2float(unsigned short a)
{
    float f;
    __asm__("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(a));
    return f;
}

/* Rounding to integers, signs, extremes. */
#define BOTH_1(name, builtin)                                                                                \
    F1(double, name, double, builtin(a))                                                                     \
    F1(float, name##f, float, builtin##f(a))
BOTH_1(fabs, __builtin_fabs)
BOTH_1(ceil, __builtin_ceil)
BOTH_1(floor, __builtin_floor)
BOTH_1(trunc, __builtin_trunc)
BOTH_1(rint, __builtin_rint)
BOTH_1(nearbyint, __builtin_nearbyint)
#define BOTH_2(name, builtin)                                                                                \
    F2(double, name, double, double, builtin(a, b))                                                          \
    F2(float, name##f, float, float, builtin##f(a, b))
BOTH_2(fmin, __builtin_fmin)
BOTH_2(fmax, __builtin_fmax)
BOTH_2(copysign, __builtin_copysign)
F1(float, saturatef, float, __nvvm_saturate_f(a))
F1(i64, llrint, double, __nvvm_d2ll_rn(a))
F1(i64, llrintf, float, __nvvm_f2ll_rn(a))

/* Fast approximations: CUDA's __sinf, __expf and their kin, as its programming guide composes them of PTX's
 * approximate instructions. */
#define LOG2_E  0x1.715476p+0f
#define LOG2_10 0x1.a934f0p+1f
#define LN_2    0x1.62e430p-1f
#define LOG10_2 0x1.344136p-2f
F1(float, fast_sinf, float, __nvvm_sin_approx_f(a))
F1(float, fast_cosf, float, __nvvm_cos_approx_f(a))
F1(float, fast_tanf, float, __nvvm_div_approx_f(__nvvm_sin_approx_f(a), __nvvm_cos_approx_f(a)))
F1(float, fast_expf, float, __nvvm_ex2_approx_f(a *LOG2_E))
F1(float, fast_exp10f, float, __nvvm_ex2_approx_f(a *LOG2_10))
F1(float, fast_log2f, float, __nvvm_lg2_approx_f(a))
F1(float, fast_logf, float, __nvvm_lg2_approx_f(a) * LN_2)
F1(float, fast_log10f, float, __nvvm_lg2_approx_f(a) * LOG10_2)
F2(float, fast_powf, float, float, __nvvm_ex2_approx_f(b *__nvvm_lg2_approx_f(a)))
F2(float, fast_fdividef, float, float, __nvvm_div_approx_f(a, b))
DEVICE_SMALL void __nv_fast_sincosf(float a, float *s, float *c)
{
    *s = __nvvm_sin_approx_f(a);
    *c = __nvvm_cos_approx_f(a);
}
F1(double, rcp64h, double, double_of(bits_d(__nvvm_rcp_approx_ftz_d(a)) & 0xffffffff00000000ull))
