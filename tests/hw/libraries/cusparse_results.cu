/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of cuSPARSE with small operands, and what they compute: one line a call, with its status, the norm of the result and some
 * of its elements. cusparse-results.txt has the lines of a real GPU; results.py compares those of Softwarp's library with them. */
#include "cusparse_matrices.h"

static cusparseHandle_t handle;
#include "cusparse_conversions.h"
#include "cusparse_solvers.h"

static const cusparseOperation_t OPS[] = {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE,
                                          CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};
static const cusparseOrder_t ORDERS[] = {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW};
static const cudaDataType TYPES[] = {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F};
/* Of the matrix and x, of y, and of the computation. */
struct Mixed {
    cudaDataType a, c, compute;
};
static const Mixed MIXED[] = {{CUDA_R_32F, CUDA_R_32F, CUDA_R_32F},   {CUDA_R_64F, CUDA_R_64F, CUDA_R_64F},   {CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},
                              {CUDA_C_64F, CUDA_C_64F, CUDA_C_64F},   {CUDA_R_16F, CUDA_R_16F, CUDA_R_32F},   {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F},
                              {CUDA_R_16F, CUDA_R_32F, CUDA_R_32F},   {CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F},  {CUDA_R_8I, CUDA_R_32I, CUDA_R_32I},
                              {CUDA_R_8I, CUDA_R_32F, CUDA_R_32F},    {CUDA_C_16F, CUDA_C_16F, CUDA_C_32F},   {CUDA_C_16BF, CUDA_C_16BF, CUDA_C_32F},
                              {CUDA_R_16F, CUDA_R_16F, CUDA_R_16F},   {CUDA_R_32F, CUDA_R_64F, CUDA_R_64F},   {CUDA_R_32F, CUDA_R_32F, CUDA_R_64F},
                              {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_16BF}};

/* ---- vectors */

static void vectors()
{
    for (auto &mixed : MIXED)
        for (int wide = 0; wide < 2; wide++) {
            const int n = 50;
            cudaDataType type = mixed.a, index = wide ? CUDA_R_64I : CUDA_R_32I;
            std::vector<int> at = {1 + wide, 4, 9, 12, 25, 49 + wide};
            Array indices(index, at), values(type, at.size(), 1);
            cusparseSpVecDescr_t x = NULL;
            int status = cusparseCreateSpVec(&x, n, (int64_t)at.size(), indices.at, values.at, index_type(index), (cusparseIndexBase_t)wide, type);
            std::string shape = text("%d %d %d %d", type, mixed.c, mixed.compute, wide);
            if (status) STATUS("CreateSpVec", shape, status);
            {
                Vector y(mixed.c, n, 2);
                SHOW("Axpby", shape, cusparseAxpby(handle, Scalar(mixed.compute, 2, 1), x, Scalar(mixed.compute, -1, 0.5), y), y.values);
            }
            size_t bytes = 0;
            Vector y(type, n, 2);
            Array result(mixed.compute, 1, 5);
            for (int op = 0; op < 3; op += 2) {
                status = cusparseSpVV_bufferSize(handle, OPS[op], x, y, result.at, mixed.compute, &bytes);
                show_value("SpVV_bufferSize", shape + text(" %d", op), status, (double)bytes);
                Room room(bytes);
                cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE);
                SHOW("SpVV", shape + text(" %d", op), cusparseSpVV(handle, OPS[op], x, y, result.at, mixed.compute, room), result);
                cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST);
            }
            if (type == mixed.c && (type == mixed.compute || type == CUDA_R_16F || type == CUDA_R_16BF)) {
                Vector z(type, n, 3);
                SHOW("Rot", shape, cusparseRot(handle, Scalar(mixed.compute, 0.5), Scalar(mixed.compute, 0.75, 0.25), x, z), z.values);
                show("Rot", shape + " x", 0, values);
            }
            SHOW("Scatter", shape, cusparseScatter(handle, x, y), y.values);
            Vector z(type, n, 7);
            SHOW("Gather", shape, cusparseGather(handle, z, x), values);
            cusparseDestroySpVec(x);
        }
}

/* ---- matrix by vector */

