/* SPDX-License-Identifier: Apache-2.0 */
/* Streams: handles, the default streams, and the calls that queue, wait and ask. */
#include "driver_stream.h"

#include "driver_attribute.h"
#include "driver_capture.h"
#include "driver_known.h"

#include "driver/clock/driver_clock.h"
#include "driver/clock/driver_operation.h"
#include "driver/core/driver_error.h"
#include "driver/memory/driver_pool.h"

#include <stdlib.h>
#include <string.h>

_Thread_local int driver_per_thread;

static void stream_end(struct driver_object *object)
{
    struct driver_stream *stream = (struct driver_stream *)object;
    driver_scheduler_detach(stream);
    driver_clock_forget_stream(stream);
    driver_dependencies_release(&stream->capture_dependencies);
    driver_attributes_release(&stream->attributes);
    driver_object_unref(&stream->context->object);
    free(stream);
}

/* Not listed in its context yet. */
static struct driver_stream *stream_new(struct driver_context *context, unsigned flags, int priority)
{
    struct driver_stream *stream = sw_xcalloc(1, sizeof *stream);
    driver_object_init(&stream->object, DRIVER_STREAM, stream_end);
    driver_object_ref(&context->object);
    static atomic_ullong queues;
    stream->context = context;
    stream->queue = atomic_fetch_add(&queues, 1) + 1;
    stream->flags = flags;
    stream->priority = priority;
    return stream;
}

static void stream_number(struct driver_stream *stream)
{
    stream->id = atomic_fetch_add(&driver.next_stream, 1) + 1;
    stream->ordinal = (unsigned)(stream->id - 1);
}

CUresult driver_stream_new(struct driver_context *context, unsigned flags, int priority,
                           struct driver_stream **out)
{
    *out = stream_new(context, flags, priority);
    stream_number(*out);
    driver_scheduler_attach(*out);
    return CUDA_SUCCESS;
}

CUresult driver_stream_default_new(struct driver_context *context, bool legacy, struct driver_stream **out)
{
    struct driver_stream *stream = *out = stream_new(context, CU_STREAM_DEFAULT, 0);
    stream_number(stream);
    stream->hidden = true;
    stream->legacy = legacy;
    stream->per_thread = !legacy;
    driver_scheduler_attach(stream);
    return CUDA_SUCCESS;
}

struct driver_stream *driver_stream_aside(struct driver_context *context, int priority, unsigned ordinal)
{
    struct driver_stream *stream = stream_new(context, CU_STREAM_NON_BLOCKING, priority);
    stream->ordinal = ordinal;
    driver_scheduler_attach(stream);
    return stream;
}

void driver_stream_put(struct driver_stream *stream)
{
    driver_object_unref(&stream->object);
}

/* ---- the streams of a thread, one in each context that it used */

typedef VEC(struct driver_stream *) stream_list;

static void take_thread_stream(struct driver_context *context, void *streams)
{
    uint64_t thread = driver_thread_number();
    pthread_mutex_lock(&context->lock);
    struct driver_stream *stream = map_get_u64(&context->thread_streams, thread);
    if (stream) {
        map_remove_u64(&context->thread_streams, thread);
        stream->hidden = false; /* the context that ends does not let go of it, too */
        *vec_push((stream_list *)streams) = stream;
    }
    pthread_mutex_unlock(&context->lock);
}

/* A thread ends: nobody can name its streams any more. What was queued is still done. */
static void drop_thread_streams(void *unused)
{
    stream_list streams = {0};
    (void)unused;
    driver_context_each(take_thread_stream, &streams);
    for (size_t i = 0; i < streams.count; i++) {
        driver_capture_ops->abandon(streams.at[i]);
        driver_stream_put(streams.at[i]);
    }
    vec_release(&streams);
}

static pthread_key_t thread_key;
static pthread_once_t thread_key_made = PTHREAD_ONCE_INIT;

static void make_thread_key(void)
{
    if (pthread_key_create(&thread_key, drop_thread_streams) != 0) BUG("no thread-specific key is left");
}

/* A reference. The context that ends clears the list under the same lock, after it said that it is gone. */
static CUresult per_thread_stream(struct driver_context *context, struct driver_stream **out)
{
    uint64_t thread = driver_thread_number();
    CUresult result = CUDA_SUCCESS;
    pthread_mutex_lock(&context->lock);
    struct driver_stream *stream = map_get_u64(&context->thread_streams, thread);
    if (atomic_load(&context->gone)) result = CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (result == CUDA_SUCCESS && !stream) {
        result = driver_stream_default_new(context, false, &stream);
        if (result == CUDA_SUCCESS) map_set_u64(&context->thread_streams, thread, stream);
        pthread_once(&thread_key_made, make_thread_key);
        pthread_setspecific(thread_key, &thread_key); /* any value but NULL: drop_thread_streams is called */
    }
    if (result == CUDA_SUCCESS) driver_object_ref(&stream->object);
    pthread_mutex_unlock(&context->lock);
    *out = stream;
    return result;
}

