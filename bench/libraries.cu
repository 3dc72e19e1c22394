// SPDX-License-Identifier: Apache-2.0
// Calls of Softwarp's cuBLAS, cuSPARSE and cuSOLVER beside what a program for CPUs would do with as many threads: the
// same OpenBLAS, called directly, or a loop. One after the other, turn by turn; the least CPU time of a call (of all
// threads of the process, so other processes count little) is printed in microseconds, and direct / Softwarp. Calls
// that are short and change no operand are queued in rows, as a program does. Results of both are compared.
// usage: libraries [-s SECONDS EACH] [-k PART OF A NAME]
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <cusparse.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <functional>
#include <vector>

// ---- OpenBLAS, as blas.h and LAPACK name it

enum { COLUMNS = 102, PLAIN = 111 }; // definition: cblas.h
static void (*sgemm)(int, int, int, int, int, int, float, const float *, int, const float *, int, float, float *, int);
static void (*sgetrf)(const int *, const int *, float *, const int *, int *, int *);
static void (*spotrf)(const char *, const int *, float *, const int *, int *);
static void (*ssyevd)(const char *, const char *, const int *, float *, const int *, float *, float *, const int *, int *,
                      const int *, int *);
static void (*sgesvd)(const char *, const char *, const int *, const int *, float *, const int *, float *, float *,
                      const int *, float *, const int *, float *, const int *, int *);

template <class Function> static void find(void *library, const char *name, Function *out)
{
    *out = reinterpret_cast<Function>(dlsym(library, name));
    if (!*out) {
        fprintf(stderr, "OpenBLAS has no %s\n", name);
        exit(2);
    }
}

static void open_blas()
{
    void *library = dlopen("libopenblas.so.0", RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
    find(library, "cblas_sgemm", &sgemm);
    find(library, "sgetrf_", &sgetrf);
    find(library, "spotrf_", &spotrf);
    find(library, "ssyevd_", &ssyevd);
    find(library, "sgesvd_", &sgesvd);
}

// ---- measuring

static double each_s = 1;
static const char *part = "";
static int wrong;
static cublasHandle_t blas;
static cusparseHandle_t sparse;
static cusolverDnHandle_t solver;

static double now()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

template <class T> static T *memory(size_t count)
{
    void *at = nullptr;
    if (cudaMallocManaged(&at, count * sizeof(T)) != cudaSuccess) exit(2);
    memset(at, 0, count * sizeof(T));
    return static_cast<T *>(at);
}

static double timed(const std::function<void()> &before, const std::function<void()> &run, int calls)
{
    before();
    double start = now();
    for (int i = 0; i < calls; i++)
        run();
    cudaDeviceSynchronize();
    return (now() - start) / calls;
}

static const std::function<void()> nothing = [] {};

// result: what both leave, of which the largest difference counts as a part of the largest number.
static void row(const char *name, const std::function<void()> &before, const std::function<void()> &ours,
                const std::function<void()> &direct, const float *result, size_t count)
{
    if (!strstr(name, part)) return;
    double least[2] = {1e30, 1e30}, most = 0, off = 0;
    timed(before, ours, 1);
    std::vector<float> first(result, result + count);
    double once = timed(before, direct, 1);
    int calls = &before == &nothing ? std::max(1, (int)(1e-3 / (once + 1e-6))) : 1; // implementation: for a millisecond
    for (size_t i = 0; i < count; i++) {
        most = std::max(most, (double)std::fabs(result[i]));
        off = std::max(off, (double)std::fabs(std::fabs(result[i]) - std::fabs(first[i]))); // vectors may have either sign
    }
    double until = now() + each_s;
    for (int turn = 0; turn < 3 || now() < until; turn++) {
        least[0] = std::min(least[0], timed(before, ours, calls));
        least[1] = std::min(least[1], timed(before, direct, calls));
    }
    bool good = off <= 1e-3 * most && most > 0;
    wrong += !good;
    printf("%-28s %10.1f %10.1f %6.2f %s\n", name, least[0] * 1e6, least[1] * 1e6, least[1] / least[0],
           good ? "" : "WRONG");
    fflush(stdout);
}

static float number(size_t i) { return (float)((i * 2654435761u >> 8) % 1024) / 512 - 1; }

static void fill(float *at, size_t count)
{
    for (size_t i = 0; i < count; i++)
        at[i] = number(i);
}

// ---- products

static void products()
{
    static const int orders[] = {16, 64, 256, 1024};
    for (int n : orders) {
        float *a = memory<float>(n * n), *b = memory<float>(n * n), *c = memory<float>(n * n), one = 1, none = 0;
        char name[64];
        fill(a, n * n), fill(b, n * n);
        snprintf(name, sizeof name, "sgemm %d", n);
        row(name, nothing, [&] { cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &none, c, n); },
            [&] { sgemm(COLUMNS, PLAIN, PLAIN, n, n, n, 1, a, n, b, n, 0, c, n); }, c, n * n);
        cudaFree(a), cudaFree(b), cudaFree(c);
    }
}

