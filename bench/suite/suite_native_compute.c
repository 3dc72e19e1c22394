/* SPDX-License-Identifier: Apache-2.0 */
/* Twins of kernels/compute.cu. Where many independent problems run side by side (rays, points of the
 * Mandelbrot set), the loop over problems is the outer one, as in the kernel's description; clang decides
 * whether to vectorise it. */
#include "suite_native.h"

#include <math.h>

static float normal_cdf(float d)
{
    float k = 1 / (1 + 0.2316419f * fabsf(d));
    float tail = 0.39894228f * expf(-0.5f * d * d) *
                 (k * (0.31938153f +
                       k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1 - tail : tail;
}

void native_black_scholes(const float *restrict unit, float *restrict call, float *restrict put, int n,
                          float rate, float volatility)
{
    for (int i = 0; i < n; i++) {
        float price = 5 + 25 * unit[i], strike = 1 + 99 * unit[n + i],
              years = 0.25f + 9.75f * unit[2 * n + i];
        float root = sqrtf(years);
        float d1 =
            (logf(price / strike) + (rate + 0.5f * volatility * volatility) * years) / (volatility * root);
        float c1 = normal_cdf(d1), c2 = normal_cdf(d1 - volatility * root),
              discount = strike * expf(-rate * years);
        call[i] = price * c1 - discount * c2;
        put[i] = discount * (1 - c2) - price * (1 - c1);
    }
}

void native_binomial(const float *restrict unit, float *restrict value, int options, float up, float up_share,
                     float down_share)
{
    for (int o = 0; o < options; o++) {
        float s[257], price = 50 + 50 * unit[o];
        for (int t = 0; t < 256; t++) {
            float v = price * expf(up * (float)(2 * t - 255)) - 75;
            s[t] = v > 0 ? v : 0;
        }
        for (int step = 255; step > 0; step--)
            for (int t = 0; t < step; t++)
                s[t] = up_share * s[t + 1] + down_share * s[t];
        value[o] = s[0];
    }
}

/* One stage: butterflies of distance 512, their results side by side in groups of p. */
static void fft_stage(const float *restrict re, const float *restrict im, const float *restrict root,
                      float *restrict to_re, float *restrict to_im, int p)
{
    for (int g = 0; g < 512; g += p)
        for (int k = 0; k < p; k++) {
            int t = g + k, to = 2 * g + k;
            float wr = root[2 * k * (512 / p)], wi = root[2 * k * (512 / p) + 1];
            float cr = re[t + 512] * wr - im[t + 512] * wi, ci = re[t + 512] * wi + im[t + 512] * wr;
            to_re[to] = re[t] + cr;
            to_im[to] = im[t] + ci;
            to_re[to + p] = re[t] - cr;
            to_im[to + p] = im[t] - ci;
        }
}

void native_fft(const float *restrict in, const float *restrict root, float *restrict out, int transforms)
{
    for (int f = 0; f < transforms; f++, in += 2048, out += 2048) {
        float re[2][1024], im[2][1024];
        int now = 0;
        for (int i = 0; i < 1024; i++) {
            re[0][i] = in[2 * i];
            im[0][i] = in[2 * i + 1];
        }
        for (int p = 1; p < 1024; p <<= 1, now = !now)
            fft_stage(re[now], im[now], root, re[!now], im[!now], p);
        for (int i = 0; i < 1024; i++) {
            out[2 * i] = re[now][i];
            out[2 * i + 1] = im[now][i];
        }
    }
}

void native_monte_carlo(uint32_t *restrict inside, int n, int samples)
{
    for (int i = 0; i < n; i++) {
        uint32_t s = (uint32_t)i * 747796405u + 2891336453u, count = 0;
        for (int k = 0; k < samples; k++) {
            s ^= s << 13, s ^= s >> 17, s ^= s << 5;
            float x = (float)(s & 0xffff) * (1.0f / 65536), y = (float)(s >> 16) * (1.0f / 65536);
            count += fmaf(x, x, y * y) <= 1;
        }
        inside[i] = count;
    }
}

/* 64 points at a time, so that the loops over points are the inner ones. */
static void nearest_of_64(const float *restrict point, const float *restrict centre, int *restrict nearest,
                          int n)
{
    float least[64];
    for (int i = 0; i < 64; i++)
        least[i] = 1e30f;
    for (int k = 0; k < 16; k++) {
        float sum[64] = {0};
        for (int d = 0; d < 8; d++)
            for (int i = 0; i < 64; i++) {
                float diff = point[d * n + i] - centre[k * 8 + d];
                sum[i] = fmaf(diff, diff, sum[i]);
            }
        for (int i = 0; i < 64; i++) {
            nearest[i] = sum[i] < least[i] ? k : nearest[i];
            least[i] = sum[i] < least[i] ? sum[i] : least[i];
        }
    }
}

void native_kmeans(const float *restrict point, const float *restrict centre, int *restrict nearest, int n)
{
    for (int i = 0; i < n; i += 64)
        nearest_of_64(point + i, centre, nearest + i, n);
}

void native_nbody(const float *restrict body, float *restrict force, int n, float softening)
{
    for (int i = 0; i < n; i++) {
        float x = body[4 * i], y = body[4 * i + 1], z = body[4 * i + 2], ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
        for (int j = 0; j < n; j++) {
            float dx = body[4 * j] - x, dy = body[4 * j + 1] - y, dz = body[4 * j + 2] - z;
            float r = 1 / sqrtf(dx * dx + dy * dy + dz * dz + softening), f = body[4 * j + 3] * r * r * r;
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

static uint32_t rotate_left(uint32_t x, int by)
{
    return x << by | x >> (32 - by);
}

void native_murmur(const uint32_t *restrict key, uint32_t *restrict hash, int n)
{
    for (int i = 0; i < n; i++) {
        uint32_t h = 0x9747b28c;
        for (int w = 0; w < 8; w++) {
            uint32_t k = rotate_left(key[i * 8 + w] * 0xcc9e2d51, 15) * 0x1b873593;
            h = rotate_left(h ^ k, 13) * 5 + 0xe6546b64;
        }
        h ^= 32;
        h = (h ^ h >> 16) * 0x85ebca6b;
        h = (h ^ h >> 13) * 0xc2b2ae35;
        hash[i] = h ^ h >> 16;
    }
}

static void sha256_block(const uint32_t *restrict message, const uint32_t *restrict round_key,
                         uint32_t *restrict digest)
{
    static const uint32_t s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    uint32_t w[64], a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
    for (int k = 0; k < 16; k++)
        w[k] = message[k];
    for (int k = 16; k < 64; k++) {
        uint32_t x = w[k - 15], y = w[k - 2];
        w[k] = w[k - 16] + w[k - 7] + (rotate_left(x, 25) ^ rotate_left(x, 14) ^ x >> 3) +
               (rotate_left(y, 15) ^ rotate_left(y, 13) ^ y >> 10);
    }
    for (int k = 0; k < 64; k++) {
        uint32_t t = h + (rotate_left(e, 26) ^ rotate_left(e, 21) ^ rotate_left(e, 7)) +
                     ((e & f) ^ (~e & g)) + round_key[k] + w[k];
        uint32_t u =
            (rotate_left(a, 30) ^ rotate_left(a, 19) ^ rotate_left(a, 10)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + t, d = c, c = b, b = a, a = t + u;
    }
    const uint32_t end[8] = {a, b, c, d, e, f, g, h};
    for (int k = 0; k < 8; k++)
        digest[k] = s[k] + end[k];
}

void native_sha256(const uint32_t *restrict message, const uint32_t *restrict round_key,
                   uint32_t *restrict digest, int n)
{
    for (int i = 0; i < n; i++)
        sha256_block(message + i * 16, round_key, digest + i * 8);
}

void native_philox(uint32_t *restrict out, int n, uint32_t seed)
{
    for (int i = 0; i < n; i++) {
        uint32_t x = (uint32_t)i, y = 0, z = 0, w = 0, k0 = seed, k1 = 0;
        for (int r = 0; r < 10; r++) {
            uint64_t a = (uint64_t)0xd2511f53 * x, b = (uint64_t)0xcd9e8d57 * z;
            x = (uint32_t)(b >> 32) ^ y ^ k0;
            y = (uint32_t)b;
            z = (uint32_t)(a >> 32) ^ w ^ k1;
            w = (uint32_t)a;
            k0 += 0x9e3779b9;
            k1 += 0xbb67ae85;
        }
        out[4 * i] = x;
        out[4 * i + 1] = y;
        out[4 * i + 2] = z;
        out[4 * i + 3] = w;
    }
}

static float trace(const float *sphere, float x, float y, int spheres)
{
    float top = -1, shade = 0;
    for (int s = 0; s < spheres; s++) {
        float dx = x - sphere[4 * s], dy = y - sphere[4 * s + 1], r = 0.2f * sphere[4 * s + 3];
        float left = fmaf(-dy, dy, fmaf(-dx, dx, r * r));
        if (left <= 0) continue;
        float height = sqrtf(left);
        if (sphere[4 * s + 2] + height > top) {
            top = sphere[4 * s + 2] + height;
            shade = height / r;
        }
    }
    return shade;
}

void native_trace_spheres(const float *restrict sphere, float *restrict light, int w, int h, int spheres)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            light[y * w + x] = trace(sphere, (float)x / (float)w, (float)y / (float)h, spheres);
}

static int mandelbrot(float cx, float cy, int limit)
{
    float x = 0, y = 0;
    for (int it = 0; it < limit; it++) {
        float xx = x * x, yy = y * y;
        if (xx + yy > 4) return it;
        y = fmaf(x + x, y, cy);
        x = xx - yy + cx;
    }
    return limit;
}

void native_mandelbrot(int *restrict out, int w, int h, int limit)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            out[y * w + x] =
                mandelbrot(fmaf((float)x, 3.0f / 512, -2), fmaf((float)y, 3.0f / 512, -1.5f), limit);
}

static int align(const uint8_t *query, const uint8_t *target, int length)
{
    int column[128] = {0}, best = 0;
    for (int j = 0; j < length; j++) {
        int diagonal = 0, above = 0;
        for (int i = 0; i < 128; i++) {
            int match = diagonal + ((query[i] & 3) == (target[j] & 3) ? 2 : -1);
            int gap = (above > column[i] ? above : column[i]) - 1;
            int score = match > gap ? match : gap;
            diagonal = column[i];
            above = column[i] = score > 0 ? score : 0;
            best = above > best ? above : best;
        }
    }
    return best;
}

void native_smith_waterman(const uint8_t *restrict query, const uint8_t *restrict target, int *restrict best,
                           int pairs, int length)
{
    for (int p = 0; p < pairs; p++)
        best[p] = align(query + p * 128, target + p * length, length);
}
