/* SPDX-License-Identifier: Apache-2.0 */
/* The interface of cuSPARSE that Softwarp's libcusparse has: names, numbers and parameters are NVIDIA's
 * (documentation of cuSPARSE 12.6, which CUDA 13.0 has). Functions of one type stand once, for all of their
 * types. What NVIDIA's library exports and Softwarp's does not do returns CUSPARSE_STATUS_NOT_SUPPORTED
 * (docs/libraries/cusparse.md). */
#ifndef CUSPARSE_H_
#define CUSPARSE_H_

#include "cuComplex.h"
#include "cuda_fp16.h"
#include "driver_types.h"
#include "library_types.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 6
#define CUSPARSE_VER_PATCH 3
#define CUSPARSE_VER_BUILD 3
#define CUSPARSE_VERSION   (CUSPARSE_VER_MAJOR * 1000 + CUSPARSE_VER_MINOR * 100 + CUSPARSE_VER_PATCH)
#define CUSPARSEAPI

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what functions are given */

typedef enum {
    CUSPARSE_STATUS_SUCCESS = 0,
    CUSPARSE_STATUS_NOT_INITIALIZED = 1,
    CUSPARSE_STATUS_ALLOC_FAILED = 2,
    CUSPARSE_STATUS_INVALID_VALUE = 3,
    CUSPARSE_STATUS_ARCH_MISMATCH = 4,
    CUSPARSE_STATUS_MAPPING_ERROR = 5,
    CUSPARSE_STATUS_EXECUTION_FAILED = 6,
    CUSPARSE_STATUS_INTERNAL_ERROR = 7,
    CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
    CUSPARSE_STATUS_ZERO_PIVOT = 9,
    CUSPARSE_STATUS_NOT_SUPPORTED = 10,
    CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;
typedef enum { CUSPARSE_POINTER_MODE_HOST = 0, CUSPARSE_POINTER_MODE_DEVICE = 1 } cusparsePointerMode_t;
typedef enum { CUSPARSE_ACTION_SYMBOLIC = 0, CUSPARSE_ACTION_NUMERIC = 1 } cusparseAction_t;
typedef enum {
    CUSPARSE_MATRIX_TYPE_GENERAL = 0,
    CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1,
    CUSPARSE_MATRIX_TYPE_HERMITIAN = 2,
    CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3
} cusparseMatrixType_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER = 0, CUSPARSE_FILL_MODE_UPPER = 1 } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT = 0, CUSPARSE_DIAG_TYPE_UNIT = 1 } cusparseDiagType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 } cusparseIndexBase_t;
typedef enum {
    CUSPARSE_OPERATION_NON_TRANSPOSE = 0,
    CUSPARSE_OPERATION_TRANSPOSE = 1,
    CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
} cusparseOperation_t;
typedef enum { CUSPARSE_DIRECTION_ROW = 0, CUSPARSE_DIRECTION_COLUMN = 1 } cusparseDirection_t;
typedef enum {
    CUSPARSE_SOLVE_POLICY_NO_LEVEL = 0,
    CUSPARSE_SOLVE_POLICY_USE_LEVEL = 1
} cusparseSolvePolicy_t;
typedef enum { CUSPARSE_COLOR_ALG0 = 0, CUSPARSE_COLOR_ALG1 = 1 } cusparseColorAlg_t;
typedef enum { CUSPARSE_CSR2CSC_ALG_DEFAULT = 1, CUSPARSE_CSR2CSC_ALG1 = 1 } cusparseCsr2CscAlg_t;
typedef enum {
    CUSPARSE_FORMAT_CSR = 1,
    CUSPARSE_FORMAT_CSC = 2,
    CUSPARSE_FORMAT_COO = 3,
    CUSPARSE_FORMAT_BLOCKED_ELL = 5,
    CUSPARSE_FORMAT_BSR = 6,
    CUSPARSE_FORMAT_SLICED_ELLPACK = 7
} cusparseFormat_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 } cusparseIndexType_t;
typedef enum { CUSPARSE_SPMAT_FILL_MODE = 0, CUSPARSE_SPMAT_DIAG_TYPE = 1 } cusparseSpMatAttribute_t;
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 } cusparseSparseToDenseAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0 } cusparseDenseToSparseAlg_t;
typedef enum {
    CUSPARSE_SPMV_ALG_DEFAULT = 0,
    CUSPARSE_SPMV_CSR_ALG1 = 2,
    CUSPARSE_SPMV_CSR_ALG2 = 3,
    CUSPARSE_SPMV_COO_ALG1 = 1,
    CUSPARSE_SPMV_COO_ALG2 = 4,
    CUSPARSE_SPMV_SELL_ALG1 = 5,
    CUSPARSE_SPMV_BSR_ALG1 = 6
} cusparseSpMVAlg_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT = 0 } cusparseSpSVAlg_t;
typedef enum { CUSPARSE_SPSV_UPDATE_GENERAL = 0, CUSPARSE_SPSV_UPDATE_DIAGONAL = 1 } cusparseSpSVUpdate_t;
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT = 0 } cusparseSpSMAlg_t;
typedef enum { CUSPARSE_SPSM_UPDATE_GENERAL = 0, CUSPARSE_SPSM_UPDATE_DIAGONAL = 1 } cusparseSpSMUpdate_t;
typedef enum {
    CUSPARSE_SPMM_ALG_DEFAULT = 0,
    CUSPARSE_SPMM_COO_ALG1 = 1,
    CUSPARSE_SPMM_COO_ALG2 = 2,
    CUSPARSE_SPMM_COO_ALG3 = 3,
    CUSPARSE_SPMM_COO_ALG4 = 5,
    CUSPARSE_SPMM_CSR_ALG1 = 4,
    CUSPARSE_SPMM_CSR_ALG2 = 6,
    CUSPARSE_SPMM_CSR_ALG3 = 12,
    CUSPARSE_SPMM_BLOCKED_ELL_ALG1 = 13,
    CUSPARSE_SPMM_BSR_ALG1 = 14
} cusparseSpMMAlg_t;
typedef enum {
    CUSPARSE_SPGEMM_DEFAULT = 0,
    CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC = 1,
    CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC = 2,
    CUSPARSE_SPGEMM_ALG1 = 3,
    CUSPARSE_SPGEMM_ALG2 = 4,
    CUSPARSE_SPGEMM_ALG3 = 5
} cusparseSpGEMMAlg_t;
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT = 0 } cusparseSDDMMAlg_t;
typedef enum { CUSPARSE_SPMM_OP_ALG_DEFAULT = 0 } cusparseSpMMOpAlg_t;
typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct cusparseColorInfo *cusparseColorInfo_t;
typedef struct bsrsv2Info *bsrsv2Info_t;
typedef struct bsrsm2Info *bsrsm2Info_t;
typedef struct csric02Info *csric02Info_t;
typedef struct bsric02Info *bsric02Info_t;
typedef struct csrilu02Info *csrilu02Info_t;
typedef struct bsrilu02Info *bsrilu02Info_t;
typedef struct csru2csrInfo *csru2csrInfo_t;
typedef struct pruneInfo *pruneInfo_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr *cusparseSpSMDescr_t;
typedef struct cusparseSpGEMMDescr *cusparseSpGEMMDescr_t;
typedef struct cusparseSpMMOpPlan *cusparseSpMMOpPlan_t;
typedef const struct cusparseSpVecDescr *cusparseConstSpVecDescr_t;
typedef const struct cusparseDnVecDescr *cusparseConstDnVecDescr_t;
typedef const struct cusparseSpMatDescr *cusparseConstSpMatDescr_t;
typedef const struct cusparseDnMatDescr *cusparseConstDnMatDescr_t;
typedef void (*cusparseLoggerCallback_t)(int level, const char *function, const char *message);

/* Of each type: its letter and name, and the name of its real parts. */
#ifdef __cplusplus
#define CUSPARSE_OF_H(DECLARE) DECLARE(H, __half, __half)
#else /* C has no halves: their bits */
#define CUSPARSE_OF_H(DECLARE) DECLARE(H, uint16_t, uint16_t)
#endif
#define CUSPARSE_OF_REALS(DECLARE) DECLARE(S, float, float) DECLARE(D, double, double)
#define CUSPARSE_OF_ALL(DECLARE)                                                                             \
    CUSPARSE_OF_REALS(DECLARE) DECLARE(C, cuComplex, float) DECLARE(Z, cuDoubleComplex, double)

/* ---- functions */

