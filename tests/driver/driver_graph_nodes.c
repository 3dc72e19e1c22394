/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs: concurrent branches, batched memory operations, user objects, child graphs and ownership,
 * memory that outlives its graph, edge data, attributes, and results of updates. */
#include "driver_context.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static const char ptx[] = ".version 7.8\n.target sm_90\n.address_size 64\n"
                          ".visible .entry one(.param .u64 p)\n{\n"
                          "    .reg .b64 %d<2>; .reg .b32 %r<2>;\n"
                          "    ld.param.u64 %d1, [p]; atom.global.add.u32 %r1, [%d1], 1;\n"
                          "    ret;\n}\n";
static CUfunction one;
static CUdeviceptr memory;
enum { BYTES = 1 << 20 }; /* of an allocation node */

static int setup(void **state)
{
    driver_context_open(state);
    one = driver_kernel(driver_module(ptx), "one");
    OK(cuMemAlloc(&memory, 4096));
    return 0;
}

static int teardown(void **state)
{
    OK(cuMemFree(memory));
    return driver_context_close(state);
}

static unsigned word(unsigned index)
{
    unsigned value;
    OK(cuMemcpyDtoH(&value, memory + 4 * index, 4));
    return value;
}

static CUstreamBatchMemOpParams operation(CUstreamBatchMemOpType type, unsigned index, unsigned value)
{
    CUstreamBatchMemOpParams op;
    memset(&op, 0, sizeof op);
    op.writeValue.operation = type;
    op.writeValue.address = memory + 4 * index;
    op.writeValue.value = value;
    if (type == CU_STREAM_MEM_OP_WAIT_VALUE_32) op.waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
    return op;
}

static CUgraphNode add_batch(CUgraph graph, const CUgraphNode *after, CUstreamBatchMemOpParams op)
{
    CUgraphNode node;
    CUDA_BATCH_MEM_OP_NODE_PARAMS params = {.ctx = context, .count = 1, .paramArray = &op};
    OK(cuGraphAddBatchMemOpNode(&node, graph, after, after != NULL, &params));
    return node;
}

static CUgraphNode add_kernel(CUgraph graph, const CUgraphNode *after, unsigned index)
{
    CUgraphNode node;
    CUdeviceptr at = memory + 4 * index;
    void *args[] = {&at};
    CUDA_KERNEL_NODE_PARAMS params = {.func = one,
                                      .gridDimX = 1,
                                      .gridDimY = 1,
                                      .gridDimZ = 1,
                                      .blockDimX = 1,
                                      .blockDimY = 1,
                                      .blockDimZ = 1,
                                      .kernelParams = args};
    OK(cuGraphAddKernelNode(&node, graph, after, after != NULL, &params));
    return node;
}

/* a: wait for 1, write 2, wait for 3; b: write 1, wait for 2, write 3: ends only if both branches run. */
static void branches_run_at_once(void **state)
{
    (void)state;
    CUgraph graph, clone;
    CUgraphExec exec;
    CUgraphNode root, a, b, join, got;
    const CUstreamBatchMemOpType wait = CU_STREAM_MEM_OP_WAIT_VALUE_32, set = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    OK(cuGraphCreate(&graph, 0));
    root = add_batch(graph, NULL, operation(set, 0, 0));
    a = add_batch(graph, &root, operation(wait, 0, 1));
    a = add_batch(graph, &a, operation(set, 0, 2));
    a = add_batch(graph, &a, operation(wait, 0, 3));
    b = add_batch(graph, &root, operation(set, 0, 1));
    b = add_batch(graph, &b, operation(wait, 0, 2));
    b = add_batch(graph, &b, operation(set, 0, 3));
    CUgraphNode both[] = {a, b};
    OK(cuGraphAddEmptyNode(&join, graph, both, 2));
    add_kernel(graph, &join, 1);
    OK(cuGraphClone(&clone, graph));
    OK(cuGraphNodeFindInClone(&got, a, clone));
    OK(cuMemsetD32(memory, 0, 8));
    OK(cuGraphInstantiate(&exec, clone, 0));
    for (int i = 0; i < 5; i++)
        OK(cuGraphLaunch(exec, NULL));
    OK(cuCtxSynchronize());
    assert_int_equal(word(0), 3);
    assert_int_equal(word(1), 5);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(clone));
    OK(cuGraphDestroy(graph));
}

