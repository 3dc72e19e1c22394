/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of cuBLAS with small operands, and what they compute: one line a call, with its status, the norm of the result and some
 * of its elements. cublas-results.txt has the lines of a real GPU; results.py compares those of Softwarp's library with them.
 * Operands are multiples of 1/64 between -1 and 1, the same everywhere. */
#include "cublas_results.h"

static cublasHandle_t handle;

/* ---- what all types have: L is the letter, T the type */
#define LEVEL3(L, T)                                                                                                             \
    static void level3_##L()                                                                                                     \
    {                                                                                                                            \
        typedef T type;                                                                                                          \
        T alpha = scalar<T>(0.5, 0.25), beta = scalar<T>(-1, 0.5), zero = scalar<T>(0, 0);                                       \
        const int m = 37, n = 29, k = 45;                                                                                        \
        for (auto ta : OPS)                                                                                                      \
            for (auto tb : OPS) {                                                                                                \
                Array<type> a(50 * 50, 1), b(50 * 50, 2), c(40 * n, 3);                                                          \
                SHOW(#L "gemm", text("%d %d", ta, tb), cublas##L##gemm(handle, ta, tb, m, n, k, &alpha, a, 50, b, 50, &beta, c, 40), c); \
            }                                                                                                                    \
        for (int dims = 1; dims <= 257; dims *= 4) {                                                                             \
            Array<type> a(dims * dims, 4), b(dims * dims, 5), c(dims * dims, 6);                                                 \
            SHOW(#L "gemm", text("order %d", dims),                                                                              \
                 cublas##L##gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, dims, dims, dims, &alpha, a, dims, b, dims, &zero, c, dims), c); \
        }                                                                                                                        \
        {                                                                                                                        \
            Array<type> a(20 * 20 * 6, 7), b(20 * 20 * 6, 8), c(20 * 20 * 6, 9);                                                 \
            SHOW(#L "gemmStridedBatched", "6",                                                                                   \
                 cublas##L##gemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, 19, 18, 17, &alpha, a, 20, 400, b, 20, 400,     \
                                               &beta, c, 20, 400, 6), c);                                                        \
            type *pointers[9];                                                                                                   \
            type **device;                                                                                                       \
            for (int i = 0; i < 3; i++)                                                                                          \
                pointers[i] = a + 800 * i, pointers[3 + i] = b + 400 * i, pointers[6 + i] = c + 400 * (2 - i);                   \
            cudaMalloc(&device, sizeof pointers);                                                                                \
            cudaMemcpy(device, pointers, sizeof pointers, cudaMemcpyHostToDevice);                                               \
            SHOW(#L "gemmBatched", "3",                                                                                          \
                 cublas##L##gemmBatched(handle, CUBLAS_OP_T, CUBLAS_OP_N, 11, 12, 13, &alpha, device, 20, device + 3, 20, &beta, \
                                        device + 6, 20, 3), c);                                                                  \
            a.dominant(20, 20);                                                                                                  \
            SHOW(#L "trsmBatched", "1",                                                                                          \
                 cublas##L##trsmBatched(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 9,  \
                                        10, &alpha, device, 20, device + 6, 20, 1), c);                                          \
            cudaFree(device);                                                                                                    \
        }                                                                                                                        \
        for (auto uplo : FILLS) {                                                                                                \
            for (int side = 0; side < 2; side++) {                                                                               \
                Array<type> a(50 * 50, 10), b(40 * n, 11), c(40 * n, 12);                                                        \
                SHOW(#L "symm", text("%d %d", side, uplo),                                                                       \
                     cublas##L##symm(handle, (cublasSideMode_t)side, uplo, m, n, &alpha, a, 50, b, 40, &beta, c, 40), c);        \
                a.dominant(50, 50);                                                                                              \
                for (auto ta : OPS) {                                                                                            \
                    Array<type> d(40 * n, 13);                                                                                   \
                    SHOW(#L "trmm", text("%d %d %d", side, uplo, ta),                                                            \
                         cublas##L##trmm(handle, (cublasSideMode_t)side, uplo, ta, CUBLAS_DIAG_NON_UNIT, m, n, &alpha, a, 50, b, \
                                         40, d, 40), d);                                                                         \
                    Array<type> e(40 * n, 14);                                                                                   \
                    SHOW(#L "trsm", text("%d %d %d", side, uplo, ta),                                                            \
                         cublas##L##trsm(handle, (cublasSideMode_t)side, uplo, ta, CUBLAS_DIAG_NON_UNIT, m, n, &alpha, a, 50, e, \
                                         40), e);                                                                                \
                }                                                                                                                \
            }                                                                                                                    \
            for (int t = 0; t < 2; t++) {                                                                                        \
                Array<type> a(50 * 50, 15), b(50 * 50, 16), c(40 * 40, 17), d(40 * 40, 18), e(40 * 40, 19);                      \
                SHOW(#L "syrk", text("%d %d", uplo, t), cublas##L##syrk(handle, uplo, OPS[t], 33, 41, &alpha, a, 50, &beta, c, 40), c); \
                SHOW(#L "syr2k", text("%d %d", uplo, t),                                                                         \
                     cublas##L##syr2k(handle, uplo, OPS[t], 33, 41, &alpha, a, 50, b, 50, &beta, d, 40), d);                     \
                SHOW(#L "syrkx", text("%d %d", uplo, t),                                                                         \
                     cublas##L##syrkx(handle, uplo, OPS[t], 33, 41, &alpha, a, 50, b, 50, &beta, e, 40), e);                     \
            }                                                                                                                    \
        }                                                                                                                        \
        for (auto ta : OPS) {                                                                                                    \
            Array<type> a(50 * 50, 20), b(50 * 50, 21), c(40 * n, 22);                                                           \
            SHOW(#L "geam", text("%d", ta), cublas##L##geam(handle, ta, CUBLAS_OP_N, m, n, &alpha, a, 50, &beta, b, 50, c, 40), c); \
        }                                                                                                                        \
        for (int side = 0; side < 2; side++) {                                                                                   \
            Array<type> a(50 * 50, 23), b(100, 24), c(40 * n, 25);                                                               \
            SHOW(#L "dgmm", text("%d", side), cublas##L##dgmm(handle, (cublasSideMode_t)side, m, n, a, 50, b, 2, c, 40), c);      \
        }                                                                                                                        \
    }
#define HERMITIAN3(L, T, R)                                                                                                      \
    static void hermitian3_##L()                                                                                                 \
    {                                                                                                                            \
        T alpha = scalar<T>(0.5, 0.25), beta = scalar<T>(-1, 0.5);                                                               \
        R real_alpha = (R)0.75, real_beta = (R)-0.5;                                                                             \
        for (auto uplo : FILLS) {                                                                                                \
            for (int side = 0; side < 2; side++) {                                                                               \
                Array<T> a(50 * 50, 30), b(40 * 29, 31), c(40 * 29, 32);                                                         \
                SHOW(#L "hemm", text("%d %d", side, uplo),                                                                       \
                     cublas##L##hemm(handle, (cublasSideMode_t)side, uplo, 37, 29, &alpha, a, 50, b, 40, &beta, c, 40), c);      \
            }                                                                                                                    \
            for (int t = 0; t < 3; t += 2) {                                                                                     \
                Array<T> a(50 * 50, 33), b(50 * 50, 34), c(40 * 40, 35), d(40 * 40, 36), e(40 * 40, 37);                         \
                SHOW(#L "herk", text("%d %d", uplo, t),                                                                          \
                     cublas##L##herk(handle, uplo, OPS[t], 33, 41, &real_alpha, a, 50, &real_beta, c, 40), c);                   \
                SHOW(#L "her2k", text("%d %d", uplo, t),                                                                         \
                     cublas##L##her2k(handle, uplo, OPS[t], 33, 41, &alpha, a, 50, b, 50, &real_beta, d, 40), d);                \
                SHOW(#L "herkx", text("%d %d", uplo, t),                                                                         \
                     cublas##L##herkx(handle, uplo, OPS[t], 33, 41, &alpha, a, 50, a, 50, &real_beta, e, 40), e);                \
            }                                                                                                                    \
        }                                                                                                                        \
    }
#define LEVEL2(L, T)                                                                                                             \
    static void level2_##L()                                                                                                     \
    {                                                                                                                            \
        T alpha = scalar<T>(0.5, 0.25), beta = scalar<T>(-1, 0.5);                                                               \
        for (auto t : OPS) {                                                                                                     \
            Array<T> a(50 * 50, 40), x(200, 41), y(200, 42), z(200, 43);                                                         \
            SHOW(#L "gemv", text("%d", t), cublas##L##gemv(handle, t, 37, 29, &alpha, a, 50, x, 2, &beta, y, 1), y);              \
            SHOW(#L "gemv", text("%d back", t), cublas##L##gemv(handle, t, 41, 17, &alpha, a, 50, x, -2, &beta, y, 3), y);        \
            SHOW(#L "gbmv", text("%d", t), cublas##L##gbmv(handle, t, 37, 29, 3, 5, &alpha, a, 12, x, 1, &beta, z, 2), z);        \
            Array<T> batch(200, 44);                                                                                             \
            SHOW(#L "gemvStridedBatched", text("%d", t),                                                                         \
                 cublas##L##gemvStridedBatched(handle, t, 10, 10, &alpha, a, 20, 400, x, 1, 20, &beta, batch, 1, 20, 5), batch);  \
        }                                                                                                                        \
        for (auto uplo : FILLS)                                                                                                  \
            for (auto t : OPS)                                                                                                   \
                for (int diag = 0; diag < 2; diag++) {                                                                           \
                    Array<T> a(50 * 50, 45), x(100, 46), y(100, 47), x2(100, 48), y2(100, 49), x3(100, 50);                      \
                    a.dominant(50, 50, 8);                                                                                       \
                    cublasDiagType_t d = (cublasDiagType_t)diag;                                                                 \
                    std::string shape = text("%d %d %d", uplo, t, diag);                                                         \
                    SHOW(#L "trmv", shape, cublas##L##trmv(handle, uplo, t, d, 33, a, 50, x, 1), x);                              \
                    if (!diag) SHOW(#L "trsv", shape, cublas##L##trsv(handle, uplo, t, d, 33, a, 50, y, 2), y);                   \
                    SHOW(#L "tbmv", shape, cublas##L##tbmv(handle, uplo, t, d, 33, 4, a, 50, x2, 1), x2);                         \
                    SHOW(#L "tpmv", shape, cublas##L##tpmv(handle, uplo, t, d, 33, a, y2, 2), y2);                                \
                    Array<T> band(50 * 50, 51), tri(1300, 52);                                                                   \
                    for (int i = 0; i < 50; i++)                                                                                 \
                        cudaMemcpy(band.at + i * 50 + (uplo == CUBLAS_FILL_MODE_LOWER ? 0 : 2), a.at, sizeof(T), cudaMemcpyDeviceToDevice); \
                    SHOW(#L "tbsv", shape, cublas##L##tbsv(handle, uplo, t, d, 12, 2, band, 50, x3, 1), x3);                      \
                    if (diag) SHOW(#L "tpsv", shape, cublas##L##tpsv(handle, uplo, t, d, 5, tri, y, 1), y);                       \
                }                                                                                                                \
    }
#define REAL2(L, T)                                                                                                              \
    static void own2_##L()                                                                                                       \
    {                                                                                                                            \
        T alpha = (T)0.75, beta = (T)-0.5;                                                                                       \
        for (auto uplo : FILLS) {                                                                                                \
            Array<T> a(50 * 50, 60), b(50 * 50, 61), p(1300, 62), x(100, 63), y(100, 64), z(100, 65), w(100, 66);                \
            std::string shape = text("%d", uplo);                                                                                \
            SHOW(#L "symv", shape, cublas##L##symv(handle, uplo, 33, &alpha, a, 50, x, 2, &beta, y, 1), y);                       \
            SHOW(#L "sbmv", shape, cublas##L##sbmv(handle, uplo, 33, 4, &alpha, a, 50, x, 1, &beta, z, 2), z);                    \
            SHOW(#L "spmv", shape, cublas##L##spmv(handle, uplo, 33, &alpha, p, x, 1, &beta, w, 1), w);                           \
            SHOW(#L "syr", shape, cublas##L##syr(handle, uplo, 33, &alpha, x, 1, a, 50), a);                                      \
            SHOW(#L "spr", shape, cublas##L##spr(handle, uplo, 33, &alpha, x, 1, p), p);                                          \
            SHOW(#L "syr2", shape, cublas##L##syr2(handle, uplo, 33, &alpha, x, 1, y, 2, b, 50), b);                              \
            SHOW(#L "spr2", shape, cublas##L##spr2(handle, uplo, 33, &alpha, x, 1, y, 1, p), p);                                  \
        }                                                                                                                        \
        Array<T> a(50 * 50, 67), x(100, 68), y(100, 69);                                                                         \
        SHOW(#L "ger", "", cublas##L##ger(handle, 37, 29, &alpha, x, 1, y, -2, a, 50), a);                                        \
    }
#define COMPLEX2(L, T, R)                                                                                                        \
    static void own2_##L()                                                                                                       \
    {                                                                                                                            \
        T alpha = scalar<T>(0.5, 0.25), beta = scalar<T>(-1, 0.5);                                                               \
        R real = (R)0.75;                                                                                                        \
        for (auto uplo : FILLS) {                                                                                                \
            Array<T> a(50 * 50, 70), b(50 * 50, 71), p(1300, 72), x(100, 73), y(100, 74), z(100, 75), w(100, 76);                \
            std::string shape = text("%d", uplo);                                                                                \
            SHOW(#L "hemv", shape, cublas##L##hemv(handle, uplo, 33, &alpha, a, 50, x, 2, &beta, y, 1), y);                       \
            SHOW(#L "hbmv", shape, cublas##L##hbmv(handle, uplo, 33, 4, &alpha, a, 50, x, 1, &beta, z, 2), z);                    \
            SHOW(#L "hpmv", shape, cublas##L##hpmv(handle, uplo, 33, &alpha, p, x, 1, &beta, w, 1), w);                           \
            SHOW(#L "her", shape, cublas##L##her(handle, uplo, 33, &real, x, 1, a, 50), a);                                       \
            SHOW(#L "hpr", shape, cublas##L##hpr(handle, uplo, 33, &real, x, 1, p), p);                                           \
            SHOW(#L "her2", shape, cublas##L##her2(handle, uplo, 33, &alpha, x, 1, y, 2, b, 50), b);                              \
            SHOW(#L "hpr2", shape, cublas##L##hpr2(handle, uplo, 33, &alpha, x, 1, y, 1, p), p);                                  \
        }                                                                                                                        \
        Array<T> a(50 * 50, 77), b(50 * 50, 77), x(100, 78), y(100, 79);                                                         \
        SHOW(#L "geru", "", cublas##L##geru(handle, 37, 29, &alpha, x, 1, y, -2, a, 50), a);                                      \
        SHOW(#L "gerc", "", cublas##L##gerc(handle, 37, 29, &alpha, x, 1, y, 1, b, 50), b);                                       \
    }
#define LEVEL1(L, T, R, nrm2, asum, amax, amin)                                                                                  \
    static void level1_##L()                                                                                                     \
    {                                                                                                                            \
        T alpha = scalar<T>(0.5, 0.25);                                                                                          \
        for (int n = 1; n <= 1000; n = n * 10) {                                                                                 \
            Array<T> x(3000, 80), y(3000, 81);                                                                                   \
            std::string shape = text("%d", n);                                                                                   \
            SHOW(#L "axpy", shape, cublas##L##axpy(handle, n, &alpha, x, 2, y, 3), y);                                            \
            SHOW(#L "copy", shape, cublas##L##copy(handle, n, x, -1, y, 2), y);                                                   \
            SHOW(#L "swap", shape, cublas##L##swap(handle, n, x, 1, y, -2), y);                                                   \
            SHOW(#L "scal", shape, cublas##L##scal(handle, n, &alpha, x, 2), x);                                                  \
            R real = -1;                                                                                                         \
            int index = -1, status = cublas##nrm2(handle, n, x, 2, &real);                                                       \
            show_value(#nrm2, shape, status, real);                                                                              \
            status = cublas##asum(handle, n, x, 3, &real);                                                                       \
            show_value(#asum, shape, status, real);                                                                              \
            status = cublas##amax(handle, n, x, 1, &index);                                                                      \
            show_value(#amax, shape, status, (double)index);                                                                     \
            status = cublas##amin(handle, n, y, 2, &index);                                                                      \
            show_value(#amin, shape, status, (double)index);                                                                     \
        }                                                                                                                        \
    }
#define REAL1(L, T)                                                                                                              \
    static void own1_##L()                                                                                                       \
    {                                                                                                                            \
        Array<T> x(3000, 82), y(3000, 83);                                                                                       \
        T c = (T)0.6, s = (T)0.8, value = 0;                                                                                     \
        for (int n = 1; n <= 1000; n *= 10) {                                                                                    \
            int status = cublas##L##dot(handle, n, x, 2, y, -3, &value);                                                         \
            show_value(#L "dot", text("%d", n), status, value);                                                                  \
            SHOW(#L "rot", text("%d", n), cublas##L##rot(handle, n, x, 1, y, 2, &c, &s), y);                                      \
            for (int flag = -2; flag < 2; flag++) {                                                                              \
                T param[5] = {(T)flag, (T)0.5, (T)-0.25, (T)0.75, (T)1.25};                                                      \
                SHOW(#L "rotm", text("%d %d", n, flag), cublas##L##rotm(handle, n, x, 1, y, 1, param), x);                        \
            }                                                                                                                    \
        }                                                                                                                        \
        const T pairs[][2] = {{3, 4}, {-4, 3}, {0, 2}, {0, 0}, {5, 0}, {1e-3f, -7}};                                             \
        for (auto &pair : pairs) {                                                                                               \
            T a = pair[0], b = pair[1];                                                                                          \
            int status = cublas##L##rotg(handle, &a, &b, &c, &s);                                                                \
            std::printf("%s [%g %g] %d", #L "rotg", (double)pair[0], (double)pair[1], status);                                   \
            print(std::vector<T>{a, b, c, s});                                                                                   \
            T d1 = pair[0] * pair[0] + 1, d2 = pair[1] + 2, x1 = 2, y1 = pair[1], param[5] = {9, 9, 9, 9, 9};                     \
            status = cublas##L##rotmg(handle, &d1, &d2, &x1, &y1, param);                                                        \
            std::printf("%s [%g %g] %d", #L "rotmg", (double)pair[0], (double)pair[1], status);                                  \
            print(std::vector<T>{d1, d2, x1, param[0], param[1], param[2], param[3], param[4]});                                  \
        }                                                                                                                        \
    }
#define COMPLEX1(L, T, R, scal_real, rot_real)                                                                                   \
    static void own1_##L()                                                                                                       \
    {                                                                                                                            \
        Array<T> x(3000, 84), y(3000, 85);                                                                                       \
        T value, s = scalar<T>(0.48, 0.64);                                                                                      \
        R c = (R)0.6, sine = (R)0.8;                                                                                             \
        for (int n = 1; n <= 1000; n *= 10) {                                                                                    \
            int status = cublas##L##dotu(handle, n, x, 2, y, -3, &value);                                                        \
            show_value(#L "dotu", text("%d", n), status, value);                                                                 \
            status = cublas##L##dotc(handle, n, x, 1, y, 1, &value);                                                             \
            show_value(#L "dotc", text("%d", n), status, value);                                                                 \
            SHOW(#L "rot", text("%d", n), cublas##L##rot(handle, n, x, 1, y, 2, &c, &s), y);                                      \
            SHOW(#rot_real, text("%d", n), cublas##rot_real(handle, n, x, 1, y, 2, &c, &sine), x);                                \
            SHOW(#scal_real, text("%d", n), cublas##scal_real(handle, n, &c, x, 2), x);                                           \
        }                                                                                                                        \
        T a = scalar<T>(3, -4), b = scalar<T>(1, 2);                                                                             \
        int status = cublas##L##rotg(handle, &a, &b, &c, &s);                                                                    \
        show_value(#L "rotg", "", status, a);                                                                                    \
        show_value(#L "rotg", "s", status, s);                                                                                   \
        show_value(#L "rotg", "c", status, c);                                                                                   \
    }
LEVEL3(S, float)
LEVEL3(D, double)
LEVEL3(C, cuComplex)
LEVEL3(Z, cuDoubleComplex)
HERMITIAN3(C, cuComplex, float)
HERMITIAN3(Z, cuDoubleComplex, double)
LEVEL2(S, float)
LEVEL2(D, double)
LEVEL2(C, cuComplex)
LEVEL2(Z, cuDoubleComplex)
REAL2(S, float)
REAL2(D, double)
COMPLEX2(C, cuComplex, float)
COMPLEX2(Z, cuDoubleComplex, double)
LEVEL1(S, float, float, Snrm2, Sasum, Isamax, Isamin)
LEVEL1(D, double, double, Dnrm2, Dasum, Idamax, Idamin)
LEVEL1(C, cuComplex, float, Scnrm2, Scasum, Icamax, Icamin)
LEVEL1(Z, cuDoubleComplex, double, Dznrm2, Dzasum, Izamax, Izamin)
REAL1(S, float)
REAL1(D, double)
COMPLEX1(C, cuComplex, float, Csscal, Csrot)
COMPLEX1(Z, cuDoubleComplex, double, Zdscal, Zdrot)

/* ---- GemmEx: every pair of types */

template <typename A, typename C, typename S>
static void mixed(const char *name, cudaDataType a_type, cudaDataType c_type, cublasComputeType_t compute, S alpha, S beta)
{
    for (int form = 0; form < 4; form++)
        for (int size = 0; size < 3; size++) {
            const int m = size == 0 ? 32 : size == 1 ? 64 : 128, n = m / 2, k = size == 2 ? 2048 : 3 * m;
            cublasOperation_t ta = OPS[form & 1], tb = OPS[form >> 1];
            int lda = ta ? k : m, ldb = tb ? n : k;
            Array<A> a((size_t)m * k, 90), b((size_t)n * k, 91);
            Array<C> c((size_t)m * n, 92);
            SHOW("GemmEx", text("%d %d %d", a_type, c_type, compute) + " " + text("%d %d %d", m, ta, tb),
                 cublasGemmEx(handle, ta, tb, m, n, k, &alpha, a, a_type, lda, b, a_type, ldb, &beta, c, c_type, m, compute,
                              CUBLAS_GEMM_DEFAULT), c);
        }
    Array<A> a(64 * 64 * 4, 93), b(64 * 64 * 4, 94);
    Array<C> c(64 * 64 * 4, 95);
    SHOW("GemmStridedBatchedEx", text("%d %d %d", a_type, c_type, compute),
         cublasGemmStridedBatchedEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, 64, 64, 64, &alpha, a, a_type, 64, 4096, b, a_type, 64, 4096,
                                    &beta, c, c_type, 64, 4096, 4, compute, CUBLAS_GEMM_DEFAULT), c);
    (void)name;
}

/* ---- factorizations in batches: three matrices each; pivots and info are numbers of the device */

template <> struct Traits<int> {
    static void set(int &x, unsigned &s) { x = (int)(8 * number(s)); }
    static double part(const int &x, int) { return x; }
    static const int parts = 1;
    typedef float Real;
};
template <typename T> struct Pointers {
    T **device;
    Pointers(const Array<T> &array, int items, size_t stride)
    {
        std::vector<T *> list;
        for (int i = 0; i < items; i++)
            list.push_back(array.at + i * stride);
        cudaMalloc(&device, items * sizeof(T *));
        cudaMemcpy(device, list.data(), items * sizeof(T *), cudaMemcpyHostToDevice);
    }
    ~Pointers() { cudaFree(device); }
    T **get() const { return device; }
    const T **read() const { return (const T **)device; }
};
#define FACTORS(L, T)                                                                                                            \
    static void factors_##L()                                                                                                    \
    {                                                                                                                            \
        for (int n = 5; n <= 20; n += 15) {                                                                                      \
            const int items = 3, ld = 24, size = ld * ld;                                                                        \
            std::string shape = text("%d", n);                                                                                   \
            Array<T> a(items * size, 100 + n), plain(items * size, 101), inverse(items * size, 102), right(items * size, 103);   \
            Array<int> pivots(items * n, 104), info(items, 105);                                                                 \
            Pointers<T> pa(a, items, size), pp(plain, items, size), pi(inverse, items, size), pr(right, items, size);            \
            int wrong = -9;                                                                                                      \
            SHOW(#L "matinvBatched", shape, cublas##L##matinvBatched(handle, n, pa.read(), ld, pi.get(), ld, info, items), inverse); \
            SHOW(#L "getrfBatched", shape, cublas##L##getrfBatched(handle, n, pa.get(), ld, pivots, info, items), a);             \
            show(#L "getrfBatched", shape + " pivots", 0, pivots);                                                               \
            show(#L "getrfBatched", shape + " info", 0, info);                                                                   \
            for (auto t : OPS)                                                                                                   \
                SHOW(#L "getrsBatched", text("%d %d", n, t),                                                                     \
                     cublas##L##getrsBatched(handle, t, n, 3, pa.read(), ld, pivots, pr.get(), ld, &wrong, items), right);       \
            SHOW(#L "getriBatched", shape, cublas##L##getriBatched(handle, n, pa.read(), ld, pivots, pi.get(), ld, info, items), inverse); \
            for (int i = 0; i < items; i++) {                                                                                    \
                Array<T> one(size, 110 + i);                                                                                     \
                one.dominant(n, ld, 16);                                                                                         \
                cudaMemcpy(plain.at + i * size, one.at, size * sizeof(T), cudaMemcpyDeviceToDevice);                             \
            }                                                                                                                    \
            SHOW(#L "getrfBatched", shape + " plain", cublas##L##getrfBatched(handle, n, pp.get(), ld, NULL, info, items), plain); \
            Array<T> q(items * size, 120), tau(items * n, 121), c(items * size, 122), d(items * size, 123);                      \
            Pointers<T> pq(q, items, size), pt(tau, items, n), pc(c, items, size), pd(d, items, size);                           \
            SHOW(#L "geqrfBatched", shape, cublas##L##geqrfBatched(handle, n + 2, n, pq.get(), ld, pt.get(), &wrong, items), q);  \
            show(#L "geqrfBatched", shape + " tau", wrong, tau);                                                                 \
            Array<T> left(items * size, 124);                                                                                    \
            Pointers<T> pl(left, items, size);                                                                                   \
            int status = cublas##L##gelsBatched(handle, CUBLAS_OP_N, n + 2, n, 2, pl.get(), ld, pd.get(), ld, &wrong, info, items); \
            std::vector<T> x(n); /* the solution alone: what stands below is another matter */                                   \
            cudaDeviceSynchronize();                                                                                             \
            cudaMemcpy(x.data(), d.at, n * sizeof(T), cudaMemcpyDeviceToHost);                                                   \
            std::printf("%s [%s] %d", #L "gelsBatched", shape.c_str(), status);                                                  \
            print(x);                                                                                                            \
        }                                                                                                                        \
    }
FACTORS(S, float)
FACTORS(D, double)
FACTORS(C, cuComplex)
FACTORS(Z, cuDoubleComplex)

#define SYMMETRIC2(L, T)                                                                                                         \
    static void symmetric2_##L()                                                                                                 \
    {                                                                                                                            \
        T alpha = scalar<T>(0.5, 0.25), beta = scalar<T>(-1, 0.5);                                                               \
        for (auto uplo : FILLS) {                                                                                                \
            Array<T> a(50 * 50, 130), b(50 * 50, 131), x(100, 132), y(100, 133);                                                 \
            SHOW(#L "symv", text("%d", uplo), cublas##L##symv(handle, uplo, 33, &alpha, a, 50, x, 2, &beta, y, 1), y);            \
            SHOW(#L "syr", text("%d", uplo), cublas##L##syr(handle, uplo, 33, &alpha, x, 1, a, 50), a);                           \
            SHOW(#L "syr2", text("%d", uplo), cublas##L##syr2(handle, uplo, 33, &alpha, x, 1, y, -2, b, 50), b);                  \
        }                                                                                                                        \
    }
SYMMETRIC2(C, cuComplex)
SYMMETRIC2(Z, cuDoubleComplex)

/* ---- vectors with types */

template <typename V, typename S> static void typed(cudaDataType type, cudaDataType execution, S alpha, bool of_complex)
{
    const int n = 500;
    Array<V> x(2000, 140), y(2000, 141);
    V value;
    std::string shape = text("%d", type);
    SHOW("AxpyEx", shape, cublasAxpyEx(handle, n, &alpha, execution, x, type, 2, y, type, -3, execution), y);
    SHOW("ScalEx", shape, cublasScalEx(handle, n, &alpha, execution, x, type, 3, execution), x);
    int status = cublasDotEx(handle, n, x, type, 1, y, type, 2, &value, type, execution);
    show_value("DotEx", shape, status, value);
    status = cublasDotcEx(handle, n, x, type, 2, y, type, -1, &value, type, execution);
    show_value("DotcEx", shape, status, value);
    SHOW("CopyEx", shape, cublasCopyEx(handle, n, x, type, 1, y, type, 2), y);
    SHOW("SwapEx", shape, cublasSwapEx(handle, n, x, type, -2, y, type, 1), y);
    int index = -1;
    status = cublasIamaxEx(handle, n, x, type, 1, &index);
    show_value("IamaxEx", shape, status, (double)index);
    if (of_complex) return;
    status = cublasNrm2Ex(handle, n, x, type, 1, &value, type, execution);
    show_value("Nrm2Ex", shape, status, value);
    status = cublasAsumEx(handle, n, x, type, 1, &value, type, execution);
    show_value("AsumEx", shape, status, value);
}

int main()
{
    int status = cublasCreate(&handle);
    std::printf("Create [] %d 0\n", status);
    if (status) return 1;
    level3_S(), level3_D(), level3_C(), level3_Z();
    hermitian3_C(), hermitian3_Z();
    level2_S(), level2_D(), level2_C(), level2_Z();
    own2_S(), own2_D(), own2_C(), own2_Z();
    level1_S(), level1_D(), level1_C(), level1_Z();
    own1_S(), own1_D(), own1_C(), own1_Z();
    mixed<float, float, float>("", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 0.5f, -1.f);
    mixed<float, float, float>("", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, 0.5f, -1.f);
    mixed<double, double, double>("", CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, 0.5, -1.);
    mixed<__half, __half, float>("", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, 0.5f, -1.f);
    mixed<__half, float, float>("", CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 0.5f, -1.f);
    mixed<__half, __half, __half>("", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, __float2half(0.5f), __float2half(-1.f));
    mixed<__nv_bfloat16, __nv_bfloat16, float>("", CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, 0.5f, -1.f);
    mixed<__nv_bfloat16, float, float>("", CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, 0.5f, -1.f);
    mixed<signed char, int, int>("", CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, 3, -2);
    mixed<signed char, float, float>("", CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F, 0.5f, -1.f);
    factors_S(), factors_D(), factors_C(), factors_Z();
    symmetric2_C(), symmetric2_Z();
    typed<float>(CUDA_R_32F, CUDA_R_32F, 0.75f, false);
    typed<double>(CUDA_R_64F, CUDA_R_64F, 0.75, false);
    typed<__half>(CUDA_R_16F, CUDA_R_32F, 0.75f, false);
    typed<__nv_bfloat16>(CUDA_R_16BF, CUDA_R_32F, 0.75f, false);
    typed<cuComplex>(CUDA_C_32F, CUDA_C_32F, scalar<cuComplex>(0.5, 0.25), true);
    typed<cuDoubleComplex>(CUDA_C_64F, CUDA_C_64F, scalar<cuDoubleComplex>(0.5, 0.25), true);
    return cublasDestroy(handle);
}
