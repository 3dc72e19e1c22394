// SPDX-License-Identifier: Apache-2.0
// Kernels that exercise the memory hierarchy, recorded on real GPUs for the model of caches. One signature for all, so that
// memory.def is a plain table:
//   in: 2^25 words   out: 2^25 words   index: 2^22 ints   n: elements or a size   p, q: what the case varies
// memory.ptx beside this file is this file compiled by nvcc (see record.sh); GPU and Softwarp both load that PTX.
typedef unsigned int u32;
typedef unsigned long long u64;
#define KERNEL extern "C" __global__ void
#define ARGS const void *__restrict__ in_, void *out_, const int *__restrict__ index, int n, int p, int q
#define IN(type) const type *in = static_cast<const type *>(in_)
#define OUT(type) type *out = static_cast<type *>(out_)
#define GLOBAL_X int i = blockIdx.x * blockDim.x + threadIdx.x
#define GRID_X (int)(gridDim.x * blockDim.x)

// One load with a cache operator written out, so that the compiler neither changes nor moves it.
#define LOADER(name, op)                                                                  \
    __device__ __forceinline__ float name(const float *a)                                 \
    {                                                                                     \
        float v;                                                                          \
        asm volatile("ld." op ".f32 %0, [%1];" : "=f"(v) : "l"(a) : "memory");            \
        return v;                                                                         \
    }
LOADER(load_ca, "global.ca")
LOADER(load_cg, "global.cg")
LOADER(load_cs, "global.cs")
LOADER(load_lu, "global.lu")
LOADER(load_cv, "global.cv")
LOADER(load_nc, "global.nc")
LOADER(load_volatile, "volatile.global")
LOADER(load_first, "global.L1::evict_first")
LOADER(load_last, "global.L1::evict_last")
LOADER(load_none, "global.L1::no_allocate")
LOADER(load_64, "global.L2::64B")
LOADER(load_128, "global.L2::128B")
LOADER(load_256, "global.L2::256B")
LOADER(load_relaxed, "relaxed.gpu.global")
__device__ __forceinline__ float load_by(const float *a, int op)
{
    switch (op) {
    case 0: return load_ca(a);
    case 1: return load_cg(a);
    case 2: return load_cs(a);
    case 3: return load_lu(a);
    case 4: return load_cv(a);
    case 5: return load_nc(a);
    case 6: return load_volatile(a);
    case 7: return load_first(a);
    case 8: return load_last(a);
    case 9: return load_none(a);
    case 10: return load_64(a);
    case 11: return load_128(a);
    case 12: return load_256(a);
    default: return load_relaxed(a);
    }
}
#define STORER(name, op) \
    __device__ __forceinline__ void name(float *a, float v) { asm volatile("st." op ".f32 [%0], %1;" : : "l"(a), "f"(v) : "memory"); }
STORER(store_wb, "global.wb")
STORER(store_cg, "global.cg")
STORER(store_cs, "global.cs")
STORER(store_wt, "global.wt")
__device__ __forceinline__ void store_by(float *a, float v, int op)
{
    switch (op) {
    case 0: return store_wb(a, v);
    case 1: return store_cg(a, v);
    case 2: return store_cs(a, v);
    default: return store_wt(a, v);
    }
}

