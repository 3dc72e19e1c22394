// SPDX-License-Identifier: Apache-2.0
// Kernels that misuse barriers, operations of a warp and mbarriers, and the same mended: sync_rules CASE fault|fine. The line that is
// at fault has a comment FAULT CASE; sync_rules.tsv says what is reported of it.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

enum { THREADS = 96, BLOCKS = 5 };
static const unsigned ALL = 0xffffffffu;

// ---- barriers in divergent code
__global__ void lanes_if(int *out, int n, bool w)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = t;
    if (w ? t < n : n < THREADS) {
        s[t] += 1;
        __syncthreads(); // FAULT lanes_if
    }
    out[t] = s[(t + 1) % THREADS];
}
__global__ void lanes_arms(int *out, int n, bool w)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = t;
    if (w ? t < n : t < n / 32 * 32) {
        s[t] *= 2;
        __syncthreads(); // FAULT lanes_arms
    } else {
        s[t] *= 3;
        __syncthreads();
    }
    out[t] = s[(t + 1) % THREADS];
}
__global__ void lanes_loop(int *out, int n, bool w)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = 0;
    for (int i = 0; i < 4; i++) {
        if (4 * t + i < n)
            s[t] += i;
        if (!w || 4 * t + i < n)
            __syncthreads(); // FAULT lanes_loop
    }
    out[t] = s[(t + 1) % THREADS];
}
__global__ void lanes_trips(int *out, int n, bool w)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = 0;
    for (int i = w ? t : t % 32 - t % 32; i < n; i += THREADS) {
        s[t] += i;
        __syncthreads(); // FAULT lanes_trips
    }
    out[t] = s[(t + 1) % THREADS];
}
__global__ void lanes_votes(int *out, int n, bool w)
{
    int t = threadIdx.x, all = 0;
    if (w ? t < n : n > 0)
        all = __syncthreads_count(t & 1); // FAULT lanes_votes
    out[t] = all;
}
__global__ void warps_if(int *out, int n, bool w)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = t;
    if (w ? t < n / 32 * 32 : n > 0) {
        __syncthreads(); // FAULT warps_if
        s[t] += s[(t + 1) % 32];
    }
    __syncthreads();
    out[t] = s[(t + 1) % THREADS];
}
__global__ void warps_end(int *out, int n, bool w)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = t;
    if (!w || t < n / 32 * 32) {
        s[t] += n;
        __syncthreads(); // FAULT warps_end
    }
    out[t] = s[(t + 32) % THREADS];
}
__global__ void warps_end_any(int *out, int n, bool w)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    if (w && __shfl_sync(ALL, t, 0) == n - 8)
        out[0] = w;
    else
        __syncthreads(); // FAULT warps_end_any
    out[THREADS + t] = s[t ^ 32];
}
__global__ void warps_trips(int *out, int n, bool w)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = t;
    for (int i = 0; i < (w ? t / 32 + 1 : 3); i++) {
        __syncthreads(); // FAULT warps_trips
        s[t] += i;
    }
    __syncthreads();
    out[t] = s[(t + 1) % THREADS] + n;
}

// ---- what is allowed: none of these has a fault
__global__ void early_return(int *out, int n, bool w)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    if (t >= n) {
        if (w) out[t] = -1;
        return;
    }
    s[t] = t;
    __syncthreads();
    if (w) out[t] = s[(t + 1) % n];
}
__global__ void named(int *out, int n, bool w)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = t;
    if (t < 64)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 32;" ::: "memory");
    if (t >= 64) {
        s[t] += w;
        asm volatile("bar.arrive 3, 96;" ::: "memory");
    } else {
        asm volatile("bar.sync 3, 96;" ::: "memory");
        out[t] = s[t + 32] + n;
    }
}
__global__ void partial_masks(int *out, int n, bool w)
{
    int t = threadIdx.x, v = t;
    unsigned half = t % 32 < 16 ? 0xffffu : 0xffff0000u;
    v += __shfl_xor_sync(half, v, 1);
    if (t % 32 < 16)
        v += __shfl_down_sync(0xffffu, v, 1, 16);
    else
        v += __reduce_add_sync(0xffff0000u, v);
    if (t < n) {
        unsigned here = __activemask();
        v += __popc(__ballot_sync(here, w));
    }
    if (t % 32 == 31)
        return; // those who have ended need not come
    __syncwarp();
    v += __shfl_sync(ALL, v, 0);
    out[t] = v;
}
__global__ void arms_of_warps(int *out, int n, bool w)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    if (t < 32) {
        s[t] = n;
        __syncthreads();
    } else {
        s[t] = w;
        __syncthreads();
    }
    out[t] = s[(t + 1) % THREADS];
}

