/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: eigenvalues and singular values. Method: LAPACK, on copies: divide and conquer for all eigenvalues
 * (syevd), relatively robust representations for some (syevr); problems with two matrices are brought to one
 * by the Cholesky factor of the second; singular values by divide and conquer (gesdd), or by QR (gesvd) where
 * one side alone is wanted. Limits: LAPACK's own. */
#include "blas_lapack_priv.h"

/* ---- symmetric and Hermitian */

static int real_room(char jobz, int n) /* of heevd: documented, LAPACK Users' Guide */
{
    return jobz == 'V' ? 1 + 5 * n + 2 * n * n : blas_most(1, n);
}

static bool all_eigenvalues(enum blas_type type, char jobz, char uplo, int n, void *a, int ld, void *w,
                            int *info)
{
    int integers = jobz == 'V' ? 3 + 5 * n : 1, reals = real_room(jobz, n);
    int room = jobz == 'V' ? 1 + 6 * n + 2 * n * n : 2 * n + 1;
    if (room < LAPACK_BLOCK * (n + 1)) room = LAPACK_BLOCK * (n + 1);
    bool done = false;
    void *work = blas_work(type, room), *more = blas_work(type, reals);
    int *integer = sw_xcalloc((size_t)integers, sizeof *integer);
    blas_lapack_fn *found = blas_lapack_find(BLAS_SYEVD, type);
    if (found && blas_is_complex(type))
        ((void (*)(const char *, const char *, const int *, void *, const int *, void *, void *, const int *,
                   void *, const int *, int *, const int *, int *, size_t, size_t))found)(
            &jobz, &uplo, &n, a, &ld, w, work, &room, more, &reals, integer, &integers, info, 1, 1);
    else if (found)
        ((void (*)(const char *, const char *, const int *, void *, const int *, void *, void *, const int *,
                   int *, const int *, int *, size_t, size_t))found)(&jobz, &uplo, &n, a, &ld, w, work, &room,
                                                                     integer, &integers, info, 1, 1);
    done = found != NULL;
    blas_room_give(work);
    blas_room_give(more);
    free(integer);
    return done;
}

static bool some_eigenvalues(enum blas_type type, char jobz, const struct blas_range *range, char uplo, int n,
                             void *a, int ld, void *w, void *vectors, int *found, int *info)
{
    blas_lapack_fn *function = blas_lapack_find(BLAS_SYEVR, type);
    float single[] = {(float)range->from, (float)range->to, 0};
    double number[] = {range->from, range->to, 0};
    bool is_single = blas_real(type) == BLAS_S;
    const void *from = is_single ? (void *)&single[0] : &number[0],
               *to = is_single ? (void *)&single[1] : &number[1],
               *tolerance = is_single ? (void *)&single[2] : &number[2];
    /* documented: at least 26 n, 24 n and 10 n */
    int room = (26 + LAPACK_BLOCK) * (n + 1), reals = 24 * (n + 1), integers = 10 * (n + 1);
    if (!function) return false;
    void *work = blas_work(type, room), *more = blas_work(type, reals);
    int *integer = sw_xcalloc((size_t)integers, sizeof *integer),
        *support = sw_xcalloc(2 * (size_t)n + 2, sizeof *support);
    if (blas_is_complex(type))
        ((void (*)(const char *, const char *, const char *, const int *, void *, const int *, const void *,
                   const void *, const int *, const int *, const void *, int *, void *, void *, const int *,
                   int *, void *, const int *, void *, const int *, int *, const int *, int *, size_t, size_t,
                   size_t))function)(&jobz, &range->which, &uplo, &n, a, &ld, from, to, &range->low,
                                     &range->high, tolerance, found, w, vectors, &ld, support, work, &room,
                                     more, &reals, integer, &integers, info, 1, 1, 1);
    else
        ((void (*)(const char *, const char *, const char *, const int *, void *, const int *, const void *,
                   const void *, const int *, const int *, const void *, int *, void *, void *, const int *,
                   int *, void *, const int *, int *, const int *, int *, size_t, size_t, size_t))function)(
            &jobz, &range->which, &uplo, &n, a, &ld, from, to, &range->low, &range->high, tolerance, found, w,
            vectors, &ld, support, work, &room, integer, &integers, info, 1, 1, 1);
    blas_room_give(work);
    blas_room_give(more);
    free(integer);
    free(support);
    return true;
}

/* In a copy: a of n by n, w of n; vectors come to stand in it. */
static bool eigenvalues(enum blas_type type, char jobz, const struct blas_range *range, char uplo, int n,
                        struct blas_copy *a, void *w, int *found, int *info)
{
    *found = n;
    if (range->which == 'A') return all_eigenvalues(type, jobz, uplo, n, a->at, a->ld, w, info);
    struct blas_copy vectors = blas_copy_new(type, blas_matrix(a->at, a->ld), n, n, false);
    bool done = some_eigenvalues(type, jobz, range, uplo, n, a->at, a->ld, w, vectors.at, found, info);
    blas_copy_free(&vectors, done && jobz == 'V');
    return done;
}

