/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that destroy what other threads use: streams, events, modules, memory, graphs, captures,
 * contexts, primary contexts. Calls may answer any error; nothing crashes or hangs, and afterwards a kernel
 * in a new context computes what it should. Not a cmocka program: the engine needs the signals.
 * usage: driver_misuse [MILLISECONDS for each kind [KIND]] */
#include "driver_program.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry fill(.param .u64 p, .param .u32 value)\n{\n"
    "    .reg .b32 %r<3>; .reg .b64 %d<4>; ld.param.u64 %d1, [p]; ld.param.u32 %r1, [value]; mov.u32 %r2, "
    "%tid.x;\n"
    "    mul.wide.u32 %d2, %r2, 4; add.u64 %d3, %d1, %d2; st.global.u32 [%d3], %r1; ret;\n}\n";

enum { SLOTS = 8, USERS = 3, BYTES = 1 << 16 };
static CUcontext context;
static CUdeviceptr buffer;
static CUfunction steady;               /* of a module that stays */
static _Atomic(uintptr_t) slots[SLOTS]; /* handles, perhaps of what is gone */
static atomic_bool stop;

static unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static CUresult launch(CUfunction function, CUstream stream)
{
    unsigned value = 7;
    void *params[] = {&buffer, &value};
    return cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, stream, params, NULL);
}

/* Each kind has two functions: one replaces the object of a slot and destroys the old one, the other
 * uses the object. */
static void stream_renew(_Atomic(uintptr_t) *slot)
{
    CUstream stream = NULL;
    cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
    cuStreamDestroy((CUstream)atomic_exchange(slot, (uintptr_t)stream));
}
static void stream_use(uintptr_t handle)
{
    CUstream stream = (CUstream)handle;
    CUcontext its;
    cuMemsetD8Async(buffer, 1, BYTES, stream);
    launch(steady, stream);
    cuStreamQuery(stream);
    cuStreamGetCtx(stream, &its);
    cuStreamSynchronize(stream);
}
static void event_renew(_Atomic(uintptr_t) *slot)
{
    CUevent event = NULL;
    cuEventCreate(&event, 0);
    cuEventDestroy((CUevent)atomic_exchange(slot, (uintptr_t)event));
}
static void event_use(uintptr_t handle)
{
    CUevent event = (CUevent)handle;
    float ms;
    cuEventRecord(event, CU_STREAM_PER_THREAD);
    cuStreamWaitEvent(NULL, event, 0);
    cuEventQuery(event);
    cuEventElapsedTime(&ms, event, event);
    cuEventSynchronize(event);
}
/* Texture references: three users set and read what one has, and it goes. */
static void reference_renew(_Atomic(uintptr_t) *slot)
{
    CUtexref reference = NULL;
    cuTexRefCreate(&reference);
    cuTexRefDestroy((CUtexref)atomic_exchange(slot, (uintptr_t)reference));
}
static void reference_use(uintptr_t handle)
{
    CUtexref reference = (CUtexref)handle;
    CUdeviceptr address = 0;
    size_t offset;
    cuTexRefSetFormat(reference, CU_AD_FORMAT_UNSIGNED_INT32, 1);
    cuTexRefSetAddress(&offset, reference, buffer, BYTES);
    if (cuTexRefGetAddress(&address, reference) == CUDA_SUCCESS && address != buffer) {
        fprintf(stderr, "a reference has the address %llx, which none was given\n", address);
        exit(1);
    }
}
static void module_renew(_Atomic(uintptr_t) *slot)
{
    CUmodule module = NULL;
    cuModuleLoadData(&module, ptx);
    cuModuleUnload((CUmodule)atomic_exchange(slot, (uintptr_t)module));
}
static void module_use(uintptr_t handle)
{
    CUfunction function = NULL;
    int registers;
    if (cuModuleGetFunction(&function, (CUmodule)handle, "fill") != CUDA_SUCCESS) return;
    cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function);
    launch(function, CU_STREAM_PER_THREAD);
}
static void memory_renew(_Atomic(uintptr_t) *slot)
{
    CUdeviceptr p = 0;
    cuMemAlloc(&p, BYTES);
    cuMemFree(atomic_exchange(slot, p));
}
static void memory_use(uintptr_t handle)
{
    static _Thread_local char host[BYTES];
    CUdeviceptr base;
    size_t bytes;
    cuMemGetAddressRange(&base, &bytes, handle);
    cuMemsetD32Async(handle, 5, BYTES / 4, CU_STREAM_PER_THREAD);
    cuMemcpyDtoH(host, handle, BYTES);
    cuMemcpyDtoDAsync(buffer, handle, BYTES, CU_STREAM_PER_THREAD);
}
static void graph_renew(_Atomic(uintptr_t) *slot)
{
    CUgraph graph = NULL;
    CUgraphNode node;
    CUgraphExec exec = NULL;
    CUDA_MEMSET_NODE_PARAMS fill = {.dst = buffer, .value = 2, .elementSize = 1, .width = BYTES, .height = 1};
    cuGraphCreate(&graph, 0);
    cuGraphAddMemsetNode(&node, graph, NULL, 0, &fill, context);
    cuGraphInstantiateWithFlags(&exec, graph, 0);
    cuGraphDestroy(graph);
    cuGraphExecDestroy((CUgraphExec)atomic_exchange(slot, (uintptr_t)exec));
}
static void graph_use(uintptr_t handle)
{
    cuGraphLaunch((CUgraphExec)handle, CU_STREAM_PER_THREAD);
    cuGraphUpload((CUgraphExec)handle, CU_STREAM_PER_THREAD);
}
/* Nodes are destroyed, alone or with their graph, while other threads query, change and connect them. */
static void node_renew(_Atomic(uintptr_t) *slot)
{
    static CUgraph last;
    CUgraph graph = NULL;
    CUgraphNode node, next;
    CUDA_MEMSET_NODE_PARAMS fill = {.dst = buffer, .value = 2, .elementSize = 1, .width = 64, .height = 1};
    cuGraphCreate(&graph, 0);
    cuGraphAddMemsetNode(&node, graph, NULL, 0, &fill, context);
    cuGraphAddEmptyNode(&next, graph, &node, 1);
    atomic_store(slot, (uintptr_t)node);
    cuGraphDestroyNode(next);
    cuGraphDestroy(last);
    last = graph;
}
static void node_use(uintptr_t handle)
{
    CUgraphNode node = (CUgraphNode)handle;
    CUDA_MEMSET_NODE_PARAMS fill;
    CUgraphNodeType type;
    size_t count = 0;
    cuGraphNodeGetDependentNodes(node, NULL, NULL, &count);
    cuGraphNodeGetType(node, &type);
    if (cuGraphMemsetNodeGetParams(node, &fill) == CUDA_SUCCESS) cuGraphMemsetNodeSetParams(node, &fill);
    cuGraphDestroyNode(node);
}
/* Captures fork and join streams while other threads destroy these streams, use them and end their
 * captures. */
