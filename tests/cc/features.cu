// SPDX-License-Identifier: Apache-2.0
// Everything that the device headers promise, once each: compiled for an old and a new target by tests/cli.
#include <cassert>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <math_constants.h>

#include <algorithm>
#include <cstdio>

namespace cg = cooperative_groups;

__constant__ float table[16];
__device__ int counter;

template <typename T> __device__ T twice(T v)
{
    return v + v;
}

struct point {
    float x, y;
    __host__ __device__ point(float a, float b) : x(a), y(b) {}
    __host__ __device__ float length() const
    {
        return sqrtf(x * x + y * y);
    }
};

__global__ void __launch_bounds__(256, 2) mathematics(float *f, double *d, int *i)
{
    extern __shared__ float dynamic[];
    __shared__ float fixed[256];
    int t = threadIdx.x;
    fixed[t] = f[t];
    dynamic[t] = d[t];
    __syncthreads();
    float x = fixed[t ^ 1], y = 0;
    y += sinf(x) + cosf(x) + tanf(x) + expf(x) + logf(x) + powf(x, 2.5f) + sqrtf(x) + rsqrtf(x) + cbrtf(x);
    y +=
        asinf(x) + acosf(x) + atanf(x) + atan2f(x, y) + sinhf(x) + coshf(x) + tanhf(x) + exp2f(x) + exp10f(x);
    y += log2f(x) + log10f(x) + log1pf(x) + expm1f(x) + erff(x) + erfcf(x) + tgammaf(x) + lgammaf(x) +
         fmodf(x, 3);
    y += floorf(x) + ceilf(x) + truncf(x) + rintf(x) + roundf(x) + fabsf(x) + copysignf(x, y) + fmaf(x, y, x);
    y += hypotf(x, y) + fminf(x, y) + fmaxf(x, y) + fdimf(x, y) + ldexpf(x, 3) + remainderf(x, y) +
         sinpif(x) + normcdff(x);
    y += __sinf(x) + __cosf(x) + __expf(x) + __logf(x) + __powf(x, y) + __fdividef(x, y) + __frcp_rn(x) +
         __fmaf_rn(x, y, x);
    y += __fadd_rz(x, y) + __fmul_ru(x, y) + __fsqrt_rn(x) + __saturatef(x) + __int_as_float(t) +
         std::sin(x) + std::pow(x, y);
    y += sin(x) + exp(x) + fabs(x) + abs(x) + max(x, y) + min(x, 1.0f) + twice(x) + point(x, y).length() +
         CUDART_PI_F;
    double z = dynamic[t];
    z += sin(z) + cos(z) + tan(z) + exp(z) + log(z) + pow(z, 1.5) + sqrt(z) + rsqrt(z) + cbrt(z) + erf(z) +
         erfc(z);
    z += asin(z) + acos(z) + atan(z) + atan2(z, 2.0) + sinh(z) + cosh(z) + tanh(z) + exp2(z) + log2(z) +
         log10(z) + log1p(z);
    z += floor(z) + ceil(z) + rint(z) + round(z) + trunc(z) + fmod(z, 3.0) + hypot(z, 2.0) + fma(z, z, z) +
         tgamma(z) + lgamma(z);
    z += max(z, 1.0) + min(z, 2.0) + __dadd_rn(z, z) + __fma_rn(z, z, z) + __longlong_as_double(t);
    int n = i[t];
    n += __popc(n) + __clz(n) + __ffs(n) + __brev(n) + __mul24(n, 3) + __byte_perm(n, t, 0x5140) +
         __umulhi(n, t) + __mulhi(n, t);
    n += __popcll(n) + __clzll(n) + min(n, t) + max(n, t) + min(3u, (unsigned)n) + abs(n) + __sad(n, t, 1u) +
         __funnelshift_l(n, t, 3);
    n += __float2int_rn(x) + __double2int_rz(z) + __float_as_int(x) + (isnan(x) ? 1 : 0) +
         (isinf(z) ? 1 : 0) + isfinite(x) + signbit(x);
    n += warpSize + __vadd4(n, t) + __usad(1u, 2u, 3u) + __hadd(n, t) + __ldg(i + t) + (int)__ldg(f + t) +
         (int)table[t & 15];
    f[t] = y;
    d[t] = z;
    i[t] = n;
}

__global__ void atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d)
{
    int t = threadIdx.x;
    atomicAdd(i, 1);
    atomicAdd(u, 1u);
    atomicAdd(l, 1ull);
    atomicAdd(f, 1.0f);
    atomicSub(i, 1);
    atomicExch(i, 3);
    atomicExch(f, 3.0f);
    atomicMin(i, t);
    atomicMax(u, 7u);
    atomicMax(l, 7ull);
    atomicInc(u, 100u);
    atomicDec(u, 100u);
    atomicCAS(i, 3, 4);
    atomicCAS(l, 3ull, 4ull);
    atomicAnd(i, 0xff);
    atomicOr(u, 1u);
    atomicXor(l, 1ull);
    atomicAdd(&counter, 1);
#if __CUDA_ARCH__ >= 600
    atomicAdd(d, 1.0);
    atomicAdd_block(i, 1);
    atomicAdd_system(i, 1);
#endif
    __threadfence();
    __threadfence_block();
    __threadfence_system();
    f[t] = __ldcs(f + t) + __ldcg(f + t + 1) + __ldca(f + t + 2);
    __stcs(f + t, 1.0f);
    float4 v = __ldcg((const float4 *)f);
    __stwt((float4 *)f, make_float4(v.w, v.z, v.y, v.x));
    if (clock() == 0 || clock64() == 0) printf("block %d thread %d %f\n", blockIdx.x, t, f[0]);
    assert(t < 1024);
}

