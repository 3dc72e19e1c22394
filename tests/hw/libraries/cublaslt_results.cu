/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of cuBLASLt with small operands, and what they compute: one line a call, with its status, the norm of the result and some
 * of its elements, as cublas_results.cu has them. What a GPU refuses is part of it. Operands are multiples of 1/8 between -1 and 1,
 * which all types but integers have exactly; integers are of -8 to 7. Each product is asked of the heuristic, and computed. */
#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

static cublasLtHandle_t handle;
static char *workspace;
static const size_t WORKSPACE = 32u << 20;

/* ---- elements of all types, on the host */

static bool is_complex(int t)
{
    return t == CUDA_C_32F || t == CUDA_C_64F || t == CUDA_C_16F || t == CUDA_C_16BF || t == CUDA_C_8I;
}
static int real_of(int t)
{
    return t == CUDA_C_32F    ? (int)CUDA_R_32F
           : t == CUDA_C_64F  ? (int)CUDA_R_64F
           : t == CUDA_C_16F  ? (int)CUDA_R_16F
           : t == CUDA_C_16BF ? (int)CUDA_R_16BF
           : t == CUDA_C_8I   ? (int)CUDA_R_8I
                              : t;
}
static size_t real_bytes(int t)
{
    switch (real_of(t)) {
    case CUDA_R_64F: return 8;
    case CUDA_R_32F:
    case CUDA_R_32I: return 4;
    case CUDA_R_16F:
    case CUDA_R_16BF: return 2;
    default: return 1;
    }
}
static size_t bytes_of(int t)
{
    return real_bytes(t) * (is_complex(t) ? 2 : 1);
}
static bool is_integer(int t)
{
    return real_of(t) == CUDA_R_8I || real_of(t) == CUDA_R_32I;
}
static double fp8_value(int t, unsigned byte)
{
    int fraction = t == CUDA_R_8F_E4M3 ? 3 : 2, bias = t == CUDA_R_8F_E4M3 ? 7 : 15;
    int e = (int)(byte & 127) >> fraction, f = (int)byte & ((1 << fraction) - 1);
    double value = e ? std::ldexp(1 + std::ldexp(f, -fraction), e - bias) : std::ldexp(f, 1 - bias - fraction);
    if ((byte & 127) == 127 || (t == CUDA_R_8F_E5M2 && e == 31)) value = f || t == CUDA_R_8F_E4M3 ? NAN : INFINITY;
    return byte & 128 ? -value : value;
}
static double get_real(int t, const char *at)
{
    double d;
    float f;
    int32_t i;
    __half h;
    __nv_bfloat16 b;
    switch (real_of(t)) {
    case CUDA_R_64F: std::memcpy(&d, at, 8); return d;
    case CUDA_R_32F: std::memcpy(&f, at, 4); return f;
    case CUDA_R_32I: std::memcpy(&i, at, 4); return i;
    case CUDA_R_16F: std::memcpy(&h, at, 2); return __half2float(h);
    case CUDA_R_16BF: std::memcpy(&b, at, 2); return __bfloat162float(b);
    case CUDA_R_8I: return *(const signed char *)at;
    case CUDA_R_8U: return *(const unsigned char *)at;
    default: return fp8_value(t, (unsigned char)*at);
    }
}
static void set_real(int t, char *at, double value)
{
    float f = (float)value;
    int32_t i = (int32_t)value;
    __half h = __float2half(f);
    __nv_bfloat16 b = __float2bfloat16(f);
    switch (real_of(t)) {
    case CUDA_R_64F: std::memcpy(at, &value, 8); return;
    case CUDA_R_32F: std::memcpy(at, &f, 4); return;
    case CUDA_R_32I: std::memcpy(at, &i, 4); return;
    case CUDA_R_16F: std::memcpy(at, &h, 2); return;
    case CUDA_R_16BF: std::memcpy(at, &b, 2); return;
    case CUDA_R_8I:
    case CUDA_R_8U: *at = (char)i; return;
    default:
        for (int x = 0; x < 128; x++)
            if (fp8_value(t, (unsigned)x) == std::fabs(value)) {
                *at = (char)(value < 0 ? x | 128 : x);
                return;
            }
    }
}

/* ---- operands */

struct Matrix {
    int type = CUDA_R_32F, order = CUBLASLT_ORDER_COL;
    int64_t rows = 0, cols = 0, ld = 0, stride = 0, plane = 0;
    int batch = 1, pointers = 0;
};
static int64_t up(int64_t x, int64_t to)
{
    return (x + to - 1) / to * to;
}
static int64_t least_ld(const Matrix &x)
{
    switch (x.order) {
    case CUBLASLT_ORDER_COL: return x.rows;
    case CUBLASLT_ORDER_ROW: return x.cols;
    case CUBLASLT_ORDER_COL32: return 32 * x.rows;
    case CUBLASLT_ORDER_COL4_4R2_8C: return 32 * up(x.rows, 8);
    default: return 32 * up(x.rows, 32);
    }
}
/* Elements that one of a batch takes. */
static int64_t size_of(const Matrix &x)
{
    int64_t lines = x.order == CUBLASLT_ORDER_COL ? x.cols : x.order == CUBLASLT_ORDER_ROW ? x.rows : up(x.cols, 32) / 32;
    return x.ld * lines;
}
struct Memory {
    char *at = nullptr;
    size_t bytes;
    explicit Memory(size_t n) : bytes(n)
    {
        cudaMalloc((void **)&at, n + 256);
        cudaMemset(at, 0, n + 256);
    }
    Memory(const Memory &) = delete;
    ~Memory() { cudaFree(at); }
    std::vector<char> host() const
    {
        std::vector<char> out(bytes);
        cudaMemcpy(out.data(), at, bytes, cudaMemcpyDeviceToHost);
        return out;
    }
};
static void fill(Memory &to, int type, unsigned seed, bool positive = false)
{
    std::vector<char> host(to.bytes);
    size_t step = real_bytes(type);
    char values[16][8];
    for (int i = 0; i < 16; i++)
        set_real(type, values[i], is_integer(type) ? i - 8 : (i - 8) / 8.0);
    for (size_t i = 0; i + step <= to.bytes; i += step) {
        seed = seed * 1664525u + 1013904223u;
        int number = (int)(seed >> 28); /* of -8 to 7 */
        if (positive) number = 9 + (number & 7) % 7;
        std::memcpy(&host[i], values[number], step);
    }
    cudaMemcpy(to.at, host.data(), to.bytes, cudaMemcpyHostToDevice);
}
static void print(int type, const std::vector<char> &x)
{
    size_t step = real_bytes(type), count = x.size() / step, parts = is_complex(type) ? 2 : 1;
    double norm = 0;
    for (size_t i = 0; i < count; i++) {
        double value = get_real(type, &x[i * step]);
        norm += value * value;
    }
    std::printf(" %.9g", std::sqrt(norm));
    for (size_t i = 0; i < 6 && count; i++)
        for (size_t p = 0; p < parts; p++)
            std::printf(" %.9g", get_real(type, &x[((i * 7919 + 13) % (count / parts) * parts + p) * step]));
    std::printf("\n");
}
static void show(const char *call, const std::string &text, int status, int type, const Memory &result)
{
    std::printf("%s [%s] %d", call, text.c_str(), status);
    print(type, result.host());
}
static void show_status(const char *call, const std::string &text, int status, double value = 0)
{
    std::printf("%s [%s] %d %.9g %.9g\n", call, text.c_str(), status, std::fabs(value), value);
}

