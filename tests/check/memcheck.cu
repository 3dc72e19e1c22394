// SPDX-License-Identifier: Apache-2.0
// Kernels that access memory which they should not, and the same mended: memcheck CASE fault|fine. The line that is at fault has a
// comment FAULT CASE; memcheck.tsv says what is reported of it.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

static bool wrong;

__global__ void one_past(float *a, int n, bool w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (w ? i <= n : i < n)
        a[i] = 2; // FAULT one_past
}
__global__ void before(const int *a, int *out, int n, bool w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && (w || i > 0))
        out[i] = a[i - 1]; // FAULT before
}
__global__ void no_guard(int *a, int n, bool w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (w || i < n)
        a[i] = i; // FAULT no_guard
}
__global__ void read_one(const int *a, int *out)
{
    *out = *a; // FAULT freed FAULT null FAULT host FAULT pinned_freed
}
__global__ void misaligned(char *a, bool w)
{
    *(int *)(a + (w ? 6 : 8) + 4 * threadIdx.x) = 1; // FAULT misaligned
}
__global__ void vector_tail(const float *a, float4 *out, int n, bool w)
{
    int i = threadIdx.x;
    if (4 * i < (w ? n : n - 3))
        out[i] = ((const float4 *)a)[i]; // FAULT vector_tail
}
__global__ void counts(unsigned *bins, const int *data, int n, bool w)
{
    int i = threadIdx.x;
    if (i < n)
        atomicAdd(&bins[data[i] + w], 1u); // FAULT counts
}
__global__ void gather(const double *a, const int *index, double *out, int n)
{
    int i = threadIdx.x;
    if (i < n)
        out[i] = a[index[i]]; // FAULT gather
}
__global__ void transposed(const int *in, int *out, int rows, int columns, bool w)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
    if (c < columns && r < rows)
        out[w ? c * columns + r : c * rows + r] = in[r * columns + c]; // FAULT transposed
}
__global__ void pitched(char *a, size_t pitch, int width, int height, bool w)
{
    int r = threadIdx.x;
    if (w ? r <= height : r < height)
        *(short *)(a + r * pitch + 2 * (width - 1)) = 3; // FAULT pitched
}
__device__ __noinline__ int element(const int *a, int i)
{
    return a[i]; // FAULT called
}
__global__ void called(const int *a, int *out, int n, bool w)
{
    int i = threadIdx.x;
    if (i < n)
        out[i] = element(a, w ? i + 1 : i);
}
__global__ void generic(int *a, int n, bool w)
{
    __shared__ int tile[32];
    int *p = threadIdx.x % 2 ? tile : a;
    p[threadIdx.x] = w && threadIdx.x == 30 ? 1 : 2;
    __syncthreads();
    p = a[0] > 5 ? tile : a;
    if (threadIdx.x == 31)
        p[w ? n : n - 1] = tile[1]; // FAULT generic
}
__device__ int table[100];
__global__ void variable(const int *index, int *out)
{
    const int *t = table;
    out[threadIdx.x] = t[index[threadIdx.x]]; // FAULT variable
}
__global__ void bytes_for_words(short *a, int n)
{
    int i = threadIdx.x;
    if (i < n)
        a[i] = 1; // FAULT bytes_for_words
}
__global__ void loop(const float *a, float *out, int n, int steps)
{
    float sum = 0;
    for (int s = 0; s < steps; s++)
        sum += a[s * blockDim.x + threadIdx.x]; // FAULT loop
    out[threadIdx.x] = sum;
}

template <typename T> static T *make(int n)
{
    T *p;
    if (cudaMalloc(&p, n * sizeof *p) != cudaSuccess || cudaMemset(p, 0, n * sizeof *p) != cudaSuccess) exit(9);
    return p;
}

int main(int argc, char **argv)
{
    if (argc != 3) return 9;
    const char *name = argv[1];
    auto is = [&](const char *other) { return strcmp(name, other) == 0; };
    wrong = strcmp(argv[2], "fault") == 0;
    int n = 1000, *a = make<int>(n), *out = make<int>(4096), index[64];
    for (int i = 0; i < 64; i++)
        index[i] = i;
    index[17] = wrong ? -3 : 3;
    index[40] = wrong ? 100 : 40;
    int *at = make<int>(64);
    cudaMemcpy(at, index, sizeof index, cudaMemcpyHostToDevice);
    if (is("one_past")) one_past<<<4, 256>>>((float *)a, n, wrong);
    else if (is("before")) before<<<4, 256>>>(a, out, n, wrong);
    else if (is("no_guard")) no_guard<<<4, 256>>>(a, n, wrong);
    else if (is("misaligned")) misaligned<<<1, 32>>>((char *)a, wrong);
    else if (is("vector_tail")) vector_tail<<<1, 256>>>((float *)make<float>(998), (float4 *)out, 998, wrong);
    else if (is("counts")) {
        int full[64];
        for (int i = 0; i < 64; i++) full[i] = 255;
        cudaMemcpy(at, full, sizeof full, cudaMemcpyHostToDevice);
        counts<<<1, 64>>>(make<unsigned>(256), at, 64, wrong);
    } else if (is("gather")) gather<<<1, 64>>>(make<double>(100), at, make<double>(64), 64);
    else if (is("transposed")) transposed<<<dim3(1, 20), 32>>>(make<int>(600), make<int>(600), 20, 30, wrong);
    else if (is("pitched")) {
        char *p;
        size_t pitch;
        if (cudaMallocPitch((void **)&p, &pitch, 200, 10) != cudaSuccess) return 9;
        pitched<<<1, 32>>>(p, pitch, 100, 10, wrong);
    } else if (is("called")) called<<<1, 64>>>(make<int>(64), out, 64, wrong);
    else if (is("generic")) generic<<<1, 32>>>(a, n, wrong);
    else if (is("variable")) {
        index[17] = 17;
        cudaMemcpy(at, index, sizeof index, cudaMemcpyHostToDevice);
        variable<<<1, 64>>>(at, out);
    } else if (is("bytes_for_words")) {
        short *p;
        if (cudaMalloc(&p, wrong ? 200 : 400) != cudaSuccess) return 9;
        bytes_for_words<<<1, 256>>>(p, 200);
    } else if (is("loop")) loop<<<1, 128>>>((float *)a, (float *)out, n, wrong ? 8 : 7);
    else if (is("freed")) {
        if (wrong) cudaFree(a);
        read_one<<<1, 1>>>(a, out);
    } else if (is("null")) read_one<<<1, 1>>>(wrong ? NULL : a, out);
    else if (is("host")) {
        int *p = (int *)malloc(4096);
        read_one<<<1, 1>>>(wrong ? p : a, out);
    } else if (is("pinned_freed")) {
        int *p;
        if (cudaMallocHost(&p, 4096) != cudaSuccess) return 9;
        *p = 5;
        if (wrong) cudaFreeHost(p);
        read_one<<<1, 1>>>(p, out);
    } else return 9;
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 7;
}
