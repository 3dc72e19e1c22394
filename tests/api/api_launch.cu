/* SPDX-License-Identifier: Apache-2.0 */
/* Launches: templates, structures by value, three dimensions, dynamic shared memory, nested argument
 * launches, attributes and limits of a kernel. */
#include "api_check.h"
#include <cuda_runtime.h>

struct shape {
    char tag;
    double scale;
    int offset;
};

template <class T> __global__ void scale(T *data, int n, shape s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = static_cast<T>(data[i] * s.scale + s.offset + (s.tag == 'x'));
}

__global__ void where(int *out)
{
    unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    out[block * threads + thread] = static_cast<int>(block * 1000 + thread);
}

__global__ void reverse(int *data)
{
    extern __shared__ int tile[];
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

template <class T> static void scaled(T first)
{
    const int n = 1000;
    T *data, host[n];
    for (int i = 0; i < n; i++)
        host[i] = static_cast<T>(i) + first;
    OK(cudaMalloc(&data, sizeof(host)));
    OK(cudaMemcpy(data, host, sizeof(host), cudaMemcpyHostToDevice));
    scale<T><<<(n + 127) / 128, 128>>>(data, n, shape{'x', 2.0, 10});
    OK(cudaGetLastError());
    OK(cudaMemcpy(host, data, sizeof(host), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        CHECK(host[i] == static_cast<T>((i + first) * 2 + 11));
    OK(cudaFree(data));
}

static void three_dimensions()
{
    dim3 grid(2, 3, 2), block(8, 2, 4);
    const int n = 12 * 64;
    int *out, host[n];
    OK(cudaMalloc(&out, sizeof(host)));
    where<<<grid, block>>>(out);
    OK(cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        CHECK(host[i] == i / 64 * 1000 + i % 64);
    OK(cudaFree(out));
}

static void shared_memory()
{
    int *data, host[100];
    for (int i = 0; i < 100; i++)
        host[i] = i;
    OK(cudaMalloc(&data, sizeof(host)));
    OK(cudaMemcpy(data, host, sizeof(host), cudaMemcpyHostToDevice));
    reverse<<<1, 100, sizeof(host)>>>(data);
    OK(cudaMemcpy(host, data, sizeof(host), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 100; i++)
        CHECK(host[i] == 99 - i);
    int most = 0;
    OK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    OK(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    reverse<<<1, 100, 60000>>>(data);
    OK(cudaDeviceSynchronize());
    OK(cudaFree(data));
}

static void attributes_and_limits()
{
    cudaFuncAttributes attributes;
    OK(cudaFuncGetAttributes(&attributes, where));
    CHECK(attributes.maxThreadsPerBlock == 1024);
    CHECK(attributes.numRegs > 0);
    CHECK(attributes.sharedSizeBytes == 0);
    int blocks = 0, grid = 0, block = 0;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, where, 256, 0));
    CHECK(blocks >= 1);
    OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, where));
    CHECK(block >= 32 && grid >= 1);
    where<<<1, 2048>>>(nullptr);
    FAILS(cudaErrorInvalidValue, cudaGetLastError());
    where<<<dim3(0, 1, 1), 32>>>(nullptr);
    FAILS(cudaErrorInvalidValue, cudaGetLastError());
    OK(cudaGetLastError());
}

int main()
{
    scaled<float>(1.5f);
    scaled<int>(3);
    scaled<unsigned short>(2);
    three_dimensions();
    shared_memory();
    attributes_and_limits();
    std::puts("ok");
    return 0;
}
