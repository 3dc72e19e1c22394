// SPDX-License-Identifier: Apache-2.0
// For the pairs about registers: COUNT values of a thread are alive at once: all are read, then used in the
// other order. volatile: ptxas must not read them late.
#pragma once
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
