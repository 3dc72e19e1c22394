/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: solves with sparse matrices in steps (cusolverSp_LOWLEVEL_PREVIEW.h): analysis, room, factors,
 * zero pivots, solves; LU and its parts, QR and Cholesky, of the host and of the device. Method: an info
 * keeps the factors; steps of the device are its work, in order, and ZeroPivot waits for them. Limits: QR is
 * LU with partial pivoting and of square matrices: its solutions are the same, and its zero pivots are where
 * a column depends on those before. Rows and columns are not reordered. */
#include "cusolver_sparse_priv.h"

#include <math.h>
#include <stdlib.h>

static void forget_matrix(struct sparse_steps *s)
{
    if (s->matrix.starts) sparse_release(&s->matrix);
    s->matrix = (struct sparse){0};
}

static void forget_factors(struct sparse_steps *s)
{
    if (s->factors.pivot_of) sparse_factors_release(&s->factors);
    s->factors = (struct sparse_factors){0};
}

/* Held by who uses what infos keep, and by who frees it. Never while waiting for the device. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool lives(const struct sparse_steps *s)
{
    bool found = false;
    for (enum cusolver_record kind = CUSOLVER_RECORD_LU_HOST; kind <= CUSOLVER_RECORD_CHOLESKY; kind++)
        found |= cusolver_record_lives(kind, s);
    return found;
}

static cusolverStatus_t destroy(enum cusolver_record kind, struct sparse_steps *s)
{
    CUcontext context;
    CUSOLVER_VALID(s);
    if (s->on_device && s->stage > SPARSE_ANALYSED) { /* its work may be on its way */
        CUSOLVER_TRY(cusolver_context(&context));
        CUSOLVER_TRY(cusolver_status(cuCtxSynchronize()));
    }
    pthread_mutex_lock(&lock);
    bool lived = cusolver_record_lives(kind, s);
    if (lived) {
        forget_matrix(s);
        forget_factors(s);
        cusolver_record_free(kind, s);
    }
    pthread_mutex_unlock(&lock);
    return lived ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}
#define LIFE(Name, name, device)                                                                             \
    CUSOLVER cusolverSpCreate##Name(name##_t *out)                                                           \
    {                                                                                                        \
        CUSOLVER_VALID(out);                                                                                 \
        *out = cusolver_record_new(CUSOLVER_INFO_KIND(*out), sizeof **out);                                  \
        (*out)->steps.on_device = device;                                                                    \
        return CUSOLVER_STATUS_SUCCESS;                                                                      \
    }                                                                                                        \
    CUSOLVER cusolverSpDestroy##Name(name##_t info)                                                          \
    {                                                                                                        \
        return destroy(CUSOLVER_INFO_KIND(info), CUSOLVER_STEPS(info));                                      \
    }
LIFE(CsrluInfoHost, csrluInfoHost, false)
LIFE(CsrqrInfoHost, csrqrInfoHost, false)
LIFE(CsrcholInfoHost, csrcholInfoHost, false)
LIFE(CsrqrInfo, csrqrInfo, true)
LIFE(CsrcholInfo, csrcholInfo, true)

/* ---- steps that compute */

struct step {
    const char *name;
    struct sparse_steps *steps;
    bool loads, factors, solves, positive; /* in this order */
    bool diagonal;                         /* of Cholesky's factor, to x */
    enum blas_type type;
    int n, nnz, base;
    const int *rows, *columns;
    const void *values, *b;
    void *x;
    double complex shift; /* is taken from the matrix' diagonal */
    double threshold;
};

static void load(const struct step *x)
{
    struct sparse_steps *s = x->steps;
    forget_matrix(s);
    s->matrix = sparse_of_csr(x->type, x->n, x->rows, x->columns, x->values, x->base);
    for (int j = 0; j < x->n && x->shift != 0; j++)
        for (int64_t e = s->matrix.starts[j]; e < s->matrix.starts[j + 1]; e++)
            if (s->matrix.rows[e] == j) s->matrix.values[e] -= x->shift;
}

static void solve(const struct step *x)
{
    double complex *b = sw_xcalloc((size_t)x->n + 1, sizeof *b);
    for (int i = 0; i < x->n; i++)
        b[i] = sparse_get(x->type, x->b, i);
    sparse_solve(&x->steps->factors, b);
    for (int i = 0; i < x->n; i++)
        sparse_put(x->type, x->x, i, b[i]);
    free(b);
}

