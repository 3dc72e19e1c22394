// SPDX-License-Identifier: Apache-2.0
// Stencils, filters and images, and other kernels on two-dimensional grids.

KERNEL stencil5(GLOBAL const float *in, GLOBAL float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * w + x;
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
        out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - w] + in[i + w]);
}

// Each thread walks along z.
KERNEL stencil7(GLOBAL const float *in, GLOBAL float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, plane = n * n;
    if (x == 0 || y == 0 || x >= n - 1 || y >= n - 1) return;
    int i = plane + y * n + x;
    float below = in[i - plane], here = in[i];
    for (int z = 1; z < n - 1; z++, i += plane) {
        float above = in[i + plane];
        out[i] = 0.4f * here + 0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + below + above);
        below = here;
        here = above;
    }
}

DEVICE int clamp_to(int v, int n)
{
    return v < 0 ? 0 : v >= n ? n - 1 : v;
}

// 5 x 5 means, from a tile with its halo.
KERNEL box5(GLOBAL const float *in, GLOBAL float *out, int w, int h)
{
    __shared__ float tile[20][20];
    int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 16, y0 = blockIdx.y * 16;
    for (int y = ty; y < 20; y += 16)
        for (int x = tx; x < 20; x += 16) tile[y][x] = in[clamp_to(y0 + y - 2, h) * w + clamp_to(x0 + x - 2, w)];
    __syncthreads();
    float sum = 0;
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 5; x++) sum += tile[ty + y][tx + x];
    if (x0 + tx < w && y0 + ty < h) out[(y0 + ty) * w + x0 + tx] = sum * 0.04f;
}

// 17 taps; n + 16 inputs.
KERNEL convolve(GLOBAL const float *in, GLOBAL const float *tap, GLOBAL float *out, int n)
{
    __shared__ float part[256 + 16];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    part[t] = in[i];
    if (t < 16) part[t + 256] = in[i + 256];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 17; k++) sum += tap[k] * part[t + k];
    if (i < n) out[i] = sum;
}

KERNEL separable_rows(GLOBAL const float *in, GLOBAL const float *tap, GLOBAL float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float sum = 0;
    for (int k = 0; k < 7; k++) sum += tap[k] * in[y * w + clamp_to(x + k - 3, w)];
    out[y * w + x] = sum;
}

KERNEL separable_columns(GLOBAL const float *in, GLOBAL const float *tap, GLOBAL float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float sum = 0;
    for (int k = 0; k < 7; k++) sum += tap[k] * in[clamp_to(y + k - 3, h) * w + x];
    out[y * w + x] = sum;
}

// Lattice Boltzmann, D2Q9: pulls the nine populations of a cell and relaxes them; the grid is periodic.
KERNEL lbm(GLOBAL const float *f, GLOBAL float *out, int n, float omega)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    int cells = n * n, i = y * n + x;
    int west = x == 0 ? n - 1 : x - 1, east = x == n - 1 ? 0 : x + 1;
    int south = (y == 0 ? n - 1 : y - 1) * n, north = (y == n - 1 ? 0 : y + 1) * n, row = y * n;
    float f0 = f[i], f1 = f[cells + row + west], f2 = f[2 * cells + south + x], f3 = f[3 * cells + row + east];
    float f4 = f[4 * cells + north + x], f5 = f[5 * cells + south + west], f6 = f[6 * cells + south + east];
    float f7 = f[7 * cells + north + east], f8 = f[8 * cells + north + west];
    float rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8;
    float u = (f1 + f5 + f8 - f3 - f6 - f7) / rho, v = (f2 + f5 + f6 - f4 - f7 - f8) / rho;
    float base = 1.0f - 1.5f * (u * u + v * v), axis = rho / 9.0f, corner = rho / 36.0f;
    float p = u + v, m = u - v;
    out[i] = f0 + omega * (4.0f * axis * base - f0);
    out[cells + i] = f1 + omega * (axis * (base + 3.0f * u + 4.5f * u * u) - f1);
    out[2 * cells + i] = f2 + omega * (axis * (base + 3.0f * v + 4.5f * v * v) - f2);
    out[3 * cells + i] = f3 + omega * (axis * (base - 3.0f * u + 4.5f * u * u) - f3);
    out[4 * cells + i] = f4 + omega * (axis * (base - 3.0f * v + 4.5f * v * v) - f4);
    out[5 * cells + i] = f5 + omega * (corner * (base + 3.0f * p + 4.5f * p * p) - f5);
    out[6 * cells + i] = f6 + omega * (corner * (base - 3.0f * m + 4.5f * m * m) - f6);
    out[7 * cells + i] = f7 + omega * (corner * (base - 3.0f * p + 4.5f * p * p) - f7);
    out[8 * cells + i] = f8 + omega * (corner * (base + 3.0f * m + 4.5f * m * m) - f8);
}

