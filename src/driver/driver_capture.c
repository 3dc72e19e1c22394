/* SPDX-License-Identifier: Apache-2.0 */
/* Stream capture: what would be queued on a stream becomes nodes of a graph.
 *
 * A captured stream remembers the nodes its next one needs (its tail). Recording an event remembers the tail;
 * a stream that waits for that event joins the capture. Limit: the modes that forbid unsafe calls of other
 * threads are accepted and not enforced. */
#include "driver_priv.h"

#include <stdlib.h>

struct driver_capture {         /* one begun capture, over one or more streams */
    struct driver_graph *graph; /* reference */
    unsigned long long id;
    struct driver_stream *origin;
    VEC(struct driver_stream *) streams; /* references; origin among them */
    bool invalid, foreign;               /* foreign: the graph is the program's own (capture to graph) */
};
struct driver_capture_mark { /* an event recorded in a capture */
    unsigned long long id;
    VEC(struct driver_node *) nodes;
};

static VEC(struct driver_capture *) active; /* guarded by the graph lock */
static unsigned long long next_id = 1;

static struct driver_capture *capture_of(struct driver_stream *stream)
{
    return atomic_load_explicit(&stream->capture, memory_order_acquire);
}

static void join_locked(struct driver_capture *capture, struct driver_stream *stream)
{
    driver_object_ref(&stream->object);
    *vec_push(&capture->streams) = stream;
    vec_clear(&stream->capture_tail);
    atomic_store_explicit(&stream->capture, capture, memory_order_release);
}

static void tail_add(struct driver_stream *stream, struct driver_node *node)
{
    for (size_t i = 0; i < stream->capture_tail.count; i++)
        if (stream->capture_tail.at[i] == node) return;
    *vec_push(&stream->capture_tail) = node;
}

/* A new node after the stream's tail, which it becomes. */
static struct driver_node *append_locked(struct driver_stream *stream, CUgraphNodeType type)
{
    struct driver_node *node = driver_node_new_locked(capture_of(stream)->graph, type);
    for (size_t i = 0; i < stream->capture_tail.count; i++)
        driver_node_need_locked(node, stream->capture_tail.at[i]);
    vec_clear(&stream->capture_tail);
    tail_add(stream, node);
    return node;
}

/* ---- what the calls that queue work do instead */

static CUDA_MEMCPY3D describe_copy(const struct driver_copy *copy)
{
    uint64_t from_rows = copy->from.pitch ? copy->from.slice / copy->from.pitch : 0;
    uint64_t to_rows = copy->to.pitch ? copy->to.slice / copy->to.pitch : 0;
    return (CUDA_MEMCPY3D){.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
                           .srcDevice = (uintptr_t)copy->from.base,
                           .srcPitch = copy->from.pitch,
                           .srcHeight = from_rows,
                           .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
                           .dstDevice = (uintptr_t)copy->to.base,
                           .dstPitch = copy->to.pitch,
                           .dstHeight = to_rows,
                           .WidthInBytes = copy->width,
                           .Height = copy->height,
                           .Depth = copy->depth};
}

static void remember_params(struct driver_node *node)
{
    const struct driver_work *work = &node->work;
    if (node->type == CU_GRAPH_NODE_TYPE_MEMCPY) node->given.memcpy = describe_copy(&work->copy);
    if (node->type == CU_GRAPH_NODE_TYPE_MEMSET)
        node->given.memset =
            (CUDA_MEMSET_NODE_PARAMS){(uintptr_t)work->fill.base, work->fill.pitch, work->fill.value,
                                      work->fill.element_bytes,   work->fill.width, work->fill.height};
    if (node->type != CU_GRAPH_NODE_TYPE_KERNEL) return;
    const struct ptx_function *entry = work->launch.function->entry;
    node->function = (CUfunction)work->launch.function;
    node->param_pointers = sw_xcalloc(entry->param_count + 1, sizeof *node->param_pointers);
    for (uint32_t i = 0; i < entry->param_count; i++)
        node->param_pointers[i] = work->launch.params + entry->params[i]->offset;
}

