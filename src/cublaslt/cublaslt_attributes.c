/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: descriptors: what they are made with, and their members by number. Method: tables of attributes,
 * each a place in a structure of ours that stands in the caller's opaque one. Limits: preferences and
 * parameters of emulation are kept and not used. */
#include "cublaslt_priv.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const struct lt_attribute *find(const struct lt_attribute *list, size_t count, unsigned id)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].id == id) return &list[i];
    return NULL;
}

cublasStatus_t lt_set(void *object, const struct lt_attribute *list, size_t count, unsigned id,
                      const void *from, size_t bytes)
{
    const struct lt_attribute *attribute = find(list, count, id);
    if (!object || !from || !attribute || bytes != attribute->bytes) return CUBLAS_STATUS_INVALID_VALUE;
    memcpy((char *)object + attribute->at, from, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t lt_get(const void *object, const struct lt_attribute *list, size_t count, unsigned id,
                      void *to, size_t bytes, size_t *written)
{
    const struct lt_attribute *attribute = find(list, count, id);
    if (!object || !attribute || (bytes ? !to || bytes != attribute->bytes : !written))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (written) *written = attribute->bytes;
    if (bytes) memcpy(to, (const char *)object + attribute->at, attribute->bytes);
    return CUBLAS_STATUS_SUCCESS;
}

/* The functions of a descriptor but those that make it. */
#define ACCESS(noun, list)                                                                                   \
    CUBLASLT cublasLt##noun##Destroy(cublasLt##noun##_t object)                                              \
    {                                                                                                        \
        free(object);                                                                                        \
        return CUBLAS_STATUS_SUCCESS;                                                                        \
    }                                                                                                        \
    CUBLASLT cublasLt##noun##SetAttribute(cublasLt##noun##_t object, ATTRIBUTES_##noun id, const void *from, \
                                          size_t bytes)                                                      \
    {                                                                                                        \
        return lt_set(object, list, SW_COUNT_OF(list), id, from, bytes);                                     \
    }                                                                                                        \
    CUBLASLT cublasLt##noun##GetAttribute(cublasLt##noun##_t object, ATTRIBUTES_##noun id, void *to,         \
                                          size_t bytes, size_t *written)                                     \
    {                                                                                                        \
        return lt_get(object, list, SW_COUNT_OF(list), id, to, bytes, written);                              \
    }
#define ATTRIBUTES_MatrixLayout        cublasLtMatrixLayoutAttribute_t
#define ATTRIBUTES_MatmulDesc          cublasLtMatmulDescAttributes_t
#define ATTRIBUTES_MatmulPreference    cublasLtMatmulPreferenceAttributes_t
#define ATTRIBUTES_MatrixTransformDesc cublasLtMatrixTransformDescAttributes_t
#define ATTRIBUTES_EmulationDesc       cublasLtEmulationDescAttributes_t

/* Ours, into the caller's structure of so many bytes. */
static cublasStatus_t place(void *to, size_t bytes, size_t needed, const void *from, size_t count)
{
    if (!to) return CUBLAS_STATUS_INVALID_VALUE;
    if (bytes < needed) return CUBLAS_STATUS_ALLOC_FAILED; /* documented */
    memset(to, 0, needed);
    memcpy(to, from, count);
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- layouts */

#define LAYOUT(id, member) LT_ATTRIBUTE(struct lt_layout, CUBLASLT_MATRIX_LAYOUT_##id, member)
static const struct lt_attribute LAYOUTS[] = {LAYOUT(TYPE, type),
                                              LAYOUT(ORDER, order),
                                              LAYOUT(ROWS, rows),
                                              LAYOUT(COLS, cols),
                                              LAYOUT(LD, ld),
                                              LAYOUT(BATCH_COUNT, batch),
                                              LAYOUT(STRIDED_BATCH_OFFSET, stride),
                                              LAYOUT(PLANE_OFFSET, plane),
                                              LAYOUT(BATCH_MODE, batch_mode)};
ACCESS(MatrixLayout, LAYOUTS)

CUBLASLT cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout, size_t size, cudaDataType type,
                                           uint64_t rows, uint64_t cols, int64_t ld)
{
    struct lt_layout own = {.type = type, .rows = rows, .cols = cols, .ld = ld, .batch = 1};
    return place(layout, size, sizeof *layout, &own, sizeof own);
}

