/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the rest of the older functions: gemvi, csrgeam2, csrcolor, and what leaves small elements out
 * (compress, prune). Method: what counts computes the pattern as what fills does. Limits: colors are others
 * than NVIDIA's; thresholds of halves are floats. */
#include "cusparse_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CONST_VOID(pointer) ((void *)(uintptr_t)(pointer))

static void describe(struct cusparse_job *job, enum event_routine_kind kind, int m, int n, int64_t nnz)
{
    job->kind = (uint8_t)kind;
    job->m = (uint64_t)m;
    job->n = kind == EVENT_ROUTINE_SPARSE ? 1 : (uint64_t)n;
    job->k = (uint64_t)nnz;
    cusparse_shape(job, "m %d, n %d, nnz %lld", m, n, (long long)nnz);
}

/* ---- gemvi: a dense matrix by a sparse vector, which is a matrix of one row */

static int run_gemvi(const struct cusparse_job *job)
{
    union sparse_scalar alpha = cusparse_scalar_value(&job->alpha, job->type);
    union sparse_scalar beta = cusparse_scalar_value(&job->beta, job->type);
    int offsets[2] = {0, (int)job->a.m.nnz};
    struct sparse_matrix row = job->a.m;
    struct sparse_csr x;
    if (row.base) offsets[0]++, offsets[1]++;
    row.offsets = offsets;
    bool good = sparse_csr_of(&row, job->type, SPARSE_N, &x);
    if (good) {
        struct sparse_dense a, y;
        sparse_dense_rows(&job->x.m, job->type, job->op_a == SPARSE_N ? SPARSE_T : SPARSE_N, &a);
        sparse_dense_open(&job->y.m, job->type, &y);
        y.cols = y.rows; /* as a row */
        y.rows = 1;
        y.col_stride = 1;
        sparse_mm(&x, alpha, &a, beta, &y);
        sparse_dense_close(&a, &job->x.m, false);
        sparse_dense_close(&y, &job->y.m, true);
    }
    sparse_csr_release(&x);
    return good ? 0 : cusparse_bad_index(job);
}

static cusparseStatus_t gemvi(const char *name, enum sparse_type type, cusparseHandle_t handle,
                              cusparseOperation_t op, int m, int n, const void *alpha, const void *a, int lda,
                              int nnz, const void *values, const int *indices, const void *beta, void *y,
                              cusparseIndexBase_t base)
{
    struct cusparse_job job = {.name = name, .run = run_gemvi, .type = type};
    cudaDataType element = cusparse_type_of(type);
    bool turned = op == CUSPARSE_OPERATION_TRANSPOSE;
    CUSPARSE_TRY(cusparse_enter_old(handle));
    CUSPARSE_REFUSE_IF(m < 0 || n < 0 || nnz < 0 || lda < m ||
                       (op && !turned)); /* recorded: none conjugated */
    struct cusparseDnMatDescr matrix = {.rows = m,
                                        .cols = n,
                                        .ld = lda,
                                        .values = CONST_VOID(a),
                                        .type = element,
                                        .order = CUSPARSE_ORDER_COL,
                                        .batch = 1};
    struct cusparseDnVecDescr out = {turned ? n : m, y, element};
    job.op_a = (enum sparse_op)op;
    CUSPARSE_TRY(cusparse_scalar_get(handle, alpha, element, &job.alpha));
    CUSPARSE_TRY(cusparse_scalar_get(handle, beta, element, &job.beta));
    cusparse_take_csr(&job, 1, turned ? m : n, nnz, values, NULL, indices, base, CUSPARSE_READS, &job.a);
    job.spans[0].reads = false; /* there are no offsets */
    CUSPARSE_TRY(cusparse_take_dense(&job, &matrix, CUSPARSE_READS, &job.x));
    int reads = cusparse_is_zero(&job.beta) ? 0 : CUSPARSE_READS;
    CUSPARSE_TRY(cusparse_take_vector(&job, &out, CUSPARSE_WRITES | reads, &job.y));
    describe(&job, EVENT_ROUTINE_SPARSE, m, n, (int64_t)nnz * out.size);
    job.flops = 2 * job.k;
    return cusparse_queue(handle, &job);
}

