/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: memory for NCCL, buffers and windows that are registered with a communicator, and what the library
 * says of itself. Method: memory is the driver's; registrations are handles, as nothing here is faster for
 * them. Limits: a window gives kernels no access to the memory of other ranks. */
#include "nccl_priv.h"

#include <stdlib.h>

static struct sw_handles buffers = SW_HANDLES_INIT, windows = SW_HANDLES_INIT;

struct registration {
    const void *memory;
    size_t bytes;
};

NCCL(MemAlloc, void **memory, size_t bytes)
{
    CUcontext context;
    CUdeviceptr at = 0;
    if (!memory) return ncclUnhandledCudaError; /* so recorded (tests/hw/libraries) */
    if (bytes == 0) return ncclInvalidArgument;
    NCCL_TRY(nccl_status(routine_context(&context)));
    NCCL_TRY(nccl_status(cuMemAlloc(&at, bytes)));
    *memory = (void *)(uintptr_t)at;
    return ncclSuccess;
}

NCCL(MemFree, void *memory)
{
    return nccl_status(cuMemFree((CUdeviceptr)(uintptr_t)memory));
}

static void *registration_add(struct sw_handles *handles, const void *memory, size_t bytes)
{
    struct registration *made = sw_xcalloc(1, sizeof *made);
    *made = (struct registration){memory, bytes};
    sw_handles_add(handles, made);
    return made;
}

static ncclResult_t registration_remove(struct sw_handles *handles, void *made)
{
    if (!made) return ncclSuccess;
    if (!sw_handles_remove(handles, made)) return ncclInvalidArgument;
    free(made);
    return ncclSuccess;
}

NCCL(CommRegister, const ncclComm_t comm, void *memory, size_t bytes, void **handle)
{
    if (!nccl_comm_lives(comm) || !handle || !memory || bytes == 0) return ncclInvalidArgument;
    *handle = registration_add(&buffers, memory, bytes);
    return ncclSuccess;
}

NCCL(CommDeregister, const ncclComm_t comm, void *handle)
{
    return nccl_comm_lives(comm) ? registration_remove(&buffers, handle) : ncclInvalidArgument;
}

NCCL(CommWindowRegister, ncclComm_t comm, void *memory, size_t bytes, ncclWindow_t *window, int flags)
{
    bool known = (flags & ~NCCL_WIN_COLL_SYMMETRIC) == 0;
    if (!nccl_comm_lives(comm) || !window || !memory || bytes == 0 || !known)
        return nccl_refused(ncclInvalidArgument);
    *window = registration_add(&windows, memory, bytes);
    return ncclSuccess;
}

NCCL(CommWindowDeregister, ncclComm_t comm, ncclWindow_t window)
{
    return nccl_comm_lives(comm) ? registration_remove(&windows, window) : ncclInvalidArgument;
}

/* ---- what the library is */

NCCL(GetVersion, int *version)
{
    if (!version) return ncclInvalidArgument;
    *version = NCCL_VERSION_CODE;
    return ncclSuccess;
}

NCCL_RETURNS(const char *, GetErrorString, ncclResult_t result)
{
    /* NVIDIA's documentation of ncclGetErrorString; recorded (tests/hw/libraries) */
    switch ((int)result) {
    case ncclSuccess: return "no error";
    case ncclUnhandledCudaError: return "unhandled cuda error (run with NCCL_DEBUG=INFO for details)";
    case ncclSystemError: return "unhandled system error (run with NCCL_DEBUG=INFO for details)";
    case ncclInternalError: return "internal error - please report this issue to the NCCL developers";
    case ncclInvalidArgument: return "invalid argument (run with NCCL_DEBUG=WARN for details)";
    case ncclInvalidUsage: return "invalid usage (run with NCCL_DEBUG=WARN for details)";
    case ncclRemoteError: return "remote process exited or there was a network error";
    case ncclInProgress: return "NCCL operation in progress";
    default: return "unknown result code";
    }
}

NCCL_RETURNS(void, ResetDebugInit, void) {}

/* Exported by NVIDIA's library, though no header has it. */
__attribute__((visibility("default"))) void ncclResetDebugInitInternal(void);
void ncclResetDebugInitInternal(void) {}
