/* SPDX-License-Identifier: Apache-2.0 */
/* Events: a place in a stream's queue, and the time at which the queue passed it. */
#include "driver_capture.h"
#include "driver_ipc_event.h"
#include "driver_stream.h"

#include "driver/clock/driver_clock.h"
#include "driver/clock/driver_operation.h"
#include "driver/core/driver_error.h"
#include "driver/memory/driver_pool.h"

#include <stdlib.h>

static void event_end(struct driver_object *object)
{
    struct driver_event *event = (struct driver_event *)object;
    if (event->stream) driver_object_unref(&event->stream->object);
    driver_capture_drop_event(event);
    driver_ipc_event_free(event->ipc_event);
    driver_timeline_entry_put(event->timeline_entry);
    driver_object_unref(&event->context->object);
    pthread_mutex_destroy(&event->lock);
    free(event);
}

DRIVER_API cuEventCreate(CUevent *out, unsigned flags)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    unsigned known = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
    if (!out || flags & ~known) return CUDA_ERROR_INVALID_VALUE;
    if (flags & CU_EVENT_INTERPROCESS && !(flags & CU_EVENT_DISABLE_TIMING)) return CUDA_ERROR_INVALID_VALUE;
    struct driver_ipc_event *ipc_event = NULL;
    if (flags & CU_EVENT_INTERPROCESS) DRIVER_TRY(driver_ipc_event_new(&ipc_event));
    struct driver_event *event = sw_xcalloc(1, sizeof *event);
    driver_object_init(&event->object, DRIVER_EVENT, event_end);
    event->ipc_event = ipc_event;
    driver_object_ref(&context->object);
    event->context = context;
    event->flags = flags;
    event->complete = true; /* one never recorded counts as done */
    pthread_mutex_init(&event->lock, NULL);
    driver_handle_add(&event->object);
    *out = (CUevent)event;
    return CUDA_SUCCESS;
}

/* The error of its context, which may be gone. */
static CUresult event_fault(const struct driver_event *event)
{
    if (atomic_load(&event->context->gone)) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    return (CUresult)atomic_load(&event->context->fault);
}

/* No such event: it is taken for one that was destroyed, as NVIDIA's library does. */
static CUresult no_event(CUevent handle)
{
    return handle ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_ERROR_INVALID_HANDLE;
}

DRIVER_API cuEventDestroy_v2(CUevent handle)
{
    DRIVER_TRY(driver_ready());
    struct driver_event *event = driver_handle_take(handle, DRIVER_EVENT);
    if (!event) return CUDA_ERROR_INVALID_HANDLE;
    CUresult fault = event_fault(event);
    driver_object_unref(&event->object);
    return fault == CUDA_ERROR_CONTEXT_IS_DESTROYED ? CUDA_SUCCESS : fault;
}

/* The queue passed the record of that generation; a later record of the same event makes it void. */
static void event_mark(struct driver_event *event, uint64_t generation, uint64_t number)
{
    if (number) driver_ipc_event_complete(event->ipc_event, number);
    pthread_mutex_lock(&event->lock);
    if (event->generation == generation) {
        event->time_ns = driver_now_ns();
        event->complete = true;
    }
    pthread_mutex_unlock(&event->lock);
}

static void record_run(struct driver_work *work, struct driver_stream *stream)
{
    (void)stream;
    event_mark(work->record.event, work->record.generation, work->record.number);
}

static void record_release(struct driver_work *work)
{
    driver_object_unref(&work->record.event->object);
}

static void record_copy(struct driver_work *to, const struct driver_work *from)
{
    (void)to;
    driver_object_ref(&from->record.event->object);
}

const struct driver_work_ops driver_event_work = {
    .run = record_run, .always = true, .release = record_release, .copy = record_copy};

CUresult driver_event_record_after(struct driver_event *event, struct driver_stream *stream,
                                   const struct driver_dependency *after, uint32_t count)
{
    driver_capture_drop_event(event);
    driver_object_ref(&event->object); /* the entry's */
    driver_object_ref(&stream->object);
    driver_scheduler_has_space(stream);
    driver_clock_call(stream->context, EVENT_CALL_RECORD, 0);
    pthread_mutex_lock(&event->lock);
    struct driver_stream *before = event->stream;
    struct driver_timeline_entry *timeline_entry = event->timeline_entry;
    event->stream = stream;
    event->complete = false;
    struct driver_work work = {.kind = DRIVER_WORK_RECORD, .record = {event, ++event->generation, 0}};
    if (event->ipc_event) work.record.number = driver_ipc_event_issue(event->ipc_event);
    event->seq = driver_scheduler_add(stream, &work, after, count, false);
    event->timeline_entry = driver_clock_entry(stream, event->seq);
    pthread_mutex_unlock(&event->lock);
    driver_timeline_entry_put(timeline_entry);
    if (before) driver_stream_put(before);
    return CUDA_SUCCESS;
}

