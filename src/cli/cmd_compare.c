/* SPDX-License-Identifier: Apache-2.0 */
/* softwarp compare: two reports side by side, kernel by kernel, and gates for continuous integration. Gates
 * fail closed: compare/ judges, this file knows the names of metrics. */
#include "cli_compare_priv.h"

#include "prof/prof.h"

#include <string.h>

struct request {
    const char *paths[2], *metrics, *output, *gate_list, *allow_list, *language, *markdown, *junit;
    bool all, csv, json;
    struct compare_gate *gates;
    uint32_t gate_count, allowed;
    struct compare_report reports[2];
    struct arena arena;
};

/* A metric in a report, by its name there or the other profiler's. */
static const struct compare_metric *cmd_compare_find(const struct compare_kernel *kernel, const char *name,
                                                     struct arena *arena)
{
    const struct compare_metric *metric = map_get(&kernel->by_name, name);
    int index = metric ? -1 : prof_metric_find(name);
    if (index >= 0)
        metric = map_get(&kernel->by_name, prof_metric_name(prof_metric_at((uint32_t)index), arena));
    if (!metric && index >= 0) metric = map_get(&kernel->by_name, prof_metric_at((uint32_t)index)->text);
    return metric;
}

static bool is_wanted(void *user, const char *metric)
{
    struct request *q = user;
    if (!q->metrics) return true;
    for (const char *at = q->metrics; *at;) {
        size_t length = strcspn(at, ",");
        const char *name = arena_strndup(&q->arena, at, length);
        int index = prof_metric_find(name);
        if (strcmp(name, metric) == 0) return true;
        if (index >= 0 && strcmp(prof_metric_name(prof_metric_at((uint32_t)index), &q->arena), metric) == 0)
            return true;
        at += length + (at[length] == ',');
    }
    return false;
}

/* Some profiler has a metric of that name, or a report does. */
static bool compare_is_known(struct request *q, const char *name)
{
    if (prof_metric_find(name) >= 0 || prof_metric_lacks(name)) return true;
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < q->reports[side].kernels.count; i++)
            if (cmd_compare_find(q->reports[side].kernels.at[i], name, &q->arena)) return true;
    return false;
}

static const char *nearest_metric(struct request *q, const char *name)
{
    struct compare_nearest nearest = {.name = name};
    for (uint32_t i = 0; i < prof_metric_count(); i++) {
        const struct prof_metric *metric = prof_metric_at(i);
        compare_nearest_offer(&nearest, metric->ncu);
        for (const char *at = metric->nvprof; *at;) {
            size_t length = strcspn(at, " ");
            compare_nearest_offer(&nearest, arena_strndup(&q->arena, at, length));
            at += length + (at[length] == ' ');
        }
    }
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < q->reports[side].kernels.count; i++) {
            const struct compare_kernel *kernel = q->reports[side].kernels.at[i];
            for (size_t m = 0; m < kernel->metrics.count; m++)
                compare_nearest_offer(&nearest, kernel->metrics.at[m]->name);
        }
    return nearest.best;
}

static int refuse_metric(struct request *q, const char *name, const char *more)
{
    const char *near = nearest_metric(q, name);
    if (near)
        return cli_fail(CLI_USAGE, "there is no metric named '%s': did you mean '%s'?%s", name, near, more);
    return cli_fail(CLI_USAGE,
                    "there is no metric named '%s': softwarp profile --page raw lists the metrics%s", name,
                    more);
}

/* Names that are given must exist. -1: they do, or may be missing. */
static int check_names(struct request *q)
{
    bool tolerant = q->allowed >> COMPARE_UNKNOWN_METRICS & 1;
    for (uint32_t i = 0; i < q->gate_count; i++) {
        q->gates[i].unknown = !compare_is_known(q, q->gates[i].metric);
        if (q->gates[i].unknown && !tolerant)
            return refuse_metric(q, q->gates[i].metric, "; --allow unknown-metrics leaves such a gate out");
    }
    for (const char *at = q->metrics; at && *at;) {
        size_t length = strcspn(at, ",");
        const char *name = arena_strndup(&q->arena, at, length);
        if (!compare_is_known(q, name)) return refuse_metric(q, name, "");
        at += length + (at[length] == ',');
    }
    return -1;
}

/* A further form, in a file of its own. */
static int write_form(const char *path, void (*form)(const struct cli_compare *, struct str *),
                      const struct cli_compare *compare)
{
    struct cli_output output = {.path = path};
    if (!path) return CLI_OK;
    form(compare, &output.text);
    return cli_output_finish(&output);
}

static int compare_write_result(const struct request *q, const struct cli_compare *compare)
{
    int code = write_form(q->markdown, cli_compare_markdown, compare);
    if (code == CLI_OK) code = write_form(q->junit, cli_compare_junit, compare);
    if (code != CLI_OK) return code;
    struct cli_output output = {.path = q->output};
    if (q->csv)
        cli_compare_csv(compare, &output.text);
    else if (q->json)
        cli_compare_json(compare, &output.text);
    else
        cli_compare_text(compare, &output.text);
    if (q->csv || q->json || q->output) cli_compare_say(compare);
    return cli_output_finish(&output);
}