/* ---- products */

struct Case {
    std::string text;
    int compute = CUBLAS_COMPUTE_32F, scale = CUDA_R_32F;
    int64_t m = 64, n = 48, k = 80;
    int ta = CUBLAS_OP_N, tb = CUBLAS_OP_N;
    Matrix a, b, c, d;
    double alpha = 0.5, beta = -1, alpha_i = 0.25, beta_i = 0.5;
    unsigned epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    int bias_type = -1, aux_type = -1, pointer_mode = 0, fill_mode = CUBLAS_FILL_MODE_FULL;
    bool bias = false, aux = false, in_place = true, no_c = false, amax = false, scales = false, d_scale = false, fast = false;
    bool aux_amax = false, aux_scale = false;
    int a_mode = 0, b_mode = 0, d_mode = 0, d_out_mode = -1;
    int offset = 0;                   /* elements by which A begins later */
    int64_t bias_stride = 0, aux_stride = 0, alpha_stride = 0, ld_more = 0;
};
static void types(Case &x, int a, int b, int c, int d, int compute, int scale)
{
    x.a.type = a, x.b.type = b, x.c.type = c, x.d.type = d, x.compute = compute, x.scale = scale;
}
static cublasLtMatrixLayout_t layout(const Matrix &x)
{
    cublasLtMatrixLayout_t out;
    cublasLtMatrixLayoutCreate(&out, (cudaDataType)x.type, (uint64_t)x.rows, (uint64_t)x.cols, x.ld);
    int32_t order = x.order, batch = x.batch;
    uint32_t mode = (uint32_t)x.pointers;
    cublasLtMatrixLayoutSetAttribute(out, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order);
    cublasLtMatrixLayoutSetAttribute(out, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof batch);
    cublasLtMatrixLayoutSetAttribute(out, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &x.stride, sizeof x.stride);
    cublasLtMatrixLayoutSetAttribute(out, CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, &x.plane, sizeof x.plane);
    cublasLtMatrixLayoutSetAttribute(out, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, &mode, sizeof mode);
    return out;
}
template <typename T> static void set(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t id, T value)
{
    cublasLtMatmulDescSetAttribute(desc, id, &value, sizeof value);
}
static void scalar(int type, double re, double im, char *out)
{
    set_real(type, out, re);
    if (is_complex(type)) set_real(type, out + real_bytes(type), im);
}
static size_t memory_of(const Matrix &x)
{
    size_t one = (size_t)size_of(x) * bytes_of(x.type);
    if (x.plane) one = (size_t)x.plane * 2;
    size_t items = x.pointers ? (size_t)x.batch : 1;
    return x.pointers || x.batch == 1 ? one * items : one + (size_t)(x.batch - 1) * (size_t)x.stride * bytes_of(x.type);
}
/* Arrays of pointers to items side by side. */
static char *pointers_to(const Matrix &x, char *at, std::vector<Memory *> &keep)
{
    if (!x.pointers) return at;
    std::vector<char *> list;
    for (int i = 0; i < x.batch; i++)
        list.push_back(at + (size_t)i * (size_t)size_of(x) * bytes_of(x.type));
    Memory *array = new Memory(list.size() * sizeof(char *));
    cudaMemcpy(array->at, list.data(), array->bytes, cudaMemcpyHostToDevice);
    keep.push_back(array);
    return array->at;
}
static void complete(Case &x)
{
    x.a.rows = x.ta ? x.k : x.m, x.a.cols = x.ta ? x.m : x.k;
    x.b.rows = x.tb ? x.n : x.k, x.b.cols = x.tb ? x.k : x.n;
    x.c.rows = x.d.rows = x.m, x.c.cols = x.d.cols = x.n;
    for (Matrix *y : {&x.a, &x.b, &x.c, &x.d}) {
        if (y->ld == 0) y->ld = least_ld(*y) + x.ld_more;
        if (y->batch > 1 && y->stride == 0) y->stride = size_of(*y);
        if (y->stride < 0) y->stride = 0; /* one for all */
        if (y->plane) y->plane = up(size_of(*y) * (int64_t)real_bytes(y->type), 256);
    }
}
static int bias_type(const Case &x)
{
    if (x.bias_type >= 0) return x.bias_type;
    if (x.d.type == CUDA_R_8I) return CUDA_R_32F;
    bool is_fp8 = x.a.type == CUDA_R_8F_E4M3 || x.a.type == CUDA_R_8F_E5M2;
    return is_fp8 && x.d.type != CUDA_R_16F ? (int)CUDA_R_16BF : x.d.type;
}
static void run(Case x)
{
    complete(x);
    std::vector<Memory *> keep;
    Memory a(memory_of(x.a)), b(memory_of(x.b)), c(memory_of(x.c)), d(memory_of(x.d)), bias(1024 * 8), aux(x.aux ? 128 * 48 * 12 : 16);
    Memory factors(4096 * 4), alphas(1024 * 16), betas(1024 * 16), numbers(4096);
    bool is_mask = x.epilogue & (CUBLASLT_EPILOGUE_RELU | 8);
    int aux_type = is_mask ? (int)CUDA_R_8U : x.aux_type >= 0 ? x.aux_type : x.d.type;
    fill(a, x.a.type, 1), fill(b, x.b.type, 2), fill(c, x.c.type, 3), fill(bias, bias_type(x), 4);
    fill(d, x.d.type, 3);
    if (!is_mask) fill(aux, aux_type, 5);
    if (is_mask) cudaMemset(aux.at, 0x5a, aux.bytes);
    fill(factors, CUDA_R_32F, 6, true);
    char host_alpha[1024 * 16] = {0}, host_beta[1024 * 16] = {0};
    for (int i = 0; i < 1024; i++) {
        scalar(x.scale, x.alpha + (x.pointer_mode >= 2 ? i % 4 : 0), x.alpha_i, host_alpha + (size_t)i * bytes_of(x.scale));
        scalar(x.scale, x.beta + (x.pointer_mode >= 2 ? i % 3 : 0), x.beta_i, host_beta + (size_t)i * bytes_of(x.scale));
    }
    cudaMemcpy(alphas.at, host_alpha, alphas.bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(betas.at, host_beta, betas.bytes, cudaMemcpyHostToDevice);
    float *number = (float *)numbers.at, *factor = (float *)factors.at;
    cublasLtMatmulDesc_t desc;
    cublasLtMatmulDescCreate(&desc, (cublasComputeType_t)x.compute, (cudaDataType)x.scale);
    set<int32_t>(desc, CUBLASLT_MATMUL_DESC_TRANSA, x.ta);
    set<int32_t>(desc, CUBLASLT_MATMUL_DESC_TRANSB, x.tb);
    set<int32_t>(desc, CUBLASLT_MATMUL_DESC_POINTER_MODE, x.pointer_mode);
    set<int32_t>(desc, CUBLASLT_MATMUL_DESC_FILL_MODE, x.fill_mode);
    set<uint32_t>(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, x.epilogue);
    set<int64_t>(desc, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, x.bias_stride);
    set<int64_t>(desc, CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE, x.alpha_stride);
    if (x.bias) set<void *>(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias.at);
    if (x.bias_type >= 0) set<int32_t>(desc, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, x.bias_type);
    if (x.aux) {
        set<void *>(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux.at);
        set<int64_t>(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, up(x.m, 128));
        set<int64_t>(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, x.aux_stride);
    }
    if (x.aux_type >= 0) set<int32_t>(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, x.aux_type);
    if (x.scales) {
        set<void *>(desc, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, factor);
        set<void *>(desc, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, factor + 1024);
    }
    if (x.d_scale) {
        set<void *>(desc, CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, factor + 2048);
        set<void *>(desc, CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, factor + 2049);
    }
    if (x.a_mode) set<int32_t>(desc, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, x.a_mode);
    if (x.b_mode) set<int32_t>(desc, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, x.b_mode);
    if (x.d_mode) set<int32_t>(desc, CUBLASLT_MATMUL_DESC_D_SCALE_MODE, x.d_mode);
    if (x.d_out_mode >= 0) {
        set<int32_t>(desc, CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE, x.d_out_mode);
        set<void *>(desc, CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER, factor + 3072);
    }
    if (x.amax) set<void *>(desc, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, number);
    if (x.aux_amax) set<void *>(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER, number + 1);
    if (x.aux_scale) set<void *>(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, factor + 2050);
    if (x.fast) set<int8_t>(desc, CUBLASLT_MATMUL_DESC_FAST_ACCUM, 1);
    cublasLtMatrixLayout_t la = layout(x.a), lb = layout(x.b), lc = layout(x.c), ld = layout(x.d);
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulPreferenceCreate(&preference);
    cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &WORKSPACE, sizeof WORKSPACE);
    cublasLtMatmulHeuristicResult_t result = {};
    int count = 0;
    int status = cublasLtMatmulAlgoGetHeuristic(handle, desc, la, lb, lc, ld, preference, 1, &result, &count);
    show_status("heuristic", x.text, status, count);
    const void *alpha = x.pointer_mode == CUBLASLT_POINTER_MODE_HOST ? host_alpha : alphas.at;
    const void *beta = x.pointer_mode == CUBLASLT_POINTER_MODE_HOST || x.pointer_mode >= 4 ? (void *)host_beta : betas.at;
    if (x.pointer_mode == CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO) beta = nullptr;
    char *pa = pointers_to(x.a, a.at + x.offset * (int64_t)bytes_of(x.a.type), keep), *pb = pointers_to(x.b, b.at, keep),
         *pd = pointers_to(x.d, d.at, keep), *pc = x.in_place ? pd : pointers_to(x.c, c.at, keep);
    if (x.no_c) pc = nullptr;
    status = cublasLtMatmul(handle, desc, alpha, pa, la, pb, lb, beta, pc, lc, pd, ld, count ? &result.algo : nullptr, workspace,
                            WORKSPACE, 0);
    int failure = cudaDeviceSynchronize();
    if (failure) std::printf("%s ends with error %d\n", x.text.c_str(), failure);
    show("matmul", x.text, status, x.d.type, d);
    bool known = is_mask || x.aux_type >= 0 || real_bytes(x.d.type) > 1; /* else of C's type */
    if (status == 0 && x.aux && known) show("matmul-aux", x.text, status, aux_type, aux);
    if (status == 0 && (x.epilogue & (16 | CUBLASLT_EPILOGUE_BGRADA | CUBLASLT_EPILOGUE_BGRADB)))
        show("matmul-bias", x.text, status, bias_type(x), bias);
    if (status == 0 && (x.amax || x.aux_amax)) show("matmul-amax", x.text, status, CUDA_R_32F, numbers);
    if (status == 0 && x.d_out_mode >= 0) show("matmul-out", x.text, status, CUDA_R_32F, factors);
    for (auto *p : keep)
        delete p;
    cublasLtMatmulPreferenceDestroy(preference);
    for (auto l : {la, lb, lc, ld})
        cublasLtMatrixLayoutDestroy(l);
    cublasLtMatmulDescDestroy(desc);
}

