// SPDX-License-Identifier: Apache-2.0
// Kernels that fault: fault CASE. What a plain run says of them is looked at by fault.sh; comments FAULT CASE and MADE CASE stand
// where the access and the memory are.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__device__ __forceinline__ void store(int *a, long i, int v)
{
    a[i] = v; // FAULT scatter
}
__global__ void scatter(int *a, const int *index, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        store(a, index[i], i);
}
__global__ void gather(const double *a, double *out, long far)
{
    int y = threadIdx.y, x = threadIdx.x;
    out[y * 8 + x] = a[y == 5 && x == 3 ? far : x]; // FAULT gather
}
__global__ void misaligned(char *a)
{
    *(int *)(a + 4 * threadIdx.x + (threadIdx.x == 9)) = 1; // FAULT misaligned
}
__global__ void talks(int *a, long far)
{
    printf("thread %d\n", threadIdx.x);
    atomicAdd(&a[1], 1);
    if (threadIdx.x == 1)
        a[far] = 1; // FAULT talks
}
// Run once more, it never ends.
__global__ void stays(int *a, long far)
{
    int x = a[4];
    while (x != 0) {
        x *= 3;
        asm volatile("mov.b32 %0, %0;" : "+r"(x));
    }
    a[4] = 2;
    if (threadIdx.x == 5)
        a[far] = 3;
}
// Run once more, it does nothing wrong.
__global__ void changes(int *a, long far)
{
    int first = a[0];
    __syncthreads();
    a[0] = 1;
    __syncthreads();
    a[first ? 1 : far + threadIdx.x] = 3;
}

int main(int argc, char **argv)
{
    if (argc != 2) return 9;
    auto is = [&](const char *name) { return strcmp(argv[1], name) == 0; };
    int *index, *a, host[1000], n = 1000;
    long far = 100000; // in ints; no memory of the program lies there
    for (int i = 0; i < n; i++)
        host[i] = i;
    host[777] = (int)far;
    if (cudaMalloc(&index, sizeof host) != cudaSuccess) return 9;
    if (cudaMemcpy(index, host, sizeof host, cudaMemcpyHostToDevice) != cudaSuccess) return 9;
    for (auto kernel : {(const void *)scatter, (const void *)gather, (const void *)misaligned, (const void *)talks,
                        (const void *)stays, (const void *)changes}) {
        cudaFuncAttributes attributes; // so that the module is loaded, and its variables lie before
        if (cudaFuncGetAttributes(&attributes, kernel) != cudaSuccess) return 9;
    }
    if (cudaMalloc(&a, 4000) != cudaSuccess) return 9; // MADE scatter MADE gather MADE talks MADE stays MADE changes
    cudaMemset(a, 0, 4000);
    if (is("scatter")) scatter<<<4, 256>>>(a, index, n);
    else if (is("gather")) gather<<<1, dim3(8, 8)>>>((double *)a, (double *)index, far);
    else if (is("misaligned")) misaligned<<<1, 32>>>((char *)a);
    else if (is("talks")) talks<<<1, 2>>>(a, far);
    else if (is("stays")) stays<<<1, 32>>>(a, far);
    else if (is("changes")) changes<<<1, 32>>>(a, far);
    else return 9;
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
