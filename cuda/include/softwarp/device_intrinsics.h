/* SPDX-License-Identifier: Apache-2.0 */
/* Intrinsics of CUDA C++ that clang's headers leave out: dot products, video maxima, sleep, thread identity.
 */
#ifndef SOFTWARP_DEVICE_INTRINSICS_H
#define SOFTWARP_DEVICE_INTRINSICS_H
#pragma clang system_header

#define SW_D_ static __device__ __forceinline__

#if __CUDA_ARCH__ >= 610
#define SW_DOT_(name, type, a_type, b_type, instruction)                                                     \
    SW_D_ type name(a_type a, b_type b, type c)                                                              \
    {                                                                                                        \
        type d;                                                                                              \
        __asm__(instruction " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));                          \
        return d;                                                                                            \
    }
SW_DOT_(__dp4a, int, int, int, "dp4a.s32.s32")
SW_DOT_(__dp4a, unsigned int, unsigned int, unsigned int, "dp4a.u32.u32")
SW_DOT_(__dp2a_lo, int, int, int, "dp2a.lo.s32.s32")
SW_DOT_(__dp2a_lo, unsigned int, unsigned int, unsigned int, "dp2a.lo.u32.u32")
SW_DOT_(__dp2a_hi, int, int, int, "dp2a.hi.s32.s32")
SW_DOT_(__dp2a_hi, unsigned int, unsigned int, unsigned int, "dp2a.hi.u32.u32")
#undef SW_DOT_
SW_D_ int softwarp_bits(char4 v)
{
    return __builtin_bit_cast(int, v);
}
SW_D_ unsigned int softwarp_bits(uchar4 v)
{
    return __builtin_bit_cast(unsigned int, v);
}
SW_D_ int __dp4a(char4 a, char4 b, int c)
{
    return __dp4a(softwarp_bits(a), softwarp_bits(b), c);
}
SW_D_ unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c)
{
    return __dp4a(softwarp_bits(a), softwarp_bits(b), c);
}
#endif

#if __CUDA_ARCH__ >= 800
#define SW_REDUX_(name, type, instruction)                                                                   \
    SW_D_ type name(unsigned int mask, type value)                                                           \
    {                                                                                                        \
        type result;                                                                                         \
        __asm__ __volatile__("redux.sync." instruction " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask)); \
        return result;                                                                                       \
    }
SW_REDUX_(__reduce_add_sync, unsigned int, "add.u32")
SW_REDUX_(__reduce_add_sync, int, "add.s32")
SW_REDUX_(__reduce_min_sync, unsigned int, "min.u32")
SW_REDUX_(__reduce_min_sync, int, "min.s32")
SW_REDUX_(__reduce_max_sync, unsigned int, "max.u32")
SW_REDUX_(__reduce_max_sync, int, "max.s32")
SW_REDUX_(__reduce_and_sync, unsigned int, "and.b32")
SW_REDUX_(__reduce_or_sync, unsigned int, "or.b32")
SW_REDUX_(__reduce_xor_sync, unsigned int, "xor.b32")
#undef SW_REDUX_
#endif

#if __CUDA_ARCH__ >= 700
SW_D_ void __nanosleep(unsigned int ns)
{
    __asm__ __volatile__("nanosleep.u32 %0;" ::"r"(ns));
}
#endif

#undef SW_D_
#endif
