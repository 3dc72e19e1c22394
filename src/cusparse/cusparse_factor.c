/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: incomplete factorizations, and solves with matrices in blocks, of the older functions. Method:
 * blocks are listed as rows of elements: with whole blocks in the pattern, factors of elements are those of
 * blocks. What a later zeroPivot answers is kept in the info. Limits: policies and buffers change nothing. */
#include "cusparse_priv.h"

#include <stdlib.h>
#include <string.h>

enum factor { ILU, IC };

static int run_factor(const struct cusparse_job *job)
{
    struct sparse_csr a;
    bool good = sparse_csr_of(&job->a.m, job->type, SPARSE_N, &a);
    if (good) {
        sparse_csr_sort(&a);
        job->state->zero = job->number[0] == ILU ? sparse_ilu0(&a, &job->state->boost) : sparse_ic0(&a);
        sparse_csr_write(&a, &job->a.m);
    }
    sparse_csr_release(&a);
    return good ? 0 : cusparse_bad_index(job);
}

static int run_analysis(const struct cusparse_job *job)
{
    struct sparse_matrix pattern = job->a.m;
    struct sparse_csr a;
    pattern.values = NULL;
    bool good = sparse_csr_of(&pattern, job->type, SPARSE_N, &a);
    if (good) job->state->zero = job->triangle.unit ? -1 : sparse_missing_diagonal(&a);
    sparse_csr_release(&a);
    return good ? 0 : cusparse_bad_index(job);
}

/* A matrix of the call, CSR or blocks of order `block`; the info remembers how to count its rows. */
static cusparseStatus_t take(struct cusparse_job *job, cusparseHandle_t handle,
                             const struct cusparse_blocks *a, bool in_blocks, cusparseMatDescr_t descr,
                             void *info, int use)
{
    struct cusparse_state *state = info;
    struct cusparse_blocks x = *a;
    CUSPARSE_TRY(cusparse_enter_old(handle));
    CUSPARSE_REFUSE_IF(x.rows < 0 || x.nnzb < 0 || x.block_rows <= 0 || CUSPARSE_GONE(descr) ||
                       CUSPARSE_GONE(state));
    job->state = state;
    x.base = state->base = (int)descr->base;
    state->block = x.block_rows;
    job->triangle = (struct sparse_triangle){.upper = descr->fill == CUSPARSE_FILL_MODE_UPPER,
                                             .unit = descr->diag == CUSPARSE_DIAG_TYPE_UNIT};
    if (in_blocks)
        cusparse_take_blocks(job, &x, use, &job->a);
    else
        cusparse_take_csr(job, x.rows, x.cols, x.nnzb, x.values, x.offsets, x.columns, x.base, use, &job->a);
    job->kind = EVENT_ROUTINE_SPARSE_SOLVE;
    job->m = (uint64_t)x.rows * (uint64_t)x.block_rows;
    job->n = 1;
    job->k = (uint64_t)job->a.m.nnz;
    cusparse_shape(job, "m %lld, nnz %lld", (long long)job->m, (long long)job->k);
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t analyze(const char *name, enum sparse_type type, bool factors, bool in_blocks,
                                cusparseHandle_t handle, const struct cusparse_blocks *a,
                                cusparseMatDescr_t descr, void *info)
{
    struct cusparse_job job = {.name = name, .run = run_analysis, .type = type};
    CUSPARSE_TRY(take(&job, handle, a, in_blocks, descr, info, CUSPARSE_READS));
    if (factors) job.triangle.unit = false;
    job.state->analyzed = true;
    return cusparse_queue(handle, &job);
}

static cusparseStatus_t factor(const char *name, enum sparse_type type, enum factor what, bool in_blocks,
                               cusparseHandle_t handle, const struct cusparse_blocks *a,
                               cusparseMatDescr_t descr, void *info)
{
    struct cusparse_job job = {.name = name, .run = run_factor, .type = type, .number = {what}};
    CUSPARSE_TRY(take(&job, handle, a, in_blocks, descr, info, CUSPARSE_READS | CUSPARSE_WRITES));
    job.flops = job.m ? 2 * job.k * (job.k / job.m) : 0;
    return cusparse_queue(handle, &job);
}

static cusparseStatus_t factor_bytes(cusparseHandle_t handle, int rows, int nnz, int block, int *bytes)
{
    enum { ROOM = 1280, EACH_ROW = 8 }; /* recorded on an H200, for few rows */
    CUSPARSE_TRY(cusparse_enter_old(handle));
    CUSPARSE_REFUSE_IF(rows < 0 || nnz < 0 || block <= 0 || !bytes);
    *bytes = ROOM + EACH_ROW * rows;
    return CUSPARSE_STATUS_SUCCESS;
}

/* Waits; position: of the host or of the device, as the pointer mode says. */
static cusparseStatus_t zero_pivot(cusparseHandle_t handle, const void *info, int *position)
{
    const struct cusparse_state *state = info;
    CUSPARSE_TRY(cusparse_enter_old(handle));
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(state) || !position);
    CUSPARSE_TRY(cusparse_status(cuStreamSynchronize(handle->stream)));
    int found = state->zero < 0 ? -1 : (int)(state->zero / state->block) + state->base;
    if (handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST)
        *position = found;
    else
        CUSPARSE_TRY(cusparse_status(cuMemcpyHtoD((CUdeviceptr)(uintptr_t)position, &found, sizeof found)));
    return found < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

#define ZERO_PIVOT(name)                                                                                     \
    CUSPARSE cusparseX##name##_zeroPivot(cusparseHandle_t handle, name##Info_t info, int *position)          \
    {                                                                                                        \
        return zero_pivot(handle, info, position);                                                           \
    }
ZERO_PIVOT(csrilu02)
ZERO_PIVOT(csric02)
ZERO_PIVOT(bsrilu02)
ZERO_PIVOT(bsric02)
ZERO_PIVOT(bsrsv2)
ZERO_PIVOT(bsrsm2)

static cusparseStatus_t set_boost(cusparseHandle_t handle, void *info, enum sparse_type type, int on,
                                  const double *tol, const void *value)
{
    struct cusparse_state *state = info;
    CUSPARSE_TRY(cusparse_enter_old(handle));
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(state) || (on && (!tol || !value)));
    if (on && handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE) {
        routine_refuse("cusparseXcsrilu02_numericBoost", "numbers in the memory of the device");
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    }
    state->boost = (struct sparse_boost){.on = on};
    if (on) state->boost.tol = *tol;
    if (on) memcpy(&state->boost.value, value, sparse_bytes(type));
    return CUSPARSE_STATUS_SUCCESS;
}

