// SPDX-License-Identifier: Apache-2.0
// What the device headers promise beyond mathematics, run and compared with values worked out by hand or on
// the host.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

// Each thread counts what it finds wrong; the line of the first one is kept.
__device__ int wrong, first_line;
#define EXPECT(condition)                                                                                    \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            atomicAdd(&wrong, 1);                                                                            \
            atomicCAS(&first_line, 0, __LINE__);                                                             \
        }                                                                                                    \
    } while (0)

__global__ void integers()
{
    int t = threadIdx.x;
    EXPECT(__popc(0xf0f0u) == 8 && __popcll(~0ull) == 64 && __clz(1) == 31 && __clz(0) == 32 &&
           __clzll(1) == 63);
    EXPECT(__ffs(0) == 0 && __ffs(8) == 4 && __ffsll(1ll << 40) == 41 && __brev(1u) == 0x80000000u);
    EXPECT(__brevll(1ull) == 1ull << 63 && __byte_perm(0x33221100, 0x77665544, 0x5410) == 0x55441100u);
    EXPECT(__mulhi(1 << 30, 8) == 2 && __umulhi(~0u, 2u) == 1u && __mul64hi(1ll << 62, 8) == 2 &&
           __umul64hi(~0ull, 2) == 1);
    EXPECT(__mul24(-3, 5) == -15 && __umul24(3u, 5u) == 15u && __sad(3, -4, 10u) == 17u &&
           __usad(3u, 9u, 1u) == 7u);
    EXPECT(__hadd(-3, 4) == 0 && __rhadd(3, 4) == 4 && __uhadd(~0u, 1u) == 0x80000000u &&
           __urhadd(2u, 3u) == 3u);
    EXPECT(__funnelshift_l(0x80000000u, 1u, 1) == 3u && __funnelshift_r(2u, 1u, 1) == 0x80000001u);
    EXPECT(min(-1, 1) == -1 && max(-1, 1) == 1 && min(1u, 2u) == 1u && max(-1ll, 1ll) == 1 &&
           min(1.5f, 2.0f) == 1.5f);
    EXPECT(max(1.5, 2.5) == 2.5 && abs(-5) == 5 && llabs(-5ll) == 5);
    EXPECT(__float2int_rn(2.5f) == 2 && __float2int_ru(2.1f) == 3 && __float2int_rz(-2.9f) == -2 &&
           __double2int_rd(-2.1) == -3);
    EXPECT(__float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2.0f &&
           __double_as_longlong(1.0) == 0x3ff0000000000000ll);
    EXPECT(__double2hiint(1.0) == 0x3ff00000 && __hiloint2double(0x3ff00000, 0) == 1.0 &&
           __ll2float_rn(1ll << 40) == 0x1p40f);
    EXPECT(__fadd_ru(1.0f, 0x1p-30f) == 1.0f + 0x1p-23f && __fadd_rz(1.0f, 0x1p-30f) == 1.0f &&
           __fmul_rd(3.0f, 1.0f / 3) <= 1.0f);
    EXPECT(__fmaf_rn(2.0f, 3.0f, 4.0f) == 10.0f && __fma_rn(2.0, 3.0, 4.0) == 10.0 &&
           __frcp_rn(4.0f) == 0.25f && __fsqrt_rn(9.0f) == 3.0f);
    EXPECT(__saturatef(1.5f) == 1.0f && __fdividef(6.0f, 3.0f) == 2.0f && __dsqrt_rn(16.0) == 4.0 &&
           __drcp_rn(2.0) == 0.5 && __frsqrt_rn(4.0f) == 0.5f);
    EXPECT(__vadd4(0x01020304, 0x01010101) == 0x02030405u &&
           __vabsdiffu4(0x05050505, 0x03030303) == 0x02020202u);
#if __CUDA_ARCH__ >= 610
    EXPECT(__dp4a(0x01020304, 0x01010101, 5) == 15 && __dp4a(0xff000000u, 0x02000000u, 0u) == 510u);
#endif
    EXPECT(isnan(nanf("")) && isinf(1.0f / 0.0f * 1.0f) && signbit(-0.0f) && isfinite((float)t) &&
           warpSize == 32);
}

