/* SPDX-License-Identifier: Apache-2.0 */
/* Memory: device, pinned, managed and registered. What can be asked of it: driver_pointer.c.
 *
 * vmem/ owns the addresses; this file remembers beside each allocation what the API wants to know of it
 * (context, flags, number, pool). A device pointer is a host pointer, so managed and pinned memory need no
 * mapping. */
#include "driver_error.h"
#include "driver_graph.h"
#include "driver_operation.h"
#include "driver_pool.h"
#include "driver_work.h"

#include <stdlib.h>
#include <sys/mman.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct map allocations; /* by base: struct driver_allocation */

void driver_memory_remember(const struct driver_allocation *allocation)
{
    struct driver_allocation *copy = sw_xmalloc(sizeof *copy);
    *copy = *allocation;
    copy->id = atomic_fetch_add(&driver.next_allocation, 1) + 1;
    pthread_mutex_lock(&lock);
    map_set_u64(&allocations, copy->base, copy);
    driver_rights_apply(copy);
    pthread_mutex_unlock(&lock);
    driver_operation_memory(true, allocation);
}

/* Under the lock: what was forgotten may be someone else's memory already. */
void driver_memory_apply_rights(void)
{
    void *value;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; map_next(&allocations, &i, &value);)
        driver_rights_apply(value);
    pthread_mutex_unlock(&lock);
}

/* Forget a base of one of two kinds; false: none such. *out holds what it was. */
static bool forget(dev_addr base, enum vmem_kind kind, enum vmem_kind also, struct driver_allocation *out)
{
    pthread_mutex_lock(&lock);
    struct driver_allocation *found = base ? map_get_u64(&allocations, base) : NULL;
    bool fits = found && (found->kind == kind || found->kind == also);
    if (fits) {
        *out = *found;
        map_remove_u64(&allocations, base);
        free(found);
    }
    pthread_mutex_unlock(&lock);
    if (fits) driver_operation_memory(false, out);
    if (fits && out->kind == VMEM_MANAGED) driver_range_forget(base, out->bytes);
    return fits;
}

static bool known_base(dev_addr base, enum vmem_kind kind, enum vmem_kind also)
{
    pthread_mutex_lock(&lock);
    struct driver_allocation *found = base ? map_get_u64(&allocations, base) : NULL;
    bool fits = found && (found->kind == kind || found->kind == also);
    pthread_mutex_unlock(&lock);
    return fits;
}

bool driver_memory_find(dev_addr address, struct driver_allocation *out)
{
    struct vmem_block block;
    if (!vmem_find(driver.vmem, address, &block)) return false;
    pthread_mutex_lock(&lock);
    struct driver_allocation *found = map_get_u64(&allocations, block.base);
    if (found) *out = *found;
    pthread_mutex_unlock(&lock);
    if (!found)
        *out = (struct driver_allocation){
            .base = block.base, .bytes = block.bytes, .kind = block.kind, .device = (int)block.device};
    return true;
}

bool driver_memory_free_once(dev_addr base, struct driver_allocation *out)
{
    pthread_mutex_lock(&lock);
    struct driver_allocation *found = map_get_u64(&allocations, base);
    bool first = found && !found->freeing;
    if (first) {
        *out = *found;
        found->freeing = true;
    }
    pthread_mutex_unlock(&lock);
    return first;
}

bool driver_memory_is_legacy(const struct driver_allocation *allocation)
{
    return allocation->kind == VMEM_DEVICE && allocation->id && !allocation->pool && !allocation->imported;
}

bool driver_memory_valid(dev_addr address, uint64_t bytes)
{
    return vmem_allows(driver.vmem, address, bytes, VMEM_READ);
}

bool driver_memory_writable(dev_addr address, uint64_t bytes)
{
    return vmem_allows(driver.vmem, address, bytes, VMEM_WRITE);
}

bool driver_memory_is_pageable(const void *host)
{
    struct vmem_block block;
    return !vmem_find(driver.vmem, (uintptr_t)host, &block);
}

/* The host has such memory: asked of the system, which answers without touching it. */
bool driver_memory_is_mapped(dev_addr address, uint64_t bytes)
{
    const dev_addr page = 4096, first = address & ~(page - 1);
    return address + bytes >= address && msync((void *)first, address + bytes - first, MS_ASYNC) == 0;
}

/* All but the base is filled in. */
static CUresult take(struct driver_allocation *allocation, dev_addr *out)
{
    const struct driver_device *device = &driver.devices[allocation->device];
    const struct driver_context *context = allocation->context;
    enum sw_status status = SW_OUT_OF_MEMORY;
    for (int exact = 0; exact < 2 && status == SW_OUT_OF_MEMORY; exact++) {
        uint64_t limit = allocation->kind == VMEM_DEVICE ? driver_device_limit(device, exact) : UINT64_MAX;
        status = vmem_alloc(driver.vmem, allocation->bytes, allocation->kind, (uint32_t)allocation->device,
                            context ? context->id : 0, limit, &allocation->base);
    }
    if (status != SW_OK) return driver_result(status);
    driver_memory_remember(allocation);
    driver_device_note(allocation->device);
    *out = allocation->base;
    return CUDA_SUCCESS;
}

