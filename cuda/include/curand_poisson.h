/* SPDX-License-Identifier: Apache-2.0 */
/* Poisson numbers. XORWOW, MRG32k3a and Philox: Knuth's product for a mean below 64; up to 4000, rejection (softwarp_poisson_reject);
 * above, rounded normal numbers. The others need one word a number: a sum of probabilities for a mean below 1000, rounded normal
 * numbers from there. Methods, limits and constants are those of NVIDIA's curand_poisson.h, so that numbers are equal. */
#ifndef CURAND_POISSON_H_
#define CURAND_POISSON_H_
#include "curand_normal.h"

/* ---- the multi-function unit's functions, as they are */

SW_RAND_D_ float softwarp_unit_rsqrt(float x)
{
    asm("rsqrt.approx.f32.ftz %0, %1;" : "=f"(x) : "f"(x));
    return x;
}
SW_RAND_D_ float softwarp_unit_rcp(float x)
{
    asm("rcp.approx.f32.ftz %0, %1;" : "=f"(x) : "f"(x));
    return x;
}
SW_RAND_D_ float softwarp_unit_exp(float x)
{
    x = (float)(x * 1.4426950408889634074);
    asm("ex2.approx.f32.ftz %0, %1;" : "=f"(x) : "f"(x));
    return x;
}
SW_RAND_D_ float softwarp_unit_log(float x)
{
    asm("lg2.approx.f32.ftz %0, %1;" : "=f"(x) : "f"(x));
    return (float)(x * 0.69314718055994530942);
}

/* ---- rejection: a number is drawn from an approximation of the distribution, which 1.3 times is not below it */

/* The regularized incomplete gamma function of a at x is about 1 / (1 + e^(slope (a - x) - shift))^2. */
struct softwarp_gamma {
    float slope, shift;
};
SW_RAND_D_ softwarp_gamma softwarp_gamma_of(float a)
{
    float slope = 1.43248035075540910f * softwarp_unit_rsqrt(a - 0.12400979329415655f) + 0.00025361074907033f;
    float shift = 0.21096734870196546f * softwarp_unit_rsqrt(a - 1.97381164089999420f) + 0.94201734077887530f;
    return softwarp_gamma{slope, shift};
}
SW_RAND_D_ float softwarp_gamma_at(softwarp_gamma g, float a, float x)
{
    float t = 1.0f + softwarp_unit_exp(g.slope * (a - x) - g.shift);
    return softwarp_unit_rcp(t * t);
}
SW_RAND_D_ float softwarp_gamma_inverse(softwarp_gamma g, float a, float y)
{
    float t = g.shift + softwarp_unit_log(softwarp_unit_rsqrt(y) - 1.0f);
    return -t * softwarp_unit_rcp(g.slope) + a;
}

/* The logarithm of (n - 1)!: of small n from a table, of others Stirling's series with the coefficients of Hart et al., "Computer
 * Approximations", Wiley 1968, number 5404. */
SW_RAND_D_ double softwarp_log_factorial(int n)
{
    double x = n, inverse = 1.0 / x, t = inverse * inverse;
    switch (n) {
    case 1:
    case 2: return 0.0;
    case 3: return 6.931471805599453094e-1;
    case 4: return 1.791759469228055001;
    case 5: return 3.178053830347945620;
    case 6: return 4.787491742782045994;
    case 7: return 6.579251212010100995;
    case 8: return 8.525161361065414300;
    }
    double sum = -0.1633436431e-2;
    sum = sum * t + 0.83645878922e-3;
    sum = sum * t - 0.5951896861197e-3;
    sum = sum * t + 0.793650576493454e-3;
    sum = sum * t - 0.277777777735865004e-2;
    sum = sum * t + 0.833333333333331018375e-1;
    sum = sum * inverse + 0.918938533204672;
    double whole = 0.5 * log(x) * (x - 0.5);
    return whole - x + (whole + sum);
}

