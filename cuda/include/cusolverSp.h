/* SPDX-License-Identifier: Apache-2.0 */
/* cuSOLVER's sparse part: solves with matrices in rows (CSR). Sources: NVIDIA's documentation of cuSOLVER 12.0. */
#ifndef CUSOLVERSP_H_
#define CUSOLVERSP_H_

#include "cuComplex.h"
#include "cusolver_common.h"
#include "cusparse.h"
#include "driver_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cusparseMatDescr; /* cuSPARSE's */
typedef struct cusparseMatDescr *cusparseMatDescr_t;
struct cusolverSpContext;
typedef struct cusolverSpContext *cusolverSpHandle_t;
struct csrqrInfo;
typedef struct csrqrInfo *csrqrInfo_t;

#define SW_SP cusolverStatus_t CUSOLVERAPI
SW_SP cusolverSpCreate(cusolverSpHandle_t *handle);
SW_SP cusolverSpDestroy(cusolverSpHandle_t handle);
SW_SP cusolverSpSetStream(cusolverSpHandle_t handle, cudaStream_t stream);
SW_SP cusolverSpGetStream(cusolverSpHandle_t handle, cudaStream_t *stream);
SW_SP cusolverSpXcsrissymHost(cusolverSpHandle_t, int m, int nnz, const cusparseMatDescr_t, const int *rows, const int *row_ends,
                              const int *columns, int *issym);
#define SW_SP_ORDER(name)                                                                                    \
    SW_SP cusolverSpXcsr##name##Host(cusolverSpHandle_t, int n, int nnz, const cusparseMatDescr_t, const int *rows, \
                                     const int *columns, int *p);
SW_SP_ORDER(symrcm)
SW_SP_ORDER(symmdq)
SW_SP_ORDER(symamd)
#undef SW_SP_ORDER
SW_SP cusolverSpXcsrmetisndHost(cusolverSpHandle_t, int n, int nnz, const cusparseMatDescr_t, const int *rows, const int *columns,
                                const int64_t *options, int *p);
SW_SP cusolverSpXcsrperm_bufferSizeHost(cusolverSpHandle_t, int m, int n, int nnz, const cusparseMatDescr_t, const int *rows,
                                        const int *columns, const int *p, const int *q, size_t *bytes);
SW_SP cusolverSpXcsrpermHost(cusolverSpHandle_t, int m, int n, int nnz, const cusparseMatDescr_t, int *rows, int *columns,
                             const int *p, const int *q, int *map, void *work);
#define SW_SP_SOLVE(L, T, R, name)                                                                           \
    SW_SP cusolverSp##L##name(cusolverSpHandle_t, int n, int nnz, const cusparseMatDescr_t, const T *values, \
                              const int *rows, const int *columns, const T *b, R tolerance, int reorder, T *x, \
                              int *singularity);
#define SW_SP_EIGEN(L, T, R, name)                                                                           \
    SW_SP cusolverSp##L##name(cusolverSpHandle_t, int m, int nnz, const cusparseMatDescr_t, const T *values, \
                              const int *rows, const int *columns, T mu0, const T *x0, int iterations, R tolerance, \
                              T *mu, T *x);
#define SW_SP_ALL(L, T, R)                                                                                   \
    SW_SP_SOLVE(L, T, R, csrlsvluHost)                                                                       \
    SW_SP_SOLVE(L, T, R, csrlsvqr)                                                                           \
    SW_SP_SOLVE(L, T, R, csrlsvqrHost)                                                                       \
    SW_SP_SOLVE(L, T, R, csrlsvchol)                                                                         \
    SW_SP_SOLVE(L, T, R, csrlsvcholHost)                                                                     \
    SW_SP_EIGEN(L, T, R, csreigvsi)                                                                          \
    SW_SP_EIGEN(L, T, R, csreigvsiHost)                                                                      \
    SW_SP cusolverSp##L##csrqrBufferInfoBatched(cusolverSpHandle_t, int m, int n, int nnz, const cusparseMatDescr_t, \
                                                const T *values, const int *rows, const int *columns, int batch, \
                                                csrqrInfo_t, size_t *internal_bytes, size_t *work_bytes);    \
    SW_SP cusolverSp##L##csrqrsvBatched(cusolverSpHandle_t, int m, int n, int nnz, const cusparseMatDescr_t, \
                                        const T *values, const int *rows, const int *columns, const T *b, T *x, \
                                        int batch, csrqrInfo_t, void *work);
SW_SP_ALL(S, float, float)
SW_SP_ALL(D, double, double)
SW_SP_ALL(C, cuComplex, float)
SW_SP_ALL(Z, cuDoubleComplex, double)
#undef SW_SP_ALL
#undef SW_SP_EIGEN
#undef SW_SP_SOLVE
SW_SP cusolverSpCreateCsrqrInfo(csrqrInfo_t *info);
SW_SP cusolverSpDestroyCsrqrInfo(csrqrInfo_t info);
SW_SP cusolverSpXcsrqrAnalysisBatched(cusolverSpHandle_t, int m, int n, int nnz, const cusparseMatDescr_t, const int *rows,
                                      const int *columns, csrqrInfo_t info);
#undef SW_SP

#ifdef __cplusplus
}
#endif
#endif
