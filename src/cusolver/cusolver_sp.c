/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: cusolverSp: solves and eigenvalues with one sparse matrix. Method: LU (cusolver_sparse.c); what
 * stands on the device is work of the device, of the host is computed at once. Solves in steps:
 * cusolver_sp_steps.c. Limits: QR's solutions are LU's; calls with results of the
 * host wait for the stream; all orders are reverse Cuthill and McKee's. */
#include "cusolver_sparse_priv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one call */

struct sp_call {
    const char *name;
    enum blas_type type;
    int n, nnz, base, batch;
    const int *rows, *columns;
    const void *values, *b; /* b: right sides, or the first vector */
    void *x, *mu;
    bool positive, reorders, eigen;
    int iterations;
    double tolerance;
    double complex near; /* of eigen */
    int *singular;       /* of the host */
};

static void multiply(const struct sparse *a, const double complex *x, double complex *y)
{
    memset(y, 0, (size_t)a->n * sizeof *y);
    for (int j = 0; j < a->n; j++)
        for (int64_t e = a->starts[j]; e < a->starts[j + 1]; e++)
            y[a->rows[e]] += a->values[e] * x[j];
}

static double normalize(double complex *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += creal(x[i] * conj(x[i]));
    for (int i = 0; i < n && sum > 0; i++)
        x[i] /= sqrt(sum);
    return sqrt(sum);
}

/* Inverse iteration: the eigenvalue next to x->near. */
static void run_eigen(const struct sp_call *x, const struct sparse *a)
{
    size_t n = (size_t)x->n;
    struct sparse shifted = sparse_of_csr(x->type, x->n, x->rows, x->columns, x->values, x->base);
    double complex *v = sw_xcalloc(n + 1, sizeof *v), *y = sw_xcalloc(n + 1, sizeof *y), mu = x->near;
    for (int j = 0; j < x->n; j++)
        for (int64_t e = shifted.starts[j]; e < shifted.starts[j + 1]; e++)
            if (shifted.rows[e] == j) shifted.values[e] -= x->near;
    struct sparse_factors f = sparse_factor(&shifted, false, 0, 1);
    for (int i = 0; i < x->n; i++)
        v[i] = sparse_get(x->type, x->b, i);
    normalize(v, x->n);
    for (int turn = 0; turn < x->iterations; turn++) {
        double complex sum = 0;
        double rest = 0;
        sparse_solve(&f, v);
        normalize(v, x->n);
        multiply(a, v, y);
        for (int i = 0; i < x->n; i++)
            sum += conj(v[i]) * y[i];
        mu = sum;
        for (int i = 0; i < x->n; i++)
            rest += creal((y[i] - mu * v[i]) * conj(y[i] - mu * v[i]));
        if (sqrt(rest) < x->tolerance) break;
    }
    sparse_put(x->type, x->mu, 0, mu);
    for (int i = 0; i < x->n; i++)
        sparse_put(x->type, x->x, i, v[i]);
    sparse_factors_release(&f);
    sparse_release(&shifted);
    free(v);
    free(y);
}

static void run_solve(const struct sp_call *x, struct sparse *a, int item)
{
    int *order = sw_xcalloc((size_t)x->n + 1, sizeof *order);
    double complex *b = sw_xcalloc((size_t)x->n + 1, sizeof *b);
    int64_t first = (int64_t)item * x->n;
    for (int i = 0; i < x->n; i++)
        order[i] = i;
    if (x->reorders) {
        sparse_order(x->n, x->rows, x->columns, x->base, order);
        sparse_permute(a, order);
    }
    struct sparse_factors f = sparse_factor(a, x->positive, x->tolerance, 1);
    for (int i = 0; i < x->n; i++)
        b[i] = sparse_get(x->type, x->b, first + order[i]);
    if (f.zero < 0) sparse_solve(&f, b);
    for (int i = 0; i < x->n && f.zero < 0; i++)
        sparse_put(x->type, x->x, first + order[i], b[i]);
    if (x->singular) *x->singular = f.zero;
    sparse_factors_release(&f);
    free(order);
    free(b);
}

static bool is_matrix(const struct sp_call *x)
{
    return cusolver_is_csr(x->n, x->n, x->nnz, x->rows, x->rows + 1, x->columns, x->base);
}

