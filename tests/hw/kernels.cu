// SPDX-License-Identifier: Apache-2.0
// Kernels whose counters were recorded on real GPUs. One signature for all, so that tests/hw/cases.def is a plain table:
//   in: 2^24 words   out: 2^24 words   index: 2^22 ints   n: elements or a size   p, q: what the case varies
// kernels.ptx beside this file is this file compiled by nvcc (see record.sh); GPU and Softwarp both load that PTX.
typedef unsigned int u32;
typedef unsigned long long u64;
#define KERNEL extern "C" __global__ void
#define ARGS const void *__restrict__ in_, void *out_, const int *__restrict__ index, int n, int p, int q
#define IN(type) const type *in = static_cast<const type *>(in_)
#define OUT(type) type *out = static_cast<type *>(out_)
#define GLOBAL_X int i = blockIdx.x * blockDim.x + threadIdx.x

// ---- global memory: strides, offsets, types ----------------------------------------------------------------------
KERNEL vector_add(ARGS) { IN(float); OUT(float); GLOBAL_X; if (i < n) out[i] = in[i] + in[i + n]; }
KERNEL load_stride(ARGS) { IN(float); OUT(float); GLOBAL_X; out[i] = in[i * p + q]; }
KERNEL store_stride(ARGS) { IN(float); OUT(float); GLOBAL_X; out[i * p + q] = in[i]; }
KERNEL copy_offset(ARGS) { IN(float); OUT(float); GLOBAL_X; if (i + p < n) out[i + p] = in[i + p] * 2.0f; }
KERNEL copy_u8(ARGS) { IN(unsigned char); OUT(unsigned char); GLOBAL_X; out[i * p + q] = in[i * p + q] ^ 1; }
KERNEL copy_u16(ARGS) { IN(unsigned short); OUT(unsigned short); GLOBAL_X; out[i * p + q] = in[i * p + q] ^ 1; }
KERNEL copy_f64(ARGS) { IN(double); OUT(double); GLOBAL_X; out[i * p + q] = in[i * p + q] + 1.0; }
KERNEL copy_float2(ARGS) { IN(float2); OUT(float2); GLOBAL_X; float2 v = in[i * p + q]; v.x += 1.0f; out[i * p + q] = v; }
KERNEL copy_float4(ARGS) { IN(float4); OUT(float4); GLOBAL_X; float4 v = in[i * p + q]; v.w += 1.0f; out[i * p + q] = v; }
KERNEL reversed(ARGS) { IN(float); OUT(float); GLOBAL_X; out[n - 1 - i] = in[n - 1 - i] + 1.0f; }
KERNEL permuted(ARGS) { IN(float); OUT(float); GLOBAL_X; int j = (i & ~31) | ((i * 7 + 3) & 31); out[i] = in[j]; }
KERNEL broadcast(ARGS) { IN(float); OUT(float); GLOBAL_X; out[i] = in[(i >> 5) * p]; }
KERNEL gather(ARGS) { IN(float); OUT(float); GLOBAL_X; out[i] = in[index[i] & p]; }
KERNEL scatter(ARGS) { IN(float); OUT(float); GLOBAL_X; out[(index[i] & p) * 4 + (i & 3)] = 1.0f; }
KERNEL masked_mod(ARGS) { IN(float); OUT(float); GLOBAL_X; if (i % p == q) out[i] = in[i] + 1.0f; }
KERNEL masked_below(ARGS) { IN(float); OUT(float); GLOBAL_X; if ((i & 31) < p) out[i * q] = in[i * q] + 1.0f; }
struct aos2 { float x, y; };
struct aos3 { float x, y, z; };
KERNEL aos2_fields(ARGS) { IN(aos2); OUT(aos2); GLOBAL_X; out[i].x = in[i].x + 1.0f; __threadfence_block(); out[i].y = in[i].y + 2.0f; }
KERNEL aos3_fields(ARGS) { IN(aos3); OUT(aos3); GLOBAL_X; out[i].x = in[i].x + in[i].y; out[i].z = in[i].z; }
KERNEL soa2_fields(ARGS) { IN(float); OUT(float); GLOBAL_X; out[i] = in[i] + 1.0f; out[i + n] = in[i + n] + 2.0f; }
KERNEL grid_stride(ARGS) { IN(float); OUT(float); for (GLOBAL_X; i < n; i += gridDim.x * blockDim.x) out[i] = in[i] * 3.0f; }
KERNEL rows_2d(ARGS)
{
    IN(float); OUT(float);
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n) out[y * p + x] = in[y * p + x] + 1.0f;
}
KERNEL columns_2d(ARGS)
{
    IN(float); OUT(float);
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n) out[x * p + y] = in[x * p + y] + 1.0f;
}

