/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: descriptors of sparse matrices in all formats. Method: plain records; calls copy what they need.
 * Limits: lists of offsets and of indices have the same type, as NVIDIA's (recorded on an H200). */
#include "cusparse_priv.h"

#include <stdlib.h>
#include <string.h>

#define MUTABLE(pointer) ((void *)(uintptr_t)(pointer))

/* What all formats have, checked; *out is new. */
static cusparseStatus_t create(cusparseSpMatDescr_t *out, const struct cusparseSpMatDescr *given)
{
    struct sparse_element element;
    CUSPARSE_REFUSE_IF(!out || given->rows < 0 || given->cols < 0 || given->nnz < 0);
    CUSPARSE_REFUSE_IF(given->offsets_type < CUSPARSE_INDEX_16U || given->offsets_type > CUSPARSE_INDEX_64I);
    CUSPARSE_REFUSE_IF(given->indices_type < CUSPARSE_INDEX_16U || given->indices_type > CUSPARSE_INDEX_64I);
    CUSPARSE_REFUSE_IF(given->base != CUSPARSE_INDEX_BASE_ZERO && given->base != CUSPARSE_INDEX_BASE_ONE);
    CUSPARSE_REFUSE_IF(!cusparse_element(given->type, &element));
    if (given->offsets_type != given->indices_type) return CUSPARSE_STATUS_NOT_SUPPORTED;
    struct cusparseSpMatDescr *descr = sw_xmemdup(given, sizeof *given);
    if (descr->block == 0) descr->block = 1;
    descr->batch = 1;
    cusparse_descr_add(CUSPARSE_KIND_SPMAT, descr);
    *out = descr;
    return CUSPARSE_STATUS_SUCCESS;
}

static bool is_more(int64_t nnz, int64_t rows, int64_t cols)
{
    return rows >= 0 && cols >= 0 && nnz > 0 && (uint64_t)nnz > sw_product((uint64_t)rows, (uint64_t)cols);
}

/* ---- CSR, CSC, COO */

