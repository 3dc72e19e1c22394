/* SPDX-License-Identifier: Apache-2.0 */
/* Answers of the runtime to unusual calls, one line each. They must equal those of an H200 in
 * api_answers.h200.txt (answers.sh). No answer depends on time, addresses or the amount of free memory. */
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

static void say(const char *what, cudaError_t error)
{
    cudaError_t last = cudaGetLastError();
    std::printf("%s: %s", what, cudaGetErrorName(error));
    if (last != error) std::printf(" (last error %s)", cudaGetErrorName(last));
    std::printf("\n");
}
#define ASK(call) say(#call, call)

__global__ void plain(int *out)
{
    if (out != nullptr) *out = 1;
}
__global__ void __launch_bounds__(128) bounded(int *out)
{
    __shared__ int tile[1000];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (out != nullptr) *out = tile[127 - threadIdx.x];
}
__global__ void spin(volatile int *flag)
{
    while (*flag == 0) {
    }
}
__global__ void fault(int *out)
{
    out[size_t(1) << 44] = 1;
}
__constant__ int table[4];
__device__ int variable[8];
static int not_a_symbol;

static void launches()
{
    plain<<<1, 1>>>(nullptr), say("launch", cudaPeekAtLastError());
    plain<<<0, 1>>>(nullptr), say("empty grid", cudaPeekAtLastError());
    plain<<<1, 0>>>(nullptr), say("empty block", cudaPeekAtLastError());
    plain<<<1, 1025>>>(nullptr), say("block of 1025", cudaPeekAtLastError());
    plain<<<1, dim3(1, 1, 65)>>>(nullptr), say("block z of 65", cudaPeekAtLastError());
    plain<<<dim3(1, 65536), 1>>>(nullptr), say("grid y of 65536", cudaPeekAtLastError());
    plain<<<dim3(1, 1, 65536), 1>>>(nullptr), say("grid z of 65536", cudaPeekAtLastError());
    plain<<<1, 1, 49152>>>(nullptr), say("48 KiB of shared memory", cudaPeekAtLastError());
    plain<<<1, 1, 49153>>>(nullptr), say("48 KiB and a byte", cudaPeekAtLastError());
    bounded<<<1, 128>>>(nullptr), say("within launch bounds", cudaPeekAtLastError());
    bounded<<<1, 129>>>(nullptr), say("beyond launch bounds", cudaPeekAtLastError());
    bounded<<<1, 128, 49152>>>(nullptr), say("static and dynamic too much", cudaPeekAtLastError());
    ASK(cudaLaunchKernel((const void *)&not_a_symbol, dim3(1), dim3(1), nullptr, 0, 0));
    ASK(cudaLaunchKernel((const void *)nullptr, dim3(1), dim3(1), nullptr, 0, 0));
    ASK(cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
    ASK(cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449));
    ASK(cudaFuncSetAttribute(bounded, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
    ASK(cudaFuncSetAttribute(bounded, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448 - 4000));
    ASK(cudaFuncSetAttribute(plain, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
    ASK(cudaFuncSetAttribute(plain, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
    plain<<<1, 1, 232448>>>(nullptr), say("227 KiB after opting in", cudaPeekAtLastError());
    plain<<<1, 1, 232449>>>(nullptr), say("and a byte", cudaPeekAtLastError());
    void *args[1] = {nullptr};
    int *null = nullptr;
    args[0] = &null;
    ASK(cudaLaunchCooperativeKernel(plain, dim3(1), dim3(32), args, 0, 0));
    ASK(cudaLaunchCooperativeKernel(plain, dim3(1000000), dim3(1024), args, 0, 0));
    ASK(cudaDeviceSynchronize());
}

static void functions()
{
    cudaFuncAttributes a;
    ASK(cudaFuncGetAttributes(&a, bounded));
    std::printf(
        "bounded: shared %zu, const %zu, local %zu, threads %d, ptx %d, binary %d, dynamic %d, carveout %d\n",
        a.sharedSizeBytes, a.constSizeBytes, a.localSizeBytes, a.maxThreadsPerBlock, a.ptxVersion,
        a.binaryVersion, a.maxDynamicSharedSizeBytes, a.preferredShmemCarveout);
    ASK(cudaFuncGetAttributes(&a, plain));
    std::printf("plain: shared %zu, threads %d, dynamic %d, carveout %d, cluster %d %d\n", a.sharedSizeBytes,
                a.maxThreadsPerBlock, a.maxDynamicSharedSizeBytes, a.preferredShmemCarveout,
                a.clusterDimMustBeSet, a.requiredClusterWidth);
    ASK(cudaFuncGetAttributes(&a, (const void *)&not_a_symbol));
    int blocks = -1, grid = -1, block = -1;
    for (int size : {1, 32, 96, 128, 256, 768, 1024}) {
        ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, size, 0));
        std::printf("blocks of %d: %d\n", size, blocks);
    }
    for (size_t bytes : {1024, 10000, 49152, 100000, 232448, 232449}) {
        ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 128, bytes));
        std::printf("blocks with %zu bytes: %d\n", bytes, blocks);
    }
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 0, 0));
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 1025, 0));
    std::printf("blocks of 1025: %d\n", blocks);
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 256, 0));
    ASK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain));
    std::printf("best block %d, grid %d\n", block, grid);
    size_t dynamic = 0;
    ASK(cudaOccupancyAvailableDynamicSMemPerBlock(&dynamic, plain, 2, 128));
    std::printf("dynamic shared for 2 blocks: %zu\n", dynamic);
}

