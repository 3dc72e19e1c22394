/* SPDX-License-Identifier: Apache-2.0 */
/* Twins of kernels/dense.cu: loops in the order of memory, a hint where a reduction may be reordered,
 * registers blocked where the kernel blocks them. */
#include "suite_native.h"

#include <math.h>
#include <string.h>

void native_gemm(const float *restrict a, const float *restrict b, float *restrict c, int n)
{
    memset(c, 0, sizeof *c * (size_t)n * (size_t)n);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            float x = a[i * n + k];
            for (int j = 0; j < n; j++)
                c[i * n + j] += x * b[k * n + j];
        }
}

/* 4 x 64 sums stay in registers. */
static void gemm_block(const float *restrict a, const float *restrict b, float *restrict c, int n)
{
    float sum[4][64] = {{0}};
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 64; j++)
                sum[i][j] += a[i * n + k] * b[k * n + j];
    for (int i = 0; i < 4; i++)
        memcpy(c + i * n, sum[i], sizeof sum[i]);
}

void native_gemm_blocked(const float *restrict a, const float *restrict b, float *restrict c, int n)
{
    for (int j = 0; j < n; j += 64)
        for (int i = 0; i < n; i += 4)
            gemm_block(a + i * n, b + j, c + i * n + j, n);
}

static void floats_of_halves(const _Float16 *restrict in, float *restrict out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = (float)in[i];
}

void native_gemm_half(const void *a, const void *b, float *restrict scratch, float *restrict c, int n)
{
    floats_of_halves(a, scratch, n * n);
    floats_of_halves(b, scratch + n * n, n * n);
    native_gemm_blocked(scratch, scratch + n * n, c, n);
}

float native_dot(const float *restrict x, const float *restrict y, int n)
{
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

void native_dot_to(const float *restrict x, const float *restrict y, float *restrict out, int n)
{
    *out = native_dot(x, y, n);
}

void native_gemv(const float *restrict a, const float *restrict x, float *restrict y, int rows, int cols)
{
    for (int r = 0; r < rows; r++)
        y[r] = native_dot(a + r * cols, x, cols);
}

void native_gemv_int8(const int8_t *restrict w, const float *restrict scale, const float *restrict x,
                      float *restrict y, int rows, int cols)
{
    for (int r = 0; r < rows; r++) {
        float sum = 0;
        for (int g = 0; g < cols / 32; g++) {
            float part = 0;
#pragma omp simd reduction(+ : part)
            for (int i = 0; i < 32; i++)
                part += (float)w[r * cols + g * 32 + i] * x[g * 32 + i];
            sum += scale[r * cols / 32 + g] * part;
        }
        y[r] = sum;
    }
}

void native_gemv_int4(const uint32_t *restrict w, const float *restrict scale, const float *restrict x,
                      float *restrict y, int rows, int cols)
{
    for (int r = 0; r < rows; r++) {
        float sum = 0;
        for (int g = 0; g < cols / 32; g++) {
            const uint32_t *q = w + (r * cols + g * 32) / 8;
            float part = 0;
#pragma omp simd reduction(+ : part)
            for (int i = 0; i < 32; i++)
                part += (float)((int)(q[i / 8] >> (i % 8 * 4) & 15) - 8) * x[g * 32 + i];
            sum += scale[r * cols / 32 + g] * part;
        }
        y[r] = sum;
    }
}

void native_reduce(const float *restrict in, float *restrict out, int n)
{
    for (int b = 0; b < n / 512; b++) {
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int i = 0; i < 512; i++)
            sum += in[b * 512 + i];
        out[b] = sum;
    }
}

/* By tiles that stay in the first cache. */
void native_transpose(const float *restrict in, float *restrict out, int n)
{
    for (int y = 0; y < n; y += 16)
        for (int x = 0; x < n; x += 16)
            for (int i = 0; i < 16; i++)
                for (int j = 0; j < 16; j++)
                    out[(x + i) * n + y + j] = in[(y + j) * n + x + i];
}

/* 16 maxima side by side: clang does not reorder one. */
static float row_max(const float *in, int n)
{
    float part[16], top = in[0];
    for (int k = 0; k < 16; k++)
        part[k] = in[k];
    for (int i = 16; i < n; i += 16)
        for (int k = 0; k < 16; k++)
            part[k] = in[i + k] > part[k] ? in[i + k] : part[k];
    for (int k = 0; k < 16; k++)
        top = part[k] > top ? part[k] : top;
    return top;
}

void native_softmax(const float *restrict in, float *restrict out, int rows, int cols)
{
    for (int r = 0; r < rows; r++, in += cols, out += cols) {
        float top = row_max(in, cols), sum = 0;
        for (int i = 0; i < cols; i++) {
            out[i] = expf(in[i] - top);
            sum += out[i];
        }
        for (int i = 0; i < cols; i++)
            out[i] *= 1 / sum;
    }
}

void native_layer_norm(const float *restrict in, const float *restrict gain, const float *restrict bias,
                       float *restrict out, int rows, int cols)
{
    for (int r = 0; r < rows; r++, in += cols, out += cols) {
        float sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
        for (int i = 0; i < cols; i++)
            sum += in[i];
        float mean = sum / (float)cols;
#pragma omp simd reduction(+ : squares)
        for (int i = 0; i < cols; i++)
            squares += (in[i] - mean) * (in[i] - mean);
        float scale = 1 / sqrtf(squares / (float)cols + 1e-5f);
        for (int i = 0; i < cols; i++)
            out[i] = (in[i] - mean) * scale * gain[i] + bias[i];
    }
}

static void attend(const float *restrict query, const float *restrict k, const float *restrict v,
                   float *restrict out)
{
    float p[256], top = -1e30f, sum = 0;
    for (int j = 0; j < 256; j++) {
        p[j] = native_dot(query, k + j * 64, 64) * 0.125f;
        top = p[j] > top ? p[j] : top;
    }
    for (int j = 0; j < 256; j++) {
        p[j] = expf(p[j] - top);
        sum += p[j];
    }
    float total[64] = {0};
    for (int j = 0; j < 256; j++)
        for (int d = 0; d < 64; d++)
            total[d] += p[j] * v[j * 64 + d];
    for (int d = 0; d < 64; d++)
        out[d] = total[d] / sum;
}

void native_attention(const float *restrict q, const float *restrict k, const float *restrict v,
                      float *restrict out, int heads)
{
    for (int h = 0; h < heads; h++)
        for (int i = 0; i < 256; i++) {
            size_t head = (size_t)h * 256 * 64, row = head + (size_t)i * 64;
            attend(q + row, k + head, v + head, out + row);
        }
}

void native_gelu(const float *restrict in, float *restrict out, int n)
{
    for (int i = 0; i < n; i++) {
        float x = in[i];
        out[i] = 0.5f * x * (1 + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
    }
}

void native_embedding(const float *restrict table, const int *restrict token, float *restrict out, int tokens,
                      int width)
{
    for (int t = 0; t < tokens; t++)
        memcpy(out + t * width, table + token[t] * width, sizeof *out * (size_t)width);
}
