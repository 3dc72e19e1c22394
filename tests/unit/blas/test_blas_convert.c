/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of few bits: every half and 8-bit float to a float and back, rounding, and products. */
#include "blas/blas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static double half_value(unsigned h)
{
    int exponent = (int)(h >> 10 & 31), fraction = (int)(h & 1023);
    double size = exponent == 31 ? (fraction ? NAN : INFINITY)
                  : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                 : ldexp(fraction, -24);
    return h & 0x8000 ? -size : size;
}

static void every_half_is_its_value(void **state)
{
    (void)state;
    for (unsigned h = 0; h < 0x10000; h++) {
        uint16_t bits = (uint16_t)h, back;
        float value;
        blas_to_floats(BLAS_F16, &bits, &value, 1);
        double wanted = half_value(h);
        if (isnan(wanted))
            assert_true(isnan(value));
        else
            assert_true((double)value == wanted && !signbit(value) == !signbit(wanted));
        blas_from_floats(BLAS_F16, &value, &back, 1);
        if (!isnan(wanted)) assert_int_equal(back, bits);
    }
}

/* Half way between two halves: to the even one; just beside it: to the nearer. */
static void floats_round_to_the_nearest_half(void **state)
{
    (void)state;
    for (unsigned h = 0; h < 0x7bff; h++) {
        float middle = (float)((half_value(h) + half_value(h + 1)) / 2);
        float cases[] = {middle, nextafterf(middle, 0), nextafterf(middle, INFINITY)};
        uint16_t out[3];
        blas_from_floats(BLAS_F16, cases, out, 3);
        assert_int_equal(out[0], h & 1 ? h + 1 : h);
        assert_int_equal(out[1], h);
        assert_int_equal(out[2], h + 1);
    }
    float large[] = {65519.9f, 65520, -1e30f, INFINITY};
    uint16_t out[4];
    blas_from_floats(BLAS_F16, large, out, 4);
    assert_int_equal(out[0], 0x7bff);
    assert_int_equal(out[1], 0x7c00);
    assert_int_equal(out[2], 0xfc00);
    assert_int_equal(out[3], 0x7c00);
}

static void bytes_go_there_and_back(void **state)
{
    (void)state;
    static const enum blas_element FORMATS[] = {BLAS_E4M3, BLAS_E5M2, BLAS_I8, BLAS_U8};
    for (size_t f = 0; f < SW_COUNT_OF(FORMATS); f++)
        for (unsigned b = 0; b < 256; b++) {
            uint8_t byte = (uint8_t)b, back;
            float value;
            blas_to_floats(FORMATS[f], &byte, &value, 1);
            blas_from_floats(FORMATS[f], &value, &back, 1);
            if (!isfinite(value)) continue; /* saturated */
            assert_int_equal(back, byte);
        }
    float one;
    blas_to_floats(BLAS_E4M3, &(uint8_t){0x38}, &one, 1); /* definition: the exponent's bias is 7 */
    assert_true(one == 1);
    blas_to_floats(BLAS_E4M3, &(uint8_t){0x7e}, &one, 1);
    assert_true(one == 448);
    blas_to_floats(BLAS_E5M2, &(uint8_t){0x7b}, &one, 1);
    assert_true(one == 57344);
    blas_to_floats(BLAS_E5M2, &(uint8_t){0x01}, &one, 1);
    assert_true(one == ldexpf(1, -16));
}

static void brains_are_upper_halves(void **state)
{
    (void)state;
    float cases[] = {1, 1.00390625f, 1.01171875f, -3e38f, NAN};
    uint16_t out[5];
    blas_from_floats(BLAS_BF16, cases, out, 5);
    assert_int_equal(out[0], 0x3f80);
    assert_int_equal(out[1], 0x3f80); /* a tie, to the even one */
    assert_int_equal(out[2], 0x3f82);
    assert_int_equal(out[3], 0xff62);
    assert_true((out[4] & 0x7fff) > 0x7f80);
}

/* Sums of more than EXACT_K products, the largest there are: wrong where floats were added too long. */
static void integer_products_are_exact(void **state)
{
    enum { M = 3, N = 2, K = 5000 };
    static int8_t a[M * K], b[K * N];
    int32_t c[M * N] = {1, 2, 3, 4, 5, 6}, alpha = 3, beta = -2;
    (void)state;
    for (int i = 0; i < M * K; i++)
        a[i] = (int8_t)(i % 3 ? -128 : 127 - i % 5);
    for (int i = 0; i < K * N; i++)
        b[i] = (int8_t)(i % 7 ? -128 : 125);
    struct blas_mixed x = {.a_element = BLAS_I8,
                           .b_element = BLAS_I8,
                           .c_element = BLAS_I32,
                           .trans_a = BLAS_N,
                           .trans_b = BLAS_N,
                           .m = M,
                           .n = N,
                           .k = K,
                           .lda = M,
                           .ldb = K,
                           .ldc = M,
                           .a = a,
                           .b = b,
                           .c = c,
                           .alpha = &alpha,
                           .beta = &beta};
    assert_true(blas_gemm_mixed(&x));
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) {
            int64_t sum = 0;
            for (int k = 0; k < K; k++)
                sum += (int64_t)a[k * M + i] * b[j * K + k];
            assert_int_equal(c[j * M + i], (int32_t)(uint32_t)(3 * sum - 2 * (j * M + i + 1)));
        }
}

/* Sizes at which oneDNN multiplies where it is; columns longer than matrices. Multiples of 1/8 below 16: sums
 * are exact in floats. */
