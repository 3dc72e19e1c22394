/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: dense operands in the type and the order that loops want. Method: where they stand, if they are so
 * already; else a copy. Limits: none. */
#include "sparse_priv.h"

#include <stdlib.h>
#include <string.h>

static bool is_direct(const struct sparse_dense_source *source, enum sparse_type type)
{
    struct sparse_element element = sparse_element_of(type);
    return source->element.part == element.part && source->element.is_complex == element.is_complex;
}

/* The copy of other elements: in the source's order, without gaps. */
void sparse_dense_open(const struct sparse_dense_source *source, enum sparse_type type,
                       struct sparse_dense *out)
{
    int64_t lines = source->by_rows ? source->rows : source->cols,
            length = source->by_rows ? source->cols : source->rows;
    bool direct = is_direct(source, type);
    int64_t ld = direct ? source->ld : length;
    uint64_t element = sparse_element_bytes(source->element), number = sparse_bytes(type);
    *out = (struct sparse_dense){.rows = source->rows,
                                 .cols = source->cols,
                                 .row_stride = source->by_rows ? ld : 1,
                                 .col_stride = source->by_rows ? 1 : ld,
                                 .values = source->values,
                                 .type = type,
                                 .owns = !direct};
    if (direct) return;
    out->values = sw_xmalloc((uint64_t)(lines * length) * number + 1);
    for (int64_t i = 0; i < lines; i++)
        sparse_load(source->element, (const char *)source->values + (uint64_t)(i * source->ld) * element,
                    type, (char *)out->values + (uint64_t)(i * length) * number, (uint64_t)length);
}

/* ---- turned */

struct turning {
    const struct sparse_dense *from;
    char *to;
    int64_t rows, cols;
    bool turned; /* rows of the result are columns of what it is from */
};

enum { TILE = 16 }; /* elements of lines that stay in the cache */

#define TURN(t, type)                                                                                        \
    static void turn_##t(const struct turning *x, int64_t begin, int64_t end)                                \
    {                                                                                                        \
        const struct sparse_dense *from = x->from;                                                           \
        int64_t rs = x->turned ? from->col_stride : from->row_stride,                                        \
                cs = x->turned ? from->row_stride : from->col_stride;                                        \
        for (int64_t r = begin; r < end; r += TILE)                                                          \
            for (int64_t c = 0; c < x->cols; c += TILE)                                                      \
                for (int64_t i = r; i < end && i < r + TILE; i++)                                            \
                    for (int64_t j = c; j < x->cols && j < c + TILE; j++)                                    \
                        ((type *)x->to)[i * x->cols + j] = ((const type *)from->values)[i * rs + j * cs];    \
    }
SPARSE_EACH(TURN)

static void turn_part(void *context, int64_t begin, int64_t end)
{
    const struct turning *x = context;
    SPARSE_CALL(x->from->type, turn, x, begin, end);
}

void sparse_dense_rows(const struct sparse_dense_source *source, enum sparse_type type, enum sparse_op op,
                       struct sparse_dense *out)
{
    enum { GRAIN = 1 << 14 };
    struct sparse_dense as_is;
    sparse_dense_open(source, type, &as_is);
    bool turned = op != SPARSE_N;
    int64_t rows = turned ? as_is.cols : as_is.rows, cols = turned ? as_is.rows : as_is.cols;
    if ((turned ? as_is.row_stride : as_is.col_stride) == 1 && (op != SPARSE_H || type < SPARSE_C)) {
        *out = as_is;
        out->rows = rows;
        out->cols = cols;
        out->row_stride = turned ? as_is.col_stride : as_is.row_stride;
        out->col_stride = 1;
        return;
    }
    uint64_t bytes = (uint64_t)rows * (uint64_t)cols * sparse_bytes(type);
    *out = (struct sparse_dense){.rows = rows,
                                 .cols = cols,
                                 .row_stride = cols,
                                 .col_stride = 1,
                                 .values = sw_xmalloc(bytes + 1),
                                 .type = type,
                                 .owns = true};
    struct turning turning = {&as_is, out->values, rows, cols, turned};
    sparse_parallel(rows, GRAIN / (cols + 1) + 1, turn_part, &turning);
    if (op == SPARSE_H) sparse_conjugate(type, out->values, rows * cols);
    sparse_dense_close(&as_is, source, false);
}

void sparse_dense_new(int64_t rows, int64_t cols, enum sparse_type type, struct sparse_dense *out)
{
    uint64_t bytes = (uint64_t)rows * (uint64_t)cols * sparse_bytes(type);
    *out = (struct sparse_dense){
        .rows = rows, .cols = cols, .row_stride = cols, .col_stride = 1, .type = type, .owns = true};
    out->values = sw_xmalloc(bytes + 1);
}

#define COPY(t, type)                                                                                        \
    static void copy_##t(const struct sparse_dense *from, const struct sparse_dense *to)                     \
    {                                                                                                        \
        for (int64_t r = 0; r < from->rows; r++)                                                             \
            for (int64_t c = 0; c < from->cols; c++)                                                         \
                ((type *)to->values)[r * to->row_stride + c * to->col_stride] =                              \
                    ((const type *)from->values)[r * from->row_stride + c * from->col_stride];               \
    }
SPARSE_EACH(COPY)

void sparse_dense_copy(const struct sparse_dense *from, const struct sparse_dense *to)
{
    SPARSE_CALL(from->type, copy, from, to);
}

void sparse_dense_conjugate(struct sparse_dense *dense, const struct sparse_dense_source *source)
{
    uint64_t line = (uint64_t)dense->cols * sparse_bytes(dense->type);
    char *copy = sw_xmalloc((uint64_t)dense->rows * line + 1);
    for (int64_t r = 0; r < dense->rows; r++)
        memcpy(copy + (uint64_t)r * line,
               (const char *)dense->values + (uint64_t)(r * dense->row_stride) * sparse_bytes(dense->type),
               line);
    sparse_conjugate(dense->type, copy, dense->rows * dense->cols);
    struct sparse_dense out = *dense;
    out.values = copy;
    out.row_stride = dense->cols;
    out.owns = true;
    sparse_dense_close(dense, source, false);
    *dense = out;
}

void sparse_dense_close(struct sparse_dense *dense, const struct sparse_dense_source *source, bool writes)
{
    int64_t lines = source->by_rows ? source->rows : source->cols,
            length = source->by_rows ? source->cols : source->rows;
    uint64_t element = sparse_element_bytes(source->element), number = sparse_bytes(dense->type);
    for (int64_t i = 0; i < lines && writes && dense->owns; i++)
        sparse_store(dense->type, (const char *)dense->values + (uint64_t)(i * length) * number,
                     source->element, (char *)source->values + (uint64_t)(i * source->ld) * element,
                     (uint64_t)length);
    if (dense->owns) free(dense->values);
    *dense = (struct sparse_dense){0};
}
