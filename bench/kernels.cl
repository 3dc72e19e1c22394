// SPDX-License-Identifier: Apache-2.0
// The benchmark's kernels as OpenCL C, for PoCL: the same algorithms and work-group shapes as kernels.cu.
__kernel void vadd(__global const float *x, __global const float *y, __global float *z, int n)
{
    int i = get_global_id(0);
    if (i < n) z[i] = x[i] + y[i];
}

__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int n)
{
    __local float as[32][32], bs[32][32];
    int tx = get_local_id(0), ty = get_local_id(1), row = get_group_id(1) * 32 + ty, col = get_group_id(0) * 32 + tx;
    float sum = 0;
    for (int t = 0; t < n; t += 32) {
        as[ty][tx] = a[row * n + t + tx];
        bs[ty][tx] = b[(t + ty) * n + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 32; k++) sum = fma(as[ty][k], bs[k][tx], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + col] = sum;
}

__kernel void nbody(__global const float4 *body, __global float4 *force, int n, float softening)
{
    __local float4 tile[256];
    int i = get_global_id(0), t0 = get_local_id(0);
    float4 me = body[i];
    float ax = 0, ay = 0, az = 0;
    for (int t = 0; t < n; t += 256) {
        tile[t0] = body[t + t0];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 256; j++) {
            float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
            float r = native_rsqrt(dx * dx + dy * dy + dz * dz + softening);
            float f = tile[j].w * r * r * r;
            ax = fma(dx, f, ax);
            ay = fma(dy, f, ay);
            az = fma(dz, f, az);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    force[i] = (float4)(ax, ay, az, 0);
}

__kernel void transpose_naive(__global const float *in, __global float *out, int n)
{
    int x = get_group_id(0) * 32 + get_local_id(0), y = get_group_id(1) * 32 + get_local_id(1);
    for (int j = 0; j < 32; j += 8) out[x * n + y + j] = in[(y + j) * n + x];
}

__kernel void transpose_tiled(__global const float *in, __global float *out, int n)
{
    __local float tile[32][33];
    int tx = get_local_id(0), ty = get_local_id(1), x = get_group_id(0) * 32 + tx, y = get_group_id(1) * 32 + ty;
    for (int j = 0; j < 32; j += 8) tile[ty + j][tx] = in[(y + j) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * 32 + tx;
    y = get_group_id(0) * 32 + ty;
    for (int j = 0; j < 32; j += 8) out[(y + j) * n + x] = tile[tx][ty + j];
}

__kernel void mandelbrot(__global int *out, int w, int h, int limit, float x0, float y0, float dx, float dy)
{
    int px = get_global_id(0), py = get_global_id(1);
    if (px >= w || py >= h) return;
    float cx = fma((float)px, dx, x0), cy = fma((float)py, dy, y0), x = 0, y = 0;
    int it = 0;
    while (it < limit) {
        float xx = x * x, yy = y * y;
        if (xx + yy > 4.f) break;
        y = fma(x + x, y, cy);
        x = xx - yy + cx;
        it++;
    }
    out[py * w + px] = it;
}

__kernel void reduce(__global const float *in, __global float *out, int n)
{
    __local float s[256];
    int t = get_local_id(0), i = get_group_id(0) * 512 + t;
    float v = 0;
    if (i < n) v = in[i];
    if (i + 256 < n) v += in[i + 256];
    s[t] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 128; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) out[get_group_id(0)] = s[0];
}

/* OpenCL 1.2 has no shuffles: the same sums through local memory. */
__kernel void reduce_shuffle(__global const float *in, __global float *out, int n)
{
    __local float s[256];
    int t = get_local_id(0), i = get_group_id(0) * 512 + t;
    float v = 0;
    if (i < n) v = in[i];
    if (i + 256 < n) v += in[i + 256];
    s[t] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 128; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) out[get_group_id(0)] = s[0];
}

__kernel void gather(__global const float *in, __global const int *index, __global float *out, int n)
{
    int i = get_global_id(0);
    if (i < n) out[i] = in[index[i]];
}

__kernel void nested(__global int *out, __global const int *seed, int n, int limit)
{
    int i = get_global_id(0);
    if (i >= n) return;
    uint s = seed[i];
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
