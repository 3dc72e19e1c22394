/* SPDX-License-Identifier: Apache-2.0 */
/* cuSOLVER's dense part: LAPACK's functions on matrices of the device, in columns. Sources: NVIDIA's documentation of cuSOLVER 12.0. */
#ifndef CUSOLVERDN_H_
#define CUSOLVERDN_H_

#include "cuComplex.h"
#include "cublas_v2.h"
#include "cusolver_common.h"
#include "driver_types.h"


#ifdef __cplusplus
extern "C" {
#endif

struct cusolverDnContext;
typedef struct cusolverDnContext *cusolverDnHandle_t;
struct syevjInfo;
typedef struct syevjInfo *syevjInfo_t;
struct gesvdjInfo;
typedef struct gesvdjInfo *gesvdjInfo_t;
struct cusolverDnIRSParams;
typedef struct cusolverDnIRSParams *cusolverDnIRSParams_t;
struct cusolverDnIRSInfos;
typedef struct cusolverDnIRSInfos *cusolverDnIRSInfos_t;
struct cusolverDnParams;
typedef struct cusolverDnParams *cusolverDnParams_t;
typedef enum { CUSOLVERDN_GETRF = 0, CUSOLVERDN_POTRF = 1, CUSOLVERDN_SYEVBATCHED = 2 } cusolverDnFunction_t;

#define SW_DN cusolverStatus_t CUSOLVERAPI

/* ---- handles and settings */
SW_DN cusolverDnCreate(cusolverDnHandle_t *handle);
SW_DN cusolverDnDestroy(cusolverDnHandle_t handle);
SW_DN cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);
SW_DN cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream);
SW_DN cusolverDnSetDeterministicMode(cusolverDnHandle_t handle, cusolverDeterministicMode_t mode);
SW_DN cusolverDnGetDeterministicMode(cusolverDnHandle_t handle, cusolverDeterministicMode_t *mode);
SW_DN cusolverDnSetMathMode(cusolverDnHandle_t handle, cusolverMathMode_t mode);
SW_DN cusolverDnGetMathMode(cusolverDnHandle_t handle, cusolverMathMode_t *mode);
SW_DN cusolverDnCreateParams(cusolverDnParams_t *params);
SW_DN cusolverDnDestroyParams(cusolverDnParams_t params);
SW_DN cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t function, cusolverAlgMode_t algo);
SW_DN cusolverDnCreateSyevjInfo(syevjInfo_t *info);
SW_DN cusolverDnDestroySyevjInfo(syevjInfo_t info);
SW_DN cusolverDnXsyevjSetTolerance(syevjInfo_t info, double tolerance);
SW_DN cusolverDnXsyevjSetMaxSweeps(syevjInfo_t info, int max_sweeps);
SW_DN cusolverDnXsyevjSetSortEig(syevjInfo_t info, int sort_eig);
SW_DN cusolverDnXsyevjGetResidual(cusolverDnHandle_t handle, syevjInfo_t info, double *residual);
SW_DN cusolverDnXsyevjGetSweeps(cusolverDnHandle_t handle, syevjInfo_t info, int *sweeps);
SW_DN cusolverDnCreateGesvdjInfo(gesvdjInfo_t *info);
SW_DN cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info);
SW_DN cusolverDnXgesvdjSetTolerance(gesvdjInfo_t info, double tolerance);
SW_DN cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t info, int max_sweeps);
SW_DN cusolverDnXgesvdjSetSortEig(gesvdjInfo_t info, int sort_svd);
SW_DN cusolverDnXgesvdjGetResidual(cusolverDnHandle_t handle, gesvdjInfo_t info, double *residual);
SW_DN cusolverDnXgesvdjGetSweeps(cusolverDnHandle_t handle, gesvdjInfo_t info, int *sweeps);

