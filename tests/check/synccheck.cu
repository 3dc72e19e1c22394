// SPDX-License-Identifier: Apache-2.0
// Misused barriers and operations of a warp, and the same mended (planted.h). Some of the wrong ones never end on a GPU, others do
// something undefined.
#include "planted.h"

#define SHARED(p) ((unsigned)__cvta_generic_to_shared(p))
#define BAR_SYNC(id, n) asm volatile("barrier.sync.aligned %0, %1;" ::"r"(id), "r"(n) : "memory")
#define MBAR_INIT(bar, n) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(SHARED(bar)), "r"(n) : "memory")
#define MBAR_INVAL(bar) asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(SHARED(bar)) : "memory")
#define MBAR_ARRIVE(bar) asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(SHARED(bar)) : "memory")
#define MBAR_ARRIVE_N(bar, n) asm volatile("{ .reg .b64 s; mbarrier.arrive.noComplete.shared.b64 s, [%0], %1; }" ::"r"(SHARED(bar)), "r"(n) : "memory")
__device__ __forceinline__ bool mbarrier_test(unsigned bar, unsigned parity)
{
    unsigned done;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(bar), "r"(parity) : "memory");
    return done;
}
#define MBAR_TEST(bar, parity) mbarrier_test(SHARED(bar), parity)

template <typename K> static int *launch(K kernel, int threads) // one block; a result for each thread
{
    int *out = make<int>(threads);
    kernel<<<1, threads>>>(out, wrong);
    return out;
}

// ---- __syncthreads

__global__ void guarded(int *out, int n, bool w)
{
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = t;
    if (w) {
        if (t < n) __syncthreads(); // FAULT guarded
    } else __syncthreads();
    if (t < n) out[t] = tile[n - 1 - t];
}
CASE(guarded) // the barrier stands under the guard of the array's end; threads of one warp differ
{
    int *out = make<int>(64);
    guarded<<<1, 64>>>(out, 40, wrong);
    return holds<int>(out, 40, [](int i) { return 39 - i; });
}

__global__ void guarded_warps(int *out, int n, bool w) // whole warps do not reach the barrier
{
    int t = threadIdx.x;
    if (!w || t < n) __syncthreads(); // FAULT guarded_warps
    out[t] = t;
    if (w && t >= n) __syncthreads_count(t); // FAULT guarded_warps
}
CASE(guarded_warps)
{
    int *out = make<int>(128);
    guarded_warps<<<1, 128>>>(out, 64, wrong);
    return holds<int>(out, 128, [](int i) { return i; });
}

__global__ void trip_counts(int *out, bool w) // the threads of a warp go round a loop with a barrier differently often
{
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < (w ? 1 + t % 3 : 3); k++) {
        sum += k;
        __syncthreads(); // FAULT trip_counts
    }
    __syncthreads(); // FAULT trip_counts
    out[t] = sum;
}
CASE(trip_counts) { return holds<int>(launch(trip_counts, 64), 64, [](int) { return 3; }); }

template <bool wrong> __global__ void loop_exit(int *out) // lanes leave a loop with a barrier one after the other: those that end
{                                                         // are not waited for, those that go on to other code are
    int t = threadIdx.x;
    for (int k = 0; k < 1 + t % 3; k++) {
        out[t] = k + 1;
        __syncthreads(); // FAULT loop_exit
    }
    if (wrong) out[t] = -out[t];
}
CASE(loop_exit)
{
    int *out = make<int>(64);
    if (wrong) loop_exit<true><<<1, 64>>>(out);
    else loop_exit<false><<<1, 64>>>(out);
    return holds<int>(out, 64, [](int i) { return 1 + i % 3; });
}

__global__ void early_return(int *out, int n, bool w) // a barrier with a count waits for a warp that has returned; one of all is
{                                                     // for those that have not exited
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = t;
    if (t >= n) return;
    if (w) BAR_SYNC(1, 64); // FAULT early_return
    else __syncthreads();
    out[t] = tile[n - 1 - t];
}
CASE(early_return)
{
    int *out = make<int>(64);
    early_return<<<1, 64>>>(out, 32, wrong);
    return holds<int>(out, 32, [](int i) { return 31 - i; });
}

