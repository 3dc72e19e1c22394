// SPDX-License-Identifier: Apache-2.0
// Which lines L1 holds after a sequence of accesses: lines.c has the sequences. Each block stands on a multiprocessor of its own and
// asks for one line after the sequence: first it, then the blocks after it, one further each. lines.ptx is this file compiled by nvcc.
//   in: what is read   found: [asked line] cycles that it took   steps: how many of `sequence`   q: lines of which the blocks ask
// A step is a place in units of 32-byte sectors, with 1 << 31 when it is a store, 1 << 30 when all threads wait before it.
// With more than a warp thread w takes steps w, w + blockDim.x, ...
typedef unsigned int u32;
enum { STORE = 1u << 31, WAIT = 1u << 30, PLACE = WAIT - 1, SECTOR_WORDS = 8 };
__constant__ u32 sequence[16000]; // L1 has none of it

__device__ __forceinline__ float load(const float *a)
{
    float v;
    asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(v) : "l"(a) : "memory");
    return v;
}
extern "C" __global__ void lines(float *in, u32 *found, int steps, const u32 *asked, int first, int count)
{
    int mine = first + blockIdx.x;
    if (mine >= count) return;
    float v = 0;
    u32 question;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(question) : "l"(asked + mine) : "memory");
#pragma unroll 1
    for (int i = threadIdx.x; i < steps; i += blockDim.x) {
        u32 step = sequence[i];
        float *at = in + (size_t)(step & PLACE) * SECTOR_WORDS + (v < 0);
        if (step & WAIT) __syncthreads();
        if (step & STORE) *at = 1;
        else v += load(at);
    }
    __syncthreads();
    if (threadIdx.x) return;
    if (v < 0) __trap(); // waits for what was read before: values are 0 or more
    long long begin = clock64();
    v = load(in + (size_t)question * SECTOR_WORDS);
    if (v < 0) __trap();
    found[mine] = (u32)(clock64() - begin);
}
