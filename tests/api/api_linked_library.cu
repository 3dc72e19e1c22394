/* SPDX-License-Identifier: Apache-2.0 */
/* The third file of api_linked_main.cu, in a static library. */
#include "api_check.h"
#include "api_linked.h"

static __device__ int file_local = 1234;

struct fish : animal {
    __device__ fish() : animal(0) {}
    __device__ int sound(int times) const override
    {
        return 3 * times;
    }
};

__device__ int bird::sound(int times) const
{
    return 2 * times;
}
__device__ int multiply_numbers(int a, int b)
{
    return a * b;
}
__device__ int library_step(int n)
{
    return recursive_sum(n - 1);
}
__constant__ operation constant_operation = multiply_numbers;
__device__ int written_by_all[8];

__device__ animal *make_animal(int kind)
{
    if (kind == 0) return new animal(4);
    if (kind == 1) return new bird;
    return new fish;
}

__global__ void library_kernel(int *out)
{
    *out = file_local;
}

int library_host()
{
    int *out, value;
    OK(cudaMalloc(&out, 4096));
    library_kernel<<<1, 1>>>(out);
    OK(cudaMemcpy(&value, out, sizeof value, cudaMemcpyDefault));
    return value;
}
