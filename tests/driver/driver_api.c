/* SPDX-License-Identifier: Apache-2.0 */
/* The driver API without running a kernel: documented errors, contexts, modules, memory, copies, streams,
 * events. Runs with the devices h200 and v100. */
#include "driver_checks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .global .align 4 .u32 counter = 7;\n"
    ".visible .const .align 4 .f32 table[4] = {0f3f800000, 0f40000000, 0f40400000, 0f40800000};\n"
    ".visible .global .align 8 .u64 pointer = generic(counter);\n"
    ".visible .global .align 4 .attribute(.managed) .b8 shared_one[64];\n"
    ".visible .entry empty(.param .u64 p, .param .u32 n) .maxntid 256, 1, 1\n"
    "{\n    .shared .align 4 .b8 tile[4096];\n    .reg .b32 %r<2>;\n"
    "    ld.shared.u32 %r1, [tile];\n    st.shared.u32 [tile+4], %r1;\n    ret;\n}\n"
    ".visible .entry second() { ret; }\n";

static CUcontext context;

static int setup(void **state)
{
    (void)state;
    CUdevice device;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuCtxCreate(&context, NULL, 0, device));
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    OK(cuCtxDestroy(context));
    return 0;
}

/* ---- before cuInit: this test runs first */

static void before_init(void **state)
{
    (void)state;
    int n;
    void *p;
    FAILS(NOT_INITIALIZED, cuDeviceGetCount(&n));
    FAILS(NOT_INITIALIZED, cuMemAlloc((CUdeviceptr *)&p, 16));
    FAILS(INVALID_VALUE, cuInit(1));
    OK(cuDriverGetVersion(&n));
    assert_int_equal(n, 13000);
}

