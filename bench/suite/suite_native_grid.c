/* SPDX-License-Identifier: Apache-2.0 */
/* Twins of kernels/grid.cu: rows inside, so that clang can vectorise them, and borders outside the inner
 * loops. */
#include "suite_native.h"

#include <stdlib.h>

void native_stencil5(const float *restrict in, float *restrict out, int w, int h)
{
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            int i = y * w + x;
            out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - w] + in[i + w]);
        }
}

void native_stencil7(const float *restrict in, float *restrict out, int n)
{
    int plane = n * n;
    for (int z = 1; z < n - 1; z++)
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++) {
                int i = z * plane + y * n + x;
                out[i] = 0.4f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] +
                                                in[i - plane] + in[i + plane]);
            }
}

static int clamp_to(int v, int n)
{
    return v < 0 ? 0 : v >= n ? n - 1 : v;
}

static float box_at(const float *in, int w, int h, int x, int y)
{
    float sum = 0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++)
            sum += in[clamp_to(y + j, h) * w + clamp_to(x + i, w)];
    return sum * 0.04f;
}

static void box_row(const float *restrict in, float *restrict out, int w, int h, int y)
{
    const float *row[5];
    for (int j = 0; j < 5; j++)
        row[j] = in + clamp_to(y + j - 2, h) * w;
    for (int x = 2; x < w - 2; x++) {
        float sum = 0;
        for (int j = 0; j < 5; j++)
            for (int i = -2; i <= 2; i++)
                sum += row[j][x + i];
        out[x] = sum * 0.04f;
    }
}

void native_box5(const float *restrict in, float *restrict out, int w, int h)
{
    for (int y = 0; y < h; y++) {
        box_row(in, out + y * w, w, h, y);
        for (int k = 0; k < 4; k++) {
            int x = k < 2 ? k : w - 4 + k;
            out[y * w + x] = box_at(in, w, h, x, y);
        }
    }
}

void native_convolve(const float *restrict in, const float *restrict tap, float *restrict out, int n)
{
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = 0; k < 17; k++)
            sum += tap[k] * in[i + k];
        out[i] = sum;
    }
}

static float tap_clamped(const float *row, const float *tap, int w, int x)
{
    float sum = 0;
    for (int k = 0; k < 7; k++)
        sum += tap[k] * row[clamp_to(x + k - 3, w)];
    return sum;
}

static void separable_row(const float *restrict in, const float *restrict tap, float *restrict out, int w)
{
    for (int x = 3; x < w - 3; x++) {
        float sum = 0;
        for (int k = 0; k < 7; k++)
            sum += tap[k] * in[x + k - 3];
        out[x] = sum;
    }
    for (int x = 0; x < 3; x++) {
        out[x] = tap_clamped(in, tap, w, x);
        out[w - 1 - x] = tap_clamped(in, tap, w, w - 1 - x);
    }
}

void native_separable(const float *restrict in, const float *restrict tap, float *restrict between,
                      float *restrict out, int w, int h)
{
    for (int y = 0; y < h; y++)
        separable_row(in + y * w, tap, between + y * w, w);
    for (int y = 0; y < h; y++) {
        const float *row[7];
        for (int k = 0; k < 7; k++)
            row[k] = between + clamp_to(y + k - 3, h) * w;
        for (int x = 0; x < w; x++) {
            float sum = 0;
            for (int k = 0; k < 7; k++)
                sum += tap[k] * row[k][x];
            out[y * w + x] = sum;
        }
    }
}

/* Cell i from populations p at from[p]. */
static inline void lbm_cell(const float *restrict f, float *restrict out, int cells, int i, const int from[9],
                            float omega)
{
    static const float cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    static const float weight[9] = {4 / 9.f,  1 / 9.f,  1 / 9.f,  1 / 9.f, 1 / 9.f,
                                    1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};
    float g[9], rho = 0, u = 0, v = 0;
    for (int p = 0; p < 9; p++) {
        g[p] = f[p * cells + from[p]];
        rho += g[p];
        u += cx[p] * g[p];
        v += cy[p] * g[p];
    }
    u /= rho, v /= rho;
    float base = 1 - 1.5f * (u * u + v * v);
    for (int p = 0; p < 9; p++) {
        float c = cx[p] * u + cy[p] * v;
        out[p * cells + i] = g[p] + omega * (weight[p] * rho * (base + 3 * c + 4.5f * c * c) - g[p]);
    }
}

static void lbm_row(const float *restrict f, float *restrict out, int n, int y, int first, int last,
                    float omega)
{
    int south = (y + n - 1) % n * n, north = (y + 1) % n * n, row = y * n;
    for (int x = first; x <= last; x++) {
        int west = x == 0 ? n - 1 : x - 1, east = x == n - 1 ? 0 : x + 1;
        const int from[9] = {row + x,      row + west,   south + x,    row + east,  north + x,
                             south + west, south + east, north + east, north + west};
        lbm_cell(f, out, n * n, row + x, from, omega);
    }
}

