/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: matrices in blocks of the older functions: products with vectors and matrices, and conversions.
 * Method: blocks are listed as rows of elements, and these computed with. Limits: blocks of order 1 are
 * refused in products, as an H200 does. */
#include "cusparse_priv.h"

#include <stdlib.h>
#include <string.h>

#define CONST_VOID(pointer) ((void *)(uintptr_t)(pointer))

static void describe(struct cusparse_job *job, const struct cusparse_blocks *a, int64_t columns)
{
    int64_t nnz = a->nnzb >= 0 ? (int64_t)a->nnzb * a->block_rows * a->block_cols : 0;
    bool is_complex = job->type == SPARSE_C || job->type == SPARSE_Z;
    job->m = (uint64_t)a->rows * (uint64_t)a->block_rows;
    job->n = (uint64_t)columns;
    job->k = (uint64_t)nnz;
    job->flops = job->k * (uint64_t)columns * (is_complex ? 8 : 2);
    cusparse_shape(job, "mb %d, nb %d, nnzb %d, blocks of %d by %d", a->rows, a->cols, a->nnzb, a->block_rows,
                   a->block_cols);
}

/* ---- products */

static int run_blocks_mm(const struct cusparse_job *job)
{
    union sparse_scalar alpha = cusparse_scalar_value(&job->alpha, job->type);
    union sparse_scalar beta = cusparse_scalar_value(&job->beta, job->type);
    struct sparse_csr a;
    struct sparse_dense b, c;
    bool good = sparse_csr_of(&job->a.m, job->type, SPARSE_N, &a);
    if (good) {
        sparse_dense_rows(&job->x.m, job->type, job->op_b, &b);
        sparse_dense_open(&job->y.m, job->type, &c);
        if (b.cols == 1)
            sparse_mv(&a, alpha, b.values, beta, c.values);
        else
            sparse_mm(&a, alpha, &b, beta, &c);
        sparse_dense_close(&b, &job->x.m, false);
        sparse_dense_close(&c, &job->y.m, true);
    }
    sparse_csr_release(&a);
    return good ? 0 : cusparse_bad_index(job);
}

static cusparseStatus_t blocks_mm(struct cusparse_job *job, cusparseHandle_t handle,
                                  const struct cusparse_blocks *a, cusparseOperation_t op_b, int n,
                                  const void *alpha, const void *b, int ldb, const void *beta, void *c,
                                  int ldc)
{
    cudaDataType type = cusparse_type_of(job->type);
    struct cusparseDnMatDescr x = {.rows = (int64_t)a->cols * a->block_cols,
                                   .cols = n,
                                   .ld = ldb,
                                   .values = CONST_VOID(b),
                                   .type = type,
                                   .order = CUSPARSE_ORDER_COL,
                                   .batch = 1};
    struct cusparseDnMatDescr y = x;
    if (op_b) x.rows = n, x.cols = (int64_t)a->cols * a->block_cols;
    y.rows = (int64_t)a->rows * a->block_rows;
    y.ld = ldc;
    y.values = c;
    CUSPARSE_REFUSE_IF(x.ld < x.rows || y.ld < y.rows);
    job->run = run_blocks_mm;
    job->kind = EVENT_ROUTINE_SPARSE;
    job->op_b = (enum sparse_op)op_b;
    CUSPARSE_TRY(cusparse_scalar_get(handle, alpha, type, &job->alpha));
    CUSPARSE_TRY(cusparse_scalar_get(handle, beta, type, &job->beta));
    cusparse_take_blocks(job, a, CUSPARSE_READS, &job->a);
    CUSPARSE_TRY(cusparse_take_dense(job, &x, CUSPARSE_READS, &job->x));
    int reads = cusparse_is_zero(&job->beta) ? 0 : CUSPARSE_READS;
    CUSPARSE_TRY(cusparse_take_dense(job, &y, CUSPARSE_WRITES | reads, &job->y));
    describe(job, a, n);
    return cusparse_queue(handle, job);
}

