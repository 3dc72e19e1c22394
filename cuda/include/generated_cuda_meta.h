/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of functions of the driver API in CUPTI's callbacks: those that are there (src/cupti/cupti_params.c). */
#ifndef GENERATED_CUDA_META_H
#define GENERATED_CUDA_META_H

#include "cuda.h"

typedef struct {
    CUfunction f;
    unsigned int gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
    CUstream hStream;
    void **kernelParams, **extra;
} cuLaunchKernel_params;
typedef struct {
    CUdeviceptr *dptr;
    size_t bytesize;
} cuMemAlloc_v2_params;
typedef struct {
    CUdeviceptr dptr;
} cuMemFree_v2_params;
typedef struct {
    CUdeviceptr dstDevice;
    const void *srcHost;
    size_t ByteCount;
} cuMemcpyHtoD_v2_params;
typedef struct {
    void *dstHost;
    CUdeviceptr srcDevice;
    size_t ByteCount;
} cuMemcpyDtoH_v2_params;
typedef struct {
    CUstream hStream;
} cuStreamSynchronize_params;
#endif
