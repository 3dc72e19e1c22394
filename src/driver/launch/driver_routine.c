/* SPDX-License-Identifier: Apache-2.0 */
/* Routines: what a library that stands in for one of NVIDIA's asks for (event_routine.h), as entries of
 * queues and nodes of graphs.
 *
 * Before a routine runs, the memory that it will access is looked at: where the device may not access it, the
 * context fails as it does when a kernel faults, and nothing is written. With a tool that counts, a routine
 * is a launch of a kernel without instructions; with one that checks, its reads and writes count as those of
 * a copy do. Limits: ranges are checked as wholes, not element by element of a triangle or band. */
#include "driver_routine.h"

#include "driver_launch.h"

#include "base/base_host.h"
#include "driver/clock/driver_operation.h"
#include "driver/core/driver_activity.h"
#include "driver/core/driver_caller.h"
#include "driver/core/driver_finding.h"
#include "driver/memory/driver_misuse.h"
#include "driver/stream/driver_capture.h"
#include "driver/stream/driver_order.h"
#include "driver/stream/driver_stream.h"
#include "driver/stream/driver_work.h"

#include <stdlib.h>
#include <string.h>

struct driver_routine {
    atomic_uint refs;
    struct event_kernel kernel; /* that tools see */
    struct event_routine_work work;
    const struct driver_device *device; /* in whose stream it was made: a graph may begin on another's */
    _Alignas(max_align_t) unsigned char at[]; /* arguments, name and shape */
};

/* ---- life */

static uint64_t next_id(void)
{
    static atomic_ullong given; /* from the top, where no kernel's ids are */
    return UINT64_MAX - atomic_fetch_add(&given, 1);
}

/* One a name, so that launches of a routine are launches of one kernel. */
static uint64_t id_of(const char *name)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct map ids;
    pthread_mutex_lock(&lock);
    uint64_t *id = map_get(&ids, name);
    if (!id) {
        id = sw_xmalloc(sizeof *id);
        *id = next_id();
        map_set(&ids, sw_xstrdup(name), id);
    }
    pthread_mutex_unlock(&lock);
    return *id;
}

/* What a routine does is of interest: for a plain run the tool is there, too, and asks for nothing. */
static bool is_listened_to(void)
{
    const struct event_tool *tool = driver.tool;
    return tool && (tool->probes & EVENT_PROBE_COUNT || tool->checks || driver_clock_is_virtual() ||
                    driver_operation_wanted());
}

/* One allocation: small products are queued faster than the heap would find several. */
static struct driver_routine *routine_new(const struct driver_stream *stream,
                                          const struct event_routine_work *work)
{
    const char *given = work->what.shape ? work->what.shape : "";
    size_t args = work->arg_bytes, name = strlen(work->what.name) + 1, shape = strlen(given) + 1;
    struct driver_routine *routine = sw_xmalloc(sizeof *routine + args + name + shape);
    char *texts = (char *)routine->at + args;
    if (args) memcpy(routine->at, work->args, args);
    memcpy(texts, work->what.name, name);
    memcpy(texts + name, given, shape);
    routine->work = *work;
    routine->work.args = args ? routine->at : NULL;
    routine->work.what.name = texts;
    routine->work.what.shape = texts + name;
    routine->device = stream->context->device;
    routine->kernel =
        (struct event_kernel){.name = texts, .ptx_name = "", .id = is_listened_to() ? id_of(texts) : 0};
    atomic_init(&routine->refs, 1);
    return routine;
}

static void routine_release(struct driver_work *work)
{
    struct driver_routine *routine = work->routine.call;
    if (atomic_fetch_sub(&routine->refs, 1) == 1) free(routine);
}

static void routine_copy(struct driver_work *to, const struct driver_work *from)
{
    atomic_fetch_add(&from->routine.call->refs, 1);
    to->routine = from->routine;
}

/* ---- queueing */