CUSPARSEAPI cusparseStatus_t cusparseCreate(cusparseHandle_t *handle);
CUSPARSEAPI cusparseStatus_t cusparseDestroy(cusparseHandle_t handle);
CUSPARSEAPI cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version);
CUSPARSEAPI cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int *value);
CUSPARSEAPI const char *cusparseGetErrorName(cusparseStatus_t status);
CUSPARSEAPI const char *cusparseGetErrorString(cusparseStatus_t status);
CUSPARSEAPI cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream_id);
CUSPARSEAPI cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream_id);
CUSPARSEAPI cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode);
CUSPARSEAPI cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode);
CUSPARSEAPI cusparseStatus_t cusparseLoggerSetCallback(cusparseLoggerCallback_t callback);
CUSPARSEAPI cusparseStatus_t cusparseLoggerSetFile(FILE *file);
CUSPARSEAPI cusparseStatus_t cusparseLoggerOpenFile(const char *log_file);
CUSPARSEAPI cusparseStatus_t cusparseLoggerSetLevel(int level);
CUSPARSEAPI cusparseStatus_t cusparseLoggerSetMask(int mask);
CUSPARSEAPI cusparseStatus_t cusparseLoggerForceDisable(void);
CUSPARSEAPI cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descr_a);
CUSPARSEAPI cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descr_a);
CUSPARSEAPI cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descr_a, cusparseMatrixType_t type);
CUSPARSEAPI cusparseMatrixType_t cusparseGetMatType(cusparseMatDescr_t descr_a);
CUSPARSEAPI cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descr_a, cusparseFillMode_t fill_mode);
CUSPARSEAPI cusparseFillMode_t cusparseGetMatFillMode(cusparseMatDescr_t descr_a);
CUSPARSEAPI cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descr_a, cusparseDiagType_t diag_type);
CUSPARSEAPI cusparseDiagType_t cusparseGetMatDiagType(cusparseMatDescr_t descr_a);
CUSPARSEAPI cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descr_a, cusparseIndexBase_t base);
CUSPARSEAPI cusparseIndexBase_t cusparseGetMatIndexBase(cusparseMatDescr_t descr_a);
CUSPARSEAPI cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t *info);
CUSPARSEAPI cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info);
CUSPARSEAPI cusparseStatus_t cusparseCreateBsric02Info(bsric02Info_t *info);
CUSPARSEAPI cusparseStatus_t cusparseDestroyBsric02Info(bsric02Info_t info);
CUSPARSEAPI cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info);
CUSPARSEAPI cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info);
CUSPARSEAPI cusparseStatus_t cusparseCreateBsrilu02Info(bsrilu02Info_t *info);
CUSPARSEAPI cusparseStatus_t cusparseDestroyBsrilu02Info(bsrilu02Info_t info);
CUSPARSEAPI cusparseStatus_t cusparseCreateBsrsv2Info(bsrsv2Info_t *info);
CUSPARSEAPI cusparseStatus_t cusparseDestroyBsrsv2Info(bsrsv2Info_t info);
CUSPARSEAPI cusparseStatus_t cusparseCreateBsrsm2Info(bsrsm2Info_t *info);
CUSPARSEAPI cusparseStatus_t cusparseDestroyBsrsm2Info(bsrsm2Info_t info);
CUSPARSEAPI cusparseStatus_t cusparseCreateCsru2csrInfo(csru2csrInfo_t *info);
CUSPARSEAPI cusparseStatus_t cusparseDestroyCsru2csrInfo(csru2csrInfo_t info);
CUSPARSEAPI cusparseStatus_t cusparseCreateColorInfo(cusparseColorInfo_t *info);
CUSPARSEAPI cusparseStatus_t cusparseDestroyColorInfo(cusparseColorInfo_t info);
CUSPARSEAPI cusparseStatus_t cusparseCreatePruneInfo(pruneInfo_t *info);
CUSPARSEAPI cusparseStatus_t cusparseDestroyPruneInfo(pruneInfo_t info);
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##gemvi(                                                         \
        cusparseHandle_t handle, cusparseOperation_t trans_a, int m, int n, const T *alpha, const T *a,      \
        int lda, int nnz, const T *x_val, const int *x_ind, const T *beta, T *y,                             \
        cusparseIndexBase_t idx_base, void *buffer);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##gemvi_bufferSize(                                              \
        cusparseHandle_t handle, cusparseOperation_t trans_a, int m, int n, int nnz, int *bytes);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##bsrmv(                                                         \
        cusparseHandle_t handle, cusparseDirection_t dir_a, cusparseOperation_t trans_a, int mb, int nb,     \
        int nnzb, const T *alpha, cusparseMatDescr_t descr_a, const T *bsr_val_a, const int *bsr_row_ptr_a,  \
        const int *bsr_col_ind_a, int block_dim, const T *x, const T *beta, T *y);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##bsrxmv(                                                        \
        cusparseHandle_t handle, cusparseDirection_t dir_a, cusparseOperation_t trans_a, int size_of_mask,   \
        int mb, int nb, int nnzb, const T *alpha, cusparseMatDescr_t descr_a, const T *bsr_val_a,            \
        const int *bsr_mask_ptr_a, const int *bsr_row_ptr_a, const int *bsr_end_ptr_a,                       \
        const int *bsr_col_ind_a, int block_dim, const T *x, const T *beta, T *y);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
CUSPARSEAPI cusparseStatus_t cusparseXbsrsv2_zeroPivot(cusparseHandle_t handle, bsrsv2Info_t info,
                                                       int *position);
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##bsrsv2_bufferSize(                                             \
        cusparseHandle_t handle, cusparseDirection_t dir_a, cusparseOperation_t trans_a, int mb, int nnzb,   \
        cusparseMatDescr_t descr_a, T *bsr_val_a, const int *bsr_row_ptr_a, const int *bsr_col_ind_a,        \
        int block_dim, bsrsv2Info_t info, int *bytes);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##bsrsv2_analysis(                                               \
        cusparseHandle_t handle, cusparseDirection_t dir_a, cusparseOperation_t trans_a, int mb, int nnzb,   \
        cusparseMatDescr_t descr_a, const T *bsr_val_a, const int *bsr_row_ptr_a, const int *bsr_col_ind_a,  \
        int block_dim, bsrsv2Info_t info, cusparseSolvePolicy_t policy, void *buffer);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##bsrsv2_solve(                                                  \
        cusparseHandle_t handle, cusparseDirection_t dir_a, cusparseOperation_t trans_a, int mb, int nnzb,   \
        const T *alpha, cusparseMatDescr_t descr_a, const T *bsr_val_a, const int *bsr_row_ptr_a,            \
        const int *bsr_col_ind_a, int block_dim, bsrsv2Info_t info, const T *f, T *x,                        \
        cusparseSolvePolicy_t policy, void *buffer);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##bsrmm(                                                         \
        cusparseHandle_t handle, cusparseDirection_t dir_a, cusparseOperation_t trans_a,                     \
        cusparseOperation_t trans_b, int mb, int n, int kb, int nnzb, const T *alpha,                        \
        cusparseMatDescr_t descr_a, const T *bsr_val_a, const int *bsr_row_ptr_a, const int *bsr_col_ind_a,  \
        int block_size, const T *b, int ldb, const T *beta, T *c, int ldc);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
CUSPARSEAPI cusparseStatus_t cusparseXbsrsm2_zeroPivot(cusparseHandle_t handle, bsrsm2Info_t info,
                                                       int *position);
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##bsrsm2_bufferSize(                                             \
        cusparseHandle_t handle, cusparseDirection_t dir_a, cusparseOperation_t trans_a,                     \
        cusparseOperation_t trans_xy, int mb, int n, int nnzb, cusparseMatDescr_t descr_a, T *bsr_val,       \
        const int *bsr_row_ptr, const int *bsr_col_ind, int block_size, bsrsm2Info_t info, int *bytes);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##bsrsm2_analysis(                                               \
        cusparseHandle_t handle, cusparseDirection_t dir_a, cusparseOperation_t trans_a,                     \
        cusparseOperation_t trans_xy, int mb, int n, int nnzb, cusparseMatDescr_t descr_a, const T *bsr_val, \
        const int *bsr_row_ptr, const int *bsr_col_ind, int block_size, bsrsm2Info_t info,                   \
        cusparseSolvePolicy_t policy, void *buffer);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##bsrsm2_solve(                                                  \
        cusparseHandle_t handle, cusparseDirection_t dir_a, cusparseOperation_t trans_a,                     \
        cusparseOperation_t trans_xy, int mb, int n, int nnzb, const T *alpha, cusparseMatDescr_t descr_a,   \
        const T *bsr_val, const int *bsr_row_ptr, const int *bsr_col_ind, int block_size, bsrsm2Info_t info, \
        const T *b, int ldb, T *x, int ldx, cusparseSolvePolicy_t policy, void *buffer);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##csrilu02_numericBoost(                                         \
        cusparseHandle_t handle, csrilu02Info_t info, int enable_boost, double *tol, T *boost_val);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
