// SPDX-License-Identifier: Apache-2.0
// Kernels whose time is bound by something else than DRAM: latency of dependent instructions, each pipe, issue, shared memory,
// atomics, barriers, divergence, occupancy, and whole algorithms. Recorded on real GPUs for the model of time (timing/).
// One signature for all, as in ../memory/memory.cu, whose host program launches them (list "timing", timing.def):
//   in: 2^25 floats of 0 to 512   out: 2^25 words   index: 2^22 ints, hashed   n: iterations or a size   p, q: what the case varies
// timing.ptx beside this file is this file compiled by nvcc (see record.sh).
typedef unsigned int u32;
typedef unsigned long long u64;
#define KERNEL extern "C" __global__ void
#define ARGS const void *__restrict__ in_, void *out_, const int *__restrict__ index, int n, int p, int q
#define IN(type) const type *in = static_cast<const type *>(in_)
#define OUT(type) type *out = static_cast<type *>(out_)
#define GLOBAL_X int i = blockIdx.x * blockDim.x + threadIdx.x
#define GRID_X (int)(gridDim.x * blockDim.x)
#define ONCE _Pragma("unroll 1")
#define ALL _Pragma("unroll")

__constant__ float table[4096];

KERNEL empty(ARGS) {}
KERNEL one_store(ARGS) { OUT(float); GLOBAL_X; out[i & 0x1ffffff] = (float)i; }

// ---- arithmetic: WIDE independent chains of STEPS dependent operations in a loop of n ------------------------------------
#define CHAIN(name, type, WIDE, STEPS, EXPRESSION)                                        \
    KERNEL name(ARGS)                                                                     \
    {                                                                                     \
        OUT(type);                                                                        \
        GLOBAL_X;                                                                         \
        type a[WIDE], y = (type)(p + 1), z = (type)q;                                     \
        ALL for (int k = 0; k < WIDE; k++) a[k] = (type)(i + k + 1);                      \
        ONCE for (int j = 0; j < n; j++) {                                                \
            ALL for (int s = 0; s < STEPS; s++)                                           \
                ALL for (int k = 0; k < WIDE; k++) {                                      \
                    type x = a[k];                                                        \
                    a[k] = EXPRESSION;                                                    \
                }                                                                         \
        }                                                                                 \
        type sum = a[0] + y + z;                                                          \
        ALL for (int k = 1; k < WIDE; k++) sum += a[k];                                   \
        out[i] = sum;                                                                     \
    }
