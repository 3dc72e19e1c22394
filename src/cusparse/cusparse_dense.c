/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: SparseToDense, DenseToSparse, and how many elements of a dense matrix are not zero. Method: the
 * analysis counts and waits, as its result is a number of the host; the conversion writes. Limits: buffers
 * are asked for and not used. */
#include "cusparse_priv.h"

#include <stdlib.h>
#include <string.h>

static const struct sparse_filter NOT_ZERO = {-1};

/* ---- SparseToDense */

static int run_to_dense(const struct cusparse_job *job)
{
    struct sparse_csr a;
    struct sparse_dense out;
    uint64_t element = sparse_element_bytes(job->y.m.element), number = sparse_bytes(job->type);
    if (!sparse_csr_of(&job->a.m, job->type, SPARSE_N, &a)) {
        sparse_csr_release(&a);
        return cusparse_bad_index(job);
    }
    const struct sparse_dense_source *to = &job->y.m;
    int64_t lines = to->by_rows ? to->rows : to->cols, length = to->by_rows ? to->cols : to->rows;
    for (int64_t i = 0; i < lines; i++)
        memset((char *)to->values + (uint64_t)(i * to->ld) * element, 0, (uint64_t)length * element);
    sparse_dense_open(to, job->type, &out);
    for (int64_t r = 0; r < a.rows; r++)
        for (int64_t k = a.offsets[r]; k < a.offsets[r + 1]; k++)
            memcpy((char *)out.values +
                       (uint64_t)(r * out.row_stride + a.columns[k] * out.col_stride) * number,
                   (const char *)a.values + (uint64_t)k * number, number);
    sparse_dense_close(&out, to, true);
    sparse_csr_release(&a);
    return 0;
}

static cusparseStatus_t to_dense_check(cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b)
{
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(a) || CUSPARSE_GONE(b) || a->rows != b->rows || a->cols != b->cols);
    bool has_format = a->format == CUSPARSE_FORMAT_CSR || a->format == CUSPARSE_FORMAT_CSC ||
                      a->format == CUSPARSE_FORMAT_COO;
    return has_format && a->type == b->type ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
}

/* What the numbers are between: exactly as they are. */
static enum sparse_type carrier(cudaDataType type)
{
    return cusparse_compute(type);
}

static void describe(struct cusparse_job *job, int64_t rows, int64_t cols, int64_t nnz)
{
    job->kind = EVENT_ROUTINE_STREAM;
    job->m = (uint64_t)rows;
    job->n = (uint64_t)cols;
    job->k = (uint64_t)nnz;
    cusparse_shape(job, "m %lld, n %lld, nnz %lld", (long long)rows, (long long)cols, (long long)nnz);
}

CUSPARSE cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                                          cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t algorithm,
                                          size_t *bytes)
{
    enum { LEAST = 11 }; /* recorded on an H200 */
    (void)algorithm;
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_TRY(to_dense_check(a, b));
    CUSPARSE_REFUSE_IF(!bytes);
    *bytes = LEAST;
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b,
                               cusparseSparseToDenseAlg_t algorithm, void *buffer)
{
    struct cusparse_job job = {.name = "cusparseSparseToDense", .run = run_to_dense};
    (void)algorithm, (void)buffer;
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_TRY(to_dense_check(a, b));
    job.type = carrier(a->type);
    CUSPARSE_TRY(cusparse_take_sparse(&job, a, CUSPARSE_READS | CUSPARSE_PATTERN, &job.a));
    CUSPARSE_TRY(cusparse_take_dense(&job, b, CUSPARSE_WRITES, &job.y));
    describe(&job, a->rows, a->cols, a->nnz);
    return cusparse_queue(handle, &job);
}

/* ---- DenseToSparse */

/* The dense matrix as the format wants it: CSC is CSR of the transpose. */
static void open_for(const struct cusparse_job *job, struct sparse_dense *out)
{
    sparse_dense_open(&job->x.m, job->type, out);
    if (job->c.m.format != SPARSE_CSC) return;
    struct sparse_dense turned = *out;
    turned.rows = out->cols;
    turned.cols = out->rows;
    turned.row_stride = out->col_stride;
    turned.col_stride = out->row_stride;
    *out = turned;
}

