/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts: their life, each thread's stack of current ones, the sticky error, and waiting for all of one's
 * work. driver_primary.c: the primary ones; driver_context_query.c: questions and settings.
 *
 * When a kernel fails, all contexts of the process fail with it, as two H200s showed: queued work is dropped
 * and every call answers with that error; no context can be made any more. All contexts of a process share
 * one address space, so a pointer of one works in another, which CUDA does not promise. */
#include "driver_capture.h"
#include "driver_clock.h"
#include "driver_error.h"
#include "driver_green.h"
#include "driver_module.h"
#include "driver_operation.h"
#include "driver_pool.h"
#include "driver_stream.h"

#include <stdlib.h>
#include <string.h>

struct stack {
    VEC(struct driver_context *) contexts; /* references */
};
static _Thread_local struct stack current;
_Thread_local bool driver_in_callback;

uint64_t driver_thread_number(void)
{
    static atomic_ullong next;
    static _Thread_local uint64_t number;
    if (!number) number = atomic_fetch_add(&next, 1) + 1;
    return number;
}

static struct driver_context *top(void)
{
    return current.contexts.count ? current.contexts.at[current.contexts.count - 1] : NULL;
}

bool driver_context_gone(const struct driver_context *context)
{
    return atomic_load_explicit(&context->gone, memory_order_acquire) ||
           atomic_load_explicit(&context->root->gone, memory_order_acquire);
}

CUresult driver_context_any(struct driver_context **out)
{
    DRIVER_TRY(driver_ready());
    if (driver_in_callback) return CUDA_ERROR_NOT_PERMITTED;
    if (!top()) return CUDA_ERROR_INVALID_CONTEXT;
    if (driver_context_gone(top())) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    *out = top()->root;
    return CUDA_SUCCESS;
}

CUresult driver_context_current(struct driver_context **out)
{
    DRIVER_TRY(driver_context_any(out));
    return (CUresult)atomic_load_explicit(&(*out)->fault, memory_order_acquire);
}

CUresult driver_context_view(struct driver_context **out)
{
    struct driver_context *root;
    DRIVER_TRY(driver_context_current(&root));
    *out = top();
    return CUDA_SUCCESS;
}

/* ---- the sticky error */

static struct {
    pthread_mutex_t lock;
    struct driver_context *first;
    CUresult fault; /* of the process */
} contexts = {.lock = PTHREAD_MUTEX_INITIALIZER};

void driver_context_fail(CUresult result)
{
    pthread_mutex_lock(&contexts.lock);
    if (contexts.fault == CUDA_SUCCESS) contexts.fault = result;
    for (struct driver_context *context = contexts.first; context; context = context->next)
        atomic_store_explicit(&context->fault, (int)contexts.fault, memory_order_release);
    pthread_mutex_unlock(&contexts.lock);
}

void driver_context_fail_one(struct driver_context *context, CUresult result)
{
    int none = CUDA_SUCCESS;
    atomic_compare_exchange_strong(&context->root->fault, &none, (int)result);
    none = CUDA_SUCCESS;
    atomic_compare_exchange_strong(&context->fault, &none, (int)result);
}

static CUresult list_add(struct driver_context *context)
{
    pthread_mutex_lock(&contexts.lock);
    CUresult fault = contexts.fault;
    context->at = &contexts.first;
    context->next = contexts.first;
    if (context->next) context->next->at = &context->next;
    contexts.first = context;
    pthread_mutex_unlock(&contexts.lock);
    return fault;
}

static void list_remove(struct driver_context *context)
{
    pthread_mutex_lock(&contexts.lock);
    *context->at = context->next;
    if (context->next) context->next->at = context->at;
    pthread_mutex_unlock(&contexts.lock);
}

/* ---- life */

static void context_end(struct driver_object *object)
{
    struct driver_context *context = (struct driver_context *)object;
    list_remove(context);
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
    CUresult result = list_add(context);
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
        if (stream->hidden || (!context->part && driver_handle_take(stream, DRIVER_STREAM)))
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
    driver_memory_release_context(context);
    driver_rights_close(context);
    driver_object_unref(&context->object);
}

/* ---- the thread's stack */

static pthread_key_t stack_key;
static pthread_once_t stack_key_made = PTHREAD_ONCE_INIT;

static void pop(void)
{
    driver_object_unref(&current.contexts.at[--current.contexts.count]->object);
}

/* A thread ends: its stack lets go of its contexts. */
static void drop_stack(void *unused)
{
    (void)unused;
    while (current.contexts.count)
        pop();
    vec_release(&current.contexts);
}

