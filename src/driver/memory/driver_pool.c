/* SPDX-License-Identifier: Apache-2.0 */
/* Pools of stream-ordered memory: what they hold, their attributes, access, and those of each device.
 *
 * What a pool reserves is counted in units of 32 MiB, as an H200 counts
 * (tests/driver/sharing_answers.h200.txt), and the blocks it keeps for later allocations never exceed that;
 * the next wait of the host gives back what lies beyond the release threshold. The three settings on reuse
 * are remembered only: a block is free when its stream has passed the free, so nothing has to be followed.
 * Where a tool checks memory, what a pool keeps is counted alone: its addresses are given up, so that whoever
 * uses them still is found out, except in pools of several processes. */
#include "driver_pool.h"

#include "driver/core/driver_error.h"
#include "driver/core/driver_finding.h"

#include <fcntl.h>
#include <stdlib.h>

static struct {
    pthread_mutex_t lock;
    struct driver_pool *first;
    atomic_int unsettled; /* memory came back since the host waited last */
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- what a pool holds */

static void drop_block(struct driver_pool *pool, const struct driver_kept *block)
{
    if (!block->at) vmem_give(driver.vmem, (uint32_t)pool->device->ordinal, block->bytes);
    if (block->at) (void)vmem_release(driver.vmem, block->at);
    if (!pool->shared) return;
    vmem_give(driver.vmem, (uint32_t)pool->device->ordinal, block->bytes);
    uint64_t bytes = sw_align_up(block->bytes, DRIVER_POOL_PAGE);
    (void)fallocate(pool->pages.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                    (off_t)(pool->pages.offset + block->offset), (off_t)bytes);
    vmem_ranges_give(&pool->ranges, block->offset, bytes);
}

void driver_pool_shrink_locked(struct driver_pool *pool, uint64_t keep)
{
    uint64_t needed = driver_pool_units(pool->pages_used + pool->pages_fresh),
             most = keep > UINT64_MAX - DRIVER_POOL_UNIT ? UINT64_MAX : driver_pool_units(keep);
    if (most < needed) most = needed;
    if (pool->reserved > most) pool->reserved = most;
    while (pool->kept.count && pool->pages_used + pool->pages_kept > pool->reserved) {
        struct driver_kept block = pool->kept.at[--pool->kept.count];
        pool->pages_kept -= sw_align_up(block.bytes, DRIVER_POOL_PAGE);
        if (pool->pages_fresh > pool->pages_kept) pool->pages_fresh = pool->pages_kept;
        drop_block(pool, &block);
    }
}

static void shrink(struct driver_pool *pool, uint64_t keep)
{
    pthread_mutex_lock(&pool->lock);
    driver_pool_shrink_locked(pool, keep);
    pthread_mutex_unlock(&pool->lock);
    driver_device_note(pool->device->ordinal);
}

void driver_pools_settle(void)
{
    if (!atomic_load_explicit(&all.unsettled, memory_order_relaxed)) return;
    pthread_mutex_lock(&all.lock);
    atomic_store(&all.unsettled, 0);
    for (struct driver_pool *pool = all.first; pool; pool = pool->next) {
        pthread_mutex_lock(&pool->lock);
        pool->pages_fresh = 0;
        driver_pool_shrink_locked(pool, pool->threshold);
        pthread_mutex_unlock(&pool->lock);
        driver_device_note(pool->device->ordinal);
    }
    pthread_mutex_unlock(&all.lock);
}

static void pool_end(struct driver_object *object)
{
    struct driver_pool *pool = (struct driver_pool *)object;
    pthread_mutex_lock(&all.lock);
    struct driver_pool **at = &all.first;
    while (*at != pool)
        at = &(*at)->next;
    *at = pool->next;
    pthread_mutex_unlock(&all.lock);
    pool->pages_fresh = 0;
    shrink(pool, 0);
    if (pool->pages.own) driver_pages_release(&pool->pages);
    vmem_ranges_release(&pool->ranges);
    vec_release(&pool->kept);
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
    pthread_mutex_lock(&all.lock);
    pool->next = all.first;
    all.first = pool;
    pthread_mutex_unlock(&all.lock);
    driver_handle_add(&pool->object);
    return pool;
}

/* Its addresses go, and what it holds is counted still; false: somebody else has taken that meanwhile. */
static bool keep_count_alone(const struct driver_pool *pool, const struct vmem_block *block)
{
    (void)vmem_release(driver.vmem, block->base);
    return vmem_take(driver.vmem, (uint32_t)pool->device->ordinal, block->bytes, UINT64_MAX) == SW_OK;
}

void driver_pool_returned(const struct driver_allocation *allocation)
{
    struct driver_pool *pool = allocation->pool;
    if (allocation->imported) {
        (void)vmem_release(driver.vmem, allocation->base);
    } else {
        struct vmem_block block;
        bool known = vmem_find(driver.vmem, allocation->base, &block);
        SW_ASSERT(known);
        uint64_t pages = sw_align_up(block.bytes, DRIVER_POOL_PAGE);
        pthread_mutex_lock(&pool->lock);
        bool gone = !pool->shared && driver_checks(EVENT_CHECK_MEMORY),
             keeps = !gone || keep_count_alone(pool, &block);
        if (!allocation->freeing) pool->used -= allocation->bytes;
        pool->pages_used -= pages;
        if (keeps) {
            pool->pages_kept += pages;
            pool->pages_fresh += pages;
            *vec_push(&pool->kept) =
                (struct driver_kept){gone ? 0 : allocation->base, block.bytes, allocation->offset};
        }
        atomic_store(&all.unsettled, 1);
        pthread_mutex_unlock(&pool->lock);
    }
    driver_object_unref(&pool->object);
}

/* ---- the pools of devices */

void driver_pools_of(struct driver_device *device, CUmemoryPool *fixed, CUmemoryPool *current)
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
    driver_pools_of(device, out, NULL);
    return CUDA_SUCCESS;
}

