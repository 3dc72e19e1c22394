/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: elements of matrices of all types and orders, and columns of them in the type that is computed
 * with. Method: columns of real numbers in order go through blas_convert.c; all else element by element, by
 * its place. Limits: none known.
 * Sources of orders: documentation of cublasLtOrder_t; COL4_4R2_8C: transforms recorded on an H200. */
#include "cublaslt_priv.h"

#include <complex.h>
#include <string.h>

bool lt_element_of(uint32_t type, struct lt_element *out)
{
    static const struct {
        uint32_t type;
        struct lt_element element;
    } LIST[] = {{CUDA_R_32F, {BLAS_F32, false, 4}},      {CUDA_R_64F, {BLAS_F64, false, 8}},
                {CUDA_R_16F, {BLAS_F16, false, 2}},      {CUDA_R_16BF, {BLAS_BF16, false, 2}},
                {CUDA_R_8F_E4M3, {BLAS_E4M3, false, 1}}, {CUDA_R_8F_E5M2, {BLAS_E5M2, false, 1}},
                {CUDA_R_8I, {BLAS_I8, false, 1}},        {CUDA_R_32I, {BLAS_I32, false, 4}},
                {CUDA_C_32F, {BLAS_F32, true, 8}},       {CUDA_C_64F, {BLAS_F64, true, 16}},
                {CUDA_C_16F, {BLAS_F16, true, 4}},       {CUDA_C_16BF, {BLAS_BF16, true, 4}},
                {CUDA_C_8I, {BLAS_I8, true, 2}}};
    for (size_t i = 0; i < SW_COUNT_OF(LIST); i++) {
        if (LIST[i].type != type) continue;
        *out = LIST[i].element;
        return true;
    }
    return false;
}

/* ---- places */

enum { TILE = 32 }; /* definition: columns of a tile, in all orders of tiles; rows of COL32_2R_4R4's */

static int64_t up(int64_t x, int64_t to)
{
    return (x + to - 1) / to * to;
}

static int64_t tile_rows(int32_t order)
{
    return order == CUBLASLT_ORDER_COL32 ? 1 : order == CUBLASLT_ORDER_COL4_4R2_8C ? 8 : TILE;
}

void lt_lines(const struct lt_matrix *x, int64_t *count, int64_t *length)
{
    switch (x->order) {
    case CUBLASLT_ORDER_COL: *count = x->cols, *length = x->rows; return;
    case CUBLASLT_ORDER_ROW: *count = x->rows, *length = x->cols; return;
    default: *count = up(x->cols, TILE) / TILE, *length = TILE * up(x->rows, tile_rows(x->order)); return;
    }
}

int64_t lt_least_ld(const struct lt_matrix *x)
{
    int64_t count, length;
    lt_lines(x, &count, &length);
    return length;
}

/* In tiles of 8 rows and 32 columns: 4 even rows, then 4 odd ones, of 8 columns each, the left 4 first. */
static uint64_t place_4r2(uint64_t i, uint64_t j)
{
    uint64_t line = i / 8 * 8 + i % 2 * 4 + j / 8;
    return line * TILE + (j % 8 / 4 * 4 + i % 8 / 2) * 4 + j % 4;
}

static uint64_t place_2r4(uint64_t i, uint64_t j) /* documented */
{
    uint64_t row = i % TILE;
    return i / TILE * (uint64_t)(TILE * TILE) + ((row % 8 / 2 * 4 + row / 8) * 2 + row % 2) * TILE + j;
}

uint64_t lt_place(const struct lt_matrix *x, int64_t i, int64_t j)
{
    uint64_t row = (uint64_t)i, column = (uint64_t)j, ld = (uint64_t)x->ld;
    uint64_t tile = column / TILE * ld;
    switch (x->order) {
    case CUBLASLT_ORDER_COL: return column * ld + row;
    case CUBLASLT_ORDER_ROW: return row * ld + column;
    case CUBLASLT_ORDER_COL32: return tile + row * TILE + column % TILE;
    case CUBLASLT_ORDER_COL4_4R2_8C: return tile + place_4r2(row, column % TILE);
    default: return tile + place_2r4(row, column % TILE);
    }
}

const void *lt_item(const struct lt_matrix *x, int64_t item)
{
    if (x->pointers) return ((const void *const *)x->at)[item];
    int64_t bytes = x->plane ? (int64_t)x->element.bytes / 2 : (int64_t)x->element.bytes;
    return (const char *)x->at + item * x->stride * bytes;
}