static int run(const void *args)
{
    const struct sp_call *x = args;
    if (!is_matrix(x)) return cusolver_sp_bad_matrix(x->name, x->n, x->nnz);
    for (int item = 0; item < x->batch; item++) {
        const char *values = (const char *)x->values + (size_t)item * (size_t)x->nnz * blas_bytes(x->type);
        struct sparse a = sparse_of_csr(x->type, x->n, x->rows, x->columns, values, x->base);
        if (x->eigen)
            run_eigen(x, &a);
        else
            run_solve(x, &a, item);
        sparse_release(&a);
    }
    return 0;
}

static bool range(const void *args, uint32_t i, struct event_routine_range *out)
{
    const struct sp_call *x = args;
    uint64_t n = (uint64_t)x->n, nnz = (uint64_t)x->nnz, bytes = blas_bytes(x->type),
             batch = (uint64_t)x->batch;
    const void *const at[] = {x->rows, x->columns, x->values, x->b, x->x, x->mu};
    uint64_t vectors = sw_product(n * bytes, batch);
    const uint64_t size[] = {(n + 1) * 4, nnz * 4, sw_product(nnz * bytes, batch), vectors, vectors, bytes};
    if (i >= SW_COUNT_OF(at)) return false;
    *out = (struct event_routine_range){.address = (uintptr_t)at[i],
                                        .pitch = size[i],
                                        .width = size[i],
                                        .height = at[i] ? 1 : 0,
                                        .writes = i >= 4};
    return true;
}

static cusolverStatus_t queue(cusolverSpHandle_t handle, const struct sp_call *x)
{
    char shape[80];
    struct event_routine_work work = {
        .what = cusolver_sp_describe(x->name, x->type, x->n, x->nnz, x->batch, shape),
        .run = run,
        .range = range,
        .args = x,
        .arg_bytes = sizeof *x};
    CUSOLVER_TRY(cusolver_status(routine_submit("libcusolver", cusolver_sp_stream(handle), &work)));
    return x->singular ? cusolver_status(cuStreamSynchronize(cusolver_sp_stream(handle)))
                       : CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t submit(cusolverSpHandle_t handle, const cusparseMatDescr_t descriptor,
                               struct sp_call *x, bool on_host)
{
    CUSOLVER_TRY(cusolver_sp_enter(handle));
    CUSOLVER_TRY(cusolver_sp_matrix(x->n, x->nnz, descriptor, &x->base));
    CUSOLVER_VALID(x->rows && x->columns && x->values && x->b && x->x);
    if (!on_host) return queue(handle, x);
    CUSOLVER_VALID(is_matrix(x));
    run(x);
    return CUSOLVER_STATUS_SUCCESS;
}

enum { ORDERS = 3 }; /* documented: none, symrcm, symamd, metisnd */
#define SOLVE(L, T, R, method, is_positive, on_host)                                                         \
    CUSOLVER cusolverSp##L##method(cusolverSpHandle_t handle, int n, int nnz,                                \
                                   const cusparseMatDescr_t descriptor, const T *values, const int *rows,    \
                                   const int *columns, const T *b, R tolerance, int reorder, T *solution,    \
                                   int *singularity)                                                         \
    {                                                                                                        \
        struct sp_call x = {.name = "cusolverSp" #L#method,                                                  \
                            .type = BLAS_##L,                                                                \
                            .n = n,                                                                          \
                            .nnz = nnz,                                                                      \
                            .batch = 1,                                                                      \
                            .rows = rows,                                                                    \
                            .columns = columns,                                                              \
                            .values = values,                                                                \
                            .b = b,                                                                          \
                            .x = solution,                                                                   \
                            .positive = is_positive,                                                         \
                            .reorders = reorder != 0,                                                        \
                            .tolerance = (double)tolerance,                                                  \
                            .singular = singularity};                                                        \
        CUSOLVER_VALID(reorder >= 0 && reorder <= ORDERS && singularity);                                    \
        return submit(handle, descriptor, &x, on_host);                                                      \
    }
