/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: cublasLtMatrixTransform: sums of matrices of any orders and types. Method: element by element, in
 * the type of the scalars. Limits: one thread. */
#include "cublaslt_priv.h"

#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* C := alpha * op(A) + beta * op(B) */
struct transform {
    struct lt_matrix a, b, c; /* a, b: at NULL: none */
    enum blas_op trans_a, trans_b;
    int64_t batch;
    struct lt_element scalar;
    unsigned char alpha[16], beta[16];
    const void *alpha_device, *beta_device;
};

static double complex scalar_of(const struct transform *x, const void *at)
{
    struct lt_element real = x->scalar;
    if (!real.is_complex) return lt_double_at(&real, at, 0);
    real.bytes /= 2;
    return CMPLX(lt_double_at(&real, at, 0), lt_double_at(&real, at, 1));
}

/* Columns of a matrix, as complex doubles: all of it, or NULL. */
static double complex *whole(const struct lt_matrix *x, int64_t item)
{
    if (!x->at) return NULL;
    double complex *out = sw_xmalloc((uint64_t)(x->rows * x->cols) * sizeof *out + 1);
    lt_load(x, lt_item(x, item), 0, x->cols, BLAS_Z, out);
    return out;
}

static double complex term(const struct lt_matrix *x, const double complex *all, enum blas_op op,
                           double complex factor, int64_t i, int64_t j)
{
    if (!all) return 0;
    double complex value = op == BLAS_N ? all[j * x->rows + i] : all[i * x->rows + j];
    return factor * (op == BLAS_H ? conj(value) : value);
}

/* As the scalars' type has it: floats are rounded to where those are floats. */
static double complex rounded(const struct transform *x, double complex value)
{
    return x->scalar.real == BLAS_F64 || x->scalar.real == BLAS_I32 ? value
                                                                    : (double complex)(float complex)value;
}

static void run_item(const struct transform *x, int64_t item)
{
    double complex alpha = scalar_of(x, x->alpha_device ? x->alpha_device : x->alpha);
    double complex beta = scalar_of(x, x->beta_device ? x->beta_device : x->beta);
    double complex *a = whole(&x->a, item), *b = whole(&x->b, item);
    double complex *column = sw_xmalloc((uint64_t)x->c.rows * sizeof *column + 1);
    for (int64_t j = 0; j < x->c.cols; j++) {
        for (int64_t i = 0; i < x->c.rows; i++)
            column[i] = rounded(x, rounded(x, term(&x->a, a, x->trans_a, alpha, i, j)) +
                                       rounded(x, term(&x->b, b, x->trans_b, beta, i, j)));
        lt_store(&x->c, (void *)(uintptr_t)lt_item(&x->c, item), j, x->c.rows, BLAS_Z, column);
    }
    free(a);
    free(b);
    free(column);
}

static int transform_run(const void *args)
{
    const struct transform *x = args;
    for (int64_t item = 0; item < x->batch; item++)
        run_item(x, item);
    return 0;
}

static bool transform_range(const void *args, uint32_t i, struct event_routine_range *out)
{
    enum { SCALARS = 2, MATRICES = 3 };
    const struct transform *x = args;
    const void *scalars[SCALARS] = {x->alpha_device, x->beta_device};
    const struct lt_matrix *matrices[MATRICES] = {&x->a, &x->b, &x->c};
    int64_t lines, length;
    *out = (struct event_routine_range){0};
    if (i < SCALARS) {
        uint64_t bytes = x->scalar.bytes;
        *out = (struct event_routine_range){.address = (uintptr_t)scalars[i], .pitch = bytes, .width = bytes};
        out->height = scalars[i] ? 1 : 0;
        return true;
    }
    int64_t item = (i - SCALARS) / MATRICES;
    const struct lt_matrix *m = matrices[(i - SCALARS) % MATRICES];
    if (item >= x->batch) return false;
    if (!m->at) return true;
    lt_lines(m, &lines, &length);
    *out = (struct event_routine_range){.address = (uintptr_t)lt_item(m, item),
                                        .pitch = (uint64_t)m->ld * m->element.bytes,
                                        .width = (uint64_t)length * m->element.bytes,
                                        .height = length ? (uint64_t)lines : 0,
                                        .writes = m == &x->c};
    return true;
}

/* ---- the call */

/* What an H200's kernels do: tiles of integers alone, those of 32 bits by COL32, composite ones not back;
 * 8-bit floats are copied as they stand. */
static bool is_offered(const struct transform *x, uint32_t type)
{
    enum blas_element from_real = x->a.at ? x->a.element.real : x->b.element.real;
    bool mixes = from_real != x->c.element.real, of_integers = from_real >= BLAS_E4M3;
    if (mixes && (of_integers || x->c.element.real >= BLAS_E4M3)) return false; /* and of 8-bit floats */
    int32_t from = x->a.at ? x->a.order : x->b.order, to = x->c.order;
    bool plain = from <= CUBLASLT_ORDER_ROW && to <= CUBLASLT_ORDER_ROW;
    if (type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2)
        return plain && !x->b.at && (from == to) == (x->trans_a == BLAS_N);
    if (plain) return true;
    if (type == CUDA_R_32I) return from <= CUBLASLT_ORDER_COL32 && to <= CUBLASLT_ORDER_COL32;
    return type == CUDA_R_8I && from <= CUBLASLT_ORDER_COL32;
}

