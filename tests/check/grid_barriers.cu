// SPDX-License-Identifier: Apache-2.0
// Of grid_barriers.sh: cooperative launches whose blocks meet at barriers of the grid. Program CASE BLOCKS prints the most memory that it
// took, in KiB.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace cg = cooperative_groups;
enum { THREADS = 64, ROUNDS = 10, RACY = 7 };

__global__ void rounds(int *a, int *b, bool racy) // racy: in one round, blocks read what others still write
{
    cg::grid_group grid = cg::this_grid();
    int i = blockIdx.x * THREADS + threadIdx.x, all = gridDim.x * THREADS;
    for (int r = 0; r < ROUNDS; r++) {
        a[i] = r + i;
        if (!racy || r != RACY) grid.sync();
        b[i] = a[(i + THREADS) % all];
        grid.sync();
    }
}

__global__ void some(int *a, bool all) // all false: some of the blocks go past the barrier
{
    a[blockIdx.x] = 1;
    if (all || blockIdx.x < gridDim.x / 2) cg::this_grid().sync();
}

// A third of the blocks arrive and end without waiting, before the others come.
__global__ void arrivals(int *a)
{
    cg::grid_group grid = cg::this_grid();
    auto token = grid.barrier_arrive();
    a[blockIdx.x] = 1;
    if (blockIdx.x % 3) grid.barrier_wait(std::move(token));
}

static long peak()
{
    char line[256];
    long most = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        sscanf(line, "VmHWM: %ld", &most);
    if (file) fclose(file);
    return most;
}

int main(int argc, char **argv)
{
    if (argc < 3) return 1;
    const char *name = argv[1];
    int blocks = atoi(argv[2]), *a, *b;
    bool flag = !strcmp(name, "racy") || !strcmp(name, "all");
    bool is_rounds = !strcmp(name, "racy") || !strcmp(name, "ordered");
    if (cudaMalloc(&a, blocks * THREADS * sizeof *a) || cudaMalloc(&b, blocks * THREADS * sizeof *b)) return 1;
    void *of_rounds[] = {&a, &b, &flag}, *of_half[] = {&a, &flag};
    if (is_rounds)
        cudaLaunchCooperativeKernel(rounds, blocks, THREADS, of_rounds);
    else if (!strcmp(name, "arrivals"))
        cudaLaunchCooperativeKernel(arrivals, blocks, THREADS, of_half);
    else
        cudaLaunchCooperativeKernel(some, blocks, THREADS, of_half);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s; peak %ld\n", cudaGetErrorName(error), peak());
    return error != cudaSuccess;
}
