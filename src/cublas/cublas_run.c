/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: computes a call when its turn comes. Method: the host's BLAS library does what it has; products of
 * small elements go through floats (blas_convert.c); sums of matrices, diagonals and rotations are loops
 * here. Limits: items of a batch come one after the other. */
#include "cublas_priv.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the library has not: loops over one type */

#define AT(p, type, i, j, ld) (((type *)(p))[(int64_t)(j) * (ld) + (i)])
#define CONJ_s(x)             (x)
#define CONJ_d(x)             (x)
#define CONJ_c(x)             conjf(x)
#define CONJ_z(x)             conj(x)

/* c := alpha * op(a) + beta * op(b); c may be a or b where that is not transposed. */
#define GEAM(t, type)                                                                                        \
    static type geam_side_##t(const void *p, enum blas_op op, int64_t i, int64_t j, int64_t ld)              \
    {                                                                                                        \
        type value = op == BLAS_N ? AT(p, const type, i, j, ld) : AT(p, const type, j, i, ld);               \
        return op == BLAS_H ? CONJ_##t(value) : value;                                                       \
    }                                                                                                        \
    static void geam_##t(const struct blas_args *x)                                                          \
    {                                                                                                        \
        type alpha, beta;                                                                                    \
        memcpy(&alpha, x->alpha, sizeof alpha);                                                              \
        memcpy(&beta, x->beta, sizeof beta);                                                                 \
        for (int64_t j = 0; j < x->n; j++)                                                                   \
            for (int64_t i = 0; i < x->m; i++) {                                                             \
                type sum = 0;                                                                                \
                if (alpha != 0) sum = alpha * geam_side_##t(x->a, x->trans_a, i, j, x->lda);                 \
                if (beta != 0) sum += beta * geam_side_##t(x->b, x->trans_b, i, j, x->ldb);                  \
                AT(x->c, type, i, j, x->ldc) = sum;                                                          \
            }                                                                                                \
    }
/* c := diag(b) * a, or a * diag(b) */
#define DGMM(t, type)                                                                                        \
    static void dgmm_##t(const struct blas_args *x)                                                          \
    {                                                                                                        \
        int64_t order = x->side == BLAS_LEFT ? x->m : x->n, begin = x->ldb < 0 ? (1 - order) * x->ldb : 0;   \
        const type *b = (const type *)x->b + begin;                                                          \
        for (int64_t j = 0; j < x->n; j++)                                                                   \
            for (int64_t i = 0; i < x->m; i++)                                                               \
                AT(x->c, type, i, j, x->ldc) =                                                               \
                    AT(x->a, const type, i, j, x->lda) * b[(x->side == BLAS_LEFT ? i : j) * x->ldb];         \
    }
#define BOTH(t, type) GEAM(t, type) DGMM(t, type)
BOTH(s, float)
BOTH(d, double)
BOTH(c, float complex)
BOTH(z, double complex)

#define LOOP(name)                                                                                           \
    static bool run_##name(const struct blas_args *x)                                                        \
    {                                                                                                        \
        switch (x->type) {                                                                                   \
        case BLAS_S: name##_s(x); return true;                                                               \
        case BLAS_D: name##_d(x); return true;                                                               \
        case BLAS_C: name##_c(x); return true;                                                               \
        case BLAS_Z: name##_z(x); return true;                                                               \
        default: return false;                                                                               \
        }                                                                                                    \
    }
LOOP(geam)
LOOP(dgmm)

