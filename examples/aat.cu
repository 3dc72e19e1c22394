// SPDX-License-Identifier: Apache-2.0
// C = A A^T for A of M x 32: plain (strided reads), coalesced through shared memory (bank conflicts), and
// with the shared tile padded by a column (none).
//   aat [-kernel plain|coalesced|padded] [-m ROWS]     a multiple of 32
#include "example.h"

constexpr int TILE = 32;

__global__ void plain(const float *a, float *c, int m)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < TILE; i++)
        sum += a[row * TILE + i] * a[column * TILE + i];
    c[row * m + column] = sum;
}

// PAD columns beside the tile that is written transposed: without any, the 32 lanes of a store fall into one
// bank.
template <int PAD> __global__ void tiled(const float *a, float *c, int m)
{
    __shared__ float tile[TILE][TILE], transposed[TILE][TILE + PAD];
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    tile[threadIdx.y][threadIdx.x] = a[row * TILE + threadIdx.x];
    transposed[threadIdx.x][threadIdx.y] = a[(blockIdx.x * blockDim.x + threadIdx.y) * TILE + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < TILE; i++)
        sum += tile[threadIdx.y][i] * transposed[i][threadIdx.x];
    c[row * m + column] = sum;
}

int main(int argc, char **argv)
{
    const char *kernel = option_text(argc, argv, "-kernel", "plain");
    int m = (int)option(argc, argv, "-m", 1024);
    std::vector<float> a((size_t)m * TILE);
    for (size_t i = 0; i < a.size(); i++)
        a[i] = (float)(i * 2654435761u >> 7 & 7) - 3.0f; // sums are exact
    float *on_a = to_device(a), *on_c;
    CHECK(cudaMalloc(&on_c, (size_t)m * m * sizeof(float)));
    dim3 block(TILE, TILE), grid(m / TILE, m / TILE);

    if (!strcmp(kernel, "padded"))
        tiled<1><<<grid, block>>>(on_a, on_c, m);
    else if (!strcmp(kernel, "coalesced"))
        tiled<0><<<grid, block>>>(on_a, on_c, m);
    else
        plain<<<grid, block>>>(on_a, on_c, m);
    finish();

    std::vector<float> c = to_host(on_c, (size_t)m * m);
    size_t wrong = 0;
    for (int row = 0; row < m; row++)
        for (int column = 0; column < m; column++) {
            float sum = 0.0f;
            for (int i = 0; i < TILE; i++)
                sum += a[(size_t)row * TILE + i] * a[(size_t)column * TILE + i];
            wrong += c[(size_t)row * m + column] != sum;
        }
    CHECK(cudaFree(on_a));
    CHECK(cudaFree(on_c));
    return verdict("aat", wrong);
}
