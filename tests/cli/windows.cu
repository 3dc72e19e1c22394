// SPDX-License-Identifier: Apache-2.0
// Read 16 MiB, 96 MiB of other data, and the 16 MiB again: by a graph, by one whose first node has an access-policy window, after
// a reset, and by a stream with the window. For tests/cli/windows.sh.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void read_all(const float *in, int n, float *out)
{
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += __ldcg(in + i);
    if (sum < 0) *out = sum;
}

static const int KEPT = 4 << 20, OTHERS = 24 << 20; // words
static float *kept, *others, *out;

static void run_graph(const cudaLaunchAttributeValue *window, cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node[3];
    int kept_count = KEPT, other_count = OTHERS;
    void *kept_params[] = {&kept, &kept_count, &out}, *other_params[] = {&others, &other_count, &out};
    cudaKernelNodeParams params = {};
    params.func = (void *)read_all;
    params.gridDim = dim3(216);
    params.blockDim = dim3(512);
    cudaGraphCreate(&graph, 0);
    for (int i = 0; i < 3; i++) {
        params.kernelParams = i == 1 ? other_params : kept_params;
        cudaGraphAddKernelNode(&node[i], graph, i ? &node[i - 1] : NULL, i > 0, &params);
    }
    if (window) cudaGraphKernelNodeSetAttribute(node[0], cudaLaunchAttributeAccessPolicyWindow, window);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
}

static void run_stream(cudaStream_t stream)
{
    read_all<<<216, 512, 0, stream>>>(kept, KEPT, out);
    read_all<<<216, 512, 0, stream>>>(others, OTHERS, out);
    read_all<<<216, 512, 0, stream>>>(kept, KEPT, out);
}

int main()
{
    cudaStream_t stream;
    cudaLaunchAttributeValue window = {};
    cudaMalloc(&kept, KEPT * sizeof *kept);
    cudaMalloc(&others, OTHERS * sizeof *others);
    cudaMalloc(&out, sizeof *out);
    cudaMemset(kept, 0, KEPT * sizeof *kept);
    cudaMemset(others, 0, OTHERS * sizeof *others);
    cudaStreamCreate(&stream);
    cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 24 << 20);
    window.accessPolicyWindow.base_ptr = kept;
    window.accessPolicyWindow.num_bytes = KEPT * sizeof *kept;
    window.accessPolicyWindow.hitRatio = 1;
    window.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    window.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    run_graph(NULL, stream);
    run_graph(&window, stream);
    cudaCtxResetPersistingL2Cache();
    run_stream(stream);
    cudaStreamSetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &window);
    run_stream(stream);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
