/* SPDX-License-Identifier: Apache-2.0 */
/* make_<vector>(...) of every vector type. */
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__

#include "host_defines.h"
#include "vector_types.h"

#ifdef __cplusplus
#define SW_MAKE_ static __inline__ __host__ __device__ constexpr
#else
#define SW_MAKE_ static __inline__
#endif
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#endif

#define SW_MAKE_VECTORS_(name, type)                                                                         \
    SW_MAKE_ name##1 make_##name##1(type x)                                                                  \
    {                                                                                                        \
        return name##1 {x};                                                                                  \
    }                                                                                                        \
    SW_MAKE_ name##2 make_##name##2(type x, type y)                                                          \
    {                                                                                                        \
        return name##2 {x, y};                                                                               \
    }                                                                                                        \
    SW_MAKE_ name##3 make_##name##3(type x, type y, type z)                                                  \
    {                                                                                                        \
        return name##3 {x, y, z};                                                                            \
    }                                                                                                        \
    SW_MAKE_ name##4 make_##name##4(type x, type y, type z, type w)                                          \
    {                                                                                                        \
        return name##4 {x, y, z, w};                                                                         \
    }

#ifdef __cplusplus
SW_MAKE_VECTORS_(char, signed char)
SW_MAKE_VECTORS_(uchar, unsigned char)
SW_MAKE_VECTORS_(short, short)
SW_MAKE_VECTORS_(ushort, unsigned short)
SW_MAKE_VECTORS_(int, int)
SW_MAKE_VECTORS_(uint, unsigned int)
SW_MAKE_VECTORS_(long, long int)
SW_MAKE_VECTORS_(ulong, unsigned long int)
SW_MAKE_VECTORS_(longlong, long long int)
SW_MAKE_VECTORS_(ulonglong, unsigned long long int)
SW_MAKE_VECTORS_(float, float)
SW_MAKE_VECTORS_(double, double)
#endif

#undef SW_MAKE_VECTORS_
#undef SW_MAKE_
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
#endif
