// SPDX-License-Identifier: Apache-2.0
#include "advice.h"

__constant__ float table[256];

__global__ void by_thread(float *out)
{
    out[blockIdx.x * THREADS + threadIdx.x] = table[threadIdx.x];
}

// The lanes of a warp read one address, which only memory tells.
__global__ void by_block(float *out, const int *index)
{
    out[blockIdx.x * THREADS + threadIdx.x] = table[index[blockIdx.x] % 256];
}

int main(int argc, char **argv)
{
    float *out = zeros<float>(N);
    if (has_fault(argc, argv))
        by_thread<<<BLOCKS, THREADS>>>(out);
    else
        by_block<<<BLOCKS, THREADS>>>(out, zeros<int>(BLOCKS));
    finish(out);
}
