// SPDX-License-Identifier: Apache-2.0
// curand_kernel.h: Philox against the vectors that its authors publish (Random123, kat_vectors), and the properties that programs rely on:
// a sequence continues where an offset starts, subsequences differ, distributions have their mean and variance. Generators give on the
// host what they give in kernels. tests/hw/libraries/curand-kernel_results.cu compares numbers with a GPU's.
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>

static int failures;
#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) printf("%s:%d: %s\n", __FILE__, __LINE__, #condition), failures++;                 \
    } while (0)

__global__ void vectors(uint4 *out)
{
    out[0] = curand_Philox4x32_10(uint4{0, 0, 0, 0}, uint2{0, 0});
    out[1] = curand_Philox4x32_10(uint4{~0u, ~0u, ~0u, ~0u}, uint2{~0u, ~0u});
    out[2] = curand_Philox4x32_10(uint4{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, uint2{0xa4093822, 0x299f31d0});
}

template <class State> __global__ void sequences(unsigned *out, int n)
{
    State s, later, other;
    curand_init(1234, 5, 0, &s);
    curand_init(1234, 5, 37, &later);
    curand_init(1234, 6, 0, &other);
    for (int i = 0; i < 37; i++) out[i] = curand(&s);
    int same = 0;
    for (int i = 0; i < n; i++) out[40] += curand(&s) != curand(&later), same += curand(&other) == out[i % 37];
    out[41] = same;
}

// Sums of x and of its square, a pair for each distribution.
enum { UNIFORM, DOUBLES, NORMAL, NORMAL_DOUBLES, POISSON, KINDS, DRAWS = 200 };
template <class State> __global__ void moments(double *sums, int *outside)
{
    State s;
    curand_init(42, blockIdx.x * blockDim.x + threadIdx.x, 0, &s);
    double own[KINDS][2] = {};
    for (int i = 0; i < DRAWS; i++) {
        float u = curand_uniform(&s);
        double d = curand_uniform_double(&s), n = curand_normal(&s), m = curand_normal_double(&s), p = curand_poisson(&s, 4.0);
        if (!(u > 0 && u <= 1 && d > 0 && d <= 1)) atomicAdd(outside, 1);
        own[UNIFORM][0] += u, own[UNIFORM][1] += (double)u * u;
        own[DOUBLES][0] += d, own[DOUBLES][1] += d * d;
        own[NORMAL][0] += n, own[NORMAL][1] += n * n;
        own[NORMAL_DOUBLES][0] += m, own[NORMAL_DOUBLES][1] += m * m;
        own[POISSON][0] += p, own[POISSON][1] += p * p;
    }
    for (int k = 0; k < KINDS; k++)
        for (int j = 0; j < 2; j++) atomicAdd(&sums[2 * k + j], own[k][j]);
}

template <class State> static void check(const char *name)
{
    unsigned *out;
    double *sums;
    int *outside;
    cudaMallocManaged(&out, 64 * sizeof *out);
    cudaMallocManaged(&sums, 2 * KINDS * sizeof *sums);
    cudaMallocManaged(&outside, sizeof *outside);
    for (int i = 0; i < 64; i++) out[i] = 0;
    for (int i = 0; i < 2 * KINDS; i++) sums[i] = 0;
    *outside = 0;
    sequences<State><<<1, 1>>>(out, 100);
    moments<State><<<8, 64>>>(sums, outside);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(out[40] == 0 && out[41] < 3 && *outside == 0);
    const double mean[] = {0.5, 0.5, 0, 0, 4}, variance[] = {1.0 / 12, 1.0 / 12, 1, 1, 4}, n = 8 * 64 * DRAWS;
    State s;
    curand_init(1234, 5, 0, &s);
    for (int i = 0; i < 37; i++) CHECK(curand(&s) == out[i]);
    for (int k = 0; k < KINDS; k++) {
        double m = sums[2 * k] / n, v = sums[2 * k + 1] / n - m * m, spread = std::sqrt(variance[k] / n);
        if (std::fabs(m - mean[k]) > 5 * spread || std::fabs(v - variance[k]) > 0.03 * variance[k])
            printf("%s, distribution %d: mean %g, variance %g\n", name, k, m, v), failures++;
    }
    cudaFree(out);
    cudaFree(sums);
    cudaFree(outside);
}

int main()
{
    uint4 *out;
    cudaMallocManaged(&out, 3 * sizeof *out);
    vectors<<<1, 1>>>(out);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(out[0].x == 0x6627e8d5 && out[0].y == 0xe169c58d && out[0].z == 0xbc57ac4c && out[0].w == 0x9b00dbd8);
    CHECK(out[1].x == 0x408f276d && out[1].y == 0x41c83b0e && out[1].z == 0xa20bc7c6 && out[1].w == 0x6d5451fd);
    CHECK(out[2].x == 0xd16cfe09 && out[2].y == 0x94fdcceb && out[2].z == 0x5001e420 && out[2].w == 0x24126ea1);
    check<curandStatePhilox4_32_10_t>("Philox");
    check<curandState>("XORWOW");
    check<curandStateMRG32k3a_t>("MRG32k3a");
    puts(failures ? "FAILED" : "ok");
    return failures != 0;
}
