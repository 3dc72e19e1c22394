/* SPDX-License-Identifier: Apache-2.0 */
/* What random calls of the stand-in libraries found (docs/reliability.md): arguments that are null, that were
 * destroyed or that are nothing, pivots and sizes that cannot be, get a status and not a fault or a hang. */
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cufftXt.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusolverRf.h>
#include <cusolverSp.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>
#include <cusparse.h>
#include <nvJitLink.h>
#include <nvrtc.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    curandGenerator_t host;
    OK(curandCreateGeneratorHost(&host, CURAND_RNG_PSEUDO_XORWOW));
    IS(CURAND_STATUS_LAUNCH_FAILURE, curandGenerate(host, NULL, 8));
    OK(curandGenerate(host, NULL, 0));
    OK(curandDestroyGenerator(host));
}

static void of_cublaslt(void)
{
    cublasLtHandle_t handle;
    OK(cublasLtCreate(&handle));
    OK(cublasLtDestroy(handle));
    IS(CUBLAS_STATUS_NOT_INITIALIZED, cublasLtDestroy(handle));
    IS(CUBLAS_STATUS_NOT_INITIALIZED, cublasLtDestroy((cublasLtHandle_t)(void *)nothing));
}

/* Programs and links that were destroyed, or that are something else. */
static void of_compilers(void)
{
    nvrtcProgram program, gone, none = (nvrtcProgram)(void *)nothing;
    size_t bytes;
    OK(nvrtcCreateProgram(&program, "", NULL, 0, NULL, NULL));
    gone = program;
    OK(nvrtcDestroyProgram(&program));
    IS(NVRTC_ERROR_INVALID_PROGRAM, nvrtcDestroyProgram(&gone));
    IS(NVRTC_ERROR_INVALID_PROGRAM, nvrtcGetPTXSize(gone, &bytes));
    IS(NVRTC_ERROR_INVALID_PROGRAM, nvrtcGetPTX(none, nothing));
    IS(NVRTC_ERROR_INVALID_PROGRAM, nvrtcAddNameExpression(none, "k"));
    IS(NVRTC_ERROR_INVALID_PROGRAM, nvrtcCompileProgram(none, 0, NULL));
    IS(NVRTC_ERROR_INVALID_PROGRAM, nvrtcGetPCHCreateStatus(none));
    nvJitLinkHandle link, ended, other = (nvJitLinkHandle)(void *)nothing;
    const char *options[] = {"-arch=sm_90"};
    OK(nvJitLinkCreate(&link, 1, options));
    ended = link;
    OK(nvJitLinkDestroy(&link));
    IS(NVJITLINK_ERROR_NULL_INPUT, nvJitLinkDestroy(&ended));
    IS(NVJITLINK_ERROR_NULL_INPUT, nvJitLinkComplete(ended));
    IS(NVJITLINK_ERROR_NULL_INPUT, nvJitLinkAddData(other, NVJITLINK_INPUT_PTX, nothing, 8, "x"));
    IS(NVJITLINK_ERROR_NULL_INPUT, nvJitLinkGetErrorLogSize(other, &bytes));
    IS(NVJITLINK_ERROR_NULL_INPUT, nvJitLinkGetLinkedCubin(other, nothing));
}

static void of_cufft(void)
{
    cufftHandle plan = 0;
    IS(CUFFT_ALLOC_FAILED, cufftPlan3d(&plan, 0x7fffffff, 0xfff, 4, CUFFT_Z2Z));
    IS(CUFFT_ALLOC_FAILED, cufftPlan1d(&plan, 0x7fffffff, CUFFT_C2C, 0x7fffffff));
}

