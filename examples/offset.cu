// SPDX-License-Identifier: Apache-2.0
// What a shifted start costs: sums of two arrays where the reads, or the writes, begin `offset` elements
// late.
//   offset [-kernel read|write|unroll4|unroll4_whole] [-n ELEMENTS] [-b THREADS] [-offset ELEMENTS]
// Aligned, a warp's 128 bytes are 4 sectors of 32 bytes; shifted by a number that is not a multiple of 8
// floats they are 5.
#include "example.h"

__global__ void read_offset(const float *a, const float *b, float *c, int n, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = i + offset;
    if (k < n) c[i] = a[k] + b[k];
}

__global__ void write_offset(const float *a, const float *b, float *c, int n, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = i + offset;
    if (k < n) c[k] = a[i] + b[i];
}

// Four elements a thread, a block apart: the same transactions, more of them under way at once.
__global__ void read_offset_unroll4(const float *a, const float *b, float *c, int n, int offset)
{
    int i = blockIdx.x * blockDim.x * 4 + threadIdx.x, k = i + offset;
    if (k < n) c[i] = a[k] + b[k];
    if (k + blockDim.x < n) c[i + blockDim.x] = a[k + blockDim.x] + b[k + blockDim.x];
    if (k + 2 * blockDim.x < n) c[i + 2 * blockDim.x] = a[k + 2 * blockDim.x] + b[k + 2 * blockDim.x];
    if (k + 3 * blockDim.x < n) c[i + 3 * blockDim.x] = a[k + 3 * blockDim.x] + b[k + 3 * blockDim.x];
}

// One guard for all four: a thread whose last element is out of range leaves the other three out too.
__global__ void read_offset_unroll4_whole(const float *a, const float *b, float *c, int n, int offset)
{
    int i = blockIdx.x * blockDim.x * 4 + threadIdx.x, k = i + offset;
    if (k + 3 * blockDim.x >= n) return;
    c[i] = a[k] + b[k];
    c[i + blockDim.x] = a[k + blockDim.x] + b[k + blockDim.x];
    c[i + 2 * blockDim.x] = a[k + 2 * blockDim.x] + b[k + 2 * blockDim.x];
    c[i + 3 * blockDim.x] = a[k + 3 * blockDim.x] + b[k + 3 * blockDim.x];
}

int main(int argc, char **argv)
{
    const char *kernel = option_text(argc, argv, "-kernel", "read");
    int n = (int)option(argc, argv, "-n", 1 << 22), block = (int)option(argc, argv, "-b", 512);
    int offset = (int)option(argc, argv, "-offset", 0), blocks = (n + block - 1) / block;
    bool write = !strcmp(kernel, "write"), whole = !strcmp(kernel, "unroll4_whole");
    std::vector<float> a(n), b(n), zero(n, 0.0f);
    for (int i = 0; i < n; i++) {
        a[i] = (float)(i % 1013);
        b[i] = (float)(i % 509) * 0.25f;
    }
    float *on_a = to_device(a), *on_b = to_device(b), *on_c = to_device(zero);

    if (write)
        write_offset<<<blocks, block>>>(on_a, on_b, on_c, n, offset);
    else if (!strcmp(kernel, "unroll4"))
        read_offset_unroll4<<<(blocks + 3) / 4, block>>>(on_a, on_b, on_c, n, offset);
    else if (whole)
        read_offset_unroll4_whole<<<(blocks + 3) / 4, block>>>(on_a, on_b, on_c, n, offset);
    else
        read_offset<<<blocks, block>>>(on_a, on_b, on_c, n, offset);
    finish();

    std::vector<float> c = to_host(on_c, n);
    size_t wrong = 0;
    int last =
        n - offset - (whole && offset ? 4 * block : 0); // the last blocks of the one-guard form are cut
    for (int i = 0; i < last; i++)
        wrong += write ? c[i + offset] != a[i] + b[i] : c[i] != a[i + offset] + b[i + offset];
    CHECK(cudaFree(on_a));
    CHECK(cudaFree(on_b));
    CHECK(cudaFree(on_c));
    return verdict("offset", wrong);
}