static cusparseStatus_t blocks_check(cusparseHandle_t handle, const struct cusparse_blocks *a,
                                     cusparseMatDescr_t descr)
{
    CUSPARSE_TRY(cusparse_enter_old(handle));
    CUSPARSE_REFUSE_IF(a->rows < 0 || a->cols < 0 || a->nnzb < 0 || a->block_rows <= 1 ||
                       CUSPARSE_GONE(descr));
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t bsrmm(const char *name, enum sparse_type type, cusparseHandle_t handle,
                              struct cusparse_blocks *a, cusparseOperation_t op_a, cusparseOperation_t op_b,
                              int n, cusparseMatDescr_t descr, const void *alpha, const void *b, int ldb,
                              const void *beta, void *c, int ldc)
{
    struct cusparse_job job = {.name = name, .type = type};
    CUSPARSE_TRY(blocks_check(handle, a, descr));
    CUSPARSE_REFUSE_IF(op_a != CUSPARSE_OPERATION_NON_TRANSPOSE || n < 0);
    CUSPARSE_REFUSE_IF(op_b != CUSPARSE_OPERATION_NON_TRANSPOSE && op_b != CUSPARSE_OPERATION_TRANSPOSE);
    a->base = descr->base;
    return blocks_mm(&job, handle, a, op_b, n, alpha, b, ldb, beta, c, ldc);
}

#define BSRMM(L, T, R)                                                                                       \
    CUSPARSE cusparse##L##bsrmv(cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op,    \
                                int mb, int nb, int nnzb, const T *alpha, cusparseMatDescr_t descr,          \
                                const T *values, const int *offsets, const int *columns, int block,          \
                                const T *x, const T *beta, T *y)                                             \
    {                                                                                                        \
        struct cusparse_blocks a = {mb, nb, nnzb, block, block, dir, 0, values, offsets, columns};           \
        int64_t rows = (int64_t)mb * block, cols = (int64_t)nb * block;                                      \
        return bsrmm("cusparse" #L "bsrmv", CUSPARSE_TYPE_##L, handle, &a, op,                               \
                     CUSPARSE_OPERATION_NON_TRANSPOSE, 1, descr, alpha, x, (int)cols, beta, y, (int)rows);   \
    }                                                                                                        \
    CUSPARSE cusparse##L##bsrmm(cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op_a,  \
                                cusparseOperation_t op_b, int mb, int n, int kb, int nnzb, const T *alpha,   \
                                cusparseMatDescr_t descr, const T *values, const int *offsets,               \
                                const int *columns, int block, const T *b, int ldb, const T *beta, T *c,     \
                                int ldc)                                                                     \
    {                                                                                                        \
        struct cusparse_blocks a = {mb, kb, nnzb, block, block, dir, 0, values, offsets, columns};           \
        return bsrmm("cusparse" #L "bsrmm", CUSPARSE_TYPE_##L, handle, &a, op_a, op_b, n, descr, alpha, b,   \
                     ldb, beta, c, ldc);                                                                     \
    }
CUSPARSE_OF_ALL(BSRMM)

/* ---- bsrxmv: rows of blocks that a mask names, with offsets of both ends */

enum { MASK, ENDS, MASKED = 0 }; /* p[MASK], p[ENDS]; number[MASKED] */

static int run_masked(const struct cusparse_job *job)
{
    const struct sparse_matrix *m = &job->a.m;
    const int *mask = job->p[MASK], *ends = job->p[ENDS], *begins = m->offsets;
    int64_t block = m->block_rows;
    for (int64_t i = 0; i < job->number[MASKED]; i++) {
        int64_t row = mask[i] - m->base;
        if (row < 0 || row >= m->rows / block) return cusparse_bad_index(job);
        int64_t first = begins[row] - m->base, last = ends[row] - m->base;
        if (first < 0 || last < first || last * block * block > m->nnz) return cusparse_bad_index(job);
        int offsets[2] = {0, (int)(last - first)};
        struct cusparse_job one = *job;
        one.a.m.rows = block;
        one.a.m.nnz = (last - first) * block * block;
        one.a.m.values = (char *)m->values + (uint64_t)(first * block * block) * sparse_bytes(job->type);
        one.a.m.indices = (const int *)m->indices + first;
        if (m->base) offsets[0]++, offsets[1]++;
        one.a.m.offsets = offsets;
        one.y.m.values = (char *)job->y.m.values + (uint64_t)(row * block) * sparse_bytes(job->type);
        one.y.m.rows = block;
        int result = run_blocks_mm(&one);
        if (result) return result;
    }
    return 0;
}

