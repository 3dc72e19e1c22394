/* SPDX-License-Identifier: Apache-2.0 */
/* cusparse: what its files share. A call is checked, described as a struct cusparse_job with all that it
 * needs, and queued in the handle's stream; when its turn comes, a function of sparse/ computes it. */
#ifndef CUSPARSE_PRIV_H
#define CUSPARSE_PRIV_H

#include "base/base.h"
#include "event/event_routine.h"
#include "routine/routine.h"
#include "sparse/sparse.h"

#include <cuda.h>
#include <cusparse.h>

#include <stdbool.h>
#include <stdint.h>

#define CUSPARSE_PUBLIC __attribute__((visibility("default")))
#define CUSPARSE        CUSPARSE_PUBLIC cusparseStatus_t CUSPARSEAPI

/* Return a failing status at once; INVALID_VALUE where a condition holds. */
#define CUSPARSE_TRY(expr)                                                                                   \
    do {                                                                                                     \
        cusparseStatus_t cusparse_try_ = (expr);                                                             \
        if (cusparse_try_ != CUSPARSE_STATUS_SUCCESS) return cusparse_try_;                                  \
    } while (0)
#define CUSPARSE_REFUSE_IF(condition)                                                                        \
    do {                                                                                                     \
        if (condition) return CUSPARSE_STATUS_INVALID_VALUE;                                                 \
    } while (0)

/* ---- objects */
struct cusparseContext {
    CUcontext context; /* that was current when it was made */
    CUstream stream;
    cusparsePointerMode_t pointer_mode;
};
struct cusparseMatDescr {
    cusparseMatrixType_t type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diag;
    cusparseIndexBase_t base;
};
struct cusparseSpVecDescr {
    int64_t size, nnz;
    void *indices, *values;
    cusparseIndexType_t index_type;
    cusparseIndexBase_t base;
    cudaDataType type;
};
struct cusparseDnVecDescr {
    int64_t size;
    void *values;
    cudaDataType type;
};
struct cusparseDnMatDescr {
    int64_t rows, cols, ld;
    void *values;
    cudaDataType type;
    cusparseOrder_t order;
    int batch;
    int64_t stride;
};
struct cusparseSpMatDescr {
    cusparseFormat_t format;
    int64_t rows, cols, nnz; /* of BSR: nnz in blocks; of ELL: elements with padding */
    int64_t block, ell_cols; /* block: of BSR and blocked ELL; rows of a slice of sliced ELL */
    int64_t stored;          /* sliced ELL: nnz without padding */
    void *offsets, *indices, *values;
    cusparseIndexType_t offsets_type, indices_type;
    cusparseIndexBase_t base;
    cudaDataType type;
    cusparseOrder_t order;
    cusparseFillMode_t fill;
    cusparseDiagType_t diag;
    int batch;
    int64_t offsets_stride, indices_stride, values_stride;
};
/* What calls leave for later ones: descriptors of SpSV, SpSM and SpGEMM, and all kinds of "info". Written and
 * read by jobs, which find out whether it still lives. */
