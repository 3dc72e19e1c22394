/* SPDX-License-Identifier: Apache-2.0 */
/* Work: what a queue entry does, whichever thread runs it. Copies, fills and host functions are here; other
 * kinds come from the modules that they belong to (driver_work_define).
 *
 * In a failed context copies, fills and launches are dropped; event records and releases still happen, and
 * callbacks of the older kind are called with the error, as CUDA documents for cuStreamAddCallback. */
#include "driver_work.h"

#include "driver_order.h"

#include "driver/clock/driver_operation.h"
#include "driver/core/driver_caller.h"
#include "driver/core/driver_finding.h"
#include "driver/memory/driver_misuse.h"

#include <stdlib.h>
#include <string.h>

static void copy_rows(const struct driver_copy *copy, const uint8_t *from, uint8_t *to)
{
    if (copy->from.pitch == copy->width && copy->to.pitch == copy->width) {
        memmove(to, from, copy->width * copy->height);
        return;
    }
    for (uint64_t y = 0; y < copy->height; y++)
        memmove(to + y * copy->to.pitch, from + y * copy->from.pitch, copy->width);
}

/* What was never written does not become so by being copied. */
static void note_copy(const struct driver_copy *copy)
{
    struct driver_allocation to;
    if (!(driver.tool && driver.tool->checks & EVENT_CHECK_INIT)) return;
    if (!driver_memory_find((uintptr_t)copy->to.base, &to) || to.kind != VMEM_DEVICE) return;
    for (uint64_t z = 0; z < copy->depth; z++)
        for (uint64_t y = 0; y < copy->height; y++)
            engine_memory_copied(
                driver.engine, (uintptr_t)copy->to.base + z * copy->to.slice + y * copy->to.pitch,
                (uintptr_t)copy->from.base + z * copy->from.slice + y * copy->from.pitch, copy->width);
}

void driver_copy_run(const struct driver_copy *copy)
{
    note_copy(copy); /* before the host's pages are read: some kernels then hold them for written */
    for (uint64_t z = 0; z < copy->depth; z++)
        copy_rows(copy, copy->from.base + z * copy->from.slice, copy->to.base + z * copy->to.slice);
}

static void plane_accessed(const struct driver_work *work, const struct driver_plane *plane, bool writes)
{
    const struct driver_copy *copy = &work->copy;
    for (uint64_t z = 0; z < copy->depth; z++)
        for (uint64_t y = 0; y < copy->height; y++)
            driver_order_access(work, (uintptr_t)plane->base + z * plane->slice + y * plane->pitch,
                                copy->width, writes);
}

/* Then no order of its reads and writes changes what stands there. */
static bool is_onto_itself(const struct driver_copy *copy)
{
    const struct driver_plane *from = &copy->from, *to = &copy->to;
    bool rows = copy->height == 1 || from->pitch == to->pitch,
         slices = copy->depth == 1 || from->slice == to->slice;
    return from->base == to->base && rows && slices;
}

/* What nobody wrote comes to the host. */
static void check_copy_out(const struct driver_work *work)
{
    const struct driver_copy *copy = &work->copy;
    struct driver_allocation from, to;
    if (!driver_checks(EVENT_CHECK_INIT) || !work->caller) return;
    if (!driver_memory_find((uintptr_t)copy->from.base, &from) || from.kind != VMEM_DEVICE) return;
    if (driver_memory_find((uintptr_t)copy->to.base, &to) && to.kind == VMEM_DEVICE) return;
    struct event_finding finding = {.kind = EVENT_FINDING_UNINITIALIZED,
                                    .space = ISA_SPACE_GLOBAL,
                                    .place = {.call = work->caller->api, .where = work->caller->where},
                                    .count = 1};
    for (uint64_t z = 0; z < copy->depth && !finding.address; z++)
        for (uint64_t y = 0; y < copy->height && !finding.address; y++)
            finding.address = engine_memory_unwritten(
                driver.engine, (uintptr_t)copy->from.base + z * copy->from.slice + y * copy->from.pitch,
                copy->width);
    if (!finding.address) return;
    finding.place.bytes = copy->width < UINT32_MAX ? (uint32_t)copy->width : UINT32_MAX;
    driver_misuse_describe(finding.address, &finding);
    driver_finding_tell(&finding);
}

static void fill_row(uint8_t *to, uint64_t count, uint32_t value, uint32_t element_bytes)
{
    if (element_bytes == 1) memset(to, (int)value, count);
    for (uint64_t i = 0; element_bytes == 2 && i < count; i++)
        ((uint16_t *)(void *)to)[i] = (uint16_t)value;
    for (uint64_t i = 0; element_bytes == 4 && i < count; i++)
        ((uint32_t *)(void *)to)[i] = value;
}

