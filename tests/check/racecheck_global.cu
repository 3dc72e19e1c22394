// SPDX-License-Identifier: Apache-2.0
// Races in global memory between threads of one kernel, and the same mended (planted.h). Kernels whose blocks wait for each other
// have few blocks, so that all are resident.
#include "planted.h"
#include <cooperative_groups.h>

static int one(int) { return 1; }
static int ident(int i) { return i; }

// ---- between blocks, without any order

__global__ void sum_plain(int *sum, bool w)
{
    if (threadIdx.x != 0) return;
    if (w) *sum += 1; // FAULT sum_plain
    else atomicAdd(sum, 1);
}
CASE(sum_plain)
{
    int *sum = make<int>(1);
    sum_plain<<<64, 32>>>(sum, wrong);
    return holds<int>(sum, 1, [](int) { return 64; });
}

__global__ void stencil(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3; // FAULT stencil
}
CASE(stencil) // in place
{
    float *a = made<float>(1024, [](int) { return 2.f; }), *b = made<float>(1024, [](int) { return 2.f; });
    stencil<<<8, 128>>>(a, wrong ? a : b, 1024);
    return holds<float>(b, 1024, [](int) { return 2.f; });
}

__global__ void same_rows(int *out, bool w) // half a warp writes one element
{
    out[threadIdx.y] = w ? threadIdx.x : threadIdx.y + 1; // FAULT same_rows
}
CASE(same_rows) // the same value
{
    int *out = make<int>(4);
    same_rows<<<1, dim3(16, 4)>>>(out, wrong);
    return holds<int>(out, 4, [](int i) { return i + 1; });
}

__global__ void transposed(const int *in, int *out, int n)
{
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    out[x * n + y] = in[y * n + x]; // FAULT transposed
}
CASE(transposed) // in place
{
    int *a = made<int>(1024, ident), *b = make<int>(1024);
    transposed<<<dim3(4, 4), dim3(8, 8)>>>(a, wrong ? a : b, 32);
    return holds<int>(b, 1024, [](int i) { return i % 32 * 32 + i / 32; });
}

__global__ void histogram(const int *data, int *bins, int n, bool w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (w) bins[data[i]]++; // FAULT histogram
    else atomicAdd(&bins[data[i]], 1);
}
CASE(histogram)
{
    int *bins = make<int>(16);
    histogram<<<8, 128>>>(made<int>(1000, [](int i) { return i % 10; }), bins, 1000, wrong);
    return holds<int>(bins, 16, [](int i) { return i < 10 ? 100 : 0; });
}

__global__ void scatter(const int *index, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[index[i]] = i; // FAULT scatter
}
CASE(scatter) // of something that is no permutation: one number stands in it twice
{
    int *index = made<int>(512, [](int i) { return wrong && i == 400 ? 511 - 7 : 511 - i; }), *out = make<int>(512);
    scatter<<<4, 128>>>(index, out, 512);
    return holds<int>(out, 512, [](int i) { return 511 - i; });
}

__global__ void bytes(unsigned char *out, bool w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[w ? i / 2 : i] = i; // FAULT bytes
}
CASE(bytes) // neighbouring bytes are no race
{
    unsigned char *out = make<unsigned char>(256);
    bytes<<<256, 1>>>(out, wrong);
    return holds<unsigned char>(out, 256, [](int i) { return (unsigned char)i; });
}

__global__ void bit_mask(unsigned *mask, bool w) // bits of one word are not apart as bytes are
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 3) return;
    if (w) mask[i / 32] |= 1u << i % 32; // FAULT bit_mask
    else atomicOr(&mask[i / 32], 1u << i % 32);
}
CASE(bit_mask)
{
    unsigned *mask = make<unsigned>(8);
    bit_mask<<<16, 16>>>(mask, wrong);
    return holds<unsigned>(mask, 8, [](int i) { unsigned m = 0; for (int k = 0; k < 32; k++) m |= ((32 * i + k) % 3 == 0) * 1u << k; return m; });
}

__global__ void halo(const int *in, int *out, bool w) // each block writes its part, and the first element of the next one's
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (threadIdx.x < (w ? 65 : 64) && i < 256)
        out[i] = 2 * in[i] + blockIdx.x; // FAULT halo
}
CASE(halo)
{
    int *out = make<int>(256);
    halo<<<4, 96>>>(made<int>(256, ident), out, wrong);
    return holds<int>(out, 256, [](int i) { return 2 * i + i / 64; });
}

