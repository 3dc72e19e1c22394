// A sum of an array, and its test: exit status 0 if the result is right. One block sums 1,024 elements in shared memory and adds its sum
// to the total.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int BLOCK = 256, EACH = 4;

__global__ void sum(const float *in, int n, float *total)
{
    __shared__ float part[BLOCK];
    float own = 0;
    for (int k = 0; k < EACH; k++) {
        int i = (blockIdx.x * EACH + k) * BLOCK + threadIdx.x; // neighbours read neighbours
        if (i < n) own += in[i];
    }
    part[threadIdx.x] = own;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(total, part[0]);
}

int main()
{
    const int n = 100000;
    std::vector<float> host(n, 1.0f);
    float *in, *total, result = 0;
    cudaMalloc(&in, n * sizeof *in);
    cudaMalloc(&total, sizeof *total);
    cudaMemcpy(in, host.data(), n * sizeof *in, cudaMemcpyHostToDevice);
    cudaMemset(total, 0, sizeof *total);
    sum<<<(n + BLOCK * EACH - 1) / (BLOCK * EACH), BLOCK>>>(in, n, total);
    cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(total);
    printf("sum: %g of %d\n", result, n);
    return cudaDeviceSynchronize() != cudaSuccess || result != n;
}
