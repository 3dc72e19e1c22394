/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: which communicators live, and what was said of errors last. Method: a table; a text for each
 * communicator, and one for each thread. */
#include "nccl_priv.h"

#include <stdarg.h>
#include <stdio.h>

static struct sw_handles comms = SW_HANDLES_INIT;

void nccl_comm_add(struct ncclComm *comm)
{
    sw_handles_add(&comms, comm);
}

bool nccl_comm_lives(struct ncclComm *comm)
{
    return sw_handles_has(&comms, comm);
}

bool nccl_comm_remove(struct ncclComm *comm)
{
    return sw_handles_remove(&comms, comm);
}

ncclResult_t nccl_status(CUresult result)
{
    return result == CUDA_SUCCESS ? ncclSuccess : ncclUnhandledCudaError;
}

static _Thread_local char last_error[256];

ncclResult_t nccl_error(struct ncclComm *comm, ncclResult_t result, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(last_error, sizeof last_error, format, list);
    va_end(list);
    if (comm) snprintf(comm->last_error, sizeof comm->last_error, "%s", last_error);
    return result;
}

NCCL_RETURNS(const char *, GetLastError, ncclComm_t comm)
{
    return comm && nccl_comm_lives(comm) ? comm->last_error : last_error;
}