// ---- atomics ------------------------------------------------------------------------------------------------------
KERNEL red_add(ARGS) { OUT(int); GLOBAL_X; atomicAdd(&out[(i * p) & q], 1); }
KERNEL atom_add(ARGS) { OUT(int); GLOBAL_X; out[n + i] = atomicAdd(&out[(i * p) & q], 0) & 0; }
KERNEL red_max_u64(ARGS) { OUT(u64); GLOBAL_X; atomicMax(&out[(i * p) & q], (u64)i); }
KERNEL red_add_f32(ARGS) { OUT(float); GLOBAL_X; atomicAdd(&out[(i * p) & q], 1.0f); }
KERNEL atom_cas(ARGS) { OUT(u32); GLOBAL_X; if (atomicCAS(&out[i * p], 0u, (u32)i) == 77u) out[n] = 1; }
KERNEL red_masked(ARGS) { OUT(int); GLOBAL_X; if (i % p == q) atomicAdd(&out[i], 2); }
KERNEL histogram_global(ARGS) { OUT(int); GLOBAL_X; atomicAdd(&out[index[i] & p], 1); }
KERNEL histogram_shared(ARGS)
{
    OUT(int);
    __shared__ int bins[256];
    for (int j = threadIdx.x; j < 256; j += blockDim.x) bins[j] = 0;
    __syncthreads();
    for (GLOBAL_X; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[index[i] & p], 1);
    __syncthreads();
    for (int j = threadIdx.x; j < 256; j += blockDim.x) atomicAdd(&out[j], bins[j]);
}

