/* SPDX-License-Identifier: Apache-2.0 */
/* cuGetProcAddress, the per-thread forms, older forms of calls, and NVIDIA's private tables, which are not
 * offered.
 *
 * A program with NVIDIA's static runtime asks for those tables (cuGetExportTable) and runs a keyed check on
 * them, which its licence forbids to bypass; it is told how to be rebuilt instead. */
#include "driver_refuse_priv.h"
#include "driver_watch.h"

#include "driver/clock/driver_clock.h"
#include "driver/clock/driver_operation.h"
#include "driver/core/driver_activity.h"
#include "driver/core/driver_caller.h"
#include "driver/core/driver_error.h"
#include "driver/core/driver_finding.h"
#include "driver/core/driver_owner.h"
#include "driver/launch/driver_routine.h"
#include "driver/stream/driver_stream.h"

#include <pthread.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wframe-address" /* DRIVER_WATCH_CALLER */

unsigned driver_refuse_entry(int *done, const char *function)
{
    return (unsigned)driver_refuse_call(done, function, "");
}

/* ---- NVIDIA's static runtime */

/* One message for each library that asks, so that the one a program needs is named whichever comes first. */
static bool first_of(const char *path)
{
    enum { MOST = 16 };
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static const char *seen[MOST];
    unsigned i = 0;
    pthread_mutex_lock(&mutex);
    while (i < MOST && seen[i] && strcmp(seen[i], path) != 0)
        i++;
    bool first = i < MOST && !seen[i];
    if (first) seen[i] = strdup(path);
    pthread_mutex_unlock(&mutex);
    return first;
}

void driver_note_static_runtime(const void *caller)
{
    char text[400] = "this program";
    struct sw_error error = {0};
    const char *path = driver_owner_of(caller);
    if (!first_of(path ? path : "") || driver_owner_is_compiler(path)) return;
    if (driver_owner_explain(caller, text, sizeof text))
        sw_fail(&error, SW_NOT_SUPPORTED, "%s", text);
    else if (path && strstr(path, "libcudart.so"))
        sw_fail(&error, SW_NOT_SUPPORTED,
                "%s is NVIDIA's runtime, which needs private driver tables (cuGetExportTable) that Softwarp "
                "does not offer; put Softwarp's libcudart first in the library path",
                path);
    else
        sw_fail(&error, SW_NOT_SUPPORTED,
                "%s contains NVIDIA's static CUDA runtime, which runs on NVIDIA's driver only; rebuild it "
                "with nvcc -cudart shared, with CMAKE_CUDA_RUNTIME_LIBRARY=Shared, or with softwarp cc",
                text);
    driver_refuse(&error);
}

DRIVER_API cuGetExportTable(const void **table, const CUuuid *id)
{
    (void)table, (void)id;
    driver_note_static_runtime(DRIVER_WATCH_CALLER());
    return CUDA_ERROR_NOT_SUPPORTED;
}

/* ---- by name */

static bool activity_context(void *handle, uint32_t *ordinal)
{
    struct driver_context *context = driver_handle_get(handle, DRIVER_CONTEXT);
    if (context) *ordinal = context->ordinal;
    if (context) driver_object_unref(&context->object);
    return context != NULL;
}

static bool activity_stream(void *handle, bool per_thread, uint32_t *ordinal)
{
    struct driver_stream *stream;
    if (!handle && per_thread) handle = CU_STREAM_PER_THREAD;
    if (driver_stream_get(handle, &stream) != CUDA_SUCCESS) return false;
    *ordinal = stream->ordinal;
    driver_stream_put(stream);
    return true;
}

static uint32_t activity_thread(void)
{
    return (uint32_t)driver_thread_number();
}

static const struct event_activity_driver *activity_driver(void)
{
    static const struct event_activity_driver ACTIVITY = {.listen = driver_activity_listen,
                                                          .now_ns = driver_clock_ns,
                                                          .is_virtual = driver_clock_is_virtual,
                                                          .context_of = activity_context,
                                                          .stream_of = activity_stream,
                                                          .range = driver_operation_range,
                                                          .open_ranges = driver_activity_open_ranges,
                                                          .thread = activity_thread};
    driver_watch_activity();
    return &ACTIVITY;
}

/* What our runtime library asks for, and those that stand in for NVIDIA's. */
static bool own_function(const char *name, void **out)
{
    const void *activity =
        strcmp(name, EVENT_ACTIVITY_SYMBOL) == 0 ? activity_driver() : driver_activity_symbol(name);
    if (activity) {
        *out = (void *)(uintptr_t)activity;
        return true;
    }
    driver_call_failed_fn *failed = driver_call_failed;
    driver_called_from_fn *from = driver_called_from;
    event_routine_submit_fn *submit = driver_routine_submit;
    if (strcmp(name, DRIVER_CALL_FAILED) == 0)
        memcpy(out, &failed, sizeof failed);
    else if (strcmp(name, DRIVER_CALLED_FROM) == 0)
        memcpy(out, &from, sizeof from);
    else if (strcmp(name, EVENT_ROUTINE_SYMBOL) == 0)
        memcpy(out, &submit, sizeof submit);
    else
        return false;
    return true;
}

