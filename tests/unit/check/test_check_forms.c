/* SPDX-License-Identifier: Apache-2.0 */
/* Findings as JSON, SARIF and HTML, read again; suppressions, read, matched and written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "check_findings.h"

#include <jansson.h>
#include <string.h>

typedef void (*write_form)(struct check_report *report, struct str *out);
static const struct check_run RUN = {.exit_status = 7, .complete = true};

static void write_json(struct check_report *report, struct str *out)
{
    check_write_json(report, &RUN, out);
}

static void write_sarif(struct check_report *report, struct str *out)
{
    check_write_sarif(report, &RUN, out);
}

static char *form_of(struct check_options options, const struct event_finding *findings, size_t count,
                     write_form write)
{
    struct str text = {0};
    options.version = "1.2.3";
    struct check_report *report = check_report_new(&options);
    for (size_t i = 0; i < count; i++)
        check_report_add(report, "program", &findings[i]);
    write(report, &text);
    check_report_free(report);
    return str_steal(&text);
}

static json_t *parsed(struct check_options options, const struct event_finding *findings, size_t count,
                      write_form write)
{
    char *text = form_of(options, findings, count, write);
    json_error_t error;
    json_t *json = json_loads(text, 0, &error);
    if (!json) print_error("%s in:\n%s\n", error.text, text);
    assert_non_null(json);
    free(text);
    return json;
}

/* What stands at "runs/0/tool"; fails where there is nothing. */
static json_t *at(json_t *json, const char *path)
{
    char part[64];
    while (*path) {
        size_t length = strcspn(path, "/");
        assert_true(length < sizeof part);
        memcpy(part, path, length);
        part[length] = 0;
        json_t *next =
            json_is_array(json) ? json_array_get(json, (size_t)atoi(part)) : json_object_get(json, part);
        if (!next) print_error("there is no '%s'\n", path);
        assert_non_null(next);
        json = next;
        path += length + (path[length] == '/');
    }
    return json;
}

static void expect_text(json_t *json, const char *path, const char *wanted)
{
    const char *text = json_string_value(at(json, path));
    assert_non_null(text);
    assert_string_equal(text, wanted);
}

static void expect_number(json_t *json, const char *path, json_int_t wanted)
{
    assert_true(json_is_integer(at(json, path)));
    assert_int_equal(json_integer_value(at(json, path)), wanted);
}

static void json_has_both_places(void **state)
{
    (void)state;
    struct event_finding findings[] = {race(), out_of_bounds(8), out_of_bounds(9)};
    json_t *json = parsed((struct check_options){.tools = 5}, findings, 3, write_json);
    expect_text(json, "schema", "softwarp-check/1");
    expect_text(json, "tools/1", "racecheck");
    expect_number(json, "exit_status", 7);
    expect_number(json, "errors", 6);
    assert_int_equal(json_array_size(at(json, "findings")), 2);
    expect_text(json, "findings/0/kind", "race-in-block");
    expect_text(json, "findings/0/space", "__shared__");
    expect_text(json, "findings/0/address", "0x40");
    expect_text(json, "findings/0/place/kernel", "sum");
    expect_text(json, "findings/0/place/frames/0/function", "inner");
    expect_text(json, "findings/0/place/file", source_path);
    expect_number(json, "findings/0/place/line", 4);
    expect_number(json, "findings/0/place/frames/1/line", 5);
    expect_text(json, "findings/0/place/access", "write");
    expect_text(json, "findings/0/place/value", "-1");
    expect_text(json, "findings/0/other/source", "sum += tile[i];");
    expect_number(json, "findings/0/other/thread/0", 40);
    expect_text(json, "findings/0/allocation/variable", "tile");
    expect_number(json, "findings/1/count", 2);
    expect_text(json, "findings/1/threads", "(8..9,0,0)");
    expect_number(json, "findings/1/allocation/distance", 1);
    expect_text(json, "findings/1/allocation/caller", "/src/main.cu:31");
    json_decref(json);
}

static void an_empty_report_is_json(void **state)
{
    (void)state;
    json_t *json = parsed((struct check_options){.tools = 1}, NULL, 0, write_json);
    assert_int_equal(json_array_size(at(json, "findings")), 0);
    json_decref(json);
    json = parsed((struct check_options){.tools = 1}, NULL, 0, write_sarif);
    assert_int_equal(json_array_size(at(json, "runs/0/results")), 0);
    json_decref(json);
}

