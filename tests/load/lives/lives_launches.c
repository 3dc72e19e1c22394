/* SPDX-License-Identifier: Apache-2.0 */
/* Launches: kernels and dimensions vary, on several streams with events between, and as graphs. A step is a
 * launch. */
#include "lives.h"

enum { STREAMS = 4, SHAPES = 8, GRAPH_EVERY = 64, GRAPH_NODES = 4 };
static CUmodule module;
static CUdeviceptr counter;
static CUfunction add, empty, work;

struct own {
    CUstream streams[STREAMS];
    CUevent events[STREAMS];
    CUgraphExec graph;
};
static _Thread_local struct own own;

static void begin(void)
{
    OK(cuModuleLoadData(&module, load_ptx));
    OK(cuMemAlloc(&counter, 64));
    OK(cuMemsetD32(counter, 0, 16));
    add = load_function(module, "add");
    empty = load_function(module, "empty");
    work = load_function(module, "work");
}

static void make_graph(void)
{
    CUgraph graph;
    void *params[] = {&counter};
    OK(cuStreamBeginCapture(own.streams[0], CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    for (int i = 0; i < GRAPH_NODES; i++)
        OK(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, own.streams[0], params, NULL));
    OK(cuStreamEndCapture(own.streams[0], &graph));
    OK(cuGraphInstantiate(&own.graph, graph, 0));
    OK(cuGraphDestroy(graph));
}

static void own_begin(void)
{
    for (int i = 0; i < STREAMS; i++) {
        OK(cuStreamCreate(&own.streams[i], i % 2 ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT));
        OK(cuEventCreate(&own.events[i], i % 2 ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING));
    }
    make_graph();
}

static void end(void)
{
    if (!own.graph) return;
    OK(cuGraphExecDestroy(own.graph));
    for (int i = 0; i < STREAMS; i++) {
        OK(cuStreamSynchronize(own.streams[i]));
        OK(cuStreamDestroy(own.streams[i]));
        OK(cuEventDestroy(own.events[i]));
    }
    own = (struct own){0};
}

static void kernel(uint64_t step, CUstream stream)
{
    unsigned shape = (unsigned)(step / 3 % SHAPES), rounds = 3;
    void *params[] = {&counter, &rounds};
    CUfunction function = step % 3 == 0 ? add : step % 3 == 1 ? empty : work;
    OK(cuLaunchKernel(function, 1 + shape % 2, 1, 1, 1 + shape * 5, 1 + shape % 3, 1, shape * 64, stream,
                      params, NULL));
}

static void step(uint64_t step)
{
    if (!own.graph) own_begin();
    unsigned s = (unsigned)(step % STREAMS), next = (s + 1) % STREAMS;
    kernel(step, own.streams[s]);
    if (step % 8 == 0) {
        OK(cuEventRecord(own.events[s], own.streams[s]));
        OK(cuStreamWaitEvent(own.streams[next], own.events[s], 0));
    }
    if (step % GRAPH_EVERY == 0) OK(cuGraphLaunch(own.graph, own.streams[next]));
    if (step % 100000 == 99999) OK(cuCtxSynchronize());
}

const struct life lives_launches[] = {
    {"launches", "kernels of several shapes on four streams, events, graphs", begin, step, end, 30000},
    {.name = NULL},
};
