// SPDX-License-Identifier: Apache-2.0
// device: h100:2
// Half of an array comes from a second device.
#include "advice.h"

int main(int argc, char **argv)
{
    constexpr size_t BYTES = 4 << 20;
    char *here = zeros<char>(BYTES), *there;
    bool direct = !has_fault(argc, argv);
    if (direct) CHECK(cudaDeviceEnablePeerAccess(1, 0));
    CHECK(cudaSetDevice(1));
    if (direct) CHECK(cudaDeviceEnablePeerAccess(0, 0));
    CHECK(cudaMalloc(&there, BYTES / 2));
    CHECK(cudaMemset(there, 1, BYTES / 2));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaSetDevice(0));
    CHECK(cudaMemcpyPeer(here, 0, there, 1, BYTES / 2));
    CHECK(cudaDeviceSynchronize());
    finish(here);
}
