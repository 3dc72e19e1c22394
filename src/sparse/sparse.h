/* SPDX-License-Identifier: Apache-2.0 */
/* sparse: matrices of which most elements are zero, on the host: formats, products, solves and conversions,
 * as cuSPARSE's functions need them.
 *
 * Whatever a matrix is stored as, it is computed with as a struct sparse_csr: rows one after the other, in
 * one of four types. CSR of such a type is used where it stands; other formats and elements are copied.
 * Threads: as many as SOFTWARP_THREADS says. Functions that return bool say false where an index leads out of
 * the matrix, before anything is written. */
#ifndef SPARSE_SPARSE_H
#define SPARSE_SPARSE_H

#include "base/base.h"

#include <stdbool.h>
#include <stdint.h>

/* What is computed with: float, double, and complex numbers of these. Integers are computed as doubles. */
enum sparse_type { SPARSE_S, SPARSE_D, SPARSE_C, SPARSE_Z };
/* What is stored: real parts, and whether there are imaginary ones beside them. */
enum sparse_part { SPARSE_F32, SPARSE_F64, SPARSE_F16, SPARSE_BF16, SPARSE_I8, SPARSE_I32 };
struct sparse_element {
    uint8_t part; /* enum sparse_part */
    bool is_complex;
};
enum sparse_op { SPARSE_N, SPARSE_T, SPARSE_H };
union sparse_scalar { /* of a type: its first bytes */
    float s[2];
    double d[2];
};

uint32_t sparse_bytes(enum sparse_type type);
uint32_t sparse_element_bytes(struct sparse_element element);
/* The element that numbers of a type are stored as. */
struct sparse_element sparse_element_of(enum sparse_type type);
/* Elements to numbers of a type and back: rounded to nearest even, integers modulo their size. A real type
 * takes the real part. */
void sparse_load(struct sparse_element element, const void *from, enum sparse_type type, void *to,
                 uint64_t count);
void sparse_store(enum sparse_type type, const void *from, struct sparse_element element, void *to,
                  uint64_t count);

/* ---- sparse_threads.c: [0, count) in parts of at least `grain`, on all threads; each part once */
typedef void sparse_part_fn(void *context, int64_t begin, int64_t end);
void sparse_parallel(int64_t count, int64_t grain, sparse_part_fn *run, void *context);

/* ---- sparse_csr.c */
enum sparse_format { SPARSE_CSR, SPARSE_CSC, SPARSE_COO, SPARSE_BSR, SPARSE_BLOCKED_ELL, SPARSE_SLICED_ELL };
/* As the caller stores it. Blocks: of block_rows by block_cols; ELL: square ones; slices: of block_rows. */
struct sparse_matrix {
    enum sparse_format format;
    int64_t rows, cols,
        nnz;             /* elements; nnz: that are stored, of BSR in whole blocks; of ELL with the padding */
    const void *offsets; /* of rows, columns, blocks or slices; COO: the rows */
    const void *indices;
    void *values;                    /* NULL: none are wanted */
    bool wide_offsets, wide_indices; /* int64_t, else int32_t */
    int base;                        /* of offsets and indices: 0 or 1 */
    struct sparse_element element;
    int64_t block_rows, block_cols, ell_cols;
    bool column_blocks; /* elements of a block stand in columns */
};
/* Offsets and columns from 0 on. position[k]: where value k is in the matrix; NULL: at k. */
struct sparse_csr {
    int64_t rows, cols, nnz;
    int64_t *offsets;
    int32_t *columns;
    void *values;
    int64_t *position;
    enum sparse_type type;
    bool owns_offsets, owns_columns, owns_values;
};
/* op: of the matrix, whose rows are then the result's. Release it in any case. */
bool sparse_csr_of(const struct sparse_matrix *matrix, enum sparse_type type, enum sparse_op op,
                   struct sparse_csr *out);
