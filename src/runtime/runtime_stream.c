/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: streams and events.
 * Method: they are the driver's handles; each call is one call of the driver.
 * Limits: events and memory cannot be shared between processes. */
#include "runtime_priv.h"

#include <stdlib.h>

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    if (stream == NULL) return rt_record(cudaErrorInvalidValue);
    return RT(cuStreamCreate(stream, CU_STREAM_DEFAULT));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    if (stream == NULL) return rt_record(cudaErrorInvalidValue);
    return RT(cuStreamCreate(stream, flags));
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    if (stream == NULL) return rt_record(cudaErrorInvalidValue);
    return RT(cuStreamCreateWithPriority(stream, flags, priority));
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    return RT(cuStreamDestroy(stream));
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return RT(cuStreamSynchronize(stream));
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return RT(cuStreamQuery(stream));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    return RT(cuStreamWaitEvent(stream, event, flags));
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    return RT(cuStreamGetPriority(stream, priority));
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags)
{
    return RT(cuStreamGetFlags(stream, flags));
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
    return RT(cuStreamGetId(stream, id));
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device)
{
    return RT(cuStreamGetDevice(stream, device));
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t length, unsigned flags)
{
    return RT(cuStreamAttachMemAsync(stream, rt_dev(pointer), length, flags));
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    return RT(cuCtxGetStreamPriorityRange(least, greatest));
}

_Static_assert(sizeof(cudaLaunchAttributeValue) == sizeof(CUstreamAttrValue), "passed through as they are");

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                   cudaLaunchAttributeValue *value)
{
    return RT(cuStreamGetAttribute(stream, (CUstreamAttrID)attr, (CUstreamAttrValue *)(void *)value));
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                   const cudaLaunchAttributeValue *value)
{
    return RT(
        cuStreamSetAttribute(stream, (CUstreamAttrID)attr, (const CUstreamAttrValue *)(const void *)value));
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src)
{
    return RT(cuStreamCopyAttributes(dst, src));
}

/* The driver reports a CUresult; the program's function wants a cudaError_t. */
struct callback {
    cudaStreamCallback_t call;
    void *user;
};

static void call_back(CUstream stream, CUresult status, void *user)
{
    struct callback callback = *(struct callback *)user;
    free(user);
    callback.call(stream, (cudaError_t)(int)status, callback.user);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t call, void *user, unsigned flags)
{
    if (call == NULL || flags != 0) return rt_record(cudaErrorInvalidValue);
    if (!rt_enter()) return rt_return(rt_failure());
    struct callback *callback = sw_xmalloc(sizeof(*callback));
    *callback = (struct callback){call, user};
    CUresult result = cuStreamAddCallback(stream, call_back, callback, 0);
    if (result != CUDA_SUCCESS) free(callback);
    return rt_return(result);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    if (event == NULL) return rt_record(cudaErrorInvalidValue);
    return RT(cuEventCreate(event, CU_EVENT_DEFAULT));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    if (event == NULL) return rt_record(cudaErrorInvalidValue);
    return RT(cuEventCreate(event, flags));
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    return RT(cuEventDestroy(event));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return RT(cuEventRecord(event, stream));
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    return RT(cuEventRecordWithFlags(event, stream, flags));
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return RT(cuEventQuery(event));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return RT(cuEventSynchronize(event));
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    if (ms == NULL) return rt_record(cudaErrorInvalidValue);
    return RT(cuEventElapsedTime(ms, start, end));
}