/* ---- of CSR */

#define OF_CSR(L, T, name, what)                                                                             \
    CUSPARSE cusparse##L##name##_bufferSize(cusparseHandle_t handle, int m, int nnz,                         \
                                            cusparseMatDescr_t descr, T *values, const int *offsets,         \
                                            const int *columns, name##Info_t info, int *bytes)               \
    {                                                                                                        \
        (void)descr, (void)values, (void)offsets, (void)columns, (void)info;                                 \
        return factor_bytes(handle, m, nnz, 1, bytes);                                                       \
    }                                                                                                        \
    CUSPARSE cusparse##L##name##_analysis(cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descr, \
                                          const T *values, const int *offsets, const int *columns,           \
                                          name##Info_t info, cusparseSolvePolicy_t policy, void *buffer)     \
    {                                                                                                        \
        struct cusparse_blocks a = {m, m, nnz, 1, 1, CUSPARSE_DIRECTION_ROW, 0, values, offsets, columns};   \
        (void)policy, (void)buffer;                                                                          \
        return analyze("cusparse" #L#name "_analysis", CUSPARSE_TYPE_##L, true, false, handle, &a, descr,    \
                       info);                                                                                \
    }                                                                                                        \
    CUSPARSE cusparse##L##name(cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descr, T *values, \
                               const int *offsets, const int *columns, name##Info_t info,                    \
                               cusparseSolvePolicy_t policy, void *buffer)                                   \
    {                                                                                                        \
        struct cusparse_blocks a = {m, m, nnz, 1, 1, CUSPARSE_DIRECTION_ROW, 0, values, offsets, columns};   \
        (void)policy, (void)buffer;                                                                          \
        return factor("cusparse" #L#name, CUSPARSE_TYPE_##L, what, false, handle, &a, descr, info);          \
    }

/* ---- of blocks; the analysis of bsrilu02 takes values that are not const */

#define OF_BSR(L, T, name, what, CONST)                                                                      \
    CUSPARSE cusparse##L##name##_bufferSize(                                                                 \
        cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nnzb, cusparseMatDescr_t descr,        \
        T *values, const int *offsets, const int *columns, int block, name##Info_t info, int *bytes)         \
    {                                                                                                        \
        (void)dir, (void)descr, (void)values, (void)offsets, (void)columns, (void)info;                      \
        return factor_bytes(handle, mb, nnzb, block, bytes);                                                 \
    }                                                                                                        \
    CUSPARSE cusparse##L##name##_analysis(cusparseHandle_t handle, cusparseDirection_t dir, int mb,          \
                                          int nnzb, cusparseMatDescr_t descr, CONST T *values,               \
                                          const int *offsets, const int *columns, int block,                 \
                                          name##Info_t info, cusparseSolvePolicy_t policy, void *buffer)     \
    {                                                                                                        \
        struct cusparse_blocks a = {mb, mb, nnzb, block, block, dir, 0, values, offsets, columns};           \
        (void)policy, (void)buffer;                                                                          \
        return analyze("cusparse" #L#name "_analysis", CUSPARSE_TYPE_##L, true, true, handle, &a, descr,     \
                       info);                                                                                \
    }                                                                                                        \
    CUSPARSE cusparse##L##name(cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nnzb,           \
                               cusparseMatDescr_t descr, T *values, const int *offsets, const int *columns,  \
                               int block, name##Info_t info, cusparseSolvePolicy_t policy, void *buffer)     \
    {                                                                                                        \
        struct cusparse_blocks a = {mb, mb, nnzb, block, block, dir, 0, values, offsets, columns};           \
        (void)policy, (void)buffer;                                                                          \
        return factor("cusparse" #L#name, CUSPARSE_TYPE_##L, what, true, handle, &a, descr, info);           \
    }

#define BOOST(L, T, name)                                                                                    \
    CUSPARSE cusparse##L##name##_numericBoost(cusparseHandle_t handle, name##Info_t info, int on,            \
                                              double *tol, T *value)                                         \
    {                                                                                                        \
        return set_boost(handle, info, CUSPARSE_TYPE_##L, on, tol, value);                                   \
    }

#define FACTORS(L, T, R)                                                                                     \
    OF_CSR(L, T, csrilu02, ILU)                                                                              \
    OF_CSR(L, T, csric02, IC)                                                                                \
    OF_BSR(L, T, bsrilu02, ILU, )                                                                            \
    OF_BSR(L, T, bsric02, IC, const)                                                                         \
    BOOST(L, T, csrilu02)                                                                                    \
    BOOST(L, T, bsrilu02)
CUSPARSE_OF_ALL(FACTORS)

/* ---- solves with triangles in blocks */

static int run_blocks_solve(const struct cusparse_job *job)
{
    struct sparse_triangle triangle = job->triangle;
    union sparse_scalar alpha = cusparse_scalar_value(&job->alpha, job->type);
    struct sparse_csr a;
    bool good = sparse_csr_of(&job->a.m, job->type, job->op_a, &a);
    if (good) {
        struct sparse_dense given, x, out;
        if (job->op_a != SPARSE_N) triangle.upper = !triangle.upper;
        sparse_dense_rows(&job->x.m, job->type, job->op_b, &given);
        sparse_dense_new(given.rows, given.cols, job->type, &x);
        sparse_dense_copy(&given, &x);
        sparse_solve(&a, &triangle, alpha, &x);
        sparse_dense_close(&given, &job->x.m, false);
        sparse_dense_open(&job->y.m, job->type, &out);
        if (job->op_b != SPARSE_N) { /* the solution stands as the right sides do */
            int64_t stride = out.row_stride;
            out.row_stride = out.col_stride;
            out.col_stride = stride;
        }
        sparse_dense_copy(&x, &out);
        free(x.values);
    }
    sparse_csr_release(&a);
    return good ? 0 : cusparse_bad_index(job);
}

static cusparseStatus_t blocks_solve(const char *name, enum sparse_type type, cusparseHandle_t handle,
                                     const struct cusparse_blocks *a, cusparseOperation_t op,
                                     cusparseOperation_t op_x, int n, cusparseMatDescr_t descr, void *info,
                                     const void *alpha, const void *b, int ldb, void *x, int ldx)
{
    struct cusparse_job job = {.name = name, .run = run_blocks_solve, .type = type};
    cudaDataType element = cusparse_type_of(type);
    struct cusparseDnMatDescr in = {.rows = (int64_t)a->rows * a->block_rows,
                                    .cols = n,
                                    .ld = ldb,
                                    .values = (void *)(uintptr_t)b,
                                    .type = element,
                                    .order = CUSPARSE_ORDER_COL,
                                    .batch = 1};
    enum sparse_op plain;
    CUSPARSE_REFUSE_IF(!cusparse_op(op, &plain) || !cusparse_op(op_x, &plain) || n < 0);
    CUSPARSE_TRY(take(&job, handle, a, true, descr, info, CUSPARSE_READS));
    if (op_x) in.rows = n, in.cols = (int64_t)a->rows * a->block_rows;
    struct cusparseDnMatDescr out = in;
    out.values = x;
    out.ld = ldx;
    CUSPARSE_REFUSE_IF(in.ld < in.rows || out.ld < out.rows);
    job.op_a = (enum sparse_op)op;
    job.op_b = op_x ? SPARSE_T : SPARSE_N;
    job.n = (uint64_t)n;
    job.flops = 2 * job.k * job.n;
    CUSPARSE_TRY(cusparse_scalar_get(handle, alpha, element, &job.alpha));
    CUSPARSE_TRY(cusparse_take_dense(&job, &in, CUSPARSE_READS, &job.x));
    CUSPARSE_TRY(cusparse_take_dense(&job, &out, CUSPARSE_WRITES, &job.y));
    return cusparse_queue(handle, &job);
}

#define BSRSV(L, T, R)                                                                                       \
    CUSPARSE cusparse##L##bsrsv2_bufferSize(cusparseHandle_t handle, cusparseDirection_t dir,                \
                                            cusparseOperation_t op, int mb, int nnzb,                        \
                                            cusparseMatDescr_t descr, T *values, const int *offsets,         \
                                            const int *columns, int block, bsrsv2Info_t info, int *bytes)    \
    {                                                                                                        \
        (void)dir, (void)op, (void)descr, (void)values, (void)offsets, (void)columns, (void)info;            \
        return factor_bytes(handle, mb, nnzb, block, bytes);                                                 \
    }                                                                                                        \
    CUSPARSE cusparse##L##bsrsv2_analysis(                                                                   \
        cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op, int mb, int nnzb,          \
        cusparseMatDescr_t descr, const T *values, const int *offsets, const int *columns, int block,        \
        bsrsv2Info_t info, cusparseSolvePolicy_t policy, void *buffer)                                       \
    {                                                                                                        \
        struct cusparse_blocks a = {mb, mb, nnzb, block, block, dir, 0, values, offsets, columns};           \
        (void)op, (void)policy, (void)buffer;                                                                \
        return analyze("cusparse" #L "bsrsv2_analysis", CUSPARSE_TYPE_##L, false, true, handle, &a, descr,   \
                       info);                                                                                \
    }                                                                                                        \
    CUSPARSE cusparse##L##bsrsv2_solve(                                                                      \
        cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op, int mb, int nnzb,          \
        const T *alpha, cusparseMatDescr_t descr, const T *values, const int *offsets, const int *columns,   \
        int block, bsrsv2Info_t info, const T *f, T *x, cusparseSolvePolicy_t policy, void *buffer)          \
    {                                                                                                        \
        struct cusparse_blocks a = {mb, mb, nnzb, block, block, dir, 0, values, offsets, columns};           \
        (void)policy, (void)buffer;                                                                          \
        return blocks_solve("cusparse" #L "bsrsv2_solve", CUSPARSE_TYPE_##L, handle, &a, op,                 \
                            CUSPARSE_OPERATION_NON_TRANSPOSE, 1, descr, info, alpha, f, mb * block, x,       \
                            mb * block);                                                                     \
    }                                                                                                        \
    CUSPARSE cusparse##L##bsrsm2_bufferSize(                                                                 \
        cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op, cusparseOperation_t op_x,  \
        int mb, int n, int nnzb, cusparseMatDescr_t descr, T *values, const int *offsets,                    \
        const int *columns, int block, bsrsm2Info_t info, int *bytes)                                        \
    {                                                                                                        \
        (void)dir, (void)op, (void)op_x, (void)n, (void)descr, (void)values, (void)offsets, (void)columns;   \
        (void)info;                                                                                          \
        return factor_bytes(handle, mb, nnzb, block, bytes);                                                 \
    }                                                                                                        \
    CUSPARSE cusparse##L##bsrsm2_analysis(                                                                   \
        cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op, cusparseOperation_t op_x,  \
        int mb, int n, int nnzb, cusparseMatDescr_t descr, const T *values, const int *offsets,              \
        const int *columns, int block, bsrsm2Info_t info, cusparseSolvePolicy_t policy, void *buffer)        \
    {                                                                                                        \
        struct cusparse_blocks a = {mb, mb, nnzb, block, block, dir, 0, values, offsets, columns};           \
        (void)op, (void)op_x, (void)n, (void)policy, (void)buffer;                                           \
        return analyze("cusparse" #L "bsrsm2_analysis", CUSPARSE_TYPE_##L, false, true, handle, &a, descr,   \
                       info);                                                                                \
    }                                                                                                        \
    CUSPARSE cusparse##L##bsrsm2_solve(                                                                      \
        cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op, cusparseOperation_t op_x,  \
        int mb, int n, int nnzb, const T *alpha, cusparseMatDescr_t descr, const T *values,                  \
        const int *offsets, const int *columns, int block, bsrsm2Info_t info, const T *b, int ldb, T *x,     \
        int ldx, cusparseSolvePolicy_t policy, void *buffer)                                                 \
    {                                                                                                        \
        struct cusparse_blocks a = {mb, mb, nnzb, block, block, dir, 0, values, offsets, columns};           \
        (void)policy, (void)buffer;                                                                          \
        return blocks_solve("cusparse" #L "bsrsm2_solve", CUSPARSE_TYPE_##L, handle, &a, op, op_x, n, descr, \
                            info, alpha, b, ldb, x, ldx);                                                    \
    }
CUSPARSE_OF_ALL(BSRSV)