/* ---- of all types: letter, type, type of its parts */
#define SW_DN_LINEAR(L, T)                                                                                   \
    SW_DN cusolverDn##L##potrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t uplo, int n, T *a, int lda, int *lwork); \
    SW_DN cusolverDn##L##potrf(cusolverDnHandle_t, cublasFillMode_t uplo, int n, T *a, int lda, T *work,     \
                               int lwork, int *info);                                                        \
    SW_DN cusolverDn##L##potrs(cusolverDnHandle_t, cublasFillMode_t uplo, int n, int nrhs, const T *a, int lda, T *b, \
                               int ldb, int *info);                                                          \
    SW_DN cusolverDn##L##potrfBatched(cusolverDnHandle_t, cublasFillMode_t uplo, int n, T *a[], int lda, int *infos, \
                                      int batch);                                                            \
    SW_DN cusolverDn##L##potrsBatched(cusolverDnHandle_t, cublasFillMode_t uplo, int n, int nrhs, T *a[], int lda, \
                                      T *b[], int ldb, int *info, int batch);                                \
    SW_DN cusolverDn##L##potri_bufferSize(cusolverDnHandle_t, cublasFillMode_t uplo, int n, T *a, int lda, int *lwork); \
    SW_DN cusolverDn##L##potri(cusolverDnHandle_t, cublasFillMode_t uplo, int n, T *a, int lda, T *work,     \
                               int lwork, int *info);                                                        \
    SW_DN cusolverDn##L##lauum_bufferSize(cusolverDnHandle_t, cublasFillMode_t uplo, int n, T *a, int lda, int *lwork); \
    SW_DN cusolverDn##L##lauum(cusolverDnHandle_t, cublasFillMode_t uplo, int n, T *a, int lda, T *work,     \
                               int lwork, int *info);                                                        \
    SW_DN cusolverDn##L##getrf_bufferSize(cusolverDnHandle_t, int m, int n, T *a, int lda, int *lwork);      \
    SW_DN cusolverDn##L##getrf(cusolverDnHandle_t, int m, int n, T *a, int lda, T *work, int *pivots, int *info); \
    SW_DN cusolverDn##L##getrs(cusolverDnHandle_t, cublasOperation_t trans, int n, int nrhs, const T *a, int lda, \
                               const int *pivots, T *b, int ldb, int *info);                                 \
    SW_DN cusolverDn##L##laswp(cusolverDnHandle_t, int n, T *a, int lda, int k1, int k2, const int *pivots,  \
                               int step);                                                                    \
    SW_DN cusolverDn##L##sytrf_bufferSize(cusolverDnHandle_t, int n, T *a, int lda, int *lwork);             \
    SW_DN cusolverDn##L##sytrf(cusolverDnHandle_t, cublasFillMode_t uplo, int n, T *a, int lda, int *pivots, T *work, \
                               int lwork, int *info);                                                        \
    SW_DN cusolverDn##L##sytri_bufferSize(cusolverDnHandle_t, cublasFillMode_t uplo, int n, T *a, int lda,   \
                                          const int *pivots, int *lwork);                                    \
    SW_DN cusolverDn##L##sytri(cusolverDnHandle_t, cublasFillMode_t uplo, int n, T *a, int lda, const int *pivots, \
                               T *work, int lwork, int *info);                                               \
    SW_DN cusolverDn##L##geqrf_bufferSize(cusolverDnHandle_t, int m, int n, T *a, int lda, int *lwork);      \
    SW_DN cusolverDn##L##geqrf(cusolverDnHandle_t, int m, int n, T *a, int lda, T *tau, T *work, int lwork, int *info);
