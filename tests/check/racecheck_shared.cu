// SPDX-License-Identifier: Apache-2.0
// Races in shared memory, and the same mended (planted.h).
#include "planted.h"
#include <cooperative_groups.h>

#define SHARED(p) ((unsigned)__cvta_generic_to_shared(p))
#define BAR_SYNC(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define BAR_ARRIVE(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")
#define CP_ASYNC4(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(SHARED(to)), "l"(from) : "memory")
#define CP_COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define CP_WAIT(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")
#define MBAR_INIT(bar, n) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(SHARED(bar)), "r"(n) : "memory")
#define MBAR_ARRIVE(bar) asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(SHARED(bar)) : "memory")
#define MBAR_EXPECT(bar, n) asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared.b64 s, [%0], %1; }" ::"r"(SHARED(bar)), "r"(n) : "memory")
#define MBAR_WAIT(bar, parity) while (!mbarrier_test(SHARED(bar), parity)) continue
#define BULK_LOAD(to, from, n, bar) asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(SHARED(to)), "l"(from), "r"(n), "r"(SHARED(bar)) : "memory")
#define BULK_STORE(to, from, n) asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(SHARED(from)), "r"(n) : "memory")
#define BULK_COMMIT() asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define BULK_WAIT_READ() asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory")
#define BULK_WAIT() asm volatile("cp.async.bulk.wait_group 0;" ::: "memory")
#define PROXY_FENCE() asm volatile("fence.proxy.async.shared::cta;" ::: "memory")
__device__ __forceinline__ bool mbarrier_test(unsigned bar, unsigned parity)
{
    unsigned done;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(bar), "r"(parity) : "memory");
    return done;
}

static int ident(int i) { return i; }
template <typename K> static int *launch(K kernel, int threads, int n) // one block; n results
{
    int *out = make<int>(n);
    kernel<<<1, threads>>>(out, wrong);
    return out;
}

// ---- barriers of the whole block

__global__ void raw(int *out, bool w)
{
    __shared__ int tile[128];
    int t = threadIdx.x;
    tile[t] = t; // FAULT raw
    if (!w) __syncthreads();
    out[t] = tile[(t + 32) % 128]; // OTHER raw
}
CASE(raw) { return holds<int>(launch(raw, 128, 128), 128, [](int i) { return (i + 32) % 128; }); }

__global__ void war(int *out, bool w)
{
    __shared__ int tile[128];
    int t = threadIdx.x;
    tile[t] = t;
    __syncthreads();
    int v = tile[(t + 32) % 128]; // OTHER war
    if (!w) __syncthreads();
    tile[t] = v; // FAULT war
    out[t] = tile[t];
}
CASE(war) { return holds<int>(launch(war, 128, 128), 128, [](int i) { return (i + 32) % 128; }); }

__global__ void waw(int *out, bool w)
{
    __shared__ int tile[128];
    int t = threadIdx.x;
    tile[t] = 1; // OTHER waw
    if (!w) __syncthreads();
    tile[(t + 32) % 128] = 2; // FAULT waw
    __syncthreads();
    out[t] = tile[t];
}
CASE(waw) { return holds<int>(launch(waw, 128, 128), 128, [](int) { return 2; }); }

__global__ void tile_reuse(const int *a, int *out, int steps, bool w)
{
    __shared__ int tile[128];
    int t = threadIdx.x, sum = 0;
    for (int s = 0; s < steps; s++) {
        tile[t] = a[128 * s + t]; // FAULT tile_reuse
        __syncthreads();
        for (int k = 0; k < 128; k += 16)
            sum += tile[(t + k) % 128]; // OTHER tile_reuse
        if (!w) __syncthreads();
    }
    out[t] = sum;
}
CASE(tile_reuse)
{
    int *out = make<int>(128);
    tile_reuse<<<1, 128>>>(made<int>(512, [](int i) { return i / 128; }), out, 4, wrong);
    return holds<int>(out, 128, [](int) { return 48; });
}

