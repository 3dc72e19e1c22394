// SPDX-License-Identifier: Apache-2.0
// Small launches of a kernel of many instructions: what a launch in detailed simulation costs besides what it executes (many.sh).
// usage: many [LAUNCHES [wide]]: some 350 instructions, wide: some 770 in one block
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

template <int CHAINS, int LINKS> __global__ void chains(const float *in, float *out, float x)
{
    float value[CHAINS], sum = 0;
#pragma unroll
    for (int i = 0; i < CHAINS; i++)
        value[i] = in[threadIdx.x + i * blockDim.x];
#pragma unroll
    for (int i = 0; i < LINKS; i++)
#pragma unroll
        for (int k = 0; k < CHAINS; k++)
            value[k] = value[k] * x + value[(k * 7 + 3) % CHAINS];
#pragma unroll
    for (int i = 0; i < CHAINS; i++)
        sum += value[i];
    out[threadIdx.x] = sum;
}

int main(int argc, char **argv)
{
    int launches = argc > 1 ? atoi(argv[1]) : 1000;
    float *data;
    if (cudaMalloc(&data, 1 << 20) != cudaSuccess || cudaMemset(data, 0, 1 << 20) != cudaSuccess) return 1;
    for (int i = 0; i < launches; i++)
        if (argc > 2)
            chains<40, 16><<<2, 64>>>(data, data + 65536, 0.5f);
        else
            chains<40, 6><<<2, 64>>>(data, data + 65536, 0.5f);
    return cudaDeviceSynchronize() != cudaSuccess;
}
