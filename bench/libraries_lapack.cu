// SPDX-License-Identifier: Apache-2.0
// cuSOLVER, and factorizations of cuBLAS in batches, beside LAPACK of the same OpenBLAS.
#include "libraries.h"

#include <algorithm>
#include <vector>

// definition: LAPACK's, by Fortran's rules
using getrf_fn = void(const int *, const int *, float *, const int *, int *, int *);
using potrf_fn = void(const char *, const int *, float *, const int *, int *);
using geqrf_fn = void(const int *, const int *, float *, const int *, float *, float *, const int *, int *);
using syevd_fn = void(const char *, const char *, const int *, float *, const int *, float *, float *, const int *, int *,
                      const int *, int *);
using gesvd_fn = void(const char *, const char *, const int *, const int *, float *, const int *, float *, float *,
                      const int *, float *, const int *, float *, const int *, int *);

struct dense {
    int n, *pivots, *info;
    float *start, *a, *w, *u, *v;
    size_t count() const { return (size_t)n * n; }
    void renew() const { memcpy(a, start, count() * sizeof *a); }
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

static void lu(int n)
{
    char name[64];
    snprintf(name, sizeof name, "getrf %d", n);
    if (!wanted(name)) return;
    auto *sgetrf = openblas<getrf_fn *>("sgetrf_");
    dense m = symmetric(n);
    int words;
    cusolverDnSgetrf_bufferSize(solver, n, n, m.a, n, &words);
    float *work = memory<float>(words + 1);
    row(name, [&] { m.renew(); }, [&] { cusolverDnSgetrf(solver, n, n, m.a, n, work, m.pivots, m.info); },
        [&] { sgetrf(&n, &n, m.a, &n, m.pivots, m.info); }, results(m.a, m.count()));
}

static void cholesky(int n)
{
    char name[64];
    snprintf(name, sizeof name, "potrf %d", n);
    if (!wanted(name)) return;
    auto *spotrf = openblas<potrf_fn *>("spotrf_");
    dense m = symmetric(n);
    int words;
    cusolverDnSpotrf_bufferSize(solver, CUBLAS_FILL_MODE_LOWER, n, m.a, n, &words);
    float *work = memory<float>(words + 1);
    row(name, [&] { m.renew(); },
        [&] { cusolverDnSpotrf(solver, CUBLAS_FILL_MODE_LOWER, n, m.a, n, work, words, m.info); },
        [&] { spotrf("L", &n, m.a, &n, m.info); }, results(m.a, m.count()));
}

static void qr(int n)
{
    char name[64];
    snprintf(name, sizeof name, "geqrf %d", n);
    if (!wanted(name)) return;
    auto *sgeqrf = openblas<geqrf_fn *>("sgeqrf_");
    dense m = symmetric(n);
    int words, host_words = 64 * n; // implementation: LAPACK's block of 32, and more
    std::vector<float> host(host_words);
    cusolverDnSgeqrf_bufferSize(solver, n, n, m.a, n, &words);
    float *work = memory<float>(words + 1);
    row(name, [&] { m.renew(); }, [&] { cusolverDnSgeqrf(solver, n, n, m.a, n, m.w, work, words, m.info); },
        [&] { sgeqrf(&n, &n, m.a, &n, m.w, host.data(), &host_words, m.info); }, results(m.a, m.count()));
}

static void eigen(int n)
{
    char name[64];
    snprintf(name, sizeof name, "syevd %d", n);
    if (!wanted(name)) return;
    auto *ssyevd = openblas<syevd_fn *>("ssyevd_");
    dense m = symmetric(n);
    int words, host_words = 1 + 6 * n + 2 * n * n, host_ints = 3 + 5 * n;
    std::vector<float> host(host_words);
    std::vector<int> ints(host_ints);
    cusolverDnSsyevd_bufferSize(solver, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, m.a, n, m.w, &words);
    float *work = memory<float>(words + 1);
    row(name, [&] { m.renew(); },
        [&] {
            cusolverDnSsyevd(solver, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, m.a, n, m.w, work, words, m.info);
        },
        [&] { ssyevd("V", "L", &n, m.a, &n, m.w, host.data(), &host_words, ints.data(), &host_ints, m.info); },
        results(m.w, n));
}

static void singular(int n)
{
    char name[64];
    snprintf(name, sizeof name, "gesvd %d", n);
    if (!wanted(name)) return;
    auto *sgesvd = openblas<gesvd_fn *>("sgesvd_");
    dense m = symmetric(n);
    int words, ask = -1, host_words;
    float best;
    sgesvd("A", "A", &n, &n, m.a, &n, m.w, m.u, &n, m.v, &n, &best, &ask, m.info);
    host_words = (int)best;
    std::vector<float> host(host_words);
    cusolverDnSgesvd_bufferSize(solver, n, n, &words);
    float *work = memory<float>(words + 1);
    row(name, [&] { m.renew(); },
        [&] {
            cusolverDnSgesvd(solver, 'A', 'A', n, n, m.a, n, m.w, m.u, n, m.v, n, work, words, nullptr, m.info);
        },
        [&] { sgesvd("A", "A", &n, &n, m.a, &n, m.w, m.u, &n, m.v, &n, host.data(), &host_words, m.info); },
        results(m.w, n));
}

static void batches(int n, int items)
{
    char lu_name[64], cholesky_name[64];
    snprintf(lu_name, sizeof lu_name, "getrfBatched %d x %d", n, items);
    snprintf(cholesky_name, sizeof cholesky_name, "potrfBatched %d x %d", n, items);
    if (!wanted(lu_name) && !wanted(cholesky_name)) return;
    auto *sgetrf = openblas<getrf_fn *>("sgetrf_");
    auto *spotrf = openblas<potrf_fn *>("spotrf_");
    dense one = symmetric(n);
    size_t each = one.count();
    float *all = memory<float>(each * items), **at = memory<float *>(items);
    int *pivots = memory<int>((size_t)n * items), *infos = memory<int>(items);
    auto renew = [&] {
        for (int i = 0; i < items; i++)
            memcpy(at[i] = all + i * each, one.start, each * sizeof *all);
    };
    row(lu_name, renew, [&] { cublasSgetrfBatched(blas, n, at, n, pivots, infos, items); },
        [&] {
            for (int i = 0; i < items; i++)
                sgetrf(&n, &n, at[i], &n, pivots + (size_t)i * n, infos + i);
        },
        results(all, each * items));
    row(cholesky_name, renew,
        [&] { cusolverDnSpotrfBatched(solver, CUBLAS_FILL_MODE_LOWER, n, at, n, infos, items); },
        [&] {
            for (int i = 0; i < items; i++)
                spotrf("L", &n, at[i], &n, infos + i);
        },
        results(all, each * items));
}

void lapack_rows()
{
    for (int n : {64, 512, 1024})
        lu(n), cholesky(n), qr(n);
    for (int n : {64, 256})
        eigen(n), singular(n);
    batches(16, 256), batches(64, 64);
}