/* Texts of other encodings and control characters. */
static void json_is_utf8(void **state)
{
    (void)state;
    struct event_finding f = out_of_bounds(8);
    f.message = "caf\xe9 \xc3\xa9 \"\\\x01 \xf0\x9f\x98\x80 \xe5\x85";
    json_t *json = parsed((struct check_options){.tools = 1}, &f, 1, write_json);
    expect_text(json, "findings/0/message",
                "caf\xef\xbf\xbd \xc3\xa9 \"\\\x01 \xf0\x9f\x98\x80 \xef\xbf\xbd\xef\xbf\xbd");
    json_decref(json);
}

/* ---- SARIF: what the schema of 2.1.0 requires, and what code-review sites need */

static void expect_location(json_t *location)
{
    json_t *physical = json_object_get(location, "physicalLocation");
    if (physical) {
        assert_non_null(json_string_value(at(physical, "artifactLocation/uri")));
        assert_true(json_integer_value(at(physical, "region/startLine")) >= 1);
    } else {
        assert_non_null(json_string_value(at(location, "logicalLocations/0/fullyQualifiedName")));
    }
}

static void expect_result(json_t *result, json_t *rules)
{
    static const char *const LEVELS[] = {"none", "note", "warning", "error"};
    bool known = false;
    for (size_t i = 0; i < SW_COUNT_OF(LEVELS); i++)
        known |= strcmp(json_string_value(at(result, "level")), LEVELS[i]) == 0;
    assert_true(known);
    assert_true(strlen(json_string_value(at(result, "message/text"))) > 0);
    json_t *rule = json_array_get(rules, (size_t)json_integer_value(at(result, "ruleIndex")));
    assert_string_equal(json_string_value(at(result, "ruleId")), json_string_value(at(rule, "id")));
    assert_true(json_integer_value(at(result, "occurrenceCount")) >= 1);
    size_t i;
    json_t *location;
    json_array_foreach(at(result, "locations"), i, location) expect_location(location);
    json_array_foreach(at(result, "relatedLocations"), i, location)
    {
        expect_location(location);
        assert_int_equal(json_integer_value(at(location, "id")), i);
        assert_non_null(json_string_value(at(location, "message/text")));
    }
    json_t *prints = at(result, "partialFingerprints");
    assert_int_equal(strlen(json_string_value(json_object_get(prints, "softwarpFinding/v1"))), 16);
}

static void expect_sarif(json_t *json)
{
    expect_text(json, "version", "2.1.0");
    assert_non_null(strstr(json_string_value(at(json, "$schema")), "sarif-2.1.0"));
    json_t *rules = at(json, "runs/0/tool/driver/rules"), *each;
    expect_text(json, "runs/0/tool/driver/name", "Softwarp");
    assert_int_equal(json_array_size(rules), check_rule_count());
    size_t i;
    json_array_foreach(rules, i, each)
    {
        expect_text(each, "id", check_rule_at((uint32_t)i)->id);
        assert_non_null(json_string_value(at(each, "shortDescription/text")));
    }
    assert_true(json_is_boolean(at(json, "runs/0/invocations/0/executionSuccessful")));
    json_array_foreach(at(json, "runs/0/results"), i, each) expect_result(each, rules);
}

