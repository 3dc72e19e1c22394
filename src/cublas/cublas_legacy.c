/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the interface before version 2 (cublas.h): no handle, scalars by value, options as letters.
 * Method: one handle of the process, made by cublasInit, and the functions of version 2; their status is kept
 * for cublasGetError. Limits: programs that call it from several threads share the error. */
#include "base/base.h"
#include "routine/routine.h"

#include <cublas.h>
#include <cuda.h>

#include <stdatomic.h>

#define OLD __attribute__((visibility("default")))

static _Atomic(cublasHandle_t) handle;
static atomic_int last; /* status of the first call that failed since cublasGetError */

static void keep(cublasStatus_t status)
{
    int none = CUBLAS_STATUS_SUCCESS;
    if (status != CUBLAS_STATUS_SUCCESS) atomic_compare_exchange_strong(&last, &none, (int)status);
}

/* ---- life and memory */

OLD cublasStatus_t cublasInit(void)
{
    cublasHandle_t made = NULL, none = NULL;
    if (atomic_load(&handle)) return CUBLAS_STATUS_SUCCESS;
    cublasStatus_t status = cublasCreate_v2(&made);
    if (status == CUBLAS_STATUS_SUCCESS && !atomic_compare_exchange_strong(&handle, &none, made))
        cublasDestroy_v2(made);
    return status;
}

OLD cublasStatus_t cublasShutdown(void)
{
    cublasHandle_t was = atomic_exchange(&handle, NULL);
    return was ? cublasDestroy_v2(was) : CUBLAS_STATUS_NOT_INITIALIZED;
}

OLD cublasStatus_t cublasGetError(void)
{
    return (cublasStatus_t)atomic_exchange(&last, CUBLAS_STATUS_SUCCESS);
}

OLD cublasStatus_t cublasGetVersion(int *version)
{
    return cublasGetVersion_v2(atomic_load(&handle), version);
}

OLD cublasStatus_t cublasSetKernelStream(cudaStream_t stream)
{
    return cublasSetStream_v2(atomic_load(&handle), stream);
}

