/* SPDX-License-Identifier: Apache-2.0 */
/* The scheduler: queues, and the worker threads that empty them.
 *
 * A stream is a queue whose entries are numbered; `completed` is the number of the last one done. An entry
 * may depend on (stream, number) pairs; it is ready when it heads its queue and all of them are completed.
 * Every ordering rule of CUDA is such a pair: an event waited for is the pair at which it was recorded; an
 * entry of the legacy default stream depends on the last entry of every blocking stream of its context, and
 * theirs on the last of the legacy stream.
 *
 * Workers are made when ready work finds none idle, at most 128 (as many grids as a GPU runs at once), and
 * stay; one that runs a kernel which waits for another stream or for the host holds up nobody else. A thread
 * that waits for a stream does cheap ready work of that stream itself, which saves two thread switches on
 * every small copy. One lock guards it all: entries are milliseconds, not nanoseconds. */
#include "driver_priv.h"

#include <stdlib.h>
#include <time.h>

enum { MAX_WORKERS = 128, SMALL_STACK = 8 << 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work_ready = PTHREAD_COND_INITIALIZER, work_done = PTHREAD_COND_INITIALIZER;
static struct driver_stream *first_active; /* streams with entries, oldest first */
static unsigned workers, idle;

uint64_t driver_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- queues, under the lock */

static bool ready_locked(const struct driver_stream *stream)
{
    if (stream->running || !stream->head) return false;
    const struct driver_op *op = stream->head;
    for (uint32_t i = 0; i < op->dependency_count; i++)
        if (op->dependencies[i].stream->completed < op->dependencies[i].seq) return false;
    return true;
}

static void activate_locked(struct driver_stream *stream)
{
    if (stream->active) return;
    driver_object_ref(&stream->object);
    stream->active = true;
    stream->next_active = NULL;
    struct driver_stream **end = &first_active;
    while (*end)
        end = &(*end)->next_active;
    *end = stream;
}

/* Take an empty stream out of the list; the caller drops the list's reference without the lock. */
static void deactivate_locked(struct driver_stream *stream)
{
    struct driver_stream **at = &first_active;
    while (*at != stream)
        at = &(*at)->next_active;
    *at = stream->next_active;
    stream->active = false;
}

static struct driver_stream *pick_locked(void)
{
    struct driver_stream *best = NULL;
    for (struct driver_stream *s = first_active; s; s = s->next_active)
        if (ready_locked(s) && (!best || s->priority < best->priority)) best = s;
    return best;
}

static void *worker_main(void *unused);

/* Called whenever something became ready, and by each worker that takes work: a worker that was signalled but
 * does not run yet still counts as idle, so the one that takes work looks again for what is left. */
static void wake_locked(void)
{
    unsigned ready = 0;
    for (struct driver_stream *s = first_active; s; s = s->next_active)
        ready += ready_locked(s);
    unsigned woken = ready < idle ? ready : idle;
    for (unsigned i = 0; i < woken; i++)
        pthread_cond_signal(&work_ready);
    for (ready -= woken; ready && workers < MAX_WORKERS; ready--) {
        pthread_t thread;
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        pthread_attr_setstacksize(&attributes, ENGINE_STACK_BYTES);
        int failed = pthread_create(&thread, &attributes, worker_main, NULL);
        if (failed) { /* no address space for so large a stack */
            pthread_attr_setstacksize(&attributes, SMALL_STACK);
            failed = pthread_create(&thread, &attributes, worker_main, NULL);
        }
        pthread_attr_destroy(&attributes);
        if (failed && workers == 0) BUG("cannot make a worker thread");
        if (failed) return;
        workers++;
    }
}

static void op_free(struct driver_op *op)
{
    for (uint32_t i = 0; i < op->dependency_count; i++)
        driver_object_unref(&op->dependencies[i].stream->object);
    driver_work_release(&op->work);
    free(op->dependencies);
    free(op);
}

/* Run the head of a ready stream; the lock is held on entry and exit, not while it runs. */
static void run_head_locked(struct driver_stream *stream)
{
    struct driver_op *op = stream->head;
    stream->running = true;
    wake_locked();
    pthread_mutex_unlock(&lock);
    driver_work_run(&op->work, stream);
    driver_work_release(&op->work);
    op->work.kind = DRIVER_WORK_NOTHING;
    pthread_mutex_lock(&lock);
    stream->running = false;
    stream->head = op->next;
    if (!stream->head) stream->tail = NULL;
    stream->completed = op->seq;
    bool empty = !stream->head;
    if (empty) deactivate_locked(stream);
    pthread_cond_broadcast(&work_done);
    wake_locked();
    pthread_mutex_unlock(&lock);
    op_free(op);
    if (empty) driver_object_unref(&stream->object);
    pthread_mutex_lock(&lock);
}

static void *worker_main(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    for (;;) {
        struct driver_stream *stream = pick_locked();
        if (stream) {
            run_head_locked(stream);
        } else {
            idle++;
            pthread_cond_wait(&work_ready, &lock);
            idle--;
        }
    }
    return NULL;
}

/* ---- ordering */

static bool is_cheap(const struct driver_op *op)
{
    return op->work.kind == DRIVER_WORK_NOTHING || op->work.kind == DRIVER_WORK_COPY ||
           op->work.kind == DRIVER_WORK_FILL || op->work.kind == DRIVER_WORK_RECORD;
}

struct dependencies {
    VEC(struct driver_dependency) list;
};

static void depend_locked(struct dependencies *out, struct driver_stream *stream, uint64_t seq)
{
    if (stream->completed >= seq) return;
    driver_object_ref(&stream->object);
    *vec_push(&out->list) = (struct driver_dependency){stream, seq};
}

static bool is_blocking(const struct driver_stream *stream)
{
    return !stream->legacy && !(stream->flags & CU_STREAM_NON_BLOCKING);
}

static void legacy_rule_locked(struct dependencies *out, struct driver_stream *stream)
{
    struct driver_context *context = stream->context;
    if (is_blocking(stream) && context->legacy) depend_locked(out, context->legacy, context->legacy->issued);
    if (!stream->legacy) return;
    for (size_t i = 0; i < context->streams.count; i++) {
        struct driver_stream *other = context->streams.at[i];
        if (is_blocking(other)) depend_locked(out, other, other->issued);
    }
}

/* Under a tool that counts, launches run one at a time in the order of their calls: what kernels of several
 * streams do to the same memory, and so every counter, is then the same in each run. */
static void serial_rule_locked(struct dependencies *out, struct driver_stream *stream,
                               const struct driver_op *op)
{
    static struct driver_dependency last; /* the launch before: a reference */
    if (op->work.kind != DRIVER_WORK_LAUNCH || !driver.tool || !(driver.tool->probes & EVENT_PROBE_COUNT))
        return;
    if (last.stream) *vec_push(&out->list) = last;
    driver_object_ref(&stream->object);
    last = (struct driver_dependency){stream, stream->issued + 1};
}

uint64_t driver_scheduler_add(struct driver_stream *stream, const struct driver_work *work,
                              const struct driver_dependency *extra, uint32_t extra_count, bool caller_waits)
{
    struct driver_op *op = sw_xcalloc(1, sizeof *op);
    struct dependencies dependencies = {0};
    op->work = *work;
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < extra_count; i++)
        depend_locked(&dependencies, extra[i].stream, extra[i].seq);
    legacy_rule_locked(&dependencies, stream);
    serial_rule_locked(&dependencies, stream, op);
    op->dependencies = dependencies.list.at;
    op->dependency_count = (uint32_t)dependencies.list.count;
    uint64_t seq = op->seq = ++stream->issued;
    if (stream->tail)
        stream->tail->next = op;
    else
        stream->head = op;
    stream->tail = op;
    activate_locked(stream);
    if (!caller_waits || !is_cheap(op) || !ready_locked(stream)) wake_locked();
    pthread_mutex_unlock(&lock);
    return seq;
}

