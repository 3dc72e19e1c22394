/* SPDX-License-Identifier: Apache-2.0 */
/* Calls about things that do not happen here, answered as a GPU answers where they do not: notifications of
 * memory over its budget (callbacks are kept and never called), limits of a context to some multiprocessors
 * (there is no MPS: all of them), functions with one address on host and device (no device of ours has the
 * attribute), and writes of other devices on the bus (all memory is one). */
#include "driver/stream/driver_capture.h"
#include "driver/stream/driver_stream.h"

#include <stdlib.h>

struct CUasyncCallbackEntry_st {
    CUasyncCallback function;
    void *user;
    CUdevice device;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static VEC(struct CUasyncCallbackEntry_st *) callbacks;

DRIVER_API cuDeviceRegisterAsyncNotification(CUdevice ordinal, CUasyncCallback function, void *user,
                                             CUasyncCallbackHandle *out)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    if (!function || !out) return CUDA_ERROR_INVALID_VALUE;
    struct CUasyncCallbackEntry_st *entry = sw_xmalloc(sizeof *entry);
    *entry = (struct CUasyncCallbackEntry_st){function, user, ordinal};
    pthread_mutex_lock(&lock);
    *vec_push(&callbacks) = entry;
    pthread_mutex_unlock(&lock);
    *out = entry;
    return CUDA_SUCCESS;
}

DRIVER_API cuDeviceUnregisterAsyncNotification(CUdevice ordinal, CUasyncCallbackHandle handle)
{
    struct driver_device *device;
    struct CUasyncCallbackEntry_st *found = NULL;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < callbacks.count; i++) {
        if (callbacks.at[i] != handle || callbacks.at[i]->device != ordinal) continue;
        found = callbacks.at[i];
        callbacks.at[i--] = callbacks.at[--callbacks.count];
    }
    pthread_mutex_unlock(&lock);
    free(found);
    return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuCtxGetExecAffinity(CUexecAffinityParam *out, CUexecAffinityType type)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_view(&context));
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    if (type != CU_EXEC_AFFINITY_TYPE_SM_COUNT) return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
    out->type = type;
    out->param.smCount.val = context->sm_count;
    return CUDA_SUCCESS;
}

/* ---- what an H200 does not have either, and how it says so (tests/conform, "external") */

/* Decompression engines came after it. */
DRIVER_API cuMemBatchDecompressAsync(CUmemDecompressParams *params, size_t count, unsigned flags,
                                     size_t *failed, CUstream handle)
{
    struct driver_stream *stream;
    (void)params, (void)count, (void)flags, (void)failed;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    CUresult result = driver_is_capturing(stream) ? driver_capture_forbid(stream) : CUDA_ERROR_NOT_SUPPORTED;
    driver_stream_put(stream);
    return result;
}

/* Its profiler that wrote files is gone. */
DRIVER_API cuProfilerInitialize(const char *settings, const char *out, CUoutput_mode mode)
{
    (void)settings, (void)out, (void)mode;
    DRIVER_TRY(driver_ready());
    return CUDA_ERROR_NOT_SUPPORTED;
}

/* NvSci is NVIDIA's library for its own systems on a chip. */
DRIVER_API cuDeviceGetNvSciSyncAttributes(void *list, CUdevice ordinal, int flags)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    if (!list) return CUDA_ERROR_INVALID_HANDLE;
    return flags < 1 || flags > 3 ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_SUPPORTED;
}

DRIVER_API cuLibraryGetUnifiedFunction(void **out, CUlibrary handle, const char *name)
{
    DRIVER_TRY(driver_ready());
    if (!out || !name) return CUDA_ERROR_INVALID_VALUE;
    struct driver_object *library = driver_handle_get(handle, DRIVER_LIBRARY);
    if (!library) return CUDA_ERROR_INVALID_HANDLE;
    driver_object_unref(library);
    return CUDA_ERROR_INVALID_VALUE; /* as an H200 answers, whatever the name */
}

DRIVER_API cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target,
                                      CUflushGPUDirectRDMAWritesScope scope)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    bool known = scope == CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER ||
                 scope == CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES;
    if (target != CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX || !known)
        return CUDA_ERROR_INVALID_VALUE;
    atomic_thread_fence(memory_order_seq_cst);
    return CUDA_SUCCESS;
}
