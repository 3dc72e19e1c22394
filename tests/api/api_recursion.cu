/* SPDX-License-Identifier: Apache-2.0 */
/* Recursion as deep as a GPU's largest stack allows: direct, mutual, and by function pointer. */
#include "api_check.h"
#include <cuda_runtime.h>

__device__ unsigned down(unsigned n, unsigned x)
{
    return n == 0 ? x : 1664525u * down(n - 1, x ^ n) + 1013904223u;
}

__device__ unsigned pong(unsigned n, unsigned x);
__device__ unsigned ping(unsigned n, unsigned x)
{
    return n == 0 ? x : pong(n - 1, x + 1) * 3;
}
__device__ unsigned pong(unsigned n, unsigned x)
{
    return n == 0 ? x : ping(n - 1, x + 2) + 7;
}

typedef unsigned (*step)(unsigned, unsigned);
__device__ step steps[2];
__device__ unsigned by_pointer(unsigned n, unsigned x)
{
    return n == 0 ? x : steps[n % 2](n - 1, x + n) ^ n;
}

__global__ void set()
{
    steps[0] = steps[1] = by_pointer;
}

__global__ void run(unsigned *out, unsigned depth)
{
    unsigned t = threadIdx.x;
    out[3 * t] = down(depth + t, t);
    out[3 * t + 1] = ping(depth + t, t);
    out[3 * t + 2] = by_pointer(depth + t, t);
}

static unsigned host_down(unsigned n, unsigned x)
{
    unsigned sum = x;
    for (unsigned i = n; i > 0; i--)
        sum ^= i;
    for (unsigned i = 0; i < n; i++)
        sum = 1664525u * sum + 1013904223u;
    return sum;
}

static unsigned host_ping(unsigned n, unsigned x)
{
    for (unsigned i = 0; i < n; i++)
        x += i % 2 ? 2 : 1;
    for (unsigned i = n; i > 0; i--)
        x = i % 2 ? x * 3 : x + 7;
    return x;
}

static unsigned host_pointer(unsigned n, unsigned x)
{
    for (unsigned i = n; i > 0; i--)
        x += i;
    for (unsigned i = 1; i <= n; i++)
        x ^= i;
    return x;
}

int main()
{
    unsigned *out;
    OK(cudaMallocManaged(&out, 96 * 3 * sizeof *out));
    OK(cudaDeviceSetLimit(cudaLimitStackSize, 256 << 10));
    set<<<1, 1>>>();
    run<<<1, 96>>>(out, 4000);
    OK(cudaDeviceSynchronize());
    for (unsigned t = 0; t < 96; t++) {
        CHECK(out[3 * t] == host_down(4000 + t, t));
        CHECK(out[3 * t + 1] == host_ping(4000 + t, t));
        CHECK(out[3 * t + 2] == host_pointer(4000 + t, t));
    }
    std::puts("ok");
    return 0;
}
