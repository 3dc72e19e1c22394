/* SPDX-License-Identifier: Apache-2.0 */
/* Stream-ordered allocation, and pools of several processes. Memory is taken when cuMemAllocAsync is called,
 * which is earlier than the stream promises and so allowed, and goes back to its pool when the stream reaches
 * cuMemFreeAsync. A block that the pool keeps is used again, by any stream, for sizes up to an eighth
 * smaller; it is not cut. A pool that others may open (POSIX file descriptors) takes its memory from one file
 * (driver_pages.c). */
#include "driver/core/driver_error.h"
#include "driver/core/driver_finding.h"
#include "driver/graph/driver_graph.h"
#include "driver/memory/driver_misuse.h"
#include "driver/memory/driver_pool.h"
#include "driver/stream/driver_stream.h"

#include <stdlib.h>
#include <string.h>

/* ---- allocation */

/* The smallest block that fits and wastes no more than an eighth. */
static bool take_kept_locked(struct driver_pool *pool, uint64_t bytes, struct driver_kept *out)
{
    size_t best = SIZE_MAX;
    uint64_t pages = sw_align_up(bytes, DRIVER_POOL_PAGE);
    for (size_t i = 0; i < pool->kept.count; i++) {
        uint64_t has = sw_align_up(pool->kept.at[i].bytes, DRIVER_POOL_PAGE);
        if (has < pages || has - pages > pages / 8) continue;
        if (best == SIZE_MAX || has < sw_align_up(pool->kept.at[best].bytes, DRIVER_POOL_PAGE)) best = i;
    }
    if (best == SIZE_MAX) return false;
    *out = pool->kept.at[best];
    pool->kept.at[best] = pool->kept.at[--pool->kept.count];
    pool->pages_kept -= sw_align_up(out->bytes, DRIVER_POOL_PAGE);
    if (pool->pages_fresh > pool->pages_kept) pool->pages_fresh = pool->pages_kept;
    return true;
}

static enum sw_status take_shared_locked(struct driver_pool *pool, uint64_t bytes, uint64_t limit,
                                         struct driver_kept *out)
{
    uint32_t device = (uint32_t)pool->device->ordinal;
    uint64_t pages = sw_align_up(bytes, DRIVER_POOL_PAGE);
    struct vmem_block block = {.bytes = bytes, .kind = VMEM_DEVICE, .device = device};
    SW_TRY(vmem_take(driver.vmem, device, bytes, limit));
    enum sw_status status = SW_OUT_OF_MEMORY;
    if (vmem_ranges_take(&pool->ranges, pages, DRIVER_POOL_PAGE, &out->offset)) {
        status = vmem_open(driver.vmem, &block, pool->pages.file, pool->pages.offset + out->offset, &out->at);
        if (status != SW_OK) vmem_ranges_give(&pool->ranges, out->offset, pages);
    }
    if (status != SW_OK) vmem_give(driver.vmem, device, bytes);
    out->bytes = bytes;
    return status;
}

static enum sw_status take_new_locked(struct driver_pool *pool, uint64_t bytes, struct driver_kept *out)
{
    enum sw_status status = SW_OUT_OF_MEMORY;
    *out = (struct driver_kept){.bytes = bytes};
    for (int exact = 0; exact < 2 && status == SW_OUT_OF_MEMORY; exact++) {
        uint64_t limit = driver_device_limit(pool->device, exact);
        status = pool->shared ? take_shared_locked(pool, bytes, limit, out)
                              : vmem_alloc(driver.vmem, bytes, VMEM_DEVICE, (uint32_t)pool->device->ordinal,
                                           0, limit, &out->at);
    }
    return status;
}

static enum sw_status take_locked(struct driver_pool *pool, uint64_t bytes, struct driver_kept *out)
{
    if (pool->most && (bytes > pool->most || pool->used > pool->most - bytes)) return SW_OUT_OF_MEMORY;
    bool kept = take_kept_locked(pool, bytes, out);
    if (kept && out->at) return SW_OK;
    if (kept) vmem_give(driver.vmem, (uint32_t)pool->device->ordinal, out->bytes);
    enum sw_status status = take_new_locked(pool, bytes, out);
    if (status == SW_OUT_OF_MEMORY && pool->kept.count) { /* what is kept may be in the way */
        pool->pages_fresh = 0;
        driver_pool_shrink_locked(pool, 0);
        status = take_new_locked(pool, bytes, out);
    }
    return status;
}

static void count_locked(struct driver_pool *pool, uint64_t bytes, uint64_t block_bytes)
{
    pool->used += bytes;
    pool->pages_used += sw_align_up(block_bytes, DRIVER_POOL_PAGE);
    if (pool->reserved < driver_pool_units(pool->pages_used))
        pool->reserved = driver_pool_units(pool->pages_used);
    if (pool->used > pool->used_high) pool->used_high = pool->used;
    if (pool->reserved > pool->reserved_high) pool->reserved_high = pool->reserved;
}

static CUresult alloc_from(struct driver_context *context, struct driver_pool *pool, size_t bytes,
                           CUdeviceptr *out)
{
    struct driver_kept block;
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

/* The node keeps the pool's access as it is now (CUDA C++ Programming Guide, "Peer Access with Stream
 * Capture"). */
static CUresult capture_from(struct driver_stream *stream, const struct driver_pool *pool, uint64_t bytes,
                             dev_addr *out)
{
    struct driver_graph_allocation wanted = {.device = pool->device, .bytes = bytes};
    for (int device = 0; device < driver.device_count; device++)
        if (__atomic_load_n(&pool->access[device], __ATOMIC_RELAXED)) wanted.reach |= 1u << device;
    return driver_capture_alloc(stream, &wanted, out);
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
        result = capture_from(stream, pool, bytes, &captured);
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
    driver_pools_of(context->device, NULL, &pool);
    return cuMemAllocFromPoolAsync(out, bytes, pool, stream);
}

/* It counts as free from the call on, and cannot be freed again. */
static CUresult begin_free(dev_addr address)
{
    struct driver_allocation allocation;
    if (!driver_memory_free_once(address, &allocation)) return driver_misuse_wrong_free(address);
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
        return driver_misuse_wrong_free(address);
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
    *out = (CUmemoryPool)driver_pool_shared(&driver.devices[label.ordinal], &pages, true);
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
    if (!pool->imported || pointer->magic != POINTER || pointer->offset % DRIVER_POOL_PAGE ||
        pointer->bytes == 0 || pointer->offset >> 44 || pointer->bytes >> 44)
        return CUDA_ERROR_INVALID_VALUE;
    struct vmem_block block = {
        .bytes = pointer->bytes, .kind = VMEM_DEVICE, .device = (uint32_t)pool->device->ordinal};
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