CHAIN(fma_1, float, 1, 16, x * y + z)
CHAIN(fma_2, float, 2, 8, x * y + z)
CHAIN(fma_4, float, 4, 8, x * y + z)
CHAIN(fma_8, float, 8, 4, x * y + z)
CHAIN(add_4, float, 4, 8, x + y)
CHAIN(mul_4, float, 4, 8, x *y)
CHAIN(min_4, float, 4, 8, fminf(x, y) + z)
CHAIN(dfma_1, double, 1, 16, x *y + z)
CHAIN(dfma_4, double, 4, 8, x *y + z)
CHAIN(dadd_2, double, 2, 8, x + y)
CHAIN(imad_1, int, 1, 16, x *y + z)
CHAIN(imad_4, int, 4, 8, x *y + z)
CHAIN(logic_1, u32, 1, 16, (x ^ y) + z)
CHAIN(logic_4, u32, 4, 8, (x ^ y) + z)
CHAIN(shift_4, u32, 4, 8, (x << 3 ^ y) + (x >> 5))
CHAIN(rotate_4, u32, 4, 8, __funnelshift_l(x, x, 7) + y)
CHAIN(wide_2, u64, 2, 8, x *y + z)
CHAIN(mulhi_4, u32, 4, 8, __umulhi(x, y) + z)
CHAIN(popc_4, u32, 4, 8, __popc(x) + y)
CHAIN(bits_4, u32, 4, 4, (__brev(x) ^ (u32)__clz((int)x)) + y)
CHAIN(permute_4, u32, 4, 8, __byte_perm(x, y, 0x5140) + z)
CHAIN(select_4, int, 4, 8, (x > y ? x - z : x + y))
CHAIN(sine_1, float, 1, 8, __sinf(x) + y)
CHAIN(sine_4, float, 4, 4, __sinf(x))
CHAIN(exp2_1, float, 1, 8, exp2f(x) * y)
CHAIN(exp2_4, float, 4, 4, exp2f(x) * y)
CHAIN(rsqrt_4, float, 4, 4, rsqrtf(x))
CHAIN(divide_1, float, 1, 4, y / x + z)
CHAIN(divide_4, float, 4, 2, y / x)
CHAIN(fast_divide_4, float, 4, 4, __fdividef(y, x))
CHAIN(root_2, float, 2, 4, sqrtf(x) + y)
CHAIN(ddivide_1, double, 1, 2, y / x + z)
CHAIN(droot_1, double, 1, 2, sqrt(x) + y)
CHAIN(idivide_2, int, 2, 2, x / y + 77777)
CHAIN(remainder_2, u32, 2, 2, x % y + 77777)
CHAIN(ldivide_1, u64, 1, 1, x / y + 7777777777ull)
CHAIN(sinf_1, float, 1, 2, sinf(x))
CHAIN(expf_2, float, 2, 2, expf(x) * y)
CHAIN(logf_2, float, 2, 2, logf(x) + y)
CHAIN(powf_1, float, 1, 1, powf(x, 1.5f) + y)
CHAIN(dexp_1, double, 1, 1, exp(x) * y)
CHAIN(convert_4, float, 4, 4, (float)(int)x + y)
CHAIN(convert_d2, double, 2, 4, (double)(float)x + y)
CHAIN(convert_u8, u32, 4, 4, (u32)(unsigned char)(float)(x & 255) + y)
// half precision, two at a time
KERNEL half2_4(ARGS)
{
    OUT(u32);
    GLOBAL_X;
    u32 a[4], y = 0x3c003c00u + p, z = q;
    ALL for (int k = 0; k < 4; k++) a[k] = i + k;
    ONCE for (int j = 0; j < n; j++)
        ALL for (int s = 0; s < 8; s++)
            ALL for (int k = 0; k < 4; k++) asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(a[k]) : "r"(y), "r"(z));
    out[i] = a[0] ^ a[1] ^ a[2] ^ a[3];
}
KERNEL half_convert(ARGS)
{
    OUT(u32);
    GLOBAL_X;
    float a[4];
    ALL for (int k = 0; k < 4; k++) a[k] = i + k;
    ONCE for (int j = 0; j < n; j++)
        ALL for (int k = 0; k < 4; k++) {
            unsigned short h;
            asm volatile("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(a[k]));
            asm volatile("cvt.f32.f16 %0, %1;" : "=f"(a[k]) : "h"(h));
        }
    out[i] = __float_as_uint(a[0] + a[1] + a[2] + a[3]);
}
// single and double precision and integers at once: what can go together
KERNEL mixed_pipes(ARGS)
{
    OUT(float);
    GLOBAL_X;
    float f0 = i, f1 = i + 1, y = p + 1, z = q;
    u32 a = i, b = i * 3, c = p + 5;
    double d = i;
    ONCE for (int j = 0; j < n; j++)
        ALL for (int s = 0; s < 4; s++) {
            f0 = f0 * y + z;
            f1 = f1 * y + z;
            a = (a ^ c) + (a >> 3);
            b = b * c + 1;
            d = d * 1.5 + 2.0;
        }
    out[i] = f0 + f1 + a + b + (float)d;
}

// ---- tensor cores --------------------------------------------------------------------------------------------------------
template <int WIDE> __device__ __forceinline__ void matrix_half(u32 *out, int i, int n, int p)
{
    float c[WIDE][4] = {};
    u32 a[4], b[2];
    ALL for (int k = 0; k < 4; k++) a[k] = i * p + k;
    b[0] = p, b[1] = i;
    ONCE for (int j = 0; j < n; j++)
        ALL for (int s = 0; s < 4; s++)
            ALL for (int w = 0; w < WIDE; w++)
                asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                             : "+f"(c[w][0]), "+f"(c[w][1]), "+f"(c[w][2]), "+f"(c[w][3])
                             : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    float sum = 0;
    ALL for (int w = 0; w < WIDE; w++) sum += c[w][0] + c[w][1] + c[w][2] + c[w][3];
    out[i] = __float_as_uint(sum);
}
KERNEL mma_half_1(ARGS) { OUT(u32); GLOBAL_X; matrix_half<1>(out, i, n, p); }
KERNEL mma_half_4(ARGS) { OUT(u32); GLOBAL_X; matrix_half<4>(out, i, n, p); }
KERNEL mma_s8_4(ARGS)
{
    OUT(int);
    GLOBAL_X;
    int c[4][4] = {};
    u32 a[4], b[2];
    ALL for (int k = 0; k < 4; k++) a[k] = i * p + k;
    b[0] = p, b[1] = i;
    ONCE for (int j = 0; j < n; j++)
        ALL for (int w = 0; w < 4; w++)
            asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                         : "+r"(c[w][0]), "+r"(c[w][1]), "+r"(c[w][2]), "+r"(c[w][3])
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    out[i] = c[0][0] + c[1][1] + c[2][2] + c[3][3];
}
KERNEL mma_tf32_4(ARGS)
{
    OUT(float);
    GLOBAL_X;
    float c[4][4] = {};
    u32 a[4], b[2];
    ALL for (int k = 0; k < 4; k++) a[k] = i * p + k;
    b[0] = p, b[1] = i;
    ONCE for (int j = 0; j < n; j++)
        ALL for (int w = 0; w < 4; w++)
            asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                         : "+f"(c[w][0]), "+f"(c[w][1]), "+f"(c[w][2]), "+f"(c[w][3])
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    out[i] = c[0][0] + c[1][1] + c[2][2] + c[3][3];
}
KERNEL mma_double_2(ARGS)
{
    OUT(double);
    GLOBAL_X;
    double c[2][2] = {}, a = p, b = q;
    ONCE for (int j = 0; j < n; j++)
        ALL for (int w = 0; w < 2; w++)
            asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                         : "+d"(c[w][0]), "+d"(c[w][1]) : "d"(a), "d"(b));
    out[i] = c[0][0] + c[1][1];
}

