/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: any format as rows. Method: CSR of the right type stands where it is; other formats are listed
 * element by element, with the place each has in the matrix; columns become rows by a stable counting sort.
 * Indices are looked at before they are followed. Limits: columns are numbers of 31 bits. */
#include "sparse_priv.h"

#include <stdlib.h>
#include <string.h>

int64_t sparse_index(const void *list, bool wide, int64_t i)
{
    return wide ? ((const int64_t *)list)[i] : ((const int32_t *)list)[i];
}

void sparse_index_set(void *list, bool wide, int64_t i, int64_t value)
{
    if (wide)
        ((int64_t *)list)[i] = value;
    else
        ((int32_t *)list)[i] = (int32_t)value;
}

void sparse_csr_new(int64_t rows, int64_t cols, int64_t nnz, enum sparse_type type, struct sparse_csr *out)
{
    *out = (struct sparse_csr){.rows = rows, .cols = cols, .nnz = nnz, .type = type};
    out->offsets = sw_xcalloc((uint64_t)rows + 1, sizeof *out->offsets);
    out->columns = sw_xmalloc((uint64_t)nnz * sizeof *out->columns + 1);
    out->values = sw_xmalloc((uint64_t)nnz * sparse_bytes(type) + 1);
    out->owns_offsets = out->owns_columns = out->owns_values = true;
}

void sparse_csr_release(struct sparse_csr *csr)
{
    if (csr->owns_offsets) free(csr->offsets);
    if (csr->owns_columns) free(csr->columns);
    if (csr->owns_values) free(csr->values);
    free(csr->position);
    *csr = (struct sparse_csr){0};
}

/* ---- lists of indices */

SW_CLONES static bool ascends(const int32_t *list, int64_t count)
{
    uint32_t bad = 0;
    for (int64_t i = 0; i < count; i++)
        bad |= list[i] > list[i + 1];
    return !bad;
}

bool sparse_offsets_ascend(const int32_t *offsets, int base, int64_t rows, int64_t nnz)
{
    return offsets[0] == base && ascends(offsets, rows) && (int64_t)offsets[rows] - base <= nnz;
}

SW_CLONES static void widen(const int32_t *list, int64_t count, int32_t base, int64_t *out)
{
    for (int64_t i = 0; i < count; i++)
        out[i] = (int64_t)list[i] - base;
}

/* Ascending from the base, and not above the count. */
static bool read_offsets(const void *list, bool wide, int base, int64_t rows, int64_t nnz, int64_t *out)
{
    if (!wide) {
        widen(list, rows + 1, base, out);
        return sparse_offsets_ascend(list, base, rows, nnz);
    }
    const int64_t *offsets = list;
    int64_t before = 0;
    for (int64_t i = 0; i <= rows; i++) {
        out[i] = offsets[i] - base;
        if (out[i] < before || out[i] > nnz || (i == 0 && out[0] != 0)) return false;
        before = out[i];
    }
    return true;
}

SW_CLONES static uint32_t above(const int32_t *list, int64_t count, int32_t base, uint32_t limit)
{
    uint32_t bad = 0;
    for (int64_t i = 0; i < count; i++)
        bad |= (uint32_t)list[i] - (uint32_t)base >= limit;
    return bad;
}

bool sparse_all_below(const int32_t *list, int64_t count, int32_t base, uint32_t limit)
{
    return !above(list, count, base, limit);
}

/* The list, from 0 on: where it stands, or a copy. */
static bool read_columns(const struct sparse_matrix *m, int64_t count, int64_t cols, struct sparse_csr *out)
{
    if (!m->indices) return true; /* the caller knows that none are wanted */
    if (!m->wide_indices && !sparse_all_below(m->indices, count, m->base, (uint32_t)cols)) return false;
    if (!m->wide_indices && m->base == 0) {
        out->columns = (int32_t *)(uintptr_t)m->indices;
        return true;
    }
    out->columns = sw_xmalloc((uint64_t)count * sizeof *out->columns + 1);
    out->owns_columns = true;
    for (int64_t i = 0; i < count; i++) {
        int64_t column = sparse_index(m->indices, m->wide_indices, i) - m->base;
        if (column < 0 || column >= cols) return false;
        out->columns[i] = (int32_t)column;
    }
    return true;
}