CUresult driver_memory_alloc(struct driver_context *context, uint64_t bytes, enum vmem_kind kind,
                             unsigned flags, struct driver_pool *pool, dev_addr *out)
{
    struct driver_allocation allocation = {.bytes = bytes,
                                           .context = context,
                                           .flags = flags,
                                           .kind = kind,
                                           .device = context ? context->device->ordinal : 0,
                                           .pool = pool};
    return take(&allocation, out);
}

CUresult driver_memory_alloc_by_graph(struct driver_context *context, const struct driver_graph_wish *wish,
                                      dev_addr *out)
{
    struct driver_allocation allocation = {.bytes = wish->bytes,
                                           .context = context,
                                           .kind = VMEM_DEVICE,
                                           .device = wish->device->ordinal,
                                           .also = wish->reach,
                                           .by_graph = true};
    return take(&allocation, out);
}

void driver_memory_reach(dev_addr base, uint32_t reach)
{
    pthread_mutex_lock(&lock);
    struct driver_allocation *found = map_get_u64(&allocations, base);
    if (found) {
        found->also |= reach;
        driver_rights_apply(found);
    }
    pthread_mutex_unlock(&lock);
}

CUresult driver_memory_release(dev_addr base, enum vmem_kind kind, enum vmem_kind also)
{
    struct driver_allocation allocation;
    if (!forget(base, kind, also, &allocation)) return CUDA_ERROR_INVALID_VALUE;
    if (allocation.pool) {
        driver_pool_returned(&allocation);
        return CUDA_SUCCESS;
    }
    if (allocation.imported) driver_ipc_forget(base);
    driver_work_hold_copies();
    enum sw_status status = vmem_release(driver.vmem, base);
    driver_work_let_copies();
    driver_device_note(allocation.device);
    return driver_result(status);
}

void driver_memory_release_context(const struct driver_context *context)
{
    VEC(struct driver_allocation) mine = {0};
    void *value;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; map_next(&allocations, &i, &value);) {
        const struct driver_allocation *allocation = value;
        if (allocation->context == context && !allocation->by_graph) *vec_push(&mine) = *allocation;
    }
    pthread_mutex_unlock(&lock);
    for (size_t i = 0; i < mine.count; i++) {
        struct driver_allocation gone;
        if (mine.at[i].kind != VMEM_HOST_REGISTERED)
            driver_memory_release(mine.at[i].base, mine.at[i].kind, mine.at[i].kind);
        else if (forget(mine.at[i].base, VMEM_HOST_REGISTERED, VMEM_HOST_REGISTERED, &gone))
            vmem_unregister(driver.vmem, (void *)(uintptr_t)gone.base);
    }
    vec_release(&mine);
}

/* ---- device memory */

DRIVER_API cuMemAlloc_v2(CUdeviceptr *out, size_t bytes)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    DRIVER_TRY(driver_capture_unsafe());
    if (!out || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    dev_addr address;
    DRIVER_TRY(driver_memory_alloc(context, bytes, VMEM_DEVICE, 0, NULL, &address));
    *out = address;
    return CUDA_SUCCESS;
}

enum { PITCH_BYTES = 512 }; /* what cuMemAllocPitch aligns rows to on every GPU since cc 2.0 */
static const uint64_t MAX_PITCH = UINT64_C(1) << 62, MAX_PITCHED_BYTES = UINT64_C(1) << 62;

DRIVER_API cuMemAllocPitch_v2(CUdeviceptr *out, size_t *pitch, size_t width, size_t height, unsigned element)
{
    DRIVER_TRY(driver_ready());
    if (!out || !pitch || width == 0 || height == 0) return CUDA_ERROR_INVALID_VALUE;
    if (element != 4 && element != 8 && element != 16) return CUDA_ERROR_INVALID_VALUE;
    size_t row, bytes;
    if (__builtin_add_overflow(width, PITCH_BYTES - 1, &row)) return CUDA_ERROR_INVALID_VALUE;
    row &= ~(size_t)(PITCH_BYTES - 1);
    if (row > MAX_PITCH || __builtin_mul_overflow(row, height, &bytes) || bytes > MAX_PITCHED_BYTES)
        return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(cuMemAlloc_v2(out, bytes));
    *pitch = row;
    return CUDA_SUCCESS;
}

/* No context need be current to give memory back, but one that failed answers its error. */
static CUresult working(void)
{
    struct driver_context *context;
    CUresult result = driver_context_current(&context);
    return result == CUDA_ERROR_INVALID_CONTEXT ? CUDA_SUCCESS : result;
}