#define COMPRESSED(Name, FORMAT, Csr)                                                                        \
    CUSPARSE cusparseCreate##Name(cusparseSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t nnz,        \
                                  void *offsets, void *indices, void *values,                                \
                                  cusparseIndexType_t offsets_type, cusparseIndexType_t indices_type,        \
                                  cusparseIndexBase_t base, cudaDataType type)                               \
    {                                                                                                        \
        struct cusparseSpMatDescr descr = {.format = FORMAT,                                                 \
                                           .rows = rows,                                                     \
                                           .cols = cols,                                                     \
                                           .nnz = nnz,                                                       \
                                           .offsets = offsets,                                               \
                                           .indices = indices,                                               \
                                           .values = values,                                                 \
                                           .offsets_type = offsets_type,                                     \
                                           .indices_type = indices_type,                                     \
                                           .base = base,                                                     \
                                           .type = type};                                                    \
        CUSPARSE_REFUSE_IF(is_more(nnz, rows, cols));                                                        \
        return create(out, &descr);                                                                          \
    }                                                                                                        \
    CUSPARSE cusparseCreateConst##Name(                                                                      \
        cusparseConstSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t nnz, const void *offsets,        \
        const void *indices, const void *values, cusparseIndexType_t offsets_type,                           \
        cusparseIndexType_t indices_type, cusparseIndexBase_t base, cudaDataType type)                       \
    {                                                                                                        \
        return cusparseCreate##Name((cusparseSpMatDescr_t *)MUTABLE(out), rows, cols, nnz, MUTABLE(offsets), \
                                    MUTABLE(indices), MUTABLE(values), offsets_type, indices_type, base,     \
                                    type);                                                                   \
    }                                                                                                        \
    CUSPARSE cusparseConst##Name##Get(                                                                       \
        cusparseConstSpMatDescr_t d, int64_t *rows, int64_t *cols, int64_t *nnz, const void **offsets,       \
        const void **indices, const void **values, cusparseIndexType_t *offsets_type,                        \
        cusparseIndexType_t *indices_type, cusparseIndexBase_t *base, cudaDataType *type)                    \
    {                                                                                                        \
        CUSPARSE_REFUSE_IF(CUSPARSE_GONE(d) || d->format != (FORMAT) || !rows || !cols || !nnz ||            \
                           !offsets || !indices);                                                            \
        CUSPARSE_REFUSE_IF(!values || !offsets_type || !indices_type || !base || !type);                     \
        *rows = d->rows, *cols = d->cols, *nnz = d->nnz;                                                     \
        *offsets = d->offsets, *indices = d->indices, *values = d->values;                                   \
        *offsets_type = d->offsets_type, *indices_type = d->indices_type, *base = d->base, *type = d->type;  \
        return CUSPARSE_STATUS_SUCCESS;                                                                      \
    }                                                                                                        \
    CUSPARSE cusparse##Name##Get(cusparseSpMatDescr_t d, int64_t *rows, int64_t *cols, int64_t *nnz,         \
                                 void **offsets, void **indices, void **values,                              \
                                 cusparseIndexType_t *offsets_type, cusparseIndexType_t *indices_type,       \
                                 cusparseIndexBase_t *base, cudaDataType *type)                              \
    {                                                                                                        \
        return cusparseConst##Name##Get(d, rows, cols, nnz, (const void **)MUTABLE(offsets),                 \
                                        (const void **)MUTABLE(indices), (const void **)MUTABLE(values),     \
                                        offsets_type, indices_type, base, type);                             \
    }                                                                                                        \
    CUSPARSE cusparse##Name##SetPointers(cusparseSpMatDescr_t d, void *offsets, void *indices, void *values) \
    {                                                                                                        \
        CUSPARSE_REFUSE_IF(CUSPARSE_GONE(d) || d->format != (FORMAT));                                       \
        d->offsets = offsets, d->indices = indices, d->values = values;                                      \
        return CUSPARSE_STATUS_SUCCESS;                                                                      \
    }
COMPRESSED(Csr, CUSPARSE_FORMAT_CSR, csr)
COMPRESSED(Csc, CUSPARSE_FORMAT_CSC, csc)

CUSPARSE cusparseCreateCoo(cusparseSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t nnz, void *row_list,
                           void *columns, void *values, cusparseIndexType_t index_type,
                           cusparseIndexBase_t base, cudaDataType type)
{
    struct cusparseSpMatDescr descr = {.format = CUSPARSE_FORMAT_COO,
                                       .rows = rows,
                                       .cols = cols,
                                       .nnz = nnz,
                                       .offsets = row_list,
                                       .indices = columns,
                                       .values = values,
                                       .offsets_type = index_type,
                                       .indices_type = index_type,
                                       .base = base,
                                       .type = type};
    CUSPARSE_REFUSE_IF(is_more(nnz, rows, cols));
    return create(out, &descr);
}

CUSPARSE cusparseCreateConstCoo(cusparseConstSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t nnz,
                                const void *row_list, const void *columns, const void *values,
                                cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type)
{
    return cusparseCreateCoo((cusparseSpMatDescr_t *)MUTABLE(out), rows, cols, nnz, MUTABLE(row_list),
                             MUTABLE(columns), MUTABLE(values), index_type, base, type);
}

