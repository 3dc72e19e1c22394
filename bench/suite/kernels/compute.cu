// SPDX-License-Identifier: Apache-2.0
// Arithmetic: finance, signals, random numbers, hashes, geometry, sequences.

DEVICE float normal_cdf(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float tail = 0.39894228f * expf(-0.5f * d * d) *
                 (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1.0f - tail : tail;
}

KERNEL black_scholes(GLOBAL const float *unit, GLOBAL float *call, GLOBAL float *put, int n, float rate, float volatility)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float price = 5.0f + 25.0f * unit[i], strike = 1.0f + 99.0f * unit[n + i], years = 0.25f + 9.75f * unit[2 * n + i];
    float root = sqrtf(years);
    float d1 = (logf(price / strike) + (rate + 0.5f * volatility * volatility) * years) / (volatility * root);
    float d2 = d1 - volatility * root, c1 = normal_cdf(d1), c2 = normal_cdf(d2), discount = strike * expf(-rate * years);
    call[i] = price * c1 - discount * c2;
    put[i] = discount * (1.0f - c2) - price * (1.0f - c1);
}

// A block an option, 255 steps: values move down the tree in shared memory.
KERNEL binomial(GLOBAL const float *unit, GLOBAL float *value, float up, float up_share, float down_share)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    float price = 50.0f + 50.0f * unit[blockIdx.x], exponent = (float)(2 * t - 255);
    s[t] = fmaxf(price * expf(up * exponent) - 75.0f, 0.0f);
    __syncthreads();
    for (int step = 255; step > 0; step--) {
        float v = 0;
        if (t < step) v = up_share * s[t + 1] + down_share * s[t];
        __syncthreads();
        if (t < step) s[t] = v;
        __syncthreads();
    }
    if (t == 0) value[blockIdx.x] = s[0];
}

// Blocks of 512 threads transform 1024 complex numbers each: Stockham's order, radix 2.
KERNEL fft(GLOBAL const float2 *in, GLOBAL const float2 *root, GLOBAL float2 *out)
{
    __shared__ float re[1024], im[1024];
    int t = threadIdx.x, first = blockIdx.x * 1024;
    for (int i = t; i < 1024; i += 512) {
        re[i] = in[first + i].x;
        im[i] = in[first + i].y;
    }
    __syncthreads();
    for (int p = 1; p < 1024; p <<= 1) {
        int k = t & (p - 1), to = 2 * (t - k) + k;
        float2 w = root[k * (512 / p)];
        float ar = re[t], ai = im[t], br = re[t + 512], bi = im[t + 512];
        float cr = br * w.x - bi * w.y, ci = br * w.y + bi * w.x;
        __syncthreads();
        re[to] = ar + cr;
        im[to] = ai + ci;
        re[to + p] = ar - cr;
        im[to + p] = ai - ci;
        __syncthreads();
    }
    for (int i = t; i < 1024; i += 512) out[first + i] = make_float2(re[i], im[i]);
}

// How many of `samples` random points lie in the quarter of a circle.
KERNEL monte_carlo(GLOBAL unsigned *inside, int n, int samples)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned s = i * 747796405u + 2891336453u, count = 0;
    for (int k = 0; k < samples; k++) {
        s ^= s << 13, s ^= s >> 17, s ^= s << 5;
        float x = (float)(s & 0xffff) * (1.0f / 65536.0f), y = (float)(s >> 16) * (1.0f / 65536.0f);
        if (fmaf(x, x, y * y) <= 1.0f) count++;
    }
    inside[i] = count;
}

// The nearest of 16 centres; 8 coordinates, each of all points side by side.
KERNEL kmeans(GLOBAL const float *point, GLOBAL const float *centre, GLOBAL int *nearest, int n)
{
    __shared__ float c[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
    if (threadIdx.x < 128) c[threadIdx.x] = centre[threadIdx.x];
    __syncthreads();
    if (i >= n) return;
    float least = 1e30f;
    for (int k = 0; k < 16; k++) {
        float sum = 0;
        for (int d = 0; d < 8; d++) {
            float diff = point[d * n + i] - c[k * 8 + d];
            sum = fmaf(diff, diff, sum);
        }
        if (sum < least) {
            least = sum;
            best = k;
        }
    }
    nearest[i] = best;
}

KERNEL nbody(GLOBAL const float4 *body, GLOBAL float4 *force, int n, float softening)
{
    __shared__ float4 tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = body[i];
    float ax = 0, ay = 0, az = 0;
    for (int t = 0; t < n; t += 256) {
        tile[threadIdx.x] = body[t + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 256; j++) {
            float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
            float r = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + softening), f = tile[j].w * r * r * r;
            ax += dx * f;
            ay += dy * f;
            az += dz * f;
        }
        __syncthreads();
    }
    force[i] = make_float4(ax, ay, az, 0);
}

DEVICE unsigned rotate_left(unsigned x, int by)
{
    return x << by | x >> (32 - by);
}

// MurmurHash3 (Appleby), 32 bits, of keys of 8 words.
KERNEL murmur(GLOBAL const unsigned *key, GLOBAL unsigned *hash, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned h = 0x9747b28cu;
    for (int w = 0; w < 8; w++) {
        unsigned k = rotate_left(key[i * 8 + w] * 0xcc9e2d51u, 15) * 0x1b873593u;
        h = rotate_left(h ^ k, 13) * 5 + 0xe6546b64u;
    }
    h ^= 32;
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    hash[i] = h ^ h >> 16;
}

