/* SPDX-License-Identifier: Apache-2.0 */
/* What can be asked of memory: of which allocation an address is, its attributes, and how much is free. */
#include "driver/memory/driver_memory.h"

DRIVER_API cuMemGetInfo_v2(size_t *free_bytes, size_t *total)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    uint64_t live = vmem_live_bytes(driver.vmem, (uint32_t)context->device->ordinal);
    uint64_t limit = driver_device_limit(context->device, true), host = vmem_host_limit(driver.vmem);
    uint64_t most = limit < host ? limit : host; /* programs take nearly all of what is free */
    if (total) *total = context->device->gpu.memory_bytes;
    if (free_bytes) *free_bytes = live < most ? most - live : 0;
    return CUDA_SUCCESS;
}

DRIVER_API cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr address)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    struct driver_allocation allocation;
    if (!driver_memory_find(address, &allocation)) return CUDA_ERROR_NOT_FOUND;
    if (base) *base = allocation.base;
    if (bytes) *bytes = allocation.bytes;
    return CUDA_SUCCESS;
}

static bool pointer_is_host(enum vmem_kind kind)
{
    return kind == VMEM_HOST_PINNED || kind == VMEM_HOST_REGISTERED;
}

DRIVER_API cuMemHostGetDevicePointer_v2(CUdeviceptr *out, void *host, unsigned flags)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    struct driver_allocation allocation;
    if (!out || flags || !driver_memory_find((uintptr_t)host, &allocation)) return CUDA_ERROR_INVALID_VALUE;
    if (!pointer_is_host(allocation.kind) && allocation.kind != VMEM_MANAGED) return CUDA_ERROR_INVALID_VALUE;
    *out = (uintptr_t)host;
    return CUDA_SUCCESS;
}

DRIVER_API cuMemHostGetFlags(unsigned *flags, void *host)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    struct driver_allocation allocation;
    if (!flags || !driver_memory_find((uintptr_t)host, &allocation)) return CUDA_ERROR_INVALID_VALUE;
    if (!pointer_is_host(allocation.kind)) return CUDA_ERROR_INVALID_VALUE;
    *flags = allocation.flags;
    return CUDA_SUCCESS;
}

/* What an address belongs to: for a mapping, the whole reserved range. */
static struct vmem_block range_of(const struct driver_allocation *a)
{
    struct vmem_block range = {.base = a->base, .bytes = a->bytes};
    (void)vmem_reserved(driver.vmem, a->base, &range);
    return range;
}

/* Write *data by attribute; known: false for a pointer that is not ours, which answers zeros. */
static CUresult attribute_write(const struct driver_allocation *a, bool known, CUdeviceptr pointer,
                                CUpointer_attribute attribute, void *data)
{
    bool managed = known && a->kind == VMEM_MANAGED, host = known && pointer_is_host(a->kind);
    switch ((int)attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        DRIVER_PUT(CUcontext, data, known ? (CUcontext)a->context : NULL);
        break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        DRIVER_PUT(CUmemorytype, data,
                   !known ? (CUmemorytype)0
                   : host ? CU_MEMORYTYPE_HOST
                          : CU_MEMORYTYPE_DEVICE);
        break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: DRIVER_PUT(CUdeviceptr, data, known ? pointer : 0); break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        if (known && !host && !managed) return CUDA_ERROR_INVALID_VALUE;
        DRIVER_PUT(void *, data, known ? (void *)(uintptr_t)pointer : NULL);
        break;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: DRIVER_PUT(unsigned, data, known && !host); break;
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE: DRIVER_PUT(size_t, data, known ? a->bytes : 0); break;
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR: DRIVER_PUT(CUdeviceptr, data, known ? a->base : 0); break;
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID: DRIVER_PUT(unsigned long long, data, known ? a->id : 0); break;
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE: DRIVER_PUT(unsigned char, data, 0); break;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID: DRIVER_PUT(unsigned long long, data, known ? a->id : 0); break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: DRIVER_PUT(unsigned, data, managed); break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: DRIVER_PUT(int, data, known ? a->device : -2); break;
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
        DRIVER_PUT(unsigned, data, known &&driver_memory_is_legacy(a));
        break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        DRIVER_PUT(CUdeviceptr, data, known ? range_of(a).base : 0);
        break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: DRIVER_PUT(size_t, data, known ? range_of(a).bytes : 0); break;
    case CU_POINTER_ATTRIBUTE_MAPPED: DRIVER_PUT(unsigned, data, known); break;
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: DRIVER_PUT(unsigned long long, data, 0); break;
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE: DRIVER_PUT(unsigned, data, 0); break;
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
        DRIVER_PUT(unsigned, data, known ? CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE : 0);
        break;
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: DRIVER_PUT(void *, data, known ? (void *)a->pool : NULL); break;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

DRIVER_API cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr pointer)
{
    DRIVER_TRY(driver_ready());
    struct driver_allocation allocation;
    if (!data || !driver_memory_find(pointer, &allocation)) return CUDA_ERROR_INVALID_VALUE;
    return attribute_write(&allocation, true, pointer, attribute, data);
}

DRIVER_API cuPointerGetAttributes(unsigned count, CUpointer_attribute *attributes, void **data,
                                  CUdeviceptr pointer)
{
    DRIVER_TRY(driver_ready());
    if (!attributes || !data || count == 0) return CUDA_ERROR_INVALID_VALUE;
    struct driver_allocation allocation;
    bool known = driver_memory_find(pointer, &allocation);
    for (unsigned i = 0; i < count; i++) {
        CUresult result = attribute_write(&allocation, known, pointer, attributes[i], data[i]);
        if (result != CUDA_SUCCESS && attributes[i] == CU_POINTER_ATTRIBUTE_HOST_POINTER)
            DRIVER_PUT(void *, data[i], NULL); /* device memory: no host pointer, and no error in this form */
        else if (result != CUDA_SUCCESS)
            return result;
    }
    return CUDA_SUCCESS;
}

DRIVER_API cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr pointer)
{
    DRIVER_TRY(driver_ready());
    struct driver_allocation allocation;
    if (!value || attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS) return CUDA_ERROR_INVALID_VALUE;
    return driver_memory_find(pointer, &allocation) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