static void devices(void **state)
{
    (void)state;
    int n, major, minor, value;
    char name[64];
    OK(cuDeviceGetCount(&n));
    assert_int_equal(n, 2);
    OK(cuDeviceGetName(name, sizeof name, 0));
    assert_string_equal(name, "NVIDIA H200");
    OK(cuDeviceComputeCapability(&major, &minor, 1));
    assert_int_equal(major * 10 + minor, 70);
    OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    assert_int_equal(value, 132);
    OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 0));
    assert_int_equal(value, 232448);
    FAILS(INVALID_DEVICE, cuDeviceGet(&n, 2));
    FAILS(INVALID_DEVICE, cuDeviceGetName(name, sizeof name, -1));
    OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH, 0));
    assert_int_equal(value, 1); /* as an H200's driver says */
    FAILS(INVALID_VALUE, cuDeviceGetAttribute(&value, (CUdevice_attribute)100000, 0));
    FAILS(INVALID_VALUE, cuDeviceGetAttribute(NULL, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    CUuuid a, b;
    OK(cuDeviceGetUuid(&a, 0));
    OK(cuDeviceGetUuid(&b, 1));
    assert_memory_not_equal(&a, &b, sizeof a);
    OK(cuDeviceGetByPCIBusId(&n, "0000:02:00.0"));
    assert_int_equal(n, 1);
}

static void error_names(void **state)
{
    (void)state;
    const char *text;
    OK(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
    assert_string_equal(text, "CUDA_ERROR_ILLEGAL_ADDRESS");
    OK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
    assert_string_equal(text, "out of memory");
    FAILS(INVALID_VALUE, cuGetErrorName((CUresult)12345, &text));
    assert_null(text);
}

/* ---- contexts */

static void context_stack(void **state)
{
    (void)state;
    CUcontext other, now;
    CUdevice device;
    OK(cuCtxCreate(&other, NULL, 0, 1));
    OK(cuCtxGetCurrent(&now));
    assert_ptr_equal(now, other);
    OK(cuCtxGetDevice(&device));
    assert_int_equal(device, 1);
    OK(cuCtxPopCurrent(&now));
    assert_ptr_equal(now, other);
    OK(cuCtxGetCurrent(&now));
    assert_ptr_equal(now, context);
    OK(cuCtxPushCurrent(other));
    OK(cuCtxDestroy(other));
    OK(cuCtxGetCurrent(&now));
    assert_ptr_equal(now, context);
    FAILS(INVALID_CONTEXT, cuCtxDestroy(other));
    FAILS(INVALID_CONTEXT, cuCtxPushCurrent(other));
    FAILS(INVALID_CONTEXT, cuCtxSetCurrent((CUcontext)0x1234));
}

/* Calls fail with CONTEXT_IS_DESTROYED while a destroyed context is current, until it is popped. */
static void destroyed_context(void **state)
{
    (void)state;
    CUcontext other;
    CUdeviceptr p;
    OK(cuCtxCreate(&other, NULL, 0, 0));
    OK(cuCtxPushCurrent(other));
    OK(cuCtxDestroy(other)); /* pops the upper one */
    FAILS(CONTEXT_IS_DESTROYED, cuMemAlloc(&p, 16));
    FAILS(CONTEXT_IS_DESTROYED, cuStreamSynchronize(NULL));
    OK(cuCtxPopCurrent(&other));
    OK(cuMemAlloc(&p, 16));
    OK(cuMemFree(p));
}

static void *no_context(void *unused)
{
    (void)unused;
    CUdeviceptr p;
    return (void *)(uintptr_t)cuMemAlloc(&p, 16);
}

static void contexts_belong_to_threads(void **state)
{
    (void)state;
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, no_context, NULL);
    pthread_join(thread, &result);
    assert_int_equal((uintptr_t)result, CUDA_ERROR_INVALID_CONTEXT);
}

static void primary_context(void **state)
{
    (void)state;
    CUcontext a, b;
    unsigned flags;
    int active;
    OK(cuDevicePrimaryCtxRetain(&a, 1));
    OK(cuDevicePrimaryCtxRetain(&b, 1));
    assert_ptr_equal(a, b);
    FAILS(INVALID_CONTEXT, cuCtxDestroy(a));
    OK(cuDevicePrimaryCtxGetState(1, &flags, &active));
    assert_int_equal(active, 1);
    OK(cuDevicePrimaryCtxRelease(1));
    OK(cuDevicePrimaryCtxRelease(1));
    OK(cuDevicePrimaryCtxGetState(1, &flags, &active));
    assert_int_equal(active, 0);
    FAILS(INVALID_CONTEXT, cuDevicePrimaryCtxRelease(1));
}

static void limits(void **state)
{
    (void)state;
    size_t value;
    OK(cuCtxGetLimit(&value, CU_LIMIT_PRINTF_FIFO_SIZE));
    assert_int_equal(value, 132 * 65536); /* as an H200 says */
    OK(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 16 << 20));
    OK(cuCtxGetLimit(&value, CU_LIMIT_MALLOC_HEAP_SIZE));
    assert_int_equal(value, 16 << 20);
    FAILS(INVALID_VALUE, cuCtxSetLimit((CUlimit)77, 1));
}

static void peers(void **state)
{
    (void)state;
    int can;
    CUcontext other;
    OK(cuDeviceCanAccessPeer(&can, 0, 1));
    assert_int_equal(can, 1);
    OK(cuDeviceCanAccessPeer(&can, 0, 0));
    assert_int_equal(can, 0);
    OK(cuDevicePrimaryCtxRetain(&other, 1));
    OK(cuCtxEnablePeerAccess(other, 0));
    FAILS(PEER_ACCESS_ALREADY_ENABLED, cuCtxEnablePeerAccess(other, 0));
    OK(cuCtxDisablePeerAccess(other));
    FAILS(PEER_ACCESS_NOT_ENABLED, cuCtxDisablePeerAccess(other));
    FAILS(PEER_ACCESS_UNSUPPORTED, cuCtxEnablePeerAccess(context, 0)); /* as an H200 answers */
    OK(cuDevicePrimaryCtxRelease(1));
}

/* ---- memory */