__global__ void both_branches(int *out, bool w) // two barriers are not one, though each thread reaches one
{
    __shared__ int tile[64];
    int t = threadIdx.x;
    if (w && t % 2) {
        tile[t] = 2 * t;
        __syncthreads(); // FAULT both_branches
    } else {
        tile[t] = 2 * t;
        __syncthreads(); // FAULT both_branches
    }
    out[t] = tile[63 - t];
}
CASE(both_branches) { return holds<int>(launch(both_branches, 64), 64, [](int i) { return 2 * (63 - i); }); }

__global__ void switch_arms(int *out, bool w)
{
    int t = threadIdx.x;
    switch (w ? t % 4 : 0) {
    case 0: __syncthreads(); break; // FAULT switch_arms
    case 1: out[t] = 5; break;
    default: out[t] = 6;
    }
    out[t] = t;
}
CASE(switch_arms) { return holds<int>(launch(switch_arms, 32), 32, [](int i) { return i; }); }

__device__ __noinline__ void wait_inside(int *tile, int t)
{
    tile[t] = t;
    __syncthreads(); // FAULT called
}
__global__ void called(int *out, bool w) // the branch is in the caller, the barrier in the function
{
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = t;
    if (!w || t % 2 == 0) wait_inside(tile, t);
    out[t] = tile[t];
}
CASE(called) { return holds<int>(launch(called, 64), 64, [](int i) { return i; }); }

__global__ void loop_break(int *out, bool w) // a thread leaves the loop that its warp still waits in
{
    int t = threadIdx.x, k;
    for (k = 0; k < 8; k++) {
        if (w && k == 3 && t == 5) break;
        __syncthreads(); // FAULT loop_break
    }
    __syncthreads(); // FAULT loop_break
    out[t] = k;
}
CASE(loop_break) { return holds<int>(launch(loop_break, 64), 64, [](int) { return 8; }); }

// ---- barriers with numbers and counts

__global__ void count_odd(int *out, bool w) // the count is no multiple of the warp's size
{
    BAR_SYNC(1, w ? 40 : 64); // FAULT count_odd
    out[threadIdx.x] = 1;
}
CASE(count_odd) { return holds<int>(launch(count_odd, 64), 64, [](int) { return 1; }); }

__global__ void count_most(int *out, bool w) // more threads are waited for than the block has
{
    BAR_SYNC(1, w ? 128 : 64); // FAULT count_most
    out[threadIdx.x] = 1;
}
CASE(count_most) { return holds<int>(launch(count_most, 64), 64, [](int) { return 1; }); }

__global__ void count_least(int *out, bool w) // three warps at a barrier for two: one is left over
{
    BAR_SYNC(1, w ? 64 : 96); // FAULT count_least
    out[threadIdx.x] = 1;
}
CASE(count_least) { return holds<int>(launch(count_least, 96), 96, [](int) { return 1; }); }

__global__ void counts_differ(int *out, bool w) // the warps do not agree on the count
{
    BAR_SYNC(1, w && threadIdx.x >= 32 ? 96 : 64); // FAULT counts_differ
    out[threadIdx.x] = 1;
}
CASE(counts_differ) { return holds<int>(launch(counts_differ, 64), 64, [](int) { return 1; }); }

__global__ void number(int *out, int id) // there are barriers 0 to 15
{
    BAR_SYNC(id, 64); // FAULT number
    out[threadIdx.x] = 1;
}
CASE(number)
{
    int *out = make<int>(64);
    number<<<1, 64>>>(out, wrong ? 16 : 15);
    return holds<int>(out, 64, [](int) { return 1; });
}

__global__ void number_lanes(int *out, bool w) // lanes of one warp at different barriers of an aligned instruction
{
    int t = threadIdx.x;
    BAR_SYNC(w ? 1 + t % 2 : 1 + t / 32, 32); // FAULT number_lanes
    out[t] = 1;
}
CASE(number_lanes) { return holds<int>(launch(number_lanes, 64), 64, [](int) { return 1; }); }

