/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs whose kernels decide: conditional nodes (if, else, while, switch, nested), device graphs launched to
 * fire and forget, for the tail, as a sibling and by themselves, and programmatic dependent launch. */
#include "api_check.h"

static int *memory; /* managed */

__global__ void append(int *log, int value)
{
    int at = atomicAdd(log, 1);
    log[1 + at] = value;
}

__global__ void set(cudaGraphConditionalHandle handle, const int *value)
{
    cudaGraphSetConditional(handle, static_cast<unsigned>(*value));
}

/* One iteration of a loop that continues while something is left. */
__global__ void step(cudaGraphConditionalHandle handle, int *left)
{
    atomicAdd(&left[1], 1);
    cudaGraphSetConditional(handle, static_cast<unsigned>(--*left));
}

static void clear()
{
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 1024; i++)
        memory[i] = 0;
}

static cudaGraphNode_t kernel_node(cudaGraph_t graph, const cudaGraphNode_t *after, const void *kernel,
                                   void **args)
{
    cudaGraphNode_t node;
    cudaKernelNodeParams params = {};
    params.func = const_cast<void *>(kernel);
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = args;
    OK(cudaGraphAddKernelNode(&node, graph, after, after ? 1 : 0, &params));
    return node;
}

static cudaGraphNode_t append_node(cudaGraph_t graph, const cudaGraphNode_t *after, int *log, int value)
{
    void *args[] = {&log, &value};
    return kernel_node(graph, after, reinterpret_cast<const void *>(append), args);
}

static cudaGraphNode_t conditional(cudaGraph_t graph, const cudaGraphNode_t *after,
                                   cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                                   unsigned size, cudaGraph_t **bodies)
{
    cudaGraphNode_t node;
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = size;
    OK(cudaGraphAddNode(&node, graph, after, nullptr, after ? 1 : 0, &params));
    *bodies = params.conditional.phGraph_out;
    return node;
}

/* set -> if (1) else (2) -> 3 */
static void if_else()
{
    int *value = memory + 512, *log = memory;
    cudaGraph_t graph, *bodies;
    cudaGraphExec_t exec;
    cudaGraphConditionalHandle handle;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
    void *args[] = {&handle, &value};
    cudaGraphNode_t first = kernel_node(graph, nullptr, reinterpret_cast<const void *>(set), args);
    cudaGraphNode_t choice = conditional(graph, &first, handle, cudaGraphCondTypeIf, 2, &bodies);
    append_node(bodies[0], nullptr, log, 1);
    append_node(bodies[1], nullptr, log, 2);
    append_node(graph, &choice, log, 3);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int round = 0; round < 2; round++) {
        clear();
        *value = round ? 0 : 77;
        OK(cudaGraphLaunch(exec, 0));
        OK(cudaDeviceSynchronize());
        CHECK(log[0] == 2 && log[1] == (round ? 2 : 1) && log[2] == 3);
    }
    cudaGraphNodeType type;
    OK(cudaGraphNodeGetType(choice, &type));
    CHECK(type == cudaGraphNodeTypeConditional);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
}

static void switches()
{
    int *value = memory + 512, *log = memory;
    cudaGraph_t graph, *bodies;
    cudaGraphExec_t exec;
    cudaGraphConditionalHandle handle;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
    void *args[] = {&handle, &value};
    cudaGraphNode_t first = kernel_node(graph, nullptr, reinterpret_cast<const void *>(set), args);
    conditional(graph, &first, handle, cudaGraphCondTypeSwitch, 3, &bodies);
    for (int i = 0; i < 3; i++)
        append_node(bodies[i], nullptr, log, 10 + i);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int round = 0; round < 5; round++) {
        clear();
        *value = round;
        OK(cudaGraphLaunch(exec, 0));
        OK(cudaDeviceSynchronize());
        CHECK(log[0] == (round < 3) && (round >= 3 || log[1] == 10 + round));
    }
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
}

/* while (left) { step; fill; if (other) { append } }, the handle's default starts it; twice, to see the
 * default again */