static CUresult proc_address(const char *name, void **out, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *status, const void *caller)
{
    cuuint64_t most = CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
    if (!name || !out || flags > most || version / 1000 > CUDA_VERSION / 1000)
        return CUDA_ERROR_INVALID_VALUE;
    if (version < 0) version = CUDA_VERSION;
    bool known = false;
    bool per_thread = driver_per_thread > 0 || flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
    if (own_function(name, out)) return CUDA_SUCCESS;
    bool private_table = strcmp(name, "cuGetExportTable") == 0;
    if (private_table) driver_note_static_runtime(caller);
    *out = private_table ? NULL : driver_proc_find(name, version, per_thread, &known);
    if (status)
        *status = *out    ? CU_GET_PROC_ADDRESS_SUCCESS
                  : known ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                          : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return *out || (status && !private_table)
               ? CUDA_SUCCESS
               : CUDA_ERROR_NOT_FOUND; /* who asks for the status gets it there */
}

DRIVER_API cuGetProcAddress_v2(const char *name, void **out, int version, cuuint64_t flags,
                               CUdriverProcAddressQueryResult *status)
{
    return proc_address(name, out, version, flags, status, DRIVER_WATCH_CALLER());
}

#undef cuGetProcAddress
CUresult CUDAAPI cuGetProcAddress(const char *, void **, int, cuuint64_t);

DRIVER_API cuGetProcAddress(const char *name, void **out, int version, cuuint64_t flags)
{
    return proc_address(name, out, version, flags, NULL, DRIVER_WATCH_CALLER());
}

/* ---- older forms with the same parameters */

#define OLDER(old, new, parameters, arguments)                                                               \
    CUresult CUDAAPI old parameters;                                                                         \
    DRIVER_API old parameters                                                                                \
    {                                                                                                        \
        return new arguments;                                                                                \
    }
#undef cuCtxDestroy
#undef cuCtxPopCurrent
#undef cuCtxPushCurrent
#undef cuStreamDestroy
#undef cuEventDestroy
#undef cuEventElapsedTime
#undef cuDevicePrimaryCtxRelease
#undef cuDevicePrimaryCtxReset
#undef cuDevicePrimaryCtxSetFlags
#undef cuDeviceGetUuid
#undef cuMemHostRegister
OLDER(cuCtxDestroy, cuCtxDestroy_v2, (CUcontext a), (a))
OLDER(cuCtxPopCurrent, cuCtxPopCurrent_v2, (CUcontext * a), (a))
OLDER(cuCtxPushCurrent, cuCtxPushCurrent_v2, (CUcontext a), (a))
OLDER(cuStreamDestroy, cuStreamDestroy_v2, (CUstream a), (a))
OLDER(cuEventDestroy, cuEventDestroy_v2, (CUevent a), (a))
OLDER(cuEventElapsedTime, cuEventElapsedTime_v2, (float *a, CUevent b, CUevent c), (a, b, c))
OLDER(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (CUdevice a), (a))
OLDER(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2, (CUdevice a), (a))
OLDER(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2, (CUdevice a, unsigned b), (a, b))
OLDER(cuDeviceGetUuid, cuDeviceGetUuid_v2, (CUuuid * a, CUdevice b), (a, b))
OLDER(cuMemHostRegister, cuMemHostRegister_v2, (void *a, size_t b, unsigned c),
      (a, b, c &(CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP)))

/* ---- per-thread forms */

#define PER_THREAD(call, suffix, parameters, arguments)                                                      \
    CUresult CUDAAPI call##suffix parameters;                                                                \
    DRIVER_API call##suffix parameters                                                                       \
    {                                                                                                        \
        driver_per_thread++;                                                                                 \
        CUresult result = call arguments;                                                                    \
        driver_per_thread--;                                                                                 \
        return result;                                                                                       \
    }
#undef cuMemPrefetchAsync
#undef cuMemcpyBatchAsync
#undef cuMemcpy3DBatchAsync
CUresult CUDAAPI cuMemPrefetchAsync(CUdeviceptr, size_t, CUdevice, CUstream);
CUresult CUDAAPI cuMemcpyBatchAsync(CUdeviceptr *, CUdeviceptr *, size_t *, size_t, CUmemcpyAttributes *,
                                    size_t *, size_t, size_t *, CUstream);
CUresult CUDAAPI cuMemcpy3DBatchAsync(size_t, CUDA_MEMCPY3D_BATCH_OP *, size_t *, unsigned long long,
                                      CUstream);
#include "driver_per_thread.def"
