// SPDX-License-Identifier: Apache-2.0
// What the pairs share: each program runs a kernel with a fault ("fault") or without it ("fine"), and nothing
// else that advice could be given on.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t error_ = (call);                                                                         \
        if (error_ != cudaSuccess) {                                                                         \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_));             \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (0)

constexpr int THREADS = 256, BLOCKS = 132 * 8, N = THREADS * BLOCKS; // whole waves of an H200

inline bool has_fault(int argc, char **argv)
{
    if (argc == 2 && !std::strcmp(argv[1], "fault")) return true;
    if (argc == 2 && !std::strcmp(argv[1], "fine")) return false;
    std::fprintf(stderr, "usage: %s fault | fine\n", argv[0]);
    std::exit(2);
}

// Zeros on the device.
template <typename T> T *zeros(size_t count)
{
    T *data;
    CHECK(cudaMalloc(&data, count * sizeof(T)));
    CHECK(cudaMemset(data, 0, count * sizeof(T)));
    return data;
}

// Waits, and reads one element of a result, so that it is used.
template <typename T> void finish(const T *result)
{
    T first;
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&first, result, sizeof(T), cudaMemcpyDeviceToHost));
}
