/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: Cholesky, LU and symmetric indefinite factorizations, and what is solved with them. Method: LAPACK, on copies; a loop where
 * LAPACK has no factorization without pivots. Limits: that loop is not blocked. */
#include "blas_lapack_priv.h"

#include <complex.h>

/* ---- Cholesky */

bool blas_potrf(enum blas_type type, enum blas_cholesky what, char uplo, int n, struct blas_matrix a, int *info)
{
    static const enum blas_lapack IDS[] = {BLAS_POTRF, BLAS_POTRI, BLAS_LAUUM};
    void (*f)(const char *, const int *, void *, const int *, int *, size_t) =
        (void (*)(const char *, const int *, void *, const int *, int *, size_t))blas_lapack_find(IDS[what], type);
    if (!f) return false;
    struct blas_copy x = blas_copy_new(type, a, n, n, true);
    f(&uplo, &n, x.at, &x.ld, info, 1);
    blas_copy_free(&x, true);
    return true;
}

bool blas_potrs(enum blas_type type, char uplo, int n, int sides, struct blas_matrix a, struct blas_matrix b,
                int *info)
{
    LAPACK_FIND(f, POTRS, type,
                (const char *, const int *, const int *, const void *, const int *, void *, const int *, int *, size_t));
    struct blas_copy x = blas_copy_new(type, a, n, n, true), y = blas_copy_new(type, b, n, sides, true);
    f(&uplo, &n, &sides, x.at, &x.ld, y.at, &y.ld, info, 1);
    blas_copy_free(&x, false);
    blas_copy_free(&y, true);
    return true;
}

bool blas_trtri(enum blas_type type, char uplo, char diag, int n, struct blas_matrix a, int *info)
{
    LAPACK_FIND(f, TRTRI, type, (const char *, const char *, const int *, void *, const int *, int *, size_t, size_t));
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
        done = blas_getrf(&(struct blas_args){.type = type, .m = m, .n = n, .c = x.at, .ldc = x.ld}, NULL, info);
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

/* ---- symmetric indefinite: a = L D L^T or U D U^T */

#define AT(p, i, j, ld) ((p)[(int64_t)(j) * (ld) + (i)])
/* Without exchanges: D is diagonal. The first zero on it ends the work. */
#define LDL(t, number)                                                                                       \
    static int ldl_##t(char uplo, int n, number *a, int ld)                                                  \
    {                                                                                                        \
        bool lower = uplo == 'L';                                                                            \
        for (int s = 0; s < n; s++) {                                                                        \
            int k = lower ? s : n - 1 - s, first = lower ? k + 1 : 0, end = lower ? n : k;                   \
            number pivot = AT(a, k, k, ld);                                                                  \
            if (pivot == 0) return k + 1;                                                                    \
            for (int j = first; j < end; j++) {                                                              \
                number factor = AT(a, j, k, ld) / pivot;                                                     \
                for (int i = lower ? j : 0; i < (lower ? n : j + 1); i++)                                    \
                    AT(a, i, j, ld) -= AT(a, i, k, ld) * factor;                                             \
            }                                                                                                \
            for (int i = first; i < end; i++)                                                                \
                AT(a, i, k, ld) /= pivot;                                                                    \
        }                                                                                                    \
        return 0;                                                                                            \
    }
LDL(s, float)
LDL(d, double)
LDL(c, float complex)
LDL(z, double complex)

static int ldl(enum blas_type type, char uplo, int n, void *a, int ld)
{
    switch (type) {
    case BLAS_S: return ldl_s(uplo, n, a, ld);
    case BLAS_D: return ldl_d(uplo, n, a, ld);
    case BLAS_C: return ldl_c(uplo, n, a, ld);
    case BLAS_Z: return ldl_z(uplo, n, a, ld);
    }
    return 0;
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
    free(work);
    blas_copy_free(&x, true);
    return true;
}

/* Pivots that exchange nothing. */
static int *no_exchanges(int n)
{
    int *pivots = sw_xcalloc((size_t)blas_most(n, 1), sizeof *pivots);
    for (int i = 0; i < n; i++)
        pivots[i] = i + 1;
    return pivots;
}

bool blas_sytrs(enum blas_type type, char uplo, int n, int sides, struct blas_matrix a, const int *pivots,
                struct blas_matrix b, int *info)
{
    LAPACK_FIND(f, SYTRS, type,
                (const char *, const int *, const int *, const void *, const int *, const int *, void *, const int *,
                 int *, size_t));
    int *none = pivots ? NULL : no_exchanges(n);
    struct blas_copy x = blas_copy_new(type, a, n, n, true), y = blas_copy_new(type, b, n, sides, true);
    f(&uplo, &n, &sides, x.at, &x.ld, pivots ? pivots : none, y.at, &y.ld, info, 1);
    blas_copy_free(&x, false);
    blas_copy_free(&y, true);
    free(none);
    return true;
}

bool blas_sytri(enum blas_type type, char uplo, int n, struct blas_matrix a, const int *pivots, int *info)
{
    LAPACK_FIND(f, SYTRI, type, (const char *, const int *, void *, const int *, const int *, void *, int *, size_t));
    int *none = pivots ? NULL : no_exchanges(n);
    struct blas_copy x = blas_copy_new(type, a, n, n, true);
    void *work = blas_work(type, n);
    f(&uplo, &n, x.at, &x.ld, pivots ? pivots : none, work, info, 1);
    free(work);
    blas_copy_free(&x, true);
    free(none);
    return true;
}
