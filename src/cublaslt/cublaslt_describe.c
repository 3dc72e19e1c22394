/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: which products there are: descriptors become a struct lt_call. Method: what contradicts itself is
 * not valid; what an H200 was recorded to refuse is not supported. Limits: as cublaslt_types.c. */
#include "cublaslt_priv.h"

#include <string.h>

/* ---- matrices */

bool lt_matrix_of(const struct lt_layout *x, struct lt_matrix *out)
{
    *out = (struct lt_matrix){.pointers = x->batch_mode != 0,
                              .order = x->order,
                              .rows = (int64_t)x->rows,
                              .cols = (int64_t)x->cols,
                              .ld = x->ld,
                              .stride = x->stride,
                              .plane = x->plane};
    return lt_element_of(x->type, &out->element) && x->rows <= INT32_MAX && x->cols <= INT32_MAX &&
           x->ld <= INT32_MAX && x->order >= 0 && x->order <= CUBLASLT_ORDER_COL32_2R_4R4 &&
           x->ld >= lt_least_ld(out);
}

bool lt_trans_of(int32_t given, enum blas_op *out)
{
    *out = given == CUBLAS_OP_N ? BLAS_N : given == CUBLAS_OP_T ? BLAS_T : BLAS_H;
    return given >= CUBLAS_OP_N && given <= CUBLAS_OP_C;
}

/* By rows is by columns, transposed, but not the conjugate. */
static void straighten(struct lt_matrix *x, enum blas_op *op)
{
    if (!x->element.is_complex && *op == BLAS_H) *op = BLAS_T;
    if (x->order != CUBLASLT_ORDER_ROW || *op == BLAS_H) return;
    int64_t rows = x->rows;
    x->order = CUBLASLT_ORDER_COL;
    x->rows = x->cols;
    x->cols = rows;
    *op = *op == BLAS_N ? BLAS_T : BLAS_N;
}

static bool shapes_fit(const struct lt_call *x, int64_t inner_b)
{
    return inner_b == x->k && x->d.rows == x->m && x->d.cols == x->n && x->c.rows == x->m &&
           x->c.cols == x->n;
}

