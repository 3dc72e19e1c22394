// SPDX-License-Identifier: Apache-2.0
#include "advice.h"

__global__ void early(float *out, const float *in, int n)
{
    __shared__ float tile[THREADS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = tile[threadIdx.x ^ 1];
}

__global__ void late(float *out, const float *in, int n)
{
    __shared__ float tile[THREADS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) tile[threadIdx.x] = in[i];
    __syncthreads();
    if (i < n) out[i] = tile[threadIdx.x ^ 1];
}

int main(int argc, char **argv)
{
    float *in = zeros<float>(N), *out = zeros<float>(N);
    if (has_fault(argc, argv))
        early<<<BLOCKS, THREADS>>>(out, in, N - 10);
    else
        late<<<BLOCKS, THREADS>>>(out, in, N - 10);
    finish(out);
}
