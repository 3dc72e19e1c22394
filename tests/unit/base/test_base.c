/* SPDX-License-Identifier: Apache-2.0 */
/* Containers and error records of base. */
#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void map_grows_and_forgets(void **state)
{
    (void)state;
    struct map map = {0};
    char keys[1000][8];
    for (int i = 0; i < 1000; i++) {
        snprintf(keys[i], sizeof keys[i], "k%d", i);
        map_set(&map, keys[i], &keys[i]);
    }
    for (int i = 0; i < 1000; i += 2)
        assert_true(map_remove(&map, keys[i]));
    for (int i = 0; i < 1000; i++)
        assert_ptr_equal(map_get(&map, keys[i]), i % 2 ? (void *)&keys[i] : NULL);
    assert_int_equal(map.count, 500);
    assert_false(map_remove(&map, "absent"));
    map_release(&map);
}

static void map_keeps_integer_keys(void **state)
{
    (void)state;
    struct map map = {0};
    int value[3];
    map_set_u64(&map, 0, &value[0]);
    map_set_u64(&map, UINT64_MAX, &value[1]);
    map_set_u64(&map, 0, &value[2]);
    assert_ptr_equal(map_get_u64(&map, 0), &value[2]);
    assert_ptr_equal(map_get_u64(&map, UINT64_MAX), &value[1]);
    size_t cursor = 0, seen = 0;
    for (void *v; map_next(&map, &cursor, &v);)
        seen++;
    assert_int_equal(seen, 2);
    map_release(&map);
}

static void arena_is_zeroed_and_aligned(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    for (size_t size = 1; size < 100000; size = size * 3 + 1) {
        unsigned char *p = arena_alloc(&arena, size);
        assert_int_equal((uintptr_t)p % 16, 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xff, size);
    }
    assert_string_equal(arena_printf(&arena, "%d-%s", 7, "x"), "7-x");
    arena_release(&arena);
}

static void a_cleared_arena_is_zeroed_again(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena);
    arena_clear(&arena);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 100; i++) {
            unsigned char *p = arena_alloc(&arena, 1000);
            for (size_t k = 0; k < 1000; k++)
                assert_int_equal(p[k], 0);
            memset(p, 0xff, 1000);
        }
        arena_clear(&arena);
    }
    arena_release(&arena);
}

static void str_and_vec_grow(void **state)
{
    (void)state;
    struct str str = {0};
    assert_string_equal(str_text(&str), "");
    for (int i = 0; i < 1000; i++)
        str_printf(&str, "%d,", i % 10);
    assert_int_equal(str.length, 2000);
    str_release(&str);
    VEC(int) list = {0};
    for (int i = 0; i < 1000; i++)
        *vec_push(&list) = i;
    assert_int_equal(list.at[999], 999);
    vec_release(&list);
}

static void errors_say_where(void **state)
{
    (void)state;
    struct sw_error error;
    char text[300];
    assert_int_equal(sw_fail_at(&error, SW_SYNTAX, "k.ptx", 3, 7, "expected '%s'", ";"), SW_SYNTAX);
    assert_string_equal(sw_error_format(&error, text, sizeof text), "k.ptx:3:7: expected ';'");
    assert_int_equal(sw_fail(NULL, SW_OUT_OF_MEMORY, "ignored"), SW_OUT_OF_MEMORY);
    assert_int_equal(sw_status_cuda(SW_ILLEGAL_ADDRESS), 700);
    assert_string_equal(sw_status_name(SW_ASSERT), "ASSERT");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(map_grows_and_forgets),
        cmocka_unit_test(map_keeps_integer_keys),
        cmocka_unit_test(arena_is_zeroed_and_aligned),
        cmocka_unit_test(a_cleared_arena_is_zeroed_again),
        cmocka_unit_test(str_and_vec_grow),
        cmocka_unit_test(errors_say_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
