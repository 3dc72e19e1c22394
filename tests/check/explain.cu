// SPDX-License-Identifier: Apache-2.0
// Accesses that are wrong, whose addresses come about in many ways, and how softwarp check says so (explain.tsv).
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

enum { COUNT = 1000 };

__global__ void direct(float *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) data[i] = (float)i;
}

__global__ void gather(float *out, const int *order, const float *table, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = table[order[i]]; // LINE gather
}

__global__ void stride(float *data, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += gridDim.x * blockDim.x) // LINE stride
        data[i] = 1;
}

__global__ void square(float *out, const float *in, int width)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    out[row * width + column] = in[column * width + row];
}

__global__ void wide(double *data, long long first)
{
    data[first + threadIdx.x] = 2;
}

struct grid {
    int width, height;
    float *cells;
};
__global__ void structure(struct grid g)
{
    g.cells[blockIdx.x * g.width + threadIdx.x] = 1;
}

__global__ void chosen(int *data, int n)
{
    int i = threadIdx.x < 20 ? (int)threadIdx.x : n;
    data[i] = 4;
}

__global__ void tile(int *data)
{
    __shared__ int rows[64];
    rows[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = rows[threadIdx.x * 2 + 1];
}

__global__ void unaligned(char *data)
{
    *(int *)(data + 3 * threadIdx.x) = 1;
}

__global__ void unwritten(const int *in, int *out)
{
    out[threadIdx.x] = in[threadIdx.x + 1] + 1;
}

__global__ void negative(int *data, unsigned distance)
{
    data[threadIdx.x - distance] = 7;
}

__global__ void copied(const int *in, int *out) // a thread uses what its own copy brings
{
    __shared__ int tile[32];
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(&tile[threadIdx.x])),
                 "l"(in + threadIdx.x)
                 : "memory");
    out[threadIdx.x] = tile[threadIdx.x];
    asm volatile("cp.async.wait_all;" ::: "memory");
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    float *data;
    int *order, *clear, numbers[COUNT];
    for (int i = 0; i < COUNT; i++)
        numbers[i] = i == 700 ? 123456 : i;
    cudaMalloc(&data, COUNT * sizeof *data);
    cudaMalloc(&order, sizeof numbers);
    cudaMalloc(&clear, sizeof numbers);
    cudaMemcpy(order, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    if (strcmp(name, "direct") == 0) direct<<<4, 256>>>(data, COUNT);
    if (strcmp(name, "gather") == 0) gather<<<4, 256>>>(data, order, data, COUNT);
    if (strcmp(name, "stride") == 0) stride<<<2, 128>>>(data, COUNT);
    if (strcmp(name, "square") == 0) square<<<dim3(2, 2), dim3(16, 16)>>>(data, data, 32);
    if (strcmp(name, "wide") == 0) wide<<<1, 64>>>((double *)data, 480);
    if (strcmp(name, "structure") == 0) structure<<<4, 256>>>(grid{256, 4, data});
    if (strcmp(name, "chosen") == 0) chosen<<<1, 32>>>(order, COUNT);
    if (strcmp(name, "tile") == 0) tile<<<1, 64>>>(order);
    if (strcmp(name, "unaligned") == 0) unaligned<<<1, 32>>>((char *)data);
    if (strcmp(name, "unwritten") == 0) unwritten<<<1, 32>>>(clear, order);
    if (strcmp(name, "negative") == 0) negative<<<1, 32>>>(clear, 5);
    if (strcmp(name, "copied") == 0) copied<<<1, 32>>>(order, clear);
    if (strcmp(name, "graph") == 0) {
        cudaStream_t stream;
        cudaGraph_t graph;
        cudaGraphExec_t exec;
        cudaStreamCreate(&stream);
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
        direct<<<4, 256, 0, stream>>>(data, COUNT);
        cudaStreamEndCapture(stream, &graph);
        cudaGraphInstantiate(&exec, graph, 0);
        cudaGraphLaunch(exec, stream); // LAUNCH graph
    }
    return cudaDeviceSynchronize() != cudaSuccess;
}