/* c := a * op(b)' of which only a triangle is kept: a product beside c. */
static bool run_syrkx(const struct blas_args *x, bool hermitian)
{
    uint64_t bytes = blas_bytes(x->type);
    char zero[16] = {0}, *room = sw_xmalloc((uint64_t)x->n * (uint64_t)x->n * bytes + 1);
    struct blas_args product = *x;
    enum blas_op other = hermitian ? BLAS_H : BLAS_T;
    product.trans_a = x->trans_a == BLAS_N ? BLAS_N : other;
    product.trans_b = x->trans_a == BLAS_N ? other : BLAS_N;
    product.m = x->n;
    product.c = room;
    product.ldc = x->n > 0 ? x->n : 1;
    /* What is there goes in, so that beta and its zero mean what they do. */
    for (int64_t j = 0; j < x->n && memcmp(x->beta, zero, bytes) != 0; j++)
        memcpy(room + (uint64_t)j * (uint64_t)x->n * bytes,
               (const char *)x->c + (uint64_t)j * (uint64_t)x->ldc * bytes, (uint64_t)x->n * bytes);
    bool done = blas_gemm(&product);
    for (int64_t j = 0; j < x->n && done; j++) {
        int64_t first = x->uplo == BLAS_UPPER ? 0 : j, count = x->uplo == BLAS_UPPER ? j + 1 : x->n - j;
        if (hermitian)
            memset(room + (uint64_t)(j * x->n + j) * bytes + bytes / 2, 0, bytes / 2); /* is real */
        memcpy((char *)x->c + (uint64_t)(j * x->ldc + first) * bytes,
               room + (uint64_t)(j * x->n + first) * bytes, (uint64_t)count * bytes);
    }
    free(room);
    return done;
}

/* BLAS multiplies in place; cuBLAS from b to c, which may be the same. */
static bool run_trmm(const struct blas_args *x)
{
    uint64_t bytes = blas_bytes(x->type);
    for (int64_t j = 0; j < x->n && x->b != x->c; j++)
        memcpy((char *)x->c + (uint64_t)(j * x->ldc) * bytes,
               (const char *)x->b + (uint64_t)(j * x->ldb) * bytes, (uint64_t)x->m * bytes);
    return blas_trmm(x);
}

/* (c, d) := rotated; alpha: a real cosine, beta: a sine of the vectors' type, or a real one. */
#define ROT(t, real, type)                                                                                   \
    static void rot_##t(const struct blas_args *x, const struct cublas_call *call)                           \
    {                                                                                                        \
        real cosine = *(const real *)x->alpha;                                                               \
        type sine = 0, conjugate;                                                                            \
        if (call->beta.bytes == sizeof(real))                                                                \
            sine = *(const real *)x->beta;                                                                   \
        else                                                                                                 \
            memcpy(&sine, x->beta, sizeof sine);                                                             \
        conjugate = CONJ_##t(sine);                                                                          \
        int64_t ic = x->ldc < 0 ? (1 - (int64_t)x->n) * x->ldc : 0,                                          \
                id = x->ldb < 0 ? (1 - (int64_t)x->n) * x->ldb : 0;                                          \
        for (int64_t i = 0; i < x->n; i++, ic += x->ldc, id += x->ldb) {                                     \
            type *p = (type *)x->c + ic, *q = (type *)x->d + id, old = *p;                                   \
            *p = cosine * old + sine * *q;                                                                   \
            *q = cosine * *q - conjugate * old;                                                              \
        }                                                                                                    \
    }
ROT(s, float, float)
ROT(d, double, double)
ROT(c, float, float complex)
ROT(z, double, double complex)

static bool run_rot(const struct blas_args *x, const struct cublas_call *call)
{
    switch (x->type) {
    case BLAS_S: rot_s(x, call); return true;
    case BLAS_D: rot_d(x, call); return true;
    case BLAS_C: rot_c(x, call); return true;
    case BLAS_Z: rot_z(x, call); return true;
    default: return false;
    }
}

