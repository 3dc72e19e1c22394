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
#endif