// ---- shared memory ------------------------------------------------------------------------------------------------
KERNEL shared_stride(ARGS)
{
    OUT(float); IN(float);
    __shared__ float s[4096];
    int t = threadIdx.x;
    for (int j = t; j < 4096; j += blockDim.x) s[j] = in[j];
    __syncthreads();
    float a = 0;
#pragma unroll 1
    for (int k = 0; k < 8; k++) a += s[(t * p + k * q) & 4095];
    out[blockIdx.x * blockDim.x + t] = a;
}
KERNEL shared_store_stride(ARGS)
{
    OUT(float); IN(float);
    __shared__ float s[4096];
    int t = threadIdx.x;
#pragma unroll 1
    for (int k = 0; k < 8; k++) s[(t * p + k * q) & 4095] = in[t] + k;
    __syncthreads();
    out[blockIdx.x * blockDim.x + t] = s[(t * 5) & 4095] * 0.0f + 1.0f;
}
KERNEL shared_f64(ARGS)
{
    OUT(double); IN(double);
    __shared__ double s[2048];
    int t = threadIdx.x;
    for (int j = t; j < 2048; j += blockDim.x) s[j] = in[j];
    __syncthreads();
    double a = 0;
#pragma unroll 1
    for (int k = 0; k < 8; k++) a += s[(t * p + k * q) & 2047];
    out[blockIdx.x * blockDim.x + t] = a;
}
KERNEL shared_float4(ARGS)
{
    OUT(float4); IN(float4);
    __shared__ float4 s[1024];
    int t = threadIdx.x;
    for (int j = t; j < 1024; j += blockDim.x) s[j] = in[j];
    __syncthreads();
    float4 a = make_float4(0, 0, 0, 0);
#pragma unroll 1
    for (int k = 0; k < 8; k++) { float4 v = s[(t * p + k * q) & 1023]; a.x += v.x; a.y += v.y; a.z += v.z; a.w += v.w; }
    out[blockIdx.x * blockDim.x + t] = a;
}
KERNEL shared_u8(ARGS)
{
    OUT(u32); IN(unsigned char);
    __shared__ unsigned char s[4096];
    int t = threadIdx.x;
    for (int j = t; j < 4096; j += blockDim.x) s[j] = in[j];
    __syncthreads();
    u32 a = 0;
#pragma unroll 1
    for (int k = 0; k < 8; k++) a += s[(t * p + k * q) & 4095];
    out[blockIdx.x * blockDim.x + t] = a;
}
KERNEL shared_index(ARGS)
{
    OUT(float); IN(float);
    __shared__ float s[1024];
    int t = threadIdx.x;
    for (int j = t; j < 1024; j += blockDim.x) s[j] = in[j];
    __syncthreads();
    float a = 0;
#pragma unroll 1
    for (int k = 0; k < 8; k++) a += s[index[t + k * 37] & p];
    out[blockIdx.x * blockDim.x + t] = a;
}
KERNEL shared_atomic(ARGS)
{
    OUT(int);
    __shared__ int s[1024];
    int t = threadIdx.x;
    for (int j = t; j < 1024; j += blockDim.x) s[j] = 0;
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < 4; k++) atomicAdd(&s[(t * p + k * q) & 1023], 1);
    __syncthreads();
    for (int j = t; j < 1024; j += blockDim.x) out[blockIdx.x * 1024 + j] = s[j];
}
KERNEL shared_dynamic(ARGS)
{
    OUT(float); IN(float);
    extern __shared__ float d[];
    int t = threadIdx.x;
    d[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    out[blockIdx.x * blockDim.x + t] = d[blockDim.x - 1 - t] + d[t ^ 1];
}

// ---- local and constant memory ------------------------------------------------------------------------------------
__constant__ float table[1024];
KERNEL constant_index(ARGS) { OUT(float); GLOBAL_X; out[i] = table[((i & 31) / p + q) & 1023]; }
KERNEL local_array(ARGS)
{
    OUT(float); IN(float); GLOBAL_X;
    float a[32];
#pragma unroll 1
    for (int k = 0; k < 32; k++) a[k] = in[(i + k * 64) & 65535];
    float s = 0;
#pragma unroll 1
    for (int k = 0; k < 32; k++) s += a[(k * p + (q ? i : 0)) & 31];
    out[i] = s;
}

// ---- divergence ---------------------------------------------------------------------------------------------------
KERNEL diverge_parity(ARGS)
{
    OUT(int); GLOBAL_X;
    int v = i;
    if ((i / p) & 1) { for (int k = 0; k < 16; k++) v = v * 1664525 + 1013904223 + (v >> 3); }
    else { for (int k = 0; k < 16; k++) v = v * 22695477 + (v >> 5) + 1; }
    out[i] = v;
}
KERNEL diverge_loop(ARGS)
{
    OUT(int); GLOBAL_X;
    int v = i;
    int trips = index[i] & p;
#pragma unroll 1
    for (int k = 0; k < trips; k++) v = v * 1664525 + 1013904223;
    out[i] = v;
}
KERNEL diverge_switch(ARGS)
{
    OUT(int); GLOBAL_X;
    int v = index[i];
    switch (v & p) {
    case 0: v = v * 3 + out[i]; break;
    case 1: v = v * v + out[i + 1]; break;
    case 2: v = (v >> 7) ^ out[i + 2]; break;
    case 3: v = v / 5 + out[i + 3]; break;
    case 4: v = v % 7 + out[i + 4]; break;
    default: v = ~v + out[i + 5]; break;
    }
    out[n + i] = v;
}
KERNEL diverge_nested(ARGS)
{
    OUT(int); GLOBAL_X;
    u32 s = index[i];
    int a = 0;
#pragma unroll 1
    for (int k = 0; k < (int)(s % p); k++) {
        s = s * 1664525u + 1013904223u;
        if (s & 0x80000000u) {
            int m = (s >> 8) & 15;
#pragma unroll 1
            for (int b = 0; b < m; b++) { a += (s >> b) & 1; s ^= s << 5; if ((s & 0x700) == 0) break; }
        } else if (s & 0x40000000u) { a -= 3; if (a < -1000) continue; a ^= s & 7; }
        else { a += s & 3; s += a; }
    }
    out[i] = a;
}
KERNEL early_exit(ARGS) { OUT(int); GLOBAL_X; if ((index[i] & 7) < p) return; int v = i; for (int k = 0; k < q; k++) v = v * 1664525 + k; out[i] = v; }

// ---- whole algorithms ---------------------------------------------------------------------------------------------
#define TILE 32
KERNEL matmul_plain(ARGS)
{
    IN(float); OUT(float);
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < n; k++) sum += in[row * n + k] * in[n * n + k * n + col];
    out[row * n + col] = sum;
}
KERNEL matmul_tiled(ARGS)
{
    IN(float); OUT(float);
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        a[ty][tx] = in[row * n + t + tx];
        b[ty][tx] = in[n * n + (t + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += a[ty][k] * b[k][tx];
        __syncthreads();
    }
    out[row * n + col] = sum;
}
KERNEL transpose_naive(ARGS)
{
    IN(float); OUT(float);
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[x * n + y + j] = in[(y + j) * n + x];
}
template <int PAD> __device__ void transpose_tile(const float *in, float *out, int n)
{
    __shared__ float tile[32][32 + PAD];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
KERNEL transpose_tiled(ARGS) { transpose_tile<0>((const float *)in_, (float *)out_, n); }
KERNEL transpose_padded(ARGS) { transpose_tile<1>((const float *)in_, (float *)out_, n); }
KERNEL reduce_shared(ARGS)
{
    IN(int); OUT(int);
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * 512 + t;
    s[t] = (i < n ? in[i] >> 8 : 0) + (i + 256 < n ? in[i + 256] >> 8 : 0);
    __syncthreads();
    for (int k = 128; k > 0; k >>= 1) { if (t < k) s[t] += s[t + k]; __syncthreads(); }
    if (t == 0) out[blockIdx.x] = s[0];
}
KERNEL reduce_interleaved(ARGS)
{
    IN(int); OUT(int);
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? in[i] >> 8 : 0;
    __syncthreads();
    for (int k = 1; k < 256; k *= 2) { int j = 2 * k * t; if (j < 256) s[j] += s[j + k]; __syncthreads(); }
    if (t == 0) out[blockIdx.x] = s[0];
}
KERNEL reduce_shuffle(ARGS)
{
    IN(int); OUT(int); GLOBAL_X;
    int v = i < n ? in[i] >> 8 : 0;
    for (int k = 16; k > 0; k >>= 1) v += __shfl_down_sync(0xffffffffu, v, k);
    if ((threadIdx.x & 31) == 0) atomicAdd(&out[blockIdx.x & p], v);
}
KERNEL scan_block(ARGS)
{
    IN(int); OUT(int);
    __shared__ int s[2][256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t, from = 0;
    s[0][t] = in[i] >> 12;
    __syncthreads();
    for (int k = 1; k < 256; k *= 2) {
        s[1 - from][t] = t >= k ? s[from][t] + s[from][t - k] : s[from][t];
        from = 1 - from;
        __syncthreads();
    }
    out[i] = s[from][t];
}
KERNEL stencil_1d(ARGS)
{
    IN(float); OUT(float);
    __shared__ float s[256 + 16];
    int t = threadIdx.x, i = blockIdx.x * 256 + t + 8;
    s[t + 8] = in[i];
    if (t < 8) { s[t] = in[i - 8]; s[t + 264] = in[i + 256]; }
    __syncthreads();
    float sum = 0;
    for (int k = -8; k <= 8; k++) sum += s[t + 8 + k];
    out[i] = sum;
}
KERNEL stencil_2d(ARGS)
{
    IN(float); OUT(float);
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x < n - 1 && y < n - 1)
        out[y * n + x] = 0.2f * (in[y * n + x] + in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x]);
}
KERNEL mandelbrot(ARGS)
{
    OUT(int);
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= n || py >= n) return;
    float cx = -2.0f + px * 3.0f / 256, cy = -1.5f + py * 3.0f / 256, x = 0, y = 0;
    int it = 0;
    while (it < p) {
        float xx = x * x, yy = y * y;
        if (xx + yy > 4.f) break;
        y = 2 * x * y + cy;
        x = xx - yy + cx;
        it++;
    }
    out[py * n + px] = it;
}
KERNEL nbody(ARGS)
{
    IN(float4); OUT(float4);
    __shared__ float4 s[256];
    GLOBAL_X;
    float4 me = in[i];
    float ax = 0, ay = 0, az = 0;
    for (int t = 0; t < n; t += 256) {
        s[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (int j = 0; j < 256; j++) {
            float dx = s[j].x - me.x, dy = s[j].y - me.y, dz = s[j].z - me.z;
            float r2 = dx * dx + dy * dy + dz * dz + 1e-3f;
            float f = s[j].w / (r2 * sqrtf(r2));
            ax += dx * f; ay += dy * f; az += dz * f;
        }
        __syncthreads();
    }
    out[i] = make_float4(ax, ay, az, 0);
}
KERNEL spmv_csr(ARGS) // rows of varying length: row r has 1 + (index[r] & p) entries at multiples of 37
{
    IN(float); OUT(float); GLOBAL_X;
    if (i >= n) return;
    float sum = 0;
    int len = 1 + (index[i] & p);
#pragma unroll 1
    for (int k = 0; k < len; k++) sum += in[i * 16 + k] * in[(i * 37 + k * 1009) & 0xffffff];
    out[i] = sum;
}
KERNEL bitonic_block(ARGS)
{
    IN(int); OUT(int);
    __shared__ int s[512];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 512 + t];
    s[t + 256] = in[blockIdx.x * 512 + t + 256];
    for (int k = 2; k <= 512; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            __syncthreads();
            int a = 2 * t - (t & (j - 1)), b = a + j;
            bool up = (a & k) == 0;
            int x = s[a], y = s[b];
            if ((x > y) == up) { s[a] = y; s[b] = x; }
        }
    __syncthreads();
    out[blockIdx.x * 512 + t] = s[t];
    out[blockIdx.x * 512 + t + 256] = s[t + 256];
}

