/* SPDX-License-Identifier: Apache-2.0 */
/* driver: streams that are captured (driver_capture*.c). */
#ifndef DRIVER_CAPTURE_H
#define DRIVER_CAPTURE_H

#include "driver/memory/driver_memory.h"
#include "driver_event.h"

struct driver_graph;
extern pthread_mutex_t driver_graph_lock; /* guards every graph, executable graph and capture */

struct driver_capture {         /* one begun capture, over one or more streams */
    struct driver_graph *graph; /* reference */
    unsigned long long id;
    struct driver_stream *origin;
    VEC(struct driver_stream *) streams; /* references; origin among them */
    CUstreamCaptureMode mode;
    uint64_t thread;       /* that began it */
    bool invalid, foreign; /* foreign: the graph is the program's own (capture to graph) */
};
/* Those under way. */
extern struct driver_captures {
    VEC(struct driver_capture *) list; /* guarded by the graph lock */
    atomic_uint count;
} driver_captures;
/* What makes nodes: graph/, which says so at the start of the process. */
struct driver_capture_ops {
    CUresult (*work)(struct driver_stream *stream, struct driver_work *work); /* what would be queued */
    /* External events: their record and their wait become nodes. */
    CUresult (*event)(struct driver_stream *stream, struct driver_event *event, CUgraphNodeType type);
    /* The launch just captured gets the attribute; value NULL: it has none. */
    CUresult (*updatable)(CUstream handle, CUlaunchAttributeValue *value);
    void (*abandon)(struct driver_stream *stream); /* it is destroyed while it is captured */
};
extern const struct driver_capture_ops *driver_capture_ops;
struct driver_capture_mark { /* an event recorded in a capture */
    unsigned long long id;
    struct driver_dependencies tail;
};
struct driver_capture *driver_capture_find_locked(unsigned long long id); /* NULL: it ended */
struct driver_capture *driver_capture_of(struct driver_stream *stream);   /* NULL: none */
void driver_capture_join_locked(struct driver_capture *capture, struct driver_stream *stream);
void driver_dependencies_add(struct driver_dependencies *tail, struct driver_node *node,
                             CUgraphEdgeData data);
void driver_dependencies_clear(struct driver_dependencies *tail);

CUresult driver_capture_record(struct driver_stream *stream, struct driver_event *event);
/* Event was recorded in a capture: the stream joins it. *handled: false when neither is captured. */
CUresult driver_capture_wait(struct driver_stream *stream, struct driver_event *event, bool *handled);
static inline bool driver_is_capturing(struct driver_stream *stream)
{
    return atomic_load_explicit(&stream->capture, memory_order_acquire) != NULL;
}
void driver_capture_drop_event(struct driver_event *event);
void driver_capture_record_early(struct driver_stream *stream, struct driver_event *event, unsigned port);
void driver_dependencies_release(struct driver_dependencies *tail);
/* Calls that wait are not allowed on a captured stream: the capture becomes invalid. */
CUresult driver_capture_forbid(struct driver_stream *stream);
/* driver_capture_mode.c: a call that may be unsafe while something is captured, by this thread or by others;
 * one that waits for a whole context; one that waits for an event, or asks it. What is not allowed makes the
 * capture invalid. */
CUresult driver_capture_unsafe(void);
CUresult driver_capture_forbid_context(const struct driver_context *context);
CUresult
driver_capture_forbid_legacy(const struct driver_context *context); /* before its legacy stream is used */
CUresult driver_capture_forbid_event(struct driver_event *event);
#endif