CUresult driver_event_record(struct driver_event *event, struct driver_stream *stream)
{
    if (event->context != stream->context->root) return CUDA_ERROR_INVALID_HANDLE;
    if (driver_is_capturing(stream)) return driver_capture_record(stream, event);
    if (stream->legacy) DRIVER_TRY(driver_capture_forbid_legacy(stream->context));
    return driver_event_record_after(event, stream, NULL, 0);
}

struct ipc_event_wait {
    struct driver_event *event; /* reference */
    uint64_t number;
};

static void CUDA_CB wait_for_ipc_event(CUstream stream, CUresult fault, void *user)
{
    struct ipc_event_wait *wait = user;
    (void)stream;
    if (fault == CUDA_SUCCESS) driver_ipc_event_wait(wait->event->ipc_event, wait->number);
    driver_object_unref(&wait->event->object);
    free(wait);
}

/* Another process may have recorded it: the stream waits with a thread, for the record that is the last now.
 */
static CUresult wait_ipc_event(struct driver_event *event, struct driver_stream *stream)
{
    uint64_t number = driver_ipc_event_last(event->ipc_event);
    if (driver_ipc_event_done(event->ipc_event, number)) return CUDA_SUCCESS;
    struct ipc_event_wait *wait = sw_xmalloc(sizeof *wait);
    *wait = (struct ipc_event_wait){event, number};
    struct driver_work work = {.kind = DRIVER_WORK_HOST};
    work.host.callback = wait_for_ipc_event;
    work.host.user = wait;
    driver_object_ref(&event->object);
    driver_scheduler_add(stream, &work, NULL, 0, false);
    return CUDA_SUCCESS;
}

/* The stream's next entry comes after the event's last record, whatever stream and device that was on. */
CUresult driver_event_follow(struct driver_event *event, struct driver_stream *stream)
{
    if (event->ipc_event) return wait_ipc_event(event, stream);
    driver_clock_call(stream->context, EVENT_CALL_WAIT, 0);
    pthread_mutex_lock(&event->lock);
    struct driver_dependency dependency = {event->stream, event->seq};
    struct driver_work nothing = {.kind = DRIVER_WORK_NOTHING};
    if (event->stream && event->stream != stream)
        driver_scheduler_add(stream, &nothing, &dependency, 1, false);
    pthread_mutex_unlock(&event->lock);
    return CUDA_SUCCESS;
}

CUresult driver_event_wait(struct driver_event *event, struct driver_stream *stream)
{
    bool captured;
    pthread_mutex_lock(&event->lock);
    bool recorded = event->stream || event->captured || event->ipc_event;
    pthread_mutex_unlock(&event->lock);
    if (!recorded) return CUDA_SUCCESS; /* nothing to wait for */
    CUresult result = driver_capture_wait(stream, event, &captured);
    if (captured) return result;
    driver_scheduler_has_space(stream);
    return driver_event_follow(event, stream);
}

DRIVER_API cuStreamWaitEvent(CUstream handle, CUevent event_handle, unsigned flags)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    struct driver_event *event = driver_handle_get(event_handle, DRIVER_EVENT);
    CUresult result = flags > 1 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    if (!event) result = event_handle ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS && flags && !driver_is_capturing(stream)) result = CUDA_ERROR_ILLEGAL_STATE;
    if (result == CUDA_SUCCESS)
        result = flags ? driver_capture_ops->event(stream, event, CU_GRAPH_NODE_TYPE_WAIT_EVENT)
                       : driver_event_wait(event, stream);
    if (event) driver_object_unref(&event->object);
    driver_stream_put(stream);
    return result;
}

/* External: in a capture the record is a node of the graph; there is none elsewhere. */
static CUresult record(struct driver_event *event, struct driver_stream *stream, bool external)
{
    if (!external) return driver_event_record(event, stream);
    if (!driver_is_capturing(stream)) return CUDA_ERROR_ILLEGAL_STATE;
    return driver_capture_ops->event(stream, event, CU_GRAPH_NODE_TYPE_EVENT_RECORD);
}

DRIVER_API cuEventRecordWithFlags(CUevent handle, CUstream stream_handle, unsigned flags)
{
    struct driver_stream *stream;
    if (flags > CU_EVENT_RECORD_EXTERNAL) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(driver_stream_get(stream_handle, &stream));
    struct driver_event *event = driver_handle_get(handle, DRIVER_EVENT);
    CUresult result = event ? record(event, stream, flags != 0) : no_event(handle);
    if (event) driver_object_unref(&event->object);
    driver_stream_put(stream);
    return result;
}

DRIVER_API cuEventRecord(CUevent event, CUstream stream)
{
    return cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_DEFAULT);
}

