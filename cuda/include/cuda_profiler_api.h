/* SPDX-License-Identifier: Apache-2.0 */
/* Marks around the part of a program that a profiler should look at. */
#ifndef CUDA_PROFILER_API_H
#define CUDA_PROFILER_API_H

#include "cuda_runtime_api.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
cudaError_t CUDARTAPI cudaProfilerStart(void);
cudaError_t CUDARTAPI cudaProfilerStop(void);
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
