/* SPDX-License-Identifier: Apache-2.0 */
/* Sequences of calls that the API fuzzer found (docs/reliability.md), at their shortest: each once crashed,
 * aborted or hung. */
#include "driver_context.h"

#include <cuda_runtime_api.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { BYTES = 4096 };
static const size_t FAR = (size_t)1 << 62;

#define RT_OK(call)           assert_int_equal(call, cudaSuccess)
#define RT_FAILS(error, call) assert_int_equal(call, cudaError##error)

static void fills_without_slices_end(void **state)
{
    (void)state;
    CUdeviceptr a;
    OK(cuMemAlloc(&a, BYTES));
    void *at = (void *)(uintptr_t)a;
    RT_OK(cudaMemset3D((struct cudaPitchedPtr){at, 64, 8, 8}, 1, (struct cudaExtent){0, 7, FAR}));
    RT_OK(cudaMemset3D((struct cudaPitchedPtr){at, 64, 8, 8}, 1, (struct cudaExtent){7, 0, FAR}));
    RT_OK(cudaMemset3D((struct cudaPitchedPtr){at, 64, 8, 0}, 1, (struct cudaExtent){8, 1, FAR}));
    RT_FAILS(InvalidValue,
             cudaMemset3D((struct cudaPitchedPtr){at, FAR, 8, 8}, 1, (struct cudaExtent){8, 1, 64}));
    OK(cuMemFree(a));
}

/* The kind says host memory, the address is one of ours that was freed or never was memory. */
static void freed_memory_is_no_host_memory(void **state)
{
    (void)state;
    static char host[BYTES];
    CUdeviceptr a;
    OK(cuMemAlloc(&a, BYTES));
    void *at = (void *)(uintptr_t)a, *before = (void *)(uintptr_t)(a - 1);
    RT_FAILS(InvalidValue, cudaMemcpy2D(at, 32, before, 512, 16, 2, cudaMemcpyHostToHost));
    OK(cuMemFree(a));
    RT_FAILS(InvalidValue, cudaMemcpy2D(host, 32, at, 512, 16, 2, cudaMemcpyHostToHost));
    FAILS(INVALID_VALUE, cuMemcpyHtoD(a, at, 16));
}

static void pages_without_access_are_no_memory(void **state)
{
    (void)state;
    CUdeviceptr a;
    OK(cuMemAlloc(&a, BYTES));
    char *closed = mmap(NULL, BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(closed != MAP_FAILED);
    FAILS(INVALID_VALUE, cuMemcpy(a, (uintptr_t)closed, 16));
    FAILS(INVALID_VALUE, cuMemHostRegister(closed, BYTES, 0));
    assert_int_equal(munmap(closed, BYTES), 0);
    OK(cuMemFree(a));
}

/* A batch keeps what it reads in the call; the host has no memory for it. The sanitizers' own allocators end
 * the process there. */
static void batches_without_memory(void **state)
{
    (void)state;
#if defined __SANITIZE_THREAD__ || defined __SANITIZE_ADDRESS__
    skip();
#endif
    CUdeviceptr a, b;
    size_t bytes = (size_t)64 << 20, first = 0;
    OK(cuMemAlloc(&a, bytes));
    OK(cuMemAlloc(&b, bytes));
    CUstream stream;
    OK(cuStreamCreate(&stream, 0));
    CUmemcpyAttributes how = {.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL};
    struct rlimit before, none = {0};
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    none.rlim_max = before.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_AS, &none), 0);
    CUresult result = cuMemcpyBatchAsync(&b, &a, &bytes, 1, &how, &first, 1, stream);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_int_equal(result, CUDA_ERROR_OUT_OF_MEMORY);
    OK(cuStreamDestroy(stream));
    OK(cuMemFree(a));
    OK(cuMemFree(b));
}

/* An H200 takes rows that end outside of the memory (tests/textures/h200/linear.txt); sizes that wrap it does
 * not.
 */
