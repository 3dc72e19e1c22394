/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: functions of vectors whose elements have a type each. Method: types that BLAS has go there; halves
 * and bf16 go through floats, as cuBLAS computes them. Limits: both vectors of one type; rotations of small
 * elements, rotg, rotm and rotmg with types are refused. */
#include "cublas_priv.h"

#include <string.h>

static bool type_of(cudaDataType given, struct cublas_call *x)
{
    x->is_small = given == CUDA_R_16F || given == CUDA_R_16BF;
    x->element = given == CUDA_R_16BF ? BLAS_BF16 : BLAS_F16;
    switch ((int)given) {
    case CUDA_R_16F:
    case CUDA_R_16BF:
    case CUDA_R_32F: x->type = BLAS_S; return true;
    case CUDA_R_64F: x->type = BLAS_D; return true;
    case CUDA_C_32F: x->type = BLAS_C; return true;
    case CUDA_C_64F: x->type = BLAS_Z; return true;
    default: return false;
    }
}

static uint32_t bytes_of(cudaDataType type)
{
    switch ((int)type) {
    case CUDA_R_16F:
    case CUDA_R_16BF: return 2;
    case CUDA_R_64F:
    case CUDA_C_32F: return 8;
    case CUDA_C_64F: return 16;
    default: return 4;
    }
}

/* What is computed in: floats for small elements, else the vectors' own type. */
static bool is_computed_in(const struct cublas_call *x, cudaDataType vectors, cudaDataType execution)
{
    return x->is_small ? execution == CUDA_R_32F : execution == vectors;
}