#define GEMVI(L, T, R)                                                                                       \
    CUSPARSE cusparse##L##gemvi_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, int m, int n,    \
                                           int nnz, int *bytes)                                              \
    {                                                                                                        \
        (void)op;                                                                                            \
        CUSPARSE_TRY(cusparse_enter_old(handle));                                                            \
        CUSPARSE_REFUSE_IF(m < 0 || n < 0 || nnz < 0 || !bytes);                                             \
        *bytes = 0; /* recorded on an H200 */                                                                \
        return CUSPARSE_STATUS_SUCCESS;                                                                      \
    }                                                                                                        \
    CUSPARSE cusparse##L##gemvi(cusparseHandle_t handle, cusparseOperation_t op, int m, int n,               \
                                const T *alpha, const T *a, int lda, int nnz, const T *values,               \
                                const int *indices, const T *beta, T *y, cusparseIndexBase_t base,           \
                                void *buffer)                                                                \
    {                                                                                                        \
        (void)buffer;                                                                                        \
        return gemvi("cusparse" #L "gemvi", CUSPARSE_TYPE_##L, handle, op, m, n, alpha, a, lda, nnz, values, \
                     indices, beta, y, base);                                                                \
    }
CUSPARSE_OF_ALL(GEMVI)

/* ---- csrgeam2: p[0..2]: offsets, columns and values of the sum, those that are wanted */

static int run_geam(const struct cusparse_job *job)
{
    union sparse_scalar alpha = cusparse_scalar_value(&job->alpha, job->type);
    union sparse_scalar beta = cusparse_scalar_value(&job->beta, job->type);
    struct sparse_csr a, b = {0}, sum;
    bool good = sparse_csr_of(&job->a.m, job->type, SPARSE_N, &a) &&
                sparse_csr_of(&job->b.m, job->type, SPARSE_N, &b);
    if (good) {
        struct sparse_matrix to =
            cusparse_target(job->type, job->p[0], job->p[1], job->p[2], (int)job->number[0]);
        sparse_add(alpha, &a, beta, &b, &sum);
        sparse_csr_put(&sum, &to);
        cusparse_put_count(job, sum.nnz);
        sparse_csr_release(&sum);
    }
    sparse_csr_release(&a);
    sparse_csr_release(&b);
    return good ? 0 : cusparse_bad_index(job);
}

struct csr_given {
    cusparseMatDescr_t descr;
    int nnz;
    const void *values;
    const int *offsets, *columns;
};

