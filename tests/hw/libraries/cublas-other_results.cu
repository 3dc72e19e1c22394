/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of cuBLAS that few programs make, and what they compute, as cublas_results.cu has the others: the interface before version 2,
 * cublasXt, products of small elements with vectors in batches, groups of products, rotations and rank updates with types, packed
 * triangles, and settings of emulation. */
#include "cublas_results.h"

#include <cublasXt.h>

static cublasHandle_t handle;
static cublasXtHandle_t xt;
static const cublasOperation_t N = CUBLAS_OP_N, T = CUBLAS_OP_T;
static const cublasFillMode_t LOWER = CUBLAS_FILL_MODE_LOWER;

/* ---- before version 2: by the names that libraries export, since cublas.h and cublas_v2.h exclude each other */
#define OLD(result, name, parameters) extern "C" result old_##name parameters __asm__("cublas" #name);
OLD(int, Init, (void))
OLD(int, Shutdown, (void))
OLD(int, GetError, (void))
OLD(int, Alloc, (int, int, void **))
OLD(int, Free, (void *))
OLD(int, GetVersion, (int *))
#define OLD_ALL(L, type)                                                                                                         \
    OLD(void, L##axpy, (int, type, const type *, int, type *, int))                                                              \
    OLD(void, L##copy, (int, const type *, int, type *, int))                                                                    \
    OLD(void, L##swap, (int, type *, int, type *, int))                                                                          \
    OLD(void, L##scal, (int, type, type *, int))                                                                                 \
    OLD(void, L##gemv, (char, int, int, type, const type *, int, const type *, int, type, type *, int))                          \
    OLD(void, L##gbmv, (char, int, int, int, int, type, const type *, int, const type *, int, type, type *, int))                \
    OLD(void, L##trmv, (char, char, char, int, const type *, int, type *, int))                                                  \
    OLD(void, L##trsv, (char, char, char, int, const type *, int, type *, int))                                                  \
    OLD(void, L##tpmv, (char, char, char, int, const type *, type *, int))                                                       \
    OLD(void, L##tbmv, (char, char, char, int, int, const type *, int, type *, int))                                             \
    OLD(void, L##gemm, (char, char, int, int, int, type, const type *, int, const type *, int, type, type *, int))               \
    OLD(void, L##symm, (char, char, int, int, type, const type *, int, const type *, int, type, type *, int))                    \
    OLD(void, L##syrk, (char, char, int, int, type, const type *, int, type, type *, int))                                       \
    OLD(void, L##syr2k, (char, char, int, int, type, const type *, int, const type *, int, type, type *, int))                   \
    OLD(void, L##trmm, (char, char, char, char, int, int, type, const type *, int, type *, int))                                 \
    OLD(void, L##trsm, (char, char, char, char, int, int, type, const type *, int, type *, int))
OLD_ALL(S, float)
OLD_ALL(D, double)
OLD_ALL(C, cuComplex)
OLD_ALL(Z, cuDoubleComplex)
OLD(float, Snrm2, (int, const float *, int))
OLD(double, Dznrm2, (int, const cuDoubleComplex *, int))
OLD(float, Scasum, (int, const cuComplex *, int))
OLD(double, Ddot, (int, const double *, int, const double *, int))
OLD(float, Sdot, (int, const float *, int, const float *, int))
OLD(cuComplex, Cdotc, (int, const cuComplex *, int, const cuComplex *, int))
OLD(cuDoubleComplex, Zdotu, (int, const cuDoubleComplex *, int, const cuDoubleComplex *, int))
OLD(int, Isamax, (int, const float *, int))
OLD(int, Izamin, (int, const cuDoubleComplex *, int))
OLD(void, Srot, (int, float *, int, float *, int, float, float))
OLD(void, Crot, (int, cuComplex *, int, cuComplex *, int, float, cuComplex))
OLD(void, Srotg, (float *, float *, float *, float *))
OLD(void, Drotm, (int, double *, int, double *, int, const double *))
OLD(void, Ssymv, (char, int, float, const float *, int, const float *, int, float, float *, int))
OLD(void, Dger, (int, int, double, const double *, int, const double *, int, double *, int))
OLD(void, Dsyr, (char, int, double, const double *, int, double *, int))
OLD(void, Sspr2, (char, int, float, const float *, int, const float *, int, float *))
OLD(void, Chemv, (char, int, cuComplex, const cuComplex *, int, const cuComplex *, int, cuComplex, cuComplex *, int))
OLD(void, Zher2, (char, int, cuDoubleComplex, const cuDoubleComplex *, int, const cuDoubleComplex *, int, cuDoubleComplex *, int))
OLD(void, Cgerc, (int, int, cuComplex, const cuComplex *, int, const cuComplex *, int, cuComplex *, int))
OLD(void, Cherk, (char, char, int, int, float, const cuComplex *, int, float, cuComplex *, int))
OLD(void, Zhemm, (char, char, int, int, cuDoubleComplex, const cuDoubleComplex *, int, const cuDoubleComplex *, int, cuDoubleComplex,
                  cuDoubleComplex *, int))
OLD(void, Cher2k, (char, char, int, int, cuComplex, const cuComplex *, int, const cuComplex *, int, float, cuComplex *, int))
#define OLD_SHOW(name, shape, call, result) call, show("old-" name, shape, old_GetError(), result)
#define OLD_CALLS(L, type)                                                                                                       \
    static void old_##L()                                                                                                        \
    {                                                                                                                            \
        type alpha = scalar<type>(0.5, 0.25), beta = scalar<type>(-1, 0.5);                                                      \
        Array<type> a(2500, 1), b(2500, 2), c(2500, 3), x(100, 4), y(100, 5);                                                    \
        a.dominant(50, 50);                                                                                                      \
        OLD_SHOW(#L "axpy", "", old_##L##axpy(33, alpha, x, 2, y, 3), y);                                                        \
        OLD_SHOW(#L "copy", "", old_##L##copy(33, x, -1, y, 2), y);                                                              \
        OLD_SHOW(#L "swap", "", old_##L##swap(33, x, 1, y, -2), y);                                                              \
        OLD_SHOW(#L "scal", "", old_##L##scal(33, alpha, x, 2), x);                                                              \
        OLD_SHOW(#L "gemv", "t", old_##L##gemv('t', 37, 29, alpha, a, 50, x, 1, beta, y, 2), y);                                 \
        OLD_SHOW(#L "gbmv", "n", old_##L##gbmv('N', 37, 29, 3, 5, alpha, a, 50, x, 1, beta, y, 2), y);                           \
        OLD_SHOW(#L "trmv", "lcu", old_##L##trmv('l', 'c', 'u', 33, a, 50, x, 1), x);                                            \
        OLD_SHOW(#L "trsv", "unn", old_##L##trsv('U', 'N', 'N', 7, a, 50, x, 1), x);                                             \
        OLD_SHOW(#L "tpmv", "utn", old_##L##tpmv('u', 't', 'n', 33, a, y, 2), y);                                                \
        OLD_SHOW(#L "tbmv", "lnn", old_##L##tbmv('l', 'n', 'n', 33, 4, a, 50, y, 2), y);                                         \
        OLD_SHOW(#L "gemm", "nt", old_##L##gemm('n', 't', 37, 29, 45, alpha, a, 50, b, 50, beta, c, 50), c);                     \
        OLD_SHOW(#L "gemm", "bad", old_##L##gemm('x', 't', 37, 29, 45, alpha, a, 50, b, 50, beta, c, 50), c);                    \
        OLD_SHOW(#L "gemm", "short", old_##L##gemm('n', 't', 37, 29, 45, alpha, a, 5, b, 50, beta, c, 50), c);                   \
        OLD_SHOW(#L "symm", "lu", old_##L##symm('l', 'u', 37, 29, alpha, a, 50, b, 50, beta, c, 50), c);                         \
        OLD_SHOW(#L "syrk", "lt", old_##L##syrk('l', 't', 33, 41, alpha, a, 50, beta, c, 50), c);                                \
        OLD_SHOW(#L "syr2k", "un", old_##L##syr2k('u', 'n', 33, 41, alpha, a, 50, b, 50, beta, c, 50), c);                       \
        OLD_SHOW(#L "trmm", "rlnn", old_##L##trmm('r', 'l', 'n', 'n', 37, 29, alpha, a, 50, c, 50), c);                          \
        OLD_SHOW(#L "trsm", "lltn", old_##L##trsm('l', 'l', 't', 'n', 7, 29, alpha, a, 50, b, 50), b);                           \
    }
OLD_CALLS(S, float)
OLD_CALLS(D, double)
OLD_CALLS(C, cuComplex)
OLD_CALLS(Z, cuDoubleComplex)
static void old_others()
{
    Array<float> fa(2500, 11), fx(100, 12), fy(100, 13), fp(1300, 14);
    Array<double> da(2500, 15), dx(100, 16), dy(100, 17);
    Array<cuComplex> ca(2500, 18), cb(2500, 19), cc(2500, 20), cx(100, 21), cy(100, 22);
    Array<cuDoubleComplex> za(2500, 23), zb(2500, 24), zc(2500, 25), zx(100, 26), zy(100, 27);
    cuComplex alpha = scalar<cuComplex>(0.5, 0.25), beta = scalar<cuComplex>(-1, 0.5), sine = scalar<cuComplex>(0.6, 0.2);
    cuDoubleComplex zalpha = scalar<cuDoubleComplex>(0.5, 0.25), zbeta = scalar<cuDoubleComplex>(-1, 0.5);
    show_value("old-Snrm2", "", 0, old_Snrm2(33, fx, 2));
    show_value("old-Dznrm2", "", 0, old_Dznrm2(33, zx, 2));
    show_value("old-Scasum", "", 0, old_Scasum(33, cx, 2));
    show_value("old-Ddot", "", 0, old_Ddot(33, dx, 2, dy, 1));
    show_value("old-Sdot", "", 0, old_Sdot(33, fx, 2, fy, 1));
    show_value("old-Cdotc", "", 0, old_Cdotc(33, cx, 2, cy, 1));
    show_value("old-Zdotu", "", 0, old_Zdotu(33, zx, 2, zy, 1));
    show_value("old-Isamax", "", 0, (double)old_Isamax(33, fx, 2));
    show_value("old-Izamin", "", 0, (double)old_Izamin(33, zx, 2));
    OLD_SHOW("Srot", "", old_Srot(33, fx, 1, fy, 2, 0.6f, 0.8f), fy);
    OLD_SHOW("Crot", "", old_Crot(33, cx, 1, cy, 2, 0.6f, sine), cy);
    float g[4] = {0.75f, -0.5f, 0, 0};
    old_Srotg(g, g + 1, g + 2, g + 3);
    for (int i = 0; i < 4; i++)
        show_value("old-Srotg", text("%d", i), 0, g[i]);
    double param[5] = {-1, 0.5, 0.25, -0.75, 1};
    OLD_SHOW("Drotm", "", old_Drotm(33, dx, 1, dy, 2, param), dy);
    OLD_SHOW("Ssymv", "u", old_Ssymv('u', 33, 0.5f, fa, 50, fx, 1, -1, fy, 2), fy);
    OLD_SHOW("Dger", "", old_Dger(33, 29, 0.5, dx, 1, dy, 2, da, 50), da);
    OLD_SHOW("Dsyr", "l", old_Dsyr('l', 33, 0.5, dx, 1, da, 50), da);
    OLD_SHOW("Sspr2", "u", old_Sspr2('u', 33, 0.5f, fx, 1, fy, 2, fp), fp);
    OLD_SHOW("Chemv", "l", old_Chemv('l', 33, alpha, ca, 50, cx, 1, beta, cy, 2), cy);
    OLD_SHOW("Zher2", "u", old_Zher2('u', 33, zalpha, zx, 1, zy, 2, za, 50), za);
    OLD_SHOW("Cgerc", "", old_Cgerc(33, 29, alpha, cx, 1, cy, 2, ca, 50), ca);
    OLD_SHOW("Cherk", "un", old_Cherk('u', 'n', 33, 41, 0.5f, ca, 50, -1, cc, 50), cc);
    OLD_SHOW("Zhemm", "rl", old_Zhemm('r', 'l', 37, 29, zalpha, za, 50, zb, 50, zbeta, zc, 50), zc);
    OLD_SHOW("Cher2k", "lc", old_Cher2k('l', 'c', 33, 41, alpha, ca, 50, cb, 50, -1, cc, 50), cc);
}

/* ---- cublasXt: matrices of the host */
template <typename T> static std::vector<T> host_of(size_t n, unsigned seed)
{
    std::vector<T> out(n);
    for (auto &x : out)
        Traits<T>::set(x, seed);
    return out;
}
template <typename T> static void show_host(const char *call, const std::string &shape, int status, const std::vector<T> &x)
{
    std::printf("%s [%s] %d", call, shape.c_str(), status);
    print(x);
}
#define XT(L, type)                                                                                                              \
    static void xt_##L()                                                                                                         \
    {                                                                                                                            \
        type alpha = scalar<type>(0.5, 0.25), beta = scalar<type>(-1, 0.5);                                                      \
        auto a = host_of<type>(2500, 1), b = host_of<type>(2500, 2), p = host_of<type>(1300, 3);                                 \
        for (int i = 0; i < 50; i++)                                                                                             \
            a[(size_t)i * 51] = scalar<type>(4, 0);                                                                              \
        for (auto t : OPS) {                                                                                                     \
            auto c = host_of<type>(2500, 4);                                                                                     \
            int status = cublasXt##L##gemm(xt, t, T, 37, 29, 45, &alpha, a.data(), 50, b.data(), 50, &beta, c.data(), 50);       \
            show_host("Xt" #L "gemm", text("%d", t), status, c);                                                                 \
        }                                                                                                                        \
        for (auto uplo : FILLS) {                                                                                                \
            auto c = host_of<type>(2500, 5), d = c, e = c, f = c, g = c, h = c, i = c;                                           \
            std::string shape = text("%d", uplo);                                                                                \
            int status = cublasXt##L##syrk(xt, uplo, N, 33, 41, &alpha, a.data(), 50, &beta, c.data(), 50);                      \
            show_host("Xt" #L "syrk", shape, status, c);                                                                         \
            status = cublasXt##L##syr2k(xt, uplo, T, 33, 41, &alpha, a.data(), 50, b.data(), 50, &beta, d.data(), 50);           \
            show_host("Xt" #L "syr2k", shape, status, d);                                                                        \
            status = cublasXt##L##syrkx(xt, uplo, N, 33, 41, &alpha, a.data(), 50, b.data(), 50, &beta, e.data(), 50);           \
            show_host("Xt" #L "syrkx", shape, status, e);                                                                        \
            status = cublasXt##L##symm(xt, CUBLAS_SIDE_RIGHT, uplo, 37, 29, &alpha, a.data(), 50, b.data(), 50, &beta, f.data(), 50); \
            show_host("Xt" #L "symm", shape, status, f);                                                                         \
            status = cublasXt##L##spmm(xt, CUBLAS_SIDE_LEFT, uplo, 37, 29, &alpha, p.data(), b.data(), 50, &beta, g.data(), 50); \
            show_host("Xt" #L "spmm", shape, status, g);                                                                         \
            status = cublasXt##L##trmm(xt, CUBLAS_SIDE_LEFT, uplo, T, CUBLAS_DIAG_NON_UNIT, 37, 29, &alpha, a.data(), 50, b.data(), 50, \
                                       h.data(), 50);                                                                            \
            show_host("Xt" #L "trmm", shape, status, h);                                                                         \
            status = cublasXt##L##trsm(xt, CUBLAS_SIDE_LEFT, uplo, N, CUBLAS_DIAG_NON_UNIT, 7, 29, &alpha, a.data(), 50, i.data(), 50); \
            show_host("Xt" #L "trsm", shape, status, i);                                                                         \
        }                                                                                                                        \
    }
#define XT_HERMITIAN(L, type, real)                                                                                              \
    static void xt_hermitian_##L()                                                                                               \
    {                                                                                                                            \
        type alpha = scalar<type>(0.5, 0.25), beta = scalar<type>(-1, 0.5);                                                      \
        real ralpha = (real)0.75, rbeta = (real)-0.5;                                                                            \
        auto a = host_of<type>(2500, 1), b = host_of<type>(2500, 2);                                                             \
        for (auto uplo : FILLS) {                                                                                                \
            auto c = host_of<type>(2500, 5), d = c, e = c, f = c;                                                                \
            std::string shape = text("%d", uplo);                                                                                \
            int status = cublasXt##L##herk(xt, uplo, N, 33, 41, &ralpha, a.data(), 50, &rbeta, c.data(), 50);                    \
            show_host("Xt" #L "herk", shape, status, c);                                                                         \
            status = cublasXt##L##her2k(xt, uplo, CUBLAS_OP_C, 33, 41, &alpha, a.data(), 50, b.data(), 50, &rbeta, d.data(), 50); \
            show_host("Xt" #L "her2k", shape, status, d);                                                                        \
            status = cublasXt##L##herkx(xt, uplo, N, 33, 41, &alpha, a.data(), 50, a.data(), 50, &rbeta, e.data(), 50);          \
            show_host("Xt" #L "herkx", shape, status, e);                                                                        \
            status = cublasXt##L##hemm(xt, CUBLAS_SIDE_LEFT, uplo, 37, 29, &alpha, a.data(), 50, b.data(), 50, &beta, f.data(), 50); \
            show_host("Xt" #L "hemm", shape, status, f);                                                                         \
        }                                                                                                                        \
    }
XT(S, float)
XT(D, double)
XT(C, cuComplex)
XT(Z, cuDoubleComplex)
XT_HERMITIAN(C, cuComplex, float)
XT_HERMITIAN(Z, cuDoubleComplex, double)
static void xt_settings()
{
    int devices[1] = {0}, boards = -1, block = -1;
    cublasXtPinnedMemMode_t mode = CUBLASXT_PINNING_ENABLED;
    show_value("XtMaxBoards", "", cublasXtMaxBoards(&boards), 0.0);
    int status = cublasXtGetNumBoards(1, devices, &boards);
    show_value("XtGetNumBoards", "", status, (double)(boards > 0));
    show_value("XtDeviceSelect", "0", cublasXtDeviceSelect(xt, 1, devices), 0.0);
    status = cublasXtGetBlockDim(xt, &block);
    show_value("XtGetBlockDim", "", status, (double)block);
    show_value("XtSetBlockDim", "0", cublasXtSetBlockDim(xt, 0), 0.0);
    show_value("XtSetBlockDim", "64", cublasXtSetBlockDim(xt, 64), 0.0);
    status = cublasXtGetBlockDim(xt, &block);
    show_value("XtGetBlockDim", "64", status, (double)block);
    status = cublasXtGetPinningMemMode(xt, &mode);
    show_value("XtGetPinningMemMode", "", status, (double)mode);
    show_value("XtSetPinningMemMode", "1", cublasXtSetPinningMemMode(xt, CUBLASXT_PINNING_ENABLED), 0.0);
    show_value("XtSetPinningMemMode", "7", cublasXtSetPinningMemMode(xt, (cublasXtPinnedMemMode_t)7), 0.0);
    show_value("XtSetPinningMemMode", "0", cublasXtSetPinningMemMode(xt, CUBLASXT_PINNING_DISABLED), 0.0);
    show_value("XtSetCpuRatio", "0", cublasXtSetCpuRatio(xt, CUBLASXT_GEMM, CUBLASXT_FLOAT, 0), 0.0);
    show_value("XtSetCpuRatio", "half", cublasXtSetCpuRatio(xt, CUBLASXT_GEMM, CUBLASXT_FLOAT, 0.5f), 0.0);
    cublasXtSetCpuRatio(xt, CUBLASXT_GEMM, CUBLASXT_FLOAT, 0);
}

/* ---- vectors of small elements in batches */
template <typename In, typename Out, typename Batched, typename Strided>
static void vectors(const char *name, Batched batched, Strided strided)
{
    float alpha = 0.5f, beta = -1;
    for (auto t : OPS) {
        Array<In> a(50 * 50 * 3, 1), x(300, 2);
        Array<Out> y(300, 3), z(300, 3);
        void *pointers[9], **device;
        for (int i = 0; i < 3; i++)
            pointers[i] = a + 2500 * i, pointers[3 + i] = x + 100 * i, pointers[6 + i] = y + 100 * (2 - i);
        cudaMalloc(&device, sizeof pointers);
        cudaMemcpy(device, pointers, sizeof pointers, cudaMemcpyHostToDevice);
        int status = batched(handle, t, 37, 29, &alpha, (const In *const *)device, 50, (const In *const *)device + 3, 2, &beta, (Out *const *)device + 6, 1, 3);
        show(name, text("batched %d", t), status, y);
        status = strided(handle, t, 37, 29, &alpha, a, 50, 2500, x, -1, 100, &beta, z, 2, 100, 3);
        show(name, text("strided %d", t), status, z);
        cudaFree(device);
    }
}

/* ---- groups of products: 2 of one shape, 3 of another */
template <typename T, typename S, typename Call> static void groups(const char *name, S alpha, S beta, Call call)
{
    Array<T> a(900 * 5, 1), b(900 * 5, 2), c(900 * 5, 3);
    T *pointers[15], **device;
    for (int i = 0; i < 5; i++)
        pointers[i] = a + 900 * i, pointers[5 + i] = b + 900 * i, pointers[10 + i] = c + 900 * i;
    cudaMalloc(&device, sizeof pointers);
    cudaMemcpy(device, pointers, sizeof pointers, cudaMemcpyHostToDevice);
    cublasOperation_t ta[] = {N, CUBLAS_OP_T}, tb[] = {CUBLAS_OP_T, N};
    int m[] = {19, 24}, n[] = {17, 8}, k[] = {23, 30}, ld[] = {30, 30}, sizes[] = {2, 3};
    S alphas[] = {alpha, beta}, betas[] = {beta, alpha};
    int status = call(ta, tb, m, n, k, alphas, device, ld, device + 5, ld, betas, device + 10, ld, 2, sizes);
    show(name, "2 groups", status, c);
    status = call(ta, tb, m, n, k, alphas, device, ld, device + 5, ld, betas, device + 10, ld, 0, sizes);
    show(name, "none", status, c);
    m[1] = -1;
    status = call(ta, tb, m, n, k, alphas, device, ld, device + 5, ld, betas, device + 10, ld, 2, sizes);
    show(name, "negative", status, c);
    cudaFree(device);
}
template <typename T, typename S>
static void groups_ex(const char *name, cudaDataType type, cublasComputeType_t compute, S alpha, S beta)
{
    groups<T>(name, alpha, beta,
              [=](const cublasOperation_t *ta, const cublasOperation_t *tb, const int *m, const int *n, const int *k, const S *alphas, T **a,
                  const int *lda, T **b, const int *ldb, const S *betas, T **c, const int *ldc, int count, const int *sizes) {
                  return cublasGemmGroupedBatchedEx(handle, ta, tb, m, n, k, alphas, (const void *const *)a, type, lda, (const void *const *)b, type,
                                                    ldb, betas, (void *const *)c, type, ldc, count, sizes, compute);
              });
}
static void all_groups()
{
    groups<float>("SgemmGroupedBatched", 0.5f, -1.f,
                  [](const cublasOperation_t *ta, const cublasOperation_t *tb, const int *m, const int *n, const int *k, const float *alphas, float **a,
                     const int *lda, float **b, const int *ldb, const float *betas, float **c, const int *ldc, int count, const int *sizes) {
                      return cublasSgemmGroupedBatched(handle, ta, tb, m, n, k, alphas, a, lda, b, ldb, betas, c, ldc, count, sizes);
                  });
    groups<double>("DgemmGroupedBatched", 0.5, -1.,
                   [](const cublasOperation_t *ta, const cublasOperation_t *tb, const int *m, const int *n, const int *k, const double *alphas,
                      double **a, const int *lda, double **b, const int *ldb, const double *betas, double **c, const int *ldc, int count,
                      const int *sizes) {
                       return cublasDgemmGroupedBatched(handle, ta, tb, m, n, k, alphas, a, lda, b, ldb, betas, c, ldc, count, sizes);
                   });
    groups_ex<float>("GemmGroupedBatchedEx f32", CUDA_R_32F, CUBLAS_COMPUTE_32F, 0.5f, -1.f);
    groups_ex<float>("GemmGroupedBatchedEx tf32", CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, 0.5f, -1.f);
    groups_ex<double>("GemmGroupedBatchedEx f64", CUDA_R_64F, CUBLAS_COMPUTE_64F, 0.5, -1.);
    groups_ex<__half>("GemmGroupedBatchedEx f16", CUDA_R_16F, CUBLAS_COMPUTE_32F, 0.5f, -1.f);
    groups_ex<__half>("GemmGroupedBatchedEx f16-16", CUDA_R_16F, CUBLAS_COMPUTE_16F, __float2half(0.5f), __float2half(-1.f));
    groups_ex<__nv_bfloat16>("GemmGroupedBatchedEx bf16", CUDA_R_16BF, CUBLAS_COMPUTE_32F, 0.5f, -1.f);
    groups_ex<cuComplex>("GemmGroupedBatchedEx c32", CUDA_C_32F, CUBLAS_COMPUTE_32F, scalar<cuComplex>(0.5, 0.25), scalar<cuComplex>(-1, 0));
}

/* ---- rotations with types */
template <typename T, typename C> static void rotations(cudaDataType type, cudaDataType cs, cudaDataType execution)
{
    std::string shape = text("%d %d %d", type, cs, execution);
    for (int step = 1; step < 3; step++) {
        Array<T> x(200, 1), y(200, 2);
        C c = scalar<C>(0.6, 0), s = scalar<C>(0.8, 0.1);
        SHOW("RotEx", shape + text(" by %d", step), cublasRotEx(handle, 77, x, type, step, y, type, 1, &c, &s, cs, execution), x);
    }
    Array<T> x(200, 3), y(200, 4);
    for (int flag = -2; flag < 2; flag++) {
        C param[5];
        for (int i = 0; i < 5; i++)
            param[i] = scalar<C>(i ? 0.25 * i : flag, 0);
        SHOW("RotmEx", shape + text(" flag %d", flag), cublasRotmEx(handle, 77, x, type, 1, y, type, 2, param, cs, execution), y);
    }
}
template <typename T> static void rotation_of(cudaDataType type, double a_re, double b_re)
{
    typename Traits<T>::Real c = 0;
    T a = scalar<T>(a_re, 0.25), b = scalar<T>(b_re, -0.5), s = scalar<T>(0, 0);
    cudaDataType real = type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
    int status = cublasRotgEx(handle, &a, &b, type, &c, &s, type, type);
    show_value("RotgEx", text("%d", type), status, status ? scalar<T>(0, 0) : a);
    (void)real;
}
template <typename T> static void modified_rotation_of(cudaDataType type)
{
    T d1 = scalar<T>(0.5, 0), d2 = scalar<T>(0.75, 0), x1 = scalar<T>(1.5, 0), y1 = scalar<T>(-0.5, 0), param[5];
    std::memset(param, 0, sizeof param);
    int status = cublasRotmgEx(handle, &d1, type, &d2, type, &x1, type, &y1, type, param, type, type);
    show_value("RotmgEx", text("%d d1", type), status, d1);
    for (int i = 0; i < 5; i++)
        show_value("RotmgEx", text("%d %d", type, i), status, status ? scalar<T>(0, 0) : param[i]);
}

/* ---- rank updates and products of complex matrices with types */
static void complex_ex()
{
    cuComplex alpha = scalar<cuComplex>(0.5, 0.25), beta = scalar<cuComplex>(-1, 0.5);
    float real = 0.75f, real_beta = -0.5f;
    for (auto uplo : FILLS)
        for (int t = 0; t < 3; t++) {
            Array<cuComplex> a(2500, 1), c(2500, 2), d(2500, 2), e(2500, 2), f(2500, 2);
            std::string shape = text("%d %d", uplo, t);
            SHOW("CsyrkEx", shape, cublasCsyrkEx(handle, uplo, OPS[t], 33, 41, &alpha, a, CUDA_C_32F, 50, &beta, c, CUDA_C_32F, 50), c);
            SHOW("Csyrk3mEx", shape, cublasCsyrk3mEx(handle, uplo, OPS[t], 33, 41, &alpha, a, CUDA_C_32F, 50, &beta, d, CUDA_C_32F, 50), d);
            SHOW("CherkEx", shape, cublasCherkEx(handle, uplo, OPS[t], 33, 41, &real, a, CUDA_C_32F, 50, &real_beta, e, CUDA_C_32F, 50), e);
            SHOW("Cherk3mEx", shape, cublasCherk3mEx(handle, uplo, OPS[t], 33, 41, &real, a, CUDA_C_32F, 50, &real_beta, f, CUDA_C_32F, 50), f);
        }
    Array<signed char> bytes(10000, 3);
    Array<cuComplex> a(2500, 5), b(2500, 6), c(2500, 7), d(2500, 8);
    SHOW("CsyrkEx", "bytes", cublasCsyrkEx(handle, LOWER, N, 32, 40, &alpha, bytes, CUDA_C_8I, 48, &beta, c, CUDA_C_32F, 50), c);
    SHOW("CherkEx", "bytes", cublasCherkEx(handle, LOWER, N, 32, 40, &real, bytes, CUDA_C_8I, 48, &real_beta, c, CUDA_C_32F, 50), c);
    SHOW("Csyrk3mEx", "bytes", cublasCsyrk3mEx(handle, LOWER, N, 32, 40, &alpha, bytes, CUDA_C_8I, 48, &beta, c, CUDA_C_32F, 50), c);
    SHOW("Cherk3mEx", "bytes", cublasCherk3mEx(handle, LOWER, N, 32, 40, &real, bytes, CUDA_C_8I, 48, &real_beta, c, CUDA_C_32F, 50), c);
    SHOW("Cgemm3mEx", "", cublasCgemm3mEx(handle, N, T, 37, 29, 45, &alpha, a, CUDA_C_32F, 50, b, CUDA_C_32F, 50, &beta, d, CUDA_C_32F, 50), d);
    SHOW("CsyrkEx", "halves", cublasCsyrkEx(handle, LOWER, N, 32, 40, &alpha, bytes, CUDA_C_16F, 48, &beta, c, CUDA_C_32F, 50), c);
}
#define PACKED(L, type)                                                                                                          \
    for (auto uplo : FILLS) {                                                                                                    \
        Array<type> a(2500, 1), p(1300, 2), q(1300, 3);                                                                          \
        SHOW(#L "tpttr", text("%d", uplo), cublas##L##tpttr(handle, uplo, 33, p, a, 50), a);                                      \
        SHOW(#L "trttp", text("%d", uplo), cublas##L##trttp(handle, uplo, 33, a, 50, q), q);                                      \
    }

/* ---- settings of emulation */
template <typename T, typename Get, typename Set> static void setting(const char *name, Get get, Set set)
{
    T value = (T)-7;
    int status = get(handle, &value);
    show_value(name, "default", status, (double)(int)value);
    for (int number : {-1, 0, 1, 2, 3, 5, 60, 0xffff}) {
        status = set(handle, (T)number);
        show_value(name, text("set %d", number), status, 0.0);
        get(handle, &value);
        show_value(name, text("get %d", number), 0, (double)(int)value);
    }
}
static void emulation()
{
    setting<cublasEmulationStrategy_t>(
        "EmulationStrategy", [](cublasHandle_t h, cublasEmulationStrategy_t *p) { return cublasGetEmulationStrategy(h, p); },
        [](cublasHandle_t h, cublasEmulationStrategy_t v) { return cublasSetEmulationStrategy(h, v); });
    cublasSetEmulationStrategy(handle, CUBLAS_EMULATION_STRATEGY_DEFAULT);
    setting<cudaEmulationSpecialValuesSupport>("EmulationSpecialValuesSupport", cublasGetEmulationSpecialValuesSupport, cublasSetEmulationSpecialValuesSupport);
    setting<cudaEmulationMantissaControl>("MantissaControl", cublasGetFixedPointEmulationMantissaControl, cublasSetFixedPointEmulationMantissaControl);
    setting<int>("MaxMantissaBitCount", cublasGetFixedPointEmulationMaxMantissaBitCount, cublasSetFixedPointEmulationMaxMantissaBitCount);
    setting<int>("MantissaBitOffset", cublasGetFixedPointEmulationMantissaBitOffset, cublasSetFixedPointEmulationMantissaBitOffset);
    int *pointer = nullptr;
    show_value("MantissaBitCountPointer", "get", cublasGetFixedPointEmulationMantissaBitCountPointer(handle, &pointer), 0.0);
    show_value("MantissaBitCountPointer", "set", cublasSetFixedPointEmulationMantissaBitCountPointer(handle, nullptr), 0.0);
}

static void old()
{
    std::printf("old-Init [] %d 0\n", old_Init());
    int version = 0, status;
    void *memory = nullptr;
    status = old_GetVersion(&version);
    std::printf("old-GetVersion [] %d %d\n", status, version / 10000);
    std::printf("old-Alloc [] %d 0\n", old_Alloc(100, 8, &memory));
    std::printf("old-Free [] %d 0\n", old_Free(memory));
    std::printf("old-Alloc [none] %d 0\n", old_Alloc(0, 8, &memory));
    std::printf("old-Alloc [no size] %d 0\n", old_Alloc(100, 0, &memory));
    old_S(), old_D(), old_C(), old_Z();
    old_others();
    std::printf("old-Shutdown [] %d 0\n", old_Shutdown());
}
static void all_xt()
{
    if (cublasXtCreate(&xt)) return;
    xt_settings();
    xt_S(), xt_D(), xt_C(), xt_Z();
    xt_hermitian_C(), xt_hermitian_Z();
    std::printf("XtDestroy [] %d 0\n", cublasXtDestroy(xt));
}
static void all_vectors()
{
    vectors<__half, __half>("HSHgemv", cublasHSHgemvBatched, cublasHSHgemvStridedBatched);
    vectors<__half, float>("HSSgemv", cublasHSSgemvBatched, cublasHSSgemvStridedBatched);
    vectors<__nv_bfloat16, __nv_bfloat16>("TSTgemv", cublasTSTgemvBatched, cublasTSTgemvStridedBatched);
    vectors<__nv_bfloat16, float>("TSSgemv", cublasTSSgemvBatched, cublasTSSgemvStridedBatched);
}
static void all_rotations()
{
    rotations<float, float>(CUDA_R_32F, CUDA_R_32F, CUDA_R_32F);
    rotations<double, double>(CUDA_R_64F, CUDA_R_64F, CUDA_R_64F);
    rotations<__half, __half>(CUDA_R_16F, CUDA_R_16F, CUDA_R_32F);
    rotations<__nv_bfloat16, __nv_bfloat16>(CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F);
    rotations<__half, float>(CUDA_R_16F, CUDA_R_32F, CUDA_R_32F);
    rotations<cuComplex, cuComplex>(CUDA_C_32F, CUDA_C_32F, CUDA_C_32F);
    rotations<cuDoubleComplex, cuDoubleComplex>(CUDA_C_64F, CUDA_C_64F, CUDA_C_64F);
    rotations<cuComplex, float>(CUDA_C_32F, CUDA_R_32F, CUDA_C_32F);
    rotation_of<float>(CUDA_R_32F, 0.5, 0.75);
    rotation_of<double>(CUDA_R_64F, 0.5, 0.75);
    rotation_of<cuComplex>(CUDA_C_32F, 0.5, 0.75);
    rotation_of<cuDoubleComplex>(CUDA_C_64F, 0.5, 0.75);
    rotation_of<__half>(CUDA_R_16F, 0.5, 0.75);
    modified_rotation_of<float>(CUDA_R_32F);
    modified_rotation_of<double>(CUDA_R_64F);
    modified_rotation_of<__half>(CUDA_R_16F);
}
static void packed()
{
    PACKED(S, float)
    PACKED(D, double)
    PACKED(C, cuComplex)
    PACKED(Z, cuDoubleComplex)
    Array<float> x(3000, 80);
    for (int least = 0; least < 2; least++) {
        int64_t index = -1;
        int status = least ? cublasIaminEx_64(handle, 1000, x, CUDA_R_32F, 2, &index) : cublasIamaxEx_64(handle, 1000, x, CUDA_R_32F, 2, &index);
        show_value(least ? "IaminEx_64" : "IamaxEx_64", "", status, (double)index);
    }
}

/* usage: cublas-other_results [SECTION]      all, or one of them by number */
int main(int argc, char **argv)
{
    void (*const sections[])() = {old, all_xt, all_vectors, all_groups, all_rotations, complex_ex, packed, emulation};
    int only = argc > 1 ? std::atoi(argv[1]) : -1, number = 0;
    std::setvbuf(stdout, nullptr, _IOLBF, 1 << 16);
    if (cublasCreate(&handle)) return 1;
    for (auto section : sections)
        if (only < 0 || only == number++) section();
    return cublasDestroy(handle);
}
