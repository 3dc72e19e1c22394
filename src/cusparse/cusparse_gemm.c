/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: SpGEMM and SpGEMMreuse: products of sparse matrices in their phases. Method: the phase that finds
 * the number of elements computes the product, waits for it, and keeps it in the descriptor; the last phase
 * writes it where the program has made room. Limits: buffers are asked for and not used; all algorithms are
 * the same. */
#include "cusparse_priv.h"

#include <stdlib.h>

/* ---- computing */

static bool product_of(const struct cusparse_job *job, struct sparse_csr *out)
{
    struct sparse_csr a, b = {0};
    bool good = sparse_csr_of(&job->a.m, job->type, SPARSE_N, &a) &&
                sparse_csr_of(&job->b.m, job->type, SPARSE_N, &b);
    if (good) {
        job->state->products = sparse_gemm_products(&a, &b);
        sparse_gemm(&a, &b, out);
    }
    sparse_csr_release(&a);
    sparse_csr_release(&b);
    return good;
}

static int run_product(const struct cusparse_job *job)
{
    struct sparse_csr product;
    if (!product_of(job, &product)) return cusparse_bad_index(job);
    sparse_csr_release(&job->state->product);
    job->state->product = product;
    job->state->has_product = true;
    return 0;
}

static int run_count(const struct cusparse_job *job)
{
    struct sparse_csr a, b = {0};
    bool good = sparse_csr_of(&job->a.m, job->type, SPARSE_N, &a) &&
                sparse_csr_of(&job->b.m, job->type, SPARSE_N, &b);
    if (good) job->state->products = sparse_gemm_products(&a, &b);
    sparse_csr_release(&a);
    sparse_csr_release(&b);
    return good ? 0 : cusparse_bad_index(job);
}

/* c := alpha * product + beta * c, of values; the pattern of c is written where it is wanted. */
static int put_product(const struct cusparse_job *job, const struct sparse_csr *product, bool pattern,
                       bool numbers)
{
    struct sparse_matrix c = job->c.m;
    struct sparse_csr out = *product;
    if (c.nnz != product->nnz) return cusparse_bad_index(job);
    if (!pattern) c.offsets = c.indices = NULL;
    if (!numbers) c.values = NULL;
    if (numbers) {
        uint64_t bytes = (uint64_t)product->nnz * sparse_bytes(job->type);
        out.values = sw_xmalloc(bytes + 1);
        sparse_load(c.element, c.values, job->type, out.values, (uint64_t)product->nnz);
        sparse_scale_add(job->type, cusparse_scalar_value(&job->alpha, job->type), product->values,
                         cusparse_scalar_value(&job->beta, job->type), out.values, (uint64_t)product->nnz);
    }
    sparse_csr_put(&out, &c);
    if (numbers) free(out.values);
    return 0;
}

static int run_copy(const struct cusparse_job *job)
{
    return put_product(job, &job->state->product, true, job->c.m.values);
}

static int run_compute_again(const struct cusparse_job *job)
{
    struct sparse_csr product;
    if (!product_of(job, &product)) return cusparse_bad_index(job);
    int result = put_product(job, &product, false, true);
    sparse_csr_release(&product);
    return result;
}

/* ---- what goes together */

struct gemm_call {
    cusparseHandle_t handle;
    cusparseOperation_t op_a, op_b;
    const void *alpha, *beta;
    cusparseConstSpMatDescr_t a, b;
    cusparseSpMatDescr_t c;
    cudaDataType compute;
    cusparseSpGEMMAlg_t algorithm;
    cusparseSpGEMMDescr_t descr;
};

static cusparseStatus_t gemm_check(const struct gemm_call *x)
{
    enum sparse_op plain;
    CUSPARSE_TRY(cusparse_enter(x->handle));
    CUSPARSE_REFUSE_IF(!cusparse_op(x->op_a, &plain) || !cusparse_op(x->op_b, &plain));
    CUSPARSE_REFUSE_IF(!x->alpha || !x->beta || CUSPARSE_GONE(x->a) || CUSPARSE_GONE(x->b) ||
                       CUSPARSE_GONE(x->c) || CUSPARSE_GONE(x->descr));
    CUSPARSE_REFUSE_IF((int)x->algorithm < 0 || x->algorithm > CUSPARSE_SPGEMM_ALG3);
    if (x->op_a || x->op_b) return CUSPARSE_STATUS_NOT_SUPPORTED;
    const cusparseConstSpMatDescr_t matrices[] = {x->a, x->b, x->c};
    for (size_t i = 0; i < SW_COUNT_OF(matrices); i++)
        if (matrices[i]->format != CUSPARSE_FORMAT_CSR || matrices[i]->type != x->a->type)
            return CUSPARSE_STATUS_NOT_SUPPORTED;
    bool small = x->a->type == CUDA_R_16F || x->a->type == CUDA_R_16BF || x->a->type == CUDA_C_16F ||
                 x->a->type == CUDA_C_16BF;
    if (x->a->type == CUDA_R_8I || x->a->type == CUDA_R_32I) return CUSPARSE_STATUS_NOT_SUPPORTED;
    if (x->compute != x->a->type && !small) return CUSPARSE_STATUS_NOT_SUPPORTED;
    CUSPARSE_REFUSE_IF(x->a->cols != x->b->rows || x->c->rows != x->a->rows || x->c->cols != x->b->cols);
    return CUSPARSE_STATUS_SUCCESS;
}