void sparse_csr_release(struct sparse_csr *csr);
/* Values of a CSR to where they came from, as the matrix stores them. */
void sparse_csr_write(const struct sparse_csr *csr, const struct sparse_matrix *matrix);
/* Columns of each row in ascending order; the CSR owns its arrays then. */
void sparse_csr_sort(struct sparse_csr *csr);
/* An empty one with room for so many values. */
void sparse_csr_new(int64_t rows, int64_t cols, int64_t nnz, enum sparse_type type, struct sparse_csr *out);
/* Lists of indices of the caller, from 0 on. */
int64_t sparse_index(const void *list, bool wide, int64_t i);
void sparse_index_set(void *list, bool wide, int64_t i, int64_t value);

/* ---- sparse_dense.c: dense matrices and vectors, with strides in elements */
struct sparse_dense {
    int64_t rows, cols, row_stride, col_stride;
    void *values;
    enum sparse_type type;
    bool owns;
};
/* A dense matrix as the caller stores it: ld between columns, or between rows. */
struct sparse_dense_source {
    int64_t rows, cols, ld;
    bool by_rows;
    void *values;
    struct sparse_element element;
};
void sparse_dense_open(const struct sparse_dense_source *source, enum sparse_type type,
                       struct sparse_dense *out);
/* As rows that stand one after the other, of op(source). */
void sparse_dense_rows(const struct sparse_dense_source *source, enum sparse_type type, enum sparse_op op,
                       struct sparse_dense *out);
/* Its numbers conjugated, in a copy of its own. */
void sparse_dense_conjugate(struct sparse_dense *dense, const struct sparse_dense_source *source);
void sparse_dense_new(int64_t rows, int64_t cols, enum sparse_type type,
                      struct sparse_dense *out); /* in rows */
void sparse_dense_copy(const struct sparse_dense *from, const struct sparse_dense *to);
/* writes: the numbers go back to the source. */
void sparse_dense_close(struct sparse_dense *dense, const struct sparse_dense_source *source, bool writes);

/* ---- sparse_mv.c: y := alpha * a * x + beta * y of a matrix of rows as it stands, if it can be so. False:
 * an index leads out of the matrix; y may be changed. */
bool sparse_mv_stands(const struct sparse_matrix *a, enum sparse_type type);
bool sparse_mv_in_place(const struct sparse_matrix *a, enum sparse_type type, union sparse_scalar alpha,
                        const void *x, union sparse_scalar beta, void *y);

/* ---- sparse_product.c */
/* y := alpha * a * x + beta * y */
void sparse_mv(const struct sparse_csr *a, union sparse_scalar alpha, const void *x, union sparse_scalar beta,
               void *y);
/* y := alpha * op(a) * x + beta * y, op: T or H */
void sparse_mv_transposed(const struct sparse_csr *a, enum sparse_op op, union sparse_scalar alpha,
                          const void *x, union sparse_scalar beta, void *y);
/* c := alpha * a * b + beta * c; b in rows */
void sparse_mm(const struct sparse_csr *a, union sparse_scalar alpha, const struct sparse_dense *b,
               union sparse_scalar beta, const struct sparse_dense *c);
/* Values of c := alpha * a * b + beta * c, where c has any; a in rows, b transposed in rows */
void sparse_sddmm(const struct sparse_dense *a, const struct sparse_dense *b, union sparse_scalar alpha,
                  union sparse_scalar beta, struct sparse_csr *c);
/* Vectors with n elements at indices of a dense vector. */
struct sparse_vector {
    int64_t n;
    const int32_t *indices; /* from 0 on */
    void *values;
    enum sparse_type type;
};
void sparse_axpby(union sparse_scalar alpha, const struct sparse_vector *x, union sparse_scalar beta, void *y,
                  int64_t size);
void sparse_dot(const struct sparse_vector *x, const void *y, bool conjugates, void *result);
/* (x, y) := (c x + s y, c y - s x) */
void sparse_rot(union sparse_scalar c, union sparse_scalar s, const struct sparse_vector *x, void *y);
/* to := alpha * a + beta * to, numbers of a type */
void sparse_scale_add(enum sparse_type type, union sparse_scalar alpha, const void *a,
                      union sparse_scalar beta, void *to, uint64_t count);

