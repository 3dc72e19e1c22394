/* SPDX-License-Identifier: Apache-2.0 */
/* Filters of launches by ranges of NVTX: each form of ncu's expressions, and what is refused. */
#include "session_nvtx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Sets of open ranges: pushed ones "domain@text", the outermost first, then started ones after a '+'. */
enum { RANGES_MOST = 8 };

static struct event_nvtx set_of(const char *const *names, struct event_nvtx_range *ranges, char texts[][32])
{
    uint32_t count = 0;
    for (; names[count]; count++) {
        const char *name = names[count] + (names[count][0] == '+'), *at = strchr(name, '@');
        snprintf(texts[count], sizeof texts[count], "%.*s", at ? (int)(at - name) : 0, name);
        ranges[count] = (struct event_nvtx_range){
            .domain = texts[count], .text = at ? at + 1 : name, .started = names[count][0] == '+'};
    }
    return (struct event_nvtx){.id = 1, .thread = 1, .count = count, .ranges = ranges};
}

static bool chooses(const char *expression, const char *const *names)
{
    struct arena arena;
    struct session_nvtx_filter *filter;
    struct sw_error error = {0};
    struct event_nvtx_range ranges[RANGES_MOST];
    char texts[RANGES_MOST][32];
    arena_init(&arena);
    enum sw_status status = session_nvtx_parse(expression, &arena, &filter, &error);
    if (status != SW_OK) fail_msg("%s: %s", expression, error.message);
    struct event_nvtx set = set_of(names, ranges, texts);
    bool matches = session_nvtx_matches(filter, &set);
    session_nvtx_release(filter);
    arena_release(&arena);
    return matches;
}

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})

static const struct {
    const char *expression;
    const char *const *names;
    bool chosen;
} CASES[] = {
    /* one pushed range, anywhere in the stack */
    {"A/", SET("A"), true},
    {"A/", SET("X", "A", "Y"), true},
    {"A/", SET("X"), false},
    {"A/", SET("+A"), false},
    {"A/", SET("AB"), false},
    {"A range/", SET("A range"), true},
    /* in a row */
    {"A/B", SET("A", "B"), true},
    {"A/B", SET("X", "A", "B", "Y"), true},
    {"A/B/", SET("X", "A", "B", "Y"), true},
    {"A/B", SET("B", "A"), false},
    {"A/B", SET("A", "X", "B"), false},
    {"A/B/C", SET("A", "B", "A", "B", "C"), true},
    /* with others between them */
    {"A/+/B", SET("A", "X", "B"), true},
    {"A/+/B", SET("A", "B"), false},
    {"A/+/B", SET("A", "X", "Y", "B"), false},
    {"A/+/+/B", SET("A", "X", "Y", "B"), true},
    {"A/*/B", SET("A", "B"), true},
    {"A/*/B", SET("A", "X", "Y", "B"), true},
    {"A/*/B", SET("B", "X", "A"), false},
    {"A/*/B/+/C", SET("A", "B", "X", "B", "Y", "C"), true},
    /* at an end of the stack */
    {"[A", SET("A", "X"), true},
    {"[A", SET("X", "A"), false},
    {"[A/", SET("A"), true},
    {"[A/+/Z", SET("A", "X", "Z", "Y"), true},
    {"[A/+/Z", SET("Y", "A", "X", "Z"), false},
    {"A]", SET("X", "A"), true},
    {"A]", SET("A", "X"), false},
    {"A/*/Z]", SET("A", "Z", "X", "Z"), true},
    {"A/*/Z]", SET("A", "Z", "X"), false},
    {"[A]", SET("A"), true},
    {"[A]", SET("A", "A"), false},
    /* of a domain, whose stack is its own */
    {"D@A/", SET("D@A"), true},
    {"D@A/", SET("A"), false},
    {"A/", SET("D@A"), false},
    {"D@A/B", SET("D@A", "X", "D@B"), true},
    {"D@[A", SET("X", "D@A"), true},
    {"A]", SET("A", "D@X"), true},
    {"my domain@A/", SET("my domain@A"), true},
    /* started ones: all must be open */
    {"A", SET("+A"), true},
    {"A", SET("A"), false},
    {"A,B", SET("+B", "+X", "+A"), true},
    {"A,B", SET("+A"), false},
    {"D@A,B", SET("+D@A", "+D@B"), true},
    {"D@A,B", SET("+D@A", "+B"), false},
    {"A", SET("B", "+A"), true},
    /* signs in names */
    {"A\\[i\\]", SET("+A[i]"), true},
    {"A\\/B/", SET("A/B"), true},
    {"A\\/B/", SET("A", "B"), false},
    {"A\\,B", SET("+A,B"), true},
    {"D\\@E@A/", SET("D@E@A"), false}, /* domain "D@E": of this test "D" and "E@A" */
    {"A\\\\B/", SET("A\\B"), true},
    {"A\\]", SET("+A]"), true},
    {"A\\\\]", SET("A\\"), true},
    {"\\*/", SET("*"), true},
    {"A/\\+", SET("A", "+"), false}, /* "+": a range without a name that was started */
    /* regular expressions, which match any part */
    {"regex:Range[0-9]/", SET("Range7"), true},
    {"regex:Range[0-9]/", SET("RangeX"), false},
    {"regex:^A$/", SET("AB"), false},
    {"regex:A/", SET("xAx"), true},
    {"regex:Domain[A-Z]@Range[0-9]/", SET("DomainB@Range1"), true},
    {"regex:Domain[A-Z]@Range[0-9]/", SET("Domain1@Range1"), false},
    {"regex:[0-9]domainA@/[0-9]rangeA,RangeC[0-9/]", SET("+1domainA@2rangeA", "+1domainA@RangeC3"), true},
    {"regex:[0-9]domainA@/[0-9]rangeA,RangeC[0-9/]", SET("+1domainA@2rangeA", "+2domainA@RangeC3"), false},
    {"regex:a.*:iter]", SET("abc:iter"), true},
    {"regex:a.*:iter]", SET("abc:iter", "X"), false},
    {"regex:^A/*/^B", SET("A1", "X", "B1"), true},
    {"regex:(A|B)/", SET("B"), true},
    {"regex:A\\/B/", SET("A/B"), true},
    {"regex:a\\.b/", SET("axb"), false},
    {"regex:a{1\\,2}b/", SET("aab"), true},
    {"regex:D@A/B", SET("D1@A", "D2@B"), false}, /* each domain has its own stack */
};

