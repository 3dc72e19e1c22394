/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of cuRAND at many sizes, to be timed: before each a kernel `mark` that a profiler sees; one line a call on standard output.
 * times.py runs it under ncu on a GPU, or under softwarp profile, and adds up the kernels between two marks. */
#include <cuda_runtime.h>
#include <curand.h>

#include <cstdio>

__global__ void mark() {}

static char *memory;
static char text[100];
#define SHAPE(...) (std::snprintf(text, sizeof text, __VA_ARGS__), text)
static void call(const char *name, const char *shape, int status)
{
    cudaDeviceSynchronize();
    std::printf("%s\t%s\t%d\n", name, shape, status);
}
#define TIMED(name, shape, expression)                                                                                           \
    do {                                                                                                                         \
        mark<<<1, 1>>>();                                                                                                        \
        call(name, shape, expression);                                                                                           \
    } while (0)

struct Generator {
    const char *name;
    curandRngType_t type;
};
static const Generator GENERATORS[] = {{"xorwow", CURAND_RNG_PSEUDO_XORWOW},
                                       {"mrg32k3a", CURAND_RNG_PSEUDO_MRG32K3A},
                                       {"mtgp32", CURAND_RNG_PSEUDO_MTGP32},
                                       {"mt19937", CURAND_RNG_PSEUDO_MT19937},
                                       {"philox", CURAND_RNG_PSEUDO_PHILOX4_32_10},
                                       {"sobol32", CURAND_RNG_QUASI_SOBOL32},
                                       {"scrambled32", CURAND_RNG_QUASI_SCRAMBLED_SOBOL32},
                                       {"sobol64", CURAND_RNG_QUASI_SOBOL64},
                                       {"scrambled64", CURAND_RNG_QUASI_SCRAMBLED_SOBOL64}};
static const char *const NAMES[] = {"bits", "uniform", "uniform-double", "normal", "normal-double", "log-normal", "poisson 10", "poisson 1000"};

static int generate(curandGenerator_t g, bool wide, int f, size_t n)
{
    switch (f) {
    case 0: return wide ? curandGenerateLongLong(g, (unsigned long long *)memory, n) : curandGenerate(g, (unsigned *)memory, n);
    case 1: return curandGenerateUniform(g, (float *)memory, n);
    case 2: return curandGenerateUniformDouble(g, (double *)memory, n);
    case 3: return curandGenerateNormal(g, (float *)memory, n, 0, 1);
    case 4: return curandGenerateNormalDouble(g, (double *)memory, n, 0, 1);
    case 5: return curandGenerateLogNormal(g, (float *)memory, n, 0, 1);
    case 6: return curandGeneratePoisson(g, (unsigned *)memory, n, 10);
    default: return curandGeneratePoisson(g, (unsigned *)memory, n, 1000);
    }
}

int main()
{
    static const size_t SIZES[] = {1 << 10, 1 << 16, 1 << 20, 1 << 24, 1 << 26};
    if (cudaMalloc(&memory, (size_t)1 << 29)) return 1;
    for (auto &type : GENERATORS) {
        curandGenerator_t g;
        bool wide = type.type >= CURAND_RNG_QUASI_SOBOL64;
        if (curandCreateGenerator(&g, type.type)) return 1;
        TIMED(type.name, "seeds", curandGenerateSeeds(g));
        for (int f = 0; f < 8; f++)
            for (size_t n : SIZES)
                TIMED(type.name, SHAPE("%s %zu", NAMES[f], n), generate(g, wide, f, n));
        if (type.type >= CURAND_RNG_QUASI_DEFAULT) {
            curandSetQuasiRandomGeneratorDimensions(g, 64);
            for (size_t n : SIZES)
                TIMED(type.name, SHAPE("uniform %zu of 64", n), generate(g, wide, 1, n));
        } else if (curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_DYNAMIC) == CURAND_STATUS_SUCCESS) {
            curandGenerateSeeds(g);
            for (size_t n : SIZES)
                TIMED(type.name, SHAPE("dynamic uniform %zu", n), generate(g, wide, 1, n));
        }
        curandDestroyGenerator(g);
    }
    mark<<<1, 1>>>();
    cudaDeviceSynchronize();
    return 0;
}
