/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: descriptors of vectors and of dense matrices. Method: plain records; calls copy what they need.
 * Limits: element types of 8 bits but signed integers are not valid. */
#include "cusparse_priv.h"

#include <stdlib.h>

static bool is_type(cudaDataType type)
{
    struct sparse_element element;
    return cusparse_element(type, &element);
}

static bool is_index(cusparseIndexType_t type, cusparseIndexBase_t base)
{
    return type >= CUSPARSE_INDEX_16U && type <= CUSPARSE_INDEX_64I &&
           (base == CUSPARSE_INDEX_BASE_ZERO || base == CUSPARSE_INDEX_BASE_ONE);
}

#define MUTABLE(pointer) ((void *)(uintptr_t)(pointer))
/* out := in, where the caller wants it */
#define GIVE(out, in)                                                                                        \
    do {                                                                                                     \
        CUSPARSE_REFUSE_IF(!(out));                                                                          \
        *(out) = (in);                                                                                       \
    } while (0)

/* ---- sparse vectors */

CUSPARSE cusparseCreateSpVec(cusparseSpVecDescr_t *out, int64_t size, int64_t nnz, void *indices,
                             void *values, cusparseIndexType_t index_type, cusparseIndexBase_t base,
                             cudaDataType type)
{
    CUSPARSE_REFUSE_IF(!out || size < 0 || nnz < 0 || nnz > size);
    CUSPARSE_REFUSE_IF(!is_index(index_type, base) || !is_type(type));
    struct cusparseSpVecDescr *descr = sw_xcalloc(1, sizeof *descr);
    cusparse_descr_add(CUSPARSE_KIND_SPVEC, descr);
    *descr = (struct cusparseSpVecDescr){size, nnz, indices, values, index_type, base, type};
    *out = descr;
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseCreateConstSpVec(cusparseConstSpVecDescr_t *out, int64_t size, int64_t nnz,
                                  const void *indices, const void *values, cusparseIndexType_t index_type,
                                  cusparseIndexBase_t base, cudaDataType type)
{
    return cusparseCreateSpVec((cusparseSpVecDescr_t *)MUTABLE(out), size, nnz, MUTABLE(indices),
                               MUTABLE(values), index_type, base, type);
}

CUSPARSE cusparseDestroySpVec(cusparseConstSpVecDescr_t descr)
{
    return cusparse_descr_free(CUSPARSE_KIND_SPVEC, descr);
}

CUSPARSE cusparseConstSpVecGet(cusparseConstSpVecDescr_t descr, int64_t *size, int64_t *nnz,
                               const void **indices, const void **values, cusparseIndexType_t *index_type,
                               cusparseIndexBase_t *base, cudaDataType *type)
{
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(descr));
    GIVE(size, descr->size);
    GIVE(nnz, descr->nnz);
    GIVE(indices, descr->indices);
    GIVE(values, descr->values);
    GIVE(index_type, descr->index_type);
    GIVE(base, descr->base);
    GIVE(type, descr->type);
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseSpVecGet(cusparseSpVecDescr_t descr, int64_t *size, int64_t *nnz, void **indices,
                          void **values, cusparseIndexType_t *index_type, cusparseIndexBase_t *base,
                          cudaDataType *type)
{
    return cusparseConstSpVecGet(descr, size, nnz, (const void **)MUTABLE(indices),
                                 (const void **)MUTABLE(values), index_type, base, type);
}

CUSPARSE cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t descr, cusparseIndexBase_t *base)
{
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(descr));
    GIVE(base, descr->base);
    return CUSPARSE_STATUS_SUCCESS;
}

/* Values of each kind of object. */
#define VALUES(Name)                                                                                         \
    CUSPARSE cusparse##Name##GetValues(cusparse##Name##Descr_t descr, void **values)                         \
    {                                                                                                        \
        CUSPARSE_REFUSE_IF(CUSPARSE_GONE(descr));                                                            \
        GIVE(values, descr->values);                                                                         \
        return CUSPARSE_STATUS_SUCCESS;                                                                      \
    }                                                                                                        \
    CUSPARSE cusparseConst##Name##GetValues(cusparseConst##Name##Descr_t descr, const void **values)         \
    {                                                                                                        \
        CUSPARSE_REFUSE_IF(CUSPARSE_GONE(descr));                                                            \
        GIVE(values, descr->values);                                                                         \
        return CUSPARSE_STATUS_SUCCESS;                                                                      \
    }                                                                                                        \
    CUSPARSE cusparse##Name##SetValues(cusparse##Name##Descr_t descr, void *values)                          \
    {                                                                                                        \
        CUSPARSE_REFUSE_IF(CUSPARSE_GONE(descr));                                                            \
        descr->values = values;                                                                              \
        return CUSPARSE_STATUS_SUCCESS;                                                                      \
    }
