/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: offsets and rows of each other, sorts, transposition (csr2csc). Method: stable sorts, so that
 * equal entries keep their order. Limits: buffers are asked for and not used. */
#include "cusparse_priv.h"

#include <stdlib.h>
#include <string.h>

static void describe(struct cusparse_job *job, int64_t m, int64_t n, int64_t nnz)
{
    job->kind = EVENT_ROUTINE_STREAM;
    job->m = 0; /* lists */
    job->n = (uint64_t)nnz;
    job->k = (uint64_t)nnz;
    cusparse_shape(job, "m %lld, n %lld, nnz %lld", (long long)m, (long long)n, (long long)nnz);
}

/* ---- offsets and rows */

static int run_csr2coo(const struct cusparse_job *job)
{
    const int *offsets = job->p[0];
    int *rows = job->p[1], base = (int)job->number[2];
    int64_t count = job->number[1];
    for (int64_t r = 0; r < job->number[0]; r++) {
        int64_t begin = offsets[r] - base, end = offsets[r + 1] - base;
        if (begin < 0 || end < begin || end > count) return cusparse_bad_index(job);
        for (int64_t k = begin; k < end; k++)
            rows[k] = (int)r + base;
    }
    return 0;
}

static int run_coo2csr(const struct cusparse_job *job)
{
    const int *rows = job->p[0];
    int *offsets = job->p[1], base = (int)job->number[2];
    int64_t count = job->number[1], at = 0;
    for (int64_t r = 0; r <= job->number[0]; r++) { /* rows are sorted */
        while (at < count && rows[at] - base < r)
            at++;
        offsets[r] = (int)at + base;
    }
    return 0;
}

CUSPARSE cusparseXcsr2coo(cusparseHandle_t handle, const int *offsets, int nnz, int m, int *rows,
                          cusparseIndexBase_t base)
{
    struct cusparse_job job = {.name = "cusparseXcsr2coo", .run = run_csr2coo, .number = {m, nnz, base}};
    CUSPARSE_TRY(cusparse_enter_old(handle));
    CUSPARSE_REFUSE_IF(nnz < 0 || m < 0);
    if (nnz == 0 || m == 0) return CUSPARSE_STATUS_SUCCESS;
    job.p[0] = (void *)(uintptr_t)offsets;
    job.p[1] = rows;
    cusparse_span(&job, offsets, sizeof *offsets, (int64_t)m + 1, CUSPARSE_READS);
    cusparse_span(&job, rows, sizeof *rows, nnz, CUSPARSE_WRITES);
    describe(&job, m, 0, nnz);
    return cusparse_queue(handle, &job);
}

CUSPARSE cusparseXcoo2csr(cusparseHandle_t handle, const int *rows, int nnz, int m, int *offsets,
                          cusparseIndexBase_t base)
{
    struct cusparse_job job = {.name = "cusparseXcoo2csr", .run = run_coo2csr, .number = {m, nnz, base}};
    CUSPARSE_TRY(cusparse_enter_old(handle));
    CUSPARSE_REFUSE_IF(nnz < 0 || m < 0);
    job.p[0] = (void *)(uintptr_t)rows;
    job.p[1] = offsets;
    cusparse_span(&job, rows, sizeof *rows, nnz, CUSPARSE_READS);
    cusparse_span(&job, offsets, sizeof *offsets, (int64_t)m + 1, CUSPARSE_WRITES);
    describe(&job, m, 0, nnz);
    return cusparse_queue(handle, &job);
}

static int run_identity(const struct cusparse_job *job)
{
    int *p = job->p[0];
    for (int64_t i = 0; i < job->number[0]; i++)
        p[i] = (int)i;
    return 0;
}

CUSPARSE cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int *p)
{
    struct cusparse_job job = {
        .name = "cusparseCreateIdentityPermutation", .run = run_identity, .number = {n}};
    CUSPARSE_TRY(cusparse_enter_old(handle));
    CUSPARSE_REFUSE_IF(n < 0);
    if (n == 0) return CUSPARSE_STATUS_SUCCESS;
    job.p[0] = p;
    cusparse_span(&job, p, sizeof *p, n, CUSPARSE_WRITES);
    describe(&job, 0, 0, n);
    return cusparse_queue(handle, &job);
}

/* ---- sorts */

static void permute(int *list, const int64_t *order, int64_t count)
{
    int *old = sw_xmemdup(list, (uint64_t)count * sizeof *old + (count == 0));
    for (int64_t i = 0; i < count; i++)
        list[i] = old[order[i]];
    free(old);
}

