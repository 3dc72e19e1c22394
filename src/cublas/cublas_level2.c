/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: functions of a matrix and vectors, alone and in batches. Method: each is described as a struct
 * cublas_call. Limits: none known. */
#include "cublas_priv.h"

#define CALL(L, operation, function)                                                                         \
    struct cublas_call x = {.name = "cublas" function, .op = CUBLAS_##operation, .type = BLAS_##L, .n = n}
#define SCALAR(name, pointer) CUBLAS_TRY(cublas_scalar_get(handle, pointer, sizeof *(pointer), &x.name))
#define VALID(condition)                                                                                     \
    if (!(condition)) return CUBLAS_STATUS_INVALID_VALUE
#define MATRIX(p, ld)   x.a = (p), x.lda = (ld)
#define INPUT(p, step)  x.b = (p), x.ldb = (step)
#define OUTPUT(p, step) x.c = (p), x.ldc = (step)
#define ENTER()         CUBLAS_TRY(cublas_enter(handle))
#define QUEUE()         return cublas_call_queue(handle, &x)

#define GEMV(L, T, I, S)                                                                                     \
    CUBLAS cublas##L##gemv##S(cublasHandle_t handle, cublasOperation_t trans, I m, I n, const T *alpha,      \
                              const T *a, I lda, const T *b, I incb, const T *beta, T *c, I incc)            \
    {                                                                                                        \
        CALL(L, GEMV, #L "gemv");                                                                            \
        ENTER();                                                                                             \
        VALID(cublas_trans(trans, &x.trans_a));                                                              \
        x.m = m, MATRIX(a, lda), INPUT(b, incb), OUTPUT(c, incc);                                            \
        SCALAR(alpha, alpha);                                                                                \
        SCALAR(beta, beta);                                                                                  \
        QUEUE();                                                                                             \
    }
CUBLAS_EACH(GEMV, _v2)

#define GBMV(L, T, I, S)                                                                                     \
    CUBLAS cublas##L##gbmv##S(cublasHandle_t handle, cublasOperation_t trans, I m, I n, I kl, I ku,          \
                              const T *alpha, const T *a, I lda, const T *b, I incb, const T *beta, T *c,    \
                              I incc)                                                                        \
    {                                                                                                        \
        CALL(L, GBMV, #L "gbmv");                                                                            \
        ENTER();                                                                                             \
        VALID(cublas_trans(trans, &x.trans_a));                                                              \
        x.m = m, x.kl = kl, x.ku = ku, MATRIX(a, lda), INPUT(b, incb), OUTPUT(c, incc);                      \
        SCALAR(alpha, alpha);                                                                                \
        SCALAR(beta, beta);                                                                                  \
        QUEUE();                                                                                             \
    }
CUBLAS_EACH(GBMV, _v2)

/* ---- triangles */

#define HEAD_PARAMETERS                                                                                      \
    cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag
#define HEAD()                                                                                               \
    ENTER();                                                                                                 \
    VALID(cublas_uplo(uplo, &x.uplo) && cublas_trans(trans, &x.trans_a) && cublas_diag(diag, &x.diag))

#define TRIANGLE(L, T, I, S, name, operation)                                                                \
    CUBLAS cublas##L##name##S(HEAD_PARAMETERS, I n, const T *a, I lda, T *c, I incc)                         \
    {                                                                                                        \
        CALL(L, operation, #L#name);                                                                         \
        HEAD();                                                                                              \
        MATRIX(a, lda), OUTPUT(c, incc);                                                                     \
        QUEUE();                                                                                             \
    }
#define BAND(L, T, I, S, name, operation)                                                                    \
    CUBLAS cublas##L##name##S(HEAD_PARAMETERS, I n, I k, const T *a, I lda, T *c, I incc)                    \
    {                                                                                                        \
        CALL(L, operation, #L#name);                                                                         \
        HEAD();                                                                                              \
        x.k = k, MATRIX(a, lda), OUTPUT(c, incc);                                                            \
        QUEUE();                                                                                             \
    }
#define PACKED(L, T, I, S, name, operation)                                                                  \
    CUBLAS cublas##L##name##S(HEAD_PARAMETERS, I n, const T *a, T *c, I incc)                                \
    {                                                                                                        \
        CALL(L, operation, #L#name);                                                                         \
        HEAD();                                                                                              \
        MATRIX(a, 0), OUTPUT(c, incc);                                                                       \
        QUEUE();                                                                                             \
    }
#define TRMV(L, T, I, S) TRIANGLE(L, T, I, S, trmv, TRMV)
#define TRSV(L, T, I, S) TRIANGLE(L, T, I, S, trsv, TRSV)
#define TBMV(L, T, I, S) BAND(L, T, I, S, tbmv, TBMV)
#define TBSV(L, T, I, S) BAND(L, T, I, S, tbsv, TBSV)
#define TPMV(L, T, I, S) PACKED(L, T, I, S, tpmv, TPMV)
#define TPSV(L, T, I, S) PACKED(L, T, I, S, tpsv, TPSV)
CUBLAS_EACH(TRMV, _v2)
CUBLAS_EACH(TRSV, _v2)
CUBLAS_EACH(TBMV, _v2)
CUBLAS_EACH(TBSV, _v2)
CUBLAS_EACH(TPMV, _v2)
CUBLAS_EACH(TPSV, _v2)

/* ---- symmetric and hermitian products */

#define SYMMETRIC(L, T, I, S, name, operation)                                                               \
    CUBLAS cublas##L##name##S(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha, const T *a, \
                              I lda, const T *b, I incb, const T *beta, T *c, I incc)                        \
    {                                                                                                        \
        CALL(L, operation, #L#name);                                                                         \
        ENTER();                                                                                             \
        VALID(cublas_uplo(uplo, &x.uplo));                                                                   \
        MATRIX(a, lda), INPUT(b, incb), OUTPUT(c, incc);                                                     \
        SCALAR(alpha, alpha);                                                                                \
        SCALAR(beta, beta);                                                                                  \
        QUEUE();                                                                                             \
    }
#define SYMMETRIC_BAND(L, T, I, S, name, operation)                                                          \
    CUBLAS cublas##L##name##S(cublasHandle_t handle, cublasFillMode_t uplo, I n, I k, const T *alpha,        \
                              const T *a, I lda, const T *b, I incb, const T *beta, T *c, I incc)            \
    {                                                                                                        \
        CALL(L, operation, #L#name);                                                                         \
        ENTER();                                                                                             \
        VALID(cublas_uplo(uplo, &x.uplo));                                                                   \
        x.k = k, MATRIX(a, lda), INPUT(b, incb), OUTPUT(c, incc);                                            \
        SCALAR(alpha, alpha);                                                                                \
        SCALAR(beta, beta);                                                                                  \
        QUEUE();                                                                                             \
    }
#define SYMMETRIC_PACKED(L, T, I, S, name, operation)                                                        \
    CUBLAS cublas##L##name##S(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha, const T *a, \
                              const T *b, I incb, const T *beta, T *c, I incc)                               \
    {                                                                                                        \
        CALL(L, operation, #L#name);                                                                         \
        ENTER();                                                                                             \
        VALID(cublas_uplo(uplo, &x.uplo));                                                                   \
        MATRIX(a, 0), INPUT(b, incb), OUTPUT(c, incc);                                                       \
        SCALAR(alpha, alpha);                                                                                \
        SCALAR(beta, beta);                                                                                  \
        QUEUE();                                                                                             \
    }
#define SYMV(L, T, I, S) SYMMETRIC(L, T, I, S, symv, SYMV)
#define HEMV(L, T, I, S) SYMMETRIC(L, T, I, S, hemv, HEMV)
#define SBMV(L, T, I, S) SYMMETRIC_BAND(L, T, I, S, sbmv, SBMV)
#define HBMV(L, T, I, S) SYMMETRIC_BAND(L, T, I, S, hbmv, HBMV)
#define SPMV(L, T, I, S) SYMMETRIC_PACKED(L, T, I, S, spmv, SPMV)
#define HPMV(L, T, I, S) SYMMETRIC_PACKED(L, T, I, S, hpmv, HPMV)
CUBLAS_EACH(SYMV, _v2)
CUBLAS_COMPLEXES(HEMV, _v2)
CUBLAS_REALS(SBMV, _v2)
CUBLAS_COMPLEXES(HBMV, _v2)
CUBLAS_REALS(SPMV, _v2)
CUBLAS_COMPLEXES(HPMV, _v2)

/* ---- updates */

#define RANK1(L, T, I, S, name, operation)                                                                   \
    CUBLAS cublas##L##name##S(cublasHandle_t handle, I m, I n, const T *alpha, const T *a, I inca,           \
                              const T *b, I incb, T *c, I ldc)                                               \
    {                                                                                                        \
        CALL(L, operation, #L#name);                                                                         \
        ENTER();                                                                                             \
        x.m = m, MATRIX(a, inca), INPUT(b, incb), OUTPUT(c, ldc);                                            \
        SCALAR(alpha, alpha);                                                                                \
        QUEUE();                                                                                             \
    }
#define GER(L, T, I, S)  RANK1(L, T, I, S, ger, GER)
#define GERU(L, T, I, S) RANK1(L, T, I, S, geru, GER)
#define GERC(L, T, I, S) RANK1(L, T, I, S, gerc, GERC)
CUBLAS_REALS(GER, _v2)
CUBLAS_COMPLEXES(GERU, _v2)
CUBLAS_COMPLEXES(GERC, _v2)

#define UPDATE(L, T, I, S, name, operation, scalar)                                                          \
    CUBLAS cublas##L##name##S(cublasHandle_t handle, cublasFillMode_t uplo, I n, const scalar *alpha,        \
                              const T *a, I inca, T *c, I ldc)                                               \
    {                                                                                                        \
        CALL(L, operation, #L#name);                                                                         \
        ENTER();                                                                                             \
        VALID(cublas_uplo(uplo, &x.uplo));                                                                   \
        MATRIX(a, inca), OUTPUT(c, ldc);                                                                     \
        SCALAR(alpha, alpha);                                                                                \
        QUEUE();                                                                                             \
    }
#define UPDATE_PACKED(L, T, I, S, name, operation, scalar)                                                   \
    CUBLAS cublas##L##name##S(cublasHandle_t handle, cublasFillMode_t uplo, I n, const scalar *alpha,        \
                              const T *a, I inca, T *c)                                                      \
    {                                                                                                        \
        CALL(L, operation, #L#name);                                                                         \
        ENTER();                                                                                             \
        VALID(cublas_uplo(uplo, &x.uplo));                                                                   \
        MATRIX(a, inca), OUTPUT(c, 0);                                                                       \
        SCALAR(alpha, alpha);                                                                                \
        QUEUE();                                                                                             \
    }
#define UPDATE2(L, T, I, S, name, operation)                                                                 \
    CUBLAS cublas##L##name##S(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha, const T *a, \
                              I inca, const T *b, I incb, T *c, I ldc)                                       \
    {                                                                                                        \
        CALL(L, operation, #L#name);                                                                         \
        ENTER();                                                                                             \
        VALID(cublas_uplo(uplo, &x.uplo));                                                                   \
        MATRIX(a, inca), INPUT(b, incb), OUTPUT(c, ldc);                                                     \
        SCALAR(alpha, alpha);                                                                                \
        QUEUE();                                                                                             \
    }
#define UPDATE2_PACKED(L, T, I, S, name, operation)                                                          \
    CUBLAS cublas##L##name##S(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha, const T *a, \
                              I inca, const T *b, I incb, T *c)                                              \
    {                                                                                                        \
        CALL(L, operation, #L#name);                                                                         \
        ENTER();                                                                                             \
        VALID(cublas_uplo(uplo, &x.uplo));                                                                   \
        MATRIX(a, inca), INPUT(b, incb), OUTPUT(c, 0);                                                       \
        SCALAR(alpha, alpha);                                                                                \
        QUEUE();                                                                                             \
    }
#define SYR(L, T, I, S)  UPDATE(L, T, I, S, syr, SYR, T)
#define HER(L, T, I, S)  UPDATE(L, T, I, S, her, HER, CUBLAS_REAL_##L)
#define SPR(L, T, I, S)  UPDATE_PACKED(L, T, I, S, spr, SPR, T)
#define HPR(L, T, I, S)  UPDATE_PACKED(L, T, I, S, hpr, HPR, CUBLAS_REAL_##L)
#define SYR2(L, T, I, S) UPDATE2(L, T, I, S, syr2, SYR2)
#define HER2(L, T, I, S) UPDATE2(L, T, I, S, her2, HER2)
#define SPR2(L, T, I, S) UPDATE2_PACKED(L, T, I, S, spr2, SPR2)
#define HPR2(L, T, I, S) UPDATE2_PACKED(L, T, I, S, hpr2, HPR2)
CUBLAS_EACH(SYR, _v2)
CUBLAS_COMPLEXES(HER, _v2)
CUBLAS_REALS(SPR, _v2)
CUBLAS_COMPLEXES(HPR, _v2)
CUBLAS_EACH(SYR2, _v2)
CUBLAS_COMPLEXES(HER2, _v2)
CUBLAS_REALS(SPR2, _v2)
CUBLAS_COMPLEXES(HPR2, _v2)

/* ---- batches */

#define GEMV_BATCHED(L, T, I, S)                                                                             \
    CUBLAS cublas##L##gemvBatched##S(cublasHandle_t handle, cublasOperation_t trans, I m, I n,               \
                                     const T *alpha, const T *const a[], I lda, const T *const b[], I incb,  \
                                     const T *beta, T *const c[], I incc, I count)                           \
    {                                                                                                        \
        CALL(L, GEMV, #L "gemvBatched");                                                                     \
        ENTER();                                                                                             \
        VALID(cublas_trans(trans, &x.trans_a));                                                              \
        x.m = m, MATRIX(a, lda), INPUT(b, incb), OUTPUT((void *)(uintptr_t)c, incc);                         \
        x.arrays = true, x.batch = count;                                                                    \
        SCALAR(alpha, alpha);                                                                                \
        SCALAR(beta, beta);                                                                                  \
        QUEUE();                                                                                             \
    }
CUBLAS_EACH(GEMV_BATCHED, )

#define GEMV_STRIDED(L, T, I, S)                                                                             \
    CUBLAS cublas##L##gemvStridedBatched##S(cublasHandle_t handle, cublasOperation_t trans, I m, I n,        \
                                            const T *alpha, const T *a, I lda, long long stride_a,           \
                                            const T *b, I incb, long long stride_b, const T *beta, T *c,     \
                                            I incc, long long stride_c, I count)                             \
    {                                                                                                        \
        CALL(L, GEMV, #L "gemvStridedBatched");                                                              \
        ENTER();                                                                                             \
        VALID(cublas_trans(trans, &x.trans_a));                                                              \
        if (count == 0) return CUBLAS_STATUS_SUCCESS;                                                        \
        x.m = m, MATRIX(a, lda), INPUT(b, incb), OUTPUT(c, incc), x.batch = count;                           \
        x.stride_a = stride_a, x.stride_b = stride_b, x.stride_c = stride_c;                                 \
        SCALAR(alpha, alpha);                                                                                \
        SCALAR(beta, beta);                                                                                  \
        QUEUE();                                                                                             \
    }
CUBLAS_EACH(GEMV_STRIDED, )
