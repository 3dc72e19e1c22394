/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: cusolverRf: LU of matrices of one pattern, with the pivots of a first factorization. Method: M's
 * pattern is that of both factors; where A's entries are in it is found once. Setup reads host or device
 * memory at once; what follows is work of the default stream, Refactor waits for it. Limits: one right side,
 * as NVIDIA's; results of all algorithms are the same. */
#include "cusolver_rf_priv.h"

#include <stdlib.h>
#include <string.h>

/* What Setup is given; by columns: lists of columns, with row numbers. */
struct given {
    bool by_columns;
    int n, a_count, l_count, u_count;
    const int *a_starts, *a_indices, *l_starts, *l_indices, *u_starts, *u_indices, *p, *q;
};

/* ---- M's pattern */

static bool is_list(int n, int count, const int *starts, const int *indices)
{
    return starts && starts[n] == count && cusolver_is_csr(n, n, count, starts, starts + 1, indices, 0);
}

static int ascending(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Elements of a list beside the diagonal are counted (columns NULL), or stand in their rows; at[i]: of row i.
 */
static void put(const struct given *g, const int *starts, const int *indices, int *at, int *columns)
{
    for (int o = 0; o < g->n; o++)
        for (int e = starts[o]; e < starts[o + 1]; e++) {
            int row = g->by_columns ? indices[e] : o, column = g->by_columns ? o : indices[e];
            if (row == column) continue;
            if (columns) columns[at[row]] = column;
            at[row]++;
        }
}

/* The rows of L beside the diagonal, it, and those of U beside it. */
static void pattern_init(struct rf_pattern *m, const struct given *g)
{
    size_t n = (size_t)g->n;
    int *at = sw_xcalloc(n + 1, sizeof *at);
    *m = (struct rf_pattern){.n = g->n,
                             .starts = sw_xcalloc(n + 1, sizeof(int)),
                             .columns =
                                 sw_xcalloc((size_t)g->l_count + (size_t)g->u_count + n + 1, sizeof(int)),
                             .diagonal = sw_xcalloc(n + 1, sizeof(int))};
    put(g, g->l_starts, g->l_indices, at, NULL);
    put(g, g->u_starts, g->u_indices, at, NULL);
    for (int i = 0; i < g->n; i++) {
        m->starts[i + 1] = m->starts[i] + at[i] + 1;
        m->columns[m->starts[i]] = i;
        at[i] = m->starts[i] + 1;
    }
    put(g, g->l_starts, g->l_indices, at, m->columns);
    put(g, g->u_starts, g->u_indices, at, m->columns);
    m->count = m->starts[g->n];
    for (int i = 0; i < g->n; i++) {
        qsort(m->columns + m->starts[i], (size_t)(m->starts[i + 1] - m->starts[i]), sizeof(int), ascending);
        for (int e = m->starts[i]; e < m->starts[i + 1]; e++)
            if (m->columns[e] == i) m->diagonal[i] = e;
    }
    free(at);
}

/* Where A's entries are in M: row p[i] of A is row i of M, and so with columns. False: one is not in it. */
static bool places_of(const struct rf_pattern *m, const struct given *g, int *places)
{
    int *row = sw_xcalloc((size_t)m->n + 1, sizeof *row),
        *column = sw_xcalloc((size_t)m->n + 1, sizeof *column);
    bool good = true;
    for (int i = 0; i < m->n; i++)
        row[g->p[i]] = i, column[g->q[i]] = i;
    for (int o = 0; o < m->n; o++)
        for (int e = g->a_starts[o]; e < g->a_starts[o + 1]; e++) {
            int to = row[g->by_columns ? g->a_indices[e] : o],
                wanted = column[g->by_columns ? o : g->a_indices[e]];
            const int *found = bsearch(&wanted, m->columns + m->starts[to],
                                       (size_t)(m->starts[to + 1] - m->starts[to]), sizeof(int), ascending);
            if (found)
                places[e] = (int)(found - m->columns);
            else
                good = false;
        }
    free(row), free(column);
    return good;
}

static int *copy_of(const int *list, size_t count)
{
    int *copy = sw_xcalloc(count + 1, sizeof *copy);
    memcpy(copy, list, count * sizeof *copy);
    return copy;
}

static CUresult upload(CUdeviceptr *out, const int *list, size_t count)
{
    CUresult result = cuMemAlloc(out, (count + 1) * sizeof(int));
    return result == CUDA_SUCCESS ? cuMemcpyHtoD(*out, list, count * sizeof(int)) : result;
}

/* values: of the host, or of a batch's items; memory of the host: it is read here. */
static cusolverStatus_t setup(cusolverRfHandle_t rf, struct given g, int batch, const double *const *values)
{
    CUSOLVER_VALID(is_list(g.n, g.a_count, g.a_starts, g.a_indices) &&
                   is_list(g.n, g.l_count, g.l_starts, g.l_indices) &&
                   is_list(g.n, g.u_count, g.u_starts, g.u_indices));
    CUSOLVER_VALID(cusolver_is_permutation(g.n, g.p) && cusolver_is_permutation(g.n, g.q));
    g.by_columns = rf->format == CUSOLVERRF_MATRIX_FORMAT_CSC;
    for (int item = 0; item < batch; item++)
        CUSOLVER_VALID(values[item]);
    cusolver_rf_clear(rf);
    rf->p = copy_of(g.p, (size_t)g.n);
    rf->q = copy_of(g.q, (size_t)g.n);
    pattern_init(&rf->m, &g);
    rf->entries = g.a_count;
    rf->places = sw_xcalloc((size_t)g.a_count + 1, sizeof *rf->places);
    rf->zeros = sw_xcalloc((size_t)batch, sizeof *rf->zeros);
    size_t all = (size_t)rf->m.count * (size_t)batch;
    double *made = sw_xcalloc(all + 1, sizeof *made);
    bool good = places_of(&rf->m, &g, rf->places);
    for (int item = 0; item < batch && good; item++)
        for (int e = 0; e < g.a_count; e++)
            made[(size_t)item * (size_t)rf->m.count + (size_t)rf->places[e]] += values[item][e];
    CUresult result = good ? cuMemAlloc(&rf->values, (all + 1) * sizeof(double)) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) result = cuMemcpyHtoD(rf->values, made, all * sizeof(double));
    if (result == CUDA_SUCCESS) result = upload(&rf->starts, rf->m.starts, (size_t)g.n + 1);
    if (result == CUDA_SUCCESS) result = upload(&rf->columns, rf->m.columns, (size_t)rf->m.count);
    free(made);
    if (result == CUDA_SUCCESS)
        rf->batch = batch;
    else
        cusolver_rf_clear(rf);
    return cusolver_status(result);
}