__global__ void matrix(const float *a, const float *b, float *c, int n, bool w)
{
    __shared__ float s[8][8], u[8][8];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 8 + y, column = blockIdx.x * 8 + x;
    float sum = 0;
    for (int k = 0; k < n; k += 8) {
        s[y][x] = a[row * n + k + x];
        u[y][x] = b[(k + y) * n + column]; // FAULT matrix
        if (!w) __syncthreads();
        for (int j = 0; j < 8; j++)
            sum += s[y][j] * u[j][x]; // OTHER matrix
        __syncthreads();
    }
    c[row * n + column] = sum;
}
CASE(matrix)
{
    float *a = made<float>(1024, [](int i) { return float(i % 3); }), *c = make<float>(1024);
    matrix<<<dim3(4, 4), dim3(8, 8)>>>(a, made<float>(1024, [](int) { return 1.f; }), c, 32, wrong);
    return holds<float>(c, 1024, [](int i) { int sum = 0; for (int k = 0; k < 32; k++) sum += (i / 32 * 32 + k) % 3; return float(sum); });
}

__global__ void transposed(int *out, bool w)
{
    __shared__ int tile[16][17];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = 16 * y + x; // FAULT transposed
    if (w) __syncwarp(); // which orders only the two rows of a warp
    else __syncthreads();
    out[16 * y + x] = tile[x][y]; // OTHER transposed
}
CASE(transposed)
{
    int *out = make<int>(256);
    transposed<<<1, dim3(16, 16)>>>(out, wrong);
    return holds<int>(out, 256, [](int i) { return i % 16 * 16 + i / 16; });
}

__global__ void tree(int *out, bool w)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = 1;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d]; // FAULT tree
        if (!w || d == 1) __syncthreads();
    }
    out[t] = s[0];
}
CASE(tree) { return holds<int>(launch(tree, 256, 256), 256, [](int) { return 256; }); }

__global__ void last_warp(int *out, bool w) // no barrier once a single warp works, as before Volta
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = 1;
    __syncthreads();
    for (int d = 64; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d]; // FAULT last_warp
        if (d > 32 || !w) __syncthreads();
    }
    if (t == 0) out[0] = s[0];
}
CASE(last_warp) { return holds<int>(launch(last_warp, 128, 1), 1, [](int) { return 128; }); }

__global__ void scan(int *out, bool w) // in place: the read and the write of a step need a barrier between them
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = 1;
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        int v = t >= d ? s[t - d] : 0; // OTHER scan
        if (!w) __syncthreads();
        s[t] += v; // FAULT scan
        __syncthreads();
    }
    out[t] = s[t];
}
CASE(scan) { return holds<int>(launch(scan, 128, 128), 128, [](int i) { return i + 1; }); }

__global__ void double_buffer(int *out, bool w) // one barrier a step is enough for two tiles, not for one
{
    __shared__ int tile[2][64];
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < 6; k++) {
        int *p = tile[w ? 0 : k & 1];
        p[t] = k; // FAULT double_buffer
        __syncthreads();
        sum += p[(t + 32) % 64]; // OTHER double_buffer
    }
    out[t] = sum;
}
CASE(double_buffer) { return holds<int>(launch(double_buffer, 64, 64), 64, [](int) { return 15; }); }

__global__ void barrier_or(int *out, bool w)
{
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = t; // FAULT barrier_or
    bool any = w ? __any_sync(0xffffffff, t > 5) : __syncthreads_or(t > 5);
    out[t] = tile[63 - t] + any; // OTHER barrier_or
}
CASE(barrier_or) { return holds<int>(launch(barrier_or, 64, 64), 64, [](int i) { return 64 - i; }); }

__global__ void dynamic_overlap(int *out, bool w) // two arrays in one piece of dynamic shared memory
{
    extern __shared__ int dynamic[];
    int t = threadIdx.x, *a = dynamic, *b = dynamic + (w ? 32 : 64);
    a[t] = t; // OTHER dynamic_overlap
    b[t] = 100 + t; // FAULT dynamic_overlap
    __syncthreads();
    out[t] = a[63 - t] + b[63 - t];
}
CASE(dynamic_overlap)
{
    int *out = make<int>(64);
    dynamic_overlap<<<1, 64, 512>>>(out, wrong);
    return holds<int>(out, 64, [](int i) { return 100 + 2 * (63 - i); });
}

// ---- lanes of one warp

