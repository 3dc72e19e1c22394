/* SPDX-License-Identifier: Apache-2.0 */
/* Stream-ordered allocation. Memory is taken when cuMemAllocAsync is called, which is earlier than the stream
 * promises and so allowed, and given back when the stream reaches cuMemFreeAsync. A pool keeps no memory of
 * its own: what is reserved is what is used, and trimming finds nothing. */
#include "driver_priv.h"

#include <stdlib.h>

struct driver_pool {
    struct driver_object object;
    struct driver_device *device;
    pthread_mutex_t lock;
    uint64_t used, used_high, threshold;
    int reuse[3];
    bool fixed; /* a device's default pool */
};

static void pool_end(struct driver_object *object)
{
    struct driver_pool *pool = (struct driver_pool *)object;
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

struct driver_pool *driver_pool_new(struct driver_device *device)
{
    struct driver_pool *pool = sw_xcalloc(1, sizeof *pool);
    driver_object_init(&pool->object, DRIVER_POOL, pool_end);
    pool->device = device;
    pool->reuse[0] = pool->reuse[1] = pool->reuse[2] = 1;
    pthread_mutex_init(&pool->lock, NULL);
    driver_handle_add(&pool->object);
    return pool;
}

void driver_pool_returned(struct driver_pool *pool, uint64_t bytes)
{
    pthread_mutex_lock(&pool->lock);
    pool->used -= bytes;
    pthread_mutex_unlock(&pool->lock);
    driver_object_unref(&pool->object);
}

static void pools_of(struct driver_device *device, CUmemoryPool *fixed, CUmemoryPool *current)
{
    pthread_mutex_lock(&device->lock);
    if (!device->default_pool) {
        device->default_pool = device->current_pool = driver_pool_new(device);
        device->default_pool->fixed = true;
    }
    if (fixed) *fixed = (CUmemoryPool)device->default_pool;
    if (current) *current = (CUmemoryPool)device->current_pool;
    pthread_mutex_unlock(&device->lock);
}

DRIVER_API cuDeviceGetDefaultMemPool(CUmemoryPool *out, CUdevice ordinal)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    pools_of(device, out, NULL);
    return CUDA_SUCCESS;
}

DRIVER_API cuDeviceGetMemPool(CUmemoryPool *out, CUdevice ordinal)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    pools_of(device, NULL, out);
    return CUDA_SUCCESS;
}

DRIVER_API cuDeviceSetMemPool(CUdevice ordinal, CUmemoryPool handle)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    struct driver_pool *pool = driver_handle_get(handle, DRIVER_POOL);
    if (!pool) return CUDA_ERROR_INVALID_VALUE;
    CUresult result = pool->device == device ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
    pools_of(device, NULL, NULL);
    pthread_mutex_lock(&device->lock);
    if (result == CUDA_SUCCESS) device->current_pool = pool;
    pthread_mutex_unlock(&device->lock);
    driver_object_unref(&pool->object);
    return result;
}

DRIVER_API cuMemPoolCreate(CUmemoryPool *out, const CUmemPoolProps *props)
{
    DRIVER_TRY(driver_ready());
    static int refused;
    if (!out || !props) return CUDA_ERROR_INVALID_VALUE;
    if (props->allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
        props->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
    if (props->handleTypes != CU_MEM_HANDLE_TYPE_NONE)
        return driver_refuse_call(&refused, "cuMemPoolCreate", "memory that other processes can open");
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(props->location.id, &device));
    *out = (CUmemoryPool)driver_pool_new(device);
    return CUDA_SUCCESS;
}

DRIVER_API cuMemPoolDestroy(CUmemoryPool handle)
{
    DRIVER_TRY(driver_ready());
    struct driver_pool *pool = driver_handle_get(handle, DRIVER_POOL);
    if (!pool) return CUDA_ERROR_INVALID_VALUE;
    struct driver_device *device = pool->device;
    bool fixed = pool->fixed;
    driver_object_unref(&pool->object);
    if (fixed || !driver_handle_take(handle, DRIVER_POOL)) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&device->lock);
    if (device->current_pool == pool) device->current_pool = device->default_pool;
    pthread_mutex_unlock(&device->lock);
    driver_object_unref(&pool->object);
    return CUDA_SUCCESS;
}

static CUresult attribute_locked(struct driver_pool *pool, CUmemPool_attribute attribute, void *value)
{
    switch ((int)attribute) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        *(int *)value = pool->reuse[attribute - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES];
        break;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: *(cuuint64_t *)value = pool->threshold; break;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT: *(cuuint64_t *)value = pool->used; break;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH: *(cuuint64_t *)value = pool->used_high; break;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

DRIVER_API cuMemPoolGetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void *value)
{
    DRIVER_TRY(driver_ready());
    struct driver_pool *pool = driver_handle_get(handle, DRIVER_POOL);
    if (!pool) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&pool->lock);
    CUresult result = value ? attribute_locked(pool, attribute, value) : CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_unlock(&pool->lock);
    driver_object_unref(&pool->object);
    return result;
}

