/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: on which multiprocessor each block starts. Method: the order on an H200, compared with its
 * recorded %smid (tests/hw/memory/h200/probe.txt), and invariants of any launch on any device. */
#include "engine/run/engine_order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { SMS = 132, GROUPS = 8, FIRST = 8, MOST = 8 * SMS };

static struct event_residency h200(uint32_t per_sm)
{
    return (struct event_residency){
        .sm_count = SMS, .blocks_per_sm = per_sm, .warps_per_block = 1, .groups = GROUPS, .first = FIRST};
}

/* 'X': multiprocessors outside of the groups; otherwise the group's digit. */
static char part_of(uint32_t sm)
{
    uint32_t group = 0;
    while (sm >= event_group_begin(SMS, GROUPS, group + 1))
        group++;
    return sm < FIRST ? 'X' : (char)('0' + group);
}

/* The sequence of visited groups, a letter each; a group appears each time that its multiprocessors get
 * new blocks. */
static void visits(uint32_t per_sm, uint32_t count, char *out)
{
    static struct engine_resident residents[MOST];
    struct event_residency on = h200(per_sm);
    char last = 0;
    engine_order(&on, residents, count);
    for (uint32_t i = 0; i < count; i++) {
        char part = part_of(residents[i].sm);
        if (part != last) *out++ = last = part;
    }
    *out = 0;
}

static void groups_take_turns(void **state)
{
    char seen[MOST + 1];
    (void)state;
    visits(2, 132, seen);
    assert_string_equal(seen, "X01234567");
    visits(8, 132, seen);
    assert_string_equal(seen, "X01234567");
    visits(2, 264, seen);
    assert_string_equal(seen, "X01234X56701234567");
    visits(8, 1056, seen);
    assert_memory_equal(seen, "X01234X567012X345670X123456X701234X", 35);
    visits(8, 1, seen);
    assert_string_equal(seen, "X");
    visits(8, 16, seen);
    assert_string_equal(seen, "X01234567");
}

static uint32_t count_of(const struct engine_resident *residents, uint32_t count, char part)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += part_of(residents[i].sm) == part;
    return sum;
}

static void the_rest_is_spread(void **state)
{
    struct engine_resident residents[300];
    struct event_residency on = h200(8);
    (void)state;
    engine_order(&on, residents, 64); /* recorded: 8, 4, and seven or eight of each other group */
    assert_int_equal(count_of(residents, 64, 'X'), 8);
    assert_int_equal(count_of(residents, 64, '0'), 4);
    for (char g = '1'; g <= '7'; g++)
        assert_in_range(count_of(residents, 64, g), 7, 8);
    for (uint32_t i = 9; i < 64; i++) /* one to a pair */
        assert_true(residents[i].sm / 2 != residents[i - 1].sm / 2);
    engine_order(&on, residents, 300); /* two of each, three of those apart; 28 more: three or four a group */
    assert_int_equal(count_of(residents, 300, 'X'), 24);
    for (char g = '0'; g <= '7'; g++) {
        uint32_t size = event_group_begin(SMS, GROUPS, (uint32_t)(g - '0') + 1) -
                        event_group_begin(SMS, GROUPS, (uint32_t)(g - '0'));
        if (g == '0') size -= FIRST;
        assert_in_range(count_of(residents, 300, g) - 2 * size, 3, 4);
    }
}

/* Each CTA slot is assigned once; slots beyond the device's come after all of its own. */
static void expect_each_once(const struct event_residency *on, uint32_t count)
{
    static struct engine_resident residents[2 * MOST];
    static uint8_t taken[MOST];
    uint32_t all = on->sm_count * on->blocks_per_sm, device = count < all ? count : all;
    memset(taken, 0, sizeof taken);
    engine_order(on, residents, count);
    for (uint32_t i = 0; i < device; i++) {
        assert_in_range(residents[i].sm, 0, on->sm_count - 1);
        assert_in_range(residents[i].slot, 0, on->blocks_per_sm - 1);
        uint8_t *place = &taken[residents[i].sm * on->blocks_per_sm + residents[i].slot];
        assert_int_equal(*place, 0);
        *place = 1;
        if (residents[i].slot) assert_int_equal(place[-1], 1); /* slots fill in order */
    }
    for (uint32_t i = device; i < count; i++)
        assert_true(residents[i].slot >= on->blocks_per_sm);
}

static void cta_slots_are_given_once(void **state)
{
    static const struct event_residency devices[] = {{.sm_count = SMS, .groups = GROUPS, .first = FIRST},
                                                     {.sm_count = SMS, .groups = GROUPS},
                                                     {.sm_count = 108, .groups = 7},
                                                     {.sm_count = 40, .groups = 6, .first = 2},
                                                     {.sm_count = 15, .groups = 5},
                                                     {.sm_count = 3, .groups = 8, .first = 8},
                                                     {.sm_count = 16},
                                                     {.sm_count = 1, .groups = 1}};
    (void)state;
    for (size_t d = 0; d < SW_COUNT_OF(devices); d++)
        for (uint32_t per_sm = 1; per_sm <= 8; per_sm += 1 + per_sm / 3)
            for (uint32_t count = 1; count <= devices[d].sm_count * per_sm + 5; count += 1 + count / 40) {
                struct event_residency on = devices[d];
                on.blocks_per_sm = per_sm;
                expect_each_once(&on, count);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(groups_take_turns),
                                       cmocka_unit_test(the_rest_is_spread),
                                       cmocka_unit_test(cta_slots_are_given_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