__global__ void exchange(int *out, bool w)
{
    __shared__ int tile[32];
    int t = threadIdx.x;
    tile[t] = t; // FAULT exchange
    if (!w) __syncwarp();
    out[t] = tile[t ^ 1]; // OTHER exchange
}
CASE(exchange) { return holds<int>(launch(exchange, 32, 32), 32, [](int i) { return i ^ 1; }); }

__global__ void warp_sum(int *out, bool w)
{
    __shared__ int s[64];
    int t = threadIdx.x, v = 1;
    s[t] = 1;
    s[t + 32] = 0;
    __syncwarp();
    for (int d = 16; d > 0; d /= 2) {
        v += s[t + d]; // OTHER warp_sum
        if (!w) __syncwarp();
        s[t] = v; // FAULT warp_sum
        if (!w) __syncwarp();
    }
    if (t == 0) out[0] = v;
}
CASE(warp_sum) { return holds<int>(launch(warp_sum, 32, 1), 1, [](int) { return 32; }); }

__global__ void warp_volatile(int *out, bool w) // volatile orders nothing between lanes
{
    __shared__ volatile int s[32];
    int t = threadIdx.x;
    s[t] = 1;
    __syncwarp();
    for (int d = 16; d > 0; d /= 2) {
        if (t < d) s[t] = s[t] + s[t + d]; // FAULT warp_volatile
        if (!w) __syncwarp();
    }
    if (t == 0) out[0] = s[0];
}
CASE(warp_volatile) { return holds<int>(launch(warp_volatile, 32, 1), 1, [](int) { return 32; }); }

__global__ void branches(int *out, bool w) // the halves of an if are not ordered
{
    __shared__ int tile[16];
    int t = threadIdx.x;
    if (t < 16) tile[t] = t; // FAULT branches
    if (!w) __syncwarp();
    if (t >= 16) out[t - 16] = tile[31 - t]; // OTHER branches
}
CASE(branches) { return holds<int>(launch(branches, 32, 16), 16, [](int i) { return 15 - i; }); }

__global__ void vote(int *out, bool w) // a vote is no memory barrier
{
    __shared__ int tile[32];
    int t = threadIdx.x;
    tile[t] = t; // FAULT vote
    if (w) __ballot_sync(0xffffffff, t > 3);
    else __syncwarp();
    out[t] = tile[31 - t]; // OTHER vote
}
CASE(vote) { return holds<int>(launch(vote, 32, 32), 32, [](int i) { return 31 - i; }); }

__global__ void half_mask(int *out, bool w) // lanes 0 to 15 and 16 to 31 wait apart
{
    __shared__ int tile[32];
    int t = threadIdx.x;
    tile[t] = t; // FAULT half_mask
    __syncwarp(t < 16 ? 0x0000ffff : 0xffff0000);
    out[t] = tile[w ? 31 - t : t ^ 15]; // OTHER half_mask
}
CASE(half_mask) { return holds<int>(launch(half_mask, 32, 32), 32, [](int i) { return i ^ 15; }); }

__global__ void group_tile(int *out, bool w)
{
    __shared__ int tile[64];
    int t = threadIdx.x;
    auto eight = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
    tile[t] = t; // FAULT group_tile
    eight.sync();
    out[t] = tile[w ? t ^ 8 : t ^ 7]; // OTHER group_tile
}
CASE(group_tile) { return holds<int>(launch(group_tile, 64, 64), 64, [](int i) { return i ^ 7; }); }

__global__ void same_word(int *out, bool w) // which of two lanes' values stays is undefined
{
    __shared__ int tile[32];
    int t = threadIdx.x;
    if (w || t % 2 == 0) tile[t / 2] = t; // FAULT same_word
    __syncwarp();
    if (t < 16) out[t] = tile[t];
}
CASE(same_word) { return holds<int>(launch(same_word, 32, 16), 16, [](int i) { return 2 * i; }); }

// ---- parts of a word

__global__ void bytes(int *out, bool w)
{
    __shared__ unsigned char b[128];
    int t = threadIdx.x;
    b[w ? t % 64 : t] = t; // FAULT bytes
    __syncthreads();
    out[t] = b[t ^ 64];
}
CASE(bytes) { return holds<int>(launch(bytes, 128, 128), 128, [](int i) { return i ^ 64; }); }

