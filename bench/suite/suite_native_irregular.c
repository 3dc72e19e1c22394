/* SPDX-License-Identifier: Apache-2.0 */
/* Twins of kernels/irregular.cu: one pass over the data where one thread needs only one. */
#include "suite_native.h"

#include <stdbool.h>
#include <string.h>

void native_spmv(const int *restrict start, const int *restrict column, const float *restrict value,
                 const float *restrict x, float *restrict y, int rows)
{
    for (int r = 0; r < rows; r++) {
        float sum = 0;
        for (int i = start[r]; i < start[r + 1]; i++)
            sum += value[i] * x[column[i]];
        y[r] = sum;
    }
}

void native_spmv_long(const int *restrict start, const int *restrict column, const float *restrict value,
                      const float *restrict x, float *restrict y, int rows)
{
    for (int r = 0; r < rows; r++) {
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int i = start[r]; i < start[r + 1]; i++)
            sum += value[i] * x[column[i]];
        y[r] = sum;
    }
}

void native_spmv_ell(const int *restrict column, const float *restrict value, const float *restrict x,
                     float *restrict y, int rows, int width)
{
    memset(y, 0, sizeof *y * (size_t)rows);
    for (int k = 0; k < width; k++)
        for (int r = 0; r < rows; r++)
            y[r] += value[k * rows + r] * x[column[k * rows + r]];
}

void native_bfs_step(const int *restrict start, const int *restrict column, int *restrict level, int nodes,
                     int depth)
{
    for (int n = 0; n < nodes; n++) {
        if (level[n] != depth) continue;
        for (int i = start[n]; i < start[n + 1]; i++)
            if (level[column[i]] < 0) level[column[i]] = depth + 1;
    }
}

/* Four tables, so that equal keys in a row do not wait for each other. */
void native_histogram(const uint32_t *restrict key, uint32_t *restrict bin, int n)
{
    uint32_t count[4][256] = {{0}};
    for (int i = 0; i < n; i += 4)
        for (int k = 0; k < 4; k++)
            count[k][key[i + k] & 255]++;
    for (int b = 0; b < 256; b++)
        bin[b] = count[0][b] + count[1][b] + count[2][b] + count[3][b];
}

void native_scan(const uint32_t *restrict in, uint32_t *restrict out, int n)
{
    uint32_t sum = 0;
    for (int i = 0; i < n; i++)
        out[i] = sum += in[i];
}

void native_compact(const float *restrict in, float *restrict out, int n, float limit)
{
    int at = 0;
    for (int i = 0; i < n; i++) {
        out[at] = in[i];
        at += in[i] > limit;
    }
    out[at] = 0; /* the last one that was not kept */
}

void native_radix_pass(const uint32_t *restrict key, uint32_t *restrict out, int n, int shift)
{
    uint32_t count[16] = {0}, at = 0;
    for (int i = 0; i < n; i++)
        count[key[i] >> shift & 15]++;
    for (int d = 0; d < 16; d++) {
        uint32_t c = count[d];
        count[d] = at;
        at += c;
    }
    for (int i = 0; i < n; i++)
        out[count[key[i] >> shift & 15]++] = key[i];
}

static void radix_byte(const uint32_t *restrict in, uint32_t *restrict out, int shift)
{
    uint16_t count[256] = {0}, at = 0;
    for (int i = 0; i < 512; i++)
        count[in[i] >> shift & 255]++;
    for (int d = 0; d < 256; d++) {
        uint16_t c = count[d];
        count[d] = at;
        at = (uint16_t)(at + c);
    }
    for (int i = 0; i < 512; i++)
        out[count[in[i] >> shift & 255]++] = in[i];
}

/* Segments of 512, by bytes. */
void native_sort(const uint32_t *restrict in, uint32_t *restrict out, int n)
{
    uint32_t a[512], b[512];
    for (int i = 0; i < n; i += 512) {
        radix_byte(in + i, a, 0);
        radix_byte(a, b, 8);
        radix_byte(b, a, 16);
        radix_byte(a, out + i, 24);
    }
}

void native_prefix_max(const float *restrict in, float *restrict out, int n)
{
    for (int i = 0; i < n; i += 32) {
        float top = in[i];
        for (int k = 0; k < 32; k++)
            out[i + k] = top = in[i + k] > top ? in[i + k] : top;
    }
}

void native_gather(const float *restrict in, const int *restrict index, float *restrict out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = in[index[i]];
}

void native_scatter(const float *restrict in, const int *restrict place, float *restrict out, int n)
{
    for (int i = 0; i < n; i++)
        out[place[i]] = in[i];
}

void native_split_vectors(const float *restrict in, float *restrict out, int n)
{
    for (int i = 0; i < n; i++) {
        out[i] = in[3 * i];
        out[n + i] = in[3 * i + 1];
        out[2 * n + i] = in[3 * i + 2];
    }
}

void native_search(const uint8_t *restrict text, const uint8_t *restrict pattern, uint32_t *restrict count,
                   int n, int length)
{
    *count = 0;
    for (int i = 0; i <= n - length; i++) {
        int k = 0;
        while (k < length && (text[i + k] & 3) == (pattern[k] & 3))
            k++;
        *count += k == length;
    }
}
