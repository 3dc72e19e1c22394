/* SPDX-License-Identifier: Apache-2.0 */
/* Sequences of calls: objects destroyed twice, while they are in use, or from the wrong context or
 * thread. */
#define _GNU_SOURCE
#include "conform.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#define OF(type, kind) ((type)(uintptr_t)conform_good(kind))
static CUcontext a, b, none;
static int one = 1;
static void *params[] = {&one};

static CUresult launch(CUfunction function, CUstream stream)
{
    return cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL);
}

static CUcontext current(void)
{
    CUcontext context = NULL;
    MUST(cuCtxGetCurrent(&context));
    return context;
}

static void say_current(const char *when)
{
    CUcontext now = current();
    TELL(when, "current: %s", now == NULL ? "none" : now == a ? "a" : now == b ? "b" : "another");
}

struct in_thread {
    void (*run)(void *);
    void *with;
};
static void *thread_main(void *at)
{
    struct in_thread *t = at;
    t->run(t->with);
    return NULL;
}
void conform_thread(void (*run)(void *), void *with)
{
    pthread_t id;
    struct in_thread t = {run, with};
    if (pthread_create(&id, NULL, thread_main, &t) != 0) abort();
    pthread_join(id, NULL);
}

/* ---- contexts */
static void use_destroyed(void *with)
{
    (void)with;
    ASK(cuCtxSetCurrent(a));
    ASK(cuCtxDestroy(b));
    say_current("in a thread");
}

static void contexts(void)
{
    CUcontext popped = NULL;
    CUdeviceptr p;
    CUstream stream;
    CUevent event;
    CUfunction function;
    CUdevice device = -1;
    MUST(cuCtxPopCurrent(&popped));
    say_current("at first");
    ASK(cuCtxPopCurrent(&popped));
    ASK(cuCtxGetDevice(&device));
    ASK(cuCtxSynchronize());
    ASK(cuCtxCreate(&a, NULL, 0, 0));
    say_current("after creation");
    MUST(cuStreamCreate(&stream, 0));
    MUST(cuEventCreate(&event, 0));
    MUST(cuMemAlloc(&p, 4096));
    CUmodule module;
    MUST(cuModuleLoadData(&module, conform_ptx));
    MUST(cuModuleGetFunction(&function, module, "empty"));
    ASK(cuCtxPushCurrent(a));
    ASK(cuCtxCreate(&b, NULL, 0, 0));
    say_current("after another creation");
    ASK(launch(function, NULL));
    ASK(launch(function, stream));
    ASK(cuEventRecord(event, NULL));
    ASK(cuEventRecord(event, stream));
    ASK(cuEventQuery(event));
    ASK(cuStreamQuery(stream));
    ASK(cuStreamSynchronize(stream));
    ASK(cuStreamWaitEvent(NULL, event, 0));
    ASK(cuStreamGetCtx(stream, &popped));
    ASK(cuMemsetD8(p, 1, 16));
    ASK(cuMemsetD8Async(p, 1, 16, stream));
    ASK(cuMemFree(p));
    ASK(cuStreamDestroy(stream));
    ASK(cuEventDestroy(event));
    ASK(cuModuleUnload(module));
    ASK(cuCtxPopCurrent(&popped));
    say_current("after a pop");
    ASK(cuCtxPopCurrent(&popped));
    say_current("after two pops");
    ASK(cuCtxPopCurrent(&popped));
    say_current("after three pops");
    ASK(cuCtxPopCurrent(&popped));
    say_current("after four pops");
    ASK(cuCtxSetCurrent(b));
    ASK(cuCtxPushCurrent(a));
    ASK(cuCtxDestroy(b));
    say_current("after the end of the one below");
    ASK(cuCtxPopCurrent(&popped));
    say_current("after a pop to a dead one");
    ASK(cuCtxSynchronize());
    ASK(cuMemAlloc(&p, 16));
    ASK(cuCtxGetDevice(&device));
    ASK(cuCtxPushCurrent(b));
    ASK(cuCtxSetCurrent(b));
    ASK(cuCtxSetCurrent(NULL));
    ASK(cuCtxDestroy(NULL));
    MUST(cuCtxCreate(&b, NULL, 0, 0));
    conform_thread(use_destroyed, NULL);
    say_current("after the end in a thread");
    ASK(cuCtxSynchronize());
    ASK(cuMemAlloc(&p, 16));
    ASK(cuStreamCreate(&stream, 0));
    ASK(cuCtxPopCurrent(&popped));
    say_current("after a pop of the dead one");
    ASK(cuCtxSetCurrent(a));
    ASK(cuCtxDestroy(a));
    say_current("after the end of the current one");
    ASK(cuCtxEnablePeerAccess(none, 0));
}

