// SPDX-License-Identifier: Apache-2.0
// Each thread adds up all elements of its block's piece.
#include "advice.h"

__global__ void plain(float *out, const float *in)
{
    float sum = 0;
    for (int j = 0; j < THREADS; j++)
        sum += in[blockIdx.x * THREADS + j];
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

__global__ void shared(float *out, const float *in)
{
    __shared__ float tile[THREADS];
    float sum = 0;
    tile[threadIdx.x] = in[blockIdx.x * THREADS + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < THREADS; j++)
        sum += tile[j];
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

int main(int argc, char **argv)
{
    float *in = zeros<float>(N), *out = zeros<float>(N);
    if (has_fault(argc, argv))
        plain<<<BLOCKS, THREADS>>>(out, in);
    else
        shared<<<BLOCKS, THREADS>>>(out, in);
    finish(out);
}