__global__ void two_steps(int *a, int *b, bool w) // one kernel does what needs two
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    a[i] = i; // FAULT two_steps
    __syncthreads();
    if (w) b[i] = a[n - 1 - i]; // OTHER two_steps
}
__global__ void second_step(const int *a, int *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    b[i] = a[n - 1 - i];
}
CASE(two_steps)
{
    int *a = make<int>(256), *b = make<int>(256);
    two_steps<<<4, 64>>>(a, b, wrong);
    if (!wrong) second_step<<<4, 64>>>(a, b);
    return holds<int>(b, 256, [](int i) { return 255 - i; });
}

__global__ void reset(int *count, int *seen, bool w) // a plain store among other blocks' atomics
{
    if (threadIdx.x != 0) return;
    if (w && blockIdx.x == 0) *count = 0; // FAULT reset
    atomicAdd(count, 1); // OTHER reset
    atomicAdd(seen, 1);
}
CASE(reset)
{
    int *count = make<int>(1);
    reset<<<16, 32>>>(count, make<int>(1), wrong);
    return holds<int>(count, 1, [](int) { return 16; });
}

__global__ void maximum(int *most, const int *a, bool w) // compare, then store
{
    int v = a[blockIdx.x * blockDim.x + threadIdx.x];
    if (!w) atomicMax(most, v);
    else if (v > *most) // OTHER maximum
        *most = v; // FAULT maximum
}
CASE(maximum)
{
    int *most = make<int>(1);
    maximum<<<8, 32>>>(most, made<int>(256, [](int i) { return i * 37 % 256; }), wrong);
    return holds<int>(most, 1, [](int) { return 255; });
}

__global__ void block_scope(int *sum, bool w) // atomic for the threads of one block only
{
    if (w) atomicAdd_block(sum, 1); // FAULT block_scope
    else atomicAdd(sum, 1);
}
CASE(block_scope)
{
    int *sum = make<int>(1);
    block_scope<<<32, 64>>>(sum, wrong);
    return holds<int>(sum, 1, [](int) { return 2048; });
}

__global__ void block_scope_own(int *sums, bool w) // right where each block has a counter of its own
{
    atomicAdd_block(&sums[w ? 0 : blockIdx.x], 1); // FAULT block_scope_own
}
CASE(block_scope_own)
{
    int *sums = make<int>(32);
    block_scope_own<<<32, 64>>>(sums, wrong);
    return holds<int>(sums, 32, [](int) { return 64; });
}

// ---- within a block

__global__ void own_block(int *a, int *out, bool w)
{
    int t = threadIdx.x, at = blockIdx.x * 128;
    a[at + t] = t; // FAULT own_block
    if (!w) __syncthreads();
    out[at + t] = a[at + 127 - t]; // OTHER own_block
}
CASE(own_block)
{
    int *out = make<int>(512);
    own_block<<<4, 128>>>(make<int>(512), out, wrong);
    return holds<int>(out, 512, [](int i) { return 127 - i % 128; });
}

__global__ void own_warp(int *a, int *out, bool w)
{
    int t = threadIdx.x;
    a[t] = t; // FAULT own_warp
    if (!w) __syncwarp();
    out[t] = a[31 - t]; // OTHER own_warp
}
CASE(own_warp)
{
    int *out = make<int>(32);
    own_warp<<<1, 32>>>(make<int>(32), out, wrong);
    return holds<int>(out, 32, [](int i) { return 31 - i; });
}

__global__ void fence_only(int *a, int *out, bool w) // a fence orders, but waits for nobody
{
    int t = threadIdx.x;
    a[t] = t; // FAULT fence_only
    if (w) __threadfence();
    else __syncthreads();
    out[t] = a[127 - t]; // OTHER fence_only
}
CASE(fence_only)
{
    int *out = make<int>(128);
    fence_only<<<1, 128>>>(make<int>(128), out, wrong);
    return holds<int>(out, 128, [](int i) { return 127 - i; });
}

// ---- flags

