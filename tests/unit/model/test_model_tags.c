/* SPDX-License-Identifier: Apache-2.0 */
/* Tags of one set against a list of its lines in the order of their last use, step by step, for as few and as
 * many ways as there can be; and that a cleared set is empty. */
#include "model/cache/model_tags.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_WAYS = 255, STEPS = 20000 };
struct list { /* the oldest first */
    uint64_t lines[MOST_WAYS];
    uint32_t count, ways;
};

static uint32_t place_in(const struct list *list, uint64_t line)
{
    uint32_t i = 0;
    while (i < list->count && list->lines[i] != line)
        i++;
    return i;
}

static void take_out(struct list *list, uint32_t at)
{
    memmove(list->lines + at, list->lines + at + 1, (--list->count - at) * sizeof *list->lines);
}

static void put_in(struct list *list, uint32_t at, uint64_t line)
{
    memmove(list->lines + at + 1, list->lines + at, (list->count++ - at) * sizeof *list->lines);
    list->lines[at] = line;
}

/* A miss: the line replaces the oldest one, and becomes the newest or the oldest. */
static void miss(struct model_tags *tags, struct list *list, uint64_t line, bool oldest)
{
    struct model_tag_ref at = model_tags_victim(tags, 0);
    uint64_t goes = list->count == list->ways ? list->lines[0] : 0;
    assert_int_equal(at.set->keys[at.way], (uint32_t)goes);
    model_tags_take(tags, at, line);
    assert_int_equal(*model_valid(tags, at), 0);
    *model_valid(tags, at) = (uint8_t)(line & MODEL_ALL_SECTORS);
    if (goes) take_out(list, 0);
    if (oldest) model_tags_make_oldest(tags, at);
    put_in(list, oldest ? 0 : list->count, line);
}

static void check_order(struct model_tags *tags, const struct list *list)
{
    struct model_set *set = model_tags_set(tags, 0);
    uint8_t order[MOST_WAYS];
    uint32_t empty = list->ways - list->count;
    model_tags_order(tags, set, order);
    for (uint32_t i = 0; i < list->ways; i++)
        assert_int_equal(set->keys[order[i]], i < empty ? 0 : (uint32_t)list->lines[i - empty]);
}

static void follow(uint32_t ways, bool holds_stores)
{
    struct model_tags tags;
    struct list list = {.ways = ways};
    model_tags_init(&tags, 1, ways, 1, holds_stores);
    for (uint32_t step = 1; step <= STEPS; step++) {
        uint64_t random = model_mix(step), line = 1 + random % (ways + ways / 4 + 1);
        struct model_tag_ref at = model_tags_find(&tags, line, 0);
        uint32_t known = place_in(&list, line);
        assert_int_equal(at.set != NULL, known < list.count);
        if (at.set) {
            assert_int_equal(*model_valid(&tags, at), line & MODEL_ALL_SECTORS);
            take_out(&list, known);
            put_in(&list, list.count, line);
        } else {
            miss(&tags, &list, line, random >> 32 & 1);
        }
        if (step % 64 == 0 || step < 64) check_order(&tags, &list);
    }
    model_tags_clear(&tags);
    for (uint64_t line = 1; line <= ways; line++)
        assert_null(model_tags_find(&tags, line, 0).set);
    model_tags_release(&tags);
}

static void the_oldest_line_goes_first(void **state)
{
    static const uint32_t WAYS[] = {1, 2, 3, 8, 15, 16, 17, 28, 32, 64, 100, MOST_WAYS};
    (void)state;
    for (size_t i = 0; i < SW_COUNT_OF(WAYS); i++) {
        follow(WAYS[i], false);
        follow(WAYS[i], true);
    }
}

/* The victim is one of the three oldest lines, and each of them at some time. */
static void one_of_the_oldest_goes(void **state)
{
    enum { WAYS = 20, VICTIMS = 3, TIMES = 300 };
    struct model_tags tags;
    uint32_t went[WAYS] = {0};
    (void)state;
    model_tags_init(&tags, 1, WAYS, VICTIMS, false);
    for (uint64_t line = 1; line <= WAYS; line++) {
        assert_null(model_tags_find(&tags, line, 0).set);
        model_tags_take(&tags, model_tags_victim(&tags, 0), line);
    }
    for (int i = 0; i < TIMES; i++)
        went[model_tags_victim(&tags, 0).way]++;
    for (uint32_t way = 0; way < WAYS; way++)
        assert_true(way < VICTIMS ? went[way] > TIMES / VICTIMS / 2 : went[way] == 0);
    model_tags_release(&tags);
}

/* A store to one way does not change the fields of other ways. */
static void fields_do_not_overlap(void **state)
{
    enum { WAYS = 23 };
    struct model_tags tags;
    (void)state;
    model_tags_init(&tags, 2, WAYS, 1, true);
    for (uint32_t set = 0; set < 2; set++)
        for (uint64_t line = 1; line <= WAYS; line++) {
            assert_null(model_tags_find(&tags, line, set).set);
            struct model_tag_ref at = model_tags_victim(&tags, set);
            model_tags_take(&tags, at, line);
            *model_valid(&tags, at) = (uint8_t)line;
            *model_dirty(&tags, at) = (uint8_t)(line & MODEL_ALL_SECTORS);
            *model_partial(&tags, at) = (uint8_t)(line + 2);
            *model_words(&tags, at) = (uint16_t)(0x100 * line + set);
        }
    for (uint32_t set = 0; set < 2; set++)
        for (uint64_t line = 1; line <= WAYS; line++) {
            struct model_tag_ref at = model_tags_find(&tags, line, set);
            assert_non_null(at.set);
            assert_int_equal(*model_valid(&tags, at), line);
            assert_int_equal(*model_dirty(&tags, at), line & MODEL_ALL_SECTORS);
            assert_int_equal(*model_partial(&tags, at), line + 2);
            assert_int_equal(*model_words(&tags, at), 0x100 * line + set);
        }
    uint32_t clean = WAYS / (MODEL_ALL_SECTORS + 1); /* lines of which the low bits of the number are 0 */
    assert_int_equal(model_tags_dirty_lines(&tags, model_tags_set(&tags, 1)), WAYS - clean);
    uint64_t dirty = 0;
    for (uint32_t line = 1; line <= WAYS; line++)
        dirty += 2 * model_sectors(line);
    assert_int_equal(model_tags_dirty_sectors(&tags), dirty);
    model_tags_release(&tags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oldest_line_goes_first),
        cmocka_unit_test(one_of_the_oldest_goes),
        cmocka_unit_test(fields_do_not_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