static void batches()
{
    static const int shapes[][2] = {{8, 1024}, {16, 1024}, {32, 512}, {64, 128}, {128, 64}};
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
        row(name, nothing,
            [&] { cublasSgemmBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, as, n, bs, n, &none, cs, n, items); },
            direct, c, each * items);
        snprintf(name, sizeof name, "sgemmStridedBatched %d x %d", n, items);
        row(name, nothing,
            [&] {
                cublasSgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, (long long)each, b, n,
                                          (long long)each, &none, c, n, (long long)each, items);
            },
            direct, c, each * items);
        cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(as), cudaFree(bs), cudaFree(cs);
    }
}

// ---- sparse matrices

struct csr {
    int rows, *offsets, *columns;
    float *values;
    cusparseSpMatDescr_t matrix;
};

static csr random_csr(int rows, int each)
{
    csr m = {rows, memory<int>(rows + 1), memory<int>((size_t)rows * each), memory<float>((size_t)rows * each), nullptr};
    for (int r = 0; r <= rows; r++)
        m.offsets[r] = r * each;
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < each; i++) {
            size_t at = (size_t)r * each + i;
            m.columns[at] = (int)(((size_t)i * rows + at * 2654435761u % rows) / each);
            m.values[at] = number(at);
        }
    cusparseCreateCsr(&m.matrix, rows, rows, (int64_t)rows * each, m.offsets, m.columns, m.values, CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    return m;
}

static void times_vector(const csr &m, const float *x, float *y)
{
    for (int r = 0; r < m.rows; r++) {
        float sum = 0;
        for (int i = m.offsets[r]; i < m.offsets[r + 1]; i++)
            sum += m.values[i] * x[m.columns[i]];
        y[r] = sum;
    }
}

// Operands in rows, of which each element of the matrix takes one.
static void times_rows(const csr &m, const float *x, float *y, int width)
{
    for (int r = 0; r < m.rows; r++) {
        float *to = y + (size_t)r * width;
        memset(to, 0, width * sizeof *to);
        for (int i = m.offsets[r]; i < m.offsets[r + 1]; i++) {
            const float value = m.values[i], *from = x + (size_t)m.columns[i] * width;
            for (int j = 0; j < width; j++)
                to[j] += value * from[j];
        }
    }
}

