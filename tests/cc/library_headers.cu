// SPDX-License-Identifier: Apache-2.0
// Programs ask which of the libraries' headers they read by the names that guard NVIDIA's (helper_cuda.h of
// cuda-samples), and have an overload for the status of each. Compiled and not run.
#include <cublas_v2.h>
#include <cufft.h>
#include <cufftXt.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusolverSp.h>
#include <cusparse.h>

#if !defined(CUBLAS_API_H_) || !defined(CUBLAS_V2_H_) || !defined(_CUFFT_H_) || !defined(_CUFFTXT_H_) ||     \
    !defined(CURAND_H_) || !defined(CUSPARSE_H_) || !defined(CUSPARSEAPI) || !defined(CUSOLVER_COMMON_H_) || \
    !defined(CUSOLVERDN_H_) || !defined(CUSOLVERSP_H_) || !defined(__DRIVER_TYPES_H__)
#error "a name that programs ask for is not there"
#endif

static int library(cublasStatus_t) { return 1; }
static int library(cufftResult) { return 2; }
static int library(curandStatus_t) { return 3; }
static int library(cusolverStatus_t) { return 4; }
static int library(cusparseStatus_t) { return 5; }

int libraries()
{
    return library(CUBLAS_STATUS_LICENSE_ERROR) + library(CUFFT_NVSHMEM_FAILURE) + library(CUFFT_MISSING_DEPENDENCY) +
           library(CUFFT_NVRTC_FAILURE) + library(CUFFT_NVJITLINK_FAILURE) +
           library(CURAND_STATUS_PREEXISTING_FAILURE) + library(CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED) +
           library(CUSOLVER_STATUS_ZERO_PIVOT) + library(CUSOLVER_STATUS_INVALID_LICENSE) +
           library(CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
}
