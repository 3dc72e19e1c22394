// SPDX-License-Identifier: Apache-2.0
// Launches a kernel again and again until somebody makes the file "stop"; the kernel waits for nothing.
#include <cstdio>
#include <unistd.h>

__global__ void simulate_step(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 16; k++)
        if (i < n) x[(i * 33 + k) % n] += 1;
}

int main()
{
    const int n = 1 << 15, launches_most = 1000000;
    float *x;
    if (cudaMalloc(&x, n * sizeof *x) != cudaSuccess) return 1;
    for (int launches = 0; launches < launches_most && access("stop", F_OK) != 0; launches++) {
        simulate_step<<<n / 256, 256>>>(x, n);
        if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    }
    puts("stopped");
    return 0;
}