static cusparseStatus_t bsrxmv(const char *name, enum sparse_type type, cusparseHandle_t handle,
                               struct cusparse_blocks *a, cusparseOperation_t op, int masked, const int *mask,
                               const int *ends, cusparseMatDescr_t descr, const void *alpha, const void *x,
                               const void *beta, void *y)
{
    struct cusparse_job job = {.name = name, .run = run_masked, .type = type, .number = {masked}};
    cudaDataType element = cusparse_type_of(type);
    struct cusparseDnVecDescr in = {(int64_t)a->cols * a->block_cols, CONST_VOID(x), element},
                              out = {(int64_t)a->rows * a->block_rows, y, element};
    CUSPARSE_TRY(blocks_check(handle, a, descr));
    CUSPARSE_REFUSE_IF(op != CUSPARSE_OPERATION_NON_TRANSPOSE || masked < 0);
    a->base = descr->base;
    job.kind = EVENT_ROUTINE_SPARSE;
    job.p[MASK] = CONST_VOID(mask);
    job.p[ENDS] = CONST_VOID(ends);
    CUSPARSE_TRY(cusparse_scalar_get(handle, alpha, element, &job.alpha));
    CUSPARSE_TRY(cusparse_scalar_get(handle, beta, element, &job.beta));
    cusparse_take_blocks(&job, a, CUSPARSE_READS, &job.a);
    job.spans[0].count = (uint64_t)a->rows; /* begins alone */
    cusparse_span(&job, ends, sizeof *ends, a->rows, CUSPARSE_READS);
    cusparse_span(&job, mask, sizeof *mask, masked, CUSPARSE_READS);
    CUSPARSE_TRY(cusparse_take_vector(&job, &in, CUSPARSE_READS, &job.x));
    CUSPARSE_TRY(cusparse_take_vector(&job, &out, CUSPARSE_READS | CUSPARSE_WRITES, &job.y));
    describe(&job, a, 1);
    return cusparse_queue(handle, &job);
}

#define BSRXMV(L, T, R)                                                                                      \
    CUSPARSE cusparse##L##bsrxmv(                                                                            \
        cusparseHandle_t handle, cusparseDirection_t dir, cusparseOperation_t op, int masked, int mb,        \
        int nb, int nnzb, const T *alpha, cusparseMatDescr_t descr, const T *values, const int *mask,        \
        const int *offsets, const int *ends, const int *columns, int block, const T *x, const T *beta, T *y) \
    {                                                                                                        \
        struct cusparse_blocks a = {mb, nb, nnzb, block, block, dir, 0, values, offsets, columns};           \
        return bsrxmv("cusparse" #L "bsrxmv", CUSPARSE_TYPE_##L, handle, &a, op, masked, mask, ends, descr,  \
                      alpha, x, beta, y);                                                                    \
    }
CUSPARSE_OF_ALL(BSRXMV)

/* ---- conversions: of job.a, CSR or blocks, to blocks of number[ROWS] by number[COLS] (0: to CSR) at p[0]
 * (offsets), p[1] (columns), p[2] (values), those that are not NULL */

enum { ROWS, COLS, DIR, BASE };

static void put_blocks(const struct cusparse_job *job, const struct sparse_blocks *blocks)
{
    int *offsets = job->p[0], *columns = job->p[1], base = (int)job->number[BASE];
    for (int64_t r = 0; r <= blocks->rows; r++)
        offsets[r] = (int)blocks->offsets[r] + base;
    for (int64_t b = 0; b < blocks->count && columns; b++)
        columns[b] = blocks->columns[b] + base;
    if (job->p[2] && blocks->values)
        memcpy(job->p[2], blocks->values, (uint64_t)(blocks->count * blocks->block_bytes));
}

static int run_convert(const struct cusparse_job *job)
{
    struct sparse_csr csr;
    bool good = sparse_csr_of(&job->a.m, job->type, SPARSE_N, &csr);
    if (good && job->number[ROWS]) {
        struct sparse_blocks blocks;
        sparse_blocks_of(&csr, job->number[ROWS], job->number[COLS], job->number[DIR], &blocks);
        put_blocks(job, &blocks);
        cusparse_put_count(job, blocks.count);
        sparse_blocks_release(&blocks);
    } else if (good) {
        struct sparse_matrix to =
            cusparse_target(job->type, job->p[0], job->p[1], job->p[2], (int)job->number[BASE]);
        sparse_csr_put(&csr, &to);
    }
    sparse_csr_release(&csr);
    return good ? 0 : cusparse_bad_index(job);
}

