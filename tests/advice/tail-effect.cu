// SPDX-License-Identifier: Apache-2.0
// An H200 runs 8 of these blocks on each of its 132 multiprocessors at once.
#include "advice.h"

__global__ void copy(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

int main(int argc, char **argv)
{
    float *in = zeros<float>(2 * N), *out = zeros<float>(2 * N);
    copy<<<has_fault(argc, argv) ? BLOCKS + 40 : 2 * BLOCKS, THREADS>>>(out, in);
    finish(out);
}
