/* SPDX-License-Identifier: Apache-2.0 */
/* How softwarp compare says what it found: as text for people, as CSV and as JSON (docs/report-schema.md).
 * Each begins with the verdict and goes on with what it rests on: failed gates, what is missing or broken,
 * new kernels; then come the rows in their order. */
#include "cli_compare_priv.h"

#include "base/base_text.h"
#include "report/report.h"

#include <math.h>

static struct report_value compare_number(double value)
{
    return isnan(value) ? report_none() : report_real(value);
}

static struct report_value compare_ratio(double base, double now)
{
    return isnan(base) || base == 0 ? report_none() : report_real(now / base);
}

static const char *verdict_word(const struct compare_judgement *j)
{
    return !j->question->gate_count ? "no gate" : j->failed ? "FAIL" : "pass";
}

void cli_compare_failed_gate(const struct compare_check *check, struct str *out)
{
    str_printf(out, _("gate failed: %s: %s: "), check->pair->name, check->gate->text);
    if (!isnan(check->base)) {
        report_number(report_real(check->base), out);
        str_add(out, " -> ");
    }
    report_number(report_real(check->now), out);
    if (!isnan(check->base) && check->base != 0) str_printf(out, " (%.4gx)", check->now / check->base);
}

static void add_problem(const struct compare_judgement *j, const struct compare_problem *problem,
                        struct str *out)
{
    bool allowed = problem->allowed && j->question->gate_count;
    str_printf(out, "%s%s: %s", allowed ? _("allowed: ") : "", compare_problem_name(problem->kind),
               problem->text);
}

static void add_new_kernels(const struct compare_judgement *j, struct str *out)
{
    str_add(out, _("new kernels: "));
    for (size_t i = 0; i < j->added.count; i++)
        str_printf(out, "%s%s", i ? ", " : "", j->added.at[i]->name);
}

/* The names to give to --allow so that nothing of what is missing or broken fails. */
static void add_hint(const struct compare_judgement *j, struct str *out)
{
    uint32_t kinds = 0;
    for (size_t i = 0; i < j->problems.count; i++)
        if (!j->problems.at[i].allowed) kinds |= 1u << j->problems.at[i].kind;
    if (!kinds || !j->question->gate_count) return;
    struct str names = {0};
    for (int k = 0; k < COMPARE_PROBLEM_COUNT; k++)
        if (kinds >> k & 1)
            str_printf(&names, "%s%s", names.length ? "," : "",
                       compare_problem_name((enum compare_problem_kind)k));
    str_printf(out, _("if this is intended, accept it with: --allow %s"), str_text(&names));
    str_release(&names);
}

void cli_compare_reasons(const struct compare_judgement *j, void (*say)(const char *line, void *user),
                         void *user)
{
    struct str line = {0};
    for (size_t i = 0; i < j->checks.count; i++) {
        if (!j->checks.at[i].failed) continue;
        str_clear(&line);
        cli_compare_failed_gate(&j->checks.at[i], &line);
        say(str_text(&line), user);
    }
    for (int allowed = 0; allowed < 2; allowed++)
        for (size_t i = 0; i < j->problems.count; i++) {
            if (j->problems.at[i].allowed != allowed) continue;
            str_clear(&line);
            add_problem(j, &j->problems.at[i], &line);
            say(str_text(&line), user);
        }
    str_clear(&line);
    add_hint(j, &line);
    if (line.length) say(str_text(&line), user);
    str_clear(&line);
    if (j->added.count) {
        add_new_kernels(j, &line);
        say(str_text(&line), user);
    }
    str_release(&line);
}

static void to_text(const char *line, void *user)
{
    str_printf(user, "  %s\n", line);
}

static void to_error(const char *line, void *user)
{
    (void)user;
    cli_say("%s", line);
}

void cli_compare_say(const struct cli_compare *c)
{
    const struct compare_judgement *j = c->judgement;
    if (!j->question->gate_count && !j->problems.count && !j->added.count) return;
    struct str line = {0};
    compare_verdict(j, c->rows->differing, &line);
    cli_say("%s", str_text(&line));
    cli_compare_reasons(j, to_error, NULL);
    str_release(&line);
}

static void add_cells(struct report_table *table, const char *kernel, const char *metric, double base,
                      double now)
{
    report_cell(table, kernel ? report_text(kernel) : report_none());
    report_cell(table, metric ? report_text(metric) : report_none());
    report_cell(table, compare_number(base));
    report_cell(table, compare_number(now));
    report_cell(table, compare_ratio(base, now));
}

static void add_columns(struct report_table *table, bool result)
{
    static const char *const NAMES[] = {"kernel", "metric", "base", "new", "ratio", "result", "text"};
    for (size_t i = 0; i < SW_COUNT_OF(NAMES) - (result ? 0 : 2); i++)
        report_column(table, NAMES[i], "");
}

static bool is_shown(const struct cli_compare *c, const struct compare_row *row)
{
    return c->all || row->standing != COMPARE_SAME;
}

void cli_compare_text(const struct cli_compare *c, struct str *out)
{
    struct report_table table = {0};
    compare_verdict(c->judgement, c->rows->differing, out);
    str_add(out, "\n");
    cli_compare_reasons(c->judgement, to_text, out);
    str_add(out, "\n");
    add_columns(&table, false);
    for (size_t i = 0; i < c->rows->list.count; i++) {
        const struct compare_row *row = &c->rows->list.at[i];
        if (is_shown(c, row)) add_cells(&table, row->pair->name, row->metric, row->base, row->now);
    }
    if (table.cells.count)
        report_table_text(&table, out);
    else
        str_add(out, _("  all metrics are equal\n"));
    report_table_release(&table);
}