CUBLASLT cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *out, cudaDataType type, uint64_t rows,
                                    uint64_t cols, int64_t ld)
{
    if (!out) return CUBLAS_STATUS_INVALID_VALUE;
    *out = sw_xmalloc(sizeof **out);
    return cublasLtMatrixLayoutInit_internal(*out, sizeof **out, type, rows, cols, ld);
}

/* ---- products */

#define DESC(id, member) LT_ATTRIBUTE(struct lt_desc, CUBLASLT_MATMUL_DESC_##id, member)
static const struct lt_attribute DESCS[] = {DESC(COMPUTE_TYPE, compute),
                                            DESC(SCALE_TYPE, scale_type),
                                            DESC(POINTER_MODE, pointer_mode),
                                            DESC(TRANSA, trans_a),
                                            DESC(TRANSB, trans_b),
                                            DESC(TRANSC, trans_c),
                                            DESC(FILL_MODE, fill),
                                            DESC(EPILOGUE, epilogue),
                                            DESC(BIAS_POINTER, bias),
                                            DESC(BIAS_BATCH_STRIDE, bias_stride),
                                            DESC(EPILOGUE_AUX_POINTER, aux),
                                            DESC(EPILOGUE_AUX_LD, aux_ld),
                                            DESC(EPILOGUE_AUX_BATCH_STRIDE, aux_stride),
                                            DESC(ALPHA_VECTOR_BATCH_STRIDE, alpha_stride),
                                            DESC(SM_COUNT_TARGET, sm_target),
                                            DESC(A_SCALE_POINTER, a_scale),
                                            DESC(B_SCALE_POINTER, b_scale),
                                            DESC(C_SCALE_POINTER, c_scale),
                                            DESC(D_SCALE_POINTER, d_scale),
                                            DESC(AMAX_D_POINTER, amax),
                                            DESC(EPILOGUE_AUX_DATA_TYPE, aux_type),
                                            DESC(EPILOGUE_AUX_SCALE_POINTER, aux_scale),
                                            DESC(EPILOGUE_AUX_AMAX_POINTER, aux_amax),
                                            DESC(FAST_ACCUM, fast),
                                            DESC(BIAS_DATA_TYPE, bias_type),
                                            DESC(A_SCALE_MODE, a_mode),
                                            DESC(B_SCALE_MODE, b_mode),
                                            DESC(C_SCALE_MODE, c_mode),
                                            DESC(D_SCALE_MODE, d_mode),
                                            DESC(EPILOGUE_AUX_SCALE_MODE, aux_mode),
                                            DESC(D_OUT_SCALE_POINTER, d_out_scale),
                                            DESC(D_OUT_SCALE_MODE, d_out_mode),
                                            DESC(EMULATION_DESCRIPTOR, emulation)};
ACCESS(MatmulDesc, DESCS)

CUBLASLT cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t desc, size_t size, cublasComputeType_t compute,
                                         cudaDataType_t scale)
{
    struct lt_desc own = {.compute = (int32_t)compute,
                          .scale_type = (int32_t)scale,
                          .fill = CUBLAS_FILL_MODE_FULL,
                          .epilogue = CUBLASLT_EPILOGUE_DEFAULT,
                          .bias_type = -1,
                          .aux_type = -1};
    return place(desc, size, sizeof *desc, &own, sizeof own);
}

CUBLASLT cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *out, cublasComputeType_t compute,
                                  cudaDataType_t scale)
{
    if (!out) return CUBLAS_STATUS_INVALID_VALUE;
    *out = sw_xmalloc(sizeof **out);
    return cublasLtMatmulDescInit_internal(*out, sizeof **out, compute, scale);
}

/* ---- preferences */

