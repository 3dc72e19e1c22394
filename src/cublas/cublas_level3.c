/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: functions of matrices, alone and in batches, and those that cuBLAS adds to the BLAS' (sums of
 * matrices, diagonals). Method: each is described as a struct cublas_call. Limits: gemm3m counts as gemm. */
#include "cublas_priv.h"

#define CALL(L, operation, function)                                                                         \
    struct cublas_call x = {.name = "cublas" function, .op = CUBLAS_##operation, .type = BLAS_##L, .n = n}
#define SCALAR(name, pointer) CUBLAS_TRY(cublas_scalar_get(handle, pointer, sizeof *(pointer), &x.name))
#define VALID(condition)                                                                                     \
    if (!(condition)) return CUBLAS_STATUS_INVALID_VALUE
#define A(p, ld) x.a = (p), x.lda = (ld)
#define B(p, ld) x.b = (p), x.ldb = (ld)
#define C(p, ld) x.c = (p), x.ldc = (ld)
#define ENTER()  CUBLAS_TRY(cublas_enter(handle))
#define SCALARS()                                                                                            \
    SCALAR(alpha, alpha);                                                                                    \
    SCALAR(beta, beta);                                                                                      \
    x.math = cublas_math_of(handle, x.type);                                                                 \
    x.has_math = true
#define QUEUE() return cublas_call_queue(handle, &x)

/* ---- products */

#define PRODUCT_PARAMETERS(I, T)                                                                             \
    cublasHandle_t handle, cublasOperation_t trans_a, cublasOperation_t trans_b, I m, I n, I k, const T *alpha
#define PRODUCT()                                                                                            \
    ENTER();                                                                                                 \
    VALID(cublas_trans(trans_a, &x.trans_a) && cublas_trans(trans_b, &x.trans_b));                           \
    x.m = m, x.k = k

#define GEMM_NAMED(L, T, I, S, name)                                                                         \
    CUBLAS cublas##L##name##S(PRODUCT_PARAMETERS(I, T), const T *a, I lda, const T *b, I ldb, const T *beta, \
                              T *c, I ldc)                                                                   \
    {                                                                                                        \
        CALL(L, GEMM, #L#name);                                                                              \
        PRODUCT();                                                                                           \
        A(a, lda), B(b, ldb), C(c, ldc);                                                                     \
        SCALARS();                                                                                           \
        QUEUE();                                                                                             \
    }
#define GEMM(L, T, I, S)   GEMM_NAMED(L, T, I, S, gemm)
#define GEMM3M(L, T, I, S) GEMM_NAMED(L, T, I, S, gemm3m)
CUBLAS_EACH(GEMM, _v2)
CUBLAS_COMPLEXES(GEMM3M, )

#define STRIDED_NAMED(L, T, I, S, name)                                                                      \
    CUBLAS cublas##L##name##S(PRODUCT_PARAMETERS(I, T), const T *a, I lda, long long stride_a, const T *b,   \
                              I ldb, long long stride_b, const T *beta, T *c, I ldc, long long stride_c,     \
                              I count)                                                                       \
    {                                                                                                        \
        CALL(L, GEMM, #L#name);                                                                              \
        PRODUCT();                                                                                           \
        if (count == 0) return CUBLAS_STATUS_SUCCESS;                                                        \
        A(a, lda), B(b, ldb), C(c, ldc), x.batch = count;                                                    \
        x.stride_a = stride_a, x.stride_b = stride_b, x.stride_c = stride_c;                                 \
        SCALARS();                                                                                           \
        QUEUE();                                                                                             \
    }
#define STRIDED(L, T, I, S)   STRIDED_NAMED(L, T, I, S, gemmStridedBatched)
#define STRIDED3M(L, T, I, S) STRIDED_NAMED(L, T, I, S, gemm3mStridedBatched)
CUBLAS_EACH(STRIDED, )
CUBLAS_BOTH(STRIDED3M, C, )

#define BATCHED_NAMED(L, T, I, S, name)                                                                      \
    CUBLAS cublas##L##name##S(PRODUCT_PARAMETERS(I, T), const T *const a[], I lda, const T *const b[],       \
                              I ldb, const T *beta, T *const c[], I ldc, I count)                            \
    {                                                                                                        \
        CALL(L, GEMM, #L#name);                                                                              \
        PRODUCT();                                                                                           \
        A(a, lda), B(b, ldb), C((void *)(uintptr_t)c, ldc), x.batch = count, x.arrays = true;                \
        SCALARS();                                                                                           \
        QUEUE();                                                                                             \
    }
#define BATCHED(L, T, I, S)   BATCHED_NAMED(L, T, I, S, gemmBatched)
#define BATCHED3M(L, T, I, S) BATCHED_NAMED(L, T, I, S, gemm3mBatched)
CUBLAS_EACH(BATCHED, )
CUBLAS_BOTH(BATCHED3M, C, )

/* ---- symmetric and hermitian */

#define SIDED(L, T, I, S, name, operation)                                                                   \
    CUBLAS cublas##L##name##S(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, I m, I n, \
                              const T *alpha, const T *a, I lda, const T *b, I ldb, const T *beta, T *c,     \
                              I ldc)                                                                         \
    {                                                                                                        \
        CALL(L, operation, #L#name);                                                                         \
        ENTER();                                                                                             \
        VALID(cublas_side(side, &x.side) && cublas_uplo(uplo, &x.uplo));                                     \
        x.m = m, A(a, lda), B(b, ldb), C(c, ldc);                                                            \
        SCALARS();                                                                                           \
        QUEUE();                                                                                             \
    }
#define SYMM(L, T, I, S) SIDED(L, T, I, S, symm, SYMM)
#define HEMM(L, T, I, S) SIDED(L, T, I, S, hemm, HEMM)
CUBLAS_EACH(SYMM, _v2)
CUBLAS_COMPLEXES(HEMM, _v2)

/* Symmetric results take N and T, hermitian ones N and C; reals either. */
#define RANK_PARAMETERS(I, scalar)                                                                           \
    cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, I n, I k, const scalar *alpha
#define RANK(hermitian)                                                                                      \
    ENTER();                                                                                                 \
    VALID(cublas_uplo(uplo, &x.uplo) && cublas_trans(trans, &x.trans_a));                                    \
    VALID(x.type == BLAS_S || x.type == BLAS_D || trans == CUBLAS_OP_N ||                                    \
          trans == ((hermitian) ? CUBLAS_OP_C : CUBLAS_OP_T));                                               \
    x.k = k

#define RANK_K(L, T, I, S, name, operation, scalar, hermitian)                                               \
    CUBLAS cublas##L##name##S(RANK_PARAMETERS(I, scalar), const T *a, I lda, const scalar *beta, T *c,       \
                              I ldc)                                                                         \
    {                                                                                                        \
        CALL(L, operation, #L#name);                                                                         \
        RANK(hermitian);                                                                                     \
        A(a, lda), C(c, ldc);                                                                                \
        SCALARS();                                                                                           \
        QUEUE();                                                                                             \
    }
#define RANK_2K(L, T, I, S, name, operation, scalar, hermitian)                                              \
    CUBLAS cublas##L##name##S(RANK_PARAMETERS(I, T), const T *a, I lda, const T *b, I ldb,                   \
                              const scalar *beta, T *c, I ldc)                                               \
    {                                                                                                        \
        CALL(L, operation, #L#name);                                                                         \
        RANK(hermitian);                                                                                     \
        A(a, lda), B(b, ldb), C(c, ldc);                                                                     \
        SCALARS();                                                                                           \
        QUEUE();                                                                                             \
    }
#define SYRK(L, T, I, S)  RANK_K(L, T, I, S, syrk, SYRK, T, false)
#define HERK(L, T, I, S)  RANK_K(L, T, I, S, herk, HERK, CUBLAS_REAL_##L, true)
#define SYR2K(L, T, I, S) RANK_2K(L, T, I, S, syr2k, SYR2K, T, false)
#define HER2K(L, T, I, S) RANK_2K(L, T, I, S, her2k, HER2K, CUBLAS_REAL_##L, true)
#define SYRKX(L, T, I, S) RANK_2K(L, T, I, S, syrkx, SYRKX, T, false)
#define HERKX(L, T, I, S) RANK_2K(L, T, I, S, herkx, HERKX, CUBLAS_REAL_##L, true)
CUBLAS_EACH(SYRK, _v2)
CUBLAS_COMPLEXES(HERK, _v2)
CUBLAS_EACH(SYR2K, _v2)
CUBLAS_COMPLEXES(HER2K, _v2)
CUBLAS_EACH(SYRKX, )
CUBLAS_COMPLEXES(HERKX, )

/* ---- triangles */

#define TRIANGLE_PARAMETERS(I, T)                                                                            \
    cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,            \
        cublasDiagType_t diag, I m, I n, const T *alpha
#define TRIANGLE()                                                                                           \
    ENTER();                                                                                                 \
    VALID(cublas_side(side, &x.side) && cublas_uplo(uplo, &x.uplo) && cublas_trans(trans, &x.trans_a) &&     \
          cublas_diag(diag, &x.diag));                                                                       \
    SCALAR(alpha, alpha);                                                                                    \
    x.m = m

#define TRMM(L, T, I, S)                                                                                     \
    CUBLAS cublas##L##trmm##S(TRIANGLE_PARAMETERS(I, T), const T *a, I lda, const T *b, I ldb, T *c, I ldc)  \
    {                                                                                                        \
        CALL(L, TRMM, #L "trmm");                                                                            \
        TRIANGLE();                                                                                          \
        A(a, lda), B(b, ldb), C(c, ldc);                                                                     \
        QUEUE();                                                                                             \
    }
CUBLAS_EACH(TRMM, _v2)

#define TRSM(L, T, I, S)                                                                                     \
    CUBLAS cublas##L##trsm##S(TRIANGLE_PARAMETERS(I, T), const T *a, I lda, T *c, I ldc)                     \
    {                                                                                                        \
        CALL(L, TRSM, #L "trsm");                                                                            \
        TRIANGLE();                                                                                          \
        A(a, lda), C(c, ldc);                                                                                \
        QUEUE();                                                                                             \
    }
CUBLAS_EACH(TRSM, _v2)

#define TRSM_BATCHED(L, T, I, S)                                                                             \
    CUBLAS cublas##L##trsmBatched##S(TRIANGLE_PARAMETERS(I, T), const T *const a[], I lda, T *const c[],     \
                                     I ldc, I count)                                                         \
    {                                                                                                        \
        CALL(L, TRSM, #L "trsmBatched");                                                                     \
        TRIANGLE();                                                                                          \
        A(a, lda), C((void *)(uintptr_t)c, ldc), x.batch = count, x.arrays = true;                           \
        QUEUE();                                                                                             \
    }
CUBLAS_EACH(TRSM_BATCHED, )

/* ---- beyond BLAS */

#define GEAM(L, T, I, S)                                                                                     \
    CUBLAS cublas##L##geam##S(cublasHandle_t handle, cublasOperation_t trans_a, cublasOperation_t trans_b,   \
                              I m, I n, const T *alpha, const T *a, I lda, const T *beta, const T *b, I ldb, \
                              T *c, I ldc)                                                                   \
    {                                                                                                        \
        CALL(L, GEAM, #L "geam");                                                                            \
        ENTER();                                                                                             \
        VALID(cublas_trans(trans_a, &x.trans_a) && cublas_trans(trans_b, &x.trans_b));                       \
        VALID((c != a || trans_a == CUBLAS_OP_N) && (c != b || trans_b == CUBLAS_OP_N));                     \
        x.m = m, A(a, lda), B(b, ldb), C(c, ldc);                                                            \
        SCALAR(alpha, alpha);                                                                                \
        SCALAR(beta, beta);                                                                                  \
        QUEUE();                                                                                             \
    }
CUBLAS_EACH(GEAM, )

#define DGMM(L, T, I, S)                                                                                     \
    CUBLAS cublas##L##dgmm##S(cublasHandle_t handle, cublasSideMode_t side, I m, I n, const T *a, I lda,     \
                              const T *b, I incb, T *c, I ldc)                                               \
    {                                                                                                        \
        CALL(L, DGMM, #L "dgmm");                                                                            \
        ENTER();                                                                                             \
        VALID(cublas_side(side, &x.side));                                                                   \
        x.m = m, A(a, lda), B(b, incb), C(c, ldc);                                                           \
        QUEUE();                                                                                             \
    }
CUBLAS_EACH(DGMM, )
