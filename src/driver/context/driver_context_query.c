/* SPDX-License-Identifier: Apache-2.0 */
/* What contexts are asked and told: device, flags, number, version, cache and bank configuration, range of
 * priorities; and profilers' marks. Configurations are kept and answered, and change nothing here. */
#include "driver_context_life.h"

DRIVER_API cuCtxGetDevice(CUdevice *out)
{
    return cuCtxGetDevice_v2(out, NULL);
}

DRIVER_API cuCtxGetDevice_v2(CUdevice *out, CUcontext handle)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_named(handle, &context));
    CUresult result = out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (out) *out = context->device->ordinal;
    driver_object_unref(&context->object);
    return result;
}

DRIVER_API cuCtxGetFlags(unsigned *flags)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_named(NULL, &context));
    CUresult result = flags ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (flags) *flags = context->flags | CU_CTX_MAP_HOST; /* always so */
    driver_object_unref(&context->object);
    return result;
}

DRIVER_API cuCtxSetFlags(unsigned flags)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_any(&context));
    if (!driver_context_flags_are_valid(flags)) return CUDA_ERROR_INVALID_VALUE;
    context->flags = flags;
    return CUDA_SUCCESS;
}

DRIVER_API cuCtxGetId(CUcontext handle, unsigned long long *id)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_alive(handle, &context));
    CUresult result = id ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (id) *id = context->id;
    driver_object_unref(&context->object);
    return result;
}

DRIVER_API cuCtxGetApiVersion(CUcontext handle, unsigned *version)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_named(handle, &context));
    CUresult result = version ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (version) *version = context->api_version;
    driver_object_unref(&context->object);
    return result;
}

DRIVER_API cuCtxGetCacheConfig(CUfunc_cache *config)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    if (!config) return CUDA_ERROR_INVALID_VALUE;
    *config = context->cache_config;
    return CUDA_SUCCESS;
}

DRIVER_API cuCtxSetCacheConfig(CUfunc_cache config)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    if (config > CU_FUNC_CACHE_PREFER_EQUAL) return CUDA_ERROR_INVALID_VALUE;
    context->cache_config = config;
    return CUDA_SUCCESS;
}

DRIVER_API cuCtxGetSharedMemConfig(CUsharedconfig *config)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    if (!config) return CUDA_ERROR_INVALID_VALUE;
    bool wide = context->device->cc->shared_rule == EVENT_SHARED_CC3 &&
                context->shared_config == CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE;
    *config = wide ? CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE : CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
    return CUDA_SUCCESS;
}

DRIVER_API cuCtxSetSharedMemConfig(CUsharedconfig config)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    if (config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE) return CUDA_ERROR_INVALID_VALUE;
    context->shared_config = config;
    return CUDA_SUCCESS;
}

DRIVER_API cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    if (least) *least = 0;
    if (greatest) *greatest = -5;
    return CUDA_SUCCESS;
}

DRIVER_API cuCtxResetPersistingL2Cache(void)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    atomic_fetch_add(&context->device->l2_resets, 1);
    return CUDA_SUCCESS;
}

/* Profilers' range marks: accepted; a session of ours is chosen on the command line. */
DRIVER_API cuProfilerStart(void)
{
    struct driver_context *context;
    return driver_context_current(&context);
}

DRIVER_API cuProfilerStop(void)
{
    struct driver_context *context;
    return driver_context_current(&context);
}