/* A device that is not there is an invalid value to these, as an H200 answers. */
static CUresult device_with_pool(CUdevice ordinal, struct driver_device **out)
{
    CUresult result = driver_device_get(ordinal, out);
    return result == CUDA_ERROR_INVALID_DEVICE ? CUDA_ERROR_INVALID_VALUE : result;
}

DRIVER_API cuDeviceGetMemPool(CUmemoryPool *out, CUdevice ordinal)
{
    struct driver_device *device;
    DRIVER_TRY(device_with_pool(ordinal, &device));
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    driver_pools_of(device, NULL, out);
    return CUDA_SUCCESS;
}

DRIVER_API cuDeviceSetMemPool(CUdevice ordinal, CUmemoryPool handle)
{
    struct driver_device *device;
    DRIVER_TRY(device_with_pool(ordinal, &device));
    struct driver_pool *pool = driver_handle_get(handle, DRIVER_POOL);
    if (!pool) return CUDA_ERROR_INVALID_VALUE;
    CUresult result = pool->device == device ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    driver_pools_of(device, NULL, NULL);
    pthread_mutex_lock(&device->lock);
    if (result == CUDA_SUCCESS) device->current_pool = pool;
    pthread_mutex_unlock(&device->lock);
    driver_object_unref(&pool->object);
    return result;
}

struct driver_pool *driver_pool_shared(struct driver_device *device, const struct driver_pages *pages,
                                       bool imported)
{
    struct driver_pool *pool = driver_pool_new(device);
    pool->shared = !imported;
    pool->imported = imported;
    pool->pages = *pages;
    vmem_ranges_init(&pool->ranges, 0, UINT64_C(1) << 44);
    return pool;
}

