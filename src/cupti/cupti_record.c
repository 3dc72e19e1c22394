/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: records of activity. Method: one each of what the driver tells, of the kinds that are enabled.
 * Context ids are ordinals from 1, stream ids ordinals from 0. Limits: no graph node ids, no channels, no
 * latency timestamps; memory kinds of copies as the driver knows them. */
#include "cupti_priv.h"

#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- what is enabled */

static atomic_bool kinds[CUPTI_ACTIVITY_KIND_COUNT];
static atomic_uchar single[2][CUPTI_NUMBERS]; /* calls by number: 0: as the kind; 1: no; 2: yes */

bool cupti_kind_enabled(CUpti_ActivityKind kind)
{
    return atomic_load_explicit(&kinds[kind], memory_order_relaxed);
}

uint32_t cupti_record_bytes(CUpti_ActivityKind kind)
{
    switch ((int)kind) {
    case CUPTI_ACTIVITY_KIND_MEMCPY: return sizeof(CUpti_ActivityMemcpy6);
    case CUPTI_ACTIVITY_KIND_MEMCPY2: return sizeof(CUpti_ActivityMemcpyPtoP4);
    case CUPTI_ACTIVITY_KIND_MEMSET: return sizeof(CUpti_ActivityMemset4);
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: return sizeof(CUpti_ActivityKernel10);
    case CUPTI_ACTIVITY_KIND_DRIVER:
    case CUPTI_ACTIVITY_KIND_RUNTIME: return sizeof(CUpti_ActivityAPI);
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION: return sizeof(CUpti_ActivitySynchronization2);
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: return sizeof(CUpti_ActivityExternalCorrelation);
    case CUPTI_ACTIVITY_KIND_MEMORY2: return sizeof(CUpti_ActivityMemory4);
    default: return 0;
    }
}

static CUptiResult enable(CUpti_ActivityKind kind, bool on)
{
    if (kind <= CUPTI_ACTIVITY_KIND_INVALID || kind >= CUPTI_ACTIVITY_KIND_COUNT)
        return cupti_result(CUPTI_ERROR_INVALID_KIND);
    if (!cupti_record_bytes(kind)) {
        static atomic_bool said[CUPTI_ACTIVITY_KIND_COUNT];
        if (on && !atomic_exchange(&said[kind], true))
            sw_log("cuptiActivityEnable: there are no records of kind %d; docs/libraries/cupti.md lists the "
                   "kinds that there are",
                   (int)kind);
        return cupti_result(CUPTI_ERROR_NOT_COMPATIBLE);
    }
    CUptiResult result = cupti_listen();
    if (result == CUPTI_SUCCESS) atomic_store(&kinds[kind], on);
    return cupti_result(result);
}

CUPTI_EXPORT CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind)
{
    return enable(kind, true);
}

CUPTI_EXPORT CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind)
{
    return enable(kind, false);
}

/* Of all contexts: records are not kept apart by them. */
CUPTI_EXPORT CUptiResult cuptiActivityEnableContext(CUcontext context, CUpti_ActivityKind kind)
{
    return context ? enable(kind, true) : cupti_result(CUPTI_ERROR_INVALID_CONTEXT);
}

CUPTI_EXPORT CUptiResult cuptiActivityDisableContext(CUcontext context, CUpti_ActivityKind kind)
{
    return context ? enable(kind, false) : cupti_result(CUPTI_ERROR_INVALID_CONTEXT);
}

static CUptiResult enable_call(enum event_activity_api api, uint32_t number, bool on)
{
    if (number == 0 || !cupti_number_name(api, number)) return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    CUptiResult result = cupti_listen();
    if (result == CUPTI_SUCCESS) atomic_store(&single[api][number], on ? 2 : 1);
    return cupti_result(result);
}

CUPTI_EXPORT CUptiResult cuptiActivityEnableDriverApi(uint32_t number, uint8_t on)
{
    return enable_call(EVENT_ACTIVITY_DRIVER, number, on);
}

