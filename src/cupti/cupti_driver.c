/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the way to Softwarp's driver, statuses and ids. Method: cuGetProcAddress gives the
 * driver's functions (event_activity.h). Limits: with another driver every function that needs it answers
 * CUPTI_ERROR_NOT_INITIALIZED. */
#include "cupti_priv.h"

#include "routine/routine.h"

#include <pthread.h>

_Thread_local bool cupti_inside;
const struct event_activity_listener *cupti_listener;
static _Thread_local CUptiResult last;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const struct event_activity_driver *found;

static void find_driver(void)
{
    void *address = NULL;
    CUdriverProcAddressQueryResult status;
    if (cuGetProcAddress(EVENT_ACTIVITY_SYMBOL, &address, CUDA_VERSION, 0, &status) == CUDA_SUCCESS)
        found = address;
    if (!found) routine_refuse("cupti", "the driver is not Softwarp's");
}

const struct event_activity_driver *cupti_driver(void)
{
    pthread_once(&once, find_driver);
    return found;
}

CUptiResult cupti_listen(void)
{
    const struct event_activity_driver *driver = cupti_driver();
    if (!driver) return CUPTI_ERROR_NOT_INITIALIZED;
    driver->listen(cupti_listener);
    return CUPTI_SUCCESS;
}

CUPTI_EXPORT CUptiResult cuptiFinalize(void)
{
    const struct event_activity_driver *driver = cupti_driver();
    if (driver) driver->listen(NULL);
    return cupti_result(driver ? CUPTI_SUCCESS : CUPTI_ERROR_NOT_INITIALIZED);
}

/* ---- statuses */

CUptiResult cupti_result(CUptiResult is)
{
    if (is != CUPTI_SUCCESS) last = is;
    return is;
}

CUPTI_EXPORT CUptiResult cuptiGetLastError(void)
{
    CUptiResult is = last;
    last = CUPTI_SUCCESS;
    return is;
}

/* ---- versions and ids */

CUPTI_EXPORT CUptiResult cuptiGetVersion(uint32_t *version)
{
    if (!version) return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    *version = CUPTI_API_VERSION;
    return CUPTI_SUCCESS;
}

bool cupti_current_context(CUcontext *context, uint32_t *id)
{
    bool inside = cupti_inside, known;
    cupti_inside = true;
    *context = NULL;
    known = cuCtxGetCurrent(context) == CUDA_SUCCESS && *context && cupti_driver()->context_of(*context, id);
    cupti_inside = inside;
    if (known) ++*id; /* CUDA's begin with 1 */
    return known;
}

CUPTI_EXPORT CUptiResult cuptiGetContextId(CUcontext context, uint32_t *id)
{
    uint32_t ordinal;
    if (!context) return cupti_result(CUPTI_ERROR_INVALID_CONTEXT);
    if (!id) return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    if (!cupti_driver()) return cupti_result(CUPTI_ERROR_NOT_INITIALIZED);
    if (!cupti_driver()->context_of(context, &ordinal)) return cupti_result(CUPTI_ERROR_INVALID_CONTEXT);
    *id = ordinal + 1;
    return CUPTI_SUCCESS;
}

/* Of a stream of that context; NULL: of the current one. */
static bool stream_of(CUcontext context, CUstream stream, bool per_thread, uint32_t *id)
{
    bool pushed = context && cuCtxPushCurrent(context) == CUDA_SUCCESS;
    bool known = (!context || pushed) && cupti_driver()->stream_of(stream, per_thread, id);
    if (pushed) cuCtxPopCurrent(NULL);
    return known;
}

CUPTI_EXPORT CUptiResult cuptiGetStreamIdEx(CUcontext context, CUstream stream, uint8_t per_thread,
                                            uint32_t *id)
{
    if (!id) return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    if (!cupti_driver()) return cupti_result(CUPTI_ERROR_NOT_INITIALIZED);
    bool inside = cupti_inside;
    cupti_inside = true;
    bool known = stream_of(context, stream, per_thread != 0, id);
    cupti_inside = inside;
    return cupti_result(known ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_STREAM);
}

CUPTI_EXPORT CUptiResult cuptiGetStreamId(CUcontext context, CUstream stream, uint32_t *id)
{
    return cuptiGetStreamIdEx(context, stream, 0, id);
}

CUPTI_EXPORT CUptiResult cuptiGetDeviceId(CUcontext context, uint32_t *id)
{
    CUdevice device;
    if (!id) return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    if (context && cuCtxPushCurrent(context) != CUDA_SUCCESS)
        return cupti_result(CUPTI_ERROR_INVALID_CONTEXT);
    CUresult result = cuCtxGetDevice(&device);
    if (context) cuCtxPopCurrent(NULL);
    if (result != CUDA_SUCCESS) return cupti_result(CUPTI_ERROR_INVALID_CONTEXT);
    *id = (uint32_t)device;
    return CUPTI_SUCCESS;
}

CUPTI_EXPORT CUptiResult cuptiDeviceSupported(CUdevice device, int *support)
{
    int major;
    if (!support) return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    if (cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) != CUDA_SUCCESS)
        return cupti_result(CUPTI_ERROR_INVALID_DEVICE);
    *support = 1;
    return CUPTI_SUCCESS;
}

CUPTI_EXPORT CUptiResult cuptiComputeCapabilitySupported(int major, int minor, int *support)
{
    enum { LEAST_MAJOR = 5 }; /* of Softwarp's GPUs (docs/gpus.md) */
    if (!support) return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    *support = major >= LEAST_MAJOR && minor >= 0;
    return CUPTI_SUCCESS;
}
