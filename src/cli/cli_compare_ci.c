/* SPDX-License-Identifier: Apache-2.0 */
/* What softwarp compare found, for services that show it beside a change: as Markdown, for a comment, and as
 * JUnit's XML, which has one test for each gate and kernel and one for each difference that fails. Limits:
 * Markdown shows the first MARKDOWN_ROWS rows, in the order of the text, and says how many there are. */
#include "cli_compare_priv.h"

#include "base/base_text.h"
#include "report/report.h"

#include <math.h>
#include <string.h>

enum { MARKDOWN_ROWS = 50 }; /* implementation: a comment is no file, and sites limit its length */

/* A line of text, with what Markdown or HTML in it would take for a sign. */
static void markdown_text(const char *text, struct str *out)
{
    for (; *text; text++) {
        if (strchr("\\`*_{}[]<>#|~", *text)) str_add(out, "\\");
        str_add_bytes(out, text, 1);
    }
}

static void markdown_reason(const char *line, void *user)
{
    str_add(user, "- ");
    markdown_text(line, user);
    str_add(user, "\n");
}

static void markdown_number(double value, const char *unit, struct str *out)
{
    str_add(out, " | ");
    if (isnan(value)) return;
    report_number(report_real(value), out);
    str_add(out, unit);
}

static void markdown_row(const struct compare_row *row, struct str *out)
{
    str_add(out, row->standing == COMPARE_FAILED ? "| **" : "| ");
    markdown_text(row->pair->name, out);
    str_add(out, row->standing == COMPARE_FAILED ? "** | " : " | ");
    markdown_text(row->metric, out);
    markdown_number(row->base, "", out);
    markdown_number(row->now, "", out);
    markdown_number(row->base == 0 ? NAN : row->now / row->base, "x", out);
    str_add(out, " |\n");
}

void cli_compare_markdown(const struct cli_compare *c, struct str *out)
{
    struct str verdict = {0};
    compare_verdict(c->judgement, c->rows->differing, &verdict);
    str_add(out, "### ");
    markdown_text(str_text(&verdict), out);
    str_add(out, "\n\n");
    cli_compare_reasons(c->judgement, markdown_reason, out);
    size_t shown = 0;
    for (size_t i = 0; i < c->rows->list.count; i++) {
        const struct compare_row *row = &c->rows->list.at[i];
        if (!c->all && row->standing == COMPARE_SAME) continue;
        if (!shown++) str_add(out, "\n| kernel | metric | base | new | ratio |\n|---|---|--:|--:|--:|\n");
        if (shown <= MARKDOWN_ROWS) markdown_row(row, out);
    }
    if (shown > MARKDOWN_ROWS) {
        str_add(out, "\n");
        str_printf(out, _("%u of %zu rows are shown."), (unsigned)MARKDOWN_ROWS, shown);
        str_add(out, "\n");
    }
    str_release(&verdict);
}

static void junit_begin(const char *group, const char *name, struct str *out)
{
    str_add(out, "  <testcase classname=\"");
    report_html_text(group, out);
    str_add(out, "\" name=\"");
    report_html_text(name, out);
    str_add(out, "\"");
}

static void junit_end(const char *failure, struct str *out)
{
    if (!failure) {
        str_add(out, "/>\n");
        return;
    }
    str_add(out, "><failure message=\"");
    report_html_text(failure, out);
    str_add(out, "\"/></testcase>\n");
}

static void junit_check(const struct compare_check *check, struct str *out)
{
    struct str why = {0};
    if (check->failed) cli_compare_failed_gate(check, &why);
    junit_begin(check->pair->name, check->gate->text, out);
    junit_end(check->failed ? str_text(&why) : NULL, out);
    str_release(&why);
}

void cli_compare_junit(const struct cli_compare *c, struct str *out)
{
    const struct compare_judgement *j = c->judgement;
    struct str cases = {0};
    size_t tests = 0, failures = 0;
    for (size_t i = 0; i < j->checks.count; i++) {
        junit_check(&j->checks.at[i], &cases);
        tests++;
        failures += j->checks.at[i].failed;
    }
    for (size_t i = 0; i < j->problems.count; i++) {
        const struct compare_problem *problem = &j->problems.at[i];
        bool fails = !problem->allowed && j->question->gate_count;
        const char *kind = compare_problem_name(problem->kind);
        junit_begin(problem->kernel ? problem->kernel : kind, problem->metric ? problem->metric : kind,
                    &cases);
        junit_end(fails ? problem->text : NULL, &cases);
        tests++;
        failures += fails;
    }
    str_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    str_printf(out, "<testsuite name=\"softwarp compare\" tests=\"%zu\" failures=\"%zu\">\n", tests,
               failures);
    str_add(out, str_text(&cases));
    str_add(out, "</testsuite>\n");
    str_release(&cases);
}