static void add_result(struct report_table *table, const char *result, const char *text)
{
    report_cell(table, report_text(result));
    report_cell(table, text ? report_text(text) : report_none());
}

static void csv_reasons(const struct compare_judgement *j, struct arena *arena, struct report_table *table)
{
    for (size_t i = 0; i < j->checks.count; i++) {
        const struct compare_check *check = &j->checks.at[i];
        if (!check->failed) continue;
        add_cells(table, check->pair->name, check->metric, check->base, check->now);
        add_result(table, "gate failed", check->gate->text);
    }
    for (size_t i = 0; i < j->problems.count; i++) {
        const struct compare_problem *problem = &j->problems.at[i];
        const char *name = compare_problem_name(problem->kind);
        add_cells(table, problem->kernel, problem->metric, NAN, NAN);
        add_result(table, problem->allowed ? arena_printf(arena, "allowed %s", name) : name, problem->text);
    }
    for (size_t i = 0; i < j->added.count; i++) {
        add_cells(table, j->added.at[i]->name, NULL, NAN, NAN);
        add_result(table, "new kernel", NULL);
    }
}

static const char *const STANDINGS[] = {"failed", "changed", "same"};

void cli_compare_csv(const struct cli_compare *c, struct str *out)
{
    struct report_table table = {0};
    struct arena arena;
    struct str verdict = {0};
    arena_init(&arena);
    compare_verdict(c->judgement, c->rows->differing, &verdict);
    add_columns(&table, true);
    add_cells(&table, NULL, NULL, NAN, NAN);
    add_result(&table, verdict_word(c->judgement), str_text(&verdict));
    csv_reasons(c->judgement, &arena, &table);
    for (size_t i = 0; i < c->rows->list.count; i++) {
        const struct compare_row *row = &c->rows->list.at[i];
        if (row->standing == COMPARE_FAILED || !is_shown(c, row)) continue; /* failed: said above */
        add_cells(&table, row->pair->name, row->metric, row->base, row->now);
        add_result(&table, STANDINGS[row->standing], NULL);
    }
    report_table_csv(&table, false, out);
    str_release(&verdict);
    report_table_release(&table);
    arena_release(&arena);
}

static void json_member(const char *name, struct report_value value, struct str *out)
{
    if (value.kind == REPORT_NONE) return;
    str_printf(out, ", \"%s\": ", name);
    report_json_value(value, out);
}

static void json_problems(const struct compare_judgement *j, struct str *out)
{
    str_add(out, ",\n \"problems\": [");
    for (size_t i = 0; i < j->problems.count; i++) {
        const struct compare_problem *p = &j->problems.at[i];
        str_printf(out, "%s\n  {\"problem\": \"%s\", \"allowed\": %s", i ? "," : "",
                   compare_problem_name(p->kind), p->allowed ? "true" : "false");
        json_member("kernel", p->kernel ? report_text(p->kernel) : report_none(), out);
        json_member("metric", p->metric ? report_text(p->metric) : report_none(), out);
        json_member("text", report_text(p->text), out);
        str_add(out, "}");
    }
    str_add(out, "],\n \"new_kernels\": [");
    for (size_t i = 0; i < j->added.count; i++) {
        str_add(out, i ? ", " : "");
        report_json_value(report_text(j->added.at[i]->name), out);
    }
    str_add(out, "]");
}

static void json_checks(const struct compare_judgement *j, struct str *out)
{
    str_add(out, ",\n \"checks\": [");
    for (int passed = 0, n = 0; passed < 2; passed++)
        for (size_t i = 0; i < j->checks.count; i++) {
            const struct compare_check *check = &j->checks.at[i];
            if (check->failed == (passed == 1)) continue;
            str_printf(out, "%s\n  {\"failed\": %s", n++ ? "," : "", check->failed ? "true" : "false");
            json_member("gate", report_text(check->gate->text), out);
            json_member("kernel", report_text(check->pair->name), out);
            json_member("metric", report_text(check->metric), out);
            json_member("base", compare_number(check->base), out);
            json_member("new", compare_number(check->now), out);
            str_add(out, "}");
        }
    str_add(out, "]");
}

static void json_rows(const struct cli_compare *c, struct str *out)
{
    int n = 0;
    str_add(out, ",\n \"rows\": [");
    for (size_t i = 0; i < c->rows->list.count; i++) {
        const struct compare_row *row = &c->rows->list.at[i];
        if (!is_shown(c, row)) continue;
        str_printf(out, "%s\n  {\"result\": \"%s\"", n++ ? "," : "", STANDINGS[row->standing]);
        json_member("kernel", report_text(row->pair->name), out);
        json_member("metric", report_text(row->metric), out);
        json_member("base", compare_number(row->base), out);
        json_member("new", compare_number(row->now), out);
        json_member("ratio", compare_ratio(row->base, row->now), out);
        str_add(out, "}");
    }
    str_add(out, "]");
}

void cli_compare_json(const struct cli_compare *c, struct str *out)
{
    const struct compare_judgement *j = c->judgement;
    struct str verdict = {0};
    compare_verdict(j, c->rows->differing, &verdict);
    str_printf(out, "{\"schema\": \"softwarp-compare/1\",\n \"verdict\": \"%s\"", verdict_word(j));
    json_member("text", report_text(str_text(&verdict)), out);
    str_printf(out, ",\n \"gates\": %u, \"failed_gates\": %u", j->question->gate_count, j->failed_gates);
    json_problems(j, out);
    json_checks(j, out);
    json_rows(c, out);
    str_add(out, "}\n");
    str_release(&verdict);
}
