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
#include "driver_managed.h"
#include "driver_moment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t latest_host_ns; /* of all threads: where a new one begins */
static _Thread_local uint64_t host_ns;
static _Thread_local uint64_t waited_ns; /* end of what the thread waited for last */
static _Thread_local bool has_time;
static _Thread_local struct driver_moment *running; /* the entry that this thread runs */

/* ---- the host's time */

static uint64_t host_now(void)
{
    if (!has_time) {
        driver_moments_lock();
        host_ns = latest_host_ns;
        driver_moments_unlock();
        has_time = true;
    }
    return host_ns;
}

static void host_set(uint64_t ns)
{
    if (ns <= host_now()) return;
    host_ns = ns;
    driver_moments_lock();
    if (ns > latest_host_ns) latest_host_ns = ns;
    driver_moments_unlock();
}

uint64_t driver_clock_ns(void)
{
    return driver_clock_is_virtual() ? host_now() : driver_now_ns();
}

bool driver_clock_notice(uint64_t end_ns)
{
    driver_moments_lock();
    bool over = end_ns <= latest_host_ns;
    driver_moments_unlock();
    if (over) host_set(end_ns);
    return over;
}

void driver_clock_call(const struct driver_context *context, enum event_call call, uint64_t bytes)
{
    if (!driver_clock_is_virtual()) return;
    host_set(host_now() + driver_managed_host()); /* what the program did before the call */
    uint64_t begin_ns = host_now();
    host_set(begin_ns + driver_clock_cost(context, call, bytes));
    driver_operation_call(begin_ns, host_ns);
}

/* ---- asking */

static bool may_wait(const struct driver_work *work)
{
    if (work->kind == DRIVER_WORK_LAUNCH) return engine_kernel_waits(work->launch.kernel);
    return work->kind != DRIVER_WORK_NOTHING && work->kind != DRIVER_WORK_COPY &&
           work->kind != DRIVER_WORK_FILL && work->kind != DRIVER_WORK_RECORD &&
           work->kind != DRIVER_WORK_RELEASE;
}

struct driver_moment *driver_clock_ask(const struct driver_stream *stream, const struct driver_work *work)
{
    if (!driver_clock_is_virtual() || !stream->context) return NULL;
    host_set(host_now() + driver_managed_asked(work));
    struct driver_moment *moment = sw_xcalloc(1, sizeof *moment);
    moment->may_wait = may_wait(work);
    moment->asked_ns = host_now();
    moment->waited_ns = waited_ns;
    moment->host = work->kind == DRIVER_WORK_HOST;
    moment->context = stream->context;
    moment->device = stream->context->device->ordinal;
    moment->submitted_ns = moment->asked_ns + driver_clock_cost(stream->context, EVENT_CALL_SUBMIT, 0);
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
    driver_moments_lock();
    (*place)->refs++;
    *vec_push(&moment->needs) = *place;
    driver_moments_unlock();
}

void driver_clock_add_locked(struct driver_moment *moment, struct driver_stream *stream, uint64_t seq)
{
    if (!moment) return;
    struct driver_moment *before = NULL;
    size_t others = moment->needs.count;
    driver_clock_need_locked(moment, stream, seq - 1);
    if (moment->needs.count > others) before = moment->needs.at[others];
    if (!stream->moments) stream->moments = sw_xcalloc(DRIVER_MOMENTS, sizeof(struct driver_moment *));
    struct driver_moment **place = place_of(stream, seq);
    driver_moments_lock();
    driver_moment_unref_locked(*place);
    *place = moment;
    moment->refs++; /* the stream's */
    driver_moment_list_locked(moment);
    moment->before = before;
    driver_moments_unlock();
}

struct driver_moment *driver_clock_moment(const struct driver_stream *stream, uint64_t seq)
{
    struct driver_moment **place = driver_clock_is_virtual() ? place_of(stream, seq) : NULL;
    if (!place || !seq || seq + DRIVER_MOMENTS <= atomic_load(&stream->issued)) return NULL;
    driver_moments_lock();
    struct driver_moment *moment = *place;
    if (moment) moment->refs++;
    driver_moments_unlock();
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
    driver_moments_lock();
    moment->known = true;
    driver_moments_advance_locked();
    driver_moment_unref_locked(moment);
    driver_moments_unlock();
}

static _Thread_local uint64_t delay_ns; /* of the next part */
static _Thread_local uint32_t nested_parent;
static _Thread_local const struct driver_parts *nested_after;

void driver_clock_nested(uint32_t parent, const struct driver_parts *after)
{
    nested_parent = parent;
    nested_after = after;
}

void driver_clock_delay(const struct driver_stream *stream, enum event_call call)
{
    if (running) delay_ns += driver_clock_cost(stream->context, call, 0);
}

