/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the interface with 64-bit numbers: eigenvalues. Method and limits: as cusolver_eigen.c;
 * eigenvectors of matrices without symmetry are right ones, of the matrix's type, as with NVIDIA's library
 * (documented). */
#include "cusolver_priv.h"

#define UNUSED_ROOM() (void)device_work, (void)device_bytes, (void)host_work, (void)host_bytes

/* w is of the matrix's real type. */
static bool types_fit(cudaDataType a, cudaDataType w, cudaDataType compute, enum blas_type *out)
{
    enum blas_type real;
    return cusolver_of_type(a, out) && compute == a && cusolver_of_type(w, &real) && real == blas_real(*out);
}

static double number_at(enum blas_type type, const void *at)
{
    return !at ? 0 : blas_real(type) == BLAS_S ? (double)*(const float *)at : *(const double *)at;
}

#define WIDE(function)                                                                                       \
    struct cusolver_call x = {.name = "cusolverDn" function, .op = CUSOLVER_SYEV, .range.which = 'A', .n = n}

static void operands(struct cusolver_call *x, const void *a, int64_t lda, const void *w)
{
    cusolver_matrix(x, CUSOLVER_A, a, x->n, x->n, lda, CUSOLVER_CHANGE);
    cusolver_real(x, CUSOLVER_D, w, x->n, CUSOLVER_WRITE);
}

CUSOLVER cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                     cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                     cudaDataType type_a, const void *a, int64_t lda, cudaDataType type_w,
                                     const void *w, cudaDataType compute, size_t *device_bytes,
                                     size_t *host_bytes)
{
    WIDE("Xsyevd_bufferSize");
    (void)params, (void)a, (void)w;
    CUSOLVER_VALID(types_fit(type_a, type_w, compute, &x.type) && cusolver_job(jobz, &x.job) &&
                   cusolver_uplo(uplo, &x.uplo) && lda >= n);
    return cusolver_room_wide(handle, &x, device_bytes, host_bytes);
}

CUSOLVER cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
                          cublasFillMode_t uplo, int64_t n, cudaDataType type_a, void *a, int64_t lda,
                          cudaDataType type_w, void *w, cudaDataType compute, void *device_work,
                          size_t device_bytes, void *host_work, size_t host_bytes, int *info)
{
    WIDE("Xsyevd");
    CUSOLVER_ENTER();
    UNUSED_ROOM();
    (void)params;
    CUSOLVER_VALID(types_fit(type_a, type_w, compute, &x.type) && cusolver_job(jobz, &x.job) &&
                   cusolver_uplo(uplo, &x.uplo));
    operands(&x, a, lda, w);
    return cusolver_queue(handle, &x, info);
}

CUSOLVER cusolverDnXsyevBatched_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                           cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                           cudaDataType type_a, const void *a, int64_t lda,
                                           cudaDataType type_w, const void *w, cudaDataType compute,
                                           size_t *device_bytes, size_t *host_bytes, int64_t batch)
{
    CUSOLVER_VALID(batch >= 0);
    return cusolverDnXsyevd_bufferSize(handle, params, jobz, uplo, n, type_a, a, lda, type_w, w, compute,
                                       device_bytes, host_bytes);
}

CUSOLVER cusolverDnXsyevBatched(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
                                cublasFillMode_t uplo, int64_t n, cudaDataType type_a, void *a, int64_t lda,
                                cudaDataType type_w, void *w, cudaDataType compute, void *device_work,
                                size_t device_bytes, void *host_work, size_t host_bytes, int *infos,
                                int64_t batch)
{
    WIDE("XsyevBatched");
    CUSOLVER_ENTER();
    UNUSED_ROOM();
    (void)params;
    x.batch = batch;
    CUSOLVER_VALID(types_fit(type_a, type_w, compute, &x.type) && cusolver_job(jobz, &x.job) &&
                   cusolver_uplo(uplo, &x.uplo));
    if (batch == 0) return CUSOLVER_STATUS_SUCCESS;
    operands(&x, a, lda, w);
    return cusolver_queue(handle, &x, infos);
}

static bool range_fits(struct cusolver_call *x, cusolverEigRange_t range, const void *vl, const void *vu,
                       int64_t il, int64_t iu)
{
    return cusolver_range_of(range, number_at(x->type, vl), number_at(x->type, vu), il, iu, x->n, &x->range);
}

