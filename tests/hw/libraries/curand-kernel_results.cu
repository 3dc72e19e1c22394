/* SPDX-License-Identifier: Apache-2.0 */
/* What cuRAND's device functions (curand_kernel.h) give: one line a kernel on standard output, as curand_results.cu has it: settings,
 * function and count, a status, a hash of all bits (FNV-1a of 64 bits) and some elements. Threads draw from states of their own, but
 * for MTGP32, whose blocks share one. */
#include <cuda_runtime.h>
#include <curand.h>
#include <curand_kernel.h>
#include <curand_mtgp32_host.h>
#include <curand_mtgp32dc_p_11213.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

typedef unsigned long long u64;
enum Function { BITS, UNIFORM, UNIFORM_DOUBLE, NORMAL, NORMAL_DOUBLE, LOG_NORMAL, LOG_NORMAL_DOUBLE, POISSON, LONG_LONG, DISCRETE };
static const char *const NAMES[] = {"bits", "uniform", "uniform-double", "normal", "normal-double", "log-normal", "log-normal-double",
                                    "poisson", "long-long", "poisson"};
static bool is_double(int f) { return f == UNIFORM_DOUBLE || f == NORMAL_DOUBLE || f == LOG_NORMAL_DOUBLE; }
static size_t width(int f) { return is_double(f) || f == LONG_LONG ? 8 : 4; }
static bool is_real(int f) { return f >= UNIFORM && f <= LOG_NORMAL_DOUBLE; }

/* Where a state starts, and how it is moved afterwards. */
struct Start {
    u64 seed, subsequence, offset;
    u64 skip, skip_subsequence, skip_sequence;
};
struct Draw {
    int function;
    double mean, deviation;
    curandDiscreteDistribution_t discrete;
    int each; /* numbers of a thread */
    void *out;
};
struct Tables {
    curandDirectionVectors32_t *v32, *scrambled32;
    curandDirectionVectors64_t *v64, *scrambled64;
    unsigned *c32;
    u64 *c64;
    curandStateMtgp32_t *mtgp;
};

/* ---- states */

__device__ unsigned number() { return blockIdx.x * blockDim.x + threadIdx.x; }

template <class State> struct Own {
    State state;
    __device__ State *get() { return &state; }
};
struct Shared {
    curandStateMtgp32_t *state;
    __device__ curandStateMtgp32_t *get() { return state; }
};

template <class State> __device__ void move(State *, const Start &) {}
__device__ void move(curandStateXORWOW_t *s, const Start &at)
{
    if (at.skip) skipahead(at.skip, s);
    if (at.skip_sequence) skipahead_sequence(at.skip_sequence, s);
}
__device__ void move(curandStatePhilox4_32_10_t *s, const Start &at)
{
    if (at.skip) skipahead(at.skip, s);
    if (at.skip_sequence) skipahead_sequence(at.skip_sequence, s);
}
__device__ void move(curandStateMRG32k3a_t *s, const Start &at)
{
    if (at.skip) skipahead(at.skip, s);
    if (at.skip_subsequence) skipahead_subsequence(at.skip_subsequence, s);
    if (at.skip_sequence) skipahead_sequence(at.skip_sequence, s);
}
template <class State> __device__ void begin(Own<State> *s, const Start &at, const Tables &)
{
    curand_init(at.seed, at.subsequence + number(), at.offset, &s->state);
    move(&s->state, at);
}
__device__ void begin(Own<curandStateSobol32_t> *s, const Start &at, const Tables &t)
{
    curand_init(t.v32[number() * 157], (unsigned)at.offset, &s->state);
    if (at.skip) skipahead((unsigned)at.skip, &s->state);
}
__device__ void begin(Own<curandStateScrambledSobol32_t> *s, const Start &at, const Tables &t)
{
    curand_init(t.scrambled32[number() * 157], t.c32[number() * 157], (unsigned)at.offset, &s->state);
    if (at.skip) skipahead<curandStateScrambledSobol32_t *>((unsigned)at.skip, &s->state);
}
__device__ void begin(Own<curandStateSobol64_t> *s, const Start &at, const Tables &t)
{
    curand_init(t.v64[number() * 157], at.offset, &s->state);
    if (at.skip) skipahead<curandStateSobol64_t *>(at.skip, &s->state);
}
__device__ void begin(Own<curandStateScrambledSobol64_t> *s, const Start &at, const Tables &t)
{
    curand_init(t.scrambled64[number() * 157], t.c64[number() * 157], at.offset, &s->state);
    if (at.skip) skipahead(at.skip, &s->state);
}
__device__ void begin(Shared *s, const Start &, const Tables &t) { s->state = &t.mtgp[blockIdx.x]; }