__global__ void flag_no_fence(int *data, volatile int *flag, int *out, bool w)
{
    if (blockIdx.x == 0) {
        *data = 42; // FAULT flag_no_fence
        if (!w) __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) continue;
        __threadfence();
        *out = *data; // OTHER flag_no_fence
    }
}
__global__ void flag_no_acquire(int *data, volatile int *flag, int *out, bool w) // the reader needs a fence too
{
    if (blockIdx.x == 0) {
        *data = 42; // FAULT flag_no_acquire
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) continue;
        if (!w) __threadfence();
        *out = *data; // OTHER flag_no_acquire
    }
}
__global__ void flag_block_fence(int *data, volatile int *flag, int *out, bool w) // a fence for the block's own threads only
{
    if (blockIdx.x == 0) {
        *data = 42; // FAULT flag_block_fence
        if (w) __threadfence_block();
        else __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) continue;
        __threadfence();
        *out = *data; // OTHER flag_block_fence
    }
}
__global__ void flag_before(int *data, volatile int *flag, int *out, bool w) // the flag rises before the data is there
{
    if (blockIdx.x == 0) {
        if (w) *flag = 1;
        *data = 42; // FAULT flag_before
        __threadfence();
        if (!w) *flag = 1;
    } else {
        while (*flag == 0) continue;
        __threadfence();
        *out = *data; // OTHER flag_before
    }
}
__global__ void flag_not_waited(int *data, volatile int *flag, int *out, bool w) // looks once instead of waiting
{
    if (blockIdx.x == 1) {
        *data = 42; // FAULT flag_not_waited
        __threadfence();
        *flag = 1;
    } else {
        bool ready = *flag != 0;
        __threadfence();
        if (w || ready)
            out[blockIdx.x] = *data; // OTHER flag_not_waited
    }
}
__global__ void release(int *data, int *flag, int *out, bool w)
{
    int seen = 0;
    if (blockIdx.x == 0) {
        *data = 42; // FAULT release
        if (w) asm volatile("st.relaxed.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
        else asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
    } else {
        while (seen == 0)
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        *out = *data; // OTHER release
    }
}
__global__ void acquire(int *data, int *flag, int *out, bool w)
{
    int seen = 0;
    if (blockIdx.x == 0) {
        *data = 42; // FAULT acquire
        asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
    } else {
        while (seen == 0)
            if (w) asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
            else asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        *out = *data; // OTHER acquire
    }
}
__global__ void release_scope(int *data, int *flag, int *out, bool w) // release for the block's own threads only
{
    int seen = 0;
    if (blockIdx.x == 0) {
        *data = 42; // FAULT release_scope
        if (w) asm volatile("st.release.cta.global.u32 [%0], 1;" ::"l"(flag) : "memory");
        else asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
    } else {
        while (seen == 0)
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        *out = *data; // OTHER release_scope
    }
}
__global__ void other_thread(int *data, int *flag, int *out, bool w) // what one thread acquired, another one reads
{
    int t = threadIdx.x, seen = 0;
    if (blockIdx.x == 0) {
        data[t] = 42; // FAULT other_thread
        if (!w) __syncthreads(); // so that thread 0 releases what all have written
        if (t == 0) asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
    } else {
        if (t == 0)
            while (seen == 0)
                asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        __syncthreads();
        if (t == 63) *out = data[t]; // OTHER other_thread
    }
}
__global__ void by_atomics(int *data, int *flag, int *out, bool w) // exchanges are relaxed
{
    if (blockIdx.x == 0) {
        *data = 42; // FAULT by_atomics
        if (!w) __threadfence();
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) continue;
        if (!w) __threadfence();
        *out = *data; // OTHER by_atomics
    }
}
template <typename K> static bool flagged(K kernel, int threads)
{
    int *out = make<int>(1);
    kernel<<<2, threads>>>(make<int>(64), make<int>(1), out, wrong);
    return holds<int>(out, 1, [](int) { return 42; });
}
CASE(flag_no_fence) { return flagged(flag_no_fence, 1); }
CASE(flag_no_acquire) { return flagged(flag_no_acquire, 1); }
CASE(flag_block_fence) { return flagged(flag_block_fence, 1); }
CASE(flag_before) { return flagged(flag_before, 1); }
CASE(flag_not_waited)
{
    int *out = make<int>(3), host[3];
    flag_not_waited<<<3, 1>>>(make<int>(1), make<int>(1), out, wrong);
    need(cudaMemcpy(host, out, sizeof host, cudaMemcpyDefault));
    return (host[0] == 0 || host[0] == 42) && (host[2] == 0 || host[2] == 42);
}
CASE(release) { return flagged(release, 1); }
CASE(acquire) { return flagged(acquire, 1); }
CASE(release_scope) { return flagged(release_scope, 1); }
CASE(other_thread) { return flagged(other_thread, 64); }
CASE(by_atomics) { return flagged(by_atomics, 1); }