static void allocation(void **state)
{
    (void)state;
    CUdeviceptr p, base;
    size_t bytes, before, after, total, pitch;
    FAILS(INVALID_VALUE, cuMemAlloc(&p, 0));
    FAILS(INVALID_VALUE, cuMemAlloc(NULL, 16));
    FAILS(OUT_OF_MEMORY, cuMemAlloc(&p, (size_t)1 << 60));
    OK(cuMemGetInfo(&before, &total));
    OK(cuMemAlloc(&p, 1 << 20));
    assert_int_equal(p % 256, 0);
    OK(cuMemGetInfo(&after, &total));
    assert_int_equal(before - after, 1 << 20);
    OK(cuMemGetAddressRange(&base, &bytes, p + 4096));
    assert_int_equal(base, p);
    assert_int_equal(bytes, 1 << 20);
    FAILS(INVALID_VALUE, cuMemFree(p + 256));
    OK(cuMemFree(p));
    FAILS(INVALID_VALUE, cuMemFree(p));
    OK(cuMemFree(0));
    OK(cuMemAllocPitch(&p, &pitch, 100, 8, 4));
    assert_int_equal(pitch, 512);
    OK(cuMemFree(p));
    FAILS(INVALID_VALUE, cuMemAllocPitch(&p, &pitch, 100, 8, 3));
}

static void pointer_attributes(void **state)
{
    (void)state;
    CUdeviceptr p, managed, device;
    void *host, *mapped;
    CUmemorytype type;
    unsigned flag;
    int ordinal;
    OK(cuMemAlloc(&p, 64));
    OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p + 63));
    assert_int_equal(type, CU_MEMORYTYPE_DEVICE);
    OK(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p));
    assert_int_equal(ordinal, 0);
    FAILS(INVALID_VALUE, cuPointerGetAttribute(&mapped, CU_POINTER_ATTRIBUTE_HOST_POINTER, p));
    OK(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
    OK(cuPointerGetAttribute(&flag, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed));
    assert_int_equal(flag, 1);
    *(int *)managed = 5; /* the host may touch it */
    OK(cuMemHostAlloc(&host, 64, CU_MEMHOSTALLOC_DEVICEMAP));
    OK(cuMemHostGetDevicePointer(&device, host, 0));
    OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device));
    assert_int_equal(type, CU_MEMORYTYPE_HOST);
    int local;
    FAILS(INVALID_VALUE, cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)&local));
    CUpointer_attribute which[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED};
    void *answers[] = {&type, &flag};
    OK(cuPointerGetAttributes(2, which, answers, (CUdeviceptr)&local));
    assert_int_equal(type, 0);
    OK(cuMemFree(p));
    OK(cuMemFree(managed));
    OK(cuMemFreeHost(host));
    FAILS(INVALID_VALUE, cuMemFreeHost(host));
}

static void registered_memory(void **state)
{
    (void)state;
    char *block = malloc(8192);
    CUdeviceptr device;
    unsigned flags;
    FAILS(HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(block));
    OK(cuMemHostRegister(block, 8192, CU_MEMHOSTREGISTER_DEVICEMAP));
    FAILS(HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(block, 8192, 0));
    OK(cuMemHostGetDevicePointer(&device, block + 16, 0));
    OK(cuMemHostGetFlags(&flags, block));
    assert_int_equal(flags, CU_MEMHOSTREGISTER_DEVICEMAP);
    OK(cuMemHostUnregister(block));
    FAILS(INVALID_VALUE, cuMemHostGetDevicePointer(&device, block, 0));
    free(block);
}

static void copies(void **state)
{
    (void)state;
    CUdeviceptr a, b;
    unsigned char in[1000], out[1000];
    for (int i = 0; i < 1000; i++)
        in[i] = (unsigned char)(i * 7);
    OK(cuMemAlloc(&a, sizeof in));
    OK(cuMemAlloc(&b, sizeof in));
    OK(cuMemcpyHtoD(a, in, sizeof in));
    OK(cuMemcpyDtoD(b, a, sizeof in));
    OK(cuMemcpyDtoH(out, b, sizeof in));
    assert_memory_equal(in, out, sizeof in);
    memset(out, 0, sizeof out);
    OK(cuMemcpy((CUdeviceptr)out, a, sizeof in));
    assert_memory_equal(in, out, sizeof in);
    FAILS(INVALID_VALUE, cuMemcpyHtoD(a, in, sizeof in + 1));
    FAILS(INVALID_VALUE, cuMemcpyHtoD((CUdeviceptr)out, in, 16)); /* no device memory */
    FAILS(INVALID_VALUE, cuMemcpyDtoH(NULL, a, 16));
    OK(cuMemcpyHtoD(a, in, 0));
    OK(cuMemFree(a));
    OK(cuMemFree(b));
}

