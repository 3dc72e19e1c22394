/* SPDX-License-Identifier: Apache-2.0 */
/* One object of each kind is created, used and destroyed, twice, and every context with them. A build
 * with the leak sanitizer (scripts/check.sh) reports leaks. The remaining objects work after each
 * destruction. */
#include "driver_program.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                          ".visible .global .align 4 .b32 variable[4];\n"
                          ".visible .entry empty(.param .u32 unused)\n{\n    ret;\n}\n";
static int one = 1;
static void *params[] = {&one};

static CUmodule load(CUfunction *function)
{
    CUmodule module;
    OK(cuModuleLoadData(&module, ptx));
    OK(cuModuleGetFunction(function, module, "empty"));
    return module;
}

static CUresult launch(CUfunction function, CUstream stream)
{
    return cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, params, NULL);
}

static void streams_and_events(CUfunction function)
{
    CUstream a, b;
    CUevent event;
    OK(cuStreamCreate(&a, 0));
    OK(cuStreamCreateWithPriority(&b, CU_STREAM_NON_BLOCKING, -2));
    OK(cuEventCreate(&event, 0));
    OK(launch(function, a));
    OK(cuEventRecord(event, a));
    OK(cuStreamWaitEvent(b, event, 0));
    OK(launch(function, b));
    OK(launch(function, CU_STREAM_PER_THREAD));
    OK(cuStreamDestroy(a)); /* its work is still done */
    OK(cuStreamSynchronize(b));
    OK(cuEventDestroy(event));
    OK(cuStreamDestroy(b));
}

static void memory(void)
{
    CUdeviceptr p, q;
    void *pinned, *page = aligned_alloc(4096, 8192);
    size_t pitch;
    CUstream stream;
    OK(cuStreamCreate(&stream, 0));
    OK(cuMemAlloc(&p, 1 << 20));
    OK(cuMemAllocPitch(&q, &pitch, 100, 10, 4));
    OK(cuMemsetD8Async(p, 3, 1 << 20, stream));
    OK(cuMemFree(p));
    OK(cuMemFree(q));
    OK(cuMemAllocManaged(&p, 4096, CU_MEM_ATTACH_GLOBAL));
    OK(cuMemFree(p));
    OK(cuMemAllocHost(&pinned, 4096));
    OK(cuMemHostRegister(page, 8192, 0));
    OK(cuMemAllocAsync(&p, 4096, stream));
    OK(cuMemcpyHtoDAsync(p, pinned, 4096, stream));
    OK(cuMemFreeAsync(p, stream));
    OK(cuMemHostUnregister(page));
    OK(cuMemFreeHost(pinned));
    OK(cuStreamDestroy(stream));
    free(page);
}

static void pools_and_mappings(void)
{
    enum { SIZE = 2 << 20 };
    CUmemoryPool pool;
    CUdeviceptr p;
    CUmemGenericAllocationHandle chunk;
    CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                            .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    CUmemAccessDesc access = {.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0},
                              .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    OK(cuMemPoolCreate(&pool, &props));
    OK(cuMemAllocFromPoolAsync(&p, 4096, pool, NULL));
    OK(cuMemPoolDestroy(pool)); /* lives until its memory is free */
    OK(cuMemFreeAsync(p, NULL));
    OK(cuCtxSynchronize());
    OK(cuMemCreate(&chunk, SIZE, &prop, 0));
    OK(cuMemAddressReserve(&p, SIZE, 0, 0, 0));
    OK(cuMemMap(p, SIZE, 0, chunk, 0));
    OK(cuMemRelease(chunk));
    OK(cuMemSetAccess(p, SIZE, &access, 1));
    OK(cuMemsetD8(p, 1, SIZE));
    OK(cuMemUnmap(p, SIZE));
    OK(cuMemAddressFree(p, SIZE));
}