/* Descriptors that were freed, that are a program's own, that are of the device or nothing. */
static void of_cufft_descriptors(void)
{
    enum { N = 8 };
    cufftComplex line[N] = {{1, 0}}, back[N] = {{0, 0}};
    cudaLibXtDesc *made;
    cudaXtDesc parts;
    cufftHandle plan;
    OK(cufftPlan1d(&plan, N, CUFFT_C2C, 1));
    OK(cufftXtMalloc(plan, &made, CUFFT_XT_FORMAT_INPLACE));
    cudaLibXtDesc own = *made;
    own.descriptor = &parts;
    parts = *made->descriptor;
    OK(cufftXtMemcpy(plan, &own, line, CUFFT_COPY_HOST_TO_DEVICE));
    OK(cufftXtExecDescriptorC2C(plan, &own, &own, CUFFT_FORWARD));
    OK(cufftXtMemcpy(plan, back, made, CUFFT_COPY_DEVICE_TO_HOST));
    IS(1, back[N - 1].x);
    IS(CUFFT_INVALID_VALUE, cufftXtFree(&own));
    IS(CUFFT_INVALID_VALUE, cufftXtFree((cudaLibXtDesc *)(void *)nothing));
    IS(CUFFT_INVALID_VALUE, cufftXtMemcpy(plan, nothing, line, CUFFT_COPY_HOST_TO_DEVICE));
    void *memory = parts.data[0]; /* of the device, until it is freed */
    OK(cudaMemset(memory, 0, sizeof line));
    IS(CUFFT_INVALID_VALUE, cufftXtMemcpy(plan, memory, line, CUFFT_COPY_HOST_TO_DEVICE));
    OK(cufftXtFree(made));
    IS(CUFFT_INVALID_VALUE, cufftXtFree(made));
    IS(CUFFT_INVALID_VALUE, cufftXtMemcpy(plan, made, line, CUFFT_COPY_HOST_TO_DEVICE));
    IS(CUFFT_INVALID_VALUE, cufftXtMemcpy(plan, memory, line, CUFFT_COPY_HOST_TO_DEVICE));
    IS(CUFFT_INVALID_VALUE, cufftXtExecDescriptorC2C(plan, made, made, CUFFT_FORWARD));
    OK(cufftDestroy(plan));
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

/* Forms of matrices of order 0, whose vectors have n - 1 elements, and an info that is written. */
static void orders_of_nothing(void)
{
    cusolverDnHandle_t handle;
    float *memory;
    int *info;
    OK(cusolverDnCreate(&handle));
    OK(cudaMalloc((void **)&memory, sizeof nothing));
    OK(cudaMalloc((void **)&info, sizeof *info));
    OK(cusolverDnSsytrd(handle, CUBLAS_FILL_MODE_LOWER, 0, memory, 1, memory, memory, memory, memory, 256,
                        info));
    OK(cusolverDnSorgtr(handle, CUBLAS_FILL_MODE_LOWER, 0, memory, 1, memory, memory, 256, info));
    OK(cudaDeviceSynchronize());
    OK(cusolverDnDestroy(handle));
}

/* ---- sparse matrices and infos of cusolverSp and cusolverRf */

enum { N = 3, NNZ = 5 };
struct list {
    int starts[N + 1], columns[NNZ];
};
/* [4 1 0; 1 4 0; 0 0 2], and what is no matrix of three rows and columns and five entries. */
static const struct list GOOD = {{0, 2, 4, 5}, {0, 1, 0, 1, 2}};
static const struct list BAD[] = {
    {{0, -2, 4, 5}, {0, 1, 0, 1, 2}},      /* a negative offset */
    {{0, 4, 2, 5}, {0, 1, 0, 1, 2}},       /* offsets that decrease */
    {{0, 2, 4, 1 << 30}, {0, 1, 0, 1, 2}}, /* beyond the entries */
    {{0, 2, 4, 5}, {0, 1, 0, 1, N}},       /* columns outside of the matrix */
    {{0, 2, 4, 5}, {0, 1, 0, 1, -1 << 30}},
    {{1, 3, 5, 6}, {1, 2, 1, 2, 3}}, /* counted from 1 */
    {{0, 2, 4, 5}, {1, 2, 1, 2, 3}}, /* columns alone are */
    {{1, 2, 4, 5}, {0, 1, 0, 1, 2}}, /* a first row that begins elsewhere */
    {{-2147483647 - 1, 2, 4, 5}, {0, 1, 0, 1, 2}},
};
static const double VALUES[NNZ] = {4, 1, 1, 4, 2}, RIGHT[N] = {5, 5, 2};

static void solves_of(cusolverSpHandle_t handle, cusparseMatDescr_t matrix, const struct list *of, int wanted)
{
    const int *starts = of->starts, *columns = of->columns;
    double x[N], mu;
    int singular, order[N], symmetric;
    IS(wanted,
       cusolverSpDcsrlsvluHost(handle, N, NNZ, matrix, VALUES, starts, columns, RIGHT, 0, 1, x, &singular));
    IS(wanted,
       cusolverSpDcsrlsvqrHost(handle, N, NNZ, matrix, VALUES, starts, columns, RIGHT, 0, 1, x, &singular));
    IS(wanted,
       cusolverSpDcsrlsvcholHost(handle, N, NNZ, matrix, VALUES, starts, columns, RIGHT, 0, 1, x, &singular));
    if (!wanted) IS(1, fabs(x[0] - 1) + fabs(x[1] - 1) + fabs(x[2] - 1) < 1e-12);
    IS(wanted,
       cusolverSpDcsreigvsiHost(handle, N, NNZ, matrix, VALUES, starts, columns, 1, RIGHT, 9, 1e-9, &mu, x));
    IS(wanted, cusolverSpXcsrsymrcmHost(handle, N, NNZ, matrix, starts, columns, order));
    IS(wanted, cusolverSpXcsrsymmdqHost(handle, N, NNZ, matrix, starts, columns, order));
    IS(wanted, cusolverSpXcsrsymamdHost(handle, N, NNZ, matrix, starts, columns, order));
    IS(wanted, cusolverSpXcsrmetisndHost(handle, N, NNZ, matrix, starts, columns, NULL, order));
    if (wanted && starts[0] == 1) return; /* these rows may begin anywhere */
    IS(wanted, cusolverSpXcsrissymHost(handle, N, NNZ, matrix, starts, starts + 1, columns, &symmetric));
}

static void steps_of(cusolverSpHandle_t handle, cusparseMatDescr_t matrix, const struct list *of, int wanted)
{
    csrluInfoHost_t lu;
    csrqrInfoHost_t qr;
    csrcholInfoHost_t cholesky;
    const int *starts = of->starts, *columns = of->columns;
    int kept[N + 1], kept_columns[NNZ], map[NNZ] = {0}, p[N] = {2, 1, 0}, twice[N] = {0, 0, 1};
    OK(cusolverSpCreateCsrluInfoHost(&lu));
    OK(cusolverSpCreateCsrqrInfoHost(&qr));
    OK(cusolverSpCreateCsrcholInfoHost(&cholesky));
    IS(wanted, cusolverSpXcsrluAnalysisHost(handle, N, NNZ, matrix, starts, columns, lu));
    IS(wanted, cusolverSpXcsrqrAnalysisHost(handle, N, N, NNZ, matrix, starts, columns, qr));
    IS(wanted, cusolverSpXcsrcholAnalysisHost(handle, N, NNZ, matrix, starts, columns, cholesky));
    OK(cusolverSpXcsrluAnalysisHost(handle, N, NNZ, matrix, GOOD.starts, GOOD.columns, lu));
    OK(cusolverSpXcsrqrAnalysisHost(handle, N, N, NNZ, matrix, GOOD.starts, GOOD.columns, qr));
    OK(cusolverSpXcsrcholAnalysisHost(handle, N, NNZ, matrix, GOOD.starts, GOOD.columns, cholesky));
    IS(wanted, cusolverSpDcsrluFactorHost(handle, N, NNZ, matrix, VALUES, starts, columns, lu, 1, nothing));
    IS(wanted, cusolverSpDcsrqrSetupHost(handle, N, N, NNZ, matrix, VALUES, starts, columns, 0, qr));
    IS(wanted,
       cusolverSpDcsrcholFactorHost(handle, N, NNZ, matrix, VALUES, starts, columns, cholesky, nothing));
    OK(cusolverSpDestroyCsrluInfoHost(lu));
    OK(cusolverSpDestroyCsrqrInfoHost(qr));
    OK(cusolverSpDestroyCsrcholInfoHost(cholesky));
    memcpy(kept, starts, sizeof kept);
    memcpy(kept_columns, columns, sizeof kept_columns);
    IS(CUSOLVER_STATUS_INVALID_VALUE,
       cusolverSpXcsrpermHost(handle, N, N, NNZ, matrix, kept, kept_columns, p, twice, map, nothing));
    IS(wanted, cusolverSpXcsrpermHost(handle, N, N, NNZ, matrix, kept, kept_columns, p, p, map, nothing));
}

#define DIES(Name, name)                                                                                     \
    do {                                                                                                     \
        name##_t info;                                                                                       \
        OK(cusolverSpCreate##Name(&info));                                                                   \
        OK(cusolverSpDestroy##Name(info));                                                                   \
        IS(CUSOLVER_STATUS_INVALID_VALUE, cusolverSpDestroy##Name(info));                                    \
        IS(CUSOLVER_STATUS_INVALID_VALUE, cusolverSpDestroy##Name((name##_t)(void *)nothing));               \
        IS(CUSOLVER_STATUS_INVALID_VALUE, cusolverSpDestroy##Name((name##_t)8));                             \
        IS(CUSOLVER_STATUS_INVALID_VALUE, cusolverSpDestroy##Name(NULL));                                    \
    } while (0)

static void infos_die_once(cusolverSpHandle_t handle)
{
    csrqrInfo_t qr;
    double x[N];
    int position;
    DIES(CsrluInfoHost, csrluInfoHost);
    DIES(CsrqrInfoHost, csrqrInfoHost);
    DIES(CsrcholInfoHost, csrcholInfoHost);
    DIES(CsrqrInfo, csrqrInfo);
    DIES(CsrcholInfo, csrcholInfo);
    OK(cusolverSpCreateCsrqrInfo(&qr));
    IS(CUSOLVER_STATUS_INVALID_VALUE, cusolverSpDestroyCsrcholInfo((csrcholInfo_t)(void *)qr));
    OK(cusolverSpDestroyCsrqrInfo(qr));
    IS(CUSOLVER_STATUS_INVALID_VALUE, cusolverSpDcsrqrZeroPivot(handle, qr, 0, &position));
    IS(CUSOLVER_STATUS_INVALID_VALUE, cusolverSpDcsrqrSolve(handle, N, N, x, x, qr, nothing));
    IS(CUSOLVER_STATUS_INVALID_VALUE,
       cusolverSpDcsrluZeroPivotHost(handle, (csrluInfoHost_t)(void *)nothing, 0, &position));
}

static void of_refactorization(void)
{
    cusolverRfHandle_t rf;
    int starts[N + 1] = {0, 1, 2, 3}, none[N + 1] = {0}, columns[N] = {0, 1, 2}, p[N] = {0, 1, 2};
    double values[N] = {1, 2, 3}, *batch[2] = {values, NULL};
    OK(cusolverRfCreate(&rf));
    IS(CUSOLVER_STATUS_INVALID_VALUE,
       cusolverRfBatchSetupHost(2, N, N, starts, columns, batch, 0, none, columns, values, N, starts, columns,
                                values, p, p, rf));
    IS(CUSOLVER_STATUS_INVALID_VALUE, cusolverRfSetupHost(N, N, starts, columns, values, 0, starts, columns,
                                                          values, N, starts, columns, values, p, p, rf));
    OK(cusolverRfSetupHost(N, N, starts, columns, values, 0, none, columns, values, N, starts, columns,
                           values, p, p, rf));
    OK(cusolverRfDestroy(rf));
    IS(CUSOLVER_STATUS_NOT_INITIALIZED, cusolverRfDestroy(rf));
    IS(CUSOLVER_STATUS_NOT_INITIALIZED, cusolverRfRefactor(rf));
    IS(CUSOLVER_STATUS_NOT_INITIALIZED, cusolverRfDestroy((cusolverRfHandle_t)(void *)nothing));
}

static void of_sparse_solves(void)
{
    cusolverSpHandle_t handle;
    cusparseMatDescr_t matrix;
    OK(cusolverSpCreate(&handle));
    OK(cusparseCreateMatDescr(&matrix));
    solves_of(handle, matrix, &GOOD, CUSOLVER_STATUS_SUCCESS);
    steps_of(handle, matrix, &GOOD, CUSOLVER_STATUS_SUCCESS);
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        solves_of(handle, matrix, &BAD[i], CUSOLVER_STATUS_INVALID_VALUE);
        steps_of(handle, matrix, &BAD[i], CUSOLVER_STATUS_INVALID_VALUE);
    }
    infos_die_once(handle);
    double x[N], mu;
    int singular, after_nothing = 4; /* where no rows end */
    IS(CUSOLVER_STATUS_INVALID_VALUE, cusolverSpDcsreigvsiHost(handle, 0, 4, matrix, VALUES, &after_nothing,
                                                               GOOD.columns, 1, RIGHT, 3, 0, &mu, x));
    OK(cusparseDestroyMatDescr(matrix));
    IS(CUSOLVER_STATUS_INVALID_VALUE, cusolverSpDcsrlsvluHost(handle, N, NNZ, NULL, VALUES, GOOD.starts,
                                                              GOOD.columns, RIGHT, 0, 0, x, &singular));
    OK(cusolverSpDestroy(handle));
    IS(CUSOLVER_STATUS_NOT_INITIALIZED, cusolverSpDestroy(handle));
}

/* What ends a context, each in a process of its own. */

static void *upload(const void *from, size_t bytes)
{
    void *memory;
    OK(cudaMalloc(&memory, bytes));
    OK(cudaMemcpy(memory, from, bytes, cudaMemcpyHostToDevice));
    return memory;
}

/* A matrix of the device whose columns are outside of it: as a kernel that follows them. */
static void solve_of_the_device(void)
{
    cusolverSpHandle_t handle;
    cusparseMatDescr_t matrix;
    int singular;
    OK(cusolverSpCreate(&handle));
    OK(cusparseCreateMatDescr(&matrix));
    double *values = upload(VALUES, sizeof VALUES), *b = upload(RIGHT, sizeof RIGHT), x[N];
    int *starts = upload(GOOD.starts, sizeof GOOD.starts),
        *columns = upload(GOOD.columns, sizeof GOOD.columns);
    OK(cusolverSpDcsrlsvqr(handle, N, NNZ, matrix, values, starts, columns, b, 0, 1, b, &singular));
    OK(cudaMemcpy(x, b, sizeof x, cudaMemcpyDeviceToHost));
    IS(1, fabs(x[0] - 1) + fabs(x[1] - 1) + fabs(x[2] - 1) < 1e-12);
    columns = upload(BAD[3].columns, sizeof GOOD.columns);
    IS(CUSOLVER_STATUS_INTERNAL_ERROR,
       cusolverSpDcsrlsvqr(handle, N, NNZ, matrix, values, starts, columns, b, 0, 1, b, &singular));
    IS(cudaErrorIllegalAddress, cudaDeviceSynchronize());
}

/* The host's BLAS reads whole registers of elements. */
static void vector_that_is_not_aligned(void)
{
    cublasHandle_t handle;
    char *memory;
    double sum;
    OK(cublasCreate(&handle));
    OK(cudaMalloc((void **)&memory, 4096));
    OK(cudaMemset(memory, 0, 4096));
    OK(cublasDzasum(handle, 64, (cuDoubleComplex *)(memory + 8), 1, &sum));
    IS(CUBLAS_STATUS_EXECUTION_FAILED, cublasDzasum(handle, 64, (cuDoubleComplex *)(memory + 3), 1, &sum));
    IS(cudaErrorMisalignedAddress, cudaDeviceSynchronize());
}

static void in_a_process(const char *program, const char *what)
{
    char command[4096];
    snprintf(command, sizeof command, "'%s' %s", program, what);
    OK(system(command));
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

int main(int count, char **words)
{
    if (count > 1) {
        if (*words[1] == 's') solve_of_the_device();
        if (*words[1] == 'v') vector_that_is_not_aligned();
        return 0;
    }
    in_a_process(words[0], "solve");
    in_a_process(words[0], "vector");
    of_curand();
    of_cufft();
    of_cufft_descriptors();
    of_cublas();
    of_cusparse();
    of_cusolver();
    orders_of_nothing();
    of_sparse_solves();
    of_refactorization();
    counts_that_wrap();
    of_cublaslt();
    of_compilers();
    return 0;
}
