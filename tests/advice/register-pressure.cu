// SPDX-License-Identifier: Apache-2.0
#include "advice.h"

template <int COUNT> __global__ void alive(float *out, const volatile float *in)
{
    float values[COUNT];
    int i = blockIdx.x * THREADS + threadIdx.x;
#pragma unroll
    for (int j = 0; j < COUNT; j++)
        values[j] = in[j * N + i];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int j = COUNT - 1; j >= 0; j--)
        sum = sum * 0.5f + values[j];
    out[i] = sum;
}

int main(int argc, char **argv)
{
    float *in = zeros<float>((size_t)150 * N), *out = zeros<float>(N);
    if (has_fault(argc, argv))
        alive<150><<<BLOCKS / 8, THREADS>>>(out, in);
    else
        alive<8><<<BLOCKS / 8, THREADS>>>(out, in);
    finish(out);
}
