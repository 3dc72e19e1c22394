/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what memory a call reads and writes, and what it costs. Method: operands of the call; numbers of
 * operations of LAPACK's algorithms. Limits: triangles and symmetric matrices count as the whole matrices
 * that they stand in; of iterations the usual number is counted. Sources: LAPACK Working Note 41, appendix C;
 * Golub and Van Loan, Matrix Computations, for eigenvalues. */
#include "cusolver_priv.h"

#include <stdio.h>

const void *cusolver_item(const struct cusolver_call *call, enum cusolver_slot slot, int64_t item)
{
    const struct cusolver_operand *o = &call->o[slot];
    if (!o->at) return NULL;
    if (o->array) return ((const void *const *)o->at)[item];
    return (const char *)o->at + item * o->stride * (int64_t)o->bytes;
}

/* Arrays of pointers, then the operands of one item after the other: what is read, then what is written. */
bool cusolver_range(const void *args, uint32_t i, struct event_routine_range *out)
{
    const struct cusolver_call *x = args;
    uint64_t items = x->batch ? (uint64_t)x->batch : 1;
    *out = (struct event_routine_range){0};
    if (i < CUSOLVER_SLOTS) {
        if (x->o[i].array)
            *out = (struct event_routine_range){.address = (uintptr_t)x->o[i].at,
                                                .pitch = items * sizeof(void *),
                                                .width = items * sizeof(void *),
                                                .height = 1};
        return true;
    }
    i -= CUSOLVER_SLOTS;
    uint64_t item = i / (2 * CUSOLVER_SLOTS);
    enum cusolver_slot slot = i % (2 * CUSOLVER_SLOTS) / 2;
    bool writes = i % 2;
    if (item >= items) return false;
    const struct cusolver_operand *o = &x->o[slot];
    if (!o->at || (writes ? !o->writes : !o->reads)) return true;
    *out = (struct event_routine_range){.address = (uintptr_t)cusolver_item(x, slot, (int64_t)item),
                                        .pitch = sw_product((uint64_t)o->ld, o->bytes),
                                        .width = sw_product((uint64_t)o->rows, o->bytes),
                                        .height = o->rows ? (uint64_t)o->columns : 0,
                                        .writes = writes};
    return true;
}

/* ---- costs */

/* Multiply-adds, of one item. */
static double products_of(const struct cusolver_call *x)
{
    double m = (double)x->m, n = (double)x->n, k = (double)x->k, least = m < n ? m : n;
    switch (x->op) {
    case CUSOLVER_POTRF:
    case CUSOLVER_LAUUM:
    case CUSOLVER_TRTRI:
    case CUSOLVER_SYTRF: return n * n * n / 6;
    case CUSOLVER_POTRI:
    case CUSOLVER_SYTRI: return n * n * n / 3;
    case CUSOLVER_POTRS:
    case CUSOLVER_GETRS:
    case CUSOLVER_SYTRS: return n * n * k;
    case CUSOLVER_GETRF: return least * least * ((m > n ? m : n) - least / 3) / 2;
    case CUSOLVER_LASWP: return 0;
    case CUSOLVER_GEQRF: return least * least * ((m > n ? m : n) - least / 3);
    case CUSOLVER_ORGQR: return 2 * m * n * k - (m + n) * k * k + 2 * k * k * k / 3;
    case CUSOLVER_ORMQR: return (x->side == 'L' ? n * k * (2 * m - k) : m * k * (2 * n - k));
    case CUSOLVER_LARFT: return n * k * k / 2;
    case CUSOLVER_GESV: return n * n * n / 3 + n * n * k;
    case CUSOLVER_GELS: return least * least * (m - n / 3) + 2 * m * n * k;
    case CUSOLVER_GEBRD: return 2 * least * least * ((m > n ? m : n) - least / 3);
    case CUSOLVER_ORGBR:
    case CUSOLVER_ORGTR:
    case CUSOLVER_SYTRD: return 2 * n * n * n / 3;
    case CUSOLVER_ORMTR: return m * n * (x->side == 'L' ? m : n);
    case CUSOLVER_SYEV: return (x->job == 'V' ? 4.5 : 2.0 / 3) * n * n * n;
    case CUSOLVER_SYGV: return (x->job == 'V' ? 7 : 2.0) * n * n * n;
    case CUSOLVER_GEEV: return (x->job == 'V' ? 12.5 : 5) * n * n * n;
    case CUSOLVER_SVD:
    case CUSOLVER_SVD_V: return (x->job == 'N' ? 2 : 7) * least * least * (m > n ? m : n);
    case CUSOLVER_SPARSE: return k;
    }
    return 0;
}

