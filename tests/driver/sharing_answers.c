/* SPDX-License-Identifier: Apache-2.0 */
/* usage: sharing_answers [PART]      What the driver answers about memory that is mapped, pooled, shared
 * between processes or between devices: one line each, the question, the CUresult, values. A value after ~
 * varies. Without PART all parts run, each in a process of its own ("== part" goes before its lines).
 * Recorded on real GPUs (sharing_answers.h200.txt) and compared with what Softwarp answers
 * (tests/support/compare_answers.py). */
#include <cuda.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB (1ull << 20)

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry poke(.param .u64 p, .param .u32 v)\n{\n.reg .b32 %r<2>; .reg .b64 %d<2>;\n"
    "ld.param.u64 %d1, [p]; ld.param.u32 %r1, [v]; st.global.u32 [%d1], %r1; ret;\n}\n"
    ".visible .entry peek(.param .u64 p, .param .u64 q)\n{\n.reg .b32 %r<2>; .reg .b64 %d<3>;\n"
    "ld.param.u64 %d1, [p]; ld.param.u64 %d2, [q]; ld.global.u32 %r1, [%d1]; st.global.u32 [%d2], %r1;\n"
    "ret;\n}\n";
static CUcontext context;
static CUdevice device;
static CUmodule module;

#define SAY(call, format, ...)                                                                               \
    do {                                                                                                     \
        CUresult r_ = (call);                                                                                \
        printf("%s = %d", #call, (int)r_);                                                                   \
        if (r_ == CUDA_SUCCESS) printf(" " format, __VA_ARGS__);                                             \
        puts("");                                                                                            \
        fflush(stdout);                                                                                      \
    } while (0)
#define JUST(call)                                                                                           \
    do {                                                                                                     \
        printf("%s = %d\n", #call, (int)(call));                                                             \
        fflush(stdout);                                                                                      \
    } while (0)

static void start(void)
{
    CUresult r = cuInit(0);
    if (r == CUDA_SUCCESS) r = cuDeviceGet(&device, 0);
    if (r == CUDA_SUCCESS) r = cuDevicePrimaryCtxRetain(&context, device);
    if (r == CUDA_SUCCESS) r = cuCtxSetCurrent(context);
    if (r == CUDA_SUCCESS) r = cuModuleLoadData(&module, ptx);
    if (r != CUDA_SUCCESS) {
        printf("no device: %d\n", (int)r);
        exit(77);
    }
}

static CUresult poke(CUdeviceptr p, unsigned value)
{
    CUfunction f;
    void *params[] = {&p, &value};
    cuModuleGetFunction(&f, module, "poke");
    CUresult r = cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL);
    return r == CUDA_SUCCESS ? cuCtxSynchronize() : r;
}

static CUresult peek(CUdeviceptr p, unsigned *value)
{
    CUfunction f;
    CUdeviceptr q;
    void *params[] = {&p, &q};
    cuModuleGetFunction(&f, module, "peek");
    CUresult r = cuMemAlloc(&q, 4);
    if (r == CUDA_SUCCESS) r = cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL);
    if (r == CUDA_SUCCESS) r = cuCtxSynchronize();
    if (r == CUDA_SUCCESS) r = cuMemcpyDtoH(value, q, 4);
    if (r == CUDA_SUCCESS) r = cuMemFree(q);
    return r;
}

/* ---- virtual memory */

static CUmemAllocationProp local(unsigned types)
{
    CUmemAllocationProp prop;
    memset(&prop, 0, sizeof prop);
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    prop.location.id = device;
    prop.requestedHandleTypes = (CUmemAllocationHandleType)types;
    return prop;
}

static CUmemAccessDesc access_of(CUmemAccess_flags flags)
{
    CUmemAccessDesc desc;
    memset(&desc, 0, sizeof desc);
    desc.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    desc.location.id = device;
    desc.flags = flags;
    return desc;
}

static void map_basics(void)
{
    size_t bytes = 0, size = 2 * MIB;
    CUmemAllocationProp prop = local(0), other = prop;
    CUmemGenericAllocationHandle a = 0, b = 0, c = 0;
    CUdeviceptr at = 0, base = 0, at2 = 0;
    unsigned value = 0;
    unsigned long long flags = 0;
    CUmemAccessDesc rw = access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE),
                    ro = access_of(CU_MEM_ACCESS_FLAGS_PROT_READ),
                    none = access_of(CU_MEM_ACCESS_FLAGS_PROT_NONE);
    SAY(cuMemGetAllocationGranularity(&bytes, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM), "%zu", bytes);
    SAY(cuMemGetAllocationGranularity(&bytes, &prop, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED), "%zu", bytes);
    SAY(cuMemGetAllocationGranularity(&bytes, &prop, (CUmemAllocationGranularity_flags)7), "%zu", bytes);
    JUST(cuMemGetAllocationGranularity(NULL, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    other.type = (CUmemAllocationType)0;
    JUST(cuMemCreate(&a, size, &other, 0));
    other = prop;
    other.location.id = 99;
    JUST(cuMemCreate(&a, size, &other, 0));
    JUST(cuMemCreate(&a, 12345, &prop, 0));
    JUST(cuMemCreate(&a, 0, &prop, 0));
    JUST(cuMemCreate(&a, size, &prop, 1));
    JUST(cuMemCreate(&a, 1ull << 50, &prop, 0));
    JUST(cuMemCreate(&a, size, &prop, 0));
    JUST(cuMemCreate(&b, size, &prop, 0));
    JUST(cuMemAddressReserve(&at, 12345, 0, 0, 0));
    JUST(cuMemAddressReserve(&at, 0, 0, 0, 0));
    JUST(cuMemAddressReserve(&at, 8 * size, 3, 0, 0));
    JUST(cuMemAddressReserve(&at, 8 * size, 0, 0, 1));
    SAY(cuMemAddressReserve(&at2, 4 * size, 1ull << 30, 0, 0), "%d", at2 % (1ull << 30) == 0);
    JUST(cuMemAddressReserve(&at, 8 * size, 0, 0, 0));
    JUST(cuMemcpyDtoH(&value, at, 4));
    JUST(cuMemMap(at, size, 4096, a, 0));
    JUST(cuMemMap(at + 4096, size, 0, a, 0));
    JUST(cuMemMap(at, 2 * size, 0, a, 0));
    JUST(cuMemMap(at, size, 0, a, 1));
    JUST(cuMemMap(at, size, 0, (CUmemGenericAllocationHandle)0, 0));
    JUST(cuMemSetAccess(at, size, &rw, 1));
    JUST(cuMemMap(at, size, 0, a, 0));
    JUST(cuMemMap(at, size, 0, b, 0));
    SAY(cuMemGetAccess(&flags, &rw.location, at), "%llu", flags);
    JUST(cuMemcpyHtoD(at, &value, 4));
    JUST(cuMemsetD32(at, 1, 1));
    JUST(cuMemSetAccess(at, size, &rw, 1));
    SAY(cuMemGetAccess(&flags, &rw.location, at), "%llu", flags);
    SAY(cuMemGetAccess(&flags, &rw.location, at + size), "%llu", flags);
    JUST(cuMemMap(at + 2 * size, size, 0, a, 0));
    JUST(cuMemSetAccess(at + 2 * size, size, &rw, 1));
    JUST(poke(at + 12, 77));
    SAY(peek(at + 2 * size + 12, &value), "%u", value);
    JUST(cuMemMap(at + size, size, 0, b, 0));
    JUST(cuMemSetAccess(at + size, size, &rw, 1));
    JUST(cuMemsetD8(at + size - 64, 5, 128));
    JUST(cuMemSetAccess(at, 4 * size, &rw, 1));
    SAY(cuMemGetAddressRange(&base, &bytes, at + size + 5), "%lld %zu", (long long)(base - at), bytes);
    SAY(cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, at), "%u", value);
    JUST(cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, at + 6 * size));
    SAY(cuPointerGetAttribute(&base, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, at + size), "%lld",
        (long long)(base - at));
    SAY(cuPointerGetAttribute(&bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, at + size), "%zu", bytes);
    SAY(cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, at), "%u", value);
    SAY(cuMemRetainAllocationHandle(&c, (void *)(uintptr_t)at), "%d", c == a);
    SAY(cuMemRetainAllocationHandle(&c, (void *)(uintptr_t)(at + size + 100)), "%d", c == b);
    JUST(cuMemRetainAllocationHandle(&c, (void *)(uintptr_t)(at + 6 * size)));
    JUST(cuMemRelease(b));
    JUST(cuMemRelease(b));
    JUST(cuMemRelease(a));
    JUST(cuMemRelease(a));
    SAY(peek(at + 2 * size + 12, &value), "%u", value);
    JUST(cuMemSetAccess(at, size, &ro, 1));
    SAY(cuMemGetAccess(&flags, &rw.location, at), "%llu", flags);
    JUST(cuMemcpyHtoD(at, &value, 4));
    JUST(cuMemSetAccess(at, size, &none, 1));
    JUST(cuMemcpyHtoD(at, &value, 4));
    JUST(cuMemSetAccess(at, size, &rw, 1));
    JUST(cuMemAddressFree(at, 8 * size));
    JUST(cuMemUnmap(at, size / 2));
    JUST(cuMemUnmap(at + 4 * size, size));
    JUST(cuMemUnmap(at, 3 * size));
    JUST(cuMemUnmap(at, size));
    JUST(cuMemcpyDtoH(&value, at, 4));
    JUST(cuMemAddressFree(at, 4 * size));
    JUST(cuMemAddressFree(at + size, size));
    JUST(cuMemAddressFree(at, 8 * size));
    JUST(cuMemAddressFree(at, 8 * size));
    JUST(cuMemAddressFree(at2, 4 * size));
}

