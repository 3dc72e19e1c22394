/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs of cuSPARSE share: numbers of any type on the device, small matrices in every format, and
 * the lines that are printed. Operands are multiples of 1/128 between -1 and 1, the same everywhere. */
#ifndef CUSPARSE_MATRICES_H
#define CUSPARSE_MATRICES_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cusparse.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

typedef std::vector<std::complex<double>> Numbers;

static double number(unsigned &state)
{
    state = state * 1664525u + 1013904223u;
    return ((int)(state >> 24) - 128) / 128.0;
}

/* ---- elements of any type */

static bool is_complex(cudaDataType type)
{
    return type == CUDA_C_32F || type == CUDA_C_64F || type == CUDA_C_16F || type == CUDA_C_16BF;
}
static cudaDataType part_of(cudaDataType type)
{
    return type == CUDA_C_32F    ? CUDA_R_32F
           : type == CUDA_C_64F  ? CUDA_R_64F
           : type == CUDA_C_16F  ? CUDA_R_16F
           : type == CUDA_C_16BF ? CUDA_R_16BF
                                 : type;
}
static size_t bytes_of(cudaDataType type)
{
    cudaDataType part = part_of(type);
    size_t size = part == CUDA_R_64F || part == CUDA_R_64I   ? 8
                  : part == CUDA_R_32F || part == CUDA_R_32I ? 4
                  : part == CUDA_R_8I                        ? 1
                                                             : 2;
    return is_complex(type) ? 2 * size : size;
}
static void put(cudaDataType type, void *to, double x)
{
    if (type == CUDA_R_64F) *(double *)to = x;
    if (type == CUDA_R_32F) *(float *)to = (float)x;
    if (type == CUDA_R_16F) *(__half *)to = __float2half((float)x);
    if (type == CUDA_R_16BF) *(__nv_bfloat16 *)to = __float2bfloat16((float)x);
    if (type == CUDA_R_64I) *(int64_t *)to = (int64_t)x;
    if (type == CUDA_R_32I) *(int *)to = (int)x;
    if (type == CUDA_R_8I) *(signed char *)to = (signed char)(x * 64);
}
static double get(cudaDataType type, const void *from)
{
    if (type == CUDA_R_64F) return *(const double *)from;
    if (type == CUDA_R_32F) return *(const float *)from;
    if (type == CUDA_R_16F) return __half2float(*(const __half *)from);
    if (type == CUDA_R_16BF) return __bfloat162float(*(const __nv_bfloat16 *)from);
    if (type == CUDA_R_64I) return (double)*(const int64_t *)from;
    if (type == CUDA_R_32I) return *(const int *)from;
    return *(const signed char *)from;
}
static void put_number(cudaDataType type, char *to, std::complex<double> x)
{
    put(part_of(type), to, x.real());
    if (is_complex(type)) put(part_of(type), to + bytes_of(type) / 2, x.imag());
}

/* One of the host's memory. */
struct Scalar {
    alignas(16) char bytes[16];
    Scalar(cudaDataType type, double re, double im = 0)
    {
        std::memset(bytes, 0, sizeof bytes);
        if (type == CUDA_R_32I)
            *(int *)bytes = (int)re;
        else
            put_number(type, bytes, {re, im});
    }
    operator const void *() const
    {
        return bytes;
    }
};

/* Several of the device's. */
struct Array {
    void *at;
    cudaDataType type;
    size_t count;
    Array(cudaDataType type, const Numbers &x) : at(NULL), type(type), count(0)
    {
        set(x);
    }
    Array(cudaDataType type, const std::vector<int> &x) : at(NULL), type(type), count(0)
    {
        set(Numbers(x.begin(), x.end()));
    }
    Array(cudaDataType type, size_t n, unsigned seed) : at(NULL), type(type), count(0)
    {
        Numbers x(n);
        for (auto &v : x) {
            double re = number(seed), im = number(seed);
            v = {re, im};
        }
        set(x);
    }
    Array(const Array &) = delete;
    ~Array()
    {
        cudaFree(at);
    }
    void set(const Numbers &x)
    {
        std::vector<char> host(x.size() * bytes_of(type) + 64);
        for (size_t i = 0; i < x.size(); i++)
            put_number(type, &host[i * bytes_of(type)], x[i]);
        count = x.size();
        cudaFree(at);
        cudaMalloc(&at, host.size());
        cudaMemcpy(at, host.data(), host.size(), cudaMemcpyHostToDevice);
    }
    Numbers numbers() const
    {
        std::vector<char> host(count * bytes_of(type) + 64);
        Numbers x(count);
        cudaMemcpy(host.data(), at, count * bytes_of(type), cudaMemcpyDeviceToHost);
        for (size_t i = 0; i < count; i++)
            x[i] = {get(part_of(type), &host[i * bytes_of(type)]),
                    is_complex(type) ? get(part_of(type), &host[i * bytes_of(type) + bytes_of(type) / 2])
                                     : 0};
        return x;
    }
    operator int *() const
    {
        return (int *)at;
    }
};
static Numbers zeros(size_t n)
{
    return Numbers(n);
}

