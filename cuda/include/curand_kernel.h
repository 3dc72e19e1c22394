/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers in kernels: the device functions of cuRAND's interface, on published generators.
 *   Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011; the key is the seed,
 *     the counter is the offset (in fours) and the subsequence.
 *   XORWOW: Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003, section 3.1.
 *   Normal numbers: Box and Muller 1958. Poisson: Knuth's product, and the rounded normal from a mean of 64 on.
 * Limits: XORWOW starts a subsequence at a state that is mixed from seed and subsequence (Steele, Lea, Flood, "Fast splittable
 * pseudorandom number generators", 2014), not 2^67 numbers further on, so its numbers are not cuRAND's; an offset costs time in
 * proportion. No MRG32k3a, MTGP32 and Sobol generators. */
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_
#if defined(__CUDA__) && defined(__cplusplus)
#pragma clang system_header

#include "cuda_runtime.h"
#include "curand.h"

#define SW_HD_ static __host__ __device__ __inline__ __attribute__((always_inline, nodebug))
#define SW_D_  static __device__ __inline__ __attribute__((always_inline, nodebug))

struct curandStateXORWOW {
    unsigned int d, v[5];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned int STATE; /* of output, those that were given */
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

/* ---- XORWOW */

SW_HD_ unsigned int curand(curandStateXORWOW_t *s)
{
    unsigned int t = s->v[0] ^ s->v[0] >> 2;
    for (int i = 0; i < 4; i++) s->v[i] = s->v[i + 1];
    s->v[4] = s->v[4] ^ s->v[4] << 4 ^ t ^ t << 1;
    s->d += 362437u;
    return s->d + s->v[4];
}
SW_HD_ void skipahead(unsigned long long n, curandStateXORWOW_t *s)
{
    for (; n; n--) (void)curand(s);
    s->boxmuller_flag = s->boxmuller_flag_double = 0;
}
SW_HD_ unsigned long long softwarp_mix(unsigned long long z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}
SW_HD_ void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStateXORWOW_t *s)
{
    const unsigned long long golden = 0x9e3779b97f4a7c15ull;
    unsigned long long z = softwarp_mix(seed + golden) ^ subsequence * golden;
    unsigned long long words[3];
    for (int i = 0; i < 3; i++) words[i] = softwarp_mix(z += golden);
    s->v[0] = (unsigned int)words[0] | 1u, s->v[1] = (unsigned int)(words[0] >> 32); /* not all zero */
    s->v[2] = (unsigned int)words[1], s->v[3] = (unsigned int)(words[1] >> 32);
    s->v[4] = (unsigned int)words[2], s->d = (unsigned int)(words[2] >> 32);
    skipahead(offset, s);
}

/* ---- Philox4x32-10 */

SW_HD_ uint4 softwarp_philox(uint4 c, uint2 k)
{
    for (int round = 0; round < 10; round++) {
        unsigned long long a = 0xd2511f53ull * c.x, b = 0xcd9e8d57ull * c.z;
        c = uint4{(unsigned int)(b >> 32) ^ c.y ^ k.x, (unsigned int)b, (unsigned int)(a >> 32) ^ c.w ^ k.y, (unsigned int)a};
        k.x += 0x9e3779b9u;
        k.y += 0xbb67ae85u;
    }
    return c;
}
/* The counter has 128 bits; its upper half is the subsequence. */
SW_HD_ void softwarp_count(curandStatePhilox4_32_10_t *s, unsigned long long fours)
{
    unsigned long long low = (unsigned long long)s->ctr.y << 32 | s->ctr.x, sum = low + fours;
    unsigned long long high = ((unsigned long long)s->ctr.w << 32 | s->ctr.z) + (sum < low);
    s->ctr = uint4{(unsigned int)sum, (unsigned int)(sum >> 32), (unsigned int)high, (unsigned int)(high >> 32)};
}
SW_HD_ void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *s)
{
    unsigned long long fours = n / 4;
    s->STATE += (unsigned int)(n % 4);
    if (s->STATE > 3) fours++, s->STATE -= 4;
    softwarp_count(s, fours);
    s->output = softwarp_philox(s->ctr, s->key);
}
SW_HD_ void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *s)
{
    unsigned long long high = ((unsigned long long)s->ctr.w << 32 | s->ctr.z) + n;
    s->ctr.z = (unsigned int)high, s->ctr.w = (unsigned int)(high >> 32);
    s->output = softwarp_philox(s->ctr, s->key);
}
SW_HD_ void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStatePhilox4_32_10_t *s)
{
    s->ctr = uint4{0, 0, (unsigned int)subsequence, (unsigned int)(subsequence >> 32)};
    s->key = uint2{(unsigned int)seed, (unsigned int)(seed >> 32)};
    s->STATE = 0;
    s->boxmuller_flag = s->boxmuller_flag_double = 0;
    skipahead(offset, s);
}
SW_HD_ unsigned int softwarp_nth(uint4 v, unsigned int n) { return n == 0 ? v.x : n == 1 ? v.y : n == 2 ? v.z : v.w; }
SW_HD_ unsigned int curand(curandStatePhilox4_32_10_t *s)
{
    unsigned int v = softwarp_nth(s->output, s->STATE++);
    if (s->STATE == 4) {
        s->STATE = 0;
        softwarp_count(s, 1);
        s->output = softwarp_philox(s->ctr, s->key);
    }
    return v;
}
/* The next four, wherever in an output they start. */
SW_HD_ uint4 curand4(curandStatePhilox4_32_10_t *s)
{
    uint4 now = s->output;
    softwarp_count(s, 1);
    uint4 next = s->output = softwarp_philox(s->ctr, s->key);
    switch (s->STATE) {
    case 1: return uint4{now.y, now.z, now.w, next.x};
    case 2: return uint4{now.z, now.w, next.x, next.y};
    case 3: return uint4{now.w, next.x, next.y, next.z};
    default: return now;
    }
}

