/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: prune: CSR of the elements above a threshold, or of a share of the largest, from a dense matrix or
 * a CSR. Method: what counts and what fills compute the same; the threshold of a percentage is the absolute
 * value at its place among all when they are sorted (documented). Limits: thresholds of the device's memory
 * are read when the call runs. */
#include "cusparse_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of `count` numbers, strided as a dense matrix or a list. */
static double threshold_of(const struct sparse_dense *x, double percentage)
{
    uint64_t count = (uint64_t)x->rows * (uint64_t)x->cols, i = 0, bytes = sparse_bytes(x->type);
    double *sizes = sw_xmalloc(count * sizeof *sizes + 1);
    for (int64_t c = 0; c < x->cols; c++)
        for (int64_t r = 0; r < x->rows; r++)
            sizes[i++] = sparse_magnitude(
                x->type, (const char *)x->values + (uint64_t)(r * x->row_stride + c * x->col_stride) * bytes);
    qsort(sizes, count, sizeof *sizes, by_size);
    double place = ceil((double)count * (percentage / 100)) - 1;
    place = place < 0 ? 0 : place >= (double)count ? (double)count - 1 : place;
    double threshold = count ? sizes[(uint64_t)place] : 0;
    free(sizes);
    return threshold;
}

/* job.a: a CSR, or job.x: dense; value: a percentage, or below 0: alpha is the threshold */
static int run_prune(const struct cusparse_job *job)
{
    bool is_dense = job->x.m.values;
    struct sparse_filter filter = {0};
    struct sparse_csr a = {0}, kept;
    struct sparse_dense dense = {0};
    bool good = is_dense || sparse_csr_of(&job->a.m, job->type, SPARSE_N, &a);
    if (is_dense) sparse_dense_open(&job->x.m, job->type, &dense);
    if (good) {
        struct sparse_dense list = {a.nnz, 1, 1, a.nnz, a.values, job->type, false};
        union sparse_scalar given = cusparse_scalar_value(&job->alpha, job->type);
        filter.above = job->value >= 0         ? threshold_of(is_dense ? &dense : &list, job->value)
                       : job->type == SPARSE_D ? given.d[0]
                                               : (double)given.s[0];
        if (is_dense)
            sparse_of_dense(&dense, &filter, &kept);
        else
            sparse_of_csr(&a, &filter, &kept);
        struct sparse_matrix to = job->c.m;
        sparse_csr_put(&kept, &to);
        cusparse_put_count(job, kept.nnz);
        sparse_csr_release(&kept);
    }
    if (is_dense) sparse_dense_close(&dense, &job->x.m, false);
    sparse_csr_release(&a);
    return good ? 0 : cusparse_bad_index(job);
}

struct prune_call {
    const char *name;
    cudaDataType type;
    cusparseHandle_t handle;
    int m, n;
    const void *dense; /* or NULL, and a CSR */
    int lda, nnz;
    cusparseMatDescr_t descr;
    const void *values;
    const int *offsets, *columns;
    const void *threshold; /* or NULL, and a percentage */
    double percentage;
    cusparseMatDescr_t to_descr;
    void *to_values;
    int *to_offsets, *to_columns, *total; /* total: offsets are written and counted; else the rest */
};