static void map_wrong_free(void)
{
    CUdeviceptr at = 0;
    CUmemAllocationProp prop = local(0);
    CUmemGenericAllocationHandle a = 0;
    JUST(cuMemAddressReserve(&at, 4 * MIB, 0, 0, 0));
    JUST(cuMemFree(at));
    JUST(cuMemAddressFree(at, 4 * MIB));
    JUST(cuMemCreate(&a, 2 * MIB, &prop, 0));
    JUST(cuMemRelease(a));
    JUST(cuMemRelease(a));
}

static void map_partly(void)
{
    size_t size = 2 * MIB;
    CUmemAllocationProp prop = local(0), got;
    CUmemGenericAllocationHandle a = 0;
    CUdeviceptr at = 0;
    CUmemAccessDesc rw = access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    size_t before = 0, after = 0, total = 0;
    memset(&got, 0, sizeof got);
    cuMemGetInfo(&before, &total);
    JUST(cuMemCreate(&a, 8 * size, &prop, 0));
    cuMemGetInfo(&after, &total);
    printf("memory taken by cuMemCreate of 16 MiB: %lld\n", (long long)(before - after));
    JUST(cuMemAddressReserve(&at, 64 * size, 0, 0, 0));
    JUST(cuMemMap(at, size, size, a, 0));
    JUST(cuMemMap(at, 4 * size, 2 * size, a, 0));
    JUST(cuMemMap(at, 8 * size, 0, a, 0));
    JUST(cuMemSetAccess(at, size, &rw, 1));
    JUST(cuMemSetAccess(at, 8 * size, &rw, 1));
    SAY(cuMemGetAllocationPropertiesFromHandle(&got, a), "%d %d %d %d", (int)got.type, (int)got.location.type,
        (int)got.location.id, (int)got.requestedHandleTypes);
    JUST(cuMemUnmap(at, size));
    JUST(cuMemFree(at));
    JUST(cuMemUnmap(at, 8 * size));
    JUST(cuMemRelease(a));
    cuMemGetInfo(&after, &total);
    printf("memory taken at the end: %lld\n", (long long)(before - after));
}

