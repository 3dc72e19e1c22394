/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: describes a call's operands, checks its numbers, and queues it as work of the device (routine.h).
 * Limits: dimensions above 2^31 - 1 are refused, since LAPACK counts with int. */
#include "cusolver_priv.h"

#include <string.h>

static int64_t at_least(int64_t a, int64_t least)
{
    return a > least ? a : least;
}

static void put(struct cusolver_call *call, enum cusolver_slot slot, const void *at, int64_t rows,
                int64_t columns, int64_t ld, uint32_t bytes, enum cusolver_use use)
{
    call->o[slot] = (struct cusolver_operand){.at = at,
                                              .rows = rows,
                                              .columns = columns,
                                              .ld = ld,
                                              .stride = rows == 0 || columns == 0 ? 0 : ld * columns,
                                              .bytes = bytes,
                                              .reads = use & CUSOLVER_READ,
                                              .writes = use & CUSOLVER_WRITE};
}

void cusolver_matrix(struct cusolver_call *call, enum cusolver_slot slot, const void *at, int64_t rows,
                     int64_t columns, int64_t ld, enum cusolver_use use)
{
    put(call, slot, at, rows, columns, ld, blas_bytes(call->type), use);
}

void cusolver_vector(struct cusolver_call *call, enum cusolver_slot slot, const void *at, int64_t count,
                     enum cusolver_use use)
{
    put(call, slot, at, at_least(count, 0), 1, at_least(count, 1), blas_bytes(call->type), use);
}

void cusolver_real(struct cusolver_call *call, enum cusolver_slot slot, const void *at, int64_t count,
                   enum cusolver_use use)
{
    put(call, slot, at, at_least(count, 0), 1, at_least(count, 1), blas_bytes(blas_real(call->type)), use);
}

void cusolver_pivots(struct cusolver_call *call, const void *at, int64_t count, enum cusolver_use use)
{
    if (!at) return; /* without pivots */
    put(call, CUSOLVER_PIVOTS, at, at_least(count, 0), 1, at_least(count, 1), call->wide_pivots ? 8 : 4, use);
}

/* ---- checks */

static cusolverStatus_t check(const struct cusolver_call *x)
{
    const int64_t numbers[] = {x->m, x->n, x->k, x->batch};
    bool fits = true;
    for (size_t i = 0; i < SW_COUNT_OF(numbers); i++) {
        CUSOLVER_VALID(numbers[i] >= 0);
        fits &= numbers[i] <= INT32_MAX;
    }
    for (unsigned i = 0; i < CUSOLVER_SLOTS; i++) {
        const struct cusolver_operand *o = &x->o[i];
        if (!o->bytes) continue;
        CUSOLVER_VALID(o->rows >= 0 && o->columns >= 0 && o->ld >= at_least(o->rows, 1));
        CUSOLVER_VALID(o->at || o->rows == 0 || o->columns == 0);
        fits &= o->ld <= INT32_MAX;
    }
    if (fits) return CUSOLVER_STATUS_SUCCESS;
    routine_refuse(x->name, "a dimension above 2^31 - 1");
    return CUSOLVER_STATUS_NOT_SUPPORTED;
}

bool cusolver_uplo(cublasFillMode_t given, char *out)
{
    *out = given == CUBLAS_FILL_MODE_LOWER ? 'L' : 'U';
    return given == CUBLAS_FILL_MODE_LOWER || given == CUBLAS_FILL_MODE_UPPER;
}

bool cusolver_trans(cublasOperation_t given, char *out)
{
    *out = given == CUBLAS_OP_N ? 'N' : given == CUBLAS_OP_T ? 'T' : 'C';
    return given == CUBLAS_OP_N || given == CUBLAS_OP_T || given == CUBLAS_OP_C;
}

bool cusolver_side(cublasSideMode_t given, char *out)
{
    *out = given == CUBLAS_SIDE_LEFT ? 'L' : 'R';
    return given == CUBLAS_SIDE_LEFT || given == CUBLAS_SIDE_RIGHT;
}

bool cusolver_job(cusolverEigMode_t given, char *out)
{
    *out = given == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
    return given == CUSOLVER_EIG_MODE_VECTOR || given == CUSOLVER_EIG_MODE_NOVECTOR;
}

bool cusolver_of_type(cudaDataType given, enum blas_type *out)
{
    *out = given == CUDA_R_32F   ? BLAS_S
           : given == CUDA_R_64F ? BLAS_D
           : given == CUDA_C_32F ? BLAS_C
                                 : BLAS_Z;
    return given == CUDA_R_32F || given == CUDA_R_64F || given == CUDA_C_32F || given == CUDA_C_64F;
}

/* ---- room for work, of which nothing is used: the host has its own */

enum { ROOM = 256 }; /* implementation: elements, for programs that take none for a failure */

cusolverStatus_t cusolver_room(cusolverDnHandle_t handle, const struct cusolver_call *call, int *elements)
{
    CUSOLVER_ENTER();
    CUSOLVER_VALID(elements);
    CUSOLVER_TRY(check(call));
    *elements = ROOM;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolver_room_wide(cusolverDnHandle_t handle, const struct cusolver_call *call,
                                    size_t *device_bytes, size_t *host_bytes)
{
    int elements;
    CUSOLVER_VALID(device_bytes && host_bytes);
    CUSOLVER_TRY(cusolver_room(handle, call, &elements));
    *device_bytes = (size_t)elements * blas_bytes(call->type);
    *host_bytes = 0;
    return CUSOLVER_STATUS_SUCCESS;
}

/* ---- queueing */

static bool is_empty(const struct cusolver_call *x)
{
    for (unsigned i = 0; i < CUSOLVER_INFO; i++)
        if (x->o[i].writes && x->o[i].rows && x->o[i].columns) return false;
    return true;
}

cusolverStatus_t cusolver_queue(cusolverDnHandle_t handle, struct cusolver_call *call, int *info)
{
    if (call->n < 0 && info && call->op <= CUSOLVER_POTRS) /* recorded: the second parameter cannot be */
        cuMemsetD32Async((CUdeviceptr)(uintptr_t)info, (unsigned)-2, 1, handle->stream);
    CUSOLVER_TRY(check(call));
    if (info) put(call, CUSOLVER_INFO, info, 1, 1, 1, sizeof *info, CUSOLVER_WRITE);
    if (call->one_info) call->o[CUSOLVER_INFO].stride = 0;
    if (is_empty(call) && !info) return CUSOLVER_STATUS_SUCCESS;
    struct event_routine_work work = {.what.name = call->name,
                                      .describe = cusolver_describe,
                                      .run = cusolver_run,
                                      .brief = cusolver_is_brief(call),
                                      .range = cusolver_range,
                                      .args = call,
                                      .arg_bytes = sizeof *call};
    CUSOLVER_TRY(cusolver_status(routine_submit("libcusolver", handle->stream, &work)));
    if (!call->host_count && !call->host_count_wide && !call->host_residual) return CUSOLVER_STATUS_SUCCESS;
    return cusolver_status(cuStreamSynchronize(handle->stream));
}
