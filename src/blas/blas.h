/* SPDX-License-Identifier: Apache-2.0 */
/* blas: linear algebra by the host's own BLAS library, opened when something asks for it.
 *
 * Matrices stand in columns; m, n, k, increments and leading dimensions are as BLAS has them and were checked
 * by the caller; numbers above INT_MAX are the caller's to refuse. alpha and beta point to one element of the
 * type. Functions return false where the library has no such function. */
#ifndef BLAS_BLAS_H
#define BLAS_BLAS_H

#include "base/base.h"

#include <stdbool.h>
#include <stdint.h>

enum blas_type { BLAS_S, BLAS_D, BLAS_C, BLAS_Z }; /* float, double, and complex numbers of these */
static inline uint32_t blas_bytes(enum blas_type type)
{
    static const uint8_t BYTES[] = {4, 8, 8, 16};
    return BYTES[type];
}
/* By CBLAS' numbers, which cblas_*gemm and the like take. */
enum blas_op { BLAS_N = 111, BLAS_T = 112, BLAS_H = 113 };
enum blas_uplo { BLAS_UPPER = 121, BLAS_LOWER = 122 };
enum blas_diag { BLAS_NON_UNIT = 131, BLAS_UNIT = 132 };
enum blas_side { BLAS_LEFT = 141, BLAS_RIGHT = 142 };

/* Open the library: SOFTWARP_BLAS (a file, of any library with the C interface of BLAS), or OpenBLAS. Once;
 * later calls give the same answer. SW_FILE_NOT_FOUND: there is none; the message says what to install. */
enum sw_status blas_open(struct sw_error *error);
const char *blas_name(void); /* "OpenBLAS 0.3.21, SkylakeX"; after blas_open */

/* What a call does: fields that a routine does not have are 0. */
struct blas_args {
    enum blas_type type;
    enum blas_op trans_a, trans_b;
    enum blas_uplo uplo;
    enum blas_side side;
    enum blas_diag diag;
    int m, n, k, kl, ku; /* kl, ku: bands below and above */
    int lda, ldb, ldc;   /* or increments of vectors */
    const void *a, *b;   /* operands, in BLAS' order */
    void *c;             /* what is changed */
    const void *alpha, *beta;
    void *d; /* a second vector that is changed (swap, rot), or a result */
};
/* Level 3 */
bool blas_gemm(const struct blas_args *x);
/* Items of a batch: a, b and c are arrays of pointers, or lie so many bytes apart. */
struct blas_items {
    int64_t count;
    bool arrays;
    int64_t a_step, b_step, c_step;
};
bool blas_gemm_items(const struct blas_args *x, const struct blas_items *items);
bool blas_symm(const struct blas_args *x, bool hermitian);
bool blas_syrk(const struct blas_args *x, bool hermitian);  /* hermitian: alpha and beta are real */
bool blas_syr2k(const struct blas_args *x, bool hermitian); /* hermitian: beta is real */
bool blas_trmm(const struct blas_args *x);                  /* c := alpha * op(a) * c */
bool blas_trsm(const struct blas_args *x);
/* Level 2: a is the matrix, b the vector x with increment ldb, c the vector y with increment ldc */
bool blas_gemv(const struct blas_args *x);
bool blas_gbmv(const struct blas_args *x);
bool blas_symv(const struct blas_args *x, bool hermitian);
bool blas_sbmv(const struct blas_args *x, bool hermitian);
bool blas_spmv(const struct blas_args *x, bool hermitian);
bool blas_trv(const struct blas_args *x, char storage,
              bool solves); /* storage: 'r' full, 'b' band, 'p' packed */
/* a, b: vectors with increments lda, ldb; c: the matrix, leading dimension ldc */
bool blas_ger(const struct blas_args *x, bool conjugates);
bool blas_syr(const struct blas_args *x, bool hermitian, bool packed); /* hermitian: alpha is real */
bool blas_syr2(const struct blas_args *x, bool hermitian, bool packed);
/* Level 1: a, c: vectors with increments lda, ldc; n elements */
bool blas_axpy(const struct blas_args *x);
bool blas_copy(const struct blas_args *x);
bool blas_swap(const struct blas_args *x);                  /* of c and d (increment ldb) */
bool blas_scal(const struct blas_args *x, bool real_alpha); /* of c */
bool blas_dot(const struct blas_args *x, bool conjugates);  /* of a and b; result in d */
bool blas_nrm2(const struct blas_args *x);                  /* of a; result, real, in d */
bool blas_asum(const struct blas_args *x);
bool blas_amax(const struct blas_args *x, bool least); /* d: int, from 1; 0: there are no elements */

/* ---- blas_factor.c: LAPACK's, which OpenBLAS has. pivots: from 1; info: as LAPACK sets it */
bool blas_getrf(const struct blas_args *x, int *pivots, int *info); /* of c, m by n; pivots NULL: without */
/* c := op(a)^-1 * c, of n columns, by what blas_getrf left in a of order m; pivots NULL: without */
bool blas_getrs(const struct blas_args *x, const int *pivots, int *info);
bool blas_getri(const struct blas_args *x, const int *pivots, int *info); /* c := a^-1, likewise */
/* Of rows from 1 to n: LAPACK follows them without a look. Both functions give the pivots' -info for others.
 */
bool blas_pivots_are_good(const int *pivots, int n);
bool blas_geqrf(const struct blas_args *x, int *info); /* of c; d: min(m, n) factors */
/* Least squares: of a, m by n, and c, of k right sides; a and c are changed. */
bool blas_gels(const struct blas_args *x, int *info);

/* ---- blas_convert.c: elements of few bits, and integers */
enum blas_element {
    BLAS_F32,
    BLAS_F64,
    BLAS_F16,
    BLAS_BF16,
    BLAS_E4M3, /* 8-bit floats */
    BLAS_E5M2,
    BLAS_I8,
    BLAS_U8,
    BLAS_I32,
    BLAS_ELEMENTS
};
uint32_t blas_element_bytes(enum blas_element element);
/* Elements to floats and back, rounded to nearest even; integers saturate. */
void blas_to_floats(enum blas_element element, const void *from, float *to, uint64_t count);
void blas_from_floats(enum blas_element element, const float *from, void *to, uint64_t count);

/* c := alpha * op(a) * op(b) + beta * c with elements of any types but BLAS_F64; products and sums in floats,
 * or exactly, modulo 2^32, where c is of BLAS_I32 (alpha and beta are then int32_t, else float). */
struct blas_mixed {
    enum blas_element a_element, b_element, c_element;
    enum blas_op trans_a, trans_b;
    int m, n, k, lda, ldb, ldc;
    const void *a, *b, *alpha, *beta;
    void *c;
};
bool blas_gemm_mixed(const struct blas_mixed *x);
#endif
