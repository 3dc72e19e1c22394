/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of cuBLAS at many sizes, to be timed: before each a kernel `mark` that a profiler sees; one line a call on standard output.
 * times.py runs it under ncu on a GPU, or under softwarp profile, and adds up the kernels between two marks. */
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>

__global__ void mark() {}

static cublasHandle_t handle;
static char *a, *b, *c;
static void call(const char *name, const char *shape, int status)
{
    cudaDeviceSynchronize();
    std::printf("%s\t%s\t%d\n", name, shape, status);
}
static char text[100];
#define SHAPE(...) (std::snprintf(text, sizeof text, __VA_ARGS__), text)
#define TIMED(name, shape, expression)                                                                                           \
    do {                                                                                                                         \
        mark<<<1, 1>>>();                                                                                                        \
        call(name, shape, expression);                                                                                           \
    } while (0)

struct Kind {
    const char *name;
    cudaDataType in, out;
    cublasComputeType_t compute;
};
static const Kind KINDS[] = {{"f32", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F},
                             {"tf32", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32},
                             {"f64", CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F},
                             {"f16", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F},
                             {"bf16", CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F},
                             {"i8", CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I}};
static const double ONE = 1, ZERO = 0;
static const float ONEF = 1, ZEROF = 0;
static const int ONEI = 1, ZEROI = 0;

static void gemm(const Kind &kind, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, int batch = 0)
{
    bool is_double = kind.in == CUDA_R_64F, is_int = kind.in == CUDA_R_8I;
    const void *one = is_double ? (const void *)&ONE : is_int ? (const void *)&ONEI : &ONEF;
    const void *zero = is_double ? (const void *)&ZERO : is_int ? (const void *)&ZEROI : &ZEROF;
    int lda = ta ? k : m, ldb = tb ? n : k;
    const char *shape = SHAPE("%d %d %d %c%c %d", m, n, k, ta ? 'T' : 'N', tb ? 'T' : 'N', batch);
    if (batch)
        TIMED(kind.name, shape,
              cublasGemmStridedBatchedEx(handle, ta, tb, m, n, k, one, a, kind.in, lda, (long long)m * k, b, kind.in, ldb, (long long)n * k,
                                         zero, c, kind.out, m, (long long)m * n, batch, kind.compute, CUBLAS_GEMM_DEFAULT));
    else
        TIMED(kind.name, shape,
              cublasGemmEx(handle, ta, tb, m, n, k, one, a, kind.in, lda, b, kind.in, ldb, zero, c, kind.out, m, kind.compute,
                           CUBLAS_GEMM_DEFAULT));
}

