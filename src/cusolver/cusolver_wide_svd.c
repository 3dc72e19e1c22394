/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the interface with 64-bit numbers: singular values. Method and limits: as cusolver_svd.c; polar
 * decomposition (gesvdp) and random projections (gesvdr) give the results of LAPACK's divide and conquer. */
#include "cusolver_priv.h"

#define UNUSED_ROOM() (void)device_work, (void)device_bytes, (void)host_work, (void)host_bytes

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Of U and V only where they are wanted. */
static bool types_fit(struct cusolver_call *x, cudaDataType a, cudaDataType s, cudaDataType u, cudaDataType v,
                      cudaDataType compute)
{
    enum blas_type real;
    return cusolver_of_type(a, &x->type) && compute == a && cusolver_of_type(s, &real) &&
           real == blas_real(x->type) && (x->job == 'N' || u == a) && (x->job_v == 'N' || v == a);
}

#define WIDE(operation, function)                                                                            \
    struct cusolver_call x = {.name = "cusolverDn" function, .op = CUSOLVER_##operation, .m = m, .n = n}

CUSOLVER cusolverDnXgesvd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char job_u,
                                     signed char job_vt, int64_t m, int64_t n, cudaDataType type_a,
                                     const void *a, int64_t lda, cudaDataType type_s, const void *s,
                                     cudaDataType type_u, const void *u, int64_t ldu, cudaDataType type_vt,
                                     const void *vt, int64_t ldvt, cudaDataType compute, size_t *device_bytes,
                                     size_t *host_bytes)
{
    WIDE(SVD, "Xgesvd_bufferSize");
    (void)params, (void)a, (void)lda, (void)s, (void)u, (void)ldu, (void)vt, (void)ldvt;
    x.job = (char)job_u, x.job_v = (char)job_vt;
    CUSOLVER_VALID(types_fit(&x, type_a, type_s, type_u, type_vt, compute) && m >= n);
    return cusolver_room_wide(handle, &x, device_bytes, host_bytes);
}

CUSOLVER cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char job_u,
                          signed char job_vt, int64_t m, int64_t n, cudaDataType type_a, void *a, int64_t lda,
                          cudaDataType type_s, void *s, cudaDataType type_u, void *u, int64_t ldu,
                          cudaDataType type_vt, void *vt, int64_t ldvt, cudaDataType compute,
                          void *device_work, size_t device_bytes, void *host_work, size_t host_bytes,
                          int *info)
{
    WIDE(SVD, "Xgesvd");
    CUSOLVER_ENTER();
    UNUSED_ROOM();
    (void)params;
    x.job = (char)job_u, x.job_v = (char)job_vt;
    CUSOLVER_VALID(types_fit(&x, type_a, type_s, type_u, type_vt, compute) && cusolver_svd_jobs(&x));
    cusolver_svd_operands(&x, a, lda, s, u, ldu, vt, ldvt);
    return cusolver_queue(handle, &x, info);
}

CUSOLVER cusolverDnXgesvdp_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                      cusolverEigMode_t jobz, int economy, int64_t m, int64_t n,
                                      cudaDataType type_a, const void *a, int64_t lda, cudaDataType type_s,
                                      const void *s, cudaDataType type_u, const void *u, int64_t ldu,
                                      cudaDataType type_v, const void *v, int64_t ldv, cudaDataType compute,
                                      size_t *device_bytes, size_t *host_bytes)
{
    WIDE(SVD_V, "Xgesvdp_bufferSize");
    (void)params, (void)a, (void)lda, (void)s, (void)u, (void)ldu, (void)v, (void)ldv, (void)economy;
    CUSOLVER_VALID(cusolver_job(jobz, &x.job));
    x.job_v = x.job;
    CUSOLVER_VALID(types_fit(&x, type_a, type_s, type_u, type_v, compute));
    return cusolver_room_wide(handle, &x, device_bytes, host_bytes);
}

CUSOLVER cusolverDnXgesvdp(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
                           int economy, int64_t m, int64_t n, cudaDataType type_a, void *a, int64_t lda,
                           cudaDataType type_s, void *s, cudaDataType type_u, void *u, int64_t ldu,
                           cudaDataType type_v, void *v, int64_t ldv, cudaDataType compute, void *device_work,
                           size_t device_bytes, void *host_work, size_t host_bytes, int *info, double *error)
{
    WIDE(SVD_V, "Xgesvdp");
    CUSOLVER_ENTER();
    UNUSED_ROOM();
    (void)params;
    CUSOLVER_VALID(cusolver_job(jobz, &x.job));
    x.job_v = x.job;
    x.host_residual = error;
    CUSOLVER_VALID(types_fit(&x, type_a, type_s, type_u, type_v, compute));
    int64_t k = least(m, n);
    cusolver_svd_operands_v(&x, a, lda, s, k, u, ldu, economy ? k : m, v, ldv, economy ? k : n);
    return cusolver_queue(handle, &x, info);
}

CUSOLVER cusolverDnXgesvdr_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char job_u,
                                      signed char job_v, int64_t m, int64_t n, int64_t k, int64_t p,
                                      int64_t iterations, cudaDataType type_a, const void *a, int64_t lda,
                                      cudaDataType type_s, const void *s, cudaDataType type_u, const void *u,
                                      int64_t ldu, cudaDataType type_v, const void *v, int64_t ldv,
                                      cudaDataType compute, size_t *device_bytes, size_t *host_bytes)
{
    WIDE(SVD_V, "Xgesvdr_bufferSize");
    (void)params, (void)a, (void)lda, (void)s, (void)u, (void)ldu, (void)v, (void)ldv, (void)iterations;
    x.job = (char)job_u, x.job_v = (char)job_v;
    CUSOLVER_VALID(types_fit(&x, type_a, type_s, type_u, type_v, compute) && k >= 1 && p >= 0 &&
                   k + p <= least(m, n));
    return cusolver_room_wide(handle, &x, device_bytes, host_bytes);
}

CUSOLVER cusolverDnXgesvdr(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char job_u,
                           signed char job_v, int64_t m, int64_t n, int64_t k, int64_t p, int64_t iterations,
                           cudaDataType type_a, void *a, int64_t lda, cudaDataType type_s, void *s,
                           cudaDataType type_u, void *u, int64_t ldu, cudaDataType type_v, void *v,
                           int64_t ldv, cudaDataType compute, void *device_work, size_t device_bytes,
                           void *host_work, size_t host_bytes, int *info)
{
    WIDE(SVD_V, "Xgesvdr");
    CUSOLVER_ENTER();
    UNUSED_ROOM();
    (void)params, (void)iterations;
    x.k = k, x.job = (char)job_u, x.job_v = (char)job_v;
    CUSOLVER_VALID(types_fit(&x, type_a, type_s, type_u, type_v, compute) && k >= 1 && p >= 0 &&
                   k + p <= least(m, n));
    CUSOLVER_VALID((job_u == 'S' || job_u == 'N') && job_v == job_u); /* documented */
    cusolver_svd_operands_v(&x, a, lda, s, k, u, ldu, k, v, ldv, k);
    return cusolver_queue(handle, &x, info);
}