/* Where blocks go; the length of the lists is what their offsets say, once those are there. */
struct target {
    int block_rows, block_cols; /* 0: CSR */
    cusparseDirection_t dir;
    int base;
    void *values;
    int *offsets, *columns;
    bool has_offsets; /* an earlier call wrote them */
};

static void take_target(struct cusparse_job *job, const struct target *to, int64_t rows)
{
    int64_t lines = to->block_rows ? (rows + to->block_rows - 1) / to->block_rows : rows;
    uint64_t each = to->block_rows ? (uint64_t)to->block_rows * (uint64_t)to->block_cols : 1;
    job->run = run_convert;
    job->kind = EVENT_ROUTINE_STREAM;
    job->m = (uint64_t)rows;
    job->number[ROWS] = to->block_rows;
    job->number[COLS] = to->block_cols;
    job->number[DIR] = to->dir == CUSPARSE_DIRECTION_COLUMN;
    job->number[BASE] = to->base;
    job->p[0] = to->offsets, job->p[1] = to->columns, job->p[2] = to->values;
    cusparse_span(job, to->offsets, sizeof(int), lines + 1,
                  CUSPARSE_WRITES | (to->has_offsets ? CUSPARSE_READS : 0));
    if (!to->has_offsets) return;
    if (to->columns) cusparse_span_by(job, to->columns, sizeof(int), to->offsets, lines, CUSPARSE_WRITES);
    if (to->values)
        cusparse_span_by(job, to->values, sparse_bytes(job->type) * each, to->offsets, lines,
                         CUSPARSE_WRITES);
}

/* From CSR. total: where the count goes; NULL: blocks are written */
static cusparseStatus_t from_csr(const char *name, enum sparse_type type, cusparseHandle_t handle, int m,
                                 int n, cusparseMatDescr_t descr, const void *values, const int *offsets,
                                 const int *columns, struct target *to, cusparseMatDescr_t to_descr,
                                 int *total)
{
    struct cusparse_job job = {.name = name, .type = type};
    CUSPARSE_TRY(cusparse_enter_old(handle));
    CUSPARSE_REFUSE_IF(m < 0 || n < 0 || to->block_rows <= 0 || to->block_cols <= 0 || CUSPARSE_GONE(descr) ||
                       CUSPARSE_GONE(to_descr));
    to->base = to_descr->base;
    to->has_offsets = !total;
    cusparse_take_csr(&job, m, n, -1, values, offsets, columns, descr->base, CUSPARSE_READS, &job.a);
    take_target(&job, to, m);
    cusparse_shape(&job, "m %d, n %d, blocks of %d by %d", m, n, to->block_rows, to->block_cols);
    return total ? cusparse_queue_count(handle, &job, total) : cusparse_queue(handle, &job);
}

/* From blocks. */
static cusparseStatus_t from_blocks(const char *name, enum sparse_type type, cusparseHandle_t handle,
                                    struct cusparse_blocks *a, cusparseMatDescr_t descr, struct target *to,
                                    cusparseMatDescr_t to_descr, int *total)
{
    struct cusparse_job job = {.name = name, .type = type};
    CUSPARSE_TRY(cusparse_enter_old(handle));
    CUSPARSE_REFUSE_IF(a->rows < 0 || a->cols < 0 || a->block_rows <= 0 || a->block_cols <= 0);
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(descr) || CUSPARSE_GONE(to_descr) || to->block_rows < 0 ||
                       to->block_cols < 0);
    a->base = descr->base;
    to->base = to_descr->base;
    to->has_offsets = !total && to->block_rows;
    cusparse_take_blocks(&job, a, CUSPARSE_READS, &job.a);
    take_target(&job, to, (int64_t)a->rows * a->block_rows);
    if (!to->block_rows) { /* CSR of whole blocks: as many as they have */
        uint64_t each = (uint64_t)a->block_rows * (uint64_t)a->block_cols;
        cusparse_span_by(&job, to->columns, sizeof(int) * each, a->offsets, a->rows, CUSPARSE_WRITES);
        if (to->values)
            cusparse_span_by(&job, to->values, sparse_bytes(type) * each, a->offsets, a->rows,
                             CUSPARSE_WRITES);
    }
    cusparse_shape(&job, "mb %d, nb %d, blocks of %d by %d", a->rows, a->cols, a->block_rows, a->block_cols);
    return total ? cusparse_queue_count(handle, &job, total) : cusparse_queue(handle, &job);
}