/* ORG and ORM: org and orm, or ung and unm */
#define SW_DN_ORTHOGONAL(L, T, R, ORG, ORM)                                                                  \
    SW_DN cusolverDn##L##ORG##qr_bufferSize(cusolverDnHandle_t, int m, int n, int k, const T *a, int lda,    \
                                            const T *tau, int *lwork);                                       \
    SW_DN cusolverDn##L##ORG##qr(cusolverDnHandle_t, int m, int n, int k, T *a, int lda, const T *tau, T *work, \
                                 int lwork, int *info);                                                      \
    SW_DN cusolverDn##L##ORM##qr_bufferSize(cusolverDnHandle_t, cublasSideMode_t side, cublasOperation_t trans, int m, \
                                            int n, int k, const T *a, int lda, const T *tau, const T *c, int ldc, \
                                            int *lwork);                                                     \
    SW_DN cusolverDn##L##ORM##qr(cusolverDnHandle_t, cublasSideMode_t side, cublasOperation_t trans, int m, int n, \
                                 int k, const T *a, int lda, const T *tau, T *c, int ldc, T *work, int lwork, \
                                 int *info);                                                                 \
    SW_DN cusolverDn##L##gebrd_bufferSize(cusolverDnHandle_t, int m, int n, int *lwork);                     \
    SW_DN cusolverDn##L##gebrd(cusolverDnHandle_t, int m, int n, T *a, int lda, R *d, R *e, T *tauq, T *taup, T *work, \
                               int lwork, int *info);                                                        \
    SW_DN cusolverDn##L##ORG##br_bufferSize(cusolverDnHandle_t, cublasSideMode_t side, int m, int n, int k,  \
                                            const T *a, int lda, const T *tau, int *lwork);                  \
    SW_DN cusolverDn##L##ORG##br(cusolverDnHandle_t, cublasSideMode_t side, int m, int n, int k, T *a, int lda, \
                                 const T *tau, T *work, int lwork, int *info);                               \
    SW_DN cusolverDn##L##ORG##tr_bufferSize(cusolverDnHandle_t, cublasFillMode_t uplo, int n, const T *a, int lda, \
                                            const T *tau, int *lwork);                                       \
    SW_DN cusolverDn##L##ORG##tr(cusolverDnHandle_t, cublasFillMode_t uplo, int n, T *a, int lda, const T *tau, \
                                 T *work, int lwork, int *info);                                             \
    SW_DN cusolverDn##L##ORM##tr_bufferSize(cusolverDnHandle_t, cublasSideMode_t side, cublasFillMode_t uplo, \
                                            cublasOperation_t trans, int m, int n, const T *a, int lda, const T *tau, \
                                            const T *c, int ldc, int *lwork);                                \
    SW_DN cusolverDn##L##ORM##tr(cusolverDnHandle_t, cublasSideMode_t side, cublasFillMode_t uplo,           \
                                 cublasOperation_t trans, int m, int n, T *a, int lda, T *tau, T *c, int ldc, \
                                 T *work, int lwork, int *info);
/* SY: sy or he */
#define SW_DN_EIGEN(L, T, R, SY)                                                                             \
    SW_DN cusolverDn##L##SY##trd_bufferSize(cusolverDnHandle_t, cublasFillMode_t uplo, int n, const T *a, int lda, \
                                            const R *d, const R *e, const T *tau, int *lwork);               \
    SW_DN cusolverDn##L##SY##trd(cusolverDnHandle_t, cublasFillMode_t uplo, int n, T *a, int lda, R *d, R *e, T *tau, \
                                 T *work, int lwork, int *info);                                             \
    SW_DN cusolverDn##L##SY##evd_bufferSize(cusolverDnHandle_t, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, \
                                            const T *a, int lda, const R *w, int *lwork);                    \
    SW_DN cusolverDn##L##SY##evd(cusolverDnHandle_t, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *a, \
                                 int lda, R *w, T *work, int lwork, int *info);                              \
    SW_DN cusolverDn##L##SY##evdx_bufferSize(cusolverDnHandle_t, cusolverEigMode_t jobz, cusolverEigRange_t range, \
                                             cublasFillMode_t uplo, int n, const T *a, int lda, R vl, R vu, int il, \
                                             int iu, int *meig, const R *w, int *lwork);                     \
    SW_DN cusolverDn##L##SY##evdx(cusolverDnHandle_t, cusolverEigMode_t jobz, cusolverEigRange_t range,      \
                                  cublasFillMode_t uplo, int n, T *a, int lda, R vl, R vu, int il, int iu,   \
                                  int *meig, R *w, T *work, int lwork, int *info);                           \
    SW_DN cusolverDn##L##SY##evj_bufferSize(cusolverDnHandle_t, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, \
                                            const T *a, int lda, const R *w, int *lwork, syevjInfo_t params); \
    SW_DN cusolverDn##L##SY##evj(cusolverDnHandle_t, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *a, \
                                 int lda, R *w, T *work, int lwork, int *info, syevjInfo_t params);          \
    SW_DN cusolverDn##L##SY##evjBatched_bufferSize(cusolverDnHandle_t, cusolverEigMode_t jobz, cublasFillMode_t uplo, \
                                                   int n, const T *a, int lda, const R *w, int *lwork,       \
                                                   syevjInfo_t params, int batch);                           \
    SW_DN cusolverDn##L##SY##evjBatched(cusolverDnHandle_t, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, \
                                        T *a, int lda, R *w, T *work, int lwork, int *infos, syevjInfo_t params, \
                                        int batch);                                                          \
    SW_DN cusolverDn##L##SY##gvd_bufferSize(cusolverDnHandle_t, cusolverEigType_t itype, cusolverEigMode_t jobz, \
                                            cublasFillMode_t uplo, int n, const T *a, int lda, const T *b, int ldb, \
                                            const R *w, int *lwork);                                         \
    SW_DN cusolverDn##L##SY##gvd(cusolverDnHandle_t, cusolverEigType_t itype, cusolverEigMode_t jobz,        \
                                 cublasFillMode_t uplo, int n, T *a, int lda, T *b, int ldb, R *w, T *work,  \
                                 int lwork, int *info);                                                      \
    SW_DN cusolverDn##L##SY##gvdx_bufferSize(cusolverDnHandle_t, cusolverEigType_t itype, cusolverEigMode_t jobz, \
                                             cusolverEigRange_t range, cublasFillMode_t uplo, int n, const T *a, \
                                             int lda, const T *b, int ldb, R vl, R vu, int il, int iu, int *meig, \
                                             const R *w, int *lwork);                                        \
    SW_DN cusolverDn##L##SY##gvdx(cusolverDnHandle_t, cusolverEigType_t itype, cusolverEigMode_t jobz,       \
                                  cusolverEigRange_t range, cublasFillMode_t uplo, int n, T *a, int lda, T *b, \
                                  int ldb, R vl, R vu, int il, int iu, int *meig, R *w, T *work, int lwork,  \
                                  int *info);                                                                \
    SW_DN cusolverDn##L##SY##gvj_bufferSize(cusolverDnHandle_t, cusolverEigType_t itype, cusolverEigMode_t jobz, \
                                            cublasFillMode_t uplo, int n, const T *a, int lda, const T *b, int ldb, \
                                            const R *w, int *lwork, syevjInfo_t params);                     \
    SW_DN cusolverDn##L##SY##gvj(cusolverDnHandle_t, cusolverEigType_t itype, cusolverEigMode_t jobz,        \
                                 cublasFillMode_t uplo, int n, T *a, int lda, T *b, int ldb, R *w, T *work,  \
                                 int lwork, int *info, syevjInfo_t params);