void driver_routine_number(struct driver_work *work, bool of_graph)
{
    work->routine.id = atomic_fetch_add(&driver.next_launch, 1);
    const struct event_tool *tool = driver.tool;
    bool counts = tool && tool->probes & EVENT_PROBE_COUNT;
    if (counts && !work->routine.nvtx) work->routine.nvtx = driver_activity_nvtx();
    work->routine.wanted =
        counts && driver_launch_wanted(work->routine.call->kernel.name, work->routine.nvtx);
    work->routine.of_graph = of_graph;
}

int driver_routine_submit(void *handle, const struct event_routine_work *given)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get((CUstream)handle, &stream));
    struct driver_work work = {.kind = DRIVER_WORK_ROUTINE,
                               .routine.call = routine_new(stream, given),
                               .routine.brief = given->brief && !is_listened_to(),
                               .routine.together = given->start != NULL,
                               .routine.whole = given->whole};
    if (!driver_is_capturing(stream)) driver_routine_number(&work, false);
    CUresult result = driver_submit(stream, &work, false);
    driver_stream_put(stream);
    return (int)result;
}

/* ---- what it accesses */

static uint64_t span_of(const struct event_routine_range *range)
{
    return range->height ? sw_sum(sw_product(range->height - 1, range->pitch), range->width) : 0;
}

/* The first byte of a range that is in no allocation, or its first byte. */
static uint64_t first_bad(const struct event_routine_range *range)
{
    struct driver_allocation allocation;
    if (!driver_memory_find(range->address, &allocation)) return range->address;
    uint64_t end = allocation.base + allocation.bytes;
    return end < sw_sum(range->address, span_of(range)) ? end : range->address;
}

static void tell(const struct driver_work *work, const struct event_routine_range *range,
                 enum event_finding_kind kind, uint64_t at)
{
    struct event_finding finding = {
        .kind = kind,
        .space = ISA_SPACE_GLOBAL,
        .address = at,
        .place = {.call = work->routine.call->kernel.name, .writes = range->writes},
        .count = 1};
    if (work->caller) finding.place.where = work->caller->where;
    finding.place.bytes = range->width < UINT32_MAX ? (uint32_t)range->width : UINT32_MAX;
    driver_misuse_describe(at, &finding);
    driver_finding_tell(&finding);
}

static void tell_bad(const struct driver_work *work, const struct event_routine_range *range)
{
    uint64_t at = first_bad(range);
    char near[200];
    if (driver_checks(EVENT_CHECK_MEMORY)) {
        tell(work, range, EVENT_FINDING_BOUNDS, at);
        return;
    }
    driver_misuse_say(at, near, sizeof near);
    sw_log(
        "%s %s memory that is not the device's, at 0x%llx%s%s; run 'softwarp check PROGRAM' for all errors",
        work->routine.call->kernel.name, range->writes ? "writes" : "reads", (unsigned long long)at,
        *near ? "; nearest allocation: " : "", near);
}

static bool is_good(const struct driver_work *work, const struct event_routine_range *range)
{
    uint64_t bytes = span_of(range);
    bool known = range->writes ? driver_memory_writable(range->address, bytes)
                               : driver_memory_valid(range->address, bytes);
    return known && driver_permissions_reach(work->routine.call->device, range->address, bytes,
                                             range->writes ? VMEM_WRITE : VMEM_READ);
}

typedef bool range_fn(const void *args, uint32_t i, struct event_routine_range *out);

/* Whether any is not good: the first such one. Ranges behind it are not asked for. */
static bool bad_range(const struct driver_work *work, range_fn *next, struct event_routine_range *out)
{
    const void *args = work->routine.call->work.args;
    for (uint32_t i = 0; next && next(args, i, out); i++)
        if (span_of(out) != 0 && !is_good(work, out)) return true;
    return false;
}