static double complex pivot(const struct sparse_steps *s, int j)
{
    return s->factors.u.values[s->factors.u.starts[j + 1] - 1];
}

/* What it takes is there: an info that a graph keeps may be another's by now. */
static bool is_ready(const struct step *x)
{
    const struct sparse_steps *s = x->steps;
    if (!lives(s)) return false;
    if (x->factors && !x->loads && !(s->matrix.starts && s->matrix.n == x->n)) return false;
    bool needs = (x->solves || x->diagonal) && !x->factors;
    return !needs || (s->factors.pivot_of && s->factors.l.n == x->n);
}

static void compute(const struct step *x)
{
    struct sparse_steps *s = x->steps;
    if (x->loads) load(x);
    if (x->factors) {
        forget_factors(s);
        s->factors = sparse_factor(&s->matrix, x->positive, 0, x->threshold);
    }
    if (x->solves) solve(x);
    for (int j = 0; j < x->n && x->diagonal; j++)
        sparse_put(blas_real(x->type), x->x, j, sqrt(creal(pivot(s, j))));
}

static bool is_matrix(const struct step *x)
{
    return !x->loads || cusolver_is_csr(x->n, x->n, x->nnz, x->rows, x->rows + 1, x->columns, x->base);
}

static bool compute_if_ready(const struct step *x)
{
    pthread_mutex_lock(&lock);
    bool ready = is_ready(x);
    if (ready) compute(x);
    pthread_mutex_unlock(&lock);
    return ready;
}

static int run(const void *args)
{
    const struct step *x = args;
    if (!is_matrix(x)) return cusolver_sp_bad_matrix(x->name, x->n, x->nnz);
    if (compute_if_ready(x)) return 0;
    sw_log("%s: the info was destroyed, or the step before did not run", x->name);
    return CUDA_ERROR_INVALID_HANDLE;
}

static bool range(const void *args, uint32_t i, struct event_routine_range *out)
{
    const struct step *x = args;
    uint64_t n = (uint64_t)x->n, nnz = (uint64_t)x->nnz, bytes = blas_bytes(x->type);
    const void *const at[] = {x->rows, x->columns, x->values, x->b, x->x};
    const uint64_t size[] = {(n + 1) * 4, nnz * 4, nnz * bytes, n * bytes,
                             n * (x->diagonal ? blas_bytes(blas_real(x->type)) : bytes)};
    if (i >= SW_COUNT_OF(at)) return false;
    *out = (struct event_routine_range){.address = (uintptr_t)at[i],
                                        .pitch = size[i],
                                        .width = size[i],
                                        .height = at[i] ? 1 : 0,
                                        .writes = i == 4};
    return true;
}

static cusolverStatus_t submit(cusolverSpHandle_t handle, struct step *x)
{
    char shape[80];
    if (!x->steps->on_device) {
        CUSOLVER_VALID(is_matrix(x) && compute_if_ready(x));
        return CUSOLVER_STATUS_SUCCESS;
    }
    struct event_routine_work work = {.what = cusolver_sp_describe(x->name, x->type, x->n, x->nnz, 1, shape),
                                      .run = run,
                                      .range = range,
                                      .args = x,
                                      .arg_bytes = sizeof *x};
    return cusolver_status(routine_submit("libcusolver", cusolver_sp_stream(handle), &work));
}

/* ---- what all methods have in common */

static cusolverStatus_t analyse(cusolverSpHandle_t handle, int m, int n, int nnz,
                                const cusparseMatDescr_t descriptor, const int *rows, const int *columns,
                                struct sparse_steps *s)
{
    int base;
    CUSOLVER_TRY(cusolver_sp_enter(handle));
    CUSOLVER_TRY(cusolver_sp_matrix(n, nnz, descriptor, &base));
    CUSOLVER_VALID(rows && columns && s);
    if (!s->on_device) CUSOLVER_VALID(cusolver_is_csr(m, n, nnz, rows, rows + 1, columns, base));
    if (m != n) {
        routine_refuse("cusolverSpXcsrqrAnalysis", "the matrix is not square");
        return CUSOLVER_STATUS_NOT_SUPPORTED;
    }
    s->stage = SPARSE_ANALYSED, s->n = n, s->nnz = nnz;
    return CUSOLVER_STATUS_SUCCESS;
}

