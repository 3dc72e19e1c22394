// SPDX-License-Identifier: Apache-2.0
// Headers of namespace cuda, without CCCL: atomics of all sizes and scopes, barriers, pipelines, latches, semaphores, and what of
// the host's std device code may use. Every kernel's result is compared with what the host works out.
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <cstdio>
#include <cstring>

namespace cg = cooperative_groups;
static int failures;
#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) printf("%s:%d: %s\n", __FILE__, __LINE__, #condition), failures++;                 \
    } while (0)

enum { N = 256 };

// One operation a kernel: loops that compare and swap take long to compile beside each other.
template <class T, cuda::thread_scope Scope, int Step> __global__ void atomics(T *cells)
{
    cuda::atomic_ref<T, Scope> cell(cells[Step]);
    T mine = (T)(threadIdx.x % 100), seen = cell.load();
    if constexpr (Step == 0) cell.fetch_add((T)1, cuda::memory_order_relaxed);
    if constexpr (Step == 1) cell.fetch_max(mine);
    if constexpr (Step == 2) cell.fetch_min(mine, cuda::std::memory_order_acq_rel);
    if constexpr (Step == 3) cell -= (T)1;
    if constexpr (Step == 4)
        while (!cell.compare_exchange_weak(seen, (T)(seen + 2), cuda::memory_order_release, cuda::memory_order_relaxed)) {
        }
    if constexpr (Step == 5) {
        if (threadIdx.x == 0) cell.store((T)42);
        __syncthreads();
        if (threadIdx.x == 1) cells[6] = cell.exchange((T)7, cuda::memory_order_acquire);
    }
}

template <class T, cuda::thread_scope Scope> static void check_atomics()
{
    T *cells;
    cudaMallocManaged(&cells, 8 * sizeof *cells);
    memset(cells, 0, 8 * sizeof *cells);
    cells[2] = (T)90, cells[3] = (T)100;
    atomics<T, Scope, 0><<<1, 100>>>(cells);
    atomics<T, Scope, 1><<<1, 100>>>(cells);
    atomics<T, Scope, 2><<<1, 100>>>(cells);
    atomics<T, Scope, 3><<<1, 100>>>(cells);
    atomics<T, Scope, 4><<<1, 100>>>(cells);
    atomics<T, Scope, 5><<<1, 100>>>(cells);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(cells[0] == (T)100 && cells[1] == (T)99 && cells[2] == (T)0 && cells[3] == (T)0 && cells[4] == (T)200);
    CHECK(cells[5] == (T)7 && cells[6] == (T)42);
    cudaFree(cells);
}

__global__ void bits(unsigned *out, cuda::atomic<unsigned> *shared_by_all)
{
    shared_by_all->fetch_or(1u << threadIdx.x % 32);
    cuda::std::atomic_ref<unsigned>(out[0]).fetch_xor(threadIdx.x);
    cuda::atomic_ref<unsigned, cuda::thread_scope_block>(out[1]).fetch_and(~(1u << threadIdx.x % 8));
    (*shared_by_all)++;
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
}

static void check_bits()
{
    unsigned *out;
    cuda::atomic<unsigned> *all;
    cudaMallocManaged(&out, 2 * sizeof *out);
    cudaMallocManaged(&all, sizeof *all);
    out[0] = 0, out[1] = 0xffffu;
    *all = 0;
    bits<<<1, 64>>>(out, all);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(out[0] == 0 && out[1] == 0xff00u); // 0 ^ ... ^ 63
    CHECK(all->load() != 0);
    unsigned before = all->exchange(5);
    CHECK(before != 5 && *all == 5 && all->fetch_add(2) == 5 && ++*all == 8);
    cudaFree(out);
    cudaFree(all);
}

// Each half of the block adds what the other half wrote, round by round.
using block_barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void rounds(int *out, int times)
{
    __shared__ block_barrier meet;
    __shared__ int values[N];
    if (threadIdx.x == 0) init(&meet, blockDim.x);
    __syncthreads();
    values[threadIdx.x] = threadIdx.x;
    for (int i = 0; i < times; i++) {
        auto token = meet.arrive();
        meet.wait(cuda::std::move(token));
        int next = values[(threadIdx.x + 1) % N];
        meet.arrive_and_wait();
        values[threadIdx.x] = next;
    }
    out[threadIdx.x] = values[threadIdx.x];
}

struct add_one {
    int *count;
    __device__ void operator()() const { ++*count; }
};
__global__ void completions(int *count, cuda::barrier<cuda::thread_scope_device, add_one> *meet, int times)
{
    if (threadIdx.x == 0) init(meet, blockDim.x, add_one{count});
    __syncthreads();
    for (int i = 0; i < times; i++) meet->arrive_and_wait();
    if (threadIdx.x % 2) {
        meet->arrive_and_drop();
    } else {
        meet->arrive_and_wait();
        meet->arrive_and_wait();
    }
}

__global__ void copied_with_barrier(const int *in, int *out)
{
    __shared__ block_barrier meet;
    __shared__ int tile[N];
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&meet, block.size());
    block.sync();
    cuda::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(sizeof tile), meet);
    meet.arrive_and_wait();
    out[threadIdx.x] = tile[N - 1 - threadIdx.x];
}

