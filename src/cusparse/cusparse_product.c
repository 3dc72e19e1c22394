/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: SpMV, SpMM and SDDMM. Method: which types, formats and operations go together is NVIDIA's
 * documentation, and its library's answers on an H200 (tests/hw/libraries); every algorithm is the same here.
 * Limits: buffers are asked for in the sizes of CSR on an H200, and not used. */
#include "cusparse_priv.h"

#include <stdlib.h>

/* ---- what goes together */

struct combination {
    cudaDataType a, x, y, compute;
};

static bool is_one_of(const struct combination *list, size_t count, const struct combination *wanted)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].a == wanted->a && list[i].x == wanted->x && list[i].y == wanted->y &&
            list[i].compute == wanted->compute)
            return true;
    return false;
}

/* Of all products. */
static bool is_common(const struct combination *wanted)
{
    static const struct combination COMMON[] = {{CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F},
                                                {CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F},
                                                {CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},
                                                {CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F},
                                                {CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_32F},
                                                {CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUDA_R_32F},
                                                {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F},
                                                {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F},
                                                {CUDA_R_8I, CUDA_R_8I, CUDA_R_32I, CUDA_R_32I},
                                                {CUDA_R_8I, CUDA_R_8I, CUDA_R_32F, CUDA_R_32F},
                                                {CUDA_C_16F, CUDA_C_16F, CUDA_C_16F, CUDA_C_32F},
                                                {CUDA_C_16BF, CUDA_C_16BF, CUDA_C_16BF, CUDA_C_32F},
                                                {CUDA_C_16F, CUDA_C_16F, CUDA_C_32F, CUDA_C_32F},
                                                {CUDA_C_16BF, CUDA_C_16BF, CUDA_C_32F, CUDA_C_32F}};
    return is_one_of(COMMON, SW_COUNT_OF(COMMON), wanted);
}

/* A matrix of fewer bits, or a real one, by a vector of more: of SpMV alone. */
static bool is_wider(const struct combination *wanted)
{
    static const struct combination WIDER[] = {{CUDA_R_32F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F},
                                               {CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},
                                               {CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F},
                                               {CUDA_C_32F, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F}};
    return is_one_of(WIDER, SW_COUNT_OF(WIDER), wanted);
}

static bool is_ell_type(const struct combination *wanted)
{
    static const struct combination ELL[] = {{CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F},
                                             {CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_32F},
                                             {CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUDA_R_32F},
                                             {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F},
                                             {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F},
                                             {CUDA_R_8I, CUDA_R_8I, CUDA_R_32I, CUDA_R_32I},
                                             {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F},
                                             {CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F}};
    return is_one_of(ELL, SW_COUNT_OF(ELL), wanted);
}

/* An algorithm of a format; formats: bit CUSPARSE_FORMAT_... */
static bool fits(const uint16_t *formats, size_t count, int algorithm, cusparseFormat_t format)
{
    return algorithm >= 0 && (size_t)algorithm < count && formats[algorithm] >> format & 1;
}

#define F(name) (1u << CUSPARSE_FORMAT_##name)
static bool mv_algorithm(int algorithm, cusparseFormat_t format)
{
    static const uint16_t FORMATS[] = {[CUSPARSE_SPMV_ALG_DEFAULT] =
                                           F(CSR) | F(CSC) | F(COO) | F(BSR) | F(SLICED_ELLPACK),
                                       [CUSPARSE_SPMV_COO_ALG1] = F(COO),
                                       [CUSPARSE_SPMV_CSR_ALG1] = F(CSR) | F(CSC),
                                       [CUSPARSE_SPMV_CSR_ALG2] = F(CSR) | F(CSC),
                                       [CUSPARSE_SPMV_COO_ALG2] = F(COO),
                                       [CUSPARSE_SPMV_SELL_ALG1] = F(SLICED_ELLPACK),
                                       [CUSPARSE_SPMV_BSR_ALG1] = F(BSR)};
    return fits(FORMATS, SW_COUNT_OF(FORMATS), algorithm, format);
}