static void sarif_has_what_its_schema_requires(void **state)
{
    (void)state;
    struct event_finding findings[] = {
        race(),
        out_of_bounds(8),
        {.kind = EVENT_FINDING_LEAK,
         .base = 1,
         .size = 2,
         .made = "cudaMalloc",
         .where = "dir with space/main.cu:3"},
        {.kind = EVENT_FINDING_CALL, .place = {.call = "cudaMemcpy"}, .message = "error"},
        {.kind = EVENT_FINDING_FAULT, .message = "stack overflow"},
        {.kind = EVENT_FINDING_BARRIER, .place = place_in(&SUM, LINE_PLAIN, 0), .message = "bad"}};
    json_t *json = parsed((struct check_options){.tools = 15, .root = "/tmp"}, findings, 6, write_sarif);
    expect_sarif(json);
    const char *name = strrchr(source_path, '/') + 1;
    expect_text(json, "runs/0/originalUriBaseIds/SRCROOT/uri", "file:///tmp/");
    expect_text(json, "runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", name);
    expect_text(json, "runs/0/results/0/locations/0/physicalLocation/artifactLocation/uriBaseId", "SRCROOT");
    expect_number(json, "runs/0/results/0/locations/0/physicalLocation/region/startLine", 4);
    expect_text(json, "runs/0/results/0/relatedLocations/0/physicalLocation/region/snippet/text",
                "\tsum += tile[i];");
    expect_text(json, "runs/0/results/0/relatedLocations/1/message/text", "called from here");
    expect_text(json, "runs/0/results/1/relatedLocations/0/physicalLocation/artifactLocation/uri",
                "file:///src/main.cu");
    expect_text(json, "runs/0/results/2/locations/0/physicalLocation/artifactLocation/uri",
                "dir%20with%20space/main.cu");
    assert_int_equal(json_array_size(at(json, "runs/0/results/4/locations")), 0);
    expect_text(json, "runs/0/results/5/locations/0/logicalLocations/0/fullyQualifiedName", "sum");
    json_decref(json);
}

/* At another line, or with another address, it is the same mistake; in another kernel it is none. */
static void fingerprints_are_of_the_mistake(void **state)
{
    (void)state;
    struct event_finding f[] = {out_of_bounds(8), out_of_bounds(100), out_of_bounds(8)};
    f[2].place.kernel = &SUM;
    json_t *json = parsed((struct check_options){.tools = 1, .each = true}, f, 3, write_json);
    const char *first = json_string_value(at(json, "findings/0/fingerprint"));
    assert_string_equal(first, json_string_value(at(json, "findings/1/fingerprint")));
    assert_string_not_equal(first, json_string_value(at(json, "findings/2/fingerprint")));
    json_decref(json);
}

static void html_escapes_and_shows_source(void **state)
{
    (void)state;
    struct event_finding f[] = {race(), out_of_bounds(8)};
    f[1].message = "a<b";
    char *page = form_of((struct check_options){.tools = 5}, f, 2, check_write_html);
    assert_non_null(strstr(page, "<!doctype html>"));
    assert_non_null(strstr(page, "<code>    a[i] = x;</code>"));
    assert_non_null(strstr(page, "<code>__global__ void scale()</code>"));
    assert_non_null(strstr(page, "a&lt;b"));
    assert_non_null(strstr(page, "<a href=\"#f2\">2</a>"));
    assert_null(strstr(page, "http"));
    free(page);
    page = form_of((struct check_options){.tools = 5}, NULL, 0, check_write_html);
    assert_non_null(strstr(page, "Nothing was found."));
    free(page);
}

/* ---- suppressions */

static struct check_suppressions *suppressions(const char *text, struct sw_error *error)
{
    char path[] = "/tmp/softwarp-suppress-XXXXXX";
    int file = mkstemp(path);
    FILE *stream = fdopen(file, "w");
    struct check_suppressions *read = NULL;
    fputs(text, stream);
    fclose(stream);
    enum sw_status status = check_suppressions_read(path, &read, error);
    assert_int_equal(status == SW_OK, read != NULL);
    unlink(path);
    return read;
}

static uint64_t left_by(const char *text, const struct event_finding *finding)
{
    struct sw_error error = {0};
    struct check_options options = {.tools = 5, .suppressions = suppressions(text, &error)};
    if (!options.suppressions) print_error("%s\n", error.message);
    assert_non_null(options.suppressions);
    struct check_report *report = check_report_new(&options);
    check_report_add(report, "program", finding);
    uint64_t left = check_report_errors(report);
    check_report_free(report);
    check_suppressions_free((struct check_suppressions *)options.suppressions);
    return left;
}

