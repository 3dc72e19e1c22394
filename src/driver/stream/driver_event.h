/* SPDX-License-Identifier: Apache-2.0 */
/* driver: events (driver_event.c, driver_context_event.c). */
#ifndef DRIVER_EVENT_H
#define DRIVER_EVENT_H

#include "driver_work.h"

struct driver_event {
    struct driver_object object;
    struct driver_context *context; /* reference */
    unsigned flags;
    pthread_mutex_t lock;
    struct driver_stream *stream; /* of the last record: reference, or NULL */
    uint64_t seq, generation, time_ns;
    struct driver_timeline_entry *timeline_entry; /* of the last record: reference, or NULL */
    bool complete;
    struct driver_capture_mark *captured; /* last recorded in a capture; guarded by the graph lock */
    struct driver_ipc_event *ipc_event;   /* CU_EVENT_INTERPROCESS; NULL: none */
    bool imported;
};
extern const struct driver_work_ops driver_event_work; /* RECORD */
CUresult driver_event_record(struct driver_event *event, struct driver_stream *stream);
/* The same, not captured, and after those as well. */
CUresult driver_event_record_after(struct driver_event *event, struct driver_stream *stream,
                                   const struct driver_dependency *after, uint32_t count);
CUresult driver_event_wait(struct driver_event *event, struct driver_stream *stream);
/* The same, not captured; never waits for anything itself. */
CUresult driver_event_follow(struct driver_event *event, struct driver_stream *stream);
#endif
