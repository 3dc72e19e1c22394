/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: singular values, as the functions want their results: V^H, or V; U and V whole, economical or of
 * the first `rank` columns. Method: LAPACK's V^H of the host's own, and its conjugate transpose. Limits:
 * functions that take methods of their own (Jacobi's, polar decomposition, random projections) get the same
 * singular values, by divide and conquer. */
#include "cusolver_priv.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AT(p, i, j, ld) ((p)[(int64_t)(j) * (ld) + (i)])
#define ADJOINT(type, number, conjugate)                                                                     \
    case type: {                                                                                             \
        const number *from = vt;                                                                             \
        number *to = v.at;                                                                                   \
        for (int j = 0; j < columns; j++)                                                                    \
            for (int i = 0; i < n; i++)                                                                      \
                AT(to, i, j, v.ld) = conjugate(AT(from, j, i, ld));                                          \
        break;                                                                                               \
    }

/* v, n by columns, from its conjugate transpose. */
static void adjoint(enum blas_type t, const void *vt, int ld, int n, int columns, struct blas_matrix v)
{
    switch (t) {
        ADJOINT(BLAS_S, float, )
        ADJOINT(BLAS_D, double, )
        ADJOINT(BLAS_C, float complex, conjf)
        ADJOINT(BLAS_Z, double complex, conj)
    }
}

static void copy_columns(enum blas_type t, const void *from, int rows, int columns, struct blas_matrix to)
{
    size_t bytes = (size_t)rows * blas_bytes(t);
    for (int64_t j = 0; j < columns; j++)
        memcpy((char *)to.at + j * to.ld * blas_bytes(t), (const char *)from + (size_t)j * bytes, bytes);
}

/* The norm of what the singular values from `first` on stand for. */
static double norm_from(enum blas_type real, const void *s, int first, int count)
{
    double sum = 0;
    for (int i = first; i < count; i++) {
        double value = real == BLAS_S ? (double)((const float *)s)[i] : ((const double *)s)[i];
        sum += value * value;
    }
    return sqrt(sum);
}

/* U and S, and V instead of V^H; as many columns as the operands have. */
static bool run_v(const struct cusolver_call *x, int64_t item, int *info)
{
    const struct cusolver_operand *s = &x->o[CUSOLVER_D], *u = &x->o[CUSOLVER_B], *v = &x->o[CUSOLVER_C];
    enum blas_type t = x->type, real = blas_real(t);
    int m = (int)x->m, n = (int)x->n, least = m < n ? m : n;
    bool vectors = x->job != 'N', whole = vectors && (u->columns > least || v->columns > least);
    int u_columns = whole ? m : least, vt_rows = whole ? n : least;
    void *u_own = sw_xcalloc((size_t)m * (size_t)(vectors ? u_columns : 0) + 1, blas_bytes(t));
    void *vt_own = sw_xcalloc((size_t)n * (size_t)(vectors ? vt_rows : 0) + 1, blas_bytes(t));
    void *s_own = sw_xcalloc((size_t)least + 1, blas_bytes(real));
    char job = !vectors ? 'N' : whole ? 'A' : 'S';
    bool done = blas_svd(
        t, job, job, m, n, blas_matrix(cusolver_item(x, CUSOLVER_A, item), x->o[CUSOLVER_A].ld), s_own,
        blas_matrix(u_own, m > 0 ? m : 1), blas_matrix(vt_own, vt_rows > 0 ? vt_rows : 1), info);
    if (done) copy_columns(real, s_own, (int)s->rows, 1, blas_matrix(cusolver_item(x, CUSOLVER_D, item), 1));
    if (done && x->host_residual) x->host_residual[item] = norm_from(real, s_own, (int)s->rows, least);
    if (done && vectors) {
        copy_columns(t, u_own, m, (int)u->columns, blas_matrix(cusolver_item(x, CUSOLVER_B, item), u->ld));
        adjoint(t, vt_own, vt_rows, n, (int)v->columns,
                blas_matrix(cusolver_item(x, CUSOLVER_C, item), v->ld));
    }
    free(u_own);
    free(vt_own);
    free(s_own);
    return done;
}

bool cusolver_run_svd(const struct cusolver_call *x, int64_t item, int *info)
{
    if (x->op == CUSOLVER_SVD_V) return run_v(x, item, info);
    return blas_svd(x->type, x->job, x->job_v, (int)x->m, (int)x->n,
                    blas_matrix(cusolver_item(x, CUSOLVER_A, item), x->o[CUSOLVER_A].ld),
                    (void *)(uintptr_t)cusolver_item(x, CUSOLVER_D, item),
                    blas_matrix(cusolver_item(x, CUSOLVER_B, item), x->o[CUSOLVER_B].ld),
                    blas_matrix(cusolver_item(x, CUSOLVER_C, item), x->o[CUSOLVER_C].ld), info);
}
