// SPDX-License-Identifier: Apache-2.0
#include "advice.h"

__global__ void work(float *result, float *other)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    result[i] = (float)i;
    other[i] = 2.0f * (float)i;
}

int main(int argc, char **argv)
{
    float *result, *other, first[2];
    bool unused = has_fault(argc, argv);
    CHECK(cudaMalloc(&result, N * sizeof(float)));
    CHECK(cudaMalloc(&other, N * sizeof(float)));
    work<<<BLOCKS, THREADS>>>(result, other);
    CHECK(cudaMemcpy(&first[0], result, sizeof(float), cudaMemcpyDeviceToHost));
    if (!unused) CHECK(cudaMemcpy(&first[1], other, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(result));
    CHECK(cudaFree(other));
}