/* A reference to an event that may be asked: it was not recorded in a capture, and no capture forbids it. */
static CUresult take_waitable(CUevent handle, struct driver_event **out)
{
    struct driver_event *event = driver_handle_get(handle, DRIVER_EVENT);
    if (!event) return no_event(handle);
    CUresult result = driver_capture_forbid_event(event);
    if (result == CUDA_SUCCESS) result = driver_capture_unsafe();
    if (result == CUDA_SUCCESS)
        *out = event;
    else
        driver_object_unref(&event->object);
    return result;
}

/* By the virtual clock, of the last record; NULL: none. */
static struct driver_timeline_entry *entry_of(struct driver_event *event)
{
    pthread_mutex_lock(&event->lock);
    bool has = event->timeline_entry && event->stream && !event->ipc_event;
    struct driver_timeline_entry *timeline_entry =
        has ? driver_timeline_entry_get(event->timeline_entry) : NULL;
    pthread_mutex_unlock(&event->lock);
    return timeline_entry;
}

DRIVER_API cuEventQuery(CUevent handle)
{
    DRIVER_TRY(driver_ready());
    struct driver_event *event;
    DRIVER_TRY(take_waitable(handle, &event));
    driver_clock_call(event->context, EVENT_CALL_QUERY, 0);
    struct driver_timeline_entry *timeline_entry = entry_of(event);
    pthread_mutex_lock(&event->lock);
    bool complete = event->ipc_event
                        ? driver_ipc_event_done(event->ipc_event, driver_ipc_event_last(event->ipc_event))
                        : event->complete;
    struct driver_stream *stream = complete ? event->stream : NULL;
    uint64_t seq = event->seq;
    if (stream) driver_object_ref(&stream->object);
    pthread_mutex_unlock(&event->lock);
    if (stream) {
        driver_scheduler_done(stream, seq); /* the host knows it */
        driver_stream_put(stream);
    }
    if (timeline_entry) complete = driver_clock_is_over(timeline_entry);
    CUresult fault = event_fault(event);
    driver_object_unref(&event->object);
    if (fault != CUDA_SUCCESS) return fault;
    return complete ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

DRIVER_API cuEventSynchronize(CUevent handle)
{
    DRIVER_TRY(driver_ready());
    struct driver_event *event;
    DRIVER_TRY(take_waitable(handle, &event));
    pthread_mutex_lock(&event->lock);
    struct driver_stream *stream = event->stream;
    uint64_t seq = event->seq;
    if (stream) driver_object_ref(&stream->object);
    pthread_mutex_unlock(&event->lock);
    if (stream) {
        uint64_t begin_ns = driver_operation_wait_begin();
        driver_clock_call(stream->context, EVENT_CALL_SYNC, 0);
        driver_scheduler_wait(stream, seq);
        driver_clock_wait(stream->context, entry_of(event), true);
        driver_operation_wait_end(begin_ns, stream);
        driver_stream_put(stream);
        driver_print_flush();
    }
    if (event->ipc_event) driver_ipc_event_wait(event->ipc_event, driver_ipc_event_last(event->ipc_event));
    driver_pools_settle();
    CUresult fault = event_fault(event);
    driver_object_unref(&event->object);
    return fault;
}

/* Time stamp of the last record; NOT_READY while it is still queued. */
static CUresult stamp(CUevent handle, uint64_t *time_ns)
{
    struct driver_event *event;
    DRIVER_TRY(take_waitable(handle, &event));
    struct driver_timeline_entry *timeline_entry = entry_of(event);
    uint64_t end_ns = timeline_entry ? driver_clock_end(timeline_entry) : 0;
    bool over = timeline_entry && driver_clock_notice(end_ns);
    pthread_mutex_lock(&event->lock);
    CUresult result = event_fault(event);
    if (result != CUDA_SUCCESS)
        ;
    else if (!event->stream || event->flags & CU_EVENT_DISABLE_TIMING)
        result = CUDA_ERROR_INVALID_HANDLE;
    else if (timeline_entry ? !over : !event->complete)
        result = CUDA_ERROR_NOT_READY;
    *time_ns = timeline_entry ? end_ns : event->time_ns;
    pthread_mutex_unlock(&event->lock);
    driver_object_unref(&event->object);
    return result;
}

DRIVER_API cuEventElapsedTime_v2(float *ms, CUevent start, CUevent end)
{
    DRIVER_TRY(driver_ready());
    uint64_t from = 0, to = 0;
    if (!start || !end) return CUDA_ERROR_INVALID_HANDLE;
    if (!ms) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(stamp(start, &from));
    DRIVER_TRY(stamp(end, &to));
    *ms = (float)(((double)to - (double)from) * 1e-6);
    return CUDA_SUCCESS;
}