/* ---- which */

struct Kind {
    const char *name;
    int a, b, c, d, compute, scale;
};
enum { F16 = CUDA_R_16F, BF = CUDA_R_16BF, F32 = CUDA_R_32F, F64 = CUDA_R_64F, C32 = CUDA_C_32F, C64 = CUDA_C_64F, I8 = CUDA_R_8I,
       I32 = CUDA_R_32I, E4 = CUDA_R_8F_E4M3, E5 = CUDA_R_8F_E5M2, X32 = CUBLAS_COMPUTE_32F };
static const Kind KINDS[] = {
    {"f32", F32, F32, F32, F32, X32, F32},
    {"tf32", F32, F32, F32, F32, CUBLAS_COMPUTE_32F_FAST_TF32, F32},
    {"f64", F64, F64, F64, F64, CUBLAS_COMPUTE_64F, F64},
    {"c32", C32, C32, C32, C32, X32, C32},
    {"c64", C64, C64, C64, C64, CUBLAS_COMPUTE_64F, C64},
    {"f16", F16, F16, F16, F16, X32, F32},
    {"f16-f32", F16, F16, F32, F32, X32, F32},
    {"f16-16", F16, F16, F16, F16, CUBLAS_COMPUTE_16F, F16},
    {"bf16", BF, BF, BF, BF, X32, F32},
    {"bf16-f32", BF, BF, F32, F32, X32, F32},
    {"i8-i32", I8, I8, I32, I32, CUBLAS_COMPUTE_32I, I32},
    {"i8-i8", I8, I8, I8, I8, CUBLAS_COMPUTE_32I, F32},
    {"i8-f32", I8, I8, F32, F32, X32, F32},
    {"e4e4-f16", E4, E4, F16, F16, X32, F32},
    {"e4e4-bf16", E4, E4, BF, BF, X32, F32},
    {"e4e4-f32", E4, E4, F32, F32, X32, F32},
    {"e4e4-bf16-e4", E4, E4, BF, E4, X32, F32},
    {"e4e4-f16-e4", E4, E4, F16, E4, X32, F32},
    {"e4e5-bf16-e4", E4, E5, BF, E4, X32, F32},
    {"e4e5-bf16-e5", E4, E5, BF, E5, X32, F32},
    {"e5e4-bf16", E5, E4, BF, BF, X32, F32},
    {"e5e5-f32", E5, E5, F32, F32, X32, F32}, /* not documented, as all below */
    {"e4e4-e4-e4", E4, E4, E4, E4, X32, F32},
    {"e4e4-bf16-e5", E4, E4, BF, E5, X32, F32},
    {"f16-bf16", F16, BF, F32, F32, X32, F32},
    {"f16-c32", F16, F16, F32, F16, X32, F32},
    {"f32-f16", F32, F32, F16, F16, X32, F32},
    {"f16-16-f32", F16, F16, F32, F32, CUBLAS_COMPUTE_16F, F16},
    {"f16-16-s32", F16, F16, F16, F16, CUBLAS_COMPUTE_16F, F32},
    {"f32-64", F32, F32, F32, F32, CUBLAS_COMPUTE_64F, F64},
    {"f16-tf32", F16, F16, F16, F16, CUBLAS_COMPUTE_32F_FAST_TF32, F32},
    {"f32-f16x", F32, F32, F32, F32, CUBLAS_COMPUTE_32F_FAST_16F, F32},
    {"f32-bf16x", F32, F32, F32, F32, CUBLAS_COMPUTE_32F_FAST_16BF, F32},
    {"c32-tf32", C32, C32, C32, C32, CUBLAS_COMPUTE_32F_FAST_TF32, C32},
    {"c8-c32", CUDA_C_8I, CUDA_C_8I, C32, C32, X32, C32},
    {"c16", CUDA_C_16F, CUDA_C_16F, CUDA_C_16F, CUDA_C_16F, X32, C32},
    {"f32-pedantic", F32, F32, F32, F32, CUBLAS_COMPUTE_32F_PEDANTIC, F32},
    {"f16-pedantic", F16, F16, F16, F16, CUBLAS_COMPUTE_32F_PEDANTIC, F32},
    {"f64-pedantic", F64, F64, F64, F64, CUBLAS_COMPUTE_64F_PEDANTIC, F64},
    {"f32-emulated", F32, F32, F32, F32, CUBLAS_COMPUTE_32F_EMULATED_16BFX9, F32},
    {"i32", I32, I32, I32, I32, CUBLAS_COMPUTE_32I, I32},
    {"i8-i32-s32f", I8, I8, I32, I32, CUBLAS_COMPUTE_32I, F32},
    {"f64-s32", F64, F64, F64, F64, CUBLAS_COMPUTE_64F, F32},
};
static Case of(const Kind &kind, const std::string &text)
{
    Case x;
    types(x, kind.a, kind.b, kind.c, kind.d, kind.compute, kind.scale);
    x.text = text + " " + kind.name;
    if (is_integer(kind.scale)) x.alpha = 2, x.beta = -1;
    bool tn = kind.a == E4 || kind.a == E5 || kind.a == I8;
    if (tn) x.ta = CUBLAS_OP_T;
    x.in_place = kind.c == kind.d;
    return x;
}
static const Kind *kind_of(const char *name)
{
    for (auto &k : KINDS)
        if (!std::strcmp(k.name, name)) return &k;
    return nullptr;
}
static std::string text(const char *format, int a = 0, int b = 0, int c = 0, int d = 0)
{
    char line[100];
    std::snprintf(line, sizeof line, format, a, b, c, d);
    return line;
}
static void types_and_shapes()
{
    for (auto &kind : KINDS)
        for (int ops = 0; ops < 9; ops++) {
            if (!is_complex(kind.a) && ops != 0 && ops != 1 && ops != 3 && ops != 4 && ops != 8) continue;
            Case x = of(kind, text("ops %d%d", ops / 3, ops % 3));
            x.ta = ops / 3, x.tb = ops % 3;
            run(x);
        }
    const int shapes[][3] = {{16, 16, 16}, {5, 7, 3}, {33, 31, 29}, {4, 4, 4}, {8, 8, 32}, {128, 1, 64}, {1, 128, 64}, {64, 64, 6}, {20, 12, 36}, {5, 7, 16}, {16, 5, 16}, {12, 16, 32}, {1, 1, 16}, {16, 16, 1}, {1, 16, 1}, {2, 16, 32}, {16, 1, 1}};
    for (const char *name : {"f32", "f64", "c32", "f16", "bf16-f32", "i8-i32", "i8-i8", "i8-f32", "e4e4-f16", "e4e4-bf16-e4"})
        for (auto &s : shapes) {
            Case x = of(*kind_of(name), text("shape %d %d %d", s[0], s[1], s[2]));
            x.m = s[0], x.n = s[1], x.k = s[2];
            run(x);
        }
    for (const char *name : {"f32", "f16", "i8-i32", "e4e4-f16"})
        for (int at = 0; at < 3; at++) {
            Case x = of(*kind_of(name), text("empty %d", at));
            (at == 0 ? x.m : at == 1 ? x.n : x.k) = 0;
            x.a.ld = x.b.ld = 80, x.c.ld = x.d.ld = 64;
            run(x);
        }
    for (const char *name : {"f32", "f16", "i8-i32", "e4e4-f16"})
        for (int offset : {1, 2, 4, 8}) {
            Case x = of(*kind_of(name), text("offset %d", offset));
            x.ld_more = 16, x.offset = offset;
            run(x);
        }
}
static void orders()
{
    for (const char *name : {"f32", "f64", "c32", "f16", "i8-i32", "i8-i8", "e4e4-f16"})
        for (int set = 0; set < 16; set++)
            for (int ops : {0, 2}) {
                Case x = of(*kind_of(name), text("order %d ops %d", set, ops));
                x.ta = ops & 2 ? CUBLAS_OP_T : CUBLAS_OP_N;
                x.a.order = set & 1, x.b.order = set >> 1 & 1, x.c.order = set >> 2 & 1, x.d.order = set >> 3 & 1;
                if (x.c.order != x.d.order) x.in_place = false;
                run(x);
            }
    const int b_orders[] = {CUBLASLT_ORDER_COL4_4R2_8C, CUBLASLT_ORDER_COL32_2R_4R4, CUBLASLT_ORDER_COL32};
    for (const char *name : {"i8-i32", "i8-i8", "i8-f32", "f16"})
        for (int order : b_orders)
            for (int tb = 0; tb < 2; tb++)
                for (int mode : {0, 4}) {
                    Case x = of(*kind_of(name), text("tiles %d op %d mode %d", order, tb, mode));
                    x.ta = CUBLAS_OP_N, x.tb = tb, x.m = 64, x.n = 32, x.k = 96, x.pointer_mode = mode;
                    x.a.order = x.c.order = x.d.order = CUBLASLT_ORDER_COL32, x.b.order = order;
                    run(x);
                    if (mode) continue;
                    x.text += " odd";
                    x.m = 37, x.n = 40, x.k = 40;
                    run(x);
                }
}
static void epilogues()
{
    const unsigned all[] = {1, 2, 130, 4, 6, 134, 136, 152, 32, 160, 36, 164, 192, 208, 256, 512, 34};
    for (const char *name : {"f32", "tf32", "f64", "c32", "f16", "f16-f32", "f16-16", "bf16", "bf16-f32", "i8-i32", "i8-i8", "i8-f32", "e4e4-f16",
                             "e4e4-bf16", "e4e4-f32", "e4e4-bf16-e4", "e4e5-bf16-e5"})
        for (unsigned epilogue : all)
            for (int ops = 0; ops < 4; ops++) {
                Case x = of(*kind_of(name), "");
                x.text = text("epilogue %d ", (int)epilogue) + name + text(" %d", ops);
                if (x.ta && ops != 1) continue;
                if (!std::strcmp(name, "i8-i8") && epilogue > 4 && epilogue != 6) continue; /* not documented */
                if (ops > 1 && epilogue < 256) continue;
                x.ta = ops & 1 ? CUBLAS_OP_T : CUBLAS_OP_N, x.tb = ops & 2 ? CUBLAS_OP_T : CUBLAS_OP_N;
                x.epilogue = epilogue;
                x.bias = epilogue & (4 | 16 | 256 | 512);
                x.aux = epilogue & 128;
                x.m = 128;
                run(x);
            }
    for (const char *name : {"f16", "bf16", "f32", "e4e4-bf16-e4", "i8-i8"})
        for (int type : {(int)F32, (int)F16, (int)BF}) {
            Case x = of(*kind_of(name), text("bias type %d", type));
            x.epilogue = CUBLASLT_EPILOGUE_BIAS, x.bias = true, x.bias_type = type;
            run(x);
        }
    for (unsigned epilogue : {4u, 36u, 134u, 164u, 152u, 208u}) { /* in batches */
        Case x = of(*kind_of("f16"), text("epilogue %d batch", (int)epilogue));
        x.epilogue = epilogue, x.bias = epilogue != 0, x.aux = epilogue & 128;
        x.m = 128, x.bias_stride = 128, x.aux_stride = 128 * 48;
        x.a.batch = x.b.batch = x.c.batch = x.d.batch = 3;
        run(x);
    }
    for (unsigned epilogue : {4u, 2u, 32u, 160u, 164u}) { /* by rows */
        Case x = of(*kind_of("f16"), text("epilogue %d rows", (int)epilogue));
        x.epilogue = epilogue, x.bias = epilogue & 4, x.aux = epilogue & 128;
        x.m = 128, x.c.order = x.d.order = CUBLASLT_ORDER_ROW;
        run(x);
    }
    Case none = of(*kind_of("f16"), "bias missing");
    none.epilogue = CUBLASLT_EPILOGUE_BIAS;
    run(none);
    none.text = "aux missing", none.epilogue = CUBLASLT_EPILOGUE_GELU_AUX;
    run(none);
}
static void scalars()
{
    for (const char *name : {"f32", "f64", "c32", "f16", "f16-16", "bf16", "i8-i32", "i8-i8", "e4e4-f16", "e4e4-bf16-e4"})
        for (int mode = 0; mode < 5; mode++) {
            Case x = of(*kind_of(name), text("mode %d", mode));
            x.pointer_mode = mode;
            run(x);
            if (mode != 2 && mode != 4) continue;
            x.text += " batch";
            x.a.batch = x.b.batch = x.c.batch = x.d.batch = 2, x.alpha_stride = 64;
            run(x);
        }
    for (const char *name : {"f32", "f16", "i8-i32", "i8-i8", "e4e4-f16", "e4e4-bf16-e4", "f64"})
        for (int way = 0; way < 6; way++) {
            Case x = of(*kind_of(name), text("scalar %d", way));
            if (way == 0) x.alpha = 1, x.beta = 0;
            if (way == 1) x.alpha = 0, x.beta = 1;
            if (way == 2) x.alpha = 3, x.beta = 0, x.no_c = true;
            if (way == 3) x.in_place = false;
            if (way == 4) x.no_c = true;
            if (way == 5) x.in_place = false, x.c.ld = 96;
            run(x);
        }
    for (const char *name : {"f32", "f16", "f64", "i8-i32"})
        for (int fill : {0, 1}) {
            Case x = of(*kind_of(name), text("triangle %d", fill));
            x.fill_mode = fill, x.m = x.n = 64;
            run(x);
        }
}
static void batches()
{
    for (const char *name : {"f32", "f64", "c32", "f16", "bf16-f32", "i8-i32", "i8-i8", "e4e4-f16"})
        for (int way = 0; way < 6; way++) {
            Case x = of(*kind_of(name), text("batch %d", way));
            x.a.batch = x.b.batch = x.c.batch = x.d.batch = 4;
            if (way == 1) x.a.stride = -1;
            if (way == 2) x.a.pointers = x.b.pointers = x.c.pointers = x.d.pointers = 1;
            if (way == 3) x.a.batch = 3;
            if (way == 4) x.d.pointers = x.c.pointers = 1;
            if (way == 5) x.a.stride = 128 * 80 + 1;
            run(x);
        }
    for (int type : {(int)CUDA_C_16F, (int)CUDA_C_32F, (int)CUDA_C_16BF})
        for (int ops : {0, 3, 6}) {
            Case x;
            types(x, type, type, type, type, CUBLAS_COMPUTE_32F, CUDA_C_32F);
            x.text = text("planes %d ops %d", type, ops);
            x.ta = ops / 3, x.a.plane = x.b.plane = x.c.plane = x.d.plane = 1;
            run(x);
            if (ops) continue;
            x.text += " to floats";
            x.c.type = x.d.type = CUDA_C_32F;
            run(x);
        }
}
static void small_floats()
{
    for (const char *name : {"e4e4-f16", "e4e4-bf16", "e4e4-f32", "e4e4-bf16-e4", "e4e4-f16-e4", "e4e5-bf16-e4", "e4e5-bf16-e5", "e5e4-bf16"})
        for (int way = 0; way < 9; way++) {
            Case x = of(*kind_of(name), text("scales %d", way));
            x.scales = way & 1;
            x.d_scale = way & 2;
            x.amax = way & 4;
            if (way == 8) x.fast = x.scales = true;
            run(x);
        }
    for (const char *name : {"e4e4-bf16-e4", "e4e4-f16", "e4e4-bf16"})
        for (unsigned epilogue : {2u, 4u, 36u, 6u, 160u, 164u, 130u, 192u, 208u})
            for (int type : {-1, (int)F16, (int)BF, (int)E4}) {
                Case x = of(*kind_of(name), text("scaled epilogue %d aux %d", (int)epilogue, type));
                if (!(epilogue & 128) && type >= 0) continue;
                x.epilogue = epilogue, x.bias = epilogue & 20, x.aux = epilogue & 128, x.aux_type = type, x.m = 128;
                x.scales = x.amax = true, x.d_scale = x.d.type == E4;
                x.aux_amax = x.aux_scale = type == E4;
                run(x);
            }
    for (const char *name : {"e4e4-bf16", "e4e4-f32", "e4e4-f16", "e4e4-bf16-e4", "f16", "bf16", "f32", "i8-i32"})
        for (int a = 0; a < 6; a++)
            for (int b = 0; b < 6; b++) {
                if (a != b && a && b && a + b != 9) continue;
                if ((a == 3 || b == 3) && a != b && a && b) continue; /* NVIDIA's library ends the program */
                Case x = of(*kind_of(name), text("scale modes %d %d", a, b));
                x.m = 256, x.n = 128, x.k = 384, x.a_mode = a, x.b_mode = b, x.scales = true, x.beta = 0;
                run(x);
            }
    for (int mode = 0; mode < 3; mode++) {
        Case x = of(*kind_of("e4e4-bf16-e4"), text("out scale %d", mode));
        x.m = 128, x.n = 128, x.k = 128, x.d_out_mode = mode, x.scales = true;
        run(x);
        x.text = text("in scale %d", mode), x.d_out_mode = -1, x.d_mode = mode, x.d_scale = true;
        run(x);
    }
}

