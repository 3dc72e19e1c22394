/* SPDX-License-Identifier: Apache-2.0 */
/* cuRAND as device work: generators of device and host agree, calls keep their order in streams and graphs, settings start a
 * generator again, statuses are those of the documentation, and a distribution made by the library is what kernels read. */
#include <cuda_runtime.h>
#include <curand.h>
#include <curand_discrete.h>

#include <cstdio>
#include <cstring>
#include <vector>

static int failures;
#define CHECK(condition)                                                                                                         \
    do {                                                                                                                         \
        if (!(condition)) std::printf("line %d: %s\n", __LINE__, #condition), failures++;                                        \
    } while (0)

static const int COUNT = 5000;
static unsigned *device;

static std::vector<unsigned> fetch()
{
    std::vector<unsigned> out(COUNT);
    CHECK(cudaMemcpy(out.data(), device, COUNT * 4, cudaMemcpyDeviceToHost) == cudaSuccess);
    return out;
}
static std::vector<unsigned> of_host(curandRngType_t type, int calls)
{
    curandGenerator_t g;
    std::vector<unsigned> out(COUNT);
    CHECK(curandCreateGeneratorHost(&g, type) == CURAND_STATUS_SUCCESS);
    for (int i = 0; i < calls; i++)
        CHECK(curandGenerate(g, out.data(), COUNT) == CURAND_STATUS_SUCCESS);
    CHECK(curandDestroyGenerator(g) == CURAND_STATUS_SUCCESS);
    return out;
}
static void types()
{
    const curandRngType_t all[] = {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_MTGP32,
                                   CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32};
    for (auto type : all) {
        curandGenerator_t g;
        CHECK(curandCreateGenerator(&g, type) == CURAND_STATUS_SUCCESS);
        CHECK(curandGenerate(g, device, COUNT) == CURAND_STATUS_SUCCESS);
        CHECK(curandGenerate(g, device, COUNT) == CURAND_STATUS_SUCCESS);
        CHECK(fetch() == of_host(type, 2));
        CHECK(curandDestroyGenerator(g) == CURAND_STATUS_SUCCESS);
        CHECK(curandGenerate(g, device, COUNT) == CURAND_STATUS_NOT_INITIALIZED);
    }
}
static void graphs()
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    curandGenerator_t g;
    cudaStreamCreate(&stream);
    curandCreateGenerator(&g, CURAND_RNG_PSEUDO_XORWOW);
    CHECK(curandSetStream(g, stream) == CURAND_STATUS_SUCCESS);
    CHECK(curandGenerateSeeds(g) == CURAND_STATUS_SUCCESS);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    CHECK(curandGenerate(g, device, COUNT) == CURAND_STATUS_SUCCESS);
    CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
    CHECK(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
    for (int i = 0; i < 3; i++)
        CHECK(cudaGraphLaunch(exec, stream) == cudaSuccess);
    cudaStreamSynchronize(stream);
    CHECK(fetch() == of_host(CURAND_RNG_PSEUDO_XORWOW, 3)); /* each launch goes on */
    curandDestroyGenerator(g);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
}
static void settings()
{
    curandGenerator_t g;
    int value = 0;
    CHECK(curandGetVersion(&value) == CURAND_STATUS_SUCCESS && value >= 10000);
    CHECK(curandCreateGenerator(&g, (curandRngType_t)7) == CURAND_STATUS_TYPE_ERROR);
    curandCreateGenerator(&g, CURAND_RNG_PSEUDO_XORWOW);
    CHECK(curandSetQuasiRandomGeneratorDimensions(g, 2) == CURAND_STATUS_TYPE_ERROR);
    CHECK(curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT) == CURAND_STATUS_OUT_OF_RANGE);
    CHECK(curandGenerateNormal(g, (float *)device, 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    CHECK(curandGenerateLongLong(g, (unsigned long long *)device, 4) == CURAND_STATUS_TYPE_ERROR);
    CHECK(curandGeneratePoisson(g, device, 4, 0) == CURAND_STATUS_OUT_OF_RANGE);
    CHECK(curandSetGeneratorOffset(g, COUNT) == CURAND_STATUS_SUCCESS);
    CHECK(curandGenerate(g, device, COUNT) == CURAND_STATUS_SUCCESS);
    CHECK(fetch() == of_host(CURAND_RNG_PSEUDO_XORWOW, 2));
    curandDestroyGenerator(g);
    curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32);
    CHECK(curandSetPseudoRandomGeneratorSeed(g, 2) == CURAND_STATUS_TYPE_ERROR);
    CHECK(curandSetQuasiRandomGeneratorDimensions(g, 20001) == CURAND_STATUS_OUT_OF_RANGE);
    CHECK(curandSetQuasiRandomGeneratorDimensions(g, 3) == CURAND_STATUS_SUCCESS);
    CHECK(curandGenerate(g, device, 4) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    CHECK(curandGenerate(g, device, 6) == CURAND_STATUS_SUCCESS);
    auto out = fetch();
    CHECK(out[0] == 0 && out[1] == 0x80000000u && out[2] == 0 && out[5] == 0x80000000u);
    curandDestroyGenerator(g);
}
static __global__ void read(curandDiscreteDistribution_t distribution, unsigned *out)
{
    out[0] = distribution->method;
    out[1] = distribution->M2->shift;
    out[2] = distribution->M2->length;
    out[3] = distribution->M2->histogram->K[0];
}
static void distributions()
{
    curandDiscreteDistribution_t distribution;
    CHECK(curandCreatePoissonDistribution(10, &distribution) == CURAND_STATUS_SUCCESS);
    read<<<1, 1>>>(distribution, device);
    auto out = fetch();
    CHECK(out[0] == CURAND_M2 && out[1] == 0 && out[2] == 304 && out[3] == 19);
    CHECK(curandDestroyDistribution(distribution) == CURAND_STATUS_SUCCESS);
}

int main()
{
    cudaMalloc(&device, COUNT * 4);
    types();
    graphs();
    settings();
    distributions();
    cudaFree(device);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    std::puts(failures ? "failed" : "ok");
    return failures != 0;
}
