/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: handles, and what is set in them. Method: handles that live are kept in a table, so that one that
 * was destroyed is answered as CUDA answers it. A handle belongs to the context that was current. Limits:
 * workspaces are accepted and not used; logging, emulation and a number of multiprocessors change nothing. */
#include "cublas_priv.h"

#include <stdlib.h>
#include <string.h>

static struct sw_handles handles = SW_HANDLES_INIT;

cublasStatus_t cublas_status(CUresult result)
{
    switch ((int)result) {
    case CUDA_SUCCESS: return CUBLAS_STATUS_SUCCESS;
    case CUDA_ERROR_NOT_INITIALIZED:
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_INVALID_CONTEXT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED: return CUBLAS_STATUS_NOT_INITIALIZED;
    case CUDA_ERROR_OUT_OF_MEMORY: return CUBLAS_STATUS_ALLOC_FAILED;
    case CUDA_ERROR_INVALID_VALUE: return CUBLAS_STATUS_INVALID_VALUE;
    case CUDA_ERROR_NOT_SUPPORTED: return CUBLAS_STATUS_NOT_SUPPORTED;
    default: return CUBLAS_STATUS_EXECUTION_FAILED;
    }
}

cublasStatus_t cublas_enter(cublasHandle_t handle)
{
    if (!sw_handles_has(&handles, handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
    return cublas_status(routine_enter(handle->context));
}

CUBLAS cublasCreate_v2(cublasHandle_t *out)
{
    struct sw_error error = {0};
    CUcontext context;
    if (!out) return CUBLAS_STATUS_INVALID_VALUE;
    *out = NULL;
    CUBLAS_TRY(cublas_status(routine_context(&context)));
    if (blas_open(&error) != SW_OK) {
        sw_log("cuBLAS: %s", error.message);
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    struct cublasContext *handle = sw_xcalloc(1, sizeof *handle);
    handle->context = context;
    handle->atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
    handle->special = CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT;
    sw_handles_add(&handles, handle);
    *out = handle;
    return CUBLAS_STATUS_SUCCESS;
}

/* CUDA waits for the device, too. */
CUBLAS cublasDestroy_v2(cublasHandle_t handle)
{
    CUBLAS_TRY(cublas_enter(handle));
    if (!sw_handles_remove(&handles, handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
    cuCtxSynchronize();
    routine_retire(handle, free);
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- settings */

#define SETTING(function_set, function_get, type, member, valid)                                             \
    CUBLAS function_set(cublasHandle_t handle, type value)                                                   \
    {                                                                                                        \
        CUBLAS_TRY(cublas_enter(handle));                                                                    \
        if (!(valid)) return CUBLAS_STATUS_INVALID_VALUE;                                                    \
        handle->member = value;                                                                              \
        return CUBLAS_STATUS_SUCCESS;                                                                        \
    }                                                                                                        \
    CUBLAS function_get(cublasHandle_t handle, type *value)                                                  \
    {                                                                                                        \
        CUBLAS_TRY(cublas_enter(handle));                                                                    \
        if (!value) return CUBLAS_STATUS_INVALID_VALUE;                                                      \
        *value = handle->member;                                                                             \
        return CUBLAS_STATUS_SUCCESS;                                                                        \
    }
SETTING(cublasSetPointerMode_v2, cublasGetPointerMode_v2, cublasPointerMode_t, pointer_mode,
        value == CUBLAS_POINTER_MODE_HOST || value == CUBLAS_POINTER_MODE_DEVICE)
SETTING(cublasSetAtomicsMode, cublasGetAtomicsMode, cublasAtomicsMode_t, atomics,
        value == CUBLAS_ATOMICS_NOT_ALLOWED || value == CUBLAS_ATOMICS_ALLOWED)
SETTING(cublasSetMathMode, cublasGetMathMode, cublasMath_t, math, (unsigned)value < 32)
SETTING(cublasSetSmCountTarget, cublasGetSmCountTarget, int, sm_target, value >= 0)

SETTING(cublasSetEmulationStrategy, cublasGetEmulationStrategy, cublasEmulationStrategy_t, strategy,
        (unsigned)value <= CUBLAS_EMULATION_STRATEGY_EAGER)
SETTING(cublasSetEmulationSpecialValuesSupport, cublasGetEmulationSpecialValuesSupport,
        cudaEmulationSpecialValuesSupport, special,
        (unsigned)value <= CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT)
SETTING(cublasSetFixedPointEmulationMantissaControl, cublasGetFixedPointEmulationMantissaControl,
        cudaEmulationMantissaControl, control, (unsigned)value <= CUDA_EMULATION_MANTISSA_CONTROL_FIXED)
SETTING(cublasSetFixedPointEmulationMaxMantissaBitCount, cublasGetFixedPointEmulationMaxMantissaBitCount, int,
        most_bits, value >= 0)
SETTING(cublasSetFixedPointEmulationMantissaBitOffset, cublasGetFixedPointEmulationMantissaBitOffset, int,
        bit_offset, true)
typedef int *bit_count;
SETTING(cublasSetFixedPointEmulationMantissaBitCountPointer,
        cublasGetFixedPointEmulationMantissaBitCountPointer, bit_count, bit_count, true)

CUBLAS cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream)
{
    CUBLAS_TRY(cublas_enter(handle));
    handle->stream = (CUstream)stream;
    return CUBLAS_STATUS_SUCCESS;
}

CUBLAS cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream)
{
    CUBLAS_TRY(cublas_enter(handle));
    if (!stream) return CUBLAS_STATUS_INVALID_VALUE;
    *stream = (cudaStream_t)handle->stream;
    return CUBLAS_STATUS_SUCCESS;
}

CUBLAS cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t bytes)
{
    enum { ALIGNMENT = 256 }; /* documented */
    CUBLAS_TRY(cublas_enter(handle));
    bool good = workspace ? (uintptr_t)workspace % ALIGNMENT == 0 : bytes == 0;
    return good ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

/* ---- what the library is */

CUBLAS cublasGetVersion_v2(cublasHandle_t handle, int *version)
{
    (void)handle;
    if (!version) return CUBLAS_STATUS_INVALID_VALUE;
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}

CUBLAS cublasGetProperty(libraryPropertyType type, int *value)
{
    static const int VALUES[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
    if (!value || (unsigned)type >= SW_COUNT_OF(VALUES)) return CUBLAS_STATUS_INVALID_VALUE;
    *value = VALUES[type];
    return CUBLAS_STATUS_SUCCESS;
}

__attribute__((visibility("default"))) size_t cublasGetCudartVersion(void)
{
    return CUDA_VERSION;
}

__attribute__((visibility("default"))) const char *cublasGetStatusName(cublasStatus_t status)
{
    return routine_cublas_status_name((int)status);
}

__attribute__((visibility("default"))) const char *cublasGetStatusString(cublasStatus_t status)
{
    return routine_cublas_status_text((int)status);
}

CUBLAS cublasLoggerConfigure(int on, int to_stdout, int to_stderr, const char *file)
{
    (void)on, (void)to_stdout, (void)to_stderr, (void)file;
    return CUBLAS_STATUS_SUCCESS;
}

CUBLAS cublasSetLoggerCallback(cublasLogCallback callback)
{
    (void)callback;
    return CUBLAS_STATUS_SUCCESS;
}

CUBLAS cublasGetLoggerCallback(cublasLogCallback *callback)
{
    if (!callback) return CUBLAS_STATUS_INVALID_VALUE;
    *callback = NULL;
    return CUBLAS_STATUS_SUCCESS;
}
