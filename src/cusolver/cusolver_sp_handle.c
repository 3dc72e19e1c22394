/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: handles of cusolverSp, and what its calls share. Method: descriptors of matrices are cuSPARSE's:
 * its library, which the program has, is asked. Limits: matrices are general ones. */
#include "cusolver_sparse_priv.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cusolverSpContext {
    CUcontext context;
    CUstream stream;
};
static struct sw_handles handles = SW_HANDLES_INIT;

cusolverStatus_t cusolver_sp_enter(cusolverSpHandle_t handle)
{
    if (!sw_handles_has(&handles, handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
    return cusolver_status(routine_enter(handle->context));
}

CUstream cusolver_sp_stream(cusolverSpHandle_t handle)
{
    return handle->stream;
}

CUSOLVER cusolverSpCreate(cusolverSpHandle_t *out)
{
    CUcontext context;
    CUSOLVER_VALID(out);
    *out = NULL;
    CUSOLVER_TRY(cusolver_context(&context));
    struct cusolverSpContext *handle = sw_xcalloc(1, sizeof *handle);
    handle->context = context;
    sw_handles_add(&handles, handle);
    *out = handle;
    return CUSOLVER_STATUS_SUCCESS;
}

CUSOLVER cusolverSpDestroy(cusolverSpHandle_t handle)
{
    CUSOLVER_TRY(cusolver_sp_enter(handle));
    if (!sw_handles_remove(&handles, handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
    routine_retire(handle, free);
    return CUSOLVER_STATUS_SUCCESS;
}

CUSOLVER cusolverSpSetStream(cusolverSpHandle_t handle, cudaStream_t stream)
{
    CUSOLVER_TRY(cusolver_sp_enter(handle));
    handle->stream = (CUstream)stream;
    return CUSOLVER_STATUS_SUCCESS;
}

CUSOLVER cusolverSpGetStream(cusolverSpHandle_t handle, cudaStream_t *stream)
{
    CUSOLVER_TRY(cusolver_sp_enter(handle));
    CUSOLVER_VALID(stream);
    *stream = (cudaStream_t)handle->stream;
    return CUSOLVER_STATUS_SUCCESS;
}

/* ---- descriptors */

static int ask(const char *name, const cusparseMatDescr_t descriptor, int otherwise)
{
    int (*get)(const cusparseMatDescr_t);
    void *found = dlsym(RTLD_DEFAULT, name);
    memcpy(&get, &found, sizeof get);
    return found ? get(descriptor) : otherwise;
}

int cusolver_sp_base(const cusparseMatDescr_t descriptor)
{
    return ask("cusparseGetMatIndexBase", descriptor, 0);
}

int cusolver_sp_bad_matrix(const char *name, int n, int nnz)
{
    char shape[80];
    struct event_routine what = cusolver_sp_describe(name, BLAS_D, n, nnz, 1, shape);
    sw_log("%s: an offset or index of a sparse matrix is outside of it (%s)", name, what.shape);
    return CUDA_ERROR_ILLEGAL_ADDRESS;
}

cusolverStatus_t cusolver_sp_matrix(int n, int nnz, const cusparseMatDescr_t descriptor, int *base)
{
    CUSOLVER_VALID(n >= 0 && nnz >= 0 && descriptor);
    if (ask("cusparseGetMatType", descriptor, 0) != 0)
        return CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED; /* not general */
    *base = cusolver_sp_base(descriptor);
    CUSOLVER_VALID(*base == 0 || *base == 1);
    return CUSOLVER_STATUS_SUCCESS;
}

struct event_routine cusolver_sp_describe(const char *name, enum blas_type type, int n, int nnz, int batch,
                                          char shape[80])
{
    uint64_t bytes = blas_bytes(type), items = (uint64_t)batch;
    snprintf(shape, 80, "n %d, nnz %d", n, nnz);
    return (struct event_routine){.name = name,
                                  .shape = shape,
                                  .kind = EVENT_ROUTINE_SOLVE,
                                  .math = blas_real(type) == BLAS_D ? EVENT_MATH_F64 : EVENT_MATH_F32,
                                  .m = (uint64_t)n,
                                  .n = 1,
                                  .batch = items,
                                  .flops = 2 * (uint64_t)nnz * items, /* at least */
                                  .read_bytes = (uint64_t)nnz * (bytes + 4) * items,
                                  .wrote_bytes = (uint64_t)n * bytes * items};
}