// C's functions by their plain names on float.
__global__ void overloads()
{
    EXPECT(cbrt(8.0f) == 2.0f && round(2.5f) == 3.0f && trunc(-2.5f) == -2.0f && rint(2.5f) == 2.0f &&
           nearbyint(3.5f) == 4.0f);
    EXPECT(exp2(3.0f) == 8.0f && log2(8.0f) == 3.0f && fmax(1.0f, 2.0f) == 2.0f && fmin(1.0f, 2.0f) == 1.0f &&
           fma(2.0f, 3.0f, 1.0f) == 7.0f);
    EXPECT(hypot(3.0f, 4.0f) == 5.0f && fdim(3.0f, 1.0f) == 2.0f && copysign(1.0f, -2.0f) == -1.0f &&
           remainder(5.0f, 3.0f) == -1.0f);
    EXPECT(lround(2.5f) == 3 && llrint(2.5f) == 2 && ilogb(8.0f) == 3 && logb(8.0f) == 3.0f &&
           scalbn(1.0f, 4) == 16.0f);
    EXPECT(erf(0.0f) == 0.0f && tgamma(5.0f) == 24.0f && expm1(0.0f) == 0.0f && log1p(0.0f) == 0.0f &&
           isnan(nan("")));
    EXPECT(std::sqrt(9.0f) == 3.0f && std::abs(-2.0f) == 2.0f && std::floor(1.5f) == 1.0f &&
           pow(2.0f, 3) == 8.0f);
}

__global__ void shuffles()
{
    int t = threadIdx.x;
    unsigned all = 0xffffffffu;
    EXPECT(__shfl_sync(all, t, 5) == 5 && __shfl_up_sync(all, t, 2) == (t < 2 ? t : t - 2));
    EXPECT(__shfl_down_sync(all, t, 3) == (t + 3 < 32 ? t + 3 : t) && __shfl_xor_sync(all, t, 1) == (t ^ 1));
    EXPECT(__shfl_sync(all, (double)t * 0.5, 8) == 4.0 &&
           __shfl_sync(all, (long long)t << 40, 3) == 3ll << 40);
    EXPECT(__shfl_sync(all, t, 1, 8) == (t & ~7) + 1 &&
           __shfl_down_sync(all, (float)t, 4, 16) == (float)((t & 15) + 4 < 16 ? t + 4 : t));
    EXPECT(__ballot_sync(all, t & 1) == 0xaaaaaaaau && __any_sync(all, t == 31) && !__all_sync(all, t != 31));
    if (t < 16) EXPECT(__activemask() == 0xffffu);
    __syncwarp();
#if __CUDA_ARCH__ >= 700
    int equal = 9;
    EXPECT(__match_any_sync(all, t / 4) == 0xfu << (t & ~3) && __match_all_sync(all, 7, &equal) == all &&
           equal == 1);
    EXPECT(__match_all_sync(all, t, &equal) == 0 && equal == 0);
#endif
#if __CUDA_ARCH__ >= 800
    EXPECT(__reduce_add_sync(all, (unsigned)t) == 496u && __reduce_max_sync(all, t) == 31 &&
           __reduce_min_sync(all, t - 5) == -5);
    EXPECT(__reduce_and_sync(all, ~0u) == ~0u && __reduce_or_sync(all, 1u << t) == ~0u &&
           __reduce_xor_sync(all, 1u << t) == ~0u);
#endif
}

__global__ void barriers()
{
    int t = threadIdx.x;
    EXPECT(__syncthreads_count(t < 40) == 40 && __syncthreads_or(t == 90) && !__syncthreads_and(t != 90));
    __shared__ int turn[128];
    turn[t] = t;
    __syncthreads();
    EXPECT(turn[127 - t] == 127 - t);
}

__device__ int ints[16];
__device__ unsigned words[16];
__device__ unsigned long long longs[16];
__device__ float floats[4];
__device__ double doubles[4];
__device__ __half2 halves[2];

