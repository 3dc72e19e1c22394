/* SPDX-License-Identifier: Apache-2.0 */
/* cusolver: what its files share. A call is checked, described as a struct cusolver_call, and queued in the
 * handle's stream; when its turn comes, LAPACK (blas/blas_lapack.h) computes it. */
#ifndef CUSOLVER_PRIV_H
#define CUSOLVER_PRIV_H

#include "base/base.h"
#include "blas/blas_lapack.h"
#include "event/event_routine.h"
#include "routine/routine.h"

#include <cuda.h>
#include <cusolverDn.h>

#define CUSOLVER __attribute__((visibility("default"))) cusolverStatus_t CUSOLVERAPI

/* Return a failing status at once. */
#define CUSOLVER_TRY(expr)                                                                                   \
    do {                                                                                                     \
        cusolverStatus_t cusolver_try_ = (expr);                                                             \
        if (cusolver_try_ != CUSOLVER_STATUS_SUCCESS) return cusolver_try_;                                  \
    } while (0)

struct cusolverDnContext {
    CUcontext context; /* that was current when it was made */
    CUstream stream;
    cusolverDeterministicMode_t determinism;
    cusolverMathMode_t math;
};
/* syevjInfo and gesvdjInfo: what Jacobi's method is given, and what it says of itself */
struct cusolver_jacobi {
    double tolerance, residual;
    int most_sweeps;
    bool sorts;
};
/* Of every function with a handle, first: the handle lives, and the thread has a current context. */
cusolverStatus_t cusolver_enter(cusolverDnHandle_t handle);
cusolverStatus_t cusolver_status(CUresult result);
/* A new context, for handles of all kinds. */
cusolverStatus_t cusolver_context(CUcontext *out);

/* What is computed: each a case in cusolver_run.c, and in cusolver_cost.c. */
enum cusolver_op {
    CUSOLVER_POTRF,
    CUSOLVER_POTRI,
    CUSOLVER_LAUUM,
    CUSOLVER_POTRS,
    CUSOLVER_TRTRI,
    CUSOLVER_GETRF,
    CUSOLVER_GETRS,
    CUSOLVER_LASWP,
    CUSOLVER_SYTRF,
    CUSOLVER_SYTRS,
    CUSOLVER_SYTRI,
    CUSOLVER_GEQRF,
    CUSOLVER_ORGQR,
    CUSOLVER_ORMQR,
    CUSOLVER_LARFT,
    CUSOLVER_GESV,
    CUSOLVER_GELS,
    CUSOLVER_GEBRD,
    CUSOLVER_ORGBR,
    CUSOLVER_SYTRD,
    CUSOLVER_ORGTR,
    CUSOLVER_ORMTR,
    CUSOLVER_SYEV,
    CUSOLVER_SYGV,
    CUSOLVER_GEEV,
    CUSOLVER_SVD,
    CUSOLVER_SVD_V, /* with V instead of V^H */
    CUSOLVER_SPARSE /* solves with a sparse matrix; k: multiply-adds, as far as known */
};
/* Operands, by what they are for the operation. */
enum cusolver_slot {
    CUSOLVER_A,
    CUSOLVER_B, /* right sides; the second matrix; what is multiplied; U */
    CUSOLVER_C, /* solutions; T; V */
    CUSOLVER_D, /* real: diagonal, eigenvalues, singular values */
    CUSOLVER_E, /* real: beside the diagonal */
    CUSOLVER_TAU,
    CUSOLVER_TAU_P,
    CUSOLVER_PIVOTS,
    CUSOLVER_INFO,
    CUSOLVER_SLOTS
};
struct cusolver_operand {
    const void *at; /* of the device; NULL: there is none */
    int64_t rows, columns, ld;
    int64_t stride; /* elements to the next item of a batch */
    uint32_t bytes; /* of an element */
    bool reads, writes;
    bool array; /* `at` is an array of pointers, one an item */
};
struct cusolver_call {
    const char *name; /* "cusolverDnSpotrf" */
    enum cusolver_op op;
    enum blas_type type, lowest; /* lowest: the precision of GESV's factors */
    int64_t m, n, k, batch;
    char uplo, side, trans, diag, job, job_v; /* as LAPACK has them */
    char direct, storev;
    int itype, first, last, step; /* first, last, step: of LASWP */
    struct blas_range range;
    bool wide_pivots; /* 64-bit ones */
    bool one_info;    /* of a batch, for all items */
    bool jacobi;      /* NVIDIA computes it by Jacobi's method */
    bool parts_apart; /* GEEV: all real parts, then all imaginary ones */
    int iterations;   /* GESV: at most */
    double tolerance; /* GESV; 0: as LAPACK's dsgesv */
    bool falls_back, unrefined;
    int *host_count;          /* of the host: eigenvalues found, iterations done */
    int64_t *host_count_wide; /* the same, for the 64-bit interface */
    double *host_residual;    /* of the host: one an item */
    struct cusolver_operand o[CUSOLVER_SLOTS];
};

/* ---- cusolver_call.c */
/* Operands of a call, by their type's elements: matrices, vectors of rows elements, real ones, and integers.
 */
enum cusolver_use { CUSOLVER_READ = 1, CUSOLVER_WRITE = 2, CUSOLVER_CHANGE = 3 };
void cusolver_matrix(struct cusolver_call *call, enum cusolver_slot slot, const void *at, int64_t rows,
                     int64_t columns, int64_t ld, enum cusolver_use use);
