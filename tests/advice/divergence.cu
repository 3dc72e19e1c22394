// SPDX-License-Identifier: Apache-2.0
#include "advice.h"

template <int WIDTH> __global__ void work(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];
    if (threadIdx.x / WIDTH % 2)
        for (int j = 0; j < 50; j++)
            x = x * 0.5f + (float)j;
    else
        for (int j = 0; j < 50; j++)
            x = x * x - 2.0f;
    out[i] = x;
}

int main(int argc, char **argv)
{
    float *in = zeros<float>(N), *out = zeros<float>(N);
    if (has_fault(argc, argv))
        work<1><<<BLOCKS, THREADS>>>(out, in);
    else
        work<32><<<BLOCKS, THREADS>>>(out, in);
    finish(out);
}
