// SPDX-License-Identifier: Apache-2.0
// What the programs of bench/libraries.sh share: OpenBLAS' functions, memory, and rows of measurements.
#ifndef BENCH_LIBRARIES_H
#define BENCH_LIBRARIES_H

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <cusparse.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>

extern cublasHandle_t blas;
extern cusparseHandle_t sparse;
extern cusolverDnHandle_t solver;

// A function of the OpenBLAS that cuBLAS opened; ends the program where it has none.
void *openblas(const char *name);
template <class Function> Function openblas(const char *name)
{
    return reinterpret_cast<Function>(openblas(name));
}

template <class T> T *memory(size_t count)
{
    void *at = nullptr;
    if (cudaMallocManaged(&at, count * sizeof(T)) != cudaSuccess) exit(2);
    memset(at, 0, count * sizeof(T));
    return static_cast<T *>(at);
}
inline float number(size_t i)
{
    return (float)((i * 2654435761u >> 8) % 1024) / 512 - 1;
}
template <class T> void fill(T *at, size_t count)
{
    for (size_t i = 0; i < count; i++)
        at[i] = (T)number(i);
}

// What both leave, of which the largest difference counts as a part of the largest number.
struct result {
    std::function<double(size_t)> at;
    size_t count;
};
template <class T> result results(const T *at, size_t count)
{
    return {[at](size_t i) { return (double)at[i]; }, count};
}

// Whether a row is asked for (-k), so that its operands are worth their memory.
bool wanted(const char *name);
using action = std::function<void()>;
// ours and direct, in turns; before: each call, which is then waited for; without, calls are queued in rows.
void row(const char *name, const action &before, const action &ours, const action &direct,
         const result &left);
void row(const char *name, const action &ours, const action &direct, const result &left);

void sparse_rows();
void lapack_rows();
void fft_rows();
// libraries_fft.c: Softwarp's own transforms, called directly: forward, of complex floats
extern "C" void *direct_fft_new(int n, int batch);
extern "C" void direct_fft_run(const void *plan, const void *in, void *out);
#endif