// SHA-256's compression (FIPS 180-4) of one block of 16 words a thread, from the initial state.
KERNEL sha256(GLOBAL const unsigned *message, GLOBAL const unsigned *round_key, GLOBAL unsigned *digest, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned w[16], s[8] = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
                            0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
    unsigned a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
    for (int k = 0; k < 16; k++) w[k] = message[i * 16 + k];
#pragma unroll
    for (int k = 0; k < 64; k++) {
        if (k >= 16) {
            unsigned x = w[(k + 1) & 15], y = w[(k + 14) & 15];
            w[k & 15] += w[(k + 9) & 15] + (rotate_left(x, 25) ^ rotate_left(x, 14) ^ x >> 3) +
                         (rotate_left(y, 15) ^ rotate_left(y, 13) ^ y >> 10);
        }
        unsigned t = h + (rotate_left(e, 26) ^ rotate_left(e, 21) ^ rotate_left(e, 7)) + ((e & f) ^ (~e & g)) + round_key[k] +
                     w[k & 15];
        unsigned u = (rotate_left(a, 30) ^ rotate_left(a, 19) ^ rotate_left(a, 10)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + t, d = c, c = b, b = a, a = t + u;
    }
    digest[i * 8] = s[0] + a;
    digest[i * 8 + 1] = s[1] + b;
    digest[i * 8 + 2] = s[2] + c;
    digest[i * 8 + 3] = s[3] + d;
    digest[i * 8 + 4] = s[4] + e;
    digest[i * 8 + 5] = s[5] + f;
    digest[i * 8 + 6] = s[6] + g;
    digest[i * 8 + 7] = s[7] + h;
}

// Philox4x32-10 (Salmon and others 2011): four random words of each counter.
KERNEL philox(GLOBAL uint4 *out, int n, unsigned seed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned x = i, y = 0, z = 0, w = 0, k0 = seed, k1 = 0;
    for (int r = 0; r < 10; r++) {
        unsigned high0 = __umulhi(0xd2511f53u, x), low0 = 0xd2511f53u * x;
        unsigned high1 = __umulhi(0xcd9e8d57u, z), low1 = 0xcd9e8d57u * z;
        x = high1 ^ y ^ k0;
        y = low1;
        z = high0 ^ w ^ k1;
        w = low0;
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    out[i] = make_uint4(x, y, z, w);
}

// Spheres (centre, radius) above the image plane, parallel rays along z; the light of the nearest, from the viewer.
KERNEL trace_spheres(GLOBAL const float4 *sphere, GLOBAL float *light, int w, int h, int spheres)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= w || py >= h) return;
    float x = (float)px / (float)w, y = (float)py / (float)h, top = -1.0f, shade = 0;
    for (int s = 0; s < spheres; s++) {
        float4 ball = sphere[s];
        float dx = x - ball.x, dy = y - ball.y, r = 0.2f * ball.w;
        float left = fmaf(-dy, dy, fmaf(-dx, dx, r * r));
        if (left <= 0) continue;
        float height = sqrtf(left);
        if (ball.z + height > top) {
            top = ball.z + height;
            shade = height / r;
        }
    }
    light[py * w + px] = shade;
}

KERNEL mandelbrot(GLOBAL int *out, int w, int h, int limit)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y, it = 0;
    if (px >= w || py >= h) return;
    float cx = fmaf((float)px, 3.0f / 512.0f, -2.0f), cy = fmaf((float)py, 3.0f / 512.0f, -1.5f), x = 0, y = 0;
    for (; it < limit; it++) {
        float xx = x * x, yy = y * y;
        if (xx + yy > 4.0f) break;
        y = fmaf(x + x, y, cy);
        x = xx - yy + cx;
    }
    out[py * w + px] = it;
}

// Smith-Waterman scores of pairs: a block of 128 threads a pair, a letter of the query a thread, along antidiagonals.
KERNEL smith_waterman(GLOBAL const unsigned char *query, GLOBAL const unsigned char *target, GLOBAL int *best, int length)
{
    __shared__ int row[2][129], top[128];
    int t = threadIdx.x, mine = query[blockIdx.x * 128 + t] & 3, left = 0, diagonal = 0, most = 0;
    row[0][t + 1] = row[1][t + 1] = 0;
    if (t == 0) row[0][0] = row[1][0] = 0;
    __syncthreads();
    for (int d = 0; d < length + 127; d++) {
        int j = d - t, up = row[d & 1][t], score = 0;
        if (j >= 0 && j < length) {
            int same = mine == (target[blockIdx.x * length + j] & 3);
            score = max(max(0, diagonal + (same ? 2 : -1)), max(up, left) - 1);
            most = max(most, score);
            left = score;
            diagonal = up;
        }
        row[(d + 1) & 1][t + 1] = score;
        __syncthreads();
    }
    top[t] = most;
    __syncthreads();
    for (int k = 64; k > 0; k >>= 1) {
        if (t < k) top[t] = max(top[t], top[t + k]);
        __syncthreads();
    }
    if (t == 0) best[blockIdx.x] = top[0];
}
