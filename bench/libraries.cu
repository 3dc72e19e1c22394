// SPDX-License-Identifier: Apache-2.0
// Calls of Softwarp's cuBLAS, cuSPARSE, cuSOLVER and cuFFT beside what a program for CPUs would do with as many
// threads: the same OpenBLAS, called directly, a loop, or the same transforms. One after the other, turn by turn; the
// medians of a call's CPU time are printed in microseconds, and the median of direct / Softwarp. CPU time: of all
// threads of the process, so that other processes count little, but without the main thread's while it waits for the
// device, which it does by looking for some microseconds before it sleeps. Calls that change no operand are queued in
// rows, as a program does. Results of both are compared.
// usage: libraries [-s SECONDS EACH] [-k PART OF A NAME]
#include "libraries.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <ctime>
#include <dlfcn.h>
#include <vector>

cublasHandle_t blas;
cusparseHandle_t sparse;
cusolverDnHandle_t solver;

void *openblas(const char *name)
{
    static void *library = dlopen("libopenblas.so.0", RTLD_NOW);
    void *function = library ? dlsym(library, name) : nullptr;
    if (!function) {
        fprintf(stderr, "OpenBLAS has no %s: %s\n", name, dlerror());
        exit(2);
    }
    return function;
}

// ---- measuring

static double each_s = 1;
static const char *part = "";
static int wrong;

bool wanted(const char *name) { return strstr(name, part) != nullptr; }

static double now(clockid_t clock = CLOCK_PROCESS_CPUTIME_ID)
{
    timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double timed(const action &before, const action &run, int calls)
{
    before();
    double start = now();
    for (int i = 0; i < calls; i++)
        run();
    double waits = now(CLOCK_THREAD_CPUTIME_ID);
    cudaDeviceSynchronize();
    waits = now(CLOCK_THREAD_CPUTIME_ID) - waits;
    return (now() - start - waits) / calls;
}

static double median(std::vector<double> &of)
{
    std::sort(of.begin(), of.end());
    return of[of.size() / 2];
}

static void measure(const char *name, const action &before, const action &ours, const action &direct, int calls)
{
    std::vector<double> times[2], ratios;
    double until = now() + each_s;
    for (int turn = 0; turn < 5 || now() < until; turn++) {
        double first = timed(before, ours, calls), second = timed(before, direct, calls);
        times[0].push_back(first), times[1].push_back(second), ratios.push_back(second / first);
    }
    printf("%-30s %11.2f %11.2f %6.2f", name, median(times[0]) * 1e6, median(times[1]) * 1e6, median(ratios));
}

static void compare(const action &before, const action &ours, const action &direct, const result &left)
{
    double most = 0, off = 0;
    timed(before, ours, 1);
    std::vector<double> first(left.count);
    for (size_t i = 0; i < left.count; i++)
        first[i] = left.at(i);
    timed(before, direct, 1);
    for (size_t i = 0; i < left.count; i++) {
        most = std::max(most, std::fabs(left.at(i)));
        off = std::max(off, std::fabs(std::fabs(left.at(i)) - std::fabs(first[i]))); // vectors may have either sign
    }
    bool good = off <= 1e-3 * most && most > 0;
    wrong += !good;
    printf(" %s\n", good ? "" : "WRONG");
    fflush(stdout);
}

void row(const char *name, const action &before, const action &ours, const action &direct, const result &left)
{
    if (!wanted(name)) return;
    timed(before, ours, 1), timed(before, direct, 1);
    measure(name, before, ours, direct, 1);
    compare(before, ours, direct, left);
}

void row(const char *name, const action &ours, const action &direct, const result &left)
{
    if (!wanted(name)) return;
    action nothing = [] {};
    timed(nothing, ours, 1), timed(nothing, direct, 1);
    double once = timed(nothing, direct, 3);
    measure(name, nothing, ours, direct, std::max(1, (int)(1e-2 / (once + 1e-6)))); // implementation: ten milliseconds
    compare(nothing, ours, direct, left);
}

// ---- products

enum { COLUMNS = 102, PLAIN = 111 }; // definition: cblas.h
template <class T>
using gemm_fn = void(int, int, int, int, int, int, T, const T *, int, const T *, int, T, T *, int);

static cublasStatus_t product(int n, const float *one, const float *a, const float *b, const float *none, float *c)
{
    return cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, one, a, n, b, n, none, c, n);
}

static cublasStatus_t product(int n, const double *one, const double *a, const double *b, const double *none, double *c)
{
    return cublasDgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, one, a, n, b, n, none, c, n);
}