static void strided_copies(void **state)
{
    (void)state;
    enum { W = 40, H = 6, D = 3 };
    CUdeviceptr p;
    size_t pitch;
    unsigned char in[D][H][W], out[D][H][W];
    for (int i = 0; i < D * H * W; i++)
        (&in[0][0][0])[i] = (unsigned char)(i * 31);
    memset(out, 0, sizeof out);
    OK(cuMemAllocPitch(&p, &pitch, W, H * D, 4));
    CUDA_MEMCPY3D up = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                        .srcHost = in,
                        .srcPitch = W,
                        .srcHeight = H,
                        .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                        .dstDevice = p,
                        .dstPitch = pitch,
                        .dstHeight = H,
                        .WidthInBytes = W,
                        .Height = H,
                        .Depth = D};
    OK(cuMemcpy3D(&up));
    CUDA_MEMCPY2D down = {.srcXInBytes = 8,
                          .srcY = 1,
                          .srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = p,
                          .srcPitch = pitch,
                          .dstMemoryType = CU_MEMORYTYPE_HOST,
                          .dstHost = out,
                          .dstPitch = W,
                          .WidthInBytes = 16,
                          .Height = 4};
    OK(cuMemcpy2D(&down));
    for (int y = 0; y < 4; y++)
        assert_memory_equal(out[0][y], in[0][y + 1] + 8, 16);
    assert_int_equal(out[0][0][16], 0);
    CUarray array;
    OK(cuArrayCreate(&array, &(CUDA_ARRAY_DESCRIPTOR){W / 4, H, CU_AD_FORMAT_FLOAT, 1}));
    CUDA_MEMCPY2D into = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                          .srcHost = in,
                          .srcPitch = W,
                          .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                          .dstArray = array,
                          .WidthInBytes = W,
                          .Height = H};
    OK(cuMemcpy2D(&into));
    CUDA_MEMCPY2D from = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                          .srcArray = array,
                          .dstMemoryType = CU_MEMORYTYPE_HOST,
                          .dstHost = out,
                          .dstPitch = W,
                          .WidthInBytes = W,
                          .Height = H};
    OK(cuMemcpy2D(&from));
    assert_memory_equal(in[0], out[0], sizeof in[0]);
    OK(cuArrayDestroy(array));
    FAILS(INVALID_HANDLE, cuMemcpy2D(&from));
    OK(cuMemFree(p));
}

static void fills(void **state)
{
    (void)state;
    CUdeviceptr p;
    unsigned words[64];
    OK(cuMemAlloc(&p, sizeof words));
    OK(cuMemsetD32(p, 0xdeadbeef, 64));
    OK(cuMemsetD16(p + 4, 0x1234, 2));
    OK(cuMemsetD8(p + 8, 0xff, 3));
    OK(cuMemsetD2D32(p + 16, 64, 9, 2, 2));
    OK(cuMemcpyDtoH(words, p, sizeof words));
    assert_int_equal(words[0], 0xdeadbeef);
    assert_int_equal(words[1], 0x12341234);
    assert_int_equal(words[2], 0xdeffffff);
    assert_int_equal(words[4], 9);
    assert_int_equal(words[6], 0xdeadbeef);
    assert_int_equal(words[21], 9);
    FAILS(INVALID_VALUE, cuMemsetD32(p + 2, 0, 1));
    FAILS(INVALID_VALUE, cuMemsetD8(p, 0, sizeof words + 1));
    OK(cuMemFree(p));
}