#define SW_DN_SINGULAR(L, T, R)                                                                              \
    SW_DN cusolverDn##L##gesvd_bufferSize(cusolverDnHandle_t, int m, int n, int *lwork);                     \
    SW_DN cusolverDn##L##gesvd(cusolverDnHandle_t, signed char jobu, signed char jobvt, int m, int n, T *a, int lda, \
                               R *s, T *u, int ldu, T *vt, int ldvt, T *work, int lwork, R *rwork, int *info); \
    SW_DN cusolverDn##L##gesvdj_bufferSize(cusolverDnHandle_t, cusolverEigMode_t jobz, int econ, int m, int n, \
                                           const T *a, int lda, const R *s, const T *u, int ldu, const T *v, int ldv, \
                                           int *lwork, gesvdjInfo_t params);                                 \
    SW_DN cusolverDn##L##gesvdj(cusolverDnHandle_t, cusolverEigMode_t jobz, int econ, int m, int n, T *a, int lda, \
                                R *s, T *u, int ldu, T *v, int ldv, T *work, int lwork, int *info,           \
                                gesvdjInfo_t params);                                                        \
    SW_DN cusolverDn##L##gesvdjBatched_bufferSize(cusolverDnHandle_t, cusolverEigMode_t jobz, int m, int n,  \
                                                  const T *a, int lda, const R *s, const T *u, int ldu, const T *v, \
                                                  int ldv, int *lwork, gesvdjInfo_t params, int batch);      \
    SW_DN cusolverDn##L##gesvdjBatched(cusolverDnHandle_t, cusolverEigMode_t jobz, int m, int n, T *a, int lda, R *s, \
                                       T *u, int ldu, T *v, int ldv, T *work, int lwork, int *infos,         \
                                       gesvdjInfo_t params, int batch);                                      \
    SW_DN cusolverDn##L##gesvdaStridedBatched_bufferSize(                                                    \
        cusolverDnHandle_t, cusolverEigMode_t jobz, int rank, int m, int n, const T *a, int lda, long long stride_a, \
        const R *s, long long stride_s, const T *u, int ldu, long long stride_u, const T *v, int ldv,        \
        long long stride_v, int *lwork, int batch);                                                          \
    SW_DN cusolverDn##L##gesvdaStridedBatched(                                                               \
        cusolverDnHandle_t, cusolverEigMode_t jobz, int rank, int m, int n, const T *a, int lda, long long stride_a, \
        R *s, long long stride_s, T *u, int ldu, long long stride_u, T *v, int ldv, long long stride_v, T *work, \
        int lwork, int *infos, double *residuals, int batch);