/* ---- lines */

static std::string text(const char *format, int a = 0, int b = 0, int c = 0, int d = 0, int e = 0, int f = 0)
{
    char line[160];
    std::snprintf(line, sizeof line, format, a, b, c, d, e, f);
    return line;
}
static void show_numbers(const char *call, const std::string &shape, int status, const Numbers &x,
                         bool is_pair)
{
    double norm = 0;
    for (auto &v : x)
        if (std::isfinite(std::norm(v))) norm += std::norm(v);
    std::printf("%s [%s] %d %.9g", call, shape.c_str(), status, std::sqrt(norm));
    for (size_t i = 0; i < 6 && !x.empty(); i++) {
        auto v = x[(i * 7919 + 13) % x.size()];
        if (!std::isfinite(std::norm(v))) v = 0; /* of a factorization that met a zero */
        if (is_pair)
            std::printf(" %.9g %.9g", v.real(), v.imag());
        else
            std::printf(" %.9g", v.real());
    }
    std::printf("\n");
}
static void show(const char *call, const std::string &shape, int status, const Array &result)
{
    cudaError_t error = cudaDeviceSynchronize();
    if (error) std::fprintf(stderr, "%s [%s]: %s\n", call, shape.c_str(), cudaGetErrorString(error));
    show_numbers(call, shape, status, status ? Numbers() : result.numbers(), is_complex(result.type));
}
static void show_value(const char *call, const std::string &shape, int status, double value)
{
    show_numbers(call, shape, status, Numbers(1, status ? 0 : value), false);
}
#define SHOW(name, shape, call, result)                                                                      \
    do {                                                                                                     \
        int status_ = call;                                                                                  \
        show(name, shape, status_, result);                                                                  \
    } while (0)
#define STATUS(name, shape, call) show_value(name, shape, call, 0)

/* ---- matrices: dense ones with a mask of what is stored */

struct Host {
    int rows, cols;
    std::vector<char> mask;
    Numbers dense;
    Host(int rows, int cols) : rows(rows), cols(cols), mask((size_t)rows * cols), dense((size_t)rows * cols)
    {
    }
    size_t at(int r, int c) const
    {
        return (size_t)r * cols + c;
    }
};
static Host random_matrix(int rows, int cols, int percent, unsigned seed)
{
    Host host(rows, cols);
    for (size_t i = 0; i < host.mask.size(); i++) {
        seed = seed * 1664525u + 1013904223u;
        if ((int)((seed >> 16) % 100) >= percent) continue;
        double re = number(seed), im = number(seed);
        host.mask[i] = 1;
        host.dense[i] = {re == 0 ? 0.5 : re, im};
    }
    return host;
}
/* Square, with a large diagonal. symmetric: and its own conjugate transpose */
static Host solvable(int n, int percent, unsigned seed, bool symmetric = false)
{
    Host host = random_matrix(n, n, percent, seed);
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < r && symmetric; c++) {
            host.mask[host.at(c, r)] = host.mask[host.at(r, c)];
            host.dense[host.at(c, r)] = std::conj(host.dense[host.at(r, c)]);
        }
        host.mask[host.at(r, r)] = 1;
        host.dense[host.at(r, r)] = symmetric ? n / 2 : 4;
    }
    return host;
}

