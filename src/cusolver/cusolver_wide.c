/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the interface with 64-bit numbers and types of elements as arguments: factorizations and solves.
 * Method: as that of 32 bits. Limits: all operands of a call have one type, and are computed in it. */
#include "cusolver_priv.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

#define WIDE(operation, function)                                                                            \
    struct cusolver_call x = {.name = "cusolverDn" function, .op = CUSOLVER_##operation, .wide_pivots = true}
#define UNUSED_ROOM() (void)device_work, (void)device_bytes, (void)host_work, (void)host_bytes

CUSOLVER cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                     cublasFillMode_t uplo, int64_t n, cudaDataType type_a, const void *a,
                                     int64_t lda, cudaDataType compute, size_t *device_bytes,
                                     size_t *host_bytes)
{
    WIDE(POTRF, "Xpotrf_bufferSize");
    x.n = n;
    (void)params, (void)a;
    CUSOLVER_VALID(cusolver_of_type(type_a, &x.type) && compute == type_a && cusolver_uplo(uplo, &x.uplo) &&
                   lda >= n);
    return cusolver_room_wide(handle, &x, device_bytes, host_bytes);
}

CUSOLVER cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo,
                          int64_t n, cudaDataType type_a, void *a, int64_t lda, cudaDataType compute,
                          void *device_work, size_t device_bytes, void *host_work, size_t host_bytes,
                          int *info)
{
    WIDE(POTRF, "Xpotrf");
    CUSOLVER_ENTER();
    UNUSED_ROOM();
    (void)params;
    x.n = n;
    CUSOLVER_VALID(cusolver_of_type(type_a, &x.type) && compute == type_a && cusolver_uplo(uplo, &x.uplo));
    cusolver_matrix(&x, CUSOLVER_A, a, n, n, lda, CUSOLVER_CHANGE);
    return cusolver_queue(handle, &x, info);
}

CUSOLVER cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo,
                          int64_t n, int64_t sides, cudaDataType type_a, const void *a, int64_t lda,
                          cudaDataType type_b, void *b, int64_t ldb, int *info)
{
    WIDE(POTRS, "Xpotrs");
    CUSOLVER_ENTER();
    (void)params;
    x.n = n, x.k = sides;
    CUSOLVER_VALID(cusolver_of_type(type_a, &x.type) && type_b == type_a && cusolver_uplo(uplo, &x.uplo));
    cusolver_matrix(&x, CUSOLVER_A, a, n, n, lda, CUSOLVER_READ);
    cusolver_matrix(&x, CUSOLVER_B, b, n, sides, ldb, CUSOLVER_CHANGE);
    return cusolver_queue(handle, &x, info);
}

CUSOLVER cusolverDnXtrtri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t diag,
                                     int64_t n, cudaDataType type_a, void *a, int64_t lda,
                                     size_t *device_bytes, size_t *host_bytes)
{
    WIDE(TRTRI, "Xtrtri_bufferSize");
    x.n = n;
    (void)a, (void)diag;
    CUSOLVER_VALID(cusolver_of_type(type_a, &x.type) && cusolver_uplo(uplo, &x.uplo) && lda >= n);
    return cusolver_room_wide(handle, &x, device_bytes, host_bytes);
}

CUSOLVER cusolverDnXtrtri(cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t diag, int64_t n,
                          cudaDataType type_a, void *a, int64_t lda, void *device_work, size_t device_bytes,
                          void *host_work, size_t host_bytes, int *info)
{
    WIDE(TRTRI, "Xtrtri");
    CUSOLVER_ENTER();
    UNUSED_ROOM();
    x.n = n, x.diag = diag == CUBLAS_DIAG_UNIT ? 'U' : 'N';
    CUSOLVER_VALID(cusolver_of_type(type_a, &x.type) && cusolver_uplo(uplo, &x.uplo) &&
                   (diag == CUBLAS_DIAG_UNIT || diag == CUBLAS_DIAG_NON_UNIT));
    cusolver_matrix(&x, CUSOLVER_A, a, n, n, lda, CUSOLVER_CHANGE);
    return cusolver_queue(handle, &x, info);
}