__global__ void wider(int *out, bool w) // one warp writes bytes, another reads words of them
{
    __shared__ int words[8];
    int t = threadIdx.x;
    if (t < 32) ((unsigned char *)words)[t] = 1; // FAULT wider
    if (!w) __syncthreads();
    if (t >= 56) out[t - 56] = words[t - 56]; // OTHER wider
}
CASE(wider) { return holds<int>(launch(wider, 64, 8), 8, [](int) { return 0x01010101; }); }

__global__ void vector_store(int *out, bool w) // the store of four words reaches into a neighbour's word
{
    __shared__ __align__(16) int s[260];
    int t = threadIdx.x;
    if (t < 32) asm volatile("st.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(SHARED(&s[4 * t])), "r"(t) : "memory"); // FAULT vector_store
    else s[4 * t - (w ? 1 : 0)] = t; // OTHER vector_store
    __syncthreads();
    out[t] = s[4 * t - (w && t >= 32 ? 1 : 0)];
}
CASE(vector_store) { return holds<int>(launch(vector_store, 64, 64), 64, [](int i) { return i; }); }

// ---- atomics

__global__ void atomic_read(int *out, bool w)
{
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    atomicAdd(&count, 1); // FAULT atomic_read
    if (!w) __syncthreads();
    out[threadIdx.x] = count; // OTHER atomic_read
}
CASE(atomic_read) { return holds<int>(launch(atomic_read, 96, 96), 96, [](int) { return 96; }); }

__global__ void atomic_init(int *out, bool w)
{
    __shared__ int count;
    if (threadIdx.x == 0) count = 0; // OTHER atomic_init
    if (!w) __syncthreads();
    atomicAdd(&count, 1); // FAULT atomic_init
    __syncthreads();
    out[threadIdx.x] = count;
}
CASE(atomic_init) { return holds<int>(launch(atomic_init, 96, 96), 96, [](int) { return 96; }); }

__global__ void histogram(int *out, bool w)
{
    __shared__ int bins[8];
    int t = threadIdx.x;
    if (t < 8) bins[t] = 0;
    __syncthreads();
    if (w) bins[t % 8]++; // FAULT histogram
    else atomicAdd(&bins[t % 8], 1);
    __syncthreads();
    if (t < 8) out[t] = bins[t];
}
CASE(histogram) { return holds<int>(launch(histogram, 128, 8), 8, [](int) { return 16; }); }

__global__ void compact(int *out, bool w) // places from an atomic counter are one thread's own; a guess at them is not
{
    __shared__ int place[64], count;
    int t = threadIdx.x;
    if (t == 0) count = 0;
    __syncthreads();
    if (t % 2) {
        int at = atomicAdd(&count, 1);
        place[w ? at / 2 : at] = t; // FAULT compact
    }
    __syncthreads();
    if (t < count) atomicAdd(&out[0], place[t]);
}
CASE(compact) { return holds<int>(launch(compact, 64, 1), 1, [](int) { return 1024; }); }

__global__ void flag(int *out, bool w) // volatile is no fence
{
    __shared__ int data;
    __shared__ volatile int ready;
    int t = threadIdx.x;
    if (t == 0) ready = 0;
    __syncthreads();
    if (t == 0) {
        data = 42; // FAULT flag
        if (!w) __threadfence_block();
        ready = 1;
    } else if (t == 32) {
        while (!ready) continue;
        if (!w) __threadfence_block();
        out[0] = data; // OTHER flag
    }
}
CASE(flag) { return holds<int>(launch(flag, 64, 1), 1, [](int) { return 42; }); }

// ---- named barriers

__global__ void named_subset(int *out, bool w) // warps 0 and 1 wait for each other, 2 and 3 too
{
    __shared__ int tile[128];
    int t = threadIdx.x;
    tile[t] = t; // FAULT named_subset
    BAR_SYNC(1 + t / 64, 64);
    out[t] = tile[w ? t ^ 64 : t ^ 32]; // OTHER named_subset
}
CASE(named_subset) { return holds<int>(launch(named_subset, 128, 128), 128, [](int i) { return i ^ 32; }); }

__global__ void produced(int *out, bool w) // the producer arrives before it has written
{
    __shared__ int tile[32];
    int t = threadIdx.x;
    if (t < 32) {
        if (w) BAR_ARRIVE(1, 64);
        tile[t] = t; // FAULT produced
        if (!w) BAR_ARRIVE(1, 64);
    } else {
        BAR_SYNC(1, 64);
        out[t - 32] = tile[63 - t]; // OTHER produced
    }
}
CASE(produced) { return holds<int>(launch(produced, 64, 32), 32, [](int i) { return 31 - i; }); }

__global__ void refilled(int *out, bool w) // the producer writes again without waiting until the tile was read
{
    __shared__ int tile[32];
    int t = threadIdx.x % 32, sum = 0;
    for (int k = 0; k < 4; k++)
        if (threadIdx.x < 32) {
            if (!w && k > 0) BAR_SYNC(2, 64);
            tile[t] = k; // FAULT refilled
            BAR_SYNC(1, 64);
        } else {
            BAR_SYNC(1, 64);
            sum += tile[31 - t]; // OTHER refilled
            if (!w && k < 3) BAR_ARRIVE(2, 64);
        }
    if (threadIdx.x >= 32) out[t] = sum;
}
CASE(refilled) { return holds<int>(launch(refilled, 64, 32), 32, [](int) { return 6; }); }

// ---- asynchronous copies

__global__ void async_no_wait(const int *a, int *out, bool w) // a barrier does not wait for copies
{
    __shared__ int tile[64];
    int t = threadIdx.x;
    CP_ASYNC4(&tile[t], &a[t]); // FAULT async_no_wait
    CP_COMMIT();
    if (!w) CP_WAIT(0);
    __syncthreads();
    out[t] = tile[63 - t]; // OTHER async_no_wait
    CP_WAIT(0);
}
__global__ void async_own(const int *a, int *out, bool w) // not even for the thread that made them
{
    __shared__ int tile[64];
    int t = threadIdx.x;
    CP_ASYNC4(&tile[t], &a[63 - t]); // FAULT async_own
    CP_COMMIT();
    if (!w) CP_WAIT(0);
    out[t] = tile[t]; // OTHER async_own
    CP_WAIT(0);
}
__global__ void async_no_barrier(const int *a, int *out, bool w) // a wait is for the thread's own copies
{
    __shared__ int tile[64];
    int t = threadIdx.x;
    CP_ASYNC4(&tile[t], &a[t]); // FAULT async_no_barrier
    CP_COMMIT();
    CP_WAIT(0);
    if (!w) __syncthreads();
    out[t] = tile[63 - t]; // OTHER async_no_barrier
}
__global__ void async_group(const int *a, int *out, bool w) // all groups but the last have ended, and the last is read
{
    __shared__ int first[64], second[64];
    int t = threadIdx.x;
    CP_ASYNC4(&first[t], &a[t]);
    CP_COMMIT();
    CP_ASYNC4(&second[t], &a[t]); // FAULT async_group
    CP_COMMIT();
    if (w) CP_WAIT(1);
    else CP_WAIT(0);
    __syncthreads();
    out[t] = first[63 - t];
    out[t] = second[63 - t]; // OTHER async_group
    CP_WAIT(0);
}
__global__ void async_reuse(const int *a, int *out, bool w) // the next copy begins while the tile is read
{
    __shared__ int tile[64];
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < 3; k++) {
        CP_ASYNC4(&tile[t], &a[t]); // FAULT async_reuse
        CP_COMMIT();
        CP_WAIT(0);
        __syncthreads();
        sum += tile[63 - t]; // OTHER async_reuse
        if (!w) __syncthreads();
    }
    out[t] = sum / 3;
}
template <typename K> static bool copies(K kernel)
{
    int *out = make<int>(64);
    kernel<<<1, 64>>>(made<int>(64, ident), out, wrong);
    return holds<int>(out, 64, [](int i) { return 63 - i; });
}
__global__ void async_ring(const int *a, int *out, bool w) // one stage more than the ring holds, and no barrier before a stage is refilled
{
    enum { STAGES = 4, STEPS = 8 };
    __shared__ int ring[STAGES][64];
    int t = threadIdx.x, sum = 0, ahead = w ? STAGES + 1 : STAGES - 1;
    for (int k = 0, next = 0; k < STEPS; k++) {
        for (; next < k + ahead; next++) {
            if (next < STEPS) CP_ASYNC4(&ring[next % STAGES][t], &a[t]); // FAULT async_ring
            CP_COMMIT();
        }
        if (w)
            CP_WAIT(4);
        else
            CP_WAIT(2);
        __syncthreads();
        sum += ring[k % STAGES][63 - t]; // OTHER async_ring
        if (!w) __syncthreads();
    }
    out[t] = sum / STEPS;
}
CASE(async_ring) { return copies(async_ring); }
CASE(async_no_wait) { return copies(async_no_wait); }
CASE(async_own) { return copies(async_own); }
CASE(async_no_barrier) { return copies(async_no_barrier); }
CASE(async_group) { return copies(async_group); }
CASE(async_reuse) { return copies(async_reuse); }