struct Lists {
    std::vector<int> offsets, indices, others; /* others: of COO, the rows */
    Numbers values;
};
static Lists csr_of(const Host &host, int base)
{
    Lists out;
    out.offsets.push_back(base);
    for (int r = 0; r < host.rows; r++) {
        for (int c = 0; c < host.cols; c++)
            if (host.mask[host.at(r, c)]) {
                out.indices.push_back(c + base);
                out.others.push_back(r + base);
                out.values.push_back(host.dense[host.at(r, c)]);
            }
        out.offsets.push_back((int)out.values.size() + base);
    }
    return out;
}
static Host transposed(const Host &host)
{
    Host out(host.cols, host.rows);
    for (int r = 0; r < host.rows; r++)
        for (int c = 0; c < host.cols; c++) {
            out.mask[out.at(c, r)] = host.mask[host.at(r, c)];
            out.dense[out.at(c, r)] = host.dense[host.at(r, c)];
        }
    return out;
}
/* Blocks of br by bc; by_rows: elements of a block stand row after row. */
static Lists bsr_of(const Host &host, int base, int br, int bc, bool by_rows)
{
    Lists out;
    out.offsets.push_back(base);
    for (int r = 0; r < host.rows; r += br) {
        for (int c = 0; c < host.cols; c += bc) {
            bool any = false;
            for (int i = 0; i < br * bc; i++)
                any |= host.mask[host.at(r + i / bc, c + i % bc)];
            if (!any) continue;
            out.indices.push_back(c / bc + base);
            for (int i = 0; i < br * bc; i++)
                out.values.push_back(by_rows ? host.dense[host.at(r + i / bc, c + i % bc)]
                                             : host.dense[host.at(r + i % br, c + i / br)]);
        }
        out.offsets.push_back((int)out.indices.size() + base);
    }
    return out;
}
/* Slices of so many rows: columns of the slice one after the other, -1 where a row has no more. */
static Lists sell_of(const Host &host, int base, int slice)
{
    Lists csr = csr_of(host, 0), out;
    out.offsets.push_back(base);
    for (int r = 0; r < host.rows; r += slice) {
        int width = 0;
        for (int i = r; i < r + slice && i < host.rows; i++)
            width = std::max(width, csr.offsets[i + 1] - csr.offsets[i]);
        for (int k = 0; k < width; k++)
            for (int i = r; i < r + slice; i++) {
                bool there = i < host.rows && csr.offsets[i] + k < csr.offsets[i + 1];
                out.indices.push_back(there ? csr.indices[csr.offsets[i] + k] + base : -1);
                out.values.push_back(there ? csr.values[csr.offsets[i] + k] : 0);
            }
        out.offsets.push_back((int)out.values.size() + base);
    }
    return out;
}
/* As many blocks in each row of blocks, -1 where there are no more; elements of each row stand together. */
static Lists ell_of(const Host &host, int base, int block, int *width)
{
    Lists bsr = bsr_of(host, 0, block, block, true), out;
    int rows = host.rows / block, most = 0;
    for (int r = 0; r < rows; r++)
        most = std::max(most, bsr.offsets[r + 1] - bsr.offsets[r]);
    out.values.resize((size_t)rows * most * block * block);
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < most; k++) {
            int from = bsr.offsets[r] + k;
            bool there = from < bsr.offsets[r + 1];
            out.indices.push_back(there ? bsr.indices[from] + base : -1);
            for (int i = 0; i < block * block && there; i++)
                out.values[((size_t)r * block + i / block) * most * block + (size_t)k * block + i % block] =
                    bsr.values[(size_t)from * block * block + i];
        }
    *width = most * block;
    return out;
}

static cusparseIndexType_t index_type(cudaDataType type)
{
    return type == CUDA_R_64I ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
}

