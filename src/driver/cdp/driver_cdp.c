/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA dynamic parallelism: what kernels launch, its order, and the threads that run it.
 *
 * A launch from the host that calls the device runtime gets a launch tree: all that its threads queue, and
 * what that queues in turn. A device stream is a list whose first operation may run; a fire-and-forget launch
 * may run at once; an operation may also need operations of other lists (events). A grid is done when its
 * blocks and all that they queued are; then its tail launches run, one by one; then it is done for the grid
 * that launched it. (CUDA Programming Guide, "CUDA Dynamic Parallelism": parent and child grids, streams,
 * tail launch.)
 *
 *   pending of a grid: 1 for its blocks + its operations -> 0: next tail launch, or done
 *
 * Helper threads, as many as the engine has, run operations as they come; the thread that ran the host's
 * launch runs what is left and waits for the rest, so the stream's next work starts when all is done. Under a
 * tool that counts or looks for races there are no helpers: everything runs after its parent, in the order
 * queued. Limits: threads of one launch tree do not help another.
 */
#include "driver_cdp.h"

#include "driver/core/driver_finding.h"
#include "driver/stream/driver_work.h"

#include <signal.h>
#include <stdlib.h>

enum { MOST_HELPERS = 64, FIRST_HANDLE = 0x1000 };

struct cdp_event {
    struct cdp_op *op; /* of the last record: reference; NULL: none yet */
};

struct tree {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct cdp_op *ready, *ready_end;
    uint32_t waiting; /* launches that have not begun */
    uint32_t idle, helper_count, helper_most;
    pthread_t helpers[MOST_HELPERS];
    bool over;
    struct map queues, events, buffers; /* by handle, handle, address */
    uint64_t next_handle;
};

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

static struct tree *tree_new(void)
{
    struct tree *tree = sw_xcalloc(1, sizeof *tree);
    uint32_t threads = engine_thread_count(driver.engine);
    pthread_mutex_init(&tree->lock, NULL);
    pthread_cond_init(&tree->changed, NULL);
    bool counts = driver.tool && (driver.tool->probes & EVENT_PROBE_COUNT),
         alone = counts || driver_checks(EVENT_CHECK_RACE_GLOBAL);
    tree->helper_most = alone ? 0 : threads < MOST_HELPERS ? threads : MOST_HELPERS;
    tree->next_handle = FIRST_HANDLE;
    return tree;
}

struct tree *driver_cdp_tree_of(struct driver_grid *grid)
{
    struct tree *tree = atomic_load_explicit(&grid->tree, memory_order_acquire);
    if (tree) return tree;
    pthread_mutex_lock(&making);
    tree = atomic_load(&grid->tree);
    if (!tree) {
        tree = tree_new();
        grid->pending = 1;
        atomic_store_explicit(&grid->tree, tree, memory_order_release);
    }
    pthread_mutex_unlock(&making);
    return tree;
}

void driver_cdp_lock(struct tree *tree)
{
    pthread_mutex_lock(&tree->lock);
}

void driver_cdp_unlock(struct tree *tree)
{
    pthread_mutex_unlock(&tree->lock);
}

struct map *driver_cdp_buffers(struct tree *tree)
{
    return &tree->buffers;
}

bool driver_cdp_may_access(void *owner, uint64_t address)
{
    struct driver_grid *grid = owner;
    struct tree *tree = atomic_load_explicit(&grid->tree, memory_order_acquire);
    void *value;
    bool found = false;
    if (!tree) return false;
    pthread_mutex_lock(&tree->lock);
    for (size_t i = 0; !found && map_next(&tree->buffers, &i, &value);) {
        const struct cdp_buffer *buffer = value;
        found = address - (uintptr_t)buffer->params < buffer->bytes;
    }
    pthread_mutex_unlock(&tree->lock);
    return found;
}

uint32_t driver_cdp_waiting(const struct tree *tree)
{
    return tree->waiting;
}

/* ---- operations */

