// SPDX-License-Identifier: Apache-2.0
#include "advice.h"

template <int STRIDE> __global__ void copy(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * STRIDE];
}

int main(int argc, char **argv)
{
    float *in = zeros<float>(4 * N), *out = zeros<float>(N);
    if (has_fault(argc, argv))
        copy<4><<<BLOCKS, THREADS>>>(out, in);
    else
        copy<1><<<BLOCKS, THREADS>>>(out, in);
    finish(out);
}
