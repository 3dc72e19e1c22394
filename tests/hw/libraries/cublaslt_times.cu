/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of cuBLASLt at many sizes, to be timed: before each a kernel `mark` that a profiler sees; one line a call on standard output,
 * as cublas_times.cu has those of cuBLAS. */
#include <cublasLt.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

__global__ void mark() {}

static cublasLtHandle_t handle;
static char *a, *b, *c, *d, *aux, *workspace;
static const size_t WORKSPACE = 64u << 20;
static float *numbers;

struct Kind {
    const char *name;
    cudaDataType in, c, out;
    cublasComputeType_t compute;
    cudaDataType scale;
};
static const Kind KINDS[] = {{"f16", CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, CUDA_R_32F},
                             {"bf16", CUDA_R_16BF, CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F},
                             {"fp8-bf16", CUDA_R_8F_E4M3, CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F},
                             {"fp8-fp8", CUDA_R_8F_E4M3, CUDA_R_16BF, CUDA_R_8F_E4M3, CUBLAS_COMPUTE_32F, CUDA_R_32F},
                             {"i8-i32", CUDA_R_8I, CUDA_R_32I, CUDA_R_32I, CUBLAS_COMPUTE_32I, CUDA_R_32I},
                             {"i8-i8", CUDA_R_8I, CUDA_R_8I, CUDA_R_8I, CUBLAS_COMPUTE_32I, CUDA_R_32F},
                             {"tf32", CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F},
                             {"f32", CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F}};

template <typename T> static void set(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t id, T value)
{
    cublasLtMatmulDescSetAttribute(desc, id, &value, sizeof value);
}
static cublasLtMatrixLayout_t layout(cudaDataType type, int rows, int cols, int batch)
{
    cublasLtMatrixLayout_t out;
    cublasLtMatrixLayoutCreate(&out, type, (uint64_t)rows, (uint64_t)cols, rows);
    int32_t count = batch;
    int64_t stride = (int64_t)rows * cols;
    cublasLtMatrixLayoutSetAttribute(out, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count);
    cublasLtMatrixLayoutSetAttribute(out, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof stride);
    return out;
}
static void done(const char *name, const char *shape, int status)
{
    cudaDeviceSynchronize();
    std::printf("%s\t%s\t%d\n", name, shape, status);
}
/* ta: op of A; beta 0 but where it reads C */
static void matmul(const Kind &kind, bool ta, int m, int n, int k, unsigned epilogue = CUBLASLT_EPILOGUE_DEFAULT, int batch = 1, bool reads_c = false,
                   int scale_mode = 0)
{
    static const int ONE_I = 1, ZERO_I = 0;
    static const float ONE = 1, ZERO = 0;
    bool is_int = kind.scale == CUDA_R_32I, is_mask = epilogue & (CUBLASLT_EPILOGUE_RELU | 8);
    cublasLtMatmulDesc_t desc;
    cublasLtMatmulDescCreate(&desc, kind.compute, kind.scale);
    set<int32_t>(desc, CUBLASLT_MATMUL_DESC_TRANSA, ta ? CUBLAS_OP_T : CUBLAS_OP_N);
    set<uint32_t>(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
    if (epilogue & (4 | 16 | 256 | 512)) set<void *>(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, numbers);
    if (epilogue & 128) {
        set<void *>(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux);
        set<int64_t>(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, is_mask ? (m + 127) / 128 * 128 : m);
    }
    if (scale_mode) {
        set<int32_t>(desc, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, scale_mode);
        set<int32_t>(desc, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, scale_mode);
        set<void *>(desc, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, numbers);
        set<void *>(desc, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, numbers);
    }
    cublasLtMatrixLayout_t la = layout(kind.in, ta ? k : m, ta ? m : k, batch), lb = layout(kind.in, k, n, batch), lc = layout(kind.c, m, n, batch),
                           ld = layout(kind.out, m, n, batch);
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulPreferenceCreate(&preference);
    cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &WORKSPACE, sizeof WORKSPACE);
    cublasLtMatmulHeuristicResult_t result = {};
    int count = 0;
    cublasLtMatmulAlgoGetHeuristic(handle, desc, la, lb, lc, ld, preference, 1, &result, &count);
    char shape[100];
    std::snprintf(shape, sizeof shape, "%d %d %d %cN e%d b%d c%d s%d", m, n, k, ta ? 'T' : 'N', (int)epilogue, batch, reads_c, scale_mode);
    const void *one = is_int ? (const void *)&ONE_I : &ONE, *zero = is_int ? (const void *)&ZERO_I : &ZERO;
    mark<<<1, 1>>>();
    int status = cublasLtMatmul(handle, desc, one, a, la, b, lb, reads_c ? one : zero, c, lc, d, ld, count ? &result.algo : nullptr, workspace, WORKSPACE, 0);
    done(kind.name, shape, status);
    cublasLtMatmulPreferenceDestroy(preference);
    for (auto l : {la, lb, lc, ld})
        cublasLtMatrixLayoutDestroy(l);
    cublasLtMatmulDescDestroy(desc);
}
static void transform(int rows, int cols, cudaDataType type, int from, int to, bool transposes)
{
    cublasLtMatrixTransformDesc_t desc;
    cublasLtMatrixTransformDescCreate(&desc, CUDA_R_32F);
    int32_t op = transposes ? CUBLAS_OP_T : CUBLAS_OP_N;
    cublasLtMatrixTransformDescSetAttribute(desc, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, &op, sizeof op);
    cublasLtMatrixLayout_t la = layout(type, transposes ? cols : rows, transposes ? rows : cols, 1), lc = layout(type, rows, cols, 1);
    int64_t lda = from == CUBLASLT_ORDER_COL ? (transposes ? cols : rows) : 32 * rows, ldc = to == CUBLASLT_ORDER_COL ? rows : 32 * rows;
    cublasLtMatrixLayoutSetAttribute(la, CUBLASLT_MATRIX_LAYOUT_ORDER, &from, sizeof from);
    cublasLtMatrixLayoutSetAttribute(lc, CUBLASLT_MATRIX_LAYOUT_ORDER, &to, sizeof to);
    cublasLtMatrixLayoutSetAttribute(la, CUBLASLT_MATRIX_LAYOUT_LD, &lda, sizeof lda);
    cublasLtMatrixLayoutSetAttribute(lc, CUBLASLT_MATRIX_LAYOUT_LD, &ldc, sizeof ldc);
    float one = 1, zero = 0;
    char shape[100];
    std::snprintf(shape, sizeof shape, "%d %d type %d order %d to %d %c", rows, cols, (int)type, from, to, transposes ? 'T' : 'N');
    mark<<<1, 1>>>();
    done("transform", shape, cublasLtMatrixTransform(handle, desc, &one, a, la, &zero, nullptr, nullptr, d, lc, 0));
    cublasLtMatrixTransformDescDestroy(desc);
    cublasLtMatrixLayoutDestroy(la);
    cublasLtMatrixLayoutDestroy(lc);
}