CUSPARSE cusparseConstCooGet(cusparseConstSpMatDescr_t d, int64_t *rows, int64_t *cols, int64_t *nnz,
                             const void **row_list, const void **columns, const void **values,
                             cusparseIndexType_t *index_type, cusparseIndexBase_t *base, cudaDataType *type)
{
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(d) || d->format != CUSPARSE_FORMAT_COO || !rows || !cols || !nnz ||
                       !row_list);
    CUSPARSE_REFUSE_IF(!columns || !values || !index_type || !base || !type);
    *rows = d->rows, *cols = d->cols, *nnz = d->nnz;
    *row_list = d->offsets, *columns = d->indices, *values = d->values;
    *index_type = d->indices_type, *base = d->base, *type = d->type;
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseCooGet(cusparseSpMatDescr_t d, int64_t *rows, int64_t *cols, int64_t *nnz, void **row_list,
                        void **columns, void **values, cusparseIndexType_t *index_type,
                        cusparseIndexBase_t *base, cudaDataType *type)
{
    return cusparseConstCooGet(d, rows, cols, nnz, (const void **)MUTABLE(row_list),
                               (const void **)MUTABLE(columns), (const void **)MUTABLE(values), index_type,
                               base, type);
}

CUSPARSE cusparseCooSetPointers(cusparseSpMatDescr_t d, void *row_list, void *columns, void *values)
{
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(d) || d->format != CUSPARSE_FORMAT_COO);
    d->offsets = row_list, d->indices = columns, d->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}

/* ---- blocks and slices */

CUSPARSE cusparseCreateBsr(cusparseSpMatDescr_t *out, int64_t brows, int64_t bcols, int64_t bnnz,
                           int64_t block_rows, int64_t block_cols, void *offsets, void *indices, void *values,
                           cusparseIndexType_t offsets_type, cusparseIndexType_t indices_type,
                           cusparseIndexBase_t base, cudaDataType type, cusparseOrder_t order)
{
    struct cusparseSpMatDescr descr = {.format = CUSPARSE_FORMAT_BSR,
                                       .rows = brows * block_rows,
                                       .cols = bcols * block_cols,
                                       .nnz = bnnz,
                                       .block = block_rows,
                                       .offsets = offsets,
                                       .indices = indices,
                                       .values = values,
                                       .offsets_type = offsets_type,
                                       .indices_type = indices_type,
                                       .base = base,
                                       .type = type,
                                       .order = order};
    CUSPARSE_REFUSE_IF(block_rows <= 0 || block_rows != block_cols || is_more(bnnz, brows, bcols));
    CUSPARSE_REFUSE_IF(order != CUSPARSE_ORDER_COL && order != CUSPARSE_ORDER_ROW);
    return create(out, &descr);
}

CUSPARSE cusparseCreateConstBsr(cusparseConstSpMatDescr_t *out, int64_t brows, int64_t bcols, int64_t bnnz,
                                int64_t block_rows, int64_t block_cols, const void *offsets,
                                const void *indices, const void *values, cusparseIndexType_t offsets_type,
                                cusparseIndexType_t indices_type, cusparseIndexBase_t base, cudaDataType type,
                                cusparseOrder_t order)
{
    return cusparseCreateBsr((cusparseSpMatDescr_t *)MUTABLE(out), brows, bcols, bnnz, block_rows, block_cols,
                             MUTABLE(offsets), MUTABLE(indices), MUTABLE(values), offsets_type, indices_type,
                             base, type, order);
}

CUSPARSE cusparseCreateBlockedEll(cusparseSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t block,
                                  int64_t ell_cols, void *indices, void *values,
                                  cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type)
{
    CUSPARSE_REFUSE_IF(rows < 0 || cols < 0 || ell_cols < 0 || ell_cols > cols || block < 0);
    CUSPARSE_REFUSE_IF(block == 0 ? ell_cols > 0 : rows % block || cols % block || ell_cols % block);
    struct cusparseSpMatDescr descr = {.format = CUSPARSE_FORMAT_BLOCKED_ELL,
                                       .rows = rows,
                                       .cols = cols,
                                       .nnz = rows * ell_cols,
                                       .block = block,
                                       .ell_cols = ell_cols,
                                       .indices = indices,
                                       .values = values,
                                       .offsets_type = index_type,
                                       .indices_type = index_type,
                                       .base = base,
                                       .type = type};
    return create(out, &descr);
}

