/* SPDX-License-Identifier: Apache-2.0 */
/* LAPACK of the host's BLAS library: factorizations, eigenvalues, singular values. All functions need
 * blas_open.
 *
 * Matrices stand in columns; characters and numbers are LAPACK's ('L', 'U'; 'N', 'T', 'C'; 'L', 'R'; 'N',
 * 'V'), and were checked by the caller. Of symmetric types real and Hermitian of complex types, if not said
 * otherwise. info is set as LAPACK sets it; what is changed by a failing call is LAPACK's, too. Nothing
 * beside the operands is read, since matrices are copied into memory of the host's own first, and back. Real
 * results (w, s, d, e) are float or double. Functions return false where the library has no such function. */
#ifndef BLAS_BLAS_LAPACK_H
#define BLAS_BLAS_LAPACK_H

#include "blas/blas.h"

struct blas_matrix {
    void *at;
    int ld;
};
static inline struct blas_matrix blas_matrix(const void *at, int64_t ld)
{
    return (struct blas_matrix){(void *)(uintptr_t)at, (int)ld};
}
static inline bool blas_is_complex(enum blas_type type)
{
    return type == BLAS_C || type == BLAS_Z;
}
/* BLAS_S or BLAS_D: of the parts of complex numbers */
static inline enum blas_type blas_real(enum blas_type type)
{
    return type == BLAS_S || type == BLAS_C ? BLAS_S : BLAS_D;
}

/* ---- blas_linear.c */
enum blas_cholesky { BLAS_CHOLESKY, BLAS_CHOLESKY_INVERT, BLAS_CHOLESKY_SQUARE };
/* a := its factor; the inverse of what it is the factor of; or the product of factors (lauum) */
bool blas_potrf(enum blas_type type, enum blas_cholesky what, char uplo, int n, struct blas_matrix a,
                int *info);
bool blas_potrs(enum blas_type type, char uplo, int n, int sides, struct blas_matrix a, struct blas_matrix b,
                int *info);
bool blas_trtri(enum blas_type type, char uplo, char diag, int n, struct blas_matrix a, int *info);
/* pivots NULL: without. Pivots of complex matrices are chosen by the sum of the absolute values of their
 * parts. */
bool blas_lu(enum blas_type type, int m, int n, struct blas_matrix a, int *pivots, int *info);
bool blas_lu_solve(enum blas_type type, char trans, int n, int sides, struct blas_matrix a, const int *pivots,
                   struct blas_matrix b, int *info);
/* Symmetric, not Hermitian, of all types; pivots NULL: diagonal, without exchanges. */
bool blas_sytrf(enum blas_type type, char uplo, int n, struct blas_matrix a, int *pivots, int *info);
bool blas_sytrs(enum blas_type type, char uplo, int n, int sides, struct blas_matrix a, const int *pivots,
                struct blas_matrix b, int *info);
bool blas_sytri(enum blas_type type, char uplo, int n, struct blas_matrix a, const int *pivots, int *info);

/* ---- blas_orthogonal.c */
bool blas_qr(enum blas_type type, int m, int n, struct blas_matrix a, void *tau, int *info);
bool blas_orgqr(enum blas_type type, int m, int n, int k, struct blas_matrix a, const void *tau, int *info);
/* c := op(Q) c or c op(Q), of m by n; a has k reflectors */
bool blas_ormqr(enum blas_type type, char side, char trans, int m, int n, int k, struct blas_matrix a,
                const void *tau, struct blas_matrix c, int *info);
bool blas_larft(enum blas_type type, char direct, char storev, int n, int k, struct blas_matrix v,
                const void *tau, struct blas_matrix t);
/* b, m by sides: its first n rows become the solution of least squares. */
bool blas_least_squares(enum blas_type type, int m, int n, int sides, struct blas_matrix a,
                        struct blas_matrix b, int *info);
bool blas_gebrd(enum blas_type type, int m, int n, struct blas_matrix a, void *d, void *e, void *tau_q,
                void *tau_p, int *info);
bool blas_orgbr(enum blas_type type, char vect, int m, int n, int k, struct blas_matrix a, const void *tau,
                int *info);
bool blas_sytrd(enum blas_type type, char uplo, int n, struct blas_matrix a, void *d, void *e, void *tau,
                int *info);
bool blas_orgtr(enum blas_type type, char uplo, int n, struct blas_matrix a, const void *tau, int *info);
bool blas_ormtr(enum blas_type type, char side, char uplo, char trans, int m, int n, struct blas_matrix a,
                const void *tau, struct blas_matrix c, int *info);

/* ---- blas_spectral.c */
/* Which eigenvalues: all, those of numbers low to high from 1, or those in (from, to]. */
struct blas_range {
    char which; /* 'A', 'I' or 'V' */
    int low, high;
    double from, to;
};
/* w: room for n, in rising order; a: eigenvectors if jobz is 'V'; found: how many */
bool blas_syev(enum blas_type type, char jobz, const struct blas_range *range, char uplo, int n,
               struct blas_matrix a, void *w, int *found, int *info);
/* A x = w B x (itype 1), A B x = w x (2), B A x = w x (3); b: its Cholesky factor */
bool blas_sygv(enum blas_type type, int itype, char jobz, const struct blas_range *range, char uplo, int n,
               struct blas_matrix a, struct blas_matrix b, void *w, int *found, int *info);
/* w: n complex numbers; vectors at NULL: none; real types: pairs of columns are real and imaginary parts */
bool blas_geev(enum blas_type type, int n, struct blas_matrix a, void *w, struct blas_matrix vectors,
               int *info);
/* jobs: 'A', 'S', 'O', 'N'; s: min(m, n), in falling order; vt: V^H; a is lost, or overwritten for 'O' */
bool blas_svd(enum blas_type type, char job_u, char job_vt, int m, int n, struct blas_matrix a, void *s,
              struct blas_matrix u, struct blas_matrix vt, int *info);
#endif
