/* SPDX-License-Identifier: Apache-2.0 */
/* The interface of cuBLAS before version 2: no handle, scalars by value, options as letters, results returned; the error of the
 * last call by cublasGetError. Names and parameters are NVIDIA's (documentation of cuBLAS, "Using the cuBLAS Legacy API"). */
#ifndef CUBLAS_H_
#define CUBLAS_H_
#ifdef CUBLAS_V2_H_
#error "cublas.h and cublas_v2.h exclude each other"
#endif

#include <cuda_runtime.h>

#include "cublas_api.h"

#define cublasStatus cublasStatus_t
#ifdef __cplusplus
extern "C" {
#endif

cublasStatus CUBLASWINAPI cublasInit(void);
cublasStatus CUBLASWINAPI cublasShutdown(void);
cublasStatus CUBLASWINAPI cublasGetError(void);
cublasStatus CUBLASWINAPI cublasGetVersion(int *version);
cublasStatus CUBLASWINAPI cublasAlloc(int n, int elemSize, void **devicePtr);
cublasStatus CUBLASWINAPI cublasFree(void *devicePtr);
cublasStatus CUBLASWINAPI cublasSetKernelStream(cudaStream_t stream);

/* clang-format off */
#define CUBLAS_OLD(L, T)                                                                                                              \
    void CUBLASWINAPI cublas##L##axpy(int n, T alpha, const T *x, int incx, T *y, int incy);                                          \
    void CUBLASWINAPI cublas##L##copy(int n, const T *x, int incx, T *y, int incy);                                                   \
    void CUBLASWINAPI cublas##L##swap(int n, T *x, int incx, T *y, int incy);                                                         \
    void CUBLASWINAPI cublas##L##scal(int n, T alpha, T *x, int incx);                                                                \
    void CUBLASWINAPI cublas##L##gemv(char trans, int m, int n, T alpha, const T *A, int lda, const T *x, int incx, T beta, T *y,      \
                                      int incy);                                                                                      \
    void CUBLASWINAPI cublas##L##gbmv(char trans, int m, int n, int kl, int ku, T alpha, const T *A, int lda, const T *x, int incx,    \
                                      T beta, T *y, int incy);                                                                        \
    void CUBLASWINAPI cublas##L##trmv(char uplo, char trans, char diag, int n, const T *A, int lda, T *x, int incx);                  \
    void CUBLASWINAPI cublas##L##trsv(char uplo, char trans, char diag, int n, const T *A, int lda, T *x, int incx);                  \
    void CUBLASWINAPI cublas##L##tbmv(char uplo, char trans, char diag, int n, int k, const T *A, int lda, T *x, int incx);           \
    void CUBLASWINAPI cublas##L##tbsv(char uplo, char trans, char diag, int n, int k, const T *A, int lda, T *x, int incx);           \
    void CUBLASWINAPI cublas##L##tpmv(char uplo, char trans, char diag, int n, const T *AP, T *x, int incx);                          \
    void CUBLASWINAPI cublas##L##tpsv(char uplo, char trans, char diag, int n, const T *AP, T *x, int incx);                          \
    void CUBLASWINAPI cublas##L##gemm(char transa, char transb, int m, int n, int k, T alpha, const T *A, int lda, const T *B,         \
                                      int ldb, T beta, T *C, int ldc);                                                                \
    void CUBLASWINAPI cublas##L##symm(char side, char uplo, int m, int n, T alpha, const T *A, int lda, const T *B, int ldb, T beta,   \
                                      T *C, int ldc);                                                                                 \
    void CUBLASWINAPI cublas##L##syrk(char uplo, char trans, int n, int k, T alpha, const T *A, int lda, T beta, T *C, int ldc);      \
    void CUBLASWINAPI cublas##L##syr2k(char uplo, char trans, int n, int k, T alpha, const T *A, int lda, const T *B, int ldb, T beta, \
                                       T *C, int ldc);                                                                                \
    void CUBLASWINAPI cublas##L##trmm(char side, char uplo, char trans, char diag, int m, int n, T alpha, const T *A, int lda, T *B,   \
                                      int ldb);                                                                                       \
    void CUBLASWINAPI cublas##L##trsm(char side, char uplo, char trans, char diag, int m, int n, T alpha, const T *A, int lda, T *B,   \
                                      int ldb)
#define CUBLAS_OLD_RESULTS(l, T, R, nrm2, asum)                                                                                       \
    int CUBLASWINAPI cublasI##l##amax(int n, const T *x, int incx);                                                                   \
    int CUBLASWINAPI cublasI##l##amin(int n, const T *x, int incx);                                                                   \
    R CUBLASWINAPI cublas##nrm2(int n, const T *x, int incx);                                                                         \
    R CUBLASWINAPI cublas##asum(int n, const T *x, int incx)