static cusparseStatus_t geam(struct cusparse_job *job, cusparseHandle_t handle, int m, int n,
                             const struct csr_given *a, const struct csr_given *b, cusparseMatDescr_t descr,
                             void *values, int *offsets, int *columns)
{
    CUSPARSE_TRY(cusparse_enter_old(handle));
    CUSPARSE_REFUSE_IF(m < 0 || n < 0 || a->nnz < 0 || b->nnz < 0 || CUSPARSE_GONE(a->descr) ||
                       CUSPARSE_GONE(b->descr) || CUSPARSE_GONE(descr));
    job->run = run_geam;
    job->number[0] = descr->base;
    job->p[0] = offsets, job->p[1] = columns, job->p[2] = values;
    cusparse_take_csr(job, m, n, a->nnz, a->values, a->offsets, a->columns, a->descr->base, CUSPARSE_READS,
                      &job->a);
    cusparse_take_csr(job, m, n, b->nnz, b->values, b->offsets, b->columns, b->descr->base, CUSPARSE_READS,
                      &job->b);
    cusparse_span(job, offsets, sizeof *offsets, (int64_t)m + 1,
                  CUSPARSE_WRITES | (columns ? CUSPARSE_READS : 0));
    if (columns) cusparse_span_by(job, columns, sizeof *columns, offsets, m, CUSPARSE_WRITES);
    if (values) cusparse_span_by(job, values, sparse_bytes(job->type), offsets, m, CUSPARSE_WRITES);
    describe(job, EVENT_ROUTINE_STREAM, m, n, (int64_t)a->nnz + b->nnz);
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseXcsrgeam2Nnz(cusparseHandle_t handle, int m, int n, cusparseMatDescr_t descr_a, int nnz_a,
                              const int *offsets_a, const int *columns_a, cusparseMatDescr_t descr_b,
                              int nnz_b, const int *offsets_b, const int *columns_b,
                              cusparseMatDescr_t descr_c, int *offsets_c, int *total, void *buffer)
{
    struct cusparse_job job = {.name = "cusparseXcsrgeam2Nnz"};
    struct csr_given a = {descr_a, nnz_a, NULL, offsets_a, columns_a},
                     b = {descr_b, nnz_b, NULL, offsets_b, columns_b};
    (void)buffer;
    CUSPARSE_TRY(geam(&job, handle, m, n, &a, &b, descr_c, NULL, offsets_c, NULL));
    return cusparse_queue_count(handle, &job, total);
}

#define GEAM(L, T, R)                                                                                        \
    CUSPARSE cusparse##L##csrgeam2_bufferSizeExt(                                                            \
        cusparseHandle_t handle, int m, int n, const T *alpha, cusparseMatDescr_t descr_a, int nnz_a,        \
        const T *values_a, const int *offsets_a, const int *columns_a, const T *beta,                        \
        cusparseMatDescr_t descr_b, int nnz_b, const T *values_b, const int *offsets_b,                      \
        const int *columns_b, cusparseMatDescr_t descr_c, const T *values_c, const int *offsets_c,           \
        const int *columns_c, size_t *bytes)                                                                 \
    {                                                                                                        \
        (void)alpha, (void)descr_a, (void)values_a, (void)offsets_a, (void)columns_a, (void)beta;            \
        (void)descr_b, (void)values_b, (void)offsets_b, (void)columns_b, (void)descr_c, (void)values_c;      \
        (void)offsets_c, (void)columns_c;                                                                    \
        CUSPARSE_TRY(cusparse_enter_old(handle));                                                            \
        CUSPARSE_REFUSE_IF(m < 0 || n < 0 || nnz_a < 0 || nnz_b < 0 || !bytes);                              \
        *bytes = sizeof(int) * ((size_t)m + 1) + 1024;                                                       \
        return CUSPARSE_STATUS_SUCCESS;                                                                      \
    }                                                                                                        \
    CUSPARSE cusparse##L##csrgeam2(cusparseHandle_t handle, int m, int n, const T *alpha,                    \
                                   cusparseMatDescr_t descr_a, int nnz_a, const T *values_a,                 \
                                   const int *offsets_a, const int *columns_a, const T *beta,                \
                                   cusparseMatDescr_t descr_b, int nnz_b, const T *values_b,                 \
                                   const int *offsets_b, const int *columns_b, cusparseMatDescr_t descr_c,   \
                                   T *values_c, int *offsets_c, int *columns_c, void *buffer)                \
    {                                                                                                        \
        struct cusparse_job job = {.name = "cusparse" #L "csrgeam2", .type = CUSPARSE_TYPE_##L};             \
        struct csr_given a = {descr_a, nnz_a, values_a, offsets_a, columns_a};                               \
        struct csr_given b = {descr_b, nnz_b, values_b, offsets_b, columns_b};                               \
        (void)buffer;                                                                                        \
        CUSPARSE_TRY(cusparse_enter_old(handle));                                                            \
        CUSPARSE_TRY(cusparse_scalar_get(handle, alpha, cusparse_type_of(job.type), &job.alpha));            \
        CUSPARSE_TRY(cusparse_scalar_get(handle, beta, cusparse_type_of(job.type), &job.beta));              \
        CUSPARSE_TRY(geam(&job, handle, m, n, &a, &b, descr_c, values_c, offsets_c, columns_c));             \
        job.flops = 2 * job.k;                                                                               \
        return cusparse_queue(handle, &job);                                                                 \
    }
CUSPARSE_OF_ALL(GEAM)

/* ---- csrcolor: p[0]: colors, p[1]: vertices by color, or NULL */

static int run_color(const struct cusparse_job *job)
{
    struct sparse_csr a;
    int *colors = job->p[0], *order = job->p[1];
    bool good = sparse_csr_of(&job->a.m, job->type, SPARSE_N, &a);
    if (good) {
        int32_t count = sparse_color(&a, job->value, colors);
        cusparse_put_count(job, count);
        if (order) {
            int64_t *places = sw_xmalloc((uint64_t)a.rows * sizeof *places + 1);
            sparse_sort_pairs(colors, colors, a.rows, places);
            for (int64_t i = 0; i < a.rows; i++)
                order[places[i]] = (int)i;
            free(places);
        }
    }
    sparse_csr_release(&a);
    return good ? 0 : cusparse_bad_index(job);
}

static cusparseStatus_t color(const char *name, enum sparse_type type, cusparseHandle_t handle, int m,
                              int nnz, cusparseMatDescr_t descr, const int *offsets, const int *columns,
                              double share, int *count, int *colors, int *order)
{
    struct cusparse_job job = {
        .name = name, .run = run_color, .type = type, .value = share, .p = {colors, order}};
    CUSPARSE_REFUSE_IF(m < 0 || nnz < 0 || CUSPARSE_GONE(descr) || !colors || !(share >= 0 && share <= 1));
    cusparse_take_csr(&job, m, m, nnz, NULL, offsets, columns, descr->base, 0, &job.a);
    cusparse_span(&job, colors, sizeof *colors, m, CUSPARSE_WRITES);
    if (order) cusparse_span(&job, order, sizeof *order, m, CUSPARSE_WRITES);
    describe(&job, EVENT_ROUTINE_SPARSE, m, m, nnz);
    return cusparse_queue_count(handle, &job, count);
}

#define COLOR(L, T, R)                                                                                       \
    CUSPARSE cusparse##L##csrcolor(cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descr,        \
                                   const T *values, const int *offsets, const int *columns, const R *share,  \
                                   int *count, int *colors, int *order, cusparseColorInfo_t info)            \
    {                                                                                                        \
        (void)values, (void)info;                                                                            \
        CUSPARSE_TRY(cusparse_enter_old(handle));                                                            \
        CUSPARSE_REFUSE_IF(!share);                                                                          \
        return color("cusparse" #L "csrcolor", CUSPARSE_TYPE_##L, handle, m, nnz, descr, offsets, columns,   \
                     (double)*share, count, colors, order);                                                  \
    }
