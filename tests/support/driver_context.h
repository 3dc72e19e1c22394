/* SPDX-License-Identifier: Apache-2.0 */
/* A context of the first device, in which most tests of the driver run, and kernels of PTX texts.
 */
#ifndef DRIVER_CONTEXT_H
#define DRIVER_CONTEXT_H

#include "driver_checks.h"

static CUcontext context;

/* Both may be a group's set-up and tear-down. */
static inline int driver_context_open(void **state)
{
    (void)state;
    OK(cuInit(0));
    OK(cuCtxCreate(&context, NULL, 0, 0));
    return 0;
}

static inline int driver_context_close(void **state)
{
    (void)state;
    OK(cuCtxDestroy(context));
    return 0;
}

static inline CUmodule driver_module(const char *ptx)
{
    CUmodule module;
    OK(cuModuleLoadData(&module, ptx));
    return module;
}

static inline CUfunction driver_kernel(CUmodule module, const char *name)
{
    CUfunction function;
    OK(cuModuleGetFunction(&function, module, name));
    return function;
}

#endif