void driver_fill_run(const struct driver_fill *fill)
{
    for (uint64_t y = 0; y < fill->height; y++)
        fill_row(fill->base + y * fill->pitch, fill->width, fill->value, fill->element_bytes);
    for (uint64_t y = 0; y < fill->height; y++)
        engine_memory_written(driver.engine, (uintptr_t)fill->base + y * fill->pitch,
                              fill->width * fill->element_bytes);
}

static CUresult fault_of(const struct driver_stream *stream)
{
    return stream->context ? (CUresult)atomic_load(&stream->context->fault) : CUDA_SUCCESS;
}

static void host_run(struct driver_work *work, struct driver_stream *stream)
{
    const struct driver_host *host = &work->host;
    CUresult fault = fault_of(stream);
    driver_in_callback = true;
    if (host->callback)
        host->callback(host->stream, fault, host->user);
    else if (fault == CUDA_SUCCESS)
        host->function(host->user);
    driver_in_callback = false;
}

/* Memory of a device may have been freed since the work was queued. */
static bool plane_is_live(const struct driver_plane *plane, const struct driver_copy *copy)
{
    uint64_t bytes = driver_plane_span(plane, copy->width, copy->height, copy->depth);
    dev_addr at = (uintptr_t)plane->base;
    return !vmem_in_reservation(driver.vmem, at) || driver_memory_valid(at, bytes);
}

static void copy_or_fail(struct driver_work *work, struct driver_stream *stream)
{
    const struct driver_copy *copy = &work->copy;
    driver_memory_hold();
    bool live = (copy->staged || plane_is_live(&copy->from, copy)) && plane_is_live(&copy->to, copy);
    if (live) driver_operation_begin(work, stream);
    if (live) {
        check_copy_out(work);
        driver_copy_run(copy);
        if (!is_onto_itself(copy)) plane_accessed(work, &copy->from, false);
        plane_accessed(work, &copy->to, true);
    }
    driver_memory_let_go();
    if (live) driver_operation_end(work, stream);
    if (!live && stream->context) driver_context_fail_one(stream->context, CUDA_ERROR_ILLEGAL_ADDRESS);
}

static void fill_or_fail(struct driver_work *work, struct driver_stream *stream)
{
    const struct driver_fill *fill = &work->fill;
    struct driver_copy copy = {
        .width = fill->width * fill->element_bytes, .height = fill->height, .depth = 1};
    struct driver_plane plane = {fill->base, fill->pitch, 0};
    driver_memory_hold();
    bool live = plane_is_live(&plane, &copy);
    if (live) driver_operation_begin(work, stream);
    if (live) driver_fill_run(fill);
    for (uint64_t y = 0; live && y < fill->height; y++)
        driver_order_access(work, (uintptr_t)fill->base + y * fill->pitch, copy.width, true);
    driver_memory_let_go();
    if (live) driver_operation_end(work, stream);
    if (!live && stream->context) driver_context_fail_one(stream->context, CUDA_ERROR_ILLEGAL_ADDRESS);
}

static void nothing_run(struct driver_work *work, struct driver_stream *stream)
{
    driver_operation_end(work, stream);
}

static void copy_release(struct driver_work *work)
{
    free(work->copy.staged);
}

static void copy_copy(struct driver_work *to, const struct driver_work *from)
{
    (void)to;
    if (from->copy.staged) BUG("a staged copy is queued once");
}

/* ---- kinds */

static const struct driver_work_ops *kinds[DRIVER_WORK_TAIL + 1] = {
    [DRIVER_WORK_NOTHING] = &(const struct driver_work_ops){.run = nothing_run, .always = true},
    [DRIVER_WORK_COPY] =
        &(const struct driver_work_ops){.run = copy_or_fail, .release = copy_release, .copy = copy_copy},
    [DRIVER_WORK_FILL] = &(const struct driver_work_ops){.run = fill_or_fail},
    [DRIVER_WORK_HOST] = &(const struct driver_work_ops){.run = host_run, .always = true},
};

void driver_work_define(enum driver_work_kind kind, const struct driver_work_ops *ops)
{
    kinds[kind] = ops;
}

void driver_work_run(struct driver_work *work, struct driver_stream *stream)
{
    const struct driver_work_ops *ops = kinds[work->kind];
    if (ops->always || fault_of(stream) == CUDA_SUCCESS)
        ops->run(work, stream);
    else if (ops->dropped)
        ops->dropped(work);
}

void driver_work_release(struct driver_work *work)
{
    free(work->operation);
    if (kinds[work->kind]->release) kinds[work->kind]->release(work);
}

void driver_work_copy(struct driver_work *to, const struct driver_work *from)
{
    *to = *from;
    to->operation = NULL;
    to->wait = NULL;
    if (kinds[from->kind]->copy) kinds[from->kind]->copy(to, from);
}

bool driver_work_is_over(const struct driver_work *work)
{
    const struct driver_work_ops *ops = kinds[work->kind];
    return ops->is_over && ops->is_over(work);
}