#define SW_DN_ALL(L, T, R, ORG, ORM, SY)                                                                     \
    SW_DN_LINEAR(L, T) SW_DN_ORTHOGONAL(L, T, R, ORG, ORM) SW_DN_EIGEN(L, T, R, SY) SW_DN_SINGULAR(L, T, R)
SW_DN_ALL(S, float, float, org, orm, sy)
SW_DN_ALL(D, double, double, org, orm, sy)
SW_DN_ALL(C, cuComplex, float, ung, unm, he)
SW_DN_ALL(Z, cuDoubleComplex, double, ung, unm, he)
#undef SW_DN_ALL
#undef SW_DN_SINGULAR
#undef SW_DN_EIGEN
#undef SW_DN_ORTHOGONAL
#undef SW_DN_LINEAR

/* ---- solves with iterative refinement: letters of the type and of the lowest precision */
#define SW_DN_REFINED(N, T)                                                                                  \
    SW_DN cusolverDn##N##gesv(cusolverDnHandle_t, cusolver_int_t n, cusolver_int_t nrhs, T *a, cusolver_int_t lda, \
                              cusolver_int_t *pivots, T *b, cusolver_int_t ldb, T *x, cusolver_int_t ldx, void *work, \
                              size_t lwork_bytes, cusolver_int_t *iterations, cusolver_int_t *info);         \
    SW_DN cusolverDn##N##gesv_bufferSize(cusolverDnHandle_t, cusolver_int_t n, cusolver_int_t nrhs, T *a,    \
                                         cusolver_int_t lda, cusolver_int_t *pivots, T *b, cusolver_int_t ldb, T *x, \
                                         cusolver_int_t ldx, void *work, size_t *lwork_bytes);               \
    SW_DN cusolverDn##N##gels(cusolverDnHandle_t, cusolver_int_t m, cusolver_int_t n, cusolver_int_t nrhs, T *a, \
                              cusolver_int_t lda, T *b, cusolver_int_t ldb, T *x, cusolver_int_t ldx, void *work, \
                              size_t lwork_bytes, cusolver_int_t *iterations, cusolver_int_t *info);         \
    SW_DN cusolverDn##N##gels_bufferSize(cusolverDnHandle_t, cusolver_int_t m, cusolver_int_t n, cusolver_int_t nrhs, \
                                         T *a, cusolver_int_t lda, T *b, cusolver_int_t ldb, T *x, cusolver_int_t ldx, \
                                         void *work, size_t *lwork_bytes);
SW_DN_REFINED(ZZ, cuDoubleComplex)
SW_DN_REFINED(ZC, cuDoubleComplex)
SW_DN_REFINED(ZK, cuDoubleComplex)
SW_DN_REFINED(ZE, cuDoubleComplex)
SW_DN_REFINED(ZY, cuDoubleComplex)
SW_DN_REFINED(CC, cuComplex)
SW_DN_REFINED(CE, cuComplex)
SW_DN_REFINED(CK, cuComplex)
SW_DN_REFINED(CY, cuComplex)
SW_DN_REFINED(DD, double)
SW_DN_REFINED(DS, double)
SW_DN_REFINED(DH, double)
SW_DN_REFINED(DB, double)
SW_DN_REFINED(DX, double)
SW_DN_REFINED(SS, float)
SW_DN_REFINED(SH, float)
SW_DN_REFINED(SB, float)
SW_DN_REFINED(SX, float)
#undef SW_DN_REFINED
SW_DN cusolverDnIRSParamsCreate(cusolverDnIRSParams_t *params);
SW_DN cusolverDnIRSParamsDestroy(cusolverDnIRSParams_t params);
SW_DN cusolverDnIRSParamsSetRefinementSolver(cusolverDnIRSParams_t params, cusolverIRSRefinement_t solver);
SW_DN cusolverDnIRSParamsSetSolverMainPrecision(cusolverDnIRSParams_t params, cusolverPrecType_t precision);
SW_DN cusolverDnIRSParamsSetSolverLowestPrecision(cusolverDnIRSParams_t params, cusolverPrecType_t precision);
SW_DN cusolverDnIRSParamsSetSolverPrecisions(cusolverDnIRSParams_t params, cusolverPrecType_t main,
                                             cusolverPrecType_t lowest);
