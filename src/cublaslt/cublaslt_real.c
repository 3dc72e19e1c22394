/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: products of real numbers, and what follows them. Method: operands become floats or doubles, panels
 * of columns of sums come from BLAS, and each column is finished and rounded once (cublaslt_real.def, for
 * both types). Sums of 8-bit integers are exact (blas_gemm_mixed). Limits: GELU is the form by the hyperbolic
 * tangent, of the host's tanhf; sums are floats even where a GPU's would be halves.
 * Sources: documentation of cublasLtEpilogue_t and of scaling factors; results recorded on an H200. */
#include "cublaslt_priv.h"

#include <math.h>
#include <stdlib.h>

enum { PANEL = 512 }; /* implementation: columns of D at a time, so that sums stay in the caches */
static const double ROOT = 0.79788456080286535588; /* definition: sqrt(2 / pi) */
static const double CUBE = 0.044715;               /* definition: Hendrycks and Gimpel's factor */

/* ---- factors of small floats */

static float lt_scalar_scale(const struct lt_scale *scale)
{
    return scale->at && scale->mode == CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F ? *scale->at : 1;
}

static bool lt_has_blocks(const struct lt_scale *scale)
{
    return scale->at && (scale->mode == CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F ||
                         scale->mode == CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F);
}

/* Factors of blocks along k, which is along the columns of the stored matrix or across them. Vectors of
 * blocks have the factors of a block for all rows side by side, squares those of a row for all blocks, in
 * fours. */
static void lt_scale_blocks(const struct lt_scale *scale, const struct lt_matrix *x, bool along_columns,
                            float *floats)
{
    bool square = scale->mode == CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F;
    int64_t inner = along_columns ? x->rows : x->cols, outer = along_columns ? x->cols : x->rows;
    int64_t blocks = (inner + LT_SCALE_BLOCK - 1) / LT_SCALE_BLOCK, pitch = (blocks + 3) / 4 * 4;
    if (!lt_has_blocks(scale)) return;
    for (int64_t o = 0; o < outer; o++)
        for (int64_t i = 0; i < inner; i++) {
            int64_t block = i / LT_SCALE_BLOCK;
            float factor =
                square ? scale->at[o / LT_SCALE_BLOCK * pitch + block] : scale->at[block * outer + o];
            floats[along_columns ? o * x->rows + i : i * x->rows + o] *= factor;
        }
}

/* ---- where things are */

static void *lt_bias(const struct lt_call *x, int64_t item)
{
    return (char *)x->bias + item * x->bias_stride * (int64_t)x->bias_element.bytes;
}

static uint64_t lt_aux_at(const struct lt_call *x, int64_t item, int64_t i, int64_t j)
{
    return (uint64_t)(item * x->aux_stride + j * x->aux_ld + i);
}

static void *lt_aux_column(const struct lt_call *x, int64_t item, int64_t j)
{
    return (char *)x->aux + lt_aux_at(x, item, 0, j) * x->aux_element.bytes;
}

static void lt_mask_set(unsigned char *mask, uint64_t bit, bool on)
{
    unsigned char one = (unsigned char)(1u << bit % 8);
    mask[bit / 8] = (unsigned char)(on ? mask[bit / 8] | one : mask[bit / 8] & ~one);
}

#define REAL        float
#define TYPE        BLAS_S
#define ELEMENT     BLAS_F32
#define NAME(x)     x##_s
#define M(function) function##f
#include "cublaslt_real.def"
#undef REAL
#undef TYPE
#undef ELEMENT
#undef NAME
#undef M
#define REAL        double
#define TYPE        BLAS_D
#define ELEMENT     BLAS_F64
#define NAME(x)     x##_d
#define M(function) function
#include "cublaslt_real.def"

/* ---- integers */

