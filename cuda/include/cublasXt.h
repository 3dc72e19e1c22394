/* SPDX-License-Identifier: Apache-2.0 */
/* cublasXt: products of matrices in the host's memory, spread over devices. Names, numbers and parameters are NVIDIA's
 * (documentation of cuBLAS, "Using the cublasXt API"). */
#ifndef CUBLAS_XT_H_
#define CUBLAS_XT_H_

#include "cublas_v2.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cublasXtContext *cublasXtHandle_t;
typedef enum { CUBLASXT_PINNING_DISABLED = 0, CUBLASXT_PINNING_ENABLED = 1 } cublasXtPinnedMemMode_t;
typedef enum { CUBLASXT_FLOAT = 0, CUBLASXT_DOUBLE = 1, CUBLASXT_COMPLEX = 2, CUBLASXT_DOUBLECOMPLEX = 3 } cublasXtOpType_t;
typedef enum {
    CUBLASXT_GEMM = 0,
    CUBLASXT_SYRK = 1,
    CUBLASXT_HERK = 2,
    CUBLASXT_SYMM = 3,
    CUBLASXT_HEMM = 4,
    CUBLASXT_TRSM = 5,
    CUBLASXT_SYR2K = 6,
    CUBLASXT_HER2K = 7,
    CUBLASXT_SPMM = 8,
    CUBLASXT_SYRKX = 9,
    CUBLASXT_HERKX = 10,
    CUBLASXT_TRMM = 11,
    CUBLASXT_ROUTINE_MAX = 12
} cublasXtBlasOp_t;

cublasStatus_t CUBLASWINAPI cublasXtCreate(cublasXtHandle_t *handle);
cublasStatus_t CUBLASWINAPI cublasXtDestroy(cublasXtHandle_t handle);
cublasStatus_t CUBLASWINAPI cublasXtGetNumBoards(int nbDevices, int deviceId[], int *nbBoards);
cublasStatus_t CUBLASWINAPI cublasXtMaxBoards(int *nbGpuBoards);
cublasStatus_t CUBLASWINAPI cublasXtDeviceSelect(cublasXtHandle_t handle, int nbDevices, int deviceId[]);
cublasStatus_t CUBLASWINAPI cublasXtSetBlockDim(cublasXtHandle_t handle, int blockDim);
cublasStatus_t CUBLASWINAPI cublasXtGetBlockDim(cublasXtHandle_t handle, int *blockDim);
cublasStatus_t CUBLASWINAPI cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t *mode);
cublasStatus_t CUBLASWINAPI cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode);
cublasStatus_t CUBLASWINAPI cublasXtSetCpuRoutine(cublasXtHandle_t handle, cublasXtBlasOp_t blasOp, cublasXtOpType_t type,
                                                  void *blasFunctor);
cublasStatus_t CUBLASWINAPI cublasXtSetCpuRatio(cublasXtHandle_t handle, cublasXtBlasOp_t blasOp, cublasXtOpType_t type, float ratio);

/* clang-format off */
#define CUBLASXT_RANK(name, T, R) \
    cublasStatus_t CUBLASWINAPI cublasXt##name(cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, size_t n, \
                                               size_t k, const R *alpha, const T *A, size_t lda, const R *beta, T *C, size_t ldc)
#define CUBLASXT_RANK2(name, T, R) \
    cublasStatus_t CUBLASWINAPI cublasXt##name(cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, size_t n, \
                                               size_t k, const T *alpha, const T *A, size_t lda, const T *B, size_t ldb, \
                                               const R *beta, T *C, size_t ldc)
#define CUBLASXT_SIDED(name, T) \
    cublasStatus_t CUBLASWINAPI cublasXt##name(cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, size_t m, \
                                               size_t n, const T *alpha, const T *A, size_t lda, const T *B, size_t ldb, \
                                               const T *beta, T *C, size_t ldc)
#define CUBLASXT_ALL(L, T) \
    cublasStatus_t CUBLASWINAPI cublasXt##L##gemm(cublasXtHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, \
                                                  size_t m, size_t n, size_t k, const T *alpha, const T *A, size_t lda, const T *B, \
                                                  size_t ldb, const T *beta, T *C, size_t ldc); \
    CUBLASXT_RANK(L##syrk, T, T); \
    CUBLASXT_RANK2(L##syr2k, T, T); \
    CUBLASXT_RANK2(L##syrkx, T, T); \
    CUBLASXT_SIDED(L##symm, T); \
    cublasStatus_t CUBLASWINAPI cublasXt##L##spmm(cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, size_t m, \
                                                  size_t n, const T *alpha, const T *AP, const T *B, size_t ldb, const T *beta, \
                                                  T *C, size_t ldc); \
    cublasStatus_t CUBLASWINAPI cublasXt##L##trmm(cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, \
                                                  cublasOperation_t trans, cublasDiagType_t diag, size_t m, size_t n, \
                                                  const T *alpha, const T *A, size_t lda, const T *B, size_t ldb, T *C, size_t ldc); \
    cublasStatus_t CUBLASWINAPI cublasXt##L##trsm(cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, \
                                                  cublasOperation_t trans, cublasDiagType_t diag, size_t m, size_t n, \
                                                  const T *alpha, const T *A, size_t lda, T *B, size_t ldb)
#define CUBLASXT_HERMITIAN(L, T, R) \
    CUBLASXT_RANK(L##herk, T, R); \
    CUBLASXT_RANK2(L##her2k, T, R); \
    CUBLASXT_RANK2(L##herkx, T, R); \
    CUBLASXT_SIDED(L##hemm, T)
/* clang-format on */
CUBLASXT_ALL(S, float);
CUBLASXT_ALL(D, double);
CUBLASXT_ALL(C, cuComplex);
CUBLASXT_ALL(Z, cuDoubleComplex);
CUBLASXT_HERMITIAN(C, cuComplex, float);
CUBLASXT_HERMITIAN(Z, cuDoubleComplex, double);
#undef CUBLASXT_RANK
#undef CUBLASXT_RANK2
#undef CUBLASXT_SIDED
#undef CUBLASXT_ALL
#undef CUBLASXT_HERMITIAN

#ifdef __cplusplus
}
#endif
#endif