/* The host has its own memory: room is asked for as NVIDIA's is, and not used. */
static cusolverStatus_t room(cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t descriptor,
                             struct sparse_steps *s, size_t *internal_bytes, size_t *work_bytes)
{
    int base;
    CUSOLVER_TRY(cusolver_sp_enter(handle));
    CUSOLVER_TRY(cusolver_sp_matrix(n, nnz, descriptor, &base));
    CUSOLVER_VALID(s && s->stage >= SPARSE_ANALYSED && n == s->n && nnz == s->nnz && internal_bytes &&
                   work_bytes);
    *internal_bytes = *work_bytes = sizeof(double complex);
    return CUSOLVER_STATUS_SUCCESS;
}

/* Loads a matrix, or factors it as well. */
static cusolverStatus_t take_matrix(cusolverSpHandle_t handle, struct step *x,
                                    const cusparseMatDescr_t descriptor)
{
    struct sparse_steps *s = x->steps;
    CUSOLVER_TRY(cusolver_sp_enter(handle));
    CUSOLVER_TRY(cusolver_sp_matrix(x->n, x->nnz, descriptor, &x->base));
    CUSOLVER_VALID(s && s->stage >= SPARSE_ANALYSED && x->n == s->n && x->nnz == s->nnz);
    CUSOLVER_VALID(x->values && x->rows && x->columns);
    x->loads = true;
    CUSOLVER_TRY(submit(handle, x));
    s->type = x->type;
    s->stage = x->factors ? SPARSE_FACTORED : SPARSE_SET_UP;
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t solve_with(cusolverSpHandle_t handle, struct step *x)
{
    struct sparse_steps *s = x->steps;
    CUSOLVER_TRY(cusolver_sp_enter(handle));
    CUSOLVER_VALID(s && s->stage == SPARSE_FACTORED && x->n == s->n && s->type == x->type && x->b && x->x);
    x->nnz = s->nnz;
    x->solves = true;
    return submit(handle, x);
}

static cusolverStatus_t zero_pivot(cusolverSpHandle_t handle, struct sparse_steps *s, bool positive,
                                   double tolerance, int *position)
{
    CUSOLVER_TRY(cusolver_sp_enter(handle));
    CUSOLVER_VALID(s && s->stage == SPARSE_FACTORED && position);
    if (s->on_device) CUSOLVER_TRY(cusolver_status(cuStreamSynchronize(cusolver_sp_stream(handle))));
    pthread_mutex_lock(&lock);
    bool factored = lives(s) && s->factors.pivot_of;
    int found = -1;
    for (int j = 0; factored && j < s->factors.u.n && found < 0; j++) {
        double complex u = pivot(s, j);
        bool good = positive ? creal(u) > 0 && sqrt(creal(u)) > tolerance : cabs(u) > tolerance;
        if (!good) found = j;
    }
    pthread_mutex_unlock(&lock);
    CUSOLVER_VALID(factored);
    *position = found;
    return CUSOLVER_STATUS_SUCCESS;
}

/* ---- the functions. Host: Host, or nothing; info: its type. */

#define ROOM(L, T, method, Host, info_t)                                                                     \
    CUSOLVER cusolverSp##L##method##BufferInfo##Host(                                                        \
        cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t descriptor, const T *values,     \
        const int *rows, const int *columns, info_t info, size_t *internal_bytes, size_t *work_bytes)        \
    {                                                                                                        \
        (void)values, (void)rows, (void)columns;                                                             \
        return room(handle, n, nnz, descriptor, CUSOLVER_STEPS(info), internal_bytes, work_bytes);           \
    }
#define ZERO_PIVOT(L, R, method, Host, info_t, positive)                                                     \
    CUSOLVER cusolverSp##L##method##ZeroPivot##Host(cusolverSpHandle_t handle, info_t info, R tolerance,     \
                                                    int *position)                                           \
    {                                                                                                        \
        return zero_pivot(handle, CUSOLVER_STEPS(info), positive, (double)tolerance, position);              \
    }