__global__ void warps(int *i, float *f, double *d)
{
    int t = threadIdx.x, n = i[t];
    n += __shfl_sync(0xffffffff, n, 0) + __shfl_up_sync(0xffffffff, n, 1) + __shfl_down_sync(~0u, n, 2) +
         __shfl_xor_sync(~0u, n, 16);
    f[t] = __shfl_xor_sync(~0u, f[t], 1) + __shfl_sync(~0u, f[t], 3, 8);
    d[t] = __shfl_down_sync(~0u, d[t], 1);
    n += __ballot_sync(~0u, n > 3) + __any_sync(~0u, n) + __all_sync(~0u, n) + __activemask();
    n += __syncthreads_count(n > 0) + __syncthreads_and(n) + __syncthreads_or(n);
    __syncwarp();
#if __CUDA_ARCH__ >= 700
    int equal;
    n += __match_any_sync(~0u, n) + __match_all_sync(~0u, n, &equal) + equal;
    __nanosleep(10);
#endif
#if __CUDA_ARCH__ >= 800
    n += __reduce_add_sync(~0u, n) + __reduce_max_sync(~0u, n);
#endif
#if __CUDA_ARCH__ >= 610
    n += __dp4a(n, t, 3) + __dp4a((unsigned)n, 2u, 3u);
#endif
    i[t] = n;
}

__global__ void groups(int *i)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    auto warp = cg::tiled_partition<32>(block);
    int n = i[block.thread_rank()];
    n += cg::reduce(tile, n, cg::plus<int>()) + warp.shfl_down(n, 1) + tile.any(n) + (int)tile.ballot(n);
    n += cg::inclusive_scan(warp, n);
    if (n & 1) {
        cg::coalesced_group some = cg::coalesced_threads();
        n += (int)some.size() + some.shfl(n, 0) + cg::reduce(some, n, cg::greater<int>());
    }
    cg::thread_group any = cg::tiled_partition(block, 4);
    cg::thread_block_tile<16> sixteen = cg::tiled_partition<16>(block);
    n += (int)sixteen.meta_group_rank();
    any.sync();
    block.sync();
    if (cg::this_grid().is_valid()) cg::this_grid().sync();
    i[block.thread_rank()] = n;
}

__global__ void halves(__half *h, __half2 *h2, __nv_bfloat16 *b)
{
    int t = threadIdx.x;
    __half x = h[t], y = __float2half(1.5f);
    x = __hadd(x, y) * y + __hfma(x, y, x);
    if (__hgt(x, y) || x == y) x = hexp(x) + hsqrt(x);
    h[t] = __float2half(__half2float(x));
    h2[t] = __hfma2(h2[t], __half2half2(x), __float2half2_rn(2.0f)) + __hmul2(h2[t], h2[t]);
    b[t] = b[t] * __float2bfloat16(3.0f) + b[t];
    h[t] = __shfl_xor_sync(~0u, x, 1);
}

__global__ void heap(int **out)
{
    int *p = new int[4];
    p[0] = (int)threadIdx.x;
    out[threadIdx.x] = p;
    int *q = (int *)malloc(16);
    free(q);
    delete[] p;
}

__host__ __device__ int clamped(int v)
{
    return std::min(std::max(v, 0), 10) + max(v, 3) + min(v, 4);
}

int main()
{
    float values[16] = {};
    float *f = nullptr;
    double *d = nullptr;
    int *i = nullptr, *copy = nullptr;
    cudaMalloc(&f, 4096);
    cudaMalloc(&d, 8192);
    cudaMalloc((void **)&i, 4096);
    cudaMallocManaged(&copy, 4096);
    cudaMemcpyToSymbol(table, values, sizeof values);
    cudaMemcpyFromSymbol(values, counter, sizeof(int));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    mathematics<<<dim3(1, 1), dim3(256), 256 * sizeof(float), stream>>>(f, d, i);
    int blocks = 0, size = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, mathematics, 256, 0);
    cudaOccupancyMaxPotentialBlockSize(&blocks, &size, warps);
    void *arguments[] = {&i};
    cudaLaunchKernel(groups, dim3(1), dim3(64), arguments);
    auto lambda = [=] __device__(int v) { return v * 2; };
    (void)lambda;
    printf("%d %s %f\n", clamped(3), cudaGetErrorString(cudaDeviceSynchronize()), rsqrtf(4.0f));
    return 0;
}
