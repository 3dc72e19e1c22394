/* SPDX-License-Identifier: Apache-2.0 */
/* The launch calls of CUDA 3: block dimensions, shared memory and parameters are set on the function, then it
 * is launched. */
#include "driver/module/driver_module.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_Z = 64, PARAM_CAPACITY = 32764 };

/* The function with its module's lock held. */
static CUresult legacy_take(CUfunction handle, struct driver_function **out)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    DRIVER_TRY(driver_function_get(handle, out));
    pthread_mutex_lock(&(*out)->module->lock);
    return CUDA_SUCCESS;
}

static CUresult legacy_give(struct driver_function *function, CUresult result)
{
    pthread_mutex_unlock(&function->module->lock);
    driver_function_put(function);
    return result;
}

DRIVER_API cuFuncSetBlockShape(CUfunction handle, int x, int y, int z)
{
    struct driver_function *function;
    if (x <= 0 || y <= 0 || z <= 0) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(legacy_take(handle, &function));
    const struct arch_cc *cc = function->module->context->device->cc;
    if ((uint64_t)x * (uint64_t)y * (uint64_t)z > cc->threads_per_block || z > MAX_Z)
        return legacy_give(function, CUDA_ERROR_INVALID_VALUE);
    function->block_shape[0] = x;
    function->block_shape[1] = y;
    function->block_shape[2] = z;
    return legacy_give(function, CUDA_SUCCESS);
}

DRIVER_API cuFuncSetSharedSize(CUfunction handle, unsigned bytes)
{
    struct driver_function *function;
    int most = 0;
    DRIVER_TRY(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, handle));
    DRIVER_TRY(legacy_take(handle, &function));
    if (bytes > (unsigned)most) return legacy_give(function, CUDA_ERROR_INVALID_VALUE);
    function->shared_size = bytes;
    return legacy_give(function, CUDA_SUCCESS);
}

/* The kernel's own parameters say how many bytes they have. */
DRIVER_API cuParamSetSize(CUfunction handle, unsigned bytes)
{
    struct driver_function *function;
    (void)bytes;
    DRIVER_TRY(legacy_take(handle, &function));
    return legacy_give(function, CUDA_SUCCESS);
}

DRIVER_API cuParamSetv(CUfunction handle, int offset, void *value, unsigned bytes)
{
    struct driver_function *function;
    if (!value || offset < 0) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(legacy_take(handle, &function));
    if ((uint64_t)offset + bytes > PARAM_CAPACITY) return legacy_give(function, CUDA_ERROR_INVALID_VALUE);
    if (!function->params) function->params = sw_xcalloc(1, PARAM_CAPACITY);
    memcpy(function->params + offset, value, bytes);
    return legacy_give(function, CUDA_SUCCESS);
}

DRIVER_API cuParamSeti(CUfunction function, int offset, unsigned value)
{
    return cuParamSetv(function, offset, &value, sizeof value);
}

DRIVER_API cuParamSetf(CUfunction function, int offset, float value)
{
    return cuParamSetv(function, offset, &value, sizeof value);
}

struct launch {
    unsigned block[3], shared;
    size_t bytes;
    uint8_t *params; /* malloc'ed */
};

static CUresult snapshot(CUfunction handle, struct launch *out)
{
    struct driver_function *function;
    DRIVER_TRY(legacy_take(handle, &function));
    for (int i = 0; i < 3; i++)
        out->block[i] = function->block_shape[i] ? (unsigned)function->block_shape[i] : 1;
    out->shared = function->shared_size;
    out->bytes = function->entry->param_bytes;
    out->params = sw_xcalloc(1, out->bytes + 1);
    if (function->params) memcpy(out->params, function->params, out->bytes);
    return legacy_give(function, CUDA_SUCCESS);
}

DRIVER_API cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream)
{
    struct launch l;
    if (width <= 0 || height <= 0) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(snapshot(function, &l));
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, l.params, CU_LAUNCH_PARAM_BUFFER_SIZE, &l.bytes,
                     CU_LAUNCH_PARAM_END};
    CUresult result = cuLaunchKernel(function, (unsigned)width, (unsigned)height, 1, l.block[0], l.block[1],
                                     l.block[2], l.shared, stream, NULL, extra);
    free(l.params);
    return result;
}

DRIVER_API cuLaunchGrid(CUfunction function, int width, int height)
{
    return cuLaunchGridAsync(function, width, height, NULL);
}

DRIVER_API cuLaunch(CUfunction function)
{
    return cuLaunchGridAsync(function, 1, 1, NULL);
}