KERNEL sobel(GLOBAL const unsigned char *in, GLOBAL unsigned char *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || y == 0 || x >= w - 1 || y >= h - 1) return;
    GLOBAL const unsigned char *a = in + (y - 1) * w + x, *b = a + w, *c = b + w;
    int gx = a[1] - a[-1] + 2 * (b[1] - b[-1]) + c[1] - c[-1];
    int gy = c[-1] - a[-1] + 2 * (c[0] - a[0]) + c[1] - a[1];
    int g = (gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy);
    out[y * w + x] = g > 255 ? 255 : g;
}

#define SORT2(a, b)             \
    {                           \
        int lower = min(a, b);  \
        b = max(a, b);          \
        a = lower;              \
    }

// 3 x 3, by a network of nineteen exchanges.
KERNEL median3(GLOBAL const unsigned char *in, GLOBAL unsigned char *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || y == 0 || x >= w - 1 || y >= h - 1) return;
    int v[9];
    for (int k = 0; k < 9; k++) v[k] = in[(y + k / 3 - 1) * w + x + k % 3 - 1];
    SORT2(v[1], v[2]) SORT2(v[4], v[5]) SORT2(v[7], v[8]) SORT2(v[0], v[1]) SORT2(v[3], v[4]) SORT2(v[6], v[7])
    SORT2(v[1], v[2]) SORT2(v[4], v[5]) SORT2(v[7], v[8]) SORT2(v[0], v[3]) SORT2(v[5], v[8]) SORT2(v[4], v[7])
    SORT2(v[3], v[6]) SORT2(v[1], v[4]) SORT2(v[2], v[5]) SORT2(v[4], v[7]) SORT2(v[4], v[2]) SORT2(v[6], v[4])
    SORT2(v[4], v[2])
    out[y * w + x] = v[4];
}

// Bilinear, from w x h to ow x oh.
KERNEL resize(GLOBAL const float *in, GLOBAL float *out, int w, int h, int ow, int oh)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= ow || y >= oh) return;
    float u = (float)x * (float)(w - 1) / (float)(ow - 1), v = (float)y * (float)(h - 1) / (float)(oh - 1);
    int i = (int)u, j = (int)v, i1 = min(i + 1, w - 1), j1 = min(j + 1, h - 1);
    float a = u - (float)i, b = v - (float)j;
    float top = in[j * w + i] + a * (in[j * w + i1] - in[j * w + i]);
    float bottom = in[j1 * w + i] + a * (in[j1 * w + i1] - in[j1 * w + i]);
    out[y * ow + x] = top + b * (bottom - top);
}

// All shortest paths: one intermediate node a launch.
KERNEL floyd_warshall(GLOBAL float *distance, int n, int k)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    float by = distance[y * n + k] + distance[k * n + x];
    if (by < distance[y * n + x]) distance[y * n + x] = by;
}

// Blocks of 8 x 8 pixels and threads; cosine[k][x].
KERNEL dct8(GLOBAL const float *in, GLOBAL const float *cosine, GLOBAL float *out, int w)
{
    __shared__ float pixel[8][8], row[8][8];
    int x = threadIdx.x, y = threadIdx.y, at = (blockIdx.y * 8 + y) * w + blockIdx.x * 8 + x;
    pixel[y][x] = in[at];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 8; k++) sum += cosine[x * 8 + k] * pixel[y][k];
    row[y][x] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < 8; k++) sum += cosine[y * 8 + k] * row[k][x];
    out[at] = sum;
}

// Needleman-Wunsch: tiles of 32 x 32 along an antidiagonal of tiles, a tile a block of 32 threads, a row a thread.
DEVICE int border(GLOBAL const int *score, int n, int i, int j)
{
    return i < 0 || j < 0 ? -(i + j + 2) : score[i * n + j];
}

KERNEL needleman(GLOBAL const unsigned char *a, GLOBAL const unsigned char *b, GLOBAL int *score, int n, int diagonal)
{
    __shared__ int tile[33][33];
    int t = threadIdx.x, ti = blockIdx.x, tj = diagonal - ti;
    if (tj < 0 || tj >= n / 32) return;
    int i0 = ti * 32, j0 = tj * 32;
    unsigned char mine = a[i0 + t] & 3;
    tile[t + 1][0] = border(score, n, i0 + t, j0 - 1);
    tile[0][t + 1] = border(score, n, i0 - 1, j0 + t);
    if (t == 0) tile[0][0] = border(score, n, i0 - 1, j0 - 1);
    __syncthreads();
    for (int d = 0; d < 63; d++) {
        int j = d - t;
        if (j >= 0 && j < 32) {
            int match = tile[t][j] + (mine == (b[j0 + j] & 3) ? 1 : -1);
            tile[t + 1][j + 1] = max(match, max(tile[t][j + 1], tile[t + 1][j]) - 1);
        }
        __syncthreads();
    }
    for (int i = 0; i < 32; i++) score[(i0 + i) * n + j0 + t] = tile[i + 1][t + 1];
}
