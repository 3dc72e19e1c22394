// SPDX-License-Identifier: Apache-2.0
#include "advice.h"

__constant__ float table[256];

__global__ void by_thread(float *out)
{
    out[blockIdx.x * THREADS + threadIdx.x] = table[threadIdx.x];
}

__global__ void by_block(float *out)
{
    out[blockIdx.x * THREADS + threadIdx.x] = table[blockIdx.x % 256];
}

int main(int argc, char **argv)
{
    float *out = zeros<float>(N);
    if (has_fault(argc, argv))
        by_thread<<<BLOCKS, THREADS>>>(out);
    else
        by_block<<<BLOCKS, THREADS>>>(out);
    finish(out);
}
