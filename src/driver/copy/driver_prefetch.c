/* SPDX-License-Identifier: Apache-2.0 */
/* Prefetches of managed memory: nothing moves, but by the virtual clock they take time. */
#include "driver/clock/driver_clock.h"
#include "driver/clock/driver_operation.h"
#include "driver/stream/driver_capture.h"
#include "driver/stream/driver_stream.h"

DRIVER_API cuMemPrefetchAsync_v2(CUdeviceptr address, size_t bytes, CUmemLocation location, unsigned flags,
                                 CUstream handle)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    CUresult result = driver_is_capturing(stream) ? driver_capture_forbid(stream) : CUDA_SUCCESS;
    bool numa = location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA && location.id != 0;
    if (result == CUDA_SUCCESS && (numa || flags)) result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) result = driver_range_check(address, bytes, location);
    if (result == CUDA_SUCCESS) driver_range_prefetched(address, bytes, location);
    if (result == CUDA_SUCCESS && driver_clock_is_virtual()) { /* nothing moves, but it takes time */
        struct driver_work work = {.kind = DRIVER_WORK_NOTHING};
        bool to_device = location.type == CU_MEM_LOCATION_TYPE_DEVICE;
        driver_operation_prefetch(&work, stream, address, bytes, to_device);
        result = driver_submit(stream, &work, false);
    }
    driver_stream_put(stream);
    return result;
}

/* ---- the older form, without suffix, which cuda.h hides */

#undef cuMemPrefetchAsync
CUresult CUDAAPI cuMemPrefetchAsync(CUdeviceptr, size_t, CUdevice, CUstream);

DRIVER_API cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream)
{
    return cuMemPrefetchAsync_v2(address, bytes, driver_range_location(device), 0, stream);
}
