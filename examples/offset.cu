// SPDX-License-Identifier: Apache-2.0
// What an offset or a stride does to global memory transactions: reading, writing, unrolled reading, and
// plain copies. usage: offset read|write|unroll4|unroll4_whole|copy|stride [OFFSET or STRIDE [N [BLOCK]]]
#include "example.h"

__global__ void read_offset(const float *a, const float *b, float *c, unsigned n, unsigned offset)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, j = i + offset;
    if (j < n) c[i] = a[j] + b[j];
}

__global__ void write_offset(const float *a, const float *b, float *c, unsigned n, unsigned offset)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, j = i + offset;
    if (j < n) c[j] = a[i] + b[i];
}

// Four elements a thread, each guarded.
__global__ void read_offset_unroll4(const float *a, const float *b, float *c, unsigned n, unsigned offset)
{
    unsigned i = blockIdx.x * blockDim.x * 4 + threadIdx.x, j = i + offset, d = blockDim.x;
    if (j < n) c[i] = a[j] + b[j];
    if (j + d < n) c[i + d] = a[j + d] + b[j + d];
    if (j + 2 * d < n) c[i + 2 * d] = a[j + 2 * d] + b[j + 2 * d];
    if (j + 3 * d < n) c[i + 3 * d] = a[j + 3 * d] + b[j + 3 * d];
}

// One guard for all four: threads whose last element is out of range leave the other three out too.
__global__ void read_offset_unroll4_whole(const float *a, const float *b, float *c, unsigned n,
                                          unsigned offset)
{
    unsigned i = blockIdx.x * blockDim.x * 4 + threadIdx.x, j = i + offset, d = blockDim.x;
    if (j + 3 * d >= n) return;
    c[i] = a[j] + b[j];
    c[i + d] = a[j + d] + b[j + d];
    c[i + 2 * d] = a[j + 2 * d] + b[j + 2 * d];
    c[i + 3 * d] = a[j + 3 * d] + b[j + 3 * d];
}

__global__ void offset_copy(float *out, const float *in, unsigned offset)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x + offset;
    out[i] = in[i];
}

__global__ void strided_copy(float *out, const float *in, unsigned stride)
{
    unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
    out[i] = in[i];
}

static bool check(const char *mode, const float *a, const float *b, const float *c, unsigned n, unsigned k,
                  unsigned threads)
{
    bool good = true;
    for (unsigned i = 0; i < n && !strcmp(mode, "write"); i++)
        good = good && c[i] == (i >= k ? a[i - k] + b[i - k] : 0);
    for (unsigned i = 0; i + k < n && (!strcmp(mode, "read") || !strcmp(mode, "unroll4")); i++)
        good = good && c[i] == a[i + k] + b[i + k];
    for (unsigned t = 0; t < threads && !strcmp(mode, "copy"); t++)
        good = good && c[t + k] == a[t + k];
    for (unsigned t = 0; t < threads && !strcmp(mode, "stride"); t++)
        good = good && c[(size_t)t * k] == a[(size_t)t * k];
    return good;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "read";
    unsigned k = argument(argc, argv, 2, 11), n = argument(argc, argv, 3, 1 << 22),
             block = argument(argc, argv, 4, 512);
    bool unrolled = !strncmp(mode, "unroll4", 7);
    unsigned grid = unrolled ? (n + 4 * block - 1) / (4 * block) : (n + block - 1) / block;
    size_t room = (size_t)n + 4 * block + k;
    if (!strcmp(mode, "stride")) room = (size_t)n * (k ? k : 1) + 1;
    float *a = make_input(room), *b = make_input(room + 1) + 1, *c = make_input(room);
    float *da = to_device(a, room), *db = to_device(b, room), *dc = to_device(0, room);
    if (!strcmp(mode, "read"))
        read_offset<<<grid, block>>>(da, db, dc, n, k);
    else if (!strcmp(mode, "write"))
        write_offset<<<grid, block>>>(da, db, dc, n, k);
    else if (!strcmp(mode, "unroll4"))
        read_offset_unroll4<<<grid, block>>>(da, db, dc, n, k);
    else if (!strcmp(mode, "unroll4_whole"))
        read_offset_unroll4_whole<<<grid, block>>>(da, db, dc, n, k);
    else if (!strcmp(mode, "copy"))
        offset_copy<<<grid, block>>>(dc, da, k);
    else if (!strcmp(mode, "stride"))
        strided_copy<<<grid, block>>>(dc, da, k);
    else
        return fprintf(stderr,
                       "usage: offset read|write|unroll4|unroll4_whole|copy|stride [K [N [BLOCK]]]\n"),
               2;
    CHECK(cudaGetLastError());
    to_host(c, dc, room);
    return verdict(check(mode, a, b, c, n, k, grid * block));
}
