/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: SpSV and SpSM. Method: the analysis notes what it was made for; solves read the matrix as it is
 * then, but for values that an update brought, which the descriptor keeps. Limits: buffers are asked for and
 * not used; the matrix of a solve is the one that it is given. */
#include "cusparse_priv.h"

#include <stdlib.h>
#include <string.h>

static bool is_solved_type(cudaDataType type)
{
    return type == CUDA_R_32F || type == CUDA_R_64F || type == CUDA_C_32F || type == CUDA_C_64F;
}

/* ---- computing */

/* Numbers of updates in the place of the matrix' own. */
static void use_updates(const struct cusparse_job *job, struct sparse_matrix *m)
{
    if (job->state->values && m->nnz == job->state->count) m->values = job->state->values;
}

static int run_solve(const struct cusparse_job *job)
{
    struct sparse_matrix m = job->a.m;
    struct sparse_triangle triangle = job->triangle;
    union sparse_scalar alpha = cusparse_scalar_value(&job->alpha, job->type);
    struct sparse_csr a;
    use_updates(job, &m);
    bool good = sparse_csr_of(&m, job->type, job->op_a, &a);
    if (good) {
        struct sparse_dense given, x, c;
        if (job->op_a != SPARSE_N) triangle.upper = !triangle.upper;
        triangle.diagonal = job->state->diagonal;
        sparse_dense_rows(&job->x.m, job->type, job->op_b, &given);
        sparse_dense_new(given.rows, given.cols, job->type, &x);
        sparse_dense_copy(&given, &x);
        sparse_solve(&a, &triangle, alpha, &x);
        sparse_dense_close(&given, &job->x.m, false);
        sparse_dense_open(&job->y.m, job->type, &c);
        sparse_dense_copy(&x, &c);
        sparse_dense_close(&c, &job->y.m, true);
        free(x.values);
    }
    sparse_csr_release(&a);
    return good ? 0 : cusparse_bad_index(job);
}

/* p[0]: the new values; number[0]: so many; number[1]: of the diagonal alone */
static int run_update(const struct cusparse_job *job)
{
    struct cusparse_state *state = job->state;
    void **kept = job->number[1] ? &state->diagonal : &state->values;
    uint64_t bytes = (uint64_t)job->number[0] * sparse_bytes(state->type);
    free(*kept);
    *kept = sw_xmalloc(bytes + 1);
    memcpy(*kept, job->p[0], bytes);
    if (!job->number[1]) {
        free(state->diagonal);
        state->diagonal = NULL;
    }
    return 0;
}

static cusparseStatus_t update(cusparseHandle_t handle, const char *name, struct cusparse_state *state,
                               void *values, int part)
{
    struct cusparse_job job = {.name = name, .run = run_update, .state = state};
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(state) || !values || part < 0 || part > CUSPARSE_SPSV_UPDATE_DIAGONAL);
    if (!state->analyzed) return CUSPARSE_STATUS_NOT_INITIALIZED;
    job.type = state->type;
    job.number[0] = part ? state->rows : state->count;
    job.number[1] = part;
    job.p[0] = values;
    job.kind = EVENT_ROUTINE_STREAM;
    job.n = (uint64_t)job.number[0];
    cusparse_shape(&job, "n %lld", (long long)job.number[0]);
    cusparse_span(&job, values, sparse_bytes(state->type), job.number[0], CUSPARSE_READS);
    return cusparse_queue(handle, &job);
}

/* ---- what goes together */