static void capture_renew(_Atomic(uintptr_t) *slot)
{
    CUstream origin = NULL, forked = NULL;
    CUevent event = NULL;
    CUgraph graph = NULL;
    cuStreamCreate(&origin, CU_STREAM_NON_BLOCKING);
    cuStreamCreate(&forked, CU_STREAM_NON_BLOCKING);
    cuEventCreate(&event, CU_EVENT_DISABLE_TIMING);
    cuStreamBeginCapture(origin, CU_STREAM_CAPTURE_MODE_RELAXED);
    cuEventRecord(event, origin);
    cuStreamWaitEvent(forked, event, 0);
    uintptr_t before = atomic_exchange(slot, (uintptr_t)forked);
    launch(steady, forked);
    cuEventRecord(event, forked);
    cuStreamWaitEvent(origin, event, 0);
    cuStreamDestroy(forked);
    atomic_store(slot, (uintptr_t)origin);
    if (cuStreamEndCapture(origin, &graph) == CUDA_SUCCESS) cuGraphDestroy(graph);
    cuStreamDestroy((CUstream)before);
    cuEventDestroy(event);
}
static void capture_use(uintptr_t handle)
{
    CUstream stream = (CUstream)handle;
    CUdeviceptr p = 0;
    CUevent event = NULL;
    CUgraph graph = NULL;
    cuEventCreate(&event, CU_EVENT_DISABLE_TIMING);
    cuMemsetD8Async(buffer, 1, BYTES, stream);
    cuEventRecord(event, stream);
    cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_EXTERNAL);
    if (cuMemAllocAsync(&p, BYTES, stream) == CUDA_SUCCESS) cuMemFreeAsync(p, stream);
    if (cuStreamEndCapture(stream, &graph) == CUDA_SUCCESS) cuGraphDestroy(graph);
    cuEventDestroy(event);
}
static void context_renew(_Atomic(uintptr_t) *slot)
{
    CUcontext fresh = NULL, popped;
    cuCtxCreate(&fresh, NULL, 0, 0);
    cuCtxPopCurrent(&popped);
    cuCtxDestroy((CUcontext)atomic_exchange(slot, (uintptr_t)fresh));
}
/* Objects of the context itself: default streams, and synchronisation of all streams. */
static void context_defaults(CUcontext of)
{
    CUevent event;
    CUstream stream;
    if (cuEventCreate(&event, CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS) return;
    cuMemsetD8Async(buffer, 1, BYTES, NULL);
    cuMemsetD8Async(buffer, 1, BYTES, CU_STREAM_PER_THREAD);
    cuEventRecord(event, CU_STREAM_PER_THREAD);
    cuCtxWaitEvent(of, event);
    if (cuStreamCreate(&stream, 0) == CUDA_SUCCESS) cuStreamDestroy(stream);
    cuCtxRecordEvent(of, event);
    cuStreamSynchronize(NULL);
    cuStreamQuery(CU_STREAM_PER_THREAD);
    cuEventDestroy(event);
}
static void context_use(uintptr_t handle)
{
    CUdeviceptr p;
    CUstream stream;
    CUmodule module;
    CUfunction function;
    if (cuCtxPushCurrent((CUcontext)handle) != CUDA_SUCCESS) return;
    if (cuStreamCreate(&stream, 0) == CUDA_SUCCESS && cuMemAlloc(&p, BYTES) == CUDA_SUCCESS) {
        cuMemsetD8Async(p, 1, BYTES, stream);
        if (cuModuleLoadData(&module, ptx) == CUDA_SUCCESS &&
            cuModuleGetFunction(&function, module, "fill") == CUDA_SUCCESS)
            launch(function, stream);
        cuMemFree(p);
        cuStreamDestroy(stream);
    }
    context_defaults((CUcontext)handle);
    cuCtxSynchronize();
    CUcontext popped;
    cuCtxPopCurrent(&popped);
}
/* The primary context ends with its last release or by a reset; a retain creates a new one. */
static void primary_renew(_Atomic(uintptr_t) *slot)
{
    static unsigned calls;
    CUcontext primary = NULL;
    cuDevicePrimaryCtxRetain(&primary, 0);
    atomic_store(slot, (uintptr_t)primary);
    if (calls++ % 2) cuDevicePrimaryCtxReset(0);
    cuDevicePrimaryCtxRelease(0);
}
static void primary_use(uintptr_t handle)
{
    unsigned flags;
    int active;
    CUcontext retained = NULL;
    context_use(handle);
    cuDevicePrimaryCtxGetState(0, &flags, &active);
    cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_YIELD);
    if (cuDevicePrimaryCtxRetain(&retained, 0) != CUDA_SUCCESS) return;
    context_use((uintptr_t)retained);
    cuDevicePrimaryCtxRelease(0);
}