uint32_t driver_clock_parts(void)
{
    return running ? (uint32_t)running->parts.count : 0; /* this thread alone adds to it */
}

static bool add_part(const struct driver_part *given)
{
    struct driver_part part = *given;
    if (!running) return false;
    part.parent = nested_parent;
    part.nested = nested_after != NULL;
    part.delay_ns = delay_ns;
    delay_ns = 0;
    if (nested_after) part.after = *nested_after;
    nested_after = NULL;
    driver_moments_lock();
    *vec_push(&running->parts) = part;
    driver_moments_unlock();
    return true;
}

static struct event_work work_on(const struct driver_stream *stream, enum event_work_kind kind)
{
    const struct driver_device *device = stream->context->device;
    uint32_t ordinal = (uint32_t)device->ordinal;
    return (struct event_work){.kind = (uint8_t)kind,
                               .device = ordinal,
                               .peer = ordinal,
                               .asker = ordinal,
                               .gpu = device->gpu.origin,
                               .rows = 1};
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
    struct driver_part part = {.work = work_on(stream, (enum event_work_kind)KINDS[operation->kind])};
    part.work.from = operation->from;
    part.work.to = operation->to;
    part.work.bytes = operation->bytes;
    part.work.rows = operation->rows;
    part.work.staged = operation->staged;
    part.work.stored = operation->stored;
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

static bool reads(const struct event_kernel *kernel, const char *instruction)
{
    for (uint32_t i = 0; i < kernel->instr_count; i++)
        if (kernel->instrs[i].text && strstr(kernel->instrs[i].text, instruction)) return true;
    return false;
}

void driver_clock_launch(const struct driver_stream *stream, const struct event_launch *launch, double share,
                         uint64_t least_ns, bool early, bool of_graph)
{
    const struct event_tool *tool = driver.tool;
    if (!running || !driver_clock_is_virtual()) return;
    struct driver_part part = {.work = work_on(stream, EVENT_WORK_LAUNCH), .launch = launch->id};
    part.work.kernel = launch->kernel->name;
    part.work.least_ns = least_ns;
    part.work.time.sm_share = share < 1 ? share : 1;
    part.work.waves = share <= 1 ? 1 : share >= UINT32_MAX ? UINT32_MAX : (uint32_t)ceil(share);
    part.work.priority = -stream->priority; /* CUDA's lesser numbers go first */
    part.early = early;
    part.of_graph = of_graph;
    part.waits = early && reads(launch->kernel, "griddepcontrol.wait");
    part.triggers = reads(launch->kernel, "griddepcontrol.launch_dependents");
    pthread_mutex_lock(&driver.tool_lock);
    part.work.predicted = tool->launch_time && tool->launch_time(tool->user, launch, &part.work.time);
    pthread_mutex_unlock(&driver.tool_lock);
    add_part(&part);
}

/* ---- waiting */

struct driver_moment *driver_clock_running(void)
{
    return running;
}

uint64_t driver_clock_start(struct driver_moment *moment)
{
    if (!moment) return 0;
    driver_moments_lock();
    uint64_t ns = moment->submitted_ns;
    for (size_t i = 0; i < moment->needs.count; i++)
        if (driver_moment_settle_locked(moment->needs.at[i]) && moment->needs.at[i]->end_ns > ns)
            ns = moment->needs.at[i]->end_ns;
    driver_moments_unlock();
    return ns;
}

void driver_clock_wait(const struct driver_context *context, struct driver_moment *moment, bool notices)
{
    if (!moment) return;
    driver_moments_lock();
    bool settled = driver_moment_settle_locked(moment);
    uint64_t end_ns = settled ? moment->end_ns : 0;
    driver_moment_unref_locked(moment);
    driver_moments_unlock();
    uint64_t begin_ns = host_now();
    if (end_ns <= begin_ns) return;
    waited_ns = end_ns;
    host_set(end_ns + (notices ? driver_clock_cost(context, EVENT_CALL_NOTICE, 0) : 0));
    driver_operation_call(begin_ns, host_ns);
}

void driver_clock_wait_stream(struct driver_stream *stream, uint64_t seq)
{
    driver_clock_wait(stream->context, driver_clock_moment(stream, seq), true);
}

bool driver_clock_is_over(struct driver_moment *moment)
{
    uint64_t now = host_now();
    driver_moments_lock();
    bool over = driver_moment_settle_locked(moment) && moment->end_ns <= now;
    driver_moment_unref_locked(moment);
    driver_moments_unlock();
    return over;
}

uint64_t driver_clock_end(struct driver_moment *moment)
{
    driver_moments_lock();
    uint64_t ns = driver_moment_settle_locked(moment) ? moment->end_ns : UINT64_MAX;
    driver_moment_unref_locked(moment);
    driver_moments_unlock();
    return ns;
}