static void batch_nodes(void **state)
{
    (void)state;
    CUgraph graph;
    CUgraphExec exec;
    CUgraphNodeType type;
    CUDA_BATCH_MEM_OP_NODE_PARAMS got, bad = {.count = 1};
    OK(cuGraphCreate(&graph, 0));
    CUgraphNode node = add_batch(graph, NULL, operation(CU_STREAM_MEM_OP_WRITE_VALUE_32, 2, 11));
    OK(cuGraphNodeGetType(node, &type));
    assert_int_equal(type, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);
    OK(cuGraphBatchMemOpNodeGetParams(node, &got));
    assert_int_equal(got.count, 1);
    assert_int_equal(got.paramArray[0].writeValue.value, 11);
    FAILS(INVALID_VALUE, cuGraphBatchMemOpNodeSetParams(node, &bad));
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, NULL));
    assert_int_equal(word(2), 11);
    CUstreamBatchMemOpParams op = operation(CU_STREAM_MEM_OP_WRITE_VALUE_32, 2, 12);
    got = (CUDA_BATCH_MEM_OP_NODE_PARAMS){.count = 1, .paramArray = &op};
    OK(cuGraphExecBatchMemOpNodeSetParams(exec, node, &got));
    OK(cuGraphLaunch(exec, NULL));
    assert_int_equal(word(2), 12);
    OK(cuGraphBatchMemOpNodeGetParams(node, &got));
    assert_int_equal(got.paramArray[0].writeValue.value, 11); /* the graph is as it was */
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

/* ---- user objects */

static atomic_int ended;
static void end(void *user)
{
    atomic_fetch_add((atomic_int *)user, 1);
}

static void wait_for(int count)
{
    for (int i = 0; i < 2000 && atomic_load(&ended) < count; i++)
        usleep(1000);
    assert_int_equal(atomic_load(&ended), count);
}

