/* SPDX-License-Identifier: Apache-2.0 */
/* Activity: what a profiler inside the program's process hears of calls and of the device's work (libcupti),
 * with or without a tool.
 *
 * Each outermost call of a thread has a correlation id; the calls that it makes itself, as a runtime function
 * calls the driver's, and the work that it asks for carry the same one. Times are those of the virtual clock
 * where a tool has one, else nanoseconds of CLOCK_MONOTONIC. */
#ifndef EVENT_ACTIVITY_H
#define EVENT_ACTIVITY_H

#include <stdbool.h>
#include <stdint.h>

struct event_nvtx;
struct event_operation;

enum event_activity_api { EVENT_ACTIVITY_RUNTIME, EVENT_ACTIVITY_DRIVER };
struct event_activity_call {
    uint8_t api;              /* enum event_activity_api */
    const char *function;     /* as it is exported, "cuMemAlloc_v2" */
    const uint64_t *integers; /* arguments in registers: 6 of x86-64, 8 of AArch64 */
    const uint64_t *stack;    /* those on the stack */
    uint32_t correlation;
    uint32_t result; /* once it ends */
};
struct event_activity_launch {
    const char *name; /* of the kernel, or of a library's function; lives as long as the process */
    uint64_t id;      /* among the launches of the process, from 0 */
    uint32_t device, context, stream; /* ordinals, as in struct event_launch */
    uint32_t grid[3], block[3];
    uint32_t static_shared, dynamic_shared, local_bytes, registers;
    uint32_t correlation;
    bool cooperative, of_graph, nested; /* nested: a kernel launched it */
    uint64_t start_ns, end_ns;
};

enum event_activity_range {
    EVENT_ACTIVITY_PUSHED,  /* of one thread, nested */
    EVENT_ACTIVITY_STARTED, /* it may end in another thread */
    EVENT_ACTIVITY_MARK
};

/* Whoever listens. Calls begin and end on the program's threads, where nothing is locked; the others come
 * from any thread and must not call CUDA. */
struct event_activity_listener {
    void (*call_begins)(const struct event_activity_call *call);
    void (*call_ends)(const struct event_activity_call *call);
    void (*operation)(const struct event_operation *operation); /* copies, fills, memory, waits */
    void (*launch)(const struct event_activity_launch *launch);
};
/* What Softwarp's libcuda gives to it, by cuGetProcAddress under this name. */
#define EVENT_ACTIVITY_SYMBOL "softwarpActivity"
struct event_activity_driver {
    void (*listen)(const struct event_activity_listener *listener); /* NULL: nobody any more */
    uint64_t (*now_ns)(void);                                       /* of the calling thread */
    bool (*is_virtual)(void);
    /* Ordinals, as above, of a handle of the program; false: it is none. stream: a CUstream of the current
     * context. */
    bool (*context_of)(void *context, uint32_t *ordinal);
    bool (*stream_of)(void *stream, bool per_thread, uint32_t *ordinal);
    /* A range of NVTX that ended, or a mark, of the calling thread, for the tool. domain: "": the default
     * one. */
    void (*range)(enum event_activity_range kind, const char *text, const char *domain, uint64_t begin_ns,
                  uint64_t end_ns);
    /* From now on launches ask which ranges are open (event_nvtx.h). */
    void (*open_ranges)(const struct event_nvtx *(*open)(void));
    uint32_t (*thread)(void); /* the calling thread's number, as in struct event_operation */
};

/* A library whose exported functions tell of calls (base_watch.h): adds the flag that turns them on. */
#define EVENT_ACTIVITY_WATCH_SYMBOL "softwarpActivityWatch"
struct event_activity_watch {
    void (*add)(bool *watched);
    void (*begin)(struct event_activity_call *call); /* sets the correlation id */
    void (*end)(const struct event_activity_call *call);
};
#endif
