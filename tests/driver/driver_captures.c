/* SPDX-License-Identifier: Apache-2.0 */
/* Stream capture: calls that are not allowed, each with CUDA's error; capture modes; external events;
 * captures into existing graphs. */
#include "driver_context.h"

#include <pthread.h>

static CUdeviceptr memory;
static CUstream stream, other, blocking;
static CUevent event;

static int setup(void **state)
{
    driver_context_open(state);
    OK(cuMemAlloc(&memory, 4096));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
    OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    return 0;
}

static void begin(CUstream which, CUstreamCaptureMode mode)
{
    OK(cuStreamBeginCapture(which, mode));
    OK(cuMemsetD32Async(memory, 1, 4, which));
}

static void ends_invalid(CUstream which)
{
    CUgraph graph = (CUgraph)&graph;
    CUstreamCaptureStatus status;
    OK(cuStreamIsCapturing(which, &status));
    assert_int_equal(status, CU_STREAM_CAPTURE_STATUS_INVALIDATED);
    FAILS(STREAM_CAPTURE_INVALIDATED, cuMemsetD32Async(memory, 1, 4, which));
    FAILS(STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(which, &graph));
    assert_null(graph);
}

static void ends_well(CUstream which)
{
    CUgraph graph;
    OK(cuStreamEndCapture(which, &graph));
    OK(cuGraphDestroy(graph));
}

static void waiting_is_forbidden(void **state)
{
    (void)state;
    CUdeviceptr p;
    const CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
    begin(stream, mode);
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuStreamSynchronize(stream));
    ends_invalid(stream);
    begin(stream, mode);
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuStreamQuery(stream));
    ends_invalid(stream);
    begin(stream, mode);
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuCtxSynchronize());
    ends_invalid(stream);
    begin(stream, mode);
    OK(cuEventRecord(event, stream));
    FAILS(CAPTURED_EVENT, cuEventQuery(event));
    ends_invalid(stream);
    begin(stream, mode);
    OK(cuEventRecord(event, stream));
    FAILS(CAPTURED_EVENT, cuEventSynchronize(event));
    ends_invalid(stream);
    begin(stream, mode);
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuMemAlloc(&p, 64));
    ends_invalid(stream);
    begin(stream, mode);
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuCtxRecordEvent(context, event));
    ends_invalid(stream);
}

/* Work on the legacy stream is an error while a blocking stream is captured, because the legacy stream
 * would wait for it. */