template <class T> static void products(const char *letter)
{
    auto *gemm = openblas<gemm_fn<T> *>(*letter == 's' ? "cblas_sgemm" : "cblas_dgemm");
    for (int n : {16, 64, 256, 1024}) {
        T *a = memory<T>(n * n), *b = memory<T>(n * n), *c = memory<T>(n * n), one = 1, none = 0;
        char name[64];
        fill(a, n * n), fill(b, n * n);
        auto direct = [&] { gemm(COLUMNS, PLAIN, PLAIN, n, n, n, 1, a, n, b, n, 0, c, n); };
        snprintf(name, sizeof name, "%sgemm %d", letter, n);
        row(name, [&] { product(n, &one, a, b, &none, c); }, direct, results(c, n * n));
        snprintf(name, sizeof name, "%sgemm %d, waited for", letter, n);
        if (n == 16)
            row(name, [&] { product(n, &one, a, b, &none, c), cudaDeviceSynchronize(); }, direct, results(c, n * n));
        cudaFree(a), cudaFree(b), cudaFree(c);
    }
}

// Small elements to floats or integers, beside products of floats.
template <class T> static void small_products(const char *what, cudaDataType type, cudaDataType to)
{
    auto *gemm = openblas<gemm_fn<float> *>("cblas_sgemm");
    for (int n : {64, 256, 1024}) {
        char name[64];
        snprintf(name, sizeof name, "GemmEx of %s %d", what, n);
        if (!wanted(name)) continue;
        T *a = memory<T>(n * n), *b = memory<T>(n * n);
        float *x = memory<float>(n * n), *y = memory<float>(n * n), *c = memory<float>(n * n);
        float ones[] = {1, 0};
        int integers[] = {1, 0};
        for (int i = 0; i < n * n; i++) {
            x[i] = (float)(i % 17 - 8), y[i] = (float)(i % 13 - 6);
            a[i] = (T)x[i], b[i] = (T)y[i];
        }
        bool exact = to == CUDA_R_32I; // then c holds integers, or floats, whose bits are large numbers
        const void *alpha = exact ? (void *)integers : ones, *beta = exact ? (void *)(integers + 1) : ones + 1;
        result left = {[=](size_t i) { return exact && ((int *)c)[i] < 1 << 28 && ((int *)c)[i] > -(1 << 28)
                                                  ? (double)((int *)c)[i] : (double)c[i]; }, (size_t)n * n};
        row(name,
            [&] {
                cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, alpha, a, type, n, b, type, n, beta, c, to, n,
                             exact ? CUBLAS_COMPUTE_32I : CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
            },
            [&] { gemm(COLUMNS, PLAIN, PLAIN, n, n, n, 1, x, n, y, n, 0, c, n); }, left);
        cudaFree(a), cudaFree(b), cudaFree(x), cudaFree(y), cudaFree(c);
    }
}

static void batches()
{
    static const int shapes[][2] = {{8, 1024}, {16, 1024}, {32, 512}, {64, 128}, {128, 64}};
    auto *sgemm = openblas<gemm_fn<float> *>("cblas_sgemm");
    for (auto &shape : shapes) {
        int n = shape[0], items = shape[1];
        size_t each = (size_t)n * n;
        float *a = memory<float>(each * items), *b = memory<float>(each * items), *c = memory<float>(each * items);
        const float **as = memory<const float *>(items), **bs = memory<const float *>(items);
        float **cs = memory<float *>(items), one = 1, none = 0;
        fill(a, each * items), fill(b, each * items);
        for (int i = 0; i < items; i++)
            as[i] = a + i * each, bs[i] = b + i * each, cs[i] = c + i * each;
        auto direct = [&] {
            for (int i = 0; i < items; i++)
                sgemm(COLUMNS, PLAIN, PLAIN, n, n, n, 1, as[i], n, bs[i], n, 0, cs[i], n);
        };
        char name[64];
        snprintf(name, sizeof name, "sgemmBatched %d x %d", n, items);
        row(name, [&] { cublasSgemmBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, as, n, bs, n, &none, cs, n, items); },
            direct, results(c, each * items));
        snprintf(name, sizeof name, "sgemmStridedBatched %d x %d", n, items);
        row(name,
            [&] {
                cublasSgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, (long long)each, b, n,
                                          (long long)each, &none, c, n, (long long)each, items);
            },
            direct, results(c, each * items));
        cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(as), cudaFree(bs), cudaFree(cs);
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "-s")) each_s = atof(argv[i + 1]);
        if (!strcmp(argv[i], "-k")) part = argv[i + 1];
    }
    cublasCreate(&blas), cusparseCreate(&sparse), cusolverDnCreate(&solver);
    printf("%-30s %11s %11s %6s\n", "call", "Softwarp us", "direct us", "ratio");
    products<float>("s");
    products<double>("d");
    small_products<__half>("halves", CUDA_R_16F, CUDA_R_32F);
    small_products<__nv_bfloat16>("bf16", CUDA_R_16BF, CUDA_R_32F);
    small_products<signed char>("bytes", CUDA_R_8I, CUDA_R_32I);
    batches();
    sparse_rows();
    lapack_rows();
    fft_rows();
    return wrong ? 1 : 0;
}
