/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: functions by the numbers of cupti_driver_cbid.h and cupti_runtime_cbid.h. Method: both tables by
 * name; those of the runtime API end in the version they came with (_v3020), which exported names do not
 * have. Limits: of functions that changed under the same name, the first number stands for all. */
#include "cupti_priv.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    uint32_t number;
} of_driver[] =
    {
#define CALL(name, number) {#name, number},
        CUPTI_DRIVER_CALLS_(CALL)},
  of_runtime[] = {CUPTI_RUNTIME_CALLS_(CALL)
#undef CALL
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct map numbers[2]; /* by the exported name: the number as a pointer */
static const char *names[2][CUPTI_NUMBERS];

/* Without its version: "cudaMalloc" of "cudaMalloc_v3020". */
static size_t plain_length(const char *name)
{
    enum { LEAST_DIGITS = 4 }; /* _v2 belongs to the name */
    size_t length = strlen(name), digits = 0;
    while (digits < length && isdigit((unsigned char)name[length - 1 - digits]))
        digits++;
    bool version = digits >= LEAST_DIGITS && length > digits + 2 && name[length - digits - 1] == 'v' &&
                   name[length - digits - 2] == '_';
    return version ? length - digits - 2 : length;
}

static void add(enum event_activity_api api, const char *name, size_t length, uint32_t number)
{
    if (number < CUPTI_NUMBERS) names[api][number] = name;
    if (!map_get_n(&numbers[api], name, length))
        map_set_n(&numbers[api], name, length, (void *)(uintptr_t)number);
}

static void read_tables(void)
{
    for (size_t i = 0; i < SW_COUNT_OF(of_driver); i++)
        add(EVENT_ACTIVITY_DRIVER, of_driver[i].name, strlen(of_driver[i].name), of_driver[i].number);
    for (size_t i = 0; i < SW_COUNT_OF(of_runtime); i++)
        add(EVENT_ACTIVITY_RUNTIME, of_runtime[i].name, plain_length(of_runtime[i].name),
            of_runtime[i].number);
}

/* Compilers write __cudaLaunchKernel for cudaLaunchKernel. */
const char *cupti_plain(const char *function)
{
    return function[0] == '_' && function[1] == '_' ? function + 2 : function;
}

uint32_t cupti_number(enum event_activity_api api, const char *function)
{
    pthread_once(&once, read_tables);
    return (uint32_t)(uintptr_t)map_get(&numbers[api], cupti_plain(function));
}

const char *cupti_number_name(enum event_activity_api api, uint32_t number)
{
    pthread_once(&once, read_tables);
    return number < CUPTI_NUMBERS ? names[api][number] : NULL;
}

CUPTI_EXPORT CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t number, const char **name)
{
    if (!name) return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    bool known = domain == CUPTI_CB_DOMAIN_DRIVER_API || domain == CUPTI_CB_DOMAIN_RUNTIME_API;
    const char *found = known
                            ? cupti_number_name(domain == CUPTI_CB_DOMAIN_DRIVER_API ? EVENT_ACTIVITY_DRIVER
                                                                                     : EVENT_ACTIVITY_RUNTIME,
                                                number)
                            : NULL;
    if (known && number == 0) found = "INVALID"; /* as NVIDIA's library answers */
    if (!found) return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    *name = found;
    return CUPTI_SUCCESS;
}

/* ---- statuses: CUPTI's texts are the names */

/* clang-format off */
#define STATUSES(X) \
    X(SUCCESS) \
    X(ERROR_INVALID_PARAMETER) \
    X(ERROR_INVALID_DEVICE) \
    X(ERROR_INVALID_CONTEXT) \
    X(ERROR_INVALID_EVENT_DOMAIN_ID) \
    X(ERROR_INVALID_EVENT_ID) \
    X(ERROR_INVALID_EVENT_NAME) \
    X(ERROR_INVALID_OPERATION) \
    X(ERROR_OUT_OF_MEMORY) \
    X(ERROR_HARDWARE) \
    X(ERROR_PARAMETER_SIZE_NOT_SUFFICIENT) \
    X(ERROR_API_NOT_IMPLEMENTED) \
    X(ERROR_MAX_LIMIT_REACHED) \
    X(ERROR_NOT_READY) \
    X(ERROR_NOT_COMPATIBLE) \
    X(ERROR_NOT_INITIALIZED) \
    X(ERROR_INVALID_METRIC_ID) \
    X(ERROR_INVALID_METRIC_NAME) \
    X(ERROR_QUEUE_EMPTY) \
    X(ERROR_INVALID_HANDLE) \
    X(ERROR_INVALID_STREAM) \
    X(ERROR_INVALID_KIND) \
    X(ERROR_INVALID_EVENT_VALUE) \
    X(ERROR_DISABLED) \
    X(ERROR_INVALID_MODULE) \
    X(ERROR_INVALID_METRIC_VALUE) \
    X(ERROR_HARDWARE_BUSY) \
    X(ERROR_NOT_SUPPORTED) \
    X(ERROR_UM_PROFILING_NOT_SUPPORTED) \
    X(ERROR_UM_PROFILING_NOT_SUPPORTED_ON_DEVICE) \
    X(ERROR_UM_PROFILING_NOT_SUPPORTED_ON_NON_P2P_DEVICES) \
    X(ERROR_UM_PROFILING_NOT_SUPPORTED_WITH_MPS) \
    X(ERROR_CDP_TRACING_NOT_SUPPORTED) \
    X(ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED) \
    X(ERROR_CUDA_COMPILER_NOT_COMPATIBLE) \
    X(ERROR_INSUFFICIENT_PRIVILEGES) \
    X(ERROR_OLD_PROFILER_API_INITIALIZED) \
    X(ERROR_OPENACC_UNDEFINED_ROUTINE) \
    X(ERROR_LEGACY_PROFILER_NOT_SUPPORTED) \
    X(ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED) \
    X(ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES) \
    X(ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED) \
    X(ERROR_CMP_DEVICE_NOT_SUPPORTED) \
    X(ERROR_MIG_DEVICE_NOT_SUPPORTED) \
    X(ERROR_SLI_DEVICE_NOT_SUPPORTED) \
    X(ERROR_WSL_DEVICE_NOT_SUPPORTED) \
    X(ERROR_INVALID_CHIP_NAME) \
    X(ERROR_UNKNOWN)
/* clang-format on */

CUPTI_EXPORT CUptiResult cuptiGetResultString(CUptiResult result, const char **text)
{
    if (!text) return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    switch ((int)result) {
#define NAME(name)                                                                                           \
    case CUPTI_##name: *text = "CUPTI_" #name; return CUPTI_SUCCESS;
        STATUSES(NAME)
#undef NAME
    default: *text = "<unknown>"; return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    }
}

CUPTI_EXPORT CUptiResult cuptiGetErrorMessage(CUptiResult result, const char **text)
{
    return cuptiGetResultString(result, text);
}