void cusolver_vector(struct cusolver_call *call, enum cusolver_slot slot, const void *at, int64_t count,
                     enum cusolver_use use);
void cusolver_real(struct cusolver_call *call, enum cusolver_slot slot, const void *at, int64_t count,
                   enum cusolver_use use);
void cusolver_pivots(struct cusolver_call *call, const void *at, int64_t count, enum cusolver_use use);
/* After cusolver_enter. info: of the device, one an item, or NULL. Waits for calls with results of the host.
 */
cusolverStatus_t cusolver_queue(cusolverDnHandle_t handle, struct cusolver_call *call, int *info);
/* cusolver_enter, and that the numbers of a bufferSize function can be; then the size. */
cusolverStatus_t cusolver_room(cusolverDnHandle_t handle, const struct cusolver_call *call, int *elements);
cusolverStatus_t cusolver_room_wide(cusolverDnHandle_t handle, const struct cusolver_call *call,
                                    size_t *device_bytes, size_t *host_bytes);
/* CUDA's enumerations as LAPACK has them. */
bool cusolver_uplo(cublasFillMode_t given, char *out);
bool cusolver_trans(cublasOperation_t given, char *out);
bool cusolver_side(cublasSideMode_t given, char *out);
bool cusolver_job(cusolverEigMode_t given, char *out);
bool cusolver_of_type(cudaDataType given, enum blas_type *out);

/* ---- cusolver_eigen.c, cusolver_svd.c: what the 64-bit interface shares with that of 32 */
bool cusolver_range_of(cusolverEigRange_t given, double from, double to, int64_t low, int64_t high, int64_t n,
                       struct blas_range *out);
bool cusolver_svd_jobs(const struct cusolver_call *call); /* those of gesvd can be */
void cusolver_svd_operands(struct cusolver_call *call, const void *a, int64_t lda, const void *s,
                           const void *u, int64_t ldu, const void *vt, int64_t ldvt);
/* The same with V, of so many columns. */
void cusolver_svd_operands_v(struct cusolver_call *call, const void *a, int64_t lda, const void *s,
                             int64_t values, const void *u, int64_t ldu, int64_t u_columns, const void *v,
                             int64_t ldv, int64_t v_columns);

/* ---- cusolver_cost.c, of event_routine_work; args: a struct cusolver_call */
bool cusolver_is_brief(const struct cusolver_call *call); /* it takes some microseconds */
void cusolver_describe(const void *args, struct event_routine *out, char shape[EVENT_ROUTINE_SHAPE]);
bool cusolver_range(const void *args, uint32_t i, struct event_routine_range *out);
const void *cusolver_item(const struct cusolver_call *call, enum cusolver_slot slot, int64_t item);

/* ---- cusolver_run.c: event_routine_work.run; call: a struct cusolver_call */
int cusolver_run(const void *call);
/* ---- cusolver_run_refined.c, cusolver_run_svd.c: one item; false: the host's library lacks a function */
bool cusolver_run_gesv(const struct cusolver_call *call, int *info);
bool cusolver_run_gels(const struct cusolver_call *call, int *info);
bool cusolver_run_svd(const struct cusolver_call *call, int64_t item, int *info);

/* ---- cusolver_lists.c: lists of numbers that a program gives; of the host, or found to be memory */
/* Rows from starts[i] to ends[i] of m by n numbers, at most nnz, that count from base. ends: starts + 1 where
 * a row begins at the end of the one before; then the first begins at base. */
bool cusolver_is_csr(int m, int n, int nnz, const int *starts, const int *ends, const int *columns, int base);
bool cusolver_is_permutation(int n, const int *p); /* of 0 to n - 1 */

/* For functions of all types: MAKE(letter, type, type of parts, org or ung, orm or unm, sy or he). */
#define CUSOLVER_EACH(MAKE)                                                                                  \
    MAKE(S, float, float, org, orm, sy)                                                                      \
    MAKE(D, double, double, org, orm, sy)                                                                    \
    MAKE(C, cuComplex, float, ung, unm, he)                                                                  \
    MAKE(Z, cuDoubleComplex, double, ung, unm, he)
/* The beginning of a function: a call `x` of this name and operation. */
#define CUSOLVER_CALL(L, operation, function)                                                                \
    struct cusolver_call x = {.name = "cusolverDn" function, .op = CUSOLVER_##operation, .type = BLAS_##L}
#define CUSOLVER_ENTER() CUSOLVER_TRY(cusolver_enter(handle))
/* Infos and parameters that live, by kind (cusolver_handle.c). */
enum cusolver_record {
    CUSOLVER_RECORD_PARAMS,
    CUSOLVER_RECORD_JACOBI,
    CUSOLVER_RECORD_IRS_PARAMS,
    CUSOLVER_RECORD_IRS_INFOS,
    CUSOLVER_RECORD_LU_HOST, /* infos of sparse solves in steps */
    CUSOLVER_RECORD_QR_HOST,
    CUSOLVER_RECORD_CHOLESKY_HOST,
    CUSOLVER_RECORD_QR,
    CUSOLVER_RECORD_CHOLESKY,
    CUSOLVER_RECORDS
};
void *cusolver_record_new(enum cusolver_record kind, size_t bytes); /* zeroed */
bool cusolver_record_lives(enum cusolver_record kind, const void *record);
bool cusolver_record_free(enum cusolver_record kind, void *record); /* false: it did not live */
#define CUSOLVER_VALID(good) CUSOLVER_TRY((good) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE)
#endif
