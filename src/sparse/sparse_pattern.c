/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: which elements there are: of dense matrices, above a threshold, in blocks; and lists as the caller
 * wants them. Method: count, then fill. Limits: one thread. */
#include "sparse_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double sparse_magnitude(enum sparse_type type, const void *value)
{
    const float *s = value;
    const double *d = value;
    switch (type) {
    case SPARSE_S: return fabs((double)s[0]);
    case SPARSE_D: return fabs(d[0]);
    case SPARSE_C: return hypot((double)s[0], (double)s[1]);
    case SPARSE_Z: return hypot(d[0], d[1]);
    }
    return 0;
}

bool sparse_keeps(const struct sparse_filter *filter, enum sparse_type type, const void *value)
{
    double size = sparse_magnitude(type, value);
    return filter->above < 0 ? size != 0 : size > filter->above;
}

void sparse_of_dense(const struct sparse_dense *dense, const struct sparse_filter *filter,
                     struct sparse_csr *out)
{
    uint64_t bytes = sparse_bytes(dense->type);
    const char *values = dense->values;
    int64_t count = 0;
    for (int turn = 0; turn < 2; turn++) {
        if (turn) sparse_csr_new(dense->rows, dense->cols, count, dense->type, out);
        count = 0;
        for (int64_t r = 0; r < dense->rows; r++) {
            for (int64_t c = 0; c < dense->cols; c++) {
                const char *value =
                    values + (uint64_t)(r * dense->row_stride + c * dense->col_stride) * bytes;
                if (!sparse_keeps(filter, dense->type, value)) continue;
                if (turn) out->columns[count] = (int32_t)c;
                if (turn) memcpy((char *)out->values + (uint64_t)count * bytes, value, bytes);
                count++;
            }
            if (turn) out->offsets[r + 1] = count;
        }
    }
}

void sparse_of_csr(const struct sparse_csr *csr, const struct sparse_filter *filter, struct sparse_csr *out)
{
    uint64_t bytes = sparse_bytes(csr->type);
    int64_t count = 0;
    sparse_csr_new(csr->rows, csr->cols, csr->nnz, csr->type, out);
    for (int64_t r = 0; r < csr->rows; r++) {
        for (int64_t k = csr->offsets[r]; k < csr->offsets[r + 1]; k++) {
            const char *value = (const char *)csr->values + (uint64_t)k * bytes;
            if (!sparse_keeps(filter, csr->type, value)) continue;
            out->columns[count] = csr->columns[k];
            memcpy((char *)out->values + (uint64_t)count++ * bytes, value, bytes);
        }
        out->offsets[r + 1] = count;
    }
    out->nnz = count;
}

void sparse_csr_put(const struct sparse_csr *csr, const struct sparse_matrix *to)
{
    void *offsets = (void *)(uintptr_t)to->offsets, *indices = (void *)(uintptr_t)to->indices;
    bool is_coo = to->format == SPARSE_COO;
    for (int64_t r = 0; offsets && r <= csr->rows && !is_coo; r++)
        sparse_index_set(offsets, to->wide_offsets, r, csr->offsets[r] + to->base);
    for (int64_t r = 0; offsets && r < csr->rows && is_coo; r++)
        for (int64_t k = csr->offsets[r]; k < csr->offsets[r + 1]; k++)
            sparse_index_set(offsets, to->wide_offsets, k, r + to->base);
    for (int64_t k = 0; indices && k < csr->nnz; k++)
        sparse_index_set(indices, to->wide_indices, k, csr->columns[k] + to->base);
    if (to->values && csr->values)
        sparse_store(csr->type, csr->values, to->element, to->values, (uint64_t)csr->nnz);
}

/* ---- blocks */

/* Columns of blocks that a row of blocks has, ascending; seen: by column, the last row that had it, and 1. */
static int64_t block_columns(const struct sparse_csr *csr, int64_t row, int64_t block_rows,
                             int64_t block_cols, int64_t *seen, int32_t *list)
{
    int64_t count = 0, last = (row + 1) * block_rows < csr->rows ? (row + 1) * block_rows : csr->rows;
    int64_t columns = (csr->cols + block_cols - 1) / block_cols;
    int64_t least = columns, most = -1;
    for (int64_t k = csr->offsets[row * block_rows]; k < csr->offsets[last]; k++) {
        int64_t column = csr->columns[k] / block_cols;
        seen[column] = row + 1;
        least = column < least ? column : least;
        most = column > most ? column : most;
    }
    for (int64_t column = least; column <= most; column++)
        if (seen[column] == row + 1) list[count++] = (int32_t)column;
    return count;
}

static void fill_blocks(const struct sparse_csr *csr, int64_t row, int64_t block_rows, int64_t block_cols,
                        bool column_blocks, const struct sparse_blocks *out, int64_t *place)
{
    uint64_t bytes = sparse_bytes(csr->type);
    for (int64_t b = out->offsets[row]; b < out->offsets[row + 1]; b++)
        place[out->columns[b]] = b;
    for (int64_t r = row * block_rows; r < (row + 1) * block_rows && r < csr->rows; r++)
        for (int64_t k = csr->offsets[r]; k < csr->offsets[r + 1]; k++) {
            int64_t i = r % block_rows, j = csr->columns[k] % block_cols;
            int64_t at = column_blocks ? j * block_rows + i : i * block_cols + j;
            memcpy(out->values + place[csr->columns[k] / block_cols] * out->block_bytes + at * (int64_t)bytes,
                   (const char *)csr->values + (uint64_t)k * bytes, bytes);
        }
}

void sparse_blocks_of(const struct sparse_csr *csr, int64_t block_rows, int64_t block_cols,
                      bool column_blocks, struct sparse_blocks *out)
{
    int64_t rows = (csr->rows + block_rows - 1) / block_rows,
            columns = (csr->cols + block_cols - 1) / block_cols;
    int64_t *seen = sw_xcalloc((uint64_t)columns + 1, sizeof *seen);
    int32_t *list = sw_xmalloc(((uint64_t)columns + 1) * sizeof *list);
    *out = (struct sparse_blocks){.rows = rows,
                                  .block_bytes = block_rows * block_cols * sparse_bytes(csr->type)};
    out->offsets = sw_xcalloc((uint64_t)rows + 1, sizeof *out->offsets);
    for (int64_t r = 0; r < rows; r++)
        out->offsets[r + 1] = out->offsets[r] + block_columns(csr, r, block_rows, block_cols, seen, list);
    out->count = out->offsets[rows];
    out->columns = sw_xmalloc((uint64_t)out->count * sizeof *out->columns + 1);
    memset(seen, 0, (uint64_t)columns * sizeof *seen);
    for (int64_t r = 0; r < rows; r++)
        block_columns(csr, r, block_rows, block_cols, seen, out->columns + out->offsets[r]);
    if (csr->values) {
        out->values = sw_xcalloc((uint64_t)out->count + 1, (uint64_t)out->block_bytes);
        for (int64_t r = 0; r < rows; r++)
            fill_blocks(csr, r, block_rows, block_cols, column_blocks, out, seen);
    }
    free(seen);
    free(list);
}

void sparse_blocks_release(struct sparse_blocks *blocks)
{
    free(blocks->offsets);
    free(blocks->columns);
    free(blocks->values);
}