static const struct kind {
    const char *name;
    unsigned slots; /* few: what is used ends soon */
    void (*renew)(_Atomic(uintptr_t) *slot);
    void (*use)(uintptr_t handle);
} kinds[] = {
    {"streams", SLOTS, stream_renew, stream_use},    {"events", SLOTS, event_renew, event_use},
    {"modules", SLOTS, module_renew, module_use},    {"memory", SLOTS, memory_renew, memory_use},
    {"graphs", SLOTS, graph_renew, graph_use},       {"nodes", 2, node_renew, node_use},
    {"captures", SLOTS, capture_renew, capture_use}, {"contexts", 2, context_renew, context_use},
    {"primaries", 1, primary_renew, primary_use},    {"references", 2, reference_renew, reference_use}};

static void *renewer(void *at)
{
    const struct kind *kind = at;
    unsigned state = 1;
    cuCtxSetCurrent(context);
    while (!atomic_load(&stop))
        kind->renew(&slots[next_random(&state) % kind->slots]);
    return NULL;
}

static void *user(void *at)
{
    const struct kind *kind = at;
    unsigned state = (unsigned)(uintptr_t)&state;
    cuCtxSetCurrent(context);
    while (!atomic_load(&stop)) {
        uintptr_t handle = atomic_load(&slots[next_random(&state) % kind->slots]);
        if (handle) kind->use(handle);
    }
    return NULL;
}

static void fresh(void)
{
    CUmodule module;
    OK(cuCtxCreate(&context, NULL, 0, 0));
    OK(cuModuleLoadData(&module, ptx));
    OK(cuModuleGetFunction(&steady, module, "fill"));
    OK(cuMemAlloc(&buffer, BYTES));
}

static void works(void)
{
    unsigned host[64] = {0};
    OK(launch(steady, NULL));
    OK(cuMemcpyDtoH(host, buffer, sizeof host));
    for (int i = 0; i < 64; i++)
        if (host[i] != 7) {
            fprintf(stderr, "element %d is %u, not 7\n", i, host[i]);
            exit(1);
        }
}

static void misuse(const struct kind *kind, long milliseconds)
{
    pthread_t threads[USERS + 1];
    struct timespec pause = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    fresh();
    atomic_store(&stop, false);
    pthread_create(&threads[0], NULL, renewer, (void *)(uintptr_t)kind);
    for (int i = 1; i <= USERS; i++)
        pthread_create(&threads[i], NULL, user, (void *)(uintptr_t)kind);
    nanosleep(&pause, NULL);
    atomic_store(&stop, true);
    for (int i = 0; i <= USERS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < SLOTS; i++)
        atomic_store(&slots[i], 0);
    cuCtxDestroy(context); /* it may have failed: a copy found its memory gone */
    fresh();
    works();
    OK(cuCtxDestroy(context));
    printf("%s ok\n", kind->name);
}

int main(int argc, char **argv)
{
    long milliseconds = argc > 1 ? atol(argv[1]) : 300;
    OK(cuInit(0));
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (argc < 3 || strcmp(argv[2], kinds[i].name) == 0) misuse(&kinds[i], milliseconds);
    puts("ok");
    return 0;
}
