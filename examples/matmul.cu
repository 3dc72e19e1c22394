// SPDX-License-Identifier: Apache-2.0
// C = A B and C = A A^T with 32-wide tiles: plain, with A in shared memory, with both; and the transposed
// product plain, coalesced through shared memory, and padded against bank conflicts. A is m x 32, B is 32 x m
// (or A^T). usage: matmul ab_plain|ab_shared_a|ab_shared_ab|aat_plain|aat_coalesced|aat_padded [M]
#include "example.h"

#define W          32
#define KERNEL     __global__ void
#define PLACE      int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x
#define TILE_PLACE int tx = threadIdx.x, ty = threadIdx.y

KERNEL ab_plain(const float *a, const float *b, float *c, int m)
{
    PLACE;
    float sum = 0.0f;
    for (int i = 0; i < W; i++)
        sum += a[row * W + i] * b[i * m + col];
    c[row * m + col] = sum;
}

KERNEL ab_shared_a(const float *a, const float *b, float *c, int m)
{
    __shared__ float at[W][W];
    PLACE;
    TILE_PLACE;
    float sum = 0.0f;
    at[ty][tx] = a[row * W + tx];
    __syncwarp(); // a warp reads the row that it wrote
    for (int i = 0; i < W; i++)
        sum += at[ty][i] * b[i * m + col];
    c[row * m + col] = sum;
}

KERNEL ab_shared_ab(const float *a, const float *b, float *c, int m)
{
    __shared__ float at[W][W], bt[W][W];
    PLACE;
    TILE_PLACE;
    float sum = 0.0f;
    at[ty][tx] = a[row * W + tx];
    bt[ty][tx] = b[ty * m + col];
    __syncthreads();
    for (int i = 0; i < W; i++)
        sum += at[ty][i] * bt[i][tx];
    c[row * m + col] = sum;
}

KERNEL aat_plain(const float *a, const float *, float *c, int m)
{
    PLACE;
    float sum = 0.0f;
    for (int i = 0; i < W; i++)
        sum += a[row * W + i] * a[col * W + i];
    c[row * m + col] = sum;
}

template <int PAD> __device__ void aat_shared(const float *a, float *c, int m)
{
    __shared__ float at[W][W], tt[W][W + PAD];
    PLACE;
    TILE_PLACE;
    float sum = 0.0f;
    at[ty][tx] = a[row * W + tx];
    tt[tx][ty] = a[(blockIdx.x * blockDim.x + ty) * W + tx];
    __syncthreads();
    for (int i = 0; i < W; i++)
        sum += at[ty][i] * tt[i][tx];
    c[row * m + col] = sum;
}

KERNEL aat_coalesced(const float *a, const float *, float *c, int m)
{
    aat_shared<0>(a, c, m);
}

KERNEL aat_padded(const float *a, const float *, float *c, int m)
{
    aat_shared<1>(a, c, m);
}

static const struct {
    const char *name;
    void (*kernel)(const float *, const float *, float *, int);
    bool transposed;
} kernels[] = {
    {"ab_plain", ab_plain, false},          {"ab_shared_a", ab_shared_a, false},
    {"ab_shared_ab", ab_shared_ab, false},  {"aat_plain", aat_plain, true},
    {"aat_coalesced", aat_coalesced, true}, {"aat_padded", aat_padded, true},
};

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "ab_shared_ab";
    int m = argument(argc, argv, 2, 256), count = sizeof kernels / sizeof kernels[0], k = 0;
    while (k < count && strcmp(kernels[k].name, name))
        k++;
    if (k == count) return fprintf(stderr, "matmul: no kernel named '%s'\n", name), 2;
    float *a = make_input((size_t)m * W), *b = make_input((size_t)m * W), *c = make_input((size_t)m * m);
    float *da = to_device(a, (size_t)m * W), *db = to_device(b, (size_t)m * W),
          *dc = to_device(0, (size_t)m * m);
    kernels[k].kernel<<<dim3(m / W, m / W), dim3(W, W)>>>(da, db, dc, m);
    CHECK(cudaGetLastError());
    to_host(c, dc, (size_t)m * m);
    bool good = true;
    for (int row = 0; row < m; row++)
        for (int col = 0; col < m; col++) {
            float sum = 0.0f; // whole numbers below 2^24: exact in any order
            for (int i = 0; i < W; i++)
                sum += a[row * W + i] * (kernels[k].transposed ? a[col * W + i] : b[i * m + col]);
            good = good && c[(size_t)row * m + col] == sum;
        }
    return verdict(good);
}