static bool mm_algorithm(int algorithm, cusparseFormat_t format)
{
    static const uint16_t FORMATS[] = {[CUSPARSE_SPMM_ALG_DEFAULT] =
                                           F(CSR) | F(CSC) | F(COO) | F(BSR) | F(BLOCKED_ELL),
                                       [CUSPARSE_SPMM_COO_ALG1] = F(COO),
                                       [CUSPARSE_SPMM_COO_ALG2] = F(COO),
                                       [CUSPARSE_SPMM_COO_ALG3] = F(COO),
                                       [CUSPARSE_SPMM_CSR_ALG1] = F(CSR) | F(CSC),
                                       [CUSPARSE_SPMM_COO_ALG4] = F(COO),
                                       [CUSPARSE_SPMM_CSR_ALG2] = F(CSR) | F(CSC),
                                       [CUSPARSE_SPMM_CSR_ALG3] = F(CSR),
                                       [CUSPARSE_SPMM_BLOCKED_ELL_ALG1] = F(BLOCKED_ELL),
                                       [CUSPARSE_SPMM_BSR_ALG1] = F(BSR)};
    return fits(FORMATS, SW_COUNT_OF(FORMATS), algorithm, format);
}

static size_t buffer_bytes(void)
{
    enum { LEAST = 11 }; /* recorded on an H200, of CSR */
    return LEAST;
}

/* ---- SpMV */

/* Copies of what does not stand as loops want it; scatters: a's transpose, whose columns a's rows are. */
static bool run_mv_copied(const struct cusparse_job *job, const struct sparse_matrix *m,
                          enum sparse_op turned, bool scatters, const void *x, void *y)
{
    union sparse_scalar alpha = cusparse_scalar_value(&job->alpha, job->type);
    union sparse_scalar beta = cusparse_scalar_value(&job->beta, job->type);
    struct sparse_csr a;
    bool good = sparse_csr_of(m, job->type, turned, &a);
    if (good && scatters)
        sparse_mv_transposed(&a, job->op_a == SPARSE_H ? SPARSE_H : SPARSE_T, alpha, x, beta, y);
    else if (good)
        sparse_mv(&a, alpha, x, beta, y);
    sparse_csr_release(&a);
    return good;
}

static int run_mv(const struct cusparse_job *job)
{
    bool by_columns = job->a.m.format == SPARSE_CSC; /* the rows of its transpose */
    bool scatters = (job->op_a != SPARSE_N) != by_columns && !(by_columns && job->op_a == SPARSE_H);
    struct sparse_matrix m = job->a.m;
    struct sparse_dense x, y;
    enum sparse_op turned = by_columns && job->op_a == SPARSE_H ? SPARSE_H : SPARSE_N;
    if (by_columns && turned == SPARSE_N) {
        m.format = SPARSE_CSR;
        m.rows = job->a.m.cols;
        m.cols = job->a.m.rows;
    }
    sparse_dense_open(&job->x.m, job->type, &x);
    sparse_dense_open(&job->y.m, job->type, &y);
    bool good = !scatters && turned == SPARSE_N && sparse_mv_stands(&m, job->type)
                    ? sparse_mv_in_place(&m, job->type, cusparse_scalar_value(&job->alpha, job->type),
                                         x.values, cusparse_scalar_value(&job->beta, job->type), y.values)
                    : run_mv_copied(job, &m, turned, scatters, x.values, y.values);
    sparse_dense_close(&x, &job->x.m, false);
    sparse_dense_close(&y, &job->y.m, good);
    return good ? 0 : cusparse_bad_index(job);
}

