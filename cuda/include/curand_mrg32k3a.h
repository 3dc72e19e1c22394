/* SPDX-License-Identifier: Apache-2.0 */
/* MRG32k3a: L'Ecuyer, "Good parameters and implementations for combined multiple recursive random number generators", Operations
 * Research 47(1), 1999. Subsequences are 2^76 numbers apart, sequences 2^127.
 * To go n steps ahead: t^n is, modulo the recursion's characteristic polynomial, a polynomial of three coefficients, made by
 * squaring; it says how much of each of the next states makes the state after n steps. */
#ifndef CURAND_MRG32K3A_MATRICES_H_
#define CURAND_MRG32K3A_MATRICES_H_
#include "cuda_runtime.h"
#include "curand_globals.h"

#define MRG32K3A_MOD1      4294967087.
#define MRG32K3A_MOD2      4294944443.
#define MRG32K3A_NORM      (2.3283065498378288e-10)
#define MRG32K3A_BITS_NORM 1.000000048662

struct curandStateMRG32k3a {
    unsigned int s1[3], s2[3];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

/* x modulo 2^32 - c: what is above 32 bits is worth c each. */
SW_RAND_HD_ unsigned int softwarp_mrg_reduce(unsigned long long x, unsigned int c)
{
    x = (x >> 32) * c + (unsigned int)x;
    x = (x >> 32) * c + (unsigned int)x;
    unsigned long long p = 4294967296ull - c;
    return (unsigned int)(x >= p ? x - p : x);
}

/* A recursion: x[n] = c[2] x[n-1] + c[1] x[n-2] + c[0] x[n-3] modulo 2^32 - below. c is t^3 modulo the characteristic polynomial, too. */
struct softwarp_mrg {
    unsigned int below, c[3];
};
SW_RAND_HD_ softwarp_mrg softwarp_mrg_first() { return {209, {4294967087u - 810728u, 1403580u, 0}}; }
SW_RAND_HD_ softwarp_mrg softwarp_mrg_second() { return {22853, {4294944443u - 1370589u, 0, 527612u}}; }

/* a x + b y + c z modulo p */
SW_RAND_HD_ unsigned int softwarp_mrg_sum(const unsigned int c[3], const unsigned int x[3], unsigned int below)
{
    unsigned long long sum = 0;
    for (int i = 0; i < 3; i++) sum += softwarp_mrg_reduce((unsigned long long)c[i] * x[i], below);
    return softwarp_mrg_reduce(sum, below);
}
SW_RAND_HD_ void softwarp_mrg_square(const softwarp_mrg &m, unsigned int t[3])
{
    unsigned int r[5] = {0, 0, 0, 0, 0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r[i + j] = softwarp_mrg_reduce(r[i + j] + (unsigned long long)t[i] * t[j], m.below);
    for (int k = 4; k > 2; k--)
        for (int j = 0; j < 3; j++) r[k - 3 + j] = softwarp_mrg_reduce(r[k - 3 + j] + (unsigned long long)r[k] * m.c[j], m.below);
    for (int i = 0; i < 3; i++) t[i] = r[i];
}
/* n times the steps that t says ahead */
static __host__ __device__ __inline__ void softwarp_mrg_ahead(const softwarp_mrg m, unsigned int t0, unsigned int t1, unsigned int t2,
                                                              unsigned long long n, unsigned int s[3])
{
    unsigned int t[3] = {t0, t1, t2};
    for (; n; n >>= 1) {
        if (n & 1) {
            unsigned int x[5] = {s[0], s[1], s[2], softwarp_mrg_sum(m.c, s, m.below), 0};
            x[4] = softwarp_mrg_sum(m.c, x + 1, m.below);
            for (int i = 0; i < 3; i++) s[i] = softwarp_mrg_sum(t, x + i, m.below);
        }
        softwarp_mrg_square(m, t);
    }
}
SW_RAND_HD_ void skipahead(unsigned long long n, curandStateMRG32k3a_t *s)
{
    softwarp_mrg_ahead(softwarp_mrg_first(), 0, 1, 0, n, s->s1);
    softwarp_mrg_ahead(softwarp_mrg_second(), 0, 1, 0, n, s->s2);
}
SW_RAND_HD_ void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *s)
{
    softwarp_mrg_ahead(softwarp_mrg_first(), 82758667u, 1871391091u, 4127413238u, n, s->s1); /* t^(2^76) */
    softwarp_mrg_ahead(softwarp_mrg_second(), 1511326704u, 3759209742u, 1610795712u, n, s->s2);
}
SW_RAND_HD_ void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t *s)
{
    softwarp_mrg_ahead(softwarp_mrg_first(), 2427906178u, 3580155704u, 949770784u, n, s->s1); /* t^(2^127) */
    softwarp_mrg_ahead(softwarp_mrg_second(), 1464411153u, 277697599u, 1610723613u, n, s->s2);
}

/* cuRAND's way from a seed to a state: each number is 12345, times a half of the seed. */
SW_RAND_HD_ void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                             curandStateMRG32k3a_t *s)
{
    unsigned int low = (unsigned int)seed ^ 0x55555555u, high = (unsigned int)(seed >> 32) ^ 0xaaaaaaaau;
    for (int i = 0; i < 3; i++) {
        s->s1[i] = seed ? softwarp_mrg_reduce(12345ull * (i % 2 ? high : low), 209) : 12345u;
        s->s2[i] = seed ? softwarp_mrg_reduce(12345ull * (i % 2 ? low : high), 22853) : 12345u;
    }
    skipahead_subsequence(subsequence, s);
    skipahead(offset, s);
    s->boxmuller_flag = s->boxmuller_flag_double = 0;
    s->boxmuller_extra = 0, s->boxmuller_extra_double = 0;
}

/* The next number, of 1 to the first modulus. */
SW_RAND_HD_ double curand_MRG32k3a(curandStateMRG32k3a_t *s)
{
    unsigned int a = softwarp_mrg_reduce(1403580ull * s->s1[1] + 810728ull * (4294967087u - s->s1[0]), 209);
    unsigned int b = softwarp_mrg_reduce(527612ull * s->s2[2] + 1370589ull * (4294944443u - s->s2[0]), 22853);
    s->s1[0] = s->s1[1], s->s1[1] = s->s1[2], s->s1[2] = a;
    s->s2[0] = s->s2[1], s->s2[1] = s->s2[2], s->s2[2] = b;
    return (double)(a <= b ? a - b + 4294967087u : a - b);
}
SW_RAND_HD_ unsigned int curand(curandStateMRG32k3a_t *s) { return (unsigned int)(curand_MRG32k3a(s) * MRG32K3A_BITS_NORM); }
#endif