VALUES(SpVec)
VALUES(DnVec)
VALUES(DnMat)
VALUES(SpMat)

/* ---- dense vectors */

CUSPARSE cusparseCreateDnVec(cusparseDnVecDescr_t *out, int64_t size, void *values, cudaDataType type)
{
    CUSPARSE_REFUSE_IF(!out || size < 0 || !is_type(type));
    struct cusparseDnVecDescr *descr = sw_xcalloc(1, sizeof *descr);
    cusparse_descr_add(CUSPARSE_KIND_DNVEC, descr);
    *descr = (struct cusparseDnVecDescr){size, values, type};
    *out = descr;
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *out, int64_t size, const void *values,
                                  cudaDataType type)
{
    return cusparseCreateDnVec((cusparseDnVecDescr_t *)MUTABLE(out), size, MUTABLE(values), type);
}

CUSPARSE cusparseDestroyDnVec(cusparseConstDnVecDescr_t descr)
{
    return cusparse_descr_free(CUSPARSE_KIND_DNVEC, descr);
}

CUSPARSE cusparseConstDnVecGet(cusparseConstDnVecDescr_t descr, int64_t *size, const void **values,
                               cudaDataType *type)
{
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(descr));
    GIVE(size, descr->size);
    GIVE(values, descr->values);
    GIVE(type, descr->type);
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseDnVecGet(cusparseDnVecDescr_t descr, int64_t *size, void **values, cudaDataType *type)
{
    return cusparseConstDnVecGet(descr, size, (const void **)MUTABLE(values), type);
}

/* ---- dense matrices */

CUSPARSE cusparseCreateDnMat(cusparseDnMatDescr_t *out, int64_t rows, int64_t cols, int64_t ld, void *values,
                             cudaDataType type, cusparseOrder_t order)
{
    CUSPARSE_REFUSE_IF(!out || rows < 0 || cols < 0 || !is_type(type));
    CUSPARSE_REFUSE_IF(order != CUSPARSE_ORDER_COL && order != CUSPARSE_ORDER_ROW);
    CUSPARSE_REFUSE_IF(ld < (order == CUSPARSE_ORDER_COL ? rows : cols));
    struct cusparseDnMatDescr *descr = sw_xcalloc(1, sizeof *descr);
    cusparse_descr_add(CUSPARSE_KIND_DNMAT, descr);
    *descr = (struct cusparseDnMatDescr){
        .rows = rows, .cols = cols, .ld = ld, .values = values, .type = type, .order = order, .batch = 1};
    *out = descr;
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *out, int64_t rows, int64_t cols, int64_t ld,
                                  const void *values, cudaDataType type, cusparseOrder_t order)
{
    return cusparseCreateDnMat((cusparseDnMatDescr_t *)MUTABLE(out), rows, cols, ld, MUTABLE(values), type,
                               order);
}

CUSPARSE cusparseDestroyDnMat(cusparseConstDnMatDescr_t descr)
{
    return cusparse_descr_free(CUSPARSE_KIND_DNMAT, descr);
}

CUSPARSE cusparseConstDnMatGet(cusparseConstDnMatDescr_t descr, int64_t *rows, int64_t *cols, int64_t *ld,
                               const void **values, cudaDataType *type, cusparseOrder_t *order)
{
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(descr));
    GIVE(rows, descr->rows);
    GIVE(cols, descr->cols);
    GIVE(ld, descr->ld);
    GIVE(values, descr->values);
    GIVE(type, descr->type);
    GIVE(order, descr->order);
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseDnMatGet(cusparseDnMatDescr_t descr, int64_t *rows, int64_t *cols, int64_t *ld,
                          void **values, cudaDataType *type, cusparseOrder_t *order)
{
    return cusparseConstDnMatGet(descr, rows, cols, ld, (const void **)MUTABLE(values), type, order);
}

CUSPARSE cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t descr, int batch, int64_t stride)
{
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(descr) || batch <= 0);
    int64_t lines = descr->order == CUSPARSE_ORDER_COL ? descr->cols : descr->rows;
    CUSPARSE_REFUSE_IF(stride != 0 && stride < descr->ld * lines);
    descr->batch = batch;
    descr->stride = stride;
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t descr, int *batch, int64_t *stride)
{
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(descr));
    GIVE(batch, descr->batch);
    GIVE(stride, descr->stride);
    return CUSPARSE_STATUS_SUCCESS;
}
