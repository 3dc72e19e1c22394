/* SPDX-License-Identifier: Apache-2.0 */
/* cusolver: sparse matrices on the host, in double precision, complex where they are: orders, factors,
 * solves. */
#ifndef CUSOLVER_SPARSE_PRIV_H
#define CUSOLVER_SPARSE_PRIV_H

#include "cusolver_priv.h"

#include <cusolverSp.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>

#include <complex.h>

/* n columns, each with row numbers from 0 in any order. */
struct sparse {
    int n;
    int64_t *starts; /* n + 1 */
    int *rows;
    double complex *values;
};
/* The matrix of CSR arrays with these values; base: what numbers start at. */
struct sparse sparse_of_csr(enum blas_type type, int n, const int *starts, const int *columns,
                            const void *values, int base);
void sparse_release(struct sparse *x);
/* An order of rows and columns with few entries in factors: reverse Cuthill and McKee, of the pattern and its
 * transpose. order: n */
void sparse_order(int n, const int *starts, const int *columns, int base, int *order);
/* x(i, j) := x(order[i], order[j]) */
void sparse_permute(struct sparse *x, const int *order);

/* P x = L U; L has ones on its diagonal, which are not kept. */
struct sparse_factors {
    struct sparse l, u; /* u: the diagonal is each column's last entry */
    int *pivot_of;      /* row of x to row of L */
    int zero;           /* the first column whose pivot is at most the tolerance, or -1 */
};
/* positive: as Cholesky: no exchanges, and pivots must be above the tolerance. A zero pivot ends nothing: it
 * counts as it is. threshold: the diagonal's entry is the pivot if it is at least so much of the largest. */
struct sparse_factors sparse_factor(const struct sparse *x, bool positive, double tolerance,
                                    double threshold);
void sparse_factors_release(struct sparse_factors *f);
void sparse_solve(const struct sparse_factors *f, double complex *b);

double complex sparse_get(enum blas_type type, const void *at, int64_t i);
void sparse_put(enum blas_type type, void *at, int64_t i, double complex x);

/* ---- cusolver_sp_handle.c */
cusolverStatus_t cusolver_sp_enter(cusolverSpHandle_t handle);
CUstream cusolver_sp_stream(cusolverSpHandle_t handle);
/* The matrix can be, and is general; base: what its numbers start at. */
cusolverStatus_t cusolver_sp_matrix(int n, int nnz, const cusparseMatDescr_t descriptor, int *base);
/* The base that a descriptor says. */
int cusolver_sp_base(const cusparseMatDescr_t descriptor);
/* A matrix of the device is none: says so, and what its context fails with, as for a kernel that follows such
 * offsets. */
int cusolver_sp_bad_matrix(const char *name, int n, int nnz);
/* What the tools are told of a solve with a sparse matrix; shape: room for it. */
struct event_routine cusolver_sp_describe(const char *name, enum blas_type type, int n, int nnz, int batch,
                                          char shape[80]);

/* ---- cusolver_sp_steps.c: solves in steps */
enum sparse_stage { SPARSE_NEW, SPARSE_ANALYSED, SPARSE_SET_UP, SPARSE_FACTORED }; /* as calls were made */
/* What an info is. factors: of Cholesky P x = L U without exchanges, U's diagonal that of L squared. */
struct sparse_steps {
    enum sparse_stage stage;
    enum blas_type type;
    int n, nnz;
    bool on_device;
    struct sparse matrix;
    struct sparse_factors factors;
};
#define CUSOLVER_INFO(name)                                                                                  \
    struct name {                                                                                            \
        struct sparse_steps steps;                                                                           \
    };
CUSOLVER_INFO(csrluInfoHost)
CUSOLVER_INFO(csrqrInfoHost)
CUSOLVER_INFO(csrcholInfoHost)
CUSOLVER_INFO(csrqrInfo)
CUSOLVER_INFO(csrcholInfo)
#undef CUSOLVER_INFO
#define CUSOLVER_INFO_KIND(info)                                                                             \
    _Generic((info),                                                                                         \
        csrluInfoHost_t: CUSOLVER_RECORD_LU_HOST,                                                            \
        csrqrInfoHost_t: CUSOLVER_RECORD_QR_HOST,                                                            \
        csrcholInfoHost_t: CUSOLVER_RECORD_CHOLESKY_HOST,                                                    \
        csrqrInfo_t: CUSOLVER_RECORD_QR,                                                                     \
        csrcholInfo_t: CUSOLVER_RECORD_CHOLESKY)
/* An info's steps; NULL: it does not live. */
#define CUSOLVER_STEPS(info) (cusolver_record_lives(CUSOLVER_INFO_KIND(info), info) ? &(info)->steps : NULL)
#endif
