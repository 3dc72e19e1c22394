// SPDX-License-Identifier: Apache-2.0
// Four pieces: copied, worked on and copied back, one after the other or in four streams.
#include "advice.h"

__global__ void work(float *data)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = data[i] * 0.5f + 1.0f;
}

int main(int argc, char **argv)
{
    constexpr int PARTS = 4;
    constexpr size_t BYTES = N * sizeof(float);
    bool serial = has_fault(argc, argv);
    float *host, *device = zeros<float>(PARTS * N);
    CHECK(cudaMallocHost(&host, PARTS * BYTES));
    for (int i = 0; i < PARTS * N; i++)
        host[i] = (float)i;
    for (int part = 0; part < PARTS; part++) {
        float *from = host + part * N, *to = device + part * N;
        if (serial) {
            CHECK(cudaMemcpy(to, from, BYTES, cudaMemcpyHostToDevice));
            work<<<BLOCKS, THREADS>>>(to);
            CHECK(cudaMemcpy(from, to, BYTES, cudaMemcpyDeviceToHost));
            continue;
        }
        cudaStream_t stream;
        CHECK(cudaStreamCreate(&stream));
        CHECK(cudaMemcpyAsync(to, from, BYTES, cudaMemcpyHostToDevice, stream));
        work<<<BLOCKS, THREADS, 0, stream>>>(to);
        CHECK(cudaMemcpyAsync(from, to, BYTES, cudaMemcpyDeviceToHost, stream));
    }
    CHECK(cudaDeviceSynchronize());
}
