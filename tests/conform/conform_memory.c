/* SPDX-License-Identifier: Apache-2.0 */
/* Sequences of calls about memory: freed twice, freed by the wrong call, registered twice, mapped over
 * each other. */
#define _GNU_SOURCE
#include "conform.h"

#include <sys/mman.h>

void conform_frees(void)
{
    CUdeviceptr p, q;
    void *h;
    MUST(cuMemAlloc(&p, 4096));
    ASK(cuMemFree(p));
    ASK(cuMemFree(p));
    ASK(cuMemsetD8(p, 0, 16));
    MUST(cuMemAllocHost(&h, 4096));
    ASK(cuMemFree((CUdeviceptr)(uintptr_t)h));
    ASK(cuMemHostUnregister(h));
    ASK(cuMemFreeHost((char *)h + 64));
    ASK(cuMemFreeHost(h));
    ASK(cuMemFreeHost(h));
    MUST(cuMemAlloc(&p, 4096));
    ASK(cuMemFreeHost((void *)(uintptr_t)p));
    ASK(cuMemFreeAsync(p, NULL));
    ASK(cuMemFree(p));
    MUST(cuMemAllocManaged(&p, 4096, CU_MEM_ATTACH_GLOBAL));
    ASK(cuMemFreeHost((void *)(uintptr_t)p));
    ASK(cuMemFreeAsync(p, NULL));
    ASK(cuMemFree(p));
    MUST(cuMemAllocAsync(&p, 4096, NULL));
    MUST(cuMemAllocAsync(&q, 4096, NULL));
    ASK(cuMemFree(p));
    ASK(cuMemFree(p));
    ASK(cuMemFreeAsync(q, NULL));
    ASK(cuMemFreeAsync(q, NULL));
    ASK(cuCtxSynchronize());
    MUST(cuMemAllocPitch(&p, &(size_t){0}, 100, 10, 4));
    ASK(cuMemFree(p));
    ASK(cuMemcpyDtoD(p, p, 16));
}

void conform_registrations(void)
{
    char *page = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned flags = 77;
    CUdeviceptr p = 0;
    ASK(cuMemHostRegister(page, 1 << 16, 0));
    ASK(cuMemHostRegister(page, 1 << 16, 0));
    ASK(cuMemHostRegister(page + 4096, 4096, 0));
    ASK(cuMemHostRegister(page, 1 << 17, 0));
    ASK(cuMemHostRegister(page + (1 << 16), 100, 0));
    ASK(cuMemHostUnregister(page + 4096));
    ASK(cuMemFreeHost(page));
    ASK(cuMemHostGetFlags(&flags, page));
    TELL("flags", "%u", flags);
    ASK(cuMemHostGetDevicePointer(&p, page + 100, 0));
    TELL("device pointer", "%s", p == (CUdeviceptr)(uintptr_t)(page + 100) ? "the same" : "other");
    ASK(cuMemHostUnregister(page));
    ASK(cuMemHostUnregister(page));
    ASK(cuMemHostGetFlags(&flags, page));
    ASK(cuMemHostGetDevicePointer(&p, page, 0));
    ASK(cuMemHostRegister((void *)(uintptr_t)conform_good("dev"), 4096, 0));
    ASK(cuMemHostRegister((void *)(uintptr_t)conform_good("pinned"), 4096, 0));
    ASK(cuMemHostRegister((void *)(uintptr_t)conform_good("managed"), 4096, 0));
    munmap(page + (1 << 19), 4096);
    ASK(cuMemHostRegister(page + (1 << 19), 4096, 0));
}

void conform_mappings(void)
{
    enum { SIZE = 2 << 20 };
    CUdeviceptr p;
    CUmemGenericAllocationHandle h, again;
    CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    CUmemAccessDesc access = {.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0},
                              .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    unsigned long long flags = 77;
    CUmemLocation location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    MUST(cuMemCreate(&h, 2 * SIZE, &prop, 0));
    MUST(cuMemAddressReserve(&p, 4 * SIZE, 0, 0, 0));
    ASK(cuMemSetAccess(p, SIZE, &access, 1));
    ASK(cuMemGetAccess(&flags, &location, p));
    ASK(cuMemUnmap(p, SIZE));
    ASK(cuMemsetD8(p, 1, 16));
    ASK(cuMemMap(p, 2 * SIZE, 0, h, 0));
    ASK(cuMemMap(p, 2 * SIZE, 0, h, 0));
    ASK(cuMemMap(p + SIZE, 2 * SIZE, 0, h, 0));
    ASK(cuMemMap(p + 2 * SIZE, 2 * SIZE, SIZE, h, 0));
    ASK(cuMemMap(p + 3 * SIZE, 2 * SIZE, 0, h, 0));
    ASK(cuMemMap(p + 2 * SIZE, SIZE, SIZE, h, 0));
    ASK(cuMemGetAccess(&flags, &location, p));
    TELL("access before", "%llu", flags);
    ASK(cuMemsetD8(p, 1, 16));
    ASK(cuMemSetAccess(p, 2 * SIZE, &access, 1));
    ASK(cuMemGetAccess(&flags, &location, p));
    TELL("access after", "%llu", flags);
    ASK(cuMemsetD8(p, 1, 16));
    ASK(cuMemcpyDtoD(p + SIZE, p, 16));
    ASK(cuMemFree(p));
    ASK(cuMemAddressFree(p, 4 * SIZE));
    ASK(cuMemUnmap(p, SIZE));
    ASK(cuMemRetainAllocationHandle(&again, (void *)(uintptr_t)p));
    ASK(cuMemRelease(h));
    ASK(cuMemRelease(h));
    ASK(cuMemRelease(h));
    ASK(cuMemsetD8(p, 1, 16));
    ASK(cuMemUnmap(p, 2 * SIZE));
    ASK(cuMemUnmap(p, 2 * SIZE));
    ASK(cuMemUnmap(p + 2 * SIZE, SIZE));
    ASK(cuMemMap(p, SIZE, 0, h, 0));
    ASK(cuMemAddressFree(p, 2 * SIZE));
    ASK(cuMemAddressFree(p, 4 * SIZE));
    ASK(cuMemAddressFree(p, 4 * SIZE));
}

void conform_pools(void)
{
    CUmemoryPool pool, standard;
    CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                            .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    CUdeviceptr p, q;
    MUST(cuMemPoolCreate(&pool, &props));
    MUST(cuMemAllocFromPoolAsync(&p, 4096, pool, NULL));
    MUST(cuMemAllocFromPoolAsync(&q, 4096, pool, NULL));
    uint64_t used = 77;
    MUST(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
    TELL("used", "%llu", (unsigned long long)used);
    MUST(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &used));
    TELL("reserved", "%llu", (unsigned long long)used);
    used = 1;
    ASK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &used));
    ASK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
    ASK(cuMemPoolTrimTo(pool, 0));
    ASK(cuDeviceSetMemPool(0, pool));
    ASK(cuMemPoolDestroy(pool));
    ASK(cuDeviceGetMemPool(&standard, 0));
    ASK(cuMemAllocAsync(&p, 4096, NULL));
    ASK(cuMemFreeAsync(q, NULL));
    ASK(cuMemAllocFromPoolAsync(&q, 4096, pool, NULL));
    ASK(cuDeviceGetDefaultMemPool(&standard, 0));
    ASK(cuMemPoolDestroy(standard));
    ASK(cuDeviceSetMemPool(0, standard));
}
