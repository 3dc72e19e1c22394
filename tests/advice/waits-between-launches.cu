// SPDX-License-Identifier: Apache-2.0
// Steps of a simulation, one launch each: the host waits after each step, or once after the last one.
#include "advice.h"

__global__ void step(float *data)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = data[i] * 0.5f + 1.0f;
}

int main(int argc, char **argv)
{
    constexpr int STEPS = 64;
    bool waits = has_fault(argc, argv);
    float *data = zeros<float>(N);
    for (int i = 0; i < STEPS; i++) {
        step<<<BLOCKS, THREADS>>>(data);
        if (waits) CHECK(cudaDeviceSynchronize());
    }
    finish(data);
}
