/* SPDX-License-Identifier: Apache-2.0 */
/* What kernels launch: its order, and the threads that run it.
 *
 * A launch from the host that calls the device runtime gets a nest: all that its threads queue, and what that
 * queues in turn. A device stream is a list whose first operation may run; a fire-and-forget launch may run
 * at once; an operation may also need operations of other lists (events). A grid is done when its blocks and
 * all that they queued are; then its tail launches run, one by one; then it is done for the grid that
 * launched it. (CUDA Programming Guide, "CUDA Dynamic Parallelism": parent and child grids, streams, tail
 * launch.)
 *
 *   pending of a grid: 1 for its blocks + its operations -> 0: next tail launch, or done
 *
 * Helper threads, as many as the engine has, run operations as they come; the thread that ran the host's
 * launch runs what is left and waits for the rest, so the stream's next work starts when all is done. Under a
 * tool that counts there are no helpers: everything runs after its parent, in the order queued. Limits:
 * threads of one nest do not help another.
 */
#include "driver_nest.h"

#include "driver/stream/driver_work.h"

#include <signal.h>
#include <stdlib.h>

enum { MOST_HELPERS = 64, FIRST_HANDLE = 0x1000 };

struct nest_event {
    struct nest_op *op; /* of the last record: reference; NULL: none yet */
};

struct nest {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct nest_op *ready, *ready_end;
    uint32_t waiting; /* launches that have not begun */
    uint32_t idle, helper_count, helper_most;
    pthread_t helpers[MOST_HELPERS];
    bool over;
    struct map queues, events, buffers; /* by handle, handle, address */
    uint64_t next_handle;
};

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

static struct nest *nest_new(void)
{
    struct nest *nest = sw_xcalloc(1, sizeof *nest);
    uint32_t threads = engine_thread_count(driver.engine);
    pthread_mutex_init(&nest->lock, NULL);
    pthread_cond_init(&nest->changed, NULL);
    bool counts = driver.tool && (driver.tool->probes & EVENT_PROBE_COUNT);
    nest->helper_most = counts ? 0 : threads < MOST_HELPERS ? threads : MOST_HELPERS;
    nest->next_handle = FIRST_HANDLE;
    return nest;
}

struct nest *driver_nest_of(struct driver_grid *grid)
{
    struct nest *nest = atomic_load_explicit(&grid->nest, memory_order_acquire);
    if (nest) return nest;
    pthread_mutex_lock(&making);
    nest = atomic_load(&grid->nest);
    if (!nest) {
        nest = nest_new();
        grid->pending = 1;
        atomic_store_explicit(&grid->nest, nest, memory_order_release);
    }
    pthread_mutex_unlock(&making);
    return nest;
}

void driver_nest_lock(struct nest *nest)
{
    pthread_mutex_lock(&nest->lock);
}

void driver_nest_unlock(struct nest *nest)
{
    pthread_mutex_unlock(&nest->lock);
}

struct map *driver_nest_buffers(struct nest *nest)
{
    return &nest->buffers;
}

bool driver_nest_lends(void *owner, uint64_t address)
{
    struct driver_grid *grid = owner;
    struct nest *nest = atomic_load_explicit(&grid->nest, memory_order_acquire);
    void *value;
    bool found = false;
    if (!nest) return false;
    pthread_mutex_lock(&nest->lock);
    for (size_t i = 0; !found && map_next(&nest->buffers, &i, &value);) {
        const struct nest_buffer *buffer = value;
        found = address - (uintptr_t)buffer->params < buffer->bytes;
    }
    pthread_mutex_unlock(&nest->lock);
    return found;
}

uint32_t driver_nest_waiting(const struct nest *nest)
{
    return nest->waiting;
}

/* ---- operations */

struct nest_op *driver_nest_op_new(struct driver_grid *owner, struct nest_queue *queue,
                                   const struct driver_work *work)
{
    struct nest_op *op = sw_xcalloc(1, sizeof *op);
    op->owner = owner;
    op->queue = queue;
    op->work = *work;
    op->refs = 1;
    if (work->kind != DRIVER_WORK_LAUNCH) return op;
    op->grid = sw_xcalloc(1, sizeof *op->grid);
    *op->grid = (struct driver_grid){.launch = &op->work.launch,
                                     .stream = owner->stream,
                                     .graph_exec = owner->graph_exec,
                                     .lends = owner->lends,
                                     .nest = owner->nest,
                                     .op = op,
                                     .pending = 1};
    return op;
}

