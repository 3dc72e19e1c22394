// SPDX-License-Identifier: Apache-2.0
// Programs whose result depends on the order of blocks and warps, and programs whose result does not. usage: schedules [CASE]
// Without a case: their names. The exit status says whether the result is right.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

enum { BLOCKS = 64, THREADS = 128 };

#define need(call) (void)((call) == cudaSuccess || (std::fprintf(stderr, "%s failed\n", #call), std::exit(9), 0))

template <class T> static T *make(int count)
{
    T *memory;
    need(cudaMalloc(&memory, count * sizeof(T)));
    need(cudaMemset(memory, 0, count * sizeof(T)));
    return memory;
}

template <class T> static T get(const T *memory)
{
    T value;
    need(cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDefault));
    return value;
}

__global__ void last_block_wins(int *out)
{
    if (threadIdx.x == 0) *out = blockIdx.x + 1; // LINE last_block_wins
}
__global__ void last_warp_wins(int *out)
{
    __shared__ int last;
    if (threadIdx.x % 32 == 0) last = threadIdx.x / 32 + 1;
    __syncthreads();
    if (threadIdx.x == 0) *out = last;
}
__global__ void middle_block_wins(int *out) // first and last are the same in descending order: only a shuffled one tells
{
    int last = gridDim.x - 1;
    if (threadIdx.x == 0 && blockIdx.x != 0 && blockIdx.x != last)
        if (atomicAdd(out + 1, 1) == 0) out[0] = blockIdx.x == 1 || blockIdx.x == last - 1 ? 7 : 8;
}
__global__ void sums(const int *in, int *out)
{
    __shared__ int part[THREADS];
    part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int step = THREADS / 2; step > 0; step /= 2) {
        if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(out, part[0]);
}
__global__ void fill(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i % 17;
}
__global__ void float_sum(float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 32 == 0) atomicAdd(out, 1.0f / (i + 1));
}
__global__ void lock_without_fence(int *lock, int *data) // block 0 takes it without a fence; the others have one
{
    if (threadIdx.x) return;
    while (atomicCAS(lock, 0, 1) != 0) continue;
    if (blockIdx.x != 0) __threadfence();
    *data += 1; // LINE lock_without_fence
    __threadfence();
    atomicExch(lock, 0);
}
__global__ void flag_looked_at(int *data, volatile int *flag, int *out) // does not wait for the flag
{
    if (blockIdx.x == 0) {
        *data = 42; // LINE flag_looked_at
        __threadfence();
        *flag = 1;
    } else {
        bool ready = *flag != 0;
        __threadfence();
        *out = ready ? *data : *data + 42;
    }
}
__global__ void chain(volatile int *turn, int *out) // each block waits for the one before
{
    if (threadIdx.x) return;
    while (*turn != (int)blockIdx.x) continue;
    __threadfence();
    *out = *out * 3 + blockIdx.x;
    __threadfence();
    *turn = blockIdx.x + 1;
}
__global__ void tickets(int *ticket, volatile int *turn, int *out) // numbers by order of arrival, then the same chain
{
    if (threadIdx.x) return;
    int mine = atomicAdd(ticket, 1);
    while (*turn != mine) continue;
    __threadfence();
    *out = *out * 3 + mine;
    __threadfence();
    *turn = mine + 1;
}
__global__ void first_writes(int *claimed, int *low, int *high) // into one of two allocations
{
    if (threadIdx.x == 0 && atomicExch(claimed, 1) == 0) *(blockIdx.x < gridDim.x / 2 ? low : high) = 1;
}
__global__ void last_warp_that_waits(volatile int *begun, int *out)
{
    if (blockIdx.x == 1) *begun = 1;
    while (*begun == 0) continue;
    if (blockIdx.x == 0 && threadIdx.x % 32 == 0) *out = threadIdx.x / 32 + 1;
}
__global__ void stamp(long long *out, long long seed)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) *out = seed;
}

static int case_last_block()
{
    int *out = make<int>(1);
    last_block_wins<<<BLOCKS, THREADS>>>(out);
    need(cudaDeviceSynchronize());
    return 0;
}
static int case_printed()
{
    int *out = make<int>(1);
    last_block_wins<<<BLOCKS, THREADS>>>(out);
    std::printf("first line\nlast block %d\n", get(out) - 1);
    return 0;
}
static long long now()
{
    timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}
