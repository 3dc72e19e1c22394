/* SPDX-License-Identifier: Apache-2.0 */
/* Stream capture: what would be queued on a stream becomes nodes of a graph.
 *
 * A captured stream remembers the nodes its next one needs (its tail), and what the edges from them say.
 * Recording an event remembers the tail; a stream that waits for that event joins the capture. What threads
 * may do meanwhile: driver_capture_mode.c. */
#include "driver_graph.h"

#include <stdlib.h>
#include <string.h>

struct driver_captures driver_captures;
static unsigned long long next_id = 1;

static struct driver_capture *capture_of(struct driver_stream *stream)
{
    return atomic_load_explicit(&stream->capture, memory_order_acquire);
}

/* ---- tails */

static void tail_add(struct driver_tail *tail, struct driver_node *node, CUgraphEdgeData data)
{
    for (size_t i = 0; i < tail->nodes.count; i++)
        if (tail->nodes.at[i] == node && memcmp(&tail->edges.at[i], &data, sizeof data) == 0) return;
    *vec_push(&tail->nodes) = node;
    *vec_push(&tail->edges) = data;
}

static void tail_clear(struct driver_tail *tail)
{
    vec_clear(&tail->nodes);
    vec_clear(&tail->edges);
}

void driver_tail_release(struct driver_tail *tail)
{
    vec_release(&tail->nodes);
    vec_release(&tail->edges);
}

static void join_locked(struct driver_capture *capture, struct driver_stream *stream)
{
    driver_object_ref(&stream->object);
    *vec_push(&capture->streams) = stream;
    tail_clear(&stream->capture_tail);
    atomic_store_explicit(&stream->capture, capture, memory_order_release);
}

/* What an edge to a node of that type says: programmatic edges lead to kernels only. A kernel launched with
 * programmatic stream serialization may begin before the kernels that its stream just launched end. */
static CUgraphEdgeData edge_to(const struct driver_tail *tail, size_t i, CUgraphNodeType type, bool early)
{
    CUgraphEdgeData data = tail->edges.at[i];
    bool kernels = type == CU_GRAPH_NODE_TYPE_KERNEL && tail->nodes.at[i]->type == CU_GRAPH_NODE_TYPE_KERNEL;
    if (!kernels) return (CUgraphEdgeData){0};
    if (early && driver_edge_is_plain(data)) data.from_port = CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC;
    if (data.from_port) data.type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
    return data;
}

/* A new node after the stream's tail, which it becomes. */
static struct driver_node *append_locked(struct driver_stream *stream, CUgraphNodeType type, bool early)
{
    struct driver_node *node = driver_node_new_locked(capture_of(stream)->graph, type);
    struct driver_tail *tail = &stream->capture_tail;
    for (size_t i = 0; i < tail->nodes.count; i++)
        driver_node_need_locked(node, tail->nodes.at[i], edge_to(tail, i, type, early));
    tail_clear(tail);
    tail_add(tail, node, (CUgraphEdgeData){0});
    return node;
}

/* ---- what the calls that queue work do instead. The caller saw a capture before it took the lock: another
 * thread may have ended it since. */

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
    case DRIVER_WORK_BEGIN:
    case DRIVER_WORK_CHOICE:
    case DRIVER_WORK_GRAPH:
    case DRIVER_WORK_TAIL:
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
        bool early = work->kind == DRIVER_WORK_LAUNCH && work->launch.early;
        struct driver_node *node = append_locked(stream, type, early);
        node->work = *work;
        driver_node_remember(node);
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

