/* SPDX-License-Identifier: Apache-2.0 */
/* cuSOLVER's solves with sparse matrices in steps: analysis, room, factors, zero pivots, solves. Sources: NVIDIA's documentation of
 * cuSOLVER 12.0. */
#ifndef SOFTWARP_CUSOLVERSP_LOWLEVEL_PREVIEW_H
#define SOFTWARP_CUSOLVERSP_LOWLEVEL_PREVIEW_H

#include "cusolverSp.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SW_SP cusolverStatus_t CUSOLVERAPI
#define SW_SP_INFO(Name, name)                                                                                                      \
    struct name;                                                                                                                    \
    typedef struct name *name##_t;                                                                                                  \
    SW_SP cusolverSpCreate##Name(name##_t *info);                                                                                   \
    SW_SP cusolverSpDestroy##Name(name##_t info);
SW_SP_INFO(CsrluInfoHost, csrluInfoHost)
SW_SP_INFO(CsrqrInfoHost, csrqrInfoHost)
SW_SP_INFO(CsrcholInfoHost, csrcholInfoHost)
SW_SP_INFO(CsrcholInfo, csrcholInfo)
#undef SW_SP_INFO

#define SW_SP_MATRIX int nnz, const cusparseMatDescr_t
SW_SP cusolverSpXcsrluAnalysisHost(cusolverSpHandle_t, int n, SW_SP_MATRIX, const int *rows, const int *columns, csrluInfoHost_t);
SW_SP cusolverSpXcsrcholAnalysisHost(cusolverSpHandle_t, int n, SW_SP_MATRIX, const int *rows, const int *columns, csrcholInfoHost_t);
SW_SP cusolverSpXcsrcholAnalysis(cusolverSpHandle_t, int n, SW_SP_MATRIX, const int *rows, const int *columns, csrcholInfo_t);
SW_SP cusolverSpXcsrqrAnalysisHost(cusolverSpHandle_t, int m, int n, SW_SP_MATRIX, const int *rows, const int *columns, csrqrInfoHost_t);
SW_SP cusolverSpXcsrqrAnalysis(cusolverSpHandle_t, int m, int n, SW_SP_MATRIX, const int *rows, const int *columns, csrqrInfo_t);
SW_SP cusolverSpXcsrluNnzHost(cusolverSpHandle_t, int *l_count, int *u_count, csrluInfoHost_t);

/* Of LU and Cholesky; more: what a factorization takes after its info. */
#define SW_SP_SQUARE(L, T, R, method, Host, info_t, more)                                                                           \
    SW_SP cusolverSp##L##method##BufferInfo##Host(cusolverSpHandle_t, int n, SW_SP_MATRIX, const T *values, const int *rows,        \
                                                  const int *columns, info_t, size_t *internal_bytes, size_t *work_bytes);          \
    SW_SP cusolverSp##L##method##Factor##Host(cusolverSpHandle_t, int n, SW_SP_MATRIX, const T *values, const int *rows,            \
                                              const int *columns, info_t more, void *work);                                         \
    SW_SP cusolverSp##L##method##ZeroPivot##Host(cusolverSpHandle_t, info_t, R tolerance, int *position);                           \
    SW_SP cusolverSp##L##method##Solve##Host(cusolverSpHandle_t, int n, const T *b, T *x, info_t, void *work);
#define SW_SP_COMMA ,
#define SW_SP_QR(L, T, R, Host, info_t)                                                                                             \
    SW_SP cusolverSp##L##csrqrBufferInfo##Host(cusolverSpHandle_t, int m, int n, SW_SP_MATRIX, const T *values, const int *rows,    \
                                               const int *columns, info_t, size_t *internal_bytes, size_t *work_bytes);             \
    SW_SP cusolverSp##L##csrqrSetup##Host(cusolverSpHandle_t, int m, int n, SW_SP_MATRIX, const T *values, const int *rows,         \
                                          const int *columns, T mu, info_t);                                                        \
    SW_SP cusolverSp##L##csrqrFactor##Host(cusolverSpHandle_t, int m, int n, int nnz, T *b, T *x, info_t, void *work);              \
    SW_SP cusolverSp##L##csrqrZeroPivot##Host(cusolverSpHandle_t, info_t, R tolerance, int *position);                              \
    SW_SP cusolverSp##L##csrqrSolve##Host(cusolverSpHandle_t, int m, int n, T *b, T *x, info_t, void *work);
#define SW_SP_ALL(L, T, R)                                                                                                          \
    SW_SP_SQUARE(L, T, R, csrlu, Host, csrluInfoHost_t, SW_SP_COMMA R pivot_threshold)                                              \
    SW_SP cusolverSp##L##csrluExtractHost(cusolverSpHandle_t, int *p, int *q, const cusparseMatDescr_t, T *l_values, int *l_rows,   \
                                          int *l_columns, const cusparseMatDescr_t, T *u_values, int *u_rows, int *u_columns,       \
                                          csrluInfoHost_t, void *work);                                                             \
    SW_SP_QR(L, T, R, Host, csrqrInfoHost_t)                                                                                        \
    SW_SP_QR(L, T, R, , csrqrInfo_t)                                                                                                \
    SW_SP_SQUARE(L, T, R, csrchol, Host, csrcholInfoHost_t, )                                                                       \
    SW_SP_SQUARE(L, T, R, csrchol, , csrcholInfo_t, )                                                                               \
    SW_SP cusolverSp##L##csrcholDiag(cusolverSpHandle_t, csrcholInfo_t, R *diagonal);
SW_SP_ALL(S, float, float)
SW_SP_ALL(D, double, double)
SW_SP_ALL(C, cuComplex, float)
SW_SP_ALL(Z, cuDoubleComplex, double)
#undef SW_SP_ALL
#undef SW_SP_QR
#undef SW_SP_COMMA
#undef SW_SP_SQUARE
#undef SW_SP_MATRIX
#undef SW_SP

#ifdef __cplusplus
}
#endif
#endif
