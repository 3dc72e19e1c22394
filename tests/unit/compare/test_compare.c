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
                 {"{\"schema\": ", "is not JSON, or was cut off"},
                 {"{\"schema\": \"softwarp-profile/1\"}", "has no array 'launches'"},
                 {"{\"schema\": \"softwarp-profile/1\", \"launches\": [{}]}", "name the kernel of launch 0"},
                 {"\"ID\",\"Kernel Name\",\"a__b\"\n\"0\",\"f\",\"1\"\n\"1\",\"f\"", "was cut off"},
                 {"\"ID\",\"Kernel Name\",\"a__b\"\n\"0\",\"f\",\"1", "was cut off"},
                 {"ID,Kernel Name,a__b\n0,f,1\n1,f\n", "was cut off"},
                 {"a,b\n1,2\n", "is neither a report"}};
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

static void reports_of_no_kernel_are_read(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {"", "\n", "{\"schema\": \"softwarp-profile/1\", \"launches\": []}",
                                        "\"ID\",\"Kernel Name\"\n",
                                        "==PROF== Connected\n==WARNING== No kernels were profiled.\n"};
    for (size_t i = 0; i < SW_COUNT_OF(TEXTS); i++) {
        struct compare_report r;
        assert_int_equal(read_text(TEXTS[i], &r, NULL), SW_OK);
        assert_int_equal(r.kernels.count, 0);
        compare_report_release(&r);
    }
}

/* What went wrong, as each kind of file says it. */
static void failures_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t failed, failures;
    } CASES[] = {
        {"{\"schema\": \"softwarp-profile/1\", \"launches\": [{\"kernel\": \"f\", \"status\": \"bad\"}, "
         "{\"kernel\": "
         "\"f\", \"status\": \"ok\"}], \"exit_status\": 1, \"processes\": [{\"process\": \"p\", "
         "\"finished\": false}, "
         "{\"process\": \"q\", \"finished\": true}]}",
         1, 2},
        {"{\"schema\": \"softwarp-profile/1\", \"launches\": [{\"kernel\": \"f\"}, {\"kernel\": \"f\"}], "
         "\"exit_status\": 0}",
         0, 0},
        {"\"ID\",\"Kernel "
         "Name\",\"launch__status\"\n\"\",\"\",\"\"\n\"0\",\"f\",\"bad\"\n\"1\",\"f\",\"ok\"\n",
         1, 0},
        {"\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Value\"\n\"0\",\"f\",\"Launch Status\",\"bad\"\n"
         "\"1\",\"f\",\"Threads\",\"32\"\n",
         1, 0},
        {"\"Kernel Name\",\"Invocations\",\"Metric Name\",\"Average\"\n\"f\",\"2\",\"Threads\",\"32\"\n"
         "\"f\",\"2\",\"Failed Launches\",\"1\"\n",
         1, 0},
        {"\"ID\",\"Kernel Name\"\n\"0\",\"f\"\n\"1\",\"f\"\n==ERROR== The application returned an error code "
         "(1).\n",
         0, 1},
    };
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        struct compare_report r;
        assert_int_equal(read_text(CASES[i].text, &r, NULL), SW_OK);
        assert_int_equal(r.kernels.count, 1);
        assert_int_equal(r.kernels.at[0]->launches, 2);
        assert_int_equal(r.kernels.at[0]->failed, CASES[i].failed);
        assert_int_equal(r.failures.count, CASES[i].failures);
        compare_report_release(&r);
    }
}

/* ncu's page of launches taken together: each row is about as many as it says. */
static void launches_taken_together_count(void **state)
{
    (void)state;
    struct compare_report r;
    assert_int_equal(
        read_text("\"Kernel Name\",\"Grid Size\",\"Invocations\",\"Metric Name\",\"Average\"\n"
                  "\"f\",\"1\",\"3\",\"a__b.sum\",\"10\"\n\"f\",\"1\",\"3\",\"a__c.pct\",\"50\"\n"
                  "\"f\",\"2\",\"1\",\"a__b.sum\",\"5\"\n\"f\",\"2\",\"1\",\"a__c.pct\",\"90\"\n",
                  &r, NULL),
        SW_OK);
    assert_int_equal(r.kernels.at[0]->launches, 4);
    assert_true(value_of(&r, "f", "a__b.sum") == 35);
    assert_true(value_of(&r, "f", "a__c.pct") == 60);
    compare_report_release(&r);
}

