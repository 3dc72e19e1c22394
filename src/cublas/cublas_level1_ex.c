/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: functions of vectors whose elements have a type each. Method: types that BLAS has go there; halves
 * and bf16 go through floats, as cuBLAS computes them. Limits: both vectors of one type. */
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

/* ---- rotations: the cosine is real, the sine of the vectors' type or real */

static cublasStatus_t real_get(cublasHandle_t handle, const void *given, cudaDataType type,
                               struct cublas_scalar *out)
{
    cudaDataType real = type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
    return scalar_get(handle, given, real, out);
}

/* Halves and bf16 as floats: the operations expect these. */
static void widen(const struct cublas_call *x, struct cublas_scalar *scalar)
{
    float value;
    if (scalar->device || !x->is_small) return; /* of the device: when the call runs */
    blas_to_floats(x->element, scalar->value, &value, 1);
    memcpy(scalar->value, &value, sizeof value);
    scalar->bytes = sizeof value;
}

static cublasStatus_t rot_queue(cublasHandle_t handle, struct cublas_call *x, cudaDataType vectors,
                                const void *c, const void *s, cudaDataType type, cudaDataType execution)
{
    bool real =
        (vectors == CUDA_C_32F && type == CUDA_R_32F) || (vectors == CUDA_C_64F && type == CUDA_R_64F);
    bool on_device = handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE;
    if ((type != vectors && !real) || !is_computed_in(x, vectors, execution)) return refuse(x->name);
    if (on_device && vectors == CUDA_R_16BF) return refuse(x->name);
    CUBLAS_TRY(real_get(handle, c, type, &x->alpha));
    CUBLAS_TRY(scalar_get(handle, s, type, &x->beta));
    widen(x, &x->alpha);
    widen(x, &x->beta);
    return cublas_call_queue(handle, x);
}

static cublasStatus_t rotm_queue(cublasHandle_t handle, struct cublas_call *x, cudaDataType vectors,
                                 const void *param, cudaDataType type, cudaDataType execution)
{
    bool is_complex = vectors == CUDA_C_32F || vectors == CUDA_C_64F;
    if (type != vectors || is_complex || !is_computed_in(x, vectors, execution)) return refuse(x->name);
    if (!param) return CUBLAS_STATUS_INVALID_VALUE;
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {
        if (x->is_small) return refuse(x->name);
        x->b = param;
        return cublas_call_queue(handle, x);
    }
    for (int i = 0; i < 5; i++) {
        float value;
        if (vectors == CUDA_R_64F) {
            x->param[i] = ((const double *)param)[i];
            continue;
        }
        blas_to_floats(x->is_small ? x->element : BLAS_F32, (const char *)param + i * (int)bytes_of(type),
                       &value, 1);
        x->param[i] = (double)value;
    }
    x->has_param = true;
    return cublas_call_queue(handle, x);
}

#define ROTATIONS(I, S)                                                                                      \
    CUBLAS cublasRotEx##S(cublasHandle_t handle, I n, void *p, cudaDataType p_type, I incp, void *q,         \
                          cudaDataType q_type, I incq, const void *c, const void *s, cudaDataType type,      \
                          cudaDataType execution)                                                            \
    {                                                                                                        \
        CALL(ROT, "RotEx");                                                                                  \
        if (!TWO(p_type, q_type)) return refuse(x.name);                                                     \
        x.c = p, x.ldc = incp, x.d = q, x.ldb = incq;                                                        \
        return rot_queue(handle, &x, p_type, c, s, type, execution);                                         \
    }                                                                                                        \
    CUBLAS cublasRotmEx##S(cublasHandle_t handle, I n, void *p, cudaDataType p_type, I incp, void *q,        \
                           cudaDataType q_type, I incq, const void *param, cudaDataType type,                \
                           cudaDataType execution)                                                           \
    {                                                                                                        \
        CALL(ROTM, "RotmEx");                                                                                \
        if (!TWO(p_type, q_type)) return refuse(x.name);                                                     \
        x.c = p, x.ldc = incp, x.d = q, x.ldb = incq;                                                        \
        return rotm_queue(handle, &x, p_type, param, type, execution);                                       \
    }
ROTATIONS(int, )
ROTATIONS(int64_t, _64)

/* Of reals alone, as an H200 takes them. */
CUBLAS cublasRotgEx(cublasHandle_t handle, void *a, void *b, cudaDataType type, void *c, void *s,
                    cudaDataType c_type, cudaDataType execution)
{
    if (type == c_type && type == execution && type == CUDA_R_32F) return cublasSrotg_v2(handle, a, b, c, s);
    if (type == c_type && type == execution && type == CUDA_R_64F) return cublasDrotg_v2(handle, a, b, c, s);
    return refuse("cublasRotgEx");
}

CUBLAS cublasRotmgEx(cublasHandle_t handle, void *d1, cudaDataType d1_type, void *d2, cudaDataType d2_type,
                     void *x1, cudaDataType x1_type, const void *y1, cudaDataType y1_type, void *param,
                     cudaDataType type, cudaDataType execution)
{
    bool same = d1_type == type && d2_type == type && x1_type == type && y1_type == type && execution == type;
    if (same && type == CUDA_R_32F) return cublasSrotmg_v2(handle, d1, d2, x1, y1, param);
    if (same && type == CUDA_R_64F) return cublasDrotmg_v2(handle, d1, d2, x1, y1, param);
    return refuse("cublasRotmgEx");
}

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

/* The forms with numbers of 64 bits: an index of 32 becomes one of 64, in the memory of the host. */
#define INDEX_64(function, operation)                                                                        \
    CUBLAS cublas##function##_64(cublasHandle_t handle, int64_t n, const void *a, cudaDataType a_type,       \
                                 int64_t inca, int64_t *result)                                              \
    {                                                                                                        \
        int index = 0;                                                                                       \
        CALL(operation, #function "_64");                                                                    \
        if (!TWO(a_type, a_type)) return refuse(x.name);                                                     \
        if (!result) return CUBLAS_STATUS_INVALID_VALUE;                                                     \
        if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {                                            \
            routine_refuse(x.name, "a result in the memory of the device");                                  \
            return CUBLAS_STATUS_NOT_SUPPORTED;                                                              \
        }                                                                                                    \
        x.a = a, x.lda = inca;                                                                               \
        CUBLAS_TRY(cublas_call_result(handle, &x, &index, sizeof index));                                    \
        *result = index;                                                                                     \
        return CUBLAS_STATUS_SUCCESS;                                                                        \
    }
INDEX_64(IamaxEx, AMAX)
INDEX_64(IaminEx, AMIN)
