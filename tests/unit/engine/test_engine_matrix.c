/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: products of f16 and bf16, and of bytes, are the same bits with each instruction set of
 * this machine, where vectors have ways of their own: the largest sums, which wrap as integers, exponents at
 * and beyond what one way takes, zeros of both signs, infinities, NaNs; bytes of both kinds. Method:
 * engine_help_matrix on registers of chosen bits, each set against SSE2's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/core/engine_cpu.h"
#include "engine/matrix/engine_matrix.h"

#include <string.h>

enum { HALVES_MOST = 2 * 32 * 16, C_MOST = 32 * 16 };
struct operands {
    _Alignas(64) uint8_t bytes[HALVES_MOST * 2 + C_MOST * 4];
    size_t halves, words;
};

static uint32_t random_state;

static uint32_t next_random(void)
{
    random_state = random_state * 1664525 + 1013904223;
    return random_state >> 8;
}

/* What 16-bit codes and words of c are made of. */
struct kind {
    uint16_t code, code_random; /* bits that are always so, and those that are drawn */
    uint32_t c, c_random;
    unsigned odd; /* one code and one c in so many are of `other` */
    uint16_t other;
    uint32_t other_c;
};

static const struct kind kinds[] = {
    {0x3c00, 0x83ff, 0x3f800000, 0x807fffff, 0, 0, 0}, /* f16 of 1 to 2 */
    {0x3fff, 0, 0x3fffffff, 0, 0, 0, 0},               /* the largest sum there is of one exponent */
    {0x3fff, 0x8000, 0x3fffffff, 0x80000000, 0, 0, 0}, /* the same of both signs */
    {0, 0xffff, 0, 0xffffffff, 0, 0, 0},               /* all bits */
    {0, 0x83ff, 0, 0x807fffff, 0, 0, 0},               /* subnormals */
    {0x3c00, 0x83ff, 0x3f800000, 0x80ffffff, 3, 0x8000, 0x80000000},  /* zeros among others */
    {0x8000, 0, 0x80000000, 0, 0, 0, 0},                              /* nothing else */
    {0x0000, 0x7bff, 0x00000000, 0x7dffffff, 0, 0, 0},                /* far apart */
    {0x3c00, 0x83ff, 0x3f800000, 0x807fffff, 90, 0x7c00, 0x7f800000}, /* an infinity */
    {0x3c00, 0x83ff, 0x3f800000, 0x807fffff, 90, 0x7f81, 0xffc00000}, /* a NaN */
    {0x3f80, 0x807f, 0x7f000000, 0x80ffffff, 0, 0, 0},                /* c at the end of f32 */
    {0x3f80, 0x9fff, 0x3f800000, 0x9fffffff, 0, 0, 0},                /* bf16: exponents around 1 */
    {0x6680, 0x80ff, 0x3f800000, 0x807fffff, 2, 0x1900, 0},           /* bf16: at both bounds */
    {0x5b00, 0x80ff, 0x7e800000, 0x80ffffff, 0, 0, 0},                /* bf16: the largest that are plain */
    {0x7f7f, 0x8080, 0x7fffff00, 0x800000ff, 0, 0, 0}, /* bytes whose sums pass the ends of 32 bits */
};

static void draw(struct operands *to, const struct kind *kind)
{
    for (size_t i = 0; i < to->halves; i++) {
        uint16_t code = (uint16_t)(kind->code | (next_random() & kind->code_random));
        if (kind->odd && next_random() % kind->odd == 0) code = kind->other;
        memcpy(to->bytes + 2 * i, &code, 2);
    }
    for (size_t i = 0; i < to->words; i++) {
        uint32_t word = kind->c | ((next_random() << 16 ^ next_random()) & kind->c_random);
        if (kind->odd && next_random() % kind->odd == 0) word = kind->other_c;
        memcpy(to->bytes + 2 * to->halves + 4 * i, &word, 4);
    }
}