CUSPARSE cusparseXcsr2bsrNnz(cusparseHandle_t handle, cusparseDirection_t dir, int m, int n,
                             cusparseMatDescr_t descr, const int *offsets, const int *columns, int block,
                             cusparseMatDescr_t to_descr, int *to_offsets, int *total)
{
    struct target to = {.block_rows = block, .block_cols = block, .dir = dir, .offsets = to_offsets};
    CUSPARSE_REFUSE_IF(!total);
    return from_csr("cusparseXcsr2bsrNnz", SPARSE_S, handle, m, n, descr, NULL, offsets, columns, &to,
                    to_descr, total);
}

CUSPARSE cusparseXcsr2gebsrNnz(cusparseHandle_t handle, cusparseDirection_t dir, int m, int n,
                               cusparseMatDescr_t descr, const int *offsets, const int *columns,
                               cusparseMatDescr_t to_descr, int *to_offsets, int block_rows, int block_cols,
                               int *total, void *buffer)
{
    struct target to = {
        .block_rows = block_rows, .block_cols = block_cols, .dir = dir, .offsets = to_offsets};
    (void)buffer;
    CUSPARSE_REFUSE_IF(!total);
    return from_csr("cusparseXcsr2gebsrNnz", SPARSE_S, handle, m, n, descr, NULL, offsets, columns, &to,
                    to_descr, total);
}

CUSPARSE cusparseXgebsr2gebsrNnz(cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nb, int nnzb,
                                 cusparseMatDescr_t descr, const int *offsets, const int *columns,
                                 int block_rows, int block_cols, cusparseMatDescr_t to_descr, int *to_offsets,
                                 int to_rows, int to_cols, int *total, void *buffer)
{
    struct cusparse_blocks a = {mb, nb, nnzb, block_rows, block_cols, dir, 0, NULL, offsets, columns};
    struct target to = {.block_rows = to_rows, .block_cols = to_cols, .dir = dir, .offsets = to_offsets};
    (void)buffer;
    CUSPARSE_REFUSE_IF(!total);
    return from_blocks("cusparseXgebsr2gebsrNnz", SPARSE_S, handle, &a, descr, &to, to_descr, total);
}

static cusparseStatus_t convert_bytes(cusparseHandle_t handle, int m, int n, int block_rows, int block_cols,
                                      int *bytes)
{
    enum { ROOM = 1024 };
    CUSPARSE_TRY(cusparse_enter_old(handle));
    CUSPARSE_REFUSE_IF(m < 0 || n < 0 || block_rows <= 0 || block_cols <= 0 || !bytes);
    *bytes = ROOM + (int)sizeof(int) * (m + n);
    return CUSPARSE_STATUS_SUCCESS;
}

