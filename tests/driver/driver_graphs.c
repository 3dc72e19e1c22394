/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs made by hand and by stream capture: order, parameters, updates, memory nodes, errors. */
#include "driver_context.h"

#include <string.h>

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    /* p[tid] = p[tid] * factor + tid */
    ".visible .entry scale(.param .u64 p, .param .u32 factor)\n{\n"
    "    .reg .b32 %r<5>; .reg .b64 %d<4>;\n"
    "    ld.param.u64 %d1, [p]; ld.param.u32 %r1, [factor]; mov.u32 %r2, %tid.x; mul.wide.u32 %d2, %r2, 4;\n"
    "    add.u64 %d3, %d1, %d2; ld.global.u32 %r3, [%d3]; mad.lo.u32 %r4, %r3, %r1, %r2; st.global.u32 "
    "[%d3], %r4;\n"
    "    ret;\n}\n";

enum { N = 64 };
static CUfunction scale;
static CUdeviceptr memory;
static int host[N], calls;

static int setup(void **state)
{
    driver_context_open(state);
    scale = driver_kernel(driver_module(ptx), "scale");
    OK(cuMemAlloc(&memory, sizeof host));
    return 0;
}

static void count_call(void *user)
{
    (*(int *)user)++;
}

static CUDA_KERNEL_NODE_PARAMS kernel_params(void **params)
{
    return (CUDA_KERNEL_NODE_PARAMS){.func = scale,
                                     .gridDimX = 1,
                                     .gridDimY = 1,
                                     .gridDimZ = 1,
                                     .blockDimX = N,
                                     .blockDimY = 1,
                                     .blockDimZ = 1,
                                     .kernelParams = params};
}

static void check(int start, int factor)
{
    for (int i = 0; i < N; i++)
        assert_int_equal(host[i], start * factor + i);
}

/* fill -> kernel -> copy back -> host call; added in reverse, so that only the edges determine the order
 * */
static void made_by_hand(void **state)
{
    (void)state;
    CUgraph graph, clone;
    CUgraphNode fill, launch, copy, call, found;
    CUgraphExec exec;
    unsigned factor = 3;
    void *params[] = {&memory, &factor};
    CUDA_KERNEL_NODE_PARAMS kernel = kernel_params(params), asked;
    CUDA_MEMSET_NODE_PARAMS set = {.dst = memory, .value = 5, .elementSize = 4, .width = N, .height = 1};
    CUDA_MEMCPY3D back = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = memory,
                          .dstMemoryType = CU_MEMORYTYPE_HOST,
                          .dstHost = host,
                          .WidthInBytes = sizeof host,
                          .Height = 1,
                          .Depth = 1};
    CUDA_HOST_NODE_PARAMS host_call = {count_call, &calls};
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddHostNode(&call, graph, NULL, 0, &host_call));
    OK(cuGraphAddMemcpyNode(&copy, graph, NULL, 0, &back, context));
    OK(cuGraphAddKernelNode(&launch, graph, NULL, 0, &kernel));
    OK(cuGraphAddMemsetNode(&fill, graph, NULL, 0, &set, context));
    factor = 1000; /* parameters were taken when the node was added */
    CUgraphNode from[] = {fill, launch, copy}, to[] = {launch, copy, call};
    OK(cuGraphAddDependencies(graph, from, to, NULL, 3));
    size_t count = 0;
    OK(cuGraphGetNodes(graph, NULL, &count));
    assert_int_equal(count, 4);
    OK(cuGraphGetEdges(graph, NULL, NULL, NULL, &count));
    assert_int_equal(count, 3);
    count = 1;
    OK(cuGraphGetRootNodes(graph, &found, &count));
    assert_ptr_equal(found, fill);
    OK(cuGraphKernelNodeGetParams(launch, &asked));
    assert_int_equal(*(unsigned *)asked.kernelParams[1], 3);
    OK(cuGraphInstantiate(&exec, graph, 0));
    calls = 0;
    OK(cuGraphLaunch(exec, NULL));
    OK(cuGraphLaunch(exec, NULL));
    OK(cuCtxSynchronize());
    check(5, 3);
    assert_int_equal(calls, 2);
    factor = 7;
    OK(cuGraphExecKernelNodeSetParams(exec, launch, &kernel));
    FAILS(INVALID_VALUE, cuGraphNodeSetEnabled(exec, call, 0)); /* kernels, copies and fills only */
    OK(cuGraphNodeSetEnabled(exec, copy, 0));
    OK(cuGraphLaunch(exec, NULL));
    OK(cuCtxSynchronize());
    check(5, 3); /* as it was */
    assert_int_equal(calls, 3);
    OK(cuGraphNodeSetEnabled(exec, copy, 1));
    OK(cuGraphLaunch(exec, NULL));
    OK(cuCtxSynchronize());
    check(5, 7);
    OK(cuGraphClone(&clone, graph));
    OK(cuGraphNodeFindInClone(&found, fill, clone));
    assert_ptr_not_equal(found, fill);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(clone));
    OK(cuGraphAddDependencies(graph, &call, &fill, NULL, 1));
    FAILS(INVALID_VALUE, cuGraphInstantiate(&exec, graph, 0)); /* a cycle */
    OK(cuGraphDestroy(graph));
    FAILS(INVALID_VALUE, cuGraphDestroy(graph));
    FAILS(INVALID_VALUE, cuGraphKernelNodeGetParams(launch, &asked));
}