static void free_values(struct map *map)
{
    void *value;
    for (size_t i = 0; map_next(map, &i, &value);)
        free(value);
    map_release(map);
}

static void grid_release(struct driver_grid *grid)
{
    free_values(&grid->null_streams);
    map_release(&grid->errors);
}

static void op_unref(struct nest_op *op)
{
    if (--op->refs) return;
    vec_release(&op->waiters);
    free(op);
}

static void *helper_main(void *argument);

static void start_helper_locked(struct nest *nest)
{
    sigset_t all, before;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, ENGINE_STACK_BYTES);
    sigfillset(&all);
    for (int i = 0; i < 4; i++)
        sigdelset(&all, (const int[]){SIGSEGV, SIGBUS, SIGFPE, SIGILL}[i]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&nest->helpers[nest->helper_count], &attributes, helper_main, nest) == 0)
        nest->helper_count++;
    else
        nest->helper_most = nest->helper_count; /* those there are, and the host's own thread, will do */
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

static bool may_run(const struct nest_op *op)
{
    return op->needs == 0 && !op->done && (!op->queue || op->queue->head == op);
}

/* Put it in the list of what may run, if it may. */
static void offer_locked(struct nest *nest, struct nest_op *op)
{
    if (!may_run(op)) return;
    op->next_ready = NULL;
    if (nest->ready)
        nest->ready_end->next_ready = op;
    else
        nest->ready = op;
    nest->ready_end = op;
    if (nest->idle)
        pthread_cond_signal(&nest->changed);
    else if (nest->helper_count < nest->helper_most)
        start_helper_locked(nest);
}

void driver_nest_add(struct nest *nest, struct nest_op *op)
{
    bool tail = op->queue == &op->owner->tail;
    nest->waiting += op->work.kind == DRIVER_WORK_LAUNCH;
    if (!tail) op->owner->pending++;
    if (op->queue) {
        if (op->queue->head)
            op->queue->tail->next = op;
        else
            op->queue->head = op;
        op->queue->tail = op;
    }
    if (!tail) offer_locked(nest, op); /* tail launches are begun by grid_count_locked */
}

/* ---- completion */

static void queue_pop_locked(struct nest *nest, struct nest_queue *queue)
{
    queue->head = queue->head->next;
    if (queue->head)
        offer_locked(nest, queue->head);
    else if (queue->destroyed)
        free(queue);
}

/* The operation is done; returns its grid, which has one less to wait for. */
static struct driver_grid *op_end_locked(struct nest *nest, struct nest_op *op)
{
    struct driver_grid *owner = op->owner;
    struct nest_queue *queue = op->queue;
    op->done = true;
    for (size_t i = 0; i < op->waiters.count; i++) {
        struct nest_op *waiter = op->waiters.at[i];
        waiter->needs--;
        driver_nest_clock_let(op, waiter);
        offer_locked(nest, waiter);
    }
    if (op->grid) grid_release(op->grid);
    free(op->grid);
    op->grid = NULL;
    driver_work_release(&op->work);
    op->work.kind = DRIVER_WORK_NOTHING;
    if (queue == &owner->tail)
        queue->head = op->next;
    else if (queue)
        queue_pop_locked(nest, queue);
    op_unref(op);
    return owner;
}

/* One of the things that the grid waited for is done; and so, it may be, are the grids around it. */
static void grid_count_locked(struct nest *nest, struct driver_grid *grid)
{
    while (--grid->pending == 0) {
        if (grid->tail.head) {
            grid->pending = 1;
            offer_locked(nest, grid->tail.head);
            return;
        }
        if (!grid->op) {
            nest->over = true;
            pthread_cond_broadcast(&nest->changed);
            return;
        }
        grid = op_end_locked(nest, grid->op);
    }
}

static void op_run(struct nest_op *op)
{
    struct driver_stream *stream = op->owner->stream;
    uint32_t parts = driver_clock_parts();
    driver_nest_clock_begin(op);
    if (op->work.kind != DRIVER_WORK_LAUNCH)
        driver_work_run(&op->work, stream);
    else if (atomic_load(&stream->context->fault) == CUDA_SUCCESS)
        driver_grid_run(op->grid);
    driver_nest_clock_end(op, parts);
}

