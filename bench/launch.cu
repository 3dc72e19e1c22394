// SPDX-License-Identifier: Apache-2.0
// What a launch costs through the runtime API: as bench_launch.c, with <<<>>>. usage: launch [REPETITIONS]
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void empty() {}

static double now_us()
{
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int main(int argc, char **argv)
{
    const int launches = 10000, trips = 1000, repetitions = argc > 1 ? atoi(argv[1]) : 21;
    std::vector<double> queued, trip;
    empty<<<1, 32>>>();
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    for (int r = 0; r < repetitions; r++) {
        double start = now_us();
        for (int i = 0; i < launches; i++)
            empty<<<1, 32>>>();
        cudaDeviceSynchronize();
        double middle = now_us();
        for (int i = 0; i < trips; i++) {
            empty<<<1, 32>>>();
            cudaDeviceSynchronize();
        }
        queued.push_back((middle - start) / launches);
        trip.push_back((now_us() - middle) / trips);
    }
    std::sort(queued.begin(), queued.end());
    std::sort(trip.begin(), trip.end());
    printf("%-10s %12.2f %12.2f %12.2f %12.2f\n", "<<<>>>", queued[repetitions / 2], queued[0], trip[repetitions / 2], trip[0]);
    return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
