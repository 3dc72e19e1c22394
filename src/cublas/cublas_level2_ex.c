/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: products of matrices of halves or bf16 with vectors, in batches; triangles from packed to full
 * storage and back. Method: each is described as a struct cublas_call. Limits: none known. */
#include "cublas_priv.h"

#define BATCH(function)                                                                                      \
    struct cublas_call x = {.name = "cublas" function, .op = CUBLAS_GEMV_MIXED, .m = m, .n = n};             \
    CUBLAS_TRY(cublas_enter(handle));                                                                        \
    if (!cublas_trans(trans, &x.trans_a)) return CUBLAS_STATUS_INVALID_VALUE;                                \
    if (count == 0) return CUBLAS_STATUS_SUCCESS;                                                            \
    x.a = a, x.lda = lda, x.b = b, x.ldb = incb, x.c = (void *)(uintptr_t)c, x.ldc = incc, x.batch = count;  \
    CUBLAS_TRY(cublas_scalar_get(handle, alpha, sizeof *alpha, &x.alpha));                                   \
    CUBLAS_TRY(cublas_scalar_get(handle, beta, sizeof *beta, &x.beta))
#define SMALL(name, In, Out, in, out, I, S)                                                                  \
    CUBLAS cublas##name##gemvBatched##S(cublasHandle_t handle, cublasOperation_t trans, I m, I n,            \
                                        const float *alpha, const In *const a[], I lda, const In *const b[], \
                                        I incb, const float *beta, Out *const c[], I incc, I count)          \
    {                                                                                                        \
        BATCH(#name "gemvBatched");                                                                          \
        x.a_element = x.b_element = in, x.c_element = out, x.arrays = true;                                  \
        return cublas_call_queue(handle, &x);                                                                \
    }                                                                                                        \
    CUBLAS cublas##name##gemvStridedBatched##S(cublasHandle_t handle, cublasOperation_t trans, I m, I n,     \
                                               const float *alpha, const In *a, I lda, long long stride_a,   \
                                               const In *b, I incb, long long stride_b, const float *beta,   \
                                               Out *c, I incc, long long stride_c, I count)                  \
    {                                                                                                        \
        BATCH(#name "gemvStridedBatched");                                                                   \
        x.a_element = x.b_element = in, x.c_element = out;                                                   \
        x.stride_a = stride_a, x.stride_b = stride_b, x.stride_c = stride_c;                                 \
        return cublas_call_queue(handle, &x);                                                                \
    }
#define SMALL_BOTH(name, In, Out, in, out)                                                                   \
    SMALL(name, In, Out, in, out, int, ) SMALL(name, In, Out, in, out, int64_t, _64)
SMALL_BOTH(HSH, __half, __half, BLAS_F16, BLAS_F16)
SMALL_BOTH(HSS, __half, float, BLAS_F16, BLAS_F32)
SMALL_BOTH(TST, __nv_bfloat16, __nv_bfloat16, BLAS_BF16, BLAS_BF16)
SMALL_BOTH(TSS, __nv_bfloat16, float, BLAS_BF16, BLAS_F32)

#define PACKED(L)                                                                                            \
    CUBLAS cublas##L##tpttr(cublasHandle_t handle, cublasFillMode_t uplo, int n,                             \
                            const CUBLAS_TYPE_##L *packed, CUBLAS_TYPE_##L *full, int ld)                    \
    {                                                                                                        \
        struct cublas_call x = {.name = "cublas" #L "tpttr", .op = CUBLAS_TPTTR, .type = BLAS_##L, .n = n};  \
        CUBLAS_TRY(cublas_enter(handle));                                                                    \
        if (!cublas_uplo(uplo, &x.uplo)) return CUBLAS_STATUS_INVALID_VALUE;                                 \
        x.a = packed, x.c = full, x.ldc = ld;                                                                \
        return cublas_call_queue(handle, &x);                                                                \
    }                                                                                                        \
    CUBLAS cublas##L##trttp(cublasHandle_t handle, cublasFillMode_t uplo, int n,                             \
                            const CUBLAS_TYPE_##L *full, int ld, CUBLAS_TYPE_##L *packed)                    \
    {                                                                                                        \
        struct cublas_call x = {.name = "cublas" #L "trttp", .op = CUBLAS_TRTTP, .type = BLAS_##L, .n = n};  \
        CUBLAS_TRY(cublas_enter(handle));                                                                    \
        if (!cublas_uplo(uplo, &x.uplo)) return CUBLAS_STATUS_INVALID_VALUE;                                 \
        x.a = full, x.lda = ld, x.c = packed;                                                                \
        return cublas_call_queue(handle, &x);                                                                \
    }
PACKED(S)
PACKED(D)
PACKED(C)
PACKED(Z)