/* ---- one format each: the pattern, with position where it is not the order of the values */

static bool csr_pattern(const struct sparse_matrix *m, int64_t rows, int64_t cols, struct sparse_csr *out)
{
    out->rows = rows;
    out->cols = cols;
    out->offsets = sw_xmalloc(((uint64_t)rows + 1) * sizeof *out->offsets);
    out->owns_offsets = true;
    if (!read_offsets(m->offsets, m->wide_offsets, m->base, rows, m->nnz, out->offsets)) return false;
    out->nnz = out->offsets[rows];
    return read_columns(m, out->nnz, cols, out);
}

static bool coo_rows(const struct sparse_matrix *m, int64_t *counts, bool *sorted)
{
    int64_t before = 0;
    *sorted = true;
    for (int64_t i = 0; i < m->nnz; i++) {
        int64_t row = sparse_index(m->offsets, m->wide_offsets, i) - m->base;
        if (row < 0 || row >= m->rows) return false;
        if (row < before) *sorted = false;
        before = row;
        counts[row + 1]++;
    }
    return true;
}

static bool coo_pattern(const struct sparse_matrix *m, struct sparse_csr *out)
{
    bool sorted;
    out->rows = m->rows;
    out->cols = m->cols;
    out->nnz = m->nnz;
    out->offsets = sw_xcalloc((uint64_t)m->rows + 1, sizeof *out->offsets);
    out->owns_offsets = true;
    if (!coo_rows(m, out->offsets, &sorted)) return false;
    for (int64_t r = 0; r < m->rows; r++)
        out->offsets[r + 1] += out->offsets[r];
    if (!read_columns(m, m->nnz, m->cols, out)) return false;
    if (sorted) return true;
    int64_t *next = sw_xmemdup(out->offsets, ((uint64_t)m->rows + 1) * sizeof *next);
    int32_t *columns = sw_xmalloc((uint64_t)m->nnz * sizeof *columns + 1);
    out->position = sw_xmalloc((uint64_t)m->nnz * sizeof *out->position + 1);
    for (int64_t i = 0; i < m->nnz; i++) {
        int64_t at = next[sparse_index(m->offsets, m->wide_offsets, i) - m->base]++;
        columns[at] = out->columns[i];
        out->position[at] = i;
    }
    if (out->owns_columns) free(out->columns);
    out->columns = columns;
    out->owns_columns = true;
    free(next);
    return true;
}

/* Blocks of a row of blocks: begin, end, and of each its column (-1: none) and the place of element (r, c).
 */
static int64_t block_value(const struct sparse_matrix *m, int64_t block, int64_t block_row, int64_t r,
                           int64_t c)
{
    int64_t br = m->block_rows, bc = m->block_cols;
    if (m->format == SPARSE_BLOCKED_ELL)
        return (block_row * br + r) * m->ell_cols + (block - block_row * (m->ell_cols / bc)) * bc + c;
    return block * br * bc + (m->column_blocks ? c * br + r : r * bc + c);
}

static void list_block_row(const struct sparse_matrix *m, const int64_t *blocks, int64_t row,
                           struct sparse_csr *out, int64_t *at)
{
    for (int64_t r = 0; r < m->block_rows; r++) {
        for (int64_t b = blocks[row]; b < blocks[row + 1]; b++) {
            int64_t column = sparse_index(m->indices, m->wide_indices, b) - m->base;
            for (int64_t c = 0; c < m->block_cols && column >= 0; c++, ++*at) {
                out->columns[*at] = (int32_t)(column * m->block_cols + c);
                out->position[*at] = block_value(m, b, row, r, c);
            }
        }
        out->offsets[row * m->block_rows + r + 1] = *at;
    }
}

