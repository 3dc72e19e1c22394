/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the driver API in test programs that are not cmocka's, which takes the signals that the engine
 * needs: OK(call) must succeed, FAILS(INVALID_VALUE, call) must fail with this error. Otherwise the program
 * says so on stderr and ends with exit code 1. */
#ifndef DRIVER_PROGRAM_H
#define DRIVER_PROGRAM_H

#include <cuda.h>

#include <stdio.h>
#include <unistd.h>

#define IS(expected, call)                                                                                   \
    do {                                                                                                     \
        CUresult got_ = (call);                                                                              \
        if (got_ == (expected)) break;                                                                       \
        fprintf(stderr, "%s:%d: %s gives %d, not %d\n", __FILE__, __LINE__, #call, (int)got_,                \
                (int)(expected));                                                                            \
        _exit(1);                                                                                            \
    } while (0)
#define OK(call)           IS(CUDA_SUCCESS, call)
#define FAILS(error, call) IS(CUDA_ERROR_##error, call)

#endif
