/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: sums, products, least and largest elements over ranks. Method: in the order of ranks, each step
 * rounded to the data type, so that results do not depend on how ranks are spread over processes; elements of
 * 16 and 8 bits are floats for the length of a step. With two ranks these are NVIDIA's results, as two
 * numbers have one sum. Limits: with more, NVIDIA's order is that of its rings and trees. */
#include "nccl_priv.h"

#include "base/base_cpu.h"
#include "blas/blas.h"

#include <string.h>

enum { STEP = 512 }; /* elements that are floats at a time */

#define MORE(a, b) ((b) > (a) ? (b) : (a))
#define LESS(a, b) ((b) < (a) ? (b) : (a))
#define SUM(a, b)  (T)((a) + (b))
#define PROD(a, b) (T)((a) * (b))
#define EACH(expression)                                                                                     \
    for (uint64_t i = 0; i < count; i++)                                                                     \
        a[i] = (expression);                                                                                 \
    break

/* For each type: a := a op b, and a := a * scalar. Integers are unsigned where they may overflow. */
#define STEPS(type, ordered, name)                                                                           \
    SW_FOR_EACH_CPU static void step_##name(enum nccl_op_kind kind, void *to, const void *from,              \
                                            uint64_t count)                                                  \
    {                                                                                                        \
        typedef type T;                                                                                      \
        T *restrict a = to;                                                                                  \
        const T *restrict b = from;                                                                          \
        switch ((int)kind) {                                                                                 \
        case NCCL_PROD: EACH(PROD(a[i], b[i]));                                                              \
        case NCCL_MAX: EACH((T)MORE((ordered)a[i], (ordered)b[i]));                                          \
        case NCCL_MIN: EACH((T)LESS((ordered)a[i], (ordered)b[i]));                                          \
        default: EACH(SUM(a[i], b[i]));                                                                      \
        }                                                                                                    \
    }                                                                                                        \
    SW_FOR_EACH_CPU static void scale_##name(const void *scalar, void *to, uint64_t count)                   \
    {                                                                                                        \
        typedef type T;                                                                                      \
        T *a = to, by;                                                                                       \
        memcpy(&by, scalar, sizeof by);                                                                      \
        for (uint64_t i = 0; i < count; i++)                                                                 \
            a[i] = PROD(a[i], by);                                                                           \
    }
STEPS(uint8_t, int8_t, i8)
STEPS(uint8_t, uint8_t, u8)
STEPS(uint32_t, int32_t, i32)
STEPS(uint32_t, uint32_t, u32)
STEPS(uint64_t, int64_t, i64)
STEPS(uint64_t, uint64_t, u64)
STEPS(float, float, f32)
STEPS(double, double, f64)

#define DIVIDE(type, name)                                                                                   \
    static void divide_##name(int by, void *to, uint64_t count)                                              \
    {                                                                                                        \
        type *a = to;                                                                                        \
        for (uint64_t i = 0; i < count; i++)                                                                 \
            a[i] = (type)(a[i] / (type)by);                                                                  \
    }
DIVIDE(int8_t, i8)
DIVIDE(uint8_t, u8)
DIVIDE(int32_t, i32)
DIVIDE(uint32_t, u32)
DIVIDE(int64_t, i64)
DIVIDE(uint64_t, u64)

