/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the callback interface: the subscriber is called where functions of the runtime and the driver
 * begin and end. Method: one subscriber; a bit for each function. What becomes of contexts and streams is
 * told by the driver's functions that make and end them. Limits: of the domain of resources, contexts,
 * streams and cuInit; no NVTX and no state domain. In a callback, calls of CUDA's are not told again. */
#include "cupti_priv.h"

#include <pthread.h>
#include <string.h>

struct CUpti_Subscriber_st {
    CUpti_CallbackFunc callback;
    void *user;
};
static struct CUpti_Subscriber_st subscriber;
static atomic_bool subscribed;
static atomic_bool enabled[CUPTI_CB_DOMAIN_SIZE][CUPTI_NUMBERS];
static const CUpti_CallbackDomain DOMAINS[] = {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_CB_DOMAIN_RUNTIME_API,
                                               CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CB_DOMAIN_SYNCHRONIZE};

/* ---- who is called */

CUPTI_EXPORT CUptiResult cuptiSupportedDomains(size_t *count, CUpti_DomainTable *table)
{
    if (!count || !table) return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    *count = SW_COUNT_OF(DOMAINS);
    *table = (CUpti_DomainTable)(uintptr_t)DOMAINS;
    return CUPTI_SUCCESS;
}

CUPTI_EXPORT CUptiResult cuptiSubscribe(CUpti_SubscriberHandle *out, CUpti_CallbackFunc callback, void *user)
{
    if (!out) return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    CUptiResult result = cupti_listen();
    if (result != CUPTI_SUCCESS) return cupti_result(result);
    if (atomic_load(&subscribed)) return cupti_result(CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
    subscriber = (struct CUpti_Subscriber_st){callback, user};
    atomic_store(&subscribed, true);
    *out = &subscriber;
    return CUPTI_SUCCESS;
}

static bool is_subscriber(CUpti_SubscriberHandle handle)
{
    return handle == &subscriber && atomic_load(&subscribed);
}

static CUptiResult set_domain(bool on, CUpti_CallbackDomain domain)
{
    if (domain <= CUPTI_CB_DOMAIN_INVALID || domain >= CUPTI_CB_DOMAIN_SIZE)
        return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    for (unsigned i = 1; i < CUPTI_NUMBERS; i++)
        atomic_store_explicit(&enabled[domain][i], on, memory_order_relaxed);
    return CUPTI_SUCCESS;
}

CUPTI_EXPORT CUptiResult cuptiEnableDomain(uint32_t enable, CUpti_SubscriberHandle handle,
                                           CUpti_CallbackDomain domain)
{
    if (!is_subscriber(handle)) return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    return set_domain(enable != 0, domain);
}

CUPTI_EXPORT CUptiResult cuptiEnableAllDomains(uint32_t enable, CUpti_SubscriberHandle handle)
{
    if (!is_subscriber(handle)) return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    for (size_t i = 0; i < SW_COUNT_OF(DOMAINS); i++)
        set_domain(enable != 0, DOMAINS[i]);
    return CUPTI_SUCCESS;
}

static bool is_callback(CUpti_CallbackDomain domain, CUpti_CallbackId number)
{
    return domain > CUPTI_CB_DOMAIN_INVALID && domain < CUPTI_CB_DOMAIN_SIZE && number > 0 &&
           number < CUPTI_NUMBERS;
}

CUPTI_EXPORT CUptiResult cuptiEnableCallback(uint32_t enable, CUpti_SubscriberHandle handle,
                                             CUpti_CallbackDomain domain, CUpti_CallbackId number)
{
    if (!is_subscriber(handle) || !is_callback(domain, number))
        return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    atomic_store(&enabled[domain][number], enable != 0);
    return CUPTI_SUCCESS;
}

CUPTI_EXPORT CUptiResult cuptiGetCallbackState(uint32_t *enable, CUpti_SubscriberHandle handle,
                                               CUpti_CallbackDomain domain, CUpti_CallbackId number)
{
    if (!enable || !is_subscriber(handle) || !is_callback(domain, number))
        return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    *enable = atomic_load(&enabled[domain][number]);
    return CUPTI_SUCCESS;
}

CUPTI_EXPORT CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle handle)
{
    if (!is_subscriber(handle)) return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    for (size_t i = 0; i < SW_COUNT_OF(DOMAINS); i++)
        set_domain(false, DOMAINS[i]);
    atomic_store(&subscribed, false);
    return CUPTI_SUCCESS;
}

/* ---- calling it */

static bool is_enabled(CUpti_CallbackDomain domain, uint32_t number)
{
    return atomic_load_explicit(&subscribed, memory_order_relaxed) &&
           atomic_load_explicit(&enabled[domain][number], memory_order_relaxed);
}

static void callback_tell(CUpti_CallbackDomain domain, uint32_t number, const void *data)
{
    if (!is_enabled(domain, number) || !subscriber.callback) return;
    cupti_inside = true;
    subscriber.callback(subscriber.user, domain, number, data);
    cupti_inside = false;
}