#define PREFERENCE(id, member) LT_ATTRIBUTE(struct lt_preference, CUBLASLT_MATMUL_PREF_##id, member)
static const struct lt_attribute PREFERENCES[] = {PREFERENCE(SEARCH_MODE, search),
                                                  PREFERENCE(MAX_WORKSPACE_BYTES, workspace),
                                                  PREFERENCE(REDUCTION_SCHEME_MASK, reduction),
                                                  PREFERENCE(MIN_ALIGNMENT_A_BYTES, a),
                                                  PREFERENCE(MIN_ALIGNMENT_B_BYTES, b),
                                                  PREFERENCE(MIN_ALIGNMENT_C_BYTES, c),
                                                  PREFERENCE(MIN_ALIGNMENT_D_BYTES, d),
                                                  PREFERENCE(MAX_WAVES_COUNT, waves),
                                                  PREFERENCE(IMPL_MASK, implementations)};
ACCESS(MatmulPreference, PREFERENCES)

CUBLASLT cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t preference, size_t size)
{
    enum { ALIGNMENT = 256 }; /* documented, as are the masks that allow everything */
    struct lt_preference own = {.reduction = CUBLASLT_REDUCTION_SCHEME_MASK,
                                .a = ALIGNMENT,
                                .b = ALIGNMENT,
                                .c = ALIGNMENT,
                                .d = ALIGNMENT,
                                .implementations = UINT64_MAX};
    return place(preference, size, sizeof *preference, &own, sizeof own);
}

CUBLASLT cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *out)
{
    if (!out) return CUBLAS_STATUS_INVALID_VALUE;
    *out = sw_xmalloc(sizeof **out);
    return cublasLtMatmulPreferenceInit_internal(*out, sizeof **out);
}

/* ---- transforms */

#define TRANSFORM(id, member) LT_ATTRIBUTE(struct lt_transform, CUBLASLT_MATRIX_TRANSFORM_DESC_##id, member)
static const struct lt_attribute TRANSFORMS[] = {TRANSFORM(SCALE_TYPE, scale_type),
                                                 TRANSFORM(POINTER_MODE, pointer_mode),
                                                 TRANSFORM(TRANSA, trans_a), TRANSFORM(TRANSB, trans_b)};
ACCESS(MatrixTransformDesc, TRANSFORMS)

CUBLASLT cublasLtMatrixTransformDescInit_internal(cublasLtMatrixTransformDesc_t desc, size_t size,
                                                  cudaDataType scale)
{
    struct lt_transform own = {.scale_type = (int32_t)scale};
    return place(desc, size, sizeof *desc, &own, sizeof own);
}

CUBLASLT cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t *out, cudaDataType scale)
{
    if (!out) return CUBLAS_STATUS_INVALID_VALUE;
    *out = sw_xmalloc(sizeof **out);
    return cublasLtMatrixTransformDescInit_internal(*out, sizeof **out, scale);
}

/* ---- emulation */

struct emulation { /* in a cublasLtEmulationDescOpaque_t */
    int32_t strategy, special, control, most, offset;
    int32_t *count;
};
_Static_assert(sizeof(struct emulation) <= sizeof(cublasLtEmulationDescOpaque_t), "it must fit");
#define EMULATION(id, member) LT_ATTRIBUTE(struct emulation, CUBLASLT_EMULATION_DESC_##id, member)
static const struct lt_attribute EMULATIONS[] = {EMULATION(STRATEGY, strategy),
                                                 EMULATION(SPECIAL_VALUES_SUPPORT, special),
                                                 EMULATION(FIXEDPOINT_MANTISSA_CONTROL, control),
                                                 EMULATION(FIXEDPOINT_MAX_MANTISSA_BIT_COUNT, most),
                                                 EMULATION(FIXEDPOINT_MANTISSA_BIT_OFFSET, offset),
                                                 EMULATION(FIXEDPOINT_MANTISSA_BIT_COUNT_POINTER, count)};
ACCESS(EmulationDesc, EMULATIONS)

CUBLASLT cublasLtEmulationDescInit_internal(cublasLtEmulationDesc_t desc, size_t size)
{
    struct emulation own = {.special = 0xffff}; /* documented */
    return place(desc, size, sizeof *desc, &own, sizeof own);
}

CUBLASLT cublasLtEmulationDescCreate(cublasLtEmulationDesc_t *out)
{
    if (!out) return CUBLAS_STATUS_INVALID_VALUE;
    *out = sw_xmalloc(sizeof **out);
    return cublasLtEmulationDescInit_internal(*out, sizeof **out);
}
