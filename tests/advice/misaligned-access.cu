// SPDX-License-Identifier: Apache-2.0
#include "advice.h"

__global__ void copy(float *out, const float *in, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + offset];
}

int main(int argc, char **argv)
{
    int offset = has_fault(argc, argv) ? 3 : 8;
    float *in = zeros<float>(N + 8), *out = zeros<float>(N);
    copy<<<BLOCKS, THREADS>>>(out, in, offset);
    finish(out);
}
