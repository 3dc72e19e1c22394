/* SPDX-License-Identifier: Apache-2.0 */
/* The virtual clock, as far as the driver knows it: what waits for what, and what the host waits for. How
 * long things take is the tool's to say (struct event_clock); without such a tool nothing here costs
 * anything.
 *
 * Every queue entry has an entry of the virtual timeline. It is known when the entry has really run, and then
 * has parts: the copies and launches that it turned out to be. Entries are scheduled one by one in the order
 * in which the program asked for them, so that times do not depend on which entry was done first in reality.
 * Each host thread has a time of its own, which calls move by what they cost and waits to the end of what
 * they waited for.
 *
 *   asked (host's time) -> known (it has run) -> scheduled (all asked before are; start and end are the
 * device's time)
 *
 * An answer may need an entry whose turn has not come because an earlier one still runs. It is waited for;
 * but an earlier entry may wait for this very host, as a kernel does that polls a flag. So who has waited for
 * PATIENCE_NS of real time passes over what can wait for the host (host functions, waits for values,
 * kernels), which is scheduled when it is known. Limits: times after that depend on real time; what host
 * threads do to each other is not seen, so a program with several that enqueue is not promised the same times
 * twice; streams that were destroyed are not waited for by whole-context waits. */
#include "driver_managed.h"
#include "driver_timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t latest_host_ns; /* of all threads: where a new one begins */
static _Thread_local uint64_t host_ns;
static _Thread_local uint64_t waited_ns; /* end of what the thread waited for last */
static _Thread_local bool has_time;
static _Thread_local struct driver_timeline_entry *running; /* the entry that this thread runs */

/* ---- the host's time */

static uint64_t host_now(void)
{
    if (!has_time) {
        driver_timeline_lock();
        host_ns = latest_host_ns;
        driver_timeline_unlock();
        has_time = true;
    }
    return host_ns;
}

static void host_set(uint64_t ns)
{
    if (ns <= host_now()) return;
    host_ns = ns;
    driver_timeline_lock();
    if (ns > latest_host_ns) latest_host_ns = ns;
    driver_timeline_unlock();
}

uint64_t driver_clock_ns(void)
{
    return driver_clock_is_virtual() ? host_now() : driver_now_ns();
}

bool driver_clock_notice(uint64_t end_ns)
{
    driver_timeline_lock();
    bool over = end_ns <= latest_host_ns;
    driver_timeline_unlock();
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
    if (driver_work_is_together(work)) return true;
    return work->kind != DRIVER_WORK_NOTHING && work->kind != DRIVER_WORK_COPY &&
           work->kind != DRIVER_WORK_FILL && work->kind != DRIVER_WORK_RECORD &&
           work->kind != DRIVER_WORK_ROUTINE && work->kind != DRIVER_WORK_RELEASE;
}

struct driver_timeline_entry *driver_clock_ask(const struct driver_stream *stream,
                                               const struct driver_work *work)
{
    if (!driver_clock_is_virtual() || !stream->context) return NULL;
    host_set(host_now() + driver_managed_asked(work));
    struct driver_timeline_entry *timeline_entry = sw_xcalloc(1, sizeof *timeline_entry);
    timeline_entry->may_wait = may_wait(work);
    timeline_entry->together = driver_work_is_together(work);
    timeline_entry->aside = timeline_entry->together && !work->routine.whole;
    timeline_entry->asked_ns = host_now();
    timeline_entry->waited_ns = waited_ns;
    timeline_entry->host = work->kind == DRIVER_WORK_HOST;
    timeline_entry->context = stream->context;
    timeline_entry->device = stream->context->device->ordinal;
    timeline_entry->submitted_ns =
        timeline_entry->asked_ns + driver_clock_cost(stream->context, EVENT_CALL_SUBMIT, 0);
    timeline_entry->refs = 1; /* the entry's */
    return timeline_entry;
}

static struct driver_timeline_entry **slot_of(const struct driver_stream *stream, uint64_t seq)
{
    return stream->timeline ? &stream->timeline[seq % DRIVER_TIMELINE_ENTRIES] : NULL;
}

