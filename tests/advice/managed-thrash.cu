// SPDX-License-Identifier: Apache-2.0
#include "advice.h"

__global__ void add(float *data)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] += 1.0f;
}

int main(int argc, char **argv)
{
    bool turns = has_fault(argc, argv);
    float *data;
    CHECK(cudaMallocManaged(&data, N * sizeof(float)));
    std::memset(data, 0, N * sizeof(float));
    for (int round = 0; round < 6; round++) {
        add<<<BLOCKS, THREADS>>>(data);
        CHECK(cudaDeviceSynchronize());
        for (int i = 0; turns && i < N; i++)
            data[i] *= 0.5f;
    }
    float last = data[N - 1];
    CHECK(cudaFree(data));
    return last == 0;
}