/* A stream that the program made: of its own context, whichever is current. */
static CUresult made_stream(CUstream handle, struct driver_stream **out)
{
    struct driver_context *context;
    struct driver_stream *stream = driver_handle_get(handle, DRIVER_STREAM);
    if (!stream) {
        DRIVER_TRY(driver_context_current(&context));
        return CUDA_ERROR_INVALID_HANDLE;
    }
    context = stream->context;
    CUresult fault = (CUresult)atomic_load(&context->fault);
    if (driver_context_gone(context)) fault = CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (fault != CUDA_SUCCESS) {
        driver_stream_put(stream);
        return fault;
    }
    *out = stream;
    return CUDA_SUCCESS;
}

CUresult driver_stream_get(CUstream handle, struct driver_stream **out)
{
    struct driver_context *context;
    DRIVER_TRY(driver_ready());
    if (driver_in_callback) return CUDA_ERROR_NOT_PERMITTED;
    if (handle && handle != CU_STREAM_LEGACY && handle != CU_STREAM_PER_THREAD)
        return made_stream(handle, out);
    DRIVER_TRY(driver_context_view(&context));
    if (handle == CU_STREAM_PER_THREAD || (!handle && driver_per_thread > 0))
        return per_thread_stream(context, out);
    *out = driver_scheduler_legacy(context);
    return *out ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

static enum event_call stream_call_of(const struct driver_work *work, bool wait)
{
    switch ((int)work->kind) {
    case DRIVER_WORK_LAUNCH:
    case DRIVER_WORK_ROUTINE: return EVENT_CALL_LAUNCH;
    case DRIVER_WORK_COPY: return EVENT_CALL_COPY;
    case DRIVER_WORK_FILL: return EVENT_CALL_FILL;
    case DRIVER_WORK_NOTHING: return wait ? EVENT_CALL_SYNC : EVENT_CALL_RECORD;
    default: return EVENT_CALL_RECORD;
    }
}

/* Of a copy to pageable memory the host makes the last step itself: cudaMemcpy then only asks whether all is
 * done (recorded: 0.7 us more than cudaMemcpyAsync, and no waiting). */
static bool ends_with_a_question(const struct driver_work *work)
{
    return work->kind == DRIVER_WORK_COPY && !work->copy.async &&
           driver_memory_is_pageable(work->copy.to.base);
}

/* Brief work is run by the thread that queues it, but where the last one was of another stream: programs take
 * several to have their work side by side. */
static bool runs_here(const struct driver_stream *stream, const struct driver_work *work)
{
    static atomic_ullong last; /* queue of the last brief work */
    return driver_work_is_brief(work) && atomic_exchange(&last, stream->queue) == stream->queue;
}

CUresult driver_submit(struct driver_stream *stream, struct driver_work *work, bool wait)
{
    struct driver_context *context = stream->context;
    if (driver_is_capturing(stream)) return driver_capture_ops->work(stream, work);
    CUresult fault = (CUresult)atomic_load(&context->fault);
    if (fault == CUDA_SUCCESS && stream->legacy) fault = driver_capture_forbid_legacy(context);
    if (fault != CUDA_SUCCESS) {
        driver_work_release(work);
        return fault;
    }
    bool launches = work->kind == DRIVER_WORK_LAUNCH || work->kind == DRIVER_WORK_ROUTINE;
    wait = wait || (driver.blocking && launches && !driver_work_is_together(work));
    bool asks = ends_with_a_question(work), settles = !driver_known_may_wait(work);
    bool notices = (work->kind != DRIVER_WORK_COPY || !work->copy.async) && !asks;
    driver_operation_queue(work, stream, wait);
    driver_scheduler_has_space(stream);
    driver_clock_call(stream->context, stream_call_of(work, wait), 0);
    uint64_t seq = runs_here(stream, work) ? driver_scheduler_run(stream, work)
                                           : driver_scheduler_add(stream, work, NULL, 0, wait);
    if (!wait && settles) driver_scheduler_settle(stream, seq);
    if (!wait) return CUDA_SUCCESS;
    driver_scheduler_wait(stream, seq);
    driver_clock_wait(context, driver_clock_entry(stream, seq), notices);
    if (asks) driver_clock_call(context, EVENT_CALL_SYNC, 0);
    driver_print_flush();
    return (CUresult)atomic_load(&context->fault);
}

/* ---- life */

static CUresult stream_create(CUstream *out, unsigned flags, int priority)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_view(&context));
    if (!out || flags & ~(unsigned)CU_STREAM_NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
    return driver_stream_create(out, context, flags, priority);
}