// ---- within a warp -------------------------------------------------------------------------------------------------------
KERNEL shuffle_1(ARGS) { OUT(int); GLOBAL_X; int v = i; ONCE for (int j = 0; j < n; j++) ALL for (int s = 0; s < 8; s++) v = __shfl_xor_sync(~0u, v, p) + q; out[i] = v; }
KERNEL shuffle_sum(ARGS)
{
    IN(float); OUT(float); GLOBAL_X;
    float total = 0;
    ONCE for (int j = 0; j < n; j++) {
        float v = in[i & 1023] + j;
        ALL for (int d = 16; d; d >>= 1) v += __shfl_down_sync(~0u, v, d);
        total += v;
    }
    out[i] = total;
}
KERNEL vote_1(ARGS) { OUT(u32); GLOBAL_X; u32 v = i; ONCE for (int j = 0; j < n; j++) ALL for (int s = 0; s < 4; s++) v += __ballot_sync(~0u, v & p); out[i] = v; }
KERNEL match_1(ARGS) { OUT(u32); GLOBAL_X; u32 v = i; ONCE for (int j = 0; j < n; j++) v += __match_any_sync(~0u, v & p); out[i] = v; }
KERNEL redux_1(ARGS) { OUT(u32); GLOBAL_X; u32 v = i; ONCE for (int j = 0; j < n; j++) ALL for (int s = 0; s < 4; s++) v += __reduce_add_sync(~0u, v ^ p); out[i] = v; }

