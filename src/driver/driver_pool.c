/* SPDX-License-Identifier: Apache-2.0 */
/* Stream-ordered allocation. Memory is taken when cuMemAllocAsync is called, which is earlier than the stream
 * promises and so allowed, and goes back to its pool when the stream reaches cuMemFreeAsync.
 *
 * What a pool reserves is counted in units of 32 MiB, as an H200 counts
 * (tests/driver/sharing_answers.h200.txt), and the blocks it keeps for later allocations never exceed that;
 * the next wait of the host gives back what lies beyond the release threshold. A block is used again, by any
 * stream, for sizes up to an eighth smaller; it is not cut. The three settings on reuse are remembered only:
 * a block is free when its stream has passed the free, so nothing has to be followed. A pool that others may
 * open (POSIX file descriptors) takes its memory from one file (driver_pages.c). */
#include "driver_share_priv.h"

#include "vmem/vmem_ranges.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t UNIT = 32 << 20;
static const uint64_t PAGE = 4096;

struct kept { /* a block that nobody uses */
    dev_addr at;
    uint64_t bytes, offset; /* bytes: as counted by vmem */
};
struct driver_pool {
    struct driver_object object;
    struct driver_device *device;
    pthread_mutex_t lock;
    uint64_t used, used_high, reserved, reserved_high, threshold, most;
    /* in whole pages: what stands for `used`, what is kept, and what of that came since the host waited last
     */
    uint64_t pages_used, pages_kept, pages_fresh;
    VEC(struct kept) kept;
    int reuse[3];
    uint8_t access[ARCH_DEVICES]; /* CUmemAccess_flags of other devices: remembered */
    bool fixed;                   /* a device's default pool */
    bool shared, imported;        /* has a file; of another process */
    struct driver_pages pages;
    struct vmem_ranges ranges; /* of the file */
    struct driver_pool *next;  /* of all pools */
};

