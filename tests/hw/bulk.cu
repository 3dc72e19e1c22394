// SPDX-License-Identifier: Apache-2.0
// Kernels that bring tiles to shared memory and add them up: what of the way they wait for. One CSV line a case,
//   case,blocks,tiles,us,min_us
// us: between two events around the kernel (median and least of the repetitions). Blocks of 128 threads, tiles of 4 KiB.
//   groups     cp.async by all threads, all waited for, one tile after the other
//   one        a bulk copy that an mbarrier tells of, one tile after the other
//   two, four  the same with so many tiles under way
//   producer   four tiles under way, brought by a warp of its own that waits until they are used up
// record_bulk.sh records it on a GPU.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(call) check(call, #call, __LINE__)
static void check(cudaError_t status, const char *call, int line)
{
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "bulk.cu:%d: %s: %s\n", line, call, cudaGetErrorString(status));
    std::exit(1);
}

enum { TILE = 1024, BYTES = TILE * sizeof(float), THREADS = 128, WARP = 32 };

static __device__ uint32_t place(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

static __device__ void init(uint64_t *barrier, int count)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(place(barrier)), "r"(count) : "memory");
}

static __device__ void arrive(uint64_t *barrier)
{
    asm volatile("{.reg .b64 state; mbarrier.arrive.shared.b64 state, [%0];}" ::"r"(place(barrier)) : "memory");
}

static __device__ void wait(uint64_t *barrier, int parity)
{
    asm volatile("{.reg .pred over;\nAGAIN%=: mbarrier.try_wait.parity.shared.b64 over, [%0], %1;\n@!over bra AGAIN%=;}" ::"r"(place(barrier)),
                 "r"(parity)
                 : "memory");
}

static __device__ void bring(float *tile, const float *from, uint64_t *barrier)
{
    asm volatile("{.reg .b64 state; mbarrier.arrive.expect_tx.shared.b64 state, [%0], %1;}" ::"r"(place(barrier)), "r"(BYTES) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(place(tile)), "l"(from), "r"(BYTES),
                 "r"(place(barrier))
                 : "memory");
}

static __device__ float sum_of(const float *tile, int first, int step)
{
    float sum = 0;
    for (int i = first; i < TILE; i += step)
        sum += tile[i];
    return sum;
}

__global__ void groups(float *out, const float *in, int tiles)
{
    __shared__ alignas(128) float tile[TILE];
    float sum = 0;
    in += (size_t)blockIdx.x * tiles * TILE;
    for (int t = 0; t < tiles; t++, in += TILE) {
        for (int i = threadIdx.x * 4; i < TILE; i += THREADS * 4)
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place(tile + i)), "l"(in + i) : "memory");
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
        sum += sum_of(tile, threadIdx.x, THREADS);
        __syncthreads();
    }
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

template <int STAGES> __global__ void stages(float *out, const float *in, int tiles)
{
    __shared__ alignas(128) float tile[STAGES][TILE];
    __shared__ alignas(8) uint64_t full[STAGES];
    if (threadIdx.x == 0)
        for (int s = 0; s < STAGES; s++)
            init(&full[s], 1);
    __syncthreads();
    in += (size_t)blockIdx.x * tiles * TILE;
    for (int t = 0; t < STAGES && t < tiles && threadIdx.x == 0; t++)
        bring(tile[t], in + t * TILE, &full[t]);
    float sum = 0;
    for (int t = 0; t < tiles; t++) {
        int s = t % STAGES;
        wait(&full[s], t / STAGES & 1);
        sum += sum_of(tile[s], threadIdx.x, THREADS);
        __syncthreads();
        if (threadIdx.x == 0 && t + STAGES < tiles) bring(tile[s], in + (t + STAGES) * TILE, &full[s]);
    }
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

__global__ void producer(float *out, const float *in, int tiles)
{
    enum { STAGES = 4, USERS = THREADS - WARP };
    __shared__ alignas(128) float tile[STAGES][TILE];
    __shared__ alignas(8) uint64_t full[STAGES], empty[STAGES];
    if (threadIdx.x == 0)
        for (int s = 0; s < STAGES; s++)
            init(&full[s], 1), init(&empty[s], USERS);
    __syncthreads();
    in += (size_t)blockIdx.x * tiles * TILE;
    float sum = 0;
    for (int t = 0; t < tiles; t++) {
        int s = t % STAGES, turn = t / STAGES & 1;
        if (threadIdx.x >= WARP) {
            wait(&full[s], turn);
            sum += sum_of(tile[s], threadIdx.x - WARP, USERS);
            arrive(&empty[s]);
        } else if (threadIdx.x == 0) {
            wait(&empty[s], turn ^ 1);
            bring(tile[s], in + t * TILE, &full[s]);
        }
    }
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

static void measure(const char *name, void (*kernel)(float *, const float *, int), float *out, const float *in, int blocks, int tiles, int reps)
{
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    std::vector<float> us, sums(blocks * THREADS);
    for (int i = 0; i < reps + 1; i++) {
        float ms = 0;
        CHECK(cudaEventRecord(begin));
        kernel<<<blocks, THREADS>>>(out, in, tiles);
        CHECK(cudaEventRecord(end));
        CHECK(cudaEventSynchronize(end));
        CHECK(cudaEventElapsedTime(&ms, begin, end));
        if (i) us.push_back(1000 * ms); // the first one finds cold tables
    }
    CHECK(cudaMemcpy(sums.data(), out, sums.size() * sizeof(float), cudaMemcpyDefault));
    double sum = 0;
    for (float s : sums)
        sum += s;
    if (sum != (double)blocks * tiles * TILE) std::fprintf(stderr, "bulk.cu: %s: the sum is %g\n", name, sum), std::exit(1);
    std::sort(us.begin(), us.end());
    std::printf("%s,%d,%d,%.3f,%.3f\n", name, blocks, tiles, us[us.size() / 2], us[0]);
    std::fflush(stdout);
}

// usage: bulk [REPETITIONS [TILES]]
int main(int argc, char **argv)
{
    int reps = argc > 1 ? std::atoi(argv[1]) : 21, tiles = argc > 2 ? std::atoi(argv[2]) : 64, most = 1056;
    size_t count = (size_t)most * tiles * TILE;
    std::vector<float> ones(count, 1);
    float *in, *out;
    CHECK(cudaMalloc(&in, count * sizeof(float)));
    CHECK(cudaMalloc(&out, (size_t)most * THREADS * sizeof(float)));
    CHECK(cudaMemcpy(in, ones.data(), count * sizeof(float), cudaMemcpyDefault));
    std::puts("case,blocks,tiles,us,min_us");
    for (int blocks : {1, 132, 528, 1056}) {
        measure("groups", groups, out, in, blocks, tiles, reps);
        measure("one", stages<1>, out, in, blocks, tiles, reps);
        measure("two", stages<2>, out, in, blocks, tiles, reps);
        measure("four", stages<4>, out, in, blocks, tiles, reps);
        measure("producer", producer, out, in, blocks, tiles, reps);
    }
    return 0;
}