/* p[0]: what is sorted by first, p[1]: then; p[2]: a permutation that goes along, or NULL */
static int run_coosort(const struct cusparse_job *job)
{
    int64_t count = job->number[0];
    int64_t *order = sw_xmalloc((uint64_t)count * sizeof *order + 1);
    sparse_sort_pairs(job->p[0], job->p[1], count, order);
    for (int i = 0; i < 3; i++)
        if (job->p[i]) permute(job->p[i], order, count);
    free(order);
    return 0;
}

static cusparseStatus_t coosort(cusparseHandle_t handle, const char *name, int m, int n, int nnz, int *first,
                                int *second, int *p)
{
    struct cusparse_job job = {.name = name, .run = run_coosort, .number = {nnz}};
    CUSPARSE_TRY(cusparse_enter_old(handle));
    CUSPARSE_REFUSE_IF(m < 0 || n < 0 || nnz <= 0); /* recorded on an H200: 0 is not valid */
    CUSPARSE_REFUSE_IF(!first || !second);
    job.p[0] = first, job.p[1] = second, job.p[2] = p;
    for (int i = 0; i < 3; i++)
        if (job.p[i]) cusparse_span(&job, job.p[i], sizeof(int), nnz, CUSPARSE_READS | CUSPARSE_WRITES);
    describe(&job, m, n, nnz);
    job.kind = EVENT_ROUTINE_SORT;
    return cusparse_queue(handle, &job);
}

CUSPARSE cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n, int nnz, int *rows, int *columns,
                               int *p, void *buffer)
{
    (void)buffer;
    return coosort(handle, "cusparseXcoosortByRow", m, n, nnz, rows, columns, p);
}

CUSPARSE cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n, int nnz, int *rows, int *columns,
                                  int *p, void *buffer)
{
    (void)buffer;
    return coosort(handle, "cusparseXcoosortByColumn", m, n, nnz, columns, rows, p);
}

/* p[0]: offsets, p[1]: indices, p[2]: a permutation, or NULL */
static int run_csrsort(const struct cusparse_job *job)
{
    const int *offsets = job->p[0];
    int64_t count = job->number[1], at = 0;
    int base = (int)job->number[2], *rows = sw_xmalloc((uint64_t)count * sizeof *rows + 1);
    int64_t *order = sw_xmalloc((uint64_t)count * sizeof *order + 1);
    bool good = true;
    for (int64_t r = 0; r < job->number[0] && good; r++) {
        good = offsets[r] - base == at && offsets[r + 1] >= offsets[r] && offsets[r + 1] - base <= count;
        for (; good && at < offsets[r + 1] - base; at++)
            rows[at] = (int)r;
    }
    if (good) {
        sparse_sort_pairs(rows, job->p[1], at, order);
        permute(job->p[1], order, at);
        if (job->p[2]) permute(job->p[2], order, at);
    }
    free(rows);
    free(order);
    return good ? 0 : cusparse_bad_index(job);
}

static cusparseStatus_t csrsort(cusparseHandle_t handle, const char *name, int lines, int nnz,
                                cusparseMatDescr_t descr, const int *offsets, int *indices, int *p)
{
    struct cusparse_job job = {.name = name, .run = run_csrsort};
    CUSPARSE_TRY(cusparse_enter_old(handle));
    CUSPARSE_REFUSE_IF(lines < 0 || nnz < 0 || CUSPARSE_GONE(descr));
    if (nnz == 0) return CUSPARSE_STATUS_SUCCESS;
    job.number[0] = lines, job.number[1] = nnz, job.number[2] = descr->base;
    job.p[0] = (void *)(uintptr_t)offsets, job.p[1] = indices, job.p[2] = p;
    cusparse_span(&job, offsets, sizeof *offsets, (int64_t)lines + 1, CUSPARSE_READS);
    cusparse_span(&job, indices, sizeof *indices, nnz, CUSPARSE_READS | CUSPARSE_WRITES);
    if (p) cusparse_span(&job, p, sizeof *p, nnz, CUSPARSE_READS | CUSPARSE_WRITES);
    describe(&job, lines, 0, nnz);
    job.kind = EVENT_ROUTINE_SORT;
    return cusparse_queue(handle, &job);
}

CUSPARSE cusparseXcsrsort(cusparseHandle_t handle, int m, int n, int nnz, cusparseMatDescr_t descr,
                          const int *offsets, int *columns, int *p, void *buffer)
{
    (void)n, (void)buffer;
    return csrsort(handle, "cusparseXcsrsort", m, nnz, descr, offsets, columns, p);
}

CUSPARSE cusparseXcscsort(cusparseHandle_t handle, int m, int n, int nnz, cusparseMatDescr_t descr,
                          const int *offsets, int *rows, int *p, void *buffer)
{
    (void)m, (void)buffer;
    return csrsort(handle, "cusparseXcscsort", n, nnz, descr, offsets, rows, p);
}