#define FACTORS                                                                                              \
    int l_count, int *l_starts, int *l_indices, double *l_values, int u_count, int *u_starts,                \
        int *u_indices, double *u_values, int *p, int *q
#define GIVEN()                                                                                              \
    (struct given)                                                                                           \
    {                                                                                                        \
        .n = n, .a_count = count, .l_count = l_count, .u_count = u_count, .a_starts = starts,                \
        .a_indices = indices, .l_starts = l_starts, .l_indices = l_indices, .u_starts = u_starts,            \
        .u_indices = u_indices, .p = p, .q = q                                                               \
    }
#define COUNTS_VALID() CUSOLVER_VALID(n > 0 && count >= 0 && l_count >= 0 && u_count >= 0 && p && q)

CUSOLVER cusolverRfSetupHost(int n, int count, int *starts, int *indices, double *values, FACTORS,
                             cusolverRfHandle_t handle)
{
    const double *one = values;
    CUSOLVER_TRY(cusolver_rf_enter(handle));
    COUNTS_VALID();
    CUSOLVER_VALID(values);
    (void)l_values, (void)u_values;
    return setup(handle, GIVEN(), 1, &one);
}

CUSOLVER cusolverRfBatchSetupHost(int batch, int n, int count, int *starts, int *indices, double *values[],
                                  FACTORS, cusolverRfHandle_t handle)
{
    CUSOLVER_TRY(cusolver_rf_enter(handle));
    COUNTS_VALID();
    CUSOLVER_VALID(batch > 0 && values);
    (void)l_values, (void)u_values;
    return setup(handle, GIVEN(), batch, (const double *const *)values);
}

/* A list of the device, in memory of the host. */
static CUresult fetch(void **out, const void *list, size_t count, size_t bytes)
{
    *out = calloc(count + 1, bytes); /* the count may be of nothing */
    if (!*out) return CUDA_ERROR_OUT_OF_MEMORY;
    return list ? cuMemcpyDtoH(*out, (CUdeviceptr)(uintptr_t)list, count * bytes) : CUDA_ERROR_INVALID_VALUE;
}

CUSOLVER cusolverRfSetupDevice(int n, int count, int *starts, int *indices, double *values, FACTORS,
                               cusolverRfHandle_t handle)
{
    enum { LISTS = 9 };
    CUSOLVER_TRY(cusolver_rf_enter(handle));
    COUNTS_VALID();
    (void)l_values, (void)u_values;
    size_t rows = (size_t)n + 1;
    const void *const lists[LISTS] = {starts,    indices, l_starts, l_indices, u_starts,
                                      u_indices, p,       q,        values};
    const size_t counts[LISTS] = {rows,         (size_t)count,   rows,      (size_t)l_count,
                                  rows,         (size_t)u_count, (size_t)n, (size_t)n,
                                  (size_t)count};
    void *host[LISTS];
    CUresult result = CUDA_SUCCESS;
    for (int i = 0; i < LISTS; i++) {
        CUresult one = fetch(&host[i], lists[i], counts[i], i == LISTS - 1 ? sizeof(double) : sizeof(int));
        if (result == CUDA_SUCCESS) result = one;
    }
    struct given g = GIVEN();
    g.a_starts = host[0], g.a_indices = host[1], g.l_starts = host[2], g.l_indices = host[3];
    g.u_starts = host[4], g.u_indices = host[5], g.p = host[6], g.q = host[7];
    const double *one = host[8];
    cusolverStatus_t status = cusolver_status(result);
    if (result == CUDA_SUCCESS) status = setup(handle, g, 1, &one);
    for (int i = 0; i < LISTS; i++)
        free(host[i]);
    return status;
}