static void suppressions_match_all_lines(void **state)
{
    (void)state;
    struct event_finding bounds = out_of_bounds(8), hazard = race();
    struct event_finding leak = {
        .kind = EVENT_FINDING_LEAK, .base = 1, .size = 2, .made = "cudaMalloc", .where = "/src/main.cu:3"};
    assert_int_equal(left_by("", &bounds), 1);
    assert_int_equal(left_by("[a]\nkind = out-of-bounds\n", &bounds), 0);
    assert_int_equal(left_by("# x\n[a]\n kind = out-* \n kernel = scale\n; y\n", &bounds), 0);
    assert_int_equal(left_by("[a]\nkind = out-of-bounds\nkernel = sum\n", &bounds), 1);
    assert_int_equal(left_by("[a]\nkernel = sum\n[b]\nkernel = sca?e\n", &bounds), 0);
    assert_int_equal(left_by("[a]\nplace = softwarp-check-*.cu:2\n", &bounds), 0);
    assert_int_equal(left_by("[a]\nplace = *.cu:22\n", &bounds), 1);
    assert_int_equal(left_by("[a]\nplace = /tmp/*:2\n", &bounds), 0);
    assert_int_equal(left_by("[a]\nplace = /home/*:2\n", &bounds), 1);
    assert_int_equal(left_by("[a]\nother = *:3\n", &bounds), 1);
    assert_int_equal(left_by("[a]\nother = *:3\nplace = *:4\n", &hazard), 0);
    assert_int_equal(left_by("[a]\nother = *:4\nplace = *:3\n", &hazard), 4);
    assert_int_equal(left_by("[a]\ncall = cudaMalloc*\nplace = main.cu:3\n", &leak), 0);
    assert_int_equal(left_by("[a]\nkernel = *\n", &leak), 1);
}

static void mistakes_in_suppressions_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } CASES[] = {
        {"kind = leak\n", ":1: 'kind' stands before the first [section]"},
        {"[a]\nkind leak\n", ":2: 'kind leak' is no line 'key = pattern'"},
        {"[a]\nline = 3\n", ":2: there is no key 'line'"},
        {"[a]\nkind = leeks\n", ":2: no kind of finding matches 'leeks'"},
        {"[a]\n[b]\nkind = leak\n", ":1: the section has no lines"},
        {"[a]\n", ":1: the section has no lines"},
    };
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        struct sw_error error = {0};
        assert_null(suppressions(CASES[i].text, &error));
        if (!strstr(error.message, CASES[i].message)) print_error("%s\n", error.message);
        assert_non_null(strstr(error.message, CASES[i].message));
    }
    struct sw_error error = {0};
    struct check_suppressions *none;
    assert_int_equal(check_suppressions_read("/nonexistent/file", &none, &error), SW_USAGE);
}

static const char *bracketed(struct arena *arena, const char *name)
{
    return arena_printf(arena, "%s<int[3]>(float *)", name);
}

/* What is written leaves out what it was written for, and nothing else. */
static void written_suppressions_match(void **state)
{
    (void)state;
    struct event_finding findings[] = {out_of_bounds(8), race()};
    struct check_options options = {.tools = 5, .demangle = bracketed};
    char *text = form_of(options, findings, 2, check_write_suppressions);
    assert_non_null(
        strstr(text, "\n[1]\nkind = out-of-bounds\nkernel = scale<int\\[3\\]>(float \\*)\nplace = "));
    struct sw_error error = {0};
    struct check_suppressions *all = suppressions(text, &error);
    assert_non_null(all);
    options.suppressions = all;
    struct check_report *report = check_report_new(&options);
    check_report_add(report, "program", &findings[0]);
    check_report_add(report, "program", &findings[1]);
    assert_int_equal(check_report_errors(report), 0);
    findings[0].place.kernel = &SUM;
    check_report_add(report, "program", &findings[0]);
    assert_int_equal(check_report_errors(report), 1);
    struct str out = {0};
    check_write_text(report, &RUN, &out);
    assert_non_null(strstr(str_text(&out), "SUPPRESSED: 5 errors\n"));
    str_release(&out);
    check_report_free(report);
    check_suppressions_free(all);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_has_both_places),
        cmocka_unit_test(an_empty_report_is_json),
        cmocka_unit_test(json_is_utf8),
        cmocka_unit_test(sarif_has_what_its_schema_requires),
        cmocka_unit_test(fingerprints_are_of_the_mistake),
        cmocka_unit_test(html_escapes_and_shows_source),
        cmocka_unit_test(suppressions_match_all_lines),
        cmocka_unit_test(mistakes_in_suppressions_are_named),
        cmocka_unit_test(written_suppressions_match),
    };
    return cmocka_run_group_tests(tests, source_write, source_remove);
}
