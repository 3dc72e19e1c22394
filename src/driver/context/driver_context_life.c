/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts: how they begin and end, and waiting for all of one's work. driver_primary.c: the primary ones;
 * driver_context_query.c: questions and settings. */
#include "driver_context_life.h"

#include "driver_green.h"

#include "driver/clock/driver_clock.h"
#include "driver/clock/driver_operation.h"
#include "driver/core/driver_error.h"
#include "driver/memory/driver_misuse.h"
#include "driver/module/driver_module.h"
#include "driver/stream/driver_capture.h"
#include "driver/stream/driver_stream.h"

#include <stdlib.h>
#include <string.h>

static void context_end(struct driver_object *object)
{
    struct driver_context *context = (struct driver_context *)object;
    driver_context_unlist(context);
    if (context->root != context) driver_object_unref(&context->root->object);
    driver_resource_unref(context->part);
    vec_release(&context->streams);
    vec_release(&context->modules);
    map_release(&context->thread_streams);
    pthread_mutex_destroy(&context->lock);
    free(context);
}

CUresult driver_context_new(struct driver_device *device, unsigned flags, bool primary,
                            struct driver_context *root, struct driver_context **out)
{
    if (!driver_worker_first()) {
        sw_log("cannot start a thread for the work of a context; raise the limit of processes (ulimit -u) or "
               "of address space (ulimit -v)");
        return CUDA_ERROR_OPERATING_SYSTEM;
    }
    struct driver_context *context = sw_xcalloc(1, sizeof *context);
    driver_object_init(&context->object, DRIVER_CONTEXT, context_end);
    context->device = device;
    context->root = root ? root : context;
    if (root) driver_object_ref(&root->object);
    context->sm_count = (unsigned)device->gpu.sm_count;
    context->primary = primary;
    context->flags = flags;
    context->api_version = 3020;
    context->id = atomic_fetch_add(&driver.next_context, 1) + 1;
    context->ordinal = (unsigned)(context->id - 1);
    pthread_mutex_init(&context->lock, NULL);
    driver_limits_init(context);
    CUresult result = driver_context_list(context);
    if (result == CUDA_SUCCESS) result = driver_stream_default_new(context, true, &context->legacy);
    if (result != CUDA_SUCCESS) {
        driver_object_unref(&context->object);
        return result;
    }
    if (!root) driver_handle_add(&context->object);
    driver_device_note(device->ordinal);
    *out = context;
    return CUDA_SUCCESS;
}

static void release_modules(struct driver_context *context)
{
    for (;;) {
        pthread_mutex_lock(&context->lock);
        struct driver_module *module =
            context->modules.count ? context->modules.at[--context->modules.count] : NULL;
        pthread_mutex_unlock(&context->lock);
        if (!module) return;
        driver_module_close(module);
        if (driver_handle_take(module, DRIVER_MODULE)) driver_object_unref(&module->object);
    }
}

/* A stream that the program destroyed, or that a graph uses, may still be listed: something else holds it. */
static void release_streams(struct driver_context *context)
{
    pthread_mutex_lock(&context->lock);
    map_release(&context->thread_streams); /* no thread finds its default stream from now on */
    context->thread_streams = (struct map){0};
    pthread_mutex_unlock(&context->lock);
    struct driver_stream **streams;
    uint32_t count = driver_scheduler_streams(context, &(struct driver_dependency){0}, &streams);
    for (uint32_t i = 0; i < count; i++) {
        struct driver_stream *stream = streams[i];
        driver_scheduler_detach(stream);
        pthread_mutex_lock(&context->lock);
        bool hidden = stream->hidden;
        pthread_mutex_unlock(&context->lock);
        if (hidden || (!context->part && driver_handle_take(stream, DRIVER_STREAM)))
            driver_object_unref(&stream->object);
        driver_object_unref(&stream->object);
    }
    free(streams);
}

/* The handle is already invalid; wait for the work, then let go of what belongs to the context. Handles of a
 * green context's streams stay, to be destroyed. */
void driver_context_close(struct driver_context *context)
{
    atomic_store_explicit(&context->gone, true, memory_order_release);
    driver_scheduler_wait_context(context);
    /* Another thread may have asked for work since: what has not begun does not, what has is waited for. */
    int none = CUDA_SUCCESS;
    atomic_compare_exchange_strong(&context->fault, &none, CUDA_ERROR_CONTEXT_IS_DESTROYED);
    driver_scheduler_wait_context(context);
    driver_print_flush();
    release_modules(context);
    driver_scheduler_close_context(context);
    release_streams(context);
    driver_misuse_leaks(context);
    driver_memory_release_context(context);
    if (driver_permissions_close(context)) driver_memory_apply_permissions();
    driver_object_unref(&context->object);
}

