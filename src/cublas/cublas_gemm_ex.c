/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: products of matrices whose elements have a type each. Method: the types that cuBLAS documents for
 * a compute type are checked; equal real types go to BLAS, the others through floats (blas_convert.c).
 * Limits: an algorithm is accepted and not used; complex halves and bytes are refused, as are 8-bit floats,
 * which only cublasLt takes. */
#include "cublas_priv.h"

#include <string.h>

struct types {
    cudaDataType a, b, c;
    cublasComputeType_t compute;
    cudaDataType scale; /* of alpha and beta */
};

static bool is_compute(const struct types *t, cublasComputeType_t plain, cublasComputeType_t pedantic)
{
    return t->compute == plain || t->compute == pedantic;
}

static bool is_fast(cublasComputeType_t compute)
{
    return compute == CUBLAS_COMPUTE_32F_FAST_16F || compute == CUBLAS_COMPUTE_32F_FAST_16BF ||
           compute == CUBLAS_COMPUTE_32F_FAST_TF32 || compute == CUBLAS_COMPUTE_32F_EMULATED_16BFX9;
}

/* The rows of cuBLAS' table of types; false: it has none such. */
static bool types_are_valid(const struct types *t)
{
    bool same = t->a == t->b;
    switch ((int)t->compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC: return same && t->a == CUDA_R_16F && t->c == CUDA_R_16F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC: return same && t->a == CUDA_R_8I && t->c == CUDA_R_32I;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
        return same && t->c == t->a && (t->a == CUDA_R_64F || t->a == CUDA_C_64F);
    default: break;
    }
    if (!is_compute(t, CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_32F_PEDANTIC) && !is_fast(t->compute)) return false;
    if (!same) return false;
    if (t->a == CUDA_R_32F || t->a == CUDA_C_32F) return t->c == t->a;
    if (is_fast(t->compute)) return false;
    bool small = t->a == CUDA_R_16F || t->a == CUDA_R_16BF;
    return (small && (t->c == t->a || t->c == CUDA_R_32F)) || (t->a == CUDA_R_8I && t->c == CUDA_R_32F);
}

static bool element_of(cudaDataType type, enum blas_element *out)
{
    switch ((int)type) {
    case CUDA_R_32F: *out = BLAS_F32; return true;
    case CUDA_R_16F: *out = BLAS_F16; return true;
    case CUDA_R_16BF: *out = BLAS_BF16; return true;
    case CUDA_R_8I: *out = BLAS_I8; return true;
    case CUDA_R_32I: *out = BLAS_I32; return true;
    default: return false;
    }
}

/* BLAS' own type, where all elements have it. */
static bool plain_type(const struct types *t, enum blas_type *out)
{
    if (t->a != t->b || t->a != t->c) return false;
    switch ((int)t->a) {
    case CUDA_R_32F: *out = BLAS_S; return true;
    case CUDA_R_64F: *out = BLAS_D; return true;
    case CUDA_C_32F: *out = BLAS_C; return true;
    case CUDA_C_64F: *out = BLAS_Z; return true;
    default: return false;
    }
}

static enum event_routine_math math_of(const struct types *t, cublasHandle_t handle)
{
    if (t->a == CUDA_R_64F || t->a == CUDA_C_64F) return EVENT_MATH_F64;
    if (t->a == CUDA_R_16F || t->a == CUDA_R_16BF) return EVENT_MATH_F16;
    if (t->a == CUDA_R_8I) return EVENT_MATH_I8;
    if (t->compute == CUBLAS_COMPUTE_32F_FAST_16F || t->compute == CUBLAS_COMPUTE_32F_FAST_16BF)
        return EVENT_MATH_F16;
    return t->compute == CUBLAS_COMPUTE_32F_FAST_TF32 ? EVENT_MATH_TF32 : cublas_math_of(handle, BLAS_S);
}

/* alpha and beta of halves become floats: those of the host's memory here, those of the device when the call
 * runs. */
static cublasStatus_t scalar_get(cublasHandle_t handle, const void *given, const struct types *t,
                                 struct cublas_scalar *out)
{
    if (t->scale != CUDA_R_16F) {
        uint32_t bytes = t->scale == CUDA_R_64F || t->scale == CUDA_C_32F ? 8
                         : t->scale == CUDA_C_64F                         ? 16
                                                                          : 4;
        return cublas_scalar_get(handle, given, bytes, out);
    }
    if (!given) return CUBLAS_STATUS_INVALID_VALUE;
    *out = (struct cublas_scalar){.bytes = sizeof(float)};
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {
        out->device = given;
        out->bytes = sizeof(uint16_t);
        return CUBLAS_STATUS_SUCCESS;
    }
    float value;
    blas_to_floats(BLAS_F16, given, &value, 1);
    memcpy(out->value, &value, sizeof value);
    return CUBLAS_STATUS_SUCCESS;
}