// ---- more of shared memory: every width, gathered, scattered, masked; atomics of every kind ----------------------
template <typename T> __device__ void touch(T &sum, const T &v) { sum += v; }
__device__ void touch(float2 &sum, const float2 &v) { sum.x += v.x; sum.y += v.y; }
__device__ void touch(float4 &sum, const float4 &v) { sum.x += v.x; sum.y += v.y; sum.z += v.z; sum.w += v.w; }
// n: elements - 1; p: which of them are gathered; q: of 32 lanes about so many take part.
template <typename T> __device__ void shared_gather(const void *in_, void *out_, const int *index, int n, int p, int q)
{
    __shared__ T s[8192 / sizeof(T)];
    IN(T); OUT(T);
    int t = threadIdx.x;
    for (int j = t; j <= n; j += blockDim.x) s[j] = in[j];
    __syncthreads();
    T a = T();
#pragma unroll 1
    for (int k = 0; k < 8; k++) if ((index[t + k * 64] & 31) < q) touch(a, s[index[t + k * 37] & p & n]);
    out[blockIdx.x * blockDim.x + t] = a;
}
KERNEL shared_gather_u8(ARGS) { shared_gather<unsigned char>(in_, out_, index, n, p, q); }
KERNEL shared_gather_u16(ARGS) { shared_gather<unsigned short>(in_, out_, index, n, p, q); }
KERNEL shared_gather_u32(ARGS) { shared_gather<u32>(in_, out_, index, n, p, q); }
KERNEL shared_gather_u64(ARGS) { shared_gather<u64>(in_, out_, index, n, p, q); }
KERNEL shared_gather_float2(ARGS) { shared_gather<float2>(in_, out_, index, n, p, q); }
KERNEL shared_gather_float4(ARGS) { shared_gather<float4>(in_, out_, index, n, p, q); }
template <typename T> __device__ void shared_scatter(const void *in_, void *out_, const int *index, int n, int p, int q)
{
    __shared__ T s[8192 / sizeof(T)];
    IN(T); OUT(T);
    int t = threadIdx.x;
    T v = in[t];
#pragma unroll 1
    for (int k = 0; k < 8; k++) s[((t * p + k) ^ (t >> q)) & n] = v;
    __syncthreads();
    for (int j = t; j <= n; j += blockDim.x) out[blockIdx.x * (n + 1) + j] = s[j];
}
KERNEL shared_scatter_u8(ARGS) { shared_scatter<unsigned char>(in_, out_, index, n, p, q); }
KERNEL shared_scatter_u16(ARGS) { shared_scatter<unsigned short>(in_, out_, index, n, p, q); }
KERNEL shared_scatter_u64(ARGS) { shared_scatter<u64>(in_, out_, index, n, p, q); }
KERNEL shared_scatter_float4(ARGS) { shared_scatter<float4>(in_, out_, index, n, p, q); }
// Rows of 8-byte elements that lie apart: lanes [0, p) in one row, the next ones in another.
KERNEL shared_rows_f64(ARGS)
{
    __shared__ double s[2048];
    IN(double); OUT(double);
    int t = threadIdx.x;
    for (int j = t; j < 2048; j += blockDim.x) s[j] = in[j];
    __syncthreads();
    double a = 0;
#pragma unroll 1
    for (int k = 0; k < 8; k++) a += s[(t / p * q + t % p + k) & 2047];
    out[blockIdx.x * blockDim.x + t] = a;
}
KERNEL shared_rows_float4(ARGS)
{
    __shared__ float4 s[1024];
    IN(float4); OUT(float4);
    int t = threadIdx.x;
    for (int j = t; j < 1024; j += blockDim.x) s[j] = in[j];
    __syncthreads();
    float4 a = make_float4(0, 0, 0, 0);
#pragma unroll 1
    for (int k = 0; k < 8; k++) touch(a, s[(t / p * q + t % p + k) & 1023]);
    out[blockIdx.x * blockDim.x + t] = a;
}
KERNEL shared_atomics_u32(ARGS)
{
    __shared__ u32 s[1024];
    OUT(u32);
    int t = threadIdx.x;
    for (int j = t; j < 1024; j += blockDim.x) s[j] = 7;
    __syncthreads();
    int a = index[blockIdx.x * 256 + t] & p;
    u32 v = 0;
    switch (q) {
    case 0: v = atomicAdd(&s[a], 3u) & 0; break;
    case 1: atomicMin(&s[a], (u32)t); break;
    case 2: atomicMax((int *)&s[a], t); break;
    case 3: atomicAnd(&s[a], 5u); break;
    case 4: atomicXor(&s[a], (u32)t); break;
    case 5: v = atomicExch(&s[a], 9u) & 0; break;
    case 6: v = atomicCAS(&s[a], 7u, 11u) & 0; break;
    case 7: atomicInc(&s[a], 1000u); break;
    }
    __syncthreads();
    for (int j = t; j < 1024; j += blockDim.x) out[blockIdx.x * 1024 + j] = s[j] + v;
}
KERNEL shared_atomics_u64(ARGS)
{
    __shared__ u64 s[1024];
    OUT(u64);
    int t = threadIdx.x;
    for (int j = t; j < 1024; j += blockDim.x) s[j] = 7;
    __syncthreads();
    int a = index[blockIdx.x * 256 + t] & p;
    if (q == 0) atomicAdd(&s[a], 3ull); else if (q == 1) atomicMax(&s[a], (u64)t); else if (q == 2) atomicExch(&s[a], 9ull);
    else atomicCAS(&s[a], 7ull, 11ull);
    __syncthreads();
    for (int j = t; j < 1024; j += blockDim.x) out[blockIdx.x * 1024 + j] = s[j];
}
KERNEL shared_atomics_f32(ARGS)
{
    __shared__ float s[1024];
    OUT(float);
    int t = threadIdx.x;
    for (int j = t; j < 1024; j += blockDim.x) s[j] = 7;
    __syncthreads();
    atomicAdd(&s[(t * q) & p], 1.0f);
    __syncthreads();
    for (int j = t; j < 1024; j += blockDim.x) out[blockIdx.x * 1024 + j] = s[j];
}
KERNEL shared_conflict_pairs(ARGS)
{
    __shared__ float s[4096];
    IN(float); OUT(float);
    int t = threadIdx.x, lane = t & 31;
    for (int j = t; j < 4096; j += blockDim.x) s[j] = in[j];
    __syncthreads();
    float a = 0;
#pragma unroll 1
    for (int k = 0; k < 4; k++) {
        if (lane % p == 0) a += s[(lane * 32 + k) & 4095];
        else a += s[(lane + k * q) & 4095];
    }
    out[blockIdx.x * blockDim.x + t] = a;
}

