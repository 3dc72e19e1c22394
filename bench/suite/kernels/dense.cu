// SPDX-License-Identifier: Apache-2.0
// Dense linear algebra and the layers of neural networks.
#ifndef __OPENCL_VERSION__
#include <mma.h>
#endif

KERNEL gemm_naive(GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || col >= n) return;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}

KERNEL gemm_tiled(GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *c, int n)
{
    __shared__ float as[16][16], bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float sum = 0;
    for (int t = 0; t < n; t += 16) {
        as[ty][tx] = a[row * n + t + tx];
        bs[ty][tx] = b[(t + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < 16; k++) sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

// 256 threads make 64 x 64 values, each 4 x 4 of them.
KERNEL gemm_blocked(GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *c, int n)
{
    __shared__ float as[16][64], bs[16][64];
    int t = threadIdx.x, tx = t % 16, ty = t / 16, row = blockIdx.y * 64, col = blockIdx.x * 64;
    float sum[4][4] = {{0}};
    for (int k0 = 0; k0 < n; k0 += 16) {
        for (int i = t; i < 1024; i += 256) {
            as[i % 16][i / 16] = a[(row + i / 16) * n + k0 + i % 16];
            bs[i / 64][i % 64] = b[(k0 + i / 64) * n + col + i % 64];
        }
        __syncthreads();
        for (int k = 0; k < 16; k++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++) sum[i][j] += as[k][ty * 4 + i] * bs[k][tx + 16 * j];
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) c[(row + ty * 4 + i) * n + col + tx + 16 * j] = sum[i][j];
}

// Halves, sums in float. CUDA: a warp makes 16 x 16 values with its matrix unit; OpenCL: a work group does.
#ifdef __OPENCL_VERSION__
KERNEL gemm_half(GLOBAL const half *a, GLOBAL const half *b, GLOBAL float *c, int n)
{
    __local float as[16][16], bs[16][16];
    int t = threadIdx.x, tile = blockIdx.y * (n / 16) + blockIdx.x * 8;
    for (int w = 0; w < 8; w++, tile++) {
        int tx = t % 16, ty = t / 16, row = tile / (n / 16) * 16 + ty, col = tile % (n / 16) * 16 + tx;
        float sum = 0;
        for (int k0 = 0; k0 < n; k0 += 16) {
            as[ty][tx] = vload_half(row * n + k0 + tx, a);
            bs[ty][tx] = vload_half((k0 + ty) * n + col, b);
            __syncthreads();
            for (int k = 0; k < 16; k++) sum += as[ty][k] * bs[k][tx];
            __syncthreads();
        }
        c[row * n + col] = sum;
    }
}
#else
KERNEL gemm_half(const half *a, const half *b, float *c, int n)
{
    using namespace nvcuda::wmma;
    int row = blockIdx.y * 16, col = (blockIdx.x * 8 + threadIdx.x / 32) * 16;
    fragment<matrix_a, 16, 16, 16, half, row_major> fa;
    fragment<matrix_b, 16, 16, 16, half, row_major> fb;
    fragment<accumulator, 16, 16, 16, float> sum;
    fill_fragment(sum, 0.0f);
    for (int k = 0; k < n; k += 16) {
        load_matrix_sync(fa, a + row * n + k, n);
        load_matrix_sync(fb, b + k * n + col, n);
        mma_sync(sum, fa, fb, sum);
    }
    store_matrix_sync(c + row * n + col, sum, n, mem_row_major);
}
#endif

// A warp a row.
KERNEL gemv(GLOBAL const float *a, GLOBAL const float *x, GLOBAL float *y, int rows, int cols)
{
    WARP_SCRATCH;
    int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    float sum = 0;
    if (row < rows)
        for (int i = lane; i < cols; i += 32) sum += a[row * cols + i] * x[i];
    sum = warp_sum(sum);
    if (lane == 0 && row < rows) y[row] = sum;
}

// Weights of 8 bits, a scale for each 32.
KERNEL gemv_int8(GLOBAL const char *w, GLOBAL const float *scale, GLOBAL const float *x, GLOBAL float *y, int cols)
{
    WARP_SCRATCH;
    int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int i = lane; i < cols; i += 32)
        sum += scale[(row * cols + i) / 32] * (float)(signed char)w[row * cols + i] * x[i];
    sum = warp_sum(sum);
    if (lane == 0) y[row] = sum;
}

// Weights of 4 bits around 8, eight in a word, a scale for each 32.
KERNEL gemv_int4(GLOBAL const unsigned *w, GLOBAL const float *scale, GLOBAL const float *x, GLOBAL float *y, int cols)
{
    WARP_SCRATCH;
    int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32, words = cols / 8;
    float sum = 0;
    for (int i = lane; i < words; i += 32) {
        unsigned q = w[row * words + i];
        float part = 0;
        for (int k = 0; k < 8; k++) part += (float)((int)(q >> (4 * k) & 15) - 8) * x[i * 8 + k];
        sum += scale[(row * words + i) / 4] * part;
    }
    sum = warp_sum(sum);
    if (lane == 0) y[row] = sum;
}

KERNEL dot_partial(GLOBAL const float *x, GLOBAL const float *y, GLOBAL float *partial, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum += x[i] * y[i];
    s[t] = sum;
    __syncthreads();
    for (int k = 128; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) partial[blockIdx.x] = s[0];
}

// The sums of blocks of 512.
KERNEL reduce_shared(GLOBAL const float *in, GLOBAL float *out, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 512 + t;
    s[t] = (i < n ? in[i] : 0) + (i + 256 < n ? in[i + 256] : 0);
    __syncthreads();
    for (int k = 128; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

KERNEL reduce_shuffle(GLOBAL const float *in, GLOBAL float *out, int n)
{
    WARP_SCRATCH;
    __shared__ float s[8];
    int t = threadIdx.x, i = blockIdx.x * 512 + t;
    float v = (i < n ? in[i] : 0) + (i + 256 < n ? in[i + 256] : 0);
    v = warp_sum(v);
    if (t % 32 == 0) s[t / 32] = v;
    __syncthreads();
    if (t == 0) {
        float sum = 0;
        for (int w = 0; w < 8; w++) sum += s[w];
        out[blockIdx.x] = sum;
    }
}

KERNEL transpose(GLOBAL const float *in, GLOBAL float *out, int n)
{
    __shared__ float tile[16][17];
    int tx = threadIdx.x, ty = threadIdx.y;
    tile[ty][tx] = in[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx];
    __syncthreads();
    out[(blockIdx.x * 16 + ty) * n + blockIdx.y * 16 + tx] = tile[tx][ty];
}

// A block a row.
KERNEL softmax(GLOBAL const float *in, GLOBAL float *out, int cols)
{
    __shared__ float s[256];
    int t = threadIdx.x, row = blockIdx.x * cols;
    float top = -1e30f, sum = 0;
    for (int i = t; i < cols; i += 256) top = fmaxf(top, in[row + i]);
    s[t] = top;
    __syncthreads();
    for (int k = 128; k > 0; k >>= 1) {
        if (t < k) s[t] = fmaxf(s[t], s[t + k]);
        __syncthreads();
    }
    top = s[0];
    __syncthreads();
    for (int i = t; i < cols; i += 256) {
        float e = expf(in[row + i] - top);
        out[row + i] = e;
        sum += e;
    }
    s[t] = sum;
    __syncthreads();
    for (int k = 128; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    sum = 1.0f / s[0];
    for (int i = t; i < cols; i += 256) out[row + i] *= sum;
}

// A warp a row.
KERNEL layer_norm(GLOBAL const float *in, GLOBAL const float *gain, GLOBAL const float *bias, GLOBAL float *out, int cols)
{
    WARP_SCRATCH;
    int lane = threadIdx.x % 32, row = (blockIdx.x * 8 + threadIdx.x / 32) * cols;
    float sum = 0, squares = 0;
    for (int i = lane; i < cols; i += 32) sum += in[row + i];
    float mean = warp_sum(sum) / cols;
    for (int i = lane; i < cols; i += 32) {
        float d = in[row + i] - mean;
        squares += d * d;
    }
    float scale = rsqrtf(warp_sum(squares) / cols + 1e-5f);
    for (int i = lane; i < cols; i += 32) out[row + i] = (in[row + i] - mean) * scale * gain[i] + bias[i];
}

// Dimension 64, 256 keys; a block of 128 threads a query of a head.
KERNEL attention(GLOBAL const float *q, GLOBAL const float *k, GLOBAL const float *v, GLOBAL float *out)
{
    __shared__ float query[64], p[256], s[128];
    int t = threadIdx.x, head = blockIdx.y * 256 * 64, row = head + blockIdx.x * 64;
    if (t < 64) query[t] = q[row + t] * 0.125f;
    __syncthreads();
    float score[2];
    for (int j = 0; j < 2; j++) {
        score[j] = 0;
        for (int d = 0; d < 64; d++) score[j] += query[d] * k[head + (t + 128 * j) * 64 + d];
    }
    s[t] = fmaxf(score[0], score[1]);
    __syncthreads();
    for (int n = 64; n > 0; n >>= 1) {
        if (t < n) s[t] = fmaxf(s[t], s[t + n]);
        __syncthreads();
    }
    float top = s[0];
    __syncthreads();
    p[t] = expf(score[0] - top);
    p[t + 128] = expf(score[1] - top);
    s[t] = p[t] + p[t + 128];
    __syncthreads();
    for (int n = 64; n > 0; n >>= 1) {
        if (t < n) s[t] += s[t + n];
        __syncthreads();
    }
    if (t >= 64) return;
    float sum = 0;
    for (int j = 0; j < 256; j++) sum += p[j] * v[head + j * 64 + t];
    out[row + t] = sum / s[0];
}

KERNEL gelu(GLOBAL const float *in, GLOBAL float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = in[i];
    out[i] = 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
}

// A block of 128 threads a token.
KERNEL embedding(GLOBAL const float *table, GLOBAL const int *token, GLOBAL float *out, int width)
{
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        out[blockIdx.x * width + i] = table[token[blockIdx.x] * width + i];
}

KERNEL dot_sum(GLOBAL const float *partial, GLOBAL float *out, int n)
{
    WARP_SCRATCH;
    float sum = 0;
    for (int i = threadIdx.x % 32; i < n; i += 32) sum += partial[i];
    sum = warp_sum(sum);
    if (threadIdx.x == 0) out[0] = sum;
}