static void lbm_inside(const float *restrict f, float *restrict out, int n, int y, float omega)
{
    int south = (y + n - 1) % n * n, north = (y + 1) % n * n, row = y * n;
    for (int x = 1; x < n - 1; x++) {
        const int from[9] = {row + x,       row + x - 1,   south + x,     row + x + 1,  north + x,
                             south + x - 1, south + x + 1, north + x + 1, north + x - 1};
        lbm_cell(f, out, n * n, row + x, from, omega);
    }
}

void native_lbm(const float *restrict f, float *restrict out, int n, float omega)
{
    for (int y = 0; y < n; y++) {
        lbm_row(f, out, n, y, 0, 0, omega);
        lbm_inside(f, out, n, y, omega);
        lbm_row(f, out, n, y, n - 1, n - 1, omega);
    }
}

void native_sobel(const uint8_t *restrict in, uint8_t *restrict out, int w, int h)
{
    for (int y = 1; y < h - 1; y++) {
        const uint8_t *a = in + (y - 1) * w, *b = a + w, *c = b + w;
        for (int x = 1; x < w - 1; x++) {
            int gx = a[x + 1] - a[x - 1] + 2 * (b[x + 1] - b[x - 1]) + c[x + 1] - c[x - 1];
            int gy = c[x - 1] - a[x - 1] + 2 * (c[x] - a[x]) + c[x + 1] - a[x + 1];
            int g = abs(gx) + abs(gy);
            out[y * w + x] = (uint8_t)(g > 255 ? 255 : g);
        }
    }
}

static inline uint8_t least(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

static inline uint8_t most(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

static inline uint8_t middle(uint8_t a, uint8_t b, uint8_t c)
{
    return most(least(a, b), least(most(a, b), c));
}

/* The median of nine is the median of the greatest minimum, the middle median and the least maximum of sorted
 * columns. */
void native_median3(const uint8_t *restrict in, uint8_t *restrict out, int w, int h)
{
    for (int y = 1; y < h - 1; y++) {
        const uint8_t *a = in + (y - 1) * w, *b = a + w, *c = b + w;
        for (int x = 1; x < w - 1; x++) {
            uint8_t low[3], mid[3], high[3];
            for (int k = 0; k < 3; k++) {
                uint8_t p = a[x + k - 1], q = b[x + k - 1], r = c[x + k - 1];
                low[k] = least(least(p, q), r);
                mid[k] = middle(p, q, r);
                high[k] = most(most(p, q), r);
            }
            out[y * w + x] = middle(most(most(low[0], low[1]), low[2]), middle(mid[0], mid[1], mid[2]),
                                    least(least(high[0], high[1]), high[2]));
        }
    }
}

void native_resize(const float *restrict in, float *restrict out, int w, int h, int ow, int oh)
{
    for (int y = 0; y < oh; y++) {
        float v = (float)y * (float)(h - 1) / (float)(oh - 1);
        int j = (int)v, j1 = j + 1 < h ? j + 1 : h - 1;
        float b = v - (float)j;
        const float *upper = in + j * w, *lower = in + j1 * w;
        for (int x = 0; x < ow; x++) {
            float u = (float)x * (float)(w - 1) / (float)(ow - 1);
            int i = (int)u, i1 = i + 1 < w ? i + 1 : w - 1;
            float a = u - (float)i, top = upper[i] + a * (upper[i1] - upper[i]);
            out[y * ow + x] = top + b * (lower[i] + a * (lower[i1] - lower[i]) - top);
        }
    }
}

void native_floyd_warshall(float *distance, int n)
{
    for (int k = 0; k < n; k++) {
        const float *from = distance + k * n;
        for (int y = 0; y < n; y++) {
            float *row = distance + y * n, to = row[k];
#pragma omp simd
            for (int x = 0; x < n; x++)
                row[x] = to + from[x] < row[x] ? to + from[x] : row[x];
        }
    }
}

static void dct_block(const float *restrict in, const float *restrict cosine, float *restrict out, int w)
{
    float row[8][8];
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) {
            row[y][x] = 0;
            for (int k = 0; k < 8; k++)
                row[y][x] += cosine[x * 8 + k] * in[y * w + k];
        }
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) {
            float sum = 0;
            for (int k = 0; k < 8; k++)
                sum += cosine[y * 8 + k] * row[k][x];
            out[y * w + x] = sum;
        }
}

void native_dct8(const float *restrict in, const float *restrict cosine, float *restrict out, int w, int h)
{
    for (int y = 0; y < h; y += 8)
        for (int x = 0; x < w; x += 8)
            dct_block(in + y * w + x, cosine, out + y * w + x, w);
}

static int largest(int a, int b, int c)
{
    int d = a > b ? a : b;
    return d > c ? d : c;
}

void native_needleman(const uint8_t *restrict a, const uint8_t *restrict b, int *restrict score, int n)
{
    for (int i = 0; i < n; i++) {
        int left = -(i + 1), diagonal = -i;
        for (int j = 0; j < n; j++) {
            int up = i ? score[(i - 1) * n + j] : -(j + 1), same = (a[i] & 3) == (b[j] & 3);
            left = largest(diagonal + (same ? 1 : -1), up - 1, left - 1);
            diagonal = up;
            score[i * n + j] = left;
        }
    }
}