/* c: 0, or how c is used; elements: products, as far as they are known */
static cusparseStatus_t queue(const struct gemm_call *x, const char *name,
                              int (*run)(const struct cusparse_job *), bool operands, int c_use, bool waits)
{
    struct cusparse_job job = {.name = name, .run = run, .type = cusparse_compute(x->compute)};
    job.state = (struct cusparse_state *)(void *)x->descr;
    CUSPARSE_TRY(cusparse_scalar_get(x->handle, x->alpha, x->compute, &job.alpha));
    CUSPARSE_TRY(cusparse_scalar_get(x->handle, x->beta, x->compute, &job.beta));
    if (operands) {
        CUSPARSE_TRY(cusparse_take_sparse(&job, x->a, CUSPARSE_READS | CUSPARSE_PATTERN, &job.a));
        CUSPARSE_TRY(cusparse_take_sparse(&job, x->b, CUSPARSE_READS | CUSPARSE_PATTERN, &job.b));
    }
    if (c_use & CUSPARSE_PATTERN) {
        uint64_t offset = x->c->offsets_type == CUSPARSE_INDEX_64I ? 8 : 4;
        uint64_t index = x->c->indices_type == CUSPARSE_INDEX_64I ? 8 : 4;
        cusparse_span(&job, x->c->offsets, offset, x->c->rows + 1, CUSPARSE_WRITES);
        cusparse_span(&job, x->c->indices, index, x->c->nnz, CUSPARSE_WRITES);
    }
    if (c_use) CUSPARSE_TRY(cusparse_take_sparse(&job, x->c, c_use & CUSPARSE_WRITES, &job.c));
    job.kind = EVENT_ROUTINE_SPARSE;
    job.m = (uint64_t)x->a->rows;
    job.n = 1;
    job.k = operands ? (uint64_t)(x->a->nnz + x->b->nnz) : (uint64_t)x->c->nnz;
    if (run == run_product || run == run_compute_again)
        job.k = job.state->products ? job.state->products : job.k;
    job.flops = 2 * job.state->products * (operands ? 1 : 0);
    cusparse_shape(&job, "m %lld, n %lld, k %lld, nnz %lld and %lld", (long long)x->a->rows,
                   (long long)x->b->cols, (long long)x->a->cols, (long long)x->a->nnz, (long long)x->b->nnz);
    return waits ? cusparse_queue_and_wait(x->handle, &job) : cusparse_queue(x->handle, &job);
}

/* Near what an H200 asks for (tests/hw/libraries): some room, and for each product. */
enum { ROOM = 2048, EACH_PRODUCT = 32 };

static cusparseStatus_t estimate(const struct gemm_call *x, const char *name, size_t *bytes,
                                 const void *buffer)
{
    CUSPARSE_TRY(gemm_check(x));
    CUSPARSE_REFUSE_IF(!bytes);
    if (!buffer) {
        *bytes = ROOM + (size_t)x->a->rows * sizeof(int64_t);
        return CUSPARSE_STATUS_SUCCESS;
    }
    CUSPARSE_TRY(queue(x, name, run_count, true, 0, true));
    ((struct cusparse_state *)(void *)x->descr)->analyzed = true;
    return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t find_product(const struct gemm_call *x, const char *name)
{
    struct cusparse_state *state = (struct cusparse_state *)(void *)x->descr;
    CUSPARSE_TRY(queue(x, name, run_product, true, 0, true));
    x->c->nnz = state->product.nnz;
    return CUSPARSE_STATUS_SUCCESS;
}

/* ---- SpGEMM */

#define GEMM_CALL                                                                                            \
    struct gemm_call x = {handle, op_a, op_b, alpha, beta, a, b, c, compute, algorithm, descr};              \
    struct cusparse_state *state = (struct cusparse_state *)(void *)descr

CUSPARSE cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t op_a,
                                       cusparseOperation_t op_b, const void *alpha,
                                       cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                       const void *beta, cusparseSpMatDescr_t c, cudaDataType compute,
                                       cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t descr,
                                       size_t *bytes, void *buffer)
{
    GEMM_CALL;
    (void)state;
    return estimate(&x, "cusparseSpGEMM_workEstimation", bytes, buffer);
}

CUSPARSE cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t descr, int64_t *products)
{
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(descr) || !products);
    *products = (int64_t)((struct cusparse_state *)(void *)descr)->products;
    return CUSPARSE_STATUS_SUCCESS;
}

