/* SPDX-License-Identifier: Apache-2.0 */
/* Virtual memory management: reserved ranges, memory handles, and mapping one into the other.
 *
 * A reservation is one sparse allocation, so mapping only has to be recorded; pages appear when they are
 * touched. Limits: a handle is mapped at one place at a time; the bytes stay where they were last mapped and
 * are copied when it is mapped elsewhere; memory that is reserved but not mapped can be touched by kernels;
 * handles cannot be shared with other processes. */
#include "driver_priv.h"

#include <stdlib.h>
#include <string.h>

enum { GRANULARITY = 2 << 20 }; /* what CUDA reports for device memory */

struct driver_chunk { /* a CUmemGenericAllocationHandle */
    struct driver_object object;
    CUmemAllocationProp prop;
    uint64_t bytes;
    dev_addr at; /* where it is or was mapped last; 0: nowhere yet */
    bool mapped, accessible;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static VEC(struct driver_chunk *) mapped; /* references */

static void chunk_end(struct driver_object *object)
{
    free(object);
}

static CUresult check_prop(const CUmemAllocationProp *prop)
{
    static int refused;
    if (!prop || prop->type != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
    if (prop->location.type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_INVALID_VALUE;
    if (prop->location.id < 0 || prop->location.id >= driver.device_count) return CUDA_ERROR_INVALID_DEVICE;
    if (prop->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE)
        return driver_refuse_call(&refused, "cuMemCreate", "memory that other processes can open");
    return CUDA_SUCCESS;
}

DRIVER_API cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *prop,
                                         CUmemAllocationGranularity_flags option)
{
    (void)option;
    DRIVER_TRY(driver_ready());
    if (!bytes) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(check_prop(prop));
    *bytes = GRANULARITY;
    return CUDA_SUCCESS;
}

DRIVER_API cuMemAddressReserve(CUdeviceptr *out, size_t bytes, size_t alignment, CUdeviceptr hint,
                               unsigned long long flags)
{
    (void)hint;
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    if (!out || bytes == 0 || bytes % GRANULARITY || flags) return CUDA_ERROR_INVALID_VALUE;
    if (alignment & (alignment - 1) || alignment > GRANULARITY) return CUDA_ERROR_INVALID_VALUE;
    dev_addr address;
    DRIVER_TRY(driver_memory_alloc(context, bytes, VMEM_DEVICE, 0, NULL, &address));
    *out = address;
    return CUDA_SUCCESS;
}

static bool overlaps_locked(dev_addr address, uint64_t bytes)
{
    for (size_t i = 0; i < mapped.count; i++)
        if (mapped.at[i]->at < address + bytes && address < mapped.at[i]->at + mapped.at[i]->bytes)
            return true;
    return false;
}

DRIVER_API cuMemAddressFree(CUdeviceptr address, size_t bytes)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_any(&context));
    struct driver_allocation allocation;
    if (!driver_memory_find(address, &allocation) || allocation.base != address || allocation.bytes != bytes)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    bool busy = overlaps_locked(address, bytes);
    pthread_mutex_unlock(&lock);
    return busy ? CUDA_ERROR_INVALID_VALUE : driver_memory_release(address, VMEM_DEVICE, VMEM_DEVICE);
}

DRIVER_API cuMemCreate(CUmemGenericAllocationHandle *out, size_t bytes, const CUmemAllocationProp *prop,
                       unsigned long long flags)
{
    DRIVER_TRY(driver_ready());
    if (!out || bytes == 0 || bytes % GRANULARITY || flags) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(check_prop(prop));
    if (bytes > driver.devices[prop->location.id].gpu.memory_bytes) return CUDA_ERROR_OUT_OF_MEMORY;
    struct driver_chunk *chunk = sw_xcalloc(1, sizeof *chunk);
    driver_object_init(&chunk->object, DRIVER_CHUNK, chunk_end);
    chunk->prop = *prop;
    chunk->bytes = bytes;
    driver_handle_add(&chunk->object);
    *out = (uintptr_t)chunk;
    return CUDA_SUCCESS;
}

DRIVER_API cuMemRelease(CUmemGenericAllocationHandle handle)
{
    DRIVER_TRY(driver_ready());
    struct driver_chunk *chunk = driver_handle_take((void *)(uintptr_t)handle, DRIVER_CHUNK);
    if (!chunk) return CUDA_ERROR_INVALID_VALUE;
    driver_object_unref(&chunk->object);
    return CUDA_SUCCESS;
}