static void loops()
{
    int *left = memory + 512, *value = memory + 520, *log = memory;
    cudaGraph_t graph, *body, *inner;
    cudaGraphExec_t exec;
    cudaGraphConditionalHandle handle, nested;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    conditional(graph, nullptr, handle, cudaGraphCondTypeWhile, 1, &body);
    void *args[] = {&handle, &left};
    cudaGraphNode_t at = kernel_node(body[0], nullptr, reinterpret_cast<const void *>(step), args);
    OK(cudaGraphConditionalHandleCreate(&nested, body[0], 0, 0));
    void *nested_args[] = {&nested, &value};
    at = kernel_node(body[0], &at, reinterpret_cast<const void *>(set), nested_args);
    at = conditional(body[0], &at, nested, cudaGraphCondTypeIf, 1, &inner);
    append_node(inner[0], nullptr, log, 9);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int round = 0; round < 2; round++) {
        clear();
        left[0] = 50;
        *value = round;
        OK(cudaGraphLaunch(exec, 0));
        OK(cudaDeviceSynchronize());
        CHECK(left[0] == 0 && left[1] == 50 && log[0] == (round ? 50 : 0));
    }
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
}

/* The body is filled by capture, as the guide shows it. */
static void captured_body()
{
    int *left = memory + 512, *log = memory;
    cudaGraph_t graph, *body, same;
    cudaGraphExec_t exec;
    cudaStream_t stream;
    cudaGraphConditionalHandle handle;
    OK(cudaStreamCreate(&stream));
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    conditional(graph, nullptr, handle, cudaGraphCondTypeWhile, 1, &body);
    OK(cudaStreamBeginCaptureToGraph(stream, body[0], nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
    append<<<1, 1, 0, stream>>>(log, 5);
    OK(cudaMemsetAsync(memory + 600, 1, 4, stream));
    step<<<1, 1, 0, stream>>>(handle, left);
    OK(cudaStreamEndCapture(stream, &same));
    CHECK(same == body[0]);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    clear();
    left[0] = 7;
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    CHECK(log[0] == 7 && memory[600] == 0x01010101);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(stream));
}

static void unused_and_misplaced()
{
    cudaGraph_t graph, *bodies;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    cudaGraphConditionalHandle handle;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
    cudaGraphInstantiateParams params = {};
    CHECK(cudaGraphInstantiateWithParams(&exec, graph, &params) != cudaSuccess);
    CHECK(params.result_out == cudaGraphInstantiateConditionalHandleUnused);
    cudaGraphNode_t choice = conditional(graph, nullptr, handle, cudaGraphCondTypeWhile, 1, &bodies);
    cudaHostNodeParams host = {[](void *) {}, nullptr};
    OK(cudaGraphAddHostNode(&node, bodies[0], nullptr, 0, &host));
    CHECK(cudaGraphInstantiateWithParams(&exec, graph, &params) != cudaSuccess);
    CHECK(params.result_out == cudaGraphInstantiateNodeOperationNotSupported);
    cudaGraphNodeParams again = {};
    again.type = cudaGraphNodeTypeConditional;
    again.conditional.handle = handle;
    again.conditional.type = cudaGraphCondTypeIf;
    again.conditional.size = 1;
    FAILS(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, &choice, nullptr, 1, &again)); /* used once */
    cudaGetLastError();
    OK(cudaGraphDestroy(graph));
}

/* ---- device graphs */

static cudaGraphExec_t device_graph(int *log, int value)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaGraphCreate(&graph, 0));
    append_node(graph, nullptr, log, value);
    OK(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch));
    OK(cudaGraphUpload(exec, 0));
    OK(cudaDeviceSynchronize());
    OK(cudaGraphDestroy(graph));
    return exec;
}

__global__ void launcher(cudaGraphExec_t first, cudaGraphExec_t tail_a, cudaGraphExec_t tail_b, int *errors)
{
    errors[0] = cudaGraphLaunch(tail_a, cudaStreamGraphTailLaunch);
    errors[1] = cudaGraphLaunch(tail_b, cudaStreamGraphTailLaunch);
    errors[2] = cudaGraphLaunch(first, cudaStreamGraphFireAndForget);
    errors[3] = cudaGraphLaunch(first, cudaStreamGraphFireAndForgetAsSibling);
    errors[4] = cudaGraphLaunch(first, 0); /* no stream for graphs */
    errors[5] = cudaGetCurrentGraphExec() != nullptr;
}