__global__ void atomics() // one block of 64
{
    int t = threadIdx.x;
    atomicAdd(&ints[0], t);
    atomicSub(&ints[1], 1);
    atomicMin(&ints[2], -t);
    atomicMax(&ints[3], t);
    atomicAnd(&words[0], ~(1u << (t & 31)));
    atomicOr(&words[1], 1u << (t & 31));
    atomicXor(&words[2], 1u << (t & 31));
    atomicInc(&words[3], 9u);
    atomicDec(&words[4], 9u);
    atomicAdd(&longs[0], 1ull << 33);
    atomicMax(&longs[1], 1ull << t);
    atomicAdd(&floats[0], 0.5f);
#if __CUDA_ARCH__ >= 600
    atomicAdd(&doubles[0], 0.25);
    atomicAdd_block(&ints[4], 1);
    atomicAdd_system(&ints[5], 2);
    atomicAdd(&halves[0], __floats2half2_rn(1.0f, 2.0f));
#endif
    for (int old = ints[6], seen;; old = seen) { // add by compare and swap
        seen = atomicCAS(&ints[6], old, old + 3);
        if (seen == old) break;
    }
    __syncthreads();
    EXPECT(ints[0] == 2016 && ints[1] == -64 && ints[2] == -63 && ints[3] == 63 && ints[6] == 192);
    EXPECT(words[0] == 0 && words[1] == ~0u && words[2] == 0 && words[3] == 4 && words[4] == 6);
    EXPECT(longs[0] == 64ull << 33 && longs[1] == 1ull << 63 && floats[0] == 32.0f);
#if __CUDA_ARCH__ >= 600
    EXPECT(doubles[0] == 16.0 && ints[4] == 64 && ints[5] == 128);
    EXPECT(__low2float(halves[0]) == 64.0f && __high2float(halves[0]) == 128.0f);
#endif
}

__global__ void memory(const float4 *in, float4 *out)
{
    int t = threadIdx.x;
    float4 a = __ldg(in + t), b = __ldcg(in + t), c = __ldcs(in + t), d = __ldca(in + t);
    __stcs(out + t, make_float4(a.x + b.x, a.y + c.y, a.z + d.z, a.w));
    __threadfence();
    EXPECT(out[t].x == 2 * in[t].x && __isGlobal(in) && !__isShared(in));
    __shared__ int s[1];
    EXPECT(__isShared(s) && __cvta_shared_to_generic(__cvta_generic_to_shared(s)) == (void *)s);
}

__global__ void groups() // one block of 96
{
    cg::thread_block block = cg::this_thread_block();
    int t = (int)block.thread_rank();
    EXPECT(block.size() == 96 && t == (int)threadIdx.x);
    cg::thread_block_tile<8> eight = cg::tiled_partition<8>(block);
    EXPECT(eight.size() == 8 && (int)eight.thread_rank() == t % 8 && (int)eight.meta_group_rank() == t / 8);
    EXPECT(cg::reduce(eight, t, cg::plus<int>()) == (t / 8 * 8) * 8 + 28 &&
           cg::reduce(eight, t, cg::greater<int>()) == t / 8 * 8 + 7);
    EXPECT(eight.shfl(t, 2) == t / 8 * 8 + 2 && eight.ballot(t & 1) == 0xaau &&
           eight.any(t == 17) == (t / 8 == 2));
    EXPECT(cg::inclusive_scan(eight, 1) == t % 8 + 1 && cg::exclusive_scan(eight, 2) == 2 * (t % 8));
    struct wide {
        double a;
        int b;
    } w = {t * 0.5, t};
    wide from = eight.shfl(w, 3);
    EXPECT(from.a == (t / 8 * 8 + 3) * 0.5 && from.b == t / 8 * 8 + 3);
    if (t % 3 == 0) {
        cg::coalesced_group some = cg::coalesced_threads();
        int lane = t % 32, first = (3 - t / 32 * 32 % 3) % 3;
        EXPECT((int)some.thread_rank() == (lane - first) / 3 && some.shfl(t, 1) == t / 32 * 32 + first + 3);
        EXPECT(cg::reduce(some, 1, cg::plus<int>()) == (int)some.size());
    }
    cg::thread_group four = cg::tiled_partition(block, 4);
    EXPECT(four.size() == 4 && (int)four.thread_rank() == t % 4);
    four.sync();
    block.sync();
}