static bool type_of(const struct driver_work *work, CUgraphNodeType *type)
{
    switch (work->kind) {
    case DRIVER_WORK_COPY: *type = CU_GRAPH_NODE_TYPE_MEMCPY; return true;
    case DRIVER_WORK_FILL: *type = CU_GRAPH_NODE_TYPE_MEMSET; return true;
    case DRIVER_WORK_LAUNCH: *type = CU_GRAPH_NODE_TYPE_KERNEL; return true;
    case DRIVER_WORK_HOST: *type = CU_GRAPH_NODE_TYPE_HOST; return work->host.function != NULL;
    case DRIVER_WORK_NOTHING: *type = CU_GRAPH_NODE_TYPE_EMPTY; return true;
    case DRIVER_WORK_BATCH: *type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP; return true;
    case DRIVER_WORK_RECORD:
    case DRIVER_WORK_RELEASE:
    default: return false;
    }
}

CUresult driver_capture_work(struct driver_stream *stream, struct driver_work *work)
{
    CUgraphNodeType type;
    CUresult result = CUDA_SUCCESS;
    pthread_mutex_lock(&driver_graph_lock);
    struct driver_capture *capture = capture_of(stream);
    if (!capture || capture->invalid)
        result = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    else if (!type_of(work, &type))
        result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (result == CUDA_SUCCESS) {
        struct driver_node *node = append_locked(stream, type);
        node->work = *work;
        remember_params(node);
    } else {
        driver_work_release(work);
        if (capture) capture->invalid = true;
    }
    pthread_mutex_unlock(&driver_graph_lock);
    return result;
}

CUresult driver_capture_forbid(struct driver_stream *stream)
{
    pthread_mutex_lock(&driver_graph_lock);
    if (capture_of(stream)) capture_of(stream)->invalid = true;
    pthread_mutex_unlock(&driver_graph_lock);
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

CUresult driver_capture_alloc(struct driver_stream *stream, uint64_t bytes, dev_addr *out)
{
    struct driver_graph_memory *memory;
    DRIVER_TRY(driver_graph_memory_new(stream->context, bytes, &memory));
    pthread_mutex_lock(&driver_graph_lock);
    struct driver_node *node = append_locked(stream, CU_GRAPH_NODE_TYPE_MEM_ALLOC);
    node->memory = memory;
    node->given.alloc = (CUDA_MEM_ALLOC_NODE_PARAMS){.bytesize = bytes, .dptr = memory->address};
    pthread_mutex_unlock(&driver_graph_lock);
    *out = memory->address;
    return CUDA_SUCCESS;
}

CUresult driver_capture_free(struct driver_stream *stream, dev_addr address)
{
    if (!driver_graph_memory_is(address)) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&driver_graph_lock);
    append_locked(stream, CU_GRAPH_NODE_TYPE_MEM_FREE)->address = address;
    pthread_mutex_unlock(&driver_graph_lock);
    return CUDA_SUCCESS;
}

CUresult driver_capture_child(struct driver_stream *stream, const struct driver_graph *graph)
{
    pthread_mutex_lock(&driver_graph_lock);
    struct driver_graph *clone = driver_graph_clone_locked(graph);
    append_locked(stream, CU_GRAPH_NODE_TYPE_GRAPH)->child = clone;
    driver_handle_add(&clone->object);
    pthread_mutex_unlock(&driver_graph_lock);
    return CUDA_SUCCESS;
}

/* ---- events */

static void drop_mark_locked(struct driver_event *event)
{
    if (!event->captured) return;
    vec_release(&event->captured->nodes);
    free(event->captured);
    event->captured = NULL;
}

void driver_capture_drop_event(struct driver_event *event)
{
    pthread_mutex_lock(&driver_graph_lock);
    drop_mark_locked(event);
    pthread_mutex_unlock(&driver_graph_lock);
}

CUresult driver_capture_record(struct driver_stream *stream, struct driver_event *event)
{
    pthread_mutex_lock(&driver_graph_lock);
    drop_mark_locked(event);
    struct driver_capture_mark *mark = sw_xcalloc(1, sizeof *mark);
    mark->id = capture_of(stream)->id;
    for (size_t i = 0; i < stream->capture_tail.count; i++)
        *vec_push(&mark->nodes) = stream->capture_tail.at[i];
    event->captured = mark;
    pthread_mutex_unlock(&driver_graph_lock);
    return CUDA_SUCCESS;
}

static struct driver_capture *find_locked(unsigned long long id)
{
    for (size_t i = 0; i < active.count; i++)
        if (active.at[i]->id == id) return active.at[i];
    return NULL;
}