/* ---- steps */

static cusolverStatus_t ready(cusolverRfHandle_t handle)
{
    CUSOLVER_TRY(cusolver_rf_enter(handle));
    return handle->batch ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_NOT_INITIALIZED;
}

/* With nothing set up this and Refactor do nothing, as NVIDIA's do (recorded). */
static cusolverStatus_t analyse(cusolverRfHandle_t handle)
{
    CUSOLVER_TRY(cusolver_rf_enter(handle));
    handle->analysed = handle->batch > 0;
    return CUSOLVER_STATUS_SUCCESS;
}

CUSOLVER cusolverRfAnalyze(cusolverRfHandle_t handle)
{
    return analyse(handle);
}

CUSOLVER cusolverRfBatchAnalyze(cusolverRfHandle_t handle)
{
    return analyse(handle);
}

CUSOLVER cusolverRfResetValues(int n, int count, int *starts, int *indices, double *values, int *p, int *q,
                               cusolverRfHandle_t handle)
{
    CUSOLVER_TRY(ready(handle));
    CUSOLVER_VALID(handle->m.n == n && handle->entries == count && starts && indices && values && p && q);
    return cusolver_rf_queue("cusolverRfResetValues",
                             &(struct rf_call){.rf = handle, .source = values, .batch = 1, .resets = true});
}

CUSOLVER cusolverRfBatchResetValues(int batch, int n, int count, int *starts, int *indices, double *values[],
                                    int *p, int *q, cusolverRfHandle_t handle)
{
    CUSOLVER_TRY(ready(handle));
    CUSOLVER_VALID(handle->m.n == n && handle->entries == count && starts && indices && values && p && q);
    CUSOLVER_VALID(batch == handle->batch);
    return cusolver_rf_queue(
        "cusolverRfBatchResetValues",
        &(struct rf_call){.rf = handle, .sources = values, .batch = batch, .resets = true});
}

static cusolverStatus_t refactor(cusolverRfHandle_t handle, const char *name)
{
    CUSOLVER_TRY(cusolver_rf_enter(handle));
    if (!handle->batch) return CUSOLVER_STATUS_SUCCESS;
    if (!handle->analysed) return CUSOLVER_STATUS_NOT_INITIALIZED;
    handle->boosted = false;
    CUSOLVER_TRY(
        cusolver_rf_queue(name, &(struct rf_call){.rf = handle, .batch = handle->batch, .factors = true}));
    CUSOLVER_TRY(cusolver_status(cuStreamSynchronize(NULL)));
    handle->factored = true;
    return CUSOLVER_STATUS_SUCCESS;
}

CUSOLVER cusolverRfRefactor(cusolverRfHandle_t handle)
{
    CUSOLVER_TRY(refactor(handle, "cusolverRfRefactor"));
    return handle->batch && handle->zeros[0] >= 0 ? CUSOLVER_STATUS_ZERO_PIVOT : CUSOLVER_STATUS_SUCCESS;
}

CUSOLVER cusolverRfBatchRefactor(cusolverRfHandle_t handle)
{
    return refactor(handle, "cusolverRfBatchRefactor");
}

CUSOLVER cusolverRfBatchZeroPivot(cusolverRfHandle_t handle, int *position)
{
    cusolverStatus_t status = CUSOLVER_STATUS_SUCCESS;
    CUSOLVER_TRY(ready(handle));
    CUSOLVER_VALID(position);
    for (int item = 0; item < handle->batch; item++) {
        position[item] = handle->factored ? handle->zeros[item] : -1;
        if (position[item] >= 0) status = CUSOLVER_STATUS_ZERO_PIVOT;
    }
    return status;
}

CUSOLVER cusolverRfSolve(cusolverRfHandle_t handle, int *p, int *q, int columns, double *work, int work_ld,
                         double *x, int ld)
{
    CUSOLVER_TRY(ready(handle));
    CUSOLVER_VALID(handle->factored && p && q && work && x && columns == 1 && work_ld >= handle->m.n &&
                   ld >= handle->m.n);
    return cusolver_rf_queue("cusolverRfSolve",
                             &(struct rf_call){.rf = handle, .x = x, .batch = 1, .solves = true});
}

CUSOLVER cusolverRfBatchSolve(cusolverRfHandle_t handle, int *p, int *q, int columns, double *work,
                              int work_ld, double *x[], int ld)
{
    CUSOLVER_TRY(ready(handle));
    CUSOLVER_VALID(handle->factored && p && q && work && x && columns == 1 && work_ld >= handle->m.n &&
                   ld >= handle->m.n);
    return cusolver_rf_queue(
        "cusolverRfBatchSolve",
        &(struct rf_call){.rf = handle, .xs = x, .batch = handle->batch, .solves = true});
}