static cublasStatus_t refuse(const char *name)
{
    routine_refuse(name, "these types of elements");
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

static cublasStatus_t scalar_get(cublasHandle_t handle, const void *given, cudaDataType type,
                                 struct cublas_scalar *out)
{
    return cublas_scalar_get(handle, given, bytes_of(type), out);
}

/* real: the result is one, of complex vectors, too */
static cublasStatus_t result_queue(cublasHandle_t handle, struct cublas_call *x, cudaDataType vectors,
                                   void *result, cudaDataType type, cudaDataType execution, bool real)
{
    bool of_complex = vectors == CUDA_C_32F || vectors == CUDA_C_64F;
    cudaDataType own = real && of_complex ? (vectors == CUDA_C_32F ? CUDA_R_32F : CUDA_R_64F) : vectors;
    x->result_element = type == CUDA_R_32F ? BLAS_F32 : x->element;
    bool small = x->is_small && (type == vectors || type == CUDA_R_32F);
    if (!(x->is_small ? small && execution == CUDA_R_32F
                      : type == own && (execution == own || execution == vectors)))
        return refuse(x->name);
    return cublas_call_result(handle, x, result, bytes_of(type));
}

#define CALL(operation, function)                                                                            \
    struct cublas_call x = {.name = "cublas" function, .op = CUBLAS_##operation, .n = n};                    \
    CUBLAS_TRY(cublas_enter(handle))
#define TWO(a, b) (type_of(a, &x) && (a) == (b))

#define FORMS(I, S)                                                                                          \
    CUBLAS cublasAxpyEx##S(cublasHandle_t handle, I n, const void *alpha, cudaDataType alpha_type,           \
                           const void *a, cudaDataType a_type, I inca, void *c, cudaDataType c_type, I incc, \
                           cudaDataType execution)                                                           \
    {                                                                                                        \
        CALL(AXPY, "AxpyEx");                                                                                \
        if (!TWO(a_type, c_type) || !is_computed_in(&x, a_type, execution) || alpha_type != execution)       \
            return refuse(x.name);                                                                           \
        x.a = a, x.lda = inca, x.c = c, x.ldc = incc;                                                        \
        CUBLAS_TRY(scalar_get(handle, alpha, alpha_type, &x.alpha));                                         \
        return cublas_call_queue(handle, &x);                                                                \
    }                                                                                                        \
    CUBLAS cublasCopyEx##S(cublasHandle_t handle, I n, const void *a, cudaDataType a_type, I inca, void *c,  \
                           cudaDataType c_type, I incc)                                                      \
    {                                                                                                        \
        CALL(COPY, "CopyEx");                                                                                \
        if (!TWO(a_type, c_type)) return refuse(x.name);                                                     \
        x.a = a, x.lda = inca, x.c = c, x.ldc = incc;                                                        \
        return cublas_call_queue(handle, &x);                                                                \
    }                                                                                                        \
    CUBLAS cublasSwapEx##S(cublasHandle_t handle, I n, void *c, cudaDataType c_type, I incc, void *d,        \
                           cudaDataType d_type, I incd)                                                      \
    {                                                                                                        \
        CALL(SWAP, "SwapEx");                                                                                \
        if (!TWO(c_type, d_type)) return refuse(x.name);                                                     \
        x.c = c, x.ldc = incc, x.d = d, x.ldb = incd;                                                        \
        return cublas_call_queue(handle, &x);                                                                \
    }                                                                                                        \
    CUBLAS cublasScalEx##S(cublasHandle_t handle, I n, const void *alpha, cudaDataType alpha_type, void *c,  \
                           cudaDataType c_type, I incc, cudaDataType execution)                              \
    {                                                                                                        \
        CALL(SCAL, "ScalEx");                                                                                \
        if (!TWO(c_type, c_type) || !is_computed_in(&x, c_type, execution) || alpha_type != execution)       \
            return refuse(x.name);                                                                           \
        x.c = c, x.ldc = incc;                                                                               \
        CUBLAS_TRY(scalar_get(handle, alpha, alpha_type, &x.alpha));                                         \
        return cublas_call_queue(handle, &x);                                                                \
    }                                                                                                        \
    CUBLAS cublasDotEx##S(cublasHandle_t handle, I n, const void *a, cudaDataType a_type, I inca,            \
                          const void *b, cudaDataType b_type, I incb, void *result, cudaDataType type,       \
                          cudaDataType execution)                                                            \
    {                                                                                                        \
        CALL(DOT, "DotEx");                                                                                  \
        if (!TWO(a_type, b_type)) return refuse(x.name);                                                     \
        x.a = a, x.lda = inca, x.b = b, x.ldb = incb;                                                        \
        return result_queue(handle, &x, a_type, result, type, execution, false);                             \
    }                                                                                                        \
    CUBLAS cublasDotcEx##S(cublasHandle_t handle, I n, const void *a, cudaDataType a_type, I inca,           \
                           const void *b, cudaDataType b_type, I incb, void *result, cudaDataType type,      \
                           cudaDataType execution)                                                           \
    {                                                                                                        \
        CALL(DOTC, "DotcEx");                                                                                \
        if (!TWO(a_type, b_type)) return refuse(x.name);                                                     \
        x.a = a, x.lda = inca, x.b = b, x.ldb = incb;                                                        \
        return result_queue(handle, &x, a_type, result, type, execution, false);                             \
    }                                                                                                        \
    CUBLAS cublasNrm2Ex##S(cublasHandle_t handle, I n, const void *a, cudaDataType a_type, I inca,           \
                           void *result, cudaDataType type, cudaDataType execution)                          \
    {                                                                                                        \
        CALL(NRM2, "Nrm2Ex");                                                                                \
        if (!TWO(a_type, a_type)) return refuse(x.name);                                                     \
        x.a = a, x.lda = inca;                                                                               \
        return result_queue(handle, &x, a_type, result, type, execution, true);                              \
    }                                                                                                        \
    CUBLAS cublasAsumEx##S(cublasHandle_t handle, I n, const void *a, cudaDataType a_type, I inca,           \
                           void *result, cudaDataType type, cudaDataType execution)                          \
    {                                                                                                        \
        CALL(ASUM, "AsumEx");                                                                                \
        if (!TWO(a_type, a_type) || x.is_small) return refuse(x.name);                                       \
        x.a = a, x.lda = inca;                                                                               \
        return result_queue(handle, &x, a_type, result, type, execution, true);                              \
    }
FORMS(int, )
FORMS(int64_t, _64)

#define INDEX(function, operation)                                                                           \
    CUBLAS cublas##function(cublasHandle_t handle, int n, const void *a, cudaDataType a_type, int inca,      \
                            int *result)                                                                     \
    {                                                                                                        \
        CALL(operation, #function);                                                                          \
        if (!TWO(a_type, a_type)) return refuse(x.name);                                                     \
        x.a = a, x.lda = inca;                                                                               \
        return cublas_call_result(handle, &x, result, sizeof *result);                                       \
    }
INDEX(IamaxEx, AMAX)
INDEX(IaminEx, AMIN)
