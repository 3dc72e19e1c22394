/* SPDX-License-Identifier: Apache-2.0 */
/* Green contexts, beyond the queries that tests/conform compares with H200s: kernels of their streams
 * run on their multiprocessors only, they share memory and modules with the primary context, events order
 * work of both, and nothing leaks. */
#include "driver_checks.h"

/* Each block stores %smid and %nsmid. */
static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry where(.param .u64 at)\n{\n"
    "    .reg .b64 %d<4>; .reg .b32 %r<4>; ld.param.u64 %d1, [at]; mov.u32 %r1, %ctaid.x;\n"
    "    mul.wide.u32 %d2, %r1, 8; add.u64 %d3, %d1, %d2; mov.u32 %r2, %smid; mov.u32 %r3, "
    "%nsmid;\n"
    "    st.global.v2.u32 [%d3], {%r2, %r3}; ret;\n}\n";

enum { BLOCKS = 512, PART = 16 };
static CUcontext primary;
static CUmodule module;
static CUfunction where;
static CUdeviceptr memory;
static CUgreenCtx green;
static CUstream stream;

static int setup(void **state)
{
    CUdevResource all, parts[2];
    CUdevResourceDesc desc;
    unsigned count = 2;
    (void)state;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&primary, 0));
    OK(cuCtxSetCurrent(primary));
    OK(cuModuleLoadData(&module, ptx));
    OK(cuModuleGetFunction(&where, module, "where"));
    OK(cuMemAlloc(&memory, BLOCKS * 8));
    OK(cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM));
    OK(cuDevSmResourceSplitByCount(parts, &count, &all, NULL, 0, PART));
    OK(cuDevResourceGenerateDesc(&desc, parts, 1));
    OK(cuGreenCtxCreate(&green, desc, 0, CU_GREEN_CTX_DEFAULT_STREAM));
    OK(cuGreenCtxStreamCreate(&stream, green, CU_STREAM_NON_BLOCKING, 0));
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    OK(cuStreamDestroy(stream));
    OK(cuGreenCtxDestroy(green));
    OK(cuCtxSetCurrent(primary));
    OK(cuMemFree(memory));
    OK(cuModuleUnload(module));
    OK(cuDevicePrimaryCtxRelease(0));
    return 0;
}

static void run(CUstream in, uint32_t *most, uint32_t *count)
{
    static uint32_t got[BLOCKS][2];
    void *params[] = {&memory};
    OK(cuLaunchKernel(where, BLOCKS, 1, 1, 32, 1, 1, 0, in, params, NULL));
    OK(cuStreamSynchronize(in));
    OK(cuMemcpyDtoH(got, memory, sizeof got));
    *most = 0;
    *count = got[0][1];
    for (int i = 0; i < BLOCKS; i++)
        if (got[i][0] > *most) *most = got[i][0];
}

static void multiprocessors(void **state)
{
    uint32_t most, count;
    CUcontext converted;
    CUstream of_current;
    (void)state;
    run(stream, &most, &count);
    assert_int_equal(count, PART);
    assert_int_equal(most, PART - 1);
    run(NULL, &most, &count);
    assert_int_equal(count, 132);
    FAILS(INVALID_CONTEXT, cuCtxSetCurrent((CUcontext)green)); /* before it is converted */
    OK(cuCtxFromGreenCtx(&converted, green));
    OK(cuCtxSetCurrent(converted));
    OK(cuStreamCreate(&of_current, CU_STREAM_NON_BLOCKING));
    run(of_current, &most, &count);
    assert_int_equal(count, PART);
    run(NULL, &most, &count); /* its own null stream */
    assert_int_equal(count, PART);
    OK(cuStreamDestroy(of_current));
    OK(cuCtxSetCurrent(primary));
}

/* A graph captured on one of its streams runs there too. */
static void graphs(void **state)
{
    uint32_t got[2];
    void *params[] = {&memory};
    CUgraph graph;
    CUgraphExec exec;
    (void)state;
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuLaunchKernel(where, 1, 1, 1, 32, 1, 1, 0, stream, params, NULL));
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemcpyDtoH(got, memory, sizeof got));
    assert_int_equal(got[1], PART);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

static void released(void *flag)
{
    while (!__atomic_load_n((int *)flag, __ATOMIC_ACQUIRE)) {
    }
}

/* A synchronisation of the primary context also waits for its green contexts; events order work of both.
 * */
static void waiting(void **state)
{
    static int flag;
    CUevent event;
    (void)state;
    OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    OK(cuLaunchHostFunc(stream, released, &flag));
    OK(cuGreenCtxRecordEvent(green, event));
    FAILS(NOT_READY, cuEventQuery(event));
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    OK(cuCtxSynchronize());
    OK(cuStreamQuery(stream));
    OK(cuEventQuery(event));
    OK(cuGreenCtxWaitEvent(green, event));
    OK(cuEventDestroy(event));
}

/* Destroying a green context destroys its streams; their handles become invalid, and memory stays. */
static void ends(void **state)
{
    CUgreenCtx second;
    CUstream of_second;
    (void)state;
    OK(cuGreenCtxCreate(&second, NULL, 0, CU_GREEN_CTX_DEFAULT_STREAM));
    OK(cuGreenCtxStreamCreate(&of_second, second, CU_STREAM_NON_BLOCKING, 0));
    OK(cuMemsetD32Async(memory, 5, 1, of_second));
    OK(cuGreenCtxDestroy(second));
    FAILS(CONTEXT_IS_DESTROYED, cuStreamQuery(of_second));
    FAILS(CONTEXT_IS_DESTROYED, cuStreamDestroy(of_second));
    FAILS(CONTEXT_IS_DESTROYED, cuGreenCtxDestroy(second));
    uint32_t got = 0;
    OK(cuMemcpyDtoH(&got, memory, 4));
    assert_int_equal(got, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(multiprocessors), cmocka_unit_test(graphs),
                                       cmocka_unit_test(waiting), cmocka_unit_test(ends)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
