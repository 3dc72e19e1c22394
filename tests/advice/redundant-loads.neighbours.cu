// SPDX-License-Identifier: Apache-2.0
// also: misaligned-access
// Each thread reads its neighbours' elements: through L1, or once through shared memory.
#include "advice.h"

constexpr int RADIUS = 4, TILE = THREADS + 2 * RADIUS;

__global__ void global(float *out, const float *in, int n)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    float sum = 0;
    for (int d = -RADIUS; d <= RADIUS; d++)
        sum += in[(i + d + n) & (n - 1)];
    out[i] = sum;
}

__global__ void tiled(float *out, const float *in, int n)
{
    __shared__ float tile[TILE];
    int i = blockIdx.x * THREADS + threadIdx.x;
    for (int k = threadIdx.x; k < TILE; k += THREADS)
        tile[k] = in[(i - (int)threadIdx.x + k - RADIUS + n) & (n - 1)];
    __syncthreads();
    float sum = 0;
    for (int d = 0; d <= 2 * RADIUS; d++)
        sum += tile[threadIdx.x + d];
    out[i] = sum;
}

int main(int argc, char **argv)
{
    int n = 1 << 18; // at most N
    float *in = zeros<float>(N), *out = zeros<float>(N);
    if (has_fault(argc, argv))
        global<<<BLOCKS, THREADS>>>(out, in, n);
    else
        tiled<<<BLOCKS, THREADS>>>(out, in, n);
    finish(out);
}
