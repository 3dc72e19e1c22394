/* SPDX-License-Identifier: Apache-2.0 */
/* Solves with sparse matrices in steps (cusolverSp_LOWLEVEL_PREVIEW.h) and refactorization (cusolverRf), of small matrices: lines as
 * cusolver_results.cu prints them. Needs cuSPARSE for the descriptors of matrices. Factors of LU are not unique: its lines say how far
 * A(P, Q) is from L U. No batches: NVIDIA's library ends this program in cusolverRfBatchAnalyze. */
#define DISABLE_CUSOLVER_DEPRECATED
#include "cusolver_results.h"

#include <cuda_runtime.h>
#include <cusolverRf.h>
#include <cusolverSp.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>
#include <cusparse.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

static cusolverSpHandle_t handle;
static cusparseMatDescr_t descriptor;

/* The five points of a grid. zero: this row and column have nothing on and beside the diagonal but a zero there. */
template <typename T> struct Sparse {
    int n, nnz;
    std::vector<int> rows, columns;
    std::vector<T> values, right;
    Sparse(int side, bool symmetric, int base = 0, double middle = 4.5, int zero = -1, unsigned seed = 9) : n(side * side)
    {
        rows.push_back(base);
        for (int i = 0; i < n; i++) {
            const int near[] = {-side, -1, 0, 1, side};
            for (int d : near) {
                int j = i + d;
                if (j < 0 || j >= n || (d == -1 && i % side == 0) || (d == 1 && j % side == 0)) continue;
                columns.push_back(j + base);
                double skew = symmetric ? 0 : number(seed) / 4, imaginary = symmetric ? (d > 0 ? 0.25 : d < 0 ? -0.25 : 0) : 0.125;
                T value = d == 0 ? Traits<T>::make(middle + (i % 5) / 8.0, 0) : Traits<T>::make(-1 + skew, imaginary);
                values.push_back(i == zero || j == zero ? Traits<T>::make(0, 0) : value);
            }
            rows.push_back((int)columns.size() + base);
            double re = number(seed), im = number(seed);
            right.push_back(Traits<T>::make(re, im));
        }
        nnz = (int)values.size();
    }
};

/* ---- solves in steps */

#define NAMES(X)                                                                                                                     \
    X(csrluBufferInfoHost) X(csrluFactorHost) X(csrluZeroPivotHost) X(csrluSolveHost) X(csrluExtractHost) X(csrqrBufferInfoHost)     \
    X(csrqrSetupHost) X(csrqrFactorHost) X(csrqrZeroPivotHost) X(csrqrSolveHost) X(csrqrBufferInfo) X(csrqrSetup) X(csrqrFactor)     \
    X(csrqrZeroPivot) X(csrqrSolve) X(csrcholBufferInfoHost) X(csrcholFactorHost) X(csrcholZeroPivotHost) X(csrcholSolveHost)        \
    X(csrcholBufferInfo) X(csrcholFactor) X(csrcholZeroPivot) X(csrcholSolve) X(csrcholDiag)