/* A descriptor and what it points to. order: of BSR's blocks */
struct Matrix {
    cusparseSpMatDescr_t descr;
    Array offsets, indices, values;
    int nnz;
    operator cusparseSpMatDescr_t() const
    {
        return descr;
    }
    Matrix(const Host &host, cusparseFormat_t format, cudaDataType type, int base = 0,
           cudaDataType wide = CUDA_R_32I, cudaDataType wide_index = CUDA_R_32I, int block = 4,
           cusparseOrder_t order = CUSPARSE_ORDER_ROW)
        : descr(NULL), offsets(wide, zeros(0)), indices(wide_index, zeros(0)), values(type, zeros(0)), nnz(0)
    {
        int width = 0, status = 0;
        Lists lists = format == CUSPARSE_FORMAT_CSC ? csr_of(transposed(host), base)
                      : format == CUSPARSE_FORMAT_BSR
                          ? bsr_of(host, base, block, block, order == CUSPARSE_ORDER_ROW)
                      : format == CUSPARSE_FORMAT_BLOCKED_ELL    ? ell_of(host, base, block, &width)
                      : format == CUSPARSE_FORMAT_SLICED_ELLPACK ? sell_of(host, base, block)
                                                                 : csr_of(host, base);
        std::vector<int> &first = format == CUSPARSE_FORMAT_COO ? lists.others : lists.offsets;
        cusparseIndexBase_t b = (cusparseIndexBase_t)base;
        offsets.set(Numbers(first.begin(), first.end()));
        indices.set(Numbers(lists.indices.begin(), lists.indices.end()));
        values.set(lists.values);
        nnz = (int)lists.values.size();
        if (format == CUSPARSE_FORMAT_CSR)
            status = cusparseCreateCsr(&descr, host.rows, host.cols, nnz, offsets.at, indices.at, values.at,
                                       index_type(wide), index_type(wide_index), b, type);
        if (format == CUSPARSE_FORMAT_CSC)
            status = cusparseCreateCsc(&descr, host.rows, host.cols, nnz, offsets.at, indices.at, values.at,
                                       index_type(wide), index_type(wide_index), b, type);
        if (format == CUSPARSE_FORMAT_COO)
            status = cusparseCreateCoo(&descr, host.rows, host.cols, nnz, offsets.at, indices.at, values.at,
                                       index_type(wide), b, type);
        if (format == CUSPARSE_FORMAT_BSR)
            status = cusparseCreateBsr(&descr, host.rows / block, host.cols / block, (int64_t)indices.count,
                                       block, block, offsets.at, indices.at, values.at, index_type(wide),
                                       index_type(wide_index), b, type, order);
        if (format == CUSPARSE_FORMAT_BLOCKED_ELL)
            status = cusparseCreateBlockedEll(&descr, host.rows, host.cols, block, width, indices.at,
                                              values.at, index_type(wide_index), b, type);
        if (format == CUSPARSE_FORMAT_SLICED_ELLPACK)
            status = cusparseCreateSlicedEll(
                &descr, host.rows, host.cols, (int64_t)csr_of(host, 0).values.size(), nnz, block, offsets.at,
                indices.at, values.at, index_type(wide), index_type(wide_index), b, type);
        if (status) std::printf("Create [%d %d] %d 0\n", format, type, status);
    }
    Matrix(const Matrix &) = delete;
    ~Matrix()
    {
        cusparseDestroySpMat(descr);
    }
    void set(cusparseFillMode_t fill, cusparseDiagType_t diag)
    {
        cusparseSpMatSetAttribute(descr, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill);
        cusparseSpMatSetAttribute(descr, CUSPARSE_SPMAT_DIAG_TYPE, &diag, sizeof diag);
    }
};
struct Vector {
    cusparseDnVecDescr_t descr;
    Array values;
    operator cusparseDnVecDescr_t() const
    {
        return descr;
    }
    Vector(cudaDataType type, size_t n, unsigned seed) : values(type, n, seed)
    {
        cusparseCreateDnVec(&descr, (int64_t)n, values.at, type);
    }
    Vector(const Vector &) = delete;
    ~Vector()
    {
        cusparseDestroyDnVec(descr);
    }
};
/* With a leading dimension that is 3 more than needed. */
struct Dense {
    cusparseDnMatDescr_t descr;
    Array values;
    operator cusparseDnMatDescr_t() const
    {
        return descr;
    }
    Dense(cudaDataType type, int rows, int cols, cusparseOrder_t order, unsigned seed, int batch = 1)
        : values(type,
                 (size_t)batch * ((order == CUSPARSE_ORDER_COL ? rows : cols) + 3) *
                     (order == CUSPARSE_ORDER_COL ? cols : rows),
                 seed)
    {
        cusparseCreateDnMat(&descr, rows, cols, (order == CUSPARSE_ORDER_COL ? rows : cols) + 3, values.at,
                            type, order);
        if (batch > 1) cusparseDnMatSetStridedBatch(descr, batch, (int64_t)(values.count / batch));
    }
    Dense(const Dense &) = delete;
    ~Dense()
    {
        cusparseDestroyDnMat(descr);
    }
};
struct Room {
    void *at;
    explicit Room(size_t bytes) : at(NULL)
    {
        cudaMalloc(&at, bytes + 256);
    }
    Room(const Room &) = delete;
    ~Room()
    {
        cudaFree(at);
    }
    operator void *() const
    {
        return at;
    }
};
#endif
