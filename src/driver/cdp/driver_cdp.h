/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA dynamic parallelism: launches from kernels. driver_cdp.c: what waits for what, and the threads that
 * run it; driver_cdp_call.c: the device runtime's functions, which kernels call; driver_cdp_copy.c: its
 * copies and fills; driver_cdp_launch.c: launches by the host. */
#ifndef DRIVER_CDP_H
#define DRIVER_CDP_H

#include "driver/clock/driver_clock.h"
#include "driver/launch/driver_launch.h"

struct cdp_op {                /* a launch, copy, fill, event record or wait, queued by a kernel */
    struct cdp_op *next;       /* in its queue */
    struct cdp_op *next_ready; /* in the list of what may run */
    struct cdp_queue *queue;   /* NULL: fire and forget */
    struct driver_grid *owner; /* the grid whose thread queued it */
    struct driver_grid *grid;  /* LAUNCH: the new grid */
    struct driver_work work;
    uint32_t needs; /* operations that must be done before, apart from its queue's */
    uint32_t refs;  /* the tree's own, and one for each event that was recorded by it */
    bool done;
    VEC(struct cdp_op *) waiters; /* each of whose needs counts this one */
    struct driver_parts after; /* by the virtual clock: what it comes after; once done, what comes after it */
};
/* The launch from the host that all else came from. */
struct tree *driver_cdp_tree_of(struct driver_grid *grid); /* made at the first call */
void driver_cdp_lock(struct tree *tree);
void driver_cdp_unlock(struct tree *tree);
/* All of these under the lock. */
struct cdp_queue *driver_cdp_queue_new(struct tree *tree, uint64_t *handle);
struct cdp_queue *driver_cdp_queue(struct tree *tree, uint64_t handle); /* NULL: no such stream */
bool driver_cdp_queue_destroy(struct tree *tree, uint64_t handle);
uint64_t driver_cdp_event_new(struct tree *tree);
bool driver_cdp_event_record(struct tree *tree, uint64_t handle, struct cdp_op *op); /* false: no such */
bool driver_cdp_event_wait(struct tree *tree, uint64_t handle, struct cdp_op *op);   /* op needs it */
bool driver_cdp_event_destroy(struct tree *tree, uint64_t handle);
struct map *driver_cdp_buffers(struct tree *tree); /* parameter buffers not launched yet, by address */
/* Is it in a parameter buffer that the grid's threads may fill? owner: struct driver_grid */
bool driver_cdp_may_access(void *owner, uint64_t address);
uint32_t driver_cdp_waiting(const struct tree *tree); /* launches that have not begun */
/* Queue it; work now belongs to the launch tree. queue: NULL for fire and forget. */
struct cdp_op *driver_cdp_op_new(struct driver_grid *owner, struct cdp_queue *queue,
                                 const struct driver_work *work);
void driver_cdp_add(struct tree *tree, struct cdp_op *op);

/* driver_cdp_clock.c: an operation begins and ends by the virtual clock, and lets another begin. */
void driver_cdp_clock_begin(struct cdp_op *op);
void driver_cdp_clock_end(struct cdp_op *op, uint32_t parts_before);
void driver_cdp_clock_let(const struct cdp_op *op, struct cdp_op *waiter);

void driver_cdp_define(void); /* what a launch that is queued does (driver_cdp_launch.c) */
/* Run what the grid's threads queued, and what that queues, to its end; the grid's own blocks have ended. */
void driver_cdp_finish(struct driver_grid *grid);

struct cdp_buffer {                   /* parameters of a launch to come */
    struct driver_function *function; /* NULL: named when it is launched */
    uint32_t grid[3], block[3], shared;
    uint64_t bytes;
    uint8_t *params;
};
void driver_device_call(struct engine_device_call *call);

struct cdp_call { /* one call of the device runtime */
    struct engine_device_call *at;
    struct driver_grid *grid;
    struct tree *tree;
};
static inline uint64_t cdp_argument(const struct cdp_call *call, unsigned index)
{
    return *(const uint64_t *)(uintptr_t)call->at->arguments[index];
}

static inline uint32_t cdp_argument32(const struct cdp_call *call, unsigned index)
{
    return *(const uint32_t *)(uintptr_t)call->at->arguments[index];
}
/* Queue work in a device stream; it is released when it cannot be queued. These answer with a cudaError_t. */
int driver_cdp_queue_work(const struct cdp_call *call, uint64_t stream, struct driver_work *work);
int driver_cdp_graph_launch(const struct cdp_call *call);
void driver_cdp_set_conditional(struct engine_device_call *at); /* needs no launch tree */
bool driver_cdp_change_node(struct engine_device_call *at);     /* likewise; false: another function */
int driver_cdp_memcpy_1d(const struct cdp_call *call);
int driver_cdp_memcpy_2d(const struct cdp_call *call);
int driver_cdp_memcpy_3d(const struct cdp_call *call);
int driver_cdp_memset_1d(const struct cdp_call *call);
int driver_cdp_memset_2d(const struct cdp_call *call);
int driver_cdp_memset_3d(const struct cdp_call *call);
#endif
