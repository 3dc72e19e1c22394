// SPDX-License-Identifier: Apache-2.0
#include "advice.h"

// Floats: of integers ptxas adds up a warp itself.

__global__ void each(float *sum, const float *in)
{
    atomicAdd(sum, in[blockIdx.x * THREADS + threadIdx.x]);
}

__global__ void by_warp(float *sum, const float *in)
{
    float value = in[blockIdx.x * THREADS + threadIdx.x];
    for (int step = 16; step; step /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, step);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, value);
}

int main(int argc, char **argv)
{
    float *in = zeros<float>(N), *sum = zeros<float>(1);
    if (has_fault(argc, argv))
        each<<<BLOCKS, THREADS>>>(sum, in);
    else
        by_warp<<<BLOCKS, THREADS>>>(sum, in);
    finish(sum);
}