#define SOLVE_N(L, T, method, Host, info_t)                                                                  \
    CUSOLVER cusolverSp##L##method##Solve##Host(cusolverSpHandle_t handle, int n, const T *b, T *solution,   \
                                                info_t info, void *work)                                     \
    {                                                                                                        \
        struct step x = {.name = "cusolverSp" #L#method "Solve" #Host,                                       \
                         .steps = CUSOLVER_STEPS(info),                                                      \
                         .type = BLAS_##L,                                                                   \
                         .n = n,                                                                             \
                         .b = b,                                                                             \
                         .x = solution};                                                                     \
        (void)work;                                                                                          \
        return solve_with(handle, &x);                                                                       \
    }
#define MATRIX_STEP(L, method)                                                                               \
    struct step x = {.name = "cusolverSp" #L method,                                                         \
                     .steps = CUSOLVER_STEPS(info),                                                          \
                     .type = BLAS_##L,                                                                       \
                     .n = n,                                                                                 \
                     .nnz = nnz,                                                                             \
                     .rows = rows,                                                                           \
                     .columns = columns,                                                                     \
                     .values = values}

#define CHOLESKY(L, T, R, Host, info_t)                                                                      \
    ROOM(L, T, csrchol, Host, info_t)                                                                        \
    CUSOLVER cusolverSp##L##csrcholFactor##Host(                                                             \
        cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t descriptor, const T *values,     \
        const int *rows, const int *columns, info_t info, void *work)                                        \
    {                                                                                                        \
        MATRIX_STEP(L, "csrcholFactor" #Host);                                                               \
        (void)work;                                                                                          \
        x.factors = x.positive = true;                                                                       \
        return take_matrix(handle, &x, descriptor);                                                          \
    }                                                                                                        \
    ZERO_PIVOT(L, R, csrchol, Host, info_t, true)                                                            \
    SOLVE_N(L, T, csrchol, Host, info_t)

#define LU(L, T, R)                                                                                          \
    ROOM(L, T, csrlu, Host, csrluInfoHost_t)                                                                 \
    CUSOLVER cusolverSp##L##csrluFactorHost(                                                                 \
        cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t descriptor, const T *values,     \
        const int *rows, const int *columns, csrluInfoHost_t info, R threshold, void *work)                  \
    {                                                                                                        \
        MATRIX_STEP(L, "csrluFactorHost");                                                                   \
        (void)work;                                                                                          \
        x.factors = true;                                                                                    \
        x.threshold = (double)threshold;                                                                     \
        return take_matrix(handle, &x, descriptor);                                                          \
    }                                                                                                        \
    ZERO_PIVOT(L, R, csrlu, Host, csrluInfoHost_t, false)                                                    \
    SOLVE_N(L, T, csrlu, Host, csrluInfoHost_t)

