// SPDX-License-Identifier: Apache-2.0
// Of race_memory.sh: what --racecheck-memory chooses. Blocks of 64 threads; program CASE.
#include <cstdio>
#include <cstring>

__device__ int flags[1024], sums[1024];

__global__ void shared_race(int *out) // each block: the second warp reads what the first writes
{
    __shared__ int tile[64];
    tile[threadIdx.x] = blockIdx.x;
    out[blockIdx.x * 64 + threadIdx.x] = tile[threadIdx.x ^ 32];
}

__global__ void odd_blocks(int *out) // only blocks of odd number
{
    __shared__ int tile[64];
    tile[threadIdx.x] = blockIdx.x;
    if (blockIdx.x % 2 == 0) __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = tile[threadIdx.x ^ 32];
}

__global__ void global_race(int *out) // blocks write other values to the same elements
{
    out[threadIdx.x] = blockIdx.x;
}

__global__ void both(int *out)
{
    __shared__ int tile[64];
    tile[threadIdx.x] = blockIdx.x;
    out[threadIdx.x] = tile[threadIdx.x ^ 32] + blockIdx.x;
}

__global__ void flag_in_global(int *out) // an order by global memory is one of accesses of shared memory, too
{
    __shared__ int value;
    if (threadIdx.x == 0) {
        value = blockIdx.x;
        __threadfence();
        atomicExch(&flags[blockIdx.x], 1);
    }
    if (threadIdx.x == 32) {
        while (atomicAdd(&flags[blockIdx.x], 0) == 0) {
        }
        __threadfence();
        out[blockIdx.x] = value;
    }
}

__global__ void flag_in_shared(int *out) // and the other way round
{
    __shared__ int flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = blockIdx.x;
        __threadfence();
        atomicExch(&flag, 1);
    }
    if (threadIdx.x == 32) {
        while (atomicAdd(&flag, 0) == 0) {
        }
        __threadfence();
        out[blockIdx.x] = sums[blockIdx.x];
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*kernel)(int *);
    } CASES[] = {{"shared_race", shared_race},       {"odd_blocks", odd_blocks},         {"global_race", global_race},
                 {"both", both},                     {"flag_in_global", flag_in_global}, {"flag_in_shared", flag_in_shared}};
    const int blocks = 512;
    int *out;
    if (cudaMalloc(&out, blocks * 64 * sizeof *out) != cudaSuccess) return 1;
    for (const auto &c : CASES)
        if (argc > 1 && !strcmp(argv[1], c.name)) {
            c.kernel<<<blocks, 64>>>(out);
            c.kernel<<<blocks, 64>>>(out);
            return cudaDeviceSynchronize() != cudaSuccess;
        }
    return 1;
}
