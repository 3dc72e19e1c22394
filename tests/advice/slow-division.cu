// SPDX-License-Identifier: Apache-2.0
#include "advice.h"

__global__ void divide(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] / n + in[i] % n;
}

__global__ void shift(int *out, const int *in, int log)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = (in[i] >> log) + (in[i] & ((1 << log) - 1));
}

int main(int argc, char **argv)
{
    int *in = zeros<int>(N), *out = zeros<int>(N);
    if (has_fault(argc, argv))
        divide<<<BLOCKS, THREADS>>>(out, in, 8);
    else
        shift<<<BLOCKS, THREADS>>>(out, in, 3);
    finish(out);
}