/* ---- kernels: one, two and four numbers at once. Element j of a thread is at j times the number of threads. */

template <class T> __device__ void put(const Draw &d, int j, T x) { ((T *)d.out)[j * gridDim.x * blockDim.x + number()] = x; }

template <class Pool> __global__ void singles(Start at, Draw d, Tables t)
{
    Pool pool;
    begin(&pool, at, t);
    auto *s = pool.get();
    for (int j = 0; j < d.each; j++) switch (d.function) {
        case BITS: put(d, j, (unsigned)curand(s)); break;
        case LONG_LONG: put(d, j, (u64)curand(s)); break;
        case UNIFORM: put(d, j, curand_uniform(s)); break;
        case UNIFORM_DOUBLE: put(d, j, curand_uniform_double(s)); break;
        case NORMAL: put(d, j, curand_normal(s)); break;
        case NORMAL_DOUBLE: put(d, j, curand_normal_double(s)); break;
        case LOG_NORMAL: put(d, j, curand_log_normal(s, (float)d.mean, (float)d.deviation)); break;
        case LOG_NORMAL_DOUBLE: put(d, j, curand_log_normal_double(s, d.mean, d.deviation)); break;
        case POISSON: put(d, j, curand_poisson(s, d.mean)); break;
        default: put(d, j, curand_discrete(s, d.discrete)); break;
        }
}

template <class T> __device__ void put2(const Draw &d, int j, T v)
{
    put(d, j, v.x);
    put(d, j + 1, v.y);
}
template <class Pool> __global__ void pairs(Start at, Draw d, Tables t)
{
    Pool pool;
    begin(&pool, at, t);
    auto *s = pool.get();
    for (int j = 0; j < d.each; j += 2) switch (d.function) {
        case NORMAL: put2(d, j, curand_normal2(s)); break;
        case NORMAL_DOUBLE: put2(d, j, curand_normal2_double(s)); break;
        case LOG_NORMAL: put2(d, j, curand_log_normal2(s, (float)d.mean, (float)d.deviation)); break;
        default: put2(d, j, curand_log_normal2_double(s, d.mean, d.deviation)); break;
        }
}

template <class T> __device__ void put4(const Draw &d, int j, T v)
{
    put2(d, j, v);
    put(d, j + 2, v.z);
    put(d, j + 3, v.w);
}
/* after: how many single numbers go before, as an output of Philox has four. */
__global__ void fours(Start at, Draw d, Tables t, int after)
{
    Own<curandStatePhilox4_32_10_t> pool;
    begin(&pool, at, t);
    auto *s = pool.get();
    for (int j = 0; j < after; j++) curand(s);
    for (int j = 0; j < d.each; j += 4) switch (d.function) {
        case BITS: put4(d, j, curand4(s)); break;
        case UNIFORM: put4(d, j, curand_uniform4(s)); break;
        case UNIFORM_DOUBLE:
            put2(d, j, curand_uniform2_double(s));
            put2(d, j + 2, curand_uniform2_double(s));
            break;
        case NORMAL: put4(d, j, curand_normal4(s)); break;
        case NORMAL_DOUBLE: put4(d, j, curand_normal4_double(s)); break;
        case LOG_NORMAL: put4(d, j, curand_log_normal4(s, (float)d.mean, (float)d.deviation)); break;
        case LOG_NORMAL_DOUBLE: put4(d, j, curand_log_normal4_double(s, d.mean, d.deviation)); break;
        case POISSON: put4(d, j, curand_poisson4(s, d.mean)); break;
        default: put4(d, j, curand_discrete4(s, d.discrete)); break;
        }
}