#define EIGEN(L, T, R, method, on_host)                                                                      \
    CUSOLVER cusolverSp##L##method(cusolverSpHandle_t handle, int m, int nnz,                                \
                                   const cusparseMatDescr_t descriptor, const T *values, const int *rows,    \
                                   const int *columns, T near, const T *first, int iterations, R tolerance,  \
                                   T *mu, T *vector)                                                         \
    {                                                                                                        \
        struct sp_call x = {.name = "cusolverSp" #L#method,                                                  \
                            .type = BLAS_##L,                                                                \
                            .n = m,                                                                          \
                            .nnz = nnz,                                                                      \
                            .batch = 1,                                                                      \
                            .rows = rows,                                                                    \
                            .columns = columns,                                                              \
                            .values = values,                                                                \
                            .b = first,                                                                      \
                            .x = vector,                                                                     \
                            .mu = mu,                                                                        \
                            .eigen = true,                                                                   \
                            .iterations = iterations,                                                        \
                            .tolerance = (double)tolerance,                                                  \
                            .near = sparse_get(BLAS_##L, &near, 0)};                                         \
        CUSOLVER_VALID(mu &&iterations > 0);                                                                 \
        return submit(handle, descriptor, &x, on_host);                                                      \
    }
#define BATCH(L, T)                                                                                          \
    CUSOLVER cusolverSp##L##csrqrBufferInfoBatched(                                                          \
        cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descriptor,               \
        const T *values, const int *rows, const int *columns, int batch, csrqrInfo_t info,                   \
        size_t *internal_bytes, size_t *work_bytes)                                                          \
    {                                                                                                        \
        int base;                                                                                            \
        CUSOLVER_TRY(cusolver_sp_enter(handle));                                                             \
        CUSOLVER_TRY(cusolver_sp_matrix(n, nnz, descriptor, &base));                                         \
        CUSOLVER_VALID(m == n && batch >= 0 && CUSOLVER_STEPS(info) && internal_bytes && work_bytes);        \
        (void)values, (void)rows, (void)columns;                                                             \
        *internal_bytes = 0, *work_bytes = sizeof(double complex); /* the host has its own */                \
        return CUSOLVER_STATUS_SUCCESS;                                                                      \
    }                                                                                                        \
    CUSOLVER cusolverSp##L##csrqrsvBatched(cusolverSpHandle_t handle, int m, int n, int nnz,                 \
                                           const cusparseMatDescr_t descriptor, const T *values,             \
                                           const int *rows, const int *columns, const T *b, T *solutions,    \
                                           int batch, csrqrInfo_t info, void *work)                          \
    {                                                                                                        \
        struct sp_call x = {.name = "cusolverSp" #L "csrqrsvBatched",                                        \
                            .type = BLAS_##L,                                                                \
                            .n = n,                                                                          \
                            .nnz = nnz,                                                                      \
                            .batch = batch,                                                                  \
                            .rows = rows,                                                                    \
                            .columns = columns,                                                              \
                            .values = values,                                                                \
                            .b = b,                                                                          \
                            .x = solutions};                                                                 \
        (void)work;                                                                                          \
        CUSOLVER_VALID(m == n && batch >= 0 && CUSOLVER_STEPS(info));                                        \
        return submit(handle, descriptor, &x, false);                                                        \
    }
#define ALL(L, T, R, org, orm, sy)                                                                           \
    SOLVE(L, T, R, csrlsvluHost, false, true)                                                                \
    SOLVE(L, T, R, csrlsvqr, false, false)                                                                   \
    SOLVE(L, T, R, csrlsvqrHost, false, true)                                                                \
    SOLVE(L, T, R, csrlsvchol, true, false)                                                                  \
    SOLVE(L, T, R, csrlsvcholHost, true, true)                                                               \
    EIGEN(L, T, R, csreigvsi, false)                                                                         \
    EIGEN(L, T, R, csreigvsiHost, true)                                                                      \
    BATCH(L, T)
CUSOLVER_EACH(ALL)

/* ---- patterns */

static bool has_entry(const int *rows, const int *ends, const int *columns, int base, int i, int j)
{
    for (int64_t e = rows[i] - base; e < ends[i] - base; e++)
        if (columns[e] - base == j) return true;
    return false;
}

