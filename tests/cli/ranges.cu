// SPDX-License-Identifier: Apache-2.0
// Kernels in ranges of NVTX: pushed and started, of domains, of two threads, in a graph, of a library's function.
// usage: ranges [N]    N > 0: so many launches in a range that stays open, and the time of one in ns
#include <cublas_v2.h>
#include <nvtx3/nvToolsExt.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

__global__ void outside() {}
__global__ void small(float *x) { x[threadIdx.x] += 1; }
__global__ void large(float *x)
{
    for (int i = 0; i < 1000; i++)
        x[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}
__global__ void worker() {}
__global__ void captured() {}

static nvtxDomainHandle_t solver;

static void push(const char *name, nvtxDomainHandle_t domain)
{
    nvtxEventAttributes_t event = {};
    event.version = NVTX_VERSION, event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_ASCII, event.message.ascii = name;
    nvtxDomainRangePushEx(domain, &event);
}

static void in_thread(float *)
{
    nvtxRangePushA("thread");
    worker<<<1, 32>>>();
    cudaDeviceSynchronize();
    nvtxRangePop();
}

static void launch_captured()
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamCreate(&stream);
    nvtxRangePushA("capture");
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    captured<<<1, 32, 0, stream>>>();
    cudaStreamEndCapture(stream, &graph);
    nvtxRangePop();
    cudaGraphInstantiate(&exec, graph, 0);
    nvtxRangePushA("replay");
    cudaGraphLaunch(exec, stream);
    nvtxRangePop();
    cudaStreamSynchronize(stream);
}

static void multiply(float *x)
{
    cublasHandle_t handle;
    const float one = 1, zero = 0;
    cublasCreate(&handle);
    nvtxRangePushA("blas");
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 64, 64, 64, &one, x, 64, x, 64, &zero, x + 64 * 64, 64);
    nvtxRangePop();
    cudaDeviceSynchronize();
    cublasDestroy(handle);
}

static int time_launches(int count, bool in_range)
{
    if (in_range) nvtxRangePushA("open");
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < count; i++)
        outside<<<1, 32>>>();
    cudaDeviceSynchronize();
    std::chrono::duration<double, std::nano> passed = std::chrono::steady_clock::now() - start;
    if (in_range) nvtxRangePop();
    std::printf("%s range: %.0f ns\n", in_range ? "in a" : "in no", passed.count() / count);
    return cudaGetLastError() != cudaSuccess;
}

int main(int argc, char **argv)
{
    float *x;
    if (cudaMalloc(&x, 1 << 20) != cudaSuccess) return 1;
    if (argc > 1) return time_launches(atoi(argv[1]), false) || time_launches(atoi(argv[1]), true);
    cudaMemset(x, 0, 1 << 20);
    solver = nvtxDomainCreateA("solver");
    outside<<<1, 32>>>();
    nvtxRangePushA("outer");
    small<<<1, 32>>>(x);
    for (int i = 0; i < 3; i++) {
        push("step", solver);
        large<<<64, 256>>>(x);
        push("inner", solver);
        small<<<1, 32>>>(x);
        nvtxDomainRangePop(solver);
        nvtxDomainRangePop(solver);
    }
    nvtxRangeId_t whole = nvtxRangeStartA("whole"), part = nvtxRangeStartA("a[0],b");
    nvtxRangePushA("mid/dle");
    nvtxRangePushA("deep");
    small<<<1, 32>>>(x);
    nvtxRangePop();
    nvtxRangePop();
    nvtxRangeEnd(part);
    std::thread(in_thread, x).join();
    nvtxRangeEnd(whole);
    nvtxRangePop();
    launch_captured();
    multiply(x);
    return cudaDeviceSynchronize() != cudaSuccess;
}
