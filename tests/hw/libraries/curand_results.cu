/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of cuRAND and what they give: one line a call on standard output, with its status, a hash of all bits (FNV-1a of 64 bits) and
 * some elements. usage: curand_results [device|host [SAMPLES]]: generators of the device, or of the host; of the device
 * without arguments.
 * SAMPLES: a file for samples of long sequences, as bits: 4096 elements from the start, then 8 at each multiple of 1024, by which the
 * order of results is known. */
#include <cuda_runtime.h>
#include <curand.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

typedef unsigned long long u64;
static bool on_device;
static FILE *samples;

struct Generator {
    const char *name;
    curandRngType_t type;
};
static const Generator GENERATORS[] = {{"XORWOW", CURAND_RNG_PSEUDO_XORWOW},
                                       {"MRG32K3A", CURAND_RNG_PSEUDO_MRG32K3A},
                                       {"MTGP32", CURAND_RNG_PSEUDO_MTGP32},
                                       {"MT19937", CURAND_RNG_PSEUDO_MT19937},
                                       {"PHILOX", CURAND_RNG_PSEUDO_PHILOX4_32_10},
                                       {"SOBOL32", CURAND_RNG_QUASI_SOBOL32},
                                       {"SCRAMBLED32", CURAND_RNG_QUASI_SCRAMBLED_SOBOL32},
                                       {"SOBOL64", CURAND_RNG_QUASI_SOBOL64},
                                       {"SCRAMBLED64", CURAND_RNG_QUASI_SCRAMBLED_SOBOL64}};
static bool is_quasi(const Generator &g) { return g.type >= CURAND_RNG_QUASI_DEFAULT; }
static bool is_64(const Generator &g) { return g.type >= CURAND_RNG_QUASI_SOBOL64; }
static const int ORDERINGS[] = {CURAND_ORDERING_PSEUDO_BEST,   CURAND_ORDERING_PSEUDO_DEFAULT, CURAND_ORDERING_PSEUDO_SEEDED,
                                CURAND_ORDERING_PSEUDO_LEGACY, CURAND_ORDERING_PSEUDO_DYNAMIC, CURAND_ORDERING_QUASI_DEFAULT};

enum Function { BITS, UNIFORM, UNIFORM_DOUBLE, NORMAL, NORMAL_DOUBLE, LOG_NORMAL, LOG_NORMAL_DOUBLE, POISSON, LONG_LONG, FUNCTIONS };
static const char *const NAMES[] = {"bits", "uniform", "uniform-double", "normal", "normal-double", "log-normal", "log-normal-double",
                                    "poisson", "long-long"};
static size_t width(int f)
{
    return f == UNIFORM_DOUBLE || f == NORMAL_DOUBLE || f == LOG_NORMAL_DOUBLE || f == LONG_LONG ? 8 : 4;
}
static bool is_real(int f) { return f >= UNIFORM && f <= LOG_NORMAL_DOUBLE; }

static char *memory; /* of the device, or of the host */
static const size_t MOST = (size_t)8 << 20;

static curandStatus_t generate(curandGenerator_t g, int f, size_t n, double parameter)
{
    switch (f) {
    case BITS: return curandGenerate(g, (unsigned *)memory, n);
    case UNIFORM: return curandGenerateUniform(g, (float *)memory, n);
    case UNIFORM_DOUBLE: return curandGenerateUniformDouble(g, (double *)memory, n);
    case NORMAL: return curandGenerateNormal(g, (float *)memory, n, 1.5f, 2.25f);
    case NORMAL_DOUBLE: return curandGenerateNormalDouble(g, (double *)memory, n, 1.5, 2.25);
    case LOG_NORMAL: return curandGenerateLogNormal(g, (float *)memory, n, 0.25f, 0.5f);
    case LOG_NORMAL_DOUBLE: return curandGenerateLogNormalDouble(g, (double *)memory, n, 0.25, 0.5);
    case POISSON: return curandGeneratePoisson(g, (unsigned *)memory, n, parameter);
    default: return curandGenerateLongLong(g, (u64 *)memory, n);
    }
}

