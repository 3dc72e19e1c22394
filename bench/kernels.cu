// SPDX-License-Identifier: Apache-2.0
// The benchmark's kernels as CUDA. kernels.ptx beside this file is nvcc's output for it (nvcc -arch=sm_90 -ptx), kept so that
// the benchmark needs no NVIDIA software and measures the same code everywhere.
#define KERNEL extern "C" __global__ void

KERNEL vadd(const float *x, const float *y, float *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}

KERNEL matmul(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[32][32], bs[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 32 + ty, col = blockIdx.x * 32 + tx;
    float sum = 0;
    for (int t = 0; t < n; t += 32) {
        as[ty][tx] = a[row * n + t + tx];
        bs[ty][tx] = b[(t + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < 32; k++) sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

KERNEL nbody(const float4 *body, float4 *force, int n, float softening)
{
    __shared__ float4 tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = body[i];
    float ax = 0, ay = 0, az = 0;
    for (int t = 0; t < n; t += 256) {
        tile[threadIdx.x] = body[t + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (int j = 0; j < 256; j++) {
            float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
            float r = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
            float f = tile[j].w * r * r * r;
            ax += dx * f;
            ay += dy * f;
            az += dz * f;
        }
        __syncthreads();
    }
    force[i] = make_float4(ax, ay, az, 0);
}

KERNEL transpose_naive(const float *in, float *out, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[x * n + y + j] = in[(y + j) * n + x];
}

KERNEL transpose_tiled(const float *in, float *out, int n)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

KERNEL mandelbrot(int *out, int w, int h, int limit, float x0, float y0, float dx, float dy)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= w || py >= h) return;
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

KERNEL reduce(const float *in, float *out, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 512 + t;
    float v = 0;
    if (i < n) v = in[i];
    if (i + 256 < n) v += in[i + 256];
    s[t] = v;
    __syncthreads();
    for (int k = 128; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

/* As CUDA's samples and CUB do it: each warp by shuffles, then one warp for all. */
KERNEL reduce_shuffle(const float *in, float *out, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x, i = blockIdx.x * 512 + t, lane = t & 31, warp = t >> 5;
    float v = 0;
    if (i < n) v = in[i];
    if (i + 256 < n) v += in[i + 256];
    for (int k = 16; k > 0; k >>= 1)
        v += __shfl_down_sync(0xffffffff, v, k);
    if (lane == 0) s[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = lane < blockDim.x / 32 ? s[lane] : 0;
        for (int k = 16; k > 0; k >>= 1)
            v += __shfl_down_sync(0xffffffff, v, k);
        if (lane == 0) out[blockIdx.x] = v;
    }
}

KERNEL gather(const float *in, const int *index, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[index[i]];
}

KERNEL nested(int *out, const int *seed, int n, int limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned s = seed[i];
    int acc = 0, outer = s % limit;
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
            s += acc;
        }
    }
    out[i] = acc;
}