static CUdeviceptr reserved(size_t mapped, CUmemAccess_flags flags)
{
    CUmemAllocationProp prop = local(0);
    CUmemGenericAllocationHandle a = 0;
    CUdeviceptr at = 0;
    CUmemAccessDesc desc = access_of(flags);
    cuMemAddressReserve(&at, 32 * MIB, 0, 0, 0);
    if (mapped && cuMemCreate(&a, mapped, &prop, 0) == CUDA_SUCCESS) cuMemMap(at, mapped, 0, a, 0);
    if (mapped) printf("access %d = %d\n", (int)flags, (int)cuMemSetAccess(at, mapped, &desc, 1));
    return at;
}

static void fault_reserved(void)
{
    JUST(poke(reserved(0, CU_MEM_ACCESS_FLAGS_PROT_NONE), 1));
}

static void fault_beyond(void)
{
    JUST(poke(reserved(2 * MIB, CU_MEM_ACCESS_FLAGS_PROT_READWRITE) + 2 * MIB, 1));
}

static void fault_none(void)
{
    JUST(poke(reserved(2 * MIB, CU_MEM_ACCESS_FLAGS_PROT_NONE), 1));
}

static void fault_read_only(void)
{
    unsigned value = 0;
    CUdeviceptr at = reserved(2 * MIB, CU_MEM_ACCESS_FLAGS_PROT_READ);
    SAY(peek(at, &value), "%u", value);
    JUST(poke(at, 1));
}

