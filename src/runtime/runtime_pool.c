/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: stream-ordered allocation and memory pools.
 * Method: the driver's calls; the structures are the same bytes under other names.
 * Limits: pools cannot be shared between processes. */
#include "runtime_priv.h"

_Static_assert(sizeof(struct cudaMemPoolProps) == sizeof(CUmemPoolProps), "the same bytes");
_Static_assert(offsetof(struct cudaMemPoolProps, usage) == offsetof(CUmemPoolProps, usage), "the same bytes");
_Static_assert(sizeof(struct cudaMemAccessDesc) == sizeof(CUmemAccessDesc), "the same bytes");

cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream)
{
    RT_CALLED();
    if (pointer == NULL) return rt_record(cudaErrorInvalidValue);
    CUdeviceptr found = 0;
    cudaError_t error = RT(size == 0 ? CUDA_SUCCESS : cuMemAllocAsync(&found, size, stream));
    if (error == cudaSuccess) *pointer = (void *)(uintptr_t)found;
    return error;
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
    RT_CALLED();
    if (pointer == NULL) return rt_record(cudaErrorInvalidValue);
    CUdeviceptr found = 0;
    cudaError_t error = RT(size == 0 ? CUDA_SUCCESS : cuMemAllocFromPoolAsync(&found, size, pool, stream));
    if (error == cudaSuccess) *pointer = (void *)(uintptr_t)found;
    return error;
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream)
{
    return RT(pointer == NULL ? CUDA_SUCCESS : cuMemFreeAsync(rt_dev(pointer), stream));
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    return RT_DRIVER(cuDeviceGetDefaultMemPool(pool, device));
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    return RT_DRIVER(cuDeviceGetMemPool(pool, device));
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    return RT_DRIVER(cuDeviceSetMemPool(device, pool));
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props)
{
    return RT(cuMemPoolCreate(pool, (const CUmemPoolProps *)(const void *)props));
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    return RT(cuMemPoolDestroy(pool));
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep_bytes)
{
    return RT(cuMemPoolTrimTo(pool, keep_bytes));
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
    return RT(cuMemPoolSetAttribute(pool, (CUmemPool_attribute)attr, value));
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
    return RT(cuMemPoolGetAttribute(pool, (CUmemPool_attribute)attr, value));
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list, size_t count)
{
    return RT(cuMemPoolSetAccess(pool, (const CUmemAccessDesc *)(const void *)list, count));
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location)
{
    return RT(
        cuMemPoolGetAccess((CUmemAccess_flags *)(void *)flags, pool, (CUmemLocation *)(void *)location));
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *pool, struct cudaMemLocation *location,
                                     enum cudaMemAllocationType type)
{
    return RT(cuMemGetDefaultMemPool(pool, (CUmemLocation *)(void *)location, (CUmemAllocationType)type));
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t *pool, struct cudaMemLocation *location,
                              enum cudaMemAllocationType type)
{
    return RT(cuMemGetMemPool(pool, (CUmemLocation *)(void *)location, (CUmemAllocationType)type));
}

cudaError_t cudaMemSetMemPool(struct cudaMemLocation *location, enum cudaMemAllocationType type,
                              cudaMemPool_t pool)
{
    return RT(cuMemSetMemPool((CUmemLocation *)(void *)location, (CUmemAllocationType)type, pool));
}

cudaError_t cudaMemPoolExportToShareableHandle(void *handle, cudaMemPool_t pool,
                                               enum cudaMemAllocationHandleType type, unsigned flags)
{
    return RT(cuMemPoolExportToShareableHandle(handle, pool, (CUmemAllocationHandleType)type, flags));
}

cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *handle,
                                                 enum cudaMemAllocationHandleType type, unsigned flags)
{
    return RT(cuMemPoolImportFromShareableHandle(pool, handle, (CUmemAllocationHandleType)type, flags));
}
