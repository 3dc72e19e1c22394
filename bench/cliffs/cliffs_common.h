/* SPDX-License-Identifier: Apache-2.0 */
/* What the generated kernels and their twins in C share: names of types, bit functions, the table in constant
 * memory. */
#ifndef CLIFFS_COMMON_H
#define CLIFFS_COMMON_H

#include <math.h>
#include <stddef.h>

typedef signed char schar;
typedef long long llong;

#ifdef __CUDACC__
#include <cuda_fp16.h>
typedef struct {
    float x, y, z;
} floats3;
#define POPC(v) __popc(v)
#define CLZ(v)  __clz(v)
#define ZERO                                                                                                 \
    {                                                                                                        \
    }
#define TABLE static __constant__
#else
typedef _Float16 half;
typedef struct {
    _Alignas(8) float x;
    float y;
} float2;
typedef struct {
    _Alignas(16) float x;
    float y, z, w;
} float4;
typedef struct {
    float x, y, z;
} floats3;
#define POPC(v) __builtin_popcount(v)
#define CLZ(v)  __builtin_clz(v)
#define ZERO    {0}
#define TABLE   static const
extern int iterations; /* the compiler must not know it */
#endif

#define TABLE_16 1, 2, 3, 1, 2, 1, 2, 3, 3, 2, 1, 2, 1, 1, 2, 3
#define TABLE_64 {TABLE_16, TABLE_16, TABLE_16, TABLE_16}
TABLE schar table_i8[64] = TABLE_64;
TABLE short table_i16[64] = TABLE_64;
TABLE int table_i32[64] = TABLE_64;
TABLE llong table_i64[64] = TABLE_64;
TABLE float table_f32[64] = TABLE_64;
TABLE double table_f64[64] = TABLE_64;

#endif