/* What is older than the queue is long has ended before the host could ask for more. */
void driver_clock_need_locked(struct driver_timeline_entry *timeline_entry,
                              const struct driver_stream *stream, uint64_t seq)
{
    struct driver_timeline_entry **slot = slot_of(stream, seq);
    if (!timeline_entry || !slot || !*slot || seq == 0 ||
        seq + DRIVER_TIMELINE_ENTRIES <= atomic_load(&stream->issued))
        return;
    driver_timeline_lock();
    (*slot)->refs++;
    *vec_push(&timeline_entry->needs) = *slot;
    driver_timeline_unlock();
}

void driver_clock_with_locked(struct driver_timeline_entry *timeline_entry,
                              const struct driver_stream *stream, uint64_t seq)
{
    struct driver_timeline_entry **slot = slot_of(stream, seq);
    if (!timeline_entry || !slot || !*slot) return;
    driver_timeline_lock();
    if ((*slot)->submitted_ns > timeline_entry->submitted_ns) {
        timeline_entry->submitted_ns = (*slot)->submitted_ns;
        timeline_entry->asked_ns = (*slot)->asked_ns;
    }
    driver_timeline_unlock();
}

void driver_clock_add_locked(struct driver_timeline_entry *timeline_entry, struct driver_stream *stream,
                             uint64_t seq)
{
    if (!timeline_entry) return;
    struct driver_timeline_entry *before = NULL;
    size_t others = timeline_entry->needs.count;
    driver_clock_need_locked(timeline_entry, stream, seq - 1);
    if (timeline_entry->needs.count > others) before = timeline_entry->needs.at[others];
    if (!stream->timeline)
        stream->timeline = sw_xcalloc(DRIVER_TIMELINE_ENTRIES, sizeof(struct driver_timeline_entry *));
    struct driver_timeline_entry **slot = slot_of(stream, seq);
    driver_timeline_lock();
    driver_timeline_entry_unref_locked(*slot);
    *slot = timeline_entry;
    timeline_entry->refs++; /* the stream's */
    driver_timeline_append_locked(timeline_entry);
    timeline_entry->before = before;
    driver_timeline_unlock();
}

struct driver_timeline_entry *driver_clock_entry(const struct driver_stream *stream, uint64_t seq)
{
    struct driver_timeline_entry **slot = driver_clock_is_virtual() ? slot_of(stream, seq) : NULL;
    if (!slot || !seq || seq + DRIVER_TIMELINE_ENTRIES <= atomic_load(&stream->issued)) return NULL;
    driver_timeline_lock();
    struct driver_timeline_entry *timeline_entry = *slot;
    if (timeline_entry) timeline_entry->refs++;
    driver_timeline_unlock();
    return timeline_entry;
}

void driver_clock_forget_stream(struct driver_stream *stream)
{
    if (!stream->timeline) return;
    for (unsigned i = 0; i < DRIVER_TIMELINE_ENTRIES; i++)
        driver_timeline_entry_put(stream->timeline[i]);
    free(stream->timeline);
}

/* ---- running */

void driver_clock_begin(struct driver_timeline_entry *timeline_entry)
{
    running = timeline_entry;
}

void driver_clock_done(struct driver_timeline_entry *timeline_entry)
{
    running = NULL;
    if (!timeline_entry) return;
    driver_timeline_lock();
    timeline_entry->known = true;
    driver_timeline_advance_locked();
    driver_timeline_entry_unref_locked(timeline_entry);
    driver_timeline_unlock();
}

static _Thread_local uint64_t delay_ns; /* of the next part */
static _Thread_local uint32_t child_parent;
static _Thread_local const struct driver_parts *child_after;

