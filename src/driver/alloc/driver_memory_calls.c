/* SPDX-License-Identifier: Apache-2.0 */
/* Memory: the calls that take it and give it back. */
#include "driver/core/driver_error.h"
#include "driver/graph/driver_graph.h"
#include "driver/memory/driver_misuse.h"
#include "driver/stream/driver_stream.h"

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
    vmem_set_rows(driver.vmem, *out, width, row);
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
    if (!driver_memory_find(address, &known)) return driver_misuse_wrong_free(address);
    if (known.external && known.external == address) address = known.base;
    if (!driver_memory_is_base(address, VMEM_DEVICE, VMEM_MANAGED)) return driver_misuse_wrong_free(address);
    if (known.imported && !known.pool && !known.external) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(wait_for_users(address));
    if (driver_graph_memory_is(address)) {
        DRIVER_TRY(driver_graph_memory_free(address));
        driver_graph_memory_let_go(address);
        return CUDA_SUCCESS;
    }
    CUresult result = driver_memory_release(address, VMEM_DEVICE, VMEM_MANAGED);
    return result == CUDA_ERROR_INVALID_VALUE ? driver_misuse_wrong_free(address) : result;
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
    if (!driver_memory_is_base((uintptr_t)host, VMEM_HOST_PINNED, VMEM_HOST_PINNED))
        return driver_misuse_wrong_free((uintptr_t)host);
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
    if (!driver_memory_is_base((uintptr_t)host, VMEM_HOST_REGISTERED, VMEM_HOST_REGISTERED))
        return driver_memory_is_pageable(host) ? CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED
                                               : CUDA_ERROR_INVALID_VALUE; /* inside, or of another kind */
    DRIVER_TRY(wait_for_users((uintptr_t)host));
    struct driver_allocation allocation;
    if (!driver_memory_forget((uintptr_t)host, VMEM_HOST_REGISTERED, VMEM_HOST_REGISTERED, &allocation))
        return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    return driver_result(vmem_unregister(driver.vmem, host));
}

DRIVER_API cuIpcCloseMemHandle(CUdeviceptr address)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    DRIVER_TRY(driver_context_wait(context));
    return driver_ipc_close(address);
}
