/* SPDX-License-Identifier: Apache-2.0 */
/* The host's half of the cliff finder: inputs, comparison of outputs, times. A row is a launch and its twin;
 * each repetition runs the twin, then the launch, so that a slow moment of the machine hits both. Time is the
 * CPU time of the process, which has one thread that works. Prints one line a row: its number, the twin's and
 * the launch's median in ms, the difference of outputs, what is tolerated, and how often a repetition ran
 * them. usage: cliffs [REPETITIONS [TEXT]] */
#ifndef CLIFFS_HARNESS_H
#define CLIFFS_HARNESS_H

#include "cliffs_common.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

enum kind { KIND_i8, KIND_i16, KIND_i32, KIND_i64, KIND_f16, KIND_f32, KIND_f64, KINDS };
typedef void call(const void *a, const void *b, void *out, const int *idx, const int *perm);
struct row {
    const char *name;
    call *launch, *native;
    enum kind kind;
    size_t outputs; /* scalars */
    int components;
    double tolerance; /* relative */
};

extern "C" {
int iterations = 8;
}

enum {
    ELEMENTS = 1 << 18,
    OUT_BYTES = 3 * ELEMENTS * 16,
    INPUT = 4 * ELEMENTS * 4,
    PERMUTED = 1 << 19,
    MAX_PASSES = 64
};
enum { MOST_MS = 250 }; /* a sample that takes longer has fewer repetitions, three at least */
static const size_t SIZE_OF[KINDS] = {1, 2, 4, 8, 2, 4, 8};

static uint64_t random_state = 88172645463325252u; /* xorshift64 (Marsaglia 2003) */
static uint32_t random_bits()
{
    random_state ^= random_state << 13, random_state ^= random_state >> 7, random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 20);
}

static double now_ms()
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void check(cudaError_t result, const char *what)
{
    if (result == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(result));
    exit(1);
}

static void set_scalar(enum kind kind, void *at, size_t i, uint32_t bits)
{
    int n = 1 + (int)(bits % 100);
    float f = 0.5f + (float)(bits >> 8) / (1 << 24);
    if (kind == KIND_i8) ((schar *)at)[i] = (schar)n;
    if (kind == KIND_i16) ((short *)at)[i] = (short)n;
    if (kind == KIND_i32) ((int *)at)[i] = n;
    if (kind == KIND_i64) ((llong *)at)[i] = n;
    if (kind == KIND_f16) ((half *)at)[i] = __float2half(f);
    if (kind == KIND_f32) ((float *)at)[i] = f;
    if (kind == KIND_f64) ((double *)at)[i] = f;
}

static double get_scalar(enum kind kind, const void *at, size_t i)
{
    if (kind == KIND_i8) return ((const schar *)at)[i];
    if (kind == KIND_i16) return ((const short *)at)[i];
    if (kind == KIND_i32) return ((const int *)at)[i];
    if (kind == KIND_i64) return (double)((const llong *)at)[i];
    if (kind == KIND_f16) return __half2float(((const half *)at)[i]);
    if (kind == KIND_f32) return ((const float *)at)[i];
    return ((const double *)at)[i];
}

struct arrays {
    void *host[2], *device[2];
};

static void make_inputs(enum kind kind, struct arrays *in)
{
    size_t bytes = (size_t)INPUT * SIZE_OF[kind];
    for (int v = 0; v < 2; v++) {
        in->host[v] = aligned_alloc(4096, bytes);
        for (size_t i = 0; i < INPUT; i++)
            set_scalar(kind, in->host[v], i, random_bits());
        check(cudaMalloc(&in->device[v], bytes), "cudaMalloc");
        check(cudaMemcpy(in->device[v], in->host[v], bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    }
}

/* Indices of gathers, and a permutation for scatters. */
static void make_indices(int *host[2], int *device[2])
{
    const size_t count[2] = {INPUT, PERMUTED};
    for (int v = 0; v < 2; v++)
        host[v] = (int *)aligned_alloc(4096, count[v] * sizeof(int));
    for (size_t i = 0; i < INPUT; i++)
        host[0][i] = (int)(random_bits() % ELEMENTS);
    for (int i = 0; i < PERMUTED; i++)
        host[1][i] = i;
    for (int i = PERMUTED - 1; i > 0; i--)
        std::swap(host[1][i], host[1][random_bits() % (unsigned)(i + 1)]);
    for (int v = 0; v < 2; v++) {
        check(cudaMalloc(&device[v], count[v] * sizeof(int)), "cudaMalloc");
        check(cudaMemcpy(device[v], host[v], count[v] * sizeof(int), cudaMemcpyHostToDevice), "cudaMemcpy");
    }
}

static double difference(const struct row *row, const void *got, const void *want)
{
    double worst = 0;
    for (size_t i = 0; i < row->outputs; i++) {
        double g = get_scalar(row->kind, got, i), w = get_scalar(row->kind, want, i);
        double d = fabs(g - w) / (fabs(w) + (row->kind < KIND_f16 ? 1e-9 : 1e-2));
        if (!(d <= worst)) worst = d; /* NaN counts */
    }
    return worst;
}

static double median(std::vector<double> &values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

static int run_rows(const struct row *rows, size_t count, int argc, char **argv)
{
    static struct arrays in[KINDS];
    int reps = argc > 1 ? atoi(argv[1]) : 9, *host_index[2], *device_index[2];
    void *out = aligned_alloc(4096, OUT_BYTES), *got = aligned_alloc(4096, OUT_BYTES), *device_out;
    check(cudaMalloc(&device_out, OUT_BYTES), "cudaMalloc");
    make_indices(host_index, device_index);
    for (size_t n = 0; n < count; n++) {
        const struct row *r = &rows[n];
        struct arrays *i = &in[r->kind];
        if (argc > 2 && !strstr(r->name, argv[2])) continue;
        if (!i->host[0]) make_inputs(r->kind, i);
        memset(out, 0, OUT_BYTES);
        check(cudaMemset(device_out, 0, OUT_BYTES), "cudaMemset");
        r->launch(i->device[0], i->device[1], device_out, device_index[0], device_index[1]);
        check(cudaDeviceSynchronize(), r->name);
        r->native(i->host[0], i->host[1], out, host_index[0], host_index[1]);
        check(cudaMemcpy(got, device_out, OUT_BYTES, cudaMemcpyDeviceToHost), "cudaMemcpy");
        double d = difference(r, got, out), t = now_ms();
        r->native(i->host[0], i->host[1], out, host_index[0], host_index[1]);
        int passes = std::clamp((int)(1.0 / std::max(now_ms() - t, 1e-3)), 1, (int)MAX_PASSES);
        std::vector<double> native, ours;
        for (int k = 0; k < reps && (k < 3 || now_ms() - t < MOST_MS); k++) {
            double t0 = now_ms();
            for (int p = 0; p < passes; p++)
                r->native(i->host[0], i->host[1], out, host_index[0], host_index[1]);
            double t1 = now_ms();
            for (int p = 0; p < passes; p++)
                r->launch(i->device[0], i->device[1], device_out, device_index[0], device_index[1]);
            check(cudaDeviceSynchronize(), r->name);
            double t2 = now_ms();
            native.push_back((t1 - t0) / passes);
            ours.push_back((t2 - t1) / passes);
        }
        printf("%zu\t%.6f\t%.6f\t%g\t%g\t%d\n", n, median(native), median(ours), d, r->tolerance, passes);
        fflush(stdout);
    }
    return 0;
}

#endif
