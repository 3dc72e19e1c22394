// The program whose session records are the corpus of the target `session` (session_corpus.sh). With an argument it also makes
// errors that the tools of `softwarp check` find.
#include <cstdio>

__global__ void scale(float *x, int n)
{
    __shared__ float t[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    t[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    if (i < n) x[i] = 2 * t[threadIdx.x ^ 1];
}

__global__ void wrong(float *x)
{
    __shared__ int s[32];
    s[threadIdx.x & 7] = threadIdx.x;
    x[threadIdx.x + 100000] = s[0];
}

int main(int argc, char **)
{
    float *x, h[256] = {1};
    cudaMalloc(&x, sizeof h);
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    scale<<<3, 64>>>(x, 150);
    scale<<<1, 64>>>(x, 64);
    if (argc > 1) wrong<<<1, 32>>>(x);
    cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
    printf("%f\n", h[3]);
}