static void fault_unmapped(void)
{
    CUdeviceptr at = reserved(2 * MIB, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    JUST(poke(at, 1));
    JUST(cuMemUnmap(at, 2 * MIB));
    JUST(poke(at, 1));
}

/* ---- pools */

static void pool_state(const char *when, CUmemoryPool pool)
{
    cuuint64_t v[4] = {0};
    cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &v[0]);
    cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, &v[1]);
    cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &v[2]);
    cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &v[3]);
    printf("%s: reserved %llu high %llu used %llu high %llu\n", when, (unsigned long long)v[0],
           (unsigned long long)v[1], (unsigned long long)v[2], (unsigned long long)v[3]);
}

static CUmemPoolProps pool_props(unsigned types)
{
    CUmemPoolProps props;
    memset(&props, 0, sizeof props);
    props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    props.location.id = device;
    props.handleTypes = (CUmemAllocationHandleType)types;
    return props;
}

static void pools(void)
{
    CUmemoryPool pool = NULL, other = NULL;
    CUmemPoolProps props = pool_props(0), bad = props;
    CUdeviceptr a = 0, b = 0, c = 0;
    CUstream s;
    int i = 0;
    cuuint64_t wide = 0;
    CUmemAccess_flags flags = (CUmemAccess_flags)0;
    CUmemLocation here = props.location;
    CUmemAccessDesc rw = access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE),
                    none = access_of(CU_MEM_ACCESS_FLAGS_PROT_NONE);
    cuStreamCreate(&s, CU_STREAM_NON_BLOCKING);
    bad.location.id = 99;
    JUST(cuMemPoolCreate(&pool, &bad));
    bad = props;
    bad.allocType = (CUmemAllocationType)0;
    JUST(cuMemPoolCreate(&pool, &bad));
    JUST(cuMemPoolCreate(NULL, &props));
    JUST(cuMemPoolCreate(&pool, &props));
    SAY(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &wide), "%llu",
        (unsigned long long)wide);
    SAY(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, &i), "%d", i);
    SAY(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &i), "%d", i);
    SAY(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, &i), "%d", i);
    JUST(cuMemPoolGetAttribute(pool, (CUmemPool_attribute)99, &wide));
    SAY(cuMemPoolGetAccess(&flags, pool, &here), "%d", (int)flags);
    JUST(cuMemPoolSetAccess(pool, &rw, 1));
    JUST(cuMemPoolSetAccess(pool, &none, 1));
    JUST(cuMemPoolSetAccess(pool, NULL, 1));
    pool_state("new", pool);
    JUST(cuMemAllocFromPoolAsync(&a, 1000, pool, s));
    pool_state("1000 bytes", pool);
    JUST(cuMemAllocFromPoolAsync(&b, 3 * MIB, pool, s));
    pool_state("and 3 MiB", pool);
    JUST(cuMemAllocFromPoolAsync(&c, 40 * MIB, pool, s));
    pool_state("and 40 MiB", pool);
    JUST(cuMemFreeAsync(b, s));
    pool_state("3 MiB freed", pool);
    JUST(cuStreamSynchronize(s));
    pool_state("after the stream", pool);
    JUST(cuMemFreeAsync(c, s));
    JUST(cuStreamSynchronize(s));
    pool_state("40 MiB freed", pool);
    wide = 0;
    JUST(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &wide));
    JUST(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, &wide));
    pool_state("high marks reset", pool);
    wide = 5;
    JUST(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &wide));
    JUST(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &wide));
    wide = ~0ull;
    JUST(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &wide));
    JUST(cuMemAllocFromPoolAsync(&b, 100 * MIB, pool, s));
    pool_state("100 MiB", pool);
    JUST(cuMemFreeAsync(b, s));
    JUST(cuStreamSynchronize(s));
    pool_state("freed, threshold high", pool);
    SAY(cuMemAllocFromPoolAsync(&c, 100 * MIB, pool, s), "same %d", b == c);
    pool_state("100 MiB again", pool);
    JUST(cuMemFreeAsync(c, s));
    JUST(cuMemPoolTrimTo(pool, 64 * MIB));
    pool_state("trimmed to 64 MiB before the stream", pool);
    JUST(cuStreamSynchronize(s));
    JUST(cuMemPoolTrimTo(pool, 64 * MIB));
    pool_state("trimmed to 64 MiB", pool);
    JUST(cuMemPoolTrimTo(pool, 0));
    pool_state("trimmed to 0", pool);
    JUST(cuMemAllocFromPoolAsync(&b, 1ull << 50, pool, s));
    JUST(cuMemAllocFromPoolAsync(&b, 0, pool, s));
    JUST(cuMemFreeAsync(a + 8, s));
    JUST(cuMemFreeAsync(0, s));
    SAY(cuPointerGetAttribute(&other, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, a), "%d", other == pool);
    SAY(cuPointerGetAttribute(&i, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, a), "%d", i);
    JUST(cuMemFree(a));
    pool_state("after cuMemFree", pool);
    JUST(cuMemPoolDestroy(pool));
    props.maxSize = 8 * MIB;
    JUST(cuMemPoolCreate(&pool, &props));
    JUST(cuMemAllocFromPoolAsync(&a, 4 * MIB, pool, s));
    JUST(cuMemAllocFromPoolAsync(&b, 64 * MIB, pool, s));
}

