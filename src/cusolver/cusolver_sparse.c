/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: sparse LU and solves. Method: column after column; which rows of a column get entries is found by
 * a search through L (Gilbert and Peierls, 1988); the largest entry is the pivot, or the diagonal's if it is
 * not below a share of it. Orders: cusolver_sparse_order.c. Limits: one thread; double precision for all
 * types. */
#include "cusolver_sparse_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double complex sparse_get(enum blas_type type, const void *at, int64_t i)
{
    switch (type) {
    case BLAS_S: return ((const float *)at)[i];
    case BLAS_D: return ((const double *)at)[i];
    case BLAS_C: return ((const float complex *)at)[i];
    case BLAS_Z: return ((const double complex *)at)[i];
    }
    return 0;
}

void sparse_put(enum blas_type type, void *at, int64_t i, double complex x)
{
    switch (type) {
    case BLAS_S: ((float *)at)[i] = (float)creal(x); break;
    case BLAS_D: ((double *)at)[i] = creal(x); break;
    case BLAS_C: ((float complex *)at)[i] = (float complex)x; break;
    case BLAS_Z: ((double complex *)at)[i] = x; break;
    }
}

static struct sparse new_sparse(int n, int64_t room)
{
    return (struct sparse){.n = n,
                           .starts = sw_xcalloc((size_t)n + 2, sizeof(int64_t)),
                           .rows = sw_xcalloc((size_t)room + 1, sizeof(int)),
                           .values = sw_xcalloc((size_t)room + 1, sizeof(double complex))};
}

void sparse_release(struct sparse *x)
{
    free(x->starts);
    free(x->rows);
    free(x->values);
}

struct sparse sparse_of_csr(enum blas_type type, int n, const int *starts, const int *columns,
                            const void *values, int base)
{
    int64_t count = starts[n] - base;
    struct sparse x = new_sparse(n, count);
    for (int64_t e = 0; e < count; e++)
        x.starts[columns[e] - base + 2]++;
    for (int j = 0; j < n; j++)
        x.starts[j + 2] += x.starts[j + 1];
    for (int i = 0; i < n; i++)
        for (int64_t e = starts[i] - base; e < starts[i + 1] - base; e++) {
            int64_t at = x.starts[columns[e] - base + 1]++;
            x.rows[at] = i;
            x.values[at] = sparse_get(type, values, e);
        }
    return x;
}

void sparse_permute(struct sparse *x, const int *order)
{
    int *inverse = sw_xcalloc((size_t)x->n + 1, sizeof *inverse);
    struct sparse y = new_sparse(x->n, x->starts[x->n]);
    for (int i = 0; i < x->n; i++)
        inverse[order[i]] = i;
    for (int j = 0; j < x->n; j++) {
        int64_t at = y.starts[j];
        for (int64_t e = x->starts[order[j]]; e < x->starts[order[j] + 1]; e++, at++) {
            y.rows[at] = inverse[x->rows[e]];
            y.values[at] = x->values[e];
        }
        y.starts[j + 1] = at;
    }
    free(inverse);
    sparse_release(x);
    *x = y;
}

/* ---- LU */

struct work {
    struct sparse_factors *f;
    double complex *x; /* the column, by rows of the matrix */
    int *mark;         /* by rows: the column that came here last, plus 1 */
    int *stack, *found;
    int64_t *next;
    int top; /* found[top...n - 1]: rows with entries, each after those that it changes */
};

/* Rows that an entry in this row brings entries to, through L. */
static void search(struct work *w, int row, int column)
{
    const struct sparse *l = &w->f->l;
    int depth = 0;
    w->stack[0] = row;
    while (depth >= 0) {
        int at = w->stack[depth], pivot = w->f->pivot_of[at];
        if (w->mark[at] != column + 1) {
            w->mark[at] = column + 1;
            w->next[depth] = pivot < 0 ? 0 : l->starts[pivot];
        }
        int64_t end = pivot < 0 ? 0 : l->starts[pivot + 1], e = w->next[depth];
        while (e < end && w->mark[l->rows[e]] == column + 1)
            e++;
        w->next[depth] = e + 1;
        if (e < end) {
            w->stack[++depth] = l->rows[e];
        } else {
            w->found[--w->top] = at;
            depth--;
        }
    }
}

static void append(struct sparse *x, int64_t *room, int row, double complex value)
{
    int64_t at = x->starts[x->n]++;
    if (at >= *room) {
        *room = 2 * *room + 16;
        x->rows = sw_xrealloc(x->rows, (size_t)*room * sizeof(int));
        x->values = sw_xrealloc(x->values, (size_t)*room * sizeof(double complex));
    }
    x->rows[at] = row;
    x->values[at] = value;
}