#define CONVERT(L, T, R)                                                                                     \
    CUSPARSE cusparse##L##csr2bsr(cusparseHandle_t handle, cusparseDirection_t dir, int m, int n,            \
                                  cusparseMatDescr_t descr, const T *values, const int *offsets,             \
                                  const int *columns, int block, cusparseMatDescr_t to_descr, T *to_values,  \
                                  int *to_offsets, int *to_columns)                                          \
    {                                                                                                        \
        struct target to = {block, block, dir, 0, to_values, to_offsets, to_columns, true};                  \
        return from_csr("cusparse" #L "csr2bsr", CUSPARSE_TYPE_##L, handle, m, n, descr, values, offsets,    \
                        columns, &to, to_descr, NULL);                                                       \
    }                                                                                                        \
    CUSPARSE cusparse##L##csr2gebsr(                                                                         \
        cusparseHandle_t handle, cusparseDirection_t dir, int m, int n, cusparseMatDescr_t descr,            \
        const T *values, const int *offsets, const int *columns, cusparseMatDescr_t to_descr, T *to_values,  \
        int *to_offsets, int *to_columns, int block_rows, int block_cols, void *buffer)                      \
    {                                                                                                        \
        struct target to = {block_rows, block_cols, dir, 0, to_values, to_offsets, to_columns, true};        \
        (void)buffer;                                                                                        \
        return from_csr("cusparse" #L "csr2gebsr", CUSPARSE_TYPE_##L, handle, m, n, descr, values, offsets,  \
                        columns, &to, to_descr, NULL);                                                       \
    }                                                                                                        \
    CUSPARSE cusparse##L##csr2gebsr_bufferSize(                                                              \
        cusparseHandle_t handle, cusparseDirection_t dir, int m, int n, cusparseMatDescr_t descr,            \
        const T *values, const int *offsets, const int *columns, int block_rows, int block_cols, int *bytes) \
    {                                                                                                        \
        (void)dir, (void)descr, (void)values, (void)offsets, (void)columns;                                  \
        return convert_bytes(handle, m, n, block_rows, block_cols, bytes);                                   \
    }                                                                                                        \
    CUSPARSE cusparse##L##bsr2csr(cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nb,          \
                                  cusparseMatDescr_t descr, const T *values, const int *offsets,             \
                                  const int *columns, int block, cusparseMatDescr_t to_descr, T *to_values,  \
                                  int *to_offsets, int *to_columns)                                          \
    {                                                                                                        \
        struct cusparse_blocks a = {mb, nb, -1, block, block, dir, 0, values, offsets, columns};             \
        struct target to = {0, 0, dir, 0, to_values, to_offsets, to_columns, false};                         \
        return from_blocks("cusparse" #L "bsr2csr", CUSPARSE_TYPE_##L, handle, &a, descr, &to, to_descr,     \
                           NULL);                                                                            \
    }                                                                                                        \
    CUSPARSE cusparse##L##gebsr2csr(                                                                         \
        cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nb, cusparseMatDescr_t descr,          \
        const T *values, const int *offsets, const int *columns, int block_rows, int block_cols,             \
        cusparseMatDescr_t to_descr, T *to_values, int *to_offsets, int *to_columns)                         \
    {                                                                                                        \
        struct cusparse_blocks a = {mb, nb, -1, block_rows, block_cols, dir, 0, values, offsets, columns};   \
        struct target to = {0, 0, dir, 0, to_values, to_offsets, to_columns, false};                         \
        return from_blocks("cusparse" #L "gebsr2csr", CUSPARSE_TYPE_##L, handle, &a, descr, &to, to_descr,   \
                           NULL);                                                                            \
    }                                                                                                        \
    CUSPARSE cusparse##L##gebsr2gebsr(                                                                       \
        cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nb, int nnzb,                          \
        cusparseMatDescr_t descr, const T *values, const int *offsets, const int *columns, int block_rows,   \
        int block_cols, cusparseMatDescr_t to_descr, T *to_values, int *to_offsets, int *to_columns,         \
        int to_rows, int to_cols, void *buffer)                                                              \
    {                                                                                                        \
        struct cusparse_blocks a = {mb, nb, nnzb, block_rows, block_cols, dir, 0, values, offsets, columns}; \
        struct target to = {to_rows, to_cols, dir, 0, to_values, to_offsets, to_columns, true};              \
        (void)buffer;                                                                                        \
        return from_blocks("cusparse" #L "gebsr2gebsr", CUSPARSE_TYPE_##L, handle, &a, descr, &to, to_descr, \
                           NULL);                                                                            \
    }                                                                                                        \
    CUSPARSE cusparse##L##gebsr2gebsr_bufferSize(                                                            \
        cusparseHandle_t handle, cusparseDirection_t dir, int mb, int nb, int nnzb,                          \
        cusparseMatDescr_t descr, const T *values, const int *offsets, const int *columns, int block_rows,   \
        int block_cols, int to_rows, int to_cols, int *bytes)                                                \
    {                                                                                                        \
        (void)dir, (void)nnzb, (void)descr, (void)values, (void)offsets, (void)columns;                      \
        (void)to_rows, (void)to_cols;                                                                        \
        return convert_bytes(handle, mb, nb, block_rows, block_cols, bytes);                                 \
    }                                                                                                        \
    CUSPARSE cusparse##L##gebsr2gebsc_bufferSize(cusparseHandle_t handle, int mb, int nb, int nnzb,          \
                                                 const T *values, const int *offsets, const int *columns,    \
                                                 int block_rows, int block_cols, int *bytes)                 \
    {                                                                                                        \
        (void)nnzb, (void)values, (void)offsets, (void)columns;                                              \
        return convert_bytes(handle, mb, nb, block_rows, block_cols, bytes);                                 \
    }
