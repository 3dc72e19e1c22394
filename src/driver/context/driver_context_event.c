/* SPDX-License-Identifier: Apache-2.0 */
/* Events of whole contexts: an event that stands for all that was queued so far on every stream of a context,
 * and one that all its streams wait for, those to come among them. */
#include "driver_context_life.h"

#include "driver/stream/driver_capture.h"
#include "driver/stream/driver_stream.h"

#include <stdlib.h>

static void put_all(struct driver_stream **streams, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        driver_stream_put(streams[i]);
    free(streams);
}

/* A context with a stream that is captured can neither be recorded nor wait; the capture becomes invalid. */
static CUresult event_forbid(struct driver_stream **streams, uint32_t count)
{
    CUresult result = CUDA_SUCCESS;
    for (uint32_t i = 0; i < count; i++)
        if (driver_is_capturing(streams[i])) result = driver_capture_forbid(streams[i]);
    return result;
}

CUresult driver_context_record(struct driver_context *context, struct driver_event *event)
{
    struct driver_stream **streams;
    if (event->context != context->root) return CUDA_ERROR_INVALID_HANDLE;
    uint32_t count = driver_scheduler_streams(context, NULL, &streams);
    CUresult result = event_forbid(streams, count);
    if (result == CUDA_SUCCESS) {
        struct driver_dependency *last = sw_xcalloc(count + 1, sizeof *last);
        for (uint32_t i = 0; i < count; i++)
            last[i] = (struct driver_dependency){streams[i], driver_scheduler_issued(streams[i])};
        struct driver_stream *joined = driver_stream_aside(context, 0, 0);
        result = driver_event_record_after(event, joined, last, count);
        driver_stream_put(joined);
        free(last);
    }
    put_all(streams, count);
    return result;
}

CUresult driver_context_wait_event(struct driver_context *context, struct driver_event *event)
{
    struct driver_stream **streams;
    if (event->captured) return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    pthread_mutex_lock(&event->lock);
    struct driver_dependency last = {event->stream, event->seq};
    if (last.stream) driver_object_ref(&last.stream->object);
    pthread_mutex_unlock(&event->lock);
    if (!last.stream) return CUDA_SUCCESS; /* never recorded: nothing to wait for */
    uint32_t count = driver_scheduler_streams(context, &last, &streams);
    CUresult result = event_forbid(streams, count);
    struct driver_work nothing = {.kind = DRIVER_WORK_NOTHING};
    for (uint32_t i = 0; result == CUDA_SUCCESS && i < count; i++)
        if (streams[i] != last.stream) driver_scheduler_add(streams[i], &nothing, &last, 1, false);
    put_all(streams, count);
    driver_stream_put(last.stream);
    return result;
}

static CUresult context_event_with(CUcontext handle, CUevent event_handle,
                                   CUresult (*act)(struct driver_context *, struct driver_event *))
{
    struct driver_context *current;
    CUresult usable =
        driver_context_current(&current); /* none is needed, but one that failed or ended says so */
    if (usable != CUDA_SUCCESS && usable != CUDA_ERROR_INVALID_CONTEXT) return usable;
    if (!handle) return CUDA_ERROR_INVALID_CONTEXT;
    struct driver_context *context = driver_handle_get(handle, DRIVER_CONTEXT);
    struct driver_event *event = driver_handle_get(event_handle, DRIVER_EVENT);
    CUresult result = !context       ? CUDA_ERROR_CONTEXT_IS_DESTROYED
                      : event        ? act(context, event)
                      : event_handle ? CUDA_ERROR_CONTEXT_IS_DESTROYED
                                     : CUDA_ERROR_INVALID_HANDLE;
    if (event) driver_object_unref(&event->object);
    if (context) driver_object_unref(&context->object);
    return result;
}

DRIVER_API cuCtxRecordEvent(CUcontext context, CUevent event)
{
    return context_event_with(context, event, driver_context_record);
}

DRIVER_API cuCtxWaitEvent(CUcontext context, CUevent event)
{
    return context_event_with(context, event, driver_context_wait_event);
}