// Two stages ahead, of a thread and of a block; and half the block for the other half.
__global__ void staged(const int *in, int *out, int tiles)
{
    __shared__ int stage[2][N];
    auto pipe = cuda::make_pipeline();
    int sum = 0;
    for (int next = 0, now = 0; now < tiles; now++) {
        for (; next < tiles && next < now + 2; next++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&stage[next % 2][threadIdx.x], &in[next * N + threadIdx.x], sizeof(int), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += stage[now % 2][threadIdx.x];
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}
__global__ void staged_by_block(const int *in, int *out, int tiles)
{
    __shared__ int stage[2][N];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int next = 0, now = 0; now < tiles; now++) {
        for (; next < tiles && next < now + 2; next++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, stage[next % 2], in + next * N, sizeof stage[0], pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += stage[now % 2][(threadIdx.x + 1) % N];
        pipe.consumer_release();
    }
    out[(threadIdx.x + 1) % N] = sum;
}
__global__ void staged_by_roles(const int *in, int *out, int tiles)
{
    __shared__ int stage[2][N / 2];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    bool producer = threadIdx.x < N / 2;
    auto pipe = cuda::make_pipeline(block, &state, producer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    int mine = threadIdx.x % (N / 2), sum = 0;
    for (int i = 0; i < tiles; i++)
        if (producer) {
            pipe.producer_acquire();
            stage[i % 2][mine] = in[i * N + mine];
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum += stage[i % 2][N / 2 - 1 - mine];
            pipe.consumer_release();
        }
    if (!producer) out[N / 2 - 1 - mine] = sum;
}

__global__ void latched(int *out, cuda::binary_semaphore<cuda::thread_scope_device> *one)
{
    __shared__ cuda::latch<cuda::thread_scope_block> ready;
    if (threadIdx.x == 0) init(&ready, blockDim.x), init(one, 1);
    __syncthreads();
    one->acquire();
    out[0] = out[0] + 1; // one at a time
    __threadfence();
    one->release();
    ready.arrive_and_wait();
    if (threadIdx.x == 0) out[1] = out[0];
}

__global__ void standard(float *out)
{
    cuda::std::array<int, 3> a = {1, 2, 3};
    cuda::std::tuple<int, float> t(4, 0.5f);
    cuda::std::optional<int> some = 6;
    cuda::std::complex<float> z(1.0f, 2.0f), w = z * z;
    out[0] = a[0] + a[2] + cuda::std::get<0>(t) + cuda::std::get<1>(t) + *some;
    out[1] = w.real() + w.imag();
    out[2] = cuda::std::numeric_limits<float>::max();
    out[3] = cuda::ceil_div(10, 4) + cuda::maximum<int>{}(3, 5) + cuda::minimum<>{}(2, 9);
    static_assert(cuda::std::is_same_v<cuda::std::common_type_t<int, float>, float>, "type traits");
}

int main()
{
    check_atomics<unsigned char, cuda::thread_scope_system>();
    check_atomics<short, cuda::thread_scope_device>();
    check_atomics<int, cuda::thread_scope_block>();
    check_atomics<unsigned long, cuda::thread_scope_system>();
    check_atomics<float, cuda::thread_scope_device>();
    check_atomics<double, cuda::thread_scope_block>();
    check_bits();

    enum { TILES = 5 };
    int *in, *out;
    cudaMalloc(&in, TILES * N * sizeof *in);
    cudaMallocManaged(&out, N * sizeof *out);
    static int host[TILES * N], sums[N];
    for (int i = 0; i < TILES * N; i++) host[i] = i * 7 % 1000, sums[i % N] += host[i];
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);

    rounds<<<1, N>>>(out, 5);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < N; i++) CHECK(out[i] == (i + 5) % N);

    cuda::barrier<cuda::thread_scope_device, add_one> *meet;
    cudaMalloc(&meet, sizeof *meet);
    out[0] = 0;
    completions<<<1, 64>>>(out, meet, 3);
    CHECK(cudaDeviceSynchronize() == cudaSuccess && out[0] == 5);

    copied_with_barrier<<<1, N>>>(in, out);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < N; i++) CHECK(out[i] == host[N - 1 - i]);

    void (*const kernels[])(const int *, int *, int) = {staged, staged_by_block, staged_by_roles};
    for (int k = 0; k < 3; k++) {
        memset(out, 0, N * sizeof *out);
        kernels[k]<<<1, N>>>(in, out, TILES);
        CHECK(cudaDeviceSynchronize() == cudaSuccess);
        for (int i = 0; i < (k == 2 ? N / 2 : N); i++) CHECK(out[i] == sums[i]);
    }

    cuda::binary_semaphore<cuda::thread_scope_device> *one;
    cudaMalloc(&one, sizeof *one);
    out[0] = out[1] = 0;
    latched<<<1, 40>>>(out, one);
    CHECK(cudaDeviceSynchronize() == cudaSuccess && out[0] == 40 && out[1] == 40);

    float *answers;
    cudaMallocManaged(&answers, 4 * sizeof *answers);
    standard<<<1, 1>>>(answers);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(answers[0] == 14.5f && answers[1] == 1.0f && answers[2] > 3e38f && answers[3] == 10.0f);

    cuda::barrier<cuda::thread_scope_system> alone(1); // the host's, too
    alone.arrive_and_wait();
    alone.arrive_and_wait();
    puts(failures ? "FAILED" : "ok");
    return failures != 0;
}
