// SPDX-License-Identifier: Apache-2.0
#include "advice.h"

__global__ void exact(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = expf(in[i]) / (in[i] + 2.0f);
}

__global__ void fast(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = __fdividef(__expf(in[i]), in[i] + 2.0f);
}

int main(int argc, char **argv)
{
    float *in = zeros<float>(N), *out = zeros<float>(N);
    if (has_fault(argc, argv))
        exact<<<BLOCKS, THREADS>>>(out, in);
    else
        fast<<<BLOCKS, THREADS>>>(out, in);
    finish(out);
}