// ---- constant memory and parameters ---------------------------------------------------------------------------------
__constant__ float4 table4[512] = {{1, 2, 3, 4}};
__constant__ unsigned char table1[4096] = {1};
__constant__ double table8[512] = {1};
KERNEL constant_gather(ARGS) { OUT(float); GLOBAL_X; out[i] = table[index[i] & p]; }
KERNEL constant_float4(ARGS) { OUT(float4); GLOBAL_X; out[i] = table4[((i & 31) / p + q) & 511]; }
KERNEL constant_f64(ARGS) { OUT(double); GLOBAL_X; out[i] = table8[((i & 31) / p + q) & 511]; }
KERNEL constant_u8(ARGS) { OUT(u32); GLOBAL_X; out[i] = table1[((i & 31) * p + q) & 4095]; }
KERNEL constant_uniform(ARGS)
{
    OUT(float); IN(float); GLOBAL_X;
    float a = in[i];
#pragma unroll 1
    for (int k = 0; k < p; k++) a = a * table[k] + table[k + 512];
    out[i] = a;
}
KERNEL constant_masked(ARGS) { OUT(float); GLOBAL_X; float v = 0; if ((i & 31) < q) v = table[((i & 31) * p) & 1023]; out[i] = v; }
struct coefficients { float c[64]; };
extern "C" __global__ void parameter_array(ARGS, const __grid_constant__ coefficients k)
{
    IN(float); OUT(float); GLOBAL_X;
    out[i] = in[i] * k.c[(i * p + q) & 63] + k.c[n & 63];
}

