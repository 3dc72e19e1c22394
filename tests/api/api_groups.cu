/* SPDX-License-Identifier: Apache-2.0 */
/* Cooperative groups: partitions of every kind, reductions and scans, block and grid barriers, cooperative
 * launches. Each part holds on a GPU too. */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "api_check.h"

#include <cuda_runtime.h>

namespace cg = cooperative_groups;

/* The line of the first thing that a thread found wrong. */
__device__ int wrong_line;
#define EXPECT(condition)                                                                                    \
    do {                                                                                                     \
        if (!(condition)) atomicCAS(&wrong_line, 0, __LINE__);                                               \
    } while (0)

static void verdict(const char *what)
{
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    int line;
    OK(cudaMemcpyFromSymbol(&line, wrong_line, sizeof line));
    if (line) {
        std::printf("%s: wrong at line %d\n", what, line);
        std::exit(1);
    }
}

__global__ void blocks()
{
    cg::thread_block block = cg::this_thread_block();
    dim3 i = block.thread_index(), g = block.group_index(), d = block.dim_threads();
    EXPECT(block.size() == 96 && block.num_threads() == 96 && d.x == 12 && d.y == 8 && d.z == 1);
    EXPECT(block.thread_rank() == i.y * 12 + i.x && g.x == blockIdx.x);
    EXPECT(cg::thread_rank(block) == block.thread_rank() && cg::group_size(block) == 96);
    __shared__ int shared[96];
    shared[block.thread_rank()] = static_cast<int>(block.thread_rank());
    block.sync();
    EXPECT(shared[95 - block.thread_rank()] == static_cast<int>(95 - block.thread_rank()));
    cg::sync(block);
    auto token = block.barrier_arrive();
    block.barrier_wait(std::move(token));
}

template <unsigned N> __device__ void tile_of()
{
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<N>(block);
    unsigned rank = block.thread_rank();
    EXPECT(tile.size() == N && tile.thread_rank() == rank % N);
    EXPECT(tile.meta_group_rank() == rank / N && tile.meta_group_size() == block.size() / N);
    EXPECT(tile.shfl(rank, 0) == rank / N * N);
    EXPECT(N == 1 || tile.shfl_xor(rank, 1) == (rank ^ 1));
    unsigned up = tile.shfl_up(rank, 1), down = tile.shfl_down(rank, 1);
    EXPECT(up == (rank % N ? rank - 1 : rank) && down == (rank % N == N - 1 ? rank : rank + 1));
    EXPECT(tile.any(rank % N == 0) && tile.all(true) && !tile.any(false));
    unsigned full = N == 32 ? ~0u : (1u << N) - 1;
    EXPECT(tile.ballot(true) == full && (tile.match_any(rank % 2) & 1u << (rank % N)));
    unsigned first = rank / N * N, sum = N * first + N * (N - 1) / 2;
    EXPECT(cg::reduce(tile, rank, cg::plus<unsigned>()) == sum);
    EXPECT(cg::reduce(tile, rank, cg::greater<unsigned>()) == first + N - 1);
    EXPECT(cg::reduce(tile, rank, cg::less<unsigned>()) == first);
    EXPECT(cg::reduce(tile, 1u << (rank % N), cg::bit_or<unsigned>()) == full);
    EXPECT(cg::reduce(tile, static_cast<double>(rank), cg::plus<double>()) == sum);
    unsigned place = rank % N, before = place * first + place * (place - 1) / 2;
    EXPECT(cg::exclusive_scan(tile, rank) == before);
    EXPECT(cg::inclusive_scan(tile, rank) == before + rank);
    EXPECT(cg::inclusive_scan(tile, rank, cg::greater<unsigned>()) == rank);
    tile.sync();
}

__global__ void tiles()
{
    tile_of<1>();
    tile_of<2>();
    tile_of<4>();
    tile_of<8>();
    tile_of<16>();
    tile_of<32>();
    auto block = cg::this_thread_block();
    auto run_time = cg::tiled_partition(block, 8);
    EXPECT(run_time.size() == 8 && run_time.thread_rank() == block.thread_rank() % 8);
    auto warp = cg::tiled_partition<32>(block);
    auto quarter = cg::tiled_partition<8>(warp);
    EXPECT(quarter.meta_group_size() == 4 && quarter.meta_group_rank() == warp.thread_rank() / 8);
}

__global__ void wide_tiles()
{
    __shared__ cg::block_tile_memory<256> memory;
    __shared__ unsigned own[256]; /* which barriers of tiles, in memory of the system, leave alone */
    auto block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<128>(block);
    unsigned rank = block.thread_rank();
    own[rank] = rank + 1;
    EXPECT(tile.size() == 128 && tile.thread_rank() == rank % 128 && tile.meta_group_rank() == rank / 128);
    EXPECT(cg::reduce(tile, 1u, cg::plus<unsigned>()) == 128);
    EXPECT(tile.shfl(rank, 5) == rank / 128 * 128 + 5);
    EXPECT(tile.any(rank == 3) == (rank < 128));
    tile.sync();
    EXPECT(own[rank] == rank + 1);
}