/* Products with triangles and symmetric matrices, for which cuBLAS runs several kernels. */
static void triangles()
{
    const cublasOperation_t N = CUBLAS_OP_N;
    const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
    for (int n : {128, 384, 512, 768, 1536, 2048}) {
        float *x = (float *)a, *y = (float *)b, *z = (float *)c;
        TIMED("syrk", SHAPE("%d", n), cublasSsyrk(handle, lower, N, n, n, &ONEF, x, n, &ZEROF, z, n));
        TIMED("syr2k", SHAPE("%d", n), cublasSsyr2k(handle, lower, N, n, n, &ONEF, x, n, y, n, &ZEROF, z, n));
        TIMED("symm", SHAPE("%d", n), cublasSsymm(handle, CUBLAS_SIDE_LEFT, lower, n, n, &ONEF, x, n, y, n, &ZEROF, z, n));
        TIMED("trmm", SHAPE("%d", n), cublasStrmm(handle, CUBLAS_SIDE_LEFT, lower, N, CUBLAS_DIAG_UNIT, n, n, &ONEF, x, n, y, n, z, n));
        TIMED("trsm", SHAPE("%d", n), cublasStrsm(handle, CUBLAS_SIDE_LEFT, lower, N, CUBLAS_DIAG_UNIT, n, n, &ONEF, x, n, z, n));
        TIMED("trsv", SHAPE("%d", n), cublasStrsv(handle, lower, N, CUBLAS_DIAG_UNIT, n, x, n, z, 1));
    }
    for (int n : {256, 512, 1024, 2048, 4096}) {
        double *x = (double *)a, *y = (double *)b, *z = (double *)c;
        TIMED("dsyrk", SHAPE("%d", n), cublasDsyrk(handle, lower, N, n, n, &ONE, x, n, &ZERO, z, n));
        TIMED("dsymm", SHAPE("%d", n), cublasDsymm(handle, CUBLAS_SIDE_LEFT, lower, n, n, &ONE, x, n, y, n, &ZERO, z, n));
        TIMED("dtrmm", SHAPE("%d", n), cublasDtrmm(handle, CUBLAS_SIDE_LEFT, lower, N, CUBLAS_DIAG_UNIT, n, n, &ONE, x, n, y, n, z, n));
        TIMED("dtrsm", SHAPE("%d", n), cublasDtrsm(handle, CUBLAS_SIDE_LEFT, lower, N, CUBLAS_DIAG_UNIT, n, n, &ONE, x, n, z, n));
    }
    for (int sides : {1, 16, 64, 256}) {
        float *x = (float *)a, *z = (float *)c;
        TIMED("trsm", SHAPE("2048 of %d", sides), cublasStrsm(handle, CUBLAS_SIDE_LEFT, lower, N, CUBLAS_DIAG_UNIT, 2048, sides, &ONEF, x, 2048, z, 2048));
    }
}
static void vectors()
{
    const cublasOperation_t N = CUBLAS_OP_N, T = CUBLAS_OP_T;
    for (int n : {512, 768, 1536, 2048, 4096}) {
        float *x = (float *)a, *y = (float *)b, *z = (float *)c;
        TIMED("gemv", SHAPE("%d N", n), cublasSgemv(handle, N, n, n, &ONEF, x, n, y, 1, &ZEROF, z, 1));
        TIMED("gemv", SHAPE("%d T", n), cublasSgemv(handle, T, n, n, &ONEF, x, n, y, 1, &ZEROF, z, 1));
        TIMED("dgemv", SHAPE("%d N", n), cublasDgemv(handle, N, n, n, &ONE, (double *)a, n, (double *)b, 1, &ZERO, (double *)c, 1));
    }
    for (int m : {64, 512, 4096})
        for (int n : {64, 512, 4096}) {
            if (m == n) continue;
            float *x = (float *)a, *y = (float *)b, *z = (float *)c;
            TIMED("gemv", SHAPE("%d by %d N", m, n), cublasSgemv(handle, N, m, n, &ONEF, x, m, y, 1, &ZEROF, z, 1));
            TIMED("gemv", SHAPE("%d by %d T", m, n), cublasSgemv(handle, T, m, n, &ONEF, x, m, y, 1, &ZEROF, z, 1));
        }
    for (int n = 1 << 12; n <= 1 << 24; n <<= 4) {
        float *x = (float *)a, *y = (float *)b, result;
        double out;
        int index;
        TIMED("nrm2", SHAPE("%d", n), cublasSnrm2(handle, n, x, 1, &result));
        TIMED("dnrm2", SHAPE("%d", n), cublasDnrm2(handle, n, (double *)a, 1, &out));
        TIMED("dot", SHAPE("%d", n), cublasSdot(handle, n, x, 1, y, 1, &result));
        TIMED("ddot", SHAPE("%d", n), cublasDdot(handle, n, (double *)a, 1, (double *)b, 1, &out));
        TIMED("amax", SHAPE("%d", n), cublasIsamax(handle, n, x, 1, &index));
        TIMED("asum", SHAPE("%d", n), cublasSasum(handle, n, x, 1, &result));
        TIMED("rot", SHAPE("%d", n), cublasSrot(handle, n, x, 1, y, 1, &ONEF, &ZEROF));
        TIMED("daxpy", SHAPE("%d", n), cublasDaxpy(handle, n, &ONE, (double *)a, 1, (double *)b, 1));
    }
}
/* Columns that do not begin at 16 bytes. */
static void unaligned()
{
    const cublasOperation_t N = CUBLAS_OP_N, T = CUBLAS_OP_T;
    const int shapes[][3] = {{1001, 1001, 1001}, {1002, 1002, 1002}, {1004, 1004, 1004}, {257, 257, 257}, {50257, 16, 768}, {2047, 2047, 2047},
                             {50257, 64, 768}, {513, 64, 512}};
    for (int i : {1, 3, 4})
        for (auto &s : shapes)
            for (int t = 0; t < 2; t++)
                gemm(KINDS[i], t ? T : N, N, s[0], s[1], s[2]);
}

