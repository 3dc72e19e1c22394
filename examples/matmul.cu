// SPDX-License-Identifier: Apache-2.0
// C = A B for A of M x 32 and B of 32 x N: plain, with the tile of A in shared memory, with both tiles there.
//   matmul [-kernel plain|shared_a|shared_ab] [-m ROWS] [-n COLUMNS]     both multiples of 32
#include "example.h"

constexpr int TILE = 32;

__global__ void plain(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < TILE; i++)
        sum += a[row * TILE + i] * b[i * n + column];
    c[row * n + column] = sum;
}

// A row of A is read by one warp and used by the same warp: a warp barrier is enough.
__global__ void shared_a(const float *a, const float *b, float *c, int n)
{
    __shared__ float tile[TILE][TILE];
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    tile[threadIdx.y][threadIdx.x] = a[row * TILE + threadIdx.x];
    __syncwarp();
    for (int i = 0; i < TILE; i++)
        sum += tile[threadIdx.y][i] * b[i * n + column];
    c[row * n + column] = sum;
}

__global__ void shared_ab(const float *a, const float *b, float *c, int n)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    tile_a[threadIdx.y][threadIdx.x] = a[row * TILE + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[threadIdx.y * n + column];
    __syncthreads();
    for (int i = 0; i < TILE; i++)
        sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
    c[row * n + column] = sum;
}

int main(int argc, char **argv)
{
    const char *kernel = option_text(argc, argv, "-kernel", "plain");
    int m = (int)option(argc, argv, "-m", 1024), n = (int)option(argc, argv, "-n", 1024);
    std::vector<float> a((size_t)m * TILE), b((size_t)TILE * n);
    for (size_t i = 0; i < a.size(); i++)
        a[i] = (float)(i % 7) - 3.0f; // small integers: every sum is exact
    for (size_t i = 0; i < b.size(); i++)
        b[i] = (float)(i % 5) - 2.0f;
    float *on_a = to_device(a), *on_b = to_device(b), *on_c;
    CHECK(cudaMalloc(&on_c, (size_t)m * n * sizeof(float)));
    dim3 block(TILE, TILE), grid(n / TILE, m / TILE);

    if (!strcmp(kernel, "shared_ab"))
        shared_ab<<<grid, block>>>(on_a, on_b, on_c, n);
    else if (!strcmp(kernel, "shared_a"))
        shared_a<<<grid, block>>>(on_a, on_b, on_c, n);
    else
        plain<<<grid, block>>>(on_a, on_b, on_c, n);
    finish();

    std::vector<float> c = to_host(on_c, (size_t)m * n);
    size_t wrong = 0;
    for (int row = 0; row < m; row++)
        for (int column = 0; column < n; column++) {
            float sum = 0.0f;
            for (int i = 0; i < TILE; i++)
                sum += a[(size_t)row * TILE + i] * b[(size_t)i * n + column];
            wrong += c[(size_t)row * n + column] != sum;
        }
    CHECK(cudaFree(on_a));
    CHECK(cudaFree(on_b));
    CHECK(cudaFree(on_c));
    return verdict("matmul", wrong);
}
