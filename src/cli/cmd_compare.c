/* SPDX-License-Identifier: Apache-2.0 */
/* softwarp compare: two reports side by side, kernel by kernel, and gates for continuous integration. */
#include "cli_priv.h"

#include "compare/compare.h"
#include "prof/prof.h"
#include "report/report.h"

#include <math.h>
#include <string.h>

struct request {
    const char *paths[2], *metrics, *output;
    const char *gate_list;
    bool all, csv, json;
    struct compare_gate *gates;
    uint32_t gate_count, matched; /* matched: kernels that both reports have */
    struct compare_report reports[2];
    struct arena arena;
};

/* A metric in a report, by its name there or the other profiler's. */
static const struct compare_metric *find(const struct compare_kernel *kernel, const char *name,
                                         struct arena *arena)
{
    const struct compare_metric *metric = map_get(&kernel->by_name, name);
    int index = metric ? -1 : prof_metric_find(name);
    if (index >= 0)
        metric = map_get(&kernel->by_name, prof_metric_name(prof_metric_at((uint32_t)index), arena));
    if (!metric && index >= 0) metric = map_get(&kernel->by_name, prof_metric_at((uint32_t)index)->text);
    return metric;
}

/* By name; where each report has one kernel alone, these two. */
static struct compare_kernel *partner(const struct request *q, const struct compare_kernel *base)
{
    if (q->reports[0].kernels.count == 1 && q->reports[1].kernels.count == 1)
        return q->reports[1].kernels.at[0];
    return map_get(&q->reports[1].by_name, base->name);
}

static bool is_wanted(const struct request *q, const struct compare_metric *metric, struct arena *arena)
{
    if (!q->metrics) return true;
    for (const char *at = q->metrics; *at;) {
        size_t length = strcspn(at, ",");
        const char *name = arena_strndup(arena, at, length);
        int index = prof_metric_find(name);
        if (strcmp(name, metric->name) == 0) return true;
        if (index >= 0 && strcmp(prof_metric_name(prof_metric_at((uint32_t)index), arena), metric->name) == 0)
            return true;
        at += length + (at[length] == ',');
    }
    return false;
}

static void add_row(struct report_table *table, const char *kernel, const char *metric, double base,
                    double now)
{
    report_cell(table, report_text(kernel));
    report_cell(table, report_text(metric));
    report_cell(table, report_real(base));
    report_cell(table, report_real(now));
    report_cell(table, base != 0 ? report_real(now / base) : report_none());
}

/* ncu's CSV, and ours, round to two decimals. */
static bool differ(double x, double y)
{
    static const double ROUNDED = 0.0051;
    bool whole = x == floor(x) && y == floor(y);
    return fabs(x - y) > (whole ? 0 : ROUNDED);
}

static void add_kernel(struct request *q, const struct compare_kernel *base, const struct compare_kernel *now,
                       struct report_table *table)
{
    const char *name = base->name;
    if (strcmp(name, now->name) != 0) name = arena_printf(&q->arena, "%s -> %s", name, now->name);
    if (q->all || base->launches != now->launches)
        add_row(table, name, "launches", base->launches, now->launches);
    for (size_t i = 0; i < base->metrics.count; i++) {
        const struct compare_metric *m = base->metrics.at[i], *n = find(now, m->name, &q->arena);
        if (!n || !is_wanted(q, m, &q->arena)) continue;
        double x = compare_value(m), y = compare_value(n);
        if (q->all || differ(x, y)) add_row(table, name, m->name, x, y);
    }
}

enum { NAMES_SAID = 3 };

/* Who has no partner: their number, and the first names. */
static void say_alone(const char *path, const struct compare_report *report,
                      const struct compare_report *other)
{
    struct str names = {0};
    uint32_t count = 0;
    for (size_t i = 0; i < report->kernels.count; i++) {
        const char *name = report->kernels.at[i]->name;
        if (map_get(&other->by_name, name)) continue;
        if (count++ < NAMES_SAID) str_printf(&names, "%s%s", count > 1 ? ", " : "", name);
    }
    if (count)
        cli_say("only in %s: %u kernel%s: %s%s", path, count, count == 1 ? "" : "s", str_text(&names),
                count > NAMES_SAID ? " ..." : "");
    str_release(&names);
}

/* Rows of every kernel that both have; who has no partner is said on standard error. */
static void fill_table(struct request *q, struct report_table *table)
{
    static const char *const NAMES[] = {"kernel", "metric", "base", "new", "ratio"};
    for (size_t i = 0; i < SW_COUNT_OF(NAMES); i++)
        report_column(table, NAMES[i], "");
    for (size_t i = 0; i < q->reports[0].kernels.count; i++) {
        const struct compare_kernel *base = q->reports[0].kernels.at[i], *now = partner(q, base);
        if (!now) continue;
        add_kernel(q, base, now, table);
        q->matched++;
    }
    if (q->matched == q->reports[0].kernels.count && q->matched == q->reports[1].kernels.count) return;
    say_alone(q->paths[0], &q->reports[0], &q->reports[1]);
    say_alone(q->paths[1], &q->reports[1], &q->reports[0]);
}

