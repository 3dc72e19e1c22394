/* SPDX-License-Identifier: Apache-2.0 */
/* cublas: what its files share. A call is checked, described as a struct cublas_call, and queued in the
 * handle's stream; when its turn comes, blas/ computes it. */
#ifndef CUBLAS_PRIV_H
#define CUBLAS_PRIV_H

#include "base/base.h"
#include "blas/blas.h"
#include "event/event_routine.h"
#include "routine/routine.h"

#include <cublas_v2.h>
#include <cuda.h>

#include <stdbool.h>
#include <stdint.h>

#define CUBLAS __attribute__((visibility("default"))) cublasStatus_t CUBLASWINAPI

/* Return a failing status at once. */
#define CUBLAS_TRY(expr)                                                                                     \
    do {                                                                                                     \
        cublasStatus_t cublas_try_ = (expr);                                                                 \
        if (cublas_try_ != CUBLAS_STATUS_SUCCESS) return cublas_try_;                                        \
    } while (0)

struct cublasContext {
    CUcontext context; /* that was current when it was made */
    CUstream stream;
    cublasPointerMode_t pointer_mode;
    cublasAtomicsMode_t atomics;
    cublasMath_t math;
    int sm_target;
    /* of emulation, which changes nothing here */
    cublasEmulationStrategy_t strategy;
    cudaEmulationSpecialValuesSupport special;
    cudaEmulationMantissaControl control;
    int most_bits, bit_offset;
    int *bit_count;
};
/* Of every function with a handle, first: the handle lives, and the thread has a current context. */
cublasStatus_t cublas_enter(cublasHandle_t handle);
cublasStatus_t cublas_status(CUresult result);

/* What is computed: each a case in cublas_run.c, and in cublas_operands.c. */
enum cublas_op {
    CUBLAS_GEMM,
    CUBLAS_GEMM_MIXED, /* elements of any types */
    CUBLAS_SYMM,
    CUBLAS_HEMM,
    CUBLAS_SYRK,
    CUBLAS_HERK,
    CUBLAS_SYR2K,
    CUBLAS_HER2K,
    CUBLAS_SYRKX, /* a * op(b), of which one triangle is wanted */
    CUBLAS_HERKX,
    CUBLAS_TRMM, /* c := alpha * op(a) * b, or b * op(a) */
    CUBLAS_TRSM,
    CUBLAS_GEAM,
    CUBLAS_DGMM,
    CUBLAS_GEMV,
    CUBLAS_GEMV_MIXED, /* of small elements */
    CUBLAS_GBMV,
    CUBLAS_SYMV,
    CUBLAS_HEMV,
    CUBLAS_SBMV,
    CUBLAS_HBMV,
    CUBLAS_SPMV,
    CUBLAS_HPMV,
    CUBLAS_TRMV,
    CUBLAS_TRSV,
    CUBLAS_TBMV,
    CUBLAS_TBSV,
    CUBLAS_TPMV,
    CUBLAS_TPSV,
    CUBLAS_TPTTR, /* c := a, unpacked */
    CUBLAS_TRTTP, /* c := a, packed */
    CUBLAS_GER,
    CUBLAS_GERC,
    CUBLAS_SYR,
    CUBLAS_HER,
    CUBLAS_SPR,
    CUBLAS_HPR,
    CUBLAS_SYR2,
    CUBLAS_HER2,
    CUBLAS_SPR2,
    CUBLAS_HPR2,
    CUBLAS_AXPY,
    CUBLAS_COPY,
    CUBLAS_SWAP,
    CUBLAS_SCAL,
    CUBLAS_SCAL_REAL, /* complex vector, real alpha */
    CUBLAS_DOT,
    CUBLAS_DOTC,
    CUBLAS_NRM2,
    CUBLAS_ASUM,
    CUBLAS_AMAX,
    CUBLAS_AMIN,
    CUBLAS_ROT,
    CUBLAS_ROTM,
    CUBLAS_GETRF, /* factorizations, in batches alone */
    CUBLAS_GETRS,
    CUBLAS_GETRI,
    CUBLAS_MATINV, /* GETRF of a copy, then GETRI */
    CUBLAS_GEQRF,
    CUBLAS_GELS
};

/* A scalar of the caller: its value, or where the device has it. */
struct cublas_scalar {
    unsigned char value[16];
    const void *device; /* NULL: value */
    uint32_t bytes;     /* 0: the call has none */
};