static cudaDataType scale_of(cublasComputeType_t compute, cudaDataType a)
{
    if (compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC) return CUDA_R_16F;
    if (compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC) return CUDA_R_32I;
    return a == CUDA_C_32F || a == CUDA_C_64F || a == CUDA_R_64F ? a : CUDA_R_32F;
}

/* What is common to the forms: a call with everything but pointers. */
struct product {
    const char *name;
    cublasOperation_t trans_a, trans_b;
    int64_t m, n, k, lda, ldb, ldc, count;
    long long stride_a, stride_b, stride_c;
    const void *alpha, *beta, *a, *b;
    void *c;
    bool arrays, batched;
};

static cublasStatus_t product_queue(cublasHandle_t handle, const struct product *p, struct types t)
{
    struct cublas_call x = {.name = p->name,
                            .op = CUBLAS_GEMM,
                            .m = p->m,
                            .n = p->n,
                            .k = p->k,
                            .lda = p->lda,
                            .ldb = p->ldb,
                            .ldc = p->ldc,
                            .a = p->a,
                            .b = p->b,
                            .c = p->c,
                            .arrays = p->arrays,
                            .batch = p->batched ? p->count : 0,
                            .stride_a = p->stride_a,
                            .stride_b = p->stride_b,
                            .stride_c = p->stride_c,
                            .has_math = true};
    CUBLAS_TRY(cublas_enter(handle));
    if (!cublas_trans(p->trans_a, &x.trans_a) || !cublas_trans(p->trans_b, &x.trans_b))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (p->batched && p->count <= 0) return p->count ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
    t.scale = scale_of(t.compute, t.a);
    if (!types_are_valid(&t)) {
        routine_refuse(p->name, "these types of elements with this compute type");
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    x.math = math_of(&t, handle);
    if (!plain_type(&t, &x.type)) {
        x.op = CUBLAS_GEMM_MIXED;
        element_of(t.a, &x.a_element);
        element_of(t.b, &x.b_element);
        element_of(t.c, &x.c_element);
    }
    CUBLAS_TRY(scalar_get(handle, p->alpha, &t, &x.alpha));
    CUBLAS_TRY(scalar_get(handle, p->beta, &t, &x.beta));
    return cublas_call_queue(handle, &x);
}

/* ---- types in parameters */

#define FORMS(I, S)                                                                                          \
    CUBLAS cublasGemmEx##S(cublasHandle_t handle, cublasOperation_t trans_a, cublasOperation_t trans_b, I m, \
                           I n, I k, const void *alpha, const void *a, cudaDataType a_type, I lda,           \
                           const void *b, cudaDataType b_type, I ldb, const void *beta, void *c,             \
                           cudaDataType c_type, I ldc, cublasComputeType_t compute, cublasGemmAlgo_t algo)   \
    {                                                                                                        \
        struct product p = {.name = "cublasGemmEx",                                                          \
                            .trans_a = trans_a,                                                              \
                            .trans_b = trans_b,                                                              \
                            .m = m,                                                                          \
                            .n = n,                                                                          \
                            .k = k,                                                                          \
                            .lda = lda,                                                                      \
                            .ldb = ldb,                                                                      \
                            .ldc = ldc,                                                                      \
                            .alpha = alpha,                                                                  \
                            .beta = beta,                                                                    \
                            .a = a,                                                                          \
                            .b = b,                                                                          \
                            .c = c};                                                                         \
        (void)algo;                                                                                          \
        return product_queue(handle, &p, (struct types){a_type, b_type, c_type, compute, CUDA_R_32F});       \
    }                                                                                                        \
    CUBLAS cublasGemmBatchedEx##S(                                                                           \
        cublasHandle_t handle, cublasOperation_t trans_a, cublasOperation_t trans_b, I m, I n, I k,          \
        const void *alpha, const void *const a[], cudaDataType a_type, I lda, const void *const b[],         \
        cudaDataType b_type, I ldb, const void *beta, void *const c[], cudaDataType c_type, I ldc, I count,  \
        cublasComputeType_t compute, cublasGemmAlgo_t algo)                                                  \
    {                                                                                                        \
        struct product p = {.name = "cublasGemmBatchedEx",                                                   \
                            .trans_a = trans_a,                                                              \
                            .trans_b = trans_b,                                                              \
                            .m = m,                                                                          \
                            .n = n,                                                                          \
                            .k = k,                                                                          \
                            .lda = lda,                                                                      \
                            .ldb = ldb,                                                                      \
                            .ldc = ldc,                                                                      \
                            .alpha = alpha,                                                                  \
                            .beta = beta,                                                                    \
                            .a = a,                                                                          \
                            .b = b,                                                                          \
                            .c = (void *)(uintptr_t)c,                                                       \
                            .arrays = true,                                                                  \
                            .batched = true,                                                                 \
                            .count = count};                                                                 \
        (void)algo;                                                                                          \
        return product_queue(handle, &p, (struct types){a_type, b_type, c_type, compute, CUDA_R_32F});       \
    }                                                                                                        \
    CUBLAS cublasGemmStridedBatchedEx##S(                                                                    \
        cublasHandle_t handle, cublasOperation_t trans_a, cublasOperation_t trans_b, I m, I n, I k,          \
        const void *alpha, const void *a, cudaDataType a_type, I lda, long long stride_a, const void *b,     \
        cudaDataType b_type, I ldb, long long stride_b, const void *beta, void *c, cudaDataType c_type,      \
        I ldc, long long stride_c, I count, cublasComputeType_t compute, cublasGemmAlgo_t algo)              \
    {                                                                                                        \
        struct product p = {.name = "cublasGemmStridedBatchedEx",                                            \
                            .trans_a = trans_a,                                                              \
                            .trans_b = trans_b,                                                              \
                            .m = m,                                                                          \
                            .n = n,                                                                          \
                            .k = k,                                                                          \
                            .lda = lda,                                                                      \
                            .ldb = ldb,                                                                      \
                            .ldc = ldc,                                                                      \
                            .alpha = alpha,                                                                  \
                            .beta = beta,                                                                    \
                            .a = a,                                                                          \
                            .b = b,                                                                          \
                            .c = c,                                                                          \
                            .stride_a = stride_a,                                                            \
                            .stride_b = stride_b,                                                            \
                            .stride_c = stride_c,                                                            \
                            .batched = true,                                                                 \
                            .count = count};                                                                 \
        (void)algo;                                                                                          \
        return product_queue(handle, &p, (struct types){a_type, b_type, c_type, compute, CUDA_R_32F});       \
    }                                                                                                        \
    CUBLAS cublasSgemmEx##S(cublasHandle_t handle, cublasOperation_t trans_a, cublasOperation_t trans_b,     \
                            I m, I n, I k, const float *alpha, const void *a, cudaDataType a_type, I lda,    \
                            const void *b, cudaDataType b_type, I ldb, const float *beta, void *c,           \
                            cudaDataType c_type, I ldc)                                                      \
    {                                                                                                        \
        struct product p = {.name = "cublasSgemmEx",                                                         \
                            .trans_a = trans_a,                                                              \
                            .trans_b = trans_b,                                                              \
                            .m = m,                                                                          \
                            .n = n,                                                                          \
                            .k = k,                                                                          \
                            .lda = lda,                                                                      \
                            .ldb = ldb,                                                                      \
                            .ldc = ldc,                                                                      \
                            .alpha = alpha,                                                                  \
                            .beta = beta,                                                                    \
                            .a = a,                                                                          \
                            .b = b,                                                                          \
                            .c = c};                                                                         \
        return product_queue(handle, &p,                                                                     \
                             (struct types){a_type, b_type, c_type, CUBLAS_COMPUTE_32F, CUDA_R_32F});        \
    }                                                                                                        \
    CUBLAS cublasCgemmEx##S(cublasHandle_t handle, cublasOperation_t trans_a, cublasOperation_t trans_b,     \
                            I m, I n, I k, const cuComplex *alpha, const void *a, cudaDataType a_type,       \
                            I lda, const void *b, cudaDataType b_type, I ldb, const cuComplex *beta,         \
                            void *c, cudaDataType c_type, I ldc)                                             \
    {                                                                                                        \
        struct product p = {.name = "cublasCgemmEx",                                                         \
                            .trans_a = trans_a,                                                              \
                            .trans_b = trans_b,                                                              \
                            .m = m,                                                                          \
                            .n = n,                                                                          \
                            .k = k,                                                                          \
                            .lda = lda,                                                                      \
                            .ldb = ldb,                                                                      \
                            .ldc = ldc,                                                                      \
                            .alpha = alpha,                                                                  \
                            .beta = beta,                                                                    \
                            .a = a,                                                                          \
                            .b = b,                                                                          \
                            .c = c};                                                                         \
        return product_queue(handle, &p,                                                                     \
                             (struct types){a_type, b_type, c_type, CUBLAS_COMPUTE_32F, CUDA_C_32F});        \
    }
