/* SPDX-License-Identifier: Apache-2.0 */
/* Which error each call returns after a kernel has failed: before and after a synchronisation, from
 * other streams, threads and contexts, after the context is destroyed or its device reset, and at the end
 * of the process. */
#define _GNU_SOURCE
#include "conform.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

CUresult conform_fault(const char *kernel)
{
    CUdeviceptr p = strcmp(kernel, "misaligned") == 0 ? conform_good("dev") : 0;
    void *params[] = {&p};
    CUresult result = cuLaunchKernel(conform_function(kernel), 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL);
    return result != CUDA_SUCCESS ? result : cuCtxSynchronize();
}

static CUresult run_empty(void)
{
    int one = 1;
    void *params[] = {&one};
    CUfunction function;
    CUmodule module;
    CUresult result = cuModuleLoadData(&module, conform_ptx);
    if (result == CUDA_SUCCESS) result = cuModuleGetFunction(&function, module, "empty");
    if (result == CUDA_SUCCESS) result = cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL);
    return result == CUDA_SUCCESS ? cuCtxSynchronize() : result;
}

struct world { /* made before the fault */
    CUcontext other;
    CUstream stream, second;
    CUevent before, after;
    CUdeviceptr memory;
    CUfunction function;
    char *pinned;
};

static void prepare(struct world *w)
{
    CUcontext popped;
    w->stream = (CUstream)(uintptr_t)conform_good("stream");
    MUST(cuStreamCreate(&w->second, CU_STREAM_NON_BLOCKING));
    MUST(cuEventCreate(&w->before, 0));
    MUST(cuEventCreate(&w->after, 0));
    w->memory = conform_good("dev");
    w->pinned = (char *)(uintptr_t)conform_good("pinned"); /* NOLINT */
    w->function = conform_function("empty");
    MUST(cuCtxCreate_v4(&w->other, NULL, 0, 0));
    MUST(cuCtxPopCurrent(&popped));
}

static void *from_thread(void *context)
{
    static CUresult result;
    CUdeviceptr p;
    cuCtxSetCurrent(context);
    ASK(cuCtxSynchronize());
    conform_say("cuMemAlloc in another thread", result = cuMemAlloc(&p, 16));
    return &result;
}

static void in_thread(CUcontext context)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, from_thread, context) != 0) abort();
    pthread_join(thread, NULL);
}

static void asked_after(struct world *w)
{
    char byte = 1;
    int one = 1, number = 0;
    size_t bytes = 0;
    float time = 0;
    void *params[] = {&one};
    CUdeviceptr p;
    CUstream stream;
    CUevent event;
    CUmodule module;
    CUcontext current;
    ASK(cuStreamQuery(w->second));
    ASK(cuStreamSynchronize(w->second));
    ASK(cuStreamQuery(w->stream));
    ASK(cuCtxSynchronize());
    ASK(cuCtxSynchronize());
    ASK(cuEventQuery(w->before));
    ASK(cuEventQuery(w->after));
    ASK(cuEventSynchronize(w->after));
    ASK(cuEventElapsedTime(&time, w->before, w->after));
    ASK(cuEventRecord(w->before, w->second));
    ASK(cuStreamWaitEvent(w->second, w->before, 0));
    ASK(cuMemcpyDtoH(&byte, w->memory, 1));
    ASK(cuMemcpyHtoD(w->memory, &byte, 1));
    ASK(cuMemsetD8(w->memory, 1, 1));
    ASK(cuMemcpyDtoHAsync(w->pinned, w->memory, 1, w->second));
    ASK(cuLaunchKernel(w->function, 1, 1, 1, 1, 1, 1, 0, w->second, params, NULL));
    ASK(cuLaunchKernel(w->function, 0, 1, 1, 1, 1, 1, 0, w->second, params, NULL));
    ASK(cuMemAlloc(&p, 16));
    ASK(cuMemAllocHost((void **)&p, 16));
    ASK(cuMemAllocManaged(&p, 16, CU_MEM_ATTACH_GLOBAL));
    ASK(cuMemAllocAsync(&p, 16, w->second));
    ASK(cuStreamCreate(&stream, 0));
    ASK(cuEventCreate(&event, 0));
    ASK(cuModuleLoadData(&module, conform_ptx));
    ASK(cuFuncGetAttribute(&number, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, w->function));
    ASK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&number, w->function, 128, 0));
    ASK(cuMemGetInfo(&bytes, &bytes));
    ASK(cuCtxGetLimit(&bytes, CU_LIMIT_STACK_SIZE));
    ASK(cuCtxGetDevice(&number));
    ASK(cuCtxGetCurrent(&current));
    ASK(cuPointerGetAttribute(&number, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, w->memory));
    ASK(cuEventDestroy(w->before));
    ASK(cuStreamDestroy(w->second));
    ASK(cuMemFree(w->memory));
    ASK(cuMemFreeHost(w->pinned));
    in_thread(conform_context);
}

static void asked_elsewhere(struct world *w)
{
    CUdeviceptr p;
    CUcontext fresh = NULL;
    ASK(cuCtxSetCurrent(w->other));
    ASK(cuCtxSynchronize());
    ASK(cuMemAlloc(&p, 16));
    ASK(cuCtxSetCurrent(conform_context));
    ASK(cuCtxCreate_v4(&fresh, NULL, 0, 0));
    ASK(cuCtxDestroy(conform_context));
    ASK(cuCtxSetCurrent(w->other));
    conform_say("a kernel in the other context", run_empty());
    ASK(cuCtxDestroy(w->other));
    ASK(cuCtxCreate_v4(&fresh, NULL, 0, 0));
    conform_say("a kernel in a new context", run_empty());
}