// ---- local memory -----------------------------------------------------------------------------------------------------
template <typename T> __device__ void local_any(const void *in_, void *out_, int n, int p, int q)
{
    OUT(T); IN(T); GLOBAL_X;
    T a[32];
#pragma unroll 1
    for (int k = 0; k < 32; k++) a[k] = in[(i + k * 64) & 65535];
    T s = T();
#pragma unroll 1
    for (int k = 0; k < n; k++) touch(s, a[(k * p + (q ? i / q : 0)) & 31]);
    out[i] = s;
}
KERNEL local_u8(ARGS) { local_any<unsigned char>(in_, out_, n, p, q); }
KERNEL local_u16(ARGS) { local_any<unsigned short>(in_, out_, n, p, q); }
KERNEL local_f64(ARGS) { local_any<double>(in_, out_, n, p, q); }
KERNEL local_float4(ARGS) { local_any<float4>(in_, out_, n, p, q); }
KERNEL local_masked(ARGS)
{
    OUT(float); IN(float); GLOBAL_X;
    float a[16];
#pragma unroll 1
    for (int k = 0; k < 16; k++) a[k] = in[(i + k * 64) & 65535];
    float s = 0;
    if ((i & 31) % p == q)
#pragma unroll 1
        for (int k = 0; k < 16; k++) s += a[(index[i] + k) & 15];
    out[i] = s;
}
// Forty values live at once: ptxas keeps them, and spills them when it may use fewer registers.
__device__ __forceinline__ float many_live(const float *in, int i, int n)
{
    float v[40];
#pragma unroll
    for (int k = 0; k < 40; k++) v[k] = in[i + k * 1024];
#pragma unroll 1
    for (int r = 0; r < n; r++) {
#pragma unroll
        for (int k = 0; k < 40; k++) v[k] = v[k] * v[(k * 7 + 3) % 40] + v[(k + 11) % 40];
    }
    float s = 0;
#pragma unroll
    for (int k = 0; k < 40; k++) s += v[k];
    return s;
}
KERNEL spill_none(ARGS) { OUT(float); IN(float); GLOBAL_X; out[i] = many_live(in, i, n); }
extern "C" __global__ void __maxnreg__(32) spill_some(ARGS) { OUT(float); IN(float); GLOBAL_X; out[i] = many_live(in, i, n); }
extern "C" __global__ void __maxnreg__(24) spill_many(ARGS) { OUT(float); IN(float); GLOBAL_X; out[i] = many_live(in, i, n); }

// ---- global memory: widths, gathers, operators --------------------------------------------------------------------------
template <typename T> __device__ void global_gather(const void *in_, void *out_, const int *index, int n, int p, int q)
{
    IN(T); OUT(T); GLOBAL_X;
    if ((i & 31) >= q) return;
    out[i] = in[index[i] & p];
}
KERNEL gather_u8(ARGS) { global_gather<unsigned char>(in_, out_, index, n, p, q); }
KERNEL gather_u16(ARGS) { global_gather<unsigned short>(in_, out_, index, n, p, q); }
KERNEL gather_u64(ARGS) { global_gather<u64>(in_, out_, index, n, p, q); }
KERNEL gather_float4(ARGS) { global_gather<float4>(in_, out_, index, n, p, q); }
template <typename T> __device__ void global_scatter(void *out_, int n, int p, int q)
{
    OUT(T); GLOBAL_X;
    out[(i * p) & n] = T(q);
}
KERNEL scatter_u8(ARGS) { global_scatter<unsigned char>(out_, n, p, q); }
KERNEL scatter_u16(ARGS) { global_scatter<unsigned short>(out_, n, p, q); }
KERNEL scatter_u64(ARGS) { global_scatter<u64>(out_, n, p, q); }
KERNEL scatter_float4(ARGS) { OUT(float4); GLOBAL_X; out[(i * p) & n] = make_float4(1, 2, 3, (float)q); }
KERNEL load_operators(ARGS)
{
    IN(float); OUT(float); GLOBAL_X;
    const float *at = in + i * p;
    float v = 0;
    switch (q) {
    case 0: v = __ldg(at); break;
    case 1: v = __ldcg(at); break;
    case 2: v = __ldca(at); break;
    case 3: v = __ldcs(at); break;
    case 4: v = __ldlu(at); break;
    case 5: v = __ldcv(at); break;
    case 6: v = *(volatile const float *)at; break;
    }
    out[i] = v;
}
KERNEL store_operators(ARGS)
{
    IN(float); OUT(float); GLOBAL_X;
    float *at = out + i * p, v = in[i];
    switch (q) {
    case 0: __stwb(at, v); break;
    case 1: __stcg(at, v); break;
    case 2: __stcs(at, v); break;
    case 3: __stwt(at, v); break;
    case 4: *(volatile float *)at = v; break;
    }
}
KERNEL generic_mixed(ARGS)
{
    __shared__ float s[256];
    IN(float); OUT(float); GLOBAL_X;
    s[threadIdx.x] = in[i];
    __syncthreads();
    const float *from = (index[i] & 31) < p ? s + (threadIdx.x ^ 1) : in + i + 1; // each lane where it is
    out[i] = *from;
}