static const char *type_name(cudaMemoryType type)
{
    const char *names[] = {"unregistered", "host", "device", "managed"};
    return names[type];
}

static void pointer(const char *what, const void *p, const void *base)
{
    cudaPointerAttributes a;
    std::memset(&a, 0x55, sizeof(a));
    say(what, cudaPointerGetAttributes(&a, p));
    std::printf("%s: %s, device %d, device pointer %s, host pointer %s\n", what, type_name(a.type), a.device,
                a.devicePointer == nullptr ? "null"
                : a.devicePointer == p     ? "same"
                                           : "other",
                a.hostPointer == nullptr ? "null"
                : a.hostPointer == p     ? "same"
                                         : "other");
    (void)base;
}

static void memory()
{
    void *p = &p, *q = nullptr;
    char stack[64];
    ASK(cudaMalloc(&p, 0));
    std::printf("cudaMalloc of 0: %s\n", p == nullptr ? "null" : "a pointer");
    ASK(cudaMalloc((void **)nullptr, 4));
    ASK(cudaMalloc(&p, size_t(1) << 60));
    ASK(cudaFree(nullptr));
    ASK(cudaFree(stack));
    ASK(cudaMallocHost(&q, 0));
    std::printf("cudaMallocHost of 0: %s\n", q == nullptr ? "null" : "a pointer");
    ASK(cudaMallocManaged(&q, 0));
    ASK(cudaMallocManaged(&q, 64, 77));
    ASK(cudaHostAlloc(&q, 64, 0x100));
    ASK(cudaFreeHost(nullptr));
    ASK(cudaFreeHost(stack));
    ASK(cudaMalloc(&p, 1000));
    std::printf("alignment %d\n", reinterpret_cast<size_t>(p) % 512 == 0 ? 512 : 0);
    ASK(cudaFree(static_cast<char *>(p) + 16));
    ASK(cudaFreeHost(p));
    pointer("device pointer", p, p);
    pointer("inside", static_cast<char *>(p) + 100, p);
    pointer("stack", stack, stack);
    pointer("null", nullptr, nullptr);
    ASK(cudaHostAlloc(&q, 64, cudaHostAllocMapped));
    pointer("pinned", q, q);
    unsigned flags = 99;
    ASK(cudaHostGetFlags(&flags, q));
    std::printf("flags of pinned: %u\n", flags);
    ASK(cudaHostGetFlags(&flags, stack));
    void *d = nullptr;
    ASK(cudaHostGetDevicePointer(&d, q, 0));
    std::printf("device pointer of pinned: %s\n", d == q ? "same" : "other");
    ASK(cudaHostGetDevicePointer(&d, stack, 0));
    ASK(cudaHostGetDevicePointer(&d, p, 0));
    ASK(cudaFree(q));
    ASK(cudaFreeHost(q));
    ASK(cudaMallocManaged(&q, 64));
    pointer("managed", q, q);
    ASK(cudaFree(q));
    static char page[8192];
    ASK(cudaHostRegister(page, sizeof(page), cudaHostRegisterDefault));
    ASK(cudaHostRegister(page, sizeof(page), cudaHostRegisterDefault));
    pointer("registered", page, page);
    ASK(cudaHostUnregister(page));
    ASK(cudaHostUnregister(page));
    ASK(cudaHostRegister(nullptr, 64, 0));
    ASK(cudaHostRegister(page, 0, 0));
    ASK(cudaFree(p));
    ASK(cudaFree(p));
}

