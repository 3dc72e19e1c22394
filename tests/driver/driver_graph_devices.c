/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs over two devices, captured and made by hand: each node runs in its context, wherever the graph is
 * launched. Neither device may reach the other's memory, so a kernel on the wrong one faults. */
#include "driver_context.h"

#include <string.h>

/* p[tid] = p[tid] * factor + tid */
#define SCALE(name)                                                                                          \
    ".visible .entry " name "(.param .u64 p, .param .u32 factor)\n{\n"                                       \
    "    .reg .b32 %r<5>; .reg .b64 %d<4>;\n"                                                                \
    "    ld.param.u64 %d1, [p]; ld.param.u32 %r1, [factor]; mov.u32 %r2, %tid.x;\n"                          \
    "    mul.wide.u32 %d2, %r2, 4; add.u64 %d3, %d1, %d2; ld.global.u32 %r3, [%d3];\n"                       \
    "    mad.lo.u32 %r4, %r3, %r1, %r2; st.global.u32 [%d3], %r4; ret;\n}\n"
static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n" SCALE("first") SCALE("second");

enum { N = 64, BYTES = 4 * N, BRANCHES = 12 };
static CUcontext contexts[2];
static CUfunction scale[2];
static CUdeviceptr memory[2], many[2];
static CUstream streams[2];
static CUevent events[2];
static int host[2][N];

static int setup(void **state)
{
    (void)state;
    OK(cuInit(0));
    for (int d = 1; d >= 0; d--) {
        OK(cuDevicePrimaryCtxRetain(&contexts[d], d));
        OK(cuCtxSetCurrent(contexts[d]));
        scale[d] = driver_kernel(driver_module(ptx), d ? "second" : "first");
        OK(cuMemAlloc(&memory[d], BYTES));
        OK(cuMemAlloc(&many[d], BRANCHES * BYTES));
        OK(cuStreamCreate(&streams[d], CU_STREAM_NON_BLOCKING));
        OK(cuEventCreate(&events[d], CU_EVENT_DISABLE_TIMING));
    }
    return 0;
}

static void check(int device, int start, int factor)
{
    for (int i = 0; i < N; i++)
        assert_int_equal(host[device][i], start * factor + i);
}

static void launched(CUgraphExec exec, int device)
{
    memset(host, 0, sizeof host);
    OK(cuCtxSetCurrent(contexts[device]));
    OK(cuGraphLaunch(exec, streams[device]));
    OK(cuStreamSynchronize(streams[device]));
    OK(cuCtxSetCurrent(contexts[0]));
}

/* ---- captured */

static void launch(int device, CUdeviceptr at, unsigned factor)
{
    void *params[] = {&at, &factor};
    OK(cuLaunchKernel(scale[device], 1, 1, 1, N, 1, 1, 0, streams[device], params, NULL));
}

static void work(int device, unsigned start, unsigned factor)
{
    OK(cuCtxSetCurrent(contexts[device]));
    OK(cuMemsetD32Async(memory[device], start, N, streams[device]));
    launch(device, memory[device], factor);
    OK(cuMemcpyDtoHAsync(host[device], memory[device], BYTES, streams[device]));
    OK(cuCtxSetCurrent(contexts[0]));
}