static void what_is_no_number_is_no_value(void **state)
{
    (void)state;
    static const char *const VALUES[] = {"nan", "inf", "", "n/a"};
    for (size_t i = 0; i < SW_COUNT_OF(VALUES); i++) {
        struct compare_report r;
        char text[128];
        snprintf(text, sizeof text, "\"ID\",\"Kernel Name\",\"a__b.sum\"\n\"0\",\"f\",\"%s\"\n", VALUES[i]);
        assert_int_equal(read_text(text, &r, NULL), SW_OK);
        assert_true(isnan(value_of(&r, "f", "a__b.sum")));
        compare_report_release(&r);
    }
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
    assert_true(holds("m>1.05x", 0, 1));  /* from nothing to something */
    assert_false(holds("m>1.05x", 0, 0)); /* as it was */
    assert_false(holds("m<0.95x", 0, 1));
    assert_true(holds("m<0.95x", 0, -1)); /* less than nothing */
    assert_false(holds("m>1.05x", 0, -1));
    assert_true(holds("m<0.95x", 1, 0));
    assert_true(holds("m>5%", 0, 1));
    assert_false(holds("m>5%", 0, 0));
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

/* A report of launches, each the JSON of one. */
static void make(struct compare_report *out, const char *const *kernels, size_t count)
{
    struct str text = {0};
    str_add(&text, "{\"schema\": \"softwarp-profile/1\", \"launches\": [");
    for (size_t i = 0; i < count; i++)
        str_printf(&text, "%s%s", i ? "," : "", kernels[i]);
    str_add(&text, "]}");
    assert_int_equal(read_text(str_text(&text), out, NULL), SW_OK);
    str_release(&text);
}

#define F(value)      "{\"kernel\": \"f\", \"status\": \"ok\", \"metrics\": {\"m.sum\": {\"value\": " #value "}}}"
#define G(value)      "{\"kernel\": \"g\", \"status\": \"ok\", \"metrics\": {\"m.sum\": {\"value\": " #value "}}}"
#define F_BAD         "{\"kernel\": \"f\", \"status\": \"bad\", \"metrics\": {\"m.sum\": {\"value\": 1}}}"
#define F_WITHOUT     "{\"kernel\": \"f\", \"status\": \"ok\", \"metrics\": {}}"
#define LAUNCHES(...) {__VA_ARGS__}

/* Each fails by itself, is named, and passes when it is allowed; it never fails where there is no gate. */
static void what_is_missing_fails_unless_allowed(void **state)
{
    (void)state;
    static const struct {
        const char *base[3], *now[3];
        enum compare_problem_kind kind;
    } CASES[] = {
        {LAUNCHES(F(1), G(1)), LAUNCHES(F(1)), COMPARE_MISSING_KERNELS},
        {LAUNCHES(F(1)), LAUNCHES(G(1)), COMPARE_MISSING_KERNELS},
        {LAUNCHES(F(1), F(1)), LAUNCHES(F(1)), COMPARE_FEWER_LAUNCHES},
        {LAUNCHES(F(1)), LAUNCHES(F_BAD), COMPARE_FAILED_LAUNCHES},
        {LAUNCHES(F_BAD), LAUNCHES(F(1)), COMPARE_FAILED_LAUNCHES},
        {LAUNCHES(F(1)), LAUNCHES(F_WITHOUT), COMPARE_MISSING_METRICS},
        {LAUNCHES(F_WITHOUT), LAUNCHES(F(1)), COMPARE_MISSING_METRICS},
        {LAUNCHES(F_WITHOUT), LAUNCHES(F_WITHOUT), COMPARE_MISSING_METRICS},
        {LAUNCHES(F(1), F(1)), LAUNCHES(F(1), F_WITHOUT), COMPARE_MISSING_METRICS},
        {LAUNCHES(F(1)), LAUNCHES(NULL), COMPARE_EMPTY_REPORTS},
        {LAUNCHES(NULL), LAUNCHES(F(1)), COMPARE_EMPTY_REPORTS},
    };
    struct compare_gate gate = {"m.sum>1.05x", "m.sum", COMPARE_MORE, COMPARE_RATIO, 1.05, false};
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        struct compare_report base, now;
        size_t bases = 0, nows = 0;
        while (bases < 3 && CASES[i].base[bases])
            bases++;
        while (nows < 3 && CASES[i].now[nows])
            nows++;
        make(&base, CASES[i].base, bases);
        make(&now, CASES[i].now, nows);
        for (int way = 0; way < 3; way++) { /* by default, allowed, and without a gate */
            struct compare_question q = {.reports = {&base, &now},
                                         .paths = {"b", "n"},
                                         .gates = &gate,
                                         .gate_count = way < 2,
                                         .allowed = way == 1 ? 1u << CASES[i].kind : 0,
                                         .find = compare_find_exact};
            struct compare_judgement j;
            compare_judge(&q, &j);
            assert_int_equal(j.failed, way == 0);
            assert_int_equal(j.failed_gates, 0);
            if (way < 2) assert_int_equal(j.problems.count, 1);
            if (way < 2) assert_int_equal(j.problems.at[0].kind, CASES[i].kind);
            compare_judgement_release(&j);
        }
        compare_report_release(&base);
        compare_report_release(&now);
    }
}

