/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what memory a call reads and writes, whether its numbers can be, and what it costs. Method: a
 * table of what each operation's operands are. Limits: triangles, symmetric matrices and bands count as the
 * whole matrices that they stand in. */
#include "cublas_priv.h"

#include <stdio.h>
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

/* The triangular or symmetric matrix at the side of one of m rows and n columns. */
static int64_t order_of(const struct cublas_call *x)
{
    return x->side == BLAS_LEFT ? x->m : x->n;
}

/* ---- level 3 */

static unsigned level3_operands(const struct cublas_call *x, uint32_t e, struct cublas_operand *o)
{
    bool reads = !is_zero(&x->beta);
    int64_t order = order_of(x);
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

unsigned cublas_operands(const struct cublas_call *call, struct cublas_operand out[CUBLAS_OPERANDS])
{
    uint32_t bytes = call->is_small ? blas_element_bytes(call->element) : blas_bytes(call->type);
    if (call->op >= CUBLAS_GETRF) return factor_operands(call, bytes, out);
    if (call->op <= CUBLAS_DGMM) return level3_operands(call, bytes, out);
    return call->op < CUBLAS_AXPY ? level2_operands(call, bytes, out) : level1_operands(call, bytes, out);
}

cublasStatus_t cublas_check(const struct cublas_call *x)
{
    struct cublas_operand operands[CUBLAS_OPERANDS];
    unsigned count = cublas_operands(x, operands);
    if (x->m < 0 || x->n < 0 || x->k < 0 || x->kl < 0 || x->ku < 0 || x->batch < 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        const struct cublas_operand *o = &operands[i];
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

/* ---- ranges */

static int64_t batch_stride(const struct cublas_call *x, char which)
{
    return which == 'a' ? x->stride_a : which == 'b' ? x->stride_b : which == 'c' ? x->stride_c : 0;
}

/* Where operand o is in item i of a batch; its pointers are known to be good. */
static const void *item_of(const struct cublas_call *x, const struct cublas_operand *o, int64_t i)
{
    if (o->which == 'p' || o->which == 'i') return (const char *)o->at + i * o->rows * (int64_t)o->bytes;
    if (x->arrays) return ((const void *const *)o->at)[i];
    return (const char *)o->at + i * batch_stride(x, o->which) * (int64_t)o->bytes;
}

static struct event_routine_range range_of(const struct cublas_operand *o, const void *at, bool writes)
{
    return (struct event_routine_range){.address = (uintptr_t)at,
                                        .pitch = sw_product((uint64_t)o->ld, o->bytes),
                                        .width = sw_product((uint64_t)o->rows, o->bytes),
                                        .height = o->rows ? (uint64_t)o->columns : 0,
                                        .writes = writes};
}

static struct event_routine_range plain_range(const void *at, uint64_t bytes)
{
    return (struct event_routine_range){
        .address = (uintptr_t)at, .pitch = bytes, .width = bytes, .height = 1};
}

/* Scalars of the device, arrays of pointers, then the operands of one item after the other: what is read,
 * then what is written. */
bool cublas_range(const void *args, uint32_t i, struct event_routine_range *out)
{
    const struct cublas_call *x = args;
    const struct cublas_scalar *scalars[] = {&x->alpha, &x->beta};
    struct cublas_operand operands[CUBLAS_OPERANDS];
    unsigned count = cublas_operands(x, operands);
    uint64_t items = x->batch ? (uint64_t)x->batch : 1;
    for (unsigned s = 0; s < 2; s++)
        if (scalars[s]->device && i-- == 0) {
            *out = plain_range(scalars[s]->device, scalars[s]->bytes);
            return true;
        }
    if (x->arrays && i < count) {
        *out = plain_range(operands[i].at, sw_product(items, sizeof(void *)));
        if (operands[i].which == 'p' || operands[i].which == 'i') out->height = 0; /* no array of pointers */
        return true;
    }
    if (x->arrays) i -= count;
    uint64_t item = i / (2 * count), which = i % (2 * count) / 2;
    bool writes = i % 2;
    if (item >= items) return false;
    const struct cublas_operand *o = &operands[which];
    *out = range_of(o, item_of(x, o, (int64_t)item), writes);
    if (writes ? !o->writes : !o->reads) out->height = 0;
    return true;
}

bool cublas_is_aligned(const struct cublas_call *x)
{
    struct cublas_operand operands[CUBLAS_OPERANDS];
    unsigned count = cublas_operands(x, operands);
    uint32_t parts = x->type == BLAS_C || x->type == BLAS_Z ? 2 : 1;
    for (int64_t i = 0; i < (x->batch ? x->batch : 1); i++)
        for (unsigned j = 0; j < count; j++) {
            const struct cublas_operand *o = &operands[j];
            bool matrix = o->which == 'a' || o->which == 'b' || o->which == 'c';
            if (matrix && o->rows && o->columns && (uintptr_t)item_of(x, o, i) % whole(o->bytes / parts, 1))
                return false;
        }
    return true;
}

/* ---- costs */

static uint64_t products_of(const struct cublas_call *x)
{
    uint64_t m = (uint64_t)x->m, n = (uint64_t)x->n, k = (uint64_t)x->k;
    uint64_t order = (uint64_t)order_of(x);
    switch ((int)x->op) {
    case CUBLAS_GEMM:
    case CUBLAS_GEMM_MIXED: return m * n * k;
    case CUBLAS_SYMM:
    case CUBLAS_HEMM: return m * n * order;
    case CUBLAS_SYRK:
    case CUBLAS_HERK:
    case CUBLAS_SYRKX:
    case CUBLAS_HERKX: return n * (n + 1) / 2 * k;
    case CUBLAS_SYR2K:
    case CUBLAS_HER2K: return n * (n + 1) * k;
    case CUBLAS_TRMM:
    case CUBLAS_TRSM: return m * n * order / 2;
    case CUBLAS_GEAM:
    case CUBLAS_DGMM:
    case CUBLAS_GEMV:
    case CUBLAS_GEMV_MIXED:
    case CUBLAS_GER:
    case CUBLAS_GERC: return m * n;
    case CUBLAS_GBMV: return (uint64_t)(x->kl + x->ku + 1) * n;
    case CUBLAS_GETRF:
    case CUBLAS_GETRI:
    case CUBLAS_MATINV: return m * n * (m < n ? m : n) / 3;
    case CUBLAS_GETRS: return m * m * n;
    case CUBLAS_GEQRF:
    case CUBLAS_GELS: return m * n * (m < n ? m : n);
    default: return x->op < CUBLAS_AXPY ? n * n : n;
    }
}

static enum event_routine_kind kind_of(enum cublas_op op)
{
    if (op >= CUBLAS_GETRF || op == CUBLAS_TRSM || op == CUBLAS_TRSV || op == CUBLAS_TBSV ||
        op == CUBLAS_TPSV)
        return EVENT_ROUTINE_SOLVE;
    if (op < CUBLAS_GEAM) return EVENT_ROUTINE_GEMM;
    return op >= CUBLAS_DOT && op <= CUBLAS_AMIN ? EVENT_ROUTINE_REDUCE : EVENT_ROUTINE_STREAM;
}

static enum event_routine_method method_of(const struct cublas_call *x)
{
    switch ((int)x->op) {
    case CUBLAS_SYRK:
    case CUBLAS_HERK: return EVENT_METHOD_RANK_K;
    case CUBLAS_SYR2K:
    case CUBLAS_HER2K: return EVENT_METHOD_RANK_2K;
    case CUBLAS_SYMM:
    case CUBLAS_HEMM: return EVENT_METHOD_SYMMETRIC;
    case CUBLAS_TRMM: return EVENT_METHOD_TRIANGULAR;
    case CUBLAS_DOT:
    case CUBLAS_DOTC: return EVENT_METHOD_DOT;
    case CUBLAS_NRM2: return EVENT_METHOD_NORM;
    case CUBLAS_GEMV:
    case CUBLAS_GEMV_MIXED:
        return x->trans_a == BLAS_N ? EVENT_METHOD_PRODUCT : EVENT_METHOD_PRODUCT_TRANSPOSED;
    case CUBLAS_GEAM:
        return x->trans_a == BLAS_N && x->trans_b == BLAS_N ? EVENT_METHOD_USUAL : EVENT_METHOD_TRANSPOSE;
    default: return EVENT_METHOD_USUAL;
    }
}

static uint8_t aligned_bytes(const struct cublas_call *x, const struct cublas_operand *operands,
                             unsigned count)
{
    enum { WHOLE = 16 }; /* definition: of struct event_routine */
    uint8_t aligned = WHOLE;
    for (unsigned i = 0; i < count; i++) {
        if (!x->arrays) aligned = routine_aligned(aligned, (uintptr_t)operands[i].at);
        if (operands[i].columns > 1)
            aligned = routine_aligned(aligned, (uint64_t)operands[i].ld * operands[i].bytes);
    }
    return aligned;
}

static char letter_of(enum blas_op op)
{
    return op == BLAS_N ? 'N' : op == BLAS_T ? 'T' : 'C';
}

static void shape_of(const struct cublas_call *x, char *shape, size_t bytes)
{
    long long m = x->m, n = x->n, k = x->k;
    int used;
    if (x->op == CUBLAS_GEMM || x->op == CUBLAS_GEMM_MIXED)
        used = snprintf(shape, bytes, "m %lld, n %lld, k %lld, %c%c", m, n, k, letter_of(x->trans_a),
                        letter_of(x->trans_b));
    else if (x->op >= CUBLAS_SYRK && x->op <= CUBLAS_HERKX)
        used = snprintf(shape, bytes, "n %lld, k %lld, %c", n, k, letter_of(x->trans_a));
    else if (x->m)
        used = snprintf(shape, bytes, "m %lld, n %lld", m, n);
    else
        used = snprintf(shape, bytes, "n %lld", n);
    if (x->batch) snprintf(shape + used, bytes - (size_t)used, ", batch %lld", (long long)x->batch);
}

void cublas_describe(const struct cublas_call *x, struct event_routine *out, char *shape, size_t bytes)
{
    struct cublas_operand operands[CUBLAS_OPERANDS];
    unsigned count = cublas_operands(x, operands);
    uint64_t items = x->batch ? (uint64_t)x->batch : 1;
    bool is_complex = x->op != CUBLAS_GEMM_MIXED && (x->type == BLAS_C || x->type == BLAS_Z);
    bool of_n = x->op >= CUBLAS_SYRK && x->op <= CUBLAS_HERKX; /* c is of n rows, too */
    enum event_routine_math math = x->type == BLAS_D || x->type == BLAS_Z ? EVENT_MATH_F64 : EVENT_MATH_F32;
    shape_of(x, shape, bytes);
    *out = (struct event_routine){.name = x->name,
                                  .shape = shape,
                                  .kind = (uint8_t)kind_of(x->op),
                                  .math = (uint8_t)(x->has_math ? x->math : math),
                                  .method = (uint8_t)method_of(x),
                                  .aligned_bytes = aligned_bytes(x, operands, count),
                                  .m = (uint64_t)(of_n ? x->n : x->m),
                                  .n = (uint64_t)x->n,
                                  .k = (uint64_t)x->k,
                                  .batch = items,
                                  .flops = products_of(x) * items * (is_complex ? 8 : 2)};
    if (x->op == CUBLAS_SYMM || x->op == CUBLAS_HEMM || x->op == CUBLAS_TRMM) out->k = (uint64_t)order_of(x);
    if (kind_of(x->op) == EVENT_ROUTINE_SOLVE && x->op < CUBLAS_AXPY && x->op != CUBLAS_TRSM)
        out->m = out->n, out->n = 1;
    if (x->op == CUBLAS_TRSM && x->side == BLAS_RIGHT) out->m = (uint64_t)x->n, out->n = (uint64_t)x->m;
    if (is_complex) out->k *= 4; /* of real products */
    for (unsigned i = 0; i < count; i++) {
        uint64_t size =
            (uint64_t)operands[i].rows * (uint64_t)operands[i].columns * operands[i].bytes * items;
        if (operands[i].reads) out->read_bytes += size;
        if (operands[i].writes) out->wrote_bytes += size;
    }
}
