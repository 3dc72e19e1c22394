/* SPDX-License-Identifier: Apache-2.0 */
/* Sequences of calls about events, captures and graphs. */
#define _GNU_SOURCE
#include "conform.h"

#define OF(type, kind) ((type)(uintptr_t)conform_good(kind))

static CUresult launch(CUfunction function, CUstream stream)
{
    static int one = 1;
    void *params[] = {&one};
    return cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL);
}

static void CUDA_CB calls_back(void *user)
{
    CUdeviceptr p = 0;
    *(CUresult *)user = cuMemAlloc(&p, 16);
}

void conform_events(void)
{
    CUevent e, f, g;
    float time = 77;
    CUstream stream = OF(CUstream, "stream");
    CUdeviceptr flag = conform_good("pinned");
    *(volatile int *)(uintptr_t)flag = 0;
    MUST(cuEventCreate(&e, 0));
    MUST(cuEventCreate(&f, 0));
    MUST(cuEventCreate(&g, CU_EVENT_DISABLE_TIMING));
    ASK(cuEventQuery(e));
    ASK(cuEventSynchronize(e));
    ASK(cuStreamWaitEvent(stream, e, 0));
    ASK(cuEventElapsedTime(&time, e, f));
    ASK(cuEventRecord(e, stream));
    MUST(cuStreamSynchronize(stream));
    ASK(cuEventElapsedTime(&time, e, f));
    ASK(cuEventElapsedTime(&time, e, e));
    TELL("time of nothing", "%g", (double)time);
    ASK(cuEventRecord(g, stream));
    MUST(cuStreamSynchronize(stream));
    ASK(cuEventElapsedTime(&time, e, g));
    void *with[] = {&flag};
    MUST(cuLaunchKernel(conform_function("waits"), 1, 1, 1, 1, 1, 1, 0, stream, with, NULL));
    ASK(cuEventRecord(f, stream));
    ASK(cuEventQuery(f));
    ASK(cuEventElapsedTime(&time, e, f));
    ASK(cuEventElapsedTime(&time, f, e));
    ASK(cuStreamQuery(stream));
    ASK(cuEventDestroy(f));
    CUdevprop unused;
    (void)unused;
    *(volatile int *)(uintptr_t)flag = 1;
    ASK(cuStreamSynchronize(stream));
    ASK(cuEventQuery(f));
    CUresult inside = (CUresult)12345;
    ASK(cuLaunchHostFunc(stream, calls_back, &inside));
    MUST(cuStreamSynchronize(stream));
    TELL("an allocation in a host function", "%s", conform_error(inside));
}

static void end_elsewhere(void *stream)
{
    CUgraph graph;
    cuCtxSetCurrent(conform_context);
    ASK(cuStreamEndCapture(stream, &graph));
}