/* ---- made by the program */

bool driver_context_flags_are_valid(unsigned flags)
{
    unsigned way = flags & CU_CTX_SCHED_MASK;
    return !(flags & ~(unsigned)CU_CTX_FLAGS_MASK) && !(way & (way - 1));
}

static CUresult context_life_create(CUcontext *out, unsigned flags, CUdevice ordinal, unsigned api_version)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    if (!out || !driver_context_flags_are_valid(flags)) return CUDA_ERROR_INVALID_VALUE;
    struct driver_context *context;
    DRIVER_TRY(driver_context_new(device, flags, false, NULL, &context));
    context->api_version = api_version;
    driver_object_ref(&context->object);
    driver_context_push(context);
    *out = (CUcontext)context;
    return CUDA_SUCCESS;
}

DRIVER_API cuCtxCreate_v4(CUcontext *out, CUctxCreateParams *params, unsigned flags, CUdevice device)
{
    static int refused;
    DRIVER_TRY(driver_ready());
    if (params && params->numExecAffinityParams > 0 && !params->execAffinityParams)
        return CUDA_ERROR_INVALID_VALUE;
    if (params && (params->numExecAffinityParams > 0 || params->cigParams))
        return driver_refuse_call(&refused, "cuCtxCreate", "execution affinity and graphics clients");
    return context_life_create(out, flags, device, 4000);
}

CUresult CUDAAPI cuCtxCreate_v2(CUcontext *, unsigned, CUdevice);
CUresult CUDAAPI cuCtxCreate_v3(CUcontext *, CUexecAffinityParam *, int, unsigned, CUdevice);

DRIVER_API cuCtxCreate_v2(CUcontext *out, unsigned flags, CUdevice device)
{
    return context_life_create(out, flags, device, 3020);
}

DRIVER_API cuCtxCreate_v3(CUcontext *out, CUexecAffinityParam *params, int count, unsigned flags,
                          CUdevice device)
{
    static int refused;
    if (count > 0 && !params) return CUDA_ERROR_INVALID_VALUE;
    if (params && count > 0) return driver_refuse_call(&refused, "cuCtxCreate", "execution affinity");
    return context_life_create(out, flags, device, 3020);
}

DRIVER_API cuCtxDestroy_v2(CUcontext handle)
{
    if (!handle) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(driver_ready());
    struct driver_context *context = driver_handle_get(handle, DRIVER_CONTEXT);
    if (!context) return CUDA_ERROR_INVALID_CONTEXT;
    bool stays = context->primary || context->part;
    driver_object_unref(&context->object);
    if (stays || !driver_handle_take(handle, DRIVER_CONTEXT)) return CUDA_ERROR_INVALID_CONTEXT;
    if (driver_context_top() == context) driver_context_pop();
    driver_context_close(context);
    return CUDA_SUCCESS;
}

DRIVER_API cuCtxAttach(CUcontext *out, unsigned flags)
{
    return flags ? CUDA_ERROR_INVALID_VALUE : cuCtxGetCurrent(out);
}

DRIVER_API cuCtxDetach(CUcontext handle)
{
    DRIVER_TRY(driver_ready());
    if (!handle || handle != (CUcontext)driver_context_top())
        return CUDA_ERROR_INVALID_CONTEXT; /* the current one alone */
    return cuCtxDestroy_v2(handle);
}

/* ---- waiting for all of one's work */

DRIVER_API cuCtxSynchronize(void)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_view(&context));
    DRIVER_TRY(driver_capture_forbid_context(context));
    uint64_t begin_ns = driver_operation_wait_begin();
    driver_clock_call(context, EVENT_CALL_SYNC, 0);
    CUresult result = driver_context_wait(context);
    driver_operation_wait_end(begin_ns, NULL);
    return result;
}

DRIVER_API cuCtxSynchronize_v2(CUcontext handle)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_alive(handle, &context));
    CUresult result = driver_capture_forbid_context(context);
    uint64_t begin_ns = driver_operation_wait_begin();
    if (result == CUDA_SUCCESS) result = driver_context_wait(context);
    driver_operation_wait_end(begin_ns, NULL);
    driver_object_unref(&context->object);
    return result;
}