struct cusparse_state {
    bool analyzed, has_product;
    struct sparse_csr product;
    uint64_t products;
    void *values, *diagonal; /* numbers of the type that updates replaced a matrix' by; NULL: none */
    int64_t zero;            /* of a factorization: row of the first zero, from 0; -1: none */
    int base, block;
    enum sparse_type type;
    int64_t rows;
    struct sparse_boost boost;
    int64_t *order; /* of csru2csr */
    int64_t count;
    double threshold;
};
/* What a program's pointer may point to: a call finds out what is gone, or is no such thing. */
enum cusparse_kind {
    CUSPARSE_KIND_MAT,
    CUSPARSE_KIND_SPVEC,
    CUSPARSE_KIND_DNVEC,
    CUSPARSE_KIND_DNMAT,
    CUSPARSE_KIND_SPMAT,
    CUSPARSE_KINDS,      /* of descriptors */
    CUSPARSE_KIND_STATE, /* of the types that are infos and states */
    CUSPARSE_KIND_OTHER  /* null is none */
};
void cusparse_descr_add(enum cusparse_kind kind, void *descr);
bool cusparse_descr_lives(enum cusparse_kind kind, const void *descr);
/* What calls destroy; null is nothing. */
cusparseStatus_t cusparse_descr_free(enum cusparse_kind kind, const void *descr);
#define CUSPARSE_KIND_OF(pointer)                                                                            \
    _Generic((pointer),                                                                                      \
        struct cusparseMatDescr *: CUSPARSE_KIND_MAT,                                                        \
        const struct cusparseMatDescr *: CUSPARSE_KIND_MAT,                                                  \
        struct cusparseSpVecDescr *: CUSPARSE_KIND_SPVEC,                                                    \
        const struct cusparseSpVecDescr *: CUSPARSE_KIND_SPVEC,                                              \
        struct cusparseDnVecDescr *: CUSPARSE_KIND_DNVEC,                                                    \
        const struct cusparseDnVecDescr *: CUSPARSE_KIND_DNVEC,                                              \
        struct cusparseDnMatDescr *: CUSPARSE_KIND_DNMAT,                                                    \
        const struct cusparseDnMatDescr *: CUSPARSE_KIND_DNMAT,                                              \
        struct cusparseSpMatDescr *: CUSPARSE_KIND_SPMAT,                                                    \
        const struct cusparseSpMatDescr *: CUSPARSE_KIND_SPMAT,                                              \
        struct cusparse_state *: CUSPARSE_KIND_STATE,                                                        \
        const struct cusparse_state *: CUSPARSE_KIND_STATE,                                                  \
        cusparseSpSVDescr_t: CUSPARSE_KIND_STATE,                                                            \
        cusparseSpSMDescr_t: CUSPARSE_KIND_STATE,                                                            \
        cusparseSpGEMMDescr_t: CUSPARSE_KIND_STATE,                                                          \
        csru2csrInfo_t: CUSPARSE_KIND_STATE,                                                                 \
        default: CUSPARSE_KIND_OTHER)
#define CUSPARSE_GONE(pointer) (!cusparse_descr_lives(CUSPARSE_KIND_OF(pointer), (const void *)(pointer)))
struct cusparse_state *cusparse_state_new(void);
void cusparse_state_free(struct cusparse_state *state);
bool cusparse_state_lives(const struct cusparse_state *state);

/* ---- cusparse_handle.c */
/* Of functions of the generic interface, first: the handle lives, and the thread has a current context. */
cusparseStatus_t cusparse_enter(cusparseHandle_t handle);
/* Of the older ones, which answer a missing handle otherwise. */
cusparseStatus_t cusparse_enter_old(cusparseHandle_t handle);
cusparseStatus_t cusparse_status(CUresult result);
/* What is stored as a type; false: matrices and vectors cannot have it. */
bool cusparse_element(cudaDataType type, struct sparse_element *out);
bool cusparse_is_complex(cudaDataType type);
/* What a computation of the type is computed with. */
enum sparse_type cusparse_compute(cudaDataType type);
bool cusparse_op(cusparseOperation_t given, enum sparse_op *out);

/* ---- cusparse_job.c */
struct cusparse_scalar {
    const void *device; /* NULL: value */
    union sparse_scalar value;
    struct sparse_element element; /* of the device's */
};
/* Memory that a job reads or writes: so many elements, in lines. */
struct cusparse_span {
    const void *at;
    uint64_t bytes, count; /* of an element; elements of a line */
    uint64_t lines, pitch;
    bool reads, writes;
    const int *offsets; /* count is offsets[count] - offsets[0], of the device's memory; NULL: it is not */
};
struct cusparse_sparse {
    struct sparse_matrix m;
    int64_t offsets_stride, indices_stride, values_stride;
};
struct cusparse_dense {
    struct sparse_dense_source m;
    int64_t stride;
};
enum { CUSPARSE_SPANS = 24 };
struct cusparse_job {
    const char *name;
    int (*run)(const struct cusparse_job *job); /* 0, or a CUresult */
    char shape[96];
    uint64_t m, n, k, flops;
    uint8_t kind, method;
    enum sparse_type type;
    enum sparse_op op_a, op_b;
    struct cusparse_scalar alpha, beta;
    struct cusparse_sparse a, b, c;
    struct cusparse_dense x, y, z;
    int batch;
    struct sparse_triangle triangle;
    struct cusparse_state *state;
    int64_t number[8];
    void *p[8];
    double value;
    void *result; /* of the host; its call waits */
    struct cusparse_span spans[CUSPARSE_SPANS];
    unsigned span_count;
};
enum cusparse_use {
    CUSPARSE_READS = 1,
    CUSPARSE_WRITES = 2,
    CUSPARSE_PATTERN = 4
}; /* PATTERN: indices, too */
/* cusparse_cost.c: which of NVIDIA's kernels would run, and what is known when the matrix is there. */
void cusparse_cost(const struct cusparse_job *job, struct event_routine *what);
void cusparse_measure(const void *job, struct event_routine *what);
cusparseStatus_t cusparse_scalar_get(cusparseHandle_t handle, const void *given, cudaDataType type,
                                     struct cusparse_scalar *out);