#define CUBLAS_OLD_REAL(L, T)                                                                                                         \
    T CUBLASWINAPI cublas##L##dot(int n, const T *x, int incx, const T *y, int incy);                                                 \
    void CUBLASWINAPI cublas##L##rot(int n, T *x, int incx, T *y, int incy, T c, T s);                                                \
    void CUBLASWINAPI cublas##L##rotg(T *a, T *b, T *c, T *s);                                                                        \
    void CUBLASWINAPI cublas##L##rotm(int n, T *x, int incx, T *y, int incy, const T *param);                                         \
    void CUBLASWINAPI cublas##L##rotmg(T *d1, T *d2, T *x1, const T *y1, T *param);                                                   \
    void CUBLASWINAPI cublas##L##symv(char uplo, int n, T alpha, const T *A, int lda, const T *x, int incx, T beta, T *y, int incy);  \
    void CUBLASWINAPI cublas##L##sbmv(char uplo, int n, int k, T alpha, const T *A, int lda, const T *x, int incx, T beta, T *y,      \
                                      int incy);                                                                                      \
    void CUBLASWINAPI cublas##L##spmv(char uplo, int n, T alpha, const T *AP, const T *x, int incx, T beta, T *y, int incy);          \
    void CUBLASWINAPI cublas##L##ger(int m, int n, T alpha, const T *x, int incx, const T *y, int incy, T *A, int lda);               \
    void CUBLASWINAPI cublas##L##syr(char uplo, int n, T alpha, const T *x, int incx, T *A, int lda);                                 \
    void CUBLASWINAPI cublas##L##spr(char uplo, int n, T alpha, const T *x, int incx, T *AP);                                         \
    void CUBLASWINAPI cublas##L##syr2(char uplo, int n, T alpha, const T *x, int incx, const T *y, int incy, T *A, int lda);          \
    void CUBLASWINAPI cublas##L##spr2(char uplo, int n, T alpha, const T *x, int incx, const T *y, int incy, T *AP)
#define CUBLAS_OLD_COMPLEX(L, T, R, real_rot, real_scal)                                                                              \
    T CUBLASWINAPI cublas##L##dotu(int n, const T *x, int incx, const T *y, int incy);                                                \
    T CUBLASWINAPI cublas##L##dotc(int n, const T *x, int incx, const T *y, int incy);                                                \
    void CUBLASWINAPI cublas##real_scal(int n, R alpha, T *x, int incx);                                                              \
    void CUBLASWINAPI cublas##L##rot(int n, T *x, int incx, T *y, int incy, R c, T s);                                                \
    void CUBLASWINAPI cublas##real_rot(int n, T *x, int incx, T *y, int incy, R c, R s);                                              \
    void CUBLASWINAPI cublas##L##rotg(T *a, T b, R *c, T *s);                                                                         \
    void CUBLASWINAPI cublas##L##hemv(char uplo, int n, T alpha, const T *A, int lda, const T *x, int incx, T beta, T *y, int incy);  \
    void CUBLASWINAPI cublas##L##hbmv(char uplo, int n, int k, T alpha, const T *A, int lda, const T *x, int incx, T beta, T *y,      \
                                      int incy);                                                                                      \
    void CUBLASWINAPI cublas##L##hpmv(char uplo, int n, T alpha, const T *AP, const T *x, int incx, T beta, T *y, int incy);          \
    void CUBLASWINAPI cublas##L##geru(int m, int n, T alpha, const T *x, int incx, const T *y, int incy, T *A, int lda);              \
    void CUBLASWINAPI cublas##L##gerc(int m, int n, T alpha, const T *x, int incx, const T *y, int incy, T *A, int lda);              \
    void CUBLASWINAPI cublas##L##her(char uplo, int n, R alpha, const T *x, int incx, T *A, int lda);                                 \
    void CUBLASWINAPI cublas##L##hpr(char uplo, int n, R alpha, const T *x, int incx, T *AP);                                         \
    void CUBLASWINAPI cublas##L##her2(char uplo, int n, T alpha, const T *x, int incx, const T *y, int incy, T *A, int lda);          \
    void CUBLASWINAPI cublas##L##hpr2(char uplo, int n, T alpha, const T *x, int incx, const T *y, int incy, T *AP);                  \
    void CUBLASWINAPI cublas##L##hemm(char side, char uplo, int m, int n, T alpha, const T *A, int lda, const T *B, int ldb, T beta,  \
                                      T *C, int ldc);                                                                                 \
    void CUBLASWINAPI cublas##L##herk(char uplo, char trans, int n, int k, R alpha, const T *A, int lda, R beta, T *C, int ldc);      \
    void CUBLASWINAPI cublas##L##her2k(char uplo, char trans, int n, int k, T alpha, const T *A, int lda, const T *B, int ldb,        \
                                       R beta, T *C, int ldc)
/* clang-format on */
CUBLAS_OLD(S, float);
CUBLAS_OLD(D, double);
CUBLAS_OLD(C, cuComplex);
CUBLAS_OLD(Z, cuDoubleComplex);
CUBLAS_OLD_RESULTS(s, float, float, Snrm2, Sasum);
CUBLAS_OLD_RESULTS(d, double, double, Dnrm2, Dasum);
CUBLAS_OLD_RESULTS(c, cuComplex, float, Scnrm2, Scasum);
CUBLAS_OLD_RESULTS(z, cuDoubleComplex, double, Dznrm2, Dzasum);
CUBLAS_OLD_REAL(S, float);
CUBLAS_OLD_REAL(D, double);
CUBLAS_OLD_COMPLEX(C, cuComplex, float, Csrot, Csscal);
CUBLAS_OLD_COMPLEX(Z, cuDoubleComplex, double, Zdrot, Zdscal);
#undef CUBLAS_OLD
#undef CUBLAS_OLD_RESULTS
#undef CUBLAS_OLD_REAL
#undef CUBLAS_OLD_COMPLEX

#ifdef __cplusplus
}
#endif
#endif