static CUgraph captured(CUstream stream, CUstream side, unsigned factor)
{
    CUgraph graph;
    CUevent fork, join;
    CUgraphNode node;
    CUstreamCaptureStatus status;
    void *params[] = {&memory, &factor};
    OK(cuEventCreate(&fork, CU_EVENT_DISABLE_TIMING));
    OK(cuEventCreate(&join, CU_EVENT_DISABLE_TIMING));
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuMemsetD32Async(memory, 2, N, stream));
    OK(cuEventRecord(fork, stream));
    OK(cuStreamWaitEvent(side, fork, 0));
    OK(cuStreamIsCapturing(side, &status));
    assert_int_equal(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
    OK(cuLaunchHostFunc(side, count_call, &calls));
    OK(cuEventRecord(join, side));
    OK(cuLaunchKernel(scale, 1, 1, 1, N, 1, 1, 0, stream, params, NULL));
    OK(cuStreamWaitEvent(stream, join, 0));
    OK(cuMemcpyDtoHAsync(host, memory, sizeof host, stream));
    OK(cuStreamEndCapture(stream, &graph));
    size_t count = 1;
    OK(cuGraphGetRootNodes(graph, &node, &count));
    assert_int_equal(count, 1);
    OK(cuEventDestroy(fork));
    OK(cuEventDestroy(join));
    return graph;
}

static void made_by_capture(void **state)
{
    (void)state;
    CUstream stream, side;
    CUgraphExec exec;
    CUgraphExecUpdateResultInfo info;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&side, CU_STREAM_NON_BLOCKING));
    memset(host, 0, sizeof host);
    calls = 0;
    CUgraph graph = captured(stream, side, 4), other = captured(stream, side, 9);
    OK(cuStreamSynchronize(stream));
    assert_int_equal(calls, 0); /* nothing ran */
    assert_int_equal(host[1], 0);
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    check(2, 4);
    OK(cuGraphExecUpdate(exec, other, &info));
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    check(2, 9);
    assert_int_equal(calls, 2);
    OK(cuGraphDestroy(graph));
    OK(cuGraphDestroy(other));
    OK(cuGraphCreate(&graph, 0));
    FAILS(GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(exec, graph, &info));
    assert_int_equal(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    OK(cuGraphDestroy(graph));
    OK(cuGraphExecDestroy(exec));
    OK(cuStreamDestroy(stream));
    OK(cuStreamDestroy(side));
}

static void capture_errors(void **state)
{
    (void)state;
    CUstream stream, side;
    CUgraph graph;
    CUevent event;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&side, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuStreamBeginCapture(NULL, CU_STREAM_CAPTURE_MODE_GLOBAL));
    FAILS(ILLEGAL_STATE, cuStreamEndCapture(stream, &graph));
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuStreamSynchronize(stream));
    FAILS(STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph));
    assert_null(graph);
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuEventRecord(event, stream));
    OK(cuStreamWaitEvent(side, event, 0));
    OK(cuLaunchHostFunc(side, count_call, &calls));
    FAILS(STREAM_CAPTURE_UNMATCHED, cuStreamEndCapture(side, &graph));
    FAILS(STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph));
    OK(cuStreamSynchronize(side)); /* it is an ordinary stream again */
    OK(cuEventDestroy(event));
    OK(cuStreamDestroy(stream));
    OK(cuStreamDestroy(side));
}

static void memory_nodes(void **state)
{
    (void)state;
    CUstream stream;
    CUdeviceptr p;
    CUgraph graph;
    CUgraphExec exec;
    cuuint64_t used;
    int back[4] = {0};
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuMemAllocAsync(&p, sizeof back, stream));
    OK(cuMemsetD32Async(p, 77, 4, stream));
    OK(cuMemcpyDtoHAsync(back, p, sizeof back, stream));
    OK(cuMemFreeAsync(p, stream));
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphDestroy(graph));
    OK(cuGraphLaunch(exec, stream));
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    assert_int_equal(back[3], 77);
    OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used));
    assert_int_equal(used, 0); /* the graph frees it */
    OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &used));
    assert_int_equal(used, sizeof back);
    OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &used));
    assert_int_equal(used, sizeof back);
    OK(cuDeviceGraphMemTrim(0));
    OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &used));
    assert_int_equal(used, 0);
    OK(cuGraphExecDestroy(exec));
    OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used));
    assert_int_equal(used, 0);
    OK(cuStreamDestroy(stream));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_by_hand),
        cmocka_unit_test(made_by_capture),
        cmocka_unit_test(capture_errors),
        cmocka_unit_test(memory_nodes),
    };
    return cmocka_run_group_tests(tests, setup, driver_context_close);
}
