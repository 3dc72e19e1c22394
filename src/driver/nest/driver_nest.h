/* SPDX-License-Identifier: Apache-2.0 */
/* Launches from kernels. driver_nest.c: what waits for what, and the threads that run it; driver_nest_call.c:
 * the device runtime's functions, which kernels call; driver_nest_copy.c: its copies and fills;
 * driver_nest_launch.c: launches by the host. */
#ifndef DRIVER_NEST_H
#define DRIVER_NEST_H

#include "driver/clock/driver_clock.h"
#include "driver/launch/driver_launch.h"

struct nest_op {                /* a launch, copy, fill, event record or wait, queued by a kernel */
    struct nest_op *next;       /* in its queue */
    struct nest_op *next_ready; /* in the list of what may run */
    struct nest_queue *queue;   /* NULL: fire and forget */
    struct driver_grid *owner;  /* the grid whose thread queued it */
    struct driver_grid *grid;   /* LAUNCH: the new grid */
    struct driver_work work;
    uint32_t needs; /* operations that must be done before, apart from its queue's */
    uint32_t refs;  /* the nest's own, and one for each event that was recorded by it */
    bool done;
    VEC(struct nest_op *) waiters; /* each of whose needs counts this one */
    struct driver_parts after; /* by the virtual clock: what it comes after; once done, what comes after it */
};
/* The launch from the host that all else came from. */
struct nest *driver_nest_of(struct driver_grid *grid); /* made at the first call */
void driver_nest_lock(struct nest *nest);
void driver_nest_unlock(struct nest *nest);
/* All of these under the lock. */
struct nest_queue *driver_nest_queue_new(struct nest *nest, uint64_t *handle);
struct nest_queue *driver_nest_queue(struct nest *nest, uint64_t handle); /* NULL: no such stream */
bool driver_nest_queue_destroy(struct nest *nest, uint64_t handle);
uint64_t driver_nest_event_new(struct nest *nest);
bool driver_nest_event_record(struct nest *nest, uint64_t handle, struct nest_op *op); /* false: no such */
bool driver_nest_event_wait(struct nest *nest, uint64_t handle, struct nest_op *op);   /* op needs it */
bool driver_nest_event_destroy(struct nest *nest, uint64_t handle);
struct map *driver_nest_buffers(struct nest *nest); /* parameter buffers not launched yet, by address */
/* Is it in a parameter buffer that the grid's threads may fill? owner: struct driver_grid */
bool driver_nest_lends(void *owner, uint64_t address);
uint32_t driver_nest_waiting(const struct nest *nest); /* launches that have not begun */
/* Queue it; work now belongs to the nest. queue: NULL for fire and forget. */
struct nest_op *driver_nest_op_new(struct driver_grid *owner, struct nest_queue *queue,
                                   const struct driver_work *work);
void driver_nest_add(struct nest *nest, struct nest_op *op);

/* driver_nest_clock.c: an operation begins and ends by the virtual clock, and lets another begin. */
void driver_nest_clock_begin(struct nest_op *op);
void driver_nest_clock_end(struct nest_op *op, uint32_t parts_before);
void driver_nest_clock_let(const struct nest_op *op, struct nest_op *waiter);

void driver_nest_define(void); /* what a launch that is queued does (driver_nest_launch.c) */
/* Run what the grid's threads queued, and what that queues, to its end; the grid's own blocks have ended. */
void driver_nest_finish(struct driver_grid *grid);

struct nest_buffer {                  /* parameters of a launch to come */
    struct driver_function *function; /* NULL: named when it is launched */
    uint32_t grid[3], block[3], shared;
    uint64_t bytes;
    uint8_t *params;
};
void driver_device_call(struct engine_device_call *call);

struct nest_call { /* one call of the device runtime */
    struct engine_device_call *at;
    struct driver_grid *grid;
    struct nest *nest;
};
static inline uint64_t nest_argument(const struct nest_call *call, unsigned index)
{
    return *(const uint64_t *)(uintptr_t)call->at->arguments[index];
}

static inline uint32_t nest_argument32(const struct nest_call *call, unsigned index)
{
    return *(const uint32_t *)(uintptr_t)call->at->arguments[index];
}
/* Queue work in a device stream; it is released when it cannot be queued. These answer with a cudaError_t. */
int driver_nest_queue_work(const struct nest_call *call, uint64_t stream, struct driver_work *work);
int driver_nest_graph_launch(const struct nest_call *call);
void driver_nest_set_conditional(struct engine_device_call *at); /* needs no nest */
bool driver_nest_change_node(struct engine_device_call *at);     /* likewise; false: another function */
int driver_nest_memcpy_1d(const struct nest_call *call);
int driver_nest_memcpy_2d(const struct nest_call *call);
int driver_nest_memcpy_3d(const struct nest_call *call);
int driver_nest_memset_1d(const struct nest_call *call);
int driver_nest_memset_2d(const struct nest_call *call);
int driver_nest_memset_3d(const struct nest_call *call);
#endif
