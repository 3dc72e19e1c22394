// SPDX-License-Identifier: Apache-2.0
// What the examples share: error checks, device arrays, and the last line that says whether the result is right.
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t error_ = (call);                                                                                   \
        if (error_ != cudaSuccess) {                                                                                   \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_));                 \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

// A device copy of count floats; zeros when host is null.
static inline float *to_device(const float *host, size_t count)
{
    float *device = 0;
    CHECK(cudaMalloc((void **)&device, count * sizeof(float)));
    if (host)
        CHECK(cudaMemcpy(device, host, count * sizeof(float), cudaMemcpyHostToDevice));
    else
        CHECK(cudaMemset(device, 0, count * sizeof(float)));
    return device;
}

static inline void to_host(float *host, const float *device, size_t count)
{
    CHECK(cudaMemcpy(host, device, count * sizeof(float), cudaMemcpyDeviceToHost));
}

// Small whole numbers, so that sums are exact in any order.
static inline float *make_input(size_t count)
{
    float *host = (float *)malloc(count * sizeof(float));
    if (!host) exit(1);
    for (size_t i = 0; i < count; i++)
        host[i] = (float)((i * 7 + i / 13) % 101);
    return host;
}

static inline int argument(int argc, char **argv, int i, int otherwise)
{
    return i < argc ? atoi(argv[i]) : otherwise;
}

static inline int verdict(bool good)
{
    printf(good ? "result: correct\n" : "result: WRONG\n");
    return good ? 0 : 1;
}
#endif