/* A kernel or a copy may still use it: wait for the work of its context, and of the current one. */
static CUresult wait_for_users(dev_addr base)
{
    struct driver_context *context;
    struct driver_allocation allocation;
    if (driver_context_current(&context) == CUDA_SUCCESS) DRIVER_TRY(driver_context_wait(context));
    if (!driver_memory_find(base, &allocation)) return CUDA_SUCCESS;
    struct driver_context *owner = driver_handle_get(allocation.context, DRIVER_CONTEXT);
    if (!owner) return CUDA_SUCCESS;
    CUresult result = driver_context_wait(owner);
    driver_object_unref(&owner->object);
    return result;
}

DRIVER_API cuMemFree_v2(CUdeviceptr address)
{
    DRIVER_TRY(working());
    DRIVER_TRY(driver_capture_unsafe());
    if (!address) return CUDA_SUCCESS;
    struct driver_allocation known;
    if (!driver_memory_find(address, &known)) return CUDA_ERROR_INVALID_VALUE;
    if (known.external && known.external == address) address = known.base;
    if (!known_base(address, VMEM_DEVICE, VMEM_MANAGED)) return CUDA_ERROR_INVALID_VALUE;
    if (known.imported && !known.pool && !known.external) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(wait_for_users(address));
    if (driver_graph_memory_is(address)) {
        DRIVER_TRY(driver_graph_memory_free(address));
        driver_graph_memory_let_go(address);
        return CUDA_SUCCESS;
    }
    return driver_memory_release(address, VMEM_DEVICE, VMEM_MANAGED);
}

DRIVER_API cuMemAllocManaged(CUdeviceptr *out, size_t bytes, unsigned flags)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    DRIVER_TRY(driver_capture_unsafe());
    if (!out || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST) return CUDA_ERROR_INVALID_VALUE;
    dev_addr address;
    DRIVER_TRY(driver_memory_alloc(context, bytes, VMEM_MANAGED, flags, NULL, &address));
    *out = address;
    return CUDA_SUCCESS;
}

/* ---- host memory */

static CUresult host_alloc(void **out, size_t bytes, unsigned flags)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    DRIVER_TRY(driver_capture_unsafe());
    unsigned known = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
    if (!out || flags & ~known) return CUDA_ERROR_INVALID_VALUE;
    dev_addr address = 0; /* of nothing */
    if (bytes) DRIVER_TRY(driver_memory_alloc(context, bytes, VMEM_HOST_PINNED, flags, NULL, &address));
    *out = (void *)(uintptr_t)address;
    return CUDA_SUCCESS;
}

DRIVER_API cuMemAllocHost_v2(void **out, size_t bytes)
{
    return host_alloc(out, bytes, CU_MEMHOSTALLOC_DEVICEMAP);
}

DRIVER_API cuMemHostAlloc(void **out, size_t bytes, unsigned flags)
{
    return host_alloc(out, bytes, flags);
}

DRIVER_API cuMemFreeHost(void *host)
{
    DRIVER_TRY(working());
    DRIVER_TRY(driver_capture_unsafe());
    if (!host) return CUDA_SUCCESS;
    if (!known_base((uintptr_t)host, VMEM_HOST_PINNED, VMEM_HOST_PINNED)) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(wait_for_users((uintptr_t)host));
    return driver_memory_release((uintptr_t)host, VMEM_HOST_PINNED, VMEM_HOST_PINNED);
}

DRIVER_API cuMemHostRegister_v2(void *host, size_t bytes, unsigned flags)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    unsigned known =
        CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_READ_ONLY;
    if (!host || bytes == 0 || flags & ~known) return CUDA_ERROR_INVALID_VALUE; /* no memory of devices */
    struct vmem_block block;
    if (!driver_memory_is_mapped((uintptr_t)host, bytes)) return CUDA_ERROR_INVALID_VALUE;
    if (vmem_find(driver.vmem, (uintptr_t)host, &block))
        return block.kind == VMEM_HOST_REGISTERED ? CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED
                                                  : CUDA_ERROR_INVALID_VALUE;
    enum sw_status status = vmem_register(driver.vmem, host, bytes, context->id);
    if (status != SW_OK) return driver_result(status);
    struct driver_allocation allocation = {.base = (uintptr_t)host, .bytes = bytes, .context = context};
    allocation.flags = flags | CU_MEMHOSTREGISTER_DEVICEMAP; /* always so */
    allocation.kind = VMEM_HOST_REGISTERED;
    allocation.device = context->device->ordinal;
    driver_memory_remember(&allocation);
    return CUDA_SUCCESS;
}

DRIVER_API cuMemHostUnregister(void *host)
{
    DRIVER_TRY(working());
    if (!host) return CUDA_ERROR_INVALID_VALUE;
    if (!known_base((uintptr_t)host, VMEM_HOST_REGISTERED, VMEM_HOST_REGISTERED))
        return driver_memory_is_pageable(host) ? CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED
                                               : CUDA_ERROR_INVALID_VALUE; /* inside, or of another kind */
    DRIVER_TRY(wait_for_users((uintptr_t)host));
    struct driver_allocation allocation;
    if (!forget((uintptr_t)host, VMEM_HOST_REGISTERED, VMEM_HOST_REGISTERED, &allocation))
        return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    return driver_result(vmem_unregister(driver.vmem, host));
}