/* What a state keeps of a pair, with other numbers in between. */
template <class Pool> __global__ void mixed(Start at, Draw d, Tables t)
{
    Pool pool;
    begin(&pool, at, t);
    auto *s = pool.get();
    for (int j = 0; j < d.each; j++) {
        double x = 0;
        switch (j % 9) {
        case 0:
        case 3:
        case 4: x = curand_normal(s); break;
        case 1: x = curand_log_normal(s, 0.25f, 0.5f); break;
        case 2: x = curand_normal_double(s); break;
        case 5: x = curand_log_normal_double(s, 0.25, 0.5); break;
        case 6: x = curand_uniform(s); break;
        case 7: x = curand_poisson(s, 5.0); break;
        case 8: x = curand_uniform_double(s); break;
        }
        put(d, j, x);
    }
}
/* MTGP32 by numbers of threads. (Of curand_mtgp32_single threads read what others write: its numbers depend on the GPU's timing.) */
__global__ void mtgp(Draw d, Tables t)
{
    curandStateMtgp32_t *s = &t.mtgp[blockIdx.x];
    for (int j = 0; j < d.each; j++)
        put(d, j, curand_mtgp32_specific(s, (unsigned char)threadIdx.x, (unsigned char)blockDim.x));
}

/* ---- lines */

static char *memory; /* of the device */
static const size_t BYTES = 1 << 20;

static void report(const std::string &settings, const Draw &d, size_t count)
{
    cudaError_t error = cudaDeviceSynchronize();
    std::vector<char> host(count * width(d.function));
    cudaMemcpy(host.data(), memory, host.size(), cudaMemcpyDeviceToHost);
    u64 hash = 14695981039346656037ull;
    for (char c : host) hash = (hash ^ (unsigned char)c) * 1099511628211ull;
    printf("%s %s %zu: %d %016llx", settings.c_str(), NAMES[d.function], count, (int)error, hash);
    const size_t places[] = {0, 1, count - 1};
    for (size_t i : places)
        if (is_double(d.function))
            printf(" %.17g", ((double *)host.data())[i]);
        else if (is_real(d.function))
            printf(" %.9g", ((float *)host.data())[i]);
        else
            printf(" %llx", d.function == LONG_LONG ? ((u64 *)host.data())[i] : (u64)((unsigned *)host.data())[i]);
    printf("\n");
    cudaMemset(memory, 0xa5, host.size());
}

static std::string words(const char *format, const Start &at)
{
    char text[200];
    snprintf(text, sizeof text, format, at.seed, at.subsequence, at.offset, at.skip, at.skip_subsequence, at.skip_sequence);
    return text;
}
static const int BLOCKS = 2, THREADS = 32;

template <class Pool> static void single(const std::string &settings, const Start &at, const Tables &t, int function, double mean = 0.25,
                                         int each = 8, curandDiscreteDistribution_t discrete = nullptr)
{
    Draw d = {function, mean, 0.5, discrete, each, memory};
    singles<Pool><<<BLOCKS, THREADS>>>(at, d, t);
    report(settings, d, (size_t)BLOCKS * THREADS * each);
}
template <class Pool> static void all_singles(const std::string &settings, const Start &at, const Tables &t)
{
    for (int f = BITS; f <= LOG_NORMAL_DOUBLE; f++) single<Pool>(settings, at, t, f);
}

static const double MEANS[] = {0.01, 0.5, 1, 4.25, 20, 63.9, 64, 65.5, 100, 333.3, 600, 999, 1000, 1500, 2500, 4000, 4001, 100000};

template <class Pool> static void poissons(const std::string &name, const Start &at, const Tables &t)
{
    char text[100];
    for (double mean : MEANS) {
        snprintf(text, sizeof text, " mean %g", mean);
        single<Pool>(name + text, at, t, POISSON, mean);
        curandDiscreteDistribution_t discrete;
        snprintf(text, sizeof text, " discrete %g: %d", mean, (int)curandCreatePoissonDistribution(mean, &discrete));
        puts((name + text).c_str());
        snprintf(text, sizeof text, " discrete %g", mean);
        single<Pool>(name + text, at, t, DISCRETE, mean, 8, discrete);
        curandDestroyDistribution(discrete);
    }
}

static const u64 SEEDS[] = {0, 1, 1234, 0x123456789abcdefull, ~0ull};
static const u64 FROM[][2] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 7}, {1, 0}, {5, 100}, {1000, 1000000}, {123456789, 0}, {0, 1ull << 33},
                              {1ull << 40, 1ull << 45}, {0x8000000000000001ull, 0xfedcba9876543210ull}};

