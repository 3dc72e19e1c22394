// SPDX-License-Identifier: Apache-2.0
// Kernels whose loads say how long lines should stay in L1 or L2, recorded on real GPUs for the model of caches: hints.def has the
// launches. Arguments as in memory.cu. hints.ptx beside this file is this file compiled by nvcc (see record.sh).
typedef unsigned int u32;
typedef unsigned long long u64;
#define KERNEL extern "C" __global__ void
#define ARGS const float *__restrict__ in, float *out, const int *__restrict__ index, int n, int p, int q

__constant__ float table[256];

#define LOADER(name, op)                                                                  \
    __device__ __forceinline__ float name(const float *a)                                 \
    {                                                                                     \
        float v;                                                                          \
        asm volatile("ld.global." op ".f32 %0, [%1];" : "=f"(v) : "l"(a) : "memory");     \
        return v;                                                                         \
    }
LOADER(load_plain, "ca")
LOADER(load_streaming, "cs")
LOADER(load_first, "L1::evict_first")
LOADER(load_last, "L1::evict_last")
LOADER(load_unchanged, "L1::evict_unchanged")
LOADER(load_none, "L1::no_allocate")
__device__ __forceinline__ float load_by(const float *a, int op)
{
    switch (op) {
    case 0: return load_plain(a);
    case 1: return load_streaming(a);
    case 2: return load_first(a);
    case 3: return load_last(a);
    case 4: return load_unchanged(a);
    default: return load_none(a);
    }
}

// Each block reads n words of its own by operator p % 8, then q others by operator p / 8, then the first n again by .ca: those that L1
// still has tell whose lines went.
KERNEL l1_priority(ARGS)
{
    const float *own = in + (size_t)blockIdx.x * (n + q), *others = own + n;
    float v = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) v += load_by(own + i, p % 8);
    __syncthreads();
    for (int i = threadIdx.x; i < q; i += blockDim.x) v += load_by(others + i, p / 8);
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) v += load_plain(own + i);
    if (v < 0.0f) out[0] = v;
}

__device__ __forceinline__ float load_policy(const float *a, u64 policy)
{
    float v;
    asm volatile("ld.global.cg.L2::cache_hint.f32 %0, [%1], %2;" : "=f"(v) : "l"(a), "l"(policy) : "memory");
    return v;
}
LOADER(load_l2, "cg")

// All blocks together read n words, then q others, then the first n again. Each kernel has one policy for each of both.
#define NONE(policy) (policy) = 0
#define FRACTIONAL(policy, priority, fraction) asm volatile("createpolicy.fractional." priority ".b64 %0, " fraction ";" : "=l"(policy))
#define L2_KERNEL(name, load_own, make_own, load_other, make_other)                                  \
    KERNEL name(ARGS)                                                                                \
    {                                                                                                \
        const float *others = in + n;                                                                \
        int i0 = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;                \
        u64 own_policy, other_policy;                                                                \
        make_own;                                                                                    \
        make_other;                                                                                  \
        float v = 0;                                                                                 \
        for (int i = i0; i < n; i += all) v += load_own;                                             \
        for (int i = i0; i < q; i += all) v += load_other;                                           \
        for (int i = i0; i < n; i += all) v += load_own;                                             \
        if (v < 0.0f) out[0] = v + (float)(own_policy + other_policy);                               \
    }
#define OWN   load_policy(in + i, own_policy)
#define OTHER load_l2(others + i)
L2_KERNEL(l2_plain, load_l2(in + i), NONE(own_policy), OTHER, NONE(other_policy))
L2_KERNEL(l2_last, OWN, FRACTIONAL(own_policy, "L2::evict_last", "1.0"), OTHER, NONE(other_policy))
L2_KERNEL(l2_half, OWN, FRACTIONAL(own_policy, "L2::evict_last", "0.5"), OTHER, NONE(other_policy))
L2_KERNEL(l2_normal, OWN, FRACTIONAL(own_policy, "L2::evict_normal", "1.0"), OTHER, NONE(other_policy))
L2_KERNEL(l2_first, load_l2(in + i), NONE(own_policy), load_policy(others + i, other_policy),
          FRACTIONAL(other_policy, "L2::evict_first", "1.0"))
// the first 8 MiB of 16 stay, the rest of these goes first
L2_KERNEL(l2_range, OWN,
          asm volatile("createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %0, [%1], 8388608, 16777216;" : "=l"(own_policy) : "l"(in)),
          OTHER, NONE(other_policy))
L2_KERNEL(l2_property, OWN, asm volatile("mov.u64 %0, 0x14f0000000000000;" : "=l"(own_policy)), OTHER, NONE(other_policy))
L2_KERNEL(l2_property_half, OWN, asm volatile("mov.u64 %0, 0x1470000000000000;" : "=l"(own_policy)), OTHER, NONE(other_policy))
