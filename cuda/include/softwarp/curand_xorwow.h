/* SPDX-License-Identifier: Apache-2.0 */
/* XORWOW: Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003, section 3.1. Subsequences are 2^67 numbers apart.
 * A step is a linear map T of 160 bits over GF(2) and a counter. To go n steps ahead: t^n is, modulo T's characteristic polynomial,
 * a polynomial of 160 coefficients; the sum of the states that they choose of the next 160 is the state after n steps. The
 * polynomials of n = 2^i are a table, made by random_xorwow_jump.py. */
#ifndef SOFTWARP_CURAND_XORWOW_H
#define SOFTWARP_CURAND_XORWOW_H
#include "../cuda_runtime.h"
#include "../curand_globals.h"

struct curandStateXORWOW {
    unsigned int d, v[5];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

static constexpr unsigned int softwarp_xorwow_jumps[][5] = {
#include "curand_xorwow.def"
};

SW_RAND_HD_ void softwarp_xorwow_step(unsigned int v[5])
{
    unsigned int t = v[0] ^ v[0] >> 2;
    for (int i = 0; i < 4; i++) v[i] = v[i + 1];
    v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
}
SW_RAND_HD_ unsigned int curand(curandStateXORWOW_t *s)
{
    softwarp_xorwow_step(s->v);
    s->d += 362437u;
    return s->d + s->v[4];
}
/* n 2^first steps ahead */
static __host__ __device__ __inline__ void softwarp_xorwow_ahead(unsigned long long n, int first, unsigned int v[5])
{
    for (; n; n >>= 1, first++) {
        if (!(n & 1)) continue;
        unsigned int sum[5] = {0, 0, 0, 0, 0};
        for (int word = 0; word < 5; word++)
            for (unsigned int left = 32, chosen = softwarp_xorwow_jumps[first][word]; left; left--, chosen >>= 1) {
                for (int i = 0; i < 5; i++) sum[i] ^= chosen & 1 ? v[i] : 0;
                softwarp_xorwow_step(v);
            }
        for (int i = 0; i < 5; i++) v[i] = sum[i];
    }
}
SW_RAND_HD_ void skipahead(unsigned long long n, curandStateXORWOW_t *s)
{
    softwarp_xorwow_ahead(n, 0, s->v);
    s->d += 362437u * (unsigned int)n;
}
SW_RAND_HD_ void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *s)
{
    softwarp_xorwow_ahead(n, 67, s->v); /* the counter has gone round */
}
/* The state that a seed starts with; the constants are cuRAND's. */
SW_RAND_HD_ void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                             curandStateXORWOW_t *s)
{
    unsigned int a = ((unsigned int)seed ^ 0xaad26b49u) * 1099087573u;
    unsigned int b = ((unsigned int)(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
    s->d = 6615241u + a + b;
    s->v[0] = 123456789u + a, s->v[1] = 362436069u ^ a, s->v[2] = 521288629u + b, s->v[3] = 88675123u ^ b, s->v[4] = 5783321u + a;
    skipahead_sequence(subsequence, s);
    skipahead(offset, s);
    s->boxmuller_flag = s->boxmuller_flag_double = 0;
    s->boxmuller_extra = 0, s->boxmuller_extra_double = 0;
}
#endif
