/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: kernel launches, from `<<<>>>` and from calls.
 * Method: nvcc and clang turn `k<<<g, b, s, t>>>(args)` into a push of the configuration, a call of the host
 * stub and, in the stub, a pop and a launch; so the configuration is a stack of the thread. A launch finds
 * the driver's function of the current context and passes it on. Limits: launch attributes that are not
 * hints and that the driver refuses are refused here as well. */
#include "runtime_priv.h"

#include <string.h>

struct configuration {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
};
#define MAX_NESTED 16 /* a stub's arguments may contain launches; deeper nesting is refused */
static _Thread_local struct {
    struct configuration stack[MAX_NESTED];
    unsigned depth;
} pending;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, struct CUstream_st *stream)
{
    if (pending.depth == MAX_NESTED) return 1; /* the stub is not called */
    pending.stack[pending.depth++] = (struct configuration){grid, block, shared_bytes, stream};
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream)
{
    if (pending.depth == 0) return rt_record(cudaErrorMissingConfiguration);
    const struct configuration *top = &pending.stack[--pending.depth];
    *grid = top->grid;
    *block = top->block;
    *shared_bytes = top->shared_bytes;
    *(cudaStream_t *)stream = top->stream;
    return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host_function)
{
    struct rt_kernel *found = NULL;
    cudaError_t error = rt_kernel_find(host_function, &found);
    if (error == cudaSuccess) *kernel = (cudaKernel_t)found;
    return rt_record(error);
}

cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *host_function)
{
    return __cudaGetKernel(kernel, host_function);
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol)
{
    if (function == NULL) return rt_record(cudaErrorInvalidValue);
    struct rt_kernel *kernel = NULL;
    if (!rt_enter()) return rt_return(rt_failure());
    cudaError_t error = rt_kernel_find(symbol, &kernel);
    return rt_record(error == cudaSuccess ? rt_function(symbol, function) : error);
}

static cudaError_t launch_failed(const void *func, cudaError_t error)
{
    rt_stub = rt_kernel_host(func);
    rt_record(error);
    rt_stub = NULL;
    return error;
}

static cudaError_t launched(const void *func, CUresult result)
{
    if (result == CUDA_SUCCESS) return cudaSuccess;
    return launch_failed(func, result == CUDA_ERROR_INVALID_VALUE ? rt_bad_configuration
                                                                  : (cudaError_t)(int)result);
}

static cudaError_t launch_kernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared_bytes,
                                 cudaStream_t stream, bool cooperative)
{
    if (!rt_enter()) return rt_return(rt_failure());
    CUfunction function = NULL;
    cudaError_t error = rt_function(func, &function);
    if (error != cudaSuccess) return launch_failed(func, error);
    if (shared_bytes > UINT32_MAX) return launch_failed(func, rt_bad_configuration);
    unsigned shared = (unsigned)shared_bytes;
    if (cooperative)
        return launched(func, cuLaunchCooperativeKernel(function, grid.x, grid.y, grid.z, block.x, block.y,
                                                        block.z, shared, stream, args));
    return launched(func, cuLaunchKernel(function, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared,
                                         stream, args, NULL));
}

cudaError_t cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared_bytes,
                             cudaStream_t stream)
{
    return launch_kernel(func, grid, block, args, shared_bytes, stream, false);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared_bytes,
                               cudaStream_t stream)
{
    return launch_kernel(kernel, grid, block, args, shared_bytes, stream, false);
}

cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void **args,
                                    size_t shared_bytes, cudaStream_t stream)
{
    return launch_kernel(kernel, grid, block, args, shared_bytes, rt_per_thread(stream), false);
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 grid, dim3 block, void **args,
                                        size_t shared_bytes, cudaStream_t stream)
{
    return launch_kernel(func, grid, block, args, shared_bytes, stream, true);
}

_Static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute), "attributes are passed through");
_Static_assert(offsetof(cudaLaunchAttribute, val) == offsetof(CUlaunchAttribute, value), "as they are");

CUlaunchConfig rt_launch_config(const cudaLaunchConfig_t *config)
{
    return (CUlaunchConfig){
        .gridDimX = config->gridDim.x,
        .gridDimY = config->gridDim.y,
        .gridDimZ = config->gridDim.z,
        .blockDimX = config->blockDim.x,
        .blockDimY = config->blockDim.y,
        .blockDimZ = config->blockDim.z,
        .sharedMemBytes = (unsigned)config->dynamicSmemBytes,
        .hStream = config->stream,
        .attrs = (CUlaunchAttribute *)(void *)config->attrs,
        .numAttrs = config->numAttrs,
    };
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args)
{
    if (config == NULL) return rt_record(cudaErrorInvalidValue);
    if (!rt_enter()) return rt_return(rt_failure());
    CUfunction function = NULL;
    cudaError_t error = rt_function(func, &function);
    if (error != cudaSuccess) return launch_failed(func, error);
    CUlaunchConfig c = rt_launch_config(config);
    return launched(func, cuLaunchKernelEx(&c, function, args, NULL));
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *user)
{
    if (fn == NULL) return rt_record(cudaErrorInvalidValue);
    return RT(cuLaunchHostFunc(stream, fn, user));
}