bool blas_syev(enum blas_type type, char jobz, const struct blas_range *range, char uplo, int n,
               struct blas_matrix a, void *w, int *found, int *info)
{
    struct blas_copy x = blas_copy_new(type, a, n, n, true),
                     values = blas_copy_new(blas_real(type), blas_matrix(w, blas_most(n, 1)), n, 1, false);
    bool done = eigenvalues(type, jobz, range, uplo, n, &x, values.at, found, info);
    blas_copy_free(&x, done);
    blas_copy_free(&values, done);
    return done;
}

/* Vectors of the problem with one matrix become those of the one with two: x := L^-H x, or L x. */
static bool transform_back(enum blas_type type, int itype, char uplo, int n, int count, struct blas_copy *a,
                           const struct blas_copy *b)
{
    static const float ONE_F[2] = {1, 0};
    static const double ONE_D[2] = {1, 0};
    bool lower = uplo == 'L', solves = itype != 3;
    struct blas_args x = {.type = type,
                          .trans_a = lower == solves ? BLAS_H : BLAS_N,
                          .uplo = lower ? BLAS_LOWER : BLAS_UPPER,
                          .side = BLAS_LEFT,
                          .diag = BLAS_NON_UNIT,
                          .m = n,
                          .n = count,
                          .a = b->at,
                          .lda = b->ld,
                          .c = a->at,
                          .ldc = a->ld,
                          .alpha = blas_real(type) == BLAS_S ? (const void *)ONE_F : ONE_D};
    return solves ? blas_trsm(&x) : blas_trmm(&x);
}

/* b becomes its factor, a the matrix of a problem with one. */
static bool reduce(enum blas_type type, int itype, char uplo, int n, struct blas_copy *a, struct blas_copy *b,
                   int *info)
{
    LAPACK_FIND(factor, POTRF, type, (const char *, const int *, void *, const int *, int *, size_t));
    LAPACK_FIND(f, SYGST, type,
                (const int *, const char *, const int *, void *, const int *, const void *, const int *,
                 int *, size_t));
    factor(&uplo, &n, b->at, &b->ld, info, 1);
    if (*info > 0)
        *info += n; /* as sygvd has it */
    else
        f(&itype, &uplo, &n, a->at, &a->ld, b->at, &b->ld, info, 1);
    return true;
}

bool blas_sygv(enum blas_type type, int itype, char jobz, const struct blas_range *range, char uplo, int n,
               struct blas_matrix a, struct blas_matrix b, void *w, int *found, int *info)
{
    struct blas_copy x = blas_copy_new(type, a, n, n, true), y = blas_copy_new(type, b, n, n, true),
                     values = blas_copy_new(blas_real(type), blas_matrix(w, blas_most(n, 1)), n, 1, false);
    bool done = reduce(type, itype, uplo, n, &x, &y, info), good = done && *info == 0;
    *found = 0;
    if (good) done = eigenvalues(type, jobz, range, uplo, n, &x, values.at, found, info);
    if (good && done && jobz == 'V') done = transform_back(type, itype, uplo, n, *found, &x, &y);
    blas_copy_free(&x, done);
    blas_copy_free(&y, done);
    blas_copy_free(&values, done && good);
    return done;
}

/* ---- of no symmetry */

/* Real and imaginary parts side by side as complex numbers. */
static void join_parts(enum blas_type type, int n, const void *real, const void *imaginary, void *out)
{
    size_t size = type == BLAS_S ? sizeof(float) : sizeof(double);
    for (size_t i = 0; i < (size_t)n; i++) {
        memcpy((char *)out + 2 * i * size, (const char *)real + i * size, size);
        memcpy((char *)out + (2 * i + 1) * size, (const char *)imaginary + i * size, size);
    }
}

bool blas_geev(enum blas_type type, int n, struct blas_matrix a, void *w, struct blas_matrix vectors,
               int *info)
{
    blas_lapack_fn *found = blas_lapack_find(BLAS_GEEV, type);
    char left = 'N', right = vectors.at ? 'V' : 'N';
    int one = 1, room = (LAPACK_BLOCK + 4) * blas_most(n, 1);
    if (!found) return false;
    struct blas_copy x = blas_copy_new(type, a, n, n, true), v = blas_copy_new(type, vectors, n, n, false);
    void *work = blas_work(type, room), *more = blas_work(type, 2 * (int64_t)n),
         *values = blas_work(type, 2 * (int64_t)n);
    void *imaginary = (char *)values + (size_t)blas_most(n, 1) * blas_bytes(type);
    if (blas_is_complex(type))
        ((void (*)(const char *, const char *, const int *, void *, const int *, void *, void *, const int *,
                   void *, const int *, void *, const int *, void *, int *, size_t, size_t))found)(
            &left, &right, &n, x.at, &x.ld, values, work, &one, v.at, &v.ld, work, &room, more, info, 1, 1);
    else
        ((void (*)(const char *, const char *, const int *, void *, const int *, void *, void *, void *,
                   const int *, void *, const int *, void *, const int *, int *, size_t, size_t))found)(
            &left, &right, &n, x.at, &x.ld, values, imaginary, work, &one, v.at, &v.ld, work, &room, info, 1,
            1);
    if (blas_is_complex(type))
        memcpy(w, values, (size_t)n * blas_bytes(type));
    else
        join_parts(type, n, values, imaginary, w);
    blas_room_give(work);
    blas_room_give(more);
    blas_room_give(values);
    blas_copy_free(&x, true);
    blas_copy_free(&v, vectors.at != NULL);
    return true;
}

