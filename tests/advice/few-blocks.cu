// SPDX-License-Identifier: Apache-2.0
#include "advice.h"

__global__ void copy(float *out, const float *in, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i];
}

int main(int argc, char **argv)
{
    float *in = zeros<float>(N), *out = zeros<float>(N);
    copy<<<has_fault(argc, argv) ? 16 : BLOCKS, THREADS>>>(out, in, N);
    finish(out);
}
