/* SPDX-License-Identifier: Apache-2.0 */
/* Uniform numbers over (0, 1], by the formulas that cuRAND documents. */
#ifndef CURAND_UNIFORM_H_
#define CURAND_UNIFORM_H_
#include "curand_mrg32k3a.h"
#include "curand_mtgp32_kernel.h"
#include "curand_philox4x32_x.h"
#include "softwarp/curand_sobol.h"
#include "softwarp/curand_xorwow.h"

SW_RAND_HD_ float _curand_uniform(unsigned int x) { return (float)x * CURAND_2POW32_INV + CURAND_2POW32_INV / 2; }
SW_RAND_HD_ float _curand_uniform(unsigned long long x) { return _curand_uniform((unsigned int)(x >> 32)); }
SW_RAND_HD_ double _curand_uniform_double(unsigned int x) { return x * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE; }
SW_RAND_HD_ double _curand_uniform_double(unsigned long long x)
{
    return (double)(x >> 11) * CURAND_2POW53_INV_DOUBLE + CURAND_2POW53_INV_DOUBLE / 2;
}
SW_RAND_HD_ double softwarp_53_bits(unsigned int x, unsigned int y) { return (double)(x ^ (unsigned long long)y << 21); }
SW_RAND_HD_ double _curand_uniform_double_hq(unsigned int x, unsigned int y)
{
    return softwarp_53_bits(x, y) * CURAND_2POW53_INV_DOUBLE + CURAND_2POW53_INV_DOUBLE / 2;
}

template <class State> SW_RAND_HD_ float curand_uniform(State *s) { return _curand_uniform(curand(s)); }
SW_RAND_HD_ float curand_uniform(curandStateMRG32k3a_t *s) { return (float)(curand_MRG32k3a(s) * MRG32K3A_NORM); }
template <class State> SW_RAND_HD_ double curand_uniform_double(State *s) { return _curand_uniform_double(curand(s)); }
SW_RAND_HD_ double curand_uniform_double(curandStateMRG32k3a_t *s) { return curand_MRG32k3a(s) * MRG32K3A_NORM; }
SW_RAND_HD_ double curand_uniform_double(curandStateXORWOW_t *s)
{
    unsigned int x = curand(s), y = curand(s);
    return _curand_uniform_double_hq(x, y);
}

SW_RAND_HD_ float4 curand_uniform4(curandStatePhilox4_32_10_t *s)
{
    uint4 v = curand4(s);
    return float4{_curand_uniform(v.x), _curand_uniform(v.y), _curand_uniform(v.z), _curand_uniform(v.w)};
}
SW_RAND_HD_ double2 curand_uniform2_double(curandStatePhilox4_32_10_t *s)
{
    uint4 v = curand4(s);
    return double2{_curand_uniform_double_hq(v.x, v.y), _curand_uniform_double_hq(v.z, v.w)};
}
SW_RAND_HD_ double4 curand_uniform4_double(curandStatePhilox4_32_10_t *s)
{
    double2 a = curand_uniform2_double(s), b = curand_uniform2_double(s);
    return double4{a.x, a.y, b.x, b.y};
}
#endif
