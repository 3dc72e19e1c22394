/* SPDX-License-Identifier: Apache-2.0 */
/* The types of cuBLAS that programs mention in passing, so that a header of theirs that names them compiles. Its functions are
 * machine code of NVIDIA's, which Softwarp does not run: using one is an error of the build that says what works instead. */
#ifndef SOFTWARP_CUBLAS_V2_H
#define SOFTWARP_CUBLAS_V2_H

#include "driver_types.h"
#include "library_types.h"

typedef struct cublasContext *cublasHandle_t;
typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;
#endif
