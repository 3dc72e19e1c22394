/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: solves with factors of low precision, and iterative refinement. Method: LU of a copy in single
 * precision, residuals in the type's own, as LAPACK's dsgesv; where that does not converge, LU in the type's
 * own precision. Least squares are solved in the type's own precision. Limits: precisions below single (half,
 * bfloat16, tf32) are factored in single, so that fewer iterations are counted than on a GPU; GMRES is not
 * used. Source of the stopping rule: LAPACK's dsgesv. */
#include "cusolver_priv.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool of_single(enum blas_type type)
{
    return blas_real(type) == BLAS_S;
}

/* The same numbers in single or double precision; count: of parts. */
static void convert(bool from_single, const void *from, void *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (from_single)
            ((double *)to)[i] = ((const float *)from)[i];
        else
            ((float *)to)[i] = (float)((const double *)from)[i];
}

static double largest(enum blas_type type, const void *x, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        double re = 0, im = 0;
        switch (type) {
        case BLAS_S: re = ((const float *)x)[i]; break;
        case BLAS_D: re = ((const double *)x)[i]; break;
        case BLAS_C:
            re = crealf(((const float complex *)x)[i]), im = cimagf(((const float complex *)x)[i]);
            break;
        case BLAS_Z:
            re = creal(((const double complex *)x)[i]), im = cimag(((const double complex *)x)[i]);
            break;
        }
        double size = fabs(re) + fabs(im);
        if (!(size <= most)) most = size; /* NaN, too */
    }
    return most;
}

/* The largest sum of a row. */
static double norm_of(enum blas_type type, const void *a, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int64_t j = 0; j < n; j++)
            sum += largest(type, (const char *)a + (size_t)(j * n + i) * blas_bytes(type), 1);
        if (sum > most) most = sum;
    }
    return most;
}

struct refined {
    enum blas_type type, low; /* low: the same in single precision */
    int n, sides;
    size_t squares, numbers; /* elements of a and b */
    void *a, *b, *x, *r;     /* of the type; columns side by side */
    void *low_a, *low_x;
    int *pivots;
};

static void *dense(enum blas_type type, const struct cusolver_operand *o)
{
    size_t column = (size_t)o->rows * blas_bytes(type);
    char *out = sw_xcalloc((size_t)o->columns + 1, column + 1);
    for (int64_t j = 0; j < o->columns; j++)
        memcpy(out + (size_t)j * column, (const char *)o->at + j * o->ld * o->bytes, column);
    return out;
}

static void put_dense(enum blas_type type, const void *from, const struct cusolver_operand *o)
{
    size_t column = (size_t)o->rows * blas_bytes(type);
    for (int64_t j = 0; j < o->columns; j++)
        memcpy((char *)(uintptr_t)o->at + j * o->ld * o->bytes, (const char *)from + (size_t)j * column,
               column);
}

/* r := b - a x */
static bool residual(struct refined *s)
{
    static const float ONE_F[2] = {1, 0}, LESS_F[2] = {-1, 0};
    static const double ONE_D[2] = {1, 0}, LESS_D[2] = {-1, 0};
    bool single = of_single(s->type);
    memcpy(s->r, s->b, s->numbers * blas_bytes(s->type));
    return blas_gemm(&(struct blas_args){.type = s->type,
                                         .trans_a = BLAS_N,
                                         .trans_b = BLAS_N,
                                         .m = s->n,
                                         .n = s->sides,
                                         .k = s->n,
                                         .alpha = single ? (const void *)LESS_F : LESS_D,
                                         .beta = single ? (const void *)ONE_F : ONE_D,
                                         .a = s->a,
                                         .lda = s->n,
                                         .b = s->x,
                                         .ldb = s->n,
                                         .c = s->r,
                                         .ldc = s->n});
}

/* x := x + the solution with the factors of low precision for r */
static bool correct(struct refined *s, bool first)
{
    size_t parts = blas_is_complex(s->type) ? 2 : 1;
    int info = 0;
    convert(false, first ? s->b : s->r, s->low_x, s->numbers * parts);
    bool done = blas_lu_solve(s->low, 'N', s->n, s->sides, blas_matrix(s->low_a, s->n), s->pivots,
                              blas_matrix(s->low_x, s->n), &info);
    for (size_t i = 0; i < s->numbers * parts; i++)
        ((double *)s->x)[i] = (first ? 0 : ((double *)s->x)[i]) + (double)((float *)s->low_x)[i];
    return done;
}

