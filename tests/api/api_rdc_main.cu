/* SPDX-License-Identifier: Apache-2.0 */
/* Separate compilation (-rdc=true): a kernel here calls a function and reads a variable of api_rdc_part.cu.
 */
#include "api_check.h"
#include <cuda_runtime.h>

extern __device__ int factor;
extern __device__ int times_factor(int value);
void set_factor(int value);

__global__ void apply(int *data)
{
    data[threadIdx.x] = times_factor(data[threadIdx.x]) + factor;
}

int main()
{
    int host[32], *data;
    for (int i = 0; i < 32; i++)
        host[i] = i;
    OK(cudaMalloc(&data, sizeof(host)));
    OK(cudaMemcpy(data, host, sizeof(host), cudaMemcpyHostToDevice));
    set_factor(7);
    apply<<<1, 32>>>(data);
    OK(cudaMemcpy(host, data, sizeof(host), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++)
        CHECK(host[i] == 7 * i + 7);
    std::puts("ok");
    return 0;
}
