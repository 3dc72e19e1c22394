/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: allocation of device, pinned and managed memory, and what is known of a pointer.
 * Method: the driver's calls; the runtime adds its own rules for empty requests and null pointers.
 * Limits: none of its own. */
#include "runtime_priv.h"

#include <string.h>

static cudaError_t allocated(CUresult result, CUdeviceptr pointer, void **out)
{
    if (result == CUDA_SUCCESS) *out = (void *)(uintptr_t)pointer;
    return rt_return(result);
}

cudaError_t cudaMalloc(void **pointer, size_t size)
{
    RT_CALLED();
    if (pointer == NULL) return rt_record(cudaErrorInvalidValue);
    if (!rt_enter()) return rt_return(rt_failure());
    CUdeviceptr found = 0;
    CUresult result = size == 0 ? CUDA_SUCCESS : cuMemAlloc(&found, size); /* cudaMalloc(&p, 0) gives NULL */
    return allocated(result, found, pointer);
}

cudaError_t cudaFree(void *pointer)
{
    return RT(cuMemFree(rt_dev(pointer))); /* of NULL too: a device that failed says so */
}

cudaError_t cudaMallocManaged(void **pointer, size_t size, unsigned flags)
{
    RT_CALLED();
    if (pointer == NULL) return rt_record(cudaErrorInvalidValue);
    if (!rt_enter()) return rt_return(rt_failure());
    CUdeviceptr found = 0;
    CUresult result = size == 0 ? CUDA_SUCCESS : cuMemAllocManaged(&found, size, flags);
    return allocated(result, found, pointer);
}

static cudaError_t malloc_pitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    if (pointer == NULL || pitch == NULL) return rt_record(cudaErrorInvalidValue);
    if (!rt_enter()) return rt_return(rt_failure());
    CUdeviceptr found = 0;
    if (width == 0 || height == 0) {
        *pitch = 0;
        return allocated(CUDA_SUCCESS, 0, pointer);
    }
    CUresult result = cuMemAllocPitch(&found, pitch, width, height, 4);
    return allocated(result, found, pointer);
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    RT_CALLED();
    return malloc_pitch(pointer, pitch, width, height);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitched, struct cudaExtent extent)
{
    if (pitched == NULL) return rt_record(cudaErrorInvalidValue);
    void *pointer = NULL;
    size_t pitch = 0, rows = 0;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
        return rt_record(cudaErrorMemoryAllocation);
    RT_CALLED();
    cudaError_t error = malloc_pitch(&pointer, &pitch, extent.width, rows);
    if (error == cudaSuccess) *pitched = (struct cudaPitchedPtr){pointer, pitch, extent.width, extent.height};
    return error;
}

static cudaError_t host_alloc(void **pointer, size_t size, unsigned flags)
{
    if (pointer == NULL) return rt_record(cudaErrorInvalidValue);
    if (size == 0) *pointer = NULL;
    return size == 0 ? cudaSuccess : RT(cuMemHostAlloc(pointer, size, flags));
}

cudaError_t cudaMallocHost(void **pointer, size_t size)
{
    RT_CALLED();
    return host_alloc(pointer, size, cudaHostAllocDefault);
}

cudaError_t cudaHostAlloc(void **pointer, size_t size, unsigned flags)
{
    RT_CALLED();
    return host_alloc(pointer, size, flags);
}

cudaError_t cudaFreeHost(void *pointer)
{
    return pointer == NULL ? cudaSuccess : RT(cuMemFreeHost(pointer));
}

cudaError_t cudaHostRegister(void *pointer, size_t size, unsigned flags)
{
    return RT(cuMemHostRegister(pointer, size, flags));
}

cudaError_t cudaHostUnregister(void *pointer)
{
    return RT(cuMemHostUnregister(pointer));
}

cudaError_t cudaHostGetDevicePointer(void **device_pointer, void *host, unsigned flags)
{
    if (device_pointer == NULL) return rt_record(cudaErrorInvalidValue);
    if (!rt_enter()) return rt_return(rt_failure());
    CUdeviceptr found = 0;
    CUresult result = cuMemHostGetDevicePointer(&found, host, flags);
    return allocated(result, found, device_pointer);
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *host)
{
    return RT(cuMemHostGetFlags(flags, host));
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    return RT(cuMemGetInfo(free_bytes, total));
}

/* cudaMemoryType of what the driver says of an address. */
static enum cudaMemoryType memory_type(unsigned type, int managed)
{
    if (managed) return cudaMemoryTypeManaged;
    if (type == CU_MEMORYTYPE_HOST) return cudaMemoryTypeHost;
    return type == CU_MEMORYTYPE_DEVICE ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer)
{
    if (attributes == NULL) return rt_record(cudaErrorInvalidValue);
    if (!rt_enter()) return rt_return(rt_failure());
    unsigned type = 0;
    int managed = 0, device = rt_device();
    CUdeviceptr device_pointer = 0;
    void *host_pointer = NULL;
    CUpointer_attribute asked[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                   CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                   CU_POINTER_ATTRIBUTE_HOST_POINTER};
    void *answers[] = {&type, &managed, &device, &device_pointer, &host_pointer};
    CUresult result = cuPointerGetAttributes(SW_COUNT_OF(asked), asked, answers, rt_dev(pointer));
    if (result != CUDA_SUCCESS) return rt_return(result);
    memset(attributes, 0, sizeof(*attributes));
    attributes->type = memory_type(type, managed);
    bool known = attributes->type != cudaMemoryTypeUnregistered;
    attributes->device = known ? device : cudaInvalidDeviceId;
    attributes->devicePointer = known ? (void *)(uintptr_t)device_pointer : NULL;
    attributes->hostPointer = known ? host_pointer : (void *)(uintptr_t)pointer;
    if (attributes->type == cudaMemoryTypeDevice) attributes->hostPointer = NULL;
    return cudaSuccess;
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t bytes, enum cudaMemRangeAttribute attribute,
                                     const void *pointer, size_t count)
{
    return RT(cuMemRangeGetAttribute(data, bytes, (CUmem_range_attribute)attribute, rt_dev(pointer), count));
}

cudaError_t cudaMemRangeGetAttributes(void **data, size_t *bytes, enum cudaMemRangeAttribute *attributes,
                                      size_t attribute_count, const void *pointer, size_t count)
{
    return RT(cuMemRangeGetAttributes(data, bytes, (CUmem_range_attribute *)(void *)attributes,
                                      attribute_count, rt_dev(pointer), count));
}
