/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: vectors and matrices between the host and the device. Method: strided copies of the driver, of
 * columns, or of single elements for vectors with increments. Limits: none known. */
#include "cublas_priv.h"

struct copy {
    int64_t rows, columns, bytes, from_ld, to_ld;
    const void *from;
    void *to;
    bool to_device;
};

static cublasStatus_t copy_run(const struct copy *x, CUstream stream, bool async)
{
    if (x->rows < 0 || x->columns < 0 || x->bytes <= 0 || x->from_ld <= 0 || x->to_ld <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (x->from_ld < x->rows || x->to_ld < x->rows) return CUBLAS_STATUS_INVALID_VALUE;
    if (x->rows == 0 || x->columns == 0) return CUBLAS_STATUS_SUCCESS;
    CUDA_MEMCPY2D c = {.srcPitch = (size_t)(x->from_ld * x->bytes),
                       .dstPitch = (size_t)(x->to_ld * x->bytes),
                       .WidthInBytes = (size_t)(x->rows * x->bytes),
                       .Height = (size_t)x->columns};
    c.srcMemoryType = x->to_device ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    c.dstMemoryType = x->to_device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
    c.srcHost = x->from;
    c.srcDevice = (CUdeviceptr)(uintptr_t)x->from;
    c.dstHost = x->to;
    c.dstDevice = (CUdeviceptr)(uintptr_t)x->to;
    CUresult result = async ? cuMemcpy2DAsync(&c, stream) : cuMemcpy2DUnaligned(&c);
    return result == CUDA_SUCCESS ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

/* A vector is a matrix of one row: its elements are columns. */
#define VECTOR(name, I, S, device)                                                                           \
    CUBLAS cublas##name##Vector##S(I n, I bytes, const void *x, I incx, void *y, I incy)                     \
    {                                                                                                        \
        return copy_run(&(struct copy){1, n, bytes, incx, incy, x, y, device}, NULL, false);                 \
    }                                                                                                        \
    CUBLAS cublas##name##VectorAsync##S(I n, I bytes, const void *x, I incx, void *y, I incy,                \
                                        cudaStream_t stream)                                                 \
    {                                                                                                        \
        return copy_run(&(struct copy){1, n, bytes, incx, incy, x, y, device}, (CUstream)stream, true);      \
    }                                                                                                        \
    CUBLAS cublas##name##Matrix##S(I rows, I columns, I bytes, const void *a, I lda, void *b, I ldb)         \
    {                                                                                                        \
        return copy_run(&(struct copy){rows, columns, bytes, lda, ldb, a, b, device}, NULL, false);          \
    }                                                                                                        \
    CUBLAS cublas##name##MatrixAsync##S(I rows, I columns, I bytes, const void *a, I lda, void *b, I ldb,    \
                                        cudaStream_t stream)                                                 \
    {                                                                                                        \
        return copy_run(&(struct copy){rows, columns, bytes, lda, ldb, a, b, device}, (CUstream)stream,      \
                        true);                                                                               \
    }
VECTOR(Set, int, , true)
VECTOR(Set, int64_t, _64, true)
VECTOR(Get, int, , false)
VECTOR(Get, int64_t, _64, false)
