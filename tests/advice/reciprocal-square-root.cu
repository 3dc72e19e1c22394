// SPDX-License-Identifier: Apache-2.0
#include "advice.h"

__global__ void two_steps(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 1.0f / sqrtf(in[i] + 1.0f);
}

__global__ void one_step(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = rsqrtf(in[i] + 1.0f);
}

int main(int argc, char **argv)
{
    float *in = zeros<float>(N), *out = zeros<float>(N);
    if (has_fault(argc, argv))
        two_steps<<<BLOCKS, THREADS>>>(out, in);
    else
        one_step<<<BLOCKS, THREADS>>>(out, in);
    finish(out);
}