template <class State> SW_RAND_D_ unsigned int softwarp_poisson_reject(State *s, float mean)
{
    float log_mean = softwarp_unit_log(mean);
    softwarp_gamma g = softwarp_gamma_of(mean);
    for (;;) {
        float x = floorf(softwarp_gamma_inverse(g, mean, curand_uniform(s))), u = curand_uniform(s);
        float bound = (softwarp_gamma_at(g, mean, x + 1.0f) - softwarp_gamma_at(g, mean, x)) * 1.3f;
        float share = softwarp_unit_exp(-mean + x * log_mean - (float)softwarp_log_factorial((int)(1.0f + x)));
        if (u * bound < share && bound >= 1e-20) return (unsigned int)x;
    }
}

/* ---- Knuth, "The Art of Computer Programming", volume 2: how many uniform numbers' product is still above e^-mean */

template <class State> SW_RAND_D_ unsigned int softwarp_poisson_product(State *s, float mean)
{
    unsigned int n = 0;
    for (float p = expf(mean) * curand_uniform(s); p > 1.0f; p *= curand_uniform(s)) n++;
    return n;
}

SW_RAND_D_ unsigned int softwarp_poisson_rounded(double mean, double normal)
{
    return (unsigned int)(sqrt(mean) * normal + mean + 0.5);
}
template <class State> SW_RAND_D_ unsigned int softwarp_poisson_words(State *s, double mean)
{
    if (mean < 64) return softwarp_poisson_product(s, (float)mean);
    if (mean > 4000) return softwarp_poisson_rounded(mean, curand_normal_double(s));
    return softwarp_poisson_reject(s, (float)mean);
}

/* ---- of one word: Fishman, "Discrete-event simulation", 2001. e^-mean comes in steps of e^-500, as it may be too small. */

SW_RAND_D_ double softwarp_below_one(unsigned int x) { return x * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE / 2; }
SW_RAND_D_ double softwarp_below_one(unsigned long long x)
{
    return (double)(x >> 11) * CURAND_2POW53_INV_DOUBLE + CURAND_2POW53_INV_DOUBLE / 4;
}
template <class Word> SW_RAND_D_ unsigned int softwarp_poisson_sum(Word x, double mean)
{
    double p = 1.0, sum = 1.0, u = softwarp_below_one(x);
    unsigned int n = 0;
    int done = 0;
    do {
        double factor = mean > done + 500.0 ? exp(-500.0) : exp(done - mean);
        p *= factor;
        sum *= factor;
        done += 500;
        while (u > sum) {
            n++;
            p *= mean / (double)n;
            sum += p;
        }
    } while (done < mean);
    return n;
}

template <class State> SW_RAND_D_ unsigned int curand_poisson(State *s, double mean)
{
    auto x = curand(s);
    if (mean < 1000) return softwarp_poisson_sum(x, mean);
    return softwarp_poisson_rounded(mean, _curand_normal_icdf_double(x));
}
SW_RAND_D_ unsigned int curand_poisson(curandStateXORWOW_t *s, double mean) { return softwarp_poisson_words(s, mean); }
SW_RAND_D_ unsigned int curand_poisson(curandStateMRG32k3a_t *s, double mean) { return softwarp_poisson_words(s, mean); }
SW_RAND_D_ unsigned int curand_poisson(curandStatePhilox4_32_10_t *s, double mean) { return softwarp_poisson_words(s, mean); }
SW_RAND_D_ uint4 curand_poisson4(curandStatePhilox4_32_10_t *s, double mean)
{
    uint4 n;
    if (mean > 4000) {
        double4 v = curand_normal4_double(s);
        return uint4{softwarp_poisson_rounded(mean, v.x), softwarp_poisson_rounded(mean, v.y), softwarp_poisson_rounded(mean, v.z),
                     softwarp_poisson_rounded(mean, v.w)};
    }
    n.x = softwarp_poisson_words(s, mean);
    n.y = softwarp_poisson_words(s, mean);
    n.z = softwarp_poisson_words(s, mean);
    n.w = softwarp_poisson_words(s, mean);
    return n;
}
#endif
