/* SPDX-License-Identifier: Apache-2.0 */
/* What programs begin with that run both on a GPU, to be recorded, and here, to be compared: calls of the
 * driver that end the program when they fail, and the context of the first device. */
#ifndef DEVICE_PROGRAM_H
#define DEVICE_PROGRAM_H

#include <cuda.h>

#include <stdio.h>
#include <stdlib.h>

static inline void check(CUresult result, const char *what)
{
    const char *name = "?";
    if (result == CUDA_SUCCESS) return;
    cuGetErrorName(result, &name);
    fprintf(stderr, "%s: %s\n", what, name);
    exit(1);
}

static inline CUdevice device_open(void)
{
    CUdevice device;
    CUcontext context;
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    return device;
}

#endif