void driver_clock_child(uint32_t parent, const struct driver_parts *after)
{
    child_parent = parent;
    child_after = after;
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
    part.parent = child_parent;
    part.is_child = child_after != NULL;
    part.delay_ns = delay_ns;
    delay_ns = 0;
    if (child_after) part.after = *child_after;
    child_after = NULL;
    driver_timeline_lock();
    *vec_push(&running->parts) = part;
    driver_timeline_unlock();
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

static bool clock_reads(const struct event_kernel *kernel, const char *instruction)
{
    for (uint32_t i = 0; i < kernel->instr_count; i++)
        if (kernel->instrs[i].text && strstr(kernel->instrs[i].text, instruction)) return true;
    return false;
}

void driver_clock_launch(const struct driver_stream *stream, const struct event_launch *launch,
                         const struct event_activity_launch *activity, double share, uint64_t least_ns,
                         bool early, bool of_graph)
{
    const struct event_tool *tool = driver.tool;
    if (!running || !driver_clock_is_virtual()) return;
    struct driver_part part = {.work = work_on(stream, EVENT_WORK_LAUNCH), .launch = launch->id};
    if (activity) part.activity = sw_xmemdup(activity, sizeof *activity);
    part.work.kernel = launch->kernel->name;
    part.work.least_ns = least_ns;
    part.work.time.sm_share = share < 1 ? share : 1;
    part.work.waves = share <= 1 ? 1 : share >= UINT32_MAX ? UINT32_MAX : (uint32_t)ceil(share);
    part.work.priority = -stream->priority; /* CUDA's lesser numbers go first */
    part.early = early;
    part.of_graph = of_graph;
    part.waits = early && clock_reads(launch->kernel, "griddepcontrol.wait");
    part.triggers = clock_reads(launch->kernel, "griddepcontrol.launch_dependents");
    pthread_mutex_lock(&driver.tool_lock);
    part.work.predicted = tool->launch_time && tool->launch_time(tool->user, launch, &part.work.time);
    pthread_mutex_unlock(&driver.tool_lock);
    add_part(&part);
}

/* ---- waiting */

struct driver_timeline_entry *driver_clock_running(void)
{
    return running;
}

uint64_t driver_clock_start(struct driver_timeline_entry *timeline_entry)
{
    if (!timeline_entry) return 0;
    driver_timeline_lock();
    uint64_t ns = timeline_entry->submitted_ns;
    for (size_t i = 0; i < timeline_entry->needs.count; i++)
        if (driver_timeline_entry_settle_locked(timeline_entry->needs.at[i]) &&
            timeline_entry->needs.at[i]->end_ns > ns)
            ns = timeline_entry->needs.at[i]->end_ns;
    driver_timeline_unlock();
    return ns;
}

void driver_clock_wait(const struct driver_context *context, struct driver_timeline_entry *timeline_entry,
                       bool notices)
{
    if (!timeline_entry) return;
    driver_timeline_lock();
    bool settled = driver_timeline_entry_settle_locked(timeline_entry);
    uint64_t end_ns = settled ? timeline_entry->end_ns : 0;
    driver_timeline_entry_unref_locked(timeline_entry);
    driver_timeline_unlock();
    uint64_t begin_ns = host_now();
    if (end_ns <= begin_ns) return;
    waited_ns = end_ns;
    host_set(end_ns + (notices ? driver_clock_cost(context, EVENT_CALL_NOTICE, 0) : 0));
    driver_operation_call(begin_ns, host_ns);
}

void driver_clock_wait_stream(struct driver_stream *stream, uint64_t seq)
{
    driver_clock_wait(stream->context, driver_clock_entry(stream, seq), true);
}

bool driver_clock_is_over(struct driver_timeline_entry *timeline_entry)
{
    uint64_t now = host_now();
    driver_timeline_lock();
    bool over = driver_timeline_entry_settle_locked(timeline_entry) && timeline_entry->end_ns <= now;
    driver_timeline_entry_unref_locked(timeline_entry);
    driver_timeline_unlock();
    return over;
}

uint64_t driver_clock_end(struct driver_timeline_entry *timeline_entry)
{
    driver_timeline_lock();
    uint64_t ns = driver_timeline_entry_settle_locked(timeline_entry) ? timeline_entry->end_ns : UINT64_MAX;
    driver_timeline_entry_unref_locked(timeline_entry);
    driver_timeline_unlock();
    return ns;
}
