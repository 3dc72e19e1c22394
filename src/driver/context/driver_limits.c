/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of a context: what an H200 makes of values that are set, which tests/conform recorded. Most have no
 * effect here (see driver.md); those of the heap and of launches from kernels do. */
#include "driver_context_life.h"

enum {
    STACK_UNIT = 16,
    PRINT_BYTES_PER_SM = 65536,
    PRINT_BYTES_LEAST = 8 * 65536,
    HEAP_BYTES_LEAST = 4 << 20,
    LAUNCHES_LEAST = 32,
    LAUNCHES_MOST = 599186,
    L2_FETCH_BYTES = 64,
    L2_FETCH_MOST = 128,
    L2_PARTS = 16, /* what persists is set aside in sixteenths of the cache */
    L2_PARTS_AT_FIRST = 3
};

static size_t l2_part(const struct driver_context *context)
{
    return context->device->gpu.l2_bytes / L2_PARTS;
}

static uint64_t l2_most(const struct driver_context *context)
{
    int most = 0;
    cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE, context->device->ordinal);
    return (uint64_t)most;
}

void driver_limits_init(struct driver_context *context)
{
    context->limits[CU_LIMIT_STACK_SIZE] = 1024;
    context->limits[CU_LIMIT_PRINTF_FIFO_SIZE] = (size_t)context->device->gpu.sm_count * PRINT_BYTES_PER_SM;
    context->limits[CU_LIMIT_MALLOC_HEAP_SIZE] = 8 << 20;
    context->limits[CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH] = 2;
    context->limits[CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = 2048;
    context->limits[CU_LIMIT_MAX_L2_FETCH_GRANULARITY] = L2_FETCH_BYTES;
    if (l2_most(context))
        context->limits[CU_LIMIT_PERSISTING_L2_CACHE_SIZE] = L2_PARTS_AT_FIRST * l2_part(context);
    context->limits[CU_LIMIT_SHMEM_SIZE] = context->device->cc->shared_per_block_optin;
}

/* Waiting for children in device code went with cc 9.0. Graphics in compute is not offered here. */
static CUresult check_limit(const struct driver_context *context, CUlimit limit)
{
    enum { CC_WITHOUT_SYNC = 9 };
    bool no_sync = limit == CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH && context->device->cc->major >= CC_WITHOUT_SYNC;
    if (no_sync || limit == CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED) return CUDA_ERROR_UNSUPPORTED_LIMIT;
    return (unsigned)limit < CU_LIMIT_MAX ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Every thread that the device holds at once has such a stack. */
static bool stack_fits(const struct driver_context *context, size_t bytes)
{
    const struct driver_device *device = context->device;
    uint64_t threads = (uint64_t)device->gpu.sm_count * device->cc->warps_per_sm * SW_WARP_LANES;
    return bytes <= device->gpu.memory_bytes / threads;
}

static CUresult set_heap(const struct driver_context *context, size_t *bytes)
{
    if (*bytes < HEAP_BYTES_LEAST) *bytes = HEAP_BYTES_LEAST;
    /* refused once a kernel has used it */
    return engine_set_heap_bytes(driver.engine, (uint32_t)context->device->ordinal, *bytes)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

/* The value that such a request sets. */
static CUresult adjust(const struct driver_context *context, CUlimit limit, size_t *value)
{
    switch ((int)limit) {
    case CU_LIMIT_STACK_SIZE:
        if (!stack_fits(context, *value)) return CUDA_ERROR_INVALID_VALUE;
        *value = sw_align_up(*value, STACK_UNIT);
        return CUDA_SUCCESS;
    case CU_LIMIT_PRINTF_FIFO_SIZE:
        if (*value < PRINT_BYTES_LEAST) *value = PRINT_BYTES_LEAST;
        return CUDA_SUCCESS;
    case CU_LIMIT_MALLOC_HEAP_SIZE: return set_heap(context, value);
    case CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT:
        *value = *value < LAUNCHES_LEAST ? LAUNCHES_LEAST : *value > LAUNCHES_MOST ? LAUNCHES_MOST : *value;
        return CUDA_SUCCESS;
    case CU_LIMIT_MAX_L2_FETCH_GRANULARITY:
        return *value <= L2_FETCH_MOST ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_LIMIT_PERSISTING_L2_CACHE_SIZE:
        if (*value > l2_most(context)) return CUDA_ERROR_INVALID_VALUE;
        if (l2_part(context)) *value = (*value + l2_part(context) - 1) / l2_part(context) * l2_part(context);
        return CUDA_SUCCESS;
    case CU_LIMIT_SHMEM_SIZE:
    case CU_LIMIT_CIG_ENABLED: return CUDA_ERROR_NOT_PERMITTED;
    default: return CUDA_SUCCESS;
    }
}

DRIVER_API cuCtxSetLimit(CUlimit limit, size_t value)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    DRIVER_TRY(check_limit(context, limit));
    DRIVER_TRY(adjust(context, limit, &value));
    context->limits[limit] = value;
    return CUDA_SUCCESS;
}

DRIVER_API cuCtxGetLimit(size_t *value, CUlimit limit)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    if (!value) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(check_limit(context, limit));
    *value = context->limits[limit];
    return CUDA_SUCCESS;
}