CUSPARSEAPI cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info,
                                                         int *position);
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##csrilu02_bufferSize(                                           \
        cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descr_a, T *csr_val_a,                   \
        const int *csr_row_ptr_a, const int *csr_col_ind_a, csrilu02Info_t info, int *bytes);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##csrilu02_analysis(                                             \
        cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descr_a, const T *csr_val_a,             \
        const int *csr_row_ptr_a, const int *csr_col_ind_a, csrilu02Info_t info,                             \
        cusparseSolvePolicy_t policy, void *buffer);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##csrilu02(                                                      \
        cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descr_a, T *csr_val_a_val_m,             \
        const int *csr_row_ptr_a, const int *csr_col_ind_a, csrilu02Info_t info,                             \
        cusparseSolvePolicy_t policy, void *buffer);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##bsrilu02_numericBoost(                                         \
        cusparseHandle_t handle, bsrilu02Info_t info, int enable_boost, double *tol, T *boost_val);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
CUSPARSEAPI cusparseStatus_t cusparseXbsrilu02_zeroPivot(cusparseHandle_t handle, bsrilu02Info_t info,
                                                         int *position);
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##bsrilu02_bufferSize(                                           \
        cusparseHandle_t handle, cusparseDirection_t dir_a, int mb, int nnzb, cusparseMatDescr_t descr_a,    \
        T *bsr_val, const int *bsr_row_ptr, const int *bsr_col_ind, int block_dim, bsrilu02Info_t info,      \
        int *bytes);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##bsrilu02_analysis(                                             \
        cusparseHandle_t handle, cusparseDirection_t dir_a, int mb, int nnzb, cusparseMatDescr_t descr_a,    \
        T *bsr_val, const int *bsr_row_ptr, const int *bsr_col_ind, int block_dim, bsrilu02Info_t info,      \
        cusparseSolvePolicy_t policy, void *buffer);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##bsrilu02(                                                      \
        cusparseHandle_t handle, cusparseDirection_t dir_a, int mb, int nnzb, cusparseMatDescr_t descr_a,    \
        T *bsr_val, const int *bsr_row_ptr, const int *bsr_col_ind, int block_dim, bsrilu02Info_t info,      \
        cusparseSolvePolicy_t policy, void *buffer);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
CUSPARSEAPI cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t handle, csric02Info_t info,
                                                        int *position);
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##csric02_bufferSize(                                            \
        cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descr_a, T *csr_val_a,                   \
        const int *csr_row_ptr_a, const int *csr_col_ind_a, csric02Info_t info, int *bytes);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##csric02_analysis(                                              \
        cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descr_a, const T *csr_val_a,             \
        const int *csr_row_ptr_a, const int *csr_col_ind_a, csric02Info_t info,                              \
        cusparseSolvePolicy_t policy, void *buffer);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##csric02(                                                       \
        cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descr_a, T *csr_val_a_val_m,             \
        const int *csr_row_ptr_a, const int *csr_col_ind_a, csric02Info_t info,                              \
        cusparseSolvePolicy_t policy, void *buffer);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
CUSPARSEAPI cusparseStatus_t cusparseXbsric02_zeroPivot(cusparseHandle_t handle, bsric02Info_t info,
                                                        int *position);
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##bsric02_bufferSize(                                            \
        cusparseHandle_t handle, cusparseDirection_t dir_a, int mb, int nnzb, cusparseMatDescr_t descr_a,    \
        T *bsr_val, const int *bsr_row_ptr, const int *bsr_col_ind, int block_dim, bsric02Info_t info,       \
        int *bytes);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##bsric02_analysis(                                              \
        cusparseHandle_t handle, cusparseDirection_t dir_a, int mb, int nnzb, cusparseMatDescr_t descr_a,    \
        const T *bsr_val, const int *bsr_row_ptr, const int *bsr_col_ind, int block_dim, bsric02Info_t info, \
        cusparseSolvePolicy_t policy, void *buffer);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##bsric02(                                                       \
        cusparseHandle_t handle, cusparseDirection_t dir_a, int mb, int nnzb, cusparseMatDescr_t descr_a,    \
        T *bsr_val, const int *bsr_row_ptr, const int *bsr_col_ind, int block_dim, bsric02Info_t info,       \
        cusparseSolvePolicy_t policy, void *buffer);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##gtsv2_bufferSizeExt(cusparseHandle_t handle, int m, int n,     \
                                                                  const T *dl, const T *d, const T *du,      \
                                                                  const T *b, int ldb, size_t *bytes);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##gtsv2(cusparseHandle_t handle, int m, int n, const T *dl,      \
                                                    const T *d, const T *du, T *b, int ldb, void *buffer);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##gtsv2_nopivot_bufferSizeExt(                                   \
        cusparseHandle_t handle, int m, int n, const T *dl, const T *d, const T *du, const T *b, int ldb,    \
        size_t *bytes);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##gtsv2_nopivot(cusparseHandle_t handle, int m, int n,           \
                                                            const T *dl, const T *d, const T *du, T *b,      \
                                                            int ldb, void *buffer);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##gtsv2StridedBatch_bufferSizeExt(                               \
        cusparseHandle_t handle, int m, const T *dl, const T *d, const T *du, const T *x, int batch_count,   \
        int batch_stride, size_t *bytes);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##gtsv2StridedBatch(                                             \
        cusparseHandle_t handle, int m, const T *dl, const T *d, const T *du, T *x, int batch_count,         \
        int batch_stride, void *buffer);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##gtsvInterleavedBatch_bufferSizeExt(                            \
        cusparseHandle_t handle, int algo, int m, const T *dl, const T *d, const T *du, const T *x,          \
        int batch_count, size_t *bytes);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##gtsvInterleavedBatch(                                          \
        cusparseHandle_t handle, int algo, int m, T *dl, T *d, T *du, T *x, int batch_count, void *buffer);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##gpsvInterleavedBatch_bufferSizeExt(                            \
        cusparseHandle_t handle, int algo, int m, const T *ds, const T *dl, const T *d, const T *du,         \
        const T *dw, const T *x, int batch_count, size_t *bytes);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##gpsvInterleavedBatch(cusparseHandle_t handle, int algo, int m, \
                                                                   T *ds, T *dl, T *d, T *du, T *dw, T *x,   \
                                                                   int batch_count, void *buffer);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##csrgeam2_bufferSizeExt(                                        \
        cusparseHandle_t handle, int m, int n, const T *alpha, cusparseMatDescr_t descr_a, int nnz_a,        \
        const T *csr_val_a, const int *csr_row_ptr_a, const int *csr_col_ind_a, const T *beta,               \
        cusparseMatDescr_t descr_b, int nnz_b, const T *csr_val_b, const int *csr_row_ptr_b,                 \
        const int *csr_col_ind_b, cusparseMatDescr_t descr_c, const T *csr_val_c, const int *csr_row_ptr_c,  \
        const int *csr_col_ind_c, size_t *bytes);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
CUSPARSEAPI cusparseStatus_t cusparseXcsrgeam2Nnz(
    cusparseHandle_t handle, int m, int n, cusparseMatDescr_t descr_a, int nnz_a, const int *csr_row_ptr_a,
    const int *csr_col_ind_a, cusparseMatDescr_t descr_b, int nnz_b, const int *csr_row_ptr_b,
    const int *csr_col_ind_b, cusparseMatDescr_t descr_c, int *csr_row_ptr_c, int *nnz_total, void *buffer);
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##csrgeam2(                                                      \
        cusparseHandle_t handle, int m, int n, const T *alpha, cusparseMatDescr_t descr_a, int nnz_a,        \
        const T *csr_val_a, const int *csr_row_ptr_a, const int *csr_col_ind_a, const T *beta,               \
        cusparseMatDescr_t descr_b, int nnz_b, const T *csr_val_b, const int *csr_row_ptr_b,                 \
        const int *csr_col_ind_b, cusparseMatDescr_t descr_c, T *csr_val_c, int *csr_row_ptr_c,              \
        int *csr_col_ind_c, void *buffer);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##csrcolor(                                                      \
        cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descr_a, const T *csr_val_a,             \
        const int *csr_row_ptr_a, const int *csr_col_ind_a, const R *fraction_to_color, int *ncolors,        \
        int *coloring, int *reordering, cusparseColorInfo_t info);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##nnz(cusparseHandle_t handle, cusparseDirection_t dir_a, int m, \
                                                  int n, cusparseMatDescr_t descr_a, const T *a, int lda,    \
                                                  int *nnz_per_row_col, int *nnz_total);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##nnz_compress(                                                  \
        cusparseHandle_t handle, int m, cusparseMatDescr_t descr, const T *csr_val_a,                        \
        const int *csr_row_ptr_a, int *nnz_per_row, int *nnz_c, T tol);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##csr2csr_compress(                                              \
        cusparseHandle_t handle, int m, int n, cusparseMatDescr_t descr_a, const T *csr_val_a,               \
        const int *csr_col_ind_a, const int *csr_row_ptr_a, int nnz_a, const int *nnz_per_row, T *csr_val_c, \
        int *csr_col_ind_c, int *csr_row_ptr_c, T tol);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
