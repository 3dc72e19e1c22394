/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of a distribution that curandCreatePoissonDistribution made: from a square histogram (Marsaglia, Tsang, Wang, "Fast
 * generation of discrete random variables", Journal of Statistical Software 11(3), 2004), or rounded normal ones. */
#ifndef CURAND_DISCRETE_H_
#define CURAND_DISCRETE_H_
#include "curand_discrete.h"
#include "curand_normal.h"

template <class Word> SW_RAND_D_ unsigned int softwarp_histogram(Word x, curandDistributionM2Shift_t table)
{
    double u = _curand_uniform_double(x);
    unsigned int i = (unsigned int)(table->length * u);
    if (i == table->length) i--; /* u is 1 */
    return table->shift + (u < table->histogram->V[i] ? i : table->histogram->K[i]);
}
SW_RAND_D_ unsigned int softwarp_discrete_rounded(curandDiscreteDistribution_t d, double normal)
{
    return (unsigned int)(d->stddev * normal + d->mean + 0.5);
}
template <class State> SW_RAND_D_ unsigned int curand_discrete(State *s, curandDiscreteDistribution_t d)
{
    if (d->method == CURAND_M2) return softwarp_histogram(curand(s), d->M2);
    return softwarp_discrete_rounded(d, curand_normal_double(s));
}
SW_RAND_D_ uint4 curand_discrete4(curandStatePhilox4_32_10_t *s, curandDiscreteDistribution_t d)
{
    if (d->method == CURAND_M2) {
        uint4 x = curand4(s);
        return uint4{softwarp_histogram(x.x, d->M2), softwarp_histogram(x.y, d->M2), softwarp_histogram(x.z, d->M2),
                     softwarp_histogram(x.w, d->M2)};
    }
    double4 v = curand_normal4_double(s);
    return uint4{softwarp_discrete_rounded(d, v.x), softwarp_discrete_rounded(d, v.y), softwarp_discrete_rounded(d, v.z),
                 softwarp_discrete_rounded(d, v.w)};
}
#endif
