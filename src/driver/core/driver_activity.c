/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: calls and work for a profiler in this process (event_activity.h), and whose calls are told at all.
 * Method: one listener at a time, which outlives every use of it; correlation ids by thread, given to the
 * outermost call. Exported functions tell of calls while a listener or the session's tool wants them; before
 * it is known which tool that is, a session counts as one that does, so that the first call is told, too.
 * Limits: work that a thread asked for before somebody listened has id 0. */
#include "driver_activity.h"

#include "base/base.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { FLAGS = 64 }; /* libraries with a runtime of their own in one process */
static _Atomic(const struct event_activity_listener *) listener;
static pthread_mutex_t activity_lock = PTHREAD_MUTEX_INITIALIZER;
static bool *flags[FLAGS];
static unsigned flag_count;
static enum { TOOL_UNKNOWN, TOOL_WANTS_CALLS, TOOL_WANTS_NONE } tool_wish;
static atomic_uint given;
static _Thread_local uint32_t depth, current; /* calls that this thread is in; the id of the outermost */

static const struct event_activity_listener *activity_listener(void)
{
    return atomic_load_explicit(&listener, memory_order_acquire);
}

bool driver_activity_on(void)
{
    return activity_listener() != NULL;
}

uint32_t driver_activity_correlation(void)
{
    return current;
}

void driver_activity_begin(struct event_activity_call *call)
{
    const struct event_activity_listener *to = activity_listener();
    if (!to) return;
    if (depth++ == 0) current = atomic_fetch_add(&given, 1) + 1;
    call->correlation = current;
    if (to->call_begins) to->call_begins(call);
}

void driver_activity_end(const struct event_activity_call *call)
{
    const struct event_activity_listener *to = activity_listener();
    if (depth == 0) return; /* it began before somebody listened */
    struct event_activity_call with = *call;
    with.correlation = current;
    if (--depth == 0) current = 0;
    if (to && to->call_ends) to->call_ends(&with);
}

void driver_activity_operation(const struct event_operation *operation)
{
    const struct event_activity_listener *to = activity_listener();
    if (to && to->operation) to->operation(operation);
}

void driver_activity_launch(const struct event_activity_launch *launch)
{
    const struct event_activity_listener *to = activity_listener();
    if (to && to->launch) to->launch(launch);
}

void driver_activity_of(const struct event_launch *event, struct event_activity_launch *out)
{
    *out = (struct event_activity_launch){.id = event->id,
                                          .device = event->device,
                                          .context = event->context,
                                          .stream = event->stream,
                                          .dynamic_shared = event->dynamic_shared_bytes,
                                          .start_ns = event->start_ns,
                                          .end_ns = event->end_ns};
    memcpy(out->grid, event->grid, sizeof out->grid);
    memcpy(out->block, event->block, sizeof out->block);
}

const char *driver_activity_name(const char *kernel)
{
    static struct map names;
    pthread_mutex_lock(&activity_lock);
    char *kept = map_get(&names, kernel);
    if (!kept) {
        kept = sw_xstrdup(kernel);
        map_set(&names, kept, kept);
    }
    pthread_mutex_unlock(&activity_lock);
    return kept;
}

/* ---- ranges of NVTX: asked for at launches, so that a range costs nothing while it is open */

static _Atomic(event_nvtx_open_fn *) open_ranges;

void driver_activity_open_ranges(event_nvtx_open_fn *open)
{
    atomic_store_explicit(&open_ranges, open, memory_order_release);
}

const struct event_nvtx *driver_activity_nvtx(void)
{
    event_nvtx_open_fn *open = atomic_load_explicit(&open_ranges, memory_order_acquire);
    return open ? open() : NULL;
}

/* ---- who listens */

static bool are_watched_locked(void)
{
    const char *session = getenv("SOFTWARP_SESSION");
    if (driver_activity_on() || tool_wish == TOOL_WANTS_CALLS) return true;
    return tool_wish == TOOL_UNKNOWN && session && *session;
}

/* A call that began when its flag was set tells of its end all the same (base_watch.h). */
static void set_flags_locked(void)
{
    for (unsigned i = 0; i < flag_count; i++)
        __atomic_store_n(flags[i], are_watched_locked(), __ATOMIC_RELAXED);
}

void driver_activity_watch(bool *watched)
{
    pthread_mutex_lock(&activity_lock);
    if (flag_count < FLAGS) flags[flag_count++] = watched;
    __atomic_store_n(watched, are_watched_locked(), __ATOMIC_RELAXED);
    pthread_mutex_unlock(&activity_lock);
}

void driver_activity_refresh(void)
{
    pthread_mutex_lock(&activity_lock);
    set_flags_locked();
    pthread_mutex_unlock(&activity_lock);
}

void driver_activity_tool(bool wants_calls)
{
    pthread_mutex_lock(&activity_lock);
    tool_wish = wants_calls ? TOOL_WANTS_CALLS : TOOL_WANTS_NONE;
    set_flags_locked();
    pthread_mutex_unlock(&activity_lock);
}

void driver_activity_listen(const struct event_activity_listener *to)
{
    pthread_mutex_lock(&activity_lock);
    atomic_store_explicit(&listener, to, memory_order_release);
    set_flags_locked();
    pthread_mutex_unlock(&activity_lock);
}

const void *driver_activity_symbol(const char *name)
{
    static const struct event_activity_watch WATCH = {driver_activity_watch, driver_activity_begin,
                                                      driver_activity_end};
    return strcmp(name, EVENT_ACTIVITY_WATCH_SYMBOL) == 0 ? &WATCH : NULL;
}
