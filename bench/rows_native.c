/* SPDX-License-Identifier: Apache-2.0 */
/* What rows.cu is measured against: the natural loops in C, compiled with clang-19 -O3 -march=native, with a
 * vectorisation hint where a reduction needs permission. Halves round as CUDA's do but for the double
 * rounding of a fused multiply-add through float, which is what C has. */
#include "rows_native.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void native_histogram(uint32_t *restrict bins, const uint32_t *restrict keys, int n, uint32_t mask)
{
    for (int i = 0; i < n; i++)
        bins[keys[i] & mask]++;
}

void native_histogram_float(float *restrict bins, const uint32_t *restrict keys, const float *restrict values,
                            int n, uint32_t mask)
{
    for (int i = 0; i < n; i++)
        bins[keys[i] & mask] += values[i];
}

void native_points(struct point *restrict out, const struct point *restrict at,
                   const struct point *restrict speed, int n, float dt)
{
    for (int i = 0; i < n; i++) {
        struct point p = at[i], v = speed[i];
        float k = dt * (1.0f + v.x * v.x + v.y * v.y + v.z * v.z);
        out[i] = (struct point){p.x + k * v.x, p.y + k * v.y, p.z + k * v.z};
    }
}

static float half_to(uint16_t bits)
{
    _Float16 h;
    memcpy(&h, &bits, 2);
    return (float)h;
}

static uint16_t half_of(float x)
{
    _Float16 h = (_Float16)x;
    uint16_t bits;
    memcpy(&bits, &h, 2);
    return bits;
}

void native_half_fma(uint16_t *restrict out, const uint16_t *restrict a, const uint16_t *restrict b, int n)
{
    for (int i = 0; i < n; i++) {
        float x = half_to(a[i]), y = half_to(b[i]), s = y;
        for (int k = 0; k < 32; k++)
            s = half_to(half_of(fmaf(s, x, y)));
        out[i] = half_of(s);
    }
}

void native_half2_axpy(uint16_t *restrict out, const uint16_t *restrict x, const uint16_t *restrict y, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = half_of(half_to(half_of(half_to(x[i]) * 0.5f)) + half_to(y[i]));
}

static float brain_to(uint16_t bits)
{
    uint32_t wide = (uint32_t)bits << 16;
    float x;
    memcpy(&x, &wide, 4);
    return x;
}

static uint16_t brain_of(float x)
{
    uint32_t a;
    memcpy(&a, &x, 4);
    if (x != x) return 0x7fff;
    return (uint16_t)((a + 0x7fff + (a >> 16 & 1)) >> 16);
}

void native_brain_fma(uint16_t *restrict out, const uint16_t *restrict a, const uint16_t *restrict b, int n)
{
    for (int i = 0; i < n; i++) {
        float x = brain_to(a[i]), y = brain_to(b[i]), s = y;
        for (int k = 0; k < 32; k++)
            s = brain_to(brain_of(fmaf(s, x, y)));
        out[i] = brain_of(s);
    }
}

void native_half_round_trip(uint16_t *restrict out, const uint16_t *restrict in, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = half_of(half_to(in[i]) * 3.0f + 1.0f);
}

void native_local_array(uint32_t *restrict out, const uint32_t *restrict in, int n)
{
    for (int i = 0; i < n; i++) {
        uint32_t count[16] = {0}, s = in[i], best = 0;
        for (int k = 0; k < 32; k++) {
            s = s * 1664525u + 1013904223u;
            count[s >> 28] += k;
        }
        for (int k = 0; k < 16; k++)
            best = count[k] > best ? count[k] : best;
        out[i] = best * 16 + count[s >> 28];
    }
}

void native_sparse(float *restrict y, const int *restrict start, const int *restrict column,
                   const float *restrict value, const float *restrict x, int rows)
{
    for (int r = 0; r < rows; r++) {
        float sum = 0;
        for (int i = start[r]; i < start[r + 1]; i++)
            sum += value[i] * x[column[i]];
        y[r] = sum;
    }
}

