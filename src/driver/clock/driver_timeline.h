/* SPDX-License-Identifier: Apache-2.0 */
/* The virtual timeline: when queue entries begin and end (driver_timeline.c), for driver_clock.c. All of it
 * under one lock. */
#ifndef DRIVER_TIMELINE_H
#define DRIVER_TIMELINE_H

#include "driver_clock.h"

#include "driver/core/driver_activity.h"

/* A copy or launch that an entry turned out to be. It begins when the part before has ended; or, launched by
 * a kernel (a child), when that kernel's own blocks have, and what it comes after with all that those
 * launched. */
struct driver_part {
    struct event_work work;
    struct event_operation *operation;      /* given to the tool when scheduled; malloc'ed; NULL: none */
    struct event_activity_launch *activity; /* likewise, to who listens */
    uint64_t launch;
    bool early, waits,
        triggers; /* the kernel: need not wait for the one before it; does; lets the next one begin */
    bool of_graph;
    uint32_t children; /* that it launched and that are scheduled */
    uint64_t delay_ns; /* more after what it comes after */
    bool is_child;
    uint32_t parent; /* from 1; 0: none */
    struct driver_parts after;
    uint64_t end_ns, all_end_ns; /* once scheduled; all: with what it launched */
};
struct driver_timeline_entry {
    struct driver_timeline_entry *next; /* in the order asked, until scheduled */
    unsigned refs;
    uint64_t asked_ns, submitted_ns, end_ns;
    uint64_t waited_ns; /* end of what the host had waited for last when it asked; 0: nothing */
    bool known, scheduled, passed_over;
    bool together; /* it begins with entries of other devices, when the last of them can */
    bool aside;    /* those asked later need not wait for it: it may wait for their hosts */
    bool may_wait; /* for this very host */
    const struct driver_context *context;
    int device;
    bool host;             /* a host function */
    bool kernel, of_graph; /* its end is that of a kernel; of a graph's */
    bool other;            /* of a copy, a fill, a host function */
    bool triggers;         /* its last part does, and began at: */
    uint64_t last_start_ns;
    const struct driver_timeline_entry *before; /* the entry before in its stream, one of: */
    VEC(struct driver_timeline_entry *) needs;  /* references, until scheduled */
    VEC(struct driver_part) parts;
};

/* Of a call, or of what stands for one; the tool is asked. */
uint64_t driver_clock_cost(const struct driver_context *context, enum event_call call, uint64_t bytes);

void driver_timeline_lock(void);
void driver_timeline_unlock(void);
void driver_timeline_entry_unref_locked(struct driver_timeline_entry *entry); /* NULL: nothing */
void driver_timeline_append_locked(
    struct driver_timeline_entry *entry); /* the last that was asked for: takes a reference */
/* Schedules all whose turn it is. */
void driver_timeline_advance_locked(void);
/* Until it is scheduled, within bounds. false: it still runs, and may wait for this thread. */
bool driver_timeline_entry_settle_locked(struct driver_timeline_entry *entry);
#endif
