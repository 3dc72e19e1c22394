/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: solves with triangles, and incomplete factors. Method: row after row; right sides stand side by
 * side in rows, and are solved with together, some of them on each thread. Factors are made in the IKJ order
 * (Saad, Iterative Methods for Sparse Linear Systems, algorithm 10.4), with the place of each column of the
 * row. Limits: one right side, and factors, are the work of one thread. */
#include "sparse_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- triangles */

struct solve {
    const struct sparse_csr *a;
    const struct sparse_triangle *triangle;
    union sparse_scalar alpha;
    const struct sparse_dense *x;
};

#define SOLVE(t, type)                                                                                       \
    static void solve_row_##t(const struct solve *s, int64_t r, int64_t begin, int64_t end)                  \
    {                                                                                                        \
        const type *values = s->a->values;                                                                   \
        type *x = s->x->values, *own = x + r * s->x->row_stride, diagonal = 1,                               \
             alpha = sparse_value_##t(s->alpha);                                                             \
        for (int64_t j = begin; j < end; j++)                                                                \
            own[j] = sparse_mul_##t(alpha, own[j]);                                                          \
        for (int64_t k = s->a->offsets[r]; k < s->a->offsets[r + 1]; k++) {                                  \
            int64_t c = s->a->columns[k];                                                                    \
            const type *other = x + c * s->x->row_stride;                                                    \
            if (c == r && !s->triangle->unit) diagonal = values[k];                                          \
            if (s->triangle->upper ? c <= r : c >= r) continue;                                              \
            for (int64_t j = begin; j < end; j++)                                                            \
                own[j] -= sparse_mul_##t(values[k], other[j]);                                               \
        }                                                                                                    \
        if (s->triangle->diagonal) diagonal = ((const type *)s->triangle->diagonal)[r];                      \
        for (int64_t j = begin; j < end && diagonal != 1; j++)                                               \
            own[j] /= diagonal;                                                                              \
    }                                                                                                        \
    static void solve_##t(const struct solve *s, int64_t begin, int64_t end)                                 \
    {                                                                                                        \
        int64_t rows = s->a->rows;                                                                           \
        for (int64_t i = 0; i < rows; i++)                                                                   \
            solve_row_##t(s, s->triangle->upper ? rows - 1 - i : i, begin, end);                             \
    }
SPARSE_EACH(SOLVE)

static void solve_part(void *context, int64_t begin, int64_t end)
{
    const struct solve *s = context;
    SPARSE_CALL(s->a->type, solve, s, begin, end);
}

void sparse_solve(const struct sparse_csr *a, const struct sparse_triangle *triangle,
                  union sparse_scalar alpha, const struct sparse_dense *x)
{
    enum { GRAIN = 16 }; /* right sides: a cache line of each row */
    struct solve s = {a, triangle, alpha, x};
    sparse_parallel(x->cols, GRAIN, solve_part, &s);
}

/* ---- incomplete factors */

int64_t sparse_missing_diagonal(const struct sparse_csr *a)
{
    for (int64_t r = 0; r < a->rows; r++) {
        bool there = false;
        for (int64_t k = a->offsets[r]; k < a->offsets[r + 1]; k++)
            there |= a->columns[k] == r;
        if (!there) return r;
    }
    return -1;
}

/* Of a row in work: places[c] is where column c is, and 1; 0: nowhere. */
static void note_row(const struct sparse_csr *a, int64_t r, int64_t *places, bool there)
{
    for (int64_t k = a->offsets[r]; k < a->offsets[r + 1]; k++)
        places[a->columns[k]] = there ? k + 1 : 0;
}

