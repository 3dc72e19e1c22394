/* SPDX-License-Identifier: Apache-2.0 */
/* Reports read from each kind of file, matched, and gates. */
#include "compare/compare.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char path[64];

static enum sw_status read_text(const char *text, struct compare_report *out, struct sw_error *error)
{
    strcpy(path, "/tmp/compare-test-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    enum sw_status status = compare_read(path, out, error);
    unlink(path);
    return status;
}

static double value_of(const struct compare_report *report, const char *kernel, const char *metric)
{
    const struct compare_kernel *k = map_get(&report->by_name, kernel);
    const struct compare_metric *m = k ? map_get(&k->by_name, metric) : NULL;
    return m ? compare_value(m) : NAN;
}

static const char JSON[] = "{\"schema\": \"softwarp-profile/1\", \"launches\": ["
                           "{\"kernel\": \"void f<int>(int *)\", \"metrics\": {\"a__b.sum\": {\"value\": "
                           "10}, \"a__c.pct\": {\"value\": 50}}},"
                           "{\"kernel\": \"void f<int>(int *)\", \"metrics\": {\"a__b.sum\": {\"value\": "
                           "32}, \"a__c.pct\": {\"value\": 100}}},"
                           "{\"kernel\": \"g(float)\", \"metrics\": {}}]}";
static const char RAW[] =
    "program says hello\n==PROF== Connected\n"
    "\"ID\",\"Kernel Name\",\"Context\",\"device__attribute_x\",\"a__b.sum\",\"t__d.sum\"\n"
    "\"\",\"\",\"\",\"\",\"Kbyte\",\"us\"\n"
    "\"0\",\"f<int>(int *)\",\"1\",\"7\",\"1,234.5\",\"2\"\n"
    "\"1\",\"f<int>(int *)\",\"1\",\"7\",\"\",\"3\"\n";
static const char DETAILS[] =
    "\"ID\",\"Kernel Name\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
    "\"0\",\"f(\"\"x\"\", int)\",\"S\",\"a__b.sum\",\"\",\"5\"\n\"0\",\"f(\"\"x\"\", "
    "int)\",\"S\",\"a__c.pct\",\"%\",\"40\"\n"
    "\"1\",\"f(\"\"x\"\", int)\",\"S\",\"a__b.sum\",\"\",\"6\"\n\"1\",\"f(\"\"x\"\", "
    "int)\",\"S\",\"a__c.pct\",\"%\",\"60\"\n";

static void json_is_read(void **state)
{
    (void)state;
    struct compare_report r;
    assert_int_equal(read_text(JSON, &r, NULL), SW_OK);
    assert_int_equal(r.kernels.count, 2);
    assert_string_equal(r.kernels.at[0]->name, "f<int>");
    assert_int_equal(r.kernels.at[0]->launches, 2);
    assert_true(value_of(&r, "f<int>", "a__b.sum") == 42); /* a counter: all launches together */
    assert_true(value_of(&r, "f<int>", "a__c.pct") == 75); /* a ratio: their mean */
    compare_report_release(&r);
}

static void ncus_raw_page_is_read(void **state)
{
    (void)state;
    struct compare_report r;
    assert_int_equal(read_text(RAW, &r, NULL), SW_OK);
    assert_int_equal(r.kernels.count, 1);
    assert_int_equal(r.kernels.at[0]->launches, 2);
    assert_true(value_of(&r, "f<int>", "a__b.sum") ==
                1234500); /* thousands separated, in kilobytes; one unknown */
    assert_true(value_of(&r, "f<int>", "t__d.sum") == 5000); /* in base units: nanoseconds */
    assert_true(isnan(value_of(&r, "f<int>", "device__attribute_x")));
    assert_true(isnan(value_of(&r, "f<int>", "Context")));
    compare_report_release(&r);
}

static void the_page_of_metrics_is_read(void **state)
{
    (void)state;
    struct compare_report r;
    assert_int_equal(read_text(DETAILS, &r, NULL), SW_OK);
    assert_int_equal(r.kernels.at[0]->launches, 2);
    assert_true(value_of(&r, "f", "a__b.sum") == 11);
    assert_true(value_of(&r, "f", "a__c.pct") == 50);
    compare_report_release(&r);
}

static void others_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } CASES[] = {{"{\"schema\": \"other/1\"}", "its schema is 'other/1'"},
                 {"{\"schema\": ", "is not JSON"},
                 {"a,b\n1,2\n", "is neither a report"},
                 {"", "is neither a report"},
                 {"{\"schema\": \"softwarp-profile/1\", \"launches\": []}", "has no launch"},
                 {"\"ID\",\"Kernel Name\"\n", "has no launch"}};
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        struct compare_report r;
        struct sw_error error;
        assert_int_equal(read_text(CASES[i].text, &r, &error), SW_INVALID_VALUE);
        if (!strstr(error.message, CASES[i].why))
            fail_msg("'%s' does not say '%s'", error.message, CASES[i].why);
        compare_report_release(&r);
    }
    struct compare_report r;
    assert_int_equal(compare_read("/nonexistent/report", &r, NULL), SW_FILE_NOT_FOUND);
    compare_report_release(&r);
}

static bool holds(const char *text, double base, double now)
{
    struct arena arena;
    struct compare_gate *gates;
    uint32_t count;
    arena_init(&arena);
    assert_int_equal(compare_gates_parse(text, &arena, &gates, &count, NULL), SW_OK);
    bool result = compare_gate_holds(&gates[count - 1], base, now);
    arena_release(&arena);
    return result;
}

static void gates_are_read_and_hold(void **state)
{
    (void)state;
    assert_true(holds("m>1.05x", 100, 106));
    assert_false(holds("m>1.05x", 100, 105));
    assert_true(holds("m >= 1.05x", 100, 105));
    assert_true(holds("m>5%", 100, 105.1));
    assert_false(holds("m>5%", 100, 105));
    assert_true(holds("m<-5%", 100, 94));
    assert_true(holds("m>1000", 1, 1001));
    assert_true(holds("m<=0.5", 1, 0.5));
    assert_true(holds("m>1.05x", 0, 1)); /* from nothing to something */
    assert_false(holds("m>1.05x", 0, 0));
    assert_true(holds("other>1, m<90", 0, 80));
    static const char *const BAD[] = {"",       "m",        "m>",  ">3",       "m>x",
                                      "m>1.0y", "m>1.05xx", "m=3", "a>1,,b>2", "m>nan"};
    for (size_t i = 0; i < SW_COUNT_OF(BAD); i++) {
        struct arena arena;
        struct compare_gate *gates;
        uint32_t count;
        arena_init(&arena);
        assert_int_equal(compare_gates_parse(BAD[i], &arena, &gates, &count, NULL), SW_USAGE);
        arena_release(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_is_read),
        cmocka_unit_test(ncus_raw_page_is_read),
        cmocka_unit_test(the_page_of_metrics_is_read),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(gates_are_read_and_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