static cublasStatus_t matrices(const struct lt_desc *desc, const struct lt_layout *const layouts[4],
                               struct lt_call *out)
{
    struct lt_matrix *to[] = {&out->a, &out->b, &out->c, &out->d};
    for (int i = 0; i < 4; i++) {
        const struct lt_layout *x = layouts[i];
        bool same = x->batch == layouts[3]->batch && x->batch_mode == layouts[3]->batch_mode;
        if (!lt_matrix_of(x, to[i]) || !same || x->batch < 1) return CUBLAS_STATUS_INVALID_VALUE;
    }
    if (!lt_trans_of(desc->trans_a, &out->trans_a) || !lt_trans_of(desc->trans_b, &out->trans_b) ||
        out->c.order != out->d.order || desc->trans_c != CUBLAS_OP_N)
        return CUBLAS_STATUS_INVALID_VALUE;
    bool a_turned = out->trans_a != BLAS_N, b_turned = out->trans_b != BLAS_N;
    out->m = a_turned ? out->a.cols : out->a.rows;
    out->k = a_turned ? out->a.rows : out->a.cols;
    out->n = b_turned ? out->b.rows : out->b.cols;
    out->batch = layouts[3]->batch;
    if (!shapes_fit(out, b_turned ? out->b.cols : out->b.rows)) return CUBLAS_STATUS_INVALID_VALUE;
    straighten(&out->a, &out->trans_a);
    straighten(&out->b, &out->trans_b);
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- what an H200's kernels want of matrices */

static bool is_tiled(const struct lt_matrix *x)
{
    return x->order > CUBLASLT_ORDER_ROW;
}

static bool lies_at(const struct lt_matrix *x, int64_t batch, int64_t bytes)
{
    int64_t size = x->element.bytes;
    return x->ld * size % bytes == 0 && (batch == 1 || x->pointers || x->stride * size % bytes == 0);
}

/* A result of one row counts as a column. */
static bool result_lies_at(const struct lt_matrix *x, const struct lt_call *call, int64_t bytes)
{
    if (call->m == 1) return call->n * x->element.bytes % bytes == 0;
    return lies_at(x, call->batch, bytes);
}

/* Kernels of 8-bit integers load 4 of them at once, those of 8-bit floats 16. */
static bool small_ones_fit(const struct lt_call *x, uint32_t a, uint32_t d)
{
    enum { INTEGERS = 4, FLOATS = 16 }; /* documented */
    bool tn = x->trans_a != BLAS_N && x->trans_b == BLAS_N;
    if (a == CUDA_R_8I && d != CUDA_R_32F) {
        bool form = d == CUDA_R_32I ? x->trans_a != BLAS_N || x->trans_b != BLAS_N : tn;
        return form && x->m > 0 && x->k > 0 && lies_at(&x->a, x->batch, INTEGERS) &&
               lies_at(&x->b, x->batch, INTEGERS) && (d == CUDA_R_32I || result_lies_at(&x->d, x, INTEGERS));
    }
    if (!lt_is_fp8(a)) return true;
    return tn && x->m > 0 && x->n > 0 && x->k > 0 && lies_at(&x->a, x->batch, FLOATS) &&
           lies_at(&x->b, x->batch, FLOATS) && result_lies_at(&x->d, x, FLOATS) &&
           result_lies_at(&x->c, x, FLOATS);
}

/* Complex numbers of halves are in planes, and no others are. */
static bool planes_fit(const struct lt_call *x, uint32_t a)
{
    bool some = x->a.plane || x->b.plane || x->c.plane || x->d.plane;
    bool all = x->a.plane && x->b.plane && x->c.plane && x->d.plane;
    bool halves = a == CUDA_C_16F || a == CUDA_C_16BF;
    return halves ? all : !some;
}

/* ---- scalars and factors */

static bool scalars_fit(const struct lt_desc *desc, uint32_t a, uint32_t d)
{
    bool vectors = a == CUDA_R_8I && d == CUDA_R_8I;
    return desc->pointer_mode == CUBLASLT_POINTER_MODE_HOST ||
           desc->pointer_mode == CUBLASLT_POINTER_MODE_DEVICE ||
           (vectors && desc->pointer_mode == CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST);
}

/* Blocks of 16 and 32 elements are of newer GPUs'. */
static cublasStatus_t modes_check(const struct lt_desc *desc, uint32_t a, uint32_t d)
{
    int32_t of_a = desc->a_mode, of_b = desc->b_mode;
    const int32_t scalar = CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F,
                  outer = CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F,
                  vector = CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F,
                  square = CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F;
    const cublasStatus_t refused = CUBLAS_STATUS_NOT_SUPPORTED, good = CUBLAS_STATUS_SUCCESS;
    if (desc->d_mode || desc->d_out_mode || desc->d_out_scale) return CUBLAS_STATUS_INVALID_VALUE;
    if (desc->c_mode || desc->aux_mode) return refused;
    if (of_a == scalar && of_b == scalar) return good;
    if (lt_is_fp8(d)) return CUBLAS_STATUS_INVALID_VALUE;
    if (of_a == scalar || of_b == scalar || of_a == CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!lt_is_fp8(a)) return refused;
    if (of_a == outer || of_b == outer) return of_a == of_b ? good : refused;
    return (of_a == vector && (of_b == vector || of_b == square)) || (of_a == square && of_b == vector)
               ? good
               : refused;
}

static int64_t factors_of(int32_t mode, int64_t inner, int64_t outer)
{
    int64_t blocks = (inner + LT_SCALE_BLOCK - 1) / LT_SCALE_BLOCK;
    switch (mode) {
    case CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F: return outer;
    case CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F: return blocks * outer;
    case CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F:
        return (blocks + 3) / 4 * 4 * ((outer + LT_SCALE_BLOCK - 1) / LT_SCALE_BLOCK);
    default: return 1;
    }
}

static cublasStatus_t factors(const struct lt_desc *desc, uint32_t a, uint32_t d, struct lt_call *out)
{
    bool of_d = desc->c_scale || desc->d_scale || desc->amax;
    if (of_d && !lt_is_fp8(d)) return CUBLAS_STATUS_INVALID_VALUE;
    if ((desc->a_scale || desc->b_scale) && !lt_is_fp8(a)) return CUBLAS_STATUS_INVALID_VALUE;
    LT_TRY(modes_check(desc, a, d));
    out->a_scale = (struct lt_scale){desc->a_scale, desc->a_mode, factors_of(desc->a_mode, out->k, out->m)};
    out->b_scale = (struct lt_scale){desc->b_scale, desc->b_mode, factors_of(desc->b_mode, out->k, out->n)};
    out->c_scale = desc->c_scale, out->d_scale = desc->d_scale, out->aux_scale = desc->aux_scale;
    out->amax = desc->amax, out->aux_amax = desc->aux_amax;
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- epilogues */

static bool is_epilogue(uint32_t x)
{
    static const uint16_t LIST[] = {1, 2, 130, 4, 6, 134, 136, 152, 32, 160, 36, 164, 192, 208, 256, 512};
    for (size_t i = 0; i < SW_COUNT_OF(LIST); i++)
        if (LIST[i] == x) return true;
    return false;
}

static bool epilogue_fits(const struct lt_call *x, const struct lt_types *t)
{
    uint32_t e = x->epilogue;
    bool gradient = e & (LT_DRELU | LT_DGELU), sums = e & (LT_BGRADA | LT_BGRADB);
    if (e == CUBLASLT_EPILOGUE_DEFAULT) return true;
    if (x->d.element.is_complex || t->d == CUDA_R_32I) return false;
    if (x->d.order == CUBLASLT_ORDER_ROW && e & (LT_BIAS | LT_AUX | LT_BGRAD | LT_BGRADA | LT_BGRADB))
        return false;
    if (lt_is_fp8(t->d) && gradient) return false;
    if (lt_is_fp8(t->a) && t->d == CUDA_R_32F && (e & LT_BGRAD || e == CUBLASLT_EPILOGUE_GELU_AUX_BIAS))
        return false;
    if (sums && (lt_is_fp8(t->a) || t->a == CUDA_R_8I)) return false;
    return !(e & LT_BGRADA && x->trans_a != BLAS_N) && !(e & LT_BGRADB && x->trans_b == BLAS_N);
}

static uint32_t usual_bias(const struct lt_types *t)
{
    if (t->d == CUDA_R_8I) return CUDA_R_32F;
    if (lt_is_fp8(t->d)) return t->c;
    return lt_is_fp8(t->a) && t->d == CUDA_R_32F ? CUDA_R_16BF : t->d;
}

/* The type of the auxiliary matrix is D's, or C's where D is of 8-bit floats, if none is named. */
static uint32_t usual_aux(const struct lt_types *t)
{
    return lt_is_fp8(t->d) ? t->c : t->d;
}

static bool aux_type_fits(const struct lt_desc *desc, const struct lt_types *t)
{
    uint32_t named = (uint32_t)desc->aux_type;
    if (desc->aux_type < 0 || !(desc->epilogue & LT_AUX)) return true;
    if (!lt_is_fp8(t->d)) return named == t->d || desc->epilogue & (LT_RELU | LT_DRELU);
    if (desc->epilogue & (LT_RELU | LT_DRELU)) return false;
    return named == t->c || (named == t->d && !desc->aux_scale && !desc->aux_amax);
}

static cublasStatus_t epilogue(const struct lt_desc *desc, const struct lt_types *t, struct lt_call *out)
{
    uint32_t e = desc->epilogue, bias = desc->bias_type >= 0 ? (uint32_t)desc->bias_type : usual_bias(t);
    out->epilogue = e;
    if (!is_epilogue(e) || !aux_type_fits(desc, t)) return CUBLAS_STATUS_INVALID_VALUE;
    if (!epilogue_fits(out, t)) return CUBLAS_STATUS_NOT_SUPPORTED;
    if (e & (LT_BIAS | LT_BGRAD | LT_BGRADA | LT_BGRADB)) {
        if (bias != usual_bias(t))
            return lt_is_fp8(t->a) ? CUBLAS_STATUS_NOT_SUPPORTED : CUBLAS_STATUS_INVALID_VALUE;
        lt_element_of(bias, &out->bias_element);
        out->bias = desc->bias;
        out->bias_stride = desc->bias_stride;
    }
    if (!(e & LT_AUX)) return CUBLAS_STATUS_SUCCESS;
    if (!(e & (LT_RELU | LT_DRELU)))
        lt_element_of(desc->aux_type >= 0 ? (uint32_t)desc->aux_type : usual_aux(t), &out->aux_element);
    out->aux = desc->aux;
    out->aux_ld = desc->aux_ld;
    out->aux_stride = desc->aux_stride;
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- the whole */

static bool plain_type(const struct lt_types *t, enum blas_type *out)
{
    static const uint32_t TYPES[] = {
        [BLAS_S] = CUDA_R_32F, [BLAS_D] = CUDA_R_64F, [BLAS_C] = CUDA_C_32F, [BLAS_Z] = CUDA_C_64F};
    for (size_t i = 0; i < SW_COUNT_OF(TYPES); i++) {
        if (t->a != TYPES[i] || t->d != TYPES[i]) continue;
        *out = (enum blas_type)i;
        return true;
    }
    return false;
}

static void choose_way(const struct lt_types *t, struct lt_call *x)
{
    bool plain = plain_type(t, &x->type);
    bool straight = x->a.order == CUBLASLT_ORDER_COL && x->b.order == CUBLASLT_ORDER_COL;
    bool turns = x->d.order == CUBLASLT_ORDER_ROW && (x->trans_a == BLAS_H || x->trans_b == BLAS_H);
    if (plain && x->epilogue == CUBLASLT_EPILOGUE_DEFAULT && straight && !turns)
        x->way = LT_DIRECT;
    else if (x->d.element.is_complex)
        x->way = LT_COMPLEX;
    else
        x->way = t->a == CUDA_R_64F                        ? LT_DOUBLES
                 : t->a == CUDA_R_8I && t->d != CUDA_R_32F ? LT_INTEGERS
                                                           : LT_FLOATS;
    if (x->way == LT_COMPLEX) x->type = t->a == CUDA_C_64F ? BLAS_Z : BLAS_C;
}

cublasStatus_t lt_describe(const struct lt_desc *desc, const struct lt_layout *a, const struct lt_layout *b,
                           const struct lt_layout *c, const struct lt_layout *d, struct lt_call *out)
{
    const struct lt_layout *layouts[] = {a, b, c, d};
    struct lt_types t = {desc->compute, desc->scale_type, a->type, b->type, c->type, d->type};
    *out = (struct lt_call){.math = lt_math_of(&t)};
    LT_TRY(matrices(desc, layouts, out));
    LT_TRY(lt_types_check(&t));
    if (is_tiled(&out->a) || is_tiled(&out->b) || is_tiled(&out->d)) return CUBLAS_STATUS_NOT_SUPPORTED;
    if (!small_ones_fit(out, t.a, t.d) || !planes_fit(out, t.a) || !scalars_fit(desc, t.a, t.d) ||
        desc->fill != CUBLAS_FILL_MODE_FULL || !lt_element_of((uint32_t)desc->scale_type, &out->scalar))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    LT_TRY(factors(desc, t.a, t.d, out));
    LT_TRY(epilogue(desc, &t, out));
    out->alpha_vector = desc->pointer_mode == CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST;
    out->alpha_stride = out->alpha_vector ? desc->alpha_stride : 0;
    choose_way(&t, out);
    return CUBLAS_STATUS_SUCCESS;
}