CUSPARSE cusparseSpGEMM_estimateMemory(cusparseHandle_t handle, cusparseOperation_t op_a,
                                       cusparseOperation_t op_b, const void *alpha,
                                       cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                       const void *beta, cusparseSpMatDescr_t c, cudaDataType compute,
                                       cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t descr,
                                       float fraction, size_t *bytes3, void *buffer3, size_t *bytes2)
{
    GEMM_CALL;
    CUSPARSE_TRY(gemm_check(&x));
    CUSPARSE_REFUSE_IF(!bytes3 || !(fraction > 0 && fraction <= 1));
    if (!state->analyzed) return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!buffer3) {
        *bytes3 = ROOM;
        return CUSPARSE_STATUS_SUCCESS;
    }
    CUSPARSE_REFUSE_IF(!bytes2);
    *bytes2 = ROOM + (size_t)state->products * EACH_PRODUCT;
    return CUSPARSE_STATUS_SUCCESS;
}

/* Recorded on an H200: the algorithms of SpGEMMreuse are an internal error here. */
CUSPARSE cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                const void *beta, cusparseSpMatDescr_t c, cudaDataType compute,
                                cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t descr, size_t *bytes,
                                void *buffer)
{
    GEMM_CALL;
    CUSPARSE_TRY(gemm_check(&x));
    CUSPARSE_REFUSE_IF(!bytes);
    if (algorithm == CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC ||
        algorithm == CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC)
        return CUSPARSE_STATUS_INTERNAL_ERROR;
    if (!state->analyzed) return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!buffer) {
        *bytes = ROOM + (size_t)state->products * EACH_PRODUCT;
        return CUSPARSE_STATUS_SUCCESS;
    }
    return find_product(&x, "cusparseSpGEMM_compute");
}

CUSPARSE cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                             const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                             const void *beta, cusparseSpMatDescr_t c, cudaDataType compute,
                             cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t descr)
{
    GEMM_CALL;
    CUSPARSE_TRY(gemm_check(&x));
    if (state->analyzed && !state->has_product) return CUSPARSE_STATUS_SUCCESS; /* recorded on an H200 */
    if (!state->has_product) return CUSPARSE_STATUS_NOT_INITIALIZED;
    return queue(&x, "cusparseSpGEMM_copy", run_copy, false, CUSPARSE_WRITES | CUSPARSE_PATTERN, false);
}

/* ---- SpGEMMreuse: the pattern first, numbers as often as wanted */

#define REUSE_CALL                                                                                           \
    static const double ONE[2] = {1, 0};                                                                     \
    const void *alpha = ONE, *beta = ONE;                                                                    \
    CUSPARSE_REFUSE_IF(CUSPARSE_GONE(a));                                                                    \
    cudaDataType compute = a->type;                                                                          \
    GEMM_CALL

CUSPARSE cusparseSpGEMMreuse_workEstimation(cusparseHandle_t handle, cusparseOperation_t op_a,
                                            cusparseOperation_t op_b, cusparseConstSpMatDescr_t a,
                                            cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
                                            cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t descr,
                                            size_t *bytes, void *buffer)
{
    REUSE_CALL;
    (void)state;
    return estimate(&x, "cusparseSpGEMMreuse_workEstimation", bytes, buffer);
}

CUSPARSE cusparseSpGEMMreuse_nnz(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                 cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                 cusparseSpMatDescr_t c, cusparseSpGEMMAlg_t algorithm,
                                 cusparseSpGEMMDescr_t descr, size_t *bytes2, void *buffer2, size_t *bytes3,
                                 void *buffer3, size_t *bytes4, void *buffer4)
{
    REUSE_CALL;
    CUSPARSE_TRY(gemm_check(&x));
    CUSPARSE_REFUSE_IF(!bytes2 || !bytes3 || !bytes4);
    if (!state->analyzed) return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!buffer2 && !buffer3 && !buffer4) {
        *bytes2 = *bytes3 = *bytes4 = ROOM + (size_t)state->products * EACH_PRODUCT / 3;
        return CUSPARSE_STATUS_SUCCESS;
    }
    return find_product(&x, "cusparseSpGEMMreuse_nnz");
}

CUSPARSE cusparseSpGEMMreuse_copy(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                  cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                  cusparseSpMatDescr_t c, cusparseSpGEMMAlg_t algorithm,
                                  cusparseSpGEMMDescr_t descr, size_t *bytes, void *buffer)
{
    REUSE_CALL;
    CUSPARSE_TRY(gemm_check(&x));
    CUSPARSE_REFUSE_IF(!bytes);
    if (!state->has_product) return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!buffer) {
        *bytes = ROOM;
        return CUSPARSE_STATUS_SUCCESS;
    }
    return queue(&x, "cusparseSpGEMMreuse_copy", run_copy, false, CUSPARSE_PATTERN, false);
}

CUSPARSE cusparseSpGEMMreuse_compute(cusparseHandle_t handle, cusparseOperation_t op_a,
                                     cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
                                     cusparseConstSpMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
                                     cudaDataType compute, cusparseSpGEMMAlg_t algorithm,
                                     cusparseSpGEMMDescr_t descr)
{
    GEMM_CALL;
    CUSPARSE_TRY(gemm_check(&x));
    if (!state->has_product) return CUSPARSE_STATUS_NOT_INITIALIZED;
    return queue(&x, "cusparseSpGEMMreuse_compute", run_compute_again, true, CUSPARSE_READS | CUSPARSE_WRITES,
                 false);
}