static CUresult wait_locked(struct driver_stream *stream, const struct driver_event *event, bool *handled)
{
    struct driver_capture *mine = capture_of(stream);
    struct driver_capture *its = event->captured ? find_locked(event->captured->id) : NULL;
    *handled = mine || its;
    if (!*handled) return CUDA_SUCCESS;
    if (!its) return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    if (mine && mine != its) return CUDA_ERROR_STREAM_CAPTURE_MERGE;
    if (stream->legacy) return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    if (!mine) join_locked(its, stream);
    for (size_t i = 0; i < event->captured->nodes.count; i++)
        tail_add(stream, event->captured->nodes.at[i]);
    return CUDA_SUCCESS;
}

CUresult driver_capture_wait(struct driver_stream *stream, struct driver_event *event, bool *handled)
{
    pthread_mutex_lock(&driver_graph_lock);
    CUresult result = wait_locked(stream, event, handled);
    if (result != CUDA_SUCCESS && capture_of(stream)) capture_of(stream)->invalid = true;
    pthread_mutex_unlock(&driver_graph_lock);
    return result;
}

/* ---- beginning and ending */

static CUresult begin(CUstream handle, struct driver_graph *graph, bool foreign, CUstreamCaptureMode mode)
{
    struct driver_stream *stream;
    if (mode > CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    CUresult result = CUDA_SUCCESS;
    pthread_mutex_lock(&driver_graph_lock);
    if (stream->legacy) result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (capture_of(stream)) result = CUDA_ERROR_ILLEGAL_STATE;
    if (result == CUDA_SUCCESS) {
        struct driver_capture *capture = sw_xcalloc(1, sizeof *capture);
        driver_object_ref(&graph->object);
        *capture =
            (struct driver_capture){.graph = graph, .id = next_id++, .origin = stream, .foreign = foreign};
        *vec_push(&active) = capture;
        join_locked(capture, stream);
    }
    pthread_mutex_unlock(&driver_graph_lock);
    driver_stream_put(stream);
    return result;
}

DRIVER_API cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode)
{
    struct driver_graph *graph = driver_graph_new();
    CUresult result = begin(stream, graph, false, mode);
    driver_object_unref(&graph->object);
    return result;
}

static CUresult start_after(CUstream handle, const CUgraphNode *needs, size_t count)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    pthread_mutex_lock(&driver_graph_lock);
    for (size_t i = 0; i < count; i++)
        tail_add(stream, (struct driver_node *)needs[i]);
    pthread_mutex_unlock(&driver_graph_lock);
    driver_stream_put(stream);
    return CUDA_SUCCESS;
}

DRIVER_API cuStreamBeginCaptureToGraph(CUstream stream, CUgraph handle, const CUgraphNode *needs,
                                       const CUgraphEdgeData *data, size_t count, CUstreamCaptureMode mode)
{
    (void)data;
    DRIVER_TRY(driver_ready());
    if (count && !needs) return CUDA_ERROR_INVALID_VALUE;
    struct driver_graph *graph = driver_handle_get(handle, DRIVER_GRAPH);
    if (!graph) return CUDA_ERROR_INVALID_VALUE;
    CUresult result = begin(stream, graph, true, mode);
    if (result == CUDA_SUCCESS) result = start_after(stream, needs, count);
    driver_object_unref(&graph->object);
    return result;
}

/* Every node must lead to the origin stream's tail, or some forked stream was not joined. */
static bool joined_locked(const struct driver_capture *capture)
{
    const struct driver_graph *graph = capture->graph;
    const struct driver_stream *origin = capture->origin;
    for (size_t i = 0; i < graph->nodes.count; i++) {
        bool needed = false;
        for (size_t n = 0; !needed && n < graph->nodes.count; n++)
            for (size_t k = 0; !needed && k < graph->nodes.at[n]->needs.count; k++)
                needed = graph->nodes.at[n]->needs.at[k] == graph->nodes.at[i];
        for (size_t k = 0; !needed && k < origin->capture_tail.count; k++)
            needed = origin->capture_tail.at[k] == graph->nodes.at[i];
        if (!needed) return false;
    }
    return true;
}

