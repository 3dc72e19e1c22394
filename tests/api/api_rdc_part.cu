/* SPDX-License-Identifier: Apache-2.0 */
/* The other half of api_rdc_main.cu. */
#include "api_check.h"
#include <cuda_runtime.h>

__device__ int factor = 1;

__device__ int times_factor(int value)
{
    return value * factor;
}

void set_factor(int value)
{
    OK(cudaMemcpyToSymbol(factor, &value, sizeof(value)));
}
