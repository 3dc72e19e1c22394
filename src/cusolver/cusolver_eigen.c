/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: eigenvalues of symmetric and Hermitian matrices, and of pairs of these. Method: each call is
 * described as a struct cusolver_call. Limits: Jacobi's method (syevj and its kin) gives the results of
 * LAPACK's divide and conquer, sorted, whatever its parameters say. */
#include "cusolver_priv.h"

bool cusolver_range_of(cusolverEigRange_t given, double from, double to, int64_t low, int64_t high, int64_t n,
                       struct blas_range *out)
{
    char which = given == CUSOLVER_EIG_RANGE_ALL ? 'A' : given == CUSOLVER_EIG_RANGE_I ? 'I' : 'V';
    *out = (struct blas_range){.which = which, .low = (int)low, .high = (int)high, .from = from, .to = to};
    if (which == 'I') return n == 0 || (low >= 1 && low <= high && high <= n);
    return which == 'A' || (given == CUSOLVER_EIG_RANGE_V && from < to);
}

/* The operands of all: a, w, and b of pairs. */
static void operands(struct cusolver_call *x, const void *a, int64_t lda, const void *b, int64_t ldb,
                     const void *w)
{
    cusolver_matrix(x, CUSOLVER_A, a, x->n, x->n, lda, CUSOLVER_CHANGE);
    cusolver_real(x, CUSOLVER_D, w, x->n, CUSOLVER_WRITE);
    if (x->op == CUSOLVER_SYGV) cusolver_matrix(x, CUSOLVER_B, b, x->n, x->n, ldb, CUSOLVER_CHANGE);
}