CUPTI_EXPORT CUptiResult cuptiActivityEnableRuntimeApi(uint32_t number, uint8_t on)
{
    return enable_call(EVENT_ACTIVITY_RUNTIME, number, on);
}

/* ---- calls */

enum { DEEPEST = 8 }; /* calls in calls: the runtime's, the driver's, callbacks of these */
static _Thread_local struct {
    uint64_t start_ns;
    uint32_t number;
} begun[DEEPEST];
static _Thread_local uint32_t depth;
static atomic_int thread_ids = CUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT;

CUPTI_EXPORT CUptiResult cuptiSetThreadIdType(CUpti_ActivityThreadIdType type)
{
    if (type != CUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT && type != CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM)
        return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    thread_ids = (int)type;
    return CUPTI_SUCCESS;
}

CUPTI_EXPORT CUptiResult cuptiGetThreadIdType(CUpti_ActivityThreadIdType *type)
{
    if (!type) return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    *type = (CUpti_ActivityThreadIdType)thread_ids;
    return CUPTI_SUCCESS;
}

uint32_t cupti_thread(void)
{
    return thread_ids == CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM ? (uint32_t)syscall(SYS_gettid)
                                                              : (uint32_t)(uintptr_t)pthread_self();
}

void cupti_record_call_begins(const struct event_activity_call *call, uint32_t number)
{
    if (depth == 0) cupti_external_record(call->correlation);
    if (depth < DEEPEST) {
        begun[depth].start_ns = cupti_driver()->now_ns();
        begun[depth].number = number;
    }
    depth++;
}

static bool wants_call(enum event_activity_api api, uint32_t number)
{
    unsigned char one = atomic_load_explicit(&single[api][number], memory_order_relaxed);
    if (one) return one == 2;
    return cupti_kind_enabled(api == EVENT_ACTIVITY_DRIVER ? CUPTI_ACTIVITY_KIND_DRIVER
                                                           : CUPTI_ACTIVITY_KIND_RUNTIME);
}

void cupti_record_call_ends(const struct event_activity_call *call, uint32_t number)
{
    if (depth == 0 || --depth >= DEEPEST || begun[depth].number != number) return;
    enum event_activity_api api = (enum event_activity_api)call->api;
    if (!wants_call(api, number)) return;
    CUpti_ActivityAPI record = {.kind = api == EVENT_ACTIVITY_DRIVER ? CUPTI_ACTIVITY_KIND_DRIVER
                                                                     : CUPTI_ACTIVITY_KIND_RUNTIME,
                                .cbid = number,
                                .start = cupti_ns(begun[depth].start_ns),
                                .end = cupti_ns(cupti_driver()->now_ns()),
                                .processId = (uint32_t)getpid(),
                                .threadId = cupti_thread(),
                                .correlationId = call->correlation,
                                .returnValue = call->result};
    cupti_buffer_add(&record, sizeof record);
}

/* ---- kernels */

