/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA's vector types and dim3. Sizes and alignments are part of the binary interface: programs pass these
 * structures by value to kernels and to the runtime library. */
#ifndef VECTOR_TYPES_H
#define VECTOR_TYPES_H

#define SW_VECTORS_(name, type, align2, align4)                                                              \
    struct name##1                                                                                           \
    {                                                                                                        \
        type x;                                                                                              \
    };                                                                                                       \
    struct __attribute__((aligned(align2))) name##2                                                          \
    {                                                                                                        \
        type x, y;                                                                                           \
    };                                                                                                       \
    struct name##3                                                                                           \
    {                                                                                                        \
        type x, y, z;                                                                                        \
    };                                                                                                       \
    struct __attribute__((aligned(align4))) name##4                                                          \
    {                                                                                                        \
        type x, y, z, w;                                                                                     \
    };                                                                                                       \
    typedef struct name##1 name##1;                                                                          \
    typedef struct name##2 name##2;                                                                          \
    typedef struct name##3 name##3;                                                                          \
    typedef struct name##4 name##4;
/* The four-element types of 8-byte elements also exist with their alignment in the name. */
#define SW_VECTORS_WIDE_(name, type)                                                                         \
    struct __attribute__((aligned(16))) name##4_16a                                                          \
    {                                                                                                        \
        type x, y, z, w;                                                                                     \
    };                                                                                                       \
    struct __attribute__((aligned(32))) name##4_32a                                                          \
    {                                                                                                        \
        type x, y, z, w;                                                                                     \
    };                                                                                                       \
    typedef struct name##4_16a name##4_16a;                                                                  \
    typedef struct name##4_32a name##4_32a;

SW_VECTORS_(char, signed char, 2, 4)
SW_VECTORS_(uchar, unsigned char, 2, 4)
SW_VECTORS_(short, short, 4, 8)
SW_VECTORS_(ushort, unsigned short, 4, 8)
SW_VECTORS_(int, int, 8, 16)
SW_VECTORS_(uint, unsigned int, 8, 16)
SW_VECTORS_(long, long int, 16, 16)
SW_VECTORS_(ulong, unsigned long int, 16, 16)
SW_VECTORS_(longlong, long long int, 16, 16)
SW_VECTORS_(ulonglong, unsigned long long int, 16, 16)
SW_VECTORS_(float, float, 8, 16)
SW_VECTORS_(double, double, 16, 16)
SW_VECTORS_WIDE_(long, long int)
SW_VECTORS_WIDE_(ulong, unsigned long int)
SW_VECTORS_WIDE_(longlong, long long int)
SW_VECTORS_WIDE_(ulonglong, unsigned long long int)
SW_VECTORS_WIDE_(double, double)
#undef SW_VECTORS_
#undef SW_VECTORS_WIDE_

#if defined(__CUDA__) || defined(__CUDACC__)
#define SW_HD_ __attribute__((host)) __attribute__((device))
#else
#define SW_HD_
#endif

struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    SW_HD_ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz)
    {
    }
    SW_HD_ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    SW_HD_ constexpr operator uint3(void) const
    {
        return uint3{x, y, z};
    }
#endif
};
typedef struct dim3 dim3;
#undef SW_HD_
#endif