// ---- shared memory; p: stride in words -----------------------------------------------------------------------------------
KERNEL shared_chase(ARGS) // dependent loads
{
    OUT(int);
    __shared__ int next[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) next[k] = (k + p) & 1023;
    __syncthreads();
    int at = threadIdx.x & 1023;
    ONCE for (int j = 0; j < n; j++) ALL for (int s = 0; s < 8; s++) at = next[at];
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}
KERNEL shared_read(ARGS)
{
    OUT(float);
    __shared__ float s[8192];
    for (int k = threadIdx.x; k < 8192; k += blockDim.x) s[k] = k;
    __syncthreads();
    float sum = 0;
    int at = threadIdx.x * p & 4095;
    ONCE for (int j = 0; j < n; j++) {
        ALL for (int k = 0; k < 8; k++) sum += s[at + k * 512];
        at = (at + q) & 4095;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
KERNEL shared_read4(ARGS)
{
    OUT(float);
    __shared__ float4 s[2048];
    for (int k = threadIdx.x; k < 2048; k += blockDim.x) s[k] = make_float4(k, 1, 2, 3);
    __syncthreads();
    float sum = 0;
    int at = threadIdx.x * p & 1023;
    ONCE for (int j = 0; j < n; j++) {
        ALL for (int k = 0; k < 4; k++) {
            float4 v = s[at + k * 256];
            sum += v.x + v.y + v.z + v.w;
        }
        at = (at + q) & 1023;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
KERNEL shared_write(ARGS)
{
    OUT(float);
    __shared__ float s[8192];
    int at = threadIdx.x * p & 4095;
    ONCE for (int j = 0; j < n; j++) {
        ALL for (int k = 0; k < 8; k++) s[at + k * 512] = j;
        at = (at + q) & 4095;
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
}
KERNEL shared_copy(ARGS)
{
    OUT(float);
    __shared__ float s[4096];
    for (int k = threadIdx.x; k < 4096; k += blockDim.x) s[k] = k;
    __syncthreads();
    int from = threadIdx.x * p & 2047, to = (threadIdx.x + 2048) & 4095;
    ONCE for (int j = 0; j < n; j++) {
        s[to] = s[from] + 1.0f;
        from = (from + 32) & 2047;
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x + 2048];
}

// ---- atomics; p: mask of places, q: threads that share one ---------------------------------------------------------------
KERNEL shared_atomic(ARGS)
{
    OUT(u32);
    __shared__ u32 s[4096];
    for (int k = threadIdx.x; k < 4096; k += blockDim.x) s[k] = 0;
    __syncthreads();
    u32 v = threadIdx.x;
    ONCE for (int j = 0; j < n; j++) {
        atomicAdd(&s[(v / q) & p], v);
        v += 37;
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
}
KERNEL shared_atomic_float(ARGS)
{
    OUT(float);
    __shared__ float s[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) s[k] = 0;
    __syncthreads();
    ONCE for (int j = 0; j < n; j++) atomicAdd(&s[((threadIdx.x + j) / q) & p], 1.0f);
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x & 1023];
}
KERNEL global_red(ARGS) { OUT(u32); GLOBAL_X; ONCE for (int j = 0; j < n; j++) atomicAdd(&out[(i / q + j) & p], 1u); }
KERNEL global_atom(ARGS) { OUT(u32); GLOBAL_X; u32 v = 0; ONCE for (int j = 0; j < n; j++) v += atomicAdd(&out[((i + v) / q) & p], 1u) & 1; if (v == 12345678) out[0] = v; }
KERNEL global_cas(ARGS) // one lane a warp
{
    OUT(u32); GLOBAL_X;
    if (threadIdx.x & 31) return;
    for (int j = 0; j < n; j++) {
        u32 *at = &out[((i / 32) & p) * 32], old = *at, seen;
        while ((seen = atomicCAS(at, old, old + 1)) != old) old = seen;
    }
}
KERNEL global_red_double(ARGS) { OUT(double); GLOBAL_X; ONCE for (int j = 0; j < n; j++) atomicAdd(&out[(i / q + j) & p], 1.0); }
KERNEL fence_store(ARGS) { OUT(u32); GLOBAL_X; ONCE for (int j = 0; j < n; j++) { out[i] = j; __threadfence(); } }

// ---- barriers ------------------------------------------------------------------------------------------------------------
KERNEL barrier(ARGS) { OUT(int); GLOBAL_X; int v = i; ONCE for (int j = 0; j < n; j++) { v = v * p + q; __syncthreads(); } out[i] = v; }
KERNEL barrier_turns(ARGS) // one warp works, the others wait
{
    OUT(float); GLOBAL_X;
    float v = i;
    ONCE for (int j = 0; j < n; j++) {
        if (threadIdx.x / 32 == (j & 3)) { ALL for (int s = 0; s < 16; s++) v = v * 1.5f + q; }
        __syncthreads();
    }
    out[i] = v;
}
KERNEL barrier_exchange(ARGS) // neighbours through shared memory, double buffered
{
    OUT(float);
    __shared__ float s[2][1024];
    int t = threadIdx.x;
    s[0][t] = t;
    __syncthreads();
    ONCE for (int j = 0; j < n; j++) {
        float left = s[j & 1][t ? t - 1 : 0], right = s[j & 1][t + 1 < blockDim.x ? t + 1 : t];
        s[(j & 1) ^ 1][t] = 0.5f * (left + right);
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + t] = s[n & 1][t];
}

// ---- divergence and imbalance --------------------------------------------------------------------------------------------
KERNEL diverge(ARGS) // p ways within a warp
{
    OUT(float); GLOBAL_X;
    float v = i, y = 1.0f + q;
    int way = threadIdx.x % p;
    ONCE for (int j = 0; j < n; j++) {
        switch (way) {
        case 0: ALL for (int s = 0; s < 8; s++) v = v * y + 1.0f; break;
        case 1: ALL for (int s = 0; s < 8; s++) v = v * y + 2.0f; break;
        case 2: ALL for (int s = 0; s < 8; s++) v = v * y + 3.0f; break;
        case 3: ALL for (int s = 0; s < 8; s++) v = v * y - 4.0f; break;
        default: ALL for (int s = 0; s < 8; s++) v = v * y - 5.0f; break;
        }
    }
    out[i] = v;
}
KERNEL uneven_lanes(ARGS) { OUT(float); GLOBAL_X; float v = i; int turns = n * (threadIdx.x & 31) / 16; ONCE for (int j = 0; j < turns; j++) ALL for (int s = 0; s < 4; s++) v = v * 1.5f + q; out[i] = v; }
KERNEL uneven_warps(ARGS) { OUT(float); GLOBAL_X; float v = i; int turns = n * (threadIdx.x >> 5) * 2 / (int)(blockDim.x >> 5); ONCE for (int j = 0; j < turns; j++) ALL for (int s = 0; s < 4; s++) v = v * 1.5f + q; out[i] = v; }
KERNEL uneven_blocks(ARGS) { OUT(float); GLOBAL_X; float v = i; int turns = n * (int)(blockIdx.x % p) * 2 / p; ONCE for (int j = 0; j < turns; j++) ALL for (int s = 0; s < 4; s++) v = v * 1.5f + q; out[i] = v; }
KERNEL last_block(ARGS) { OUT(float); GLOBAL_X; float v = i; int turns = blockIdx.x == gridDim.x - 1 ? n * p : n; ONCE for (int j = 0; j < turns; j++) ALL for (int s = 0; s < 4; s++) v = v * 1.5f + q; out[i] = v; }
KERNEL mandelbrot(ARGS)
{
    OUT(int);
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, k = 0;
    float cx = x * 3.0f / p - 2.0f, cy = y * 2.0f / p - 1.0f, zx = 0, zy = 0;
    while (k < n && zx * zx + zy * zy < 4.0f) {
        float t = zx * zx - zy * zy + cx;
        zy = 2.0f * zx * zy + cy;
        zx = t;
        k++;
    }
    out[y * p + x] = k;
}
// ---- occupancy (dynamic shared memory limits it), latency of memory to hide ----------------------------------------------
KERNEL fma_occupancy(ARGS) { OUT(float); extern __shared__ float s[]; GLOBAL_X; float v = i; s[threadIdx.x] = v; ONCE for (int j = 0; j < n; j++) ALL for (int k = 0; k < 16; k++) v = v * 1.5f + q; out[i] = v + s[threadIdx.x]; }
KERNEL stream_occupancy(ARGS) { IN(float); OUT(float); extern __shared__ float s[]; float v = 0; s[threadIdx.x] = 0; for (GLOBAL_X; i < n; i += GRID_X) v += in[i]; out[blockIdx.x * blockDim.x + threadIdx.x] = v + s[threadIdx.x]; }
KERNEL gather_chain(ARGS) { OUT(int); GLOBAL_X; int at = i & p; ONCE for (int j = 0; j < n; j++) at = index[at] & p; out[i] = at; }
KERNEL gather_wide(ARGS) { OUT(float); IN(float); GLOBAL_X; float v = 0; ONCE for (int j = 0; j < n; j++) ALL for (int k = 0; k < 8; k++) v += in[(i * 8 + k * 4099 + j * 65537) & p]; out[i] = v; }
KERNEL constant_chain(ARGS) { OUT(float); GLOBAL_X; float v = 0; int at = q; ONCE for (int j = 0; j < n; j++) { v += table[at & 4095]; at = at * 5 + p; } out[i] = v; }
KERNEL local_walk(ARGS) { OUT(int); GLOBAL_X; int a[32]; for (int k = 0; k < 32; k++) a[k] = k * p; int at = q; ONCE for (int j = 0; j < n; j++) { at = (a[at & 31] + j); a[j & 31] = at; } out[i] = at; }
KERNEL intensity(ARGS) { IN(float); OUT(float); for (GLOBAL_X; i < n; i += GRID_X) { float v = in[i]; ONCE for (int k = 0; k < p; k++) ALL for (int s = 0; s < 8; s++) v = v * 1.01f + 0.5f; out[i] = v; } }

// ---- whole algorithms ----------------------------------------------------------------------------------------------------
KERNEL reduce_tree(ARGS) // block reductions through shared memory
{
    IN(float); OUT(float);
    __shared__ float s[1024];
    float v = 0;
    for (GLOBAL_X; i < n; i += GRID_X) v += in[i];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int d = blockDim.x / 2; d; d >>= 1) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
KERNEL scan_block(ARGS) // Hillis and Steele, p times
{
    IN(float); OUT(float);
    __shared__ float s[2][1024];
    GLOBAL_X;
    int t = threadIdx.x, now = 0;
    s[0][t] = in[i];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d <<= 1) {
        s[now ^ 1][t] = t >= d ? s[now][t] + s[now][t - d] : s[now][t];
        now ^= 1;
        __syncthreads();
    }
    out[i] = s[now][t];
}
KERNEL sort_block(ARGS) // bitonic, in shared memory
{
    IN(float); OUT(float);
    __shared__ float s[1024];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int size = 2; size <= blockDim.x; size <<= 1)
        for (int d = size / 2; d; d >>= 1) {
            int other = t ^ d;
            if (other > t) {
                float a = s[t], b = s[other];
                if ((a > b) == ((t & size) == 0)) s[t] = b, s[other] = a;
            }
            __syncthreads();
        }
    out[blockIdx.x * blockDim.x + t] = s[t];
}
template <typename real, int TILE> __device__ __forceinline__ void multiply_tile(const real *a, real *c, int n)
{
    __shared__ real left[TILE][TILE], right[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    real sum = 0;
    ONCE for (int k = 0; k < n; k += TILE) {
        left[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = a[(k + threadIdx.y) * n + x];
        __syncthreads();
        ALL for (int j = 0; j < TILE; j++) sum += left[threadIdx.y][j] * right[j][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = sum;
}
KERNEL sgemm_16(ARGS) { multiply_tile<float, 16>((const float *)in_, (float *)out_, n); }
KERNEL sgemm_32(ARGS) { multiply_tile<float, 32>((const float *)in_, (float *)out_, n); }
KERNEL dgemm_16(ARGS) { multiply_tile<double, 16>((const double *)in_, (double *)out_, n); }
KERNEL sgemm_register(ARGS) // 128 x 128 a block of 256 threads, 8 x 8 a thread, 8 deep
{
    IN(float); OUT(float);
    __shared__ float a[8][128], b[8][128];
    int t = threadIdx.x, tx = t & 15, ty = t >> 4;
    float c[8][8] = {};
    const float *from_a = in + (blockIdx.y * 128 + (t >> 1)) * n + (t & 1) * 4;
    const float *from_b = in + (t >> 5) * n + blockIdx.x * 128 + (t & 31) * 4;
    ONCE for (int k = 0; k < n; k += 8) {
        float4 va = *(const float4 *)(from_a + k), vb = *(const float4 *)(from_b + k * n);
        int ka = (t & 1) * 4, ma = t >> 1;
        a[ka][ma] = va.x, a[ka + 1][ma] = va.y, a[ka + 2][ma] = va.z, a[ka + 3][ma] = va.w;
        *(float4 *)&b[t >> 5][(t & 31) * 4] = vb;
        __syncthreads();
        ALL for (int j = 0; j < 8; j++) {
            float ra[8], rb[8];
            ALL for (int s = 0; s < 8; s++) ra[s] = a[j][ty * 8 + s], rb[s] = b[j][tx * 8 + s];
            ALL for (int y = 0; y < 8; y++) ALL for (int x = 0; x < 8; x++) c[y][x] += ra[y] * rb[x];
        }
        __syncthreads();
    }
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x += 4)
            *(float4 *)&out[(blockIdx.y * 128 + ty * 8 + y) * n + blockIdx.x * 128 + tx * 8 + x] = make_float4(c[y][x], c[y][x + 1], c[y][x + 2], c[y][x + 3]);
}
KERNEL hgemm_tensor(ARGS) // 64 x 64 a block of 4 warps; each 16 x 64; operands through shared memory
{
    const u32 *in = (const u32 *)in_;
    OUT(float);
    __shared__ u32 a[64][20], b[64][20]; // pairs of halves: 32 deep, padded
    int t = threadIdx.x, warp = t >> 5, lane = t & 31, g = lane >> 2, l = lane & 3;
    float c[8][4] = {};
    int words = n / 2;
    ONCE for (int k = 0; k < words; k += 16) {
        ALL for (int r = 0; r < 8; r++) {
            int at = t + r * 128, row = at >> 4, column = at & 15;
            a[row][column] = in[(blockIdx.y * 64 + row) * words + k + column];
            b[row][column] = in[(blockIdx.x * 64 + row) * words + k + column];
        }
        __syncthreads();
        ALL for (int h = 0; h < 16; h += 8) {
            u32 a0 = a[warp * 16 + g][h + l], a1 = a[warp * 16 + g + 8][h + l], a2 = a[warp * 16 + g][h + l + 4], a3 = a[warp * 16 + g + 8][h + l + 4];
            ALL for (int w = 0; w < 8; w++) {
                u32 b0 = b[w * 8 + g][h + l], b1 = b[w * 8 + g][h + l + 4];
                asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                             : "+f"(c[w][0]), "+f"(c[w][1]), "+f"(c[w][2]), "+f"(c[w][3])
                             : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
            }
        }
        __syncthreads();
    }
    ALL for (int w = 0; w < 8; w++) {
        float *to = out + (blockIdx.y * 64 + warp * 16 + g) * n + blockIdx.x * 64 + w * 8 + l * 2;
        to[0] = c[w][0], to[1] = c[w][1], to[8 * n] = c[w][2], to[8 * n + 1] = c[w][3];
    }
}
KERNEL nbody(ARGS)
{
    const float4 *in = (const float4 *)in_;
    OUT(float);
    __shared__ float4 s[256];
    GLOBAL_X;
    float4 me = in[i];
    float ax = 0, ay = 0, az = 0;
    ONCE for (int k = 0; k < n; k += 256) {
        s[threadIdx.x] = in[k + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int j = 0; j < 256; j++) {
            float dx = s[j].x - me.x, dy = s[j].y - me.y, dz = s[j].z - me.z;
            float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), f = s[j].w * r * r * r;
            ax += dx * f, ay += dy * f, az += dz * f;
        }
        __syncthreads();
    }
    out[i] = ax + ay + az;
}
KERNEL options(ARGS) // Black and Scholes, p times a thread
{
    IN(float); OUT(float); GLOBAL_X;
    float s = in[i] + 1.0f, sum = 0;
    ONCE for (int j = 0; j < p; j++) {
        float k = in[(i + j) & 0xfffff] + 1.0f, t = 0.5f + j, root = sqrtf(t);
        float d1 = (logf(s / k) + (0.02f + 0.045f) * t) / (0.3f * root), d2 = d1 - 0.3f * root;
        float n1 = 0.5f * erfcf(-d1 * 0.7071067f), n2 = 0.5f * erfcf(-d2 * 0.7071067f);
        sum += s * n1 - k * expf(-0.02f * t) * n2;
    }
    out[i] = sum;
}
KERNEL monte_carlo(ARGS)
{
    OUT(float); GLOBAL_X;
    u32 x = i * 2654435761u + 1;
    int inside = 0;
    ONCE for (int j = 0; j < n; j++) {
        x ^= x << 13, x ^= x >> 17, x ^= x << 5;
        float a = (x & 0xffff) * (1.0f / 65536), b = (x >> 16) * (1.0f / 65536);
        inside += a * a + b * b < 1.0f;
    }
    out[i] = inside;
}
KERNEL hash_rounds(ARGS) // integer mixing as in a cryptographic hash
{
    OUT(u32); GLOBAL_X;
    u32 a = i, b = i * 3 + 1, c = i * 5 + 2, d = i * 7 + 3;
    ONCE for (int j = 0; j < n; j++)
        ALL for (int s = 0; s < 16; s++) {
            u32 f = (b & c) | (~b & d), t = a + f + 0x5a827999u + s * p;
            a = d, d = c, c = b, b = b + (t << (7 + s % 5) | t >> (25 - s % 5));
        }
    out[i] = a ^ b ^ c ^ d;
}
KERNEL convolve(ARGS) // rows, weights in constant memory, p taps
{
    IN(float); OUT(float); GLOBAL_X;
    float sum = 0;
    if (i < n)
        for (int k = 0; k < p; k++) sum += in[i + k] * table[k];
    out[i] = sum;
}
KERNEL convolve_tile(ARGS) // 16 x 16 outputs, 5 x 5 taps
{
    IN(float); OUT(float);
    __shared__ float s[20][21];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    for (int k = threadIdx.y * 16 + threadIdx.x; k < 400; k += 256) s[k / 20][k % 20] = in[(blockIdx.y * 16 + k / 20) * n + blockIdx.x * 16 + k % 20];
    __syncthreads();
    float sum = 0;
    ALL for (int b = 0; b < 5; b++) ALL for (int a = 0; a < 5; a++) sum += s[threadIdx.y + b][threadIdx.x + a] * table[b * 5 + a];
    out[y * n + x] = sum;
}
KERNEL softmax_row(ARGS) // one block a row of n
{
    IN(float); OUT(float);
    __shared__ float s[32];
    const float *row = in + (size_t)blockIdx.x * n;
    float most = -1e30f, sum = 0;
    for (int k = threadIdx.x; k < n; k += blockDim.x) most = fmaxf(most, row[k]);
    ALL for (int d = 16; d; d >>= 1) most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
    if ((threadIdx.x & 31) == 0) s[threadIdx.x >> 5] = most;
    __syncthreads();
    most = s[threadIdx.x & 31 & ((blockDim.x >> 5) - 1)];
    ALL for (int d = 16; d; d >>= 1) most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
    __syncthreads();
    for (int k = threadIdx.x; k < n; k += blockDim.x) sum += __expf(row[k] - most);
    ALL for (int d = 16; d; d >>= 1) sum += __shfl_xor_sync(~0u, sum, d);
    if ((threadIdx.x & 31) == 0) s[threadIdx.x >> 5] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < (int)(blockDim.x >> 5); k++) sum += s[k];
    for (int k = threadIdx.x; k < n; k += blockDim.x) out[(size_t)blockIdx.x * n + k] = __expf(row[k] - most) / sum;
}
KERNEL layer_norm(ARGS) // one warp a row of n
{
    IN(float); OUT(float);
    int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5), lane = threadIdx.x & 31;
    float sum = 0, squares = 0;
    for (int k = lane; k < n; k += 32) { float v = in[row * n + k]; sum += v, squares += v * v; }
    ALL for (int d = 16; d; d >>= 1) sum += __shfl_xor_sync(~0u, sum, d), squares += __shfl_xor_sync(~0u, squares, d);
    float mean = sum / n, scale = rsqrtf(squares / n - mean * mean + 1e-5f);
    for (int k = lane; k < n; k += 32) out[row * n + k] = (in[row * n + k] - mean) * scale;
}
KERNEL attention_row(ARGS) // one warp a query of 64, n keys, running softmax
{
    IN(float); OUT(float);
    int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5), lane = threadIdx.x & 31;
    float q0 = in[row * 64 + lane] * 0.001f, q1 = in[row * 64 + 32 + lane] * 0.001f, most = -1e30f, sum = 0, o0 = 0, o1 = 0;
    ONCE for (int k = 0; k < n; k++) {
        float v = q0 * in[k * 64 + lane] + q1 * in[k * 64 + 32 + lane];
        ALL for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(~0u, v, d);
        float next = fmaxf(most, v), scale = __expf(most - next), w = __expf(v - next);
        sum = sum * scale + w, o0 = o0 * scale + w * in[k * 64 + lane], o1 = o1 * scale + w * in[k * 64 + 32 + lane], most = next;
    }
    out[row * 64 + lane] = o0 / sum, out[row * 64 + 32 + lane] = o1 / sum;
}
KERNEL histogram_shared(ARGS)
{
    OUT(u32);
    __shared__ u32 s[256];
    for (int k = threadIdx.x; k < 256; k += blockDim.x) s[k] = 0;
    __syncthreads();
    for (GLOBAL_X; i < n; i += GRID_X) atomicAdd(&s[index[i] & p], 1u);
    __syncthreads();
    for (int k = threadIdx.x; k < 256; k += blockDim.x) atomicAdd(&out[k], s[k]);
}
KERNEL spmv_warp(ARGS) // one warp a row of p places
{
    IN(float); OUT(float);
    int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5), lane = threadIdx.x & 31;
    float sum = 0;
    for (int k = lane; k < p; k += 32) { int at = row * p + k; sum += in[at] * in[index[at & 0x3fffff] & (n - 1)]; }
    ALL for (int d = 16; d; d >>= 1) sum += __shfl_xor_sync(~0u, sum, d);
    if (lane == 0) out[row] = sum;
}
KERNEL gemv(ARGS) // one block a row
{
    IN(float); OUT(float);
    __shared__ float s[32];
    float sum = 0;
    for (int k = threadIdx.x; k < n; k += blockDim.x) sum += in[blockIdx.x * n + k] * in[k];
    ALL for (int d = 16; d; d >>= 1) sum += __shfl_xor_sync(~0u, sum, d);
    if ((threadIdx.x & 31) == 0) s[threadIdx.x >> 5] = sum;
    __syncthreads();
    if (threadIdx.x == 0) { for (int k = 1; k < (int)(blockDim.x >> 5); k++) sum += s[k]; out[blockIdx.x] = sum; }
}
KERNEL stencil_steps(ARGS) // q steps of a 5-point stencil on a tile kept in shared memory
{
    IN(float); OUT(float);
    __shared__ float s[2][34][33];
    int x = threadIdx.x, y = threadIdx.y, now = 0;
    int at = (blockIdx.y * 32 + y) * n + blockIdx.x * 32 + x;
    s[0][y][x] = s[1][y][x] = in[at];
    __syncthreads();
    ONCE for (int k = 0; k < q; k++) {
        if (x > 0 && x < 31 && y > 0 && y < 31) s[now ^ 1][y][x] = 0.2f * (s[now][y][x] + s[now][y - 1][x] + s[now][y + 1][x] + s[now][y][x - 1] + s[now][y][x + 1]);
        now ^= 1;
        __syncthreads();
    }
    out[at] = s[now][y][x];
}
KERNEL edit_distance(ARGS) // a wave along diagonals, one block a pair of texts of blockDim.x
{
    OUT(int);
    __shared__ int cost[3][1025];
    __shared__ int a[1024], b[1024];
    int t = threadIdx.x, m = blockDim.x;
    a[t] = index[blockIdx.x * m + t] & 3, b[t] = index[(blockIdx.x + gridDim.x) * m + t] & 3;
    for (int k = t; k < 3075; k += m) (&cost[0][0])[k] = k % 1025;
    __syncthreads();
    ONCE for (int d = 0; d < 2 * m - 1; d++) {
        int j = d - t;
        if (j >= 0 && j < m) {
            int up = cost[(d + 2) % 3][t + 1] + 1, left = cost[(d + 2) % 3][t] + 1, both = cost[(d + 1) % 3][t] + (a[t] != b[j]);
            cost[d % 3][t + 1] = min(min(up, left), both);
        }
        __syncthreads();
    }
    out[blockIdx.x * m + t] = cost[0][t + 1];
}
KERNEL fourier(ARGS) // radix 2, n = 2 * blockDim.x points in shared memory
{
    const float2 *in = (const float2 *)in_;
    float2 *out = (float2 *)out_;
    __shared__ float2 s[1024];
    int t = threadIdx.x, points = 2 * blockDim.x;
    s[t] = in[blockIdx.x * points + t], s[t + blockDim.x] = in[blockIdx.x * points + t + blockDim.x];
    __syncthreads();
    ONCE for (int half = 1; half < points; half <<= 1) {
        int k = t & (half - 1), at = 2 * t - k;
        float sine, cosine;
        __sincosf(-3.14159265f * k / half, &sine, &cosine);
        float2 a = s[at], b = s[at + half];
        float2 r = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
        __syncthreads();
        s[at] = make_float2(a.x + r.x, a.y + r.y), s[at + half] = make_float2(a.x - r.x, a.y - r.y);
        __syncthreads();
    }
    out[blockIdx.x * points + t] = s[t], out[blockIdx.x * points + t + blockDim.x] = s[t + blockDim.x];
}
KERNEL nearest(ARGS) // n centres in 8 dimensions
{
    IN(float); OUT(int); GLOBAL_X;
    float me[8], best = 1e30f;
    int which = 0;
    ALL for (int d = 0; d < 8; d++) me[d] = in[i + d * GRID_X];
    ONCE for (int k = 0; k < n; k++) {
        float sum = 0;
        ALL for (int d = 0; d < 8; d++) { float e = me[d] - table[(k * 8 + d) & 4095]; sum += e * e; }
        if (sum < best) best = sum, which = k;
    }
    out[i] = which;
}
KERNEL transpose_padded(ARGS)
{
    IN(float); OUT(float);
    __shared__ float s[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    ALL for (int k = 0; k < 32; k += 8) s[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    ALL for (int k = 0; k < 32; k += 8) out[(y + k) * n + x] = s[threadIdx.x][threadIdx.y + k];
}
