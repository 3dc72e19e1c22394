/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: products and sums of sparse matrices. Method: row by row (Gustavson 1978): a dense row of sums and
 * a list of the columns that were met, which is sorted; once to count, once with numbers; rows in parallel.
 * Limits: each thread has a dense row of the result's columns. */
#include "sparse_priv.h"

#include <stdlib.h>
#include <string.h>

enum { GRAIN = 256 }; /* rows: each part makes a dense row of its own */

struct gemm {
    const struct sparse_csr *a, *b;
    struct sparse_csr *out;
};

static int by_number(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Columns of row r of the product, as they are met; seen: by column, the last row that had it, and 1. */
static int64_t gemm_columns(const struct gemm *g, int64_t r, int64_t *seen, int32_t *list)
{
    int64_t count = 0;
    for (int64_t k = g->a->offsets[r]; k < g->a->offsets[r + 1]; k++) {
        int32_t row = g->a->columns[k];
        for (int64_t l = g->b->offsets[row]; l < g->b->offsets[row + 1]; l++) {
            int32_t column = g->b->columns[l];
            if (seen[column] == r + 1) continue;
            seen[column] = r + 1;
            list[count++] = column;
        }
    }
    return count;
}

static void count_part(void *context, int64_t begin, int64_t end)
{
    const struct gemm *g = context;
    int64_t *seen = sw_xcalloc((uint64_t)g->b->cols + 1, sizeof *seen);
    int32_t *list = sw_xmalloc(((uint64_t)g->b->cols + 1) * sizeof *list);
    for (int64_t r = begin; r < end; r++)
        g->out->offsets[r + 1] = gemm_columns(g, r, seen, list);
    free(seen);
    free(list);
}

#define FILL(t, type)                                                                                        \
    static void fill_##t(const struct gemm *g, int64_t begin, int64_t end)                                   \
    {                                                                                                        \
        int64_t *seen = sw_xcalloc((uint64_t)g->b->cols + 1, sizeof *seen);                                  \
        type *sums = sw_xcalloc((uint64_t)g->b->cols + 1, sizeof *sums), *out = g->out->values;              \
        const type *a = g->a->values, *b = g->b->values;                                                     \
        for (int64_t r = begin; r < end; r++) {                                                              \
            int32_t *list = g->out->columns + g->out->offsets[r];                                            \
            int64_t count = gemm_columns(g, r, seen, list);                                                  \
            qsort(list, (size_t)count, sizeof *list, by_number);                                             \
            for (int64_t k = g->a->offsets[r]; k < g->a->offsets[r + 1]; k++) {                              \
                int32_t row = g->a->columns[k];                                                              \
                for (int64_t l = g->b->offsets[row]; l < g->b->offsets[row + 1]; l++)                        \
                    sums[g->b->columns[l]] += sparse_mul_##t(a[k], b[l]);                                    \
            }                                                                                                \
            for (int64_t i = 0; i < count; i++) {                                                            \
                out[g->out->offsets[r] + i] = sums[list[i]];                                                 \
                sums[list[i]] = 0;                                                                           \
            }                                                                                                \
        }                                                                                                    \
        free(seen);                                                                                          \
        free(sums);                                                                                          \
    }
SPARSE_EACH(FILL)

static void fill_part(void *context, int64_t begin, int64_t end)
{
    const struct gemm *g = context;
    SPARSE_CALL(g->a->type, fill, g, begin, end);
}

/* Counts of rows, in offsets[1...], become offsets; room for all. */
static void make_room(struct sparse_csr *out, int64_t rows, int64_t cols, enum sparse_type type,
                      int64_t *counts)
{
    for (int64_t r = 0; r < rows; r++)
        counts[r + 1] += counts[r];
    sparse_csr_new(rows, cols, counts[rows], type, out);
    memcpy(out->offsets, counts, ((uint64_t)rows + 1) * sizeof *counts);
    free(counts);
}

void sparse_gemm(const struct sparse_csr *a, const struct sparse_csr *b, struct sparse_csr *out)
{
    struct gemm g = {a, b, out};
    *out = (struct sparse_csr){.offsets = sw_xcalloc((uint64_t)a->rows + 1, sizeof *out->offsets)};
    sparse_parallel(a->rows, GRAIN, count_part, &g);
    make_room(out, a->rows, b->cols, a->type, out->offsets);
    sparse_parallel(a->rows, GRAIN, fill_part, &g);
}

uint64_t sparse_gemm_products(const struct sparse_csr *a, const struct sparse_csr *b)
{
    uint64_t count = 0;
    for (int64_t k = 0; k < a->nnz; k++)
        count += (uint64_t)(b->offsets[a->columns[k] + 1] - b->offsets[a->columns[k]]);
    return count;
}

/* ---- sums: rows are merged */

struct merge {
    const struct sparse_csr *a, *b;
    int64_t i, j, a_end, b_end;
    int32_t column;
    int64_t from_a, from_b; /* the place of its element, or -1 */
};

static bool merge_next(struct merge *m)
{
    if (m->i == m->a_end && m->j == m->b_end) return false;
    int32_t a = m->i < m->a_end ? m->a->columns[m->i] : INT32_MAX;
    int32_t b = m->j < m->b_end ? m->b->columns[m->j] : INT32_MAX;
    m->column = a < b ? a : b;
    m->from_a = m->i < m->a_end && a == m->column ? m->i++ : -1;
    m->from_b = m->j < m->b_end && b == m->column ? m->j++ : -1;
    return true;
}

static struct merge merge_of(const struct sparse_csr *a, const struct sparse_csr *b, int64_t r)
{
    return (struct merge){.a = a,
                          .b = b,
                          .i = a->offsets[r],
                          .j = b->offsets[r],
                          .a_end = a->offsets[r + 1],
                          .b_end = b->offsets[r + 1]};
}

#define ADD(t, type)                                                                                         \
    static void add_##t(union sparse_scalar alpha, union sparse_scalar beta, const struct merge *m,          \
                        void *out, int64_t at)                                                               \
    {                                                                                                        \
        type sum = 0;                                                                                        \
        if (m->from_a >= 0)                                                                                  \
            sum = sparse_mul_##t(sparse_value_##t(alpha), ((const type *)m->a->values)[m->from_a]);          \
        if (m->from_b >= 0)                                                                                  \
            sum += sparse_mul_##t(sparse_value_##t(beta), ((const type *)m->b->values)[m->from_b]);          \
        ((type *)out)[at] = sum;                                                                             \
    }
SPARSE_EACH(ADD)

void sparse_add(union sparse_scalar alpha, const struct sparse_csr *a, union sparse_scalar beta,
                const struct sparse_csr *b, struct sparse_csr *out)
{
    int64_t *counts = sw_xcalloc((uint64_t)a->rows + 1, sizeof *counts), at = 0;
    for (int64_t r = 0; r < a->rows; r++)
        for (struct merge m = merge_of(a, b, r); merge_next(&m);)
            counts[r + 1]++;
    make_room(out, a->rows, a->cols, a->type, counts);
    for (int64_t r = 0; r < a->rows; r++)
        for (struct merge m = merge_of(a, b, r); merge_next(&m); at++) {
            out->columns[at] = m.column;
            if (a->values && b->values) SPARSE_CALL(a->type, add, alpha, beta, &m, out->values, at);
        }
}
