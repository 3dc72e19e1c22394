/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime library on our own driver library: errors, the stack of launch configurations, registration of
 * a fat binary that is written here byte by byte, launches, symbols, copies, fills, streams and events. */
#pragma GCC diagnostic ignored                                                                               \
    "-Wpedantic" /* function pointers as const void *, as the runtime API has them */

#include "base/base.h"

#include <cuda_runtime_api.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define OK(expr) assert_int_equal((expr), cudaSuccess)

static const char ptx[] = ".version 7.0\n"
                          ".target sm_70\n"
                          ".address_size 64\n"
                          ".visible .global .align 4 .u32 table[4] = {1, 2, 3, 4};\n"
                          ".visible .entry add(.param .u64 out, .param .u32 value)\n"
                          "{\n"
                          "  .reg .b32 %r<8>;\n"
                          "  .reg .b64 %rd<6>;\n"
                          "  ld.param.u64 %rd1, [out];\n"
                          "  ld.param.u32 %r1, [value];\n"
                          "  mov.u32 %r2, %ctaid.x;\n"
                          "  mov.u32 %r3, %ntid.x;\n"
                          "  mov.u32 %r4, %tid.x;\n"
                          "  mad.lo.s32 %r5, %r2, %r3, %r4;\n"
                          "  cvta.to.global.u64 %rd2, %rd1;\n"
                          "  mul.wide.u32 %rd3, %r5, 4;\n"
                          "  add.s64 %rd4, %rd2, %rd3;\n"
                          "  add.s32 %r6, %r5, %r1;\n"
                          "  st.global.u32 [%rd4], %r6;\n"
                          "  ret;\n"
                          "}\n";

/* The container that nvcc embeds, with one uncompressed PTX entry. */
static struct {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t bytes;
    struct {
        uint16_t kind, unknown;
        uint32_t header_bytes;
        uint64_t payload_bytes;
        uint32_t compressed_bytes, options;
        uint16_t minor, major;
        uint32_t sm, name, name_bytes;
        uint64_t flags, reserved, whole_bytes;
    } entry;
    char payload[(sizeof(ptx) + 7) / 8 * 8];
} container = {
    .magic = 0xBA55ED50,
    .version = 1,
    .header_bytes = 16,
    .bytes = sizeof(container) - 16,
    .entry = {.kind = 1,
              .unknown = 0x0101,
              .header_bytes = 0x40,
              .payload_bytes = sizeof(container.payload),
              .major = 7,
              .sm = 70,
              .flags = 0x11},
};
static struct {
    uint32_t magic, version;
    const void *data, *aux;
} wrapper = {0x466243B1, 1, &container, NULL};

static void **handle;
static int shadow[4]; /* stands for `table` on the host */
static void add_stub(void) {}
static void missing_stub(void) {}