static void say_failed(const struct compare_gate *gate, const char *kernel, double base, double now)
{
    struct str text = {0};
    str_printf(&text, "gate failed: %s: %s: ", kernel, gate->text);
    report_number(report_real(base), &text);
    str_add(&text, " -> ");
    report_number(report_real(now), &text);
    if (base != 0) str_printf(&text, " (%.4gx)", now / base);
    cli_say("%s", str_text(&text));
    str_release(&text);
}

/* One gate over all kernels; *checked: how many have its metric in both reports. */
static uint32_t check_gate(struct request *q, const struct compare_gate *gate, uint32_t *checked)
{
    uint32_t failed = 0;
    for (size_t i = 0; i < q->reports[0].kernels.count; i++) {
        const struct compare_kernel *base = q->reports[0].kernels.at[i], *now = partner(q, base);
        const struct compare_metric *m = now ? find(base, gate->metric, &q->arena) : NULL,
                                    *n = now ? find(now, gate->metric, &q->arena) : NULL;
        if (!m || !n) continue;
        ++*checked;
        if (!compare_gate_holds(gate, compare_value(m), compare_value(n))) continue;
        say_failed(gate, base->name, compare_value(m), compare_value(n));
        failed++;
    }
    return failed;
}

static int check_gates(struct request *q)
{
    uint32_t failed = 0;
    for (uint32_t i = 0; i < q->gate_count; i++) {
        uint32_t checked = 0;
        failed += check_gate(q, &q->gates[i], &checked);
        if (!checked)
            return cli_fail(CLI_USAGE, "no kernel has metric '%s' in both reports: the gate checks nothing",
                            q->gates[i].metric);
    }
    return failed ? CLI_GATE : CLI_OK;
}

static int compare(struct request *q)
{
    struct sw_error error = {0};
    if (q->gate_list &&
        compare_gates_parse(q->gate_list, &q->arena, &q->gates, &q->gate_count, &error) != SW_OK)
        return cli_fail_error(&error);
    for (int i = 0; i < 2; i++)
        if (compare_read(q->paths[i], &q->reports[i], &error) != SW_OK) return cli_fail_error(&error);
    struct cli_output output = {.path = q->output};
    struct report_table table = {0};
    fill_table(q, &table);
    if (!q->matched) {
        report_table_release(&table);
        return cli_fail(CLI_USAGE, "the two reports have no kernel in common");
    }
    if (q->csv)
        report_table_csv(&table, false, &output.text);
    else if (q->json)
        report_table_json(&table, &output.text);
    else if (table.cells.count)
        report_table_text(&table, &output.text);
    else
        str_add(&output.text, "no metric differs\n");
    report_table_release(&table);
    int written = cli_output_finish(&output), code = check_gates(q);
    return code ? code : written;
}

int cmd_compare(const struct cli_command *self, int argc, char **argv)
{
    struct request q = {0};
    const struct cli_option table[] = {
        {"--fail-if", 0, CLI_TEXT, &q.gate_list, "CONDITIONS",
         "exit status 1 when one holds for some kernel: METRIC>1.05x (new / base), METRIC>5% or METRIC>1000; "
         "more than one separated by commas"},
        {"--metrics", 0, CLI_TEXT, &q.metrics, "LIST", "only these, by names of ncu or nvprof"},
        {"--all", 0, CLI_FLAG, &q.all, NULL, "also metrics that are equal"},
        {"--csv", 0, CLI_FLAG, &q.csv, NULL, "as CSV"},
        {"--json", 0, CLI_FLAG, &q.json, NULL, "as JSON"},
        {"--output", 'o', CLI_TEXT, &q.output, "FILE", "write the table there, not to standard output"},
    };
    int count = 0, code = -1;
    /* options may stand before, between and after the two names, as in the contract */
    while (argc > 1 && code < 0) {
        int rest;
        code = cli_parse(self, table, SW_COUNT_OF(table), argc, argv, &rest);
        if (code >= 0) return code;
        if (rest >= argc) break;
        if (count == 2) return cli_fail(CLI_USAGE, "unexpected '%s': softwarp compare --help", argv[rest]);
        q.paths[count++] = argv[rest];
        argv += rest;
        argc -= rest;
    }
    if (count < 2) return cli_fail(CLI_USAGE, "two reports are needed: softwarp compare BASE NEW");
    if (q.csv && q.json) return cli_fail(CLI_USAGE, "--csv and --json exclude each other");
    arena_init(&q.arena);
    arena_init(&q.reports[0].arena);
    arena_init(&q.reports[1].arena);
    code = compare(&q);
    compare_report_release(&q.reports[0]);
    compare_report_release(&q.reports[1]);
    arena_release(&q.arena);
    return code;
}
