// SPDX-License-Identifier: Apache-2.0
// cuSPARSE beside plain loops.
#include "libraries.h"

struct csr {
    int rows, *offsets, *columns;
    float *values;
    cusparseSpMatDescr_t matrix;
};

static csr random_csr(int rows, int each)
{
    csr m = {rows, memory<int>(rows + 1), memory<int>((size_t)rows * each), memory<float>((size_t)rows * each), nullptr};
    for (int r = 0; r <= rows; r++)
        m.offsets[r] = r * each;
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < each; i++) {
            size_t at = (size_t)r * each + i;
            m.columns[at] = (int)(((size_t)i * rows + at * 2654435761u % rows) / each);
            m.values[at] = number(at);
        }
    cusparseCreateCsr(&m.matrix, rows, rows, (int64_t)rows * each, m.offsets, m.columns, m.values, CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    return m;
}

static void times_vector(const csr &m, const float *x, float *y)
{
    for (int r = 0; r < m.rows; r++) {
        float sum = 0;
        for (int i = m.offsets[r]; i < m.offsets[r + 1]; i++)
            sum += m.values[i] * x[m.columns[i]];
        y[r] = sum;
    }
}

// Operands in rows, of which each element of the matrix takes one.
static void times_rows(const csr &m, const float *x, float *y, int width)
{
    for (int r = 0; r < m.rows; r++) {
        float *to = y + (size_t)r * width;
        memset(to, 0, width * sizeof *to);
        for (int i = m.offsets[r]; i < m.offsets[r + 1]; i++) {
            const float value = m.values[i], *from = x + (size_t)m.columns[i] * width;
            for (int j = 0; j < width; j++)
                to[j] += value * from[j];
        }
    }
}

static void spmv(int rows, int each)
{
    char name[64];
    snprintf(name, sizeof name, "SpMV %d rows of %d", rows, each);
    if (!wanted(name)) return;
    csr m = random_csr(rows, each);
    float *x = memory<float>(rows), *y = memory<float>(rows), one = 1, none = 0;
    cusparseDnVecDescr_t vx, vy;
    fill(x, rows);
    cusparseCreateDnVec(&vx, rows, x, CUDA_R_32F), cusparseCreateDnVec(&vy, rows, y, CUDA_R_32F);
    row(name,
        [&] {
            cusparseSpMV(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, m.matrix, vx, &none, vy, CUDA_R_32F,
                         CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
        },
        [&] { times_vector(m, x, y); }, results(y, rows));
}

static void spmm(int rows, int each, int width)
{
    char name[64];
    snprintf(name, sizeof name, "SpMM %d of %d, width %d", rows, each, width);
    if (!wanted(name)) return;
    csr m = random_csr(rows, each);
    size_t count = (size_t)rows * width;
    float *x = memory<float>(count), *y = memory<float>(count), one = 1, none = 0;
    cusparseDnMatDescr_t mx, my;
    fill(x, count);
    cusparseCreateDnMat(&mx, rows, width, width, x, CUDA_R_32F, CUSPARSE_ORDER_ROW);
    cusparseCreateDnMat(&my, rows, width, width, y, CUDA_R_32F, CUSPARSE_ORDER_ROW);
    row(name,
        [&] {
            cusparseSpMM(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, m.matrix, mx,
                         &none, my, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, nullptr);
        },
        [&] { times_rows(m, x, y, width); }, results(y, count));
}

void sparse_rows()
{
    spmv(4096, 16), spmv(1 << 18, 16), spmv(1 << 16, 64);
    spmm(1 << 14, 16, 8), spmm(1 << 14, 16, 64);
}
