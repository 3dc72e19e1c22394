/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: singular values. Method: each call is described as a struct cusolver_call. Limits: all methods
 * give the results of LAPACK's; gesvd of matrices with fewer rows than columns is not valid, as with NVIDIA's
 * library (documented). */
#include "cusolver_priv.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static bool is_job(char job)
{
    return job == 'A' || job == 'S' || job == 'O' || job == 'N';
}

static bool has_matrix(char job)
{
    return job == 'A' || job == 'S';
}

bool cusolver_svd_jobs(const struct cusolver_call *x)
{
    return is_job(x->job) && is_job(x->job_v) && x->m >= x->n && (x->job != 'O' || x->job_v != 'O');
}

void cusolver_svd_operands(struct cusolver_call *x, const void *a, int64_t lda, const void *s, const void *u,
                           int64_t ldu, const void *vt, int64_t ldvt)
{
    int64_t k = least(x->m, x->n);
    cusolver_matrix(x, CUSOLVER_A, a, x->m, x->n, lda, CUSOLVER_CHANGE);
    cusolver_real(x, CUSOLVER_D, s, k, CUSOLVER_WRITE);
    if (has_matrix(x->job))
        cusolver_matrix(x, CUSOLVER_B, u, x->m, x->job == 'A' ? x->m : k, ldu, CUSOLVER_WRITE);
    if (has_matrix(x->job_v))
        cusolver_matrix(x, CUSOLVER_C, vt, x->job_v == 'A' ? x->n : k, x->n, ldvt, CUSOLVER_WRITE);
}

void cusolver_svd_operands_v(struct cusolver_call *x, const void *a, int64_t lda, const void *s,
                             int64_t values, const void *u, int64_t ldu, int64_t u_columns, const void *v,
                             int64_t ldv, int64_t v_columns)
{
    cusolver_matrix(x, CUSOLVER_A, a, x->m, x->n, lda, CUSOLVER_CHANGE);
    cusolver_real(x, CUSOLVER_D, s, values, CUSOLVER_WRITE);
    if (x->job == 'N') return;
    cusolver_matrix(x, CUSOLVER_B, u, x->m, u_columns, ldu, CUSOLVER_WRITE);
    cusolver_matrix(x, CUSOLVER_C, v, x->n, v_columns, ldv, CUSOLVER_WRITE);
}