static bool blocks_pattern(const struct sparse_matrix *m, struct sparse_csr *out)
{
    int64_t rows = m->rows / m->block_rows, cols = m->cols / m->block_cols,
            each = m->block_rows * m->block_cols;
    bool is_ell = m->format == SPARSE_BLOCKED_ELL, good = true;
    int64_t *blocks = sw_xmalloc(((uint64_t)rows + 1) * sizeof *blocks), at = 0;
    for (int64_t r = 0; r <= rows && is_ell; r++)
        blocks[r] = r * (m->ell_cols / m->block_cols);
    if (!is_ell) good = read_offsets(m->offsets, m->wide_offsets, m->base, rows, m->nnz / each, blocks);
    for (int64_t b = 0; good && b < blocks[rows]; b++) {
        int64_t column = sparse_index(m->indices, m->wide_indices, b) - m->base;
        good = column < cols && (column >= 0 || is_ell);
    }
    if (good) {
        sparse_csr_new(m->rows, m->cols, blocks[rows] * each, out->type, out);
        free(out->values);
        out->values = NULL;
        out->owns_values = false;
        out->position = sw_xmalloc((uint64_t)out->nnz * sizeof *out->position + 1);
        for (int64_t r = 0; r < rows; r++)
            list_block_row(m, blocks, r, out, &at);
        out->nnz = at;
    }
    free(blocks);
    return good;
}

static bool slices_pattern(const struct sparse_matrix *m, struct sparse_csr *out)
{
    int64_t slice = m->block_rows, slices = (m->rows + slice - 1) / slice, at = 0;
    int64_t *begin = sw_xmalloc(((uint64_t)slices + 1) * sizeof *begin);
    bool good = read_offsets(m->offsets, m->wide_offsets, m->base, slices, m->nnz, begin);
    if (good) {
        sparse_csr_new(m->rows, m->cols, m->nnz, out->type, out);
        free(out->values);
        out->values = NULL;
        out->owns_values = false;
        out->position = sw_xmalloc((uint64_t)m->nnz * sizeof *out->position + 1);
    }
    for (int64_t r = 0; r < m->rows && good; r++) {
        for (int64_t i = begin[r / slice] + r % slice; i < begin[r / slice + 1] && good; i += slice) {
            int64_t column = sparse_index(m->indices, m->wide_indices, i);
            if (column == -1) continue; /* padding, whatever the base is */
            column -= m->base;
            good = column >= 0 && column < m->cols;
            out->columns[at] = (int32_t)column;
            out->position[at++] = i;
        }
        out->offsets[r + 1] = at;
    }
    if (good) out->nnz = at;
    free(begin);
    return good;
}

static bool pattern_of(const struct sparse_matrix *m, struct sparse_csr *out)
{
    switch (m->format) {
    case SPARSE_CSR: return csr_pattern(m, m->rows, m->cols, out);
    case SPARSE_CSC: return csr_pattern(m, m->cols, m->rows, out);
    case SPARSE_COO: return coo_pattern(m, out);
    case SPARSE_SLICED_ELL: return slices_pattern(m, out);
    case SPARSE_BSR:
    case SPARSE_BLOCKED_ELL: return blocks_pattern(m, out);
    }
    return false;
}

/* ---- rows become columns */

static void transpose(struct sparse_csr *csr)
{
    struct sparse_csr out = {.rows = csr->cols, .cols = csr->rows, .nnz = csr->nnz, .type = csr->type};
    out.offsets = sw_xcalloc((uint64_t)out.rows + 1, sizeof *out.offsets);
    out.columns = sw_xmalloc((uint64_t)out.nnz * sizeof *out.columns + 1);
    out.position = sw_xmalloc((uint64_t)out.nnz * sizeof *out.position + 1);
    out.owns_offsets = out.owns_columns = true;
    for (int64_t k = 0; k < csr->nnz; k++)
        out.offsets[csr->columns[k] + 1]++;
    for (int64_t r = 0; r < out.rows; r++)
        out.offsets[r + 1] += out.offsets[r];
    int64_t *next = sw_xmemdup(out.offsets, ((uint64_t)out.rows + 1) * sizeof *next);
    for (int64_t r = 0; r < csr->rows; r++)
        for (int64_t k = csr->offsets[r]; k < csr->offsets[r + 1]; k++) {
            int64_t at = next[csr->columns[k]]++;
            out.columns[at] = (int32_t)r;
            out.position[at] = csr->position ? csr->position[k] : k;
        }
    free(next);
    sparse_csr_release(csr);
    *csr = out;
}

