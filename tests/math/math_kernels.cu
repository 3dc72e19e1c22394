// SPDX-License-Identifier: Apache-2.0
// One kernel a line of math_functions.def, for math_test.c.
#include <cstdint>
#include <cuda_runtime.h>

template <typename T> static __device__ T square(T r)
{
    return r * r;
}
static __device__ float times_root(float r)
{
    return r * sqrtf(r);
}
static __device__ double times_root(double r)
{
    return r * sqrt(r);
}
/* The two results of sincosf and its kin. */
#define PAIR(pair, type)                                                                                     \
    static __device__ type first_##pair(type x)                                                              \
    {                                                                                                        \
        type a, b;                                                                                           \
        pair(x, &a, &b);                                                                                     \
        return a;                                                                                            \
    }                                                                                                        \
    static __device__ type second_##pair(type x)                                                             \
    {                                                                                                        \
        type a, b;                                                                                           \
        pair(x, &a, &b);                                                                                     \
        return b;                                                                                            \
    }
PAIR(sincosf, float)
PAIR(sincospif, float)
PAIR(__sincosf, float)
PAIR(sincos, double)
PAIR(sincospi, double)

#define KERNEL(name, type, expression)                                                                       \
    extern "C" __global__ void k_##name(const type *xs, const type *ys, type *out, unsigned n)               \
    {                                                                                                        \
        unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                                  \
        if (i >= n) return;                                                                                  \
        type x = xs[i], y = ys[i];                                                                           \
        (void)y;                                                                                             \
        out[i] = expression;                                                                                 \
    }
#define F1(name, expression, ...) KERNEL(name, float, expression)
#define F2(name, expression, ...) KERNEL(name, float, expression)
#define D1(name, expression, ...) KERNEL(name, double, expression)
#define D2(name, expression, ...) KERNEL(name, double, expression)
#define I2(name, type, expression) KERNEL(name, type, expression)
#include "math_functions.def"
KERNEL(mul_add, float, x *y + x)
