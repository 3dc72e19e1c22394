/* SPDX-License-Identifier: Apache-2.0 */
/* Operations for the tool: copies, fills, allocations, waits, and which memory a kernel was given. Nothing of
 * this costs anything unless the tool asks for operations.
 *
 * What a copy changes is found by comparing both sides before it is made. Limits: a kernel uses an allocation
 * when one of its 8-byte parameters points into it, structs among the parameters included; memory that it
 * reaches only through other memory is not seen. */
#include "driver_clock.h"
#include "driver_managed.h"

#include "driver/core/driver_activity.h"
#include "driver/core/driver_caller.h"

#include <stdlib.h>
#include <string.h>

static atomic_ullong next_order;

bool driver_operation_wanted(void)
{
    return driver_activity_on() || (driver.tool && (driver.tool->operation || driver.tool->clock));
}

static bool is_told(void)
{
    return driver.tool && driver.tool->operation;
}

void driver_operation_emit(const struct event_operation *operation)
{
    driver_activity_operation(operation);
    if (!is_told()) return;
    pthread_mutex_lock(&driver.tool_lock);
    driver.tool->operation(driver.tool->user, operation);
    pthread_mutex_unlock(&driver.tool_lock);
}

static void find_caller(struct event_operation *operation)
{
    const struct driver_caller *caller = is_told() ? driver_caller_find(NULL) : NULL;
    if (!caller) return;
    operation->api = caller->api;
    operation->caller = caller->where;
}

static struct event_operation operation_of(enum event_operation_kind kind)
{
    return (struct event_operation){.kind = (uint8_t)kind,
                                    .count = 1,
                                    .rows = 1,
                                    .order = atomic_fetch_add(&next_order, 1),
                                    .launches = atomic_load(&driver.next_launch),
                                    .correlation = driver_activity_correlation(),
                                    .thread = (uint32_t)driver_thread_number(),
                                    .api = "",
                                    .caller = ""};
}

static void on_stream(struct event_operation *operation, const struct driver_stream *stream)
{
    operation->stream = stream->ordinal;
    operation->context = stream->context ? stream->context->ordinal : 0;
    operation->device = stream->context ? (uint32_t)stream->context->device->ordinal : 0;
    operation->peer = operation->device;
}

struct event_operation driver_operation_of(enum event_operation_kind kind, const struct driver_stream *stream)
{
    struct event_operation operation = operation_of(kind);
    on_stream(&operation, stream);
    return operation;
}

/* ---- copies and fills */

static enum event_memory_kind memory_kind(enum vmem_kind kind)
{
    static const enum event_memory_kind KINDS[] = {[VMEM_NONE] = EVENT_MEMORY_PAGEABLE,
                                                   [VMEM_DEVICE] = EVENT_MEMORY_DEVICE,
                                                   [VMEM_HOST_PINNED] = EVENT_MEMORY_PINNED,
                                                   [VMEM_MANAGED] = EVENT_MEMORY_MANAGED,
                                                   [VMEM_HOST_REGISTERED] = EVENT_MEMORY_REGISTERED};
    return KINDS[kind];
}

static enum event_memory_kind operation_memory_of(const void *address)
{
    struct vmem_block block;
    return vmem_find(driver.vmem, (uintptr_t)address, &block) ? memory_kind(block.kind)
                                                              : EVENT_MEMORY_PAGEABLE;
}

static bool is_copy_or_fill(const struct driver_work *work)
{
    return work->kind == DRIVER_WORK_COPY || work->kind == DRIVER_WORK_FILL;
}

static bool on_device(const void *address, struct driver_allocation *out)
{
    return driver_memory_find((uintptr_t)address, out) && out->kind == VMEM_DEVICE;
}

static bool is_staged(const struct driver_copy *copy)
{
    struct driver_allocation from, to;
    if (driver.device_count < 2 || copy->staged) return false;
    if (!on_device(copy->from.base, &from) || !on_device(copy->to.base, &to)) return false;
    if (from.device == to.device) return false;
    uint64_t read = (uintptr_t)copy->from.base, written = (uintptr_t)copy->to.base;
    return !driver_permissions_reach(&driver.devices[from.device], written, 1, VMEM_WRITE) &&
           !driver_permissions_reach(&driver.devices[to.device], read, 1, VMEM_READ);
}

