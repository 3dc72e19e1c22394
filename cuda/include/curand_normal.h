/* SPDX-License-Identifier: Apache-2.0 */
/* Normal numbers: of XORWOW, MRG32k3a and Philox by Box and Muller, 1958, two at once, of which a state keeps one; of the others
 * by the inverse of the distribution. */
#ifndef CURAND_NORMAL_H_
#define CURAND_NORMAL_H_
#include "curand_uniform.h"

/* ---- two at once */

SW_RAND_D_ float2 softwarp_polar(float u, float angle)
{
    float2 v;
    float radius = sqrtf(-2.0f * logf(u));
    __sincosf(angle, &v.x, &v.y);
    return float2{v.x * radius, v.y * radius};
}
SW_RAND_D_ double2 softwarp_polar_double(double u, double half_turns)
{
    double2 v;
    double radius = sqrt(-2.0 * log(u));
    sincospi(half_turns, &v.x, &v.y);
    return double2{v.x * radius, v.y * radius};
}
SW_RAND_D_ float2 _curand_box_muller(unsigned int x, unsigned int y)
{
    return softwarp_polar(_curand_uniform(x), (float)y * CURAND_2POW32_INV_2PI + CURAND_2POW32_INV_2PI / 2);
}
SW_RAND_D_ double2 _curand_box_muller_double(unsigned int x0, unsigned int x1, unsigned int y0, unsigned int y1)
{
    double half_turns = softwarp_53_bits(y0, y1) * (CURAND_2POW53_INV_DOUBLE * 2) + CURAND_2POW53_INV_DOUBLE;
    return softwarp_polar_double(_curand_uniform_double_hq(x0, x1), half_turns);
}

template <class State> SW_RAND_D_ float2 curand_box_muller(State *s)
{
    unsigned int x = curand(s), y = curand(s);
    return _curand_box_muller(x, y);
}
SW_RAND_D_ float2 curand_box_muller(curandStateMRG32k3a_t *s)
{
    float u = curand_uniform(s), angle = curand_uniform(s) * CURAND_2PI;
    return softwarp_polar(u, angle);
}
SW_RAND_D_ double2 curand_box_muller_double(curandStateXORWOW_t *s)
{
    unsigned int x0 = curand(s), x1 = curand(s), y0 = curand(s), y1 = curand(s);
    return _curand_box_muller_double(x0, x1, y0, y1);
}
SW_RAND_D_ double2 curand_box_muller_double(curandStatePhilox4_32_10_t *s)
{
    uint4 v = curand4(s);
    return _curand_box_muller_double(v.x, v.y, v.z, v.w);
}
SW_RAND_D_ double2 curand_box_muller_double(curandStateMRG32k3a_t *s)
{
    double u = curand_uniform_double(s), half_turns = curand_uniform_double(s) * 2.0;
    return softwarp_polar_double(u, half_turns);
}

template <class State> SW_RAND_D_ float2 curand_normal2(State *s) { return curand_box_muller(s); }
template <class State> SW_RAND_D_ double2 curand_normal2_double(State *s) { return curand_box_muller_double(s); }
SW_RAND_D_ float4 curand_normal4(curandStatePhilox4_32_10_t *s)
{
    uint4 v = curand4(s);
    float2 a = _curand_box_muller(v.x, v.y), b = _curand_box_muller(v.z, v.w);
    return float4{a.x, a.y, b.x, b.y};
}
SW_RAND_D_ double4 curand_normal4_double(curandStatePhilox4_32_10_t *s)
{
    double2 a = curand_box_muller_double(s), b = curand_box_muller_double(s);
    return double4{a.x, a.y, b.x, b.y};
}

/* ---- one at once: a pair's second is kept */

template <class State> SW_RAND_D_ float softwarp_normal_kept(State *s)
{
    if (s->boxmuller_flag == EXTRA_FLAG_NORMAL) {
        s->boxmuller_flag = 0;
        return s->boxmuller_extra;
    }
    float2 v = curand_box_muller(s);
    s->boxmuller_extra = v.y;
    s->boxmuller_flag = EXTRA_FLAG_NORMAL;
    return v.x;
}
template <class State> SW_RAND_D_ double softwarp_normal_kept_double(State *s)
{
    if (s->boxmuller_flag_double == EXTRA_FLAG_NORMAL) {
        s->boxmuller_flag_double = 0;
        return s->boxmuller_extra_double;
    }
    double2 v = curand_box_muller_double(s);
    s->boxmuller_extra_double = v.y;
    s->boxmuller_flag_double = EXTRA_FLAG_NORMAL;
    return v.x;
}

/* ---- by the inverse: of the upper half the mirrored share is taken, so that nothing is lost near 1 */

SW_RAND_D_ float _curand_normal_icdf(unsigned int x)
{
    float scale = CURAND_SQRT2;
    if (x > 0x80000000u) x = ~x, scale = -scale;
    return scale * erfcinvf(2.0f * _curand_uniform(x));
}
SW_RAND_D_ float _curand_normal_icdf(unsigned long long x) { return _curand_normal_icdf((unsigned int)(x >> 32)); }
SW_RAND_D_ double _curand_normal_icdf_double(unsigned int x)
{
    double scale = CURAND_SQRT2_DOUBLE;
    if (x > 0x80000000u) x = ~x, scale = -scale;
    return scale * erfcinv(2.0 * (x * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE / 2));
}
SW_RAND_D_ double _curand_normal_icdf_double(unsigned long long x)
{
    double scale = CURAND_SQRT2_DOUBLE;
    x >>= 11;
    if (x > 0x10000000000000ull) x = 0x1fffffffffffffull - x, scale = -scale;
    return scale * erfcinv(2.0 * ((double)x * CURAND_2POW53_INV_DOUBLE + CURAND_2POW53_INV_DOUBLE / 2));
}

template <class State> SW_RAND_D_ float curand_normal(State *s) { return _curand_normal_icdf(curand(s)); }
SW_RAND_D_ float curand_normal(curandStateXORWOW_t *s) { return softwarp_normal_kept(s); }
SW_RAND_D_ float curand_normal(curandStateMRG32k3a_t *s) { return softwarp_normal_kept(s); }
SW_RAND_D_ float curand_normal(curandStatePhilox4_32_10_t *s) { return softwarp_normal_kept(s); }
template <class State> SW_RAND_D_ double curand_normal_double(State *s) { return _curand_normal_icdf_double(curand(s)); }
SW_RAND_D_ double curand_normal_double(curandStateXORWOW_t *s) { return softwarp_normal_kept_double(s); }
SW_RAND_D_ double curand_normal_double(curandStateMRG32k3a_t *s) { return softwarp_normal_kept_double(s); }
SW_RAND_D_ double curand_normal_double(curandStatePhilox4_32_10_t *s) { return softwarp_normal_kept_double(s); }
#endif