static void rows_of_textures_are_counted(void **state)
{
    (void)state;
    CUdeviceptr a;
    CUtexObject texture;
    CUDA_TEXTURE_DESC how = {.maxAnisotropy = 1};
    CUDA_RESOURCE_DESC of = {.resType = CU_RESOURCE_TYPE_PITCH2D};
    OK(cuMemAlloc(&a, BYTES));
    of.res.pitch2D.devPtr = a;
    of.res.pitch2D.format = CU_AD_FORMAT_FLOAT;
    of.res.pitch2D.numChannels = 1;
    of.res.pitch2D.pitchInBytes = 256;
    of.res.pitch2D.height = 16;
    static const size_t WIDE[] = {(size_t)1 << 32, ((size_t)1 << 32) + 1, FAR, SIZE_MAX};
    for (size_t i = 0; i < sizeof WIDE / sizeof *WIDE; i++) {
        of.res.pitch2D.width = WIDE[i];
        FAILS(INVALID_VALUE, cuTexObjectCreate(&texture, &of, &how, NULL));
    }
    for (of.res.pitch2D.width = 0; of.res.pitch2D.width <= 64; of.res.pitch2D.width += 64) {
        OK(cuTexObjectCreate(&texture, &of, &how, NULL));
        OK(cuTexObjectDestroy(texture));
    }
    of.res.pitch2D.width = 65; /* rows overlap, and the last ends outside */
    OK(cuTexObjectCreate(&texture, &of, &how, NULL));
    OK(cuTexObjectDestroy(texture));
    OK(cuMemFree(a));
}

/* Pages that a stream waits for are unmapped meanwhile: it ends with an error. */
static void waits_for_memory_that_goes(void **state)
{
    (void)state;
    enum { PAGES = 2 << 20 };
    CUmemAllocationProp what = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemGenericAllocationHandle pages;
    CUdeviceptr a;
    CUcontext own, before;
    CUstream stream;
    OK(cuCtxGetCurrent(&before));
    OK(cuCtxCreate(&own, NULL, 0, 0));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuMemCreate(&pages, PAGES, &what, 0));
    OK(cuMemAddressReserve(&a, PAGES, 0, 0, 0));
    OK(cuMemMap(a, PAGES, 0, pages, 0));
    OK(cuMemSetAccess(a, PAGES, &access, 1));
    OK(cuStreamWaitValue32(stream, a, 7, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuCtxSetCurrent(before));
    OK(cuMemUnmap(a, PAGES));
    FAILS(ILLEGAL_ADDRESS, cuStreamSynchronize(stream));
    OK(cuMemAddressFree(a, PAGES));
    OK(cuMemRelease(pages));
    (void)cuCtxDestroy(own);
}

/* CUDA asks no alignment of where results go; found by the undefined-behaviour sanitizer. */
static void results_may_be_unaligned(void **state)
{
    (void)state;
    unsigned char bytes[1 + sizeof(cuuint64_t)] = {0};
    cuuint64_t value, threshold = 0x123456789ab;
    CUdeviceptr a;
    CUmemoryPool pool;
    OK(cuMemAlloc(&a, 4096));
    OK(cuPointerGetAttribute(bytes + 1, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, a));
    memcpy(&value, bytes + 1, sizeof value);
    assert_int_equal(value, a);
    OK(cuDeviceGetDefaultMemPool(&pool, 0));
    memcpy(bytes + 1, &threshold, sizeof threshold);
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, bytes + 1));
    memset(bytes, 0, sizeof bytes);
    OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, bytes + 1));
    memcpy(&value, bytes + 1, sizeof value);
    assert_int_equal(value, threshold);
    OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, bytes + 1));
    memcpy(&value, bytes + 1, sizeof value);
    assert_int_equal(value, 0);
    OK(cuMemFree(a));
}

int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills_without_slices_end),
        cmocka_unit_test(freed_memory_is_no_host_memory),
        cmocka_unit_test(pages_without_access_are_no_memory),
        cmocka_unit_test(batches_without_memory),
        cmocka_unit_test(rows_of_textures_are_counted),
        cmocka_unit_test(results_may_be_unaligned),
        cmocka_unit_test(waits_for_memory_that_goes), /* last: the error stays */
    };
    return cmocka_run_group_tests(tests, driver_context_open, driver_context_close);
}