static int set_up(void **state)
{
    (void)state;
    memcpy(container.payload, ptx, sizeof(ptx));
    handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, (const char *)add_stub, "add", "add", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, (const char *)missing_stub, "no", "no", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterVar(handle, (char *)shadow, "table", "table", 0, sizeof(shadow), 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    __cudaUnregisterFatBinary(handle);
    return 0;
}

static void test_error_names(void **state)
{
    (void)state;
    assert_string_equal(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
    assert_string_equal(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
    assert_string_equal(cudaGetErrorString((cudaError_t)424242), "unrecognized error code");
}

static void test_last_error(void **state)
{
    (void)state;
    OK(cudaGetLastError());
    assert_int_equal(cudaSetDevice(-1), cudaErrorInvalidDevice);
    OK(cudaFree(NULL)); /* a success in between does not hide it */
    assert_int_equal(cudaPeekAtLastError(), cudaErrorInvalidDevice);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidDevice);
    OK(cudaGetLastError());
    assert_int_equal(cudaMemcpy(shadow, shadow, 4, (enum cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidMemcpyDirection);
}

static void test_configurations_nest(void **state)
{
    (void)state;
    dim3 grid, block;
    size_t shared = 0;
    cudaStream_t stream = NULL;
    dim3 a = {1, 2, 3}, b = {4, 5, 6};
    assert_int_equal(__cudaPushCallConfiguration(a, b, 7, NULL), 0);
    assert_int_equal(__cudaPushCallConfiguration(b, a, 8, cudaStreamPerThread), 0);
    OK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    assert_int_equal(grid.z, 6);
    assert_int_equal(shared, 8);
    assert_ptr_equal(stream, cudaStreamPerThread);
    OK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    assert_int_equal(grid.z, 3);
    assert_int_equal(block.x, 4);
    assert_int_equal(__cudaPopCallConfiguration(&grid, &block, &shared, &stream),
                     cudaErrorMissingConfiguration);
    assert_int_equal(cudaGetLastError(), cudaErrorMissingConfiguration);
}

static void test_devices(void **state)
{
    (void)state;
    int count = 0, device = -1, value = 0;
    OK(cudaGetDeviceCount(&count));
    assert_true(count >= 1);
    OK(cudaGetDevice(&device));
    assert_int_equal(device, 0);
    struct cudaDeviceProp prop;
    OK(cudaGetDeviceProperties(&prop, 0));
    assert_true(strlen(prop.name) > 0);
    assert_int_equal(prop.warpSize, 32);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    assert_int_equal(value, prop.multiProcessorCount);
    assert_int_equal(cudaGetDeviceProperties(&prop, count), cudaErrorInvalidDevice);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidDevice);
    OK(cudaRuntimeGetVersion(&value));
    assert_int_equal(value, 13000);
}

static void test_launch(void **state)
{
    (void)state;
    enum { N = 256 };
    int *out = NULL, host[N];
    unsigned value = 5;
    OK(cudaMalloc((void **)&out, sizeof(host)));
    void *args[] = {&out, &value};
    dim3 grid = {4, 1, 1}, block = {64, 1, 1}, none = {0, 1, 1};
    OK(cudaLaunchKernel((const void *)add_stub, grid, block, args, 0, NULL));
    OK(cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        assert_int_equal(host[i], i + 5);
    cudaKernel_t kernel = NULL;
    value = 7;
    OK(__cudaGetKernel(&kernel, (const void *)add_stub));
    OK(__cudaLaunchKernel(kernel, grid, block, args, 0, NULL));
    OK(cudaMemcpy(host, out, sizeof(host), cudaMemcpyDefault));
    assert_int_equal(host[N - 1], N - 1 + 7);
    assert_int_equal(cudaLaunchKernel((const void *)add_stub, none, block, args, 0, NULL),
                     cudaErrorInvalidValue);
    assert_int_equal(cudaLaunchKernel((const void *)missing_stub, grid, block, args, 0, NULL),
                     cudaErrorInvalidDeviceFunction);
    assert_int_equal(cudaLaunchKernel((const void *)host, grid, block, args, 0, NULL),
                     cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidResourceHandle);
    OK(cudaFree(out));
}

static void test_function(void **state)
{
    (void)state;
    struct cudaFuncAttributes attributes;
    OK(cudaFuncGetAttributes(&attributes, (const void *)add_stub));
    assert_true(attributes.maxThreadsPerBlock >= 256);
    assert_int_equal(attributes.sharedSizeBytes, 0);
    int blocks = 0;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)add_stub, 256, 0));
    assert_true(blocks >= 1);
}

static void test_symbols(void **state)
{
    (void)state;
    int host[4] = {0}, more[2] = {30, 40};
    size_t bytes = 0;
    void *address = NULL;
    OK(cudaMemcpyFromSymbol(host, shadow, sizeof(host), 0, cudaMemcpyDeviceToHost));
    assert_int_equal(host[3], 4);
    OK(cudaMemcpyToSymbol(shadow, more, sizeof(more), 8, cudaMemcpyHostToDevice));
    OK(cudaMemcpyFromSymbol(host, shadow, sizeof(host), 0, cudaMemcpyDeviceToHost));
    assert_int_equal(host[1], 2);
    assert_int_equal(host[3], 40);
    OK(cudaGetSymbolSize(&bytes, shadow));
    assert_int_equal(bytes, 16);
    OK(cudaGetSymbolAddress(&address, shadow));
    assert_non_null(address);
    assert_int_equal(cudaMemcpyToSymbol(shadow, more, 8, 12, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    assert_int_equal(cudaGetSymbolSize(&bytes, host), cudaErrorInvalidSymbol);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidSymbol);
}

static void test_copies_2d_3d(void **state)
{
    (void)state;
    enum { W = 5, H = 3, D = 2 };
    unsigned char host[D][H][W], back[D][H][W];
    for (int i = 0; i < D * H * W; i++)
        ((unsigned char *)host)[i] = (unsigned char)(i + 1);
    void *flat = NULL;
    size_t pitch = 0;
    OK(cudaMallocPitch(&flat, &pitch, W, H));
    assert_true(pitch >= W);
    OK(cudaMemcpy2D(flat, pitch, host, W, W, H, cudaMemcpyHostToDevice));
    memset(back, 0, sizeof(back));
    OK(cudaMemcpy2D(back, W, flat, pitch, W, H, cudaMemcpyDeviceToHost));
    assert_memory_equal(back[0], host[0], (size_t)W * H);
    assert_int_equal(cudaMemcpy2D(back, W - 1, flat, pitch, W, H, cudaMemcpyDeviceToHost),
                     cudaErrorInvalidPitchValue);
    struct cudaPitchedPtr cube;
    struct cudaExtent extent = {W, H, D};
    OK(cudaMalloc3D(&cube, extent));
    struct cudaMemcpy3DParms in = {
        .srcPtr = {host, W, W, H}, .dstPtr = cube, .extent = extent, .kind = cudaMemcpyHostToDevice};
    OK(cudaMemcpy3D(&in));
    OK(cudaMemset3D(cube, 9, (struct cudaExtent){2, 1, D}));
    struct cudaMemcpy3DParms out = {
        .srcPtr = cube, .dstPtr = {back, W, W, H}, .extent = extent, .kind = cudaMemcpyDeviceToHost};
    OK(cudaMemcpy3D(&out));
    assert_int_equal(back[1][0][1], 9);
    assert_int_equal(back[1][0][2], host[1][0][2]);
    assert_int_equal(back[1][2][4], host[1][2][4]);
    OK(cudaFree(cube.ptr));
    OK(cudaFree(flat));
    (void)cudaGetLastError();
}

static void test_memory_rules(void **state)
{
    (void)state;
    void *pointer = &pointer, *pinned = NULL, *device = NULL;
    OK(cudaMalloc(&pointer, 0));
    assert_null(pointer);
    OK(cudaFree(NULL));
    OK(cudaMallocManaged(&pointer, 0, cudaMemAttachGlobal));
    assert_null(pointer);
    assert_int_equal(cudaMalloc(NULL, 4), cudaErrorInvalidValue);
    OK(cudaHostAlloc(&pinned, 64, cudaHostAllocMapped));
    OK(cudaHostGetDevicePointer(&device, pinned, 0));
    struct cudaPointerAttributes attributes;
    OK(cudaPointerGetAttributes(&attributes, pinned));
    assert_int_equal(attributes.type, cudaMemoryTypeHost);
    OK(cudaMalloc(&pointer, 64));
    OK(cudaPointerGetAttributes(&attributes, pointer));
    assert_int_equal(attributes.type, cudaMemoryTypeDevice);
    assert_int_equal(attributes.device, 0);
    OK(cudaPointerGetAttributes(&attributes, &attributes));
    assert_int_equal(attributes.type, cudaMemoryTypeUnregistered);
    OK(cudaMemset(pointer, 1, 64));
    OK(cudaFree(pointer));
    OK(cudaFreeHost(pinned));
    (void)cudaGetLastError();
}

static void counted(void *user)
{
    ++*(int *)user;
}

static void called_back(cudaStream_t stream, cudaError_t status, void *user)
{
    (void)stream;
    if (status == cudaSuccess) ++*(int *)user;
}

static void test_streams_and_events(void **state)
{
    (void)state;
    cudaStream_t stream = NULL;
    cudaEvent_t start = NULL, end = NULL;
    int calls = 0;
    float ms = -1;
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaEventCreate(&start));
    OK(cudaEventCreateWithFlags(&end, cudaEventDefault));
    OK(cudaEventRecord(start, stream));
    OK(cudaLaunchHostFunc(stream, counted, &calls));
    OK(cudaStreamAddCallback(stream, called_back, &calls, 0));
    OK(cudaEventRecord(end, stream));
    OK(cudaEventSynchronize(end));
    OK(cudaStreamSynchronize(stream));
    OK(cudaStreamQuery(stream));
    assert_int_equal(calls, 2);
    OK(cudaEventElapsedTime(&ms, start, end));
    assert_true(ms >= 0);
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(end));
    OK(cudaStreamDestroy(stream));
}

static void test_reset(void **state)
{
    (void)state;
    int *out = NULL, got = 0;
    unsigned value = 3;
    OK(cudaDeviceReset());
    OK(cudaMalloc((void **)&out, sizeof(int)));
    void *args[] = {&out, &value};
    dim3 one = {1, 1, 1};
    OK(cudaLaunchKernel((const void *)add_stub, one, one, args, 0, NULL));
    OK(cudaMemcpy(&got, out, sizeof(got), cudaMemcpyDeviceToHost));
    assert_int_equal(got, 3);
    OK(cudaFree(out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error_names),
        cmocka_unit_test(test_last_error),
        cmocka_unit_test(test_configurations_nest),
        cmocka_unit_test(test_devices),
        cmocka_unit_test(test_launch),
        cmocka_unit_test(test_function),
        cmocka_unit_test(test_symbols),
        cmocka_unit_test(test_copies_2d_3d),
        cmocka_unit_test(test_memory_rules),
        cmocka_unit_test(test_streams_and_events),
        cmocka_unit_test(test_reset),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
