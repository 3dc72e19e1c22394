/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: which queue entries the program's calls order, so that those that nothing orders can be found
 * racing. Method: each entry is a task of the engine; it comes after the entry before it in its stream, after
 * the entries that it depends on, and after all that the host had waited for when it was queued. All of that
 * follows from the calls, not from what runs first. When the host has waited for all that it queued, the
 * engine forgets it, once there are many tasks: a program that never waits takes memory for each. Limits:
 * what threads of the host do to each other is not seen, so they count as one; what a kernel launches comes
 * after its grid, and each launch after the one before. */
#include "driver_order.h"

#include "driver_known.h"
#include "driver_scheduler.h"

#include "driver/core/driver_caller.h"
#include "driver/core/driver_finding.h"
#include "driver/memory/driver_guard.h"

static uint64_t host, host_count; /* the newest task that stands for what the host knows; 0: nothing */
static bool host_is_past;         /* an entry was queued since: what the host does now is another task */
static _Thread_local uint64_t running;
struct gone {                             /* a stream that ended, until its context is waited for */
    const struct driver_context *context; /* compared only */
    uint64_t id, issued, task;            /* the stream, and its last entry */
    bool blocking;
};
static VEC(struct gone) gone;
static struct map unknown; /* by stream + 1: its last entry, where the host has not waited for that */
static uint64_t begun;     /* tasks that the engine has to remember */

static bool wanted(void)
{
    return driver.tool && driver.tool->checks & EVENT_CHECK_RACE_GLOBAL;
}

static uint64_t task_of(const struct driver_stream *stream, uint64_t seq)
{
    enum { SEQ_BITS = 40 };
    return stream->queue << SEQ_BITS | seq;
}

bool driver_order_looks(void)
{
    return wanted() && !running;
}

void driver_order_add_locked(const struct driver_stream *stream, uint64_t seq)
{
    if (!wanted()) return;
    uint64_t task = task_of(stream, seq);
    engine_order_begin(driver.engine, task);
    begun++;
    map_set_u64(&unknown, stream->queue + 1, (void *)(uintptr_t)seq);
    if (seq > 1) engine_order_after(driver.engine, task, task_of(stream, seq - 1));
    if (host) engine_order_after(driver.engine, task, host);
    host_is_past = true;
}

void driver_order_after_locked(const struct driver_stream *stream, uint64_t seq,
                               const struct driver_stream *other, uint64_t other_seq)
{
    if (!wanted() || !other_seq || other == stream) return;
    engine_order_after(driver.engine, task_of(stream, seq), task_of(other, other_seq));
    driver_known_after_locked(stream->queue, other->queue, other_seq);
}

void driver_order_gone_locked(const struct driver_stream *stream)
{
    uint64_t issued = atomic_load(&stream->issued);
    if (!wanted() || !issued) return;
    *vec_push(&gone) = (struct gone){.context = stream->context,
                                     .id = stream->queue,
                                     .issued = issued,
                                     .task = task_of(stream, issued),
                                     .blocking = !(stream->flags & CU_STREAM_NON_BLOCKING)};
}

void driver_order_after_gone_locked(const struct driver_stream *stream, uint64_t seq)
{
    for (size_t i = 0; wanted() && i < gone.count; i++) {
        if (gone.at[i].context != stream->context || !gone.at[i].blocking) continue;
        engine_order_after(driver.engine, task_of(stream, seq), gone.at[i].task);
        driver_known_after_locked(stream->queue, gone.at[i].id, gone.at[i].issued);
    }
}

static void host_begin(void)
{
    enum { HOST_BIT = 63 };
    uint64_t before = host;
    host = UINT64_C(1) << HOST_BIT | ++host_count;
    engine_order_begin(driver.engine, host);
    begun++;
    if (before) engine_order_after(driver.engine, host, before);
    host_is_past = false;
}

/* The task of what the program does on this thread. */
static uint64_t host_task(void)
{
    if (running) return running;
    pthread_mutex_lock(&driver_scheduler_lock);
    if (!host || host_is_past) host_begin();
    uint64_t task = host;
    pthread_mutex_unlock(&driver_scheduler_lock);
    return task;
}

static void waited_locked(uint64_t stream, uint64_t seq, uint64_t task)
{
    engine_order_after(driver.engine, host, task);
    driver_known_wait_locked(stream, seq);
    if ((uintptr_t)map_get_u64(&unknown, stream + 1) > seq) return;
    map_remove_u64(&unknown, stream + 1);
}

