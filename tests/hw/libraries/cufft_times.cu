/* SPDX-License-Identifier: Apache-2.0 */
/* Transforms of cuFFT of many sizes, to be timed: before each a kernel `mark` that a profiler sees; one line a call on standard output.
 * times.py runs it under ncu on a GPU, or under softwarp profile, and adds up the kernels between two marks. All plans are made before
 * the first mark, and share one work area, so that nothing but transforms runs between marks. */
#include <cuda_runtime.h>
#include <cufft.h>
#include <cufftXt.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

__global__ void mark() {}

struct Call {
    std::string name, shape;
    cufftHandle plan;
    bool in_place;
    int direction;
    int status;
};
static std::vector<Call> calls;
static size_t work_bytes;

struct Type {
    const char *name;
    cudaDataType in, out, exec;
    int direction;
};
static const Type C32 = {"c32", CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_FORWARD};
static const Type C64 = {"c64", CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_FORWARD};
static const Type C16 = {"c16", CUDA_C_16F, CUDA_C_16F, CUDA_C_16F, CUFFT_FORWARD};
static const Type R32 = {"r32", CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_FORWARD};
static const Type B32 = {"b32", CUDA_C_32F, CUDA_R_32F, CUDA_C_32F, CUFFT_INVERSE};
static const Type R64 = {"r64", CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_FORWARD};
static const Type B64 = {"b64", CUDA_C_64F, CUDA_R_64F, CUDA_C_64F, CUFFT_INVERSE};

/* columns: neighbours in memory belong to different transforms. */
static void plan(const Type &type, std::vector<long long> n, long long batch = 1, bool in_place = false, bool columns = false)
{
    Call call = {type.name, "", 0, in_place, type.direction, 0};
    size_t bytes = 0;
    for (size_t i = 0; i < n.size(); i++)
        call.shape += (i ? "x" : "") + std::to_string(n[i]);
    call.shape += " b" + std::to_string(batch) + (in_place ? " in place" : "") + (columns ? " columns" : "");
    cufftCreate(&call.plan);
    cufftSetAutoAllocation(call.plan, 0);
    long long stride = columns ? batch : 1, dist = columns ? 1 : 0, *embed = columns ? n.data() : nullptr;
    call.status = cufftXtMakePlanMany(call.plan, (int)n.size(), n.data(), embed, stride, dist, type.in, embed, stride, dist, type.out, batch,
                                      &bytes, type.exec);
    work_bytes = std::max(work_bytes, bytes);
    calls.push_back(call);
}

static void lines()
{
    for (int k = 3; k <= 24; k++)
        plan(C32, {1LL << k});
    for (int k = 4; k <= 24; k += 2)
        plan(C64, {1LL << k}), plan(R32, {1LL << k});
    for (int k = 6; k <= 22; k += 4)
        plan(C16, {1LL << k}), plan(B32, {1LL << k}), plan(R64, {1LL << k}), plan(B64, {1LL << k});
    for (long long n : {100, 1000, 1536, 3125, 10000, 59049, 100000, 1000000, 3000000, 10000000})
        plan(C32, {n}), plan(C64, {n});
    for (long long n : {127, 1009, 10007, 100003, 1000003})
        plan(C32, {n}), plan(C64, {n});
}
static void batches()
{
    for (long long n : {16, 64, 256, 1024, 2048, 4096, 8192, 16384, 32768, 65536})
        for (long long batch : {64LL, (1LL << 23) / n}) {
            plan(C32, {n}, batch);
            if (n != 2048 && n != 8192) plan(C64, {n}, batch);
        }
    for (long long n : {64, 1024, 16384}) {
        long long batch = (1 << 23) / n;
        plan(R32, {n}, batch), plan(B32, {n}, batch), plan(R64, {n}, batch), plan(C16, {n}, batch), plan(C32, {n}, batch, true);
    }
    for (long long n : {3, 30, 101, 127, 243, 600, 1000, 1009, 1331, 5000, 10007, 12000})
        plan(C32, {n}, (1 << 22) / n), plan(C64, {n}, (1 << 22) / n);
    for (long long n : {16, 256, 1000, 4096})
        plan(C32, {n}, (1 << 22) / n, false, true), plan(C64, {n}, (1 << 22) / n, false, true);
}
static void planes()
{
    for (long long n : {32, 64, 128, 256, 512, 1024, 2048, 4096}) {
        plan(C32, {n, n});
        if (n < 4096) plan(C64, {n, n});
        if (n != 64 && n != 512) plan(R32, {n, n}), plan(B32, {n, n});
    }
    plan(R64, {1024, 1024}), plan(B64, {1024, 1024}), plan(C16, {1024, 1024});
    plan(C32, {1000, 1000}), plan(C64, {1000, 1000}), plan(R32, {1920, 1080}), plan(C32, {128, 128}, 64), plan(C32, {1024, 1024}, 1, true);
    plan(R32, {2088, 2112}), plan(C32, {509, 503}), plan(C32, {31, 37}, 100), plan(C64, {64, 64}, 500);
    for (long long n : {16, 32, 64, 128, 256}) {
        plan(C32, {n, n, n});
        if (n < 256) plan(C64, {n, n, n});
        if (n != 16) plan(R32, {n, n, n}), plan(B32, {n, n, n});
    }
    plan(C32, {100, 100, 100}), plan(C64, {100, 100, 100}), plan(C32, {40, 50, 60}), plan(R64, {128, 128, 128}), plan(C32, {128, 128, 128}, 1, true);
    plan(C32, {32, 32, 32}, 50), plan(C64, {97, 97, 97}), plan(R32, {192, 192, 192}), plan(C64, {192, 192, 192});
}

int main()
{
    const size_t bytes = 300u << 20;
    void *a, *b, *work;
    lines();
    batches();
    planes();
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    cudaMalloc(&work, work_bytes + 16);
    cudaMemset(a, 0, bytes);
    cudaMemset(b, 0, bytes);
    for (auto &call : calls)
        if (!call.status) call.status = cufftSetWorkArea(call.plan, work);
    cudaDeviceSynchronize();
    for (auto &call : calls) {
        mark<<<1, 1>>>();
        int status = call.status ? call.status : cufftXtExec(call.plan, a, call.in_place ? a : b, call.direction);
        cudaDeviceSynchronize();
        std::printf("%s\t%s\t%d\n", call.name.c_str(), call.shape.c_str(), status);
    }
    mark<<<1, 1>>>();
    cudaDeviceSynchronize();
    std::fprintf(stderr, "%zu calls, %zu bytes of work area\n", calls.size(), work_bytes);
    return 0;
}