static struct event_operation *operation_describe(const struct driver_work *work,
                                                  const struct driver_stream *stream)
{
    struct event_operation *operation = sw_xmalloc(sizeof *operation);
    bool copies = work->kind == DRIVER_WORK_COPY;
    *operation = driver_operation_of(copies ? EVENT_OPERATION_COPY : EVENT_OPERATION_FILL, stream);
    operation->async = true;
    if (copies) {
        const struct driver_copy *copy = &work->copy;
        operation->from =
            (uint8_t)(copy->staged ? EVENT_MEMORY_PAGEABLE : operation_memory_of(copy->from.base));
        operation->to = (uint8_t)operation_memory_of(copy->to.base);
        operation->staged = is_staged(copy);
        operation->called_async = copy->async;
        operation->bytes = sw_product(copy->width, sw_product(copy->height, copy->depth));
        operation->rows = sw_product(copy->height, copy->depth);
        operation->from_address = copy->staged ? 0 : (uintptr_t)copy->from.base;
        operation->to_address = (uintptr_t)copy->to.base;
    } else {
        operation->to = (uint8_t)operation_memory_of(work->fill.base);
        operation->bytes =
            sw_product(work->fill.width, sw_product(work->fill.height, work->fill.element_bytes));
        operation->rows = work->fill.height;
        operation->to_address = (uintptr_t)work->fill.base;
        operation->value = work->fill.value;
    }
    return operation;
}

void driver_operation_queue(struct driver_work *work, const struct driver_stream *stream, bool waits)
{
    if (!driver_operation_wanted() || !is_copy_or_fill(work)) return;
    work->operation = operation_describe(work, stream);
    work->operation->async = !waits;
    find_caller(work->operation);
}

static bool copy_changes_nothing(const struct driver_copy *copy)
{
    for (uint64_t z = 0; z < copy->depth; z++)
        for (uint64_t y = 0; y < copy->height; y++)
            if (memcmp(copy->to.base + z * copy->to.slice + y * copy->to.pitch,
                       copy->from.base + z * copy->from.slice + y * copy->from.pitch, copy->width) != 0)
                return false;
    return true;
}

void driver_operation_begin(struct driver_work *work, const struct driver_stream *stream)
{
    if (!driver_operation_wanted()) return;
    if (!work->operation)
        work->operation = operation_describe(work, stream); /* of a graph, or asked for by a kernel */
    if (work->correlation) work->operation->correlation = work->correlation;
    driver_managed_copies(work->operation, stream, true); /* before we touch it ourselves */
    work->operation->unchanged =
        is_told() && work->kind == DRIVER_WORK_COPY && copy_changes_nothing(&work->copy);
    work->operation->start_ns = driver_now_ns();
}

void driver_operation_end(struct driver_work *work, const struct driver_stream *stream)
{
    if (!work->operation) return;
    work->operation->end_ns = driver_now_ns();
    if (work->operation->kind == EVENT_OPERATION_PREFETCH)
        driver_managed_prefetch(work->operation);
    else
        driver_managed_copies(work->operation, stream, false);
    if (!driver_clock_operation(stream, work->operation)) driver_operation_emit(work->operation);
    free(work->operation);
    work->operation = NULL; /* a graph runs its work again */
}

/* ---- allocations and waits */

static enum event_call operation_call_of(bool allocates, enum vmem_kind kind)
{
    bool host = kind == VMEM_HOST_PINNED || kind == VMEM_HOST_REGISTERED;
    if (allocates) return host ? EVENT_CALL_HOST_ALLOC : EVENT_CALL_ALLOC;
    return host ? EVENT_CALL_HOST_FREE : EVENT_CALL_FREE;
}

void driver_operation_memory(bool allocates, const struct driver_allocation *allocation)
{
    if (!driver_operation_wanted()) return;
    driver_clock_call(NULL, operation_call_of(allocates, allocation->kind), allocation->bytes);
    if (allocation->kind == VMEM_MANAGED) driver_managed_note(allocation, allocates);
    struct event_operation operation = operation_of(allocates ? EVENT_OPERATION_ALLOC : EVENT_OPERATION_FREE);
    operation.device = (uint32_t)allocation->device;
    operation.to = (uint8_t)memory_kind(allocation->kind); /* its context may have ended */
    operation.to_address = allocation->base;
    operation.bytes = allocation->bytes;
    operation.start_ns = operation.end_ns = driver_clock_ns();
    find_caller(&operation);
    driver_operation_emit(&operation);
}

void driver_operation_call(uint64_t begin_ns, uint64_t end_ns)
{
    if (!is_told() || !driver.tool->calls || begin_ns == end_ns) return;
    struct event_operation operation = operation_of(EVENT_OPERATION_CALL);
    operation.start_ns = begin_ns;
    operation.end_ns = end_ns;
    find_caller(&operation);
    driver_operation_emit(&operation);
}