#define ALL_OF(x) (x).range = (struct blas_range){.which = 'A'}
#define ONE(L, T, R, org, orm, sy)                                                                           \
    CUSOLVER cusolverDn##L##sy##evd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,            \
                                               cublasFillMode_t uplo, int n, const T *a, int lda,            \
                                               const R *w, int *lwork)                                       \
    {                                                                                                        \
        CUSOLVER_CALL(L, SYEV, #L#sy "evd_bufferSize");                                                      \
        x.n = n;                                                                                             \
        CUSOLVER_VALID(cusolver_job(jobz, &x.job) && cusolver_uplo(uplo, &x.uplo));                          \
        (void)a, (void)lda, (void)w;                                                                         \
        return cusolver_room(handle, &x, lwork);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##sy##evd(cusolverDnHandle_t handle, cusolverEigMode_t jobz,                       \
                                    cublasFillMode_t uplo, int n, T *a, int lda, R *w, T *work, int lwork,   \
                                    int *info)                                                               \
    {                                                                                                        \
        CUSOLVER_CALL(L, SYEV, #L#sy "evd");                                                                 \
        CUSOLVER_ENTER();                                                                                    \
        (void)work, (void)lwork;                                                                             \
        x.n = n;                                                                                             \
        ALL_OF(x);                                                                                           \
        CUSOLVER_VALID(cusolver_job(jobz, &x.job) && cusolver_uplo(uplo, &x.uplo));                          \
        operands(&x, a, lda, NULL, 0, w);                                                                    \
        return cusolver_queue(handle, &x, info);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##sy##evdx_bufferSize(                                                             \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo,  \
        int n, const T *a, int lda, R vl, R vu, int il, int iu, int *meig, const R *w, int *lwork)           \
    {                                                                                                        \
        CUSOLVER_CALL(L, SYEV, #L#sy "evdx_bufferSize");                                                     \
        x.n = n;                                                                                             \
        CUSOLVER_VALID(cusolver_job(jobz, &x.job) && cusolver_uplo(uplo, &x.uplo) &&                         \
                       cusolver_range_of(range, (double)vl, (double)vu, il, iu, n, &x.range));               \
        (void)a, (void)lda, (void)w, (void)meig;                                                             \
        return cusolver_room(handle, &x, lwork);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##sy##evdx(                                                                        \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo,  \
        int n, T *a, int lda, R vl, R vu, int il, int iu, int *meig, R *w, T *work, int lwork, int *info)    \
    {                                                                                                        \
        CUSOLVER_CALL(L, SYEV, #L#sy "evdx");                                                                \
        CUSOLVER_ENTER();                                                                                    \
        (void)work, (void)lwork;                                                                             \
        x.n = n, x.host_count = meig;                                                                        \
        CUSOLVER_VALID(meig &&cusolver_job(jobz, &x.job) && cusolver_uplo(uplo, &x.uplo) &&                  \
                       cusolver_range_of(range, (double)vl, (double)vu, il, iu, n, &x.range));               \
        operands(&x, a, lda, NULL, 0, w);                                                                    \
        return cusolver_queue(handle, &x, info);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##sy##evj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,            \
                                               cublasFillMode_t uplo, int n, const T *a, int lda,            \
                                               const R *w, int *lwork, syevjInfo_t params)                   \
    {                                                                                                        \
        CUSOLVER_VALID(params);                                                                              \
        return cusolverDn##L##sy##evd_bufferSize(handle, jobz, uplo, n, a, lda, w, lwork);                   \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##sy##evj(cusolverDnHandle_t handle, cusolverEigMode_t jobz,                       \
                                    cublasFillMode_t uplo, int n, T *a, int lda, R *w, T *work, int lwork,   \
                                    int *info, syevjInfo_t params)                                           \
    {                                                                                                        \
        CUSOLVER_CALL(L, SYEV, #L#sy "evj");                                                                 \
        CUSOLVER_ENTER();                                                                                    \
        x.jacobi = true;                                                                                     \
        (void)work, (void)lwork;                                                                             \
        x.n = n;                                                                                             \
        ALL_OF(x);                                                                                           \
        CUSOLVER_VALID(params &&cusolver_job(jobz, &x.job) && cusolver_uplo(uplo, &x.uplo));                 \
        operands(&x, a, lda, NULL, 0, w);                                                                    \
        return cusolver_queue(handle, &x, info);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##sy##evjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,     \
                                                      cublasFillMode_t uplo, int n, const T *a, int lda,     \
                                                      const R *w, int *lwork, syevjInfo_t params, int batch) \
    {                                                                                                        \
        CUSOLVER_VALID(params &&batch >= 0);                                                                 \
        return cusolverDn##L##sy##evd_bufferSize(handle, jobz, uplo, n, a, lda, w, lwork);                   \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##sy##evjBatched(cusolverDnHandle_t handle, cusolverEigMode_t jobz,                \
                                           cublasFillMode_t uplo, int n, T *a, int lda, R *w, T *work,       \
                                           int lwork, int *infos, syevjInfo_t params, int batch)             \
    {                                                                                                        \
        CUSOLVER_CALL(L, SYEV, #L#sy "evjBatched");                                                          \
        CUSOLVER_ENTER();                                                                                    \
        x.jacobi = true;                                                                                     \
        (void)work, (void)lwork;                                                                             \
        x.n = n, x.batch = batch;                                                                            \
        ALL_OF(x);                                                                                           \
        CUSOLVER_VALID(params &&cusolver_job(jobz, &x.job) && cusolver_uplo(uplo, &x.uplo));                 \
        if (batch == 0) return CUSOLVER_STATUS_SUCCESS;                                                      \
        operands(&x, a, lda, NULL, 0, w);                                                                    \
        return cusolver_queue(handle, &x, infos);                                                            \
    }
CUSOLVER_EACH(ONE)

#define PAIR(L, T, R, org, orm, sy)                                                                          \
    CUSOLVER cusolverDn##L##sy##gvd_bufferSize(                                                              \
        cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz, cublasFillMode_t uplo,   \
        int n, const T *a, int lda, const T *b, int ldb, const R *w, int *lwork)                             \
    {                                                                                                        \
        CUSOLVER_CALL(L, SYGV, #L#sy "gvd_bufferSize");                                                      \
        x.n = n, x.itype = (int)itype;                                                                       \
        CUSOLVER_VALID(x.itype >= 1 && x.itype <= 3 && cusolver_job(jobz, &x.job) &&                         \
                       cusolver_uplo(uplo, &x.uplo));                                                        \
        (void)a, (void)lda, (void)w, (void)b, (void)ldb;                                                     \
        return cusolver_room(handle, &x, lwork);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##sy##gvd(cusolverDnHandle_t handle, cusolverEigType_t itype,                      \
                                    cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *a, int lda,     \
                                    T *b, int ldb, R *w, T *work, int lwork, int *info)                      \
    {                                                                                                        \
        CUSOLVER_CALL(L, SYGV, #L#sy "gvd");                                                                 \
        CUSOLVER_ENTER();                                                                                    \
        (void)work, (void)lwork;                                                                             \
        x.n = n, x.itype = (int)itype;                                                                       \
        ALL_OF(x);                                                                                           \
        CUSOLVER_VALID(x.itype >= 1 && x.itype <= 3 && cusolver_job(jobz, &x.job) &&                         \
                       cusolver_uplo(uplo, &x.uplo));                                                        \
        operands(&x, a, lda, b, ldb, w);                                                                     \
        return cusolver_queue(handle, &x, info);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##sy##gvdx_bufferSize(                                                             \
        cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                          \
        cusolverEigRange_t range, cublasFillMode_t uplo, int n, const T *a, int lda, const T *b, int ldb,    \
        R vl, R vu, int il, int iu, int *meig, const R *w, int *lwork)                                       \
    {                                                                                                        \
        struct blas_range some;                                                                              \
        CUSOLVER_VALID(cusolver_range_of(range, (double)vl, (double)vu, il, iu, n, &some));                  \
        (void)meig;                                                                                          \
        return cusolverDn##L##sy##gvd_bufferSize(handle, itype, jobz, uplo, n, a, lda, b, ldb, w, lwork);    \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##sy##gvdx(cusolverDnHandle_t handle, cusolverEigType_t itype,                     \
                                     cusolverEigMode_t jobz, cusolverEigRange_t range,                       \
                                     cublasFillMode_t uplo, int n, T *a, int lda, T *b, int ldb, R vl, R vu, \
                                     int il, int iu, int *meig, R *w, T *work, int lwork, int *info)         \
    {                                                                                                        \
        CUSOLVER_CALL(L, SYGV, #L#sy "gvdx");                                                                \
        CUSOLVER_ENTER();                                                                                    \
        (void)work, (void)lwork;                                                                             \
        x.n = n, x.itype = (int)itype, x.host_count = meig;                                                  \
        CUSOLVER_VALID(meig &&x.itype >= 1 && x.itype <= 3 && cusolver_job(jobz, &x.job) &&                  \
                       cusolver_uplo(uplo, &x.uplo) &&                                                       \
                       cusolver_range_of(range, (double)vl, (double)vu, il, iu, n, &x.range));               \
        operands(&x, a, lda, b, ldb, w);                                                                     \
        return cusolver_queue(handle, &x, info);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##sy##gvj_bufferSize(                                                              \
        cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz, cublasFillMode_t uplo,   \
        int n, const T *a, int lda, const T *b, int ldb, const R *w, int *lwork, syevjInfo_t params)         \
    {                                                                                                        \
        CUSOLVER_VALID(params);                                                                              \
        return cusolverDn##L##sy##gvd_bufferSize(handle, itype, jobz, uplo, n, a, lda, b, ldb, w, lwork);    \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##sy##gvj(cusolverDnHandle_t handle, cusolverEigType_t itype,                      \
                                    cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *a, int lda,     \
                                    T *b, int ldb, R *w, T *work, int lwork, int *info, syevjInfo_t params)  \
    {                                                                                                        \
        CUSOLVER_CALL(L, SYGV, #L#sy "gvj");                                                                 \
        CUSOLVER_ENTER();                                                                                    \
        x.jacobi = true;                                                                                     \
        (void)work, (void)lwork;                                                                             \
        x.n = n, x.itype = (int)itype;                                                                       \
        ALL_OF(x);                                                                                           \
        CUSOLVER_VALID(params &&x.itype >= 1 && x.itype <= 3 && cusolver_job(jobz, &x.job) &&                \
                       cusolver_uplo(uplo, &x.uplo));                                                        \
        operands(&x, a, lda, b, ldb, w);                                                                     \
        return cusolver_queue(handle, &x, info);                                                             \
    }
CUSOLVER_EACH(PAIR)
