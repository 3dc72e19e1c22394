// SPDX-License-Identifier: Apache-2.0
#include "advice.h"

__global__ void copy(float *out, const float *in)
{
    extern __shared__ float tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = tile[threadIdx.x];
}

int main(int argc, char **argv)
{
    float *in = zeros<float>(N), *out = zeros<float>(N);
    copy<<<2 * BLOCKS, THREADS / 2, has_fault(argc, argv) ? 48 << 10 : THREADS / 2 * sizeof(float)>>>(out, in);
    finish(out);
}
