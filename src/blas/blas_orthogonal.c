/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: QR, least squares, bidiagonal and tridiagonal forms, and the orthogonal (unitary) matrices of
 * these. Method: LAPACK, on copies of matrices and vectors. Limits: LAPACK's own. */
#include "blas_lapack_priv.h"

static struct blas_copy vector(enum blas_type type, const void *at, int count, bool reads)
{
    return blas_copy_new(type, blas_matrix(at, blas_most(count, 1)), count, 1, reads);
}

/* ---- QR */

bool blas_qr(enum blas_type type, int m, int n, struct blas_matrix a, void *tau, int *info)
{
    LAPACK_FIND(f, GEQRF, type,
                (const int *, const int *, void *, const int *, void *, void *, const int *, int *));
    struct blas_copy x = blas_copy_new(type, a, m, n, true), t = vector(type, tau, blas_least(m, n), false);
    int room = LAPACK_BLOCK * blas_most(n, 1);
    void *work = blas_work(type, room);
    f(&m, &n, x.at, &x.ld, t.at, work, &room, info);
    blas_room_give(work);
    blas_copy_free(&x, true);
    blas_copy_free(&t, true);
    return true;
}

bool blas_orgqr(enum blas_type type, int m, int n, int k, struct blas_matrix a, const void *tau, int *info)
{
    LAPACK_FIND(f, ORGQR, type,
                (const int *, const int *, const int *, void *, const int *, const void *, void *,
                 const int *, int *));
    struct blas_copy x = blas_copy_new(type, a, m, n, true), t = vector(type, tau, k, true);
    int room = LAPACK_BLOCK * blas_most(n, 1);
    void *work = blas_work(type, room);
    f(&m, &n, &k, x.at, &x.ld, t.at, work, &room, info);
    blas_room_give(work);
    blas_copy_free(&x, true);
    blas_copy_free(&t, false);
    return true;
}

bool blas_ormqr(enum blas_type type, char side, char trans, int m, int n, int k, struct blas_matrix a,
                const void *tau, struct blas_matrix c, int *info)
{
    LAPACK_FIND(f, ORMQR, type,
                (const char *, const char *, const int *, const int *, const int *, const void *, const int *,
                 const void *, void *, const int *, void *, const int *, int *, size_t, size_t));
    struct blas_copy x = blas_copy_new(type, a, side == 'L' ? m : n, k, true), t = vector(type, tau, k, true),
                     y = blas_copy_new(type, c, m, n, true);
    int room = (LAPACK_BLOCK + 1) * (blas_most(blas_most(m, n), 1) + LAPACK_BLOCK);
    void *work = blas_work(type, room);
    f(&side, &trans, &m, &n, &k, x.at, &x.ld, t.at, y.at, &y.ld, work, &room, info, 1, 1);
    blas_room_give(work);
    blas_copy_free(&x, false);
    blas_copy_free(&t, false);
    blas_copy_free(&y, true);
    return true;
}

bool blas_larft(enum blas_type type, char direct, char storev, int n, int k, struct blas_matrix v,
                const void *tau, struct blas_matrix t)
{
    LAPACK_FIND(f, LARFT, type,
                (const char *, const char *, const int *, const int *, void *, const int *, const void *,
                 void *, const int *, size_t, size_t));
    bool columns = storev == 'C';
    struct blas_copy x = blas_copy_new(type, v, columns ? n : k, columns ? k : n, true),
                     factors = vector(type, tau, k, true), y = blas_copy_new(type, t, k, k, true);
    f(&direct, &storev, &n, &k, x.at, &x.ld, factors.at, y.at, &y.ld, 1, 1);
    blas_copy_free(&x, false);
    blas_copy_free(&factors, false);
    blas_copy_free(&y, true);
    return true;
}

bool blas_least_squares(enum blas_type type, int m, int n, int sides, struct blas_matrix a,
                        struct blas_matrix b, int *info)
{
    struct blas_copy x = blas_copy_new(type, a, m, n, true), y = blas_copy_new(type, b, m, sides, true);
    struct blas_args args = {.type = type,
                             .trans_a = BLAS_N,
                             .m = m,
                             .n = n,
                             .k = sides,
                             .a = x.at,
                             .lda = x.ld,
                             .c = y.at,
                             .ldc = y.ld};
    bool done = blas_gels(&args, info);
    blas_copy_free(&x, false);
    blas_copy_free(&y, done);
    return done;
}

/* ---- bidiagonal form */

