/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes, pitches, offsets and counts near the limits of their types: sums and products that pass 2^64 are
 * refused as sizes that are too large, and nothing is touched. */
#include "driver_context.h"

#include <stdint.h>

enum { BYTES = 4096 };
static CUdeviceptr a, b;
static char host[BYTES];
static const size_t HUGE_SIZES[] = {
    SIZE_MAX,        SIZE_MAX - 1,     SIZE_MAX - BYTES, SIZE_MAX - BYTES + 1,
    SIZE_MAX / 2,    SIZE_MAX / 2 + 1, (size_t)1 << 62,  SIZE_MAX - ((size_t)1 << 40),
    (size_t)1 << 40, BYTES + 1};
#define EACH_HUGE(size)                                                                                      \
    for (size_t i_ = 0, size; i_ < sizeof HUGE_SIZES / sizeof *HUGE_SIZES && (size = HUGE_SIZES[i_], 1); i_++)

static int setup(void **state)
{
    driver_context_open(state);
    OK(cuMemAlloc(&a, BYTES));
    OK(cuMemAlloc(&b, BYTES));
    return 0;
}

static int teardown(void **state)
{
    OK(cuMemFree(a));
    OK(cuMemFree(b));
    return driver_context_close(state);
}

static void copies_of_one_dimension(void **state)
{
    (void)state;
    EACH_HUGE(size)
    {
        FAILS(INVALID_VALUE, cuMemcpyDtoD(b, a, size));
        FAILS(INVALID_VALUE, cuMemcpyDtoDAsync(b, a, size, NULL));
        FAILS(INVALID_VALUE, cuMemcpyDtoH(host, a, size));
        FAILS(INVALID_VALUE, cuMemcpyHtoD(a, host, size));
        FAILS(INVALID_VALUE, cuMemcpy(b, a, size));
        FAILS(INVALID_VALUE, cuMemcpyPeer(b, NULL, a, NULL, size));
        FAILS(INVALID_VALUE, cuMemcpyDtoD(b + 8, a + 8, size));
    }
    FAILS(INVALID_VALUE, cuMemcpyDtoD(b, a, (size_t)0 - a));
    OK(cuCtxSynchronize());
}

static void copies_of_rows(void **state)
{
    (void)state;
    EACH_HUGE(size)
    {
        CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                           .srcDevice = a,
                           .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                           .dstDevice = b,
                           .WidthInBytes = 8,
                           .Height = 4};
        CUDA_MEMCPY2D wide = c, tall = c, from = c, low = c, apart = c;
        wide.WidthInBytes = size;
        FAILS(INVALID_VALUE, cuMemcpy2D(&wide));
        tall.Height = size;
        FAILS(INVALID_VALUE, cuMemcpy2D(&tall));
        from.srcXInBytes = size, from.srcPitch = 64;
        FAILS(INVALID_VALUE, cuMemcpy2D(&from));
        low.srcY = size, low.srcPitch = 64;
        FAILS(INVALID_VALUE, cuMemcpy2D(&low));
        apart.dstPitch = size;
        FAILS(INVALID_VALUE, cuMemcpy2D(&apart));
    }
}

static void copies_of_layers(void **state)
{
    (void)state;
    EACH_HUGE(size)
    {
        CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                           .srcDevice = a,
                           .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                           .dstDevice = b,
                           .WidthInBytes = 8,
                           .Height = 2,
                           .Depth = 2};
        CUDA_MEMCPY3D deep = c, behind = c, layers = c;
        deep.Depth = size;
        FAILS(INVALID_VALUE, cuMemcpy3D(&deep));
        behind.srcZ = size, behind.srcPitch = 8, behind.srcHeight = 2;
        FAILS(INVALID_VALUE, cuMemcpy3D(&behind));
        layers.dstHeight = size;
        FAILS(INVALID_VALUE, cuMemcpy3D(&layers));
    }
}

static void fills(void **state)
{
    (void)state;
    EACH_HUGE(size)
    {
        FAILS(INVALID_VALUE, cuMemsetD8(a, 1, size));
        FAILS(INVALID_VALUE, cuMemsetD32(a, 1, size));
        FAILS(INVALID_VALUE, cuMemsetD32Async(a, 1, size, NULL));
        FAILS(INVALID_VALUE, cuMemsetD2D8(a, 64, 1, 8, size));
        FAILS(INVALID_VALUE, cuMemsetD2D8(a, size, 1, 8, 3));
        FAILS(INVALID_VALUE, cuMemsetD2D32(a, 64, 1, size, 2));
    }
    OK(cuCtxSynchronize());
}

