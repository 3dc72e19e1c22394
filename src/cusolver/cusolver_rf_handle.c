/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: handles of cusolverRf: settings, and factors that are handed out. Method: factors leave in the
 * format that the matrices came in; lists of the host are malloc's, as documented. Limits: algorithms and the
 * fast mode are kept and change nothing. */
#include "cusolver_rf_priv.h"

#include <stdlib.h>
#include <string.h>

static struct routine_handles handles = ROUTINE_HANDLES_INIT;

cusolverStatus_t cusolver_rf_enter(cusolverRfHandle_t handle)
{
    if (!routine_handles_has(&handles, handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
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

bool cusolver_rf_unit_lower(const struct cusolverRfCommon *rf)
{
    bool l_has_ones =
        rf->unit == CUSOLVERRF_UNIT_DIAGONAL_STORED_L || rf->unit == CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L;
    return l_has_ones == (rf->format == CUSOLVERRF_MATRIX_FORMAT_CSR);
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
    routine_handles_add(&handles, handle);
    *out = handle;
    return CUSOLVER_STATUS_SUCCESS;
}

CUSOLVER cusolverRfDestroy(cusolverRfHandle_t handle)
{
    CUSOLVER_TRY(cusolver_rf_enter(handle));
    if (!routine_handles_remove(&handles, handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
    cusolver_rf_clear(handle);
    free(handle);
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

CUSOLVER cusolverRfExtractBundledFactorsHost(cusolverRfHandle_t handle, int *count, int **starts,
                                             int **indices, double **values)
{
    CUSOLVER_TRY(factors_ready(handle));
    CUSOLVER_VALID(count && starts && indices && values);
    const struct rf_pattern *m = &handle->m;
    if (!lists_new(m->n, m->count, starts, indices, values)) return CUSOLVER_STATUS_ALLOC_FAILED;
    *count = m->count;
    memcpy(*starts, m->starts, ((size_t)m->n + 1) * sizeof **starts);
    memcpy(*indices, m->columns, (size_t)m->count * sizeof **indices);
    return cusolver_status(cuMemcpyDtoH(*values, handle->values, (size_t)m->count * sizeof **values));
}

/* One of the factors of M's rows. ones: the diagonal's are stored; skips: it is not stored. */
static void split(const struct rf_pattern *m, const double *all, bool lower, bool ones, bool skips,
                  int *count, int *starts, int *indices, double *values)
{
    *count = 0;
    for (int i = 0; i < m->n; i++) {
        int first = lower ? m->starts[i] : m->diagonal[i],
            last = lower ? m->diagonal[i] + 1 : m->starts[i + 1];
        starts[i] = *count;
        for (int e = first; e < last; e++) {
            if (skips && e == m->diagonal[i]) continue;
            indices[*count] = m->columns[e];
            values[(*count)++] = ones && e == m->diagonal[i] ? 1 : all[e];
        }
    }
    starts[m->n] = *count;
}

CUSOLVER cusolverRfExtractSplitFactorsHost(cusolverRfHandle_t handle, int *l_count, int **l_starts,
                                           int **l_indices, double **l_values, int *u_count, int **u_starts,
                                           int **u_indices, double **u_values)
{
    CUSOLVER_TRY(factors_ready(handle));
    CUSOLVER_VALID(l_count && l_starts && l_indices && l_values && u_count && u_starts && u_indices &&
                   u_values);
    const struct rf_pattern *m = &handle->m;
    bool by_rows = handle->format == CUSOLVERRF_MATRIX_FORMAT_CSR;
    bool l_ones = cusolver_rf_unit_lower(handle) == by_rows;
    bool stored = handle->unit <= CUSOLVERRF_UNIT_DIAGONAL_STORED_U;
    double *all = sw_xcalloc((size_t)m->count + 1, sizeof *all);
    cusolverStatus_t status =
        cusolver_status(cuMemcpyDtoH(all, handle->values, (size_t)m->count * sizeof *all));
    if (status == CUSOLVER_STATUS_SUCCESS && !(lists_new(m->n, m->count, l_starts, l_indices, l_values) &&
                                               lists_new(m->n, m->count, u_starts, u_indices, u_values)))
        status = CUSOLVER_STATUS_ALLOC_FAILED;
    if (status == CUSOLVER_STATUS_SUCCESS) {
        split(m, all, by_rows, l_ones, l_ones && !stored, l_count, *l_starts, *l_indices, *l_values);
        split(m, all, !by_rows, !l_ones, !l_ones && !stored, u_count, *u_starts, *u_indices, *u_values);
    }
    free(all);
    return status;
}
