/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of <math.h> for the types that C++ adds, and operators new and delete, where NVRTC compiles and no
 * header of the host is read. Float overloads that are missing here are in device_math.h. Part of
 * softwarp/prelude.h. */
#ifndef SOFTWARP_RTC_MATH_H
#define SOFTWARP_RTC_MATH_H
#pragma clang system_header

#undef INT_MAX
#undef INT_MIN
#undef HUGE_VAL
#undef HUGE_VALF

#define SW_D_ static __device__ __forceinline__
#define SW_FLOAT_1_(name)                                                                                    \
    SW_D_ float name(float x)                                                                                \
    {                                                                                                        \
        return name##f(x);                                                                                   \
    }
SW_FLOAT_1_(acos)
SW_FLOAT_1_(asin)
SW_FLOAT_1_(atan)
SW_FLOAT_1_(ceil)
SW_FLOAT_1_(cos)
SW_FLOAT_1_(cosh)
SW_FLOAT_1_(exp)
SW_FLOAT_1_(exp10)
SW_FLOAT_1_(fabs)
SW_FLOAT_1_(floor)
SW_FLOAT_1_(j0)
SW_FLOAT_1_(j1)
SW_FLOAT_1_(log)
SW_FLOAT_1_(log10)
SW_FLOAT_1_(sin)
SW_FLOAT_1_(sinh)
SW_FLOAT_1_(sqrt)
SW_FLOAT_1_(tan)
SW_FLOAT_1_(tanh)
SW_FLOAT_1_(y0)
SW_FLOAT_1_(y1)
#undef SW_FLOAT_1_

SW_D_ long abs(long x)
{
    return labs(x);
}
SW_D_ long long abs(long long x)
{
    return llabs(x);
}
SW_D_ float abs(float x)
{
    return fabsf(x);
}
SW_D_ double abs(double x)
{
    return fabs(x);
}
SW_D_ float atan2(float y, float x)
{
    return atan2f(y, x);
}
SW_D_ float fmod(float x, float y)
{
    return fmodf(x, y);
}
SW_D_ float frexp(float x, int *exponent)
{
    return frexpf(x, exponent);
}
SW_D_ float ldexp(float x, int exponent)
{
    return ldexpf(x, exponent);
}
SW_D_ float modf(float x, float *whole)
{
    return modff(x, whole);
}
SW_D_ float pow(float x, float y)
{
    return powf(x, y);
}
SW_D_ float pow(float x, int y)
{
    return powif(x, y);
}
SW_D_ double pow(double x, int y)
{
    return powi(x, y);
}
SW_D_ double pow(float x, double y)
{
    return pow((double)x, y);
}
SW_D_ double pow(double x, float y)
{
    return pow(x, (double)y);
}

#define SW_CLASS_(name, type, builtin)                                                                       \
    SW_D_ bool name(type x)                                                                                  \
    {                                                                                                        \
        return builtin(x);                                                                                   \
    }
SW_CLASS_(isnan, float, __builtin_isnan)
SW_CLASS_(isnan, double, __builtin_isnan)
SW_CLASS_(isinf, float, __builtin_isinf)
SW_CLASS_(isinf, double, __builtin_isinf)
SW_CLASS_(isfinite, float, __builtin_isfinite)
SW_CLASS_(isfinite, double, __builtin_isfinite)
SW_CLASS_(signbit, float, __builtin_signbit)
SW_CLASS_(signbit, double, __builtin_signbit)
#undef SW_CLASS_
#undef SW_D_

__device__ inline void *operator new(size_t bytes)
{
    return ::malloc(bytes);
}
__device__ inline void *operator new[](size_t bytes)
{
    return ::malloc(bytes);
}
__device__ inline void operator delete(void *memory) noexcept
{
    ::free(memory);
}
__device__ inline void operator delete[](void *memory) noexcept
{
    ::free(memory);
}
__device__ inline void operator delete(void *memory, size_t) noexcept
{
    ::free(memory);
}
__device__ inline void operator delete[](void *memory, size_t) noexcept
{
    ::free(memory);
}
__device__ inline void *operator new(size_t, void *place) noexcept
{
    return place;
}
__device__ inline void *operator new[](size_t, void *place) noexcept
{
    return place;
}
__device__ inline void operator delete(void *, void *) noexcept
{
}
__device__ inline void operator delete[](void *, void *) noexcept
{
}
#endif
