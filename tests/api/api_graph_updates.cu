/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel nodes that kernels change: parameters, grids, on and off, several at once, in a loop's body and in a
 * capture; what lasts from launch to launch, what the host overrides, and what is refused. */
#include "api_check.h"

static int *memory; /* managed */

/* Writes value for each of its blocks: memory[0] counts blocks, memory[1] keeps the last value, and big's
 * last word comes along. */
struct big {
    int words[100];
};
__global__ void target(int *to, int value, big rest)
{
    atomicAdd(&to[0], 1);
    to[1] = value;
    to[2] = rest.words[99];
}

__global__ void set_value(cudaGraphDeviceNode_t node, int value, int *errors)
{
    errors[0] = cudaGraphKernelNodeSetParam(node, sizeof(int *), value);
}

__global__ void set_big(cudaGraphDeviceNode_t node, int *errors)
{
    big rest;
    for (int i = 0; i < 100; i++)
        rest.words[i] = 1000 + i;
    errors[0] = cudaGraphKernelNodeSetParam(node, sizeof(int *) + sizeof(int), rest);
}

__global__ void set_grid(cudaGraphDeviceNode_t node, int x, int y, int *errors)
{
    errors[0] = cudaGraphKernelNodeSetGridDim(node, dim3(x, y));
}

__global__ void set_enabled(cudaGraphDeviceNode_t node, bool on, int *errors)
{
    errors[0] = cudaGraphKernelNodeSetEnabled(node, on);
}

__global__ void set_all(cudaGraphDeviceNode_t node, int *errors)
{
    int value = 55;
    alignas(8) char space[3 * sizeof(cudaGraphKernelNodeUpdate)]; /* it has no default constructor */
    auto *updates = reinterpret_cast<cudaGraphKernelNodeUpdate *>(space);
    for (int i = 0; i < 3; i++)
        updates[i].node = node;
    updates[0].field = cudaGraphKernelNodeFieldGridDim;
    updates[0].updateData.gridDim = dim3(6);
    updates[1].field = cudaGraphKernelNodeFieldParam;
    updates[1].updateData.param.pValue = &value;
    updates[1].updateData.param.offset = sizeof(int *);
    updates[1].updateData.param.size = sizeof value;
    updates[2].field = cudaGraphKernelNodeFieldEnabled;
    updates[2].updateData.isEnabled = 1;
    errors[0] = cudaGraphKernelNodeUpdatesApply(updates, 3);
    updates[0].field = cudaGraphKernelNodeFieldInvalid;
    errors[1] = cudaGraphKernelNodeUpdatesApply(updates, 1);
    errors[2] = cudaGraphKernelNodeSetGridDim(node, dim3(0));
    errors[3] = cudaGraphKernelNodeSetGridDim(node, dim3(1, 70000));
    errors[4] = cudaGraphKernelNodeSetParam(node, 410, value); /* 412 bytes */
    errors[5] = cudaGraphKernelNodeSetEnabled(reinterpret_cast<cudaGraphDeviceNode_t>(errors), true);
}

static cudaGraphNode_t target_node(cudaGraph_t graph, const cudaGraphNode_t *after, int value)
{
    static big rest;
    cudaGraphNode_t node;
    cudaKernelNodeParams params = {};
    void *args[] = {&memory, &value, &rest};
    params.func = reinterpret_cast<void *>(target);
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = args;
    OK(cudaGraphAddKernelNode(&node, graph, after, after ? 1 : 0, &params));
    return node;
}

static cudaGraphDeviceNode_t updatable(cudaGraphNode_t node)
{
    cudaLaunchAttributeValue value = {}, again = {};
    value.deviceUpdatableKernelNode.deviceUpdatable = 1;
    OK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &value));
    OK(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &again));
    CHECK(value.deviceUpdatableKernelNode.devNode != nullptr);
    CHECK(again.deviceUpdatableKernelNode.deviceUpdatable == 1);
    CHECK(again.deviceUpdatableKernelNode.devNode == value.deviceUpdatableKernelNode.devNode);
    return value.deviceUpdatableKernelNode.devNode;
}

static void clear()
{
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 1024; i++)
        memory[i] = 0;
}

static void launch(cudaGraphExec_t exec)
{
    clear();
    OK(cudaGraphLaunch(exec, 0));
    OK(cudaDeviceSynchronize());
}