// ---- operations of a warp

__global__ void not_in_mask(int *out, bool w) // a lane calls with a mask that does not name it
{
    int t = threadIdx.x;
    if (t < 16) __syncwarp(w ? 0x00007fff : 0x0000ffff); // FAULT not_in_mask
    out[t] = 1;
}
CASE(not_in_mask) { return holds<int>(launch(not_in_mask, 32), 32, [](int) { return 1; }); }

__global__ void lanes_missing(int *out, bool w) // lane 16 is named, and waits elsewhere
{
    int t = threadIdx.x;
    out[t] = 1;
    if (t < 16) __syncwarp(w ? 0x0001ffff : 0x0000ffff); // FAULT lanes_missing
    else __syncwarp(0xffff0000); // FAULT lanes_missing
    out[t] = out[t ^ 15];
}
CASE(lanes_missing) { return holds<int>(launch(lanes_missing, 32), 32, [](int) { return 1; }); }

__global__ void shuffle_branch(int *out, int n, bool w) // all lanes are in the mask, some in the branch
{
    int t = threadIdx.x;
    unsigned mask = w ? 0xffffffff : __ballot_sync(0xffffffff, t < n);
    if (t < n) out[t] = __shfl_sync(mask, t, 0) + 1; // FAULT shuffle_branch
    __syncwarp();
    if (t >= n) out[t] = out[0];
}
CASE(shuffle_branch)
{
    int *out = make<int>(32);
    shuffle_branch<<<1, 32>>>(out, 20, wrong);
    return holds<int>(out, 32, [](int) { return 1; });
}

__global__ void shuffle_exited(int *out, int n, bool w) // reads from lanes that have exited; to name them in the mask is allowed
{
    int t = threadIdx.x, v = t;
    if (t >= n) return;
    for (int d = w ? 16 : 4; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffff, v, d); // FAULT shuffle_exited
    out[t] = v;
}
CASE(shuffle_exited)
{
    int *out = make<int>(32);
    shuffle_exited<<<1, 32>>>(out, 8, wrong);
    return holds<int>(out, 8, [](int) { return 28; });
}

__global__ void shuffle_source(int *out, bool w) // reads from a lane that does not take part
{
    int t = threadIdx.x;
    if (t < 16) out[t] = __shfl_sync(0x0000ffff, t, w ? 20 : 12); // FAULT shuffle_source
}
CASE(shuffle_source) { return holds<int>(launch(shuffle_source, 32), 16, [](int) { return 12; }); }

__global__ void masks_differ(int *out, bool w) // lanes that should meet name different masks
{
    int t = threadIdx.x;
    unsigned mask = w && t >= 16 ? 0xfffffff0 : 0xffffffff;
    out[t] = __all_sync(mask, t >= 0); // FAULT masks_differ
}
CASE(masks_differ) { return holds<int>(launch(masks_differ, 32), 32, [](int) { return 1; }); }

__global__ void vote_loop(int *out, bool w) // lanes leave the loop that the vote of all stands in
{
    int t = threadIdx.x, rounds = 0;
    for (int k = 0; k < (w ? t % 4 + 1 : 4); k++)
        rounds += __any_sync(0xffffffff, k >= 0); // FAULT vote_loop
    __syncwarp(); // FAULT vote_loop
    out[t] = rounds;
}
CASE(vote_loop) { return holds<int>(launch(vote_loop, 32), 32, [](int) { return 4; }); }

__global__ void match_empty(int *out, bool w) // a mask without any lane
{
    int t = threadIdx.x;
    unsigned mask = w ? 0 : 0xffffffff;
    out[t] = __match_any_sync(mask, t / 8) == 0xffu << t / 8 * 8; // FAULT match_empty
}
CASE(match_empty) { return holds<int>(launch(match_empty, 32), 32, [](int) { return 1; }); }

