/* SPDX-License-Identifier: Apache-2.0 */
/* Records the approximate instructions of the GPU it runs on, and compares them with the model of the interpreter
 * (tests/oracle/oracle_mufu.h, compiled for the GPU). Standard output, kept as h200/digests.txt: lines "digest
 * FUNCTION FIRST-PART HASH ..." and "error FUNCTION LARGEST AT". Standard error: differences. Exit status: are there any?
 * f32 functions and f64 seeds see all 2^32 operands (a seed: as upper word, the lower made from it), div and
 * rsqrt.approx.f64 2^32 and 2^28 made from a counter, halves all 2^16. Part k of 256 holds the operands i with
 * i % 256 == k; its hash is the sum of mix(operand number, result) modulo 2^64, folded
 * to 32 bits. */
#define MUFU_FMA __fma_rn
#define MUFU_FN static __device__ inline
#define ARCH_MUFU_TABLE static __device__ const struct arch_mufu_row
#include "oracle_mufu.h"

#include <cstdio>

enum { PARTS = 256 };

struct tally {
    unsigned long long hash[PARTS], differences, first, worst; /* worst: error as float bits, then the operand */
};

static __device__ uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

#define UNARY(name, ptx, text, model, exact, kind)                                                                     \
    struct name {                                                                                                      \
        static constexpr const char *label = text;                                                                     \
        static constexpr int error = kind;                                                                             \
        static __device__ uint64_t gpu(uint64_t i)                                                                     \
        {                                                                                                              \
            float y;                                                                                                   \
            asm(ptx " %0, %1;" : "=f"(y) : "f"(__uint_as_float((uint32_t)i)));                                         \
            return __float_as_uint(y);                                                                                 \
        }                                                                                                              \
        static __device__ uint64_t same(uint64_t i) { return model((uint32_t)i); }                                     \
        static __device__ double truth(double x) { return exact; }                                                     \
    };
enum { NONE, RELATIVE, NEAR_ONE, CIRCLE }; /* what the error is relative to; CIRCLE: absolute, within a turn */
UNARY(rcp, "rcp.approx.f32", "rcp.approx.f32", oracle_rcp, 1 / x, RELATIVE)
UNARY(rcp_ftz, "rcp.approx.ftz.f32", "rcp.approx.ftz.f32", mufu_rcp, 1 / x, RELATIVE)
UNARY(root, "sqrt.approx.f32", "sqrt.approx.f32", oracle_sqrt, sqrt(x), RELATIVE)
UNARY(root_ftz, "sqrt.approx.ftz.f32", "sqrt.approx.ftz.f32", mufu_sqrt, sqrt(x), RELATIVE)
UNARY(rroot, "rsqrt.approx.f32", "rsqrt.approx.f32", oracle_rsqrt, 1 / sqrt(x), RELATIVE)
UNARY(rroot_ftz, "rsqrt.approx.ftz.f32", "rsqrt.approx.ftz.f32", mufu_rsqrt, 1 / sqrt(x), RELATIVE)
UNARY(power, "ex2.approx.f32", "ex2.approx.f32", oracle_ex2, exp2(x), RELATIVE)
UNARY(power_ftz, "ex2.approx.ftz.f32", "ex2.approx.ftz.f32", mufu_ex2, exp2(x), RELATIVE)
UNARY(logarithm, "lg2.approx.f32", "lg2.approx.f32", oracle_lg2, log2(x), NEAR_ONE)
UNARY(logarithm_ftz, "lg2.approx.ftz.f32", "lg2.approx.ftz.f32", mufu_lg2, log2(x), NEAR_ONE)
UNARY(sine, "sin.approx.f32", "sin.approx.f32", oracle_sin, sin(x), CIRCLE)
UNARY(sine_ftz, "sin.approx.ftz.f32", "sin.approx.ftz.f32", oracle_sin, sin(x), CIRCLE)
UNARY(cosine, "cos.approx.f32", "cos.approx.f32", oracle_cos, cos(x), CIRCLE)
UNARY(cosine_ftz, "cos.approx.ftz.f32", "cos.approx.ftz.f32", oracle_cos, cos(x), CIRCLE)
UNARY(hyperbolic, "tanh.approx.f32", "tanh.approx.f32", mufu_tanh, tanh(x), RELATIVE)

#define OTHER(name, text, gpu_code, model_code)                                                                        \
    struct name {                                                                                                      \
        static constexpr const char *label = text;                                                                     \
        static constexpr int error = NONE;                                                                             \
        static __device__ uint64_t gpu(uint64_t i) gpu_code static __device__ uint64_t same(uint64_t i) model_code     \
        static __device__ double truth(double x) { return x; }                                                         \
    };
#define SEED(name, ptx, model)                                                                                         \
    OTHER(name, ptx,                                                                                                   \
          {                                                                                                            \
              double y;                                                                                                \
              asm(ptx " %0, %1;" : "=d"(y) : "d"(__longlong_as_double(i << 32 | (uint32_t)mix(i))));                   \
              return __double_as_longlong(y);                                                                          \
          },                                                                                                           \
          { return (uint64_t)model((uint32_t)i) << 32; })
SEED(rcp_seed, "rcp.approx.ftz.f64", mufu_rcp64h)
SEED(rsqrt_seed, "rsqrt.approx.ftz.f64", mufu_rsqrt64h)