CUresult driver_stream_create(CUstream *out, struct driver_context *context, unsigned flags, int priority)
{
    priority = priority > 0 ? 0 : priority < -5 ? -5 : priority;
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_new(context, flags, priority, &stream));
    driver_handle_add(&stream->object);
    *out = (CUstream)stream;
    return CUDA_SUCCESS;
}

DRIVER_API cuStreamCreate(CUstream *out, unsigned flags)
{
    return stream_create(out, flags, 0);
}

DRIVER_API cuStreamCreateWithPriority(CUstream *out, unsigned flags, int priority)
{
    return stream_create(out, flags, priority);
}

/* Returns at once: what was queued is still done. */
DRIVER_API cuStreamDestroy_v2(CUstream handle)
{
    DRIVER_TRY(driver_ready());
    struct driver_stream *stream = driver_handle_take(handle, DRIVER_STREAM);
    if (!stream) return CUDA_ERROR_INVALID_HANDLE;
    CUresult fault = (CUresult)atomic_load(&stream->context->fault);
    if (driver_context_gone(stream->context)) fault = CUDA_ERROR_CONTEXT_IS_DESTROYED;
    driver_capture_ops->abandon(stream);
    driver_stream_put(stream);
    return fault;
}

/* ---- waiting */

CUresult driver_stream_wait(struct driver_stream *stream)
{
    struct driver_context *context = stream->context;
    uint64_t issued = driver_scheduler_issued(stream);
    driver_scheduler_wait(stream, issued);
    driver_clock_wait_stream(stream, issued);
    driver_print_flush();
    driver_pools_settle();
    return (CUresult)atomic_load(&context->fault);
}

CUresult driver_context_wait(struct driver_context *context)
{
    driver_scheduler_wait_context(context);
    driver_print_flush();
    driver_pools_settle();
    return (CUresult)atomic_load(&context->fault);
}

DRIVER_API cuStreamSynchronize(CUstream handle)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    /* the legacy stream stands for everything it orders: an empty entry waits for the blocking streams too */
    CUresult result;
    uint64_t begin_ns = driver_operation_wait_begin();
    if (driver_is_capturing(stream)) {
        result = driver_capture_forbid(stream);
    } else if (stream->legacy) {
        struct driver_work nothing = {.kind = DRIVER_WORK_NOTHING};
        result = driver_submit(stream, &nothing, true);
    } else {
        driver_clock_call(stream->context, EVENT_CALL_SYNC, 0);
        result = driver_stream_wait(stream);
    }
    driver_operation_wait_end(begin_ns, stream);
    driver_stream_put(stream);
    return result;
}

DRIVER_API cuStreamQuery(CUstream handle)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    CUresult forbidden = driver_is_capturing(stream) ? driver_capture_forbid(stream)
                         : stream->legacy            ? driver_capture_forbid_legacy(stream->context)
                                                     : CUDA_SUCCESS;
    if (forbidden != CUDA_SUCCESS) {
        driver_stream_put(stream);
        return forbidden;
    }
    uint64_t issued = driver_scheduler_issued(stream);
    driver_clock_call(stream->context, EVENT_CALL_QUERY, 0);
    struct driver_timeline_entry *timeline_entry = driver_clock_entry(stream, issued);
    bool done = timeline_entry ? driver_clock_is_over(timeline_entry) : driver_scheduler_done(stream, issued);
    CUresult fault = (CUresult)atomic_load(&stream->context->fault);
    driver_stream_put(stream);
    if (fault != CUDA_SUCCESS) return fault;
    return done ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

/* ---- host functions */

static CUresult add_host(CUstream handle, const struct driver_host *host)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    struct driver_work work = {.kind = DRIVER_WORK_HOST, .host = *host};
    CUresult result = driver_submit(stream, &work, false);
    driver_stream_put(stream);
    return result;
}

DRIVER_API cuLaunchHostFunc(CUstream handle, CUhostFn function, void *user)
{
    if (!function) return CUDA_ERROR_INVALID_VALUE;
    return add_host(handle, &(struct driver_host){.function = function, .user = user});
}