SW_DN cusolverDnIRSParamsSetTol(cusolverDnIRSParams_t params, double value);
SW_DN cusolverDnIRSParamsSetTolInner(cusolverDnIRSParams_t params, double value);
SW_DN cusolverDnIRSParamsSetMaxIters(cusolverDnIRSParams_t params, cusolver_int_t iterations);
SW_DN cusolverDnIRSParamsSetMaxItersInner(cusolverDnIRSParams_t params, cusolver_int_t iterations);
SW_DN cusolverDnIRSParamsGetMaxIters(cusolverDnIRSParams_t params, cusolver_int_t *iterations);
SW_DN cusolverDnIRSParamsEnableFallback(cusolverDnIRSParams_t params);
SW_DN cusolverDnIRSParamsDisableFallback(cusolverDnIRSParams_t params);
SW_DN cusolverDnIRSInfosCreate(cusolverDnIRSInfos_t *infos);
SW_DN cusolverDnIRSInfosDestroy(cusolverDnIRSInfos_t infos);
SW_DN cusolverDnIRSInfosGetNiters(cusolverDnIRSInfos_t infos, cusolver_int_t *iterations);
SW_DN cusolverDnIRSInfosGetOuterNiters(cusolverDnIRSInfos_t infos, cusolver_int_t *iterations);
SW_DN cusolverDnIRSInfosGetMaxIters(cusolverDnIRSInfos_t infos, cusolver_int_t *iterations);
SW_DN cusolverDnIRSInfosRequestResidual(cusolverDnIRSInfos_t infos);
SW_DN cusolverDnIRSInfosGetResidualHistory(cusolverDnIRSInfos_t infos, void **history);
SW_DN cusolverDnIRSXgesv(cusolverDnHandle_t, cusolverDnIRSParams_t params, cusolverDnIRSInfos_t infos, cusolver_int_t n,
                         cusolver_int_t nrhs, void *a, cusolver_int_t lda, void *b, cusolver_int_t ldb, void *x,
                         cusolver_int_t ldx, void *work, size_t lwork_bytes, cusolver_int_t *iterations,
                         cusolver_int_t *info);
SW_DN cusolverDnIRSXgesv_bufferSize(cusolverDnHandle_t, cusolverDnIRSParams_t params, cusolver_int_t n,
                                    cusolver_int_t nrhs, size_t *lwork_bytes);
SW_DN cusolverDnIRSXgels(cusolverDnHandle_t, cusolverDnIRSParams_t params, cusolverDnIRSInfos_t infos, cusolver_int_t m,
                         cusolver_int_t n, cusolver_int_t nrhs, void *a, cusolver_int_t lda, void *b, cusolver_int_t ldb,
                         void *x, cusolver_int_t ldx, void *work, size_t lwork_bytes, cusolver_int_t *iterations,
                         cusolver_int_t *info);
SW_DN cusolverDnIRSXgels_bufferSize(cusolverDnHandle_t, cusolverDnIRSParams_t params, cusolver_int_t m, cusolver_int_t n,
                                    cusolver_int_t nrhs, size_t *lwork_bytes);

/* ---- with 64-bit numbers and types of elements as arguments. Sizes: bytes on the device, and of the host. */
#define SW_DN_SIZES size_t *device_bytes, size_t *host_bytes
#define SW_DN_WORK  void *device_work, size_t device_bytes, void *host_work, size_t host_bytes
SW_DN cusolverDnXpotrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cublasFillMode_t uplo, int64_t n,
                                  cudaDataType type_a, const void *a, int64_t lda, cudaDataType compute, SW_DN_SIZES);
SW_DN cusolverDnXpotrf(cusolverDnHandle_t, cusolverDnParams_t, cublasFillMode_t uplo, int64_t n, cudaDataType type_a,
                       void *a, int64_t lda, cudaDataType compute, SW_DN_WORK, int *info);
