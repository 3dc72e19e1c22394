// SPDX-License-Identifier: Apache-2.0
#include "advice.h"
#include <vector>

int main(int argc, char **argv)
{
    constexpr int PARTS = 64, BYTES = 4096;
    bool many = has_fault(argc, argv);
    std::vector<char> host(PARTS * BYTES, 1);
    char *device = zeros<char>(PARTS * BYTES);
    for (int part = 0; many && part < PARTS; part++)
        CHECK(cudaMemcpy(device + part * BYTES, &host[part * BYTES], BYTES, cudaMemcpyHostToDevice));
    if (!many) CHECK(cudaMemcpy(device, host.data(), host.size(), cudaMemcpyHostToDevice));
    finish(device);
}