// ---- walks: one lane, one access at a time (n places, p words apart, q passes): sizes, sets and policies of caches ------
KERNEL walk_ca(ARGS)
{
    IN(float); OUT(float);
    float v = 0;
#pragma unroll 1
    for (int k = 0; k < q; k++)
#pragma unroll 1
        for (int j = 0; j < n; j++) v += load_ca(in + (size_t)j * p + (v < 0.0f));
    out[0] = v;
}
KERNEL walk_cg(ARGS)
{
    IN(float); OUT(float);
    float v = 0;
#pragma unroll 1
    for (int k = 0; k < q; k++)
#pragma unroll 1
        for (int j = 0; j < n; j++) v += load_cg(in + (size_t)j * p + (v < 0.0f));
    out[0] = v;
}
// n lines, then line 0 again q times between: does a hit renew a line?
KERNEL walk_renew(ARGS)
{
    IN(float); OUT(float);
    float v = 0;
#pragma unroll 1
    for (int j = 0; j < n; j++) {
        v += load_ca(in + (size_t)j * p + (v < 0.0f));
        if (j % q == 0) v += load_ca(in + (v < 0.0f));
    }
    out[0] = v;
}
// Blocks on multiprocessors p and q read the same n words at the same time, the others nothing: who shares what on the way to L2?
KERNEL pair_read(ARGS)
{
    IN(float); OUT(float);
    u32 sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if ((int)sm != p && (int)sm != q) return;
    float v = 0;
#pragma unroll 1
    for (int j = threadIdx.x; j < n; j += blockDim.x) v += load_cg(in + j + (v < 0.0f));
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
// Every block reads the same n words, each multiprocessor p cycles after the one before.
KERNEL skewed_read(ARGS)
{
    IN(float); OUT(float);
    u32 sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    long long start = clock64();
    while (clock64() - start < (long long)sm * p) { }
    float v = 0;
#pragma unroll 1
    for (int j = threadIdx.x; j < n; j += blockDim.x) v += load_by(in + j + (v < 0.0f), q);
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
KERNEL where(ARGS) // which multiprocessor runs each block
{
    OUT(int);
    u32 sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (threadIdx.x == 0) out[blockIdx.x] = sm;
    long long start = clock64();
    while (clock64() - start < (q ? (blockIdx.x * 7919 % 13) * (long long)q : 2000)) { }
}
KERNEL latency(ARGS) // cycles of each of n dependent loads, p words apart, in pass q
{
    IN(float); OUT(int);
    float v = 0;
#pragma unroll 1
    for (int k = 0; k <= q; k++)
#pragma unroll 1
        for (int j = 0; j < n; j++) {
            long long start = clock64();
            v += load_ca(in + (size_t)j * p + (v < 0.0f));
            if (v < 0.0f) break;
            out[j] = (int)(clock64() - start);
        }
}

// ---- streams ------------------------------------------------------------------------------------------------------------
KERNEL copy_f32(ARGS) { IN(float); OUT(float); GLOBAL_X; if (i < n) out[i + q] = in[i + p]; }
KERNEL copy_f32x4(ARGS) { IN(float4); OUT(float4); GLOBAL_X; if (i < n) out[i] = in[i + p]; }
KERNEL copy_loop(ARGS) { IN(float); OUT(float); for (GLOBAL_X; i < n; i += GRID_X) out[i] = in[i] * 2.0f; }
KERNEL triad(ARGS) { IN(float); OUT(float); GLOBAL_X; if (i < n) out[i] = in[i] + 3.0f * in[i + n]; }
KERNEL saxpy(ARGS) { IN(float); OUT(float); GLOBAL_X; if (i < n) out[i] += 3.0f * in[i]; }
KERNEL in_place(ARGS) { OUT(float); GLOBAL_X; if (i < n) out[i] = out[i] * 2.0f + 1.0f; }
KERNEL fill(ARGS) { OUT(float); for (GLOBAL_X; i < n; i += GRID_X) out[(size_t)i * p] = 1.0f; }
KERNEL read_stride(ARGS) { IN(float); OUT(float); GLOBAL_X; float v = in[((size_t)i * p + q) & (n - 1)]; if (v < 0) out[i] = v; }
KERNEL write_stride(ARGS) { OUT(float); GLOBAL_X; out[((size_t)i * p + q) & (n - 1)] = 1.0f; }
KERNEL copy_u8(ARGS) { IN(unsigned char); OUT(unsigned char); GLOBAL_X; if (i < n) out[i * p] = in[i * p] ^ 1; }
KERNEL write_twice(ARGS) { OUT(float); for (int k = 0; k < q; k++) for (GLOBAL_X; i < n; i += GRID_X) store_by(out + i, k, p); }
KERNEL reread(ARGS) // q passes over n words: what stays in the L2
{
    IN(float); OUT(float);
    float v = 0;
#pragma unroll 1
    for (int k = 0; k < q; k++)
#pragma unroll 4
        for (GLOBAL_X; i < n; i += GRID_X) v += load_by(in + i, p);
    if (v < 0) out[0] = v;
}
KERNEL reread_block(ARGS) // each block reads its own n words q times: what stays in the L1
{
    IN(float); OUT(float);
    float v = 0;
#pragma unroll 1
    for (int k = 0; k < q; k++) {
#pragma unroll 1
        for (int j = threadIdx.x; j < n; j += blockDim.x) v += load_by(in + (size_t)blockIdx.x * n + j, p);
        __syncthreads();
    }
    if (v < 0) out[0] = v;
}
KERNEL reread_random(ARGS) // each block reads q random sectors of its own n words
{
    IN(float); OUT(float);
    float v = 0;
    u32 s = blockIdx.x * blockDim.x + threadIdx.x + 1;
#pragma unroll 1
    for (int k = 0; k < q; k++) {
        s = s * 1664525u + 1013904223u;
        v += in[(size_t)blockIdx.x * n + ((s >> 9) & (n - 1))];
        if (p) __syncthreads();
    }
    if (v < 0) out[0] = v;
}
KERNEL read_write_read(ARGS) // does a store renew, change or drop a line of the L1? p: the store's operator, q: 1 other lanes' words
{
    OUT(float); GLOBAL_X;
    float a = load_ca(out + i);
    __syncthreads();
    store_by(out + (q ? i ^ 1 : i), a + 1.0f, p);
    __syncthreads();
    float b = load_ca(out + i);
    __syncthreads();
    if (a + b < 0) out[0] = b;
}
KERNEL write_read(ARGS) { OUT(float); GLOBAL_X; store_by(out + i, 1.0f, p); __syncthreads(); float b = load_by(out + (i ^ q), 0); __syncthreads(); if (b < 0) out[0] = b; }
KERNEL read_atomic_read(ARGS)
{
    OUT(float); GLOBAL_X;
    float a = load_ca(out + i);
    __syncthreads();
    if (p == 0) atomicAdd(out + i, 1.0f);
    else if (atomicExch(out + i, 1.0f) < 0) out[1] = 2;
    __syncthreads();
    float b = load_ca(out + i);
    if (a + b < 0) out[0] = b;
}
KERNEL prefetched(ARGS)
{
    IN(float); OUT(float); GLOBAL_X;
    if (p == 0) asm volatile("prefetch.global.L2 [%0];" : : "l"(in + i * 8));
    if (p == 1) asm volatile("prefetch.global.L1 [%0];" : : "l"(in + i * 8));
    __syncthreads();
    float v = load_ca(in + i * 8 + q);
    if (v < 0) out[0] = v;
}
KERNEL copy_async(ARGS)
{
    IN(float4); OUT(float4);
    __shared__ float4 s[256];
    GLOBAL_X;
    u32 to = (u32)__cvta_generic_to_shared(&s[threadIdx.x]);
    for (int k = 0; k < p; k++) {
        if (q == 0) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(to), "l"(in + i) : "memory");
        else asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" : : "r"(to), "l"(in + i) : "memory");
        asm volatile("cp.async.wait_all;" : : : "memory");
        __syncthreads();
    }
    if (i < n) out[i] = s[threadIdx.x ^ 1];
}
KERNEL same_line(ARGS) { IN(float); OUT(float); GLOBAL_X; float v = 0; for (int k = 0; k < 4; k++) v += load_ca(in + (i / 32) * p + (i & 7) + 8 * k); out[i] = v; }

// ---- gathers, scatters, atomics -----------------------------------------------------------------------------------------
KERNEL gather(ARGS) { IN(float); OUT(float); GLOBAL_X; if (i < n) out[i] = in[index[i] & p]; }
KERNEL gather_x4(ARGS) { IN(float4); OUT(float4); GLOBAL_X; if (i < n) out[i] = in[index[i] & p]; }
KERNEL gather_near(ARGS) { IN(float); OUT(float); GLOBAL_X; if (i < n) out[i] = in[i + (index[i] & p)]; }
KERNEL scatter(ARGS) { OUT(float); GLOBAL_X; if (i < n) out[index[i] & p] = 1.0f; }
KERNEL red_random(ARGS) { OUT(int); GLOBAL_X; if (i < n) atomicAdd(&out[index[i] & p], 1); }
KERNEL red_linear(ARGS) { OUT(int); GLOBAL_X; if (i < n) atomicAdd(&out[(i * p) & q], 1); }
KERNEL atom_random(ARGS) { OUT(int); GLOBAL_X; if (i < n && atomicMax(&out[index[i] & p], 5) == 77) out[q] = 1; }
KERNEL red_f32(ARGS) { OUT(float); GLOBAL_X; if (i < n) atomicAdd(&out[index[i] & p], 1.0f); }
KERNEL chase(ARGS) // each thread follows q links
{
    OUT(int);
    GLOBAL_X;
    int j = i & p;
#pragma unroll 1
    for (int k = 0; k < q; k++) j = index[j] & p;
    if (i < n) out[i] = j;
}
KERNEL binary_search(ARGS) // in a sorted table: in[k] is at place k, so that only the places matter
{
    IN(float); OUT(int); GLOBAL_X;
    if (i >= n) return;
    int want = index[i] & p, low = 0, high = p + 1;
    float junk = 0;
    while (high - low > 1) { int m = (low + high) / 2; junk += in[m]; if (m <= want) low = m; else high = m; }
    out[i] = low + (junk < 0);
}
KERNEL hash_probe(ARGS)
{
    IN(float); OUT(int); GLOBAL_X;
    if (i >= n) return;
    u32 h = (u32)index[i] * 2654435761u >> 8;
    int probes = 1 + (index[i] & q);
    float v = 0;
    for (int k = 0; k < probes; k++) v += in[(h + k * k) & p];
    out[i] = v < 0;
}
KERNEL histogram(ARGS) { OUT(int); for (GLOBAL_X; i < n; i += GRID_X) atomicAdd(&out[index[i & 0x3fffff] & p], 1); }
KERNEL histogram_block(ARGS)
{
    OUT(int);
    __shared__ int bins[1024];
    for (int j = threadIdx.x; j <= p; j += blockDim.x) bins[j] = 0;
    __syncthreads();
    for (GLOBAL_X; i < n; i += GRID_X) atomicAdd(&bins[index[i & 0x3fffff] & p], 1);
    __syncthreads();
    for (int j = threadIdx.x; j <= p; j += blockDim.x) atomicAdd(&out[j], bins[j]);
}

// ---- constant and local memory ------------------------------------------------------------------------------------------
__constant__ float table[16000];
KERNEL constant_walk(ARGS) // q passes over n words, p words apart; all lanes the same word
{
    OUT(float); GLOBAL_X;
    float v = 0;
#pragma unroll 1
    for (int k = 0; k < q; k++)
#pragma unroll 1
        for (int j = 0; j < n; j += p) v += table[j];
    out[i] = v;
}
KERNEL constant_lanes(ARGS) { OUT(float); GLOBAL_X; float v = 0; for (int k = 0; k < q; k++) v += table[((i & 31) * p + k) % n]; out[i] = v; }
KERNEL local_array(ARGS)
{
    IN(float); OUT(float); GLOBAL_X;
    float a[64];
#pragma unroll 1
    for (int k = 0; k < n; k++) a[k] = in[(i + k * 64) & 65535];
    float s = 0;
#pragma unroll 1
    for (int j = 0; j < q; j++)
#pragma unroll 1
        for (int k = 0; k < n; k++) s += a[(k * p + j) & 63];
    out[i] = s;
}

// ---- whole algorithms ---------------------------------------------------------------------------------------------------
KERNEL matmul_plain(ARGS)
{
    IN(float); OUT(float);
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll 4
    for (int k = 0; k < n; k++) sum += in[row * n + k] * in[n * n + k * n + col];
    out[row * n + col] = sum;
}
KERNEL matmul_aat(ARGS)
{
    IN(float); OUT(float);
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll 4
    for (int k = 0; k < n; k++) sum += in[row * n + k] * in[col * n + k];
    out[row * n + col] = sum;
}
template <int T> __device__ void matmul_tile(const float *in, float *out, int n)
{
    __shared__ float a[T][T], b[T][T];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float sum = 0;
    for (int t = 0; t < n; t += T) {
        a[ty][tx] = in[row * n + t + tx];
        b[ty][tx] = in[n * n + (t + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < T; k++) sum += a[ty][k] * b[k][tx];
        __syncthreads();
    }
    out[row * n + col] = sum;
}
KERNEL matmul_tile16(ARGS) { matmul_tile<16>((const float *)in_, (float *)out_, n); }
KERNEL matmul_tile32(ARGS) { matmul_tile<32>((const float *)in_, (float *)out_, n); }
KERNEL matmul_register(ARGS) // 64 x 64 a block, 4 x 4 a thread, 16 deep; block 16 x 16
{
    IN(float); OUT(float);
    __shared__ float a[16][64], b[16][64];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx, row = blockIdx.y * 64, col = blockIdx.x * 64;
    float c[4][4] = {};
    for (int k0 = 0; k0 < n; k0 += 16) {
        for (int j = t; j < 1024; j += 256) {
            a[j & 15][j >> 4] = in[(row + (j >> 4)) * n + k0 + (j & 15)];
            b[j >> 6][j & 63] = in[n * n + (k0 + (j >> 6)) * n + col + (j & 63)];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++)
#pragma unroll
            for (int y = 0; y < 4; y++)
#pragma unroll
                for (int x = 0; x < 4; x++) c[y][x] += a[k][ty * 4 + y] * b[k][tx + 16 * x];
        __syncthreads();
    }
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++) out[(row + ty * 4 + y) * n + col + tx + 16 * x] = c[y][x];
}
KERNEL copy_rows(ARGS) { IN(float); OUT(float); int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; out[y * n + x] = in[y * n + x]; }
KERNEL copy_columns(ARGS) { IN(float); OUT(float); int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; out[x * n + y] = in[x * n + y]; }
KERNEL transpose_rows(ARGS) { IN(float); OUT(float); int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; out[x * n + y] = in[y * n + x]; }
KERNEL transpose_columns(ARGS) { IN(float); OUT(float); int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; out[y * n + x] = in[x * n + y]; }
KERNEL transpose_tile(ARGS)
{
    IN(float); OUT(float);
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
KERNEL matvec_rows(ARGS) { IN(float); OUT(float); GLOBAL_X; float s = 0; if (i < n) { for (int k = 0; k < p; k++) s += in[i * p + k] * in[n * p + k]; out[i] = s; } }
KERNEL matvec_warps(ARGS)
{
    IN(float); OUT(float); GLOBAL_X;
    int row = i >> 5, lane = i & 31;
    if (row >= n) return;
    float s = 0;
    for (int k = lane; k < p; k += 32) s += in[row * p + k] * in[n * p + k];
    for (int k = 16; k > 0; k >>= 1) s += __shfl_down_sync(0xffffffffu, s, k);
    if (lane == 0) out[row] = s;
}
KERNEL matvec_columns(ARGS) { IN(float); OUT(float); GLOBAL_X; float s = 0; if (i < n) { for (int k = 0; k < p; k++) s += in[k * n + i] * in[n * p + k]; out[i] = s; } }
KERNEL stencil_1d(ARGS) { IN(float); OUT(float); GLOBAL_X; if (i >= p && i < n - p) { float s = 0; for (int k = -p; k <= p; k++) s += in[i + k]; out[i] = s; } }
KERNEL stencil_5(ARGS)
{
    IN(float); OUT(float);
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
        out[y * n + x] = 0.2f * (in[y * n + x] + in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x]);
}
KERNEL stencil_9(ARGS)
{
    IN(float); OUT(float);
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
    float s = 0;
    for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++) s += in[(y + dy) * n + x + dx];
    out[y * n + x] = s;
}
KERNEL stencil_7(ARGS) // n^3 points, a thread a column of p planes
{
    IN(float); OUT(float);
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
#pragma unroll 1
    for (int z = 1; z < p - 1; z++) {
        int at = (z * n + y) * n + x;
        out[at] = in[at] + in[at - 1] + in[at + 1] + in[at - n] + in[at + n] + in[at - n * n] + in[at + n * n];
    }
}
KERNEL stencil_7_flat(ARGS) // the same, a thread a point; the grid's y counts planes
{
    IN(float); OUT(float);
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = (blockIdx.y % p) * blockDim.y + threadIdx.y, z = blockIdx.y / p;
    if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= q - 1) return;
    int at = (z * n + y) * n + x;
    out[at] = in[at] + in[at - 1] + in[at + 1] + in[at - n] + in[at + n] + in[at - n * n] + in[at + n * n];
}
KERNEL stencil_shared(ARGS) // 5 points through shared memory; block 32 x 8
{
    IN(float); OUT(float);
    __shared__ float s[10][34];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx + 1, y = blockIdx.y * 8 + ty + 1;
    s[ty + 1][tx + 1] = in[y * n + x];
    if (tx == 0) s[ty + 1][0] = in[y * n + x - 1];
    if (tx == 31) s[ty + 1][33] = in[y * n + x + 1];
    if (ty == 0) s[0][tx + 1] = in[(y - 1) * n + x];
    if (ty == 7) s[9][tx + 1] = in[(y + 1) * n + x];
    __syncthreads();
    out[y * n + x] = s[ty + 1][tx + 1] + s[ty][tx + 1] + s[ty + 2][tx + 1] + s[ty + 1][tx] + s[ty + 1][tx + 2];
}
KERNEL convolve_2d(ARGS) // (2p + 1)^2 taps from constant memory
{
    IN(float); OUT(float);
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < p || y < p || x >= n - p || y >= n - p) return;
    float s = 0;
    for (int dy = -p; dy <= p; dy++)
        for (int dx = -p; dx <= p; dx++) s += in[(y + dy) * n + x + dx] * table[(dy + p) * 16 + dx + p];
    out[y * n + x] = s;
}
KERNEL convolve_rows(ARGS) { IN(float); OUT(float); int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y; float s = 0; for (int k = 0; k < p; k++) s += in[y * n + x + k] * table[k]; out[y * n + x] = s; }
KERNEL convolve_columns(ARGS) { IN(float); OUT(float); int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; float s = 0; for (int k = 0; k < p; k++) s += in[(y + k) * n + x] * table[k]; out[y * n + x] = s; }
KERNEL reduce_block(ARGS)
{
    IN(int); OUT(int);
    __shared__ int s[256];
    int t = threadIdx.x, sum = 0;
    for (GLOBAL_X; i < n; i += GRID_X) sum += in[i] >> 8;
    s[t] = sum;
    __syncthreads();
    for (int k = 128; k > 0; k >>= 1) { if (t < k) s[t] += s[t + k]; __syncthreads(); }
    if (t == 0) atomicAdd(out, s[0]);
}
KERNEL reduce_rows(ARGS) { IN(float); OUT(float); GLOBAL_X; if (i < n) { float s = 0; for (int k = 0; k < p; k++) s += in[i * p + k]; out[i] = s; } }
KERNEL reduce_columns(ARGS) { IN(float); OUT(float); GLOBAL_X; if (i < n) { float s = 0; for (int k = 0; k < p; k++) s += in[k * n + i]; out[i] = s; } }
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
KERNEL scan_step(ARGS) { IN(int); OUT(int); GLOBAL_X; if (i < n) out[i] = i >= p ? in[i] + in[i - p] : in[i]; } // Hillis and Steele in global memory
KERNEL spmv_csr(ARGS) // row r has 1 + (index[r] & p) entries, their columns in a band of q
{
    IN(float); OUT(float); GLOBAL_X;
    if (i >= n) return;
    float s = 0;
    int len = 1 + (index[i] & p);
#pragma unroll 1
    for (int k = 0; k < len; k++) { int at = i * (p + 1) + k; s += in[at] * in[(i + (index[at & 0x3fffff] & q)) & 0x1ffffff]; }
    out[i] = s;
}
KERNEL spmv_warps(ARGS)
{
    IN(float); OUT(float); GLOBAL_X;
    int row = i >> 5, lane = i & 31;
    if (row >= n) return;
    float s = 0;
    for (int k = lane; k < p; k += 32) { int at = row * p + k; s += in[at] * in[(row + (index[at & 0x3fffff] & q)) & 0x1ffffff]; }
    for (int k = 16; k > 0; k >>= 1) s += __shfl_down_sync(0xffffffffu, s, k);
    if (lane == 0) out[row] = s;
}
KERNEL spmv_ell(ARGS) { IN(float); OUT(float); GLOBAL_X; if (i >= n) return; float s = 0; for (int k = 0; k < p; k++) s += in[k * n + i] * in[(i + (index[(k * n + i) & 0x3fffff] & q)) & 0x1ffffff]; out[i] = s; }
KERNEL bitonic_step(ARGS) // one exchange at distance p in blocks of q
{
    OUT(int); GLOBAL_X;
    int a = 2 * i - (i & (p - 1)), b = a + p;
    if (b >= n) return;
    int x = out[a], y = out[b];
    if ((x > y) == ((a & q) == 0)) { out[a] = y; out[b] = x; }
}
KERNEL radix_count(ARGS) // a histogram of 16 digits a block
{
    OUT(int);
    __shared__ int bins[16];
    if (threadIdx.x < 16) bins[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < 4; k++) { int i = (blockIdx.x * 4 + k) * blockDim.x + threadIdx.x; if (i < n) atomicAdd(&bins[index[i] >> p & 15], 1); }
    __syncthreads();
    if (threadIdx.x < 16) out[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}
KERNEL radix_scatter(ARGS) { OUT(int); GLOBAL_X; if (i < n) out[((u32)index[i] >> p & 15) * (n / 16 * 2) + (i >> 3)] = i; }
KERNEL merge_path(ARGS) // each thread finds its place in two sorted runs, then merges 8
{
    IN(float); OUT(float); GLOBAL_X;
    if (i * 8 >= n) return;
    int low = 0, high = i * 8;
    float v = 0;
    while (low < high) { int m = (low + high) / 2; v += in[m] + in[n + i * 8 - m]; if (m * 2 < i * 8) low = m + 1; else high = m; }
    for (int k = 0; k < 8; k++) out[i * 8 + k] = in[low + k / 2] + in[n + low + k / 2] + (v < 0);
}
KERNEL nbody_plain(ARGS)
{
    IN(float4); OUT(float4); GLOBAL_X;
    float4 me = in[i];
    float ax = 0;
#pragma unroll 4
    for (int j = 0; j < n; j++) { float4 o = in[j]; float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z; ax += dx * rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f) * o.w; }
    out[i] = make_float4(ax, 0, 0, 0);
}
KERNEL nbody_tile(ARGS)
{
    IN(float4); OUT(float4);
    __shared__ float4 s[256];
    GLOBAL_X;
    float4 me = in[i];
    float ax = 0;
    for (int t = 0; t < n; t += 256) {
        s[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 256; j++) { float dx = s[j].x - me.x, dy = s[j].y - me.y, dz = s[j].z - me.z; ax += dx * rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f) * s[j].w; }
        __syncthreads();
    }
    out[i] = make_float4(ax, 0, 0, 0);
}
struct aos3 { float x, y, z; };
struct aos8 { float a, b, c, d, e, f, g, h; };
KERNEL aos3_sum(ARGS) { IN(aos3); OUT(float); GLOBAL_X; if (i < n) out[i] = in[i].x + in[i].y + in[i].z; }
KERNEL aos8_field(ARGS) { IN(aos8); OUT(aos8); GLOBAL_X; if (i < n) out[i].a = in[i].a + 1.0f; }
KERNEL aos8_all(ARGS) { IN(aos8); OUT(float); GLOBAL_X; if (i < n) out[i] = in[i].a + in[i].b + in[i].c + in[i].d + in[i].e + in[i].f + in[i].g + in[i].h; }
KERNEL black_scholes(ARGS) { IN(float); OUT(float); GLOBAL_X; if (i >= n) return; float s = in[i], x = in[i + n], t = in[i + 2 * n] * 0.01f, d = __logf(s / (x + 1.0f) + 1.0f) * t; out[i] = s * __expf(-d); out[i + n] = x * __expf(d); }
KERNEL softmax_rows(ARGS) // a block a row of p
{
    IN(float); OUT(float);
    __shared__ float s[256];
    int t = threadIdx.x, row = blockIdx.x;
    float top = 0, sum = 0;
    for (int k = t; k < p; k += 256) top = fmaxf(top, in[row * p + k]);
    s[t] = top;
    __syncthreads();
    for (int k = 128; k > 0; k >>= 1) { if (t < k) s[t] = fmaxf(s[t], s[t + k]); __syncthreads(); }
    top = s[0];
    __syncthreads();
    for (int k = t; k < p; k += 256) sum += __expf(in[row * p + k] - top);
    s[t] = sum;
    __syncthreads();
    for (int k = 128; k > 0; k >>= 1) { if (t < k) s[t] += s[t + k]; __syncthreads(); }
    for (int k = t; k < p; k += 256) out[row * p + k] = __expf(in[row * p + k] - top) / s[0];
}
KERNEL fft_step(ARGS) { IN(float2); OUT(float2); GLOBAL_X; if (i >= n) return; int j = i / p * 2 * p + i % p; float2 a = in[j], b = in[j + p]; out[j] = make_float2(a.x + b.x, a.y + b.y); out[j + p] = make_float2(a.x - b.x, a.y - b.y); }
KERNEL bit_reverse(ARGS) { IN(float); OUT(float); GLOBAL_X; out[__brev(i) >> p] = in[i]; }
KERNEL game_of_life(ARGS)
{
    const unsigned char *in = (const unsigned char *)in_;
    OUT(unsigned char);
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, c = 0;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
    for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++) c += in[(y + dy) * n + x + dx] & 1;
    out[y * n + x] = c == 3;
}
KERNEL floyd_step(ARGS)
{
    OUT(float);
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float via = out[y * n + p] + out[p * n + x];
    if (via < out[y * n + x] || q) out[y * n + x] = via;
}
KERNEL kmeans_assign(ARGS) // n points of 4 floats, p centres
{
    IN(float4); OUT(int); GLOBAL_X;
    if (i >= n) return;
    float4 me = in[i];
    float best = 1e30f;
    int which = 0;
    for (int c = 0; c < p; c++) { float4 o = in[n + c]; float d = (o.x - me.x) * (o.x - me.x) + (o.y - me.y) * (o.y - me.y) + (o.z - me.z) * (o.z - me.z) + (o.w - me.w) * (o.w - me.w); if (d < best) { best = d; which = c; } }
    out[i] = which;
}
KERNEL rotate_image(ARGS) // nearest neighbour, by p / 256 of slope
{
    IN(float); OUT(float);
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int sx = (x * 256 + y * p) >> 8 & (n - 1), sy = (y * 256 - x * p) >> 8 & (n - 1);
    out[y * n + x] = in[sy * n + sx];
}
KERNEL bfs_step(ARGS) // frontier i, p neighbours each, in a range of q + 1 vertices
{
    OUT(int); GLOBAL_X;
    if (i >= n) return;
    for (int k = 0; k < p; k++) { int v = index[(i * p + k) & 0x3fffff] & q; if (out[v] == 0) out[v] = 1; }
}
KERNEL page_rank(ARGS) { IN(float); OUT(float); GLOBAL_X; if (i >= n) return; float s = 0; for (int k = 0; k < p; k++) s += in[index[(i * p + k) & 0x3fffff] & q]; out[i] = 0.85f * s + 0.15f; }
KERNEL downsample(ARGS) { IN(float); OUT(float); int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; const float *a = in + (size_t)2 * y * 2 * n + 2 * x; out[y * n + x] = a[0] + a[1] + a[2 * n] + a[2 * n + 1]; }
KERNEL compact(ARGS) // keep what is below p of 64; places by warp
{
    OUT(int); GLOBAL_X;
    int v = index[i], keep = (v & 63) < p;
    u32 ballot = __ballot_sync(0xffffffffu, keep);
    if (keep) out[(i >> 5) * 32 + __popc(ballot & ((1u << (threadIdx.x & 31)) - 1))] = v;
}
KERNEL embedding(ARGS) { IN(float4); OUT(float4); GLOBAL_X; int row = index[i >> 5] & p; if (i < n) out[i] = in[(size_t)row * 32 + (i & 31)]; }
KERNEL lut_u8(ARGS) { const unsigned char *in = (const unsigned char *)in_; OUT(float); GLOBAL_X; if (i < n) out[i] = ((const float *)in_)[(1 << 20) + in[i] * p]; }