static cusparseStatus_t matrix_check(cusparseOperation_t op, cusparseConstSpMatDescr_t a, cudaDataType x,
                                     cudaDataType y, cudaDataType compute)
{
    enum sparse_op plain;
    CUSPARSE_REFUSE_IF(!cusparse_op(op, &plain));
    CUSPARSE_REFUSE_IF(op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE && !cusparse_is_complex(a->type));
    bool has_format = a->format == CUSPARSE_FORMAT_CSR || a->format == CUSPARSE_FORMAT_COO ||
                      a->format == CUSPARSE_FORMAT_SLICED_ELLPACK;
    if (!has_format || !is_solved_type(a->type)) return CUSPARSE_STATUS_NOT_SUPPORTED;
    if (x != a->type || y != a->type || compute != a->type) return CUSPARSE_STATUS_NOT_SUPPORTED;
    CUSPARSE_REFUSE_IF(a->rows != a->cols);
    return CUSPARSE_STATUS_SUCCESS;
}

/* About what an H200 asks for. */
static size_t buffer_bytes(cusparseConstSpMatDescr_t a, int64_t columns)
{
    enum { LEAST = 4096, EACH_ROW = 24 }; /* near what an H200 asks for (tests/hw/libraries) */
    struct sparse_element element;
    cusparse_element(a->type, &element);
    return LEAST + (size_t)a->rows * EACH_ROW +
           (size_t)(a->nnz + (columns > 1 ? a->rows * columns : 0)) * sparse_element_bytes(element);
}

static void describe(struct cusparse_job *job, cusparseConstSpMatDescr_t a, int64_t columns)
{
    job->kind = EVENT_ROUTINE_SPARSE_SOLVE;
    job->m = (uint64_t)a->rows;
    job->n = (uint64_t)columns;
    job->k = (uint64_t)a->nnz;
    job->flops = 2 * job->k * job->n;
    job->triangle = (struct sparse_triangle){.upper = a->fill == CUSPARSE_FILL_MODE_UPPER,
                                             .unit = a->diag == CUSPARSE_DIAG_TYPE_UNIT};
    cusparse_shape(job, "m %lld, n %lld, nnz %lld", (long long)a->rows, (long long)columns,
                   (long long)a->nnz);
}

static void note_analysis(struct cusparse_state *state, cusparseConstSpMatDescr_t a, cudaDataType compute)
{
    state->analyzed = true;
    state->type = cusparse_compute(compute);
    state->rows = a->rows;
    state->count = a->nnz;
    free(state->values);
    free(state->diagonal);
    state->values = state->diagonal = NULL;
}

/* ---- SpSV */

static cusparseStatus_t sv_check(cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t a,
                                 cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y, cudaDataType compute,
                                 cusparseSpSVDescr_t descr)
{
    CUSPARSE_REFUSE_IF(!alpha || CUSPARSE_GONE(a) || CUSPARSE_GONE(x) || CUSPARSE_GONE(y) ||
                       CUSPARSE_GONE(descr));
    return matrix_check(op, a, x->type, y->type, compute);
}

CUSPARSE cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                                 cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                 cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpSVAlg_t algorithm,
                                 cusparseSpSVDescr_t descr, size_t *bytes)
{
    (void)algorithm;
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_TRY(sv_check(op, alpha, a, x, y, compute, descr));
    CUSPARSE_REFUSE_IF(!bytes);
    *bytes = buffer_bytes(a, 1);
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                               cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                               cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpSVAlg_t algorithm,
                               cusparseSpSVDescr_t descr, void *buffer)
{
    (void)algorithm, (void)buffer;
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_TRY(sv_check(op, alpha, a, x, y, compute, descr));
    note_analysis((struct cusparse_state *)(void *)descr, a, compute);
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                            cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                            cudaDataType compute, cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t descr)
{
    struct cusparse_job job = {
        .name = "cusparseSpSV_solve", .run = run_solve, .type = cusparse_compute(compute)};
    (void)algorithm;
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_TRY(sv_check(op, alpha, a, x, y, compute, descr));
    job.state = (struct cusparse_state *)(void *)descr;
    if (!job.state->analyzed) return CUSPARSE_STATUS_NOT_INITIALIZED;
    CUSPARSE_REFUSE_IF(x->size != a->rows || y->size != a->rows);
    job.op_a = (enum sparse_op)op;
    CUSPARSE_TRY(cusparse_scalar_get(handle, alpha, compute, &job.alpha));
    CUSPARSE_TRY(cusparse_take_sparse(&job, a, CUSPARSE_READS | CUSPARSE_PATTERN, &job.a));
    CUSPARSE_TRY(cusparse_take_vector(&job, x, CUSPARSE_READS, &job.x));
    CUSPARSE_TRY(cusparse_take_vector(&job, y, CUSPARSE_WRITES, &job.y));
    describe(&job, a, 1);
    return cusparse_queue(handle, &job);
}