/* w->x := L^-1 of the matrix's column; then which row is the pivot, or -1. */
static int eliminate(struct work *w, const struct sparse *a, int k, bool positive, double threshold)
{
    struct sparse_factors *f = w->f;
    w->top = a->n;
    for (int64_t e = a->starts[k]; e < a->starts[k + 1]; e++)
        if (w->mark[a->rows[e]] != k + 1) search(w, a->rows[e], k);
    for (int i = w->top; i < a->n; i++)
        w->x[w->found[i]] = 0;
    for (int64_t e = a->starts[k]; e < a->starts[k + 1]; e++)
        w->x[a->rows[e]] += a->values[e];
    int best = -1;
    double largest = -1;
    for (int i = w->top; i < a->n; i++) {
        int row = w->found[i], pivot = f->pivot_of[row];
        for (int64_t e = pivot < 0 ? 0 : f->l.starts[pivot]; pivot >= 0 && e < f->l.starts[pivot + 1]; e++)
            w->x[f->l.rows[e]] -= f->l.values[e] * w->x[row];
    }
    for (int i = w->top; i < a->n && !positive; i++) { /* now that all are known */
        int row = w->found[i];
        if (f->pivot_of[row] < 0 && cabs(w->x[row]) > largest) largest = cabs(w->x[row]), best = row;
    }
    bool diagonal = f->pivot_of[k] < 0 && w->mark[k] == k + 1;
    if (diagonal && (positive || (cabs(w->x[k]) >= threshold * largest && (w->x[k] != 0 || largest == 0))))
        best = k;
    return best;
}

/* A row without a pivot, for a column without entries. */
static int any_row(const struct sparse_factors *f, int n, int k)
{
    if (f->pivot_of[k] < 0) return k;
    for (int i = 0; i < n; i++)
        if (f->pivot_of[i] < 0) return i;
    return k;
}

struct sparse_factors sparse_factor(const struct sparse *a, bool positive, double tolerance, double threshold)
{
    int n = a->n;
    int64_t l_room = 4 * a->starts[n] + n, u_room = l_room;
    struct sparse_factors f = {.l = new_sparse(n, l_room), .u = new_sparse(n, u_room), .zero = -1};
    struct work w = {.f = &f,
                     .x = sw_xcalloc((size_t)n + 1, sizeof(double complex)),
                     .mark = sw_xcalloc((size_t)n + 1, sizeof(int)),
                     .stack = sw_xcalloc((size_t)n + 1, sizeof(int)),
                     .found = sw_xcalloc((size_t)n + 1, sizeof(int)),
                     .next = sw_xcalloc((size_t)n + 1, sizeof(int64_t))};
    f.pivot_of = sw_xcalloc((size_t)n + 1, sizeof(int));
    memset(f.pivot_of, -1, (size_t)n * sizeof(int));
    for (int k = 0; k < n; k++) {
        int row = eliminate(&w, a, k, positive, threshold);
        bool none = row < 0;
        if (none) row = any_row(&f, n, k);
        double complex pivot = none ? 0 : w.x[row];
        bool bad = positive ? !(creal(pivot) > tolerance) : !(cabs(pivot) > tolerance);
        if (bad && f.zero < 0) f.zero = k;
        f.l.starts[k] = f.l.starts[n], f.u.starts[k] = f.u.starts[n];
        for (int i = w.top; i < n; i++)
            if (f.pivot_of[w.found[i]] >= 0) append(&f.u, &u_room, f.pivot_of[w.found[i]], w.x[w.found[i]]);
        append(&f.u, &u_room, k, pivot);
        f.pivot_of[row] = k;
        for (int i = w.top; i < n && pivot != 0; i++)
            if (f.pivot_of[w.found[i]] < 0) append(&f.l, &l_room, w.found[i], w.x[w.found[i]] / pivot);
        if (k + 1 < n) f.l.starts[k + 1] = f.l.starts[n], f.u.starts[k + 1] = f.u.starts[n];
    }
    free(w.x), free(w.mark), free(w.stack), free(w.found), free(w.next);
    return f;
}

void sparse_factors_release(struct sparse_factors *f)
{
    sparse_release(&f->l);
    sparse_release(&f->u);
    free(f->pivot_of);
}

void sparse_solve(const struct sparse_factors *f, double complex *b)
{
    int n = f->l.n;
    double complex *x = sw_xcalloc((size_t)n + 1, sizeof *x);
    for (int i = 0; i < n; i++)
        x[f->pivot_of[i]] = b[i];
    for (int k = 0; k < n; k++)
        for (int64_t e = f->l.starts[k]; e < f->l.starts[k + 1]; e++)
            x[f->pivot_of[f->l.rows[e]]] -= f->l.values[e] * x[k];
    for (int k = n - 1; k >= 0; k--) {
        int64_t last = f->u.starts[k + 1] - 1;
        x[k] /= f->u.values[last];
        for (int64_t e = f->u.starts[k]; e < last; e++)
            x[f->u.rows[e]] -= f->u.values[e] * x[k];
    }
    memcpy(b, x, (size_t)n * sizeof *x);
    free(x);
}
