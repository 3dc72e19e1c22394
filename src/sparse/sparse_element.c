/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: elements of any type as numbers of the type that is computed with, and back. Method:
 * blas_convert.c for small ones; a complex element is two parts. Limits: integers of 32 bits are doubles
 * between. */
#include "blas/blas.h"
#include "sparse/sparse.h"

#include <string.h>

enum { CHUNK = 512 }; /* parts that are converted at once, on the stack */

static bool is_double(enum sparse_type type)
{
    return type == SPARSE_D || type == SPARSE_Z;
}

static bool is_complex(enum sparse_type type)
{
    return type == SPARSE_C || type == SPARSE_Z;
}

uint32_t sparse_bytes(enum sparse_type type)
{
    static const uint8_t BYTES[] = {4, 8, 8, 16};
    return BYTES[type];
}

static const struct {
    uint8_t bytes;
    enum blas_element element;
} PARTS[] = {[SPARSE_F32] = {4, BLAS_F32},   [SPARSE_F64] = {8, BLAS_F64}, [SPARSE_F16] = {2, BLAS_F16},
             [SPARSE_BF16] = {2, BLAS_BF16}, [SPARSE_I8] = {1, BLAS_I8},   [SPARSE_I32] = {4, BLAS_I32}};

uint32_t sparse_element_bytes(struct sparse_element element)
{
    return PARTS[element.part].bytes * (element.is_complex ? 2u : 1u);
}

struct sparse_element sparse_element_of(enum sparse_type type)
{
    return (struct sparse_element){is_double(type) ? SPARSE_F64 : SPARSE_F32, is_complex(type)};
}

/* ---- parts as doubles, a few at a time */

static void parts_to_doubles(uint8_t part, const void *from, double *to, uint64_t count)
{
    float small[CHUNK];
    if (part == SPARSE_F64) {
        memcpy(to, from, count * sizeof *to);
    } else if (part == SPARSE_I32) {
        for (uint64_t i = 0; i < count; i++)
            to[i] = ((const int32_t *)from)[i];
    } else {
        blas_to_floats(PARTS[part].element, from, small, count);
        for (uint64_t i = 0; i < count; i++)
            to[i] = (double)small[i];
    }
}

static int32_t wrapped(double x)
{
    return x >= -9.2e18 && x <= 9.2e18 ? (int32_t)(uint32_t)(uint64_t)(int64_t)x : 0;
}

static void parts_from_doubles(uint8_t part, const double *from, void *to, uint64_t count)
{
    float small[CHUNK];
    if (part == SPARSE_F64) {
        memcpy(to, from, count * sizeof *from);
    } else if (part == SPARSE_I32) {
        for (uint64_t i = 0; i < count; i++)
            ((int32_t *)to)[i] = wrapped(from[i]);
    } else {
        for (uint64_t i = 0; i < count; i++)
            small[i] = (float)from[i];
        blas_from_floats(PARTS[part].element, small, to, count);
    }
}

static void chunk_load(struct sparse_element element, const void *from, enum sparse_type type, void *to,
                       uint64_t count)
{
    double parts[CHUNK];
    unsigned width = element.is_complex ? 2 : 1, out_width = is_complex(type) ? 2 : 1;
    parts_to_doubles(element.part, from, parts, count * width);
    for (uint64_t i = 0; i < count; i++)
        for (unsigned p = 0; p < out_width; p++) {
            double value = p < width ? parts[i * width + p] : 0;
            if (is_double(type))
                ((double *)to)[i * out_width + p] = value;
            else
                ((float *)to)[i * out_width + p] = (float)value;
        }
}

static void chunk_store(enum sparse_type type, const void *from, struct sparse_element element, void *to,
                        uint64_t count)
{
    double parts[CHUNK];
    unsigned width = element.is_complex ? 2 : 1, in_width = is_complex(type) ? 2 : 1;
    for (uint64_t i = 0; i < count; i++)
        for (unsigned p = 0; p < width; p++) {
            uint64_t at = i * in_width + p;
            double value = p >= in_width     ? 0
                           : is_double(type) ? ((const double *)from)[at]
                                             : (double)((const float *)from)[at];
            parts[i * width + p] = value;
        }
    parts_from_doubles(element.part, parts, to, count * width);
}

static bool is_same(struct sparse_element a, struct sparse_element b)
{
    return a.part == b.part && a.is_complex == b.is_complex;
}

/* ---- runs of them */

struct conversion {
    struct sparse_element element;
    enum sparse_type type;
    const char *from;
    char *to;
    bool stores;
};

static void convert_part(void *context, int64_t begin, int64_t end)
{
    const struct conversion *x = context;
    uint64_t element = sparse_element_bytes(x->element), number = sparse_bytes(x->type);
    for (uint64_t i = (uint64_t)begin; i < (uint64_t)end; i += CHUNK / 2) {
        uint64_t count = (uint64_t)end - i < CHUNK / 2 ? (uint64_t)end - i : CHUNK / 2;
        if (x->stores)
            chunk_store(x->type, x->from + i * number, x->element, x->to + i * element, count);
        else
            chunk_load(x->element, x->from + i * element, x->type, x->to + i * number, count);
    }
}

enum { GRAIN = 1 << 16 };

void sparse_load(struct sparse_element element, const void *from, enum sparse_type type, void *to,
                 uint64_t count)
{
    struct conversion x = {element, type, from, to, false};
    if (is_same(element, sparse_element_of(type)))
        memcpy(to, from, count * sparse_bytes(type));
    else
        sparse_parallel((int64_t)count, GRAIN, convert_part, &x);
}

void sparse_store(enum sparse_type type, const void *from, struct sparse_element element, void *to,
                  uint64_t count)
{
    struct conversion x = {element, type, from, to, true};
    if (is_same(element, sparse_element_of(type)))
        memcpy(to, from, count * sparse_bytes(type));
    else
        sparse_parallel((int64_t)count, GRAIN, convert_part, &x);
}
