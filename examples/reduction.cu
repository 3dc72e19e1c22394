// SPDX-License-Identifier: Apache-2.0
// The sum of an array, one partial sum a block: divergent, convergent, in shared memory, by shuffles, by
// atomics.
//   reduction [-kernel neighbored|neighbored_less|interleaved|shared|shuffle|atomic] [-n ELEMENTS] [-b
//   THREADS]
#include "example.h"

// Neighbours are added: half of each warp idles from the first step on.
__global__ void neighbored(int *data, int *sums, int n)
{
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    for (int step = 1; step < blockDim.x; step *= 2) {
        if (t % (2 * step) == 0 && i + step < n) data[i] += data[i + step];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = data[i];
}

// The same sums by the first threads of the block: whole warps work or rest.
__global__ void neighbored_less(int *data, int *sums, int n)
{
    int t = threadIdx.x, first = blockIdx.x * blockDim.x;
    for (int step = 1; step < blockDim.x; step *= 2) {
        int at = 2 * step * t;
        if (at < blockDim.x && first + at + step < n) data[first + at] += data[first + at + step];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = data[first];
}

__global__ void interleaved(int *data, int *sums, int n)
{
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (t < step && i + step < n) data[i] += data[i + step];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = data[i];
}

__global__ void shared(int *data, int *sums, int n)
{
    extern __shared__ int partial[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    partial[t] = i < n ? data[i] : 0;
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (t < step) partial[t] += partial[t + step];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = partial[0];
}

__device__ int warp_sum(int value)
{
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, step);
    return value;
}

__global__ void shuffle(int *data, int *sums, int n)
{
    __shared__ int partial[32];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32, warp = t / 32;
    int sum = warp_sum(i < n ? data[i] : 0);
    if (lane == 0) partial[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = warp_sum(lane < blockDim.x / 32 ? partial[lane] : 0);
        if (lane == 0) sums[blockIdx.x] = sum;
    }
}

__global__ void atomic(int *data, int *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&sums[blockIdx.x], data[i]);
}

struct variant {
    const char *name;
    void (*kernel)(int *, int *, int);
};
static const variant variants[] = {{"neighbored", neighbored},   {"neighbored_less", neighbored_less},
                                   {"interleaved", interleaved}, {"shared", shared},
                                   {"shuffle", shuffle},         {"atomic", atomic}};

int main(int argc, char **argv)
{
    const char *name = option_text(argc, argv, "-kernel", "interleaved");
    int n = (int)option(argc, argv, "-n", 1 << 20), block = (int)option(argc, argv, "-b", 512);
    int blocks = (n + block - 1) / block;
    void (*kernel)(int *, int *, int) = nullptr;
    for (const variant &candidate : variants)
        if (!strcmp(candidate.name, name)) kernel = candidate.kernel;
    if (!kernel || block % 32 || (block & (block - 1))) {
        std::fprintf(stderr,
                     "reduction: no kernel '%s', or a block size that is no power of two from 32 on\n", name);
        return 2;
    }
    std::vector<int> data(n), zero(blocks, 0);
    long long expected = 0;
    for (int i = 0; i < n; i++) {
        data[i] = i % 251 - 100;
        expected += data[i];
    }
    int *on_data = to_device(data), *on_sums = to_device(zero);

    kernel<<<blocks, block, block * sizeof(int)>>>(on_data, on_sums, n);
    finish();

    long long total = 0;
    for (int sum : to_host(on_sums, blocks))
        total += sum;
    CHECK(cudaFree(on_data));
    CHECK(cudaFree(on_sums));
    return verdict(name, total != expected);
}