static CUresult set_locked(struct driver_pool *pool, CUmemPool_attribute attribute, const void *value)
{
    switch ((int)attribute) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        pool->reuse[attribute - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES] = *(const int *)value;
        break;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: pool->threshold = *(const cuuint64_t *)value; break;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        if (*(const cuuint64_t *)value != 0) return CUDA_ERROR_INVALID_VALUE;
        pool->used_high = pool->used;
        break;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

DRIVER_API cuMemPoolSetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void *value)
{
    DRIVER_TRY(driver_ready());
    struct driver_pool *pool = driver_handle_get(handle, DRIVER_POOL);
    if (!pool) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&pool->lock);
    CUresult result = value ? set_locked(pool, attribute, value) : CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_unlock(&pool->lock);
    driver_object_unref(&pool->object);
    return result;
}

DRIVER_API cuMemPoolTrimTo(CUmemoryPool handle, size_t keep)
{
    (void)keep;
    DRIVER_TRY(driver_ready());
    struct driver_pool *pool = driver_handle_get(handle, DRIVER_POOL);
    if (!pool) return CUDA_ERROR_INVALID_VALUE;
    driver_object_unref(&pool->object);
    return CUDA_SUCCESS;
}

/* Every device can reach every pool: one address space. */
DRIVER_API cuMemPoolSetAccess(CUmemoryPool handle, const CUmemAccessDesc *descriptors, size_t count)
{
    DRIVER_TRY(driver_ready());
    struct driver_pool *pool = driver_handle_get(handle, DRIVER_POOL);
    if (!pool) return CUDA_ERROR_INVALID_VALUE;
    driver_object_unref(&pool->object);
    return descriptors || count == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool handle, CUmemLocation *location)
{
    DRIVER_TRY(driver_ready());
    struct driver_pool *pool = driver_handle_get(handle, DRIVER_POOL);
    if (!pool) return CUDA_ERROR_INVALID_VALUE;
    driver_object_unref(&pool->object);
    if (!flags || !location) return CUDA_ERROR_INVALID_VALUE;
    *flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    return CUDA_SUCCESS;
}

static CUresult alloc_from(struct driver_context *context, struct driver_pool *pool, size_t bytes,
                           CUdeviceptr *out)
{
    dev_addr address;
    driver_object_ref(&pool->object); /* the allocation's */
    CUresult result = driver_memory_alloc(context, bytes, VMEM_DEVICE, 0, pool, &address);
    if (result != CUDA_SUCCESS) {
        driver_object_unref(&pool->object);
        return result;
    }
    pthread_mutex_lock(&pool->lock);
    pool->used += bytes;
    if (pool->used > pool->used_high) pool->used_high = pool->used;
    pthread_mutex_unlock(&pool->lock);
    *out = address;
    return CUDA_SUCCESS;
}

DRIVER_API cuMemAllocFromPoolAsync(CUdeviceptr *out, size_t bytes, CUmemoryPool handle,
                                   CUstream stream_handle)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(stream_handle, &stream));
    struct driver_pool *pool = driver_handle_get(handle, DRIVER_POOL);
    CUresult result = out && bytes && pool ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    dev_addr captured = 0;
    if (result == CUDA_SUCCESS && driver_is_capturing(stream)) {
        result = driver_capture_alloc(stream, bytes, &captured);
        *out = captured;
    } else if (result == CUDA_SUCCESS) {
        result = alloc_from(stream->context, pool, bytes, out);
    }
    if (pool) driver_object_unref(&pool->object);
    driver_stream_put(stream);
    return result;
}

DRIVER_API cuMemAllocAsync(CUdeviceptr *out, size_t bytes, CUstream stream)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    CUmemoryPool pool;
    pools_of(context->device, NULL, &pool);
    return cuMemAllocFromPoolAsync(out, bytes, pool, stream);
}

DRIVER_API cuMemFreeAsync(CUdeviceptr address, CUstream handle)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    struct driver_allocation allocation;
    CUresult result = CUDA_SUCCESS;
    if (address && (!driver_memory_find(address, &allocation) || allocation.base != address ||
                    allocation.kind == VMEM_HOST_PINNED || allocation.kind == VMEM_HOST_REGISTERED))
        result = CUDA_ERROR_INVALID_VALUE;
    struct driver_work work = {.kind = DRIVER_WORK_RELEASE, .address = address};
    bool of_graph = driver_graph_memory_is(address);
    if (result == CUDA_SUCCESS && of_graph && !driver_is_capturing(stream))
        result = driver_graph_memory_free(address);
    if (result == CUDA_SUCCESS && address)
        result = driver_is_capturing(stream) ? driver_capture_free(stream, address)
                                             : driver_submit(stream, &work, false);
    driver_stream_put(stream);
    return result;
}

/* ---- by location instead of by device */

static bool is_device_pool(const CUmemLocation *location, CUmemAllocationType type)
{
    return location && location->type == CU_MEM_LOCATION_TYPE_DEVICE && type == CU_MEM_ALLOCATION_TYPE_PINNED;
}

DRIVER_API cuMemGetDefaultMemPool(CUmemoryPool *out, CUmemLocation *location, CUmemAllocationType type)
{
    return is_device_pool(location, type) ? cuDeviceGetDefaultMemPool(out, location->id)
                                          : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuMemGetMemPool(CUmemoryPool *out, CUmemLocation *location, CUmemAllocationType type)
{
    return is_device_pool(location, type) ? cuDeviceGetMemPool(out, location->id) : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuMemSetMemPool(CUmemLocation *location, CUmemAllocationType type, CUmemoryPool pool)
{
    return is_device_pool(location, type) ? cuDeviceSetMemPool(location->id, pool) : CUDA_ERROR_INVALID_VALUE;
}