/* Run the first of the operations that may; false: there is none. */
static bool run_one_locked(struct nest *nest)
{
    struct nest_op *op = nest->ready;
    if (!op) return false;
    nest->ready = op->next_ready;
    nest->waiting -= op->work.kind == DRIVER_WORK_LAUNCH;
    pthread_mutex_unlock(&nest->lock);
    op_run(op);
    pthread_mutex_lock(&nest->lock);
    grid_count_locked(nest, op->grid ? op->grid : op_end_locked(nest, op));
    return true;
}

static void work_locked(struct nest *nest)
{
    while (!nest->over) {
        if (run_one_locked(nest)) continue;
        nest->idle++;
        pthread_cond_wait(&nest->changed, &nest->lock);
        nest->idle--;
    }
}

static void *helper_main(void *argument)
{
    struct nest *nest = argument;
    pthread_mutex_lock(&nest->lock);
    work_locked(nest);
    pthread_mutex_unlock(&nest->lock);
    return NULL;
}

static void nest_free(struct nest *nest)
{
    void *value;
    for (size_t i = 0; map_next(&nest->buffers, &i, &value);) {
        struct nest_buffer *buffer = value;
        free(buffer->params);
        free(buffer);
    }
    for (size_t i = 0; map_next(&nest->events, &i, &value);) {
        struct nest_event *event = value;
        if (event->op) op_unref(event->op);
        free(event);
    }
    free_values(&nest->queues);
    map_release(&nest->buffers);
    map_release(&nest->events);
    pthread_mutex_destroy(&nest->lock);
    pthread_cond_destroy(&nest->changed);
    free(nest);
}

void driver_nest_finish(struct driver_grid *grid)
{
    struct nest *nest = atomic_load(&grid->nest);
    if (!nest) return;
    pthread_mutex_lock(&nest->lock);
    grid_count_locked(nest, grid);
    work_locked(nest);
    pthread_mutex_unlock(&nest->lock);
    for (uint32_t i = 0; i < nest->helper_count; i++)
        pthread_join(nest->helpers[i], NULL);
    grid_release(grid);
    nest_free(nest);
}

/* ---- streams and events */

struct nest_queue *driver_nest_queue_new(struct nest *nest, uint64_t *handle)
{
    struct nest_queue *queue = sw_xcalloc(1, sizeof *queue);
    *handle = nest->next_handle++;
    map_set_u64(&nest->queues, *handle, queue);
    return queue;
}

struct nest_queue *driver_nest_queue(struct nest *nest, uint64_t handle)
{
    return map_get_u64(&nest->queues, handle);
}

bool driver_nest_queue_destroy(struct nest *nest, uint64_t handle)
{
    struct nest_queue *queue = map_get_u64(&nest->queues, handle);
    if (!queue) return false;
    map_remove_u64(&nest->queues, handle);
    queue->destroyed = true;
    if (!queue->head) free(queue);
    return true;
}

uint64_t driver_nest_event_new(struct nest *nest)
{
    uint64_t handle = nest->next_handle++;
    map_set_u64(&nest->events, handle, sw_xcalloc(1, sizeof(struct nest_event)));
    return handle;
}

bool driver_nest_event_record(struct nest *nest, uint64_t handle, struct nest_op *op)
{
    struct nest_event *event = map_get_u64(&nest->events, handle);
    if (!event) return false;
    if (event->op) op_unref(event->op);
    event->op = op;
    op->refs++;
    return true;
}

bool driver_nest_event_wait(struct nest *nest, uint64_t handle, struct nest_op *op)
{
    struct nest_event *event = map_get_u64(&nest->events, handle);
    if (!event) return false;
    if (!event->op || event->op->done) return true;
    op->needs++;
    *vec_push(&event->op->waiters) = op;
    return true;
}

bool driver_nest_event_destroy(struct nest *nest, uint64_t handle)
{
    struct nest_event *event = map_get_u64(&nest->events, handle);
    if (!event) return false;
    map_remove_u64(&nest->events, handle);
    if (event->op) op_unref(event->op);
    free(event);
    return true;
}
