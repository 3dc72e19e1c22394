/* SPDX-License-Identifier: Apache-2.0 */
/* What takes memory: allocations of every kind, and the objects that programs make. A thread holds up to 64
 * of them at a time and gives back one that it takes at random. */
#include "lives.h"

enum { HELD = 64 };

struct held {
    void (*give_back)(struct held *);
    CUdeviceptr at;
    void *object, *other;
};
struct own {
    struct held held[HELD];
    uint64_t random;
};
static _Thread_local struct own own;
static CUmemoryPool pool;
static CUmodule module;
static CUfunction empty;
static unsigned threads;

static void begin(void)
{
    CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                            .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}};
    OK(cuMemPoolCreate(&pool, &props));
    OK(cuModuleLoadData(&module, load_ptx));
    empty = load_function(module, "empty");
}

/* Mostly small, at times a MiB. */
static size_t some_bytes(void)
{
    uint64_t r = lives_random(&own.random);
    return 1 + (size_t)(r >> 8) % (r % 32 ? 8192 : 1 << 20);
}

static void free_device(struct held *held)
{
    OK(cuMemFree(held->at));
}

static void device(struct held *held)
{
    OK(cuMemAlloc(&held->at, some_bytes()));
    held->give_back = free_device;
}

static void managed(struct held *held)
{
    OK(cuMemAllocManaged(&held->at, some_bytes(), CU_MEM_ATTACH_GLOBAL));
    *(volatile char *)held->at = 1;
    held->give_back = free_device;
}

static void free_async(struct held *held)
{
    OK(cuMemFreeAsync(held->at, CU_STREAM_PER_THREAD));
}

static void async(struct held *held)
{
    OK(cuMemAllocAsync(&held->at, some_bytes(), CU_STREAM_PER_THREAD));
    held->give_back = free_async;
}

static void of_pool(struct held *held)
{
    OK(cuMemAllocFromPoolAsync(&held->at, some_bytes(), pool, CU_STREAM_PER_THREAD));
    held->give_back = free_async;
}

static void free_pinned(struct held *held)
{
    OK(cuMemFreeHost(held->object));
}

static void pinned(struct held *held)
{
    OK(cuMemHostAlloc(&held->object, some_bytes(), CU_MEMHOSTALLOC_DEVICEMAP));
    *(volatile char *)held->object = 1;
    held->give_back = free_pinned;
}

static void unregister(struct held *held)
{
    OK(cuMemHostUnregister(held->object));
    free(held->object);
}

static void registered(struct held *held)
{
    held->object = aligned_alloc(4096, 8192);
    OK(cuMemHostRegister(held->object, 8192, 0));
    held->give_back = unregister;
}

static void free_texture(struct held *held)
{
    OK(cuTexObjectDestroy((CUtexObject)held->at));
    OK(cuArrayDestroy(held->object));
}

static void texture(struct held *held)
{
    CUarray array;
    CUtexObject object;
    CUDA_ARRAY_DESCRIPTOR shape = {.Width = 16, .Height = 16, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
    CUDA_TEXTURE_DESC description = {.filterMode = CU_TR_FILTER_MODE_POINT};
    OK(cuArrayCreate(&array, &shape));
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
    OK(cuTexObjectCreate(&object, &resource, &description, NULL));
    *held = (struct held){.give_back = free_texture, .at = (CUdeviceptr)object, .object = array};
}

static void free_mipmapped(struct held *held)
{
    OK(cuMipmappedArrayDestroy(held->object));
}

static void mipmapped(struct held *held)
{
    CUmipmappedArray array;
    CUDA_ARRAY3D_DESCRIPTOR shape = {
        .Width = 16, .Height = 16, .Format = CU_AD_FORMAT_UNSIGNED_INT8, .NumChannels = 4};
    OK(cuMipmappedArrayCreate(&array, &shape, 3));
    *held = (struct held){.give_back = free_mipmapped, .object = array};
}

static void free_stream(struct held *held)
{
    OK(cuStreamDestroy(held->object));
    OK(cuEventDestroy(held->other));
}

static void stream_and_event(struct held *held)
{
    CUstream stream;
    CUevent event;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&event, CU_EVENT_DEFAULT));
    OK(cuLaunchKernel(empty, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    OK(cuEventRecord(event, stream));
    *held = (struct held){.give_back = free_stream, .object = stream, .other = event};
}

static void free_graph(struct held *held)
{
    OK(cuGraphExecDestroy(held->object));
    OK(cuGraphDestroy(held->other));
}

static void graph(struct held *held)
{
    CUgraph graph;
    CUgraphExec exec;
    CUgraphNode first, second;
    CUDA_KERNEL_NODE_PARAMS params = {.func = empty,
                                      .gridDimX = 1,
                                      .gridDimY = 1,
                                      .gridDimZ = 1,
                                      .blockDimX = 1,
                                      .blockDimY = 1,
                                      .blockDimZ = 1};
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddKernelNode(&first, graph, NULL, 0, &params));
    OK(cuGraphAddEmptyNode(&second, graph, &first, 1));
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, CU_STREAM_PER_THREAD));
    *held = (struct held){.give_back = free_graph, .object = exec, .other = graph};
}

static void free_pages(struct held *held)
{
    OK(cuMemUnmap(held->at, 2 << 20));
    OK(cuMemAddressFree(held->at, 2 << 20));
    OK(cuMemRelease((CUmemGenericAllocationHandle)held->object));
}

static void pages(struct held *held)
{
    CUmemGenericAllocationHandle handle;
    CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}};
    OK(cuMemCreate(&handle, 2 << 20, &prop, 0));
    OK(cuMemAddressReserve(&held->at, 2 << 20, 0, 0, 0));
    OK(cuMemMap(held->at, 2 << 20, 0, handle, 0));
    held->object = (void *)(uintptr_t)handle;
    held->give_back = free_pages;
}

static void (*const kinds[])(struct held *) = {
    device, managed, async, of_pool, pinned, registered, texture, mipmapped, stream_and_event, graph, pages};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void own_begin(void)
{
    own.random = 88172645463325252u + __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
}

/* Allocations are as many of each kind; objects that cost more are rarer. */
static void allocations(uint64_t step)
{
    if (!own.random) own_begin();
    struct held *held = &own.held[lives_random(&own.random) % HELD];
    if (held->give_back) held->give_back(held);
    *held = (struct held){0};
    kinds[step % KINDS](held);
}

static void end(void)
{
    for (int i = 0; i < HELD; i++)
        if (own.held[i].give_back) own.held[i].give_back(&own.held[i]);
    memset(own.held, 0, sizeof own.held);
    OK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
}

/* A context with a module, a stream and memory, which goes with all of them. */
static void context(uint64_t step)
{
    CUcontext made, before;
    CUmodule own_module;
    CUstream stream;
    CUdeviceptr at;
    OK(cuCtxGetCurrent(&before));
    OK(cuCtxCreate(&made, NULL, 0, 0));
    OK(cuModuleLoadData(&own_module, load_ptx));
    OK(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
    OK(cuMemAlloc(&at, 1000 + step % 10 * 10000));
    OK(cuLaunchKernel(load_function(own_module, "empty"), 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    OK(cuMemsetD8Async(at, 1, 1000, CU_STREAM_PER_THREAD));
    OK(cuCtxDestroy(made));
    OK(cuCtxSetCurrent(before));
}

const struct life lives_memory[] = {
    {"allocations", "memory of every kind, textures, streams, events, graphs, 64 held", begin, allocations,
     end, 20000},
    {"contexts", "contexts, which take all that is in them with them", begin, context, NULL, 50},
    {.name = NULL},
};
