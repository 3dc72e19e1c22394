/* SPDX-License-Identifier: Apache-2.0 */
/* Green contexts: a device's primary context with some of its multiprocessors.
 *
 * One is a context of its own for streams, and shares memory, modules and events with the primary context
 * (its root). Its handle is that of the CUcontext it converts to. A kernel in one of its streams has its
 * multiprocessors: so many blocks are resident, a cooperative grid may be so large, and %nsmid says that
 * number. Limits: %smid counts from 0 within the green context; that other contexts stay off these
 * multiprocessors is true of all contexts here. What H200s answered: tests/conform, "green" and "green
 * contexts". */
#include "driver_green.h"

#include "driver_context_life.h"

#include "driver/stream/driver_stream.h"

/* A reference to a green context; one that is none counts as destroyed, as NVIDIA's library says. */
static CUresult green_get(CUgreenCtx handle, struct driver_context **out)
{
    DRIVER_TRY(driver_ready());
    if (!handle) return CUDA_ERROR_INVALID_CONTEXT;
    struct driver_context *context = driver_handle_get(handle, DRIVER_CONTEXT);
    if (context && !context->part) {
        driver_object_unref(&context->object);
        context = NULL;
    }
    *out = context;
    return context ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

/* The same, but that of a process in which a kernel failed answers with that error. */
static CUresult green_working(CUgreenCtx handle, struct driver_context **out)
{
    DRIVER_TRY(green_get(handle, out));
    CUresult fault = (CUresult)atomic_load(&(*out)->fault);
    if (fault != CUDA_SUCCESS) driver_object_unref(&(*out)->object);
    return fault;
}

static CUresult green_new(struct driver_device *device, struct driver_resource *part, CUgreenCtx *out)
{
    struct driver_context *root, *green;
    DRIVER_TRY(driver_primary_retain(device, &root));
    CUresult result = driver_context_new(device, root->flags, false, root, &green);
    if (result != CUDA_SUCCESS) {
        driver_primary_release(device);
        return result;
    }
    driver_object_ref(&part->object);
    green->part = part;
    green->sm_count = driver_resource_count(part->mask);
    driver_handle_add(&green->object);
    *out = (CUgreenCtx)green;
    return CUDA_SUCCESS;
}

/* Without a descriptor it has the whole device, as two H200s answered. */
DRIVER_API cuGreenCtxCreate(CUgreenCtx *out, CUdevResourceDesc desc, CUdevice ordinal, unsigned flags)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    if (!out || flags != CU_GREEN_CTX_DEFAULT_STREAM) return CUDA_ERROR_INVALID_VALUE;
    struct driver_resource *part =
        desc ? driver_handle_get(desc, DRIVER_RESOURCE) : driver_resource_all(device);
    if (!part) return CUDA_ERROR_INVALID_VALUE;
    CUresult result = part->device == device ? green_new(device, part, out) : CUDA_ERROR_INVALID_DEVICE;
    driver_resource_unref(part);
    return result;
}

DRIVER_API cuGreenCtxDestroy(CUgreenCtx handle)
{
    struct driver_context *green;
    DRIVER_TRY(green_get(handle, &green));
    struct driver_device *device = green->device;
    bool mine = driver_handle_take(handle, DRIVER_CONTEXT) != NULL;
    if (mine) driver_context_close(green);
    driver_object_unref(&green->object);
    if (mine) driver_primary_release(device);
    return mine ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

DRIVER_API cuCtxFromGreenCtx(CUcontext *out, CUgreenCtx handle)
{
    struct driver_context *green;
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(green_working(handle, &green));
    atomic_store(&green->converted, true);
    *out = (CUcontext)green;
    driver_object_unref(&green->object);
    return CUDA_SUCCESS;
}

DRIVER_API cuGreenCtxGetDevResource(CUgreenCtx handle, CUdevResource *out, CUdevResourceType type)
{
    struct driver_context *green;
    DRIVER_TRY(green_working(handle, &green));
    CUresult result = driver_resource_tell(green->part, out, type);
    driver_object_unref(&green->object);
    return result;
}

DRIVER_API cuCtxGetDevResource(CUcontext handle, CUdevResource *out, CUdevResourceType type)
{
    DRIVER_TRY(driver_ready());
    if (!handle) return CUDA_ERROR_INVALID_CONTEXT;
    struct driver_context *context = driver_handle_get(handle, DRIVER_CONTEXT);
    if (!context) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    CUresult fault = (CUresult)atomic_load(&context->fault);
    struct driver_resource *all = context->part ? NULL : driver_resource_all(context->device);
    CUresult result =
        fault == CUDA_SUCCESS ? driver_resource_tell(all ? all : context->part, out, type) : fault;
    driver_resource_unref(all);
    driver_object_unref(&context->object);
    return result;
}

DRIVER_API cuGreenCtxGetId(CUgreenCtx handle, unsigned long long *id)
{
    struct driver_context *green;
    DRIVER_TRY(green_working(handle, &green));
    if (id) *id = green->id;
    driver_object_unref(&green->object);
    return id ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuGreenCtxStreamCreate(CUstream *out, CUgreenCtx handle, unsigned flags, int priority)
{
    struct driver_context *green;
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(green_working(handle, &green));
    CUresult result = flags == CU_STREAM_NON_BLOCKING ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) result = driver_stream_create(out, green, flags, priority);
    driver_object_unref(&green->object);
    return result;
}

/* ---- events of all its streams */

static CUresult with_event(CUgreenCtx handle, CUevent event_handle,
                           CUresult (*act)(struct driver_context *, struct driver_event *))
{
    struct driver_context *green;
    DRIVER_TRY(green_working(handle, &green));
    struct driver_event *event = driver_handle_get(event_handle, DRIVER_EVENT);
    CUresult result = event          ? act(green, event)
                      : event_handle ? CUDA_ERROR_CONTEXT_IS_DESTROYED
                                     : CUDA_ERROR_INVALID_HANDLE;
    if (event) driver_object_unref(&event->object);
    driver_object_unref(&green->object);
    return result;
}

DRIVER_API cuGreenCtxRecordEvent(CUgreenCtx green, CUevent event)
{
    return with_event(green, event, driver_context_record);
}

DRIVER_API cuGreenCtxWaitEvent(CUgreenCtx green, CUevent event)
{
    return with_event(green, event, driver_context_wait_event);
}