void driver_operation_range(enum event_activity_range kind, const char *text, const char *domain,
                            uint64_t begin_ns, uint64_t end_ns)
{
    if (driver_state() != DRIVER_READY || !is_told() || !driver.tool->calls) return;
    struct event_operation operation = operation_of(EVENT_OPERATION_RANGE);
    operation.rows = kind;
    operation.start_ns = begin_ns;
    operation.end_ns = end_ns;
    operation.api = text;
    operation.caller = domain;
    driver_operation_emit(&operation);
}

uint64_t driver_operation_wait_begin(void)
{
    return driver_operation_wanted() ? driver_clock_ns() : 0;
}

void driver_operation_wait_end(uint64_t begin_ns, const struct driver_stream *stream)
{
    if (!driver_operation_wanted()) return;
    struct event_operation operation = operation_of(EVENT_OPERATION_SYNC);
    if (stream) on_stream(&operation, stream);
    operation.start_ns = begin_ns;
    operation.end_ns = driver_clock_ns();
    find_caller(&operation);
    driver_operation_emit(&operation);
}

/* ---- what kernels use */

uint32_t driver_operation_uses(const struct driver_launch *launch, struct vmem_block uses[DRIVER_USES])
{
    uint32_t count = 0;
    uint64_t bytes = launch->param_bytes;
    for (uint64_t at = 0; at + sizeof(uint64_t) <= bytes && count < DRIVER_USES; at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, launch->params + at, sizeof word);
        bool known = !word || !vmem_find(driver.vmem, word, &uses[count]);
        for (uint32_t i = 0; i < count && !known; i++)
            known = uses[i].base == uses[count].base;
        count += !known;
    }
    return count;
}

static bool is_of_peer(const struct vmem_block *block, const struct driver_device *device)
{
    struct driver_allocation allocation;
    return block->kind == VMEM_DEVICE && driver.device_count > 1 &&
           driver_memory_find(block->base, &allocation) && allocation.device != device->ordinal;
}

uint32_t driver_operation_far(const struct driver_launch *launch, const struct driver_device *device,
                              struct event_range far[DRIVER_USES], uint64_t *reach_bytes)
{
    struct vmem_block uses[DRIVER_USES];
    uint32_t count = driver_operation_wanted() ? driver_operation_uses(launch, uses) : 0, found = 0;
    *reach_bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        *reach_bytes += uses[i].bytes;
        bool host = uses[i].kind == VMEM_HOST_PINNED || uses[i].kind == VMEM_HOST_REGISTERED;
        bool peer = !host && is_of_peer(&uses[i], device);
        if (host || peer)
            far[found++] = (struct event_range){uses[i].base, uses[i].base + uses[i].bytes, peer};
    }
    return found;
}

static void emit_use(uint64_t launch, const struct vmem_block *block)
{
    struct event_operation operation = operation_of(EVENT_OPERATION_USE);
    operation.launches = launch;
    operation.to = (uint8_t)memory_kind(block->kind);
    operation.to_address = block->base;
    operation.bytes = block->bytes;
    operation.start_ns = operation.end_ns = driver_clock_ns();
    driver_operation_emit(&operation);
}

void driver_operation_launch(const struct driver_launch *launch)
{
    struct vmem_block uses[DRIVER_USES];
    if (!driver_operation_wanted()) return;
    uint32_t count = driver_operation_uses(launch, uses);
    for (uint32_t i = 0; i < count; i++)
        emit_use(launch->id, &uses[i]);
}

void driver_operation_use(uint64_t launch, uint64_t address)
{
    struct vmem_block block;
    if (driver_operation_wanted() && vmem_find(driver.vmem, address, &block)) emit_use(launch, &block);
}

void driver_operation_prefetch(struct driver_work *work, const struct driver_stream *stream, dev_addr address,
                               uint64_t bytes, bool to_device)
{
    work->operation = sw_xmalloc(sizeof *work->operation);
    *work->operation = driver_operation_of(EVENT_OPERATION_PREFETCH, stream);
    work->operation->from = to_device ? EVENT_MEMORY_PAGEABLE : EVENT_MEMORY_DEVICE;
    work->operation->to = to_device ? EVENT_MEMORY_DEVICE : EVENT_MEMORY_PAGEABLE;
    work->operation->to_address = address;
    work->operation->bytes = bytes;
    work->operation->async = true;
    find_caller(work->operation);
}