struct shape {
    uint8_t m, n, k;
    bool wmma;
};

struct types {
    enum jit_matrix_type a, b, sum;
    unsigned bytes; /* of a factor's element */
    unsigned flags;
};

static void compare(const struct shape *shape, const struct types *types, uint32_t cc,
                    const struct kind *kind)
{
    struct jit_ctx ctx = {.compute_capability = cc};
    struct operands from = {.halves = (size_t)(shape->m + shape->n) * shape->k * types->bytes / 2,
                            .words = (size_t)shape->m * shape->n / (types->sum == JIT_MATRIX_F16 ? 2 : 1)};
    _Alignas(64) uint32_t to[JIT_ISA_COUNT][C_MOST];
    draw(&from, kind);
    for (unsigned isa = 0; isa < JIT_ISA_COUNT; isa++) {
        if (!engine_cpu_runs((enum jit_isa)isa)) continue;
        struct jit_matrix_op op = {shape->m, shape->n, shape->k / 4, 0, 0, 0, 0, (uint8_t)isa};
        uint64_t code;
        op.a_b = (uint8_t)(types->a | types->b << 4);
        op.d_c = (uint8_t)(types->sum | types->sum << 4);
        op.flags = (uint8_t)(types->flags | (shape->wmma ? JIT_MATRIX_WMMA : 0));
        memcpy(&code, &op, sizeof code);
        engine_help_matrix(&ctx, code, from.bytes, to[isa]);
        if (isa) assert_memory_equal(to[isa], to[0], from.words * 4);
    }
}

static void compare_all(const struct shape *shapes, unsigned shape_count, const struct types *types,
                        unsigned type_count)
{
    static const uint32_t capabilities[] = {90, 80, 70};
    for (unsigned s = 0; s < shape_count; s++)
        for (unsigned k = 0; k < SW_COUNT_OF(kinds); k++)
            for (unsigned cc = 0; cc < SW_COUNT_OF(capabilities); cc++)
                for (unsigned round = 0; round < 10; round++)
                    for (unsigned t = 0; t < type_count; t++)
                        compare(&shapes[s], &types[t], capabilities[cc], &kinds[k]);
}

static void test_halves(void **state)
{
    static const struct shape shapes[] = {
        {16, 8, 16, false}, {16, 8, 8, false}, {16, 16, 16, true}, {32, 8, 16, true}, {8, 32, 16, true}};
    static const struct types types[] = {{JIT_MATRIX_F16, JIT_MATRIX_F16, JIT_MATRIX_F32, 2, 0},
                                         {JIT_MATRIX_F16, JIT_MATRIX_F16, JIT_MATRIX_F16, 2, 0},
                                         {JIT_MATRIX_BF16, JIT_MATRIX_BF16, JIT_MATRIX_F32, 2, 0}};
    (void)state;
    compare_all(shapes, SW_COUNT_OF(shapes), types, SW_COUNT_OF(types));
}

static void test_bytes(void **state)
{
    static const struct shape shapes[] = {{16, 8, 32, false}, {16, 8, 16, false}, {8, 8, 16, false},
                                          {16, 16, 16, true}, {32, 8, 16, true},  {8, 32, 16, true}};
    static const struct types types[] = {
        {JIT_MATRIX_S8, JIT_MATRIX_S8, JIT_MATRIX_S32, 1, 0},
        {JIT_MATRIX_U8, JIT_MATRIX_U8, JIT_MATRIX_S32, 1, 0},
        {JIT_MATRIX_U8, JIT_MATRIX_S8, JIT_MATRIX_S32, 1, JIT_MATRIX_SATFINITE},
        {JIT_MATRIX_S8, JIT_MATRIX_U8, JIT_MATRIX_S32, 1, JIT_MATRIX_SATFINITE}};
    (void)state;
    compare_all(shapes, SW_COUNT_OF(shapes), types, SW_COUNT_OF(types));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_halves), cmocka_unit_test(test_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