/* About what an H200 asks for: some room and keys beside each entry. */
static cusparseStatus_t sort_bytes(cusparseHandle_t handle, int m, int n, int nnz, size_t *bytes)
{
    enum { ROOM = 1280, EACH = 12 };
    CUSPARSE_TRY(cusparse_enter_old(handle));
    CUSPARSE_REFUSE_IF(m < 0 || n < 0 || nnz < 0 || !bytes);
    *bytes = ROOM + (size_t)nnz * EACH;
    return CUSPARSE_STATUS_SUCCESS;
}

#define SORT_BYTES(name)                                                                                     \
    CUSPARSE cusparseX##name##_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz, const int *a,   \
                                             const int *b, size_t *bytes)                                    \
    {                                                                                                        \
        (void)a, (void)b;                                                                                    \
        return sort_bytes(handle, m, n, nnz, bytes);                                                         \
    }
SORT_BYTES(coosort)
SORT_BYTES(csrsort)
SORT_BYTES(cscsort)

/* ---- rows and columns */

static int run_csr2csc(const struct cusparse_job *job)
{
    struct sparse_csr turned;
    struct sparse_matrix to = cusparse_target(job->type, job->p[1], job->p[2], NULL, job->a.m.base);
    struct sparse_matrix pattern = job->a.m;
    const char *values = pattern.values;
    uint64_t bytes = sparse_element_bytes(job->a.m.element);
    pattern.values = NULL;
    bool good = sparse_csr_of(&pattern, job->type, SPARSE_T, &turned);
    if (good) {
        sparse_csr_put(&turned, &to);
        for (int64_t k = 0; values && k < turned.nnz; k++)
            memcpy((char *)job->p[0] + (uint64_t)k * bytes, values + (uint64_t)turned.position[k] * bytes,
                   bytes);
    }
    sparse_csr_release(&turned);
    return good ? 0 : cusparse_bad_index(job);
}

static cusparseStatus_t csr2csc_check(cusparseHandle_t handle, int m, int n, int nnz, cudaDataType type,
                                      cusparseAction_t action, cusparseIndexBase_t base,
                                      cusparseCsr2CscAlg_t algorithm)
{
    struct sparse_element element;
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_REFUSE_IF(m < 0 || n < 0 || nnz < 0 || !cusparse_element(type, &element));
    CUSPARSE_REFUSE_IF(action != CUSPARSE_ACTION_SYMBOLIC && action != CUSPARSE_ACTION_NUMERIC);
    CUSPARSE_REFUSE_IF(base != CUSPARSE_INDEX_BASE_ZERO && base != CUSPARSE_INDEX_BASE_ONE);
    CUSPARSE_REFUSE_IF(algorithm != CUSPARSE_CSR2CSC_ALG1);
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz, const void *values,
                            const int *offsets, const int *columns, void *csc_values, int *csc_offsets,
                            int *csc_rows, cudaDataType type, cusparseAction_t action,
                            cusparseIndexBase_t base, cusparseCsr2CscAlg_t algorithm, void *buffer)
{
    struct cusparse_job job = {.name = "cusparseCsr2cscEx2", .run = run_csr2csc};
    bool numeric = action == CUSPARSE_ACTION_NUMERIC;
    (void)buffer;
    CUSPARSE_TRY(csr2csc_check(handle, m, n, nnz, type, action, base, algorithm));
    cusparse_take_csr(&job, m, n, nnz, NULL, offsets, columns, base, CUSPARSE_READS, &job.a);
    cusparse_element(type, &job.a.m.element);
    job.p[0] = csc_values, job.p[1] = csc_offsets, job.p[2] = csc_rows;
    if (numeric) {
        uint64_t bytes = sparse_element_bytes(job.a.m.element);
        job.a.m.values = (void *)(uintptr_t)values;
        cusparse_span(&job, values, bytes, nnz, CUSPARSE_READS);
        cusparse_span(&job, csc_values, bytes, nnz, CUSPARSE_WRITES);
    }
    cusparse_span(&job, csc_offsets, sizeof *csc_offsets, (int64_t)n + 1, CUSPARSE_WRITES);
    cusparse_span(&job, csc_rows, sizeof *csc_rows, nnz, CUSPARSE_WRITES);
    describe(&job, m, n, nnz);
    return cusparse_queue(handle, &job);
}

CUSPARSE cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int nnz, const void *values,
                                       const int *offsets, const int *columns, void *csc_values,
                                       int *csc_offsets, int *csc_rows, cudaDataType type,
                                       cusparseAction_t action, cusparseIndexBase_t base,
                                       cusparseCsr2CscAlg_t algorithm, size_t *bytes)
{
    enum { ROOM = 1024, EACH = 16 }; /* near what an H200 asks for */
    (void)values, (void)offsets, (void)columns, (void)csc_values, (void)csc_offsets, (void)csc_rows;
    CUSPARSE_TRY(csr2csc_check(handle, m, n, nnz, type, action, base, algorithm));
    CUSPARSE_REFUSE_IF(!bytes);
    *bytes = ROOM + (size_t)nnz * EACH;
    return CUSPARSE_STATUS_SUCCESS;
}