static void textures(void)
{
    CUDA_ARRAY3D_DESCRIPTOR shape = {.Width = 16,
                                     .Height = 16,
                                     .Format = CU_AD_FORMAT_UNSIGNED_INT32,
                                     .NumChannels = 1,
                                     .Flags = CUDA_ARRAY3D_SURFACE_LDST};
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY};
    CUDA_TEXTURE_DESC how = {.flags = CU_TRSF_READ_AS_INTEGER};
    CUtexObject texture;
    CUsurfObject surface;
    OK(cuArray3DCreate(&resource.res.array.hArray, &shape));
    OK(cuTexObjectCreate(&texture, &resource, &how, NULL));
    OK(cuSurfObjectCreate(&surface, &resource));
    OK(cuTexObjectDestroy(texture));
    OK(cuSurfObjectDestroy(surface));
    OK(cuArrayDestroy(resource.res.array.hArray));
}

static void libraries(void)
{
    CUlibrary library;
    CUkernel kernel;
    CUdeviceptr variable;
    CUlinkState link;
    void *image;
    OK(cuLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryGetKernel(&kernel, library, "empty"));
    OK(launch((CUfunction)kernel, NULL));
    OK(cuLibraryGetGlobal(&variable, NULL, library, "variable"));
    OK(cuLibraryUnload(library));
    OK(cuLinkCreate(0, NULL, NULL, &link));
    OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)(uintptr_t)ptx, sizeof ptx, "x", 0, NULL, NULL));
    OK(cuLinkComplete(link, &image, NULL));
    OK(cuLinkDestroy(link));
}

static void CUDA_CB nothing(void *user)
{
    (void)user;
}

static void graphs(CUfunction function)
{
    CUgraph graph, clone, captured;
    CUgraphNode node, after;
    CUgraphExec exec;
    CUstream stream;
    CUdeviceptr p;
    CUDA_KERNEL_NODE_PARAMS kernel = {.func = function,
                                      .gridDimX = 1,
                                      .gridDimY = 1,
                                      .gridDimZ = 1,
                                      .blockDimX = 1,
                                      .blockDimY = 1,
                                      .blockDimZ = 1,
                                      .kernelParams = params};
    CUDA_HOST_NODE_PARAMS host = {.fn = nothing};
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddKernelNode(&node, graph, NULL, 0, &kernel));
    OK(cuGraphAddHostNode(&after, graph, &node, 1, &host));
    OK(cuGraphClone(&clone, graph));
    OK(cuGraphAddChildGraphNode(&node, graph, &after, 1, clone));
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cuGraphLaunch(exec, NULL));
    OK(cuGraphDestroy(clone));
    OK(cuGraphDestroy(graph));
    OK(cuGraphExecDestroy(exec)); /* while it may run */
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(launch(function, stream));
    OK(cuMemAllocAsync(&p, 4096, stream));
    OK(cuMemFreeAsync(p, stream));
    OK(cuStreamEndCapture(stream, &captured));
    OK(cuGraphInstantiateWithFlags(&exec, captured, 0));
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(captured));
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(launch(function, stream));
    OK(cuStreamDestroy(stream)); /* and its capture */
}

/* What a program leaves behind goes with the context. */
static void left_behind(CUfunction function)
{
    CUdeviceptr p;
    CUstream stream;
    void *pinned;
    OK(cuMemAlloc(&p, 4096));
    OK(cuMemAllocHost(&pinned, 4096));
    OK(cuStreamCreate(&stream, 0));
    OK(launch(function, stream));
    OK(cuMemsetD8Async(p, 1, 4096, stream));
}

static void all(CUfunction function)
{
    streams_and_events(function);
    memory();
    pools_and_mappings();
    textures();
    libraries();
    graphs(function);
    left_behind(function);
}

int main(void)
{
    OK(cuInit(0));
    for (int round = 0; round < 2; round++) {
        CUcontext context;
        CUfunction function;
        OK(cuCtxCreate(&context, NULL, 0, 0));
        CUmodule module = load(&function);
        all(function);
        OK(cuModuleUnload(module));
        load(&function);
        OK(launch(function, NULL));
        OK(cuCtxDestroy(context));
        OK(cuDevicePrimaryCtxRetain(&context, 0));
        OK(cuCtxSetCurrent(context));
        load(&function);
        all(function);
        OK(cuCtxSetCurrent(NULL));
        OK(cuDevicePrimaryCtxRelease(0));
    }
    puts("ok");
    return 0;
}