/* The modified rotation: a flag and the matrix H, by columns. */
#define ROTM(t, real)                                                                                        \
    static void rotm_##t(const struct blas_args *x, const struct cublas_call *call)                          \
    {                                                                                                        \
        real param[5];                                                                                       \
        for (int i = 0; i < 5; i++)                                                                          \
            param[i] = call->has_param ? (real)call->param[i] : ((const real *)x->b)[i];                     \
        real flag = param[0], h11 = 1, h21 = 0, h12 = 0, h22 = 1;                                            \
        if (flag == -1) h11 = param[1], h21 = param[2], h12 = param[3], h22 = param[4];                      \
        if (flag == 0) h21 = param[2], h12 = param[3];                                                       \
        if (flag == 1) h11 = param[1], h21 = -1, h12 = 1, h22 = param[4];                                    \
        int64_t ic = x->ldc < 0 ? (1 - (int64_t)x->n) * x->ldc : 0,                                          \
                id = x->ldb < 0 ? (1 - (int64_t)x->n) * x->ldb : 0;                                          \
        for (int64_t i = 0; i < x->n; i++, ic += x->ldc, id += x->ldb) {                                     \
            real *p = (real *)x->c + ic, *q = (real *)x->d + id, old = *p;                                   \
            *p = h11 * old + h12 * *q;                                                                       \
            *q = h21 * old + h22 * *q;                                                                       \
        }                                                                                                    \
    }
ROTM(s, float)
ROTM(d, double)

static bool run_rotm(const struct blas_args *x, const struct cublas_call *call)
{
    if (x->type == BLAS_S)
        rotm_s(x, call);
    else
        rotm_d(x, call);
    return true;
}

/* ---- vectors of small elements: as floats, without gaps */

static int64_t begin_of(int64_t n, int64_t step)
{
    return step < 0 ? (1 - n) * step : 0;
}

static float *floats_of(enum blas_element element, const void *at, int64_t n, int64_t step)
{
    uint64_t bytes = blas_element_bytes(element);
    float *out = sw_xmalloc((uint64_t)n * sizeof *out + 1);
    const char *from = (const char *)at + begin_of(n, step) * (int64_t)bytes;
    for (int64_t i = 0; i < n; i++)
        blas_to_floats(element, from + i * step * (int64_t)bytes, &out[i], 1);
    return out;
}

static void floats_back(enum blas_element element, void *at, int64_t n, int64_t step, const float *from)
{
    uint64_t bytes = blas_element_bytes(element);
    char *to = (char *)at + begin_of(n, step) * (int64_t)bytes;
    for (int64_t i = 0; i < n; i++)
        blas_from_floats(element, &from[i], to + i * step * (int64_t)bytes, 1);
}

/* The matrix as floats, too. */
static bool run_gemv_mixed(const struct blas_args *x, const struct cublas_call *call)
{
    int64_t into = x->trans_a == BLAS_N ? x->m : x->n, from = x->trans_a == BLAS_N ? x->n : x->m;
    struct blas_args y = *x;
    uint64_t bytes = blas_element_bytes(call->a_element);
    float *a = sw_xmalloc((uint64_t)x->m * (uint64_t)x->n * sizeof *a + 1);
    float *b = floats_of(call->b_element, x->b, from, x->ldb),
          *c = floats_of(call->c_element, x->c, into, x->ldc);
    for (int64_t j = 0; j < x->n; j++)
        blas_to_floats(call->a_element, (const char *)x->a + (uint64_t)(j * x->lda) * bytes, a + j * x->m,
                       (uint64_t)x->m);
    y.type = BLAS_S;
    y.a = a, y.b = b, y.c = c;
    y.lda = x->m > 0 ? x->m : 1;
    y.ldb = y.ldc = 1;
    bool done = blas_gemv(&y);
    if (done) floats_back(call->c_element, x->c, into, x->ldc, c);
    free(a);
    free(b);
    free(c);
    return done;
}

/* A triangle's columns, from full to packed storage or back. */
static bool run_packed(const struct blas_args *x, bool unpacks)
{
    uint64_t bytes = blas_bytes(x->type), at = 0;
    for (int64_t j = 0; j < x->n; j++) {
        int64_t first = x->uplo == BLAS_UPPER ? 0 : j, count = x->uplo == BLAS_UPPER ? j + 1 : x->n - j;
        uint64_t size = (uint64_t)count * bytes;
        if (unpacks)
            memcpy((char *)x->c + (uint64_t)(j * x->ldc + first) * bytes, (const char *)x->a + at, size);
        else
            memcpy((char *)x->c + at, (const char *)x->a + (uint64_t)(j * x->lda + first) * bytes, size);
        at += size;
    }
    return true;
}