#define ILU(t, type)                                                                                         \
    static void ilu_row_##t(struct sparse_csr *a, int64_t r, const int64_t *diagonals, int64_t *places)      \
    {                                                                                                        \
        type *values = a->values;                                                                            \
        for (int64_t k = a->offsets[r]; k < a->offsets[r + 1]; k++) {                                        \
            int64_t row = a->columns[k];                                                                     \
            if (row >= r) continue;                                                                          \
            if (diagonals[row] >= 0) values[k] /= values[diagonals[row]];                                    \
            for (int64_t l = a->offsets[row]; l < a->offsets[row + 1]; l++)                                  \
                if (a->columns[l] > row && places[a->columns[l]])                                            \
                    values[places[a->columns[l]] - 1] -= sparse_mul_##t(values[k], values[l]);               \
        }                                                                                                    \
    }                                                                                                        \
    static int64_t ilu_##t(struct sparse_csr *a, const struct sparse_boost *boost, int64_t *diagonals,       \
                           int64_t *places)                                                                  \
    {                                                                                                        \
        int64_t zero = -1;                                                                                   \
        type *values = a->values;                                                                            \
        for (int64_t r = 0; r < a->rows; r++) {                                                              \
            note_row(a, r, places, true);                                                                    \
            diagonals[r] = places[r] - 1;                                                                    \
            ilu_row_##t(a, r, diagonals, places);                                                            \
            note_row(a, r, places, false);                                                                   \
            int64_t at = diagonals[r];                                                                       \
            if (at >= 0 && boost->on && (double)SPARSE_ABS_##t(values[at]) <= boost->tol)                    \
                values[at] = sparse_value_##t(boost->value);                                                 \
            if (zero < 0 && (at < 0 || values[at] == 0)) zero = r;                                           \
        }                                                                                                    \
        return zero;                                                                                         \
    }
SPARSE_EACH(ILU)

/* The lower triangle alone: L of L L', with the column of the row's element from products of rows. */
#define IC(t, type)                                                                                          \
    static type ic_product_##t(const struct sparse_csr *a, int64_t row, int64_t r, const int64_t *places)    \
    {                                                                                                        \
        const type *values = a->values;                                                                      \
        type sum = 0;                                                                                        \
        for (int64_t l = a->offsets[row]; l < a->offsets[row + 1]; l++)                                      \
            if (a->columns[l] < row && a->columns[l] < r && places[a->columns[l]])                           \
                sum += sparse_mul_##t(values[places[a->columns[l]] - 1], SPARSE_CONJ_##t(values[l]));        \
        return sum;                                                                                          \
    }                                                                                                        \
    static int64_t ic_##t(struct sparse_csr *a, int64_t *diagonals, int64_t *places)                         \
    {                                                                                                        \
        int64_t zero = -1;                                                                                   \
        type *values = a->values;                                                                            \
        for (int64_t r = 0; r < a->rows; r++) {                                                              \
            note_row(a, r, places, true);                                                                    \
            int64_t at = diagonals[r] = places[r] - 1;                                                       \
            for (int64_t k = a->offsets[r]; k < a->offsets[r + 1]; k++) {                                    \
                int64_t row = a->columns[k];                                                                 \
                if (row >= r) continue;                                                                      \
                values[k] -= ic_product_##t(a, row, r, places);                                              \
                if (diagonals[row] >= 0) values[k] /= values[diagonals[row]];                                \
            }                                                                                                \
            if (at >= 0) {                                                                                   \
                double rest = (double)SPARSE_REAL_##t(values[at]) -                                          \
                              (double)SPARSE_REAL_##t(ic_product_##t(a, r, r, places));                      \
                values[at] = (type)sqrt(rest);                                                               \
                if (zero < 0 && !(rest > 0)) zero = r;                                                       \
            } else if (zero < 0) {                                                                           \
                zero = r;                                                                                    \
            }                                                                                                \
            note_row(a, r, places, false);                                                                   \
        }                                                                                                    \
        return zero;                                                                                         \
    }
SPARSE_EACH(IC)

int64_t sparse_ilu0(struct sparse_csr *a, const struct sparse_boost *boost)
{
    static const struct sparse_boost NONE = {0};
    int64_t zero = -1, *room = sw_xcalloc(2 * (uint64_t)a->rows + (uint64_t)a->cols + 1, sizeof *room);
    int64_t *places = room + a->rows;
    if (!boost) boost = &NONE;
    SPARSE_CALL(a->type, zero = ilu, a, boost, room, places);
    free(room);
    return zero;
}

int64_t sparse_ic0(struct sparse_csr *a)
{
    int64_t zero = -1, *room = sw_xcalloc(2 * (uint64_t)a->rows + (uint64_t)a->cols + 1, sizeof *room);
    SPARSE_CALL(a->type, zero = ic, a, room, room + a->rows);
    free(room);
    return zero;
}
