/* SPDX-License-Identifier: Apache-2.0 */
/* driver: launches (driver_launch.c). */
#ifndef DRIVER_LAUNCH_H
#define DRIVER_LAUNCH_H

#include "driver/clock/driver_clock.h"

struct driver_launch_request {
    CUfunction function;
    uint32_t grid[3], block[3];
    uint64_t dynamic_shared;
    void **params, **extra;
    bool cooperative, early;            /* early: programmatic stream serialization */
    const CUaccessPolicyWindow *window; /* NULL: the stream's */
    const struct driver_context *view;  /* whose multiprocessors it gets; NULL: all of the device */
};
struct tree;
struct cdp_op;
struct cdp_queue { /* a device stream: its first operation runs, the others wait */
    struct cdp_op *head, *tail;
    struct driver_parts ends; /* by the virtual clock: what the next comes after */
    bool destroyed;           /* by the program: goes when it is empty */
};

struct driver_grid { /* a grid that runs, and what its threads queued; made for every launch */
    const struct driver_launch *launch;
    struct driver_stream *stream;       /* of the host */
    const struct driver_caller *caller; /* of the host's call that launched it; NULL: not known */
    uint64_t graph_exec;                /* that it is part of and that kernels may launch; 0: none */
    /* Is it in a parameter buffer that its threads may fill? owner: the grid */
    bool (*may_access)(void *owner, uint64_t address);
    struct driver_timeline_entry *timeline_entry; /* of the host's launch, by the virtual clock; NULL: none */
    const struct event_launch
        *detailed;               /* as the tool knows it, while it is simulated in detail (driver_detail.c) */
    _Atomic(struct tree *) tree; /* NULL: no thread of it called the device runtime yet */
    struct cdp_op *op;           /* that launched it; NULL: the host did */
    /* guarded by the device runtime's lock (driver_cdp.c) */
    uint32_t pending;        /* operations that are not done; 1 for its own blocks */
    uint32_t part;           /* by the virtual clock, of the host's launch: its own, from 1; 0: none */
    struct cdp_queue tail;   /* tail launches, which start when pending is 0 */
    struct map null_streams; /* by block, or thread: struct cdp_queue */
    struct map errors;       /* by thread: the last error of the device runtime */
};

/* Whether such a grid may be launched: its dimensions, and what the device has. */
CUresult driver_launch_check(struct driver_function *function, const struct driver_launch_request *request);
void driver_grid_run(struct driver_grid *grid); /* its blocks, not what they launch */
CUresult driver_launch_make(const struct driver_launch_request *request, struct driver_launch *out);
/* Does the tool want launches of a kernel of this name counted? */
bool driver_launch_wanted(const char *kernel, const struct event_nvtx *nvtx);
/* When it is queued: its number in the process, and whether the tool wants it counted and checked. */
void driver_launch_number(struct driver_launch *launch);

/* ---- driver_contents.c: a launch is over; a tool that compares schedules looks at memory. */
void driver_contents_tell(const struct event_launch *launch, const struct driver_context *context);

/* ---- driver_detail.c */
/* With a tool that asks for ACCESS probes: what the device holds of the grid; false: it is not
 * simulated in detail. Then,
 * described, whether the tool wants it. */
bool driver_detail_prepare(struct driver_grid *grid, struct engine_launch *run);
/* How often its blocks fill the device's places for such, below 1 in part. 0 without a virtual clock. */
double driver_detail_share(const struct driver_launch *launch, const struct driver_device *device);
/* What warps' clocks go by, for run->timer; to be freed. NULL: they are not read, or nobody knows. */
uint64_t *driver_detail_clocks(const struct driver_grid *grid, struct engine_launch *run,
                               const struct event_launch *event);
bool driver_detail_begin(struct driver_grid *grid, struct engine_launch *run,
                         const struct event_launch *event);
#endif