SW_DN cusolverDnXpotrs(cusolverDnHandle_t, cusolverDnParams_t, cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                       cudaDataType type_a, const void *a, int64_t lda, cudaDataType type_b, void *b, int64_t ldb,
                       int *info);
SW_DN cusolverDnXtrtri_bufferSize(cusolverDnHandle_t, cublasFillMode_t uplo, cublasDiagType_t diag, int64_t n,
                                  cudaDataType type_a, void *a, int64_t lda, SW_DN_SIZES);
SW_DN cusolverDnXtrtri(cusolverDnHandle_t, cublasFillMode_t uplo, cublasDiagType_t diag, int64_t n, cudaDataType type_a,
                       void *a, int64_t lda, SW_DN_WORK, int *info);
SW_DN cusolverDnXsytrs_bufferSize(cusolverDnHandle_t, cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                                  cudaDataType type_a, const void *a, int64_t lda, const int64_t *pivots,
                                  cudaDataType type_b, void *b, int64_t ldb, SW_DN_SIZES);
SW_DN cusolverDnXsytrs(cusolverDnHandle_t, cublasFillMode_t uplo, int64_t n, int64_t nrhs, cudaDataType type_a,
                       const void *a, int64_t lda, const int64_t *pivots, cudaDataType type_b, void *b, int64_t ldb,
                       SW_DN_WORK, int *info);
SW_DN cusolverDnXgetrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, int64_t m, int64_t n, cudaDataType type_a,
                                  const void *a, int64_t lda, cudaDataType compute, SW_DN_SIZES);
SW_DN cusolverDnXgetrf(cusolverDnHandle_t, cusolverDnParams_t, int64_t m, int64_t n, cudaDataType type_a, void *a,
                       int64_t lda, int64_t *pivots, cudaDataType compute, SW_DN_WORK, int *info);
SW_DN cusolverDnXgetrs(cusolverDnHandle_t, cusolverDnParams_t, cublasOperation_t trans, int64_t n, int64_t nrhs,
                       cudaDataType type_a, const void *a, int64_t lda, const int64_t *pivots, cudaDataType type_b,
                       void *b, int64_t ldb, int *info);
SW_DN cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, int64_t m, int64_t n, cudaDataType type_a,
                                  const void *a, int64_t lda, cudaDataType type_tau, const void *tau,
                                  cudaDataType compute, SW_DN_SIZES);
SW_DN cusolverDnXgeqrf(cusolverDnHandle_t, cusolverDnParams_t, int64_t m, int64_t n, cudaDataType type_a, void *a,
                       int64_t lda, cudaDataType type_tau, void *tau, cudaDataType compute, SW_DN_WORK, int *info);
SW_DN cusolverDnXlarft_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverDirectMode_t direct,
                                  cusolverStorevMode_t storev, int64_t n, int64_t k, cudaDataType type_v, const void *v,
                                  int64_t ldv, cudaDataType type_tau, const void *tau, cudaDataType type_t, void *t,
                                  int64_t ldt, cudaDataType compute, SW_DN_SIZES);
SW_DN cusolverDnXlarft(cusolverDnHandle_t, cusolverDnParams_t, cusolverDirectMode_t direct, cusolverStorevMode_t storev,
                       int64_t n, int64_t k, cudaDataType type_v, const void *v, int64_t ldv, cudaDataType type_tau,
                       const void *tau, cudaDataType type_t, void *t, int64_t ldt, cudaDataType compute, SW_DN_WORK);
SW_DN cusolverDnXsyevd_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                  int64_t n, cudaDataType type_a, const void *a, int64_t lda, cudaDataType type_w,
                                  const void *w, cudaDataType compute, SW_DN_SIZES);
SW_DN cusolverDnXsyevd(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                       cudaDataType type_a, void *a, int64_t lda, cudaDataType type_w, void *w, cudaDataType compute,
                       SW_DN_WORK, int *info);
SW_DN cusolverDnXsyevBatched_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t jobz,
                                        cublasFillMode_t uplo, int64_t n, cudaDataType type_a, const void *a,
                                        int64_t lda, cudaDataType type_w, const void *w, cudaDataType compute,
                                        SW_DN_SIZES, int64_t batch);
SW_DN cusolverDnXsyevBatched(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                             int64_t n, cudaDataType type_a, void *a, int64_t lda, cudaDataType type_w, void *w,
                             cudaDataType compute, SW_DN_WORK, int *infos, int64_t batch);