CUSOLVER cusolverDnXsytrs_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int64_t n,
                                     int64_t sides, cudaDataType type_a, const void *a, int64_t lda,
                                     const int64_t *pivots, cudaDataType type_b, void *b, int64_t ldb,
                                     size_t *device_bytes, size_t *host_bytes)
{
    WIDE(SYTRS, "Xsytrs_bufferSize");
    x.n = n, x.k = sides;
    (void)a, (void)pivots, (void)b;
    CUSOLVER_VALID(cusolver_of_type(type_a, &x.type) && type_b == type_a && cusolver_uplo(uplo, &x.uplo) &&
                   lda >= n && ldb >= n);
    return cusolver_room_wide(handle, &x, device_bytes, host_bytes);
}

CUSOLVER cusolverDnXsytrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int64_t n, int64_t sides,
                          cudaDataType type_a, const void *a, int64_t lda, const int64_t *pivots,
                          cudaDataType type_b, void *b, int64_t ldb, void *device_work, size_t device_bytes,
                          void *host_work, size_t host_bytes, int *info)
{
    WIDE(SYTRS, "Xsytrs");
    CUSOLVER_ENTER();
    UNUSED_ROOM();
    x.n = n, x.k = sides;
    CUSOLVER_VALID(cusolver_of_type(type_a, &x.type) && type_b == type_a && cusolver_uplo(uplo, &x.uplo));
    cusolver_matrix(&x, CUSOLVER_A, a, n, n, lda, CUSOLVER_READ);
    cusolver_matrix(&x, CUSOLVER_B, b, n, sides, ldb, CUSOLVER_CHANGE);
    cusolver_pivots(&x, pivots, n, CUSOLVER_READ);
    return cusolver_queue(handle, &x, info);
}

CUSOLVER cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                     int64_t n, cudaDataType type_a, const void *a, int64_t lda,
                                     cudaDataType compute, size_t *device_bytes, size_t *host_bytes)
{
    WIDE(GETRF, "Xgetrf_bufferSize");
    x.m = m, x.n = n;
    (void)params, (void)a;
    CUSOLVER_VALID(cusolver_of_type(type_a, &x.type) && compute == type_a && lda >= m);
    return cusolver_room_wide(handle, &x, device_bytes, host_bytes);
}

CUSOLVER cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                          cudaDataType type_a, void *a, int64_t lda, int64_t *pivots, cudaDataType compute,
                          void *device_work, size_t device_bytes, void *host_work, size_t host_bytes,
                          int *info)
{
    WIDE(GETRF, "Xgetrf");
    CUSOLVER_ENTER();
    UNUSED_ROOM();
    (void)params;
    x.m = m, x.n = n;
    CUSOLVER_VALID(cusolver_of_type(type_a, &x.type) && compute == type_a);
    cusolver_matrix(&x, CUSOLVER_A, a, m, n, lda, CUSOLVER_CHANGE);
    cusolver_pivots(&x, pivots, least(m, n), CUSOLVER_WRITE);
    return cusolver_queue(handle, &x, info);
}

CUSOLVER cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasOperation_t trans,
                          int64_t n, int64_t sides, cudaDataType type_a, const void *a, int64_t lda,
                          const int64_t *pivots, cudaDataType type_b, void *b, int64_t ldb, int *info)
{
    WIDE(GETRS, "Xgetrs");
    CUSOLVER_ENTER();
    (void)params;
    x.n = n, x.k = sides;
    CUSOLVER_VALID(cusolver_of_type(type_a, &x.type) && type_b == type_a && cusolver_trans(trans, &x.trans));
    cusolver_matrix(&x, CUSOLVER_A, a, n, n, lda, CUSOLVER_READ);
    cusolver_matrix(&x, CUSOLVER_B, b, n, sides, ldb, CUSOLVER_CHANGE);
    cusolver_pivots(&x, pivots, n, CUSOLVER_READ);
    return cusolver_queue(handle, &x, info);
}