/* Work on both devices between a fork and a join, begun on `origin`. */
static CUgraph captured(int origin, unsigned start, unsigned factor)
{
    CUgraph graph;
    int other = 1 - origin;
    OK(cuStreamBeginCapture(streams[origin], CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuEventRecord(events[origin], streams[origin]));
    OK(cuStreamWaitEvent(streams[other], events[origin], 0));
    work(other, start, factor);
    work(origin, start + 1, factor + 1);
    OK(cuEventRecord(events[other], streams[other]));
    OK(cuStreamWaitEvent(streams[origin], events[other], 0));
    OK(cuStreamEndCapture(streams[origin], &graph));
    return graph;
}

static void captures_keep_their_devices(void **state)
{
    (void)state;
    for (int origin = 0; origin < 2; origin++) {
        CUgraphExec exec;
        CUgraph graph = captured(origin, 5, 3);
        OK(cuGraphInstantiate(&exec, graph, 0));
        for (int i = 0; i < 6; i++) {
            launched(exec, i / 2 % 2);
            check(1 - origin, 5, 3);
            check(origin, 6, 4);
        }
        OK(cuGraphExecDestroy(exec));
        OK(cuGraphDestroy(graph));
    }
}

static void captured_launches_keep_them_too(void **state)
{
    (void)state;
    CUgraph inner = captured(1, 2, 2), outer;
    CUgraphExec exec, whole;
    OK(cuGraphInstantiate(&exec, inner, 0));
    OK(cuStreamBeginCapture(streams[0], CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuGraphLaunch(exec, streams[0]));
    launch(0, memory[0], 1);
    OK(cuMemcpyDtoHAsync(host[0], memory[0], BYTES, streams[0]));
    OK(cuStreamEndCapture(streams[0], &outer));
    OK(cuGraphInstantiate(&whole, outer, 0));
    launched(whole, 0);
    check(1, 3, 3);
    for (int i = 0; i < N; i++)
        assert_int_equal(host[0][i], 2 * 2 + 2 * i);
    OK(cuGraphExecDestroy(whole));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(outer));
    OK(cuGraphDestroy(inner));
}

/* ---- by hand */

static CUDA_KERNEL_NODE_PARAMS kernel_params(int device, void **params)
{
    return (CUDA_KERNEL_NODE_PARAMS){.func = scale[device],
                                     .gridDimX = 1,
                                     .gridDimY = 1,
                                     .gridDimZ = 1,
                                     .blockDimX = N,
                                     .blockDimY = 1,
                                     .blockDimZ = 1,
                                     .kernelParams = params};
}

static CUDA_MEMSET_NODE_PARAMS fill_params(CUdeviceptr at, unsigned value)
{
    return (CUDA_MEMSET_NODE_PARAMS){.dst = at, .value = value, .elementSize = 4, .width = N, .height = 1};
}

static CUDA_MEMCPY3D copy_params(CUdeviceptr at, void *to)
{
    return (CUDA_MEMCPY3D){.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                           .srcDevice = at,
                           .dstMemoryType = CU_MEMORYTYPE_HOST,
                           .dstHost = to,
                           .WidthInBytes = BYTES,
                           .Height = 1,
                           .Depth = 1};
}

struct chain {
    CUgraphNode fill, kernel, copy;
};

/* fill, kernel and copy on a device, after `need`; the first device is current. */
static struct chain add_chain(CUgraph graph, int device, CUdeviceptr at, const CUgraphNode *need, int *to)
{
    struct chain chain;
    unsigned factor = 3;
    void *params[] = {&at, &factor};
    CUDA_KERNEL_NODE_PARAMS kernel = kernel_params(device, params);
    CUDA_MEMSET_NODE_PARAMS fill = fill_params(at, 5);
    CUDA_MEMCPY3D copy = copy_params(at, to);
    OK(cuGraphAddMemsetNode(&chain.fill, graph, need, need ? 1 : 0, &fill, contexts[device]));
    OK(cuGraphAddKernelNode(&chain.kernel, graph, &chain.fill, 1, &kernel));
    OK(cuGraphAddMemcpyNode(&chain.copy, graph, &chain.kernel, 1, &copy, contexts[device]));
    return chain;
}

static void nodes_run_where_they_are_told(void **state)
{
    (void)state;
    CUgraph graph, parent;
    CUgraphNode child, last;
    CUgraphExec exec, whole;
    OK(cuGraphCreate(&graph, 0));
    struct chain second = add_chain(graph, 1, memory[1], NULL, host[1]);
    (void)add_chain(graph, 0, memory[0], &second.copy, host[0]); /* one after the other */
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphCreate(&parent, 0));
    OK(cuGraphAddChildGraphNode(&child, parent, NULL, 0, graph));
    OK(cuGraphAddEmptyNode(&last, parent, &child, 1));
    OK(cuGraphInstantiate(&whole, parent, 0));
    for (int device = 0; device < 2; device++) {
        launched(exec, device);
        check(0, 5, 3);
        check(1, 5, 3);
        launched(whole, device);
        check(0, 5, 3);
        check(1, 5, 3);
    }
    OK(cuGraphExecDestroy(whole));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(parent));
    OK(cuGraphDestroy(graph));
}

static void generic_nodes_name_their_context(void **state)
{
    (void)state;
    CUgraph graph;
    CUgraphNode fill, copy;
    CUgraphExec exec;
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEMSET};
    CUDA_MEMSET_NODE_PARAMS at = fill_params(memory[1], 8);
    memcpy(&params.memset, &at, sizeof at);
    OK(cuGraphCreate(&graph, 0));
    params.memset.ctx = contexts[1];
    OK(cuGraphAddNode(&fill, graph, NULL, NULL, 0, &params));
    params = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_MEMCPY};
    params.memcpy.copyCtx = contexts[1];
    params.memcpy.copyParams = copy_params(memory[1], host[1]);
    OK(cuGraphAddNode(&copy, graph, &fill, NULL, 1, &params));
    OK(cuGraphInstantiate(&exec, graph, 0));
    launched(exec, 0);
    assert_int_equal(host[1][N - 1], 8);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

