/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: handles, and what the library is. Method: a handle says nothing but that the library is ready: one
 * of cuBLAS is as good (documented), so that only NULL is refused. Limits: nothing is logged, and the cache
 * of heuristics has a size but no entries. */
#include "cublaslt_priv.h"

#include <stdatomic.h>
#include <stdlib.h>

cublasStatus_t lt_status(CUresult result)
{
    switch ((int)result) {
    case CUDA_SUCCESS: return CUBLAS_STATUS_SUCCESS;
    case CUDA_ERROR_NOT_INITIALIZED:
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_INVALID_CONTEXT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED: return CUBLAS_STATUS_NOT_INITIALIZED;
    case CUDA_ERROR_INVALID_VALUE: return CUBLAS_STATUS_INVALID_VALUE;
    case CUDA_ERROR_NOT_SUPPORTED: return CUBLAS_STATUS_NOT_SUPPORTED;
    default: return CUBLAS_STATUS_EXECUTION_FAILED;
    }
}

cublasStatus_t lt_enter(cublasLtHandle_t handle)
{
    CUcontext context;
    if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
    return lt_status(routine_context(&context));
}

static struct sw_handles handles = SW_HANDLES_INIT;

CUBLASLT cublasLtCreate(cublasLtHandle_t *out)
{
    struct sw_error error = {0};
    CUcontext context;
    if (!out) return CUBLAS_STATUS_INVALID_VALUE;
    LT_TRY(lt_status(routine_context(&context)));
    if (blas_open(&error) != SW_OK) {
        sw_log("cuBLASLt: %s", error.message);
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    *out = sw_xcalloc(1, 1);
    sw_handles_add(&handles, *out);
    return CUBLAS_STATUS_SUCCESS;
}

CUBLASLT cublasLtDestroy(cublasLtHandle_t handle)
{
    if (!sw_handles_remove(&handles, handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- what the library is */

__attribute__((visibility("default"))) size_t cublasLtGetVersion(void)
{
    return CUBLAS_VERSION;
}

__attribute__((visibility("default"))) size_t cublasLtGetCudartVersion(void)
{
    return CUDA_VERSION;
}

CUBLASLT cublasLtGetProperty(libraryPropertyType type, int *value)
{
    static const int VALUES[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
    if (!value || (unsigned)type >= SW_COUNT_OF(VALUES)) return CUBLAS_STATUS_INVALID_VALUE;
    *value = VALUES[type];
    return CUBLAS_STATUS_SUCCESS;
}

__attribute__((visibility("default"))) const char *cublasLtGetStatusName(cublasStatus_t status)
{
    return routine_cublas_status_name((int)status);
}

__attribute__((visibility("default"))) const char *cublasLtGetStatusString(cublasStatus_t status)
{
    return routine_cublas_status_text((int)status);
}

/* ---- the cache of heuristics: its size is kept */

static atomic_size_t cache_capacity = 8192; /* recorded on an H200 */

CUBLASLT cublasLtHeuristicsCacheGetCapacity(size_t *capacity)
{
    if (!capacity) return CUBLAS_STATUS_INVALID_VALUE;
    *capacity = atomic_load(&cache_capacity);
    return CUBLAS_STATUS_SUCCESS;
}

CUBLASLT cublasLtHeuristicsCacheSetCapacity(size_t capacity)
{
    atomic_store(&cache_capacity, capacity);
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- logging */

CUBLASLT cublasLtLoggerSetCallback(cublasLtLoggerCallback_t callback)
{
    (void)callback;
    return CUBLAS_STATUS_SUCCESS;
}

CUBLASLT cublasLtLoggerSetFile(FILE *file)
{
    (void)file;
    return CUBLAS_STATUS_SUCCESS;
}

CUBLASLT cublasLtLoggerOpenFile(const char *path)
{
    FILE *file = path ? fopen(path, "ab") : NULL; /* documented: it is created */
    if (!file) return CUBLAS_STATUS_INVALID_VALUE;
    fclose(file);
    return CUBLAS_STATUS_SUCCESS;
}

CUBLASLT cublasLtLoggerSetLevel(int level)
{
    return level >= 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

CUBLASLT cublasLtLoggerSetMask(int mask)
{
    (void)mask;
    return CUBLAS_STATUS_SUCCESS;
}

CUBLASLT cublasLtLoggerForceDisable(void)
{
    return CUBLAS_STATUS_SUCCESS;
}
