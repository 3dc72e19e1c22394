// SPDX-License-Identifier: Apache-2.0
// also: pageable-transfers
#include "advice.h"
#include <vector>

__global__ void use(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] += in[i];
}

int main(int argc, char **argv)
{
    bool again = has_fault(argc, argv);
    std::vector<float> host(N, 1.5f);
    float *in, *out = zeros<float>(N);
    CHECK(cudaMalloc(&in, N * sizeof(float)));
    for (int round = 0; round < 3; round++) {
        if (again || round == 0) CHECK(cudaMemcpy(in, host.data(), N * sizeof(float), cudaMemcpyHostToDevice));
        use<<<BLOCKS, THREADS>>>(out, in);
    }
    finish(out);
}
