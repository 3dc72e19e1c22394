/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: a sparse vector with a dense one: Axpby, Gather, Scatter, Rot, SpVV. Method: indices become
 * numbers from 0 on, and are looked at first. Limits: vectors of sizes above 2^31 - 1 are refused. */
#include "cusparse_priv.h"

#include <stdlib.h>
#include <string.h>

/* ---- jobs: the sparse vector is a list of p[0] (indices) and x (values), number[0] elements, the dense one
 * y */

enum { NNZ, SIZE, WIDE, BASE };

static int32_t *indices_of(const struct cusparse_job *job)
{
    int64_t count = job->number[NNZ];
    int32_t *list = sw_xmalloc((uint64_t)count * sizeof *list + 1);
    for (int64_t i = 0; i < count; i++) {
        int64_t index = sparse_index(job->p[0], job->number[WIDE], i) - job->number[BASE];
        if (index < 0 || index >= job->number[SIZE]) {
            free(list);
            return NULL;
        }
        list[i] = (int32_t)index;
    }
    return list;
}

enum pair_op { AXPBY, GATHER, SCATTER, ROT, DOT };

/* Elements are moved as they are. */
static void move(const struct cusparse_job *job, const int32_t *indices, bool gathers)
{
    uint64_t bytes = sparse_element_bytes(job->x.m.element);
    char *x = job->x.m.values, *y = job->y.m.values;
    for (int64_t i = 0; i < job->number[NNZ]; i++) {
        char *one = x + (uint64_t)i * bytes, *other = y + (uint64_t)indices[i] * bytes;
        memcpy(gathers ? one : other, gathers ? other : one, bytes);
    }
}

static void put_dot(const struct cusparse_job *job, const struct sparse_vector *x, const void *y)
{
    union sparse_scalar result = {{0, 0}};
    void *to = job->result ? job->result : job->p[1];
    sparse_dot(x, y, job->op_a == SPARSE_H, &result);
    sparse_store(job->type, &result, job->alpha.element, to, 1);
}

static int run_pair(const struct cusparse_job *job)
{
    enum pair_op op = (enum pair_op)job->number[4];
    int32_t *indices = indices_of(job);
    struct sparse_dense x, y;
    if (!indices) return cusparse_bad_index(job);
    if (op == GATHER || op == SCATTER) {
        move(job, indices, op == GATHER);
        free(indices);
        return 0;
    }
    union sparse_scalar alpha = cusparse_scalar_value(&job->alpha, job->type);
    union sparse_scalar beta = cusparse_scalar_value(&job->beta, job->type);
    sparse_dense_open(&job->x.m, job->type, &x);
    sparse_dense_open(&job->y.m, job->type, &y);
    struct sparse_vector vector = {job->number[NNZ], indices, x.values, job->type};
    if (op == AXPBY) sparse_axpby(alpha, &vector, beta, y.values, job->number[SIZE]);
    if (op == ROT) sparse_rot(alpha, beta, &vector, y.values);
    if (op == DOT) put_dot(job, &vector, y.values);
    sparse_dense_close(&x, &job->x.m, op == ROT);
    sparse_dense_close(&y, &job->y.m, op == AXPBY || op == ROT);
    free(indices);
    return 0;
}

/* ---- calls */

static cusparseStatus_t pair(struct cusparse_job *job, enum pair_op op, cusparseConstSpVecDescr_t x,
                             int x_use, cusparseConstDnVecDescr_t y, int y_use)
{
    struct cusparseDnVecDescr values = {x->nnz, x->values, x->type};
    if (x->index_type == CUSPARSE_INDEX_16U || x->size > INT32_MAX) {
        routine_refuse(job->name, "indices of 16 bits, or above 2^31 - 1");
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    }
    job->run = run_pair;
    job->kind = EVENT_ROUTINE_SPARSE;
    job->m = 0;
    job->n = 1;
    job->k = (uint64_t)x->nnz;
    job->flops = op == GATHER || op == SCATTER ? 0 : job->k * (op == ROT ? 6 : 2);
    job->number[NNZ] = x->nnz;
    job->number[SIZE] = x->size;
    job->number[WIDE] = x->index_type == CUSPARSE_INDEX_64I;
    job->number[BASE] = x->base;
    job->number[4] = op;
    job->p[0] = x->indices;
    cusparse_shape(job, "n %lld, nnz %lld", (long long)x->size, (long long)x->nnz);
    cusparse_span(job, x->indices, job->number[WIDE] ? 8 : 4, x->nnz, CUSPARSE_READS);
    CUSPARSE_TRY(cusparse_take_vector(job, &values, x_use, &job->x));
    return cusparse_take_vector(job, y, y_use, &job->y);
}

/* Of functions that are not told: numbers of less than 32 bits are computed as floats. */
static cudaDataType own_compute(cudaDataType type)
{
    if (type == CUDA_R_16F || type == CUDA_R_16BF) return CUDA_R_32F;
    return type == CUDA_C_16F || type == CUDA_C_16BF ? CUDA_C_32F : type;
}

static bool is_number(cudaDataType type) /* not an integer */
{
    return type != CUDA_R_8I && type != CUDA_R_32I;
}

