/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: queues a call as work of the device (routine.h), and reads what all calls are given. Limits:
 * dimensions above 2^31 - 1 are refused. */
#include "cublas_priv.h"

#include <string.h>

cublasStatus_t cublas_scalar_get(cublasHandle_t handle, const void *given, uint32_t bytes,
                                 struct cublas_scalar *out)
{
    if (!given) return CUBLAS_STATUS_INVALID_VALUE;
    *out = (struct cublas_scalar){.bytes = bytes};
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        out->device = given;
    else
        memcpy(out->value, given, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

bool cublas_fits(const struct cublas_call *x)
{
    const int64_t numbers[] = {x->m, x->n, x->k, x->kl, x->ku, x->lda, x->ldb, x->ldc};
    for (size_t i = 0; i < SW_COUNT_OF(numbers); i++)
        if (numbers[i] > INT32_MAX || numbers[i] < INT32_MIN) return false;
    return true;
}

/* Nothing is written: BLAS returns at once. */
static bool is_empty(const struct cublas_work *work)
{
    bool empty = !work->call.host_result;
    for (unsigned i = 0; i < work->count; i++) {
        const struct cublas_operand *o = &work->operands[i];
        empty &= !o->writes || o->rows == 0 || o->columns == 0;
    }
    return empty;
}

cublasStatus_t cublas_call_queue(cublasHandle_t handle, const struct cublas_call *call)
{
    struct cublas_work args;
    CUBLAS_TRY(cublas_work_of(call, &args));
    if (!cublas_fits(call)) {
        routine_refuse(call->name, "a dimension above 2^31 - 1");
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    if (call->batch == 0 && call->arrays) return CUBLAS_STATUS_SUCCESS;
    if (is_empty(&args)) return CUBLAS_STATUS_SUCCESS;
    struct event_routine_work work = {.what.name = call->name,
                                      .describe = cublas_describe,
                                      .run = cublas_run,
                                      .brief = cublas_is_brief(call),
                                      .range = cublas_range,
                                      .cover = call->batch ? cublas_cover : NULL,
                                      .args = &args,
                                      .arg_bytes = sizeof args};
    return cublas_status(routine_submit("libcublas", handle->stream, &work));
}

cublasStatus_t cublas_call_result(cublasHandle_t handle, struct cublas_call *call, void *result,
                                  uint32_t bytes)
{
    CUBLAS_TRY(cublas_enter(handle));
    if (!result) return CUBLAS_STATUS_INVALID_VALUE;
    call->d = result;
    if (call->n <= 0) { /* there is a result of nothing */
        if (handle->pointer_mode == CUBLAS_POINTER_MODE_HOST)
            memset(result, 0, bytes);
        else
            return cublas_status(cuMemsetD8Async((CUdeviceptr)(uintptr_t)result, 0, bytes, handle->stream));
        return CUBLAS_STATUS_SUCCESS;
    }
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) return cublas_call_queue(handle, call);
    call->host_result = true;
    CUBLAS_TRY(cublas_call_queue(handle, call));
    return cublas_status(cuStreamSynchronize(handle->stream));
}

bool cublas_trans(cublasOperation_t given, enum blas_op *out)
{
    *out = given == CUBLAS_OP_N ? BLAS_N : given == CUBLAS_OP_T ? BLAS_T : BLAS_H;
    return given == CUBLAS_OP_N || given == CUBLAS_OP_T || given == CUBLAS_OP_C;
}

bool cublas_uplo(cublasFillMode_t given, enum blas_uplo *out)
{
    *out = given == CUBLAS_FILL_MODE_LOWER ? BLAS_LOWER : BLAS_UPPER;
    return given == CUBLAS_FILL_MODE_LOWER || given == CUBLAS_FILL_MODE_UPPER;
}

bool cublas_side(cublasSideMode_t given, enum blas_side *out)
{
    *out = given == CUBLAS_SIDE_LEFT ? BLAS_LEFT : BLAS_RIGHT;
    return given == CUBLAS_SIDE_LEFT || given == CUBLAS_SIDE_RIGHT;
}

bool cublas_diag(cublasDiagType_t given, enum blas_diag *out)
{
    *out = given == CUBLAS_DIAG_UNIT ? BLAS_UNIT : BLAS_NON_UNIT;
    return given == CUBLAS_DIAG_UNIT || given == CUBLAS_DIAG_NON_UNIT;
}

enum event_routine_math cublas_math_of(cublasHandle_t handle, enum blas_type type)
{
    if (type == BLAS_D || type == BLAS_Z) return EVENT_MATH_F64;
    unsigned mode = (unsigned)handle->math & ~(unsigned)CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
    return mode == CUBLAS_TF32_TENSOR_OP_MATH ? EVENT_MATH_TF32 : EVENT_MATH_F32;
}
