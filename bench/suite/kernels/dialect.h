// SPDX-License-Identifier: Apache-2.0
// The suite's kernels are CUDA, written so that they are OpenCL C, too: pointers have GLOBAL or LOCAL, which
// CUDA does not need, and here CUDA's names become OpenCL's. What OpenCL 1.2 lacks (shuffles, ballots) goes
// through local memory there, as a programmer would write it.
#ifdef __OPENCL_VERSION__
#define KERNEL           __kernel void
#define DEVICE           inline static
#define GLOBAL           __global
#define LOCAL            __local
#define __shared__       __local
#define __syncthreads()  barrier(CLK_LOCAL_MEM_FENCE)
#define threadIdx        ((uint3)(get_local_id(0), get_local_id(1), get_local_id(2)))
#define blockIdx         ((uint3)(get_group_id(0), get_group_id(1), get_group_id(2)))
#define blockDim         ((uint3)(get_local_size(0), get_local_size(1), get_local_size(2)))
#define gridDim          ((uint3)(get_num_groups(0), get_num_groups(1), get_num_groups(2)))
#define atomicAdd        atomic_add
#define fmaf             fma
#define sqrtf            sqrt
#define rsqrtf           rsqrt
#define expf             exp
#define logf             log
#define tanhf            tanh
#define fabsf            fabs
#define floorf           floor
#define fminf            fmin
#define fmaxf            fmax
#define __umulhi         mul_hi
#define make_float4(...) ((float4)(__VA_ARGS__))
#define make_uint4(...)  ((uint4)(__VA_ARGS__))
#define make_float2(...) ((float2)(__VA_ARGS__))

// A value of each of 256 threads, for functions on warps.
#define WARP_SCRATCH __local float warp_scratch[256]
#define warp_sum(v)  warp_sum_in(v, warp_scratch)
DEVICE float warp_sum_in(float v, LOCAL float *s)
{
    int t = threadIdx.x;
    for (int k = 16; k > 0; k >>= 1) {
        s[t] = v;
        __syncthreads();
        v += s[t ^ k];
        __syncthreads();
    }
    return v;
}
#else
#define KERNEL extern "C" __global__ void
#define DEVICE static __device__
#define GLOBAL
#define LOCAL

#define WARP_SCRATCH
DEVICE float warp_sum(float v)
{
    for (int k = 16; k > 0; k >>= 1)
        v += __shfl_xor_sync(0xffffffff, v, k);
    return v;
}
#endif
