/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what memory a call reads and writes, and whether its numbers can be. Method: a table of what each
 * operation's operands are. Limits: triangles, symmetric matrices and bands count as the
 * whole matrices that they stand in. */
#include "cublas_priv.h"

#include <string.h>

static int64_t whole(int64_t a, int64_t least)
{
    return a > least ? a : least;
}

static struct cublas_operand matrix(char which, const void *at, int64_t rows, int64_t columns, int64_t ld,
                                    uint32_t bytes)
{
    return (struct cublas_operand){which, at, rows, columns, ld, bytes, true, false};
}

static struct cublas_operand vector(char which, const void *at, int64_t count, int64_t step, uint32_t bytes)
{
    return (struct cublas_operand){which, at, 1, count, step < 0 ? -step : step, bytes, true, false};
}

static struct cublas_operand packed(char which, const void *at, int64_t n, uint32_t bytes)
{
    return matrix(which, at, n * (n + 1) / 2, 1, whole(n * (n + 1) / 2, 1), bytes);
}

/* op(a) of so many rows and columns, as it stands in memory. */
static struct cublas_operand product_side(char which, const void *at, enum blas_op op, int64_t rows,
                                          int64_t columns, int64_t ld, uint32_t bytes)
{
    return op == BLAS_N ? matrix(which, at, rows, columns, ld, bytes)
                        : matrix(which, at, columns, rows, ld, bytes);
}

static bool is_zero(const struct cublas_scalar *scalar)
{
    static const unsigned char ZERO[16];
    double real, imaginary = 0;
    float single, single_imaginary = 0;
    if (scalar->device) return false;
    if (scalar->bytes == 0 || memcmp(scalar->value, ZERO, scalar->bytes) == 0) return true;
    memcpy(&single, scalar->value, sizeof single); /* negative zeros */
    if (scalar->bytes == 4) return single == 0;
    memcpy(&single_imaginary, scalar->value + 4, sizeof single);
    memcpy(&real, scalar->value, sizeof real);
    memcpy(&imaginary, scalar->value + 8, sizeof imaginary);
    return scalar->bytes == 16 && real == 0 && imaginary == 0;
}

static struct cublas_operand changed(struct cublas_operand operand, bool reads)
{
    operand.writes = true;
    operand.reads = reads;
    return operand;
}

/* ---- level 3 */

static unsigned level3_operands(const struct cublas_call *x, uint32_t e, struct cublas_operand *o)
{
    bool reads = !is_zero(&x->beta);
    int64_t order = cublas_order(x);
    switch ((int)x->op) {
    case CUBLAS_GEMM:
        o[0] = product_side('a', x->a, x->trans_a, x->m, x->k, x->lda, e);
        o[1] = product_side('b', x->b, x->trans_b, x->k, x->n, x->ldb, e);
        o[2] = changed(matrix('c', x->c, x->m, x->n, x->ldc, e), reads);
        return 3;
    case CUBLAS_GEMM_MIXED:
        o[0] = product_side('a', x->a, x->trans_a, x->m, x->k, x->lda, blas_element_bytes(x->a_element));
        o[1] = product_side('b', x->b, x->trans_b, x->k, x->n, x->ldb, blas_element_bytes(x->b_element));
        o[2] = changed(matrix('c', x->c, x->m, x->n, x->ldc, blas_element_bytes(x->c_element)), reads);
        return 3;
    case CUBLAS_SYMM:
    case CUBLAS_HEMM:
        o[0] = matrix('a', x->a, order, order, x->lda, e);
        o[1] = matrix('b', x->b, x->m, x->n, x->ldb, e);
        o[2] = changed(matrix('c', x->c, x->m, x->n, x->ldc, e), reads);
        return 3;
    case CUBLAS_SYRK:
    case CUBLAS_HERK:
        o[0] = product_side('a', x->a, x->trans_a, x->n, x->k, x->lda, e);
        o[1] = changed(matrix('c', x->c, x->n, x->n, x->ldc, e), reads);
        return 2;
    case CUBLAS_SYR2K:
    case CUBLAS_HER2K:
    case CUBLAS_SYRKX:
    case CUBLAS_HERKX:
        o[0] = product_side('a', x->a, x->trans_a, x->n, x->k, x->lda, e);
        o[1] = product_side('b', x->b, x->trans_a, x->n, x->k, x->ldb, e);
        o[2] = changed(matrix('c', x->c, x->n, x->n, x->ldc, e), reads);
        return 3;
    case CUBLAS_TRMM:
        o[0] = matrix('a', x->a, order, order, x->lda, e);
        o[1] = matrix('b', x->b, x->m, x->n, x->ldb, e);
        o[2] = changed(matrix('c', x->c, x->m, x->n, x->ldc, e), false);
        return 3;
    case CUBLAS_TRSM:
        o[0] = matrix('a', x->a, order, order, x->lda, e);
        o[1] = changed(matrix('c', x->c, x->m, x->n, x->ldc, e), true);
        return 2;
    case CUBLAS_GEAM:
        o[0] = product_side('a', x->a, x->trans_a, is_zero(&x->alpha) ? 0 : x->m, x->n, x->lda, e);
        o[1] = product_side('b', x->b, x->trans_b, is_zero(&x->beta) ? 0 : x->m, x->n, x->ldb, e);
        o[2] = changed(matrix('c', x->c, x->m, x->n, x->ldc, e), false);
        return 3;
    case CUBLAS_DGMM:
        o[0] = matrix('a', x->a, x->m, x->n, x->lda, e);
        o[1] = vector('b', x->b, order, x->ldb, e);
        o[2] = changed(matrix('c', x->c, x->m, x->n, x->ldc, e), false);
        return 3;
    default: return 0;
    }
}

