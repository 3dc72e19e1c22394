/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: queues a call as work of the device (routine.h), with the memory it accesses. Method: spans whose
 * length the call knows, and lists as long as offsets of the device say, which are read when they were found
 * to be the device's. Limits: elements of dense operands that sparse ones choose count as read as a whole. */
#include "cusparse_priv.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- scalars */

cusparseStatus_t cusparse_scalar_get(cusparseHandle_t handle, const void *given, cudaDataType type,
                                     struct cusparse_scalar *out)
{
    *out = (struct cusparse_scalar){0};
    CUSPARSE_REFUSE_IF(!given || !cusparse_element(type, &out->element));
    if (handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE)
        out->device = given;
    else
        sparse_load(out->element, given, cusparse_compute(type), &out->value, 1);
    return CUSPARSE_STATUS_SUCCESS;
}

union sparse_scalar cusparse_scalar_value(const struct cusparse_scalar *scalar, enum sparse_type type)
{
    union sparse_scalar value = scalar->value;
    if (scalar->device) sparse_load(scalar->element, scalar->device, type, &value, 1);
    return value;
}

bool cusparse_is_zero(const struct cusparse_scalar *scalar)
{
    static const union sparse_scalar ZERO;
    return !scalar->device && memcmp(&scalar->value, &ZERO, sizeof ZERO) == 0;
}

/* ---- memory */

static void add_span(struct cusparse_job *job, struct cusparse_span span)
{
    if (job->span_count < CUSPARSE_SPANS) job->spans[job->span_count++] = span;
}

void cusparse_span(struct cusparse_job *job, const void *at, uint64_t bytes, int64_t count, int use)
{
    if (count <= 0) return;
    add_span(job, (struct cusparse_span){.at = at,
                                         .bytes = bytes,
                                         .count = (uint64_t)count,
                                         .lines = 1,
                                         .reads = use & CUSPARSE_READS,
                                         .writes = use & CUSPARSE_WRITES});
}

void cusparse_span_by(struct cusparse_job *job, const void *at, uint64_t bytes, const int *offsets,
                      int64_t rows, int use)
{
    add_span(job, (struct cusparse_span){.at = at,
                                         .bytes = bytes,
                                         .count = (uint64_t)rows,
                                         .lines = 1,
                                         .reads = use & CUSPARSE_READS,
                                         .writes = use & CUSPARSE_WRITES,
                                         .offsets = offsets});
}

static uint64_t count_of(const struct cusparse_span *span)
{
    if (!span->offsets) return span->count;
    int64_t count = (int64_t)span->offsets[span->count] - span->offsets[0];
    return count > 0 ? (uint64_t)count : 0;
}

static bool job_range(const void *args, uint32_t i, struct event_routine_range *out)
{
    const struct cusparse_job *job = args;
    uint32_t which = i / 2;
    bool writes = i % 2;
    if (which >= job->span_count) return false;
    const struct cusparse_span *span = &job->spans[which];
    bool used = writes ? span->writes : span->reads;
    uint64_t width = used ? sw_product(count_of(span), span->bytes) : 0;
    *out = (struct event_routine_range){.address = (uintptr_t)span->at,
                                        .pitch = span->lines > 1 ? span->pitch : width,
                                        .width = width,
                                        .height = width ? span->lines : 0,
                                        .writes = writes};
    return true;
}

/* ---- operands */

static const enum sparse_format FORMATS[] = {
    [CUSPARSE_FORMAT_CSR] = SPARSE_CSR, [CUSPARSE_FORMAT_CSC] = SPARSE_CSC,
    [CUSPARSE_FORMAT_COO] = SPARSE_COO, [CUSPARSE_FORMAT_BLOCKED_ELL] = SPARSE_BLOCKED_ELL,
    [CUSPARSE_FORMAT_BSR] = SPARSE_BSR, [CUSPARSE_FORMAT_SLICED_ELLPACK] = SPARSE_SLICED_ELL};

