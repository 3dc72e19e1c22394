/* SPDX-License-Identifier: Apache-2.0 */
/* Streams that are captured. Each remembers the nodes its next one needs (its tail), and what the edges from
 * them say. Recording an event remembers the tail; a stream that waits for that event joins the capture. What
 * threads may do meanwhile: driver_capture_mode.c. Nodes are made by driver_capture.c, through
 * driver_capture_ops. */
#include "driver_capture.h"

#include <stdlib.h>
#include <string.h>

/* Recursive: the last reference to an event or graph may go while it is held. */
pthread_mutex_t driver_graph_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
struct driver_captures driver_captures;
const struct driver_capture_ops *driver_capture_ops;

struct driver_capture *driver_capture_of(struct driver_stream *stream)
{
    return atomic_load_explicit(&stream->capture, memory_order_acquire);
}

void driver_dependencies_add(struct driver_dependencies *tail, struct driver_node *node, CUgraphEdgeData data)
{
    for (size_t i = 0; i < tail->nodes.count; i++)
        if (tail->nodes.at[i] == node && memcmp(&tail->edges.at[i], &data, sizeof data) == 0) return;
    *vec_push(&tail->nodes) = node;
    *vec_push(&tail->edges) = data;
}

void driver_dependencies_clear(struct driver_dependencies *tail)
{
    vec_clear(&tail->nodes);
    vec_clear(&tail->edges);
}

void driver_dependencies_release(struct driver_dependencies *tail)
{
    vec_release(&tail->nodes);
    vec_release(&tail->edges);
}

void driver_capture_join_locked(struct driver_capture *capture, struct driver_stream *stream)
{
    driver_object_ref(&stream->object);
    *vec_push(&capture->streams) = stream;
    driver_dependencies_clear(&stream->capture_dependencies);
    atomic_store_explicit(&stream->capture, capture, memory_order_release);
}

CUresult driver_capture_forbid(struct driver_stream *stream)
{
    pthread_mutex_lock(&driver_graph_lock);
    if (driver_capture_of(stream)) driver_capture_of(stream)->invalid = true;
    pthread_mutex_unlock(&driver_graph_lock);
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

/* ---- events */

static void drop_mark_locked(struct driver_event *event)
{
    struct driver_capture_mark *mark = event->captured;
    if (!mark) return;
    driver_dependencies_release(&mark->tail);
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
    if (!driver_capture_of(stream)) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    drop_mark_locked(event);
    struct driver_capture_mark *mark = sw_xcalloc(1, sizeof *mark);
    mark->id = driver_capture_of(stream)->id;
    for (size_t i = 0; i < stream->capture_dependencies.nodes.count; i++)
        driver_dependencies_add(&mark->tail, stream->capture_dependencies.nodes.at[i],
                                stream->capture_dependencies.edges.at[i]);
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

struct driver_capture *driver_capture_find_locked(unsigned long long id)
{
    for (size_t i = 0; i < driver_captures.list.count; i++)
        if (driver_captures.list.at[i]->id == id) return driver_captures.list.at[i];
    return NULL;
}

static CUresult wait_locked(struct driver_stream *stream, const struct driver_event *event, bool *handled)
{
    struct driver_capture *mine = driver_capture_of(stream);
    struct driver_capture *its = event->captured ? driver_capture_find_locked(event->captured->id) : NULL;
    *handled = mine || its;
    if (!*handled) return CUDA_SUCCESS;
    if (!its) return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    if (mine && mine != its) return CUDA_ERROR_STREAM_CAPTURE_MERGE;
    if (stream->legacy) return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    if (!mine) driver_capture_join_locked(its, stream);
    for (size_t i = 0; i < event->captured->tail.nodes.count; i++)
        driver_dependencies_add(&stream->capture_dependencies, event->captured->tail.nodes.at[i],
                                event->captured->tail.edges.at[i]);
    return CUDA_SUCCESS;
}

CUresult driver_capture_wait(struct driver_stream *stream, struct driver_event *event, bool *handled)
{
    pthread_mutex_lock(&driver_graph_lock);
    CUresult result = wait_locked(stream, event, handled);
    if (result != CUDA_SUCCESS && driver_capture_of(stream)) driver_capture_of(stream)->invalid = true;
    pthread_mutex_unlock(&driver_graph_lock);
    return result;
}