/* Numbers as the caller gave them, before they are known to fit an int. */
struct cublas_call {
    const char *name; /* "cublasSgemm" */
    enum cublas_op op;
    enum blas_type type;
    enum blas_op trans_a, trans_b;
    enum blas_uplo uplo;
    enum blas_side side;
    enum blas_diag diag;
    bool host_result; /* d is memory of the host, which no range names */
    int64_t m, n, k, kl, ku, lda, ldb, ldc;
    const void *a, *b;
    void *c, *d;
    struct cublas_scalar alpha, beta;
    int *pivots, *info; /* of factorizations, n and 1 of each item, in the device's memory; NULL: none */
    bool is_small;      /* level 1: vectors of `element`, computed as floats */
    enum blas_element element, result_element;
    double param[5]; /* ROTM, of the host; else b is where the device has them */
    bool has_param;
    /* Several at once: pointers are arrays of pointers, or items lie a stride apart (in elements). */
    int64_t batch; /* 0: one, and no batch */
    bool arrays;
    int64_t stride_a, stride_b, stride_c;
    /* GEMM_MIXED */
    enum blas_element a_element, b_element, c_element;
    enum event_routine_math math; /* GEMM and GEMM_MIXED, if not the type's own */
    bool has_math;
};

/* ---- cublas_operands.c */
struct cublas_operand {
    char which; /* 'a', 'b', 'c' or 'd': what batches move; 'p', 'i': integers of each item, side by side */
    const void *at;
    int64_t rows, columns, ld; /* vectors: one row of elements a column, ld the increment */
    uint32_t bytes;            /* of an element */
    bool reads, writes;
};
/* The triangular or symmetric matrix at the side of one of m rows and n columns. */
static inline int64_t cublas_order(const struct cublas_call *x)
{
    return x->side == BLAS_LEFT ? x->m : x->n;
}
enum { CUBLAS_OPERANDS = 5 };
/* A call as it is queued: with its operands. */
struct cublas_work {
    struct cublas_call call;
    struct cublas_operand operands[CUBLAS_OPERANDS];
    unsigned count;
};
/* CUBLAS_STATUS_INVALID_VALUE: a dimension, leading dimension, increment or pointer cannot be. */
cublasStatus_t cublas_work_of(const struct cublas_call *call, struct cublas_work *out);
/* Matrices and vectors begin at multiples of their elements' real parts, as BLAS' kernels expect. */
bool cublas_is_aligned(const struct cublas_work *work);

/* ---- cublas_range.c, of event_routine_work; args: a struct cublas_work */
bool cublas_range(const void *args, uint32_t i, struct event_routine_range *out);
bool cublas_cover(const void *args, uint32_t i, struct event_routine_range *out);

/* ---- cublas_cost.c, of event_routine_work */
void cublas_describe(const void *args, struct event_routine *out, char shape[EVENT_ROUTINE_SHAPE]);

bool cublas_is_brief(const struct cublas_call *call); /* it takes some microseconds */

/* ---- cublas_run.c, of event_routine_work */
int cublas_run(const void *args);

/* ---- cublas_call.c */
/* alpha and beta as the handle's pointer mode has them; NULL is not valid. */
cublasStatus_t cublas_scalar_get(cublasHandle_t handle, const void *given, uint32_t bytes,
                                 struct cublas_scalar *out);
bool cublas_fits(const struct cublas_call *call); /* its numbers are ints */
/* After cublas_enter. */
cublasStatus_t cublas_call_queue(cublasHandle_t handle, const struct cublas_call *call);
/* The same of a call with a result of so many bytes, in the memory of the host or of the device. */
cublasStatus_t cublas_call_result(cublasHandle_t handle, struct cublas_call *call, void *result,
                                  uint32_t bytes);
/* CUDA's enumerations as blas/ has them; false: there is no such. */
bool cublas_trans(cublasOperation_t given, enum blas_op *out);
bool cublas_uplo(cublasFillMode_t given, enum blas_uplo *out);
bool cublas_side(cublasSideMode_t given, enum blas_side *out);
bool cublas_diag(cublasDiagType_t given, enum blas_diag *out);
enum event_routine_math cublas_math_of(cublasHandle_t handle, enum blas_type type);

/* For functions of all types: MAKE(letter, type, int of the interface, suffix). */
#define CUBLAS_TYPE_S float
#define CUBLAS_TYPE_D double
#define CUBLAS_TYPE_C cuComplex
#define CUBLAS_TYPE_Z cuDoubleComplex
#define CUBLAS_REAL_S float
#define CUBLAS_REAL_D double
#define CUBLAS_REAL_C float
#define CUBLAS_REAL_Z double
#define CUBLAS_BOTH(MAKE, L, suffix)                                                                         \
    MAKE(L, CUBLAS_TYPE_##L, int, suffix) MAKE(L, CUBLAS_TYPE_##L, int64_t, suffix##_64)
#define CUBLAS_REALS(MAKE, suffix)     CUBLAS_BOTH(MAKE, S, suffix) CUBLAS_BOTH(MAKE, D, suffix)
#define CUBLAS_COMPLEXES(MAKE, suffix) CUBLAS_BOTH(MAKE, C, suffix) CUBLAS_BOTH(MAKE, Z, suffix)
#define CUBLAS_EACH(MAKE, suffix)      CUBLAS_REALS(MAKE, suffix) CUBLAS_COMPLEXES(MAKE, suffix)
#endif
