/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: computes a call when its turn comes, item after item. Method: LAPACK; pivots of 64 bits are
 * converted; exchanges of rows by a loop. Limits: items of a batch run one after the other. */
#include "cusolver_priv.h"

#include <stdlib.h>
#include <string.h>

static struct blas_matrix matrix_of(const struct cusolver_call *x, enum cusolver_slot slot, int64_t item)
{
    return blas_matrix(cusolver_item(x, slot, item), x->o[slot].ld);
}

static void *vector_of(const struct cusolver_call *x, enum cusolver_slot slot, int64_t item)
{
    return (void *)(uintptr_t)cusolver_item(x, slot, item);
}

/* ---- pivots: LAPACK's are int */

static int *pivots_in(const struct cusolver_call *x)
{
    const struct cusolver_operand *o = &x->o[CUSOLVER_PIVOTS];
    if (!o->at) return NULL;
    int *pivots = sw_xcalloc((size_t)o->rows + 1, sizeof *pivots);
    for (int64_t i = 0; i < o->rows && o->reads; i++)
        pivots[i] = x->wide_pivots ? (int)((const int64_t *)o->at)[i] : ((const int *)o->at)[i];
    return pivots;
}

static void pivots_out(const struct cusolver_call *x, int *pivots)
{
    const struct cusolver_operand *o = &x->o[CUSOLVER_PIVOTS];
    for (int64_t i = 0; pivots && i < o->rows && o->writes; i++)
        if (x->wide_pivots)
            ((int64_t *)(uintptr_t)o->at)[i] = pivots[i];
        else
            ((int *)(uintptr_t)o->at)[i] = pivots[i];
    free(pivots);
}

/* Rows first to last, from 1, change places with those that the pivots name; step -1: in the other order. */
static void exchange_rows(const struct cusolver_call *x, const int *pivots)
{
    const struct cusolver_operand *a = &x->o[CUSOLVER_A];
    unsigned char kept[16];
    int step = abs(x->step), count = x->last - x->first + 1;
    for (int s = 0; s < count; s++) {
        int row = x->step > 0 ? x->first + s : x->last - s;
        int64_t other = pivots[(int64_t)(row - x->first) * step];
        if (other < 1 || other > a->rows || row > a->rows) continue; /* no row of the matrix */
        char *p = (char *)(uintptr_t)a->at + (int64_t)(row - 1) * a->bytes,
             *q = (char *)(uintptr_t)a->at + (other - 1) * a->bytes;
        for (int64_t j = 0; j < a->columns && p != q; j++) {
            int64_t at = j * a->ld * a->bytes;
            memcpy(kept, p + at, a->bytes);
            memcpy(p + at, q + at, a->bytes);
            memcpy(q + at, kept, a->bytes);
        }
    }
}

/* ---- one item, by kinds of operations */

static bool run_pivoted(const struct cusolver_call *x, int *info)
{
    enum blas_type t = x->type;
    int m = (int)x->m, n = (int)x->n, k = (int)x->k;
    struct blas_matrix a = matrix_of(x, CUSOLVER_A, 0), b = matrix_of(x, CUSOLVER_B, 0);
    int *pivots = pivots_in(x);
    bool done = true;
    switch ((int)x->op) {
    case CUSOLVER_GETRF: done = blas_lu(t, m, n, a, pivots, info); break;
    case CUSOLVER_GETRS: done = blas_lu_solve(t, x->trans, n, k, a, pivots, b, info); break;
    case CUSOLVER_SYTRF: done = blas_sytrf(t, x->uplo, n, a, pivots, info); break;
    case CUSOLVER_SYTRS: done = blas_sytrs(t, x->uplo, n, k, a, pivots, b, info); break;
    case CUSOLVER_SYTRI: done = blas_sytri(t, x->uplo, n, a, pivots, info); break;
    case CUSOLVER_LASWP: exchange_rows(x, pivots); break;
    default: done = false;
    }
    pivots_out(x, pivots);
    return done;
}

static bool run_orthogonal(const struct cusolver_call *x, int *info)
{
    enum blas_type t = x->type;
    int m = (int)x->m, n = (int)x->n, k = (int)x->k;
    struct blas_matrix a = matrix_of(x, CUSOLVER_A, 0), b = matrix_of(x, CUSOLVER_B, 0);
    void *tau = vector_of(x, CUSOLVER_TAU, 0), *d = vector_of(x, CUSOLVER_D, 0),
         *e = vector_of(x, CUSOLVER_E, 0);
    switch ((int)x->op) {
    case CUSOLVER_GEQRF: return blas_qr(t, m, n, a, tau, info);
    case CUSOLVER_ORGQR: return blas_orgqr(t, m, n, k, a, tau, info);
    case CUSOLVER_ORMQR: return blas_ormqr(t, x->side, x->trans, m, n, k, a, tau, b, info);
    case CUSOLVER_LARFT:
        return blas_larft(t, x->direct, x->storev, n, k, a, tau, matrix_of(x, CUSOLVER_C, 0));
    case CUSOLVER_GEBRD: return blas_gebrd(t, m, n, a, d, e, tau, vector_of(x, CUSOLVER_TAU_P, 0), info);
    case CUSOLVER_ORGBR: return blas_orgbr(t, x->side == 'L' ? 'Q' : 'P', m, n, k, a, tau, info);
    case CUSOLVER_SYTRD: return blas_sytrd(t, x->uplo, n, a, d, e, tau, info);
    case CUSOLVER_ORGTR: return blas_orgtr(t, x->uplo, n, a, tau, info);
    case CUSOLVER_ORMTR: return blas_ormtr(t, x->side, x->uplo, x->trans, m, n, a, tau, b, info);
    default: return false;
    }
}