static cusparseStatus_t mv_check(cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t a,
                                 cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y,
                                 cudaDataType compute, cusparseSpMVAlg_t algorithm)
{
    enum sparse_op plain;
    CUSPARSE_REFUSE_IF(!cusparse_op(op, &plain) || !alpha || CUSPARSE_GONE(a) || CUSPARSE_GONE(x) || !beta ||
                       CUSPARSE_GONE(y));
    bool turned = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    CUSPARSE_REFUSE_IF(x->size != (turned ? a->rows : a->cols) || y->size != (turned ? a->cols : a->rows));
    CUSPARSE_REFUSE_IF(!mv_algorithm((int)algorithm, a->format));
    struct combination types = {a->type, x->type, y->type, compute};
    if (!is_common(&types) && !is_wider(&types)) return CUSPARSE_STATUS_NOT_SUPPORTED;
    CUSPARSE_REFUSE_IF(op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE && !cusparse_is_complex(compute));
    return turned && a->format == CUSPARSE_FORMAT_BSR ? CUSPARSE_STATUS_NOT_SUPPORTED
                                                      : CUSPARSE_STATUS_SUCCESS;
}

/* Elements that are multiplied with, of any format. */
static uint64_t elements_of(cusparseConstSpMatDescr_t a)
{
    if (a->format == CUSPARSE_FORMAT_SLICED_ELLPACK) return (uint64_t)a->stored;
    return (uint64_t)a->nnz * (a->format == CUSPARSE_FORMAT_BSR ? (uint64_t)(a->block * a->block) : 1);
}

static void describe(struct cusparse_job *job, cusparseConstSpMatDescr_t a, int64_t columns)
{
    bool is_complex = job->type == SPARSE_C || job->type == SPARSE_Z;
    static const char *const NAMES[] = {
        [CUSPARSE_FORMAT_CSR] = "CSR", [CUSPARSE_FORMAT_CSC] = "CSC",
        [CUSPARSE_FORMAT_COO] = "COO", [CUSPARSE_FORMAT_BLOCKED_ELL] = "blocked ELL",
        [CUSPARSE_FORMAT_BSR] = "BSR", [CUSPARSE_FORMAT_SLICED_ELLPACK] = "sliced ELL"};
    bool is_list = a->format == CUSPARSE_FORMAT_COO;
    job->kind = EVENT_ROUTINE_SPARSE;
    job->method = (uint8_t)(columns > 1 ? is_list ? EVENT_METHOD_COO_ROWS : EVENT_METHOD_CSR_ROWS
                            : is_list   ? EVENT_METHOD_COO
                            : job->op_a ? EVENT_METHOD_CSR_TRANSPOSED
                                        : EVENT_METHOD_CSR);
    job->m = (uint64_t)a->rows;
    job->n = (uint64_t)columns;
    job->k = elements_of(a);
    job->flops =
        job->k * (uint64_t)columns * (is_complex ? 8 : 2) * (uint64_t)(job->batch > 1 ? job->batch : 1);
    cusparse_shape(job, "%s, m %lld, n %lld, nnz %lld%s", NAMES[a->format], (long long)a->rows,
                   (long long)a->cols, (long long)job->k, job->op_a ? ", T" : "");
}

CUSPARSE cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                      cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta,
                      cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t algorithm, void *buffer)
{
    struct cusparse_job job = {.name = "cusparseSpMV", .run = run_mv, .type = cusparse_compute(compute)};
    (void)buffer;
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_TRY(mv_check(op, alpha, a, x, beta, y, compute, algorithm));
    job.op_a = (enum sparse_op)op;
    CUSPARSE_TRY(cusparse_scalar_get(handle, alpha, compute, &job.alpha));
    CUSPARSE_TRY(cusparse_scalar_get(handle, beta, compute, &job.beta));
    CUSPARSE_TRY(cusparse_take_sparse(&job, a, CUSPARSE_READS | CUSPARSE_PATTERN, &job.a));
    CUSPARSE_TRY(cusparse_take_vector(&job, x, CUSPARSE_READS, &job.x));
    CUSPARSE_TRY(cusparse_take_vector(
        &job, y, CUSPARSE_WRITES | (cusparse_is_zero(&job.beta) ? 0 : CUSPARSE_READS), &job.y));
    describe(&job, a, 1);
    if (algorithm == CUSPARSE_SPMV_CSR_ALG2 && !job.op_a) job.method = EVENT_METHOD_CSR_ORDERED;
    return cusparse_queue(handle, &job);
}