static struct {
    pthread_mutex_t lock;
    struct driver_pool *first;
    atomic_int unsettled; /* memory came back since the host waited last */
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- what a pool holds */

static uint64_t units(uint64_t bytes)
{
    return (bytes + UNIT - 1) / UNIT * UNIT;
}

static void drop_block(struct driver_pool *pool, const struct kept *block)
{
    (void)vmem_release(driver.vmem, block->at);
    if (!pool->shared) return;
    vmem_give(driver.vmem, (uint32_t)pool->device->ordinal, block->bytes);
    uint64_t bytes = sw_align_up(block->bytes, PAGE);
    (void)fallocate(pool->pages.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                    (off_t)(pool->pages.offset + block->offset), (off_t)bytes);
    vmem_ranges_give(&pool->ranges, block->offset, bytes);
}

/* Reserve no more than `keep` bytes, or what is in use. */
static void shrink_locked(struct driver_pool *pool, uint64_t keep)
{
    uint64_t needed = units(pool->pages_used + pool->pages_fresh),
             most = keep > UINT64_MAX - UNIT ? UINT64_MAX : units(keep);
    if (most < needed) most = needed;
    if (pool->reserved > most) pool->reserved = most;
    while (pool->kept.count && pool->pages_used + pool->pages_kept > pool->reserved) {
        struct kept block = pool->kept.at[--pool->kept.count];
        pool->pages_kept -= sw_align_up(block.bytes, PAGE);
        if (pool->pages_fresh > pool->pages_kept) pool->pages_fresh = pool->pages_kept;
        drop_block(pool, &block);
    }
}

static void shrink(struct driver_pool *pool, uint64_t keep)
{
    pthread_mutex_lock(&pool->lock);
    shrink_locked(pool, keep);
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
        shrink_locked(pool, pool->threshold);
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

void driver_pool_returned(const struct driver_allocation *allocation)
{
    struct driver_pool *pool = allocation->pool;
    if (allocation->imported) {
        (void)vmem_release(driver.vmem, allocation->base);
    } else {
        struct vmem_block block;
        bool known = vmem_find(driver.vmem, allocation->base, &block);
        SW_ASSERT(known);
        uint64_t pages = sw_align_up(block.bytes, PAGE);
        pthread_mutex_lock(&pool->lock);
        if (!allocation->freeing) pool->used -= allocation->bytes;
        pool->pages_used -= pages;
        pool->pages_kept += pages;
        pool->pages_fresh += pages;
        *vec_push(&pool->kept) = (struct kept){allocation->base, block.bytes, allocation->offset};
        atomic_store(&all.unsettled, 1);
        pthread_mutex_unlock(&pool->lock);
    }
    driver_object_unref(&pool->object);
}

/* ---- the pools of devices */

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

static struct driver_pool *pool_shared(struct driver_device *device, const struct driver_pages *pages,
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
    if (props->handleTypes & ~(unsigned)CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return driver_refuse_call(&refused, "cuMemPoolCreate",
                                  "handles to share other than file descriptors");
    struct driver_device *device = &driver.devices[props->location.id];
    struct driver_pages pages;
    struct driver_pool *pool;
    if (props->handleTypes == CU_MEM_HANDLE_TYPE_NONE) {
        pool = driver_pool_new(device);
    } else {
        DRIVER_TRY(driver_pages_new_shared(UINT64_MAX, DRIVER_PAGES_POOL, device, &pages));
        pool = pool_shared(device, &pages, false);
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
        *(int *)value = pool->reuse[attribute - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES];
        break;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: *(cuuint64_t *)value = pool->threshold; break;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT: *(cuuint64_t *)value = pool->reserved; break;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH: *(cuuint64_t *)value = pool->reserved_high; break;
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT: *(cuuint64_t *)value = pool->used; break;
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
    CUresult result = value ? set_locked(pool, attribute, value) : CUDA_ERROR_INVALID_VALUE;
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

/* ---- access: remembered; every device can reach every pool, in one address space */

static CUresult set_access(struct driver_pool *pool, const CUmemAccessDesc *descriptors, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        CUmemLocation at = descriptors[i].location;
        if (at.type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_INVALID_VALUE;
        if (at.id < 0 || at.id >= driver.device_count) return CUDA_ERROR_INVALID_DEVICE;
        bool own = at.id == pool->device->ordinal;
        if (own && descriptors[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
            return CUDA_ERROR_INVALID_DEVICE; /* as an H200 answers */
        pool->access[at.id] = (uint8_t)descriptors[i].flags;
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
    driver_object_unref(&pool->object);
    return result;
}

DRIVER_API cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool handle, CUmemLocation *location)
{
    DRIVER_TRY(driver_ready());
    if (!flags || !location) return CUDA_ERROR_INVALID_VALUE;
    if (location->type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_INVALID_VALUE;
    if (location->id < 0 || location->id >= driver.device_count) return CUDA_ERROR_INVALID_DEVICE;
    struct driver_pool *pool = driver_handle_get(handle, DRIVER_POOL);
    if (!pool) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&pool->lock);
    bool own = location->id == pool->device->ordinal;
    *flags = own ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : (CUmemAccess_flags)pool->access[location->id];
    pthread_mutex_unlock(&pool->lock);
    driver_object_unref(&pool->object);
    return CUDA_SUCCESS;
}

/* ---- allocation */

/* The smallest block that fits and wastes no more than an eighth. */
static bool take_kept_locked(struct driver_pool *pool, uint64_t bytes, struct kept *out)
{
    size_t best = SIZE_MAX;
    uint64_t pages = sw_align_up(bytes, PAGE);
    for (size_t i = 0; i < pool->kept.count; i++) {
        uint64_t has = sw_align_up(pool->kept.at[i].bytes, PAGE);
        if (has < pages || has - pages > pages / 8) continue;
        if (best == SIZE_MAX || has < sw_align_up(pool->kept.at[best].bytes, PAGE)) best = i;
    }
    if (best == SIZE_MAX) return false;
    *out = pool->kept.at[best];
    pool->kept.at[best] = pool->kept.at[--pool->kept.count];
    pool->pages_kept -= sw_align_up(out->bytes, PAGE);
    if (pool->pages_fresh > pool->pages_kept) pool->pages_fresh = pool->pages_kept;
    return true;
}

static enum sw_status take_shared_locked(struct driver_pool *pool, uint64_t bytes, uint64_t limit,
                                         struct kept *out)
{
    uint32_t device = (uint32_t)pool->device->ordinal;
    uint64_t pages = sw_align_up(bytes, PAGE);
    struct vmem_block block = {0, bytes, VMEM_DEVICE, device, 0};
    SW_TRY(vmem_take(driver.vmem, device, bytes, limit));
    enum sw_status status = SW_OUT_OF_MEMORY;
    if (vmem_ranges_take(&pool->ranges, pages, PAGE, &out->offset)) {
        status = vmem_open(driver.vmem, &block, pool->pages.file, pool->pages.offset + out->offset, &out->at);
        if (status != SW_OK) vmem_ranges_give(&pool->ranges, out->offset, pages);
    }
    if (status != SW_OK) vmem_give(driver.vmem, device, bytes);
    out->bytes = bytes;
    return status;
}

static enum sw_status take_new_locked(struct driver_pool *pool, uint64_t bytes, struct kept *out)
{
    uint64_t limit = driver_device_limit(pool->device);
    if (pool->shared) return take_shared_locked(pool, bytes, limit, out);
    *out = (struct kept){.bytes = bytes};
    return vmem_alloc(driver.vmem, bytes, VMEM_DEVICE, (uint32_t)pool->device->ordinal, 0, limit, &out->at);
}

static enum sw_status take_locked(struct driver_pool *pool, uint64_t bytes, struct kept *out)
{
    if (pool->most && (bytes > pool->most || pool->used > pool->most - bytes)) return SW_OUT_OF_MEMORY;
    if (take_kept_locked(pool, bytes, out)) return SW_OK;
    enum sw_status status = take_new_locked(pool, bytes, out);
    if (status == SW_OUT_OF_MEMORY && pool->kept.count) { /* what is kept may be in the way */
        pool->pages_fresh = 0;
        shrink_locked(pool, 0);
        status = take_new_locked(pool, bytes, out);
    }
    return status;
}

static void count_locked(struct driver_pool *pool, uint64_t bytes, uint64_t block_bytes)
{
    pool->used += bytes;
    pool->pages_used += sw_align_up(block_bytes, PAGE);
    if (pool->reserved < units(pool->pages_used)) pool->reserved = units(pool->pages_used);
    if (pool->used > pool->used_high) pool->used_high = pool->used;
    if (pool->reserved > pool->reserved_high) pool->reserved_high = pool->reserved;
}

static CUresult alloc_from(struct driver_context *context, struct driver_pool *pool, size_t bytes,
                           CUdeviceptr *out)
{
    struct kept block;
    if (pool->imported) return CUDA_ERROR_INVALID_VALUE; /* only its own process allocates from it */
    pthread_mutex_lock(&pool->lock);
    enum sw_status status = take_locked(pool, bytes, &block);
    if (status == SW_OK) count_locked(pool, bytes, block.bytes);
    pthread_mutex_unlock(&pool->lock);
    if (status != SW_OK) return driver_result(status);
    struct driver_allocation allocation = {.base = block.at,
                                           .bytes = bytes,
                                           .context = context,
                                           .kind = VMEM_DEVICE,
                                           .device = pool->device->ordinal,
                                           .pool = pool,
                                           .offset = block.offset};
    driver_object_ref(&pool->object); /* the allocation's */
    driver_memory_remember(&allocation);
    driver_device_note(pool->device->ordinal);
    *out = block.at;
    return CUDA_SUCCESS;
}

DRIVER_API cuMemAllocFromPoolAsync(CUdeviceptr *out, size_t bytes, CUmemoryPool handle,
                                   CUstream stream_handle)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(stream_handle, &stream));
    struct driver_pool *pool = driver_handle_get(handle, DRIVER_POOL);
    CUresult result = out && pool ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    dev_addr captured = 0;
    if (result == CUDA_SUCCESS && bytes == 0) {
        *out = 0; /* nothing is no error here */
    } else if (result == CUDA_SUCCESS && driver_is_capturing(stream)) {
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

/* It counts as free from the call on, and cannot be freed again. */
static CUresult begin_free(dev_addr address)
{
    struct driver_allocation allocation;
    if (!driver_memory_free_once(address, &allocation)) return CUDA_ERROR_INVALID_VALUE;
    if (!allocation.pool || allocation.imported) return CUDA_SUCCESS;
    pthread_mutex_lock(&allocation.pool->lock);
    allocation.pool->used -= allocation.bytes;
    pthread_mutex_unlock(&allocation.pool->lock);
    return CUDA_SUCCESS;
}

static CUresult free_on(struct driver_stream *stream, dev_addr address)
{
    struct driver_allocation allocation;
    if (!driver_memory_find(address, &allocation) || allocation.base != address ||
        allocation.kind == VMEM_HOST_PINNED || allocation.kind == VMEM_HOST_REGISTERED)
        return CUDA_ERROR_INVALID_VALUE;
    if (driver_is_capturing(stream)) return driver_capture_free(stream, address);
    struct driver_work work = {.kind = DRIVER_WORK_RELEASE, .address = address};
    if (driver_graph_memory_is(address))
        DRIVER_TRY(driver_graph_memory_free(address));
    else
        DRIVER_TRY(begin_free(address));
    return driver_submit(stream, &work, false);
}

DRIVER_API cuMemFreeAsync(CUdeviceptr address, CUstream handle)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    CUresult result = address ? free_on(stream, address) : CUDA_SUCCESS;
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

/* ---- pools of several processes */

static const uint64_t POINTER = UINT64_C(0x524554494f505301);

struct pointer { /* CUmemPoolPtrExportData */
    uint64_t magic, offset, bytes, zero[5];
};
_Static_assert(sizeof(struct pointer) == sizeof(CUmemPoolPtrExportData), "as large as CUDA's");

DRIVER_API cuMemPoolExportToShareableHandle(void *out, CUmemoryPool handle, CUmemAllocationHandleType type,
                                            unsigned long long flags)
{
    DRIVER_TRY(driver_ready());
    if (!out || flags || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) return CUDA_ERROR_INVALID_VALUE;
    struct driver_pool *pool = driver_handle_get(handle, DRIVER_POOL);
    CUresult result = CUDA_ERROR_INVALID_VALUE;
    if (pool && pool->shared) result = driver_pages_export(&pool->pages, out);
    if (pool) driver_object_unref(&pool->object);
    return result;
}

DRIVER_API cuMemPoolImportFromShareableHandle(CUmemoryPool *out, void *handle, CUmemAllocationHandleType type,
                                              unsigned long long flags)
{
    DRIVER_TRY(driver_ready());
    if (!out || flags || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) return CUDA_ERROR_INVALID_VALUE;
    struct driver_label label;
    struct driver_pages pages;
    DRIVER_TRY(driver_pages_import((int)(intptr_t)handle, DRIVER_PAGES_POOL, &label, &pages));
    *out = (CUmemoryPool)pool_shared(&driver.devices[label.ordinal], &pages, true);
    return CUDA_SUCCESS;
}

DRIVER_API cuMemPoolExportPointer(CUmemPoolPtrExportData *out, CUdeviceptr address)
{
    DRIVER_TRY(driver_ready());
    struct driver_allocation allocation;
    if (!out || !driver_memory_find(address, &allocation) || allocation.base != address)
        return CUDA_ERROR_INVALID_VALUE;
    if (!allocation.pool || !allocation.pool->shared) return CUDA_ERROR_INVALID_VALUE;
    struct pointer pointer = {.magic = POINTER, .offset = allocation.offset, .bytes = allocation.bytes};
    memcpy(out, &pointer, sizeof pointer);
    return CUDA_SUCCESS;
}

static CUresult import_pointer(struct driver_context *context, struct driver_pool *pool,
                               const struct pointer *pointer, CUdeviceptr *out)
{
    if (!pool->imported || pointer->magic != POINTER || pointer->offset % PAGE || pointer->bytes == 0 ||
        pointer->offset >> 44 || pointer->bytes >> 44)
        return CUDA_ERROR_INVALID_VALUE;
    struct vmem_block block = {0, pointer->bytes, VMEM_DEVICE, (uint32_t)pool->device->ordinal, 0};
    dev_addr at;
    DRIVER_TRY(driver_result(
        vmem_open(driver.vmem, &block, pool->pages.file, pool->pages.offset + pointer->offset, &at)));
    struct driver_allocation allocation = {.base = at,
                                           .bytes = pointer->bytes,
                                           .context = context,
                                           .kind = VMEM_DEVICE,
                                           .device = pool->device->ordinal,
                                           .pool = pool,
                                           .imported = true};
    driver_object_ref(&pool->object); /* the allocation's */
    driver_memory_remember(&allocation);
    *out = at;
    return CUDA_SUCCESS;
}

DRIVER_API cuMemPoolImportPointer(CUdeviceptr *out, CUmemoryPool handle, CUmemPoolPtrExportData *data)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    if (!out || !data) return CUDA_ERROR_INVALID_VALUE;
    struct driver_pool *pool = driver_handle_get(handle, DRIVER_POOL);
    if (!pool) return CUDA_ERROR_INVALID_VALUE;
    struct pointer pointer;
    memcpy(&pointer, data, sizeof pointer);
    CUresult result = import_pointer(context, pool, &pointer, out);
    driver_object_unref(&pool->object);
    return result;
}
