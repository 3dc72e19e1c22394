// SPDX-License-Identifier: Apache-2.0
#include "advice.h"

__global__ void by_pow(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = powf(in[i], 3.0f);
}

__global__ void by_product(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] * in[i] * in[i];
}

int main(int argc, char **argv)
{
    float *in = zeros<float>(N), *out = zeros<float>(N);
    if (has_fault(argc, argv))
        by_pow<<<BLOCKS, THREADS>>>(out, in);
    else
        by_product<<<BLOCKS, THREADS>>>(out, in);
    finish(out);
}
