/* SPDX-License-Identifier: Apache-2.0 */
/* Work: what a queue entry does, whichever thread runs it.
 *
 * In a failed context copies, fills and launches are dropped; event records and releases still happen, and
 * callbacks of the older kind are called with the error, as CUDA documents for cuStreamAddCallback. */
#include "driver_work.h"

#include "driver_copy.h"
#include "driver_graph.h"
#include "driver_module.h"
#include "driver_operation.h"

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

void driver_copy_run(const struct driver_copy *copy)
{
    for (uint64_t z = 0; z < copy->depth; z++)
        copy_rows(copy, copy->from.base + z * copy->from.slice, copy->to.base + z * copy->to.slice);
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
}

static void host_run(const struct driver_host *host, CUresult fault)
{
    driver_in_callback = true;
    if (host->callback)
        host->callback(host->stream, fault, host->user);
    else if (fault == CUDA_SUCCESS)
        host->function(host->user);
    driver_in_callback = false;
}

/* Held while memory is copied or filled, and by whoever gives memory back: a program that frees what another
 * of its threads copies to gets an error and no signal. */
static pthread_rwlock_t running = PTHREAD_RWLOCK_INITIALIZER;

void driver_work_hold_copies(void)
{
    pthread_rwlock_wrlock(&running);
}

void driver_work_let_copies(void)
{
    pthread_rwlock_unlock(&running);
}

/* Memory of a device may have been freed since the work was queued. */
static bool plane_is_live(const struct driver_plane *plane, const struct driver_copy *copy)
{
    uint64_t bytes = (copy->depth - 1) * plane->slice + (copy->height - 1) * plane->pitch + copy->width;
    dev_addr at = (uintptr_t)plane->base;
    return !vmem_in_reservation(driver.vmem, at) || driver_memory_valid(at, bytes);
}

static void copy_or_fail(struct driver_work *work, const struct driver_stream *stream)
{
    const struct driver_copy *copy = &work->copy;
    pthread_rwlock_rdlock(&running);
    bool live = (copy->staged || plane_is_live(&copy->from, copy)) && plane_is_live(&copy->to, copy);
    if (live) driver_operation_begin(work, stream);
    if (live) driver_copy_run(copy);
    pthread_rwlock_unlock(&running);
    if (live) driver_operation_end(work, stream);
    if (!live && stream->context) driver_context_fail_one(stream->context, CUDA_ERROR_ILLEGAL_ADDRESS);
}

static void fill_or_fail(struct driver_work *work, const struct driver_stream *stream)
{
    const struct driver_fill *fill = &work->fill;
    struct driver_copy shape = {
        .width = fill->width * fill->element_bytes, .height = fill->height, .depth = 1};
    struct driver_plane plane = {fill->base, fill->pitch, 0};
    pthread_rwlock_rdlock(&running);
    bool live = plane_is_live(&plane, &shape);
    if (live) driver_operation_begin(work, stream);
    if (live) driver_fill_run(fill);
    pthread_rwlock_unlock(&running);
    if (live) driver_operation_end(work, stream);
    if (!live && stream->context) driver_context_fail_one(stream->context, CUDA_ERROR_ILLEGAL_ADDRESS);
}

void driver_work_run(struct driver_work *work, struct driver_stream *stream)
{
    struct driver_context *context = stream->context;
    CUresult fault = context ? (CUresult)atomic_load(&context->fault) : CUDA_SUCCESS;
    bool ok = fault == CUDA_SUCCESS;
    switch (work->kind) {
    case DRIVER_WORK_NOTHING: driver_operation_end(work, stream); break;
    case DRIVER_WORK_COPY:
        if (ok) copy_or_fail(work, stream);
        break;
    case DRIVER_WORK_FILL:
        if (ok) fill_or_fail(work, stream);
        break;
    case DRIVER_WORK_LAUNCH:
        if (ok && driver_updatable_take(&work->launch)) driver_launch_run(&work->launch, stream);
        break;
    case DRIVER_WORK_HOST: host_run(&work->host, fault); break;
    case DRIVER_WORK_RECORD:
        driver_event_mark(work->record.event, work->record.generation, work->record.number);
        break;
    case DRIVER_WORK_RELEASE:
        if (driver_graph_memory_is(work->address))
            driver_graph_memory_let_go(work->address);
        else
            driver_memory_release(work->address, VMEM_DEVICE, VMEM_MANAGED);
        break;
    case DRIVER_WORK_BATCH:
        if (ok) driver_batch_run(&work->batch, context);
        break;
    case DRIVER_WORK_BEGIN: driver_graph_begin(work->graph); break;
    case DRIVER_WORK_CHOICE:
        if (ok) driver_choice_run(work->choice, stream);
        break;
    case DRIVER_WORK_GRAPH:
        if (ok) driver_graph_run_now(work->graph, stream);
        break;
    case DRIVER_WORK_TAIL:
        if (ok) driver_graph_run_tails(work->tail, stream);
        break;
    }
}

void driver_work_release(struct driver_work *work)
{
    free(work->operation);
    if (work->kind == DRIVER_WORK_COPY) free(work->copy.staged);
    if (work->kind == DRIVER_WORK_BATCH) free(work->batch.ops);
    if (work->kind == DRIVER_WORK_CHOICE) driver_choice_free(work->choice);
    if (work->kind == DRIVER_WORK_BEGIN || work->kind == DRIVER_WORK_GRAPH || work->kind == DRIVER_WORK_TAIL)
        driver_graph_work_release(work);
    if (work->kind == DRIVER_WORK_LAUNCH) {
        driver_function_put(work->launch.function);
        free(work->launch.params);
        driver_updatable_let_go(&work->launch);
    }
    if (work->kind == DRIVER_WORK_RECORD) driver_object_unref(&work->record.event->object);
}

void driver_work_copy(struct driver_work *to, const struct driver_work *from)
{
    *to = *from;
    to->operation = NULL;
    if (from->kind == DRIVER_WORK_LAUNCH) {
        uint64_t bytes = from->launch.function->entry->param_bytes + 16; /* as driver_launch_make allocates */
        driver_object_ref(&from->launch.function->module->object);
        to->launch.params = sw_xmalloc(bytes);
        memcpy(to->launch.params, from->launch.params, bytes);
        driver_updatable_keep(&to->launch);
    }
    if (from->kind == DRIVER_WORK_RECORD) driver_object_ref(&from->record.event->object);
    if (from->kind == DRIVER_WORK_BATCH) to->batch = driver_batch_copy(&from->batch);
    if (from->kind == DRIVER_WORK_CHOICE) to->choice = driver_choice_copy(from->choice);
    if (from->kind == DRIVER_WORK_COPY && from->copy.staged) BUG("a staged copy is queued once");
}