static void pools(void **state)
{
    (void)state;
    CUdeviceptr p;
    CUmemoryPool pool;
    cuuint64_t used, threshold = 1 << 20;
    CUstream stream;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuDeviceGetDefaultMemPool(&pool, 0));
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
    OK(cuMemAllocAsync(&p, 4096, stream));
    OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
    assert_int_equal(used, 4096);
    OK(cuMemsetD8Async(p, 1, 4096, stream));
    OK(cuMemFreeAsync(p, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
    assert_int_equal(used, 0);
    FAILS(INVALID_VALUE, cuMemFreeAsync(p, stream));
    FAILS(INVALID_VALUE, cuMemPoolDestroy(pool));
    OK(cuStreamDestroy(stream));
}

/* Reserve a range, map two handles into it, use it as one, and take it apart. */
static void virtual_memory(void **state)
{
    (void)state;
    CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    CUmemAccessDesc access = {prop.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemGenericAllocationHandle a, b;
    CUdeviceptr p;
    size_t unit;
    int value = 5, back = 0;
    OK(cuMemGetAllocationGranularity(&unit, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    FAILS(INVALID_VALUE, cuMemCreate(&a, unit + 1, &prop, 0));
    OK(cuMemCreate(&a, unit, &prop, 0));
    OK(cuMemCreate(&b, unit, &prop, 0));
    OK(cuMemAddressReserve(&p, 2 * unit, 0, 0, 0));
    FAILS(INVALID_VALUE, cuMemSetAccess(p, 2 * unit, &access, 1)); /* nothing is mapped */
    OK(cuMemMap(p, unit, 0, a, 0));
    FAILS(INVALID_VALUE, cuMemMap(p, unit, 0, b, 0)); /* taken */
    OK(cuMemMap(p + unit, unit, 0, b, 0));
    OK(cuMemSetAccess(p, 2 * unit, &access, 1));
    OK(cuMemRelease(a)); /* the mapping keeps it */
    OK(cuMemcpyHtoD(p + unit - 4, &value, sizeof value));
    OK(cuMemcpyDtoD(p + unit, p + unit - 4, sizeof value));
    OK(cuMemcpyDtoH(&back, p + unit, sizeof back));
    assert_int_equal(back, 5);
    FAILS(INVALID_VALUE, cuMemAddressFree(p, 2 * unit));
    OK(cuMemUnmap(p, 2 * unit));
    OK(cuMemRelease(b));
    FAILS(INVALID_VALUE, cuMemRelease(b));
    OK(cuMemAddressFree(p, 2 * unit));
}

/* ---- modules */

static void modules(void **state)
{
    (void)state;
    CUmodule module;
    CUfunction function;
    CUdeviceptr p;
    size_t bytes;
    unsigned count, word;
    uint64_t pointer;
    float table[4];
    OK(cuModuleLoadData(&module, ptx));
    OK(cuModuleGetFunctionCount(&count, module));
    assert_int_equal(count, 2);
    OK(cuModuleGetFunction(&function, module, "empty"));
    FAILS(NOT_FOUND, cuModuleGetFunction(&function, module, "absent"));
    OK(cuModuleGetGlobal(&p, &bytes, module, "counter"));
    assert_int_equal(bytes, 4);
    OK(cuMemcpyDtoH(&word, p, 4));
    assert_int_equal(word, 7);
    CUdeviceptr counter = p;
    OK(cuModuleGetGlobal(&p, &bytes, module, "pointer"));
    OK(cuMemcpyDtoH(&pointer, p, 8));
    assert_int_equal(pointer, counter);
    OK(cuModuleGetGlobal(&p, &bytes, module, "table"));
    OK(cuMemcpyDtoH(table, p, bytes));
    assert_true(table[3] == 4.0f);
    OK(cuModuleGetGlobal(&p, &bytes, module, "shared_one"));
    OK(cuPointerGetAttribute(&word, CU_POINTER_ATTRIBUTE_IS_MANAGED, p));
    assert_int_equal(word, 1);
    FAILS(NOT_FOUND, cuModuleGetGlobal(&p, &bytes, module, "absent"));
    OK(cuModuleUnload(module));
    FAILS(INVALID_HANDLE, cuModuleUnload(module));
    FAILS(INVALID_HANDLE, cuModuleGetFunction(&function, module, "empty"));
}

static void bad_images(void **state)
{
    (void)state;
    CUmodule module;
    static const char newer[] =
        ".version 8.7\n.target sm_120\n.address_size 64\n.visible .entry k() { ret; }\n";
    FAILS(INVALID_PTX, cuModuleLoadData(&module, ".version 7.0\n.target sm_70\n.address_size 64\n.entry {"));
    FAILS(NO_BINARY_FOR_GPU, cuModuleLoadData(&module, newer));
    FAILS(FILE_NOT_FOUND, cuModuleLoad(&module, "/nonexistent/file.ptx"));
    FAILS(INVALID_VALUE, cuModuleLoadData(&module, NULL));
}

static void function_attributes(void **state)
{
    (void)state;
    CUmodule module;
    CUfunction function;
    int value;
    OK(cuModuleLoadData(&module, ptx));
    OK(cuModuleGetFunction(&function, module, "empty"));
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
    assert_int_equal(value, 256);
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function));
    assert_int_equal(value, 4096);
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, function));
    assert_int_equal(value, 16);
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_PTX_VERSION, function));
    assert_int_equal(value, 70);
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function));
    assert_int_equal(value, 49152 - 4096);
    OK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000));
    FAILS(INVALID_VALUE,
          cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 232448));
    FAILS(INVALID_VALUE, cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS, 10));
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, function, 256, 0));
    assert_int_equal(value, 8); /* 2048 threads */
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, function, 256, 100000));
    assert_int_equal(value, 2); /* 228 KiB of shared memory, 103.7 each with what the system takes */
    int grid, block;
    OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, function, NULL, 0, 0));
    assert_int_equal(block, 256);
    assert_int_equal(grid, 8 * 132);
    size_t offset, bytes;
    OK(cuFuncGetParamInfo(function, 1, &offset, &bytes));
    assert_int_equal(offset, 8);
    assert_int_equal(bytes, 4);
    FAILS(INVALID_VALUE, cuFuncGetParamInfo(function, 2, &offset, &bytes));
    OK(cuModuleUnload(module));
}

