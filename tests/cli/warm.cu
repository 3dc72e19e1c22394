/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of each kind of block. With the argument "waits" it launches none of them, and ends when its input
 * ends; with "resets" it loads the module again and again, and drops it at once. */
#include <cstdio>
#include <cstring>

__global__ void one(float *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}
__global__ void two(float *x, int pitch)
{
    x[(blockIdx.y * blockDim.y + threadIdx.y) * pitch + blockIdx.x * blockDim.x + threadIdx.x] += 2;
}
__global__ void __launch_bounds__(64) bounded(float *x)
{
    x[threadIdx.x] += 3;
}

int main(int argc, char **argv)
{
    cudaFuncAttributes attributes; /* which loads the module */
    bool resets = argc > 1 && strcmp(argv[1], "resets") == 0;
    for (int i = 0; resets && i < 20; i++)
        if (cudaFuncGetAttributes(&attributes, one) != cudaSuccess || cudaDeviceReset() != cudaSuccess)
            return 1;
    if (cudaFuncGetAttributes(&attributes, one) != cudaSuccess) return 1;
    if (argc > 1 && !resets) {
        while (getchar() != EOF) {
        }
        return 0;
    }
    float *x, y = 0;
    cudaMalloc(&x, 1024 * sizeof *x);
    cudaMemset(x, 0, 1024 * sizeof *x);
    one<<<4, 256>>>(x);
    two<<<dim3(2, 2), dim3(16, 16)>>>(x, 32);
    bounded<<<1, 64>>>(x);
    cudaMemcpy(&y, x, sizeof y, cudaMemcpyDeviceToHost);
    printf("%g\n", y);
    return y == 6 ? 0 : 1;
}