DRIVER_API cuMemPoolCreate(CUmemoryPool *out, const CUmemPoolProps *props)
{
    static int refused;
    DRIVER_TRY(driver_ready());
    if (!out || !props) return CUDA_ERROR_INVALID_VALUE;
    if (props->allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
        props->location.type != CU_MEM_LOCATION_TYPE_DEVICE || props->location.id < 0 ||
        props->location.id >= driver.device_count)
        return CUDA_ERROR_INVALID_VALUE;
    if (props->handleTypes == CU_MEM_HANDLE_TYPE_FABRIC)
        return driver_refuse_call(&refused, "cuMemPoolCreate", "fabric handles");
    if (props->handleTypes & ~(unsigned)CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return CUDA_ERROR_INVALID_VALUE;
    struct driver_device *device = &driver.devices[props->location.id];
    for (size_t i = 0; i < SW_COUNT_OF(props->reserved); i++)
        if (props->reserved[i]) return CUDA_ERROR_INVALID_VALUE;
    if (props->maxSize > device->gpu.memory_bytes) return CUDA_ERROR_OUT_OF_MEMORY;
    struct driver_pages pages;
    struct driver_pool *pool;
    if (props->handleTypes == CU_MEM_HANDLE_TYPE_NONE) {
        pool = driver_pool_new(device);
    } else {
        DRIVER_TRY(driver_pages_new_shared(UINT64_MAX, DRIVER_PAGES_POOL, device, &pages));
        pool = driver_pool_shared(device, &pages, false);
    }
    pool->most = props->maxSize;
    *out = (CUmemoryPool)pool;
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
        DRIVER_PUT(int, value, pool->reuse[attribute - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES]);
        break;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: DRIVER_PUT(cuuint64_t, value, pool->threshold); break;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT: DRIVER_PUT(cuuint64_t, value, pool->reserved); break;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH: DRIVER_PUT(cuuint64_t, value, pool->reserved_high); break;
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT: DRIVER_PUT(cuuint64_t, value, pool->used); break;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH: DRIVER_PUT(cuuint64_t, value, pool->used_high); break;
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

static CUresult pool_set_locked(struct driver_pool *pool, CUmemPool_attribute attribute, const void *value)
{
    switch ((int)attribute) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        memcpy(&pool->reuse[attribute - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES], value, sizeof(int));
        break;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: pool->threshold = driver_take_u64(value); break;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        if (driver_take_u64(value) != 0) return CUDA_ERROR_INVALID_VALUE;
        if (attribute == CU_MEMPOOL_ATTR_USED_MEM_HIGH)
            pool->used_high = pool->used;
        else
            pool->reserved_high = pool->reserved;
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
    CUresult result = value ? pool_set_locked(pool, attribute, value) : CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_unlock(&pool->lock);
    driver_object_unref(&pool->object);
    return result;
}

DRIVER_API cuMemPoolTrimTo(CUmemoryPool handle, size_t keep)
{
    DRIVER_TRY(driver_ready());
    struct driver_pool *pool = driver_handle_get(handle, DRIVER_POOL);
    if (!pool) return CUDA_ERROR_INVALID_VALUE;
    shrink(pool, keep);
    driver_object_unref(&pool->object);
    return CUDA_SUCCESS;
}

/* ---- access (driver_permissions.c) */

static CUresult set_access(struct driver_pool *pool, const CUmemAccessDesc *descriptors, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        CUmemLocation at = descriptors[i].location;
        unsigned flags = descriptors[i].flags;
        if (at.type != CU_MEM_LOCATION_TYPE_DEVICE || flags == CU_MEM_ACCESS_FLAGS_PROT_READ)
            return CUDA_ERROR_NOT_SUPPORTED; /* this, and the rest, as an H200 answers */
        if (flags != CU_MEM_ACCESS_FLAGS_PROT_NONE && flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
            return CUDA_ERROR_INVALID_VALUE;
        if (at.id < 0 || at.id >= driver.device_count) return CUDA_ERROR_INVALID_DEVICE;
        bool own = at.id == pool->device->ordinal;
        if (own && flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) return CUDA_ERROR_INVALID_DEVICE;
        __atomic_store_n(&pool->access[at.id], (uint8_t)descriptors[i].flags, __ATOMIC_RELAXED);
    }
    return CUDA_SUCCESS;
}

DRIVER_API cuMemPoolSetAccess(CUmemoryPool handle, const CUmemAccessDesc *descriptors, size_t count)
{
    DRIVER_TRY(driver_ready());
    if (!descriptors && count) return CUDA_ERROR_INVALID_VALUE;
    struct driver_pool *pool = driver_handle_get(handle, DRIVER_POOL);
    if (!pool) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&pool->lock);
    CUresult result = set_access(pool, descriptors, count);
    pthread_mutex_unlock(&pool->lock);
    driver_memory_apply_permissions();
    driver_object_unref(&pool->object);
    return result;
}

DRIVER_API cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool handle, CUmemLocation *location)
{
    DRIVER_TRY(driver_ready());
    if (!flags || !location) return CUDA_ERROR_INVALID_VALUE;
    bool host =
        location->type == CU_MEM_LOCATION_TYPE_HOST || location->type == CU_MEM_LOCATION_TYPE_HOST_NUMA;
    if (!host && location->type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_INVALID_VALUE;
    if (!host && (location->id < 0 || location->id >= driver.device_count)) return CUDA_ERROR_INVALID_VALUE;
    struct driver_pool *pool = driver_handle_get(handle, DRIVER_POOL);
    if (!pool) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&pool->lock);
    bool own = !host && location->id == pool->device->ordinal;
    *flags = host  ? CU_MEM_ACCESS_FLAGS_PROT_NONE
             : own ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
                   : (CUmemAccess_flags)pool->access[location->id];
    pthread_mutex_unlock(&pool->lock);
    driver_object_unref(&pool->object);
    return CUDA_SUCCESS;
}

/* ---- by location instead of by device */

/* Of memory of devices; pools of host memory, and of managed memory, are not offered. */
static CUresult check_location(const CUmemLocation *location, CUmemAllocationType type)
{
    if (!location || type != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
    switch ((int)location->type) {
    case CU_MEM_LOCATION_TYPE_DEVICE:
        return location->id >= 0 && location->id < driver.device_count ? CUDA_SUCCESS
                                                                       : CUDA_ERROR_INVALID_VALUE;
    case CU_MEM_LOCATION_TYPE_INVALID:
    case CU_MEM_LOCATION_TYPE_HOST:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA: return CUDA_ERROR_INVALID_VALUE;
    default: return CUDA_ERROR_NOT_SUPPORTED;
    }
}

DRIVER_API cuMemGetDefaultMemPool(CUmemoryPool *out, CUmemLocation *location, CUmemAllocationType type)
{
    DRIVER_TRY(driver_ready());
    DRIVER_TRY(check_location(location, type));
    return cuDeviceGetDefaultMemPool(out, location->id);
}

DRIVER_API cuMemGetMemPool(CUmemoryPool *out, CUmemLocation *location, CUmemAllocationType type)
{
    DRIVER_TRY(driver_ready());
    DRIVER_TRY(check_location(location, type));
    return cuDeviceGetMemPool(out, location->id);
}

DRIVER_API cuMemSetMemPool(CUmemLocation *location, CUmemAllocationType type, CUmemoryPool pool)
{
    DRIVER_TRY(driver_ready());
    DRIVER_TRY(check_location(location, type));
    return cuDeviceSetMemPool(location->id, pool);
}
