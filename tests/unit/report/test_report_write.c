/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as ncu writes them; tables as text, CSV and JSON. */
#include "report/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void numbers(void **state)
{
    (void)state;
    static const struct {
        struct report_value value;
        const char *text;
    } CASES[] = {
        {{REPORT_INTEGER, {.integer = 0}}, "0"},
        {{REPORT_INTEGER, {.integer = 999}}, "999"},
        {{REPORT_INTEGER, {.integer = 1000}}, "1,000"},
        {{REPORT_INTEGER, {.integer = 150109880320}}, "150,109,880,320"},
        {{REPORT_REAL, {.real = 0.969}}, "0.97"},
        {{REPORT_REAL, {.real = 100}}, "100"},
        {{REPORT_REAL, {.real = 12.5}}, "12.5"},
        {{REPORT_REAL, {.real = 1502859.64}}, "1,502,859.64"},
        {{REPORT_REAL, {.real = 0.001}}, "0"},
        {{REPORT_REAL, {.real = -1234.5}}, "-1,234.5"},
        {{REPORT_NONE, {.integer = 0}}, ""},
    };
    struct str out = {0};
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        str_clear(&out);
        report_number(CASES[i].value, &out);
        assert_string_equal(str_text(&out), CASES[i].text);
    }
    str_release(&out);
}

static void wrapped_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text, *lines;
        uint32_t indent, most;
    } CASES[] = {
        {"one two three", "one two\n three\n", 1, 9},
        {"", "\n", 4, 10},
        {"unbroken_and_long x", "unbroken_and_long\n  x\n", 2, 8},
        {"a  b ", "a  b\n", 0, 20},
        /* ten columns hold five; a comma does not begin a line, a bracket does not end one */
        {"全局内存访问", "全局内存访\n问\n", 0, 10},
        {"全局内存访，问", "全局内存\n访，问\n", 0, 10},
        {"全局内存（访问", "全局内存\n（访问\n", 0, 10},
        {"第 12 行 warp 访问", "第 12 行\nwarp 访问\n", 0, 10},
        {"\xff\xe5\x85", "\xff\xe5\x85\n", 0, 10}, /* not UTF-8 */
    };
    struct str out = {0};
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        str_clear(&out);
        report_wrap(CASES[i].text, CASES[i].indent, CASES[i].most, &out);
        assert_string_equal(str_text(&out), CASES[i].lines);
    }
    str_release(&out);
    assert_int_equal(report_width("全局 x"), 6);
    assert_int_equal(report_width("“a”"), 3);
}

static void fill(struct report_table *table)
{
    report_column(table, "name", "");
    report_column(table, "bytes", "byte");
    report_column(table, "unknown", "");
    report_cell(table, report_text("a \"b\"\\"));
    report_cell(table, report_integer(1234));
    report_cell(table, report_none());
    report_cell(table, report_text("c"));
    report_cell(table, report_real(0.5));
    report_cell(table, report_none());
}

static void tables(void **state)
{
    (void)state;
    struct report_table table = {.title = "title"};
    struct str out = {0};
    fill(&table);
    report_table_text(&table, &out);
    assert_string_equal(str_text(&out), "  title\n"
                                        "  name    bytes [byte]\n"
                                        "  --------------------\n"
                                        "  a \"b\"\\         1,234\n"
                                        "  c                0.5\n");
    str_clear(&out);
    report_table_csv(&table, true, &out);
    assert_string_equal(str_text(&out), "\"name\",\"bytes\",\"unknown\"\n\"\",\"byte\",\"\"\n"
                                        "\"a \"\"b\"\"\\\",\"1,234\",\"\"\n\"c\",\"0.5\",\"\"\n");
    str_clear(&out);
    report_table_json(&table, &out);
    assert_string_equal(str_text(&out), "[\n  {\"name\": \"a \\\"b\\\"\\\\\", \"bytes\": 1234},\n"
                                        "  {\"name\": \"c\", \"bytes\": 0.5}\n]\n");
    str_release(&out);
    report_table_release(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(wrapped_lines),
        cmocka_unit_test(tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