static cusparseStatus_t prune(const struct prune_call *c)
{
    struct cusparse_job job = {
        .name = c->name, .run = run_prune, .type = cusparse_compute(c->type), .value = -1};
    struct sparse_element element;
    CUSPARSE_TRY(cusparse_enter_old(c->handle));
    CUSPARSE_REFUSE_IF(c->m < 0 || c->n < 0 || CUSPARSE_GONE(c->to_descr) ||
                       !cusparse_element(c->type, &element));
    CUSPARSE_REFUSE_IF(c->dense ? c->lda < c->m : !c->descr || c->nnz < 0);
    CUSPARSE_REFUSE_IF(!c->threshold && !(c->percentage >= 0 && c->percentage <= 100));
    if (c->threshold) {
        CUSPARSE_TRY(cusparse_scalar_get(c->handle, c->threshold, c->type, &job.alpha));
    } else {
        job.value = c->percentage;
    }
    uint64_t bytes = sparse_element_bytes(element);
    if (c->dense) {
        struct cusparseDnMatDescr dense = {.rows = c->m,
                                           .cols = c->n,
                                           .ld = c->lda,
                                           .values = (void *)(uintptr_t)c->dense,
                                           .type = c->type,
                                           .order = CUSPARSE_ORDER_COL,
                                           .batch = 1};
        CUSPARSE_TRY(cusparse_take_dense(&job, &dense, CUSPARSE_READS, &job.x));
    } else {
        cusparse_take_csr(&job, c->m, c->n, c->nnz, NULL, c->offsets, c->columns, c->descr->base, 0, &job.a);
        job.a.m.values = (void *)(uintptr_t)c->values;
        job.a.m.element = element;
        cusparse_span(&job, c->values, bytes, c->nnz, CUSPARSE_READS);
    }
    job.c.m = cusparse_target(job.type, c->total ? c->to_offsets : NULL, c->to_columns, c->to_values,
                              (int)c->to_descr->base);
    job.c.m.element = element;
    cusparse_span(&job, c->to_offsets, sizeof(int), (int64_t)c->m + 1,
                  c->total ? CUSPARSE_WRITES : CUSPARSE_READS);
    if (!c->total) {
        cusparse_span_by(&job, c->to_columns, sizeof(int), c->to_offsets, c->m, CUSPARSE_WRITES);
        cusparse_span_by(&job, c->to_values, bytes, c->to_offsets, c->m, CUSPARSE_WRITES);
    }
    job.kind = EVENT_ROUTINE_STREAM;
    job.m = (uint64_t)c->m;
    job.n = (uint64_t)c->n;
    job.k = (uint64_t)c->nnz;
    cusparse_shape(&job, "m %d, n %d", c->m, c->n);
    return c->total ? cusparse_queue_count(c->handle, &job, c->total) : cusparse_queue(c->handle, &job);
}

static cusparseStatus_t prune_bytes(cusparseHandle_t handle, int m, int n, size_t *bytes)
{
    enum { ROOM = 1024 };
    CUSPARSE_TRY(cusparse_enter_old(handle));
    CUSPARSE_REFUSE_IF(m < 0 || n < 0 || !bytes);
    *bytes = ROOM + sizeof(int) * (size_t)m;
    return CUSPARSE_STATUS_SUCCESS;
}

/* Lists of parameters that functions share; info is of percentages alone. */
#define DENSE_GIVEN(T) cusparseHandle_t handle, int m, int n, const T *a, int lda
#define CSR_GIVEN(T)                                                                                         \
    cusparseHandle_t handle, int m, int n, int nnz, cusparseMatDescr_t descr, const T *values,               \
        const int *offsets, const int *columns
#define DENSE_CALL(function, TYPE)                                                                           \
    .name = function, .type = TYPE, .handle = handle, .m = m, .n = n, .dense = a, .lda = lda
#define CSR_CALL(function, TYPE)                                                                             \
    .name = function, .type = TYPE, .handle = handle, .m = m, .n = n, .nnz = nnz, .descr = descr,            \
    .values = values, .offsets = offsets, .columns = columns
#define IGNORE_DENSE (void)a, (void)lda
#define IGNORE_CSR   (void)nnz, (void)descr, (void)values, (void)offsets, (void)columns

