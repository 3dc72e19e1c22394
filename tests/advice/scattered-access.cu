// SPDX-License-Identifier: Apache-2.0
#include "advice.h"

__global__ void gather(float *out, const float *in, const int *index)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[index[i]];
}

__global__ void fill(int *index, int factor)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    index[i] = (int)((long long)i * factor % N);
}

int main(int argc, char **argv)
{
    int factor = has_fault(argc, argv) ? 7919 : 1;
    float *in = zeros<float>(N), *out = zeros<float>(N);
    int *index = zeros<int>(N);
    fill<<<BLOCKS, THREADS>>>(index, factor);
    gather<<<BLOCKS, THREADS>>>(out, in, index);
    finish(out);
}