/* More branches on each device than it has queues for. */
static void wide(void **state)
{
    (void)state;
    static int out[2][BRANCHES][N];
    CUgraph graph;
    CUgraphNode root;
    CUgraphExec exec;
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddEmptyNode(&root, graph, NULL, 0));
    for (int i = 0; i < BRANCHES; i++)
        for (int d = 0; d < 2; d++)
            (void)add_chain(graph, d, many[d] + (unsigned)i * BYTES, &root, out[d][i]);
    OK(cuGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 4; i++) {
        memset(out, 0, sizeof out);
        launched(exec, i % 2);
        for (int k = 0; k < 2 * BRANCHES; k++)
            assert_int_equal(out[k % 2][k / 2][7], 5 * 3 + 7);
    }
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

/* ---- updates: no node leaves its context */

static void updates_keep_contexts(void **state)
{
    (void)state;
    CUgraphExec exec;
    CUgraphExecUpdateResultInfo info;
    CUgraph graph = captured(0, 5, 3), same = captured(0, 9, 6), turned = captured(1, 5, 3);
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphExecUpdate(exec, same, &info));
    for (int device = 0; device < 2; device++) {
        launched(exec, device);
        check(1, 9, 6);
        check(0, 10, 7);
    }
    FAILS(GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(exec, turned, &info));
    assert_int_equal(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED); /* the fill comes first */
    launched(exec, 0);
    check(1, 9, 6);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuGraphDestroy(same));
    OK(cuGraphDestroy(turned));
}

static void kernels_keep_contexts(void **state)
{
    (void)state;
    CUgraph graph, other;
    CUgraphExec exec;
    CUgraphNode node, unused;
    CUgraphExecUpdateResultInfo info;
    unsigned factor = 2;
    void *params[] = {&memory[1], &factor};
    CUDA_KERNEL_NODE_PARAMS second = kernel_params(1, params), first = kernel_params(0, params);
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphCreate(&other, 0));
    OK(cuGraphAddKernelNode(&node, graph, NULL, 0, &second));
    OK(cuGraphAddKernelNode(&unused, other, NULL, 0, &first));
    OK(cuGraphInstantiate(&exec, graph, 0));
    FAILS(GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(exec, other, &info));
    assert_int_equal(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE);
    FAILS(INVALID_VALUE, cuGraphExecKernelNodeSetParams(exec, node, &first));
    factor = 4;
    OK(cuGraphExecKernelNodeSetParams(exec, node, &second));
    OK(cuCtxSetCurrent(contexts[1]));
    OK(cuMemsetD32(memory[1], 3, N));
    launched(exec, 0);
    OK(cuMemcpyDtoH(host[1], memory[1], BYTES));
    check(1, 3, 4);
    OK(cuGraphKernelNodeSetParams(unused, &second)); /* of a graph that is not executable it may change */
    OK(cuGraphExecUpdate(exec, other, &info));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuGraphDestroy(other));
}