static __device__ uint32_t near_one(uint32_t a) /* exponents between 2^-8 and 2^7 in half of all */
{
    return a & 1 ? (a & 0x87ffffff) | 0x38000000 : a;
}
#define DIVISION(name, ptx, full, ftz)                                                                                 \
    OTHER(name, ptx,                                                                                                   \
          {                                                                                                            \
              uint64_t r = mix(i);                                                                                     \
              float y;                                                                                                 \
              asm(ptx " %0, %1, %2;"                                                                                   \
                  : "=f"(y)                                                                                            \
                  : "f"(__uint_as_float(near_one((uint32_t)r))), "f"(__uint_as_float(near_one(r >> 32))));             \
              return __float_as_uint(y);                                                                               \
          },                                                                                                           \
          {                                                                                                            \
              uint64_t r = mix(i);                                                                                     \
              return oracle_div(near_one((uint32_t)r), near_one(r >> 32), full, ftz);                                  \
          })
DIVISION(div_approx, "div.approx.f32", false, false)
DIVISION(div_approx_ftz, "div.approx.ftz.f32", false, true)
DIVISION(div_full, "div.full.f32", true, false)
DIVISION(div_full_ftz, "div.full.ftz.f32", true, true)
OTHER(
    rsqrt64, "rsqrt.approx.f64",
    {
        double y;
        asm("rsqrt.approx.f64 %0, %1;" : "=d"(y) : "d"(__longlong_as_double(mix(i))));
        return __double_as_longlong(y);
    },
    { return oracle_rsqrt64(mix(i)); })
#define HALF(name, ptx, brain, hyperbolic)                                                                             \
    OTHER(name, ptx,                                                                                                   \
          {                                                                                                            \
              unsigned short y;                                                                                        \
              asm(ptx " %0, %1;" : "=h"(y) : "h"((unsigned short)i));                                                  \
              return y;                                                                                                \
          },                                                                                                           \
          { return oracle_half((uint32_t)i, brain, hyperbolic); })
HALF(ex2_f16, "ex2.approx.f16", false, false)
HALF(ex2_bf16, "ex2.approx.ftz.bf16", true, false)
HALF(tanh_f16, "tanh.approx.f16", false, true)
HALF(tanh_bf16, "tanh.approx.bf16", true, true)

static __device__ bool is_normal(double x)
{
    return fabs(x) >= 0x1p-126 && fabs(x) < 0x1p128;
}

/* Of normal operands with normal results */
template <class F> static __device__ float error_of(uint32_t i, uint32_t result)
{
    double x = __uint_as_float(i), got = __uint_as_float(result);
    if (F::error == NONE || !is_normal(x) || (F::error == CIRCLE && fabs(x) > 6.2831855)) return 0;
    double want = F::truth(x);
    bool absolute = F::error == CIRCLE || (F::error == NEAR_ONE && x >= 0.5 && x <= 2);
    if (!absolute && (!is_normal(want) || !is_normal(got))) return 0;
    return (float)(fabs(got - want) / (absolute ? 1 : fabs(want)));
}

/* gridDim.x * blockDim.x is a multiple of PARTS, so a thread stays in one part. */
template <class F> __global__ void run(uint64_t count, struct tally *out)
{
    uint64_t first = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x, step = gridDim.x * (uint64_t)blockDim.x;
    unsigned long long hash = 0, differences = 0, worst = 0;
    for (uint64_t i = first; i < count; i += step) {
        uint64_t got = F::gpu(i);
        hash += mix(i * 0x100000001b3u ^ got);
        if (got != F::same(i)) {
            if (differences++ == 0) atomicMin(&out->first, (unsigned long long)i);
        }
        unsigned long long error = (unsigned long long)__float_as_uint(error_of<F>((uint32_t)i, (uint32_t)got)) << 32;
        if ((error | i) > worst && error) worst = error | i;
    }
    atomicAdd(&out->hash[first % PARTS], hash);
    atomicAdd(&out->differences, differences);
    atomicMax(&out->worst, worst);
}

template <class F> static int record(uint64_t count)
{
    static struct tally host;
    struct tally *device;
    host = {};
    host.first = ~0ull;
    cudaMalloc(&device, sizeof host);
    cudaMemcpy(device, &host, sizeof host, cudaMemcpyHostToDevice);
    run<F><<<count < (1 << 20) ? 16 : 2112, 256>>>(count, device);
    cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
    cudaError_t status = cudaGetLastError();
    cudaFree(device);
    for (int k = 0; k < PARTS; k++) {
        if (k % 16 == 0) printf("digest %s %d", F::label, k);
        printf(" %08x%s", (unsigned)(host.hash[k] ^ host.hash[k] >> 32), k % 16 == 15 ? "\n" : "");
    }
    union {
        unsigned bits;
        float value;
    } error = {(unsigned)(host.worst >> 32)}, at = {(unsigned)host.worst};
    if (host.worst) printf("error %s 2^%.2f %a\n", F::label, log2(error.value), at.value);
    fprintf(stderr, "%s: %llu of %llu differ from the model (%s)", F::label, host.differences,
            (unsigned long long)count, cudaGetErrorString(status));
    if (host.differences) fprintf(stderr, ", first at %llx", host.first);
    fputc('\n', stderr);
    return host.differences || status != cudaSuccess;
}

template <class... F> static int record_all(uint64_t count)
{
    return (record<F>(count) + ...);
}

int main()
{
    int bad = record_all<rcp, rcp_ftz, root, root_ftz, rroot, rroot_ftz, power, power_ftz, logarithm, logarithm_ftz, sine,
                         sine_ftz, cosine, cosine_ftz, hyperbolic>(1ull << 32);
    bad += record_all<rcp_seed, rsqrt_seed, div_approx, div_approx_ftz, div_full, div_full_ftz>(1ull << 32);
    bad += record_all<rsqrt64>(1ull << 28);
    bad += record_all<ex2_f16, ex2_bf16, tanh_f16, tanh_bf16>(1ull << 16);
    return bad ? 1 : 0;
}