template <class State> static void pseudo(const char *name, const Tables &t)
{
    const bool is_mrg = name[0] == 'M';
    typedef Own<State> Pool;
    for (u64 seed : SEEDS)
        for (auto &from : FROM) {
            Start at = {seed, from[0], from[1], 0, 0, 0};
            if (is_mrg && from[0] >> 40 > 1) continue; /* NVIDIA's tables end at subsequence 2^56 */
            all_singles<Pool>(name + words(" seed %llx from %llx %llx", at), at, t);
        }
    const Start moves[] = {{7, 0, 0, 1, 0, 0}, {7, 1, 3, 6, 0, 0}, {7, 2, 0, 1ull << 36, 0, 0}, {7, 0, 0, 0, 1, 0}, {7, 0, 1, 0, 77777, 0},
                           {7, 0, 0, 0, 0, 1}, {7, 3, 1, 5, 9, 12345}, {7, 0, 0, ~0ull, ~0ull, ~0ull}};
    for (const Start &at : moves) {
        if (is_mrg && at.skip_subsequence >> 40) continue;
        for (int f : {BITS, UNIFORM, NORMAL}) single<Pool>(name + words(" moved %llx %llx %llx by %llx %llx %llx", at), at, t, f);
    }
    Start at = {99, 17, 5, 0, 0, 0};
    for (int f = NORMAL; f <= LOG_NORMAL_DOUBLE; f++) {
        Draw d = {f, 0.25, 0.5, nullptr, 16, memory};
        pairs<Pool><<<BLOCKS, THREADS>>>(at, d, t);
        report(std::string(name) + " pairs", d, (size_t)BLOCKS * THREADS * d.each);
    }
    Draw d = {NORMAL_DOUBLE, 0, 0, nullptr, 40, memory};
    mixed<Pool><<<BLOCKS, THREADS>>>(at, d, t);
    report(std::string(name) + " mixed", d, (size_t)BLOCKS * THREADS * d.each);
    poissons<Pool>(name, at, t);
    single<Pool>(std::string(name) + " long", at, t, BITS, 0, 1000);
    single<Pool>(std::string(name) + " long", at, t, NORMAL, 0, 1000);
    single<Pool>(std::string(name) + " long", at, t, NORMAL_DOUBLE, 0, 1000);
}

static void philox_fours(const Tables &t)
{
    Start at = {99, 17, 5, 0, 0, 0};
    char text[100];
    for (int after = 0; after < 4; after++) {
        snprintf(text, sizeof text, "PHILOX fours after %d", after);
        for (int f = BITS; f <= LOG_NORMAL_DOUBLE; f++) {
            Draw d = {f, 0.25, 0.5, nullptr, 16, memory};
            fours<<<BLOCKS, THREADS>>>(at, d, t, after);
            report(text, d, (size_t)BLOCKS * THREADS * d.each);
        }
        for (double mean : MEANS) {
            Draw d = {POISSON, mean, 0, nullptr, 16, memory};
            fours<<<BLOCKS, THREADS>>>(at, d, t, after);
            snprintf(text, sizeof text, "PHILOX mean %g fours after %d", mean, after);
            report(text, d, (size_t)BLOCKS * THREADS * d.each);
            curandCreatePoissonDistribution(mean, &d.discrete);
            d.function = DISCRETE;
            fours<<<BLOCKS, THREADS>>>(at, d, t, after);
            snprintf(text, sizeof text, "PHILOX discrete %g fours after %d", mean, after);
            report(text, d, (size_t)BLOCKS * THREADS * d.each);
            curandDestroyDistribution(d.discrete);
        }
        snprintf(text, sizeof text, "PHILOX fours after %d", after);
    }
}

