/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers in kernels: the device functions of cuRAND's interface. Generators and distributions have headers of their own, with
 * the names of NVIDIA's; numbers are those of NVIDIA's device functions (docs/libraries/curand.md has how they compare). */
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_
#if defined(__CUDA__) && defined(__cplusplus)
#pragma clang system_header

#include "cuda_runtime.h"
#include "curand.h"
#include "curand_discrete.h"
#include "curand_globals.h"

#include "curand_mrg32k3a.h"
#include "curand_mtgp32_kernel.h"
#include "curand_philox4x32_x.h"
#include "softwarp/curand_sobol.h"
#include "softwarp/curand_xorwow.h"

#include "curand_uniform.h"
#include "curand_normal.h"
#include "curand_lognormal.h"
#include "curand_poisson.h"
#include "curand_discrete2.h"
#endif
#endif