static int judge(struct request *q)
{
    struct compare_question question = {
        .reports = {&q->reports[0], &q->reports[1]},
        .paths = {q->paths[0], q->paths[1]},
        .gates = q->gates,
        .gate_count = q->gate_count,
        .allowed = q->allowed,
        .find = cmd_compare_find,
    };
    struct compare_judgement judgement;
    struct compare_rows rows;
    int code;
    compare_judge(&question, &judgement);
    compare_rows_make(&judgement, is_wanted, q, &rows);
    struct cli_compare compare = {&judgement, &rows, q->all};
    if (!q->gate_count && !judgement.pairs.count) {
        cli_compare_say(&compare);
        code = cli_fail(CLI_USAGE, "the two reports have no kernel in common: there is nothing to compare");
    } else {
        int written = compare_write_result(q, &compare);
        code = judgement.failed ? CLI_GATE : written;
    }
    vec_release(&rows.list);
    compare_judgement_release(&judgement);
    return code;
}

static int compare_reports(struct request *q)
{
    struct sw_error error = {0};
    if (q->gate_list &&
        compare_gates_parse(q->gate_list, &q->arena, &q->gates, &q->gate_count, &error) != SW_OK)
        return cli_fail_error(&error);
    if (q->allow_list && compare_allow_parse(q->allow_list, &q->allowed, &error) != SW_OK)
        return cli_fail_error(&error);
    for (int i = 0; i < 2; i++)
        if (compare_read(q->paths[i], &q->reports[i], &error) != SW_OK) return cli_fail_error(&error);
    int code = check_names(q);
    return code < 0 ? judge(q) : code;
}

static int check_request(const struct request *q, int count)
{
    if (count < 2) return cli_fail(CLI_USAGE, "two reports are needed: softwarp compare BASE NEW");
    if (q->csv && q->json) return cli_fail(CLI_USAGE, "--csv and --json exclude each other");
    if (q->allow_list && !q->gate_list)
        return cli_fail(CLI_USAGE, "--allow is for gates: give --fail-if, or leave it out");
    /* CSV and JSON are for scripts, and stay as they are */
    return q->csv || q->json ? -1 : cli_language(q->language);
}

int cmd_compare(const struct cli_command *self, int argc, char **argv)
{
    struct request q = {0};
    const struct cli_option table[] = {
        {"--fail-if", 0, CLI_TEXT, &q.gate_list, "CONDITIONS",
         "gates, separated by commas: METRIC>1.05x (new / base), METRIC>5% or METRIC>1000; the exit status "
         "is 1 if a condition holds for a kernel, or if it cannot be checked (see --allow)"},
        {"--allow", 0, CLI_TEXT, &q.allow_list, "LIST",
         "accept these differences, separated by commas: missing-kernels, renamed-kernels, fewer-launches, "
         "failed-launches, failed-programs, missing-metrics, unknown-metrics, empty-reports"},
        {"--metrics", 0, CLI_TEXT, &q.metrics, "LIST", "compare only these metrics (names of ncu or nvprof)"},
        {"--all", 0, CLI_FLAG, &q.all, NULL, "show equal metrics too"},
        {"--csv", 0, CLI_FLAG, &q.csv, NULL, "as CSV"},
        {"--json", 0, CLI_FLAG, &q.json, NULL, "as JSON"},
        {"--markdown", 0, CLI_TEXT, &q.markdown, "FILE", "write Markdown, too, for a comment on a change"},
        {"--junit", 0, CLI_TEXT, &q.junit, "FILE", "write JUnit's XML, too: a test for each gate and kernel"},
        {"--lang", 0, CLI_TEXT, &q.language, "LANG", "en or zh; default by LC_ALL, LC_MESSAGES, LANG"},
        {"--output", 'o', CLI_TEXT, &q.output, "FILE", "write the result there, not to standard output"},
    };
    int count = 0, code = -1;
    /* options may stand before, between and after the two names, as in the contract */
    while (argc > 1 && code < 0) {
        int rest;
        code = cli_parse(self, table, SW_COUNT_OF(table), argc, argv, &rest);
        if (code >= 0) return code;
        if (rest >= argc) break;
        if (count == 2)
            return cli_fail(CLI_USAGE, "unexpected argument '%s': see softwarp compare --help", argv[rest]);
        q.paths[count++] = argv[rest];
        argv += rest;
        argc -= rest;
    }
    code = check_request(&q, count);
    if (code >= 0) return code;
    arena_init(&q.arena);
    arena_init(&q.reports[0].arena);
    arena_init(&q.reports[1].arena);
    code = compare_reports(&q);
    compare_report_release(&q.reports[0]);
    compare_report_release(&q.reports[1]);
    arena_release(&q.arena);
    return code;
}
