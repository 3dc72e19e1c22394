// SPDX-License-Identifier: Apache-2.0
// Tiles of 32 x 32 are transposed through shared memory, with a row of PAD elements more or without.
#include "advice.h"

template <int PAD> __global__ void transpose(float *out, const float *in)
{
    __shared__ float tile[32][32 + PAD];
    int x = threadIdx.x, first = blockIdx.x * 1024;
    for (int y = threadIdx.y; y < 32; y += 8)
        tile[y][x] = in[first + y * 32 + x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8)
        out[first + y * 32 + x] = tile[x][y];
}

int main(int argc, char **argv)
{
    float *in = zeros<float>(BLOCKS * 1024), *out = zeros<float>(BLOCKS * 1024);
    if (has_fault(argc, argv))
        transpose<0><<<BLOCKS, dim3(32, 8)>>>(out, in);
    else
        transpose<1><<<BLOCKS, dim3(32, 8)>>>(out, in);
    finish(out);
}