template <class State> static void quasi(const char *name, const Tables &t, bool wide)
{
    typedef Own<State> Pool;
    const u64 offsets[] = {0, 1, 2, 15, 1000, 0xfffffff0, 1ull << 35, ~0ull - 3};
    for (u64 offset : offsets) {
        Start at = {0, 0, offset, 0, 0, 0};
        if (!wide && offset >> 32 && offset >> 32 != 0xffffffff) continue;
        all_singles<Pool>(name + words(" from %llx %llx %llx", at), at, t);
        if (wide) single<Pool>(name + words(" from %llx %llx %llx", at), at, t, LONG_LONG);
        at.skip = 12345;
        single<Pool>(name + words(" skip from %llx %llx %llx", at), at, t, wide ? LONG_LONG : BITS);
    }
    Start at = {0, 0, 77, 0, 0, 0};
    poissons<Pool>(name, at, t);
    single<Pool>(std::string(name) + " long", at, t, wide ? LONG_LONG : BITS, 0, 1000);
}

static void mtgp_begin(const Tables &t, mtgp32_kernel_params *params, u64 seed, int states)
{
    printf("MTGP32 made %llx: %d\n", seed, (int)curandMakeMTGP32KernelState(t.mtgp, mtgp32dc_params_fast_11213, params, states, seed));
}
static void all_mtgp(const Tables &t)
{
    mtgp32_kernel_params *params;
    cudaMalloc(&params, sizeof *params);
    printf("MTGP32 constants: %d\n", (int)curandMakeMTGP32Constants(mtgp32dc_params_fast_11213, params));
    Start at = {};
    for (u64 seed : SEEDS) {
        mtgp_begin(t, params, seed, CURAND_NUM_MTGP32_PARAMS);
        all_singles<Shared>("MTGP32" + words(" seed %llx", Start{seed, 0, 0, 0, 0, 0}), at, t);
        Draw d = {BITS, 0, 0, nullptr, 5, memory};
        for (int threads : {256, 64, 1}) { /* every parameter set */
            singles<Shared><<<CURAND_NUM_MTGP32_PARAMS, threads>>>(at, d, t);
            report("MTGP32" + words(" sets seed %llx", Start{seed, 0, 0, 0, 0, 0}), d, (size_t)CURAND_NUM_MTGP32_PARAMS * threads * d.each);
        }
        mtgp<<<BLOCKS, 128>>>(d, t);
        report("MTGP32 way 0" + words(" seed %llx", Start{seed, 0, 0, 0, 0, 0}), d, (size_t)BLOCKS * 128 * d.each);
    }
    mtgp_begin(t, params, 5, 4);
    poissons<Shared>("MTGP32", at, t);
    cudaFree(params);
}

template <class T> static void upload(T **out, const void *host)
{
    const size_t bytes = sizeof(T) * 64 * 157;
    cudaMalloc(out, bytes);
    cudaMemcpy(*out, host, bytes, cudaMemcpyHostToDevice);
}
static Tables tables()
{
    Tables t;
    curandDirectionVectors32_t *v32;
    curandDirectionVectors64_t *v64;
    unsigned *c32;
    u64 *c64;
    curandGetDirectionVectors32(&v32, CURAND_DIRECTION_VECTORS_32_JOEKUO6);
    upload(&t.v32, v32);
    curandGetDirectionVectors32(&v32, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6);
    upload(&t.scrambled32, v32);
    curandGetDirectionVectors64(&v64, CURAND_DIRECTION_VECTORS_64_JOEKUO6);
    upload(&t.v64, v64);
    curandGetDirectionVectors64(&v64, CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6);
    upload(&t.scrambled64, v64);
    curandGetScrambleConstants32(&c32);
    upload(&t.c32, c32);
    curandGetScrambleConstants64(&c64);
    upload(&t.c64, c64);
    cudaMalloc(&t.mtgp, CURAND_NUM_MTGP32_PARAMS * sizeof *t.mtgp);
    return t;
}

int main()
{
    Tables t = tables();
    cudaMalloc(&memory, BYTES);
    pseudo<curandStateXORWOW_t>("XORWOW", t);
    pseudo<curandStateMRG32k3a_t>("MRG32K3A", t);
    pseudo<curandStatePhilox4_32_10_t>("PHILOX", t);
    philox_fours(t);
    quasi<curandStateSobol32_t>("SOBOL32", t, false);
    quasi<curandStateScrambledSobol32_t>("SCRAMBLED32", t, false);
    quasi<curandStateSobol64_t>("SOBOL64", t, true);
    quasi<curandStateScrambledSobol64_t>("SCRAMBLED64", t, true);
    all_mtgp(t);
    return cudaGetLastError() != cudaSuccess;
}