__global__ void part_warp(int *out, bool w) // the last warp has 8 lanes, and they read from lanes that do not exist
{
    int t = threadIdx.x;
    out[t] = __shfl_xor_sync(0xffffffff, t, w ? 16 : 1); // FAULT part_warp
}
CASE(part_warp) { return holds<int>(launch(part_warp, 40), 40, [](int i) { return i ^ 1; }); }

__global__ void reduce_branch(int *out, bool w)
{
    int t = threadIdx.x;
    if (t % 2 == 0) out[t] = __reduce_add_sync(w ? 0xffffffff : 0x55555555, 1); // FAULT reduce_branch
    __syncwarp();
    if (t % 2) out[t] = out[t - 1];
}
CASE(reduce_branch) { return holds<int>(launch(reduce_branch, 32), 32, [](int) { return 16; }); }

// ---- barrier objects

__global__ void before_init(int *out, bool w) // used before it was initialised
{
    __shared__ unsigned long long bar;
    int t = threadIdx.x;
    if (!w) {
        if (t == 0) MBAR_INIT(&bar, 32);
        __syncthreads();
    }
    MBAR_ARRIVE(&bar); // FAULT before_init
    out[t] = MBAR_TEST(&bar, 1);
}
CASE(before_init) { return holds<int>(launch(before_init, 32), 32, [](int) { return 0; }); }

__global__ void count_overflow(int *out, bool w) // more arrivals than are pending in the phase
{
    __shared__ unsigned long long bar;
    int t = threadIdx.x;
    if (t == 0) MBAR_INIT(&bar, 4);
    __syncthreads();
    if (t == 0) MBAR_ARRIVE_N(&bar, w ? 5 : 3); // FAULT count_overflow
    __syncthreads();
    out[t] = 1;
}
CASE(count_overflow) { return holds<int>(launch(count_overflow, 32), 32, [](int) { return 1; }); }

__global__ void init_range(int *out, int count) // counts are 1 to 2^20 - 1
{
    __shared__ unsigned long long bar;
    int t = threadIdx.x;
    if (t == 0) MBAR_INIT(&bar, count); // FAULT init_range
    __syncthreads();
    out[t] = 1;
}
CASE(init_range)
{
    int *out = make<int>(32);
    init_range<<<1, 32>>>(out, wrong ? 0 : 1);
    return holds<int>(out, 32, [](int) { return 1; });
}

__global__ void invalidated(int *out, bool w) // used after it was invalidated
{
    __shared__ unsigned long long bar;
    int t = threadIdx.x;
    if (t == 0) MBAR_INIT(&bar, 32);
    __syncthreads();
    if (w) {
        if (t == 0) MBAR_INVAL(&bar);
        __syncthreads();
    }
    MBAR_ARRIVE(&bar); // FAULT invalidated
    out[t] = 1;
}
CASE(invalidated) { return holds<int>(launch(invalidated, 32), 32, [](int) { return 1; }); }

__global__ void init_again(int *out, bool w) // initialised again while it is in use, without being invalidated
{
    __shared__ unsigned long long bar;
    int t = threadIdx.x;
    if (t == 0) MBAR_INIT(&bar, 64);
    __syncthreads();
    MBAR_ARRIVE(&bar);
    __syncthreads();
    if (t == 0) {
        if (!w) MBAR_INVAL(&bar);
        MBAR_INIT(&bar, 32); // FAULT init_again
    }
    __syncthreads();
    out[t] = 1;
}
CASE(init_again) { return holds<int>(launch(init_again, 32), 32, [](int) { return 1; }); }

__global__ void overwritten(int *out, bool w) // the object is written like any other word
{
    __shared__ unsigned long long bar, other;
    int t = threadIdx.x;
    if (t == 0) MBAR_INIT(&bar, 32);
    __syncthreads();
    if (t == 0) *(volatile unsigned long long *)(w ? &bar : &other) = 0; // FAULT overwritten
    __syncthreads();
    MBAR_ARRIVE(&bar); // FAULT overwritten
    out[t] = 1;
}
CASE(overwritten) { return holds<int>(launch(overwritten, 32), 32, [](int) { return 1; }); }