// ---- counts and numbers
__global__ void count_odd(int *out, int n, bool w)
{
    int t = threadIdx.x, count = w ? n : n + 24;
    if (t < 64)
        asm volatile("bar.sync 1, %0;" ::"r"(count) : "memory"); // FAULT count_odd
    out[t] = t;
}
__global__ void counts_differ(int *out, int n, bool w)
{
    int t = threadIdx.x, count = w && t >= 32 ? 96 : 64;
    if (t < 64 || w)
        asm volatile("bar.sync 1, %0;" ::"r"(count) : "memory"); // FAULT counts_differ
    out[t] = n;
}
__global__ void too_many(int *out, int n, bool w)
{
    int t = threadIdx.x;
    if (t < 64 || w)
        asm volatile("bar.sync 1, %0;" ::"r"(64) : "memory"); // FAULT too_many
    out[t] = n;
}
__global__ void too_few(int *out, int n, bool w)
{
    int t = threadIdx.x;
    if (t < (w ? 64 : 96))
        asm volatile("bar.sync 1, 96;" ::: "memory"); // FAULT too_few
    out[t] = n;
}
__global__ void number(int *out, int n, bool w)
{
    int t = threadIdx.x, id = w ? n - 24 : n - 25;
    asm volatile("bar.sync %0;" ::"r"(id) : "memory"); // FAULT number
    out[t] = id;
}
__global__ void numbers_cross(int *out, int n, bool w)
{
    int t = threadIdx.x;
    if (w && t % 2)
        asm volatile("barrier.sync 2;" ::: "memory"); // FAULT numbers_cross
    else
        asm volatile("barrier.sync 1;" ::: "memory");
    out[t] = n;
}

// ---- operations of a warp
__global__ void not_named(int *out, int n, bool w)
{
    int t = threadIdx.x;
    unsigned mask = __ballot_sync(ALL, t % 32 < 16);
    if (w ? t % 32 <= 16 : t % 32 < 16)
        __syncwarp(mask); // FAULT not_named
    out[t] = n;
}
__global__ void not_named_shuffle(int *out, int n, bool w)
{
    int t = threadIdx.x, v = t;
    unsigned mask = n > 0 ? ALL >> w : 0;
    v += __shfl_xor_sync(mask, v, 1); // FAULT not_named_shuffle
    out[t] = v + n;
}
__global__ void not_named_each(int *out, int n, bool w)
{
    int t = threadIdx.x, lane = t % 32;
    unsigned pair = 3u << (lane & ~1);
    unsigned mask = w && lane == 6 ? 1u << 7 : pair;
    if (w && lane / 2 == 3)
        out[t + THREADS] = __any_sync(mask, lane == 7); // FAULT not_named_each
    else
        out[t] = __any_sync(pair, lane == n);
}
__global__ void never_come(int *out, int n, bool w)
{
    int t = threadIdx.x, v = t;
    if (t % 32 < 16)
        v = __shfl_down_sync(w ? ALL : 0xffffu, v, 1, 16); // FAULT never_come
    out[t] = v;
    __syncthreads();
    out[t] += n;
}
__global__ void reads_absent(int *out, int n, bool w)
{
    int t = threadIdx.x, v = t;
    if (t % 32 >= 8)
        return;
    v += __shfl_xor_sync(0xffu, v, w ? 8 : 4); // FAULT reads_absent
    out[t] = v + n;
}
__global__ void reads_down(int *out, int n, bool w) // the upper lanes' sums are of no use, and are not used
{
    int t = threadIdx.x, v = t;
    if (t % 32 >= 8)
        return;
    for (int d = 4; d > 0; d /= 2)
        v += __shfl_down_sync(w ? 0xffu : ALL, v, d);
    int next = __shfl_sync(0xffu, v, t + 1);
    if (t % 32 == 0)
        out[t] = v + n + next;
}
__global__ void reduces_here(int *out, int n, bool w)
{
    int t = threadIdx.x, count = 0;
    if (!w || t < n / 32 * 32)
        __syncthreads(); // FAULT reduces_here
    else
        count = __syncthreads_count(t); // FAULT reduces_here
    out[t] = count;
}
__global__ void masks_differ(int *out, int n, bool w)
{
    int t = threadIdx.x, v = t, half = t % 32 / 16;
    unsigned mask = half == 0 && w ? ALL : 0xffffu << 16 * half;
    v += __shfl_xor_sync(mask, v, 1); // FAULT masks_differ
    out[t] = v;
    __syncthreads();
    out[t] += n;
}