// ---- atomics of every type ----------------------------------------------------------------------------------------------
KERNEL atomics_u32(ARGS)
{
    OUT(u32); GLOBAL_X;
    u32 *at = &out[index[i] & p];
    switch (q) {
    case 0: atomicAdd(at, 3u); break;
    case 1: atomicMin((int *)at, -i); break;
    case 2: atomicMax(at, (u32)i); break;
    case 3: atomicAnd(at, 5u); break;
    case 4: atomicOr(at, 6u); break;
    case 5: atomicXor(at, (u32)i); break;
    case 6: atomicInc(at, 100u); break;
    case 7: out[n + i] = atomicAdd(at, 0u); break;
    case 8: out[n + i] = atomicExch(at, 9u) & 0; break;
    case 9: out[n + i] = atomicCAS(at, 1u, 2u); break;
    case 10: out[n + i] = atomicDec(at, 0u); break;
    }
}
KERNEL atomics_u64(ARGS)
{
    OUT(u64); GLOBAL_X;
    u64 *at = &out[index[i] & p];
    switch (q) {
    case 0: atomicAdd(at, 3ull); break;
    case 1: atomicMax(at, (u64)i); break;
    case 2: atomicXor(at, (u64)i); break;
    case 3: out[n + i] = atomicExch(at, 9ull) & 0; break;
    case 4: out[n + i] = atomicCAS(at, 1ull, 2ull); break;
    case 5: out[n + i] = atomicAdd(at, 0ull); break;
    }
}
KERNEL atomics_f32(ARGS) { OUT(float); GLOBAL_X; atomicAdd(&out[(i * q) & p], 1.0f); }
KERNEL atomics_f64(ARGS) { OUT(double); GLOBAL_X; atomicAdd(&out[(i * q) & p], 1.0); }
KERNEL atomics_f16x2(ARGS)
{
    OUT(u32); GLOBAL_X;
    asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(&out[(i * q) & p]), "r"(0x3c003c00u) : "memory");
}
KERNEL atomics_v4f32(ARGS)
{
    OUT(float4); GLOBAL_X;
    asm volatile("red.global.v4.f32.add [%0], {%1, %1, %1, %1};" ::"l"(&out[(i * q) & p]), "f"(1.0f) : "memory");
}

// ---- copies to shared memory, bulk copies -------------------------------------------------------------------------------
__device__ u32 shared_address(const void *p) { return (u32)__cvta_generic_to_shared(p); }
template <int BYTES> __device__ void copy_async(const void *in_, void *out_, int p, int q)
{
    __shared__ __align__(16) unsigned char s[256 * BYTES];
    const char *in = (const char *)in_;
    OUT(u32); GLOBAL_X;
    u32 to = shared_address(s + (threadIdx.x ^ q) * BYTES);
    if (BYTES == 16) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + (size_t)i * p * BYTES) : "memory");
    else asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(in + (size_t)i * p * BYTES), "n"(BYTES) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[i] = ((u32 *)s)[threadIdx.x];
}
KERNEL copy_async_4(ARGS) { copy_async<4>(in_, out_, p, q); }
KERNEL copy_async_8(ARGS) { copy_async<8>(in_, out_, p, q); }
KERNEL copy_async_16(ARGS) { copy_async<16>(in_, out_, p, q); }
__device__ void barrier_wait(u32 bar)
{
    asm volatile("{ .reg .pred p; again%=: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra again%=; }" ::"r"(bar) : "memory");
}
KERNEL bulk_load(ARGS) // p bytes a block, from byte q on
{
    __shared__ __align__(128) unsigned char s[8192];
    __shared__ __align__(8) u64 bar;
    OUT(u32);
    u32 b = shared_address(&bar), to = shared_address(s);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(b) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(p) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
                     "l"((const char *)in_ + (size_t)blockIdx.x * 8192 + q), "r"(p), "r"(b) : "memory");
    }
    __syncthreads();
    barrier_wait(b);
    out[blockIdx.x * blockDim.x + threadIdx.x] = ((u32 *)s)[threadIdx.x];
}
KERNEL bulk_store(ARGS)
{
    __shared__ __align__(128) u32 s[2048];
    for (int j = threadIdx.x; j < 2048; j += blockDim.x) s[j] = j + blockIdx.x;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"((char *)out_ + (size_t)blockIdx.x * 8192 + q),
                     "r"(shared_address(s)), "r"(p) : "memory");
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
    }
}
KERNEL bulk_reduce(ARGS)
{
    __shared__ __align__(128) u32 s[2048];
    for (int j = threadIdx.x; j < 2048; j += blockDim.x) s[j] = j;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"((char *)out_ + (size_t)(blockIdx.x & q) * 8192),
                     "r"(shared_address(s)), "r"(p) : "memory");
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

// ---- textures and surfaces: the objects are put in by the host ----------------------------------------------------------------
__constant__ u64 objects[4]; // a 2-D texture of 1024 x 1024 floats, read by element; the same filtered; words of `in`; a surface of it
KERNEL texture_row(ARGS)
{
    OUT(float);
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * n + x] = tex2D<float>((cudaTextureObject_t)objects[0], x * p + 0.5f, y * q + 0.5f);
}
KERNEL texture_column(ARGS)
{
    OUT(float);
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * n + x] = tex2D<float>((cudaTextureObject_t)objects[0], y + 0.5f, x + 0.5f);
}
KERNEL texture_linear(ARGS)
{
    OUT(float);
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * n + x] = tex2D<float>((cudaTextureObject_t)objects[1], x * 0.25f * p + 1, y * 0.25f * q + 1) > 1e9f;
}
KERNEL texture_fetch(ARGS) { OUT(float); GLOBAL_X; out[i] = tex1Dfetch<float>((cudaTextureObject_t)objects[2], i * p + q); }
KERNEL texture_gather(ARGS) { OUT(float); GLOBAL_X; out[i] = tex1Dfetch<float>((cudaTextureObject_t)objects[2], index[i] & p); }
KERNEL surface_copy(ARGS)
{
    OUT(float);
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * n + x] = surf2Dread<float>((cudaSurfaceObject_t)objects[3], x * 4, y);
}
KERNEL surface_write(ARGS)
{
    IN(float);
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    surf2Dwrite<float>(in[y * 1024 + x], (cudaSurfaceObject_t)objects[3], x * 4, y);
}

