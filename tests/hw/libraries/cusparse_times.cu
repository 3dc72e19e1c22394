/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of cuSPARSE at many sizes, to be timed: before each a kernel `mark` that a profiler sees; one line a call on standard output.
 * times.py runs it under ncu on a GPU, or under softwarp profile, and adds up the kernels between two marks. usage: cusparse_times [powers|others]
 * powers, others: only matrices of a power of two rows; only the others. */
#include "cusparse_matrices.h"

__global__ void mark() {}

static cusparseHandle_t handle;
static void *room;
static const size_t ROOM = (size_t)1 << 30;
static void called(const char *name, const char *shape, int status)
{
    cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\t%s\t%d\n", name, shape, error ? 1000 + error : status);
}
static char line[100];
#define SHAPE(...) (std::snprintf(line, sizeof line, __VA_ARGS__), line)
#define TIMED(name, shape, expression)                                                                                           \
    do {                                                                                                                         \
        mark<<<1, 1>>>();                                                                                                        \
        called(name, shape, expression);                                                                                         \
    } while (0)

static const cusparseOperation_t N = CUSPARSE_OPERATION_NON_TRANSPOSE, T = CUSPARSE_OPERATION_TRANSPOSE;
static const float ONEF = 1, ZEROF = 0;
static const double ONED = 1;
static const void *one(cudaDataType type)
{
    return type == CUDA_R_64F ? (const void *)&ONED : &ONEF;
}

/* Where entries are: in a band around the diagonal; anywhere; rows of very different lengths, some columns in many of them; in blocks of
 * 4 by 4; a grid's points and their neighbours. All have a dominant diagonal. */
enum Pattern { BAND, RANDOM, POWER, BLOCKS, GRID };
static const char *const PATTERNS[] = {"band", "random", "power", "blocks", "grid"};
struct Big {
    int rows, nnz;
    unsigned state = 17;
    std::vector<int> offsets, indices, row_of;
    unsigned next() { return (state = state * 1664525u + 1013904223u) >> 4; }
    double part() { return (next() % 65536 + 0.5) / 65536; }
    std::vector<int> row_entries(int r, int per_row, Pattern pattern)
    {
        std::vector<int> row(1, r);
        int count = per_row, side = std::max(1, (int)std::sqrt((double)rows));
        if (pattern == POWER) count = (int)std::min(rows / 4.0, 0.4 * per_row * std::pow(part(), -0.6));
        if (pattern == GRID) {
            const int steps[] = {-side, -1, 1, side, -side - 1, -side + 1, side - 1, side + 1};
            for (int k = 0; k < std::min(8, per_row - 1); k++)
                if (r + steps[k] >= 0 && r + steps[k] < rows) row.push_back(r + steps[k]);
            return row;
        }
        if (pattern == BLOCKS) {
            unsigned kept = state;
            state = (unsigned)(r / 4) * 2654435761u + 17;
            for (int k = 0; k < 4; k++)
                row.push_back(std::min(rows - 1, r / 4 * 4 + k));
            for (int k = 4; k < per_row; k += 4)
                for (int i = 0, at = (int)(next() % (unsigned)(rows / 4)) * 4; i < 4; i++)
                    row.push_back(at + i);
            state = kept;
            return row;
        }
        for (int k = 1; k < count; k++)
            row.push_back(pattern == RANDOM  ? (int)(next() % (unsigned)rows)
                          : pattern == POWER ? (int)(rows * std::pow(part(), 2.5))
                                             : std::min(rows - 1, std::max(0, r - per_row / 2 + k)));
        return row;
    }
    Big(int rows, int per_row, Pattern pattern) : rows(rows), nnz(0)
    {
        offsets.push_back(0);
        for (int r = 0; r < rows; r++) {
            std::vector<int> row = row_entries(r, per_row, pattern);
            std::sort(row.begin(), row.end());
            row.erase(std::unique(row.begin(), row.end()), row.end());
            indices.insert(indices.end(), row.begin(), row.end());
            row_of.insert(row_of.end(), row.size(), r);
            offsets.push_back((int)indices.size());
        }
        nnz = (int)indices.size();
    }
};
static int *upload(const std::vector<int> &x)
{
    int *at;
    cudaMalloc(&at, x.size() * sizeof(int));
    cudaMemcpy(at, x.data(), x.size() * sizeof(int), cudaMemcpyHostToDevice);
    return at;
}
__global__ void setup_values(float *f, double *d, __half *h, const int *rows, const int *columns, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float value = rows && rows[i] == columns[i] ? 4.f : 0.01f;
        if (f) f[i] = value;
        if (d) d[i] = value;
        if (h) h[i] = __float2half(value);
    }
}
static void *values(cudaDataType type, size_t n, const int *rows, const int *columns)
{
    void *at;
    cudaMalloc(&at, n * bytes_of(type));
    setup_values<<<256, 256>>>(type == CUDA_R_32F ? (float *)at : NULL, type == CUDA_R_64F ? (double *)at : NULL, type == CUDA_R_16F ? (__half *)at : NULL,
                             rows, columns, (int)n);
    cudaDeviceSynchronize();
    return at;
}
/* One on the device. */
struct Sparse {
    int rows, nnz, *offsets, *indices, *row_of;
    cudaDataType type;
    void *at;
    cusparseSpMatDescr_t csr, coo;
    const char *kind;
    Sparse(int rows, int per_row, Pattern pattern, cudaDataType type) : rows(rows), type(type), kind(PATTERNS[pattern])
    {
        Big big(rows, per_row, pattern);
        nnz = big.nnz;
        offsets = upload(big.offsets), indices = upload(big.indices), row_of = upload(big.row_of);
        at = values(type, nnz, row_of, indices);
        cusparseCreateCsr(&csr, rows, rows, nnz, offsets, indices, at, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type);
        cusparseCreateCoo(&coo, rows, rows, nnz, row_of, indices, at, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type);
    }
    Sparse(const Sparse &) = delete;
    ~Sparse()
    {
        cusparseDestroySpMat(csr);
        cusparseDestroySpMat(coo);
        cudaFree(offsets), cudaFree(indices), cudaFree(row_of), cudaFree(at);
    }
    const char *shape(const char *what, int n = 0) const { return SHAPE("%s %s %d %d %d", what, kind, rows, nnz, n); }
};
struct Plain {
    void *at;
    cusparseDnMatDescr_t matrix;
    cusparseDnVecDescr_t vector;
    Plain(cudaDataType type, int rows, int columns = 1, cusparseOrder_t order = CUSPARSE_ORDER_COL) : at(values(type, (size_t)rows * columns, NULL, NULL))
    {
        cusparseCreateDnMat(&matrix, rows, columns, order == CUSPARSE_ORDER_COL ? rows : columns, at, type, order);
        cusparseCreateDnVec(&vector, (int64_t)rows * columns, at, type);
    }
    Plain(const Plain &) = delete;
    ~Plain()
    {
        cusparseDestroyDnMat(matrix);
        cusparseDestroyDnVec(vector);
        cudaFree(at);
    }
};
static const char *name_of(cudaDataType type)
{
    return type == CUDA_R_64F ? "f64" : type == CUDA_R_16F ? "f16" : "f32";
}

