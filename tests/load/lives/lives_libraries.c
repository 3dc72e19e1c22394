/* SPDX-License-Identifier: Apache-2.0 */
/* The stand-in libraries: a handle, plan, generator or descriptor is made, used once and destroyed. */
#include "lives.h"

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cufft.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>

enum { N = 8 };
static float *memory; /* 4096 floats of the device */
static int *numbers;  /* 256 */

static void begin(void)
{
    CHECK(!cudaMalloc((void **)&memory, 4096 * sizeof *memory), "no memory");
    CHECK(!cudaMalloc((void **)&numbers, 256 * sizeof *numbers), "no memory");
    CHECK(!cudaMemset(memory, 0, 4096 * sizeof *memory), "no fill");
}

static void cublas(uint64_t step)
{
    cublasHandle_t handle;
    float one = 1, zero = 0;
    CHECK(!cublasCreate(&handle), "step %llu", (unsigned long long)step);
    CHECK(!cublasSetStream(handle, cudaStreamPerThread), "stream");
    CHECK(!cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, N, N, N, &one, memory, N, memory + 64, N, &zero,
                       memory + 128, N),
          "product");
    CHECK(!cublasSaxpy(handle, N, &one, memory, 1, memory + 64, 1), "sum");
    CHECK(!cublasDestroy(handle), "destroyed");
}

static void cufft(uint64_t step)
{
    cufftHandle plan;
    int lengths[] = {8, 12, 30, 64};
    CHECK(!cufftPlan1d(&plan, lengths[step % 4], CUFFT_C2C, 2), "step %llu", (unsigned long long)step);
    CHECK(!cufftExecC2C(plan, (cufftComplex *)memory, (cufftComplex *)memory, CUFFT_FORWARD), "run");
    CHECK(!cufftDestroy(plan), "destroyed");
}

static void curand(uint64_t step)
{
    static const curandRngType_t TYPES[] = {CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_RNG_PSEUDO_XORWOW,
                                            CURAND_RNG_PSEUDO_MRG32K3A};
    curandGenerator_t generator;
    CHECK(!curandCreateGenerator(&generator, TYPES[step % 3]), "step %llu", (unsigned long long)step);
    CHECK(!curandSetPseudoRandomGeneratorSeed(generator, step), "seed");
    CHECK(!curandGenerateUniform(generator, memory, 256), "run");
    CHECK(!curandDestroyGenerator(generator), "destroyed");
}

static void cusparse(uint64_t step)
{
    cusparseHandle_t handle;
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t x, y;
    float one = 1, zero = 0;
    static const int OFFSETS[] = {0, 1, 2, 3, 3}, COLUMNS[] = {0, 2, 1};
    CHECK(!cudaMemcpy(numbers, OFFSETS, sizeof OFFSETS, cudaMemcpyHostToDevice), "copied");
    CHECK(!cudaMemcpy(numbers + 8, COLUMNS, sizeof COLUMNS, cudaMemcpyHostToDevice), "copied");
    CHECK(!cusparseCreate(&handle), "step %llu", (unsigned long long)step);
    CHECK(!cusparseCreateCsr(&matrix, 4, 4, 3, numbers, numbers + 8, memory, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
          "matrix");
    CHECK(!cusparseCreateDnVec(&x, 4, memory + 8, CUDA_R_32F), "vector");
    CHECK(!cusparseCreateDnVec(&y, 4, memory + 16, CUDA_R_32F), "vector");
    CHECK(!cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, x, &zero, y, CUDA_R_32F,
                        CUSPARSE_SPMV_ALG_DEFAULT, memory + 1024),
          "product");
    CHECK(!cudaDeviceSynchronize(), "done");
    CHECK(!cusparseDestroySpMat(matrix) && !cusparseDestroyDnVec(x) && !cusparseDestroyDnVec(y), "gone");
    CHECK(!cusparseDestroy(handle), "destroyed");
}

static void cusolver(uint64_t step)
{
    cusolverDnHandle_t handle;
    int bytes = 0;
    CHECK(!cusolverDnCreate(&handle), "step %llu", (unsigned long long)step);
    CHECK(!cusolverDnSgetrf_bufferSize(handle, N, N, memory, N, &bytes) && bytes < 1024, "size");
    CHECK(!cusolverDnSgetrf(handle, N, N, memory, N, memory + 1024, numbers + 32, numbers + 64), "run");
    CHECK(!cudaMemset(memory, 0, 4096), "filled");
    CHECK(!cudaDeviceSynchronize(), "done");
    CHECK(!cusolverDnDestroy(handle), "destroyed");
}

const struct life lives_libraries[] = {
    {"cublas", "a handle, a product, a sum", begin, cublas, NULL, 2000},
    {"cufft", "a plan, a transform", begin, cufft, NULL, 3000},
    {"curand", "a generator, its seed, 256 numbers", begin, curand, NULL, 210},
    {"cusparse", "a handle, a matrix, vectors, a product", begin, cusparse, NULL, 3000},
    {"cusolver", "a handle, an LU decomposition", begin, cusolver, NULL, 3000},
    {.name = NULL},
};
