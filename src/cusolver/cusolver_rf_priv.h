/* SPDX-License-Identifier: Apache-2.0 */
/* cusolver: refactorization: handles, and M = L + U without the ones, in which a matrix is factored. */
#ifndef CUSOLVER_RF_PRIV_H
#define CUSOLVER_RF_PRIV_H

#include "cusolver_priv.h"

#include <cusolverRf.h>

/* M's rows: L without its ones, and U, in whatever format and with whichever ones matrices come, as NVIDIA's
 * library has them (recorded). */
struct rf_pattern {
    int n, count;          /* elements of M */
    int *starts, *columns; /* from 0, columns ascend */
    int *diagonal;         /* where each row's is */
};

struct cusolverRfCommon {
    CUcontext context;
    cusolverRfMatrixFormat_t format;
    cusolverRfUnitDiagonal_t unit;
    cusolverRfFactorization_t factorization;
    cusolverRfTriangularSolve_t solve;
    cusolverRfResetValuesFastMode_t fast;
    double zero, boost;
    struct rf_pattern m;
    int batch;                           /* 0: nothing is set up; a call of one matrix: 1 */
    int entries;                         /* of the matrix that is factored */
    int *places;                         /* of its entries in M */
    int *p, *q;                          /* A(p, q) = L U */
    CUdeviceptr values, starts, columns; /* of M, on the device; values: one M after the other */
    int *zeros;                          /* of each item: where its zero pivot is, or -1 */
    bool analysed, factored, boosted;
};

cusolverStatus_t cusolver_rf_enter(cusolverRfHandle_t handle);
/* Forgets what was set up. */
void cusolver_rf_clear(cusolverRfHandle_t handle);

/* ---- cusolver_rf_run.c: work of the device, one call each; the items of a batch one after the other */
struct rf_call {
    struct cusolverRfCommon *rf;
    const double *source;   /* new values, or NULL */
    double *const *sources; /* of a batch; memory of the device */
    double *x;              /* right sides, which solutions replace, or NULL */
    double *const *xs;      /* of a batch */
    int batch;
    bool resets, factors, solves; /* one of them */
};
cusolverStatus_t cusolver_rf_queue(const char *name, const struct rf_call *call);
#endif