/* ---- level 2 */

static unsigned level2_operands(const struct cublas_call *x, uint32_t e, struct cublas_operand *o)
{
    bool reads = !is_zero(&x->beta);
    int64_t into = x->trans_a == BLAS_N ? x->m : x->n, from = x->trans_a == BLAS_N ? x->n : x->m;
    switch ((int)x->op) {
    case CUBLAS_GEMV:
    case CUBLAS_GBMV:
        o[0] = matrix('a', x->a, x->op == CUBLAS_GEMV ? x->m : x->kl + x->ku + 1, x->n, x->lda, e);
        o[1] = vector('b', x->b, from, x->ldb, e);
        o[2] = changed(vector('c', x->c, into, x->ldc, e), reads);
        return 3;
    case CUBLAS_GEMV_MIXED:
        o[0] = matrix('a', x->a, x->m, x->n, x->lda, blas_element_bytes(x->a_element));
        o[1] = vector('b', x->b, from, x->ldb, blas_element_bytes(x->b_element));
        o[2] = changed(vector('c', x->c, into, x->ldc, blas_element_bytes(x->c_element)), reads);
        return 3;
    case CUBLAS_TPTTR:
        o[0] = packed('a', x->a, x->n, e);
        o[1] = changed(matrix('c', x->c, x->n, x->n, x->ldc, e), true);
        return 2;
    case CUBLAS_TRTTP:
        o[0] = matrix('a', x->a, x->n, x->n, x->lda, e);
        o[1] = changed(packed('c', x->c, x->n, e), false);
        return 2;
    case CUBLAS_SYMV:
    case CUBLAS_HEMV: o[0] = matrix('a', x->a, x->n, x->n, x->lda, e); break;
    case CUBLAS_SBMV:
    case CUBLAS_HBMV: o[0] = matrix('a', x->a, x->k + 1, x->n, x->lda, e); break;
    case CUBLAS_SPMV:
    case CUBLAS_HPMV: o[0] = packed('a', x->a, x->n, e); break;
    case CUBLAS_TRMV:
    case CUBLAS_TRSV: o[0] = matrix('a', x->a, x->n, x->n, x->lda, e); break;
    case CUBLAS_TBMV:
    case CUBLAS_TBSV: o[0] = matrix('a', x->a, x->k + 1, x->n, x->lda, e); break;
    case CUBLAS_TPMV:
    case CUBLAS_TPSV: o[0] = packed('a', x->a, x->n, e); break;
    case CUBLAS_GER:
    case CUBLAS_GERC:
        o[0] = vector('a', x->a, x->m, x->lda, e);
        o[1] = vector('b', x->b, x->n, x->ldb, e);
        o[2] = changed(matrix('c', x->c, x->m, x->n, x->ldc, e), true);
        return 3;
    case CUBLAS_SYR:
    case CUBLAS_HER:
    case CUBLAS_SPR:
    case CUBLAS_HPR:
    case CUBLAS_SYR2:
    case CUBLAS_HER2:
    case CUBLAS_SPR2:
    case CUBLAS_HPR2: {
        bool two = x->op >= CUBLAS_SYR2;
        bool is_packed =
            x->op == CUBLAS_SPR || x->op == CUBLAS_HPR || x->op == CUBLAS_SPR2 || x->op == CUBLAS_HPR2;
        o[0] = vector('a', x->a, x->n, x->lda, e);
        if (two) o[1] = vector('b', x->b, x->n, x->ldb, e);
        o[1 + two] =
            changed(is_packed ? packed('c', x->c, x->n, e) : matrix('c', x->c, x->n, x->n, x->ldc, e), true);
        return 2u + two;
    }
    default: return 0;
    }
    if (x->op >= CUBLAS_TRMV) {
        o[1] = changed(vector('c', x->c, x->n, x->ldc, e), true);
        return 2;
    }
    o[1] = vector('b', x->b, x->n, x->ldb, e);
    o[2] = changed(vector('c', x->c, x->n, x->ldc, e), reads);
    return 3;
}

/* ---- level 1 */

static uint32_t result_bytes(const struct cublas_call *x)
{
    if (x->is_small && x->op != CUBLAS_AMAX && x->op != CUBLAS_AMIN)
        return blas_element_bytes(x->result_element);
    if (x->op == CUBLAS_DOT || x->op == CUBLAS_DOTC) return blas_bytes(x->type);
    if (x->op == CUBLAS_AMAX || x->op == CUBLAS_AMIN) return sizeof(int);
    return x->type == BLAS_S || x->type == BLAS_C ? 4 : 8;
}