static void libraries(void **state)
{
    (void)state;
    CUlibrary library;
    CUkernel kernel;
    CUfunction function;
    CUmodule module;
    unsigned count;
    const char *name;
    OK(cuLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryGetKernelCount(&count, library));
    assert_int_equal(count, 2);
    OK(cuLibraryGetKernel(&kernel, library, "second"));
    FAILS(NOT_FOUND, cuLibraryGetKernel(&kernel, library, "third"));
    OK(cuKernelGetName(&name, kernel));
    assert_string_equal(name, "second");
    OK(cuKernelGetFunction(&function, kernel));
    OK(cuFuncGetName(&name, function));
    assert_string_equal(name, "second");
    OK(cuLibraryGetModule(&module, library));
    FAILS(NOT_PERMITTED, cuModuleUnload(module)); /* it is the library's */
    OK(cuLibraryUnload(library));
    FAILS(INVALID_HANDLE, cuLibraryUnload(library));
    FAILS(INVALID_HANDLE, cuKernelGetFunction(&function, kernel));
}

static void launch_checks(void **state)
{
    (void)state;
    CUmodule module;
    CUfunction f;
    CUdeviceptr p = 0;
    int n = 0;
    void *params[] = {&p, &n};
    OK(cuModuleLoadData(&module, ptx));
    OK(cuModuleGetFunction(&f, module, "empty"));
    FAILS(INVALID_VALUE, cuLaunchKernel(f, 0, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
    FAILS(INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 0, 1, 1, 0, NULL, params, NULL));
    FAILS(INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 1025, 1, 1, 0, NULL, params, NULL));
    FAILS(INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 32, 1, 65, 0, NULL, params, NULL));
    FAILS(INVALID_VALUE, cuLaunchKernel(f, 1, 65536, 1, 32, 1, 1, 0, NULL, params, NULL));
    FAILS(INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 512, 1, 1, 0, NULL, params, NULL));
    FAILS(INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 50000, NULL, params, NULL));
    FAILS(INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    FAILS(INVALID_HANDLE, cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, (CUstream)0x4444, params, NULL));
    FAILS(INVALID_HANDLE, cuLaunchKernel((CUfunction)&n, 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
    FAILS(COOPERATIVE_LAUNCH_TOO_LARGE,
          cuLaunchCooperativeKernel(f, 100000, 1, 1, 256, 1, 1, 0, NULL, params));
    OK(cuModuleUnload(module));
}

/* ---- streams and events */

static atomic_int gate, order;

static void wait_for_gate(void *unused)
{
    (void)unused;
    while (!atomic_load(&gate))
        usleep(100);
}

static void note_order(void *place)
{
    *(int *)place = atomic_fetch_add(&order, 1) + 1;
}

static void callback(CUstream stream, CUresult status, void *place)
{
    (void)stream;
    *(int *)place = status == CUDA_SUCCESS ? 1 : 2;
}

static void streams_are_asynchronous(void **state)
{
    (void)state;
    CUstream stream;
    CUdeviceptr p;
    unsigned char bytes[16] = {0};
    int called = 0;
    atomic_store(&gate, 0);
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuMemAlloc(&p, 16));
    OK(cuMemsetD8(p, 1, 16));
    OK(cuCtxSynchronize());
    OK(cuLaunchHostFunc(stream, wait_for_gate, NULL));
    OK(cuMemsetD8Async(p, 2, 16, stream));
    OK(cuStreamAddCallback(stream, callback, &called, 0));
    FAILS(NOT_READY, cuStreamQuery(stream));
    OK(cuMemcpyDtoH(bytes, p, 16)); /* the legacy stream does not wait for a non-blocking one */
    assert_int_equal(bytes[0], 1);
    atomic_store(&gate, 1);
    OK(cuStreamSynchronize(stream));
    OK(cuStreamQuery(stream));
    OK(cuMemcpyDtoH(bytes, p, 16));
    assert_int_equal(bytes[0], 2);
    assert_int_equal(called, 1);
    OK(cuStreamDestroy(stream));
    FAILS(INVALID_HANDLE, cuStreamDestroy(stream));
    OK(cuMemFree(p));
}

