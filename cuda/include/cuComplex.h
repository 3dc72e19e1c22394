/* SPDX-License-Identifier: Apache-2.0 */
/* Complex numbers in C's manner: cuFloatComplex and cuDoubleComplex, which are float2 and double2. Quotient and absolute
 * value are scaled, so that they overflow only where the result does. */
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include "host_defines.h"
#include "vector_types.h"

#ifndef __CUDACC_RTC__
#include <math.h>
#endif

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define SW_C_ static __host__ __device__ __inline__

/* The functions of one precision: `suffix` f or nothing, `real`, `complex`, its maker. */
#define SW_COMPLEX_(real, complex, maker, reals, imags, conj, add, sub, mul, div, abs, fma, fabs, sqrt)      \
    SW_C_ complex maker(real x, real y)                                                                      \
    {                                                                                                        \
        complex z;                                                                                           \
        z.x = x;                                                                                             \
        z.y = y;                                                                                             \
        return z;                                                                                            \
    }                                                                                                        \
    SW_C_ real reals(complex z) { return z.x; }                                                              \
    SW_C_ real imags(complex z) { return z.y; }                                                              \
    SW_C_ complex conj(complex z) { return maker(z.x, -z.y); }                                               \
    SW_C_ complex add(complex a, complex b) { return maker(a.x + b.x, a.y + b.y); }                          \
    SW_C_ complex sub(complex a, complex b) { return maker(a.x - b.x, a.y - b.y); }                          \
    SW_C_ complex mul(complex a, complex b) { return maker(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }  \
    SW_C_ complex div(complex a, complex b)                                                                  \
    {                                                                                                        \
        real scale = 1 / (fabs(b.x) + fabs(b.y)), x = b.x * scale, y = b.y * scale;                          \
        real ax = a.x * scale, ay = a.y * scale, inverse = 1 / (x * x + y * y);                              \
        return maker((ax * x + ay * y) * inverse, (ay * x - ax * y) * inverse);                              \
    }                                                                                                        \
    SW_C_ real abs(complex z)                                                                                \
    {                                                                                                        \
        real x = fabs(z.x), y = fabs(z.y), large = x > y ? x : y, small = x > y ? y : x;                     \
        if (large == 0 || !(large + small < (real)__builtin_huge_val())) return x + y;                                   \
        real t = small / large;                                                                              \
        return large * sqrt(1 + t * t);                                                                      \
    }                                                                                                        \
    SW_C_ complex fma(complex a, complex b, complex c)                                                       \
    {                                                                                                        \
        return maker(a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x);                              \
    }
SW_COMPLEX_(float, cuFloatComplex, make_cuFloatComplex, cuCrealf, cuCimagf, cuConjf, cuCaddf, cuCsubf, cuCmulf, cuCdivf,
            cuCabsf, cuCfmaf, fabsf, sqrtf)
SW_COMPLEX_(double, cuDoubleComplex, make_cuDoubleComplex, cuCreal, cuCimag, cuConj, cuCadd, cuCsub, cuCmul, cuCdiv, cuCabs,
            cuCfma, fabs, sqrt)
SW_C_ cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }
SW_C_ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_cuDoubleComplex((double)z.x, (double)z.y); }
SW_C_ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) { return make_cuFloatComplex((float)z.x, (float)z.y); }
#undef SW_COMPLEX_
#undef SW_C_
#endif
