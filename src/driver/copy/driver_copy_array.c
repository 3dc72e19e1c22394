/* SPDX-License-Identifier: Apache-2.0 */
/* Copies to and from arrays of one dimension, by an offset in bytes: such an array lies in one piece, so they
 * are copies of linear memory (driver_copy.c). */
#include "driver_copy.h"

#include "driver/texture/driver_array.h"

static CUresult array_endpoint(CUarray handle, uint64_t offset, uint64_t *address)
{
    DRIVER_TRY(driver_ready());
    struct driver_array *array = driver_handle_get(handle, DRIVER_ARRAY);
    if (!array) return handle ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    uint64_t pitch, rows;
    driver_array_layout(array, address, &pitch, &rows);
    driver_object_unref((struct driver_object *)array);
    *address = sw_sum(*address, offset);
    return CUDA_SUCCESS;
}

DRIVER_API cuMemcpyDtoA_v2(CUarray to, size_t offset, CUdeviceptr from, size_t bytes)
{
    uint64_t address;
    DRIVER_TRY(array_endpoint(to, offset, &address));
    return driver_copy_linear(NULL, address, SIDE_DEVICE, from, SIDE_DEVICE, bytes, false);
}

DRIVER_API cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t offset, size_t bytes)
{
    uint64_t address;
    DRIVER_TRY(array_endpoint(from, offset, &address));
    return driver_copy_linear(NULL, to, SIDE_DEVICE, address, SIDE_DEVICE, bytes, false);
}

DRIVER_API cuMemcpyHtoA_v2(CUarray to, size_t offset, const void *from, size_t bytes)
{
    uint64_t address;
    DRIVER_TRY(array_endpoint(to, offset, &address));
    return driver_copy_linear(NULL, address, SIDE_DEVICE, (uintptr_t)from, SIDE_HOST, bytes, false);
}

DRIVER_API cuMemcpyAtoH_v2(void *to, CUarray from, size_t offset, size_t bytes)
{
    uint64_t address;
    DRIVER_TRY(array_endpoint(from, offset, &address));
    return driver_copy_linear(NULL, (uintptr_t)to, SIDE_HOST, address, SIDE_DEVICE, bytes, false);
}

DRIVER_API cuMemcpyAtoA_v2(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t bytes)
{
    uint64_t a, b;
    DRIVER_TRY(array_endpoint(to, to_offset, &a));
    DRIVER_TRY(array_endpoint(from, from_offset, &b));
    return driver_copy_linear(NULL, a, SIDE_DEVICE, b, SIDE_DEVICE, bytes, false);
}

DRIVER_API cuMemcpyHtoAAsync_v2(CUarray to, size_t offset, const void *from, size_t bytes, CUstream stream)
{
    uint64_t address;
    DRIVER_TRY(array_endpoint(to, offset, &address));
    return driver_copy_linear(stream, address, SIDE_DEVICE, (uintptr_t)from, SIDE_HOST, bytes, true);
}

DRIVER_API cuMemcpyAtoHAsync_v2(void *to, CUarray from, size_t offset, size_t bytes, CUstream stream)
{
    uint64_t address;
    DRIVER_TRY(array_endpoint(from, offset, &address));
    return driver_copy_linear(stream, (uintptr_t)to, SIDE_HOST, address, SIDE_DEVICE, bytes, true);
}
