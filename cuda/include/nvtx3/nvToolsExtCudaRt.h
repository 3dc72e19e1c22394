/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges and marks; names of CUDA objects are not kept. */
#include "nvToolsExt.h"
#ifndef NVTOOLSEXT_CUDART_H
#define NVTOOLSEXT_CUDART_H
#include "cuda_runtime_api.h"
static inline void nvtxNameCudaDeviceA(int device, const char *name) { (void)device, (void)name; }
static inline void nvtxNameCudaStreamA(cudaStream_t stream, const char *name) { (void)stream, (void)name; }
static inline void nvtxNameCudaEventA(cudaEvent_t event, const char *name) { (void)event, (void)name; }
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent  nvtxNameCudaEventA
#endif