static std::vector<char> fetch(size_t bytes)
{
    std::vector<char> host(bytes);
    if (on_device) {
        cudaDeviceSynchronize();
        cudaMemcpy(host.data(), memory, bytes, cudaMemcpyDeviceToHost);
    } else {
        std::memcpy(host.data(), memory, bytes);
    }
    return host;
}
static void clear(size_t bytes)
{
    if (on_device)
        cudaMemset(memory, 0xa5, bytes);
    else
        std::memset(memory, 0xa5, bytes);
}

static void element(const char *at, int f)
{
    float single;
    double number;
    unsigned word;
    u64 wide;
    if (is_real(f) && width(f) == 8)
        std::memcpy(&number, at, 8), std::printf(" %.17g", number);
    else if (is_real(f))
        std::memcpy(&single, at, 4), std::printf(" %.9g", single);
    else if (width(f) == 8)
        std::memcpy(&wide, at, 8), std::printf(" %llx", wide);
    else
        std::memcpy(&word, at, 4), std::printf(f == POISSON ? " %u" : " %x", word);
}

/* One call: its line. */
static void show(const std::string &what, curandGenerator_t g, int f, size_t n, double parameter = 0)
{
    size_t bytes = n * width(f);
    clear(bytes + 64);
    int status = generate(g, f, n, parameter);
    std::vector<char> host = fetch(bytes + 64);
    u64 hash = 0xcbf29ce484222325ull;
    for (size_t i = 0; i < host.size(); i++)
        hash = (hash ^ (unsigned char)host[i]) * 0x100000001b3ull;
    std::printf("%s %s %zu: %d %016llx", what.c_str(), NAMES[f], n, status, hash);
    for (size_t i = 0; i < 8 && i < n && !status; i++)
        element(&host[(i < 4 || n < 8 ? i : n - 8 + i) * width(f)], f);
    std::printf("\n");
}

static curandGenerator_t make(const Generator &type, int ordering, int *status)
{
    curandGenerator_t g = NULL;
    *status = on_device ? curandCreateGenerator(&g, type.type) : curandCreateGeneratorHost(&g, type.type);
    if (!*status && ordering) *status = curandSetGeneratorOrdering(g, (curandOrdering_t)ordering);
    return g;
}
static std::string text(const char *format, ...)
{
    char line[200];
    va_list list;
    va_start(list, format);
    std::vsnprintf(line, sizeof line, format, list);
    va_end(list);
    return line;
}
static bool has(const Generator &type, int f) { return is_quasi(type) ? f != (is_64(type) ? BITS : LONG_LONG) : true; }