// ---- protocols of many blocks

__global__ void spin_lock(int *lock, int *sum, bool w)
{
    while (atomicCAS(lock, 0, 1) != 0) continue;
    if (!w) __threadfence();
    *sum += 1; // FAULT spin_lock
    if (!w) __threadfence();
    atomicExch(lock, 0);
}
CASE(spin_lock)
{
    int *sum = make<int>(1);
    spin_lock<<<16, 1>>>(make<int>(1), sum, wrong);
    return holds<int>(sum, 1, [](int) { return 16; });
}

__global__ void two_locks(int *locks, int *sum, bool w) // one variable under two locks
{
    int *lock = &locks[w ? blockIdx.x % 2 : 0];
    while (atomicCAS(lock, 0, 1) != 0) continue;
    __threadfence();
    *sum += 1; // FAULT two_locks
    __threadfence();
    atomicExch(lock, 0);
}
CASE(two_locks)
{
    int *sum = make<int>(1);
    two_locks<<<16, 1>>>(make<int>(2), sum, wrong);
    return holds<int>(sum, 1, [](int) { return 16; });
}

__global__ void unlocked_read(int *lock, int *sum, int *seen, bool w) // a reader that does not take the lock
{
    if (blockIdx.x == 0) {
        if (w) *seen = *sum; // OTHER unlocked_read
        return;
    }
    while (atomicCAS(lock, 0, 1) != 0) continue;
    __threadfence();
    *sum += 1; // FAULT unlocked_read
    __threadfence();
    atomicExch(lock, 0);
}
CASE(unlocked_read)
{
    int *sum = make<int>(1);
    unlocked_read<<<9, 1>>>(make<int>(1), sum, make<int>(1), wrong);
    return holds<int>(sum, 1, [](int) { return 8; });
}

__global__ void last_block(const int *a, int *sums, unsigned *arrived, int *total, bool w)
{
    __shared__ bool last;
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < 64; i++)
        sum += a[blockIdx.x * 64 + i];
    if (t == 0) {
        sums[blockIdx.x] = sum; // FAULT last_block
        if (!w) __threadfence();
        last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
        if (!w) __threadfence();
    }
    __syncthreads();
    if (last && t < gridDim.x) atomicAdd(total, sums[t]); // OTHER last_block
}
CASE(last_block)
{
    int *total = make<int>(1);
    last_block<<<8, 32>>>(made<int>(512, one), make<int>(8), make<unsigned>(1), total, wrong);
    return holds<int>(total, 1, [](int) { return 512; });
}

__global__ void last_block_early(int *parts, unsigned *arrived, int *total, bool w) // counts before all of its threads wrote
{
    __shared__ bool last;
    int t = threadIdx.x, sum = 0;
    parts[blockIdx.x * 64 + t] = 1; // FAULT last_block_early
    if (!w) __syncthreads();
    if (t == 0) {
        __threadfence();
        last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!last || t != 0) return;
    for (int i = 0; i < gridDim.x * 64; i++)
        sum += parts[i]; // OTHER last_block_early
    *total = sum;
}
CASE(last_block_early)
{
    int *total = make<int>(1);
    last_block_early<<<4, 64>>>(make<int>(256), make<unsigned>(1), total, wrong);
    return holds<int>(total, 1, [](int) { return 256; });
}