struct arithmetic {
    void (*step)(enum nccl_op_kind kind, void *to, const void *from, uint64_t count);
    void (*scale)(const void *scalar, void *to, uint64_t count);
    void (*divide)(int by, void *to, uint64_t count);
    enum blas_element element; /* that is a float meanwhile */
    uint32_t bytes;
};
static const struct arithmetic TYPES[ncclNumTypes] = {
    [ncclInt8] = {step_i8, scale_i8, divide_i8, BLAS_ELEMENTS, 1},
    [ncclUint8] = {step_u8, scale_u8, divide_u8, BLAS_ELEMENTS, 1},
    [ncclInt32] = {step_i32, scale_i32, divide_i32, BLAS_ELEMENTS, 4},
    [ncclUint32] = {step_u32, scale_u32, divide_u32, BLAS_ELEMENTS, 4},
    [ncclInt64] = {step_i64, scale_i64, divide_i64, BLAS_ELEMENTS, 8},
    [ncclUint64] = {step_u64, scale_u64, divide_u64, BLAS_ELEMENTS, 8},
    [ncclFloat16] = {step_f32, scale_f32, NULL, BLAS_F16, 2},
    [ncclFloat32] = {step_f32, scale_f32, NULL, BLAS_ELEMENTS, 4},
    [ncclFloat64] = {step_f64, scale_f64, NULL, BLAS_ELEMENTS, 8},
    [ncclBfloat16] = {step_f32, scale_f32, NULL, BLAS_BF16, 2},
    [ncclFloat8e4m3] = {step_f32, scale_f32, NULL, BLAS_E4M3, 1},
    [ncclFloat8e5m2] = {step_f32, scale_f32, NULL, BLAS_E5M2, 1},
};

uint32_t nccl_type_bytes(ncclDataType_t type)
{
    return (unsigned)type < ncclNumTypes ? TYPES[type].bytes : 0;
}

/* Elements that are floats meanwhile: to the type's numbers, still as floats. */
static void round_off(const struct arithmetic *t, float *values, uint64_t count)
{
    unsigned char rounded[STEP * 2];
    blas_from_floats(t->element, values, rounded, count);
    blas_to_floats(t->element, rounded, values, count);
}

static void reduce_small(const struct arithmetic *t, const struct nccl_op *ops, int ranks,
                         const void *const *sources, void *out, uint64_t first, uint64_t count)
{
    float sum[STEP], next[STEP], by;
    for (int r = 0; r < ranks; r++) {
        float *to = r ? next : sum;
        blas_to_floats(t->element, (const unsigned char *)sources[r] + first * t->bytes, to, count);
        if (ops[r].kind == NCCL_SCALED_SUM) {
            blas_to_floats(t->element, ops[r].scalar, &by, 1);
            t->scale(&by, to, count);
            round_off(t, to, count);
        }
        if (r == 0) continue;
        t->step(ops[r].kind, sum, next, count);
        if (r + 1 < ranks) round_off(t, sum, count);
    }
    blas_from_floats(t->element, sum, (unsigned char *)out + first * t->bytes, count);
}

static void reduce_whole(const struct arithmetic *t, const struct nccl_op *ops, int ranks,
                         const void *const *sources, unsigned char *out, uint64_t first, uint64_t count)
{
    _Alignas(NCCL_ALIGNMENT) unsigned char next[STEP * 8];
    unsigned char *sum = out + first * t->bytes;
    for (int r = 0; r < ranks; r++) {
        const unsigned char *from = (const unsigned char *)sources[r] + first * t->bytes;
        bool scaled = ops[r].kind == NCCL_SCALED_SUM;
        unsigned char *copy = r == 0 ? sum : next;
        if (r == 0 || scaled) memcpy(copy, from, count * t->bytes);
        if (scaled) t->scale(ops[r].scalar, copy, count);
        if (r > 0) t->step(ops[r].kind, sum, scaled ? next : from, count);
    }
    if (ops[0].kind == NCCL_DIVIDED_SUM) t->divide(ranks, sum, count);
}

void nccl_reduce(ncclDataType_t type, const struct nccl_op *ops, int ranks, const void *const *sources,
                 void *out, uint64_t count)
{
    const struct arithmetic *t = &TYPES[type];
    for (uint64_t first = 0; first < count; first += STEP) {
        uint64_t some = count - first < STEP ? count - first : STEP;
        if (t->element == BLAS_ELEMENTS)
            reduce_whole(t, ops, ranks, sources, out, first, some);
        else
            reduce_small(t, ops, ranks, sources, out, first, some);
    }
}