static void multiply_vector(const Host &host, cusparseFormat_t format, const Mixed &mixed, int op, int algorithm, int base, int wide,
                            int block = 4, bool shows_bytes = false)
{
    cudaDataType offsets = wide ? CUDA_R_64I : CUDA_R_32I, indices = wide == 2 || (wide && format == CUSPARSE_FORMAT_COO) ? CUDA_R_64I : CUDA_R_32I;
    Matrix a(host, format, mixed.a, base, offsets, indices, block);
    Vector x(mixed.a, op ? host.rows : host.cols, 3), y(mixed.c, op ? host.cols : host.rows, 4);
    Scalar alpha(mixed.compute, 2, 0.5), beta(mixed.compute, -1, 0.25);
    std::string shape = text("%d: %d %d %d", format, mixed.a, mixed.c, mixed.compute) + text(" %d alg %d base %d wide %d block %d", op, algorithm, base, wide, block);
    size_t bytes = 0;
    int status = cusparseSpMV_bufferSize(handle, OPS[op], alpha, a, x, beta, y, mixed.compute, (cusparseSpMVAlg_t)algorithm, &bytes);
    if (shows_bytes || status) show_value("SpMV_bufferSize", shape, status, (double)bytes);
    Room room(bytes);
    if (algorithm == CUSPARSE_SPMV_CSR_ALG1)
        STATUS("SpMV_preprocess", shape,
               cusparseSpMV_preprocess(handle, OPS[op], alpha, a, x, beta, y, mixed.compute, (cusparseSpMVAlg_t)algorithm, room));
    SHOW("SpMV", shape, cusparseSpMV(handle, OPS[op], alpha, a, x, beta, y, mixed.compute, (cusparseSpMVAlg_t)algorithm, room), y.values);
}
static void matrix_vector()
{
    Host host = random_matrix(36, 28, 20, 11), tall = random_matrix(300, 60, 5, 12);
    const cusparseFormat_t formats[] = {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO, CUSPARSE_FORMAT_BSR,
                                        CUSPARSE_FORMAT_SLICED_ELLPACK};
    for (auto format : formats)
        for (auto &mixed : MIXED)
            for (int op = 0; op < 3; op++)
                multiply_vector(host, format, mixed, op, CUSPARSE_SPMV_ALG_DEFAULT, op & 1, 0, 4, op == 0);
    for (auto format : formats)
        for (int wide = 0; wide < 3; wide++)
            for (int base = 0; base < 2; base++)
                multiply_vector(tall, format, MIXED[wide], 0, CUSPARSE_SPMV_ALG_DEFAULT, base, wide, format == CUSPARSE_FORMAT_SLICED_ELLPACK ? 32 : 2,
                                true);
    for (auto format : formats)
        for (int algorithm = 0; algorithm < 8; algorithm++)
            multiply_vector(host, format, MIXED[0], algorithm & 1, algorithm, 0, 0);
}

/* ---- matrix by matrix */

