/* SPDX-License-Identifier: Apache-2.0 */
/* The virtual clock, as far as the driver knows it: what waits for what, and what the host waits for. How
 * long things take is the tool's to say (struct event_clock); without such a tool nothing here costs
 * anything.
 *
 * Every queue entry has a moment. It is known when the entry has really run, and then has parts: the copies
 * and launches that it turned out to be. Moments get their places one by one in the order in which the
 * program asked for them, so that places do not depend on which entry was done first in reality. Each host
 * thread has a time of its own, which calls move by what they cost and waits to the end of what they waited
 * for.
 *
 *   asked (host's time) -> known (it has run) -> placed (all asked before are; start and end are the device's
 * time)
 *
 * An answer may need a moment whose turn has not come because an earlier one still runs. It is waited for;
 * but an earlier entry may wait for this very host, as a kernel does that polls a flag. So who has waited for
 * PATIENCE_NS of real time passes over what can wait for the host (host functions, waits for values,
 * kernels), which is placed when it is known. Limits: places after that depend on real time; what host
 * threads do to each other is not seen, so a program with several that enqueue is not promised the same times
 * twice; streams that were destroyed are not waited for by whole-context waits. */
#include "driver_priv.h"

#include <stdlib.h>
#include <string.h>

#define PATIENCE_NS UINT64_C(2000000000)

