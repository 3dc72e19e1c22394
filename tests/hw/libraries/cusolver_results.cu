/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of cuSOLVER's dense part with small operands, and what they compute: one line a call, with its status, the
 * norm of the result, its info and some elements. cusolver-results.txt has the lines of a real GPU; results.py compares those of
 * Softwarp's library with them. Results that are unique are printed as they are; of eigenvectors and singular vectors the products that
 * are (V W V^H, U S V^H, V^H V). Operands are made of multiples of 1/128, the same everywhere.
 * usage: cusolver_results [SECTION]       all sections, or one by its number */
#define DISABLE_CUSOLVER_DEPRECATED
#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

typedef std::complex<double> Number;
static cusolverDnHandle_t handle;
static cusolverDnParams_t params;

/* ---- types */

template <typename T> struct Traits;
#define REAL_TRAITS(T, kind)                                                                                                     \
    template <> struct Traits<T> {                                                                                               \
        typedef T Real;                                                                                                          \
        static const bool is_complex = false;                                                                                    \
        static const cudaDataType data = kind;                                                                                   \
        static T make(Number x) { return (T)x.real(); }                                                                          \
        static Number get(T x) { return Number((double)x, 0); }                                                                  \
    };
#define COMPLEX_TRAITS(T, R, kind)                                                                                               \
    template <> struct Traits<T> {                                                                                               \
        typedef R Real;                                                                                                          \
        static const bool is_complex = true;                                                                                     \
        static const cudaDataType data = kind;                                                                                   \
        static T make(Number x)                                                                                                  \
        {                                                                                                                        \
            T out;                                                                                                               \
            out.x = (R)x.real(), out.y = (R)x.imag();                                                                            \
            return out;                                                                                                          \
        }                                                                                                                        \
        static Number get(T x) { return Number(x.x, x.y); }                                                                      \
    };
REAL_TRAITS(float, CUDA_R_32F)
REAL_TRAITS(double, CUDA_R_64F)
REAL_TRAITS(int, CUDA_R_32I)
REAL_TRAITS(int64_t, CUDA_R_64I)
COMPLEX_TRAITS(cuComplex, float, CUDA_C_32F)
COMPLEX_TRAITS(cuDoubleComplex, double, CUDA_C_64F)

/* ---- matrices of the host, in columns */

