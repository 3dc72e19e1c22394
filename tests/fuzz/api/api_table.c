/* SPDX-License-Identifier: Apache-2.0 */
/* The tables that table.py makes of our headers and .def files. */
#include "api.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cublasLt.h>
#include <cublas_v2.h>
#include <cufft.h>
#include <cufftXt.h>
#include <cupti.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusolverRf.h>
#include <cusolverSp.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>
#include <cusparse.h>
#include <nccl.h>
#include <nvJitLink.h>
#include <nvml.h>
#include <nvrtc.h>

typedef curandGenerator_t curandHostGenerator_t; /* table.py */

#include "api_table.inc"

const struct type *const api_types = TYPES;
const struct function *const api_functions = FUNCTIONS;
const char *const *const api_handle_names = HANDLE_NAMES;
const unsigned api_function_count = sizeof FUNCTIONS / sizeof *FUNCTIONS, api_handle_count = HANDLES;
const unsigned api_base_functions = BASE_FUNCTIONS, api_base_handles = BASE_HANDLES;
const char *const api_libraries[API_LIBRARIES] = {
    "libcuda.so.1",       "libcudart.so.13",   "libcublas.so.13",   "libcufft.so.12", "libcurand.so.10",
    "libcusparse.so.12",  "libcusolver.so.12", "libcublasLt.so.13", "libnccl.so.2",   "libnvrtc.so.13",
    "libnvJitLink.so.13", "libnvidia-ml.so.1", "libcupti.so.13"};
