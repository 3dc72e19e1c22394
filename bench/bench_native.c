/* SPDX-License-Identifier: Apache-2.0 */
/* Native C, compiled with -O3 -march=native (clang-19; -ffp-contract=fast as nvcc contracts). No blocking by
 * hand: the natural loops, with a vectorisation hint where a reduction needs permission. */
#include "bench_native.h"

#include <math.h>
#include <stddef.h>

void native_vadd(const float *restrict x, const float *restrict y, float *restrict z, int n)
{
    for (int i = 0; i < n; i++)
        z[i] = x[i] + y[i];
}

void native_matmul(const float *restrict a, const float *restrict b, float *restrict c, int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            c[i * n + j] = 0;
        for (int k = 0; k < n; k++) {
            float x = a[i * n + k];
            for (int j = 0; j < n; j++)
                c[i * n + j] += x * b[k * n + j];
        }
    }
}

void native_nbody(const float *restrict body, float *restrict force, int n, float softening)
{
    for (int i = 0; i < n; i++) {
        float qx = body[4 * i], qy = body[4 * i + 1], qz = body[4 * i + 2], ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
        for (int j = 0; j < n; j++) {
            float dx = body[4 * j] - qx, dy = body[4 * j + 1] - qy, dz = body[4 * j + 2] - qz;
            float r = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + softening);
            float f = body[4 * j + 3] * r * r * r;
            ax += dx * f;
            ay += dy * f;
            az += dz * f;
        }
        force[4 * i] = ax;
        force[4 * i + 1] = ay;
        force[4 * i + 2] = az;
        force[4 * i + 3] = 0;
    }
}

void native_transpose(const float *restrict in, float *restrict out, int n)
{
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            out[(size_t)x * n + y] = in[(size_t)y * n + x];
}

void native_mandelbrot(int *restrict out, int w, int h, int limit, float x0, float y0, float dx, float dy)
{
    for (int py = 0; py < h; py++)
        for (int px = 0; px < w; px++) {
            float cx = x0 + px * dx, cy = y0 + py * dy, x = 0, y = 0;
            int it = 0;
            while (it < limit) {
                float xx = x * x, yy = y * y;
                if (xx + yy > 4.f) break;
                y = 2 * x * y + cy;
                x = xx - yy + cx;
                it++;
            }
            out[py * w + px] = it;
        }
}

void native_reduce(const float *restrict in, float *restrict out, int n)
{
    for (int b = 0; b < n / 512; b++) {
        float s = 0;
#pragma omp simd reduction(+ : s)
        for (int i = 0; i < 512; i++)
            s += in[(size_t)b * 512 + i];
        out[b] = s;
    }
}

void native_gather(const float *restrict in, const int *restrict index, float *restrict out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = in[index[i]];
}

void native_nested(int *restrict out, const int *restrict seed, int n, int limit)
{
    for (int i = 0; i < n; i++) {
        unsigned s = (unsigned)seed[i];
        int acc = 0, outer = (int)(s % (unsigned)limit);
        for (int a = 0; a < outer; a++) {
            s = s * 1664525u + 1013904223u;
            if (s & 0x80000000u) {
                int m = (s >> 8) & 15;
                for (int b = 0; b < m; b++) {
                    acc += (s >> b) & 1;
                    s ^= s << 5;
                    if ((s & 0x700) == 0) break;
                }
            } else if (s & 0x40000000u) {
                acc -= 3;
                if (acc < -1000) continue;
                acc ^= s & 7;
            } else {
                acc += s & 3;
                s += (unsigned)acc;
            }
        }
        out[i] = acc;
    }
}