FORMS(int, )
FORMS(int64_t, _64)

/* ---- halves */

static const struct types HALVES = {CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, CUDA_R_16F};

#define HALF_FORMS(I, S)                                                                                     \
    CUBLAS cublasHgemm##S(cublasHandle_t handle, cublasOperation_t trans_a, cublasOperation_t trans_b, I m,  \
                          I n, I k, const __half *alpha, const __half *a, I lda, const __half *b, I ldb,     \
                          const __half *beta, __half *c, I ldc)                                              \
    {                                                                                                        \
        struct product p = {.name = "cublasHgemm",                                                           \
                            .trans_a = trans_a,                                                              \
                            .trans_b = trans_b,                                                              \
                            .m = m,                                                                          \
                            .n = n,                                                                          \
                            .k = k,                                                                          \
                            .lda = lda,                                                                      \
                            .ldb = ldb,                                                                      \
                            .ldc = ldc,                                                                      \
                            .alpha = alpha,                                                                  \
                            .beta = beta,                                                                    \
                            .a = a,                                                                          \
                            .b = b,                                                                          \
                            .c = c};                                                                         \
        return product_queue(handle, &p, HALVES);                                                            \
    }                                                                                                        \
    CUBLAS cublasHgemmStridedBatched##S(                                                                     \
        cublasHandle_t handle, cublasOperation_t trans_a, cublasOperation_t trans_b, I m, I n, I k,          \
        const __half *alpha, const __half *a, I lda, long long stride_a, const __half *b, I ldb,             \
        long long stride_b, const __half *beta, __half *c, I ldc, long long stride_c, I count)               \
    {                                                                                                        \
        struct product p = {.name = "cublasHgemmStridedBatched",                                             \
                            .trans_a = trans_a,                                                              \
                            .trans_b = trans_b,                                                              \
                            .m = m,                                                                          \
                            .n = n,                                                                          \
                            .k = k,                                                                          \
                            .lda = lda,                                                                      \
                            .ldb = ldb,                                                                      \
                            .ldc = ldc,                                                                      \
                            .alpha = alpha,                                                                  \
                            .beta = beta,                                                                    \
                            .a = a,                                                                          \
                            .b = b,                                                                          \
                            .c = c,                                                                          \
                            .stride_a = stride_a,                                                            \
                            .stride_b = stride_b,                                                            \
                            .stride_c = stride_c,                                                            \
                            .batched = true,                                                                 \
                            .count = count};                                                                 \
        return product_queue(handle, &p, HALVES);                                                            \
    }                                                                                                        \
    CUBLAS cublasHgemmBatched##S(cublasHandle_t handle, cublasOperation_t trans_a,                           \
                                 cublasOperation_t trans_b, I m, I n, I k, const __half *alpha,              \
                                 const __half *const a[], I lda, const __half *const b[], I ldb,             \
                                 const __half *beta, __half *const c[], I ldc, I count)                      \
    {                                                                                                        \
        struct product p = {.name = "cublasHgemmBatched",                                                    \
                            .trans_a = trans_a,                                                              \
                            .trans_b = trans_b,                                                              \
                            .m = m,                                                                          \
                            .n = n,                                                                          \
                            .k = k,                                                                          \
                            .lda = lda,                                                                      \
                            .ldb = ldb,                                                                      \
                            .ldc = ldc,                                                                      \
                            .alpha = alpha,                                                                  \
                            .beta = beta,                                                                    \
                            .a = a,                                                                          \
                            .b = b,                                                                          \
                            .c = (void *)(uintptr_t)c,                                                       \
                            .arrays = true,                                                                  \
                            .batched = true,                                                                 \
                            .count = count};                                                                 \
        return product_queue(handle, &p, HALVES);                                                            \
    }
HALF_FORMS(int, )
HALF_FORMS(int64_t, _64)