/* Each function by itself, and calls one after the other, in each order. */
static void orders(const Generator &type, int ordering)
{
    static const size_t COUNTS[] = {1000, 6, 4098, 100002, 2, 1000000, 8192, 65536, 30};
    int status;
    curandGenerator_t g = make(type, ordering, &status);
    std::printf("%s order %d: %d\n", type.name, ordering, status);
    curandDestroyGenerator(g);
    if (status) return;
    for (int f = 0; f < FUNCTIONS; f++) {
        if (!has(type, f)) continue;
        g = make(type, ordering, &status);
        for (size_t n : COUNTS)
            show(text("%s order %d", type.name, ordering), g, f, n, 10);
        curandDestroyGenerator(g);
    }
}
/* Counts that are no multiples of anything, functions in turn. */
static void mixed(const Generator &type, int ordering)
{
    static const size_t COUNTS[] = {1, 3, 5, 7, 2, 255, 257, 1001, 4095, 4097, 10, 70001, 13, 8191, 33333};
    int status, k = 0;
    curandGenerator_t g = make(type, ordering, &status);
    if (status) return;
    for (int f = 0; f < FUNCTIONS; f++)
        for (size_t i = 0; i < 4 && has(type, f); i++)
            show(text("%s mixed %d", type.name, ordering), g, f, COUNTS[k++ % 15], 20);
    for (size_t n : COUNTS)
        show(text("%s odd %d", type.name, ordering), g, is_64(type) ? LONG_LONG : BITS, n);
    for (size_t n : COUNTS)
        show(text("%s odd %d", type.name, ordering), g, UNIFORM_DOUBLE, n);
    curandDestroyGenerator(g);
}
static void seeds(const Generator &type)
{
    static const u64 SEEDS[] = {0, 1, 2, 1234, 0x123456789abcdefull, ~0ull, 1ull << 32, 0x5555555555555555ull};
    static const u64 OFFSETS[] = {0, 1, 2, 3, 5, 255, 256, 1000, 4096, 4097, 65536, 131071, 1000003, (1ull << 32) + 17, (1ull << 40) + 3, 1ull << 62};
    int status, f = is_64(type) ? LONG_LONG : BITS;
    for (u64 seed : SEEDS) {
        curandGenerator_t g = make(type, 0, &status);
        status = curandSetPseudoRandomGeneratorSeed(g, seed);
        show(text("%s seed %llx %d", type.name, seed, status), g, f, 5000);
        show(text("%s seed %llx %d", type.name, seed, status), g, UNIFORM, 5000);
        curandDestroyGenerator(g);
    }
    for (u64 offset : OFFSETS)
        for (int ordering : ORDERINGS) {
            curandGenerator_t g = make(type, ordering, &status);
            if (!status) {
                status = curandSetGeneratorOffset(g, offset);
                show(text("%s offset %llx %d %d", type.name, offset, ordering, status), g, f, 20002);
                show(text("%s offset %llx %d %d", type.name, offset, ordering, status), g, UNIFORM_DOUBLE, 1002);
                show(text("%s offset %llx %d %d", type.name, offset, ordering, status), g, NORMAL, 1002);
            }
            curandDestroyGenerator(g);
        }
}
/* Settings that are changed between calls. */
static void changes(const Generator &type)
{
    int status, f = is_64(type) ? LONG_LONG : BITS;
    curandGenerator_t g = make(type, 0, &status);
    show(text("%s change first", type.name), g, f, 1003);
    status = curandSetPseudoRandomGeneratorSeed(g, 77);
    show(text("%s change seed %d", type.name, status), g, f, 1003);
    status = curandSetGeneratorOffset(g, 10);
    show(text("%s change offset %d", type.name, status), g, f, 1003);
    status = curandSetGeneratorOffset(g, 10);
    show(text("%s change same-offset %d", type.name, status), g, f, 1003);
    status = curandSetGeneratorOrdering(g, is_quasi(type) ? CURAND_ORDERING_QUASI_DEFAULT : CURAND_ORDERING_PSEUDO_LEGACY);
    show(text("%s change order %d", type.name, status), g, f, 1003);
    status = curandGenerateSeeds(g);
    show(text("%s change seeds %d", type.name, status), g, f, 1003);
    status = curandSetQuasiRandomGeneratorDimensions(g, 3);
    show(text("%s change dimensions %d", type.name, status), g, f, 1002);
    show(text("%s change dimensions %d", type.name, status), g, f, 1000);
    curandDestroyGenerator(g);
}
static void dimensions(const Generator &type)
{
    static const unsigned COUNTS[] = {0, 1, 2, 3, 7, 100, 1111, 20000, 20001};
    for (unsigned d : COUNTS) {
        int status;
        curandGenerator_t g = make(type, 0, &status);
        status = curandSetQuasiRandomGeneratorDimensions(g, d);
        std::printf("%s dimensions %u: %d\n", type.name, d, status);
        for (int f = 0; f < FUNCTIONS && !status; f++) {
            if (!has(type, f)) continue;
            show(text("%s dimensions %u", type.name, d), g, f, (size_t)d * (d > 5000 ? 50 : 333), 30);
            show(text("%s dimensions %u", type.name, d), g, f, (size_t)d * 2, 30);
            show(text("%s dimensions %u", type.name, d), g, f, d + 1, 30);
        }
        curandDestroyGenerator(g);
        if (d == 0 || d > 20000) continue;
        g = make(type, 0, &status);
        curandSetQuasiRandomGeneratorDimensions(g, d);
        curandSetGeneratorOffset(g, 12345);
        show(text("%s dimensions %u from 12345", type.name, d), g, is_64(type) ? LONG_LONG : BITS, (size_t)d * 10);
        curandDestroyGenerator(g);
    }
}
static void poissons(const Generator &type)
{
    static const double MEANS[] = {-1, 0, 1e-3, 0.5, 1, 5, 40, 63.5, 64, 100, 499, 501, 999, 1000, 1500, 1999, 2000, 2001, 4000, 4001, 1e5, 399999, 400000, 400001, 1e8};
    for (int ordering : ORDERINGS)
        for (double mean : MEANS) {
            int status;
            curandGenerator_t g = make(type, ordering, &status);
            if (!status) {
                show(text("%s mean %g %d", type.name, mean, ordering), g, POISSON, 3002, mean);
                show(text("%s mean %g %d", type.name, mean, ordering), g, POISSON, 777, mean);
                show(text("%s mean %g %d", type.name, mean, ordering), g, POISSON, 20000, mean);
                show(text("%s after mean %g %d", type.name, mean, ordering), g, is_64(type) ? LONG_LONG : BITS, 4);
            }
            curandDestroyGenerator(g);
        }
    for (int method = 0; method <= 13; method++) {
        int status;
        curandGenerator_t g = make(type, 0, &status);
        clear(4100);
        status = curandGeneratePoissonMethod(g, (unsigned *)memory, 1000, 80, (curandMethod_t)method);
        std::vector<char> host = fetch(4000);
        std::printf("%s method %d: %d", type.name, method, status);
        for (int i = 0; i < 8 && !status; i++)
            element(&host[(size_t)i * 500], POISSON);
        std::printf("\n");
        curandDestroyGenerator(g);
    }
}
/* Long sequences, so that their order is known. */
static void sample(const Generator &type, int ordering, int f, size_t count)
{
    int status;
    curandGenerator_t g = make(type, ordering, &status);
    if (status || !has(type, f)) return;
    status = generate(g, f, count, 10);
    curandDestroyGenerator(g);
    std::vector<char> host = fetch(count * width(f));
    std::fprintf(samples, "%s %d %s %zu %zu %d\n", type.name, ordering, NAMES[f], count, width(f), status);
    std::fwrite(host.data(), width(f), 4096, samples);
    for (size_t i = 4096; i < count; i += 1024)
        std::fwrite(&host[i * width(f)], width(f), 8, samples);
    std::fprintf(samples, "\n");
}

static bool run(bool device)
{
    on_device = device;
    if (device ? cudaMalloc(&memory, MOST * 8 + 64) : !(memory = (char *)std::malloc(MOST * 8 + 64))) return false;
    std::printf("%s\n", device ? "device" : "host");
    for (auto &type : GENERATORS) {
        for (int ordering : ORDERINGS) {
            if (is_quasi(type) != (ordering == CURAND_ORDERING_QUASI_DEFAULT) && ordering != CURAND_ORDERING_PSEUDO_DEFAULT) continue;
            orders(type, ordering);
            mixed(type, ordering);
            for (int f = 0; f < FUNCTIONS && samples && !is_quasi(type); f++)
                sample(type, ordering, f, f == BITS ? (size_t)4 << 20 : (size_t)1 << 20);
        }
        seeds(type);
        changes(type);
        if (is_quasi(type)) dimensions(type);
        poissons(type);
        std::fflush(stdout);
    }
    return true;
}

int main(int argc, char **argv)
{
    samples = argc > 2 ? std::fopen(argv[2], "wb") : NULL;
    return !run(argc == 1 || !std::strcmp(argv[1], "device"));
}