static bool ranges_are_good(const struct driver_work *work)
{
    const struct event_routine_work *call = &work->routine.call->work;
    struct event_routine_range range;
    if (call->cover && !bad_range(work, call->cover, &range)) return true;
    if (!bad_range(work, call->range, &range)) return true;
    tell_bad(work, &range);
    return false;
}

static void check_written(const struct driver_work *work, const struct event_routine_range *range)
{
    uint64_t at = 0;
    for (uint64_t y = 0; y < range->height && !at; y++)
        at = engine_memory_unwritten(driver.engine, range->address + y * range->pitch, range->width);
    if (at) tell(work, range, EVENT_FINDING_UNINITIALIZED, at);
}

/* What a routine reads of what it writes is no race of its own: the write stands for both. Of ranges near
 * range `at`, which are those of the same item of a batch. */
static bool is_written_too(const struct event_routine_work *call, uint32_t at,
                           const struct event_routine_range *read)
{
    enum { NEAR = 8 };
    struct event_routine_range range;
    uint64_t end = sw_sum(read->address, span_of(read));
    for (uint32_t i = at > NEAR ? at - NEAR : 0; i <= at + NEAR && call->range(call->args, i, &range); i++)
        if (range.writes && range.address < end && read->address < sw_sum(range.address, span_of(&range)))
            return true;
    return false;
}

/* For tools: who accesses what. Of a batch the first items alone, where nothing is checked. */
static void note_accesses(const struct driver_work *work)
{
    enum { USES = 64 };
    const struct event_routine_work *call = &work->routine.call->work;
    struct event_routine_range range;
    bool checks = driver.tool->checks;
    for (uint32_t i = 0; (checks || i < USES) && call->range && call->range(call->args, i, &range); i++) {
        if (!checks && range.height) driver_operation_use(work->routine.id, range.address);
        if (!range.writes && driver_checks(EVENT_CHECK_INIT)) check_written(work, &range);
        bool counts = checks && (range.writes || !is_written_too(call, i, &range));
        for (uint64_t y = 0; counts && y < range.height; y++) {
            uint64_t at = range.address + y * range.pitch;
            driver_order_access(work, at, range.width, range.writes);
            if (range.writes) engine_memory_written(driver.engine, at, range.width);
        }
    }
}

/* ---- running */

static uint64_t real_ns(void) /* 0: times are not the real clock's, or of no interest */
{
    return driver_activity_on() && !driver_clock_is_virtual() ? driver_now_ns() : 0;
}

/* By the virtual clock who listens is told when it is scheduled. */
static void account(const struct driver_work *work, struct driver_stream *stream,
                    const struct event_launch *event)
{
    struct event_activity_launch activity;
    bool listened = driver_activity_on();
    if (listened) {
        driver_activity_of(event, &activity);
        activity.name = driver_activity_name(event->kernel->name);
        activity.correlation = work->correlation;
        activity.of_graph = work->routine.of_graph;
    }
    driver_clock_launch(stream, event, listened ? &activity : NULL, 1, 0, false, work->routine.of_graph);
    if (listened && !driver_clock_is_virtual()) driver_activity_launch(&activity);
}

static void report(const struct driver_work *work, struct driver_stream *stream,
                   const struct event_routine *what, enum sw_status status)
{
    const struct event_tool *tool = driver.tool;
    struct driver_routine *routine = work->routine.call;
    if (!is_listened_to() && !driver_activity_on()) return;
    struct event_launch event = {.kernel = &routine->kernel,
                                 .routine = what,
                                 .id = work->routine.id,
                                 .device = (uint32_t)stream->context->device->ordinal,
                                 .context = stream->context->ordinal,
                                 .stream = stream->ordinal,
                                 .grid = {1, 1, 1},
                                 .block = {1, 1, 1},
                                 .gpu = stream->context->device->gpu.origin,
                                 .start_ns = work->routine.begun_ns,
                                 .end_ns = real_ns(),
                                 .status = status,
                                 .nvtx = work->routine.nvtx};
    if (work->routine.wanted && tool->launch_end) {
        pthread_mutex_lock(&driver.tool_lock);
        tool->launch_end(tool->user, &event);
        pthread_mutex_unlock(&driver.tool_lock);
    }
    if (status == SW_OK) account(work, stream, &event);
}