static int run_to_sparse(const struct cusparse_job *job)
{
    struct sparse_dense dense;
    struct sparse_csr found;
    struct sparse_matrix to = job->c.m;
    if (to.format == SPARSE_CSC) to.format = SPARSE_CSR;
    open_for(job, &dense);
    sparse_of_dense(&dense, &NOT_ZERO, &found);
    bool counts = job->number[0], good = counts || found.nnz == to.nnz;
    if (counts) {
        *(int64_t *)job->result = found.nnz;
        to.indices = to.values = NULL;
        if (to.format == SPARSE_COO) to.offsets = NULL;
    }
    if (good) sparse_csr_put(&found, &to);
    sparse_csr_release(&found);
    sparse_dense_close(&dense, &job->x.m, false);
    return good ? 0 : cusparse_bad_index(job);
}

/* Blocked ELL says itself where elements are. */
static int run_to_ell(const struct cusparse_job *job)
{
    struct sparse_matrix m = job->c.m, pattern = m;
    struct sparse_csr found;
    struct sparse_dense dense;
    uint64_t number = sparse_bytes(job->type);
    pattern.values = NULL;
    bool good = sparse_csr_of(&pattern, job->type, SPARSE_N, &found);
    if (good) {
        sparse_dense_open(&job->x.m, job->type, &dense);
        found.values = sw_xmalloc((uint64_t)found.nnz * number + 1);
        found.owns_values = true;
        for (int64_t r = 0; r < found.rows; r++)
            for (int64_t k = found.offsets[r]; k < found.offsets[r + 1]; k++)
                memcpy((char *)found.values + (uint64_t)k * number,
                       (const char *)dense.values +
                           (uint64_t)(r * dense.row_stride + found.columns[k] * dense.col_stride) * number,
                       number);
        sparse_csr_write(&found, &m);
        sparse_dense_close(&dense, &job->x.m, false);
    }
    sparse_csr_release(&found);
    return good ? 0 : cusparse_bad_index(job);
}

static cusparseStatus_t to_sparse_check(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                        cusparseConstSpMatDescr_t b)
{
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(a) || CUSPARSE_GONE(b) || a->rows != b->rows || a->cols != b->cols);
    bool has_format = b->format == CUSPARSE_FORMAT_CSR || b->format == CUSPARSE_FORMAT_CSC ||
                      b->format == CUSPARSE_FORMAT_COO || b->format == CUSPARSE_FORMAT_BLOCKED_ELL;
    return has_format && a->type == b->type ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
}

CUSPARSE cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                          cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t algorithm,
                                          size_t *bytes)
{
    enum { ROOM = 1024 }; /* near what an H200 asks for, with 8 bytes a line */
    (void)algorithm;
    CUSPARSE_TRY(to_sparse_check(handle, a, b));
    CUSPARSE_REFUSE_IF(!bytes);
    *bytes = ROOM + 8 * (size_t)(a->rows > a->cols ? a->rows : a->cols);
    return CUSPARSE_STATUS_SUCCESS;
}

/* Offsets of b, which are there from the first phase on. */
static void span_offsets(struct cusparse_job *job, cusparseConstSpMatDescr_t b)
{
    int64_t lines = b->format == CUSPARSE_FORMAT_CSC ? b->cols : b->rows;
    if (b->offsets && b->format != CUSPARSE_FORMAT_COO)
        cusparse_span(job, b->offsets, job->c.m.wide_offsets ? 8 : 4, lines + 1, CUSPARSE_WRITES);
}