static void pool_destroy(void)
{
    CUmemoryPool pool = NULL;
    CUmemPoolProps props = pool_props(0);
    CUdeviceptr a = 0;
    JUST(cuDeviceGetDefaultMemPool(&pool, device));
    JUST(cuMemPoolDestroy(pool));
    JUST(cuMemPoolCreate(&pool, &props));
    JUST(cuMemAllocFromPoolAsync(&a, 4 * MIB, pool, NULL));
    JUST(cuDeviceSetMemPool(device, pool));
    JUST(cuMemPoolDestroy(pool));
    JUST(cuMemsetD8(a, 1, 4 * MIB));
    JUST(cuMemFreeAsync(a, NULL));
    JUST(cuDeviceGetMemPool(&pool, device));
    JUST(cuCtxSynchronize());
}

/* ---- between processes */

struct message { /* what the exporter tells its child */
    CUipcMemHandle memory, pooled;
    CUipcEventHandle event;
    CUmemPoolPtrExportData pointer;
    size_t offset;
};

static int child_pipe[2], back_pipe[2];

static void tell(int to, const void *what, size_t bytes)
{
    if (write(to, what, bytes) != (ssize_t)bytes) exit(9);
}

static void hear(int from, void *what, size_t bytes)
{
    for (size_t have = 0; have < bytes;) {
        ssize_t n = read(from, (char *)what + have, bytes - have);
        if (n <= 0) exit(9);
        have += (size_t)n;
    }
}

/* Start this program again as PART, its pipes at 30 and 31, a file that it may inherit at 32. */
static pid_t spawn(const char *part, int extra)
{
    fflush(stdout);
    if (pipe(child_pipe) != 0 || pipe(back_pipe) != 0) exit(9);
    pid_t pid = fork();
    if (pid) return pid;
    dup2(child_pipe[0], 30);
    dup2(back_pipe[1], 31);
    if (extra >= 0) dup2(extra, 32);
    execl("/proc/self/exe", "sharing_answers", part, (char *)NULL);
    _exit(9);
}