static void products(int rows, int per_row, Pattern pattern, cudaDataType type)
{
    Sparse a(rows, per_row, pattern, type);
    Plain x(type, rows), y(type, rows);
    cudaDataType compute = type == CUDA_R_16F ? CUDA_R_32F : type;
    TIMED("SpMV_csr", a.shape(name_of(type)), cusparseSpMV(handle, N, one(compute), a.csr, x.vector, one(compute), y.vector, compute, CUSPARSE_SPMV_ALG_DEFAULT, room));
    TIMED("SpMV_csr2", a.shape(name_of(type)), cusparseSpMV(handle, N, one(compute), a.csr, x.vector, one(compute), y.vector, compute, CUSPARSE_SPMV_CSR_ALG2, room));
    TIMED("SpMV_coo", a.shape(name_of(type)), cusparseSpMV(handle, N, one(compute), a.coo, x.vector, one(compute), y.vector, compute, CUSPARSE_SPMV_ALG_DEFAULT, room));
    if (per_row == 16 || per_row == 12)
        TIMED("SpMV_csrT", a.shape(name_of(type)), cusparseSpMV(handle, T, one(compute), a.csr, x.vector, one(compute), y.vector, compute, CUSPARSE_SPMV_ALG_DEFAULT, room));
}

static void wide_products(int rows, int per_row, Pattern pattern, cudaDataType type, int n)
{
    Sparse a(rows, per_row, pattern, type);
    cudaDataType compute = type == CUDA_R_16F ? CUDA_R_32F : type;
    for (int order = 1; order <= 2; order++) {
        Plain b(type, rows, n, (cusparseOrder_t)order), c(type, rows, n, (cusparseOrder_t)order);
        TIMED(order == 1 ? "SpMM_csr_col" : "SpMM_csr_row", a.shape(name_of(type), n),
              cusparseSpMM(handle, N, N, one(compute), a.csr, b.matrix, one(compute), c.matrix, compute, CUSPARSE_SPMM_ALG_DEFAULT, room));
        if (order == 2)
            TIMED("SpMM_coo_row", a.shape(name_of(type), n),
                  cusparseSpMM(handle, N, N, one(compute), a.coo, b.matrix, one(compute), c.matrix, compute, CUSPARSE_SPMM_ALG_DEFAULT, room));
    }
    if (type == CUDA_R_16F) return;
    Plain left(type, rows, n, CUSPARSE_ORDER_ROW), right(type, n, rows, CUSPARSE_ORDER_COL);
    TIMED("SDDMM", a.shape(name_of(type), n),
          cusparseSDDMM(handle, N, N, one(type), left.matrix, right.matrix, one(type), a.csr, type, CUSPARSE_SDDMM_ALG_DEFAULT, room));
}