struct part {
    struct event_work work;
    struct event_operation *operation; /* given to the tool when placed; malloc'ed; NULL: none */
    uint64_t launch;
};
struct driver_moment {
    struct driver_moment *next; /* in the order asked, until placed */
    unsigned refs;
    uint64_t asked_ns, submitted_ns, end_ns;
    bool known, placed, passed_over;
    bool may_wait;                     /* for this very host */
    VEC(struct driver_moment *) needs; /* references, until placed */
    VEC(struct part) parts;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* inside the scheduler's, outside the tool's */
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct driver_moment *first, **end = &first;
static uint64_t latest_host_ns; /* of all threads: where a new one begins */
static _Thread_local uint64_t host_ns;
static _Thread_local bool has_time;
static _Thread_local struct driver_moment *running; /* the entry that this thread runs */

bool driver_clock_is_virtual(void)
{
    return driver.tool && driver.tool->clock;
}

/* ---- moments; under the lock */

static void unref_locked(struct driver_moment *moment)
{
    if (!moment || --moment->refs) return;
    vec_release(&moment->needs);
    vec_release(&moment->parts);
    free(moment);
}

struct driver_moment *driver_moment_get(struct driver_moment *moment)
{
    pthread_mutex_lock(&lock);
    moment->refs++;
    pthread_mutex_unlock(&lock);
    return moment;
}

void driver_moment_put(struct driver_moment *moment)
{
    if (!moment) return;
    pthread_mutex_lock(&lock);
    unref_locked(moment);
    pthread_mutex_unlock(&lock);
}

static uint64_t place_part_locked(const struct driver_moment *moment, struct part *part, uint64_t after_ns)
{
    const struct event_tool *tool = driver.tool;
    uint64_t start_ns, end_ns;
    pthread_mutex_lock(&driver.tool_lock);
    tool->clock->place(tool->clock->user, &part->work, moment->asked_ns, after_ns, &start_ns, &end_ns);
    if (part->operation) {
        part->operation->start_ns = start_ns;
        part->operation->end_ns = end_ns;
        if (tool->operation) tool->operation(tool->user, part->operation);
    } else if (part->work.kind == EVENT_WORK_LAUNCH && tool->launch_placed) {
        tool->launch_placed(tool->user, part->launch, start_ns, end_ns);
    }
    pthread_mutex_unlock(&driver.tool_lock);
    free(part->operation);
    return end_ns;
}

static void place_locked(struct driver_moment *moment)
{
    uint64_t after_ns = 0;
    for (size_t i = 0; i < moment->needs.count; i++) {
        if (moment->needs.at[i]->end_ns > after_ns) after_ns = moment->needs.at[i]->end_ns;
        unref_locked(moment->needs.at[i]);
    }
    moment->needs.count = 0;
    moment->end_ns = after_ns > moment->submitted_ns ? after_ns : moment->submitted_ns;
    for (size_t i = 0; i < moment->parts.count; i++) {
        after_ns = place_part_locked(moment, &moment->parts.at[i], after_ns);
        if (after_ns > moment->end_ns) moment->end_ns = after_ns;
    }
    moment->parts.count = 0;
    moment->placed = true;
}

static bool needs_are_placed(const struct driver_moment *moment)
{
    for (size_t i = 0; i < moment->needs.count; i++)
        if (!moment->needs.at[i]->placed) return false;
    return true;
}

/* All whose turn it is. One that waits for what was passed over is passed over, too. */
static void advance_locked(void)
{
    bool any = false;
    for (struct driver_moment **at = &first, *moment; (moment = *at);) {
        bool free_to = needs_are_placed(moment);
        if (moment->known && free_to) {
            place_locked(moment);
            any = true;
            *at = moment->next;
            if (!*at) end = at;
            unref_locked(moment);
        } else if (moment->passed_over || !free_to) {
            at = &moment->next;
        } else {
            break;
        }
    }
    if (any) pthread_cond_broadcast(&changed);
}

/* ---- the host's time */

static uint64_t host_now(void)
{
    if (!has_time) {
        pthread_mutex_lock(&lock);
        host_ns = latest_host_ns;
        pthread_mutex_unlock(&lock);
        has_time = true;
    }
    return host_ns;
}

static void host_set(uint64_t ns)
{
    if (ns <= host_now()) return;
    host_ns = ns;
    pthread_mutex_lock(&lock);
    if (ns > latest_host_ns) latest_host_ns = ns;
    pthread_mutex_unlock(&lock);
}

uint64_t driver_clock_ns(void)
{
    return driver_clock_is_virtual() ? host_now() : driver_now_ns();
}

static uint64_t cost_of(const struct driver_context *context, enum event_call call, uint64_t bytes)
{
    const struct event_clock *clock = driver.tool->clock;
    const struct driver_device *device = context ? context->device : &driver.devices[0];
    pthread_mutex_lock(&driver.tool_lock);
    uint64_t ns = clock->call(clock->user, device->gpu.origin, call, bytes);
    pthread_mutex_unlock(&driver.tool_lock);
    return ns;
}

void driver_clock_call(const struct driver_context *context, enum event_call call, uint64_t bytes)
{
    if (!driver_clock_is_virtual()) return;
    uint64_t begin_ns = host_now();
    host_set(begin_ns + cost_of(context, call, bytes));
    driver_operation_call(begin_ns, host_ns);
}

/* ---- asking */

static bool may_wait(const struct driver_work *work)
{
    if (work->kind == DRIVER_WORK_LAUNCH) return engine_kernel_waits(work->launch.function->kernel);
    return work->kind != DRIVER_WORK_NOTHING && work->kind != DRIVER_WORK_COPY &&
           work->kind != DRIVER_WORK_FILL && work->kind != DRIVER_WORK_RECORD &&
           work->kind != DRIVER_WORK_RELEASE;
}

struct driver_moment *driver_clock_ask(const struct driver_stream *stream, const struct driver_work *work)
{
    if (!driver_clock_is_virtual() || !stream->context) return NULL;
    struct driver_moment *moment = sw_xcalloc(1, sizeof *moment);
    moment->may_wait = may_wait(work);
    moment->asked_ns = host_now();
    moment->submitted_ns = moment->asked_ns + cost_of(stream->context, EVENT_CALL_SUBMIT, 0);
    moment->refs = 1; /* the entry's */
    return moment;
}

static struct driver_moment **place_of(const struct driver_stream *stream, uint64_t seq)
{
    return stream->moments ? &stream->moments[seq % DRIVER_MOMENTS] : NULL;
}

/* What is older than the queue is long has ended before the host could ask for more. */
void driver_clock_need_locked(struct driver_moment *moment, const struct driver_stream *stream, uint64_t seq)
{
    struct driver_moment **place = place_of(stream, seq);
    if (!moment || !place || !*place || seq == 0 || seq + DRIVER_MOMENTS <= atomic_load(&stream->issued))
        return;
    pthread_mutex_lock(&lock);
    (*place)->refs++;
    *vec_push(&moment->needs) = *place;
    pthread_mutex_unlock(&lock);
}

void driver_clock_add_locked(struct driver_moment *moment, struct driver_stream *stream, uint64_t seq)
{
    if (!moment) return;
    driver_clock_need_locked(moment, stream, seq - 1);
    if (!stream->moments) stream->moments = sw_xcalloc(DRIVER_MOMENTS, sizeof(struct driver_moment *));
    struct driver_moment **place = place_of(stream, seq);
    pthread_mutex_lock(&lock);
    unref_locked(*place);
    *place = moment;
    moment->refs += 2; /* the stream's and the list's */
    *end = moment;
    end = &moment->next;
    pthread_mutex_unlock(&lock);
}

struct driver_moment *driver_clock_moment(const struct driver_stream *stream, uint64_t seq)
{
    struct driver_moment **place = driver_clock_is_virtual() ? place_of(stream, seq) : NULL;
    if (!place || !seq || seq + DRIVER_MOMENTS <= atomic_load(&stream->issued)) return NULL;
    pthread_mutex_lock(&lock);
    struct driver_moment *moment = *place;
    if (moment) moment->refs++;
    pthread_mutex_unlock(&lock);
    return moment;
}

void driver_clock_forget_stream(struct driver_stream *stream)
{
    if (!stream->moments) return;
    for (unsigned i = 0; i < DRIVER_MOMENTS; i++)
        driver_moment_put(stream->moments[i]);
    free(stream->moments);
}

/* ---- running */

void driver_clock_begin(struct driver_moment *moment)
{
    running = moment;
}

void driver_clock_done(struct driver_moment *moment)
{
    running = NULL;
    if (!moment) return;
    pthread_mutex_lock(&lock);
    moment->known = true;
    advance_locked();
    unref_locked(moment);
    pthread_mutex_unlock(&lock);
}

static bool add_part(const struct part *part)
{
    if (!running) return false;
    pthread_mutex_lock(&lock);
    *vec_push(&running->parts) = *part;
    pthread_mutex_unlock(&lock);
    return true;
}

static struct event_work work_on(const struct driver_stream *stream, enum event_work_kind kind)
{
    const struct driver_device *device = stream->context->device;
    uint32_t ordinal = (uint32_t)device->ordinal;
    return (struct event_work){
        .kind = (uint8_t)kind, .device = ordinal, .peer = ordinal, .gpu = device->gpu.origin, .rows = 1};
}

static uint32_t device_at(uint64_t address, uint32_t otherwise)
{
    struct driver_allocation allocation;
    bool known = address && driver_memory_find(address, &allocation) && allocation.kind == VMEM_DEVICE;
    return known ? (uint32_t)allocation.device : otherwise;
}

bool driver_clock_operation(const struct driver_stream *stream, const struct event_operation *operation)
{
    static const uint8_t KINDS[] = {[EVENT_OPERATION_COPY] = EVENT_WORK_COPY,
                                    [EVENT_OPERATION_FILL] = EVENT_WORK_FILL,
                                    [EVENT_OPERATION_MIGRATE] = EVENT_WORK_MIGRATE,
                                    [EVENT_OPERATION_PREFETCH] = EVENT_WORK_PREFETCH};
    if (!running || !stream->context) return false;
    struct part part = {.work = work_on(stream, (enum event_work_kind)KINDS[operation->kind])};
    part.work.from = operation->from;
    part.work.to = operation->to;
    part.work.bytes = operation->bytes;
    part.work.rows = operation->rows;
    if (operation->from == EVENT_MEMORY_DEVICE && operation->to == EVENT_MEMORY_DEVICE) {
        part.work.device = device_at(operation->from_address, part.work.device);
        part.work.peer = device_at(operation->to_address, part.work.device);
        part.work.gpu = driver.devices[part.work.device].gpu.origin;
    }
    part.operation = sw_xmalloc(sizeof *part.operation);
    *part.operation = *operation;
    part.operation->device = part.work.device;
    part.operation->peer = part.work.peer;
    return add_part(&part);
}

void driver_clock_launch(const struct driver_stream *stream, const struct event_launch *launch, double share,
                         uint64_t least_ns)
{
    const struct event_tool *tool = driver.tool;
    if (!running || !driver_clock_is_virtual()) return;
    struct part part = {.work = work_on(stream, EVENT_WORK_LAUNCH), .launch = launch->id};
    part.work.kernel = launch->kernel->name;
    part.work.least_ns = least_ns;
    part.work.time.sm_share = share;
    pthread_mutex_lock(&driver.tool_lock);
    part.work.predicted = tool->launch_time && tool->launch_time(tool->user, launch, &part.work.time);
    pthread_mutex_unlock(&driver.tool_lock);
    add_part(&part);
}

/* ---- waiting */

/* Pass over what is first and unknown, if it may wait for us, or for what was passed over before. */
static void pass_over_locked(void)
{
    bool after_another = false;
    for (struct driver_moment *m = first; m; m = m->next) {
        after_another |= m->passed_over;
        if (m->known || m->passed_over) continue;
        m->passed_over = m->may_wait || after_another;
        break;
    }
    advance_locked();
}

/* Until it has its place, within bounds. false: it still runs, and may wait for this thread. */
static bool settle_locked(struct driver_moment *moment)
{
    uint64_t until = driver_now_ns() + PATIENCE_NS;
    while (!moment->placed && !moment->passed_over) {
        struct timespec at = {.tv_sec = (time_t)(until / 1000000000u),
                              .tv_nsec = (long)(until % 1000000000u)};
        pthread_cond_clockwait(&changed, &lock, CLOCK_MONOTONIC, &at);
        if (driver_now_ns() >= until) pass_over_locked();
    }
    return moment->placed;
}

struct driver_moment *driver_clock_running(void)
{
    return running;
}

uint64_t driver_clock_start(struct driver_moment *moment)
{
    if (!moment) return 0;
    pthread_mutex_lock(&lock);
    uint64_t ns = moment->submitted_ns;
    for (size_t i = 0; i < moment->needs.count; i++)
        if (settle_locked(moment->needs.at[i]) && moment->needs.at[i]->end_ns > ns)
            ns = moment->needs.at[i]->end_ns;
    pthread_mutex_unlock(&lock);
    return ns;
}

void driver_clock_wait(const struct driver_context *context, struct driver_moment *moment, bool notices)
{
    if (!moment) return;
    pthread_mutex_lock(&lock);
    bool settled = settle_locked(moment);
    uint64_t end_ns = settled ? moment->end_ns : 0;
    unref_locked(moment);
    pthread_mutex_unlock(&lock);
    uint64_t begin_ns = host_now();
    if (end_ns <= begin_ns) return;
    host_set(end_ns + (notices ? cost_of(context, EVENT_CALL_NOTICE, 0) : 0));
    driver_operation_call(begin_ns, host_ns);
}

void driver_clock_wait_stream(struct driver_stream *stream, uint64_t seq)
{
    driver_clock_wait(stream->context, driver_clock_moment(stream, seq), true);
}

bool driver_clock_is_over(struct driver_moment *moment)
{
    uint64_t now = host_now();
    pthread_mutex_lock(&lock);
    bool over = settle_locked(moment) && moment->end_ns <= now;
    unref_locked(moment);
    pthread_mutex_unlock(&lock);
    return over;
}

uint64_t driver_clock_end(struct driver_moment *moment)
{
    pthread_mutex_lock(&lock);
    uint64_t ns = settle_locked(moment) ? moment->end_ns : UINT64_MAX;
    unref_locked(moment);
    pthread_mutex_unlock(&lock);
    return ns;
}