static void primaries(void)
{
    CUcontext first = NULL, second = NULL;
    unsigned flags = 77;
    int active = 77;
    MUST(cuDevicePrimaryCtxGetState(0, &flags, &active));
    TELL("state at first", "%u %d", flags, active);
    ASK(cuDevicePrimaryCtxRelease(0));
    ASK(cuDevicePrimaryCtxReset(0));
    ASK(cuDevicePrimaryCtxRetain(&first, 0));
    ASK(cuDevicePrimaryCtxRetain(&second, 0));
    TELL("twice the same", "%d", first == second);
    ASK(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_BLOCKING_SYNC));
    MUST(cuDevicePrimaryCtxGetState(0, &flags, &active));
    TELL("state with flags", "%u %d", flags, active);
    ASK(cuCtxDestroy(first));
    ASK(cuCtxSetCurrent(first));
    ASK(cuCtxSynchronize());
    ASK(cuDevicePrimaryCtxRelease(0));
    ASK(cuCtxSynchronize());
    ASK(cuDevicePrimaryCtxRelease(0));
    ASK(cuCtxSynchronize());
    ASK(cuDevicePrimaryCtxRelease(0));
    ASK(cuCtxSetCurrent(first));
    ASK(cuDevicePrimaryCtxRetain(&second, 0));
    TELL("again the same", "%d", first == second);
    ASK(cuCtxSetCurrent(second));
    ASK(cuCtxSynchronize());
    ASK(cuDevicePrimaryCtxReset(0));
    MUST(cuDevicePrimaryCtxGetState(0, &flags, &active));
    TELL("state after a reset", "%u %d", flags, active);
    ASK(cuCtxSynchronize());
}

/* ---- modules and launches */
static void modules(void)
{
    CUmodule module;
    CUfunction function, again;
    CUdeviceptr p;
    size_t bytes = 0;
    CUlibrary library;
    CUkernel kernel;
    int value;
    MUST(cuModuleLoadData(&module, conform_ptx));
    MUST(cuModuleGetFunction(&function, module, "empty"));
    MUST(cuModuleGetFunction(&again, module, "empty"));
    TELL("the same function twice", "%d", function == again);
    ASK(cuModuleGetGlobal(&p, &bytes, module, "variable"));
    TELL("bytes", "%zu", bytes);
    ASK(cuModuleGetGlobal(NULL, NULL, module, "variable"));
    ASK(cuModuleGetGlobal(NULL, NULL, module, "nosuch"));
    ASK(cuModuleGetGlobal(&p, NULL, module, "empty"));
    ASK(cuModuleGetFunction(&again, module, "variable"));
    ASK(cuMemFree(p));
    ASK(cuModuleUnload(module));
    ASK(cuModuleUnload(module));
    MUST(cuLibraryLoadData(&library, conform_ptx, NULL, NULL, 0, NULL, NULL, 0));
    MUST(cuLibraryGetKernel(&kernel, library, "empty"));
    ASK(launch((CUfunction)kernel, NULL));
    ASK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, (CUfunction)kernel));
    ASK(cuKernelGetFunction(&function, kernel));
    ASK(cuLibraryGetModule(&module, library));
    ASK(cuModuleUnload(module));
    ASK(cuLibraryUnload(library));
    ASK(cuLibraryUnload(library));
    CUjit_option option = (CUjit_option)9999;
    void *zero = NULL;
    ASK(cuModuleLoadDataEx(&module, conform_ptx, 1, &option, &zero));
    option = CU_JIT_MAX_REGISTERS;
    ASK(cuModuleLoadDataEx(&module, conform_ptx, 1, &option, &zero));
    ASK(cuModuleLoadDataEx(&module, conform_ptx, 1, NULL, NULL));
    option = CU_JIT_TARGET;
    zero = (void *)(uintptr_t)77;
    ASK(cuModuleLoadDataEx(&module, conform_ptx, 1, &option, &zero));
    zero = (void *)(uintptr_t)50;
    ASK(cuModuleLoadDataEx(&module, conform_ptx, 1, &option, &zero));
    CUlinkState link;
    void *image;
    MUST(cuLinkCreate(0, NULL, NULL, &link));
    ASK(cuLinkComplete(link, &image, &bytes));
    ASK(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)(uintptr_t)conform_ptx, strlen(conform_ptx) + 1, "x", 0,
                      NULL, NULL));
    ASK(cuLinkDestroy(link));
}