static void spmv(int rows, int each)
{
    csr m = random_csr(rows, each);
    float *x = memory<float>(rows), *y = memory<float>(rows), one = 1, none = 0;
    cusparseDnVecDescr_t vx, vy;
    char name[64];
    fill(x, rows);
    cusparseCreateDnVec(&vx, rows, x, CUDA_R_32F), cusparseCreateDnVec(&vy, rows, y, CUDA_R_32F);
    snprintf(name, sizeof name, "SpMV %d rows of %d", rows, each);
    row(name, nothing,
        [&] {
            cusparseSpMV(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, m.matrix, vx, &none, vy, CUDA_R_32F,
                         CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
        },
        [&] { times_vector(m, x, y); }, y, rows);
}

static void spmm(int rows, int each, int width)
{
    csr m = random_csr(rows, each);
    size_t count = (size_t)rows * width;
    float *x = memory<float>(count), *y = memory<float>(count), one = 1, none = 0;
    cusparseDnMatDescr_t mx, my;
    char name[64];
    fill(x, count);
    cusparseCreateDnMat(&mx, rows, width, width, x, CUDA_R_32F, CUSPARSE_ORDER_ROW);
    cusparseCreateDnMat(&my, rows, width, width, y, CUDA_R_32F, CUSPARSE_ORDER_ROW);
    snprintf(name, sizeof name, "SpMM %d of %d, width %d", rows, each, width);
    row(name, nothing,
        [&] {
            cusparseSpMM(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, m.matrix, mx,
                         &none, my, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, nullptr);
        },
        [&] { times_rows(m, x, y, width); }, y, count);
}

// ---- factorizations

struct dense {
    int n, *pivots, *info;
    float *start, *a, *w, *u, *v;
};

static dense symmetric(int n)
{
    size_t count = (size_t)n * n;
    dense m = {n, memory<int>(n), memory<int>(1), memory<float>(count), memory<float>(count), memory<float>(n),
               memory<float>(count), memory<float>(count)};
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            m.start[(size_t)j * n + i] = number((size_t)std::max(i, j) * n + std::min(i, j)) + (i == j ? (float)n : 0);
    return m;
}

static void lu_and_cholesky(int n)
{
    dense m = symmetric(n);
    size_t count = (size_t)n * n;
    auto renew = [&] { memcpy(m.a, m.start, count * sizeof *m.a); };
    int words;
    char name[64];
    cusolverDnSgetrf_bufferSize(solver, n, n, m.a, n, &words);
    float *work = memory<float>(words + 1);
    snprintf(name, sizeof name, "getrf %d", n);
    row(name, renew, [&] { cusolverDnSgetrf(solver, n, n, m.a, n, work, m.pivots, m.info); },
        [&] { sgetrf(&n, &n, m.a, &n, m.pivots, m.info); }, m.a, count);
    cusolverDnSpotrf_bufferSize(solver, CUBLAS_FILL_MODE_LOWER, n, m.a, n, &words);
    float *more = memory<float>(words + 1);
    snprintf(name, sizeof name, "potrf %d", n);
    row(name, renew, [&] { cusolverDnSpotrf(solver, CUBLAS_FILL_MODE_LOWER, n, m.a, n, more, words, m.info); },
        [&] { spotrf("L", &n, m.a, &n, m.info); }, m.a, count);
}

static void eigen(int n)
{
    dense m = symmetric(n);
    size_t count = (size_t)n * n;
    auto renew = [&] { memcpy(m.a, m.start, count * sizeof *m.a); };
    int words, host_words = 1 + 6 * n + 2 * n * n, host_ints = 3 + 5 * n;
    std::vector<float> host(host_words);
    std::vector<int> ints(host_ints);
    char name[64];
    cusolverDnSsyevd_bufferSize(solver, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, m.a, n, m.w, &words);
    float *work = memory<float>(words + 1);
    snprintf(name, sizeof name, "syevd %d", n);
    row(name, renew,
        [&] {
            cusolverDnSsyevd(solver, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, m.a, n, m.w, work, words, m.info);
        },
        [&] { ssyevd("V", "L", &n, m.a, &n, m.w, host.data(), &host_words, ints.data(), &host_ints, m.info); }, m.w, n);
}

static void singular(int n)
{
    dense m = symmetric(n);
    size_t count = (size_t)n * n;
    auto renew = [&] { memcpy(m.a, m.start, count * sizeof *m.a); };
    int words, ask = -1, host_words;
    float best;
    char name[64];
    sgesvd("A", "A", &n, &n, m.a, &n, m.w, m.u, &n, m.v, &n, &best, &ask, m.info);
    host_words = (int)best;
    std::vector<float> host(host_words);
    cusolverDnSgesvd_bufferSize(solver, n, n, &words);
    float *work = memory<float>(words + 1);
    snprintf(name, sizeof name, "gesvd %d", n);
    row(name, renew,
        [&] {
            cusolverDnSgesvd(solver, 'A', 'A', n, n, m.a, n, m.w, m.u, n, m.v, n, work, words, nullptr, m.info);
        },
        [&] { sgesvd("A", "A", &n, &n, m.a, &n, m.w, m.u, &n, m.v, &n, host.data(), &host_words, m.info); }, m.w, n);
}

int main(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "-s")) each_s = atof(argv[i + 1]);
        if (!strcmp(argv[i], "-k")) part = argv[i + 1];
    }
    cublasCreate(&blas), cusparseCreate(&sparse), cusolverDnCreate(&solver);
    open_blas();
    printf("%-28s %10s %10s %6s\n", "call", "Softwarp us", "direct us", "ratio");
    products();
    batches();
    spmv(4096, 16), spmv(1 << 18, 16), spmv(1 << 16, 64);
    spmm(1 << 14, 16, 8), spmm(1 << 14, 16, 64);
    lu_and_cholesky(64), lu_and_cholesky(512), lu_and_cholesky(1024);
    eigen(64), eigen(256);
    singular(64), singular(256);
    return wrong ? 1 : 0;
}
