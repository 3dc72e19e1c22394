/* SPDX-License-Identifier: Apache-2.0 */
/* The driver API with kernels that run: launch forms, order.
 */
#include "driver_context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .global .align 4 .u32 total;\n"
    ".visible .const .align 4 .u32 factor = 3;\n"
    ".extern .shared .align 16 .b8 dynamic[];\n"
    /* total += factor * value, once a thread */
    ".visible .entry accumulate(.param .u32 value)\n{\n"
    "    .reg .b32 %r<6>; .reg .b64 %d<2>;\n"
    "    ld.param.u32 %r1, [value]; ld.const.u32 %r2, [factor]; mul.lo.u32 %r3, %r1, %r2;\n"
    "    mov.u64 %d1, total; atom.global.add.u32 %r4, [%d1], %r3; ret;\n}\n"
    /* out[i] = n - i, through dynamic shared memory */
    ".visible .entry reverse(.param .u64 out, .param .u32 n)\n{\n"
    "    .reg .b32 %r<9>; .reg .b64 %d<4>;\n"
    "    ld.param.u64 %d1, [out]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; mov.u32 %r3, dynamic;\n"
    "    shl.b32 %r4, %r2, 2; add.u32 %r5, %r3, %r4; st.shared.u32 [%r5], %r2; bar.sync 0;\n"
    "    sub.u32 %r6, %r1, %r2; sub.u32 %r6, %r6, 1; shl.b32 %r7, %r6, 2; add.u32 %r7, %r3, %r7;\n"
    "    ld.shared.u32 %r8, [%r7]; mul.wide.u32 %d2, %r2, 4; add.u64 %d3, %d1, %d2; st.global.u32 [%d3], "
    "%r8;\n"
    "    ret;\n}\n";

static CUmodule module;

static int setup(void **state)
{
    driver_context_open(state);
    module = driver_module(ptx);
    return 0;
}

static int teardown(void **state)
{
    return driver_context_close(state);
}

static CUfunction kernel(const char *name)
{
    return driver_kernel(module, name);
}