static void ipc(void)
{
    struct message m;
    CUdeviceptr a = 0, b = 0, got = 0, managed = 0, pooled = 0;
    CUevent e, plain;
    void *host = NULL;
    unsigned value = 5;
    memset(&m, 0, sizeof m);
    cuMemAlloc(&a, 3 * MIB);
    cuMemAlloc(&b, 4096);
    cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL);
    cuMemAllocHost(&host, 4096);
    cuMemAllocAsync(&pooled, 4096, NULL);
    SAY(cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, a), "%u", value);
    JUST(cuIpcGetMemHandle(&m.pooled, managed));
    JUST(cuIpcGetMemHandle(&m.pooled, (CUdeviceptr)(uintptr_t)host));
    JUST(cuIpcGetMemHandle(&m.pooled, pooled));
    JUST(cuIpcGetMemHandle(&m.pooled, 0));
    JUST(cuIpcGetMemHandle(NULL, a));
    JUST(cuMemsetD32(a, 1234, 16));
    JUST(cuMemsetD32(b, 4321, 16));
    JUST(cuIpcGetMemHandle(&m.memory, a + 1000));
    JUST(cuIpcGetMemHandle(&m.pooled, b));
    JUST(cuIpcOpenMemHandle(&got, m.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    JUST(cuIpcCloseMemHandle(a));
    cuEventCreate(&plain, CU_EVENT_DISABLE_TIMING);
    JUST(cuIpcGetEventHandle(&m.event, plain));
    JUST(cuEventCreate(&e, CU_EVENT_INTERPROCESS));
    JUST(cuEventCreate(&e, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
    JUST(cuIpcGetEventHandle(&m.event, e));
    JUST(cuIpcOpenEventHandle(&plain, m.event));
    JUST(cuEventRecord(e, NULL));
    pid_t pid = spawn("ipc-child", -1);
    tell(child_pipe[1], &m, sizeof m);
    hear(back_pipe[0], &value, sizeof value);
    SAY(cuMemcpyDtoH(&value, a + 4, 4), "child wrote %u", value);
    waitpid(pid, NULL, 0);
    JUST(cuMemFree(a));
    JUST(cuMemFree(b));
    JUST(cuEventDestroy(e));
}

static void ipc_child(void)
{
    struct message m;
    CUdeviceptr a = 0, again = 0, b = 0, base = 0;
    CUevent e;
    unsigned value = 0;
    size_t bytes = 0;
    CUipcMemHandle wrong;
    hear(30, &m, sizeof m);
    memset(&wrong, 0, sizeof wrong);
    JUST(cuIpcOpenMemHandle(&a, wrong, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    JUST(cuIpcOpenMemHandle(&a, m.memory, 0));
    JUST(cuIpcOpenMemHandle(&a, m.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    SAY(cuIpcOpenMemHandle(&again, m.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS), "same %d", a == again);
    SAY(cuMemcpyDtoH(&value, a, 4), "parent wrote %u", value);
    SAY(cuMemGetAddressRange(&base, &bytes, a + 100), "%lld %zu", (long long)(base - a), bytes);
    SAY(cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, a), "%u", value);
    JUST(cuIpcGetMemHandle(&wrong, a));
    JUST(cuMemFree(a));
    JUST(cuIpcOpenMemHandle(&b, m.pooled, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    SAY(cuMemcpyDtoH(&value, b, 4), "parent wrote %u", value);
    JUST(poke(a + 4, 99));
    JUST(cuIpcOpenEventHandle(&e, m.event));
    JUST(cuEventSynchronize(e));
    JUST(cuEventQuery(e));
    JUST(cuEventRecord(e, NULL));
    JUST(cuEventDestroy(e));
    JUST(cuIpcCloseMemHandle(a));
    SAY(cuMemcpyDtoH(&value, a + 4, 4), "%u", value);
    JUST(cuIpcCloseMemHandle(a));
    JUST(cuMemcpyDtoH(&value, a, 4));
    JUST(cuIpcCloseMemHandle(a));
    JUST(cuIpcCloseMemHandle(b));
    tell(31, &value, sizeof value);
}

static void export_chunk(void)
{
    int fd = -1;
    CUmemAllocationProp prop = local(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR), plain = local(0);
    CUmemGenericAllocationHandle a = 0, b = 0, c = 0;
    CUdeviceptr at = 0;
    CUmemAccessDesc rw = access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    unsigned value = 0;
    JUST(cuMemCreate(&b, 2 * MIB, &plain, 0));
    JUST(cuMemExportToShareableHandle(&fd, b, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    JUST(cuMemCreate(&a, 2 * MIB, &prop, 0));
    JUST(cuMemExportToShareableHandle(&fd, a, CU_MEM_HANDLE_TYPE_WIN32, 0));
    JUST(cuMemExportToShareableHandle(NULL, a, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    SAY(cuMemExportToShareableHandle(&fd, a, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0), "%d", fd >= 0);
    JUST(cuMemImportFromShareableHandle(&c, (void *)(uintptr_t)0, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    SAY(cuMemImportFromShareableHandle(&c, (void *)(uintptr_t)fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
        "same %d", a == c);
    cuMemAddressReserve(&at, 2 * MIB, 0, 0, 0);
    JUST(cuMemMap(at, 2 * MIB, 0, a, 0));
    JUST(cuMemSetAccess(at, 2 * MIB, &rw, 1));
    JUST(cuMemsetD32(at, 55, 4));
    JUST(cuCtxSynchronize());
    pid_t pid = spawn("export-chunk-child", fd);
    hear(back_pipe[0], &value, sizeof value);
    SAY(peek(at + 4, &value), "child wrote %u", value);
    waitpid(pid, NULL, 0);
    JUST(cuMemUnmap(at, 2 * MIB));
    JUST(cuMemRelease(a));
}

static void export_chunk_child(void)
{
    CUmemGenericAllocationHandle a = 0;
    CUdeviceptr at = 0;
    CUmemAccessDesc rw = access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    CUmemAllocationProp got;
    unsigned value = 0;
    JUST(cuMemImportFromShareableHandle(&a, (void *)(uintptr_t)32, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    SAY(cuMemGetAllocationPropertiesFromHandle(&got, a), "%d %d %d", (int)got.type, (int)got.location.id,
        (int)got.requestedHandleTypes);
    cuMemAddressReserve(&at, 2 * MIB, 0, 0, 0);
    JUST(cuMemMap(at, 2 * MIB, 0, a, 0));
    JUST(cuMemSetAccess(at, 2 * MIB, &rw, 1));
    SAY(peek(at, &value), "parent wrote %u", value);
    JUST(poke(at + 4, 66));
    tell(31, &value, sizeof value);
}

static void export_pool(void)
{
    struct message m;
    CUmemoryPool pool = NULL, plain = NULL;
    CUmemPoolProps props = pool_props(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR), none = pool_props(0);
    CUdeviceptr a = 0, b = 0;
    int fd = -1;
    unsigned value = 0;
    memset(&m, 0, sizeof m);
    JUST(cuMemPoolCreate(&plain, &none));
    JUST(cuMemPoolExportToShareableHandle(&fd, plain, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    JUST(cuMemPoolCreate(&pool, &props));
    SAY(cuMemPoolExportToShareableHandle(&fd, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0), "%d",
        fd >= 0);
    JUST(cuMemAllocFromPoolAsync(&b, 5000, plain, NULL));
    JUST(cuMemPoolExportPointer(&m.pointer, b));
    JUST(cuMemAllocFromPoolAsync(&a, 5000, pool, NULL));
    JUST(cuMemPoolExportPointer(&m.pointer, a + 16));
    JUST(cuMemPoolExportPointer(&m.pointer, a));
    JUST(cuMemsetD32(a, 88, 16));
    JUST(cuCtxSynchronize());
    pid_t pid = spawn("export-pool-child", fd);
    tell(child_pipe[1], &m, sizeof m);
    hear(back_pipe[0], &value, sizeof value);
    SAY(peek(a + 4, &value), "child wrote %u", value);
    waitpid(pid, NULL, 0);
    JUST(cuMemFreeAsync(a, NULL));
    JUST(cuCtxSynchronize());
    JUST(cuMemPoolDestroy(pool));
}

static void export_pool_child(void)
{
    struct message m;
    CUmemoryPool pool = NULL;
    CUdeviceptr a = 0, b = 0;
    unsigned value = 0;
    hear(30, &m, sizeof m);
    JUST(cuMemPoolImportFromShareableHandle(&pool, (void *)(uintptr_t)32,
                                            CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    JUST(cuMemPoolImportPointer(&a, pool, &m.pointer));
    JUST(cuMemAllocFromPoolAsync(&b, 5000, pool, NULL));
    SAY(peek(a, &value), "parent wrote %u", value);
    JUST(poke(a + 4, 44));
    JUST(cuMemFreeAsync(a, NULL));
    JUST(cuCtxSynchronize());
    JUST(cuMemPoolDestroy(pool));
    tell(31, &value, sizeof value);
}

/* ---- between devices */

static void peers(void)
{
    int count = 0, can = 0, value = 0;
    CUcontext second;
    CUdeviceptr a = 0, b = 0;
    unsigned word = 7;
    cuDeviceGetCount(&count);
    JUST(cuCtxEnablePeerAccess(context, 0));
    JUST(cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0));
    SAY(cuDeviceCanAccessPeer(&can, 0, 0), "%d", can);
    JUST(cuDeviceCanAccessPeer(&can, 0, 99));
    if (count < 2) return;
    SAY(cuDeviceCanAccessPeer(&can, 0, 1), "%d", can);
    for (int i = 0; i < 8; i++) {
        CUresult r = cuDeviceGetP2PAttribute(&value, (CUdevice_P2PAttribute)i, 0, 1);
        printf("p2p attribute %d = %d %d\n", i, (int)r, r == CUDA_SUCCESS ? value : 0);
    }
    JUST(cuCtxDisablePeerAccess(context));
    JUST(cuDevicePrimaryCtxRetain(&second, 1));
    JUST(cuCtxDisablePeerAccess(second));
    JUST(cuCtxEnablePeerAccess(second, 1));
    cuMemAlloc(&a, 4096);
    cuCtxSetCurrent(second);
    cuMemAlloc(&b, 4096);
    cuMemsetD32(b, 31, 16);
    cuCtxSetCurrent(context);
    JUST(cuMemcpyPeer(a, context, b, second, 64));
    SAY(cuMemcpyDtoH(&word, a, 4), "%u", word);
    JUST(cuMemcpyDtoD(a, b, 64));
    JUST(cuCtxEnablePeerAccess(second, 0));
    JUST(cuCtxEnablePeerAccess(second, 0));
    SAY(peek(b, &word), "%u", word);
    JUST(poke(b + 4, 12));
    JUST(cuCtxDisablePeerAccess(second));
    JUST(cuCtxDisablePeerAccess(second));
    SAY(cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, b), "%d", value);
    JUST(poke(b, 3));
}

static void peer_null(void)
{
    JUST(cuCtxEnablePeerAccess(NULL, 0));
    JUST(cuCtxDisablePeerAccess(NULL));
}

/* Hold 100 MiB and a context for some seconds, so that other tools can list this process. */
static void hold(void)
{
    CUdeviceptr a;
    JUST(cuMemAlloc(&a, 100 * MIB));
    JUST(cuMemsetD8(a, 1, 100 * MIB));
    JUST(cuCtxSynchronize());
    sleep(5);
}

/* The devices that CUDA_VISIBLE_DEVICES selects, as ordinals of the whole list. */
static void visible(void)
{
    CUuuid all[16], now;
    int count = 0;
    char uuid[64], list[256];
    cuDeviceGetCount(&count);
    for (int i = 0; i < count && i < 16; i++)
        cuDeviceGetUuid(&all[i], i);
    char *to = uuid + sprintf(uuid, "GPU");
    for (int i = 0; i < 16; i++)
        to += sprintf(to, "%s%02x", i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
                      (unsigned char)all[count > 1].bytes[i]);
    const char *values[] = {"",       "0",      "1,0",       "0,0",        "0,-1,1", "-1",      "9",
                            "0,9,1",  "1gpu",   "0 ,1",      " 1",         "0,1,0",  "x",       "0x1",
                            "1.5",    "+1",     ",0",        "0,,1",       "UUID",   "PART",    "LOW",
                            "UUID,0", "0,UUID", "UUID,UUID", "NoDevFiles", "all",    "GPU-0000"};
    (void)now;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        snprintf(list, sizeof list, "%s", values[i]);
        if (strcmp(values[i], "UUID") == 0) snprintf(list, sizeof list, "%s", uuid);
        if (strcmp(values[i], "PART") == 0) snprintf(list, sizeof list, "%.10s", uuid);
        if (strcmp(values[i], "LOW") == 0) snprintf(list, sizeof list, "gpu%s", uuid + 3);
        if (strcmp(values[i], "UUID,0") == 0) snprintf(list, sizeof list, "%s,0", uuid);
        if (strcmp(values[i], "0,UUID") == 0) snprintf(list, sizeof list, "0,%s", uuid);
        if (strcmp(values[i], "UUID,UUID") == 0) snprintf(list, sizeof list, "%s,%s", uuid, uuid);
        printf("visible '%s':", values[i]);
        fflush(stdout);
        setenv("CUDA_VISIBLE_DEVICES", list, 1);
        pid_t pid = spawn("visible-child", -1);
        tell(child_pipe[1], &count, sizeof count);
        tell(child_pipe[1], all, sizeof all);
        waitpid(pid, NULL, 0);
    }
}

static int visible_child(void)
{
    CUuuid all[16], now;
    int before = 0, count = 0;
    hear(30, &before, sizeof before);
    hear(30, all, sizeof all);
    CUresult r = cuInit(0);
    if (r == CUDA_SUCCESS) r = cuDeviceGetCount(&count);
    if (r != CUDA_SUCCESS) printf(" error %d", (int)r);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < before; k++)
            if (cuDeviceGetUuid(&now, i) == CUDA_SUCCESS && memcmp(&now, &all[k], sizeof now) == 0)
                printf(" %d", k);
    puts("");
    return 0;
}

static const struct {
    const char *name;
    void (*run)(void);
} PARTS[] = {{"map-basics", map_basics},
             {"map-partly", map_partly},
             {"map-wrong-free", map_wrong_free},
             {"fault-reserved", fault_reserved},
             {"fault-beyond", fault_beyond},
             {"fault-none", fault_none},
             {"fault-read-only", fault_read_only},
             {"fault-unmapped", fault_unmapped},
             {"pools", pools},
             {"pool-destroy", pool_destroy},
             {"ipc", ipc},
             {"export-chunk", export_chunk},
             {"export-pool", export_pool},
             {"peers", peers},
             {"peer-null", peer_null},
             {"visible", visible},
             {"ipc-child", ipc_child},
             {"export-chunk-child", export_chunk_child},
             {"export-pool-child", export_pool_child},
             {"hold-child", hold}};

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "visible-child") == 0) return visible_child();
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        if (argc > 1 && strcmp(argv[1], PARTS[i].name) == 0) {
            start();
            PARTS[i].run();
            return 0;
        }
        if (argc > 1 || strstr(PARTS[i].name, "-child")) continue;
        printf("== %s\n", PARTS[i].name);
        pid_t pid = spawn(PARTS[i].name, -1);
        int status = 0;
        waitpid(pid, &status, 0);
        if (status) printf("status %d\n", status);
        fflush(stdout);
    }
    return 0;
}