union sparse_scalar cusparse_scalar_value(const struct cusparse_scalar *scalar, enum sparse_type type);
bool cusparse_is_zero(const struct cusparse_scalar *scalar); /* for certain, when the call is made */
void cusparse_span(struct cusparse_job *job, const void *at, uint64_t bytes, int64_t count, int use);
/* A list as long as the last of `rows` + 1 offsets of ints says. */
void cusparse_span_by(struct cusparse_job *job, const void *at, uint64_t bytes, const int *offsets,
                      int64_t rows, int use);
/* Operands become part of the job, and their memory of its spans. */
cusparseStatus_t cusparse_take_sparse(struct cusparse_job *job, cusparseConstSpMatDescr_t descr, int use,
                                      struct cusparse_sparse *out);
cusparseStatus_t cusparse_take_dense(struct cusparse_job *job, cusparseConstDnMatDescr_t descr, int use,
                                     struct cusparse_dense *out);
cusparseStatus_t cusparse_take_vector(struct cusparse_job *job, cusparseConstDnVecDescr_t descr, int use,
                                      struct cusparse_dense *out);
/* A CSR of ints and numbers of a type, of the older functions. columns and values may be NULL. */
void cusparse_take_csr(struct cusparse_job *job, int rows, int cols, int64_t nnz, const void *values,
                       const int *offsets, const int *columns, int base, int use,
                       struct cusparse_sparse *out);
/* Blocks of the older functions; nnzb below 0: as many as the offsets of the device say. */
struct cusparse_blocks {
    int rows, cols, nnzb; /* in blocks */
    int block_rows, block_cols;
    cusparseDirection_t dir;
    int base;
    const void *values;
    const int *offsets, *columns;
};
void cusparse_take_blocks(struct cusparse_job *job, const struct cusparse_blocks *blocks, int use,
                          struct cusparse_sparse *out);
/* What a matrix of the older functions is written to: offsets, columns and values that are not NULL. */
struct sparse_matrix cusparse_target(enum sparse_type type, const void *offsets, const void *columns,
                                     const void *values, int base);
struct sparse_matrix cusparse_sparse_at(const struct cusparse_sparse *x, int item);
struct sparse_dense_source cusparse_dense_at(const struct cusparse_dense *x, int item);
void cusparse_shape(struct cusparse_job *job, const char *format, ...) __attribute__((format(printf, 2, 3)));
cusparseStatus_t cusparse_queue(cusparseHandle_t handle, const struct cusparse_job *job);
cusparseStatus_t cusparse_queue_and_wait(cusparseHandle_t handle, const struct cusparse_job *job);
/* A result of one int, in the memory of the host or of the device, as the pointer mode says; job->p[7]. */
cusparseStatus_t cusparse_queue_count(cusparseHandle_t handle, struct cusparse_job *job, int *result);
void cusparse_put_count(const struct cusparse_job *job, int64_t count);

/* ---- older functions: for each type */
#define CUSPARSE_TYPE_H SPARSE_S
#define CUSPARSE_TYPE_S SPARSE_S
#define CUSPARSE_TYPE_D SPARSE_D
#define CUSPARSE_TYPE_C SPARSE_C
#define CUSPARSE_TYPE_Z SPARSE_Z
cudaDataType cusparse_type_of(enum sparse_type type);

/* What a factorization or an index says when memory is not what it should be. */
enum { CUSPARSE_BAD_INDEX = CUDA_ERROR_ILLEGAL_ADDRESS };
/* Says so, once for each function, and returns it. */
int cusparse_bad_index(const struct cusparse_job *job);
#endif
