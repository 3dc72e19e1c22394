/* SPDX-License-Identifier: Apache-2.0 */
/* Fills of every form (cuMemset*): each becomes one strided driver_fill on a stream. They never wait, except
 * for host memory in the synchronous form, and need the permissions of a kernel (driver_permissions.c). */
#include "driver_copy.h"

#include "driver/memory/driver_memory.h"
#include "driver/stream/driver_stream.h"

static CUresult fill_memory(CUstream handle, CUdeviceptr to, uint64_t pitch, uint32_t value,
                            uint32_t element_bytes, uint64_t width, uint64_t height, bool async)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    CUresult result = CUDA_SUCCESS;
    uint64_t row = sw_product(width, element_bytes);
    if (to % element_bytes || (height > 1 && (pitch % element_bytes || pitch < row)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && width && height) {
        struct driver_fill work_fill = {(uint8_t *)(uintptr_t)to, pitch, width, height, value, element_bytes};
        struct driver_work work = {.kind = DRIVER_WORK_FILL, .fill = work_fill};
        uint64_t bytes = sw_sum(sw_product(height - 1, pitch), row);
        result = driver_side_check(SIDE_DEVICE, to, bytes, true);
        if (!driver_permissions_allow(to, bytes, VMEM_WRITE, false)) result = CUDA_ERROR_INVALID_VALUE;
        struct driver_plane plane = {work_fill.base, 0, 0};
        if (result == CUDA_SUCCESS)
            result = driver_submit(stream, &work, !async && !driver_plane_is_device(&plane));
    }
    driver_stream_put(stream);
    return result;
}

DRIVER_API cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count)
{
    return fill_memory(NULL, to, count, value, 1, count, 1, false);
}

DRIVER_API cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t count)
{
    return fill_memory(NULL, to, 0, value, 2, count, 1, false);
}

DRIVER_API cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count)
{
    return fill_memory(NULL, to, 0, value, 4, count, 1, false);
}

DRIVER_API cuMemsetD2D8_v2(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height)
{
    return fill_memory(NULL, to, pitch, value, 1, width, height, false);
}

DRIVER_API cuMemsetD2D16_v2(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height)
{
    return fill_memory(NULL, to, pitch, value, 2, width, height, false);
}

DRIVER_API cuMemsetD2D32_v2(CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height)
{
    return fill_memory(NULL, to, pitch, value, 4, width, height, false);
}

DRIVER_API cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream)
{
    return fill_memory(stream, to, 0, value, 1, count, 1, true);
}

DRIVER_API cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream)
{
    return fill_memory(stream, to, 0, value, 2, count, 1, true);
}

DRIVER_API cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream)
{
    return fill_memory(stream, to, 0, value, 4, count, 1, true);
}

DRIVER_API cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height,
                             CUstream stream)
{
    return fill_memory(stream, to, pitch, value, 1, width, height, true);
}

DRIVER_API cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height,
                              CUstream stream)
{
    return fill_memory(stream, to, pitch, value, 2, width, height, true);
}

DRIVER_API cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height,
                              CUstream stream)
{
    return fill_memory(stream, to, pitch, value, 4, width, height, true);
}
