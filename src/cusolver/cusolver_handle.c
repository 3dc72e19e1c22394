/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: handles of the dense part, and what is set in them; what Jacobi's methods are given. Method:
 * handles that live are kept in a table (routine.h). Limits: modes and options are kept and change nothing:
 * results are always the same, in full precision. */
#include "cusolver_priv.h"

#include <stdlib.h>

static struct sw_handles handles = SW_HANDLES_INIT;

cusolverStatus_t cusolver_status(CUresult result)
{
    switch ((int)result) {
    case CUDA_SUCCESS: return CUSOLVER_STATUS_SUCCESS;
    case CUDA_ERROR_NOT_INITIALIZED:
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_INVALID_CONTEXT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED: return CUSOLVER_STATUS_NOT_INITIALIZED;
    case CUDA_ERROR_OUT_OF_MEMORY: return CUSOLVER_STATUS_ALLOC_FAILED;
    case CUDA_ERROR_INVALID_VALUE: return CUSOLVER_STATUS_INVALID_VALUE;
    case CUDA_ERROR_NOT_SUPPORTED: return CUSOLVER_STATUS_NOT_SUPPORTED;
    default: return CUSOLVER_STATUS_INTERNAL_ERROR;
    }
}

cusolverStatus_t cusolver_enter(cusolverDnHandle_t handle)
{
    if (!sw_handles_has(&handles, handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
    return cusolver_status(routine_enter(handle->context));
}

cusolverStatus_t cusolver_context(CUcontext *out)
{
    struct sw_error error = {0};
    CUSOLVER_TRY(cusolver_status(routine_context(out)));
    if (blas_open(&error) == SW_OK) return CUSOLVER_STATUS_SUCCESS;
    sw_log("cuSOLVER: %s", error.message);
    return CUSOLVER_STATUS_NOT_INITIALIZED;
}

CUSOLVER cusolverDnCreate(cusolverDnHandle_t *out)
{
    CUcontext context;
    CUSOLVER_VALID(out);
    *out = NULL;
    CUSOLVER_TRY(cusolver_context(&context));
    struct cusolverDnContext *handle = sw_xcalloc(1, sizeof *handle);
    handle->context = context;
    handle->determinism = CUSOLVER_DETERMINISTIC_RESULTS;
    handle->math = CUSOLVER_DEFAULT_MATH;
    sw_handles_add(&handles, handle);
    *out = handle;
    return CUSOLVER_STATUS_SUCCESS;
}

CUSOLVER cusolverDnDestroy(cusolverDnHandle_t handle)
{
    CUSOLVER_ENTER();
    if (!sw_handles_remove(&handles, handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
    routine_retire(handle, free);
    return CUSOLVER_STATUS_SUCCESS;
}

CUSOLVER cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream)
{
    CUSOLVER_ENTER();
    handle->stream = (CUstream)stream;
    return CUSOLVER_STATUS_SUCCESS;
}

CUSOLVER cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream)
{
    CUSOLVER_ENTER();
    CUSOLVER_VALID(stream);
    *stream = (cudaStream_t)handle->stream;
    return CUSOLVER_STATUS_SUCCESS;
}

/* otherwise: the status of what is not from least to most (recorded) */
#define SETTING(name, type, member, least, most, otherwise)                                                  \
    CUSOLVER cusolverDnSet##name(cusolverDnHandle_t handle, type value)                                      \
    {                                                                                                        \
        CUSOLVER_ENTER();                                                                                    \
        if ((int)value < (least) || (int)value > (most)) return otherwise;                                   \
        handle->member = value;                                                                              \
        return CUSOLVER_STATUS_SUCCESS;                                                                      \
    }                                                                                                        \
    CUSOLVER cusolverDnGet##name(cusolverDnHandle_t handle, type *value)                                     \
    {                                                                                                        \
        CUSOLVER_ENTER();                                                                                    \
        CUSOLVER_VALID(value);                                                                               \
        *value = handle->member;                                                                             \
        return CUSOLVER_STATUS_SUCCESS;                                                                      \
    }
SETTING(DeterministicMode, cusolverDeterministicMode_t, determinism, CUSOLVER_DETERMINISTIC_RESULTS,
        CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS, CUSOLVER_STATUS_INTERNAL_ERROR)
SETTING(MathMode, cusolverMathMode_t, math, CUSOLVER_DEFAULT_MATH, CUSOLVER_FP32_EMULATED_BF16X9_MATH,
        CUSOLVER_STATUS_INVALID_VALUE)

/* ---- infos and parameters */

static struct sw_handles records[CUSOLVER_RECORDS] = {SW_HANDLES_INIT, SW_HANDLES_INIT, SW_HANDLES_INIT,
                                                      SW_HANDLES_INIT, SW_HANDLES_INIT, SW_HANDLES_INIT,
                                                      SW_HANDLES_INIT, SW_HANDLES_INIT, SW_HANDLES_INIT};

void *cusolver_record_new(enum cusolver_record kind, size_t bytes)
{
    void *record = sw_xcalloc(1, bytes);
    sw_handles_add(&records[kind], record);
    return record;
}

bool cusolver_record_lives(enum cusolver_record kind, const void *record)
{
    return sw_handles_has(&records[kind], record);
}

bool cusolver_record_free(enum cusolver_record kind, void *record)
{
    bool lived = sw_handles_remove(&records[kind], record);
    if (lived) routine_retire(record, free);
    return lived;
}

/* ---- options of the 64-bit interface */

struct cusolverDnParams {
    cusolverAlgMode_t algorithm[CUSOLVERDN_POTRF + 1];
};

CUSOLVER cusolverDnCreateParams(cusolverDnParams_t *out)
{
    CUSOLVER_VALID(out);
    *out = cusolver_record_new(CUSOLVER_RECORD_PARAMS, sizeof **out);
    return CUSOLVER_STATUS_SUCCESS;
}

CUSOLVER cusolverDnDestroyParams(cusolverDnParams_t params)
{
    CUSOLVER_VALID(!params || cusolver_record_free(CUSOLVER_RECORD_PARAMS, params));
    return CUSOLVER_STATUS_SUCCESS;
}

CUSOLVER cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t function,
                                 cusolverAlgMode_t algorithm)
{
    /* recorded: SYEVBATCHED has no options */
    CUSOLVER_VALID(cusolver_record_lives(CUSOLVER_RECORD_PARAMS, params));
    CUSOLVER_VALID((unsigned)function <= CUSOLVERDN_POTRF && (unsigned)algorithm <= CUSOLVER_ALG_2);
    params->algorithm[function] = algorithm;
    return CUSOLVER_STATUS_SUCCESS;
}

/* ---- Jacobi's methods: kind: the type's name without _t; name, Kind: as functions have it */

#define JACOBI(kind, name, Kind)                                                                             \
    CUSOLVER cusolverDnCreate##Kind(kind##_t *out)                                                           \
    {                                                                                                        \
        CUSOLVER_VALID(out);                                                                                 \
        struct cusolver_jacobi *info = cusolver_record_new(CUSOLVER_RECORD_JACOBI, sizeof *info);            \
        *info = (struct cusolver_jacobi){.most_sweeps = 100, .sorts = true}; /* documented */                \
        *out = (kind##_t)info;                                                                               \
        return CUSOLVER_STATUS_SUCCESS;                                                                      \
    }                                                                                                        \
    CUSOLVER cusolverDnDestroy##Kind(kind##_t info)                                                          \
    {                                                                                                        \
        CUSOLVER_VALID(!info || cusolver_record_free(CUSOLVER_RECORD_JACOBI, info));                         \
        return CUSOLVER_STATUS_SUCCESS;                                                                      \
    }                                                                                                        \
    CUSOLVER cusolverDnX##name##SetTolerance(kind##_t info, double tolerance)                                \
    {                                                                                                        \
        CUSOLVER_VALID(cusolver_record_lives(CUSOLVER_RECORD_JACOBI, info));                                 \
        ((struct cusolver_jacobi *)info)->tolerance = tolerance;                                             \
        return CUSOLVER_STATUS_SUCCESS;                                                                      \
    }                                                                                                        \
    CUSOLVER cusolverDnX##name##SetMaxSweeps(kind##_t info, int most)                                        \
    {                                                                                                        \
        CUSOLVER_VALID(cusolver_record_lives(CUSOLVER_RECORD_JACOBI, info));                                 \
        ((struct cusolver_jacobi *)info)->most_sweeps = most;                                                \
        return CUSOLVER_STATUS_SUCCESS;                                                                      \
    }                                                                                                        \
    CUSOLVER cusolverDnX##name##SetSortEig(kind##_t info, int sorts)                                         \
    {                                                                                                        \
        CUSOLVER_VALID(cusolver_record_lives(CUSOLVER_RECORD_JACOBI, info));                                 \
        ((struct cusolver_jacobi *)info)->sorts = sorts != 0;                                                \
        return CUSOLVER_STATUS_SUCCESS;                                                                      \
    }                                                                                                        \
    CUSOLVER cusolverDnX##name##GetResidual(cusolverDnHandle_t handle, kind##_t info, double *residual)      \
    {                                                                                                        \
        CUSOLVER_ENTER();                                                                                    \
        CUSOLVER_VALID(cusolver_record_lives(CUSOLVER_RECORD_JACOBI, info) && residual);                     \
        CUSOLVER_TRY(cusolver_status(cuStreamSynchronize(handle->stream)));                                  \
        *residual = ((struct cusolver_jacobi *)info)->residual;                                              \
        return CUSOLVER_STATUS_SUCCESS;                                                                      \
    }                                                                                                        \
    CUSOLVER cusolverDnX##name##GetSweeps(cusolverDnHandle_t handle, kind##_t info, int *sweeps)             \
    {                                                                                                        \
        CUSOLVER_ENTER();                                                                                    \
        CUSOLVER_VALID(cusolver_record_lives(CUSOLVER_RECORD_JACOBI, info) && sweeps);                       \
        *sweeps = 0; /* LAPACK's methods, which take their place, make none */                               \
        return CUSOLVER_STATUS_SUCCESS;                                                                      \
    }
JACOBI(syevjInfo, syevj, SyevjInfo)
JACOBI(gesvdjInfo, gesvdj, GesvdjInfo)

/* ---- what the library is */

CUSOLVER cusolverGetVersion(int *version)
{
    CUSOLVER_VALID(version);
    *version = CUSOLVER_VERSION;
    return CUSOLVER_STATUS_SUCCESS;
}

CUSOLVER cusolverGetProperty(libraryPropertyType type, int *value)
{
    static const int VALUES[] = {CUSOLVER_VER_MAJOR, CUSOLVER_VER_MINOR, CUSOLVER_VER_PATCH};
    CUSOLVER_VALID(value && (unsigned)type < SW_COUNT_OF(VALUES));
    *value = VALUES[type];
    return CUSOLVER_STATUS_SUCCESS;
}
