/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: systems with three or five diagonals. Method: elimination, with exchange of rows if wanted, on a
 * copy: each row keeps its elements from the diagonal on, and room for what exchanges bring. Limits: the sums
 * are in another order than cyclic reduction's. */
#include "sparse_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST = 7 }; /* 2 below, the diagonal, 2 above, 2 more after exchanges */

/* Row i of the copy: element c is column i - below + c. */
#define BAND(t, type)                                                                                        \
    static void band_copy_##t(const struct sparse_band *b, type *rows, int64_t width)                        \
    {                                                                                                        \
        int count = 2 * b->below + 1;                                                                        \
        for (int64_t i = 0; i < b->n; i++)                                                                   \
            for (int c = 0; c < count; c++) {                                                                \
                int64_t column = i - b->below + c;                                                           \
                bool there = column >= 0 && column < b->n;                                                   \
                rows[i * width + c] = there ? ((const type *)b->diagonals[c])[i * b->stride] : 0;            \
            }                                                                                                \
    }                                                                                                        \
    static void band_exchange_##t(const struct sparse_band *b, type *rows, int64_t width, int64_t i,         \
                                  type *x, int64_t stride)                                                   \
    {                                                                                                        \
        int64_t best = i, reach = width - b->below; /* elements from the diagonal on */                      \
        for (int64_t r = i + 1; r <= i + b->below && r < b->n; r++)                                          \
            if (SPARSE_ABS_##t(rows[r * width + b->below - (r - i)]) >                                       \
                SPARSE_ABS_##t(rows[best * width + b->below - (best - i)]))                                  \
                best = r;                                                                                    \
        for (int64_t c = 0; c < reach && best != i; c++) {                                                   \
            type *p = &rows[i * width + b->below + c], *q = &rows[best * width + b->below - (best - i) + c]; \
            type old = *p;                                                                                   \
            *p = *q;                                                                                         \
            *q = old;                                                                                        \
        }                                                                                                    \
        type old = x[i * stride];                                                                            \
        x[i * stride] = x[best * stride];                                                                    \
        x[best * stride] = old;                                                                              \
    }                                                                                                        \
    static void band_##t(const struct sparse_band *b, type *rows, type *x, int64_t stride)                   \
    {                                                                                                        \
        int64_t width = 3 * b->below + 1;                                                                    \
        band_copy_##t(b, rows, width);                                                                       \
        for (int64_t i = 0; i < b->n; i++) {                                                                 \
            if (b->pivots) band_exchange_##t(b, rows, width, i, x, stride);                                  \
            for (int64_t r = i + 1; r <= i + b->below && r < b->n; r++) {                                    \
                type *row = &rows[r * width + b->below - (r - i)], *top = &rows[i * width + b->below];       \
                type factor = row[0] / top[0];                                                               \
                for (int64_t c = 1; c <= 2 * b->below; c++)                                                  \
                    row[c] -= sparse_mul_##t(factor, top[c]);                                                \
                x[r * stride] -= sparse_mul_##t(factor, x[i * stride]);                                      \
            }                                                                                                \
        }                                                                                                    \
        for (int64_t i = b->n - 1; i >= 0; i--) {                                                            \
            type sum = x[i * stride], *row = &rows[i * width + b->below];                                    \
            for (int64_t c = 1; c <= 2 * b->below && i + c < b->n; c++)                                      \
                sum -= sparse_mul_##t(row[c], x[(i + c) * stride]);                                          \
            x[i * stride] = sum / row[0];                                                                    \
        }                                                                                                    \
    }
SPARSE_EACH(BAND)

struct band_work {
    const struct sparse_band *band;
    char *x;
    int64_t stride, next;
};

static void band_part(void *context, int64_t begin, int64_t end)
{
    const struct band_work *w = context;
    uint64_t bytes = sparse_bytes(w->band->type);
    char *rows = sw_xcalloc((uint64_t)w->band->n * WIDEST + WIDEST, bytes);
    for (int64_t j = begin; j < end; j++) {
        struct sparse_band band = *w->band;
        for (int d = 0; d < 2 * band.below + 1; d++)
            band.diagonals[d] = (const char *)band.diagonals[d] + (uint64_t)(j * band.next) * bytes;
        memset(rows, 0, (uint64_t)w->band->n * WIDEST * bytes);
        SPARSE_CALL(band.type, band, &band, (void *)rows, (void *)(w->x + (uint64_t)(j * w->next) * bytes),
                    w->stride);
    }
    free(rows);
}

void sparse_band_solve(const struct sparse_band *band, void *x, int64_t x_stride, int64_t columns,
                       int64_t next)
{
    enum { GRAIN = 1 << 12 };
    struct band_work w = {band, x, x_stride, next};
    sparse_parallel(columns, GRAIN / (band->n + 1) + 1, band_part, &w);
}