struct Matrix {
    int m, n;
    std::vector<Number> at;
    Matrix(int rows = 0, int columns = 0) : m(rows), n(columns), at((size_t)rows * columns) {}
    Number &operator()(int i, int j) { return at[(size_t)j * m + i]; }
    Number operator()(int i, int j) const { return at[(size_t)j * m + i]; }
};
static Matrix adjoint(const Matrix &a)
{
    Matrix out(a.n, a.m);
    for (int j = 0; j < a.n; j++)
        for (int i = 0; i < a.m; i++)
            out(j, i) = std::conj(a(i, j));
    return out;
}
static Matrix operator*(const Matrix &a, const Matrix &b)
{
    Matrix out(a.m, b.n);
    for (int j = 0; j < b.n; j++)
        for (int k = 0; k < a.n; k++)
            for (int i = 0; i < a.m; i++)
                out(i, j) += a(i, k) * b(k, j);
    return out;
}
static double number(unsigned &state)
{
    state = state * 1664525u + 1013904223u;
    return ((int)(state >> 24) - 128) / 128.0;
}
template <typename T> static Matrix general(int m, int n, unsigned seed)
{
    Matrix out(m, n);
    for (auto &x : out.at) {
        double re = number(seed), im = number(seed);
        x = Number(re, Traits<T>::is_complex ? im : 0);
    }
    return out;
}
/* Hermitian with eigenvalues apart from each other; above 0 where `shift` is large. */
template <typename T> static Matrix hermitian(int n, unsigned seed, double shift = 0)
{
    Matrix g = general<T>(n, n, seed), out(n, n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            out(i, j) = 0.5 * (g(i, j) + std::conj(g(j, i))) + (i == j ? shift + 0.25 * i : 0);
    return out;
}
static Matrix diagonal(const Matrix &w)
{
    Matrix out((int)w.at.size(), (int)w.at.size());
    for (size_t i = 0; i < w.at.size(); i++)
        out((int)i, (int)i) = w.at[i];
    return out;
}
static Matrix part(const Matrix &a, int rows, int columns)
{
    Matrix out(rows, columns);
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            out(i, j) = a(i, j);
    return out;
}
static Matrix triangle(const Matrix &a, bool lower, bool unit = false)
{
    Matrix out(a.m, a.n);
    for (int j = 0; j < a.n; j++)
        for (int i = 0; i < a.m; i++)
            out(i, j) = unit && i == j ? 1 : (lower ? i >= j : i <= j) ? a(i, j) : 0;
    return out;
}

/* ---- memory of the device */

template <typename T> struct Array {
    T *at;
    size_t count;
    explicit Array(size_t n) : count(n)
    {
        cudaMalloc(&at, (n ? n : 1) * sizeof(T));
        cudaMemset(at, 0, (n ? n : 1) * sizeof(T));
    }
    /* With a leading dimension of `ld`; rows between are 77. */
    Array(const Matrix &a, int ld = 0) : Array((size_t)(ld ? ld : a.m) * a.n)
    {
        if (!ld) ld = a.m;
        std::vector<T> host(count, Traits<T>::make(77));
        for (int j = 0; j < a.n; j++)
            for (int i = 0; i < a.m; i++)
                host[(size_t)j * ld + i] = Traits<T>::make(a(i, j));
        cudaMemcpy(at, host.data(), count * sizeof(T), cudaMemcpyHostToDevice);
    }
    Array(const Array &) = delete;
    ~Array() { cudaFree(at); }
    operator T *() const { return at; }
    Matrix get(int m, int n, int ld = 0) const
    {
        if (!ld) ld = m;
        std::vector<T> host(count);
        Matrix out(m, n);
        cudaDeviceSynchronize();
        cudaMemcpy(host.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++)
                out(i, j) = Traits<T>::get(host[(size_t)j * ld + i]);
        return out;
    }
    Matrix all() const { return get((int)count, 1); }
    double first() const { return get(1, 1)(0, 0).real(); }
};

/* ---- output */

static std::string text(const char *format, int a = 0, int b = 0, int c = 0, int d = 0, int e = 0)
{
    char line[100];
    std::snprintf(line, sizeof line, format, a, b, c, d, e);
    return line;
}
static char letter;
/* name: of the function without "cusolverDn"; "~" stands for the type's letter. */
static void show(const char *name, const std::string &shape, int status, double info, const Matrix &x)
{
    double norm = 0;
    bool is_complex = false;
    for (auto &v : x.at)
        norm += std::norm(v), is_complex |= letter == 'C' || letter == 'Z';
    for (const char *c = name; *c; c++)
        std::putchar(*c == '~' ? letter : *c);
    std::printf(" [%s] %d %.9g %.9g", shape.c_str(), status, std::sqrt(norm), info);
    for (int i = 0; i < 6 && !x.at.empty(); i++) {
        Number v = x.at[(size_t)(i * 7919 + 13) % x.at.size()];
        std::printf(" %.9g", v.real());
        if (is_complex) std::printf(" %.9g", v.imag());
    }
    std::printf("\n");
}
static void show_status(const char *name, const std::string &shape, int status)
{
    show(name, shape, status, 0, Matrix());
}
/* 1 where x is about the identity. */
static Matrix unity(const Matrix &x, double limit)
{
    Matrix out(1, 1);
    double worst = 0;
    for (int j = 0; j < x.n; j++)
        for (int i = 0; i < x.m; i++)
            worst = std::max(worst, std::abs(x(i, j) - Number(i == j ? 1 : 0)));
    out(0, 0) = worst < limit ? 1 : 0;
    return out;
}
template <typename T> static double close() { return sizeof(typename Traits<T>::Real) == 4 ? 2e-4 : 1e-10; }

/* ---- functions by type */

#define COMMON(X) \
    X(potrf) X(potrs) X(potri) X(potrfBatched) X(potrsBatched) X(lauum) X(getrf) X(getrs) X(laswp) X(geqrf) X(sytrf) \
    X(gebrd) X(gesvd) X(gesvdj) X(gesvdjBatched) X(gesvdaStridedBatched) X(potrf_bufferSize) X(potri_bufferSize) \
    X(lauum_bufferSize) X(getrf_bufferSize) X(geqrf_bufferSize) X(sytrf_bufferSize) X(gebrd_bufferSize) \
    X(gesvd_bufferSize) X(gesvdj_bufferSize) X(gesvdjBatched_bufferSize) X(gesvdaStridedBatched_bufferSize)
#define OF_QR(X) X(gqr) X(gbr) X(gtr) X(gqr_bufferSize) X(gbr_bufferSize) X(gtr_bufferSize) X(mqr) X(mtr) X(mqr_bufferSize) X(mtr_bufferSize)
#define OF_EIGEN(X) \
    X(trd) X(evd) X(evdx) X(evj) X(evjBatched) X(gvd) X(gvdx) X(gvj) X(trd_bufferSize) X(evd_bufferSize) X(evdx_bufferSize) \
    X(evj_bufferSize) X(evjBatched_bufferSize) X(gvd_bufferSize) X(gvdx_bufferSize) X(gvj_bufferSize)
template <typename T> struct Api;
#define PASTE(a, b, c) a##b##c
#define NAME(L, family, name) PASTE(cusolverDn##L, family, name)
#define MEMBER_S(name) static constexpr auto name = NAME(S, , name);
#define MEMBER_D(name) static constexpr auto name = NAME(D, , name);
#define MEMBER_C(name) static constexpr auto name = NAME(C, , name);
#define MEMBER_Z(name) static constexpr auto name = NAME(Z, , name);
#define QR_S(name) static constexpr auto name = cusolverDnSor##name;
#define QR_D(name) static constexpr auto name = cusolverDnDor##name;
#define QR_C(name) static constexpr auto name = cusolverDnCun##name;
#define QR_Z(name) static constexpr auto name = cusolverDnZun##name;
#define EIGEN_S(name) static constexpr auto name = cusolverDnSsy##name;
#define EIGEN_D(name) static constexpr auto name = cusolverDnDsy##name;
#define EIGEN_C(name) static constexpr auto name = cusolverDnChe##name;
#define EIGEN_Z(name) static constexpr auto name = cusolverDnZhe##name;
#define API(L, T)                                                                                                                \
    template <> struct Api<T> {                                                                                                  \
        static const char id = #L[0];                                                                                            \
        COMMON(MEMBER_##L) OF_QR(QR_##L) OF_EIGEN(EIGEN_##L)                                                                     \
    };
API(S, float)
API(D, double)
API(C, cuComplex)
API(Z, cuDoubleComplex)

static const cublasFillMode_t FILLS[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
static const cublasOperation_t OPS[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
static const cusolverEigMode_t VECTORS = CUSOLVER_EIG_MODE_VECTOR, NO_VECTORS = CUSOLVER_EIG_MODE_NOVECTOR;

/* ---- 1: Cholesky */

template <typename T> static void cholesky()
{
    typedef Api<T> A;
    for (int n : {1, 5, 33, 70})
        for (auto fill : FILLS) {
            bool lower = fill == CUBLAS_FILL_MODE_LOWER;
            int lda = n + 3, size = 0;
            Matrix spd = hermitian<T>(n, 7 + n, n), b = general<T>(n, 3, 11);
            Array<T> a(spd, lda), right(b, n + 1);
            Array<int> info(1);
            std::string shape = text("%d %d", n, fill);
            int status = A::potrf_bufferSize(handle, fill, n, a, lda, &size);
            show_status("~potrf_bufferSize", shape, status);
            Array<T> work(size);
            status = A::potrf(handle, fill, n, a, lda, work, size, info);
            show("~potrf", shape, status, info.first(), triangle(a.get(n, n, lda), lower));
            status = A::potrs(handle, fill, n, 3, a, lda, right, n + 1, info);
            show("~potrs", shape, status, info.first(), right.get(n, 3, n + 1));
            Array<T> l(triangle(a.get(n, n, lda), lower), lda);
            A::lauum_bufferSize(handle, fill, n, l, lda, &size);
            Array<T> work2(size);
            status = A::lauum(handle, fill, n, l, lda, work2, size, info);
            show("~lauum", shape, status, info.first(), triangle(l.get(n, n, lda), lower));
            A::potri_bufferSize(handle, fill, n, a, lda, &size);
            Array<T> work3(size);
            status = A::potri(handle, fill, n, a, lda, work3, size, info);
            show("~potri", shape, status, info.first(), triangle(a.get(n, n, lda), lower));
        }
    for (int n : {4, 33}) { /* not positive */
        Matrix bad = hermitian<T>(n, 3, n);
        bad(n / 2, n / 2) = -1;
        Array<T> a(bad);
        Array<int> info(1);
        int size = 0;
        A::potrf_bufferSize(handle, FILLS[0], n, a, n, &size);
        Array<T> work(size);
        int status = A::potrf(handle, FILLS[0], n, a, n, work, size, info);
        show("~potrf", text("not positive %d", n), status, info.first(), Matrix());
    }
    for (auto fill : FILLS) {
        int n = 9, count = 4;
        std::vector<Array<T> *> items, rights;
        std::vector<T *> at, right_at;
        for (int i = 0; i < count; i++) {
            Matrix spd = hermitian<T>(n, 20 + i, n);
            if (i == 2) spd(3, 3) = -5;
            items.push_back(new Array<T>(spd));
            rights.push_back(new Array<T>(general<T>(n, 1, 5 + i)));
            at.push_back(*items[i]), right_at.push_back(*rights[i]);
        }
        Array<T *> pointers(count), right_pointers(count);
        Array<int> info(count), one(1);
        cudaMemcpy(pointers, at.data(), count * sizeof(T *), cudaMemcpyHostToDevice);
        cudaMemcpy(right_pointers, right_at.data(), count * sizeof(T *), cudaMemcpyHostToDevice);
        int status = A::potrfBatched(handle, fill, n, pointers, n, info, count);
        show("~potrfBatched", text("infos %d", fill), status, 0, info.all());
        show("~potrfBatched", text("%d", fill), status, 0, triangle(items[1]->get(n, n), fill == CUBLAS_FILL_MODE_LOWER));
        status = A::potrsBatched(handle, fill, n, 1, pointers, n, right_pointers, n, one, count);
        show("~potrsBatched", text("%d", fill), status, one.first(), rights[1]->get(n, 1));
        status = A::potrsBatched(handle, fill, n, 2, pointers, n, right_pointers, n, one, count);
        show_status("~potrsBatched", text("%d two sides", fill), status);
        for (int i = 0; i < count; i++)
            delete items[i], delete rights[i];
    }
}

/* ---- 2: LU */

template <typename T> static void lu()
{
    typedef Api<T> A;
    const int shapes[][2] = {{1, 1}, {5, 5}, {40, 40}, {70, 70}, {20, 7}, {7, 20}, {150, 150}};
    for (auto &s : shapes)
        for (int pivoted = 1; pivoted >= 0; pivoted--) {
            int m = s[0], n = s[1], lda = m + 2, least = std::min(m, n), size = 0;
            Matrix g = general<T>(m, n, 31 + m);
            for (int i = 0; i < least && !pivoted; i++)
                g(i, i) += n;
            Array<T> a(g, lda);
            Array<int> pivots(least), info(1);
            std::string shape = text("%d %d %d", m, n, pivoted);
            A::getrf_bufferSize(handle, m, n, a, lda, &size);
            Array<T> work(size);
            int status = A::getrf(handle, m, n, a, lda, work, pivoted ? pivots.at : NULL, info);
            show("~getrf", shape, status, info.first(), a.get(m, n, lda));
            if (pivoted) show("~getrf", shape + " pivots", status, 0, pivots.all());
            if (m != n) continue;
            for (auto op : OPS) {
                Array<T> b(general<T>(n, 2, 5), n + 1);
                status = A::getrs(handle, op, n, 2, a, lda, pivoted ? pivots.at : NULL, b, n + 1, info);
                show("~getrs", shape + text(" %d", op), status, info.first(), b.get(n, 2, n + 1));
            }
        }
    int n = 12, size = 0;
    Matrix singular = general<T>(n, n, 3);
    for (int i = 0; i < n; i++)
        singular(i, 4) = 0;
    Array<T> a(singular);
    Array<int> pivots(n), info(1);
    A::getrf_bufferSize(handle, n, n, a, n, &size);
    Array<T> work(size);
    int status = A::getrf(handle, n, n, a, n, work, pivots, info);
    show("~getrf", "singular", status, info.first(), Matrix());
    Array<T> rows(general<T>(8, 5, 9), 9);
    int exchange[] = {3, 2, 8, 4};
    cudaMemcpy(pivots, exchange, sizeof exchange, cudaMemcpyHostToDevice);
    for (int step : {1, -1}) {
        status = A::laswp(handle, 5, rows, 9, 1, 4, pivots, step);
        show("~laswp", text("%d", step), status, 0, rows.get(8, 5, 9));
    }
}

/* ---- 3: QR */

template <typename T> static void qr()
{
    typedef Api<T> A;
    const int shapes[][2] = {{1, 1}, {6, 6}, {40, 12}, {12, 40}, {90, 70}};
    for (auto &s : shapes) {
        int m = s[0], n = s[1], lda = m + 1, least = std::min(m, n), size = 0;
        Array<T> a(general<T>(m, n, 17 + m), lda), tau(least);
        Array<int> info(1);
        std::string shape = text("%d %d", m, n);
        int status = A::geqrf_bufferSize(handle, m, n, a, lda, &size);
        show_status("~geqrf_bufferSize", shape, status);
        Array<T> work(size);
        status = A::geqrf(handle, m, n, a, lda, tau, work, size, info);
        show("~geqrf", shape, status, info.first(), a.get(m, n, lda));
        show("~geqrf", shape + " tau", status, 0, tau.all());
        for (auto side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT})
            for (auto op : OPS) {
                int rows = side == CUBLAS_SIDE_LEFT ? m : 5, columns = side == CUBLAS_SIDE_LEFT ? 5 : m;
                Array<T> c(general<T>(rows, columns, 4), rows + 1);
                status = A::mqr_bufferSize(handle, side, op, rows, columns, least, a, lda, tau, c, rows + 1, &size);
                Array<T> room(size);
                cudaMemset(info, 0, sizeof(int));
                status = A::mqr(handle, side, op, rows, columns, least, a, lda, tau, c, rows + 1, room, size, info);
                show("~ormqr", shape + text(" %d %d", side, op), status, info.first(),
                     status ? Matrix() : c.get(rows, columns, rows + 1));
            }
        if (m < n) continue;
        A::gqr_bufferSize(handle, m, n, least, a, lda, tau, &size);
        Array<T> room(size);
        status = A::gqr(handle, m, n, least, a, lda, tau, room, size, info);
        show("~orgqr", shape, status, info.first(), a.get(m, n, lda));
    }
}

/* ---- 4: mixed precision with iterative refinement */

#define GESV_REAL(DO)                                                                                                            \
    DO(D, D, double) DO(D, S, double) DO(D, H, double) DO(D, B, double) DO(D, X, double)                                         \
    DO(S, S, float) DO(S, H, float) DO(S, B, float) DO(S, X, float)
#define GESV_COMPLEX(DO)                                                                                                         \
    DO(Z, Z, cuDoubleComplex) DO(Z, C, cuDoubleComplex) DO(Z, K, cuDoubleComplex) DO(Z, E, cuDoubleComplex)                      \
    DO(Z, Y, cuDoubleComplex) DO(C, C, cuComplex) DO(C, K, cuComplex) DO(C, E, cuComplex) DO(C, Y, cuComplex)

template <typename T, typename Size, typename Solve> static void gesv_one(const char *name, Size sizes, Solve solve)
{
    for (int n : {6, 60})
        for (int sides : {1, 3}) {
            Matrix g = general<T>(n, n, 91), b = general<T>(n, sides, 2);
            for (int i = 0; i < n; i++)
                g(i, i) += 8;
            Array<T> a(g, n + 2), right(b, n), x((size_t)n * sides);
            Array<int> pivots(n), info(1);
            int iterations = -99;
            size_t bytes = 0;
            int status = sizes(handle, n, sides, a, n + 2, pivots, right, n, x, n, (void *)NULL, &bytes);
            Array<char> work(bytes);
            if (!status) status = solve(handle, n, sides, a, n + 2, pivots, right, n, x, n, work.at, bytes, &iterations, info);
            show(name, text("%d %d", n, sides), status, info.first(), x.get(n, sides));
        }
    int n = 10, iterations = 0;
    Matrix g = general<T>(n, n, 1);
    for (int i = 0; i < n; i++)
        g(i, 4) = 0;
    Array<T> a(g), right(general<T>(n, 1, 2)), x(n);
    Array<int> pivots(n), info(1);
    size_t bytes = 0;
    sizes(handle, n, 1, a, n, pivots, right, n, x, n, (void *)NULL, &bytes);
    Array<char> work(bytes);
    int status = solve(handle, n, 1, a, n, pivots, right, n, x, n, work.at, bytes, &iterations, info);
    show(name, "singular", status, info.first(), Matrix());
}
template <typename T, typename Size, typename Solve> static void gels_one(const char *name, Size sizes, Solve solve)
{
    for (int m : {30, 80}) {
        int n = m / 2, sides = 2, iterations = -99;
        Matrix g = general<T>(m, n, 91);
        for (int i = 0; i < n; i++)
            g(i, i) += 8;
        Array<T> a(g, m), right(general<T>(m, sides, 2), m), x((size_t)n * sides);
        Array<int> info(1);
        size_t bytes = 0;
        int status = sizes(handle, m, n, sides, a, m, right, m, x, n, (void *)NULL, &bytes);
        Array<char> work(bytes);
        if (!status) status = solve(handle, m, n, sides, a, m, right, m, x, n, work.at, bytes, &iterations, info);
        show(name, text("%d %d", m, n), status, info.first(), x.get(n, sides));
    }
}
static void expert(bool of_squares)
{
    const cusolverIRSRefinement_t SOLVERS[] = {CUSOLVER_IRS_REFINE_NONE, CUSOLVER_IRS_REFINE_CLASSICAL, CUSOLVER_IRS_REFINE_GMRES,
                                               CUSOLVER_IRS_REFINE_CLASSICAL_GMRES, CUSOLVER_IRS_REFINE_GMRES_GMRES,
                                               CUSOLVER_IRS_REFINE_NOT_SET};
    const cusolverPrecType_t LOWEST[] = {CUSOLVER_R_64F, CUSOLVER_R_32F, CUSOLVER_R_16F, CUSOLVER_R_16BF, CUSOLVER_R_TF32, CUSOLVER_C_32F};
    const char *name = of_squares ? "IRSXgels" : "IRSXgesv";
    for (int s = 0; s < 6; s++)
        for (int l = 0; l < 6; l++) {
            int m = of_squares ? 50 : 32, n = 32, iterations = 0, most = -1, done = -1, outer = -1;
            cusolverDnIRSParams_t p;
            cusolverDnIRSInfos_t infos;
            int first = cusolverDnIRSParamsCreate(&p) + cusolverDnIRSInfosCreate(&infos);
            int solver = cusolverDnIRSParamsSetRefinementSolver(p, SOLVERS[s]);
            int precision = cusolverDnIRSParamsSetSolverPrecisions(p, CUSOLVER_R_64F, LOWEST[l]);
            int limit = cusolverDnIRSParamsSetMaxIters(p, 20) + cusolverDnIRSParamsGetMaxIters(p, &most);
            cusolverDnIRSParamsSetMaxItersInner(p, 10);
            cusolverDnIRSParamsSetTol(p, 1e-14);
            Matrix g = general<double>(m, n, 91);
            for (int i = 0; i < n; i++)
                g(i, i) += 8;
            Array<double> a(g), right(general<double>(m, 1, 2)), x(n);
            Array<int> info(1);
            size_t bytes = 0;
            int sized = of_squares ? cusolverDnIRSXgels_bufferSize(handle, p, m, n, 1, &bytes)
                                   : cusolverDnIRSXgesv_bufferSize(handle, p, n, 1, &bytes);
            Array<char> work(sized ? 0 : bytes);
            int status = -1;
            if (!sized)
                status = of_squares ? cusolverDnIRSXgels(handle, p, infos, m, n, 1, a, m, right, m, x, n, work, bytes, &iterations, info)
                                    : cusolverDnIRSXgesv(handle, p, infos, n, 1, a, n, right, n, x, n, work, bytes, &iterations, info);
            show(name, text("%d %d", SOLVERS[s], LOWEST[l]), status, info.first(), status ? Matrix() : x.get(n, 1));
            show_status(name, text("%d %d statuses %d %d %d", SOLVERS[s], LOWEST[l], solver, precision, sized), first + limit);
            int a1 = cusolverDnIRSInfosGetNiters(infos, &done), a2 = cusolverDnIRSInfosGetOuterNiters(infos, &outer);
            show_status(name, text("%d %d infos %d %d %d", SOLVERS[s], LOWEST[l], a1, a2, most), 0);
            show_status(name, text("%d %d destroy", SOLVERS[s], LOWEST[l]), cusolverDnIRSInfosDestroy(infos) + 100 * cusolverDnIRSParamsDestroy(p));
        }
}
static void refinement()
{
#define BUFFER(A) A##_bufferSize
#define GESV(A, B, T) gesv_one<T>(#A #B "gesv", cusolverDn##A##B##gesv_bufferSize, cusolverDn##A##B##gesv);
#define GELS(A, B, T) gels_one<T>(#A #B "gels", cusolverDn##A##B##gels_bufferSize, cusolverDn##A##B##gels);
    letter = 'D';
    GESV_REAL(GESV)
    GESV_REAL(GELS)
    letter = 'Z';
    GESV_COMPLEX(GESV)
    GESV_COMPLEX(GELS)
    letter = 'D';
    expert(false);
    expert(true);
}

/* ---- 5: symmetric indefinite */

template <typename T> static void indefinite()
{
    typedef Api<T> A;
    for (int n : {1, 6, 40, 90})
        for (auto fill : FILLS)
            for (int pivoted = 1; pivoted >= 0; pivoted--) {
                bool lower = fill == CUBLAS_FILL_MODE_LOWER;
                int size = 0, lda = n + 1;
                Matrix g = general<T>(n, n, 71 + n), s(n, n);
                for (int j = 0; j < n; j++)
                    for (int i = 0; i < n; i++)
                        s(i, j) = 0.5 * (g(i, j) + g(j, i)) + (i == j && !pivoted ? Number(n) : 0.0);
                Array<T> a(s, lda);
                Array<int> pivots(n), info(1);
                std::string shape = text("%d %d %d", n, fill, pivoted);
                A::sytrf_bufferSize(handle, n, a, lda, &size);
                Array<T> work(size);
                int status = A::sytrf(handle, fill, n, a, lda, pivoted ? pivots.at : NULL, work, size, info);
                show("~sytrf", shape, status, info.first(), triangle(a.get(n, n, lda), lower));
                if (pivoted) show("~sytrf", shape + " pivots", status, 0, pivots.all());
                Array<T> b(general<T>(n, 2, 3));
                Array<int64_t> wide(pivots.all());
                size_t on_device = 0, on_host = 0;
                int sized = cusolverDnXsytrs_bufferSize(handle, fill, n, 2, Traits<T>::data, a, lda, pivoted ? wide.at : NULL, Traits<T>::data, b,
                                                        n, &on_device, &on_host);
                Array<char> room(on_device);
                std::vector<char> host(on_host + 1);
                if (!sized)
                    sized = cusolverDnXsytrs(handle, fill, n, 2, Traits<T>::data, a, lda, pivoted ? wide.at : NULL, Traits<T>::data, b, n, room,
                                             on_device, host.data(), on_host, info);
                show("~Xsytrs", shape, sized, info.first(), b.get(n, 2));
            }
}

/* ---- 6: bidiagonal and tridiagonal forms */

template <typename T> static void forms()
{
    typedef Api<T> A;
    typedef typename Traits<T>::Real R;
    const int shapes[][2] = {{1, 1}, {7, 7}, {40, 12}, {60, 60}, {12, 40}};
    for (auto &s : shapes) {
        int m = s[0], n = s[1], lda = m + 1, size = 0, least = std::min(m, n);
        Matrix g = general<T>(m, n, 41 + m);
        Array<T> a(g, lda), tauq(least), taup(least);
        Array<R> d(least), e(least);
        Array<int> info(1);
        std::string shape = text("%d %d", m, n);
        A::gebrd_bufferSize(handle, m, n, &size);
        Array<T> work(size);
        int status = A::gebrd(handle, m, n, a, lda, d, e, tauq, taup, work, size, info);
        show("~gebrd", shape, status, info.first(), a.get(m, n, lda));
        if (status) continue;
        show("~gebrd", shape + " d", status, 0, d.all());
        if (n > 1) show("~gebrd", shape + " e", status, 0, e.get(least - 1, 1));
        if (m < n) continue;
        Array<T> q(a.get(m, n, lda)), p(a.get(n, n, lda));
        A::gbr_bufferSize(handle, CUBLAS_SIDE_LEFT, m, n, n, q, m, tauq, &size);
        Array<T> room(size);
        status = A::gbr(handle, CUBLAS_SIDE_LEFT, m, n, n, q, m, tauq, room, size, info);
        show("~orgbr", shape + " left", status, info.first(), q.get(m, n));
        A::gbr_bufferSize(handle, CUBLAS_SIDE_RIGHT, n, n, m, p, n, taup, &size);
        Array<T> room2(size);
        status = A::gbr(handle, CUBLAS_SIDE_RIGHT, n, n, m, p, n, taup, room2, size, info);
        show("~orgbr", shape + " right", status, info.first(), p.get(n, n));
    }
    for (int n : {1, 6, 40, 80})
        for (auto fill : FILLS) {
            bool lower = fill == CUBLAS_FILL_MODE_LOWER;
            int lda = n + 2, size = 0;
            Array<T> a(hermitian<T>(n, 51), lda), tau(n);
            Array<R> d(n), e(n);
            Array<int> info(1);
            std::string shape = text("%d %d", n, fill);
            A::trd_bufferSize(handle, fill, n, a, lda, d, e, tau, &size);
            Array<T> work(size);
            int status = A::trd(handle, fill, n, a, lda, d, e, tau, work, size, info);
            show("~sytrd", shape, status, info.first(), triangle(a.get(n, n, lda), lower));
            show("~sytrd", shape + " d", status, 0, d.all());
            if (n > 1) show("~sytrd", shape + " e", status, 0, e.get(n - 1, 1));
            for (auto side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT})
                for (auto op : OPS) {
                    int rows = side == CUBLAS_SIDE_LEFT ? n : 4, columns = side == CUBLAS_SIDE_LEFT ? 4 : n;
                    Array<T> c(general<T>(rows, columns, 4));
                    A::mtr_bufferSize(handle, side, fill, op, rows, columns, a, lda, tau, c, rows, &size);
                    Array<T> room(size);
                    status = A::mtr(handle, side, fill, op, rows, columns, a, lda, tau, c, rows, room, size, info);
                    show("~ormtr", shape + text(" %d %d", side, op), status, info.first(), status ? Matrix() : c.get(rows, columns));
                }
            A::gtr_bufferSize(handle, fill, n, a, lda, tau, &size);
            Array<T> room(size);
            status = A::gtr(handle, fill, n, a, lda, tau, room, size, info);
            show("~orgtr", shape, status, info.first(), a.get(n, n, lda));
        }
}

/* ---- 7: eigenvalues */

/* W, and V W V^H and V^H B V where there are vectors; `count` of them. */
template <typename T>
static void show_eigen(const char *name, const std::string &shape, int status, double info, const Matrix &w, const Matrix &v, int count, bool vectors)
{
    Matrix some = part(w, count, 1);
    show(name, shape + " W", status, info, some);
    if (!vectors || status) return;
    Matrix kept = part(v, v.m, count);
    show(name, shape + " VWV", status, 0, kept * diagonal(some) * adjoint(kept));
    show(name, shape + " VV", status, 0, kept * adjoint(kept));
}
template <typename T> static void eigen()
{
    typedef Api<T> A;
    typedef typename Traits<T>::Real R;
    for (int n : {1, 2, 9, 50})
        for (auto fill : FILLS)
            for (auto mode : {NO_VECTORS, VECTORS}) {
                int lda = n + 1, size = 0;
                Matrix h = hermitian<T>(n, 61);
                Array<int> info(1);
                std::string shape = text("%d %d %d", n, fill, mode);
                {
                    Array<T> a(h, lda);
                    Array<R> w(n);
                    A::evd_bufferSize(handle, mode, fill, n, a, lda, w, &size);
                    Array<T> work(size);
                    int status = A::evd(handle, mode, fill, n, a, lda, w, work, size, info);
                    show_eigen<T>("~syevd", shape, status, info.first(), w.all(), a.get(n, n, lda), n, mode == VECTORS);
                }
                syevjInfo_t jacobi;
                cusolverDnCreateSyevjInfo(&jacobi);
                {
                    Array<T> a(h, lda);
                    Array<R> w(n);
                    A::evj_bufferSize(handle, mode, fill, n, a, lda, w, &size, jacobi);
                    Array<T> work(size);
                    int status = A::evj(handle, mode, fill, n, a, lda, w, work, size, info, jacobi);
                    show_eigen<T>("~syevj", shape, status, info.first(), w.all(), a.get(n, n, lda), n, mode == VECTORS);
                    double residual = -1;
                    int sweeps = -1, s1 = cusolverDnXsyevjGetResidual(handle, jacobi, &residual), s2 = cusolverDnXsyevjGetSweeps(handle, jacobi, &sweeps);
                    show_status("XsyevjGet", shape, s1 + 100 * s2);
                }
                if (n <= 32) {
                    Matrix two(n, 2 * n), other = hermitian<T>(n, 62);
                    for (int j = 0; j < n; j++)
                        for (int i = 0; i < n; i++)
                            two(i, j) = h(i, j), two(i, n + j) = other(i, j);
                    Array<T> a(two, n);
                    Array<R> w(2 * n);
                    Array<int> infos(2);
                    A::evjBatched_bufferSize(handle, mode, fill, n, a, n, w, &size, jacobi, 2);
                    Array<T> work(size);
                    int status = A::evjBatched(handle, mode, fill, n, a, n, w, work, size, infos, jacobi, 2);
                    Matrix all = w.all(), vectors = a.get(n, 2 * n), second(n, n), second_w(n, 1);
                    for (int i = 0; i < n; i++)
                        second_w(i, 0) = all(n + i, 0);
                    for (int i = 0; i < n * n; i++)
                        second.at[i] = vectors.at[n * n + i];
                    show_eigen<T>("~syevjBatched", shape, status, infos.first(), second_w, second, n, mode == VECTORS);
                }
                cusolverDnDestroySyevjInfo(jacobi);
                const cusolverEigRange_t RANGES[] = {CUSOLVER_EIG_RANGE_ALL, CUSOLVER_EIG_RANGE_I, CUSOLVER_EIG_RANGE_V};
                for (auto range : RANGES) {
                    int low = n > 2 ? 2 : 1, high = n > 4 ? n - 2 : n, found = -1;
                    R from = (R)0.3, to = (R)2.7;
                    Array<T> a(h, lda);
                    Array<R> w(n);
                    A::evdx_bufferSize(handle, mode, range, fill, n, a, lda, from, to, low, high, &found, w, &size);
                    Array<T> work(size);
                    int status = A::evdx(handle, mode, range, fill, n, a, lda, from, to, low, high, &found, w, work, size, info);
                    show("~syevdx", shape + text(" %d found", range), status, found, Matrix());
                    if (found >= 0)
                        show_eigen<T>("~syevdx", shape + text(" %d", range), status, info.first(), w.all(), a.get(n, n, lda), found, mode == VECTORS);
                }
            }
}
template <typename T> static void general_eigen()
{
    typedef Api<T> A;
    typedef typename Traits<T>::Real R;
    for (int n : {3, 30})
        for (auto type : {CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_TYPE_2, CUSOLVER_EIG_TYPE_3})
            for (auto fill : FILLS)
                for (auto mode : {NO_VECTORS, VECTORS}) {
                    int size = 0, found = -1;
                    Matrix h = hermitian<T>(n, 61), s = hermitian<T>(n, 63, n);
                    std::string shape = text("%d %d %d %d", n, type, fill, mode);
                    Array<int> info(1);
                    {
                        Array<T> a(h), b(s);
                        Array<R> w(n);
                        A::gvd_bufferSize(handle, type, mode, fill, n, a, n, b, n, w, &size);
                        Array<T> work(size);
                        int status = A::gvd(handle, type, mode, fill, n, a, n, b, n, w, work, size, info);
                        show_eigen<T>("~sygvd", shape, status, info.first(), w.all(), a.get(n, n), n, mode == VECTORS);
                        show("~sygvd", shape + " B", status, 0, triangle(b.get(n, n), fill == CUBLAS_FILL_MODE_LOWER));
                    }
                    {
                        syevjInfo_t jacobi;
                        cusolverDnCreateSyevjInfo(&jacobi);
                        Array<T> a(h), b(s);
                        Array<R> w(n);
                        A::gvj_bufferSize(handle, type, mode, fill, n, a, n, b, n, w, &size, jacobi);
                        Array<T> work(size);
                        int status = A::gvj(handle, type, mode, fill, n, a, n, b, n, w, work, size, info, jacobi);
                        show_eigen<T>("~sygvj", shape, status, info.first(), w.all(), a.get(n, n), n, mode == VECTORS);
                        cusolverDnDestroySyevjInfo(jacobi);
                    }
                    for (auto range : {CUSOLVER_EIG_RANGE_I, CUSOLVER_EIG_RANGE_V}) {
                        Array<T> a(h), b(s);
                        Array<R> w(n);
                        A::gvdx_bufferSize(handle, type, mode, range, fill, n, a, n, b, n, (R)0.02, (R)9, 2, 3, &found, w, &size);
                        Array<T> work(size);
                        int status = A::gvdx(handle, type, mode, range, fill, n, a, n, b, n, (R)0.02, (R)9, 2, 3, &found, w, work, size, info);
                        show("~sygvdx", shape + text(" %d found", range), status, found, Matrix());
                        if (found >= 0)
                            show_eigen<T>("~sygvdx", shape + text(" %d", range), status, info.first(), w.all(), a.get(n, n), found, mode == VECTORS);
                    }
                }
    int n = 6, size = 0; /* B is not positive */
    Matrix bad = hermitian<T>(n, 63, n);
    bad(2, 2) = -3;
    Array<T> a(hermitian<T>(n, 61)), b(bad);
    Array<R> w(n);
    Array<int> info(1);
    A::gvd_bufferSize(handle, CUSOLVER_EIG_TYPE_1, VECTORS, FILLS[0], n, a, n, b, n, w, &size);
    Array<T> work(size);
    int status = A::gvd(handle, CUSOLVER_EIG_TYPE_1, VECTORS, FILLS[0], n, a, n, b, n, w, work, size, info);
    show("~sygvd", "not positive", status, info.first(), Matrix());
}

/* ---- 8: singular values */

static void show_singular(const char *name, const std::string &shape, int status, double info, const Matrix &s, const Matrix &u, const Matrix &vh, bool vectors)
{
    show(name, shape + " S", status, info, s);
    if (!vectors || status) return;
    int k = (int)s.at.size();
    Matrix left = part(u, u.m, k), right = part(vh, k, vh.n);
    show(name, shape + " USV", status, 0, left * diagonal(s) * right);
    show(name, shape + " UU", status, 0, u.m == u.n ? unity(u * adjoint(u), 1e-3) : left * adjoint(left));
    if (vh.m == vh.n) show(name, shape + " VV", status, 0, unity(vh * adjoint(vh), 1e-3));
}
template <typename T> static void singular()
{
    typedef Api<T> A;
    typedef typename Traits<T>::Real R;
    const int shapes[][2] = {{1, 1}, {5, 5}, {40, 12}, {50, 50}, {12, 40}};
    for (auto &s : shapes) {
        int m = s[0], n = s[1], least = std::min(m, n), size = 0, lda = m + 1;
        Matrix g = general<T>(m, n, 81 + m);
        const char JOBS[][3] = {"NN", "AA", "SS", "ON", "NO", "AN", "NS", "SO"};
        for (auto &job : JOBS) {
            Array<T> a(g, lda), u((size_t)m * m), vt((size_t)n * n);
            Array<R> values(least), rwork(least);
            Array<int> info(1);
            int sized = A::gesvd_bufferSize(handle, m, n, &size);
            Array<T> work(size);
            int ldvt = job[1] == 'S' ? least : n;
            int status = A::gesvd(handle, job[0], job[1], m, n, a, lda, values, u, m, vt, ldvt, work, size, rwork, info);
            std::string shape = text("%d %d ", m, n) + job;
            bool both = strchr("AS", job[0]) && strchr("AS", job[1]);
            show_singular("~gesvd", shape, status, info.first(), status ? Matrix() : values.all(), u.get(m, job[0] == 'A' ? m : least),
                          vt.get(job[1] == 'A' ? n : least, n, ldvt), both);
            show_status("~gesvd_bufferSize", shape, sized);
        }
        for (auto mode : {NO_VECTORS, VECTORS})
            for (int economy : {0, 1}) {
                gesvdjInfo_t jacobi;
                cusolverDnCreateGesvdjInfo(&jacobi);
                Array<T> a(g, lda), u((size_t)m * m), v((size_t)n * n);
                Array<R> values(least);
                Array<int> info(1);
                A::gesvdj_bufferSize(handle, mode, economy, m, n, a, lda, values, u, m, v, n, &size, jacobi);
                Array<T> work(size);
                int status = A::gesvdj(handle, mode, economy, m, n, a, lda, values, u, m, v, n, work, size, info, jacobi);
                show_singular("~gesvdj", text("%d %d %d %d", m, n, mode, economy), status, info.first(), values.all(),
                              u.get(m, economy ? least : m), adjoint(v.get(n, economy ? least : n)), mode == VECTORS);
                double residual = -1;
                int sweeps = -1;
                show_status("XgesvdjGet", text("%d %d", mode, economy),
                            cusolverDnXgesvdjGetResidual(handle, jacobi, &residual) + 100 * cusolverDnXgesvdjGetSweeps(handle, jacobi, &sweeps));
                cusolverDnDestroyGesvdjInfo(jacobi);
            }
    }
    const int small[][2] = {{3, 3}, {20, 8}, {8, 20}, {32, 32}, {40, 3}};
    for (auto &s : small)
        for (auto mode : {NO_VECTORS, VECTORS}) {
            int m = s[0], n = s[1], least = std::min(m, n), size = 0, count = 2;
            gesvdjInfo_t jacobi;
            cusolverDnCreateGesvdjInfo(&jacobi);
            Array<T> a(general<T>(m, n * count, 5)), u((size_t)m * m * count), v((size_t)n * n * count);
            Array<R> values((size_t)least * count);
            Array<int> info(count);
            int sized = A::gesvdjBatched_bufferSize(handle, mode, m, n, a, m, values, u, m, v, n, &size, jacobi, count);
            Array<T> work(sized ? 0 : size);
            int status = sized ? sized : A::gesvdjBatched(handle, mode, m, n, a, m, values, u, m, v, n, work, size, info, jacobi, count);
            show_singular("~gesvdjBatched", text("%d %d %d", m, n, mode), status, info.first(), status ? Matrix() : values.get(least, 1),
                          u.get(m, m), adjoint(v.get(n, n)), mode == VECTORS);
            cusolverDnDestroyGesvdjInfo(jacobi);
        }
    const int tall[][3] = {{30, 6, 6}, {64, 16, 16}, {30, 6, 3}, {10, 10, 10}};
    for (auto &s : tall)
        for (auto mode : {NO_VECTORS, VECTORS}) {
            int m = s[0], n = s[1], rank = s[2], size = 0, count = 2;
            Array<T> a(general<T>(m, n * count, 5)), u((size_t)m * rank * count), v((size_t)n * rank * count);
            Array<R> values((size_t)rank * count);
            Array<int> info(count);
            double residual[2] = {-1, -1};
            A::gesvdaStridedBatched_bufferSize(handle, mode, rank, m, n, a, m, m * n, values, rank, u, m, m * rank, v, n, n * rank, &size, count);
            Array<T> work(size);
            int status = A::gesvdaStridedBatched(handle, mode, rank, m, n, a, m, m * n, values, rank, u, m, m * rank, v, n, n * rank, work, size, info,
                                                 residual, count);
            show_singular("~gesvdaStridedBatched", text("%d %d %d %d", m, n, rank, mode), status, info.first(), values.get(rank, 1), u.get(m, rank),
                          adjoint(v.get(n, rank)), mode == VECTORS);
        }
}

/* ---- 9: the interface with 64-bit numbers */

struct Room {
    size_t on_device = 0, on_host = 0;
    char *device = NULL;
    std::vector<char> host;
    void make() { cudaMalloc(&device, on_device + 1), host.resize(on_host + 1); }
    ~Room() { cudaFree(device); }
};
#define ROOM(r)    &r.on_device, &r.on_host
#define IN_ROOM(r) r.device, r.on_device, r.host.data(), r.on_host
static Matrix sorted(Matrix w)
{
    std::sort(w.at.begin(), w.at.end(), [](Number a, Number b) {
        return std::abs(a.real() - b.real()) > 1e-5 ? a.real() < b.real() : a.imag() < b.imag();
    });
    return w;
}
template <typename T, typename C> static void wide()
{
    typedef typename Traits<T>::Real R;
    const cudaDataType type = Traits<T>::data, real = Traits<R>::data;
    for (int n : {4, 45}) {
        Array<int> info(1);
        std::string shape = text("%d", n);
        for (auto fill : FILLS) {
            Array<T> a(hermitian<T>(n, 7, n)), b(general<T>(n, 2, 3));
            Room r;
            int status = cusolverDnXpotrf_bufferSize(handle, params, fill, n, type, a, n, type, ROOM(r));
            r.make();
            if (!status) status = cusolverDnXpotrf(handle, params, fill, n, type, a, n, type, IN_ROOM(r), info);
            show("~Xpotrf", shape + text(" %d", fill), status, info.first(), triangle(a.get(n, n), fill == CUBLAS_FILL_MODE_LOWER));
            status = cusolverDnXpotrs(handle, params, fill, n, 2, type, a, n, type, b, n, info);
            show("~Xpotrs", shape + text(" %d", fill), status, info.first(), b.get(n, 2));
            for (auto diag : {CUBLAS_DIAG_UNIT, CUBLAS_DIAG_NON_UNIT}) {
                Array<T> t(triangle(a.get(n, n), fill == CUBLAS_FILL_MODE_LOWER));
                Room r2;
                cusolverDnXtrtri_bufferSize(handle, fill, diag, n, type, t, n, ROOM(r2));
                r2.make();
                status = cusolverDnXtrtri(handle, fill, diag, n, type, t, n, IN_ROOM(r2), info);
                show("~Xtrtri", shape + text(" %d %d", fill, diag), status, info.first(),
                     triangle(t.get(n, n), fill == CUBLAS_FILL_MODE_LOWER, diag == CUBLAS_DIAG_UNIT));
            }
        }
        {
            Array<T> a(general<T>(n, n, 9));
            Array<int64_t> pivots(n);
            Room r;
            cusolverDnXgetrf_bufferSize(handle, params, n, n, type, a, n, type, ROOM(r));
            r.make();
            int status = cusolverDnXgetrf(handle, params, n, n, type, a, n, pivots, type, IN_ROOM(r), info);
            show("~Xgetrf", shape, status, info.first(), a.get(n, n));
            show("~Xgetrf", shape + " pivots", status, 0, pivots.all());
            for (auto op : OPS) {
                Array<T> b(general<T>(n, 2, 3));
                status = cusolverDnXgetrs(handle, params, op, n, 2, type, a, n, pivots, type, b, n, info);
                show("~Xgetrs", shape + text(" %d", op), status, info.first(), b.get(n, 2));
            }
        }
        {
            int m = n + 7;
            Array<T> a(general<T>(m, n, 9)), tau(n), t((size_t)n * n);
            Room r, r2;
            cusolverDnXgeqrf_bufferSize(handle, params, m, n, type, a, m, type, tau, type, ROOM(r));
            r.make();
            int status = cusolverDnXgeqrf(handle, params, m, n, type, a, m, type, tau, type, IN_ROOM(r), info);
            show("~Xgeqrf", shape, status, info.first(), a.get(m, n));
            status = cusolverDnXlarft_bufferSize(handle, params, CUBLAS_DIRECT_FORWARD, CUBLAS_STOREV_COLUMNWISE, m, n, type, a, m, type, tau, type, t, n,
                                                 type, ROOM(r2));
            r2.make();
            if (!status)
                status = cusolverDnXlarft(handle, params, CUBLAS_DIRECT_FORWARD, CUBLAS_STOREV_COLUMNWISE, m, n, type, a, m, type, tau, type, t, n, type,
                                          IN_ROOM(r2));
            show("~Xlarft", shape, status, 0, triangle(t.get(n, n), false));
        }
        for (auto mode : {NO_VECTORS, VECTORS}) {
            Matrix h = hermitian<T>(n, 61);
            Array<T> a(h), a2(h);
            Array<R> w(n), w2(n);
            Room r, r2;
            cusolverDnXsyevd_bufferSize(handle, params, mode, FILLS[0], n, type, a, n, real, w, type, ROOM(r));
            r.make();
            int status = cusolverDnXsyevd(handle, params, mode, FILLS[0], n, type, a, n, real, w, type, IN_ROOM(r), info);
            show_eigen<T>("~Xsyevd", shape + text(" %d", mode), status, info.first(), w.all(), a.get(n, n), n, mode == VECTORS);
            int64_t found = -1;
            R low = 0, high = 3;
            cusolverDnXsyevdx_bufferSize(handle, params, mode, CUSOLVER_EIG_RANGE_V, FILLS[1], n, type, a2, n, &low, &high, 1, n, &found, real, w2, type,
                                         ROOM(r2));
            r2.make();
            status = cusolverDnXsyevdx(handle, params, mode, CUSOLVER_EIG_RANGE_V, FILLS[1], n, type, a2, n, &low, &high, 1, n, &found, real, w2, type,
                                       IN_ROOM(r2), info);
            show("~Xsyevdx", shape + text(" %d found", mode), status, (double)found, Matrix());
            if (found >= 0)
                show_eigen<T>("~Xsyevdx", shape + text(" %d", mode), status, info.first(), w2.all(), a2.get(n, n), (int)found, mode == VECTORS);
            Matrix two(n, 2 * n), other = hermitian<T>(n, 62);
            for (int i = 0; i < n * n; i++)
                two.at[i] = other.at[i], two.at[n * n + i] = h.at[i];
            Array<T> a3(two);
            Array<R> w3(2 * n);
            Array<int> infos(2);
            Room r3;
            status = cusolverDnXsyevBatched_bufferSize(handle, params, mode, FILLS[0], n, type, a3, n, real, w3, type, ROOM(r3), 2);
            r3.make();
            if (!status) status = cusolverDnXsyevBatched(handle, params, mode, FILLS[0], n, type, a3, n, real, w3, type, IN_ROOM(r3), infos, 2);
            show_eigen<T>("~XsyevBatched", shape + text(" %d", mode), status, infos.first(), w3.get(n, 1), a3.get(n, n), n, mode == VECTORS);
            Matrix square = general<T>(n, n, 15);
            Array<T> a4(square), vr((size_t)n * n);
            Array<C> w4(n);
            Room r4;
            status = cusolverDnXgeev_bufferSize(handle, params, NO_VECTORS, mode, n, type, a4, n, Traits<C>::data, w4, type, vr, n, type, vr, n, type,
                                                ROOM(r4));
            r4.make();
            if (!status)
                status = cusolverDnXgeev(handle, params, NO_VECTORS, mode, n, type, a4, n, Traits<C>::data, w4, type, NULL, n, type, vr, n, type,
                                         IN_ROOM(r4), info);
            char kept = letter;
            letter = kept == 'S' || kept == 'C' ? 'C' : 'Z';
            show("Xgeev", std::string(1, kept) + shape + text(" %d", mode), status, info.first(), sorted(w4.all()));
            letter = kept;
            if (mode == VECTORS && Traits<T>::is_complex && !status) {
                Matrix v = vr.get(n, n), left = square * v, right = v * diagonal(w4.all());
                for (size_t i = 0; i < left.at.size(); i++)
                    left.at[i] -= right.at[i];
                for (int i = 0; i < n; i++)
                    left(i, i) += 1;
                show("~Xgeev", shape + " AV=VW", status, 0, unity(left, 1e-3));
                Matrix lengths(n, 1);
                for (int j = 0; j < n; j++)
                    for (int i = 0; i < n; i++)
                        lengths(j, 0) += std::norm(v(i, j));
                show("~Xgeev", shape + " lengths", status, 0, lengths);
            }
        }
    }
    const int shapes[][2] = {{6, 6}, {30, 20}, {20, 30}};
    for (auto &s : shapes) {
        int m = s[0], n = s[1], least = std::min(m, n);
        Matrix g = general<T>(m, n, 81 + m);
        Array<int> info(1);
        for (int job : {'N', 'A', 'S'}) {
            Array<T> a(g), u((size_t)m * m), vt((size_t)n * n);
            Array<R> values(least);
            Room r;
            int ldvt = job == 'S' ? least : n;
            int status = cusolverDnXgesvd_bufferSize(handle, params, (signed char)job, (signed char)job, m, n, type, a, m, real, values, type, u, m, type, vt,
                                                     ldvt, type, ROOM(r));
            r.make();
            if (!status)
                status = cusolverDnXgesvd(handle, params, (signed char)job, (signed char)job, m, n, type, a, m, real, values, type, u, m, type, vt, ldvt, type,
                                          IN_ROOM(r), info);
            show_singular("~Xgesvd", text("%d %d %c", m, n, job), status, info.first(), status ? Matrix() : values.all(), u.get(m, job == 'A' ? m : least),
                          vt.get(job == 'A' ? n : least, n, ldvt), job != 'N');
        }
        for (auto mode : {NO_VECTORS, VECTORS})
            for (int economy : {0, 1}) {
                Array<T> a(g), u((size_t)m * m), v((size_t)n * n);
                Array<R> values(least);
                Room r;
                double error = -1;
                int status = cusolverDnXgesvdp_bufferSize(handle, params, mode, economy, m, n, type, a, m, real, values, type, u, m, type, v, n, type, ROOM(r));
                r.make();
                if (!status)
                    status = cusolverDnXgesvdp(handle, params, mode, economy, m, n, type, a, m, real, values, type, u, m, type, v, n, type, IN_ROOM(r), info,
                                               &error);
                show_singular("~Xgesvdp", text("%d %d %d %d", m, n, mode, economy), status, info.first(), status ? Matrix() : values.all(),
                              u.get(m, economy ? least : m), adjoint(v.get(n, economy ? least : n)), mode == VECTORS);
            }
        for (int job : {'N', 'S'}) { /* of rank 3 */
            Matrix low = general<T>(m, 3, 5) * general<T>(3, n, 6);
            Array<T> a(low), u((size_t)m * least), v((size_t)n * least);
            Array<R> values(least);
            Room r;
            int status = cusolverDnXgesvdr_bufferSize(handle, params, (signed char)job, (signed char)job, m, n, 3, 2, 2, type, a, m, real, values, type, u, m,
                                                      type, v, n, type, ROOM(r));
            r.make();
            if (!status)
                status = cusolverDnXgesvdr(handle, params, (signed char)job, (signed char)job, m, n, 3, 2, 2, type, a, m, real, values, type, u, m, type, v, n,
                                           type, IN_ROOM(r), info);
            show_singular("~Xgesvdr", text("%d %d %c", m, n, job), status, info.first(), status ? Matrix() : values.get(3, 1), u.get(m, 3),
                          adjoint(v.get(n, 3)), job == 'S');
        }
    }
}

/* ---- 10: handles, settings, arguments that cannot be */

static void settings()
{
    cusolverDnHandle_t second = NULL;
    cudaStream_t stream, found = NULL;
    cudaStreamCreate(&stream);
    int version = 0, major = 0;
    show_status("Create", "", cusolverDnCreate(&second));
    show_status("SetStream", "", cusolverDnSetStream(second, stream));
    int got = cusolverDnGetStream(second, &found);
    show("GetStream", "", got, found == stream, Matrix());
    show_status("GetVersion", "", cusolverGetVersion(&version));
    show_status("GetProperty", "", cusolverGetProperty(MAJOR_VERSION, &major));
    cusolverDeterministicMode_t mode = (cusolverDeterministicMode_t)0;
    got = cusolverDnGetDeterministicMode(second, &mode);
    show("GetDeterministicMode", "first", got, mode, Matrix());
    show_status("SetDeterministicMode", "2", cusolverDnSetDeterministicMode(second, CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS));
    got = cusolverDnGetDeterministicMode(second, &mode);
    show("GetDeterministicMode", "second", got, mode, Matrix());
    show_status("SetDeterministicMode", "7", cusolverDnSetDeterministicMode(second, (cusolverDeterministicMode_t)7));
    show_status("Destroy", "", cusolverDnDestroy(second));
    cusolverDnParams_t p;
    show_status("CreateParams", "", cusolverDnCreateParams(&p));
    for (int f = 0; f < 4; f++)
        for (int a = 0; a < 4; a++)
            show_status("SetAdvOptions", text("%d %d", f, a), cusolverDnSetAdvOptions(p, (cusolverDnFunction_t)f, (cusolverAlgMode_t)a));
    show_status("DestroyParams", "", cusolverDnDestroyParams(p));
    syevjInfo_t e;
    gesvdjInfo_t g;
    show_status("CreateSyevjInfo", "", cusolverDnCreateSyevjInfo(&e));
    show_status("XsyevjSetTolerance", "", cusolverDnXsyevjSetTolerance(e, 1e-7));
    show_status("XsyevjSetMaxSweeps", "", cusolverDnXsyevjSetMaxSweeps(e, 15));
    show_status("XsyevjSetMaxSweeps", "-1", cusolverDnXsyevjSetMaxSweeps(e, -1));
    show_status("XsyevjSetSortEig", "", cusolverDnXsyevjSetSortEig(e, 0));
    show_status("CreateGesvdjInfo", "", cusolverDnCreateGesvdjInfo(&g));
    show_status("XgesvdjSetTolerance", "", cusolverDnXgesvdjSetTolerance(g, 1e-7));
    show_status("XgesvdjSetMaxSweeps", "", cusolverDnXgesvdjSetMaxSweeps(g, 15));
    show_status("XgesvdjSetSortEig", "", cusolverDnXgesvdjSetSortEig(g, 0));
    cusolverDnDestroySyevjInfo(e);
    cusolverDnDestroyGesvdjInfo(g);
    cusolverDnIRSParams_t irs;
    cusolver_int_t most = -1;
    show_status("IRSParamsCreate", "", cusolverDnIRSParamsCreate(&irs));
    show_status("IRSParamsSetMaxIters", "0", cusolverDnIRSParamsSetMaxIters(irs, 0));
    show_status("IRSParamsSetMaxIters", "-3", cusolverDnIRSParamsSetMaxIters(irs, -3));
    show_status("IRSParamsSetMaxIters", "60", cusolverDnIRSParamsSetMaxIters(irs, 60));
    show_status("IRSParamsSetMaxItersInner", "3000", cusolverDnIRSParamsSetMaxItersInner(irs, 3000));
    show_status("IRSParamsSetMaxItersInner", "20", cusolverDnIRSParamsSetMaxItersInner(irs, 20));
    show_status("IRSParamsSetTol", "", cusolverDnIRSParamsSetTol(irs, 1e-10));
    show_status("IRSParamsSetTolInner", "", cusolverDnIRSParamsSetTolInner(irs, 1e-4));
    show_status("IRSParamsGetMaxIters", "", cusolverDnIRSParamsGetMaxIters(irs, &most));
    show_status("IRSParamsEnableFallback", "", cusolverDnIRSParamsEnableFallback(irs));
    show_status("IRSParamsDisableFallback", "", cusolverDnIRSParamsDisableFallback(irs));
    show_status("IRSParamsSetRefinementSolver", "7", cusolverDnIRSParamsSetRefinementSolver(irs, (cusolverIRSRefinement_t)7));
    for (int main = 1201; main <= 1218; main++)
        show_status("IRSParamsSetSolverMainPrecision", text("%d", main), cusolverDnIRSParamsSetSolverMainPrecision(irs, (cusolverPrecType_t)main));
    for (int low = 1201; low <= 1218; low++)
        show_status("IRSParamsSetSolverLowestPrecision", text("%d", low), cusolverDnIRSParamsSetSolverLowestPrecision(irs, (cusolverPrecType_t)low));
    show_status("IRSParamsSetSolverPrecisions", "mixed", cusolverDnIRSParamsSetSolverPrecisions(irs, CUSOLVER_R_32F, CUSOLVER_R_64F));
    show_status("IRSParamsDestroy", "", cusolverDnIRSParamsDestroy(irs));
    cusolverDnIRSInfos_t infos;
    show_status("IRSInfosCreate", "", cusolverDnIRSInfosCreate(&infos));
    cusolver_int_t number = -7;
    int status = cusolverDnIRSInfosGetNiters(infos, &number);
    show("IRSInfosGetNiters", "first", status, number, Matrix());
    status = cusolverDnIRSInfosGetOuterNiters(infos, &number);
    show("IRSInfosGetOuterNiters", "first", status, number, Matrix());
    status = cusolverDnIRSInfosGetMaxIters(infos, &number);
    show("IRSInfosGetMaxIters", "first", status, number, Matrix());
    show_status("IRSInfosDestroy", "", cusolverDnIRSInfosDestroy(infos));
}
static void arguments()
{
    int n = 4, size = 0;
    Array<double> a(hermitian<double>(n, 3, n)), b(general<double>(n, n, 4)), work(100000);
    Array<int> info(1);
    const cublasFillMode_t L = CUBLAS_FILL_MODE_LOWER;
#define TRY(name, what, call)                                                                                                    \
    do {                                                                                                                         \
        cudaMemset(info, 0, sizeof(int));                                                                                        \
        int status_ = call;                                                                                                      \
        show(name, what, status_, info.first(), Matrix());                                                                       \
    } while (0)
    /* what comes after arguments that NVIDIA's library does not check is not known */
    TRY("Dpotrf_bufferSize", "n -1", cusolverDnDpotrf_bufferSize(handle, L, -1, a, n, &size));
    TRY("Dpotrf", "n -1", cusolverDnDpotrf(handle, L, -1, a, n, work, 100000, info));
    TRY("Dpotrs", "n -1", cusolverDnDpotrs(handle, L, -1, 1, a, n, b, n, info));
    TRY("Dpotri", "n -1", cusolverDnDpotri(handle, L, -1, a, n, work, 100000, info));
    TRY("Dgetrf_bufferSize", "n -1", cusolverDnDgetrf_bufferSize(handle, -1, n, a, n, &size));
}

template <typename T> static void types_of(int section)
{
    letter = Api<T>::id;
    if (section == 1) cholesky<T>();
    if (section == 2) lu<T>();
    if (section == 3) qr<T>();
    if (section == 5) indefinite<T>();
    if (section == 6) forms<T>();
    if (section == 7) eigen<T>(), general_eigen<T>();
    if (section == 8) singular<T>();
}
int main(int argc, char **argv)
{
    int only = argc > 1 ? std::atoi(argv[1]) : 0;
    std::setvbuf(stdout, NULL, _IOLBF, 1 << 16);
    if (cusolverDnCreate(&handle) || cusolverDnCreateParams(&params)) return 1;
    for (int section = 1; section <= 10; section++) {
        if (only && only != section) continue;
        types_of<float>(section);
        types_of<double>(section);
        types_of<cuComplex>(section);
        types_of<cuDoubleComplex>(section);
        if (section == 4) refinement();
        if (section == 9) {
            letter = 'S', wide<float, cuComplex>();
            letter = 'D', wide<double, cuDoubleComplex>();
            letter = 'C', wide<cuComplex, cuComplex>();
            letter = 'Z', wide<cuDoubleComplex, cuDoubleComplex>();
        }
        letter = 'D';
        if (section == 10) settings(), arguments();
    }
    cusolverDnDestroyParams(params);
    return cusolverDnDestroy(handle);
}
