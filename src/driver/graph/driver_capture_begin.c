/* SPDX-License-Identifier: Apache-2.0 */
/* How captures begin and end, and what can be asked of them. What streams do meanwhile: driver_capture.c. */
#include "driver_graph.h"

#include "driver/stream/driver_stream.h"

#include <stdlib.h>

static unsigned long long next_id = 1;

static CUresult capture_begin(CUstream handle, struct driver_graph *graph, bool foreign,
                              CUstreamCaptureMode mode)
{
    struct driver_stream *stream;
    if (mode > CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    CUresult result = CUDA_SUCCESS;
    pthread_mutex_lock(&driver_graph_lock);
    if (stream->legacy) result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (driver_capture_of(stream)) result = CUDA_ERROR_ILLEGAL_STATE;
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
        driver_capture_join_locked(capture, stream);
    }
    pthread_mutex_unlock(&driver_graph_lock);
    driver_stream_put(stream);
    return result;
}

DRIVER_API cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode)
{
    struct driver_graph *graph = driver_graph_new();
    CUresult result = capture_begin(stream, graph, false, mode);
    driver_object_unref(&graph->object);
    return result;
}

/* Nodes of the graph that is captured, as what the stream's next node needs. */
static CUresult add_needs_locked(struct driver_stream *stream, const CUgraphNode *needs,
                                 const CUgraphEdgeData *data, size_t count)
{
    const struct driver_graph *graph = driver_capture_of(stream)->graph;
    for (size_t i = 0; i < count; i++) {
        bool known = false;
        for (size_t k = 0; k < graph->nodes.count && !known; k++)
            known = (CUgraphNode)graph->nodes.at[k] == needs[i];
        if (!known) return CUDA_ERROR_INVALID_VALUE;
    }
    for (size_t i = 0; i < count; i++)
        driver_dependencies_add(&stream->capture_dependencies, (struct driver_node *)needs[i],
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
    if (driver_capture_of(stream)) result = add_needs_locked(stream, needs, data, count);
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
    CUresult result = capture_begin(stream, graph, true, mode);
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
    const struct driver_dependencies *tail = &capture->origin->capture_dependencies;
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
        driver_dependencies_clear(&capture->streams.at[i]->capture_dependencies);
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
    struct driver_capture *capture = driver_capture_of(stream);
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
    struct driver_capture *capture = driver_capture_of(stream);
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
    const struct driver_capture *capture = driver_capture_of(stream);
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
    *status = status_of(driver_capture_of(stream));
    pthread_mutex_unlock(&driver_graph_lock);
    driver_stream_put(stream);
    return CUDA_SUCCESS;
}

/* Without a place for what the edges say, edges that say something are CUDA_ERROR_LOSSY_QUERY. */
static bool is_lossy(const struct driver_dependencies *tail)
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
    const struct driver_capture *capture = driver_capture_of(stream);
    bool lossy = capture && needs && !data && is_lossy(&stream->capture_dependencies);
    *status = status_of(capture);
    if (id) *id = capture ? capture->id : 0;
    if (graph) *graph = capture ? (CUgraph)capture->graph : NULL;
    if (needs) *needs = capture ? (const CUgraphNode *)(void *)stream->capture_dependencies.nodes.at : NULL;
    if (data) *data = capture ? stream->capture_dependencies.edges.at : NULL;
    if (count) *count = capture ? stream->capture_dependencies.nodes.count : 0;
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
    struct driver_capture *capture = driver_capture_of(stream);
    struct driver_dependencies before = stream->capture_dependencies;
    CUresult result = !capture           ? CUDA_ERROR_ILLEGAL_STATE
                      : capture->invalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
                                         : CUDA_SUCCESS;
    bool sets = result == CUDA_SUCCESS && flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES;
    if (sets) stream->capture_dependencies = (struct driver_dependencies){0};
    if (result == CUDA_SUCCESS) result = add_needs_locked(stream, needs, data, count);
    if (sets && result != CUDA_SUCCESS) stream->capture_dependencies = before;
    if (sets && result == CUDA_SUCCESS) driver_dependencies_release(&before);
    pthread_mutex_unlock(&driver_graph_lock);
    driver_stream_put(stream);
    return result;
}