CUSPARSEAPI cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *coo_row_ind, int nnz, int m,
                                              int *csr_row_ptr, cusparseIndexBase_t idx_base);
CUSPARSEAPI cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *csr_row_ptr, int nnz, int m,
                                              int *coo_row_ind, cusparseIndexBase_t idx_base);
CUSPARSEAPI cusparseStatus_t cusparseXcsr2bsrNnz(cusparseHandle_t handle, cusparseDirection_t dir_a, int m,
                                                 int n, cusparseMatDescr_t descr_a, const int *csr_row_ptr_a,
                                                 const int *csr_col_ind_a, int block_dim,
                                                 cusparseMatDescr_t descr_c, int *bsr_row_ptr_c,
                                                 int *nnz_total);
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##csr2bsr(                                                       \
        cusparseHandle_t handle, cusparseDirection_t dir_a, int m, int n, cusparseMatDescr_t descr_a,        \
        const T *csr_val_a, const int *csr_row_ptr_a, const int *csr_col_ind_a, int block_dim,               \
        cusparseMatDescr_t descr_c, T *bsr_val_c, int *bsr_row_ptr_c, int *bsr_col_ind_c);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##bsr2csr(                                                       \
        cusparseHandle_t handle, cusparseDirection_t dir_a, int mb, int nb, cusparseMatDescr_t descr_a,      \
        const T *bsr_val_a, const int *bsr_row_ptr_a, const int *bsr_col_ind_a, int block_dim,               \
        cusparseMatDescr_t descr_c, T *csr_val_c, int *csr_row_ptr_c, int *csr_col_ind_c);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##gebsr2gebsc_bufferSize(                                        \
        cusparseHandle_t handle, int mb, int nb, int nnzb, const T *bsr_val, const int *bsr_row_ptr,         \
        const int *bsr_col_ind, int row_block_dim, int col_block_dim, int *bytes);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##gebsr2gebsc(                                                   \
        cusparseHandle_t handle, int mb, int nb, int nnzb, const T *bsr_val, const int *bsr_row_ptr,         \
        const int *bsr_col_ind, int row_block_dim, int col_block_dim, T *bsc_val, int *bsc_row_ind,          \
        int *bsc_col_ptr, cusparseAction_t copy_values, cusparseIndexBase_t idx_base, void *buffer);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##gebsr2csr(                                                     \
        cusparseHandle_t handle, cusparseDirection_t dir_a, int mb, int nb, cusparseMatDescr_t descr_a,      \
        const T *bsr_val_a, const int *bsr_row_ptr_a, const int *bsr_col_ind_a, int row_block_dim,           \
        int col_block_dim, cusparseMatDescr_t descr_c, T *csr_val_c, int *csr_row_ptr_c,                     \
        int *csr_col_ind_c);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##csr2gebsr_bufferSize(                                          \
        cusparseHandle_t handle, cusparseDirection_t dir_a, int m, int n, cusparseMatDescr_t descr_a,        \
        const T *csr_val_a, const int *csr_row_ptr_a, const int *csr_col_ind_a, int row_block_dim,           \
        int col_block_dim, int *bytes);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
CUSPARSEAPI cusparseStatus_t cusparseXcsr2gebsrNnz(cusparseHandle_t handle, cusparseDirection_t dir_a, int m,
                                                   int n, cusparseMatDescr_t descr_a,
                                                   const int *csr_row_ptr_a, const int *csr_col_ind_a,
                                                   cusparseMatDescr_t descr_c, int *bsr_row_ptr_c,
                                                   int row_block_dim, int col_block_dim, int *nnz_total,
                                                   void *buffer);
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##csr2gebsr(                                                     \
        cusparseHandle_t handle, cusparseDirection_t dir_a, int m, int n, cusparseMatDescr_t descr_a,        \
        const T *csr_val_a, const int *csr_row_ptr_a, const int *csr_col_ind_a, cusparseMatDescr_t descr_c,  \
        T *bsr_val_c, int *bsr_row_ptr_c, int *bsr_col_ind_c, int row_block_dim, int col_block_dim,          \
        void *buffer);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##gebsr2gebsr_bufferSize(                                        \
        cusparseHandle_t handle, cusparseDirection_t dir_a, int mb, int nb, int nnzb,                        \
        cusparseMatDescr_t descr_a, const T *bsr_val_a, const int *bsr_row_ptr_a, const int *bsr_col_ind_a,  \
        int row_block_dim_a, int col_block_dim_a, int row_block_dim_c, int col_block_dim_c, int *bytes);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
CUSPARSEAPI cusparseStatus_t cusparseXgebsr2gebsrNnz(cusparseHandle_t handle, cusparseDirection_t dir_a,
                                                     int mb, int nb, int nnzb, cusparseMatDescr_t descr_a,
                                                     const int *bsr_row_ptr_a, const int *bsr_col_ind_a,
                                                     int row_block_dim_a, int col_block_dim_a,
                                                     cusparseMatDescr_t descr_c, int *bsr_row_ptr_c,
                                                     int row_block_dim_c, int col_block_dim_c, int *nnz_total,
                                                     void *buffer);
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##gebsr2gebsr(                                                   \
        cusparseHandle_t handle, cusparseDirection_t dir_a, int mb, int nb, int nnzb,                        \
        cusparseMatDescr_t descr_a, const T *bsr_val_a, const int *bsr_row_ptr_a, const int *bsr_col_ind_a,  \
        int row_block_dim_a, int col_block_dim_a, cusparseMatDescr_t descr_c, T *bsr_val_c,                  \
        int *bsr_row_ptr_c, int *bsr_col_ind_c, int row_block_dim_c, int col_block_dim_c, void *buffer);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
CUSPARSEAPI cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int *p);
CUSPARSEAPI cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                            const int *coo_rows_a, const int *coo_cols_a,
                                                            size_t *bytes);
CUSPARSEAPI cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n, int nnz,
                                                   int *coo_rows_a, int *coo_cols_a, int *p, void *buffer);
CUSPARSEAPI cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n, int nnz,
                                                      int *coo_rows_a, int *coo_cols_a, int *p, void *buffer);
CUSPARSEAPI cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                            const int *csr_row_ptr_a,
                                                            const int *csr_col_ind_a, size_t *bytes);
CUSPARSEAPI cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int n, int nnz,
                                              cusparseMatDescr_t descr_a, const int *csr_row_ptr_a,
                                              int *csr_col_ind_a, int *p, void *buffer);
CUSPARSEAPI cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                            const int *csc_col_ptr_a,
                                                            const int *csc_row_ind_a, size_t *bytes);
CUSPARSEAPI cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int m, int n, int nnz,
                                              cusparseMatDescr_t descr_a, const int *csc_col_ptr_a,
                                              int *csc_row_ind_a, int *p, void *buffer);
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##csru2csr_bufferSizeExt(                                        \
        cusparseHandle_t handle, int m, int n, int nnz, T *csr_val, const int *csr_row_ptr,                  \
        int *csr_col_ind, csru2csrInfo_t info, size_t *bytes);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##csru2csr(                                                      \
        cusparseHandle_t handle, int m, int n, int nnz, cusparseMatDescr_t descr_a, T *csr_val,              \
        const int *csr_row_ptr, int *csr_col_ind, csru2csrInfo_t info, void *buffer);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##csr2csru(                                                      \
        cusparseHandle_t handle, int m, int n, int nnz, cusparseMatDescr_t descr_a, T *csr_val,              \
        const int *csr_row_ptr, int *csr_col_ind, csru2csrInfo_t info, void *buffer);
CUSPARSE_OF_ALL(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##pruneDense2csr_bufferSizeExt(                                  \
        cusparseHandle_t handle, int m, int n, const T *a, int lda, const T *threshold,                      \
        cusparseMatDescr_t descr_c, const T *csr_val_c, const int *csr_row_ptr_c, const int *csr_col_ind_c,  \
        size_t *bytes);