/* ---- singular values */

struct svd {
    char job_u, job_vt;
    int m, n;
    struct blas_copy a, s, u, vt;
};

/* gesdd: both sides alike */
static bool svd_conquer(enum blas_type type, struct svd *x, int *info)
{
    int64_t least = blas_least(x->m, x->n), most = blas_most(x->m, x->n);
    int room = (int)(4 * least * least + (7 + 2 * LAPACK_BLOCK) * most + 2 * LAPACK_BLOCK);
    blas_lapack_fn *found = blas_lapack_find(BLAS_GESDD, type);
    if (!found) return false;
    void *work = blas_work(type, room);
    void *more = blas_work(blas_real(type), least * (5 * least + 2 * most + 8)); /* documented */
    int *integer = sw_xcalloc(8 * (size_t)(least + 1), sizeof *integer);
    if (blas_is_complex(type))
        ((void (*)(const char *, const int *, const int *, void *, const int *, void *, void *, const int *,
                   void *, const int *, void *, const int *, void *, int *, int *, size_t))found)(
            &x->job_u, &x->m, &x->n, x->a.at, &x->a.ld, x->s.at, x->u.at, &x->u.ld, x->vt.at, &x->vt.ld, work,
            &room, more, integer, info, 1);
    else
        ((void (*)(const char *, const int *, const int *, void *, const int *, void *, void *, const int *,
                   void *, const int *, void *, const int *, int *, int *, size_t))found)(
            &x->job_u, &x->m, &x->n, x->a.at, &x->a.ld, x->s.at, x->u.at, &x->u.ld, x->vt.at, &x->vt.ld, work,
            &room, integer, info, 1);
    blas_room_give(work);
    blas_room_give(more);
    free(integer);
    return true;
}

static bool svd_iterate(enum blas_type type, struct svd *x, int *info)
{
    int least = blas_least(x->m, x->n), most = blas_most(x->m, x->n),
        room = LAPACK_BLOCK * (3 * least + most + 5);
    blas_lapack_fn *found = blas_lapack_find(BLAS_GESVD, type);
    if (!found) return false;
    void *work = blas_work(type, room), *more = blas_work(blas_real(type), 5 * (int64_t)least + 1);
    if (blas_is_complex(type))
        ((void (*)(const char *, const char *, const int *, const int *, void *, const int *, void *, void *,
                   const int *, void *, const int *, void *, const int *, void *, int *, size_t,
                   size_t))found)(&x->job_u, &x->job_vt, &x->m, &x->n, x->a.at, &x->a.ld, x->s.at, x->u.at,
                                  &x->u.ld, x->vt.at, &x->vt.ld, work, &room, more, info, 1, 1);
    else
        ((void (*)(const char *, const char *, const int *, const int *, void *, const int *, void *, void *,
                   const int *, void *, const int *, void *, const int *, int *, size_t, size_t))found)(
            &x->job_u, &x->job_vt, &x->m, &x->n, x->a.at, &x->a.ld, x->s.at, x->u.at, &x->u.ld, x->vt.at,
            &x->vt.ld, work, &room, info, 1, 1);
    blas_room_give(work);
    blas_room_give(more);
    return true;
}

static bool has_matrix(char job)
{
    return job == 'A' || job == 'S';
}

bool blas_svd(enum blas_type type, char job_u, char job_vt, int m, int n, struct blas_matrix a, void *s,
              struct blas_matrix u, struct blas_matrix vt, int *info)
{
    int least = blas_least(m, n);
    struct svd x = {.job_u = job_u, .job_vt = job_vt, .m = m, .n = n};
    x.a = blas_copy_new(type, a, m, n, true);
    x.s = blas_copy_new(blas_real(type), blas_matrix(s, blas_most(least, 1)), least, 1, false);
    x.u = blas_copy_new(type, u, has_matrix(job_u) ? m : 0, job_u == 'A' ? m : least, false);
    x.vt = blas_copy_new(type, vt, has_matrix(job_vt) ? job_vt == 'A' ? n : least : 0, n, false);
    bool alike = job_u == job_vt && job_u != 'O';
    bool done = alike ? svd_conquer(type, &x, info) : svd_iterate(type, &x, info);
    blas_copy_free(&x.a, done && (job_u == 'O' || job_vt == 'O'));
    blas_copy_free(&x.s, done);
    blas_copy_free(&x.u, done && has_matrix(job_u));
    blas_copy_free(&x.vt, done && has_matrix(job_vt));
    return done;
}
