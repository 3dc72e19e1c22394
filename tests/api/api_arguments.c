/* SPDX-License-Identifier: Apache-2.0 */
/* What random calls of the stand-in libraries found (docs/reliability.md): arguments that are null, that were
 * destroyed or that are nothing, pivots and sizes that cannot be, get a status and not a fault or a hang. */
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cufft.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define IS(expected, call)                                                                                   \
    do {                                                                                                     \
        long got_ = (long)(call), wanted_ = (long)(expected);                                                \
        if (got_ == wanted_) break;                                                                          \
        fprintf(stderr, "%s:%d: %s gives %ld, not %ld\n", __FILE__, __LINE__, #call, got_, wanted_);         \
        exit(1);                                                                                             \
    } while (0)
#define OK(call) IS(0, call)

static char nothing[4096]; /* memory that is no object */

static void of_curand(void)
{
    IS(CURAND_STATUS_OUT_OF_RANGE, curandCreateGenerator(NULL, CURAND_RNG_PSEUDO_XORWOW));
    IS(CURAND_STATUS_OUT_OF_RANGE, curandCreateGeneratorHost(NULL, CURAND_RNG_PSEUDO_XORWOW));
}

static void of_cufft(void)
{
    cufftHandle plan = 0;
    IS(CUFFT_ALLOC_FAILED, cufftPlan3d(&plan, 0x7fffffff, 0xfff, 4, CUFFT_Z2Z));
    IS(CUFFT_ALLOC_FAILED, cufftPlan1d(&plan, 0x7fffffff, CUFFT_C2C, 0x7fffffff));
}

static void of_cublas(void)
{
    cublasHandle_t handle;
    double d1 = INFINITY, d2 = INFINITY, x = 1, y = 1, param[5];
    int size = 4;
    OK(cublasCreate(&handle));
    OK(cublasDrotmg(handle, &d1, &d2, &x, &y, param));
    IS(CUBLAS_STATUS_INVALID_VALUE,
       cublasSgemmGroupedBatched(handle, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                                 NULL, NULL, 1, &size));
    OK(cublasDestroy(handle));
}

static void of_cusparse(void)
{
    cusparseHandle_t handle;
    cusparseMatDescr_t matrix;
    cusparseDnVecDescr_t vector;
    int64_t count;
    float *memory;
    OK(cudaMalloc((void **)&memory, sizeof nothing));
    OK(cusparseCreate(&handle));
    OK(cusparseCreateMatDescr(&matrix));
    OK(cusparseCreateDnVec(&vector, 8, memory, CUDA_R_32F));
    IS(CUSPARSE_STATUS_INVALID_VALUE, cusparseDestroyDnMat((cusparseConstDnMatDescr_t)(void *)nothing));
    IS(CUSPARSE_STATUS_INVALID_VALUE, cusparseDestroyDnMat((cusparseConstDnMatDescr_t)(void *)vector));
    IS(CUSPARSE_STATUS_INVALID_VALUE,
       cusparseSpMatGetSize((cusparseConstSpMatDescr_t)(void *)vector, &count, &count, &count));
    IS(CUSPARSE_STATUS_INVALID_VALUE,
       cusparseScsric02(handle, 4, 4, matrix, memory, (int *)memory, (int *)memory,
                        (csric02Info_t)(void *)nothing, CUSPARSE_SOLVE_POLICY_NO_LEVEL, memory));
    IS(CUSPARSE_STATUS_INVALID_VALUE,
       cusparseXcoosortByRow(handle, 4, 4, 4, NULL, (int *)memory, NULL, memory));
    OK(cusparseDestroyDnVec(vector));
    IS(CUSPARSE_STATUS_INVALID_VALUE, cusparseDnVecSetValues(vector, memory));
    IS(CUSPARSE_STATUS_INVALID_VALUE, cusparseDestroyDnVec(vector));
    OK(cusparseDestroyMatDescr(matrix));
    IS(CUSPARSE_STATUS_NOT_INITIALIZED, cusparseSetMatType(matrix, CUSPARSE_MATRIX_TYPE_GENERAL));
    OK(cusparseDestroy(handle));
    OK(cudaFree(memory));
}

/* Of a solve with the pivots 7, -1, 0: LAPACK's number of the parameter. */
static void pivots_are_looked_at(cusolverDnHandle_t handle)
{
    enum { N = 3 };
    static const int PIVOTS[N] = {7, -1, 0};
    double *a;
    int *pivots, *device_info, info = 1;
    OK(cudaMalloc((void **)&a, 4096));
    OK(cudaMalloc((void **)&pivots, sizeof PIVOTS));
    OK(cudaMalloc((void **)&device_info, sizeof info));
    OK(cudaMemset(a, 0, 4096));
    OK(cudaMemcpy(pivots, PIVOTS, sizeof PIVOTS, cudaMemcpyHostToDevice));
    OK(cusolverDnDgetrs(handle, CUBLAS_OP_N, N, 1, a, N, pivots, a + 64, N, device_info));
    OK(cudaMemcpy(&info, device_info, sizeof info, cudaMemcpyDeviceToHost));
    IS(-6, info);
    OK(cusolverDnDsytri(handle, CUBLAS_FILL_MODE_LOWER, N, a, N, pivots, a + 64, 64, device_info));
    OK(cudaMemcpy(&info, device_info, sizeof info, cudaMemcpyDeviceToHost));
    IS(-5, info);
    OK(cusolverDnDlaswp(handle, 1, a, N, 1, N, pivots, 1));
    OK(cudaDeviceSynchronize());
}

static void of_cusolver(void)
{
    cusolverDnHandle_t handle;
    cusolverDnParams_t params;
    gesvdjInfo_t info;
    OK(cusolverDnCreate(&handle));
    OK(cusolverDnCreateParams(&params));
    OK(cusolverDnCreateGesvdjInfo(&info));
    IS(CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED,
       cusolverDnIRSParamsDestroy((cusolverDnIRSParams_t)(void *)nothing));
    IS(CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED,
       cusolverDnIRSInfosDestroy((cusolverDnIRSInfos_t)(void *)params));
    OK(cusolverDnDestroyGesvdjInfo(info));
    IS(CUSOLVER_STATUS_INVALID_VALUE, cusolverDnDestroyGesvdjInfo(info));
    IS(CUSOLVER_STATUS_INVALID_VALUE, cusolverDnXgesvdjSetMaxSweeps(info, 3));
    OK(cusolverDnDestroyParams(params));
    IS(CUSOLVER_STATUS_INVALID_VALUE, cusolverDnSetAdvOptions(params, CUSOLVERDN_GETRF, CUSOLVER_ALG_0));
    pivots_are_looked_at(handle);
    OK(cusolverDnDestroy(handle));
}

/* 2^62 numbers of four bytes are no bytes, if the product wraps; last, since the context fails. */
static void counts_that_wrap(void)
{
    curandGenerator_t generator;
    float *memory;
    OK(cudaMalloc((void **)&memory, 4096));
    OK(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_XORWOW));
    OK(curandGenerateUniform(generator, memory, (size_t)1 << 62));
    IS(cudaErrorIllegalAddress, cudaDeviceSynchronize());
}

int main(void)
{
    of_curand();
    of_cufft();
    of_cublas();
    of_cusparse();
    of_cusolver();
    counts_that_wrap();
    return 0;
}
