/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: Cholesky, LU and symmetric indefinite factorizations, and what is solved with them. Method:
 * LAPACK, on copies; a loop where LAPACK has no factorization without pivots. Limits: that loop is not
 * blocked. */
#include "blas_lapack_priv.h"

#include <complex.h>

/* ---- Cholesky */

bool blas_potrf(enum blas_type type, enum blas_cholesky what, char uplo, int n, struct blas_matrix a,
                int *info)
{
    static const enum blas_lapack IDS[] = {BLAS_POTRF, BLAS_POTRI, BLAS_LAUUM};
    void (*f)(const char *, const int *, void *, const int *, int *, size_t) =
        (void (*)(const char *, const int *, void *, const int *, int *, size_t))blas_lapack_find(IDS[what],
                                                                                                  type);
    if (!f) return false;
    struct blas_copy x = blas_copy_triangle(type, a, n, uplo);
    f(&uplo, &n, x.at, &x.ld, info, 1);
    blas_copy_free_triangle(&x, uplo);
    return true;
}

bool blas_potrs(enum blas_type type, char uplo, int n, int sides, struct blas_matrix a, struct blas_matrix b,
                int *info)
{
    LAPACK_FIND(f, POTRS, type,
                (const char *, const int *, const int *, const void *, const int *, void *, const int *,
                 int *, size_t));
    struct blas_copy x = blas_copy_new(type, a, n, n, true), y = blas_copy_new(type, b, n, sides, true);
    f(&uplo, &n, &sides, x.at, &x.ld, y.at, &y.ld, info, 1);
    blas_copy_free(&x, false);
    blas_copy_free(&y, true);
    return true;
}

bool blas_trtri(enum blas_type type, char uplo, char diag, int n, struct blas_matrix a, int *info)
{
    LAPACK_FIND(f, TRTRI, type,
                (const char *, const char *, const int *, void *, const int *, int *, size_t, size_t));
    struct blas_copy x = blas_copy_new(type, a, n, n, true);
    f(&uplo, &diag, &n, x.at, &x.ld, info, 1, 1);
    blas_copy_free(&x, true);
    return true;
}

/* ---- LU */

bool blas_lu(enum blas_type type, int m, int n, struct blas_matrix a, int *pivots, int *info)
{
    LAPACK_FIND(f, GETRF, type, (const int *, const int *, void *, const int *, int *, int *));
    struct blas_copy x = blas_copy_new(type, a, m, n, true);
    bool done = true;
    if (pivots)
        f(&m, &n, x.at, &x.ld, pivots, info);
    else
        done =
            blas_getrf(&(struct blas_args){.type = type, .m = m, .n = n, .c = x.at, .ldc = x.ld}, NULL, info);
    blas_copy_free(&x, true);
    return done;
}

bool blas_lu_solve(enum blas_type type, char trans, int n, int sides, struct blas_matrix a, const int *pivots,
                   struct blas_matrix b, int *info)
{
    struct blas_copy x = blas_copy_new(type, a, n, n, true), y = blas_copy_new(type, b, n, sides, true);
    struct blas_args args = {.type = type,
                             .trans_a = trans == 'N'   ? BLAS_N
                                        : trans == 'T' ? BLAS_T
                                                       : BLAS_H,
                             .m = n,
                             .n = sides,
                             .a = x.at,
                             .lda = x.ld,
                             .c = y.at,
                             .ldc = y.ld};
    bool done = blas_getrs(&args, pivots, info);
    blas_copy_free(&x, false);
    blas_copy_free(&y, true);
    return done;
}

/* ---- symmetric indefinite: a = L D L^T or U D U^T; without exchanges L D L^T, of which U has L^T (recorded:
 * tests/hw/libraries) */

/* D is diagonal. The first zero on it ends the work. */
#define ENTRY(i, j) (a[lower ? (int64_t)(j) * ld + (i) : (int64_t)(i) * ld + (j)])
#define LDL(t, number)                                                                                       \
    static int ldl_##t(bool lower, int n, number *a, int ld)                                                 \
    {                                                                                                        \
        for (int k = 0; k < n; k++) {                                                                        \
            number pivot = ENTRY(k, k);                                                                      \
            if (pivot == 0) return k + 1;                                                                    \
            for (int j = k + 1; j < n; j++) {                                                                \
                number factor = ENTRY(j, k) / pivot;                                                         \
                for (int i = j; i < n; i++)                                                                  \
                    ENTRY(i, j) -= ENTRY(i, k) * factor;                                                     \
            }                                                                                                \
            for (int i = k + 1; i < n; i++)                                                                  \
                ENTRY(i, k) /= pivot;                                                                        \
        }                                                                                                    \
        return 0;                                                                                            \
    }                                                                                                        \
    static void ldl_solve_##t(bool lower, int n, int sides, const number *a, int ld, number *b, int ldb)     \
    {                                                                                                        \
        for (int64_t s = 0; s < sides; s++) {                                                                \
            number *x = b + s * ldb;                                                                         \
            for (int k = 0; k < n; k++)                                                                      \
                for (int i = k + 1; i < n; i++)                                                              \
                    x[i] -= ENTRY(i, k) * x[k];                                                              \
            for (int k = 0; k < n; k++)                                                                      \
                x[k] /= ENTRY(k, k);                                                                         \
            for (int k = n - 1; k >= 0; k--)                                                                 \
                for (int i = k + 1; i < n; i++)                                                              \
                    x[k] -= ENTRY(i, k) * x[i];                                                              \
        }                                                                                                    \
    }
