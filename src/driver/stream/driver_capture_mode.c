/* SPDX-License-Identifier: Apache-2.0 */
/* What is not allowed while streams are captured (CUDA Programming Guide, "Prohibited and Unhandled
 * Operations"; cuThreadExchangeStreamCaptureMode): calls that wait for captured streams, events or the
 * contexts around them, and calls that may be unsafe, by the thread that captures and, in the global mode, by
 * every thread. Such a call fails and makes the capture invalid. */
#include "driver_capture.h"

static _Thread_local CUstreamCaptureMode thread_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;

DRIVER_API cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
    DRIVER_TRY(driver_ready());
    if (!mode || *mode > CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_ERROR_INVALID_VALUE;
    CUstreamCaptureMode before = thread_mode;
    thread_mode = *mode;
    *mode = before;
    return CUDA_SUCCESS;
}

static bool forbids(const struct driver_capture *capture)
{
    bool mine = capture->thread == driver_thread_number();
    if (thread_mode == CU_STREAM_CAPTURE_MODE_RELAXED) return false;
    if (mine) return capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED;
    return thread_mode == CU_STREAM_CAPTURE_MODE_GLOBAL && capture->mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
}

CUresult driver_capture_unsafe(void)
{
    CUresult result = CUDA_SUCCESS;
    if (atomic_load_explicit(&driver_captures.count, memory_order_acquire) == 0) return result;
    pthread_mutex_lock(&driver_graph_lock);
    for (size_t i = 0; i < driver_captures.list.count; i++) {
        if (!forbids(driver_captures.list.at[i])) continue;
        driver_captures.list.at[i]->invalid = true;
        result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    pthread_mutex_unlock(&driver_graph_lock);
    return result;
}

static CUresult mode_forbid(const struct driver_context *context, bool blocking_only, CUresult error)
{
    CUresult result = CUDA_SUCCESS;
    if (atomic_load_explicit(&driver_captures.count, memory_order_acquire) == 0) return result;
    pthread_mutex_lock(&driver_graph_lock);
    for (size_t i = 0; i < driver_captures.list.count; i++) {
        struct driver_capture *capture = driver_captures.list.at[i];
        for (size_t k = 0; k < capture->streams.count; k++) {
            const struct driver_stream *stream = capture->streams.at[k];
            if (stream->context != context || (blocking_only && stream->flags & CU_STREAM_NON_BLOCKING))
                continue;
            capture->invalid = true;
            result = error;
        }
    }
    pthread_mutex_unlock(&driver_graph_lock);
    return result;
}

CUresult driver_capture_forbid_context(const struct driver_context *context)
{
    return mode_forbid(context, false, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
}

/* The legacy stream stands for all blocking streams: using it would wait for those that are captured. */
CUresult driver_capture_forbid_legacy(const struct driver_context *context)
{
    return mode_forbid(context, true, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
}

CUresult driver_capture_forbid_event(struct driver_event *event)
{
    pthread_mutex_lock(&driver_graph_lock);
    bool captured = event->captured != NULL;
    struct driver_capture *capture = captured ? driver_capture_find_locked(event->captured->id) : NULL;
    bool valid = capture && !capture->invalid;
    if (valid) capture->invalid = true;
    pthread_mutex_unlock(&driver_graph_lock);
    if (!captured) return CUDA_SUCCESS;
    return valid ? CUDA_ERROR_CAPTURED_EVENT
                 : CUDA_ERROR_INVALID_VALUE; /* the second: its capture has ended */
}