CUSOLVER cusolverDnXsyevdx_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                      cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo,
                                      int64_t n, cudaDataType type_a, const void *a, int64_t lda, void *vl,
                                      void *vu, int64_t il, int64_t iu, int64_t *meig, cudaDataType type_w,
                                      const void *w, cudaDataType compute, size_t *device_bytes,
                                      size_t *host_bytes)
{
    WIDE("Xsyevdx_bufferSize");
    (void)params, (void)a, (void)w, (void)meig;
    CUSOLVER_VALID(types_fit(type_a, type_w, compute, &x.type) && cusolver_job(jobz, &x.job) &&
                   cusolver_uplo(uplo, &x.uplo) && lda >= n && range_fits(&x, range, vl, vu, il, iu));
    return cusolver_room_wide(handle, &x, device_bytes, host_bytes);
}

CUSOLVER cusolverDnXsyevdx(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
                           cusolverEigRange_t range, cublasFillMode_t uplo, int64_t n, cudaDataType type_a,
                           void *a, int64_t lda, void *vl, void *vu, int64_t il, int64_t iu, int64_t *meig,
                           cudaDataType type_w, void *w, cudaDataType compute, void *device_work,
                           size_t device_bytes, void *host_work, size_t host_bytes, int *info)
{
    WIDE("Xsyevdx");
    CUSOLVER_ENTER();
    UNUSED_ROOM();
    (void)params;
    x.host_count_wide = meig;
    CUSOLVER_VALID(meig && types_fit(type_a, type_w, compute, &x.type) && cusolver_job(jobz, &x.job) &&
                   cusolver_uplo(uplo, &x.uplo) && range_fits(&x, range, vl, vu, il, iu));
    operands(&x, a, lda, w);
    return cusolver_queue(handle, &x, info);
}

/* ---- without symmetry: w is complex, or, of real matrices, n real parts and n imaginary ones */

static bool types_of_general(struct cusolver_call *x, cusolverEigMode_t job_l, cusolverEigMode_t job_r,
                             cudaDataType type_a, cudaDataType type_w, cudaDataType type_r,
                             cudaDataType compute)
{
    enum blas_type w;
    x->op = CUSOLVER_GEEV;
    if (job_l != CUSOLVER_EIG_MODE_NOVECTOR || !cusolver_job(job_r, &x->job)) return false;
    if (!cusolver_of_type(type_a, &x->type) || compute != type_a || !cusolver_of_type(type_w, &w))
        return false;
    x->parts_apart = !blas_is_complex(w);
    if (blas_real(w) != blas_real(x->type) || (x->parts_apart && blas_is_complex(x->type))) return false;
    return x->job == 'N' || type_r == type_a;
}

CUSOLVER cusolverDnXgeev_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                    cusolverEigMode_t job_l, cusolverEigMode_t job_r, int64_t n,
                                    cudaDataType type_a, const void *a, int64_t lda, cudaDataType type_w,
                                    const void *w, cudaDataType type_l, const void *vl, int64_t ldvl,
                                    cudaDataType type_r, const void *vr, int64_t ldvr, cudaDataType compute,
                                    size_t *device_bytes, size_t *host_bytes)
{
    WIDE("Xgeev_bufferSize");
    (void)params, (void)a, (void)w, (void)vl, (void)ldvl, (void)vr, (void)ldvr, (void)type_l;
    CUSOLVER_VALID(types_of_general(&x, job_l, job_r, type_a, type_w, type_r, compute) && lda >= n);
    return cusolver_room_wide(handle, &x, device_bytes, host_bytes);
}

CUSOLVER cusolverDnXgeev(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t job_l,
                         cusolverEigMode_t job_r, int64_t n, cudaDataType type_a, void *a, int64_t lda,
                         cudaDataType type_w, void *w, cudaDataType type_l, void *vl, int64_t ldvl,
                         cudaDataType type_r, void *vr, int64_t ldvr, cudaDataType compute, void *device_work,
                         size_t device_bytes, void *host_work, size_t host_bytes, int *info)
{
    WIDE("Xgeev");
    CUSOLVER_ENTER();
    UNUSED_ROOM();
    (void)params, (void)vl, (void)ldvl, (void)type_l;
    CUSOLVER_VALID(types_of_general(&x, job_l, job_r, type_a, type_w, type_r, compute));
    cusolver_matrix(&x, CUSOLVER_A, a, n, n, lda, CUSOLVER_CHANGE);
    cusolver_real(&x, CUSOLVER_D, w, 2 * n, CUSOLVER_WRITE);
    if (x.job == 'V') cusolver_matrix(&x, CUSOLVER_B, vr, n, n, ldvr, CUSOLVER_WRITE);
    return cusolver_queue(handle, &x, info);
}