static void solve(int rows, int per_row, Pattern pattern, cudaDataType type)
{
    Sparse a(rows, per_row, pattern, type);
    Plain x(type, rows), y(type, rows), xs(type, rows, 8), ys(type, rows, 8);
    cusparseSpSVDescr_t sv;
    cusparseSpSMDescr_t sm;
    cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
    size_t bytes = 0;
    cusparseSpMatSetAttribute(a.csr, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill);
    cusparseSpSV_createDescr(&sv);
    cusparseSpSM_createDescr(&sm);
    cusparseSpSV_bufferSize(handle, N, one(type), a.csr, x.vector, y.vector, type, CUSPARSE_SPSV_ALG_DEFAULT, sv, &bytes);
    TIMED("SpSV_analysis", a.shape(name_of(type)), cusparseSpSV_analysis(handle, N, one(type), a.csr, x.vector, y.vector, type, CUSPARSE_SPSV_ALG_DEFAULT, sv, room));
    TIMED("SpSV_solve", a.shape(name_of(type)), cusparseSpSV_solve(handle, N, one(type), a.csr, x.vector, y.vector, type, CUSPARSE_SPSV_ALG_DEFAULT, sv));
    cusparseSpSM_bufferSize(handle, N, N, one(type), a.csr, xs.matrix, ys.matrix, type, CUSPARSE_SPSM_ALG_DEFAULT, sm, &bytes);
    TIMED("SpSM_analysis", a.shape(name_of(type), 8), cusparseSpSM_analysis(handle, N, N, one(type), a.csr, xs.matrix, ys.matrix, type, CUSPARSE_SPSM_ALG_DEFAULT, sm, room));
    TIMED("SpSM_solve", a.shape(name_of(type), 8), cusparseSpSM_solve(handle, N, N, one(type), a.csr, xs.matrix, ys.matrix, type, CUSPARSE_SPSM_ALG_DEFAULT, sm));
    cusparseSpSV_destroyDescr(sv);
    cusparseSpSM_destroyDescr(sm);
    if (type != CUDA_R_32F) return;
    int size = 0;
    csrilu02Info_t info;
    cusparseMatDescr_t descr;
    cusparseCreateMatDescr(&descr);
    cusparseCreateCsrilu02Info(&info);
    cusparseScsrilu02_bufferSize(handle, rows, a.nnz, descr, (float *)a.at, a.offsets, a.indices, info, &size);
    TIMED("csrilu02_analysis", a.shape("f32"),
          cusparseScsrilu02_analysis(handle, rows, a.nnz, descr, (float *)a.at, a.offsets, a.indices, info, CUSPARSE_SOLVE_POLICY_USE_LEVEL, room));
    TIMED("csrilu02", a.shape("f32"), cusparseScsrilu02(handle, rows, a.nnz, descr, (float *)a.at, a.offsets, a.indices, info, CUSPARSE_SOLVE_POLICY_USE_LEVEL, room));
    cusparseDestroyCsrilu02Info(info);
    cusparseDestroyMatDescr(descr);
}

