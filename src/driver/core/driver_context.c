/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts: each thread's stack of current ones, and the sticky error. driver_context_life.c: how they begin
 * and end.
 *
 * When a kernel fails, all contexts of the process fail with it, as two H200s showed: queued work is dropped
 * and every call answers with that error; no context can be made any more. All contexts of a process share
 * one address space, so a pointer of one works in another, which CUDA does not promise. */
#include "driver_context.h"

#include <stdlib.h>
#include <string.h>

struct stack {
    VEC(struct driver_context *) contexts; /* references */
};
static _Thread_local struct stack current;
_Thread_local bool driver_in_callback;

struct driver_context *driver_context_top(void)
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
    if (!driver_context_top()) return CUDA_ERROR_INVALID_CONTEXT;
    if (driver_context_gone(driver_context_top())) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    *out = driver_context_top()->root;
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
    *out = driver_context_top();
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

CUresult driver_context_fault(void)
{
    pthread_mutex_lock(&contexts.lock);
    CUresult fault = contexts.fault;
    pthread_mutex_unlock(&contexts.lock);
    return fault;
}

void driver_context_fail_one(struct driver_context *context, CUresult result)
{
    int none = CUDA_SUCCESS;
    atomic_compare_exchange_strong(&context->root->fault, &none, (int)result);
    none = CUDA_SUCCESS;
    atomic_compare_exchange_strong(&context->fault, &none, (int)result);
}

CUresult driver_context_list(struct driver_context *context)
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

void driver_context_unlist(struct driver_context *context)
{
    pthread_mutex_lock(&contexts.lock);
    *context->at = context->next;
    if (context->next) context->next->at = context->at;
    pthread_mutex_unlock(&contexts.lock);
}

void driver_context_each(void (*visit)(struct driver_context *context, void *user), void *user)
{
    pthread_mutex_lock(&contexts.lock);
    for (struct driver_context *context = contexts.first; context; context = context->next)
        visit(context, user);
    pthread_mutex_unlock(&contexts.lock);
}

/* ---- the thread's stack */

static pthread_key_t stack_key;
static pthread_once_t stack_key_made = PTHREAD_ONCE_INIT;

void driver_context_pop(void)
{
    driver_object_unref(&current.contexts.at[--current.contexts.count]->object);
}

/* A thread ends: its stack lets go of its contexts. */
static void drop_stack(void *unused)
{
    (void)unused;
    while (current.contexts.count)
        driver_context_pop();
    vec_release(&current.contexts);
}

static void make_stack_key(void)
{
    if (pthread_key_create(&stack_key, drop_stack) != 0) BUG("no thread-specific key is left");
}

void driver_context_push(struct driver_context *context)
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
    driver_context_push(context);
    return CUDA_SUCCESS;
}

DRIVER_API cuCtxPopCurrent_v2(CUcontext *out)
{
    DRIVER_TRY(driver_ready());
    if (!driver_context_top()) return CUDA_ERROR_INVALID_CONTEXT;
    if (out) *out = (CUcontext)driver_context_top();
    driver_context_pop();
    return CUDA_SUCCESS;
}

DRIVER_API cuCtxSetCurrent(CUcontext handle)
{
    DRIVER_TRY(driver_ready());
    struct driver_context *context = handle ? usable(handle) : NULL;
    if (handle && !context) return CUDA_ERROR_INVALID_CONTEXT;
    if (driver_context_top()) driver_context_pop();
    if (context) driver_context_push(context);
    return CUDA_SUCCESS;
}

DRIVER_API cuCtxGetCurrent(CUcontext *out)
{
    DRIVER_TRY(driver_ready());
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    *out = (CUcontext)driver_context_top();
    return CUDA_SUCCESS;
}

/* ---- by handle */

CUresult driver_context_named(CUcontext handle, struct driver_context **out)
{
    DRIVER_TRY(driver_ready());
    struct driver_context *context =
        handle ? driver_handle_get(handle, DRIVER_CONTEXT) : driver_context_top();
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