static enum event_routine_kind kind_of(const struct cusolver_call *x)
{
    static const uint8_t KINDS[] = {
        [CUSOLVER_POTRF] = EVENT_ROUTINE_CHOLESKY,     [CUSOLVER_POTRI] = EVENT_ROUTINE_INVERSE,
        [CUSOLVER_LAUUM] = EVENT_ROUTINE_CHOLESKY,     [CUSOLVER_POTRS] = EVENT_ROUTINE_TRIANGLE,
        [CUSOLVER_TRTRI] = EVENT_ROUTINE_CHOLESKY,     [CUSOLVER_GETRF] = EVENT_ROUTINE_LU,
        [CUSOLVER_GETRS] = EVENT_ROUTINE_TRIANGLE_LU,  [CUSOLVER_LASWP] = EVENT_ROUTINE_STREAM,
        [CUSOLVER_SYTRF] = EVENT_ROUTINE_INDEFINITE,   [CUSOLVER_SYTRS] = EVENT_ROUTINE_TRIANGLE_LU,
        [CUSOLVER_SYTRI] = EVENT_ROUTINE_INVERSE,      [CUSOLVER_GEQRF] = EVENT_ROUTINE_QR,
        [CUSOLVER_ORGQR] = EVENT_ROUTINE_GENERATE,     [CUSOLVER_ORMQR] = EVENT_ROUTINE_REFLECT,
        [CUSOLVER_LARFT] = EVENT_ROUTINE_GENERATE,     [CUSOLVER_GESV] = EVENT_ROUTINE_MIXED,
        [CUSOLVER_GELS] = EVENT_ROUTINE_LEAST_SQUARES, [CUSOLVER_GEBRD] = EVENT_ROUTINE_BIDIAGONAL,
        [CUSOLVER_ORGBR] = EVENT_ROUTINE_GENERATE,     [CUSOLVER_SYTRD] = EVENT_ROUTINE_TRIDIAGONAL,
        [CUSOLVER_ORGTR] = EVENT_ROUTINE_GENERATE,     [CUSOLVER_ORMTR] = EVENT_ROUTINE_REFLECT,
        [CUSOLVER_SYEV] = EVENT_ROUTINE_EIGEN,         [CUSOLVER_SYGV] = EVENT_ROUTINE_EIGEN_PAIR,
        [CUSOLVER_GEEV] = EVENT_ROUTINE_EIGEN,         [CUSOLVER_SVD] = EVENT_ROUTINE_SVD,
        [CUSOLVER_SVD_V] = EVENT_ROUTINE_SVD,          [CUSOLVER_SPARSE] = EVENT_ROUTINE_SOLVE};
    if (x->jacobi) return KINDS[x->op] == EVENT_ROUTINE_SVD ? EVENT_ROUTINE_JACOBI_SVD : EVENT_ROUTINE_JACOBI;
    return KINDS[x->op];
}

/* Cholesky's alone goes another way with the upper triangle. */
static enum event_routine_method method_of(const struct cusolver_call *x)
{
    bool is_upper = x->op == CUSOLVER_POTRF && x->uplo == 'U';
    if (blas_is_complex(x->type)) return is_upper ? EVENT_METHOD_UPPER_COMPLEX : EVENT_METHOD_COMPLEX;
    return is_upper ? EVENT_METHOD_UPPER : EVENT_METHOD_USUAL;
}

static void shape_of(const struct cusolver_call *x, char *shape, size_t bytes)
{
    int used = 0;
    if (x->m) used = snprintf(shape, bytes, "m %lld, ", (long long)x->m);
    used += snprintf(shape + used, bytes - (size_t)used, "n %lld", (long long)x->n);
    if (x->k) used += snprintf(shape + used, bytes - (size_t)used, ", k %lld", (long long)x->k);
    if (x->job) used += snprintf(shape + used, bytes - (size_t)used, ", %c", x->job);
    if (x->batch) snprintf(shape + used, bytes - (size_t)used, ", batch %lld", (long long)x->batch);
}

bool cusolver_is_brief(const struct cusolver_call *x)
{
    enum { BRIEF = 1 << 17 }; /* implementation: an LU factorization of order 73, which takes about 15 us */
    if (kind_of(x) >= EVENT_ROUTINE_TRIDIAGONAL) return false;
    double work = products_of(x) * (double)(x->batch ? x->batch : 1) * (blas_is_complex(x->type) ? 4 : 1);
    return work > 0 && work * (blas_real(x->type) == BLAS_D ? 2 : 1) <= BRIEF;
}

void cusolver_describe(const void *args, struct event_routine *out, char shape[EVENT_ROUTINE_SHAPE])
{
    const struct cusolver_call *x = args;
    uint64_t items = x->batch ? (uint64_t)x->batch : 1;
    bool is_double = blas_real(x->type) == BLAS_D;
    shape_of(x, shape, EVENT_ROUTINE_SHAPE);
    *out = (struct event_routine){
        .name = x->name,
        .shape = shape,
        .kind = (uint8_t)kind_of(x),
        .math = is_double ? EVENT_MATH_F64 : EVENT_MATH_F32,
        .method = (uint8_t)method_of(x),
        .m = (uint64_t)(x->m ? x->m : x->n),
        .n = (uint64_t)x->n,
        .k = (uint64_t)x->k,
        .batch = items,
        .flops = (uint64_t)(products_of(x) * (double)items * (blas_is_complex(x->type) ? 8 : 2))};
    if (out->kind >= EVENT_ROUTINE_EIGEN && out->kind <= EVENT_ROUTINE_JACOBI_SVD) out->k = x->job != 'N';
    for (unsigned i = 0; i < CUSOLVER_SLOTS; i++) {
        const struct cusolver_operand *o = &x->o[i];
        uint64_t size = (uint64_t)o->rows * (uint64_t)o->columns * o->bytes * items;
        if (o->reads) out->read_bytes += size;
        if (o->writes) out->wrote_bytes += size;
    }
}