CUSPARSE cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                                 cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta,
                                 cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t algorithm,
                                 size_t *bytes)
{
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_TRY(mv_check(op, alpha, a, x, beta, y, compute, algorithm));
    if (!bytes) return CUSPARSE_STATUS_NOT_SUPPORTED; /* recorded on an H200 */
    *bytes = buffer_bytes();
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                                 cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta,
                                 cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t algorithm,
                                 void *buffer)
{
    (void)buffer;
    CUSPARSE_TRY(cusparse_enter(handle));
    return mv_check(op, alpha, a, x, beta, y, compute, algorithm);
}

/* ---- SpMM */

static int run_mm(const struct cusparse_job *job)
{
    union sparse_scalar alpha = cusparse_scalar_value(&job->alpha, job->type);
    union sparse_scalar beta = cusparse_scalar_value(&job->beta, job->type);
    bool good = true;
    for (int i = 0; i < job->batch && good; i++) {
        struct sparse_matrix m = cusparse_sparse_at(&job->a, i);
        struct sparse_dense_source b_source = cusparse_dense_at(&job->x, i),
                                   c_source = cusparse_dense_at(&job->y, i);
        struct sparse_csr a;
        struct sparse_dense b, c;
        good = sparse_csr_of(&m, job->type, job->op_a, &a);
        if (good) {
            sparse_dense_rows(&b_source, job->type, job->op_b, &b);
            sparse_dense_open(&c_source, job->type, &c);
            sparse_mm(&a, alpha, &b, beta, &c);
            sparse_dense_close(&b, &b_source, false);
            sparse_dense_close(&c, &c_source, true);
        }
        sparse_csr_release(&a);
    }
    return good ? 0 : cusparse_bad_index(job);
}