static void multiply_matrix(const Host &host, cusparseFormat_t format, const Mixed &mixed, int op_a, int op_b, int order_b, int order_c,
                            int algorithm, int batch = 1, int base = 0, bool shows_bytes = false)
{
    const int n = 9;
    int rows = op_a ? host.cols : host.rows, inner = op_a ? host.rows : host.cols;
    Matrix a(host, format, mixed.a, base);
    Dense b(mixed.a, op_b ? n : inner, op_b ? inner : n, ORDERS[order_b], 5, batch), c(mixed.c, rows, n, ORDERS[order_c], 6, batch);
    if (batch > 1 && format == CUSPARSE_FORMAT_CSR) cusparseCsrSetStridedBatch(a, batch, 0, 0);
    if (batch > 1 && format == CUSPARSE_FORMAT_COO) cusparseCooSetStridedBatch(a, batch, 0);
    if (batch > 1 && format == CUSPARSE_FORMAT_BSR) cusparseBsrSetStridedBatch(a, batch, 0, 0, 0);
    Scalar alpha(mixed.compute, 2, 0.5), beta(mixed.compute, -1, 0.25);
    std::string shape = text("%d: %d %d %d", format, mixed.a, mixed.c, mixed.compute) +
                        text(" ops %d%d orders %d%d alg %d batch %d", op_a, op_b, order_b, order_c, algorithm, batch);
    size_t bytes = 0;
    cusparseSpMMAlg_t alg = (cusparseSpMMAlg_t)algorithm;
    int status = cusparseSpMM_bufferSize(handle, OPS[op_a], OPS[op_b], alpha, a, b, beta, c, mixed.compute, alg, &bytes);
    if (status || shows_bytes) show_value("SpMM_bufferSize", shape, status, (double)bytes);
    Room room(bytes);
    if (algorithm) STATUS("SpMM_preprocess", shape, cusparseSpMM_preprocess(handle, OPS[op_a], OPS[op_b], alpha, a, b, beta, c, mixed.compute, alg, room));
    SHOW("SpMM", shape, cusparseSpMM(handle, OPS[op_a], OPS[op_b], alpha, a, b, beta, c, mixed.compute, alg, room), c.values);
}
static void matrix_matrix()
{
    Host host = random_matrix(32, 24, 20, 13);
    const cusparseFormat_t formats[] = {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO, CUSPARSE_FORMAT_BSR, CUSPARSE_FORMAT_BLOCKED_ELL};
    for (auto format : formats) {
        for (auto &mixed : MIXED)
            multiply_matrix(host, format, mixed, 0, 0, 0, 0, 0, 1, 0, true);
        for (int ops = 0; ops < 9; ops++)
            for (int orders = 0; orders < 4; orders++)
                multiply_matrix(host, format, MIXED[2], ops / 3, ops % 3, orders & 1, orders >> 1, 0);
        const int algorithms[] = {1, 2, 3, 4, 5, 6, 12, 13, 14, 99};
        for (int algorithm : algorithms)
            multiply_matrix(host, format, MIXED[0], 0, 0, 1, 1, algorithm);
        multiply_matrix(host, format, MIXED[0], 0, 0, 0, 0, 0, 3, 1);
        multiply_matrix(host, format, MIXED[1], 0, 1, 1, 1, format == CUSPARSE_FORMAT_CSR ? 6 : 0, 2, 1);
    }
}

static void sampled()
{
    Host host = random_matrix(32, 24, 20, 14);
    const cusparseFormat_t formats[] = {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO, CUSPARSE_FORMAT_BSR};
    const int k = 13;
    for (auto format : formats)
        for (auto &mixed : MIXED)
            for (int i = 0; i < (mixed.a == CUDA_C_32F ? 16 : 2); i++) {
                int op_a = i / 4 % 2, op_b = i / 8 % 2, batch = i == 1 ? 2 : 1;
                Matrix c(host, format, mixed.c, i & 1);
                if (batch > 1 && format == CUSPARSE_FORMAT_CSR) continue;
                Dense a(mixed.a, op_a ? k : 32, op_a ? 32 : k, ORDERS[i & 1], 8), b(mixed.a, op_b ? 24 : k, op_b ? k : 24, ORDERS[i >> 1 & 1], 9);
                std::string shape = text("%d: %d %d %d", format, mixed.a, mixed.c, mixed.compute) + text(" ops %d%d orders %d", op_a, op_b, i & 3);
                Scalar alpha(mixed.compute, 2, 0.5), beta(mixed.compute, -1, 0.25);
                size_t bytes = 0;
                int status = cusparseSDDMM_bufferSize(handle, OPS[op_a], OPS[op_b], alpha, a, b, beta, c, mixed.compute, CUSPARSE_SDDMM_ALG_DEFAULT, &bytes);
                if (status || i == 0) show_value("SDDMM_bufferSize", shape, status, (double)bytes);
                Room room(bytes);
                if (i == 0) STATUS("SDDMM_preprocess", shape, cusparseSDDMM_preprocess(handle, OPS[op_a], OPS[op_b], alpha, a, b, beta, c, mixed.compute, CUSPARSE_SDDMM_ALG_DEFAULT, room));
                SHOW("SDDMM", shape, cusparseSDDMM(handle, OPS[op_a], OPS[op_b], alpha, a, b, beta, c, mixed.compute, CUSPARSE_SDDMM_ALG_DEFAULT, room), c.values);
            }
}

/* ---- products of sparse matrices */