/* ---- distributions: uniform is over (0, 1], as cuRAND documents it */

SW_HD_ float softwarp_uniform(unsigned int x) { return (float)x * 0x1p-32f + 0x1p-33f; }
SW_HD_ double softwarp_uniform_double(unsigned int x, unsigned int y)
{
    return (double)(((unsigned long long)x << 32 | y) >> 11) * 0x1p-53 + 0x1p-54;
}
SW_D_ float2 softwarp_normal2(float u, float angle)
{
    float2 v;
    float r = sqrtf(-2.0f * logf(u));
    sincospif(2.0f * angle, &v.x, &v.y);
    return float2{v.x * r, v.y * r};
}
SW_D_ double2 softwarp_normal2_double(double u, double angle)
{
    double2 v;
    double r = sqrt(-2.0 * log(u));
    sincospi(2.0 * angle, &v.x, &v.y);
    return double2{v.x * r, v.y * r};
}

template <class State> SW_HD_ float curand_uniform(State *s) { return softwarp_uniform(curand(s)); }
template <class State> SW_HD_ double curand_uniform_double(State *s)
{
    unsigned int x = curand(s), y = curand(s);
    return softwarp_uniform_double(x, y);
}
template <class State> SW_D_ float2 curand_normal2(State *s)
{
    float u = curand_uniform(s), angle = curand_uniform(s);
    return softwarp_normal2(u, angle);
}
template <class State> SW_D_ double2 curand_normal2_double(State *s)
{
    double u = curand_uniform_double(s), angle = curand_uniform_double(s);
    return softwarp_normal2_double(u, angle);
}
template <class State> SW_D_ float curand_normal(State *s)
{
    s->boxmuller_flag = !s->boxmuller_flag;
    if (!s->boxmuller_flag) return s->boxmuller_extra;
    float2 v = curand_normal2(s);
    s->boxmuller_extra = v.y;
    return v.x;
}
template <class State> SW_D_ double curand_normal_double(State *s)
{
    s->boxmuller_flag_double = !s->boxmuller_flag_double;
    if (!s->boxmuller_flag_double) return s->boxmuller_extra_double;
    double2 v = curand_normal2_double(s);
    s->boxmuller_extra_double = v.y;
    return v.x;
}
template <class State> SW_D_ float curand_log_normal(State *s, float mean, float deviation)
{
    return expf(mean + deviation * curand_normal(s));
}
template <class State> SW_D_ double curand_log_normal_double(State *s, double mean, double deviation)
{
    return exp(mean + deviation * curand_normal_double(s));
}
template <class State> SW_D_ float2 curand_log_normal2(State *s, float mean, float deviation)
{
    float2 v = curand_normal2(s);
    return float2{expf(mean + deviation * v.x), expf(mean + deviation * v.y)};
}
template <class State> SW_D_ unsigned int curand_poisson(State *s, double mean)
{
    if (mean >= 64.0) {
        double v = rint(mean + sqrt(mean) * curand_normal_double(s));
        return v < 0.0 ? 0u : (unsigned int)v;
    }
    double least = exp(-mean), product = 1.0;
    unsigned int n = 0;
    while ((product *= curand_uniform_double(s)) > least) n++;
    return n;
}

SW_HD_ float4 curand_uniform4(curandStatePhilox4_32_10_t *s)
{
    uint4 v = curand4(s);
    return float4{softwarp_uniform(v.x), softwarp_uniform(v.y), softwarp_uniform(v.z), softwarp_uniform(v.w)};
}
SW_HD_ double2 curand_uniform2_double(curandStatePhilox4_32_10_t *s)
{
    uint4 v = curand4(s);
    return double2{softwarp_uniform_double(v.x, v.y), softwarp_uniform_double(v.z, v.w)};
}
SW_D_ float4 curand_normal4(curandStatePhilox4_32_10_t *s)
{
    float4 u = curand_uniform4(s);
    float2 a = softwarp_normal2(u.x, u.y), b = softwarp_normal2(u.z, u.w);
    return float4{a.x, a.y, b.x, b.y};
}
SW_D_ float4 curand_log_normal4(curandStatePhilox4_32_10_t *s, float mean, float deviation)
{
    float4 v = curand_normal4(s);
    return float4{expf(mean + deviation * v.x), expf(mean + deviation * v.y), expf(mean + deviation * v.z),
                  expf(mean + deviation * v.w)};
}
#undef SW_D_
#undef SW_HD_
#endif
#endif