/* ---- single elements */

static double double_of(enum blas_element element, const char *at)
{
    double value;
    float single;
    int32_t whole;
    if (element == BLAS_F64) {
        memcpy(&value, at, sizeof value);
        return value;
    }
    if (element == BLAS_I32) { /* more than a float has */
        memcpy(&whole, at, sizeof whole);
        return whole;
    }
    blas_to_floats(element, at, &single, 1);
    return single;
}

void lt_double_to(enum blas_element element, double value, char *to)
{
    float single = (float)value;
    if (element == BLAS_F64) {
        memcpy(to, &value, sizeof value);
    } else if (element == BLAS_I32) {
        int32_t whole = !(value > INT32_MIN) ? INT32_MIN
                        : value >= INT32_MAX ? INT32_MAX
                                             : (int32_t)__builtin_rint(value);
        memcpy(to, &whole, sizeof whole);
    } else {
        blas_from_floats(element, &single, to, 1);
    }
}

static uint32_t real_bytes(const struct lt_matrix *x)
{
    return x->element.bytes / (x->element.is_complex ? 2 : 1);
}

/* Where the parts of an element are. */
static char *part_at(const struct lt_matrix *x, const void *item, int64_t i, int64_t j, bool imaginary)
{
    uint64_t bytes = x->plane ? real_bytes(x) : x->element.bytes;
    char *at = (char *)(uintptr_t)item + lt_place(x, i, j) * bytes;
    if (imaginary) at += x->plane ? x->plane : (int64_t)real_bytes(x);
    return at;
}

double lt_double_at(const struct lt_element *element, const void *at, uint64_t i)
{
    return double_of(element->real, (const char *)at + i * element->bytes);
}

/* ---- columns */

static void put(enum blas_type type, void *to, uint64_t i, double re, double im)
{
    switch (type) {
    case BLAS_S: ((float *)to)[i] = (float)re; return;
    case BLAS_D: ((double *)to)[i] = re; return;
    case BLAS_C: ((float complex *)to)[i] = CMPLXF((float)re, (float)im); return;
    case BLAS_Z: ((double complex *)to)[i] = CMPLX(re, im); return;
    }
}

static void take(enum blas_type type, const void *from, uint64_t i, double *re, double *im)
{
    *re = *im = 0;
    switch (type) {
    case BLAS_S: *re = ((const float *)from)[i]; return;
    case BLAS_D: *re = ((const double *)from)[i]; return;
    case BLAS_C:
        *re = crealf(((const float complex *)from)[i]);
        *im = cimagf(((const float complex *)from)[i]);
        return;
    case BLAS_Z:
        *re = creal(((const double complex *)from)[i]);
        *im = cimag(((const double complex *)from)[i]);
        return;
    }
}

/* Columns are side by side in memory, and blas_convert.c knows their elements. */
static bool is_straight(const struct lt_matrix *x, enum blas_type type)
{
    return x->order == CUBLASLT_ORDER_COL && type == BLAS_S && !x->element.is_complex &&
           x->element.real != BLAS_F64;
}

void lt_load(const struct lt_matrix *x, const void *item, int64_t first, int64_t count, enum blas_type type,
             void *to)
{
    for (int64_t j = 0; j < count; j++) {
        char *column = (char *)to + (uint64_t)(j * x->rows) * blas_bytes(type);
        if (is_straight(x, type)) {
            blas_to_floats(x->element.real, part_at(x, item, 0, first + j, false), (float *)(void *)column,
                           (uint64_t)x->rows);
            continue;
        }
        for (int64_t i = 0; i < x->rows; i++) {
            double re = double_of(x->element.real, part_at(x, item, i, first + j, false)), im = 0;
            if (x->element.is_complex) im = double_of(x->element.real, part_at(x, item, i, first + j, true));
            put(type, column, (uint64_t)i, re, im);
        }
    }
}

void lt_store(const struct lt_matrix *x, void *item, int64_t column, int64_t count, enum blas_type type,
              const void *from)
{
    if (is_straight(x, type) && x->element.real != BLAS_I32) {
        blas_from_floats(x->element.real, from, part_at(x, item, 0, column, false), (uint64_t)count);
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        double re, im;
        take(type, from, (uint64_t)i, &re, &im);
        lt_double_to(x->element.real, re, part_at(x, item, i, column, false));
        if (x->element.is_complex) lt_double_to(x->element.real, im, part_at(x, item, i, column, true));
    }
}