CUSPARSE_OF_H(CUSPARSE_DECLARE)
CUSPARSE_OF_REALS(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##pruneDense2csrNnz(                                             \
        cusparseHandle_t handle, int m, int n, const T *a, int lda, const T *threshold,                      \
        cusparseMatDescr_t descr_c, int *csr_row_ptr_c, int *nnz_total, void *buffer);
CUSPARSE_OF_H(CUSPARSE_DECLARE)
CUSPARSE_OF_REALS(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##pruneDense2csr(                                                \
        cusparseHandle_t handle, int m, int n, const T *a, int lda, const T *threshold,                      \
        cusparseMatDescr_t descr_c, T *csr_val_c, const int *csr_row_ptr_c, int *csr_col_ind_c,              \
        void *buffer);
CUSPARSE_OF_H(CUSPARSE_DECLARE)
CUSPARSE_OF_REALS(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##pruneCsr2csr_bufferSizeExt(                                    \
        cusparseHandle_t handle, int m, int n, int nnz_a, cusparseMatDescr_t descr_a, const T *csr_val_a,    \
        const int *csr_row_ptr_a, const int *csr_col_ind_a, const T *threshold, cusparseMatDescr_t descr_c,  \
        const T *csr_val_c, const int *csr_row_ptr_c, const int *csr_col_ind_c, size_t *bytes);
CUSPARSE_OF_H(CUSPARSE_DECLARE)
CUSPARSE_OF_REALS(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##pruneCsr2csrNnz(                                               \
        cusparseHandle_t handle, int m, int n, int nnz_a, cusparseMatDescr_t descr_a, const T *csr_val_a,    \
        const int *csr_row_ptr_a, const int *csr_col_ind_a, const T *threshold, cusparseMatDescr_t descr_c,  \
        int *csr_row_ptr_c, int *nnz_total, void *buffer);
CUSPARSE_OF_H(CUSPARSE_DECLARE)
CUSPARSE_OF_REALS(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##pruneCsr2csr(                                                  \
        cusparseHandle_t handle, int m, int n, int nnz_a, cusparseMatDescr_t descr_a, const T *csr_val_a,    \
        const int *csr_row_ptr_a, const int *csr_col_ind_a, const T *threshold, cusparseMatDescr_t descr_c,  \
        T *csr_val_c, const int *csr_row_ptr_c, int *csr_col_ind_c, void *buffer);
CUSPARSE_OF_H(CUSPARSE_DECLARE)
CUSPARSE_OF_REALS(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##pruneDense2csrByPercentage_bufferSizeExt(                      \
        cusparseHandle_t handle, int m, int n, const T *a, int lda, float percentage,                        \
        cusparseMatDescr_t descr_c, const T *csr_val_c, const int *csr_row_ptr_c, const int *csr_col_ind_c,  \
        pruneInfo_t info, size_t *bytes);
CUSPARSE_OF_H(CUSPARSE_DECLARE)
CUSPARSE_OF_REALS(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##pruneDense2csrNnzByPercentage(                                 \
        cusparseHandle_t handle, int m, int n, const T *a, int lda, float percentage,                        \
        cusparseMatDescr_t descr_c, int *csr_row_ptr_c, int *nnz_total, pruneInfo_t info, void *buffer);
CUSPARSE_OF_H(CUSPARSE_DECLARE)
CUSPARSE_OF_REALS(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##pruneDense2csrByPercentage(                                    \
        cusparseHandle_t handle, int m, int n, const T *a, int lda, float percentage,                        \
        cusparseMatDescr_t descr_c, T *csr_val_c, const int *csr_row_ptr_c, int *csr_col_ind_c,              \
        pruneInfo_t info, void *buffer);
CUSPARSE_OF_H(CUSPARSE_DECLARE)
CUSPARSE_OF_REALS(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##pruneCsr2csrByPercentage_bufferSizeExt(                        \
        cusparseHandle_t handle, int m, int n, int nnz_a, cusparseMatDescr_t descr_a, const T *csr_val_a,    \
        const int *csr_row_ptr_a, const int *csr_col_ind_a, float percentage, cusparseMatDescr_t descr_c,    \
        const T *csr_val_c, const int *csr_row_ptr_c, const int *csr_col_ind_c, pruneInfo_t info,            \
        size_t *bytes);
CUSPARSE_OF_H(CUSPARSE_DECLARE)
CUSPARSE_OF_REALS(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##pruneCsr2csrNnzByPercentage(                                   \
        cusparseHandle_t handle, int m, int n, int nnz_a, cusparseMatDescr_t descr_a, const T *csr_val_a,    \
        const int *csr_row_ptr_a, const int *csr_col_ind_a, float percentage, cusparseMatDescr_t descr_c,    \
        int *csr_row_ptr_c, int *nnz_total, pruneInfo_t info, void *buffer);
CUSPARSE_OF_H(CUSPARSE_DECLARE)
CUSPARSE_OF_REALS(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
#define CUSPARSE_DECLARE(L, T, R)                                                                            \
    CUSPARSEAPI cusparseStatus_t cusparse##L##pruneCsr2csrByPercentage(                                      \
        cusparseHandle_t handle, int m, int n, int nnz_a, cusparseMatDescr_t descr_a, const T *csr_val_a,    \
        const int *csr_row_ptr_a, const int *csr_col_ind_a, float percentage, cusparseMatDescr_t descr_c,    \
        T *csr_val_c, const int *csr_row_ptr_c, int *csr_col_ind_c, pruneInfo_t info, void *buffer);
CUSPARSE_OF_H(CUSPARSE_DECLARE)
CUSPARSE_OF_REALS(CUSPARSE_DECLARE)
#undef CUSPARSE_DECLARE
CUSPARSEAPI cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz,
                                                const void *csr_val, const int *csr_row_ptr,
                                                const int *csr_col_ind, void *csc_val, int *csc_col_ptr,
                                                int *csc_row_ind, cudaDataType val_type,
                                                cusparseAction_t copy_values, cusparseIndexBase_t idx_base,
                                                cusparseCsr2CscAlg_t alg, void *buffer);
CUSPARSEAPI cusparseStatus_t cusparseCsr2cscEx2_bufferSize(
    cusparseHandle_t handle, int m, int n, int nnz, const void *csr_val, const int *csr_row_ptr,
    const int *csr_col_ind, void *csc_val, int *csc_col_ptr, int *csc_row_ind, cudaDataType val_type,
    cusparseAction_t copy_values, cusparseIndexBase_t idx_base, cusparseCsr2CscAlg_t alg, size_t *bytes);
CUSPARSEAPI cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *sp_vec_descr, int64_t size,
                                                 int64_t nnz, void *indices, void *values,
                                                 cusparseIndexType_t idx_type, cusparseIndexBase_t idx_base,
                                                 cudaDataType value_type);
CUSPARSEAPI cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t *sp_vec_descr, int64_t size,
                                                      int64_t nnz, const void *indices, const void *values,
                                                      cusparseIndexType_t idx_type,
                                                      cusparseIndexBase_t idx_base, cudaDataType value_type);
CUSPARSEAPI cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t sp_vec_descr);
CUSPARSEAPI cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t sp_vec_descr, int64_t *size, int64_t *nnz,
                                              void **indices, void **values, cusparseIndexType_t *idx_type,
                                              cusparseIndexBase_t *idx_base, cudaDataType *value_type);
CUSPARSEAPI cusparseStatus_t cusparseConstSpVecGet(cusparseConstSpVecDescr_t sp_vec_descr, int64_t *size,
                                                   int64_t *nnz, const void **indices, const void **values,
                                                   cusparseIndexType_t *idx_type,
                                                   cusparseIndexBase_t *idx_base, cudaDataType *value_type);
CUSPARSEAPI cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t sp_vec_descr,
                                                       cusparseIndexBase_t *idx_base);
CUSPARSEAPI cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t sp_vec_descr, void **values);
CUSPARSEAPI cusparseStatus_t cusparseConstSpVecGetValues(cusparseConstSpVecDescr_t sp_vec_descr,
                                                         const void **values);
CUSPARSEAPI cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t sp_vec_descr, void *values);
CUSPARSEAPI cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *dn_vec_descr, int64_t size,
                                                 void *values, cudaDataType value_type);
CUSPARSEAPI cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *dn_vec_descr, int64_t size,
                                                      const void *values, cudaDataType value_type);
CUSPARSEAPI cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t dn_vec_descr);
CUSPARSEAPI cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t dn_vec_descr, int64_t *size, void **values,
                                              cudaDataType *value_type);
