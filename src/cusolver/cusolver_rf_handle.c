/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: handles of cusolverRf: settings, and factors that are handed out. Method: factors leave in the
 * format that matrices came in, with the ones that were asked for; lists of the host are malloc's, as
 * documented. Limits: algorithms and the fast mode are kept and change nothing. */
#include "cusolver_rf_priv.h"

#include <stdlib.h>
#include <string.h>

static struct sw_handles handles = SW_HANDLES_INIT;

cusolverStatus_t cusolver_rf_enter(cusolverRfHandle_t handle)
{
    if (!sw_handles_has(&handles, handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
    return cusolver_status(routine_enter(handle->context));
}

void cusolver_rf_clear(cusolverRfHandle_t rf)
{
    CUdeviceptr *const memory[] = {&rf->values, &rf->starts, &rf->columns};
    for (size_t i = 0; i < SW_COUNT_OF(memory); i++) {
        if (*memory[i]) cuMemFree(*memory[i]); /* waits for work that is on its way */
        *memory[i] = 0;
    }
    free(rf->m.starts), free(rf->m.columns), free(rf->m.diagonal);
    free(rf->places), free(rf->p), free(rf->q), free(rf->zeros);
    rf->m = (struct rf_pattern){0};
    rf->places = rf->p = rf->q = rf->zeros = NULL;
    rf->batch = rf->entries = 0;
    rf->analysed = rf->factored = rf->boosted = false;
}

CUSOLVER cusolverRfCreate(cusolverRfHandle_t *out)
{
    CUcontext context;
    CUSOLVER_VALID(out);
    *out = NULL;
    CUSOLVER_TRY(cusolver_status(routine_context(&context)));
    struct cusolverRfCommon *handle = sw_xcalloc(1, sizeof *handle);
    handle->context = context;
    handle->solve = CUSOLVERRF_TRIANGULAR_SOLVE_ALG1;
    sw_handles_add(&handles, handle);
    *out = handle;
    return CUSOLVER_STATUS_SUCCESS;
}

static void handle_release(void *memory)
{
    cusolver_rf_clear(memory);
    free(memory);
}

CUSOLVER cusolverRfDestroy(cusolverRfHandle_t handle)
{
    CUSOLVER_TRY(cusolver_rf_enter(handle));
    if (!sw_handles_remove(&handles, handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
    routine_retire(handle, handle_release);
    return CUSOLVER_STATUS_SUCCESS;
}

/* ---- settings */

CUSOLVER cusolverRfGetMatrixFormat(cusolverRfHandle_t handle, cusolverRfMatrixFormat_t *format,
                                   cusolverRfUnitDiagonal_t *diagonal)
{
    CUSOLVER_TRY(cusolver_rf_enter(handle));
    CUSOLVER_VALID(format && diagonal);
    *format = handle->format;
    *diagonal = handle->unit;
    return CUSOLVER_STATUS_SUCCESS;
}

CUSOLVER cusolverRfSetMatrixFormat(cusolverRfHandle_t handle, cusolverRfMatrixFormat_t format,
                                   cusolverRfUnitDiagonal_t diagonal)
{
    CUSOLVER_TRY(cusolver_rf_enter(handle));
    CUSOLVER_VALID((unsigned)format <= CUSOLVERRF_MATRIX_FORMAT_CSC &&
                   (unsigned)diagonal <= CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U);
    if (format != handle->format || diagonal != handle->unit) cusolver_rf_clear(handle);
    handle->format = format;
    handle->unit = diagonal;
    return CUSOLVER_STATUS_SUCCESS;
}

CUSOLVER cusolverRfSetNumericProperties(cusolverRfHandle_t handle, double zero, double boost)
{
    CUSOLVER_TRY(cusolver_rf_enter(handle));
    handle->zero = zero;
    handle->boost = boost;
    return CUSOLVER_STATUS_SUCCESS;
}

CUSOLVER cusolverRfGetNumericProperties(cusolverRfHandle_t handle, double *zero, double *boost)
{
    CUSOLVER_TRY(cusolver_rf_enter(handle));
    CUSOLVER_VALID(zero && boost);
    *zero = handle->zero;
    *boost = handle->boost;
    return CUSOLVER_STATUS_SUCCESS;
}

CUSOLVER cusolverRfGetNumericBoostReport(cusolverRfHandle_t handle, cusolverRfNumericBoostReport_t *report)
{
    CUSOLVER_TRY(cusolver_rf_enter(handle));
    CUSOLVER_VALID(report);
    *report = handle->boosted ? CUSOLVERRF_NUMERIC_BOOST_USED : CUSOLVERRF_NUMERIC_BOOST_NOT_USED;
    return CUSOLVER_STATUS_SUCCESS;
}

CUSOLVER cusolverRfSetAlgs(cusolverRfHandle_t handle, cusolverRfFactorization_t factorization,
                           cusolverRfTriangularSolve_t solve)
{
    CUSOLVER_TRY(cusolver_rf_enter(handle));
    CUSOLVER_VALID((unsigned)factorization <= CUSOLVERRF_FACTORIZATION_ALG2);
    CUSOLVER_VALID(solve >= CUSOLVERRF_TRIANGULAR_SOLVE_ALG1 && solve <= CUSOLVERRF_TRIANGULAR_SOLVE_ALG3);
    /* recorded: the first of the solves is for the first factorization alone */
    CUSOLVER_VALID(factorization == CUSOLVERRF_FACTORIZATION_ALG0 ||
                   solve != CUSOLVERRF_TRIANGULAR_SOLVE_ALG1);
    handle->factorization = factorization;
    handle->solve = solve;
    return CUSOLVER_STATUS_SUCCESS;
}

CUSOLVER cusolverRfGetAlgs(cusolverRfHandle_t handle, cusolverRfFactorization_t *factorization,
                           cusolverRfTriangularSolve_t *solve)
{
    CUSOLVER_TRY(cusolver_rf_enter(handle));
    CUSOLVER_VALID(factorization && solve);
    *factorization = handle->factorization;
    *solve = handle->solve;
    return CUSOLVER_STATUS_SUCCESS;
}

CUSOLVER cusolverRfGetResetValuesFastMode(cusolverRfHandle_t handle, cusolverRfResetValuesFastMode_t *mode)
{
    CUSOLVER_TRY(cusolver_rf_enter(handle));
    CUSOLVER_VALID(mode);
    *mode = handle->fast;
    return CUSOLVER_STATUS_SUCCESS;
}

CUSOLVER cusolverRfSetResetValuesFastMode(cusolverRfHandle_t handle, cusolverRfResetValuesFastMode_t mode)
{
    CUSOLVER_TRY(cusolver_rf_enter(handle));
    CUSOLVER_VALID((unsigned)mode <= CUSOLVERRF_RESET_VALUES_FAST_MODE_ON);
    handle->fast = mode;
    return CUSOLVER_STATUS_SUCCESS;
}

/* ---- factors that are handed out */

static cusolverStatus_t factors_ready(cusolverRfHandle_t handle)
{
    CUSOLVER_TRY(cusolver_rf_enter(handle));
    return handle->factored ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_NOT_INITIALIZED;
}

CUSOLVER cusolverRfAccessBundledFactorsDevice(cusolverRfHandle_t handle, int *count, int **starts,
                                              int **indices, double **values)
{
    CUSOLVER_TRY(factors_ready(handle));
    CUSOLVER_VALID(count && starts && indices && values);
    *count = handle->m.count;
    *starts = (int *)(uintptr_t)handle->starts;
    *indices = (int *)(uintptr_t)handle->columns;
    *values = (double *)(uintptr_t)handle->values;
    return CUSOLVER_STATUS_SUCCESS;
}

static bool lists_new(int n, int count, int **starts, int **indices, double **values)
{
    *starts = malloc(((size_t)n + 1) * sizeof **starts);
    *indices = malloc(((size_t)count + 1) * sizeof **indices);
    *values = malloc(((size_t)count + 1) * sizeof **values);
    return *starts && *indices && *values;
}

/* Which of M's elements, and as what: M as it is, or one of its factors. */
enum part { WHOLE, LOWER, UPPER };
static bool take(const struct cusolverRfCommon *rf, enum part part, int row, int e, const double *all,
                 double *value)
{
    const struct rf_pattern *m = &rf->m;
    int column = m->columns[e];
    bool stored = rf->unit <= CUSOLVERRF_UNIT_DIAGONAL_STORED_U;
    bool upper_ones =
        rf->unit == CUSOLVERRF_UNIT_DIAGONAL_STORED_U || rf->unit == CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U;
    bool has_ones = part == LOWER ? !upper_ones : upper_ones;
    *value = all[e];
    if (part == WHOLE) return true;
    if (column == row) {
        if (has_ones) *value = 1;
        return stored || !has_ones;
    }
    if (upper_ones && part == LOWER) *value *= all[m->diagonal[column]]; /* L D, and D^-1 U */
    if (upper_ones && part == UPPER) *value /= all[m->diagonal[row]];
    return part == LOWER ? column < row : column > row;
}

/* In the handle's format. */
static cusolverStatus_t hand_out(const struct cusolverRfCommon *rf, enum part part, const double *all,
                                 int *count, int **starts, int **indices, double **values)
{
    const struct rf_pattern *m = &rf->m;
    bool by_columns = rf->format == CUSOLVERRF_MATRIX_FORMAT_CSC;
    double value;
    if (!lists_new(m->n, m->count, starts, indices, values)) return CUSOLVER_STATUS_ALLOC_FAILED;
    int *at = sw_xcalloc((size_t)m->n + 2, sizeof *at);
    for (int i = 0; i < m->n; i++)
        for (int e = m->starts[i]; e < m->starts[i + 1]; e++)
            at[(by_columns ? m->columns[e] : i) + 1] += take(rf, part, i, e, all, &value);
    for (int i = 0; i <= m->n; i++) {
        at[i + 1] += at[i];
        (*starts)[i] = at[i];
    }
    *count = at[m->n];
    for (int i = 0; i < m->n; i++)
        for (int e = m->starts[i]; e < m->starts[i + 1]; e++) {
            if (!take(rf, part, i, e, all, &value)) continue;
            int place = at[by_columns ? m->columns[e] : i]++;
            (*indices)[place] = by_columns ? i : m->columns[e];
            (*values)[place] = value;
        }
    free(at);
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t fetch(const struct cusolverRfCommon *rf, double **all)
{
    *all = sw_xcalloc((size_t)rf->m.count + 1, sizeof **all);
    return cusolver_status(cuMemcpyDtoH(*all, rf->values, (size_t)rf->m.count * sizeof **all));
}

CUSOLVER cusolverRfExtractBundledFactorsHost(cusolverRfHandle_t handle, int *count, int **starts,
                                             int **indices, double **values)
{
    double *all;
    CUSOLVER_TRY(factors_ready(handle));
    CUSOLVER_VALID(count && starts && indices && values);
    cusolverStatus_t status = fetch(handle, &all);
    if (status == CUSOLVER_STATUS_SUCCESS)
        status = hand_out(handle, WHOLE, all, count, starts, indices, values);
    free(all);
    return status;
}

CUSOLVER cusolverRfExtractSplitFactorsHost(cusolverRfHandle_t handle, int *l_count, int **l_starts,
                                           int **l_indices, double **l_values, int *u_count, int **u_starts,
                                           int **u_indices, double **u_values)
{
    double *all;
    CUSOLVER_TRY(factors_ready(handle));
    CUSOLVER_VALID(l_count && l_starts && l_indices && l_values && u_count && u_starts && u_indices &&
                   u_values);
    cusolverStatus_t status = fetch(handle, &all);
    if (status == CUSOLVER_STATUS_SUCCESS)
        status = hand_out(handle, LOWER, all, l_count, l_starts, l_indices, l_values);
    if (status == CUSOLVER_STATUS_SUCCESS)
        status = hand_out(handle, UPPER, all, u_count, u_starts, u_indices, u_values);
    free(all);
    return status;
}