static void pitches()
{
    void *p = nullptr;
    size_t pitch = 0;
    for (size_t width : {1, 32, 100, 511, 512, 513, 1000, 4096, 10000}) {
        ASK(cudaMallocPitch(&p, &pitch, width, 4));
        std::printf("pitch of %zu: %zu\n", width, pitch);
        cudaFree(p);
    }
    pitch = 77, p = &p;
    ASK(cudaMallocPitch(&p, &pitch, 0, 4));
    std::printf("pitch of 0: %zu, %s\n", pitch, p == nullptr ? "null" : "a pointer");
    cudaPitchedPtr cube = {};
    ASK(cudaMalloc3D(&cube, make_cudaExtent(100, 5, 3)));
    std::printf("cube: pitch %zu, xsize %zu, ysize %zu\n", cube.pitch, cube.xsize, cube.ysize);
    ASK(cudaFree(cube.ptr));
}

static void copies()
{
    int host[16] = {0}, other[16] = {0}, *p = nullptr, *q = nullptr;
    cudaMalloc(&p, sizeof(host));
    cudaMalloc(&q, sizeof(host));
    ASK(cudaMemcpy(p, host, sizeof(host), cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(p, host, sizeof(host), cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy(host, p, sizeof(host), cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(p, host, sizeof(host), cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy(q, p, sizeof(host), cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(q, p, sizeof(host), cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy(q, p, sizeof(host), cudaMemcpyHostToHost));
    ASK(cudaMemcpy(host, other, sizeof(host), cudaMemcpyHostToHost));
    ASK(cudaMemcpy(host, other, sizeof(host), cudaMemcpyDefault));
    ASK(cudaMemcpy(p, host, sizeof(host), cudaMemcpyDefault));
    ASK(cudaMemcpy(p, host, 0, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(nullptr, host, 0, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(nullptr, host, 4, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(p, nullptr, 4, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(p, host, 4, (cudaMemcpyKind)9));
    ASK(cudaMemcpy(p, host, size_t(1) << 40, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(p, 4, host, 4, 8, 2, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(p, 8, host, 8, 8, 2, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(p, 8, host, 8, 0, 2, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(p, 8, host, 4, 8, 1, cudaMemcpyHostToDevice));
    ASK(cudaMemcpyToSymbol(table, host, 16));
    ASK(cudaMemcpyToSymbol(table, host, 17));
    ASK(cudaMemcpyToSymbol(table, host, 4, 13));
    ASK(cudaMemcpyToSymbol(table, host, 0, 0));
    ASK(cudaMemcpyToSymbol(not_a_symbol, host, 4));
    ASK(cudaMemcpyToSymbol(variable, host, 4, 0, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpyFromSymbol(host, variable, 32));
    ASK(cudaMemcpyFromSymbol(host, variable, 4, 0, cudaMemcpyHostToDevice));
    size_t bytes = 0;
    ASK(cudaGetSymbolSize(&bytes, variable));
    std::printf("size of variable: %zu\n", bytes);
    ASK(cudaMemset(p, 1, sizeof(host)));
    ASK(cudaMemset(p, 1, 0));
    ASK(cudaMemset(nullptr, 1, 4));
    ASK(cudaMemset(host, 1, 4));
    ASK(cudaMemset(p, 1, size_t(1) << 40));
    ASK(cudaMemset2D(p, 4, 1, 8, 2));
    ASK(cudaMemset2D(p, 8, 1, 8, 2));
    cudaFree(p);
    cudaFree(q);
}

static void streams()
{
    cudaStream_t s = nullptr;
    cudaEvent_t e = nullptr, f = nullptr;
    int priority = 99, least = 99, greatest = 99;
    unsigned flags = 99;
    float ms = 0;
    ASK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    std::printf("priorities %d to %d\n", least, greatest);
    ASK(cudaStreamCreateWithFlags(&s, 77));
    ASK(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, -100));
    ASK(cudaStreamGetPriority(s, &priority));
    ASK(cudaStreamGetFlags(s, &flags));
    std::printf("priority %d, flags %u\n", priority, flags);
    ASK(cudaStreamGetFlags(0, &flags));
    ASK(cudaStreamGetPriority(0, &priority));
    std::printf("legacy stream: priority %d, flags %u\n", priority, flags);
    ASK(cudaStreamDestroy(0));
    ASK(cudaEventDestroy(nullptr));
    ASK(cudaEventRecord(nullptr, s));
    ASK(cudaEventQuery(nullptr));
    ASK(cudaEventSynchronize(nullptr));
    ASK(cudaEventCreateWithFlags(&e, 0x80));
    ASK(cudaEventCreate(&e));
    ASK(cudaEventCreateWithFlags(&f, cudaEventDisableTiming));
    ASK(cudaEventQuery(e));
    ASK(cudaEventSynchronize(e));
    ASK(cudaEventElapsedTime(&ms, e, e));
    ASK(cudaEventRecord(e, s));
    ASK(cudaEventRecord(f, s));
    ASK(cudaStreamSynchronize(s));
    ASK(cudaEventElapsedTime(&ms, e, f));
    ASK(cudaStreamWaitEvent(s, e, 77));
    ASK(cudaStreamAddCallback(s, nullptr, nullptr, 0));
    ASK(cudaLaunchHostFunc(s, nullptr, nullptr));
    ASK(cudaStreamSynchronize(cudaStreamPerThread));
    ASK(cudaStreamQuery(cudaStreamLegacy));
    int *flag = nullptr;
    cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped);
    *flag = 0;
    spin<<<1, 1, 0, s>>>(flag);
    cudaEventRecord(e, s);
    ASK(cudaEventQuery(e));
    ASK(cudaStreamQuery(s));
    ASK(cudaEventElapsedTime(&ms, e, e));
    *(volatile int *)flag = 1;
    ASK(cudaStreamSynchronize(s));
    ASK(cudaEventQuery(e));
    ASK(cudaStreamDestroy(s));
    cudaFreeHost(flag);
}

static void device_limits()
{
    const struct {
        const char *name;
        cudaLimit limit;
    } limits[] = {{"stack", cudaLimitStackSize},
                  {"printf", cudaLimitPrintfFifoSize},
                  {"heap", cudaLimitMallocHeapSize},
                  {"sync depth", cudaLimitDevRuntimeSyncDepth},
                  {"pending launches", cudaLimitDevRuntimePendingLaunchCount},
                  {"fetch granularity", cudaLimitMaxL2FetchGranularity},
                  {"persisting L2", cudaLimitPersistingL2CacheSize}};
    for (const auto &l : limits) {
        size_t value = 0;
        say(l.name, cudaDeviceGetLimit(&value, l.limit));
        std::printf("limit of %s: %zu\n", l.name, value);
    }
    size_t value = 0;
    ASK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
    ASK(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize));
    std::printf("heap now %zu\n", value);
    ASK(cudaDeviceGetLimit(&value, (cudaLimit)77));
    ASK(cudaDeviceSetLimit((cudaLimit)77, 1));
    cudaFuncCache cache = cudaFuncCachePreferEqual;
    ASK(cudaDeviceGetCacheConfig(&cache));
    std::printf("cache config %d\n", cache);
    cudaSharedMemConfig banks = cudaSharedMemBankSizeEightByte;
    ASK(cudaDeviceGetSharedMemConfig(&banks));
    std::printf("bank size config %d\n", banks);
    unsigned flags = 77;
    ASK(cudaGetDeviceFlags(&flags));
    std::printf("device flags %u\n", flags);
    ASK(cudaSetDeviceFlags(0x1000));
    ASK(cudaSetDevice(-1));
    ASK(cudaSetDevice(1000));
    int can = 77;
    ASK(cudaDeviceCanAccessPeer(&can, 0, 0));
    std::printf("peer of itself: %d\n", can);
    ASK(cudaDeviceEnablePeerAccess(0, 0));
    ASK(cudaDeviceEnablePeerAccess(1000, 0));
    ASK(cudaGetDeviceCount(nullptr));
    ASK(cudaDeviceGetAttribute(&can, (cudaDeviceAttr)5000, 0));
    ASK(cudaDeviceGetAttribute(&can, cudaDevAttrWarpSize, 1000));
    std::printf("names: %s %s %s\n", cudaGetErrorName((cudaError_t)4242),
                cudaGetErrorString((cudaError_t)4242), cudaGetErrorString(cudaErrorLaunchFailure));
}

static void configurations()
{
    int *null = nullptr;
    void *args[] = {&null};
    ASK(cudaLaunchKernel((const void *)plain, dim3(0), dim3(1), args, 0, 0));
    ASK(cudaLaunchKernel((const void *)plain, dim3(1), dim3(1025), args, 0, 0));
    ASK(cudaLaunchKernel((const void *)plain, dim3(1), dim3(1), args, 400000, 0));
    ASK(cudaLaunchKernel((const void *)bounded, dim3(1), dim3(129), args, 0, 0));
    ASK(cudaLaunchCooperativeKernel((const void *)plain, dim3(0), dim3(1), args, 0, 0));
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1), config.blockDim = dim3(2000);
    ASK(cudaLaunchKernelExC(&config, (const void *)plain, args));
    config.blockDim = dim3(32);
    ASK(cudaLaunchKernelExC(&config, (const void *)plain, args));
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeCooperative, attribute.val.cooperative = 1;
    config.attrs = &attribute, config.numAttrs = 1;
    ASK(cudaLaunchKernelExC(&config, (const void *)plain, args));
    attribute.id = cudaLaunchAttributePriority, attribute.val.priority = 0;
    ASK(cudaLaunchKernelExC(&config, (const void *)plain, args));
    attribute.id = (cudaLaunchAttributeID)99;
    ASK(cudaLaunchKernelExC(&config, (const void *)plain, args));
    int value = 0;
    const void *unknown = &not_a_symbol;
    ASK(cudaFuncSetAttribute(unknown, cudaFuncAttributeMaxDynamicSharedMemorySize, 1));
    ASK(cudaFuncSetAttribute(plain, (cudaFuncAttribute)1, 1));
    ASK(cudaFuncSetAttribute(plain, (cudaFuncAttribute)77, 1));
    ASK(cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    ASK(cudaFuncSetCacheConfig(plain, cudaFuncCachePreferL1));
    ASK(cudaFuncSetCacheConfig(unknown, cudaFuncCachePreferL1));
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, unknown, 32, 0));
    cudaKernel_t kernel = nullptr;
    cudaFunction_t function = nullptr;
    ASK(cudaGetKernel(&kernel, unknown));
    ASK(cudaGetFuncBySymbol(&function, unknown));
    ASK(cudaGetKernel(&kernel, (const void *)plain));
    ASK(cudaGetFuncBySymbol(&function, (const void *)plain));
    ASK(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(1), args, 0, 0));
    const char *name = nullptr;
    ASK(cudaFuncGetName(&name, (const void *)plain));
    std::printf("name: %s\n", name);
    size_t offset = 77, size = 77;
    ASK(cudaFuncGetParamInfo((const void *)plain, 0, &offset, &size));
    std::printf("parameter 0: offset %zu, size %zu\n", offset, size);
    ASK(cudaFuncGetParamInfo((const void *)plain, 1, &offset, &size));
    ASK(cudaDeviceSynchronize());
}

static void managed()
{
    int *p = &not_a_symbol, *q = nullptr, *h = nullptr;
    ASK(cudaMallocManaged(&p, 0));
    std::printf("cudaMallocManaged of 0: %s\n", p == nullptr         ? "null"
                                                : p == &not_a_symbol ? "unchanged"
                                                                     : "a pointer");
    cudaMallocManaged(&p, 1 << 20);
    cudaMalloc(&q, 1 << 20);
    cudaMallocHost(&h, 1 << 20);
    cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};
    cudaMemLocation none = {cudaMemLocationTypeDevice, 99};
    ASK(cudaMemPrefetchAsync(p, 1 << 20, device, 0, 0));
    ASK(cudaMemPrefetchAsync(p, 1 << 20, host, 0, 0));
    ASK(cudaMemPrefetchAsync(p, 1 << 20, none, 0, 0));
    ASK(cudaMemPrefetchAsync(p, 1 << 20, device, 1, 0));
    ASK(cudaMemPrefetchAsync(p, 0, device, 0, 0));
    ASK(cudaMemPrefetchAsync(p, 2 << 20, device, 0, 0));
    ASK(cudaMemPrefetchAsync(q, 1 << 20, device, 0, 0));
    ASK(cudaMemPrefetchAsync(h, 1 << 20, device, 0, 0));
    ASK(cudaMemAdvise(p, 1 << 20, cudaMemAdviseSetReadMostly, device));
    ASK(cudaMemAdvise(p, 1 << 20, cudaMemAdviseSetPreferredLocation, host));
    ASK(cudaMemAdvise(p, 1 << 20, cudaMemAdviseSetAccessedBy, device));
    ASK(cudaMemAdvise(p, 1 << 20, (cudaMemoryAdvise)77, device));
    ASK(cudaMemAdvise(q, 1 << 20, cudaMemAdviseSetReadMostly, device));
    int mostly = 77, preferred = 77;
    ASK(cudaMemRangeGetAttribute(&mostly, 4, cudaMemRangeAttributeReadMostly, p, 1 << 20));
    ASK(cudaMemRangeGetAttribute(&preferred, 4, cudaMemRangeAttributePreferredLocation, p, 1 << 20));
    std::printf("read mostly %d, preferred %d\n", mostly, preferred);
    ASK(cudaStreamAttachMemAsync(0, p, 0, cudaMemAttachGlobal));
    ASK(cudaStreamAttachMemAsync(0, p, 0, cudaMemAttachSingle));
    ASK(cudaStreamAttachMemAsync(0, q, 0, cudaMemAttachGlobal));
    ASK(cudaDeviceSynchronize());
    cudaFree(p), cudaFree(q), cudaFreeHost(h);
}

static void pools()
{
    cudaMemPool_t pool = nullptr, mine = nullptr, current = nullptr;
    cudaMemPoolProps props = {};
    unsigned long long threshold = 77;
    int follow = 77, *p = nullptr;
    ASK(cudaDeviceGetDefaultMemPool(&pool, 0));
    ASK(cudaDeviceGetDefaultMemPool(&mine, 99));
    ASK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    ASK(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &follow));
    std::printf("threshold %llu, follow %d\n", threshold, follow);
    threshold = 1 << 20;
    ASK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    ASK(cudaMemPoolSetAttribute(pool, (cudaMemPoolAttr)77, &threshold));
    ASK(cudaMemPoolDestroy(pool));
    ASK(cudaMemPoolCreate(&mine, &props));
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    ASK(cudaMemPoolCreate(&mine, &props));
    ASK(cudaDeviceGetMemPool(&current, 0));
    std::printf("current is the default: %d\n", current == pool);
    ASK(cudaDeviceSetMemPool(0, mine));
    ASK(cudaMallocAsync(&p, 1000, 0));
    threshold = 0;
    ASK(cudaMemPoolGetAttribute(mine, cudaMemPoolAttrUsedMemCurrent, &threshold));
    std::printf("used at least 1000: %d\n", threshold >= 1000);
    ASK(cudaFreeAsync(p, 0));
    ASK(cudaFreeAsync(&follow, 0));
    ASK(cudaFreeAsync(nullptr, 0));
    ASK(cudaMallocAsync(&p, 0, 0));
    std::printf("cudaMallocAsync of 0: %s\n", p == nullptr ? "null" : "a pointer");
    ASK(cudaMallocAsync(&p, size_t(1) << 50, 0));
    ASK(cudaMallocFromPoolAsync(&p, 100, mine, 0));
    pointer("from a pool", p, p);
    ASK(cudaFree(p));
    ASK(cudaMemPoolTrimTo(mine, 0));
    ASK(cudaDeviceSetMemPool(0, pool));
    ASK(cudaMemPoolDestroy(mine));
}

static void arrays()
{
    cudaArray_t array = nullptr;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>(),
                          odd = {7, 0, 0, 0, cudaChannelFormatKindFloat};
    cudaChannelFormatDesc three = {32, 32, 32, 0, cudaChannelFormatKindFloat}, got = {};
    cudaExtent extent = {};
    unsigned flags = 77;
    float host[32 * 8] = {0}, back[32 * 8] = {0};
    for (int i = 0; i < 32 * 8; i++)
        host[i] = i;
    ASK(cudaMallocArray(&array, &odd, 32, 8));
    ASK(cudaMallocArray(&array, &three, 32, 8));
    ASK(cudaMallocArray(&array, &desc, 0, 8));
    ASK(cudaMallocArray(&array, &desc, 1 << 20, 1 << 20));
    ASK(cudaMallocArray(&array, &desc, 32, 8));
    ASK(cudaArrayGetInfo(&got, &extent, &flags, array));
    std::printf("array: %d %d %d %d kind %d, %zu x %zu x %zu, flags %u\n", got.x, got.y, got.z, got.w, got.f,
                extent.width, extent.height, extent.depth, flags);
    ASK(cudaMemcpy2DToArray(array, 0, 0, host, 128, 128, 8, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DToArray(array, 4, 0, host, 128, 128, 8, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DFromArray(back, 128, array, 0, 0, 128, 8, cudaMemcpyDeviceToHost));
    std::printf("came back: %d\n", std::memcmp(host, back, sizeof(host)) == 0);
    ASK(cudaMemcpy2DToArray(array, 0, 0, host, 64, 128, 8, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DToArray(nullptr, 0, 0, host, 128, 128, 8, cudaMemcpyHostToDevice));
    cudaMemcpy3DParms parms = {};
    ASK(cudaMemcpy3D(&parms));
    parms.srcPtr = make_cudaPitchedPtr(host, 128, 32, 8);
    parms.dstArray = array;
    parms.extent = make_cudaExtent(32, 8, 1);
    parms.kind = cudaMemcpyHostToDevice;
    ASK(cudaMemcpy3D(&parms));
    parms.extent.width = 33;
    ASK(cudaMemcpy3D(&parms));
    cudaResourceDesc resource = {};
    cudaTextureDesc texture = {};
    cudaTextureObject_t object = 0;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    ASK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
    ASK(cudaDestroyTextureObject(object));
    resource.resType = cudaResourceTypeLinear;
    ASK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
    ASK(cudaFreeArray(array));
    ASK(cudaFreeArray(nullptr));
}

static void more_copies()
{
    char host[64] = {0}, *p = nullptr;
    cudaMalloc(&p, 64);
    ASK(cudaMemcpy2D(p, 4, host, 8, 8, 2, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(p, 8, host, 4, 8, 2, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(p, 4, host, 8, 8, 1, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(p, 8, host, 8, 8, 9, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(p, 8, host, 8, 8, 2, (cudaMemcpyKind)9));
    ASK(cudaMemcpy2DAsync(p, 4, host, 8, 8, 2, cudaMemcpyHostToDevice, 0));
    ASK(cudaMemcpyAsync(p, host, 64, (cudaMemcpyKind)9, 0));
    ASK(cudaMemcpyAsync(p, host, 64, cudaMemcpyHostToDevice, 0));
    ASK(cudaMemcpyPeer(p, 0, p, 0, 0));
    ASK(cudaMemcpyPeer(p, 0, p + 32, 0, 32));
    ASK(cudaMemcpyPeer(p, 0, p, 99, 4));
    ASK(cudaMemset2D(p, 4, 1, 8, 1));
    ASK(cudaMemset2D(p, 8, 1, 8, 9));
    ASK(cudaMemset3D(make_cudaPitchedPtr(p, 8, 8, 2), 1, make_cudaExtent(8, 2, 4)));
    ASK(cudaMemset3D(make_cudaPitchedPtr(p, 8, 8, 2), 1, make_cudaExtent(8, 2, 5)));
    ASK(cudaMemset3D(make_cudaPitchedPtr(p, 8, 8, 2), 1, make_cudaExtent(9, 2, 1)));
    ASK(cudaDeviceSynchronize());
    void *entry = nullptr;
    cudaDriverEntryPointQueryResult status;
    ASK(cudaGetDriverEntryPointByVersion("cuMemAlloc", &entry, 12000, cudaEnableDefault, &status));
    std::printf("entry: %d, status %d\n", entry != nullptr, status);
    ASK(cudaGetDriverEntryPointByVersion("cuNoSuchThing", &entry, 12000, cudaEnableDefault, &status));
    std::printf("entry: %d, status %d\n", entry != nullptr, status);
    ASK(cudaGetDriverEntryPointByVersion("cuNoSuchThing", &entry, 12000, cudaEnableDefault, nullptr));
    ASK(cudaGetDriverEntryPointByVersion("cuMemAlloc", &entry, 1000, cudaEnableDefault, &status));
    std::printf("entry: %d, status %d\n", entry != nullptr, status);
    cudaFree(p);
}

static void graphs()
{
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t node = nullptr;
    cudaGraphExec_t exec = nullptr;
    cudaStream_t s = nullptr;
    cudaStreamCaptureStatus status;
    cudaStreamCreate(&s);
    ASK(cudaGraphCreate(&graph, 1));
    ASK(cudaGraphCreate(&graph, 0));
    ASK(cudaGraphAddEmptyNode(&node, graph, nullptr, 0));
    ASK(cudaGraphAddDependencies(graph, &node, &node, nullptr, 1));
    ASK(cudaGraphInstantiate(&exec, graph, 0));
    ASK(cudaGraphLaunch(exec, s));
    ASK(cudaGraphLaunch(nullptr, s));
    ASK(cudaStreamEndCapture(s, &graph));
    ASK(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
    ASK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    ASK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    ASK(cudaStreamIsCapturing(s, &status));
    ASK(cudaStreamSynchronize(s));
    ASK(cudaStreamEndCapture(s, &graph));
    ASK(cudaStreamIsCapturing(s, &status));
    ASK(cudaGraphExecDestroy(exec));
    ASK(cudaGraphDestroy(nullptr));
    cudaStreamDestroy(s);
}

static void faults()
{
    int *p = nullptr;
    cudaMalloc(&p, 64);
    fault<<<1, 1>>>(p);
    say("launch that will fault", cudaPeekAtLastError());
    ASK(cudaDeviceSynchronize());
    ASK(cudaDeviceSynchronize());
    ASK(cudaMalloc(&p, 64));
    ASK(cudaFree(nullptr));
    ASK(cudaGetDevice(new int));
    ASK(cudaGetDeviceCount(new int));
    ASK(cudaSetDevice(0));
    plain<<<1, 1>>>(nullptr);
    say("launch after a fault", cudaPeekAtLastError());
    ASK(cudaStreamCreate(new cudaStream_t));
    ASK(cudaDeviceReset());
    ASK(cudaMalloc(&p, 64));
    plain<<<1, 1>>>(nullptr);
    say("launch after a reset", cudaPeekAtLastError());
    ASK(cudaDeviceSynchronize());
}

int main(int argc, char **argv)
{
    const struct {
        const char *name;
        void (*run)();
    } parts[] = {{"launches", launches},    {"functions", functions},
                 {"memory", memory},        {"pitches", pitches},
                 {"copies", copies},        {"streams", streams},
                 {"limits", device_limits}, {"configurations", configurations},
                 {"managed", managed},      {"pools", pools},
                 {"arrays", arrays},        {"more", more_copies},
                 {"graphs", graphs},        {"faults", faults}};
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    for (const auto &part : parts)
        if (argc < 2 || std::strcmp(argv[1], part.name) == 0) {
            std::printf("== %s\n", part.name);
            part.run();
        }
    return 0;
}
