/* SPDX-License-Identifier: Apache-2.0 */
/* Log-normal numbers: powers of e of normal ones. Where pairs are made, a state keeps the second power. */
#ifndef CURAND_LOGNORMAL_H_
#define CURAND_LOGNORMAL_H_
#include "curand_normal.h"

SW_RAND_D_ float softwarp_lognormal(float mean, float deviation, float x) { return expf(mean + deviation * x); }
SW_RAND_D_ double softwarp_lognormal(double mean, double deviation, double x) { return exp(mean + deviation * x); }

template <class State> SW_RAND_D_ float softwarp_lognormal_kept(State *s, float mean, float deviation)
{
    if (s->boxmuller_flag == EXTRA_FLAG_LOG_NORMAL) {
        s->boxmuller_flag = 0;
        return s->boxmuller_extra;
    }
    float2 v = curand_box_muller(s);
    s->boxmuller_extra = softwarp_lognormal(mean, deviation, v.y);
    s->boxmuller_flag = EXTRA_FLAG_LOG_NORMAL;
    return softwarp_lognormal(mean, deviation, v.x);
}
template <class State> SW_RAND_D_ double softwarp_lognormal_kept_double(State *s, double mean, double deviation)
{
    if (s->boxmuller_flag_double == EXTRA_FLAG_LOG_NORMAL) {
        s->boxmuller_flag_double = 0;
        return s->boxmuller_extra_double;
    }
    double2 v = curand_box_muller_double(s);
    s->boxmuller_extra_double = softwarp_lognormal(mean, deviation, v.y);
    s->boxmuller_flag_double = EXTRA_FLAG_LOG_NORMAL;
    return softwarp_lognormal(mean, deviation, v.x);
}

template <class State> SW_RAND_D_ float curand_log_normal(State *s, float mean, float deviation)
{
    return softwarp_lognormal(mean, deviation, curand_normal(s));
}
template <class State> SW_RAND_D_ double curand_log_normal_double(State *s, double mean, double deviation)
{
    return softwarp_lognormal(mean, deviation, curand_normal_double(s));
}
#define SW_KEPT_(State)                                                                                                             \
    SW_RAND_D_ float curand_log_normal(State *s, float mean, float deviation)                                                       \
    {                                                                                                                               \
        return softwarp_lognormal_kept(s, mean, deviation);                                                                         \
    }                                                                                                                               \
    SW_RAND_D_ double curand_log_normal_double(State *s, double mean, double deviation)                                             \
    {                                                                                                                               \
        return softwarp_lognormal_kept_double(s, mean, deviation);                                                                  \
    }
SW_KEPT_(curandStateXORWOW_t)
SW_KEPT_(curandStateMRG32k3a_t)
SW_KEPT_(curandStatePhilox4_32_10_t)
#undef SW_KEPT_

template <class State> SW_RAND_D_ float2 curand_log_normal2(State *s, float mean, float deviation)
{
    float2 v = curand_normal2(s);
    return float2{softwarp_lognormal(mean, deviation, v.x), softwarp_lognormal(mean, deviation, v.y)};
}
template <class State> SW_RAND_D_ double2 curand_log_normal2_double(State *s, double mean, double deviation)
{
    double2 v = curand_normal2_double(s);
    return double2{softwarp_lognormal(mean, deviation, v.x), softwarp_lognormal(mean, deviation, v.y)};
}
SW_RAND_D_ float4 curand_log_normal4(curandStatePhilox4_32_10_t *s, float mean, float deviation)
{
    float4 v = curand_normal4(s);
    return float4{softwarp_lognormal(mean, deviation, v.x), softwarp_lognormal(mean, deviation, v.y),
                  softwarp_lognormal(mean, deviation, v.z), softwarp_lognormal(mean, deviation, v.w)};
}
SW_RAND_D_ double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *s, double mean, double deviation)
{
    double4 v = curand_normal4_double(s);
    return double4{softwarp_lognormal(mean, deviation, v.x), softwarp_lognormal(mean, deviation, v.y),
                   softwarp_lognormal(mean, deviation, v.z), softwarp_lognormal(mean, deviation, v.w)};
}
#endif
