#include <cstdio>
__global__ void add(float *a, const float *b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] += b[i * 2]; }
__global__ void twist(int *a) { __shared__ int s[64]; s[threadIdx.x] = a[threadIdx.x]; __syncthreads(); if (threadIdx.x & 1) atomicAdd(a, s[threadIdx.x ^ 1]); }
int main() { float *a, *b; cudaMalloc(&a, 4096); cudaMalloc(&b, 8192); add<<<4, 64>>>(a, b, 250); twist<<<1, 64>>>((int *)a); cudaDeviceSynchronize(); float h; cudaMemcpy(&h, a, 4, cudaMemcpyDeviceToHost); printf("%g\n", h); }