#define QR(L, T, R, Host, info_t)                                                                            \
    CUSOLVER cusolverSp##L##csrqrBufferInfo##Host(cusolverSpHandle_t handle, int m, int n, int nnz,          \
                                                  const cusparseMatDescr_t descriptor, const T *values,      \
                                                  const int *rows, const int *columns, info_t info,          \
                                                  size_t *internal_bytes, size_t *work_bytes)                \
    {                                                                                                        \
        (void)values, (void)rows, (void)columns;                                                             \
        CUSOLVER_VALID(m == n);                                                                              \
        return room(handle, n, nnz, descriptor, CUSOLVER_STEPS(info), internal_bytes, work_bytes);           \
    }                                                                                                        \
    CUSOLVER cusolverSp##L##csrqrSetup##Host(cusolverSpHandle_t handle, int m, int n, int nnz,               \
                                             const cusparseMatDescr_t descriptor, const T *values,           \
                                             const int *rows, const int *columns, T mu, info_t info)         \
    {                                                                                                        \
        MATRIX_STEP(L, "csrqrSetup" #Host);                                                                  \
        CUSOLVER_VALID(m == n);                                                                              \
        x.shift = sparse_get(BLAS_##L, &mu, 0);                                                              \
        return take_matrix(handle, &x, descriptor);                                                          \
    }                                                                                                        \
    CUSOLVER cusolverSp##L##csrqrFactor##Host(cusolverSpHandle_t handle, int m, int n, int nnz, T *b,        \
                                              T *solution, info_t info, void *work)                          \
    {                                                                                                        \
        struct step x = {.name = "cusolverSp" #L "csrqrFactor" #Host,                                        \
                         .steps = CUSOLVER_STEPS(info),                                                      \
                         .type = BLAS_##L,                                                                   \
                         .n = n,                                                                             \
                         .nnz = nnz,                                                                         \
                         .b = b,                                                                             \
                         .x = solution,                                                                      \
                         .factors = true,                                                                    \
                         .solves = b && solution,                                                            \
                         .threshold = 1};                                                                    \
        (void)work;                                                                                          \
        CUSOLVER_TRY(cusolver_sp_enter(handle));                                                             \
        CUSOLVER_VALID(x.steps &&x.steps->stage >= SPARSE_SET_UP && m == n && n == x.steps->n &&             \
                       nnz == x.steps->nnz && x.steps->type == BLAS_##L);                                    \
        CUSOLVER_TRY(submit(handle, &x));                                                                    \
        x.steps->stage = SPARSE_FACTORED;                                                                    \
        return CUSOLVER_STATUS_SUCCESS;                                                                      \
    }                                                                                                        \
    ZERO_PIVOT(L, R, csrqr, Host, info_t, false)                                                             \
    CUSOLVER cusolverSp##L##csrqrSolve##Host(cusolverSpHandle_t handle, int m, int n, T *b, T *solution,     \
                                             info_t info, void *work)                                        \
    {                                                                                                        \
        struct step x = {.name = "cusolverSp" #L "csrqrSolve" #Host,                                         \
                         .steps = CUSOLVER_STEPS(info),                                                      \
                         .type = BLAS_##L,                                                                   \
                         .n = n,                                                                             \
                         .b = b,                                                                             \
                         .x = solution};                                                                     \
        (void)work;                                                                                          \
        CUSOLVER_VALID(m == n);                                                                              \
        return solve_with(handle, &x);                                                                       \
    }
#define ALL(L, T, R, org, orm, sy)                                                                           \
    LU(L, T, R)                                                                                              \
    QR(L, T, R, Host, csrqrInfoHost_t)                                                                       \
    QR(L, T, R, , csrqrInfo_t)                                                                               \
    CHOLESKY(L, T, R, Host, csrcholInfoHost_t)                                                               \
    CHOLESKY(L, T, R, , csrcholInfo_t)                                                                       \
    CUSOLVER cusolverSp##L##csrcholDiag(cusolverSpHandle_t handle, csrcholInfo_t info, R *diagonal)          \
    {                                                                                                        \
        struct step x = {.name = "cusolverSp" #L "csrcholDiag",                                              \
                         .steps = CUSOLVER_STEPS(info),                                                      \
                         .type = BLAS_##L,                                                                   \
                         .x = diagonal,                                                                      \
                         .diagonal = true};                                                                  \
        CUSOLVER_TRY(cusolver_sp_enter(handle));                                                             \
        CUSOLVER_VALID(x.steps &&x.steps->stage == SPARSE_FACTORED && x.steps->type == BLAS_##L &&           \
                       diagonal);                                                                            \
        x.n = x.steps->n;                                                                                    \
        return submit(handle, &x);                                                                           \
    }
CUSOLVER_EACH(ALL)

#define ANALYSIS(name, info_t)                                                                               \
    CUSOLVER cusolverSpX##name(cusolverSpHandle_t handle, int n, int nnz,                                    \
                               const cusparseMatDescr_t descriptor, const int *rows, const int *columns,     \
                               info_t info)                                                                  \
    {                                                                                                        \
        return analyse(handle, n, n, nnz, descriptor, rows, columns, CUSOLVER_STEPS(info));                  \
    }
ANALYSIS(csrluAnalysisHost, csrluInfoHost_t)
ANALYSIS(csrcholAnalysisHost, csrcholInfoHost_t)
ANALYSIS(csrcholAnalysis, csrcholInfo_t)

#define QR_ANALYSIS(name, info_t)                                                                            \
    CUSOLVER cusolverSpX##name(cusolverSpHandle_t handle, int m, int n, int nnz,                             \
                               const cusparseMatDescr_t descriptor, const int *rows, const int *columns,     \
                               info_t info)                                                                  \
    {                                                                                                        \
        return analyse(handle, m, n, nnz, descriptor, rows, columns, CUSOLVER_STEPS(info));                  \
    }
QR_ANALYSIS(csrqrAnalysisHost, csrqrInfoHost_t)
QR_ANALYSIS(csrqrAnalysis, csrqrInfo_t)
QR_ANALYSIS(csrqrAnalysisBatched, csrqrInfo_t)
