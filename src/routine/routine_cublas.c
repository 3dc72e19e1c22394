/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the names and texts of statuses that cuBLAS and cuBLASLt share. Source: cublasLtGetStatusString,
 * recorded with cuBLAS 13.1. */
#include "routine/routine.h"

#define STATUSES(X)                                                                                          \
    X(0, SUCCESS, "success")                                                                                 \
    X(1, NOT_INITIALIZED, "the library was not initialized")                                                 \
    X(3, ALLOC_FAILED, "the resource allocation failed")                                                     \
    X(7, INVALID_VALUE, "an unsupported value or parameter was passed to the function")                      \
    X(8, ARCH_MISMATCH, "the function requires an architectural feature absent from the device")             \
    X(11, MAPPING_ERROR, "an access to GPU memory space failed")                                             \
    X(13, EXECUTION_FAILED, "the function failed to launch on the GPU")                                      \
    X(14, INTERNAL_ERROR, "an internal operation failed")                                                    \
    X(15, NOT_SUPPORTED, "the requested functionality is not supported")                                     \
    X(16, LICENSE_ERROR, "the license check failed")

const char *routine_cublas_status_name(int status)
{
#define NAME(number, id, text)                                                                               \
    case number: return "CUBLAS_STATUS_" #id;
    switch (status) {
        STATUSES(NAME)
    default: return "unrecognized status";
    }
#undef NAME
}

const char *routine_cublas_status_text(int status)
{
#define TEXT(number, id, text)                                                                               \
    case number: return text;
    switch (status) {
        STATUSES(TEXT)
    default: return "unrecognized status";
    }
#undef TEXT
}
