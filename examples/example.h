// SPDX-License-Identifier: Apache-2.0
// What every example needs: stop at the first CUDA error, numbers from the command line, a verdict.
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status_)); \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (0)

// The value of `-name VALUE`, or the default.
inline const char *option_text(int argc, char **argv, const char *name, const char *otherwise)
{
    for (int i = 1; i + 1 < argc; i++)
        if (std::strcmp(argv[i], name) == 0) return argv[i + 1];
    return otherwise;
}

inline long option(int argc, char **argv, const char *name, long otherwise)
{
    const char *text = option_text(argc, argv, name, nullptr);
    return text ? std::strtol(text, nullptr, 0) : otherwise;
}

// An array on the device, filled from the host.
template <typename T> T *to_device(const std::vector<T> &values)
{
    T *pointer;
    CHECK(cudaMalloc(&pointer, values.size() * sizeof(T)));
    CHECK(cudaMemcpy(pointer, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return pointer;
}

template <typename T> std::vector<T> to_host(const T *pointer, size_t count)
{
    std::vector<T> values(count);
    CHECK(cudaMemcpy(values.data(), pointer, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
}

// After a launch: errors of the launch itself and of the kernel.
inline void finish()
{
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}

inline int verdict(const char *what, size_t wrong)
{
    if (wrong)
        std::printf("%s: FAILED, %zu values differ\n", what, wrong);
    else
        std::printf("%s: PASSED\n", what);
    return wrong != 0;
}

#endif