static void user_objects(void **state)
{
    (void)state;
    CUuserObject user;
    CUgraph graph, clone;
    CUgraphExec exec;
    atomic_store(&ended, 0);
    OK(cuGraphCreate(&graph, 0));
    FAILS(INVALID_VALUE, cuUserObjectCreate(&user, &ended, end, 1, 0));
    FAILS(INVALID_VALUE, cuUserObjectCreate(&user, &ended, NULL, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    FAILS(INVALID_VALUE, cuUserObjectCreate(&user, &ended, end, 0, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    OK(cuUserObjectCreate(&user, &ended, end, 2, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    OK(cuUserObjectRetain(user, 3));
    OK(cuUserObjectRelease(user, 4)); /* one left */
    OK(cuGraphRetainUserObject(graph, user, 1, CU_GRAPH_USER_OBJECT_MOVE));
    FAILS(INVALID_VALUE, cuGraphReleaseUserObject(graph, user, 2));
    OK(cuGraphRetainUserObject(graph, user, 2, 0));
    OK(cuGraphReleaseUserObject(graph, user, 2));
    CUgraphNode node = add_batch(graph, NULL, operation(CU_STREAM_MEM_OP_WAIT_VALUE_32, 3, 1));
    OK(cuGraphClone(&clone, graph));
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphDestroy(graph));
    OK(cuGraphDestroy(clone));
    usleep(20000);
    assert_int_equal(atomic_load(&ended), 0); /* the executable graph has one */
    CUstream stream;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuMemsetD32(memory + 12, 0, 1));
    OK(cuGraphLaunch(exec, stream));
    OK(cuGraphExecDestroy(exec)); /* while it runs */
    usleep(20000);
    assert_int_equal(atomic_load(&ended), 0);
    OK(cuStreamWriteValue32(NULL, memory + 12, 1, 0));
    OK(cuStreamSynchronize(stream));
    wait_for(1);
    FAILS(INVALID_VALUE, cuUserObjectRelease(user, 1));
    FAILS(INVALID_VALUE, cuGraphDestroyNode(node));
    OK(cuStreamDestroy(stream));
}

/* ---- child graphs */

static void owners_of_children(void **state)
{
    (void)state;
    CUgraph parent, child, got;
    CUgraphExec exec;
    CUgraphNode node, inner;
    OK(cuGraphCreate(&parent, 0));
    OK(cuGraphCreate(&child, 0));
    add_kernel(child, NULL, 4);
    OK(cuGraphAddChildGraphNode(&node, parent, NULL, 0, child)); /* a copy */
    OK(cuGraphChildGraphNodeGetGraph(node, &got));
    assert_ptr_not_equal(got, child);
    FAILS(INVALID_VALUE, cuGraphDestroy(got));
    CUgraphNodeParams moved = {.type = CU_GRAPH_NODE_TYPE_GRAPH};
    moved.graph.graph = child;
    moved.graph.ownership = CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE;
    OK(cuGraphAddNode(&node, parent, NULL, NULL, 0, &moved));
    OK(cuGraphChildGraphNodeGetGraph(node, &got));
    assert_ptr_equal(got, child);
    FAILS(INVALID_VALUE, cuGraphDestroy(child)); /* it is its parent's now */
    inner = add_kernel(child, NULL, 5);
    OK(cuMemsetD32(memory, 0, 8));
    OK(cuGraphInstantiate(&exec, parent, 0));
    OK(cuGraphLaunch(exec, NULL));
    OK(cuCtxSynchronize());
    assert_int_equal(word(4), 2);
    assert_int_equal(word(5), 1);
    OK(cuGraphNodeSetEnabled(exec, inner, 0)); /* nodes of children are known too */
    OK(cuGraphLaunch(exec, NULL));
    OK(cuCtxSynchronize());
    assert_int_equal(word(4), 4);
    assert_int_equal(word(5), 1);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(parent));
    FAILS(INVALID_VALUE, cuGraphDestroy(child));
}

/* ---- memory */

static cuuint64_t figure(CUgraphMem_attribute attribute)
{
    cuuint64_t value;
    OK(cuDeviceGetGraphMemAttribute(0, attribute, &value));
    return value;
}

static void memory_outlives_graphs(void **state)
{
    (void)state;
    CUgraph graph, clone, parent;
    CUgraphExec exec, other;
    CUgraphNode alloc, node;
    CUDA_MEM_ALLOC_NODE_PARAMS params = {.bytesize = BYTES};
    params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    params.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddMemAllocNode(&alloc, graph, NULL, 0, &params));
    CUDA_MEMSET_NODE_PARAMS fill = {
        .dst = params.dptr, .value = 7, .elementSize = 4, .width = 16, .height = 1};
    OK(cuGraphAddMemsetNode(&node, graph, &alloc, 1, &fill, context));
    FAILS(NOT_SUPPORTED, cuGraphClone(&clone, graph));
    FAILS(NOT_SUPPORTED, cuGraphDestroyNode(node));
    OK(cuGraphCreate(&parent, 0));
    FAILS(NOT_SUPPORTED, cuGraphAddChildGraphNode(&node, parent, NULL, 0, graph));
    OK(cuGraphInstantiate(&exec, graph, 0));
    FAILS(NOT_SUPPORTED, cuGraphInstantiate(&other, graph, 0)); /* one at a time */
    assert_int_equal(figure(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), 0);
    OK(cuGraphLaunch(exec, NULL));
    assert_int_equal(figure(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), BYTES);
    FAILS(INVALID_VALUE, cuGraphLaunch(exec, NULL)); /* not freed yet */
    OK(cuMemFreeAsync(params.dptr, NULL));
    FAILS(INVALID_VALUE, cuMemFreeAsync(params.dptr, NULL));
    OK(cuGraphLaunch(exec, NULL));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    unsigned got[16];
    OK(cuMemcpyDtoH(got, params.dptr, sizeof got)); /* live memory does not go with its graph */
    assert_int_equal(got[15], 7);
    assert_int_equal(figure(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), BYTES);
    OK(cuMemFree(params.dptr));
    assert_int_equal(figure(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), 0);
    assert_int_equal(figure(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT), 0);
    assert_int_equal(figure(CU_GRAPH_MEM_ATTR_USED_MEM_HIGH), BYTES);
    cuuint64_t zero = 0;
    OK(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &zero));
    assert_int_equal(figure(CU_GRAPH_MEM_ATTR_USED_MEM_HIGH), 0);
    OK(cuGraphDestroy(parent));
}

static void freed_on_launch(void **state)
{
    (void)state;
    CUgraph graph;
    CUgraphExec exec;
    CUgraphNode alloc;
    CUDA_MEM_ALLOC_NODE_PARAMS params = {.bytesize = 4096};
    params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    params.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddMemAllocNode(&alloc, graph, NULL, 0, &params));
    OK(cuGraphInstantiate(&exec, graph, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
    for (int i = 0; i < 3; i++)
        OK(cuGraphLaunch(exec, NULL));
    OK(cuCtxSynchronize());
    assert_int_equal(figure(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), 4096);
    OK(cuMemFree(params.dptr));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

static CUdeviceptr alloc_after(CUgraph graph, CUgraphNode *node, const CUgraphNode *need, size_t bytes)
{
    CUDA_MEM_ALLOC_NODE_PARAMS params = {.bytesize = bytes};
    params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    params.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    OK(cuGraphAddMemAllocNode(node, graph, need, need ? 1 : 0, &params));
    return params.dptr;
}

/* An allocation node that depends on a free node of the same size reuses its memory and address, as on
 * an H200. Other allocation nodes get memory of their own. */
static void freed_memory_is_taken_again(void **state)
{
    (void)state;
    CUgraph graph;
    CUgraphExec exec;
    CUgraphNode first, fill, freed, second, other, odd, third, freed_again;
    OK(cuGraphCreate(&graph, 0));
    CUdeviceptr a = alloc_after(graph, &first, NULL, BYTES);
    CUDA_MEMSET_NODE_PARAMS sevens = {.dst = a, .value = 7, .elementSize = 4, .width = 16, .height = 1};
    OK(cuGraphAddMemsetNode(&fill, graph, &first, 1, &sevens, context));
    assert_int_not_equal(alloc_after(graph, &other, &fill, BYTES), a); /* not freed yet */
    OK(cuGraphAddMemFreeNode(&freed, graph, &fill, 1, a));
    FAILS(INVALID_VALUE, cuGraphAddMemFreeNode(&freed_again, graph, &fill, 1, a));
    assert_int_not_equal(alloc_after(graph, &odd, &freed, 2 * BYTES), a);
    assert_int_not_equal(alloc_after(graph, &odd, &fill, BYTES), a); /* may come before the free */
    assert_int_equal(alloc_after(graph, &second, &freed, BYTES), a);
    assert_int_not_equal(alloc_after(graph, &third, &freed, BYTES), a); /* taken */
    CUDA_MEMSET_NODE_PARAMS nines = {.dst = a, .value = 9, .elementSize = 4, .width = 8, .height = 1};
    OK(cuGraphAddMemsetNode(&fill, graph, &second, 1, &nines, context));
    OK(cuGraphInstantiate(&exec, graph, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
    for (int i = 0; i < 2; i++) {
        OK(cuGraphLaunch(exec, NULL));
        unsigned got[16];
        OK(cuMemcpyDtoH(got, a, sizeof got)); /* the second allocation was not freed */
        assert_int_equal(got[0], 9);
        assert_int_equal(figure(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), 6 * BYTES);
    }
    OK(cuMemFree(a));
    FAILS(INVALID_VALUE, cuMemFreeAsync(a, NULL));
    assert_int_equal(figure(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), 5 * BYTES);
    OK(cuGraphAddMemFreeNode(&freed_again, graph, &fill, 1, a)); /* allocated twice, freed twice */
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

static void captured_memory_is_taken_again(void **state)
{
    (void)state;
    CUgraph graph;
    CUgraphExec exec;
    CUstream stream;
    CUdeviceptr a, b;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuMemAllocAsync(&a, BYTES, stream));
    OK(cuMemFreeAsync(a, stream));
    OK(cuMemAllocAsync(&b, BYTES, stream));
    assert_int_equal(a, b);
    OK(cuMemsetD32Async(b, 5, 16, stream));
    OK(cuMemcpyDtoDAsync(memory, b, 64, stream));
    OK(cuMemFreeAsync(b, stream));
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 2; i++) {
        OK(cuMemsetD32Async(memory, 0, 16, stream));
        OK(cuGraphLaunch(exec, stream));
        OK(cuStreamSynchronize(stream));
        assert_int_equal(word(15), 5);
    }
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuStreamDestroy(stream));
}

/* ---- edges and attributes */

static void edges_with_data(void **state)
{
    (void)state;
    CUgraph graph;
    CUgraphExec exec;
    CUgraphNode a, b, empty, from[2], to[2];
    size_t count = 2;
    CUgraphEdgeData data[2], early = {.from_port = CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC,
                                      .type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC};
    CUgraphEdgeData bad = {.from_port = 7}, to_port = {.to_port = 1};
    OK(cuGraphCreate(&graph, 0));
    a = add_kernel(graph, NULL, 6);
    b = add_kernel(graph, NULL, 6);
    OK(cuGraphAddEmptyNode(&empty, graph, NULL, 0));
    FAILS(INVALID_VALUE, cuGraphAddDependencies(graph, &a, &b, &bad, 1));
    FAILS(INVALID_VALUE, cuGraphAddDependencies(graph, &a, &b, &to_port, 1));
    FAILS(INVALID_VALUE, cuGraphAddDependencies(graph, &empty, &b, &early, 1)); /* from kernels only */
    FAILS(INVALID_VALUE, cuGraphAddDependencies(graph, &a, &empty, &early, 1)); /* to kernels only */
    OK(cuGraphAddDependencies(graph, &a, &b, &early, 1));
    FAILS(LOSSY_QUERY, cuGraphGetEdges(graph, from, to, NULL, &count));
    OK(cuGraphGetEdges(graph, from, to, data, &count));
    assert_int_equal(count, 1);
    assert_memory_equal(&data[0], &early, sizeof early);
    FAILS(LOSSY_QUERY, cuGraphNodeGetDependentNodes(a, to, NULL, &count));
    count = 2;
    OK(cuGraphNodeGetDependencies(b, from, data, &count));
    assert_int_equal(data[0].type, CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC);
    FAILS(INVALID_VALUE, cuGraphRemoveDependencies(graph, &a, &b, NULL, 1)); /* there is no plain edge */
    OK(cuMemsetD32(memory, 0, 8));
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, NULL));
    OK(cuCtxSynchronize());
    assert_int_equal(word(6), 2);
    OK(cuGraphRemoveDependencies(graph, &a, &b, &early, 1));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

static void attributes(void **state)
{
    (void)state;
    CUgraph graph;
    CUstream stream;
    CUlaunchAttributeValue value, got;
    OK(cuGraphCreate(&graph, 0));
    CUgraphNode a = add_kernel(graph, NULL, 7), b = add_kernel(graph, NULL, 7);
    memset(&value, 0, sizeof value);
    value.accessPolicyWindow = (CUaccessPolicyWindow){
        (void *)(uintptr_t)memory, 4096, 0.5f, CU_ACCESS_PROPERTY_PERSISTING, CU_ACCESS_PROPERTY_STREAMING};
    OK(cuGraphKernelNodeSetAttribute(a, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &value));
    OK(cuGraphKernelNodeCopyAttributes(b, a));
    OK(cuGraphKernelNodeGetAttribute(b, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &got));
    assert_int_equal(got.accessPolicyWindow.num_bytes, 4096);
    assert_int_equal(got.accessPolicyWindow.hitProp, CU_ACCESS_PROPERTY_PERSISTING);
    value.accessPolicyWindow.hitRatio = 2;
    FAILS(INVALID_VALUE, cuGraphKernelNodeSetAttribute(a, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &value));
    FAILS(INVALID_VALUE, cuGraphKernelNodeGetAttribute(a, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &got));
    OK(cuStreamCreate(&stream, 0));
    memset(&value, 0, sizeof value);
    value.syncPolicy = CU_SYNC_POLICY_YIELD;
    OK(cuStreamSetAttribute(stream, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
    OK(cuStreamGetAttribute(stream, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &got));
    assert_int_equal(got.syncPolicy, CU_SYNC_POLICY_YIELD);
    OK(cuStreamGetAttribute(stream, CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP, &got));
    assert_int_equal(got.memSyncDomainMap.remote, 1);
    FAILS(INVALID_VALUE, cuStreamSetAttribute(stream, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
    OK(cuStreamDestroy(stream));
    OK(cuGraphDestroy(graph));
}

/* The event of a launch completes after the kernel. */
static void launch_events(void **state)
{
    (void)state;
    CUevent begun, timed;
    CUstream a, b;
    CUdeviceptr at = memory + 32;
    void *args[] = {&at};
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&begun, CU_EVENT_DISABLE_TIMING));
    OK(cuEventCreate(&timed, CU_EVENT_DEFAULT));
    CUlaunchAttribute attribute = {.id = CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT};
    CUlaunchConfig config = {1, 1, 1, 1, 1, 1, 0, a, &attribute, 1};
    attribute.value.launchCompletionEvent.event = timed;
    FAILS(INVALID_VALUE, cuLaunchKernelEx(&config, one, args, NULL));
    attribute.value.launchCompletionEvent.event = begun;
    OK(cuMemsetD32(memory, 0, 16));
    OK(cuLaunchKernelEx(&config, one, args, NULL));
    OK(cuStreamWaitEvent(b, begun, 0));
    OK(cuMemcpyDtoDAsync(memory + 36, memory + 32, 4, b));
    OK(cuStreamSynchronize(b));
    assert_int_equal(word(9), 1);
    OK(cuEventDestroy(begun));
    OK(cuEventDestroy(timed));
    OK(cuStreamDestroy(a));
    OK(cuStreamDestroy(b));
}

/* ---- updates */

static void updates_say_what_changed(void **state)
{
    (void)state;
    CUgraph graph, other;
    CUgraphExec exec;
    CUgraphExecUpdateResultInfo info;
    CUgraphNode a, b, x, y;
    OK(cuGraphCreate(&graph, 0));
    a = add_kernel(graph, NULL, 0);
    b = add_kernel(graph, &a, 0);
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphCreate(&other, 0));
    x = add_kernel(other, NULL, 0);
    FAILS(GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(exec, other, &info));
    assert_int_equal(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    assert_null(info.errorNode);
    y = add_kernel(other, NULL, 0);
    FAILS(GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(exec, other, &info));
    assert_int_equal(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    assert_ptr_equal(info.errorNode, y); /* it has fewer dependencies */
    OK(cuGraphAddDependencies(other, &x, &y, NULL, 1));
    OK(cuGraphExecUpdate(exec, other, &info));
    assert_int_equal(info.result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
    OK(cuGraphDestroyNode(y));
    y = add_batch(other, &x, operation(CU_STREAM_MEM_OP_WRITE_VALUE_32, 0, 1));
    FAILS(GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(exec, other, &info));
    assert_int_equal(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED);
    assert_ptr_equal(info.errorNode, y);
    OK(cuGraphNodeSetEnabled(exec, b, 0)); /* handles of the first graph are still good */
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuGraphDestroy(other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(branches_run_at_once),
                                       cmocka_unit_test(batch_nodes),
                                       cmocka_unit_test(user_objects),
                                       cmocka_unit_test(owners_of_children),
                                       cmocka_unit_test(memory_outlives_graphs),
                                       cmocka_unit_test(freed_on_launch),
                                       cmocka_unit_test(freed_memory_is_taken_again),
                                       cmocka_unit_test(captured_memory_is_taken_again),
                                       cmocka_unit_test(edges_with_data),
                                       cmocka_unit_test(attributes),
                                       cmocka_unit_test(launch_events),
                                       cmocka_unit_test(updates_say_what_changed)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