// ---- barrier objects

__global__ void mbarrier_parity(int *out, bool w) // the phase before the first has ended from the start
{
    __shared__ unsigned long long bar;
    __shared__ int tile[64];
    int t = threadIdx.x;
    if (t == 0) MBAR_INIT(&bar, 65);
    __syncthreads();
    tile[t] = t; // FAULT mbarrier_parity
    if (t == 0 && !w) MBAR_ARRIVE(&bar); // so that the wrong wait never hangs: the phase does not end
    MBAR_ARRIVE(&bar);
    MBAR_WAIT(&bar, w ? 1 : 0);
    out[t] = tile[63 - t]; // OTHER mbarrier_parity
}
CASE(mbarrier_parity) { return holds<int>(launch(mbarrier_parity, 64, 64), 64, [](int i) { return 63 - i; }); }

__global__ void mbarrier_early(int *out, bool w) // arrives before it has written
{
    __shared__ unsigned long long bar;
    __shared__ int tile[64];
    int t = threadIdx.x;
    if (t == 0) MBAR_INIT(&bar, 64);
    __syncthreads();
    if (w) MBAR_ARRIVE(&bar);
    tile[t] = t; // FAULT mbarrier_early
    if (!w) MBAR_ARRIVE(&bar);
    MBAR_WAIT(&bar, 0);
    out[t] = tile[63 - t]; // OTHER mbarrier_early
}
CASE(mbarrier_early) { return holds<int>(launch(mbarrier_early, 64, 64), 64, [](int i) { return 63 - i; }); }