OLD cublasStatus_t cublasAlloc(int n, int bytes, void **out)
{
    CUdeviceptr at = 0;
    if (!atomic_load(&handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (n <= 0 || bytes <= 0 || !out) return CUBLAS_STATUS_INVALID_VALUE;
    if (cuMemAlloc(&at, (size_t)n * (size_t)bytes) != CUDA_SUCCESS) return CUBLAS_STATUS_ALLOC_FAILED;
    *out = (void *)(uintptr_t)at;
    return CUBLAS_STATUS_SUCCESS;
}

OLD cublasStatus_t cublasFree(void *at)
{
    if (!atomic_load(&handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
    return cuMemFree((CUdeviceptr)(uintptr_t)at) == CUDA_SUCCESS ? CUBLAS_STATUS_SUCCESS
                                                                 : CUBLAS_STATUS_INTERNAL_ERROR;
}

/* ---- letters; a wrong one becomes a number that is no option */

enum { NO_OPTION = 99 };

static cublasOperation_t op_of(char letter)
{
    switch (letter) {
    case 'n':
    case 'N': return CUBLAS_OP_N;
    case 't':
    case 'T': return CUBLAS_OP_T;
    case 'c':
    case 'C': return CUBLAS_OP_C;
    default: return (cublasOperation_t)NO_OPTION;
    }
}

static int one_of(char letter, char zero, char one)
{
    char upper = (char)(letter & ~0x20); /* definition: ASCII */
    return upper == zero ? 0 : upper == one ? 1 : NO_OPTION;
}
#define UPLO(letter) (cublasFillMode_t) one_of(letter, 'L', 'U')
#define SIDE(letter) (cublasSideMode_t) one_of(letter, 'L', 'R')
#define DIAG(letter) (cublasDiagType_t) one_of(letter, 'N', 'U')
#define H            atomic_load(&handle)

/* ---- all types */

#define EACH(L, T)                                                                                           \
    OLD void cublas##L##axpy(int n, T alpha, const T *x, int incx, T *y, int incy)                           \
    {                                                                                                        \
        keep(cublas##L##axpy_v2(H, n, &alpha, x, incx, y, incy));                                            \
    }                                                                                                        \
    OLD void cublas##L##copy(int n, const T *x, int incx, T *y, int incy)                                    \
    {                                                                                                        \
        keep(cublas##L##copy_v2(H, n, x, incx, y, incy));                                                    \
    }                                                                                                        \
    OLD void cublas##L##swap(int n, T *x, int incx, T *y, int incy)                                          \
    {                                                                                                        \
        keep(cublas##L##swap_v2(H, n, x, incx, y, incy));                                                    \
    }                                                                                                        \
    OLD void cublas##L##scal(int n, T alpha, T *x, int incx)                                                 \
    {                                                                                                        \
        keep(cublas##L##scal_v2(H, n, &alpha, x, incx));                                                     \
    }                                                                                                        \
    OLD void cublas##L##gemv(char trans, int m, int n, T alpha, const T *a, int lda, const T *x, int incx,   \
                             T beta, T *y, int incy)                                                         \
    {                                                                                                        \
        keep(cublas##L##gemv_v2(H, op_of(trans), m, n, &alpha, a, lda, x, incx, &beta, y, incy));            \
    }                                                                                                        \
    OLD void cublas##L##gbmv(char trans, int m, int n, int kl, int ku, T alpha, const T *a, int lda,         \
                             const T *x, int incx, T beta, T *y, int incy)                                   \
    {                                                                                                        \
        keep(cublas##L##gbmv_v2(H, op_of(trans), m, n, kl, ku, &alpha, a, lda, x, incx, &beta, y, incy));    \
    }                                                                                                        \
    OLD void cublas##L##gemm(char ta, char tb, int m, int n, int k, T alpha, const T *a, int lda,            \
                             const T *b, int ldb, T beta, T *c, int ldc)                                     \
    {                                                                                                        \
        keep(cublas##L##gemm_v2(H, op_of(ta), op_of(tb), m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc));   \
    }                                                                                                        \
    OLD void cublas##L##symm(char side, char uplo, int m, int n, T alpha, const T *a, int lda, const T *b,   \
                             int ldb, T beta, T *c, int ldc)                                                 \
    {                                                                                                        \
        keep(cublas##L##symm_v2(H, SIDE(side), UPLO(uplo), m, n, &alpha, a, lda, b, ldb, &beta, c, ldc));    \
    }                                                                                                        \
    OLD void cublas##L##syrk(char uplo, char trans, int n, int k, T alpha, const T *a, int lda, T beta,      \
                             T *c, int ldc)                                                                  \
    {                                                                                                        \
        keep(cublas##L##syrk_v2(H, UPLO(uplo), op_of(trans), n, k, &alpha, a, lda, &beta, c, ldc));          \
    }                                                                                                        \
    OLD void cublas##L##syr2k(char uplo, char trans, int n, int k, T alpha, const T *a, int lda, const T *b, \
                              int ldb, T beta, T *c, int ldc)                                                \
    {                                                                                                        \
        keep(cublas##L##syr2k_v2(H, UPLO(uplo), op_of(trans), n, k, &alpha, a, lda, b, ldb, &beta, c, ldc)); \
    }                                                                                                        \
    OLD void cublas##L##trmm(char side, char uplo, char trans, char diag, int m, int n, T alpha, const T *a, \
                             int lda, T *b, int ldb)                                                         \
    {                                                                                                        \
        keep(cublas##L##trmm_v2(H, SIDE(side), UPLO(uplo), op_of(trans), DIAG(diag), m, n, &alpha, a, lda,   \
                                b, ldb, b, ldb));                                                            \
    }                                                                                                        \
    OLD void cublas##L##trsm(char side, char uplo, char trans, char diag, int m, int n, T alpha, const T *a, \
                             int lda, T *b, int ldb)                                                         \
    {                                                                                                        \
        keep(cublas##L##trsm_v2(H, SIDE(side), UPLO(uplo), op_of(trans), DIAG(diag), m, n, &alpha, a, lda,   \
                                b, ldb));                                                                    \
    }                                                                                                        \
    TRIANGLES(L, T)

/* Triangles with vectors: full, band and packed. */
#define FULL(L, T, name)                                                                                     \
    OLD void cublas##L##name(char uplo, char trans, char diag, int n, const T *a, int lda, T *x, int incx)   \
    {                                                                                                        \
        keep(cublas##L##name##_v2(H, UPLO(uplo), op_of(trans), DIAG(diag), n, a, lda, x, incx));             \
    }
#define BAND(L, T, name)                                                                                     \
    OLD void cublas##L##name(char uplo, char trans, char diag, int n, int k, const T *a, int lda, T *x,      \
                             int incx)                                                                       \
    {                                                                                                        \
        keep(cublas##L##name##_v2(H, UPLO(uplo), op_of(trans), DIAG(diag), n, k, a, lda, x, incx));          \
    }
#define PACKED(L, T, name)                                                                                   \
    OLD void cublas##L##name(char uplo, char trans, char diag, int n, const T *a, T *x, int incx)            \
    {                                                                                                        \
        keep(cublas##L##name##_v2(H, UPLO(uplo), op_of(trans), DIAG(diag), n, a, x, incx));                  \
    }
#define TRIANGLES(L, T)                                                                                      \
    FULL(L, T, trmv)                                                                                         \
    FULL(L, T, trsv) BAND(L, T, tbmv) BAND(L, T, tbsv) PACKED(L, T, tpmv) PACKED(L, T, tpsv)
EACH(S, float)
EACH(D, double)
EACH(C, cuComplex)
EACH(Z, cuDoubleComplex)

#define RESULTS(l, T, R, nrm2, asum)                                                                         \
    OLD int cublasI##l##amax(int n, const T *x, int incx)                                                    \
    {                                                                                                        \
        int result = 0;                                                                                      \
        keep(cublasI##l##amax_v2(H, n, x, incx, &result));                                                   \
        return result;                                                                                       \
    }                                                                                                        \
    OLD int cublasI##l##amin(int n, const T *x, int incx)                                                    \
    {                                                                                                        \
        int result = 0;                                                                                      \
        keep(cublasI##l##amin_v2(H, n, x, incx, &result));                                                   \
        return result;                                                                                       \
    }                                                                                                        \
    OLD R cublas##nrm2(int n, const T *x, int incx)                                                          \
    {                                                                                                        \
        R result = 0;                                                                                        \
        keep(cublas##nrm2##_v2(H, n, x, incx, &result));                                                     \
        return result;                                                                                       \
    }                                                                                                        \
    OLD R cublas##asum(int n, const T *x, int incx)                                                          \
    {                                                                                                        \
        R result = 0;                                                                                        \
        keep(cublas##asum##_v2(H, n, x, incx, &result));                                                     \
        return result;                                                                                       \
    }
RESULTS(s, float, float, Snrm2, Sasum)
RESULTS(d, double, double, Dnrm2, Dasum)
RESULTS(c, cuComplex, float, Scnrm2, Scasum)
RESULTS(z, cuDoubleComplex, double, Dznrm2, Dzasum)

/* ---- what symmetric and hermitian matrices have alike: M, v: of the names (sy, sp, sb; he, hp, hb) */

#define DOT(L, T, name)                                                                                      \
    OLD T cublas##L##name(int n, const T *x, int incx, const T *y, int incy)                                 \
    {                                                                                                        \
        T result = {0};                                                                                      \
        keep(cublas##L##name##_v2(H, n, x, incx, y, incy, &result));                                         \
        return result;                                                                                       \
    }
#define ROT(name, T, C, S)                                                                                   \
    OLD void cublas##name(int n, T *x, int incx, T *y, int incy, C c, S s)                                   \
    {                                                                                                        \
        keep(cublas##name##_v2(H, n, x, incx, y, incy, &c, &s));                                             \
    }
#define GER(L, T, name)                                                                                      \
    OLD void cublas##L##name(int m, int n, T alpha, const T *x, int incx, const T *y, int incy, T *a,        \
                             int lda)                                                                        \
    {                                                                                                        \
        keep(cublas##L##name##_v2(H, m, n, &alpha, x, incx, y, incy, a, lda));                               \
    }
#define SYMMETRIC(L, T, R, f, b, p)                                                                          \
    OLD void cublas##L##f##mv(char uplo, int n, T alpha, const T *a, int lda, const T *x, int incx, T beta,  \
                              T *y, int incy)                                                                \
    {                                                                                                        \
        keep(cublas##L##f##mv_v2(H, UPLO(uplo), n, &alpha, a, lda, x, incx, &beta, y, incy));                \
    }                                                                                                        \
    OLD void cublas##L##b##mv(char uplo, int n, int k, T alpha, const T *a, int lda, const T *x, int incx,   \
                              T beta, T *y, int incy)                                                        \
    {                                                                                                        \
        keep(cublas##L##b##mv_v2(H, UPLO(uplo), n, k, &alpha, a, lda, x, incx, &beta, y, incy));             \
    }                                                                                                        \
    OLD void cublas##L##p##mv(char uplo, int n, T alpha, const T *a, const T *x, int incx, T beta, T *y,     \
                              int incy)                                                                      \
    {                                                                                                        \
        keep(cublas##L##p##mv_v2(H, UPLO(uplo), n, &alpha, a, x, incx, &beta, y, incy));                     \
    }                                                                                                        \
    OLD void cublas##L##f##r(char uplo, int n, R alpha, const T *x, int incx, T *a, int lda)                 \
    {                                                                                                        \
        keep(cublas##L##f##r_v2(H, UPLO(uplo), n, &alpha, x, incx, a, lda));                                 \
    }                                                                                                        \
    OLD void cublas##L##p##r(char uplo, int n, R alpha, const T *x, int incx, T *a)                          \
    {                                                                                                        \
        keep(cublas##L##p##r_v2(H, UPLO(uplo), n, &alpha, x, incx, a));                                      \
    }                                                                                                        \
    OLD void cublas##L##f##r2(char uplo, int n, T alpha, const T *x, int incx, const T *y, int incy, T *a,   \
                              int lda)                                                                       \
    {                                                                                                        \
        keep(cublas##L##f##r2_v2(H, UPLO(uplo), n, &alpha, x, incx, y, incy, a, lda));                       \
    }                                                                                                        \
    OLD void cublas##L##p##r2(char uplo, int n, T alpha, const T *x, int incx, const T *y, int incy, T *a)   \
    {                                                                                                        \
        keep(cublas##L##p##r2_v2(H, UPLO(uplo), n, &alpha, x, incx, y, incy, a));                            \
    }

#define REAL(L, T)                                                                                           \
    DOT(L, T, dot)                                                                                           \
    ROT(L##rot, T, T, T)                                                                                     \
    GER(L, T, ger)                                                                                           \
    SYMMETRIC(L, T, T, sy, sb, sp)                                                                           \
    OLD void cublas##L##rotg(T *a, T *b, T *c, T *s)                                                         \
    {                                                                                                        \
        keep(cublas##L##rotg_v2(H, a, b, c, s));                                                             \
    }                                                                                                        \
    OLD void cublas##L##rotm(int n, T *x, int incx, T *y, int incy, const T *param)                          \
    {                                                                                                        \
        keep(cublas##L##rotm_v2(H, n, x, incx, y, incy, param));                                             \
    }                                                                                                        \
    OLD void cublas##L##rotmg(T *d1, T *d2, T *x1, const T *y1, T *param)                                    \
    {                                                                                                        \
        keep(cublas##L##rotmg_v2(H, d1, d2, x1, y1, param));                                                 \
    }
REAL(S, float)
REAL(D, double)

#define COMPLEX(L, T, R, real_rot, real_scal)                                                                \
    DOT(L, T, dotu)                                                                                          \
    DOT(L, T, dotc)                                                                                          \
    ROT(L##rot, T, R, T)                                                                                     \
    ROT(real_rot, T, R, R)                                                                                   \
    GER(L, T, geru)                                                                                          \
    GER(L, T, gerc)                                                                                          \
    SYMMETRIC(L, T, R, he, hb, hp)                                                                           \
    OLD void cublas##real_scal(int n, R alpha, T *x, int incx)                                               \
    {                                                                                                        \
        keep(cublas##real_scal##_v2(H, n, &alpha, x, incx));                                                 \
    }                                                                                                        \
    OLD void cublas##L##rotg(T *a, T b, R *c, T *s)                                                          \
    {                                                                                                        \
        keep(cublas##L##rotg_v2(H, a, &b, c, s));                                                            \
    }                                                                                                        \
    OLD void cublas##L##hemm(char side, char uplo, int m, int n, T alpha, const T *a, int lda, const T *b,   \
                             int ldb, T beta, T *c, int ldc)                                                 \
    {                                                                                                        \
        keep(cublas##L##hemm_v2(H, SIDE(side), UPLO(uplo), m, n, &alpha, a, lda, b, ldb, &beta, c, ldc));    \
    }                                                                                                        \
    OLD void cublas##L##herk(char uplo, char trans, int n, int k, R alpha, const T *a, int lda, R beta,      \
                             T *c, int ldc)                                                                  \
    {                                                                                                        \
        keep(cublas##L##herk_v2(H, UPLO(uplo), op_of(trans), n, k, &alpha, a, lda, &beta, c, ldc));          \
    }                                                                                                        \
    OLD void cublas##L##her2k(char uplo, char trans, int n, int k, T alpha, const T *a, int lda, const T *b, \
                              int ldb, R beta, T *c, int ldc)                                                \
    {                                                                                                        \
        keep(cublas##L##her2k_v2(H, UPLO(uplo), op_of(trans), n, k, &alpha, a, lda, b, ldb, &beta, c, ldc)); \
    }
COMPLEX(C, cuComplex, float, Csrot, Csscal)
COMPLEX(Z, cuDoubleComplex, double, Zdrot, Zdscal)
