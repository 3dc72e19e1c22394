// SPDX-License-Identifier: Apache-2.0
#include "advice.h"

__global__ void add(float *sum, const float *data)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sum[i] += data[i];
}

int main(int argc, char **argv)
{
    bool in_loop = has_fault(argc, argv);
    float *sum = zeros<float>(N), *scratch = nullptr;
    for (int round = 0; round < 12; round++) {
        if (in_loop || !scratch) CHECK(cudaMalloc(&scratch, N * sizeof(float)));
        CHECK(cudaMemset(scratch, 1, N * sizeof(float)));
        add<<<BLOCKS, THREADS>>>(sum, scratch);
        if (in_loop) CHECK(cudaFree(scratch));
    }
    finish(sum);
}
