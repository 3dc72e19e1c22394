/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what a call costs, and its shape, for tools. Method: counts of products and of operands' elements.
 * Limits: triangles, symmetric matrices and bands count as the whole matrices that they stand in. */
#include "cublas_priv.h"

#include <stdio.h>

static uint64_t products_of(const struct cublas_call *x)
{
    uint64_t m = (uint64_t)x->m, n = (uint64_t)x->n, k = (uint64_t)x->k;
    uint64_t order = (uint64_t)cublas_order(x);
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

bool cublas_is_brief(const struct cublas_call *x)
{
    /* implementation: doubles of order 64, which take 5 to 15 us; what reads memory once, or converts it */
    enum { PRODUCTS = 2 * 64 * 64 * 64, OTHERS = 1 << 15 };
    uint64_t most = x->op == CUBLAS_GEMM ? PRODUCTS : OTHERS;
    bool is_complex = x->type == BLAS_C || x->type == BLAS_Z, wide = x->type == BLAS_D || x->type == BLAS_Z;
    if (x->m > PRODUCTS || x->n > PRODUCTS || x->k > PRODUCTS || x->batch > PRODUCTS) return false;
    uint64_t work = sw_product(products_of(x), x->batch ? (uint64_t)x->batch : 1);
    return sw_product(work, (is_complex ? 4 : 1) * (wide ? 2 : 1)) <= most;
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

static uint8_t aligned_bytes(const struct cublas_work *work)
{
    const struct cublas_operand *operands = work->operands;
    enum { WHOLE = 16 }; /* definition: of struct event_routine */
    uint8_t aligned = WHOLE;
    for (unsigned i = 0; i < work->count; i++) {
        if (!work->call.arrays) aligned = routine_aligned(aligned, (uintptr_t)operands[i].at);
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

void cublas_describe(const void *args, struct event_routine *out, char shape[EVENT_ROUTINE_SHAPE])
{
    const struct cublas_work *work = args;
    const struct cublas_call *x = &work->call;
    const struct cublas_operand *operands = work->operands;
    uint64_t items = x->batch ? (uint64_t)x->batch : 1;
    bool is_complex = x->op != CUBLAS_GEMM_MIXED && (x->type == BLAS_C || x->type == BLAS_Z);
    bool of_n = x->op >= CUBLAS_SYRK && x->op <= CUBLAS_HERKX; /* c is of n rows, too */
    enum event_routine_math math = x->type == BLAS_D || x->type == BLAS_Z ? EVENT_MATH_F64 : EVENT_MATH_F32;
    shape_of(x, shape, EVENT_ROUTINE_SHAPE);
    *out = (struct event_routine){.name = x->name,
                                  .shape = shape,
                                  .kind = (uint8_t)kind_of(x->op),
                                  .math = (uint8_t)(x->has_math ? x->math : math),
                                  .method = (uint8_t)method_of(x),
                                  .aligned_bytes = aligned_bytes(work),
                                  .m = (uint64_t)(of_n ? x->n : x->m),
                                  .n = (uint64_t)x->n,
                                  .k = (uint64_t)x->k,
                                  .batch = items,
                                  .flops = products_of(x) * items * (is_complex ? 8 : 2)};
    if (x->op == CUBLAS_SYMM || x->op == CUBLAS_HEMM || x->op == CUBLAS_TRMM)
        out->k = (uint64_t)cublas_order(x);
    if (kind_of(x->op) == EVENT_ROUTINE_SOLVE && x->op < CUBLAS_AXPY && x->op != CUBLAS_TRSM)
        out->m = out->n, out->n = 1;
    if (x->op == CUBLAS_TRSM && x->side == BLAS_RIGHT) out->m = (uint64_t)x->n, out->n = (uint64_t)x->m;
    if (is_complex) out->k *= 4; /* of real products */
    for (unsigned i = 0; i < work->count; i++) {
        uint64_t size =
            (uint64_t)operands[i].rows * (uint64_t)operands[i].columns * operands[i].bytes * items;
        if (operands[i].reads) out->read_bytes += size;
        if (operands[i].writes) out->wrote_bytes += size;
    }
}