/* How many offsets and indices there are. */
static void lengths(const struct sparse_matrix *m, int64_t *offsets, int64_t *indices)
{
    *offsets = 0;
    *indices = m->nnz;
    switch (m->format) {
    case SPARSE_CSR: *offsets = m->rows + 1; break;
    case SPARSE_CSC: *offsets = m->cols + 1; break;
    case SPARSE_COO: *offsets = m->nnz; break;
    case SPARSE_SLICED_ELL: *offsets = (m->rows + m->block_rows - 1) / m->block_rows + 1; break;
    case SPARSE_BSR:
        *offsets = m->rows / m->block_rows + 1;
        *indices = m->nnz / (m->block_rows * m->block_cols);
        break;
    case SPARSE_BLOCKED_ELL: *indices = m->nnz / (m->block_rows * m->block_cols); break;
    }
}

/* Spans of a matrix: READS and WRITES are of its values, PATTERN of its indices, too. */
static void add_matrix(struct cusparse_job *job, const struct cusparse_sparse *x, int use)
{
    const struct sparse_matrix *m = &x->m;
    int64_t offsets, indices, items = job->batch > 1 ? job->batch - 1 : 0;
    lengths(m, &offsets, &indices);
    if (use & CUSPARSE_PATTERN) {
        cusparse_span(job, m->offsets, m->wide_offsets ? 8 : 4, offsets + items * x->offsets_stride,
                      CUSPARSE_READS);
        cusparse_span(job, m->indices, m->wide_indices ? 8 : 4, indices + items * x->indices_stride,
                      CUSPARSE_READS);
    }
    if (use & (CUSPARSE_READS | CUSPARSE_WRITES))
        cusparse_span(job, m->values, sparse_element_bytes(m->element), m->nnz + items * x->values_stride,
                      use);
}

