// SPDX-License-Identifier: Apache-2.0
// Times of bench/'s kernels with its sizes (bench/bench.c), for slowdown.sh: slowdown REPETITIONS [ROW] prints a row for each launch
// (or for the one of that number alone): its name and the median time in ms of launch and wait, after one launch that is not timed.
#include "../../../bench/kernels.cu"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

static const int N = 16 << 20, GATHER = 8 << 20, SEEDS = 1 << 20, BODIES = 16384;

static void need(cudaError_t error)
{
    if (error == cudaSuccess) return;
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    exit(9);
}
template <typename T> static T *made(int n, const std::function<T(int)> &value)
{
    std::vector<T> host(n);
    for (int i = 0; i < n; i++)
        host[i] = value(i);
    T *p;
    need(cudaMalloc(&p, n * sizeof *p));
    need(cudaMemcpy(p, host.data(), n * sizeof *p, cudaMemcpyHostToDevice));
    return p;
}
static int only = -1, rows;
static void row(const char *name, int repetitions, const std::function<void()> &launch)
{
    if (only != rows++ && only >= 0) return;
    std::vector<double> ms;
    for (int r = 0; r <= repetitions; r++) {
        auto begun = std::chrono::steady_clock::now();
        launch();
        need(cudaDeviceSynchronize());
        if (r > 0) ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count());
    }
    std::sort(ms.begin(), ms.end());
    printf("%s\t%.4f\n", name, ms[ms.size() / 2]);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 5;
    if (argc > 2) only = atoi(argv[2]);
    unsigned long long r = 88172645463325252u; // xorshift64 (Marsaglia 2003)
    auto random = [&] { r ^= r << 13, r ^= r >> 7, r ^= r << 17; return r; };
    float *x = made<float>(N, [&](int) { return float(random() >> 40) / (1 << 24); });
    float *y = made<float>(N, [](int i) { return float(i % 7); }), *z = made<float>(N, [](int) { return 0.f; });
    int *near = made<int>(GATHER, [&](int) { return int(random() >> 20 & 65535); });
    int *far = made<int>(GATHER, [&](int) { return int(random() & (N - 1)); });
    int *seeds = made<int>(SEEDS, [&](int) { return int(random() >> 3); });
    float4 *bodies = made<float4>(BODIES, [&](int i) { return make_float4(i % 9, i % 11, i % 13, 1); });
    row("vadd, in cache", n, [&] { vadd<<<dim3(32, 8192), 256>>>(x, y, z, 8192); });
    row("vadd, 64 MiB", n, [&] { vadd<<<N / 256, 256>>>(x, y, z, N); });
    row("matmul 1024", n, [&] { matmul<<<dim3(32, 32), dim3(32, 32)>>>(x, y, z, 1024); });
    row("nbody 16384", n, [&] { nbody<<<BODIES / 256, 256>>>(bodies, (float4 *)z, BODIES, 0.001f); });
    row("transpose naive", n, [&] { transpose_naive<<<dim3(128, 128), dim3(32, 8)>>>(x, z, 4096); });
    row("transpose tiled", n, [&] { transpose_tiled<<<dim3(128, 128), dim3(32, 8)>>>(x, z, 4096); });
    row("mandelbrot", n, [&] { mandelbrot<<<dim3(32, 128), dim3(32, 8)>>>((int *)z, 1024, 1024, 256, -2.f, -1.5f, 0.0029296875f, 0.0029296875f); });
    row("reduce", n, [&] { reduce<<<N / 512, 256>>>(x, z, N); });
    row("reduce, shuffles", n, [&] { reduce_shuffle<<<N / 512, 256>>>(x, z, N); });
    row("gather near", n, [&] { gather<<<GATHER / 256, 256>>>(x, near, z, GATHER); });
    row("gather far", n, [&] { gather<<<GATHER / 256, 256>>>(x, far, z, GATHER); });
    row("nested divergence", n, [&] { nested<<<SEEDS / 256, 256>>>((int *)z, seeds, SEEDS, 64); });
    return 0;
}
