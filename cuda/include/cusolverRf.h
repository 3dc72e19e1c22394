/* SPDX-License-Identifier: Apache-2.0 */
/* cuSOLVER's refactorization: LU of matrices whose pattern and pivots are known. Sources: NVIDIA's documentation of cuSOLVER 12.0. */
#ifndef SOFTWARP_CUSOLVERRF_H
#define SOFTWARP_CUSOLVERRF_H

#include "cusolver_common.h"
#include "driver_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { CUSOLVERRF_RESET_VALUES_FAST_MODE_OFF = 0, CUSOLVERRF_RESET_VALUES_FAST_MODE_ON = 1 } cusolverRfResetValuesFastMode_t;
typedef enum { CUSOLVERRF_MATRIX_FORMAT_CSR = 0, CUSOLVERRF_MATRIX_FORMAT_CSC = 1 } cusolverRfMatrixFormat_t;
/* Which factor has ones on its diagonal, and whether they are stored. */
typedef enum {
    CUSOLVERRF_UNIT_DIAGONAL_STORED_L = 0,
    CUSOLVERRF_UNIT_DIAGONAL_STORED_U = 1,
    CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L = 2,
    CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U = 3
} cusolverRfUnitDiagonal_t;
typedef enum { CUSOLVERRF_FACTORIZATION_ALG0 = 0, CUSOLVERRF_FACTORIZATION_ALG1 = 1, CUSOLVERRF_FACTORIZATION_ALG2 = 2 } cusolverRfFactorization_t;
typedef enum {
    CUSOLVERRF_TRIANGULAR_SOLVE_ALG1 = 1,
    CUSOLVERRF_TRIANGULAR_SOLVE_ALG2 = 2,
    CUSOLVERRF_TRIANGULAR_SOLVE_ALG3 = 3
} cusolverRfTriangularSolve_t;
typedef enum { CUSOLVERRF_NUMERIC_BOOST_NOT_USED = 0, CUSOLVERRF_NUMERIC_BOOST_USED = 1 } cusolverRfNumericBoostReport_t;

struct cusolverRfCommon;
typedef struct cusolverRfCommon *cusolverRfHandle_t;

#define SW_RF cusolverStatus_t CUSOLVERAPI
/* A matrix: so many elements, where rows (or columns) start, column (or row) numbers, values. */
#define SW_RF_FACTORS int l_count, int *l_starts, int *l_indices, double *l_values, int u_count, int *u_starts, int *u_indices, double *u_values, int *p, int *q

SW_RF cusolverRfCreate(cusolverRfHandle_t *handle);
SW_RF cusolverRfDestroy(cusolverRfHandle_t handle);
SW_RF cusolverRfGetMatrixFormat(cusolverRfHandle_t, cusolverRfMatrixFormat_t *format, cusolverRfUnitDiagonal_t *diagonal);
SW_RF cusolverRfSetMatrixFormat(cusolverRfHandle_t, cusolverRfMatrixFormat_t format, cusolverRfUnitDiagonal_t diagonal);
SW_RF cusolverRfSetNumericProperties(cusolverRfHandle_t, double zero, double boost);
SW_RF cusolverRfGetNumericProperties(cusolverRfHandle_t, double *zero, double *boost);
SW_RF cusolverRfGetNumericBoostReport(cusolverRfHandle_t, cusolverRfNumericBoostReport_t *report);
SW_RF cusolverRfSetAlgs(cusolverRfHandle_t, cusolverRfFactorization_t factorization, cusolverRfTriangularSolve_t solve);
SW_RF cusolverRfGetAlgs(cusolverRfHandle_t, cusolverRfFactorization_t *factorization, cusolverRfTriangularSolve_t *solve);
SW_RF cusolverRfGetResetValuesFastMode(cusolverRfHandle_t, cusolverRfResetValuesFastMode_t *mode);
SW_RF cusolverRfSetResetValuesFastMode(cusolverRfHandle_t, cusolverRfResetValuesFastMode_t mode);

SW_RF cusolverRfSetupHost(int n, int count, int *starts, int *indices, double *values, SW_RF_FACTORS, cusolverRfHandle_t);
SW_RF cusolverRfSetupDevice(int n, int count, int *starts, int *indices, double *values, SW_RF_FACTORS, cusolverRfHandle_t);
SW_RF cusolverRfResetValues(int n, int count, int *starts, int *indices, double *values, int *p, int *q, cusolverRfHandle_t);
SW_RF cusolverRfAnalyze(cusolverRfHandle_t);
SW_RF cusolverRfRefactor(cusolverRfHandle_t);
/* L without its ones and U, in one matrix. Of the device: the library's memory; of the host: for the caller to free. */
SW_RF cusolverRfAccessBundledFactorsDevice(cusolverRfHandle_t, int *count, int **starts, int **indices, double **values);
SW_RF cusolverRfExtractBundledFactorsHost(cusolverRfHandle_t, int *count, int **starts, int **indices, double **values);
SW_RF cusolverRfExtractSplitFactorsHost(cusolverRfHandle_t, int *l_count, int **l_starts, int **l_indices, double **l_values, int *u_count,
                                        int **u_starts, int **u_indices, double **u_values);
SW_RF cusolverRfSolve(cusolverRfHandle_t, int *p, int *q, int columns, double *work, int work_ld, double *x, int ld);

SW_RF cusolverRfBatchSetupHost(int batch, int n, int count, int *starts, int *indices, double *values[], SW_RF_FACTORS,
                               cusolverRfHandle_t);
SW_RF cusolverRfBatchResetValues(int batch, int n, int count, int *starts, int *indices, double *values[], int *p, int *q,
                                 cusolverRfHandle_t);
SW_RF cusolverRfBatchAnalyze(cusolverRfHandle_t);
SW_RF cusolverRfBatchRefactor(cusolverRfHandle_t);
SW_RF cusolverRfBatchSolve(cusolverRfHandle_t, int *p, int *q, int columns, double *work, int work_ld, double *x[], int ld);
SW_RF cusolverRfBatchZeroPivot(cusolverRfHandle_t, int *position);

#undef SW_RF_FACTORS
#undef SW_RF

#ifdef __cplusplus
}
#endif
#endif
