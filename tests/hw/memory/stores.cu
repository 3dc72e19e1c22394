// SPDX-License-Identifier: Apache-2.0
// Stores of less than a sector, recorded on real GPUs for the model of stores on their way out of L1: stores.def has the launches.
// run_SxC: lanes p & 4095 bytes apart make C stores of S bytes each, side by side, one right after the other. p >> 12 lanes take part (0: all).
// Of 1 << (q & 7) warps each begins where the last store of the one before ended. n: how often, each time at a new place.
// apart_SxC: to C sectors; two_SxC: as run_SxC, into two places in turn. late_S: a loop of p >> 24 stores, with q >> 8 dependent steps each.
// The others are what programs do; n: elements. stores.ptx beside this file is this file compiled by nvcc (see record.sh).
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
#define KERNEL extern "C" __global__ void
#define ARGS const void *__restrict__ in_, void *out_, const int *__restrict__ index, int n, int p, int q
#define IN(type) const type *in = static_cast<const type *>(in_)
#define OUT(type) type *out = static_cast<type *>(out_)
#define GLOBAL_X int i = blockIdx.x * blockDim.x + threadIdx.x
#define ONCE _Pragma("unroll 1")
#define PUT(type, op, how, value) \
    __device__ __forceinline__ void put(type *a, u32 v) { asm volatile("st.global." op : : "l"(a), how(value) : "memory"); }
PUT(u16, "u16 [%0], %1;", "h", (u16)v)
PUT(u32, "u32 [%0], %1;", "r", v)
PUT(u64, "u64 [%0], %1;", "l", (u64)v)
PUT(uint4, "v4.u32 [%0], {%1, %1, %1, %1};", "r", v)

__constant__ float table[16384];

enum { APART = 64 << 20, MOST_LANES = 32, SECTOR = 32 };

// Where a lane begins for the r-th time, with `bytes` to store.
__device__ __forceinline__ char *place(void *out, int r, int p, int q, int bytes)
{
    int share = q & 7, lanes = p >> 12 & 63 ? p >> 12 & 63 : MOST_LANES;
    int warps = gridDim.x * blockDim.x >> 5, warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, all = r * warps + warp;
    return (char *)out + ((all >> share) * lanes + (threadIdx.x & 31)) * (p & 4095) + (all & (1 << share) - 1) * bytes;
}
__device__ __forceinline__ bool is_in(int p) { return !(p >> 12 & 63) || (threadIdx.x & 31) < (p >> 12 & 63); }
template <class T, int COUNT, int STEP> __device__ __forceinline__ void run(void *out, int n, int p, int q)
{
    if (!is_in(p)) return;
    ONCE for (int r = 0; r < n; r++) {
        char *at = place(out, r, p, q, COUNT * sizeof(T));
#pragma unroll
        for (int k = 0; k < COUNT; k++) put((T *)(at + k * STEP), r);
    }
}
template <class T> __device__ __forceinline__ void late(void *out, int n, int p, int q)
{
    float v = 1;
    if (!is_in(p)) return;
    ONCE for (int r = 0; r < n; r++) {
        char *at = place(out, r, p, q, (p >> 24) * sizeof(T));
        ONCE for (int k = 0; k < p >> 24; k++) {
            put((T *)(at + k * sizeof(T)), __float_as_uint(v));
            ONCE for (int w = q >> 8; w > 0; w--) v = v * 0.5f + 1;
        }
    }
}
#define RUN(type, size, count) KERNEL run_##size##x##count(ARGS) { run<type, count, size>(out_, n, p, q); }
RUN(u16, 2, 4) RUN(u16, 2, 8) RUN(u16, 2, 16) RUN(u32, 4, 1) RUN(u32, 4, 2) RUN(u32, 4, 3) RUN(u32, 4, 4) RUN(u32, 4, 5) RUN(u32, 4, 7)
RUN(u32, 4, 8) RUN(u32, 4, 16) RUN(u64, 8, 2) RUN(u64, 8, 4) RUN(uint4, 16, 2) RUN(uint4, 16, 8)
KERNEL apart_4x4(ARGS) { run<u32, 4, SECTOR>(out_, n, p, q); }
KERNEL late_2(ARGS) { late<u16>(out_, n, p, q); }
KERNEL late_4(ARGS) { late<u32>(out_, n, p, q); }
KERNEL two_4x8(ARGS)
{
    ONCE for (int r = 0; r < n; r++) {
        char *at = place(out_, r, p, q, SECTOR);
#pragma unroll
        for (int k = 0; k < SECTOR; k += 4) put((u32 *)(at + k), r), put((u32 *)(at + APART + k), r);
    }
}