CUSPARSEAPI cusparseStatus_t cusparseConstDnVecGet(cusparseConstDnVecDescr_t dn_vec_descr, int64_t *size,
                                                   const void **values, cudaDataType *value_type);
CUSPARSEAPI cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t dn_vec_descr, void **values);
CUSPARSEAPI cusparseStatus_t cusparseConstDnVecGetValues(cusparseConstDnVecDescr_t dn_vec_descr,
                                                         const void **values);
CUSPARSEAPI cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t dn_vec_descr, void *values);
CUSPARSEAPI cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t sp_mat_descr);
CUSPARSEAPI cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t sp_mat_descr,
                                                    cusparseFormat_t *format);
CUSPARSEAPI cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t sp_mat_descr,
                                                       cusparseIndexBase_t *idx_base);
CUSPARSEAPI cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t sp_mat_descr, void **values);
CUSPARSEAPI cusparseStatus_t cusparseConstSpMatGetValues(cusparseConstSpMatDescr_t sp_mat_descr,
                                                         const void **values);
CUSPARSEAPI cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t sp_mat_descr, void *values);
CUSPARSEAPI cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t sp_mat_descr, int64_t *rows,
                                                  int64_t *cols, int64_t *nnz);
CUSPARSEAPI cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t sp_mat_descr,
                                                          int *batch_count);
CUSPARSEAPI cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t sp_mat_descr, int batch_count,
                                                        int64_t batch_stride);
CUSPARSEAPI cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t sp_mat_descr, int batch_count,
                                                        int64_t offsets_batch_stride,
                                                        int64_t columns_values_batch_stride);
CUSPARSEAPI cusparseStatus_t cusparseBsrSetStridedBatch(cusparseSpMatDescr_t sp_mat_descr, int batch_count,
                                                        int64_t offsets_batch_stride,
                                                        int64_t columns_batch_stride,
                                                        int64_t values_batch_stride);
CUSPARSEAPI cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t sp_mat_descr,
                                                       cusparseSpMatAttribute_t attribute, void *data,
                                                       size_t data_size);
CUSPARSEAPI cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t sp_mat_descr,
                                                       cusparseSpMatAttribute_t attribute, void *data,
                                                       size_t data_size);
CUSPARSEAPI cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *sp_mat_descr, int64_t rows, int64_t cols,
                                               int64_t nnz, void *csr_row_offsets, void *csr_col_ind,
                                               void *csr_values, cusparseIndexType_t csr_row_offsets_type,
                                               cusparseIndexType_t csr_col_ind_type,
                                               cusparseIndexBase_t idx_base, cudaDataType value_type);
CUSPARSEAPI cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t *sp_mat_descr, int64_t rows,
                                                    int64_t cols, int64_t nnz, const void *csr_row_offsets,
                                                    const void *csr_col_ind, const void *csr_values,
                                                    cusparseIndexType_t csr_row_offsets_type,
                                                    cusparseIndexType_t csr_col_ind_type,
                                                    cusparseIndexBase_t idx_base, cudaDataType value_type);
CUSPARSEAPI cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t *sp_mat_descr, int64_t rows, int64_t cols,
                                               int64_t nnz, void *csc_col_offsets, void *csc_row_ind,
                                               void *csc_values, cusparseIndexType_t csc_col_offsets_type,
                                               cusparseIndexType_t csc_row_ind_type,
                                               cusparseIndexBase_t idx_base, cudaDataType value_type);
CUSPARSEAPI cusparseStatus_t cusparseCreateConstCsc(cusparseConstSpMatDescr_t *sp_mat_descr, int64_t rows,
                                                    int64_t cols, int64_t nnz, const void *csc_col_offsets,
                                                    const void *csc_row_ind, const void *csc_values,
                                                    cusparseIndexType_t csc_col_offsets_type,
                                                    cusparseIndexType_t csc_row_ind_type,
                                                    cusparseIndexBase_t idx_base, cudaDataType value_type);
CUSPARSEAPI cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t sp_mat_descr, int64_t *rows, int64_t *cols,
                                            int64_t *nnz, void **csr_row_offsets, void **csr_col_ind,
                                            void **csr_values, cusparseIndexType_t *csr_row_offsets_type,
                                            cusparseIndexType_t *csr_col_ind_type,
                                            cusparseIndexBase_t *idx_base, cudaDataType *value_type);
CUSPARSEAPI cusparseStatus_t cusparseConstCsrGet(cusparseConstSpMatDescr_t sp_mat_descr, int64_t *rows,
                                                 int64_t *cols, int64_t *nnz, const void **csr_row_offsets,
                                                 const void **csr_col_ind, const void **csr_values,
                                                 cusparseIndexType_t *csr_row_offsets_type,
                                                 cusparseIndexType_t *csr_col_ind_type,
                                                 cusparseIndexBase_t *idx_base, cudaDataType *value_type);
CUSPARSEAPI cusparseStatus_t cusparseCscGet(cusparseSpMatDescr_t sp_mat_descr, int64_t *rows, int64_t *cols,
                                            int64_t *nnz, void **csc_col_offsets, void **csc_row_ind,
                                            void **csc_values, cusparseIndexType_t *csc_col_offsets_type,
                                            cusparseIndexType_t *csc_row_ind_type,
                                            cusparseIndexBase_t *idx_base, cudaDataType *value_type);
CUSPARSEAPI cusparseStatus_t cusparseConstCscGet(cusparseConstSpMatDescr_t sp_mat_descr, int64_t *rows,
                                                 int64_t *cols, int64_t *nnz, const void **csc_col_offsets,
                                                 const void **csc_row_ind, const void **csc_values,
                                                 cusparseIndexType_t *csc_col_offsets_type,
                                                 cusparseIndexType_t *csc_row_ind_type,
                                                 cusparseIndexBase_t *idx_base, cudaDataType *value_type);
CUSPARSEAPI cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t sp_mat_descr, void *csr_row_offsets,
                                                    void *csr_col_ind, void *csr_values);
CUSPARSEAPI cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t sp_mat_descr, void *csc_col_offsets,
                                                    void *csc_row_ind, void *csc_values);
CUSPARSEAPI cusparseStatus_t cusparseCreateBsr(
    cusparseSpMatDescr_t *sp_mat_descr, int64_t brows, int64_t bcols, int64_t bnnz, int64_t row_block_size,
    int64_t col_block_size, void *bsr_row_offsets, void *bsr_col_ind, void *bsr_values,
    cusparseIndexType_t bsr_row_offsets_type, cusparseIndexType_t bsr_col_ind_type,
    cusparseIndexBase_t idx_base, cudaDataType value_type, cusparseOrder_t order);
CUSPARSEAPI cusparseStatus_t cusparseCreateConstBsr(
    cusparseConstSpMatDescr_t *sp_mat_descr, int64_t brows, int64_t bcols, int64_t bnnz,
    int64_t row_block_dim, int64_t col_block_dim, const void *bsr_row_offsets, const void *bsr_col_ind,
    const void *bsr_values, cusparseIndexType_t bsr_row_offsets_type, cusparseIndexType_t bsr_col_ind_type,
    cusparseIndexBase_t idx_base, cudaDataType value_type, cusparseOrder_t order);
CUSPARSEAPI cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *sp_mat_descr, int64_t rows, int64_t cols,
                                               int64_t nnz, void *coo_row_ind, void *coo_col_ind,
                                               void *coo_values, cusparseIndexType_t coo_idx_type,
                                               cusparseIndexBase_t idx_base, cudaDataType value_type);
CUSPARSEAPI cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t *sp_mat_descr, int64_t rows,
                                                    int64_t cols, int64_t nnz, const void *coo_row_ind,
                                                    const void *coo_col_ind, const void *coo_values,
                                                    cusparseIndexType_t coo_idx_type,
                                                    cusparseIndexBase_t idx_base, cudaDataType value_type);
CUSPARSEAPI cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t sp_mat_descr, int64_t *rows, int64_t *cols,
                                            int64_t *nnz, void **coo_row_ind, void **coo_col_ind,
                                            void **coo_values, cusparseIndexType_t *idx_type,
                                            cusparseIndexBase_t *idx_base, cudaDataType *value_type);
CUSPARSEAPI cusparseStatus_t cusparseConstCooGet(cusparseConstSpMatDescr_t sp_mat_descr, int64_t *rows,
                                                 int64_t *cols, int64_t *nnz, const void **coo_row_ind,
                                                 const void **coo_col_ind, const void **coo_values,
                                                 cusparseIndexType_t *idx_type, cusparseIndexBase_t *idx_base,
                                                 cudaDataType *value_type);
CUSPARSEAPI cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t sp_mat_descr, void *coo_rows,
                                                    void *coo_columns, void *coo_values);
