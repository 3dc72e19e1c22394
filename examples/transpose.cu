// SPDX-License-Identifier: Apache-2.0
// A matrix transposed in every way the guides discuss, and the two copies that bound it from both sides.
// usage: transpose KERNEL [BLOCK_X BLOCK_Y [N]]    KERNEL: copyRow copyCol naiveRow naiveCol unroll4Row
// unroll4Col diagonalRow diagonalCol (any block shape), tiled padded (32 x 8 blocks)
#include "example.h"

#define KERNEL __global__ void
#define PLACE  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y

KERNEL copyRow(float *out, const float *in, unsigned n)
{
    PLACE;
    if (x < n && y < n) out[y * n + x] = in[y * n + x];
}

KERNEL copyCol(float *out, const float *in, unsigned n)
{
    PLACE;
    if (x < n && y < n) out[x * n + y] = in[x * n + y];
}

KERNEL naiveRow(float *out, const float *in, unsigned n) // reads rows, writes columns
{
    PLACE;
    if (x < n && y < n) out[x * n + y] = in[y * n + x];
}

KERNEL naiveCol(float *out, const float *in, unsigned n) // reads columns, writes rows
{
    PLACE;
    if (x < n && y < n) out[y * n + x] = in[x * n + y];
}

// Four tiles a thread, a quarter of the grid apart in x.
KERNEL unroll4Row(float *out, const float *in, unsigned n)
{
    unsigned x = blockIdx.x * blockDim.x * 4 + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
             d = blockDim.x;
    if (x + 3 * d >= n || y >= n) return;
    out[x * n + y] = in[y * n + x];
    out[(x + d) * n + y] = in[y * n + x + d];
    out[(x + 2 * d) * n + y] = in[y * n + x + 2 * d];
    out[(x + 3 * d) * n + y] = in[y * n + x + 3 * d];
}

KERNEL unroll4Col(float *out, const float *in, unsigned n)
{
    unsigned x = blockIdx.x * blockDim.x * 4 + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
             d = blockDim.x;
    if (x + 3 * d >= n || y >= n) return;
    out[y * n + x] = in[x * n + y];
    out[y * n + x + d] = in[(x + d) * n + y];
    out[y * n + x + 2 * d] = in[(x + 2 * d) * n + y];
    out[y * n + x + 3 * d] = in[(x + 3 * d) * n + y];
}

// Blocks walk along diagonals, so that neighbours in time are in different memory partitions.
#define DIAGONAL                                                                                             \
    unsigned bx = (blockIdx.x + blockIdx.y) % gridDim.x, by = blockIdx.x;                                    \
    unsigned x = bx * blockDim.x + threadIdx.x, y = by * blockDim.y + threadIdx.y

KERNEL diagonalRow(float *out, const float *in, unsigned n)
{
    DIAGONAL;
    if (x < n && y < n) out[x * n + y] = in[y * n + x];
}

KERNEL diagonalCol(float *out, const float *in, unsigned n)
{
    DIAGONAL;
    if (x < n && y < n) out[y * n + x] = in[x * n + y];
}

template <int PAD> __device__ void through_shared(float *out, const float *in, unsigned n)
{
    __shared__ float tile[32][32 + PAD];
    unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

KERNEL tiled(float *out, const float *in, unsigned n)
{
    through_shared<0>(out, in, n);
}

KERNEL padded(float *out, const float *in,
              unsigned n) // a column more, so that a column of the tile touches all banks
{
    through_shared<1>(out, in, n);
}

static const struct {
    const char *name;
    void (*kernel)(float *, const float *, unsigned);
    bool copies, square_blocks; // through_shared: 32 x 32 tiles
    unsigned unroll;
} kernels[] = {
    {"copyRow", copyRow, true, false, 1},
    {"copyCol", copyCol, true, false, 1},
    {"naiveRow", naiveRow, false, false, 1},
    {"naiveCol", naiveCol, false, false, 1},
    {"unroll4Row", unroll4Row, false, false, 4},
    {"unroll4Col", unroll4Col, false, false, 4},
    {"diagonalRow", diagonalRow, false, false, 1},
    {"diagonalCol", diagonalCol, false, false, 1},
    {"tiled", tiled, false, true, 1},
    {"padded", padded, false, true, 1},
};

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "naiveRow";
    unsigned bx = argument(argc, argv, 2, 16), by = argument(argc, argv, 3, 16),
             n = argument(argc, argv, 4, 2048);
    unsigned k = 0, count = sizeof kernels / sizeof kernels[0];
    while (k < count && strcmp(kernels[k].name, name))
        k++;
    if (k == count) return fprintf(stderr, "transpose: no kernel named '%s'\n", name), 2;
    size_t words = (size_t)n * n;
    float *in = make_input(words), *out = make_input(words);
    float *din = to_device(in, words), *dout = to_device(0, words);
    dim3 block = kernels[k].square_blocks ? dim3(32, 8) : dim3(bx, by);
    dim3 grid = kernels[k].square_blocks ? dim3(n / 32, n / 32)
                                         : dim3((n / kernels[k].unroll + bx - 1) / bx, (n + by - 1) / by);
    kernels[k].kernel<<<grid, block>>>(dout, din, n);
    CHECK(cudaGetLastError());
    to_host(out, dout, words);
    bool good = true;
    for (unsigned y = 0; y < n; y++)
        for (unsigned x = 0; x < n; x++)
            good = good && out[(size_t)y * n + x] ==
                               (kernels[k].copies ? in[(size_t)y * n + x] : in[(size_t)x * n + y]);
    return verdict(good);
}