void conform_captures(void)
{
    CUstream s = OF(CUstream, "stream"), t;
    CUevent e;
    CUgraph graph = NULL;
    CUdeviceptr p, dev = conform_good("dev");
    char byte = 0;
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    CUfunction empty = conform_function("empty");
    MUST(cuStreamCreate(&t, CU_STREAM_NON_BLOCKING));
    MUST(cuEventCreate(&e, 0));
#define STATUS(when) (MUST(cuStreamIsCapturing(s, &status)), (void)0)
#define BEGIN(mode)  MUST(cuStreamBeginCapture_v2(s, mode))
#define FINISH()     ((void)cuStreamEndCapture(s, &graph))
    BEGIN(CU_STREAM_CAPTURE_MODE_GLOBAL);
    ASK(cuStreamBeginCapture_v2(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ASK(launch(empty, s));
    ASK(launch(empty, NULL));
    ASK(cuStreamEndCapture(s, &graph));
    BEGIN(CU_STREAM_CAPTURE_MODE_GLOBAL);
    ASK(cuMemAlloc(&p, 16));
    ASK(cuStreamEndCapture(s, &graph));
    BEGIN(CU_STREAM_CAPTURE_MODE_RELAXED);
    ASK(cuMemAlloc(&p, 16));
    ASK(cuMemcpyHtoD(dev, &byte, 1));
    ASK(cuStreamEndCapture(s, &graph));
    BEGIN(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    ASK(cuMemFree(p));
    ASK(cuStreamEndCapture(s, &graph));
    BEGIN(CU_STREAM_CAPTURE_MODE_GLOBAL);
    ASK(cuStreamSynchronize(s));
    ASK(cuStreamIsCapturing(s, &status));
    TELL("status", "%d", (int)status);
    ASK(launch(empty, s));
    ASK(cuStreamEndCapture(s, &graph));
    ASK(cuStreamEndCapture(s, &graph));
    BEGIN(CU_STREAM_CAPTURE_MODE_GLOBAL);
    ASK(cuStreamQuery(s));
    ASK(cuStreamEndCapture(s, &graph));
    BEGIN(CU_STREAM_CAPTURE_MODE_GLOBAL);
    ASK(cuCtxSynchronize());
    ASK(cuStreamEndCapture(s, &graph));
    BEGIN(CU_STREAM_CAPTURE_MODE_GLOBAL);
    ASK(cuEventRecord(e, s));
    ASK(cuEventQuery(e));
    ASK(cuEventSynchronize(e));
    ASK(cuStreamEndCapture(s, &graph));
    ASK(cuEventQuery(e));
    BEGIN(CU_STREAM_CAPTURE_MODE_GLOBAL);
    MUST(cuEventRecord(e, s));
    ASK(cuStreamWaitEvent(t, e, 0));
    ASK(launch(empty, t));
    ASK(cuStreamEndCapture(t, &graph));
    ASK(cuStreamEndCapture(s, &graph));
    FINISH();
    BEGIN(CU_STREAM_CAPTURE_MODE_GLOBAL);
    MUST(cuEventRecord(e, s));
    MUST(cuStreamWaitEvent(t, e, 0));
    MUST(cuEventRecord(e, t));
    MUST(cuStreamWaitEvent(s, e, 0));
    ASK(cuStreamEndCapture(s, &graph));
    ASK(cuStreamIsCapturing(t, &status));
    TELL("status of the joined", "%d", (int)status);
    BEGIN(CU_STREAM_CAPTURE_MODE_GLOBAL);
    MUST(cuEventRecord(e, t));
    ASK(cuStreamWaitEvent(s, e, 0));
    FINISH();
    BEGIN(CU_STREAM_CAPTURE_MODE_GLOBAL);
    conform_thread(end_elsewhere, s);
    FINISH();
    BEGIN(CU_STREAM_CAPTURE_MODE_RELAXED);
    conform_thread(end_elsewhere, s);
    FINISH();
    BEGIN(CU_STREAM_CAPTURE_MODE_GLOBAL);
    ASK(cuMemAllocAsync(&p, 64, s));
    ASK(cuMemFreeAsync(p, s));
    ASK(cuMemFreeAsync(p, s));
    ASK(cuStreamAddCallback(s, (CUstreamCallback)(uintptr_t)calls_back, NULL, 0));
    ASK(cuStreamEndCapture(s, &graph));
    ASK(cuStreamBeginCapture_v2(NULL, CU_STREAM_CAPTURE_MODE_RELAXED));
    ASK(cuStreamBeginCapture_v2(CU_STREAM_PER_THREAD, CU_STREAM_CAPTURE_MODE_RELAXED));
    ASK(cuStreamEndCapture(CU_STREAM_PER_THREAD, &graph));
    BEGIN(CU_STREAM_CAPTURE_MODE_GLOBAL);
    ASK(cuStreamDestroy(s));
    ASK(cuMemAlloc(&p, 16));
    ASK(cuCtxSynchronize());
}

/* The graph that a capture under way makes, changed by hand. */
static const CUgraphNode *tail_of(CUstream s, CUgraph *graph, size_t *count)
{
    CUstreamCaptureStatus status;
    const CUgraphNode *needs = NULL;
    const CUgraphEdgeData *data;
    *count = 0;
    MUST(cuStreamGetCaptureInfo(s, &status, NULL, graph, &needs, &data, count));
    return needs;
}

void conform_captured_graphs(void)
{
    CUstream s = OF(CUstream, "stream");
    CUfunction empty = conform_function("empty");
    CUgraph graph, ended = NULL, other;
    CUgraphExec exec;
    CUgraphNode node, first;
    size_t count = 0;
    MUST(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
    MUST(launch(empty, s));
    const CUgraphNode *needs = tail_of(s, &graph, &count);
    TELL("nodes at the end", "%zu", count);
    first = needs[0];
    ASK(cuGraphAddEmptyNode(&node, graph, &first, 1));
    ASK(cuStreamUpdateCaptureDependencies(s, &node, NULL, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    ASK(cuGraphClone(&other, graph));
    ASK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    ASK(cuGraphDestroy(graph));
    MUST(launch(empty, s));
    ASK(cuStreamEndCapture(s, &ended));
    TELL("the same graph", "%d", graph == ended);
    ASK(cuGraphDestroy(ended));
    MUST(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
    MUST(launch(empty, s));
    MUST(launch(empty, s));
    needs = tail_of(s, &graph, &count);
    first = needs[0];
    ASK(cuGraphNodeGetDependencies(first, &node, NULL, &count));
    ASK(cuGraphDestroyNode(node));
    ASK(cuGraphDestroyNode(first));
    (void)tail_of(s, &graph, &count);
    TELL("nodes at the end afterwards", "%zu", count);
    ASK(launch(empty, s));
    ASK(cuStreamEndCapture(s, &ended));
    count = 0;
    ASK(cuGraphGetNodes(ended, NULL, &count));
    TELL("nodes", "%zu", count);
}

void conform_graphs(void)
{
    CUgraph g = OF(CUgraph, "graph"), other, clone;
    CUgraphNode x, y, n, list[8];
    CUgraphExec exec, second;
    CUgraphExecUpdateResultInfo info;
    size_t count = 8;
    MUST(cuGraphAddEmptyNode(&x, g, NULL, 0));
    MUST(cuGraphAddEmptyNode(&y, g, &x, 1));
    ASK(cuGraphAddDependencies(g, &x, &y, NULL, 1));
    ASK(cuGraphAddDependencies(g, &y, &x, NULL, 1));
    ASK(cuGraphInstantiateWithFlags(&exec, g, 0));
    ASK(cuGraphRemoveDependencies(g, &y, &x, NULL, 1));
    ASK(cuGraphRemoveDependencies(g, &y, &x, NULL, 1));
    ASK(cuGraphInstantiateWithFlags(&exec, g, 0));
    MUST(cuGraphCreate(&other, 0));
    ASK(cuGraphAddEmptyNode(&n, other, &x, 1));
    ASK(cuGraphAddDependencies(other, &x, &y, NULL, 1));
    ASK(cuGraphAddEmptyNode(&n, g, (CUgraphNode[]){x, x}, 2));
    ASK(cuGraphAddChildGraphNode(&n, g, NULL, 0, g));
    ASK(cuGraphAddChildGraphNode(&n, other, NULL, 0, g));
    ASK(cuGraphChildGraphNodeGetGraph(n, &clone));
    ASK(cuGraphAddEmptyNode(&n, clone, NULL, 0));
    ASK(cuGraphDestroy(clone));
    ASK(cuGraphExecUpdate(exec, other, &info));
    TELL("update", "%d", (int)info.result);
    ASK(cuGraphExecUpdate(exec, g, &info));
    TELL("update to itself", "%d", (int)info.result);
    ASK(cuGraphClone(&clone, g));
    ASK(cuGraphNodeFindInClone(&n, x, clone));
    ASK(cuGraphNodeFindInClone(&n, n, clone));
    ASK(cuGraphNodeFindInClone(&n, x, g));
    ASK(cuGraphDestroyNode(y));
    ASK(cuGraphDestroyNode(y));
    ASK(cuGraphGetNodes(g, list, &count));
    TELL("count", "%zu", count);
    TELL("the rest is null", "%d", count < 8 && list[7] == NULL);
    count = 1;
    ASK(cuGraphGetNodes(g, list, &count));
    TELL("count of one", "%zu", count);
    ASK(cuGraphLaunch(exec, NULL));
    ASK(cuGraphDestroy(g));
    ASK(cuGraphLaunch(exec, NULL));
    ASK(cuGraphExecDestroy(exec));
    ASK(cuGraphLaunch(exec, NULL));
    MUST(cuGraphCreate(&g, 0));
    CUDA_MEM_ALLOC_NODE_PARAMS alloc = {.poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                                      .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}},
                                        .bytesize = 4096};
    ASK(cuGraphAddMemAllocNode(&x, g, NULL, 0, &alloc));
    ASK(cuGraphClone(&clone, g));
    ASK(cuGraphAddChildGraphNode(&n, other, NULL, 0, g));
    ASK(cuGraphAddMemFreeNode(&y, g, NULL, 0, alloc.dptr));
    ASK(cuGraphAddMemFreeNode(&y, g, &x, 1, alloc.dptr));
    ASK(cuGraphAddMemFreeNode(&y, g, &x, 1, alloc.dptr));
    ASK(cuGraphDestroyNode(x));
    ASK(cuGraphRemoveDependencies(g, &x, &y, NULL, 1));
    ASK(cuGraphInstantiateWithFlags(&exec, g, 0));
    ASK(cuGraphInstantiateWithFlags(&second, g, 0));
    ASK(cuGraphLaunch(exec, NULL));
    ASK(cuGraphLaunch(exec, NULL));
    ASK(cuGraphExecDestroy(exec));
    ASK(cuGraphInstantiateWithFlags(&exec, g, 0));
}