static cusparseStatus_t mm_sizes(cusparseOperation_t op_a, cusparseOperation_t op_b,
                                 cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                 cusparseConstDnMatDescr_t c)
{
    int64_t m = op_a ? a->cols : a->rows, k = op_a ? a->rows : a->cols;
    CUSPARSE_REFUSE_IF((op_b ? b->cols : b->rows) != k || (op_b ? b->rows : b->cols) != c->cols ||
                       c->rows != m);
    CUSPARSE_REFUSE_IF(a->batch > 1 && a->batch != c->batch);
    CUSPARSE_REFUSE_IF(b->batch > 1 && b->batch != c->batch);
    bool batches = c->batch > 1;
    CUSPARSE_REFUSE_IF(batches &&
                       (a->format == CUSPARSE_FORMAT_CSC || a->format == CUSPARSE_FORMAT_BLOCKED_ELL));
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t mm_check(cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,
                                 cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, const void *beta,
                                 cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpMMAlg_t algorithm)
{
    enum sparse_op plain;
    CUSPARSE_REFUSE_IF(!cusparse_op(op_a, &plain) || !cusparse_op(op_b, &plain));
    CUSPARSE_REFUSE_IF(!alpha || CUSPARSE_GONE(a) || CUSPARSE_GONE(b) || !beta || CUSPARSE_GONE(c));
    CUSPARSE_TRY(mm_sizes(op_a, op_b, a, b, c));
    CUSPARSE_REFUSE_IF(!mm_algorithm((int)algorithm, a->format));
    struct combination types = {a->type, b->type, c->type, compute};
    bool is_ell = a->format == CUSPARSE_FORMAT_BLOCKED_ELL, is_bsr = a->format == CUSPARSE_FORMAT_BSR;
    if (is_ell ? !is_ell_type(&types) : !is_common(&types)) return CUSPARSE_STATUS_NOT_SUPPORTED;
    bool small_complex = a->type == CUDA_C_16F || a->type == CUDA_C_16BF;
    if (is_bsr && (op_a || small_complex)) return CUSPARSE_STATUS_NOT_SUPPORTED;
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                      const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                      const void *beta, cusparseDnMatDescr_t c, cudaDataType compute,
                      cusparseSpMMAlg_t algorithm, void *buffer)
{
    struct cusparse_job job = {.name = "cusparseSpMM", .run = run_mm, .type = cusparse_compute(compute)};
    (void)buffer;
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_TRY(mm_check(op_a, op_b, alpha, a, b, beta, c, compute, algorithm));
    job.batch = c->batch;
    job.op_a = (enum sparse_op)op_a;
    job.op_b = (enum sparse_op)op_b;
    CUSPARSE_TRY(cusparse_scalar_get(handle, alpha, compute, &job.alpha));
    CUSPARSE_TRY(cusparse_scalar_get(handle, beta, compute, &job.beta));
    CUSPARSE_TRY(cusparse_take_sparse(&job, a, CUSPARSE_READS | CUSPARSE_PATTERN, &job.a));
    CUSPARSE_TRY(cusparse_take_dense(&job, b, CUSPARSE_READS, &job.x));
    CUSPARSE_TRY(cusparse_take_dense(
        &job, c, CUSPARSE_WRITES | (cusparse_is_zero(&job.beta) ? 0 : CUSPARSE_READS), &job.y));
    describe(&job, a, c->cols);
    if (b->order == CUSPARSE_ORDER_COL) /* what an element chooses does not stand together */
        job.method = EVENT_METHOD_CSR_COLUMNS;
    return cusparse_queue(handle, &job);
}

CUSPARSE cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                 const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                 const void *beta, cusparseDnMatDescr_t c, cudaDataType compute,
                                 cusparseSpMMAlg_t algorithm, size_t *bytes)
{
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_TRY(mm_check(op_a, op_b, alpha, a, b, beta, c, compute, algorithm));
    CUSPARSE_REFUSE_IF(!bytes);
    *bytes = buffer_bytes();
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                 const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                 const void *beta, cusparseDnMatDescr_t c, cudaDataType compute,
                                 cusparseSpMMAlg_t algorithm, void *buffer)
{
    (void)buffer;
    CUSPARSE_TRY(cusparse_enter(handle));
    return mm_check(op_a, op_b, alpha, a, b, beta, c, compute, algorithm);
}

/* ---- SDDMM */

static int run_sddmm(const struct cusparse_job *job)
{
    union sparse_scalar alpha = cusparse_scalar_value(&job->alpha, job->type);
    union sparse_scalar beta = cusparse_scalar_value(&job->beta, job->type);
    static const enum sparse_op TURNED[] = {SPARSE_T, SPARSE_N, SPARSE_N};
    bool good = true;
    for (int i = 0; i < job->batch && good; i++) {
        struct sparse_matrix m = cusparse_sparse_at(&job->c, i);
        struct sparse_dense_source a_source = cusparse_dense_at(&job->x, i),
                                   b_source = cusparse_dense_at(&job->y, i);
        struct sparse_csr c;
        struct sparse_dense a, b;
        good = sparse_csr_of(&m, job->type, SPARSE_N, &c);
        if (good) {
            sparse_dense_rows(&a_source, job->type, job->op_a, &a);
            sparse_dense_rows(&b_source, job->type, TURNED[job->op_b], &b);
            if (job->op_b == SPARSE_H) sparse_dense_conjugate(&b, &b_source);
            sparse_sddmm(&a, &b, alpha, beta, &c);
            sparse_csr_write(&c, &m);
            sparse_dense_close(&a, &a_source, false);
            sparse_dense_close(&b, &b_source, false);
        }
        sparse_csr_release(&c);
    }
    return good ? 0 : cusparse_bad_index(job);
}

