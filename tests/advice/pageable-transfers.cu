// SPDX-License-Identifier: Apache-2.0
#include "advice.h"

int main(int argc, char **argv)
{
    constexpr size_t BYTES = 4 << 20;
    char *host, *device = zeros<char>(BYTES);
    if (has_fault(argc, argv))
        host = (char *)std::malloc(BYTES);
    else
        CHECK(cudaMallocHost(&host, BYTES));
    std::memset(host, 1, BYTES);
    CHECK(cudaMemcpy(device, host, BYTES, cudaMemcpyHostToDevice));
    finish(device);
}