static void fills_and_copies_keep_contexts(void **state)
{
    (void)state;
    CUgraph graph;
    CUgraphExec exec;
    OK(cuGraphCreate(&graph, 0));
    struct chain chain = add_chain(graph, 1, memory[1], NULL, host[1]);
    CUDA_MEMSET_NODE_PARAMS fill = fill_params(memory[1], 6);
    CUDA_MEMCPY3D copy = copy_params(memory[1], host[1]);
    OK(cuGraphInstantiate(&exec, graph, 0));
    FAILS(INVALID_VALUE, cuGraphExecMemsetNodeSetParams(exec, chain.fill, &fill, contexts[0]));
    FAILS(INVALID_VALUE, cuGraphExecMemcpyNodeSetParams(exec, chain.copy, &copy, contexts[0]));
    OK(cuGraphExecMemsetNodeSetParams(exec, chain.fill, &fill, contexts[1]));
    OK(cuGraphExecMemcpyNodeSetParams(exec, chain.copy, &copy, NULL));
    launched(exec, 0);
    check(1, 6, 3);
    OK(cuGraphMemsetNodeSetParams(chain.fill, &fill)); /* it is checked where the node runs */
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

/* ---- conditional nodes, events, graphs that kernels launch, contexts that end */

static void bodies_run_in_the_handles_context(void **state)
{
    (void)state;
    for (int of = 0; of < 2; of++) {
        CUgraph graph;
        CUgraphNode node, inner;
        CUgraphExec exec;
        CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_CONDITIONAL};
        OK(cuGraphCreate(&graph, 0));
        OK(cuGraphConditionalHandleCreate(&params.conditional.handle, graph, contexts[1], 1,
                                          CU_GRAPH_COND_ASSIGN_DEFAULT));
        params.conditional.type = CU_GRAPH_COND_TYPE_IF;
        params.conditional.size = 1;
        params.conditional.ctx = contexts[1];
        OK(cuGraphAddNode(&node, graph, NULL, NULL, 0, &params));
        CUgraph body = params.conditional.phGraph_out[0];
        (void)add_chain(body, of, memory[of], NULL, host[of]);
        OK(cuGraphAddEmptyNode(&inner, body, NULL, 0));
        if (of == 0) {
            CUDA_GRAPH_INSTANTIATE_PARAMS asked = {0};
            FAILS(NOT_SUPPORTED, cuGraphInstantiateWithParams(&exec, graph, &asked));
            assert_int_equal(asked.result_out, CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED);
        } else {
            OK(cuGraphInstantiate(&exec, graph, 0));
            launched(exec, 0);
            check(1, 5, 3);
            OK(cuGraphExecDestroy(exec));
        }
        OK(cuGraphDestroy(graph));
    }
}

static void events_are_recorded_on_their_device(void **state)
{
    (void)state;
    CUgraph graph;
    CUgraphNode record, unused;
    CUgraphExec exec;
    OK(cuGraphCreate(&graph, 0));
    struct chain chain = add_chain(graph, 1, memory[1], NULL, host[1]);
    OK(cuGraphAddEventRecordNode(&record, graph, &chain.copy, 1, events[1]));
    OK(cuGraphAddEventWaitNode(&unused, graph, &record, 1, events[1]));
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, streams[0]));
    OK(cuEventSynchronize(events[1]));
    check(1, 5, 3);
    OK(cuGraphExecEventRecordNodeSetEvent(exec, record, events[0]));
    OK(cuGraphLaunch(exec, streams[0]));
    OK(cuEventSynchronize(events[0]));
    OK(cuStreamSynchronize(streams[0]));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

static void kernels_launch_graphs_of_one_context(void **state)
{
    (void)state;
    CUgraph graph = captured(0, 1, 1);
    CUgraphExec exec;
    CUDA_GRAPH_INSTANTIATE_PARAMS params = {.flags = CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH};
    FAILS(NOT_SUPPORTED, cuGraphInstantiateWithParams(&exec, graph, &params));
    assert_int_equal(params.result_out, CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED);
    OK(cuGraphDestroy(graph));
}

static void contexts_may_end_before_the_graph(void **state)
{
    (void)state;
    CUcontext gone;
    CUgraph graph;
    CUgraphNode node;
    CUgraphExec exec;
    CUdeviceptr at;
    OK(cuCtxCreate(&gone, NULL, 0, 1));
    OK(cuMemAlloc(&at, BYTES));
    CUDA_MEMSET_NODE_PARAMS fill = fill_params(at, 6);
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddMemsetNode(&node, graph, NULL, 0, &fill, gone));
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuCtxSetCurrent(contexts[0]));
    OK(cuGraphLaunch(exec, streams[0]));
    OK(cuStreamSynchronize(streams[0]));
    OK(cuCtxDestroy(gone));
    FAILS(CONTEXT_IS_DESTROYED, cuGraphLaunch(exec, streams[0]));
    FAILS(CONTEXT_IS_DESTROYED, cuGraphAddMemsetNode(&node, graph, NULL, 0, &fill, gone));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(captures_keep_their_devices),
        cmocka_unit_test(captured_launches_keep_them_too),
        cmocka_unit_test(nodes_run_where_they_are_told),
        cmocka_unit_test(generic_nodes_name_their_context),
        cmocka_unit_test(wide),
        cmocka_unit_test(updates_keep_contexts),
        cmocka_unit_test(kernels_keep_contexts),
        cmocka_unit_test(fills_and_copies_keep_contexts),
        cmocka_unit_test(bodies_run_in_the_handles_context),
        cmocka_unit_test(events_are_recorded_on_their_device),
        cmocka_unit_test(kernels_launch_graphs_of_one_context),
        cmocka_unit_test(contexts_may_end_before_the_graph),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, setup, NULL);
}
