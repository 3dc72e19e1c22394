/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of functions of the runtime API in CUPTI's callbacks: those that are there (src/cupti/cupti_params.c). */
#ifndef GENERATED_CUDA_RUNTIME_API_META_H
#define GENERATED_CUDA_RUNTIME_API_META_H

#include "cuda_runtime_api.h"

typedef struct {
    const void *func;
    dim3 gridDim, blockDim;
    void **args;
    size_t sharedMem;
    cudaStream_t stream;
} cudaLaunchKernel_v7000_params;
typedef struct {
    void **devPtr;
    size_t size;
} cudaMalloc_v3020_params;
typedef struct {
    void *devPtr;
} cudaFree_v3020_params;
typedef struct {
    void *dst;
    const void *src;
    size_t count;
    enum cudaMemcpyKind kind;
} cudaMemcpy_v3020_params;
typedef struct {
    void *dst;
    const void *src;
    size_t count;
    enum cudaMemcpyKind kind;
    cudaStream_t stream;
} cudaMemcpyAsync_v3020_params;
typedef struct {
    void *devPtr;
    int value;
    size_t count;
} cudaMemset_v3020_params;
typedef struct {
    void *devPtr;
    int value;
    size_t count;
    cudaStream_t stream;
} cudaMemsetAsync_v3020_params;
typedef struct {
    cudaStream_t stream;
} cudaStreamSynchronize_v3020_params;
#endif