CUSOLVER cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                     int64_t n, cudaDataType type_a, const void *a, int64_t lda,
                                     cudaDataType type_tau, const void *tau, cudaDataType compute,
                                     size_t *device_bytes, size_t *host_bytes)
{
    WIDE(GEQRF, "Xgeqrf_bufferSize");
    x.m = m, x.n = n;
    (void)params, (void)a, (void)tau;
    CUSOLVER_VALID(cusolver_of_type(type_a, &x.type) && compute == type_a && type_tau == type_a && lda >= m);
    return cusolver_room_wide(handle, &x, device_bytes, host_bytes);
}

CUSOLVER cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                          cudaDataType type_a, void *a, int64_t lda, cudaDataType type_tau, void *tau,
                          cudaDataType compute, void *device_work, size_t device_bytes, void *host_work,
                          size_t host_bytes, int *info)
{
    WIDE(GEQRF, "Xgeqrf");
    CUSOLVER_ENTER();
    UNUSED_ROOM();
    (void)params;
    x.m = m, x.n = n;
    CUSOLVER_VALID(cusolver_of_type(type_a, &x.type) && compute == type_a && type_tau == type_a);
    cusolver_matrix(&x, CUSOLVER_A, a, m, n, lda, CUSOLVER_CHANGE);
    cusolver_vector(&x, CUSOLVER_TAU, tau, least(m, n), CUSOLVER_WRITE);
    return cusolver_queue(handle, &x, info);
}

CUSOLVER cusolverDnXlarft_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                     cusolverDirectMode_t direct, cusolverStorevMode_t storev, int64_t n,
                                     int64_t k, cudaDataType type_v, const void *v, int64_t ldv,
                                     cudaDataType type_tau, const void *tau, cudaDataType type_t, void *t,
                                     int64_t ldt, cudaDataType compute, size_t *device_bytes,
                                     size_t *host_bytes)
{
    WIDE(LARFT, "Xlarft_bufferSize");
    x.n = n, x.k = k;
    (void)params, (void)direct, (void)storev, (void)v, (void)ldv, (void)tau, (void)t, (void)ldt;
    CUSOLVER_VALID(cusolver_of_type(type_v, &x.type) && type_tau == type_v && type_t == type_v &&
                   compute == type_v);
    return cusolver_room_wide(handle, &x, device_bytes, host_bytes);
}

CUSOLVER cusolverDnXlarft(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverDirectMode_t direct,
                          cusolverStorevMode_t storev, int64_t n, int64_t k, cudaDataType type_v,
                          const void *v, int64_t ldv, cudaDataType type_tau, const void *tau,
                          cudaDataType type_t, void *t, int64_t ldt, cudaDataType compute, void *device_work,
                          size_t device_bytes, void *host_work, size_t host_bytes)
{
    WIDE(LARFT, "Xlarft");
    CUSOLVER_ENTER();
    UNUSED_ROOM();
    (void)params;
    x.n = n, x.k = k, x.direct = direct == CUBLAS_DIRECT_FORWARD ? 'F' : 'B';
    x.storev = storev == CUBLAS_STOREV_COLUMNWISE ? 'C' : 'R';
    CUSOLVER_VALID(cusolver_of_type(type_v, &x.type) && type_tau == type_v && type_t == type_v &&
                   compute == type_v);
    bool columns = x.storev == 'C';
    cusolver_matrix(&x, CUSOLVER_A, v, columns ? n : k, columns ? k : n, ldv, CUSOLVER_READ);
    cusolver_vector(&x, CUSOLVER_TAU, tau, k, CUSOLVER_READ);
    cusolver_matrix(&x, CUSOLVER_C, t, k, k, ldt, CUSOLVER_CHANGE);
    return cusolver_queue(handle, &x, NULL);
}