LDL(s, float)
LDL(d, double)
LDL(c, float complex)
LDL(z, double complex)

static int ldl(enum blas_type type, char uplo, int n, void *a, int ld)
{
    bool lower = uplo == 'L';
    switch (type) {
    case BLAS_S: return ldl_s(lower, n, a, ld);
    case BLAS_D: return ldl_d(lower, n, a, ld);
    case BLAS_C: return ldl_c(lower, n, a, ld);
    case BLAS_Z: return ldl_z(lower, n, a, ld);
    }
    return 0;
}

static void ldl_solve(enum blas_type type, char uplo, int sides, const struct blas_copy *a,
                      struct blas_copy *b)
{
    bool lower = uplo == 'L';
    switch (type) {
    case BLAS_S: ldl_solve_s(lower, a->rows, sides, a->at, a->ld, b->at, b->ld); break;
    case BLAS_D: ldl_solve_d(lower, a->rows, sides, a->at, a->ld, b->at, b->ld); break;
    case BLAS_C: ldl_solve_c(lower, a->rows, sides, a->at, a->ld, b->at, b->ld); break;
    case BLAS_Z: ldl_solve_z(lower, a->rows, sides, a->at, a->ld, b->at, b->ld); break;
    }
}

bool blas_sytrf(enum blas_type type, char uplo, int n, struct blas_matrix a, int *pivots, int *info)
{
    LAPACK_FIND(f, SYTRF, type,
                (const char *, const int *, void *, const int *, int *, void *, const int *, int *, size_t));
    struct blas_copy x = blas_copy_new(type, a, n, n, true);
    int room = LAPACK_BLOCK * blas_most(n, 1);
    void *work = blas_work(type, room);
    if (pivots)
        f(&uplo, &n, x.at, &x.ld, pivots, work, &room, info, 1);
    else
        *info = ldl(type, uplo, n, x.at, x.ld);
    blas_room_give(work);
    blas_copy_free(&x, true);
    return true;
}

/* Rows from 1 to n; of blocks of two the negatives, in pairs. */
static bool symmetric_pivots_are_good(const int *pivots, int n)
{
    for (int i = 0; i < n; i++) {
        bool pair = pivots[i] < 0;
        if (pivots[i] == 0 || pivots[i] > n || pivots[i] < -n) return false;
        if (!pair) continue;
        i++;
        if (i == n || pivots[i] >= 0 || pivots[i] < -n) return false;
    }
    return true;
}

bool blas_sytrs(enum blas_type type, char uplo, int n, int sides, struct blas_matrix a, const int *pivots,
                struct blas_matrix b, int *info)
{
    if (pivots && !symmetric_pivots_are_good(pivots, n)) {
        *info = -6; /* LAPACK: this parameter is wrong */
        return true;
    }
    LAPACK_FIND(f, SYTRS, type,
                (const char *, const int *, const int *, const void *, const int *, const int *, void *,
                 const int *, int *, size_t));
    struct blas_copy x = blas_copy_new(type, a, n, n, true), y = blas_copy_new(type, b, n, sides, true);
    if (pivots)
        f(&uplo, &n, &sides, x.at, &x.ld, pivots, y.at, &y.ld, info, 1);
    else
        ldl_solve(type, uplo, sides, &x, &y);
    blas_copy_free(&x, false);
    blas_copy_free(&y, true);
    return true;
}

bool blas_sytri(enum blas_type type, char uplo, int n, struct blas_matrix a, const int *pivots, int *info)
{
    if (pivots && !symmetric_pivots_are_good(pivots, n)) {
        *info = -5; /* LAPACK: this parameter is wrong */
        return true;
    }
    LAPACK_FIND(f, SYTRI, type,
                (const char *, const int *, void *, const int *, const int *, void *, int *, size_t));
    struct blas_copy x = blas_copy_new(type, a, n, n, true);
    void *work = blas_work(type, n);
    f(&uplo, &n, x.at, &x.ld, pivots, work, info, 1);
    blas_room_give(work);
    blas_copy_free(&x, true);
    return true;
}