static void device_launches()
{
    int *log = memory, *errors = memory + 512;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec, fire = device_graph(log, 1), a = device_graph(log, 2), b = device_graph(log, 3);
    OK(cudaStreamCreate(&stream));
    clear();
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    launcher<<<1, 1, 0, stream>>>(fire, a, b, errors);
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int round = 0; round < 3; round++) {
        clear();
        OK(cudaGraphLaunch(exec, stream));
        append<<<1, 1, 0, stream>>>(log, 4); /* after all that the graph launched */
        OK(cudaStreamSynchronize(stream));
        for (int i = 0; i < 4; i++)
            CHECK(errors[i] == cudaSuccess);
        CHECK(errors[4] == cudaErrorInvalidValue && errors[5] == 0);
        CHECK(log[0] == 5 && log[1] == 1 && log[2] == 1 && log[3] == 2 && log[4] == 3 && log[5] == 4);
    }
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaGraphExecDestroy(fire));
    OK(cudaGraphExecDestroy(a));
    OK(cudaGraphExecDestroy(b));
    OK(cudaStreamDestroy(stream));
}

/* A device graph that launches itself until it has nothing left to do. */
__global__ void again(int *left, int *log)
{
    atomicAdd(log, 1);
    if (--*left > 0) cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}

static void self_launch()
{
    int *left = memory + 512, *log = memory;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaGraphCreate(&graph, 0));
    void *args[] = {&left, &log};
    kernel_node(graph, nullptr, reinterpret_cast<const void *>(again), args);
    OK(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch));
    clear();
    *left = 100;
    OK(cudaGraphLaunch(exec, 0));
    OK(cudaDeviceSynchronize());
    CHECK(*log == 100);
    cudaGraphExec_t refused;
    cudaGraphNode_t node;
    cudaHostNodeParams host = {[](void *) {}, nullptr};
    OK(cudaGraphAddHostNode(&node, graph, nullptr, 0, &host));
    CHECK(cudaGraphInstantiate(&refused, graph, cudaGraphInstantiateFlagDeviceLaunch) != cudaSuccess);
    cudaGetLastError();
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
}

/* ---- programmatic dependent launch */

__global__ void early(int *data)
{
    data[threadIdx.x] = static_cast<int>(threadIdx.x);
    cudaTriggerProgrammaticLaunchCompletion();
    data[threadIdx.x] += 100;
}

__global__ void late(const int *data, int *out)
{
    cudaGridDependencySynchronize();
    out[threadIdx.x] = data[threadIdx.x] * 2;
}

static void launch_late(cudaStream_t stream, int *data, int *out)
{
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(64);
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    OK(cudaLaunchKernelEx(&config, late, static_cast<const int *>(data), out));
}

static void programmatic()
{
    int *data = memory, *out = memory + 128;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaStreamCreate(&stream));
    for (int round = 0; round < 2; round++) {
        clear();
        if (round) OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        early<<<1, 64, 0, stream>>>(data);
        launch_late(stream, data, out);
        if (round) {
            cudaGraphNode_t from[1], to[1];
            cudaGraphEdgeData edge[1];
            size_t count = 1;
            OK(cudaStreamEndCapture(stream, &graph));
#if CUDART_VERSION >= 13000
            FAILS(cudaErrorLossyQuery, cudaGraphGetEdges(graph, from, to, nullptr, &count));
            cudaGetLastError();
            OK(cudaGraphGetEdges(graph, from, to, edge, &count));
            CHECK(count == 1 && edge[0].type == cudaGraphDependencyTypeProgrammatic);
            CHECK(edge[0].from_port == cudaGraphKernelNodePortProgrammatic);
#endif
            OK(cudaGraphInstantiate(&exec, graph, 0));
            OK(cudaGraphLaunch(exec, stream));
        }
        OK(cudaStreamSynchronize(stream));
        for (int i = 0; i < 64; i++)
            CHECK(out[i] == (i + 100) * 2);
    }
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(stream));
}

int main()
{
    OK(cudaMallocManaged(&memory, 4096));
    if_else();
    switches();
    loops();
    captured_body();
    unused_and_misplaced();
    device_launches();
    self_launch();
    programmatic();
    OK(cudaFree(memory));
    std::puts("ok");
    return 0;
}
