// SPDX-License-Identifier: Apache-2.0
// A matrix of floats copied and transposed, in the shapes of Ruetsch and Micikevicius's paper (2009): tiles
// of 32 x 32, each taken by 32 x 8 threads; sizes are multiples of a tile.
//   partitions [-kernel copy|naive|tiled|padded|diagonal] [-n ROWS]
#include "../../examples/example.h"

constexpr int TILE = 32, ROWS = 8;

__global__ void copy(float *out, const float *in, int n)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        out[(y + i) * n + x] = in[(y + i) * n + x];
}

__global__ void naive(float *out, const float *in, int n)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        out[x * n + y + i] = in[(y + i) * n + x];
}

template <int PAD, bool DIAGONAL> __global__ void tiled(float *out, const float *in, int n)
{
    __shared__ float tile[TILE][TILE + PAD];
    int bx = DIAGONAL ? (blockIdx.x + blockIdx.y) % gridDim.x : blockIdx.x,
        by = DIAGONAL ? blockIdx.x : blockIdx.y;
    int x = bx * TILE + threadIdx.x, y = by * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * n + x];
    __syncthreads();
    x = by * TILE + threadIdx.x;
    y = bx * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        out[(y + i) * n + x] = tile[threadIdx.x][threadIdx.y + i];
}

int main(int argc, char **argv)
{
    const char *kernel = option_text(argc, argv, "-kernel", "copy");
    int n = (int)option(argc, argv, "-n", 2048);
    std::vector<float> in((size_t)n * n);
    for (size_t i = 0; i < in.size(); i++)
        in[i] = (float)(i % 8191);
    float *on_in = to_device(in), *on_out;
    CHECK(cudaMalloc(&on_out, in.size() * sizeof(float)));
    dim3 grid(n / TILE, n / TILE), block(TILE, ROWS);
    bool copies = !strcmp(kernel, "copy");

    if (copies)
        copy<<<grid, block>>>(on_out, on_in, n);
    else if (!strcmp(kernel, "naive"))
        naive<<<grid, block>>>(on_out, on_in, n);
    else if (!strcmp(kernel, "tiled"))
        tiled<0, false><<<grid, block>>>(on_out, on_in, n);
    else if (!strcmp(kernel, "padded"))
        tiled<1, false><<<grid, block>>>(on_out, on_in, n);
    else
        tiled<1, true><<<grid, block>>>(on_out, on_in, n);
    finish();

    std::vector<float> out = to_host(on_out, in.size());
    size_t wrong = 0;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            wrong += out[(size_t)y * n + x] != (copies ? in[(size_t)y * n + x] : in[(size_t)x * n + y]);
    CHECK(cudaFree(on_in));
    CHECK(cudaFree(on_out));
    return verdict(kernel, wrong);
}