static void test_expressions_choose(void **state)
{
    (void)state;
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++)
        if (chooses(CASES[i].expression, CASES[i].names) != CASES[i].chosen)
            fail_msg("%s: not %s (case %zu)", CASES[i].expression, CASES[i].chosen ? "chosen" : "left out",
                     i);
}

static void test_nothing_open_is_not_chosen(void **state)
{
    (void)state;
    struct arena arena;
    struct session_nvtx_filter *filter;
    struct sw_error error = {0};
    arena_init(&arena);
    assert_int_equal(session_nvtx_parse("regex:.*/", &arena, &filter, &error), SW_OK);
    assert_false(session_nvtx_matches(filter, NULL));
    session_nvtx_release(filter);
    arena_release(&arena);
}

static void test_wrong_expressions_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *expression, *message;
    } WRONG[] = {{"", "empty name"},
                 {"/", "empty name"},
                 {"/A", "empty name"},
                 {"A//B", "empty name"},
                 {"A/]", "empty name"},
                 {"@A", "empty name"},
                 {"D@", "empty name"},
                 {"A,,B", "empty name"},
                 {"[]", "empty name"},
                 {"A/*", "between two ranges"},
                 {"+/A", "between two ranges"},
                 {"[*/A", "between two ranges"},
                 {"A*/", "'\\*'"},
                 {"A[0]/", "'\\['"},
                 {"a]b/", "'\\]'"},
                 {"A+", "'\\+'"},
                 {"D@A,E@B", "more than one domain"},
                 {"A/,B", "',' cannot join"},
                 {"A/B,C", "',' cannot join"},
                 {"a\nb", "one line"},
                 {"regex:(/", "not a regular expression"},
                 {"regex:Range[0-9]", "not a regular expression"},
                 {"regex:", "empty name"}};
    for (size_t i = 0; i < SW_COUNT_OF(WRONG); i++) {
        struct sw_error error = {0};
        if (session_nvtx_check(WRONG[i].expression, &error) != SW_USAGE ||
            !strstr(error.message, WRONG[i].message))
            fail_msg("'%s': %s", WRONG[i].expression, error.message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_expressions_choose),
                                       cmocka_unit_test(test_nothing_open_is_not_chosen),
                                       cmocka_unit_test(test_wrong_expressions_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