// ---- what programs do -----------------------------------------------------------------------------------------------------
template <int WORDS> struct words { float of[WORDS]; };
template <int WORDS> __device__ __forceinline__ void copy_words(const void *in_, void *out_, int n)
{
    IN(words<WORDS>); OUT(words<WORDS>); GLOBAL_X;
    if (i < n) out[i] = in[i];
}
KERNEL struct_12(ARGS) { copy_words<3>(in_, out_, n); }
KERNEL struct_20(ARGS) { copy_words<5>(in_, out_, n); }
KERNEL struct_28(ARGS) { copy_words<7>(in_, out_, n); }
KERNEL struct_36(ARGS) { copy_words<9>(in_, out_, n); }
KERNEL struct_48(ARGS) { copy_words<12>(in_, out_, n); }
KERNEL pixels(ARGS) // three bytes of each of n
{
    IN(u8); OUT(u8); GLOBAL_X;
    if (i >= n) return;
    u8 a = in[i * 3], b = in[i * 3 + 1], c = in[i * 3 + 2];
    out[i * 3] = c, out[i * 3 + 1] = b, out[i * 3 + 2] = a;
}
KERNEL rows_half(ARGS) // each thread makes a row of p numbers of 16 bits
{
    IN(u16); OUT(u16); GLOBAL_X;
    ONCE for (int k = 0; i < n && k < p; k++) out[i * p + k] = in[k * n + i];
}
KERNEL rows_float(ARGS) // of p words, four at a time
{
    IN(float); OUT(float); GLOBAL_X;
    if (i >= n) return;
#pragma unroll 4
    for (int k = 0; k < p; k++) out[i * p + k] = in[k * n + i] * 2;
}
template <int FIELDS> __device__ __forceinline__ void gather(const void *in_, void *out_, int n, int q)
{
    IN(float); OUT(float); GLOBAL_X;
    float v[FIELDS];
    if (i >= n) return;
    for (int k = 0; k < FIELDS; k++) v[k] = in[k * n + i];
    for (int k = 0; k < FIELDS; k++) out[i * q + k] = v[k];
}
KERNEL gather_3(ARGS) { gather<3>(in_, out_, n, q); } // arrays become one of structures of q words
KERNEL gather_5(ARGS) { gather<5>(in_, out_, n, q); }
KERNEL gather_8(ARGS) { gather<8>(in_, out_, n, q); }
KERNEL sum_rows(ARGS) // running sums along rows of p words, in place
{
    OUT(float); GLOBAL_X;
    float v = 0;
    ONCE for (int k = 0; i < n && k < p; k++) out[i * p + k] = v += out[i * p + k];
}

// ---- of which none helped to find the rule ---------------------------------------------------------------------------------
KERNEL complex_product(ARGS) // real and imaginary parts side by side
{
    IN(float); OUT(float); GLOBAL_X;
    if (i >= n) return;
    float a = in[i], b = in[i + n], c = in[i + p], d = in[i + n + p];
    out[2 * i] = a * c - b * d;
    out[2 * i + 1] = a * d + b * c;
}
KERNEL normals(ARGS) // three numbers of 16 bits for each of n
{
    IN(float); OUT(u16); GLOBAL_X;
    if (i >= n) return;
    float x = in[i], y = in[i + 1], z = in[i + 2], s = 1 / (1 + x * x + y * y + z * z);
    out[3 * i] = (u16)(x * s * 1000), out[3 * i + 1] = (u16)(y * s * 1000), out[3 * i + 2] = (u16)(z * s * 1000);
}
KERNEL matrices(ARGS) // 16 words each, one word at a time
{
    IN(float); OUT(float); GLOBAL_X;
    if (i >= n) return;
    float v = in[i];
#pragma unroll
    for (int k = 0; k < 16; k++) out[i * 16 + k] = k % 5 ? v * k : 1;
}
KERNEL moved_bodies(ARGS) // six words of structures of q, in an order that index has
{
    IN(float); OUT(float); GLOBAL_X;
    if (i >= n) return;
    int to = index[i] % n;
#pragma unroll
    for (int k = 0; k < 6; k++) out[to * q + k] = in[i + k * n] + 1;
}
KERNEL tails(ARGS) // of each structure of 8 words the last p, where a condition holds
{
    IN(float); OUT(float); GLOBAL_X;
    if (i < n && in[i] > q) {
        float v = in[i + n];
        out[i * 8 + 7] = v, out[i * 8 + 6] = v + 1, out[i * 8 + 5] = v + 2;
        if (p > 3) out[i * 8 + 4] = v + 3, out[i * 8 + 3] = v + 4, out[i * 8 + 2] = v + 5;
    }
}
