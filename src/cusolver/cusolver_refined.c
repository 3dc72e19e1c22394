/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: solves in mixed precision with iterative refinement: gesv, gels, and their expert interface with
 * parameters and infos. Method: each is described as a struct cusolver_call. Limits: cusolver_run_refined.c;
 * the history of residuals is not kept. */
#include "cusolver_priv.h"

#include <stdlib.h>

/* documented: the most where nothing else is set, and the most of GMRES */
enum { ITERATIONS = 50, MOST_INNER = 2000 };
enum { FIRST_MOST = 5 }; /* recorded: what infos say before the first solve */

/* What both have, after their numbers. */
static cusolverStatus_t solve(cusolverDnHandle_t handle, struct cusolver_call *x, void *a, int64_t lda,
                              void *b, int64_t ldb, void *solution, int64_t ldx, cusolver_int_t *iterations,
                              int *info)
{
    int64_t rows = x->op == CUSOLVER_GELS ? x->m : x->n;
    x->host_count = iterations;
    CUSOLVER_VALID(iterations);
    cusolver_matrix(x, CUSOLVER_A, a, rows, x->n, lda, CUSOLVER_READ);
    cusolver_matrix(x, CUSOLVER_B, b, rows, x->k, ldb, CUSOLVER_READ);
    cusolver_matrix(x, CUSOLVER_C, solution, x->n, x->k, ldx, CUSOLVER_WRITE);
    return cusolver_queue(handle, x, info);
}

static cusolverStatus_t room(cusolverDnHandle_t handle, const struct cusolver_call *x, size_t *bytes)
{
    size_t none;
    return cusolver_room_wide(handle, x, bytes, &none);
}

