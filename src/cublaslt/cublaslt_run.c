/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: computes a product when its turn comes. Method: equal types without an epilogue are BLAS' own,
 * where they are; other real types are computed in cublaslt_real.c; complex numbers in planes, of few bits or
 * of orders that BLAS has not become matrices of their own. Limits: TF32 is not rounded to. */
#include "cublaslt_priv.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

bool lt_reads_c(const struct lt_call *x)
{
    static const unsigned char ZERO[16];
    return x->beta_device || memcmp(x->beta, ZERO, x->scalar.bytes) != 0;
}

const void *lt_alpha(const struct lt_call *x, int64_t item)
{
    if (!x->alpha_device) return x->alpha;
    return (const char *)x->alpha_device + item * x->alpha_stride * (int64_t)x->scalar.bytes;
}

const void *lt_beta(const struct lt_call *x)
{
    return x->beta_device ? x->beta_device : x->beta;
}

/* ---- where the matrices are */

static void copy_c(const struct lt_call *x, int64_t item)
{
    const char *from = lt_item(&x->c, item);
    char *to = (char *)(uintptr_t)lt_item(&x->d, item);
    int64_t lines, length;
    uint64_t bytes = x->d.element.bytes;
    if (from == to || !lt_reads_c(x)) return;
    lt_lines(&x->d, &lines, &length);
    for (int64_t j = 0; j < lines; j++)
        memcpy(to + (uint64_t)(j * x->d.ld) * bytes, from + (uint64_t)(j * x->c.ld) * bytes,
               (uint64_t)length * bytes);
}

static enum blas_op flipped(enum blas_op op)
{
    return op == BLAS_N ? BLAS_T : BLAS_N;
}

/* By rows, D is the transposed product by columns. */
static bool run_direct(const struct lt_call *x, int64_t item)
{
    bool by_rows = x->d.order == CUBLASLT_ORDER_ROW;
    const struct lt_matrix *left = by_rows ? &x->b : &x->a, *right = by_rows ? &x->a : &x->b;
    copy_c(x, item);
    return blas_gemm(&(struct blas_args){.type = x->type,
                                         .trans_a = by_rows ? flipped(x->trans_b) : x->trans_a,
                                         .trans_b = by_rows ? flipped(x->trans_a) : x->trans_b,
                                         .m = (int)(by_rows ? x->n : x->m),
                                         .n = (int)(by_rows ? x->m : x->n),
                                         .k = (int)x->k,
                                         .a = lt_item(left, item),
                                         .lda = (int)left->ld,
                                         .b = lt_item(right, item),
                                         .ldb = (int)right->ld,
                                         .c = (void *)(uintptr_t)lt_item(&x->d, item),
                                         .ldc = (int)x->d.ld,
                                         .alpha = lt_alpha(x, item),
                                         .beta = lt_beta(x)});
}

/* ---- complex numbers, in matrices of their own */

static void *whole(const struct lt_matrix *x, int64_t item, enum blas_type type)
{
    void *room = sw_xmalloc((uint64_t)(x->rows * x->cols) * blas_bytes(type) + 1);
    lt_load(x, lt_item(x, item), 0, x->cols, type, room);
    return room;
}

static bool run_complex(const struct lt_call *x, int64_t item)
{
    struct lt_matrix all = x->d;
    void *a = whole(&x->a, item, x->type), *b = whole(&x->b, item, x->type), *d;
    if (lt_reads_c(x))
        d = whole(&x->c, item, x->type);
    else
        d = sw_xmalloc((uint64_t)(x->m * x->n) * blas_bytes(x->type) + 1);
    bool done = blas_gemm(&(struct blas_args){.type = x->type,
                                              .trans_a = x->trans_a,
                                              .trans_b = x->trans_b,
                                              .m = (int)x->m,
                                              .n = (int)x->n,
                                              .k = (int)x->k,
                                              .a = a,
                                              .lda = (int)(x->a.rows > 0 ? x->a.rows : 1),
                                              .b = b,
                                              .ldb = (int)(x->b.rows > 0 ? x->b.rows : 1),
                                              .c = d,
                                              .ldc = (int)x->m,
                                              .alpha = lt_alpha(x, item),
                                              .beta = lt_beta(x)});
    for (int64_t j = 0; j < x->n && done; j++)
        lt_store(&all, (void *)(uintptr_t)lt_item(&all, item), j, x->m, x->type,
                 (char *)d + (uint64_t)(j * x->m) * blas_bytes(x->type));
    free(a);
    free(b);
    free(d);
    return done;
}

/* ---- all */

int lt_run(const void *args)
{
    const struct lt_call *x = args;
    float most = 0, aux_most = 0;
    bool done = true;
    for (int64_t item = 0; item < x->batch && done; item++)
        done = x->way == LT_DIRECT    ? run_direct(x, item)
               : x->way == LT_COMPLEX ? run_complex(x, item)
                                      : lt_run_real(x, item, &most, &aux_most);
    if (done && x->amax) *x->amax = most;
    if (done && x->aux_amax) *x->aux_amax = aux_most;
    if (!done) sw_log("cublasLtMatmul: %s has no function for it", blas_name());
    return done ? 0 : CUDA_ERROR_NOT_SUPPORTED;
}