static cublasStatus_t side_of(const void *at, cublasLtMatrixLayout_t given, int32_t trans,
                              const struct transform *x, struct lt_matrix *out, enum blas_op *op)
{
    struct lt_layout layout;
    if (!at) return CUBLAS_STATUS_SUCCESS;
    if (!given) return CUBLAS_STATUS_INVALID_VALUE; /* documented */
    memcpy(&layout, given, sizeof layout);
    if (!lt_matrix_of(&layout, out) || !lt_trans_of(trans, op) || layout.batch != x->batch)
        return CUBLAS_STATUS_INVALID_VALUE;
    int64_t rows = *op == BLAS_N ? out->rows : out->cols, cols = *op == BLAS_N ? out->cols : out->rows;
    if (rows != x->c.rows || cols != x->c.cols) return CUBLAS_STATUS_INVALID_VALUE;
    if (out->pointers || out->plane) return CUBLAS_STATUS_NOT_SUPPORTED;
    out->at = at;
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t describe(const struct lt_transform *desc, const void *a,
                               cublasLtMatrixLayout_t a_layout, const void *b,
                               cublasLtMatrixLayout_t b_layout, void *c, cublasLtMatrixLayout_t c_layout,
                               struct transform *out)
{
    struct lt_layout layout;
    *out = (struct transform){0};
    if (!c || !c_layout || (!a && !b)) return CUBLAS_STATUS_INVALID_VALUE;
    memcpy(&layout, c_layout, sizeof layout);
    if (!lt_matrix_of(&layout, &out->c) || layout.batch < 1) return CUBLAS_STATUS_INVALID_VALUE;
    if (!lt_element_of((uint32_t)desc->scale_type, &out->scalar) || out->c.pointers || out->c.plane)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    out->batch = layout.batch;
    out->c.at = c;
    LT_TRY(side_of(a, a_layout, desc->trans_a, out, &out->a, &out->trans_a));
    LT_TRY(side_of(b, b_layout, desc->trans_b, out, &out->b, &out->trans_b));
    return is_offered(out, layout.type) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

static cublasStatus_t scalars_of(const struct lt_transform *desc, const void *alpha, const void *beta,
                                 struct transform *out)
{
    bool on_device = desc->pointer_mode == CUBLASLT_POINTER_MODE_DEVICE;
    if ((out->a.at && !alpha) || (out->b.at && !beta)) return CUBLAS_STATUS_INVALID_VALUE;
    if (on_device) {
        out->alpha_device = alpha;
        out->beta_device = out->b.at ? beta : NULL;
        return CUBLAS_STATUS_SUCCESS;
    }
    if (alpha) memcpy(out->alpha, alpha, out->scalar.bytes);
    if (beta) memcpy(out->beta, beta, out->scalar.bytes);
    return CUBLAS_STATUS_SUCCESS;
}

static uint64_t bytes_of(const struct transform *x, const struct lt_matrix *m)
{
    return m->at ? (uint64_t)(m->rows * m->cols * x->batch) * m->element.bytes : 0;
}

CUBLASLT cublasLtMatrixTransform(cublasLtHandle_t handle, cublasLtMatrixTransformDesc_t given,
                                 const void *alpha, const void *a, cublasLtMatrixLayout_t a_layout,
                                 const void *beta, const void *b, cublasLtMatrixLayout_t b_layout, void *c,
                                 cublasLtMatrixLayout_t c_layout, cudaStream_t stream)
{
    struct transform x;
    struct lt_transform desc;
    char shape[80];
    LT_TRY(lt_enter(handle));
    if (!given) return CUBLAS_STATUS_INVALID_VALUE;
    memcpy(&desc, given, sizeof desc);
    LT_TRY(describe(&desc, a, a_layout, b, b_layout, c, c_layout, &x));
    LT_TRY(scalars_of(&desc, alpha, beta, &x));
    if (x.c.rows == 0 || x.c.cols == 0) return CUBLAS_STATUS_SUCCESS;
    snprintf(shape, sizeof shape, "%lld rows, %lld columns", (long long)x.c.rows, (long long)x.c.cols);
    struct event_routine_work work = {
        .run = transform_run, .range = transform_range, .args = &x, .arg_bytes = sizeof x};
    work.what = (struct event_routine){.name = "cublasLtMatrixTransform",
                                       .shape = shape,
                                       .kind = EVENT_ROUTINE_STREAM,
                                       .math = EVENT_MATH_F32,
                                       .method = EVENT_METHOD_TRANSPOSE,
                                       .m = (uint64_t)x.c.rows,
                                       .n = (uint64_t)x.c.cols,
                                       .batch = (uint64_t)x.batch,
                                       .read_bytes = bytes_of(&x, &x.a) + bytes_of(&x, &x.b),
                                       .wrote_bytes = bytes_of(&x, &x.c)};
    work.what.flops = work.what.m * work.what.n * work.what.batch;
    return lt_status(routine_submit("libcublasLt", (CUstream)stream, &work));
}