void driver_scheduler_attach(struct driver_stream *stream)
{
    struct driver_work nothing = {.kind = DRIVER_WORK_NOTHING};
    pthread_mutex_lock(&lock);
    *vec_push(&stream->context->streams) = stream;
    struct driver_dependency after = stream->context->after;
    if (after.stream) driver_object_ref(&after.stream->object);
    pthread_mutex_unlock(&lock);
    if (!after.stream) return;
    driver_scheduler_add(stream, &nothing, &after, 1, false);
    driver_object_unref(&after.stream->object);
}

/* The list does not hold its streams: one that is about to end is passed over. */
static bool try_ref(struct driver_stream *stream)
{
    unsigned refs = atomic_load(&stream->object.refs);
    while (refs && !atomic_compare_exchange_weak(&stream->object.refs, &refs, refs + 1)) {
    }
    return refs != 0;
}

uint32_t driver_scheduler_streams(struct driver_context *context, const struct driver_dependency *sets_after,
                                  struct driver_stream ***out)
{
    uint32_t count = 0;
    pthread_mutex_lock(&lock);
    struct driver_dependency before = context->after;
    *out = sw_xcalloc(context->streams.count + 1, sizeof **out);
    for (size_t i = 0; i < context->streams.count; i++)
        if (try_ref(context->streams.at[i])) (*out)[count++] = context->streams.at[i];
    if (sets_after) {
        context->after = *sets_after;
        if (sets_after->stream) driver_object_ref(&sets_after->stream->object);
    }
    pthread_mutex_unlock(&lock);
    if (sets_after && before.stream) driver_object_unref(&before.stream->object);
    return count;
}