template <typename T> struct Api;
#define MEMBER_S(name) static constexpr auto name = cusolverSpS##name;
#define MEMBER_D(name) static constexpr auto name = cusolverSpD##name;
#define MEMBER_C(name) static constexpr auto name = cusolverSpC##name;
#define MEMBER_Z(name) static constexpr auto name = cusolverSpZ##name;
#define API(L, T)                                                                                                                    \
    template <> struct Api<T> {                                                                                                      \
        static constexpr char letter = #L[0];                                                                                        \
        NAMES(MEMBER_##L)                                                                                                            \
    };
API(S, float)
API(D, double)
API(C, cuComplex)
API(Z, cuDoubleComplex)

/* The largest part of A(P, Q) - L U; L's ones may be stored. */
template <typename T> static double distance(const Sparse<T> &a, const int *p, const int *q, const std::vector<int> *lists, const T *l, const T *u)
{
    int n = a.n;
    double worst = 0;
    std::vector<std::complex<double>> left(n * n), upper(n * n), whole(n * n);
    for (int i = 0; i < n; i++) {
        for (int e = a.rows[i]; e < a.rows[i + 1]; e++) whole[i * n + a.columns[e]] += Traits<T>::get(a.values[e]);
        for (int e = lists[0][i]; e < lists[0][i + 1]; e++) left[i * n + lists[1][e]] = Traits<T>::get(l[e]);
        left[i * n + i] = 1;
        for (int e = lists[2][i]; e < lists[2][i + 1]; e++) upper[i * n + lists[3][e]] = Traits<T>::get(u[e]);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            std::complex<double> sum = -whole[p[i] * n + q[j]];
            for (int k = 0; k < n; k++) sum += left[i * n + k] * upper[k * n + j];
            worst = std::fmax(worst, std::abs(sum));
        }
    return worst;
}

template <typename T> static void lu(const Sparse<T> &a, const std::string &shape, double threshold, double tolerance)
{
    typedef Api<T> A;
    csrluInfoHost_t info;
    size_t internal = 0, bytes = 0;
    int zero = -9, l_count = 0, u_count = 0;
    std::vector<T> x(a.n);
    show_status("SpCreateCsrluInfoHost", shape, cusolverSpCreateCsrluInfoHost(&info));
    show_status("SpXcsrluAnalysisHost", shape, cusolverSpXcsrluAnalysisHost(handle, a.n, a.nnz, descriptor, a.rows.data(), a.columns.data(), info));
    show_status("Sp~csrluBufferInfoHost", shape,
                A::csrluBufferInfoHost(handle, a.n, a.nnz, descriptor, a.values.data(), a.rows.data(), a.columns.data(), info, &internal, &bytes));
    std::vector<char> work(bytes + 64);
    show_status("Sp~csrluFactorHost", shape,
                A::csrluFactorHost(handle, a.n, a.nnz, descriptor, a.values.data(), a.rows.data(), a.columns.data(), info,
                                   (typename Traits<T>::Real)threshold, work.data()));
    int status = A::csrluZeroPivotHost(handle, info, (typename Traits<T>::Real)tolerance, &zero);
    show_status("Sp~csrluZeroPivotHost", shape, status, zero);
    if (zero < 0) {
        status = A::csrluSolveHost(handle, a.n, a.right.data(), x.data(), info, work.data());
        show("Sp~csrluSolveHost", shape, status, 0, x);
        show_status("SpXcsrluNnzHost", shape, cusolverSpXcsrluNnzHost(handle, &l_count, &u_count, info));
        std::vector<int> p(a.n), q(a.n), lists[4] = {std::vector<int>(a.n + 1), std::vector<int>(l_count), std::vector<int>(a.n + 1),
                                                     std::vector<int>(u_count)};
        std::vector<T> l(l_count), u(u_count);
        status = A::csrluExtractHost(handle, p.data(), q.data(), descriptor, l.data(), lists[0].data(), lists[1].data(), descriptor, u.data(),
                                     lists[2].data(), lists[3].data(), info, work.data());
        double far = distance(a, p.data(), q.data(), lists, l.data(), u.data());
        bool stored = lists[0][1] > 0; /* of the first row */
        show_status("Sp~csrluExtractHost", shape, status, 2 * stored + (far < (sizeof(typename Traits<T>::Real) == 4 ? 1e-5 : 1e-13)));
    }
    show_status("SpDestroyCsrluInfoHost", shape, cusolverSpDestroyCsrluInfoHost(info));
}

template <typename T> static void qr(const Sparse<T> &a, const std::string &shape, double mu, double tolerance, bool with_right)
{
    typedef Api<T> A;
    csrqrInfoHost_t info;
    size_t internal = 0, bytes = 0;
    int zero = -9, n = a.n;
    std::vector<T> x(n), b = a.right;
    T shift = Traits<T>::make(mu, 0);
    cusolverSpCreateCsrqrInfoHost(&info);
    show_status("SpXcsrqrAnalysisHost", shape, cusolverSpXcsrqrAnalysisHost(handle, n, n, a.nnz, descriptor, a.rows.data(), a.columns.data(), info));
    show_status("Sp~csrqrBufferInfoHost", shape,
                A::csrqrBufferInfoHost(handle, n, n, a.nnz, descriptor, a.values.data(), a.rows.data(), a.columns.data(), info, &internal, &bytes));
    std::vector<char> work(bytes + 64);
    show_status("Sp~csrqrSetupHost", shape,
                A::csrqrSetupHost(handle, n, n, a.nnz, descriptor, a.values.data(), a.rows.data(), a.columns.data(), shift, info));
    int status = A::csrqrFactorHost(handle, n, n, a.nnz, with_right ? b.data() : NULL, with_right ? x.data() : NULL, info, work.data());
    show("Sp~csrqrFactorHost", shape, status, 0, with_right ? x : std::vector<T>());
    status = A::csrqrZeroPivotHost(handle, info, (typename Traits<T>::Real)tolerance, &zero);
    show_status("Sp~csrqrZeroPivotHost", shape, status, zero);
    if (zero < 0) {
        b = a.right;
        status = A::csrqrSolveHost(handle, n, n, b.data(), x.data(), info, work.data());
        show("Sp~csrqrSolveHost", shape, status, 0, x);
    }
    cusolverSpDestroyCsrqrInfoHost(info);
}

template <typename T> static void qr_device(const Sparse<T> &a, const std::string &shape, double mu, double tolerance, bool with_right)
{
    typedef Api<T> A;
    csrqrInfo_t info;
    size_t internal = 0, bytes = 0;
    int zero = -9, n = a.n;
    Array<T> values(a.values), b(a.right), x((size_t)n);
    Array<int> rows(a.rows), columns(a.columns);
    T shift = Traits<T>::make(mu, 0);
    cusolverSpCreateCsrqrInfo(&info);
    show_status("SpXcsrqrAnalysis", shape, cusolverSpXcsrqrAnalysis(handle, n, n, a.nnz, descriptor, rows, columns, info));
    show_status("Sp~csrqrBufferInfo", shape, A::csrqrBufferInfo(handle, n, n, a.nnz, descriptor, values, rows, columns, info, &internal, &bytes));
    Array<char> work(bytes + 64);
    show_status("Sp~csrqrSetup", shape, A::csrqrSetup(handle, n, n, a.nnz, descriptor, values, rows, columns, shift, info));
    int status = A::csrqrFactor(handle, n, n, a.nnz, with_right ? b.at : NULL, with_right ? x.at : NULL, info, work);
    show("Sp~csrqrFactor", shape, status, 0, with_right ? x.get() : std::vector<T>());
    status = A::csrqrZeroPivot(handle, info, (typename Traits<T>::Real)tolerance, &zero);
    show_status("Sp~csrqrZeroPivot", shape, status, zero);
    if (zero < 0) {
        cudaMemcpy(b, a.right.data(), n * sizeof(T), cudaMemcpyHostToDevice);
        status = A::csrqrSolve(handle, n, n, b, x, info, work);
        show("Sp~csrqrSolve", shape, status, 0, x.get());
    }
    cusolverSpDestroyCsrqrInfo(info);
}

template <typename T> static void cholesky(const Sparse<T> &a, const std::string &shape, double tolerance)
{
    typedef Api<T> A;
    csrcholInfoHost_t info;
    size_t internal = 0, bytes = 0;
    int zero = -9, n = a.n;
    std::vector<T> x(n);
    cusolverSpCreateCsrcholInfoHost(&info);
    show_status("SpXcsrcholAnalysisHost", shape, cusolverSpXcsrcholAnalysisHost(handle, n, a.nnz, descriptor, a.rows.data(), a.columns.data(), info));
    show_status("Sp~csrcholBufferInfoHost", shape,
                A::csrcholBufferInfoHost(handle, n, a.nnz, descriptor, a.values.data(), a.rows.data(), a.columns.data(), info, &internal, &bytes));
    std::vector<char> work(bytes + 64);
    show_status("Sp~csrcholFactorHost", shape,
                A::csrcholFactorHost(handle, n, a.nnz, descriptor, a.values.data(), a.rows.data(), a.columns.data(), info, work.data()));
    int status = A::csrcholZeroPivotHost(handle, info, (typename Traits<T>::Real)tolerance, &zero);
    show_status("Sp~csrcholZeroPivotHost", shape, status, zero);
    if (zero < 0) {
        status = A::csrcholSolveHost(handle, n, a.right.data(), x.data(), info, work.data());
        show("Sp~csrcholSolveHost", shape, status, 0, x);
    }
    cusolverSpDestroyCsrcholInfoHost(info);
}

template <typename T> static void cholesky_device(const Sparse<T> &a, const std::string &shape, double tolerance)
{
    typedef Api<T> A;
    csrcholInfo_t info;
    size_t internal = 0, bytes = 0;
    int zero = -9, n = a.n;
    Array<T> values(a.values), b(a.right), x((size_t)n);
    Array<typename Traits<T>::Real> diagonal((size_t)n);
    Array<int> rows(a.rows), columns(a.columns);
    cusolverSpCreateCsrcholInfo(&info);
    show_status("SpXcsrcholAnalysis", shape, cusolverSpXcsrcholAnalysis(handle, n, a.nnz, descriptor, rows, columns, info));
    show_status("Sp~csrcholBufferInfo", shape, A::csrcholBufferInfo(handle, n, a.nnz, descriptor, values, rows, columns, info, &internal, &bytes));
    Array<char> work(bytes + 64);
    show_status("Sp~csrcholFactor", shape, A::csrcholFactor(handle, n, a.nnz, descriptor, values, rows, columns, info, work));
    int status = A::csrcholZeroPivot(handle, info, (typename Traits<T>::Real)tolerance, &zero);
    show_status("Sp~csrcholZeroPivot", shape, status, zero);
    if (zero < 0) {
        status = A::csrcholSolve(handle, n, b, x, info, work);
        show("Sp~csrcholSolve", shape, status, 0, x.get());
        status = A::csrcholDiag(handle, info, diagonal);
        show("Sp~csrcholDiag", shape, status, 0, diagonal.get());
    }
    cusolverSpDestroyCsrcholInfo(info);
}

template <typename T> static void steps_of()
{
    letter = Api<T>::letter;
    for (int base = 0; base < 2; base++) {
        cusparseSetMatIndexBase(descriptor, base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO);
        for (int side : {1, 2, 5, 9}) {
            std::string shape = text("%d %d", side, base);
            Sparse<T> general(side, false, base), symmetric(side, true, base);
            if (base == 0)
                for (double threshold : {0.0, 0.5, 1.0}) lu(general, shape + text(" threshold %d", (int)(threshold * 10)), threshold, 1e-7);
            for (int right = 0; right < 2; right++) {
                qr(general, shape + text(" right %d", right), right ? 0.25 : 0, 1e-7, right);
                qr_device(general, shape + text(" right %d", right), right ? 0.25 : 0, 1e-7, right);
            }
            cholesky(symmetric, shape, 1e-7);
            cholesky_device(symmetric, shape, 1e-7);
        }
    }
    cusparseSetMatIndexBase(descriptor, CUSPARSE_INDEX_BASE_ZERO);
    for (int zero : {0, 3, 8}) {
        Sparse<T> general(3, false, 0, 4.5, zero), symmetric(3, true, 0, 4.5, zero), negative(3, true, 0, -1);
        std::string shape = text("zero %d", zero);
        lu(general, shape, 1, 1e-7);
        qr(general, shape, 0, 1e-7, false);
        qr_device(general, shape, 0, 1e-7, false);
        cholesky(symmetric, shape, 1e-7);
        cholesky_device(symmetric, shape, 1e-7);
        if (zero) continue;
        cholesky(negative, "negative", 1e-7);
        cholesky_device(negative, "negative", 1e-7);
        cholesky_device(Sparse<T>(3, true), "tolerance", 2.0);
    }
}

/* ---- refactorization. A first LU of A(P, Q) is done here, with L's diagonal of ones or U's; lists by rows or by columns. */

struct Lists {
    std::vector<int> starts, indices;
    std::vector<double> values;
};
static Lists lists_of(const std::vector<double> &dense, const std::vector<char> &has, int n, bool by_columns)
{
    Lists out;
    out.starts.push_back(0);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            int at = by_columns ? j * n + i : i * n + j;
            if (has[at]) out.indices.push_back(j), out.values.push_back(dense[at]);
        }
        out.starts.push_back((int)out.indices.size());
    }
    return out;
}
struct First {
    int n;
    Lists a, l, u;
    std::vector<int> p, q;
    First(const Sparse<double> &x, bool by_columns, int unit) : n(x.n)
    {
        std::vector<double> whole(n * n), m(n * n), l_values(n * n), u_values(n * n);
        std::vector<char> whole_has(n * n), has(n * n), l_has(n * n), u_has(n * n);
        for (int i = 0; i < n; i++) {
            p.push_back((i * 5 + 2) % n), q.push_back((i * 5 + 2) % n); /* n: no multiple of 5 */
            for (int e = x.rows[i]; e < x.rows[i + 1]; e++) whole[i * n + x.columns[e]] = x.values[e], whole_has[i * n + x.columns[e]] = 1;
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) m[i * n + j] = whole[p[i] * n + q[j]], has[i * n + j] = whole_has[p[i] * n + q[j]];
        for (int k = 0; k < n; k++)
            for (int i = k + 1; i < n; i++) {
                if (!has[i * n + k]) continue;
                m[i * n + k] /= m[k * n + k];
                for (int j = k + 1; j < n; j++)
                    if (has[k * n + j]) m[i * n + j] -= m[i * n + k] * m[k * n + j], has[i * n + j] = 1;
            }
        bool unit_u = unit % 2, stored = unit < 2;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int at = i * n + j;
                double scale = m[(i < j ? i : j) * n + (i < j ? i : j)];
                if (i > j) l_values[at] = unit_u ? m[at] * scale : m[at], l_has[at] = has[at];
                if (i < j) u_values[at] = unit_u ? m[at] / scale : m[at], u_has[at] = has[at];
                if (i == j) {
                    l_values[at] = unit_u ? m[at] : 1, l_has[at] = unit_u || stored;
                    u_values[at] = unit_u ? 1 : m[at], u_has[at] = !unit_u || stored;
                }
            }
        a = lists_of(whole, whole_has, n, by_columns);
        l = lists_of(l_values, l_has, n, by_columns);
        u = lists_of(u_values, u_has, n, by_columns);
    }
};
static void show_lists(const char *name, const std::string &shape, int status, int n, int count, const int *starts, const int *indices,
                       const double *values)
{
    std::vector<double> all(values, values + count);
    double sum = 0;
    for (int i = 0; i <= n; i++) sum += starts[i] * (i + 1.0);
    for (int e = 0; e < count; e++) sum += indices[e] * (e % 17 + 1.0);
    show(name, shape, status, sum, all);
}
static void extract(cusolverRfHandle_t rf, const std::string &shape, int n)
{
    int count = -1, u_count = -1, *starts, *indices, *u_starts, *u_indices;
    double *values, *u_values;
    int status = cusolverRfExtractBundledFactorsHost(rf, &count, &starts, &indices, &values);
    show_lists("RfExtractBundledFactorsHost", shape, status, n, count, starts, indices, values);
    std::free(starts), std::free(indices), std::free(values);
    status = cusolverRfAccessBundledFactorsDevice(rf, &count, &starts, &indices, &values);
    std::vector<double> all(count);
    std::vector<int> some(n + 1), more(count);
    cudaMemcpy(all.data(), values, count * sizeof(double), cudaMemcpyDeviceToHost);
    cudaMemcpy(some.data(), starts, (n + 1) * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(more.data(), indices, count * sizeof(int), cudaMemcpyDeviceToHost);
    show_lists("RfAccessBundledFactorsDevice", shape, status, n, count, some.data(), more.data(), all.data());
    status = cusolverRfExtractSplitFactorsHost(rf, &count, &starts, &indices, &values, &u_count, &u_starts, &u_indices, &u_values);
    show_lists("RfExtractSplitFactorsHost", shape + " L", status, n, count, starts, indices, values);
    show_lists("RfExtractSplitFactorsHost", shape + " U", status, n, u_count, u_starts, u_indices, u_values);
    std::free(starts), std::free(indices), std::free(values), std::free(u_starts), std::free(u_indices), std::free(u_values);
}

static void refactor(int side, int format, int unit, int factorization, int solve, int fast, bool on_device)
{
    cusolverRfHandle_t rf;
    Sparse<double> a(side, false), later(side, false, 0, 5.5, -1, 77);
    First f(a, format == 1, unit), g(later, format == 1, unit);
    int n = a.n;
    std::string shape = text("%d format %d unit %d", side, format, unit) + text(" alg %d %d fast %d", factorization, solve, fast);
    show_status("RfCreate", shape, cusolverRfCreate(&rf));
    show_status("RfSetMatrixFormat", shape, cusolverRfSetMatrixFormat(rf, (cusolverRfMatrixFormat_t)format, (cusolverRfUnitDiagonal_t)unit));
    show_status("RfSetAlgs", shape, cusolverRfSetAlgs(rf, (cusolverRfFactorization_t)factorization, (cusolverRfTriangularSolve_t)solve));
    show_status("RfSetResetValuesFastMode", shape, cusolverRfSetResetValuesFastMode(rf, (cusolverRfResetValuesFastMode_t)fast));
    Array<int> starts(f.a.starts), indices(f.a.indices), p(f.p), q(f.q), l_starts(f.l.starts), l_indices(f.l.indices), u_starts(f.u.starts),
        u_indices(f.u.indices);
    Array<double> values(f.a.values), next(g.a.values), l_values(f.l.values), u_values(f.u.values), work((size_t)n), x(a.right);
    int count = (int)f.a.values.size(), l_count = (int)f.l.values.size(), u_count = (int)f.u.values.size();
    int status = on_device ? cusolverRfSetupDevice(n, count, starts, indices, values, l_count, l_starts, l_indices, l_values, u_count, u_starts,
                                                   u_indices, u_values, p, q, rf)
                           : cusolverRfSetupHost(n, count, f.a.starts.data(), f.a.indices.data(), f.a.values.data(), l_count, f.l.starts.data(),
                                                 f.l.indices.data(), f.l.values.data(), u_count, f.u.starts.data(), f.u.indices.data(),
                                                 f.u.values.data(), f.p.data(), f.q.data(), rf);
    show_status(on_device ? "RfSetupDevice" : "RfSetupHost", shape, status);
    show_status("RfAnalyze", shape, cusolverRfAnalyze(rf));
    for (int turn = 0; turn < 2; turn++) {
        std::string now = shape + text(" turn %d", turn);
        status = cusolverRfResetValues(n, count, starts, indices, turn ? next : values, p, q, rf);
        show_status("RfResetValues", now, status);
        show_status("RfRefactor", now, cusolverRfRefactor(rf));
        extract(rf, now, n);
        cudaMemcpy(x, a.right.data(), n * sizeof(double), cudaMemcpyHostToDevice);
        status = cusolverRfSolve(rf, p, q, 1, work, n, x, n);
        show("RfSolve", now, status, 0, x.get());
    }
    show_status("RfDestroy", shape, cusolverRfDestroy(rf));
}

static void boost(double zero, double value)
{
    cusolverRfHandle_t rf;
    Sparse<double> good(3, false), bad(3, false, 0, 4.5, 4);
    First f(good, false, 0), g(bad, false, 0);
    int n = good.n, count = (int)f.a.values.size();
    double was = -1, had = -1;
    std::string shape = text("zero %d boost %d", (int)(zero * 1000), (int)(value * 1000));
    cusolverRfNumericBoostReport_t report = CUSOLVERRF_NUMERIC_BOOST_NOT_USED;
    cusolverRfCreate(&rf);
    show_status("RfSetNumericProperties", shape, cusolverRfSetNumericProperties(rf, zero, value));
    int status = cusolverRfGetNumericProperties(rf, &was, &had);
    show("RfGetNumericProperties", shape, status, 0, std::vector<double>{was, had});
    Array<int> starts(f.a.starts), indices(f.a.indices), p(f.p), q(f.q);
    Array<double> values(g.a.values), work((size_t)n), x(good.right);
    cusolverRfSetupHost(n, count, f.a.starts.data(), f.a.indices.data(), f.a.values.data(), (int)f.l.values.size(), f.l.starts.data(),
                        f.l.indices.data(), f.l.values.data(), (int)f.u.values.size(), f.u.starts.data(), f.u.indices.data(), f.u.values.data(),
                        f.p.data(), f.q.data(), rf);
    cusolverRfAnalyze(rf);
    show_status("RfResetValues", shape, cusolverRfResetValues(n, count, starts, indices, values, p, q, rf));
    status = cusolverRfRefactor(rf);
    show_status("RfRefactor", shape, status);
    int reported = cusolverRfGetNumericBoostReport(rf, &report);
    show_status("RfGetNumericBoostReport", shape, reported, report);
    if (status == 0) {
        status = cusolverRfSolve(rf, p, q, 1, work, n, x, n);
        show("RfSolve", shape, status, 0, x.get());
    }
    cusolverRfDestroy(rf);
}

static void settings()
{
    cusolverRfHandle_t rf;
    cusolverRfMatrixFormat_t format = (cusolverRfMatrixFormat_t)7;
    cusolverRfUnitDiagonal_t unit = (cusolverRfUnitDiagonal_t)7;
    cusolverRfFactorization_t factorization = (cusolverRfFactorization_t)7;
    cusolverRfTriangularSolve_t solve = (cusolverRfTriangularSolve_t)7;
    cusolverRfResetValuesFastMode_t fast = (cusolverRfResetValuesFastMode_t)7;
    double zero = -1, value = -1;
    cusolverRfCreate(&rf);
    int status = cusolverRfGetMatrixFormat(rf, &format, &unit);
    show("RfGetMatrixFormat", "first", status, 0, std::vector<double>{(double)format, (double)unit});
    status = cusolverRfGetAlgs(rf, &factorization, &solve);
    show("RfGetAlgs", "first", status, 0, std::vector<double>{(double)factorization, (double)solve});
    status = cusolverRfGetResetValuesFastMode(rf, &fast);
    show_status("RfGetResetValuesFastMode", "first", status, fast);
    status = cusolverRfGetNumericProperties(rf, &zero, &value);
    show("RfGetNumericProperties", "first", status, 0, std::vector<double>{zero, value});
    show_status("RfAnalyze", "nothing set up", cusolverRfAnalyze(rf));
    show_status("RfRefactor", "nothing set up", cusolverRfRefactor(rf));
    cusolverRfDestroy(rf);
}

int main(int argc, char **argv)
{
    int only = argc > 1 ? std::atoi(argv[1]) : 0;
    std::setvbuf(stdout, NULL, _IOLBF, 1 << 16);
    if (cusolverSpCreate(&handle) || cusparseCreateMatDescr(&descriptor)) return 1;
    if (!only || only == 1) {
        steps_of<float>();
        steps_of<double>();
        steps_of<cuComplex>();
        steps_of<cuDoubleComplex>();
    }
    if (!only || only == 2)
        for (int side : {2, 3, 7})
            for (int format = 0; format < 2; format++)
                for (int unit = 0; unit < 4; unit++) refactor(side, format, unit, 0, 1, unit % 2, unit == 2);
    if (!only || only == 3)
        for (int factorization = 0; factorization < 3; factorization++)
            for (int solve = 1; solve < 4; solve++) refactor(4, 0, 0, factorization, solve, 0, false);
    if (!only || only == 4) boost(0, 0), boost(1e-3, 0.5), boost(1e-3, 0);
    if (!only || only == 5) settings();
    cusparseDestroyMatDescr(descriptor);
    return cusolverSpDestroy(handle);
}
