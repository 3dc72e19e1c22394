// SPDX-License-Identifier: Apache-2.0
// A warp reads shared memory, lanes STRIDE elements apart. usage: banks none|device|function
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

template <class T, int STRIDE> __global__ void walk(T *out)
{
    __shared__ T s[32 * STRIDE];
    for (int i = threadIdx.x; i < 32 * STRIDE; i += 32) s[i] = T(i);
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x * STRIDE];
}
int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "none";
    void *out;
    cudaMalloc(&out, 1024);
    if (!strcmp(what, "device")) cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
    if (!strcmp(what, "function")) cudaFuncSetSharedMemConfig((const void *)walk<double, 17>, cudaSharedMemBankSizeEightByte);
    walk<double, 1><<<1, 32>>>((double *)out);
    walk<float, 2><<<1, 32>>>((float *)out);
    walk<float, 32><<<1, 32>>>((float *)out);
    walk<float, 33><<<1, 32>>>((float *)out);
    walk<double, 16><<<1, 32>>>((double *)out);
    walk<double, 17><<<1, 32>>>((double *)out);
    cudaSharedMemConfig now;
    cudaDeviceGetSharedMemConfig(&now);
    std::printf("%s: %d\n", cudaGetErrorString(cudaDeviceSynchronize()), (int)now);
}
