/* SPDX-License-Identifier: Apache-2.0 */
/* Errors: the last error, and a fault inside a kernel, which stays until the process ends, as the documentation of
 * cudaErrorIllegalAddress says. */
#include "api_check.h"
#include <cuda_runtime.h>

__global__ void write_far(int *data, size_t index)
{
    data[index] = 1;
}

static void last_error()
{
    int *data;
    FAILS(cudaErrorInvalidDevice, cudaSetDevice(1000));
    FAILS(cudaErrorInvalidDevice, cudaPeekAtLastError());
    FAILS(cudaErrorInvalidDevice, cudaGetLastError());
    OK(cudaGetLastError());
    FAILS(cudaErrorMemoryAllocation, cudaMalloc(&data, size_t(1) << 60));
    FAILS(cudaErrorMemoryAllocation, cudaGetLastError());
    FAILS(cudaErrorInvalidValue, cudaFree(&data));
    FAILS(cudaErrorInvalidValue, cudaGetLastError());
}

static void sticky()
{
    int *data;
    OK(cudaMalloc(&data, 64));
    write_far<<<1, 1>>>(data, size_t(1) << 45);
    OK(cudaGetLastError()); /* the launch itself went well */
    FAILS(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    FAILS(cudaErrorIllegalAddress, cudaGetLastError());
    int host;
    FAILS(cudaErrorIllegalAddress, cudaMemcpy(&host, data, sizeof(int), cudaMemcpyDeviceToHost));
    FAILS(cudaErrorIllegalAddress, cudaMalloc(&data, 64));
    (void)cudaDeviceReset();
    (void)cudaGetLastError();
    FAILS(cudaErrorIllegalAddress, cudaMalloc(&data, 64));
}

int main()
{
    last_error();
    sticky();
    std::puts("ok");
    return 0;
}
