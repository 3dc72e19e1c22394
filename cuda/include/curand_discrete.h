/* SPDX-License-Identifier: Apache-2.0 */
/* What curandCreatePoissonDistribution makes: the layout that curand_kernel.h of NVIDIA's reads in kernels, too. Members named
 * host_ are memory of the host, the others of the device, as is the whole. */
#ifndef CURANDDISCRETE_H_
#define CURANDDISCRETE_H_

#include "curand.h"

struct curandDistributionShift_st {
    curandDistribution_t probability, host_probability;
    unsigned int shift, length, host_gen;
};
struct curandHistogramM2_st {
    curandHistogramM2V_t V, host_V;
    curandHistogramM2K_t K, host_K;
    unsigned int host_gen;
};
struct curandDistributionM2Shift_st {
    curandHistogramM2_t histogram, host_histogram;
    unsigned int shift, length, host_gen;
};
struct curandDiscreteDistribution_st {
    curandDiscreteDistribution_t self_host_ptr;
    curandDistributionM2Shift_t M2, host_M2;
    double stddev, mean;
    curandMethod_t method;
    unsigned int host_gen;
};
#endif