static void launches(void)
{
    CUfunction empty = conform_function("empty"), bounded = conform_function("bounded");
    CUfunction several = conform_function("several");
    unsigned char bytes[64] = {0};
    size_t size = 4, small = 2, large = 64;
    void *good[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, bytes, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                    CU_LAUNCH_PARAM_END};
    void *few[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, bytes, CU_LAUNCH_PARAM_BUFFER_SIZE, &small,
                   CU_LAUNCH_PARAM_END};
    void *many[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, bytes, CU_LAUNCH_PARAM_BUFFER_SIZE, &large,
                    CU_LAUNCH_PARAM_END};
    void *half[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, bytes, CU_LAUNCH_PARAM_END};
    void *odd[] = {(void *)(uintptr_t)9, bytes, CU_LAUNCH_PARAM_END};
    void *end[] = {CU_LAUNCH_PARAM_END};
#define EXTRA(function, with) ASK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, with))
    EXTRA(empty, good);
    EXTRA(empty, few);
    EXTRA(empty, many);
    EXTRA(empty, half);
    EXTRA(empty, odd);
    EXTRA(empty, end);
    EXTRA(empty, NULL);
    EXTRA(several, many);
    ASK(cuLaunchKernel(empty, 1, 1, 1, 1, 1, 1, 0, NULL, params, good));
#define BLOCK(function, threads, shared)                                                                     \
    ASK(cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, shared, NULL, params, NULL))
    BLOCK(bounded, 128, 0);
    BLOCK(bounded, 129, 0);
    BLOCK(bounded, 128, 45152);
    BLOCK(bounded, 128, 45153);
    BLOCK(bounded, 128, 49152);
    ASK(cuFuncSetAttribute(empty, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000));
    BLOCK(empty, 32, 100000);
    BLOCK(empty, 32, 100001);
    ASK(cuFuncSetAttribute(empty, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1000));
    BLOCK(empty, 32, 1000);
    BLOCK(empty, 32, 1001);
    ASK(cuLaunchCooperativeKernel(empty, 132 * 32, 1, 1, 32, 1, 1, 0, NULL, params));
    ASK(cuLaunchCooperativeKernel(empty, 132 * 32 + 1, 1, 1, 32, 1, 1, 0, NULL, params));
    ASK(cuLaunchCooperativeKernel(empty, 132 * 2, 1, 1, 1024, 1, 1, 0, NULL, params));
    ASK(cuLaunchCooperativeKernel(empty, 132 * 2 + 1, 1, 1, 1024, 1, 1, 0, NULL, params));
    ASK(cuLaunch(empty));
    ASK(cuFuncSetBlockShape(empty, 32, 1, 1));
    ASK(cuLaunch(empty));
    ASK(cuParamSetSize(empty, 4));
    ASK(cuParamSeti(empty, 0, 5));
    ASK(cuLaunchGrid(empty, 2, 2));
    ASK(cuFuncSetSharedSize(empty, 49153));
    ASK(cuLaunchGrid(empty, 2, 2));
    ASK(cuCtxSynchronize());
}

void conform_sequences(const char *name)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } all[] = {{"contexts", contexts},
               {"primary contexts", primaries},
               {"frees", conform_frees},
               {"captures", conform_captures},
               {"launches", launches},
               {"modules", modules},
               {"graphs", conform_graphs},
               {"pools", conform_pools},
               {"registrations", conform_registrations},
               {"mappings", conform_mappings},
               {"events", conform_events},
               {"green contexts", conform_greens},
               {"first forms", conform_first_forms},
               {"captured graphs", conform_captured_graphs}};
    conform_begin();
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        if (strcmp(all[i].name, name) == 0) all[i].run();
}
