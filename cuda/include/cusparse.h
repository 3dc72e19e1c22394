/* SPDX-License-Identifier: Apache-2.0 */
/* The types of cuSPARSE that programs mention in passing, so that a header of theirs that names them compiles. Its functions are
 * machine code of NVIDIA's, which Softwarp does not run: using one is an error of the build that says what works instead. */
#ifndef SOFTWARP_CUSPARSE_H
#define SOFTWARP_CUSPARSE_H

#include "driver_types.h"
#include "library_types.h"

typedef struct cusparseContext *cusparseHandle_t;
typedef enum {
    CUSPARSE_STATUS_SUCCESS = 0,
    CUSPARSE_STATUS_NOT_INITIALIZED = 1,
    CUSPARSE_STATUS_ALLOC_FAILED = 2,
    CUSPARSE_STATUS_INVALID_VALUE = 3,
    CUSPARSE_STATUS_ARCH_MISMATCH = 4,
    CUSPARSE_STATUS_MAPPING_ERROR = 5,
    CUSPARSE_STATUS_EXECUTION_FAILED = 6,
    CUSPARSE_STATUS_INTERNAL_ERROR = 7,
    CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
    CUSPARSE_STATUS_ZERO_PIVOT = 9,
    CUSPARSE_STATUS_NOT_SUPPORTED = 10,
    CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;
#endif