#define PLAIN(L, T, R, org, orm, sy)                                                                         \
    CUSOLVER cusolverDn##L##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int *lwork)            \
    {                                                                                                        \
        CUSOLVER_CALL(L, SVD, #L "gesvd_bufferSize");                                                        \
        x.m = m, x.n = n;                                                                                    \
        return cusolver_room(handle, &x, lwork);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##gesvd(cusolverDnHandle_t handle, signed char job_u, signed char job_vt, int m,   \
                                  int n, T *a, int lda, R *s, T *u, int ldu, T *vt, int ldvt, T *work,       \
                                  int lwork, R *rwork, int *info)                                            \
    {                                                                                                        \
        CUSOLVER_CALL(L, SVD, #L "gesvd");                                                                   \
        CUSOLVER_ENTER();                                                                                    \
        (void)work, (void)lwork, (void)rwork;                                                                \
        x.m = m, x.n = n, x.job = (char)job_u, x.job_v = (char)job_vt;                                       \
        CUSOLVER_VALID(cusolver_svd_jobs(&x));                                                               \
        cusolver_svd_operands(&x, a, lda, s, u, ldu, vt, ldvt);                                              \
        return cusolver_queue(handle, &x, info);                                                             \
    }
CUSOLVER_EACH(PLAIN)

#define JACOBI(L, T, R, org, orm, sy)                                                                        \
    CUSOLVER cusolverDn##L##gesvdj_bufferSize(                                                               \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, int economy, int m, int n, const T *a, int lda,   \
        const R *s, const T *u, int ldu, const T *v, int ldv, int *lwork, gesvdjInfo_t params)               \
    {                                                                                                        \
        CUSOLVER_CALL(L, SVD_V, #L "gesvdj_bufferSize");                                                     \
        x.m = m, x.n = n;                                                                                    \
        CUSOLVER_VALID(params &&cusolver_job(jobz, &x.job));                                                 \
        (void)economy, (void)a, (void)lda, (void)s, (void)u, (void)ldu, (void)v, (void)ldv;                  \
        return cusolver_room(handle, &x, lwork);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int economy, int m,    \
                                   int n, T *a, int lda, R *s, T *u, int ldu, T *v, int ldv, T *work,        \
                                   int lwork, int *info, gesvdjInfo_t params)                                \
    {                                                                                                        \
        CUSOLVER_CALL(L, SVD_V, #L "gesvdj");                                                                \
        CUSOLVER_ENTER();                                                                                    \
        x.jacobi = true;                                                                                     \
        (void)work, (void)lwork;                                                                             \
        x.m = m, x.n = n;                                                                                    \
        CUSOLVER_VALID(params &&cusolver_job(jobz, &x.job));                                                 \
        int64_t k = least(m, n);                                                                             \
        cusolver_svd_operands_v(&x, a, lda, s, k, u, ldu, economy ? k : m, v, ldv, economy ? k : n);         \
        return cusolver_queue(handle, &x, info);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##gesvdjBatched_bufferSize(                                                        \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, const T *a, int lda, const R *s,    \
        const T *u, int ldu, const T *v, int ldv, int *lwork, gesvdjInfo_t params, int batch)                \
    {                                                                                                        \
        CUSOLVER_VALID(batch >= 0);                                                                          \
        return cusolverDn##L##gesvdj_bufferSize(handle, jobz, 0, m, n, a, lda, s, u, ldu, v, ldv, lwork,     \
                                                params);                                                     \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##gesvdjBatched(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n,   \
                                          T *a, int lda, R *s, T *u, int ldu, T *v, int ldv, T *work,        \
                                          int lwork, int *infos, gesvdjInfo_t params, int batch)             \
    {                                                                                                        \
        enum { MOST = 32 }; /* documented */                                                                 \
        CUSOLVER_CALL(L, SVD_V, #L "gesvdjBatched");                                                         \
        CUSOLVER_ENTER();                                                                                    \
        x.jacobi = true;                                                                                     \
        (void)work, (void)lwork;                                                                             \
        x.m = m, x.n = n, x.batch = batch;                                                                   \
        CUSOLVER_VALID(params &&cusolver_job(jobz, &x.job));                                                 \
        if (m > MOST || n > MOST) {                                                                          \
            if (infos)                                                                                       \
                cuMemsetD32Async((CUdeviceptr)(uintptr_t)infos, m > MOST ? (unsigned)-2 : (unsigned)-3, 1,   \
                                 handle->stream); /* recorded */                                             \
            return CUSOLVER_STATUS_INVALID_VALUE;                                                            \
        }                                                                                                    \
        if (batch == 0) return CUSOLVER_STATUS_SUCCESS;                                                      \
        cusolver_svd_operands_v(&x, a, lda, s, least(m, n), u, ldu, m, v, ldv, n);                           \
        return cusolver_queue(handle, &x, infos);                                                            \
    }
CUSOLVER_EACH(JACOBI)

/* Items lie apart by strides of elements. */
static void set_strides(struct cusolver_call *x, long long a, long long s, long long u, long long v)
{
    x->o[CUSOLVER_A].stride = a;
    x->o[CUSOLVER_D].stride = s;
    x->o[CUSOLVER_B].stride = u;
    x->o[CUSOLVER_C].stride = v;
}

#define APPROXIMATE(L, T, R, org, orm, sy)                                                                   \
    CUSOLVER cusolverDn##L##gesvdaStridedBatched_bufferSize(                                                 \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m, int n, const T *a, int lda,      \
        long long stride_a, const R *s, long long stride_s, const T *u, int ldu, long long stride_u,         \
        const T *v, int ldv, long long stride_v, int *lwork, int batch)                                      \
    {                                                                                                        \
        CUSOLVER_CALL(L, SVD_V, #L "gesvdaStridedBatched_bufferSize");                                       \
        x.m = m, x.n = n, x.batch = batch;                                                                   \
        CUSOLVER_VALID(cusolver_job(jobz, &x.job) && rank >= 1 && rank <= least(m, n));                      \
        (void)a, (void)lda, (void)s, (void)u, (void)ldu, (void)v, (void)ldv;                                 \
        (void)stride_a, (void)stride_s, (void)stride_u, (void)stride_v;                                      \
        return cusolver_room(handle, &x, lwork);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##gesvdaStridedBatched(                                                            \
        cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m, int n, const T *a, int lda,      \
        long long stride_a, R *s, long long stride_s, T *u, int ldu, long long stride_u, T *v, int ldv,      \
        long long stride_v, T *work, int lwork, int *infos, double *residuals, int batch)                    \
    {                                                                                                        \
        CUSOLVER_CALL(L, SVD_V, #L "gesvdaStridedBatched");                                                  \
        CUSOLVER_ENTER();                                                                                    \
        (void)work, (void)lwork;                                                                             \
        x.m = m, x.n = n, x.batch = batch;                                                                   \
        CUSOLVER_VALID(cusolver_job(jobz, &x.job) && rank >= 1 && rank <= least(m, n));                      \
        if (batch == 0) return CUSOLVER_STATUS_SUCCESS;                                                      \
        cusolver_svd_operands_v(&x, a, lda, s, rank, u, ldu, rank, v, ldv, rank);                            \
        x.o[CUSOLVER_A].writes = false;                                                                      \
        set_strides(&x, stride_a, stride_s, stride_u, stride_v);                                             \
        x.host_residual = x.job == 'V' ? residuals : NULL;                                                   \
        return cusolver_queue(handle, &x, infos);                                                            \
    }
CUSOLVER_EACH(APPROXIMATE)