CUSOLVER cusolverSpXcsrissymHost(cusolverSpHandle_t handle, int m, int nnz,
                                 const cusparseMatDescr_t descriptor, const int *rows, const int *ends,
                                 const int *columns, int *symmetric)
{
    int base;
    CUSOLVER_TRY(cusolver_sp_enter(handle));
    CUSOLVER_TRY(cusolver_sp_matrix(m, nnz, descriptor, &base));
    CUSOLVER_VALID(symmetric && cusolver_is_csr(m, m, nnz, rows, ends, columns, base));
    *symmetric = 1;
    for (int i = 0; i < m; i++)
        for (int64_t e = rows[i] - base; e < ends[i] - base; e++)
            if (!has_entry(rows, ends, columns, base, columns[e] - base, i)) *symmetric = 0;
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t order_of(cusolverSpHandle_t handle, int n, int nnz,
                                 const cusparseMatDescr_t descriptor, const int *rows, const int *columns,
                                 int *order)
{
    int base;
    CUSOLVER_TRY(cusolver_sp_enter(handle));
    CUSOLVER_TRY(cusolver_sp_matrix(n, nnz, descriptor, &base));
    CUSOLVER_VALID(rows && columns && order && cusolver_is_csr(n, n, nnz, rows, rows + 1, columns, base));
    sparse_order(n, rows, columns, base, order);
    return CUSOLVER_STATUS_SUCCESS;
}

#define ORDER(name)                                                                                          \
    CUSOLVER cusolverSpXcsr##name##Host(cusolverSpHandle_t handle, int n, int nnz,                           \
                                        const cusparseMatDescr_t descriptor, const int *rows,                \
                                        const int *columns, int *order)                                      \
    {                                                                                                        \
        return order_of(handle, n, nnz, descriptor, rows, columns, order);                                   \
    }
ORDER(symrcm)
ORDER(symmdq)
ORDER(symamd)

CUSOLVER cusolverSpXcsrmetisndHost(cusolverSpHandle_t handle, int n, int nnz,
                                   const cusparseMatDescr_t descriptor, const int *rows, const int *columns,
                                   const int64_t *options, int *order)
{
    (void)options;
    return order_of(handle, n, nnz, descriptor, rows, columns, order);
}

CUSOLVER cusolverSpXcsrperm_bufferSizeHost(cusolverSpHandle_t handle, int m, int n, int nnz,
                                           const cusparseMatDescr_t descriptor, const int *rows,
                                           const int *columns, const int *p, const int *q, size_t *bytes)
{
    int base;
    CUSOLVER_TRY(cusolver_sp_enter(handle));
    CUSOLVER_TRY(cusolver_sp_matrix(m, nnz, descriptor, &base));
    CUSOLVER_VALID(n >= 0 && rows && columns && p && q && bytes);
    *bytes = sizeof(int); /* the host has its own */
    return CUSOLVER_STATUS_SUCCESS;
}

/* Row i becomes row p[i] of the matrix, and so columns; a row's entries stand in the order of their columns.
 */
CUSOLVER cusolverSpXcsrpermHost(cusolverSpHandle_t handle, int m, int n, int nnz,
                                const cusparseMatDescr_t descriptor, int *rows, int *columns, const int *p,
                                const int *q, int *map, void *work)
{
    int base;
    CUSOLVER_TRY(cusolver_sp_enter(handle));
    CUSOLVER_TRY(cusolver_sp_matrix(m, nnz, descriptor, &base));
    CUSOLVER_VALID(n >= 0 && rows && columns && p && q && map);
    CUSOLVER_VALID(cusolver_is_csr(m, n, nnz, rows, rows + 1, columns, base));
    CUSOLVER_VALID(cusolver_is_permutation(m, p) && cusolver_is_permutation(n, q));
    (void)work;
    size_t room = (size_t)(m > n ? m : n) + (size_t)nnz + 2;
    int *place = sw_xcalloc(room, sizeof(int)), *starts = sw_xcalloc(room, sizeof(int)),
        *to = sw_xcalloc(room, sizeof(int)), *maps = sw_xcalloc(room, sizeof(int)), at = 0;
    for (int j = 0; j < n; j++)
        place[q[j]] = j;
    for (int i = 0; i < m; i++) {
        starts[i] = at + base;
        for (int e = rows[p[i]] - base, first = at; e < rows[p[i] + 1] - base; e++) {
            int column = place[columns[e] - base], t = at++;
            for (; t > first && to[t - 1] > column; t--)
                to[t] = to[t - 1], maps[t] = maps[t - 1];
            to[t] = column, maps[t] = map[e];
        }
    }
    for (int e = 0; e < at; e++)
        columns[e] = to[e] + base, map[e] = maps[e];
    memcpy(rows, starts, (size_t)m * sizeof(int));
    free(place), free(starts), free(to), free(maps);
    return CUSOLVER_STATUS_SUCCESS;
}
