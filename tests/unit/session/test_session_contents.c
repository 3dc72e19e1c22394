/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what memory holds after a launch, as a record. Method: mapped memory with and without pages, read
 * back from what was encoded. */
#include "session_priv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, BYTES = 64 * PAGE + 100, AT = 512 };
static const struct event_kernel KERNEL = {.name = "sum"};
static uint8_t *memory; /* AT bytes into a page, as allocations may be */
static struct arena arena;

static int map_memory(void **state)
{
    (void)state;
    void *mapped = mmap(NULL, BYTES + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memory = (uint8_t *)mapped + AT;
    arena_init(&arena);
    return mapped == MAP_FAILED;
}

static int unmap_memory(void **state)
{
    (void)state;
    arena_release(&arena);
    return munmap(memory - AT, BYTES + PAGE);
}

static struct event_piece piece(uint64_t bytes)
{
    return (struct event_piece){
        .base = (uint64_t)(uintptr_t)memory, .bytes = bytes, .made = "cudaMalloc", .where = "a.cu:3"};
}

static struct session_contents after_launch(struct session_seen *seen, uint64_t launch, uint64_t bytes)
{
    struct event_piece one = piece(bytes);
    struct event_contents contents = {.launch = launch, .kernel = &KERNEL, .pieces = &one, .count = 1};
    static const struct event_kernel *const KERNELS[] = {&KERNEL};
    struct str text = {0};
    struct session_contents out;
    session_encode_contents(seen, 0, &contents, &text);
    const uint8_t *at = arena_copy(&arena, str_text(&text), text.length);
    struct session_cursor cursor = {at, at + text.length, &arena, false};
    session_decode_contents(&cursor, KERNELS, 1, &out);
    assert_false(cursor.bad);
    assert_ptr_equal(cursor.at, cursor.end);
    assert_ptr_equal(out.kernel, &KERNEL);
    assert_int_equal(out.launch, launch);
    str_release(&text);
    return out;
}

static void release(struct session_seen *seen)
{
    map_release(&seen->by_base);
    if (seen->begun) arena_release(&seen->arena);
}

/* The parts in which two records of the memory differ. */
static uint32_t parts_that_differ(const struct session_contents *a, const struct session_contents *b)
{
    uint32_t parts = 0;
    assert_int_equal(a->count, 1);
    assert_int_equal(b->count, 1);
    for (uint32_t p = 0; p < SESSION_PARTS; p++)
        parts |= (uint32_t)(a->pieces[0].parts[p] != b->pieces[0].parts[p]) << p;
    return parts;
}

static struct session_contents alone(void) /* with nothing seen before */
{
    struct session_seen seen = {0};
    struct session_contents out = after_launch(&seen, 1, BYTES);
    release(&seen);
    return out;
}

static void pages_of_zeros_are_like_none(void **state)
{
    (void)state;
    struct session_contents none = alone();
    unsigned char has[BYTES / PAGE + 2];
    assert_int_equal(mincore(memory - AT, BYTES + AT, has), 0);
    for (size_t i = 0; i < BYTES / PAGE; i++)
        assert_false(has[i] & 1); /* looking at them did not make them */
    memset(memory, 0, BYTES);
    struct session_contents zeros = alone();
    assert_int_equal(parts_that_differ(&none, &zeros), 0);
    for (uint32_t p = 0; p < SESSION_PARTS; p++)
        assert_int_equal(zeros.pieces[0].parts[p], 0);
    assert_string_equal(zeros.pieces[0].memory.made, "cudaMalloc");
    assert_null(zeros.pieces[0].memory.variable);
}

static void each_byte_counts(void **state)
{
    static const uint64_t PLACES[] = {0, 7, 8, PAGE - AT - 1, PAGE - AT, 33 * PAGE, BYTES - 5, BYTES - 1};
    (void)state;
    struct session_contents before = alone();
    for (size_t i = 0; i < SW_COUNT_OF(PLACES); i++) {
        memory[PLACES[i]] ^= 1;
        struct session_contents now = alone();
        assert_int_equal(parts_that_differ(&before, &now), UINT32_C(1)
                                                               << PLACES[i] / now.pieces[0].part_bytes);
        memory[PLACES[i]] ^= 1;
    }
    memory[BYTES] = 1; /* not the allocation's */
    struct session_contents now = alone();
    assert_int_equal(parts_that_differ(&before, &now), 0);
    memory[3 * PAGE] = 5; /* pages with each other's contents */
    before = alone();
    memory[3 * PAGE] = 0, memory[2 * PAGE] = 5;
    now = alone();
    assert_int_not_equal(parts_that_differ(&before, &now), 0);
}

static void what_has_not_changed_is_left_out(void **state)
{
    struct session_seen seen = {0};
    (void)state;
    assert_int_equal(after_launch(&seen, 1, BYTES).count, 1);
    assert_int_equal(after_launch(&seen, 2, BYTES).count, 0);
    memory[100] = 3;
    assert_int_equal(after_launch(&seen, 3, BYTES).count, 1);
    assert_int_equal(after_launch(&seen, 4, BYTES - PAGE).count, 1); /* another allocation there */
    release(&seen);
}

static void fewer_launches_are_looked_at_in_time(void **state)
{
    struct session_seen seen = {.budget_bytes = 4 * BYTES};
    uint32_t looked[3] = {0};
    (void)state;
    memset(memory, 1, BYTES);
    for (uint32_t launch = 0; launch < 28;
         launch++) { /* 4 of all, then 4 of every second, 4 of every fourth */
        if (!session_contents_due(&seen)) continue;
        uint32_t left_out = launch < 4 ? 0 : launch < 12 ? 1 : 3;
        assert_int_equal(after_launch(&seen, launch, BYTES).left_out, left_out);
        looked[launch < 4 ? 0 : launch < 12 ? 1 : 2]++;
    }
    for (int i = 0; i < 3; i++)
        assert_int_equal(looked[i], 4);
    release(&seen);
}

static void bytes_are_recorded_of_one_launch(void **state)
{
    struct event_piece one = piece(BYTES);
    struct event_contents contents = {.launch = 4, .kernel = &KERNEL, .pieces = &one, .count = 1};
    struct session_look look = {.launch = 4, .base = one.base, .offset = 8, .bytes = 4};
    struct str text = {0};
    (void)state;
    memcpy(memory + 8, "abcd", 4);
    assert_true(session_encode_look(&look, &contents, &text));
    assert_string_equal(str_text(&text), "abcd");
    contents.launch = 5;
    assert_false(session_encode_look(&look, &contents, &text));
    contents.launch = 4, look.offset = BYTES - 3;
    assert_false(session_encode_look(&look, &contents, &text));
    str_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pages_of_zeros_are_like_none, map_memory, unmap_memory),
        cmocka_unit_test_setup_teardown(each_byte_counts, map_memory, unmap_memory),
        cmocka_unit_test_setup_teardown(what_has_not_changed_is_left_out, map_memory, unmap_memory),
        cmocka_unit_test_setup_teardown(fewer_launches_are_looked_at_in_time, map_memory, unmap_memory),
        cmocka_unit_test_setup_teardown(bytes_are_recorded_of_one_launch, map_memory, unmap_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