static void legacy_stream_orders(void **state)
{
    (void)state;
    CUstream a, b;
    int first = 0, second = 0, third = 0;
    atomic_store(&gate, 0);
    atomic_store(&order, 0);
    OK(cuStreamCreate(&a, CU_STREAM_DEFAULT));
    OK(cuStreamCreate(&b, CU_STREAM_DEFAULT));
    OK(cuLaunchHostFunc(a, wait_for_gate, NULL));
    OK(cuLaunchHostFunc(a, note_order, &first));
    OK(cuLaunchHostFunc(NULL, note_order, &second)); /* after a */
    OK(cuLaunchHostFunc(b, note_order, &third));     /* after the legacy stream */
    FAILS(NOT_READY, cuStreamQuery(b));
    atomic_store(&gate, 1);
    OK(cuCtxSynchronize());
    assert_int_equal(first, 1);
    assert_int_equal(second, 2);
    assert_int_equal(third, 3);
    OK(cuStreamDestroy(a));
    OK(cuStreamDestroy(b));
}

static void events(void **state)
{
    (void)state;
    CUstream a, b;
    CUevent event, later, untimed;
    int first = 0, second = 0;
    float ms;
    atomic_store(&gate, 0);
    atomic_store(&order, 0);
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&event, CU_EVENT_DEFAULT));
    OK(cuEventCreate(&later, CU_EVENT_DEFAULT));
    OK(cuEventCreate(&untimed, CU_EVENT_DISABLE_TIMING));
    OK(cuEventQuery(event)); /* never recorded: complete */
    FAILS(INVALID_HANDLE, cuEventElapsedTime(&ms, event, later));
    OK(cuLaunchHostFunc(a, wait_for_gate, NULL));
    OK(cuLaunchHostFunc(a, note_order, &first));
    OK(cuEventRecord(event, a));
    FAILS(NOT_READY, cuEventQuery(event));
    OK(cuStreamWaitEvent(b, event, 0));
    OK(cuLaunchHostFunc(b, note_order, &second));
    OK(cuEventRecord(later, b));
    FAILS(NOT_READY, cuEventElapsedTime(&ms, event, later));
    atomic_store(&gate, 1);
    OK(cuEventSynchronize(later));
    assert_int_equal(first, 1);
    assert_int_equal(second, 2);
    OK(cuEventElapsedTime(&ms, event, later));
    assert_true(ms >= 0);
    OK(cuEventRecord(untimed, a));
    OK(cuEventSynchronize(untimed));
    FAILS(INVALID_HANDLE, cuEventElapsedTime(&ms, event, untimed));
    FAILS(INVALID_VALUE, cuEventCreate(&untimed, 0x100));
    OK(cuEventDestroy(event));
    FAILS(CONTEXT_IS_DESTROYED, cuEventQuery(event));
    OK(cuEventDestroy(later));
    OK(cuStreamDestroy(a));
    OK(cuStreamDestroy(b));
}