/* Where the host has waited for all that it ever queued, nothing can race with that any more. */
static void forget_past_locked(void)
{
    enum { TASKS_MOST = 1024 }; /* implementation: 0.4 KiB each, 4 KiB if each has a stream of its own */
    if (begun < TASKS_MOST || unknown.count) return;
    engine_order_forget(driver.engine);
    driver_known_forget_locked();
    vec_release(&gone);
    begun = host = 0;
    host_is_past = false;
}

void driver_order_wait_locked(const struct driver_stream *stream, uint64_t seq)
{
    if (!wanted() || !seq) return;
    host_begin();
    waited_locked(stream->queue, seq, task_of(stream, seq));
    forget_past_locked();
}

void driver_order_wait_all_locked(const struct driver_context *context)
{
    if (!wanted()) return;
    host_begin();
    for (size_t i = 0; i < context->streams.count; i++) {
        const struct driver_stream *stream = context->streams.at[i];
        uint64_t issued = atomic_load(&stream->issued);
        if (!issued) continue;
        waited_locked(stream->queue, issued, task_of(stream, issued));
    }
    for (size_t i = gone.count; i-- > 0;) {
        if (gone.at[i].context != context) continue;
        waited_locked(gone.at[i].id, gone.at[i].issued, gone.at[i].task);
        gone.at[i] = gone.at[--gone.count];
    }
    forget_past_locked();
}

/* ---- what entries access */

/* What the host itself does is an access of memory; what kernels do wrong may be anything. */
const struct driver_caller *driver_order_caller(const struct driver_work *work)
{
    uint32_t checks = EVENT_CHECK_RACE_GLOBAL | EVENT_CHECK_INIT,
             kernels = EVENT_CHECK_MEMORY | EVENT_CHECK_SYNC | EVENT_CHECK_RACE_SHARED;
    bool launches = work->kind == DRIVER_WORK_LAUNCH || work->kind == DRIVER_WORK_CHOICE ||
                    work->kind == DRIVER_WORK_ROUTINE;
    if (!driver_checks(launches ? checks | kernels : checks)) return NULL;
    return launches && work->kind != DRIVER_WORK_ROUTINE ? driver_caller_of_launch()
                                                         : driver_caller_find(NULL);
}

static struct engine_access access_of(const struct driver_work *work, uint64_t address, uint64_t bytes,
                                      bool writes)
{
    struct engine_access access = {.task = running, .address = address, .bytes = bytes, .writes = writes};
    if (work->caller) access.call = work->caller->api, access.where = work->caller->where;
    return access;
}

void driver_order_access(const struct driver_work *work, uint64_t address, uint64_t bytes, bool writes)
{
    struct engine_access access = access_of(work, address, bytes, writes);
    if (running) engine_memory_access(driver.engine, &access);
}

void driver_order_free(const struct driver_work *work, uint64_t address, uint64_t bytes)
{
    struct engine_access access = access_of(work, address, bytes, true);
    if (running) engine_memory_freed(driver.engine, &access);
}

uint64_t driver_order_running(void)
{
    return running;
}

/* ---- what the host accesses */

/* This thread runs an entry that is no function of the program's. */
static bool is_inside(void)
{
    return running && !driver_in_callback;
}

static void touched(dev_addr address, bool writes, const void *pc)
{
    const struct driver_caller *caller = driver_caller_of_access(pc);
    if (!caller) return;
    struct engine_access access = {.task = host_task(),
                                   .address = address,
                                   .bytes = 1,
                                   .writes = writes,
                                   .call = caller->api,
                                   .where = caller->where};
    engine_memory_touched(driver.engine, &access);
}

static void guards_begin(void)
{
    driver_guard_begin(touched, is_inside);
}

/* ---- entries that run */

/* What comes before a host function, or a write of the stream's own, may be known to the host from then on.
 */
static bool tells_host(const struct driver_work *work)
{
    return work->kind == DRIVER_WORK_HOST || work->kind == DRIVER_WORK_BATCH;
}

void driver_order_begin(const struct driver_work *work, const struct driver_stream *stream, uint64_t seq)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!wanted()) return;
    pthread_once(&once, guards_begin);
    running = task_of(stream, seq);
    if (!tells_host(work)) return;
    pthread_mutex_lock(&driver_scheduler_lock);
    driver_known_wait_locked(stream->queue, seq - 1);
    pthread_mutex_unlock(&driver_scheduler_lock);
}

void driver_order_end(const struct driver_work *work, const struct driver_stream *stream, uint64_t seq)
{
    if (!wanted()) return;
    driver_known_ran(work, stream, seq);
    running = 0;
}