SW_DN cusolverDnXsyevdx_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t jobz,
                                   cusolverEigRange_t range, cublasFillMode_t uplo, int64_t n, cudaDataType type_a,
                                   const void *a, int64_t lda, void *vl, void *vu, int64_t il, int64_t iu, int64_t *meig,
                                   cudaDataType type_w, const void *w, cudaDataType compute, SW_DN_SIZES);
SW_DN cusolverDnXsyevdx(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t jobz, cusolverEigRange_t range,
                        cublasFillMode_t uplo, int64_t n, cudaDataType type_a, void *a, int64_t lda, void *vl, void *vu,
                        int64_t il, int64_t iu, int64_t *meig, cudaDataType type_w, void *w, cudaDataType compute,
                        SW_DN_WORK, int *info);
SW_DN cusolverDnXgeev_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t jobvl, cusolverEigMode_t jobvr,
                                 int64_t n, cudaDataType type_a, const void *a, int64_t lda, cudaDataType type_w,
                                 const void *w, cudaDataType type_vl, const void *vl, int64_t ldvl, cudaDataType type_vr,
                                 const void *vr, int64_t ldvr, cudaDataType compute, SW_DN_SIZES);
SW_DN cusolverDnXgeev(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, int64_t n,
                      cudaDataType type_a, void *a, int64_t lda, cudaDataType type_w, void *w, cudaDataType type_vl,
                      void *vl, int64_t ldvl, cudaDataType type_vr, void *vr, int64_t ldvr, cudaDataType compute,
                      SW_DN_WORK, int *info);
SW_DN cusolverDnXgesvd_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, signed char jobu, signed char jobvt, int64_t m,
                                  int64_t n, cudaDataType type_a, const void *a, int64_t lda, cudaDataType type_s,
                                  const void *s, cudaDataType type_u, const void *u, int64_t ldu, cudaDataType type_vt,
                                  const void *vt, int64_t ldvt, cudaDataType compute, SW_DN_SIZES);
SW_DN cusolverDnXgesvd(cusolverDnHandle_t, cusolverDnParams_t, signed char jobu, signed char jobvt, int64_t m, int64_t n,
                       cudaDataType type_a, void *a, int64_t lda, cudaDataType type_s, void *s, cudaDataType type_u,
                       void *u, int64_t ldu, cudaDataType type_vt, void *vt, int64_t ldvt, cudaDataType compute,
                       SW_DN_WORK, int *info);
SW_DN cusolverDnXgesvdp_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t jobz, int econ, int64_t m,
                                   int64_t n, cudaDataType type_a, const void *a, int64_t lda, cudaDataType type_s,
                                   const void *s, cudaDataType type_u, const void *u, int64_t ldu, cudaDataType type_v,
                                   const void *v, int64_t ldv, cudaDataType compute, SW_DN_SIZES);
SW_DN cusolverDnXgesvdp(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t jobz, int econ, int64_t m, int64_t n,
                        cudaDataType type_a, void *a, int64_t lda, cudaDataType type_s, void *s, cudaDataType type_u,
                        void *u, int64_t ldu, cudaDataType type_v, void *v, int64_t ldv, cudaDataType compute, SW_DN_WORK,
                        int *info, double *error);
SW_DN cusolverDnXgesvdr_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, signed char jobu, signed char jobv, int64_t m,
                                   int64_t n, int64_t k, int64_t p, int64_t iterations, cudaDataType type_a,
                                   const void *a, int64_t lda, cudaDataType type_s, const void *s, cudaDataType type_u,
                                   const void *u, int64_t ldu, cudaDataType type_v, const void *v, int64_t ldv,
                                   cudaDataType compute, SW_DN_SIZES);
SW_DN cusolverDnXgesvdr(cusolverDnHandle_t, cusolverDnParams_t, signed char jobu, signed char jobv, int64_t m, int64_t n,
                        int64_t k, int64_t p, int64_t iterations, cudaDataType type_a, void *a, int64_t lda,
                        cudaDataType type_s, void *s, cudaDataType type_u, void *u, int64_t ldu, cudaDataType type_v,
                        void *v, int64_t ldv, cudaDataType compute, SW_DN_WORK, int *info);
#undef SW_DN_WORK
#undef SW_DN_SIZES
#undef SW_DN

#ifdef __cplusplus
}
#endif
#endif