static void fault(const char *kernel)
{
    struct world w;
    CUdeviceptr p;
    conform_begin();
    prepare(&w);
    p = w.memory;
    void *params[] = {&p};
    CUfunction function = conform_function(kernel);
    ASK(cuEventRecord(w.before, w.stream));
    ASK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, w.stream, params, NULL));
    (void)cuEventRecord(w.after, w.stream); /* in time, or not */
    ASK(cuStreamSynchronize(w.stream));
    ASK(cuStreamSynchronize(w.stream));
    asked_after(&w);
    asked_elsewhere(&w);
}

/* The first that asks is another: which gets the error? */
static void first_asked(const char *what)
{
    struct world w;
    char byte = 0;
    conform_begin();
    prepare(&w);
    conform_say("launch", cuLaunchKernel(conform_function("illegal_address"), 1, 1, 1, 1, 1, 1, 0, w.stream,
                                         NULL, NULL));
    usleep(500000);
    if (strcmp(what, "a query") == 0) ASK(cuStreamQuery(w.stream));
    if (strcmp(what, "a query of another stream") == 0) ASK(cuStreamQuery(w.second));
    if (strcmp(what, "another stream") == 0) ASK(cuStreamSynchronize(w.second));
    if (strcmp(what, "a copy") == 0) ASK(cuMemcpyDtoH(&byte, w.memory, 1));
    if (strcmp(what, "an allocation") == 0) ASK(cuMemAlloc(&w.memory, 1));
    if (strcmp(what, "a launch") == 0)
        ASK(cuLaunchKernel(w.function, 1, 1, 1, 1, 1, 1, 0, w.second, (void *[]){&byte}, NULL));
    if (strcmp(what, "a free") == 0) ASK(cuMemFree(w.memory));
    if (strcmp(what, "a new stream") == 0) ASK(cuStreamCreate(&w.second, 0));
    if (strcmp(what, "another context") == 0) ASK(cuCtxSynchronize_v2(w.other));
    if (strcmp(what, "the end of the stream") == 0) ASK(cuStreamDestroy(w.stream));
    if (strcmp(what, "the end of the context") == 0) ASK(cuCtxDestroy(conform_context));
    if (strcmp(what, "the end of the module") == 0)
        ASK(cuModuleUnload((CUmodule)(uintptr_t)conform_good("module")));
    ASK(cuCtxSynchronize());
}

/* Which contexts of the process a fault reaches, and what helps. */
static void other_contexts(void)
{
    CUcontext second, elsewhere, fresh, popped;
    CUdeviceptr p;
    conform_begin();
    MUST(cuCtxCreate(&second, NULL, 0, 0));
    MUST(cuCtxCreate(&elsewhere, NULL, 0, 1));
    MUST(cuCtxSetCurrent(conform_context));
    conform_say("fault", conform_fault("illegal_address"));
    ASK(cuCtxSetCurrent(second));
    ASK(cuMemAlloc(&p, 16));
    ASK(cuCtxSetCurrent(elsewhere));
    ASK(cuMemAlloc(&p, 16));
    ASK(cuCtxSynchronize());
    ASK(cuCtxCreate(&fresh, NULL, 0, 1));
    ASK(cuCtxPopCurrent(&popped));
    ASK(cuDevicePrimaryCtxRetain(&fresh, 0));
    ASK(cuDevicePrimaryCtxRelease(0));
    ASK(cuCtxCreate(&fresh, NULL, 0, 0));
    ASK(cuCtxDestroy(conform_context));
    ASK(cuCtxCreate(&fresh, NULL, 0, 0));
    ASK(cuCtxDestroy(second));
    ASK(cuCtxCreate(&fresh, NULL, 0, 0));
    ASK(cuMemAlloc(&p, 16));
    ASK(cuCtxSetCurrent(elsewhere));
    ASK(cuMemAlloc(&p, 16));
    ASK(cuCtxSynchronize());
}

static void primary(void)
{
    CUcontext context;
    int active = -1;
    unsigned flags = 77;
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&conform_context, 0));
    MUST(cuCtxSetCurrent(conform_context));
    conform_say("fault", conform_fault("illegal_address"));
    ASK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    ASK(cuDevicePrimaryCtxRetain(&context, 0));
    ASK(cuDevicePrimaryCtxRelease(0));
    ASK(cuCtxSynchronize());
    ASK(cuDevicePrimaryCtxReset(0));
    ASK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    ASK(cuCtxSynchronize());
    ASK(cuDevicePrimaryCtxRelease(0));
    ASK(cuDevicePrimaryCtxRetain(&context, 0));
    ASK(cuCtxSetCurrent(context));
    conform_say("a kernel afterwards", run_empty());
}

/* The process ends without having asked. */
static void at_exit(bool pending)
{
    pid_t child = fork();
    int status = -1;
    if (child == 0) {
        conform_begin();
        (void)cuLaunchKernel(conform_function("illegal_address"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
        if (!pending) cuCtxSynchronize();
        exit(5);
    }
    waitpid(child, &status, 0);
    TELL("exit status", "%s %d", WIFEXITED(status) ? "exit" : "signal",
         WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}

void conform_faults(const char *name)
{
    static const char *const kernels[] = {"illegal_address", "misaligned", "traps", "asserts"};
    const char *rest = strchr(name, ':') + 2;
    for (size_t i = 0; i < 4; i++)
        if (strcmp(rest, kernels[i]) == 0) {
            fault(rest);
            return;
        }
    if (strcmp(rest, "primary context") == 0)
        primary();
    else if (strcmp(rest, "other contexts") == 0)
        other_contexts();
    else if (strncmp(rest, "exit", 4) == 0)
        at_exit(strcmp(rest, "exit while pending") == 0);
    else
        first_asked(rest);
}
