/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: factorizations in batches, and what is computed with them. Method: each is described as a struct
 * cublas_call; LAPACK computes item after item. Limits: results may differ from cuBLAS' where two pivots are
 * of one size. */
#include "cublas_priv.h"

#define CALL(L, operation, function)                                                                         \
    struct cublas_call x = {.name = "cublas" function,                                                       \
                            .op = CUBLAS_##operation,                                                        \
                            .type = BLAS_##L,                                                                \
                            .m = n,                                                                          \
                            .n = n,                                                                          \
                            .arrays = true,                                                                  \
                            .batch = count}
#define ENTER()     CUBLAS_TRY(cublas_enter(handle))
#define POINTERS(p) ((void *)(uintptr_t)(p))

/* What is wrong with a parameter, by its number, goes to the host. */
static cublasStatus_t queue_or_say(cublasHandle_t handle, const struct cublas_call *x, int *info)
{
    if (!info) return CUBLAS_STATUS_INVALID_VALUE;
    cublasStatus_t status = cublas_call_queue(handle, x);
    *info = status == CUBLAS_STATUS_INVALID_VALUE ? -1 : 0;
    return status;
}

#define FACTORS(L)                                                                                           \
    CUBLAS cublas##L##getrfBatched(cublasHandle_t handle, int n, CUBLAS_TYPE_##L *const a[], int lda,        \
                                   int *pivots, int *info, int count)                                        \
    {                                                                                                        \
        CALL(L, GETRF, #L "getrfBatched");                                                                   \
        ENTER();                                                                                             \
        if (!info) return CUBLAS_STATUS_INVALID_VALUE;                                                       \
        x.c = POINTERS(a), x.ldc = lda, x.pivots = pivots, x.info = info;                                    \
        return cublas_call_queue(handle, &x);                                                                \
    }                                                                                                        \
    CUBLAS cublas##L##getriBatched(cublasHandle_t handle, int n, const CUBLAS_TYPE_##L *const a[], int lda,  \
                                   const int *pivots, CUBLAS_TYPE_##L *const c[], int ldc, int *info,        \
                                   int count)                                                                \
    {                                                                                                        \
        CALL(L, GETRI, #L "getriBatched");                                                                   \
        ENTER();                                                                                             \
        if (!info) return CUBLAS_STATUS_INVALID_VALUE;                                                       \
        x.a = a, x.lda = lda, x.c = POINTERS(c), x.ldc = ldc;                                                \
        x.pivots = POINTERS(pivots), x.info = info;                                                          \
        return cublas_call_queue(handle, &x);                                                                \
    }                                                                                                        \
    CUBLAS cublas##L##matinvBatched(cublasHandle_t handle, int n, const CUBLAS_TYPE_##L *const a[], int lda, \
                                    CUBLAS_TYPE_##L *const c[], int ldc, int *info, int count)               \
    {                                                                                                        \
        enum { MOST = 32 }; /* documented */                                                                 \
        CALL(L, MATINV, #L "matinvBatched");                                                                 \
        ENTER();                                                                                             \
        if (!info || n > MOST) return CUBLAS_STATUS_INVALID_VALUE;                                           \
        x.a = a, x.lda = lda, x.c = POINTERS(c), x.ldc = ldc, x.info = info;                                 \
        return cublas_call_queue(handle, &x);                                                                \
    }                                                                                                        \
    CUBLAS cublas##L##getrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n, int sides,         \
                                   const CUBLAS_TYPE_##L *const a[], int lda, const int *pivots,             \
                                   CUBLAS_TYPE_##L *const c[], int ldc, int *info, int count)                \
    {                                                                                                        \
        CALL(L, GETRS, #L "getrsBatched");                                                                   \
        ENTER();                                                                                             \
        if (!cublas_trans(trans, &x.trans_a)) return CUBLAS_STATUS_INVALID_VALUE;                            \
        x.n = sides, x.a = a, x.lda = lda, x.c = POINTERS(c), x.ldc = ldc, x.pivots = POINTERS(pivots);      \
        return queue_or_say(handle, &x, info);                                                               \
    }                                                                                                        \
    CUBLAS cublas##L##geqrfBatched(cublasHandle_t handle, int m, int n, CUBLAS_TYPE_##L *const a[], int lda, \
                                   CUBLAS_TYPE_##L *const factors[], int *info, int count)                   \
    {                                                                                                        \
        CALL(L, GEQRF, #L "geqrfBatched");                                                                   \
        ENTER();                                                                                             \
        x.m = m, x.c = POINTERS(a), x.ldc = lda, x.d = POINTERS(factors);                                    \
        return queue_or_say(handle, &x, info);                                                               \
    }                                                                                                        \
    CUBLAS cublas##L##gelsBatched(cublasHandle_t handle, cublasOperation_t trans, int m, int n, int sides,   \
                                  CUBLAS_TYPE_##L *const a[], int lda, CUBLAS_TYPE_##L *const c[], int ldc,  \
                                  int *info, int *item_info, int count)                                      \
    {                                                                                                        \
        CALL(L, GELS, #L "gelsBatched");                                                                     \
        ENTER();                                                                                             \
        if (!cublas_trans(trans, &x.trans_a)) return CUBLAS_STATUS_INVALID_VALUE;                            \
        if (trans != CUBLAS_OP_N || m < n) return CUBLAS_STATUS_NOT_SUPPORTED; /* documented */              \
        x.m = m, x.k = sides, x.a = a, x.lda = lda, x.c = POINTERS(c), x.ldc = ldc, x.info = item_info;      \
        return queue_or_say(handle, &x, info);                                                               \
    }
FACTORS(S)
FACTORS(D)
FACTORS(C)
FACTORS(Z)