// ---- functions that stay calls --------------------------------------------------------------------------------------------------
__device__ __noinline__ float callee_plain(const float *in, int i, int k) { return in[(i + k * 32) & 0xffff] * 2.0f; }
__device__ __noinline__ float callee_recursive(const float *in, int i, int k)
{
    return k <= 0 ? in[i & 0xffff] : callee_recursive(in, i + 32, k - 1) + in[(i * 3) & 0xffff];
}
__device__ __noinline__ float callee_barrier(float *s, int t, int k) { __syncthreads(); float v = s[(t + k) & 255]; __syncthreads(); s[t] = v; return v; }
KERNEL call_plain(ARGS) { IN(float); OUT(float); GLOBAL_X; float a = 0; for (int k = 0; k < p; k++) a += callee_plain(in, i, k); out[i] = a; }
KERNEL call_recursive(ARGS) { IN(float); OUT(float); GLOBAL_X; out[i] = callee_recursive(in, i, (index[i] & q) + p); }
KERNEL call_barrier(ARGS)
{
    __shared__ float s[256];
    IN(float); OUT(float); GLOBAL_X;
    s[threadIdx.x] = in[i];
    float a = 0;
#pragma unroll 1
    for (int k = 0; k < p; k++) a += callee_barrier(s, threadIdx.x, k);
    out[i] = a;
}

// ---- more whole algorithms ------------------------------------------------------------------------------------------------------
KERNEL convolve_constant(ARGS)
{
    IN(float); OUT(float); GLOBAL_X;
    float a = 0;
    for (int k = 0; k < 33; k++) a += in[i + k] * table[k];
    out[i] = a;
}
KERNEL matvec_rows(ARGS) // a thread a row
{
    IN(float); OUT(float); GLOBAL_X;
    float a = 0;
    if (i < n) { for (int k = 0; k < p; k++) a += in[i * p + k] * in[k]; out[i] = a; }
}
KERNEL matvec_warps(ARGS) // a warp a row
{
    IN(float); OUT(float); GLOBAL_X;
    int row = i >> 5, lane = i & 31;
    float a = 0;
    for (int k = lane; k < p; k += 32) a += in[row * p + k] * in[k];
    for (int k = 16; k; k >>= 1) a += __shfl_xor_sync(0xffffffffu, a, k);
    if (lane == 0) out[row] = a;
}
KERNEL softmax_rows(ARGS) // a block a row of n
{
    __shared__ float s[32];
    IN(float); OUT(float);
    const float *row = in + blockIdx.x * n;
    int t = threadIdx.x;
    float most = 0;
    for (int j = t; j < n; j += blockDim.x) most = fmaxf(most, row[j]);
    for (int k = 16; k; k >>= 1) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, k));
    if ((t & 31) == 0) s[t >> 5] = most;
    __syncthreads();
    if (t < 32) { most = t < blockDim.x / 32 ? s[t] : 0; for (int k = 16; k; k >>= 1) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, k)); if (t == 0) s[0] = most; }
    __syncthreads();
    most = s[0];
    for (int j = t; j < n; j += blockDim.x) out[blockIdx.x * n + j] = row[j] > most * 0.5f;
}
KERNEL transpose_float2(ARGS)
{
    __shared__ float2 tile[32][33];
    IN(float2); OUT(float2);
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
KERNEL compact_warps(ARGS) // what is below p moves to the front of each warp's part
{
    IN(int); OUT(int); GLOBAL_X;
    bool keep = (index[i] & 255) < p;
    u32 all = __ballot_sync(0xffffffffu, keep), lane = threadIdx.x & 31;
    if (lane == 0) atomicAdd(&out[n], __popc(all));
    if (keep) out[n + 32 + (i & ~31) + __popc(all & ((1u << lane) - 1))] = in[i];
}
KERNEL particles_aos(ARGS) // 32-byte structures, all fields
{
    struct particle { float3 at, v; float mass, charge; };
    IN(particle); OUT(particle); GLOBAL_X;
    particle a = in[i];
    a.at.x += a.v.x; a.at.y += a.v.y; a.at.z += a.v.z;
    out[i] = a;
}
KERNEL jacobi_tiled(ARGS)
{
    __shared__ float s[10][34];
    IN(float); OUT(float);
    int x = blockIdx.x * 32 + threadIdx.x + 1, y = blockIdx.y * 8 + threadIdx.y + 1, lx = threadIdx.x + 1, ly = threadIdx.y + 1;
    s[ly][lx] = in[y * n + x];
    if (lx == 1) s[ly][0] = in[y * n + x - 1];
    if (lx == 32) s[ly][33] = in[y * n + x + 1];
    if (ly == 1) s[0][lx] = in[(y - 1) * n + x];
    if (ly == 8) s[9][lx] = in[(y + 1) * n + x];
    __syncthreads();
    out[y * n + x] = 0.25f * (s[ly][lx - 1] + s[ly][lx + 1] + s[ly - 1][lx] + s[ly + 1][lx]);
}
KERNEL saxpy_f64(ARGS) { IN(double); OUT(double); GLOBAL_X; if (i < n) out[i] = 2.0 * in[i] + in[i + n]; }
KERNEL string_lengths(ARGS) // bytes one by one until a small one
{
    IN(unsigned char); OUT(int); GLOBAL_X;
    int k = 0;
    while (k < p && in[i * 64 + k] > 16) k++;
    out[i] = k;
}
