/* SPDX-License-Identifier: Apache-2.0 */
/* Batches of copies, prefetches and discards; launches on several devices at once; clusters of one block. */
#include "driver_context.h"

#include <string.h>
#include <unistd.h>

static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                          ".visible .entry one(.param .u64 p)\n{\n"
                          "    .reg .b64 %d<2>; .reg .b32 %r<2>;\n"
                          "    ld.param.u64 %d1, [p]; atom.global.add.u32 %r1, [%d1], 1;\n"
                          "    ret;\n}\n";
enum { N = 64 };
static CUcontext second;
static CUdeviceptr memory;
static CUstream stream;

static int setup(void **state)
{
    OK(cuInit(0));
    OK(cuCtxCreate(&second, NULL, 0, 1));
    driver_context_open(state);
    OK(cuMemAlloc(&memory, 65536));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    OK(cuCtxDestroy(second));
    return driver_context_close(state);
}

static CUdeviceptr at(const void *host)
{
    return (uintptr_t)host;
}

static void linear_batches(void **state)
{
    (void)state;
    int from[3][N], back[3][N];
    CUdeviceptr to[3], source[3], host[3];
    size_t bytes[3], first[] = {0, 2};
    CUmemcpyAttributes attributes[2] = {{.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL},
                                        {.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM}};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < N; k++)
            from[i][k] = i * 1000 + k;
        to[i] = memory + 4096 * (unsigned)i;
        source[i] = at(from[i]);
        host[i] = at(back[i]);
        bytes[i] = sizeof from[i];
    }
    OK(cuMemsetD32(memory + 60000, 0, 1));
    OK(cuStreamWaitValue32(stream, memory + 60000, 1, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuMemcpyBatchAsync(to, source, bytes, 3, attributes, first, 2, stream));
    memset(from[0], 0, sizeof from[0]); /* was read in the call, though the stream waits */
    OK(cuStreamWriteValue32(NULL, memory + 60000, 1, 0));
    attributes[0].srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_ANY;
    OK(cuMemcpyBatchAsync(host, to, bytes, 3, attributes, first, 1, stream));
    OK(cuStreamSynchronize(stream));
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < N; k++)
            assert_int_equal(back[i][k], i * 1000 + k);
    FAILS(INVALID_VALUE, cuMemcpyBatchAsync(to, source, bytes, 3, attributes, first, 2, NULL));
    FAILS(INVALID_VALUE, cuMemcpyBatchAsync(to, source, bytes, 3, attributes, first, 0, stream));
    first[0] = 1;
    FAILS(INVALID_VALUE, cuMemcpyBatchAsync(to, source, bytes, 3, attributes, first, 1, stream));
    first[0] = 0;
    attributes[0].srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_INVALID;
    FAILS(INVALID_VALUE, cuMemcpyBatchAsync(to, source, bytes, 3, attributes, first, 1, stream));
}

#undef cuMemcpyBatchAsync
CUresult cuMemcpyBatchAsync(CUdeviceptr *, CUdeviceptr *, size_t *, size_t, CUmemcpyAttributes *, size_t *,
                            size_t, size_t *, CUstream);

static void the_older_form_says_which(void **state)
{
    (void)state;
    CUdeviceptr to[] = {memory, memory + 4096}, from[] = {memory + 8192, 0};
    size_t bytes[] = {64, 64}, first = 0, bad = 7;
    CUmemcpyAttributes attributes = {.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM};
    FAILS(INVALID_VALUE, cuMemcpyBatchAsync(to, from, bytes, 2, &attributes, &first, 1, &bad, stream));
    assert_int_equal(bad, 1);
    FAILS(INVALID_VALUE, cuMemcpyBatchAsync(to, from, bytes, 2, &attributes, &first, 3, &bad, stream));
    assert_true(bad == SIZE_MAX);
}