cusparseStatus_t cusparse_take_sparse(struct cusparse_job *job, cusparseConstSpMatDescr_t d, int use,
                                      struct cusparse_sparse *out)
{
    struct sparse_matrix *m = &out->m;
    *out = (struct cusparse_sparse){.offsets_stride = d->offsets_stride,
                                    .indices_stride = d->indices_stride,
                                    .values_stride = d->values_stride};
    *m = (struct sparse_matrix){.format = FORMATS[d->format],
                                .rows = d->rows,
                                .cols = d->cols,
                                .nnz = d->nnz,
                                .offsets = d->offsets,
                                .indices = d->indices,
                                .values = use & (CUSPARSE_READS | CUSPARSE_WRITES) ? d->values : NULL,
                                .wide_offsets = d->offsets_type == CUSPARSE_INDEX_64I,
                                .wide_indices = d->indices_type == CUSPARSE_INDEX_64I,
                                .base = d->base,
                                .block_rows = d->block,
                                .block_cols = d->block,
                                .ell_cols = d->ell_cols,
                                .column_blocks = d->order == CUSPARSE_ORDER_COL};
    if (d->format == CUSPARSE_FORMAT_BSR) m->nnz = d->nnz * d->block * d->block;
    if (!cusparse_element(d->type, &m->element)) return CUSPARSE_STATUS_NOT_SUPPORTED;
    if (d->offsets_type == CUSPARSE_INDEX_16U || d->indices_type == CUSPARSE_INDEX_16U ||
        d->rows > INT32_MAX || d->cols > INT32_MAX) {
        routine_refuse(job->name, "indices of 16 bits, or above 2^31 - 1");
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    }
    add_matrix(job, out, use);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparse_take_dense(struct cusparse_job *job, cusparseConstDnMatDescr_t d, int use,
                                     struct cusparse_dense *out)
{
    bool by_rows = d->order == CUSPARSE_ORDER_ROW;
    *out = (struct cusparse_dense){.stride = d->stride};
    out->m = (struct sparse_dense_source){
        .rows = d->rows, .cols = d->cols, .ld = d->ld, .by_rows = by_rows, .values = d->values};
    if (!cusparse_element(d->type, &out->m.element)) return CUSPARSE_STATUS_NOT_SUPPORTED;
    uint64_t bytes = sparse_element_bytes(out->m.element);
    uint64_t lines = (uint64_t)(by_rows ? d->rows : d->cols),
             length = (uint64_t)(by_rows ? d->cols : d->rows);
    struct cusparse_span span = {.at = d->values,
                                 .bytes = bytes,
                                 .count = length,
                                 .lines = lines,
                                 .pitch = sw_product((uint64_t)d->ld, bytes),
                                 .reads = use & CUSPARSE_READS,
                                 .writes = use & CUSPARSE_WRITES};
    if (d->batch > 1) { /* as a whole, with the gaps */
        uint64_t last = lines ? sw_sum(sw_product(lines - 1, (uint64_t)d->ld), length) : 0;
        span.count = sw_sum(sw_product((uint64_t)(d->batch - 1), (uint64_t)d->stride), last);
        span.lines = 1;
    }
    if (lines && length) add_span(job, span);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparse_take_vector(struct cusparse_job *job, cusparseConstDnVecDescr_t d, int use,
                                      struct cusparse_dense *out)
{
    struct cusparseDnMatDescr column = {.rows = d->size,
                                        .cols = 1,
                                        .ld = d->size,
                                        .values = d->values,
                                        .type = d->type,
                                        .order = CUSPARSE_ORDER_COL,
                                        .batch = 1};
    return cusparse_take_dense(job, &column, use, out);
}

void cusparse_take_csr(struct cusparse_job *job, int rows, int cols, int64_t nnz, const void *values,
                       const int *offsets, const int *columns, int base, int use, struct cusparse_sparse *out)
{
    *out = (struct cusparse_sparse){.m = {.format = SPARSE_CSR,
                                          .rows = rows,
                                          .cols = cols,
                                          .nnz = nnz >= 0 ? nnz : INT64_MAX,
                                          .offsets = offsets,
                                          .indices = columns,
                                          .values = (void *)(uintptr_t)values,
                                          .base = base,
                                          .element = sparse_element_of(job->type),
                                          .block_rows = 1,
                                          .block_cols = 1}};
    cusparse_span(job, offsets, sizeof *offsets, (int64_t)rows + 1, CUSPARSE_READS);
    if (nnz >= 0 && columns) cusparse_span(job, columns, sizeof *columns, nnz, CUSPARSE_READS);
    if (nnz >= 0 && values) cusparse_span(job, values, sparse_bytes(job->type), nnz, use);
    if (nnz < 0 && columns) cusparse_span_by(job, columns, sizeof *columns, offsets, rows, CUSPARSE_READS);
    if (nnz < 0 && values) cusparse_span_by(job, values, sparse_bytes(job->type), offsets, rows, use);
}

void cusparse_take_blocks(struct cusparse_job *job, const struct cusparse_blocks *x, int use,
                          struct cusparse_sparse *out)
{
    int64_t each = (int64_t)x->block_rows * x->block_cols;
    uint64_t bytes = sparse_bytes(job->type) * (uint64_t)each;
    *out = (struct cusparse_sparse){.m = {.format = SPARSE_BSR,
                                          .rows = (int64_t)x->rows * x->block_rows,
                                          .cols = (int64_t)x->cols * x->block_cols,
                                          .nnz = x->nnzb >= 0 ? x->nnzb * each : INT64_MAX,
                                          .offsets = x->offsets,
                                          .indices = x->columns,
                                          .values = (void *)(uintptr_t)x->values,
                                          .base = x->base,
                                          .element = sparse_element_of(job->type),
                                          .block_rows = x->block_rows,
                                          .block_cols = x->block_cols,
                                          .column_blocks = x->dir == CUSPARSE_DIRECTION_COLUMN}};
    cusparse_span(job, x->offsets, sizeof(int), (int64_t)x->rows + 1, CUSPARSE_READS);
    if (x->nnzb >= 0) {
        cusparse_span(job, x->columns, sizeof(int), x->nnzb, CUSPARSE_READS);
        if (x->values) cusparse_span(job, x->values, bytes, x->nnzb, use);
    } else {
        cusparse_span_by(job, x->columns, sizeof(int), x->offsets, x->rows, CUSPARSE_READS);
        if (x->values) cusparse_span_by(job, x->values, bytes, x->offsets, x->rows, use);
    }
}

struct sparse_matrix cusparse_target(enum sparse_type type, const void *offsets, const void *columns,
                                     const void *values, int base)
{
    return (struct sparse_matrix){.format = SPARSE_CSR,
                                  .offsets = offsets,
                                  .indices = columns,
                                  .values = (void *)(uintptr_t)values,
                                  .base = base,
                                  .element = sparse_element_of(type)};
}

/* ---- items of batches */

static const void *moved(const void *at, int64_t elements, uint64_t bytes)
{
    return at ? (const char *)at + elements * (int64_t)bytes : NULL;
}

struct sparse_matrix cusparse_sparse_at(const struct cusparse_sparse *x, int item)
{
    struct sparse_matrix m = x->m;
    m.offsets = moved(m.offsets, item * x->offsets_stride, m.wide_offsets ? 8 : 4);
    m.indices = moved(m.indices, item * x->indices_stride, m.wide_indices ? 8 : 4);
    m.values = (void *)(uintptr_t)moved(m.values, item * x->values_stride, sparse_element_bytes(m.element));
    return m;
}

struct sparse_dense_source cusparse_dense_at(const struct cusparse_dense *x, int item)
{
    struct sparse_dense_source m = x->m;
    m.values = (void *)(uintptr_t)moved(m.values, item * x->stride, sparse_element_bytes(m.element));
    return m;
}

/* ---- queueing */

void cusparse_shape(struct cusparse_job *job, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(job->shape, sizeof job->shape, format, list);
    va_end(list);
}

static int job_run(const void *args)
{
    const struct cusparse_job *job = args;
    if (job->state && !cusparse_state_lives(job->state)) {
        sw_log("%s uses a descriptor that was destroyed", job->name);
        return CUDA_ERROR_INVALID_HANDLE;
    }
    return job->run(job);
}

int cusparse_bad_index(const struct cusparse_job *job)
{
    sw_log("%s: an offset or index of a sparse matrix is outside of it (%s)", job->name, job->shape);
    return CUSPARSE_BAD_INDEX;
}

cusparseStatus_t cusparse_queue(cusparseHandle_t handle, const struct cusparse_job *job)
{
    bool wide = job->type == SPARSE_D || job->type == SPARSE_Z;
    struct event_routine_work work = {.run = job_run,
                                      .measure = cusparse_measure,
                                      .range = job_range,
                                      .args = job,
                                      .arg_bytes = sizeof *job};
    work.what = (struct event_routine){.name = job->name,
                                       .shape = job->shape,
                                       .kind = job->kind,
                                       .math = wide ? EVENT_MATH_F64 : EVENT_MATH_F32,
                                       .m = job->m,
                                       .n = job->n,
                                       .k = job->k,
                                       .batch = job->batch > 1 ? (uint64_t)job->batch : 1,
                                       .flops = job->flops};
    for (unsigned i = 0; i < job->span_count; i++) {
        const struct cusparse_span *span = &job->spans[i];
        uint64_t count = span->offsets ? job->k : span->count; /* k: elements, as far as the call knows */
        if (span->reads) work.what.read_bytes += count * span->bytes * span->lines;
        if (span->writes) work.what.wrote_bytes += count * span->bytes * span->lines;
    }
    cusparse_cost(job, &work.what);
    return cusparse_status(routine_submit("libcusparse", handle->stream, &work));
}

cusparseStatus_t cusparse_queue_and_wait(cusparseHandle_t handle, const struct cusparse_job *job)
{
    CUSPARSE_TRY(cusparse_queue(handle, job));
    return cusparse_status(cuStreamSynchronize(handle->stream));
}

cusparseStatus_t cusparse_queue_count(cusparseHandle_t handle, struct cusparse_job *job, int *result)
{
    CUSPARSE_REFUSE_IF(!result);
    if (handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE) {
        job->p[7] = result;
        cusparse_span(job, result, sizeof *result, 1, CUSPARSE_WRITES);
        return cusparse_queue(handle, job);
    }
    job->result = result;
    return cusparse_queue_and_wait(handle, job);
}

void cusparse_put_count(const struct cusparse_job *job, int64_t count)
{
    int *to = job->result ? job->result : job->p[7];
    if (to) *to = (int)count;
}
