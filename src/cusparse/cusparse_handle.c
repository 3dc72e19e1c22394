/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: handles, types, and what later calls find of earlier ones. Method: handles and states that live
 * are kept in tables, so that one that was destroyed is found out. Limits: logging is accepted, and changes
 * nothing. */
#include "cusparse_priv.h"

#include <stdlib.h>

static struct sw_handles handles = SW_HANDLES_INIT;
static struct sw_handles states = SW_HANDLES_INIT;

cusparseStatus_t cusparse_status(CUresult result)
{
    switch ((int)result) {
    case CUDA_SUCCESS: return CUSPARSE_STATUS_SUCCESS;
    case CUDA_ERROR_NOT_INITIALIZED:
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_INVALID_CONTEXT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED: return CUSPARSE_STATUS_NOT_INITIALIZED;
    case CUDA_ERROR_OUT_OF_MEMORY: return CUSPARSE_STATUS_ALLOC_FAILED;
    case CUDA_ERROR_INVALID_VALUE: return CUSPARSE_STATUS_INVALID_VALUE;
    case CUDA_ERROR_NOT_SUPPORTED: return CUSPARSE_STATUS_NOT_SUPPORTED;
    default: return CUSPARSE_STATUS_EXECUTION_FAILED;
    }
}

cusparseStatus_t cusparse_enter_old(cusparseHandle_t handle)
{
    if (!sw_handles_has(&handles, handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
    return cusparse_status(routine_enter(handle->context));
}

cusparseStatus_t cusparse_enter(cusparseHandle_t handle)
{
    return handle ? cusparse_enter_old(handle) : CUSPARSE_STATUS_INVALID_VALUE;
}

CUSPARSE cusparseCreate(cusparseHandle_t *out)
{
    CUcontext context;
    CUSPARSE_REFUSE_IF(!out);
    CUSPARSE_TRY(cusparse_status(routine_context(&context)));
    struct cusparseContext *handle = sw_xcalloc(1, sizeof *handle);
    handle->context = context;
    sw_handles_add(&handles, handle);
    *out = handle;
    return CUSPARSE_STATUS_SUCCESS;
}

/* CUDA waits for the device, too. */
CUSPARSE cusparseDestroy(cusparseHandle_t handle)
{
    if (!handle) return CUSPARSE_STATUS_SUCCESS;
    CUSPARSE_TRY(cusparse_enter_old(handle));
    if (!sw_handles_remove(&handles, handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
    cuCtxSynchronize();
    routine_retire(handle, free);
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseGetVersion(cusparseHandle_t handle, int *version)
{
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_REFUSE_IF(!version);
    *version = CUSPARSE_VERSION;
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseGetProperty(libraryPropertyType type, int *value)
{
    static const int VERSION[] = {CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH};
    CUSPARSE_REFUSE_IF(!value || (unsigned)type >= SW_COUNT_OF(VERSION));
    *value = VERSION[type];
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream)
{
    CUSPARSE_TRY(cusparse_enter(handle));
    handle->stream = (CUstream)stream;
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream)
{
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_REFUSE_IF(!stream);
    *stream = (cudaStream_t)handle->stream;
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode)
{
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_REFUSE_IF(mode != CUSPARSE_POINTER_MODE_HOST && mode != CUSPARSE_POINTER_MODE_DEVICE);
    handle->pointer_mode = mode;
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode)
{
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_REFUSE_IF(!mode);
    *mode = handle->pointer_mode;
    return CUSPARSE_STATUS_SUCCESS;
}

/* ---- names: recorded on an H200 (tests/hw/libraries) */

#define STATUSES(X)                                                                                          \
    X(SUCCESS, "success")                                                                                    \
    X(NOT_INITIALIZED, "initialization error")                                                               \
    X(ALLOC_FAILED, "out of memory")                                                                         \
    X(INVALID_VALUE, "invalid value")                                                                        \
    X(ARCH_MISMATCH, "architecture mismatch")                                                                \
    X(MAPPING_ERROR, "texture memory mapping error")                                                         \
    X(EXECUTION_FAILED, "kernel launch failure")                                                             \
    X(INTERNAL_ERROR, "internal error")                                                                      \
    X(MATRIX_TYPE_NOT_SUPPORTED, "matrix type not supported")                                                \
    X(ZERO_PIVOT, "zero pivot")                                                                              \
    X(NOT_SUPPORTED, "operation not supported")                                                              \
    X(INSUFFICIENT_RESOURCES, "insufficient resources")

CUSPARSE_PUBLIC const char *cusparseGetErrorName(cusparseStatus_t status)
{
#define NAME(id, text)                                                                                       \
    case CUSPARSE_STATUS_##id: return "CUSPARSE_STATUS_" #id;
    switch ((int)status) {
        STATUSES(NAME)
    default: return "unrecognized error code";
    }
#undef NAME
}

CUSPARSE_PUBLIC const char *cusparseGetErrorString(cusparseStatus_t status)
{
#define TEXT(id, text)                                                                                       \
    case CUSPARSE_STATUS_##id: return text;
    switch ((int)status) {
        STATUSES(TEXT)
    default: return "unrecognized error code";
    }
#undef TEXT
}

/* ---- logging */

CUSPARSE cusparseLoggerSetCallback(cusparseLoggerCallback_t callback)
{
    (void)callback;
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseLoggerSetFile(FILE *file)
{
    (void)file;
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseLoggerOpenFile(const char *file)
{
    (void)file;
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseLoggerSetLevel(int level)
{
    enum { HIGHEST = 5 }; /* documented: levels 0 to 5 */
    CUSPARSE_REFUSE_IF(level < 0 || level > HIGHEST);
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseLoggerSetMask(int mask)
{
    (void)mask;
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseLoggerForceDisable(void)
{
    return CUSPARSE_STATUS_SUCCESS;
}

/* ---- types */

bool cusparse_element(cudaDataType type, struct sparse_element *out)
{
    static const struct {
        cudaDataType type;
        struct sparse_element element;
    } TYPES[] = {{CUDA_R_32F, {SPARSE_F32, false}}, {CUDA_R_64F, {SPARSE_F64, false}},
                 {CUDA_R_16F, {SPARSE_F16, false}}, {CUDA_R_16BF, {SPARSE_BF16, false}},
                 {CUDA_R_8I, {SPARSE_I8, false}},   {CUDA_R_32I, {SPARSE_I32, false}},
                 {CUDA_C_32F, {SPARSE_F32, true}},  {CUDA_C_64F, {SPARSE_F64, true}},
                 {CUDA_C_16F, {SPARSE_F16, true}},  {CUDA_C_16BF, {SPARSE_BF16, true}}};
    for (size_t i = 0; i < SW_COUNT_OF(TYPES); i++)
        if (TYPES[i].type == type) {
            *out = TYPES[i].element;
            return true;
        }
    return false;
}

bool cusparse_is_complex(cudaDataType type)
{
    struct sparse_element element;
    return cusparse_element(type, &element) && element.is_complex;
}

enum sparse_type cusparse_compute(cudaDataType type)
{
    bool wide = type == CUDA_R_64F || type == CUDA_C_64F || type == CUDA_R_32I;
    if (cusparse_is_complex(type)) return wide ? SPARSE_Z : SPARSE_C;
    return wide ? SPARSE_D : SPARSE_S;
}

cudaDataType cusparse_type_of(enum sparse_type type)
{
    static const cudaDataType TYPES[] = {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F};
    return TYPES[type];
}

bool cusparse_op(cusparseOperation_t given, enum sparse_op *out)
{
    *out = (enum sparse_op)given;
    return given == CUSPARSE_OPERATION_NON_TRANSPOSE || given == CUSPARSE_OPERATION_TRANSPOSE ||
           given == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}

/* ---- descriptors */

static struct sw_handles descrs[CUSPARSE_KINDS] = {SW_HANDLES_INIT, SW_HANDLES_INIT, SW_HANDLES_INIT,
                                                   SW_HANDLES_INIT, SW_HANDLES_INIT};

void cusparse_descr_add(enum cusparse_kind kind, void *descr)
{
    sw_handles_add(&descrs[kind], descr);
}

bool cusparse_descr_lives(enum cusparse_kind kind, const void *descr)
{
    if (kind == CUSPARSE_KIND_OTHER) return descr != NULL;
    if (kind == CUSPARSE_KIND_STATE) return cusparse_state_lives(descr);
    return sw_handles_has(&descrs[kind], descr);
}

cusparseStatus_t cusparse_descr_free(enum cusparse_kind kind, const void *descr)
{
    if (!descr) return CUSPARSE_STATUS_SUCCESS;
    CUSPARSE_REFUSE_IF(!sw_handles_remove(&descrs[kind], descr));
    routine_retire((void *)(uintptr_t)descr, free);
    return CUSPARSE_STATUS_SUCCESS;
}

/* ---- states */

struct cusparse_state *cusparse_state_new(void)
{
    struct cusparse_state *state = sw_xcalloc(1, sizeof *state);
    state->zero = -1;
    state->block = 1;
    sw_handles_add(&states, state);
    return state;
}

bool cusparse_state_lives(const struct cusparse_state *state)
{
    return sw_handles_has(&states, state);
}

static void state_release(void *memory)
{
    struct cusparse_state *state = memory;
    sparse_csr_release(&state->product);
    free(state->values);
    free(state->diagonal);
    free(state->order);
    free(state);
}

/* Calls that are queued may still want it: they come first. What is captured finds that it is gone. */
void cusparse_state_free(struct cusparse_state *state)
{
    if (!sw_handles_has(&states, state)) return;
    cuCtxSynchronize();
    if (sw_handles_remove(&states, state)) routine_retire(state, state_release);
}

/* Infos have no type of their own here: each is a state. */
#define INFO(Name, type)                                                                                     \
    CUSPARSE cusparseCreate##Name(type *out)                                                                 \
    {                                                                                                        \
        CUSPARSE_REFUSE_IF(!out);                                                                            \
        *out = (type)(void *)cusparse_state_new();                                                           \
        return CUSPARSE_STATUS_SUCCESS;                                                                      \
    }                                                                                                        \
    CUSPARSE cusparseDestroy##Name(type info)                                                                \
    {                                                                                                        \
        cusparse_state_free((struct cusparse_state *)(void *)info);                                          \
        return CUSPARSE_STATUS_SUCCESS;                                                                      \
    }
INFO(Csric02Info, csric02Info_t)
INFO(Bsric02Info, bsric02Info_t)
INFO(Csrilu02Info, csrilu02Info_t)
INFO(Bsrilu02Info, bsrilu02Info_t)
INFO(Bsrsv2Info, bsrsv2Info_t)
INFO(Bsrsm2Info, bsrsm2Info_t)
INFO(Csru2csrInfo, csru2csrInfo_t)
INFO(ColorInfo, cusparseColorInfo_t)
INFO(PruneInfo, pruneInfo_t)

#define DESCRIPTOR(Name)                                                                                     \
    CUSPARSE cusparse##Name##_createDescr(cusparse##Name##Descr_t *out)                                      \
    {                                                                                                        \
        CUSPARSE_REFUSE_IF(!out);                                                                            \
        *out = (cusparse##Name##Descr_t)(void *)cusparse_state_new();                                        \
        return CUSPARSE_STATUS_SUCCESS;                                                                      \
    }                                                                                                        \
    CUSPARSE cusparse##Name##_destroyDescr(cusparse##Name##Descr_t descr)                                    \
    {                                                                                                        \
        cusparse_state_free((struct cusparse_state *)(void *)descr);                                         \
        return CUSPARSE_STATUS_SUCCESS;                                                                      \
    }
DESCRIPTOR(SpSV)
DESCRIPTOR(SpSM)
DESCRIPTOR(SpGEMM)

/* ---- descriptors of the older functions */

CUSPARSE cusparseCreateMatDescr(cusparseMatDescr_t *out)
{
    CUSPARSE_REFUSE_IF(!out);
    *out = sw_xcalloc(1, sizeof **out);
    cusparse_descr_add(CUSPARSE_KIND_MAT, *out);
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseDestroyMatDescr(cusparseMatDescr_t descr)
{
    return cusparse_descr_free(CUSPARSE_KIND_MAT, descr);
}

#define FIELD(Name, type, field, most)                                                                       \
    CUSPARSE cusparseSetMat##Name(cusparseMatDescr_t descr, type value)                                      \
    {                                                                                                        \
        if (CUSPARSE_GONE(descr)) return CUSPARSE_STATUS_NOT_INITIALIZED;                                    \
        CUSPARSE_REFUSE_IF((int)value<0 || value>(most));                                                    \
        descr->field = value;                                                                                \
        return CUSPARSE_STATUS_SUCCESS;                                                                      \
    }                                                                                                        \
    CUSPARSE_PUBLIC type cusparseGetMat##Name(cusparseMatDescr_t descr)                                      \
    {                                                                                                        \
        return CUSPARSE_GONE(descr) ? (type)0 : descr->field;                                                \
    }
FIELD(Type, cusparseMatrixType_t, type, CUSPARSE_MATRIX_TYPE_TRIANGULAR)
FIELD(FillMode, cusparseFillMode_t, fill, CUSPARSE_FILL_MODE_UPPER)
FIELD(DiagType, cusparseDiagType_t, diag, CUSPARSE_DIAG_TYPE_UNIT)
FIELD(IndexBase, cusparseIndexBase_t, base, CUSPARSE_INDEX_BASE_ONE)