static void remember_alloc(struct driver_node *node, const struct driver_graph_wish *wish)
{
    CUmemAccessDesc access[ARCH_DEVICES];
    size_t count = 0;
    for (int device = 0; device < driver.device_count; device++)
        if (wish->reach >> device & 1)
            access[count++] =
                (CUmemAccessDesc){{CU_MEM_LOCATION_TYPE_DEVICE, device}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    node->given.alloc = (CUDA_MEM_ALLOC_NODE_PARAMS){.bytesize = wish->bytes, .dptr = node->memory->address};
    node->given.alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    node->given.alloc.poolProps.location =
        (CUmemLocation){CU_MEM_LOCATION_TYPE_DEVICE, wish->device->ordinal};
    driver_node_set_access(node, access, count);
}

CUresult driver_capture_alloc(struct driver_stream *stream, const struct driver_graph_wish *wish,
                              dev_addr *out)
{
    struct driver_graph_memory *memory;
    DRIVER_TRY(driver_graph_memory_new(stream->context, wish, &memory));
    pthread_mutex_lock(&driver_graph_lock);
    if (!capture_of(stream)) {
        pthread_mutex_unlock(&driver_graph_lock);
        driver_object_unref(&memory->object);
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    }
    struct driver_node *node = append_locked(stream, CU_GRAPH_NODE_TYPE_MEM_ALLOC, false);
    struct driver_graph_memory *again = driver_graph_memory_again_locked(node, wish);
    if (again) {
        driver_object_unref(&memory->object);
        memory = again;
    }
    node->memory = memory;
    remember_alloc(node, wish);
    *out = memory->address; /* the node's now, and gone with it */
    pthread_mutex_unlock(&driver_graph_lock);
    return CUDA_SUCCESS;
}

CUresult driver_capture_free(struct driver_stream *stream, dev_addr address)
{
    struct driver_graph_memory *memory = driver_graph_memory_get(address);
    if (!memory) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&driver_graph_lock);
    const struct driver_graph *graph = capture_of(stream) ? capture_of(stream)->graph : NULL;
    bool freed = !graph || driver_graph_memory_is_freed_locked(graph, memory);
    if (!freed) {
        struct driver_node *node = append_locked(stream, CU_GRAPH_NODE_TYPE_MEM_FREE, false);
        node->address = address;
        node->memory = memory;
    }
    pthread_mutex_unlock(&driver_graph_lock);
    if (freed) driver_object_unref(&memory->object);
    if (!graph) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    return freed ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult driver_capture_child(struct driver_stream *stream, const struct driver_graph *graph)
{
    CUresult result = CUDA_SUCCESS;
    pthread_mutex_lock(&driver_graph_lock);
    if (!capture_of(stream) || capture_of(stream)->invalid)
        result = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    else if (driver_graph_has_memory_locked(graph))
        result = CUDA_ERROR_NOT_SUPPORTED; /* it cannot be in two places */
    if (result == CUDA_SUCCESS) {
        struct driver_graph *clone = driver_graph_clone_locked(graph);
        append_locked(stream, CU_GRAPH_NODE_TYPE_GRAPH, false)->child = clone;
        driver_graph_own(clone);
    }
    pthread_mutex_unlock(&driver_graph_lock);
    return result;
}

/* ---- events */

static void drop_mark_locked(struct driver_event *event)
{
    struct driver_capture_mark *mark = event->captured;
    if (!mark) return;
    driver_tail_release(&mark->tail);
    free(mark);
    event->captured = NULL;
}

void driver_capture_drop_event(struct driver_event *event)
{
    pthread_mutex_lock(&driver_graph_lock);
    drop_mark_locked(event);
    pthread_mutex_unlock(&driver_graph_lock);
}

static CUresult record_locked(struct driver_stream *stream, struct driver_event *event)
{
    if (!capture_of(stream)) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    drop_mark_locked(event);
    struct driver_capture_mark *mark = sw_xcalloc(1, sizeof *mark);
    mark->id = capture_of(stream)->id;
    for (size_t i = 0; i < stream->capture_tail.nodes.count; i++)
        tail_add(&mark->tail, stream->capture_tail.nodes.at[i], stream->capture_tail.edges.at[i]);
    event->captured = mark;
    return CUDA_SUCCESS;
}

CUresult driver_capture_record(struct driver_stream *stream, struct driver_event *event)
{
    pthread_mutex_lock(&driver_graph_lock);
    CUresult result = record_locked(stream, event);
    pthread_mutex_unlock(&driver_graph_lock);
    return result;
}

/* An event that the last kernel of the stream records before it ends: edges from it say so. */
void driver_capture_record_early(struct driver_stream *stream, struct driver_event *event, unsigned port)
{
    pthread_mutex_lock(&driver_graph_lock);
    if (record_locked(stream, event) == CUDA_SUCCESS)
        for (size_t i = 0; i < event->captured->tail.edges.count; i++)
            event->captured->tail.edges.at[i].from_port = (unsigned char)port;
    pthread_mutex_unlock(&driver_graph_lock);
}

static CUresult event_node(struct driver_stream *stream, struct driver_event *event, CUgraphNodeType type)
{
    pthread_mutex_lock(&driver_graph_lock);
    bool captured = capture_of(stream) != NULL;
    if (captured) {
        driver_object_ref(&event->object);
        append_locked(stream, type, false)->event = event;
    }
    pthread_mutex_unlock(&driver_graph_lock);
    return captured ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
}

CUresult driver_capture_record_node(struct driver_stream *stream, struct driver_event *event)
{
    return event_node(stream, event, CU_GRAPH_NODE_TYPE_EVENT_RECORD);
}

CUresult driver_capture_wait_node(struct driver_stream *stream, struct driver_event *event)
{
    return event_node(stream, event, CU_GRAPH_NODE_TYPE_WAIT_EVENT);
}

struct driver_capture *driver_capture_find_locked(unsigned long long id)
{
    for (size_t i = 0; i < driver_captures.list.count; i++)
        if (driver_captures.list.at[i]->id == id) return driver_captures.list.at[i];
    return NULL;
}

static CUresult wait_locked(struct driver_stream *stream, const struct driver_event *event, bool *handled)
{
    struct driver_capture *mine = capture_of(stream);
    struct driver_capture *its = event->captured ? driver_capture_find_locked(event->captured->id) : NULL;
    *handled = mine || its;
    if (!*handled) return CUDA_SUCCESS;
    if (!its) return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    if (mine && mine != its) return CUDA_ERROR_STREAM_CAPTURE_MERGE;
    if (stream->legacy) return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    if (!mine) join_locked(its, stream);
    for (size_t i = 0; i < event->captured->tail.nodes.count; i++)
        tail_add(&stream->capture_tail, event->captured->tail.nodes.at[i], event->captured->tail.edges.at[i]);
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
        *capture = (struct driver_capture){.graph = graph,
                                           .id = next_id++,
                                           .origin = stream,
                                           .foreign = foreign,
                                           .mode = mode,
                                           .thread = driver_thread_number()};
        *vec_push(&driver_captures.list) = capture;
        atomic_fetch_add(&driver_captures.count, 1);
        graph->captures++;
        if (!foreign) driver_handle_add(&graph->object);
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

/* Nodes of the graph that is captured, as what the stream's next node needs. */
static CUresult add_needs_locked(struct driver_stream *stream, const CUgraphNode *needs,
                                 const CUgraphEdgeData *data, size_t count)
{
    const struct driver_graph *graph = capture_of(stream)->graph;
    for (size_t i = 0; i < count; i++) {
        bool known = false;
        for (size_t k = 0; k < graph->nodes.count && !known; k++)
            known = (CUgraphNode)graph->nodes.at[k] == needs[i];
        if (!known) return CUDA_ERROR_INVALID_VALUE;
    }
    for (size_t i = 0; i < count; i++)
        tail_add(&stream->capture_tail, (struct driver_node *)needs[i],
                 data ? data[i] : (CUgraphEdgeData){0});
    return CUDA_SUCCESS;
}

static CUresult start_after(CUstream handle, const CUgraphNode *needs, const CUgraphEdgeData *data,
                            size_t count)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    pthread_mutex_lock(&driver_graph_lock);
    CUresult result = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (capture_of(stream)) result = add_needs_locked(stream, needs, data, count);
    pthread_mutex_unlock(&driver_graph_lock);
    driver_stream_put(stream);
    return result;
}

DRIVER_API cuStreamBeginCaptureToGraph(CUstream stream, CUgraph handle, const CUgraphNode *needs,
                                       const CUgraphEdgeData *data, size_t count, CUstreamCaptureMode mode)
{
    DRIVER_TRY(driver_ready());
    CUgraph ended;
    if (count && !needs) return CUDA_ERROR_INVALID_VALUE;
    struct driver_graph *graph = driver_handle_get(handle, DRIVER_GRAPH);
    if (!graph) return CUDA_ERROR_INVALID_VALUE;
    CUresult result = begin(stream, graph, true, mode);
    if (result == CUDA_SUCCESS) {
        result = start_after(stream, needs, data, count);
        if (result != CUDA_SUCCESS) cuStreamEndCapture(stream, &ended);
    }
    driver_object_unref(&graph->object);
    return result;
}

/* Every node must lead to the origin stream's tail, or some forked stream was not joined. */
static bool joined_locked(const struct driver_capture *capture)
{
    const struct driver_graph *graph = capture->graph;
    const struct driver_tail *tail = &capture->origin->capture_tail;
    bool *needed = sw_xcalloc(graph->nodes.count + 1, sizeof *needed), joined = true;
    for (size_t n = 0; n < graph->nodes.count; n++)
        for (size_t k = 0; k < graph->nodes.at[n]->needs.count; k++)
            needed[graph->nodes.at[n]->needs.at[k].node->index] = true;
    for (size_t k = 0; k < tail->nodes.count; k++)
        needed[tail->nodes.at[k]->index] = true;
    for (size_t i = 0; i < graph->nodes.count; i++)
        joined = joined && needed[i];
    free(needed);
    return joined;
}

static CUresult verdict_locked(const struct driver_capture *capture)
{
    if (capture->invalid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    return capture->foreign || joined_locked(capture) ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
}

/* keeps: the capture's graph becomes the program's, and with it the capture's reference. */
static void close_locked(struct driver_capture *capture, bool keeps)
{
    capture->graph->captures--;
    for (size_t i = 0; i < driver_captures.list.count; i++)
        if (driver_captures.list.at[i] == capture)
            driver_captures.list.at[i--] = driver_captures.list.at[--driver_captures.list.count];
    atomic_fetch_sub(&driver_captures.count, 1);
    for (size_t i = 0; i < capture->streams.count; i++) {
        atomic_store_explicit(&capture->streams.at[i]->capture, NULL, memory_order_release);
        tail_clear(&capture->streams.at[i]->capture_tail);
    }
    if (keeps && !capture->foreign) return;
    if (!capture->foreign) driver_handle_take(capture->graph, DRIVER_GRAPH);
    driver_object_unref(&capture->graph->object);
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
    if (capture->origin != stream) {
        capture->invalid = true;
        return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
    }
    if (capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED && capture->thread != driver_thread_number())
        return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
    CUresult result = verdict_locked(capture);
    if (out) *out = result == CUDA_SUCCESS ? (CUgraph)capture->graph : NULL;
    close_locked(capture, result == CUDA_SUCCESS);
    *ended = capture;
    return result;
}

/* The stream is destroyed. A capture that began on it ends without a graph. One that it joined goes on and
 * keeps it, with its nodes: whether others went on from them is asked when the capture ends, as CUDA does. */
void driver_capture_abandon(struct driver_stream *stream)
{
    struct driver_capture *ended = NULL;
    pthread_mutex_lock(&driver_graph_lock);
    struct driver_capture *capture = capture_of(stream);
    if (capture && capture->origin == stream) {
        close_locked(capture, false);
        ended = capture;
    }
    pthread_mutex_unlock(&driver_graph_lock);
    if (ended) capture_free(ended);
}

DRIVER_API cuStreamEndCapture(CUstream handle, CUgraph *out)
{
    struct driver_stream *stream;
    struct driver_capture *ended = NULL;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    pthread_mutex_lock(&driver_graph_lock);
    CUresult result = CUDA_ERROR_INVALID_VALUE;
    const struct driver_capture *capture = capture_of(stream);
    if (out || !capture || capture->foreign) /* who captures to a graph has it */
        result = end_locked(stream, out, &ended);
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

/* Without a place for what the edges say, edges that say something are CUDA_ERROR_LOSSY_QUERY. */
static bool is_lossy(const struct driver_tail *tail)
{
    for (size_t i = 0; i < tail->edges.count; i++)
        if (!driver_edge_is_plain(tail->edges.at[i])) return true;
    return false;
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
    bool lossy = capture && needs && !data && is_lossy(&stream->capture_tail);
    *status = status_of(capture);
    if (id) *id = capture ? capture->id : 0;
    if (graph) *graph = capture ? (CUgraph)capture->graph : NULL;
    if (needs) *needs = capture ? (const CUgraphNode *)(void *)stream->capture_tail.nodes.at : NULL;
    if (data) *data = capture ? stream->capture_tail.edges.at : NULL;
    if (count) *count = capture ? stream->capture_tail.nodes.count : 0;
    pthread_mutex_unlock(&driver_graph_lock);
    driver_stream_put(stream);
    return lossy ? CUDA_ERROR_LOSSY_QUERY : CUDA_SUCCESS;
}

DRIVER_API cuStreamUpdateCaptureDependencies_v2(CUstream handle, CUgraphNode *needs,
                                                const CUgraphEdgeData *data, size_t count, unsigned flags)
{
    struct driver_stream *stream;
    if ((count && !needs) || flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    pthread_mutex_lock(&driver_graph_lock);
    struct driver_capture *capture = capture_of(stream);
    struct driver_tail before = stream->capture_tail;
    CUresult result = !capture           ? CUDA_ERROR_ILLEGAL_STATE
                      : capture->invalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
                                         : CUDA_SUCCESS;
    bool sets = result == CUDA_SUCCESS && flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES;
    if (sets) stream->capture_tail = (struct driver_tail){0};
    if (result == CUDA_SUCCESS) result = add_needs_locked(stream, needs, data, count);
    if (sets && result != CUDA_SUCCESS) stream->capture_tail = before;
    if (sets && result == CUDA_SUCCESS) driver_tail_release(&before);
    pthread_mutex_unlock(&driver_graph_lock);
    driver_stream_put(stream);
    return result;
}