void sparse_csr_sort(struct sparse_csr *csr)
{
    bool sorted = true;
    for (int64_t r = 0; r < csr->rows && sorted; r++)
        for (int64_t k = csr->offsets[r] + 1; k < csr->offsets[r + 1] && sorted; k++)
            sorted = csr->columns[k - 1] < csr->columns[k];
    if (sorted) return;
    void *values = csr->values;
    bool owns = csr->owns_values;
    csr->owns_values = false;
    int64_t *position = csr->position, *places;
    csr->position = NULL;
    csr->values = NULL;
    transpose(csr); /* twice: a stable sort by columns, then by rows */
    transpose(csr);
    places = csr->position;
    csr->values = sw_xmalloc((uint64_t)csr->nnz * sparse_bytes(csr->type) + 1);
    csr->owns_values = true;
    if (values) sparse_gather(csr->type, values, places, csr->nnz, csr->values);
    for (int64_t k = 0; k < csr->nnz && position; k++)
        places[k] = position[places[k]];
    free(position);
    if (owns) free(values);
}

/* ---- values */

static bool read_values(const struct sparse_matrix *m, enum sparse_op op, struct sparse_csr *out)
{
    struct sparse_element wanted = sparse_element_of(out->type);
    bool same = m->element.part == wanted.part && m->element.is_complex == wanted.is_complex;
    uint64_t count = (uint64_t)m->nnz;
    void *numbers = m->values;
    if (!same) {
        numbers = sw_xmalloc(count * sparse_bytes(out->type) + 1);
        sparse_load(m->element, m->values, out->type, numbers, count);
    }
    if (out->position) {
        out->values = sw_xmalloc((uint64_t)out->nnz * sparse_bytes(out->type) + 1);
        sparse_gather(out->type, numbers, out->position, out->nnz, out->values);
        if (!same) free(numbers);
    } else {
        out->values = numbers;
    }
    out->owns_values = out->position || !same;
    if (op == SPARSE_H) sparse_conjugate(out->type, out->values, out->nnz); /* it was transposed: a copy */
    return true;
}

bool sparse_csr_of(const struct sparse_matrix *matrix, enum sparse_type type, enum sparse_op op,
                   struct sparse_csr *out)
{
    *out = (struct sparse_csr){.type = type};
    if (matrix->rows > INT32_MAX || matrix->cols > INT32_MAX) return false;
    if (!pattern_of(matrix, out)) return false;
    out->type = type;
    if ((matrix->format == SPARSE_CSC) != (op != SPARSE_N)) transpose(out);
    if (op == SPARSE_H && !out->position && matrix->values) { /* CSC of a conjugate: values of its own */
        out->position = sw_xmalloc((uint64_t)out->nnz * sizeof *out->position + 1);
        for (int64_t k = 0; k < out->nnz; k++)
            out->position[k] = k;
    }
    return !matrix->values || read_values(matrix, op, out);
}

void sparse_csr_write(const struct sparse_csr *csr, const struct sparse_matrix *matrix)
{
    uint64_t element = sparse_element_bytes(matrix->element), number = sparse_bytes(csr->type);
    if (csr->values == matrix->values) return;
    if (!csr->position) {
        sparse_store(csr->type, csr->values, matrix->element, matrix->values, (uint64_t)csr->nnz);
        return;
    }
    for (int64_t k = 0; k < csr->nnz; k++)
        sparse_store(csr->type, (const char *)csr->values + (uint64_t)k * number, matrix->element,
                     (char *)matrix->values + (uint64_t)csr->position[k] * element, 1);
}