enum { DEEPEST = 8 };
static _Thread_local uint64_t data_of[DEEPEST]; /* the callbacks' own, of the calls that this thread is in */
static _Thread_local uint32_t depth;

static const char *kernel_of(const struct event_activity_call *call)
{
    const char *name = NULL;
    if (strncmp(call->function, "cuLaunchKernel", 14) != 0) return NULL;
    bool ex = strncmp(call->function, "cuLaunchKernelEx", 16) == 0; /* the function is the second argument */
    cupti_inside = true;
    CUresult result = cuFuncGetName(&name, (CUfunction)call->integers[ex ? 1 : 0]);
    cupti_inside = false;
    return result == CUDA_SUCCESS ? name : NULL;
}

static void tell_call(const struct event_activity_call *call, uint32_t number, CUpti_ApiCallbackSite site)
{
    bool of_driver = call->api == EVENT_ACTIVITY_DRIVER;
    CUpti_CallbackDomain domain = of_driver ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API;
    if (!is_enabled(domain, number)) return;
    struct cupti_params params;
    uint32_t result = call->result;
    CUpti_CallbackData data = {.callbackSite = site,
                               .functionName = cupti_plain(call->function),
                               .functionParams = cupti_params_of(call, &params) ? &params : NULL,
                               .functionReturnValue = site == CUPTI_API_EXIT ? &result : NULL,
                               .symbolName = of_driver ? kernel_of(call) : NULL,
                               .correlationData = &data_of[depth < DEEPEST ? depth : DEEPEST - 1],
                               .correlationId = call->correlation};
    cupti_current_context(&data.context, &data.contextUid);
    callback_tell(domain, number, &data);
}

/* ---- contexts and streams */

static void tell_resource(uint32_t number, CUcontext context, CUstream stream)
{
    CUpti_ResourceData data = {.context = context, .resourceHandle.stream = stream};
    callback_tell(CUPTI_CB_DOMAIN_RESOURCE, number, &data);
}

static bool starts(const struct event_activity_call *call, const char *with)
{
    return strncmp(call->function, with, strlen(with)) == 0;
}

/* One that was not there before: ordinals grow. */
static void context_made(CUcontext context)
{
    static atomic_uint seen;
    uint32_t ordinal;
    if (!cupti_driver()->context_of(context, &ordinal)) return;
    unsigned before = atomic_load(&seen);
    while (ordinal >= before && !atomic_compare_exchange_weak(&seen, &before, ordinal + 1))
        continue;
    if (ordinal >= before) tell_resource(CUPTI_CBID_RESOURCE_CONTEXT_CREATED, context, NULL);
}

static CUcontext callback_context(void)
{
    CUcontext context;
    uint32_t id;
    return cupti_current_context(&context, &id) ? context : NULL;
}

static void resource_ends(const struct event_activity_call *call)
{
    void *handle = (void *)(uintptr_t)call->integers[0];
    if (starts(call, "cuCtxDestroy"))
        tell_resource(CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING, handle, NULL);
    if (starts(call, "cuStreamDestroy"))
        tell_resource(CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING, callback_context(), handle);
}

static void resource_made(const struct event_activity_call *call)
{
    void *const *out = (void *const *)(uintptr_t)call->integers[0];
    if (call->result != CUDA_SUCCESS) return;
    if (starts(call, "cuInit")) tell_resource(CUPTI_CBID_RESOURCE_CU_INIT_FINISHED, NULL, NULL);
    if (starts(call, "cuCtxCreate") || starts(call, "cuDevicePrimaryCtxRetain")) context_made(*out);
    if (starts(call, "cuStreamCreate"))
        tell_resource(CUPTI_CBID_RESOURCE_STREAM_CREATED, callback_context(), *out);
}

static void waited(const struct event_activity_call *call)
{
    CUpti_SynchronizeData data = {.context = callback_context()};
    if (starts(call, "cuCtxSynchronize"))
        callback_tell(CUPTI_CB_DOMAIN_SYNCHRONIZE, CUPTI_CBID_SYNCHRONIZE_CONTEXT_SYNCHRONIZED, &data);
    if (!starts(call, "cuStreamSynchronize")) return;
    data.stream = (CUstream)call->integers[0];
    callback_tell(CUPTI_CB_DOMAIN_SYNCHRONIZE, CUPTI_CBID_SYNCHRONIZE_STREAM_SYNCHRONIZED, &data);
}

void cupti_callback_begin(const struct event_activity_call *call, uint32_t number)
{
    if (depth < DEEPEST) data_of[depth] = 0;
    if (atomic_load(&subscribed)) {
        tell_call(call, number, CUPTI_API_ENTER);
        if (call->api == EVENT_ACTIVITY_DRIVER) resource_ends(call);
    }
    depth++;
}

void cupti_callback_end(const struct event_activity_call *call, uint32_t number)
{
    if (depth > 0) depth--;
    if (!atomic_load(&subscribed)) return;
    if (call->api == EVENT_ACTIVITY_DRIVER) {
        resource_made(call);
        waited(call);
    }
    tell_call(call, number, CUPTI_API_EXIT);
}
