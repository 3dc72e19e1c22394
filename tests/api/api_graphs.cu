/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs: built by hand and captured from streams, launched several times, parameters changed. */
#include "api_check.h"
#include <cuda_runtime.h>

__global__ void add(int *data, int value)
{
    data[threadIdx.x] += value;
}

static int host_calls;
static void on_host(void *user)
{
    host_calls += *static_cast<int *>(user);
}

static void by_hand()
{
    cudaGraph_t graph;
    cudaGraphNode_t clear, kernel, copy, call;
    cudaGraphExec_t exec;
    int *data, host[32], value = 3, one = 1;
    OK(cudaMalloc(&data, sizeof(host)));
    OK(cudaGraphCreate(&graph, 0));
    cudaMemsetParams fill = {};
    fill.dst = data;
    fill.elementSize = 4;
    fill.width = 32;
    fill.height = 1;
    OK(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &fill));
    void *args[] = {&data, &value};
    cudaKernelNodeParams params = {};
    params.func = (void *)add;
    params.gridDim = dim3(1);
    params.blockDim = dim3(32);
    params.kernelParams = args;
    OK(cudaGraphAddKernelNode(&kernel, graph, &clear, 1, &params));
    OK(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, host, data, sizeof(host), cudaMemcpyDeviceToHost));
    cudaHostNodeParams host_params = {on_host, &one};
    OK(cudaGraphAddHostNode(&call, graph, &copy, 1, &host_params));
    size_t count = 0;
    OK(cudaGraphGetNodes(graph, nullptr, &count));
    CHECK(count == 4);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; i++)
        OK(cudaGraphLaunch(exec, 0));
    OK(cudaStreamSynchronize(0));
    CHECK(host[0] == 3 && host[31] == 3 && host_calls == 3);
    value = 4;
    OK(cudaGraphExecKernelNodeSetParams(exec, kernel, &params));
    OK(cudaGraphLaunch(exec, 0));
    OK(cudaStreamSynchronize(0));
    CHECK(host[31] == 4);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaFree(data));
}

static void captured()
{
    cudaStream_t a, b;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int *x, *y, host[2][32];
    OK(cudaMalloc(&x, sizeof(host[0])));
    OK(cudaMalloc(&y, sizeof(host[0])));
    OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    OK(cudaEventCreate(&fork));
    OK(cudaEventCreate(&join));
    OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    OK(cudaMemsetAsync(x, 0, sizeof(host[0]), a));
    OK(cudaEventRecord(fork, a));
    OK(cudaStreamWaitEvent(b, fork, 0));
    OK(cudaMemsetAsync(y, 0, sizeof(host[0]), b));
    add<<<1, 32, 0, b>>>(y, 5);
    add<<<1, 32, 0, a>>>(x, 2);
    OK(cudaEventRecord(join, b));
    OK(cudaStreamWaitEvent(a, join, 0));
    OK(cudaMemcpyAsync(host[0], x, sizeof(host[0]), cudaMemcpyDeviceToHost, a));
    OK(cudaMemcpyAsync(host[1], y, sizeof(host[1]), cudaMemcpyDeviceToHost, a));
    cudaStreamCaptureStatus status;
    OK(cudaStreamIsCapturing(a, &status));
    CHECK(status == cudaStreamCaptureStatusActive);
    OK(cudaStreamEndCapture(a, &graph));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, a));
    OK(cudaStreamSynchronize(a));
    CHECK(host[0][7] == 2 && host[1][7] == 5);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(a));
    OK(cudaStreamDestroy(b));
}

int main()
{
    by_hand();
    captured();
    std::puts("ok");
    return 0;
}
