/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of every kind are created and destroyed thousands of times; the memory of the process does not
 * grow. */
#include "load.h"

enum { ROUNDS = 1000 / SLOW + 10, WARM_UP = ROUNDS / 4 };
static const long MIB = 1 << 20;

static void modules(void)
{
    CUmodule module;
    OK(cuModuleLoadData(&module, load_ptx));
    OK(cuLaunchKernel(load_function(module, "empty"), 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    OK(cuModuleUnload(module));
}

static void libraries(void)
{
    CUlibrary library;
    CUkernel kernel;
    CUfunction function;
    OK(cuLibraryLoadData(&library, load_ptx, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryGetKernel(&kernel, library, "empty"));
    OK(cuKernelGetFunction(&function, kernel));
    OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    OK(cuCtxSynchronize());
    OK(cuLibraryUnload(library));
}

static void contexts(void)
{
    CUcontext context;
    CUmodule module;
    CUstream stream;
    CUdeviceptr p;
    OK(cuCtxCreate(&context, NULL, 0, 0));
    OK(cuModuleLoadData(&module, load_ptx));
    OK(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
    OK(cuMemAlloc(&p, 100000)); /* goes with its context */
    OK(cuLaunchKernel(load_function(module, "empty"), 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    OK(cuMemsetD8Async(p, 1, 100000, CU_STREAM_PER_THREAD));
    OK(cuCtxDestroy(context));
}

static void graphs(void)
{
    CUstream stream;
    CUgraph graph, copy;
    CUgraphExec exec;
    CUdeviceptr p;
    CUevent event;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&event, CU_EVENT_DEFAULT));
    OK(cuMemAlloc(&p, 4096));
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    OK(cuMemsetD32Async(p, 1, 1024, stream));
    OK(cuEventRecord(event, stream));
    OK(cuMemsetD32Async(p, 2, 512, stream));
    OK(cuStreamWaitEvent(stream, event, 0));
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuGraphClone(&copy, graph));
    OK(cuGraphInstantiate(&exec, copy, 0));
    OK(cuGraphDestroy(copy));
    for (int i = 0; i < 3; i++)
        OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuEventDestroy(event));
    OK(cuStreamDestroy(stream));
    OK(cuMemFree(p));
}

static void memory(void)
{
    CUdeviceptr a, b, c;
    void *pinned;
    CUmemoryPool pool;
    CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                            .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}};
    size_t pitch;
    OK(cuMemAlloc(&a, 1 << 20));
    OK(cuMemAllocPitch(&b, &pitch, 1000, 100, 4));
    OK(cuMemAllocManaged(&c, 1 << 16, CU_MEM_ATTACH_GLOBAL));
    OK(cuMemHostAlloc(&pinned, 1 << 16, 0));
    OK(cuMemsetD8(a, 1, 1 << 20));
    OK(cuMemcpyDtoHAsync(pinned, a, 1 << 16, NULL));
    OK(cuMemFree(a));
    OK(cuMemFree(b));
    OK(cuMemFree(c));
    OK(cuMemFreeHost(pinned));
    OK(cuMemPoolCreate(&pool, &props));
    OK(cuMemAllocFromPoolAsync(&a, 1 << 16, pool, NULL));
    OK(cuMemFreeAsync(a, NULL));
    OK(cuCtxSynchronize());
    OK(cuMemPoolDestroy(pool));
}

static void arrays(void)
{
    CUarray array;
    CUtexObject texture;
    CUDA_ARRAY_DESCRIPTOR shape = {.Width = 64, .Height = 64, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 4};
    OK(cuArrayCreate(&array, &shape));
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
    CUDA_TEXTURE_DESC description = {.filterMode = CU_TR_FILTER_MODE_POINT};
    OK(cuTexObjectCreate(&texture, &resource, &description, NULL));
    OK(cuTexObjectDestroy(texture));
    OK(cuArrayDestroy(array));
}

static void CUDA_CB nothing(void *unused)
{
    (void)unused;
}

static void streams(void)
{
    CUstream a, b;
    CUevent event;
    OK(cuStreamCreate(&a, CU_STREAM_DEFAULT));
    OK(cuStreamCreateWithPriority(&b, CU_STREAM_NON_BLOCKING, -3));
    OK(cuEventCreate(&event, CU_EVENT_DEFAULT));
    OK(cuLaunchHostFunc(a, nothing, NULL));
    OK(cuEventRecord(event, a));
    OK(cuStreamWaitEvent(b, event, 0));
    OK(cuLaunchHostFunc(b, nothing, NULL));
    OK(cuStreamDestroy(a));
    OK(cuEventDestroy(event));
    OK(cuStreamDestroy(b));
}

int main(void)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } KINDS[] = {{"modules", modules}, {"libraries", libraries}, {"contexts", contexts}, {"graphs", graphs},
                 {"memory", memory},   {"arrays", arrays},       {"streams", streams}};
    load_context(0);
    for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++) {
        double start = load_seconds();
        long before = 0;
        for (int i = 0; i < ROUNDS; i++) {
            if (i == WARM_UP) before = load_resident();
            KINDS[k].run();
        }
        OK(cuCtxSynchronize());
        long grown = load_resident() - before;
        printf("%-10s %6.2f s, %6.2f MiB more\n", KINDS[k].name, load_seconds() - start,
               (double)grown / (double)MIB);
        CHECK(grown < 4 * MIB * (SLOW > 1 ? 8 : 1), "%s: %ld KiB more than before", KINDS[k].name,
              grown >> 10);
    }
    return 0;
}