static void symbols_and_order(void **state)
{
    (void)state;
    CUdeviceptr total, factor;
    unsigned value = 2, sum = 0, zero = 0, five = 5;
    void *params[] = {&value};
    OK(cuModuleGetGlobal(&total, NULL, module, "total"));
    OK(cuModuleGetGlobal(&factor, NULL, module, "factor"));
    OK(cuMemcpyHtoD(total, &zero, 4));
    OK(cuLaunchKernel(kernel("accumulate"), 10, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
    value = 100; /* parameters were read by the launch */
    OK(cuMemcpyHtoD(factor, &five, 4));
    value = 1;
    OK(cuLaunchKernel(kernel("accumulate"), 1, 1, 1, 10, 1, 1, 0, NULL, params, NULL));
    OK(cuMemcpyDtoH(&sum, total, 4));
    assert_int_equal(sum, 10 * 64 * 2 * 3 + 10 * 1 * 5);
}

static void dynamic_shared_and_extra(void **state)
{
    (void)state;
    CUdeviceptr out;
    int host[128];
    OK(cuMemAlloc(&out, sizeof host));
    struct {
        CUdeviceptr out;
        unsigned n;
    } buffer = {out, 128};
    size_t bytes = sizeof buffer;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                     CU_LAUNCH_PARAM_END};
    OK(cuLaunchKernel(kernel("reverse"), 1, 1, 1, 128, 1, 1, sizeof host, NULL, NULL, extra));
    OK(cuMemcpyDtoH(host, out, sizeof host));
    for (int i = 0; i < 128; i++)
        assert_int_equal(host[i], 127 - i);
    bytes = sizeof buffer + 8;
    FAILS(LAUNCH_OUT_OF_RESOURCES,
          cuLaunchKernel(kernel("reverse"), 1, 1, 1, 128, 1, 1, sizeof host, NULL, NULL, extra));
    OK(cuMemFree(out));
}

static void launch_by_kernel_handle(void **state)
{
    (void)state;
    CUlibrary library;
    CUkernel handle;
    CUdeviceptr total;
    unsigned value = 7, sum;
    void *params[] = {&value};
    OK(cuLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryGetKernel(&handle, library, "accumulate"));
    CUlaunchConfig config = {
        .gridDimX = 2, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 3, .blockDimY = 1, .blockDimZ = 1};
    OK(cuLaunchKernelEx(&config, (CUfunction)handle, params, NULL));
    OK(cuLibraryGetGlobal(&total, NULL, library, "total"));
    OK(cuMemcpyDtoH(&sum, total, 4));
    assert_int_equal(sum, 6 * 7 * 3);
    OK(cuLibraryUnload(library));
}

/* The launch calls of CUDA 3. */
static void legacy_launch(void **state)
{
    (void)state;
    CUdeviceptr total, factor;
    unsigned sum = 0, zero = 0, three = 3;
    CUfunction accumulate = kernel("accumulate");
    OK(cuModuleGetGlobal(&total, NULL, module, "total"));
    OK(cuModuleGetGlobal(&factor, NULL, module, "factor"));
    OK(cuMemcpyHtoD(total, &zero, 4));
    OK(cuMemcpyHtoD(factor, &three, 4));
    OK(cuFuncSetBlockShape(accumulate, 8, 2, 1));
    OK(cuParamSetSize(accumulate, 4));
    OK(cuParamSeti(accumulate, 0, 11));
    FAILS(INVALID_VALUE, cuParamSeti(accumulate, -1, 11));
    OK(cuLaunchGrid(accumulate, 3, 2));
    OK(cuMemcpyDtoH(&sum, total, 4));
    assert_int_equal(sum, 16 * 6 * 11 * 3);
}

/* Many concurrent streams: each adds to a variable, and one stream waits for their events. */
static void many_streams(void **state)
{
    (void)state;
    enum { STREAMS = 12, EACH = 20 };
    CUstream streams[STREAMS], join;
    CUevent event;
    CUdeviceptr total;
    unsigned value = 1, sum = 0, zero = 0, three = 3;
    CUdeviceptr factor;
    void *params[] = {&value};
    CUfunction accumulate = kernel("accumulate");
    OK(cuModuleGetGlobal(&total, NULL, module, "total"));
    OK(cuModuleGetGlobal(&factor, NULL, module, "factor"));
    OK(cuMemcpyHtoD(total, &zero, 4));
    OK(cuMemcpyHtoD(factor, &three, 4));
    OK(cuStreamCreate(&join, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    for (int i = 0; i < STREAMS; i++) {
        OK(cuStreamCreate(&streams[i], i % 2 ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT));
        for (int k = 0; k < EACH; k++)
            OK(cuLaunchKernel(accumulate, 1, 1, 1, 32, 1, 1, 0, streams[i], params, NULL));
        OK(cuEventRecord(event, streams[i]));
        OK(cuStreamWaitEvent(join, event, 0));
        OK(cuStreamDestroy(streams[i]));
    }
    OK(cuMemcpyDtoHAsync(&sum, total, 4, join));
    assert_int_equal(sum, STREAMS * EACH * 32 * 3);
    OK(cuStreamDestroy(join));
    OK(cuEventDestroy(event));
}

/* A kernel that cannot be compiled fails its launch, not the context; other kernels still run. */
static void unsupported_kernel(void **state)
{
    (void)state;
    static const char mixed[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                                ".visible .entry good() { ret; }\n"
                                ".visible .entry bad() { .reg .b32 %r<2>; frobnicate.u32 %r1, 1; ret; }\n";
    CUmodule other;
    CUfunction good, bad;
    OK(cuModuleLoadData(&other, mixed));
    OK(cuModuleGetFunction(&good, other, "good"));
    OK(cuModuleGetFunction(&bad, other, "bad"));
    FAILS(NOT_SUPPORTED, cuLaunchKernel(bad, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    OK(cuLaunchKernel(good, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    OK(cuCtxSynchronize());
    OK(cuModuleUnload(other));
}

static void timing(void **state)
{
    (void)state;
    CUevent start, end;
    float ms;
    unsigned value = 1;
    void *params[] = {&value};
    OK(cuEventCreate(&start, 0));
    OK(cuEventCreate(&end, 0));
    OK(cuEventRecord(start, NULL));
    OK(cuLaunchKernel(kernel("accumulate"), 100, 1, 1, 256, 1, 1, 0, NULL, params, NULL));
    OK(cuEventRecord(end, NULL));
    OK(cuEventSynchronize(end));
    OK(cuEventElapsedTime(&ms, start, end));
    assert_true(ms > 0);
    OK(cuEventDestroy(start));
    OK(cuEventDestroy(end));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symbols_and_order),
        cmocka_unit_test(dynamic_shared_and_extra),
        cmocka_unit_test(launch_by_kernel_handle),
        cmocka_unit_test(legacy_launch),
        cmocka_unit_test(many_streams),
        cmocka_unit_test(unsupported_kernel),
        cmocka_unit_test(timing),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, setup, teardown);
}