static bool run_one(const struct blas_args *x, const struct cublas_call *call);

static bool run_small(const struct blas_args *x, const struct cublas_call *call)
{
    struct cublas_call plain = *call;
    struct blas_args y = *x;
    float result = 0, *a = x->a ? floats_of(call->element, x->a, x->n, x->lda) : NULL,
          *b = x->b ? floats_of(call->element, x->b, x->n, x->ldb) : NULL,
          *c = x->c ? floats_of(call->element, x->c, x->n, x->ldc) : NULL;
    bool two = call->op == CUBLAS_SWAP || call->op == CUBLAS_ROT || call->op == CUBLAS_ROTM;
    float *d = two ? floats_of(call->element, x->d, x->n, x->ldb) : NULL;
    bool is_index = call->op == CUBLAS_AMAX || call->op == CUBLAS_AMIN, is_result = !x->c;
    plain.is_small = false;
    y.a = a;
    y.b = b;
    y.c = c;
    if (two) y.d = d;
    if (is_result && !is_index) y.d = &result;
    y.lda = y.ldb = y.ldc = 1;
    bool done = run_one(&y, &plain);
    if (done && c) floats_back(call->element, x->c, x->n, x->ldc, c);
    if (done && d) floats_back(call->element, x->d, x->n, x->ldb, d);
    if (done && is_result && !is_index) blas_from_floats(call->result_element, &result, x->d, 1);
    free(a);
    free(b);
    free(c);
    free(d);
    return done;
}

/* ---- factorizations */

static bool run_inverse(const struct blas_args *x, int *info)
{
    uint64_t bytes = blas_bytes(x->type), all = (uint64_t)x->m * (uint64_t)x->m * bytes;
    char *copy = sw_xmalloc(all + 1);
    int *pivots = sw_xmalloc((uint64_t)x->m * sizeof *pivots + 1);
    struct blas_args y = *x;
    for (int64_t j = 0; j < x->m; j++)
        memcpy(copy + (uint64_t)(j * x->m) * bytes, (const char *)x->a + (uint64_t)(j * x->lda) * bytes,
               (uint64_t)x->m * bytes);
    y.c = copy;
    y.ldc = x->m;
    bool done = blas_getrf(&y, pivots, info);
    y.a = copy;
    y.lda = x->m;
    y.c = x->c;
    y.ldc = x->ldc;
    if (done && *info == 0) done = blas_getri(&y, pivots, info);
    free(copy);
    free(pivots);
    return done;
}

/* item: in a batch */
static bool run_factor(const struct blas_args *x, const struct cublas_call *call, int64_t item)
{
    int info = 0, *pivots = call->pivots;
    bool done = false;
    if (pivots) pivots += item * (call->op == CUBLAS_GETRF && call->n < call->m ? call->n : call->m);
    switch ((int)call->op) {
    case CUBLAS_GETRF: done = blas_getrf(x, pivots, &info); break;
    case CUBLAS_GETRS: done = blas_getrs(x, pivots, &info); break;
    case CUBLAS_GETRI: done = blas_getri(x, pivots, &info); break;
    case CUBLAS_MATINV: done = run_inverse(x, &info); break;
    case CUBLAS_GEQRF: done = blas_geqrf(x, &info); break;
    case CUBLAS_GELS: done = blas_gels(x, &info); break;
    default: break;
    }
    if (done && call->info) call->info[item] = info;
    return done;
}

/* ---- one item */

static bool run_mixed(const struct blas_args *x, const struct cublas_call *call)
{
    return blas_gemm_mixed(&(struct blas_mixed){.a_element = call->a_element,
                                                .b_element = call->b_element,
                                                .c_element = call->c_element,
                                                .trans_a = x->trans_a,
                                                .trans_b = x->trans_b,
                                                .m = x->m,
                                                .n = x->n,
                                                .k = x->k,
                                                .lda = x->lda,
                                                .ldb = x->ldb,
                                                .ldc = x->ldc,
                                                .a = x->a,
                                                .b = x->b,
                                                .alpha = x->alpha,
                                                .beta = x->beta,
                                                .c = x->c});
}