DRIVER_API cuStreamAddCallback(CUstream handle, CUstreamCallback callback, void *user, unsigned flags)
{
    if (!callback || flags) return CUDA_ERROR_INVALID_VALUE;
    return add_host(handle, &(struct driver_host){.callback = callback, .stream = handle, .user = user});
}

/* ---- questions */

DRIVER_API cuStreamGetFlags(CUstream handle, unsigned *flags)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    if (flags) *flags = stream->flags;
    driver_stream_put(stream);
    return flags ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuStreamGetPriority(CUstream handle, int *priority)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    if (priority) *priority = stream->priority;
    driver_stream_put(stream);
    return priority ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuStreamGetId(CUstream handle, unsigned long long *id)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    if (id) *id = stream->id;
    driver_stream_put(stream);
    return id ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuStreamGetCtx(CUstream handle, CUcontext *out)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    if (out) *out = (CUcontext)stream->context;
    driver_stream_put(stream);
    return out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuStreamGetCtx_v2(CUstream handle, CUcontext *out, CUgreenCtx *green)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    if (out) *out = (CUcontext)stream->context->root;
    if (green) *green = stream->context->part ? (CUgreenCtx)stream->context : NULL;
    driver_stream_put(stream);
    return CUDA_SUCCESS; /* either place may be NULL */
}

DRIVER_API cuStreamGetGreenCtx(CUstream handle, CUgreenCtx *out)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    if (out) *out = stream->context->part ? (CUgreenCtx)stream->context : NULL;
    driver_stream_put(stream);
    return out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuStreamGetDevice(CUstream handle, CUdevice *device)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    if (device) *device = stream->context->device->ordinal;
    driver_stream_put(stream);
    return device ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Managed memory is one memory here: attaching it to a stream changes nothing but is checked. */
DRIVER_API cuStreamAttachMemAsync(CUstream handle, CUdeviceptr address, size_t bytes, unsigned flags)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    CUresult forbidden = driver_is_capturing(stream) ? driver_capture_forbid(stream) : CUDA_SUCCESS;
    driver_stream_put(stream);
    if (forbidden != CUDA_SUCCESS) return forbidden;
    struct driver_allocation allocation;
    if (!address || !driver_memory_find(address, &allocation)) return CUDA_ERROR_INVALID_VALUE;
    bool whole = allocation.base == address && (!bytes || bytes == allocation.bytes);
    if (allocation.kind != VMEM_MANAGED || !whole) return CUDA_ERROR_INVALID_VALUE;
    bool known =
        flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST ||
        (flags == CU_MEM_ATTACH_SINGLE && (handle || driver_per_thread > 0)); /* not to the null stream */
    return known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuStreamSetAttribute(CUstream handle, CUstreamAttrID attribute, const CUstreamAttrValue *value)
{
    struct driver_stream *stream;
    if (!value) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    CUresult result = driver_attribute_check(attribute, value, DRIVER_OF_STREAM, stream->context->device);
    if (result == CUDA_SUCCESS) {
        pthread_mutex_lock(&driver_graph_lock);
        driver_attributes_set(&stream->attributes, attribute, value);
        if (attribute == CU_LAUNCH_ATTRIBUTE_PRIORITY) stream->priority = value->priority;
        pthread_mutex_unlock(&driver_graph_lock);
    }
    driver_stream_put(stream);
    return result;
}

DRIVER_API cuStreamGetAttribute(CUstream handle, CUstreamAttrID attribute, CUstreamAttrValue *value)
{
    struct driver_stream *stream;
    if (!value || !driver_attribute_is_of(attribute, DRIVER_OF_STREAM)) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    pthread_mutex_lock(&driver_graph_lock);
    *value = driver_attributes_get(&stream->attributes, attribute);
    if (attribute == CU_LAUNCH_ATTRIBUTE_PRIORITY) value->priority = stream->priority;
    pthread_mutex_unlock(&driver_graph_lock);
    driver_stream_put(stream);
    return CUDA_SUCCESS;
}

DRIVER_API cuStreamCopyAttributes(CUstream to_handle, CUstream from_handle)
{
    struct driver_stream *to, *from;
    DRIVER_TRY(driver_stream_get(from_handle, &from));
    CUresult result = driver_stream_get(to_handle, &to);
    if (result == CUDA_SUCCESS) {
        pthread_mutex_lock(&driver_graph_lock);
        if (to != from) driver_attributes_copy(&to->attributes, &from->attributes);
        to->priority = from->priority;
        pthread_mutex_unlock(&driver_graph_lock);
        driver_stream_put(to);
    }
    driver_stream_put(from);
    return result;
}
