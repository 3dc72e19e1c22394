// SPDX-License-Identifier: Apache-2.0
// mma.h end to end: every shape, type and layout, products of small integers, which are exact in all types.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <mma.h>
#include <vector>

using namespace nvcuda;

template <typename T> static T from_int(int i)
{
    return (T)i;
}
template <> __half from_int<__half>(int i)
{
    return __float2half((float)i);
}
template <> __nv_bfloat16 from_int<__nv_bfloat16>(int i)
{
    return __float2bfloat16((float)i);
}
static double to_double(__half h)
{
    return __half2float(h);
}
template <typename T> static double to_double(T v)
{
    return (double)v;
}

template <typename T> struct memory_of {
    typedef T type;
};
template <> struct memory_of<wmma::precision::tf32> {
    typedef float type;
};

template <int m, int n, int k, typename T, typename Sum, typename LayoutA, typename LayoutB>
__global__ void multiply(const typename memory_of<T>::type *a, const typename memory_of<T>::type *b,
                         const Sum *c, Sum *d, unsigned stride_a, unsigned stride_b, unsigned stride,
                         wmma::layout_t layout)
{
    wmma::fragment<wmma::matrix_a, m, n, k, T, LayoutA> fa;
    wmma::fragment<wmma::matrix_b, m, n, k, T, LayoutB> fb;
    wmma::fragment<wmma::accumulator, m, n, k, Sum> fc, fd;
    wmma::load_matrix_sync(fa, a, stride_a);
    wmma::load_matrix_sync(fb, b, stride_b);
    wmma::load_matrix_sync(fc, c, stride, layout);
    wmma::fill_fragment(fd, fc.x[0]);
    wmma::mma_sync(fd, fa, fb, fc);
    for (int i = 0; i < fd.num_elements; i++)
        fd.x[i] = fd.x[i] + fd.x[i];
    wmma::store_matrix_sync(d, fd, stride, layout);
}

static int failures, done;

template <int m, int n, int k, typename T, typename Sum, typename LayoutA, typename LayoutB>
static void try_one(const char *name)
{
    typedef typename memory_of<T>::type memory;
    bool a_col = std::is_same<LayoutA, wmma::col_major>::value;
    bool b_col = std::is_same<LayoutB, wmma::col_major>::value, by_row = a_col == b_col;
    std::vector<memory> a(m * k), b(k * n);
    std::vector<Sum> c(m * n), d(m * n);
    std::vector<int> ia(m * k), ib(k * n), ic(m * n);
    for (int i = 0; i < m * k; i++)
        ia[i] = rand() % 6, a[i] = from_int<memory>(ia[i]);
    for (int i = 0; i < k * n; i++)
        ib[i] = rand() % 6, b[i] = from_int<memory>(ib[i]);
    for (int i = 0; i < m * n; i++)
        ic[i] = rand() % 9, c[i] = from_int<Sum>(ic[i]);
    memory *da, *db;
    Sum *dc, *dd;
    cudaMalloc(&da, a.size() * sizeof(memory));
    cudaMalloc(&db, b.size() * sizeof(memory));
    cudaMalloc(&dc, c.size() * sizeof(Sum));
    cudaMalloc(&dd, d.size() * sizeof(Sum));
    cudaMemcpy(da, a.data(), a.size() * sizeof(memory), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), b.size() * sizeof(memory), cudaMemcpyHostToDevice);
    cudaMemcpy(dc, c.data(), c.size() * sizeof(Sum), cudaMemcpyHostToDevice);
    multiply<m, n, k, T, Sum, LayoutA, LayoutB>
        <<<1, 32>>>(da, db, dc, dd, a_col ? m : k, b_col ? k : n, by_row ? n : m,
                    by_row ? wmma::mem_row_major : wmma::mem_col_major);
    cudaError_t error = cudaMemcpy(d.data(), dd, d.size() * sizeof(Sum), cudaMemcpyDeviceToHost);
    int wrong = error != cudaSuccess;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            int at = by_row ? i * n + j : j * m + i, sum = ic[at];
            for (int l = 0; l < k; l++)
                sum += ia[a_col ? l * m + i : i * k + l] * ib[b_col ? j * k + l : l * n + j];
            wrong += to_double(d[at]) != 2 * sum;
        }
    done++;
    if (wrong)
        failures++,
            printf("FAIL m%dn%dk%d %s: %d wrong, %s\n", m, n, k, name, wrong, cudaGetErrorString(error));
    cudaFree(da), cudaFree(db), cudaFree(dc), cudaFree(dd);
}

template <int m, int n, int k, typename T, typename Sum> static void try_layouts(const char *name)
{
    try_one<m, n, k, T, Sum, wmma::row_major, wmma::row_major>(name);
    try_one<m, n, k, T, Sum, wmma::row_major, wmma::col_major>(name);
    try_one<m, n, k, T, Sum, wmma::col_major, wmma::row_major>(name);
    try_one<m, n, k, T, Sum, wmma::col_major, wmma::col_major>(name);
}

template <int m, int n, int k> static void try_shape()
{
    try_layouts<m, n, k, __half, float>("half, float");
    try_layouts<m, n, k, __half, __half>("half, half");
    try_layouts<m, n, k, __nv_bfloat16, float>("bfloat16");
    try_layouts<m, n, k, signed char, int>("s8");
    try_layouts<m, n, k, unsigned char, int>("u8");
}

int main()
{
    try_shape<16, 16, 16>();
    try_shape<32, 8, 16>();
    try_shape<8, 32, 16>();
    try_layouts<16, 16, 8, wmma::precision::tf32, float>("tf32");
    try_layouts<8, 8, 4, double, double>("double");
    if (!failures) printf("ok, %d products\n", done);
    return failures != 0;
}