static int case_times()
{
    int *out = make<int>(1);
    std::printf("begun at %lld\n", now());
    sums<<<1, THREADS>>>(make<int>(THREADS), out);
    std::printf("%d\nended at %lld\n", get(out), now());
    return 0;
}
static int case_times_printed()
{
    std::printf("begun at %lld\n", now());
    return case_printed();
}
static int case_status()
{
    int *out = make<int>(1);
    last_block_wins<<<BLOCKS, THREADS>>>(out);
    return get(out) == BLOCKS ? 0 : 1;
}
static int case_last_warp()
{
    int *out = make<int>(1);
    last_warp_wins<<<1, THREADS>>>(out);
    need(cudaDeviceSynchronize());
    return 0;
}
static int case_middle_block()
{
    int *out = make<int>(2);
    middle_block_wins<<<BLOCKS, 32>>>(out);
    need(cudaDeviceSynchronize());
    return 0;
}
static int case_second_launch()
{
    int *in = make<int>(BLOCKS * THREADS), *out = make<int>(2);
    fill<<<BLOCKS, THREADS>>>(in);
    sums<<<BLOCKS, THREADS>>>(in, out);
    last_block_wins<<<BLOCKS, THREADS>>>(out + 1);
    sums<<<BLOCKS, THREADS>>>(in, out);
    need(cudaDeviceSynchronize());
    return 0;
}
static int case_either()
{
    int *claimed = make<int>(1), *low = make<int>(1), *high = make<int>(1);
    first_writes<<<BLOCKS, THREADS>>>(claimed, low, high);
    fill<<<1, 1>>>(claimed);
    need(cudaDeviceSynchronize());
    return 0;
}
static int case_last_that_waits()
{
    int *out = make<int>(1);
    last_warp_that_waits<<<2, THREADS>>>(make<int>(1), out);
    need(cudaDeviceSynchronize());
    return 0;
}
static int case_correct()
{
    int *in = make<int>(BLOCKS * THREADS), *out = make<int>(1), want = 0;
    fill<<<BLOCKS, THREADS>>>(in);
    sums<<<BLOCKS, THREADS>>>(in, out);
    for (int i = 0; i < BLOCKS * THREADS; i++) want += i % 17;
    std::printf("%d\n", get(out));
    return get(out) == want ? 0 : 1;
}
static int case_float_sum()
{
    float *out = make<float>(1);
    float_sum<<<BLOCKS, THREADS>>>(out);
    return get(out) > 1 ? 0 : 1;
}
static int case_lock()
{
    int *lock = make<int>(1), *data = make<int>(1);
    lock_without_fence<<<2, 32>>>(lock, data);
    return get(data) == 2 ? 0 : 1;
}
static int case_flag()
{
    flag_looked_at<<<2, 1>>>(make<int>(1), make<int>(1), make<int>(1));
    need(cudaDeviceSynchronize());
    return 0;
}
static int case_chain()
{
    int *out = make<int>(1);
    chain<<<BLOCKS, 32>>>(make<int>(1), out);
    std::printf("%d\n", get(out));
    return 0;
}
static int case_long_chain() // of more blocks than a GPU holds
{
    int *out = make<int>(1);
    chain<<<10000, 32>>>(make<int>(1), out);
    std::printf("%d\n", get(out));
    return 0;
}
static int case_tickets()
{
    int *out = make<int>(1);
    tickets<<<BLOCKS, 32>>>(make<int>(1), make<int>(1), out);
    std::printf("%d\n", get(out));
    return 0;
}
static int case_streams() // of a program that is correct: copies and kernels of two streams beside each other
{
    enum { ROUNDS = 8, COUNT = BLOCKS * THREADS };
    static int host[2][COUNT];
    cudaStream_t streams[2];
    int *in[2], *out = make<int>(2);
    for (int s = 0; s < 2; s++) {
        need(cudaStreamCreate(&streams[s]));
        in[s] = make<int>(COUNT);
        for (int i = 0; i < COUNT; i++) host[s][i] = i + s;
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int s = 0; s < 2; s++) {
            need(cudaMemcpyAsync(in[s], host[s], sizeof host[s], cudaMemcpyHostToDevice, streams[s]));
            sums<<<BLOCKS, THREADS, 0, streams[s]>>>(in[s], out + s);
        }
    need(cudaDeviceSynchronize());
    return 0;
}
static int case_random()
{
    long long *out = make<long long>(1);
    stamp<<<2, 32>>>(out, now());
    need(cudaDeviceSynchronize());
    return 0;
}
static int case_stopped()
{
    std::FILE *runs = std::fopen("runs", "a");
    std::fputs("run\n", runs);
    std::fclose(runs);
    std::raise(SIGTERM);
    return 0;
}
static int case_input()
{
    int value = 0;
    if (std::scanf("%d", &value) != 1) return 1;
    int *out = make<int>(1);
    sums<<<1, THREADS>>>(make<int>(THREADS), out);
    std::printf("%d\n", value + get(out));
    return 0;
}

static const struct {
    const char *name;
    int (*run)();
} CASES[] = {{"last_block", case_last_block}, {"printed", case_printed}, {"times", case_times},
             {"times_printed", case_times_printed}, {"status", case_status}, {"last_warp", case_last_warp},
             {"middle_block", case_middle_block}, {"second_launch", case_second_launch}, {"last_that_waits", case_last_that_waits},
             {"either", case_either}, {"correct", case_correct},
             {"float_sum", case_float_sum}, {"lock", case_lock}, {"flag", case_flag}, {"chain", case_chain},
             {"long_chain", case_long_chain}, {"tickets", case_tickets}, {"streams", case_streams}, {"random", case_random}, {"stopped", case_stopped},
             {"input", case_input}};

int main(int argc, char **argv)
{
    for (const auto &c : CASES)
        if (argc < 2)
            std::puts(c.name);
        else if (std::strcmp(c.name, argv[1]) == 0)
            return c.run();
    return argc < 2 ? 0 : 8;
}