bool blas_gebrd(enum blas_type type, int m, int n, struct blas_matrix a, void *d, void *e, void *tau_q,
                void *tau_p, int *info)
{
    LAPACK_FIND(f, GEBRD, type,
                (const int *, const int *, void *, const int *, void *, void *, void *, void *, void *,
                 const int *, int *));
    int least = blas_least(m, n), room = LAPACK_BLOCK * (blas_most(m, 1) + n);
    enum blas_type real = blas_real(type);
    struct blas_copy x = blas_copy_new(type, a, m, n, true), diagonal = vector(real, d, least, false),
                     beside = vector(real, e, least - 1, false), q = vector(type, tau_q, least, false),
                     p = vector(type, tau_p, least, false);
    void *work = blas_work(type, room);
    f(&m, &n, x.at, &x.ld, diagonal.at, beside.at, q.at, p.at, work, &room, info);
    blas_room_give(work);
    struct blas_copy *const changed[] = {&x, &diagonal, &beside, &q, &p};
    for (size_t i = 0; i < SW_COUNT_OF(changed); i++)
        blas_copy_free(changed[i], true);
    return true;
}

bool blas_orgbr(enum blas_type type, char vect, int m, int n, int k, struct blas_matrix a, const void *tau,
                int *info)
{
    LAPACK_FIND(f, ORGBR, type,
                (const char *, const int *, const int *, const int *, void *, const int *, const void *,
                 void *, const int *, int *, size_t));
    struct blas_copy x = blas_copy_new(type, a, m, n, true),
                     t = vector(type, tau, blas_least(vect == 'Q' ? m : n, k), true);
    int room = LAPACK_BLOCK * blas_most(blas_most(m, n), 1);
    void *work = blas_work(type, room);
    f(&vect, &m, &n, &k, x.at, &x.ld, t.at, work, &room, info, 1);
    blas_room_give(work);
    blas_copy_free(&x, true);
    blas_copy_free(&t, false);
    return true;
}

/* ---- tridiagonal form */

bool blas_sytrd(enum blas_type type, char uplo, int n, struct blas_matrix a, void *d, void *e, void *tau,
                int *info)
{
    LAPACK_FIND(f, SYTRD, type,
                (const char *, const int *, void *, const int *, void *, void *, void *, void *, const int *,
                 int *, size_t));
    enum blas_type real = blas_real(type);
    struct blas_copy x = blas_copy_new(type, a, n, n, true), diagonal = vector(real, d, n, false),
                     beside = vector(real, e, n - 1, false), t = vector(type, tau, n - 1, false);
    int room = LAPACK_BLOCK * blas_most(n, 1);
    void *work = blas_work(type, room);
    f(&uplo, &n, x.at, &x.ld, diagonal.at, beside.at, t.at, work, &room, info, 1);
    blas_room_give(work);
    struct blas_copy *const changed[] = {&x, &diagonal, &beside, &t};
    for (size_t i = 0; i < SW_COUNT_OF(changed); i++)
        blas_copy_free(changed[i], true);
    return true;
}

bool blas_orgtr(enum blas_type type, char uplo, int n, struct blas_matrix a, const void *tau, int *info)
{
    LAPACK_FIND(
        f, ORGTR, type,
        (const char *, const int *, void *, const int *, const void *, void *, const int *, int *, size_t));
    struct blas_copy x = blas_copy_new(type, a, n, n, true), t = vector(type, tau, n - 1, true);
    int room = LAPACK_BLOCK * blas_most(n, 1);
    void *work = blas_work(type, room);
    f(&uplo, &n, x.at, &x.ld, t.at, work, &room, info, 1);
    blas_room_give(work);
    blas_copy_free(&x, true);
    blas_copy_free(&t, false);
    return true;
}

bool blas_ormtr(enum blas_type type, char side, char uplo, char trans, int m, int n, struct blas_matrix a,
                const void *tau, struct blas_matrix c, int *info)
{
    LAPACK_FIND(f, ORMTR, type,
                (const char *, const char *, const char *, const int *, const int *, void *, const int *,
                 const void *, void *, const int *, void *, const int *, int *, size_t, size_t, size_t));
    int order = side == 'L' ? m : n;
    struct blas_copy x = blas_copy_new(type, a, order, order, true), t = vector(type, tau, order - 1, true),
                     y = blas_copy_new(type, c, m, n, true);
    int room = (LAPACK_BLOCK + 1) * (blas_most(blas_most(m, n), 1) + LAPACK_BLOCK);
    void *work = blas_work(type, room);
    f(&side, &uplo, &trans, &m, &n, x.at, &x.ld, t.at, y.at, &y.ld, work, &room, info, 1, 1, 1);
    blas_room_give(work);
    blas_copy_free(&x, false);
    blas_copy_free(&t, false);
    blas_copy_free(&y, true);
    return true;
}