static void sparse_product(cudaDataType type, int algorithm, int op, int base)
{
    Host left = random_matrix(30, 26, 12, 21), right = random_matrix(26, 34, 12, 22);
    Matrix a(left, CUSPARSE_FORMAT_CSR, type, base), b(right, CUSPARSE_FORMAT_CSR, type, base);
    Array offsets(CUDA_R_32I, zeros(31));
    cusparseSpMatDescr_t c;
    cusparseSpGEMMDescr_t descr;
    cusparseSpGEMMAlg_t alg = (cusparseSpGEMMAlg_t)algorithm;
    Scalar alpha(type, 2, 0.5), beta(type, 0);
    size_t bytes1 = 0, bytes2 = 0, bytes3 = 0;
    std::string shape = text("%d alg %d op %d base %d", type, algorithm, op, base);
    cusparseCreateCsr(&c, 30, 34, 0, offsets.at, NULL, NULL, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, (cusparseIndexBase_t)base, type);
    cusparseSpGEMM_createDescr(&descr);
    int status = cusparseSpGEMM_workEstimation(handle, OPS[op], OPS[0], alpha, a, b, beta, c, type, alg, descr, &bytes1, NULL);
    show_value("SpGEMM_workEstimation", shape, status, (double)bytes1);
    if (!status) {
        Room room1(bytes1);
        STATUS("SpGEMM_workEstimation", shape, cusparseSpGEMM_workEstimation(handle, OPS[op], OPS[0], alpha, a, b, beta, c, type, alg, descr, &bytes1, room1));
        int64_t products = 0, rows, cols, nnz;
        status = cusparseSpGEMM_getNumProducts(descr, &products);
        show_value("SpGEMM_getNumProducts", shape, status, (double)products);
        Room room3(1 << 20);
        if (algorithm == CUSPARSE_SPGEMM_ALG2 || algorithm == CUSPARSE_SPGEMM_ALG3) {
            STATUS("SpGEMM_estimateMemory", shape, cusparseSpGEMM_estimateMemory(handle, OPS[op], OPS[0], alpha, a, b, beta, c, type, alg, descr, 0.5f, &bytes3, NULL, NULL));
            STATUS("SpGEMM_estimateMemory", shape, cusparseSpGEMM_estimateMemory(handle, OPS[op], OPS[0], alpha, a, b, beta, c, type, alg, descr, 0.5f, &bytes3, room3, &bytes2));
        } else {
            status = cusparseSpGEMM_compute(handle, OPS[op], OPS[0], alpha, a, b, beta, c, type, alg, descr, &bytes2, NULL);
            show_value("SpGEMM_compute", shape, status, (double)bytes2);
        }
        Room room2(bytes2);
        STATUS("SpGEMM_compute", shape, cusparseSpGEMM_compute(handle, OPS[op], OPS[0], alpha, a, b, beta, c, type, alg, descr, &bytes2, room2));
        cusparseSpMatGetSize(c, &rows, &cols, &nnz);
        show_value("SpGEMM", shape + " nnz", 0, (double)nnz);
        Array indices(CUDA_R_32I, zeros((size_t)nnz)), values(type, zeros((size_t)nnz));
        cusparseCsrSetPointers(c, offsets.at, indices.at, values.at);
        SHOW("SpGEMM", shape, cusparseSpGEMM_copy(handle, OPS[op], OPS[0], alpha, a, b, beta, c, type, alg, descr), values);
        show("SpGEMM", shape + " offsets", 0, offsets);
        show("SpGEMM", shape + " indices", 0, indices);
    }
    cusparseSpGEMM_destroyDescr(descr);
    cusparseDestroySpMat(c);
}
static void sparse_product_reuse(cudaDataType type)
{
    Host left = random_matrix(30, 26, 12, 21), right = random_matrix(26, 34, 12, 22);
    Matrix a(left, CUSPARSE_FORMAT_CSR, type), b(right, CUSPARSE_FORMAT_CSR, type);
    Array offsets(CUDA_R_32I, zeros(31));
    cusparseSpMatDescr_t c;
    cusparseSpGEMMDescr_t descr;
    cusparseSpGEMMAlg_t alg = CUSPARSE_SPGEMM_DEFAULT;
    size_t s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0;
    int64_t rows, cols, nnz;
    std::string shape = text("%d", type);
    cusparseCreateCsr(&c, 30, 34, 0, offsets.at, NULL, NULL, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type);
    cusparseSpGEMM_createDescr(&descr);
    int status = cusparseSpGEMMreuse_workEstimation(handle, OPS[0], OPS[0], a, b, c, alg, descr, &s1, NULL);
    show_value("SpGEMMreuse_workEstimation", shape, status, (double)s1);
    Room r1(s1);
    STATUS("SpGEMMreuse_workEstimation", shape, cusparseSpGEMMreuse_workEstimation(handle, OPS[0], OPS[0], a, b, c, alg, descr, &s1, r1));
    STATUS("SpGEMMreuse_nnz", shape, cusparseSpGEMMreuse_nnz(handle, OPS[0], OPS[0], a, b, c, alg, descr, &s2, NULL, &s3, NULL, &s4, NULL));
    show_value("SpGEMMreuse_nnz_bytes", shape, 0, (double)(s2 + s3 + s4));
    Room r2(s2), r3(s3), r4(s4);
    STATUS("SpGEMMreuse_nnz", shape, cusparseSpGEMMreuse_nnz(handle, OPS[0], OPS[0], a, b, c, alg, descr, &s2, r2, &s3, r3, &s4, r4));
    cusparseSpMatGetSize(c, &rows, &cols, &nnz);
    show_value("SpGEMMreuse", shape + " nnz", 0, (double)nnz);
    Array indices(CUDA_R_32I, zeros((size_t)nnz)), values(type, (size_t)nnz, 3);
    cusparseCsrSetPointers(c, offsets.at, indices.at, values.at);
    STATUS("SpGEMMreuse_copy", shape, cusparseSpGEMMreuse_copy(handle, OPS[0], OPS[0], a, b, c, alg, descr, &s5, NULL));
    Room r5(s5);
    STATUS("SpGEMMreuse_copy", shape, cusparseSpGEMMreuse_copy(handle, OPS[0], OPS[0], a, b, c, alg, descr, &s5, r5));
    show("SpGEMMreuse", shape + " indices", 0, indices);
    for (int turn = 0; turn < 2; turn++) {
        Scalar alpha(type, 2, 0.5), beta(type, turn);
        SHOW("SpGEMMreuse_compute", shape + text(" %d", turn), cusparseSpGEMMreuse_compute(handle, OPS[0], OPS[0], alpha, a, b, beta, c, type, alg, descr), values);
        Array other(type, a.values.count, 77);
        cudaMemcpy(a.values.at, other.at, other.count * bytes_of(type), cudaMemcpyDeviceToDevice);
    }
    cusparseSpGEMM_destroyDescr(descr);
    cusparseDestroySpMat(c);
}

