// SPDX-License-Identifier: Apache-2.0
#include "advice.h"

__global__ void with_doubles(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] * 3.14159 + 0.1;
}

__global__ void with_floats(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] * 3.14159f + 0.1f;
}

int main(int argc, char **argv)
{
    float *in = zeros<float>(N), *out = zeros<float>(N);
    if (has_fault(argc, argv))
        with_doubles<<<BLOCKS, THREADS>>>(out, in);
    else
        with_floats<<<BLOCKS, THREADS>>>(out, in);
    finish(out);
}
