/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: error codes, their names and texts, and the last error of each thread.
 * Method: a driver error and the runtime error of the same number mean the same.
 * A tool that checks hears of each error through the driver (softwarpCallFailed, of Softwarp's libcuda
 * alone). Sticky errors need nothing here: the driver keeps answering with them until the device is reset.
 * Limits: texts of rarely seen errors are ours. */
#include "runtime_priv.h"
#include "runtime_watch.h"

#include <pthread.h>
#include <string.h>

static _Thread_local cudaError_t last = cudaSuccess;

static void (*call_failed)(int error, const char *name, const char *text, const void *stub);
_Thread_local const void *rt_stub;

static void (*called_from)(const void *address);
static pthread_once_t hooks_found = PTHREAD_ONCE_INIT;

static void *find_hook(const char *name)
{
    void *found = NULL;
    CUdriverProcAddressQueryResult status;
    (void)cuGetProcAddress(name, &found, CUDA_VERSION, 0, &status);
    return found;
}

static void find_hooks(void)
{
    void *failed = find_hook("softwarpCallFailed"), *from = find_hook("softwarpCalledFrom");
    memcpy(&call_failed, &failed, sizeof call_failed);
    memcpy(&called_from, &from, sizeof called_from);
}

void rt_called_from(const void *address)
{
    pthread_once(&hooks_found, find_hooks);
    const void *watched = rt_watched_from();
    if (called_from) called_from(address && watched ? watched : address);
}

cudaError_t rt_record(cudaError_t error)
{
    if (error == cudaSuccess) return error;
    last = error;
    rt_called_from(NULL);
    if (call_failed) call_failed((int)error, cudaGetErrorName(error), cudaGetErrorString(error), rt_stub);
    return error;
}

cudaError_t rt_return(CUresult result)
{
    if (result == CUDA_SUCCESS) return cudaSuccess;
    if (result == CUDA_ERROR_NOT_READY) return cudaErrorNotReady; /* an answer, not an error to remember */
    return rt_record((cudaError_t)(int)result);
}

int rt_refuse(const char *name, int *said)
{
    sw_log_once(said, "%s is not supported: it returns cudaErrorNotSupported", name);
    return rt_record(cudaErrorNotSupported);
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = last;
    last = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    return last;
}

static const struct {
    cudaError_t error;
    const char *name, *text;
} errors[] = {
#define ERROR(name, text) {cuda##name, "cuda" #name, text},
#include "runtime/runtime_errors.def"
#undef ERROR
};

const char *cudaGetErrorName(cudaError_t error)
{
    for (size_t i = 0; i < SW_COUNT_OF(errors); i++)
        if (errors[i].error == error) return errors[i].name;
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    for (size_t i = 0; i < SW_COUNT_OF(errors); i++)
        if (errors[i].error == error) return errors[i].text;
    return "unrecognized error code";
}