CUSPARSE cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                        cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t algorithm,
                                        void *buffer)
{
    struct cusparse_job job = {.name = "cusparseDenseToSparse_analysis", .run = run_to_sparse};
    int64_t nnz = 0;
    (void)algorithm, (void)buffer;
    CUSPARSE_TRY(to_sparse_check(handle, a, b));
    if (b->format == CUSPARSE_FORMAT_BLOCKED_ELL) return CUSPARSE_STATUS_SUCCESS;
    job.type = carrier(a->type);
    job.number[0] = 1;
    job.result = &nnz;
    CUSPARSE_TRY(cusparse_take_dense(&job, a, CUSPARSE_READS, &job.x));
    CUSPARSE_TRY(cusparse_take_sparse(&job, b, 0, &job.c));
    span_offsets(&job, b);
    describe(&job, a->rows, a->cols, 0);
    CUSPARSE_TRY(cusparse_queue_and_wait(handle, &job));
    b->nnz = nnz;
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                       cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t algorithm,
                                       void *buffer)
{
    struct cusparse_job job = {.name = "cusparseDenseToSparse_convert", .run = run_to_sparse};
    (void)algorithm, (void)buffer;
    CUSPARSE_TRY(to_sparse_check(handle, a, b));
    bool is_ell = b->format == CUSPARSE_FORMAT_BLOCKED_ELL;
    if (is_ell) job.run = run_to_ell;
    job.type = carrier(a->type);
    CUSPARSE_TRY(cusparse_take_dense(&job, a, CUSPARSE_READS, &job.x));
    CUSPARSE_TRY(cusparse_take_sparse(&job, b, CUSPARSE_WRITES | (is_ell ? CUSPARSE_PATTERN : 0), &job.c));
    if (!is_ell) {
        span_offsets(&job, b);
        cusparse_span(&job, b->indices, job.c.m.wide_indices ? 8 : 4, b->nnz, CUSPARSE_WRITES);
        if (b->format == CUSPARSE_FORMAT_COO)
            cusparse_span(&job, b->offsets, job.c.m.wide_offsets ? 8 : 4, b->nnz, CUSPARSE_WRITES);
    }
    describe(&job, a->rows, a->cols, b->nnz);
    return cusparse_queue(handle, &job);
}

/* ---- nnz: of each row or column, and of all */

static int run_nnz(const struct cusparse_job *job)
{
    struct sparse_dense dense = {.rows = job->number[0],
                                 .cols = job->number[1],
                                 .row_stride = 1,
                                 .col_stride = job->number[2],
                                 .values = job->p[0],
                                 .type = job->type};
    struct sparse_csr found;
    int *each = job->p[1];
    bool by_columns = job->number[3];
    if (by_columns) {
        dense.rows = job->number[1];
        dense.cols = job->number[0];
        dense.row_stride = job->number[2];
        dense.col_stride = 1;
    }
    sparse_of_dense(&dense, &NOT_ZERO, &found);
    for (int64_t r = 0; r < found.rows; r++)
        each[r] = (int)(found.offsets[r + 1] - found.offsets[r]);
    cusparse_put_count(job, found.nnz);
    sparse_csr_release(&found);
    return 0;
}

static cusparseStatus_t nnz(const char *name, enum sparse_type type, cusparseHandle_t handle,
                            cusparseDirection_t dir, int m, int n, cusparseMatDescr_t descr, const void *a,
                            int lda, int *each, int *total)
{
    struct cusparse_job job = {.name = name, .run = run_nnz, .type = type, .number = {m, n, lda, dir}};
    CUSPARSE_TRY(cusparse_enter_old(handle));
    CUSPARSE_REFUSE_IF(m < 0 || n < 0 || lda < m || CUSPARSE_GONE(descr) || CUSPARSE_GONE(a) || !each ||
                       !total);
    job.p[0] = (void *)(uintptr_t)a;
    job.p[1] = each;
    cusparse_span(&job, a, sparse_bytes(type), n ? (int64_t)(n - 1) * lda + m : 0, CUSPARSE_READS);
    cusparse_span(&job, each, sizeof *each, dir == CUSPARSE_DIRECTION_ROW ? m : n, CUSPARSE_WRITES);
    describe(&job, m, n, 0);
    return cusparse_queue_count(handle, &job, total);
}

#define NNZ(L, T, R)                                                                                         \
    CUSPARSE cusparse##L##nnz(cusparseHandle_t handle, cusparseDirection_t dir, int m, int n,                \
                              cusparseMatDescr_t descr, const T *a, int lda, int *each, int *total)          \
    {                                                                                                        \
        return nnz("cusparse" #L "nnz", CUSPARSE_TYPE_##L, handle, dir, m, n, descr, a, lda, each, total);   \
    }
CUSPARSE_OF_ALL(NNZ)
