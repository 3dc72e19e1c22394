// SPDX-License-Identifier: Apache-2.0
// Many launches of one kernel and one of another: many N [GRIDS]. GRIDS: they have so many different grids.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void count_up(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x]++; }
__global__ void start(int *p) { p[threadIdx.x] = 0; }

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1, grids = argc > 2 ? atoi(argv[2]) : 1, first = -1;
    int *p;
    if (cudaMalloc(&p, (grids + 1) * 64 * sizeof(int)) != cudaSuccess) return 1;
    start<<<1, 64>>>(p);
    for (int i = 0; i < n; i++)
        count_up<<<1 + i % grids, 64>>>(p);
    cudaMemcpy(&first, p, sizeof first, cudaMemcpyDeviceToHost);
    printf("many: %s\n", first == n ? "PASSED" : "FAILED");
    return first != n;
}