CUSPARSE_OF_ALL(CONVERT)

/* ---- gebsr2gebsc: blocks change places, and stay as they are within */

static int run_turn_blocks(const struct cusparse_job *job)
{
    struct sparse_matrix pattern = job->a.m;
    struct sparse_matrix to = cusparse_target(job->type, job->p[0], job->p[1], NULL, job->a.m.base);
    uint64_t bytes = (uint64_t)job->number[ROWS];
    struct sparse_csr turned;
    pattern.values = NULL;
    bool good = sparse_csr_of(&pattern, job->type, SPARSE_T, &turned);
    if (good) sparse_csr_put(&turned, &to);
    for (int64_t k = 0; good && job->p[2] && k < turned.nnz; k++)
        memcpy((char *)job->p[2] + (uint64_t)k * bytes,
               (const char *)job->a.m.values + (uint64_t)turned.position[k] * bytes, bytes);
    sparse_csr_release(&turned);
    return good ? 0 : cusparse_bad_index(job);
}

static cusparseStatus_t gebsr2gebsc(const char *name, enum sparse_type type, cusparseHandle_t handle, int mb,
                                    int nb, int nnzb, const void *values, const int *offsets,
                                    const int *columns, int each, void *to_values, int *rows, int *to_offsets,
                                    cusparseAction_t action, cusparseIndexBase_t base)
{
    struct cusparse_job job = {.name = name, .run = run_turn_blocks, .type = type};
    uint64_t bytes = sparse_bytes(type) * (uint64_t)each;
    CUSPARSE_TRY(cusparse_enter_old(handle));
    CUSPARSE_REFUSE_IF(mb < 0 || nb < 0 || nnzb < 0 || each <= 0);
    job.number[ROWS] = (int64_t)bytes;
    job.p[0] = to_offsets, job.p[1] = rows;
    cusparse_take_csr(&job, mb, nb, nnzb, NULL, offsets, columns, base, 0, &job.a);
    job.a.m.values = CONST_VOID(values);
    cusparse_span(&job, to_offsets, sizeof(int), (int64_t)nb + 1, CUSPARSE_WRITES);
    cusparse_span(&job, rows, sizeof(int), nnzb, CUSPARSE_WRITES);
    if (action == CUSPARSE_ACTION_NUMERIC) {
        job.p[2] = to_values;
        cusparse_span(&job, values, bytes, nnzb, CUSPARSE_READS);
        cusparse_span(&job, to_values, bytes, nnzb, CUSPARSE_WRITES);
    }
    job.kind = EVENT_ROUTINE_STREAM;
    job.n = job.k = (uint64_t)nnzb;
    cusparse_shape(&job, "mb %d, nb %d, nnzb %d", mb, nb, nnzb);
    return cusparse_queue(handle, &job);
}

#define GEBSC(L, T, R)                                                                                       \
    CUSPARSE cusparse##L##gebsr2gebsc(cusparseHandle_t handle, int mb, int nb, int nnzb, const T *values,    \
                                      const int *offsets, const int *columns, int block_rows,                \
                                      int block_cols, T *to_values, int *rows, int *to_offsets,              \
                                      cusparseAction_t action, cusparseIndexBase_t base, void *buffer)       \
    {                                                                                                        \
        (void)buffer;                                                                                        \
        return gebsr2gebsc("cusparse" #L "gebsr2gebsc", CUSPARSE_TYPE_##L, handle, mb, nb, nnzb, values,     \
                           offsets, columns, block_rows * block_cols, to_values, rows, to_offsets, action,   \
                           base);                                                                            \
    }
CUSPARSE_OF_ALL(GEBSC)
