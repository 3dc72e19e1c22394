// SPDX-License-Identifier: Apache-2.0
// The guide's products of matrices as its figures were measured: C = A B and C = A A^T for A of M x w and B of w x M,
// w = 16 or 32, in blocks of w x w threads. Loads from the tiles are words (volatile: no compiler joins them), and
// those of A A^T without tiles read past L1.
//   tiles [-kernel shared_a|shared_ab|plain|coalesced|padded] [-tile 16|32] [-m ROWS]     a multiple of w
#include "../../examples/example.h"

template <int W> __global__ void shared_a(const float *a, const float *b, float *c, int n)
{
    __shared__ volatile float tile[W][W];
    int row = blockIdx.y * W + threadIdx.y, column = blockIdx.x * W + threadIdx.x;
    float sum = 0.0f;
    tile[threadIdx.y][threadIdx.x] = a[row * W + threadIdx.x];
    __syncwarp();
    for (int i = 0; i < W; i++)
        sum += tile[threadIdx.y][i] * b[i * n + column];
    c[row * n + column] = sum;
}

template <int W> __global__ void shared_ab(const float *a, const float *b, float *c, int n)
{
    __shared__ volatile float tile_a[W][W], tile_b[W][W];
    int row = blockIdx.y * W + threadIdx.y, column = blockIdx.x * W + threadIdx.x;
    float sum = 0.0f;
    tile_a[threadIdx.y][threadIdx.x] = a[row * W + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[threadIdx.y * n + column];
    __syncthreads();
    for (int i = 0; i < W; i++)
        sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
    c[row * n + column] = sum;
}

template <int W> __global__ void plain(const float *a, float *c, int m)
{
    int row = blockIdx.y * W + threadIdx.y, column = blockIdx.x * W + threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < W; i++)
        sum += __ldcg(&a[row * W + i]) * __ldcg(&a[column * W + i]);
    c[row * m + column] = sum;
}

template <int W, int PAD> __global__ void tiled(const float *a, float *c, int m)
{
    __shared__ volatile float tile[W][W], transposed[W][W + PAD];
    int row = blockIdx.y * W + threadIdx.y, column = blockIdx.x * W + threadIdx.x;
    float sum = 0.0f;
    tile[threadIdx.y][threadIdx.x] = a[row * W + threadIdx.x];
    transposed[threadIdx.x][threadIdx.y] = a[(blockIdx.x * W + threadIdx.y) * W + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < W; i++)
        sum += tile[threadIdx.y][i] * transposed[i][threadIdx.x];
    c[row * m + column] = sum;
}

template <int W> static size_t multiply(const char *kernel, int m)
{
    bool transposes = strncmp(kernel, "shared_a", 8) != 0;
    std::vector<float> a((size_t)m * W), b((size_t)W * m);
    for (size_t i = 0; i < a.size(); i++)
        a[i] = (float)(i % 7) - 3.0f; // small integers: every sum is exact
    for (int i = 0; i < W; i++)
        for (int column = 0; column < m; column++)
            b[(size_t)i * m + column] = transposes ? a[(size_t)column * W + i] : (float)((i + column) % 5) - 2.0f;
    float *on_a = to_device(a), *on_b = to_device(b), *on_c;
    CHECK(cudaMalloc(&on_c, (size_t)m * m * sizeof(float)));
    dim3 block(W, W), grid(m / W, m / W);
    if (!strcmp(kernel, "shared_a"))
        shared_a<W><<<grid, block>>>(on_a, on_b, on_c, m);
    else if (!transposes)
        shared_ab<W><<<grid, block>>>(on_a, on_b, on_c, m);
    else if (!strcmp(kernel, "plain"))
        plain<W><<<grid, block>>>(on_a, on_c, m);
    else if (!strcmp(kernel, "coalesced"))
        tiled<W, 0><<<grid, block>>>(on_a, on_c, m);
    else
        tiled<W, 1><<<grid, block>>>(on_a, on_c, m);
    finish();
    std::vector<float> c = to_host(on_c, (size_t)m * m);
    size_t wrong = 0;
    for (int row = 0; row < m; row++)
        for (int column = 0; column < m; column++) {
            float sum = 0.0f;
            for (int i = 0; i < W; i++)
                sum += a[(size_t)row * W + i] * b[(size_t)i * m + column];
            wrong += c[(size_t)row * m + column] != sum;
        }
    CHECK(cudaFree(on_a));
    CHECK(cudaFree(on_b));
    CHECK(cudaFree(on_c));
    return wrong;
}

int main(int argc, char **argv)
{
    const char *kernel = option_text(argc, argv, "-kernel", "padded");
    int m = (int)option(argc, argv, "-m", 1024);
    size_t wrong = option(argc, argv, "-tile", 16) == 32 ? multiply<32>(kernel, m) : multiply<16>(kernel, m);
    return verdict(kernel, wrong);
}