__global__ void mbarrier_count(int *out, bool w) // does not wait for the last warp
{
    __shared__ unsigned long long bar;
    __shared__ int tile[96];
    int t = threadIdx.x;
    if (t == 0) MBAR_INIT(&bar, w ? 64 : 96);
    __syncthreads();
    tile[t] = t; // FAULT mbarrier_count
    MBAR_ARRIVE(&bar);
    MBAR_WAIT(&bar, 0);
    out[t] = tile[95 - t]; // OTHER mbarrier_count
}
CASE(mbarrier_count) { return holds<int>(launch(mbarrier_count, 96, 96), 96, [](int i) { return 95 - i; }); }

__global__ void mbarrier_phases(int *out, bool w) // the parity must change with each phase
{
    __shared__ unsigned long long bar;
    __shared__ int tile[2][64];
    int t = threadIdx.x, sum = 0;
    if (t == 0) MBAR_INIT(&bar, 65);
    __syncthreads();
    for (int k = 0; k < 2; k++) {
        tile[k][t] = k; // FAULT mbarrier_phases
        if (t == 0 && !(w && k == 1)) MBAR_ARRIVE(&bar); // so that the wrong wait never hangs: the second phase does not end
        MBAR_ARRIVE(&bar);
        MBAR_WAIT(&bar, w ? 0 : k & 1);
        sum += tile[k][63 - t]; // OTHER mbarrier_phases
    }
    out[t] = sum;
}
CASE(mbarrier_phases) { return holds<int>(launch(mbarrier_phases, 64, 64), 64, [](int) { return 1; }); }