static cusparseStatus_t sddmm_check(cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,
                                    cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                    const void *beta, cusparseConstSpMatDescr_t c, cudaDataType compute)
{
    enum sparse_op plain;
    CUSPARSE_REFUSE_IF(!cusparse_op(op_a, &plain) || !cusparse_op(op_b, &plain));
    CUSPARSE_REFUSE_IF(!alpha || CUSPARSE_GONE(a) || CUSPARSE_GONE(b) || !beta || CUSPARSE_GONE(c));
    int64_t k = op_a ? a->rows : a->cols;
    CUSPARSE_REFUSE_IF((op_a ? a->cols : a->rows) != c->rows || (op_b ? b->rows : b->cols) != c->cols);
    CUSPARSE_REFUSE_IF((op_b ? b->cols : b->rows) != k);
    CUSPARSE_REFUSE_IF((a->batch > 1 && a->batch != c->batch) || (b->batch > 1 && b->batch != c->batch));
    bool is_bsr = c->format == CUSPARSE_FORMAT_BSR;
    if ((c->format != CUSPARSE_FORMAT_CSR && !is_bsr) || (is_bsr && k % c->block))
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    struct combination types = {a->type, b->type, c->type, compute};
    bool small =
        a->type == CUDA_R_16BF || a->type == CUDA_R_8I || a->type == CUDA_C_16F || a->type == CUDA_C_16BF;
    return is_common(&types) && !small ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
}

CUSPARSE cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                       const void *alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                       const void *beta, cusparseSpMatDescr_t c, cudaDataType compute,
                       cusparseSDDMMAlg_t algorithm, void *buffer)
{
    struct cusparse_job job = {.name = "cusparseSDDMM", .run = run_sddmm, .type = cusparse_compute(compute)};
    (void)algorithm, (void)buffer;
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_TRY(sddmm_check(op_a, op_b, alpha, a, b, beta, c, compute));
    job.batch = c->batch;
    CUSPARSE_TRY(cusparse_scalar_get(handle, alpha, compute, &job.alpha));
    CUSPARSE_TRY(cusparse_scalar_get(handle, beta, compute, &job.beta));
    CUSPARSE_TRY(cusparse_take_dense(&job, a, CUSPARSE_READS, &job.x));
    CUSPARSE_TRY(cusparse_take_dense(&job, b, CUSPARSE_READS, &job.y));
    int reads = cusparse_is_zero(&job.beta) ? 0 : CUSPARSE_READS;
    CUSPARSE_TRY(cusparse_take_sparse(&job, c, CUSPARSE_WRITES | CUSPARSE_PATTERN | reads, &job.c));
    describe(&job, c, op_a ? a->rows : a->cols);
    job.method = EVENT_METHOD_SAMPLED;
    job.op_a = (enum sparse_op)op_a;
    job.op_b = (enum sparse_op)op_b;
    return cusparse_queue(handle, &job);
}

CUSPARSE cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                  const void *alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                  const void *beta, cusparseSpMatDescr_t c, cudaDataType compute,
                                  cusparseSDDMMAlg_t algorithm, size_t *bytes)
{
    (void)algorithm;
    CUSPARSE_TRY(cusparse_enter(handle));
    CUSPARSE_TRY(sddmm_check(op_a, op_b, alpha, a, b, beta, c, compute));
    CUSPARSE_REFUSE_IF(!bytes);
    *bytes = 1; /* recorded on an H200 */
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                  const void *alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                  const void *beta, cusparseSpMatDescr_t c, cudaDataType compute,
                                  cusparseSDDMMAlg_t algorithm, void *buffer)
{
    (void)algorithm, (void)buffer;
    CUSPARSE_TRY(cusparse_enter(handle));
    return sddmm_check(op_a, op_b, alpha, a, b, beta, c, compute);
}