void native_block_sums(float *restrict out, const float *restrict in, int n)
{
    for (int b = 0; b < n / 256; b++) {
        float s = 0;
#pragma omp simd reduction(+ : s)
        for (int i = 0; i < 256; i++)
            s += in[b * 256 + i];
        out[b] = s;
    }
}

void native_count_positive(uint32_t *restrict out, const float *restrict in, int n)
{
    uint32_t count = 0;
    for (int i = 0; i < n; i++)
        count += in[i] > 0.5f;
    *out += count;
}

void native_compact(uint32_t *restrict out, uint32_t *restrict count, const float *restrict in, int n)
{
    uint32_t at = *count;
    for (int i = 0; i < n; i++)
        if (in[i] > 0.5f) out[at++] = (uint32_t)i;
    *count = at;
}

void native_add_each(float *restrict out, const float *restrict in, int n)
{
    for (int i = 0; i < n; i++)
        out[i] += in[i];
}

void native_add_each_int(uint32_t *restrict out, const uint32_t *restrict in, int n)
{
    for (int i = 0; i < n; i++)
        out[i] += in[i];
}

void native_largest(int *restrict out, const uint32_t *restrict in, int n)
{
    int best = *out;
    for (int i = 0; i < n; i++) {
        int v = (int)(in[i] >> 1);
        best = v > best ? v : best;
    }
    *out = best;
}

void native_high_product(uint64_t *restrict out, const uint32_t *restrict in, int n)
{
    for (int i = 0; i < n; i++) {
        uint64_t s = in[i] * 0x9e3779b97f4a7c15u;
        for (int k = 0; k < 16; k++)
            s = (uint64_t)((unsigned __int128)s * 0xd6e8feb86659fd93u >> 64) ^ (s + (uint64_t)k);
        out[i] = s;
    }
}

void native_double_functions(double *restrict out, const float *restrict in, int n, int which)
{
    for (int i = 0; i < n; i++) {
        double x = (double)in[i] * 4 + 0.25;
        switch (which) {
        case 0: out[i] = exp(x); break;
        case 1: out[i] = log(x); break;
        case 2: out[i] = sin(x); break;
        case 3: out[i] = pow(x, 1.7); break;
        case 4: out[i] = 1 / sqrt(x) + x / (x + 3); break;
        default: out[i] = tanh(x) + erf(x); break;
        }
    }
}

void native_match(uint32_t *restrict out, const uint32_t *restrict in, int n)
{
    for (int w = 0; w < n; w += 32)
        for (int i = 0; i < 32; i++) {
            uint32_t same = 0;
            for (int k = 0; k < 32; k++)
                same |= (uint32_t)((in[w + i] & 15) == (in[w + k] & 15)) << k;
            out[w + i] = same;
        }
}

static float texel(const float *image, int width, int height, int x, int y)
{
    x = x < 0 ? 0 : x >= width ? width - 1 : x;
    y = y < 0 ? 0 : y >= height ? height - 1 : y;
    return image[y * width + x];
}

void native_bilinear(float *restrict out, const float *restrict image, int width, int height)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float u = x * 0.96875f + y * 0.125f, v = y * 0.96875f - x * 0.125f;
            float fu = floorf(u), fv = floorf(v), a = u - fu, b = v - fv;
            int i = (int)fu, j = (int)fv;
            out[y * width + x] = (1 - a) * (1 - b) * texel(image, width, height, i, j) +
                                 a * (1 - b) * texel(image, width, height, i + 1, j) +
                                 (1 - a) * b * texel(image, width, height, i, j + 1) +
                                 a * b * texel(image, width, height, i + 1, j + 1);
        }
}

int native_print(char *restrict to, int capacity, int n)
{
    int at = 0;
    for (int i = 0; i < n; i++)
        at += snprintf(to + at, (size_t)(capacity - at), "thread %d: %f\n", i, (double)i * 0.5);
    return at;
}
