/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: QR, bidiagonal and tridiagonal forms, and products with their orthogonal (unitary) matrices.
 * Method: each call is described as a struct cusolver_call. Limits: room for work is taken and not used;
 * bidiagonal forms of matrices with fewer rows than columns are not supported, as with NVIDIA's library. */
#include "cusolver_priv.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Q of real numbers has no conjugate transpose of its own (recorded: tests/hw/libraries). */
static bool trans_of(enum blas_type type, cublasOperation_t given, char *out)
{
    return cusolver_trans(given, out) &&
           (blas_is_complex(type) ? given != CUBLAS_OP_T : given != CUBLAS_OP_C);
}

/* The number of the parameter that cannot be, in info, as NVIDIA's library leaves it. */
static cusolverStatus_t bad_parameter(cusolverDnHandle_t handle, int number, int *info)
{
    if (info) cuMemsetD32Async((CUdeviceptr)(uintptr_t)info, (unsigned)-number, 1, handle->stream);
    return CUSOLVER_STATUS_INVALID_VALUE;
}

#define QR(L, T, R, org, orm, sy)                                                                            \
    CUSOLVER cusolverDn##L##geqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T *a, int lda,         \
                                             int *lwork)                                                     \
    {                                                                                                        \
        CUSOLVER_CALL(L, GEQRF, #L "geqrf_bufferSize");                                                      \
        x.m = m, x.n = n;                                                                                    \
        (void)a, (void)lda;                                                                                  \
        return cusolver_room(handle, &x, lwork);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##geqrf(cusolverDnHandle_t handle, int m, int n, T *a, int lda, T *tau, T *work,   \
                                  int lwork, int *info)                                                      \
    {                                                                                                        \
        CUSOLVER_CALL(L, GEQRF, #L "geqrf");                                                                 \
        CUSOLVER_ENTER();                                                                                    \
        (void)work, (void)lwork;                                                                             \
        x.m = m, x.n = n;                                                                                    \
        cusolver_matrix(&x, CUSOLVER_A, a, m, n, lda, CUSOLVER_CHANGE);                                      \
        cusolver_vector(&x, CUSOLVER_TAU, tau, least(m, n), CUSOLVER_WRITE);                                 \
        return cusolver_queue(handle, &x, info);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##org##qr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k, const T *a,   \
                                               int lda, const T *tau, int *lwork)                            \
    {                                                                                                        \
        CUSOLVER_CALL(L, ORGQR, #L#org "qr_bufferSize");                                                     \
        x.m = m, x.n = n, x.k = k;                                                                           \
        (void)a, (void)lda, (void)tau;                                                                       \
        return cusolver_room(handle, &x, lwork);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##org##qr(cusolverDnHandle_t handle, int m, int n, int k, T *a, int lda,           \
                                    const T *tau, T *work, int lwork, int *info)                             \
    {                                                                                                        \
        CUSOLVER_CALL(L, ORGQR, #L#org "qr");                                                                \
        CUSOLVER_ENTER();                                                                                    \
        (void)work, (void)lwork;                                                                             \
        x.m = m, x.n = n, x.k = k;                                                                           \
        CUSOLVER_VALID(n <= m && k <= n);                                                                    \
        cusolver_matrix(&x, CUSOLVER_A, a, m, n, lda, CUSOLVER_CHANGE);                                      \
        cusolver_vector(&x, CUSOLVER_TAU, tau, k, CUSOLVER_READ);                                            \
        return cusolver_queue(handle, &x, info);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##orm##qr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,             \
                                               cublasOperation_t trans, int m, int n, int k, const T *a,     \
                                               int lda, const T *tau, const T *c, int ldc, int *lwork)       \
    {                                                                                                        \
        CUSOLVER_CALL(L, ORMQR, #L#orm "qr_bufferSize");                                                     \
        x.m = m, x.n = n, x.k = k;                                                                           \
        CUSOLVER_VALID(cusolver_side(side, &x.side) && cusolver_trans(trans, &x.trans));                     \
        (void)a, (void)lda, (void)tau, (void)c, (void)ldc;                                                   \
        return cusolver_room(handle, &x, lwork);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##orm##qr(cusolverDnHandle_t handle, cublasSideMode_t side,                        \
                                    cublasOperation_t trans, int m, int n, int k, const T *a, int lda,       \
                                    const T *tau, T *c, int ldc, T *work, int lwork, int *info)              \
    {                                                                                                        \
        enum { SIDE = 1, TRANS = 2 }; /* counted without the handle */                                       \
        CUSOLVER_CALL(L, ORMQR, #L#orm "qr");                                                                \
        CUSOLVER_ENTER();                                                                                    \
        (void)work, (void)lwork;                                                                             \
        x.m = m, x.n = n, x.k = k;                                                                           \
        if (!cusolver_side(side, &x.side)) return bad_parameter(handle, SIDE, info);                         \
        if (!trans_of(x.type, trans, &x.trans)) return bad_parameter(handle, TRANS, info);                   \
        int64_t order = x.side == 'L' ? m : n;                                                               \
        CUSOLVER_VALID(k <= order);                                                                          \
        cusolver_matrix(&x, CUSOLVER_A, a, order, k, lda, CUSOLVER_READ);                                    \
        cusolver_vector(&x, CUSOLVER_TAU, tau, k, CUSOLVER_READ);                                            \
        cusolver_matrix(&x, CUSOLVER_B, c, m, n, ldc, CUSOLVER_CHANGE);                                      \
        return cusolver_queue(handle, &x, info);                                                             \
    }
CUSOLVER_EACH(QR)

#define BIDIAGONAL(L, T, R, org, orm, sy)                                                                    \
    CUSOLVER cusolverDn##L##gebrd_bufferSize(cusolverDnHandle_t handle, int m, int n, int *lwork)            \
    {                                                                                                        \
        CUSOLVER_CALL(L, GEBRD, #L "gebrd_bufferSize");                                                      \
        x.m = m, x.n = n;                                                                                    \
        return cusolver_room(handle, &x, lwork);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##gebrd(cusolverDnHandle_t handle, int m, int n, T *a, int lda, R *d, R *e,        \
                                  T *tau_q, T *tau_p, T *work, int lwork, int *info)                         \
    {                                                                                                        \
        CUSOLVER_CALL(L, GEBRD, #L "gebrd");                                                                 \
        CUSOLVER_ENTER();                                                                                    \
        (void)work, (void)lwork;                                                                             \
        x.m = m, x.n = n;                                                                                    \
        if (m < n) {                                                                                         \
            routine_refuse(x.name, "fewer rows than columns");                                               \
            return CUSOLVER_STATUS_NOT_SUPPORTED; /* recorded */                                             \
        }                                                                                                    \
        cusolver_matrix(&x, CUSOLVER_A, a, m, n, lda, CUSOLVER_CHANGE);                                      \
        cusolver_real(&x, CUSOLVER_D, d, n, CUSOLVER_WRITE);                                                 \
        cusolver_real(&x, CUSOLVER_E, e, n - 1, CUSOLVER_WRITE);                                             \
        cusolver_vector(&x, CUSOLVER_TAU, tau_q, n, CUSOLVER_WRITE);                                         \
        cusolver_vector(&x, CUSOLVER_TAU_P, tau_p, n, CUSOLVER_WRITE);                                       \
        return cusolver_queue(handle, &x, info);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##org##br_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side, int m,      \
                                               int n, int k, const T *a, int lda, const T *tau, int *lwork)  \
    {                                                                                                        \
        CUSOLVER_CALL(L, ORGBR, #L#org "br_bufferSize");                                                     \
        x.m = m, x.n = n, x.k = k;                                                                           \
        CUSOLVER_VALID(cusolver_side(side, &x.side));                                                        \
        (void)a, (void)lda, (void)tau;                                                                       \
        return cusolver_room(handle, &x, lwork);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##org##br(cusolverDnHandle_t handle, cublasSideMode_t side, int m, int n, int k,   \
                                    T *a, int lda, const T *tau, T *work, int lwork, int *info)              \
    {                                                                                                        \
        CUSOLVER_CALL(L, ORGBR, #L#org "br");                                                                \
        CUSOLVER_ENTER();                                                                                    \
        (void)work, (void)lwork;                                                                             \
        x.m = m, x.n = n, x.k = k;                                                                           \
        CUSOLVER_VALID(cusolver_side(side, &x.side));                                                        \
        cusolver_matrix(&x, CUSOLVER_A, a, m, n, lda, CUSOLVER_CHANGE);                                      \
        cusolver_vector(&x, CUSOLVER_TAU, tau, least(x.side == 'L' ? m : n, k), CUSOLVER_READ);              \
        return cusolver_queue(handle, &x, info);                                                             \
    }
CUSOLVER_EACH(BIDIAGONAL)

#define TRIDIAGONAL(L, T, R, org, orm, sy)                                                                   \
    CUSOLVER cusolverDn##L##sy##trd_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,      \
                                               const T *a, int lda, const R *d, const R *e, const T *tau,    \
                                               int *lwork)                                                   \
    {                                                                                                        \
        CUSOLVER_CALL(L, SYTRD, #L#sy "trd_bufferSize");                                                     \
        x.n = n;                                                                                             \
        CUSOLVER_VALID(cusolver_uplo(uplo, &x.uplo));                                                        \
        (void)a, (void)lda, (void)d, (void)e, (void)tau;                                                     \
        return cusolver_room(handle, &x, lwork);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##sy##trd(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *a, int lda,  \
                                    R *d, R *e, T *tau, T *work, int lwork, int *info)                       \
    {                                                                                                        \
        CUSOLVER_CALL(L, SYTRD, #L#sy "trd");                                                                \
        CUSOLVER_ENTER();                                                                                    \
        (void)work, (void)lwork;                                                                             \
        x.n = n;                                                                                             \
        CUSOLVER_VALID(cusolver_uplo(uplo, &x.uplo));                                                        \
        cusolver_matrix(&x, CUSOLVER_A, a, n, n, lda, CUSOLVER_CHANGE);                                      \
        cusolver_real(&x, CUSOLVER_D, d, n, CUSOLVER_WRITE);                                                 \
        cusolver_real(&x, CUSOLVER_E, e, n - 1, CUSOLVER_WRITE);                                             \
        cusolver_vector(&x, CUSOLVER_TAU, tau, n - 1, CUSOLVER_WRITE);                                       \
        return cusolver_queue(handle, &x, info);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##org##tr_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,      \
                                               const T *a, int lda, const T *tau, int *lwork)                \
    {                                                                                                        \
        CUSOLVER_CALL(L, ORGTR, #L#org "tr_bufferSize");                                                     \
        x.n = n;                                                                                             \
        CUSOLVER_VALID(cusolver_uplo(uplo, &x.uplo));                                                        \
        (void)a, (void)lda, (void)tau;                                                                       \
        return cusolver_room(handle, &x, lwork);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##org##tr(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *a, int lda,  \
                                    const T *tau, T *work, int lwork, int *info)                             \
    {                                                                                                        \
        CUSOLVER_CALL(L, ORGTR, #L#org "tr");                                                                \
        CUSOLVER_ENTER();                                                                                    \
        (void)work, (void)lwork;                                                                             \
        x.n = n;                                                                                             \
        CUSOLVER_VALID(cusolver_uplo(uplo, &x.uplo));                                                        \
        cusolver_matrix(&x, CUSOLVER_A, a, n, n, lda, CUSOLVER_CHANGE);                                      \
        cusolver_vector(&x, CUSOLVER_TAU, tau, n - 1, CUSOLVER_READ);                                        \
        return cusolver_queue(handle, &x, info);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##orm##tr_bufferSize(                                                              \
        cusolverDnHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,    \
        int m, int n, const T *a, int lda, const T *tau, const T *c, int ldc, int *lwork)                    \
    {                                                                                                        \
        CUSOLVER_CALL(L, ORMTR, #L#orm "tr_bufferSize");                                                     \
        x.m = m, x.n = n;                                                                                    \
        CUSOLVER_VALID(cusolver_side(side, &x.side) && cusolver_uplo(uplo, &x.uplo) &&                       \
                       cusolver_trans(trans, &x.trans));                                                     \
        (void)a, (void)lda, (void)tau, (void)c, (void)ldc;                                                   \
        return cusolver_room(handle, &x, lwork);                                                             \
    }                                                                                                        \
    CUSOLVER cusolverDn##L##orm##tr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, \
                                    cublasOperation_t trans, int m, int n, T *a, int lda, T *tau, T *c,      \
                                    int ldc, T *work, int lwork, int *info)                                  \
    {                                                                                                        \
        enum { SIDE = 1, UPLO = 2, TRANS = 3 }; /* counted without the handle */                             \
        CUSOLVER_CALL(L, ORMTR, #L#orm "tr");                                                                \
        CUSOLVER_ENTER();                                                                                    \
        (void)work, (void)lwork;                                                                             \
        x.m = m, x.n = n;                                                                                    \
        if (!cusolver_side(side, &x.side)) return bad_parameter(handle, SIDE, info);                         \
        if (!cusolver_uplo(uplo, &x.uplo)) return bad_parameter(handle, UPLO, info);                         \
        if (!trans_of(x.type, trans, &x.trans)) return bad_parameter(handle, TRANS, info);                   \
        int64_t order = x.side == 'L' ? m : n;                                                               \
        cusolver_matrix(&x, CUSOLVER_A, a, order, order, lda, CUSOLVER_READ);                                \
        cusolver_vector(&x, CUSOLVER_TAU, tau, order - 1, CUSOLVER_READ);                                    \
        cusolver_matrix(&x, CUSOLVER_B, c, m, n, ldc, CUSOLVER_CHANGE);                                      \
        return cusolver_queue(handle, &x, info);                                                             \
    }
CUSOLVER_EACH(TRIDIAGONAL)