enum { MIXED_M = 72, MIXED_N = 80, MIXED_K = 144, MIXED_LD = 150 };

static void fill_mixed(enum blas_element element, void *out, int columns, int seed)
{
    uint64_t bytes = blas_element_bytes(element);
    for (int i = 0; i < MIXED_LD * columns; i++) {
        float value = (float)((i * 37 + seed) % 15 - 7) * (element == BLAS_I8 ? 18.0f : 0.125f);
        blas_from_floats(element, &value, (uint8_t *)out + (uint64_t)i * bytes, 1);
    }
}

static double mixed_at(enum blas_element element, const void *from, enum blas_op op, int row, int column)
{
    int at = op == BLAS_N ? column * MIXED_LD + row : row * MIXED_LD + column;
    float value;
    blas_to_floats(element, (const uint8_t *)from + (uint64_t)at * blas_element_bytes(element), &value, 1);
    return (double)value;
}

static double mixed_sum(const struct blas_mixed *x, int row, int column)
{
    double sum = 0;
    for (int k = 0; k < MIXED_K; k++)
        sum += mixed_at(x->a_element, x->a, x->trans_a, row, k) *
               mixed_at(x->b_element, x->b, x->trans_b, k, column);
    return sum;
}

static void check_mixed(struct blas_mixed *x, double alpha, double beta)
{
    static int32_t c[MIXED_LD * MIXED_N], before[MIXED_LD * MIXED_N];
    bool integer = x->c_element == BLAS_I32;
    x->c = c;
    if (integer)
        for (int i = 0; i < MIXED_LD * MIXED_N; i++)
            c[i] = i * 1001;
    else
        fill_mixed(x->c_element, c, MIXED_N, 3);
    memcpy(before, c, sizeof c);
    assert_true(blas_gemm_mixed(x));
    for (int j = 0; j < MIXED_N; j++)
        for (int i = 0; i < MIXED_LD; i++) {
            double wanted = i < MIXED_M ? alpha * mixed_sum(x, i, j) : 0;
            if (integer) {
                int64_t old = before[j * MIXED_LD + i];
                int64_t all = i < MIXED_M ? (int64_t)wanted + (int64_t)beta * old : old;
                assert_int_equal(c[j * MIXED_LD + i], (int32_t)(uint32_t)all);
                continue;
            }
            double old = mixed_at(x->c_element, before, BLAS_N, i, j);
            float all = i < MIXED_M ? (float)(wanted + beta * old) : (float)old;
            uint32_t bits = 0;
            blas_from_floats(x->c_element, &all, &bits, 1);
            size_t bytes = blas_element_bytes(x->c_element);
            assert_memory_equal((uint8_t *)c + (size_t)(j * MIXED_LD + i) * bytes, &bits, bytes);
        }
}

static void small_products_are_those_of_doubles(void **state)
{
    static const enum blas_element TYPES[][3] = {
        {BLAS_I8, BLAS_I8, BLAS_I32},     {BLAS_I8, BLAS_I8, BLAS_F32},     {BLAS_BF16, BLAS_BF16, BLAS_BF16},
        {BLAS_BF16, BLAS_BF16, BLAS_F32}, {BLAS_E4M3, BLAS_E5M2, BLAS_F16}, {BLAS_E5M2, BLAS_BF16, BLAS_F32},
        {BLAS_F16, BLAS_F16, BLAS_F16}};
    static const float scalars[] = {1, 0, 2, -1};
    static const int32_t whole[] = {1, 0, 2, -1};
    static uint32_t a[MIXED_LD * MIXED_LD], b[MIXED_LD * MIXED_LD];
    (void)state;
    for (size_t t = 0; t < SW_COUNT_OF(TYPES); t++)
        for (int way = 0; way < 8; way++) {
            int scalar = way / 4 * 2;
            bool integer = TYPES[t][2] == BLAS_I32;
            fill_mixed(TYPES[t][0], a, MIXED_LD, 1);
            fill_mixed(TYPES[t][1], b, MIXED_LD, 2);
            check_mixed(
                &(struct blas_mixed){.a_element = TYPES[t][0],
                                     .b_element = TYPES[t][1],
                                     .c_element = TYPES[t][2],
                                     .trans_a = way & 1 ? BLAS_T : BLAS_N,
                                     .trans_b = way & 2 ? BLAS_T : BLAS_N,
                                     .m = MIXED_M,
                                     .n = MIXED_N,
                                     .k = MIXED_K,
                                     .lda = MIXED_LD,
                                     .ldb = MIXED_LD,
                                     .ldc = MIXED_LD,
                                     .a = a,
                                     .b = b,
                                     .alpha = integer ? (const void *)&whole[scalar] : &scalars[scalar],
                                     .beta =
                                         integer ? (const void *)&whole[scalar + 1] : &scalars[scalar + 1]},
                (double)scalars[scalar], (double)scalars[scalar + 1]);
        }
}

int main(void)
{
    struct sw_error error = {0};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_half_is_its_value),    cmocka_unit_test(floats_round_to_the_nearest_half),
        cmocka_unit_test(bytes_go_there_and_back),    cmocka_unit_test(brains_are_upper_halves),
        cmocka_unit_test(integer_products_are_exact), cmocka_unit_test(small_products_are_those_of_doubles),
    };
    if (blas_open(&error) != SW_OK) {
        print_message("SKIPPED: %s\n", error.message);
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