/* LAPACK's n complex numbers, or all real parts before all imaginary ones. */
static bool run_geev(const struct cusolver_call *x, int *info)
{
    enum blas_type real = blas_real(x->type);
    size_t n = (size_t)x->n, bytes = blas_bytes(real);
    char *own = sw_xcalloc(2 * n + 1, bytes), *w = vector_of(x, CUSOLVER_D, 0);
    bool done =
        blas_geev(x->type, (int)n, matrix_of(x, CUSOLVER_A, 0), own, matrix_of(x, CUSOLVER_B, 0), info);
    for (size_t i = 0; i < 2 * n && done; i++)
        memcpy(w + (x->parts_apart ? i % 2 * n + i / 2 : i) * bytes, own + i * bytes, bytes);
    free(own);
    return done;
}

static bool run_eigen(const struct cusolver_call *x, int64_t item, int *info)
{
    struct blas_matrix a = matrix_of(x, CUSOLVER_A, item), b = matrix_of(x, CUSOLVER_B, item);
    void *w = vector_of(x, CUSOLVER_D, item);
    int n = (int)x->n, found = 0;
    bool done;
    if (x->op == CUSOLVER_GEEV) return run_geev(x, info);
    if (x->op == CUSOLVER_SYEV)
        done = blas_syev(x->type, x->job, &x->range, x->uplo, n, a, w, &found, info);
    else
        done = blas_sygv(x->type, x->itype, x->job, &x->range, x->uplo, n, a, b, w, &found, info);
    if (x->host_count) *x->host_count = found;
    if (x->host_count_wide) *x->host_count_wide = found;
    return done;
}

static bool run_item(const struct cusolver_call *x, int64_t item, int *info)
{
    static const enum blas_cholesky WHAT[] = {[CUSOLVER_POTRF] = BLAS_CHOLESKY,
                                              [CUSOLVER_POTRI] = BLAS_CHOLESKY_INVERT,
                                              [CUSOLVER_LAUUM] = BLAS_CHOLESKY_SQUARE};
    int n = (int)x->n;
    switch ((int)x->op) {
    case CUSOLVER_POTRF:
    case CUSOLVER_POTRI:
    case CUSOLVER_LAUUM:
        return blas_potrf(x->type, WHAT[x->op], x->uplo, n, matrix_of(x, CUSOLVER_A, item), info);
    case CUSOLVER_POTRS:
        return blas_potrs(x->type, x->uplo, n, (int)x->k, matrix_of(x, CUSOLVER_A, item),
                          matrix_of(x, CUSOLVER_B, item), info);
    case CUSOLVER_TRTRI:
        return blas_trtri(x->type, x->uplo, x->diag, n, matrix_of(x, CUSOLVER_A, item), info);
    case CUSOLVER_GETRF:
    case CUSOLVER_GETRS:
    case CUSOLVER_LASWP:
    case CUSOLVER_SYTRF:
    case CUSOLVER_SYTRS:
    case CUSOLVER_SYTRI: return run_pivoted(x, info);
    case CUSOLVER_GESV: return cusolver_run_gesv(x, info);
    case CUSOLVER_GELS: return cusolver_run_gels(x, info);
    case CUSOLVER_GEEV:
    case CUSOLVER_SYEV:
    case CUSOLVER_SYGV: return run_eigen(x, item, info);
    case CUSOLVER_SVD:
    case CUSOLVER_SVD_V: return cusolver_run_svd(x, item, info);
    default: return run_orthogonal(x, info);
    }
}

int cusolver_run(const void *args)
{
    const struct cusolver_call *x = args;
    const struct cusolver_operand *out = &x->o[CUSOLVER_INFO];
    int64_t items = x->batch ? x->batch : 1;
    bool done = true;
    for (int64_t i = 0; i < items && done; i++) {
        int info = 0;
        done = run_item(x, i, &info);
        if (out->at) ((int *)(uintptr_t)out->at)[i * out->stride] = info;
    }
    if (!done) sw_log("%s: %s has no function for it", x->name, blas_name());
    return done ? 0 : CUDA_ERROR_NOT_SUPPORTED;
}