// ---- mbarriers
typedef unsigned long long object;
static __device__ unsigned at(object *o)
{
    return (unsigned)__cvta_generic_to_shared(o);
}
static __device__ void init(object *o, unsigned count)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(o)), "r"(count) : "memory"); // FAULT init_twice FAULT expects_none FAULT misplaced
}
static __device__ void inval(object *o)
{
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at(o)) : "memory");
}
static __device__ object arrive(object *o)
{
    object state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at(o)) : "memory"); // FAULT before_init
    return state;
}
static __device__ int is_over(object *o, object state)
{
    int over;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }" // FAULT after_inval
                 : "=r"(over)
                 : "r"(at(o)), "l"(state)
                 : "memory");
    return over;
}
__global__ void before_init(int *out, int n, bool w)
{
    __shared__ object o;
    int t = threadIdx.x;
    if (!w && t == 0)
        init(&o, THREADS);
    __syncthreads();
    object state = arrive(&o);
    if (!w)
        while (!is_over(&o, state));
    out[t] = n;
}
__global__ void after_inval(int *out, int n, bool w)
{
    __shared__ object o;
    int t = threadIdx.x;
    if (t == 0)
        init(&o, THREADS);
    __syncthreads();
    object state = arrive(&o);
    while (!is_over(&o, state));
    __syncthreads();
    if (t == 0)
        inval(&o);
    if (w)
        out[t] = is_over(&o, state);
    out[t] = n;
}
__global__ void init_twice(int *out, int n, bool w)
{
    __shared__ object o;
    if (threadIdx.x == 0) {
        init(&o, 4);
        if (!w)
            inval(&o);
        init(&o, 5);
    }
    out[threadIdx.x] = n;
}
__global__ void expects_none(int *out, int n, bool w)
{
    __shared__ object o;
    if (threadIdx.x == 0)
        init(&o, w ? n - 40 : n);
    out[threadIdx.x] = n;
}
__global__ void arrives_often(int *out, int n, bool w)
{
    __shared__ object o;
    if (threadIdx.x == 0)
        init(&o, 1 << 10);
    __syncthreads();
    if (threadIdx.x < 2)
        asm volatile("{ .reg .b64 s; mbarrier.arrive.noComplete.shared.b64 s, [%0], %1; }" ::"r"(at(&o)), // FAULT arrives_often
                     "r"(w ? 513 + n : 511)
                     : "memory");
    out[threadIdx.x] = n;
}
__global__ void misplaced(int *out, int n, bool w)
{
    __shared__ object o[2];
    if (threadIdx.x == 0)
        init((object *)((char *)o + (w ? 4 : 8)), n);
    out[threadIdx.x] = n;
}

#define CASES(X)                                                                                                                           \
    X(lanes_if) X(lanes_arms) X(lanes_loop) X(lanes_trips) X(lanes_votes) X(warps_if) X(warps_end) X(warps_end_any) X(warps_trips) X(early_return) X(named)              \
    X(partial_masks) X(arms_of_warps) X(count_odd) X(counts_differ) X(too_many) X(too_few) X(number) X(numbers_cross) X(not_named)         \
    X(not_named_shuffle) X(not_named_each) X(never_come) X(reads_absent) X(reads_down) X(reduces_here) X(masks_differ) X(before_init) X(after_inval) X(init_twice) X(expects_none)       \
    X(arrives_often) X(misplaced)

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    bool w = strcmp(argv[2], "fault") == 0;
    int *out;
    cudaMalloc(&out, 2 * THREADS * sizeof *out);
#define RUN(name)                                                                                                                          \
    if (strcmp(argv[1], #name) == 0) {                                                                                                     \
        name<<<BLOCKS, THREADS>>>(out, 40, w);                                                                                             \
        cudaDeviceSynchronize();                                                                                                           \
        return 0;                                                                                                                          \
    }
    CASES(RUN)
    return 2;
}