/* host rows -> array -> device, at an offset into the array */
static void boxes(void **state)
{
    (void)state;
    CUarray array;
    CUDA_ARRAY3D_DESCRIPTOR shape = {
        .Width = 16, .Height = 8, .Depth = 4, .Format = CU_AD_FORMAT_UNSIGNED_INT16, .NumChannels = 2};
    unsigned from[2][3][8], back[2][3][5];
    OK(cuArray3DCreate(&array, &shape));
    for (unsigned z = 0; z < 2; z++)
        for (unsigned y = 0; y < 3; y++)
            for (unsigned x = 0; x < 8; x++)
                from[z][y][x] = z << 16 | y << 8 | x;
    CUDA_MEMCPY3D_BATCH_OP op = {.extent = {5, 3, 2}, .srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM};
    op.src.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
    op.src.op.ptr.ptr = at(from);
    op.src.op.ptr.rowLength = 8; /* elements of the array */
    op.dst.type = CU_MEMCPY_OPERAND_TYPE_ARRAY;
    op.dst.op.array.array = array;
    op.dst.op.array.offset = (CUoffset3D){7, 4, 1};
    OK(cuMemcpy3DBatchAsync(1, &op, 0, stream));
    OK(cuStreamSynchronize(stream));
    op.src = op.dst;
    memset(&op.dst, 0, sizeof op.dst);
    op.dst.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
    op.dst.op.ptr.ptr = memory;
    OK(cuMemcpy3DBatchAsync(1, &op, 0, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemcpyDtoH(back, memory, sizeof back));
    for (unsigned z = 0; z < 2; z++)
        for (unsigned y = 0; y < 3; y++)
            for (unsigned x = 0; x < 5; x++)
                assert_int_equal(back[z][y][x], z << 16 | y << 8 | x);
    op.dst.op.ptr.rowLength = 4; /* shorter than the copy */
    FAILS(INVALID_VALUE, cuMemcpy3DBatchAsync(1, &op, 0, stream));
    op.dst.op.ptr.rowLength = 0;
    op.extent.depth = 0;
    FAILS(INVALID_VALUE, cuMemcpy3DBatchAsync(1, &op, 0, stream));
    OK(cuArrayDestroy(array));
}

static void hints(void **state)
{
    (void)state;
    CUdeviceptr managed;
    size_t bytes = 65536, first = 0;
    CUmemLocation location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    OK(cuMemAllocManaged(&managed, bytes, CU_MEM_ATTACH_GLOBAL));
    OK(cuMemPrefetchBatchAsync(&managed, &bytes, 1, &location, &first, 1, 0, stream));
    OK(cuMemDiscardBatchAsync(&managed, &bytes, 1, 0, stream));
    OK(cuMemDiscardAndPrefetchBatchAsync(&managed, &bytes, 1, &location, &first, 1, 0, stream));
    OK(cuMemsetD32Async(managed, 5, 16384, stream));
    OK(cuStreamSynchronize(stream));
    assert_int_equal(((int *)(uintptr_t)managed)[16383], 5);
    FAILS(INVALID_VALUE, cuMemPrefetchBatchAsync(&memory, &bytes, 1, &location, &first, 1, 0, stream));
    FAILS(INVALID_VALUE, cuMemDiscardBatchAsync(&managed, &bytes, 1, 1, stream));
    location.id = 99;
    FAILS(INVALID_DEVICE, cuMemPrefetchBatchAsync(&managed, &bytes, 1, &location, &first, 1, 0, stream));
    OK(cuMemFree(managed));
}

/* ---- several devices */

static CUfunction function_in(CUcontext where)
{
    CUmodule module;
    CUfunction function;
    OK(cuCtxSetCurrent(where));
    OK(cuModuleLoadData(&module, ptx));
    OK(cuModuleGetFunction(&function, module, "one"));
    return function;
}

static void on_several_devices(void **state)
{
    (void)state;
    CUdeviceptr counter = memory + 128;
    void *args[] = {&counter};
    CUstream other;
    CUfunction b = function_in(second), a = function_in(context);
    OK(cuCtxSetCurrent(second));
    OK(cuCtxEnablePeerAccess(context, 0)); /* its kernel counts in the first one's memory */
    OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    OK(cuCtxSetCurrent(context));
    OK(cuMemsetD32(memory, 0, 64));
    CUDA_LAUNCH_PARAMS launches[] = {{a, 4, 1, 1, 32, 1, 1, 0, stream, args},
                                     {b, 4, 1, 1, 32, 1, 1, 0, other, args}};
    OK(cuStreamWaitValue32(stream, memory, 1, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuLaunchCooperativeKernelMultiDevice(launches, 2, 0));
    usleep(20000);
    FAILS(NOT_READY, cuStreamQuery(other)); /* it waits for the first device's stream */
    OK(cuStreamWriteValue32(NULL, memory, 1, 0));
    OK(cuStreamSynchronize(other));
    OK(cuStreamSynchronize(stream));
    int sum;
    OK(cuMemcpyDtoH(&sum, counter, sizeof sum));
    assert_int_equal(sum, 2 * 4 * 32);
    launches[1].gridDimX = 3;
    FAILS(INVALID_VALUE, cuLaunchCooperativeKernelMultiDevice(launches, 2, 0));
    launches[1] = launches[0];
    FAILS(INVALID_DEVICE, cuLaunchCooperativeKernelMultiDevice(launches, 2, 0));
    launches[0].hStream = NULL;
    FAILS(INVALID_VALUE, cuLaunchCooperativeKernelMultiDevice(launches, 1, 0));
    FAILS(INVALID_VALUE, cuLaunchCooperativeKernelMultiDevice(launches, 3, 0));
}

static void clusters(void **state)
{
    (void)state;
    int size = 0, blocks = 0, count = 0, each = 0;
    CUfunction a = function_in(context);
    CUlaunchAttribute attribute = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION};
    CUlaunchConfig config = {64, 1, 1, 128, 1, 1, 0, NULL, &attribute, 1};
    attribute.value.clusterDim.x = attribute.value.clusterDim.y = attribute.value.clusterDim.z = 1;
    OK(cuOccupancyMaxPotentialClusterSize(&size, a, &config));
    assert_true(size >= 1);
    OK(cuOccupancyMaxActiveClusters(&count, a, &config));
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, a, 128, 0));
    OK(cuDeviceGetAttribute(&each, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    assert_int_equal(count, blocks * each);
    config.numAttrs = 0;
    OK(cuOccupancyMaxActiveClusters(&count, a, &config)); /* none given: of one block */
    assert_int_equal(count, blocks * each);
    config.numAttrs = 1;
    attribute.value.clusterDim.x = 3;
    FAILS(INVALID_CLUSTER_SIZE,
          cuOccupancyMaxActiveClusters(&count, a, &config)); /* 64 blocks are no threes */
    config.gridDimX = 0;
    FAILS(INVALID_VALUE, cuOccupancyMaxPotentialClusterSize(&size, a, &config));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(linear_batches),
                                       cmocka_unit_test(the_older_form_says_which),
                                       cmocka_unit_test(boxes),
                                       cmocka_unit_test(hints),
                                       cmocka_unit_test(on_several_devices),
                                       cmocka_unit_test(clusters)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