static bool all_wanted(void *user, const char *metric)
{
    (void)user;
    (void)metric;
    return true;
}

static void rows_come_by_weight(void **state)
{
    (void)state;
    static const char *const
        BASE[] = {"{\"kernel\": \"f\", \"metrics\": {\"same.sum\": {\"value\": 7}, \"some.sum\": "
                  "{\"value\": 100}, \"gate.sum\": {\"value\": 100}, \"less.sum\": {\"value\": 80}, "
                  "\"from.sum\": {\"value\": 0}}}"},
        *const NOW[] = {"{\"kernel\": \"f\", \"metrics\": {\"same.sum\": {\"value\": 7}, \"some.sum\": "
                        "{\"value\": 150}, \"gate.sum\": {\"value\": 101}, \"less.sum\": {\"value\": 20}, "
                        "\"from.sum\": {\"value\": 1}}}"},
        *const ORDER[] = {"gate.sum", "from.sum", "less.sum", "some.sum", "launches", "same.sum"};
    struct compare_gate gate = {"gate.sum>100", "gate.sum", COMPARE_MORE, COMPARE_ABSOLUTE, 100, false};
    struct compare_report base, now;
    make(&base, BASE, 1);
    make(&now, NOW, 1);
    struct compare_question q = {
        .reports = {&base, &now}, .gates = &gate, .gate_count = 1, .find = compare_find_exact};
    struct compare_judgement j;
    struct compare_rows rows;
    struct str verdict = {0};
    compare_judge(&q, &j);
    compare_rows_make(&j, all_wanted, NULL, &rows);
    assert_int_equal(rows.list.count, SW_COUNT_OF(ORDER));
    for (size_t i = 0; i < SW_COUNT_OF(ORDER); i++)
        assert_string_equal(rows.list.at[i].metric, ORDER[i]);
    assert_int_equal(rows.differing, 4);
    compare_verdict(&j, rows.differing, &verdict);
    assert_string_equal(str_text(&verdict), "FAIL: gates failed: 1 of 1");
    str_release(&verdict);
    vec_release(&rows.list);
    compare_judgement_release(&j);
    compare_report_release(&base);
    compare_report_release(&now);
}

static void names_are_read_and_the_nearest_is_offered(void **state)
{
    (void)state;
    struct sw_error error = {0};
    uint32_t allowed = 0;
    assert_int_equal(compare_allow_parse("missing-kernels,failed-launches", &allowed, &error), SW_OK);
    assert_int_equal(allowed, 1u << COMPARE_MISSING_KERNELS | 1u << COMPARE_FAILED_LAUNCHES);
    for (int k = 0; k < COMPARE_PROBLEM_COUNT; k++) {
        assert_int_equal(
            compare_allow_parse(compare_problem_name((enum compare_problem_kind)k), &allowed, &error), SW_OK);
        assert_int_equal(allowed, 1u << k);
    }
    static const char *const BAD[] = {"", "missing-kernels,", ",", "all", "missing-kernels, failed-launches"};
    for (size_t i = 0; i < SW_COUNT_OF(BAD); i++)
        assert_int_equal(compare_allow_parse(BAD[i], &allowed, &error), SW_USAGE);
    assert_int_equal(compare_allow_parse("missing-kernel", &allowed, &error), SW_USAGE);
    assert_non_null(strstr(error.message, "did you mean 'missing-kernels'?"));
    struct compare_nearest nearest = {.name = "gld_transactons"};
    compare_nearest_offer(&nearest, "gst_transactions");
    compare_nearest_offer(&nearest, "gld_transactions");
    compare_nearest_offer(&nearest, "gld_efficiency");
    assert_string_equal(nearest.best, "gld_transactions");
    nearest = (struct compare_nearest){.name = "abc"};
    compare_nearest_offer(&nearest, "xyz");
    assert_null(nearest.best);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_is_read),
        cmocka_unit_test(ncus_raw_page_is_read),
        cmocka_unit_test(the_page_of_metrics_is_read),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(gates_are_read_and_hold),
        cmocka_unit_test(reports_of_no_kernel_are_read),
        cmocka_unit_test(failures_are_read),
        cmocka_unit_test(launches_taken_together_count),
        cmocka_unit_test(what_is_no_number_is_no_value),
        cmocka_unit_test(what_is_missing_fails_unless_allowed),
        cmocka_unit_test(rows_come_by_weight),
        cmocka_unit_test(names_are_read_and_the_nearest_is_offered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
