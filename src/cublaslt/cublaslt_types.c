/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: which types of elements, sums and scalars products have. Method: the rows of the documentation's
 * table of cublasLtMatmul, with what an H200 was recorded to take besides, and the statuses with which it
 * refuses. Limits: other GPUs take fewer (no 8-bit floats below 8.9) or more (4-bit floats from 10.0). */
#include "cublaslt_priv.h"

static bool is_half(uint32_t type)
{
    return type == CUDA_R_16F || type == CUDA_R_16BF;
}

/* Sums in floats, or less exact ones for floats. */
static bool sums_floats(int32_t compute)
{
    return compute == CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32F_PEDANTIC ||
           compute == CUBLAS_COMPUTE_32F_FAST_16F || compute == CUBLAS_COMPUTE_32F_FAST_16BF ||
           compute == CUBLAS_COMPUTE_32F_FAST_TF32 || compute == CUBLAS_COMPUTE_32F_EMULATED_16BFX9;
}

/* Scalars that go with these sums at all. */
static bool scale_fits(const struct lt_types *x)
{
    switch (x->compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC: return x->scale == CUDA_R_16F;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT: return x->scale == CUDA_R_64F || x->scale == CUDA_C_64F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
        return x->scale == CUDA_R_32I || (x->scale == CUDA_R_32F && x->d != CUDA_R_32I);
    default: return sums_floats(x->compute) && (x->scale == CUDA_R_32F || x->scale == CUDA_C_32F);
    }
}

static bool fp8_is_valid(const struct lt_types *x)
{
    if (x->a == CUDA_R_8F_E5M2 && x->b == CUDA_R_8F_E5M2) return false;
    if (x->scale != CUDA_R_32F || x->compute != CUBLAS_COMPUTE_32F) return false;
    if (!lt_is_fp8(x->d)) return x->c == x->d && (x->d == CUDA_R_32F || is_half(x->d));
    return is_half(x->c) && (x->d == CUDA_R_8F_E4M3 || x->a == CUDA_R_8F_E5M2 || x->b == CUDA_R_8F_E5M2);
}

/* Types a = b and c = d. */
static bool floats_are_valid(const struct lt_types *x)
{
    if (x->scale == CUDA_C_32F)
        return (x->a == CUDA_C_32F || x->a == CUDA_C_8I || x->a == CUDA_C_16F || x->a == CUDA_C_16BF) &&
               (x->d == CUDA_C_32F || (x->d == x->a && x->d != CUDA_C_8I));
    if (x->a == CUDA_R_32F) return x->d == x->a;
    if (is_half(x->a)) return x->d == x->a || x->d == CUDA_R_32F;
    return x->a == CUDA_R_8I && x->d == CUDA_R_32F;
}

static bool are_valid(const struct lt_types *x)
{
    switch (x->compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC: return x->a == CUDA_R_16F && x->d == CUDA_R_16F;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT: return x->a == x->d && x->scale == (int32_t)x->a;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
        return x->a == CUDA_R_8I && x->d == (x->scale == CUDA_R_32I ? CUDA_R_32I : CUDA_R_8I);
    default: return floats_are_valid(x);
    }
}

cublasStatus_t lt_types_check(const struct lt_types *x)
{
    if (!scale_fits(x)) return CUBLAS_STATUS_INVALID_VALUE;
    if (lt_is_fp8(x->a) && lt_is_fp8(x->b))
        return fp8_is_valid(x) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
    if (x->a != x->b || x->c != x->d) return CUBLAS_STATUS_INVALID_VALUE;
    return are_valid(x) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

enum event_routine_math lt_math_of(const struct lt_types *x)
{
    if (x->a == CUDA_R_64F || x->a == CUDA_C_64F) return EVENT_MATH_F64;
    if (lt_is_fp8(x->a)) return EVENT_MATH_F8;
    if (x->a == CUDA_R_8I || x->a == CUDA_C_8I) return EVENT_MATH_I8;
    if (is_half(x->a) || x->a == CUDA_C_16F || x->a == CUDA_C_16BF ||
        x->compute == CUBLAS_COMPUTE_32F_FAST_16F || x->compute == CUBLAS_COMPUTE_32F_FAST_16BF)
        return EVENT_MATH_F16;
    return x->compute == CUBLAS_COMPUTE_32F_FAST_TF32 ? EVENT_MATH_TF32 : EVENT_MATH_F32;
}
