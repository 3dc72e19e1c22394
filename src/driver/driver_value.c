/* SPDX-License-Identifier: Apache-2.0 */
/* Stream memory operations: write a word, or wait for one, in stream order. */
#include "driver_priv.h"

static CUresult add(CUstream handle, enum driver_work_kind kind, CUdeviceptr address, uint64_t value,
                    unsigned flags, bool wide)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    struct driver_work work = {.kind = kind, .value = {address, value, flags, wide}};
    unsigned bytes = wide ? 8 : 4;
    CUresult result = address % bytes || !driver_memory_valid(address, bytes)
                          ? CUDA_ERROR_INVALID_VALUE
                          : driver_submit(stream, &work, false);
    driver_stream_put(stream);
    return result;
}

DRIVER_API cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags)
{
    return add(stream, DRIVER_WORK_WRITE, address, value, flags, false);
}

DRIVER_API cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags)
{
    return add(stream, DRIVER_WORK_WRITE, address, value, flags, true);
}

DRIVER_API cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags)
{
    return add(stream, DRIVER_WORK_WAIT, address, value, flags, false);
}

DRIVER_API cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags)
{
    return add(stream, DRIVER_WORK_WAIT, address, value, flags, true);
}