static void sparse_product(int rows, int per_row, Pattern pattern)
{
    Sparse a(rows, per_row, pattern, CUDA_R_32F);
    cusparseSpMatDescr_t c;
    cusparseSpGEMMDescr_t descr;
    size_t bytes1 = 0, bytes2 = 0;
    int64_t m, n, nnz;
    int *offsets;
    cudaMalloc(&offsets, (rows + 1) * sizeof(int));
    cusparseCreateCsr(&c, rows, rows, 0, offsets, NULL, NULL, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    cusparseSpGEMM_createDescr(&descr);
    cusparseSpGEMM_workEstimation(handle, N, N, &ONEF, a.csr, a.csr, &ZEROF, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, descr, &bytes1, NULL);
    Room room1(bytes1);
    TIMED("SpGEMM_workEstimation", a.shape("f32"),
          cusparseSpGEMM_workEstimation(handle, N, N, &ONEF, a.csr, a.csr, &ZEROF, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, descr, &bytes1, room1));
    cusparseSpGEMM_compute(handle, N, N, &ONEF, a.csr, a.csr, &ZEROF, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, descr, &bytes2, NULL);
    Room room2(bytes2);
    TIMED("SpGEMM_compute", a.shape("f32"),
          cusparseSpGEMM_compute(handle, N, N, &ONEF, a.csr, a.csr, &ZEROF, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, descr, &bytes2, room2));
    cusparseSpMatGetSize(c, &m, &n, &nnz);
    Room columns(nnz * sizeof(int)), numbers(nnz * sizeof(float));
    cusparseCsrSetPointers(c, offsets, columns, numbers);
    TIMED("SpGEMM_copy", a.shape("f32"), cusparseSpGEMM_copy(handle, N, N, &ONEF, a.csr, a.csr, &ZEROF, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, descr));
    cusparseSpGEMM_destroyDescr(descr);
    cusparseDestroySpMat(c);
    cudaFree(offsets);
}

static void reorders(int rows, int per_row, Pattern pattern)
{
    Sparse a(rows, per_row, pattern, CUDA_R_32F);
    int nnz = a.nnz, total = 0;
    Room other(nnz * 4), columns(nnz * 4), numbers(nnz * 4), p(nnz * 4), offsets((rows + 1) * 4);
    cusparseMatDescr_t descr;
    cusparseCreateMatDescr(&descr);
    TIMED("csr2coo", a.shape("i32"), cusparseXcsr2coo(handle, a.offsets, nnz, rows, (int *)other.at, CUSPARSE_INDEX_BASE_ZERO));
    TIMED("coo2csr", a.shape("i32"), cusparseXcoo2csr(handle, a.row_of, nnz, rows, (int *)offsets.at, CUSPARSE_INDEX_BASE_ZERO));
    TIMED("identity", a.shape("i32"), cusparseCreateIdentityPermutation(handle, nnz, (int *)p.at));
    TIMED("csr2csc", a.shape("f32"),
          cusparseCsr2cscEx2(handle, rows, rows, nnz, a.at, a.offsets, a.indices, numbers, (int *)offsets.at, (int *)other.at, CUDA_R_32F, CUSPARSE_ACTION_NUMERIC,
                             CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG1, room));
    cudaMemcpy(columns, a.indices, nnz * 4, cudaMemcpyDeviceToDevice);
    cudaMemcpy(other, a.row_of, nnz * 4, cudaMemcpyDeviceToDevice);
    TIMED("coosortByColumn", a.shape("i32"), cusparseXcoosortByColumn(handle, rows, rows, nnz, (int *)other.at, (int *)columns.at, (int *)p.at, room));
    TIMED("coosortByRow", a.shape("i32"), cusparseXcoosortByRow(handle, rows, rows, nnz, (int *)other.at, (int *)columns.at, (int *)p.at, room));
    TIMED("csrsort", a.shape("i32"), cusparseXcsrsort(handle, rows, rows, nnz, descr, a.offsets, (int *)columns.at, (int *)p.at, room));
    TIMED("csr2bsrNnz", a.shape("i32"),
          cusparseXcsr2bsrNnz(handle, CUSPARSE_DIRECTION_ROW, rows, rows, descr, a.offsets, a.indices, 2, descr, (int *)offsets.at, &total));
    Room blocks((size_t)total * 16), block_columns((size_t)total * 4);
    TIMED("csr2bsr", a.shape("f32"),
          cusparseScsr2bsr(handle, CUSPARSE_DIRECTION_ROW, rows, rows, descr, (float *)a.at, a.offsets, a.indices, 2, descr, (float *)blocks.at, (int *)offsets.at,
                           (int *)block_columns.at));
    Plain x(CUDA_R_32F, rows), y(CUDA_R_32F, rows);
    TIMED("bsrmv", a.shape("f32"),
          cusparseSbsrmv(handle, CUSPARSE_DIRECTION_ROW, N, rows / 2, rows / 2, total, &ONEF, descr, (float *)blocks.at, (int *)offsets.at,
                         (int *)block_columns.at, 2, (float *)x.at, &ONEF, (float *)y.at));
    TIMED("csrgeam2Nnz", a.shape("i32"),
          cusparseXcsrgeam2Nnz(handle, rows, rows, descr, nnz, a.offsets, a.indices, descr, nnz, a.offsets, a.indices, descr, (int *)offsets.at, &total, room));
    TIMED("csrgeam2", a.shape("f32"),
          cusparseScsrgeam2(handle, rows, rows, &ONEF, descr, nnz, (float *)a.at, a.offsets, a.indices, &ONEF, descr, nnz, (float *)a.at, a.offsets, a.indices, descr,
                            (float *)numbers.at, (int *)offsets.at, (int *)columns.at, room));
    cusparseDestroyMatDescr(descr);
}

static void vectors(int nnz)
{
    const int n = nnz * 8;
    std::vector<int> at;
    for (int i = 0; i < nnz; i++)
        at.push_back(i * 8 + (i * 5) % 8);
    int *indices = upload(at);
    Plain x(CUDA_R_32F, nnz), y(CUDA_R_32F, n);
    cusparseSpVecDescr_t sparse;
    float result;
    cusparseCreateSpVec(&sparse, n, nnz, indices, x.at, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    TIMED("Axpby", SHAPE("%d of %d", nnz, n), cusparseAxpby(handle, &ONEF, sparse, &ONEF, y.vector));
    TIMED("Gather", SHAPE("%d of %d", nnz, n), cusparseGather(handle, y.vector, sparse));
    TIMED("Scatter", SHAPE("%d of %d", nnz, n), cusparseScatter(handle, sparse, y.vector));
    TIMED("Rot", SHAPE("%d of %d", nnz, n), cusparseRot(handle, &ONEF, &ONEF, sparse, y.vector));
    TIMED("SpVV", SHAPE("%d of %d", nnz, n), cusparseSpVV(handle, N, sparse, y.vector, &result, CUDA_R_32F, room));
    cusparseDestroySpVec(sparse);
    cudaFree(indices);
}

static void bands(int m, int n)
{
    Plain d[6] = {{CUDA_R_32F, m, n}, {CUDA_R_32F, m, n}, {CUDA_R_32F, m, n}, {CUDA_R_32F, m, n}, {CUDA_R_32F, m, n}, {CUDA_R_32F, m, n}};
    float *ds = (float *)d[0].at, *dl = (float *)d[1].at, *main_one = (float *)d[2].at, *du = (float *)d[3].at, *dw = (float *)d[4].at, *x = (float *)d[5].at;
    const char *shape = SHAPE("%d %d", m, n);
    std::vector<float> four((size_t)m * n, 4.f);
    cudaMemcpy(main_one, four.data(), four.size() * 4, cudaMemcpyHostToDevice);
    TIMED("gtsv2", shape, cusparseSgtsv2(handle, m, n, dl, main_one, du, x, m, room));
    TIMED("gtsv2_nopivot", shape, cusparseSgtsv2_nopivot(handle, m, n, dl, main_one, du, x, m, room));
    TIMED("gtsv2StridedBatch", shape, cusparseSgtsv2StridedBatch(handle, m, dl, main_one, du, x, n, m, room));
    TIMED("gtsvInterleavedBatch", shape, cusparseSgtsvInterleavedBatch(handle, 0, m, dl, main_one, du, x, n, room));
    cudaMemcpy(main_one, four.data(), four.size() * 4, cudaMemcpyHostToDevice);
    TIMED("gpsvInterleavedBatch", shape, cusparseSgpsvInterleavedBatch(handle, 0, m, ds, dl, main_one, du, dw, x, n, room));
}

static void dense(int n)
{
    Sparse a(n, 16, RANDOM, CUDA_R_32F);
    Plain b(CUDA_R_32F, n, n);
    TIMED("SparseToDense", a.shape("f32"), cusparseSparseToDense(handle, a.csr, b.matrix, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, room));
    TIMED("DenseToSparse_analysis", a.shape("f32"), cusparseDenseToSparse_analysis(handle, b.matrix, a.csr, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, room));
    TIMED("DenseToSparse_convert", a.shape("f32"), cusparseDenseToSparse_convert(handle, b.matrix, a.csr, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, room));
}

static void powers_of_two()
{
    const int sizes[] = {1 << 10, 1 << 14, 1 << 17, 1 << 20};
    for (int rows : sizes)
        for (int per_row = 4; per_row <= 64; per_row *= 4)
            for (int anywhere = 0; anywhere < 2; anywhere++)
                if ((size_t)rows * per_row <= (size_t)1 << 24) products(rows, per_row, (Pattern)anywhere, per_row == 16 ? CUDA_R_64F : CUDA_R_32F);
    products(1 << 17, 16, RANDOM, CUDA_R_32F);
    products(1 << 17, 16, RANDOM, CUDA_R_16F);
    for (int rows = 1 << 10; rows <= 1 << 18; rows <<= 4)
        for (int n = 8; n <= 128; n *= 4)
            for (int anywhere = 0; anywhere < 2; anywhere++)
                wide_products(rows, 16, (Pattern)anywhere, n == 32 ? CUDA_R_64F : CUDA_R_32F, n);
    wide_products(1 << 14, 32, RANDOM, CUDA_R_16F, 64);
    for (int rows = 1 << 10; rows <= 1 << 17; rows <<= 7)
        for (int anywhere = 0; anywhere < 2; anywhere++)
            solve(rows, 8, (Pattern)anywhere, anywhere ? CUDA_R_32F : CUDA_R_64F);
    solve(1 << 14, 4, RANDOM, CUDA_R_32F);
    solve(1 << 14, 16, RANDOM, CUDA_R_32F);
    for (int rows = 1 << 10; rows <= 1 << 16; rows <<= 3)
        sparse_product(rows, 8, rows & 1 << 13 ? RANDOM : BAND);
    for (int rows = 1 << 12; rows <= 1 << 18; rows <<= 3)
        reorders(rows, 16, RANDOM);
    for (int nnz = 1 << 10; nnz <= 1 << 22; nnz <<= 4)
        vectors(nnz);
    bands(1 << 10, 1);
    bands(1 << 10, 256);
    bands(1 << 14, 16);
    for (int n = 512; n <= 8192; n *= 4)
        dense(n);
}

/* Other sizes, and other patterns. */
static void others()
{
    const int sizes[][2] = {{5000, 8}, {30000, 12}, {60000, 40}, {200000, 6}, {300000, 20}};
    for (auto &s : sizes)
        for (int pattern = BAND; pattern <= GRID; pattern++)
            products(s[0], s[1], (Pattern)pattern, (s[0] / 1000 + pattern) % 3 == 0 ? CUDA_R_64F : CUDA_R_32F);
    const int wide[][3] = {{3000, 10, 16}, {20000, 24, 4}, {100000, 12, 64}};
    for (auto &w : wide)
        for (int pattern = RANDOM; pattern <= GRID; pattern++)
            wide_products(w[0], w[1], (Pattern)pattern, w[2] == 16 ? CUDA_R_64F : CUDA_R_32F, w[2]);
    const int ordered[][2] = {{4000, 6}, {20000, 10}, {60000, 5}};
    for (auto &s : ordered)
        for (Pattern pattern : {RANDOM, POWER, BLOCKS, GRID})
            solve(s[0], s[1], pattern, (s[1] + pattern) % 3 ? CUDA_R_32F : CUDA_R_64F);
    solve(3000, 5, BAND, CUDA_R_32F);
    sparse_product(3000, 6, RANDOM);
    sparse_product(10000, 10, POWER);
    sparse_product(20000, 5, GRID);
    sparse_product(40000, 8, BLOCKS);
    sparse_product(100000, 4, RANDOM);
    reorders(3000, 8, RANDOM);
    reorders(10000, 30, POWER);
    reorders(60000, 9, GRID);
    reorders(150000, 24, RANDOM);
    reorders(400000, 6, BAND);
    for (int nnz : {5000, 40000, 300000, 2000000})
        vectors(nnz);
    const int systems[][2] = {{200, 1}, {500, 64}, {2000, 32}, {4096, 4}, {100, 2000}};
    for (auto &s : systems)
        bands(s[0], s[1]);
    for (int n : {300, 1000, 3000})
        dense(n);
}

int main(int argc, char **argv)
{
    if (cusparseCreate(&handle)) return 1;
    cudaMalloc(&room, ROOM);
    if (argc < 2 || !std::strcmp(argv[1], "powers")) powers_of_two();
    if (argc < 2 || !std::strcmp(argv[1], "others")) others();
    mark<<<1, 1>>>();
    cudaDeviceSynchronize();
    return cusparseDestroy(handle);
}