static void routine_end(struct driver_work *work, struct driver_stream *stream,
                        const struct event_routine *what, int failure)
{
    report(work, stream, what,
           failure == CUDA_ERROR_ILLEGAL_ADDRESS ? SW_ILLEGAL_ADDRESS
           : failure                             ? SW_LAUNCH_FAILED
                                                 : SW_OK);
    if (failure && stream->context) driver_context_fail_one(stream->context, (CUresult)failure);
}

/* ---- work that queues do together */

static void part_done(void *token, int failure)
{
    driver_wait_over(token, failure);
}

static void part_join(void *const *tokens, uint32_t count)
{
    driver_wait_join((struct driver_wait *const *)tokens, count);
}

static bool part_is_memory(uint64_t address, uint64_t bytes, bool writes)
{
    return writes ? driver_memory_writable(address, bytes) : driver_memory_valid(address, bytes);
}

static void routine_start(struct driver_work *work, struct driver_stream *stream)
{
    const struct event_routine_work *call = &work->routine.call->work;
    work->wait = driver_wait_new(stream);
    struct event_routine_part part = {.token = work->wait,
                                      .done = part_done,
                                      .join = part_join,
                                      .hold = driver_memory_hold,
                                      .let_go = driver_memory_let_go,
                                      .is_memory = part_is_memory};
    call->start(call->args, &part);
}

/* What it began is done: what its own device accessed counts now. */
static void routine_go_on(struct driver_work *work, struct driver_stream *stream)
{
    int failure = work->wait->failure;
    driver_wait_unref(work->wait);
    work->wait = NULL;
    driver_memory_hold();
    if (!failure && driver.tool && ranges_are_good(work)) note_accesses(work);
    driver_memory_let_go();
    routine_end(work, stream, &work->routine.call->work.what, failure);
}

/* A thread of the program's may have another rounding, or flush denormals. */
static int call_run(const struct event_routine_work *call)
{
    if (!call->run) return CUDA_SUCCESS;
    uint32_t state = sw_host_float_state();
    sw_host_float_set(SW_HOST_FLOAT_DEFAULT);
    int failure = call->run(call->args);
    sw_host_float_set(state);
    return failure;
}

static void routine_run(struct driver_work *work, struct driver_stream *stream)
{
    const struct event_routine_work *call = &work->routine.call->work;
    if (work->wait) {
        routine_go_on(work, stream);
        return;
    }
    work->routine.begun_ns = real_ns();
    driver_memory_hold();
    struct event_routine what = call->what;
    char shape[EVENT_ROUTINE_SHAPE];
    bool listened = is_listened_to(), good = ranges_are_good(work);
    if (listened && call->describe) call->describe(call->args, &what, shape);
    if (good && listened && !call->start) note_accesses(work);
    if (good && listened && call->measure) call->measure(call->args, &what);
    int failure = good ? call_run(call) : CUDA_ERROR_ILLEGAL_ADDRESS;
    driver_memory_let_go();
    if (good && call->start) {
        routine_start(work, stream);
        return;
    }
    if (call->drop && !good) call->drop(call->args);
    routine_end(work, stream, &what, failure);
}

static void routine_dropped(struct driver_work *work)
{
    const struct event_routine_work *call = &work->routine.call->work;
    if (work->wait) driver_wait_unref(work->wait);
    if (call->drop) call->drop(call->args);
    work->wait = NULL;
}

void driver_routine_define(void)
{
    static const struct driver_work_ops ROUTINE = {
        .run = routine_run, .release = routine_release, .copy = routine_copy, .dropped = routine_dropped};
    driver_work_define(DRIVER_WORK_ROUTINE, &ROUTINE);
}