struct cdp_op *driver_cdp_op_new(struct driver_grid *owner, struct cdp_queue *queue,
                                 const struct driver_work *work)
{
    struct cdp_op *op = sw_xcalloc(1, sizeof *op);
    op->owner = owner;
    op->queue = queue;
    op->work = *work;
    op->refs = 1;
    if (work->kind != DRIVER_WORK_LAUNCH) return op;
    op->grid = sw_xcalloc(1, sizeof *op->grid);
    *op->grid = (struct driver_grid){.launch = &op->work.launch,
                                     .stream = owner->stream,
                                     .graph_exec = owner->graph_exec,
                                     .may_access = owner->may_access,
                                     .tree = owner->tree,
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

static void op_unref(struct cdp_op *op)
{
    if (--op->refs) return;
    vec_release(&op->waiters);
    free(op);
}

static void *helper_main(void *argument);

static void start_helper_locked(struct tree *tree)
{
    sigset_t all, before;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, ENGINE_STACK_BYTES);
    sigfillset(&all);
    for (int i = 0; i < 4; i++)
        sigdelset(&all, (const int[]){SIGSEGV, SIGBUS, SIGFPE, SIGILL}[i]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&tree->helpers[tree->helper_count], &attributes, helper_main, tree) == 0)
        tree->helper_count++;
    else
        tree->helper_most = tree->helper_count; /* those there are, and the host's own thread, will do */
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

static bool may_run(const struct cdp_op *op)
{
    return op->needs == 0 && !op->done && (!op->queue || op->queue->head == op);
}

/* Put it in the list of what may run, if it may. */
static void offer_locked(struct tree *tree, struct cdp_op *op)
{
    if (!may_run(op)) return;
    op->next_ready = NULL;
    if (tree->ready)
        tree->ready_end->next_ready = op;
    else
        tree->ready = op;
    tree->ready_end = op;
    if (tree->idle)
        pthread_cond_signal(&tree->changed);
    else if (tree->helper_count < tree->helper_most)
        start_helper_locked(tree);
}

void driver_cdp_add(struct tree *tree, struct cdp_op *op)
{
    bool tail = op->queue == &op->owner->tail;
    tree->waiting += op->work.kind == DRIVER_WORK_LAUNCH;
    if (!tail) op->owner->pending++;
    if (op->queue) {
        if (op->queue->head)
            op->queue->tail->next = op;
        else
            op->queue->head = op;
        op->queue->tail = op;
    }
    if (!tail) offer_locked(tree, op); /* tail launches are begun by grid_count_locked */
}

/* ---- completion */

static void queue_pop_locked(struct tree *tree, struct cdp_queue *queue)
{
    queue->head = queue->head->next;
    if (queue->head)
        offer_locked(tree, queue->head);
    else if (queue->destroyed)
        free(queue);
}

/* The operation is done; returns its grid, which has one less to wait for. */
static struct driver_grid *op_end_locked(struct tree *tree, struct cdp_op *op)
{
    struct driver_grid *owner = op->owner;
    struct cdp_queue *queue = op->queue;
    op->done = true;
    for (size_t i = 0; i < op->waiters.count; i++) {
        struct cdp_op *waiter = op->waiters.at[i];
        waiter->needs--;
        driver_cdp_clock_let(op, waiter);
        offer_locked(tree, waiter);
    }
    if (op->grid) grid_release(op->grid);
    free(op->grid);
    op->grid = NULL;
    driver_work_release(&op->work);
    op->work.kind = DRIVER_WORK_NOTHING;
    if (queue == &owner->tail)
        queue->head = op->next;
    else if (queue)
        queue_pop_locked(tree, queue);
    op_unref(op);
    return owner;
}

/* One of the things that the grid waited for is done; and so, it may be, are the grids around it. */
static void grid_count_locked(struct tree *tree, struct driver_grid *grid)
{
    while (--grid->pending == 0) {
        if (grid->tail.head) {
            grid->pending = 1;
            offer_locked(tree, grid->tail.head);
            return;
        }
        if (!grid->op) {
            tree->over = true;
            pthread_cond_broadcast(&tree->changed);
            return;
        }
        grid = op_end_locked(tree, grid->op);
    }
}

static void op_run(struct cdp_op *op)
{
    struct driver_stream *stream = op->owner->stream;
    uint32_t parts = driver_clock_parts();
    driver_cdp_clock_begin(op);
    if (op->work.kind != DRIVER_WORK_LAUNCH)
        driver_work_run(&op->work, stream);
    else if (atomic_load(&stream->context->fault) == CUDA_SUCCESS)
        driver_grid_run(op->grid);
    driver_cdp_clock_end(op, parts);
}

/* Run the first of the operations that may; false: there is none. */
static bool run_one_locked(struct tree *tree)
{
    struct cdp_op *op = tree->ready;
    if (!op) return false;
    tree->ready = op->next_ready;
    tree->waiting -= op->work.kind == DRIVER_WORK_LAUNCH;
    pthread_mutex_unlock(&tree->lock);
    op_run(op);
    pthread_mutex_lock(&tree->lock);
    grid_count_locked(tree, op->grid ? op->grid : op_end_locked(tree, op));
    return true;
}

static void work_locked(struct tree *tree)
{
    while (!tree->over) {
        if (run_one_locked(tree)) continue;
        tree->idle++;
        pthread_cond_wait(&tree->changed, &tree->lock);
        tree->idle--;
    }
}

static void *helper_main(void *argument)
{
    struct tree *tree = argument;
    pthread_mutex_lock(&tree->lock);
    work_locked(tree);
    pthread_mutex_unlock(&tree->lock);
    return NULL;
}

static void tree_free(struct tree *tree)
{
    void *value;
    for (size_t i = 0; map_next(&tree->buffers, &i, &value);) {
        struct cdp_buffer *buffer = value;
        free(buffer->params);
        free(buffer);
    }
    for (size_t i = 0; map_next(&tree->events, &i, &value);) {
        struct cdp_event *event = value;
        if (event->op) op_unref(event->op);
        free(event);
    }
    free_values(&tree->queues);
    map_release(&tree->buffers);
    map_release(&tree->events);
    pthread_mutex_destroy(&tree->lock);
    pthread_cond_destroy(&tree->changed);
    free(tree);
}

void driver_cdp_finish(struct driver_grid *grid)
{
    struct tree *tree = atomic_load(&grid->tree);
    if (!tree) return;
    pthread_mutex_lock(&tree->lock);
    grid_count_locked(tree, grid);
    work_locked(tree);
    pthread_mutex_unlock(&tree->lock);
    for (uint32_t i = 0; i < tree->helper_count; i++)
        pthread_join(tree->helpers[i], NULL);
    grid_release(grid);
    tree_free(tree);
}

/* ---- streams and events */

struct cdp_queue *driver_cdp_queue_new(struct tree *tree, uint64_t *handle)
{
    struct cdp_queue *queue = sw_xcalloc(1, sizeof *queue);
    *handle = tree->next_handle++;
    map_set_u64(&tree->queues, *handle, queue);
    return queue;
}

struct cdp_queue *driver_cdp_queue(struct tree *tree, uint64_t handle)
{
    return map_get_u64(&tree->queues, handle);
}

bool driver_cdp_queue_destroy(struct tree *tree, uint64_t handle)
{
    struct cdp_queue *queue = map_get_u64(&tree->queues, handle);
    if (!queue) return false;
    map_remove_u64(&tree->queues, handle);
    queue->destroyed = true;
    if (!queue->head) free(queue);
    return true;
}

uint64_t driver_cdp_event_new(struct tree *tree)
{
    uint64_t handle = tree->next_handle++;
    map_set_u64(&tree->events, handle, sw_xcalloc(1, sizeof(struct cdp_event)));
    return handle;
}

bool driver_cdp_event_record(struct tree *tree, uint64_t handle, struct cdp_op *op)
{
    struct cdp_event *event = map_get_u64(&tree->events, handle);
    if (!event) return false;
    if (event->op) op_unref(event->op);
    event->op = op;
    op->refs++;
    return true;
}

bool driver_cdp_event_wait(struct tree *tree, uint64_t handle, struct cdp_op *op)
{
    struct cdp_event *event = map_get_u64(&tree->events, handle);
    if (!event) return false;
    if (!event->op || event->op->done) return true;
    op->needs++;
    *vec_push(&event->op->waiters) = op;
    return true;
}

bool driver_cdp_event_destroy(struct tree *tree, uint64_t handle)
{
    struct cdp_event *event = map_get_u64(&tree->events, handle);
    if (!event) return false;
    map_remove_u64(&tree->events, handle);
    if (event->op) op_unref(event->op);
    free(event);
    return true;
}