/* Bring the bytes along from where the chunk was mapped before. */
static CUresult move_locked(struct driver_chunk *chunk, dev_addr address)
{
    if (chunk->at && chunk->at != address) {
        if (!driver_memory_valid(chunk->at, chunk->bytes)) return CUDA_ERROR_NOT_SUPPORTED;
        memcpy((void *)(uintptr_t)address, (void *)(uintptr_t)chunk->at, chunk->bytes);
    }
    chunk->at = address;
    return CUDA_SUCCESS;
}

static CUresult map_locked(struct driver_chunk *chunk, dev_addr address, uint64_t bytes)
{
    if (bytes != chunk->bytes || chunk->mapped) return CUDA_ERROR_NOT_SUPPORTED;
    if (!driver_memory_valid(address, bytes) || overlaps_locked(address, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(move_locked(chunk, address));
    chunk->mapped = true;
    driver_object_ref(&chunk->object);
    *vec_push(&mapped) = chunk;
    return CUDA_SUCCESS;
}

DRIVER_API cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                    unsigned long long flags)
{
    static int refused;
    DRIVER_TRY(driver_ready());
    if (flags || bytes == 0 || address % GRANULARITY) return CUDA_ERROR_INVALID_VALUE;
    if (offset) return driver_refuse_call(&refused, "cuMemMap", "mapping a part of a handle");
    struct driver_chunk *chunk = driver_handle_get((void *)(uintptr_t)handle, DRIVER_CHUNK);
    if (!chunk) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    CUresult result = map_locked(chunk, address, bytes);
    pthread_mutex_unlock(&lock);
    if (result == CUDA_ERROR_NOT_SUPPORTED)
        driver_refuse_call(&refused, "cuMemMap",
                           "a handle mapped twice, in part, or after its range was freed");
    driver_object_unref(&chunk->object);
    return result;
}

/* The mapped chunks inside [address, address + bytes), which must cover it exactly; visit with `act`. */
static bool covered_locked(dev_addr address, uint64_t bytes)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < mapped.count; i++)
        if (mapped.at[i]->at >= address && mapped.at[i]->at + mapped.at[i]->bytes <= address + bytes)
            sum += mapped.at[i]->bytes;
    return sum == bytes;
}

DRIVER_API cuMemUnmap(CUdeviceptr address, size_t bytes)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_any(&context));
    driver_context_wait(context);
    VEC(struct driver_chunk *) gone = {0};
    pthread_mutex_lock(&lock);
    bool whole = covered_locked(address, bytes);
    for (size_t i = 0; whole && i < mapped.count; i++) {
        struct driver_chunk *chunk = mapped.at[i];
        if (chunk->at < address || chunk->at >= address + bytes) continue;
        chunk->mapped = chunk->accessible = false;
        *vec_push(&gone) = chunk;
        mapped.at[i--] = mapped.at[--mapped.count];
    }
    pthread_mutex_unlock(&lock);
    for (size_t i = 0; i < gone.count; i++)
        driver_object_unref(&gone.at[i]->object);
    vec_release(&gone);
    return whole ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *access, size_t count)
{
    DRIVER_TRY(driver_ready());
    if (!access || count == 0) return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++)
        if (access[i].location.type == CU_MEM_LOCATION_TYPE_DEVICE &&
            (access[i].location.id < 0 || access[i].location.id >= driver.device_count))
            return CUDA_ERROR_INVALID_DEVICE;
    pthread_mutex_lock(&lock);
    bool whole = covered_locked(address, bytes);
    for (size_t i = 0; whole && i < mapped.count; i++)
        if (mapped.at[i]->at >= address && mapped.at[i]->at < address + bytes)
            mapped.at[i]->accessible = access[0].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE;
    pthread_mutex_unlock(&lock);
    return whole ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static struct driver_chunk *chunk_at_locked(dev_addr address)
{
    for (size_t i = 0; i < mapped.count; i++)
        if (address - mapped.at[i]->at < mapped.at[i]->bytes) return mapped.at[i];
    return NULL;
}

DRIVER_API cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr address)
{
    DRIVER_TRY(driver_ready());
    if (!flags || !location) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    const struct driver_chunk *chunk = chunk_at_locked(address);
    if (chunk)
        *flags = chunk->accessible ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    pthread_mutex_unlock(&lock);
    return chunk ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop,
                                                  CUmemGenericAllocationHandle handle)
{
    DRIVER_TRY(driver_ready());
    if (!prop) return CUDA_ERROR_INVALID_VALUE;
    struct driver_chunk *chunk = driver_handle_get((void *)(uintptr_t)handle, DRIVER_CHUNK);
    if (!chunk) return CUDA_ERROR_INVALID_VALUE;
    *prop = chunk->prop;
    driver_object_unref(&chunk->object);
    return CUDA_SUCCESS;
}