/* A matrix of bytes by columns: itself where it is one. */
static const int8_t *bytes_of(const struct lt_matrix *x, int64_t item, int8_t **room, int *ld)
{
    const int8_t *at = lt_item(x, item);
    *room = NULL;
    *ld = (int)x->ld;
    if (x->order == CUBLASLT_ORDER_COL) return at;
    *room = sw_xmalloc((uint64_t)(x->rows * x->cols) + 1);
    for (int64_t j = 0; j < x->cols; j++)
        for (int64_t i = 0; i < x->rows; i++)
            (*room)[j * x->rows + i] = at[lt_place(x, i, j)];
    *ld = (int)(x->rows > 0 ? x->rows : 1);
    return *room;
}

/* D of integers: modulo 2^32, as alpha and beta are. */
static void store_integers(const struct lt_call *x, int64_t item, int64_t j, const int32_t *sums)
{
    uint32_t alpha = *(const uint32_t *)lt_alpha(x, item), beta = *(const uint32_t *)lt_beta(x);
    const int32_t *c = lt_item(&x->c, item);
    int32_t *d = (int32_t *)(uintptr_t)lt_item(&x->d, item);
    bool reads = lt_reads_c(x);
    for (int64_t i = 0; i < x->m; i++) {
        uint32_t value = alpha * (uint32_t)sums[i];
        if (reads) value += beta * (uint32_t)c[lt_place(&x->c, i, j)];
        d[lt_place(&x->d, i, j)] = (int32_t)value;
    }
}

static bool integer_sums(const struct lt_call *x, int64_t item, int32_t *sums)
{
    const int32_t one = 1, zero = 0;
    int8_t *a_room, *b_room;
    int lda, ldb;
    const int8_t *a = bytes_of(&x->a, item, &a_room, &lda), *b = bytes_of(&x->b, item, &b_room, &ldb);
    bool done = blas_gemm_mixed(&(struct blas_mixed){.a_element = BLAS_I8,
                                                     .b_element = BLAS_I8,
                                                     .c_element = BLAS_I32,
                                                     .trans_a = x->trans_a,
                                                     .trans_b = x->trans_b,
                                                     .m = (int)x->m,
                                                     .n = (int)x->n,
                                                     .k = (int)x->k,
                                                     .lda = lda,
                                                     .ldb = ldb,
                                                     .ldc = (int)x->m,
                                                     .a = a,
                                                     .b = b,
                                                     .alpha = &one,
                                                     .beta = &zero,
                                                     .c = sums});
    free(a_room);
    free(b_room);
    return done;
}

static bool run_integers(const struct lt_call *x, int64_t item, struct finish_s *finish)
{
    int32_t *sums = sw_xmalloc((uint64_t)(x->m * x->n) * sizeof *sums + 1);
    float *column = sw_xmalloc((uint64_t)x->m * sizeof *column + 1);
    bool done = integer_sums(x, item, sums);
    for (int64_t j = 0; j < x->n && done; j++) {
        const int32_t *from = sums + j * x->m;
        if (x->d.element.real == BLAS_I32) {
            store_integers(x, item, j, from);
            continue;
        }
        for (int64_t i = 0; i < x->m; i++)
            column[i] = (float)from[i];
        finish_column_s(finish, j, column);
    }
    free(sums);
    free(column);
    return done;
}

/* ---- one item */

bool lt_run_real(const struct lt_call *x, int64_t item, float *most, float *aux_most)
{
    bool done;
    if (x->way == LT_DOUBLES) {
        struct finish_d finish;
        finish_init_d(&finish, x, item);
        done = run_d(x, item, &finish);
        finish_release_d(&finish);
        return done;
    }
    struct finish_s finish;
    finish_init_s(&finish, x, item);
    done = x->way == LT_INTEGERS ? run_integers(x, item, &finish) : run_s(x, item, &finish);
    finish_release_s(&finish);
    if (finish.most > *most) *most = finish.most;
    if (finish.aux_most > *aux_most) *aux_most = finish.aux_most;
    return done;
}