__global__ void large_tiles() // one block of 256
{
    __shared__ cg::block_tile_memory<256> memory;
    cg::thread_block block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<128>(block);
    int t = (int)threadIdx.x, base = t / 128 * 128;
    EXPECT(tile.size() == 128 && (int)tile.thread_rank() == t % 128 &&
           (int)tile.meta_group_rank() == t / 128);
    EXPECT(cg::reduce(tile, t, cg::plus<int>()) == 128 * base + 127 * 64 &&
           cg::reduce(tile, t, cg::greater<int>()) == base + 127);
}

__global__ void small_floats()
{
    __half a = __float2half(1.5f), b = __half(0.25f);
    EXPECT(__half2float(a + b) == 1.75f && (float)(a * b) == 0.375f && (float)__hfma(a, b, a) == 1.875f &&
           (float)(a / b) == 6.0f);
    EXPECT(__hgt(a, b) && a != b && (int)a == 1 && __half_as_ushort(__float2half(1.0f)) == 0x3c00 &&
           (float)hsqrt(__half(9.0f)) == 3.0f);
    EXPECT((float)__float2half(65520.0f) == INFINITY && (float)__float2half_rz(1.0009f) == 1.0f &&
           __half2int_rn(__half(2.5f)) == 2);
    __half2 v = __floats2half2_rn(1.0f, 2.0f), w = __hfma2(v, v, __float2half2_rn(0.5f));
    EXPECT(__low2float(w) == 1.5f && __high2float(w) == 4.5f && __low2float(__lowhigh2highlow(w)) == 4.5f);
    __nv_bfloat16 c = __float2bfloat16(1.00390625f), d = __nv_bfloat16(3.0f);
    EXPECT((float)c == 1.0f && (float)(d * d) == 9.0f && (float)__hfma(d, d, d) == 12.0f &&
           __bfloat16_as_ushort(d) == 0x4040);
}

#define RUN(kernel, threads, ...)                                                                            \
    do {                                                                                                     \
        kernel<<<1, threads>>>(__VA_ARGS__);                                                                 \
        cudaError_t status = cudaGetLastError();                                                             \
        if (status == cudaSuccess) status = cudaDeviceSynchronize();                                         \
        int found[2] = {0, 0}, none[2] = {0, 0};                                                             \
        if (status == cudaSuccess) status = cudaMemcpyFromSymbol(&found[0], wrong, sizeof(int));             \
        if (status == cudaSuccess) status = cudaMemcpyFromSymbol(&found[1], first_line, sizeof(int));        \
        if (status != cudaSuccess) std::printf("%s: %s\n", #kernel, cudaGetErrorString(status));             \
        if (found[0]) std::printf("%s: %d wrong, the first in line %d\n", #kernel, found[0], found[1]);      \
        bad += status != cudaSuccess || found[0];                                                            \
        cudaMemcpyToSymbol(wrong, &none[0], sizeof(int));                                                    \
        cudaMemcpyToSymbol(first_line, &none[1], sizeof(int));                                               \
    } while (0)

int main()
{
    int bad = 0;
    float4 *in, *out, values[32];
    for (int i = 0; i < 32; i++)
        values[i] = make_float4(i, i + 0.5f, -i, 1);
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&out, sizeof values);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    RUN(integers, 32);
    RUN(overloads, 32);
    RUN(shuffles, 32);
    RUN(barriers, 128);
    RUN(atomics, 64);
    RUN(memory, 32, in, out);
    RUN(groups, 96);
    RUN(large_tiles, 256);
    RUN(small_floats, 32);
    std::printf("%s\n", bad ? "FAILED" : "PASSED");
    return bad != 0;
}