static void make_stack_key(void)
{
    if (pthread_key_create(&stack_key, drop_stack) != 0) BUG("no thread-specific key is left");
}

static void push(struct driver_context *context)
{
    pthread_once(&stack_key_made, make_stack_key);
    pthread_setspecific(stack_key, &current); /* any value but NULL: drop_stack is called */
    *vec_push(&current.contexts) = context;
}

/* A reference to the context of a handle; a green context is none before it was converted. */
static struct driver_context *usable(CUcontext handle)
{
    struct driver_context *context = driver_handle_get(handle, DRIVER_CONTEXT);
    if (!context || !context->part || atomic_load(&context->converted)) return context;
    driver_object_unref(&context->object);
    return NULL;
}

DRIVER_API cuCtxPushCurrent_v2(CUcontext handle)
{
    DRIVER_TRY(driver_ready());
    if (!handle) return CUDA_ERROR_INVALID_VALUE;
    struct driver_context *context = usable(handle);
    if (!context) return CUDA_ERROR_INVALID_CONTEXT;
    push(context);
    return CUDA_SUCCESS;
}

DRIVER_API cuCtxPopCurrent_v2(CUcontext *out)
{
    DRIVER_TRY(driver_ready());
    if (!top()) return CUDA_ERROR_INVALID_CONTEXT;
    if (out) *out = (CUcontext)top();
    pop();
    return CUDA_SUCCESS;
}

DRIVER_API cuCtxSetCurrent(CUcontext handle)
{
    DRIVER_TRY(driver_ready());
    struct driver_context *context = handle ? usable(handle) : NULL;
    if (handle && !context) return CUDA_ERROR_INVALID_CONTEXT;
    if (top()) pop();
    if (context) push(context);
    return CUDA_SUCCESS;
}

DRIVER_API cuCtxGetCurrent(CUcontext *out)
{
    DRIVER_TRY(driver_ready());
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    *out = (CUcontext)top();
    return CUDA_SUCCESS;
}

/* ---- made by the program */

bool driver_context_flags_are_valid(unsigned flags)
{
    unsigned way = flags & CU_CTX_SCHED_MASK;
    return !(flags & ~(unsigned)CU_CTX_FLAGS_MASK) && !(way & (way - 1));
}

static CUresult create(CUcontext *out, unsigned flags, CUdevice ordinal, unsigned api_version)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    if (!out || !driver_context_flags_are_valid(flags)) return CUDA_ERROR_INVALID_VALUE;
    struct driver_context *context;
    DRIVER_TRY(driver_context_new(device, flags, false, NULL, &context));
    context->api_version = api_version;
    driver_object_ref(&context->object);
    push(context);
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
    return create(out, flags, device, 4000);
}

CUresult CUDAAPI cuCtxCreate_v2(CUcontext *, unsigned, CUdevice);
CUresult CUDAAPI cuCtxCreate_v3(CUcontext *, CUexecAffinityParam *, int, unsigned, CUdevice);

DRIVER_API cuCtxCreate_v2(CUcontext *out, unsigned flags, CUdevice device)
{
    return create(out, flags, device, 3020);
}

DRIVER_API cuCtxCreate_v3(CUcontext *out, CUexecAffinityParam *params, int count, unsigned flags,
                          CUdevice device)
{
    static int refused;
    if (count > 0 && !params) return CUDA_ERROR_INVALID_VALUE;
    if (params && count > 0) return driver_refuse_call(&refused, "cuCtxCreate", "execution affinity");
    return create(out, flags, device, 3020);
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
    if (top() == context) pop();
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
    if (!handle || handle != (CUcontext)top()) return CUDA_ERROR_INVALID_CONTEXT; /* the current one alone */
    return cuCtxDestroy_v2(handle);
}

/* ---- by handle, and waiting */

CUresult driver_context_named(CUcontext handle, struct driver_context **out)
{
    DRIVER_TRY(driver_ready());
    struct driver_context *context = handle ? driver_handle_get(handle, DRIVER_CONTEXT) : top();
    if (!context) return CUDA_ERROR_INVALID_CONTEXT;
    if (!handle) driver_object_ref(&context->object);
    *out = context;
    return CUDA_SUCCESS;
}

CUresult driver_context_alive(CUcontext handle, struct driver_context **out)
{
    CUresult result = driver_context_named(handle, out);
    return handle && result == CUDA_ERROR_INVALID_CONTEXT ? CUDA_ERROR_CONTEXT_IS_DESTROYED : result;
}

CUresult driver_context_wait(struct driver_context *context)
{
    driver_scheduler_wait_context(context);
    driver_print_flush();
    driver_pools_settle();
    return (CUresult)atomic_load(&context->fault);
}

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