static bool run_one(const struct blas_args *x, const struct cublas_call *call)
{
    if (call->is_small) return run_small(x, call);
    switch (call->op) {
    case CUBLAS_GEMM: return blas_gemm(x);
    case CUBLAS_GEMM_MIXED: return run_mixed(x, call);
    case CUBLAS_SYMM:
    case CUBLAS_HEMM: return blas_symm(x, call->op == CUBLAS_HEMM);
    case CUBLAS_SYRK:
    case CUBLAS_HERK: return blas_syrk(x, call->op == CUBLAS_HERK);
    case CUBLAS_SYR2K:
    case CUBLAS_HER2K: return blas_syr2k(x, call->op == CUBLAS_HER2K);
    case CUBLAS_SYRKX:
    case CUBLAS_HERKX: return run_syrkx(x, call->op == CUBLAS_HERKX);
    case CUBLAS_TRMM: return run_trmm(x);
    case CUBLAS_TRSM: return blas_trsm(x);
    case CUBLAS_GEAM: return run_geam(x);
    case CUBLAS_DGMM: return run_dgmm(x);
    case CUBLAS_GEMV: return blas_gemv(x);
    case CUBLAS_GEMV_MIXED: return run_gemv_mixed(x, call);
    case CUBLAS_TPTTR:
    case CUBLAS_TRTTP: return run_packed(x, call->op == CUBLAS_TPTTR);
    case CUBLAS_GBMV: return blas_gbmv(x);
    case CUBLAS_SYMV:
    case CUBLAS_HEMV: return blas_symv(x, call->op == CUBLAS_HEMV);
    case CUBLAS_SBMV:
    case CUBLAS_HBMV: return blas_sbmv(x, call->op == CUBLAS_HBMV);
    case CUBLAS_SPMV:
    case CUBLAS_HPMV: return blas_spmv(x, call->op == CUBLAS_HPMV);
    case CUBLAS_TRMV:
    case CUBLAS_TRSV: return blas_trv(x, 'r', call->op == CUBLAS_TRSV);
    case CUBLAS_TBMV:
    case CUBLAS_TBSV: return blas_trv(x, 'b', call->op == CUBLAS_TBSV);
    case CUBLAS_TPMV:
    case CUBLAS_TPSV: return blas_trv(x, 'p', call->op == CUBLAS_TPSV);
    case CUBLAS_GER:
    case CUBLAS_GERC: return blas_ger(x, call->op == CUBLAS_GERC);
    case CUBLAS_SYR:
    case CUBLAS_HER: return blas_syr(x, call->op == CUBLAS_HER, false);
    case CUBLAS_SPR:
    case CUBLAS_HPR: return blas_syr(x, call->op == CUBLAS_HPR, true);
    case CUBLAS_SYR2:
    case CUBLAS_HER2: return blas_syr2(x, call->op == CUBLAS_HER2, false);
    case CUBLAS_SPR2:
    case CUBLAS_HPR2: return blas_syr2(x, call->op == CUBLAS_HPR2, true);
    case CUBLAS_AXPY: return blas_axpy(x);
    case CUBLAS_COPY: return blas_copy(x);
    case CUBLAS_SWAP: return blas_swap(x);
    case CUBLAS_SCAL:
    case CUBLAS_SCAL_REAL: return blas_scal(x, call->op == CUBLAS_SCAL_REAL);
    case CUBLAS_DOT:
    case CUBLAS_DOTC: return blas_dot(x, call->op == CUBLAS_DOTC);
    case CUBLAS_NRM2: return blas_nrm2(x);
    case CUBLAS_ASUM: return blas_asum(x);
    case CUBLAS_AMAX:
    case CUBLAS_AMIN: return blas_amax(x, call->op == CUBLAS_AMIN);
    case CUBLAS_ROT: return run_rot(x, call);
    case CUBLAS_ROTM: return run_rotm(x, call);
    case CUBLAS_GETRF:
    case CUBLAS_GETRS:
    case CUBLAS_GETRI:
    case CUBLAS_MATINV:
    case CUBLAS_GEQRF:
    case CUBLAS_GELS: break; /* in batches alone */
    }
    return false;
}