/* ---- to and from dense */

static void dense_conversions()
{
    Host host = random_matrix(32, 24, 20, 15);
    const cusparseFormat_t formats[] = {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO, CUSPARSE_FORMAT_BSR, CUSPARSE_FORMAT_BLOCKED_ELL,
                                        CUSPARSE_FORMAT_SLICED_ELLPACK};
    const cudaDataType types[] = {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F, CUDA_R_16F, CUDA_R_16BF, CUDA_R_8I, CUDA_C_16F};
    for (auto format : formats)
        for (auto type : types)
            for (int order = 0; order < 2; order++) {
                Matrix a(host, format, type, order);
                Dense b(type, 32, 24, ORDERS[order], 4);
                std::string shape = text("%d: %d order %d", format, type, order);
                size_t bytes = 0;
                int status = cusparseSparseToDense_bufferSize(handle, a, b, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &bytes);
                show_value("SparseToDense_bufferSize", shape, status, (double)bytes);
                Room room(bytes);
                SHOW("SparseToDense", shape, cusparseSparseToDense(handle, a, b, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, room), b.values);
            }
    for (int format = 1; format <= 5; format += format == 3 ? 2 : 1)
        for (auto type : types)
            for (int order = 0; order < 2; order++) {
                Matrix from(host, CUSPARSE_FORMAT_CSR, type);
                Dense a(type, 32, 24, ORDERS[order], 4);
                Room first(1 << 16);
                cusparseSparseToDense(handle, from, a, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, first);
                Array offsets(CUDA_R_32I, zeros(33)), indices(CUDA_R_32I, zeros(0)), values(type, zeros(0));
                cusparseSpMatDescr_t b = NULL;
                int status, width = 0;
                if (format == CUSPARSE_FORMAT_CSR)
                    status = cusparseCreateCsr(&b, 32, 24, 0, offsets.at, NULL, NULL, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, (cusparseIndexBase_t)order, type);
                else if (format == CUSPARSE_FORMAT_CSC)
                    status = cusparseCreateCsc(&b, 32, 24, 0, offsets.at, NULL, NULL, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, (cusparseIndexBase_t)order, type);
                else if (format == CUSPARSE_FORMAT_COO)
                    status = cusparseCreateCoo(&b, 32, 24, 0, NULL, NULL, NULL, CUSPARSE_INDEX_32I, (cusparseIndexBase_t)order, type);
                else {
                    Lists lists = ell_of(host, order, 4, &width);
                    indices.set(Numbers(lists.indices.begin(), lists.indices.end()));
                    values.set(zeros(lists.values.size()));
                    status = cusparseCreateBlockedEll(&b, 32, 24, 4, width, indices.at, values.at, CUSPARSE_INDEX_32I, (cusparseIndexBase_t)order, type);
                }
                std::string shape = text("%d: %d order %d", format, type, order);
                size_t bytes = 0;
                int64_t rows, cols, nnz = 0;
                if (status) STATUS("Create", shape, status);
                status = cusparseDenseToSparse_bufferSize(handle, a, b, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &bytes);
                show_value("DenseToSparse_bufferSize", shape, status, (double)bytes);
                Room room(bytes);
                STATUS("DenseToSparse_analysis", shape, cusparseDenseToSparse_analysis(handle, a, b, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, room));
                cusparseSpMatGetSize(b, &rows, &cols, &nnz);
                show_value("DenseToSparse", shape + " nnz", 0, (double)nnz);
                if (format != CUSPARSE_FORMAT_BLOCKED_ELL) {
                    indices.set(zeros((size_t)nnz));
                    values.set(zeros((size_t)nnz));
                }
                if (format == CUSPARSE_FORMAT_COO) offsets.set(zeros((size_t)nnz));
                if (format == CUSPARSE_FORMAT_CSR) cusparseCsrSetPointers(b, offsets.at, indices.at, values.at);
                if (format == CUSPARSE_FORMAT_CSC) cusparseCscSetPointers(b, offsets.at, indices.at, values.at);
                if (format == CUSPARSE_FORMAT_COO) cusparseCooSetPointers(b, offsets.at, indices.at, values.at);
                SHOW("DenseToSparse_convert", shape, cusparseDenseToSparse_convert(handle, a, b, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, room), values);
                show("DenseToSparse", shape + " indices", 0, indices);
                if (format != CUSPARSE_FORMAT_BLOCKED_ELL) show("DenseToSparse", shape + " offsets", 0, offsets);
                cusparseDestroySpMat(b);
            }
}

static void sparse_products()
{
    for (auto type : TYPES)
        for (int algorithm = 0; algorithm < 6; algorithm++)
            sparse_product(type, algorithm, 0, 0);
    sparse_product(CUDA_R_32F, 0, 0, 1);
    sparse_product(CUDA_R_32F, 0, 1, 0);
    sparse_product(CUDA_R_16F, 0, 0, 0);
}
static void sparse_products_reused()
{
    for (auto type : TYPES)
        sparse_product_reuse(type);
}

/* One part alone, by its number, or all. */
int main(int count, char **arguments)
{
    static void (*const PARTS[])() = {vectors,           matrix_vector, matrix_matrix, sampled,      sparse_products, sparse_products_reused,
                                      dense_conversions, solves,        factors,       conversions, mistakes};
    int only = count > 1 ? std::atoi(arguments[1]) : -1;
    std::setvbuf(stdout, NULL, _IOLBF, 0);
    if (cusparseCreate(&handle)) return 1;
    for (int part = 0; part < (int)(sizeof PARTS / sizeof *PARTS); part++)
        if (only < 0 || only == part) PARTS[part]();
    return cusparseDestroy(handle) || cudaDeviceSynchronize();
}
