/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel and two products of matrices, for reports of routines of libraries; with an argument, the second one reads past the end
 * of its operand. */
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(float *p, float value)
{
    p[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

int main(int argc, char **)
{
    const int n = 256;
    const float one = 1, zero = 0;
    float *a, *b, first;
    cublasHandle_t handle;
    cudaMalloc(&a, n * n * sizeof(float));
    cudaMalloc(&b, n * n * sizeof(float));
    if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 77;
    fill<<<n, n>>>(a, 1);
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, a, n, &zero, b, n);
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n, b + (argc > 1), n, &zero, a, n);
    cudaMemcpy(&first, a, sizeof first, cudaMemcpyDeviceToHost);
    std::printf("first %g\n", first);
    return cublasDestroy(handle);
}
