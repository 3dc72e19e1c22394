/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of cuSOLVER's sparse part (cusolverSp) with small matrices, and what they compute: lines as cusolver_results.cu prints them.
 * Needs cuSPARSE for the descriptors of matrices. Orders (symrcm and its kin) are not unique: their lines say whether they are
 * permutations. */
#define DISABLE_CUSOLVER_DEPRECATED
#include "cusolver_results.h"

#include <cuda_runtime.h>
#include <cusolverSp.h>
#include <cusparse.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

static cusolverSpHandle_t handle;
static cusparseMatDescr_t descriptor;

/* The five points of a grid of `side` by `side`; a part beside the diagonal that is not symmetric where asked for; rows in CSR. */
template <typename T> struct Sparse {
    int n, nnz;
    std::vector<int> rows, columns;
    std::vector<T> values, right;
    Sparse(int side, bool symmetric, int base = 0, double middle = 4.5) : n(side * side)
    {
        unsigned seed = 9;
        rows.push_back(base);
        for (int i = 0; i < n; i++) {
            const int near[] = {-side, -1, 0, 1, side};
            for (int d : near) {
                int j = i + d;
                if (j < 0 || j >= n || (d == -1 && i % side == 0) || (d == 1 && j % side == 0)) continue;
                columns.push_back(j + base);
                double skew = symmetric ? 0 : number(seed) / 4, imaginary = symmetric ? (d > 0 ? 0.25 : d < 0 ? -0.25 : 0) : 0.125;
                values.push_back(d == 0 ? Traits<T>::make(middle + (i % 5) / 8.0, 0) : Traits<T>::make(-1 + skew, imaginary));
            }
            rows.push_back((int)columns.size() + base);
            double re = number(seed), im = number(seed);
            right.push_back(Traits<T>::make(re, im));
        }
        nnz = (int)values.size();
    }
};
template <typename T> static std::vector<typename Traits<T>::Real> none() { return {}; }

#define NAME2(L, name) cusolverSp##L##name
#define NAMES(X) \
    X(csrlsvluHost) X(csrlsvqr) X(csrlsvqrHost) X(csrlsvchol) X(csrlsvcholHost) X(csreigvsi) X(csreigvsiHost) \
    X(csrqrBufferInfoBatched) X(csrqrsvBatched)
