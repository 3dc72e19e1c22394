/* SPDX-License-Identifier: Apache-2.0 */
/* The second file of api_linked_main.cu. */
#include "api_check.h"
#include "api_linked.h"

static __device__ int file_local = 32;
static __device__ int file_function(int x)
{
    return x + file_local;
}

__device__ int add_numbers(int a, int b)
{
    return a + b;
}
static __device__ int subtract(int a, int b)
{
    return a - b;
}
__device__ operation operations[3] = {add_numbers, multiply_numbers, subtract};
__constant__ int constant_values[4] = {10, 20, 30, 40};
__managed__ int managed_counter;

__device__ int animal::sound(int times) const
{
    return times;
}
__device__ animal::~animal() {}

__device__ int recursive_sum(int n)
{
    return n == 0 ? 0 : n + library_step(n);
}

__global__ void part_kernel(int *out)
{
    out[threadIdx.x] = file_function(1) + shared_inline(0) + shared_template(0);
    atomicAdd(&managed_counter, 1);
}

int part_host()
{
    int *out, value;
    OK(cudaMalloc(&out, 4096));
    part_kernel<<<1, 32>>>(out);
    OK(cudaMemcpy(&value, out, sizeof value, cudaMemcpyDefault));
    return value;
}