CUSPARSE_OF_ALL(COLOR)

/* ---- compress: elements above a tolerance; p[0..2]: what is written, p[3]: the count of each row */

static int run_compress(const struct cusparse_job *job)
{
    struct sparse_filter filter = {job->value};
    struct sparse_csr a, kept;
    int *each = job->p[3];
    bool good = sparse_csr_of(&job->a.m, job->type, SPARSE_N, &a);
    if (good) {
        struct sparse_matrix to = cusparse_target(job->type, job->p[0], job->p[1], job->p[2], job->a.m.base);
        if (!a.columns) a.columns = sw_xcalloc((uint64_t)a.nnz + 1, sizeof *a.columns), a.owns_columns = true;
        sparse_of_csr(&a, &filter, &kept);
        for (int64_t r = 0; r < kept.rows && each; r++)
            each[r] = (int)(kept.offsets[r + 1] - kept.offsets[r]);
        sparse_csr_put(&kept, &to);
        cusparse_put_count(job, kept.nnz);
        sparse_csr_release(&kept);
    }
    sparse_csr_release(&a);
    return good ? 0 : cusparse_bad_index(job);
}

/* A tolerance, of complex types its real part (documented). */
static double real_part(enum sparse_type type, const void *value)
{
    union sparse_scalar x;
    memcpy(&x, value, sparse_bytes(type));
    return type == SPARSE_S || type == SPARSE_C ? (double)x.s[0] : x.d[0];
}

#define COMPRESS(L, T, R)                                                                                    \
    CUSPARSE cusparse##L##nnz_compress(cusparseHandle_t handle, int m, cusparseMatDescr_t descr,             \
                                       const T *values, const int *offsets, int *each, int *total, T tol)    \
    {                                                                                                        \
        struct cusparse_job job = {.name = "cusparse" #L "nnz_compress",                                     \
                                   .run = run_compress,                                                      \
                                   .type = CUSPARSE_TYPE_##L,                                                \
                                   .value = real_part(CUSPARSE_TYPE_##L, &tol),                              \
                                   .p = {[3] = each}};                                                       \
        CUSPARSE_TRY(cusparse_enter_old(handle));                                                            \
        CUSPARSE_REFUSE_IF(m < 0 || CUSPARSE_GONE(descr) || !each || !total || !(job.value >= 0));           \
        cusparse_take_csr(&job, m, 0, -1, values, offsets, NULL, descr->base, CUSPARSE_READS, &job.a);       \
        cusparse_span(&job, each, sizeof *each, m, CUSPARSE_WRITES);                                         \
        describe(&job, EVENT_ROUTINE_STREAM, m, 1, 0);                                                       \
        return cusparse_queue_count(handle, &job, total);                                                    \
    }                                                                                                        \
    CUSPARSE cusparse##L##csr2csr_compress(cusparseHandle_t handle, int m, int n, cusparseMatDescr_t descr,  \
                                           const T *values, const int *columns, const int *offsets, int nnz, \
                                           const int *each, T *to_values, int *to_columns, int *to_offsets,  \
                                           T tol)                                                            \
    {                                                                                                        \
        struct cusparse_job job = {.name = "cusparse" #L "csr2csr_compress",                                 \
                                   .run = run_compress,                                                      \
                                   .type = CUSPARSE_TYPE_##L,                                                \
                                   .value = real_part(CUSPARSE_TYPE_##L, &tol),                              \
                                   .p = {to_offsets, to_columns, to_values}};                                \
        (void)each;                                                                                          \
        CUSPARSE_TRY(cusparse_enter_old(handle));                                                            \
        CUSPARSE_REFUSE_IF(m < 0 || n < 0 || nnz < 0 || CUSPARSE_GONE(descr) || !(job.value >= 0));          \
        cusparse_take_csr(&job, m, n, nnz, values, offsets, columns, descr->base, CUSPARSE_READS, &job.a);   \
        cusparse_span(&job, to_offsets, sizeof *to_offsets, (int64_t)m + 1, CUSPARSE_WRITES);                \
        describe(&job, EVENT_ROUTINE_STREAM, m, n, nnz);                                                     \
        return cusparse_queue_and_wait(handle, &job);                                                        \
    }
CUSPARSE_OF_ALL(COMPRESS)