CUSPARSE cusparseAxpby(cusparseHandle_t handle, const void *alpha, cusparseConstSpVecDescr_t x,
                       const void *beta, cusparseDnVecDescr_t y)
{
    struct cusparse_job job = {.name = "cusparseAxpby"};
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_REFUSE_IF(!alpha || CUSPARSE_GONE(x) || !beta || CUSPARSE_GONE(y) || x->size != y->size);
    if (x->type != y->type || !is_number(x->type)) return CUSPARSE_STATUS_NOT_SUPPORTED;
    cudaDataType compute = own_compute(x->type);
    job.type = cusparse_compute(compute);
    CUSPARSE_TRY(cusparse_scalar_get(handle, alpha, compute, &job.alpha));
    CUSPARSE_TRY(cusparse_scalar_get(handle, beta, compute, &job.beta));
    CUSPARSE_TRY(pair(&job, AXPBY, x, CUSPARSE_READS, y, CUSPARSE_READS | CUSPARSE_WRITES));
    return cusparse_queue(handle, &job);
}

CUSPARSE cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y, cusparseSpVecDescr_t x)
{
    struct cusparse_job job = {.name = "cusparseGather"};
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(x) || CUSPARSE_GONE(y) || x->size != y->size);
    if (x->type != y->type) return CUSPARSE_STATUS_NOT_SUPPORTED;
    CUSPARSE_TRY(pair(&job, GATHER, x, CUSPARSE_WRITES, y, CUSPARSE_READS));
    return cusparse_queue(handle, &job);
}

CUSPARSE cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x, cusparseDnVecDescr_t y)
{
    struct cusparse_job job = {.name = "cusparseScatter"};
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(x) || CUSPARSE_GONE(y) || x->size != y->size);
    if (x->type != y->type) return CUSPARSE_STATUS_NOT_SUPPORTED;
    CUSPARSE_TRY(pair(&job, SCATTER, x, CUSPARSE_READS, y, CUSPARSE_WRITES));
    return cusparse_queue(handle, &job);
}

CUSPARSE cusparseRot(cusparseHandle_t handle, const void *c, const void *s, cusparseSpVecDescr_t x,
                     cusparseDnVecDescr_t y)
{
    struct cusparse_job job = {.name = "cusparseRot"};
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(c) || !s || CUSPARSE_GONE(x) || CUSPARSE_GONE(y) || x->size != y->size);
    if (x->type != y->type || !is_number(x->type)) return CUSPARSE_STATUS_NOT_SUPPORTED;
    cudaDataType compute = own_compute(x->type);
    job.type = cusparse_compute(compute);
    CUSPARSE_TRY(cusparse_scalar_get(handle, c, compute, &job.alpha));
    CUSPARSE_TRY(cusparse_scalar_get(handle, s, compute, &job.beta));
    CUSPARSE_TRY(pair(&job, ROT, x, CUSPARSE_READS | CUSPARSE_WRITES, y, CUSPARSE_READS | CUSPARSE_WRITES));
    return cusparse_queue(handle, &job);
}

static cusparseStatus_t dot_check(cusparseOperation_t op, cusparseConstSpVecDescr_t x,
                                  cusparseConstDnVecDescr_t y, cudaDataType compute)
{
    enum sparse_op plain;
    CUSPARSE_REFUSE_IF(!cusparse_op(op, &plain) || op == CUSPARSE_OPERATION_TRANSPOSE || CUSPARSE_GONE(x) ||
                       CUSPARSE_GONE(y));
    CUSPARSE_REFUSE_IF(x->size != y->size);
    cudaDataType own = own_compute(x->type);
    bool good = x->type == y->type && (compute == own && own != CUDA_R_8I);
    good |= x->type == CUDA_R_8I && y->type == CUDA_R_8I && (compute == CUDA_R_32I || compute == CUDA_R_32F);
    if (!good) return CUSPARSE_STATUS_NOT_SUPPORTED;
    CUSPARSE_REFUSE_IF(op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE && !cusparse_is_complex(x->type));
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t op, cusparseConstSpVecDescr_t x,
                      cusparseConstDnVecDescr_t y, void *result, cudaDataType compute, void *buffer)
{
    struct cusparse_job job = {.name = "cusparseSpVV", .type = cusparse_compute(compute)};
    (void)buffer;
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_REFUSE_IF(!result);
    CUSPARSE_TRY(dot_check(op, x, y, compute));
    job.op_a = (enum sparse_op)op;
    cusparse_element(compute, &job.alpha.element); /* of the result */
    CUSPARSE_TRY(pair(&job, DOT, x, CUSPARSE_READS, y, CUSPARSE_READS));
    if (handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE) {
        job.p[1] = result;
        cusparse_span(&job, result, sparse_element_bytes(job.alpha.element), 1, CUSPARSE_WRITES);
        return cusparse_queue(handle, &job);
    }
    CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
    job.result = result; /* of a graph: written when it runs */
    CUSPARSE_TRY(cusparse_status(cuStreamIsCapturing(handle->stream, &capture)));
    return capture == CU_STREAM_CAPTURE_STATUS_NONE ? cusparse_queue_and_wait(handle, &job)
                                                    : cusparse_queue(handle, &job);
}

CUSPARSE cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, cusparseConstSpVecDescr_t x,
                                 cusparseConstDnVecDescr_t y, const void *result, cudaDataType compute,
                                 size_t *bytes)
{
    struct sparse_element element;
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_REFUSE_IF(!result || !bytes);
    CUSPARSE_TRY(dot_check(op, x, y, compute));
    cusparse_element(compute, &element);
    *bytes = 2 * sparse_element_bytes(element) - 1; /* recorded on an H200, of reals */
    return CUSPARSE_STATUS_SUCCESS;
}