/* How many iterations; -1: it did not converge, or the host's library lacks a function. */
static int refine(struct refined *s, const struct cusolver_call *x)
{
    int info = 0;
    convert(false, s->a, s->low_a, s->squares * (blas_is_complex(s->type) ? 2 : 1));
    if (!blas_lu(s->low, s->n, s->n, blas_matrix(s->low_a, s->n), s->pivots, &info) || info) return -1;
    double limit =
        norm_of(s->type, s->a, s->n) * sqrt((double)s->n) * (x->tolerance > 0 ? x->tolerance : DBL_EPSILON);
    if (!correct(s, true)) return -1;
    for (int i = 0; i <= x->iterations && !x->unrefined; i++) {
        if (!residual(s)) return -1;
        double size = largest(s->type, s->x, s->numbers);
        if (largest(s->type, s->r, s->numbers) <= size * limit) return i;
        if (i < x->iterations && !correct(s, false)) return -1;
    }
    return x->unrefined ? 0 : -1;
}

/* factored: as LAPACK's getrf says it */
static bool solve_whole(struct refined *s, int *factored)
{
    int info = 0;
    memcpy(s->x, s->b, s->numbers * blas_bytes(s->type));
    if (!blas_lu(s->type, s->n, s->n, blas_matrix(s->a, s->n), s->pivots, factored)) return false;
    return blas_lu_solve(s->type, 'N', s->n, s->sides, blas_matrix(s->a, s->n), s->pivots,
                         blas_matrix(s->x, s->n), &info);
}

/* A singular matrix is told by the number of iterations, and by a solution that is not finite (recorded:
 * tests/hw/libraries). */
enum { SINGULAR = -5 };

bool cusolver_run_gesv(const struct cusolver_call *x, int *info)
{
    struct refined s = {.type = x->type,
                        .low = blas_is_complex(x->type) ? BLAS_C : BLAS_S,
                        .n = (int)x->n,
                        .sides = (int)x->k};
    uint32_t bytes = blas_bytes(x->type);
    s.squares = (size_t)s.n * (size_t)s.n;
    s.numbers = (size_t)s.n * (size_t)s.sides;
    s.a = dense(x->type, &x->o[CUSOLVER_A]);
    s.b = dense(x->type, &x->o[CUSOLVER_B]);
    s.x = sw_xcalloc(s.numbers + 1, bytes);
    s.r = sw_xcalloc(s.numbers + 1, bytes);
    s.low_a = sw_xcalloc(s.squares + 1, blas_bytes(s.low));
    s.low_x = sw_xcalloc(s.numbers + 1, blas_bytes(s.low));
    s.pivots = sw_xcalloc((size_t)s.n + 1, sizeof *s.pivots);
    bool lower = x->lowest != x->type && !of_single(x->type), done = true;
    int iterations = lower ? refine(&s, x) : 0, factored = 0;
    if (!lower || (iterations < 0 && x->falls_back)) done = solve_whole(&s, &factored);
    if (lower && iterations < 0) iterations = -x->iterations - 1; /* as dsgesv says it */
    if (factored > 0) iterations = SINGULAR;
    *info = 0;
    if (done) put_dense(x->type, s.x, &x->o[CUSOLVER_C]);
    if (x->o[CUSOLVER_PIVOTS].at)
        memcpy((void *)(uintptr_t)x->o[CUSOLVER_PIVOTS].at, s.pivots, (size_t)s.n * sizeof(int));
    if (x->host_count) *x->host_count = iterations;
    void *const blocks[] = {s.a, s.b, s.x, s.r, s.low_a, s.low_x, s.pivots};
    for (size_t i = 0; i < SW_COUNT_OF(blocks); i++)
        free(blocks[i]);
    return done;
}

bool cusolver_run_gels(const struct cusolver_call *x, int *info)
{
    int m = (int)x->m, n = (int)x->n, sides = (int)x->k;
    void *b = dense(x->type, &x->o[CUSOLVER_B]);
    struct blas_matrix a = blas_matrix(x->o[CUSOLVER_A].at, x->o[CUSOLVER_A].ld), right = blas_matrix(b, m);
    bool done = blas_least_squares(x->type, m, n, sides, a, right, info);
    struct cusolver_operand out = x->o[CUSOLVER_C];
    for (int64_t j = 0; j < sides && done; j++)
        memcpy((char *)(uintptr_t)out.at + j * out.ld * out.bytes, (char *)b + (size_t)(j * m) * out.bytes,
               (size_t)n * out.bytes);
    if (x->host_count) *x->host_count = 0;
    free(b);
    return done;
}