template <typename T> struct Api;
#define MEMBER_S(name) static constexpr auto name = NAME2(S, name);
#define MEMBER_D(name) static constexpr auto name = NAME2(D, name);
#define MEMBER_C(name) static constexpr auto name = NAME2(C, name);
#define MEMBER_Z(name) static constexpr auto name = NAME2(Z, name);
#define API(L, T)                                                                                                                \
    template <> struct Api<T> {                                                                                                  \
        static const char id = #L[0];                                                                                            \
        NAMES(MEMBER_##L)                                                                                                        \
    };
API(S, float)
API(D, double)
API(C, cuComplex)
API(Z, cuDoubleComplex)

/* ---- 1: solves in one call */

template <typename T> static void solves()
{
    typedef Api<T> A;
    typedef typename Traits<T>::Real R;
    for (int side : {2, 6})
        for (int base : {0, 1})
            for (int symmetric : {0, 1})
                for (int order : {0, 1, 3}) {
                    Sparse<T> a(side, symmetric, base);
                    int n = a.n, singular = -9, status;
                    cusparseSetMatIndexBase(descriptor, base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO);
                    std::string shape = text("%d %d", side, base) + text(" %d %d", symmetric, order);
                    std::vector<T> x(n);
                    R tolerance = (R)1e-6;
                    Array<int> rows(a.rows), columns(a.columns);
                    Array<T> values(a.values), right(a.right), solution(n);
                    status = A::csrlsvluHost(handle, n, a.nnz, descriptor, a.values.data(), a.rows.data(), a.columns.data(), a.right.data(), tolerance, order,
                                             x.data(), &singular);
                    show("Sp~csrlsvluHost", shape, status, singular, x);
                    status = A::csrlsvqrHost(handle, n, a.nnz, descriptor, a.values.data(), a.rows.data(), a.columns.data(), a.right.data(), tolerance, order,
                                             x.data(), &singular);
                    show("Sp~csrlsvqrHost", shape, status, singular, x);
                    status = A::csrlsvqr(handle, n, a.nnz, descriptor, values, rows, columns, right, tolerance, order, solution, &singular);
                    show("Sp~csrlsvqr", shape, status, singular, solution.get());
                    if (!symmetric) continue;
                    status = A::csrlsvcholHost(handle, n, a.nnz, descriptor, a.values.data(), a.rows.data(), a.columns.data(), a.right.data(), tolerance,
                                               order, x.data(), &singular);
                    show("Sp~csrlsvcholHost", shape, status, singular, x);
                    status = A::csrlsvchol(handle, n, a.nnz, descriptor, values, rows, columns, right, tolerance, order, solution, &singular);
                    show("Sp~csrlsvchol", shape, status, singular, solution.get());
                }
    cusparseSetMatIndexBase(descriptor, CUSPARSE_INDEX_BASE_ZERO);
    Sparse<T> zero(3, true);
    for (int i = zero.rows[4]; i < zero.rows[5]; i++)
        zero.values[i] = Traits<T>::make(0, 0);
    int singular = -9;
    std::vector<T> x(9);
    Array<int> rows(zero.rows), columns(zero.columns);
    Array<T> values(zero.values), right(zero.right), solution(9);
    int status = A::csrlsvluHost(handle, 9, zero.nnz, descriptor, zero.values.data(), zero.rows.data(), zero.columns.data(), zero.right.data(), (R)1e-6, 0,
                                 x.data(), &singular);
    show_status("Sp~csrlsvluHost", "singular", status, singular);
    status = A::csrlsvqr(handle, 9, zero.nnz, descriptor, values, rows, columns, right, (R)1e-6, 0, solution, &singular);
    if (sizeof(R) == 8 || letter == 'C') show_status("Sp~csrlsvqr", "singular", status, singular);
}

/* ---- 2: eigenvalues, least squares, orders */

template <typename T> static void others()
{
    typedef Api<T> A;
    typedef typename Traits<T>::Real R;
    cusparseSetMatIndexBase(descriptor, CUSPARSE_INDEX_BASE_ZERO);
    Sparse<T> a(4, true);
    int n = a.n;
    Array<int> rows(a.rows), columns(a.columns);
    Array<T> values(a.values), first(a.right), vector(n), mu(1);
    std::vector<T> x(n), found(1);
    T near = Traits<T>::make(1.3, 0);
    int status = A::csreigvsiHost(handle, n, a.nnz, descriptor, a.values.data(), a.rows.data(), a.columns.data(), near, a.right.data(), 200, (R)1e-5,
                                  found.data(), x.data());
    show("Sp~csreigvsiHost", "", status, 0, found);
    status = A::csreigvsi(handle, n, a.nnz, descriptor, values, rows, columns, near, first, 200, (R)1e-5, mu, vector);
    show("Sp~csreigvsi", "", status, 0, mu.get());
}
static void orders()
{
    Sparse<double> a(5, true), skew(5, false);
    int n = a.n, symmetric = -9;
    std::vector<int> ends(a.rows.begin() + 1, a.rows.end());
    int status = cusolverSpXcsrissymHost(handle, n, a.nnz, descriptor, a.rows.data(), ends.data(), a.columns.data(), &symmetric);
    show_status("SpXcsrissymHost", "", status, symmetric);
    std::vector<int> few_rows{0, 2, 3, 4}, few_ends{2, 3, 4}, few_columns{0, 2, 1, 2};
    status = cusolverSpXcsrissymHost(handle, 3, 4, descriptor, few_rows.data(), few_ends.data(), few_columns.data(), &symmetric);
    show_status("SpXcsrissymHost", "not", status, symmetric);
    std::vector<int> p(n), q(n), map(a.nnz);
    auto permutes = [&] {
        std::vector<int> seen(p);
        std::sort(seen.begin(), seen.end());
        bool all = true;
        for (int i = 0; i < n; i++)
            all &= seen[i] == i;
        return (double)all;
    };
    status = cusolverSpXcsrsymrcmHost(handle, n, a.nnz, descriptor, a.rows.data(), a.columns.data(), p.data());
    show_status("SpXcsrsymrcmHost", "", status, permutes());
    std::fill(p.begin(), p.end(), 0);
    status = cusolverSpXcsrsymmdqHost(handle, n, a.nnz, descriptor, a.rows.data(), a.columns.data(), p.data());
    show_status("SpXcsrsymmdqHost", "", status, permutes());
    std::fill(p.begin(), p.end(), 0);
    status = cusolverSpXcsrsymamdHost(handle, n, a.nnz, descriptor, a.rows.data(), a.columns.data(), p.data());
    show_status("SpXcsrsymamdHost", "", status, permutes());
    std::fill(p.begin(), p.end(), 0);
    status = cusolverSpXcsrmetisndHost(handle, n, a.nnz, descriptor, a.rows.data(), a.columns.data(), NULL, p.data());
    show_status("SpXcsrmetisndHost", "", status, permutes());
    for (int i = 0; i < n; i++)
        p[i] = (i * 7 + 3) % n, q[i] = (i * 3 + 1) % n;
    for (int i = 0; i < a.nnz; i++)
        map[i] = i;
    size_t bytes = 0;
    status = cusolverSpXcsrperm_bufferSizeHost(handle, n, n, a.nnz, descriptor, a.rows.data(), a.columns.data(), p.data(), q.data(), &bytes);
    show_status("SpXcsrperm_bufferSizeHost", "", status);
    std::vector<char> room(bytes + 1);
    std::vector<int> rows(a.rows), columns(a.columns);
    status = cusolverSpXcsrpermHost(handle, n, n, a.nnz, descriptor, rows.data(), columns.data(), p.data(), q.data(), map.data(), room.data());
    show("SpXcsrpermHost", "rows", status, 0, rows);
    show("SpXcsrpermHost", "columns", status, 0, columns);
    show("SpXcsrpermHost", "map", status, 0, map);
}

/* ---- 3: in batches */

template <typename T> static void batches()
{
    typedef Api<T> A;
    Sparse<T> a(4, true);
    int n = a.n, status;
    size_t inside = 0, bytes = 0;
    Array<int> rows(a.rows), columns(a.columns);
    csrqrInfo_t qr;
    cusolverSpCreateCsrqrInfo(&qr);
    status = cusolverSpXcsrqrAnalysisBatched(handle, n, n, a.nnz, descriptor, rows, columns, qr);
    show_status("SpXcsrqrAnalysisBatched", "", status);
    std::vector<T> twice(a.values), rights(a.right);
    for (int i = 0; i < a.nnz; i++)
        twice.push_back(Traits<T>::make(1.5 * Traits<T>::get(a.values[i]).real(), 0));
    rights.insert(rights.end(), a.right.begin(), a.right.end());
    Array<T> both(twice), b(rights), solutions(2 * n);
    status = A::csrqrBufferInfoBatched(handle, n, n, a.nnz, descriptor, both, rows, columns, 2, qr, &inside, &bytes);
    show_status("Sp~csrqrBufferInfoBatched", "", status);
    Array<char> room3(bytes);
    status = A::csrqrsvBatched(handle, n, n, a.nnz, descriptor, both, rows, columns, b, solutions, 2, qr, room3);
    show("Sp~csrqrsvBatched", "", status, 0, solutions.get());
    cusolverSpDestroyCsrqrInfo(qr);
}

/* ---- 5: what cannot be */

static void arguments()
{
    Sparse<double> a(3, true);
    int n = a.n, singular = -9;
    std::vector<double> x(n);
    std::vector<int> p(n);
    cusolverSpHandle_t second;
    show_status("SpCreate", "", cusolverSpCreate(&second));
    show_status("SpDestroy", "", cusolverSpDestroy(second));
    cudaStream_t stream = NULL;
    show_status("SpSetStream", "", cusolverSpSetStream(handle, stream));
    show_status("SpGetStream", "", cusolverSpGetStream(handle, &stream));
    show_status("SpDcsrlsvluHost", "n", cusolverSpDcsrlsvluHost(handle, -1, a.nnz, descriptor, a.values.data(), a.rows.data(), a.columns.data(),
                                                                  a.right.data(), 1e-6, 0, x.data(), &singular));
    show_status("SpDcsrlsvluHost", "order", cusolverSpDcsrlsvluHost(handle, n, a.nnz, descriptor, a.values.data(), a.rows.data(), a.columns.data(),
                                                                      a.right.data(), 1e-6, 9, x.data(), &singular));
    cusparseSetMatType(descriptor, CUSPARSE_MATRIX_TYPE_SYMMETRIC);
    show_status("SpDcsrlsvluHost", "type", cusolverSpDcsrlsvluHost(handle, n, a.nnz, descriptor, a.values.data(), a.rows.data(), a.columns.data(),
                                                                     a.right.data(), 1e-6, 0, x.data(), &singular));
    show_status("SpXcsrsymrcmHost", "type", cusolverSpXcsrsymrcmHost(handle, n, a.nnz, descriptor, a.rows.data(), a.columns.data(), p.data()));
    cusparseSetMatType(descriptor, CUSPARSE_MATRIX_TYPE_GENERAL);
}

template <typename T> static void types_of(int section)
{
    letter = Api<T>::id;
    cusparseSetMatIndexBase(descriptor, CUSPARSE_INDEX_BASE_ZERO);
    if (section == 1) solves<T>();
    if (section == 2) others<T>();
    if (section == 3) batches<T>();
}
int main(int argc, char **argv)
{
    int only = argc > 1 ? std::atoi(argv[1]) : 0;
    std::setvbuf(stdout, NULL, _IOLBF, 1 << 16);
    if (cusolverSpCreate(&handle) || cusparseCreateMatDescr(&descriptor)) return 1;
    for (int section = 1; section <= 5; section++) {
        if (only && only != section) continue;
        types_of<float>(section);
        types_of<double>(section);
        types_of<cuComplex>(section);
        types_of<cuDoubleComplex>(section);
        if (section == 4) orders();
        if (section == 5) arguments();
    }
    cusparseDestroyMatDescr(descriptor);
    return cusolverSpDestroy(handle);
}