CUSPARSE cusparseSpSV_updateMatrix(cusparseHandle_t handle, cusparseSpSVDescr_t descr, void *values,
                                   cusparseSpSVUpdate_t part)
{
    return update(handle, "cusparseSpSV_updateMatrix", (struct cusparse_state *)(void *)descr, values,
                  (int)part);
}

/* ---- SpSM */

static cusparseStatus_t sm_check(cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,
                                 cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                 cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpSMDescr_t descr)
{
    enum sparse_op plain;
    CUSPARSE_REFUSE_IF(!alpha || CUSPARSE_GONE(a) || CUSPARSE_GONE(b) || CUSPARSE_GONE(c) ||
                       CUSPARSE_GONE(descr) || !cusparse_op(op_b, &plain));
    CUSPARSE_TRY(matrix_check(op_a, a, b->type, c->type, compute));
    if (op_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE) return CUSPARSE_STATUS_NOT_SUPPORTED;
    CUSPARSE_REFUSE_IF(c->rows != a->rows || (op_b ? b->cols : b->rows) != a->rows);
    CUSPARSE_REFUSE_IF((op_b ? b->rows : b->cols) != c->cols);
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                 const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                 cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpSMAlg_t algorithm,
                                 cusparseSpSMDescr_t descr, size_t *bytes)
{
    (void)algorithm;
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_TRY(sm_check(op_a, op_b, alpha, a, b, c, compute, descr));
    CUSPARSE_REFUSE_IF(!bytes);
    *bytes = buffer_bytes(a, c->cols);
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                               const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                               cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpSMAlg_t algorithm,
                               cusparseSpSMDescr_t descr, void *buffer)
{
    (void)algorithm, (void)buffer;
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_TRY(sm_check(op_a, op_b, alpha, a, b, c, compute, descr));
    note_analysis((struct cusparse_state *)(void *)descr, a, compute);
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                            const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                            cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpSMAlg_t algorithm,
                            cusparseSpSMDescr_t descr)
{
    struct cusparse_job job = {
        .name = "cusparseSpSM_solve", .run = run_solve, .type = cusparse_compute(compute)};
    (void)algorithm;
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_TRY(sm_check(op_a, op_b, alpha, a, b, c, compute, descr));
    job.state = (struct cusparse_state *)(void *)descr;
    if (!job.state->analyzed) return CUSPARSE_STATUS_NOT_INITIALIZED;
    job.op_a = (enum sparse_op)op_a;
    job.op_b = (enum sparse_op)op_b;
    CUSPARSE_TRY(cusparse_scalar_get(handle, alpha, compute, &job.alpha));
    CUSPARSE_TRY(cusparse_take_sparse(&job, a, CUSPARSE_READS | CUSPARSE_PATTERN, &job.a));
    CUSPARSE_TRY(cusparse_take_dense(&job, b, CUSPARSE_READS, &job.x));
    CUSPARSE_TRY(cusparse_take_dense(&job, c, CUSPARSE_WRITES, &job.y));
    describe(&job, a, c->cols);
    return cusparse_queue(handle, &job);
}

CUSPARSE cusparseSpSM_updateMatrix(cusparseHandle_t handle, cusparseSpSMDescr_t descr, void *values,
                                   cusparseSpSMUpdate_t part)
{
    return update(handle, "cusparseSpSM_updateMatrix", (struct cusparse_state *)(void *)descr, values,
                  (int)part);
}
