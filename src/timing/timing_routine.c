/* SPDX-License-Identifier: Apache-2.0 */
/* The time of a routine of a library, which NVIDIA computes with kernels of its own that nobody runs here.
 *
 * Method: each kind has a model in a file of its own (timing_gemm.c, timing_vector.c, timing_sparse.c, ...);
 * here the parts of a time come together. Sources: rates of units: arch_pipes.def. */
#include "timing_routine_priv.h"

#include "timing_collective.h"
#include "timing_fft_priv.h"
#include "timing_random_priv.h"

#include <math.h>

/* ---- rates of units */

/* Multiply-adds of a multiprocessor in a cycle. 0: it has none of these units. */
static double math_rate(const struct arch_gpu *gpu, const struct arch_pipes *pipes, unsigned math)
{
    unsigned cc = gpu->cc_major * 10 + gpu->cc_minor;
    double tensor = pipes->tensor;
    switch (math) {
    case EVENT_MATH_F64: /* tensor cores of 8.0 and 9.0 double it (documented, white papers) */
        return (cc == 80 || cc == 90 ? 2.0 : 1.0) * pipes->f64;
    case EVENT_MATH_F32: return pipes->f32;
    case EVENT_MATH_TF32: return cc >= 80 ? tensor / 2 : pipes->f32;
    case EVENT_MATH_F16: return tensor > 0 ? tensor : 2.0 * pipes->f16;
    case EVENT_MATH_F8: return cc >= 89 ? 2 * tensor : 0;
    case EVENT_MATH_I8: return cc >= 72 ? 2 * tensor : pipes->integer;
    default: return 0;
    }
}

const char *timing_math_name(enum event_routine_math math)
{
    static const char *const NAMES[] = {
        [EVENT_MATH_F64] = "FP64", [EVENT_MATH_F32] = "FP32", [EVENT_MATH_TF32] = "TF32",
        [EVENT_MATH_F16] = "FP16", [EVENT_MATH_F8] = "FP8",   [EVENT_MATH_I8] = "INT8"};
    return NAMES[math];
}

static bool is_tensor(unsigned math)
{
    return math != EVENT_MATH_F32 && math != EVENT_MATH_F64;
}

static double at_least(double a, double b)
{
    return a > b ? a : b;
}

enum { DRAM_PERCENT = 83 }; /* fitted: what kernels reach of DRAM's rate */

/* ---- the whole */

static bool is_sparse(const struct event_routine *r)
{
    return (r->kind >= EVENT_ROUTINE_SPARSE && r->kind <= EVENT_ROUTINE_SORT) ||
           (r->method >= EVENT_METHOD_CSR && r->method < EVENT_METHODS);
}

static void finish(struct event_time *out, const double *ns, double all, double clock_khz, double share)
{
    *out = (struct event_time){.duration_ns = (uint64_t)(all + 0.5),
                               .sm_share = share,
                               .clock_khz = (uint64_t)clock_khz,
                               .cycles = all * clock_khz / 1e6};
    out->limit = EVENT_LIMIT_LAUNCH;
    for (int i = 0; i < EVENT_LIMIT_COUNT; i++) {
        double busy = all > 0 ? ns[i] / all : 0;
        out->busy[i] = busy < 1 ? busy : 1;
        if (ns[i] > ns[out->limit]) out->limit = (uint32_t)i;
    }
}

bool timing_routine(const struct arch_gpu *gpu, const struct event_routine *r, struct event_time *out)
{
    const struct arch_pipes *pipes = arch_pipes_find(gpu->cc_major, gpu->cc_minor);
    double clock_khz = (double)(gpu->kernels.sm_clock_khz ? gpu->kernels.sm_clock_khz : gpu->clock_khz);
    double ns[EVENT_LIMIT_COUNT] = {0}, share = 1, unit_ns = 0, dram = arch_dram_bytes_per_second(gpu) / 1e9;
    double rate = pipes ? math_rate(gpu, pipes, r->math) : 0, ghz = clock_khz / 1e6, work;
    if (rate <= 0 || dram <= 0) return false;
    enum event_limit unit = is_tensor(r->math)          ? EVENT_LIMIT_TENSOR
                            : r->math == EVENT_MATH_F64 ? EVENT_LIMIT_FP64
                                                        : EVENT_LIMIT_FMA;
    double bytes_ns = (double)(r->read_bytes + r->wrote_bytes) / dram;
    ns[EVENT_LIMIT_DRAM] = bytes_ns * 100 / DRAM_PERCENT;
    if (r->kind == EVENT_ROUTINE_GEMM) {
        struct timing_gemm gemm = timing_gemm(r, rate, (double)gpu->sm_count, ghz, dram);
        ns[EVENT_LIMIT_LAUNCH] = gemm.start_ns;
        work = gemm.work_ns;
        unit_ns = gemm.unit_ns;
        share = gemm.share;
    } else if (timing_is_lapack(r)) {
        work = timing_lapack_ns(r, rate * (double)gpu->sm_count * ghz, &unit_ns);
        ns[EVENT_LIMIT_LATENCY] = work - unit_ns;
        ns[EVENT_LIMIT_LAUNCH] = 0; /* a part of the whole */
    } else if (r->kind == EVENT_ROUTINE_COLLECTIVE) {
        ns[EVENT_LIMIT_DRAM] = bytes_ns * 100 / DRAM_PERCENT;
        ns[EVENT_LIMIT_LAUNCH] = timing_collective_start_ns(gpu, r);
        ns[EVENT_LIMIT_PEER] = timing_collective_ns(gpu, r) - ns[EVENT_LIMIT_LAUNCH];
        work = at_least(ns[EVENT_LIMIT_PEER], ns[EVENT_LIMIT_DRAM]);
        share = timing_collective_share(gpu);
    } else if (r->kind == EVENT_ROUTINE_SOLVE) {
        struct timing_stream solve = timing_solve(r, rate * (double)gpu->sm_count * ghz, &unit_ns);
        ns[EVENT_LIMIT_LAUNCH] = solve.start_ns;
        ns[EVENT_LIMIT_LATENCY] = solve.work_ns - unit_ns;
        work = solve.work_ns;
    } else if (r->kind == EVENT_ROUTINE_FFT) {
        struct timing_fft fft = timing_fft(r, dram, (double)gpu->sm_count * ghz);
        ns[EVENT_LIMIT_LAUNCH] = fft.start_ns;
        ns[EVENT_LIMIT_LATENCY] = fft.latency_ns;
        ns[EVENT_LIMIT_DRAM] = fft.memory_ns;
        unit_ns = fft.unit_ns;
        work = fft.latency_ns + fft.work_ns;
    } else if (is_sparse(r)) {
        struct timing_stream sparse = timing_sparse(r, dram);
        ns[EVENT_LIMIT_LAUNCH] = sparse.start_ns;
        ns[EVENT_LIMIT_LATENCY] = work = sparse.work_ns;
    } else if (r->kind == EVENT_ROUTINE_RANDOM) {
        struct timing_random random = timing_random(r, dram * DRAM_PERCENT / 100, (double)gpu->sm_count, ghz);
        ns[EVENT_LIMIT_LAUNCH] = random.start_ns;
        work = unit_ns = random.work_ns;
    } else {
        struct timing_stream stream = timing_stream(r, dram);
        ns[EVENT_LIMIT_LAUNCH] = stream.start_ns;
        work = stream.work_ns;
    }
    ns[unit] = unit_ns;
    finish(out, ns, ns[EVENT_LIMIT_LAUNCH] + work, clock_khz, share);
    return true;
}