void driver_scheduler_detach(struct driver_stream *stream)
{
    pthread_mutex_lock(&lock);
    struct driver_context *context = stream->context;
    for (size_t i = 0; context && i < context->streams.count; i++)
        if (context->streams.at[i] == stream)
            context->streams.at[i--] = context->streams.at[--context->streams.count];
    stream->context = NULL;
    pthread_mutex_unlock(&lock);
}

/* ---- waiting */

static void wait_locked(struct driver_stream *stream, uint64_t seq)
{
    while (stream->completed < seq) {
        if (ready_locked(stream) && is_cheap(stream->head))
            run_head_locked(stream);
        else
            pthread_cond_wait(&work_done, &lock);
    }
}

/* For the end of the process: does nothing of the work itself. */
bool driver_scheduler_wait_all_until(uint64_t deadline_ns)
{
    bool left = true;
    pthread_mutex_lock(&lock);
    while ((left = first_active != NULL) && driver_now_ns() < deadline_ns) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 100000000; /* look again every 100 ms: cond_timedwait follows another clock */
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&work_done, &lock, &until);
    }
    pthread_mutex_unlock(&lock);
    return !left;
}

void driver_scheduler_wait(struct driver_stream *stream, uint64_t seq)
{
    pthread_mutex_lock(&lock);
    wait_locked(stream, seq);
    pthread_mutex_unlock(&lock);
}

bool driver_scheduler_done(struct driver_stream *stream, uint64_t seq)
{
    pthread_mutex_lock(&lock);
    bool done = stream->completed >= seq;
    pthread_mutex_unlock(&lock);
    return done;
}

uint64_t driver_scheduler_issued(struct driver_stream *stream)
{
    pthread_mutex_lock(&lock);
    uint64_t issued = stream->issued;
    pthread_mutex_unlock(&lock);
    return issued;
}

/* Wait for what was issued so far to streams of one context, or of all (NULL). */
static void wait_active(const struct driver_context *context)
{
    struct dependencies outstanding = {0};
    pthread_mutex_lock(&lock);
    for (struct driver_stream *s = first_active; s; s = s->next_active)
        if (!context || s->context == context) depend_locked(&outstanding, s, s->issued);
    for (size_t i = 0; i < outstanding.list.count; i++)
        wait_locked(outstanding.list.at[i].stream, outstanding.list.at[i].seq);
    pthread_mutex_unlock(&lock);
    for (size_t i = 0; i < outstanding.list.count; i++)
        driver_object_unref(&outstanding.list.at[i].stream->object);
    vec_release(&outstanding.list);
}

void driver_scheduler_wait_context(struct driver_context *context)
{
    wait_active(context);
}

void driver_scheduler_wait_all(void)
{
    wait_active(NULL);
}