/* ---- other functions */

static void transforms()
{
    for (int type : {(int)I8, (int)I32, (int)F16, (int)F32, (int)BF, (int)F64, (int)C32, (int)E4})
        for (int from = 0; from < 5; from++)
            for (int to = 0; to < 5; to++)
                for (int way = 0; way < 3; way++) {
                    bool regular = from < 2 && to < 2;
                    if (from && to && !regular) continue;
                    if (type != I8 && type != I32 && type != F16 && !regular) continue;
                    Matrix a, b, c;
                    a.type = b.type = c.type = type;
                    int scale = type == F64 || type == C32 ? type : type == I32 && way == 2 ? (int)I32 : (int)F32;
                    a.order = from, c.order = b.order = to;
                    c.rows = b.rows = 40, c.cols = b.cols = 72;
                    a.rows = way == 1 ? 72 : 40, a.cols = way == 1 ? 40 : 72;
                    a.ld = least_ld(a), b.ld = least_ld(b), c.ld = least_ld(c);
                    Memory ma(memory_of(a)), mb(memory_of(b)), mc(memory_of(c));
                    fill(ma, type, 1), fill(mb, type, 2);
                    cublasLtMatrixTransformDesc_t desc;
                    cublasLtMatrixTransformDescCreate(&desc, (cudaDataType)scale);
                    int32_t op = way == 1 ? CUBLAS_OP_T : CUBLAS_OP_N;
                    cublasLtMatrixTransformDescSetAttribute(desc, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, &op, sizeof op);
                    cublasLtMatrixLayout_t la = layout(a), lb = layout(b), lc = layout(c);
                    char alpha[16] = {0}, beta[16] = {0};
                    scalar(scale, way == 2 ? 2 : 1, 0.5, alpha), scalar(scale, way == 2 ? -1 : 0, 0, beta);
                    bool two = way == 2;
                    int status = cublasLtMatrixTransform(handle, desc, alpha, ma.at, la, beta, two ? mb.at : nullptr, two ? lb : nullptr, mc.at,
                                                         lc, 0);
                    cudaDeviceSynchronize();
                    show("transform", text("type %d order %d to %d way %d", type, from, to, way), status, type, mc);
                    cublasLtMatrixTransformDescDestroy(desc);
                    for (auto l : {la, lb, lc})
                        cublasLtMatrixLayoutDestroy(l);
                }
    const int pairs[][2] = {{I8, I32}, {I32, I8}, {F32, F16}, {F16, F32}, {F32, BF}, {I8, F32}, {F32, I8}, {I32, F32}, {F32, E4}, {E4, F32}};
    for (auto &p : pairs) {
        Matrix a, c;
        a.type = p[0], c.type = p[1], a.rows = c.rows = 40, a.cols = c.cols = 72, a.ld = c.ld = 40;
        Memory ma(memory_of(a)), mc(memory_of(c));
        fill(ma, a.type, 1);
        cublasLtMatrixTransformDesc_t desc;
        cublasLtMatrixTransformDescCreate(&desc, CUDA_R_32F);
        cublasLtMatrixLayout_t la = layout(a), lc = layout(c);
        float alpha = 2.5f, beta = 0;
        int status = cublasLtMatrixTransform(handle, desc, &alpha, ma.at, la, &beta, nullptr, nullptr, mc.at, lc, 0);
        cudaDeviceSynchronize();
        show("transform", text("types %d to %d", p[0], p[1]), status, c.type, mc);
        cublasLtMatrixTransformDescDestroy(desc);
        cublasLtMatrixLayoutDestroy(la), cublasLtMatrixLayoutDestroy(lc);
    }
}
/* Each attribute: what is there at first, by sizes. */
typedef std::function<int(int, void *, size_t, size_t *)> Getter;
typedef std::function<int(int, const void *, size_t)> Setter;
static void attributes(const char *name, int last, const Getter &get, const Setter &put)
{
    for (int id = -1; id <= last; id++) {
        if (!std::strcmp(name, "desc") && id == 16) continue; /* not documented */
        size_t size = 0;
        char buffer[4096] = {0};
        int status = get(id, nullptr, 0, &size);
        show_status(name, text("size %d", id), status, status ? 0 : (double)size);
        if (status) continue;
        status = get(id, buffer, size, nullptr);
        double value = size == 8 ? (double)*(int64_t *)buffer : size == 4 ? *(int32_t *)buffer : size == 2 ? *(int16_t *)buffer : *(int8_t *)buffer;
        show_status(name, text("value %d", id), status, value);
        show_status(name, text("less %d", id), get(id, buffer, size - 1, nullptr));
        size_t written;
        show_status(name, text("more %d", id), get(id, buffer, size + 4, &written), (double)size);
        show_status(name, text("nowhere %d", id), get(id, nullptr, size, nullptr));
        if (!put) continue;
        show_status(name, text("set %d", id), put(id, buffer, size));
        show_status(name, text("set less %d", id), put(id, buffer, size - 1));
        show_status(name, text("set more %d", id), put(id, buffer, size + 4));
        show_status(name, text("set nothing %d", id), put(id, nullptr, size));
    }
}
static void descriptors()
{
    cublasLtMatrixLayout_t l;
    show_status("layout", "create", cublasLtMatrixLayoutCreate(&l, CUDA_R_16F, 40, 72, 48));
    attributes(
        "layout", 9, [&](int id, void *p, size_t n, size_t *w) { return cublasLtMatrixLayoutGetAttribute(l, (cublasLtMatrixLayoutAttribute_t)id, p, n, w); },
        [&](int id, const void *p, size_t n) { return cublasLtMatrixLayoutSetAttribute(l, (cublasLtMatrixLayoutAttribute_t)id, p, n); });
    cublasLtMatmulDesc_t m;
    show_status("desc", "create", cublasLtMatmulDescCreate(&m, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    attributes(
        "desc", 40, [&](int id, void *p, size_t n, size_t *w) { return cublasLtMatmulDescGetAttribute(m, (cublasLtMatmulDescAttributes_t)id, p, n, w); },
        [&](int id, const void *p, size_t n) { return cublasLtMatmulDescSetAttribute(m, (cublasLtMatmulDescAttributes_t)id, p, n); });
    cublasLtMatmulPreference_t f;
    show_status("preference", "create", cublasLtMatmulPreferenceCreate(&f));
    attributes(
        "preference", 13,
        [&](int id, void *p, size_t n, size_t *w) { return cublasLtMatmulPreferenceGetAttribute(f, (cublasLtMatmulPreferenceAttributes_t)id, p, n, w); },
        [&](int id, const void *p, size_t n) { return cublasLtMatmulPreferenceSetAttribute(f, (cublasLtMatmulPreferenceAttributes_t)id, p, n); });
    cublasLtMatrixTransformDesc_t t;
    show_status("transform-desc", "create", cublasLtMatrixTransformDescCreate(&t, CUDA_R_32F));
    attributes(
        "transform-desc", 4,
        [&](int id, void *p, size_t n, size_t *w) {
            return cublasLtMatrixTransformDescGetAttribute(t, (cublasLtMatrixTransformDescAttributes_t)id, p, n, w);
        },
        [&](int id, const void *p, size_t n) {
            return cublasLtMatrixTransformDescSetAttribute(t, (cublasLtMatrixTransformDescAttributes_t)id, p, n);
        });
    cublasLtEmulationDesc_t e;
    show_status("emulation-desc", "create", cublasLtEmulationDescCreate(&e));
    attributes(
        "emulation-desc", 6,
        [&](int id, void *p, size_t n, size_t *w) { return cublasLtEmulationDescGetAttribute(e, (cublasLtEmulationDescAttributes_t)id, p, n, w); },
        [&](int id, const void *p, size_t n) { return cublasLtEmulationDescSetAttribute(e, (cublasLtEmulationDescAttributes_t)id, p, n); });
    show_status("emulation-desc", "destroy", cublasLtEmulationDescDestroy(e));
    cublasLtMatrixLayoutOpaque_t lo;
    show_status("layout", "init", cublasLtMatrixLayoutInit(&lo, CUDA_R_32F, 4, 4, 4));
    show_status("layout", "init small", cublasLtMatrixLayoutInit_internal(&lo, 8, CUDA_R_32F, 4, 4, 4));
    show_status("layout", "destroy nothing", cublasLtMatrixLayoutDestroy(nullptr));
    show_status("desc", "destroy nothing", cublasLtMatmulDescDestroy(nullptr));
    show_status("desc", "create of 99", cublasLtMatmulDescCreate(&m, (cublasComputeType_t)99, CUDA_R_32F));
    show_status("layout", "create of 99", cublasLtMatrixLayoutCreate(&l, (cudaDataType)99, 4, 4, 4));
    show_status("layout", "create ld 1", cublasLtMatrixLayoutCreate(&l, CUDA_R_32F, 4, 4, 1));
}
static void algorithms()
{
    for (auto &k : KINDS) {
        int ids[64] = {0}, count = 0;
        int status = cublasLtMatmulAlgoGetIds(handle, (cublasComputeType_t)k.compute, (cudaDataType)k.scale, (cudaDataType)k.a, (cudaDataType)k.b,
                                              (cudaDataType)k.c, (cudaDataType)k.d, 64, ids, &count);
        show_status("ids", k.name, status);
    }
    cublasLtMatmulAlgo_t algo;
    show_status("algo", "init 9999", cublasLtMatmulAlgoInit(handle, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 9999, &algo));
    show_status("algo", "init i32", cublasLtMatmulAlgoInit(handle, CUBLAS_COMPUTE_32I, CUDA_R_32I, CUDA_R_32I, CUDA_R_32I, CUDA_R_32I, CUDA_R_32I, 0, &algo));
    int id, count = 0;
    show_status("ids", "none", cublasLtMatmulAlgoGetIds(handle, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 0, &id, &count));
    cublasLtMatmulAlgoGetIds(handle, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 1, &id, &count);
    show_status("algo", "init", cublasLtMatmulAlgoInit(handle, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, id, &algo));
    for (int attribute = 0; attribute < 9; attribute++) {
        size_t size = 0;
        char buffer[64] = {0};
        int status = cublasLtMatmulAlgoConfigGetAttribute(&algo, (cublasLtMatmulAlgoConfigAttributes_t)attribute, nullptr, 0, &size);
        show_status("config", text("size %d", attribute), status, (double)size);
        if (status) continue;
        status = cublasLtMatmulAlgoConfigGetAttribute(&algo, (cublasLtMatmulAlgoConfigAttributes_t)attribute, buffer, size, &size);
        show_status("config", text("get %d", attribute), status, (double)size);
        show_status("config", text("set %d", attribute), cublasLtMatmulAlgoConfigSetAttribute(&algo, (cublasLtMatmulAlgoConfigAttributes_t)attribute, buffer, size));
        show_status("config", text("less %d", attribute),
                    cublasLtMatmulAlgoConfigSetAttribute(&algo, (cublasLtMatmulAlgoConfigAttributes_t)attribute, buffer, size - 1));
    }
    for (int attribute = 0; attribute < 23; attribute++) {
        size_t size = 0;
        show_status("capability", text("size %d", attribute), cublasLtMatmulAlgoCapGetAttribute(&algo, (cublasLtMatmulAlgoCapAttributes_t)attribute, nullptr, 0, &size));
    }
}
static void other()
{
    show_status("version", "", 0, (double)(cublasLtGetVersion() / 10000));
    for (int status : {0, 1, 3, 7, 8, 11, 13, 14, 15, 16, 99}) {
        double sum = 0;
        const char *name = cublasLtGetStatusName((cublasStatus_t)status);
        for (int i = 0; name[i]; i++)
            sum += (i + 1) * name[i];
        show_status("status-name", text("%d", status), 0, sum);
    }
    for (int type = -1; type < 4; type++) {
        int value = 0;
        int status = cublasLtGetProperty((libraryPropertyType)type, &value);
        show_status("property", text("%d", type), status, type == 0 ? value : 0);
    }
    show_status("logger", "callback", cublasLtLoggerSetCallback(nullptr));
    for (int level : {-1, 0, 5})
        show_status("logger", text("level %d", level), cublasLtLoggerSetLevel(level));
    cublasLtLoggerSetLevel(0);
    show_status("logger", "mask 0", cublasLtLoggerSetMask(0));
    show_status("logger", "open nowhere", cublasLtLoggerOpenFile("/nowhere/log"));
    size_t capacity = 0;
    show_status("cache", "get", cublasLtHeuristicsCacheGetCapacity(&capacity));
    show_status("cache", "set", cublasLtHeuristicsCacheSetCapacity(100));
    show_status("cache", "get", 0, (double)capacity); /* at first */
}
/* usage: cublaslt_results [SECTION]      all, or one of them by number */
int main(int argc, char **argv)
{
    void (*const sections[])() = {types_and_shapes, orders, epilogues, scalars, batches, small_floats, transforms, algorithms, other, descriptors};
    int only = argc > 1 ? std::atoi(argv[1]) : -1, number = 0;
    std::setvbuf(stdout, nullptr, _IOLBF, 1 << 16);
    if (cublasLtCreate(&handle)) return 1;
    cudaMalloc((void **)&workspace, WORKSPACE);
    for (auto section : sections)
        if (only < 0 || only == number++) section();
    cudaFree(workspace);
    return cublasLtDestroy(handle);
}
