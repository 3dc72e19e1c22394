/* SPDX-License-Identifier: Apache-2.0 */
/* driver: entries of queues, and streams, which are queues: the records alone. The clock, the scheduler and
 * those who make work share them. */
#ifndef DRIVER_QUEUE_H
#define DRIVER_QUEUE_H

#include "driver_context.h"
#include "event/event_operation.h"

struct driver_caller;
struct driver_event;
struct driver_function;
struct driver_timeline_entry;            /* when a queue entry is, by the virtual clock; counted references */
enum { DRIVER_TIMELINE_ENTRIES = 1024 }; /* that a stream keeps: as many as a queue is long */
struct driver_node;
struct event_nvtx;
struct driver_routine;
struct driver_plane { /* one side of a strided copy */
    uint8_t *base;
    uint64_t pitch, slice; /* bytes from row to row, and from slice to slice */
};
struct driver_copy {
    struct driver_plane from, to;
    uint64_t width, height, depth; /* bytes, rows, slices */
    void *staged;                  /* freed after the copy; NULL: none */
    bool async;                    /* the program called an asynchronous function */
};
/* Bytes from the base of a side to the end of its last row; no extent is 0. */
static inline uint64_t driver_plane_span(const struct driver_plane *plane, uint64_t width, uint64_t height,
                                         uint64_t depth)
{
    uint64_t rows = sw_sum(sw_product(height - 1, plane->pitch), width);
    return sw_sum(sw_product(depth - 1, plane->slice), rows);
}
struct driver_fill {
    uint8_t *base;
    uint64_t pitch, width, height; /* width in elements */
    uint32_t value, element_bytes;
};
struct driver_launch {
    struct driver_function *function; /* reference (of its module) */
    struct engine_kernel *kernel;     /* its own */
    uint32_t grid[3], block[3], dynamic_shared;
    uint8_t *params; /* with 16 bytes more */
    uint64_t param_bytes, id;
    uint32_t correlation;               /* of the call that launched it (driver_activity.h) */
    const struct event_nvtx *nvtx;      /* ranges that are open in that call; NULL: none */
    struct driver_graph_run *run;       /* that it is part of; NULL: of no graph */
    struct driver_updatable *updatable; /* of a node that kernels change: reference; NULL: none */
    bool cooperative, count;
    bool unchecked;  /* the tool's checks leave it out */
    bool wide_banks; /* banks of 8 bytes, as the function or its context said when it was made */
    bool early;      /* programmatic stream serialization: an edge to it from a kernel is programmatic */
    CUaccessPolicyWindow window; /* of 0 bytes: none */
    uint32_t l2_resets;          /* of the device's persisting lines before it */
};
struct driver_host {
    CUhostFn function;
    CUstreamCallback callback; /* either */
    CUstream stream;           /* as the program named it, for callback */
    void *user;
};
enum driver_work_kind {
    DRIVER_WORK_NOTHING,
    DRIVER_WORK_COPY,
    DRIVER_WORK_FILL,
    DRIVER_WORK_LAUNCH,
    DRIVER_WORK_HOST,
    DRIVER_WORK_RECORD,
    DRIVER_WORK_RELEASE, /* of memory, in stream order */
    DRIVER_WORK_BATCH,   /* writes of words, and waits for them */
    DRIVER_WORK_BEGIN,   /* a graph's launch: its conditions get their defaults */
    DRIVER_WORK_CHOICE,  /* a conditional node */
    DRIVER_WORK_GRAPH,   /* a graph that a kernel launched, and what its kernels launch */
    DRIVER_WORK_ROUTINE, /* of a library */
    DRIVER_WORK_TAIL     /* the end of a graph's launch, and what its kernels launched to come after it */
};
struct driver_batch {              /* stream memory operations (driver_value.c) */
    CUstreamBatchMemOpParams *ops; /* malloc'ed */
    unsigned count;
};
/* Of an entry that began something and goes on when that is done: a reference of the entry's, one of whoever
 * will say so. Guarded by the scheduler's lock. */
struct driver_wait {
    atomic_uint refs;
    struct driver_stream *stream; /* reference */
    uint64_t seq;
    bool over;
    int failure; /* CUresult */
};
struct driver_work {
    enum driver_work_kind kind;
    struct driver_wait *wait;           /* what it waits for since it ran; NULL: nothing */
    struct event_operation *operation;  /* what the tool will be told of it; malloc'ed; NULL: nothing (yet) */
    const struct driver_caller *caller; /* for checks: of the call that queued it; NULL: not known */
    uint32_t correlation;               /* of that call (driver_activity.h); 0: none */
    union {
        struct driver_copy copy;
        struct driver_fill fill;
        struct driver_launch launch;
        struct driver_host host;
        struct {
            struct driver_event *event;  /* reference */
            uint64_t generation, number; /* number: for other processes */
        } record;
        dev_addr address;
        struct driver_batch batch;
        struct driver_choice *choice;
        struct driver_graph_exec *graph; /* reference */
        struct driver_graph_run *tail;   /* reference */
        struct {
            struct driver_routine *call;   /* reference */
            uint64_t id;                   /* as a launch */
            const struct event_nvtx *nvtx; /* ranges in which it was called; NULL: none */
            uint64_t begun_ns;             /* by the real clock; 0: nobody listened */
            bool wanted, of_graph;         /* wanted: by the tool */
            bool brief;                    /* takes some microseconds */
            bool together, whole; /* it begins when entries of other queues do, which are queued, too */
        } routine;
    };
};
static inline bool driver_work_is_together(const struct driver_work *work)
{
    return work->kind == DRIVER_WORK_ROUTINE && work->routine.together;
}
static inline bool driver_work_is_brief(const struct driver_work *work)
{
    return work->kind == DRIVER_WORK_ROUTINE && work->routine.brief;
}

struct driver_dependencies { /* nodes, and what the edges from them say; of the same length */
    VEC(struct driver_node *) nodes;
    VEC(CUgraphEdgeData) edges;
};
struct driver_attributes { /* of launches, kernel nodes and streams, as they were set */
    VEC(CUlaunchAttribute) list;
};
struct driver_stream {
    struct driver_object object;
    struct driver_context *context; /* reference */
    unsigned flags, ordinal;
    unsigned long long id;
    uint64_t queue; /* its number among all, those of ours too */
    int priority;
    bool legacy, per_thread, hidden; /* hidden: made by us, the context lets go of it */
    /* guarded by the scheduler's lock */
    struct driver_op *head, *tail;
    struct driver_link *links;       /* entries of other streams that wait for ones of this */
    atomic_ullong issued, completed; /* written under the lock */
    uint64_t stuck;    /* until this entry a check waits for none; 0: it has not waited in vain */
    uint64_t wanted;   /* at which a thread that sleeps is to be woken; UINT64_MAX: none */
    uint64_t together; /* the last entry that waits for other queues' to begin, or comes after one */
    bool parked;       /* its head began something that is not done */
    bool running, active, listed; /* its head runs; has entries; stands in the list of ready streams */
    int level;                    /* of that list */
    struct driver_stream *next_active, *previous_active, *next_ready, *previous_ready;
    size_t index;                             /* in context->streams */
    bool detached;                            /* not in it any more */
    _Atomic(struct driver_capture *) capture; /* written under the graph lock; NULL: not capturing */
    struct driver_timeline_entry *
        *timeline; /* [seq % DRIVER_TIMELINE_ENTRIES] of the last entries; NULL: none */
    struct driver_dependencies
        capture_dependencies;            /* what the next captured node needs; guarded by the graph lock */
    struct driver_attributes attributes; /* guarded by the graph lock */
};
#endif