CUSPARSEAPI cusparseStatus_t cusparseCreateBlockedEll(cusparseSpMatDescr_t *sp_mat_descr, int64_t rows,
                                                      int64_t cols, int64_t ell_block_size, int64_t ell_cols,
                                                      void *ell_col_ind, void *ell_value,
                                                      cusparseIndexType_t ell_idx_type,
                                                      cusparseIndexBase_t idx_base, cudaDataType value_type);
CUSPARSEAPI cusparseStatus_t cusparseCreateConstBlockedEll(
    cusparseConstSpMatDescr_t *sp_mat_descr, int64_t rows, int64_t cols, int64_t ell_block_size,
    int64_t ell_cols, const void *ell_col_ind, const void *ell_value, cusparseIndexType_t ell_idx_type,
    cusparseIndexBase_t idx_base, cudaDataType value_type);
CUSPARSEAPI cusparseStatus_t cusparseBlockedEllGet(cusparseSpMatDescr_t sp_mat_descr, int64_t *rows,
                                                   int64_t *cols, int64_t *ell_block_size, int64_t *ell_cols,
                                                   void **ell_col_ind, void **ell_value,
                                                   cusparseIndexType_t *ell_idx_type,
                                                   cusparseIndexBase_t *idx_base, cudaDataType *value_type);
CUSPARSEAPI cusparseStatus_t cusparseConstBlockedEllGet(
    cusparseConstSpMatDescr_t sp_mat_descr, int64_t *rows, int64_t *cols, int64_t *ell_block_size,
    int64_t *ell_cols, const void **ell_col_ind, const void **ell_value, cusparseIndexType_t *ell_idx_type,
    cusparseIndexBase_t *idx_base, cudaDataType *value_type);
CUSPARSEAPI cusparseStatus_t cusparseCreateSlicedEll(cusparseSpMatDescr_t *sp_mat_descr, int64_t rows,
                                                     int64_t cols, int64_t nnz, int64_t sell_values_size,
                                                     int64_t slice_size, void *sell_slice_offsets,
                                                     void *sell_col_ind, void *sell_values,
                                                     cusparseIndexType_t sell_slice_offsets_type,
                                                     cusparseIndexType_t sell_col_ind_type,
                                                     cusparseIndexBase_t idx_base, cudaDataType value_type);
CUSPARSEAPI cusparseStatus_t cusparseCreateConstSlicedEll(
    cusparseConstSpMatDescr_t *sp_mat_descr, int64_t rows, int64_t cols, int64_t nnz,
    int64_t sell_values_size, int64_t slice_size, const void *sell_slice_offsets, const void *sell_col_ind,
    const void *sell_values, cusparseIndexType_t sell_slice_offsets_type,
    cusparseIndexType_t sell_col_ind_type, cusparseIndexBase_t idx_base, cudaDataType value_type);
CUSPARSEAPI cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *dn_mat_descr, int64_t rows,
                                                 int64_t cols, int64_t ld, void *values,
                                                 cudaDataType value_type, cusparseOrder_t order);
CUSPARSEAPI cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *dn_mat_descr, int64_t rows,
                                                      int64_t cols, int64_t ld, const void *values,
                                                      cudaDataType value_type, cusparseOrder_t order);
CUSPARSEAPI cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t dn_mat_descr);
CUSPARSEAPI cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t dn_mat_descr, int64_t *rows, int64_t *cols,
                                              int64_t *ld, void **values, cudaDataType *type,
                                              cusparseOrder_t *order);
CUSPARSEAPI cusparseStatus_t cusparseConstDnMatGet(cusparseConstDnMatDescr_t dn_mat_descr, int64_t *rows,
                                                   int64_t *cols, int64_t *ld, const void **values,
                                                   cudaDataType *type, cusparseOrder_t *order);
CUSPARSEAPI cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t dn_mat_descr, void **values);
CUSPARSEAPI cusparseStatus_t cusparseConstDnMatGetValues(cusparseConstDnMatDescr_t dn_mat_descr,
                                                         const void **values);
CUSPARSEAPI cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t dn_mat_descr, void *values);
CUSPARSEAPI cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t dn_mat_descr, int batch_count,
                                                          int64_t batch_stride);
CUSPARSEAPI cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t dn_mat_descr,
                                                          int *batch_count, int64_t *batch_stride);
CUSPARSEAPI cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha,
                                           cusparseConstSpVecDescr_t vec_x, const void *beta,
                                           cusparseDnVecDescr_t vec_y);
CUSPARSEAPI cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t vec_y,
                                            cusparseSpVecDescr_t vec_x);
CUSPARSEAPI cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t vec_x,
                                             cusparseDnVecDescr_t vec_y);
CUSPARSEAPI cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void *c_coeff, const void *s_coeff,
                                         cusparseSpVecDescr_t vec_x, cusparseDnVecDescr_t vec_y);
CUSPARSEAPI cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_x,
                                                     cusparseConstSpVecDescr_t vec_x,
                                                     cusparseConstDnVecDescr_t vec_y, const void *result,
                                                     cudaDataType compute_type, size_t *bytes);
CUSPARSEAPI cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t op_x,
                                          cusparseConstSpVecDescr_t vec_x, cusparseConstDnVecDescr_t vec_y,
                                          void *result, cudaDataType compute_type, void *buffer);
CUSPARSEAPI cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle,
                                                              cusparseConstSpMatDescr_t mat_a,
                                                              cusparseDnMatDescr_t mat_b,
                                                              cusparseSparseToDenseAlg_t alg, size_t *bytes);
CUSPARSEAPI cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t mat_a,
                                                   cusparseDnMatDescr_t mat_b, cusparseSparseToDenseAlg_t alg,
                                                   void *buffer);
CUSPARSEAPI cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle,
                                                              cusparseConstDnMatDescr_t mat_a,
                                                              cusparseSpMatDescr_t mat_b,
                                                              cusparseDenseToSparseAlg_t alg, size_t *bytes);
CUSPARSEAPI cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
                                                            cusparseConstDnMatDescr_t mat_a,
                                                            cusparseSpMatDescr_t mat_b,
                                                            cusparseDenseToSparseAlg_t alg, void *buffer);
CUSPARSEAPI cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle,
                                                           cusparseConstDnMatDescr_t mat_a,
                                                           cusparseSpMatDescr_t mat_b,
                                                           cusparseDenseToSparseAlg_t alg, void *buffer);
CUSPARSEAPI cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op_a,
                                          const void *alpha, cusparseConstSpMatDescr_t mat_a,
                                          cusparseConstDnVecDescr_t vec_x, const void *beta,
                                          cusparseDnVecDescr_t vec_y, cudaDataType compute_type,
                                          cusparseSpMVAlg_t alg, void *buffer);
CUSPARSEAPI cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                                     const void *alpha, cusparseConstSpMatDescr_t mat_a,
                                                     cusparseConstDnVecDescr_t vec_x, const void *beta,
                                                     cusparseDnVecDescr_t vec_y, cudaDataType compute_type,
                                                     cusparseSpMVAlg_t alg, size_t *bytes);
CUSPARSEAPI cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a,
                                                     const void *alpha, cusparseConstSpMatDescr_t mat_a,
                                                     cusparseConstDnVecDescr_t vec_x, const void *beta,
                                                     cusparseDnVecDescr_t vec_y, cudaDataType compute_type,
                                                     cusparseSpMVAlg_t alg, void *buffer);
CUSPARSEAPI cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *descr);
CUSPARSEAPI cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descr);
CUSPARSEAPI cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                                     const void *alpha, cusparseConstSpMatDescr_t mat_a,
                                                     cusparseConstDnVecDescr_t vec_x,
                                                     cusparseDnVecDescr_t vec_y, cudaDataType compute_type,
                                                     cusparseSpSVAlg_t alg, cusparseSpSVDescr_t spsv_descr,
                                                     size_t *bytes);
CUSPARSEAPI cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t op_a,
                                                   const void *alpha, cusparseConstSpMatDescr_t mat_a,
                                                   cusparseConstDnVecDescr_t vec_x,
                                                   cusparseDnVecDescr_t vec_y, cudaDataType compute_type,
                                                   cusparseSpSVAlg_t alg, cusparseSpSVDescr_t spsv_descr,
                                                   void *buffer);
CUSPARSEAPI cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op_a,
                                                const void *alpha, cusparseConstSpMatDescr_t mat_a,
                                                cusparseConstDnVecDescr_t vec_x, cusparseDnVecDescr_t vec_y,
                                                cudaDataType compute_type, cusparseSpSVAlg_t alg,
                                                cusparseSpSVDescr_t spsv_descr);