int main()
{
    const size_t bytes = 512u << 20;
    for (char **p : {&a, &b, &c, &d, &aux}) {
        cudaMalloc((void **)p, bytes);
        cudaMemset(*p, 0, bytes);
    }
    cudaMalloc((void **)&numbers, 64u << 20);
    cudaMemset(numbers, 0, 64u << 20);
    cudaMalloc((void **)&workspace, WORKSPACE);
    if (cublasLtCreate(&handle)) return 1;
    for (auto &kind : KINDS)
        for (int n : {64, 128, 256, 512, 768, 1024, 2048, 4096, 8192})
            if (n < 8192 || &kind < KINDS + 6) matmul(kind, true, n, n, n);
    const int shapes[][3] = {{4096, 16, 4096}, {11008, 32, 4096}, {4096, 128, 4096}, {512, 512, 16384}, {8192, 8192, 64}, {3072, 64, 768},
                             {768, 512, 3072}, {16384, 1024, 8192}, {1024, 1024, 1000}, {2304, 384, 768}};
    for (int i = 0; i < 5; i++)
        for (auto &s : shapes)
            matmul(KINDS[i], true, s[0], s[1], s[2]);
    for (unsigned epilogue : {2u, 130u, 4u, 6u, 134u, 136u, 152u, 32u, 160u, 36u, 164u, 192u, 208u, 256u, 512u})
        for (int n : {256, 1024, 4096})
            matmul(KINDS[0], false, n, n, n, epilogue);
    for (int n : {256, 1024, 4096}) {
        matmul(KINDS[0], false, n, n, n, 1, 1, true);
        matmul(KINDS[2], true, n, n, n, 1, 1, true);
        matmul(KINDS[2], true, n, n, n, 4);
        matmul(KINDS[3], true, n, n, n, 36);
        matmul(KINDS[2], true, n, n, n, 1, 1, false, CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F);
        matmul(KINDS[2], true, n, n, n, 1, 1, false, CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F);
    }
    const int batches[][4] = {{64, 64, 64, 96}, {512, 512, 64, 96}, {512, 64, 512, 96}, {128, 128, 64, 12}, {32, 32, 32, 1000}};
    for (int i = 0; i < 3; i++)
        for (auto &s : batches)
            matmul(KINDS[i], true, s[0], s[1], s[2], 1, s[3]);
    for (int n : {256, 1024, 4096}) {
        transform(n, n, CUDA_R_8I, CUBLASLT_ORDER_COL, CUBLASLT_ORDER_COL32, false);
        transform(n, n, CUDA_R_8I, CUBLASLT_ORDER_COL32, CUBLASLT_ORDER_COL, false);
        transform(n, n, CUDA_R_16F, CUBLASLT_ORDER_COL, CUBLASLT_ORDER_COL, true);
        transform(n, n, CUDA_R_32F, CUBLASLT_ORDER_COL, CUBLASLT_ORDER_COL, false);
    }
    mark<<<1, 1>>>();
    cudaDeviceSynchronize();
    return cublasLtDestroy(handle);
}
