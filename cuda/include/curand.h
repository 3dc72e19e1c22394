/* SPDX-License-Identifier: Apache-2.0 */
/* The types of cuRAND that programs mention in passing, so that a header of theirs that names them compiles. Its functions are
 * machine code of NVIDIA's, which Softwarp does not run: using one is an error of the build that says what works instead. */
#ifndef SOFTWARP_CURAND_H
#define SOFTWARP_CURAND_H

#include "driver_types.h"

typedef struct curandGenerator_st *curandGenerator_t;
typedef enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE = 202,
    CURAND_STATUS_INITIALIZATION_FAILED = 203,
    CURAND_STATUS_ARCH_MISMATCH = 204,
    CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;
#endif
