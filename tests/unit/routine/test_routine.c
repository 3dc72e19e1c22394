/* SPDX-License-Identifier: Apache-2.0 */
/* Handles that live, and memory of those that were destroyed: it stays while as many more are destroyed as
 * are kept, and is given back once. */
#include "routine/routine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void handles_that_live(void **state)
{
    static struct sw_handles handles = SW_HANDLES_INIT;
    int one = 0, other = 0;
    (void)state;
    assert_false(sw_handles_has(&handles, &one));
    assert_false(sw_handles_has(&handles, NULL));
    sw_handles_add(&handles, &one);
    assert_true(sw_handles_has(&handles, &one));
    assert_false(sw_handles_remove(&handles, &other));
    assert_true(sw_handles_remove(&handles, &one));
    assert_false(sw_handles_remove(&handles, &one));
    assert_false(sw_handles_has(&handles, &one));
}

static void count_release(void *memory)
{
    ++*(int *)memory;
}

static void memory_that_is_kept(void **state)
{
    int released[2 * ROUTINE_RETIRED] = {0};
    static int sink;
    (void)state;
    for (int i = 0; i < 2 * ROUTINE_RETIRED; i++) {
        routine_retire(&released[i], count_release);
        assert_int_equal(released[i], 0);
        if (i >= ROUTINE_RETIRED) assert_int_equal(released[i - ROUTINE_RETIRED], 1);
    }
    for (int i = 0; i < ROUTINE_RETIRED; i++) { /* nothing of this function's is left in it */
        assert_int_equal(released[ROUTINE_RETIRED + i], 0);
        routine_retire(&sink, count_release);
        assert_int_equal(released[ROUTINE_RETIRED + i], 1);
        assert_int_equal(released[i], 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(handles_that_live),
                                       cmocka_unit_test(memory_that_is_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
