/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: Cholesky, LU and symmetric indefinite factorizations, and solves with them. Method: each call is
 * described as a struct cusolver_call. Limits: room for work is taken and not used. */
#include "cusolver_priv.h"

#define CHOLESKY(L, T, name, operation)                                                                      \
    CUSOLVER cusolverDn##L##name##_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *a, \
                                              int lda, int *lwork)                                           \
    {                                                                                                        \
        CUSOLVER_CALL(L, operation, #L#name "_bufferSize");                                                  \
        CUSOLVER_VALID(cusolver_uplo(uplo, &x.uplo));                                                        \
        (void)a, (void)n, (void)lda; /* not looked at (recorded) */                                          \
        return cusolver_room(handle, &x, lwork);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##name(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *a, int lda,     \
                                 T *work, int lwork, int *info)                                              \
    {                                                                                                        \
        CUSOLVER_CALL(L, operation, #L#name);                                                                \
        CUSOLVER_ENTER();                                                                                    \
        (void)work, (void)lwork;                                                                             \
        x.n = n;                                                                                             \
        CUSOLVER_VALID(cusolver_uplo(uplo, &x.uplo));                                                        \
        cusolver_matrix(&x, CUSOLVER_A, a, n, n, lda, CUSOLVER_CHANGE);                                      \
        return cusolver_queue(handle, &x, info);                                                             \
    }

#define CHOLESKY_SOLVES(L, T)                                                                                \
    CUSOLVER cusolverDn##L##potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int sides,        \
                                  const T *a, int lda, T *b, int ldb, int *info)                             \
    {                                                                                                        \
        CUSOLVER_CALL(L, POTRS, #L "potrs");                                                                 \
        CUSOLVER_ENTER();                                                                                    \
        x.n = n, x.k = sides;                                                                                \
        CUSOLVER_VALID(cusolver_uplo(uplo, &x.uplo));                                                        \
        cusolver_matrix(&x, CUSOLVER_A, a, n, n, lda, CUSOLVER_READ);                                        \
        cusolver_matrix(&x, CUSOLVER_B, b, n, sides, ldb, CUSOLVER_CHANGE);                                  \
        return cusolver_queue(handle, &x, info);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##potrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *a[],    \
                                         int lda, int *infos, int batch)                                     \
    {                                                                                                        \
        CUSOLVER_CALL(L, POTRF, #L "potrfBatched");                                                          \
        CUSOLVER_ENTER();                                                                                    \
        x.n = n, x.batch = batch;                                                                            \
        CUSOLVER_VALID(cusolver_uplo(uplo, &x.uplo));                                                        \
        if (batch == 0) return CUSOLVER_STATUS_SUCCESS;                                                      \
        cusolver_matrix(&x, CUSOLVER_A, a, n, n, lda, CUSOLVER_CHANGE);                                      \
        x.o[CUSOLVER_A].array = true;                                                                        \
        return cusolver_queue(handle, &x, infos);                                                            \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##potrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int sides, \
                                         T *a[], int lda, T *b[], int ldb, int *info, int batch)             \
    {                                                                                                        \
        CUSOLVER_CALL(L, POTRS, #L "potrsBatched");                                                          \
        CUSOLVER_ENTER();                                                                                    \
        x.n = n, x.k = sides, x.batch = batch;                                                               \
        CUSOLVER_VALID(cusolver_uplo(uplo, &x.uplo) && sides == 1); /* documented */                         \
        if (batch == 0) return CUSOLVER_STATUS_SUCCESS;                                                      \
        cusolver_matrix(&x, CUSOLVER_A, a, n, n, lda, CUSOLVER_READ);                                        \
        cusolver_matrix(&x, CUSOLVER_B, b, n, sides, ldb, CUSOLVER_CHANGE);                                  \
        x.o[CUSOLVER_A].array = x.o[CUSOLVER_B].array = true;                                                \
        x.one_info = true;                                                                                   \
        return cusolver_queue(handle, &x, info);                                                             \
    }

#define LU(L, T)                                                                                             \
    CUSOLVER cusolverDn##L##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T *a, int lda,         \
                                             int *lwork)                                                     \
    {                                                                                                        \
        CUSOLVER_CALL(L, GETRF, #L "getrf_bufferSize");                                                      \
        (void)m, (void)n, (void)a, (void)lda; /* not looked at (recorded) */                                 \
        return cusolver_room(handle, &x, lwork);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##getrf(cusolverDnHandle_t handle, int m, int n, T *a, int lda, T *work,           \
                                  int *pivots, int *info)                                                    \
    {                                                                                                        \
        CUSOLVER_CALL(L, GETRF, #L "getrf");                                                                 \
        CUSOLVER_ENTER();                                                                                    \
        (void)work;                                                                                          \
        x.m = m, x.n = n;                                                                                    \
        cusolver_matrix(&x, CUSOLVER_A, a, m, n, lda, CUSOLVER_CHANGE);                                      \
        cusolver_pivots(&x, pivots, m < n ? m : n, CUSOLVER_WRITE);                                          \
        return cusolver_queue(handle, &x, info);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##getrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int sides,      \
                                  const T *a, int lda, const int *pivots, T *b, int ldb, int *info)          \
    {                                                                                                        \
        CUSOLVER_CALL(L, GETRS, #L "getrs");                                                                 \
        CUSOLVER_ENTER();                                                                                    \
        x.n = n, x.k = sides;                                                                                \
        CUSOLVER_VALID(cusolver_trans(trans, &x.trans));                                                     \
        cusolver_matrix(&x, CUSOLVER_A, a, n, n, lda, CUSOLVER_READ);                                        \
        cusolver_matrix(&x, CUSOLVER_B, b, n, sides, ldb, CUSOLVER_CHANGE);                                  \
        cusolver_pivots(&x, pivots, n, CUSOLVER_READ);                                                       \
        return cusolver_queue(handle, &x, info);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##laswp(cusolverDnHandle_t handle, int n, T *a, int lda, int first, int last,      \
                                  const int *pivots, int step)                                               \
    {                                                                                                        \
        CUSOLVER_CALL(L, LASWP, #L "laswp");                                                                 \
        CUSOLVER_ENTER();                                                                                    \
        x.n = n, x.first = first, x.last = last, x.step = step;                                              \
        CUSOLVER_VALID(first >= 1 && last >= first && step != 0 && pivots);                                  \
        cusolver_matrix(&x, CUSOLVER_A, a, lda, n, lda, CUSOLVER_CHANGE);                                    \
        cusolver_pivots(&x, pivots, (int64_t)(last - first) * (step < 0 ? -step : step) + 1, CUSOLVER_READ); \
        return cusolver_queue(handle, &x, NULL);                                                             \
    }

#define INDEFINITE(L, T)                                                                                     \
    CUSOLVER cusolverDn##L##sytrf_bufferSize(cusolverDnHandle_t handle, int n, T *a, int lda, int *lwork)    \
    {                                                                                                        \
        CUSOLVER_CALL(L, SYTRF, #L "sytrf_bufferSize");                                                      \
        x.n = n;                                                                                             \
        CUSOLVER_VALID(lda >= (n > 1 ? n : 1));                                                              \
        (void)a;                                                                                             \
        return cusolver_room(handle, &x, lwork);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##sytrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *a, int lda,    \
                                  int *pivots, T *work, int lwork, int *info)                                \
    {                                                                                                        \
        CUSOLVER_CALL(L, SYTRF, #L "sytrf");                                                                 \
        CUSOLVER_ENTER();                                                                                    \
        (void)work, (void)lwork;                                                                             \
        x.n = n;                                                                                             \
        CUSOLVER_VALID(cusolver_uplo(uplo, &x.uplo));                                                        \
        cusolver_matrix(&x, CUSOLVER_A, a, n, n, lda, CUSOLVER_CHANGE);                                      \
        cusolver_pivots(&x, pivots, n, CUSOLVER_WRITE);                                                      \
        return cusolver_queue(handle, &x, info);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##sytri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *a,  \
                                             int lda, const int *pivots, int *lwork)                         \
    {                                                                                                        \
        CUSOLVER_CALL(L, SYTRI, #L "sytri_bufferSize");                                                      \
        x.n = n;                                                                                             \
        CUSOLVER_VALID(cusolver_uplo(uplo, &x.uplo) && lda >= (n > 1 ? n : 1));                              \
        (void)a, (void)pivots;                                                                               \
        return cusolver_room(handle, &x, lwork);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##sytri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *a, int lda,    \
                                  const int *pivots, T *work, int lwork, int *info)                          \
    {                                                                                                        \
        CUSOLVER_CALL(L, SYTRI, #L "sytri");                                                                 \
        CUSOLVER_ENTER();                                                                                    \
        (void)work, (void)lwork;                                                                             \
        x.n = n;                                                                                             \
        CUSOLVER_VALID(cusolver_uplo(uplo, &x.uplo) && pivots);                                              \
        cusolver_matrix(&x, CUSOLVER_A, a, n, n, lda, CUSOLVER_CHANGE);                                      \
        cusolver_pivots(&x, pivots, n, CUSOLVER_READ);                                                       \
        return cusolver_queue(handle, &x, info);                                                             \
    }

#define ALL(L, T, R, org, orm, sy)                                                                           \
    CHOLESKY(L, T, potrf, POTRF)                                                                             \
    CHOLESKY(L, T, potri, POTRI)                                                                             \
    CHOLESKY(L, T, lauum, LAUUM)                                                                             \
    CHOLESKY_SOLVES(L, T)                                                                                    \
    LU(L, T)                                                                                                 \
    INDEFINITE(L, T)
CUSOLVER_EACH(ALL)