static void fill_nodes(void **state)
{
    (void)state;
    CUgraph graph;
    CUgraphNode node;
    OK(cuGraphCreate(&graph, 0));
    EACH_HUGE(size)
    {
        CUDA_MEMSET_NODE_PARAMS p = {.dst = a, .elementSize = 4, .width = 2, .height = 2, .pitch = 64};
        CUDA_MEMSET_NODE_PARAMS wide = p, tall = p, apart = p;
        wide.width = size, wide.height = 1;
        FAILS(INVALID_VALUE, cuGraphAddMemsetNode(&node, graph, NULL, 0, &wide, context));
        tall.height = size;
        FAILS(INVALID_VALUE, cuGraphAddMemsetNode(&node, graph, NULL, 0, &tall, context));
        apart.pitch = size & ~(size_t)3;
        if (apart.pitch <= BYTES - 8) continue;
        FAILS(INVALID_VALUE, cuGraphAddMemsetNode(&node, graph, NULL, 0, &apart, context));
    }
    OK(cuGraphDestroy(graph));
}

/* A product of pitch and height, or of width and bytes of a texel, that is small again modulo 2^64. */
static void products_that_wrap(void **state)
{
    (void)state;
    CUgraph graph;
    CUgraphNode node;
    CUDA_MEMSET_NODE_PARAMS p = {
        .dst = a, .elementSize = 4, .width = ((size_t)1 << 62) + 2, .height = 1, .pitch = 64};
    OK(cuGraphCreate(&graph, 0));
    FAILS(INVALID_VALUE, cuGraphAddMemsetNode(&node, graph, NULL, 0, &p, context));
    OK(cuGraphDestroy(graph));
    CUtexObject texture;
    CUDA_RESOURCE_DESC from = {.resType = CU_RESOURCE_TYPE_PITCH2D};
    from.res.pitch2D.devPtr = a;
    from.res.pitch2D.format = CU_AD_FORMAT_FLOAT;
    from.res.pitch2D.numChannels = 1;
    from.res.pitch2D.width = 4;
    from.res.pitch2D.pitchInBytes = 64;
    from.res.pitch2D.height = ((size_t)1 << 58) + 1;
    CUDA_TEXTURE_DESC how = {.addressMode = {CU_TR_ADDRESS_MODE_CLAMP}};
    FAILS(INVALID_VALUE, cuTexObjectCreate(&texture, &from, &how, NULL));
    CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                       .srcDevice = a,
                       .srcPitch = (size_t)1 << 62,
                       .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                       .dstDevice = b,
                       .dstPitch = (size_t)1 << 62,
                       .WidthInBytes = 8,
                       .Height = 5};
    FAILS(INVALID_VALUE, cuMemcpy2D(&c)); /* four pitches are 2^64 */
}

/* Access to a range of 2^63 bytes is refused at once, not after a search. */
static void ranges_of_virtual_memory(void **state)
{
    (void)state;
    enum { GRANULE = 2 << 20 };
    CUdeviceptr at;
    CUmemGenericAllocationHandle chunk;
    CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
    CUmemAccessDesc access = {.location = prop.location, .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    const size_t whole = ~(size_t)(GRANULE - 1);
    OK(cuMemCreate(&chunk, GRANULE, &prop, 0));
    OK(cuMemAddressReserve(&at, GRANULE, 0, 0, 0));
    OK(cuMemMap(at, GRANULE, 0, chunk, 0));
    FAILS(INVALID_VALUE, cuMemSetAccess(at, whole, &access, 1));
    FAILS(INVALID_VALUE, cuMemSetAccess(at, (size_t)1 << 63, &access, 1));
    FAILS(INVALID_VALUE, cuMemSetAccess(at, (size_t)0 - at, &access, 1));
    FAILS(INVALID_VALUE, cuMemUnmap(at, whole));
    FAILS(INVALID_VALUE, cuMemAddressFree(at, whole));
    OK(cuMemSetAccess(at, GRANULE, &access, 1));
    FAILS(INVALID_VALUE, cuMemsetD8(at, 1, SIZE_MAX));
    OK(cuMemUnmap(at, GRANULE));
    OK(cuMemAddressFree(at, GRANULE));
    OK(cuMemRelease(chunk));
}

static void ranges_of_managed_memory(void **state)
{
    (void)state;
    CUdeviceptr at;
    const CUmemLocation where = {.type = CU_MEM_LOCATION_TYPE_DEVICE};
    OK(cuMemAllocManaged(&at, BYTES, CU_MEM_ATTACH_GLOBAL));
    EACH_HUGE(size)
    {
        int value;
        FAILS(INVALID_VALUE, cuMemAdvise(at, size, CU_MEM_ADVISE_SET_READ_MOSTLY, where));
        FAILS(INVALID_VALUE, cuMemPrefetchAsync(at, size, where, 0, NULL));
        FAILS(INVALID_VALUE,
              cuMemRangeGetAttribute(&value, sizeof value, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, at, size));
    }
    OK(cuMemFree(at));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies_of_one_dimension),
                                       cmocka_unit_test(copies_of_rows),
                                       cmocka_unit_test(copies_of_layers),
                                       cmocka_unit_test(fills),
                                       cmocka_unit_test(fill_nodes),
                                       cmocka_unit_test(products_that_wrap),
                                       cmocka_unit_test(ranges_of_virtual_memory),
                                       cmocka_unit_test(ranges_of_managed_memory)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