__device__ void hand_barrier(unsigned *arrived, unsigned goal, bool fence, bool block)
{
    if (block) __syncthreads();
    if (threadIdx.x == 0) {
        if (fence) __threadfence();
        atomicAdd(arrived, 1);
        while (*(volatile unsigned *)arrived < goal) continue;
        if (fence) __threadfence();
    }
    __syncthreads();
}
__global__ void hand_grid(int *a, int *out, unsigned *arrived, bool w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    a[i] = i; // FAULT hand_grid
    hand_barrier(arrived, gridDim.x, !w, true);
    out[i] = a[n - 1 - i]; // OTHER hand_grid
}
__global__ void hand_grid_block(int *a, int *out, unsigned *arrived, bool w) // thread 0 arrives before its block has written
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    a[i] = i; // FAULT hand_grid_block
    hand_barrier(arrived, gridDim.x, true, !w);
    out[i] = a[n - 1 - i]; // OTHER hand_grid_block
}
__global__ void hand_grid_goal(int *a, int *out, unsigned *arrived, bool w) // the second barrier waits for the first one's count
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    out[i] = 0;
    hand_barrier(arrived, gridDim.x, true, true);
    a[i] = i; // FAULT hand_grid_goal
    hand_barrier(arrived, w ? gridDim.x : 2 * gridDim.x, true, true);
    out[i] = a[n - 1 - i]; // OTHER hand_grid_goal
}
__global__ void grid_group(int *a, int *out, unsigned *, bool w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    a[i] = i; // FAULT grid_group
    if (w) __syncthreads();
    else cooperative_groups::this_grid().sync();
    out[i] = a[n - 1 - i]; // OTHER grid_group
}
template <typename K> static bool together(K kernel)
{
    int *a = make<int>(256), *out = make<int>(256);
    unsigned *arrived = make<unsigned>(1);
    void *arguments[] = {&a, &out, &arrived, &wrong};
    need(cudaLaunchCooperativeKernel((const void *)kernel, dim3(4), dim3(64), arguments, 0, 0));
    return holds<int>(out, 256, [](int i) { return 255 - i; });
}
CASE(hand_grid) { return together(hand_grid); }
CASE(hand_grid_block) { return together(hand_grid_block); }
CASE(hand_grid_goal) { return together(hand_grid_goal); }
CASE(grid_group) { return together(grid_group); }

__global__ void look_back(const int *a, int *sums, volatile int *ready, int *out, bool w) // each block waits for the one before it
{
    int b = blockIdx.x, before = 0;
    if (b > 0) {
        while (ready[b - 1] == 0) continue;
        if (!w) __threadfence();
        before = sums[b - 1]; // OTHER look_back
    }
    out[b] = before + a[b];
    sums[b] = before + a[b]; // FAULT look_back
    if (!w) __threadfence();
    ready[b] = 1;
}
CASE(look_back)
{
    int *out = make<int>(16);
    look_back<<<16, 1>>>(made<int>(16, one), make<int>(16), make<int>(16), out, wrong);
    return holds<int>(out, 16, [](int i) { return i + 1; });
}

__global__ void look_back_two(const int *a, int *sums, volatile int *ready, int *out, bool w) // waits for one block, reads another's
{
    int b = blockIdx.x, before = 0;
    if (b > 0) {
        while (ready[w && b == 9 ? b - 2 : b - 1] == 0) continue;
        __threadfence();
        before = sums[b - 1]; // OTHER look_back_two
    }
    out[b] = before + a[b];
    sums[b] = before + a[b]; // FAULT look_back_two
    __threadfence();
    ready[b] = 1;
}
CASE(look_back_two)
{
    int *out = make<int>(16);
    look_back_two<<<16, 1>>>(made<int>(16, one), make<int>(16), make<int>(16), out, wrong);
    return holds<int>(out, 16, [](int i) { return i + 1; });
}

__global__ void queue(int *slots, int *tail, int *sum, bool w) // a slot is read because the counter has passed it, not because it was written
{
    int b = blockIdx.x;
    if (b < 8) {
        slots[atomicAdd(tail, 1)] = b + 1; // FAULT queue
    } else if (w) {
        while (atomicAdd(tail, 0) <= b - 8) continue;
        atomicAdd(sum, slots[b - 8]); // OTHER queue
    }
}
CASE(queue)
{
    int *slots = make<int>(8);
    queue<<<16, 1>>>(slots, make<int>(1), make<int>(1), wrong);
    int got[8], sum = 0;
    need(cudaMemcpy(got, slots, sizeof got, cudaMemcpyDefault));
    for (int i = 0; i < 8; i++)
        sum += got[i];
    return sum == 36;
}