/* ---- unsorted CSR to sorted and back; the order is kept in the info */

static int run_csru(const struct cusparse_job *job)
{
    struct cusparse_state *state = job->state;
    struct sparse_csr csr;
    uint64_t bytes = sparse_bytes(job->type);
    bool back = job->number[0];
    if (back && !state->order) return cusparse_bad_index(job);
    if (!sparse_csr_of(&job->a.m, job->type, SPARSE_N, &csr)) {
        sparse_csr_release(&csr);
        return cusparse_bad_index(job);
    }
    int64_t count = csr.nnz;
    int32_t *columns = sw_xmemdup(csr.columns, (uint64_t)count * sizeof *columns + (count == 0));
    char *values = sw_xmemdup(csr.values, (uint64_t)count * bytes + (count == 0)), *to = job->a.m.values;
    int *indices = (int *)(uintptr_t)job->a.m.indices;
    if (!back) {
        int32_t *rows = sw_xmalloc((uint64_t)count * sizeof *rows + 1);
        for (int64_t r = 0; r < csr.rows; r++)
            for (int64_t k = csr.offsets[r]; k < csr.offsets[r + 1]; k++)
                rows[k] = (int32_t)r;
        free(state->order);
        state->order = sw_xmalloc((uint64_t)count * sizeof *state->order + 1);
        state->count = count;
        sparse_sort_pairs(rows, columns, count, state->order);
        free(rows);
    }
    for (int64_t i = 0; i < count && count == state->count; i++) {
        int64_t from = back ? i : state->order[i], at = back ? state->order[i] : i;
        indices[at] = columns[from] + job->a.m.base;
        memcpy(to + (uint64_t)at * bytes, values + (uint64_t)from * bytes, bytes);
    }
    free(columns);
    free(values);
    sparse_csr_release(&csr);
    return 0;
}

static cusparseStatus_t csru(const char *name, enum sparse_type type, bool back, cusparseHandle_t handle,
                             int m, int n, int nnz, cusparseMatDescr_t descr, void *values,
                             const int *offsets, int *columns, csru2csrInfo_t info)
{
    struct cusparse_job job = {.name = name, .run = run_csru, .type = type, .number = {back}};
    CUSPARSE_TRY(cusparse_enter_old(handle));
    CUSPARSE_REFUSE_IF(m < 0 || n < 0 || nnz < 0 || CUSPARSE_GONE(descr) || CUSPARSE_GONE(info));
    if (nnz == 0) return CUSPARSE_STATUS_SUCCESS;
    job.state = (struct cusparse_state *)(void *)info;
    cusparse_take_csr(&job, m, n, nnz, values, offsets, columns, descr->base,
                      CUSPARSE_READS | CUSPARSE_WRITES, &job.a);
    cusparse_span(&job, columns, sizeof *columns, nnz, CUSPARSE_WRITES);
    describe(&job, m, n, nnz);
    return cusparse_queue(handle, &job);
}

#define CSRU(L, T, R)                                                                                        \
    CUSPARSE cusparse##L##csru2csr_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz, T *values,  \
                                                 const int *offsets, int *columns, csru2csrInfo_t info,      \
                                                 size_t *bytes)                                              \
    {                                                                                                        \
        (void)values, (void)offsets, (void)columns, (void)info;                                              \
        return sort_bytes(handle, m, n, nnz, bytes);                                                         \
    }                                                                                                        \
    CUSPARSE cusparse##L##csru2csr(cusparseHandle_t handle, int m, int n, int nnz, cusparseMatDescr_t descr, \
                                   T *values, const int *offsets, int *columns, csru2csrInfo_t info,         \
                                   void *buffer)                                                             \
    {                                                                                                        \
        (void)buffer;                                                                                        \
        return csru("cusparse" #L "csru2csr", CUSPARSE_TYPE_##L, false, handle, m, n, nnz, descr, values,    \
                    offsets, columns, info);                                                                 \
    }                                                                                                        \
    CUSPARSE cusparse##L##csr2csru(cusparseHandle_t handle, int m, int n, int nnz, cusparseMatDescr_t descr, \
                                   T *values, const int *offsets, int *columns, csru2csrInfo_t info,         \
                                   void *buffer)                                                             \
    {                                                                                                        \
        (void)buffer;                                                                                        \
        return csru("cusparse" #L "csr2csru", CUSPARSE_TYPE_##L, true, handle, m, n, nnz, descr, values,     \
                    offsets, columns, info);                                                                 \
    }
CUSPARSE_OF_ALL(CSRU)
