/* SPDX-License-Identifier: Apache-2.0 */
/* The suite's kernels under Softwarp, through the driver API. A function is looked up by name at each launch,
 * which takes well under a microsecond. */
#include "suite.h"

#include <cuda.h>

#include <stdio.h>
#include <stdlib.h>

static CUmodule module;
static CUdeviceptr device[BUFFERS];

static void check(CUresult result, const char *what)
{
    const char *name = "?";
    if (result == CUDA_SUCCESS) return;
    cuGetErrorName(result, &name);
    fprintf(stderr, "%s: %s\n", what, name);
    exit(1);
}

static void reset(int from, size_t bytes)
{
    if (from >= 0)
        check(cuMemcpyHtoD(device[Z], suite_host[from], bytes), "cuMemcpyHtoD");
    else
        check(cuMemsetD8(device[Z], 0, bytes), "cuMemsetD8");
    check(cuCtxSynchronize(), "cuCtxSynchronize");
}

static void launch(const struct suite_launch *l, unsigned step)
{
    CUfunction function;
    void *args[SUITE_ARGS];
    for (int i = 0; i < SUITE_ARGS; i++) {
        const struct suite_arg *a = &l->args[i];
        args[i] = a->kind == BUFFER_ARG ? (void *)&device[a->value]
                  : a->kind == STEP_ARG ? (void *)&step
                                        : (void *)&a->value;
    }
    check(cuModuleGetFunction(&function, module, l->kernel), l->kernel);
    check(
        cuLaunchKernel(function, l->grid[0], l->grid[1], 1, l->block[0], l->block[1], 1, 0, NULL, args, NULL),
        l->kernel);
}

static void run(const struct suite_row *row)
{
    for (unsigned s = 0; s < row->steps; s++)
        for (int i = 0; i < SUITE_LAUNCHES && row->launches[i].kernel; i++)
            launch(&row->launches[i], s);
    check(cuCtxSynchronize(), row->name);
}

static void read_output(void *to, size_t bytes)
{
    check(cuMemcpyDtoH(to, device[Z], bytes), "cuMemcpyDtoH");
}

bool suite_softwarp_open(struct suite_contender *contender, const char *ptx)
{
    CUdevice dev;
    CUcontext context;
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&dev, 0), "cuDeviceGet");
    check(cuDevicePrimaryCtxRetain(&context, dev), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    check(cuModuleLoad(&module, ptx), ptx);
    for (int b = 0; b < BUFFERS; b++) {
        check(cuMemAlloc(&device[b], suite_bytes[b]), "cuMemAlloc");
        check(cuMemcpyHtoD(device[b], suite_host[b], suite_bytes[b]), "cuMemcpyHtoD");
    }
    *contender = (struct suite_contender){"Softwarp", reset, run, read_output};
    return true;
}