CUSPARSE cusparseCreateConstBlockedEll(cusparseConstSpMatDescr_t *out, int64_t rows, int64_t cols,
                                       int64_t block, int64_t ell_cols, const void *indices,
                                       const void *values, cusparseIndexType_t index_type,
                                       cusparseIndexBase_t base, cudaDataType type)
{
    return cusparseCreateBlockedEll((cusparseSpMatDescr_t *)MUTABLE(out), rows, cols, block, ell_cols,
                                    MUTABLE(indices), MUTABLE(values), index_type, base, type);
}

CUSPARSE cusparseConstBlockedEllGet(cusparseConstSpMatDescr_t d, int64_t *rows, int64_t *cols, int64_t *block,
                                    int64_t *ell_cols, const void **indices, const void **values,
                                    cusparseIndexType_t *index_type, cusparseIndexBase_t *base,
                                    cudaDataType *type)
{
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(d) || d->format != CUSPARSE_FORMAT_BLOCKED_ELL || !rows || !cols ||
                       !block || !ell_cols);
    CUSPARSE_REFUSE_IF(!indices || !values || !index_type || !base || !type);
    *rows = d->rows, *cols = d->cols, *block = d->block, *ell_cols = d->ell_cols;
    *indices = d->indices, *values = d->values;
    *index_type = d->indices_type, *base = d->base, *type = d->type;
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseBlockedEllGet(cusparseSpMatDescr_t d, int64_t *rows, int64_t *cols, int64_t *block,
                               int64_t *ell_cols, void **indices, void **values,
                               cusparseIndexType_t *index_type, cusparseIndexBase_t *base, cudaDataType *type)
{
    return cusparseConstBlockedEllGet(d, rows, cols, block, ell_cols, (const void **)MUTABLE(indices),
                                      (const void **)MUTABLE(values), index_type, base, type);
}

CUSPARSE cusparseCreateSlicedEll(cusparseSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t nnz,
                                 int64_t padded, int64_t slice, void *offsets, void *indices, void *values,
                                 cusparseIndexType_t offsets_type, cusparseIndexType_t indices_type,
                                 cusparseIndexBase_t base, cudaDataType type)
{
    struct cusparseSpMatDescr descr = {.format = CUSPARSE_FORMAT_SLICED_ELLPACK,
                                       .rows = rows,
                                       .cols = cols,
                                       .nnz = padded,
                                       .stored = nnz,
                                       .block = slice,
                                       .offsets = offsets,
                                       .indices = indices,
                                       .values = values,
                                       .offsets_type = offsets_type,
                                       .indices_type = indices_type,
                                       .base = base,
                                       .type = type};
    CUSPARSE_REFUSE_IF(nnz < 0 || padded < nnz || slice < 0 || is_more(nnz, rows, cols));
    return create(out, &descr);
}

CUSPARSE cusparseCreateConstSlicedEll(cusparseConstSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t nnz,
                                      int64_t padded, int64_t slice, const void *offsets, const void *indices,
                                      const void *values, cusparseIndexType_t offsets_type,
                                      cusparseIndexType_t indices_type, cusparseIndexBase_t base,
                                      cudaDataType type)
{
    return cusparseCreateSlicedEll((cusparseSpMatDescr_t *)MUTABLE(out), rows, cols, nnz, padded, slice,
                                   MUTABLE(offsets), MUTABLE(indices), MUTABLE(values), offsets_type,
                                   indices_type, base, type);
}

/* ---- what all have */

CUSPARSE cusparseDestroySpMat(cusparseConstSpMatDescr_t descr)
{
    return cusparse_descr_free(CUSPARSE_KIND_SPMAT, descr);
}