/* From outside of the graph: what is changed lasts until the host changes the node. */
static void from_outside()
{
    int *errors = memory + 512;
    cudaGraph_t graph;
    cudaGraphExec_t exec, second;
    OK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t node = target_node(graph, nullptr, 7);
    cudaGraphDeviceNode_t handle = updatable(node);
    set_value<<<1, 1>>>(handle, 1, errors);
    OK(cudaDeviceSynchronize());
    CHECK(errors[0] == cudaErrorInvalidValue); /* not instantiated yet */
    OK(cudaGraphInstantiate(&exec, graph, 0));
    launch(exec);
    CHECK(memory[0] == 1 && memory[1] == 7 && memory[2] == 0);
    set_value<<<1, 1>>>(handle, 8, errors);
    OK(cudaDeviceSynchronize());
    CHECK(errors[0] == cudaSuccess);
    set_big<<<1, 1>>>(handle, errors);
    set_grid<<<1, 1>>>(handle, 3, 2, errors);
    launch(exec);
    CHECK(memory[0] == 6 && memory[1] == 8 && memory[2] == 1099);
    launch(exec);
    CHECK(memory[0] == 6 && memory[1] == 8);
    set_enabled<<<1, 1>>>(handle, false, errors);
    launch(exec);
    CHECK(memory[0] == 0);
    set_all<<<1, 1>>>(handle, errors);
    OK(cudaDeviceSynchronize());
    CHECK(errors[0] == cudaSuccess);
    for (int i = 1; i < 6; i++)
        CHECK(errors[i] == cudaErrorInvalidValue);
    launch(exec);
    CHECK(memory[0] == 6 && memory[1] == 55 && memory[2] == 1099);
    /* the host's word is the last */
    big rest = {};
    int value = 9;
    void *args[] = {&memory, &value, &rest};
    cudaKernelNodeParams params = {};
    params.func = reinterpret_cast<void *>(target);
    params.gridDim = dim3(2);
    params.blockDim = dim3(1);
    params.kernelParams = args;
    OK(cudaGraphExecKernelNodeSetParams(exec, node, &params));
    launch(exec);
    CHECK(memory[0] == 2 && memory[1] == 9 && memory[2] == 0);
    set_enabled<<<1, 1>>>(handle, false, errors);
    OK(cudaGraphNodeSetEnabled(exec, node, 1));
    launch(exec);
    CHECK(memory[0] == 2);
    /* one executable graph at a time; no update of all, no copies of attributes, no removal, no way back */
    CHECK(cudaGraphInstantiate(&second, graph, 0) != cudaSuccess);
    cudaGraphExecUpdateResultInfo info;
    CHECK(cudaGraphExecUpdate(exec, graph, &info) == cudaErrorGraphExecUpdateFailure);
    CHECK(cudaGraphDestroyNode(node) != cudaSuccess);
    cudaLaunchAttributeValue off = {};
    CHECK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &off) ==
          cudaErrorInvalidValue);
    (void)cudaGetLastError();
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphInstantiate(&second, graph, 0));
    launch(second);
    CHECK(memory[0] == 1 && memory[1] == 7);
    OK(cudaGraphExecDestroy(second));
    OK(cudaGraphDestroy(graph));
}

/* A node before it decides, in the same launch, each time anew. */
__global__ void decide(cudaGraphDeviceNode_t node, int *iteration)
{
    int now = ++*iteration;
    cudaGraphKernelNodeSetParam(node, sizeof(int *), 100 * now);
    cudaGraphKernelNodeSetGridDim(node, dim3(now));
    cudaGraphKernelNodeSetEnabled(node, now != 2);
}

static void from_inside()
{
    int *iteration = memory + 512;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphDeviceNode_t handle;
    OK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t node = target_node(graph, nullptr, 7), first;
    handle = updatable(node);
    cudaKernelNodeParams params = {};
    void *args[] = {&handle, &iteration};
    params.func = reinterpret_cast<void *>(decide);
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = args;
    OK(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &params));
    OK(cudaGraphAddDependencies(graph, &first, &node, nullptr, 1));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphUpload(exec, 0));
    clear();
    for (int i = 1; i <= 3; i++) {
        memory[0] = memory[1] = 0;
        OK(cudaGraphLaunch(exec, 0));
        OK(cudaDeviceSynchronize());
        CHECK(memory[0] == (i == 2 ? 0 : i) && memory[1] == (i == 2 ? 0 : 100 * i));
    }
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
}

/* Each iteration of a loop sees the changes that its first node made. */
__global__ void next_iteration(cudaGraphConditionalHandle loop, cudaGraphDeviceNode_t node, int *iteration)
{
    int now = ++*iteration;
    cudaGraphKernelNodeSetGridDim(node, dim3(now));
    cudaGraphSetConditional(loop, now < 4);
}

static void in_a_loop()
{
    int *iteration = memory + 512;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphConditionalHandle loop;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphConditionalHandleCreate(&loop, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams choice = {};
    cudaGraphNode_t first;
    choice.type = cudaGraphNodeTypeConditional;
    choice.conditional.handle = loop;
    choice.conditional.type = cudaGraphCondTypeWhile;
    choice.conditional.size = 1;
    OK(cudaGraphAddNode(&first, graph, nullptr, nullptr, 0, &choice));
    cudaGraph_t body = choice.conditional.phGraph_out[0];
    cudaGraphNode_t node = target_node(body, nullptr, 7);
    cudaGraphDeviceNode_t handle = updatable(node);
    cudaKernelNodeParams params = {};
    void *args[] = {&loop, &handle, &iteration};
    params.func = reinterpret_cast<void *>(next_iteration);
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = args;
    OK(cudaGraphAddKernelNode(&first, body, nullptr, 0, &params));
    OK(cudaGraphAddDependencies(body, &first, &node, nullptr, 1));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    launch(exec);
    CHECK(memory[0] == 1 + 2 + 3 + 4);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
}

/* A captured launch takes the attribute; one that is not captured refuses it. */
static void captured()
{
    int *errors = memory + 512;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaStreamCreate(&stream));
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeDeviceUpdatableKernelNode;
    attribute.val.deviceUpdatableKernelNode.deviceUpdatable = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = dim3(1);
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    big rest = {};
    CHECK(cudaLaunchKernelEx(&config, target, memory, 3, rest) == cudaErrorNotSupported);
    (void)cudaGetLastError();
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    OK(cudaLaunchKernelEx(&config, target, memory, 3, rest));
    OK(cudaStreamEndCapture(stream, &graph));
    cudaGraphDeviceNode_t handle = attribute.val.deviceUpdatableKernelNode.devNode;
    CHECK(handle != nullptr);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    set_grid<<<1, 1>>>(handle, 5, 1, errors);
    launch(exec);
    CHECK(memory[0] == 5 && memory[1] == 3);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(stream));
}

int main()
{
    OK(cudaMallocManaged(&memory, 4096));
    from_outside();
    from_inside();
    in_a_loop();
    captured();
    OK(cudaFree(memory));
    std::puts("ok");
    return 0;
}