__global__ void bulk_no_wait(const int *a, int *out, bool w)
{
    __shared__ __align__(16) int tile[64];
    __shared__ unsigned long long bar;
    int t = threadIdx.x;
    if (t == 0) {
        MBAR_INIT(&bar, 1);
        PROXY_FENCE();
    }
    __syncthreads();
    if (t == 0) {
        MBAR_EXPECT(&bar, 256);
        BULK_LOAD(tile, a, 256, &bar); // FAULT bulk_no_wait
    }
    if (!w) MBAR_WAIT(&bar, 0);
    __syncthreads();
    out[t] = tile[63 - t]; // OTHER bulk_no_wait
    MBAR_WAIT(&bar, 0);
}
CASE(bulk_no_wait) { return copies(bulk_no_wait); }

__global__ void bulk_source(int *out, bool w) // what a copy still reads is written again
{
    __shared__ __align__(16) int tile[64];
    int t = threadIdx.x;
    tile[t] = t;
    PROXY_FENCE();
    __syncthreads();
    if (t == 0) {
        BULK_STORE(out, tile, 256); // OTHER bulk_source
        BULK_COMMIT();
        if (!w) BULK_WAIT_READ();
    }
    __syncthreads();
    tile[t] = 0; // FAULT bulk_source
    if (t == 0) BULK_WAIT();
}
CASE(bulk_source) { return holds<int>(launch(bulk_source, 64, 64), 64, ident); }

__global__ void bulk_proxy(int *out, bool w) // plain writes are not visible to the asynchronous proxy without its fence
{
    __shared__ __align__(16) int tile[64];
    int t = threadIdx.x;
    tile[t] = t; // FAULT bulk_proxy
    if (!w) PROXY_FENCE();
    __syncthreads();
    if (t == 0) {
        BULK_STORE(out, tile, 256); // OTHER bulk_proxy
        BULK_COMMIT();
        BULK_WAIT();
    }
}
CASE(bulk_proxy) { return holds<int>(launch(bulk_proxy, 64, 64), 64, ident); }

// Shared memory of the system, behind the block's own.
static __device__ int *reserved()
{
    unsigned offset;
    asm("mov.u32 %0, %%reserved_smem_offset_1;" : "=r"(offset));
    return static_cast<int *>(__cvta_shared_to_generic(offset));
}
__global__ void system_memory(int *out, bool w) // cooperative groups take a shuffle to order it, as it does for nobody else
{
    __shared__ int own[32];
    int t = threadIdx.x, *at = w ? own : reserved() + 64;
    if (t % 32 == 0) at[t / 32] = t + 1; // OTHER system_memory
    int first = __shfl_sync(~0u, t, 0);
    out[t] = at[first / 32]; // FAULT system_memory
}
CASE(system_memory) { return holds<int>(launch(system_memory, 64, 64), 64, [](int i) { return i / 32 * 32 + 1; }); }
__global__ void bulk_proxy_before(int *out, bool w) // the fence comes before the writes that it is for
{
    __shared__ __align__(16) int tile[64];
    int t = threadIdx.x;
    if (w) PROXY_FENCE();
    tile[t] = t; // FAULT bulk_proxy_before
    if (!w) PROXY_FENCE();
    __syncthreads();
    if (t == 0) {
        BULK_STORE(out, tile, 256); // OTHER bulk_proxy_before
        BULK_COMMIT();
        BULK_WAIT();
    }
}
CASE(bulk_proxy_before) { return holds<int>(launch(bulk_proxy_before, 64, 64), 64, ident); }

__global__ void bulk_proxy_one(int *out, bool w) // the copying thread fences, but before it has met the others
{
    __shared__ __align__(16) int tile[64];
    int t = threadIdx.x;
    tile[t] = t; // FAULT bulk_proxy_one
    if (w && t == 0) PROXY_FENCE();
    __syncthreads();
    if (!w && t == 0) PROXY_FENCE();
    if (t == 0) {
        BULK_STORE(out, tile, 256); // OTHER bulk_proxy_one
        BULK_COMMIT();
        BULK_WAIT();
    }
}
CASE(bulk_proxy_one) { return holds<int>(launch(bulk_proxy_one, 64, 64), 64, ident); }
