// SPDX-License-Identifier: Apache-2.0
#include "advice.h"

__global__ void copy(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}

int main(int argc, char **argv)
{
    int threads = has_fault(argc, argv) ? 100 : 128;
    float *in = zeros<float>(128 * BLOCKS * 2), *out = zeros<float>(128 * BLOCKS * 2);
    copy<<<BLOCKS * 2, threads>>>(out, in, threads * BLOCKS * 2);
    finish(out);
}