CUSPARSE cusparseSpMatGetFormat(cusparseConstSpMatDescr_t descr, cusparseFormat_t *format)
{
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(descr) || !format);
    *format = descr->format;
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t descr, cusparseIndexBase_t *base)
{
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(descr) || !base);
    *base = descr->base;
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseSpMatGetSize(cusparseConstSpMatDescr_t descr, int64_t *rows, int64_t *cols, int64_t *nnz)
{
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(descr) || !rows || !cols || !nnz);
    *rows = descr->rows;
    *cols = descr->cols;
    *nnz = descr->format == CUSPARSE_FORMAT_SLICED_ELLPACK ? descr->stored : descr->nnz;
    if (descr->format == CUSPARSE_FORMAT_BLOCKED_ELL) *nnz *= descr->block; /* recorded on an H200 */
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t descr, int *batch)
{
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(descr) || !batch);
    *batch = descr->batch;
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseCooSetStridedBatch(cusparseSpMatDescr_t descr, int batch, int64_t stride)
{
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(descr) || descr->format != CUSPARSE_FORMAT_COO || batch <= 0);
    CUSPARSE_REFUSE_IF(stride != 0 && stride < descr->nnz);
    descr->batch = batch;
    descr->offsets_stride = descr->indices_stride = descr->values_stride = stride;
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseCsrSetStridedBatch(cusparseSpMatDescr_t descr, int batch, int64_t offsets, int64_t elements)
{
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(descr) || batch <= 0);
    CUSPARSE_REFUSE_IF(descr->format != CUSPARSE_FORMAT_CSR && descr->format != CUSPARSE_FORMAT_CSC);
    int64_t count = (descr->format == CUSPARSE_FORMAT_CSR ? descr->rows : descr->cols) + 1;
    CUSPARSE_REFUSE_IF((offsets != 0 && offsets < count) || (elements != 0 && elements < descr->nnz));
    descr->batch = batch;
    descr->offsets_stride = offsets;
    descr->indices_stride = descr->values_stride = elements;
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseBsrSetStridedBatch(cusparseSpMatDescr_t descr, int batch, int64_t offsets, int64_t columns,
                                    int64_t values)
{
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(descr) || descr->format != CUSPARSE_FORMAT_BSR || batch <= 0);
    CUSPARSE_REFUSE_IF(offsets != 0 && offsets < descr->rows / descr->block + 1);
    CUSPARSE_REFUSE_IF(columns != 0 && columns < descr->nnz);
    CUSPARSE_REFUSE_IF(values != 0 && values < descr->nnz * descr->block * descr->block);
    descr->batch = batch;
    descr->offsets_stride = offsets;
    descr->indices_stride = columns;
    descr->values_stride = values;
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t descr, cusparseSpMatAttribute_t attribute,
                                   void *data, size_t bytes)
{
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(descr) || !data || bytes != sizeof(int));
    CUSPARSE_REFUSE_IF(attribute != CUSPARSE_SPMAT_FILL_MODE && attribute != CUSPARSE_SPMAT_DIAG_TYPE);
    int value = attribute == CUSPARSE_SPMAT_FILL_MODE ? (int)descr->fill : (int)descr->diag;
    memcpy(data, &value, sizeof value);
    return CUSPARSE_STATUS_SUCCESS;
}

/* Any number is taken (recorded on an H200). */
CUSPARSE cusparseSpMatSetAttribute(cusparseSpMatDescr_t descr, cusparseSpMatAttribute_t attribute, void *data,
                                   size_t bytes)
{
    int value;
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(descr) || !data || bytes != sizeof value);
    CUSPARSE_REFUSE_IF(attribute != CUSPARSE_SPMAT_FILL_MODE && attribute != CUSPARSE_SPMAT_DIAG_TYPE);
    memcpy(&value, data, sizeof value);
    if (attribute == CUSPARSE_SPMAT_FILL_MODE)
        descr->fill = (cusparseFillMode_t)value;
    else
        descr->diag = (cusparseDiagType_t)value;
    return CUSPARSE_STATUS_SUCCESS;
}