static void legacy_stream(void **state)
{
    (void)state;
    begin(blocking, CU_STREAM_CAPTURE_MODE_RELAXED);
    FAILS(STREAM_CAPTURE_IMPLICIT, cuMemsetD32(memory, 0, 4));
    ends_invalid(blocking);
    begin(blocking, CU_STREAM_CAPTURE_MODE_RELAXED);
    FAILS(STREAM_CAPTURE_IMPLICIT, cuStreamSynchronize(NULL));
    ends_invalid(blocking);
    begin(blocking, CU_STREAM_CAPTURE_MODE_RELAXED);
    FAILS(STREAM_CAPTURE_IMPLICIT, cuEventRecord(event, NULL));
    ends_invalid(blocking);
    begin(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
    OK(cuMemsetD32(memory, 0, 4)); /* it does not wait for one that is not */
    ends_well(stream);
}

static void boundaries(void **state)
{
    (void)state;
    CUevent outside;
    CUgraph graph;
    OK(cuEventCreate(&outside, CU_EVENT_DISABLE_TIMING));
    OK(cuEventRecord(outside, other));
    begin(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
    FAILS(STREAM_CAPTURE_ISOLATION, cuStreamWaitEvent(stream, outside, 0)); /* of another time */
    ends_invalid(stream);
    begin(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
    begin(other, CU_STREAM_CAPTURE_MODE_RELAXED);
    OK(cuEventRecord(event, stream));
    FAILS(STREAM_CAPTURE_MERGE, cuStreamWaitEvent(other, event, 0)); /* two captures become one */
    ends_invalid(other);
    ends_well(stream);
    begin(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
    OK(cuEventRecord(event, stream));
    OK(cuStreamWaitEvent(other, event, 0));
    FAILS(STREAM_CAPTURE_UNMATCHED, cuStreamEndCapture(other, &graph));
    ends_invalid(stream); /* as an H200 answers */
    begin(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
    OK(cuEventRecord(event, stream));
    OK(cuStreamWaitEvent(other, event, 0));
    OK(cuMemsetD32Async(memory, 1, 4, other));
    FAILS(STREAM_CAPTURE_UNJOINED, cuStreamEndCapture(stream, &graph));
    OK(cuEventDestroy(outside));
}

/* ---- modes */

struct attempt {
    CUstreamCaptureMode mode;
    CUresult alloc, end;
};

static void *attempt(void *argument)
{
    struct attempt *a = argument;
    CUdeviceptr p = 0;
    CUgraph graph;
    CUstreamCaptureMode mode = a->mode;
    cuCtxSetCurrent(context);
    cuThreadExchangeStreamCaptureMode(&mode);
    a->alloc = cuMemAlloc(&p, 64);
    if (p) cuMemFree(p);
    a->end = cuStreamEndCapture(stream, &graph);
    return NULL;
}

static struct attempt in_thread(CUstreamCaptureMode mode)
{
    struct attempt a = {.mode = mode};
    pthread_t thread;
    pthread_create(&thread, NULL, attempt, &a);
    pthread_join(thread, NULL);
    return a;
}

static void modes(void **state)
{
    (void)state;
    const CUstreamCaptureMode global = CU_STREAM_CAPTURE_MODE_GLOBAL;
    const CUstreamCaptureMode local = CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
    const CUstreamCaptureMode relaxed = CU_STREAM_CAPTURE_MODE_RELAXED;
    CUdeviceptr p;
    CUstreamCaptureMode mode = relaxed;
    /* another thread, which is in its default (global) mode, and relaxed */
    begin(stream, global);
    struct attempt a = in_thread(global);
    assert_int_equal(a.end, CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
    assert_int_equal(a.alloc, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    ends_invalid(stream);
    begin(stream, global);
    assert_int_equal(in_thread(relaxed).alloc, CUDA_SUCCESS);
    ends_well(stream);
    begin(stream, global);
    assert_int_equal(in_thread(local).alloc, CUDA_SUCCESS);
    ends_well(stream);
    begin(stream, local);
    assert_int_equal(in_thread(global).alloc, CUDA_SUCCESS);
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuMemAlloc(&p, 64)); /* but not here */
    ends_invalid(stream);
    begin(stream, global);
    OK(cuThreadExchangeStreamCaptureMode(&mode));
    assert_int_equal(mode, global);
    OK(cuMemAlloc(&p, 64));
    OK(cuThreadExchangeStreamCaptureMode(&mode));
    ends_well(stream);
    OK(cuMemFree(p));
    mode = (CUstreamCaptureMode)3;
    FAILS(INVALID_VALUE, cuThreadExchangeStreamCaptureMode(&mode));
    begin(stream, relaxed);
    assert_int_equal(in_thread(global).end, CUDA_SUCCESS); /* relaxed captures may end anywhere */
}

/* ---- what captures become */

static void external_events(void **state)
{
    (void)state;
    CUgraph graph;
    CUgraphExec exec;
    CUgraphNode nodes[4];
    CUgraphNodeType types[3];
    size_t count = 4;
    FAILS(ILLEGAL_STATE, cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_EXTERNAL));
    FAILS(ILLEGAL_STATE, cuStreamWaitEvent(stream, event, CU_EVENT_WAIT_EXTERNAL));
    begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
    OK(cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_EXTERNAL));
    OK(cuStreamWaitEvent(stream, event, CU_EVENT_WAIT_EXTERNAL));
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuGraphGetNodes(graph, nodes, &count));
    assert_int_equal(count, 3);
    for (int i = 0; i < 3; i++)
        OK(cuGraphNodeGetType(nodes[i], &types[i]));
    assert_int_equal(types[1], CU_GRAPH_NODE_TYPE_EVENT_RECORD);
    assert_int_equal(types[2], CU_GRAPH_NODE_TYPE_WAIT_EVENT);
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, stream));
    OK(cuEventSynchronize(event)); /* it was recorded by the graph */
    OK(cuStreamSynchronize(stream));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

static void into_graphs(void **state)
{
    (void)state;
    CUgraph graph, same;
    CUgraphExec exec;
    CUgraphNode root, stranger, needs[2];
    CUgraph elsewhere;
    size_t count = 2;
    unsigned got;
    CUDA_MEMSET_NODE_PARAMS fill = {.dst = memory, .value = 5, .elementSize = 4, .width = 2, .height = 1};
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphCreate(&elsewhere, 0));
    OK(cuGraphAddMemsetNode(&root, graph, NULL, 0, &fill, context));
    OK(cuGraphAddEmptyNode(&stranger, elsewhere, NULL, 0));
    FAILS(INVALID_VALUE,
          cuStreamBeginCaptureToGraph(stream, graph, &stranger, NULL, 1, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuStreamBeginCaptureToGraph(stream, graph, &root, NULL, 1, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuMemcpyDtoDAsync(memory + 8, memory, 4, stream));
    FAILS(INVALID_VALUE,
          cuStreamUpdateCaptureDependencies(stream, &stranger, NULL, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
    OK(cuStreamEndCapture(stream, &same));
    assert_ptr_equal(graph, same);
    OK(cuGraphGetEdges(graph, NULL, NULL, NULL, &count));
    assert_int_equal(count, 1);
    OK(cuGraphGetNodes(graph, needs, &count));
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemcpyDtoH(&got, memory + 8, 4));
    assert_int_equal(got, 5);
    OK(cuStreamBeginCaptureToGraph(stream, graph, &root, NULL, 1, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuMemcpyDtoDAsync(memory + 12, memory, 4, stream));
    OK(cuStreamEndCapture(stream, NULL)); /* as CUDA's sample graphConditionalNodes ends one */
    OK(cuGraphGetNodes(graph, NULL, &count));
    assert_int_equal(count, 3);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuGraphDestroy(elsewhere));
}

/* A forked stream that has joined may be destroyed before the capture ends; its nodes stay. The end of
 * the capture fails if a forked stream was destroyed before it joined. */
static void destroyed_streams(void **state)
{
    (void)state;
    for (int joins = 0; joins < 2; joins++) {
        CUstream forked;
        CUgraph graph;
        size_t nodes = 0;
        CUstreamCaptureStatus status;
        OK(cuStreamCreate(&forked, CU_STREAM_NON_BLOCKING));
        begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
        OK(cuEventRecord(event, stream));
        OK(cuStreamWaitEvent(forked, event, 0));
        OK(cuMemsetD32Async(memory + 16, 2, 4, forked));
        OK(cuEventRecord(event, forked));
        if (joins) OK(cuStreamWaitEvent(stream, event, 0));
        OK(cuStreamDestroy(forked));
        OK(cuStreamIsCapturing(stream, &status));
        assert_int_equal(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
        if (!joins) {
            FAILS(STREAM_CAPTURE_UNJOINED, cuStreamEndCapture(stream, &graph));
            continue;
        }
        OK(cuMemsetD32Async(memory, 3, 4, stream));
        OK(cuStreamEndCapture(stream, &graph));
        OK(cuGraphGetNodes(graph, NULL, &nodes));
        assert_int_equal(nodes, 3);
        OK(cuGraphDestroy(graph));
    }
}

/* During a capture, calls may query the graph and add nodes to it, but may not destroy the graph or its
 * nodes. The graph ends with the capture. Recorded on two H200s. */
static void graphs_under_capture(void **state)
{
    (void)state;
    CUgraph graph, ended;
    CUstreamCaptureStatus status;
    CUgraphNode node;
    const CUgraphNode *needs;
    size_t count = 0;
    begin(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
    OK(cuStreamGetCaptureInfo(stream, &status, NULL, &graph, &needs, NULL, &count));
    CUgraphNode first = needs[0];
    OK(cuGraphAddEmptyNode(&node, graph, needs, count));
    OK(cuStreamUpdateCaptureDependencies(stream, &node, NULL, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    FAILS(ILLEGAL_STATE, cuGraphDestroy(graph));
    FAILS(ILLEGAL_STATE, cuGraphDestroyNode(node));
    FAILS(ILLEGAL_STATE, cuGraphDestroyNode(first));
    OK(cuMemsetD32Async(memory, 2, 4, stream));
    OK(cuStreamEndCapture(stream, &ended));
    assert_ptr_equal(graph, ended);
    OK(cuGraphGetNodes(ended, NULL, &count));
    assert_int_equal(count, 3);
    OK(cuGraphDestroy(ended));
    begin(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
    OK(cuStreamGetCaptureInfo(stream, &status, NULL, &graph, &needs, NULL, &count));
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuStreamQuery(stream));
    ends_invalid(stream);
    FAILS(INVALID_VALUE, cuGraphGetNodes(graph, NULL, &count));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting_is_forbidden), cmocka_unit_test(legacy_stream),
        cmocka_unit_test(boundaries),           cmocka_unit_test(modes),
        cmocka_unit_test(external_events),      cmocka_unit_test(into_graphs),
        cmocka_unit_test(destroyed_streams),    cmocka_unit_test(graphs_under_capture)};
    return cmocka_run_group_tests(tests, setup, driver_context_close);
}