/* A pageable source may change as soon as the call returns. */
static void pageable_source_is_staged(void **state)
{
    (void)state;
    CUstream stream;
    CUdeviceptr p;
    int value = 42, back = 0;
    atomic_store(&gate, 0);
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuMemAlloc(&p, sizeof value));
    OK(cuLaunchHostFunc(stream, wait_for_gate, NULL));
    OK(cuMemcpyHtoDAsync(p, &value, sizeof value, stream));
    value = 7;
    atomic_store(&gate, 1);
    OK(cuMemcpyDtoHAsync(&back, p, sizeof back, stream)); /* to pageable memory: done on return */
    assert_int_equal(back, 42);
    OK(cuStreamDestroy(stream));
    OK(cuMemFree(p));
}

static void entry_points_by_name(void **state)
{
    (void)state;
    void *p;
    CUdriverProcAddressQueryResult found;
    OK(cuGetProcAddress("cuMemAlloc", &p, 13000, 0, &found));
    assert_ptr_equal(p, (void *)(uintptr_t)cuMemAlloc);
    assert_int_equal(found, CU_GET_PROC_ADDRESS_SUCCESS);
    OK(cuGetProcAddress("cuCtxCreate", &p, 12000, 0, &found));
    assert_ptr_not_equal(p, (void *)(uintptr_t)cuCtxCreate);
    OK(cuGetProcAddress("cuNothing", &p, 13000, 0, &found)); /* as an H200 answers: in the status alone */
    assert_null(p);
    assert_int_equal(found, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    FAILS(NOT_FOUND, cuGetProcAddress("cuNothing", &p, 13000, 0, NULL));
    OK(cuGetProcAddress("cuMemAllocAsync", &p, 10000, 0, &found));
    assert_int_equal(found, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
    void *q;
    OK(cuGetProcAddress("cuLaunchKernel", &p, 13000, 0, &found));
    OK(cuGetProcAddress("cuLaunchKernel", &q, 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, &found));
    assert_ptr_not_equal(p, q);
}

static void forked_child(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        int n;
        _exit(cuInit(0) == CUDA_ERROR_NOT_INITIALIZED && cuDeviceGetCount(&n) == CUDA_ERROR_NOT_INITIALIZED
                  ? 0
                  : 1);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest first[] = {cmocka_unit_test(before_init)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices),
        cmocka_unit_test(error_names),
        cmocka_unit_test(context_stack),
        cmocka_unit_test(destroyed_context),
        cmocka_unit_test(contexts_belong_to_threads),
        cmocka_unit_test(primary_context),
        cmocka_unit_test(limits),
        cmocka_unit_test(peers),
        cmocka_unit_test(allocation),
        cmocka_unit_test(pointer_attributes),
        cmocka_unit_test(registered_memory),
        cmocka_unit_test(copies),
        cmocka_unit_test(strided_copies),
        cmocka_unit_test(fills),
        cmocka_unit_test(pools),
        cmocka_unit_test(virtual_memory),
        cmocka_unit_test(modules),
        cmocka_unit_test(bad_images),
        cmocka_unit_test(function_attributes),
        cmocka_unit_test(libraries),
        cmocka_unit_test(launch_checks),
        cmocka_unit_test(streams_are_asynchronous),
        cmocka_unit_test(legacy_stream_orders),
        cmocka_unit_test(events),
        cmocka_unit_test(pageable_source_is_staged),
        cmocka_unit_test(entry_points_by_name),
        cmocka_unit_test(forked_child),
    };
    int failed = cmocka_run_group_tests_name("before", first, NULL, NULL);
    return failed + cmocka_run_group_tests_name("driver", tests, setup, teardown);
}
