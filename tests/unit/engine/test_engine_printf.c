/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: device printf prints the same text as CUDA's, and the device heap's bookkeeping is right.
 * Method: a table of format, argument buffer and expected text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/helpers/engine_printf.h"

#include "engine/core/engine_heap.h"

#include <string.h>

struct args {
    uint8_t bytes[128];
    size_t count;
};

static void put(struct args *args, const void *value, size_t bytes)
{
    args->count = sw_align_up(args->count, bytes);
    memcpy(args->bytes + args->count, value, bytes);
    args->count += bytes;
}
static void put_i(struct args *args, int32_t value)
{
    put(args, &value, 4);
}
static void put_l(struct args *args, int64_t value)
{
    put(args, &value, 8);
}
static void put_d(struct args *args, double value)
{
    put(args, &value, 8);
}
static void put_s(struct args *args, const char *value)
{
    put(args, &value, 8);
}

static void expect(const char *format, const struct args *args, const char *wanted, int count)
{
    struct str out = {0};
    assert_int_equal(engine_printf_format(NULL, format, args->bytes, &out), count);
    assert_string_equal(str_text(&out), wanted);
    str_release(&out);
}

static void test_integers(void **state)
{
    (void)state;
    struct args a = {0};
    put_i(&a, -5);
    put_i(&a, 255);
    put_i(&a, -1);
    put_l(&a, INT64_MIN);
    put_i(&a, 7);
    expect("%d %#x %u %lld [%-4i]\n", &a, "-5 0xff 4294967295 -9223372036854775808 [7   ]\n", 5);
    struct args b = {0};
    put_i(&b, 0x12345);
    put_i(&b, 0x1ff);
    put_i(&b, 65535);
    put_l(&b, -1);
    expect("%hx %hhd %hd %lX", &b, "2345 -1 -1 FFFFFFFFFFFFFFFF", 4);
}

static void test_floats_and_width(void **state)
{
    (void)state;
    struct args a = {0};
    put_d(&a, 3.14159);
    put_i(&a, 10);
    put_d(&a, 2.5);
    put_d(&a, 1e100);
    put_d(&a, -0.0);
    expect("%.2f|%*.2f|%g|%+e", &a, "3.14|      2.50|1e+100|-0.000000e+00", 5);
    struct args b = {0};
    put_i(&b, -6);
    put_i(&b, 42);
    put_d(&b, 1.0);
    expect("[%*d]%a", &b, "[42    ]0x1p+0", 3);
}

static void test_text(void **state)
{
    (void)state;
    struct args a = {0};
    put_i(&a, 'x');
    put_s(&a, "warp");
    put_s(&a, "lane");
    put_l(&a, 0x1234);
    expect("%c%%%5s|%.2s|%p|%q", &a, "x% warp|la|0x1234|%q", 4);
    expect("no arguments", &a, "no arguments", 0);
    expect("trailing %", &a, "trailing %", 0);
    expect("%zu %.*f %*.*d %Lf %jd %td %5% %%", &a, "%zu %.*f %*.*d %Lf %jd %td %5% %", 0);
}

/* Where accesses are looked at: blocks to the byte, nothing beside them, freed ones stay known. */
static void test_exact_heap(void **state)
{
    (void)state;
    struct vmem *vmem;
    struct engine_heap heap;
    struct engine_heap_block found;
    assert_int_equal(vmem_new(&vmem, NULL), SW_OK);
    engine_heap_init(&heap, vmem, 0, 4096, true);
    uint64_t a = engine_heap_malloc(&heap, 10, 1), b = engine_heap_malloc(&heap, 33, 64);
    assert_true(engine_heap_find(&heap, a + 9, &found) && found.base == a && found.bytes == 10 &&
                !found.freed);
    assert_true(engine_heap_find(&heap, a + 31, &found) && found.base == a); /* behind it: the nearest */
    assert_true(b % 64 == 0 && b >= a + 32);
    assert_true(engine_heap_free(&heap, a) && !engine_heap_free(&heap, a));
    assert_true(engine_heap_find(&heap, a, &found) && found.freed && found.bytes == 10);
    assert_int_equal(engine_heap_malloc(&heap, 4096, 1), 0); /* b is live */
    assert_true(engine_heap_free(&heap, b));
    for (int i = 0; i < 5; i++) { /* what was freed is given out again when all else is taken */
        uint64_t all = engine_heap_malloc(&heap, 4096, 1);
        assert_true(all && engine_heap_find(&heap, all + 4095, &found) && found.base == all && !found.freed);
        assert_true(engine_heap_free(&heap, all));
    }
    engine_heap_release(&heap);
    vmem_free_all(vmem);
}

static void test_heap(void **state)
{
    (void)state;
    struct vmem *vmem;
    struct engine_heap heap;
    assert_int_equal(vmem_new(&vmem, NULL), SW_OK);
    engine_heap_init(&heap, vmem, 0, 1 << 20, false);
    uint64_t a = engine_heap_malloc(&heap, 100, 1), b = engine_heap_malloc(&heap, 1, 1);
    assert_true(a && b && a != b && a % 16 == 0 && b % 16 == 0);
    assert_int_equal(engine_heap_malloc(&heap, 1 << 20, 1), 0);
    assert_true(engine_heap_free(&heap, a));
    assert_false(engine_heap_free(&heap, a));
    assert_false(engine_heap_free(&heap, b + 16));
    assert_true(engine_heap_free(&heap, b));
    assert_true(engine_heap_free(&heap, 0));
    assert_true(engine_heap_malloc(&heap, 1 << 20, 1) != 0);
    engine_heap_release(&heap);
    vmem_free_all(vmem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers), cmocka_unit_test(test_floats_and_width), cmocka_unit_test(test_text),
        cmocka_unit_test(test_heap),     cmocka_unit_test(test_exact_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