static CUresult verdict_locked(const struct driver_capture *capture)
{
    if (capture->invalid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    return capture->foreign || joined_locked(capture) ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
}

static void close_locked(struct driver_capture *capture)
{
    for (size_t i = 0; i < active.count; i++)
        if (active.at[i] == capture) active.at[i--] = active.at[--active.count];
    for (size_t i = 0; i < capture->streams.count; i++) {
        atomic_store_explicit(&capture->streams.at[i]->capture, NULL, memory_order_release);
        vec_clear(&capture->streams.at[i]->capture_tail);
    }
}

static void capture_free(struct driver_capture *capture)
{
    for (size_t i = 0; i < capture->streams.count; i++)
        driver_object_unref(&capture->streams.at[i]->object);
    vec_release(&capture->streams);
    free(capture);
}

static CUresult end_locked(struct driver_stream *stream, CUgraph *out, struct driver_capture **ended)
{
    struct driver_capture *capture = capture_of(stream);
    if (!capture) return CUDA_ERROR_ILLEGAL_STATE;
    if (capture->origin != stream) return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
    CUresult result = verdict_locked(capture);
    *out = result == CUDA_SUCCESS ? (CUgraph)capture->graph : NULL;
    close_locked(capture);
    if (result == CUDA_SUCCESS && !capture->foreign)
        driver_handle_add(&capture->graph->object); /* the capture's reference goes to the handle */
    else
        driver_object_unref(&capture->graph->object);
    *ended = capture;
    return result;
}

DRIVER_API cuStreamEndCapture(CUstream handle, CUgraph *out)
{
    struct driver_stream *stream;
    struct driver_capture *ended = NULL;
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    pthread_mutex_lock(&driver_graph_lock);
    CUresult result = end_locked(stream, out, &ended);
    pthread_mutex_unlock(&driver_graph_lock);
    if (ended) capture_free(ended);
    driver_stream_put(stream);
    return result;
}

/* ---- questions */

static CUstreamCaptureStatus status_of(const struct driver_capture *capture)
{
    if (!capture) return CU_STREAM_CAPTURE_STATUS_NONE;
    return capture->invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED : CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

DRIVER_API cuStreamIsCapturing(CUstream handle, CUstreamCaptureStatus *status)
{
    struct driver_stream *stream;
    if (!status) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    pthread_mutex_lock(&driver_graph_lock);
    *status = status_of(capture_of(stream));
    pthread_mutex_unlock(&driver_graph_lock);
    driver_stream_put(stream);
    return CUDA_SUCCESS;
}

DRIVER_API cuStreamGetCaptureInfo_v3(CUstream handle, CUstreamCaptureStatus *status, cuuint64_t *id,
                                     CUgraph *graph, const CUgraphNode **needs, const CUgraphEdgeData **data,
                                     size_t *count)
{
    struct driver_stream *stream;
    if (!status) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    pthread_mutex_lock(&driver_graph_lock);
    const struct driver_capture *capture = capture_of(stream);
    *status = status_of(capture);
    if (id) *id = capture ? capture->id : 0;
    if (graph) *graph = capture ? (CUgraph)capture->graph : NULL;
    if (needs) *needs = capture ? (const CUgraphNode *)(void *)stream->capture_tail.at : NULL;
    if (data) *data = NULL;
    if (count) *count = capture ? stream->capture_tail.count : 0;
    pthread_mutex_unlock(&driver_graph_lock);
    driver_stream_put(stream);
    return CUDA_SUCCESS;
}

DRIVER_API cuStreamUpdateCaptureDependencies_v2(CUstream handle, CUgraphNode *needs,
                                                const CUgraphEdgeData *data, size_t count, unsigned flags)
{
    struct driver_stream *stream;
    (void)data;
    if ((count && !needs) || flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    pthread_mutex_lock(&driver_graph_lock);
    bool capturing = capture_of(stream) != NULL;
    if (capturing && flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES) vec_clear(&stream->capture_tail);
    for (size_t i = 0; capturing && i < count; i++)
        tail_add(stream, (struct driver_node *)needs[i]);
    pthread_mutex_unlock(&driver_graph_lock);
    driver_stream_put(stream);
    return capturing ? CUDA_SUCCESS : CUDA_ERROR_ILLEGAL_STATE;
}

DRIVER_API cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
    static _Thread_local CUstreamCaptureMode current = CU_STREAM_CAPTURE_MODE_GLOBAL;
    if (!mode || *mode > CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_ERROR_INVALID_VALUE;
    CUstreamCaptureMode before = current;
    current = *mode;
    *mode = before;
    return CUDA_SUCCESS;
}