#define PRUNE(L, T, TYPE, What, GIVEN, CALL, IGNORED)                                                        \
    CUSPARSE cusparse##L##prune##What##_bufferSizeExt(GIVEN(T), const T *threshold, cusparseMatDescr_t to,   \
                                                      const T *to_values, const int *to_offsets,             \
                                                      const int *to_columns, size_t *bytes)                  \
    {                                                                                                        \
        (void)threshold, IGNORED, (void)to, (void)to_values, (void)to_offsets, (void)to_columns;             \
        return prune_bytes(handle, m, n, bytes);                                                             \
    }                                                                                                        \
    CUSPARSE cusparse##L##prune##What##Nnz(GIVEN(T), const T *threshold, cusparseMatDescr_t to,              \
                                           int *to_offsets, int *total, void *buffer)                        \
    {                                                                                                        \
        struct prune_call c = {CALL("cusparse" #L "prune" #What "Nnz", TYPE), .threshold = threshold,        \
                               .to_descr = to, .to_offsets = to_offsets, .total = total};                    \
        (void)buffer;                                                                                        \
        CUSPARSE_REFUSE_IF(!threshold || !total);                                                            \
        return prune(&c);                                                                                    \
    }                                                                                                        \
    CUSPARSE cusparse##L##prune##What(GIVEN(T), const T *threshold, cusparseMatDescr_t to, T *to_values,     \
                                      const int *to_offsets, int *to_columns, void *buffer)                  \
    {                                                                                                        \
        struct prune_call c = {CALL("cusparse" #L "prune" #What, TYPE),                                      \
                               .threshold = threshold,                                                       \
                               .to_descr = to,                                                               \
                               .to_values = to_values,                                                       \
                               .to_offsets = (int *)(uintptr_t)to_offsets,                                   \
                               .to_columns = to_columns};                                                    \
        (void)buffer;                                                                                        \
        CUSPARSE_REFUSE_IF(!threshold);                                                                      \
        return prune(&c);                                                                                    \
    }                                                                                                        \
    CUSPARSE cusparse##L##prune##What##ByPercentage_bufferSizeExt(                                           \
        GIVEN(T), float percentage, cusparseMatDescr_t to, const T *to_values, const int *to_offsets,        \
        const int *to_columns, pruneInfo_t info, size_t *bytes)                                              \
    {                                                                                                        \
        (void)percentage, (void)info, IGNORED, (void)to, (void)to_values, (void)to_offsets,                  \
            (void)to_columns;                                                                                \
        return prune_bytes(handle, m, n, bytes);                                                             \
    }                                                                                                        \
    CUSPARSE cusparse##L##prune##What##ByPercentage(GIVEN(T), float percentage, cusparseMatDescr_t to,       \
                                                    T *to_values, const int *to_offsets, int *to_columns,    \
                                                    pruneInfo_t info, void *buffer)                          \
    {                                                                                                        \
        struct prune_call c = {CALL("cusparse" #L "prune" #What "ByPercentage", TYPE),                       \
                               .percentage = (double)percentage,                                             \
                               .to_descr = to,                                                               \
                               .to_values = to_values,                                                       \
                               .to_offsets = (int *)(uintptr_t)to_offsets,                                   \
                               .to_columns = to_columns};                                                    \
        (void)buffer, (void)info;                                                                            \
        return prune(&c);                                                                                    \
    }
#define PRUNE_NNZ(L, T, TYPE, Name, GIVEN, CALL)                                                             \
    CUSPARSE cusparse##L##prune##Name(GIVEN(T), float percentage, cusparseMatDescr_t to, int *to_offsets,    \
                                      int *total, pruneInfo_t info, void *buffer)                            \
    {                                                                                                        \
        struct prune_call c = {CALL("cusparse" #L "prune" #Name, TYPE), .percentage = (double)percentage,    \
                               .to_descr = to, .to_offsets = to_offsets, .total = total};                    \
        (void)buffer, (void)info;                                                                            \
        CUSPARSE_REFUSE_IF(!total);                                                                          \
        return prune(&c);                                                                                    \
    }
#define ALL_PRUNE(L, T, TYPE)                                                                                \
    PRUNE(L, T, TYPE, Dense2csr, DENSE_GIVEN, DENSE_CALL, IGNORE_DENSE)                                      \
    PRUNE(L, T, TYPE, Csr2csr, CSR_GIVEN, CSR_CALL, IGNORE_CSR)                                              \
    PRUNE_NNZ(L, T, TYPE, Dense2csrNnzByPercentage, DENSE_GIVEN, DENSE_CALL)                                 \
    PRUNE_NNZ(L, T, TYPE, Csr2csrNnzByPercentage, CSR_GIVEN, CSR_CALL)
ALL_PRUNE(S, float, CUDA_R_32F)
ALL_PRUNE(D, double, CUDA_R_64F)
ALL_PRUNE(H, uint16_t, CUDA_R_16F) /* __half is C++'s */