/* N: letters of the type and of the lowest precision; low: of the factors */
#define REFINED(L, N, T, low)                                                                                \
    CUSOLVER cusolverDn##N##gesv_bufferSize(cusolverDnHandle_t handle, cusolver_int_t n,                     \
                                            cusolver_int_t sides, T *a, cusolver_int_t lda,                  \
                                            cusolver_int_t *pivots, T *b, cusolver_int_t ldb, T *solution,   \
                                            cusolver_int_t ldx, void *work, size_t *bytes)                   \
    {                                                                                                        \
        CUSOLVER_CALL(L, GESV, #N "gesv_bufferSize");                                                        \
        x.n = n, x.k = sides;                                                                                \
        (void)a, (void)lda, (void)pivots, (void)b, (void)ldb, (void)solution, (void)ldx, (void)work;         \
        return room(handle, &x, bytes);                                                                      \
    }                                                                                                        \
    CUSOLVER cusolverDn##N##gesv(cusolverDnHandle_t handle, cusolver_int_t n, cusolver_int_t sides, T *a,    \
                                 cusolver_int_t lda, cusolver_int_t *pivots, T *b, cusolver_int_t ldb,       \
                                 T *solution, cusolver_int_t ldx, void *work, size_t bytes,                  \
                                 cusolver_int_t *iterations, cusolver_int_t *info)                           \
    {                                                                                                        \
        CUSOLVER_CALL(L, GESV, #N "gesv");                                                                   \
        CUSOLVER_ENTER();                                                                                    \
        (void)work, (void)bytes;                                                                             \
        x.n = n, x.k = sides, x.lowest = low, x.iterations = ITERATIONS, x.falls_back = true;                \
        cusolver_pivots(&x, pivots, n, CUSOLVER_WRITE);                                                      \
        return solve(handle, &x, a, lda, b, ldb, solution, ldx, iterations, info);                           \
    }                                                                                                        \
    CUSOLVER cusolverDn##N##gels_bufferSize(cusolverDnHandle_t handle, cusolver_int_t m, cusolver_int_t n,   \
                                            cusolver_int_t sides, T *a, cusolver_int_t lda, T *b,            \
                                            cusolver_int_t ldb, T *solution, cusolver_int_t ldx, void *work, \
                                            size_t *bytes)                                                   \
    {                                                                                                        \
        CUSOLVER_CALL(L, GELS, #N "gels_bufferSize");                                                        \
        x.m = m, x.n = n, x.k = sides;                                                                       \
        (void)a, (void)lda, (void)b, (void)ldb, (void)solution, (void)ldx, (void)work;                       \
        return room(handle, &x, bytes);                                                                      \
    }                                                                                                        \
    CUSOLVER cusolverDn##N##gels(cusolverDnHandle_t handle, cusolver_int_t m, cusolver_int_t n,              \
                                 cusolver_int_t sides, T *a, cusolver_int_t lda, T *b, cusolver_int_t ldb,   \
                                 T *solution, cusolver_int_t ldx, void *work, size_t bytes,                  \
                                 cusolver_int_t *iterations, cusolver_int_t *info)                           \
    {                                                                                                        \
        CUSOLVER_CALL(L, GELS, #N "gels");                                                                   \
        CUSOLVER_ENTER();                                                                                    \
        (void)work, (void)bytes;                                                                             \
        x.m = m, x.n = n, x.k = sides;                                                                       \
        CUSOLVER_VALID(m >= n); /* documented */                                                             \
        return solve(handle, &x, a, lda, b, ldb, solution, ldx, iterations, info);                           \
    }
REFINED(Z, ZZ, cuDoubleComplex, BLAS_Z)
REFINED(Z, ZC, cuDoubleComplex, BLAS_C)
REFINED(Z, ZK, cuDoubleComplex, BLAS_C)
REFINED(Z, ZE, cuDoubleComplex, BLAS_C)
REFINED(Z, ZY, cuDoubleComplex, BLAS_C)
REFINED(C, CC, cuComplex, BLAS_C)
REFINED(C, CE, cuComplex, BLAS_C)
REFINED(C, CK, cuComplex, BLAS_C)
REFINED(C, CY, cuComplex, BLAS_C)
REFINED(D, DD, double, BLAS_D)
REFINED(D, DS, double, BLAS_S)
REFINED(D, DH, double, BLAS_S)
REFINED(D, DB, double, BLAS_S)
REFINED(D, DX, double, BLAS_S)
REFINED(S, SS, float, BLAS_S)
REFINED(S, SH, float, BLAS_S)
REFINED(S, SB, float, BLAS_S)
REFINED(S, SX, float, BLAS_S)

/* ---- the expert interface: what is set */

struct cusolverDnIRSParams {
    cusolverIRSRefinement_t solver;
    cusolverPrecType_t main, lowest;
    double tolerance, tolerance_inner;
    int iterations, iterations_inner;
    bool falls_back;
};
struct cusolverDnIRSInfos {
    int iterations, outer, most;
};

static bool params_live(const struct cusolverDnIRSParams *params)
{
    return cusolver_record_lives(CUSOLVER_RECORD_IRS_PARAMS, params);
}

static bool infos_live(const struct cusolverDnIRSInfos *infos)
{
    return cusolver_record_lives(CUSOLVER_RECORD_IRS_INFOS, infos);
}

static bool is_precision(cusolverPrecType_t p)
{
    return p >= CUSOLVER_R_8I && p <= CUSOLVER_C_AP;
}

CUSOLVER cusolverDnIRSParamsCreate(cusolverDnIRSParams_t *out)
{
    CUSOLVER_VALID(out);
    struct cusolverDnIRSParams *params = cusolver_record_new(CUSOLVER_RECORD_IRS_PARAMS, sizeof *params);
    *params = (struct cusolverDnIRSParams){.solver = CUSOLVER_IRS_REFINE_NOT_SET,
                                           .iterations = ITERATIONS,
                                           .iterations_inner = ITERATIONS,
                                           .falls_back = true};
    *out = params;
    return CUSOLVER_STATUS_SUCCESS;
}

CUSOLVER cusolverDnIRSParamsDestroy(cusolverDnIRSParams_t params)
{
    bool lived = cusolver_record_free(CUSOLVER_RECORD_IRS_PARAMS, params);
    return lived ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
}

/* A function that sets one member, where `valid`. */
#define SETS(name, type, member, valid, otherwise)                                                           \
    CUSOLVER cusolverDnIRSParamsSet##name(cusolverDnIRSParams_t params, type value)                          \
    {                                                                                                        \
        if (!params_live(params)) return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;                         \
        if (!(valid)) return otherwise;                                                                      \
        params->member = value;                                                                              \
        return CUSOLVER_STATUS_SUCCESS;                                                                      \
    }
SETS(RefinementSolver, cusolverIRSRefinement_t, solver, true, CUSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE)
SETS(SolverMainPrecision, cusolverPrecType_t, main, is_precision(value),
     CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC)
SETS(SolverLowestPrecision, cusolverPrecType_t, lowest, is_precision(value),
     CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC)
/* recorded: not before the precision */
SETS(Tol, double, tolerance, params->main != 0, CUSOLVER_STATUS_INVALID_VALUE)
SETS(TolInner, double, tolerance_inner, params->main != 0, CUSOLVER_STATUS_INVALID_VALUE)
SETS(MaxIters, cusolver_int_t, iterations, true, CUSOLVER_STATUS_IRS_PARAMS_INVALID_MAXITER)
SETS(MaxItersInner, cusolver_int_t, iterations_inner, value <= MOST_INNER, CUSOLVER_STATUS_IRS_PARAMS_INVALID)

CUSOLVER cusolverDnIRSParamsSetSolverPrecisions(cusolverDnIRSParams_t params, cusolverPrecType_t main,
                                                cusolverPrecType_t lowest)
{
    CUSOLVER_TRY(cusolverDnIRSParamsSetSolverMainPrecision(params, main));
    return cusolverDnIRSParamsSetSolverLowestPrecision(params, lowest);
}

CUSOLVER cusolverDnIRSParamsGetMaxIters(cusolverDnIRSParams_t params, cusolver_int_t *iterations)
{
    if (!params_live(params)) return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
    CUSOLVER_VALID(iterations);
    *iterations = params->iterations;
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t set_fallback(cusolverDnIRSParams_t params, bool falls_back)
{
    if (!params_live(params)) return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
    params->falls_back = falls_back;
    return CUSOLVER_STATUS_SUCCESS;
}

CUSOLVER cusolverDnIRSParamsEnableFallback(cusolverDnIRSParams_t params)
{
    return set_fallback(params, true);
}

CUSOLVER cusolverDnIRSParamsDisableFallback(cusolverDnIRSParams_t params)
{
    return set_fallback(params, false);
}

/* ---- what is told */

CUSOLVER cusolverDnIRSInfosCreate(cusolverDnIRSInfos_t *out)
{
    CUSOLVER_VALID(out);
    *out = cusolver_record_new(CUSOLVER_RECORD_IRS_INFOS, sizeof **out);
    (*out)->most = FIRST_MOST;
    return CUSOLVER_STATUS_SUCCESS;
}

CUSOLVER cusolverDnIRSInfosDestroy(cusolverDnIRSInfos_t infos)
{
    bool lived = cusolver_record_free(CUSOLVER_RECORD_IRS_INFOS, infos);
    return lived ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
}

#define TELLS(name, member)                                                                                  \
    CUSOLVER cusolverDnIRSInfosGet##name(cusolverDnIRSInfos_t infos, cusolver_int_t *value)                  \
    {                                                                                                        \
        if (!infos_live(infos)) return CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;                            \
        CUSOLVER_VALID(value);                                                                               \
        *value = infos->member;                                                                              \
        return CUSOLVER_STATUS_SUCCESS;                                                                      \
    }
TELLS(Niters, iterations)
TELLS(OuterNiters, outer)
TELLS(MaxIters, most)

/* ---- the solves */

static bool type_of(cusolverPrecType_t p, enum blas_type *out)
{
    *out = p == CUSOLVER_R_64F   ? BLAS_D
           : p == CUSOLVER_R_32F ? BLAS_S
           : p == CUSOLVER_C_64F ? BLAS_Z
                                 : BLAS_C;
    return p == CUSOLVER_R_64F || p == CUSOLVER_R_32F || p == CUSOLVER_C_64F || p == CUSOLVER_C_32F;
}

static cusolverStatus_t set_precisions(cusolverDnIRSParams_t params, struct cusolver_call *x)
{
    if (!params_live(params)) return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
    bool known = type_of(params->main, &x->type), whole = type_of(params->lowest, &x->lowest);
    bool is_complex = params->lowest >= CUSOLVER_C_8I;
    if (!known || !is_precision(params->lowest) || is_complex != blas_is_complex(x->type))
        return CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC;
    if (!whole) x->lowest = is_complex ? BLAS_C : BLAS_S;
    x->iterations = params->iterations;
    x->tolerance = params->tolerance;
    x->falls_back = params->falls_back;
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t expert_solve(cusolverDnHandle_t handle, cusolverDnIRSParams_t params,
                                     cusolverDnIRSInfos_t infos, struct cusolver_call *x, void *a,
                                     int64_t lda, void *b, int64_t ldb, void *solution, int64_t ldx,
                                     cusolver_int_t *iterations, int *info)
{
    CUSOLVER_TRY(set_precisions(params, x));
    if (!infos_live(infos)) return CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
    if (params->solver == CUSOLVER_IRS_REFINE_NOT_SET) return CUSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE;
    if (x->op == CUSOLVER_GELS &&
        params->solver > CUSOLVER_IRS_REFINE_CLASSICAL) { /* recorded, with info -1 */
        if (info) cuMemsetD32Async((CUdeviceptr)(uintptr_t)info, (unsigned)-1, 1, handle->stream);
        return CUSOLVER_STATUS_IRS_NOT_SUPPORTED;
    }
    x->unrefined = params->solver == CUSOLVER_IRS_REFINE_NONE;
    CUSOLVER_TRY(solve(handle, x, a, lda, b, ldb, solution, ldx, iterations, info));
    infos->iterations = infos->outer = *iterations;
    infos->most = params->iterations;
    return CUSOLVER_STATUS_SUCCESS;
}

CUSOLVER cusolverDnIRSXgesv_bufferSize(cusolverDnHandle_t handle, cusolverDnIRSParams_t params,
                                       cusolver_int_t n, cusolver_int_t sides, size_t *bytes)
{
    struct cusolver_call x = {
        .name = "cusolverDnIRSXgesv_bufferSize", .op = CUSOLVER_GESV, .n = n, .k = sides};
    if (!params_live(params)) return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
    return room(handle, &x, bytes);
}

CUSOLVER cusolverDnIRSXgesv(cusolverDnHandle_t handle, cusolverDnIRSParams_t params,
                            cusolverDnIRSInfos_t infos, cusolver_int_t n, cusolver_int_t sides, void *a,
                            cusolver_int_t lda, void *b, cusolver_int_t ldb, void *solution,
                            cusolver_int_t ldx, void *work, size_t bytes, cusolver_int_t *iterations,
                            cusolver_int_t *info)
{
    struct cusolver_call x = {.name = "cusolverDnIRSXgesv", .op = CUSOLVER_GESV, .n = n, .k = sides};
    CUSOLVER_ENTER();
    (void)work, (void)bytes;
    return expert_solve(handle, params, infos, &x, a, lda, b, ldb, solution, ldx, iterations, info);
}

CUSOLVER cusolverDnIRSXgels_bufferSize(cusolverDnHandle_t handle, cusolverDnIRSParams_t params,
                                       cusolver_int_t m, cusolver_int_t n, cusolver_int_t sides,
                                       size_t *bytes)
{
    struct cusolver_call x = {
        .name = "cusolverDnIRSXgels_bufferSize", .op = CUSOLVER_GELS, .m = m, .n = n, .k = sides};
    if (!params_live(params)) return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
    return room(handle, &x, bytes);
}

CUSOLVER cusolverDnIRSXgels(cusolverDnHandle_t handle, cusolverDnIRSParams_t params,
                            cusolverDnIRSInfos_t infos, cusolver_int_t m, cusolver_int_t n,
                            cusolver_int_t sides, void *a, cusolver_int_t lda, void *b, cusolver_int_t ldb,
                            void *solution, cusolver_int_t ldx, void *work, size_t bytes,
                            cusolver_int_t *iterations, cusolver_int_t *info)
{
    struct cusolver_call x = {.name = "cusolverDnIRSXgels", .op = CUSOLVER_GELS, .m = m, .n = n, .k = sides};
    CUSOLVER_ENTER();
    (void)work, (void)bytes;
    CUSOLVER_VALID(m >= n); /* documented */
    return expert_solve(handle, params, infos, &x, a, lda, b, ldb, solution, ldx, iterations, info);
}