CUSPARSEAPI cusparseStatus_t cusparseSpSV_updateMatrix(cusparseHandle_t handle,
                                                       cusparseSpSVDescr_t spsv_descr, void *new_values,
                                                       cusparseSpSVUpdate_t update_part);
CUSPARSEAPI cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *descr);
CUSPARSEAPI cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descr);
CUSPARSEAPI cusparseStatus_t cusparseSpSM_bufferSize(
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,
    cusparseConstSpMatDescr_t mat_a, cusparseConstDnMatDescr_t mat_b, cusparseDnMatDescr_t mat_c,
    cudaDataType compute_type, cusparseSpSMAlg_t alg, cusparseSpSMDescr_t spsm_descr, size_t *bytes);
CUSPARSEAPI cusparseStatus_t cusparseSpSM_analysis(
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,
    cusparseConstSpMatDescr_t mat_a, cusparseConstDnMatDescr_t mat_b, cusparseDnMatDescr_t mat_c,
    cudaDataType compute_type, cusparseSpSMAlg_t alg, cusparseSpSMDescr_t spsm_descr, void *buffer);
CUSPARSEAPI cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t op_a,
                                                cusparseOperation_t op_b, const void *alpha,
                                                cusparseConstSpMatDescr_t mat_a,
                                                cusparseConstDnMatDescr_t mat_b, cusparseDnMatDescr_t mat_c,
                                                cudaDataType compute_type, cusparseSpSMAlg_t alg,
                                                cusparseSpSMDescr_t spsm_descr);
CUSPARSEAPI cusparseStatus_t cusparseSpSM_updateMatrix(cusparseHandle_t handle,
                                                       cusparseSpSMDescr_t spsm_descr, void *new_values,
                                                       cusparseSpSMUpdate_t update_part);
CUSPARSEAPI cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                                     cusparseOperation_t op_b, const void *alpha,
                                                     cusparseConstSpMatDescr_t mat_a,
                                                     cusparseConstDnMatDescr_t mat_b, const void *beta,
                                                     cusparseDnMatDescr_t mat_c, cudaDataType compute_type,
                                                     cusparseSpMMAlg_t alg, size_t *bytes);
CUSPARSEAPI cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a,
                                                     cusparseOperation_t op_b, const void *alpha,
                                                     cusparseConstSpMatDescr_t mat_a,
                                                     cusparseConstDnMatDescr_t mat_b, const void *beta,
                                                     cusparseDnMatDescr_t mat_c, cudaDataType compute_type,
                                                     cusparseSpMMAlg_t alg, void *buffer);
CUSPARSEAPI cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t op_a,
                                          cusparseOperation_t op_b, const void *alpha,
                                          cusparseConstSpMatDescr_t mat_a, cusparseConstDnMatDescr_t mat_b,
                                          const void *beta, cusparseDnMatDescr_t mat_c,
                                          cudaDataType compute_type, cusparseSpMMAlg_t alg, void *buffer);
CUSPARSEAPI cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descr);
CUSPARSEAPI cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr);
CUSPARSEAPI cusparseStatus_t cusparseSpGEMM_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,
    cusparseConstSpMatDescr_t mat_a, cusparseConstSpMatDescr_t mat_b, const void *beta,
    cusparseSpMatDescr_t mat_c, cudaDataType compute_type, cusparseSpGEMMAlg_t alg,
    cusparseSpGEMMDescr_t spgemm_descr, size_t *bytes1, void *buffer1);
CUSPARSEAPI cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t spgemm_descr,
                                                           int64_t *num_prods);
CUSPARSEAPI cusparseStatus_t cusparseSpGEMM_estimateMemory(
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,
    cusparseConstSpMatDescr_t mat_a, cusparseConstSpMatDescr_t mat_b, const void *beta,
    cusparseSpMatDescr_t mat_c, cudaDataType compute_type, cusparseSpGEMMAlg_t alg,
    cusparseSpGEMMDescr_t spgemm_descr, float chunk_fraction, size_t *bytes3, void *buffer3, size_t *bytes2);
CUSPARSEAPI cusparseStatus_t cusparseSpGEMM_compute(
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,
    cusparseConstSpMatDescr_t mat_a, cusparseConstSpMatDescr_t mat_b, const void *beta,
    cusparseSpMatDescr_t mat_c, cudaDataType compute_type, cusparseSpGEMMAlg_t alg,
    cusparseSpGEMMDescr_t spgemm_descr, size_t *bytes2, void *buffer2);
CUSPARSEAPI cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t op_a,
                                                 cusparseOperation_t op_b, const void *alpha,
                                                 cusparseConstSpMatDescr_t mat_a,
                                                 cusparseConstSpMatDescr_t mat_b, const void *beta,
                                                 cusparseSpMatDescr_t mat_c, cudaDataType compute_type,
                                                 cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t spgemm_descr);
CUSPARSEAPI cusparseStatus_t cusparseSpGEMMreuse_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
    cusparseConstSpMatDescr_t mat_a, cusparseConstSpMatDescr_t mat_b, cusparseSpMatDescr_t mat_c,
    cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t spgemm_descr, size_t *bytes1, void *buffer1);
CUSPARSEAPI cusparseStatus_t cusparseSpGEMMreuse_nnz(
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
    cusparseConstSpMatDescr_t mat_a, cusparseConstSpMatDescr_t mat_b, cusparseSpMatDescr_t mat_c,
    cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t spgemm_descr, size_t *bytes2, void *buffer2,
    size_t *bytes3, void *buffer3, size_t *bytes4, void *buffer4);
CUSPARSEAPI cusparseStatus_t cusparseSpGEMMreuse_copy(
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
    cusparseConstSpMatDescr_t mat_a, cusparseConstSpMatDescr_t mat_b, cusparseSpMatDescr_t mat_c,
    cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t spgemm_descr, size_t *bytes5, void *buffer5);
CUSPARSEAPI cusparseStatus_t cusparseSpGEMMreuse_compute(cusparseHandle_t handle, cusparseOperation_t op_a,
                                                         cusparseOperation_t op_b, const void *alpha,
                                                         cusparseConstSpMatDescr_t mat_a,
                                                         cusparseConstSpMatDescr_t mat_b, const void *beta,
                                                         cusparseSpMatDescr_t mat_c,
                                                         cudaDataType compute_type, cusparseSpGEMMAlg_t alg,
                                                         cusparseSpGEMMDescr_t spgemm_descr);
CUSPARSEAPI cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                                      cusparseOperation_t op_b, const void *alpha,
                                                      cusparseConstDnMatDescr_t mat_a,
                                                      cusparseConstDnMatDescr_t mat_b, const void *beta,
                                                      cusparseSpMatDescr_t mat_c, cudaDataType compute_type,
                                                      cusparseSDDMMAlg_t alg, size_t *bytes);
CUSPARSEAPI cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a,
                                                      cusparseOperation_t op_b, const void *alpha,
                                                      cusparseConstDnMatDescr_t mat_a,
                                                      cusparseConstDnMatDescr_t mat_b, const void *beta,
                                                      cusparseSpMatDescr_t mat_c, cudaDataType compute_type,
                                                      cusparseSDDMMAlg_t alg, void *buffer);
CUSPARSEAPI cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t op_a,
                                           cusparseOperation_t op_b, const void *alpha,
                                           cusparseConstDnMatDescr_t mat_a, cusparseConstDnMatDescr_t mat_b,
                                           const void *beta, cusparseSpMatDescr_t mat_c,
                                           cudaDataType compute_type, cusparseSDDMMAlg_t alg, void *buffer);
CUSPARSEAPI cusparseStatus_t cusparseSpMMOp_createPlan(
    cusparseHandle_t handle, cusparseSpMMOpPlan_t *plan, cusparseOperation_t op_a, cusparseOperation_t op_b,
    cusparseConstSpMatDescr_t mat_a, cusparseConstDnMatDescr_t mat_b, cusparseDnMatDescr_t mat_c,
    cudaDataType compute_type, cusparseSpMMOpAlg_t alg, const void *add_operation_nvvm_buffer,
    size_t add_operation_buffer_size, const void *mul_operation_nvvm_buffer, size_t mul_operation_buffer_size,
    const void *epilogue_nvvm_buffer, size_t epilogue_buffer_size, size_t *workspace_bytes);
CUSPARSEAPI cusparseStatus_t cusparseSpMMOp(cusparseSpMMOpPlan_t plan, void *buffer);
CUSPARSEAPI cusparseStatus_t cusparseSpMMOp_destroyPlan(cusparseSpMMOpPlan_t plan);

#ifdef __cplusplus
}
#endif
#endif