int main()
{
    const size_t bytes = 512u << 20;
    const cublasOperation_t N = CUBLAS_OP_N, T = CUBLAS_OP_T;
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    cudaMalloc(&c, bytes);
    cudaMemset(a, 0, bytes);
    cudaMemset(b, 0, bytes);
    cudaMemset(c, 0, bytes);
    if (cublasCreate(&handle)) return 1;
    const int cubes[] = {64, 128, 256, 384, 512, 768, 1024, 1536, 2048, 4096};
    for (auto &kind : KINDS)
        for (int n : cubes)
            gemm(kind, T, N, n, n, n);
    const int shapes[][3] = {{4096, 16, 4096}, {4096, 1, 4096}, {11008, 32, 4096}, {4096, 128, 4096}, {512, 512, 16384}, {128, 128, 65536},
                             {8192, 8192, 64}, {1000, 1000, 1000}, {3072, 64, 768}, {768, 512, 3072}, {50257, 8, 768}, {17, 4096, 1024}};
    for (int i = 0; i < 4; i++)
        for (auto &s : shapes)
            if (KINDS[i].in != CUDA_R_64F || s[0] * s[1] < 40000000) gemm(KINDS[i], i & 1 ? N : T, N, s[0], s[1], s[2]);
    const int batches[][4] = {{64, 64, 64, 96}, {512, 512, 64, 96}, {512, 64, 512, 96}, {128, 128, 64, 12}, {32, 32, 32, 1000}, {16, 16, 16, 10000},
                              {1, 512, 64, 96}};
    for (int i = 0; i < 4; i++)
        for (auto &s : batches)
            gemm(KINDS[i], T, N, s[0], s[1], s[2], s[3]);
    for (int n = 1 << 10; n <= 1 << 26; n <<= 4) {
        float *x = (float *)a, *y = (float *)b, result;
        TIMED("axpy", SHAPE("%d", n), cublasSaxpy(handle, n, &ONEF, x, 1, y, 1));
        TIMED("scal", SHAPE("%d", n), cublasSscal(handle, n, &ONEF, x, 1));
        TIMED("copy", SHAPE("%d", n), cublasScopy(handle, n, x, 1, y, 1));
        TIMED("dot", SHAPE("%d", n), cublasSdot(handle, n, x, 1, y, 1, &result));
        TIMED("nrm2", SHAPE("%d", n), cublasSnrm2(handle, n, x, 1, &result));
        TIMED("asum", SHAPE("%d", n), cublasSasum(handle, n, x, 1, &result));
    }
    for (int n = 256; n <= 8192; n *= 4) {
        float *x = (float *)a, *y = (float *)b, *z = (float *)c;
        TIMED("gemv", SHAPE("%d N", n), cublasSgemv(handle, N, n, n, &ONEF, x, n, y, 1, &ZEROF, z, 1));
        TIMED("gemv", SHAPE("%d T", n), cublasSgemv(handle, T, n, n, &ONEF, x, n, y, 1, &ZEROF, z, 1));
        TIMED("ger", SHAPE("%d", n), cublasSger(handle, n, n, &ONEF, y, 1, z, 1, x, n));
        TIMED("geam", SHAPE("%d T", n), cublasSgeam(handle, T, N, n, n, &ONEF, x, n, &ZEROF, y, n, z, n));
        TIMED("geam", SHAPE("%d N", n), cublasSgeam(handle, N, N, n, n, &ONEF, x, n, &ONEF, y, n, z, n));
        TIMED("dgmm", SHAPE("%d", n), cublasSdgmm(handle, CUBLAS_SIDE_LEFT, n, n, x, n, y, 1, z, n));
    }
    for (int n = 256; n <= 4096; n *= 4) {
        float *x = (float *)a, *y = (float *)b, *z = (float *)c;
        TIMED("syrk", SHAPE("%d", n), cublasSsyrk(handle, CUBLAS_FILL_MODE_LOWER, N, n, n, &ONEF, x, n, &ZEROF, z, n));
        TIMED("symm", SHAPE("%d", n), cublasSsymm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, n, n, &ONEF, x, n, y, n, &ZEROF, z, n));
        TIMED("trmm", SHAPE("%d", n),
              cublasStrmm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, N, CUBLAS_DIAG_UNIT, n, n, &ONEF, x, n, y, n, z, n));
        TIMED("trsm", SHAPE("%d", n),
              cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, N, CUBLAS_DIAG_UNIT, n, n, &ONEF, x, n, z, n));
        TIMED("trsv", SHAPE("%d", n), cublasStrsv(handle, CUBLAS_FILL_MODE_LOWER, N, CUBLAS_DIAG_UNIT, n, x, n, z, 1));
    }
    triangles();
    vectors();
    unaligned();
    mark<<<1, 1>>>();
    cudaDeviceSynchronize();
    return cublasDestroy(handle);
}
