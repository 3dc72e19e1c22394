/* SPDX-License-Identifier: Apache-2.0 */
/* Memory: symbols, constants, managed variables and allocations, pitched and pinned memory, pools. */
#include "api_check.h"
#include <cstring>
#include <cuda_runtime.h>

__constant__ float factors[3] = {1.0f, 2.0f, 3.0f};
__device__ int counter = 5;
#ifndef __clang__ /* clang has no managed variables */
__managed__ int shared_by_both = 7;
#endif

__global__ void apply(float *data)
{
    data[threadIdx.x] *= factors[threadIdx.x % 3];
    if (threadIdx.x == 0) counter += 1;
}

__global__ void add_one(int *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += 1;
}

#ifndef __clang__
__global__ void touch_managed()
{
    shared_by_both += 10;
}

static void managed_variable()
{
    CHECK(shared_by_both == 7);
    shared_by_both = 8;
    touch_managed<<<1, 1>>>();
    OK(cudaDeviceSynchronize());
    CHECK(shared_by_both == 18);
}
#else
static void managed_variable() {}
#endif

static void symbols()
{
    float *data, host[6] = {1, 1, 1, 1, 1, 1}, changed = 20.0f;
    int value = 0;
    OK(cudaMalloc(&data, sizeof(host)));
    OK(cudaMemcpy(data, host, sizeof(host), cudaMemcpyHostToDevice));
    OK(cudaMemcpyToSymbol(factors, &changed, sizeof(float), sizeof(float)));
    apply<<<1, 6>>>(data);
    OK(cudaMemcpy(host, data, sizeof(host), cudaMemcpyDeviceToHost));
    CHECK(host[0] == 1 && host[1] == 20 && host[2] == 3 && host[4] == 20);
    OK(cudaMemcpyFromSymbol(&value, counter, sizeof(int)));
    CHECK(value == 6);
    int *address;
    OK(cudaGetSymbolAddress((void **)&address, counter));
    add_one<<<1, 1>>>(address, 1);
    OK(cudaMemcpyFromSymbol(&value, counter, sizeof(int)));
    CHECK(value == 7);
    OK(cudaFree(data));
}

static void managed()
{
    int *data;
    OK(cudaMallocManaged(&data, 100 * sizeof(int)));
    for (int i = 0; i < 100; i++)
        data[i] = i;
    add_one<<<4, 32>>>(data, 100);
    OK(cudaDeviceSynchronize());
    CHECK(data[0] == 1 && data[99] == 100);
    cudaPointerAttributes attributes;
    OK(cudaPointerGetAttributes(&attributes, data));
    CHECK(attributes.type == cudaMemoryTypeManaged);
    OK(cudaFree(data));
}

static void pinned()
{
    int *host, *device, plain[64] = {0};
    OK(cudaHostAlloc(&host, 64 * sizeof(int), cudaHostAllocMapped));
    std::memset(host, 0, 64 * sizeof(int));
    OK(cudaHostGetDevicePointer(&device, host, 0));
    add_one<<<2, 32>>>(device, 64);
    OK(cudaDeviceSynchronize());
    CHECK(host[63] == 1);
    OK(cudaFreeHost(host));
    OK(cudaHostRegister(plain, sizeof(plain), cudaHostRegisterMapped));
    OK(cudaHostGetDevicePointer(&device, plain, 0));
    add_one<<<2, 32>>>(device, 64);
    OK(cudaDeviceSynchronize());
    CHECK(plain[31] == 1);
    OK(cudaHostUnregister(plain));
}

static void pitched()
{
    const int w = 30, h = 9;
    int host[h][w], back[h][w];
    char *data;
    size_t pitch;
    for (int i = 0; i < w * h; i++)
        (&host[0][0])[i] = i;
    OK(cudaMallocPitch(&data, &pitch, w * sizeof(int), h));
    CHECK(pitch >= w * sizeof(int) && pitch % 32 == 0);
    OK(cudaMemset2D(data, pitch, 0, w * sizeof(int), h));
    OK(cudaMemcpy2D(data, pitch, host, sizeof(host[0]), w * sizeof(int), h, cudaMemcpyHostToDevice));
    add_one<<<1, 32>>>(reinterpret_cast<int *>(data + 4 * pitch), w);
    OK(cudaMemcpy2D(back, sizeof(back[0]), data, pitch, w * sizeof(int), h, cudaMemcpyDeviceToHost));
    CHECK(back[3][29] == host[3][29] && back[4][29] == host[4][29] + 1);
    OK(cudaFree(data));
}

static void pools()
{
    int supported = 0, *data, host[32];
    OK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
    if (!supported) return;
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    OK(cudaMallocAsync(&data, sizeof(host), stream));
    OK(cudaMemsetAsync(data, 0, sizeof(host), stream));
    add_one<<<1, 32, 0, stream>>>(data, 32);
    OK(cudaMemcpyAsync(host, data, sizeof(host), cudaMemcpyDeviceToHost, stream));
    OK(cudaFreeAsync(data, stream));
    OK(cudaStreamSynchronize(stream));
    CHECK(host[0] == 1 && host[31] == 1);
    OK(cudaStreamDestroy(stream));
}

int main()
{
    symbols();
    managed_variable();
    managed();
    pinned();
    pitched();
    pools();
    size_t unused = 0, total = 0;
    OK(cudaMemGetInfo(&unused, &total));
    CHECK(unused > 0 && unused <= total);
    std::puts("ok");
    return 0;
}
