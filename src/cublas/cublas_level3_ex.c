/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: groups of products, and rank updates of complex matrices with types. Method: each group is a
 * product of a batch, with its part of the arrays of pointers; complex floats go to the functions of their
 * own type. Limits: complex bytes are refused, as an H200 refuses them in rank updates. */
#include "cublas_priv.h"

static bool group_type(cudaDataType type, cublasComputeType_t compute, uint32_t *scalar_bytes)
{
    bool doubles = type == CUDA_R_64F;
    *scalar_bytes = doubles ? sizeof(double) : sizeof(float);
    if (doubles) return compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
    if (compute == CUBLAS_COMPUTE_32F_FAST_TF32) return type == CUDA_R_32F;
    return (compute == CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32F_PEDANTIC) &&
           (type == CUDA_R_32F || type == CUDA_R_16F || type == CUDA_R_16BF);
}

#define GROUPED(I, F)                                                                                        \
    CUBLAS cublasGemmGroupedBatchedEx##F(                                                                    \
        cublasHandle_t handle, const cublasOperation_t trans_a[], const cublasOperation_t trans_b[],         \
        const I m[], const I n[], const I k[], const void *alpha, const void *const a[],                     \
        cudaDataType_t a_type, const I lda[], const void *const b[], cudaDataType_t b_type, const I ldb[],   \
        const void *beta, void *const c[], cudaDataType_t c_type, const I ldc[], I groups, const I sizes[],  \
        cublasComputeType_t compute)                                                                         \
    {                                                                                                        \
        uint32_t bytes;                                                                                      \
        CUBLAS_TRY(cublas_enter(handle));                                                                    \
        if (a_type != b_type || a_type != c_type || !group_type(a_type, compute, &bytes)) {                  \
            routine_refuse("cublasGemmGroupedBatchedEx", "these types of elements");                         \
            return CUBLAS_STATUS_NOT_SUPPORTED;                                                              \
        }                                                                                                    \
        if (groups < 0) return CUBLAS_STATUS_INVALID_VALUE;                                                  \
        bool given = trans_a && trans_b && m && n && k && alpha && lda && ldb && beta && ldc && sizes;       \
        if (groups > 0 && !given) return CUBLAS_STATUS_INVALID_VALUE;                                        \
        for (I i = 0; i < groups; i++)                                                                       \
            if (sizes[i] < 0 || m[i] < 0 || n[i] < 0 || k[i] < 0) return CUBLAS_STATUS_INVALID_VALUE;        \
        for (I i = 0, first = 0; i < groups; first += sizes[i++])                                            \
            CUBLAS_TRY(cublasGemmBatchedEx##F(handle, trans_a[i], trans_b[i], m[i], n[i], k[i],              \
                                              (const char *)alpha + (uint64_t)i * bytes, a + first, a_type,  \
                                              lda[i], b + first, b_type, ldb[i],                             \
                                              (const char *)beta + (uint64_t)i * bytes, c + first, c_type,   \
                                              ldc[i], sizes[i], compute, CUBLAS_GEMM_DEFAULT));              \
        return CUBLAS_STATUS_SUCCESS;                                                                        \
    }                                                                                                        \
    GROUPED_OF(S, float, CUDA_R_32F, CUBLAS_COMPUTE_32F, I, F)                                               \
    GROUPED_OF(D, double, CUDA_R_64F, CUBLAS_COMPUTE_64F, I, F)
#define GROUPED_OF(L, T, type, compute, I, F)                                                                \
    CUBLAS cublas##L##gemmGroupedBatched##F(cublasHandle_t handle, const cublasOperation_t trans_a[],        \
                                            const cublasOperation_t trans_b[], const I m[], const I n[],     \
                                            const I k[], const T alpha[], const T *const a[], const I lda[], \
                                            const T *const b[], const I ldb[], const T beta[], T *const c[], \
                                            const I ldc[], I groups, const I sizes[])                        \
    {                                                                                                        \
        return cublasGemmGroupedBatchedEx##F(                                                                \
            handle, trans_a, trans_b, m, n, k, alpha, (const void *const *)a, type, lda,                     \
            (const void *const *)b, type, ldb, beta, (void *const *)c, type, ldc, groups, sizes, compute);   \
    }
GROUPED(int, )
GROUPED(int64_t, _64)

/* Of complex floats; an operation T counts as C where the result is hermitian, and the other way round. */
static cublasStatus_t complex_floats(const char *name, cudaDataType a, cudaDataType c)
{
    if (a == CUDA_C_32F && c == CUDA_C_32F) return CUBLAS_STATUS_SUCCESS;
    routine_refuse(name, "these types of elements");
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

#define RANK(name, base, real, turned, I, S)                                                                 \
    CUBLAS cublas##name##S(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, I n, I k,  \
                           const real *alpha, const void *a, cudaDataType a_type, I lda, const real *beta,   \
                           void *c, cudaDataType c_type, I ldc)                                              \
    {                                                                                                        \
        CUBLAS_TRY(complex_floats("cublas" #name, a_type, c_type));                                          \
        return cublas##base##_v2##S(handle, uplo, trans == CUBLAS_OP_N ? trans : turned, n, k, alpha, a,     \
                                    lda, beta, c, ldc);                                                      \
    }
#define RANKS(I, S)                                                                                          \
    RANK(CsyrkEx, Csyrk, cuComplex, CUBLAS_OP_T, I, S)                                                       \
    RANK(Csyrk3mEx, Csyrk, cuComplex, CUBLAS_OP_T, I, S)                                                     \
    RANK(CherkEx, Cherk, float, CUBLAS_OP_C, I, S)                                                           \
    RANK(Cherk3mEx, Cherk, float, CUBLAS_OP_C, I, S)                                                         \
    CUBLAS cublasCgemm3mEx##S(cublasHandle_t handle, cublasOperation_t trans_a, cublasOperation_t trans_b,   \
                              I m, I n, I k, const cuComplex *alpha, const void *a, cudaDataType a_type,     \
                              I lda, const void *b, cudaDataType b_type, I ldb, const cuComplex *beta,       \
                              void *c, cudaDataType c_type, I ldc)                                           \
    {                                                                                                        \
        CUBLAS_TRY(complex_floats("cublasCgemm3mEx", a_type, b_type));                                       \
        CUBLAS_TRY(complex_floats("cublasCgemm3mEx", a_type, c_type));                                       \
        return cublasCgemm_v2##S(handle, trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);    \
    }
RANKS(int, )
RANKS(int64_t, _64)
