/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting in bounded memory: order, stability, more than one walk, and a temporary folder that fails. */
#include "base/base.h"
#include "base/base_spill.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct record {
    uint64_t key, nth;
};

static int by_key(const void *a, const void *b)
{
    const struct record *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static struct spill *filled(uint64_t count, uint64_t keys)
{
    struct spill *spill = spill_new(sizeof(struct record), by_key);
    uint64_t random = 1;
    for (uint64_t i = 0; i < count; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        struct record record = {(random >> 33) % keys, i};
        spill_add(spill, &record);
    }
    return spill;
}

/* Returns how many came, each in its place. */
static uint64_t walk(struct spill *spill)
{
    struct record last = {0};
    const struct record *record;
    uint64_t count = 0;
    spill_begin(spill);
    for (; (record = spill_next(spill)); count++) {
        if (count && last.key == record->key) assert_true(last.nth < record->nth);
        if (count) assert_true(last.key <= record->key);
        last = *record;
        const struct record *peeked = spill_peek(spill);
        if (peeked) assert_true(peeked->key >= last.key);
    }
    return count;
}

static void sorts_and_keeps_what_is_equal(void **state)
{
    (void)state;
    static const uint64_t COUNTS[] = {
        0,      1, 1000, SPILL_RUN_BYTES / sizeof(struct record), SPILL_RUN_BYTES / sizeof(struct record) + 1,
        2000000};
    for (size_t i = 0; i < SW_COUNT_OF(COUNTS); i++) {
        struct spill *spill = filled(COUNTS[i], 5000);
        assert_int_equal(walk(spill), COUNTS[i]);
        assert_int_equal(walk(spill), COUNTS[i]);
        assert_int_equal(spill_status(spill, NULL), SW_OK);
        spill_free(spill);
    }
}

static void says_when_the_disk_fails(void **state)
{
    (void)state;
    struct sw_error error;
    setenv("TMPDIR", "/nonexistent", 1);
    struct spill *small = filled(10, 10), *large = filled(1000000, 10);
    assert_int_equal(walk(small), 10);
    assert_int_equal(spill_status(small, &error), SW_OK);
    walk(large);
    assert_int_equal(spill_status(large, &error), SW_IO);
    assert_non_null(strstr(error.message, "temporary file"));
    spill_free(small);
    spill_free(large);
    unsetenv("TMPDIR");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_and_keeps_what_is_equal),
        cmocka_unit_test(says_when_the_disk_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