__global__ void coalesced()
{
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    unsigned lane = warp.thread_rank();
    if (lane % 3 == 1) {
        cg::coalesced_group active = cg::coalesced_threads();
        EXPECT(active.size() == 11 && active.thread_rank() == lane / 3);
        EXPECT(active.shfl(lane, 2) == 7 && active.shfl_down(lane, 1) == (lane == 31 ? 31 : lane + 3));
        EXPECT(active.any(lane == 4) && !active.all(lane == 4) && active.ballot(true) == 0x7ff);
        EXPECT(cg::reduce(active, lane, cg::plus<unsigned>()) == 11 + 3 * 55);
        EXPECT(cg::exclusive_scan(active, 1u) == lane / 3);
        auto halves = cg::labeled_partition(active, lane < 16);
        EXPECT(halves.size() == (lane < 16 ? 5 : 6));
        active.sync();
    }
    auto labels = cg::labeled_partition(warp, static_cast<int>(lane % 5));
    EXPECT(labels.size() == (lane % 5 < 2 ? 7 : 6) && labels.thread_rank() == lane / 5);
    EXPECT(cg::reduce(labels, 1, cg::plus<int>()) == static_cast<int>(labels.size()));
    auto binary = cg::binary_partition(warp, lane > 9);
    EXPECT(binary.size() == (lane > 9 ? 22 : 10) && binary.thread_rank() == (lane > 9 ? lane - 10 : lane));
    int value = cg::invoke_one_broadcast(binary, [] { return 42; });
    EXPECT(value == 42);
}

__device__ unsigned long long total;
__global__ void aggregated(const int *in, int n)
{
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int mine = i < static_cast<unsigned>(n) ? in[i] : 0;
#ifdef __SOFTWARP__ /* softwarp cc has no cuda::atomic */
    unsigned long long sum =
        cg::reduce(warp, static_cast<unsigned long long>(mine), cg::plus<unsigned long long>());
    if (warp.thread_rank() == 0) atomicAdd(&total, sum);
#else
    cg::reduce_update_async(
        warp, *reinterpret_cast<cuda::atomic<unsigned long long, cuda::thread_scope_device> *>(&total),
        static_cast<unsigned long long>(mine), cg::plus<unsigned long long>());
#endif
}

__global__ void staged(const int *in, int *out)
{
    __shared__ int shared[256];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, shared, in + blockIdx.x * 256, sizeof shared);
    cg::wait(block);
    out[blockIdx.x * 256 + threadIdx.x] = shared[255 - threadIdx.x];
}

/* Every round each block reads what the block before it wrote in the round before. */
__global__ void rounds(int *data, int count)
{
    cg::grid_group grid = cg::this_grid();
    EXPECT(grid.is_valid() && grid.size() == static_cast<unsigned long long>(gridDim.x) * blockDim.x);
    EXPECT(grid.thread_rank() == static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x);
    EXPECT(grid.num_blocks() == gridDim.x && grid.block_rank() == blockIdx.x);
    for (int i = 0; i < count; i++) {
        int from = data[(i % 2) * gridDim.x + (blockIdx.x + 1) % gridDim.x];
        if (threadIdx.x == 0) data[((i + 1) % 2) * gridDim.x + blockIdx.x] = from + 1;
        grid.sync();
    }
}

static void cooperative()
{
    int device_blocks, multiprocessors, can, *data;
    OK(cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, 0));
    CHECK(can == 1);
    OK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&device_blocks, rounds, 64, 0));
    OK(cudaMallocManaged(&data, 4096));
    for (int i = 0; i < 64; i++)
        data[i] = i < 32 ? i : 0;
    int count = 10;
    void *args[] = {&data, &count};
    OK(cudaLaunchCooperativeKernel(reinterpret_cast<void *>(rounds), dim3(32), dim3(64), args, 0, 0));
    verdict("rounds");
    for (int i = 0; i < 32; i++)
        CHECK(data[i] == (i + 10) % 32 + 10);
    FAILS(cudaErrorCooperativeLaunchTooLarge,
          cudaLaunchCooperativeKernel(reinterpret_cast<void *>(rounds),
                                      dim3(static_cast<unsigned>(device_blocks * multiprocessors + 1)),
                                      dim3(64), args, 0, 0));
    cudaGetLastError();
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(32);
    config.blockDim = dim3(64);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    OK(cudaLaunchKernelEx(&config, rounds, data, 4));
    verdict("rounds by attribute");
}

int main()
{
    blocks<<<2, dim3(12, 8)>>>();
    verdict("blocks");
    tiles<<<1, 64>>>();
    verdict("tiles");
    wide_tiles<<<1, 256>>>();
    verdict("wide tiles");
    coalesced<<<1, 64>>>();
    verdict("coalesced");
    int *in, *out;
    OK(cudaMallocManaged(&in, 4096));
    OK(cudaMallocManaged(&out, 4096));
    for (int i = 0; i < 1024; i++)
        in[i] = i;
    aggregated<<<4, 256>>>(in, 1000);
    verdict("aggregated");
    unsigned long long sum;
    OK(cudaMemcpyFromSymbol(&sum, total, sizeof sum));
    CHECK(sum == 999 * 1000 / 2);
    staged<<<4, 256>>>(in, out);
    verdict("staged");
    for (int i = 0; i < 1024; i++)
        CHECK(out[i] == i / 256 * 256 + 255 - i % 256);
    cooperative();
    std::puts("ok");
    return 0;
}
