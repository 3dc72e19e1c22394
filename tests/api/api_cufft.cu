/* SPDX-License-Identifier: Apache-2.0 */
/* cuFFT as device work: order in streams, captures, plans by number, work areas, errors. What transforms compute, and statuses, are
 * compared with a GPU's in tests/hw/libraries. Prints "ok". */
#include "api_check.h"

#include <cuda_runtime.h>
#include <cufft.h>
#include <cufftXt.h>

#include <cmath>
#include <vector>

#define FFT(call)                                                                                            \
    do {                                                                                                     \
        cufftResult status_ = (call);                                                                        \
        if (status_ != CUFFT_SUCCESS) {                                                                      \
            std::printf("%s:%d: %s: %d\n", __FILE__, __LINE__, #call, (int)status_);                         \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (0)

enum { N = 1000 };

__global__ void fill(cufftComplex *p, float value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) p[i] = make_cuFloatComplex(value, 0);
}

static cufftComplex first_of(const cufftComplex *p)
{
    cufftComplex value;
    OK(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}
static bool near(float a, float b)
{
    return std::fabs(a - b) <= 1e-5f * std::fabs(b);
}

static void order_in_streams(cufftComplex *a, cufftComplex *b)
{
    cudaStream_t stream;
    cufftHandle plan;
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    FFT(cufftPlan1d(&plan, N, CUFFT_C2C, 1));
    FFT(cufftSetStream(plan, stream));
    for (int turn = 1; turn <= 20; turn++) { /* kernels and transforms see each other's results */
        fill<<<(N + 255) / 256, 256, 0, stream>>>(a, (float)turn);
        FFT(cufftExecC2C(plan, a, b, CUFFT_FORWARD));
        FFT(cufftExecC2C(plan, b, b, CUFFT_INVERSE));
        OK(cudaStreamSynchronize(stream));
        CHECK(near(first_of(b).x, (float)turn * N));
    }
    FFT(cufftDestroy(plan));
    OK(cudaStreamDestroy(stream));
}

/* A graph outlives the plan that it was captured from. */
static void graphs(cufftComplex *a)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t launch;
    cufftHandle plan;
    size_t nodes = 0;
    OK(cudaStreamCreate(&stream));
    FFT(cufftPlan1d(&plan, N, CUFFT_C2C, 1));
    FFT(cufftSetStream(plan, stream));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    fill<<<(N + 255) / 256, 256, 0, stream>>>(a, 3);
    FFT(cufftExecC2C(plan, a, a, CUFFT_FORWARD));
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaGraphGetNodes(graph, nullptr, &nodes));
    CHECK(nodes == 2);
    OK(cudaGraphInstantiate(&launch, graph, 0));
    FFT(cufftDestroy(plan));
    OK(cudaMemset(a, 0, N * sizeof *a));
    for (int i = 0; i < 3; i++) {
        OK(cudaGraphLaunch(launch, stream));
        OK(cudaStreamSynchronize(stream));
        CHECK(near(first_of(a).x, 3 * N));
    }
    OK(cudaGraphExecDestroy(launch));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(stream));
}

static void numbers()
{
    std::vector<cufftHandle> plans(100);
    for (auto &plan : plans) {
        FFT(cufftCreate(&plan));
        for (auto &other : plans)
            CHECK(&other >= &plan || other != plan);
    }
    for (auto &plan : plans)
        FFT(cufftDestroy(plan));
    CHECK(cufftDestroy(plans[7]) == CUFFT_INVALID_PLAN);
    FFT(cufftDestroy(CUFFT_PLAN_NULL));
}

static void work_areas(cufftComplex *a)
{
    const int n = 1 << 20;
    cufftHandle plan;
    size_t estimate, size, made;
    void *area, *data;
    FFT(cufftEstimate1d(n, CUFFT_C2C, 1, &estimate));
    FFT(cufftCreate(&plan));
    FFT(cufftSetAutoAllocation(plan, 0));
    FFT(cufftMakePlan1d(plan, n, CUFFT_C2C, 1, &made));
    FFT(cufftGetSize(plan, &size));
    CHECK(size == made && size == estimate && size > 0);
    OK(cudaMalloc(&data, n * sizeof *a));
    OK(cudaMalloc(&area, size));
    CHECK(cufftExecC2C(plan, (cufftComplex *)data, (cufftComplex *)data, CUFFT_FORWARD) == CUFFT_NO_WORKSPACE);
    FFT(cufftSetWorkArea(plan, area));
    FFT(cufftExecC2C(plan, (cufftComplex *)data, (cufftComplex *)data, CUFFT_FORWARD));
    OK(cudaDeviceSynchronize());
    FFT(cufftDestroy(plan));
    OK(cudaFree(area));
    OK(cudaFree(data));
}

static void refused(cufftComplex *a)
{
    cufftHandle plan;
    int gpus[] = {0, 0};
    void *routine = nullptr;
    FFT(cufftCreate(&plan));
    CHECK(cufftXtSetGPUs(plan, 2, gpus) == CUFFT_INVALID_DEVICE);
    CHECK(cufftXtSetCallback(plan, &routine, CUFFT_CB_LD_COMPLEX, nullptr) == CUFFT_NOT_IMPLEMENTED);
    CHECK(cufftExecC2C(plan, a, a, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
    FFT(cufftDestroy(plan));
    FFT(cufftPlan1d(&plan, N, CUFFT_R2C, 1));
    CHECK(cufftExecC2C(plan, a, a, CUFFT_INVERSE) == CUFFT_INVALID_VALUE);
    FFT(cufftDestroy(plan));
}

/* Memory that is not the device's: an error of the context, later, as a kernel's. */
static void bad_memory(cufftComplex *a)
{
    cufftHandle plan;
    FFT(cufftPlan1d(&plan, N, CUFFT_C2C, 1));
    FFT(cufftExecC2C(plan, (cufftComplex *)64, a, CUFFT_FORWARD));
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
}

int main()
{
    cufftComplex *a, *b;
    OK(cudaMalloc(&a, N * sizeof *a));
    OK(cudaMalloc(&b, N * sizeof *b));
    order_in_streams(a, b);
    graphs(a);
    numbers();
    work_areas(a);
    refused(a);
    bad_memory(a);
    std::puts("ok");
    return 0;
}