void cupti_record_launch(const struct event_activity_launch *launch)
{
    bool concurrent = cupti_kind_enabled(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    if (!concurrent && !cupti_kind_enabled(CUPTI_ACTIVITY_KIND_KERNEL)) return;
    CUpti_ActivityKernel10 record = {
        .kind = concurrent ? CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL : CUPTI_ACTIVITY_KIND_KERNEL,
        .registersPerThread = (uint16_t)launch->registers,
        .start = cupti_ns(launch->start_ns),
        .end = cupti_ns(launch->end_ns),
        .completed = cupti_ns(launch->end_ns),
        .deviceId = launch->device,
        .contextId = launch->context + 1,
        .streamId = launch->stream,
        .gridX = (int32_t)launch->grid[0],
        .gridY = (int32_t)launch->grid[1],
        .gridZ = (int32_t)launch->grid[2],
        .blockX = (int32_t)launch->block[0],
        .blockY = (int32_t)launch->block[1],
        .blockZ = (int32_t)launch->block[2],
        .staticSharedMemory = (int32_t)launch->static_shared,
        .dynamicSharedMemory = (int32_t)launch->dynamic_shared,
        .localMemoryPerThread = launch->local_bytes,
        .correlationId = launch->correlation,
        .gridId = (int64_t)launch->id,
        .name = launch->name,
        .launchType = launch->cooperative ? CUPTI_ACTIVITY_LAUNCH_TYPE_COOPERATIVE_SINGLE_DEVICE
                                          : CUPTI_ACTIVITY_LAUNCH_TYPE_REGULAR,
        .sharedMemoryExecuted = launch->static_shared + launch->dynamic_shared,
        .channelID = CUPTI_INVALID_CHANNEL_ID,
        .isDeviceLaunched = launch->nested};
    cupti_buffer_add(&record, sizeof record);
}

/* ---- copies, fills, memory, waits */

static uint8_t memory_of(uint8_t kind)
{
    static const uint8_t KINDS[] = {[EVENT_MEMORY_NONE] = CUPTI_ACTIVITY_MEMORY_KIND_UNKNOWN,
                                    [EVENT_MEMORY_PAGEABLE] = CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE,
                                    [EVENT_MEMORY_PINNED] = CUPTI_ACTIVITY_MEMORY_KIND_PINNED,
                                    [EVENT_MEMORY_REGISTERED] = CUPTI_ACTIVITY_MEMORY_KIND_PINNED,
                                    [EVENT_MEMORY_MANAGED] = CUPTI_ACTIVITY_MEMORY_KIND_MANAGED,
                                    [EVENT_MEMORY_DEVICE] = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE};
    return KINDS[kind];
}

static bool on_device(uint8_t kind)
{
    return kind == EVENT_MEMORY_DEVICE || kind == EVENT_MEMORY_MANAGED;
}

static uint8_t copy_kind(const struct event_operation *o)
{
    if (!on_device(o->from))
        return on_device(o->to) ? CUPTI_ACTIVITY_MEMCPY_KIND_HTOD : CUPTI_ACTIVITY_MEMCPY_KIND_HTOH;
    return on_device(o->to) ? CUPTI_ACTIVITY_MEMCPY_KIND_DTOD : CUPTI_ACTIVITY_MEMCPY_KIND_DTOH;
}

static void record_peers(const struct event_operation *o)
{
    if (!cupti_kind_enabled(CUPTI_ACTIVITY_KIND_MEMCPY2)) return;
    CUpti_ActivityMemcpyPtoP4 record = {.kind = CUPTI_ACTIVITY_KIND_MEMCPY2,
                                        .copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_PTOP,
                                        .srcKind = memory_of(o->from),
                                        .dstKind = memory_of(o->to),
                                        .flags = o->called_async ? CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC : 0,
                                        .bytes = o->bytes,
                                        .start = cupti_ns(o->start_ns),
                                        .end = cupti_ns(o->end_ns),
                                        .deviceId = o->device,
                                        .contextId = o->context + 1,
                                        .streamId = o->stream,
                                        .srcDeviceId = o->device,
                                        .srcContextId = CUPTI_INVALID_CONTEXT_ID,
                                        .dstDeviceId = o->peer,
                                        .dstContextId = CUPTI_INVALID_CONTEXT_ID,
                                        .correlationId = o->correlation,
                                        .channelID = CUPTI_INVALID_CHANNEL_ID};
    cupti_buffer_add(&record, sizeof record);
}

static void record_copy(const struct event_operation *o)
{
    if (o->peer != o->device) {
        record_peers(o);
        return;
    }
    if (!cupti_kind_enabled(CUPTI_ACTIVITY_KIND_MEMCPY)) return;
    CUpti_ActivityMemcpy6 record = {.kind = CUPTI_ACTIVITY_KIND_MEMCPY,
                                    .copyKind = copy_kind(o),
                                    .srcKind = memory_of(o->from),
                                    .dstKind = memory_of(o->to),
                                    .flags = o->called_async ? CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC : 0,
                                    .bytes = o->bytes,
                                    .start = cupti_ns(o->start_ns),
                                    .end = cupti_ns(o->end_ns),
                                    .deviceId = o->device,
                                    .contextId = o->context + 1,
                                    .streamId = o->stream,
                                    .correlationId = o->correlation,
                                    .channelID = CUPTI_INVALID_CHANNEL_ID,
                                    .copyCount = 1};
    cupti_buffer_add(&record, sizeof record);
}

static void record_fill(const struct event_operation *o)
{
    if (!cupti_kind_enabled(CUPTI_ACTIVITY_KIND_MEMSET)) return;
    CUpti_ActivityMemset4 record = {.kind = CUPTI_ACTIVITY_KIND_MEMSET,
                                    .value = o->value,
                                    .bytes = o->bytes,
                                    .start = cupti_ns(o->start_ns),
                                    .end = cupti_ns(o->end_ns),
                                    .deviceId = o->device,
                                    .contextId = o->context + 1,
                                    .streamId = o->stream,
                                    .correlationId = o->correlation,
                                    .flags = o->async ? CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC : 0,
                                    .memoryKind = memory_of(o->to),
                                    .channelID = CUPTI_INVALID_CHANNEL_ID};
    cupti_buffer_add(&record, sizeof record);
}

static void record_memory(const struct event_operation *o)
{
    uint32_t context;
    CUcontext current;
    if (!cupti_kind_enabled(CUPTI_ACTIVITY_KIND_MEMORY2)) return;
    if (!cupti_current_context(&current, &context)) context = CUPTI_INVALID_CONTEXT_ID;
    CUpti_ActivityMemory4 record = {.kind = CUPTI_ACTIVITY_KIND_MEMORY2,
                                    .memoryOperationType =
                                        o->kind == EVENT_OPERATION_ALLOC
                                            ? CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION
                                            : CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE,
                                    .memoryKind = (CUpti_ActivityMemoryKind)memory_of(o->to),
                                    .correlationId = o->correlation,
                                    .address = o->to_address,
                                    .bytes = o->bytes,
                                    .timestamp = cupti_ns(o->start_ns),
                                    .processId = (uint32_t)getpid(),
                                    .deviceId = o->device,
                                    .contextId = context,
                                    .streamId = CUPTI_INVALID_STREAM_ID};
    cupti_buffer_add(&record, sizeof record);
}

/* What waits is known by the call that this thread is in. */
static CUpti_ActivitySynchronizationType wait_of_call(void)
{
    for (uint32_t i = 0; i < depth && i < DEEPEST; i++) {
        const char *name = cupti_number_name(EVENT_ACTIVITY_DRIVER, begun[i].number);
        if (i + 1 < depth || !name) continue; /* the innermost one is the driver's */
        if (strncmp(name, "cuEventSync", 11) == 0)
            return CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE;
        if (strncmp(name, "cuStreamSync", 12) == 0)
            return CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE;
        if (strncmp(name, "cuCtxSync", 9) == 0)
            return CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE;
    }
    return CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN;
}

static void record_wait(const struct event_operation *o)
{
    if (!cupti_kind_enabled(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION)) return;
    CUpti_ActivitySynchronizationType type = wait_of_call();
    bool of_stream = type == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE;
    CUpti_ActivitySynchronization2 record = {.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
                                             .type = type,
                                             .start = cupti_ns(o->start_ns),
                                             .end = cupti_ns(o->end_ns),
                                             .correlationId = o->correlation,
                                             .contextId = o->context + 1,
                                             .streamId = of_stream ? o->stream : CUPTI_INVALID_STREAM_ID,
                                             .cudaEventId = CUPTI_SYNCHRONIZATION_INVALID_VALUE};
    cupti_buffer_add(&record, sizeof record);
}

void cupti_record_operation(const struct event_operation *operation)
{
    switch ((int)operation->kind) {
    case EVENT_OPERATION_COPY: record_copy(operation); break;
    case EVENT_OPERATION_FILL: record_fill(operation); break;
    case EVENT_OPERATION_ALLOC:
    case EVENT_OPERATION_FREE: record_memory(operation); break;
    case EVENT_OPERATION_SYNC: record_wait(operation); break;
    default: break;
    }
}
