// SPDX-License-Identifier: Apache-2.0
#include "advice.h"

__global__ void indexed(float *out, const float *in, int turn)
{
    float values[16];
    int i = blockIdx.x * THREADS + threadIdx.x;
    for (int j = 0; j < 16; j++)
        values[(j + turn) % 16] = in[j * N + i];
    float sum = 0;
    for (int j = 0; j < 16; j++)
        sum = sum * 0.5f + values[j];
    out[i] = sum;
}

__global__ void unrolled(float *out, const float *in)
{
    float values[16];
    int i = blockIdx.x * THREADS + threadIdx.x;
#pragma unroll
    for (int j = 0; j < 16; j++)
        values[j] = in[j * N + i];
    float sum = 0;
#pragma unroll
    for (int j = 0; j < 16; j++)
        sum = sum * 0.5f + values[j];
    out[i] = sum;
}

int main(int argc, char **argv)
{
    float *in = zeros<float>(16 * N), *out = zeros<float>(N);
    if (has_fault(argc, argv))
        indexed<<<BLOCKS, THREADS>>>(out, in, 5);
    else
        unrolled<<<BLOCKS, THREADS>>>(out, in);
    finish(out);
}