/* ---- sparse_sum.c: out is new */
void sparse_gemm(const struct sparse_csr *a, const struct sparse_csr *b, struct sparse_csr *out);
uint64_t sparse_gemm_products(const struct sparse_csr *a, const struct sparse_csr *b);
/* alpha * a + beta * b; rows of both sorted */
void sparse_add(union sparse_scalar alpha, const struct sparse_csr *a, union sparse_scalar beta,
                const struct sparse_csr *b, struct sparse_csr *out);

/* ---- sparse_solve.c */
struct sparse_triangle {
    bool upper, unit;
    const void *diagonal; /* of the type, in the place of the matrix' own; NULL: its own */
};
/* x := alpha * a^-1 * x, of the triangle of a; x in rows, of any number of columns */
void sparse_solve(const struct sparse_csr *a, const struct sparse_triangle *triangle,
                  union sparse_scalar alpha, const struct sparse_dense *x);
/* Replaces a number on the diagonal whose absolute value is not above tol. */
struct sparse_boost {
    bool on;
    double tol;
    union sparse_scalar value;
};
/* Incomplete factors in the place of a's values, for the pattern of a (Saad, Iterative Methods for Sparse
 * Linear Systems, 10.3). Returns the first row whose diagonal is missing or zero, or -1. */
int64_t sparse_ilu0(struct sparse_csr *a, const struct sparse_boost *boost);
int64_t sparse_ic0(struct sparse_csr *a);
int64_t sparse_missing_diagonal(const struct sparse_csr *a); /* the first row without, or -1 */

/* ---- sparse_band.c: systems of three or five diagonals; lists are strided, so that batches may interleave
 */
struct sparse_band {
    enum sparse_type type;
    int64_t n;
    const void *diagonals[5]; /* from the lowest: of 3: dl, d, du; of 5: ds, dl, d, du, dw; as long as d */
    int below;                /* 1 or 2 */
    int64_t stride;           /* from one element of a diagonal to the next */
    int64_t next;             /* from the matrix of a column to that of the next; 0: all have the same */
    bool pivots;
};
/* x: so many right sides, `next` elements apart, elements x_stride apart; replaced by the solution */
void sparse_band_solve(const struct sparse_band *band, void *x, int64_t x_stride, int64_t columns,
                       int64_t next);

/* ---- sparse_pattern.c */
/* Elements whose absolute value is above `above`; below 0: that are not zero. */
struct sparse_filter {
    double above;
};
bool sparse_keeps(const struct sparse_filter *filter, enum sparse_type type, const void *value);
double sparse_magnitude(enum sparse_type type, const void *value);
void sparse_of_dense(const struct sparse_dense *dense, const struct sparse_filter *filter,
                     struct sparse_csr *out);
void sparse_of_csr(const struct sparse_csr *csr, const struct sparse_filter *filter, struct sparse_csr *out);
/* Into lists of the caller: those that are not NULL, as CSR, or COO with rows. */
void sparse_csr_put(const struct sparse_csr *csr, const struct sparse_matrix *to);
/* A CSR of blocks, whose values are whole blocks; edge blocks are filled up with zeros. */
struct sparse_blocks {
    int64_t rows, count, block_bytes;
    int64_t *offsets;
    int32_t *columns;
    char *values; /* NULL: the CSR has none */
};
void sparse_blocks_of(const struct sparse_csr *csr, int64_t block_rows, int64_t block_cols,
                      bool column_blocks, struct sparse_blocks *out);
void sparse_blocks_release(struct sparse_blocks *blocks);

/* ---- sparse_order.c: orders and patterns; indices from 0 on */
/* order[i]: the place of what comes at i when it is sorted by (first, second); stable */
void sparse_sort_pairs(const int32_t *first, const int32_t *second, int64_t count, int64_t *order);
/* Colors of a graph's vertices so that neighbours differ, for a share of them; the others get one of their
 * own. Returns their number. */
int32_t sparse_color(const struct sparse_csr *a, double share, int32_t *colors);
#endif
