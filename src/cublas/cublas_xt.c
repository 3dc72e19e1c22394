/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: cublasXt: products of matrices in the memory of the host or a device. Method: a call is work of
 * the first selected device, described as a struct cublas_call, and waited for (documented: the calls are
 * synchronous). Its operands may be memory of the host, so that no range of them is checked. Limits: other
 * devices get no share; a routine and a ratio for the CPU are accepted and not used, as is pinning. */
#include "cublas_priv.h"

#include <cublasXt.h>

#include <stdlib.h>
#include <string.h>

struct cublasXtContext {
    CUcontext context; /* of the first selected device; NULL: none was selected */
    int block;
    cublasXtPinnedMemMode_t pinning;
};
static struct sw_handles handles = SW_HANDLES_INIT;
#define XT_ENTER(handle)                                                                                     \
    if (!sw_handles_has(&handles, handle)) return CUBLAS_STATUS_NOT_INITIALIZED

CUBLAS cublasXtCreate(cublasXtHandle_t *out)
{
    enum { BLOCK = 1024 }; /* recorded: the size of blocks at first */
    struct sw_error error = {0};
    if (!out) return CUBLAS_STATUS_INVALID_VALUE;
    CUBLAS_TRY(cublas_status(cuInit(0)));
    if (blas_open(&error) != SW_OK) {
        sw_log("cublasXt: %s", error.message);
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    struct cublasXtContext *handle = sw_xcalloc(1, sizeof *handle);
    handle->block = BLOCK;
    sw_handles_add(&handles, handle);
    *out = handle;
    return CUBLAS_STATUS_SUCCESS;
}

CUBLAS cublasXtDestroy(cublasXtHandle_t handle)
{
    if (!sw_handles_remove(&handles, handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
    routine_retire(handle, free);
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- settings */

static int device_count(void)
{
    int count = 0;
    return cuInit(0) == CUDA_SUCCESS && cuDeviceGetCount(&count) == CUDA_SUCCESS ? count : 0;
}

/* A board of one GPU each. */
CUBLAS cublasXtMaxBoards(int *count)
{
    if (!count) return CUBLAS_STATUS_INVALID_VALUE;
    *count = device_count();
    return CUBLAS_STATUS_SUCCESS;
}

CUBLAS cublasXtGetNumBoards(int count, int devices[], int *boards)
{
    if (count < 1 || !devices || !boards) return CUBLAS_STATUS_INVALID_VALUE;
    *boards = count;
    return CUBLAS_STATUS_SUCCESS;
}

CUBLAS cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int devices[])
{
    XT_ENTER(handle);
    if (count < 1 || !devices) return CUBLAS_STATUS_INVALID_VALUE;
    for (int i = 0; i < count; i++)
        if (devices[i] < 0 || devices[i] >= device_count()) return CUBLAS_STATUS_INVALID_VALUE;
    return cublas_status(cuDevicePrimaryCtxRetain(&handle->context, devices[0]));
}

CUBLAS cublasXtSetBlockDim(cublasXtHandle_t handle, int block)
{
    XT_ENTER(handle);
    if (block <= 0) return CUBLAS_STATUS_INVALID_VALUE;
    handle->block = block;
    return CUBLAS_STATUS_SUCCESS;
}

CUBLAS cublasXtGetBlockDim(cublasXtHandle_t handle, int *block)
{
    XT_ENTER(handle);
    if (!block) return CUBLAS_STATUS_INVALID_VALUE;
    *block = handle->block;
    return CUBLAS_STATUS_SUCCESS;
}

CUBLAS cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode)
{
    XT_ENTER(handle);
    if (mode != CUBLASXT_PINNING_DISABLED && mode != CUBLASXT_PINNING_ENABLED)
        return CUBLAS_STATUS_INVALID_VALUE;
    handle->pinning = mode;
    return CUBLAS_STATUS_SUCCESS;
}

CUBLAS cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t *mode)
{
    XT_ENTER(handle);
    if (!mode) return CUBLAS_STATUS_INVALID_VALUE;
    *mode = handle->pinning;
    return CUBLAS_STATUS_SUCCESS;
}

static bool is_routine(cublasXtBlasOp_t op, cublasXtOpType_t type)
{
    return (unsigned)op < CUBLASXT_ROUTINE_MAX && (unsigned)type <= CUBLASXT_DOUBLECOMPLEX;
}

CUBLAS cublasXtSetCpuRoutine(cublasXtHandle_t handle, cublasXtBlasOp_t op, cublasXtOpType_t type,
                             void *routine)
{
    XT_ENTER(handle);
    (void)routine;
    return is_routine(op, type) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

CUBLAS cublasXtSetCpuRatio(cublasXtHandle_t handle, cublasXtBlasOp_t op, cublasXtOpType_t type, float ratio)
{
    XT_ENTER(handle);
    return is_routine(op, type) && ratio >= 0 && ratio <= 1 ? CUBLAS_STATUS_SUCCESS
                                                            : CUBLAS_STATUS_INVALID_VALUE;
}

/* ---- products */

static cublasStatus_t scalar_of(const void *from, uint32_t bytes, struct cublas_scalar *out)
{
    if (!from) return CUBLAS_STATUS_INVALID_VALUE;
    *out = (struct cublas_scalar){.bytes = bytes};
    memcpy(out->value, from, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t run(cublasXtHandle_t handle, const struct cublas_call *call)
{
    struct cublas_work args;
    XT_ENTER(handle);
    if (!handle->context) return CUBLAS_STATUS_NOT_INITIALIZED;
    CUBLAS_TRY(cublas_work_of(call, &args));
    if (!cublas_fits(call)) {
        routine_refuse(call->name, "a dimension above 2^31 - 1");
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    struct event_routine_work work = {.what.name = call->name,
                                      .describe = cublas_describe,
                                      .run = cublas_run,
                                      .args = &args,
                                      .arg_bytes = sizeof args};
    CUcontext before;
    CUresult result = cuCtxPushCurrent(handle->context);
    if (result != CUDA_SUCCESS) return cublas_status(result);
    result = routine_submit("libcublas", NULL, &work);
    if (result == CUDA_SUCCESS) result = cuStreamSynchronize(NULL);
    cuCtxPopCurrent(&before);
    return cublas_status(result);
}

#define CALL(L, operation, function)                                                                         \
    struct cublas_call x = {                                                                                 \
        .name = "cublasXt" function, .op = CUBLAS_##operation, .type = BLAS_##L, .n = (int64_t)n}
#define SCALAR(name, pointer) CUBLAS_TRY(scalar_of(pointer, sizeof *(pointer), &x.name))
#define VALID(condition)                                                                                     \
    if (!(condition)) return CUBLAS_STATUS_INVALID_VALUE
#define A(p, ld) x.a = (p), x.lda = (int64_t)(ld)
#define B(p, ld) x.b = (p), x.ldb = (int64_t)(ld)
#define C(p, ld) x.c = (p), x.ldc = (int64_t)(ld)

#define GEMM(L, T)                                                                                           \
    CUBLAS cublasXt##L##gemm(cublasXtHandle_t handle, cublasOperation_t trans_a, cublasOperation_t trans_b,  \
                             size_t m, size_t n, size_t k, const T *alpha, const T *a, size_t lda,           \
                             const T *b, size_t ldb, const T *beta, T *c, size_t ldc)                        \
    {                                                                                                        \
        CALL(L, GEMM, #L "gemm");                                                                            \
        VALID(cublas_trans(trans_a, &x.trans_a) && cublas_trans(trans_b, &x.trans_b));                       \
        x.m = (int64_t)m, x.k = (int64_t)k, A(a, lda), B(b, ldb), C(c, ldc);                                 \
        SCALAR(alpha, alpha);                                                                                \
        SCALAR(beta, beta);                                                                                  \
        return run(handle, &x);                                                                              \
    }
#define RANK_K(L, T, R, name, operation)                                                                     \
    CUBLAS cublasXt##L##name(cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,        \
                             size_t n, size_t k, const R *alpha, const T *a, size_t lda, const R *beta,      \
                             T *c, size_t ldc)                                                               \
    {                                                                                                        \
        CALL(L, operation, #L#name);                                                                         \
        VALID(cublas_uplo(uplo, &x.uplo) && cublas_trans(trans, &x.trans_a));                                \
        x.k = (int64_t)k, A(a, lda), C(c, ldc);                                                              \
        SCALAR(alpha, alpha);                                                                                \
        SCALAR(beta, beta);                                                                                  \
        return run(handle, &x);                                                                              \
    }
#define RANK_2K(L, T, R, name, operation)                                                                    \
    CUBLAS cublasXt##L##name(cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,        \
                             size_t n, size_t k, const T *alpha, const T *a, size_t lda, const T *b,         \
                             size_t ldb, const R *beta, T *c, size_t ldc)                                    \
    {                                                                                                        \
        CALL(L, operation, #L#name);                                                                         \
        VALID(cublas_uplo(uplo, &x.uplo) && cublas_trans(trans, &x.trans_a));                                \
        x.k = (int64_t)k, A(a, lda), B(b, ldb), C(c, ldc);                                                   \
        SCALAR(alpha, alpha);                                                                                \
        SCALAR(beta, beta);                                                                                  \
        return run(handle, &x);                                                                              \
    }
#define SIDED(L, T, name, operation)                                                                         \
    CUBLAS cublasXt##L##name(cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,          \
                             size_t m, size_t n, const T *alpha, const T *a, size_t lda, const T *b,         \
                             size_t ldb, const T *beta, T *c, size_t ldc)                                    \
    {                                                                                                        \
        CALL(L, operation, #L#name);                                                                         \
        VALID(cublas_side(side, &x.side) && cublas_uplo(uplo, &x.uplo));                                     \
        x.m = (int64_t)m, A(a, lda), B(b, ldb), C(c, ldc);                                                   \
        SCALAR(alpha, alpha);                                                                                \
        SCALAR(beta, beta);                                                                                  \
        return run(handle, &x);                                                                              \
    }
#define TRIANGLE(L, T)                                                                                       \
    CUBLAS cublasXt##L##trmm(cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,          \
                             cublasOperation_t trans, cublasDiagType_t diag, size_t m, size_t n,             \
                             const T *alpha, const T *a, size_t lda, const T *b, size_t ldb, T *c,           \
                             size_t ldc)                                                                     \
    {                                                                                                        \
        CALL(L, TRMM, #L "trmm");                                                                            \
        VALID(cublas_side(side, &x.side) && cublas_uplo(uplo, &x.uplo) && cublas_trans(trans, &x.trans_a) && \
              cublas_diag(diag, &x.diag));                                                                   \
        x.m = (int64_t)m, A(a, lda), B(b, ldb), C(c, ldc);                                                   \
        SCALAR(alpha, alpha);                                                                                \
        return run(handle, &x);                                                                              \
    }                                                                                                        \
    CUBLAS cublasXt##L##trsm(cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,          \
                             cublasOperation_t trans, cublasDiagType_t diag, size_t m, size_t n,             \
                             const T *alpha, const T *a, size_t lda, T *c, size_t ldc)                       \
    {                                                                                                        \
        CALL(L, TRSM, #L "trsm");                                                                            \
        VALID(cublas_side(side, &x.side) && cublas_uplo(uplo, &x.uplo) && cublas_trans(trans, &x.trans_a) && \
              cublas_diag(diag, &x.diag));                                                                   \
        x.m = (int64_t)m, A(a, lda), C(c, ldc);                                                              \
        SCALAR(alpha, alpha);                                                                                \
        return run(handle, &x);                                                                              \
    }

/* A packed triangle of n rows as it stands in a matrix of n columns. */
static char *unpacked(const char *from, int64_t n, uint64_t bytes, bool upper)
{
    char *out = sw_xcalloc((size_t)(n * n) + 1, bytes);
    for (int64_t j = 0; j < n; j++) {
        int64_t first = upper ? 0 : j, count = upper ? j + 1 : n - j;
        memcpy(out + (uint64_t)(j * n + first) * bytes, from, (uint64_t)count * bytes);
        from += (uint64_t)count * bytes;
    }
    return out;
}

/* The packed matrix is unpacked first, when the device has written what it may hold. */
#define SPMM(L, T)                                                                                           \
    CUBLAS cublasXt##L##spmm(cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,          \
                             size_t m, size_t n, const T *alpha, const T *packed, const T *b, size_t ldb,    \
                             const T *beta, T *c, size_t ldc)                                                \
    {                                                                                                        \
        CALL(L, SYMM, #L "spmm");                                                                            \
        XT_ENTER(handle);                                                                                    \
        VALID(cublas_side(side, &x.side) && cublas_uplo(uplo, &x.uplo) && packed);                           \
        int64_t order = (int64_t)(x.side == BLAS_LEFT ? m : n);                                              \
        x.m = (int64_t)m, B(b, ldb), C(c, ldc);                                                              \
        SCALAR(alpha, alpha);                                                                                \
        SCALAR(beta, beta);                                                                                  \
        VALID(x.m >= 0 && x.n >= 0 && order <= INT32_MAX);                                                   \
        cuCtxSynchronize();                                                                                  \
        char *whole = unpacked((const char *)packed, order, sizeof(T), x.uplo == BLAS_UPPER);                \
        A(whole, order > 0 ? order : 1);                                                                     \
        cublasStatus_t status = run(handle, &x);                                                             \
        free(whole);                                                                                         \
        return status;                                                                                       \
    }
#define ALL(L, T)                                                                                            \
    GEMM(L, T)                                                                                               \
    RANK_K(L, T, T, syrk, SYRK)                                                                              \
    RANK_2K(L, T, T, syr2k, SYR2K)                                                                           \
    RANK_2K(L, T, T, syrkx, SYRKX)                                                                           \
    SIDED(L, T, symm, SYMM)                                                                                  \
    TRIANGLE(L, T)                                                                                           \
    SPMM(L, T)
ALL(S, float)
ALL(D, double)
ALL(C, cuComplex)
ALL(Z, cuDoubleComplex)
#define HERMITIAN(L, T, R)                                                                                   \
    RANK_K(L, T, R, herk, HERK)                                                                              \
    RANK_2K(L, T, R, her2k, HER2K)                                                                           \
    RANK_2K(L, T, R, herkx, HERKX)                                                                           \
    SIDED(L, T, hemm, HEMM)
HERMITIAN(C, cuComplex, float)
HERMITIAN(Z, cuDoubleComplex, double)
