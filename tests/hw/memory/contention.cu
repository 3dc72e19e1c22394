// SPDX-License-Identifier: Apache-2.0
// Kernels in which warps get into each other's way beyond L1, recorded on real GPUs for the model of time: contention.def has the
// launches. Arguments as in memory.cu. contention.ptx beside this file is this file compiled by nvcc (see record.sh).
typedef unsigned int u32;
#define KERNEL extern "C" __global__ void
#define ARGS const float *__restrict__ in, float *out, const int *__restrict__ index, int n, int p, int q
#define GLOBAL_X int i = blockIdx.x * blockDim.x + threadIdx.x
#define ONCE _Pragma("unroll 1")

__constant__ float table[16384];

__device__ __forceinline__ u32 mixed(u32 x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}
// The same steps by all warps, p words apart; each begins q dependent steps after the warp before it in its block.
KERNEL constants_late(ARGS)
{
    GLOBAL_X;
    float v = 0, late = (float)i;
    ONCE for (int k = threadIdx.x / 32 * q; k > 0; k--) late = late * 0.5f + 1;
    ONCE for (int j = 0; j < n; j++) v += table[j * p & 16383];
    out[i] = v + late;
}
// Each warp has a place of its own, q words from that of the warp before it, and walks p words a step.
KERNEL constants_apart(ARGS)
{
    GLOBAL_X;
    float v = 0;
    int at = (i >> 5) * q;
    ONCE for (int j = 0; j < n; j++) v += table[at & 16383], at += p;
    out[i] = v;
}
// n words of p + 1 are written, each lane its own: sectors in part, of lines that other warps write too.
KERNEL scatter_words(ARGS)
{
    GLOBAL_X;
    ONCE for (; i < n; i += gridDim.x * blockDim.x) out[mixed(i) & p] = 1;
}
// The same, but q sectors of a word lie beside each other.
KERNEL scatter_runs(ARGS)
{
    GLOBAL_X;
    ONCE for (; i < n; i += gridDim.x * blockDim.x) out[(mixed(i / q) * q + i % q) * 8 & p] = 1;
}
// Loads of p + 1 words, and of q in 256 a store to the word that was loaded.
KERNEL load_then_store(ARGS)
{
    GLOBAL_X;
    ONCE for (int k = 0; k < n; k++) {
        u32 hash = mixed(i * n + k);
        float v = out[hash & p];
        if ((int)(hash >> 24) < q || v == 12345) out[hash & p] = v + 1;
    }
}
// Each warp's lanes share a word, q words from that of the warp before it; n sums.
KERNEL red_apart(ARGS)
{
    GLOBAL_X;
    ONCE for (int k = 0; k < n; k++) atomicAdd((u32 *)out + (((i >> 5) + k) * q & p), 1u);
}
KERNEL red_apart_float(ARGS)
{
    GLOBAL_X;
    ONCE for (int k = 0; k < n; k++) atomicAdd(out + (((i >> 5) + k) * q & p), 1.0f);
}
// Warps of a block add to words of shared memory that no other lane of theirs has: p apart by warp.
KERNEL shared_sums(ARGS)
{
    __shared__ float sums[2048];
    GLOBAL_X;
    for (int k = threadIdx.x; k < 2048; k += blockDim.x) sums[k] = 0;
    __syncthreads();
    ONCE for (int k = 0; k < n; k++) atomicAdd(&sums[(threadIdx.x & 31) + (threadIdx.x >> 5) * p + k * q & 2047], 1.0f);
    __syncthreads();
    out[i] = sums[threadIdx.x];
}