static unsigned level1_operands(const struct cublas_call *x, uint32_t e, struct cublas_operand *o)
{
    unsigned count = 1;
    switch ((int)x->op) {
    case CUBLAS_AXPY:
    case CUBLAS_COPY:
        o[0] = vector('a', x->a, x->n, x->lda, e);
        o[1] = changed(vector('c', x->c, x->n, x->ldc, e), x->op == CUBLAS_AXPY);
        return 2;
    case CUBLAS_SWAP:
    case CUBLAS_ROT:
    case CUBLAS_ROTM:
        o[0] = changed(vector('c', x->c, x->n, x->ldc, e), true);
        o[1] = changed(vector('d', x->d, x->n, x->ldb, e), true);
        if (x->op == CUBLAS_ROTM && !x->has_param) o[2] = matrix('b', x->b, 5, 1, 5, e);
        return x->op == CUBLAS_ROTM && !x->has_param ? 3 : 2;
    case CUBLAS_SCAL:
    case CUBLAS_SCAL_REAL: o[0] = changed(vector('c', x->c, x->n, x->ldc, e), true); return 1;
    case CUBLAS_DOT:
    case CUBLAS_DOTC: o[count++] = vector('b', x->b, x->n, x->ldb, e); break;
    default: break;
    }
    o[0] = vector('a', x->a, x->n, x->lda, e);
    if (!x->host_result) o[count] = changed(matrix('d', x->d, 1, 1, 1, result_bytes(x)), false);
    return count + !x->host_result;
}

/* ---- factorizations */

static unsigned factor_operands(const struct cublas_call *x, uint32_t e, struct cublas_operand *o)
{
    unsigned count = 0;
    int64_t least = x->m < x->n ? x->m : x->n, most = whole(x->m, x->n);
    bool changes = x->op == CUBLAS_GETRF || x->op == CUBLAS_GEQRF;
    if (changes)
        o[count++] = changed(matrix('c', x->c, x->m, x->n, x->ldc, e), true);
    else if (x->op == CUBLAS_GELS)
        o[count++] = changed(matrix('a', x->a, x->m, x->n, x->lda, e), true);
    else
        o[count++] = matrix('a', x->a, x->m, x->m, x->lda, e);
    if (x->op == CUBLAS_GETRS || x->op == CUBLAS_GETRI || x->op == CUBLAS_MATINV)
        o[count++] = changed(matrix('c', x->c, x->m, x->n, x->ldc, e), x->op == CUBLAS_GETRS);
    if (x->op == CUBLAS_GELS) o[count++] = changed(matrix('c', x->c, most, x->k, x->ldc, e), true);
    if (x->op == CUBLAS_GEQRF) o[count++] = changed(matrix('d', x->d, least, 1, whole(least, 1), e), false);
    if (x->pivots && x->op == CUBLAS_GETRF)
        o[count++] = changed(matrix('p', x->pivots, least, 1, whole(least, 1), sizeof(int)), false);
    else if (x->pivots)
        o[count++] = matrix('p', x->pivots, x->m, 1, whole(x->m, 1), sizeof(int));
    if (x->info) o[count++] = changed(matrix('i', x->info, 1, 1, 1, sizeof(int)), false);
    return count;
}

static unsigned operands_of(const struct cublas_call *call, struct cublas_operand out[CUBLAS_OPERANDS])
{
    uint32_t bytes = call->is_small ? blas_element_bytes(call->element) : blas_bytes(call->type);
    if (call->op >= CUBLAS_GETRF) return factor_operands(call, bytes, out);
    if (call->op <= CUBLAS_DGMM) return level3_operands(call, bytes, out);
    return call->op < CUBLAS_AXPY ? level2_operands(call, bytes, out) : level1_operands(call, bytes, out);
}

cublasStatus_t cublas_work_of(const struct cublas_call *x, struct cublas_work *out)
{
    out->call = *x;
    out->count = operands_of(x, out->operands);
    if (x->m < 0 || x->n < 0 || x->k < 0 || x->kl < 0 || x->ku < 0 || x->batch < 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    for (unsigned i = 0; i < out->count; i++) {
        const struct cublas_operand *o = &out->operands[i];
        bool stored = x->op == CUBLAS_TPTTR || x->op == CUBLAS_TRTTP; /* no vectors */
        bool is_vector =
            x->op >= CUBLAS_GEMV && x->op < CUBLAS_GETRF && !stored && o->rows == 1 && o->which != 'd';
        bool sized = is_vector ? o->ld != 0 : o->ld >= whole(o->rows, 1);
        bool none = o->rows == 0 || o->columns == 0;
        if (x->op >= CUBLAS_AXPY && x->op <= CUBLAS_ROTM && x->op != CUBLAS_AMAX)
            sized = true; /* BLAS takes any increment there */
        if (!sized || (!none && !o->at)) return CUBLAS_STATUS_INVALID_VALUE;
    }
    return CUBLAS_STATUS_SUCCESS;
}
