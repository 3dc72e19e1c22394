/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the parts of a sparse LU of the host: A(P, Q) = L U, L without the ones of its diagonal. Method:
 * columns of factors are put into rows. Limits: Q is the identity, as columns are not reordered. */
#include "cusolver_sparse_priv.h"

#include <stdlib.h>

CUSOLVER cusolverSpXcsrluNnzHost(cusolverSpHandle_t handle, int *l_count, int *u_count, csrluInfoHost_t info)
{
    CUSOLVER_TRY(cusolver_sp_enter(handle));
    const struct sparse_steps *s = CUSOLVER_STEPS(info);
    CUSOLVER_VALID(l_count && u_count && s && s->stage == SPARSE_FACTORED);
    *l_count = (int)s->factors.l.starts[s->n];
    *u_count = (int)s->factors.u.starts[s->n];
    return CUSOLVER_STATUS_SUCCESS;
}

/* Columns to rows, whose columns then ascend. map: new row numbers, or NULL. */
static void put_rows(const struct sparse *x, const int *map, enum blas_type type, int base, void *values,
                     int *starts, int *columns)
{
    int n = x->n, *at = sw_xcalloc((size_t)n + 2, sizeof *at);
    for (int64_t e = 0; e < x->starts[n]; e++)
        at[(map ? map[x->rows[e]] : x->rows[e]) + 1]++;
    for (int i = 0; i < n; i++) {
        at[i + 1] += at[i];
        starts[i] = at[i] + base;
    }
    starts[n] = at[n] + base;
    for (int j = 0; j < n; j++) {
        for (int64_t e = x->starts[j]; e < x->starts[j + 1]; e++) {
            int place = at[map ? map[x->rows[e]] : x->rows[e]]++;
            columns[place] = j + base;
            sparse_put(type, values, place, x->values[e]);
        }
    }
    free(at);
}

static cusolverStatus_t extract(cusolverSpHandle_t handle, const struct sparse_steps *s, enum blas_type type,
                                int *p, int *q)
{
    CUSOLVER_TRY(cusolver_sp_enter(handle));
    CUSOLVER_VALID(s && s->stage == SPARSE_FACTORED && s->type == type && p && q);
    for (int i = 0; i < s->n; i++)
        p[s->factors.pivot_of[i]] = i, q[i] = i;
    return CUSOLVER_STATUS_SUCCESS;
}
#define EXTRACT(L, T, R, org, orm, sy)                                                                       \
    CUSOLVER cusolverSp##L##csrluExtractHost(                                                                \
        cusolverSpHandle_t handle, int *p, int *q, const cusparseMatDescr_t l_descriptor, T *l_values,       \
        int *l_rows, int *l_columns, const cusparseMatDescr_t u_descriptor, T *u_values, int *u_rows,        \
        int *u_columns, csrluInfoHost_t info, void *work)                                                    \
    {                                                                                                        \
        (void)work;                                                                                          \
        CUSOLVER_VALID(l_descriptor != NULL && l_rows != NULL && u_descriptor != NULL && u_values != NULL);  \
        CUSOLVER_VALID(u_rows != NULL && u_columns != NULL);                                                 \
        const struct sparse_steps *s = CUSOLVER_STEPS(info);                                                 \
        CUSOLVER_TRY(extract(handle, s, BLAS_##L, p, q));                                                    \
        const struct sparse_factors *f = &s->factors;                                                        \
        bool empty = f->l.starts[s->n] == 0;                                                                 \
        CUSOLVER_VALID(empty || (l_values != NULL && l_columns != NULL));                                    \
        put_rows(&f->l, f->pivot_of, BLAS_##L, cusolver_sp_base(l_descriptor), l_values, l_rows, l_columns); \
        put_rows(&f->u, NULL, BLAS_##L, cusolver_sp_base(u_descriptor), u_values, u_rows, u_columns);        \
        return CUSOLVER_STATUS_SUCCESS;                                                                      \
    }
CUSOLVER_EACH(EXTRACT)
