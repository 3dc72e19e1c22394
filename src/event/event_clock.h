/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EVENT_CLOCK_H
#define EVENT_CLOCK_H

#include "event_time.h"

#include <stdbool.h>
#include <stdint.h>

/* The virtual clock: what works of a device and calls of the host take, by a model (timing/).
 *
 * The driver knows what waits for what. It hands works over one at a time, in the order in which the program
 * asked for them, each when it is known what it was; so the answers depend on nothing else. Times are
 * nanoseconds since the process began. */
enum event_call { /* of the host; what each costs it */
                  EVENT_CALL_LAUNCH,
                  EVENT_CALL_GRAPH,
                  EVENT_CALL_COPY,
                  EVENT_CALL_FILL,
                  EVENT_CALL_RECORD,
                  EVENT_CALL_WAIT, /* of a stream for an event */
                  EVENT_CALL_QUERY,
                  EVENT_CALL_SYNC,
                  EVENT_CALL_ALLOC,
                  EVENT_CALL_FREE,
                  EVENT_CALL_HOST_ALLOC,
                  EVENT_CALL_HOST_FREE,
                  EVENT_CALL_SUBMIT,    /* no call: from its end until the device can begin */
                  EVENT_CALL_NOTICE,    /* no call: from the end of work until a host that waits goes on */
                  EVENT_CALL_CONDITION, /* no call: a pass of a conditional node's body, before it begins */
                  EVENT_CALL_HOST_FUNCTION, /* no call: a host function in a stream */
                  EVENT_CALL_HOST_WAKE,     /* no call: more, when it waited for the device */
                  EVENT_CALL_PEER_WAIT,     /* no call: from the end of work until another device goes on */
                  EVENT_CALL_HOST_FAULT, /* no call: the host misses bytes of managed memory that a device has
                                          */
                  EVENT_CALL_COUNT
};
enum event_work_kind {
    EVENT_WORK_COPY,
    EVENT_WORK_FILL,
    EVENT_WORK_MIGRATE,  /* pages of managed memory that a kernel misses */
    EVENT_WORK_PREFETCH, /* from, to: EVENT_MEMORY_DEVICE or _PAGEABLE, which is the host */
    EVENT_WORK_LAUNCH
};
struct event_work {
    uint8_t kind;          /* enum event_work_kind */
    uint8_t from, to;      /* enum event_memory_kind; FILL: to; MIGRATE: as event_operation's */
    uint32_t device, peer; /* ordinals; peer: the other device of a copy between two, else the same */
    uint32_t asker;        /* the stream's, which waits for the end */
    bool stored;           /* MIGRATE: for a kernel that only writes there */
    bool staged;           /* COPY between two devices: through the host, as event_operation's */
    const char *gpu;       /* of device, as in event_launch */
    uint64_t bytes, rows;
    const char *kernel;     /* LAUNCH */
    struct event_time time; /* LAUNCH: sm_share always; duration_ns when predicted */
    bool predicted;
    uint8_t predecessor; /* LAUNCH: enum event_predecessor */
    uint32_t nth;        /* LAUNCH, NESTED: the kernel that launched it had launched so many before */
    uint64_t least_ns;   /* LAUNCH: its own timers went on so far, of the blocks that waited longest */
    int32_t priority;    /* LAUNCH: of its stream; of those that wait, greater ones begin first */
    uint32_t waves; /* LAUNCH: so often the device is filled with its blocks, one after the other; 0: 1 */
};
enum event_predecessor { /* what a launch follows: how much of its start is over when that ends */
                         EVENT_PREDECESSOR_OTHER, /* a copy, a host function, nothing */
                         EVENT_PREDECESSOR_KERNEL,
                         EVENT_PREDECESSOR_NODE,   /* a kernel of its graph */
                         EVENT_PREDECESSOR_EARLY,  /* a kernel for which it need not wait */
                         EVENT_PREDECESSOR_PARENT, /* the kernel that launched it */
                         EVENT_PREDECESSOR_SIBLING /* a kernel that the same kernel launched */
};
enum event_cause {                     /* why work does not begin before it does */
                   EVENT_CAUSE_ASKED,  /* the host asked for it then */
                   EVENT_CAUSE_BEFORE, /* what it waits for ended then */
                   EVENT_CAUSE_ENGINE  /* what held its engine or CTA slot did */
};
struct event_schedule {
    uint64_t start_ns, end_ns;
    uint8_t cause; /* enum event_cause */
};
struct event_clock {
    void *user;
    uint64_t (*call)(void *user, const char *gpu, enum event_call call, uint64_t bytes);
    /* asked: when the call that asked for it ended; after: when all that it waits for had ended. */
    void (*schedule)(void *user, const struct event_work *work, uint64_t asked_ns, uint64_t after_ns,
                     struct event_schedule *out);
};
#endif