/* ---- batches */

static void move_to(const struct cublas_call *call, int64_t i, struct blas_args *x)
{
    bool mixed = call->op == CUBLAS_GEMM_MIXED || call->op == CUBLAS_GEMV_MIXED;
    int64_t a = mixed ? blas_element_bytes(call->a_element) : blas_bytes(call->type),
            b = mixed ? blas_element_bytes(call->b_element) : blas_bytes(call->type),
            c = mixed ? blas_element_bytes(call->c_element) : blas_bytes(call->type);
    if (call->arrays) {
        x->a = call->a ? ((const void *const *)call->a)[i] : NULL;
        if (call->op == CUBLAS_GEQRF) x->d = ((void *const *)call->d)[i];
        x->b = call->b ? ((const void *const *)call->b)[i] : NULL;
        x->c = ((void *const *)call->c)[i];
        return;
    }
    x->a = (const char *)call->a + i * call->stride_a * a;
    x->b = (const char *)call->b + i * call->stride_b * b;
    x->c = (char *)call->c + i * call->stride_c * c;
}

static bool run_items(struct blas_args *x, const struct cublas_call *call)
{
    bool done = true;
    for (int64_t i = 0; i < call->batch && done; i++) {
        move_to(call, i, x);
        done = call->op >= CUBLAS_GETRF ? run_factor(x, call, i) : run_one(x, call);
    }
    return done;
}

static bool run_products(const struct blas_args *x, const struct cublas_call *call)
{
    int64_t bytes = blas_bytes(call->type);
    return blas_gemm_items(x, &(struct blas_items){.count = call->batch,
                                                   .arrays = call->arrays,
                                                   .a_step = call->stride_a * bytes,
                                                   .b_step = call->stride_b * bytes,
                                                   .c_step = call->stride_c * bytes});
}

/* Halves become floats, which the operations expect. */
static const void *scalar_at(const struct cublas_scalar *scalar, void *room)
{
    if (scalar->bytes == sizeof(uint16_t))
        blas_to_floats(BLAS_F16, scalar->device, room, 1);
    else
        memcpy(room, scalar->device ? scalar->device : scalar->value, scalar->bytes);
    return room;
}

int cublas_run(const void *args)
{
    const struct cublas_work *work = args;
    const struct cublas_call *call = &work->call;
    _Alignas(16) unsigned char alpha[16] = {0}, beta[16] = {0};
    struct blas_args x = {.type = call->type,
                          .trans_a = call->trans_a,
                          .trans_b = call->trans_b,
                          .uplo = call->uplo,
                          .side = call->side,
                          .diag = call->diag,
                          .m = (int)call->m,
                          .n = (int)call->n,
                          .k = (int)call->k,
                          .kl = (int)call->kl,
                          .ku = (int)call->ku,
                          .lda = (int)call->lda,
                          .ldb = (int)call->ldb,
                          .ldc = (int)call->ldc,
                          .a = call->a,
                          .b = call->b,
                          .c = call->c,
                          .d = call->d,
                          .alpha = scalar_at(&call->alpha, alpha),
                          .beta = scalar_at(&call->beta, beta)};
    bool done = true;
    if (!cublas_is_aligned(work)) {
        sw_log("%s: a matrix or vector is not aligned to its elements", call->name);
        return CUDA_ERROR_MISALIGNED_ADDRESS;
    }
    if (!call->batch)
        done = run_one(&x, call);
    else if (call->op == CUBLAS_GEMM)
        done = run_products(&x, call);
    else
        done = run_items(&x, call);
    if (!done) sw_log("%s: %s has no function for it", call->name, blas_name());
    return done ? 0 : CUDA_ERROR_NOT_SUPPORTED;
}
